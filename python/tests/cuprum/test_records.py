"""Records of unlike values: rows do what a series of objects does, and functions may return them."""

import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree
from small_frames import MIXED

import cuprum

pytestmark = pytest.mark.usefixtures("each_call_warns")

PEOPLE = pd.DataFrame(
    {
        "name": ["Ann", "Bob", "Cy", None],
        "age": [30, 41, None, 25],
        "pay": [1000.5, 2000, 3000.25, None],
        "ok": [True, False, True, True],
        "on": pd.to_datetime(["2020-01-01", "2021-06-15", "2019-12-31", None]),
    }
)


@pytest.mark.parametrize(
    "code",
    [
        "df.iloc[2].isna().sum()",
        "df.iloc[2].count()",
        "df.iloc[0][['age', 'pay']].sum()",
        "df.iloc[0][['age', 'pay']].max()",
        "(df.iloc[0][['age', 'pay']] * 2).to_dict()",
        "(2 - df.iloc[0][['age', 'pay']]).to_dict()",
        "(df.iloc[0][['age', 'pay']] + df.iloc[1][['age', 'pay']]).to_dict()",
        "(-df.iloc[0][['age', 'pay']]).to_dict()",
        "(df.iloc[0][['age', 'pay']] > 100).to_dict()",
        "(df.iloc[0] == df.iloc[0].copy()).to_dict()",
        "(df.iloc[0] != df.iloc[1]).to_dict()",
        "(df.iloc[0] == np.float64(30)).to_dict()",
        "(df.iloc[0] == np.array(['Ann', 'x', 'y', 'z', 'q'])).to_dict()",
        "(df.iloc[0] == ['Ann', 1, 1000.5, False, None]).to_list()",
        "df.iloc[0].drop('name').index.to_list()",
        "df.iloc[0].astype(str).to_list()",
        "df.iloc[0].astype(str).str.cat(sep='|')",
        "df.iloc[0].map(lambda value: isinstance(value, str)).to_list()",
        "df.iloc[2].fillna(0).to_dict()",
        "df.iloc[0].rename({'age': 'years'}).index.to_list()",
        "df.iloc[0].reindex(['pay', 'name']).to_dict()",
        "df.iloc[0].at['age']",
        "df.iloc[0].iat[1]",
        "df.iloc[0].shape",
        "df.iloc[0].empty",
        "df.iloc[0].equals(df.iloc[0])",
        "df.iloc[0].sort_index().index.to_list()",
        "np.asarray(df.iloc[0][['age', 'pay']], dtype='float64')",
        "df.apply(lambda column: column.iloc[0]).to_dict()",
    ],
)
def test_rows_do_what_series_of_objects_do(code):
    agree(code, df=PEOPLE)


@pytest.mark.parametrize(
    "code",
    [
        "lib.DataFrame([df.iloc[0], df.iloc[1]])",
        "lib.DataFrame([df.iloc[1], df.iloc[0].drop('pay')])",
        "lib.DataFrame([df.iloc[0], df.iloc[1]], index=['x', 'y'])[['name', 'on']]",
    ],
)
def test_rows_make_a_frame(code):
    agree(code, df=PEOPLE)


@pytest.mark.parametrize(
    "code",
    [
        "df.iloc[0]",
        "-df.iloc[0][['age', 'pay']]",
        "df.iloc[0] == df.iloc[1]",
        "df.iloc[0].isin(['Ann', 30])",
        "df.iloc[0].isna()",
        "str(df.iloc[0].dtype)",
        "df.iloc[0].dtype == object",
    ],
)
def test_rows_are_printed_to_the_letter(code):
    agree(f"repr({code})", df=PEOPLE)


def test_rows_are_changed_in_place():
    row, same = cuprum.from_pandas(PEOPLE).iloc[0], PEOPLE.iloc[0]
    for one, series in ((row, cuprum.Series), (same, pd.Series)):
        one.update(series({"age": 7}))
        one.fillna(0, inplace=True)
        assert one.pop("name") == "Ann"
        one.name = "renamed"
        assert one.name == one.iloc[1:].name == "renamed"
    assert row.to_dict() == same.to_dict()
    with pytest.raises(ValueError, match="identically-labeled"):
        row == cuprum.from_pandas(PEOPLE).iloc[0]
    with pytest.raises(ValueError, match="Lengths must match"):
        row == [1]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(row)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        row.nothing


