"""Python's operators, and the methods that pandas has for each."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, Self

from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.objects import ours

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import Axis, Label, RowAxis, Scalar

__all__ = ["FrameMethods", "Operators", "SeriesMethods", "operated_by"]


class _FrameMethod(Protocol):
    def __call__(
        self, other: Any, axis: Axis | None = "columns", level: Label = None, fill_value: Scalar = None
    ) -> DataFrame: ...


class _SeriesMethod(Protocol):
    def __call__(
        self, other: Any, level: Label = None, fill_value: Scalar = None, axis: RowAxis | None = 0
    ) -> Series: ...


def _forward(op: str) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        return self._operate(other, op, False)

    return operator


def _reflected(op: str) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        return self._operate(other, op, True)

    return operator


def _in_place(op: str) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        return self._operate_in_place(other, op)

    return operator


def _with_objects(method: Callable[..., Any], operand: Any, other: Any, **options: Any) -> Any:
    """Return the result of pandas' method of an operator for objects on the right: nothing computed here equals them."""
    given = {option: value for option, value in options.items() if value is not None}
    made = objects.mixed_by_pandas(method, (operand, other), given)
    if made is None:
        raise TypeError(f"{method.__name__} is not defined for these elements and objects")
    return made[0]


def _docstring(name: str, op: str, reflected: bool, of_frame: bool) -> str:
    """Return the docstring of the method of that name."""
    sign = f"other {_SIGNS[op]} self" if reflected else f"self {_SIGNS[op]} other"
    compares = op in COMPARISONS
    made = "DataFrame" if of_frame else "Series"
    by_label = "and columns are" if of_frame else "are"
    fill_value = "What stands for an element that only one side is missing."
    if of_frame and compares:
        fill_value = "Not supported by comparisons of frames: it raises ``TypeError``."
    level = [
        "level : int or level name, optional",
        "    The level of a MultiIndex by which labels are matched.",
    ]
    fill = ["fill_value : scalar, optional", f"    {fill_value}"]
    if of_frame:
        parameters = [
            "other : scalar, list-like, dict, Series or DataFrame",
            "    A Series is matched by label along ``axis``; a list or a dict has one value for each label there.",
            "axis : 0 or 'index', 1 or 'columns', default 'columns'",
            "    Whether a Series, a list or a dict goes with the rows or the columns.",
            *level,
            *fill,
        ]
    else:
        parameters = [
            "other : scalar, Series or list-like",
            "    A Series is matched by label, a list by position; a DataFrame raises ``TypeError``.",
            *level,
            *fill,
            "axis : 0 or 'index', default 0",
            "    The only axis of a Series. 1 raises ``ValueError``.",
        ]
    if compares:
        returns = "Truth values. A missing element compares as False (``!=`` as True), unless the option"
        returns += "\n    ``mode.pandas_compatible`` is off: then the result is missing."
    else:
        returns = "The labels of either operand; missing where an element is missing and not filled."
    called = {"truediv": "div", "rtruediv": "rdiv"}.get(name, name)
    plain, filled, frame, by_row = _RESULTS[name]
    rounded = ".round(3)" if "." in plain and "div" in name else ""
    if of_frame:
        examples = [
            '>>> df = cuprum.DataFrame({"a": [5, 2], "b": [3.0, None]})',
            f'>>> df.{called}(2){rounded}.to_dict("list")',
            frame,
            f'>>> df.{called}(cuprum.Series([2, 1]), axis=0){rounded}.to_dict("list")',
            by_row,
        ]
    else:
        examples = [
            ">>> s = cuprum.Series([5, 2, None])",
            f">>> s.{called}(2){rounded}.to_list()",
            plain,
            f">>> s.{called}(cuprum.Series([2, 3, 1]), fill_value=2){rounded}.to_list()",
            filled,
        ]
    sections = [
        f"Return {_WORDS[op]}, element by element: ``{sign}``.\n",
        f"Rows {by_label} matched by label.\n",
        "Parameters\n----------",
        *parameters,
        f"\nReturns\n-------\n{made}",
        f"    {returns}",
    ]
    if op in _REMARKS:
        sections += ["\nNotes\n-----", _REMARKS[op]]
    return "\n".join([*sections, "\nExamples\n--------\n>>> import cuprum", *examples, ""])


