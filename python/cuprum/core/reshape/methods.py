"""What changes shape, as methods of frames and series."""

from __future__ import annotations

from cuprum.core.objects import Wrapper
from cuprum.core.reshape.melt import melt as _melt
from cuprum.core.reshape.pivot import pivot as _pivot
from cuprum.core.reshape.pivot import pivot_table as _pivot_table
from cuprum.core.reshape.repetition import FrameRepetition, Repetition
from cuprum.core.reshape.stack import stack as _stack
from cuprum.core.reshape.unstack import unstack as _unstack

__all__ = ["FrameReshape", "SeriesReshape"]


class FrameReshape(FrameRepetition, Repetition, Wrapper):
    """Columns, rows and labels of a frame in each other's places."""

    __slots__ = ()

    melt = _melt
    pivot = _pivot
    pivot_table = _pivot_table
    stack = _stack
    unstack = _unstack


class SeriesReshape(Repetition, Wrapper):
    """Row labels of a series as labels of columns."""

    __slots__ = ()

    unstack = _unstack
