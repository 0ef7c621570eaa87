"""One data frame in every library and engine."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tests.duckdb_files import writer

Columns = dict[str, list]


def from_pandas(columns: Columns) -> Any:
    return pd.DataFrame(columns)


def from_pandas_nullable(columns: Columns) -> Any:
    return converted(pd.DataFrame(columns), "numpy_nullable")


def from_pandas_arrow(columns: Columns) -> Any:
    return converted(pd.DataFrame(columns), "pyarrow")


def converted(data: pd.DataFrame, backend: str) -> pd.DataFrame:
    with np.errstate(invalid="ignore"):  # pandas tries whether infinity is an integer
        return data.convert_dtypes(dtype_backend=backend)


def from_polars(columns: Columns) -> Any:
    return pl.DataFrame(columns, strict=False)


def from_polars_lazy(columns: Columns) -> Any:
    return pl.LazyFrame(columns, strict=False)


def from_arrow(columns: Columns) -> Any:
    return pa.table(columns)


HELD: list[Any] = []


def from_duckdb(columns: Columns) -> Any:
    connection = writer()
    # older versions of DuckDB do not let a relation keep its connection open
    HELD.append(connection)
    connection.register("given", pa.table(columns))
    return connection.sql("SELECT * FROM given")


def from_ibis(columns: Columns) -> Any:
    import ibis

    return ibis.memtable(pa.table(columns))


PLAIN = [
    from_pandas,
    from_pandas_nullable,
    from_pandas_arrow,
    from_polars,
    from_polars_lazy,
    from_arrow,
    from_duckdb,
]
EAGER = [from_pandas, from_pandas_nullable, from_pandas_arrow, from_polars, from_arrow]


def name(constructor: Callable) -> str:
    return constructor.__name__.removeprefix("from_")


@pytest.fixture(scope="session")
def cluster():
    """A real Dask cluster: two worker processes and a scheduler."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",  # any free port
        ) as processes,
        Client(processes) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def spark():
    """A real Spark session on this machine."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(
    params=[
        *(pytest.param(constructor, id=name(constructor)) for constructor in PLAIN),
        pytest.param("ibis", marks=pytest.mark.full),
        pytest.param("dask", marks=pytest.mark.full),
        pytest.param("pyspark", marks=pytest.mark.full),
    ]
)
def frame(request) -> Callable[[Columns], Any]:
    """A function from columns to a frame of one engine."""
    if request.param == "ibis":
        return from_ibis
    if request.param == "dask":
        import dask.dataframe as dd

        request.getfixturevalue("cluster")
        return lambda columns: dd.from_pandas(pd.DataFrame(columns), npartitions=3)
    if request.param == "pyspark":
        session = request.getfixturevalue("spark")
        return lambda columns: session.createDataFrame(
            [tuple(row) for row in zip(*columns.values(), strict=True)], schema=schema_of(columns)
        )
    return request.param


def schema_of(columns: Columns) -> str:
    """Write the types of columns as Spark does."""
    kinds = {int: "long", float: "double", str: "string", bool: "boolean"}

    def kind(values: list) -> str:
        types = {type(value) for value in values if value is not None}
        return kinds[float if types == {int, float} else types.pop() if types else str]

    return ", ".join(f"`{column}` {kind(values)}" for column, values in columns.items())
