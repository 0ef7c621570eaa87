"""How well people agree: coefficients, pairs of raters, raters who stand apart, and what a human reaches."""
