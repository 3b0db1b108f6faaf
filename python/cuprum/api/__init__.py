"""What pandas has in ``pandas.api``: `indexers` and `types`."""

from cuprum.api import indexers, types

__all__ = ["indexers", "types"]
