"""Frames as bytes: what is sent arrives, what is damaged or foreign is refused."""

import pickle
import random

import distributed.protocol as protocol
import numpy as np
import pandas as pd
import pytest
from dask.sizeof import sizeof
from sample_frames import table

import cuprum
import cuprum.dask
from cuprum.core import pack

FRAME = table(130)
EMPTY = cuprum.DataFrame()
MANY = [
    FRAME,
    FRAME.iloc[:0],
    FRAME.iloc[7:40],
    FRAME.set_index("s"),
    FRAME.set_index(["c", "z"]),
    FRAME.rename(columns={"k": 3, "x": ("a", 1)}),
    FRAME.x,
    FRAME.c.rename(None),
    FRAME.z.iloc[3:3],
    FRAME.set_index("t").s,
    FRAME.index,
    FRAME.set_index("c").index,
    FRAME.set_index(["s", "k"]).index,
    cuprum.RangeIndex(3, 30, 9, name="r"),
    EMPTY,
    cuprum.DataFrame(index=[3, 4]),
    cuprum.Series([[1, None], None, []]),
    cuprum.Series([{"a": 1, "b": "x"}, None]),
    cuprum.Series(["a", None], dtype="category"),
    cuprum.Series([], dtype="str"),
    cuprum.DataFrame({"a": [1]}).pivot_table(index="a", columns="a", values="a"),
]


def equal(got, wanted):
    assert type(got) is type(wanted)
    if isinstance(wanted, cuprum.Index):
        pd.testing.assert_index_equal(got.to_pandas(), wanted.to_pandas())
    elif isinstance(wanted, cuprum.Series):
        assert got.dtype == wanted.dtype
        pd.testing.assert_series_equal(got.to_pandas(), wanted.to_pandas())
    else:
        assert got.dtypes.tolist() == wanted.dtypes.tolist()
        pd.testing.assert_frame_equal(got.to_pandas(), wanted.to_pandas())
    if not isinstance(wanted, cuprum.Index):
        assert type(got.index) is type(wanted.index)
    return True


@pytest.mark.parametrize("obj", MANY, ids=range(len(MANY)))
def test_round_trips(obj):
    header, frames = protocol.serialize(obj, serializers=["dask", "pickle", "error"])
    assert equal(protocol.deserialize(header, [bytes(frame) for frame in frames]), obj)
    header, frames = protocol.serialize(obj, serializers=["dask", "pickle", "error"])
    assert equal(protocol.deserialize(header, [memoryview(bytearray(frame)) for frame in frames]), obj)


@pytest.mark.parametrize("obj", MANY, ids=range(len(MANY)))
def test_pickles(obj):
    buffers = []
    stream = pickle.dumps(obj, protocol=5, buffer_callback=buffers.append)
    assert equal(pickle.loads(stream, buffers=buffers), obj)
    for version in range(2, 6):
        assert equal(pickle.loads(pickle.dumps(obj, protocol=version)), obj)


def test_intervals_are_pickled():
    intervals = cuprum.cut(cuprum.Series([1, 2, 3]), [0, 2, 4])
    header, frames = protocol.serialize(intervals, serializers=["dask", "pickle"])
    assert equal(protocol.deserialize(header, frames), intervals)


@pytest.mark.host
def test_memory_is_shared():
    """Nothing is copied where a message is read, and its memory is not in the stream of a pickle."""
    frame = cuprum.DataFrame({"x": np.arange(100_000)})
    header, metadata, block = pack.pack(frame)
    received = bytearray(block.nbytes + 64)
    shift = -np.frombuffer(received, "uint8").ctypes.data % 64
    view = memoryview(received)[shift : shift + block.nbytes]
    view[:] = block
    made = pack.unpack(header, metadata, view)
    assert made.x.iloc[7] == 7
    at = np.frombuffer(view, "uint8").ctypes.data
    assert at <= made.x.to_numpy().ctypes.data < at + block.nbytes
    buffers = []
    assert len(pickle.dumps(frame, protocol=5, buffer_callback=buffers.append)) < 3000
    assert sum(len(buffer.raw()) for buffer in buffers) >= frame.x.memory_usage(index=False)


def test_attrs_travel():
    frame = FRAME.copy()
    frame.attrs["unit"] = "m"
    header, frames = protocol.serialize(frame)
    assert protocol.deserialize(header, frames).attrs == {"unit": "m"}


