"""`IndexedFrame`: what DataFrame and Series share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from cuprum.core import methods
from cuprum.core.attributes import Flags
from cuprum.core.copy_on_write import attrs_of
from cuprum.core.devices import OnDevice
from cuprum.core.index.index import wrap_index
from cuprum.core.indexing import AtIndexer, IAtIndexer, ILocIndexer, LocIndexer
from cuprum.core.label_construction import index_handle, levels_of_arrays
from cuprum.core.objects import Wrapper, is_of_users
from cuprum.core.operators import Operators
from cuprum.core.printing import text_by_pandas
from cuprum.core.serialization import Serializable
from cuprum.core.subclasses import adapt, class_with_attrs
from cuprum.core.through_pandas import OfPandas, Pickled, Written
from cuprum.options import printed_by_pandas, text_layout

if TYPE_CHECKING:
    from cuprum.core.index.index import Index

__all__ = ["IndexedFrame"]


class IndexedFrame(OnDevice, Operators, Serializable, Wrapper):
    """Columns whose rows have labels: the methods that `DataFrame` and `Series` have in common."""

    __slots__ = ()

    def _on(self, handle: Any) -> Self:
        return self._with_attrs(self._wrap(handle))

    # Shape and labels.

    @property
    def index(self) -> Index:
        """The labels of the rows, an `Index`; assigning as many others replaces them.

        Raises
        ------
        ValueError
            For another number of labels.

        Examples
        --------
        >>> import cuprum
        >>> s = cuprum.Series([1, 2])
        >>> s.index = ["a", "b"]
        >>> s.index
        Index(['a', 'b'], dtype='str')
        """
        return wrap_index(self._handle.index(), self)

    @index.setter
    def index(self, labels: Any) -> None:
        if labels is None:
            raise TypeError("Index(...) must be called with a collection of some kind, None was passed")
        rows = index_handle(levels_of_arrays(labels))
        self._relabelled(lambda handle: handle.with_index(rows), inplace=True)

    def _name_labels(self, names: list[Any]) -> None:
        """Name the row labels, which may be others by now than whoever names them has seen."""
        self._relabelled(lambda handle: handle.with_index(handle.index().with_names(names)), inplace=True)

    @property
    def axes(self) -> list[Any]:
        """The row labels, in a list; of a DataFrame the column labels, too."""
        return [self.index]

    def __bool__(self) -> bool:
        name = type(self).__name__
        raise ValueError(
            f"The truth value of a {name} is ambiguous. Use a.empty, a.item(), a.any() or a.all()."
        )

    # Selection.

    @property
    def loc(self) -> LocIndexer[Self]:
        """Rows and columns by label: a label, a list, a slice with both ends, or a boolean mask.

        ``df.loc[rows, columns]`` selects both; assigning replaces the elements, a new label adds a row or a
        column.

        Raises
        ------
        KeyError
            For a label that is not there.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]}, index=["x", "y", "z"])
        >>> df.loc["x":"y", "b"]
        x    4
        y    5
        Name: b, dtype: int64
        >>> df.loc[df.a > 2]
           a  b
        z  3  6
        >>> df.loc["z", "a"] = 0
        >>> df.a.to_list()
        [1, 2, 0]
        """
        return LocIndexer(self)

    @property
    def iloc(self) -> ILocIndexer[Self]:
        """Rows and columns by position: an integer, a list, a slice or a boolean mask.

        ``df.iloc[rows, columns]`` selects both; assigning replaces the elements. Negative positions count
        from the end.

        Raises
        ------
        IndexError
            For a position that is not there.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]})
        >>> df.iloc[[0, -1], 1]
        0    4
        2    6
        Name: b, dtype: int64
        >>> df.iloc[1:, 0] = 9
        >>> df.a.to_list()
        [1, 9, 9]
        """
        return ILocIndexer(self)

    @property
    def at(self) -> AtIndexer[Self]:
        """One element by its labels, to read or to assign.

        Raises
        ------
        KeyError
            For a label that is not there, when reading.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"a": [1, 2]}, index=["x", "y"])
        >>> df.at["y", "a"] = 5
        >>> df.at["y", "a"]
        np.int64(5)
        """
        return AtIndexer(self)

    @property
    def iat(self) -> IAtIndexer[Self]:
        """One element by its positions, to read or to assign.

        Raises
        ------
        IndexError
            For a position that is not there.

        Examples
        --------
        >>> import cuprum
        >>> s = cuprum.Series([1, 2, 3])
        >>> s.iat[0] = 7
        >>> s.iat[0], s.iat[-1]
        (np.int64(7), np.int64(3))
        """
        return IAtIndexer(self)

    def __repr__(self) -> str:
        options = printed_by_pandas()
        if options:
            return text_by_pandas(self, options)
        return self._handle.to_text(**text_layout())

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let a class of users whose results are to be of it have methods that return such."""
        super().__init_subclass__(**kwargs)
        if is_of_users(cls):
            adapt(cls)

    @property
    def attrs(self) -> dict[Any, Any]:
        """A dict of one's own, which copies, results of methods, pickles and pandas' frames have too.

        Examples
        --------
        >>> import cuprum
        >>> s = cuprum.Series([1, 2])
        >>> s.attrs["unit"] = "m"
        >>> s.copy().attrs
        {'unit': 'm'}
        """
        if attrs_of(self) is None:
            self.attrs = {}
        return self._attrs

    @attrs.setter
    def attrs(self, value: Mapping[Any, Any]) -> None:
        self._attrs = dict(value)
        # Its results have them, too.
        self.__class__ = class_with_attrs(type(self))

    @property
    def flags(self) -> Flags:
        """The flags of this object: ``flags.allows_duplicate_labels`` is always True."""
        return Flags()

    # Selection and iteration.

    xs = methods.selection.xs
    head = methods.selection.head
    tail = methods.selection.tail
    take = methods.selection.take
    sample = methods.selection.sample

    # Operators.

    _operate_in_place = methods.operators.operate_in_place

    # Function application.

    _method = methods.apply.method
    _has_missing = methods.apply.has_missing
    _is_aggregation = methods.apply.is_aggregation
    _transformed = methods.apply.transformed

    # Groups and windows.

    pipe = methods.group_and_window.pipe
    groupby = methods.group_and_window.groupby
    rolling = methods.group_and_window.rolling
    expanding = methods.group_and_window.expanding
    ewm = methods.group_and_window.ewm

    # Functions of each element.

    __round__ = methods.elementwise.round_
    abs = methods.elementwise.abs_
    clip = methods.elementwise.clip
    scale = methods.elementwise.scale

    # Elements by condition.

    mask = methods.where.mask
    _chosen = methods.where.chosen

    # Reductions.

    sum = methods.reductions.sum_
    prod = methods.reductions.prod
    product = prod
    min = methods.reductions.min_
    max = methods.reductions.max_
    mean = methods.reductions.mean
    median = methods.reductions.median
    std = methods.reductions.std
    var = methods.reductions.var
    sem = methods.reductions.sem
    any = methods.reductions.any_
    all = methods.reductions.all_

    # Statistics.

    skew = methods.statistics.skew
    kurt = methods.statistics.kurt
    kurtosis = kurt

    # Cumulative functions, shifts and differences.

    cumsum = methods.cumulative.cumsum
    cumprod = methods.cumulative.cumprod
    cummax = methods.cumulative.cummax
    cummin = methods.cumulative.cummin
    _cumulative = methods.cumulative.cumulative
    shift = methods.cumulative.shift
    pct_change = methods.cumulative.pct_change

    # Printing.

    _repr_latex_ = methods.printing.repr_latex

    # Reindexing.

    reindex_like = methods.reindexing.reindex_like
    drop = methods.reindexing.drop
    truncate = methods.reindexing.truncate

    # Missing data.

    isna = methods.missing_data.isna
    isnull = methods.missing_data.isnull
    notna = methods.missing_data.notna
    notnull = methods.missing_data.notnull
    ffill = methods.missing_data.ffill
    bfill = methods.missing_data.bfill
    interpolate = methods.missing_data.interpolate

    # Dtypes.

    infer_objects = methods.astype.infer_objects
    convert_dtypes = methods.astype.convert_dtypes
    nans_to_nulls = methods.astype.nans_to_nulls

    # Sorting.

    sort_index = methods.sorting.sort_index
    rank = methods.sorting.rank

    # Reshaping.

    repeat = methods.reshaping.repeat
    tile = methods.reshaping.tile

    # Combining, comparing, aligning.

    equals = methods.combining.equals
    compare = methods.combining.compare
    align = methods.combining.align
    first_valid_index = methods.combining.first_valid_index
    last_valid_index = methods.combining.last_valid_index

    # Time series.

    resample = methods.time_series.resample
    asfreq = methods.time_series.asfreq
    at_time = methods.time_series.at_time
    between_time = methods.time_series.between_time
    tz_localize = methods.time_series.tz_localize
    tz_convert = methods.time_series.tz_convert
    asof = methods.time_series.asof

    # Partitioning.

    hash_values = methods.partitioning.hash_values

    # Conversion and serialization.

    __reduce_ex__ = methods.conversion.reduce_ex

    # Metadata.

    set_flags = methods.attributes.set_flags

    # pandas' own, of the object as pandas has it.

    hist = OfPandas()
    plot = OfPandas()
    to_clipboard = Written()
    to_excel = Written()
    to_hdf = OfPandas()
    to_latex = Written()
    to_markdown = Written()
    to_pickle = Pickled()
    to_sql = Written()
    to_xarray = OfPandas()
