"""``pylibcuprum.contiguous_split``: tables in one block of memory."""

import datetime as dt
import multiprocessing
import pickle

import numpy as np
import pyarrow as pa
import pytest
from devices import every_device, on

from cuprum import rmm
from cuprum.rmm import mr
from pylibcuprum import Column, Table, gpumemoryview
from pylibcuprum.contiguous_split import (
    ChunkedPack,
    PackedColumns,
    contiguous_split,
    pack,
    pack_metadata,
    unpack,
    unpack_from_memoryviews,
)

MIB = 1 << 20

TABLE = {
    "ints": pa.array([1, None, 3, -4]),
    "text": pa.array(["a", "", None, "日本é"]),
    "bools": pa.array([True, None, False, True]),
    "times": pa.array([dt.datetime(2026, 1, 2), None, dt.datetime(1, 1, 1), None]),
    "decimals": pa.array([None, "1.25", "-3.00", "12345678901234567890.12"]).cast(pa.decimal128(38, 2)),
    "lists": pa.array([[[1, 2], None], [], None, [[3]]]),
    "structs": pa.array([{"x": 1, "y": ["a"]}, None, {"x": None, "y": []}, {"x": 4, "y": None}]),
    "dictionary": pa.array(["u", "v", None, "u"]).dictionary_encode(),
    "nothing": pa.nulls(4),
}


class Columns:
    """Anything with columns."""

    def __init__(self, columns):
        self._columns = columns

    def columns(self):
        return self._columns


def columns():
    return [Column.from_arrow(array) for array in TABLE.values()]


def as_lists(table):
    return [pa.array(column).to_pylist() for column in table.to_host().columns()]


def expected():
    return as_lists(Table(columns()))


@pytest.mark.parametrize("input", [columns, lambda: Table(columns()), lambda: Columns(columns())])
def test_a_table_comes_back(input):
    packed = pack(input())
    assert as_lists(unpack(packed)) == expected()
    assert as_lists(unpack(packed)) == expected(), "as often as one likes"


@pytest.mark.host
def test_on_a_device():
    table = Table(columns()).to_device("emulator")
    metadata, data = pack(table).release()
    assert str(data.device) == "emulator"
    with pytest.raises(BufferError, match="memory on emulator is not the host's"):
        memoryview(data)
    assert metadata == pack(columns()).release()[0]
    back = unpack_from_memoryviews(metadata, data)
    assert as_lists(back) == expected()
    resource = mr.CudaMemoryResource(device="emulator")
    chunks = ChunkedPack.create(table, MIB, temp_mr=resource)
    block = chunks.pack_to_host(rmm.DeviceBuffer(size=MIB, mr=resource))
    assert block == tuple(map(memoryview, pack(columns()).release()))


def test_slices_are_cut():
    table = [column.slice(1, 2) for column in columns()]
    assert as_lists(unpack(pack(table))) == [values[1:3] for values in expected()]
    long = Column.from_array_interface(np.arange(1_000_000))
    metadata, data = pack([long.slice(500_001, 10)]).release()
    assert len(data) == 128 and len(metadata) < 200


def test_release_gives_up_the_memory():
    packed = pack(columns())
    metadata, data = packed.release()
    assert isinstance(metadata, memoryview) and isinstance(data, gpumemoryview)
    assert as_lists(unpack_from_memoryviews(metadata, data)) == expected()
    for use in [packed.release, lambda: unpack(packed)]:
        with pytest.raises(ValueError, match="have been released"):
            use()
    assert repr(packed) == "PackedColumns(released)"
    with pytest.raises(TypeError):
        PackedColumns()


@pytest.mark.host
@pytest.mark.parametrize(
    "kind",
    [
        bytes,
        bytearray,
        lambda data: memoryview(bytes(data)),
        lambda data: np.frombuffer(bytes(data), np.uint8).copy(),
        lambda data: memoryview(b"x" + bytes(data))[1:],
        np.asarray,
        rmm.DeviceBuffer.to_device,
        lambda data: rmm.DeviceBuffer.to_device(bytes(data), mr=mr.CudaMemoryResource(device="emulator")),
    ],
)
def test_data_of_any_kind(kind):
    metadata, data = pack(columns()).release()
    assert as_lists(unpack_from_memoryviews(bytes(metadata), kind(data))) == expected()


@pytest.mark.host
def test_what_can_change_is_copied():
    metadata, data = pack([Column.from_iterable_of_py([1, 2, 3])]).release()
    for block in [bytearray(data), np.frombuffer(bytes(data), np.uint8).copy()]:
        (column,) = unpack_from_memoryviews(metadata, memoryview(block).toreadonly()).columns()
        memoryview(block)[:] = bytes(len(block))
        assert column.to_pylist() == [1, 2, 3]


@pytest.mark.host
def test_bytes_and_pickles():
    sent = pickle.dumps([bytes(part) for part in pack(columns()).release()])
    assert as_lists(unpack_from_memoryviews(*pickle.loads(sent))) == expected()


def send(connection):
    for part in pack(columns()).release():
        connection.send_bytes(part)
    connection.close()


@pytest.mark.host
def test_through_a_pipe_to_another_process():
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=send, args=(there,))
    process.start()
    there.close()
    metadata, data = here.recv_bytes(), here.recv_bytes()
    process.join()
    assert as_lists(unpack_from_memoryviews(metadata, data)) == expected()


