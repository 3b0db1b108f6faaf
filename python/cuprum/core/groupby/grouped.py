"""What groups are of: a frame, or a series as one, that may change after it was grouped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core.objects import wrap_frame
from cuprum.core.sharing import state_of

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["VALUES", "Grouped"]

# What the column of a series is called in the frame that is grouped in its place.
VALUES = "\0values"


class Grouped:
    """Groups and the frame whose rows they have.

    As in pandas the groups are found once, of the keys as they were, and are of the elements, columns and row labels
    that the object has later. Without an object that they follow, they are of the frame for good.
    """

    __slots__ = ("_frame", "_groups", "_original", "_seen")

    def __init__(self, groups: Any, frame: DataFrame, original: Any = None) -> None:
        self._groups, self._frame, self._original = groups, frame, original
        self._seen = None if original is None else state_of(original)

    def now(self) -> tuple[Any, DataFrame]:
        """Return the groups and the frame as they are now; ``ValueError`` where rows were added or taken away."""
        original = self._original
        if original is not None and (state := state_of(original)) != self._seen:
            handle = original._handle.shallow_copy()
            frame = wrap_frame(handle if original.ndim == 2 else handle.to_frame(VALUES))
            self._groups, self._frame, self._seen = self._groups.with_frame(frame._handle), frame, state
        return self._groups, self._frame

    def name(self, otherwise: Any) -> Any:
        """Return the name of the series that is grouped; what is given where it is a column of a frame."""
        original = self._original
        return otherwise if original is None or original.ndim == 2 else original.name

    def as_it_is(self) -> Grouped:
        """Return the same groups, of what they are of now for good."""
        return Grouped(*self.now())
