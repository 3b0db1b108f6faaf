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
    agree(code, df=SIZES)


@pytest.mark.parametrize("code", ["df.melt()", "df.stack()", "df.unstack()", "df.T"])
def test_truth_values_become_no_numbers_where_columns_become_one(code):
    agree(code, df=pd.DataFrame({"a": [1.5, 2], "t": [True, False]}))


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
    "text", ["5 Foo 2024", "Jan 24", "32 Jan 2024", "5 Jan, 2024", "5 Jan-2024", "Mayo 5 2024"]
)
def test_texts_with_names_are_the_dates_that_they_are_in_pandas(text):
    try:
        pd.to_datetime([text])
    except ValueError:
        with pytest.raises(ValueError):
            cuprum.to_datetime(cuprum.Series([text]))
    else:
        agree(f"lib.to_datetime(lib.Series([{text!r}, None, {text!r}]))")


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
    row.iloc[:2] = 1
    assert row.to_dict() == {"a": 1, "b": 1, "c": 2.5}
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
    with pytest.raises(IndexError, match="cannot enlarge"):
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


@pytest.mark.parametrize("column", ["['b']", "[['b']]", "['o']"])
def test_counts_in_groups_without_rows(column):
    agree(f"df.groupby('e', observed=False){column}.value_counts().sort_index()", df=UNSEEN)


UPPER = pd.DataFrame(
    [[1, 2, 3, 4]] * 2,
    columns=pd.MultiIndex.from_tuples([("A", "u"), ("A", "v"), ("D", ""), ("E", "w")], names=["top", "sub"]),
)


@pytest.mark.parametrize(
    "code",
    [
        "df['D']",
        "df.D",
        "df.A",
        "df.A.u",
        "df['E']",
        "df.loc[:, 'D']",
        "df.loc[0, 'D']",
        "df.loc[df['D'] > 5, 'D']",
        "df[['D']]",
        "df.xs('D', axis=1)",
        "df.get('D')",
        "df.sort_values('D')",
        "df.groupby('D').sum()",
        "df.set_index('D')",
        "df.drop(columns='D')",
        "df.assign(F=5)['F']",
    ],
)
def test_columns_whose_inner_labels_are_empty(code):
    agree(code, df=UPPER)


def test_columns_below_a_label_are_no_column_of_its_name():
    df = cuprum.from_pandas(UPPER)
    assert df["E"].columns.to_list() == ["w"]
    with pytest.raises(AttributeError, match="'zz'"):
        _ = df.zz


GAPS = pd.DataFrame({"g": list("aab"), "z": ["q", None, "r"], "n": [1.5, None, 2]})


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby(['g', 'z'], dropna=False).n.sum()",
        "df.groupby(['z', 'g'], dropna=False).n.sum()",
        "df.groupby(['g', 'z'], dropna=False).n.sum().iloc[:2]",
        "df.value_counts(['g', 'z'], dropna=False)",
        "df.astype({'z': 'category'}).groupby(['g', 'z'], dropna=False, observed=True).n.sum()",
        "df.set_index(['g', 'z']).n",
        "df.pivot_table(index=['g', 'z'], values='n', dropna=False)",
        "df.set_index(['g', 'z']).head(0).index",
        "df.set_index(lib.Index([1, 2, 3], name=('A', 'u')))",
        "df.n.rename(('A', 1.5))",
        "lib.DataFrame({('a', 'b'): [1, 2], 'x': [3, 4]})",
        "lib.DataFrame({('a', 'b'): [1, 2], 'x': [3, 4]}).sum()",
        "lib.DataFrame({'x': [1]}, columns=lib.Index(['x'], name=('A', 'u'))).to_html()",
    ],
)
def test_missing_labels_and_tuples_are_printed(code):
    def printed(lib, df):
        made = eval(code, {"lib": lib, "df": df})
        return [made if isinstance(made, str) else repr(made)]

    agree(printed, df=GAPS)


def test_missing_keys_are_the_last_labels_of_their_level():
    sums = cuprum.from_pandas(GAPS).groupby(["z", "g"], dropna=False).n.sum()
    assert [list(codes) for codes in sums.index.codes] == [[0, 1, 2], [0, 1, 0]]
    agree("df.groupby(['z', 'g'], dropna=False).n.sum().index.to_frame()", df=GAPS)
    agree("df.groupby(['g', 'z'], dropna=False).n.sum().loc['a']", df=GAPS)
    # A missing one makes objects of texts that are column labels.
    agree("df.groupby(['g', 'z'], dropna=False).n.sum().unstack()", df=GAPS, column_labels=object)
    agree("df.groupby(['g', 'z'], dropna=False).n.sum().reset_index()", df=GAPS)


PAIRS = {
    "a": pd.DataFrame({"id": [1, 2, 2], "v": [1.5, 2.5, 3.5]}),
    "b": pd.DataFrame({"id": [2, 3, 2], "v": [10, 20, 30]}),
}


