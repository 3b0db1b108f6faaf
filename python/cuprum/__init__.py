"""Cuprum: a columnar DataFrame library with a pandas-like API.

Importing it takes a few milliseconds: NumPy, pandas and pyarrow are imported when they are needed.
"""

from cuprum._cuprum import Column, DType, __version__

__all__ = ["Column", "DType", "__version__"]
