"""Means, spreads and sums of times and durations."""

import pandas as pd
import pytest
from oracle import agree

import cuprum

EVERY_36_HOURS = pd.Series(pd.date_range("2024-01-01", periods=4, freq="36h"))


@pytest.mark.parametrize(
    "code", ["s.std()", "s.std(ddof=0)", "s.iloc[:1].std()", "s.dt.tz_localize('UTC').std()"]
)
def test_spread_of_times(code):
    agree(code, s=EVERY_36_HOURS)


def test_spread_of_times_in_frames():
    frame = pd.DataFrame({"d": EVERY_36_HOURS, "e": EVERY_36_HOURS + pd.Timedelta("1h"), "a": [1, 2, 3, 5]})
    agree("df[['d', 'e']].std()", df=frame)
    agree("repr(df.std())", df=frame)


def test_too_few_durations():
    assert cuprum.Series([pd.Timedelta("1D")]).sum(min_count=2) is pd.NaT


TIMES_OF_GROUPS = pd.DataFrame(
    {
        "k": list("aabbc"),
        "d": pd.to_timedelta([1, 4, 2, None, None], unit="h"),
        "t": pd.to_datetime(
            ["2024-01-01 10:00", "2024-01-02 11:30", None, "2024-05-05 00:00", "2024-05-05 00:00"]
        ),
    }
)


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('k')['d'].std()",
        "df.groupby('k')['d'].std(ddof=0)",
        "df.groupby('k')['d'].sem()",
        "df.groupby('k')['t'].std()",
        "df.groupby('k').std()",
        "df.groupby('k')['d'].agg(['min', 'max', 'sum', 'std', 'count'])",
        "df.groupby('k')['d'].transform('std')",
        "df.groupby('k')['d'].describe().loc[['a']].to_dict('list')",
    ],
)
def test_spreads_of_times_in_groups(code):
    agree(code, df=TIMES_OF_GROUPS)


@pytest.mark.parametrize("code", ["i.mean()", "i.std()"])
@pytest.mark.parametrize("kind", ["DatetimeIndex", "TimedeltaIndex"])
def test_means_of_labels_that_are_times(code, kind):
    labels = ["1D", "2h", None] if kind == "TimedeltaIndex" else ["2024-01-01", "2024-01-04", None]
    ours, theirs = (eval(code, {"i": getattr(lib, kind)(labels)}) for lib in (cuprum, pd))
    assert ours == theirs


def test_sums_of_labels_that_are_durations():
    ours, theirs = (lib.TimedeltaIndex(["1D", "2h", None]) for lib in (cuprum, pd))
    assert (ours.sum(), ours.median()) == (theirs.sum(), theirs.median())
