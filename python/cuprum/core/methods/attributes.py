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
    """Return a shallow copy with other flags.

    Parameters
    ----------
    copy : bool, optional
        Has no effect: writing to the result never changes this object.
    allows_duplicate_labels : bool, optional
        True or None: labels may always repeat. False raises ``NotImplementedError``.

    Returns
    -------
    DataFrame or Series
        The same labels and elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2]).set_flags(allows_duplicate_labels=True).flags.allows_duplicate_labels
    True
    """
    only_truth("set_flags", copy=copy)
    if allows_duplicate_labels is not None:
        _check(allows_duplicate_labels)
    return self._with_attrs(self._copied(deep=False))
