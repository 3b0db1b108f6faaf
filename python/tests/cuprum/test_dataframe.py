"""Making frames, asking what they are, changing their columns."""

import array
import datetime
import gc
import weakref
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from oracle import agree, assert_like, frames, given, ours, pair

import cuprum


@pytest.mark.parametrize(
    "expression",
    [
        "lib.DataFrame({'a': [1, 2], 'b': [1.5, None], 'c': ['x', None]})",
        "lib.DataFrame({'a': [1, 2], 'b': 7, 'c': 'x'})",
        "lib.DataFrame({'a': [1, 2]}, index=['x', 'y'])",
        "lib.DataFrame({'a': [1, 2], 'b': [3, 4]}, columns=['b', 'a'])",
        "lib.DataFrame({'a': np.arange(3, dtype='int16'), 'b': np.array([True, False, True])})",
        "lib.DataFrame({'a': range(3)})",
        "lib.DataFrame({'a': np.array(['2013-01-01', 'NaT'], dtype='datetime64[s]')})",
        "lib.DataFrame(np.arange(6.0).reshape(3, 2), columns=['x', 'y'])",
        "lib.DataFrame(np.arange(6).reshape(3, 2))",
        "lib.DataFrame([[1, 'a'], [2, 'b']], columns=['n', 's'])",
        "lib.DataFrame([{'a': 1, 'b': 2.0}, {'a': 3, 'b': 4.0}])",
        "lib.DataFrame({'a': lib.Series([1, 2], index=[0, 1]), 'b': lib.Series([3, 4], index=[1, 0])})",
        "lib.DataFrame({'a': []}, dtype='float64')",
        "lib.DataFrame({'a': [1, 2]}, dtype='float32')",
        "lib.DataFrame()",
        "lib.DataFrame({('x', 'a'): [1], ('x', 'b'): [2]})",
        "lib.DataFrame({0: [1], 1: [2]})",
        "lib.DataFrame({'a': ['日本', '🙂', '']})",
    ],
)
def test_construction_of_a_data_frame(expression):
    agree(expression)


def test_from_pandas_and_back(df):
    assert_like(cuprum.DataFrame(df), df)
    assert_like(cuprum.DataFrame.from_pandas(df), df)
    assert_like(cuprum.from_pandas(df["s"]), df["s"])
    labelled = df.set_index(["s", "i"])
    assert_like(ours(labelled), labelled)
    assert cuprum.DataFrame(df).equals(cuprum.DataFrame(df))


def test_integers_with_gaps_keep_their_type():
    frame = cuprum.DataFrame({"a": [1, None, 3], "b": [True, None, False]})
    assert [str(t) for t in frame.dtypes] == ["int64", "bool"]
    assert frame.to_pandas()["a"].tolist()[::2] == [1.0, 3.0]
    assert frame["a"].isna().to_pandas().tolist() == [False, True, False]
    nullable = pd.DataFrame(
        {"a": pd.array([1, None], dtype="Int64"), "b": pd.array([None, True], dtype="boolean")}
    )
    assert [str(t) for t in ours(nullable).dtypes] == ["int64", "bool"]


def test_arrow_both_ways(df):
    table = pa.table({"a": pa.array([1, None]), "s": ["x", None], "f": [1.5, float("nan")]})
    frame = cuprum.DataFrame.from_arrow(table)
    assert frame.to_arrow().to_pydict()["a"] == [1, None]
    assert pa.table(frame).column("s").to_pylist() == ["x", None]
    assert_like(cuprum.DataFrame.from_arrow(pa.Table.from_pandas(df, preserve_index=False)), df)
    chunked = pa.concat_tables([table, table])
    assert len(cuprum.DataFrame.from_arrow(chunked)) == 4


def test_to_numpy(df):
    numbers = df[["i", "f"]]
    np.testing.assert_array_equal(ours(numbers).to_numpy(), numbers.to_numpy())
    np.testing.assert_array_equal(np.asarray(ours(df)["i"]), df["i"].to_numpy())
    assert ours(df[["i", "b"]]).values.shape == (5, 2)


