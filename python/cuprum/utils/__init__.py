"""Tracking of memory, under cuDF's names."""

from cuprum.utils import performance_tracking

__all__ = ["performance_tracking"]
