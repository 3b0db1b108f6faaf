# ruff: noqa: D102 - the methods are those of series and frames
"""Stand-ins for the rows of groups: `Many` for elements, `Table` for rows with all columns.

Methods are those of series and frames that go by elements, along the rows of a group, or to a value for each group.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

from cuprum.core import objects
from cuprum.core.construction import column_from
from cuprum.core.functions.groups import (
    KINDS,
    NUMBERS,
    One,
    Place,
    StandIn,
    Value,
    at_rows,
    check_place,
    column_series,
    give_operators,
    is_constant,
    kind_of,
    token,
)
from cuprum.core.functions.trace import NotTraced
from cuprum.core.interop import to_numpy

__all__ = ["Many", "Record", "Table"]

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


class Many(Value):
    """A stand-in for elements of the rows of a group."""

    __slots__ = ("_label", "_name", "_place")
    _of_rows = True
    _called = "the elements of a group"

    def __init__(self, place: Place, series: Any, name: Any = None, label: Any = None) -> None:
        self._place = place
        self._series = series
        self._kind = KINDS.get(str(series.dtype), "other")
        self._name = name
        # The column of the frame that has the elements, in a list; None where they are computed.
        self._label = label
        self._number = place._groups.next_number()
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

    def _of(self, kinds: tuple[str, ...], what: str, compute: Callable[[Any], Any], *key: Any) -> Many:
        """Return what a function of series makes of the elements, if they are of some kinds."""
        if self._kind not in kinds:
            raise NotTraced(f"`{what}` of elements of type {self._series.dtype}")
        return self._place._groups.noted(
            (what, self._number, *map(token, key)),
            lambda: Many(self._place, compute(self._series), self._name),
        )

    def _of_function(self, what: str, compute: Callable[[Any], Any]) -> Many:
        """Return what a function of numbers gives."""
        return self._of(NUMBERS, what, compute)

    # Parts.

    def __len__(self) -> int:
        raise NotTraced("len")

    @property
    def size(self) -> One:
        return self._place.length()

    @property
    def shape(self) -> tuple[One]:
        return (self._place.length(),)

    @property
    def empty(self) -> Any:
        return self._place.length() == 0

    @property
    def iloc(self) -> _At:
        return _At(self)

    def _at(self, position: Any) -> One:
        """Return the element at a position of each group."""
        import numpy as np

        if type(position) is not int:
            raise NotTraced("rows by `iloc` other than one")
        place, groups = self._place, self._place._groups
        sizes = place.sizes()
        too_few = column_series(column_from(sizes <= position if position >= 0 else sizes < -position))
        groups.guard(too_few, "IndexError: single positional indexer is out-of-bounds")

        def compute() -> One:
            ends = np.cumsum(sizes)
            at = ends + position if position < 0 else ends - sizes + position
            rows = place.order()[np.clip(at, 0, max(len(self._series) - 1, 0))]
            found = self._series._handle.take(column_from(rows)).column()
            return One(groups, _with_missing(column_series(found)), is_numpy=self._kind != "str")

        return groups.noted(("iloc", self._number, position), compute)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, Many) or key._kind != "bool":
            raise NotTraced("rows by what is no condition")
        if key._place is not self._place:
            raise NotTraced("a condition of other rows")
        place = some_rows(key)
        return place._groups.noted(
            ("[]", self._number, key._number),
            lambda: Many(place, _filtered(self._series, key._series), self._name),
        )

    @property
    def loc(self) -> _Where:
        return _Where(self)

    def dropna(self) -> Many:
        return self[self.notna()]

    # Elements by elements.

    def isna(self) -> Many:
        return self._of((*NUMBERS, "bool", "str", "other"), "isna", lambda series: series.isna())

    isnull = isna

    def notna(self) -> Many:
        return self._of((*NUMBERS, "bool", "str", "other"), "notna", lambda series: series.notna())

    notnull = notna

    def abs(self) -> Many:
        return abs(self)

    def round(self, decimals: Any = 0) -> Many:
        if type(decimals) is not int:
            raise NotTraced("round with other than a number of digits")
        return self._of(NUMBERS, "round", lambda series: series.round(decimals), decimals)

    def fillna(self, value: Any) -> Many:
        self._check_kind("fillna", value, NUMBERS if self._kind in NUMBERS else (self._kind,))
        return self._beside("fillna", lambda series, value: series.fillna(value), value)

    def clip(self, lower: Any = None, upper: Any = None) -> Many:
        made = self
        if lower is not None and upper is not None and not any(isinstance(b, Many) for b in (lower, upper)):
            crossed = lower > upper  # which pandas exchanges
            if isinstance(crossed, One):
                crossed._groups.guard(crossed._series, "clip with `lower` above `upper`")
            elif crossed:
                raise NotTraced("clip with `lower` above `upper`")
        for name, bound in (("lower", lower), ("upper", upper)):
            if bound is None:
                continue
            if isinstance(bound, Many):
                raise NotTraced("clip between elements")
            self._check_kind("clip", bound, NUMBERS)
            if not isinstance(bound, One) and bound != bound:
                raise NotTraced("clip at NaN")
            if isinstance(bound, One):
                bound._groups.guard(bound._series.isna(), "clip at NaN")
            made = made._beside(
                f"clip {name}", lambda series, bound, name=name: series.clip(**{name: bound}), bound
            )
        return made

    def where(self, cond: Any, other: Any = None) -> Many:
        return self._chosen("where", cond, other)

    def mask(self, cond: Any, other: Any = None) -> Many:
        return self._chosen("mask", cond, other)

    def _chosen(self, what: str, cond: Any, other: Any) -> Many:
        if not isinstance(cond, Many) or cond._kind != "bool" or cond._place is not self._place:
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

        place, groups = self._place, self._place._groups
        flags = to_numpy(cond._handle.column()).astype(bool)
        values = other.to_numpy()
        is_integer = (np.floor(values) == values) & (np.abs(values) < 2.0**63)
        numbers = to_numpy(place.numbers._handle.column())
        with_some = np.bincount(numbers[flags != (what == "where")], minlength=groups.count) > 0
        with_others = np.bincount(numbers[~is_integer], minlength=groups.count) > 0
        if not (with_some & with_others).any():
            return column_series(column_from(np.where(is_integer, values, 0).astype("int64")))
        if groups._way is not None:
            raise NotTraced(f"{what} of integers, some groups of which become floats, on a branch")
        return other

    def between(self, left: Any, right: Any, inclusive: str = "both") -> Many:
        if inclusive != "both":
            raise NotTraced("between with `inclusive`")
        return (self >= left) & (self <= right)

    def isin(self, values: Any) -> Many:
        values = list(values)
        if any(type(value) not in (bool, int, float, str) for value in values):
            raise NotTraced("isin with other than constants")
        kinds = (*NUMBERS, "str")
        return self._of(kinds, "isin", lambda series: series.isin(values), *values)

    def astype(self, dtype: Any) -> Many:
        wanted = {"float": "float64", "float64": "float64", "int": "int64", "int64": "int64"}.get(
            dtype if isinstance(dtype, str) else getattr(dtype, "__name__", "")
        )
        if wanted is None:
            raise NotTraced("astype of other than int and float")
        return self._of((*NUMBERS, "bool"), "astype", lambda series: series.astype(wanted), wanted)

    def _check_kind(self, what: str, value: Any, kinds: tuple[str, ...]) -> None:
        if kind_of(value) not in kinds or self._kind not in (*NUMBERS, "bool", "str"):
            raise NotTraced(f"{what} of {self._series.dtype} with a {kind_of(value)}")

    def _beside(self, what: str, compute: Callable[..., Any], *values: Any) -> Many:
        """Return what a method of series gives with values of rows, groups or constants."""

        def made() -> Many:
            given = [at_rows(self._place, value) for value in values]
            return Many(self._place, compute(self._series, *given), self._name)

        for value in values:
            check_place(self._place, value)
        return self._place._groups.noted((what, self._number, *map(token, values)), made)

    # Along the rows of a group.

    def _along(self, what: str, compute: Callable[[Any], Any], *key: Any) -> Many:
        def made() -> Many:
            handle = compute(self._place.of_each(self._series))
            return Many(self._place, column_series(handle.column_at(0).column()), self._name)

        if self._kind not in NUMBERS:
            raise NotTraced(f"{what} of elements of type {self._series.dtype}")
        return self._place._groups.noted((what, self._number, *key), made)

    def cumsum(self) -> Many:
        return self._along("cumsum", lambda groups: groups.cumulative(["v"], "sum"))

    def cumprod(self) -> Many:
        return self._along("cumprod", lambda groups: groups.cumulative(["v"], "prod"))

    def cummax(self) -> Many:
        return self._along("cummax", lambda groups: groups.cumulative(["v"], "max"))

    def cummin(self) -> Many:
        return self._along("cummin", lambda groups: groups.cumulative(["v"], "min"))

    def shift(self, periods: Any = 1) -> Many:
        return self._moved("shift", periods)

    def diff(self, periods: Any = 1) -> Many:
        return self._moved("diff", periods)

    def _moved(self, what: str, periods: Any) -> Many:
        if type(periods) is not int or abs(periods) > 2**40:
            raise NotTraced(f"{what} by other than a number of rows")
        options = (None,) if what == "shift" else ()
        return self._along(what, lambda groups: getattr(groups, what)(["v"], periods, *options), periods)

    def ffill(self) -> Many:
        return self._along("ffill", lambda groups: groups.fill_from_neighbours(["v"], True, None))

    def bfill(self) -> Many:
        return self._along("bfill", lambda groups: groups.fill_from_neighbours(["v"], False, None))

    def rank(self, method: Any = "average", ascending: Any = True, pct: Any = False) -> Many:
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

    def _reduced(self, name: str, parameter: float | None = None) -> One:
        """Return an aggregation."""
        kinds, result = _REDUCTIONS[name]
        if self._kind not in kinds:
            raise NotTraced(f"{name} of elements of type {self._series.dtype}")
        place, groups = self._place, self._place._groups

        def compute() -> One:
            if self._label is not None and self._kind != "bool" and name not in ("skew", "kurt"):
                found = column_series(groups.aggregate(self._label[0], name, parameter))
            else:
                values = self._series
                if self._kind == "bool" and name in ("sum", "mean"):
                    values = values.astype("int64")
                found = place._reduced(values, name, parameter)
            found = _with_missing(found)
            kind = KINDS.get(str(found.dtype))
            expected = {"=": "int" if self._kind == "bool" else self._kind}.get(result, result)
            if kind != expected and not (expected == "int" and kind == "float"):
                raise NotTraced(f"{name} of elements of type {self._series.dtype}")
            # Of Python's own types are the numbers of different elements.
            return One(groups, found, is_numpy=name != "nunique")

        return groups.noted((name, self._number, parameter), compute)

    def std(self, ddof: Any = 1) -> One:
        return self._reduced("std", _degrees(ddof))

    def var(self, ddof: Any = 1) -> One:
        return self._reduced("var", _degrees(ddof))

    def sem(self, ddof: Any = 1) -> One:
        return self._reduced("sem", _degrees(ddof))

    def quantile(self, q: Any = 0.5) -> One:
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
        setattr(Many, name, lambda self, own=own: self._reduced(own))


_reductions()
give_operators(Many, methods=True)
Many.div = Many.truediv  # type: ignore[attr-defined]


class _At:
    """`iloc` of rows."""

    def __init__(self, rows: Many) -> None:
        self._rows = rows

    def __getitem__(self, key: Any) -> One:
        return self._rows._at(key)


class _Where:
    """`loc` of rows by a condition."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2 and isinstance(self._rows, Table):
            condition, labels = key
            if isinstance(condition, Many):
                return self._rows[condition][labels]
        if isinstance(key, Many):
            return self._rows[key]
        raise NotTraced("rows by `loc` other than of a condition")


