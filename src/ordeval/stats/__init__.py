"""Resampling, intervals, tests and ranks over arrays; knows nothing of files, frames or measures."""
