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

One thread at a time changes objects: whoever reads a handle, makes another of it and puts that in its
place holds `writing` all the while. Reading takes no lock.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from functools import wraps
from typing import Any, Self, TypeVar

__all__ = ["Sharing", "may_change", "set_handle", "writing"]

# Held while an object is changed. It is one for all, since a write concerns all objects of a group.
writing = threading.RLock()
# A process that is forked while another thread writes could never write itself.
os.register_at_fork(before=writing.acquire, after_in_parent=writing.release, after_in_child=writing.release)

_Method = TypeVar("_Method", bound=Callable[..., Any])


def may_change(method: _Method) -> _Method:
    """Let a method that changes its object with ``inplace`` hold `writing` then, and only then."""

    @wraps(method)
    def guarded(self: Any, *args: Any, inplace: bool = False, **kwargs: Any) -> Any:
        if not inplace:
            return method(self, *args, **kwargs)
        with writing:
            return method(self, *args, inplace=inplace, **kwargs)

    return guarded  # type: ignore[return-value]


# The shallow copies that know each other, by the id of each of them; those that die leave.
_Group = dict[int, "weakref.ref[Sharing]"]
_groups: dict[int, _Group] = {}


def _join(group: _Group, member: Sharing) -> None:
    key = id(member)
    group[key] = weakref.ref(member, lambda _: _leave(key))
    _groups[key] = group


def _leave(key: int) -> None:
    group = _groups.pop(key, None)
    if group is not None:
        group.pop(key, None)


class Sharing:
    """An object around a handle, whose elements may be shared and written."""

    __slots__ = ("__weakref__", "_handle")

    _handle: Any
    _wrap: Callable[[Any], Any]

    def _others(self) -> list[Sharing]:
        """Return the objects that may see what is written to this one."""
        group = _groups.get(id(self))
        if group is None:
            return []
        living = (reference() for reference in list(group.values()))
        return [other for other in living if other is not None and other is not self]

    def _snapshot(self) -> Self:
        """Return an object of the same elements, which no later change of either shows in.

        Without copy-on-write those of others outside of this library do.
        """
        return self._wrap(self._handle.shallow_copy())

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
        if not self._handle.shows_writes():
            return self._snapshot()
        with writing:
            copy = self._snapshot()
            group = _groups.get(id(self))
            if group is None:
                group = {}
                _join(group, self)
            _join(group, copy)
        return copy

    def __copy__(self) -> Self:
        return self.copy(deep=False)

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy(deep=True)

    def _write(self, rows: Any, values: list[tuple[int, Any]]) -> None:
        """Set elements at ``rows`` of columns at some positions, each to a scalar or a column's elements.

        In place where nobody else uses the memory. Nothing has changed after an error. Whoever found the
        rows holds `writing` since then.
        """
        others = self._others()
        replaced = self._handle.write(rows, values, [other._handle for other in others])
        if replaced is not None:
            for member, handle in zip([self, *others], replaced, strict=True):
                set_handle(member, handle)

    def _around(self, handle: Any) -> Any:
        """Return another object around ``handle``, which may be the one of this object."""
        return self._snapshot() if handle is self._handle else self._wrap(handle)

    def _changed(self, handle: Any, inplace: bool = False) -> Any:
        """Return an object around ``handle``, which has other elements in the same places.

        With ``inplace`` it is this object, and those that see its writes have the new elements, too.
        """
        if not inplace:
            return self._around(handle)
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
            return self._around(handle)
        set_handle(self, handle)
        return None

    def _replaced(self, handle: Any, inplace: bool) -> Any:
        """Return an object around ``handle``, which has other rows.

        With ``inplace`` it is put in this object alone, which sees no writes of others from then on, and
        None is returned.
        """
        if inplace:
            _leave(id(self))
        return self._relabelled(handle, inplace)


set_handle: Callable[[Any, Any], None] = Sharing._handle.__set__  # type: ignore[misc]
