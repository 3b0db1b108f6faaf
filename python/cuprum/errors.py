"""Errors and warnings, under the names that pandas gives them: its own, but for what Cuprum warns of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import errors as _of_pandas

    class PerformanceWarning(_of_pandas.PerformanceWarning):
        """Something is done in a way that takes long."""


__all__ = ["PerformanceWarning"]


def __getattr__(name: str) -> Any:
    """Return pandas' class of a name: `MergeError`, `EmptyDataError`, …"""
    if name.startswith("_"):
        raise AttributeError(f"module 'cuprum.errors' has no attribute {name!r}")
    from pandas import errors

    if name == "PerformanceWarning":
        # Made when it is first named: importing Cuprum imports no pandas.
        members = {"__doc__": "Something is done in a way that takes long.", "__module__": __name__}
        made = type(name, (errors.PerformanceWarning,), members)
        return globals().setdefault(name, made)
    try:
        return getattr(errors, name)
    except AttributeError:
        raise AttributeError(f"module 'cuprum.errors' has no attribute {name!r}") from None
