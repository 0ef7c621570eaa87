"""One engine for the tests of a process: starting it takes longer than most of what they ask of it.

Each database has a connection of its own, and keeps what it makes there. What a private engine is allowed to do is left
to the tests with the fixture `own_engine`, and to `make test-full`, where every database starts one.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

__all__ = ["a_private_engine", "one_engine"]

PRIVATE = []  # how a database starts its engine
SETTINGS = (
    "enable_external_file_cache=false",  # tests write files again
    "memory_limit='2GB'",
    "autoinstall_known_extensions=false",
    "autoload_known_extensions=false",
    "allow_community_extensions=false",
)


@contextmanager
def one_engine() -> Iterator[None]:
    """Let databases be connections to one engine, which is started for the first of them."""
    import duckdb

    from ordeval.inputs.files.engine import Database

    engines = []

    start = Database.start

    def connect(database: Database) -> duckdb.DuckDBPyConnection:
        if database.shows_progress:
            return start(database)
        if not engines:
            engines.append(duckdb.connect(config={"threads": 1}))
            for setting in SETTINGS:
                engines[0].execute(f"SET {setting}")
        connection = engines[0].cursor()
        connection.execute("SET enable_progress_bar = false")
        return connection

    PRIVATE.append(start)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "start", connect)
        yield
    for engine in engines:
        engine.close()


@contextmanager
def a_private_engine() -> Iterator[None]:
    """Let databases start engines of their own again."""
    from ordeval.inputs.files.engine import Database

    with pytest.MonkeyPatch.context() as patch:
        if PRIVATE:
            patch.setattr(Database, "start", PRIVATE[0])
        yield
