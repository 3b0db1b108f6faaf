# ruff: noqa: D102 - the methods are those of series and frames
"""Stand-ins for the rows of groups: `GroupedColumn` for elements, `GroupedFrame` for rows with all columns.

Methods are those of series and frames that go by elements, along the rows of a group, or to a value for each group.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

from cuprum.core import objects
from cuprum.core.construction import column_from
from cuprum.core.functions.grouped_scalar import (
    KINDS,
    NUMBERS,
    GroupedScalar,
    RowSet,
    StandIn,
    Value,
    at_rows,
    check_row_set,
    column_series,
    give_operators,
    is_constant,
    kind_of,
    token,
)
from cuprum.core.functions.trace import NotTraced
from cuprum.core.interop import to_numpy

__all__ = ["GroupedColumn", "GroupedFrame", "Record"]

# The aggregations of which kinds of elements, with the kinds of their results; "=" is that of the elements.
_REDUCTIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "sum": ((*NUMBERS, "bool"), "="),
    "prod": (NUMBERS, "="),
    "mean": ((*NUMBERS, "bool"), "float"),
    "median": (NUMBERS, "float"),
    "min": ((*NUMBERS, "str"), "="),
    "max": ((*NUMBERS, "str"), "="),
    "std": (NUMBERS, "float"),
    "var": (NUMBERS, "float"),
    "sem": (NUMBERS, "float"),
    "skew": (NUMBERS, "float"),
    "kurt": (NUMBERS, "float"),
    "quantile": (NUMBERS, "float"),
    "any": ((*NUMBERS, "bool"), "bool"),
    "all": ((*NUMBERS, "bool"), "bool"),
    "count": ((*NUMBERS, "bool", "str", "other"), "int"),
    "nunique": ((*NUMBERS, "bool", "str"), "int"),
}


class GroupedColumn(Value):
    """A stand-in for elements of the rows of a group."""

    __slots__ = ("_label", "_name", "_row_set")
    _of_rows = True
    _called = "the elements of a group"

    def __init__(self, row_set: RowSet, series: Any, name: Any = None, label: Any = None) -> None:
        self._row_set = row_set
        self._series = series
        self._kind = KINDS.get(str(series.dtype), "other")
        self._name = name
        # The column of the frame that has the elements, in a list; None where they are computed.
        self._label = label
        self._number = row_set._groups.next_number()
        self._check()

    def _check(self) -> None:
        if self._kind == "bool" and self._series._handle.column().null_count():
            raise NotTraced(f"missing elements of type {self._series.dtype}")

    def __bool__(self) -> bool:
        raise NotTraced("the elements of a group as a condition")

    def __neg__(self) -> Any:
        return self._of(NUMBERS, "-", operator.neg)

    def __pos__(self) -> Any:
        return self._of(NUMBERS, "+", operator.pos)

    def __abs__(self) -> Any:
        return self._of(NUMBERS, "abs", operator.abs)

    def __invert__(self) -> Any:
        return self._of(("bool",), "~", operator.invert)

    def __round__(self, digits: Any = None) -> Any:
        return self.round(0 if digits is None else digits)

    def _of(
        self, kinds: tuple[str, ...], what: str, compute: Callable[[Any], Any], *key: Any
    ) -> GroupedColumn:
        """Return what a function of series makes of the elements, if they are of some kinds."""
        if self._kind not in kinds:
            raise NotTraced(f"`{what}` of elements of type {self._series.dtype}")
        return self._row_set._groups.noted(
            (what, self._number, *map(token, key)),
            lambda: GroupedColumn(self._row_set, compute(self._series), self._name),
        )

    def _of_function(self, what: str, compute: Callable[[Any], Any]) -> GroupedColumn:
        """Return the result of a function of numbers."""
        return self._of(NUMBERS, what, compute)

    # Parts.

    def __len__(self) -> int:
        raise NotTraced("len")

    @property
    def size(self) -> GroupedScalar:
        return self._row_set.length()

    @property
    def shape(self) -> tuple[GroupedScalar]:
        return (self._row_set.length(),)

    @property
    def empty(self) -> Any:
        return self._row_set.length() == 0

    @property
    def iloc(self) -> _At:
        return _At(self)

    def _at(self, position: Any) -> GroupedScalar:
        """Return the element at a position of each group."""
        import numpy as np

        if type(position) is not int:
            raise NotTraced("rows by `iloc` other than one")
        row_set, groups = self._row_set, self._row_set._groups
        sizes = row_set.sizes()
        too_few = column_series(column_from(sizes <= position if position >= 0 else sizes < -position))
        groups.guard(too_few, "IndexError: single positional indexer is out-of-bounds")

        def compute() -> GroupedScalar:
            ends = np.cumsum(sizes)
            at = ends + position if position < 0 else ends - sizes + position
            rows = row_set.order()[np.clip(at, 0, max(len(self._series) - 1, 0))]
            found = self._series._handle.take(column_from(rows)).column()
            return GroupedScalar(groups, _with_missing(column_series(found)), is_numpy=self._kind != "str")

        return groups.noted(("iloc", self._number, position), compute)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, GroupedColumn) or key._kind != "bool":
            raise NotTraced("rows by what is no condition")
        if key._row_set is not self._row_set:
            raise NotTraced("a condition of other rows")
        row_set = some_rows(key)
        return row_set._groups.noted(
            ("[]", self._number, key._number),
            lambda: GroupedColumn(row_set, _filtered(self._series, key._series), self._name),
        )

    @property
    def loc(self) -> _Where:
        return _Where(self)

    def dropna(self) -> GroupedColumn:
        return self[self.notna()]

    # Elements by elements.

    def isna(self) -> GroupedColumn:
        return self._of((*NUMBERS, "bool", "str", "other"), "isna", lambda series: series.isna())

    isnull = isna

    def notna(self) -> GroupedColumn:
        return self._of((*NUMBERS, "bool", "str", "other"), "notna", lambda series: series.notna())

    notnull = notna

    def abs(self) -> GroupedColumn:
        return abs(self)

    def round(self, decimals: Any = 0) -> GroupedColumn:
        if type(decimals) is not int:
            raise NotTraced("round with other than a number of digits")
        return self._of(NUMBERS, "round", lambda series: series.round(decimals), decimals)

    def fillna(self, value: Any) -> GroupedColumn:
        self._check_kind("fillna", value, NUMBERS if self._kind in NUMBERS else (self._kind,))
        return self._beside("fillna", lambda series, value: series.fillna(value), value)

    def clip(self, lower: Any = None, upper: Any = None) -> GroupedColumn:
        made = self
        if (
            lower is not None
            and upper is not None
            and not any(isinstance(b, GroupedColumn) for b in (lower, upper))
        ):
            crossed = lower > upper  # which pandas exchanges
            if isinstance(crossed, GroupedScalar):
                crossed._groups.guard(crossed._series, "clip with `lower` above `upper`")
            elif crossed:
                raise NotTraced("clip with `lower` above `upper`")
        for name, bound in (("lower", lower), ("upper", upper)):
            if bound is None:
                continue
            if isinstance(bound, GroupedColumn):
                raise NotTraced("clip between elements")
            self._check_kind("clip", bound, NUMBERS)
            if not isinstance(bound, GroupedScalar) and bound != bound:
                raise NotTraced("clip at NaN")
            if isinstance(bound, GroupedScalar):
                bound._groups.guard(bound._series.isna(), "clip at NaN")
            made = made._beside(
                f"clip {name}", lambda series, bound, name=name: series.clip(**{name: bound}), bound
            )
        return made

    def where(self, cond: Any, other: Any = None) -> GroupedColumn:
        return self._chosen("where", cond, other)

    def mask(self, cond: Any, other: Any = None) -> GroupedColumn:
        return self._chosen("mask", cond, other)

    def _chosen(self, what: str, cond: Any, other: Any) -> GroupedColumn:
        if not isinstance(cond, GroupedColumn) or cond._kind != "bool" or cond._row_set is not self._row_set:
            raise NotTraced(f"{what} with what is no condition of the same rows")
        if self._kind not in NUMBERS:
            raise NotTraced(f"{what} of elements of type {self._series.dtype}")
        if other is None:
            return self._beside(what, lambda series, cond: getattr(series, what)(cond), cond)
        self._check_kind(what, other, NUMBERS)

        def chosen(series: Any, cond: Any, other: Any) -> Any:
            if self._kind == "int" and isinstance(other, objects.Series) and other.dtype.kind == "f":
                other = self._as_integers(what, cond, other)
            return getattr(series, what)(cond, other)

        return self._beside(what, chosen, cond, other)

    def _as_integers(self, what: str, cond: Any, other: Any) -> Any:
        """Return the numbers that take the place of integers as such, where every group that gets some gets no others.

        A group that does is one of floats, and so are all then.
        """
        import numpy as np

        row_set, groups = self._row_set, self._row_set._groups
        flags = to_numpy(cond._handle.column()).astype(bool)
        values = other.to_numpy()
        is_integer = (np.floor(values) == values) & (np.abs(values) < 2.0**63)
        numbers = to_numpy(row_set.numbers._handle.column())
        with_some = np.bincount(numbers[flags != (what == "where")], minlength=groups.count) > 0
        with_others = np.bincount(numbers[~is_integer], minlength=groups.count) > 0
        if not (with_some & with_others).any():
            return column_series(column_from(np.where(is_integer, values, 0).astype("int64")))
        if groups._way is not None:
            raise NotTraced(f"{what} of integers, some groups of which become floats, on a branch")
        return other

    def between(self, left: Any, right: Any, inclusive: str = "both") -> GroupedColumn:
        if inclusive != "both":
            raise NotTraced("between with `inclusive`")
        return (self >= left) & (self <= right)

    def isin(self, values: Any) -> GroupedColumn:
        values = list(values)
        if any(type(value) not in (bool, int, float, str) for value in values):
            raise NotTraced("isin with other than constants")
        kinds = (*NUMBERS, "str")
        return self._of(kinds, "isin", lambda series: series.isin(values), *values)

    def astype(self, dtype: Any) -> GroupedColumn:
        wanted = {"float": "float64", "float64": "float64", "int": "int64", "int64": "int64"}.get(
            dtype if isinstance(dtype, str) else getattr(dtype, "__name__", "")
        )
        if wanted is None:
            raise NotTraced("astype of other than int and float")
        return self._of((*NUMBERS, "bool"), "astype", lambda series: series.astype(wanted), wanted)

    def _check_kind(self, what: str, value: Any, kinds: tuple[str, ...]) -> None:
        if kind_of(value) not in kinds or self._kind not in (*NUMBERS, "bool", "str"):
            raise NotTraced(f"{what} of {self._series.dtype} with a {kind_of(value)}")

    def _beside(self, what: str, compute: Callable[..., Any], *values: Any) -> GroupedColumn:
        """Return the result of a method of series with values of rows, groups or constants."""

        def made() -> GroupedColumn:
            given = [at_rows(self._row_set, value) for value in values]
            return GroupedColumn(self._row_set, compute(self._series, *given), self._name)

        for value in values:
            check_row_set(self._row_set, value)
        return self._row_set._groups.noted((what, self._number, *map(token, values)), made)

    # Along the rows of a group.

    def _along(self, what: str, compute: Callable[[Any], Any], *key: Any) -> GroupedColumn:
        def made() -> GroupedColumn:
            handle = compute(self._row_set.of_each(self._series))
            return GroupedColumn(self._row_set, column_series(handle.column_at(0).column()), self._name)

        if self._kind not in NUMBERS:
            raise NotTraced(f"{what} of elements of type {self._series.dtype}")
        return self._row_set._groups.noted((what, self._number, *key), made)

    def cumsum(self) -> GroupedColumn:
        return self._along("cumsum", lambda groups: groups.cumulative(["v"], "sum"))

    def cumprod(self) -> GroupedColumn:
        return self._along("cumprod", lambda groups: groups.cumulative(["v"], "prod"))

    def cummax(self) -> GroupedColumn:
        return self._along("cummax", lambda groups: groups.cumulative(["v"], "max"))

    def cummin(self) -> GroupedColumn:
        return self._along("cummin", lambda groups: groups.cumulative(["v"], "min"))

    def shift(self, periods: Any = 1) -> GroupedColumn:
        return self._moved("shift", periods)

    def diff(self, periods: Any = 1) -> GroupedColumn:
        return self._moved("diff", periods)

    def _moved(self, what: str, periods: Any) -> GroupedColumn:
        if type(periods) is not int or abs(periods) > 2**40:
            raise NotTraced(f"{what} by other than a number of rows")
        options = (None,) if what == "shift" else ()
        return self._along(what, lambda groups: getattr(groups, what)(["v"], periods, *options), periods)

    def ffill(self) -> GroupedColumn:
        return self._along("ffill", lambda groups: groups.fill_from_neighbours(["v"], True, None))

    def bfill(self) -> GroupedColumn:
        return self._along("bfill", lambda groups: groups.fill_from_neighbours(["v"], False, None))

    def rank(self, method: Any = "average", ascending: Any = True, pct: Any = False) -> GroupedColumn:
        if method not in ("average", "min", "max", "first", "dense"):
            raise NotTraced(f"rank with the method {method!r}")
        if type(ascending) is not bool or type(pct) is not bool:
            raise NotTraced("rank with other than constants")
        return self._along(
            "rank",
            lambda groups: groups.rank(["v"], method, ascending, "keep", pct),
            method, ascending, pct,
        )  # fmt: skip

    # Values of groups.

    def _reduced(self, name: str, parameter: float | None = None) -> GroupedScalar:
        """Return an aggregation."""
        kinds, result = _REDUCTIONS[name]
        if self._kind not in kinds:
            raise NotTraced(f"{name} of elements of type {self._series.dtype}")
        row_set, groups = self._row_set, self._row_set._groups

        def compute() -> GroupedScalar:
            if self._label is not None and self._kind != "bool" and name not in ("skew", "kurt"):
                found = column_series(groups.aggregate(self._label[0], name, parameter))
            else:
                values = self._series
                if self._kind == "bool" and name in ("sum", "mean"):
                    values = values.astype("int64")
                found = row_set._reduced(values, name, parameter)
            found = _with_missing(found)
            kind = KINDS.get(str(found.dtype))
            expected = {"=": "int" if self._kind == "bool" else self._kind}.get(result, result)
            if kind != expected and not (expected == "int" and kind == "float"):
                raise NotTraced(f"{name} of elements of type {self._series.dtype}")
            # Of Python's own types are the numbers of different elements.
            return GroupedScalar(groups, found, is_numpy=name != "nunique")

        return groups.noted((name, self._number, parameter), compute)

    def std(self, ddof: Any = 1) -> GroupedScalar:
        return self._reduced("std", _degrees(ddof))

    def var(self, ddof: Any = 1) -> GroupedScalar:
        return self._reduced("var", _degrees(ddof))

    def sem(self, ddof: Any = 1) -> GroupedScalar:
        return self._reduced("sem", _degrees(ddof))

    def quantile(self, q: Any = 0.5) -> GroupedScalar:
        if type(q) not in (int, float) or not 0 <= q <= 1:
            raise NotTraced("quantile of other than one constant share")
        return self._reduced("quantile", float(q))


def _degrees(ddof: Any) -> float:
    if type(ddof) is not int:
        raise NotTraced("`ddof` that is no constant")
    return float(ddof)


def _reductions() -> None:
    """Give rows the reductions without arguments."""
    plain = ("sum", "prod", "mean", "median", "min", "max", "skew", "kurt", "any", "all", "count", "nunique")
    for name in (*plain, "product", "kurtosis"):
        own = {"product": "prod", "kurtosis": "kurt"}.get(name, name)
        setattr(GroupedColumn, name, lambda self, own=own: self._reduced(own))


_reductions()
give_operators(GroupedColumn, methods=True)
GroupedColumn.div = GroupedColumn.truediv  # type: ignore[attr-defined]


class _At:
    """`iloc` of rows."""

    def __init__(self, rows: GroupedColumn) -> None:
        self._rows = rows

    def __getitem__(self, key: Any) -> GroupedScalar:
        return self._rows._at(key)


class _Where:
    """`loc` of rows by a condition."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2 and isinstance(self._rows, GroupedFrame):
            condition, labels = key
            if isinstance(condition, GroupedColumn):
                return self._rows[condition][labels]
        if isinstance(key, GroupedColumn):
            return self._rows[key]
        raise NotTraced("rows by `loc` other than of a condition")


