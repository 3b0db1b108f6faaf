"""Parquet columns that are decoded when they are read: as those that are decoded at once, and as pyarrow's."""

import os
import threading
from decimal import Decimal
from io import BytesIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_late_columns import ROWS, STEPS, frame

import cuprum

ON_CPU = cuprum.get_option("device") == "cpu"


def file_of(table, **options):
    """Return the bytes of a file, whose pages have 16 rows."""
    sink = BytesIO()
    pages = {"data_page_size": 1, "write_batch_size": 16, "row_group_size": 100, **options}
    pq.write_table(table, sink, **pages)
    return sink.getvalue()


@given(
    ROWS,
    ROWS,
    st.integers(0, 5),
    st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=5),
    st.booleans(),
)
def test_programs(rows, others, seed, steps, use_dictionary):
    files = [
        file_of(pa.Table.from_pandas(f), use_dictionary=use_dictionary)
        for f in (frame(rows, seed), frame(others, seed + 1))
    ]
    made = []
    for late_rows in (0, None):
        with cuprum.option_context("mode.late_rows", late_rows):
            f, other = (cuprum.read_parquet(BytesIO(file)) for file in files)
            for step in steps:
                f = STEPS[step](f, other)
            made.append(f)
    late, at_once = made
    assert late.equals(at_once) and list(late.dtypes) == list(at_once.dtypes)
    assert late.index.equals(at_once.index) and type(late.index) is type(at_once.index)
    assert late.to_arrow().equals(at_once.to_arrow())


def table(rows=40_000):
    """Return columns of every type that is decoded later, and of some that are not."""
    random = np.random.default_rng(3)
    missing = random.random(rows) < 0.1
    cents = [Decimal(int(cents)).scaleb(-2) for cents in random.integers(-(10**7), 10**7, rows)]
    texts = np.array(["", "ä", "Größe", "x" * 40])[random.integers(0, 4, rows)]
    return pa.table(
        {
            "row": np.arange(rows),
            "number": pa.array(random.integers(0, 1000, rows), mask=missing),
            "float": random.random(rows),
            "narrow": random.integers(-100, 100, rows).astype("int8"),
            "truth": pa.array(random.random(rows) < 0.5, mask=missing),
            "text": pa.array(texts, mask=missing),
            "other": [f"text {row}" for row in range(rows)],
            "cents": pa.array(cents, pa.decimal128(15, 2), mask=missing),
            "wide": pa.array(cents, pa.decimal128(38, 2)),
            "small": pa.array([Decimal(row % 1000).scaleb(-2) for row in range(rows)], pa.decimal32(9, 2)),
            "middle": pa.array(cents, pa.decimal64(15, 2)),
            "time": pa.array(random.integers(0, 10**15, rows), pa.timestamp("us")),
            "instant": pa.array(random.integers(0, 10**12, rows), pa.timestamp("ms", "Europe/Paris")),
            "date": pa.array(random.integers(0, 20_000, rows).astype("int32"), pa.date32()),
            "span": pa.array(random.integers(0, 10**9, rows), pa.duration("ns")),
            "category": pa.array(texts, mask=missing).dictionary_encode(),
            "list": pa.array([[row, row + 1] for row in range(rows)]),
            "struct": pa.array([{"a": row} for row in range(rows)]),
            "bytes": pa.array([b"\xff"] * rows),
        }
    )


@pytest.fixture(scope="module")
def whole():
    return table()


@pytest.fixture
def path(whole, tmp_path):
    pq.write_table(whole, tmp_path / "t.parquet", row_group_size=15_000)
    return tmp_path / "t.parquet"


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("options", [{}, {"use_dictionary": False}, {"compression": "zstd"}], ids=str)
def test_all_types(whole, tmp_path, version, options):
    pq.write_table(whole, tmp_path / "t.parquet", data_page_version=version, row_group_size=9_000, **options)
    with cuprum.option_context("mode.late_rows", None):
        at_once = cuprum.read_parquet(tmp_path / "t.parquet")

    def late():
        return cuprum.read_parquet(tmp_path / "t.parquet")

    assert list(late().dtypes) == list(at_once.dtypes)
    assert late().to_arrow().equals(at_once.to_arrow())
    programs = [
        lambda f: f[f["number"] < 500],
        lambda f: f[f["number"] == 7],
        lambda f: f[(f["row"] > 20_000) & (f["row"] < 20_100)],
        lambda f: f.sort_values("float").head(50),
        lambda f: f.sort_values("float", ignore_index=True),
        lambda f: f.head(100),
        lambda f: f.tail(),
        lambda f: f.iloc[12_345:35_000],
        lambda f: f.iloc[[5, 39_999, 5, 17]],
        lambda f: f.iloc[[5, 17, 17, 39_999]],
        lambda f: f[f["truth"].fillna(False)].iloc[10:20],
        lambda f: f.sample(100, random_state=1),
        lambda f: f.drop_duplicates("number"),
        lambda f: f.dropna(subset=["number", "text"]),
        lambda f: f.merge(f[["row"]].iloc[::1000], on="row", how="inner"),
        lambda f: f.iloc[:500].merge(f, on="row", how="left"),
        lambda f: f.set_index("text").loc["ä"],
        lambda f: f[f["text"] == "ä"],
        lambda f: f[f["text"] != "ä"],
        lambda f: f[f["text"].isin(["Größe", None])],
        lambda f: f[~f["text"].isin(["Größe", "none"])],
        lambda f: f[f["number"] > 100].assign(long=lambda f: f["text"].str.len(), up=f["text"].str.upper()),
        lambda f: f[f["number"] == 7].assign(starts=lambda f: f["text"].str.startswith("x")),
        lambda f: f.assign(has=f["other"].str.contains("7"), none=f["text"].isna()),
        lambda f: f.assign(upper=f["text"].str.upper()).groupby("upper", as_index=False)[["narrow"]].sum(),
    ]
    for program in programs:
        assert program(late()).to_arrow().equals(program(at_once).to_arrow())


