"""`Scalar`."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from devices import every_device, nested_arrays, on
from hypothesis import assume, given

from pylibcuprum import Column, DataType, Scalar, TypeId
from pylibcuprum.interop import ColumnMetadata


@pytest.mark.parametrize(
    ("value", "type_id"),
    [
        (1, TypeId.INT64),
        (2**63, TypeId.UINT64),
        (-1.5, TypeId.FLOAT64),
        (True, TypeId.BOOL8),
        ("日本", TypeId.STRING),
        (Decimal("-1.50"), TypeId.DECIMAL128),
        ([1, None], TypeId.LIST),
        ({"0": 1, "1": [Decimal(1)]}, TypeId.STRUCT),
        (np.int8(3), TypeId.INT8),
    ],
)
def test_python_objects_there_and_back(value, type_id):
    scalar = Scalar.from_py(value)
    assert scalar.type().id() == type_id
    assert scalar.is_valid()
    assert scalar.to_py() == value
    assert scalar.to_arrow().as_py() == value
    assert Scalar.from_arrow(scalar.to_arrow()).to_py() == value


def test_times():
    for value, type_id in (
        (dt.datetime(2020, 1, 2, 3), TypeId.TIMESTAMP_MICROSECONDS),
        (dt.date(2020, 1, 2), TypeId.TIMESTAMP_DAYS),
        (dt.timedelta(1, 2, 3), TypeId.DURATION_MICROSECONDS),
    ):
        scalar = Scalar.from_py(value)
        assert scalar.type().id() == type_id
        assert scalar.to_arrow().as_py() == value
        assert scalar.to_py() == np.datetime64(value) if "TIMESTAMP" in type_id.name else True
    seconds = Scalar.from_py(dt.datetime(2020, 1, 1), DataType(TypeId.TIMESTAMP_SECONDS))
    assert seconds.to_py() == np.datetime64("2020-01-01", "s")


def test_a_type_may_be_named():
    assert Scalar.from_py(5, DataType(TypeId.INT8)).type().id() == TypeId.INT8
    assert Scalar.from_py(5, DataType(TypeId.DECIMAL32, -2)).to_py() == Decimal("5.00")
    with pytest.raises(OverflowError, match="300 does not fit int8"):
        Scalar.from_py(300, DataType(TypeId.INT8))
    with pytest.raises(TypeError, match="str"):
        Scalar.from_py("x", DataType(TypeId.INT8))
    with pytest.raises(TypeError, match="dtype"):
        Scalar.from_py(5, "int8")


def test_nulls_have_a_type():
    for type_id in set(TypeId) - {TypeId.NUM_TYPE_IDS, TypeId.DICTIONARY32}:
        scalar = Scalar.from_py(None, DataType(type_id))
        assert scalar.type() == DataType(type_id)
        assert not scalar.is_valid()
        assert scalar.to_py() is None
    with pytest.raises(ValueError, match="`dtype`"):
        Scalar.from_py(None)


def test_numpy_scalars_keep_their_type():
    for value in (np.int16(-3), np.float32(1.5), np.bool_(True), np.uint64(2**64 - 1)):
        scalar = Scalar.from_numpy(value)
        assert scalar.type().typestr == value.dtype.str
        assert scalar.to_py() == value
    time = np.datetime64("2020-01-01", "ms")
    assert Scalar.from_numpy(time).type().id() == TypeId.TIMESTAMP_MILLISECONDS
    assert Scalar.from_numpy(time).to_py() == time
    for wrong in (5, "x", np.arange(2)):
        with pytest.raises(TypeError, match="`np_val`"):
            Scalar.from_numpy(wrong)
    with pytest.raises(TypeError, match="complex"):
        Scalar.from_numpy(np.complex128(1))


@every_device
@given(array=nested_arrays())
def test_rows_of_any_column(device, array):
    assume(len(array) > 0)
    column = on(device, Column.from_arrow(array))
    scalar = column.slice(0, 1).to_scalar()
    assert scalar.type() == column.type()
    assert scalar.is_valid() == array[0].is_valid
    assert scalar.to_arrow().as_py() == array[0].as_py()
    empty = Scalar.empty_like(column)
    assert empty.type() == column.type() and not empty.is_valid()
    assert empty.to_arrow().as_py() is None
    again = Scalar.from_arrow(array[0])
    assert again.to_arrow().as_py() == array[0].as_py()


def test_metadata_and_errors():
    meta = ColumnMetadata(children_meta=[ColumnMetadata("a")])
    assert Scalar.from_py({"x": 1}).to_arrow(meta).as_py() == {"a": 1}
    with pytest.raises(TypeError, match=r"int64.*int8"):
        Scalar.from_arrow(pa.scalar(1), DataType(TypeId.INT8))
    with pytest.raises(TypeError, match="`pa_val`"):
        Scalar.from_arrow(5)
    with pytest.raises(TypeError, match="from_py"):
        Scalar()
    assert repr(Scalar.from_py([1, None])) == "Scalar<list>([1, null])"


def test_numbers_have_their_place_in_a_type():
    seconds = DataType(TypeId.DURATION_SECONDS)
    assert Scalar.from_py(90, seconds).to_py() == np.timedelta64(90, "s")
    truth = DataType(TypeId.BOOL8)
    assert [Scalar.from_py(bit, truth).to_py() for bit in (0, 1, True)] == [False, True, True]
    for value, kind, error in [
        (2, TypeId.BOOL8, ValueError),
        (-1, TypeId.UINT8, ValueError),
        (-1, TypeId.UINT64, ValueError),
        (2.0**150, TypeId.FLOAT32, OverflowError),
        (-(2.0**150), TypeId.FLOAT32, OverflowError),
        (2**64, TypeId.DURATION_SECONDS, OverflowError),
        (1.5, TypeId.DURATION_SECONDS, TypeError),
    ]:
        with pytest.raises(error):
            Scalar.from_py(value, DataType(kind))
    infinite = Scalar.from_py(float("inf"), DataType(TypeId.FLOAT32))
    assert infinite.to_py() == float("inf")
    assert Scalar.from_py(1.5, DataType(TypeId.FLOAT32)).to_py() == 1.5
