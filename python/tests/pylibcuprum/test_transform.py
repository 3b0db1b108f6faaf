"""Functions in CUDA C++, masks made of values, tables as arrays, beside NumPy."""

import math

import numpy as np
import pytest
from devices import every_device, on

import cuprum
from cuprum import rmm
from pylibcuprum import (
    Column,
    DataType,
    Scalar,
    Table,
    TypeId,
    copying,
    expressions,
    filling,
    reshape,
    transform,
)
from pylibcuprum.types import NullAware, OutputNullability

FLOAT64, INT64, INT8, BOOL = (DataType(t) for t in (TypeId.FLOAT64, TypeId.INT64, TypeId.INT8, TypeId.BOOL8))
LENGTHS = [0, 1, 31, 32, 33, 63, 64, 65, 1000]


@every_device
@pytest.mark.parametrize("rows", LENGTHS)
def test_functions_of_rows(device, rows):
    source = "__device__ void f(double* out, double a, int64_t b) { *out = sqrt(a) + b; }"
    a = [None if i % 3 == 1 else i / 2 for i in range(rows)]
    b = [i * 5 - 7 for i in range(rows)]
    inputs = [
        on(device, Column.from_iterable_of_py(values, dtype)) for values, dtype in ((a, FLOAT64), (b, INT64))
    ]
    made = transform.transform(inputs, source, FLOAT64, False)
    assert rows == 0 or made.device() == inputs[0].device()  # what is empty lies nowhere
    expected = [None if x is None else math.sqrt(x) + y for x, y in zip(a, b, strict=True)]
    assert made.to_arrow().to_pylist() == expected


@every_device
def test_functions_of_booleans_and_templates(device):
    flags = on(device, Column.from_iterable_of_py([True, False, None]))
    source = "template <typename T> __device__ void f(T* out, T a) { *out = !a; }"
    assert transform.transform([flags], source, BOOL, False).to_arrow().to_pylist() == [False, True, None]


@every_device
def test_functions_that_are_refused(device):
    ones, texts = (on(device, Column.from_iterable_of_py(values)) for values in ([1.0, None], ["a", "b"]))
    source = "__device__ void f(double* out, double a) { *out = a; }"
    with pytest.raises(NotImplementedError, match="`is_ptx`"):
        transform.transform([ones], source, FLOAT64, True)
    with pytest.raises(NotImplementedError, match="`null_aware`"):
        transform.transform([ones], source, FLOAT64, False, NullAware.YES)
    with pytest.raises(NotImplementedError, match="`null_policy`"):
        transform.transform([ones], source, FLOAT64, False, NullAware.NO, OutputNullability.ALL_VALID)
    with pytest.raises(ValueError, match="__device__"):
        transform.transform([ones], "void f() {}", FLOAT64, False)
    with pytest.raises(ValueError, match="`inputs`"):
        transform.transform([], source, FLOAT64, False)
    with pytest.raises(TypeError, match=r"\bstr\b"):
        transform.transform([texts], source, FLOAT64, False)
    with pytest.raises(TypeError, match=r"\bstr\b"):
        transform.transform([ones], source, DataType(TypeId.STRING), False)
    with pytest.raises(TypeError, match="transform_udf"):
        transform.transform([ones], 1, FLOAT64, False)


def test_what_the_compiler_says():
    ones = Column.from_iterable_of_py([1.0])
    with pytest.raises(RuntimeError, match="nothing"):
        transform.transform(
            [ones], "__device__ void f(double* out, double a) { *out = nothing; }", FLOAT64, False
        )


@every_device
@pytest.mark.parametrize("rows", LENGTHS)
def test_masks_of_values(device, rows):
    flags = [[True, False, None][i % 3] for i in range(rows)]
    mask, nulls = transform.bools_to_mask(on(device, Column.from_iterable_of_py(flags, BOOL)))
    assert nulls == sum(flag is not True for flag in flags)
    bools = transform.mask_to_bools(mask, 0, rows)
    assert bools.to_arrow().to_pylist() == [flag is True for flag in flags]
    if rows > 2:
        assert transform.mask_to_bools(mask, 1, rows - 1).to_arrow().to_pylist() == [
            flag is True for flag in flags[1:-1]
        ]
    values = [[1.5, math.nan, None, -0.0][i % 4] for i in range(rows)]
    mask, nulls = transform.nans_to_nulls(on(device, Column.from_iterable_of_py(values, FLOAT64)))
    present = [value is not None and not math.isnan(value) for value in values]
    assert nulls == rows - sum(present)
    assert transform.mask_to_bools(mask, 0, rows).to_arrow().to_pylist() == present


