"""Resampling, intervals, tests and ranks over arrays: imports only NumPy and the lowest modules."""
