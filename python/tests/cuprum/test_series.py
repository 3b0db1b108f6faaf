"""Series: making them, asking, changing, and what they have of their own."""

import io

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like, frames, given, ours, pair
from small_frames import SOLD

import cuprum


@pytest.mark.parametrize(
    "expression",
    [
        "lib.Series([1, 2, 3])",
        "lib.Series([1.5, None], name='x')",
        "lib.Series(['a', None])",
        "lib.Series([True, False], index=['p', 'q'])",
        "lib.Series({'a': 1, 'b': 2})",
        "lib.Series(5, index=[1, 2])",
        "lib.Series(np.arange(3, dtype='uint8'))",
        "lib.Series(range(4))",
        "lib.Series([], dtype='int64')",
        "lib.Series([], dtype='str')",
        "lib.Series([1, 2], dtype='float32')",
        "lib.Series(lib.Series([1, 2]), name='n')",
        "lib.Index([3, 1, 2], name='k')",
        "lib.Index(['b', 'a'])",
        "lib.RangeIndex(2, 8, 3)",
        "lib.MultiIndex.from_tuples([('a', 1), ('b', 2)], names=['x', 'y'])",
        "lib.MultiIndex.from_arrays([['a', 'b'], [1, 2]], names=['x', 'y'])",
    ],
)
def test_construction_of_a_series(expression):
    agree(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "len(s)",
        "s.shape",
        "s.size",
        "s.empty",
        "s.name",
        "str(s.dtype)",
        "s.index",
        "s.head(2)",
        "s.tail(2)",
        "s.rename('other')",
        "s.to_frame()",
        "s.to_frame('q')",
        "s.reset_index()",
        "s.reset_index(drop=True)",
        "s.tolist()",
        "list(s)",
        "s.to_list()",
        "s.copy()",
        "s.unique()",
        "s.nunique()",
        "s.is_unique",
        "s.hasnans",
        "s.shift(1)",
        "s.shift(-2)",
        "s.where(s > 0)",
        "s.where(s > 0, 0)",
        "s.mask(s > 0, 0)",
        "s.clip(0, 2)",
        "s.clip(upper=1)",
        "s.isin([3, 0])",
        "s.between(0, 2)",
        "s.between(0, 3, inclusive='neither')",
        "s.map({3: 30, 2: 20})",
        "s.replace(3, 33)",
        "s.replace([3, 2], [30, 20])",
        "s.astype('float32')",
        "s.astype('str')",
        "s.astype(float)",
        "s.astype('int16')",
        "s.abs()",
        "s.round()",
        "s.diff()",
        "s.cumsum()",
        "s.cummax()",
        "s.cummin()",
        "s.cumprod()",
        "s.argsort().tolist()[0]",
        "s.to_numpy()",
        "s.values",
        "s.is_monotonic_increasing",
        "s.duplicated()",
        "s.drop_duplicates()",
        "s.drop_duplicates(keep='last')",
        "s.drop_duplicates(keep=False)",
        "s.first_valid_index()",
        "s.item() if len(s) == 1 else 0",
        "s.sample(2, random_state=0).shape",
        "s.equals(s)",
        "[(k, v) for k, v in s.items()]",
    ],
)
def test_questions_of_a_series(expression):
    agree(expression, s=pd.Series([3, -1, 2, 3, 0], name="n"))


@given(frames(i="int?", f="float?", s="str?", b="bool?", t="time?"))
def test_unique_and_counts(f):
    for name in f.theirs:
        one = f"df['{name}']"
        agree(f"{one}.nunique()", df=f)
        agree(f"{one}.nunique(dropna=False)", df=f)
        agree(f"{one}.drop_duplicates()", df=f, kept=...)
        agree(f"{one}.duplicated(keep='last')", df=f)
        agree(f"{one}.value_counts(sort=False)", df=f, kept=["b", "i"])
        agree(f"{one}.value_counts(dropna=False)", df=f)
        agree(f"{one}.value_counts(normalize=True, ascending=True)", df=f, kept=["b", "i"])
    for name in "isft":
        unique = f.ours[name].unique()
        expected = f.theirs[name].drop_duplicates()
        assert len(unique) == len(expected)


@given(frames(i="int?", f="float?", s="str?"))
def test_drop_duplicates_of_rows(f):
    for keep in ("'first'", "'last'", "False"):
        agree(f"df.drop_duplicates(keep={keep})", df=f, kept="i")
        agree(f"df.drop_duplicates(['i', 's'], keep={keep})", df=f, kept="i")
        agree(f"df.duplicated(['f'], keep={keep})", df=f)
    agree("df.drop_duplicates('s', ignore_index=True)", df=f, kept="i")
    agree("df.nunique()", df=f)


@given(frames(i="int?", f="float?", t="time?"))
def test_running_totals(f):
    for name in "if":
        for how in ("cumsum", "cummax", "cummin"):
            agree(f"df['{name}'].{how}()", df=f)
    agree("df['f'].shift(2)", df=f)
    agree("df['t'].shift(-1)", df=f)


