"""NumPy's functions, and its arrays as operands, over frames, series and indexes."""

import operator

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, assert_like, ours
from small_frames import MIXED, TWO_NUMBERS

import cuprum


@pytest.mark.parametrize(
    "statement",
    [
        # Functions of NumPy over labels.
        "np.sqrt(lib.Index([1, 4, 9], name='a'))",
        "np.exp(lib.RangeIndex(3))",
        "np.add(lib.RangeIndex(3, name='a'), 1)",
        "np.bitwise_and(lib.Index([1, 4]), lib.Index([1, 5]))",
        "np.isnan(lib.Index([1.0, np.nan]))",
        "np.greater(lib.Index([1, 4]), 2)",
        "~lib.RangeIndex(3)",
    ],
)
def test_functions_of_numpy_over_labels(statement):
    agree(statement, **SMALL)


@pytest.mark.parametrize(
    "program",
    [
        # An array of one row or column is one for all.
        "df / df.sum(axis=1).to_numpy()[:, None]",
        "np.array([[1], [2]]) - df",
        "df == np.array([[1, 4]])",
        "df > np.array([[1], [4]])",
        "df.add(np.array([[1], [5]]))",
        "df.add(np.array([[1, 5]]), axis=0)",
        "(df > 1) & np.array([[True], [False]])",
        "df *= np.array([[1], [2]])\ndf",
        "df[['a']].iloc[:1] * np.array([[5]])",
    ],
)
def test_an_array_of_one_row_or_column_is_one_for_all(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df * np.ones((3, 1))", ValueError, "Unable to coerce to DataFrame, shape must be (2, 2)"),
        ("df * np.ones((2, 3))", ValueError, "Unable to coerce to DataFrame, shape must be (2, 2)"),
    ],
)
def test_arrays_of_other_shapes_are_refused(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


@pytest.mark.parametrize("op", ["add", "sub", "mul", "truediv", "floordiv", "mod"])
def test_arrays_operate_with_labels(op: str) -> None:
    import operator

    function = getattr(operator, op)
    array = np.array([5, 7])
    agree(lambda lib: function(array, lib.Index([2, 3], name="n")))
    agree(lambda lib: function(array, lib.RangeIndex(2, 4)))
    agree(lambda lib: function(np.int64(5), lib.Index([2, 3])))
    agree(
        lambda lib: getattr(
            np,
            {"sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide"}.get(
                op, op
            ),
        )(array, lib.Index([2, 3]))
    )


def test_arrays_of_times_operate_with_labels() -> None:
    agree(lambda lib: np.array(["2000"], "M8[s]") - lib.DatetimeIndex(["1999"]))
    agree(lambda lib: np.array([1], "m8[D]") + lib.DatetimeIndex(["1999"]))


@pytest.mark.parametrize(
    "code",
    [
        "np.maximum(df.a, lib.Index([0, 9, 9]))",
        "np.maximum(df.a, [0, 9, 9])",
        "np.minimum(5, df.a)",
        "np.minimum(df.a, lib.Series([1, 2], index=['y', 'q'], name='a'))",
        "np.log1p(df.f)",
        "np.isnan(df.f)",
        "np.frexp(df.f)",
        "np.hypot(df.a, df.f)",
        "np.log1p(n.abs())",
        "np.maximum(n, 2)",
        "np.clip(df.a, -1, 7)",
        "np.clip(n, -1, 7)",
        "df.a.apply(np.arctan)",
    ],
)
def test_functions_of_numpy_over_frames_and_series(code):
    agree(code, df=MIXED, n=TWO_NUMBERS)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "floordiv", "eq", "lt"])
