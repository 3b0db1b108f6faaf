"""Types of arguments and results, for annotations.

Names of choices are what the functions accept at run time. Import them where a program has functions of its own
around Cuprum's:

>>> import cuprum
>>> from cuprum.typing import JoinHow
>>> def joined(left: cuprum.DataFrame, right: cuprum.DataFrame, how: JoinHow = "inner") -> cuprum.DataFrame:
...     return left.merge(right, how=how, on="key")
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from decimal import Decimal
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypeAlias, TypedDict, TypeVar

from cuprum._cuprum import Column, DType

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series

# Types of the objects of methods: see `cuprum.core.methods`.

FrameOrSeries: TypeAlias = "DataFrame | Series"
AnyFrame = TypeVar("AnyFrame", bound="DataFrame")
AnyIndex = TypeVar("AnyIndex", bound="Index")
AnySeries = TypeVar("AnySeries", bound="Series")
AnyObject = TypeVar("AnyObject", bound="FrameOrSeries")

# Elements, labels, and what selects several.

# An element, or a value in the type of the elements, which the dtype alone tells.
Scalar: TypeAlias = Any


class SupportsArray(Protocol):
    """Arrays, and the columns of Cuprum, pandas, Arrow and Polars, which NumPy takes for arrays."""

    def __array__(self) -> Any:
        """Return an array of NumPy."""


# A label of one level; a tuple is one of several levels.
OneLabel: TypeAlias = "str | bytes | float | Decimal | datetime.date | datetime.timedelta | np.generic | None"
Position: TypeAlias = "int | np.integer[Any]"
Positions: TypeAlias = "slice | list[Any] | range | SupportsArray | Column | Callable[[Any], Any]"
Label: TypeAlias = "OneLabel | tuple[Any, ...]"
# Texts are sequences, too: where one is a label, that comes first.
ListLike: TypeAlias = (
    "Sequence[Any] | SupportsArray | Column | Iterator[Any] | KeysView[Any] | ValuesView[Any]"
)
LabelOrLabels: TypeAlias = "Label | ListLike"
# Rows or columns by a slice, labels, positions or truth values, or by a function of the object that returns them.
Several: TypeAlias = "slice | ListLike | Callable[[Any], Any]"
# A type by its name, one of Python, NumPy, pandas or Arrow.
AnyDType: TypeAlias = "str | type | DType | np.dtype[Any] | Any"
Array: TypeAlias = "np.ndarray[Any, Any]"
# Keys of group-by: labels, a Grouper, a function of row labels, a mapping of them, keys row by row.
Keys: TypeAlias = Any
AggFunc: TypeAlias = "str | Callable[..., Any]"
AggFuncs: TypeAlias = "list[AggFunc] | tuple[AggFunc, ...] | Mapping[Any, Any]"
FrameLike: TypeAlias = "DataFrame | Series | pd.DataFrame | pd.Series"
# A frequency by its name, a length of time or an offset.
Frequency: TypeAlias = "str | datetime.timedelta | Any"
# Sizes of windows: rows, a length of time, or an indexer of pandas.
WindowSize: TypeAlias = "int | str | datetime.timedelta | Any"
# New names: a mapping of names, or a function.
Renamer: TypeAlias = "Mapping[Any, Any] | Callable[[Any], Any] | Series | None"
Default = TypeVar("Default")
Result = TypeVar("Result")
P = ParamSpec("P")


class NamedRow(tuple[Any, ...]):
    """A row of `DataFrame.itertuples`: its elements are attributes, too."""

    def __getattr__(self, name: str) -> Scalar:
        """Return an element by the label of its column."""


class HasColumns(Protocol):
    """A frame, where a method of frames and series is declared for both."""

    @property
    def columns(self) -> Any:
        """The labels of the columns."""


class SeriesLike(Protocol):
    """A series, also of pandas, beside a frame or an index."""

    @property
    def index(self) -> Any:
        """The labels of the rows."""

    def to_frame(self) -> Any:
        """Return the DataFrame of the one column.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2], name="a").to_frame()
           a
        0  1
        1  2
        """


# Files.


class SupportsRead(Protocol):
    """A file open for reading."""

    def read(self, size: int = ..., /) -> Any:
        """Return the next bytes or characters.

        Parameters
        ----------
        size : int, optional
            How many; by default all that are left.

        Examples
        --------
        >>> import io
        >>> io.BytesIO(b"a,b").read(1)
        b'a'
        """


class SupportsWrite(Protocol):
    """A file open for writing."""

    def write(self, content: Any, /) -> Any:
        """Write bytes or characters.

        Parameters
        ----------
        content : bytes or str
            What is written.

        Examples
        --------
        >>> import io
        >>> io.BytesIO().write(b"a,b")
        3
        """


FilePath: TypeAlias = str | PathLike[str]
ReadSource: TypeAlias = FilePath | bytes | SupportsRead
# A data set: a file, a directory, or a list of them.
ReadSources: TypeAlias = ReadSource | Sequence[ReadSource]
WriteTarget: TypeAlias = FilePath | SupportsWrite
StorageOptions: TypeAlias = Mapping[str, Any]
TextCompression: TypeAlias = Literal["infer", "gzip", "bz2", "zip", "xz", "zstd", "tar"]
ParquetCompression: TypeAlias = Literal["snappy", "gzip", "zstd", "brotli", "lz4"]
OrcCompression: TypeAlias = Literal["snappy", "zlib", "zstd", "lz4", "uncompressed"]
FeatherCompression: TypeAlias = Literal["lz4", "zstd", "uncompressed"]
AvroCompression: TypeAlias = Literal["snappy", "deflate", "zstandard", "null"]
Statistics: TypeAlias = Literal["PAGE", "ROWGROUP", "COLUMN", "NONE"]
CsvEngine: TypeAlias = Literal["c", "python", "python-fwf", "pyarrow"]
FloatPrecision: TypeAlias = Literal["high", "legacy", "round_trip"]
BadLines: TypeAlias = Literal["error", "warn", "skip"]
WriteMode: TypeAlias = Literal["w", "a", "x", "wt", "at", "xt", "wb", "ab", "xb"]
Justify: TypeAlias = Literal[
    "left",
    "right",
    "center",
    "justify",
    "justify-all",
    "start",
    "end",
    "inherit",
    "match-parent",
    "initial",
    "unset",
]
JsonOrient: TypeAlias = Literal["split", "records", "index", "columns", "values"]
JsonOrientWritten: TypeAlias = Literal["split", "records", "index", "columns", "values", "table"]
DateFormat: TypeAlias = Literal["iso", "epoch"]

# Choices.

Axis: TypeAlias = Literal[0, 1, "index", "rows", "columns"]
RowAxis: TypeAlias = Literal[0, "index", "rows"]
JoinHow: TypeAlias = Literal[
    "inner", "left", "right", "outer", "cross", "left_anti", "right_anti", "leftsemi", "leftanti"
]
OrderedHow: TypeAlias = Literal["inner", "left", "right", "outer"]
Validate: TypeAlias = Literal[
    "1:1", "1:m", "m:1", "m:m", "one_to_one", "one_to_many", "many_to_one", "many_to_many"
]
AsofDirection: TypeAlias = Literal["backward", "forward", "nearest"]
Keep: TypeAlias = Literal["first", "last", False]
KeepOfTop: TypeAlias = Literal["first", "last", "all"]
SortKind: TypeAlias = Literal["quicksort", "mergesort", "heapsort", "stable"]
NaPosition: TypeAlias = Literal["first", "last"]
Side: TypeAlias = Literal["left", "right"]
PadSide: TypeAlias = Literal["left", "right", "both"]
Closed: TypeAlias = Literal["left", "right", "both", "neither"]
DropnaHow: TypeAlias = Literal["any", "all"]
ErrorsIgnored: TypeAlias = Literal["raise", "ignore"]
ErrorsCoerced: TypeAlias = Literal["raise", "coerce"]
NaAction: TypeAlias = Literal["ignore"]
FillMethod: TypeAlias = Literal["ffill", "pad", "bfill", "backfill", "nearest"]
LimitDirection: TypeAlias = Literal["forward", "backward", "both"]
LimitArea: TypeAlias = Literal["inside", "outside"]
Interpolation: TypeAlias = Literal["linear", "lower", "higher", "midpoint", "nearest"]
RoundingHow: TypeAlias = Literal["half_even", "half_up"]
RankMethod: TypeAlias = Literal["average", "min", "max", "first", "dense"]
WindowRankMethod: TypeAlias = Literal["average", "min", "max"]
NaOption: TypeAlias = Literal["keep", "top", "bottom"]
CorrelationName: TypeAlias = Literal["pearson", "kendall", "spearman"]
CorrelationMethod: TypeAlias = "CorrelationName | Callable[[Array, Array], float]"
DictOrient: TypeAlias = Literal["dict", "list", "series", "split", "tight", "records", "index"]
FromDictOrient: TypeAlias = Literal["columns", "index", "tight"]
Convention: TypeAlias = Literal["start", "end", "s", "e"]
PeriodSide: TypeAlias = Literal["start", "end", "S", "E"]
TimeUnit: TypeAlias = Literal["s", "ms", "us", "ns"]
Downcast: TypeAlias = Literal["integer", "signed", "unsigned", "float"]
ResultType: TypeAlias = Literal["reduce", "broadcast", "expand"]
ByRow: TypeAlias = Literal["compat", False]
UnicodeForm: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]
DuplicateEdges: TypeAlias = Literal["raise", "drop"]
DtypeBackend: TypeAlias = Literal["numpy_nullable", "pyarrow"]
HashMethod: TypeAlias = Literal[
    "murmur3", "xxhash32", "xxhash64", "md5", "sha1", "sha224", "sha256", "sha384", "sha512"
]
Parser: TypeAlias = Literal["pandas"]
Engine: TypeAlias = Literal["python", "numexpr"]
ParquetEngine: TypeAlias = Literal["auto", "pyarrow", "cudf"]
OrcEngine: TypeAlias = Literal["pyarrow", "cudf"]
JsonEngine: TypeAlias = Literal["auto", "ujson", "pandas", "cudf"]
GroupEngine: TypeAlias = Literal["auto", "cudf", "jit"]

# Arguments of functions that answer in two ways, without those on which that depends.


class SortOptions(TypedDict, total=False):
    """Of `sort_values`."""

    axis: Axis
    ascending: bool | Sequence[bool]
    kind: SortKind
    na_position: NaPosition
    ignore_index: bool
    key: Callable[[Any], Any] | None


class SortIndexOptions(SortOptions, total=False):
    """Of `sort_index`."""

    level: LabelOrLabels
    sort_remaining: bool


class GroupOptions(TypedDict, total=False):
    """Of `groupby`."""

    sort: bool
    group_keys: bool
    observed: bool
    dropna: bool


class ConcatOptions(TypedDict, total=False):
    """Of `concat`."""

    join: Literal["outer", "inner"]
    ignore_index: bool
    keys: Iterable[Any] | None
    levels: Sequence[Any] | None
    names: Sequence[Any] | None
    verify_integrity: bool
    sort: bool | None
    copy: bool | None


class DatetimeOptions(TypedDict, total=False):
    """Of `to_datetime`."""

    dayfirst: bool
    yearfirst: bool
    utc: bool
    format: str | None
    exact: bool
    unit: str | None
    origin: Any
    cache: bool
