"""Columns and the algorithms on them, without labels: the low-level package."""

from cuprum._cuprum import Column, DType

__all__ = ["Column", "DType"]
