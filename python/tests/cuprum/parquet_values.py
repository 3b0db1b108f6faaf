"""Values of Parquet files as pyarrow has them and as we have them."""

import math

import pyarrow as pa


def plain(value, arrow):
    """Return a value of Arrow as we have it: maps are lists of structs, bytes of numbers, NaN equals NaN."""
    if value is None:
        return None
    if pa.types.is_dictionary(arrow):
        return plain(value, arrow.value_type)
    if pa.types.is_map(arrow):
        names = arrow.key_field.name, arrow.item_field.name
        types = arrow.key_type, arrow.item_type
        return [dict(zip(names, map(plain, pair, types), strict=True)) for pair in value]
    if pa.types.is_struct(arrow):
        return {field.name: plain(value[field.name], field.type) for field in arrow}
    if hasattr(arrow, "value_type"):
        return [plain(one, arrow.value_type) for one in value]
    if isinstance(value, bytes):
        return list(value)
    return "NaN" if isinstance(value, float) and math.isnan(value) else value
