"""Elements of numbers and times on a GPU: nothing goes by way of the host, and the results are the CPU's."""

import numpy as np
import pandas as pd
import pytest
from oracle import ours

import cuprum


@pytest.fixture(autouse=True)
def without_the_host():
    with cuprum.option_context("fallback", "error"):
        yield


@pytest.fixture
def pandas_frame():
    random = np.random.default_rng(5)
    rows = 200
    frame = pd.DataFrame(
        {
            "a": random.integers(-5, 6, rows),
            "b": random.normal(size=rows).round(2),
            "c": random.integers(0, 200, rows).astype("uint8"),
            "m": pd.array(random.integers(0, 9, rows), dtype="Int64"),
            "n": random.normal(size=rows),
            "p": random.integers(0, 2, rows).astype(bool),
            "t": pd.to_datetime("2024-02-28") + pd.to_timedelta(random.integers(0, 10**6, rows), unit="s"),
            "d": pd.to_timedelta(random.integers(-(10**6), 10**6, rows), unit="s"),
        }
    )
    frame.loc[::7, "n"] = np.nan
    frame.loc[::5, "m"] = pd.NA
    frame.loc[::11, "t"] = pd.NaT
    return frame


OPERATIONS = {
    "a product and a sum": lambda d: d["a"] * d["b"] + d["n"],
    "of two widths": lambda d: d["a"] + d["c"],
    "with nulls": lambda d: d["m"] * 2 - d["a"],
    "divided": lambda d: d["b"] / (d["c"] + 1),
    "divided down": lambda d: d["a"] // 3,
    "remainder": lambda d: d["a"] % 4,
    "by numbers with zeros": lambda d: d["b"] % d["a"],
    "a power": lambda d: d["b"] ** 2,
    "a scalar on the left": lambda d: 1 - d["a"],
    "compared": lambda d: d["a"] >= d["b"],
    "compared with nulls": lambda d: d["m"] > 3,
    "logic": lambda d: (d["a"] > 0) & ~d["p"] | (d["b"] < 0),
    "a sign": lambda d: -d["a"],
    "absolute": lambda d: abs(d["a"]),
    "rounded": lambda d: d["n"].round(1),
    "a filter": lambda d: d[d["a"] * 2 + d["b"] > 3],
    "a filter by nulls": lambda d: d[d["n"].isna()],
    "a new column": lambda d: d.assign(e=d["a"] + d["b"]),
    "eval": lambda d: d.eval("(a * b + n) / (b + 1)"),
    "eval of a condition": lambda d: d.eval("a > 0 and b < 1 or p"),
    "query": lambda d: d.query("a * 2 > b and n == n"),
    "a function of elements": lambda d: d["a"].map(lambda x: x * 2 + 1 if x % 3 else -x),
    "a function with guards": lambda d: d["b"].map(lambda x: 1 / x if x > 0 else 0),
    "a function of rows": lambda d: d[["a", "b"]].apply(
        lambda r: r["a"] * r["b"] if r["b"] > 0 else r["a"], axis=1
    ),
    "a sum of a formula": lambda d: d["a"] + d.eval("(a * c).sum()"),
    "missing": lambda d: d[["a", "n", "m", "t"]].isna(),
    "there": lambda d: d["n"].notna(),
    "filled": lambda d: d["n"].fillna(0),
    "filled, of an extension type": lambda d: d["m"].fillna(0),
    "where": lambda d: d["a"].where(d["b"] > 0, 7),
    "where, missing elsewhere": lambda d: d["n"].where(d["p"]),
    "mask": lambda d: d["b"].mask(d["p"], d["n"]),
    "clipped": lambda d: d["b"].clip(-0.5, 0.5),
    "between": lambda d: d["a"].between(-1, 2),
    "filled forward": lambda d: d["n"].ffill(),
    "filled backward": lambda d: d["m"].bfill(),
    "replaced": lambda d: d["a"].replace({1: 2, -3: 0}),
    "to floats": lambda d: d["a"].astype("float64"),
    "to small integers": lambda d: d["a"].astype("int8"),
    "to booleans": lambda d: d["a"].astype("bool"),
    "to floats of 32 bits": lambda d: d["n"].astype("float32"),
    "a duration later": lambda d: d["t"] + d["d"],
    "between times": lambda d: d["t"] - pd.Timestamp("2024-02-01"),
    "a longer duration": lambda d: d["d"] * 3,
    "times compared": lambda d: d["t"] > pd.Timestamp("2024-03-01"),
    "a frame and a number": lambda d: d[["a", "b"]] * 2 + 1,
    "two frames": lambda d: d[["a", "b"]] - d[["a", "b"]],
    "a frame compared": lambda d: d[["a", "b"]] > 0,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_elements_on_devices(pandas_frame, name):
    here = ours(pandas_frame)
    made, expected = OPERATIONS[name](here.to_device("emulator")), OPERATIONS[name](here)
    assert made.device == "emulator"
    assert made.to_host().equals(expected)


def test_a_column_is_set(pandas_frame):
    there = ours(pandas_frame).to_device("emulator")
    here = there.to_host()
    for frame in (here, there):
        frame["e"] = frame["a"] + frame["b"]
        frame["f"] = frame["e"] > 1
    assert there.device == "emulator"
    assert there.to_host().equals(here)


def test_errors_are_those_of_the_cpu():
    there = cuprum.Series([1.0, 2.5, float("inf")]).to_device("emulator")
    for target in (there, there.to_host()):
        with pytest.raises(ValueError, match="row 2"):
            target.astype("int64")
    powers = cuprum.Series([2, 3]).to_device("emulator")
    exponents = cuprum.Series([1, -1]).to_device("emulator")
    with pytest.raises(ValueError, match=r"row 1 has the exponent -1"):
        powers**exponents


WRITES = {
    "at": lambda d: d.at.__setitem__((3, "b"), -7.5),
    "iat": lambda d: d.iat.__setitem__((199, 0), 4),
    "iloc": lambda d: d.iloc.__setitem__((0, 2), 9),
    "a null among numbers": lambda d: d.loc.__setitem__((5, "m"), None),
    "a number where a null was": lambda d: d.loc.__setitem__((0, "m"), 8),
    "NaN": lambda d: d.at.__setitem__((4, "n"), float("nan")),
    "a time": lambda d: d.at.__setitem__((7, "t"), pd.Timestamp("2024-03-01")),
    "no time": lambda d: d.at.__setitem__((7, "d"), pd.NaT),
    "neighbours": lambda d: d.iloc.__setitem__((slice(10, 50), 1), 0.25),
    "neighbours, each its own": lambda d: d.iloc.__setitem__((slice(60, 63), 0), [1, 2, 3]),
    "neighbours, some null": lambda d: d.iloc.__setitem__(
        (slice(60, 63), 3), pd.array([1, None, 3], "Int64")
    ),
    "rows apart": lambda d: d.iloc.__setitem__(([3, 1, 100], 0), [1, 2, 3]),
    "no rows": lambda d: d.iloc.__setitem__((slice(5, 5), 0), 1),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_elements_are_written(pandas_frame, write, device):
    with cuprum.option_context("device", device):
        frame = ours(pandas_frame)
        other = frame.copy()
        WRITES[write](frame)
    expected = pandas_frame.copy()
    WRITES[write](expected)
    # Nullable integers are floats in NumPy's types.
    pd.testing.assert_frame_equal(frame.to_pandas(), expected.astype({"m": "float64"}))
    pd.testing.assert_frame_equal(other.to_pandas(), pandas_frame.astype({"m": "float64"}))
