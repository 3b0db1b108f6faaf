"""Statements of the kinds that pandas' user guide shows, beside pandas."""

import functools
import io
import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum
from cuprum.errors import PerformanceWarning

FRAME = pd.DataFrame(
    {"a": [7, 8, -9], "f": [1.5, None, 3.25], "b": [True, False, True], "w": ["foo 12", None, "Bar"]},
    index=list("xyz"),
)
NUMBERS = FRAME[["a", "f"]]


@pytest.mark.parametrize(
    "code",
    [
        "divmod(df.a, 3)",
        "divmod(df.a, [2, 3, 4])",
        "divmod(7, df.f)",
        "divmod(n, 2)",
        "divmod(lib.Index([7, 8], name='i'), 3)",
        "divmod(9, lib.Index([7, 2]))",
        "2 ** lib.Index([1, 2])",
        "lib.Index([1, 2]) ** 2",
        "7 // lib.Index([2, 3])",
        "7 % lib.Index([2, 3])",
        "7 / lib.Index([2, 4])",
        "-df.b",
        "-df[['a', 'b']]",
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
def test_python_and_numpy_as_operators(code):
    agree(code, df=FRAME, n=NUMBERS)


@pytest.mark.parametrize("of", ["df", "df.a"])
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "mean", "median", "std", "var", "sem"])
def test_reductions_take_their_axis_by_position(of, name):
    agree(f"{of}.{name}(0)", df=NUMBERS)
    agree(f"{of}.{name}(0, False)", df=NUMBERS)
    agree(f"df.{name}(1)", df=NUMBERS)


@pytest.mark.parametrize("name", ["df.all(1)", "df.a.all(0)", "df.all(1, False, True)"])
def test_all_takes_its_axis_by_position(name):
    agree(name, df=NUMBERS)


@pytest.mark.parametrize(
    "key",
    [
        "'y', ('a', 'f')",
        "('x', 'y'), 'f'",
        "('x', 'z'), ('f', 'a')",
        "('y', 'a')",
        "('x', 'y'), :",
        ":, ('f', 'a')",
    ],
)
def test_a_tuple_is_a_list_of_labels_of_one_level(key):
    def change(lib, df):
        df.loc[key_of] = 5
        return df

    key_of = eval(f"np.s_[{key}]", {"np": np})
    agree(change, df=NUMBERS)
    if key != "('x', 'y'), 'f'":  # there pandas fails itself
        agree(f"df.loc[{key}]", df=NUMBERS)


def test_a_sample_is_drawn_as_numpy_was_seeded():
    def drawn(lib, df):
        np.random.seed(7)
        return [df.sample(), df.sample(2), df.a.sample(frac=1), df.sample(5, replace=True)]

    agree(drawn, df=NUMBERS)


@pytest.mark.parametrize(
    "code",
    [
        "words.str.extract('(?P<l>[ab])', expand=False)",
        "words.str.extract('([ab])', expand=False)",
        "words.str.get_dummies('1')",
    ],
)
def test_names_of_labels_that_come_of_texts(code):
    agree(f"(lambda words: {code})(lib.Index(['a1', 'b2'], name='q'))")


@pytest.mark.parametrize("join", ["left", "right", "outer", "inner"])
def test_texts_are_joined_by_label(join):
    agree(
        f"[s.str.cat(t, join='{join}', na_rep='-'), s.str.cat(s, join='{join}'),"
        f" s.str.cat([t, np.array(list('wxyz')), u], join='{join}', sep=',', na_rep='-')]",
        s=pd.Series(["a", None, "c", "d"], name="s"),
        t=pd.Series(list("zabde"), index=[-1, 0, 1, 3, 4]),
        u=pd.Series(list("bdac"), index=[1, 3, 0, 2]),
    )


def test_arrays_must_be_as_long_as_the_texts_they_are_joined_with():
    texts = cuprum.Series(["a", "b"])
    with pytest.raises(ValueError, match="others"):
        texts.str.cat([np.array(["x"]), cuprum.Series(["y"], index=[3])], join="outer")
    with pytest.raises(ValueError, match="join"):
        texts.str.cat(texts, join="bogus")


