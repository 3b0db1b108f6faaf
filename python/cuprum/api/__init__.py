"""The modules of ``pandas.api``: `extensions`, `indexers`, `types` and `typing`."""

from typing import TYPE_CHECKING

from cuprum.api import extensions, indexers, types

if TYPE_CHECKING:
    from cuprum.api import typing

__all__ = ["extensions", "indexers", "types", "typing"]


def __getattr__(name: str) -> object:
    # Its classes are loaded when first asked for.
    if name == "typing":
        import cuprum.api.typing

        return cuprum.api.typing
    raise AttributeError(f"module 'cuprum.api' has no attribute '{name}'")
