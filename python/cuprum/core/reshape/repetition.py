"""Rows again and again, columns woven into one, rows as structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cuprum import _cuprum
from cuprum._cuprum import Column, Table, _tables
from cuprum.core.arguments import plain_label
from cuprum.core.devices import on_host
from cuprum.core.objects import Wrapper, wrap_series

if TYPE_CHECKING:
    from cuprum.core.series import Series
    from cuprum.typing import ListLike, RowAxis

__all__ = ["FrameRepetition", "Repetition", "numbers_of_repeats"]


def numbers_of_repeats(repeats: Any, rows: int) -> Any:
    """Return how often each of so many rows is there, as NumPy has it; an error that names ``repeats`` else."""
    import numpy as np

    times = np.asarray(repeats)
    if times.dtype.kind not in "iu":
        raise TypeError(f"`repeats` is {repeats!r}; it is a number, or one for each element")
    if times.size and times.min() < 0:
        raise ValueError("repeats may not contain negative values.")
    if times.ndim and len(times) not in (1, rows):
        raise ValueError(f"`repeats` has {len(times)} numbers for {rows} elements")
    return times


class Repetition(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    def repeat(self, repeats: int | ListLike, axis: RowAxis | None = None) -> Self:
        """Return every row, under its label, ``repeats`` times: as often as a number says, or one for each."""
        import numpy as np

        if axis is not None:
            raise ValueError("the 'axis' parameter is not supported by repeat(): it is NumPy's")
        times = numbers_of_repeats(repeats, len(self))
        rows = np.repeat(np.arange(len(self)), times)
        return self._wrap(self._handle.take(Column.from_numpy(rows)))

    def tile(self, count: int) -> Self:
        """Return all rows, under their labels, ``count`` times one after the other.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2]).tile(2).to_list()
        [1, 2, 1, 2]
        """
        import numpy as np

        if isinstance(count, bool) or not hasattr(count, "__index__") or count < 0:
            raise ValueError(f"`count` is {count!r}, no number of times")
        rows = np.tile(np.arange(len(self)), count.__index__())
        return self._wrap(self._handle.take(Column.from_numpy(rows)))


class FrameRepetition(Wrapper):
    """Columns of a frame as one."""

    __slots__ = ()

    def interleave_columns(self) -> Series:
        """Return the values of the first row, then those of the second, and so on, under the labels 0, 1, ….

        ``TypeError`` where the columns are not of one type, ``ValueError`` for a frame without columns.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}).interleave_columns().to_list()
        [1, 3, 2, 4]
        """
        columns = self._handle.columns()
        if not columns:
            raise ValueError("a frame without columns has none to interleave")
        return wrap_series(_cuprum.Series(_tables.interleave_columns(Table(columns), None, None)))

    def to_struct(self, name: Any = None) -> Series:
        """Return the rows as structs, the columns being their fields, under the name ``name``.

        Names of fields are texts: other labels are written as texts. ``ValueError`` for labels that repeat.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"a": [1], "b": ["x"]}).to_struct().to_list()
        [{'a': 1, 'b': 'x'}]
        """
        labels = [str(label) for label in self._handle.labels()]
        if len(set(labels)) < len(labels):
            raise ValueError(f"columns are labelled {labels}: fields of structs have names of their own")
        import pyarrow as pa

        handle = on_host(self, "to_struct")._handle
        parts = [pa.array(column) for column in handle.columns()]
        fields = [pa.field(label, part.type) for label, part in zip(labels, parts, strict=True)]
        structs = pa.StructArray.from_arrays(parts, fields=fields) if parts else pa.array([{}] * len(self))
        column = _cuprum.typed_column_from_arrow(structs)
        made = wrap_series(_cuprum.Series(column, plain_label(name), handle.index()))
        return made.to_device(self.device)  # type: ignore[attr-defined]
