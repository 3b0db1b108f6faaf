"""New columns of a type and a size."""

import pytest
from devices import every_device

from cuprum import rmm
from pylibcuprum import DataType, TypeId, column_factories, traits
from pylibcuprum.types import MaskState

MAKERS = {
    column_factories.make_numeric_column: traits.is_numeric,
    column_factories.make_fixed_point_column: traits.is_fixed_point,
    column_factories.make_timestamp_column: traits.is_timestamp,
    column_factories.make_duration_column: traits.is_duration,
    column_factories.make_fixed_width_column: traits.is_fixed_width,
}
TYPES = [DataType(type_id) for type_id in TypeId if type_id != TypeId.NUM_TYPE_IDS]


@pytest.mark.parametrize("make", MAKERS)
@every_device
def test_columns_of_every_type(make, device):
    stream = rmm.Stream(device)
    for data_type in TYPES:
        if not MAKERS[make](data_type):
            with pytest.raises(TypeError, match="`type_`"):
                make(data_type, 3, MaskState.UNALLOCATED)
            continue
        for size in (0, 1, 65):
            for state in MaskState:
                column = make(data_type, size, state, stream)
                assert (column.type(), column.size()) == (data_type, size)
                assert column.null_count() == (size if state == MaskState.ALL_NULL else 0)
                assert str(column.device()) == device or size == 0
                assert len(column.to_pylist()) == size


@pytest.mark.parametrize("make", MAKERS)
def test_arguments_are_checked(make):
    data_type = next(t for t in TYPES if MAKERS[make](t))
    with pytest.raises(ValueError, match="`size` is -1"):
        make(data_type, -1, MaskState.UNALLOCATED)
    with pytest.raises(ValueError, match="no memory can be that large"):
        make(data_type, 2**63, MaskState.UNALLOCATED)
    with pytest.raises(ValueError, match="7"):
        make(data_type, 1, 7)
    with pytest.raises(TypeError):
        make("int8", 1, MaskState.UNALLOCATED)


def test_columns_of_no_rows():
    for data_type in TYPES:
        assert column_factories.make_empty_column(data_type).type() == data_type
        assert column_factories.make_empty_column(data_type.id()).size() == 0
        lists = column_factories.make_empty_lists_column(data_type)
        assert lists.list_view().child().type() == data_type
        assert lists.to_pylist() == []
    with pytest.raises(TypeError):
        column_factories.make_empty_column("int8")
