"""Objects that share memory, and the one place through which they change.

An object holds one handle of the extension module, and no other object holds that handle. A shallow
copy has another handle of the same columns. What a write to elements then does depends on how the
memory of a column was made:

* while the option ``copy_on_write`` was on: the object that is written takes a copy first, if anybody
  else uses the memory;
* while it was off: shallow copies are linked, and a write goes to all of them; everybody else who uses
  the memory keeps what was there. Only columns of fixed width are linked.

Linked objects know each other, not which columns they share: those that are the same memory under the
same label are. So nothing has to be kept up to date where columns are replaced, dropped or renamed.
Whoever gets other rows leaves the others, even if they are the same ones by chance.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Self

__all__ = ["Sharing", "set_handle"]


class _Links:
    """Shallow copies of each other, for as long as they live."""

    __slots__ = ("_members",)

    def __init__(self) -> None:
        self._members: dict[int, weakref.ref[Sharing]] = {}

    def add(self, member: Sharing) -> None:
        members, key = self._members, id(member)
        members[key] = weakref.ref(member, lambda _: members.pop(key, None))
        _set_links(member, self)

    def remove(self, member: Sharing) -> None:
        self._members.pop(id(member), None)
        _delete_links(member)

    def others(self, member: Sharing) -> list[Sharing]:
        living = (reference() for reference in list(self._members.values()))
        return [other for other in living if other is not None and other is not member]


class Sharing:
    """An object around a handle, whose elements may be shared and written."""

    # Without links until there is a shallow copy, so that making an object costs nothing more.
    __slots__ = ("__weakref__", "_handle", "_links")

    _wrap: Callable[[Any], Any]

    def _others(self) -> list[Sharing]:
        """Return the objects that may see what is written to this one."""
        try:
            return _links_of(self).others(self)
        except AttributeError:
            return []

    def _snapshot(self) -> Self:
        """Return an object of the same elements, which no later change of either shows in."""
        return self._wrap(self._handle.shared())

    def copy(self, deep: bool = True) -> Self:
        """Return a copy with memory of its own, or with ``deep=False`` one that shares it.

        Columns without fixed width (text) are shared either way: nothing is ever written into them.

        What is written to a shallow copy shows in this object and the other way round, for columns of
        fixed width; not if the option ``copy_on_write`` was on when their memory was made: then the
        object that is written takes a copy of the memory first. A shallow copy of such memory is a
        physical copy where others outside of this library may write to it.

        Examples
        --------
        >>> import cuprum
        >>> s = cuprum.Series([1, 2, 3])
        >>> shallow = s.copy(deep=False)
        >>> shallow[0] = 10
        >>> s.to_list()
        [10, 2, 3]
        >>> with cuprum.option_context("copy_on_write", True):
        ...     s = cuprum.Series([1, 2, 3])
        >>> shallow = s.copy(deep=False)
        >>> shallow[0] = 10
        >>> s.to_list()
        [1, 2, 3]
        """
        if deep:
            return self._wrap(self._handle.deep_copy())
        copy = self._wrap(self._handle.shallow_copy())
        if self._handle.shows_writes():
            try:
                links = _links_of(self)
            except AttributeError:
                links = _Links()
                links.add(self)
            links.add(copy)
        return copy

    def __copy__(self) -> Self:
        return self.copy(deep=False)

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy(deep=True)

    def _write(self, rows: Any, values: list[tuple[int, Any]]) -> None:
        """Set elements at ``rows`` of columns at some positions, each to a scalar or a column's elements.

        In place where nobody else uses the memory. Nothing has changed after an error.
        """
        others = self._others()
        replaced = self._handle.write(rows, values, [other._handle for other in others])
        if replaced is not None:
            for member, handle in zip([self, *others], replaced, strict=True):
                set_handle(member, handle)

    def _changed(self, handle: Any, inplace: bool = False) -> Any:
        """Return an object around ``handle``, which has other elements in the same places.

        With ``inplace`` it is this object, and those that see its writes have the new elements, too.
        """
        if not inplace:
            return self._wrap(handle.shared() if handle is self._handle else handle)
        for other in self._others():
            followed = other._handle.follow(self._handle, handle)
            if followed is not None:
                set_handle(other, followed)
        set_handle(self, handle)
        return self

    def _relabelled(self, handle: Any, inplace: bool) -> Any:
        """Return an object around ``handle``, which has other labels or columns, or an order of columns.

        With ``inplace`` it is put in this object alone, and None is returned; what it still has of the
        columns that it had goes on being shared.
        """
        if not inplace:
            return self._wrap(handle.shared() if handle is self._handle else handle)
        set_handle(self, handle)
        return None

    def _replaced(self, handle: Any, inplace: bool) -> Any:
        """Return an object around ``handle``, which has other rows.

        With ``inplace`` it is put in this object alone, which sees no writes of others from then on, and
        None is returned.
        """
        if inplace and self._others():
            _links_of(self).remove(self)
        return self._relabelled(handle, inplace)


# Frames look up attributes that they do not have as columns, so slots are read and set directly.
set_handle: Callable[[Any, Any], None] = Sharing._handle.__set__  # type: ignore[attr-defined]
_set_links: Callable[[Any, Any], None] = Sharing._links.__set__  # type: ignore[attr-defined]
_delete_links: Callable[[Any], None] = Sharing._links.__delete__  # type: ignore[attr-defined]
_links_of: Callable[[Any], _Links] = Sharing._links.__get__  # type: ignore[attr-defined]
