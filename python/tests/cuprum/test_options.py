"""Options that say what comparisons with missing elements are, and how wide numbers are."""

import datetime
import decimal
import io
import operator
import re
import subprocess
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum

COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]
LOGIC = ["and_", "or_", "xor"]


@pytest.fixture
def as_cudf():
    with cuprum.option_context("mode.pandas_compatible", False):
        yield


@pytest.mark.parametrize(
    "name", ["mode.pandas_compatible", "default_integer_bitwidth", "default_float_bitwidth"]
)
def test_other_values_are_refused(name):
    before = cuprum.get_option(name)
    for value in ("bogus", 16, 1.5):
        with pytest.raises(ValueError, match=name):
            cuprum.set_option(name, value)
    assert cuprum.get_option(name) == before
    assert name in cuprum.describe_option(name, _print_desc=False)


# Comparisons and logic.


def _model(name, left, right):
    """What cuDF has: missing where an operand is."""
    function = getattr(operator, name)
    return [
        None if a is None or b is None else bool(function(a, b)) for a, b in zip(left, right, strict=True)
    ]


COLUMNS = {
    "int64": [3, None, -1, 2, None],
    "float64": [3.5, None, -1.0, 0.0, None],
    "str": ["b", None, "a", "é", None],
    "bool": [True, None, False, True, None],
    "datetime64[ns]": [datetime.datetime(2024, 1, day) if day else None for day in (3, 0, 1, 2, 0)],
    "timedelta64[ns]": [datetime.timedelta(days) if days else None for days in (3, 0, 1, 2, 0)],
    "decimal": [decimal.Decimal(v) if v else None for v in ("3.25", None, "-1.5", "2.00", None)],
}


def _column(kind, values):
    return cuprum.Series(values) if kind == "decimal" else cuprum.Series(values, dtype=kind)


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_are_missing_where_an_element_is(name, kind, as_cudf):
    values = COLUMNS[kind]
    other = values[-1:] + values[:-1]
    left, right = _column(kind, values), _column(kind, other)
    expected = _model(name, values, other)
    beside_one = _model(name, values, [values[0]] * 5)
    for got in (
        getattr(operator, name)(left, right),
        getattr(left, name)(right),
        cuprum.DataFrame({"a": left, "b": right}).eval(f"a {_SIGNS[name]} b"),
    ):
        assert (str(got.dtype), got.to_list()) == ("bool", expected)
    frame = cuprum.DataFrame({"a": left})
    assert getattr(left, name)(values[0]).to_list() == beside_one
    assert getattr(frame, name)(values[0])["a"].to_list() == beside_one
    assert getattr(operator, name)(frame, cuprum.DataFrame({"a": right}))["a"].to_list() == expected
    assert frame.eval(f"a {_SIGNS[name]} @one", local_dict={"one": values[0]}).to_list() == beside_one


_SIGNS = dict(zip(COMPARISONS, ["==", "!=", "<", "<=", ">", ">="], strict=True))


@pytest.mark.parametrize("name", LOGIC)
def test_logic_is_missing_where_a_truth_value_is(name, as_cudf):
    left, right = zip(*[(a, b) for a in (True, False, None) for b in (True, False, None)], strict=True)
    expected = _model(name, left, right)
    a, b = cuprum.Series(left), cuprum.Series(right)
    function = getattr(operator, name)
    assert function(a, b).to_list() == expected
    assert function(cuprum.DataFrame({"a": a}), cuprum.DataFrame({"a": b}))["a"].to_list() == expected
    for one in (True, False):
        assert function(a, one).to_list() == _model(name, left, [one] * 9)
    sign = {"and_": "&", "or_": "|", "xor": "^"}[name]
    if sign != "^":
        assert cuprum.DataFrame({"a": a, "b": b}).eval(f"a {sign} b").to_list() == expected


