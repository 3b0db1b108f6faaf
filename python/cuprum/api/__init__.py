"""What pandas has in ``pandas.api``: `types`."""

from cuprum.api import types

__all__ = ["types"]
