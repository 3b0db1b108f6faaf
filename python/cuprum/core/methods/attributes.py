"""Attributes of users: flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum.core.arguments import only_truth
from cuprum.core.attributes import _check

if TYPE_CHECKING:
    from cuprum.typing import AnyObject


def set_flags(
    self: AnyObject, *, copy: bool | None = None, allows_duplicate_labels: bool | None = None
) -> AnyObject:
    """Return a shallow copy; labels may repeat in it, which is the only choice.

    ``NotImplementedError`` for ``allows_duplicate_labels=False``.
    """
    only_truth("set_flags", copy=copy)
    if allows_duplicate_labels is not None:
        _check(allows_duplicate_labels)
    return self._with_attrs(self._copied(deep=False))
