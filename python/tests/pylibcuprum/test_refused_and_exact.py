"""What was once accepted and gave other values than asked for."""

import threading
import time
from decimal import Decimal

import pyarrow as pa
import pytest

import pylibcuprum as plc
from pylibcuprum import (
    Column,
    DataType,
    Scalar,
    Table,
    TypeId,
    binaryop,
    expressions,
    join,
    replace,
    search,
    sorting,
    stream_compaction,
    strings,
    unary,
)
from pylibcuprum.types import NanEquality, NullEquality, NullOrder, Order


def column(values, kind=None):
    return Column.from_arrow(pa.array(values, kind))


def result(lhs, rhs, op, kind):
    return binaryop.binary_operation(lhs, rhs, op, DataType(kind)).to_pylist()


NAN = float("nan")


@pytest.mark.parametrize("values", [[1.0, NAN], [1.0, 2.0]])
def test_keys_of_two_types_never_match(values):
    left = Table([column([2**64 - 1, 0xBFF0000000000000], pa.uint64())])
    right = Table([column(values)])
    with pytest.raises(TypeError, match="uint64 in one table and float64 in another"):
        join.inner_join(left, right, NullEquality.EQUAL)
    with pytest.raises(TypeError):
        search.lower_bound(left, right, [Order.ASCENDING], [NullOrder.AFTER])
    inside = [pa.struct([("x", kind)]) for kind in (pa.uint64(), pa.float64())]
    structs = [column([{"x": 1}], inside[0]), column([{"x": NAN}], inside[1])]
    with pytest.raises(TypeError):
        join.inner_join([structs[0]], [structs[1]], NullEquality.EQUAL)


def test_null_fields_are_unequal_everywhere():
    keys = Table([column([{"x": None}, {"x": None}, {"x": 1}, {"x": 1}])])
    unequal, nans = NullEquality.UNEQUAL, NanEquality.ALL_EQUAL
    first = stream_compaction.DuplicateKeepOption.KEEP_FIRST
    assert stream_compaction.distinct_indices(keys, first, unequal, nans).to_pylist() == [0, 1, 2]
    assert stream_compaction.unique(keys, [0], first, unequal).num_rows() == 3
    assert stream_compaction.distinct_indices(keys, first, NullEquality.EQUAL, nans).to_pylist() == [0, 2]
    assert not plc.table_equality.tables_equal(keys, keys, unequal)
    assert plc.table_equality.tables_equal(keys, keys, NullEquality.EQUAL)


def test_no_keys_keep_no_row_of_distinct_ones_and_all_others():
    table = Table([column([1, None, 1])])
    keep = stream_compaction.DuplicateKeepOption.KEEP_FIRST
    assert (
        stream_compaction.distinct(table, [], keep, NullEquality.EQUAL, NanEquality.ALL_EQUAL).num_rows() == 0
    )
    assert stream_compaction.unique(table, [], keep, NullEquality.EQUAL).num_rows() == 0
    assert stream_compaction.drop_nulls(table, [], 1).num_rows() == 3
    assert stream_compaction.drop_nans(table, [], 1).num_rows() == 3


def test_integers_are_computed_in_the_result_where_it_is_wider():
    op = binaryop.BinaryOperator
    big, unsigned = column([2**53 + 1, 2**62 + 1]), column([0, 1], pa.uint64())
    assert result(big, unsigned, op.ADD, TypeId.INT64) == [2**53 + 1, 2**62 + 2]
    bytes_ = column([100, -128], pa.int8())
    assert result(bytes_, bytes_, op.ADD, TypeId.INT32) == [200, -256]
    assert result(bytes_, Scalar.from_arrow(pa.scalar(-1, pa.int8())), op.DIV, TypeId.INT32) == [-100, 128]
    assert result(column([True]), column([True]), op.ADD, TypeId.INT32) == [2]
    assert result(bytes_, bytes_, op.ADD, TypeId.FLOAT64) == [-56.0, 0.0]


def test_quotients_of_decimals():
    op = binaryop.BinaryOperator
    left, right = (column([Decimal(x) for x in xs]) for xs in (("7.00", "1.00"), ("2.00", "4.00")))
    assert result(left, right, op.TRUE_DIV, TypeId.FLOAT64) == [3.5, 0.25]