def test_masks_that_are_refused():
    with pytest.raises(TypeError, match="`bitmask`"):
        transform.mask_to_bools(1 << 20, 0, 3)
    mask = transform.bools_to_mask(Column.from_iterable_of_py([True]))[0]
    with pytest.raises(IndexError):
        transform.mask_to_bools(mask, 0, 1 << 40)
    with pytest.raises(ValueError, match="no range"):
        transform.mask_to_bools(mask, 3, 2)
    with pytest.raises(TypeError, match="bool"):
        transform.bools_to_mask(Column.from_iterable_of_py([1]))
    with pytest.raises(TypeError, match="no floats"):
        transform.nans_to_nulls(Column.from_iterable_of_py([1]))


def test_formulas_are_compiled_in_any_case():
    table = Table([Column.from_iterable_of_py([1, None, 3])])
    formula = expressions.to_expression("a + 1", ("a",))
    assert transform.compute_column_jit(table, formula).to_pylist() == [2, None, 4]


@every_device
@pytest.mark.parametrize("rows", LENGTHS)
def test_tables_as_arrays(device, rows):
    values = np.arange(3 * (rows + 2), dtype=np.int64).reshape(3, rows + 2)
    columns = [on(device, Column.from_iterable_of_py(row.tolist(), INT64)) for row in values]
    array = rmm.DeviceBuffer(size=24 * rows + 8)
    array.fill(0xFF)
    table = Table(columns)
    (part,) = copying.slice(table, [1, rows + 1])
    reshape.table_to_array(part, array, 24 * rows)
    written = np.frombuffer(array.tobytes(), np.int64)
    assert (written[:-1].reshape(3, rows) == values[:, 1:-1]).all() and written[-1] == -1


def test_arrays_that_are_refused():
    table = Table([Column.from_iterable_of_py([1, 2])])
    room = rmm.DeviceBuffer(size=16)
    with pytest.raises(TypeError, match="`ptr`"):
        reshape.table_to_array(table, 1 << 20, 16)
    with pytest.raises(ValueError, match="`size`"):
        reshape.table_to_array(table, room, 15)
    with pytest.raises(IndexError, match="`ptr`"):
        reshape.table_to_array(table, rmm.DeviceBuffer(size=15), 16)
    with pytest.raises(ValueError, match="nulls"):
        reshape.table_to_array(Table([Column.from_iterable_of_py([1, None])]), room, 16)
    with pytest.raises(ValueError, match="no columns"):
        reshape.table_to_array(Table([]), room, 0)
    with pytest.raises(TypeError, match=r"\bstr\b"):
        reshape.table_to_array(Table([Column.from_iterable_of_py(["a"])]), room, 1)
    with pytest.raises(TypeError, match="column 1"):
        mixed = [Column.from_iterable_of_py([1]), Column.from_iterable_of_py([1.0])]
        reshape.table_to_array(Table(mixed), room, 16)


@every_device
def test_filled_in_place(device):
    numbers = on(device, Column.from_iterable_of_py([1, 2, None, 4]))
    sliced = copying.slice(numbers, [1, 4])[0]
    assert filling.fill_in_place(numbers, 1, 3, Scalar.from_py(9)) is None
    assert numbers.to_arrow().to_pylist() == [1, 9, 9, 4]
    assert sliced.to_arrow().to_pylist() == [2, None, 4]
    filling.fill_in_place(numbers, 0, 1, Scalar.empty_like(numbers))
    assert numbers.to_arrow().to_pylist() == [None, 9, 9, 4]
    for begin, end in ((3, 5), (2, 1), (-1, 2)):
        with pytest.raises(IndexError):
            filling.fill_in_place(numbers, begin, end, Scalar.from_py(0))
    with pytest.raises(TypeError, match="`value` is bool"):
        filling.fill_in_place(numbers, 0, 1, Scalar.from_py(True))
    assert numbers.to_arrow().to_pylist() == [None, 9, 9, 4]
    with pytest.raises(TypeError, match="str"):
        filling.fill_in_place(Column.from_iterable_of_py(["a"]), 0, 1, Scalar.from_py("b"))


def test_in_place_beside_a_frame():
    frame = cuprum.DataFrame({"a": [1, 2, 3]})
    (column,) = frame.to_pylibcudf()[0].columns()
    filling.fill_in_place(column, 0, 2, Scalar.from_py(0))
    assert column.to_pylist() == [0, 0, 3]
    assert frame["a"].to_list() == [1, 2, 3]