@pytest.mark.parametrize(
    "code",
    [
        "df.apply(lambda r: lib.Series({'a': r['name'], 'b': r['pay']}), axis=1)",
        "df.apply(lambda r: lib.Series([r['name'], r['pay']], index=['a', 'b']), axis=1)",
        "df.apply(lambda r: lib.Series([r['name'], r['pay']]), axis=1)",
        "df.apply(lambda r: lib.Series({'b': r['pay'], 'a': r['ok']}, index=['a', 'b']), axis=1)",
        "df.groupby('ok').apply(lambda g: lib.Series({'n': len(g), 'who': g['name'].iloc[0], 'm': g['pay'].mean()}))",
        "df.apply(lambda r: [r['name'], r['pay']], axis=1, result_type='expand')",
        "df.apply(lambda r: (r['ok'], r['name'], 1), axis=1, result_type='expand')",
        "df[['pay']].apply(lambda r: [r['pay'], 2.5], axis=1, result_type='expand')",
        "df.apply(lambda r: r.isna().sum(), axis=1)",
        "df.apply(lambda r: r[['age', 'pay']].sum(), axis=1)",
    ],
)
def test_functions_return_records(code):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cuprum.errors.PerformanceWarning)
        agree(code, df=PEOPLE)


def test_functions_return_dicts():
    ours, theirs = cuprum.from_pandas(PEOPLE), PEOPLE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cuprum.errors.PerformanceWarning)
        assert ours.iloc[:2].apply(lambda r: r.to_dict(), axis=1).to_list() == [
            theirs.iloc[row].to_dict() for row in range(2)
        ]
        agree("df.apply(lambda r: {r['name']: 1}, axis=1)", df=PEOPLE.iloc[:2][["age", "name"]])


def test_series_of_unlike_values_are_objects():
    agree("lib.Series({'a': 1, 'b': 'x'})")
    agree("lib.Series(['x', 1])")


STRUCTS = pd.Series([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], name="s")


def test_fields_of_structs_by_name():
    ours = cuprum.Series(STRUCTS.to_list(), name="s")
    assert ours.str["b"].to_list() == STRUCTS.str["b"].to_list()
    assert ours.str.get("a").to_pandas().equals(STRUCTS.str.get("a"))
    assert ours.str["a"].name == "s"
    assert ours.str["nothing"].isna().all()
    with pytest.raises(AttributeError, match="'upper'"):
        ours.str.upper()


@pytest.mark.parametrize(
    "code",
    [
        "df.isin(df)",
        "df.isin(df.iloc[::-1])",
        "df.isin(df[['age', 'ok']].iloc[:2])",
        "df.isin(lib.DataFrame({'name': [1, 2, 3, 4], 'age': [30, 1, 2, 25]}))",
        "df.isin(lib.Series([30, 41], index=[0, 2]))",
        "df.isin(lib.Series(['Ann', 'x'], index=[0, 9]))",
    ],
)
def test_elements_of_a_frame_in_another(code):
    agree(code, df=PEOPLE)


def test_isin_of_labels_that_repeat():
    frame = cuprum.DataFrame({"a": [1]})
    for twice in (cuprum.DataFrame({"a": [1, 2]}, index=[0, 0]), cuprum.Series([1, 2], index=[0, 0])):
        with pytest.raises(ValueError, match="duplicate axis"):
            frame.isin(twice)


LEVELS = pd.DataFrame(
    {"v": [1.0, 2, 3, 4]}, index=pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["k", "n"])
)


@pytest.mark.parametrize("how", ["left", "inner"])
def test_join_by_a_level(how):
    right = pd.DataFrame({"z": [5, 6]}, index=pd.Index(["b", "c"], name="k"))
    agree(f"df.join(right, on='k', how={how!r})", df=LEVELS, right=right)


def test_join_by_a_level_that_is_refused():
    ours = cuprum.from_pandas(LEVELS)
    with pytest.raises(NotImplementedError, match="`how`='outer'"):
        ours.join(cuprum.DataFrame({"z": [5]}, index=["b"]), on="k", how="outer")


def test_a_single_time_need_not_be_exact():
    assert cuprum.to_datetime("2024-01-05", exact=False) == pd.to_datetime("2024-01-05", exact=False)