def test_columns_are_read_one_after_the_other(path, whole):
    f = cuprum.read_parquet(path)
    for name in whole.column_names:
        assert f[name].to_arrow().to_pylist() == whole[name].to_pylist(), name


def test_decimals_as_floats(path, whole):
    names = ["row", "cents", "wide", "small", "middle"]
    f = cuprum.read_parquet(path, columns=names)
    with cuprum.option_context("mode.late_rows", None):
        at_once = cuprum.read_parquet(path, columns=names).astype("float64")
    for read in (f["cents"], f["cents"].copy(), f[["cents"]].iloc[:]["cents"]):
        assert read.astype("float64").to_arrow().equals(at_once["cents"].to_arrow())
    for name in ("wide", "small", "middle"):
        assert f[name].astype("float64").to_arrow().equals(at_once[name].to_arrow()), name
    kept = cuprum.read_parquet(path)
    kept = kept[kept["row"] % 3 == 0]
    assert kept["cents"].astype(float).to_arrow().equals(at_once["cents"].iloc[::3].to_arrow())
    # The decimals are still there, and floats of what was read are the same.
    assert (
        kept["cents"].to_arrow().equals(whole["cents"].combine_chunks().take(pa.array(range(0, 40_000, 3))))
    )
    assert kept["cents"].astype(float).to_arrow().equals(at_once["cents"].iloc[::3].to_arrow())


def overwritten(path):
    path.write_bytes(b"something else")


def shortened(path):
    os.truncate(path, 1000)


def deleted(path):
    path.unlink()


@pytest.mark.parametrize("change", [overwritten, shortened, deleted])
def test_what_becomes_of_the_file_does_not_matter(path, whole, change):
    f = cuprum.read_parquet(path)
    kept = f[f["number"] < 500]
    change(path)
    assert f.to_arrow().select(["text", "cents"]).equals(whole.select(["text", "cents"]).combine_chunks())
    assert kept["row"].sum() == whole.filter(pa.compute.less(whole["number"], 500))["row"].to_numpy().sum()


def test_a_frame_is_written_to_the_file_that_it_was_read_from(path, whole):
    f = cuprum.read_parquet(path)
    f["float"] = f["float"] * 2
    f.to_parquet(path)
    again = cuprum.read_parquet(path)
    assert again["text"].to_arrow().equals(whole["text"].combine_chunks())
    assert np.array_equal(again["float"].to_numpy(), whole["float"].to_numpy() * 2)


@pytest.mark.skipif(not ON_CPU, reason="on a GPU columns are decoded at once")
def test_damaged_pages_are_errors_when_they_are_read(path, whole):
    metadata = pq.read_metadata(path).row_group(1).column(whole.column_names.index("float"))
    content = bytearray(path.read_bytes())
    start = metadata.data_page_offset
    content[start : start + 60] = b"\xff" * 60
    path.write_bytes(content)
    f = cuprum.read_parquet(path)
    for read in (lambda: f["float"].sum(), lambda: f.to_arrow(), lambda: f["float"].iloc[20_000]):
        for _ in range(2):
            with pytest.raises(ValueError, match=r"column 'float'.*row group 1.*t\.parquet"):
                read()
    # Other columns are there, and rows of other pages.
    assert f["row"].sum() == sum(range(40_000))
    assert f[["row", "float"]].head(10)["float"].to_list() == whole["float"][:10].to_pylist()
    with (
        cuprum.option_context("mode.late_rows", None),
        pytest.raises(ValueError, match=r"column 'float'.*row group 1.*t\.parquet"),
    ):
        cuprum.read_parquet(path)


