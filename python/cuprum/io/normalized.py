"""Dicts inside of dicts as the columns of a frame: `json_normalize`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum.core import objects
from cuprum.core.interop import is_pandas
from cuprum.core.missing import is_missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import ErrorsIgnored

__all__ = ["json_normalize"]


def json_normalize(
    data: Mapping[str, Any] | Iterable[Mapping[str, Any]] | Series,
    record_path: str | Sequence[str] | None = None,
    meta: str | Sequence[str | Sequence[str]] | None = None,
    meta_prefix: str | None = None,
    record_prefix: str | None = None,
    errors: ErrorsIgnored = "raise",
    sep: str = ".",
    max_level: int | None = None,
) -> DataFrame:
    """Return a DataFrame of dicts, with a column for each path through those inside of them.

    Parameters
    ----------
    data : dict, or list or Series of dicts
        The dicts; the rows of a Series keep their labels.
    record_path : str or list of str, optional
        The path to lists of records, a row for each; by default each dict is a record.
    meta : str or list of paths, optional
        Paths to what stands in the rows of its records too.
    meta_prefix : str, optional
        What stands before the labels of ``meta``.
    record_prefix : str, optional
        What stands before the labels of records.
    errors : {``'raise'``, ``'ignore'``}, default ``'raise'``
        What happens where ``meta`` is absent: a ``KeyError``, or a missing value.
    sep : str, default ``'.'``
        What stands between the parts of a path in labels.
    max_level : int, optional
        How deep dicts are taken apart; by default all the way down.

    Returns
    -------
    DataFrame
        One row for each record, missing values where one does not have a path.

    Raises
    ------
    KeyError
        Where ``record_path`` or, with ``errors='raise'``, ``meta`` is absent.
    TypeError
        Where an element is no dict.
    ValueError
        Where a label of ``meta`` is one of the records too.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.json_normalize([{"id": 1, "name": {"first": "Ada"}}, {"id": 2}])
       id name.first
    0   1        Ada
    1   2        NaN
    >>> data = [{"id": 1, "parts": [{"x": 10}, {"x": 20}]}, {"id": 2, "parts": []}]
    >>> cuprum.json_normalize(data, record_path="parts", meta="id")
        x  id
    0  10   1
    1  20   1
    """
    index = None
    if isinstance(data, objects.Series) or is_pandas(data, "Series"):
        series: Any = data
        index, data = series.index, series.to_list()
    given = _records(data)
    if record_path is None:
        made = _with_prefix(_frame_of(given, sep, max_level), record_prefix)
        return made if index is None else made.set_axis(index)
    path = list(record_path) if isinstance(record_path, list) else [record_path]
    paths = [one if isinstance(one, list) else [one] for one in _listed(meta)]
    found = _Found(paths, errors)
    found.look_through(given, path, [None] * len(paths))
    made = _with_prefix(_frame_of(found.records, sep, max_level), record_prefix)
    for place, one in enumerate(paths):
        label = f"{meta_prefix or ''}{sep.join(one)}"
        if label in made.columns:
            raise ValueError(f"Conflicting metadata name {label}, need distinguishing prefix ")
        values = [
            values[place]
            for values, count in zip(found.beside, found.counts, strict=True)
            for _ in range(count)
        ]
        made[label] = objects.Series(values, index=made.index)
    if index is not None:
        made.index = index.repeat(found.counts)
    return made


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _records(data: Any) -> list[dict[Any, Any]]:
    """Return dicts, empty ones for what is missing."""
    if isinstance(data, dict):
        return [data]
    if isinstance(data, str) or not hasattr(data, "__iter__"):
        raise NotImplementedError(f"json_normalize takes dicts, not a {type(data).__name__}")
    records = []
    for one in data:
        if not isinstance(one, dict) and not is_missing(one):
            raise TypeError(f"All items in data must be of type dict or NA-like, found {type(one).__name__}")
        records.append(one if isinstance(one, dict) else {})
    return records


def _with_prefix(frame: DataFrame, prefix: str | None) -> DataFrame:
    return frame if prefix is None else frame.rename(columns=lambda label: f"{prefix}{label}")


class _Level:
    """The keys of dicts at the end of a path: the columns of their values, and the keys of the dicts among these."""

    __slots__ = ("below", "columns", "prefix")

    def __init__(self, prefix: str, columns: dict[Any, list[Any]]) -> None:
        self.prefix = prefix
        self.columns = columns
        self.below: dict[Any, _Level] = {}


def _frame_of(records: list[Any], sep: str, max_level: int | None) -> DataFrame:
    """Return the frame of records, whose dicts are taken apart down to a level."""
    columns: dict[Any, list[Any]] = {}

    def put(column: list[Any], row: int, value: Any) -> None:
        missing = row - len(column)
        if missing < 0:  # another path has the same name
            column[row] = value
            return
        if missing:
            column.extend([None] * missing)
        column.append(value)

    def look_into(record: dict[Any, Any], level: _Level, row: int, levels: int) -> None:
        for key, value in record.items():
            if levels and isinstance(value, dict):
                below = level.below.get(key)
                if below is None:
                    below = level.below[key] = _Level(f"{level.prefix}{key}{sep}", {})
                look_into(value, below, row, levels - 1)
                continue
            column = level.columns.get(key)
            if column is None:
                column = level.columns[key] = columns.setdefault(f"{level.prefix}{key}", [])
            put(column, row, value)

    levels = -1 if max_level is None else max_level
    top = _Level("", {})
    for row, record in enumerate(records):
        nested = {}
        for key, value in record.items() if isinstance(record, dict) else [(0, record)]:
            if levels and isinstance(value, dict):
                nested[key] = value  # behind the others, as in pandas
            else:
                put(columns.setdefault(key, []), row, value)
        if nested:
            look_into(nested, top, row, levels)
    for column in columns.values():
        column.extend([None] * (len(records) - len(column)))
    return objects.DataFrame(columns, index=range(len(records)))


class _Found:
    """Records at the end of a path, how many each list has, and what stands beside it."""

    def __init__(self, paths: list[list[Any]], errors: str) -> None:
        self._paths = paths
        self._ignores = errors == "ignore"
        self.records: list[Any] = []
        self.counts: list[int] = []
        self.beside: list[list[Any]] = []

    def look_through(self, data: Any, path: list[Any], seen: list[Any], level: int = 0) -> None:
        """Add the records of dicts; ``seen`` is what the dicts around them have for the paths that end there."""
        for one in [data] if isinstance(data, dict) else data:
            if len(path) > 1:
                seen = [
                    self._value(one, paths[-1:]) if level + 1 == len(paths) else value
                    for paths, value in zip(self._paths, seen, strict=True)
                ]
                self.look_through(one[path[0]], path[1:], seen, level + 1)
                continue
            records = _list_of(one, path[0])
            self.records += records
            self.counts.append(len(records))
            self.beside.append(
                [
                    value if level >= len(paths) else self._value(one, paths[level:])
                    for paths, value in zip(self._paths, seen, strict=True)
                ]
            )

    def _value(self, record: Any, path: list[Any]) -> Any:
        """Return what stands at the end of a path, NaN where that is to be ignored."""
        for key in path:
            try:
                if record is None:
                    raise KeyError(key)
                record = record[key]
            except KeyError as error:
                if self._ignores:
                    return float("nan")
                raise KeyError(
                    f"Key {error} not found. To replace missing values of {error} with np.nan, pass in errors='ignore'"
                ) from error
        return record


def _list_of(record: Any, key: Any) -> list[Any]:
    """Return the list that a dict has under a key, an empty one where it is missing."""
    try:
        found = record[key]
    except KeyError as error:
        raise KeyError(
            f"Key {error} not found. If specifying a record_path, all elements of data should have the path."
        ) from error
    if isinstance(found, list):
        return found
    if is_missing(found):
        return []
    raise TypeError(f"Path must contain list or null, but got {type(found).__name__} at {key!r}")
