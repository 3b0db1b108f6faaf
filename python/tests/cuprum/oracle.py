"""pandas as the oracle: the same frame built twice, the same code run on both, the results compared.

What differs on purpose (docs/design/decisions.md) is stated by the test: ``kept=True`` lets columns of
integers and booleans keep their type where pandas makes them floats or objects for missing values.
"""

import math
import warnings
from typing import NamedTuple

import hypothesis
import numpy as np
import pandas as pd
import pyarrow as pa
from hypothesis import strategies as st

import cuprum


class Pair(NamedTuple):
    """One frame or series, in Cuprum and in pandas."""

    ours: object
    theirs: object


def pair(obj):
    """Give a pandas object its counterpart."""
    return Pair(ours(obj), obj)


def ours(obj):
    return getattr(cuprum, type(obj).__name__)(obj)


# Keys of which one is missing, values with and without missing ones, labels in no order.
GROUPS = pd.DataFrame(
    {
        "k": ["b", "a", "b", None, "a", "c"],
        "l": [1, 2, 1, 2, 1, 2],
        "v": [1.0, 2.5, None, 4.0, 5.25, -0.0],
        "i": [3, 1, 4, 1, 5, 9],
        "s": list("wxyzab"),
    },
    index=[3, 1, 2, 0, 7, 5],
)
# The same under labels that come twice.
GROUPS_TWICE = GROUPS.set_axis([1, 1, 2, 2, 3, 3])


# Running.


def agree(code, *, kept=False, rtol=1e-12, signs=False, **frames):
    """Run ``code``, an expression or a function of ``lib``, with both libraries and compare."""
    pairs = {name: f if isinstance(f, Pair) else pair(f) for name, f in frames.items()}
    with warnings.catch_warnings():
        # What pandas deprecates or advises is not the subject; Cuprum's own warnings are errors.
        warnings.simplefilter("ignore")
        expected = run(code, pd, {name: p.theirs.copy() for name, p in pairs.items()})
    actual = run(code, cuprum, {name: p.ours.copy() for name, p in pairs.items()})
    assert_like(actual, expected, kept=kept, rtol=rtol, signs=signs)


def run(code, lib, frames):
    return code(lib, **frames) if callable(code) else eval(code, {"lib": lib, "np": np, "pd": pd, **frames})


# Comparing.


def assert_like(actual, expected, *, kept=False, rtol=1e-12, signs=False):
    """Check that ``actual``, Cuprum's, is the same as ``expected``, pandas': values, labels, types."""
    how = {"kept": kept, "rtol": rtol, "signs": signs}
    if isinstance(expected, (list, tuple)):
        assert type(actual) is type(expected)
        assert len(actual) == len(expected)
        for a, e in zip(actual, expected, strict=True):
            assert_like(a, e, **how)
    elif isinstance(expected, slice):
        assert actual == expected
    elif isinstance(expected, dict):
        assert list(actual) == list(expected)
        for key, value in expected.items():
            assert_like(actual[key], value, **how)
    elif isinstance(expected, (pd.DataFrame, pd.Series, pd.Index)):
        kind = type(expected).__name__
        mine = type(actual).__name__
        assert mine == kind or {mine, kind} <= {"Index", "RangeIndex", "DatetimeIndex", "MultiIndex"}, mine
        _like_pandas(actual.to_pandas(), expected, **how)
    elif isinstance(expected, (np.ndarray, pd.api.extensions.ExtensionArray)):
        if isinstance(expected, pd.Categorical):
            assert isinstance(actual, pd.Categorical)
        elif not isinstance(actual, np.ndarray):
            actual = actual.to_pandas().array
        _values(pd.Series(actual), pd.Series(expected), "the array", **how)
    else:
        _scalar(actual, expected, rtol)


def _like_pandas(actual, expected, **how):
    if isinstance(expected, pd.DataFrame):
        assert actual.shape == expected.shape
        assert list(map(_plain, actual.columns)) == list(map(_plain, expected.columns))
        assert list(actual.columns.names) == list(expected.columns.names)
        assert _categories(actual.columns) == _categories(expected.columns)
        for i, label in enumerate(expected.columns):
            _values(actual.iloc[:, i], expected.iloc[:, i], f"column {label!r}", **how)
    elif isinstance(expected, pd.Series):
        assert _same_name(actual.name, expected.name), f"name {actual.name!r}, expected {expected.name!r}"
        _values(actual, expected, "the series", **how)
    _index(
        actual if isinstance(expected, pd.Index) else actual.index,
        expected if isinstance(expected, pd.Index) else expected.index,
        **how,
    )


def _categories(labels):
    """The categories of the levels of column labels, and whether these are in order."""
    dtypes = [labels.get_level_values(level).dtype for level in range(labels.nlevels)] if len(labels) else []
    return [(list(d.categories), d.ordered) if isinstance(d, pd.CategoricalDtype) else None for d in dtypes]


def _plain(label):
    if isinstance(label, tuple):
        return tuple(map(_plain, label))
    if isinstance(label, np.generic):
        label = label.item()
    # Of which none equals another.
    return math.nan if isinstance(label, float) and math.isnan(label) else label


def _same_name(a, b):
    return a == b or (pd.isna(a) and pd.isna(b))


def _index(actual, expected, **how):
    assert actual.nlevels == expected.nlevels, f"{actual.nlevels} levels, expected {expected.nlevels}"
    assert list(actual.names) == list(expected.names), f"names {actual.names}, expected {expected.names}"
    for level in range(expected.nlevels):
        a, e = (pd.Series(i.get_level_values(level)) for i in (actual, expected))
        if len(e):  # pandas' empty indexes have types of their own
            _values(a, e, f"index level {level}", **how)
        assert len(a) == len(e)


