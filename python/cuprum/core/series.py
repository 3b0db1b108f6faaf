"""`Series`: one column whose rows have labels."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, Self, Unpack, cast, overload

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core import objects
from cuprum.core.algorithms import from_pandas
from cuprum.core.along_rows import SeriesAlongRows
from cuprum.core.arguments import (
    axis_number,
    element_of,
    is_frame_like,
    is_list_like,
    is_mask,
    only_truth,
    plain_label,
)
from cuprum.core.attributes import Attributed
from cuprum.core.binary_comparison import compared_bytes, is_bytes
from cuprum.core.calls.series import SeriesCalls
from cuprum.core.chained_assignment import SETITEM, warn_if_chained
from cuprum.core.combine import SeriesCombination
from cuprum.core.completion import keys_of_rows
from cuprum.core.construction import (
    column_from,
    made_with_nan,
    mask_column,
    series_from_pandas,
    series_handle,
)
from cuprum.core.conversion import SeriesConversion
from cuprum.core.convert_dtypes import ConvertsTypes
from cuprum.core.devices import SharesMemory
from cuprum.core.display import bytes_text, index_summary
from cuprum.core.elements import SeriesElements
from cuprum.core.index.index import Index
from cuprum.core.indexed_frame import IndexedFrame
from cuprum.core.indexing import LABELS, by_label, by_one_label, in_brackets, is_slice_of_positions
from cuprum.core.interop import is_pandas
from cuprum.core.label_columns import level_columns
from cuprum.core.labels import SeriesLabels
from cuprum.core.low_level import SeriesParts
from cuprum.core.method_names import with_own_methods
from cuprum.core.missing import dtype_of_nat, missing_element
from cuprum.core.missing_data import SeriesMissing
from cuprum.core.moments import SeriesMoments
from cuprum.core.nulls import CountsNulls, HasNulls
from cuprum.core.objects import set_handle, wrap_series
from cuprum.core.operators import SeriesMethods
from cuprum.core.order import SeriesOrder
from cuprum.core.partitions import Hashed
from cuprum.core.printing import layout_of, written, written_by_pandas
from cuprum.core.quick import quicken
from cuprum.core.reshape.methods import SeriesReshape
from cuprum.core.scaling import Scales
from cuprum.core.serialization import Serializable
from cuprum.core.single_column_frame import OneDimensional
from cuprum.core.summaries import SeriesSummaries
from cuprum.core.through_pandas import SeriesThroughPandas
from cuprum.core.tile import SeriesBins
from cuprum.core.time_labels import SeriesTimeLabels
from cuprum.core.tools.beside_times import as_element, as_elements, refuse_date
from cuprum.core.tools.offsets import is_offset, moved
from cuprum.options import get_option

if TYPE_CHECKING:
    from cuprum.core.accessors.categorical import CategoricalAccessor
    from cuprum.core.accessors.combined import CombinedDatetimelikeProperties
    from cuprum.core.accessors.list import ListMethods
    from cuprum.core.accessors.string import StringMethods
    from cuprum.core.accessors.struct import StructAccessor
    from cuprum.core.dataframe import DataFrame
    from cuprum.io.file_options import SeriesTextOptions
    from cuprum.typing import AnyDType, Label, LabelOrLabels, RowAxis, Scalar, Several, WriteTarget

__all__ = ["Series"]

_ORDERINGS = frozenset({"lt", "le", "gt", "ge"})
_COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
_LOGIC = frozenset({"and", "or", "xor"})
_PLAIN = frozenset({int, float, bool, str})
# Elements that `items` makes at a time.
_AT_A_TIME = 4096


@quicken
@with_own_methods
class Series(
    SeriesCalls,
    SeriesSummaries,
    SeriesMoments,
    SeriesOrder,
    SeriesElements,
    SeriesMissing,
    SeriesAlongRows,
    SeriesLabels,
    SeriesTimeLabels,
    SeriesReshape,
    SeriesCombination,
    SeriesConversion,
    SeriesMethods,
    ConvertsTypes,
    CountsNulls,
    HasNulls,
    Hashed,
    Scales,
    SeriesBins,
    SeriesParts,
    SeriesThroughPandas,
    Attributed,
    Serializable,
    OneDimensional,
    SharesMemory,
    IndexedFrame,
):
    """A column of one type with labels for its rows and a name.

    Parameters
    ----------
    data
        A list or any iterable of scalars, a NumPy or Arrow array, a pandas Series, a dict of labels
        and values, another Series, or one scalar that is repeated for every label of ``index``.
    index
        The labels of the rows, ``0, 1, …`` without them. Data that have labels are matched to these.
    dtype
        The type of the elements; found from them without it.
    name
        The name: ``str``, ``int`` or a tuple.
    copy
        A truth value: memory that others write is always copied.
    nan_as_null
        Whether NaN among the data is null (True) or stays NaN (False); both are missing. None leaves it to the
        option ``mode.pandas_compatible``: NaN stays where that is on.

    Examples
    --------
    >>> Series([1, None, 3], index=["a", "b", "c"], name="x")
    a       1
    b    <NA>
    c       3
    Name: x, dtype: int64
    """

    __slots__ = ("_handle",)

    def __init__(
        self,
        data: Any = None,
        index: LabelOrLabels = None,
        dtype: AnyDType | None = None,
        name: Label = None,
        copy: bool | None = None,
        *,
        nan_as_null: bool | None = None,
    ) -> None:
        only_truth("Series", copy=copy)
        set_handle(self, made_with_nan(nan_as_null, series_handle, data, index, dtype, name))

    _wrap = staticmethod(wrap_series)

    def _map(self, function: Any, inplace: bool = False) -> Any:
        return self._changed(function, inplace)

    # Labels as attributes.

    if not TYPE_CHECKING:  # a row, which no checker knows

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):  # a property that has failed: say why
                return object.__getattribute__(self, name)
            if self._has_text_label(name):
                return self[name]
            raise AttributeError(f"'Series' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(type(self), name):
            object.__setattr__(self, name, value)
        elif self._has_text_label(name):
            self[name] = value
        elif hasattr(self, "__dict__"):  # of a class of users
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"'Series' object has no attribute '{name}'; add a row with s[{name!r}] = …")

    def __dir__(self) -> list[str]:
        labels = self.index[: get_option("display.max_dir_items")] if self._has_text_labels() else ()
        return [
            *super().__dir__(),
            *(label for label in labels if isinstance(label, str) and label.isidentifier()),
        ]

    def _ipython_key_completions_(self) -> list[Any]:
        return keys_of_rows(self)

    def _has_text_labels(self) -> bool:
        """Whether row labels may be texts."""
        return self._handle.index().kind() in ("O", "category", "levels", "mixed")

    def _has_text_label(self, name: str) -> bool:
        return not name.startswith("_") and self._has_text_labels() and name in self.index

    # What it is.

    @property
    def name(self) -> Any:
        """The name; assign to rename."""
        return self._handle.name()

    @name.setter
    def name(self, name: Any) -> None:
        label = plain_label(name)
        self._relabelled(lambda handle: handle.rename(label), inplace=True)

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._handle.dtype()

    dtypes = dtype

    @property
    def nbytes(self) -> int:
        """Bytes of memory behind the elements."""
        return self._handle.nbytes()

    @property
    def data(self) -> Any:
        """The memory of the values: a `cuprum.core.buffer.Buffer`; the characters of text.

        None where there is no memory.

        Examples
        --------
        >>> s = Series([1, 2, 3])
        >>> s.data.size
        24
        """
        return self._handle.data(self)

    def _own_data(self) -> None:
        """Give the series memory that only the objects use that see what is written to it."""
        self._write(lambda _: (Column.from_iterable_of_py([], "int64"), [(0, None)]))

    @property
    def hasnans(self) -> bool:
        """Whether an element is missing."""
        return bool(self._handle.reduce("count") < len(self))

    @property
    def is_unique(self) -> bool:
        """Whether no element occurs twice."""
        return self._handle.nunique(True) == len(self)

    @property
    def is_monotonic_increasing(self) -> bool:
        """Whether the elements never decrease and none is missing."""
        return self._as_index().is_monotonic_increasing()

    @property
    def is_monotonic_decreasing(self) -> bool:
        """Whether the elements never increase and none is missing."""
        return self._as_index().is_monotonic_decreasing()

    def _as_index(self) -> Any:
        return _cuprum.Index.from_columns([self._handle.column()], [None])

    def memory_usage(self, index: bool = True, deep: bool = False) -> int:
        """Return the bytes of memory behind the elements, and behind the labels unless ``index`` is False.

        Text and nested values count in full, with or without ``deep``.
        """
        only_truth("memory_usage", deep=deep)
        labels = self._handle.index()
        of_labels = (
            0 if labels.as_range() else sum(column.device_buffer_size() for column in level_columns(labels))
        )
        return self.nbytes + (of_labels if index else 0)

    @property
    def str(self) -> StringMethods:
        """Functions of text, some of them of lists, structs and bytes; ``AttributeError`` for another type."""
        if self.dtype.element_type is not None:
            from cuprum.core.accessors.string_lists import ListsOfTexts

            return cast("StringMethods", ListsOfTexts(self))
        if self.dtype.fields is not None:
            from cuprum.core.accessors.struct import FieldsOfStructs

            return cast("StringMethods", FieldsOfStructs(self))
        if self.dtype.name == "binary":
            from cuprum.core.accessors.bytes import BytesMethods

            return cast("StringMethods", BytesMethods(self))
        from cuprum.core.accessors.string import StringMethods

        return StringMethods(self)

    @property
    def dt(self) -> CombinedDatetimelikeProperties:
        """Parts and functions of times and lengths of time; ``AttributeError`` for a series of another type."""
        from cuprum.core.accessors.datetime import DatetimeProperties
        from cuprum.core.accessors.period import PeriodProperties
        from cuprum.core.accessors.timedelta import TimedeltaProperties

        values = self
        categories = self._handle.column().categories()
        if categories is not None:
            values = self.astype(categories[0].dtype)
        kind: Any = TimedeltaProperties if values.dtype.kind == "m" else DatetimeProperties
        if values.dtype.freq is not None:
            kind = PeriodProperties
        return kind(values)

    @property
    def cat(self) -> CategoricalAccessor:
        """Functions of categories; ``AttributeError`` for a series of another type."""
        from cuprum.core.accessors.categorical import CategoricalAccessor

        return CategoricalAccessor(self)

    @property
    def list(self) -> ListMethods:
        """Functions of lists; ``AttributeError`` for a series of another type."""
        from cuprum.core.accessors.list import ListMethods

        return ListMethods(self)

    @property
    def struct(self) -> StructAccessor:
        """Functions of structs; ``AttributeError`` for a series of another type."""
        from cuprum.core.accessors.struct import StructAccessor

        return StructAccessor(self)

    def info(
        self,
        verbose: bool | None = None,
        buf: Any = None,
        max_cols: int | None = None,
        memory_usage: Any = None,
        show_counts: bool = True,
    ) -> None:
        """Print the name, the type, the number of elements that are not missing and the memory.

        Without the table of them if ``verbose`` is False, the number for False as ``show_counts``, the memory for False as
        ``memory_usage``, or as the option ``display.memory_usage`` says. ``max_cols`` is of frames.
        """
        if memory_usage is None:
            memory_usage = get_option("display.memory_usage")
        if max_cols is not None:
            raise ValueError("Argument `max_cols` can only be passed in DataFrame.info, not Series.info")
        dtype = builtins.str(self.dtype)
        lines = [f"<class 'cuprum.{type(self).__name__}'>", index_summary(self.index)]
        if verbose is not False:
            lines.append(f"Series name: {self.name}")
            count = f"{self.count()} non-null"
            width = max(len("Non-Null Count"), len(count))
            pairs = [("Non-Null Count", "Dtype"), ("-" * 14, "-" * 5), (count, dtype)]
            lines += [
                (f"{left:<{width}}  " if show_counts else "") + f"{right:<{max(len(dtype), 5)}}"
                for left, right in pairs
            ]
        lines.append(f"dtypes: {dtype}(1)")
        if memory_usage is not False:
            lines.append(f"memory usage: {bytes_text(self.memory_usage())}")
        written("\n".join(lines) + "\n", sys.stdout if buf is None else buf)

    # Elements.

    def explode(self, ignore_index: bool = False) -> Series:
        """Return a row for each element of the lists, under the label of its list.

        A list that is empty or missing gives one row with a missing value. ``ignore_index`` makes the labels
        0, 1, …. A series of other elements stays as it is.

        Examples
        --------
        >>> Series([[1, 2], [], [3]]).explode()
        0       1
        0       2
        1    <NA>
        2       3
        dtype: int64
        """
        return wrap_series(self._handle.explode(bool(ignore_index)))

    @overload
    def to_string(self, buf: None = ..., **options: Unpack[SeriesTextOptions]) -> builtins.str: ...
    @overload
    def to_string(self, buf: WriteTarget, **options: Unpack[SeriesTextOptions]) -> None: ...
    def to_string(
        self,
        buf: Any = None,
        *,
        na_rep: builtins.str = "NaN",
        float_format: Any = None,
        header: bool = True,
        index: bool = True,
        length: bool = False,
        dtype: bool = False,
        name: bool = False,
        max_rows: int | None = None,
        min_rows: int | None = None,
    ) -> builtins.str | None:
        """Return the series as text, all of it unless ``max_rows`` is given; or write it to ``buf``.

        ``header`` prints the names of the index; ``length``, ``dtype`` and ``name`` are told below.
        The other arguments mean what they do in `DataFrame.to_string`.

        Examples
        --------
        >>> print(Series([0.5, None], name="x").to_string(na_rep="-", name=True))
        0    0.5
        1      -
        Name: x
        """
        only_truth("to_string", header=header, length=length, dtype=dtype, name=name)
        given = {
            "index": index,
            "header": header,
            "na_rep": na_rep,
            "float_format": float_format,
            "max_rows": max_rows,
            "min_rows": min_rows,
        }
        footer = {"name": name, "length": length, "dtype": dtype}
        text = written_by_pandas("to_string", self, given | footer)
        if text is None:
            layout = layout_of("to_string", max_colwidth=get_option("display.max_colwidth"), **given)
            layout["footer"] = (bool(name), bool(length), bool(dtype))
            text = self._handle.to_text(**layout)
        return written(text, buf)

    def _element(self, row: int) -> Any:
        value = self._handle.get(row)
        return missing_element(self._handle.dtype()) if value is None else value

    @overload
    def __getitem__(self, key: Label) -> Scalar: ...
    @overload
    def __getitem__(self, key: Several) -> Self: ...
    def __getitem__(self, key: Any) -> Any:
        if type(key) in LABELS:
            found = by_one_label(self, key)
            return found if type(key) is int else in_brackets(self, key, found)
        if isinstance(key, slice):
            if is_slice_of_positions(key, self._handle.index()):
                return wrap_series(self._handle.iloc(key))
        elif callable(key):
            key = key(self)
        elif isinstance(key, tuple) and len(key) == 1 and isinstance(key[0], slice):
            return self[key[0]]
        elif isinstance(key, tuple) and self._handle.index().nlevels() == 1:
            raise KeyError(f"a series' rows have one level of labels: no tuple names them, as {key!r} would")
        elif getattr(key, "ndim", 1) == 2 and (isinstance(key, IndexedFrame) or is_frame_like(key)):
            raise TypeError("a Series has no columns: index it with a Series, or a column of the DataFrame")
        found = by_label(self, key)
        return in_brackets(self, key, found) if isinstance(key, tuple) else found

    def __setitem__(self, key: Any, value: Any) -> None:
        if sys.getrefcount(self) <= SETITEM:
            warn_if_chained(self, "use one key: df.loc[rows, columns] = values")
        if callable(key):
            key = key(self)
        if isinstance(value, Mapping):
            raise ValueError("elements in brackets are set to a scalar or a sequence, not to a dict: use loc")
        if isinstance(key, tuple) and len(key) == 1 and isinstance(key[0], slice):
            (key,) = key
        if isinstance(key, slice) and is_slice_of_positions(key, self._handle.index()):
            self.iloc[key] = value
            return
        labelled = isinstance(value, Series) or is_pandas(value, "Series")
        if is_mask(key) and not labelled and not is_list_like(value):
            flags = wrap_series(_cuprum.Series(mask_column(key, self)))
            if len(flags) and not flags.any():
                return  # what is set nowhere may be anything
        if is_mask(key) and is_list_like(value) and not labelled and _length(value) == len(self):
            # One value for every element, of which the mask chooses.
            values = wrap_series(_cuprum.Series(column_from(value)))
            value = values[wrap_series(_cuprum.Series(mask_column(key, self)))]._handle.column()
        # As in pandas, only a mask matches a series by its labels here.
        if labelled and not is_mask(key):
            value = column_from(value)
        self.loc[key] = value

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the elements as Python objects: slow; prefer methods of the whole series."""
        return iter(self.to_list())

    def __contains__(self, label: Any) -> bool:
        """Whether ``label`` is a row label, as in pandas."""
        return label in self.index

    def get(self, key: Any, default: Any = None) -> Any:
        """Return ``self[key]``, or ``default`` where there is no such label."""
        try:
            return self[key]
        except (KeyError, IndexError):
            return default

    def pop(self, item: Label) -> Scalar:
        """Return the element under a label, and take it out of the series; ``KeyError`` where there is none."""
        value = self[item]
        self.drop(item, inplace=True)
        return value

    def __delitem__(self, key: Any) -> None:
        self.pop(key)

    def divmod(
        self, other: Any, level: Label = None, fill_value: Scalar = None, axis: RowAxis = 0
    ) -> tuple[Series, Series]:
        """Return whole quotients and remainders: a pair of series; see `floordiv`.

        Examples
        --------
        >>> [part.to_list() for part in Series([7, 8]).divmod(3)]
        [[2, 2], [1, 2]]
        """
        return (
            self.floordiv(other, level=level, fill_value=fill_value, axis=axis),
            self.mod(other, level=level, fill_value=fill_value, axis=axis),
        )

    def rdivmod(
        self, other: Any, level: Label = None, fill_value: Scalar = None, axis: RowAxis = 0
    ) -> tuple[Series, Series]:
        """Return whole quotients and remainders of ``other`` and the elements: a pair of series."""
        return (
            self.rfloordiv(other, level=level, fill_value=fill_value, axis=axis),
            self.rmod(other, level=level, fill_value=fill_value, axis=axis),
        )

    def item(self) -> Scalar:
        """Return the only element; ``ValueError`` unless there is exactly one."""
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.to_list()[0]

    def squeeze(self, axis: RowAxis | None = None) -> Series | Scalar:
        """Return the element of a series of one; any other series as it is, in an object of its own."""
        if axis is not None:
            axis_number(axis, "Series")
        return self._element(0) if len(self) == 1 else self._snapshot()

    def keys(self) -> Index:
        """Return the row labels."""
        return self.index

    def iteritems(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of label and element; see `items`."""
        return self.items()

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of label and element: slow; prefer methods of the whole series."""
        whole = wrap_series(self._handle)
        pieces = (whole.iloc[row : row + _AT_A_TIME] for row in range(0, len(whole), _AT_A_TIME))
        return chain.from_iterable(
            zip(piece.index.to_list(), piece.to_list(), strict=True) for piece in pieces
        )

    # Operators.

    def _operate(self, other: Any, op: Any, reflected: bool) -> Any:
        handle = self._handle
        if handle.is_of_periods() or (isinstance(other, Series) and other._handle.is_of_periods()):
            return objects.operate_by_pandas(self, other, op, reflected)
        if type(other) in _PLAIN:
            if type(other) is bool:
                self._refuse_of_times(other, op, [handle.dtype()])
            try:
                if type(other) is str and op in _COMPARISONS and handle.dtype().kind in "Mm":
                    other = as_element(other, handle.dtype())
                return wrap_series(handle.binary_scalar(other, op, reflected))
            except TypeError:
                return self._incomparable(op, other)
        other = element_of(other)
        if isinstance(other, IndexedFrame):
            if not isinstance(other, Series):
                return NotImplemented
            left, right = (other._handle, handle) if reflected else (handle, other._handle)
            if op == "mul":
                self._refuse_of_times(other, op, [handle.dtype()])
                other._refuse_of_times(self, op, [other._handle.dtype()])
            if op in _ORDERINGS:
                _refuse_half_categories(left.dtype(), right.dtype(), op)
            try:
                if op in _COMPARISONS and left.dtype().kind in "Mm" and right.dtype() == "str":
                    texts = as_elements(right.column(), left.dtype())
                    right = _cuprum.Series(texts, right.name(), right.index())
                return wrap_series(left.binary(right, op))
            except TypeError:
                if not left.index().equals(right.index()):
                    raise
                return self._incomparable(op, other)
        if isinstance(other, str):
            return self._operate(str(other), op, reflected)  # of NumPy
        if is_pandas(other, "DataFrame"):
            return from_pandas(other)._operate(self, op, not reflected)
        if is_pandas(other, "Series", "Index"):
            return self._operate(from_pandas(other), op, reflected)
        self._refuse_logic(other, op)
        self._refuse_of_times(other, op, [handle.dtype()])
        if (kind := dtype_of_nat(other, handle.dtype())) is not None:
            missing = Column.all_null_like(Column.from_iterable_of_py([], kind), len(self))
            try:
                return wrap_series(handle.binary_column(missing, op, reflected))
            except TypeError:
                return self._incomparable(op, other)
        if _is_never(other, op) and handle.dtype().kind in "biuf":
            return wrap_series(_cuprum.Series(Column.filled(False, len(self)), handle.name(), handle.index()))
        if is_list_like(other):
            column = self._as_column(other)
            if op in _ORDERINGS:
                _refuse_half_categories(handle.dtype(), column.dtype, op)
            if isinstance(other, Index) and not _same_label(other.name, handle.name()):
                handle = handle.rename(None)
            try:
                if op in _COMPARISONS and handle.dtype().kind in "Mm" and column.dtype == "str":
                    column = as_elements(column, handle.dtype())
                return wrap_series(handle.binary_column(column, op, reflected))
            except TypeError:
                return self._incomparable(op, other)
        if is_offset(other) and (op == "add" or (op == "sub" and not reflected)):
            return moved(self, other, 1 if op == "add" else -1)
        self._refuse_none(other, op, [handle.dtype()])
        try:
            refuse_date(other, handle.dtype())
            return wrap_series(handle.binary_scalar(other, op, reflected))
        except TypeError:
            return self._incomparable(op, other)

    def _negated(self) -> Any:
        return self._wrap(self._handle.unary("invert" if self._handle.dtype().kind == "b" else "neg"))

    def _through_numpy(self, ufunc: Any, inputs: tuple[Any, ...]) -> Any:
        """Return what another of NumPy's element functions makes of the elements, rows matched by label."""
        if any(isinstance(one, IndexedFrame) and not isinstance(one, Series) for one in inputs):
            return NotImplemented
        series = [one for one in inputs if isinstance(one, Series)]
        name = series[0].name if all(_same_label(one.name, series[0].name) for one in series) else None
        if len(series) == 2 and not series[0]._handle.index().equals(series[1]._handle.index()):
            series = list(series[0].align(series[1]))
            inputs = tuple(series)
        index = series[0]._handle.index()
        arrays = [one.to_numpy() if isinstance(one, (Series, Index)) else one for one in inputs]

        def labelled(values: Any) -> Any:
            return wrap_series(_cuprum.Series(column_from(values), name, index))

        found = ufunc(*arrays)
        return tuple(map(labelled, found)) if isinstance(found, tuple) else labelled(found)

    def _as_column(self, other: Any) -> Column:
        if getattr(other, "ndim", 1) != 1:
            raise ValueError(f"a Series cannot be combined with an array of {other.ndim} dimensions")
        if is_pandas(other, "Series"):
            return series_from_pandas(other).reindex(self._handle.index()).column()
        return column_from(other)

    def _incomparable(self, op: Any, other: Any) -> Any:
        """What ``==`` and ``!=`` say of types that do not compare; to be called while handling the error."""
        if is_bytes(self.dtype) and op in _COMPARISONS:
            found = compared_bytes(self, other, op)
            if found is None:
                raise
            return wrap_series(_cuprum.Series(found, self._name_beside(other), self._handle.index()))
        categories = all(getattr(side, "dtype", None) == "category" for side in (self, other))
        if op not in ("eq", "ne") or not self.dtype.is_comparable or categories:
            raise
        filled = Column.filled(op == "ne", len(self))
        made = wrap_series(_cuprum.Series(filled, self._name_beside(other), self._handle.index()))
        return made if _cuprum.pandas_compatible() else made.where(self.notna(), None)

    def _name_beside(self, other: Any) -> Any:
        """Return the name of what comes of the elements and ``other``: none where that has another one."""
        labelled = isinstance(other, (Series, Index))
        return None if labelled and not _same_label(other.name, self.name) else self.name

    def _operate_with(
        self, name: Any, other: Any, op: Any, reflected: bool, axis: Any, level: Any, fill_value: Any
    ) -> Any:
        if axis is not None:
            axis_number(axis, "Series")
        if (isinstance(other, IndexedFrame) and other.ndim == 2) or is_frame_like(other):
            raise TypeError(f"Series.{name} takes no DataFrame: call it on that, with the Series")
        if level is not None and isinstance(other, Series):
            left, right = self.align(other, level=level)
            return left._operate_with(name, right, op, reflected, axis, None, fill_value)
        left = self
        if is_pandas(other, "Series"):
            other = Series(other)
        compares = op in _COMPARISONS
        if isinstance(other, Series) and fill_value is None:
            if compares and not left._handle.index().equals(other._handle.index()):
                left, other = map(wrap_series, left._handle.align(other._handle))
        elif fill_value is not None and is_list_like(other) and not isinstance(other, IndexedFrame):
            column = self._as_column(other)
            if len(column) != len(self):
                raise ValueError(f"Lengths must be equal: {len(column)} values for {len(self)} elements")
            other = wrap_series(_cuprum.Series(column, self.name, self._handle.index()))
        if fill_value is None:
            return left._operate(other, op, reflected)
        if not isinstance(other, Series):
            return left.fillna(fill_value)._operate(other, op, reflected)
        first, second = (other, left) if reflected else (left, other)
        return wrap_series(first._handle.binary_filled(second._handle, op, fill_value))

    def __matmul__(self, other: Any) -> Scalar:
        return self.dot(other)

    def __rmatmul__(self, other: Any) -> Scalar:
        if isinstance(other, IndexedFrame) or getattr(other, "ndim", 1) != 1:
            return NotImplemented
        return self.dot(other)

    @overload
    def dot(self, other: DataFrame) -> Series: ...
    @overload
    def dot(self, other: Any) -> Scalar: ...
    def dot(self, other: Any) -> Any:
        """Return the sum of the products of the elements; of a frame one for each of its columns.

        Rows are matched by label, those of an array or list by position. ``ValueError`` where one side has
        other labels or another number of elements. A missing element makes the sum missing.
        """
        if is_pandas(other, "Series"):
            other = Series(other)
        if isinstance(other, IndexedFrame) and not isinstance(other, Series):
            return wrap_series(self._handle.dot_columns(other._handle))
        if not isinstance(other, Series):
            if not is_list_like(other):
                raise TypeError(f"unsupported type: {type(other)}")
            if getattr(other, "ndim", 1) == 2:
                return self.to_numpy() @ other
            other = Series(column_from(other), index=self.index) if len(other) == len(self) else other
            if len(other) != len(self):
                raise ValueError(f"Dot product shape mismatch, {(len(self),)} vs {(len(other),)}")
        total = self._handle.dot(other._handle)
        return missing_element(self.dtype) if total is None else total


def _same_label(one: Any, other: Any) -> bool:
    """Whether two labels are the same; a missing one is the same as itself, as in pandas."""
    return bool(one == other or (one != one and other != other))


def _length(values: Any) -> int:
    return len(values) if hasattr(values, "__len__") else -1


def _is_never(other: Any, op: Any) -> bool:
    """Whether a scalar makes logic of truth values False throughout, as pandas has ``pd.NA`` do."""
    return op in _LOGIC and type(other).__name__ == "NAType" and _cuprum.pandas_compatible()


def _refuse_half_categories(left: Any, right: Any, op: str) -> None:
    """Fail for categories beside a list of what are none: which order is meant?"""
    if (left == "category") != (right == "category"):
        raise TypeError(
            f"Cannot compare categories for op __{op}__ with elements of another type: astype them first"
        )
