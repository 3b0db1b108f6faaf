"""Labels of columns: any scalar, and what keeps them."""

import datetime
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from oracle import agree, ours
from small_frames import ROWS

import cuprum

DF = pd.DataFrame({"b": [1, 2], "a": [3.0, 4.0]})
NAMED = DF.rename_axis(columns="cc").rename_axis("r")
NESTED = pd.DataFrame(
    [[1, 2.0, 3], [4, 5.0, 6]],
    columns=pd.MultiIndex.from_tuples([("x", "p"), ("x", "q"), ("y", "p")], names=["o", "i"]),
)
TIMED = pd.DataFrame({"v": [1, 2], "w": [3, 4]}, index=pd.DatetimeIndex(["2013-01-01", "2014-02-03 04:05"]))
LABELS = {
    "floats": [1.5, -2.0, 0.25],
    "whole floats": [1.0, 2.0, 3.0],
    "truth": [True, False],
    "dates": list(pd.DatetimeIndex(["2013-01-01", "2014-02-03 04:05"])),
    "spans": list(pd.to_timedelta([1, 90], unit="s")),
    "texts": ["b", "", "a"],
    "numbers": [3, 1, -7],
    "range": [0, 1, 2],
    "of several kinds": [0, "a", 2.5],
    "dates and texts": [pd.Timestamp("2013-01-01"), "a"],
    "tuples": [("a", 1), ("a", 2), ("b", 1)],
    "tuples of several kinds": [("a", 1), ("b", "x")],
}


def labelled(name):
    labels = LABELS[name]
    columns = pd.MultiIndex.from_tuples(labels) if isinstance(labels[0], tuple) else labels
    return pd.DataFrame([range(len(labels)), range(len(labels))], columns=columns)


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize(
    "expression",
    ["df", "df.T", "df.T.T", "df + 1", "df + df", "df.sum()", "df.iloc[0]", "df.columns", "df.iloc[:, ::-1]"],
)
def test_labels_of_every_kind(name, expression):
    agree(expression, df=labelled(name))


@pytest.mark.parametrize("name", LABELS)
def test_columns_are_found_by_labels_of_every_kind(name):
    for label in LABELS[name]:
        agree(lambda lib, df, label=label: df[label], df=labelled(name))
        agree(lambda lib, df, label=label: df.loc[0, label], df=labelled(name))


@pytest.mark.parametrize("name", LABELS)
def test_labels_come_back(name):
    frame = cuprum.DataFrame(labelled(name))
    theirs = labelled(name)
    for given, label in zip(LABELS[name], frame, strict=True):
        assert given == label and (type(label) is str) == (type(given) is str)
    pd.testing.assert_index_equal(frame.to_pandas().columns, theirs.columns, exact="equiv")
    again = pickle.loads(pickle.dumps(frame))
    assert list(again.columns) == list(frame.columns)
    assert list(pickle.loads(pickle.dumps(frame.columns))) == list(frame.columns)
    assert repr(frame).split("\n")[0].split() == repr(theirs).split("\n")[0].split()


def test_a_label_is_the_key_that_pandas_takes_it_for():
    frame = cuprum.DataFrame({1: [1], "a": [2]})
    assert frame[1.0].to_list() == frame[True].to_list() == [1]
    assert "1" not in frame
    dated = cuprum.DataFrame({datetime.date(2013, 1, 1): [1]})
    assert dated[datetime.date(2013, 1, 1)].to_list() == [1]
    with pytest.raises(KeyError):
        dated[pd.Timestamp("2013-01-01")]
    timed = cuprum.DataFrame({pd.Timestamp("2013-01-01"): [1]})
    assert timed[np.datetime64("2013-01-01T00:00:00", "ns")].to_list() == [1]
    with pytest.raises(TypeError, match="not a label"):
        cuprum.DataFrame({object(): [1]})


