"""The names and arguments of pylibcudf, of which pylibcuprum has every one."""

import importlib
import inspect

import pytest

FUNCTIONS = {
    "column": {
        "is_c_contiguous": "shape strides itemsize",
    },
    "types": {
        "size_of": "t",
    },
    "traits": {
        "is_relationally_comparable": "typ",
        "is_equality_comparable": "typ",
        "is_numeric": "typ",
        "is_numeric_not_bool": "typ",
        "is_index_type": "typ",
        "is_unsigned": "typ",
        "is_integral": "typ",
        "is_integral_not_bool": "typ",
        "is_floating_point": "typ",
        "is_boolean": "typ",
        "is_timestamp": "typ",
        "is_fixed_point": "typ",
        "is_duration": "typ",
        "is_chrono": "typ",
        "is_dictionary": "typ",
        "is_fixed_width": "typ",
        "is_compound": "typ",
        "is_nested": "typ",
        "is_bit_castable": "source target",
    },
    "null_mask": {
        "copy_bitmask": "col stream mr",
        "copy_bitmask_from_bitmask": "bitmask begin_bit end_bit stream mr",
        "bitmask_allocation_size_bytes": "number_of_bits",
        "create_null_mask": "size state stream mr",
        "bitmask_and": "columns stream mr",
        "bitmask_or": "columns stream mr",
        "null_count": "bitmask start stop stream",
        "index_of_first_set_bit": "bitmask start stop stream",
    },
    "column_factories": {
        "make_numeric_column": "type_ size mstate stream mr",
        "make_fixed_point_column": "type_ size mstate stream mr",
        "make_timestamp_column": "type_ size mstate stream mr",
        "make_duration_column": "type_ size mstate stream mr",
        "make_fixed_width_column": "type_ size mstate stream mr",
        "make_empty_column": "type_or_id stream mr",
        "make_empty_lists_column": "child_type stream mr",
    },
    "lists": {
        "explode_outer": "input explode_column_idx stream mr",
        "concatenate_rows": "input stream mr",
        "concatenate_list_elements": "input null_policy stream mr",
        "contains": "input search_key stream mr",
        "contains_nulls": "input stream mr",
        "index_of": "input search_key find_option stream mr",
        "reverse": "input stream mr",
        "segmented_gather": "input gather_map_list bounds_policy stream mr",
        "extract_list_element": "input index stream mr",
        "count_elements": "input stream mr",
        "sequences": "starts sizes steps stream mr",
        "sort_lists": "input sort_order na_position stable stream mr",
        "difference_distinct": "lhs rhs nulls_equal nans_equal stream mr",
        "have_overlap": "lhs rhs nulls_equal nans_equal stream mr",
        "intersect_distinct": "lhs rhs nulls_equal nans_equal stream mr",
        "union_distinct": "lhs rhs nulls_equal nans_equal stream mr",
        "apply_boolean_mask": "input boolean_mask stream mr",
        "apply_deletion_mask": "input deletion_mask stream mr",
        "distinct": "input nulls_equal nans_equal stream mr",
    },
    "interop": {
        "from_dlpack": "managed_tensor stream mr",
        "to_dlpack": "input stream mr",
    },
}

