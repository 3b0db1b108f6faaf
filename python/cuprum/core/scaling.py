"""Elements as numbers from 0 to 1."""

from __future__ import annotations

from typing import Self

from cuprum.core.objects import Wrapper

__all__ = ["Scales"]


class Scales(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    def scale(self) -> Self:
        """Return the elements of each column from 0, the smallest, to 1, the largest, as floats.

        Missing where all are the same.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([2, 4, 3]).scale().to_list()
        [0.0, 1.0, 0.5]
        """
        low, high = self.min(), self.max()  # type: ignore[attr-defined]
        return (self - low) / (high - low)
