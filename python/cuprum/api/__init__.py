"""The modules of ``pandas.api``: `extensions`, `indexers` and `types`."""

from cuprum.api import extensions, indexers, types

__all__ = ["extensions", "indexers", "types"]
