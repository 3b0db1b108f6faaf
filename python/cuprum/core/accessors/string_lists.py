"""``Series.str`` of lists, as ``str.split`` returns them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum._cuprum import Column, _lists
from cuprum.core.accessors.accessor import Accessor
from cuprum.core.accessors.list import ListMethods
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["ListsOfTexts"]


class ListsOfTexts(Accessor):
    """``series.str`` of lists: elements, lengths, and texts joined.

    Examples
    --------
    >>> from cuprum import Series
    >>> Series(["a_b", "c"]).str.split("_").str[1].to_list()
    ['b', nan]
    """

    __slots__ = ()

    def get(self, i: int) -> Series:
        """Return one element of each list.

        Parameters
        ----------
        i : int
            The position from 0; negative ones count from the end.

        Returns
        -------
        Series
            The elements; missing where a list has none at the position.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b", "c"]).str.split("_").str.get(1)
        0      b
        1    NaN
        dtype: str
        """
        return ListMethods(self._series).get(i)

    def __getitem__(self, key: Any) -> Series:
        if isinstance(key, slice):
            return self.slice(key.start, key.stop, key.step)
        return self.get(key)

    def slice(self, start: int | None = None, stop: int | None = None, step: int | None = None) -> Series:
        """Return some elements of each list, as Python's slices do.

        Parameters
        ----------
        start : int, optional
            The first position; negative ones count from the end.
        stop : int, optional
            The position behind the last one.
        step : int, optional
            The distance of positions; backwards if negative, 0 is refused.

        Returns
        -------
        Series
            Lists; missing for missing ones.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b_c", "d"]).str.split("_").str[1:].to_list()
        [['b', 'c'], []]
        """
        import numpy as np

        for name, value in (("start", start), ("stop", stop), ("step", step)):
            if value is not None and (isinstance(value, bool) or not hasattr(value, "__index__")):
                raise TypeError(f"`{name}` is {value!r}, no integer")
        by = 1 if step is None else int(step)
        if by == 0:
            raise ValueError("slice step cannot be zero")
        lengths = ListMethods(self._series).len().fillna(0).to_numpy(dtype="int64")
        low, high = (0, lengths) if by > 0 else (-1, lengths - 1)

        def place(value: int | None, default: Any) -> Any:
            if value is None:
                return default
            # Beyond what any list has it makes no difference how far.
            value = max(min(int(value), 2**62), -(2**62))
            return np.clip(value if value >= 0 else value + lengths, low, high)

        first = place(start, 0 if by > 0 else lengths - 1)
        last = place(stop, lengths if by > 0 else -1)
        by = max(min(by, 2**62), -(2**62))
        counts = np.maximum((last - first + by - (1 if by > 0 else -1)) // by, 0)
        columns = [
            Column.from_numpy(np.broadcast_to(values, lengths.shape).astype("int64"))
            for values in (first, counts, by)
        ]
        return ListMethods(self._series).take(_lists.sequences(*columns, None, None))

    def len(self) -> Series:
        """Return the number of elements of each list.

        Returns
        -------
        Series
            ``int64``; missing for missing lists.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b", "c"]).str.split("_").str.len().to_list()
        [2, 1]
        """
        return ListMethods(self._series).len().astype("int64")

    def join(self, sep: str) -> Series:
        """Return the texts of each list with a separator between them.

        Parameters
        ----------
        sep : str
            The separator.

        Returns
        -------
        Series
            Texts; missing where the list or one of its elements is.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b", "c"]).str.split("_").str.join("-").to_list()
        ['a-b', 'c']
        """
        if not isinstance(sep, str):
            raise TypeError(f"`sep` must be a str, not {type(sep).__name__}")
        return wrap_series(self._series._handle.list_join(sep))
