"""pandas as the oracle: the same frame built twice, the same code run on both, the results compared.

`agree` runs code with both libraries, `assert_like` compares two results. They compare values, labels, names,
dtypes (of columns, of row labels and of column labels, with units, zones and categories) and frequencies.
What differs on purpose (docs/design/decisions.md) is stated by the test:

- ``kept="a"`` or ``kept=["a", "b"]``: these columns (or levels of row labels) keep integers or booleans where
  pandas makes them floats or objects for missing values; ``kept=...`` says it of a series or an array.
- ``column_labels=object``: the type of column labels is not compared, but the labels are.
- ``refused=(KeyError, "not in the index")``: both libraries refuse the code with this class of error, Cuprum
  with this text in its message; ``unless_refused`` says so of what pandas refuses for some frames.
"""

import datetime
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

# Frames and series of a few rows, for programs that call them by these names.
SMALL = {
    "df": pd.DataFrame({"a": [1, 2], "b": [3, 4]}),
    "f": pd.DataFrame({"a": [1.5, np.nan], "b": [3.0, 4.0]}),
    "t": pd.DataFrame({"a": [1, 2], "t": pd.to_datetime(["2020-01-01", "2021-01-01"])}),
    "s": pd.Series([3, 1, 2]),
    "c": pd.Series(["a", "b", "a"], dtype="category"),
    "twice": pd.DataFrame([[1, 2, 3], [1, 2, 3]], columns=["a", "b", "b"]),
    "deep": pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("A", ""), ("B", "b")])),
    "levels": pd.DataFrame(
        {"a": range(4), "b": range(4)}, index=pd.MultiIndex.from_product([["x", "y"], [1, 2]])
    ),
    "durations": pd.Series(range(4), index=pd.to_timedelta(["1D", "36h", "2D", "3D"])),
}


# Running.


def agree(code, *, refused=None, unless_refused=None, **given):
    """Run ``code``, a program or a function of ``lib``, with both libraries and compare."""
    how = {option: given.pop(option) for option in OPTIONS if option in given}
    pairs = {name: f if isinstance(f, Pair) else pair(f) for name, f in given.items()}
    theirs = {name: p.theirs.copy() for name, p in pairs.items()}
    mine = {name: p.ours.copy() for name, p in pairs.items()}
    if refused is not None:
        assert_refused(code, refused, mine, theirs)
        return
    with warnings.catch_warnings():
        # What pandas deprecates or advises is not the subject; Cuprum's own warnings are errors.
        warnings.simplefilter("ignore")
        try:
            expected = run(code, pd, theirs)
        except unless_refused[0] if unless_refused else ():
            assert_refused(code, unless_refused, mine)
            return
    assert_like(run(code, cuprum, mine), expected, **how)


def run(code, lib, frames):
    """Call a function, or run a program: what its last line, an expression, gives after the lines before."""
    if callable(code):
        return code(lib, **frames)
    names = {"lib": lib, "np": np, "pd": pd, **frames}
    *lines, last = code.split("\n")
    exec("\n".join(lines), names)
    return eval(last, names)


def assert_refused(code, refused, mine, theirs=None):
    """Check that both libraries (ours alone without ``theirs``) raise a class, ours with a text in the message."""
    kind, text = refused
    for lib, names in ((pd, theirs), (cuprum, mine)):
        if names is None:
            continue
        # pandas' IndexingError is no IndexError.
        kinds = (kind, pd.errors.IndexingError) if lib is pd and kind is IndexError else kind
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = run(code, lib, names)
        except kinds as error:
            said = " ".join(map(str, error.args))
            assert lib is pd or text in said, f"{error!r} without {text!r}"
        else:
            raise AssertionError(f"{lib.__name__} does not refuse it: {found!r}")


# Comparing.

# Of `assert_like`, which `agree` hands on.
OPTIONS = {"kept", "rtol", "signs", "column_labels"}


def assert_like(actual, expected, *, kept=(), rtol=1e-12, signs=False, column_labels=None):
    """Check that ``actual``, Cuprum's, is the same as ``expected``, pandas': values, labels, types.

    Floats may differ by ``rtol``, and zeros in their sign unless ``signs``.
    """
    how = {"kept": kept, "rtol": rtol, "signs": signs, "column_labels": column_labels}
    if isinstance(expected, (list, tuple)):
        assert type(actual) is type(expected), f"{type(actual)}, expected {type(expected)}"
        assert len(actual) == len(expected), f"{actual!r}, expected {expected!r}"
        for a, e in zip(actual, expected, strict=True):
            assert_like(a, e, **how)
    elif isinstance(expected, slice):
        assert actual == expected
    elif isinstance(expected, dict):
        assert isinstance(actual, dict), f"{type(actual)}, expected a dict"
        assert_like(list(actual), list(expected))
        for (_, a), (_, e) in zip(actual.items(), expected.items(), strict=True):
            assert_like(a, e, **how)
    elif isinstance(expected, (pd.DataFrame, pd.Series, pd.Index)):
        kind = type(expected).__name__
        mine = type(actual).__name__
        # A range is one wherever a range can say the labels, levels are two or more.
        assert mine == kind or {mine, kind} <= {"Index", "RangeIndex"}, f"{mine}, expected {kind}"
        if not isinstance(actual, (pd.DataFrame, pd.Series, pd.Index)):
            actual = actual.to_pandas()
        _like_pandas(actual, expected, **how)
    elif isinstance(expected, np.ndarray):
        assert isinstance(actual, np.ndarray), f"{type(actual)}, expected an array"
        assert actual.shape == expected.shape, f"shape {actual.shape}, expected {expected.shape}"
        same = _keeps(kept, ...) or actual.dtype == expected.dtype
        assert same, f"{actual.dtype}, expected {expected.dtype}"
        _values(
            pd.Series(actual.ravel()),
            pd.Series(expected.ravel()),
            "the array",
            ...,
            kept=kept,
            rtol=rtol,
            signs=signs,
        )
    elif isinstance(expected, pd.api.extensions.ExtensionArray):
        if isinstance(expected, pd.Categorical):
            assert isinstance(actual, pd.Categorical), f"{type(actual)}, expected a Categorical"
        elif isinstance(actual, np.ndarray):
            # Texts in arrays are objects of NumPy here.
            assert isinstance(expected.dtype, pd.StringDtype), f"an array of NumPy, expected {type(expected)}"
            actual = pd.array(actual, dtype=expected.dtype)
        elif not isinstance(actual, pd.api.extensions.ExtensionArray):
            actual = actual.to_pandas().array
        _values(pd.Series(actual), pd.Series(expected), "the array", ..., kept=kept, rtol=rtol, signs=signs)
    else:
        _scalar(actual, expected, rtol, "")


