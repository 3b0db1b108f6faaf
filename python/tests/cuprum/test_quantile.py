"""`quantile` of frames and series."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, frames, given

import cuprum


@given(frames(f="float?", i="int", max_rows=20))
def test_quantiles_of_any_frames(f):
    for q in (0, 0.25, 0.5, 0.95, 1):
        agree(f"df['f'].quantile({q})", df=f, rtol=1e-9)
    agree("df['f'].quantile([0.1, 0.9])", df=f, rtol=1e-9)
    agree("df.quantile(0.3).rename(None)", df=f, rtol=1e-9)  # numbers are no names
    agree("df['i'].quantile(0.4)", df=f, rtol=1e-9)


INTERPOLATIONS = ["linear", "lower", "higher", "midpoint", "nearest"]


@given(frames(i="wide", h="int32", f="float?", max_rows=9))
def test_interpolation_of_quantiles(f):
    for how in INTERPOLATIONS:
        options = f"interpolation={how!r}"
        for q in (0, 0.1, 0.5, 0.75, 1):
            agree(f"df['f'].quantile({q}, {options})", df=f, rtol=1e-9)
            if len(f.theirs):  # of no integers pandas has no quantile, or NaN
                agree(f"df['h'].quantile({q}, {options})", df=f, rtol=1e-9)
                agree(f"df[['h', 'f']].quantile({q}, {options}).rename(None)", df=f, rtol=1e-9)
        agree(f"df['f'].quantile([0.1, 0.9], {options})", df=f, rtol=1e-9)
        if len(f.theirs):
            agree(f"df[['h', 'f']].quantile([0.2, 0.8], {options})", df=f, rtol=1e-9)
    values = sorted(f.theirs["i"])
    if values:  # exact where float64 is not
        assert f.ours["i"].quantile(1, "lower") == values[-1]
        assert f.ours["i"].quantile(0.5, "lower") == values[(len(values) - 1) // 2]


def test_quantiles_of_unknown_interpolation():
    with pytest.raises(ValueError, match="known are linear, lower, higher, midpoint and nearest"):
        cuprum.Series([1.0]).quantile(0.5, interpolation="cubic")


def test_quantile_out_of_range():
    with pytest.raises(ValueError, match="between 0 and 1"):
        cuprum.Series([1.0]).quantile(1.5)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
@pytest.mark.parametrize("how", ["linear", "lower", "higher", "nearest", "midpoint"])
def test_quantiles_of_times_are_times(unit, kind, how):
    numbers = [86_400, None, -5_000, 1_000_000, 7]
    s = pd.Series(numbers, dtype="Int64").astype(f"{kind}[{unit}]")
    agree(f"s.quantile(0.3, interpolation={how!r})", s=s)
    agree(f"s.quantile([0.0, 0.25, 0.5, 1.0], interpolation={how!r})", s=s)
    agree(f"s.dropna().head(0).quantile(0.5, interpolation={how!r})", s=s)
    agree(f"df.quantile([0.1, 0.9], interpolation={how!r})", df=s.to_frame("t"))


def test_quantiles_of_times_keep_the_last_tick():
    far = np.datetime64("2200-01-01T00:00:00.000000001", "ns")
    assert cuprum.Series([far, far]).quantile(0.5) == far
    assert cuprum.Series([far, far + np.timedelta64(2, "ns")]).quantile(0.5) == far + np.timedelta64(1, "ns")


def test_there_are_no_quantiles_of_truth_values():
    for lib in (pd, cuprum):
        with pytest.raises(TypeError):
            lib.Series([True, False]).quantile(0.5)
