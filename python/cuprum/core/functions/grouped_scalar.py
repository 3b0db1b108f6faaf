"""Stand-ins for groups: what a function does with the rows of one group, done with those of all groups at once.

Unlike elements, groups need no formula: an operation on a stand-in is computed right away, for all groups, by what
frames have for it. Operations between rows are those of series, reductions are aggregations of groups. A `GroupedScalar` stands
for a value of each group; stand-ins of rows are in `grouped_column`. Where a function
asks whether a `GroupedScalar` is true, groups part: the function is called once for those of either answer.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from cuprum import _cuprum
from cuprum.core.construction import column_from
from cuprum.core.functions.trace import NotTraced, plain_kind
from cuprum.core.interop import to_numpy
from cuprum.core.objects import wrap_series

__all__ = [
    "KINDS",
    "NUMBERS",
    "GroupedScalar",
    "Groups",
    "RowSet",
    "StandIn",
    "Value",
    "at_rows",
    "check_row_set",
    "column_series",
    "computed",
    "give_operators",
    "is_constant",
    "kind_of",
    "token",
]  # fmt: skip

# Results of a function, and questions on the way to one.
MOST_WAYS = 64
MOST_QUESTIONS = 10_000
# Integers up to here are floats without a loss, and sums, differences and products up to there integers of 64 bits.
EXACT = 2**53
LARGEST = 9.2e18

# The kinds of numbers.
NUMBERS = ("int", "float")
KINDS = {"int64": "int", "float64": "float", "bool": "bool", "str": "str", "string": "str"}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow,
}  # fmt: skip
_LOGIC = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
_COMPARISONS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_OPERATORS = {**_ARITHMETIC, **_LOGIC, **_COMPARISONS}

# Results of reductions without elements; others have none.
_OF_NONE = {"sum": 0, "prod": 1, "any": False, "all": True, "count": 0, "nunique": 0}


def kind_of(value: Any) -> str:
    """Return what a value or a stand-in holds: "bool", "int", "float", "str", or "other" in rows."""
    if isinstance(value, Value):
        return value._kind
    if isinstance(value, StandIn):
        raise NotTraced(f"{value._called} as a value")
    kind = plain_kind(value)
    return "float" if kind == "np" else kind


def is_constant(value: Any) -> bool:
    """Whether a value is the same for all groups, and no stand-in."""
    return not isinstance(value, StandIn)


def token(value: Any) -> tuple[Any, ...]:
    """Return what tells a value from others."""
    if isinstance(value, Value):
        return "#", value._number
    if isinstance(value, (tuple, list)):
        return (type(value), *(token(part) for part in value))
    return type(value), value.hex() if isinstance(value, float) else value


def column_series(column: Any) -> Any:
    """Return a column as a series."""
    return wrap_series(_cuprum.Series(column))


class Groups:
    """All groups, the way that a function goes for some of them, and what is known already.

    ``numbers`` are the groups of rows, none of them empty; ``aggregate`` gives an aggregation of a column of theirs.
    """

    def __init__(self, numbers: Any, count: int, aggregate: Callable[[Any, str, float | None], Any]) -> None:
        self.count = count
        self.aggregate = aggregate
        self._known: dict[tuple[Any, ...], Any] = {}
        self._answers: list[bool] = []
        self._asked: list[int] = []
        self._way: Any = None
        self._numbers_given = 0
        self._row_set = RowSet(self, numbers)

    def next_number(self) -> int:
        """Return a number that no stand-in has."""
        self._numbers_given += 1
        return self._numbers_given

    def noted(self, key: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
        """Return what is computed for a key, once: on other ways through its branches a function meets the same."""
        known = self._known.get(key)
        if known is None:
            try:
                known = self._known[key] = compute()
            except NotTraced:
                raise
            except Exception as error:
                raise NotTraced(
                    f"{key[0]}, for which all groups at once are a {type(error).__name__}"
                ) from None
        return known

    def guard(self, flag: Any, what: str) -> None:
        """Refuse what a group on the way here may not be."""
        if bool((flag if self._way is None else flag & self._way).any()):
            raise NotTraced(what)

    def ask(self, flag: GroupedScalar) -> bool:
        """Return the answer that the groups give which are followed this time."""
        if flag._number in self._asked:
            return self._answers[self._asked.index(flag._number)]
        yes, no = flag._series, ~flag._series
        if self._way is not None:
            yes, no = yes & self._way, no & self._way
        if not no.any():
            return True
        if not yes.any():
            return False
        if len(self._asked) >= MOST_QUESTIONS:
            raise NotTraced(f"more than {MOST_QUESTIONS} questions whether something is true")
        if len(self._asked) == len(self._answers):
            self._answers.append(True)
        self._asked.append(flag._number)
        answer = self._answers[len(self._asked) - 1]
        self._way = yes if answer else no
        return answer

    def results(self, call: Callable[[Any], Any], stand_in: Any) -> list[tuple[Any, Any]]:
        """Return the result of a function, with the groups that it is for; None are all."""
        found: list[tuple[Any, Any]] = []
        answers: list[bool] = []
        while True:
            self._answers, self._asked, self._way = list(answers), [], None
            try:
                result = call(stand_in)
            except NotTraced:
                raise
            except RecursionError:
                raise NotTraced("a recursion") from None
            except Exception as error:
                raise NotTraced(f"{type(error).__name__}: {error}") from None
            found.append((self._way, result))
            if len(found) > MOST_WAYS:
                raise NotTraced(f"more than {MOST_WAYS} ways through its branches")
            answers = self._answers[: len(self._asked)]
            while answers and not answers[-1]:
                answers.pop()
            if not answers:
                return found
            answers[-1] = False

    def constant(self, value: Any) -> Any:
        """Return a value as a series with an element for each group."""
        kind_of(value)  # refuses what is none
        plain = value.item() if hasattr(value, "item") else value
        return column_series(_cuprum.Column.filled(plain, self.count))


class RowSet:
    """A set of rows: those of the frame, or some of them."""

    def __init__(self, groups: Groups, numbers: Any, rows: Any = None) -> None:
        self._groups = groups
        # The number of each row's group.
        self.numbers = numbers
        # The rows of the frame; None for all.
        self.rows = rows
        self._sizes: Any = None
        self._order: Any = None

    def sizes(self) -> Any:
        """Return how many rows each group has, as an array."""
        import numpy as np

        if self._sizes is None:
            self._sizes = np.bincount(to_numpy(self.numbers._handle.column()), minlength=self._groups.count)
        return self._sizes

    def order(self) -> Any:
        """Return the positions of the rows group after group."""
        import numpy as np

        if self._order is None:
            self._order = np.argsort(to_numpy(self.numbers._handle.column()), kind="stable")
        return self._order

    def length(self) -> GroupedScalar:
        """Return the number of rows of each group."""
        return self._groups.noted(
            ("len", id(self)),
            lambda: GroupedScalar(self._groups, column_series(column_from(self.sizes())), "int"),
        )

    def spread(self, value: GroupedScalar) -> Any:
        """Return for each row the value of its group, as a series."""
        return self._groups.noted(
            ("a value for each row", value._number, id(self)),
            lambda: column_series(value._series._handle.take(self.numbers._handle.column()).column()),
        )

    def of_each(self, series: Any) -> Any:
        """Return elements of these rows as those of a frame in groups."""
        table = _cuprum.DataFrame(["v"], [series._handle.column()])
        column = self.numbers._handle.column()
        return _cuprum.GroupBy(table, [(None, column)], True, True, True, True)

    def _reduced(self, series: Any, name: str, parameter: float | None) -> Any:
        """Return an aggregation of elements of these rows, as a series of a value for each group."""
        import numpy as np

        sizes = self.sizes()
        if not len(series):
            if name not in _OF_NONE:
                return self._groups.constant(float("nan"))
            of_none = _OF_NONE[name]
            is_float = type(of_none) is int and name in ("sum", "prod") and str(series.dtype) == "float64"
            return self._groups.constant(float(of_none) if is_float else of_none)
        groups = self.of_each(series)
        if name in ("skew", "kurt"):
            handle = groups.shape(["v"], name == "kurt", True)
        else:
            handle = groups.aggregate([("v", "v", name, parameter)], 0, True)
        found = column_series(handle.column_at(0).column())
        if sizes.all():
            return found
        # Groups that have none of the rows.
        places = np.where(sizes > 0, np.cumsum(sizes > 0) - 1, 0)
        found = column_series(found._handle.take(column_from(places)).column())
        there = column_series(column_from(sizes > 0))
        if name in _OF_NONE:
            return found.where(there, found.dtype.type(_OF_NONE[name]))
        if str(found.dtype) == "int64":
            found = found.astype("float64")
        return found.where(there)


class StandIn:
    """The base of stand-ins: operators."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]
    # Stand-ins' own attributes begin with `_`, which functions that are traced may not ask for.
    _called = "a group"

    def __getattr__(self, name: str) -> Any:
        raise NotTraced(f"the attribute `{name}` of {self._called}")

    def __iter__(self) -> Iterator[Any]:
        raise NotTraced(f"iteration over {self._called}")

    def __contains__(self, part: Any) -> bool:
        raise NotTraced(f"`in` {self._called}")

    def __index__(self) -> int:
        raise NotTraced(f"a function that takes a number, not {self._called}")

    __int__ = __index__

    def __float__(self) -> float:
        raise NotTraced(f"a function that takes a number, not {self._called}")

    def __str__(self) -> str:
        raise NotTraced(f"{self._called} as a text")

    __repr__ = __str__

    def __format__(self, how: str) -> str:
        raise NotTraced(f"{self._called} as a text")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise NotTraced(f"{self._called} as an array")

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        op = _UFUNCS.get(function.__name__)
        if method == "__call__" and op and not kwargs and len(inputs) == 2:
            return computed(op, *inputs)
        raise NotTraced(f"numpy.{function.__name__} of {self._called}")


