"""The entry point that Dask calls in every process when it is imported; it imports nothing else."""

from __future__ import annotations

from typing import Any

__all__ = ["register_sizes"]


def register_sizes(sizeof: Any) -> None:
    """Have Dask import `cuprum.dask` when it first asks for the size or the collection of something of ours."""
    from dask._dispatch import get_collection_type

    @sizeof.register_lazy("cuprum")
    @get_collection_type.register_lazy("cuprum")
    def _() -> None:
        import cuprum.dask  # noqa: F401