class GroupedFrame(StandIn):
    """A stand-in for the rows of a group with all columns: ``columns`` are functions that give one."""

    __slots__ = ("_columns", "_row_set")
    _called = "the rows of a group"

    def __init__(self, row_set: RowSet, columns: Mapping[Any, Callable[[], GroupedColumn]]) -> None:
        self._row_set = row_set
        self._columns = columns

    def __bool__(self) -> bool:
        raise NotTraced("the rows of a group as a condition")

    def __len__(self) -> int:
        raise NotTraced("len")

    def __getattr__(self, name: str) -> Any:
        if name in self._columns and not hasattr(objects.DataFrame, name):
            return self._columns[name]()
        raise NotTraced(f"the attribute `{name}` of the rows of a group")

    @property
    def shape(self) -> tuple[GroupedScalar, int]:
        return self._row_set.length(), len(self._columns)

    @property
    def empty(self) -> Any:
        return self._row_set.length() == 0 if self._columns else True

    @property
    def loc(self) -> _Where:
        return _Where(self)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, GroupedColumn):
            if key._kind != "bool" or key._row_set is not self._row_set:
                raise NotTraced("rows by what is no condition of the same rows")
            row_set = some_rows(key)
            return GroupedFrame(
                row_set,
                {label: functools.partial(_chosen_rows, one, key) for label, one in self._columns.items()},
            )
        if isinstance(key, list):
            if any(type(label) is not str or label not in self._columns for label in key):
                raise NotTraced("columns that are not there, or not called by texts")
            return GroupedFrame(self._row_set, {label: self._columns[label] for label in key})
        if type(key) is not str or key not in self._columns:
            raise NotTraced("a column that is not there, or not called by a text")
        return self._columns[key]()

    def assign(self, **columns: Any) -> GroupedFrame:
        made = dict(self._columns)
        for label, value in columns.items():
            if is_constant(value) and not callable(value):
                value = GroupedScalar(self._row_set._groups, self._row_set._groups.constant(value))
            if isinstance(value, GroupedScalar):
                value = GroupedColumn(self._row_set, self._row_set.spread(value))
            if not isinstance(value, GroupedColumn) or value._row_set is not self._row_set:
                raise NotTraced("assign of other than elements of the same rows")
            made[label] = lambda value=value: value
        return GroupedFrame(self._row_set, made)


