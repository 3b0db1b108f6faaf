"""`read_parquet(filters=…)` beside pyarrow's, and what is not decoded for it."""

import datetime as dt
import decimal
import io
import random

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cuprum

NAN = float("nan")
ROWS = 600


def table(seed):
    """Columns of all kinds; some ascending, so that statistics rule much out, some not."""
    random.seed(seed)

    def column(kind, value, *, ordered):
        def one(row):
            number = row // 3 if ordered else random.randrange(200)
            return None if random.random() < 0.1 or 90 < row < 160 else value(number)

        return pa.array([one(row) for row in range(ROWS)], kind)

    kinds = {
        "i": (pa.int64(), lambda n: n - 50),
        "i8": (pa.int8(), lambda n: n - 100),
        "u": (pa.uint32(), lambda n: 2**31 - 50 + n),
        "u64": (pa.uint64(), lambda n: 2**62 - 50 + n),
        "f": (pa.float64(), lambda n: NAN if n % 7 == 0 else n / 4),
        "f32": (pa.float32(), lambda n: n / 10),
        "s": (pa.string(), lambda n: f"é{n:03}" * (1 + 30 * (n % 2))),
        "b": (pa.bool_(), lambda n: n > 100),
        "y": (pa.binary(), lambda n: bytes([n, 255 - n])),
        "d": (pa.date32(), lambda n: dt.date(2020, 1, 1) + dt.timedelta(n)),
        "t": (pa.timestamp("us"), lambda n: dt.datetime(2020, 1, 1) + dt.timedelta(seconds=n)),
        "ts": (pa.timestamp("s"), lambda n: dt.datetime(2020, 1, 1) + dt.timedelta(seconds=n)),
        "z": (
            pa.timestamp("ms", "Europe/Berlin"),
            lambda n: dt.datetime(2020, 1, 1) + dt.timedelta(seconds=n),
        ),
        "p": (pa.duration("us"), lambda n: dt.timedelta(seconds=n)),
        "m": (pa.decimal128(9, 2), lambda n: decimal.Decimal(n - 50) / 4),
        "w": (pa.decimal128(30, 2), lambda n: decimal.Decimal(n - 50) / 4),
    }
    columns = {}
    for name, (kind, value) in kinds.items():
        columns[name] = column(kind, value, ordered=True)
        columns[f"{name}_"] = column(kind, value, ordered=False)
    columns["c"] = columns["s_"].dictionary_encode()
    columns["row"] = pa.array(range(ROWS))
    return pa.table(columns)


TIME = dt.datetime(2020, 1, 1, 0, 1, 2)
VALUES = {
    "i": [0, 3.5, -50.0, 149, 1000, NAN, decimal.Decimal("2.50"), float("inf")],
    "i8": [-100, 99, 1000, 5],
    "u": [2**31, 2**31 + 3, 0],
    "u64": [2**62, 2**62 + 5, 0],
    "f": [1.0, 3, NAN, 0.25, -1, decimal.Decimal("1.25")],
    "f32": [0.1, 2.5, np.float32(0.3), 7],
    "s": ["é030", "é031" * 31, "", "é", "z", b"\xc3\xa9030"],
    "b": [True, False],
    "y": [b"\x05\xfa", b"", b"\xc8"],
    "d": [dt.date(2020, 2, 1), dt.datetime(2020, 2, 1), dt.datetime(2020, 2, 1, 12)],
    "t": [TIME, pd.Timestamp(TIME), pd.Timestamp(TIME) + pd.Timedelta(1, "ns"), dt.date(2020, 1, 1)],
    "ts": [TIME, TIME + dt.timedelta(microseconds=1)],
    "z": [TIME.replace(tzinfo=dt.UTC), pd.Timestamp("2020-01-01 01:01:02", tz="Europe/Berlin")],
    "p": [dt.timedelta(seconds=50), pd.Timedelta(50_000_000_001, "ns")],
    "m": [decimal.Decimal("1.25"), decimal.Decimal("3.5"), 2.25],
    "w": [decimal.Decimal("1.25"), decimal.Decimal("-3.5")],
    "c": ["é030", "é", "zz"],
}
OPERATORS = ["==", "=", "!=", "<", "<=", ">", ">="]


def written(data, **options):
    file = io.BytesIO()
    pq.write_table(data, file, **{"row_group_size": 150, "write_page_index": True, **options})
    return file.getvalue()


SMALL_PAGES = {"data_page_size": 64, "write_batch_size": 16}
FORMS = [
    SMALL_PAGES,
    {**SMALL_PAGES, "use_dictionary": False, "data_page_version": "2.0"},
    {"write_statistics": False, "write_page_index": False},
    {"version": "1.0", "store_schema": False},
]


