"""`convert_dtypes`: the types that hold what is there.

Columns are nullable as they are, so that the types of pandas that say so (``Int64``, ``boolean``) are these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cuprum.core.arguments import check_truth, only_truth
from cuprum.core.objects import Wrapper

if TYPE_CHECKING:
    from cuprum.typing import DtypeBackend

__all__ = ["ConvertsTypes"]


class ConvertsTypes(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    def infer_objects(self, copy: Any = None) -> Self:
        """Return the same: only columns of objects, which pandas looks into, have types to be found."""
        only_truth("infer_objects", copy=copy)
        return self.copy()

    def convert_dtypes(
        self,
        infer_objects: bool = True,
        convert_string: bool = True,
        convert_integer: bool = True,
        convert_boolean: bool = True,
        convert_floating: bool = True,
        dtype_backend: DtypeBackend = "numpy_nullable",
    ) -> Self:
        """Return floats that are whole as ``int64``, where all are; a missing one stays missing.

        Every type here holds missing elements, and columns have one type each: texts, integers and truth values are
        what they are, so ``infer_objects``, ``convert_string`` and ``convert_boolean`` change nothing.

        Parameters
        ----------
        convert_integer
            Whether floats become integers at all.
        convert_floating
            Of no effect here: floats stay floats of their width.
        dtype_backend
            ``'numpy_nullable'`` or ``'pyarrow'``: there is one kind of column here.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1.0, None, 3.0]).convert_dtypes()
        0       1
        1    <NA>
        2       3
        dtype: int64
        """
        for name, value in [
            ("infer_objects", infer_objects),
            ("convert_string", convert_string),
            ("convert_integer", convert_integer),
            ("convert_boolean", convert_boolean),
            ("convert_floating", convert_floating),
        ]:
            check_truth(name, value)
        if dtype_backend not in ("numpy_nullable", "pyarrow"):
            raise ValueError(
                f"dtype_backend {dtype_backend} is invalid, only 'numpy_nullable' and 'pyarrow' are allowed."
            )
        if not convert_integer:
            return self._wrap(self._handle.shallow_copy())
        return self._map(_whole)


def _whole(series: Any) -> Any:
    """Return floats as integers, where all that are there are whole and fit."""
    if series.dtype().kind != "f":
        return series
    missing = series.isna()
    there = series.filter(series.notna().column()) if missing.reduce("any") else series
    if len(there) and not (there.reduce("min") >= -(2.0**63) and there.reduce("max") < 2.0**63):
        return series
    if len(there) and there.binary(there.astype("int64").astype("float64"), "ne").reduce("any"):
        return series
    return series.where(series.notna().column(), None, False).astype("int64")
