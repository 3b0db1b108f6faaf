"""`describe` of frames, series and groups of times."""

import pandas as pd
import pytest
from oracle import agree, assert_like, frames, given

import cuprum


def test_times_that_describe_have_their_time_of_day():
    agree("s.describe().to_string()", s=pd.Series(pd.date_range("2024-01-01", periods=3)))
    agree(
        "df.describe().to_string()",
        df=pd.DataFrame({"t": pd.date_range("2024-01-01", periods=5), "v": range(5)}),
    )


EVERY_36_HOURS = pd.Series(pd.date_range("2024-01-01", periods=4, freq="36h"))


def test_times_of_groups_are_described():
    frame = pd.DataFrame({"g": list("aabb"), "d": EVERY_36_HOURS, "q": [1, 2, 3, 9], "s": list("xyzz")})
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


@pytest.mark.parametrize(
    "series",
    [
        pd.Series(["a", "b", "a", None], name="s"),
        pd.Series([True, False, True]),
        pd.Series(["x", "y", "x"], dtype="category"),
        pd.Series(pd.to_datetime(["2024-01-01", "2024-01-02", None])),
        pd.Series(pd.to_timedelta([-24, 2, None], unit="h")),
        pd.Series([None, None], dtype="str"),
    ],
)
def test_describe_has_values_not_their_texts(series):
    ours = cuprum.from_pandas(series).describe()
    assert repr(ours) == repr(series.describe())
    assert ours["count"] == series.describe()["count"]
    agree("repr(s.describe(percentiles=[0.9, 0.1]))", s=series)


@pytest.mark.parametrize(
    "elements",
    [
        [1, 2, 2, None],
        [1.5, 2.0, 2.0],
        [7.5, 2.0, None, 2.0],
        [True, False, True],
        ["x", "y", "x"],
        [None, None],
    ],
    ids=str,
)
def test_categories_that_are_numbers_are_described_by_numbers(elements):
    column = pd.Series(elements, dtype="category", name="c")
    frame = pd.DataFrame({"a": column, "b": column, "n": range(len(column))})
    agree("s.describe()", s=column)
    agree("df.describe(include='category')", df=frame)
    agree("df[['a', 'b']].describe()", df=frame)
    agree("df.describe(include='all')", df=frame)


@given(frames(i="int", f="float?", s="str?", max_rows=20, min_rows=1))
def test_describe_of_any_frames(f):
    agree("df[['i', 'f']].describe()", df=f, rtol=1e-9)
    agree("df['f'].describe()", df=f, rtol=1e-9)
    agree("df.describe()", df=f, rtol=1e-9)


@given(frames(i="int", f="float?", s="str?", b="bool", t="time", max_rows=12, min_rows=1))
def test_describing_columns_of_unlike_types(f):
    mine, theirs = f.ours.describe(include="all"), f.theirs.describe(include="all")
    assert list(mine.index) == list(theirs.index)
    for name in ("i", "f"):
        assert_like(mine[name], theirs[name], rtol=1e-9)
    for name in ("s", "b"):
        assert mine[name].dtype == theirs[name].dtype == object
        for row in ("count", "unique", "freq"):
            if theirs[name]["unique"] > 0:
                assert mine[name][row] == theirs[name][row]
        if len(set(f.theirs[name].value_counts())) == f.theirs[name].nunique():  # no ties
            assert theirs[name]["unique"] == 0 or mine[name]["top"] == theirs[name]["top"]
    for row in ("min", "max"):
        assert pd.Timestamp(mine["t"][row]) == theirs["t"][row]
    assert list(f.ours.describe().columns) == ["i", "f", "t"]
    agree("df[['i', 's']].describe()", df=f, rtol=1e-9)
    agree("df.describe(include='number')", df=f, rtol=1e-9)
    agree("df.describe(include=['int64', 'float64'])", df=f, rtol=1e-9)
    agree("df.describe(exclude=['str', 'bool', 'datetime'])", df=f, rtol=1e-9)
    agree("df['f'].describe(percentiles=[0.9, 0.1, 0.333])", df=f, rtol=1e-9)
    agree("df[['i', 'f']].describe(percentiles=[0.05, 0.5, 0.999])", df=f, rtol=1e-9)
    agree("df[['i', 'f']].describe(percentiles=[])", df=f, rtol=1e-9)


@pytest.mark.parametrize("percentiles", [[1.5], [-0.1], [0.5, 0.5], [float("nan")]])
def test_percentiles_that_are_none(percentiles):
    with pytest.raises(ValueError, match="percentiles"):
        cuprum.DataFrame({"x": [1.0]}).describe(percentiles=percentiles)