def known(condition):
    """The condition for pyarrow, which compares times of different units and zones only where both are typed."""
    column, operator, value = condition
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        value = pa.scalar(value, pa.timestamp("ms", "Europe/Berlin"))
    return column, operator, value


def agrees(file, filters, columns=("row",)):
    theirs = [known(part) if isinstance(part, tuple) else [known(one) for one in part] for part in filters]
    expected = pq.read_table(io.BytesIO(file), filters=theirs, columns=list(columns)).to_pydict()
    got = cuprum.read_parquet(file, filters=filters, columns=list(columns))
    assert got["row"].to_arrow().to_pylist() == expected["row"], filters


@pytest.mark.parametrize("form", range(len(FORMS)))
def test_every_operator_of_every_type_in_parquet_filters(form):
    file = written(table(form), **FORMS[form])
    for name, values in VALUES.items():
        if name == "p" and "store_schema" in FORMS[form]:
            continue  # numbers, in such a file
        for column in [name, f"{name}_"] if name != "c" else [name]:
            for value in values:
                nanoseconds = getattr(value, "nanosecond", getattr(value, "nanoseconds", 0))
                for operator in OPERATORS:
                    if not nanoseconds:
                        agrees(file, [(column, operator, value)])
                if nanoseconds or (name, type(value)) in {("i", float), ("f32", float), ("ts", dt.datetime)}:
                    continue
                if isinstance(value, decimal.Decimal) or (name in "mw" and isinstance(value, float)):
                    continue  # pyarrow refuses to rescale some of them
                if name == "d" and isinstance(value, dt.datetime):
                    continue  # pyarrow cuts times off, but only for `in`
                if name in "st" and isinstance(value, (bytes, dt.date)):
                    continue
                for operator in ["in", "not in"]:
                    agrees(file, [(column, operator, [value])])
                    agrees(file, [(column, operator, [value, None])])


def test_our_own_files_and_bloom_filters_of_others():
    data = table(7)
    ours = cuprum.DataFrame(data.drop_columns(["y", "y_", "p", "p_"])).to_parquet(row_group_size=100)
    for name, values in VALUES.items():
        if name in ("y", "p", "ts"):
            continue
        for operator in ["==", "<", ">="]:
            value = values[0]
            theirs = pq.read_table(io.BytesIO(written(data)), filters=[known((name, operator, value))])
            expected = theirs["row"].to_pylist()
            got = cuprum.read_parquet(ours, filters=[(name, operator, value)])["row"].to_arrow().to_pylist()
            assert got == expected, (name, operator)


def test_lists_of_lists_in_parquet_filters():
    random.seed(3)
    file = written(table(3), **SMALL_PAGES)
    names = [name for name in VALUES if name not in ("c", "y", "p", "ts")]
    for _ in range(60):

        def condition():
            name = random.choice(names)
            return (name + random.choice(["", "_"]), random.choice(["==", "!=", "<", ">="]), VALUES[name][0])

        filters = [[condition() for _ in range(random.randint(1, 3))] for _ in range(random.randint(1, 3))]
        agrees(file, filters, ["row", "s", "f_"])


def test_columns_and_labels():
    frame = pd.DataFrame({"a": range(100), "b": np.arange(100) % 7, "s": [str(i) for i in range(100)]})
    for labelled in [
        frame,
        frame.set_index("s"),
        frame.set_index(["s", "b"]),
        frame.set_axis(frame.index * 2),
    ]:
        file = io.BytesIO()
        labelled.to_parquet(file, row_group_size=10, index=None if labelled is frame else True)
        for columns in [None, ["a"]]:
            expected = pd.read_parquet(file, filters=[("b", "==", 3), ("a", ">", 20)], columns=columns)
            got = cuprum.read_parquet(
                file.getvalue(), filters=[("b", "==", 3), ("a", ">", 20)], columns=columns
            )
            pd.testing.assert_frame_equal(got.to_pandas(), expected)
    plain = cuprum.read_parquet(file.getvalue(), use_pandas_metadata=False)
    assert list(plain.columns) == ["a", "b", "s", "__index_level_0__"]


def places(file, column):
    """Where the pages of a column chunk of each row group are."""
    found = []
    for group in range(pq.ParquetFile(io.BytesIO(file)).metadata.num_row_groups):
        chunk = pq.ParquetFile(io.BytesIO(file)).metadata.row_group(group).column(column)
        found.append((chunk.data_page_offset, chunk.total_compressed_size))
    return found


