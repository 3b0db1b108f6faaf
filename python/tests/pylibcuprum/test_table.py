"""`Table`."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from devices import every_device, nested_arrays, on
from hypothesis import given
from hypothesis import strategies as st

from cuprum import rmm
from pylibcuprum import Column, DataType, Table, TypeId
from pylibcuprum.interop import ColumnMetadata


@pytest.fixture
def table():
    return Table([Column.from_iterable_of_py([1, None]), Column.from_iterable_of_py(["a", "é"])])


@pytest.mark.host
@every_device
def test_columns_and_shape(table, device):
    there = on(device, table)
    assert (there.num_columns(), there.num_rows(), there.shape()) == (2, 2, (2, 2))
    assert [c.to_pylist() for c in there.columns()] == [[1, None], ["a", "é"]]
    assert {str(c.device()) for c in there.columns()} == {device}
    assert there.to_host().to_arrow().equals(table.to_arrow())
    assert there.copy().to_arrow().equals(table.to_arrow())
    assert there.copy().columns()[0].data().ptr != there.columns()[0].data().ptr
    assert repr(there) == "Table(num_columns=2, num_rows=2)"


def test_release_leaves_nothing(table):
    assert [c.size() for c in table.release()] == [2, 2]
    assert table.shape() == (0, 0)
    assert table.release() == []


def test_tables_without_columns_keep_their_rows():
    assert Table([]).shape() == (0, 0)
    table = Table([], 5)
    assert table.shape() == (5, 0)
    assert table.copy().shape() == (5, 0)
    assert table.to_device("emulator").shape() == (5, 0)
    assert table.to_arrow().num_columns == 0


def test_columns_have_one_length(table):
    with pytest.raises(ValueError, match="column 1 has 1 rows, the table has 2"):
        Table([table.columns()[0], Column.from_iterable_of_py([1])])
    with pytest.raises(ValueError, match="column 0 has 2 rows, the table has 3"):
        Table(table.columns(), 3)
    with pytest.raises(TypeError):
        Table([[1, 2]])
    with pytest.raises(TypeError):
        Table(5)


@every_device
@given(st.lists(nested_arrays(), max_size=3))
def test_arrow_there_and_back(device, arrays):
    rows = min(map(len, arrays), default=0)
    arrow = pa.table({str(i): array.slice(0, rows) for i, array in enumerate(arrays)})
    table = Table.from_arrow(arrow)
    there = on(device, table)
    assert there.shape() == (rows, len(arrays))
    assert there.to_arrow().to_pydict() == arrow.to_pydict()
    assert pa.table(there).to_pydict() == arrow.to_pydict()


def test_names_and_metadata(table):
    assert table.to_arrow(["x", "y"]).column_names == ["x", "y"]
    meta = [ColumnMetadata("x"), ColumnMetadata("y")]
    assert table.to_arrow(meta).column_names == ["x", "y"]
    assert pa.schema(table.to_arrow(meta).schema).names == ["x", "y"]
    with pytest.raises(ValueError, match="`metadata` describes 1 columns, there are 2"):
        table.to_arrow(["x"])
    with pytest.raises(TypeError, match="`metadata`"):
        table.to_arrow([1, 2])
    assert table._to_schema(meta) is not None
    assert table._to_host_array() is not None


def test_other_libraries_read_the_stream(table):
    assert pl.DataFrame(table).rows() == [(1, "a"), (None, "é")]
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    assert [c.to_pylist() for c in Table.from_arrow(frame).columns()] == [[1, 2], ["x", None]]
    assert [c.to_pylist() for c in Table.from_arrow(pl.DataFrame({"a": [1]})).columns()] == [[1]]


def test_from_arrow_with_a_type_and_a_resource(table):
    pool = rmm.mr.CudaMemoryResource(device="emulator")
    arrow = pa.table({"a": [1, 2]})
    there = Table.from_arrow(arrow, DataType(TypeId.INT64), mr=pool)
    assert str(there.columns()[0].device()) == "emulator"
    with pytest.raises(TypeError, match=r"int64.*int8"):
        Table.from_arrow(arrow, DataType(TypeId.INT8))
    with pytest.raises(TypeError, match="export Arrow"):
        Table.from_arrow([1])
    with pytest.raises(TypeError, match="not a table"):
        Table.from_arrow(pa.array([1]))


@pytest.mark.parametrize(("rows", "error"), [(-1, ValueError), (2**70, ValueError), (3.5, TypeError)])
def test_rows_of_a_table_without_columns_are_a_number(rows, error):
    with pytest.raises(error, match="`num_rows`"):
        Table([], rows)
