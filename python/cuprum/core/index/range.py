"""Labels that are a range of integers: `RangeIndex`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, overload

from cuprum import _cuprum
from cuprum._cuprum import DType
from cuprum.core.arguments import element_of, integer_of, numpy_keywords, only_default, plain_label
from cuprum.core.display import attributes_text
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.interop import is_pandas

if TYPE_CHECKING:
    import pandas as pd

    from cuprum.typing import Position, Several

__all__ = ["RangeIndex"]


class RangeIndex(Index, of="range"):
    """The labels ``start, start + step, …`` below ``stop``, which take no memory.

    Parameters
    ----------
    start : int, range or RangeIndex, optional
        The first label, 0 by default; or ``stop`` where this is the only number. A range, or an index of one,
        says all.
    stop : int, optional
        The label before which the range ends.
    step : int, optional
        The difference between neighbours, 1 by default; 0 is refused.
    dtype : dtype or str, optional
        A signed integer type; others are refused. The labels are int64.
    copy : bool, default False
        Without effect.
    name : label, optional
        The name of the index.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.RangeIndex(3)
    RangeIndex(start=0, stop=3, step=1)
    >>> cuprum.RangeIndex(10, 0, -5).to_list()
    [10, 5]
    """

    __slots__ = ()

    def __new__(
        cls,
        start: Any = None,
        stop: int | None = None,
        step: int | None = None,
        dtype: Any = None,
        copy: bool = False,
        name: Any = None,
    ) -> Self:
        """Make the labels of ``range(start, stop, step)``, of a range, or of an index of that kind."""
        if isinstance(start, RangeIndex) or is_pandas(start, "RangeIndex"):
            name = start.name if name is None else name
            start = range(start.start, start.stop, start.step)
        if isinstance(start, range):
            start, stop, step = start.start, start.stop, start.step
        elif start is None and stop is None and step is None:
            raise TypeError("RangeIndex(...) must be called with integers")
        elif stop is None:
            start, stop = 0, (0 if start is None else start)
        for argument, value in (("start", start), ("stop", stop), ("step", step)):
            if value is not None and not hasattr(value, "__index__"):
                raise TypeError(f"Wrong type {type(value)} for value {value} of `{argument}`")
        if step == 0:
            raise ValueError("Step must not be zero")
        if dtype is not None and DType(dtype).kind != "i":
            raise ValueError(f"Incorrect `dtype` passed: expected signed integer, received {dtype}")
        return wrap_index(
            _cuprum.Index.range(start or 0, stop, 1 if step is None else step, plain_label(name))
        )

    @classmethod
    def from_range(cls, data: range, name: Any = None, dtype: Any = None) -> Self:
        """Return the labels of a range.

        Parameters
        ----------
        data : range
            The range of Python.
        name : label, optional
            The name of the index.
        dtype : dtype or str, optional
            A signed integer type; others are refused. The labels are int64.

        Returns
        -------
        RangeIndex
            The same integers.

        Raises
        ------
        TypeError
            Where ``data`` is no range.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.RangeIndex.from_range(range(0, 10, 5), name="k")
        RangeIndex(start=0, stop=10, step=5, name='k')
        """
        if not isinstance(data, range):
            raise TypeError(
                f"{cls.__name__}(...) must be called with object coercible to a range, {data!r} was passed"
            )
        return cls(data, dtype=dtype, name=name)

    @property
    def start(self) -> int:
        """The first label."""
        return self._handle.as_range()[0]

    @property
    def stop(self) -> int:
        """The label before which the range ends."""
        return self._handle.as_range()[1]

    @property
    def step(self) -> int:
        """The difference between neighbours."""
        return self._handle.as_range()[2]

    def to_pandas(self, *, nullable: bool = False, arrow_type: bool = False) -> pd.RangeIndex:
        """Return the pandas RangeIndex with the same labels and name.

        Parameters
        ----------
        nullable : bool, default False
            Refused where it is true: a range has one type.
        arrow_type : bool, default False
            Refused where it is true, as ``nullable``.

        Returns
        -------
        pandas.RangeIndex
            The same range.

        Raises
        ------
        NotImplementedError
            With ``nullable`` or ``arrow_type``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.RangeIndex(3, name="k").to_pandas()
        RangeIndex(start=0, stop=3, step=1, name='k')
        """
        import pandas as pd

        only_default("RangeIndex.to_pandas", nullable=(nullable, False), arrow_type=(arrow_type, False))
        return pd.RangeIndex(*self._handle.as_range(), name=self.name)

    def to_list(self) -> list[Any]:
        """Return the labels as a list of Python integers.

        Returns
        -------
        list of int
            The labels.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.RangeIndex(0, 10, 5).to_list()
        [0, 5]
        """
        return list(range(*self._handle.as_range()))

    tolist = to_list

    @overload
    def __getitem__(self, key: Position) -> int: ...
    @overload
    def __getitem__(self, key: Several) -> Any: ...
    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            return super().__getitem__(key)
        part = range(*self._handle.as_range())[key]
        if abs(part.stop) >= 2**63:
            return super().__getitem__(key)
        return wrap_index(_cuprum.Index.range(part.start, part.stop, part.step, self.name))

    def _extreme(self, name: str, axis: Any, skipna: bool, out: Any) -> Any:
        numpy_keywords(name, {"out": out})
        if axis not in (None, 0, -1):
            raise ValueError(f"`axis` must be fewer than the number of dimensions (1), not {axis!r}")
        labels = range(*self._handle.as_range())
        ends = (labels[0], labels[-1]) if labels else (float("nan"),)
        return min(ends) if name == "min" else max(ends)

    def _rows_in_order(self, ascending: Any = True, na_position: str = "last") -> Any:
        import numpy as np

        if na_position not in ("first", "last"):
            raise ValueError(f"invalid na_position: {na_position}")
        rows = np.arange(len(self))
        return rows if bool(ascending) == (self.step > 0) else rows[::-1].copy()

    def round(self, decimals: int = 0) -> Index:
        """Return the labels rounded to some decimal places.

        Parameters
        ----------
        decimals : int, default 0
            How many places; negative ones round to tens, hundreds and so on.

        Returns
        -------
        Index
            The range itself where rounding changes nothing; else an Index of integers, halves rounded to the
            even neighbour.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.RangeIndex(3).round(2)
        RangeIndex(start=0, stop=3, step=1)
        >>> cuprum.RangeIndex(0, 20, 5).round(-1)
        Index([0, 0, 10, 20], dtype='int64')
        """
        unit = 10 ** max(-decimals.__index__(), 0)
        whole = self.start % unit == 0 and self.step % unit == 0
        return wrap_index(self._handle) if whole else super().round(decimals)

    def insert(self, loc: int, item: Any) -> Index:
        """Return the labels with another one put in before a position.

        Parameters
        ----------
        loc : int
            The position that the label gets; a negative one is counted from the end.
        item : label
            The label.

        Returns
        -------
        Index
            A range where the label continues it at one of its ends; else an Index of a type that holds all
            labels.

        Raises
        ------
        IndexError
            Where ``loc`` is beyond the labels.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.RangeIndex(3).insert(3, 3)
        RangeIndex(start=0, stop=4, step=1)
        >>> cuprum.RangeIndex(3).insert(0, 9)
        Index([9, 0, 1, 2], dtype='int64')
        """
        start, step, length = self.start, self.step, len(self)
        at = integer_of("loc", loc) + (length if loc < 0 else 0)
        if type(item) is int and length and abs(item) < 2**62:
            if at == 0 and item == start - step:
                return wrap_index(_cuprum.Index.range(item, item + step * (length + 1), step, self.name))
            if at == length and loc >= 0 and item == start + length * step:
                return wrap_index(_cuprum.Index.range(start, item + step, step, self.name))
        return super().insert(loc, item)

    def unique(self, level: Any = None) -> Index:
        """Return the labels themselves, which differ.

        Parameters
        ----------
        level : label or int, optional
            The only level, by its name or number; others are refused.

        Returns
        -------
        RangeIndex
            The same range.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.RangeIndex(3).unique()
        RangeIndex(start=0, stop=3, step=1)
        """
        return wrap_index(self.get_level_values(0 if level is None else level)._handle)

    def _arithmetic(self, other: Any, op: Any, reflected: bool) -> Any:
        other = element_of(other)
        kind = getattr(getattr(other, "dtype", None), "kind", "")
        if isinstance(other, bool) or (kind == "i" and getattr(other, "ndim", None) == 0):
            other = int(other)
        if type(other) is int and abs(other) < 2**63:
            return wrap_index(self._handle.binary_integer(op, other, reflected))
        return super()._arithmetic(other, op, reflected)

    def _unary(self, op: Any) -> Index:
        return (
            wrap_index(self._handle.binary_integer("mul", -1, False)) if op == "neg" else super()._unary(op)
        )

    def __repr__(self) -> str:
        start, stop, step = self._handle.as_range()
        name = [] if self.name is None else [f"name={self.name!r}"]
        return attributes_text("RangeIndex", [f"start={start}", f"stop={stop}", f"step={step}", *name])

    def __abs__(self) -> Index:
        if not len(self) or min(self[0], self[-1]) >= 0:
            return self
        return -self if max(self[0], self[-1]) <= 0 else super().__abs__()

    def __reduce__(self) -> Any:
        return (RangeIndex, (*self._handle.as_range(), None, False, self.name))