@given(
    left=st.lists(st.none() | st.integers(-3, 3), min_size=1, max_size=60),
    seed=st.integers(0, 2**32 - 1),
    name=st.sampled_from(COMPARISONS),
)
def test_filters_keep_no_row_of_a_missing_condition(left, seed, name):
    random = np.random.default_rng(seed)
    right = [None if random.random() < 0.3 else int(random.integers(-3, 4)) for _ in left]
    frame = cuprum.DataFrame(
        {
            "a": cuprum.Series(left, dtype="int64"),
            "b": cuprum.Series(right, dtype="int64"),
            "row": range(len(left)),
        }
    )
    with cuprum.option_context("mode.pandas_compatible", False):
        told = _model(name, left, right)
        kept = [row for row, keeps in enumerate(told) if keeps]
        others = [row for row, keeps in enumerate(told) if keeps is False]
        mask = getattr(frame["a"], name)(frame["b"])
        sign = _SIGNS[name]
        assert mask.to_list() == told
        assert frame[mask]["row"].to_list() == kept
        assert frame.loc[mask, "row"].to_list() == kept
        assert frame["row"][mask].to_list() == kept
        assert frame.query(f"a {sign} b")["row"].to_list() == kept
        assert frame[~mask]["row"].to_list() == others
        assert frame.query(f"not (a {sign} b)")["row"].to_list() == others


def test_what_follows_from_comparisons(as_cudf):
    numbers = cuprum.Series([1, None, 3])
    assert numbers.between(1, 2).to_list() == [True, None, False]
    assert (numbers > 1).sum() == 1 and (numbers > 1).count() == 2
    assert (cuprum.Series(["a", None], dtype="category") == "a").to_list() == [True, None]
    assert (cuprum.Series(["a", None], dtype="category") != "z").to_list() == [True, None]
    times = cuprum.Series(pd.to_datetime(["2024-01-01", None]))
    assert (times == "no time").to_list() == [False, None]
    zoned = cuprum.Series(pd.to_datetime(["2024-01-01", None]).tz_localize("UTC"))
    assert (zoned >= pd.Timestamp("2024-01-01", tz="UTC")).to_list() == [True, None]
    intervals = cuprum.Series([pd.Interval(0, 1), None])
    assert (intervals == pd.Interval(0, 1)).to_list() == [True, None]
    frame = cuprum.DataFrame({"a": [1, None], "b": [None, 2]})
    assert (frame == cuprum.Series({"a": 1, "b": 2})).to_dict("list") == {
        "a": [True, None],
        "b": [None, True],
    }
    one_sided = cuprum.Series([1, None]).eq(cuprum.Series([None, None], dtype="int64"), fill_value=1)
    assert one_sided.to_list() == [True, None]


def test_nan_that_comes_in_is_missing(as_cudf):
    for values in ([1.0, float("nan")], np.array([1.0, np.nan]), pd.Series([1.0, np.nan])):
        series = cuprum.Series(values)
        assert series.null_count == 1
        assert (series > 0).to_list() == [True, None]
    # Computed, it is a number that is less than, greater than and equal to nothing.
    zero = cuprum.Series([0.0, None])
    assert ((zero / zero) == 0).to_list() == [False, None]


def test_what_does_not_depend_on_it(as_cudf):
    numbers = cuprum.Series([1, None, 3])
    assert numbers.dtype == "int64"
    clipped = numbers.clip(cuprum.Series([2, 2, 2]))
    assert clipped.isna().to_list() == [False, True, False] and clipped.sum() == 5
    assert numbers.replace(1, 9).sum() == 12
    assert cuprum.Series(["", None]).str.isempty().to_list() == [True, False]
    assert numbers.isin([1]).to_list() == [True, False, False]
    assert numbers.equals(cuprum.Series([1, None, 3]))
    assert (cuprum.Index(["a", None]) == "a").tolist() == [True, False]
    frame = cuprum.DataFrame({"k": [2, 1, 2, None], "v": [1, 2, None, 4]})
    assert frame.groupby("k").sum()["v"].to_list() == [2, 1]
    assert frame.drop_duplicates("k")["v"].to_list() == [1, 2, 4]
    assert cuprum.get_dummies(cuprum.Series(["a", None]))["a"].to_list() == [True, False]
    assert frame.compare(frame).shape == (0, 0)
    assert frame.compare(frame.fillna(0)).shape == (2, 4)
    assert cuprum.IntervalIndex.from_breaks([0, 1]).is_empty.tolist() == [False]
    assert frame.nlargest(1, "v")["v"].to_list() == [4]


