"""Answers that were other than pandas' without an error, each as a short program beside pandas."""

import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree, ours
from pandas.api.indexers import FixedForwardWindowIndexer
from pandas.errors import SpecificationError

import cuprum as cp

FRAME = pd.DataFrame({"a": [1.0, 2.0, 4.0, 8.0], "b": [3.0, 1.0, 2.0, 0.5]})
GROUPED = pd.DataFrame({"k": list("abab"), "v": [1.0, 2.0, 9.0, np.nan], "w": [np.nan, 1.0, 2.0, 3.0]})
MOMENTS = pd.DataFrame(
    {"t": pd.to_datetime(["2020-01-04 05:00", "2020-01-01 07:00", "2020-01-04 09:00"]), "v": [1, 1, 2]}
)
LEVELS = pd.Series(
    [10.0, 20.0, 30.0, 40.0],
    index=pd.MultiIndex.from_tuples([(2, "a", 9), (1, "c", 8), (2, "c", 9), (1, "c", 9)], names=list("xyz")),
)
BELOW = pd.DataFrame({("x", "a"): [np.nan, 2.0], ("x", "b"): [1.0, np.nan], ("y", "c"): [np.nan, 1.0]})


def _mapped(df):
    df["n"] = 1
    df.iloc[0, 0] = 100
    return df


@pytest.mark.parametrize(
    "code",
    [
        # What a function changes is changed in its result alone.
        lambda lib, df: [df.pipe(_mapped), df.pipe((lambda x, df: _mapped(df), "df"), 1), df],
        lambda lib, df: [df["a"].transform(lambda s: s.clip(upper=s.median())), df],
        # A condition for each column.
        "df.where(lib.Series([True, False], index=['a', 'b']), axis=1)",
        "df.where(lib.Series([False], index=['b']), -1.0, axis=1)",
        "df.mask(lib.Series([True, False], index=['a', 'b']), axis=1)",
        # Texts of columns are as long as they are.
        "df.to_numpy(dtype=str).tolist()",
        "df.assign(t=['x', 'long', '', 'z'], d=lib.to_datetime(['2020-01-01'] * 4)).to_numpy('U').tolist()",
        "df[[]].drop_duplicates()",
        "df[[]].duplicated(keep=False)",
        "df.set_axis([np.nan, 'b'], axis=1).filter(items=['b', np.nan]).shape",
        "df.set_axis(lib.date_range('2020-01-01', periods=4)).asof('2020-01-02').name",
        "df.assign(a=list('wxyz'), b=['1', '22', '333', '4'])[['b']].apply(lambda x: x[0], axis=1, raw=True)",
        "df.reindex(columns=lib.Series(['b', 'a'], name='n')).columns.name",
        "df[['b', 'a']].unstack().unstack().T",
        "df.rename_axis(columns='m').agg(x=('a', 'sum')).columns.name",
        # A frame without rows takes those of what it is given.
        "df[:0].assign(a=[1.0, 2.0])",
        "df[:0].rename_axis('n').assign(c=lib.Series([1.0, 2.0], index=['x', 'y']))",
        "df.iloc[:0][['b', 'a']].assign(c=[]).columns",
        "lib.DataFrame(index=lib.date_range('2020-01-01', periods=2))[:0].assign(c=1).index.dtype.kind",
        # A column that is computed is one, however many have its name.
        "df.set_axis(['a', 'a'], axis=1).select(a=[1, 2, 3, 4])",
        "df.set_axis(['a', 'a'], axis=1).select('a', a=lib.Series([1, 2, 3, 4], index=[3, 2, 1, 0]))",
        "df.rename_axis(columns='m').select().columns.name",
        # Rows without order keep theirs.
        "df[::-1].combine_first(df[:0].rename(columns={'a': 'c'}))",
        "df[:0].combine_first(df[::-1].rename(columns={'a': 'A'}))",
        "df['a'][::-1].combine_first(df['b'][:0])",
        "df.set_axis(lib.to_datetime(['2020-01-03', '2020-01-01', '2020-01-02', '2020-01-04'])).shift([0, 1], freq='D')",
        # Labels of columns have formats, too.
        "df.set_axis(lib.to_datetime(['2020-01-01', '2021-01-01']), axis=1).to_csv(date_format='%Y')",
        "df.set_axis([1.5, 2.25], axis=1).to_csv(float_format='%.1f', decimal=',')",
        "df.clip([2.0, 1.0])",
        "df.clip(upper=[2.0, 1.0])",
        "df.agg(['sum', 'max'], numeric_only=True)",
        "df['a'].set_axis(lib.date_range('2020-01-01', periods=4)).pct_change(freq='2D')",
        "df[:2].reindex_like(df, method='ffill')",
        "lib.date_range('2020-01-01', periods=2, tz='utc').tz_convert('dateutil/Europe/Paris').hour",
        "df.assign(t=lib.date_range('2020-01-01', periods=4, tz='UTC'))[['t', 't']].max(axis=1)",
    ],
)
def test_frames(code):
    agree(code, df=FRAME)


