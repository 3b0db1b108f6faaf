"""`DataFrame`: labelled columns over labelled rows."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from cuprum.core import methods, objects
from cuprum.core.arguments import (
    is_list_like,
    only_truth,
    plain_labels,
)
from cuprum.core.devices import check_arrow_reads
from cuprum.core.frame_construction import frame_handle, made_with_nan
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.indexed_frame import IndexedFrame
from cuprum.core.label_construction import levels_of_arrays, with_levels_of
from cuprum.core.method_names import with_own_methods
from cuprum.core.objects import set_handle, wrap_frame, wrap_series
from cuprum.core.operators import FrameMethods
from cuprum.core.quick import quicken
from cuprum.core.reshape.melt import melt as _melt
from cuprum.core.reshape.merge import join as _join
from cuprum.core.reshape.merge import merge as _merge
from cuprum.core.reshape.pivot import pivot as _pivot
from cuprum.core.reshape.pivot import pivot_table as _pivot_table
from cuprum.core.reshape.stack import stack as _stack
from cuprum.core.reshape.unstack import unstack as _unstack
from cuprum.core.series import Series
from cuprum.core.through_pandas import OfPandas, Written, WrittenToStata
from cuprum.io.avro import to_avro as _to_avro
from cuprum.io.csv.writing import to_csv as _to_csv
from cuprum.io.feather import to_feather as _to_feather
from cuprum.io.json import to_json as _to_json
from cuprum.io.orc import to_orc as _to_orc
from cuprum.io.parquet import to_parquet as _to_parquet
from cuprum.options import get_option

if TYPE_CHECKING:
    from cuprum.typing import AnyDType, Array, LabelOrLabels

__all__ = ["DataFrame", "GroupFrame"]


class _Columns:
    """Whom the index of a frame's column labels belongs to, as long as it lives: naming it names them."""

    __slots__ = ("frame",)

    def __init__(self, frame: DataFrame) -> None:
        # The frame's handle holds the index.
        self.frame = weakref.ref(frame)

    def _name_labels(self, names: list[Any]) -> None:
        frame = self.frame()
        if frame is not None:
            frame._relabelled(lambda handle: handle.with_labels(handle.labels(), names), inplace=True)