def _values(actual, expected, where, *, kept, rtol, signs):
    actual, expected = actual.reset_index(drop=True), expected.reset_index(drop=True)
    assert len(actual) == len(expected), f"{where}: {len(actual)} rows, expected {len(expected)}"
    if kept and actual.dtype != expected.dtype:
        a, e = actual.dtype.kind, expected.dtype.kind
        # Between the two libraries, the same numbers as integers, floats or (missing booleans) objects.
        if a in "iuf" and e in "iuf":
            actual, expected = actual.astype("float64"), expected.astype("float64")
        elif {a, e} <= set("bOf") and object in (actual.dtype, expected.dtype):
            actual, expected = actual.astype(object), expected.astype(object)
    assert actual.dtype == expected.dtype, f"{where}: {actual.dtype}, expected {expected.dtype}"
    missing = expected.isna().to_numpy()
    shown = f"{where}: {actual.tolist()}, expected {expected.tolist()}"
    assert (actual.isna().to_numpy() == missing).all(), shown
    a, e = actual.to_numpy()[~missing], expected.to_numpy()[~missing]
    if expected.dtype.kind == "f":
        assert np.allclose(a, e, rtol=rtol, atol=1e-12), shown
        assert not signs or (np.signbit(a) == np.signbit(e)).all(), shown
    else:
        assert (a == e).all(), shown


def _scalar(actual, expected, rtol):
    if (
        expected is None
        or (np.isscalar(expected) and pd.isna(expected))
        or expected is pd.NaT
        or expected is pd.NA
    ):
        assert actual is None or pd.isna(actual), f"{actual!r}, expected {expected!r}"
        return
    numbers = (int, float, np.number)
    if isinstance(expected, numbers) and not isinstance(expected, bool):
        assert isinstance(actual, numbers), f"{type(actual)}, expected {type(expected)}"
        assert not isinstance(actual, (bool, np.bool_))
        whole = isinstance(expected, (int, np.integer))
        assert isinstance(actual, (int, np.integer)) == whole, f"{actual!r}, expected {expected!r}"
        assert actual == expected if whole else math.isclose(actual, expected, rel_tol=rtol, abs_tol=1e-12)
    else:
        assert actual == expected, f"{actual!r}, expected {expected!r}"


# Building frames of every kind.

TEXTS = ["", "a", "b", "ab", "A", "é", "E\u0301", "ß", "日本", "🙂", " a ", "a,b", 'q"q', "line\nbreak"]
TIMES = [
    "1969-12-31T23:59:59.999999",
    "1970-01-01",
    "2000-02-29T12:30",
    "2013-01-01T05:00",
    "2013-12-31",
    "2262-01-01",
]

_quarters = st.integers(-40, 40).map(lambda i: i / 4)

# Cells of each kind, without missing values; sums of them are exact in any order.
CELLS = {
    "int": st.integers(-3, 3),
    "int32": st.integers(-3, 3),
    "wide": st.one_of(st.integers(-(2**63), 2**63 - 1), st.sampled_from([-(2**63), 2**63 - 1, 0])),
    "bool": st.booleans(),
    "float": st.one_of(_quarters, st.sampled_from([0.0, -0.0])),
    "str": st.sampled_from(TEXTS),
    "time": st.sampled_from(TIMES).map(np.datetime64).map(lambda t: t.astype("datetime64[us]").item()),
}
ARROW = {
    "int": pa.int64(),
    "int32": pa.int32(),
    "wide": pa.int64(),
    "bool": pa.bool_(),
    "float": pa.float64(),
    "str": pa.large_string(),
    "time": pa.timestamp("us"),
}
PANDAS = {
    "int": "int64",
    "int32": "int32",
    "wide": "int64",
    "bool": "bool",
    "float": "float64",
    "str": "str",
    "time": "datetime64[us]",
}


def cells(kind):
    """Cells of a kind: ``int``, ``float`` …; with ``?`` appended some are missing, floats NaN as well."""
    strategy = CELLS[kind.rstrip("?")]
    if kind.endswith("?"):
        absent = st.sampled_from([None, math.nan]) if kind == "float?" else st.none()
        strategy = st.one_of(strategy, strategy, absent)
    return strategy


def build(kinds, data):
    """The frame of ``data`` (lists of Python values, None is missing) in both libraries."""
    arrays, series = {}, {}
    for name, kind in kinds.items():
        base, values = kind.rstrip("?"), data[name]
        arrays[name] = pa.array(values, ARROW[base], from_pandas=False)
        dtype = PANDAS[base]
        if None in values:
            dtype = {"int": "float64", "int32": "float64", "wide": "float64", "bool": object}.get(base, dtype)
        series[name] = pd.Series(values, dtype=dtype)
    return Pair(cuprum.DataFrame.from_arrow(pa.table(arrays)), pd.DataFrame(series))


@st.composite
def frames(draw, max_rows=12, min_rows=0, **kinds):
    """Frames with the columns ``name="kind"``, as pairs."""
    rows = draw(st.integers(min_rows, max_rows))
    data = {n: draw(st.lists(cells(k), min_size=rows, max_size=rows)) for n, k in kinds.items()}
    return build(kinds, data)


def given(*strategies):
    """`hypothesis.given` with half the examples of the profile: each runs many statements, twice."""

    def decorate(test):
        examples = max(hypothesis.settings.default.max_examples // 2, 1)
        return hypothesis.settings(max_examples=examples)(hypothesis.given(*strategies)(test))

    return decorate
