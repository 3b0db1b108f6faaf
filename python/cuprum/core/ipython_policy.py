"""The policy of IPython that says which objects the Tab key may look into."""

from __future__ import annotations

from contextlib import suppress
from types import ModuleType

from cuprum.core import objects
from cuprum.core.indexing import AtIndexer, ILocIndexer, LocIndexer

__all__ = ["allow_look_ups"]


def allow_look_ups(module: ModuleType) -> None:
    """Let IPython look into our objects, as into those of pandas, to find what the Tab key may offer."""
    with suppress(AttributeError, KeyError):  # of versions that have no such policy
        policy = module.EVALUATION_POLICIES["limited"]
        for kind in (
            objects.DataFrame,
            objects.FrameWithObjects,
            objects.Series,
            objects.SeriesOfObjects,
            objects.Index,
        ):
            policy.allowed_getattr.add(kind)
            policy.allowed_getitem.add(kind)
        policy.allowed_getitem.update((LocIndexer, ILocIndexer, AtIndexer))
