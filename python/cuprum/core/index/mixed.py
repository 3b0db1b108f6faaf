"""Labels of several kinds, which no column holds: an `Index` of objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core import objects
from cuprum.core.algorithms import from_pandas
from cuprum.core.arguments import is_list_like, only_default, only_truth, plain_label
from cuprum.core.dtypes import dtype_to_pandas, names_object
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.index.lookup import refuse_several
from cuprum.core.interop import is_pandas
from cuprum.core.label_columns import level_column
from cuprum.core.missing import is_missing

__all__: list[str] = []

_OBJECT = Column.from_objects([]).dtype


class _MixedIndex(Index, of="mixed"):
    """Labels kept as Python objects, few as those of columns; what needs a column of them refuses."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """Always ``object``: the labels have types of their own."""
        return _OBJECT

    def _column(self) -> Column:
        return level_column(self._handle, 0)

    def _series(self) -> Any:
        return objects.wrap_series(_cuprum.Series(self._column(), self.name))

    def _label(self, row: int) -> Any:
        return self._handle.label(row)

    def to_list(self) -> list[Any]:
        """Return the labels as Python objects."""
        return self._handle.labels()

    tolist = to_list

    def __contains__(self, label: Any) -> bool:
        try:
            return len(self._handle.find_label(plain_label(label))) > 0
        except (TypeError, NotImplementedError):
            return False

    def get_loc(self, key: Any) -> Any:
        """Return the position of a label; a NumPy mask where it occurs more than once."""
        import numpy as np

        refuse_several(key)
        rows = self._handle.find_label(plain_label(key)).to_pylist()
        if not rows:
            raise KeyError(key)
        if len(rows) == 1:
            return rows[0]
        mask = np.zeros(len(self), dtype=bool)
        mask[rows] = True
        return mask

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = ...) -> Any:
        """Return the labels as a NumPy array of objects, always one of its own."""
        import numpy as np

        only_truth("to_numpy", copy=copy)

        labels = self._handle.labels()
        array = np.empty(len(labels), dtype=object)
        array[:] = labels if na_value is ... else [na_value if label is None else label for label in labels]
        return array if dtype is None else array.astype(dtype)

    def to_pandas(self, *, nullable: bool = False, arrow_type: bool = False) -> Any:
        """Return the pandas index with the same labels and name; ``nullable`` and ``arrow_type`` are refused."""
        import pandas as pd

        only_default("Index.to_pandas", nullable=(nullable, False), arrow_type=(arrow_type, False))
        return pd.Index(self.to_numpy(), dtype=object, name=self.name, tupleize_cols=False)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Return the labels as those of another type, which pandas makes of objects."""
        only_truth("Index.astype", copy=copy)
        if names_object(dtype):
            return wrap_index(self._handle)
        return Index(self.to_pandas().astype(dtype_to_pandas(dtype) if isinstance(dtype, DType) else dtype))

    def nunique(self, dropna: bool = True) -> int:
        """Return the number of different labels."""
        return len({label for label in self._handle.labels() if not dropna or label is not None})

    def _rows_in_order(self, ascending: Any = True, na_position: str = "last") -> Any:
        import numpy as np

        if na_position not in ("first", "last"):
            raise ValueError(f"invalid na_position: {na_position}")
        labels = self._handle.labels()
        present = [row for row, label in enumerate(labels) if not is_missing(label)]
        missing = [row for row, label in enumerate(labels) if is_missing(label)]
        present.sort(key=labels.__getitem__, reverse=not ascending)
        return np.array(missing + present if na_position == "first" else present + missing, dtype="intp")

    def _extreme(self, name: str, axis: Any, skipna: bool, out: Any) -> Any:
        """Return the smallest or the largest label; ``TypeError`` where they have no order."""
        only_default(
            f"{name} of labels of several kinds", axis=(axis, None), skipna=(skipna, True), out=(out, None)
        )
        labels = self._handle.labels()
        if not labels:
            return float("nan")
        return min(labels) if name == "min" else max(labels)

    def _compare(self, other: Any, op: str) -> Any:
        if isinstance(other, objects.Wrapper):
            return NotImplemented
        if is_pandas(other, "Series", "DataFrame"):
            return from_pandas(other)._operate(self, op, True)
        import operator

        import numpy as np

        labels = self._handle.labels()
        others = (
            list(other) if is_list_like(other) and not isinstance(other, tuple) else [other] * len(labels)
        )
        if len(others) != len(labels):
            raise ValueError("Lengths must match to compare")
        function = getattr(operator, op)
        pairs = zip(labels, others, strict=True)
        return np.array([bool(function(a, plain_label(b))) for a, b in pairs], dtype=bool)

    def _arithmetic(self, other: Any, op: str, reflected: bool) -> Any:
        if isinstance(other, objects.Wrapper):
            return NotImplemented
        if is_pandas(other, "Series", "DataFrame"):
            return from_pandas(other)._operate(self, op, not reflected)
        import operator

        function = getattr(operator, op)
        labels = self._handle.labels()
        return _like(
            self, [function(other, label) if reflected else function(label, other) for label in labels]
        )

    def _texts(self, rows: Sequence[int]) -> list[Any]:
        labels = (self._handle.label(row) for row in rows)
        return [str(label).replace("T", " ") if hasattr(label, "dtype") else repr(label) for label in labels]

    def __reduce__(self) -> Any:
        return (_restore, (self._handle.labels(), self.names))


# It is what pandas calls an Index of dtype object.
_MixedIndex.__name__ = "Index"


def _like(index: Index, labels: list[Any]) -> Index:
    return Index(labels, name=index.name)


def _restore(labels: list[Any], names: list[Any]) -> Index:
    return wrap_index(_cuprum.object_index(labels).with_names(names))