def _like_pandas(actual, expected, *, column_labels, **how):
    if isinstance(expected, pd.DataFrame):
        assert actual.shape == expected.shape, f"shape {actual.shape}, expected {expected.shape}"
        _labels(actual.columns, expected.columns, "column labels", column_labels, **how)
        for i, label in enumerate(expected.columns):
            _values(actual.iloc[:, i], expected.iloc[:, i], f"column {label!r}", label, **how)
    elif isinstance(expected, pd.Series):
        assert _same_label(actual.name, expected.name), f"name {actual.name!r}, expected {expected.name!r}"
        _values(actual, expected, "the series", ..., **how)
    if isinstance(expected, pd.Index):
        _labels(actual, expected, "labels", **how)
    else:
        _labels(actual.index, expected.index, "row labels", **how)


def _same_label(a, b):
    """Whether a name is the other, which any label may be that pandas takes for it (1, 1.0 and True)."""
    return a is b or (_is_missing(a) and _is_missing(b)) or bool(a == b)


def _labels(actual, expected, where, dtype=None, **how):
    assert actual.nlevels == expected.nlevels, (
        f"{where}: {actual.nlevels} levels, expected {expected.nlevels}"
    )
    names, wanted = list(actual.names), list(expected.names)
    same = all(map(_same_label, names, wanted))
    assert same, f"{where}: names {names}, expected {wanted}"
    assert len(actual) == len(expected), f"{where}: {actual}, expected {expected}"
    for level, name in enumerate(wanted):
        a, e = (pd.Series(i.get_level_values(level), dtype=dtype) for i in (actual, expected))
        if len(e):  # pandas' empty indexes have types of their own
            _values(a, e, f"{where}, level {level}", ... if where == "labels" else name, **how)
    # One of both may not know how regular they are, and 24 hours are a day.
    mine, theirs = (_distance(getattr(i, "freq", None)) for i in (actual, expected))
    assert None in (mine, theirs) or mine == theirs, f"{where}: frequency {mine}, expected {theirs}"


def _distance(freq):
    """A frequency of days as that of as many times 24 hours, one of quarters' first days as that of months'."""
    if isinstance(freq, pd.offsets.Day):
        return pd.offsets.Hour(24 * freq.n)
    return pd.offsets.MonthBegin(3 * freq.n) if isinstance(freq, pd.offsets.QuarterBegin) else freq


def _keeps(kept, name):
    """Whether ``kept`` is or has the name of a column, ``...`` for series and arrays."""
    return name in (kept if isinstance(kept, list) else [kept])


def _values(actual, expected, where, name, *, kept, rtol, signs):
    actual, expected = actual.reset_index(drop=True), expected.reset_index(drop=True)
    assert len(actual) == len(expected), f"{where}: {len(actual)} rows, expected {len(expected)}"
    keeps = actual.dtype != expected.dtype and _keeps(kept, name)
    if keeps:
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
    elif expected.dtype == object and not keeps:
        for one, other in zip(a, e, strict=True):
            _scalar(one, other, rtol, f"{shown}: ")
    else:
        assert (a == e).all(), shown


def _scalar(actual, expected, rtol, where):
    """Check that two elements are the same, of the same kind: 1 is neither 1.0 nor True."""
    shown = f"{where}{actual!r}, expected {expected!r}"
    if isinstance(expected, (list, tuple, dict, np.ndarray, pd.DataFrame, pd.Series, pd.Index)):
        assert_like(actual, expected, rtol=rtol)
    elif _is_missing(expected):
        assert _is_missing(actual), shown
        assert (actual is pd.NaT) == (expected is pd.NaT), shown
    elif isinstance(expected, (bool, np.bool_)):
        assert isinstance(actual, (bool, np.bool_)) and actual == expected, shown
    elif isinstance(expected, (int, np.integer)):
        assert isinstance(actual, (int, np.integer)) and not isinstance(actual, bool), shown
        assert actual == expected, shown
    elif isinstance(expected, (float, np.floating)):
        assert isinstance(actual, (float, np.floating)), shown
        assert math.isclose(actual, expected, rel_tol=rtol, abs_tol=1e-12 if rtol else 0), shown
    else:
        if isinstance(expected, datetime.datetime):
            assert isinstance(actual, datetime.datetime), shown
            assert str(actual.tzinfo) == str(expected.tzinfo), shown
        assert actual == expected, shown


def _is_missing(value):
    return value is None or value is pd.NA or value is pd.NaT or (np.isscalar(value) and bool(pd.isna(value)))


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
