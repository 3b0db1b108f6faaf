"""`Column`: an immutable array of elements of one type, each of which may be null.

Examples
--------
>>> column = Column.from_iterable_of_py([1, None, 3])
>>> column.type(), column.size(), column.null_count()
(dtype('int64'), 3, 1)
"""

from cuprum._cuprum import Column

__all__ = ["Column"]
