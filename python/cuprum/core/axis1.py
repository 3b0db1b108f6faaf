"""Functions of rows: the elements of all columns one below the other, grouped by the row they are of."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import reduce
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.objects import wrap_frame, wrap_series

__all__ = [
    "codes_in_order",
    "mode_of_rows",
    "nunique_of_rows",
    "quantile_of_rows",
    "rank_in_rows",
    "reduced_unlike_rows",
]


class _Rows:
    """The elements of a frame, column after column, and the number of the row of each."""

    def __init__(self, frame: Any) -> None:
        import numpy as np

        handle = frame._handle
        self.frame, (self.length, self.count) = frame, handle.shape()
        if self.count:
            self.elements = wrap_series(_cuprum.concat_series(_alike(handle), True))
        else:
            self.elements = objects.Series([], dtype="float64")
        self.rows = np.tile(np.arange(self.length), self.count)

    def groups(self, dropna: bool = True) -> Any:
        return self.elements.groupby(self.rows, dropna=dropna)

    def labelled(self, results: Any) -> Any:
        """Return results by the numbers of rows as a series with the labels of the rows."""
        column = results.reindex(range(self.length))._handle.column()
        return wrap_series(_cuprum.Series(column, None, self.frame._handle.index()))


def _alike(handle: Any) -> list[Any]:
    """Return the columns of a frame; truth values among numbers are 1 and 0."""
    columns = [handle.column_at(i) for i in range(handle.num_columns())]
    kinds = {column.dtype().kind for column in columns}
    if "b" in kinds and kinds <= set("biuf") and len(kinds) > 1:
        return [column.astype("uint8") if column.dtype().kind == "b" else column for column in columns]
    return columns


def reduced_unlike_rows(frame: Any, name: str, skipna: bool) -> Any:
    """Return the reduction of the rows of a frame of texts, categories or unlike types, or None where there is none."""
    columns = [column for _, column in frame.items()]
    if name in ("any", "all"):
        alike = _all_or_none(frame, map(_truths, columns))
    elif name == "nunique":
        alike = _numbered(frame)
    elif name == "sum":
        return _sum_of_texts(columns, skipna)
    else:
        alike = codes_in_order(frame) if name in ("min", "max") else None
    if alike is None:
        return None
    made = wrap_series(alike._handle.reduce(name, None, True, skipna))
    if name not in ("min", "max"):
        return made
    dtype = columns[0].dtype
    categories = objects.Series(dtype.categories)._handle
    column = categories.take(made._handle.column()).column()
    return wrap_series(_cuprum.Series(column, None, made._handle.index())).astype(dtype)


def codes_in_order(frame: Any) -> Any:
    """Return the elements of a frame as numbers in their order, if all columns have the same ordered categories."""
    dtypes = {column.dtype for _, column in frame.items()}
    if len(dtypes) != 1 or not getattr(dtypes.pop(), "ordered", False):
        return None
    codes = (column.cat.codes.astype("int64") for _, column in frame.items())
    return _all_or_none(frame, (code.where(code >= 0) for code in codes))


def _all_or_none(frame: Any, columns: Iterable[Any]) -> Any:
    """Return series under the labels of a frame, if none of them is None."""
    made = list(columns)
    if any(column is None for column in made):
        return None
    return wrap_frame(frame._handle.with_columns([column._handle.column() for column in made]))


def _plain(series: Any) -> Any:
    """Return a series whose elements are no categories."""
    known = series._handle.column().categories()
    return series if known is None else series.astype(known[0].dtype)


def _truths(series: Any) -> Any:
    """Return whether the elements of a series are true, missing ones missing; None for times alone."""
    plain = _plain(series)
    kind = plain.dtype.kind
    if kind in "biuf":
        return plain
    if plain.dtype == "str":
        return (plain != "").where(plain.notna())
    return plain != plain.dtype.type(0, "ns") if kind == "m" else None


def _numbered(frame: Any) -> Any:
    """Return the elements of a frame as numbers, which are the same where elements are; None for objects."""
    alike: dict[str, list[int]] = {}
    plain = [_plain(column) for _, column in frame.items()]
    for at, column in enumerate(plain):
        if column.dtype.is_object:
            return None
        kind = column.dtype.kind
        alike.setdefault("number" if kind in "biuf" else kind + str(column.dtype), []).append(at)
    made: list[Any] = [None] * len(plain)
    first = 0
    for places in alike.values():
        parts = objects.DataFrame({at: plain[at] for at in places})
        every = wrap_series(_cuprum.concat_series(_alike(parts._handle), True))
        codes, different = every.factorize()
        codes = objects.Series(codes) + first
        codes = codes.where(codes >= first)
        first += len(different)
        for number, at in enumerate(places):
            made[at] = codes.iloc[number * len(frame) : (number + 1) * len(frame)]
    return _all_or_none(frame, made)


def _sum_of_texts(columns: list[Any], skipna: bool) -> Any:
    """Return the texts of every row one behind the other, missing ones left out; None where not all are texts."""
    plain = [_plain(column) for column in columns]
    # Categories of one dtype stay such in pandas, and have no sum.
    are_categories = columns[0].dtype != "str" and len({column.dtype for column in columns}) == 1
    if are_categories or any(column.dtype != "str" for column in plain):
        return None
    texts = [column.fillna("") if skipna else column for column in plain]
    return reduce(operator.add, texts).rename(None)


def rank_in_rows(frame: Any, method: str, na_option: str, ascending: bool, pct: bool) -> Any:
    """Return the place of every element in the order of its row; see `DataFrame.rank`."""
    handle = frame._handle
    if not all(handle.shape()):
        return frame.astype("float64")
    if all(dtype.kind in "biufmM" for dtype in handle.dtypes()):
        columns = [column.column() for column in _alike(handle)]
        return frame._wrap(handle.with_columns(columns).rank_rows(method, ascending, na_option, pct))
    rows = _Rows(frame)
    ranks = rows.groups().rank(method=method, ascending=ascending, na_option=na_option, pct=pct)._handle
    columns = [ranks.slice(i * rows.length, rows.length).column() for i in range(rows.count)]
    return frame._around(frame._handle.with_columns(columns))


def nunique_of_rows(frame: Any, dropna: bool) -> Any:
    """Return how many different elements every row has."""
    try:
        rows = _Rows(frame)
    except TypeError:
        if (numbers := _numbered(frame)) is None:
            raise
        rows = _Rows(numbers)
    if not rows.count:
        return rows.labelled(objects.Series([0] * rows.length, dtype="int64"))
    return rows.labelled(rows.groups().nunique(dropna=dropna))


def quantile_of_rows(frame: Any, shares: list[float], interpolation: str) -> list[Any]:
    """Return for each of some shares the values below which it lies in the rows."""
    rows = _Rows(frame)
    if not rows.count:
        empty = objects.Series([float("nan")] * rows.length, dtype="float64")
        return [rows.labelled(empty) for _ in shares]
    if (numbers := _matrix(frame)) is not None:
        found = _sorted_quantiles(numbers, shares, interpolation)
        return [rows.labelled(objects.Series(column)) for column in found]
    groups = rows.groups()
    return [rows.labelled(groups.quantile(share, interpolation)) for share in shares]


def _matrix(frame: Any) -> Any:
    """Return the numbers of a frame as an array, or None where one would not have all of them."""
    handle = frame._handle
    kinds = {dtype.kind for dtype in handle.dtypes()}
    if not kinds <= set("iuf") or (kinds != {"f"} and frame.isna().any(axis=None)):
        return None
    numbers = frame.to_numpy()
    return numbers if numbers.dtype.kind in "iuf" else None


def _sorted_quantiles(numbers: Any, shares: list[float], interpolation: str) -> list[Any]:
    """Return the quantiles of the rows of an array; NaN is left out."""
    import numpy as np

    ways = ("linear", "lower", "higher", "midpoint", "nearest")
    if interpolation not in ways:
        raise ValueError(f"`interpolation` is {interpolation!r}; known are {', '.join(map(repr, ways))}")
    numbers = np.sort(numbers, axis=1)
    every = np.arange(len(numbers))
    last = numbers.shape[1] - 1 - (np.isnan(numbers).sum(axis=1) if numbers.dtype.kind == "f" else 0)
    made = []
    for share in shares:
        if not 0 <= share <= 1:
            raise ValueError("percentiles should all be in the interval [0, 1]")
        at = share * np.broadcast_to(np.maximum(last, 0), len(numbers))
        below = np.floor(at).astype("int64")
        lower, higher = numbers[every, below], numbers[every, np.ceil(at).astype("int64")]
        if interpolation == "lower":
            made.append(lower)
        elif interpolation == "higher":
            made.append(higher)
        elif interpolation == "nearest":
            made.append(numbers[every, np.round(at).astype("int64")])
        else:
            part = 0.5 * (np.ceil(at) != at) if interpolation == "midpoint" else at - below
            made.append(np.where(part == 0, lower, lower + (higher.astype("float64") - lower) * part))
    return made


def mode_of_rows(frame: Any, dropna: bool) -> Any:
    """Return the most frequent elements of every row, in order, under the labels 0, 1, …."""
    import numpy as np

    rows = _Rows(frame)
    pairs = objects.DataFrame({"row": rows.rows, "element": rows.elements})
    counts = pairs.groupby(["row", "element"], dropna=dropna).size().reset_index(name="count")
    most = counts.groupby("row")["count"].transform("max")
    found = counts[counts["count"] == most].reset_index(drop=True)
    at = found.groupby("row").cumcount().to_numpy()
    row = found["row"].to_numpy()
    width = int(at.max()) + 1 if len(at) else 0
    elements = found["element"]
    columns = []
    for place in range(width):
        chosen = np.flatnonzero(at == place)
        where = np.full(rows.length, -1, dtype="int64")
        where[row[chosen]] = chosen
        columns.append(_taken(elements, where))
    handle = _cuprum.DataFrame(list(range(width)), columns, frame._handle.index())
    return wrap_frame(handle)


def _taken(series: Any, positions: Any) -> Column:
    """Return elements at some positions, missing for -1."""
    there = _cuprum.Series(Column.from_numpy(positions >= 0))
    rows = _cuprum.Series(Column.from_numpy(positions)).where(there, None, False).column()
    return series._handle.take(rows).column()
