"""What the peer-to-peer shuffle sends and writes: records of packed frames, in files and out of them."""

import itertools
import os

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed.shuffle import _disk, _shuffle
from sample_frames import table

import cuprum
from cuprum.core.pack import pack, unpack
from cuprum.dask.shuffle import Records, buffers_of, records_of

FRAME = table(700)


class Run(_shuffle.DataFrameShuffleRun):
    """The part of a shuffle that knows frames, without a worker."""

    def __init__(self, meta, workers, folder, drop_column=True):
        self.meta, self.column, self.drop_column, self.folder = meta, "_partitions", drop_column, folder
        self.worker_for = pd.Series(workers, name="_workers").astype("category")

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return "Run"

    def _read_from_disk(self, id):
        if not os.path.exists(self.folder / str(id[0])):
            raise _shuffle.DataUnavailable(id)
        return self.read(self.folder / str(id[0]))[0]

    def shuffled(self, partitions):
        """Shuffle partitions as workers do, the last one first; return the partitions that come out."""
        for source, part in reversed(list(enumerate(partitions))):
            for sent in self._shard_partition(part, source).values():
                for (to,), shard in self._repartition_buffers([sent]).items():
                    with open(self.folder / str(to), "ab") as file:
                        file.writelines(_disk.pickle_bytelist(shard))
        return {int(to): self._get_output_partition(to, "key") for to in self.worker_for.index}


def _numbered(frame, numbers, dtype="uint64"):
    return frame.assign(_partitions=cuprum.Series(numbers, index=frame.index).astype(dtype))


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32"])
@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 700])
def test_rows_come_out_in_the_order_of_partitions(rows, dtype, tmp_path):
    frame = FRAME.iloc[700 - rows :]
    numbers = np.random.default_rng(0).integers(0, 5, rows)
    whole = _numbered(frame, numbers, dtype)
    cut = [0, rows // 3, rows // 3, rows]
    parts = [whole.iloc[a:b] for a, b in itertools.pairwise(cut)]
    # Nobody asks for partition 3, and 7 gets nothing.
    workers = {0: "a", 1: "b", 2: "a", 4: "b", 7: "a"}
    for to, made in Run(whole.iloc[:0], workers, tmp_path).shuffled(parts).items():
        wanted = frame[cuprum.Series(numbers == to, index=frame.index)]
        pd.testing.assert_frame_equal(made.to_pandas(), wanted.to_pandas())
        assert [str(dtype) for dtype in made.dtypes.tolist()] == [
            str(dtype) for dtype in FRAME.dtypes.tolist()
        ]


def test_columns_are_those_of_the_frame_without_rows(tmp_path):
    part = _numbered(FRAME[["x", "k"]], [0] * 700)
    kept = Run(part.iloc[:0], {0: "a"}, tmp_path, drop_column=False).shuffled([part])[0]
    assert list(kept.columns) == ["x", "k", "_partitions"]
    # Partitions may have columns in another order, and integers where others have floats.
    other = part[["_partitions", "k", "x"]].astype({"k": "int32"})
    (tmp_path / "other").mkdir()
    made = Run(part.iloc[:0], {0: "a"}, tmp_path / "other").shuffled([part, other])[0]
    assert made.dtypes.to_dict() == {"x": "float64", "k": "int64"}
    assert made.k.to_list() == FRAME.k.to_list() * 2


def test_categories_of_partitions_are_joined(tmp_path):
    parts = [cuprum.DataFrame({"c": cuprum.Series(list(text)).astype("category")}) for text in ("ab", "cb")]
    parts = [_numbered(part, [0, 0]) for part in parts]
    made = Run(parts[0].iloc[:0], {0: "a"}, tmp_path).shuffled(parts)[0]
    assert isinstance(made.c.dtype, cuprum.CategoricalDtype)
    assert made.c.astype("str").to_list() == ["a", "b", "c", "b"]


def test_records_in_files():
    records = Records((i, *pack(FRAME.iloc[i : i + size])) for i, size in enumerate((1, 0, 64, 65)))
    data = b"".join(bytes(piece) for piece in buffers_of(records))
    assert len(data) % 64 == 0
    found = records_of(data)
    assert [source for source, *_ in found] == [0, 1, 2, 3]
    for (i, *packed), size in zip(found, (1, 0, 64, 65), strict=True):
        assert unpack(*packed).x.to_list() == pytest.approx(FRAME.x.iloc[i : i + size].to_list(), nan_ok=True)
    assert records_of(b"") == []
    for damaged in (data[:-1], data[:20], data + b"x", bytes(64), data[64:]):
        with pytest.raises(ValueError, match="a shuffled partition"):
            records_of(damaged)


@pytest.mark.parametrize("disk", [True, False])
def test_small_and_large_pieces_on_a_cluster(disk, cluster):
    """Pieces below 64 KiB are sent in another way than those above; memory takes the place of files."""
    frame = cuprum.DataFrame({"k": np.arange(60_000) % 7, "x": np.arange(60_000.0)})
    with dask.config.set({"distributed.p2p.storage.disk": disk}):
        for rows, parts in ((60_000, 3), (50, 3)):
            made = dd.from_pandas(frame.iloc[:rows], npartitions=parts).shuffle("k", shuffle_method="p2p")
            got = cluster.compute(made).result(60).sort_index()
            assert got.x.to_list() == frame.x.iloc[:rows].to_list()


def test_decimals_are_packed():
    from decimal import Decimal

    import pyarrow as pa

    from cuprum.core.pack import pack, unpack

    values = [Decimal("1.25"), None, Decimal("-9999999999999.99"), Decimal("0.00")]
    for precision in (15, 18, 38):
        given = pa.table({"d": pa.array(values, pa.decimal128(precision, 2))})
        frame = cuprum.DataFrame.from_arrow(given)
        made = unpack(*pack(frame))
        assert made.dtypes.tolist() == frame.dtypes.tolist()
        assert made["d"].to_arrow().to_pylist() == values
        assert unpack(*pack(frame.iloc[1:3]))["d"].to_arrow().to_pylist() == values[1:3]
