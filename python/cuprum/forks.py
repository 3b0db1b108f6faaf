"""Imports that are under way when the process is forked.

Modules are imported when they are first needed, by whatever thread needs them. A child that is forked
meanwhile has the lock of the module and not the thread that would open it: it would wait for ever. So
before a fork the package imports what is left of itself, once, and waits for the imports of others that
have begun.
"""

import importlib
import os
import pkgutil
import sys
from types import ModuleType

__all__: list[str] = []

# Modules that need Dask or pandas, imported as a whole by their users.
_LEFT_OUT = frozenset({"cuprum.dask", "cuprum.tseries"})
# Modules that are imported when they are needed.
_OTHERS = ("numpy", "pandas", "pyarrow", "cuprum.tseries")

_is_complete = False


def _import_all(package: ModuleType) -> None:
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name not in _LEFT_OUT:
            module = importlib.import_module(found.name)
            if found.ispkg:
                _import_all(module)


def _finish_imports() -> None:
    global _is_complete
    if not _is_complete:
        _import_all(sys.modules[__package__])
        _is_complete = True
    for name in _OTHERS:
        if name in sys.modules:
            importlib.import_module(name)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_finish_imports)
