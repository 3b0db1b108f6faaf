"""The base of series and indexes: labels or elements in one dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from cuprum.typing import Array

__all__ = ["OneDimensional"]


class OneDimensional:
    """Elements in a row, which ``to_numpy`` gives as an array."""

    __slots__ = ()

    if TYPE_CHECKING:  # of the classes

        def __len__(self) -> int: ...

        to_numpy: Any

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self)

    @property
    def shape(self) -> tuple[int]:
        """The number of elements, as a tuple."""
        return (len(self),)

    @property
    def ndim(self) -> int:
        """Always 1."""
        return 1

    @property
    def empty(self) -> bool:
        """Whether there is no element."""
        return self.size == 0

    @property
    def T(self) -> Self:
        """Itself: rows and columns of one dimension do not change places."""
        return self

    def transpose(self) -> Self:
        """Return the object itself: one dimension has no rows and columns that change places.

        Returns
        -------
        Series or Index
            The same object.

        Examples
        --------
        >>> import cuprum
        >>> s = cuprum.Series([1, 2])
        >>> s.transpose() is s
        True
        """
        return self

    @property
    def values(self) -> Array:
        """The elements as a NumPy array; see `to_numpy`."""
        return self.to_numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.to_numpy(dtype, copy=bool(copy))

    def __bool__(self) -> bool:
        raise ValueError(
            f"The truth value of a {type(self).__name__} is ambiguous. "
            "Use a.empty, a.item(), a.any() or a.all()."
        )
