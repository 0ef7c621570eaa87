"""Turn probabilities or scores into answers that serve a measure, or into sets that hold the gold class."""
