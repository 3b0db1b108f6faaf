"""Devices, kernels compiled ahead of time, and work done without them.

Data frames live on a GPU where the option ``device`` names one; memory of a GPU is had through `cuprum.rmm`.
"""

from __future__ import annotations

import os
import site
import sys

from cuprum import _cuprum
from cuprum._cuprum import Device, FallbackWarning, devices

__all__ = ["Device", "FallbackWarning", "devices", "fallbacks", "warm_up"]

# The folder of the wheel's machine code, and those in which the compiler may be.
_cuprum.find_kernels(
    os.path.join(os.path.dirname(__file__), "kernels"),
    [path for path in (*sys.path, *site.getsitepackages(), site.getusersitepackages()) if path],
)


def fallbacks(reset: bool = False) -> dict[str, int]:
    """Return how often functions on data of a GPU were done by the CPU, because they have no kernel.

    Without kernels a function raises ``NotImplementedError``, unless the option ``fallback`` is ``"host"`` or
    ``"warn"``: then the data is copied to the CPU, and the result back.

    Parameters
    ----------
    reset : bool, default False
        Whether counting begins anew. With ``"warn"`` each function warns once more too.

    Returns
    -------
    dict
        The number of calls by the name of the function, such as ``"sorting.sorted_order"``.

    Examples
    --------
    >>> import cuprum
    >>> counts = cuprum.cuda.fallbacks(reset=True)
    >>> cuprum.cuda.fallbacks()
    {}
    """
    return _cuprum.fallbacks(reset)


def warm_up(architecture: str | None = None, families: list[str] | None = None) -> int:
    """Compile kernels into the cache, so that no first call waits.

    Parameters
    ----------
    architecture : str, optional
        ``"sm_80"``, ``"sm_90"``, … for GPUs of that compute capability, which need not be there, or
        ``"emulator"``; by default those of this machine's GPUs (none: 0 kernels).
    families : list of str, optional
        The families whose kernels are compiled, such as ``["radix_sort", "gather"]``; by default all.

    Returns
    -------
    int
        The number of kernels that were compiled.

    Raises
    ------
    ValueError
        For an architecture that the compiler does not know, or a family that is not there; the message lists
        them.
    RuntimeError
        Where there is no compiler; the message says what to install.

    Notes
    -----
    Wheels bring machine code for GPUs of compute capability 8.0, 8.6, 8.9, 9.0, 10.0 and 12.0 along; for
    those there is nothing to warm up. The cache is the folder ``CUPRUM_CACHE_DIR``, else ``cuprum`` in the
    user's cache folder. NVIDIA's compiler comes from ``pip install nvidia-cuda-nvrtc`` or an installed
    toolkit.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.cuda.warm_up("sm_90", ["gather"])  # doctest: +SKIP
    """
    return _cuprum.warm_up(architecture, families)
