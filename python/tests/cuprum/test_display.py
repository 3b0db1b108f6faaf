"""Frames look as they do in pandas, character for character."""

import decimal
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from oracle import agree, given, ours

import cuprum

LONG = pd.DataFrame({"i": range(100), "f": np.arange(100) / 7, "s": [f"row {i}" for i in range(100)]})
WIDE = pd.DataFrame({f"column {i}": [i, i + 1] for i in range(40)})
SHOWN = {
    "numbers": pd.DataFrame({"i": [1, -20, 300], "f": [1.5, -20.25, 1e-3]}),
    "magnitudes": pd.DataFrame(
        {"f": [1e-10, 1.0, 1e10], "g": [1e300, -1e-300, 0.0], "h": [1e5, 1e6, 123456.789]}
    ),
    "whole floats": pd.DataFrame({"f": [1.0, 2.0, 1e15]}),
    "large": pd.DataFrame({"f": [1e16, 1.5, 2.0], "g": [123456789.123, 0.1, 1.0]}),
    "small": pd.DataFrame({"f": [0.00001, 0.5], "g": [1e-5, 2e-5]}),
    "many decimals": pd.DataFrame({"f": [1 / 3, 2 / 3, 1.0]}),
    "missing": pd.DataFrame(
        {"f": [1.5, np.nan], "s": ["a", None], "t": pd.to_datetime(["2013-01-01", None], format="ISO8601")}
    ),
    "infinite": pd.DataFrame({"f": [np.inf, -np.inf, 1.5, np.nan]}),
    "negative zero": pd.DataFrame({"f": [-0.0, 0.0, 1.0]}),
    "text": pd.DataFrame({"s": ["", "a", "日本語", "🙂", "é", "tab\t", "line\nbreak"], "n": range(7)}),
    "long text": pd.DataFrame({"s": ["x" * 200, "short"]}),
    "booleans": pd.DataFrame({"b": [True, False]}),
    "days": pd.DataFrame({"t": pd.to_datetime(["2013-01-01", "2014-12-31"], format="ISO8601")}),
    "times": pd.DataFrame(
        {"t": pd.to_datetime(["2013-01-01 05:00", "2014-12-31 23:59:59"], format="ISO8601")}
    ),
    "fractions": pd.DataFrame(
        {"t": pd.to_datetime(["2013-01-01 05:00:00.250", "2014-12-31 23:59:59"], format="ISO8601")}
    ),
    "durations": pd.DataFrame({"d": pd.to_timedelta(["1 days", "02:03:04"])}),
    "float32": pd.DataFrame({"f": np.array([0.1, 2.5], dtype="float32")}),
    "named index": pd.DataFrame({"v": [1, 2]}, index=pd.Index(["x", "y"], name="key")),
    "number index": pd.DataFrame({"v": [1.5, 2.5]}, index=pd.Index([0.5, 10.25], name="key")),
    "time index": pd.DataFrame(
        {"v": [1, 2]}, index=pd.to_datetime(["2013-01-01", "2013-01-02"], format="ISO8601")
    ),
    "two levels": pd.DataFrame(
        {"v": range(4)}, index=pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["k", "n"])
    ),
    "three levels": pd.DataFrame(
        {"v": range(8)}, index=pd.MultiIndex.from_product([["a", "b"], [1, 2], ["x", "y"]])
    ),
    "nested columns": pd.DataFrame(
        [[1, 2.5, 3], [4, 5.0, 6]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "x")])
    ),
    "named labels": pd.DataFrame(
        [[1, 2.5]], index=pd.Index(["x"], name="i"), columns=pd.Index(["a", "b"], name="c&<")
    ),
    "named columns": pd.DataFrame([[1, 2.5]], columns=pd.Index(["a", "b"], name="c")),
    "long labels of columns": pd.DataFrame(
        [[1, 2.5, "s", 3.0]],
        index=pd.Index(["row"], name="i"),
        columns=pd.MultiIndex.from_tuples(
            [("a", "three"), ("a", "seven"), ("a", "text"), ("longer", "x")], names=[None, "n"]
        ),
    ),
    "nested both": LONG.assign(k=LONG.i % 3).groupby("k")[["i", "f"]].agg(["sum", "mean"]),
    "long": LONG,
    "sixty": LONG.head(60),
    "sixty-one": LONG.head(61),
    "long two levels": LONG.assign(k=LONG.i // 10).set_index(["k", "i"]),
    "wide": WIDE,
    "long and wide": pd.DataFrame(np.arange(4000).reshape(100, 40)),
    "wide values": pd.DataFrame({f"c{i}": ["x" * 30] for i in range(6)}),
    "empty": pd.DataFrame({"a": [], "b": []}),
    "no columns": pd.DataFrame(index=range(3)),
    "nothing": pd.DataFrame(),
    "wide names": pd.DataFrame({"日本": [1], "a rather long name of a column": [2]}),
    "number names": pd.DataFrame({0: [1], 10: [2]}),
    "markup": pd.DataFrame({"<b>": ["<i>&amp;</i>"]}),
}