def test_threads_see_it():
    series, seen = cuprum.Series([1, None]), []
    with cuprum.option_context("mode.pandas_compatible", False):
        thread = threading.Thread(target=lambda: seen.append((series > 0).to_list()))
        thread.start()
        thread.join()
    assert seen == [[True, None]]
    assert (series > 0).to_list() == [True, False]


def test_the_environment_says_it():
    code = (
        "import cuprum; print((cuprum.Series([1, None]) > 0).to_list(), cuprum.Series([1]).dtype,"
        " cuprum.Series([1.5]).dtype)"
    )
    environment = {
        "CUDF_MODE_PANDAS_COMPATIBLE": "0",
        "CUPRUM_DEFAULT_INTEGER_BITWIDTH": "32",
        "CUPRUM_DEFAULT_FLOAT_BITWIDTH": "32",
    }
    import os

    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "[True, None] int32 float32"


# Widths.


@pytest.mark.parametrize("bits", [32, 64])
def test_inferred_numbers_are_as_wide_as_the_options_say(bits):
    whole, fraction = f"int{bits}", f"float{bits}"
    with cuprum.option_context("default_integer_bitwidth", bits, "default_float_bitwidth", bits):
        assert cuprum.Series([1, None]).dtype == whole
        assert cuprum.Series((1.5, None)).dtype == fraction
        assert cuprum.Series([np.int8(8), np.int16(128)]).dtype == whole
        assert cuprum.Series(range(3)).dtype == whole
        assert cuprum.Series(5, index=[0, 1]).dtype == whole
        assert cuprum.Index([1, 2]).dtype == whole and cuprum.Index([1.5]).dtype == fraction
        assert cuprum.RangeIndex(3).dtype == whole
        frame = cuprum.DataFrame({"a": [4, 5, 6, 7]})
        for kept in (
            frame[frame["a"] != 5],
            frame.iloc[[2, 0, 3]],
            frame.sort_values("a", ascending=False).drop(1),
        ):
            assert kept.index.dtype == whole and kept.index.get_level_values(0).dtype == whole
        assert cuprum.RangeIndex(2).union(cuprum.RangeIndex(5, 6)).dtype == whole
        assert cuprum.DataFrame({"a": [1]}).reset_index()["index"].dtype == whole
        assert cuprum.DataFrame([[1, 1.5]]).dtypes.to_list() == [whole, fraction]
        assert cuprum.DataFrame([{"a": 1, "b": 1.5}]).dtypes.to_list() == [whole, fraction]
        table = cuprum.read_csv(io.StringIO("a,b,c,d\n1,2.5,3,x\n"), dtype={"c": "int16"})
        assert [str(dtype) for dtype in table.dtypes] == [whole, fraction, "int16", "str"]
        table = cuprum.read_json(b'[{"a": 1, "b": 2.5, "c": "x"}]')
        assert [str(dtype) for dtype in table.dtypes] == [whole, fraction, "str"]
        table = cuprum.read_json(b'[{"a": 1, "b": 2}]', dtype={"b": "int8"})
        assert [str(dtype) for dtype in table.dtypes] == [whole, "int8"]


def test_given_types_stay():
    with cuprum.option_context("default_integer_bitwidth", 32, "default_float_bitwidth", 32):
        assert cuprum.Series([1], dtype="int64").dtype == "int64"
        assert cuprum.Series([1.5], dtype="float64").dtype == "float64"
        assert cuprum.Series(np.arange(3)).dtype == "int64"
        assert cuprum.from_pandas(pd.Series([1.5])).dtype == "float64"
        assert cuprum.read_csv(io.StringIO("a\n1\n"), dtype="int64")["a"].dtype == "int64"
        assert cuprum.Series([True]).dtype == "bool"
        # What 32 bits do not hold.
        assert cuprum.Series([2**31]).to_list() == [2**31]
        assert cuprum.Series([-(2**31)]).dtype == "int32"
        assert cuprum.RangeIndex(2**31, 2**31 + 2).dtype == "int64"


