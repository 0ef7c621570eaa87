"""Evaluate one system, compare many: resampling, intervals, paired tests, tiers."""
