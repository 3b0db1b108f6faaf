"""Plots that pandas has beside those of frames: its functions, given what ``to_pandas`` makes of our objects."""

from typing import Any

from cuprum.core.library_hooks import given_pandas

__all__ = [
    "andrews_curves",
    "autocorrelation_plot",
    "bootstrap_plot",
    "boxplot",
    "boxplot_frame",
    "boxplot_frame_groupby",
    "deregister_matplotlib_converters",
    "hist_frame",
    "hist_series",
    "lag_plot",
    "parallel_coordinates",
    "plot_params",
    "radviz",
    "register_matplotlib_converters",
    "scatter_matrix",
    "table",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'cuprum.plotting' has no attribute {name!r}")
    from pandas import plotting

    found = getattr(plotting, name)
    return given_pandas(found) if callable(found) and not isinstance(found, (type, dict)) else found


def __dir__() -> list[str]:
    return __all__
