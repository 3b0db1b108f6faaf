"""Warnings of Cuprum, under the names that pandas gives them."""

__all__ = ["PerformanceWarning"]


class PerformanceWarning(Warning):
    """Something is done in a way that takes long."""