def test_dicts_of_rows_make_columns():
    df = ours(FRAME)
    found = df.apply(lambda row: {"z": row["a"] + row["b"], "y": 1.0}, axis=1, result_type="expand")
    assert found.to_dict("list") == {"z": (FRAME["a"] + FRAME["b"]).to_list(), "y": [1.0] * 4}


def test_frames_of_several_levels():
    agree("df.fillna({'x': -1.0})", df=BELOW)
    agree("df.fillna({'x': -1.0, ('x', 'b'): -2.0})", df=BELOW)
    agree("df.fillna({'x': {'a': -1.0}, ('y', 'c'): -2.0})", df=BELOW)
    for level in (0, 2, [0, 2]):
        agree("s.unstack(level, sort=False)".replace("level", str(level)), s=LEVELS)


@pytest.mark.parametrize(
    "code",
    [
        "g['v'].value_counts(bins=[0, 5], normalize=True)",
        "g['v'].value_counts(bins=[0, 5, 10], dropna=False)",
        "g['v'].rolling(indexer(window_size=2), min_periods=1).sum()",
        "g.cumsum(skipna=False)",
        "g['w'].cummax(skipna=False)",
        "g[['w']].cumprod(skipna=False)",
        "g.cummin(skipna=False)",
    ],
)
def test_groups(code):
    def run(lib, df):
        return eval(code, {"g": df.groupby("k"), "indexer": FixedForwardWindowIndexer})

    agree(run, df=GROUPED)


@pytest.mark.parametrize("listed", [False, True])
def test_groups_of_bins_are_labelled_by_their_bins(listed):
    for code in ["g['v'].value_counts()", "g.value_counts()", "g['v'].rolling(2).sum()"]:

        def run(lib, df, code=code):
            by = lib.Grouper(key="t", freq="D")
            return eval(code, {"g": df.groupby([by] if listed else by)})

        agree(run, df=MOMENTS)
    # Bins without rows count.
    agree(lambda lib, df: df.groupby(lib.Grouper(key="t", freq="D")).ngroup().to_list(), df=MOMENTS)


def test_keys_made_of_the_labels_of_levels():
    frame = LEVELS.to_frame("v")
    agree("df.groupby({9: 'p', 8: 'q'}, level='z').sum()", df=frame)
    agree("df.groupby([lambda x: -x, {'a': 1, 'c': 1}], level=['x', 'y']).sum()", df=frame)
    with pytest.raises(NotImplementedError, match="takes functions, mappings and series"):
        ours(frame).groupby("v", level="x")
    with pytest.raises(NotImplementedError, match="1 keys in `by` for 2 levels"):
        ours(frame).groupby(lambda x: x, level=["x", "y"])


def test_named_results_have_no_name_of_columns():
    agree("df.rename_axis(columns='m').groupby('k').agg(x=('v', 'sum'), y=('v', 'max'))", df=GROUPED)


@pytest.mark.parametrize(
    "code",
    [
        "df.rolling(3).cov(df * df, pairwise=True)",
        "df.expanding().corr((df * df).rename(columns={'a': 'c'}), pairwise=False)",
        "df['a'].rolling(2).cov(df['b'][1:].reset_index(drop=True).set_axis([2, 3, 4]))",
        "df['a'].ewm(com=1).corr(df['b'][2:])",
        "df.expanding().cov(df['b'][2:])",
        "df.rolling(2).apply(np.sum, True, None, None)",
        "df.rolling(2).apply(lambda s: s.sum(), engine='cython')",
        "[df.rolling(2, center=True).window, df.rolling(2).min_periods, df.ewm(span=3).span, df.ewm(com=1).alpha]",
    ],
)
def test_windows(code):
    agree(code, df=FRAME)


