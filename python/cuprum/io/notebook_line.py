"""The line of long reading and writing in notebooks, whose standard error is no terminal: how far it has come.

``read_csv flights.csv: 43 %, 12 s, 231 MB read``: below the cell, only after two seconds, in place of the one before, and
empty when the work ends. ``CUPRUM_PROGRESS=0`` turns it off. A thread writes it, for the work itself does not return to
Python meanwhile.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import Any, TypeVar

from cuprum import _cuprum

__all__ = ["line_in_notebooks", "with_line"]

# Work that takes no longer shows nothing; the time between two changes of the line. In seconds.
PATIENCE = 2.0
INTERVAL = 0.5
# Characters of a file name that are shown.
_NAME = 40

_Function = TypeVar("_Function", bound=Callable[..., Any])
# Whether the work is part of other work, which has a line.
_IS_PART = ContextVar("is_part", default=False)


def with_line(function: _Function) -> _Function:
    """Return a function that reads or writes a file, its first argument or the second of a method, with a line."""

    @functools.wraps(function)
    def shown(*args: Any, **kwargs: Any) -> Any:
        if not _is_wanted():
            return function(*args, **kwargs)
        named = next((one for one in args if isinstance(one, (str, os.PathLike))), None)
        with line_in_notebooks(function.__name__, named):
            return function(*args, **kwargs)

    return shown  # type: ignore[return-value]


@contextmanager
def line_in_notebooks(function: str, file: Any) -> Iterator[None]:
    """Show how far the work within has come, where it runs in a notebook."""
    if not _is_wanted():
        yield
        return
    done, watch = threading.Event(), _cuprum.Watch()
    began, before = time.monotonic(), _bytes_moved()
    thread = threading.Thread(
        target=_show,
        args=(_title(function, file), done, watch, began, before),
        name="cuprum-line",
        daemon=True,
    )
    token = _IS_PART.set(True)
    thread.start()
    watch.begin()
    try:
        yield
    finally:
        watch.end()
        _IS_PART.reset(token)
        done.set()
        thread.join()


def _is_wanted() -> bool:
    if _IS_PART.get() or os.environ.get("CUPRUM_PROGRESS") == "0":
        return False
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def _title(function: str, file: Any) -> str:
    """Return what is shown of a call: addresses may have secrets, and no name has control characters."""
    text = os.fsdecode(file) if isinstance(file, (str, os.PathLike)) else ""
    if not text or "://" in text:
        return function
    name = "".join(char for char in os.path.basename(text) if char.isprintable())
    return f"{function} {name[:_NAME]}"


def _show(
    title: str, done: threading.Event, watch: _cuprum.Watch, began: float, before: tuple[int, int] | None
) -> None:
    if done.wait(PATIENCE):
        return
    display = import_module("IPython.display").display
    handle = display({"text/plain": _line(title, watch, began, before)}, raw=True, display_id=True)
    while not done.wait(INTERVAL):
        handle.update({"text/plain": _line(title, watch, began, before)}, raw=True)
    handle.update({"text/plain": ""}, raw=True)


def _line(title: str, watch: _cuprum.Watch, began: float, before: tuple[int, int] | None) -> str:
    share = watch.share()
    text = (
        f"{title}: "
        + ("" if share is None else f"{int(share * 100)} %, ")
        + f"{time.monotonic() - began:.0f} s"
    )
    now = _bytes_moved()
    if before is None or now is None:
        return text
    read, written = ((new - old) / 1e6 for new, old in zip(now, before, strict=True))
    moved = [f"{size:.0f} MB {what}" for size, what in ((read, "read"), (written, "written")) if size >= 1]
    return ", ".join([text, *moved])


def _bytes_moved() -> tuple[int, int] | None:
    """Return how many bytes this process has read and written, where the system tells."""
    try:
        with open("/proc/self/io", encoding="ascii") as file:
            counts = dict(line.split(": ") for line in file.read().splitlines())
        return int(counts["rchar"]), int(counts["wchar"])
    except (OSError, KeyError, ValueError):
        return None