def test_numbers_are_not_made_of_text():
    op, texts = binaryop.BinaryOperator, (column(["1"]), column(["2"]))
    with pytest.raises(TypeError, match=r"strings\.convert"):
        binaryop.binary_operation(*texts, op.ADD, DataType(TypeId.INT64))
    with pytest.raises(TypeError, match=r"strings\.convert"):
        binaryop.binary_operation(column([1]), column([1]), op.EQUAL, DataType(TypeId.STRING))
    kinds = [DataType(kind) for kind in (TypeId.INT64, TypeId.STRING, TypeId.STRING)]
    assert not binaryop.is_supported_operation(*kinds, op.ADD)
    assert not binaryop.is_supported_operation(DataType(TypeId.STRING), kinds[0], kinds[0], op.EQUAL)


def test_operators_and_choices_of_another_kind():
    integers = column([1, 2])
    with pytest.raises(TypeError, match="of UnaryOperator"):
        unary.unary_operation(integers, expressions.ASTOperator.ABS)
    with pytest.raises(TypeError, match="of BinaryOperator"):
        binaryop.binary_operation(integers, integers, Order.ASCENDING, integers.type())
    with pytest.raises(TypeError, match="ASTOperator"):
        expressions.Operation(binaryop.BinaryOperator.ADD, *[expressions.ColumnReference(0)] * 2)
    with pytest.raises(TypeError, match="Order"):
        sorting.sorted_order([integers], [NullOrder.BEFORE], [NullOrder.BEFORE])
    with pytest.raises(TypeError, match="NullOrder"):
        sorting.sorted_order([integers], [Order.ASCENDING], [True])
    with pytest.raises(TypeError, match="column_order"):
        plc.groupby.GroupBy([integers], column_order=["x"])


def test_formulas_that_share_operands_are_refused_at_once():
    formula = expressions.ColumnReference(0)
    with pytest.raises(ValueError, match="100000 operations"):
        for _ in range(40):
            formula = expressions.Operation(expressions.ASTOperator.ADD, formula, formula)


def test_replacement_and_zeros():
    ones = column([1, 1, 4])
    assert replace.find_and_replace_all(ones, column([1, 1]), column([2, 3])).to_pylist() == [2, 2, 4]
    with pytest.raises(ValueError, match="`replacement_values` 1"):
        replace.find_and_replace_all(ones, column([1, 2]), column([2]))
    filled = replace.replace_nulls(column([None, -0.0, None, NAN, None]), replace.ReplacePolicy.PRECEDING)
    assert str(filled.to_pylist()) == "[None, -0.0, -0.0, nan, nan]"
    with pytest.raises(TypeError, match="`value` is str"):
        plc.filling.fill(ones, 0, 1, Scalar.from_py("x"))


def test_sequences_of_large_numbers():
    init, step = (Scalar.from_arrow(pa.scalar(x, pa.uint64())) for x in (2**63 - 2, 2))
    assert plc.filling.sequence(3, init, step).to_pylist() == [2**63 - 2, 2**63, 2**63 + 2]


def test_slices_and_characters():
    texts = column(["abc"])
    for wrong in ("x", 1.5, True):
        with pytest.raises(TypeError, match="`start` is"):
            strings.slice.slice_strings(texts, Scalar.from_py(wrong))
    far = Scalar.from_arrow(pa.scalar(2**63, pa.uint64()))
    assert strings.slice.slice_strings(texts, far).to_pylist() == [""]
    kinds = strings.char_types.StringCharacterTypes
    texts = column(["A1", "a", "1"])
    upper = strings.char_types.all_characters_of_type
    assert upper(texts, kinds.UPPER, kinds.CASE_TYPES).to_pylist() == [True, False, False]
    with pytest.raises(NotImplementedError, match="CASE_TYPES"):
        upper(texts, kinds.UPPER, kinds.ALL_TYPES)


def test_quantiles_are_of_numbers():
    with pytest.raises(TypeError, match="no numbers"):
        plc.quantiles.quantile(column([1, 2], pa.timestamp("ns")), [0.5])


@pytest.mark.host
def test_long_work_lets_other_threads_run():
    table, ticks, done = Table([column(range(100))]), [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    plc.reshape.tile(table, 300_000)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(begin < at < end for at in ticks) >= 2


@pytest.mark.parametrize("values", [["3", "4"], [Decimal("1.50"), Decimal("-1.00")]])
def test_squares_are_of_numbers(values):
    squares, keys = plc.aggregation.sum_of_squares(), Table([column([1, 1])])
    with pytest.raises(NotImplementedError, match="SUM_OF_SQUARES"):
        plc.groupby.GroupBy(keys).aggregate([plc.groupby.GroupByRequest(column(values), [squares])])
    with pytest.raises(NotImplementedError):
        plc.reduce.reduce(column(values), squares, DataType(TypeId.FLOAT64))
