"""`rank` of columns and rows."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, frames, given, ours

import cuprum


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


BOTH = [True, False]


METHODS = ["average", "min", "max", "first", "dense"]


@pytest.mark.parametrize("method", METHODS)
def test_rank_methods(method):
    @given(frames(i="int", f="float?", j="int?", t="time?", b="bool", s="str?", max_rows=12))
    def check(f):
        for missing in ("keep", "top", "bottom"):
            for ascending in BOTH:
                for pct in BOTH:
                    options = f"method='{method}', na_option='{missing}', ascending={ascending}, pct={pct}"
                    agree(f"df[['i', 'f', 'j', 't']].rank({options})", df=f, rtol=1e-9)
                    if method != "first":  # pandas ranks texts by the other methods only
                        agree(f"df['s'].rank({options})", df=f, rtol=1e-9)
        agree(f"df.rank(numeric_only=True, method='{method}')", df=f, rtol=1e-9)
        agree(f"df['f'].rank(numeric_only=True, method='{method}')", df=f, rtol=1e-9)

    check()


def test_rank_refuses_unknown_words():
    s = ours(pd.Series([1, 2]))
    with pytest.raises(ValueError, match="known are average, min, max, first and dense"):
        s.rank(method="middle")
    with pytest.raises(ValueError, match="known are keep, top and bottom"):
        s.rank(na_option="drop")


MEASURED = pd.DataFrame(
    {
        "a": [1.0, 2.0, None, 4.0, 9.0],
        "b": [3, 1, 4, 1, 5],
        "c": [0.1] * 5,
        "d": [True, False, True, True, False],
    }
)


def test_ranks_of_two_series():
    df = cuprum.from_pandas(MEASURED)  # pandas needs SciPy for it
    expected = MEASURED.corr(method="spearman").loc["a", "b"]
    assert df.a.corr(df.b, method="spearman") == pytest.approx(expected)
    assert df.a.corr(df.b.iloc[::-1], method="spearman") == pytest.approx(expected)
