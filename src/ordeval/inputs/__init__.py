"""Labels in: arrays, frames and files become patterns of raw labels with counts, then codes on a scale."""
