"""``progress_apply`` and its kin, which ``tqdm.pandas()`` gives pandas' classes, on frames, series, groups and windows."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from cuprum.core import objects
from cuprum.core.groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from cuprum.core.window.rolling import Expanding, Rolling

__all__ = ["add_methods"]


def add_methods(module: ModuleType) -> None:
    """Let ``tqdm.pandas()`` add its methods to our classes, too."""
    theirs = module.tqdm.pandas.__func__

    @functools.wraps(theirs)
    def pandas(cls: Any, **tqdm_kwargs: Any) -> None:
        # The first keeps what its methods have used up of the arguments.
        theirs(cls, **tqdm_kwargs)
        tqdm_kwargs.pop("deprecated_t", None)
        for kind, names in _methods().items():
            for name in names:
                setattr(kind, f"progress_{name}", _method(name, cls, tqdm_kwargs))

    module.tqdm.pandas = classmethod(pandas)


def _methods() -> dict[type, tuple[str, ...]]:
    of_groups = ("apply", "aggregate", "transform")
    return {
        objects.DataFrame: ("apply", "map", "applymap"),
        objects.Series: ("apply", "map"),
        DataFrameGroupBy: of_groups,
        SeriesGroupBy: of_groups,
        Rolling: ("apply",),
        Expanding: ("apply",),
    }


def _method(name: str, bars: Any, options: dict[str, Any]) -> Any:
    """Return a method that calls the one called ``name`` with a function that moves a bar."""
    called = "map" if name == "applymap" else name

    def progress(self: Any, func: Any, *args: Any, **kwargs: Any) -> Any:
        if not callable(func):
            raise TypeError(f"progress_{name} takes a function that is called one by one, not {func!r}")
        with bars(**{"total": _calls(self, called, kwargs), **options}) as bar:

            def counted(*given: Any, **named: Any) -> Any:
                bar.update()
                return func(*given, **named)

            return getattr(self, called)(counted, *args, **kwargs)

    progress.__name__ = progress.__qualname__ = f"progress_{name}"
    progress.__doc__ = f"`{called}` with a bar of tqdm that shows how many calls there have been."
    return progress


def _calls(of: Any, name: str, kwargs: dict[str, Any]) -> int | None:
    """Return how often a function is going to be called; None where that is not known."""
    if isinstance(of, objects.Series):
        return len(of)
    if isinstance(of, objects.DataFrame):
        if name == "map":
            return int(of.size)
        return of.shape[0 if kwargs.get("axis", 0) in (1, "columns") else 1]
    return getattr(of, "ngroups", None) if name == "apply" else None