MEMBERS = {
    "column.Column": "type child size null_count offset data null_mask children num_children copy device_buffer_size with_mask list_view struct_view from_scalar to_scalar all_null_like from_rmm_buffer to_arrow _to_schema _to_host_array from_arrow from_cuda_array_interface from_array_interface from_array struct_from_children from_iterable_of_py to_pylist",
    "column.ListsColumnView": "child offsets get_sliced_child",
    "column.StructsColumnView": "child offsets get_sliced_child",
    "table.Table": "num_columns num_rows shape columns release copy to_arrow _to_schema _to_host_array from_arrow",
    "scalar.Scalar": "type is_valid empty_like to_arrow from_arrow from_py from_numpy to_py",
    "lists.ConcatenateNullPolicy": "IGNORE NULLIFY_OUTPUT_ROW",
    "lists.DuplicateFindOption": "FIND_FIRST FIND_LAST",
    "types.Interpolation": "LINEAR LOWER HIGHER MIDPOINT NEAREST",
    "types.MaskState": "UNALLOCATED UNINITIALIZED ALL_VALID ALL_NULL",
    "types.NanEquality": "ALL_EQUAL UNEQUAL",
    "types.NanPolicy": "NAN_IS_NULL NAN_IS_VALID",
    "types.NullEquality": "EQUAL UNEQUAL",
    "types.NullAware": "NO YES",
    "types.OutputNullability": "PRESERVE ALL_VALID",
    "types.NullOrder": "AFTER BEFORE",
    "types.NullPolicy": "EXCLUDE INCLUDE",
    "types.Order": "ASCENDING DESCENDING",
    "types.Sorted": "NO YES",
    "types.TypeId": "EMPTY INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 FLOAT32 FLOAT64 BOOL8 TIMESTAMP_DAYS TIMESTAMP_SECONDS TIMESTAMP_MILLISECONDS TIMESTAMP_MICROSECONDS TIMESTAMP_NANOSECONDS DURATION_DAYS DURATION_SECONDS DURATION_MILLISECONDS DURATION_MICROSECONDS DURATION_NANOSECONDS DICTIONARY32 STRING LIST DECIMAL32 DECIMAL64 DECIMAL128 STRUCT NUM_TYPE_IDS",
    "types.DataType": "id scale to_arrow from_arrow from_py python_typecode typestr",
    "aggregation.Kind": "SUM PRODUCT MIN MAX COUNT_VALID COUNT_ALL ANY ALL SUM_OF_SQUARES MEAN VARIANCE STD MEDIAN QUANTILE ARGMAX ARGMIN NUNIQUE NTH_ELEMENT RANK COLLECT_LIST COLLECT_SET PTX CUDA CORRELATION COVARIANCE",
    "aggregation.CorrelationType": "PEARSON KENDALL SPEARMAN",
    "aggregation.EWMHistory": "INFINITE FINITE",
    "aggregation.RankMethod": "FIRST AVERAGE MIN MAX DENSE",
    "aggregation.RankPercentage": "NONE ZERO_NORMALIZED ONE_NORMALIZED",
    "aggregation.Aggregation": "kind",
    "binaryop.BinaryOperator": "ADD SUB MUL DIV TRUE_DIV FLOOR_DIV MOD PMOD PYMOD POW INT_POW LOG_BASE ATAN2 SHIFT_LEFT SHIFT_RIGHT SHIFT_RIGHT_UNSIGNED BITWISE_AND BITWISE_OR BITWISE_XOR LOGICAL_AND LOGICAL_OR EQUAL NOT_EQUAL LESS GREATER LESS_EQUAL GREATER_EQUAL NULL_EQUALS NULL_MAX NULL_MIN NULL_NOT_EQUALS GENERIC_BINARY NULL_LOGICAL_AND NULL_LOGICAL_OR INVALID_BINARY",
    "datetime.DatetimeComponent": "YEAR MONTH DAY WEEKDAY HOUR MINUTE SECOND MILLISECOND MICROSECOND NANOSECOND",
    "datetime.RoundingFrequency": "DAY HOUR MINUTE SECOND MILLISECOND MICROSECOND NANOSECOND",
    "expressions.TableReference": "LEFT RIGHT",
    "expressions.ASTOperator": "ADD SUB MUL DIV TRUE_DIV FLOOR_DIV MOD PYMOD POW EQUAL NULL_EQUAL NOT_EQUAL LESS GREATER LESS_EQUAL GREATER_EQUAL BITWISE_AND BITWISE_OR BITWISE_XOR NULL_LOGICAL_AND LOGICAL_AND NULL_LOGICAL_OR LOGICAL_OR IDENTITY IS_NULL SIN COS TAN ARCSIN ARCCOS ARCTAN SINH COSH TANH ARCSINH ARCCOSH ARCTANH EXP LOG SQRT CBRT CEIL FLOOR ABS RINT BIT_INVERT NOT",
    "expressions.Expression": "",
    "expressions.Literal": "",
    "expressions.ColumnReference": "",
    "expressions.ColumnNameReference": "",
    "expressions.Operation": "",
    "groupby.GroupBy": "aggregate scan shift replace_nulls get_groups",
    "groupby.GroupByRequest": "",
    "join.FilteredJoin": "semi_join anti_join",
    "labeling.Inclusive": "YES NO",
    "reduce.ScanType": "INCLUSIVE EXCLUSIVE",
    "replace.ReplacePolicy": "PRECEDING FOLLOWING",
    "rolling.BoundedClosed": "",
    "rolling.BoundedOpen": "",
    "rolling.CurrentRow": "",
    "rolling.RollingRequest": "",
    "rolling.Unbounded": "",
    "round.RoundingMethod": "HALF_UP HALF_EVEN",
    "stream_compaction.DuplicateKeepOption": "KEEP_ANY KEEP_FIRST KEEP_LAST KEEP_NONE",
    "unary.UnaryOperator": "SIN COS TAN ARCSIN ARCCOS ARCTAN SINH COSH TANH ARCSINH ARCCOSH ARCTANH EXP LOG SQRT CBRT CEIL FLOOR ABS RINT BIT_COUNT BIT_INVERT NOT NEGATE",
    "strings.char_types.StringCharacterTypes": "DECIMAL NUMERIC DIGIT ALPHA SPACE UPPER LOWER ALPHANUM CASE_TYPES ALL_TYPES",
    "strings.combine.SeparatorOnNulls": "YES NO",
    "strings.regex_flags.RegexFlags": "DEFAULT IGNORECASE MULTILINE DOTALL",
    "strings.regex_program.RegexProgram": "create",
    "strings.side_type.SideType": "LEFT RIGHT BOTH",
    "gpumemoryview.gpumemoryview": "__cuda_array_interface__ __len__ byte_slice ptr obj cai nbytes size",
}


