"""Methods of the extension module in the place of Python's, which they call where they have no answer themselves."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from cuprum import _cuprum

__all__ = ["quicken"]

_Class = TypeVar("_Class", bound=type)


def quicken(cls: _Class) -> _Class:
    """Return a class with the methods that the extension module has for it in the place of its own.

    They answer the calls of every day on few rows, see `crates/python/src/frames/quick.rs`; signature and
    documentation are those of the methods whose place they take.
    """
    own: dict[str, Any] = {}
    for known in reversed(cls.__mro__):
        own.update(vars(known))
    for name in _cuprum.quick_methods(cls.__name__):
        slow = own[name]
        of_slow = inspect.signature(slow)
        plain = [p.replace(annotation=p.empty) for p in of_slow.parameters.values()]
        text = str(of_slow.replace(parameters=plain, return_annotation=of_slow.empty))
        doc = inspect.getdoc(slow) or ""
        _cuprum.quicken(cls, name, slow, f"{name}{text.replace('(self', '($self', 1)}\n--\n\n{doc}")
        for alias in [other for other, function in own.items() if function is slow and other != name]:
            setattr(cls, alias, vars(cls)[name])
    return cls
