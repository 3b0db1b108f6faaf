"""The parts that all windows share: their rows, and names and calls of functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label
from cuprum.core.completion import keys_of_columns
from cuprum.core.groupby.aggregation import check_distinct, function_label, refuse_nested
from cuprum.core.label_positions import are_repeated, refuse_repeated
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.reshape.concat import concat

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.typing import AggFunc, AggFuncs

__all__ = ["WindowStatistics", "wrap"]


def wrap(handle: Any) -> Any:
    """Return the object around a handle of a frame or a series."""
    return wrap_frame(handle) if isinstance(handle, _cuprum.DataFrame) else wrap_series(handle)


def _check_numbers(name: str, columns: list[tuple[Any, Any]]) -> None:
    """Raise ``DataError`` for columns whose type has no such window statistic; objects may be numbers."""
    if name in ("count", "corr", "cov"):
        return
    for label, dtype in columns:
        if dtype.kind not in "iufb" and not dtype.is_object and dtype.precision is None:
            from pandas.errors import DataError

            where = "" if label is None else f"column {label!r}: "
            raise DataError(f"{where}{name} of windows of type {dtype} is not defined")


# Attributes of windows: the arguments that made them, None without one.
_ATTRIBUTES = frozenset(
    (
        "adjust",
        "alpha",
        "center",
        "closed",
        "com",
        "halflife",
        "ignore_na",
        "method",
        "min_periods",
        "on",
        "span",
    )
    + ("step", "times", "win_type", "window")
)


# The object of windows and of their statistics: a frame or a series.
Windowed = TypeVar("Windowed", covariant=True)


class WindowStatistics(Generic[Windowed]):
    """Windows of the rows of a frame or series.

    ``w["a"]`` and ``w.a`` are the windows of one column of a frame, ``w[["a", "b"]]`` those of several.
    """

    __slots__ = ("_attributes", "_kept", "_obj")
    _made_of: ClassVar = attrgetter("_obj")  # see `subclasses`

    # The frame or series, what it was made with, and the column of a frame that is no value but stays.
    _obj: Any
    _attributes: dict[str, Any]
    _kept: Any

    def _of(self, obj: Any) -> Any:
        """Return the same windows of other values of the same rows."""
        raise NotImplementedError

    def _handle(self, obj: Any) -> Any:
        """Return the handle of the windows of ``obj``."""
        raise NotImplementedError

    def __repr__(self) -> str:
        shown = (f"{name}={value}" for name, value in self._attributes.items() if value is not None)
        return f"{type(self).__name__} [{','.join(shown)}]"

    def __iter__(self) -> Iterator[Windowed]:
        # Python would ask for the element 0 otherwise, and take the answer for the end.
        raise NotImplementedError(f"iterating over {type(self).__name__}")

    def __getitem__(self, key: Any) -> Any:
        if self._obj.ndim == 1:
            raise IndexError(f"Column(s) {self._obj.name} already selected")
        if is_list_like(key) and not isinstance(key, tuple):
            kept = [] if self._kept is None or self._kept in key else [self._kept]
            return self._of(self._obj[[*key, *kept]])
        return self._of(self._obj[key])

    def _ipython_key_completions_(self) -> list[Any]:
        return keys_of_columns(self._obj) if self._obj.ndim == 2 else []

    if not TYPE_CHECKING:  # a column, which no checker knows

        def __getattr__(self, name: str) -> Any:
            if name in _ATTRIBUTES:
                return self._attributes.get(name)
            if not name.startswith("_") and self._obj.ndim == 2 and self._obj._handle.contains(name):
                return self[name]
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _values(self, name: str, numeric_only: bool) -> Any:
        """Return what a function is computed of."""
        obj = self._obj
        if obj.ndim == 1:
            if numeric_only and obj.dtype.kind not in "iufb":
                raise NotImplementedError(f"{type(self).__name__}.{name} does not implement numeric_only")
            _check_numbers(name, [(obj.name, obj.dtype)])
            return obj
        handle = obj._handle
        labels = [label for label in handle.labels() if self._kept is None or label != self._kept]
        if numeric_only:
            labels = [label for label in labels if handle.column(label).dtype().kind in "iuf"]
        else:
            pairs = zip(handle.labels(), handle.dtypes(), strict=True)
            _check_numbers(name, [pair for pair in pairs if pair[0] in labels])
        return obj if len(labels) == obj.shape[1] else obj[labels]

    def _finished(self, result: Any) -> Any:
        """Return a result as it is handed out: with the column that stays."""
        if self._kept is None or result.ndim == 1:
            return result
        at = self._obj._handle.labels().index(self._kept)
        result.insert(min(at, result.shape[1]), self._kept, self._obj[self._kept])
        return result

    def _computed(self, name: str, numeric_only: bool, *arguments: Any) -> Any:
        values = self._values(name, numeric_only)
        return self._finished(wrap(self._handle(values).statistic(name, *arguments)))

    def _paired(self, name: str, other: Any, pairwise: Any, numeric_only: bool, parameter: Any) -> Any:
        """Return the covariances or correlations of windows."""
        values = self._values(name, numeric_only)
        windows = self._handle(values)
        if other is None and values.ndim == 2:
            if pairwise is False:
                other = values
            else:
                return wrap(windows.pairwise(name, parameter))
        other = values if other is None else objects.ours(other)
        if not isinstance(other, (objects.Series, objects.DataFrame)):
            raise ValueError("other must be a DataFrame or Series")
        if not other._handle.index().equals(values._handle.index()):
            values, other = self._aligned(values, other)
            windows = self._handle(values)
        if other.ndim == 1:
            result = wrap(windows.beside(other._handle, name, parameter))
            if values.ndim == 1 and values.name != other.name:
                result.name = None
            return result

        def beside(left: Any, right: Any) -> Any:
            return wrap(self._handle(left).beside(right._handle, name, parameter))._handle.column()

        def each(left: Any) -> Any:
            columns = [beside(left, right) for _, right in other.items()]
            return wrap_frame(other._handle.with_columns(columns).with_index(values._handle.index()))

        if values.ndim == 1:
            return each(values)
        if pairwise:
            if not (values.columns.is_unique and other.columns.is_unique):
                raise ValueError("'arg1' columns are not unique")
            # A row for each column of `other` under each row.
            stacked = {label: each(column).stack() for label, column in values.items()}
            result = objects.DataFrame(stacked)
            result.columns = values.columns
            return result
        if values is other:
            columns = [beside(column, column) for _, column in values.items()]
            return wrap_frame(values._handle.with_columns(columns))
        for which, frame in (("arg1", values), ("arg2", other)):
            if not frame.columns.is_unique:
                raise ValueError(f"'{which}' columns are not unique")
        shared = {
            label: _cuprum.Series(beside(values[label], other[label]), None, values._handle.index())
            for label in values.columns
            if label in other.columns
        }
        both = values.columns.union(other.columns)
        made = objects.DataFrame({k: wrap_series(v) for k, v in shared.items()}, index=values.index)
        return made.reindex(columns=both)

    def _aligned(self, values: Any, other: Any) -> Any:
        """Return both with the rows of both."""
        raise NotImplementedError("`other` has other row labels: align it first")

    @overload
    def agg(self, func: AggFunc, *args: Any, **kwargs: Any) -> Windowed: ...
    @overload
    def agg(self, func: AggFuncs | None = ..., *args: Any, **kwargs: Any) -> DataFrame: ...
    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Aggregate each window by one or several functions.

        Parameters
        ----------
        func : str, callable, list or dict
            The name of a statistic; a function that is called with each window; a list of them, for a column
            each; or a dict, for a frame of column labels and these, for a series of labels of results and one
            each.
        *args : object
            Further positional arguments of the functions.
        **kwargs : object
            Keyword arguments of the functions.

        Returns
        -------
        Series or DataFrame
            The statistic, or a frame with a column for each of several; of a frame the names of functions are
            a second level of column labels.

        Raises
        ------
        AttributeError
            If a name is that of no statistic.
        TypeError
            If ``func`` is missing.

        Examples
        --------
        >>> import cuprum
        >>> windows = cuprum.Series([1, 3, 8]).rolling(2)
        >>> windows.agg(["sum", "max"])
            sum  max
        0   NaN  NaN
        1   4.0  3.0
        2  11.0  8.0
        >>> windows.agg(lambda window: window.max() - window.min()).to_list()
        [nan, 2.0, 5.0]
        """
        if isinstance(func, str):
            return getattr(self, func)(*args, **kwargs)
        if isinstance(func, Mapping):
            refuse_nested(func, of_series=self._obj.ndim == 1)
            if self._obj.ndim == 1:
                return objects.DataFrame(
                    {label: self.agg(each, *args, **kwargs) for label, each in func.items()}
                )
            labels = self._obj.columns.to_list()
            refuse_repeated([label for label in labels if plain_label(label) in map(plain_label, func)])
            parts = {
                plain_label(label): self[label].agg(each, *args, **kwargs) for label, each in func.items()
            }
            if all(part.ndim == 1 for part in parts.values()):
                made = objects.DataFrame(parts)
                made.columns = made.columns.set_names(self._obj.columns.names)
                return made
            framed = {
                label: part if part.ndim == 2 else part.to_frame(func[label]) for label, part in parts.items()
            }
            names = [*self._obj.columns.names, None]
            return concat(list(framed.values()), axis=1, keys=list(framed), names=names)
        if is_list_like(func):
            check_distinct(list(func))
            names = [each if isinstance(each, str) else function_label(each) for each in func]
            if self._obj.ndim == 1:
                parts = {
                    name: self.agg(each, *args, **kwargs) for name, each in zip(names, func, strict=True)
                }
                return objects.DataFrame(parts)
            labels = [label for label in self._obj.columns if self._kept is None or label != self._kept]
            if are_repeated(labels):
                windows = [self._of(column) for label, column in self._obj.items() if label in labels]
            else:
                windows = [self[label] for label in labels]
            results = [window.agg(func, *args, **kwargs) for window in windows]
            return concat(results, axis=1, keys=labels, names=[*self._obj.columns.names, None])
        if not callable(func):
            raise TypeError("Must provide 'func': the name of a function, a function, or several of them")
        this: Any = self
        return this.apply(func, args=args, kwargs=kwargs)

    aggregate = agg