def _method(name: str, op: str, reflected: bool, of_frame: bool) -> Callable[..., Any]:
    """Return the method of that name; its parameters are in pandas' order, which is another for series."""

    def of_frames(
        self: Any, other: Any, axis: Any = "columns", level: Any = None, fill_value: Any = None
    ) -> Any:
        if isinstance(other, (objects.SeriesOfObjects, objects.FrameWithObjects)):
            return _with_objects(method, self, other, axis=axis, level=level, fill_value=fill_value)
        return self._operate_with(name, other, op, reflected, axis, level, fill_value)

    def of_series(self: Any, other: Any, level: Any = None, fill_value: Any = None, axis: Any = 0) -> Any:
        if isinstance(other, (objects.SeriesOfObjects, objects.FrameWithObjects)):
            return _with_objects(method, self, other, axis=axis, level=level, fill_value=fill_value)
        return self._operate_with(name, other, op, reflected, axis, level, fill_value)

    method = of_frames if of_frame else of_series
    method.__name__ = name
    method.__qualname__ = f"{'FrameMethods' if of_frame else 'SeriesMethods'}.{name}"
    method.__doc__ = _docstring(name, op, reflected, of_frame)
    return method


# NumPy's functions of two elements as reductions.
_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"}
_ORDERINGS = frozenset({"lt", "le", "gt", "ge"})
COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})

_SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "and": "&",
    "or": "|",
    "xor": "^",
}

# What methods return, for their docstrings.
_WORDS = {
    "add": "the sum",
    "sub": "the difference",
    "mul": "the product",
    "truediv": "the quotient",
    "floordiv": "the quotient rounded down",
    "mod": "the remainder of a division",
    "pow": "the power",
    "eq": "where elements are equal",
    "ne": "where elements differ",
    "lt": "where elements are less",
    "le": "where elements are less or equal",
    "gt": "where elements are greater",
    "ge": "where elements are greater or equal",
}

_REMARKS = {
    "truediv": "Division of a number by 0 gives ``inf``, of 0 by 0 NaN.",
    "floordiv": "Division of a number by 0 gives ``inf``, of 0 by 0 NaN.",
    "mod": "The remainder has the sign of the divisor; of a division by 0 it is NaN.",
    "pow": "An integer with a negative integer as its exponent raises ``ValueError``. 1 to the power of a missing\n"
    "element, and a missing element to the power of 0, are 1.",
}

