"""`Row`: labels and values of unlike types, such as one row of a frame.

A column has one type, so no `Series` holds what a row does. A row is short; what it does not do itself, pandas does
with a series of objects.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.chained_assignment import INDEXER, SETITEM, warn_if_chained
from cuprum.core.interop import is_pandas
from cuprum.core.missing import is_missing

__all__ = ["Row"]


class Row:
    """A small series of Python objects: one row of a frame whose columns differ in type.

    Values are found and set by label; the frame does not see what is set. A label that repeats stands for all values
    under it, which are a row, too. Iterating gives the values, as in a Series.
    Operators and the methods of a pandas Series of objects are there too: their results are rows where they are
    objects, else series.

    Examples
    --------
    >>> row = Row(["a", "b"], [1, "x"], name=0)
    >>> row["b"], row.a
    ('x', 1)
    >>> row
    a    1
    b    x
    Name: 0, dtype: object
    """

    __slots__ = ("_labels", "_level_names", "_name", "_values")

    __pandas_priority__ = 5000  # as of frames and series

    def __init__(
        self, labels: list[Any], values: list[Any], name: Any = None, level_names: list[Any] | None = None
    ) -> None:
        self._labels = labels
        self._values = values
        self._name = name
        self._level_names = level_names

    @property
    def name(self) -> Any:
        """The label of the row; assign to rename."""
        return self._name

    @name.setter
    def name(self, name: Any) -> None:
        self._name = name

    @property
    def index(self) -> Any:
        """The labels of the values."""
        from cuprum.core.construction import index_of_labels

        index = index_of_labels(self._labels)
        named = self._level_names is not None and len(self._level_names) == index.nlevels()
        return objects.wrap_index(index.with_names(self._level_names) if named else index)

    @property
    def values(self) -> Any:
        """The values as a NumPy array of objects."""
        import numpy as np

        array = np.empty(len(self._values), dtype=object)
        array[:] = self._values
        return array

    @property
    def dtype(self) -> Any:
        """Always NumPy's ``object``: the values have types of their own."""
        import numpy as np

        return np.dtype(object)

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __contains__(self, label: Any) -> bool:
        return label in self._labels

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            texts = any(isinstance(end, str) for end in (key.start, key.stop))
            return self.loc[key] if texts else self.iloc[key]
        if _is_several(key):
            return self.loc[key]
        return self._under(key)

    def _under(self, label: Any) -> Any:
        """Return the value under a label, or the row of all values under it; ``KeyError`` where there is none."""
        places = self._places(label)
        return self._values[places[0]] if len(places) == 1 else self._at(places)

    def _places(self, label: Any) -> list[int]:
        """Return the positions of the values under a label; ``KeyError`` where there is none."""
        labels = self._labels
        try:
            first = labels.index(label)
        except ValueError:
            raise KeyError(label) from None
        if labels.count(label) < 2:
            return [first]
        return [at for at, own in enumerate(labels) if own is label or own == label]

    def __setitem__(self, key: Any, value: Any) -> None:
        if sys.getrefcount(self) <= SETITEM:
            warn_if_chained(self, "use one key: df.loc[row, column] = value")
        if key not in self._labels:
            # Others may hold the labels.
            self._labels = [*self._labels, key]
            self._values.append(value)
            return
        places = self._places(key)
        several = len(places) > 1 and is_list_like(value)
        values = list(value) if several else [value] * len(places)
        if len(values) != len(places):
            raise ValueError(f"cannot set {len(places)} values under {key!r} to {len(values)}")
        for at, one in zip(places, values, strict=True):
            self._values[at] = one

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            if (found := self._of_pandas(name)) is not None:
                return found
            if name in self._labels:
                return self._under(name)
        raise AttributeError(f"'Row' object has no attribute {name!r}")

    def _of_pandas(self, name: str) -> Any:
        """Return the method, or the fact, that a series of objects has under a name; None where it has none."""
        import pandas as pd

        of_class = getattr(pd.Series, name, None)
        if name in _FACTS:
            return _from_pandas(getattr(self.to_pandas(), name))
        if not callable(of_class) or isinstance(of_class, type) or name in _OTHERWISE:
            return None

        def method(*args: Any, **kwargs: Any) -> Any:
            series = self.to_pandas()
            args, kwargs = tuple(map(_to_pandas, args)), {k: _to_pandas(v) for k, v in kwargs.items()}
            result = getattr(series, name)(*args, **kwargs)
            if name in ("pop", "update") or kwargs.get("inplace"):
                self._labels, self._values, self._name = series.index.to_list(), list(series), series.name
            return self if result is series else _from_pandas(result)

        method.__name__ = name
        return method

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.values if dtype is None else self.values.astype(dtype)

    @property
    def iloc(self) -> _Places:
        """Values by position: an integer gives a value; a slice, a list or a mask gives a row."""
        return _Places(self, by_label=False)

    @property
    def loc(self) -> _Places:
        """Values by label: a label gives a value; a slice (its end included), a list or a mask gives a row."""
        return _Places(self, by_label=True)

    at, iat = loc, iloc

    def isna(self) -> Any:
        """Return a series that is True where a value is missing."""
        missing = [is_missing(value) for value in self._values]
        return objects.Series(missing, index=self.index, dtype="bool", name=self._name)

    isnull = isna

    def notna(self) -> Any:
        """Return a series that is True where there is a value."""
        return ~self.isna()

    notnull = notna

    def dropna(self) -> Row:
        """Return the values that are not missing."""
        return self._at([at for at, value in enumerate(self._values) if not is_missing(value)])

    def _at(self, places: list[int]) -> Row:
        """Return the row of the values at some positions."""
        labels = [self._labels[at] for at in places]
        return Row(labels, [self._values[at] for at in places], self._name, self._level_names)

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value under ``key``, or ``default`` where there is none."""
        return self[key] if key in self._labels else default

    def keys(self) -> Any:
        """Return the labels."""
        return self.index

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of label and value."""
        return zip(self._labels, self._values, strict=True)

    def isin(self, values: Any) -> Any:
        """Return a series that is True where an element is one of ``values``, a list-like."""
        wanted = list(values)
        found = [any(value is one or value == one for one in wanted) for value in self._values]
        return objects.Series(found, index=self.index, dtype="bool", name=self._name)

    def to_dict(self) -> dict[Any, Any]:
        """Return the values under their labels, numbers as Python's."""
        return {
            label: value.item() if type(value).__module__ == "numpy" else value
            for label, value in self.items()
        }

    def to_list(self) -> list[Any]:
        """Return the values."""
        return list(self._values)

    tolist = to_list

    def to_numpy(self) -> Any:
        """Return the values as a NumPy array of objects."""
        return self.values

    def to_pandas(self) -> Any:
        """Return a pandas Series of objects."""
        import pandas as pd

        array = self.values
        for i, value in enumerate(self._values):
            if isinstance(value, DType):
                array[i] = objects.Series([], dtype=value).to_pandas().dtype
        # Unlike labels have no order that their index could ask for.
        index = self.index.to_pandas() if self._labels else pd.Index([])
        return pd.Series(array, index=index, name=self._name, dtype=object)

    def __eq__(self, other: Any) -> Any:
        labelled = isinstance(other, (Row, objects.Series)) or is_pandas(other, "Series")
        if labelled and list(other.index) != self._labels:
            raise ValueError("Can only compare identically-labeled Series objects")
        if labelled or isinstance(other, (list, tuple)) or getattr(other, "ndim", 0) == 1:
            others = list(other)
            if len(others) != len(self):
                raise ValueError(f"Lengths must match to compare: {len(self)} and {len(others)}")
        else:
            others = [other] * len(self)
        equal = [bool(value == one) for value, one in zip(self._values, others, strict=True)]
        named = not labelled or other.name == self._name
        return objects.Series(equal, index=self.index, dtype="bool", name=self._name if named else None)

    def __ne__(self, other: Any) -> Any:
        return ~(self == other)

    def __bool__(self) -> bool:
        raise ValueError(
            "The truth value of a Row is ambiguous. Use a.empty, a.bool(), a.item(), a.any() or a.all()."
        )

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(label for label in self._labels if isinstance(label, str))]

    def _ipython_key_completions_(self) -> list[Any]:
        return list(self._labels)

    def __repr__(self) -> str:
        if not self._values:
            return "Series([], dtype: object)"
        heading, labels = _label_texts(self._labels, self._level_names)
        # Floats have their sign in the place of the space before others, as in pandas.
        signed = [isinstance(value, float) and value < 0 for value in self._values]
        texts = map(_text, self._values)
        values = [text if sign else f" {text}" for text, sign in zip(texts, signed, strict=True)]
        label_width, value_width = max(map(len, labels)), max(map(len, values))
        lines = [
            f"{label:<{label_width}}   {value:>{value_width}}"
            for label, value in zip(labels, values, strict=True)
        ]
        name = "" if self._name is None else f"Name: {_label_text(self._name)}, "
        return "\n".join([*heading, *lines, f"{name}dtype: object"])