@pytest.mark.parametrize(
    "expression",
    [
        "df.columns",
        "df.columns.str.upper()",
        "df.columns.str.startswith('a')",
        "df.columns.str.len()",
        "df.columns.isin(['a'])",
        "df.columns.difference(['a'])",
        "df.columns.union(['c', 'b'])",
        "df.columns.intersection(['a', 'z'])",
        "df.columns.symmetric_difference(['a', 'z'])",
        "df.columns.tolist()",
        "df.columns.to_list()",
        "list(df.columns)",
        "list(df.columns.names)",
        "df.columns.sort_values()",
        "df.columns.get_loc('a')",
        "df.columns == 'a'",
        "df.columns == ['a', 'a']",
        "df.columns.map(str.upper)",
        "df.columns.drop('a')",
        "df.columns.append(df.columns)",
        "df.columns.duplicated()",
        "df.columns[1]",
        "df.columns[::-1]",
        "df.columns[[True, False]]",
        "df.columns.is_unique",
        "df.columns.is_monotonic_decreasing",
        "df.columns.to_series()",
        "df.columns.rename('q')",
        "df.columns.to_flat_index()",
        "df.columns.nunique()",
        "df.columns.min()",
        "'x_' + df.columns + '_y'",
        "'a' in df.columns, 'z' in df.columns, 1 in df.columns",
        "df[df.columns[df.columns.str.contains('a')]]",
        "df[df.columns.difference(['a'])]",
    ],
)
def test_column_labels_are_an_index(expression):
    agree(expression, df=DF)
    agree(expression, df=NAMED)


@pytest.mark.parametrize(
    "expression",
    [
        "df",
        "df.columns",
        "df.columns.name",
        "df + df",
        "df + df[['a', 'b']]",
        "df[['a']]",
        "df.head(1)",
        "df.sum()",
        "df.T",
        "df.iloc[0]",
        "df.reindex([0, 5])",
        "df.b.reindex([0, 5])",
        "df.reindex(lib.Index([0, 1], name='zz'))",
        "df.reindex(columns=['a', 'z'])",
        "df.reindex(columns=lib.Index(['a', 'z'], name='n'))",
        "df.b.add(lib.Series([], dtype='float64'))",
        "lib.DataFrame(df)",
        "lib.DataFrame(df, columns=['a'])",
        "lib.DataFrame(np.zeros((1, 2)), columns=lib.Index(['a', 'b'], name='q'))",
        "lib.DataFrame({'a': [1]}, columns=lib.Index(['a'], name='q'))",
        "df.describe().columns.name",
        "df.quantile(0.1)",
        "df.quantile(0.1, interpolation='lower')",
        "df.quantile(0.25, axis=1)",
        "df.rename(columns={'a': 'A'})",
        "df.reset_index()",
    ],
)
def test_names_stay(expression):
    agree(expression, df=NAMED)


def test_naming_columns_names_those_of_the_frame():
    def name(lib, df):
        df.columns.name = "new"
        return df

    agree(name, df=DF)

    def names(lib, df):
        df.columns.names = ["new", 3]
        return df

    agree(names, df=NESTED)
    agree(lambda lib, df: setattr(df, "columns", ["x", "y"]) or df, df=NAMED)


@pytest.mark.parametrize("expression", ["df.iloc[0].name", "df.iloc[1]", "df.loc['2013-01-01 00:00:00':].T"])
def test_rows_under_dates(expression):
    agree(expression, df=TIMED)


@pytest.mark.parametrize(
    "expression",
    [
        "df + lib.Series({'a': 1})",
        "df + lib.Series({'a': 1, 'b': 2})",
        "df + lib.Series({'z': 1, 'b': 2, 'a': 5})",
        "lib.Series({'z': 1, 'a': 5}) - df",
        "df.mul(lib.Series({'c': 2.5, 'b': 2.5}))",
        "df.add(lib.Series([1, 2, 3], index=[0, 1, 2]), axis='index')",
        "df.add(lib.Series([1, 2], index=[1, 0]), axis=0)",
        "df.rsub(lib.Series([1, 2, 3]), axis=0)",
        "df.lt(lib.Series([1, 2, 3]), axis=0)",
        "df.eq(lib.Series({'a': 3}))",
        "df.ne(lib.Series({'a': 1, 'q': 2}))",
        "df.reindex_like(lib.DataFrame({'b': [1], 'z': [1]}))",
        "df.b.reindex_like(lib.Series([1], index=[1]))",
    ],
)
def test_labels_of_both_sides_stay(expression):
    agree(expression, df=DF)