# What the examples of docstrings print: of a series two, of a frame two.
_RESULTS = {
    "add": (
        "[7, 4, nan]",
        "[7, 5, 3]",
        "{'a': [7, 4], 'b': [5.0, nan]}",
        "{'a': [7, 3], 'b': [5.0, nan]}",
    ),
    "sub": (
        "[3, 0, nan]",
        "[3, -1, 1]",
        "{'a': [3, 0], 'b': [1.0, nan]}",
        "{'a': [3, 1], 'b': [1.0, nan]}",
    ),
    "mul": (
        "[10, 4, nan]",
        "[10, 6, 2]",
        "{'a': [10, 4], 'b': [6.0, nan]}",
        "{'a': [10, 2], 'b': [6.0, nan]}",
    ),
    "truediv": (
        "[2.5, 1.0, nan]",
        "[2.5, 0.667, 2.0]",
        "{'a': [2.5, 1.0], 'b': [1.5, nan]}",
        "{'a': [2.5, 2.0], 'b': [1.5, nan]}",
    ),
    "floordiv": (
        "[2, 1, nan]",
        "[2, 0, 2]",
        "{'a': [2, 1], 'b': [1.0, nan]}",
        "{'a': [2, 2], 'b': [1.0, nan]}",
    ),
    "mod": (
        "[1, 0, nan]",
        "[1, 2, 0]",
        "{'a': [1, 0], 'b': [1.0, nan]}",
        "{'a': [1, 0], 'b': [1.0, nan]}",
    ),
    "pow": (
        "[25, 4, nan]",
        "[25, 8, 2]",
        "{'a': [25, 4], 'b': [9.0, nan]}",
        "{'a': [25, 2], 'b': [9.0, nan]}",
    ),
    "eq": (
        "[False, True, False]",
        "[False, False, False]",
        "{'a': [False, True], 'b': [False, False]}",
        "{'a': [False, False], 'b': [False, False]}",
    ),
    "ne": (
        "[True, False, True]",
        "[True, True, True]",
        "{'a': [True, False], 'b': [True, True]}",
        "{'a': [True, True], 'b': [True, True]}",
    ),
    "lt": (
        "[False, False, False]",
        "[False, True, False]",
        "{'a': [False, False], 'b': [False, False]}",
        "{'a': [False, False], 'b': [False, False]}",
    ),
    "le": (
        "[False, True, False]",
        "[False, True, False]",
        "{'a': [False, True], 'b': [False, False]}",
        "{'a': [False, False], 'b': [False, False]}",
    ),
    "gt": (
        "[True, False, False]",
        "[True, False, True]",
        "{'a': [True, False], 'b': [True, False]}",
        "{'a': [True, True], 'b': [True, False]}",
    ),
    "ge": (
        "[True, True, False]",
        "[True, False, True]",
        "{'a': [True, True], 'b': [True, False]}",
        "{'a': [True, True], 'b': [True, False]}",
    ),
    "radd": (
        "[7, 4, nan]",
        "[7, 5, 3]",
        "{'a': [7, 4], 'b': [5.0, nan]}",
        "{'a': [7, 3], 'b': [5.0, nan]}",
    ),
    "rsub": (
        "[-3, 0, nan]",
        "[-3, 1, -1]",
        "{'a': [-3, 0], 'b': [-1.0, nan]}",
        "{'a': [-3, -1], 'b': [-1.0, nan]}",
    ),
    "rmul": (
        "[10, 4, nan]",
        "[10, 6, 2]",
        "{'a': [10, 4], 'b': [6.0, nan]}",
        "{'a': [10, 2], 'b': [6.0, nan]}",
    ),
    "rtruediv": (
        "[0.4, 1.0, nan]",
        "[0.4, 1.5, 0.5]",
        "{'a': [0.4, 1.0], 'b': [0.667, nan]}",
        "{'a': [0.4, 0.5], 'b': [0.667, nan]}",
    ),
    "rfloordiv": (
        "[0, 1, nan]",
        "[0, 1, 0]",
        "{'a': [0, 1], 'b': [0.0, nan]}",
        "{'a': [0, 0], 'b': [0.0, nan]}",
    ),
    "rmod": (
        "[2, 0, nan]",
        "[2, 1, 1]",
        "{'a': [2, 0], 'b': [2.0, nan]}",
        "{'a': [2, 1], 'b': [2.0, nan]}",
    ),
    "rpow": (
        "[32, 4, nan]",
        "[32, 9, 1]",
        "{'a': [32, 4], 'b': [8.0, nan]}",
        "{'a': [32, 1], 'b': [8.0, 1.0]}",
    ),
}

_UFUNCS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "truediv",
    "true_divide": "truediv",
    "floor_divide": "floordiv",
    "remainder": "mod",
    "power": "pow",
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
    "logical_and": "and",
    "logical_or": "or",
    "logical_xor": "xor",
}
_UNARY_UFUNCS = {
    "negative": "neg",
    "absolute": "abs",
    "fabs": "abs",
    "invert": "invert",
    "logical_not": "invert",
    **{
        name: name
        for name in [
            "sign",
            "sqrt",
            "cbrt",
            "exp",
            "log",
            "sin",
            "cos",
            "tan",
            "arcsin",
            "arccos",
            "arctan",
            "sinh",
            "cosh",
            "tanh",
            "arcsinh",
            "arccosh",
            "arctanh",
            "ceil",
            "floor",
            "trunc",
            "rint",
        ]
    },
}


