"""`pylibcuprum.concatenate` against pyarrow."""

import pyarrow as pa
import pytest

from pylibcuprum import Column, Table
from pylibcuprum.concatenate import concatenate

ARRAYS = [
    pa.array([1, None, 3]),
    pa.array([True, None, False]),
    pa.array(["a", "é日本", None]),
    pa.array([[1, 2], None, []]),
    pa.array([{"x": [1], "y": "a"}, None, {"x": None, "y": "b"}]),
    pa.array([1, 2, None]).cast(pa.decimal128(30, 2)),
    pa.nulls(3),
]


@pytest.mark.parametrize("device", ["cpu", "emulator"])
@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.type))
def test_columns_and_tables(array, device):
    parts = [array, array[:0], array[1:], array[:2]]
    columns = [Column.from_arrow(part).to_device(device) for part in parts]
    expected = Column.from_arrow(pa.concat_arrays(parts)).to_arrow()
    assert concatenate(columns).to_host().to_arrow().equals(expected)
    joined = concatenate([Table([column, column]) for column in columns])
    assert joined.shape() == (7, 2)
    assert joined.columns()[1].to_host().to_arrow().equals(expected)


def test_dictionaries_get_common_keys():
    parts = [pa.array(words).dictionary_encode() for words in (["b", None, "c"], ["a", "c"])]
    joined = concatenate([Column.from_arrow(part) for part in parts]).to_arrow()
    assert joined.to_pylist() == ["b", None, "c", "a", "c"]
    assert joined.dictionary.to_pylist() == ["a", "b", "c"]


def test_wrong_arguments():
    numbers, words = Column.from_arrow(pa.array([1])), Column.from_arrow(pa.array(["a"]))
    with pytest.raises(TypeError, match="column 1 is str, column 0 is int64"):
        concatenate([numbers, words])
    with pytest.raises(TypeError, match="is a table"):
        concatenate([numbers, Table([numbers])])
    with pytest.raises(ValueError, match="empty"):
        concatenate([])
