"""`Series`: one column whose rows have labels."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, cast, overload

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core import methods
from cuprum.core.arguments import (
    is_frame_like,
    is_list_like,
    is_mask,
    only_truth,
    plain_label,
)
from cuprum.core.chained_assignment import SETITEM, warn_if_chained
from cuprum.core.completion import keys_of_rows
from cuprum.core.construction import column_from, mask_column
from cuprum.core.devices import SharesMemory
from cuprum.core.first_call import on_first_call
from cuprum.core.frame_construction import made_with_nan, series_handle
from cuprum.core.indexed_frame import IndexedFrame
from cuprum.core.indexing import LABELS, by_label, by_one_label, in_brackets, is_slice_of_positions
from cuprum.core.interop import is_pandas, to_array, to_values
from cuprum.core.method_names import with_own_methods
from cuprum.core.objects import set_handle, wrap_series
from cuprum.core.operators import SeriesMethods
from cuprum.core.quick import quicken
from cuprum.core.reshape.unstack import unstack as _unstack
from cuprum.core.single_column_frame import OneDimensional
from cuprum.io.csv.writing import to_csv as _to_csv
from cuprum.io.json import to_json as _to_json
from cuprum.options import get_option

if TYPE_CHECKING:
    from cuprum.core.accessors.bytes import BytesMethods
    from cuprum.core.accessors.categorical import CategoricalAccessor
    from cuprum.core.accessors.combined import CombinedDatetimelikeProperties
    from cuprum.core.accessors.datetime import DatetimeProperties
    from cuprum.core.accessors.list import ListMethods
    from cuprum.core.accessors.period import PeriodProperties
    from cuprum.core.accessors.string import StringMethods
    from cuprum.core.accessors.string_lists import ListsOfTexts
    from cuprum.core.accessors.struct import FieldsOfStructs, StructAccessor
    from cuprum.core.accessors.timedelta import TimedeltaProperties
    from cuprum.typing import AnyDType, Array, Label, LabelOrLabels, Scalar, Several
else:
    BytesMethods = on_first_call("cuprum.core.accessors.bytes:BytesMethods")
    CategoricalAccessor = on_first_call("cuprum.core.accessors.categorical:CategoricalAccessor")
    DatetimeProperties = on_first_call("cuprum.core.accessors.datetime:DatetimeProperties")
    FieldsOfStructs = on_first_call("cuprum.core.accessors.struct:FieldsOfStructs")
    ListMethods = on_first_call("cuprum.core.accessors.list:ListMethods")
    ListsOfTexts = on_first_call("cuprum.core.accessors.string_lists:ListsOfTexts")
    PeriodProperties = on_first_call("cuprum.core.accessors.period:PeriodProperties")
    StringMethods = on_first_call("cuprum.core.accessors.string:StringMethods")
    StructAccessor = on_first_call("cuprum.core.accessors.struct:StructAccessor")
    TimedeltaProperties = on_first_call("cuprum.core.accessors.timedelta:TimedeltaProperties")

__all__ = ["Series"]


@quicken
@with_own_methods
class Series(SeriesMethods, OneDimensional, SharesMemory, IndexedFrame):
    """A column of one dtype, with labels for its rows and a name.

    Parameters
    ----------
    data : list-like, array, dict, Series or scalar, optional
        A list or any iterable of scalars, a NumPy or Arrow array, a pandas Series, a dict of labels and
        elements, another Series, or one scalar that is repeated for every label of ``index``.
    index : list-like, optional
        The labels of the rows; 0, 1, … by default. Data that have labels are matched to these.
    dtype : dtype, optional
        The dtype of the elements; found from them by default.
    name : str, int or tuple, optional
        The name, which is the label of a column.
    copy : bool, optional
        Has no effect: memory that others write is always copied.
    nan_as_null : bool, optional
        Whether NaN among the data is null (True) or stays NaN (False); both are missing. None leaves it to
        the option ``mode.pandas_compatible``: NaN stays where that is on.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, None, 3], index=["a", "b", "c"], name="x")
    a       1
    b    <NA>
    c       3
    Name: x, dtype: int64
    >>> cuprum.Series({"a": 1, "b": 2}, index=["b", "c"]).to_list()
    [2, nan]
    >>> cuprum.Series(0.5, index=range(3)).to_list()
    [0.5, 0.5, 0.5]
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

    # Properties.

    @property
    def name(self) -> Any:
        """The name, which is the label of a column; assigning another one renames the Series.

        Examples
        --------
        >>> import cuprum
        >>> s = cuprum.Series([1, 2])
        >>> s.name = "x"
        >>> s.to_frame().columns.to_list()
        ['x']
        """
        return self._handle.name()

    @name.setter
    def name(self, name: Any) -> None:
        label = plain_label(name)
        self._relabelled(lambda handle: handle.rename(label), inplace=True)

    @property
    def dtype(self) -> DType:
        """The dtype of the elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, None]).dtype
        dtype('int64')
        """
        return self._handle.dtype()

    dtypes = dtype

    @property
    def nbytes(self) -> int:
        """The bytes of memory behind the elements, without those of the labels."""
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
        """Whether an element is missing, null or NaN.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, None]).hasnans
        True
        """
        return bool(self._handle.reduce("count") < len(self))

    @property
    def is_unique(self) -> bool:
        """Whether no element occurs twice; missing elements equal each other.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2]).is_unique, cuprum.Series([1, None, None]).is_unique
        (True, False)
        """
        return self._handle.nunique(True) == len(self)

    @property
    def is_monotonic_increasing(self) -> bool:
        """Whether the elements never decrease and none is missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 1, 2]).is_monotonic_increasing
        True
        """
        return self._as_index().is_monotonic_increasing()

    @property
    def is_monotonic_decreasing(self) -> bool:
        """Whether the elements never increase and none is missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([2, 1, 1]).is_monotonic_decreasing
        True
        """
        return self._as_index().is_monotonic_decreasing()

    def _as_index(self) -> Any:
        return _cuprum.Index.from_columns([self._handle.column()], [None])

    @property
    def str(self) -> StringMethods:
        """Functions of texts, and some of lists, structs and bytes.

        Raises
        ------
        AttributeError
            For a Series of another dtype.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", None]).str.upper().to_list()
        ['A', nan]
        """
        if self.dtype.element_type is not None:
            return cast("StringMethods", ListsOfTexts(self))
        if self.dtype.fields is not None:
            return cast("StringMethods", FieldsOfStructs(self))
        if self.dtype.name == "binary":
            return cast("StringMethods", BytesMethods(self))
        return StringMethods(self)

    @property
    def dt(self) -> CombinedDatetimelikeProperties:
        """Parts and functions of times, durations and periods.

        Raises
        ------
        AttributeError
            For a Series of another dtype.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.date_range("2026-01-30", periods=3)).dt.month.to_list()
        [1, 1, 2]
        """
        values = self
        if self.dtype == "category":
            values = self.astype(self._handle.column().categories()[0].dtype)
        kind: Any = TimedeltaProperties if values.dtype.kind == "m" else DatetimeProperties
        if values.dtype.freq is not None:
            kind = PeriodProperties
        return kind(values)

    @property
    def cat(self) -> CategoricalAccessor:
        """Functions of categories.

        Raises
        ------
        AttributeError
            For a Series of another dtype.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["b", "a", "b"], dtype="category").cat.categories
        Index(['a', 'b'], dtype='str')
        """
        return CategoricalAccessor(self)

    @property
    def list(self) -> ListMethods:
        """Functions of lists.

        Raises
        ------
        AttributeError
            For a Series of another dtype.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([[1, 2], []]).list.len().to_list()
        [2, 0]
        """
        return ListMethods(self)

    @property
    def struct(self) -> StructAccessor:
        """Functions of structs.

        Raises
        ------
        AttributeError
            For a Series of another dtype.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([{"a": 1}, {"a": 2}]).struct.field("a").to_list()
        [1, 2]
        """
        return StructAccessor(self)

    # Elements.

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

    def __delitem__(self, key: Any) -> None:
        self.pop(key)

    @property
    def values(self) -> Array:
        """The elements as a NumPy array, see `to_numpy`; categories as a ``Categorical`` of pandas.

        Times with a zone are those of UTC, as of pandas.
        """
        return to_values(self._handle.column())

    @property
    def array(self) -> Any:
        """The elements as `values` has them, times with a zone as pandas' ``Timestamp``."""
        return to_array(self._handle.column())

    @property
    def null_count(self) -> int:
        """The number of nulls; see `isna` for what is missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", None]).null_count
        1
        """
        return self._handle.column().null_count()

    @property
    def has_nulls(self) -> bool:
        """Whether there is a null."""
        return self.null_count > 0

    @property
    def valid_count(self) -> int:
        """The number of elements that are not null."""
        return len(self) - self.null_count

    # Selection and iteration.

    get = methods.selection.series_get
    pop = methods.selection.series_pop
    item = methods.selection.item
    squeeze = methods.selection.series_squeeze
    keys = methods.selection.series_keys
    iteritems = methods.selection.iteritems
    items = methods.selection.series_items
    filter = methods.selection.series_filter

    # Operators.

    divmod = methods.operators.divmod_
    rdivmod = methods.operators.rdivmod
    _operate = methods.operators.series_operate
    _negated = methods.operators.series_negated
    _through_numpy = methods.operators.series_through_numpy
    _operate_with = methods.operators.series_operate_with
    __matmul__ = methods.operators.series_matmul
    __rmatmul__ = methods.operators.series_rmatmul
    dot = methods.operators.series_dot

    # Function application.

    agg = methods.series_apply.series_agg
    aggregate = agg
    _has_missing = methods.series_apply.series_has_missing
    _one = methods.series_apply.one
    apply = methods.series_apply.series_apply
    _compatible = methods.series_apply.compatible
    _elements_or_all = methods.series_apply.elements_or_all
    transform = methods.series_apply.series_transform
    map = methods.series_apply.series_map
    _by_element = methods.series_apply.by_element

    # Functions of each element.

    _limits = methods.elementwise.series_limits
    round = methods.elementwise.series_round
    isin = methods.elementwise.series_isin
    between = methods.elementwise.between

    # Elements by condition.

    case_when = methods.where.case_when
    _as_condition = methods.where.series_as_condition
    _beside = methods.where.series_beside
    where = methods.where.series_where

    # Replacement.

    replace = methods.replace.series_replace

    # Reductions.

    _chosen_truths = methods.reductions.series_chosen_truths
    _reduce = methods.reductions.series_reduce
    count = methods.reductions.series_count
    idxmax = methods.reductions.series_idxmax
    idxmin = methods.reductions.series_idxmin
    argmax = methods.reductions.argmax
    argmin = methods.reductions.argmin

    # Aggregation by name.

    _agg_by_name = methods.aggregate.series_agg_by_name

    # Statistics.

    quantile = methods.statistics.series_quantile
    describe = methods.statistics.series_describe
    value_counts = methods.statistics.series_value_counts
    mode = methods.statistics.series_mode
    _shape_of = methods.statistics.series_shape_of

    # Correlation.

    cov = methods.correlation.series_cov
    corr = methods.correlation.series_corr
    autocorr = methods.correlation.autocorr

    # Cumulative functions, shifts and differences.

    diff = methods.cumulative.series_diff

    # Labels.

    set_axis = methods.labels.series_set_axis
    droplevel = methods.labels.series_droplevel
    swaplevel = methods.labels.series_swaplevel
    reorder_levels = methods.labels.series_reorder_levels
    rename = methods.labels.series_rename
    add_prefix = methods.labels.series_add_prefix
    add_suffix = methods.labels.series_add_suffix
    _affixed = methods.labels.series_affixed
    rename_axis = methods.labels.series_rename_axis
    reset_index = methods.index_columns.series_reset_index
    to_frame = methods.index_columns.to_frame

    # Reindexing.

    reindex = methods.reindexing.series_reindex

    # Missing data.

    fillna = methods.missing_data.series_fillna
    dropna = methods.missing_data.series_dropna

    # Dtypes.

    astype = methods.astype.series_astype

    # Sorting.

    digitize = methods.sorting.digitize
    sort_values = methods.sorting.series_sort_values
    argsort = methods.sorting.series_argsort
    factorize = methods.sorting.factorize
    searchsorted = methods.sorting.series_searchsorted
    nlargest = methods.sorting.series_nlargest
    nsmallest = methods.sorting.series_nsmallest

    # Duplicates.

    unique = methods.duplicates.unique
    nunique = methods.duplicates.series_nunique
    drop_duplicates = methods.duplicates.series_drop_duplicates
    duplicated = methods.duplicates.series_duplicated

    # Reshaping.

    explode = methods.reshaping.series_explode
    unstack = _unstack

    # Combining, comparing, aligning.

    combine_first = methods.combining.series_combine_first
    combine = methods.combining.series_combine
    update = methods.combining.series_update

    # Time series.

    to_period = methods.time_series.series_to_period
    to_timestamp = methods.time_series.series_to_timestamp

    # Printing.

    memory_usage = methods.printing.series_memory_usage
    info = methods.printing.series_info
    to_string = methods.printing.series_to_string

    # Conversion and serialization.

    from_pandas = classmethod(methods.conversion.series_from_pandas_)
    from_arrow = classmethod(methods.conversion.series_from_arrow)
    to_numpy = methods.conversion.series_to_numpy
    __array__ = methods.conversion.series_array
    to_pandas = methods.conversion.series_to_pandas
    to_arrow = methods.conversion.series_to_arrow
    __arrow_c_schema__ = methods.conversion.arrow_c_schema
    __arrow_c_array__ = methods.conversion.arrow_c_array
    __arrow_c_stream__ = methods.conversion.series_arrow_c_stream
    __narwhals_series__ = methods.conversion.narwhals_series
    to_arrow_stream = methods.conversion.to_arrow_stream
    to_list = methods.conversion.to_list_
    tolist = to_list
    to_dict = methods.conversion.series_to_dict
    __reduce__ = methods.conversion.series_reduce

    # Interoperability.

    to_pylibcudf = methods.interop.series_to_pylibcudf
    from_pylibcudf: Any = classmethod(methods.interop.series_from_pylibcudf)
    to_dlpack = methods.interop.series_to_dlpack

    # Files.

    to_csv = _to_csv
    to_json = _to_json


def _length(values: Any) -> int:
    return len(values) if hasattr(values, "__len__") else -1
