"""Functions and classes of modules that are loaded at the first call, so that `import cuprum` does not wait for them."""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name
from typing import Any

__all__ = ["on_first_call"]

_found = cache(resolve_name)


def on_first_call(name: str) -> Any:
    """Return a function that calls what ``name`` is, as in ``"package.module:function"``.

    Beside it stands an import under ``TYPE_CHECKING``, which says to type checkers and readers what it is.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        return _found(name)(*args, **kwargs)

    return call
