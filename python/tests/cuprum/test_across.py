"""Filling and interpolating along the columns."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, build, given

import cuprum

KINDS = {"a": "float?", "b": "float?", "c": "float", "d": "float?"}


@given(
    st.integers(0, 9).flatmap(
        lambda rows: st.fixed_dictionaries(
            {
                name: st.lists(
                    st.one_of(st.integers(-9, 9).map(float), *([st.none()] * kind.endswith("?"))),
                    min_size=rows,
                    max_size=rows,
                )
                for name, kind in KINDS.items()
            }
        )
    ),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, "inside", "outside"]),
)
def test_along_the_columns(data, limit, area):
    frame = build(KINDS, data)
    for call in ("ffill(", "bfill(", "interpolate("):
        agree(f"f.{call}axis=1, limit={limit}, limit_area={area!r})", f=frame)
    agree("f.interpolate(axis='columns', limit_direction='both')", f=frame)


def test_labels_of_rows_stay():
    theirs = pd.DataFrame(
        {0: [np.nan, 1.0], 3: [2.0, np.nan], 4: [8.0, 3.0]}, index=pd.Index(["x", "x"], name="i")
    )
    agree("f.interpolate('index', axis=1)", f=theirs)
    agree("f.ffill(axis=1)", f=theirs)
    frame = cuprum.DataFrame(theirs)
    frame.bfill(axis=1, inplace=True)  # which leaves the frame as it is in pandas
    pd.testing.assert_frame_equal(frame.to_pandas(), theirs.bfill(axis=1))


def test_columns_without_a_common_type_become_objects():
    agree("f.ffill(axis=1)", f=pd.DataFrame({"a": [1.0, np.nan], "b": ["x", None]}))


@pytest.mark.parametrize("kinds", ["f", "ffff", "ii", "bb", "fib", "uiu", "ttt"])
@pytest.mark.parametrize("method", ["average", "min", "max", "first", "dense"])
def test_ranks_in_rows(kinds, method):
    chance = np.random.default_rng(len(kinds))
    columns = {}
    for at, kind in enumerate(kinds):
        whole, gone = chance.integers(0, 4, 60), chance.random(60) < 0.3
        columns[f"c{at}"] = {
            "f": np.where(gone, np.nan, whole * 0.5 - 1),
            "i": whole - 2,
            "u": whole.astype("uint8"),
            "b": whole > 1,
            "t": pd.to_datetime(np.where(gone, None, "2020-01-01")) + pd.to_timedelta(whole, "D"),
        }[kind]
    expected = pd.DataFrame(columns)
    frame = cuprum.from_pandas(expected)
    for na_option in ("keep", "top", "bottom"):
        for ascending in (True, False):
            for pct in (True, False):
                how = {"method": method, "na_option": na_option, "ascending": ascending, "pct": pct}
                found = frame.rank(axis=1, **how).to_pandas()
                pd.testing.assert_frame_equal(found, expected.rank(axis=1, **how))


_ORDERED = pd.CategoricalDtype(["n", "m", "y"], ordered=True)
_UNLIKE = {
    "texts": {"a": ["b", None, "", None], "b": ["c", "d", "", None]},
    "categories": {
        "a": pd.Categorical(["n", "y", "m"]),
        "b": pd.Categorical(["y", "y", "n"], ["n", "m", "y"]),
    },
    "of one dtype": {at: pd.Categorical(list(x), list("nmy")) for at, x in [("a", "nym"), ("b", "yyn")]},
    "ordered": {"a": pd.array(["n", "y", "m"], _ORDERED), "b": pd.array(["y", None, None], _ORDERED)},
    "mixed": {"a": [1, 2, 2], "b": ["x", "y", ""], "c": [1.0, 2.5, np.nan], "d": [True, False, False]},
    "with categories": {"a": [1, 2], "b": ["x", "y"], "c": pd.Categorical(["x", "z"])},
    "numbers and categories": {"a": [1, 2], "b": pd.Categorical([3, 4])},
    "times": {"a": pd.to_datetime(["2024-01-01", None]), "b": ["x", "y"], "c": [1, 2]},
    "durations": {"a": pd.to_timedelta([0, 2], unit="h"), "b": pd.to_timedelta([0, None], unit="h")},
}


@pytest.mark.filterwarnings("ignore:Unable to sort modes")
@pytest.mark.parametrize("kind", _UNLIKE)
def test_rows_of_unlike_types(kind):
    theirs = pd.DataFrame(_UNLIKE[kind])
    answered = 0
    for call in (
        ["nunique(", "nunique(dropna=False, ", "any(", "all(", "any(skipna=False, ", "all(skipna=False, "]
        + ["max(", "min(", "max(skipna=False, ", "idxmax(", "idxmin(", "sum(", "sum(skipna=False, ", "mode("]
        + ["apply(lib.Series.nunique, "]
    ):
        if kind == "times" and call[:3] in ("any", "all"):  # which pandas has beside texts alone
            continue
        code = f"f.{call}axis=1)"
        try:
            eval(code, {"f": theirs, "lib": pd})
        except (TypeError, ValueError) as error:
            with pytest.raises(type(error)):
                eval(code, {"f": cuprum.DataFrame(theirs), "lib": cuprum})
        else:
            agree(code, f=theirs)
            answered += 1
    assert answered > 2


def test_different_elements_of_rows_are_those_of_python():
    """1, 1.0 and True are one element, and no text."""
    agree("f.nunique(axis=1)", f=pd.DataFrame({"a": [1], "b": [1.0], "c": [True], "d": ["1"], "e": ["x"]}))
