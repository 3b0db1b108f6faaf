"""Frames on other devices than the CPU: the emulator has the place of a GPU."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from oracle import assert_like, ours

import cuprum

PROGRAM = """
import cuprum
frame = cuprum.DataFrame({"a": [3, 1, 2], "s": ["x", None, "y"]})
assert frame.device == frame.index.device == "emulator", frame.device
assert frame.sort_values("a").device == frame.a.device == "emulator"
assert frame.sort_values("a").a.to_list() == [1, 2, 3]
cuprum.set_option("device", "cpu")
assert cuprum.Series([1]).device == "cpu" and frame.a.sum() == 6
"""


@pytest.fixture(autouse=True)
def by_host():
    with cuprum.option_context("fallback", "host"):
        yield


@pytest.fixture
def there(df):
    return ours(df.assign(c=pd.Categorical(df["s"]))).to_device("emulator")


def test_the_environment_chooses_the_device():
    environment = {**os.environ, "CUPRUM_DEVICE": "emulator", "CUPRUM_FALLBACK": "host"}
    subprocess.run([sys.executable, "-c", PROGRAM], env=environment, check=True)


@pytest.mark.host
def test_a_gpu_that_works_is_used():
    def told(device):
        environment = {**os.environ, "CUPRUM_DEVICE": device, "CUPRUM_LOGGING_LEVEL": "INFO"}
        if not device:
            del environment["CUPRUM_DEVICE"]
        program = "import cuprum; print(cuprum.Series([1]).device, cuprum.get_option('device'))"
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split(), done.stderr

    gpus = [device for device in cuprum.cuda.devices() if str(device) != "cpu"]
    for device in ("", "auto"):
        devices, log = told(device)
        if gpus:
            assert devices == ["cuda:0", "cuda:0"]
        else:
            assert devices == ["cpu", "cpu"]
            assert log.count("no GPU is used") == 1
    assert told("cpu") == (["cpu", "cpu"], "")


@pytest.mark.host
def test_the_option_chooses_the_device():
    with cuprum.option_context("device", "emulator"):
        made = [
            cuprum.Series([1, None, 3]),
            cuprum.Series(["a", None]),
            cuprum.Series(np.arange(3)),
            cuprum.Series(pd.Series(pd.Categorical(["a", "b", "a"]))),
            cuprum.Series(pd.Series(pd.to_datetime(["2020-01-01"]).tz_localize("UTC"))),
            cuprum.Series([[1, 2], None]),
            cuprum.Series([b"x", None]),
            cuprum.DataFrame({"a": pa.array(["x", "y"])}),
            cuprum.Index([1.5, 2.5]),
            pickle.loads(pickle.dumps(cuprum.Series([1, 2]))),
        ]
        assert [one.device for one in made] == ["emulator"] * len(made)
    assert cuprum.Series([1]).device == "cpu"
    for wrong in ("gpu", 1.5, None):
        with pytest.raises(ValueError, match=r"device|option"):
            cuprum.set_option("device", wrong)


def test_what_is_made_of_a_frame_is_where_it_is(there, df):
    here = there.to_host()
    operations = [
        lambda d: d.sort_values("i"),
        lambda d: d[d["i"] > 0],
        lambda d: d.iloc[[4, 0]],
        lambda d: d.loc[1:3],
        lambda d: d.loc[[3, 1], ["s", "c"]],
        lambda d: d.groupby("s").agg({"f": "mean", "i": "sum"}),
        lambda d: d.groupby("b")["i"].rank(),
        lambda d: d.groupby("b")["i"].cumsum(),
        lambda d: d.groupby("b")["f"].shift(1),
        lambda d: d.merge(d[["i", "f"]], on="i", how="left"),
        lambda d: d[["i", "f"]].sum(axis=1),
        lambda d: d[["i", "f"]].rank(),
        lambda d: d[["i", "f"]].T,
        lambda d: d[["i", "f"]].describe(),
        lambda d: d["s"].str.upper(),
        lambda d: d["t"].dt.year,
        lambda d: d["c"].astype("str"),
        lambda d: d.isna(),
        lambda d: d.set_index("i").sort_index(),
        lambda d: d.reset_index(),
        lambda d: d["i"].where([True, False, True, True, False], 7),
        lambda d: d["i"] + 1,
        lambda d: d.drop_duplicates("b"),
        lambda d: d["i"].isin([3, 0]),
        lambda d: d["s"].value_counts(),
        lambda d: d.groupby("b").value_counts(["i"], normalize=True),
        lambda d: d.groupby("b")["i"].value_counts(normalize=True),
        lambda d: d.groupby("b", as_index=False)["c"].value_counts(normalize=True),
        lambda d: d.groupby("b")["i"].value_counts(bins=[-5, 0, 5]).reset_index(drop=True),
        lambda d: d.groupby("c", observed=False)["i"].value_counts(),
        lambda d: d.dropna(),
    ]
    for operation in operations:
        made = operation(there)
        assert made.device == made.index.device == "emulator"
        assert made.to_host().equals(operation(here))
    assert_like(there[["i", "f", "s", "t"]].sort_values("i"), df[["i", "f", "s", "t"]].sort_values("i"))


def test_writing(there):
    host = there.to_host().drop(columns="c")
    for frame in (there, host):
        frame.loc[1, "i"] = 10
        frame.loc[[0, 2], "f"] = [7.0, None]
        frame.iloc[3, frame.columns.get_loc("s")] = "new"
        frame["n"] = frame["i"] * 2
        frame["l"] = [5, 4, 3, 2, 1]
    assert there.device == "emulator"
    assert there.drop(columns="c").to_host().equals(host)
    first = there["i"]
    shallow = first.copy(deep=False)
    shallow.iloc[0] = 99
    assert first.iloc[0] == 99 and shallow.device == "emulator"


def test_two_devices_are_refused(there):
    here = there.to_host()
    with pytest.raises(ValueError, match=r"emulator.*cpu|cpu.*emulator"):
        there["i"] + here["i"]
    with pytest.raises(ValueError, match=r"emulator.*cpu|cpu.*emulator"):
        there.merge(here, on="i")
    with pytest.raises(ValueError, match=r"emulator.*cpu|cpu.*emulator"):
        cuprum.DataFrame({"a": there["i"], "b": here["i"]})
    # Columns without labels go where the frame is.
    assert there[here["b"].to_numpy()].device == "emulator"


@pytest.mark.host
def test_labels_follow_the_values():
    index = cuprum.Index(["a", "b"])
    series = cuprum.Series([1, 2]).to_device("emulator")
    series.index = index
    assert index.device == "cpu" and series.index.device == series.device
    assert series.to_device("emulator").index.to_device("cpu").to_list() == ["a", "b"]
    assert cuprum.RangeIndex(3).to_device("emulator").device == "emulator"


@pytest.mark.host
def test_memory_for_others():
    series = cuprum.Series([1.5, 2.5])
    assert np.from_dlpack(series).tolist() == [1.5, 2.5]
    assert series.__dlpack_device__() == (1, 0)
    assert cuprum.from_dlpack(np.array([[1, 2], [3, 4]])).to_numpy().tolist() == [[1, 2], [3, 4]]
    assert cuprum.from_dlpack(series).to_list() == [1.5, 2.5]
    for memory in (series.to_device("emulator"), series.to_frame("a").to_device("emulator")):
        assert not hasattr(memory, "__arrow_c_device_array__")
    assert pa.table(series.to_frame("a").to_device("emulator")).column("a").to_pylist() == [1.5, 2.5]
    frame = cuprum.DataFrame({"a": [1, None], "s": ["x", "y"], "c": pd.Categorical(["u", "v"])})
    assert pa.record_batch(frame).to_pydict() == {"a": [1, None], "s": ["x", "y"], "c": ["u", "v"]}
    assert not hasattr(series, "__cuda_array_interface__")


def test_what_columns_without_memory_give_is_where_data_live():
    with cuprum.option_context("device", "emulator"):
        frame = cuprum.DataFrame({"a": [1, 2, 3]})
        hashes = frame.iloc[:0].astype("float64").hash_values("murmur3")
        assert hashes.device == "emulator"
        assert list(frame.iloc[:0].assign(p=hashes % 2).columns) == ["a", "p"]


def test_attrs_go_to_another_device():
    frame = cuprum.DataFrame({"a": [1]})
    frame.attrs["unit"] = ["m"]
    there = frame.to_device("emulator")
    assert there.attrs == {"unit": ["m"]}
    there.attrs["unit"].append("s")
    assert frame.attrs == {"unit": ["m"]}