class Record(StandIn):
    """A series that a function makes of a dict of values: a row of results."""

    __slots__ = ("_kind", "_values")
    _called = "a Series"

    def __init__(self, values: Any = None, **options: Any) -> None:
        if not isinstance(values, dict) or not values or options:
            raise NotTraced("a Series of other than a dict of values")
        if any(type(label) is not str for label in values):
            raise NotTraced("a Series with labels that are no texts")
        kinds = {kind_of(value) for value in values.values()}
        if any(isinstance(value, GroupedColumn) for value in values.values()):
            raise NotTraced("a Series of elements of a group")
        if len(kinds) > 1 and not kinds <= {*NUMBERS}:
            raise NotTraced(f"a Series of values of different types ({' and '.join(sorted(kinds))})")
        self._kind = "float" if len(kinds) > 1 else kinds.pop()
        self._values = values


def _filtered(series: Any, condition: Any) -> Any:
    return column_series(series._handle.filter(condition._handle.column()).column())


def some_rows(condition: GroupedColumn) -> RowSet:
    """Return the rows for which a condition holds."""
    import numpy as np

    row_set = condition._row_set

    def compute() -> RowSet:
        kept = np.flatnonzero(to_numpy(condition._series._handle.column()).astype(bool))
        rows = kept if row_set.rows is None else row_set.rows[kept]
        return RowSet(row_set._groups, _filtered(row_set.numbers, condition._series), rows)

    return row_set._groups.noted(("rows", condition._number), compute)


def _with_missing(values: Any) -> Any:
    """Return values of groups, of which integers that are missing are NaN, as in a list of results."""
    is_integer = str(values.dtype) == "int64" and values._handle.column().null_count() > 0
    return values.astype("float64") if is_integer else values


def _chosen_rows(one: Callable[[], GroupedColumn], condition: GroupedColumn) -> Any:
    return one()[condition]
