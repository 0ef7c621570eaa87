"""A DuckDB of the tests, which writes their files."""

from functools import cache

import duckdb

__all__ = ["writer"]


def writer() -> duckdb.DuckDBPyConnection:
    """Return a connection of its own to a DuckDB that is opened once: opening takes longer than writing a file."""
    return opened().cursor()


@cache
def opened() -> duckdb.DuckDBPyConnection:
    """Open the DuckDB."""
    return duckdb.connect(config={"enable_external_file_cache": False})  # tests write files again
