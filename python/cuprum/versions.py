"""`show_versions`: what a report of a fault begins with."""

from __future__ import annotations

import ctypes
import os
import re
from pathlib import Path
from typing import Any

__all__ = ["show_versions"]


def _driver() -> str | None:
    """Return the version of NVIDIA's driver and the CUDA that it knows; None where there is none."""
    try:
        first = Path("/proc/driver/nvidia/version").read_text(encoding="utf-8").partition("\n")[0]
    except OSError:
        first = ""
    module = re.search(r"\d+\.\d+(\.\d+)?", first)
    number = ctypes.c_int(0)
    try:
        ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(number))
    except (OSError, AttributeError):
        return module and module[0]
    cuda = f"CUDA {number.value // 1000}.{number.value % 1000 // 10}"
    return f"{module[0]} ({cuda})" if module else cuda


def _compiler() -> str | None:
    """Return the version of NVIDIA's run-time compiler; None where it is not found."""
    from cuprum import cuda

    try:
        # No compiler knows this one, and the error says which compiler it is.
        cuda.warm_up("sm_0", [])
    except ValueError as error:
        version = re.search(r"NVRTC ([\d.]+)", str(error))
        return version and version[1]
    except RuntimeError:
        return None
    return None


def _device(device: Any) -> str:
    """Return a line about a GPU; what goes wrong with it where it does not answer."""
    try:
        major, minor = device.compute_capability
        total = device.memory_info[1] / 2**30
        return f"{device.name}, compute capability {major}.{minor}, {total:.1f} GiB"
    except Exception as error:  # a report of faults must not be one
        return f"{type(error).__name__}: {error}"


def _devices() -> dict[str, str | None]:
    """Return what there is for work on GPUs, by name; None for what is not there."""
    from cuprum import _cuprum, cuda

    gpus = {str(device): _device(device) for device in cuda.devices() if str(device) != "cpu"}
    shipped = Path(_cuprum.__file__).with_name("kernels")
    size = sum(file.stat().st_size for file in shipped.glob("*")) if shipped.is_dir() else 0
    return {
        **(gpus or {"GPU": None}),
        "NVIDIA driver": _driver(),
        "NVRTC": _compiler(),
        "shipped kernels": f"{size / 2**20:.1f} MiB" if size else None,
    }


def show_versions(as_json: Any = False) -> None:
    """Print the versions of Cuprum, of Python and of the packages that pandas knows, and the GPUs.

    Of GPUs there are their names, compute capabilities and memory, the driver, the compiler of kernels (NVRTC) and
    whether the package has compiled kernels with it; None stands for what is not there.

    Parameters
    ----------
    as_json : bool, str or path, default False
        True prints them as JSON; a path writes that to a file.

    Raises
    ------
    TypeError
        For another ``as_json``.

    Examples
    --------
    >>> import cuprum, json, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "versions.json")
    >>> cuprum.show_versions(path)
    >>> with open(path) as file:
    ...     json.load(file)["dependencies"]["cuprum"] == cuprum.__version__
    True
    """
    import io
    import json
    from contextlib import redirect_stdout

    import pandas

    from cuprum._cuprum import __version__

    if not isinstance(as_json, (bool, str, os.PathLike)):
        raise TypeError(f"`as_json` is {as_json!r}, neither a truth value nor a path")
    printed = io.StringIO()
    with redirect_stdout(printed):
        pandas.show_versions(as_json=True)
    found = json.loads(printed.getvalue())
    found["dependencies"] = {"cuprum": __version__, **found["dependencies"]}
    found["devices"] = _devices()
    if as_json is True:
        print(json.dumps(found, indent=2))
    elif as_json is not False:
        with open(as_json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=2)
    else:
        system = found["system"]
        locale = system.get("LOCALE")
        if isinstance(locale, dict):
            system["LOCALE"] = ".".join(map(str, locale.values()))
        print("\nINSTALLED VERSIONS\n------------------")
        for part in (system, found["devices"], found["dependencies"]):
            for name, value in part.items():
                print(f"{name:<22}: {value}")
            print()