def test_labels_of_both_widths_meet():
    with cuprum.option_context("default_integer_bitwidth", 32):
        frame = cuprum.DataFrame({"k": [1, 2], "v": [3, 4]})
        other = frame.set_index("k")
        assert frame.join(other, on="k", rsuffix="_r")["v_r"].to_list() == [3, 4]
        assert frame["v"].add(cuprum.Series([1, 1], index=[1, 0]), fill_value=0).to_list() == [4, 5]
        assert frame.loc[[1, 0], "v"].to_list() == [4, 3]
        assert frame.reset_index().set_index("index").join(frame, rsuffix="_r")["v_r"].to_list() == [3, 4]


# The options of pandas.


def _options_of_pandas():
    from pandas._config import config

    return dict(config._registered_options)


def test_every_option_of_pandas_is_known():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, option in _options_of_pandas().items():
            default = cuprum.get_option(name)
            with cuprum.option_context(name, default):
                assert cuprum.get_option(name) == default
            if name not in ("display.max_columns", "mode.copy_on_write"):
                assert default == option.defval, name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("future.infer_string", False),
        ("future.python_scalars", True),
        ("future.distinguish_nan_and_na", True),
        ("io.parquet.engine", "fastparquet"),
        ("display.html.table_schema", True),
        ("mode.chained_assignment", "no"),
        ("mode.string_storage", "disk"),
        ("compute.use_numexpr", "yes"),
        ("plotting.backend", "no_such_module"),
        ("styler.format.precision", -1),
    ],
)
def test_values_of_options_that_are_refused(name, value):
    before = cuprum.get_option(name)
    with pytest.raises(ValueError, match=re.escape(f"option '{name}'")):
        cuprum.set_option(name, value)
    assert cuprum.get_option(name) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("display.max_rows", 4),
        ("display.min_rows", 2),
        ("display.max_columns", 3),
        ("display.width", 30),
        ("display.max_colwidth", 10),
        ("display.precision", 2),
        ("display.show_dimensions", False),
        ("display.show_dimensions", True),
        ("display.max_seq_items", 3),
        ("display.float_format", "{:.1f}".format),
    ],
)
def test_printing_follows_the_options_of_pandas_that_nobody_has_set_here(name, value):
    data = {**{f"column {i}": [i / 7] * 70 for i in range(9)}, "text": ["t" * 40] * 70}
    theirs = pd.DataFrame(data)
    ours = cuprum.DataFrame(data)
    before = repr(ours), cuprum.get_option(name)
    with pd.option_context(name, value):
        assert cuprum.get_option(name) == value
        assert repr(ours) == repr(theirs)
        assert repr(ours.iloc[:, 1]) == repr(theirs.iloc[:, 1])
        assert repr(ours.index[:0]) == repr(theirs.index[:0])
        assert repr(ours.columns) == repr(theirs.columns)
        assert repr(ours.index.rename("n")) == repr(theirs.index.rename("n"))
        assert repr(cuprum.Index(data["column 1"])) == repr(pd.Index(data["column 1"]))
        with cuprum.option_context(name, before[1]):
            assert (repr(ours), cuprum.get_option(name)) == before
        assert cuprum.get_option(name) == value
    assert (repr(ours), cuprum.get_option(name)) == before


def test_an_option_that_is_reset_follows_pandas_again():
    with pd.option_context("display.max_rows", 7):
        cuprum.set_option("display.max_rows", 5)
        assert cuprum.get_option("display.max_rows") == 5
        cuprum.reset_option("display.max_rows")
        assert cuprum.get_option("display.max_rows") == 7