_UFUNCS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/", "floor_divide": "//",
    "remainder": "%", "power": "**", "equal": "==", "not_equal": "!=", "less": "<", "less_equal": "<=",
    "greater": ">", "greater_equal": ">=",
}  # fmt: skip


class Value(StandIn):
    """A stand-in for values: those of groups, or of rows."""

    __slots__ = ("_kind", "_number", "_series")
    # Whether there is one for each row.
    _of_rows = False


class GroupedScalar(Value):
    """A stand-in for a value of a group: ``series`` has those of all groups."""

    __slots__ = ("_groups", "_is_numpy")
    _called = "a value of a group"

    def __init__(self, groups: Groups, series: Any, kind: str | None = None, is_numpy: bool = False) -> None:
        self._groups = groups
        self._series = series
        self._kind = kind or KINDS.get(str(series.dtype), "other")
        self._is_numpy = is_numpy
        self._number = groups.next_number()
        if self._kind == "other":
            raise NotTraced(f"values of type {series.dtype}")

    def __bool__(self) -> bool:
        if self._kind == "bool":
            return self._groups.ask(self)
        return bool(computed("!=", self, "" if self._kind == "str" else 0))

    def __neg__(self) -> Any:
        if self._kind not in NUMBERS:
            raise NotTraced("`-` of what is no number")
        return computed("-", 0, self) if self._kind == "int" else computed("*", -1.0, self)

    def __pos__(self) -> Any:
        if self._kind not in NUMBERS:
            raise NotTraced("`+` of what is no number")
        return self

    def __abs__(self) -> Any:
        if self._kind not in NUMBERS:
            raise NotTraced("abs of what is no number")
        return self._with_series("abs", lambda: self._series.abs(), self._kind)

    def __invert__(self) -> Any:
        raise NotTraced("`~` of a value of a group")

    def __round__(self, digits: Any = None) -> Any:
        if digits is None or not self._is_numpy or self._kind != "float" or type(digits) is not int:
            raise NotTraced("round without digits, or of an integer")
        return self._with_series(f"round {digits}", lambda: self._series.round(digits), "float")

    round = __round__

    def _with_series(self, what: str, compute: Callable[[], Any], kind: str) -> GroupedScalar:
        """Return what is computed of these values."""
        return self._groups.noted(
            (what, self._number),
            lambda: GroupedScalar(self._groups, compute(), kind, is_numpy=self._is_numpy),
        )