@pytest.fixture(autouse=True)
def same_options():
    """The defaults of notebooks; what a terminal is depends on how Python was started."""
    shown = ("display.max_columns", 20, "display.width", 80)
    with pd.option_context(*shown), cuprum.option_context(*shown):
        yield


@pytest.mark.parametrize("frame", SHOWN.values(), ids=SHOWN)
def test_frames_cut_to_the_width(frame):
    with pd.option_context("display.max_columns", 0), cuprum.option_context("display.max_columns", 0):
        assert repr(ours(frame)) == repr(frame)


@pytest.mark.parametrize("frame", SHOWN.values(), ids=SHOWN)
def test_printed_frames(frame):
    assert repr(ours(frame)) == repr(frame)
    assert str(ours(frame)) == str(frame)


def test_as_many_columns_as_fit():
    chance = np.random.default_rng(0)
    for columns in range(8, 24):
        numbers = chance.normal(size=(3, columns)) * 10.0 ** chance.integers(0, 4, columns)
        theirs = pd.DataFrame(numbers.round(int(columns) % 5), columns=[f"c{i}" for i in range(columns)])
        assert repr(ours(theirs)) == repr(theirs)
        theirs.columns = pd.MultiIndex.from_tuples([("top", "a" * (i % 6)) for i in range(columns)])
        assert repr(ours(theirs)) == repr(theirs)


@pytest.mark.parametrize("frame", SHOWN.values(), ids=SHOWN)
def test_html(frame):
    assert ours(frame)._repr_html_() == frame._repr_html_()


@pytest.mark.parametrize("frame", SHOWN.values(), ids=SHOWN)
def test_printed_series(frame):
    for i in range(min(frame.shape[1], 3)):
        column = frame.iloc[:, i]
        assert repr(ours(column)) == repr(column)


@pytest.mark.parametrize(
    "values",
    [
        [["a", "it's", 'a"b', "new\nline"], None, []],
        [[[["deep"]]], [[]]],
        [[[[["deeper", "it's", None]]]]],
        [[[[[1e20, 0.5]]]]],
        [[1e20, 1e-7, 0.1, np.inf, -0.0], [1.5, None]],
        [[True, None], [False]],
        [list(range(150)), []],
        [[pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-01 02:03:04.5")], []],
        [[pd.Timedelta("1 days 02:03:04"), None]],
        [[decimal.Decimal("1.50")]],
        [{"a": "it's", "b": 1e20, "c": ["x\ny"], "d": {"e": 0.1}}, None],
        [[{"a": "x"}], []],
    ],
    ids=repr,
)
def test_objects(values):
    """All but the type, which pandas does not know."""
    with pd.option_context("display.max_colwidth", None), cuprum.option_context("display.max_colwidth", None):
        theirs, mine = pd.Series(values), cuprum.Series(values)
        assert repr(mine).rsplit("\n", 1)[0] == repr(theirs).rsplit("\n", 1)[0]
        assert repr(mine.to_frame("column")) == repr(theirs.to_frame("column"))
        assert mine.to_frame("column").to_html() == theirs.to_frame("column").to_html()


def test_columns_without_a_name():
    theirs = pd.DataFrame({None: [1, 2]})
    assert repr(ours(theirs)[None]) == repr(theirs[None])


def test_printed_groups():
    days = pd.to_datetime(["2020-01-01", "2020-01-02", "2020-03-01"])
    theirs = pd.DataFrame({"k": ["x", "x", "y"], "v": [1, 2, 3]}, index=days)
    for frame in (theirs, theirs.reset_index(drop=True), pd.concat([theirs] * 40)):
        assert repr(ours(frame).groupby("k").groups) == repr(frame.groupby("k").groups)


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(5),
        pd.Index([1, 2, 3], name="n"),
        pd.Index(["a", "b"]),
        pd.Index([1.5, np.nan]),
        pd.Index([], dtype="int64"),
    ],
    ids=repr,
)
def test_printed_indexes(index):
    made = cuprum.DataFrame(pd.DataFrame({"v": range(len(index))}, index=index)).index
    assert repr(made) == repr(index)