def test_windows_with_what_does_not_go_with_them():
    df = ours(FRAME)
    with pytest.raises(ValueError, match="columns are not unique"):
        df.set_axis(["a", "a"], axis=1).rolling(2).cov(df)
    with pytest.raises(NotImplementedError, match="`engine`='numba'"):
        df.rolling(2).apply(np.sum, engine="numba")
    with pytest.raises(NotImplementedError, match="other row labels"):
        df.groupby("a").rolling(2).cov(df["b"])


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("df.drop(index=[0], axis=1)", ValueError, "Cannot specify both 'axis' and 'index'/'columns'"),
        (
            "df.reindex(index=[0], axis=0)",
            TypeError,
            "Cannot specify both 'axis' and any of 'index' or 'columns'",
        ),
        (
            "df.drop_duplicates(ignore_index='x')",
            ValueError,
            "The 'ignore_index' parameter must be True or False, not",
        ),
        (
            "df.sort_values('a', ascending='False')",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
        (
            "df.sort_values(['a', 'b'], ascending=[True, None])",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
        (
            "df.sort_index(ascending=None)",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
        (
            "df['a'].sort_values(ascending='yes')",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
        (
            "df.reset_index(inplace='no')",
            ValueError,
            'For argument "inplace" expected type bool, received type',
        ),
        (
            "df['a'].clip(1, inplace=1)",
            ValueError,
            'For argument "inplace" expected type bool, received type',
        ),
        (
            "df.query('a > 1', inplace=1)",
            ValueError,
            'For argument "inplace" expected type bool, received type',
        ),
        ("df.astype({'a': str}).nlargest(1, 'a')", TypeError, "Cannot use method 'nlargest' with dtype str"),
        ("df['a'].astype(str).nsmallest(1)", TypeError, "Cannot use method 'nsmallest' with dtype str"),
        ("df.round({'a': 1.5})", TypeError, "Values in decimals must be integers"),
        ("df.round(lib.Series([1, 2], index=['a', 'a']))", ValueError, "Index of decimals must be unique"),
        ("+df.astype({'a': str})", TypeError, "bad operand type for unary +: 'str'"),
        (
            "df.rename(columns=lib.Series(['x', 'y'], index=['a', 'a']))",
            ValueError,
            "Cannot rename with a Series with non-unique index",
        ),
        ("df.set_index(np.arange(3))", ValueError, "Length mismatch: Expected 4 rows, received array of"),
        (
            "df.set_index(['a', np.arange(5)])",
            ValueError,
            "Length mismatch: Expected 4 rows, received array of",
        ),
        ("df.set_index({'a'})", TypeError, "`keys` has a set: keys are labels of columns, arrays, or"),
        (
            "df.set_axis(['a', 'a'], axis=1).stack()",
            ValueError,
            "Columns with duplicate values are not supported in stack",
        ),
        (
            "df.groupby('a').agg(['min', 'min'])",
            SpecificationError,
            "Function names must be unique if there is no new column",
        ),
        ("df.pipe((lambda x: x, 'x'), x=1)", ValueError, "x is both the pipe target and a keyword argument"),
        ("df.where([[1, 0]] * 4)", TypeError, "Boolean array expected for the condition, not int64"),
        ("df.where(True)", ValueError, "Array conditional must be same shape as self"),
        ("df['a'].mask([1, 0, 1, 0])", TypeError, "Boolean array expected for the condition, not int64"),
        ("df.agg({'a': {'x': 'sum'}})", SpecificationError, "nested renamer is not supported"),
        ("df.groupby('a').agg({'b': {'x': 'sum'}})", SpecificationError, "nested renamer is not supported"),
        ("df.clip([1.0])", ValueError, "`lower` has 1 elements for 2 columns"),
    ],
)
def test_nonsense_is_refused_as_by_pandas(code, error, text):
    agree(code, refused=(error, text), df=FRAME)


NUMBERED = pd.DataFrame([("A", "1", 1.0), ("B", "2", 2.0), ("A", "2", 3.0)])
HALVES = pd.DataFrame({"A": [1.0, np.nan], "B": [np.nan, 4.0]})
WIDTHS = pd.DataFrame({"i": [1], "j": np.array([1], "int32"), "f": [1.0], "g": np.array([1], "float32")})


def _in_place(operator, other):
    """The object that a name beside it has after an operator that puts its result there."""

    def program(lib, df):
        beside = df
        given = other(lib) if callable(other) else other
        df = getattr(df, operator)(given)
        return [beside, beside is df]

    return program


@pytest.mark.parametrize(
    "code",
    [
        # Numbers that are names of levels.
        "df.pivot(index=1, columns=0, values=2)",
        "df.set_index([1, 0]).swaplevel(0, 1)",
        "df.set_index([1, 0])[2].unstack(0)",
        "df.set_index([1, 0]).unstack(1)",
        "df.set_axis(['x', 0, 'v'], axis=1).set_index(['x', 0]).unstack('x')",
        "df.rename(columns={2: 'v'}).pivot_table('v', 1, 0, aggfunc='size', fill_value=0)",
        "lib.MultiIndex.from_tuples([], names=['a', 'b'])",
        "lib.MultiIndex.from_arrays(level for level in [[1, 2], [3, 4]])",
        "list(lib.MultiIndex.from_tuples([], names=['a', 'b']).factorize()[1].names)",
    ],
)
def test_levels_called_by_numbers(code):
    # Labels that are left of several types have the type of their own.
    agree(code, df=NUMBERED, column_labels=object)


@pytest.mark.parametrize(
    "code",
    [
        "df.add(lib.Series([np.nan, 2.0]), axis=0, fill_value=10)",
        "df.add(lib.Series([np.nan, 2.0], index=['A', 'B']), fill_value=10)",
        "df.rsub(lib.Series([np.nan, 2.0], index=['A', 'C']), fill_value=10)",
        "df.set_axis(['A', 'B']).add(lib.Series([10.0, np.nan], index=['A', 'C']), axis=0, fill_value=5)",
        "df.mul([np.nan, 3.0], fill_value=4.5)",
        "df.mul(np.array([np.nan, 3.0]), axis=0, fill_value=4.5)",
        "df.mul({'A': np.nan, 'B': 2.0}, fill_value=4.5)",
        # One to whatever power, and whatever to the power of none, is one.
        "df ** lib.DataFrame(index=[0, 1])",
        "lib.DataFrame(index=[0, 1]) ** df.fillna(0.0)",
        "df.A ** df.A[:0]",
        "df.A[:0] ** df.A.fillna(0.0)",
        "df[:1] ** df[1:]",
    ],
)
def test_what_only_one_side_has(code):
    agree(code, df=HALVES)


@pytest.mark.parametrize(
    ("operator", "other"),
    [
        ("__iadd__", 1),
        ("__imul__", lambda lib: lib.DataFrame({"B": [2.0, 3.0], "C": [1.0, 1.0]})),
        ("__itruediv__", lambda lib: lib.Series({"A": 2.0, "C": 3.0})),
        ("__ifloordiv__", 2),
        ("__imod__", 3),
        ("__ipow__", 2),
        ("__isub__", lambda lib: lib.DataFrame({"A": [1.0]}, index=[1])),
    ],
)
def test_operators_in_place(operator, other):
    agree(_in_place(operator, other), df=HALVES)
    if not callable(other):
        agree(_in_place(operator, other), df=HALVES["A"])


def test_elements_of_series_in_place():
    agree(_in_place("__iadd__", lambda lib: lib.Series([1.0], index=[1], name="z")), df=HALVES["A"])
    agree(_in_place("__iand__", lambda lib: lib.Series([True, False])), df=pd.Series([True, True]))


@pytest.mark.parametrize("types", [["int"], [int], ["float"], [float], [np.float64], ["int32"], ["number"]])
def test_types_of_any_width(types):
    agree(lambda lib, df: df.select_dtypes(types).columns.tolist(), df=WIDTHS)
    agree(lambda lib, df: df.select_dtypes(exclude=types).columns.tolist(), df=WIDTHS)


@pytest.mark.parametrize(
    "code",
    [
        "df.assign(i=lib.interval_range(0, 4)).select_dtypes('interval').columns.tolist()",
        "df.astype({'b': 'category'}).equals(df.astype({'b': 'category'}).assign(b=lambda d: d.b.cat.set_categories([3.0, 2, 1, 0.5])))",
        "df.b.astype('category').cat.as_ordered().equals(df.b.astype('category'))",
        "df.b.astype('category').equals(df.b.astype('category').cat.add_categories([7.0]))",
        "df.b.astype('category').equals(df.b[::-1].reset_index(drop=True).astype('category'))",
        "lib.Series([None, None], dtype='str').str.partition('_')",
        "lib.Series([None, None], index=['x', 'y'], dtype='str').str.rpartition('_')",
        "lib.Series([], dtype='str').str.partition('_').shape",
        "lib.Series([None, 'a_b'], dtype='str').str.partition('_')",
        "lib.Series([1, 2], dtype='M8[ns, UTC]').dtype.name",
        "lib.get_dummies(df.assign(i=lib.interval_range(0, 4), k=list('xyxy')))",
        "list(lib.DataFrame.from_records(lib.Series([[1, 2], [3, 4]])).columns)",
    ],
)
def test_of_types(code):
    agree(code, df=FRAME)


@pytest.mark.parametrize("name", ["where", "mask"])
def test_missing_truths_set_nothing_in_place(name):
    def program(lib, df):
        known = df.copy()
        flags = lib.Series([True, None, False, True], dtype="boolean")
        getattr(known["a"], name)(flags, -1.0)
        column = known["a"]
        getattr(column, name)(flags, -1.0, inplace=True)
        getattr(known, name)(lib.DataFrame({"a": flags, "b": flags}), -2.0, inplace=True)
        return [column, known]

    agree(program, df=FRAME)


def test_missing_truths_set_nothing():
    def program(lib, df):
        df[lib.DataFrame({"a": [True, None, False, True], "b": [None] * 4}, dtype="boolean")] = -1.0
        return df

    agree(program, df=FRAME)


# U+001C is a blank of `str.split`, too; ² and ½ are letters of a word, a combining accent is none.
WORDS = pd.Series(["a\x1cb c", "x²_1", "e\u0301‿½", "a&~-[]<>#", "", None])


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s",
        r"[\sx]+",
        r"\S",
        r"[^\S]",
        r"\w+",
        r"\W",
        r"[\W_]",
        r"\<",
        r"\>",
        "[a&&b]",
        "[]~~[]",
        "[+--]",
        "[a-b-~]",
        "[[:a]",
    ],
)
def test_patterns(pattern):
    agree(lambda lib, s: [s.str.replace(pattern, "!", regex=True), s.str.count(pattern)], s=WORDS)
    agree(
        lambda lib, s: [s.str.contains(pattern, na=False), s.str.findall(pattern).dropna().tolist()], s=WORDS
    )