@pytest.mark.parametrize("array", [np.array(2), np.array(2.5, dtype="float32"), np.array(True)], ids=repr)
def test_arrays_without_dimensions_are_scalars(name, array):
    function = getattr(operator, name)
    for theirs in (pd.Series([1, 2, 5]), pd.DataFrame({"a": [1.5, 2.0]}), pd.Series([1, 2], dtype="int8")):
        for one in (lambda x: function(x, array), lambda x: function(array, x)):
            expected = one(theirs)
            made = one(ours(theirs))
            assert_like(made, expected)
    times = pd.Series(pd.to_datetime(["2020", "2021"]))
    length = np.array(np.timedelta64(1, "s"))
    assert_like(ours(times) + length, times + length)


_ELEMENTS = {
    "a": pd.DataFrame({"x": [1, 5, 0], "y": [2, 2, 9]}),
    "turned": pd.DataFrame({"y": [7, 1, 4], "x": [3, 3, 8]}, index=[2, 1, 3]),
    "f": pd.DataFrame({"x": [1.5, None, 0], "y": [1.0, 2, 3]}),
    "b": pd.DataFrame({"x": [True, False, True], "y": [True, True, False]}),
}


@pytest.mark.parametrize(
    "operands",
    [
        "a, a",
        "a, f",
        "a, turned",
        "f, turned",
        "a, 2",
        "2, a",
        "a, a.to_numpy()",
        "a.to_numpy(), a",
        "a, a[['x']].to_numpy()",
    ]
    + ["b, b", "b, True", "b, a", "a.x, a.y", "f.x, a.y", "b.x, b.y", "b.x, a.x", "a.x, 0"],
)
@pytest.mark.parametrize(
    "function",
    [
        "maximum",
        "fmin",
        "arctan2",
        "hypot",
        "copysign",
        "logaddexp",
        "nextafter",
        "float_power",
        "heaviside",
        "divmod",
    ]
    + ["logical_and", "logical_or", "logical_xor"],
)
@pytest.mark.filterwarnings("ignore")
def test_functions_of_numpy_of_two_operands(function, operands):
    if function not in ("logical_and", "logical_or", "logical_xor") and operands.startswith("b"):
        return
    # pandas divides all columns of a type at once, and has floats in all where one is divided by 0.
    elements = {name: frame + (function == "divmod") for name, frame in _ELEMENTS.items()}
    expected = eval(f"np.{function}({operands})", {"np": np, **elements})
    own = {name: cuprum.from_pandas(frame) for name, frame in elements.items()}
    actual = eval(f"np.{function}({operands})", {"np": np, **own})
    pairs = zip(actual, expected, strict=True) if isinstance(expected, tuple) else [(actual, expected)]
    for found, wanted in pairs:
        compare = pd.testing.assert_frame_equal if wanted.ndim == 2 else pd.testing.assert_series_equal
        compare(found.to_pandas(), wanted)


LABELLED = pd.Series([1, 3, 2], index=list("xyz"), name="s")


TABLE = pd.DataFrame({"a": [1.0, 2.0, 3.0], "i": [4, 5, 6]})


@pytest.mark.parametrize(
    "code",
    [
        "np.add.reduce(s)",
        "np.multiply.reduce(s)",
        "np.maximum.reduce(lib.Series([1.0, np.nan]))",
        "np.logaddexp.reduce(s)",
        "np.minimum.reduce(df)",
        "np.add.reduce(df, axis=1)",
        "np.maximum.accumulate(s)",
        "np.add.accumulate(df)",
        "np.add.accumulate(df, axis=1)",
        "np.ptp(s)",
        "np.ptp(lib.Series([1.0, np.nan]))",
        "np.array([1, 2, 3]) @ df",
        "[1, 2, 3] @ df",
        "np.array([[1, 2, 3], [4, 5, 6]]) @ df",
        "[[1, 2, 3]] @ df",
        "df @ [[1, 2], [3, 4]]",
        "np.matmul(df, np.array([1, 2]))",
        "np.array([1, 2, 3]) @ s",
    ],
)
def test_numpy_over_all_elements(code):
    agree(code, **{name: value for name, value in (("s", LABELLED), ("df", TABLE)) if name in code})