# NumPy's functions for which every number but 0 is true.
_OF_TRUTH = frozenset({"logical_and", "logical_or", "logical_xor", "logical_not"})


_OPERATORS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}


def operated_by(ufunc: Any, left: Any, right: Any) -> Any:
    """Return the result of the operator that one of NumPy's functions stands for; NotImplemented for other functions."""
    name = _UFUNCS.get(ufunc.__name__, "")
    if (function := _OPERATORS.get(name)) is None or ufunc.__name__ in _OF_TRUTH:
        return NotImplemented
    if type(left).__module__ == "numpy":  # whose operator calls the function again
        return getattr(right, f"__r{name}__")(left)
    return function(left, right)


def _operated(inputs: tuple[Any, ...], op: str) -> Any:
    """Return the result of an operator; at least one of the two operands is a frame or series of ours."""
    left, right = inputs
    return left._operate(right, op, False) if isinstance(left, Operators) else right._operate(left, op, True)


def _types_of(operand: Any) -> list[Any]:
    """Return the types of the columns of a frame or series, or that of a scalar or array, if it has one."""
    if not isinstance(operand, Operators):
        return [operand.dtype] if hasattr(operand, "dtype") else []
    handle: Any = operand._handle
    return handle.dtypes() if hasattr(handle, "dtypes") else [handle.dtype()]


def _are_truths(operand: Any) -> bool:
    """Whether an operand is a truth value, or has no other elements."""
    types = _types_of(operand)
    own = isinstance(operand, (bool, Operators))
    return (own or bool(types)) and all(dtype.kind == "b" for dtype in types)


def _refuse_logic_of_times(name: str, operands: tuple[Any, ...]) -> None:
    for dtype in (one for operand in operands for one in _types_of(operand) if one.kind in "mM"):
        raise TypeError(f"Object with dtype {dtype} cannot perform the numpy op {name}")