def test_empty_matches_are_counted():
    # Of characters: pandas' Arrow strings count them at every byte of others than ASCII.
    agree(lambda lib, s: s.str.count("x*"), s=pd.Series(["abxd", "xx", "", None]))


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("df.groupby('a').filter(lambda g: g.b.sum())", TypeError, "expected a scalar bool"),
        ("df.groupby('a').filter(lambda g: 1)", TypeError, "expected a scalar bool"),
        ("df.groupby('a').b.filter(lambda g: g > 1)", TypeError, "boolean result"),
        ("lib.MultiIndex.from_tuples([])", TypeError, "Cannot infer number of levels from empty list"),
        ("lib.MultiIndex.from_arrays(3)", TypeError, "list / sequence of array-likes"),
        ("lib.MultiIndex.from_arrays([1, 2])", TypeError, "list / sequence of array-likes"),
        (
            "df.rename_axis(['n']).set_index(['a', df.b.rename('a')]).unstack('a')",
            ValueError,
            "multiple times",
        ),
        (
            "df.loc.__setitem__((df.a > 1, ['b', 'a', 'b']), df.set_axis(['x', 'y'], axis=1)[['x', 'y', 'x']].set_axis(list('bab'), axis=1))",
            ValueError,
            "non-unique columns",
        ),
    ],
)
def test_refused_as_in_pandas(code, error, message):
    for lib, df in ((pd, FRAME.copy()), (cp, ours(FRAME))):
        with warnings.catch_warnings(), pytest.raises(error, match=message):
            warnings.simplefilter("ignore")
            eval(code, {"lib": lib, "df": df})


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("cp.get_dummies(cp.DataFrame({'a': [b'x', b'y'], 'b': [1, 2]}))", TypeError, "'a'.*binary"),
        ("cp.DataFrame([[1, 2]], columns=cp.MultiIndex.from_tuples([('a', 'b', 0), ('a', 'c', 1)])) + cp.Series([1], index=cp.MultiIndex.from_tuples([('a', 'b')]))", NotImplementedError, "3 levels and a series with labels of 2"),
    ],
)  # fmt: skip
def test_refused(code, error, message):
    with pytest.raises(error, match=message):
        eval(code, {"cp": cp})
