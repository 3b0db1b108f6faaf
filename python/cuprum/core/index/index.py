"""Row labels: `Index` and what pandas calls its kinds, all over one handle."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, overload

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core import objects, pylibcudf_interop
from cuprum.core.algorithms import from_pandas
from cuprum.core.arguments import (
    element_of,
    is_list_like,
    is_mask,
    names_of_levels,
    only_truth,
    plain_label,
    plain_labels,
    refuse_no_data,
    where_given,
)
from cuprum.core.construction import cast_values, column_from
from cuprum.core.devices import OnDevice
from cuprum.core.display import index_text
from cuprum.core.dtypes import names_object
from cuprum.core.frame_construction import made_with_nan
from cuprum.core.index import edit, lookup, order, set_operations
from cuprum.core.index.names import Names
from cuprum.core.index.regular import regular
from cuprum.core.index.strings import IndexStringMethods
from cuprum.core.indexing import position_of
from cuprum.core.interop import is_pandas, to_list, to_numpy, to_pandas_array
from cuprum.core.label_columns import index_of_columns, level_column, level_columns
from cuprum.core.label_construction import index_handle
from cuprum.core.method_names import with_own_methods
from cuprum.core.missing import is_nat, missing_value
from cuprum.core.operators import operated_by
from cuprum.core.serialization import Serializable
from cuprum.core.single_column_frame import OneDimensional
from cuprum.core.tools.offsets import shown, to_offset
from cuprum.options import get_option

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import AnyDType, Array, Keep, Label, LabelOrLabels, Position, Scalar, Several

__all__ = ["Index", "wrap_index"]

_new = object.__new__
_INFERRED = {
    "range": "integer",
    "i": "integer",
    "u": "integer",
    "f": "floating",
    "b": "boolean",
    "O": "string",
    "M": "datetime64",
    "m": "timedelta64",
    "category": "categorical",
    "interval": "interval",
}


def wrap_index(handle: Any, owner: Any = None) -> Any:
    """Return the kind of index that a handle is; naming it names the labels of ``owner`` too."""
    index = _new(Index._kinds.get(handle.kind(), Index))
    index._handle = handle
    index._owner = owner
    return index


@with_own_methods
class Index(Serializable, OnDevice, OneDimensional):
    """The labels of the rows or the columns of a frame, which cannot be changed.

    ``Index(data)`` is a `RangeIndex` for a range, a `MultiIndex` for tuples, a `DatetimeIndex` or
    `TimedeltaIndex` for times, and of another kind for periods, intervals and categories.

    Parameters
    ----------
    data : list-like
        The labels: a list, an array, a Series or an Index, also of pandas.
    dtype : dtype or str, optional
        The type of the labels; by default that of the data.
    copy : bool, default False
        Without effect.
    name : label, optional
        The name; by default that of the data.
    tupleize_cols : bool, default True
        Whether tuples make several levels; else they are labels of one level, kept as objects.
    nan_as_null : bool, optional
        Whether NaN among floats is missing as null is, as in `Series`.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index(["a", "b"], name="key")
    Index(['a', 'b'], dtype='str', name='key')
    >>> cuprum.Index([1, None, 3])
    Index([1, <NA>, 3], dtype='int64')
    >>> cuprum.Index([("a", 1), ("b", 2)])
    MultiIndex([('a', 1),
                ('b', 2)],
               )
    """

    __slots__ = ("_handle", "_owner")
    _handle: Any
    _owner: Any
    __pandas_priority__ = 5000  # see `Operators`

    _kinds: ClassVar[dict[str, type[Index]]] = {}

    def __init_subclass__(cls, of: str = "") -> None:
        """Make a class the kind of index that `wrap_index` gives labels ``of`` that sort."""
        Index._kinds[of] = cls

    def __new__(
        cls,
        data: Any = None,
        dtype: AnyDType | None = None,
        copy: bool = False,
        name: Label = None,
        tupleize_cols: bool = True,
        *,
        nan_as_null: bool | None = None,
    ) -> Self:
        """Make an index of a list-like of labels; ``name`` replaces the name it has.

        ``nan_as_null`` says of NaN what it says in `Series`.
        """
        refuse_no_data("Index", data)
        return wrap_index(made_with_nan(nan_as_null, cls._made, data, dtype, name, tupleize_cols))

    @staticmethod
    def _made(data: Any, dtype: Any, name: Any, tupleize_cols: bool) -> Any:
        """Return the handle that the arguments of ``Index(...)`` stand for."""
        if not tupleize_cols:
            handle = _cuprum.object_index([plain_label(label) for label in data])
        else:
            handle = index_handle(data)
        if dtype is not None and handle.nlevels() > 1 and dtype not in (object, "object", "O"):
            raise TypeError(
                f"labels of {handle.nlevels()} levels have no `dtype` of their own: it is {dtype!r}"
            )
        if handle.nlevels() == 1 and names_object(dtype):
            if handle.kind() != "mixed" and handle.dtype(0) != "str":
                handle = _cuprum.object_index(plain_labels(data)).with_names(handle.names())
        elif dtype is not None and handle.nlevels() == 1:
            labels = cast_values(handle.column(0), dtype)
            holes = labels.null_count() if labels.dtype.kind in "iufb" and not hasattr(data, "dtype") else 0
            if holes and any(map(is_nat, data)):
                raise TypeError(f"NaT is not a value of type {labels.dtype}")
            handle = _cuprum.Index.from_columns([labels], handle.names())
        return handle if name is None else handle.with_names([plain_label(name)])

    # Properties.

    def _column(self) -> Column:
        """Return the labels of an index of one level."""
        return self._handle.column(0)

    def _series(self) -> Any:
        return objects.wrap_series(self._handle.to_series(0))

    def __len__(self) -> int:
        return len(self._handle)

    @property
    def nlevels(self) -> int:
        """The number of levels."""
        return self._handle.nlevels()

    @property
    def name(self) -> Any:
        """The name; None for an index of several levels."""
        names = self._handle.names()
        return names[0] if len(names) == 1 else None

    @name.setter
    def name(self, name: Any) -> None:
        self.names = [name]

    @property
    def names(self) -> Names:
        """The names of the levels; assigning them renames the labels of the frame as well."""
        return Names(self._handle.names())

    @names.setter
    def names(self, names: Any) -> None:
        names = [plain_label(n) for n in names]
        handle, owner = self._handle.with_names(names), self._owner
        if owner is not None:
            owner._name_labels(names)
        self._handle = handle

    @property
    def dtype(self) -> DType:
        """The type of the labels."""
        return self._handle.dtype(0)

    @property
    def inferred_type(self) -> builtins.str:
        """The kind of the labels: ``'integer'``, ``'string'``, ``'mixed'`` and so on."""
        kind = self._handle.kind()
        if kind == "levels":
            return "mixed"
        if kind == "mixed":
            whole = any(isinstance(label, int) for label in self._handle.labels())
            return "mixed-integer" if whole else "mixed" if len(self) else "empty"
        return _INFERRED.get(kind, builtins.str(self.dtype))

    @property
    def nbytes(self) -> int:
        """Bytes of memory behind the labels; of a range none."""
        return self.memory_usage()

    @property
    def is_unique(self) -> bool:
        """Whether no label occurs twice."""
        return self._handle.is_unique()

    @property
    def has_duplicates(self) -> bool:
        """Whether a label occurs twice."""
        return not self._handle.is_unique()

    @property
    def is_monotonic_increasing(self) -> bool:
        """Whether the labels never decrease."""
        return self._handle.is_monotonic_increasing()

    @property
    def is_monotonic_decreasing(self) -> bool:
        """Whether the labels never increase."""
        return self._handle.is_monotonic_decreasing()

    @property
    def str(self) -> IndexStringMethods:
        """Functions of text, whose results are indexes, or NumPy arrays of truth values."""
        return IndexStringMethods(self)

    # Labels.

    def _label(self, row: int) -> Any:
        parts = self._handle.get(row)
        if len(parts) > 1:
            return tuple(
                missing_value(self._handle.dtype(i)) if part is None else part for i, part in enumerate(parts)
            )
        return missing_value(self._handle.dtype(0)) if parts[0] is None else parts[0]

    @overload
    def __getitem__(self, key: Position) -> Scalar: ...
    @overload
    def __getitem__(self, key: Several) -> Self: ...
    def __getitem__(self, key: Any) -> Any:
        length = len(self)
        if key is ...:
            return wrap_index(self._handle)
        if isinstance(key, slice):
            start, stop, step = key.indices(length)
            if step == 1:
                return wrap_index(self._handle.slice(start, max(stop - start, 0)))
            key = range(start, stop, step)
        if not is_list_like(key):
            at = position_of(key)
            if at is None:
                raise IndexError(
                    f"only integers, slices and lists of positions are valid indices, not {key!r}"
                )
            if not -length <= at < length:
                raise IndexError(f"index {at} is out of bounds for axis 0 with size {length}")
            return self._label(at % length)
        if isinstance(key, tuple):
            raise IndexError(f"too many indices for labels: {key!r}")
        if is_mask(key):
            column = column_from(key)
            if len(column) != length:
                raise IndexError(f"Boolean index has wrong length: {len(column)} instead of {length}")
            return wrap_index(self._handle.filter(column))
        return self.take(list(key) if isinstance(key, range) else key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_list())

    def __contains__(self, label: Any) -> bool:
        lookup.refuse_unhashable(label)
        try:
            found = self._handle.locate(plain_label(label))
            # A month without labels between others is there.
            return len(found) > 0 or isinstance(label, str)
        except (KeyError, TypeError, ValueError, OverflowError):
            return False

    def get_level_values(self, level: Label) -> Index:
        """Return the labels of one level.

        Parameters
        ----------
        level : label or int
            The name of the level, or its number.

        Returns
        -------
        Index
            One label for each row, under the name of the level. An index of one level is returned as it is.

        Raises
        ------
        KeyError
            Where no level has the name.
        IndexError
            Where there are fewer levels.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]], names=["k", "n"])
        >>> index.get_level_values("n")
        Index([1, 2], dtype='int64', name='n')
        >>> index.get_level_values(0)
        Index(['a', 'b'], dtype='str', name='k')
        """
        at = self._handle.level_position(plain_label(level))
        name = self._handle.names()[at]
        if self._handle.nlevels() == 1:
            return self
        return self._of_levels([at], [name])

    def _of_levels(self, levels: list[int], names: list[Any]) -> Index:
        """Return the labels of some levels."""
        return wrap_index(index_of_columns([level_column(self._handle, i) for i in levels], names))

    def droplevel(self, level: Any = 0) -> Index:
        """Return the index without some of its levels.

        Parameters
        ----------
        level : label, int or list of these, default 0
            The levels that are left out, by their names or numbers.

        Returns
        -------
        Index
            The other levels; an index of one level where one is left.

        Raises
        ------
        ValueError
            Where no level would be left.
        KeyError
            Where no level has a name.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]], names=["k", "n"])
        >>> index.droplevel("k")
        Index([1, 2], dtype='int64', name='n')
        """
        gone = {
            self._handle.level_position(plain_label(one))
            for one in (level if is_list_like(level) else [level])
        }
        return self._without_levels(gone)

    def _without_levels(self, gone: Collection[int]) -> Index:
        """Return the index without levels of some numbers."""
        rest = [i for i in range(self.nlevels) if i not in gone]
        if not rest:
            raise ValueError(
                f"Cannot remove {len(gone)} levels from an index with {self.nlevels} levels: at least one level must be left."
            )
        names = self._handle.names()
        return self._of_levels(rest, [names[i] for i in rest])

    @overload
    def rename(self, name: LabelOrLabels | Mapping[Any, Any], *, inplace: Literal[True]) -> None: ...
    @overload
    def rename(self, name: LabelOrLabels | Mapping[Any, Any], *, inplace: bool = ...) -> Self: ...
    def rename(self, name: Any, *, inplace: bool = False) -> Index | None:
        """Return the labels under another name.

        Parameters
        ----------
        name : label
            The new name; None for none. Lists are refused.
        inplace : bool, default False
            Whether this index is renamed, and the labels of the frame or series that it is of, and None is
            returned.

        Returns
        -------
        Index or None
            The same labels; None with ``inplace=True``.

        Raises
        ------
        TypeError
            Where ``name`` is a list-like that is no tuple.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index([1, 2], name="a").rename("b")
        Index([1, 2], dtype='int64', name='b')
        """
        if is_list_like(name) and not isinstance(name, tuple):
            raise TypeError(f"{type(self).__name__}.name must be a hashable type")
        return self._named([plain_label(name)], inplace)

    def _named(self, names: list[Any], inplace: bool) -> Index | None:
        if not inplace:
            return wrap_index(self._handle.with_names(names))
        self.names = names
        return None

    @overload
    def set_names(
        self, names: LabelOrLabels | Mapping[Any, Any], *, level: LabelOrLabels = ..., inplace: Literal[True]
    ) -> None: ...
    @overload
    def set_names(
        self, names: LabelOrLabels | Mapping[Any, Any], *, level: LabelOrLabels = ..., inplace: bool = ...
    ) -> Self: ...
    def set_names(self, names: Any, *, level: Any = None, inplace: bool = False) -> Index | None:
        """Return the labels with other names for their levels.

        Parameters
        ----------
        names : label, list-like of labels or dict
            One name for an index of one level or for one ``level``, a list with one for each level, or for a
            MultiIndex a dict
            of old and new names.
        level : label, int or list of these, optional
            The levels of a MultiIndex that are renamed, by their names or numbers; by default all.
        inplace : bool, default False
            Whether this index is renamed, and the labels of the frame or series that it is of, and None is
            returned.

        Returns
        -------
        Index or None
            The same labels; None with ``inplace=True``.

        Raises
        ------
        ValueError
            Where there are more or fewer names than levels, or ``level`` is given for an index of one level.
        TypeError
            Where a dict is given for an index of one level, or together with ``level``.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]], names=["k", "n"])
        >>> index.set_names(["x", "y"]).names
        FrozenList(['x', 'y'])
        >>> index.set_names("z", level="n").names
        FrozenList(['k', 'z'])
        >>> index.set_names({"k": "x"}).names
        FrozenList(['x', 'n'])
        """
        new = list(self.names)
        if level is not None and len(new) == 1:
            raise ValueError("Level must be None for non-MultiIndex")
        if isinstance(names, Mapping):
            if self.nlevels == 1:
                raise TypeError("Can only pass dict-like as `names` for MultiIndex.")
            if level is not None:
                raise TypeError("Can not pass level for dictlike `names`.")
            return self._named([plain_label(names.get(name, name)) for name in new], inplace)
        if level is None:
            return self._named(names_of_levels(names, len(new)), inplace)
        if is_list_like(names) and not is_list_like(level):
            raise TypeError("Names must be a string when a single level is provided.")
        levels = list(level) if is_list_like(level) else [level]
        for one, name in zip(levels, names_of_levels(names, len(levels)), strict=True):
            new[self._handle.level_position(plain_label(one))] = name
        return self._named(new, inplace)

    def _on(self, handle: Any) -> Any:
        return wrap_index(handle)

    def copy(self, name: Label = None, deep: bool = False) -> Self:
        """Return a copy of the index.

        Parameters
        ----------
        name : label, optional
            Another name; by default that of this index.
        deep : bool, default False
            Whether the copy has memory of its own. Labels without fixed width (text) are shared either way.

        Returns
        -------
        Index
            The same labels.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index([1, 2], name="a")
        >>> index.copy(name="b")
        Index([1, 2], dtype='int64', name='b')
        >>> index.copy().is_(index)
        False
        """
        handle = self._handle.deep_copy() if deep else self._handle.shallow_copy()
        copy = wrap_index(handle)
        return copy if name is None else copy.rename(name)

    def __copy__(self) -> Self:
        return self.copy(deep=False)

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy(deep=True)

    @property
    def data(self) -> Any:
        """The memory of the labels: a `cuprum.core.buffer.Buffer`; None where there is none."""
        self._column()
        return self._handle.to_series(0).data()

    # Selection and order.

    @regular
    def unique(self, level: Any = None) -> Index:
        """Return the different labels in order of first appearance.

        Parameters
        ----------
        level : label or int, optional
            The level of a MultiIndex whose labels are returned, by its name or number; by default labels of
            all levels.

        Returns
        -------
        Index
            Each label once, a missing one as well.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index(["b", None, "a", "b", None]).unique()
        Index(['b', nan, 'a'], dtype='str')
        """
        index = self if level is None else self.get_level_values(level)
        return index.drop_duplicates()

    @regular
    def drop_duplicates(self, *, keep: Keep = "first") -> Index:
        """Return the labels without repeated ones.

        Parameters
        ----------
        keep : {``'first'``, ``'last'``, False}, default ``'first'``
            Which of equal labels is kept; with False none of them.

        Returns
        -------
        Index
            The labels that are kept, in their order. Missing labels are equal.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index(["b", "a", "b"])
        >>> index.drop_duplicates()
        Index(['b', 'a'], dtype='str')
        >>> index.drop_duplicates(keep=False)
        Index(['a'], dtype='str')
        """
        return wrap_index(self._handle.drop_duplicates(keep))

    def duplicated(self, keep: Keep = "first") -> Array:
        """Return which labels repeat another one.

        Parameters
        ----------
        keep : {``'first'``, ``'last'``, False}, default ``'first'``
            Which of equal labels counts as no repetition; with False none of them.

        Returns
        -------
        numpy.ndarray
            A boolean for each label. Missing labels are equal.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index(["b", "a", "b"])
        >>> index.duplicated()
        array([False, False,  True])
        >>> index.duplicated(keep=False)
        array([ True, False,  True])
        """
        return to_numpy(self._handle.duplicated(keep), copy=True)

    def nunique(self, dropna: bool = True) -> int:
        """Return the number of different labels.

        Parameters
        ----------
        dropna : bool, default True
            Whether missing labels are not counted.

        Returns
        -------
        int
            The number.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index(["b", None, "b"])
        >>> index.nunique()
        1
        >>> index.nunique(dropna=False)
        2
        """
        return len(self) if self._labels_of_range() is not None else self._series().nunique(dropna)

    def isna(self) -> Array:
        """Return which labels are missing.

        Returns
        -------
        numpy.ndarray
            A boolean for each label.

        Raises
        ------
        NotImplementedError
            For a MultiIndex.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index(["a", None]).isna()
        array([False,  True])
        >>> cuprum.Index([1.5, float("nan")]).isna()
        array([False,  True])
        """
        if self._handle.nlevels() > 1:
            raise NotImplementedError("isna is not defined for MultiIndex: use get_level_values")
        return to_numpy(self._handle.missing(), copy=True)

    def notna(self) -> Array:
        """Return which labels are not missing.

        Returns
        -------
        numpy.ndarray
            A boolean for each label.

        Raises
        ------
        NotImplementedError
            For a MultiIndex.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index(["a", None]).notna()
        array([ True, False])
        """
        return ~self.isna()

    isnull = isna
    notnull = notna

    @property
    def hasnans(self) -> bool:
        """Whether a label is missing."""
        return self._labels_of_range() is None and bool(self.isna().any())

    def _labels_of_range(self) -> range | None:
        """Return the labels where they are a range, which takes no memory; what is known of one need not make them."""
        steps = self._handle.as_range()
        return None if steps is None else range(*steps)

    def memory_usage(self, deep: bool = False) -> int:
        """Return the bytes of memory behind the labels.

        Parameters
        ----------
        deep : bool, default False
            Without effect: text counts in full either way.

        Returns
        -------
        int
            The number of bytes; 0 for a range.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index([1, 2, 3]).memory_usage()
        24
        >>> cuprum.RangeIndex(3).memory_usage()
        0
        """
        only_truth("memory_usage", deep=deep)
        if self._handle.as_range():
            return 0
        return sum(column.device_buffer_size() for column in level_columns(self._handle))

    def factorize(self, sort: bool = False, use_na_sentinel: bool = True) -> tuple[Array, Index]:
        """Return a number for each label, and the different labels that the numbers stand for.

        Parameters
        ----------
        sort : bool, default False
            Whether the different labels are sorted; else they are in order of first appearance.
        use_na_sentinel : bool, default True
            Whether missing labels have the number -1; else they have one of their own, as any other label.

        Returns
        -------
        tuple of numpy.ndarray and Index
            The numbers, positions among the different labels; and these.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index(["b", None, "a", "b"])
        >>> index.factorize()
        (array([ 0, -1,  1,  0]), Index(['b', 'a'], dtype='str'))
        >>> index.factorize(sort=True, use_na_sentinel=False)
        (array([1, 2, 0, 1]), Index(['a', 'b', nan], dtype='str'))
        """
        codes, labels = self._handle.factorize(bool(sort), not use_na_sentinel)
        return to_numpy(codes, copy=True), wrap_index(labels)

    def equals(self, other: Any) -> bool:
        """Return whether another index has the same labels in the same order.

        Parameters
        ----------
        other : Index
            The other index, also one of pandas; other objects are unequal.

        Returns
        -------
        bool
            Names do not count, and missing labels are equal.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index(["a", None], name="k")
        >>> index.equals(cuprum.Index(["a", None]))
        True
        >>> index.equals(["a", None])
        False
        """
        if not isinstance(other, Index):
            if not is_pandas(other, "Index"):
                return False
            try:
                other = Index(other)
            except (TypeError, ValueError):
                return False
        return self._handle.equals(other._handle)

    def identical(self, other: Any) -> bool:
        """Return whether another index has the same labels, names and dtype.

        Parameters
        ----------
        other : Index
            The other index; other objects are not identical.

        Returns
        -------
        bool
            True where the kind of index is the same too.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index([1, 2])
        >>> index.identical(cuprum.Index([1, 2]))
        True
        >>> index.identical(cuprum.Index([1, 2], name="k"))
        False
        """
        return (
            isinstance(other, Index)
            and self.equals(other)
            and self.names == other.names
            and type(self) is type(other)
            and self.dtype == other.dtype
        )

    def _compare(self, other: Any, op: Any) -> Any:
        if isinstance(other, objects.Wrapper):
            return NotImplemented  # a series or frame, whose operators keep its labels
        if is_pandas(other, "Series", "DataFrame"):
            return from_pandas(other)._operate(self, op, True)
        if is_pandas(other, "Index"):
            other = Index(other)
        if isinstance(other, Index):
            other = other._column()
        # An array, in which no truth value can be missing.
        return self._series()._operate(other, op, False).fillna(op == "ne").to_numpy()

    def __eq__(self, other: object) -> Array:  # type: ignore[override]
        return self._compare(other, "eq")

    def __ne__(self, other: object) -> Array:  # type: ignore[override]
        return self._compare(other, "ne")

    def __lt__(self, other: Any) -> Array:
        return self._compare(other, "lt")

    def __le__(self, other: Any) -> Array:
        return self._compare(other, "le")

    def __gt__(self, other: Any) -> Array:
        return self._compare(other, "gt")

    def __ge__(self, other: Any) -> Array:
        return self._compare(other, "ge")

    def _arithmetic(self, other: Any, op: Any, reflected: bool) -> Any:
        if isinstance(other, objects.Wrapper):
            return NotImplemented  # a series or frame, whose operators keep its labels
        if is_pandas(other, "Series", "DataFrame"):
            return from_pandas(other)._operate(self, op, not reflected)
        if is_pandas(other, "Index"):
            other = Index(other)
        names: list[Any] = self.names
        other = element_of(other)
        if isinstance(other, Index):
            names = names if names == other.names else [None]
            other = other._column()
        column = self._series()._operate(other, op, reflected)._handle.column()
        return wrap_index(_cuprum.Index.from_columns([column], names))

    def __neg__(self) -> Index:
        return self._unary("neg")

    def __pos__(self) -> Index:
        self._unary("neg")  # what has no sign is refused
        return self

    def __invert__(self) -> Index:
        return -self - 1 if self._handle.kind() == "range" else self._unary("invert")

    def __abs__(self) -> Index:
        return self._unary("abs")

    def _unary(self, op: Any) -> Index:
        column = self._series()._handle.unary(op).column()
        return wrap_index(_cuprum.Index.from_columns([column], self.names))

    def __and__(self, other: Any) -> Index:
        return self._arithmetic(other, "and", False)

    def __rand__(self, other: Any) -> Index:
        return self._arithmetic(other, "and", True)

    def __or__(self, other: Any) -> Index:
        return self._arithmetic(other, "or", False)

    def __ror__(self, other: Any) -> Index:
        return self._arithmetic(other, "or", True)

    def __xor__(self, other: Any) -> Index:
        return self._arithmetic(other, "xor", False)

    def __rxor__(self, other: Any) -> Index:
        return self._arithmetic(other, "xor", True)

    def __add__(self, other: Any) -> Index:
        return self._arithmetic(other, "add", False)

    def __radd__(self, other: Any) -> Index:
        return self._arithmetic(other, "add", True)

    def __sub__(self, other: Any) -> Index:
        return self._arithmetic(other, "sub", False)

    def __rsub__(self, other: Any) -> Index:
        return self._arithmetic(other, "sub", True)

    def __mul__(self, other: Any) -> Index:
        return self._arithmetic(other, "mul", False)

    def __rmul__(self, other: Any) -> Index:
        return self._arithmetic(other, "mul", True)

    def __truediv__(self, other: Any) -> Index:
        return self._arithmetic(other, "truediv", False)

    def __rtruediv__(self, other: Any) -> Index:
        return self._arithmetic(other, "truediv", True)

    def __floordiv__(self, other: Any) -> Index:
        return self._arithmetic(other, "floordiv", False)

    def __rfloordiv__(self, other: Any) -> Index:
        return self._arithmetic(other, "floordiv", True)

    def __mod__(self, other: Any) -> Index:
        return self._arithmetic(other, "mod", False)

    def __rmod__(self, other: Any) -> Index:
        return self._arithmetic(other, "mod", True)

    def __pow__(self, other: Any) -> Index:
        return self._arithmetic(other, "pow", False)

    def __rpow__(self, other: Any) -> Index:
        return self._arithmetic(other, "pow", True)

    def __divmod__(self, other: Any) -> tuple[Index, Index]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Index, Index]:
        return other // self, other % self

    # Other forms.

    def item(self) -> Scalar:
        """Return the only label.

        Returns
        -------
        scalar
            The label; a tuple for a MultiIndex.

        Raises
        ------
        ValueError
            Where there is not exactly one label.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index(["a"]).item()
        'a'
        """
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._label(0)

    def ravel(self, order: Literal["C", "F", "A", "K"] = "C") -> Index:
        """Return the labels themselves, which have one dimension.

        Parameters
        ----------
        order : {``'C'``, ``'F'``, ``'A'``, ``'K'``}, default ``'C'``
            Without effect.

        Returns
        -------
        Index
            The same labels.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index([1, 2]).ravel()
        Index([1, 2], dtype='int64')
        """
        if order not in ("C", "F", "A", "K"):
            raise ValueError(f"`order` is {order!r}; known are 'C', 'F', 'A' and 'K'")
        return wrap_index(self._handle)

    def is_(self, other: Any) -> bool:
        """Return whether another object is this index or a view of it.

        Parameters
        ----------
        other : object
            The other object.

        Returns
        -------
        bool
            False for a copy, whatever its labels are.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index([1, 2])
        >>> index.is_(index.view())
        True
        >>> index.is_(index.copy())
        False
        """
        return isinstance(other, Index) and other._handle is self._handle

    def to_list(self) -> list[Any]:
        """Return the labels as a list of Python objects.

        Returns
        -------
        list
            One object for each label: a tuple for a MultiIndex, pandas' Timestamp or Timedelta for a time.
            Missing labels are
            what stands for them in the type, such as NaN or NaT.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index(["a", "b"]).to_list()
        ['a', 'b']
        >>> cuprum.Index([1.5, None]).to_list()
        [1.5, nan]
        """
        levels = [to_list(self._handle.column(i)) for i in range(self._handle.nlevels())]
        return levels[0] if len(levels) == 1 else list(zip(*levels, strict=True))

    tolist = to_list

    def to_numpy(self, dtype: AnyDType | None = None, copy: bool = False, na_value: Any = ...) -> Array:
        """Return the labels as a NumPy array.

        Parameters
        ----------
        dtype : NumPy dtype or str, optional
            The type of the elements; by default that of NumPy which is nearest to the labels.
        copy : bool, default False
            Whether the array has memory of its own, which can be written to.
        na_value : scalar, optional
            What stands for missing labels.

        Returns
        -------
        numpy.ndarray
            One element for each label; tuples for a MultiIndex.

        Notes
        -----
        Integers with missing labels become floating-point numbers with NaN, unless ``na_value`` is an
        integer.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index([1, 2]).to_numpy()
        array([1, 2])
        >>> cuprum.Index([1, None]).to_numpy()
        array([ 1., nan])
        >>> cuprum.Index([1, None]).to_numpy("int64", na_value=-1)
        array([ 1, -1])
        """
        return to_numpy(self._column(), dtype, copy=copy, na_value=na_value)

    def to_series(self, index: Any = None, name: Any = None) -> Series:
        """Return a Series of the labels.

        Parameters
        ----------
        index : Index or list-like, optional
            The labels of the rows; by default this index.
        name : label, optional
            The name of the series; by default that of this index.

        Returns
        -------
        Series
            One row for each label.

        Raises
        ------
        NotImplementedError
            For a MultiIndex; see `to_frame`.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index(["a", "b"], name="k")
        >>> index.to_series()
        k
        a    a
        b    b
        Name: k, dtype: str
        >>> index.to_series(index=[0, 1], name="x")
        0    a
        1    b
        Name: x, dtype: str
        """
        labels = self._handle if index is None else index_handle(index)
        return objects.wrap_series(
            _cuprum.Series(self._column(), self.name if name is None else name, labels)
        )

    def to_frame(self, index: bool = True, name: Any = ...) -> DataFrame:
        """Return a DataFrame of the levels, one column for each.

        Parameters
        ----------
        index : bool, default True
            Whether the rows are labelled by this index; else by their numbers.
        name : label or list of labels, optional
            The label of the column, or a list with one for each level. By default the names, or numbers where
            there is none.

        Returns
        -------
        DataFrame
            One row for each label.

        Raises
        ------
        ValueError
            Where there are more or fewer labels than levels.
        TypeError
            Where one label is given for a MultiIndex.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index(["a", "b"])
        >>> index.to_frame(name="x")
           x
        a  a
        b  b
        >>> index.to_frame(index=False)
           0
        0  a
        1  b
        """
        count = self._handle.nlevels()
        name = where_given(name)
        if name is not ... and count > 1 and not is_list_like(name):
            raise TypeError("'name' must be a list / sequence of column names.")
        labels = [i if n is None else n for i, n in enumerate(self.names)]
        if name is not ...:
            labels = list(name) if is_list_like(name) else [name]
        if len(labels) != count:
            raise ValueError(f"'name' should have same length as number of levels on index: {labels!r}")
        rows = self._handle if index else _cuprum.Index.range(0, len(self))
        return objects.wrap_frame(_cuprum.DataFrame(labels, level_columns(self._handle), rows))

    def __array_ufunc__(self, ufunc: Any, method: builtins.str, *inputs: Any, **kwargs: Any) -> Any:
        """NumPy's element functions: an index where they are called without other arguments, but of comparisons."""
        if any(isinstance(one, objects.Wrapper) for one in inputs):
            return NotImplemented
        indexes = [one for one in inputs if isinstance(one, Index)]
        if ufunc.__name__ in ("logical_and", "logical_or", "logical_xor", "logical_not"):
            for dtype in (
                one.dtype for one in inputs if getattr(getattr(one, "dtype", None), "kind", "") in "mM"
            ):
                raise TypeError(f"Object with dtype {dtype} cannot perform the numpy op {ufunc.__name__}")
        if method == "__call__" and not kwargs and len(inputs) == 2:
            operated = operated_by(ufunc, *inputs)
            if operated is not NotImplemented:
                return operated
        found = getattr(ufunc, method)(
            *(one.to_numpy() if isinstance(one, Index) else one for one in inputs), **kwargs
        )
        compares = len(inputs) > 1 and getattr(getattr(found, "dtype", None), "kind", "") == "b"
        if method != "__call__" or kwargs or compares:
            return found
        name = indexes[0].name if all(one.name == indexes[0].name for one in indexes) else None

        def labels(values: Any) -> Any:
            return Index(values, name=name) if getattr(values, "ndim", 0) == 1 else values

        return tuple(map(labels, found)) if isinstance(found, tuple) else labels(found)

    def to_flat_index(self) -> Index:
        """Return the labels in one level.

        Returns
        -------
        Index
            This index; a MultiIndex gives an index of tuples.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index(["a", "b"]).to_flat_index()
        Index(['a', 'b'], dtype='str')
        """
        return self

    def to_pandas(self, *, nullable: bool = False, arrow_type: bool = False) -> pd.Index:
        """Return the pandas index with the same labels and names.

        Parameters
        ----------
        nullable : bool, default False
            Whether labels have pandas' nullable types, such as ``Int64``.
        arrow_type : bool, default False
            Whether labels keep the types of Arrow (``pandas.ArrowDtype``). Not together with ``nullable``.

        Returns
        -------
        pandas.Index
            The kind of index that pandas has for the labels; times keep their frequency.

        Raises
        ------
        OverflowError
            Where integers beside missing ones become float64 and that would round one.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index([1, None], name="k").to_pandas()
        Index([1.0, nan], dtype='float64', name='k')
        >>> cuprum.Index([1, None], name="k").to_pandas(nullable=True)
        Index([1, <NA>], dtype='Int64', name='k')
        """
        import pandas as pd

        array = to_pandas_array(self._column(), nullable=nullable, arrow_type=arrow_type)
        index = pd.Index(array, name=self.name)
        if arrow_type:
            return index
        if (frequency := self._handle.frequency()) is not None:
            with suppress(ValueError):  # what pandas has made itself, but does not take for regular: B+1h
                index.freq = to_offset(frequency)
        return index

    def to_arrow(self) -> pa.Array:
        """Return the labels as an Arrow array.

        Returns
        -------
        pyarrow.Array
            One element for each label, null for a missing one.

        Raises
        ------
        NotImplementedError
            For a MultiIndex.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index([1, None]).to_arrow().to_pylist()
        [1, None]
        """
        return self._column().to_arrow()

    def _shown(self) -> Sequence[int]:
        """The rows whose labels are printed: both ends of a long index."""
        length, most = len(self), get_option("display.max_seq_items")
        if not most or length <= most:
            return range(length)
        end = min(most // 2, 10)
        return [*range(end), *range(length - max(end, 1), length)]

    def _texts(self, rows: Sequence[int]) -> list[Any]:
        labels = [self._label(row) for row in rows]
        if getattr(self.dtype, "kind", "O") in "iub":
            # Integers stay integers beside missing ones, as pandas writes those of its nullable types.
            return ["<NA>" if label is None or label != label else quoted(label) for label in labels]
        return [quoted(label) for label in labels]

    def __repr__(self) -> builtins.str:
        length = len(self)
        return index_text(
            type(self).__name__,
            self._texts(self._shown()),
            dtype=f"{self.dtype}",
            name=self.name,
            length=length,
            frequency=shown(self._handle.frequency()),
        )

    def __reduce__(self) -> Any:
        levels = [self._handle.column(i) for i in range(self._handle.nlevels())]
        frequency = self._handle.frequency()
        return (_restore, (levels, self.names) if frequency is None else (levels, self.names, frequency))

    # Positions of labels.

    get_loc = lookup.get_loc
    get_indexer = lookup.get_indexer
    _beside = lookup.beside
    get_indexer_non_unique = lookup.get_indexer_non_unique
    get_indexer_for = lookup.get_indexer_for
    isin = lookup.isin
    searchsorted = lookup.searchsorted
    get_slice_bound = lookup.get_slice_bound
    slice_locs = lookup.slice_locs
    slice_indexer = lookup.slice_indexer
    find_label_range = lookup.find_label_range
    asof = lookup.asof
    asof_locs = lookup.asof_locs
    reindex = lookup.reindex
    groupby = lookup.groupby

    # Order and extremes.

    _rows_in_order = order.rows_in_order
    argsort = order.argsort
    sort_values = order.sort_values
    _rows_to_sort_by = order.rows_to_sort_by
    sortlevel = order.sortlevel
    min = order.min_
    max = order.max_
    _extreme = order.extreme
    argmin = order.argmin
    argmax = order.argmax
    any = order.any_
    all = order.all_
    value_counts = order.value_counts

    # Other labels.

    _of = edit.of
    take = edit.take
    insert = edit.insert
    delete = edit.delete
    repeat = edit.repeat
    append = edit.append
    drop = edit.drop
    where = edit.where
    putmask = edit.putmask
    fillna = edit.fillna
    dropna = edit.dropna
    replace = edit.replace
    map = edit.map_
    _like = edit.like
    astype = edit.astype
    infer_objects = edit.infer_objects
    round = edit.round_
    diff = edit.diff
    shift = edit.shift
    view = edit.view

    # Set operations.

    difference = set_operations.difference
    intersection = set_operations.intersection
    union = set_operations.union
    symmetric_difference = set_operations.symmetric_difference
    join = set_operations.join

    # Interoperability.

    to_pylibcudf = pylibcudf_interop.to_pylibcudf
    from_pylibcudf: Any = classmethod(pylibcudf_interop.from_pylibcudf)
    from_arrow: Any = classmethod(pylibcudf_interop.from_arrow)
    to_dlpack = pylibcudf_interop.to_dlpack


def _restore(levels: list[Column], names: list[Any], frequency: str | None = None) -> Index:
    handle = _cuprum.Index.from_columns(levels, names)
    return wrap_index(handle if frequency is None else handle.with_frequency(frequency))


def quoted(label: Any) -> str:
    """Return a label as an index shows it."""
    if isinstance(label, float) and label != label:
        return "nan"
    if hasattr(label, "dtype") and label.dtype.kind in "iufb":
        label = label.item()
    # Intervals stand as they are printed.
    return str(label) if type(label).__name__ == "Interval" else repr(label)
