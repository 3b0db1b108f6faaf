"""`DType`: the type of the elements of a column.

Examples
--------
>>> DType("datetime64[ns]").unit
'ns'
"""

from cuprum._cuprum import DType

__all__ = ["DType"]