def test_comparing_frames_with_other_labels_is_refused():
    for lib, df in ((pd, DF), (cuprum, cuprum.DataFrame(DF))):
        with pytest.raises(ValueError, match="not aligned"):
            df == lib.Series({"a": 1})


@pytest.mark.parametrize(
    "expression",
    [
        "df[['a']].squeeze(axis=0)",
        "df[['a']].squeeze(axis=1)",
        "df[['a']].squeeze('columns')",
        "df[:1].squeeze(axis=0)",
        "df[:1].squeeze(axis=1)",
        "df[['a']][:1].squeeze()",
        "df[['a']][:1].squeeze(axis=0)",
        "df.squeeze()",
        "df.to_dict('split', index=False)",
        "df.to_dict('tight', index=False)",
        "df.to_dict('tight')",
    ],
)
def test_arguments_that_change_the_shape(expression):
    agree(expression, df=DF)


def test_arguments_without_a_meaning_are_refused():
    df = cuprum.DataFrame(DF)
    for method in ("sum", "prod", "min", "max", "mean", "median", "std", "var", "any", "all"):
        with pytest.raises(TypeError, match="bogus"):
            getattr(df, method)(bogus=1)
        with pytest.raises(TypeError, match="bogus"):
            getattr(df.a, method)(bogus=1)
    for method in ("sum", "mean", "min", "max", "std", "var"):
        with pytest.raises(TypeError, match="bogus"):
            getattr(df.groupby("b"), method)(bogus=1)
    assert np.sum(df.a) == 7.0
    with pytest.raises(ValueError, match="dtype"):
        df.a.sum(dtype="int64")
    with pytest.raises(ValueError, match="index=False"):
        df.to_dict("records", index=False)
    with pytest.raises(NotImplementedError, match="na_value"):
        cuprum.MultiIndex.from_tuples([("a", 1)]).to_numpy(na_value=0)


@pytest.mark.parametrize("how", ["any", "all"])
@pytest.mark.parametrize("values", [[np.nan, 0.0], [np.nan, 1.0], [np.nan], [0.0], [1.0], []])
def test_missing_elements_count_as_true(how, values):
    series = pd.Series(values, dtype="float64")
    agree(f"bool(s.{how}(skipna=False))", s=series)
    agree(f"df.{how}(skipna=False)", df=pd.DataFrame({"a": series, "b": series}))


def test_a_key_is_a_column_only_by_identity():
    df = pd.DataFrame({"a": [1, 2, 3], "b": [4.0, 5.0, 6.0]})
    for code in [
        "df.groupby(df.a % 2).sum()",
        "df.groupby(df.a).sum()",
        "df.groupby(df['b'].rename('a')).sum()",
        "df.groupby(df.a * 1).sum()",
        "df.groupby([df.a, 'b']).size()",
        "df.groupby(df.a % 2, as_index=False).sum()",
        "df.groupby(df.a, as_index=False).sum()",
        "df.groupby(df.a % 2).agg({'a': 'max'})",
        "df.groupby(df.a % 2).cumsum()",
    ]:
        agree(code, df=df)


def test_a_key_of_memory_that_others_may_write_is_still_the_column():
    frame = cuprum.DataFrame({"a": np.array([1, 2, 1]), "b": [1, 2, 3]})
    frame.a.data.get_ptr(mode="write")
    assert list(frame.groupby(frame.a).sum()) == ["b"]


def test_suffixes_that_make_labels_collide():
    left, right = DF.assign(b_x=1), DF
    for lib, a, b in ((pd, left, right), (cuprum, cuprum.DataFrame(left), cuprum.DataFrame(right))):
        with pytest.raises(ValueError, match="duplicate columns"):
            lib.merge(a, b, on="a")
        with pytest.raises(ValueError, match="columns overlap"):
            lib.merge(b, b, on="a", suffixes=("", ""))