def test_damaged_messages():
    """Errors, whatever byte is changed or cut; never another end of the process."""
    header, frames = protocol.serialize(FRAME, serializers=["dask", "error"])
    sub = header["sub-header"]
    chance = random.Random(0)
    for _ in range(300):
        metadata, block = bytearray(sub["metadata"]), bytearray(frames[0])
        part = chance.choice([metadata, metadata, block])
        if chance.random() < 0.3:
            del part[chance.randrange(len(part)) :]
        else:
            part[chance.randrange(len(part))] ^= 1 << chance.randrange(8)
        try:
            made = protocol.deserialize(
                {**header, "sub-header": {**sub, "metadata": bytes(metadata)}}, [bytes(block)]
            )
            made.to_pandas()
        except (ValueError, TypeError, NotImplementedError, OverflowError, MemoryError):
            continue


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "is of version 2, and this Cuprum"),
        ({"rows": 5}, "says 5 rows and has 130"),
        ({"labels": ["a"]}, "1 labels for 7 columns"),
        ({"dtypes": []}, "zip"),
        ({"kind": "series"}, "a packed series has 7 columns"),
        ({"names": [None, None]}, "2 names for one level"),
    ],
)
def test_other_headers(change, message):
    header, metadata, block = pack.pack(FRAME)
    changed = pickle.dumps({**pickle.loads(header), **change})
    with pytest.raises(ValueError, match=message):
        pack.unpack(changed, metadata, block)
    sent = {**protocol.serialize(FRAME)[0], "sub-header": {"header": changed, "metadata": metadata}}
    with pytest.raises(ValueError, match=r"process \d+: "):
        protocol.deserialize(sent, [bytes(block)])


def test_what_is_no_message():
    header, metadata, block = pack.pack(FRAME)
    for bad in (b"", b"abc", pickle.dumps(3), pickle.dumps({})):
        with pytest.raises(ValueError, match="header of a packed frame is damaged"):
            pack.unpack(bad, metadata, block)
    with pytest.raises(ValueError):
        pack.unpack(header, b"CUPRUMXX" + metadata[8:], block)
    with pytest.raises(ValueError, match="in 2 pieces"):
        cuprum.dask.transport.deserialize({"header": header, "metadata": metadata}, [block, block])
    with pytest.raises(ValueError, match="without its 'header'"):
        cuprum.dask.transport.deserialize({}, [block])


def test_frames_of_a_gpu(monkeypatch):
    """They come back to such a device; where data come in, where there is none."""
    frame = cuprum.DataFrame({"a": [1, 2]}).to_device("emulator")
    header, frames = protocol.serialize(frame, serializers=["dask", "error"])
    assert protocol.deserialize(header, frames).device == "emulator"
    parts = pack.pack(frame)
    sent = {"header": pickle.dumps({**pickle.loads(parts[0]), "device": "cuda:63"}), "metadata": parts[1]}
    found = cuprum.dask.transport.deserialize(sent, [parts[2]])
    assert found.device == cuprum.get_option("device") and found.equals(frame.to_device(found.device))


def test_programs_of_frames_on_a_gpu():
    """Shuffles, joins and groups, for which Dask asks frames without rows, whose columns have no memory."""
    import dask
    import dask.dataframe as dd

    def results():
        rows = dd.from_pandas(table(200), npartitions=4)
        joined = rows.merge(rows[["k", "x"]].drop_duplicates(subset=["k"]), on="k", how="left")
        yield joined[["k", "x_x", "x_y"]].compute().sort_values(["k", "x_x"], ignore_index=True)
        yield rows.groupby("k").agg({"x": ["mean", "std"]}, split_out=2).compute().sort_index()
        yield rows.sort_values("x")[["k", "x"]].compute()

    with dask.config.set({"dataframe.backend": "cuprum"}):
        wanted = list(results())
        with cuprum.option_context("device", "emulator", "fallback", "host"):
            found = list(results())
    assert [frame.device for frame in found] == ["emulator"] * 3
    for one, other in zip(found, wanted, strict=True):
        cuprum.testing.assert_frame_equal(one.to_host(), other)


def test_columns_without_memory_are_packed_on_the_host():
    with cuprum.option_context("device", "emulator"):
        frame = cuprum.DataFrame({"a": [1, 2]}).iloc[:0].astype("float64")
        assert pack.unpack(*pack.pack(frame)).a.dtype == "float64"


def test_sizes():
    frame = cuprum.DataFrame({"x": np.arange(10_000)})
    assert 80_000 <= sizeof(frame) < 81_000
    assert sizeof(frame.iloc[:10]) < 1000
    assert 80_000 <= sizeof(frame.x) < 81_000
    assert sizeof(frame.index) < 1000
    assert 80_000 <= sizeof(frame.set_index("x").index) < 81_000


@pytest.mark.host
def test_spilled_columns_have_no_size():
    from cuprum.core.buffer import get_global_manager

    with cuprum.option_context("spill", True):
        frame = cuprum.DataFrame({"x": np.arange(100_000)}) * 2
        before = sizeof(frame)
        get_global_manager().spill_device_memory(1 << 40)
        assert sizeof(frame) < before / 100
        assert frame.x.iloc[3] == 6
        assert sizeof(frame) == before
