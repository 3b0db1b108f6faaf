"""Elements, each by itself: types, limits, membership, conditions, replacement."""

from __future__ import annotations

import operator
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from cuprum import _cuprum
from cuprum._cuprum import Column, _elementwise
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    is_list_like,
    is_scalar,
    numpy_keywords,
    only_truth,
    plain_label,
)
from cuprum.core.binary_comparison import found_bytes, is_bytes
from cuprum.core.chained_assignment import MIXING, warn_if_chained
from cuprum.core.construction import (
    cast_column,
    column_from,
    frame_handle,
    is_naive_time,
    leaves_intervals_open,
    names_object,
    refuse_offsets,
)
from cuprum.core.dtypes import CategoricalDtype
from cuprum.core.error_classes import ClassesOfPandas
from cuprum.core.interop import is_pandas
from cuprum.core.label_positions import places_of, refuse_repeated, with_changed
from cuprum.core.missing import is_missing, refuse_time_of_other_kind
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series
from cuprum.core.operands import along, row_of
from cuprum.core.patterns import is_pattern
from cuprum.core.tools.beside_times import is_date

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import AnyDType, Axis, Closed, ErrorsIgnored, Label, RoundingHow

__all__ = ["Elements", "FrameElements", "SeriesElements"]


class Elements(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    def __round__(self, ndigits: int = 0) -> Self:
        """What Python's ``round`` gives."""
        return self.round(ndigits)

    def abs(self) -> Self:
        """Return the absolute values."""
        return self._wrap(self._handle.unary("abs"))

    @overload
    def clip(
        self, lower: Any = ..., upper: Any = ..., *, axis: Axis | None = ..., inplace: Literal[True]
    ) -> None: ...
    @overload
    def clip(
        self, lower: Any = ..., upper: Any = ..., *, axis: Axis | None = ..., inplace: bool = ...
    ) -> Self: ...
    @objects_where_mixed
    def clip(
        self,
        lower: Any = None,
        upper: Any = None,
        *,
        axis: Any = None,
        inplace: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Return elements limited to ``[lower, upper]``; missing ones stay missing.

        The ends are scalars or None, or a series of them, matched by label (of a frame with ``axis``: 0 for the rows, 1
        for the columns), or a list: of a frame one for each column, with ``axis=0`` for each row; or frames. A missing
        one is no end.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 5, 9]).clip([2, 2, 2], [8, 4, 8]).to_list()
        [2, 4, 8]
        """
        if inplace is True and sys.getrefcount(self) <= MIXING:
            warn_if_chained(self, 'assign the result: df["a"] = df["a"].clip(…)')
        numpy_keywords("clip", kwargs)
        number = None if axis is None else axis_number(axis, self)
        if not is_list_like(lower) and not is_list_like(upper):
            low, high = _or_none(lower), _or_none(upper)
            return self._map(lambda s: _limited(s, low, high), inplace)
        made: Any = self
        for name, bound in (("lower", lower), ("upper", upper)):
            if is_list_like(bound):
                values, along_columns = made._limits(name, bound, number)
                ends = (values, None) if name == "lower" else (None, values)
                made = made._wrap(made._handle.clip_with(*ends, along_columns))
            elif bound is not None:
                made = made.clip(**{name: bound})
        return self._changed(lambda _: made._handle, inplace)

    @overload
    def mask(
        self,
        cond: Any,
        other: Any = ...,
        *,
        inplace: Literal[True],
        axis: Axis | None = ...,
        level: Label = ...,
    ) -> None: ...
    @overload
    def mask(
        self,
        cond: Any,
        other: Any = ...,
        *,
        inplace: bool = ...,
        axis: Axis | None = ...,
        level: Label = ...,
    ) -> Self: ...
    @objects_where_mixed
    def mask(
        self, cond: Any, other: Any = None, *, inplace: bool = False, axis: Any = None, level: Any = None
    ) -> Any:
        """Return elements where ``cond`` is false, ``other`` (missing, if not given) where it is true.

        ``cond`` is matched by label, or is a callable of this object.
        """
        if inplace is True and sys.getrefcount(self) <= MIXING:
            warn_if_chained(self, 'assign the result: df["a"] = df["a"].mask(…)')
        return self._chosen(cond, other, inplace, axis, level, True)

    def _chosen(self, cond: Any, other: Any, inplace: Any, axis: Any, level: Any, negated: bool) -> Any:
        """Return elements where ``cond`` is true, or with ``negated`` false, and ``other`` elsewhere."""
        number = None if axis is None else axis_number(axis, self)
        if callable(cond):
            cond = cond(self)
        if callable(other):
            other = other(self)
        cond, other = objects.ours(cond), objects.ours(other)
        if inplace:
            handle: Any = self._handle
            refuse_time_of_other_kind(other, handle.dtypes() if self.ndim == 2 else [handle.dtype()])
        if (
            level is not None
            and isinstance(other, Wrapper)
            and (other.ndim == self.ndim or number is not None)
        ):
            other = self.align(other, join="left", axis=number, level=level)[1]
        condition = cond._handle if isinstance(cond, Wrapper) else self._as_condition(cond)
        values = self._beside(other, number)
        return self._changed(
            lambda handle: handle.where(condition, values, bool(inplace), number == 1, negated), inplace
        )


class FrameElements(Elements):
    """The elements of a frame."""

    __slots__ = ()

    def _limits(self, name: str, bound: Any, axis: int | None) -> tuple[Any, bool]:
        """Return limits as an operand of the handle, and whether they are along the columns."""
        if getattr(bound, "ndim", 1) == 2:
            if isinstance(bound, objects.DataFrame) or is_pandas(bound, "DataFrame"):
                return objects.DataFrame(bound)._handle, False
            return frame_handle(bound, self.index, self.columns, None), False
        if isinstance(bound, objects.Series) or is_pandas(bound, "Series"):
            if axis is None:
                raise ValueError("Must specify axis=0 or 1")
            return along(objects.Series(bound), axis), axis == 1
        if axis == 0:
            return column_from(bound), False
        values = list(bound)
        if len(values) != self.shape[1]:
            raise ValueError(f"`{name}` has {len(values)} elements for {self.shape[1]} columns")
        return row_of(self._handle.labels(), values), True

    def astype(
        self,
        dtype: AnyDType | Mapping[Any, AnyDType],
        copy: bool | None = None,
        errors: ErrorsIgnored = "raise",
    ) -> DataFrame:
        """Return all columns cast to one type, or some to the types in a dict or a series.

        With ``errors='ignore'`` a column that cannot be cast stays as it is.

        ``ValueError`` for a text that is no such value and for NaN as an integer, ``OverflowError``
        for a number that does not fit, ``KeyError`` for a column that is not there.
        """
        _check_errors(errors)
        only_truth("astype", copy=copy)
        types = _types_by_label(dtype)
        if types is not None:  # None among several types changes nothing
            types = [(label, to) for label, to in types if not is_missing(to) or label not in self]
        if dtype is None:
            dtype = "float64"  # as of NumPy
        has_objects = isinstance(self, objects.FrameWithObjects)
        if types is None and (errors == "ignore" or has_objects or _is_cast_by_column(dtype)):
            return self._map(lambda series: wrap_series(series).astype(dtype, errors=errors)._handle)
        if types is None:
            with ClassesOfPandas():
                return wrap_frame(self._handle.astype(dtype))
        handle, pairs, rest = self._handle, [(plain_label(label), to) for label, to in types], []
        labels = handle.labels()
        refuse_repeated([label for label, _ in pairs])
        for label, to in pairs:
            count = len(places_of(label, labels))
            if count > 1 or (count and (has_objects or _is_cast_by_column(to))):
                handle = with_changed(handle, label, partial(_cast, to=to, errors=errors))
            else:
                rest.append((label, to))
        if errors == "raise":
            with ClassesOfPandas():
                return wrap_frame(handle.astype_columns(rest))
        for pair in rest:
            with suppress(ValueError, TypeError, OverflowError):
                handle = handle.astype_columns([pair])
        return self._around(handle)

    def round(
        self, decimals: int | Mapping[Any, int] | Series = 0, *, how: RoundingHow = "half_even", **kwargs: Any
    ) -> DataFrame:
        """Return numbers rounded to ``decimals`` places (a dict: for some columns); for ``how`` see `Series.round`."""
        numpy_keywords("round", kwargs)
        _check_rounding(how)
        if not isinstance(decimals, (Mapping, objects.Series)):
            if how == "half_even":
                return wrap_frame(self._handle.round(decimals))
            return self._map(lambda handle: _rounded(handle, decimals, how))
        if isinstance(decimals, objects.Series) and not decimals.index.is_unique:
            raise ValueError("Index of decimals must be unique")
        places = dict(decimals.items())
        if not all(hasattr(n, "__index__") for n in places.values()):
            raise TypeError("Values in decimals must be integers")
        handle = self._handle
        for label, n in places.items():
            handle = with_changed(handle, plain_label(label), partial(_rounded, decimals=int(n), how=how))
        return self._around(handle)

    def isin(self, values: Iterable[Any]) -> DataFrame:
        """Return True where an element is one of ``values``, a list-like or a dict of them by column.

        Of a frame or a series those elements are true that are equal to what it has under their labels; missing ones
        are not.
        """
        values = objects.ours(values)
        if isinstance(values, objects.DataFrame):
            if not (values.columns.is_unique and values.index.is_unique):
                raise ValueError("cannot compute isin with a duplicate axis.")
            return self._equal_under_labels(lambda label: values[label] if label in values.columns else None)
        if isinstance(values, objects.Series):
            if not values.index.is_unique:
                raise ValueError("cannot compute isin with a duplicate axis.")
            return self._equal_under_labels(lambda label: values)
        if isinstance(values, Mapping):
            return self._map(lambda s: wrap_series(s).isin(values.get(s.name(), []))._handle)
        return self._map(lambda s: wrap_series(s).isin(values)._handle)

    def _equal_under_labels(self, given: Any) -> DataFrame:
        """Return where elements equal those under their labels in the series that ``given`` has for a column."""

        def equal(handle: Any) -> Any:
            column, other = wrap_series(handle), given(handle.name())
            if other is not None:
                try:
                    other = other.reindex(self.index)
                    return ((column == other) & other.notna())._handle
                except TypeError:  # no element equals one of another kind
                    pass
            return _cuprum.Series(Column.filled(False, len(self)), handle.name(), handle.index())

        return self._map(equal)

    def _as_condition(self, cond: Any) -> Any:
        if is_scalar(cond):
            raise ValueError("Array conditional must be same shape as self")
        given = frame_handle(cond, self.index, self.columns, None)
        return given if len(given) else given.astype("bool")

    def _beside(self, other: Any, axis: int | None) -> Any:
        """Return what stands where a condition does not hold, as an operand of the handle."""
        if isinstance(other, objects.DataFrame):
            return other._handle
        if isinstance(other, objects.Series):
            if axis is None:
                raise ValueError(
                    "Must specify axis=0 or 1: whether `other` has an element for every row or column"
                )
            return along(other, axis)
        if getattr(other, "ndim", 1) == 2:
            return frame_handle(other, self.index, self.columns, None)
        return column_from(other) if is_list_like(other) else _or_none(other)

    @overload
    def where(
        self,
        cond: Any,
        other: Any = ...,
        *,
        inplace: Literal[True],
        axis: Axis | None = ...,
        level: Label = ...,
    ) -> None: ...
    @overload
    def where(
        self,
        cond: Any,
        other: Any = ...,
        *,
        inplace: bool = ...,
        axis: Axis | None = ...,
        level: Label = ...,
    ) -> Self: ...
    @objects_where_mixed
    def where(
        self, cond: Any, other: Any = None, *, inplace: bool = False, axis: Any = None, level: Any = None
    ) -> Any:
        """Return elements where ``cond`` is true, ``other`` (missing, if not given) where it is not.

        ``cond`` is a frame, a Series for all columns, an array or a callable; ``other`` a scalar, a frame or an array
        like one, or a Series or list with an element for every row (``axis=0``) or column (``axis=1``). An element that
        a frame says nothing of, or for which the truth is missing, is kept with ``inplace`` and replaced without it.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"a": [1.0, None], "b": [None, 4.0]})
        >>> df.where(df.notna(), df.mean(), axis=1)
             a    b
        0  1.0  4.0
        1  1.0  4.0
        """
        if inplace is True and sys.getrefcount(self) <= MIXING:
            warn_if_chained(self, 'assign the result: df["a"] = df["a"].where(…)')
        return self._chosen(cond, other, inplace, axis, level, False)

    @overload
    def replace(
        self, to_replace: Any = ..., value: Any = ..., *, inplace: Literal[True], regex: Any = ...
    ) -> None: ...
    @overload
    def replace(
        self, to_replace: Any = ..., value: Any = ..., *, inplace: bool = ..., regex: Any = ...
    ) -> Self: ...
    @objects_where_mixed
    def replace(
        self,
        to_replace: Any = None,
        value: Any = ...,
        *,
        inplace: bool = False,
        regex: Any = False,
    ) -> Any:
        """Return elements equal to ``to_replace`` replaced by ``value``; see `Series.replace`.

        A dict of dicts says it for some columns each, and so does a dict of columns and elements with a
        ``value``, or a dict of columns and values as ``value``. Columns that hold no such element keep
        their type. What is replaced by None is missing; the frame that is returned gives None for it in lists, dicts,
        rows and arrays, where all that is missing in a column was replaced so.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"a": [1.5, None]}).replace({float("nan"): None}).to_dict("records")
        [{'a': 1.5}, {'a': None}]
        """
        if inplace is True and sys.getrefcount(self) <= MIXING:
            warn_if_chained(self, 'assign the result: df["a"] = df["a"].replace(…)')
        to_replace, regex = _looked_for(to_replace, regex)
        if isinstance(to_replace, objects.Series):
            to_replace = dict(to_replace.items())
        if isinstance(value, objects.Series):
            value = dict(value.items())
        by_column: dict[Any, tuple[Any, Any]] = {}
        if isinstance(to_replace, Mapping):
            nested = [isinstance(v, Mapping) for v in to_replace.values()]
            if any(nested):
                if not all(nested):
                    raise TypeError(
                        "If a nested mapping is passed, all values of the top level mapping must be mappings"
                    )
                by_column = {c: (pairs, value) for c, pairs in to_replace.items()}
            elif isinstance(value, Mapping):
                by_column = {c: (old, value[c]) for c, old in to_replace.items() if c in value}
            elif value is not ...:
                if is_list_like(value):
                    raise TypeError("value argument must be scalar, dict, or Series")
                by_column = {c: (old, value) for c, old in to_replace.items()}
            else:
                return self._replaced_each(lambda at: [(to_replace, ...)], regex, inplace)
        elif isinstance(value, Mapping):
            by_column = {c: (to_replace, new) for c, new in value.items()}
        else:
            return self._replaced_each(lambda at: [(to_replace, value)], regex, inplace)
        labels = self._handle.labels()
        found = [
            (at, pair) for label, pair in by_column.items() for at in places_of(plain_label(label), labels)
        ]
        return self._replaced_each(lambda at: [pair for place, pair in found if place == at], regex, inplace)

    def _replaced_each(self, requests: Any, regex: bool, inplace: bool) -> Any:
        """Return the columns with elements replaced: ``requests`` gives the pairs for the column at a position."""

        def replace(handle: Any) -> Any:
            columns = handle.columns()
            for at in range(len(columns)):
                for old, new in requests(at):
                    found = wrap_series(handle.column_at(at)).replace(old, new, regex=regex)
                    columns[at] = found._handle.column()
            return handle.with_columns(columns)

        return self._changed(replace, inplace)


class SeriesElements(Elements):
    """The elements of a series."""

    __slots__ = ()

    def case_when(self, caselist: Sequence[tuple[Any, Any]]) -> Series:
        """Return the values of the first case that holds for an element, and itself where none does.

        Parameters
        ----------
        caselist
            Pairs of a condition and what stands where it holds: a scalar, a Series or an array. Both may be
            functions of the series.

        Examples
        --------
        >>> import cuprum
        >>> s = cuprum.Series([1, 5, 9])
        >>> s.case_when([(s > 8, 0), (s > 4, -1)]).tolist()
        [1, -1, 0]
        """
        if not isinstance(caselist, list):
            raise TypeError(f"The caselist argument should be a list; instead got {type(caselist)}")
        if not caselist:
            raise ValueError("provide at least one boolean condition, with a corresponding replacement.")
        for number, case in enumerate(caselist):
            if not isinstance(case, tuple):
                raise TypeError(f"Argument {number} must be a tuple; instead got {type(case)}.")
            if len(case) != 2:
                raise ValueError(
                    f"Argument {number} must have length 2; a condition and replacement; instead got length {len(case)}."
                )
        result: Any = self
        if isinstance(result.dtype, CategoricalDtype):  # of which replacements need be none
            result = result.astype(result.dtype.categories.dtype)
        cases = [[part(self) if callable(part) else part for part in case] for case in caselist]
        for _, replacement in cases:
            result = _beside_number(result, replacement)
        for condition, replacement in reversed(cases):
            result = result.mask(condition, replacement)
        return result

    def _limits(self, name: str, bound: Any, axis: int | None) -> tuple[Any, bool]:
        """Return limits as an operand of the handle, and that they are along the rows."""
        if isinstance(bound, objects.Series) or is_pandas(bound, "Series"):
            return objects.Series(bound)._handle, False
        return column_from(bound), False

    def astype(self, dtype: AnyDType, copy: bool | None = None, errors: ErrorsIgnored = "raise") -> Series:
        """Return the elements cast to a type; with ``errors='ignore'`` as they are where they cannot be.

        ``ValueError`` for a text that is no such value and for NaN as an integer, ``OverflowError``
        for a number that does not fit.
        """
        _check_errors(errors)
        only_truth("astype", copy=copy)
        types = _types_by_label(dtype)
        if types is not None:
            if [label for label, _ in types] != [self.name]:
                raise KeyError("Only the Series name can be used for the key in Series dtype mappings.")
            dtype = types[0][1]
        if dtype is None:
            dtype = "float64"  # as of NumPy
        if names_object(dtype):
            elements = Column.from_objects(self.to_list())
            return wrap_series(_cuprum.Series(elements, self.name, self._handle.index()))
        try:
            if leaves_intervals_open(dtype):
                elements = cast_column(self._handle.column(), dtype)
                return wrap_series(_cuprum.Series(elements, self.name, self._handle.index()))
            handle = _without_fractions(self, dtype) if _is_nullable_integer(dtype) else self._handle
            refuse_offsets(handle.column(), dtype)
            with ClassesOfPandas():
                return wrap_series(handle.astype(dtype))
        except (ValueError, TypeError, OverflowError):
            if errors != "ignore":
                raise
            return self._snapshot()

    def round(self, decimals: int = 0, *, how: RoundingHow = "half_even", **kwargs: Any) -> Series:
        """Return numbers rounded to ``decimals`` places; negative places round tens.

        What is in the middle goes to the even one, with ``how='half_up'`` away from 0.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([0.5, 1.5, 2.5]).round(how="half_up").to_list()
        [1.0, 2.0, 3.0]
        """
        numpy_keywords("round", kwargs)
        _check_rounding(how)
        return wrap_series(_rounded(self._handle, decimals, how))

    def isin(self, values: Iterable[Any]) -> Series:
        """Return True where an element is one of ``values``, a list-like.

        A missing element is in ``values`` where they have one.
        """
        if not is_list_like(values):
            raise TypeError(
                "only list-like objects are allowed to be passed to isin(), you passed a "
                f"`{type(values).__name__}`"
            )
        values = list(values) if isinstance(values, (Mapping, set, frozenset)) else values
        if is_bytes(self.dtype):
            there = found_bytes(self, values)
            return wrap_series(_cuprum.Series(there, self.name, self._handle.index()))
        nested = self.dtype.element_type is not None or self.dtype.fields is not None
        if nested and self.dtype.subtype is None:
            raise NotImplementedError(f"isin does not support elements of type {self.dtype}")
        if isinstance(values, (list, tuple)) and self.dtype.kind in "iuf":
            values = [value for value in values if value is not None]  # a missing number is NaN
        elif isinstance(values, (list, tuple)) and self.dtype.kind == "M":
            values = [value for value in values if not is_date(value)]
        try:
            column = column_from(values)
        except TypeError:
            # Elements of unlike types: those of each kind by themselves.
            values = list(values)
            kinds = {type(value) for value in values}
            if len(kinds) < 2:
                raise
            found = [self.isin([value for value in values if type(value) is kind]) for kind in kinds]
            result = found[0]
            for other in found[1:]:
                result = result | other
            return result
        try:
            return wrap_series(self._handle.isin(column))
        except (TypeError, ValueError):  # of other types, or texts that are no times
            never = Column.filled(False, len(self))
            return wrap_series(_cuprum.Series(never, self.name, self._handle.index()))

    def between(self, left: Any, right: Any, inclusive: Closed = "both") -> Series:
        """Return True where ``left <= element <= right``; ``inclusive`` says which ends count.

        ``inclusive`` is ``'both'``, ``'left'``, ``'right'`` or ``'neither'``.
        """
        if inclusive not in ("both", "left", "right", "neither"):
            raise ValueError("Inclusive has to be either string of 'both','left', 'right', or 'neither'.")
        lower = self >= left if inclusive in ("both", "left") else self > left
        upper = self <= right if inclusive in ("both", "right") else self < right
        return lower & upper

    def _as_condition(self, cond: Any) -> Any:
        column = column_from(cond)
        if len(column) != len(self):
            raise ValueError("Array conditional must be same shape as self")
        return column

    def _beside(self, other: Any, axis: int | None) -> Any:
        """Return what stands where a condition does not hold, as an operand of the handle."""
        if isinstance(other, Wrapper):
            return other._handle
        if not is_list_like(other):
            return _or_none(other)
        values = column_from(other)
        if len(values) == 1 != len(self):  # one for all, as of NumPy
            return _cuprum.Series(values).take(column_from([0] * len(self))).column()
        return values

    @overload
    def where(
        self,
        cond: Any,
        other: Any = ...,
        *,
        inplace: Literal[True],
        axis: Axis | None = ...,
        level: Label = ...,
    ) -> None: ...
    @overload
    def where(
        self,
        cond: Any,
        other: Any = ...,
        *,
        inplace: bool = ...,
        axis: Axis | None = ...,
        level: Label = ...,
    ) -> Self: ...
    @objects_where_mixed
    def where(
        self, cond: Any, other: Any = None, *, inplace: bool = False, axis: Any = None, level: Any = None
    ) -> Any:
        """Return elements where ``cond`` is true, ``other`` (missing, if not given) where it is not.

        ``other`` is a scalar, or a Series, matched by label, or an array. An element whose label a Series
        ``cond`` has not, or for which the truth is missing, is kept with ``inplace`` and replaced without it.
        """
        if inplace is True and sys.getrefcount(self) <= MIXING:
            warn_if_chained(self, 'assign the result: df["a"] = df["a"].where(…)')
        return self._chosen(cond, other, inplace, axis, level, False)

    @overload
    def replace(
        self, to_replace: Any = ..., value: Any = ..., *, inplace: Literal[True], regex: Any = ...
    ) -> None: ...
    @overload
    def replace(
        self, to_replace: Any = ..., value: Any = ..., *, inplace: bool = ..., regex: Any = ...
    ) -> Self: ...
    @objects_where_mixed
    def replace(
        self,
        to_replace: Any = None,
        value: Any = ...,
        *,
        inplace: bool = False,
        regex: Any = False,
    ) -> Any:
        """Return elements equal to ``to_replace`` replaced by ``value``: scalars, two lists, or one dict.

        With ``regex=True`` what is looked for in texts are regular expressions: their matches are replaced by a text,
        which may name groups ``\\1``; whole elements with a match by any other value. ``regex`` may be given in the
        place of ``to_replace``. All are looked for in the elements as they were.

        Examples
        --------
        >>> from cuprum import Series
        >>> Series(["bat", "foo", "bar"]).replace(r"^ba(.)$", r"new \\1", regex=True).to_list()
        ['new t', 'foo', 'new r']
        """
        if inplace is True and sys.getrefcount(self) <= MIXING:
            warn_if_chained(self, 'assign the result: df["a"] = df["a"].replace(…)')
        to_replace, by_pattern = _looked_for(to_replace, regex)
        if isinstance(to_replace, objects.Series):
            to_replace = dict(to_replace.items())
        if isinstance(to_replace, Mapping):
            if value is not ...:
                raise ValueError("Series.replace cannot specify both a dict-like 'to_replace' and a 'value'")
            pairs = list(to_replace.items())
        elif value is ...:
            raise ValueError(
                "Series.replace must specify either 'value' or a dict-like 'to_replace'; "
                f"`to_replace` is {to_replace!r}"
            )
        elif is_list_like(to_replace):
            values = list(value) if is_list_like(value) else [value] * len(to_replace)
            if len(values) != len(to_replace):
                raise ValueError(
                    f"Replacement lists must match in length. Expecting {len(to_replace)} got {len(values)}"
                )
            pairs = list(zip(to_replace, values, strict=True))
        else:
            if is_list_like(value):
                raise TypeError(f"`value` is a {type(value).__name__}, but `to_replace` is {to_replace!r}")
            pairs = [(to_replace, value)]
        patterns = [(old, new) for old, new in pairs if by_pattern and is_pattern(old) and old != ""]
        given, given_none = pairs, any(new is None for _, new in pairs)
        # All are looked for in the elements as they were: {1: 2, 2: 1} swaps.
        pairs = [(_or_none(old), _or_none(new)) for old, new in pairs if (old, new) not in patterns]

        def replace(handle: Any) -> Any:
            changed = _replaced_matches(wrap_series(handle), patterns)._handle if patterns else handle
            return changed.replace(pairs) if pairs else changed

        # As in pandas one element of texts and times is replaced by what is missing in their type.
        several = isinstance(to_replace, Mapping) or is_list_like(to_replace)
        if not given_none or not (several or self.dtype.kind in "biuf"):
            return self._changed(replace, inplace)

        def replace_by_none(handle: Any) -> Any:
            before, after = wrap_series(handle), wrap_series(replace(handle))
            of_missing = any(new is None and is_missing(old) for old, new in given)
            if not after.hasnans or (before.hasnans and not of_missing):
                return after._handle
            elements = [None if is_missing(element) else element for element in after.to_list()]
            return _cuprum.Series(Column.from_objects(elements), handle.name(), handle.index())

        return self._changed(replace_by_none, inplace)


def _looked_for(to_replace: Any, regex: Any) -> tuple[Any, bool]:
    """Return what `replace` looks for, and whether by regular expressions."""
    if callable(to_replace):
        raise TypeError(
            f"`to_replace` is a {type(to_replace).__name__}: give an element, a list, a dict or a pattern"
        )
    if isinstance(regex, bool):
        return to_replace, regex
    if to_replace is not None:
        raise ValueError("'to_replace' must be 'None' if 'regex' is not a bool")
    return regex, True


def _replaced_matches(series: Series, patterns: list[tuple[Any, Any]]) -> Any:
    """Return texts in which matches of regular expressions are replaced; other elements as they are."""
    column = series._handle.column()
    if column.categories() is not None:
        raise NotImplementedError("replace does not support `regex`=True for categories: rename_categories")
    if column.dtype != "str":
        return series
    found = [series.str.contains(old) for old, _ in patterns]
    for (old, new), is_found in zip(patterns, found, strict=True):
        if isinstance(new, str):
            series = series.str.replace(old, new, regex=True).where(is_found, series)
        else:
            series = series.where(~is_found, _or_none(new))
    return series


def _beside_number(series: Any, value: Any) -> Any:
    """Return numbers in the type that they have beside a number, which has the type that it has alone."""
    import numpy as np

    if series.dtype.kind not in "iuf" or not is_scalar(value) or np.asarray(value).dtype.kind not in "iuf":
        return series
    common = np.result_type(np.dtype(series.dtype), np.asarray(value).dtype)
    return series if common == series.dtype else series.astype(str(common))


def _limited(handle: Any, low: Any, high: Any) -> Any:
    """Return elements between two ends; truth values beyond an end are it, and with it objects."""
    if handle.dtype().kind != "b" or all(end is None or isinstance(end, bool) for end in (low, high)):
        return handle.clip(low, high)
    series = wrap_series(handle)
    for end, is_beyond in ((low, operator.lt), (high, operator.gt)):
        if end is not None and (beyond := is_beyond(series, end)).any():
            series = series.astype(object).mask(beyond, end)
    return series._handle


def _or_none(value: Any) -> Any:
    return None if is_missing(value) else value


def _cast(handle: Any, to: Any, errors: str) -> Any:
    return wrap_series(handle).astype(to, errors=errors)._handle


def _is_cast_by_column(dtype: Any) -> bool:
    """Whether a cast to a dtype is done column by column."""
    return (
        _is_nullable_integer(dtype)
        or is_naive_time(dtype)
        or names_object(dtype)
        or leaves_intervals_open(dtype)
    )


def _types_by_label(dtype: Any) -> list[tuple[Any, Any]] | None:
    """Return pairs of a label and the type that it is given; None for one type."""
    if isinstance(dtype, (Mapping, objects.Series)) or is_pandas(dtype, "Series"):
        return list(dtype.items())
    if isinstance(dtype, (Wrapper, objects.Index)):
        raise TypeError(f"`dtype` is a {type(dtype).__name__}, which is no type")
    return None


_NULLABLE_INTEGERS = frozenset(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))


def _check_rounding(how: Any) -> None:
    if how not in ("half_even", "half_up"):
        raise ValueError(f"`how` is {how!r}; known are 'half_even' and 'half_up'")


def _rounded(handle: Any, decimals: Any, how: str) -> Any:
    """Return a handle of a series rounded to places."""
    dtype = handle.dtype()
    if how == "half_even" or not (dtype.kind in "iuf" or dtype.precision is not None):
        return handle.round(decimals)
    column = _elementwise.round(handle.column(), operator.index(decimals), _HALF_UP, None, None)
    return _cuprum.Series(cast_column(column, dtype), handle.name(), handle.index())


# Of `pylibcuprum.round.RoundingMethod`.
_HALF_UP = 0


def _is_nullable_integer(dtype: Any) -> bool:
    """Whether a dtype is one of pandas' integers that may be missing: a name, or an object of that name."""
    return (dtype if isinstance(dtype, str) else getattr(dtype, "name", None)) in _NULLABLE_INTEGERS


def _without_fractions(series: Any, dtype: Any) -> Any:
    """Return the handle of floats without NaN, which are missing as integers; they must be whole."""
    if series.dtype.kind != "f":
        return series._handle
    known = series.nans_to_nulls().dropna()
    if (known % 1 != 0).any():
        name = str(getattr(dtype, "name", dtype)).lower()
        raise TypeError(f"cannot safely cast non-equivalent {series.dtype} to {name}")
    return series.nans_to_nulls()._handle


def _check_errors(errors: Any) -> None:
    if errors not in ("raise", "ignore"):
        raise ValueError(f"`errors` is {errors!r}; known are 'raise' and 'ignore'")