@pytest.mark.parametrize(
    "name",
    [
        n
        for n in LABELS
        if n not in ("of several kinds", "dates and texts", "tuples of several kinds", "spans")
    ],
)
def test_labels_go_through_parquet(name, tmp_path):
    theirs, path = labelled(name), tmp_path / "f.parquet"
    ours = cuprum.DataFrame(theirs)
    ours.to_parquet(path)
    pd.testing.assert_frame_equal(
        cuprum.read_parquet(path).to_pandas(), theirs, check_column_type="equiv", check_index_type="equiv"
    )
    if name != "truth":  # pandas takes the text "False" for true
        pd.testing.assert_frame_equal(pd.read_parquet(path), theirs, check_column_type="equiv")
    theirs.to_parquet(path)
    found = cuprum.read_parquet(path)
    assert list(found.columns) == list(ours.columns) and found.columns.nlevels == ours.columns.nlevels


def test_reading_some_columns_keeps_the_row_labels(tmp_path):
    path = tmp_path / "f.parquet"
    for theirs in (ROWS.assign(w=1.5), NAMED.set_axis(pd.Index(["x", "y"], name="r")), DF):
        theirs.to_parquet(path)
        column = list(theirs.columns)[:1]
        agree(lambda lib, c=column: lib.read_parquet(path, columns=c))
        cuprum.DataFrame(theirs).to_parquet(path)
        agree(lambda lib, c=column: lib.read_parquet(path, columns=c))


def test_extract_keeps_the_name():
    agree("s.str.extract('([a-z])', expand=False)", s=pd.Series(["a1", "22"], name="nm"))


def test_arrow_names_are_texts():
    assert pa.table(cuprum.DataFrame({0: [1], 1.5: [2]})).column_names == ["0", "1.5"]


NOTHING = {
    "no columns": "lib.DataFrame()",
    "rows": "lib.DataFrame(index=[1, 2])",
    "a dict": "lib.DataFrame({})",
    "a list": "lib.DataFrame([])",
    "an array": "lib.DataFrame(np.zeros((2, 0)))",
    "numbers": "lib.DataFrame(columns=pd.Index([], dtype='int64'))",
    "objects": "lib.DataFrame(columns=[])",
    "of texts": "df[[]]",
    "a slice": "df.iloc[:, :0]",
    "by label": "df.loc[:, []]",
    "dropped": "df.drop(columns=['b', 'a'])",
    "reindexed": "df.reindex(columns=[])",
    "of a range": "lib.DataFrame([[1, 2]])[[]]",
    "of times": "lib.DataFrame([[1]], columns=pd.to_datetime(['2020']))[[]]",
    "of levels": "lib.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([('a', 1)]))[[]]",
    "with a name": "df.rename_axis(columns='n')[[]]",
    "renamed": "df[[]].rename_axis(columns='n')",
    "copied": "lib.DataFrame(index=[1]).copy()",
    "pickled": "pickle.loads(pickle.dumps(lib.DataFrame()))",
    "a group": "df[['b']].groupby('b').sum()",
    "below each other": "lib.concat([lib.DataFrame(), lib.DataFrame()])",
    "the sum": "lib.DataFrame().sum().to_frame().T",
    "set": "(lambda d: (d.__setattr__('columns', pd.Index([], dtype='float64')), d)[1])(lib.DataFrame())",
}


@pytest.mark.parametrize("name", NOTHING)
def test_labels_of_no_columns_are_of_some_kind(name):
    def labels(lib, df):
        found = eval(NOTHING[name], {"lib": lib, "df": df, "pd": pd, "np": np, "pickle": pickle}).columns
        return type(found).__name__, str(getattr(found, "dtype", "")), list(found.names), len(found)

    assert labels(cuprum, ours(DF)) == labels(pd, DF)


def test_a_column_that_is_added_to_none_has_its_own_label():
    for label in ("a", 0, 5):
        for start in (cuprum.DataFrame(), ours(DF)[[]]):
            start[label] = [1, 2]
            assert start.columns.to_list() == [label]
    assert cuprum.DataFrame(pd.DataFrame(DF[[]])).columns.dtype == "str"
