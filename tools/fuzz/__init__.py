"""Inputs of all forms, made at random, and their tables beside those of a plain count: `python -m tools.fuzz`."""
