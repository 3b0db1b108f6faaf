"""What the tests have as ``tm``: pandas' module, with assertions that tell values from labels and types."""

import math
from typing import Any

import numpy as np
import pandas as pd
from pandas import _testing as theirs

import cuprum
from cuprum import testing

OURS = (cuprum.DataFrame, cuprum.Series, cuprum.Index)


class OtherValues(AssertionError):
    """Cells of a result are not pandas'."""


class OtherLabels(AssertionError):
    """Cells are pandas', names or labels of rows and columns are not."""


class OtherTypes(AssertionError):
    """Cells and labels are pandas', types, frequencies or flags are not."""


def _pandas(obj: Any) -> Any:
    return obj.to_pandas() if isinstance(obj, OURS) else obj


def _cuprum(obj: Any) -> Any:
    if isinstance(obj, pd.Index):
        return cuprum.Index(obj)
    return getattr(cuprum, type(obj).__name__)(obj) if isinstance(obj, (pd.DataFrame, pd.Series)) else obj


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, (list, tuple, np.ndarray)) or isinstance(right, (list, tuple, np.ndarray)):
        if not (np.iterable(left) and np.iterable(right)):
            return False
        left, right = list(left), list(right)
        return len(left) == len(right) and all(map(_same, left, right))
    missing = [pd.api.types.is_scalar(side) and bool(pd.isna(side)) for side in (left, right)]
    if any(missing):
        return all(missing)
    try:
        if isinstance(left, (float, np.floating)) or isinstance(right, (float, np.floating)):
            return math.isclose(left, right, rel_tol=1e-5, abs_tol=1e-8)
        return bool(left == right)
    except (TypeError, ValueError):
        return False


def _cells(obj: Any) -> Any:
    if isinstance(obj, pd.DataFrame):
        return [obj.shape, *(_cells(obj.iloc[:, i]) for i in range(obj.shape[1]))]
    if isinstance(obj, (pd.Series, pd.Index, pd.api.extensions.ExtensionArray)):
        return list(obj.astype(object))
    return obj


def _labels(obj: Any) -> Any:
    if isinstance(obj, pd.DataFrame):
        return [_labels(obj.index), _labels(obj.columns), _cells(obj.index), _cells(obj.columns)]
    if isinstance(obj, pd.Series):
        return [obj.name, _labels(obj.index), _cells(obj.index)]
    return list(obj.names) if isinstance(obj, pd.Index) else None


def _explained(error: AssertionError, left: Any, right: Any) -> AssertionError:
    for kind, part in ((OtherValues, _cells), (OtherLabels, _labels)):
        if not _same(part(left), part(right)):
            return kind(str(error))
    return OtherTypes(str(error))


def _assertion(name: str) -> Any:
    strict = getattr(testing, name, None)

    def check(left: Any, right: Any, *args: Any, **kwargs: Any) -> None:
        __tracebackhide__ = True
        try:
            if strict and isinstance(left, OURS[:3]) and isinstance(right, OURS[:3]):
                strict(
                    left, right, **{k: v for k, v in kwargs.items() if k not in {"check_freq", "check_flags"}}
                )
            # A value that is its own oracle by `to_pandas` has been compared with its types above.
            getattr(theirs, name)(_pandas(left), _pandas(right), *args, **kwargs)
        except AssertionError as error:
            raise _explained(error, _pandas(left), _pandas(right)) from None

    return check


assert_frame_equal = _assertion("assert_frame_equal")
assert_series_equal = _assertion("assert_series_equal")
assert_index_equal = _assertion("assert_index_equal")
assert_numpy_array_equal = _assertion("assert_numpy_array_equal")
assert_extension_array_equal = _assertion("assert_extension_array_equal")
assert_categorical_equal = _assertion("assert_categorical_equal")
assert_almost_equal = _assertion("assert_almost_equal")
_assert_equal = _assertion("assert_equal")


def assert_equal(left: Any, right: Any, **kwargs: Any) -> None:
    """Compare by the assertion for the kind of ``left``."""
    __tracebackhide__ = True
    kinds = {"DataFrame": assert_frame_equal, "Series": assert_series_equal, "Index": assert_index_equal}
    for name, assertion in kinds.items():
        if isinstance(left, getattr(cuprum, name)):
            assertion(left, right, **kwargs)
            return
    _assert_equal(left, right, **kwargs)


def box_expected(expected: Any, box_cls: Any, transpose: bool = True) -> Any:
    """Put values into a class of Cuprum, as pandas' function puts them into one of pandas'."""
    boxes = {cuprum.Index: pd.Index, cuprum.Series: pd.Series, cuprum.DataFrame: pd.DataFrame}
    return _cuprum(theirs.box_expected(_pandas(expected), boxes.get(box_cls, box_cls), transpose))


def get_obj(df: Any, klass: Any) -> Any:
    """Return a frame or its first column."""
    return df if klass is cuprum.DataFrame else df.iloc[:, 0]


def __getattr__(name: str) -> Any:
    return getattr(theirs, name)