# What pandas tells of a series without a call.
_FACTS = frozenset(["T", "empty", "hasnans", "is_unique", "nbytes", "ndim", "shape"])

# Methods of pandas that make no sense for objects that have no memory of pandas'.
_OTHERWISE = frozenset(["set_flags", "to_pickle", "to_clipboard", "to_hdf", "to_sql", "view"])


def _to_pandas(value: Any) -> Any:
    """Return an argument as pandas takes it."""
    if isinstance(value, (Row, objects.Series, objects.DataFrame, objects.Index)):
        return value.to_pandas()
    return value


def _from_pandas(result: Any) -> Any:
    """Return a result of pandas as it is here: objects as a row; a series under types, which are no labels, as it is."""
    import numpy as np
    import pandas as pd

    if isinstance(result, pd.Series):
        if result.dtype == object:
            names = list(result.index.names)
            return Row(result.index.to_list(), list(result), result.name, names if any(names) else None)
        if any(isinstance(label, (np.dtype, pd.api.extensions.ExtensionDtype)) for label in result.index):
            return result
        return objects.Series.from_pandas(result)
    if isinstance(result, pd.DataFrame):
        return objects.DataFrame.from_pandas(result)
    if isinstance(result, pd.Index):
        return objects.Index(result)
    return result


def _operator(function: Callable[[Any, Any], Any], *, reflected: bool) -> Callable[[Row, Any], Any]:
    """Return an operator of a row and something else, the row on the right if ``reflected``."""

    def method(row: Row, other: Any) -> Any:
        ours, theirs = row.to_pandas(), _to_pandas(other)
        return _from_pandas(function(theirs, ours) if reflected else function(ours, theirs))

    return method


