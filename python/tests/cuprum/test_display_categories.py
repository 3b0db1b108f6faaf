"""The line of categories below a series, as pandas prints it."""

import pandas as pd
import pytest

import cuprum as cp

LONG = [f"x{i}" * 6 for i in range(9)]
KINDS = {
    "texts": pd.Series(["a", "b", None], dtype="category"),
    "ordered": pd.Series(pd.Categorical(["a", "b"], categories=["b", "a"], ordered=True), name="x"),
    "escaped": pd.Series(pd.Categorical(["x'y", "a\tb"])),
    "numbers": pd.Series(pd.Categorical([1, 2])),
    "floats": pd.Series(pd.Categorical([1.5, 2])),
    "truth values": pd.Series(pd.Categorical([True, False])),
    "more than eight": pd.Series(pd.Categorical(range(30))),
    "long": pd.Series(pd.Categorical(LONG)),
    "long and ordered": pd.Series(pd.Categorical(LONG, ordered=True)),
    "days": pd.Series(pd.Categorical(pd.to_datetime(["2020", "2021"]))),
    "instants": pd.Series(pd.Categorical(pd.to_datetime(["2020", "2021"]).tz_localize("UTC"))),
    "durations": pd.Series(pd.Categorical(pd.to_timedelta([1, 2], unit="D"))),
    "intervals": pd.Series(pd.cut(pd.Series([1.0, 2.0, 3.0]), 2)),
    "cut": pd.Series(list("ab") * 100, dtype="category"),
    "none that any row has": pd.Series(pd.Categorical([], categories=["a"])),
}


@pytest.mark.parametrize("kind", KINDS)
def test_categories_are_told(kind):
    theirs, ours = KINDS[kind], cp.from_pandas(KINDS[kind])
    assert repr(ours) == repr(theirs)
    assert ours.to_string() == theirs.to_string()
    assert ours.to_string(name=True, dtype=True) == theirs.to_string(name=True, dtype=True)