# Operations.


def give_operators(kind: type[Value], methods: bool) -> None:
    """Give stand-ins the operators, and the methods of series that are operators."""
    for name, op in {
        "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
        "and": "&", "or": "|", "xor": "^",
    }.items():  # fmt: skip
        setattr(kind, f"__{name}__", lambda self, other, op=op: computed(op, self, other))
        setattr(kind, f"__r{name}__", lambda self, other, op=op: computed(op, other, self))
        if methods and op in _ARITHMETIC:
            setattr(kind, name, lambda self, other, op=op: computed(op, self, other))
    for name, op in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
        setattr(kind, f"__{name}__", lambda self, other, op=op: computed(op, self, other))
        if methods:
            setattr(kind, name, lambda self, other, op=op: computed(op, self, other))


give_operators(GroupedScalar, methods=False)


def check_row_set(row_set: RowSet, value: Any) -> None:
    """Refuse elements of other rows than those of ``row_set``."""
    if is_of_rows(value) and value._row_set is not row_set:
        raise NotTraced("elements of other rows of a group")


def at_rows(row_set: RowSet, value: Any) -> Any:
    """Return a value as a series with an element for each row, or as a constant."""
    if isinstance(value, GroupedScalar):
        return row_set.spread(value)
    return value._series if is_of_rows(value) else value