@pytest.mark.parametrize(
    "expression",
    [
        "list(df)",
        "list(df.columns)",
        "df.shape",
        "df.size",
        "df.ndim",
        "df.empty",
        "len(df)",
        "'i' in df",
        "'nope' in df",
        "[str(t) for t in df.dtypes]",
        "df.index",
        "df.head(2)",
        "df.head(-2)",
        "df.head(0)",
        "df.tail(2)",
        "df.tail(-1)",
        "df.tail(100)",
        "df.copy()",
        "df[['s', 'i']]",
        "df['f']",
        "df.i",
        "df.get('i')",
        "df.get('nope', 7)",
        "df.assign(x=1, y=df.i * 2)",
        "df.assign(x=lambda d: d.i + 1)",
        "df.rename(columns={'i': 'j'})",
        "df.rename(columns=str.upper)",
        "df.rename(index={0: 10})",
        "df.drop(columns=['i', 'f'])",
        "df.drop(columns='i')",
        "df.drop('i', axis=1)",
        "df.drop(1)",
        "df.drop([0, 4])",
        "df.drop(index=[0, 4])",
        "df.set_index('s')",
        "df.set_index(['s', 'i'])",
        "df.set_index('i', drop=False)",
        "df.set_index('i').reset_index()",
        "df.set_index(['s', 'i']).reset_index()",
        "df.reset_index()",
        "df.reset_index(drop=True)",
        "df.set_index('i').reset_index(drop=True)",
        "df.astype({'i': 'float64', 'b': 'int8'})",
        "df[['i', 'b']].astype('float32')",
        "df.isna()",
        "df.notna()",
        "df[['i', 'f']].round(1)",
        "df[['i', 'f']].abs()",
        "df.to_dict('list')['i']",
        "df.iloc[1:3].to_dict('records')[0]['i']",
        "list(df.items())[0][1]",
        "[tuple(row)[0] for row in df.itertuples()]",
        "df.pop('i')",
        "df.sample(3, random_state=1).shape",
        "df.select_dtypes('number')",
        "df.filter(items=['i', 'f'])",
        "df.columns.tolist()",
        "df.set_axis(list('vwxyz'), axis=1)",
        "df.add_prefix('x_')",
        "df.add_suffix('_x')",
        "df.pipe(lambda d: d.head(1))",
        "df[['i', 'f']].shift(1)",
        "df[['i']].where(df.i > 0, 0)",
        "df[['i', 'f']].clip(0, 2)",
        "df[['i', 'f']].isin([3, 0])",
        "df.equals(df)",
    ],
)
def test_questions_of_a_data_frame(expression, df):
    agree(expression, df=df)


def _set_scalar(lib, df):
    df["n"] = 7
    df["s"] = "same"
    return df


def _set_list(lib, df):
    df["n"] = [5, 4, 3, 2, 1]
    return df


def _set_aligned(lib, df):
    df["n"] = df["f"].iloc[::-1] * 2
    df["part"] = df["f"].iloc[1:3]
    return df


def _set_several(lib, df):
    df[["x", "y"]] = df[["i", "f"]]
    return df


def _set_array(lib, df):
    df["n"] = np.arange(5, dtype="int32")
    return df


def _set_masked(lib, df):
    df.loc[df["i"] > 1, "f"] = -1.0
    df.loc[df["s"].isna(), "s"] = "none"
    return df


def _set_cell(lib, df):
    df.loc[2, "i"] = 99
    df.iloc[0, 0] = -5
    df.at[1, "s"] = "at"
    df.iat[3, 1] = 0.5
    return df


def _delete(lib, df):
    del df["i"]
    return df


def _insert(lib, df):
    df.insert(1, "new", df["i"] + 1)
    return df


def _set_columns(lib, df):
    df.columns = list("vwxyz")
    return df


def _set_index(lib, df):
    df.index = df["s"]
    df.index.name = "name"
    return df


def _original_is_untouched(lib, df):
    other = df.copy()
    other["i"] = 0
    other.loc[0, "f"] = 9.0
    part = df.head(2)
    part["f"] = 5.0
    return df


def _rename_in_place(lib, df):
    df.rename(columns={"i": "j"}, inplace=True)
    df.drop(columns="b", inplace=True)
    return df


CHANGES = [
    v for k, v in list(globals().items()) if k.startswith("_") and callable(v) and not k.startswith("__")
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda f: f.__name__[1:])
def test_changes(change, df):
    agree(change, df=df)


@given(frames(i="int?", f="float?", s="str?", t="time?", b="bool?"))
def test_there_and_back_again(f):
    assert_like(f.ours, f.theirs, signs=True)
    again = pair(f.theirs.convert_dtypes() if len(f.theirs) else f.theirs)
    assert again.ours.shape == f.theirs.shape
    assert f.ours.equals(cuprum.DataFrame.from_arrow(pa.table(f.ours)))


@given(frames(w="wide"))
def test_wide_integers_stay_exact(f):
    assert_like(f.ours, f.theirs)
    assert f.ours["w"].to_arrow().to_pylist() == f.theirs["w"].tolist()


def test_no_columns_but_rows():
    agree("lib.DataFrame(index=range(3)).shape")
    agree("df[[]].shape", df=pd.DataFrame({"a": [1, 2]}))


