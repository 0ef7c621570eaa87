"""Data frames, counted in their own engines through narwhals."""
