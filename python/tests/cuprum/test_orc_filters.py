"""`read_orc(filters=…)` beside pyarrow's filters of the same rows, and what is not decoded for it."""

import io
import random

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.orc
import pyarrow.parquet as pq
import pytest
from test_parquet_filters import OPERATORS, VALUES, known, table

import cuprum

# What ORC has no types for.
ABSENT = {"u", "u_", "u64", "u64_", "p", "p_", "c"}
NAMES = [name for name in VALUES if name not in ABSENT]


def plain(seed):
    return table(seed).drop_columns(sorted(ABSENT))


def ours(data):
    """Files of several stripes; texts, numbers and times have statistics."""
    return cuprum.DataFrame(data).to_orc(stripe_size_rows=70)


def theirs(data):
    file = io.BytesIO()
    # A stripe for every batch: pyarrow looks at its size after each.
    pyarrow.orc.write_table(data, file, stripe_size=1, batch_size=100)
    return file.getvalue()


def parquet(data):
    file = io.BytesIO()
    pq.write_table(data, file)
    return file.getvalue()


def rows(whole, filters):
    lists = [[known(one) for one in part] for part in filters]
    return pq.read_table(io.BytesIO(whole), filters=lists, columns=["row"])["row"].to_pylist()


@pytest.mark.parametrize("write", [ours, theirs])
def test_every_operator_of_every_type_in_orc_filters(write):
    data = plain(1)
    file, whole = write(data), parquet(data)
    for name in NAMES:
        for column in (name, f"{name}_"):
            for value in VALUES[name]:
                if getattr(value, "nanosecond", 0):
                    continue
                for operator in OPERATORS:
                    filters = [(column, operator, value)]
                    got = cuprum.read_orc(file, filters=filters, columns=["row"])["row"]
                    assert got.to_arrow().to_pylist() == rows(whole, [filters]), filters


@pytest.mark.parametrize("write", [ours, theirs])
def test_lists_of_lists_in_orc_filters(write):
    random.seed(5)
    data = plain(2)
    file, whole = write(data), parquet(data)
    for _ in range(60):

        def condition():
            name = random.choice([name for name in NAMES if name != "y"])
            return (name + random.choice(["", "_"]), random.choice(["==", "!=", "<", ">="]), VALUES[name][0])

        filters = [[condition() for _ in range(random.randint(1, 3))] for _ in range(random.randint(1, 3))]
        got = cuprum.read_orc(file, filters=filters, columns=["s", "row", "f_"])
        assert list(got.columns) == ["s", "row", "f_"]
        assert got["row"].to_arrow().to_pylist() == rows(whole, filters), filters


def test_membership_and_missing_values():
    file = cuprum.DataFrame({"a": [1, None, 3, None], "row": range(4)}).to_orc(stripe_size_rows=1)
    for filters, expected in [
        ([("a", "in", [1, None])], [0, 1, 3]),
        ([("a", "in", [3])], [2]),
        ([("a", "not in", [1])], [1, 2, 3]),
        ([("a", "not in", [1, None])], [2]),
        ([("a", "==", None)], []),
    ]:
        assert cuprum.read_orc(file, filters=filters)["row"].to_arrow().to_pylist() == expected, filters


def test_columns_labels_and_several_files(tmp_path):
    frame = pd.DataFrame({"a": range(100), "b": np.arange(100) % 7, "s": [f"é{i}" for i in range(100)]})
    for labelled in [frame, frame.set_index("s"), frame.set_axis(frame.index * 2)]:
        file = cuprum.from_pandas(labelled).to_orc(stripe_size_rows=10)
        met = labelled[(labelled["b"] == 3) & (labelled["a"] > 20)]
        got = cuprum.read_orc(file, filters=[("b", "==", 3), ("a", ">", 20)])
        # A range of labels is none any more where rows are missing: they are numbered.
        expected = met.reset_index(drop=True) if isinstance(labelled.index, pd.RangeIndex) else met
        pd.testing.assert_frame_equal(got.to_pandas(), expected, check_column_type=False)
    paths = [str(tmp_path / name) for name in ("a.orc", "b.orc")]
    for path in paths:
        cuprum.from_pandas(frame).to_orc(path, stripe_size_rows=10)
    got = cuprum.read_orc(paths, filters=[[("a", "<", 2)], [("a", ">", 98)]], columns=["s"])
    assert got["s"].to_arrow().to_pylist() == ["é0", "é1", "é99"] * 2
    nothing = cuprum.read_orc(paths[0], filters=[("a", ">", 1000)])
    assert (len(nothing), list(nothing.columns)) == (0, ["a", "b", "s"])


def test_what_is_ruled_out_is_not_decoded_in_orc_filters():
    data = {"a": range(1000), "s": [f"text {i}" for i in range(1000)]}
    whole = cuprum.DataFrame(data).to_orc(compression=None, stripe_size_rows=250)
    at = whole.index(b"text 0text 1")
    damaged = bytearray(whole)
    damaged[: at + 1000] = whole[:3] + b"\xff" * (at + 997)
    kept = cuprum.read_orc(bytes(damaged), filters=[("a", ">=", 510), ("a", "<", 700)])
    assert kept["s"].to_arrow().to_pylist() == [f"text {i}" for i in range(510, 700)]
    with pytest.raises(ValueError, match="stripe 0"):
        cuprum.read_orc(bytes(damaged))
    with pytest.raises(ValueError, match="stripe 0"):
        cuprum.read_orc(bytes(damaged), filters=[("a", "<=", 249)])


@pytest.mark.parametrize(
    ("filters", "error", "match"),
    [
        ([], ValueError, "filters"),
        ([("a", "~", 1)], ValueError, "filters.*'~'"),
        ([("nope", "==", 1)], KeyError, "filters.*nope"),
        ([("a", "==", "x")], TypeError, "filters.*'a'.*text"),
        ([("l", "==", 1)], TypeError, "filters.*'l'"),
    ],
    ids=str,
)
def test_arguments_refused_in_orc_filters(filters, error, match):
    file = cuprum.DataFrame(pa.table({"a": [1], "s": ["x"], "l": [[1]]})).to_orc()
    with pytest.raises(error, match=match):
        cuprum.read_orc(file, filters=filters)


def test_damaged_files_are_errors_or_frames_in_orc_filters():
    draw = random.Random(2)
    errors = (ValueError, NotImplementedError, OverflowError, MemoryError)
    data = plain(4)
    for file in [ours(data.slice(0, 200)), theirs(data.slice(0, 200))]:
        for step in range(400):
            damaged = bytearray(file)
            # Half of them where statistics and footers are.
            first = len(file) * 3 // 4 if step % 2 else 0
            for _ in range(draw.randrange(1, 4)):
                damaged[draw.randrange(first, len(file))] = draw.randrange(256)
            name = draw.choice(NAMES)
            filters = [(name, draw.choice(["==", "<", ">="]), VALUES[name][0])]
            try:
                frame = cuprum.read_orc(bytes(damaged), filters=filters, columns=["row", name])
            except (*errors, KeyError, TypeError) as error:
                # A damaged name is no name of a column, and one of a type another type.
                assert "the input" in str(error) or "filters" in str(error)
            else:
                assert len(frame["row"]) == len(frame[name]) == len(frame)
