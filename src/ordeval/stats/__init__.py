"""Resampling, intervals, tests and ranks over arrays: imports nothing but NumPy and the modules below all rooms."""