@quicken
@with_own_methods
class DataFrame(FrameMethods, IndexedFrame):
    """Columns of one dtype each, with labels for columns and rows.

    Parameters
    ----------
    data : dict, list, array, DataFrame or object with an Arrow stream, optional
        A dict of labels and columns (lists, arrays, Series matched by label, scalars repeated); a list of
        dicts or of rows; a NumPy array of one or two dimensions; a pandas DataFrame; any object that exports
        an Arrow stream; another DataFrame.
    index : list-like, optional
        The labels of the rows; 0, 1, … by default.
    columns : list-like, optional
        The labels of the columns; of data that have labels, those to keep.
    dtype : dtype, optional
        One dtype for all columns; found from the data by default.
    copy : bool, optional
        Has no effect: memory that others write is always copied.
    nan_as_null : bool, optional
        Whether NaN among the data is null, as in `Series`.

    Raises
    ------
    ValueError
        For columns of unlike lengths.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, 2], "b": ["x", None]})
       a    b
    0  1    x
    1  2  NaN
    >>> cuprum.DataFrame([[1, 2], [3, 4]], index=["x", "y"], columns=["a", "b"])
       a  b
    x  1  2
    y  3  4
    >>> cuprum.DataFrame({"a": cuprum.Series([1, 2]), "b": cuprum.Series([3], index=[1])})
       a     b
    0  1  <NA>
    1  2     3
    """

    __slots__ = ("_handle",)

    def __init__(
        self,
        data: Any = None,
        index: LabelOrLabels = None,
        columns: LabelOrLabels = None,
        dtype: AnyDType | None = None,
        copy: bool | None = None,
        *,
        nan_as_null: bool | None = None,
    ) -> None:
        only_truth("DataFrame", copy=copy)
        set_handle(self, made_with_nan(nan_as_null, frame_handle, data, index, columns, dtype))

    _wrap = staticmethod(wrap_frame)

    def _map(self, function: Any, inplace: bool = False) -> Any:
        def each(handle: Any) -> Any:
            columns = [function(handle.column_at(i)).column() for i in range(handle.num_columns())]
            return handle.with_columns(columns)

        return self._changed(each, inplace)

    # Properties.

    @property
    def columns(self) -> Index:
        """The labels of the columns, an `Index`; assigning as many others renames all columns.

        Raises
        ------
        ValueError
            For another number of labels.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"a": [1], "b": [2]})
        >>> df.columns = ["x", "y"]
        >>> df.columns
        Index(['x', 'y'], dtype='str')
        """
        handle = self._handle
        try:
            made = handle.made_columns
            # Another frame may have been around the handle.
            if made._owner.frame() is self:
                return made
        except AttributeError:
            pass
        made = handle.made_columns = wrap_index(handle.columns_index(), _Columns(self))
        return made

    @columns.setter
    def columns(self, labels: Any) -> None:
        if not is_list_like(labels):
            raise TypeError(
                f"Index(...) must be called with a collection of some kind, {labels!r} was passed"
            )
        index = levels_of_arrays(labels)
        labels = plain_labels(index)

        def relabel(handle: Any) -> Any:
            if len(labels) != handle.num_columns():
                raise ValueError(
                    f"Length mismatch: Expected axis has {handle.num_columns()} elements, "
                    f"new values have {len(labels)} elements"
                )
            handle = handle.with_labels(labels)
            return with_levels_of(handle.with_labels(labels, [None] * handle.num_levels()), index)

        self._relabelled(relabel, inplace=True)

    @property
    def dtypes(self) -> Series:
        """The dtypes of the columns, a Series of objects labelled by the columns.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"a": [1], "b": ["x"]}).dtypes
        a    int64
        b      str
        dtype: object
        """
        handle = self._handle
        return objects.record(handle.labels(), handle.dtypes(), None, handle.level_names())

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns, a tuple.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]}).shape
        (3, 2)
        """
        return self._handle.shape()

    @property
    def size(self) -> int:
        """The number of elements."""
        rows, columns = self._handle.shape()
        return rows * columns

    @property
    def empty(self) -> bool:
        """Whether there is no element: no row or no column. Missing elements count.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"a": []}).empty, cuprum.DataFrame({"a": [None]}).empty
        (True, False)
        """
        return self.size == 0

    @property
    def ndim(self) -> int:
        """Always 2."""
        return 2

    @property
    def axes(self) -> list[Index]:
        """The row labels and the column labels, a list of two."""
        return [self.index, self.columns]

    @property
    def T(self) -> DataFrame:
        """The transposed frame; see `transpose`."""
        return self.transpose()

    @property
    def __arrow_c_device_array__(self) -> Any:
        check_arrow_reads(self._handle.device())
        return self._arrow_device_array

    @property
    def values(self) -> Array:
        """The elements as a NumPy array of two dimensions; see `to_numpy`."""
        return self.to_numpy()

    if not TYPE_CHECKING:  # a column, which no checker knows

        def __getattr__(self, name: str) -> Any:
            if not name.startswith("__"):
                try:
                    return wrap_series(self._handle.column(name))
                except KeyError:
                    if (
                        self._handle.num_levels() > 1
                        and (below := self._handle.select_prefix([name])) is not None
                    ):
                        return wrap_frame(below)
                except ValueError:
                    return self._called(name)
            if hasattr(type(self), name):  # a property that has failed: say why
                return object.__getattribute__(self, name)
            raise AttributeError(f"'DataFrame' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(type(self), name):
            object.__setattr__(self, name, value)
        elif self._handle.contains(name):
            self[name] = value
        elif hasattr(self, "__dict__"):  # of a class of users
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(
                f"'DataFrame' object has no attribute '{name}'; add a column with df[{name!r}] = …"
            )

    def __dir__(self) -> list[str]:
        labels = (label[0] if isinstance(label, tuple) else label for label in self._handle.labels())
        offered = list(dict.fromkeys(labels))[: get_option("display.max_dir_items")]
        return [*super().__dir__(), *(one for one in offered if isinstance(one, str) and one.isidentifier())]

    # Columns by label.

    __getitem__ = methods.columns.getitem
    _called = methods.columns.called
    _ipython_key_completions_ = methods.columns.ipython_key_completions
    __setitem__ = methods.columns.setitem
    _set_column = methods.columns.set_column
    _repeated = methods.columns.repeated
    _set_columns = methods.columns.set_columns
    __delitem__ = methods.columns.delitem
    __contains__ = methods.columns.contains
    __iter__ = methods.columns.iter_
    keys = methods.columns.frame_keys
    items = methods.columns.frame_items
    get = methods.columns.frame_get
    pop = methods.columns.frame_pop
    isetitem = methods.columns.isetitem
    insert = methods.columns.insert
    assign = methods.columns.assign

    # Selection and iteration.

    select = methods.selection.select
    _computed_column = methods.selection.computed_column
    filter = methods.selection.frame_filter
    select_dtypes = methods.selection.select_dtypes
    squeeze = methods.selection.frame_squeeze

    # Operators.

    __matmul__ = methods.operators.frame_matmul
    __rmatmul__ = methods.operators.frame_rmatmul
    dot = methods.operators.frame_dot
    _operate = methods.operators.frame_operate
    _negated = methods.operators.frame_negated
    _through_numpy = methods.operators.frame_through_numpy
    _operate_with = methods.operators.frame_operate_with

    # Expressions in texts.

    query = methods.query.query
    eval = methods.query.eval_

    # Function application.

    agg = methods.frame_apply.frame_agg
    aggregate = agg
    apply = methods.frame_apply.frame_apply
    _has_missing = methods.frame_apply.frame_has_missing
    _by_column = methods.frame_apply.by_column
    transform = methods.frame_apply.frame_transform
    map = methods.frame_apply.frame_map

    # Functions of each element.

    _limits = methods.elementwise.frame_limits
    round = methods.elementwise.frame_round
    isin = methods.elementwise.frame_isin

    # Elements by condition.

    _as_condition = methods.where.frame_as_condition
    _beside = methods.where.frame_beside
    where = methods.where.frame_where

    # Replacement.

    replace = methods.replace.frame_replace

    # Reductions.

    _reduce = methods.reductions.frame_reduce
    _chosen_truths = methods.reductions.frame_chosen_truths
    count = methods.reductions.frame_count
    nunique = methods.reductions.frame_nunique
    idxmax = methods.reductions.frame_idxmax
    idxmin = methods.reductions.frame_idxmin
    _labels_of = methods.reductions.labels_of

    # Aggregation by name.

    _beside_each_other = methods.aggregate.beside_each_other
    _agg_by_name = methods.aggregate.frame_agg_by_name
    _named = methods.aggregate.named
    _several = methods.aggregate.several

    # Statistics.

    quantile = methods.statistics.frame_quantile
    describe = methods.statistics.frame_describe
    value_counts = methods.statistics.frame_value_counts
    mode = methods.statistics.frame_mode
    _shape_of = methods.statistics.frame_shape_of

    # Correlation.

    corr = methods.correlation.frame_corr
    cov = methods.correlation.frame_cov
    corrwith = methods.correlation.corrwith

    # Cumulative functions, shifts and differences.

    diff = methods.cumulative.frame_diff
    pct_change = methods.cumulative.frame_pct_change

    # Labels.

    droplevel = methods.labels.frame_droplevel
    swaplevel = methods.labels.frame_swaplevel
    reorder_levels = methods.labels.frame_reorder_levels
    set_index = methods.index_columns.set_index
    reset_index = methods.index_columns.frame_reset_index
    rename = methods.labels.frame_rename
    rename_axis = methods.labels.frame_rename_axis
    add_prefix = methods.labels.frame_add_prefix
    add_suffix = methods.labels.frame_add_suffix
    _affixed = methods.labels.frame_affixed
    set_axis = methods.labels.frame_set_axis

    # Reindexing.

    reindex = methods.reindexing.frame_reindex

    # Missing data.

    fillna = methods.missing_data.frame_fillna
    dropna = methods.missing_data.frame_dropna

    # Dtypes.

    astype = methods.astype.frame_astype

    # Sorting.

    sort_values = methods.sorting.frame_sort_values
    nlargest = methods.sorting.frame_nlargest
    nsmallest = methods.sorting.frame_nsmallest
    argsort = methods.sorting.frame_argsort
    searchsorted = methods.sorting.frame_searchsorted

    # Duplicates.

    drop_duplicates = methods.duplicates.frame_drop_duplicates
    duplicated = methods.duplicates.frame_duplicated

    # Reshaping.

    explode = methods.reshaping.frame_explode
    transpose = methods.reshaping.transpose
    interleave_columns = methods.reshaping.interleave_columns
    to_struct = methods.reshaping.to_struct
    melt = _melt
    pivot = _pivot
    pivot_table = _pivot_table
    stack = _stack
    unstack = _unstack

    # Combining, comparing, aligning.

    combine_first = methods.combining.frame_combine_first
    combine = methods.combining.frame_combine
    update = methods.combining.frame_update
    merge = _merge
    join = _join

    # Time series.

    to_period = methods.time_series.frame_to_period
    to_timestamp = methods.time_series.frame_to_timestamp

    # Partitioning.

    partition_by_hash = methods.partitioning.partition_by_hash
    scatter_by_map = methods.partitioning.scatter_by_map
    _parts = methods.partitioning.parts

    # Printing.

    memory_usage = methods.printing.frame_memory_usage
    info = methods.printing.frame_info
    to_string = methods.printing.frame_to_string
    _repr_html_ = methods.printing.repr_html
    to_html = methods.printing.to_html_

    # Conversion and serialization.

    from_dict = classmethod(methods.conversion.from_dict)
    from_records = classmethod(methods.conversion.from_records)
    from_pandas = classmethod(methods.conversion.frame_from_pandas_)
    from_arrow = classmethod(methods.conversion.frame_from_arrow_)
    to_pandas = methods.conversion.frame_to_pandas
    to_arrow = methods.conversion.frame_to_arrow
    __arrow_c_stream__ = methods.conversion.frame_arrow_c_stream
    __narwhals_dataframe__ = methods.conversion.narwhals_dataframe
    __dataframe__ = methods.conversion.dataframe
    _arrow_device_array = methods.conversion.arrow_device_array
    to_numpy = methods.conversion.frame_to_numpy
    __array__ = methods.conversion.frame_array
    to_dict = methods.conversion.frame_to_dict
    to_records = methods.conversion.to_records
    iterrows = methods.conversion.iterrows
    itertuples = methods.conversion.itertuples
    __reduce__ = methods.conversion.frame_reduce

    # Interoperability.

    to_pylibcudf = methods.interop.frame_to_pylibcudf
    from_pylibcudf: Any = classmethod(methods.interop.frame_from_pylibcudf)
    to_dlpack = methods.interop.frame_to_dlpack

    # Files.

    to_avro = _to_avro
    to_csv = _to_csv
    to_feather = _to_feather
    to_json = _to_json
    to_orc = _to_orc
    to_parquet = _to_parquet

    # pandas' own, of the frame as pandas has it.

    boxplot = OfPandas()
    style = OfPandas()
    to_stata = WrittenToStata()
    to_xml = Written()


class GroupFrame(DataFrame):
    """The rows of a group, as a user's function sees them: their ``name`` is the key of the group."""

    __slots__ = ("name",)


# Messages call it what it is for users.
GroupFrame.__name__ = GroupFrame.__qualname__ = "DataFrame"