@pytest.mark.parametrize(
    "code",
    [
        "df.w.str.replace('[a-z]+', lambda m: m[0][::-1], regex=True)",
        "df.w.str.replace('o', lambda m: str(m.start()), n=1, regex=True)",
        "df.w.str.replace('O', lambda m: '0', n=0, regex=True)",
        "df.w.str.replace('B(?P<rest>.*)', lambda m: m['rest'], case=False, regex=True)",
        "df.w[:0].str.replace('o', lambda m: '0', regex=True)",
        "df.w[1:2].str.replace('o', lambda m: '0', regex=True)",
    ],
)
def test_matches_are_replaced_by_what_a_function_returns(code):
    agree(code, df=FRAME)


def test_functions_of_matches_are_of_regular_expressions_and_slow(each_call_warns):
    texts = cuprum.Series(["a"])
    with pytest.raises(ValueError, match="regex=False"):
        texts.str.replace("a", lambda m: "b")
    with pytest.warns(PerformanceWarning):
        texts.str.replace("a", lambda m: "b", regex=True)


@pytest.mark.parametrize(
    "dtype",
    ["Int64Dtype", "UInt8Dtype", "Float64Dtype", "BooleanDtype", "StringDtype"],
)
def test_types_and_arrays_of_pandas_make_columns(dtype):
    values = [None, "x"] if dtype == "StringDtype" else [1, None, 0]
    series = cuprum.Series(values, dtype=getattr(cuprum, dtype)())
    assert series.isna().to_list() == [value is None for value in values]
    array = cuprum.array(values, dtype=getattr(cuprum, dtype)())
    assert cuprum.Series(array).dtype == series.dtype and cuprum.Series(array).equals(series)
    assert cuprum.Series([1, 2, 3])[cuprum.array([True, False, True])].to_list() == [1, 3]


def test_types_of_columns_are_those_of_pandas_there():
    frame = cuprum.DataFrame(FRAME.assign(c=FRAME.w.astype("category")))
    pd.testing.assert_series_equal(frame.dtypes.to_pandas(), frame.to_pandas().dtypes)


def test_a_row_that_is_set_is_no_row_of_the_frame():
    frame = cuprum.DataFrame(FRAME)
    row = frame.iloc[0]
    row["a"], row["new"] = 100, 1
    assert row["a"] == 100 and row.to_dict()["new"] == 1
    assert frame.equals(cuprum.DataFrame(FRAME))


def test_aggregations_have_the_names_of_their_functions():
    quarter = functools.partial(lambda s, share: s.quantile(share), share=0.25)
    quarter.__name__ = "25%"
    agree(
        lambda lib, df: [df.agg(["min", quarter]), df.a.agg([quarter, "max"]), df.agg({"a": [quarter]})],
        df=NUMBERS,
    )


@pytest.mark.parametrize(
    "code",
    [
        "names.difference(['p'])",
        "names.union(['k'])",
        "names + ['k']",
        "names[:1]",
        "names == ['p', 'q']",
        "repr(names)",
    ],
)
def test_names_of_levels_are_a_list(code):
    def run(lib):
        found = eval(code, {"names": lib.MultiIndex.from_tuples([("a", 1)], names=["p", "q"]).names})
        return list(found) if isinstance(found, list) else found

    agree(run)


@pytest.mark.parametrize("change", ["names[0] = 'z'", "names.append('z')", "names.sort()", "del names[0]"])
def test_names_of_levels_do_not_change_one_by_one(change):
    for lib in (pd, cuprum):
        index = lib.Index([1, 2], name="i")
        with pytest.raises(TypeError):
            exec(change, {"names": index.names})
        assert list(index.names) == ["i"]


@pytest.mark.parametrize(
    "given",
    [
        "index='r', columns='c', fill_value=0",
        "index='r'",
        "index=['r', 'c']",
        "index='r', columns='c', values=['v', 'w'], fill_value=0",
        "index='r', columns='c', fill_value=0, dropna=False",
        "index=['r', 'w'], columns='c', fill_value=0, dropna=False",
    ],
)
def test_sizes_of_groups_are_those_of_no_column(given):
    frame = pd.DataFrame({"r": list("xxyx"), "c": list("ppqq"), "v": [1.0, None, 3, 4], "w": [1, 2, 3, 4]})
    agree(f"df.pivot_table({given}, aggfunc='size')", df=frame)