@pytest.mark.parametrize(
    "code",
    [
        "a.merge(b, on='id', suffixes=('_a', '_a'))",
        "a.merge(b, on='id', suffixes=(1, 2))",
        "a.merge(b, on='id', indicator='')",
        "a.join(b, how='cross', rsuffix='_b')",
        "lib.crosstab(['a', 'b', 'a'], [1, 2, 1])",
        "lib.crosstab(a.id.to_list(), b.id)",
        "a.v.rolling(2).agg({'x': 'sum', 'y': 'mean'})",
        "a.v.expanding().agg({'x': 'sum'})",
        "a.rename(columns={'id': 'v_y'}).merge(b, on='v')",
    ],
)
def test_joins_and_tables_of_every_day(code):
    agree(code, **PAIRS)


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        (
            "a.assign(_merge=1).merge(b, on='id', indicator=True)",
            ValueError,
            "Cannot use name of an existing column for indicator",
        ),
        (
            "a.merge(b, on='id', indicator='id')",
            ValueError,
            "Cannot use name of an existing column for indicator",
        ),
        ("a.assign(v_y=1).merge(b, on='id')", pd.errors.MergeError, "which cause duplicate columns 'v_y'"),
        ("a.join(b, how='cross', on='id')", pd.errors.MergeError, "Can not pass on, right_on, left_on"),
        (
            "a.v.rolling(2).agg({'x': ['sum', 'mean']})",
            pd.errors.SpecificationError,
            "nested renamer is not supported",
        ),
    ],
)
def test_joins_that_pandas_refuses(code, error, text):
    agree(code, refused=(error, text), **PAIRS)


@pytest.mark.parametrize(
    "code",
    [
        "lib.Series([[1.5], [2, 3]]).apply(lib.Series)",
        "lib.Series([{'b': 1.5}, {'a': 2.0, 'b': 3.0}]).apply(lib.Series)",
        "lib.Series(['a b', 'c']).str.split().apply(lib.Series)",
        "lib.Series([1, 2]).apply(lambda v: lib.Series({'z': v / 2, 'a': 1.5} if v > 1 else {'q': 0.5}))",
    ],
)
def test_elements_become_rows(code):
    agree(lambda lib: eval(code, {"lib": lib}))


def test_bytes_become_texts():
    s = pd.Series(["naïve", None, "straße"], index=list("xyz"), name="n")
    agree("s.str.normalize('NFKD').str.encode('ascii', 'ignore').str.decode('ascii')", s=s)
    agree("s.str.encode('utf-8').str.decode('latin-1')", s=s)
    agree("s.str.encode('utf-8').str.decode('ascii', errors='replace')", s=s)
    agree("s.str.encode('utf-8').str.len()", s=s)
    with pytest.raises(UnicodeDecodeError):
        cuprum.Series(["ä"]).str.encode("utf-8").str.decode("ascii")


@pytest.mark.parametrize(
    "texts",
    [
        ["1/2/24", "12/25/99"],
        ["01/02/2024 10:00 PM", "12/25/2024 1:05 am"],
        ["1/2/2024 10:00:05 PM", "12/25/2024 01:05:00 AM"],
        ["5-Jan-24", "31-Dec-68"],
        ["Jan 5, 2024 10:30 PM", "Feb 6, 2024 1:30 AM"],
        ["Jan 2024", "Feb 2024"],
        ["January-2024", "February-2024"],
    ],
)
@pytest.mark.parametrize("dayfirst", [False, True])
def test_times_as_people_type_them(texts, dayfirst):
    if dayfirst:
        texts = texts[:1]
    agree(f"lib.to_datetime(s, dayfirst={dayfirst})", s=pd.Series(texts))


@pytest.mark.filterwarnings("ignore:Parsing dates in", "ignore:Could not infer format")
@pytest.mark.parametrize(
    "texts",
    [
        ["13/2/24", "1/2/24"],
        ["1/2/24", "13/2/24"],
        ["13/2/2024 1:05 PM"],
        ["13/2/2024 10:00:05 PM", "12/11/2024 01:05:00 AM"],
        ["1/2/70"],
        ["1/2/24", "5/6/75"],
        ["5-Jan-69"],
    ],
)
def test_times_that_pandas_reads_one_by_one(texts):
    agree(lambda lib: lib.to_datetime(lib.Series([*texts, None, *texts], name="t")))
    agree(lambda lib: lib.to_datetime(lib.Series([*texts, "x"]), errors="coerce"))


def test_a_text_that_is_no_time_in_pandas_is_none():
    for lib in (pd, cuprum):
        with pytest.raises(ValueError):
            lib.to_datetime(lib.Series(["13:00 PM"]))


