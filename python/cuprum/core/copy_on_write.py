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

A change is a function that makes another handle of the one that an object has, and is called by the four
methods below which put that in its place. Linked objects have one lock, other objects one each; it is held
from reading the handle to replacing it, so no change is lost, and writers of unrelated objects do not wait
for each other. What users hand in, their functions above all, is read and called before: nothing of theirs
runs under a lock. Reading takes no lock.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Self

from cuprum.core.arguments import truth_of

__all__ = ["Sharing", "attrs_of", "register_with_objects", "set_handle", "state_of"]

_Handle = Any


class _Group:
    """Objects that know each other, or one alone, and the lock that their writers hold.

    A process that is forked while another thread writes has the lock of that thread, which is not there
    to release it: a group of before the fork takes another lock.
    """

    __slots__ = ("forks", "lock", "members", "writes")

    def __init__(self) -> None:
        self.forks = _forks
        self.lock = threading.RLock()
        # The number of writes in place.
        self.writes = 0
        # Linked objects, by the id of each; those that die leave. One alone is not among them.
        self.members: dict[int, weakref.ref[Sharing]] = {}

    def take_in(self, member: Sharing) -> None:
        """Link an object with the others."""
        key, members = id(member), self.members
        members[key] = weakref.ref(member, lambda _: members.pop(key, None))
        _set_group(member, self)


# The number of forks between this process and the one that imported the module.
_forks = 0
# Held while a group is made, gets its lock, or several of its members get other handles: what a fork must
# not cut in two. Nothing else is done meanwhile.
_moment = threading.RLock()


def _after_fork() -> None:
    global _forks
    _forks += 1
    _moment.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_moment.acquire, after_in_parent=_moment.release, after_in_child=_after_fork)


def _group_of(member: Sharing) -> _Group:
    """Return the group of an object, which has a lock of this process."""
    try:
        group = _get_group(member)
        if group.forks == _forks:
            return group
    except AttributeError:
        pass
    with _moment:
        try:
            group = _get_group(member)
        except AttributeError:
            group = _Group()
            _set_group(member, group)
        if group.forks != _forks:
            group.forks, group.lock = _forks, threading.RLock()
    return group