def test_what_is_ruled_out_is_not_decoded_in_parquet_filters():
    data = pa.table({"a": range(1000), "s": [f"text {i}" for i in range(1000)]})
    options = {"use_dictionary": False, "compression": "NONE", "row_group_size": 250}
    whole = written(data, **options, **SMALL_PAGES)
    # Row groups.
    damaged = bytearray(whole)
    for group, (at, size) in enumerate(places(whole, 1)):
        if group != 2:
            damaged[at : at + size] = b"\xff" * size
    filters = [("a", ">=", 510), ("a", "<", 700)]
    assert cuprum.read_parquet(bytes(damaged), filters=filters)["s"].to_arrow().to_pylist() == [
        f"text {i}" for i in range(510, 700)
    ]
    with pytest.raises(ValueError, match="column 's'"):
        cuprum.read_parquet(bytes(damaged))
    # Pages: the last quarter of a group.
    damaged = bytearray(whole)
    at, size = places(whole, 1)[2]
    damaged[at + size * 3 // 4 : at + size] = b"\xff" * (size - size * 3 // 4)
    assert cuprum.read_parquet(bytes(damaged), filters=[("a", "in", [505, 520])])[
        "s"
    ].to_arrow().to_pylist() == [
        "text 505",
        "text 520",
    ]
    with pytest.raises(ValueError, match="row group 2"):
        cuprum.read_parquet(bytes(damaged), filters=[("a", "==", 740)])


def test_groups_in_which_no_row_is_left_are_not_decoded():
    data = pa.table({"a": [1, 9] * 100, "s": [f"text {i}" for i in range(200)]})
    options = {"use_dictionary": False, "compression": "NONE", "row_group_size": 100}
    damaged = bytearray(written(data, **options))
    for at, size in places(bytes(damaged), 1):
        damaged[at : at + size] = b"\xff" * size
    assert len(cuprum.read_parquet(bytes(damaged), filters=[("a", "==", 5)])) == 0


@pytest.mark.parametrize(
    ("filters", "error", "match"),
    [
        ([], ValueError, "filters"),
        ([[]], ValueError, "filters"),
        ("a", ValueError, "filters"),
        (("a", "==", 1), ValueError, "filters"),
        ([("a", "==")], ValueError, "filters"),
        ([("a", "~", 1)], ValueError, "filters.*'~'"),
        ([("a", "in", 1)], TypeError, "filters"),
        ([("a", "in", "xy")], TypeError, "filters"),
        ([("nope", "==", 1)], KeyError, "filters.*nope"),
        ([("a", "==", "x")], TypeError, "filters.*'a'.*text"),
        ([("a", "==", True)], TypeError, "filters.*'a'.*truth"),
        ([("s", "<", 1)], TypeError, "filters.*'s'.*integer"),
        ([("s", "in", ["a", 1])], TypeError, "filters.*'s'.*integer"),
        ([("t", "<", "2020")], TypeError, "filters.*'t'.*text"),
        ([("t", "<", pd.Timestamp("2020", tz="UTC"))], TypeError, "filters.*'t'.*zone"),
        ([("l", "==", 1)], TypeError, "filters.*'l'"),
        ([("a", "==", ...)], TypeError, "filters"),
    ],
    ids=str,
)
def test_arguments_refused_in_parquet_filters(filters, error, match):
    data = pa.table({"a": [1], "s": ["x"], "t": pa.array([0], pa.timestamp("us")), "l": [[1]]})
    with pytest.raises(error, match=match):
        cuprum.read_parquet(written(data), filters=filters)


def test_rows_are_passed_over(tmp_path):
    data = pa.table(
        {"a": range(100), "s": [f"t{i}" for i in range(100)], "l": [[i] * (i % 3) for i in range(100)]}
    )
    pq.write_table(data, tmp_path / "a.parquet", row_group_size=30)
    pq.write_table(data, tmp_path / "b.parquet", row_group_size=30)
    for skip in [0, 1, 29, 30, 31, 95, 100, 130, 199, 200, 300]:
        for rows in [None, 0, 1, 40, 150]:
            for files in [tmp_path / "a.parquet", [tmp_path / "a.parquet", tmp_path / "b.parquet"]]:
                whole = pa.concat_tables([data] * (2 if isinstance(files, list) else 1))
                got = cuprum.read_parquet(files, skip_rows=skip, nrows=rows)
                expected = whole.slice(skip, rows).to_pydict()
                assert pa.table(got).to_pydict() == expected, (skip, rows)
    with pytest.raises(NotImplementedError, match="skip_rows"):
        cuprum.read_parquet(tmp_path / "a.parquet", skip_rows=1, filters=[("a", "==", 1)])
    with pytest.raises(NotImplementedError, match="skip_rows"):
        cuprum.read_parquet(tmp_path / "a.parquet", skip_rows=1, row_groups=[0])