class Operators:
    """Arithmetic, comparison and logical operators in terms of ``_operate`` and ``_handle.unary``.

    A missing element makes the result of arithmetic missing; comparisons with one are False
    (``!=`` is True), missing where the option ``mode.pandas_compatible`` is off. Python's numbers take the type of the elements they meet.
    """

    __slots__ = ()

    # Above pandas' own: its operators leave theirs beside ours to these.
    __pandas_priority__ = 5000

    _handle: Any
    _wrap: Callable[[Any], Any]
    _snapshot: Callable[[], Any]

    def _operate(self, other: Any, op: str, reflected: bool) -> Any:
        raise NotImplementedError

    def _refuse_logic(self, other: Any, op: str) -> None:
        """Fail for what pandas joins to no truth values: values without a type, and NaT."""
        if op not in ("and", "or", "xor"):
            return
        if is_list_like(other) and not hasattr(other, "dtype"):
            raise TypeError(
                f"'{_SIGNS[op]}' takes no {type(other).__name__}, which has no dtype: wrap it in a Series, Index, "
                "or numpy.array"
            )
        if type(other).__name__ == "NaTType":
            raise TypeError(f"'{_SIGNS[op]}' takes no NaT")

    def _refuse_of_times(self, other: Any, op: str, dtypes: Any) -> None:
        """Fail for what pandas neither orders times by nor multiplies or divides durations by, and for NaT beside numbers."""
        name = type(other).__name__
        for dtype in dtypes:
            if dtype.kind in "biuf" and op not in ("eq", "ne") and name == "NaTType":
                raise TypeError(f"'{_SIGNS[op]}' not supported between elements of type {dtype} and NaT")
            if dtype.kind in "Mm" and op in _ORDERINGS and name in ("NoneType", "NAType"):
                raise TypeError(f"Invalid comparison between dtype={dtype} and {name}")
            if dtype.kind != "m":
                continue
            if op == "mul" and (
                name in ("bool", "bool_") or getattr(getattr(other, "dtype", None), "kind", "") == "b"
            ):
                raise TypeError(f"Cannot multiply '{dtype}' by bool, explicitly cast to integers instead")
            if op in ("truediv", "floordiv", "mod") and name == "NaTType":
                raise TypeError(f"unsupported operand type(s) for {_SIGNS[op]}: '{dtype}' and 'NaTType'")

    def _refuse_none(self, other: Any, op: str, dtypes: Any) -> None:
        """Fail for None beside numbers: it is no missing number."""
        if other is None and op not in COMPARISONS and any(dtype.kind in "iufb" for dtype in dtypes):
            raise TypeError(
                f"unsupported operand type(s) for {_SIGNS[op]}: '{type(self).__name__}' and 'NoneType'"
            )

    if TYPE_CHECKING:
        # The operators that `_define` makes.
        def __add__(self, other: Any) -> Self: ...
        def __radd__(self, other: Any) -> Self: ...
        def __sub__(self, other: Any) -> Self: ...
        def __rsub__(self, other: Any) -> Self: ...
        def __mul__(self, other: Any) -> Self: ...
        def __rmul__(self, other: Any) -> Self: ...
        def __truediv__(self, other: Any) -> Self: ...
        def __rtruediv__(self, other: Any) -> Self: ...
        def __floordiv__(self, other: Any) -> Self: ...
        def __rfloordiv__(self, other: Any) -> Self: ...
        def __mod__(self, other: Any) -> Self: ...
        def __rmod__(self, other: Any) -> Self: ...
        def __pow__(self, other: Any) -> Self: ...
        def __rpow__(self, other: Any) -> Self: ...
        def __and__(self, other: Any) -> Self: ...
        def __rand__(self, other: Any) -> Self: ...
        def __or__(self, other: Any) -> Self: ...
        def __ror__(self, other: Any) -> Self: ...
        def __xor__(self, other: Any) -> Self: ...
        def __rxor__(self, other: Any) -> Self: ...
        def __eq__(self, other: object) -> Self: ...  # type: ignore[override]
        def __ne__(self, other: object) -> Self: ...  # type: ignore[override]
        def __lt__(self, other: Any) -> Self: ...
        def __le__(self, other: Any) -> Self: ...
        def __gt__(self, other: Any) -> Self: ...
        def __ge__(self, other: Any) -> Self: ...

    def __divmod__(self, other: Any) -> tuple[Self, Self]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Self, Self]:
        return other // self, other % self

    def __neg__(self) -> Self:
        return self._negated()

    def _negated(self) -> Any:
        """Return the elements with the other sign; truth values are inverted, as pandas has it."""
        return self._wrap(self._handle.unary("neg"))

    def __pos__(self) -> Self:
        for dtype in _types_of(self):
            if dtype.kind == "M" or (dtype.kind == "O" and dtype.precision is None):
                raise TypeError(f"bad operand type for unary +: '{dtype}'")
        return self._snapshot()

    def __abs__(self) -> Self:
        return self._wrap(self._handle.unary("abs"))

    def __invert__(self) -> Self:
        return self._wrap(self._handle.unary("invert"))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """NumPy's element functions: computed here where there is an operator for them."""
        inputs = tuple(map(ours, inputs))
        name = ufunc.__name__
        # Our operators go by the bits of numbers.
        of_numbers = name in _OF_TRUTH and not all(map(_are_truths, inputs))
        if of_numbers:
            _refuse_logic_of_times(name, inputs)
        if method == "__call__" and not kwargs:
            if len(inputs) == 1 and name in _UNARY_UFUNCS and not of_numbers:
                return inputs[0]._wrap(inputs[0]._handle.unary(_UNARY_UFUNCS[name]))
            if len(inputs) == 2 and name in _UFUNCS and not of_numbers:
                return _operated(inputs, _UFUNCS[name])
            if name == "divmod":
                return _operated(inputs, "floordiv"), _operated(inputs, "mod")
            if name == "matmul":
                first, second = inputs
                return first @ second if first is self else self.__rmatmul__(first)  # type: ignore[attr-defined]
            if ufunc.signature is None:
                return self._through_numpy(ufunc, inputs)
        axis = kwargs.get("axis", 0)
        if method in ("reduce", "accumulate") and all(
            value is None or value is False for key, value in kwargs.items() if key != "axis"
        ):
            this: Any = inputs[0]
            if method == "accumulate":
                named = {"name": this.name} if this.ndim == 1 else {"columns": this.columns}
                return type(this)(ufunc.accumulate(this.to_numpy(), axis), index=this.index, **named)
            if this.ndim == 1 and name not in _REDUCTIONS:
                return ufunc.reduce(this.to_numpy())
            if name in _REDUCTIONS:
                # As pandas has it, missing elements count.
                of_axis = {"axis": axis} if this.ndim == 2 else {}
                return getattr(this, _REDUCTIONS[name])(skipna=False, **of_axis)
        raise NotImplementedError(
            f"numpy.{ufunc.__name__} of a {type(self).__name__}: call it on `to_numpy()`"
        )

    def _through_numpy(self, ufunc: Any, inputs: tuple[Any, ...]) -> Any:
        """Return what another of NumPy's element functions makes of the elements as NumPy has them."""
        raise NotImplementedError