def test_ten_thousand_columns():
    wide = {f"c{i}": [i, i + 1] for i in range(10_000)}
    frame = cuprum.DataFrame(wide)
    assert frame.shape == (2, 10_000)
    assert frame["c9999"].to_pandas().tolist() == [9999, 10_000]
    assert frame.sum().to_pandas().iloc[-1] == 19_999
    assert frame[frame["c0"] == 1].shape == (1, 10_000)
    assert "c9999" in repr(frame)
    assert_like(frame, pd.DataFrame(wide))


@pytest.mark.parametrize(
    "values",
    [
        [datetime.datetime(2013, 1, 1), None],
        [datetime.date(2013, 1, 1)],
        array.array("d", [1.0, 2.0]),
        (x for x in range(3)),
        np.float32([1, 2]),
        pd.Categorical(["a", "b", None]),
        pa.chunked_array([[1, 2], [None]]),
        ["a", None, float("nan")],
        [1, 2.5, None],
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_columns_are_made_of(values):
    frame = cuprum.DataFrame({"a": values})
    assert len(frame) >= 1
    assert frame.to_arrow().num_rows == len(frame)


@given(frames(i="int", h="int32", f="float?", k="str", max_rows=8))
def test_transpose(f):
    agree("df[['i', 'h']].T", df=f)
    if len(f.theirs):
        agree("df[['i', 'f']].T", df=f)
        agree("df.set_index('k')[['i', 'f']].T", df=f)
        agree("df.set_index(['k', 'i'])[['f']].transpose()", df=f)
        agree("df[['f', 'i']].T.T", df=f)


@given(frames(s="str?", t="time", u="time?", b="bool", j="int?", max_rows=8, min_rows=1))
def test_transpose_of_other_types(f):
    agree("df[['s']].T", df=f)
    agree("df[['t', 'u']].T", df=f)
    agree("df[['j']].T", df=f, kept=list(range(8)))
    agree("df[['b']].T", df=f)
    agree("df[['b']].assign(s='x').T", df=f)
    agree("df.set_index('t')[['s']].T", df=f)


@given(frames(i="int", f="float?", s="str?", max_rows=8))
def test_replace(f):
    agree("df['i'].replace({1: 2, 2: 1})", df=f)
    agree("df['i'].replace([0, 1], [1, 0])", df=f)
    agree("df['i'].replace([0, 1], 7)", df=f)
    agree("df['f'].replace(float('nan'), 1.5)", df=f)
    agree("df['s'].replace({'a': 'b', 'b': 'a'})", df=f)
    agree("df.replace({'i': {1: 2, 2: 1}, 's': {'a': 'x'}})", df=f)
    agree("df.replace(1, 5)", df=f)


def test_sample_draws_the_rows_that_pandas_draws():
    theirs = pd.DataFrame({"k": list("xyxyxx"), "v": range(6)}, index=list("abcdef"))
    ours = cuprum.from_pandas(theirs)
    weights = pd.Series([3.0, 1.0, None, 2.0], index=list("fabz"))
    for arguments in (
        {"n": 4, "random_state": 1},
        {"frac": 2, "replace": True, "random_state": np.array([1, 2])},
        {"n": 2, "weights": "v", "random_state": 3},
        {"n": 2, "weights": weights, "random_state": 3, "replace": True},
        {"n": 1, "axis": 1, "random_state": 5, "ignore_index": True},
    ):
        assert_like(ours.sample(**arguments), theirs.sample(**arguments))
    source, same_source = (np.random.default_rng(7) for _ in range(2))
    assert_like(ours.sample(3, random_state=source), theirs.sample(3, random_state=same_source))
    grouped, expected = ours.groupby("k"), theirs.groupby("k")
    assert_like(
        grouped.sample(2, random_state=1, weights=[1, 1, 1, 1, 1.5, 1]),
        expected.sample(2, random_state=1, weights=[1, 1, 1, 1, 1.5, 1]),
    )
    assert_like(grouped["v"].sample(frac=0.5, random_state=2), expected["v"].sample(frac=0.5, random_state=2))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weights": [1, 2, 3]}, "same length"),
        ({"weights": [1, -1]}, "negative"),
        ({"weights": [1, float("inf")]}, "inf"),
        ({"weights": [0, 0]}, "sum to zero"),
        ({"weights": [1, 9], "n": 2}, "more than once"),
        ({"n": 1.5}, "1.5"),
        ({"random_state": "seed"}, "'seed'"),
    ],
)
def test_sample_names_what_is_wrong(arguments, message):
    with pytest.raises(ValueError, match=message):
        cuprum.DataFrame({"a": [1, 2]}).sample(**arguments)