def test_labels_of_several_kinds_become_texts():
    labels = [1, "a", None, 2.5, pd.Timestamp("2024-01-01")]
    assert (
        cuprum.Index(labels).astype(str).equals(cuprum.Index(["1", "a", None, "2.5", "2024-01-01 00:00:00"]))
    )
    assert cuprum.Index(labels).astype(object).to_list()[:2] == [1, "a"]
    assert cuprum.Index([1, "2"]).astype(int).equals(cuprum.Index([1, 2]))
    with pytest.raises(ValueError, match="invalid literal"):
        cuprum.Index(labels).astype(int)


def test_errors_have_the_names_of_pandas():
    assert cuprum.errors.MergeError is pd.errors.MergeError
    with pytest.raises(cuprum.errors.EmptyDataError):
        cuprum.read_csv(b"")
    for text in (b"a,b\n1,2\n1,2,3\n", b'a,b\n1,"2\n'):
        with pytest.raises(cuprum.errors.ParserError):
            cuprum.read_csv(text)
    with pytest.raises(AttributeError, match="'zz'"):
        _ = cuprum.errors.zz


@pytest.mark.parametrize(
    "code",
    [
        "df.loc(axis=0)[1]",
        "df.loc(axis='columns')[['v']]",
        "df.iloc(axis=1)[0]",
        "df.iloc(axis=0)[[0, 2]]",
        "df.set_index(['id', 'v']).assign(w=1).loc(axis=0)[2, :]",
        "df.v.loc(axis=0)[1]",
    ],
)
def test_keys_of_one_axis(code):
    agree(code, df=PAIRS["a"])


def test_keys_of_one_axis_are_set():
    def changed(lib, df):
        df.loc(axis=1)["v"] = 7.5
        df.iloc(axis=0)[0] = 1
        return df

    agree(changed, df=PAIRS["a"])


@pytest.mark.parametrize("freq", ["BYS", "BME", "QS-FEB", "YE-JUN", "BYS-MAR", "QS", "D"])
def test_first_and_last_days_go_by_the_frequency(freq):
    for end in ("start", "end"):
        for unit in ("month", "quarter", "year"):
            agree(f"lib.date_range('2020-01-01', periods=6, freq={freq!r}).is_{unit}_{end}.tolist()")


@pytest.mark.parametrize("values", [[1.5], [1], [None, 1.0]])
@pytest.mark.parametrize("name", ["sum", "prod"])
def test_too_few_elements(name, values):
    agree(lambda lib: [type(getattr(lib.Series(values), name)(min_count=5)).__name__])


def test_too_few_durations():
    assert cuprum.Series([pd.Timedelta("1D")]).sum(min_count=2) is pd.NaT


def test_numbers_in_the_place_of_others_keep_the_type():
    s = pd.Series([1, -1, 3], dtype="int16")
    for other in (1.0, 1.5, [1.0, 2.0, 3.0], [1.5, 2.0, 3.0], [1.0, None, 3.0], [1, 2, 70_000]):
        given = other if isinstance(other, float) else pd.Series(other)
        code = "s.where(s > 0, o)" if isinstance(other, float) else "s.where(s > 0, lib.Series(o))"
        agree(lambda lib, s, code=code, o=given: eval(code, {"lib": lib, "s": s, "o": o}), s=s)
        agree(lambda lib, s, o=given: s.mask(s > 5, o if isinstance(o, float) else lib.Series(o)), s=s)
    floats = pd.Series([1.5, 2.5], dtype="float32")
    agree("f.where(f > 2, lib.Series([0.5, 1.0]))", f=floats)
    agree("f.where(f > 2, lib.Series([0.1, 1.0]))", f=floats)


def test_dicts_keep_their_labels():
    dicts = pd.Series([{"a": 1}, {"a": 2}], index=["x", "y"])
    assert cuprum.json_normalize(cuprum.Series([{"a": 1}, {"a": 2}], index=["x", "y"])).index.to_list() == [
        "x",
        "y",
    ]
    assert pd.json_normalize(dicts).index.to_list() == ["x", "y"]


def test_missing_elements_of_arrays_of_two_axes():
    array = np.array([[1.0, np.nan], [np.nan, 2.0]])
    assert cuprum.isna(array).tolist() == [[False, True], [True, False]]
    assert cuprum.notna(array).tolist() == [[True, False], [False, True]]


def test_weeks_without_a_day_are_no_times():
    with pytest.raises(ValueError, match="without day and year"):
        cuprum.to_datetime(cuprum.Series(["2024 1"]), format="%Y %W")
    agree("lib.to_datetime(lib.Series(['2024 1 Tue']), format='%Y %W %a')")


@pytest.mark.parametrize(
    "code",
    [
        "lib.util.hash_pandas_object(lib.Series([1, 2]))",
        "lib.util.hash_array(np.array([1, 2]))",
        "lib.arrays.IntervalArray.from_breaks([0, 1]).shape",
        "lib.io.sql.get_schema(lib.DataFrame({'a': [1]}), 't')",
    ],
)
def test_modules_of_pandas(code):
    agree(code)
