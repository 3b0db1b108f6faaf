"""Frames on many processes and machines: Cuprum as a backend of ``dask.dataframe``.

Partitions of Dask's collections are frames of Cuprum; Dask's own scheduler, shuffles and optimiser move and
combine them. Importing this module registers everything; Dask does so by itself where it meets a frame of
Cuprum, or the option ``dataframe.backend`` names it.

Examples
--------
>>> import cuprum, dask, dask.dataframe as dd
>>> with dask.config.set({"dataframe.backend": "cuprum"}):
...     sold = dd.from_dict({"city": ["Bern", "Rome", "Bern"], "n": [1, 2, 3]}, npartitions=2)
>>> sold.groupby("city").n.sum().compute().sort_index()
city
Bern    4
Rome    2
Name: n, dtype: int64
"""

try:
    import dask.dataframe as _  # noqa: F401
except ImportError as error:
    raise ImportError("cuprum.dask needs Dask: `pip install cuprum[dask]`") from error

# Importing these is what tells Dask.
from cuprum.dask import (  # noqa: F401
    collections,
    combination,
    constructors,
    divisions,
    functions,
    group_covariances,
    group_rows,
    groups,
    meta,
    mixing,
    reductions,
    running,
    shuffle,
    tables,
    text,
    transport,
    types,
)
from cuprum.dask.backend import CuprumBackendEntrypoint
from cuprum.dask.parquet import read_parquet
from cuprum.dask.readers import read_csv, read_json
from cuprum.dask.workers import in_worker, share_of_cores, use_gpu_of_worker

__all__ = [
    "CuprumBackendEntrypoint",
    "read_csv",
    "read_json",
    "read_parquet",
    "share_of_cores",
    "use_gpu_of_worker",
]

in_worker()
