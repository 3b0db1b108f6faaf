"""`Scalar`: one value of any type, or null.

Examples
--------
>>> from pylibcuprum.types import DataType, TypeId
>>> Scalar.from_py(5, DataType(TypeId.INT8))
Scalar<int8>(5)
>>> Scalar.from_py([1, 2]).to_py()
[1, 2]
"""

from cuprum._cuprum import Scalar

__all__ = ["Scalar"]
