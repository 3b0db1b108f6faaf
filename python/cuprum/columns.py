"""`ColumnLabels`: the labels of the columns of a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from cuprum.arguments import plain_label, plain_labels

__all__ = ["ColumnLabels"]


class ColumnLabels(Sequence[Any]):
    """The labels of the columns of a frame: an immutable list that prints as pandas' Index.

    Labels are ``str`` or ``int``; hierarchical columns have tuples, one part per level.

    Examples
    --------
    >>> ColumnLabels(["a", "b"])
    Index(['a', 'b'], dtype='str')
    """

    __slots__ = ("_labels", "_names")

    def __init__(self, labels: Iterable[Any], names: Sequence[Any] | None = None) -> None:
        self._labels = tuple(plain_labels(labels))
        named = names is not None and len(names) == self.nlevels
        self._names = tuple(names or ()) if named else (None,) * self.nlevels

    @property
    def nlevels(self) -> int:
        """The number of levels: 1 unless every label is a tuple of the same length."""
        first = self._labels[0] if self._labels else None
        if not isinstance(first, tuple):
            return 1
        same = all(isinstance(label, tuple) and len(label) == len(first) for label in self._labels)
        return len(first) if same else 1

    @property
    def names(self) -> list[Any]:
        """The names of the levels."""
        return list(self._names)

    @property
    def name(self) -> Any:
        """The name, for labels of one level."""
        return self._names[0] if len(self._names) == 1 else None

    @property
    def dtype(self) -> str:
        """``'str'``, ``'int64'`` or ``'object'`` for labels of several types."""
        kinds = {type(label) for label in self._labels}
        return "str" if kinds == {str} else "int64" if kinds == {int} else "object"

    @property
    def size(self) -> int:
        """The number of labels."""
        return len(self._labels)

    @property
    def shape(self) -> tuple[int]:
        """The number of labels, as a tuple."""
        return (len(self._labels),)

    @property
    def empty(self) -> bool:
        """Whether there is no label."""
        return not self._labels

    @property
    def is_unique(self) -> bool:
        """Whether no label occurs twice."""
        return len(set(self._labels)) == len(self._labels)

    @property
    def values(self) -> Any:
        """The labels as a NumPy array of objects."""
        return self.to_numpy()

    def __len__(self) -> int:
        return len(self._labels)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._labels)

    def __contains__(self, label: object) -> bool:
        return plain_label(label) in self._labels

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return ColumnLabels(self._labels[key], self._names)
        if isinstance(key, Iterable):
            key = list(key)
            if key and isinstance(key[0], bool):
                return ColumnLabels(
                    [x for x, keep in zip(self._labels, key, strict=True) if keep], self._names
                )
            return ColumnLabels([self._labels[i] for i in key], self._names)
        return self._labels[key]

    def __eq__(self, other: object) -> Any:
        import numpy as np

        if isinstance(other, (str, int, tuple)) and not isinstance(other, ColumnLabels):
            return np.array([label == other for label in self._labels], dtype=bool)
        if isinstance(other, Iterable):
            other = plain_labels(other)
            if len(other) != len(self):
                raise ValueError(f"Lengths must match to compare: {len(self)} and {len(other)} labels")
            return np.array([a == b for a, b in zip(self._labels, other, strict=True)], dtype=bool)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> ColumnLabels:
        return ColumnLabels([label + other for label in self._labels], self._names)

    def __radd__(self, other: Any) -> ColumnLabels:
        return ColumnLabels([other + label for label in self._labels], self._names)

    def tolist(self) -> list[Any]:
        """Return the labels as a list."""
        return list(self._labels)

    to_list = tolist

    def to_numpy(self) -> Any:
        """Return the labels as a NumPy array of objects."""
        import numpy as np

        array = np.empty(len(self._labels), dtype=object)
        array[:] = self._labels
        return array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype)

    def to_pandas(self) -> Any:
        """Return a pandas ``Index`` or ``MultiIndex``."""
        import pandas as pd

        if self.nlevels > 1:
            return pd.MultiIndex.from_tuples(self._labels, names=self._names)
        return pd.Index(list(self._labels), name=self.name)

    def equals(self, other: Any) -> bool:
        """Whether ``other`` has the same labels in the same order."""
        return list(self._labels) == plain_labels(other)

    def get_loc(self, key: Any) -> int:
        """Return the position of the label; ``KeyError`` where there is none."""
        try:
            return self._labels.index(plain_label(key))
        except ValueError:
            raise KeyError(key) from None

    def get_level_values(self, level: int | str) -> ColumnLabels:
        """Return one part of every label, by the number or the name of the level."""
        at: Any = self._names.index(level) if level in self._names and level is not None else level
        if self.nlevels == 1:
            return self
        return ColumnLabels([label[at] for label in self._labels], [self._names[at]])

    def droplevel(self, level: int | str = 0) -> ColumnLabels:
        """Return the labels without one of their levels."""
        at: Any = self._names.index(level) if level in self._names and level is not None else level
        at %= self.nlevels
        rest = [tuple(p for i, p in enumerate(label) if i != at) for label in self._labels]
        names = [name for i, name in enumerate(self._names) if i != at]
        return ColumnLabels([label[0] if len(label) == 1 else label for label in rest], names)

    def to_flat_index(self) -> ColumnLabels:
        """Return the labels themselves: tuples stay tuples."""
        return self

    def map(self, function: Callable[[Any], Any]) -> ColumnLabels:
        """Return the labels that ``function`` makes of these."""
        return ColumnLabels([function(label) for label in self._labels])

    def isin(self, values: Iterable[Any]) -> Any:
        """Return a NumPy array that is true where a label is one of ``values``."""
        import numpy as np

        values = set(plain_labels(values))
        return np.array([label in values for label in self._labels], dtype=bool)

    def drop(self, labels: Any) -> ColumnLabels:
        """Return the labels without some; ``KeyError`` for one that is not there."""
        gone = [labels] if isinstance(labels, (str, int, tuple)) else plain_labels(labels)
        for label in gone:
            self.get_loc(label)
        return ColumnLabels([label for label in self._labels if label not in gone], self._names)

    def append(self, other: Iterable[Any]) -> ColumnLabels:
        """Return the labels followed by those of ``other``."""
        return ColumnLabels([*self._labels, *other], self._names)

    def difference(self, other: Iterable[Any]) -> ColumnLabels:
        """Return the labels that ``other`` has not, sorted where they can be."""
        other = set(plain_labels(other))
        return self._sorted([label for label in self._labels if label not in other])

    def intersection(self, other: Iterable[Any]) -> ColumnLabels:
        """Return the labels that ``other`` has too, in this order."""
        other = set(plain_labels(other))
        return ColumnLabels([label for label in self._labels if label in other])

    def union(self, other: Iterable[Any]) -> ColumnLabels:
        """Return the labels of both, sorted where they can be."""
        return self._sorted([*self._labels, *(x for x in plain_labels(other) if x not in self._labels)])

    @staticmethod
    def _sorted(labels: list[Any]) -> ColumnLabels:
        try:
            return ColumnLabels(sorted(dict.fromkeys(labels)))
        except TypeError:
            return ColumnLabels(dict.fromkeys(labels))

    def __repr__(self) -> str:
        from cuprum.display import index_text

        if self.nlevels > 1:
            return index_text("MultiIndex", [str(x) for x in self._labels], names=self.names)
        dtype = self.dtype
        if dtype == "int64" and self._labels == tuple(range(len(self._labels))) and self.name is None:
            return f"RangeIndex(start=0, stop={len(self._labels)}, step=1)"
        if not self._labels:
            dtype = "object"
        return index_text("Index", [repr(x) for x in self._labels], dtype=dtype, name=self.name)
