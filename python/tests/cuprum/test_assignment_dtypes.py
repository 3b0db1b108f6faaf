"""What elements can be set to: columns keep their type, as in pandas 3."""

import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like

import cuprum as cp

TIMES = pd.to_datetime(["2020-01-01", "2020-01-02"])
SERIES = {
    "i": pd.Series([1, 2, 3]),
    "i8": pd.Series([1, 2, 3], dtype="int8"),
    "u8": pd.Series([1, 2, 3], dtype="uint8"),
    "f": pd.Series([1.5, 2.5]),
    "f32": pd.Series([1.5, 2.5], dtype="float32"),
    "g32": pd.Series([1.5, None, 2.5], dtype="float32"),
    "b": pd.Series([True, False]),
    "t": pd.Series(["a", "b"]),
    "d": pd.Series(TIMES),
    "z": pd.Series(TIMES.tz_localize("Europe/Berlin")),
    "s": pd.Series(pd.to_timedelta([1, 2], unit="s")),
    "c": pd.Series(["a", "b"], dtype="category"),
    "e": pd.Series([], dtype="int64"),
    "df": pd.DataFrame({"a": [1, 2], "b": [1.5, 2.0]}),
}
FINE = "pd.Timestamp('2020-01-01 00:00:00.123456789')"
STATEMENTS = [
    *(
        f"{write} = {value}"
        for write in (
            "i.iloc[0]",
            "i.loc[0]",
            "i.at[0]",
            "i.iat[0]",
            "i[0]",
            "i[i > 1]",
            "i.loc[i > 1]",
            "i[:]",
        )
        for value in ("1.5", "2.0", "7", "'a'", "True", "np.nan", "np.float64(5)")
    ),
    *(f"i8.iloc[0] = {value}" for value in ("300", "100", "-129", "np.int64(5)", "3.0")),
    *(f"u8.iloc[0] = {value}" for value in ("-1", "255", "256")),
    *(f"b.iloc[0] = {value}" for value in ("1", "1.5", "'x'", "np.nan", "False")),
    *(f"f.iloc[0] = {value}" for value in ("1", "True", "'x'", "np.nan", "2**63 + 1")),
    *(f"f32.iloc[0] = {value}" for value in ("0.1", "16777217", "1e300")),
    # Numbers of NumPy keep their type, where those of Python take that of the column.
    *(
        f"{write} = {value}"
        for write in (
            "f32[0]",
            "f32.loc[0]",
            "f32.at[0]",
            "f32.iat[0]",
            "f32[[True, False]]",
            "f32[:]",
            "f32.loc[5]",
        )
        for value in (
            "np.float64(0.1)",
            "np.float64(0.5)",
            "np.float64('nan')",
            "np.float64('inf')",
            "np.float64(1e300)",
            "np.float32(0.1)",
            "np.int64(16777217)",
            "np.int32(16777217)",
            "np.int64(3)",
            "np.uint8(3)",
            "16777217",
        )
    ),
    *(f"i8.iloc[0] = {value}" for value in ("np.int64(300)", "np.uint8(200)", "np.float64(3)")),
    *(f"i8.loc[9] = {value}" for value in ("np.int64(300)", "np.int16(300)", "np.uint8(200)")),
    "f32.where([True, False], np.float64(0.1), inplace=True)",
    "f32.mask([True, False], 0.1, inplace=True)",
    *(f"t.iloc[0] = {value}" for value in ("1", "None", "np.nan", "True", "'ä'")),
    *(f"d.iloc[0] = {value}" for value in ("1", "'2021-05-05'", "'foo'", "np.nan", "None", FINE)),
    *(f"d.iloc[0] = {value}" for value in ("pd.Timedelta('1D')", "pd.Timestamp('2020', tz='UTC')")),
    *(f"z.iloc[0] = {value}" for value in ("np.nan", "pd.Timestamp('2020', tz='Europe/Berlin')")),
    *(f"s.iloc[0] = {value}" for value in ("1", "np.nan", "pd.Timedelta('1D')")),
    *(f"c.iloc[0] = {value}" for value in ("'c'", "'b'", "np.nan")),
    "i.iloc[0:2] = [1.5, 2]",
    "i.iloc[:] = [1.5, 2, 3]",
    "i.iloc[0:2] = np.array([1.0, 2.0])",
    "i.iloc[0:2] = np.array([1.0, np.nan])",
    "i.iloc[0:2] = ['a', 'b']",
    "i8.iloc[0:2] = [300, 1]",
    "f32.iloc[0:2] = np.array([0.1, 0.5])",
    "f32.iloc[0:2] = np.array([0.25, 0.5])",
    "t.iloc[0:2] = [1, 2]",
    "e.iloc[:] = 1.5",
    "i.loc[[False, False, False]] = 1.5",
    "i.iloc[[]] = 1.5",
    # Rows that are new take what they are given.
    "i.loc[5] = 1.5",
    "i8.loc[5] = 300",
    "i8.loc[5] = 3",
    "i.loc[5] = np.nan",
    "df.loc[5] = 1.5",
    "df.loc[5, 'a'] = 7",
    "df.iloc[0, 0] = 1.5",
    "df.loc[0] = 1.5",
    "df.loc[0] = [1.0, 2]",
    "df.loc[0] = [1.5, 2]",
    "df.loc[:, 'a'] = [1.5, 2]",
    "df.loc[:, 'a'] = lib.Series([1.0, 2.0])",
    "df.loc[:, 'a'] = lib.Series([1.5, 2.0])",
    "df[df > 1] = 1.5",
    "df[df > 1] = 2",
    "df.loc[df.a > 1, ['a', 'b']] = 1.5",
    "df.loc[df.a > 1, ['a', 'b']] = 2.0",
    "df.mask(df > 1, 1.5, inplace=True)",
    "i.where(i > 1, 1.5, inplace=True)",
    "i.where(i > 1, np.nan, inplace=True)",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_columns_keep_their_type(statement):
    name = next(
        name
        for name in sorted(SERIES, key=len, reverse=True)
        if statement.startswith((name + ".", name + "["))
    )

    def run(lib, made):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(statement, {"lib": lib, "np": np, "pd": pd, name: made})
        except (TypeError, OverflowError) as error:
            return type(error)
        return made

    theirs = run(pd, SERIES[name].copy())
    ours = run(cp, cp.from_pandas(SERIES[name]))
    if isinstance(theirs, type):
        assert ours is theirs, statement
    elif isinstance(theirs, pd.Series) and theirs.dtype == "category":
        pd.testing.assert_series_equal(ours.to_pandas(), theirs)
    else:
        assert not isinstance(ours, type), statement
        assert_like(ours, theirs)


def test_values_that_fit_are_stored_whatever_their_type():
    """pandas refuses these, though nothing would be lost."""
    for values in ([1.0, 2.0], np.array([1, 2]), cp.Series([1, 2], dtype="uint64")):
        small = cp.Series([7, 8, 9], dtype="int8")
        small.iloc[0:2] = values
        assert (small.to_list(), str(small.dtype)) == ([1, 2, 9], "int8")


@pytest.mark.parametrize(
    "code",
    [
        "b.where([True, False], 5)",
        "b.where([True, False], lib.Series([5, 6]))",
        "i.where([True, False, False], True)",
        "lib.concat([b, i])",
        "b.replace(True, 5)",
    ],
)
def test_truth_values_and_numbers_are_objects_in_one_column(code):
    agree(code, **{name: SERIES[name] for name in ("b", "i")})


def test_a_number_does_not_fill_rows_of_truth_values():
    """pandas makes True and False of it."""
    with pytest.raises(TypeError, match="cast one of them first"):
        cp.from_pandas(SERIES["b"]).shift(fill_value=0)


@pytest.mark.parametrize(
    "code",
    [
        "i.shift(fill_value=1.5)",
        "i.shift(-2, fill_value=7)",
        "i.shift(9, fill_value=1.5)",
        "i.shift(0, fill_value=1.5)",
        "df.shift(1, fill_value=0)",
        "b.where([True, True], 5)",
        "d.where([True, False], " + FINE + ")",
        *(
            code.format(value)
            for code in (
                "i8.where([True, False, True], {})",
                "i8.mask([True, False, True], {})",
                "df.astype('int8').where(df.a > 1, {})",
                "u8.where([True, False, True], {})",
                "i8.shift(1, fill_value={})",
                "u8.shift(1, fill_value={})",
                "i8.replace(1, {})",
                "i8.clip({})",
                "i8.clip(upper={})",
                "i8.case_when([(i8 > 2, {})])",
            )
            for value in (
                "np.int64(300)",
                "300",
                "np.int16(300)",
                "np.uint8(200)",
                "np.int64(3)",
                "np.uint64(300)",
                "np.float64(300)",
                "300.0",
                "np.float32(0.5)",
                "-70000",
                "np.int64(-1)",
            )
        ),
        *(
            code.format(value)
            for code in (
                "g32.fillna({})",
                "df.astype('float32').where(df.a > 1, {})",
                "g32.to_frame('a').fillna({})",
                "g32.to_frame('a').fillna({{'a': {}}})",
                "g32.where([True, False, True], {})",
                "g32.mask([True, False, True], {})",
                "g32.where([True, True, True], {})",
                "g32.replace(1.5, {})",
                "g32.replace({{1.5: {}}})",
                "g32.shift(1, fill_value={})",
                "g32.reindex([0, 7], fill_value={})",
                "lib.Index(g32).where([True, False, True], {}).to_series()",
                "lib.Index(g32).putmask([True, False, False], {}).to_series()",
                "lib.Index(g32).insert(0, {}).to_series()",
                "g32.case_when([(g32 > 2, {})])",
                "g32.clip(upper={})",
                "g32.clip(lower={})",
                "g32 + {}",
                "{} + g32",
                "g32.add(g32[:2], fill_value={})",
                "g32.to_frame('a').groupby([1, 1, 1]).shift(1, fill_value={})",
            )
            for value in (
                "np.float64(0.1)",
                "0.1",
                "np.float64(0.5)",
                "np.float32(0.1)",
                "np.int64(16777217)",
                "16777217",
                "np.int16(3)",
            )
        ),
    ],
)
def test_new_columns_take_a_type_that_holds_all(code):
    def run(lib, convert):
        return eval(
            code, {"lib": lib, "np": np, "pd": pd, **{name: convert(made) for name, made in SERIES.items()}}
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = run(pd, lambda made: made)
    assert_like(run(cp, cp.from_pandas), expected)


@pytest.mark.parametrize(
    "assign",
    [
        lambda df: df.loc.__setitem__((0, "n"), np.nan),
        lambda df: df.iloc.__setitem__((0, 0), np.nan),
        lambda df: df.at.__setitem__((0, "n"), np.nan),
        lambda df: df.__setitem__(df["n"] > 1, np.nan),
    ],
)
def test_dtypes_follow_what_is_assigned_in_place(assign):
    frame = cp.DataFrame({"n": [2, 1]})
    assert str(frame.dtypes["n"]) == "int64"
    assign(frame)
    assert str(frame.dtypes["n"]) == str(frame["n"].dtype) == "float64"