ARGUMENTS = {
    "column.Column.__new__": "data_type size data mask null_count offset children validate",
    "column.Column.child": "index",
    "column.Column.copy": "stream mr",
    "column.Column.with_mask": "mask null_count validate",
    "column.Column.from_scalar": "scalar size stream mr",
    "column.Column.to_scalar": "stream mr",
    "column.Column.all_null_like": "like size stream mr",
    "column.Column.from_rmm_buffer": "buff dtype size children",
    "column.Column.to_arrow": "metadata stream",
    "column.Column._to_schema": "metadata",
    "column.Column._to_host_array": "stream",
    "column.Column.from_arrow": "obj dtype stream mr",
    "column.Column.from_cuda_array_interface": "obj stream",
    "column.Column.from_array_interface": "obj stream",
    "column.Column.from_array": "obj stream",
    "column.Column.struct_from_children": "children",
    "column.Column.from_iterable_of_py": "obj dtype stream",
    "column.ListsColumnView.__new__": "column",
    "column.ListsColumnView.get_sliced_child": "stream",
    "column.StructsColumnView.__new__": "column",
    "column.StructsColumnView.get_sliced_child": "index stream",
    "table.Table.__new__": "columns num_rows",
    "table.Table.copy": "stream mr",
    "table.Table.to_arrow": "metadata stream",
    "table.Table._to_schema": "metadata",
    "table.Table._to_host_array": "stream",
    "table.Table.from_arrow": "arrow_like dtype stream mr",
    "scalar.Scalar.is_valid": "stream",
    "scalar.Scalar.empty_like": "column stream",
    "scalar.Scalar.to_arrow": "metadata stream",
    "scalar.Scalar.from_arrow": "pa_val dtype stream",
    "scalar.Scalar.from_py": "py_val dtype stream",
    "scalar.Scalar.from_numpy": "np_val stream",
    "scalar.Scalar.to_py": "stream",
    "rolling.BoundedClosed.__new__": "delta",
    "rolling.BoundedOpen.__new__": "delta",
    "rolling.RollingRequest.__new__": "values min_periods aggregation",
    "types.DataType.__new__": "type_id scale",
    "types.DataType.from_arrow": "pa_typ",
    "types.DataType.from_py": "type",
    "gpumemoryview.gpumemoryview.__new__": "data",
    "gpumemoryview.gpumemoryview.byte_slice": "s",
}


@pytest.mark.parametrize("module", FUNCTIONS)
def test_functions_have_the_names_and_arguments(module):
    there = importlib.import_module(f"pylibcuprum.{module}")
    for name, arguments in FUNCTIONS[module].items():
        function = getattr(there, name)
        assert list(inspect.signature(function).parameters) == arguments.split(), name
        assert name in there.__all__
        assert function.__doc__, name


@pytest.mark.parametrize("path", MEMBERS)
def test_classes_have_the_members(path):
    module, name = path.rsplit(".", 1)
    there = getattr(importlib.import_module(f"pylibcuprum.{module}"), name)
    # `dir` of flags leaves out those made of several.
    members = {*dir(there), *getattr(there, "__members__", ())}
    assert set(MEMBERS[path].split()) - members == set()
    assert there.__doc__


@pytest.mark.parametrize("path", ARGUMENTS)
def test_methods_take_the_arguments(path):
    module, name, method = path.split(".")
    there = getattr(importlib.import_module(f"pylibcuprum.{module}"), name)
    signature = inspect.signature(there if method == "__new__" else getattr(there, method))
    assert [p for p in signature.parameters if p != "self"] == ARGUMENTS[path].split()
