"""What can be asked of types."""

import pytest

from pylibcuprum import DataType, TypeId, traits

INTEGERS = {f"{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)}
FLOATS = {"FLOAT32", "FLOAT64"}
UNITS = ("DAYS", "SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS")
TIMESTAMPS, DURATIONS = ({f"{kind}_{unit}" for unit in UNITS} for kind in ("TIMESTAMP", "DURATION"))
DECIMALS = {"DECIMAL32", "DECIMAL64", "DECIMAL128"}
FIXED = INTEGERS | FLOATS | {"BOOL8"} | TIMESTAMPS | DURATIONS | DECIMALS
ALL = {type_id.name for type_id in TypeId} - {"NUM_TYPE_IDS"}

TRUE = {
    "is_relationally_comparable": ALL - {"EMPTY"},
    "is_equality_comparable": ALL - {"EMPTY"},
    "is_numeric": INTEGERS | FLOATS | {"BOOL8"},
    "is_numeric_not_bool": INTEGERS | FLOATS,
    "is_index_type": INTEGERS,
    "is_unsigned": {name for name in INTEGERS if name[0] == "U"} | {"BOOL8"},
    "is_integral": INTEGERS | {"BOOL8"},
    "is_integral_not_bool": INTEGERS,
    "is_floating_point": FLOATS,
    "is_boolean": {"BOOL8"},
    "is_timestamp": TIMESTAMPS,
    "is_fixed_point": DECIMALS,
    "is_duration": DURATIONS,
    "is_chrono": TIMESTAMPS | DURATIONS,
    "is_dictionary": {"DICTIONARY32"},
    "is_fixed_width": FIXED,
    "is_compound": {"STRING", "LIST", "STRUCT", "DICTIONARY32"},
    "is_nested": {"LIST", "STRUCT"},
}


@pytest.mark.parametrize("name", TRUE)
def test_traits(name):
    ask = getattr(traits, name)
    assert {t for t in ALL if ask(DataType(TypeId[t]))} == TRUE[name]
    for wrong in ("INT8", 3, None):
        with pytest.raises(TypeError, match="typ"):
            ask(wrong)


def test_every_trait_is_tested():
    assert set(traits.__all__) == {*TRUE, "is_bit_castable"}


def test_bit_casts_are_between_types_of_one_size():
    size = {name: DataType(TypeId[name]) for name in FIXED}
    from pylibcuprum.types import size_of

    for a in size.values():
        for b in size.values():
            assert traits.is_bit_castable(a, b) == (size_of(a) == size_of(b))
    text = DataType(TypeId.STRING)
    assert not traits.is_bit_castable(text, text)
