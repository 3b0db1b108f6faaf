"""Devices, and random nested data."""

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import strategies as st

DEVICES = ["cpu", "emulator"]

NUMBERS = [
    *[pa.int8(), pa.int16(), pa.int32(), pa.int64()],
    *[pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float32(), pa.float64()],
]

_LEAVES = {
    pa.int8(): st.integers(-128, 127),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.uint16(): st.integers(0, 2**16 - 1),
    pa.float64(): st.floats(allow_nan=False),
    pa.bool_(): st.booleans(),
    pa.string(): st.text(max_size=6),
    pa.date32(): st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)),
    pa.timestamp("us"): st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1)),
    pa.duration("us"): st.timedeltas(dt.timedelta(-1000), dt.timedelta(1000)),
    pa.decimal128(38, 3): st.integers(-(10**20), 10**20).map(lambda i: Decimal(i).scaleb(-3)),
}

_types = st.recursive(
    st.sampled_from(list(_LEAVES)),
    lambda inner: st.one_of(
        inner.map(pa.list_),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda types: pa.struct([pa.field(str(i), t) for i, t in enumerate(types)])
        ),
    ),
    max_leaves=4,
)


def values_of(arrow):
    """Elements of a type of Arrow, None among them."""
    if pa.types.is_list(arrow):
        values = st.lists(values_of(arrow.value_type), max_size=3)
    elif pa.types.is_struct(arrow):
        values = st.fixed_dictionaries({field.name: values_of(field.type) for field in arrow})
    else:
        values = _LEAVES[arrow]
    return st.none() | values


@st.composite
def nested_arrays(draw):
    """Arrays of any type."""
    arrow = draw(_types)
    return pa.array(draw(st.lists(values_of(arrow), max_size=12)), arrow)


def on(device, obj):
    """A column or a table on a device."""
    return obj if device == "cpu" else obj.to_device(device)


every_device = pytest.mark.parametrize("device", DEVICES)