def test_what_notebooks_begin_with():
    before = {name: cuprum.get_option(name) for name in ("mode.chained_assignment", "plotting.backend")}
    try:
        cuprum.options.mode.chained_assignment = None
        cuprum.options.plotting.backend = "matplotlib"
        cuprum.options.display.max_rows = 10
        cuprum.set_option("future.no_silent_downcasting", True, "display.max_rows", 20)
        assert cuprum.options.future.no_silent_downcasting is True
        assert cuprum.options.styler.format.precision == 6
        assert cuprum.options.io.excel.xlsx.reader == "auto"
        assert "excel" in dir(cuprum.options.io)
        assert cuprum.options.compute.use_numexpr is True
    finally:
        cuprum.set_option(before)
        cuprum.reset_option("future.no_silent_downcasting")
        cuprum.reset_option("display.max_rows")


def test_options_of_styles_reach_pandas():
    with cuprum.option_context("styler.format.precision", 2):
        assert pd.get_option("styler.format.precision") == 2
        assert "1.23<" in cuprum.DataFrame({"a": [1.23456]}).style.to_html()
    assert pd.get_option("styler.format.precision") == 6


def test_chained_assignment():
    def chained():
        frame = cuprum.DataFrame({"a": [1, 2]})
        frame["a"][0] = 5

    with pytest.warns(pd.errors.ChainedAssignmentError):
        chained()
    with cuprum.option_context("mode.chained_assignment", None):
        chained()
    with (
        cuprum.option_context("mode.chained_assignment", "raise"),
        pytest.raises(pd.errors.ChainedAssignmentError),
    ):
        chained()


PRINTED = {
    "display.max_seq_items": (
        [1, 2, 3, 30, 100, None],
        [
            "repr(lib.Index([*range(150)]))",
            "repr(lib.Index(list('abc')))",
            "repr(lib.CategoricalIndex(list('abcdefghij')))",
            "repr(lib.MultiIndex.from_product([list('ab'), range(60)]))",
            "repr(lib.date_range('2020', periods=40))",
        ],
    ),
    "display.max_categories": (
        [0, 1, 2, 5, 8, 9, 20],
        [
            "repr(lib.CategoricalIndex(list('abcdefghij')))",
            "repr(lib.Series(list('abcdefghij'), dtype='category'))",
        ],
    ),
    "display.html.border": ([0, 1, 3], ["lib.DataFrame({'a': [1]}).to_html()"]),
    "display.html.use_mathjax": ([True, False], ["lib.DataFrame({'a': ['$x$']})._repr_html_()"]),
    "display.notebook_repr_html": ([True, False], ["lib.DataFrame({'a': [1]})._repr_html_()"]),
    "display.max_dir_items": (
        [0, 1, 2, None],
        [
            "[n for n in dir(lib.DataFrame({'u1': [1], 'u2': [1]})) if n[0] == 'u' and n[1:].isdigit()]",
            "[n for n in dir(lib.Series([1, 1], index=['u1', 'u2'])) if n[0] == 'u' and n[1:].isdigit()]",
        ],
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_options_of_printing(name):
    values, codes = PRINTED[name]
    for value in values:
        for code in codes:
            found = []
            for lib in (pd, cuprum):
                with lib.option_context(name, value):
                    found.append(eval(code, {"lib": lib}))
            assert found[0] == found[1], (name, value, code)


def test_options_are_attributes_and_patterns():
    assert cuprum.options.display.max_rows == 60
    cuprum.options.display.max_rows = 5
    cuprum.options.display.unicode.east_asian_width = True
    assert cuprum.get_option("DISPLAY.max_r") == 5 and cuprum.get_option("east_asian")
    cuprum.reset_option("^display")
    assert cuprum.options.display.max_rows == 60 and not cuprum.get_option("east_asian")
    assert "max_rows" in dir(cuprum.options.display)
    for wrong in ("bogus", "display.bogus"):
        with pytest.raises(KeyError):
            cuprum.reset_option(wrong)
    with pytest.raises(AttributeError, match="bogus"):
        cuprum.options.display.bogus = 1
    with pytest.raises(AttributeError, match="bogus"):
        _ = cuprum.options.mode.bogus
    with pytest.raises(ValueError, match="four"):
        cuprum.reset_option("dis")
    with pytest.raises(KeyError):
        cuprum.get_option("^display")
    with pytest.raises(ValueError, match="large_repr"):
        cuprum.set_option("display.large_repr", "bogus")