class Sharing:
    """An object around a handle, whose elements may be shared and written.

    Classes of objects have the slot ``_handle`` themselves: Python looks through all bases for the class of a slot
    that is read, one after the other.
    """

    __slots__ = ("__weakref__", "_attrs", "_group", "_unmade")

    _attrs: dict[Any, Any]
    # The parts of a record as long as it has no handle, see `object_columns`.
    _unmade: Any
    _group: _Group
    _handle: Any
    _wrap: Callable[[Any], Any]

    def _alone(self, act: Callable[..., Any], *arguments: Any) -> Any:
        """Return ``act(*arguments)``, called while no other thread changes this object or one linked with it."""
        while True:
            group = _group_of(self)
            with group.lock:
                # Whoever had the lock may have taken the object out of the group.
                if _get_group(self) is group:
                    return act(*arguments)

    def _others(self) -> list[Sharing]:
        """Return the objects that may see what is written to this one, which the caller has alone."""
        members = _group_of(self).members
        if not members:
            return []
        living = [reference() for reference in list(members.values())]
        return [other for other in living if other is not None and other is not self]

    def _snapshot(self) -> Self:
        """Return an object of the same elements, which no later change of either shows in.

        Without copy-on-write those of others outside of this library do.
        """
        return self._wrap(self._handle.shallow_copy())

    def copy(self, deep: bool = True) -> Self:
        """Return a copy with memory of its own, or one that shares memory.

        Parameters
        ----------
        deep : bool, default True
            Copy the memory. With False it is shared.

        Returns
        -------
        DataFrame or Series
            The same labels, elements and ``attrs``.

        Notes
        -----
        Columns without fixed width (text) are shared either way: nothing is ever written into them.

        What is written to a shallow copy shows in this object and the other way round, for columns of fixed
        width; not if the option ``copy_on_write`` was on when their memory was made: then the object that is
        written takes a copy of the memory first. A shallow copy of such memory is a physical copy where
        others outside of this library may write to it.

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
        return self._with_attrs(self._copied(deep))

    def _with_attrs(self, copied: Any) -> Any:
        """Return a copy of this object with a copy of its ``attrs``."""
        attrs = attrs_of(self)
        if attrs:
            copied.attrs = deepcopy(attrs)
        return copied

    def _copied(self, deep: bool) -> Any:
        if deep:
            return self._wrap(self._handle.deep_copy())
        if not self._handle.shows_writes():
            return self._snapshot()

        def link() -> Any:
            copy, group = self._snapshot(), _group_of(self)
            if not group.members:
                group.take_in(self)
            group.take_in(copy)
            return copy

        return self._alone(link)

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        return None, {"_handle": self._handle}

    def __copy__(self) -> Self:
        return self.copy(deep=False)

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy(deep=True)

    def _write(self, act: Callable[[_Handle], tuple[Any, list[tuple[int, Any]]]]) -> None:
        """Set elements at some rows of columns at some positions, each to a scalar or a column's elements.

        ``act`` of the handle gives the rows and the pairs of position and elements. In place where nobody
        else uses the memory. Nothing has changed after an error.
        """
        self._alone(self._write_now, act)

    def _write_now(self, act: Callable[[_Handle], tuple[Any, list[tuple[int, Any]]]]) -> None:
        """`_write` for a caller that has the object alone."""
        handle, group = self._handle, _get_group(self)
        rows, values = act(handle)
        others = self._others() if group.members else []
        replaced = handle.write(rows, values, [other._handle for other in others])
        if replaced is not None:
            _set_handles([self, *others], replaced)
        group.writes += 1

    def _set(self, act: Callable[[_Handle, list[_Handle]], Any]) -> None:
        """Set elements, add rows or columns: what ``act`` does with the handle and those that see its writes.

        It gives None, or handles that take the place of theirs, this object's first, and whether it has
        other rows now. Nothing has changed after an error.
        """
        self._alone(self._set_now, act)

    def _set_now(self, act: Callable[[_Handle, list[_Handle]], Any]) -> None:
        group = _get_group(self)
        others = self._others() if group.members else []
        changed = act(self._handle, [other._handle for other in others])
        if changed is not None:
            handles, other_rows = changed
            if other_rows:
                self._take_and_leave(handles[0])
            else:
                _set_handles([self, *others][: len(handles)], handles)
        group.writes += 1

    def _around(self, handle: Any) -> Any:
        """Return another object around ``handle``, which may be the one of this object."""
        return self._snapshot() if handle is self._handle else self._wrap(handle)

    def _changed(self, act: Callable[[_Handle], _Handle], inplace: bool = False) -> Any:
        """Return an object around what ``act`` makes of the handle: other elements in the same places.

        With ``inplace`` it is this object, and those that see its writes have the new elements, too.
        """
        if not _is_in_place(inplace):
            return self._around(act(self._handle))

        def change() -> Any:
            handle = act(self._handle)
            others = self._others()
            if not others:
                set_handle(self, handle)
                return self
            followed = [other._handle.follow(self._handle, handle) for other in others]
            pairs = [(o, f) for o, f in zip(others, followed, strict=True) if f is not None]
            _set_handles([self, *(o for o, _ in pairs)], [handle, *(f for _, f in pairs)])
            return self

        return self._alone(change)

    def _relabelled(self, act: Callable[[_Handle], _Handle], inplace: bool, called: Any = None) -> Any:
        """Return an object around what ``act`` makes of the handle: other labels, columns, or order of columns.

        With ``inplace`` it is put in this object alone, and None is returned; what it still has of the
        columns that it had goes on being shared. See `_replaced` for ``called``.
        """
        if not _is_in_place(inplace):
            return self._around(act(self._handle))
        return self._put(act, self._take, called)

    def _take(self, handle: _Handle) -> None:
        set_handle(self, handle)

    def _replaced(self, act: Callable[[_Handle], _Handle], inplace: bool, called: Any = None) -> Any:
        """Return an object around what ``act`` makes of the handle: other rows.

        With ``inplace`` it is put in this object alone, which sees no writes of others from then on, and
        None is returned.

        ``called`` is a user's function that ``act`` calls, or None. With one ``act`` is called without the
        lock, and once more where the object has been changed meanwhile.
        """
        if not _is_in_place(inplace):
            return self._around(act(self._handle))
        return self._put(act, self._take_and_leave, called)

    def _take_and_leave(self, handle: _Handle) -> None:
        members = _get_group(self).members
        with _moment:
            set_handle(self, handle)
            if members.pop(id(self), None) is not None:
                _set_group(self, _Group())

    def _put(self, act: Callable[[_Handle], _Handle], put: Callable[[_Handle], None], called: Any) -> None:
        if called is None:
            return self._alone(lambda: put(act(self._handle)))
        while True:
            group = _group_of(self)
            seen, writes = self._handle, group.writes
            made = act(seen)
            with group.lock:
                if _get_group(self) is group and self._handle is seen and group.writes == writes:
                    return put(made)


def _is_in_place(inplace: Any) -> bool:
    """Return ``inplace``; ``ValueError`` for an argument that is no truth value."""
    if inplace is True or inplace is False:
        return inplace
    return truth_of("inplace", inplace)


def _set_handles(members: list[Sharing], handles: list[Any]) -> None:
    with _moment:
        for member, handle in zip(members, handles, strict=True):
            set_handle(member, handle)


def set_handle(member: Sharing, handle: Any) -> None:
    """Put a handle in the place of the one that an object has, which gets the class for its columns."""
    object.__setattr__(member, "_handle", handle)
    kind = type(member)
    fitting = _WITH_OBJECTS if handle.has_objects() else _WITHOUT_OBJECTS
    if kind in fitting:
        member.__class__ = fitting[kind]


# The class of frames and series with columns of objects for that of others, and the other way.
_WITH_OBJECTS: dict[type, type] = {}
_WITHOUT_OBJECTS: dict[type, type] = {}


def register_with_objects(plain: type, with_objects: type) -> None:
    """Say which class the objects of a class have while some of their columns are of objects."""
    _WITH_OBJECTS[plain], _WITHOUT_OBJECTS[with_objects] = with_objects, plain


def with_objects(kind: type) -> type | None:
    """Return the class for columns of objects of one for others; None for one of users."""
    return _WITH_OBJECTS.get(kind)


def without_objects(kind: type) -> type:
    """Return the class without columns of objects of one with or without."""
    return _WITHOUT_OBJECTS.get(kind, kind)


_get_group: Callable[[Any], _Group] = Sharing._group.__get__  # type: ignore[attr-defined, misc]
_set_group: Callable[[Any, _Group], None] = Sharing._group.__set__  # type: ignore[attr-defined, misc]


def state_of(member: Sharing) -> tuple[Any, int]:
    """Return what is another after every change of an object: its handle, and how often elements were written there."""
    try:
        return member._handle, _get_group(member).writes
    except AttributeError:
        return member._handle, 0


def attrs_of(obj: Sharing) -> dict[Any, Any] | None:
    """Return the ``attrs`` of an object, None where nobody has asked for them; never a column of that name."""
    try:
        return _get_attrs(obj)
    except AttributeError:
        return None


_get_attrs = Sharing.__dict__["_attrs"].__get__