@pytest.mark.host
def test_chunks_make_the_block():
    table = [
        Column.from_array_interface(np.arange(300_000)),
        Column.from_arrow(pa.array([str(i) if i % 7 else None for i in range(300_000)])),
    ]
    metadata, data = pack(table).release()
    chunks = ChunkedPack.create(table, MIB)
    buffer = rmm.DeviceBuffer(size=MIB)
    parts = []
    assert chunks.get_total_contiguous_size() == len(data) > 2 * MIB
    while chunks.has_next():
        length = chunks.next(buffer)
        assert 0 < length <= MIB
        parts.append(buffer.tobytes()[:length])
    assert b"".join(parts) == bytes(data)
    assert chunks.build_metadata() == metadata
    with pytest.raises(RuntimeError, match="all 5 chunks have been packed"):
        chunks.next(buffer)
    to_host = ChunkedPack.create(Columns(table), MIB).pack_to_host(buffer)
    assert to_host == (metadata, memoryview(bytes(data)))
    assert as_lists(unpack_from_memoryviews(*to_host)) == as_lists(Table(table))


@pytest.mark.host
def test_misuse_of_chunks():
    with pytest.raises(RuntimeError, match="`user_buffer_size` is 1048575"):
        ChunkedPack.create(columns(), MIB - 1)
    chunks = ChunkedPack.create(columns(), MIB)
    with pytest.raises(RuntimeError, match="`user_buffer` has 1048577 bytes"):
        chunks.next(rmm.DeviceBuffer(size=MIB + 1))
    with pytest.raises(ValueError, match="`user_buffer` is on emulator"):
        chunks.next(rmm.DeviceBuffer(size=MIB, mr=mr.CudaMemoryResource(device="emulator")))


@pytest.mark.host
def test_memory_comes_from_the_resource():
    limited = mr.LimitingResourceAdaptor(mr.CpuMemoryResource(), 1 << 10)
    with pytest.raises(MemoryError, match="at most 1024"):
        pack([Column.from_array_interface(np.arange(1000))], mr=limited)
    packed = pack([Column.from_array_interface(np.arange(100))], mr=limited)
    assert limited.get_allocated_bytes() == 832
    del packed
    assert limited.get_allocated_bytes() == 0


@every_device
def test_parts_in_blocks(device):
    table = [on(device, column) for column in columns()]
    rows = table[0].size()
    for splits in ([], [0], [1], [1, 1, 2], [rows], list(range(rows + 1))):
        parts = contiguous_split(table, splits)
        ends = [0, *splits, rows]
        assert len(parts) == len(splits) + 1
        for part, begin, end in zip(parts, ends, ends[1:], strict=False):
            found = unpack(part).columns()
            assert [column.to_pylist() for column in found] == [c.to_pylist()[begin:end] for c in columns()]
    with pytest.raises(IndexError):
        contiguous_split(table, [rows + 1])
    with pytest.raises(IndexError, match="`splits` is -1"):
        contiguous_split(table, [-1])
    with pytest.raises(ValueError):
        contiguous_split(table, [2, 1])


def test_metadata_of_slices():
    metadata, block = pack(columns()).release()
    table = unpack_from_memoryviews(metadata, block)
    part = [column.slice(1, 2) for column in table.columns()]
    again = unpack_from_memoryviews(pack_metadata(part, block), block)
    assert [c.to_pylist() for c in again.columns()] == [c.to_pylist()[1:3] for c in columns()]
    with pytest.raises(ValueError):
        pack_metadata([Column.from_iterable_of_py([1, 2])], block)


def test_wrong_inputs():
    with pytest.raises(TypeError, match="a Table or a sequence of columns, not <class 'int'>"):
        pack(1)
    with pytest.raises(TypeError, match=r"`input\[1\]` must be a Column, not <class 'str'>"):
        pack([Column.from_iterable_of_py([1]), "x"])
    with pytest.raises(RuntimeError, match="column 1 has 2 rows"):
        pack([Column.from_iterable_of_py([1]), Column.from_iterable_of_py([1, 2])])
    with pytest.raises(TypeError, match="`metadata` must be bytes or a buffer"):
        unpack_from_memoryviews("text", b"")
    assert unpack(pack([])).shape() == (0, 0)
    assert unpack(pack(Table([], num_rows=7))).shape() == (7, 0)


@pytest.mark.host
def test_hostile_bytes():
    metadata, data = (bytes(part) for part in pack(columns()).release())
    with pytest.raises(RuntimeError, match="not that of a packed table"):
        unpack_from_memoryviews(b"x" * len(metadata), data)
    with pytest.raises(RuntimeError, match="`metadata` ends too early"):
        unpack_from_memoryviews(metadata[:30], data)
    with pytest.raises(RuntimeError, match="the table was packed into"):
        unpack_from_memoryviews(metadata, data[:-1])
    text, chars = (bytes(part) for part in pack([Column.from_iterable_of_py(["é"])]).release())
    with pytest.raises(RuntimeError, match="not UTF-8"):
        unpack_from_memoryviews(text, chars.replace("é".encode(), b"\xc3\xc3"))
    random = np.random.default_rng(1)
    for _ in range(300):
        changed = bytearray(metadata)
        for at in random.integers(0, len(metadata), 3):
            changed[at] = random.integers(256)
        try:
            table = unpack_from_memoryviews(changed, data)
        except RuntimeError:
            continue
        for column in table.columns():
            column.slice(0, min(column.size(), 10)).null_count()
