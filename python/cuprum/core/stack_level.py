"""The line that warnings name: that of whoever calls the library."""

from __future__ import annotations

import os
import sys

__all__ = ["PACKAGES", "frames_to_caller"]

_CUPRUM = os.path.dirname(os.path.dirname(__file__))
# Folders of code whose lines no warning names.
PACKAGES = (_CUPRUM + os.sep, os.path.join(os.path.dirname(_CUPRUM), "pylibcuprum") + os.sep)


def frames_to_caller() -> int:
    """Return the ``stacklevel`` for a warning of whoever calls the library."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGES):
        depth, frame = depth + 1, frame.f_back
    return depth