@pytest.mark.parametrize("is_in_memory", [True, False])
def test_damage_has_the_kind_of_error_that_it_has_at_once(is_in_memory, tmp_path):
    """Every byte of the footer, changed: starts and lengths of chunks may be negative, behind the end and too short."""
    rows = 60
    data = pa.table({"u": [f"u{row}" for row in range(rows)], "t": np.arange(rows)})
    good = file_of(data, row_group_size=30, store_schema=False, compression="none")
    footer = len(good) - 8 - int.from_bytes(good[-8:-4], "little")

    def outcome(file, late_rows):
        with cuprum.option_context("mode.late_rows", late_rows):
            try:
                return cuprum.read_parquet(file).to_arrow()
            except Exception as error:
                return type(error)

    for at in range(footer, len(good) - 8):
        for value in (4, 255):
            file = bytearray(good)
            file[at] = value
            source = bytes(file)
            if not is_in_memory:
                source = tmp_path / "t.parquet"
                source.write_bytes(file)
            late, at_once = outcome(source, 0), outcome(source, None)
            same = late.equals(at_once) if isinstance(late, pa.Table) else late is at_once
            assert same, (at - footer, value, late, at_once)


def test_repeated_and_overlapping_row_groups(path, whole):
    repeated = cuprum.read_parquet(path, row_groups=[0, 1] * 5)
    expected = whole["row"].to_pylist()[:30_000] * 5
    assert repeated["row"].to_list() == expected and repeated["other"].iloc[-1] == "text 29999"


def test_copies_and_writes(path, whole):
    floats = whole["float"].to_numpy()
    f = cuprum.read_parquet(path)
    copy, kept = f.copy(), f[f["row"] >= 100]
    f.loc[:, "float"] = -1.0
    assert copy["float"].iloc[-1] == kept["float"].iloc[-1] == floats[-1]
    copy.loc[0, "narrow"] = 99
    assert f["narrow"].iloc[0] == whole["narrow"][0].as_py() and copy["narrow"].iloc[0] == 99
    # Shallow copies show writes, unless memory is copied on write.
    f = cuprum.read_parquet(path)
    shallow = f.copy(deep=False)
    f.loc[0, "float"] = 12.5
    assert shallow["float"].iloc[0] == 12.5
    with cuprum.option_context("copy_on_write", True):
        f = cuprum.read_parquet(path)
        shallow = f.copy(deep=False)
        f.loc[0, "float"] = 12.5
        assert shallow["float"].iloc[0] == floats[0]


@pytest.mark.host
@pytest.mark.parametrize("copy_on_write", [True, False])
@pytest.mark.parametrize("reads_first", ["frame", "copy", "rows", "slice"])
@pytest.mark.parametrize("writes_first", ["frame", "copy", "rows", "slice"])
def test_writes_from_outside_do_not_show(path, whole, copy_on_write, reads_first, writes_first):
    def last_values(late_rows):
        with cuprum.option_context("copy_on_write", copy_on_write, "mode.late_rows", late_rows):
            f = cuprum.read_parquet(path)
            frames = {"frame": f, "copy": f.copy(), "rows": f[f["row"] > 0], "slice": f.iloc[5:]}
            frames[reads_first]["float"].sum()
            np.asarray(frames[writes_first]["float"].data).view("float64")[:] = -5.0
            return {name: frame["float"].iloc[-1] for name, frame in frames.items()}

    late, at_once = last_values(0), last_values(None)
    for name, value in late.items():
        # Frames that are read at once may be views.
        assert value == whole["float"][-1].as_py() or name == writes_first or value == at_once[name], name


def test_threads_read_one_frame(path, whole):
    f = cuprum.read_parquet(path)
    kept = f[f["number"] < 500]
    found = []

    def read():
        texts = f["text"].value_counts().sum()
        found.append((f["row"].sum(), texts, kept["narrow"].sum(), kept["text"].count()))

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    some = whole.filter(pa.compute.less(whole["number"], 500))
    expected = (
        sum(range(40_000)),
        40_000 - whole["text"].null_count,
        some["narrow"].to_numpy().astype(int).sum(),
        len(some) - some["text"].null_count,
    )
    assert set(found) == {expected} and len(found) == 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.skipif(not ON_CPU, reason="a forked child cannot use a GPU of its parent")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_reads_what_its_parent_has_not(path, whole):
    f = cuprum.read_parquet(path)
    kept = f[f["number"] < 500]
    child = os.fork()
    if child == 0:
        try:
            last = f["float"].iloc[-1], kept["other"].count()
            os._exit(0 if last == (whole["float"][-1].as_py(), len(kept)) else 1)
        finally:  # of an error: the child is no second run of the tests
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert f["float"].iloc[-1] == whole["float"][-1].as_py()
