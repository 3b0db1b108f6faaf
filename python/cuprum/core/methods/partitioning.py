"""Rows distributed to partitions: hash_values, partition_by_hash, scatter_by_map."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, Table, _hashing, _partitioning
from cuprum.core.arguments import check_truth, label_list
from cuprum.core.construction import cast_column, column_from
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.row_hashes import _SEEDED

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import FrameOrSeries, HashMethod, LabelOrLabels

_DIGESTS = {name: getattr(_hashing, name) for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")}


def hash_values(self: FrameOrSeries, method: HashMethod = "murmur3", seed: int | None = None) -> Series:
    """Return the hash of each row.

    Parameters
    ----------
    method : str, default ``'murmur3'``
        ``'murmur3'`` or ``'xxhash32'`` (``uint32``), ``'xxhash64'`` (``uint64``), or a digest as text:
        ``'md5'``, ``'sha1'``, ``'sha224'``, ``'sha256'``, ``'sha384'``, ``'sha512'``.
    seed : int, optional
        Where the hash begins; 0 by default. A digest takes none.

    Returns
    -------
    Series
        Hashes under the row labels. Categories have the hash of their values.

    Raises
    ------
    ValueError
        For an unknown method, and for a digest with a seed.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series(["a"]).hash_values("md5").to_list()
    ['0cc175b9c0f1b6a831c399e269772661']
    >>> cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}).hash_values().dtype
    dtype('uint32')
    """
    handle = self._handle
    columns = [handle.column()] if self.ndim == 1 else handle.columns()
    table = Table([_values(column) for column in columns], len(self))
    if method in _SEEDED:
        hashes = _SEEDED[method](table, 0 if seed is None else seed, None, None)
    elif method not in _DIGESTS:
        known = ", ".join(map(repr, [*_SEEDED, *_DIGESTS]))
        raise ValueError(f"`method` is {method!r}; known are {known}")
    elif seed is not None:
        raise ValueError(f"`seed` is {seed!r}; the digest {method!r} takes none")
    else:
        hashes = _DIGESTS[method](table, None, None)
    return wrap_series(_cuprum.Series(hashes, None, handle.index()))


def partition_by_hash(
    self: DataFrame, columns: LabelOrLabels, nparts: int, keep_index: bool = True
) -> list[DataFrame]:
    """Return frames of the rows whose values in some columns have the same hash.

    Parameters
    ----------
    columns : label or list of labels
        The columns whose values are hashed.
    nparts : int
        The number of frames; a row is in the frame of its hash modulo ``nparts``.
    keep_index : bool, default True
        Keep the row labels; else rows of each frame are labelled 0, 1, ….

    Returns
    -------
    list of DataFrame
        The frames; some may be empty.

    Raises
    ------
    KeyError
        For a column that is not there.
    ValueError
        For an ``nparts`` that is no positive integer.

    Notes
    -----
    Rows with equal values are in one frame, also those of another frame whose columns store them in another
    way (other categories, units or widths).

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]})
    >>> parts = df.partition_by_hash("k", 2)
    >>> sum(len(part) for part in parts), [1, 3] in [part[part.k == "x"].v.to_list() for part in parts]
    (3, True)
    """
    handle = self._handle
    by = [handle.column(label) for label in label_list(columns)]
    keys = Table([key for series in by for key in series.hash_keys()], len(self))
    rows = column_from(range(len(self)), "int64")
    if _is_no_count(nparts):
        raise ValueError(f"`nparts` is {nparts!r}, no positive number")
    moved, offsets = _partitioning.hash_partition(Table([rows]), keys, nparts, False, 0, None, None)
    return self._parts(moved.columns()[0], [*offsets, len(self)][: nparts + 1], keep_index)


def scatter_by_map(
    self: DataFrame,
    map_index: LabelOrLabels,
    map_size: int | None = None,
    keep_index: bool = True,
    debug: bool = False,
) -> list[DataFrame]:
    """Return frames of the rows that are given the same number.

    Parameters
    ----------
    map_index : list-like or label
        The number of the frame of each row, 0 or more; or the label of a column that has them.
    map_size : int, optional
        How many frames there are; by default as many as the largest number asks for.
    keep_index : bool, default True
        Keep the row labels; else rows of each frame are labelled 0, 1, ….
    debug : bool, default False
        Has no effect: numbers are always checked.

    Returns
    -------
    list of DataFrame
        The frames, rows in their order; some may be empty.

    Raises
    ------
    TypeError
        For numbers that are no integers or missing.
    ValueError
        For negative numbers, for another count of numbers than rows, and for a ``map_size`` that is too
        small.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [5, 6, 7]})
    >>> [part.a.to_list() for part in df.scatter_by_map([0, 1, 0])]
    [[5, 7], [6]]
    >>> len(df.scatter_by_map([0, 1, 0], map_size=4))
    4
    """
    check_truth("debug", debug)
    if isinstance(map_index, (str, int)) and not isinstance(map_index, bool):
        numbers = self._handle.column(map_index).column()
    else:
        numbers = column_from(map_index)
    if len(numbers) != len(self):
        raise ValueError(f"`map_index` has {len(numbers)} numbers for {len(self)} rows")
    if not len(numbers):
        numbers = cast_column(numbers, "int32")
    if numbers.dtype.kind not in "iu" or numbers.null_count():
        raise TypeError(
            f"`map_index` is of type {numbers.dtype}: it has to be integers, none of them missing"
        )
    needed = 1 + int(_cuprum.Series(numbers).reduce("max")) if len(numbers) else 0
    size = needed if map_size is None else map_size
    if map_size is not None and (_is_no_count(map_size) or map_size < needed):
        raise ValueError(f"`map_size` is {map_size!r}; `map_index` has numbers up to {needed - 1}")
    if len(numbers) and int(_cuprum.Series(numbers).reduce("min")) < 0:
        raise ValueError("`map_index` has a number below 0")
    if size == 0:
        return []
    rows = column_from(range(len(self)), "int64")
    moved, offsets = _partitioning.partition(Table([rows]), numbers, size, None, None)
    return self._parts(moved.columns()[0], list(offsets), keep_index)


def parts(self: DataFrame, rows: Column, offsets: list[int], keep_index: bool) -> list[DataFrame]:
    """Return ``rows`` of the frame in parts: part ``i`` from ``offsets[i]`` to ``offsets[i + 1]``."""
    handle = self._handle.take(rows)
    if not keep_index:
        handle = handle.drop_index()
    parts = [handle.slice(a, b - a) for a, b in pairwise(offsets)]
    return [wrap_frame(part if keep_index else part.drop_index()) for part in parts]


def _values(column: Column) -> Column:
    """Return the values of categories; other columns as they are."""
    categories = column.categories()
    return column if categories is None else cast_column(column, categories[0].dtype)


def _is_no_count(value: Any) -> bool:
    return isinstance(value, bool) or not hasattr(value, "__index__") or value < 1
