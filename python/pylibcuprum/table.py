"""`Table`: columns of one length, without names.

Examples
--------
>>> from pylibcuprum.column import Column
>>> table = Table([Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py(["a", None])])
>>> table.shape()
(2, 2)
"""

from cuprum._cuprum import Table

__all__ = ["Table"]