class Table(StandIn):
    """A stand-in for the rows of a group with all columns: ``columns`` are functions that give one."""

    __slots__ = ("_columns", "_place")
    _called = "the rows of a group"

    def __init__(self, place: Place, columns: Mapping[Any, Callable[[], Many]]) -> None:
        self._place = place
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
    def shape(self) -> tuple[One, int]:
        return self._place.length(), len(self._columns)

    @property
    def empty(self) -> Any:
        return self._place.length() == 0 if self._columns else True

    @property
    def loc(self) -> _Where:
        return _Where(self)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, Many):
            if key._kind != "bool" or key._place is not self._place:
                raise NotTraced("rows by what is no condition of the same rows")
            place = some_rows(key)
            return Table(
                place,
                {label: functools.partial(_chosen_rows, one, key) for label, one in self._columns.items()},
            )
        if isinstance(key, list):
            if any(type(label) is not str or label not in self._columns for label in key):
                raise NotTraced("columns that are not there, or not called by texts")
            return Table(self._place, {label: self._columns[label] for label in key})
        if type(key) is not str or key not in self._columns:
            raise NotTraced("a column that is not there, or not called by a text")
        return self._columns[key]()

    def assign(self, **columns: Any) -> Table:
        made = dict(self._columns)
        for label, value in columns.items():
            if is_constant(value) and not callable(value):
                value = One(self._place._groups, self._place._groups.constant(value))
            if isinstance(value, One):
                value = Many(self._place, self._place.spread(value))
            if not isinstance(value, Many) or value._place is not self._place:
                raise NotTraced("assign of other than elements of the same rows")
            made[label] = lambda value=value: value
        return Table(self._place, made)


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
        if any(isinstance(value, Many) for value in values.values()):
            raise NotTraced("a Series of elements of a group")
        if len(kinds) > 1 and not kinds <= {*NUMBERS}:
            raise NotTraced(f"a Series of values of different types ({' and '.join(sorted(kinds))})")
        self._kind = "float" if len(kinds) > 1 else kinds.pop()
        self._values = values


def _filtered(series: Any, condition: Any) -> Any:
    return column_series(series._handle.filter(condition._handle.column()).column())


def some_rows(condition: Many) -> Place:
    """Return the rows for which a condition holds."""
    import numpy as np

    place = condition._place

    def compute() -> Place:
        kept = np.flatnonzero(to_numpy(condition._series._handle.column()).astype(bool))
        rows = kept if place.rows is None else place.rows[kept]
        return Place(place._groups, _filtered(place.numbers, condition._series), rows)

    return place._groups.noted(("rows", condition._number), compute)


def _with_missing(values: Any) -> Any:
    """Return values of groups, of which integers that are missing are NaN, as in a list of results."""
    is_integer = str(values.dtype) == "int64" and values._handle.column().null_count() > 0
    return values.astype("float64") if is_integer else values


def _chosen_rows(one: Callable[[], Many], condition: Many) -> Any:
    return one()[condition]
