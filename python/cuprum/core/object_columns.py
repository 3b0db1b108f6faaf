"""Series and frames with columns of Python objects, dtype ``object``.

No kernel reads objects: a column holds positions in a store of objects, and its rows move like all others, on every
device. Whatever looks at the objects themselves is done by pandas, and objects in its result stay objects.
`SeriesOfObjects` moves rows itself and leaves all else to pandas. `FrameWithObjects` tries each method first, since
most of its columns may have other types.

Both are `Series` and `DataFrame` to users: an object gets the class for the columns that it has, whenever they change
(`objects.fit`).
"""

from __future__ import annotations

import functools
import inspect
import operator
import sys
import time
import warnings
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from types import FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core.arguments import check_truth, is_list_like, only_truth
from cuprum.core.chained_assignment import SETITEM, warn_if_chained
from cuprum.core.construction import column_from
from cuprum.core.conversion import exact_to_pandas
from cuprum.core.copy_on_write import Sharing, register_with_objects
from cuprum.core.dataframe import DataFrame
from cuprum.core.dtypes import dtype_to_pandas
from cuprum.core.frame_construction import frame_from_pandas, series_from_pandas
from cuprum.core.index.index import Index
from cuprum.core.indexing import position_of
from cuprum.core.interop import to_pandas_array
from cuprum.core.label_columns import has_mixed_labels
from cuprum.core.label_construction import index_of_labels
from cuprum.core.missing import is_missing
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.objects_in_arrow import what_has_no_type
from cuprum.core.series import Series
from cuprum.core.slow_calls import warn_if_slow
from cuprum.core.through_pandas import OfPandas

if TYPE_CHECKING:
    from cuprum.typing import ErrorsIgnored, NaAction

__all__ = [
    "FrameWithObjects",
    "SeriesOfObjects",
    "by_pandas",
    "from_pandas",
    "mixed_by_pandas",
    "operate_by_pandas",
    "record",
    "set_elements",
]


def _to_pandas(value: Any, nullable: bool = False) -> Any:
    """Return an argument as pandas takes it; columns of those with ``nullable`` come back as they were."""
    if isinstance(value, (Series, DataFrame)):
        return value.to_pandas(nullable=nullable)
    if isinstance(value, Index):
        return value.to_pandas()
    if isinstance(value, DType):
        return dtype_to_pandas(value)
    if isinstance(value, _OfPandas):
        return value._found
    if type(value) in (list, tuple):
        return type(value)(_to_pandas(part, nullable) for part in value)
    if type(value) is dict:
        return {key: _to_pandas(part, nullable) for key, part in value.items()}
    name = value.__name__ if isinstance(value, FunctionType) else None
    if name is not None and getattr(Series, name, None) is value:
        import pandas as pd

        return getattr(pd.Series, name, value)
    return value


def from_pandas(result: Any) -> Any:
    """Return what pandas gives as it is here; columns of objects stay such, and pandas' is what has them as labels."""
    import pandas as pd

    if isinstance(result, (pd.Series, pd.DataFrame, pd.Index)):
        try:
            return _ours(result)
        except TypeError:
            if not _has_objects_as_labels(result):
                raise
            return result
    if type(result) is tuple:
        return tuple(map(from_pandas, result))
    of = type(result).__module__ or ""
    is_helper = of == "pandas.api.typing" or (of.startswith("pandas.core.") and "arrays" not in of)
    return _OfPandas(result) if is_helper and not pd.api.types.is_scalar(result) else result


def _ours(result: Any) -> Any:
    if result.ndim == 2:
        return wrap_frame(frame_from_pandas(result, objects=True))
    return wrap_series(series_from_pandas(result, objects=True)) if hasattr(result, "iloc") else Index(result)


def _has_objects_as_labels(result: Any) -> bool:
    """Whether labels of a frame or series of pandas, or of an index, are objects: those that are none of ours."""
    for labels in getattr(result, "axes", [result]):
        for label in labels:
            for part in label if type(label) is tuple else (label,):
                try:
                    _cuprum.object_index([part])
                except TypeError:
                    return True
    return False