def _sign(function: Callable[[Any], Any]) -> Callable[[Row], Any]:
    """Return an operator of a row alone."""
    return lambda row: _from_pandas(function(row.to_pandas()))


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor"):
    _function, _plain = getattr(operator, _name), _name.rstrip("_")
    setattr(Row, f"__{_plain}__", _operator(_function, reflected=False))
    setattr(Row, f"__r{_plain}__", _operator(_function, reflected=True))
for _name in ("lt", "le", "gt", "ge"):
    setattr(Row, f"__{_name}__", _operator(getattr(operator, _name), reflected=False))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(Row, f"__{_name}__", _sign(getattr(operator, _name)))


def _is_several(key: Any) -> bool:
    """Return whether a key is a list of keys, or a mask."""
    if isinstance(key, (str, bytes, tuple)):
        return False
    return isinstance(key, (list, Row)) or (hasattr(key, "tolist") and hasattr(key, "__len__"))


class _Places:
    """The values of a row by position or by label."""

    __slots__ = ("_by_label", "_row")

    def __init__(self, row: Row, *, by_label: bool) -> None:
        self._row = row
        self._by_label = by_label

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._row._at(list(range(len(self._row)))[self._positions(key)])
        if _is_several(key):
            keys = list(key)
            if keys and all(isinstance(one, bool) or type(one).__name__ == "bool" for one in keys):
                if len(keys) != len(self._row):
                    raise IndexError(f"the mask has {len(keys)} values, the row {len(self._row)}")
                return self._row._at([at for at, one in enumerate(keys) if one])
            if self._by_label:
                return self._row._at([at for one in keys for at in self._row._places(one)])
            return self._row._at([self._place(one) for one in keys])
        return self._row._under(key) if self._by_label else self._row._values[self._place(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        if sys.getrefcount(self._row) <= INDEXER:
            warn_if_chained(self._row, "use one key: df.loc[row, column] = value")
        if isinstance(key, slice) or _is_several(key):
            raise NotImplementedError("a row is set one value at a time")
        if self._by_label:
            self._row[key] = value
        else:
            self._row._values[self._place(key)] = value

    def _place(self, key: Any) -> int:
        """Return a position, counted from the front."""
        labels = self._row._labels
        if isinstance(key, bool) or not hasattr(key, "__index__"):
            raise TypeError(f"cannot index by location with {key!r}: an integer is wanted")
        at = key.__index__()
        if not -len(labels) <= at < len(labels):
            raise IndexError(f"position {at} is out of bounds for a row of {len(labels)}")
        return at

    def _positions(self, key: slice) -> slice:
        """Return a slice of positions; one of labels includes its end."""
        if not self._by_label:
            return key
        if key.step is not None:
            raise NotImplementedError(f"step={key.step!r}: slices of a row's labels have none")
        start = None if key.start is None else self._bound(key.start, "left")
        return slice(start, None if key.stop is None else self._bound(key.stop, "right") + 1)

    def _bound(self, label: Any, side: str) -> int:
        """Return the position of an end of a slice: that of the outermost of neighbours with one label."""
        places = self._row._places(label)
        if places[-1] - places[0] >= len(places):
            raise KeyError(f"Cannot get {side} slice bound for non-unique label: {label!r}")
        return places[0 if side == "left" else -1]


def _label_text(label: Any) -> str:
    """Return a label as its name is printed."""
    return f"({', '.join(map(str, label))})" if isinstance(label, tuple) else str(label)


def _label_texts(labels: list[Any], level_names: list[Any] | None) -> tuple[list[str], list[str]]:
    """Return the line of the levels' names, if they have some, and the labels as lines begin with them.

    Of several levels outer labels that repeat are left blank.
    """
    depth = len(labels[0]) if isinstance(labels[0], tuple) else 1
    names = ["" if name is None else str(name) for name in level_names or []]
    named = any(names) and len(names) == depth
    if depth == 1 or not all(isinstance(label, tuple) and len(label) == depth for label in labels):
        texts = [_label_text(label) if isinstance(label, tuple) else _text(label) for label in labels]
        return names if named else [], texts
    levels = [[_text(label[level]) for label in labels] for level in range(depth)]
    heads = names if named else [""] * depth
    widths = [max(len(head), *map(len, level)) for head, level in zip(heads, levels, strict=True)]
    lines = []
    for row, parts in enumerate(zip(*levels, strict=True)):
        before = [level[row - 1] for level in levels] if row else [None] * depth
        same = next((at for at in range(depth) if parts[at] != before[at]), depth)
        shown = ["" if at < min(same, depth - 1) else part for at, part in enumerate(parts)]
        lines.append("  ".join(text.ljust(width) for text, width in zip(shown, widths, strict=True)))
    heading = ["  ".join(head.ljust(width) for head, width in zip(heads, widths, strict=True))]
    return heading if named else [], lines


def _text(value: Any) -> str:
    if isinstance(value, float):
        if value != value:
            return "NaN"
        text = f"{value:.6f}".rstrip("0")
        return text + "0" if text.endswith(".") else text
    if type(value).__name__ in ("datetime64", "timedelta64"):
        # As the cells of a column, but with the time of day in any case, to 6 or 9 digits.
        text = _cuprum.Series(Column.filled(value, 1)).astype("str").get(0)
        if text in (None, "NaT"):
            return "NaT"
        text = text if ":" in text else f"{text} 00:00:00"
        whole, dot, fraction = text.partition(".")
        return whole + dot + fraction.ljust(6 if len(fraction) <= 6 else 9, "0") if dot else whole
    if isinstance(value, tuple):
        text = _label_text(value)
    else:
        text = f"[{', '.join(map(_text, value))}]" if type(value) is list else str(value)
    return text if len(text) <= 50 else text[:47] + "..."