floats = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-1000, 1000).map(lambda i: i / 8),
    st.integers(-20, 20).map(lambda e: 10.0**e),
)


@given(st.lists(floats, min_size=1, max_size=6))
def test_any_floats(values):
    frame = pd.DataFrame({"f": values})
    assert repr(ours(frame)) == repr(frame)


@given(st.lists(st.text("aé日🙂 ", max_size=70), min_size=1, max_size=4), st.integers(0, 10**9))
def test_printed_texts(values, number):
    frame = pd.DataFrame({"s": values, "n": number})
    assert repr(ours(frame)) == repr(frame)


def test_integers_with_gaps():
    text = repr(cuprum.DataFrame({"a": [1, None], "b": [True, None]}))
    assert text == "      a     b\n0     1  True\n1  <NA>  <NA>"


def test_to_string(df):
    assert ours(LONG).to_string() == LONG.to_string()


def test_info_names_every_column(df, capsys):
    ours(df).info()
    shown = capsys.readouterr().out
    assert all(name in shown for name in df.columns)


PRINTED = [
    pd.DataFrame(
        {"a": [1, -2], "b": [1.5, np.nan], "s": ["<x>", None], "t": pd.to_datetime(["2020-01-01", None])},
        index=pd.Index(["r", "ss"], name="k"),
    ),
    pd.DataFrame(
        {"v": [1, 2, 3]}, index=pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["x", None])
    ),
    pd.DataFrame({"a": range(30), "b<": np.arange(30) * 1234.5678, "text": ["<é" * 30] * 30}),
    pd.DataFrame({"neg": [-1.5, -2.5], "i": [10, 20]}),
    pd.DataFrame({"a": []}, dtype=float),
]


def _some(**values):
    return st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(given) for name, given in values.items()}
    )


FORMATS = [None, "%.3f", "%.2e", "{:,.2f}".format]
SHARED = {
    "index": [True, False],
    "header": [True, False],
    "na_rep": ["NaN", "-", "missing"],
    "float_format": FORMATS,
    "max_rows": [None, 2, 5, 8],
}
WHOLE = {"index_names": [True, False], "max_cols": [None, 2], "show_dimensions": [False, True]}


@given(st.sampled_from(PRINTED), _some(**SHARED, **WHOLE, line_width=[None, 30], min_rows=[None, 3]))
def test_texts_of_frames_with_arguments(df, arguments):
    # Without a header, but with names of levels, pandas cuts the labels one row above the values, and
    # marks the second line where lines go on.
    bare = not arguments.get("header", True) and any(df.index.names)
    assume(not bare or not (arguments.get("max_rows") or arguments.get("line_width")))
    assert ours(df).to_string(**arguments) == df.to_string(**arguments)


@given(
    st.sampled_from(PRINTED),
    _some(
        **SHARED,
        **WHOLE,
        bold_rows=[False],
        classes=["x y", ["z"]],
        escape=[False],
        notebook=[True],
        border=[0, 3],
        table_id=["T"],
    ),
)
def test_html_with_arguments(df, arguments):
    assert ours(df).to_html(**arguments) == df.to_html(**arguments)


@given(
    st.sampled_from(PRINTED).map(lambda df: df.iloc[:, -1]),
    _some(**SHARED, length=[True], dtype=[True], name=[True], min_rows=[None, 2]),
)
def test_texts_of_series_with_arguments(series, arguments):
    assert ours(series).to_string(**arguments) == series.to_string(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"float_format": 5}, "5"),
        ({"max_rows": 0}, "max_rows is 0"),
        ({"max_cols": 1.5}, "1.5"),
        ({"na_rep": None}, "na_rep"),
        ({"header": ["one", "two"]}, "2"),
        ({"border": -1}, "-1"),
    ],
)
def test_printing_names_what_is_wrong(arguments, message):
    frame = cuprum.DataFrame({"a": [1]})
    method = frame.to_html if "border" in arguments else frame.to_string
    with pytest.raises((TypeError, ValueError, NotImplementedError), match=message):
        method(**arguments)