class _OfPandas:
    """Something of pandas (groups, windows, an accessor) whose results are objects of ours."""

    __slots__ = ("_found",)

    def __init__(self, found: Any) -> None:
        self._found = found

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._found, name)
        ours = from_pandas(found)
        if ours is not found or not callable(found) or isinstance(found, type):
            return ours

        @functools.wraps(found)
        def method(*args: Any, **kwargs: Any) -> Any:
            return from_pandas(found(*map(_to_pandas, args), **{k: _to_pandas(v) for k, v in kwargs.items()}))

        return method

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return from_pandas(
            self._found(*map(_to_pandas, args), **{k: _to_pandas(v) for k, v in kwargs.items()})
        )

    def __getitem__(self, key: Any) -> Any:
        return from_pandas(self._found[_to_pandas(key)])

    def __iter__(self) -> Iterator[Any]:
        return map(from_pandas, self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __dir__(self) -> list[str]:
        return dir(self._found)


def by_pandas(obj: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the result of pandas' method of a name with a frame or series; what it changes there is changed here."""
    args, kwargs = tuple(map(_to_pandas, args)), {k: _to_pandas(v) for k, v in kwargs.items()}
    if obj.ndim == 2 and name in _KEEP_ELEMENTS:
        # Integers beside missing elements stay such, unless what comes to stand beside them is none.
        with suppress(TypeError, ValueError):
            return _answered(obj, exact_to_pandas(obj), name, args, kwargs)
    return _answered(obj, obj.to_pandas(), name, args, kwargs)


def _answered(obj: Any, theirs: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the result of a method of pandas' frame or series for one of ours; what it changes is changed in ours."""
    began = time.perf_counter()
    try:
        result = getattr(theirs, name)(*args, **kwargs)
    except (TypeError, ValueError, NotImplementedError) as error:
        if name in _IN_TYPES_OF_ARROW and (said := what_has_no_type(obj)) is not None:
            raise type(error)(f"{said} ({'; '.join(map(str, error.args))})") from None
        raise
    warn_if_slow(
        f"{name} of columns of Python objects is left to pandas, which takes long: astype gives them a type",
        0,
        time.perf_counter() - began,
    )
    if kwargs.get("inplace") or name in _CHANGING:
        become(obj, theirs)
        return obj if result is theirs else from_pandas(result)
    return from_pandas(result)


# Methods that write files of Arrow's types.
_IN_TYPES_OF_ARROW = frozenset({"to_feather", "to_orc", "to_parquet"})
# Methods that change the object itself.
_CHANGING = frozenset({"__delitem__", "__setitem__", "insert", "isetitem", "pop", "update"})
# Methods that choose among elements that there are, or put others in their place.
_KEEP_ELEMENTS = _CHANGING | {
    "bfill",
    "combine_first",
    "explode",
    "ffill",
    "fillna",
    "mask",
    "replace",
    "where",
}


def become(obj: Any, theirs: Any) -> None:
    """Give an object the columns and labels of one of pandas."""
    handle = (series_from_pandas if obj.ndim == 1 else frame_from_pandas)(theirs, objects=True)
    obj._replaced(lambda _: handle, inplace=True)


def operate_by_pandas(obj: Any, other: Any, op: str, reflected: bool) -> Any:
    """Return ``obj op other``, or ``other op obj`` if reflected, as pandas has it."""
    function = getattr(operator, f"{op}_" if op in ("and", "or") else op)
    ours, theirs = obj.to_pandas(), _to_pandas(other)
    return from_pandas(function(theirs, ours) if reflected else function(ours, theirs))


def mixed_by_pandas(function: Any, args: Any, kwargs: dict[str, Any]) -> tuple[Any] | None:
    """Return the result of pandas' function of a name, alone in a tuple, if that or an argument has objects."""
    import pandas as pd

    name = function.__name__
    is_method = "." in function.__qualname__ or not hasattr(pd, name)
    given = [*_frames_in([*args, *kwargs.values()])]
    has_objects = any(map(_has_objects, given))
    matches_rows = name in ("concat", "join", "merge")
    by_labels = not has_objects and _have_mixed_labels(given, matches_rows)
    # Integers beside rows that one side has not stay integers.
    nullable = by_labels and matches_rows
    theirs = _to_pandas(list(args), nullable)
    named = {k: _to_pandas(v, nullable) for k, v in kwargs.items()}
    try:
        with warnings.catch_warnings():
            # These arguments of `join` go on being there here.
            warnings.filterwarnings("ignore", "The 'lsuffix' and", DeprecationWarning)
            result = (
                getattr(theirs[0], name)(*theirs[1:], **named)
                if is_method
                else getattr(pd, name)(*theirs, **named)
            )
    except Exception:
        return None
    changed = theirs[0] if named.get("inplace") else None
    made = result if changed is None else changed
    types = made.dtypes if isinstance(made, pd.DataFrame) else [getattr(made, "dtype", None)]
    if not has_objects and not by_labels and not any(map(_is_object, types)):
        return None
    if changed is not None:
        become(args[0], changed)
        return (args[0] if result is changed else None,)
    return (from_pandas(result),)


def _frames_in(arguments: Any) -> Iterator[Any]:
    """Return the frames, series and indexes among arguments, in lists and dicts too."""
    for argument in arguments:
        if isinstance(argument, (Series, DataFrame, Index)):
            yield argument
        elif isinstance(argument, (list, tuple)):
            yield from _frames_in(argument)
        elif type(argument) is dict:
            yield from _frames_in(argument.values())


def _has_objects(argument: Any) -> bool:
    """Whether a frame or series has columns of objects or periods."""
    if isinstance(argument, Index):
        return False
    types = [argument.dtype] if isinstance(argument, Series) else argument._handle.dtypes()
    return any(dtype.is_object or dtype.freq is not None for dtype in types)


def _have_mixed_labels(arguments: list[Any], together: bool) -> bool:
    """Whether rows or columns of frames, or rows of series, have labels of several kinds, or all rows ``together``."""
    labels = [labels._handle for one in arguments for labels in getattr(one, "axes", [one])]
    if any(map(has_mixed_labels, labels)):
        return True
    rows = [one._handle.index() for one in arguments if together and not isinstance(one, Index)]
    return {index.nlevels() for index in rows} == {1} and has_mixed_labels(_cuprum.Index.concat(rows))


def _is_object(dtype: Any) -> bool:
    return str(dtype) == "object"


def set_elements(indexer: Any, name: str, key: Any, value: Any) -> None:
    """Set elements of a series or frame with objects: as of others where they are not objects, else by pandas."""
    target = indexer._target
    if target.ndim == 2:
        if (is_list_like(value) or is_missing(value)) and _set_objects(target, name, key, value):
            return
        with suppress(TypeError, ValueError, NotImplementedError):
            indexer._set(key, value)
            return
    theirs = exact_to_pandas(target) if target.ndim == 2 else target.to_pandas()
    getattr(theirs, name)[_to_pandas(key)] = _to_pandas(value)
    become(target, theirs)


def _set_objects(frame: Any, name: str, key: Any, value: Any) -> bool:
    """Set elements of one column of objects in rows that are there, if the key is of such: they are what is given."""
    if type(key) is not tuple or len(key) != 2 or not isinstance(key[1], Hashable):
        return False
    labels = frame._handle.labels()
    if not name.startswith("i"):
        places = [place for place, label in enumerate(labels) if label == key[1]]
    else:
        position, count = position_of(key[1]), len(labels)
        places = [] if position is None or not -count <= position < count else [position % count]
    if len(places) != 1 or not frame._handle.column_at(places[0]).dtype().is_object:
        return False
    theirs = frame.iloc[:, places[0]].to_pandas()
    getattr(theirs, name)[_to_pandas(key[0])] = _to_pandas(value)
    if len(theirs) != len(frame) or theirs.dtype != object:
        return False
    column = Column.from_objects(theirs)
    frame._replaced(lambda handle: handle.with_column(labels[places[0]], column), inplace=True)
    return True


def _left_to_pandas(name: str) -> Any:
    """Return a method that pandas has under a name."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return by_pandas(self, name, args, kwargs)

    method.__name__ = name
    return method


def _tried_first(name: str, own: Callable[..., Any]) -> Any:
    """Return a method of ours, in whose place that of pandas is where it cannot do with objects."""

    @functools.wraps(own)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return own(self, *args, **kwargs)
        except (TypeError, ValueError, NotImplementedError):
            return by_pandas(self, name, args, kwargs)

    return method


def _attribute_of_pandas(name: str) -> Any:
    """Return an attribute that pandas has under a name."""
    return property(lambda self: from_pandas(getattr(self.to_pandas(), name)))


_ARITHMETIC = (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "and",
    "or",
    "xor",
    "matmul",
    "divmod",
)
_OPERATORS = (
    *(f"__{side}{name}__" for name in _ARITHMETIC for side in ("", "r")),
    *(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert")),
)


class _WithObjects:
    """The methods that both classes have."""

    __slots__ = ()

    _handle: Any

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        theirs = map(_to_pandas, inputs)
        return from_pandas(getattr(ufunc, method)(*theirs, **{k: _to_pandas(v) for k, v in kwargs.items()}))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__reduce__()  # objects are in no block of memory

    __hash__ = None  # type: ignore[assignment]


class SeriesOfObjects(_WithObjects, Series):
    """A series of Python objects.

    One that has just been made of labels and values, a record, has no handle yet: most are only looked into.
    """

    __slots__ = ()

    @property
    def _handle(self) -> Any:
        try:
            return _handle_of(self)
        except AttributeError:
            pass
        labels, values, name, level_names = _record_of(self)
        index = index_of_labels(labels)
        if level_names is not None and len(level_names) == index.nlevels():
            index = index.with_names(level_names)
        handle = _cuprum.Series(Column.from_objects(values), name, index)
        _set_handle(self, handle)
        return handle

    @_handle.setter
    def _handle(self, handle: Any) -> None:
        _set_handle(self, handle)
        _set_record(self, None)

    def _record(self) -> Any:
        """Return labels, values, name and level names of a record; None for others."""
        try:
            return _record_of(self)
        except AttributeError:
            return None

    def __len__(self) -> int:
        record = self._record()
        return len(self._handle) if record is None else len(record[1])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_list())

    def __getitem__(self, key: Any) -> Any:
        record = self._record()
        if record is not None and type(key) is str:
            labels, values, *_ = record
            if labels.count(key) == 1:
                return values[labels.index(key)]
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if sys.getrefcount(self) <= SETITEM:
            warn_if_chained(self, "use one key: df.loc[row, column] = value")
        by_pandas(self, "__setitem__", (key, value), {})

    def __delitem__(self, key: Any) -> None:
        by_pandas(self, "__delitem__", (key,), {})

    def map(
        self, func: Any = None, na_action: NaAction | None = None, engine: Any = None, **kwargs: Any
    ) -> Any:
        """Return the results of a function of every object, or what a dict or series has for it; see `Series.map`."""
        if callable(func):
            return super().map(func, na_action, engine, **kwargs)
        return by_pandas(self, "map", (func, na_action, engine), kwargs)

    def astype(self, dtype: Any, copy: bool | None = None, errors: ErrorsIgnored = "raise") -> Any:
        """Return the objects as elements of a type, by pandas where it has that type; see `Series.astype`."""
        only_truth("astype", copy=copy)
        if not str(dtype).startswith(("decimal", "list", "struct")):
            return by_pandas(self, "astype", (dtype,), {"errors": errors})
        try:
            return Series(self.to_list(), self.index, dtype, self.name)
        except (ValueError, TypeError, OverflowError):
            if errors != "ignore":
                raise
            return self.copy()

    def to_list(self) -> list[Any]:
        """Return the objects; see `Series.to_list`."""
        record = self._record()
        return self._handle.column().to_pylist(float("nan")) if record is None else list(record[1])

    tolist = to_list

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of label and object; see `Series.items`."""
        record = self._record()
        labels = self.index.to_list() if record is None else record[0]
        return zip(labels, self.to_list(), strict=True)

    iteritems = items

    def to_dict(self, *, into: Any = dict) -> Any:
        """Return the objects under their labels, NumPy's numbers as Python's; see `Series.to_dict`."""
        record = self._record()
        if record is None or into is not dict:
            return super().to_dict(into=into)
        plain = (value.item() if type(value).__module__ == "numpy" else value for value in record[1])
        return dict(zip(record[0], plain, strict=True))

    def to_arrow(self) -> Any:
        """Return the objects as a ``pyarrow.Array`` of the type that they have in common; see `Series.to_arrow`."""
        import pyarrow as pa

        return pa.array(_typed(self._handle.to_device("cpu").column()))

    def __arrow_c_schema__(self) -> object:
        return _typed(self._handle.column()).__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        return _typed(self._handle.column()).__arrow_c_array__(requested_schema)

    def to_pandas(self, *, index: bool = True, nullable: bool = False, arrow_type: bool = False) -> Any:
        """Return a pandas Series of objects; see `Series.to_pandas`. pandas has no nullable type of objects.

        With ``arrow_type`` the objects have to have a type of Arrow in common.
        """
        only_truth("to_pandas", nullable=nullable)
        import numpy as np
        import pandas as pd

        check_truth("index", index)
        labels = self.index.to_pandas() if index else None
        if arrow_type:
            column = _typed(self._handle.to_device("cpu").column())
            values = to_pandas_array(column, nullable=nullable, arrow_type=True)
            return pd.Series(values, index=labels, name=self.name)
        values = self.to_list()
        if any(issubclass(kind, DType) for kind in {*map(type, values)}):
            values = [dtype_to_pandas(value) if isinstance(value, DType) else value for value in values]
        array = np.fromiter(values, dtype=object, count=len(values))
        return pd.Series(array, index=labels, name=self.name, dtype=object)


def record(
    labels: list[Any], values: list[Any], name: Any = None, level_names: list[Any] | None = None
) -> Any:
    """Return a series of objects: one row of a frame whose columns differ in type, say."""
    series = _new(SeriesOfObjects)
    _set_record(series, (labels, values, name, level_names))
    return series


_new = object.__new__
_handle_of, _set_handle = vars(Series)["_handle"].__get__, vars(Series)["_handle"].__set__
_record_of, _set_record = vars(Sharing)["_unmade"].__get__, vars(Sharing)["_unmade"].__set__


def _typed(column: Column) -> Column:
    """Return objects as the type that they have in common, for who has no objects; as they are where they have none."""
    if not column.is_of_objects():
        return column
    try:
        return column_from(column.to_pylist(None))
    except (TypeError, OverflowError, NotImplementedError):
        return column


class FrameWithObjects(_WithObjects, DataFrame):
    """A frame some of whose columns are Python objects."""

    __slots__ = ()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._with_types().arrow_stream()

    def _with_types(self) -> Any:
        return self._handle.with_columns([*map(_typed, self._handle.columns())])

    def to_pandas(self, *, index: bool = True, nullable: bool = False, arrow_type: bool = False) -> Any:
        """Return a pandas DataFrame; see `DataFrame.to_pandas`. With ``arrow_type`` objects have to have a type in common."""
        if not arrow_type:
            return super().to_pandas(index=index, nullable=nullable)
        typed = wrap_frame(self._with_types())
        return DataFrame.to_pandas(typed, index=index, nullable=nullable, arrow_type=True)


# Methods that a series of objects has itself: rows are moved, labelled, counted, printed and given out.
_names = str.split
_ROWS = frozenset(
    _names(
        """T add_prefix add_suffix apply at attrs axes copy count device drop droplevel dropna dtype dtypes empty flags
    from_arrow from_pandas from_pylibcudf get hasnans head iat iloc index isna isnull items iteritems keys loc
    map memory_usage name nbytes ndim notna notnull null_count pipe rename rename_axis reorder_levels repeat reset_index
    sample serialize host_serialize device_serialize deserialize host_deserialize device_deserialize set_axis set_flags
    shape size sort_index squeeze swaplevel tail take tile to_device to_dict to_frame to_host to_list to_numpy to_pandas
    to_pickle to_string tolist transpose truncate valid_count values xs equals info reindex reindex_like
    """
    )
)
# Methods that a frame with objects leaves to pandas: columns of objects would be passed over.
_ASKS_ALL = frozenset(
    _names(
        """agg aggregate apply combine combine_first compare convert_dtypes corrwith describe explode infer_objects isin map
    mode nunique replace transform update where mask fillna ffill bfill
    """
    )
)


class _GroupsWithObjects:
    """Groups, or windows, of a frame with objects: those of ours, and pandas' for what they cannot do."""

    __slots__ = ("_own", "_theirs")

    def __init__(self, own: Any, theirs: Callable[[], Any]) -> None:
        self._own = own
        self._theirs = theirs

    def __getattr__(self, name: str) -> Any:
        try:
            own = getattr(self._own, name)
        except AttributeError:
            return getattr(_OfPandas(self._theirs()), name)
        if not callable(own) or isinstance(own, type):
            return own

        @functools.wraps(own)
        def method(*args: Any, **kwargs: Any) -> Any:
            # A user's function is called once: by pandas, which has objects for it.
            if not any(map(_calls, (*args, *kwargs.values()))):
                try:
                    return own(*args, **kwargs)
                except (TypeError, ValueError, NotImplementedError):
                    pass
            return getattr(_OfPandas(self._theirs()), name)(*args, **kwargs)

        return method

    def __getitem__(self, key: Any) -> Any:
        theirs, own = self._theirs, self._own[key]
        chosen = self._own._frame[key] if hasattr(self._own, "_frame") else None
        if isinstance(chosen, (Series, DataFrame)) and not isinstance(chosen, _WithObjects):
            return own
        return _GroupsWithObjects(own, lambda: theirs()[key])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)

    def __dir__(self) -> list[str]:
        return dir(self._own)


def _calls(argument: Any) -> bool:
    """Whether an argument is a function, or holds one."""
    if isinstance(argument, (list, tuple)):
        return any(map(_calls, argument))
    return any(map(_calls, argument.values())) if isinstance(argument, dict) else callable(argument)


def _grouped(name: str, own: Callable[..., Any]) -> Any:
    """Return a method that makes groups or windows."""

    @functools.wraps(own)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        def theirs() -> Any:
            named = {k: _to_pandas(v) for k, v in kwargs.items()}
            return getattr(self.to_pandas(), name)(*map(_to_pandas, args), **named)

        try:
            made = own(self, *args, **kwargs)
            return made if isinstance(made, _OfPandas) else _GroupsWithObjects(made, theirs)
        except (TypeError, ValueError, NotImplementedError):
            return _OfPandas(theirs())

    return method


_MAKE_GROUPS = frozenset({"ewm", "expanding", "groupby", "resample", "rolling"})
# Methods that pandas does not have.
_ONLY_OURS = frozenset(
    _names(
        """astype data digitize from_dict from_records has_nulls hash_values interleave_columns list nans_to_nulls
    partition_by_hash scale scatter_by_map struct to_arrow to_arrow_stream to_avro to_dlpack to_pylibcudf to_struct
    """
    )
)


def _methods(cls: type) -> Iterator[tuple[str, Any, bool]]:
    """Return the names, the methods and properties of a class, and whether they are methods."""
    for name in dir(cls):
        own = inspect.getattr_static(cls, name)
        if name.startswith("_") or name in _ROWS or name in _ONLY_OURS or isinstance(own, OfPandas):
            continue
        if not isinstance(own, (staticmethod, classmethod, MemberDescriptorType)):
            yield name, own, callable(own)


for _name, _own, _is_method in _methods(Series):
    if _name not in vars(SeriesOfObjects):
        setattr(SeriesOfObjects, _name, (_left_to_pandas if _is_method else _attribute_of_pandas)(_name))
for _name, _own, _is_method in _methods(DataFrame):
    if _name in _MAKE_GROUPS:
        setattr(FrameWithObjects, _name, _grouped(_name, _own))
    elif _is_method:
        setattr(
            FrameWithObjects,
            _name,
            _left_to_pandas(_name) if _name in _ASKS_ALL else _tried_first(_name, _own),
        )
for _name in _OPERATORS:
    for _class in (SeriesOfObjects, FrameWithObjects):
        setattr(_class, _name, _left_to_pandas(_name))

register_with_objects(Series, SeriesOfObjects)
register_with_objects(DataFrame, FrameWithObjects)
# Messages and printing call them what they are for users.
for _class, _plain in ((SeriesOfObjects, "Series"), (FrameWithObjects, "DataFrame")):
    _class.__name__ = _class.__qualname__ = _plain