def test_a_label_that_a_row_gets_is_its_own():
    def run(lib):
        rows = [row for _, row in lib.DataFrame({"a": [1, 2], "s": ["x", "y"]}).iterrows()]
        rows[0]["new"] = 1
        rows[0]["a"] = 9
        return [[list(row.index), list(row)] for row in rows]

    agree(run)


@pytest.mark.parametrize("function", ["where", "mask"])
@pytest.mark.parametrize(
    "rest",
    [
        "df.mean(), axis=1",
        "df.f, axis='index'",
        "lib.Series([7, 8.5], index=['z', 'x']), axis=0",
        "lib.Series([7, 8], index=['f', 'q']), axis='columns'",
        "0, axis=1",
        "df * 2, axis=0",
    ],
)
def test_elements_of_a_series_for_rows_or_columns(function, rest):
    agree(f"df.{function}(df > 2, {rest})", df=NUMBERS)


def test_a_series_as_other_elements_needs_an_axis():
    frame = cuprum.DataFrame(NUMBERS)
    with pytest.raises(ValueError, match="axis"):
        frame.where(frame > 2, frame["a"])
    with pytest.raises(ValueError, match="axis"):
        frame["a"].where(frame["a"] > 2, 0, axis=1)


# Times as people write them.


@pytest.mark.parametrize(
    "text", ["2012-1-5", "2012/1/05", "2012-01-5 7:30", "2012-1-15 17:30:01.5", "2012-1"]
)
def test_days_months_and_hours_may_have_one_digit(text):
    agree(f"[lib.to_datetime(['{text}']), lib.DatetimeIndex(['{text}']), lib.Timestamp('{text}')]")
    agree(f"lib.date_range('{text}', periods=2)")
    agree(f"lib.Series(lib.to_datetime(['2012-01-05', '2012-01-01'])) >= '{text}'")


# Options of printing that pandas has.

TALL = pd.DataFrame(
    {"k": range(100), "v": np.arange(100) / 7},
    index=pd.MultiIndex.from_product([range(10), range(10)], names=["p", "q"]),
)
SHOWN = {
    "mixed": pd.DataFrame(
        {"a": [1.23456789, -0.0001, 3e9], "b": ["x", None, "z"], "c": [[[1], [2]], [[1, 2]], [[3]]]}
    ),
    "tall": TALL,
    "series": TALL["v"],
    "wide": pd.DataFrame(np.arange(60.0).reshape(2, 30) * 1e6),
    "wide characters": pd.DataFrame({"国籍": ["UK", "日本"], "名前": ["Alice", "しのぶ"]}),
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("display.chop_threshold", 0.5),
        ("display.colheader_justify", "left"),
        ("display.expand_frame_repr", False),
        ("display.float_format", "{:.1f}".format),
        ("display.multi_sparse", False),
        ("display.pprint_nest_depth", 1),
        ("display.unicode.east_asian_width", True),
        ("display.unicode.ambiguous_as_wide", True),
    ],
)
def test_options_of_printing_are_pandas(name, option, value):
    theirs = SHOWN[name]
    mine = cuprum.from_pandas(theirs)
    with pd.option_context(option, value), cuprum.option_context(option, value):
        assert repr(mine) == repr(theirs)
        assert mine.head(3).to_string() == theirs.head(3).to_string()
        if theirs.ndim == 2:
            assert mine.head(3).to_html(border=0) == theirs.head(3).to_html(border=0)
    assert repr(mine) == repr(theirs)


def test_large_frames_may_be_told_of():
    frame = cuprum.from_pandas(TALL)
    text = io.StringIO()
    frame.info(buf=text)
    with cuprum.option_context("display.large_repr", "info"):
        assert repr(frame) == text.getvalue()
    assert "MultiIndex: 100 entries, (0, 0) to (9, 9)" in text.getvalue()


def test_missing_integers_are_printed_as_ever():
    frame = cuprum.DataFrame({"i": [1, None], "b": [None, True]})
    with cuprum.option_context("display.multi_sparse", False):
        assert repr(frame).split() == ["i", "b", "0", "1", "<NA>", "1", "<NA>", "True"]
        assert repr(frame["i"]).endswith("dtype: int64")


