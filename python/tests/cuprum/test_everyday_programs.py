"""What everyday programs showed: tables by categories, margins beside numbers, labels and spreads of times."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

SIZES = pd.DataFrame(
    {
        "g": pd.Categorical(["b", "a", "b", "c"], categories=["c", "b", "a", "z"]),
        "o": pd.Categorical(["lo", "hi", "mid", "lo"], categories=["lo", "mid", "hi"], ordered=True),
        "k": list("xyxy"),
        "t": [True, False, True, True],
        "v": [1, 2, 3, 4],
    }
)
LEVELS = pd.DataFrame(
    np.arange(16).reshape(4, 4),
    index=pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["u", "v"]),
    columns=pd.MultiIndex.from_product([["X", "Y"], ["p", "q"]], names=["s", "t"]),
)
TIMES = pd.Series(pd.date_range("2024-01-01", periods=4, freq="36h"))


@pytest.mark.parametrize(
    "code",
    [
        "df.pivot_table(index='g', columns='o', values='v', observed=False)",
        "df.pivot_table(index='k', columns='o', values='v', aggfunc='sum', fill_value=0, margins=True)",
        "df.pivot_table(index='k', columns=['o', 't'], values='v', aggfunc='sum', fill_value=0)",
        "df.pivot_table(index='k', columns=['t', 'g'], values='v', aggfunc=['sum', 'max'], fill_value=0)",
        "df.pivot_table(index='k', columns='o', aggfunc='size', fill_value=0)",
        "lib.crosstab(df.g, df.o)",
        "lib.crosstab(df.k, df.o, normalize='index')",
        "lib.crosstab(df.k, df.o, margins=True)",
    ],
)
def test_columns_of_tables_stand_in_the_order_of_their_categories(code):
    # Labels of columns are no categories here.
    agree(f"({code}).to_string()", df=SIZES)


@pytest.mark.parametrize(
    "code",
    [
        "lib.crosstab(df.k, df.t, margins=True)",
        "lib.crosstab(df.k, df.v, margins=True)",
        "lib.crosstab(df.k, df.v, margins=True)['All']",
        "lib.crosstab(df.k, df.v, margins=True).loc['All']",
        "lib.crosstab(df.k, [df.v, df.t], margins=True, margins_name='T').to_string()",
        "df.pivot_table(index='k', columns='v', values='t', aggfunc='count', margins=True, fill_value=0)",
    ],
)
def test_margins_stand_beside_numbers_and_truth_values(code):
    agree(code, df=SIZES, kept=True)


def test_truth_values_become_no_numbers_where_columns_become_one():
    frame = cuprum.DataFrame({"a": [1.5, 2], "t": [True, False]})
    for change in (lambda: frame.melt(), lambda: frame.stack(), lambda: frame.unstack()):
        with pytest.raises(TypeError, match="columns of type bool and float64 have no common type"):
            change()


@pytest.mark.parametrize(
    "code",
    [
        "df",
        "df['X']",
        "df.T",
        "df.stack()",
        "df.xs('p', axis=1, level='t')",
        "df.rename_axis(columns=['a long name', 't'])",
        "df.reset_index()",
        "df['X'].rename_axis(columns='name')",
    ],
)
def test_names_of_levels_of_columns_are_printed_once(code):
    agree(f"repr({code})", df=LEVELS)


@pytest.mark.parametrize(
    "labels",
    [[5, -3, 10], [1.5, -3.25, 20.0], [-1, -2, -3], ["  b ", "a", " c"], [True, False, True], [5, 10, 20]],
)
def test_row_labels_keep_places_of_signs_and_spaces_of_their_own(labels):
    agree("repr(s)", s=pd.Series([1, 2, 3], index=labels))
    agree("repr(s.to_frame('a'))", s=pd.Series([1, 2, 3], index=labels))
    agree("repr(s)", s=pd.Series([1, 2, 3], index=pd.MultiIndex.from_arrays([labels, list("xyy")])))


@pytest.mark.parametrize(
    "inner", [[True, False, True], [1.5, 10.0, 100.0], [1, 10, 100], ["a", "bb", "c"], [True, True, True]]
)
def test_numbers_in_headers_are_equally_wide(inner):
    frame = pd.DataFrame(
        [[1, 2, 3]], columns=pd.MultiIndex.from_arrays([list("aab"), inner], names=["x", "yy"])
    )
    agree("repr(df)", df=frame)
    agree("repr(df.swaplevel(axis=1))", df=frame)
    agree("repr(df)", df=pd.DataFrame([[1, 2, 3]], columns=inner))
    agree("repr(df)", df=pd.DataFrame([list("abc")], columns=inner))


def test_missing_texts_in_levels():
    frame = pd.DataFrame({"c": ["x", None, "y"], "n": [1.0, None, 2.0], "v": [1, 2, 3]})
    agree("repr(df.set_index(['c', 'n']))", df=frame)
    agree("repr(df.set_index(['n', 'c']).v)", df=frame)
    agree("repr(df.set_index('c'))", df=frame)


def test_rows_of_several_types_are_printed_with_the_levels_of_their_labels():
    frame = LEVELS.astype({("X", "p"): str})
    agree("repr(df.iloc[1])", df=frame)
    agree("repr(df.loc[('B', 2)])", df=frame)
    agree("repr(df.idxmax())", df=LEVELS)
    mixed = SIZES.set_index(["v", "k"])[["t"]].assign(s="a")
    agree("repr(df.loc[(1, 'x')])", df=mixed)


@pytest.mark.parametrize(
    "code", ["s.std()", "s.std(ddof=0)", "s.iloc[:1].std()", "s.dt.tz_localize('UTC').std()"]
)
def test_spread_of_times(code):
    agree(code, s=TIMES)


def test_spread_of_times_in_frames():
    frame = pd.DataFrame({"d": TIMES, "e": TIMES + pd.Timedelta("1h"), "a": [1, 2, 3, 5]})
    agree("df[['d', 'e']].std()", df=frame)
    agree("repr(df.std())", df=frame)


@pytest.mark.parametrize("how", ["cummax", "cummin", "cumsum"])
def test_running_texts(how):
    texts = pd.Series(["b", None, "", "ä", "a", "b"], index=list("uvwxyz"))
    agree(f"s.{how}()", s=texts)
    agree(f"s.{how}(skipna=False)", s=texts)
    agree(f"s.iloc[1:4].{how}()", s=texts)
    agree(f"df.{how}()", df=texts.to_frame("a").assign(n=range(6)))


def test_running_products_of_texts_are_refused():
    with pytest.raises(TypeError, match="does not take str"):
        cuprum.Series(["a"]).cumprod()


@pytest.mark.parametrize(
    "texts",
    [
        ["5 Jan 2024", "16 Feb 2024"],
        ["5 January 2024", "16 May 2024"],
        ["May 5 2024", "January 6 2024"],
        ["Jan 5, 2024", None],
        ["05-Jan-2024", "6-feb-2024"],
        ["5/Jan/2024"],
        ["March 5, 2024 15:04"],
        ["5 Jan 2024 15:04:05"],
    ],
)
def test_months_by_their_names(texts):
    agree(f"lib.to_datetime(lib.Series({texts}))")


@pytest.mark.parametrize(
    "text", ["5 Foo 2024", "Jan 2024", "32 Jan 2024", "5 Jan, 2024", "5 Jan-2024", "Mayo 5 2024"]
)
def test_what_is_no_date_with_a_name_is_not_taken_for_one(text):
    with pytest.raises((ValueError, NotImplementedError)):
        cuprum.to_datetime(cuprum.Series([text]))


@pytest.mark.parametrize("low", [None, 1.0, 1.7, -np.inf, np.inf, np.nan, 2, -5.5])
@pytest.mark.parametrize("high", [None, 2.0, 2.5, np.inf, -np.inf, 2, 100.5])
def test_integers_are_limited_by_floats(low, high):
    for values in ([1, 2, 3], [5], [-3, 0, 7]):
        agree(f"lib.Series({values}).clip(low, high)".replace("low", repr(low)).replace("high", repr(high))
              .replace("nan", "float('nan')").replace("inf", "float('inf')"))  # fmt: skip


@pytest.mark.parametrize(
    "query",
    ["v > @limits['low']", "v > @limits[ 'low' ] and k == '@x[0]'", "v < @pair[-1]", "k == @deep['a'][0]"],
)
def test_elements_of_variables_in_queries(query):
    limits, pair, deep = {"low": 1}, (1, 3), {"a": ["x"]}  # noqa: F841
    frame = SIZES[["k", "v"]]
    expected = frame.query(query)
    pd.testing.assert_frame_equal(cuprum.from_pandas(frame).query(query).to_pandas(), expected)


def test_names_of_labels_that_are_joined():
    left = pd.Series([1.0, 2.0], index=pd.Index([1, 2], name="i"))
    for name in ("i", "j", None):
        right = pd.Series([1.0, None], index=pd.Index([2, 3], name=name))
        for code in ("a + b", "b + a", "a.add(b, fill_value=0)", "a.combine_first(b)", "b.combine_first(a)"):
            agree(code, a=left, b=right)
        agree("a + b", a=left.to_frame("x"), b=right.to_frame("x"))


def test_elements_are_deleted():
    series = cuprum.Series([1, 2, 3], index=list("abc"))
    del series["b"]
    assert series.to_dict() == {"a": 1, "c": 3}
    with pytest.raises(KeyError):
        del series["b"]


def test_times_of_day_keep_the_frequency():
    frame = pd.Series(range(12), index=pd.date_range("2024-01-01 00:07", periods=12, freq="7min"))
    agree("s.between_time('00:20', '00:50').index.freqstr", s=frame)
    agree("s.at_time('00:21')", s=frame)
    agree("s.between_time('00:50', '00:20')", s=frame)


def test_missing_integers_in_an_index():
    assert repr(cuprum.Index([1, None])) == "Index([1, <NA>], dtype='int64')"


def test_times_of_groups_are_described():
    frame = pd.DataFrame({"g": list("aabb"), "d": TIMES, "q": [1, 2, 3, 9], "s": list("xyzz")})
    for code in (
        "df.groupby('g')['d'].describe()",
        "df.groupby('g')[['d', 'q']].describe(percentiles=[0.1])",
        "df.groupby('g').describe()",
        "df.groupby('g').describe(include='all')",
        "df.groupby('g')[['q', 's']].describe(include='all')",
    ):
        # What pandas has as objects has a type here.
        agree(f"({code}).columns", df=frame)
        agree(f"[[str(v) for v in column] for column in ({code}).to_dict('list').values()]", df=frame)


def test_keys_that_repeat_are_pandas_errors():
    left, right = cuprum.DataFrame({"k": [1, 1]}), cuprum.DataFrame({"k": [1], "v": [2]})
    with pytest.raises(pd.errors.MergeError, match="not unique in left"):
        left.merge(right, on="k", validate="1:1")
    with pytest.raises(pd.errors.MergeError, match="not unique in left"):
        left.set_index("k").join(right.set_index("k"), validate="1:1")
    with pytest.raises(pd.errors.MergeError, match="no common columns"):
        left.merge(right[["v"]])


def test_changes_between_columns():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [2.0, None, 9], "c": [4, 4, 4]})
    for code in (
        "df.pct_change(axis=1)",
        "df.pct_change(2, axis='columns')",
        "df.pct_change(-1, fill_method=None)",
    ):
        agree(code, df=frame)


@pytest.mark.parametrize(
    "code",
    [
        "df.iloc[0].iloc[1]",
        "df.iloc[0].iloc[-1]",
        "df.iloc[0].iloc[1:3].to_dict()",
        "df.iloc[0].iloc[[0, -1]].to_dict()",
        "df.iloc[0].iloc[[True, False, True, False]].to_dict()",
        "df.iloc[0].loc['b']",
        "df.iloc[0].loc['b':].to_dict()",
        "df.iloc[0].loc[:'b'].to_dict()",
        "df.iloc[0].loc[['c', 'a']].to_dict()",
        "df.iloc[0]['a':'c'].to_dict()",
        "df.iloc[0][1:3].to_dict()",
        "df.iloc[1].isna().to_dict()",
        "df.iloc[1].notnull().to_dict()",
        "df.iloc[1].dropna().to_dict()",
        "df.iloc[1][df.iloc[1].notna()].to_dict()",
        "df.iloc[0][df.iloc[0] == 'x'].to_dict()",
        "df.iloc[0].loc[np.array(['a', 'c'])].to_dict()",
        "df.iloc[0][np.str_('b')]",
        "df.iloc[0].loc[np.str_('b')]",
        "len(df.iloc[1].dropna())",
    ],
)
def test_values_of_a_row_of_several_types(code):
    frame = pd.DataFrame(
        {"a": [1, 2], "b": ["x", None], "c": [1.5, float("nan")], "d": pd.to_datetime(["2024-01-01", None])}
    )
    agree(code, df=frame)


def test_values_of_a_row_are_set_by_position_and_label():
    row = cuprum.DataFrame({"a": [1], "b": ["x"]}).iloc[0]
    row.iloc[-1], row.loc["a"], row.loc["c"] = "y", 5, 2.5
    assert row.to_dict() == {"a": 5, "b": "y", "c": 2.5}
    with pytest.raises(NotImplementedError, match="one value at a time"):
        row.iloc[:2] = 1
    for error, wrong in [
        (IndexError, lambda row: row.iloc[4]),
        (IndexError, lambda row: row.iloc[-5]),
        (IndexError, lambda row: row.iloc[[True]]),
        (TypeError, lambda row: row.iloc["a"]),
        (KeyError, lambda row: row.loc["x"]),
    ]:
        for one in (row, row.to_pandas()):
            with pytest.raises(error):
                wrong(one)
    with pytest.raises(KeyError):  # pandas looks where it would stand among ordered labels
        row["x":]
    with pytest.raises(IndexError, match="position 7 is out of bounds for a row of 3"):
        row.iloc[7] = 1


@pytest.mark.parametrize(
    "code",
    [
        "df.value_counts('g')",
        "df.value_counts(['k', 'g'])",
        "df.value_counts(['g', 'o'], sort=False)",
        "df[['o', 't']].value_counts(normalize=True)",
        "df[['g', 'v']].value_counts(ascending=True, dropna=False)",
    ],
)
def test_rows_are_counted_with_the_categories_that_none_has(code):
    agree(f"repr({code})", df=SIZES)


UNSEEN = pd.DataFrame(
    {
        "a": ["x", "y", "x", "z", None, "y"],
        "b": [1, 2, 3, 4, 5, 6],
        "e": pd.Categorical(list("qqppqq"), categories=list("pqr")),
        "o": pd.Categorical(["u", None, "v", "u", "u", "u"], categories=["w", "v", "u"], ordered=True),
    }
)


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby(['a', 'b', 'e'], observed=False).size()",
        "df.groupby(['a', 'e', 'b'], observed=False).size()",
        "df.groupby(['e', 'a', 'b'], observed=False).size()",
        "df.groupby(['e', 'a', 'o', 'b'], observed=False).size()",
        "df.groupby(['b', 'o'], observed=False).size()",
        "df.groupby(['o', 'b', 'a'], observed=False, sort=False)['b'].sum()",
        "df.groupby(['e', 'a', 'b'], observed=False, sort=False).size()",
        "df.groupby(['b', 'e', 'a'], observed=False, dropna=False)['b'].sum()",
        "df.groupby(['a', 'b', 'e'], observed=False)['o'].count()",
        "df.value_counts(['a', 'b', 'e'])",
        "df.pivot_table(index=['a', 'b'], columns='e', values='b', aggfunc='sum', observed=False)",
    ],
)
def test_categories_meet_the_combinations_of_other_keys_that_there_are(code):
    agree(f"({code}).to_string()", df=UNSEEN)


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('a')[['e']].value_counts()",
        "df.groupby('a')[['e', 'b']].value_counts()",
        "df.groupby('a').value_counts()",
        "df.groupby('a')['e'].value_counts()",
        "df.groupby('a')['e'].value_counts(sort=False)",
        "df.groupby('a')['e'].value_counts(normalize=True, ascending=True)",
        "df.groupby('a')['o'].value_counts(dropna=False)",
        "df.groupby('e', observed=True)['o'].value_counts()",
        "df.groupby('a', as_index=False)['e'].value_counts()",
    ],
)
def test_categories_are_counted_in_every_group(code):
    agree(f"({code}).to_string()", df=UNSEEN)


def test_counts_in_groups_without_rows_are_refused():
    groups = cuprum.from_pandas(UNSEEN).groupby("e", observed=False)
    for counts in (groups[["b"]].value_counts, groups["b"].value_counts, groups["o"].value_counts):
        with pytest.raises(NotImplementedError, match="observed=True"):
            counts()
