"""The lines at which planned rows are found, for the option ``mode.deferred`` set to ``"trace"``."""

from __future__ import annotations

import linecache
import os
import sys

from cuprum.core.stack_level import PACKAGES

__all__ = ["tell_where"]


def tell_where(labelled: bool, milliseconds: float) -> None:
    """Print the line that has rows found now, and the function of the library that asks for them."""
    frame, function = sys._getframe(1), ""
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGES):
        function, frame = frame.f_code.co_qualname, frame.f_back
    name, line = frame.f_code.co_filename, frame.f_lineno
    how = "as written, with labels" if labelled else "filters first"
    text = linecache.getline(name, line).strip()
    print(
        f"{os.path.basename(name)}:{line}: {how}, {milliseconds:.1f} ms, for {function}: {text}",
        file=sys.stderr,
    )