def test_floats_as_engineers_write_them():
    theirs = pd.DataFrame({"a": [1.23456789, -0.0001, 3e9]})
    with cuprum.option_context("display.float_format", None), pd.option_context("display.float_format", None):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pd.set_eng_float_format(accuracy=2, use_eng_prefix=True)
        cuprum.set_eng_float_format(accuracy=2, use_eng_prefix=True)
        assert repr(cuprum.DataFrame(theirs)) == repr(theirs)


def test_info_is_short_where_options_say_so():
    wide = cuprum.DataFrame(np.zeros((2, 101)))

    def told(frame, **given):
        text = io.StringIO()
        frame.info(buf=text, **given)
        return text.getvalue()

    assert "Columns: 101 entries, 0 to 100" in told(wide) and "non-null" not in told(wide)
    narrow = wide[[0, 1]]
    assert "2 non-null" in told(narrow) and "memory" in told(narrow)
    with cuprum.option_context("display.max_info_columns", 1):
        assert "non-null" not in told(narrow)
        assert "2 non-null" in told(narrow, verbose=True, show_counts=True)
    with cuprum.option_context("display.max_info_rows", 1, "display.memory_usage", False):
        assert "non-null" not in told(narrow) and "memory" not in told(narrow)
        assert "memory" not in told(narrow[0]) and "memory" in told(narrow, memory_usage=True)


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


@pytest.mark.parametrize("frame", ["df", "df.a"])
def test_no_axis_in_agg(frame):
    for lib in (pd, cuprum):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(TypeError):
                eval(f"{frame}.agg('sum', 0, 1)", {"df": lib.DataFrame({"a": [1, 2]})})


# Orders that properties found to be others.


@pytest.mark.parametrize("given", ["", ", sort=False", ", sort=True", ", join='inner'"])
@pytest.mark.parametrize("labels", ["times", "instants", "durations", "texts"])
def test_rows_of_unlike_times_are_sorted_side_by_side(labels, given):
    times = pd.to_datetime(["2014-06-30", "2013-01-01", "2013-02-01"])
    kinds = {"times": times, "instants": times.tz_localize("UTC"), "durations": times - times[0]}
    index = kinds.get(labels, pd.Index(["b", "c", "a"]))
    left, right = pd.DataFrame({"i": [0.5, 1.5]}, index[:2]), pd.DataFrame({"j": [1.5, 2.5]}, index[1:])
    agree(f"lib.concat([x, y], axis=1{given})", x=left, y=right)
    agree(f"lib.concat([x, x.add_suffix('_r')], axis=1{given})", x=left)
    agree(f"lib.concat([x.i, y.j], axis=1{given})", x=left, y=right)
    whole = pd.DataFrame({"i": [0.5, 1.5, 2.5]}, index)
    agree(f"lib.concat([x, y.iloc[::-1]], axis=1{given})", x=whole, y=whole.add_suffix("_r"))


@pytest.mark.parametrize("given", ["", "sort=False", "ascending=True", "normalize=True"])
def test_labels_of_several_levels_are_counted_in_order(given):
    labels = [("b", 2), ("a", 1), ("c", 0), ("c", 0), ("a", 1), ("b", 2), ("a", 0)]
    agree(lambda lib: eval(f"index.value_counts({given})", {"index": lib.MultiIndex.from_tuples(labels)}))


@pytest.mark.parametrize("index", [["b", "a"], [2, 1], [1, 2]])
def test_stacked_rows_keep_the_order_of_their_labels(index):
    frame = pd.DataFrame({"i": [0, 5], "f": [7, 1]}, index=index)
    agree("[df.stack().unstack(), df.stack().unstack(0), list(df.stack().index.levels[1])]", df=frame)


@pytest.mark.parametrize("other", ["np.array(['b', 'a'])", "['b', 'a']", "lib.Series(['b', 'a'])"])
@pytest.mark.parametrize("sign", ["<", ">="])
def test_categories_have_no_order_among_other_elements(other, sign):
    for lib in (pd, cuprum):
        series = lib.Series(pd.Categorical(["a", "b"], categories=["b", "a"], ordered=True))
        with pytest.raises(TypeError, match="Cannot compare"):
            eval(f"series {sign} {other}", {"lib": lib, "np": np, "series": series})
    agree(f"lib.Series(pd.Categorical(['a', 'b'])) == {other}")
