"""Resampling, intervals, tests and ranks over arrays: imports nothing but NumPy and our errors."""
