"""`pylibcuprum.quantiles` beside NumPy."""

import math

import numpy as np
import pytest

from pylibcuprum import Column, DataType, TypeId
from pylibcuprum.quantiles import quantile
from pylibcuprum.types import Interpolation

FRACTIONS = [0.0, 0.1, 0.25, 0.5, 0.7, 1.0]
INT64, FLOAT32 = DataType(TypeId.INT64), DataType(TypeId.FLOAT32)


@pytest.mark.parametrize("interp", Interpolation)
@pytest.mark.parametrize("values", [[5, 3, 9, 1], [2**53 + 1, 2**53 + 3, 7], [4]], ids=str)
def test_of_the_type_of_the_column(interp, values):
    got = quantile(Column.from_iterable_of_py(values), FRACTIONS, interp, exact=False)
    assert got.type() == INT64
    if interp in (Interpolation.LINEAR, Interpolation.MIDPOINT):
        wanted = quantile(Column.from_iterable_of_py(values), FRACTIONS, interp).to_pylist()
        assert got.to_pylist() == [math.trunc(one) for one in wanted]
    else:
        # Every digit of an element, more than floats have.
        wanted = np.quantile(np.array(values), FRACTIONS, method=interp.name.lower())
        assert got.to_pylist() == wanted.tolist()


def test_of_the_type_of_the_column_without_values():
    column = Column.from_iterable_of_py([None, float("nan")], FLOAT32)
    for interp in (Interpolation.LINEAR, Interpolation.LOWER):
        got = quantile(column, [0.5], interp, exact=False)
        assert (got.type(), got.to_pylist()) == (FLOAT32, [None])
    assert quantile(column, [], exact=False).type() == FLOAT32


def test_rows_in_order():
    column = Column.from_iterable_of_py([4, None, 1, 2, 100])
    rows = Column.from_iterable_of_py([2, 3, 0, 1])
    assert quantile(column, [0.5, 1.0], ordered_indices=rows).to_pylist() == [2.0, 4.0]
    assert quantile(column, [1.0], Interpolation.LOWER, rows, False).to_pylist() == [4]
    for wrong, error in [([0, 2], ValueError), ([2, 9], IndexError), ([2, None], ValueError)]:
        with pytest.raises(error):
            quantile(column, [0.5], ordered_indices=Column.from_iterable_of_py(wrong))