@pytest.mark.parametrize("columns", [["z"], ["a", "z"], ["z", "y"]])
@pytest.mark.parametrize("rows", ["[lib.Series([1.5], ['a'])] * 2", "[{'a': 1}, {'a': 2}]", "[{}]"])
def test_columns_that_no_row_has_are_of_floats(rows, columns):
    agree(f"lib.DataFrame({rows}, columns={columns})", df=PEOPLE)
    agree(f"lib.DataFrame({rows}, columns={columns}, dtype='float32')", df=PEOPLE)


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


def test_a_row_that_is_set_is_no_row_of_the_frame():
    frame = cuprum.DataFrame(MIXED)
    row = frame.iloc[0]
    row["a"], row["new"] = 100, 1
    assert row["a"] == 100 and row.to_dict()["new"] == 1
    assert frame.equals(cuprum.DataFrame(MIXED))


NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]


@pytest.mark.parametrize("left", NUMBERS)
@pytest.mark.parametrize("right", NUMBERS)
def test_a_row_of_numbers_has_the_type_that_holds_them(left, right):
    theirs = pd.DataFrame(
        {"a": np.array([1, 2], dtype=left), "b": np.array([3, 4], dtype=right)}, index=list("xy")
    )
    df = cuprum.DataFrame(theirs)
    for row, wanted in [
        (df.iloc[1], theirs.iloc[1]),
        (df.loc["x"], theirs.loc["x"]),
        (next(df.iterrows())[1], next(theirs.iterrows())[1]),
    ]:
        assert str(row.dtype) == str(wanted.dtype)
        assert (row.name, row.tolist()) == (wanted.name, wanted.tolist())


def test_a_row_of_integers_is_exact():
    df = cuprum.DataFrame({"a": [2**53 + 1], "b": np.array([1], dtype="int32")})
    assert df.iloc[0].tolist() == [2**53 + 1, 1]


@pytest.mark.parametrize(
    "columns",
    [
        {"a": [True, False], "b": [False, True]},
        {"a": ["x", None], "b": ["y", "z"]},
        {"a": pd.to_datetime(["2020", "2021"]), "b": pd.to_datetime(["2022", None])},
        {"a": pd.to_timedelta([1, 2]), "b": pd.to_timedelta([3, None])},
        {"a": [1, 2], "b": ["x", "y"]},
        {"a": [1, 2], "b": [True, False]},
        {"a": [1.5, None], "b": ["x", None]},
        {"a": pd.to_datetime(["2020", "2021"]).tz_localize("UTC"), "b": [1, 2]},
        {"a": pd.Categorical(["u", "v"]), "b": [1, 2]},
    ],
)
def test_a_row_has_the_elements_of_its_columns(columns):
    theirs = pd.DataFrame(columns, index=["r", "s"])
    df = cuprum.DataFrame(theirs)
    for i in (0, 1, -1):
        row, wanted = df.iloc[i], theirs.iloc[i]
        assert (row.name, str(row.dtype)) == (wanted.name, str(wanted.dtype))
        for element, expected in zip(row, wanted, strict=True):
            assert type(element) is type(expected)
            assert element == expected or (pd.isna(element) and pd.isna(expected))


@pytest.mark.parametrize("dtype", [*NUMBERS, "bool"])
def test_elements_are_scalars_of_numpy(dtype):
    theirs = pd.Series(np.array([0, 1, 1], dtype=dtype))
    s = cuprum.Series(theirs)
    for element, wanted in [
        (s[1], theirs[1]),
        (s.iloc[-1], theirs.iloc[-1]),
        (s.max(), theirs.max()),
        (s.sum(), theirs.sum()),
    ]:
        assert type(element) is type(wanted)
        assert element == wanted
    assert [*map(type, s.tolist())] == [*map(type, theirs.tolist())]
    assert s.tolist() == theirs.tolist()


def test_a_row_prints_times_as_pandas():
    frame = pd.DataFrame(
        {
            "d": pd.to_timedelta(["1D", None]),
            "t": pd.to_datetime(["2020-01-01", "2020-01-02 03:04:05.5"], format="ISO8601"),
            "z": pd.to_datetime(["2020-01-01", None]),
            "c": ["x", "y"],
        }
    )
    for row in range(2):
        assert repr(cuprum.DataFrame(frame).iloc[row]) == repr(frame.iloc[row])