class FrameMethods:
    """The methods of frames for operators; `_define` makes them."""

    __slots__ = ()

    if TYPE_CHECKING:
        add: _FrameMethod
        radd: _FrameMethod
        sub: _FrameMethod
        rsub: _FrameMethod
        mul: _FrameMethod
        rmul: _FrameMethod
        truediv: _FrameMethod
        rtruediv: _FrameMethod
        floordiv: _FrameMethod
        rfloordiv: _FrameMethod
        mod: _FrameMethod
        rmod: _FrameMethod
        pow: _FrameMethod
        rpow: _FrameMethod
        eq: _FrameMethod
        ne: _FrameMethod
        lt: _FrameMethod
        le: _FrameMethod
        gt: _FrameMethod
        ge: _FrameMethod
        div: _FrameMethod
        divide: _FrameMethod
        rdiv: _FrameMethod
        multiply: _FrameMethod
        subtract: _FrameMethod


class SeriesMethods:
    """The methods of series for operators; `_define` makes them."""

    __slots__ = ()

    if TYPE_CHECKING:
        add: _SeriesMethod
        radd: _SeriesMethod
        sub: _SeriesMethod
        rsub: _SeriesMethod
        mul: _SeriesMethod
        rmul: _SeriesMethod
        truediv: _SeriesMethod
        rtruediv: _SeriesMethod
        floordiv: _SeriesMethod
        rfloordiv: _SeriesMethod
        mod: _SeriesMethod
        rmod: _SeriesMethod
        pow: _SeriesMethod
        rpow: _SeriesMethod
        eq: _SeriesMethod
        ne: _SeriesMethod
        lt: _SeriesMethod
        le: _SeriesMethod
        gt: _SeriesMethod
        ge: _SeriesMethod
        div: _SeriesMethod
        divide: _SeriesMethod
        rdiv: _SeriesMethod
        multiply: _SeriesMethod
        subtract: _SeriesMethod


def _define() -> None:
    for op in _SIGNS:
        setattr(Operators, f"__{op}__", _forward(op))
        if op not in ("eq", "ne", "lt", "le", "gt", "ge"):
            setattr(Operators, f"__r{op}__", _reflected(op))
            for holder in (FrameMethods, SeriesMethods):
                setattr(holder, f"__i{op}__", _in_place(op))
        if op in ("and", "or", "xor"):
            continue
        for cls, of_frame in ((FrameMethods, True), (SeriesMethods, False)):
            setattr(cls, op, _method(op, op, False, of_frame))
            if op not in ("eq", "ne", "lt", "le", "gt", "ge"):
                setattr(cls, f"r{op}", _method(f"r{op}", op, True, of_frame))
    for alias, name in {
        "div": "truediv",
        "divide": "truediv",
        "rdiv": "rtruediv",
        "multiply": "mul",
        "subtract": "sub",
    }.items():
        for cls in (FrameMethods, SeriesMethods):
            setattr(cls, alias, getattr(cls, name))


_define()