def computed(op: str, left: Any, right: Any) -> Any:
    """Return the result of an operator, one of whose operands is a stand-in."""
    kinds = {kind_of(left), kind_of(right)}
    for value in (left, right):
        if kind_of(value) == "int" and is_constant(value) and not -(2**63) <= value < 2**63:
            raise NotTraced("an integer beyond 64 bits")
    if "other" in kinds or ("str" in kinds and (len(kinds) > 1 or op not in _COMPARISONS)):
        raise NotTraced(f"`{op}` of elements of type {_type_of(left)} and {_type_of(right)}")
    if op in _LOGIC and kinds != {"bool"}:
        raise NotTraced(f"`{op}` of numbers")
    if op in _ARITHMETIC and kinds == {"bool"}:
        raise NotTraced(f"`{op}` of truth values")
    rows = next((value for value in (left, right) if is_of_rows(value)), None)
    return _of_groups(op, left, right) if rows is None else _of_rows(op, left, right, rows)


def _type_of(value: Any) -> Any:
    return value._series.dtype if isinstance(value, Value) else type(value).__name__


def is_of_rows(value: Any) -> bool:
    """Whether a value stands for elements of rows."""
    return isinstance(value, Value) and value._of_rows


def _of_rows(op: str, left: Any, right: Any, rows: Any) -> Any:
    row_set = rows._row_set
    for value in (left, right):
        check_row_set(row_set, value)
    are_integers = "float" not in (kind_of(left), kind_of(right))
    if op in ("//", "%", "**") and are_integers:
        bad = right < 0 if op == "**" else right == 0
        if isinstance(bad, GroupedScalar):
            bad._groups.guard(bad._series, f"`{op}` of integers with 0 or less")
        elif bool(bad._series.any()) if is_of_rows(bad) else bad:
            raise NotTraced(f"`{op}` of integers with 0 or less")
    names = [value._name for value in (left, right) if is_of_rows(value)]
    name = names[0] if len(names) == 1 or names[0] == names[1] else None

    def compute() -> Any:
        return type(rows)(row_set, _OPERATORS[op](at_rows(row_set, left), at_rows(row_set, right)), name)

    return row_set._groups.noted((op, token(left), token(right)), compute)


def _of_groups(op: str, left: Any, right: Any) -> GroupedScalar:
    groups = next(value._groups for value in (left, right) if isinstance(value, GroupedScalar))
    is_numpy = any(value._is_numpy for value in (left, right) if isinstance(value, GroupedScalar))
    is_numpy = is_numpy or any(type(value).__module__ == "numpy" for value in (left, right))
    made = groups.noted((op, token(left), token(right)), lambda: _one(groups, op, left, right, is_numpy))
    _guard_values(groups, op, left, right, made)
    return made


def _series_of(value: Any) -> Any:
    return value._series if isinstance(value, GroupedScalar) else value


def _one(groups: Groups, op: str, left: Any, right: Any, is_numpy: bool) -> GroupedScalar:
    a, b = (
        series.astype("int64")
        if isinstance(value, GroupedScalar) and value._kind == "bool" and op in _ARITHMETIC
        else series
        for value, series in ((left, _series_of(left)), (right, _series_of(right)))
    )
    if op == "**":
        if isinstance(right, (GroupedScalar, bool)):
            raise NotTraced("`**` with an exponent of a group")
        if kind_of(left) in ("int", "bool") and kind_of(right) == "int" and right < 0:
            raise NotTraced("`**` of integers with a negative exponent")
        if right in (0.5, -1):
            # Of columns a root or a quotient, but a power like others of one number.
            b = groups.constant(float(right))
    return GroupedScalar(groups, _OPERATORS[op](a, b), is_numpy=is_numpy)


def _guard_values(groups: Groups, op: str, left: Any, right: Any, made: GroupedScalar) -> None:
    """Refuse values for which Python and NumPy raise, warn, or have other integers."""
    if op not in _ARITHMETIC:
        return
    if op in ("/", "//", "%") and not (made._is_numpy and op == "/"):
        zero = _series_of(right) == 0
        if isinstance(zero, bool):
            zero = groups.constant(zero)
        groups.guard(zero, "a division by zero")
    if op == "**" and made._kind == "float":
        lost = made._series.isna() | (made._series.abs() == float("inf"))
        groups.guard(lost & _series_of(left).notna(), "a power that is no finite number")
    if "float" in (kind_of(left), kind_of(right)):
        return
    a, b = (
        series.astype("float64").abs() if isinstance(value, GroupedScalar) else abs(float(series))
        for value, series in ((left, _series_of(left)), (right, _series_of(right)))
    )
    if op == "/":
        for side in (a, b):
            large = side > EXACT
            groups.guard(
                groups.constant(large) if isinstance(large, bool) else large, "integers beyond 2 ** 53"
            )
    elif op in ("+", "-", "*", "**"):
        size = {"*": operator.mul, "**": operator.pow}.get(op, operator.add)(a, b)
        groups.guard(size > LARGEST, "an integer beyond 64 bits")
