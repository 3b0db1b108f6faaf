"""`pylibcuprum.partitioning` against a stable sort."""

import numpy as np
import pyarrow as pa
import pytest

from pylibcuprum import Column, Table
from pylibcuprum.partitioning import HashId, hash_partition, partition, round_robin_partition

DEVICES = ["cpu", "emulator"]


def rows(column):
    return column.to_host().to_arrow().to_pylist()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("map_type", [pa.int8(), pa.uint16(), pa.int32(), pa.uint64()], ids=str)
def test_partition_is_a_stable_sort(device, map_type):
    ids = np.random.default_rng(7).integers(0, 5, 1000)
    order = np.argsort(ids, kind="stable")
    words = pa.array([None if i % 7 == 0 else f"word {i}" for i in range(1000)])
    table = Table([Column.from_arrow(words), Column.from_arrow(pa.array(range(1000)))]).to_device(device)
    map = Column.from_arrow(pa.array(ids).cast(map_type)).to_device(device)
    got, offsets = partition(table, map, 6)
    assert offsets == [int((ids < p).sum()) for p in range(7)]
    assert rows(got.columns()[0]) == words.take(pa.array(order)).to_pylist()
    assert rows(got.columns()[1]) == order.tolist()


@pytest.mark.parametrize("device", DEVICES)
def test_cards_are_dealt(device):
    table = Table([Column.from_arrow(pa.array(range(11)))]).to_device(device)
    got, offsets = round_robin_partition(table, 15, 10)
    assert rows(got.columns()[0]) == [5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4]
    assert offsets == [0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 7, 8, 9, 10]


@pytest.mark.parametrize("device", DEVICES)
def test_equal_keys_share_a_partition(device):
    numbers = pa.array([i % 50 for i in range(1000)])
    table = Table([Column.from_arrow(numbers), Column.from_arrow(pa.array(range(1000)))]).to_device(device)
    got, offsets = hash_partition(table, [0], 8, HashId.HASH_IDENTITY)
    order = np.argsort(numbers.to_numpy() % 8, kind="stable")
    assert rows(got.columns()[1]) == order.tolist()
    assert offsets == [int((numbers.to_numpy() % 8 < p).sum()) for p in range(8)]
    by_table, _ = hash_partition(table, Table(table.columns()[:1]), 8)
    by_number, _ = hash_partition(table, [0], 8)
    assert rows(by_table.columns()[1]) == rows(by_number.columns()[1])
    seeded, _ = hash_partition(table, [0], 8, HashId.HASH_MURMUR3, 42)
    assert rows(seeded.columns()[1]) != rows(by_number.columns()[1])
    with pytest.raises(IndexError, match="column 2"):
        hash_partition(table, [2], 8)
    with pytest.raises(ValueError, match="one at least"):
        hash_partition(table, [0], 0)


def test_wrong_arguments():
    table = [Column.from_arrow(pa.array([1, 2, 3]))]
    with pytest.raises(IndexError, match="5 at row 1"):
        partition(table, Column.from_arrow(pa.array([0, 5, 1])), 2)
    with pytest.raises(RuntimeError, match="1 nulls"):
        partition(table, Column.from_arrow(pa.array([0, None, 1])), 2)
    with pytest.raises(RuntimeError, match="two or more"):
        round_robin_partition(table, 1)
