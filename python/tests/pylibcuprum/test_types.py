"""`DataType` and the enumerations."""

import copy
import datetime as dt
import pickle
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from cuprum import DType
from pylibcuprum import DataType, TypeId, types

DECIMALS = {TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128}
ALL = [DataType(type_id) for type_id in TypeId if type_id != TypeId.NUM_TYPE_IDS]


def test_every_type_says_what_it_is():
    assert len(ALL) == TypeId.NUM_TYPE_IDS
    for data_type in ALL:
        assert isinstance(data_type.id(), TypeId)
        assert DataType(data_type.id()) == data_type == DataType(int(data_type.id()))
        assert hash(DataType(data_type.id())) == hash(data_type)
        assert eval(repr(data_type)) == data_type
        assert pickle.loads(pickle.dumps(data_type)) == copy.deepcopy(data_type) == data_type
    assert len(set(ALL)) == len(ALL)
    assert ALL[3] != "int32" and ALL[3] != 3


@pytest.mark.parametrize("scale", [-38, -2, 0, 5])
@pytest.mark.parametrize("type_id", DECIMALS)
def test_decimals_have_a_scale(type_id, scale):
    data_type = DataType(type_id, scale)
    assert data_type.scale() == scale
    assert (data_type == DataType(type_id)) == (scale == 0)
    assert pickle.loads(pickle.dumps(data_type)) == data_type
    assert DataType.from_arrow(data_type.to_arrow()) == data_type
    assert data_type.to_arrow(precision=5).precision == 5


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((29,), ValueError, "`type_id` 29 is no type"),
        ((-1,), ValueError, "`type_id` -1"),
        (("int8",), TypeError, "`type_id` must be a TypeId"),
        ((2**40,), TypeError, "`type_id`"),
        ((TypeId.INT8, 2), ValueError, "`scale` is 2, but INT8"),
        ((TypeId.DECIMAL32, 2**40), OverflowError, None),
    ],
)
def test_what_is_no_type(arguments, error, message):
    with pytest.raises(error, match=message):
        DataType(*arguments)


def test_arrow_there_and_back():
    for data_type in ALL:
        if data_type.id() in {TypeId.LIST, TypeId.STRUCT, TypeId.DICTIONARY32}:
            continue
        back = DataType.from_arrow(data_type.to_arrow())
        # Arrow has no duration in days.
        days = data_type.id() == TypeId.DURATION_DAYS
        assert back == (DataType(TypeId.DURATION_SECONDS) if days else data_type)
    assert DataType(TypeId.LIST).to_arrow(value_type=pa.int8()) == pa.list_(pa.int8())
    assert DataType(TypeId.STRUCT).to_arrow(fields=[("a", pa.int8())]) == pa.struct([("a", pa.int8())])
    for type_id, what in (
        (TypeId.LIST, "value_type"),
        (TypeId.STRUCT, "fields"),
        (TypeId.DICTIONARY32, "column"),
    ):
        with pytest.raises(ValueError, match=what):
            DataType(type_id).to_arrow()
    assert DataType.from_arrow(pa.list_(pa.int8())).id() == TypeId.LIST
    assert DataType.from_arrow(pa.dictionary(pa.int8(), pa.string())).id() == TypeId.DICTIONARY32
    with pytest.raises(NotImplementedError, match="time zone"):
        DataType.from_arrow(pa.timestamp("s", "Europe/Vienna"))
    with pytest.raises(TypeError, match="`pa_typ`"):
        DataType.from_arrow("int8")


def test_from_python_classes():
    expected = {
        int: TypeId.INT64,
        float: TypeId.FLOAT64,
        bool: TypeId.BOOL8,
        str: TypeId.STRING,
        dt.datetime: TypeId.TIMESTAMP_MICROSECONDS,
        dt.date: TypeId.TIMESTAMP_DAYS,
        dt.timedelta: TypeId.DURATION_MICROSECONDS,
        Decimal: TypeId.DECIMAL128,
        list: TypeId.LIST,
        dict: TypeId.STRUCT,
    }
    for python, type_id in expected.items():
        assert DataType.from_py(python).id() == type_id
    with pytest.raises(TypeError, match="'complex'"):
        DataType.from_py(complex)


def test_numpy_reads_the_typestr_and_the_typecode():
    with_letter = 0
    for data_type in ALL:
        try:
            numpy = np.dtype(data_type.typestr)
        except NotImplementedError:
            assert data_type.id() in DECIMALS or not types_have_one_size(data_type)
            continue
        assert numpy.itemsize == types.size_of(data_type)
        try:
            assert np.dtype(data_type.python_typecode) == numpy
            with_letter += 1
        except NotImplementedError:
            pass
    assert with_letter == 11


def types_have_one_size(data_type):
    try:
        return types.size_of(data_type) > 0
    except TypeError:
        return False


def test_size_of():
    assert types.size_of(DataType(TypeId.TIMESTAMP_DAYS)) == 4
    assert types.size_of(DataType(TypeId.DECIMAL128)) == 16
    for type_id in (TypeId.STRING, TypeId.LIST, TypeId.EMPTY):
        with pytest.raises(TypeError, match="no one size"):
            types.size_of(DataType(type_id))


def test_data_frames_read_it_as_a_type():
    assert DType(DataType(TypeId.TIMESTAMP_SECONDS)) == "datetime64[s]"
