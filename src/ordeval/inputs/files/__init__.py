"""Files, counted by DuckDB."""
