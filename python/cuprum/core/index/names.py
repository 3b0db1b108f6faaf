"""`Names`: the names of the levels of an index, a list that cannot be changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Never

__all__ = ["Names"]


class Names(list[Any]):
    """Names of levels as a list that refuses changes: an index is named by assigning its ``names``.

    Examples
    --------
    >>> names = Names(["a", "b"])
    >>> names.difference(["a"])
    FrozenList(['b'])
    >>> names[0] = "z"
    Traceback (most recent call last):
        ...
    TypeError: names of an index do not change one by one; assign all of them
    """

    __slots__ = ()

    def union(self, other: Iterable[Any]) -> Names:
        """Return these names and then the others.

        Parameters
        ----------
        other : iterable of labels
            The other names; those that are here already come again.

        Returns
        -------
        Names
            A new list.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index([1], name="a").names.union(["b"])
        FrozenList(['a', 'b'])
        """
        return Names([*self, *other])

    def difference(self, other: Iterable[Any]) -> Names:
        """Return these names without some.

        Parameters
        ----------
        other : iterable of labels
            The names that are left out.

        Returns
        -------
        Names
            A new list.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_tuples([(1, 2)], names=["a", "b"]).names.difference(["a"])
        FrozenList(['b'])
        """
        left = list(other)
        return Names(name for name in self if name not in left)

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return Names(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> Names:
        return self.union(other)

    def __radd__(self, other: Any) -> Names:
        return Names([*other, *self])

    def __eq__(self, other: object) -> bool:
        return list.__eq__(self, list(other) if isinstance(other, tuple) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __reduce__(self) -> Any:
        return Names, (list(self),)

    def __repr__(self) -> str:
        return f"FrozenList({super().__repr__()})"

    def _refused(self, *_args: Any, **_kwargs: Any) -> Never:
        raise TypeError("names of an index do not change one by one; assign all of them")

    __iadd__ = __add__
    __setitem__ = __delitem__ = __imul__ = _refused
    append = extend = insert = pop = remove = reverse = sort = clear = _refused
