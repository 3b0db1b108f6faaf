"""Frames of other shapes: put together, joined, and columns, rows and labels in each other's places."""

from cuprum.core.reshape.concatenation import concat
from cuprum.core.reshape.encoding import get_dummies
from cuprum.core.reshape.joins import join, merge
from cuprum.core.reshape.melting import melt, wide_to_long
from cuprum.core.reshape.pivoting import crosstab, pivot, pivot_table
from cuprum.core.reshape.stacking import FrameStack, SeriesStack, unstack

__all__ = [
    "FrameStack",
    "SeriesStack",
    "concat",
    "crosstab",
    "get_dummies",
    "join",
    "melt",
    "merge",
    "pivot",
    "pivot_table",
    "unstack",
    "wide_to_long",
]