def test_names_and_scalars():
    s = cuprum.Series([1, 2, 3], name="a")
    s.name = "b"
    assert s.name == "b"
    assert cuprum.Series([7]).item() == 7
    with pytest.raises(ValueError):
        s.item()
    with pytest.raises(ValueError, match="The truth value of a Series is ambiguous"):
        bool(s)


def test_set(df):
    def change(lib, df):
        s = df["f"].copy()
        s[0] = 9.0
        s[s.isna()] = -1.0
        s.loc[2] = 0.5
        s.iloc[-1] = 2.5
        return s

    agree(change, df=df)


def test_numpy_functions_and_buffers():
    s = cuprum.Series([1.0, 4.0, 9.0])
    np.testing.assert_array_equal(np.sqrt(np.asarray(s)), [1, 2, 3])
    assert_like(s, ours(pd.Series([1.0, 4.0, 9.0])).to_pandas())


@pytest.mark.parametrize(
    "code", ["s.iloc[0] = True", "s.loc[0] = False", "b.iloc[0] = 1", "f.iloc[0] = True"]
)
def test_truth_values_are_no_numbers_to_be_stored(code):
    for lib in (pd, cuprum):
        series = {"s": lib.Series([1, 2]), "b": lib.Series([True, False]), "f": lib.Series([1.5, 2.5])}
        with pytest.raises(TypeError):
            exec(code, series)


@pytest.mark.parametrize("index", [pd.Index([1, 2], name="i"), pd.RangeIndex(2, name="r"), pd.Index(["a"])])
def test_a_series_of_labels_has_their_name(index):
    agree(lambda lib, index: lib.Series(index).name, index=index)
    assert cuprum.Series(index).name == pd.Series(index).name


@pytest.mark.parametrize(
    "arguments",
    ["bins=2", "bins=[0, 2, 6]", "bins=3, sort=False", "bins=3, normalize=True", "bins=[100, 200]"]
    + ["bins=2, ascending=True", "bins=[100, 200], dropna=False"],
)
def test_counts_of_intervals(arguments):
    agree(f"df.a.value_counts({arguments})", df=pd.DataFrame({"a": [1.0, 2.5, None, 4.0, 5.25, -0.0]}))
    with pytest.raises(TypeError, match="bins"):
        cuprum.Series(["a"]).value_counts(bins=2)


@pytest.mark.parametrize("options", [{}, {"verbose": False}, {"show_counts": False}, {"memory_usage": False}])
def test_info(options):
    theirs = pd.Series([1.5, None, 3.0], name="v")
    texts = []
    for series in (theirs, cuprum.Series(theirs)):
        buf = io.StringIO()
        series.info(buf=buf, **options)
        lines = [line for line in buf.getvalue().splitlines() if "memory" not in line]
        assert ("memory usage" in buf.getvalue()) == ("memory_usage" not in options)
        texts.append(lines[1:])
    assert texts[0] == texts[1]
    with pytest.raises(ValueError, match="max_cols"):
        cuprum.Series([1]).info(max_cols=1)


def test_case_when():
    s = pd.Series([6, 7, 8, 9], name="c")
    a, b = pd.Series([0, 0, 1, 2]), pd.Series([0, 3, 4, 5])
    mine, x, y = cuprum.Series(s), cuprum.Series(a), cuprum.Series(b)
    assert_like(mine.case_when([(x.gt(0), x), (y.gt(0), y)]), s.case_when([(a.gt(0), a), (b.gt(0), b)]))
    for cases in ([(lambda v: v > 7, lambda v: v * 2)], [(lambda v: v > 20, 0), (lambda v: v < 8, 1)]):
        assert_like(mine.case_when(cases), s.case_when(cases))
    for lib in (pd, cuprum):
        for cases, error in (((), TypeError), ([], ValueError), ([[1, 2]], TypeError), ([(1,)], ValueError)):
            with pytest.raises(error):
                lib.Series([1]).case_when(cases)


def test_filter_of_labels():
    s = pd.Series([1, 2, 3], index=["ab", "bc", "cd"], name="n")
    for options in ({"items": ["cd", "zz", "ab"]}, {"like": "b"}, {"regex": "^[bc]"}):
        assert_like(cuprum.Series(s).filter(**options), s.filter(**options))
    with pytest.raises(TypeError):
        cuprum.Series(s).filter()
    assert_like(cuprum.Series(s).infer_objects(), s.infer_objects())


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("a.v.repeat(-1)", ValueError, "negative"),
        ("a.v.repeat([1, 2])", ValueError, "repeats"),
        ("a.v.repeat('x')", TypeError, "repeats"),
    ],
)
def test_repetitions_that_are_refused(code, error, says):
    with pytest.raises(error, match=says):
        eval(code, {"a": pair(SOLD).ours})