@pytest.mark.parametrize("buf", [None, io.StringIO()])
@pytest.mark.parametrize("method", ["to_string", "to_html"])
def test_an_encoding_is_that_of_a_file(method, buf):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="encoding is specified"):
            getattr(lib.DataFrame({"a": [1]}), method)(buf, encoding="utf8")


@pytest.mark.parametrize(
    "frame", [pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [1, 2]})[[]]], ids=["rows", "none"]
)
@pytest.mark.parametrize("verbose", [None, False])
def test_the_end_of_info(frame, verbose):
    made = []
    for one in (frame, ours(frame)):
        text = io.StringIO()
        one.info(buf=text, memory_usage=False, verbose=verbose)
        made.append(text.getvalue().partition("\n")[2])
    assert made[1] == made[0]


@pytest.mark.parametrize("most", [1, 3, 10, 200, None])
@pytest.mark.parametrize("rows", [1, 10, 60, None])
def test_labels_of_frames_without_columns(most, rows):
    for theirs in (pd.DataFrame(index=range(100, 300)), pd.DataFrame(index=[f"r{i}" for i in range(80)])):
        shown = ("display.max_seq_items", most, "display.max_rows", rows)
        with pd.option_context(*shown), cuprum.option_context(*shown):
            assert repr(cuprum.from_pandas(theirs)) == repr(theirs)


def test_what_notebooks_that_become_documents_show():
    theirs = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    ours = cuprum.from_pandas(theirs)
    assert ours._repr_latex_() is None and ours.a._repr_latex_() is None
    pytest.importorskip("jinja2")
    with cuprum.option_context("styler.render.repr", "latex"):
        assert ours._repr_latex_() == theirs._repr_latex_()
        assert ours.a._repr_latex_() == theirs.a._repr_latex_()


WITHOUT_LABEL = {
    "of groups": pd.DataFrame({"t": ["r", None], "o": [True, False], "v": [1, 2]})
    .groupby(["t", "o"], dropna=False)
    .agg(m=("v", "max"))
    .T,
    "texts": pd.DataFrame([[1, 2]], columns=["a", None]),
    "numbers": pd.DataFrame([[1, 2]], columns=[1.0, np.nan]),
    "times": pd.DataFrame([[1, 2]], columns=pd.to_datetime(["2024-01-01", None])),
    "dates": pd.DataFrame([[1, 2]], columns=pd.date_range("2024", periods=2)),
    "lengths of time": pd.DataFrame([[1, 2]], columns=pd.timedelta_range("1D", periods=2)),
    "levels of numbers": pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([(1.0, 2), (np.nan, 3)])),
    "levels of times": pd.DataFrame([[1, 2]], columns=[pd.to_datetime(["2024-01-01", None]), ["x", "y"]]),
    "several types": pd.DataFrame([[1, 2, 3]], columns=["a", 1.5, True]),
}


@pytest.mark.parametrize("name", WITHOUT_LABEL)
def test_missing_labels(name):
    for theirs in (WITHOUT_LABEL[name], WITHOUT_LABEL[name].T):
        frame = ours(theirs)
        for call in ("__repr__", "to_html", "_repr_html_", "to_csv"):
            assert getattr(frame, call)() == getattr(theirs, call)(), call
    frame, theirs = ours(WITHOUT_LABEL["texts"]), WITHOUT_LABEL["texts"]
    assert frame.to_csv(na_rep="-") == theirs.to_csv(na_rep="-")


@pytest.mark.parametrize(
    "texts",
    [
        ["1us", "1s"],
        ["1ms", "1s"],
        ["1D", "1s"],
        ["1D", "2D"],
        ["1D", "1ns"],
        ["1 days 06:05:01.00003", "15.5us", None],
    ],
)
def test_lengths_of_time_are_printed_with_as_many_digits_as_one_needs(texts):
    agree(f"repr(lib.Series(lib.to_timedelta({texts})))")


def test_texts_in_lists_are_printed_without_quotes():
    agree("lib.Series(['a_b', 'c']).str.split('_').to_string()")
    agree("lib.Series([[['a'], ['b', 'c']], [[]]]).to_string()")
    agree("repr(lib.DataFrame({'l': [['a', None], [\"it's\"]], 'n': [1, 2]}).iloc[0])")
