"""The backend that the option ``dataframe.backend`` names: the functions that make collections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dask.dataframe.backends import DataFrameBackendEntrypoint
from dask.dataframe.dask_expr._backends import dataframe_creation_dispatch
from dask.dataframe.dask_expr._expr import ToBackend

import cuprum
from cuprum.dask.collections import to_cuprum_dispatch
from cuprum.dask.meta import KINDS
from cuprum.dask.parquet import read_parquet
from cuprum.dask.readers import read_csv, read_json, read_orc

if TYPE_CHECKING:
    from cuprum.typing import FromDictOrient

__all__ = ["CuprumBackendEntrypoint"]


class _ToCuprum(ToBackend):
    """The same rows as frames of Cuprum."""

    @staticmethod
    def operation(part: Any, options: dict[str, Any]) -> Any:
        return to_cuprum_dispatch(part, **options)

    def _simplify_down(self) -> Any:
        return self.frame if isinstance(self.frame._meta, KINDS) else None


class CuprumBackendEntrypoint(DataFrameBackendEntrypoint):
    """Makes collections whose partitions are frames of Cuprum."""

    @classmethod
    def to_backend_dispatch(cls) -> Any:
        """Return the dispatch that makes frames of ours of partitions."""
        return to_cuprum_dispatch

    @classmethod
    def to_backend(cls, data: Any, **options: Any) -> Any:
        """Return a collection with partitions of ours."""
        from dask.dataframe.dask_expr._collection import new_collection

        if options:
            raise TypeError(f"to_backend('cuprum') does not know the arguments {list(options)}")
        return new_collection(_ToCuprum(data, options))

    @staticmethod
    def from_dict(
        data: dict[Any, Any],
        npartitions: int,
        orient: FromDictOrient = "columns",
        dtype: Any = None,
        columns: Any = None,
        constructor: Any = cuprum.DataFrame,
    ) -> Any:
        """Return a collection of a dict of columns or rows; see `cuprum.DataFrame.from_dict`."""
        from dask.base import is_dask_collection
        from dask.dataframe.dask_expr._collection import from_pandas

        foreign = [type(value).__name__ for value in data.values() if is_dask_collection(value)]
        if foreign:
            raise NotImplementedError(
                f"`data` has collections ({foreign}): from_dict takes values that are here"
            )
        if constructor is not cuprum.DataFrame:
            raise ValueError(f"`constructor` is {constructor!r}; frames of this backend are cuprum.DataFrame")
        return from_pandas(cuprum.DataFrame.from_dict(data, orient, dtype, columns), npartitions)

    @staticmethod
    def read_parquet(*args: Any, **kwargs: Any) -> Any:
        """Return a collection of Parquet files; see `cuprum.dask.read_parquet`."""
        return read_parquet(*args, **kwargs)

    @staticmethod
    def read_csv(*args: Any, **kwargs: Any) -> Any:
        """Return a collection of CSV files; see `cuprum.dask.read_csv`."""
        return read_csv(*args, **kwargs)

    @staticmethod
    def read_json(*args: Any, **kwargs: Any) -> Any:
        """Return a collection of files of JSON lines; see `cuprum.dask.read_json`."""
        return read_json(*args, **kwargs)

    @staticmethod
    def read_orc(*args: Any, **kwargs: Any) -> Any:
        """Return a collection of ORC files; see `cuprum.dask.read_orc`."""
        return read_orc(*args, **kwargs)


dataframe_creation_dispatch.register_backend("cuprum", CuprumBackendEntrypoint())
