"""Where cuDF keeps its tracking of memory."""

from cuprum.utils import performance_tracking

__all__ = ["performance_tracking"]
