"""The grouped object: a frame, or a series as one, that may change after it was grouped."""

from __future__ import annotations

import copyreg
from typing import TYPE_CHECKING, Any, NamedTuple

from cuprum import _cuprum
from cuprum.core.copy_on_write import state_of
from cuprum.core.objects import is_of_users, wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["VALUES", "Grouped", "GroupsMadeBy"]

# The label of a series' column in the frame that is grouped in its place.
VALUES = "\0values"


class Grouped:
    """Groups and the frame whose rows they have.

    As in pandas the groups are found once, of the keys as they were, and are of the elements, columns and row labels
    that the object has later. Without an object that they follow, they are of the frame for good.
    """

    __slots__ = ("_frame", "_groups", "_made_by", "_original", "_seen", "owner")

    # The frame or series that was grouped. Results are of its class if that is a user's.
    owner: Any

    def __init__(self, groups: Any, frame: DataFrame, original: Any, made_by: GroupsMadeBy) -> None:
        self._groups, self._frame, self._original, self._made_by = groups, frame, original, made_by
        self._seen = None if original is None else state_of(original)
        self.owner = original

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the groups again, where they were pickled or copied: handles are neither."""
        made_by, original = self._made_by, self._original
        now = self.now()[1]
        frame = None if now._handle is made_by.table else now
        if frame is None and original is not None:  # which has the table
            made_by = made_by._replace(table=None)
        return Grouped._again, (made_by._replace(table=_framed(made_by.table)), frame, original)

    @staticmethod
    def _again(made_by: GroupsMadeBy, frame: DataFrame | None, original: Any) -> Grouped:
        table = made_by.table
        table = _table_of(original) if table is None else table._handle
        made_by = made_by._replace(table=table)
        groups = made_by.groups()
        if frame is None:
            frame = wrap_frame(table)
        elif made_by.name == "groupby":
            groups = groups.with_frame(frame._handle)
        return Grouped(groups, frame, original, made_by)

    def now(self) -> tuple[Any, DataFrame]:
        """Return the groups and the frame as they are now; ``ValueError`` where rows were added or taken away."""
        original = self._original
        if original is not None and (state := state_of(original)) != self._seen:
            frame = wrap_frame(_table_of(original))
            self._groups, self._frame, self._seen = self._groups.with_frame(frame._handle), frame, state
        return self._groups, self._frame

    def name(self, otherwise: Any) -> Any:
        """Return the name of the series that is grouped; what is given where it is a column of a frame."""
        original = self._original
        return otherwise if original is None or original.ndim == 2 else original.name

    def as_it_is(self) -> Grouped:
        """Return the same groups, of what they are of now for good."""
        made = Grouped(*self.now(), None, self._made_by)
        if is_of_users(type(self.owner)):
            made.owner = self.owner
        return made


class GroupsMadeBy(NamedTuple):
    """The function of the library that made groups, its first argument, which is a table, and the others."""

    name: str
    table: Any
    arguments: tuple[Any, ...]

    def made(self) -> Any:
        """Return the result of the function."""
        kind = _cuprum.GroupBy
        function = kind if self.name == "groupby" else getattr(kind, self.name)
        return function(self.table, *self.arguments)

    def groups(self) -> Any:
        """Return the groups alone."""
        made = self.made()
        return made[0] if isinstance(made, tuple) else made


def _table_of(obj: Any) -> Any:
    """Return a snapshot of a frame, or of a series as a frame."""
    handle = obj._handle.shallow_copy()
    return handle if obj.ndim == 2 else handle.to_frame(VALUES)


def _framed(table: Any) -> Any:
    return None if table is None else wrap_frame(table)


def _handle_of(obj: Any) -> Any:
    return obj._handle


# Handles are keys of groups, too: they are pickled as the objects that are around them.
copyreg.pickle(_cuprum.Series, lambda handle: (_handle_of, (wrap_series(handle),)))