@pytest.mark.parametrize(
    "data",
    [
        "{'a': lib.Series([1, 2], index=['y', 'x']), 'b': lib.Series([3, 4], index=['x', 'z'])}",
        "{'a': {'y': 1, 'x': 2}, 'b': {'x': 3, 'z': 4}}",
        "{'a': {'y': 1, 'x': 2}, 'b': lib.Series([3, 4], index=['x', 'z'])}",
        "{'a': lib.Series([1, 2], index=['y', 'x']), 'b': lib.Series([3, 4], index=['y', 'x'])}",
        "{'a': lib.Series([1, 2], index=['y', 'x']), 'b': 7, 'c': [5, 6]}",
        "{'a': {'y': 1}, 'b': 'text'}",
        "{}",
    ],
)
def test_rows_of_a_dict_are_matched_by_label(data):
    agree(f"lib.DataFrame({data})")


@pytest.mark.parametrize(
    ("data", "index"),
    [
        ("{'a': [1, 2], 'b': [1, 2, 3]}", None),
        ("{'a': [1, 2]}", [0, 1, 2]),
        ("{'a': 1, 'b': 'x'}", None),
        ("{'a': lib.Series([1, 2]), 'b': [1, 2, 3]}", None),
        ("{'a': lib.Series([1, 2], index=[0, 0]), 'b': lib.Series([1], index=[1])}", None),
    ],
)
def test_columns_that_do_not_fit_are_refused(data, index):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError):
            lib.DataFrame(eval(data, {"lib": lib}), index=index)


@pytest.mark.parametrize(
    "kind", ["category", "number", "datetime", "datetimetz", "timedelta", ["category", "bool"]]
)
def test_columns_of_a_kind(kind):
    frame = pd.DataFrame({"i": [1], "b": [True], "f": [1.5]})
    frame["c"] = pd.Categorical(["a"])
    frame["t"] = pd.to_datetime(["2020-01-01"])
    frame["z"] = frame["t"].dt.tz_localize("Europe/Zurich")
    frame["d"] = pd.to_timedelta([1], unit="s")
    made = cuprum.from_pandas(frame)
    assert list(made.select_dtypes(kind).columns) == list(frame.select_dtypes(kind).columns)
    assert list(made.select_dtypes(exclude=kind).columns) == list(frame.select_dtypes(exclude=kind).columns)


def test_rows_of_unlike_types_are_compared_by_element():
    row = cuprum.DataFrame({"i": [1], "s": ["a"]}).iloc[0]
    assert (row == "a").to_pandas().to_dict() == {"i": False, "s": True}
    assert (row != "a").to_pandas().to_dict() == {"i": True, "s": False}
    assert cuprum.DataFrame({"i": [1], "f": [1.5]}).dtypes.tolist() == ["int64", "float64"]


def test_labels_and_types_are_made_once():
    frame = cuprum.DataFrame({"a": [1], "b": ["x"]})
    labels, types = frame.columns, frame.dtypes
    assert frame.columns is labels
    types["a"] = "changed"
    assert str(frame.dtypes["a"]) == "int64"
    labels.name = "names"
    assert frame.columns.name == "names" and frame.columns.to_list() == ["a", "b"]
    frame["c"] = [0.5]
    assert frame.columns.to_list() == ["a", "b", "c"] and list(frame.dtypes.keys()) == ["a", "b", "c"]
    frame.columns = ["p", "q", "r"]
    assert frame.columns.to_list() == ["p", "q", "r"] and labels.to_list() == ["a", "b"]


def test_labels_that_were_asked_for_do_not_keep_a_frame():
    frame = cuprum.DataFrame({"a": [1]})
    labels, gone = frame.columns, weakref.ref(frame)
    gc.disable()
    try:
        del frame
        assert gone() is None
    finally:
        gc.enable()
    labels.name = "x"
    assert labels.name == "x" and labels.to_list() == ["a"]


def test_labels_belong_to_the_frame_that_is_asked():
    frame = cuprum.DataFrame({"a": [1.0], "b": [None]})
    frame.isna().all(axis=1, skipna=False)
    frame.describe(), frame.any(axis=1, skipna=False)
    frame.columns.name = "names"
    assert frame.columns.name == "names"


@dataclass
class Point:
    x: int
    y: str | None


@pytest.mark.parametrize("columns", [None, ["y"]])
def test_data_classes_are_rows(columns):
    points = [Point(1, "a"), Point(2, None)]
    pd.testing.assert_frame_equal(
        cuprum.DataFrame(points, columns=columns).to_pandas(), pd.DataFrame(points, columns=columns)
    )
