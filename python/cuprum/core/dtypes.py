"""Dtypes with parts: categories, elements, fields, digits, zones.

All are `DType`s, so they print, compare and hash as those do, and ``astype``, ``dtype=`` and ``==`` take
them like names.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core import objects
from cuprum.core.arguments import check_time_unit
from cuprum.core.serialization import Serializable
from cuprum.core.zones import zone_name

__all__ = [
    "CategoricalDtype",
    "DatetimeTZDtype",
    "Decimal32Dtype",
    "Decimal64Dtype",
    "Decimal128Dtype",
    "IntervalDtype",
    "ListDtype",
    "StructDtype",
    "dtype",
    "dtype_to_pandas",
    "names_object",
]


def _pandas_class(obj: Any, name: str) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(obj, getattr(pandas, name, ()))


def dtype(arbitrary: Any) -> DType:
    """Return the dtype that something names or is, as `Series.dtype` has it.

    Parameters
    ----------
    arbitrary : str, type or dtype
        A name, a type of Python or NumPy, a dtype of NumPy, pandas or Arrow: what ``dtype=`` takes.

    Returns
    -------
    dtype
        The dtype of this library.

    Raises
    ------
    TypeError
        For what names no dtype.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.dtype("int8"), cuprum.dtype(float)
    (dtype('int8'), dtype('float64'))
    >>> cuprum.dtype("datetime64[ns]")
    dtype('datetime64[ns]')
    """
    if isinstance(arbitrary, _Parts):
        return arbitrary
    if names_object(arbitrary):
        return Column.from_objects([]).dtype
    if isinstance(arbitrary, str) and arbitrary == "category":
        return CategoricalDtype()
    if _pandas_class(arbitrary, "CategoricalDtype"):
        return CategoricalDtype.from_pandas(arbitrary)
    return _of_class(DType(arbitrary))


def dtype_to_pandas(given: DType) -> Any:
    """Return the dtype that pandas has for columns of a dtype."""
    import numpy as np
    import pandas as pd

    if given == "str":
        return pd.StringDtype(na_value=np.nan)
    if given.freq is not None:
        return pd.PeriodDtype(given.freq)
    to_pandas = getattr(_of_class(given), "to_pandas", None)
    if to_pandas is not None:
        return to_pandas()
    return given.to_numpy() if given.kind != "O" else np.dtype(object)


def _of_class(given: Any) -> DType:
    """Return a dtype as one of the class for its parts."""
    make, parts = given.__reduce__()
    return given if make is DType else make(*parts)


class _Parts(Serializable, DType):
    """The base of the dtypes here."""

    __slots__ = ()

    # Names that leave parts open.
    _names: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def is_dtype(cls, dtype: Any) -> bool:
        """Return whether something is a dtype of this class, the name of one, or has one.

        Parameters
        ----------
        dtype : object
            A dtype, the name of one such as ``'datetime64[ns, UTC]'`` or ``'category'``, or an object with an
            attribute ``dtype``.

        Returns
        -------
        bool
            False for what names no dtype.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.CategoricalDtype.is_dtype(cuprum.Series(["a"], dtype="category"))
        True
        >>> cuprum.DatetimeTZDtype.is_dtype("datetime64[ns, UTC]"), cuprum.DatetimeTZDtype.is_dtype("int64")
        (True, False)
        """
        if not isinstance(dtype, DType):
            dtype = getattr(dtype, "dtype", dtype)
        if isinstance(dtype, type):
            return issubclass(dtype, cls)
        if isinstance(dtype, cls) or _pandas_class(dtype, cls.__name__):
            return True
        if isinstance(dtype, str) and dtype in cls._names:
            return True
        try:
            return isinstance(_of_class(DType(dtype)), cls)
        except (TypeError, ValueError, NotImplementedError):
            return False

    @classmethod
    def _of_dtype(cls, dtype: DType) -> Self:
        made: Any = DType.__new__(cls, dtype)
        return made

    @classmethod
    def from_arrow(cls, typ: Any) -> Self:
        """Return the dtype that columns of a ``pyarrow.DataType`` have.

        Parameters
        ----------
        typ : pyarrow.DataType
            The type of Arrow.

        Returns
        -------
        dtype
            A dtype of this class.

        Raises
        ------
        TypeError
            For the type of columns of another kind.

        Examples
        --------
        >>> import cuprum, pyarrow
        >>> cuprum.ListDtype.from_arrow(pyarrow.list_(pyarrow.int64()))
        ListDtype(int64)
        """
        dtype = _of_class(DType(typ))
        if not isinstance(dtype, cls):
            raise TypeError(f"{typ} is no type for a {cls.__name__}")
        return dtype

    def to_arrow(self) -> Any:
        """Return the ``pyarrow.DataType`` of columns of this dtype.

        Returns
        -------
        pyarrow.DataType
            The type as columns export it.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.ListDtype("int64").to_arrow().value_type
        DataType(int64)
        """
        import pyarrow as pa

        return pa.DataType._import_from_c_capsule(self.__arrow_c_schema__())


class CategoricalDtype(_Parts):
    """Values among few, which have an order.

    Parameters
    ----------
    categories : list-like, optional
        The values, each once and none missing, in their order. None in ``astype`` and ``dtype=`` stands for
        those that there are, ascending.
    ordered : bool, default False
        Whether values compare by the order of the categories.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.CategoricalDtype(["b", "a"], ordered=True)
    CategoricalDtype(categories=['b', 'a'], ordered=True, categories_dtype=str)
    >>> s = cuprum.Series(["a", "b"], dtype=cuprum.CategoricalDtype(["b", "a"], ordered=True))
    >>> (s > "b").to_list()
    [True, False]
    """

    __slots__ = ("_is_open",)
    _is_open: bool

    _names = ("category",)

    def __new__(cls, categories: Any = None, ordered: Any = False) -> Self:
        """Make the dtype; ``ValueError`` for categories that are missing or repeat."""
        from cuprum.core.construction import column_from

        if ordered is None:
            ordered = False
        if ordered not in (True, False):
            raise ValueError("'ordered' must either be 'True' or 'False'")
        column = column_from([] if categories is None else categories, None)
        if categories is not None and len(column) == 0 and not hasattr(categories, "dtype"):
            column = column_from([], "str")
        self = cls._of_dtype(DType._of("category", column, bool(ordered)))
        self._is_open = categories is None
        return self

    @classmethod
    def _of_dtype(cls, dtype: DType) -> Self:
        self: Any = DType.__new__(cls, dtype)
        self._is_open = False
        return self

    @property
    def categories(self) -> Any:
        """The categories as an Index; None where there are to be those of the values."""
        column = DType.categories.__get__(self)
        return None if self._is_open else objects.wrap_index(_cuprum.Index.from_columns([column], [None]))

    @classmethod
    def construct_from_string(cls, string: builtins.str) -> Self:
        """Return the dtype that the text ``'category'`` names.

        Parameters
        ----------
        string : str
            ``'category'``; any other value raises ``TypeError``.

        Returns
        -------
        CategoricalDtype
            A dtype without categories, which stands for those that there are.

        Raises
        ------
        TypeError
            For another text, and for an argument that is no text.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.CategoricalDtype.construct_from_string("category").categories is None
        True
        """
        if not isinstance(string, builtins.str):
            raise TypeError(f"'construct_from_string' expects a string, got {type(string)}")
        if string != "category":
            raise TypeError(f"Cannot construct a 'CategoricalDtype' from '{string}'")
        return cls()

    @property
    def str(self) -> builtins.str:
        """NumPy's text of the type of its elements."""
        return "|O08"

    @property
    def type(self) -> Any:
        """pandas' class of one element, as the dtype of pandas has it."""
        import pandas as pd

        return pd.CategoricalDtype.type

    def to_pandas(self) -> Any:
        """Return pandas' ``CategoricalDtype`` of the same categories.

        Returns
        -------
        pandas.CategoricalDtype
            The same categories and order.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.CategoricalDtype(["b", "a"], ordered=True).to_pandas().ordered
        True
        """
        import pandas as pd

        return pd.CategoricalDtype(
            None if self._is_open else self.categories.to_pandas(), ordered=bool(self.ordered)
        )

    @classmethod
    def from_pandas(cls, dtype: Any) -> Self:
        """Return the dtype of a ``CategoricalDtype`` of pandas.

        Parameters
        ----------
        dtype : pandas.CategoricalDtype
            The dtype of pandas.

        Returns
        -------
        CategoricalDtype
            The same categories and order.

        Examples
        --------
        >>> import cuprum, pandas
        >>> cuprum.CategoricalDtype.from_pandas(pandas.CategoricalDtype(["b", "a"]))
        CategoricalDtype(categories=['b', 'a'], ordered=False, categories_dtype=str)
        """
        return cls(dtype.categories, dtype.ordered)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, builtins.str):
            return other == self.name
        if not isinstance(other, CategoricalDtype):
            if not _pandas_class(other, "CategoricalDtype"):
                return isinstance(other, DType) and DType.__eq__(self, other)
            other = CategoricalDtype.from_pandas(other)
        if self._is_open or other._is_open:
            return self._is_open and other._is_open and self.ordered == other.ordered
        if self.ordered or other.ordered:
            return DType.__eq__(self, other)
        # Without an order, categories are the same in any.
        own, theirs = self.categories, other.categories
        return own.dtype == theirs.dtype and len(own) == len(theirs) and bool(own.isin(theirs).all())

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return DType.__hash__(self)

    def __reduce__(self) -> Any:
        if self._is_open:
            return (CategoricalDtype, (None, self.ordered))
        return DType.__reduce__(self)

    def __repr__(self) -> builtins.str:
        if self._is_open:
            return f"CategoricalDtype(categories=None, ordered={self.ordered}, categories_dtype=None)"
        categories = self.categories
        return (
            f"CategoricalDtype(categories={categories.to_list()!r}, ordered={self.ordered}, "
            f"categories_dtype={categories.dtype})"
        )


class IntervalDtype(_Parts):
    """Intervals between bounds of one dtype.

    Parameters
    ----------
    subtype : dtype or str, optional
        The dtype of the bounds: of numbers, which are of 64 bits, or of times; or the name of the whole.
        ``float64`` by default.
    closed : ``'right'``, ``'left'``, ``'both'`` or ``'neither'``, optional
        Which bounds belong to an interval.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.IntervalDtype("int64", "left")
    interval[int64, left]
    """

    __slots__ = ()

    _names = ("interval", "Interval")

    def __new__(cls, subtype: Any = None, closed: str | None = None) -> Self:
        """Make the dtype; ``TypeError`` for bounds that are no numbers and no times."""
        if isinstance(subtype, DType) and subtype.subtype is not None:
            subtype = str(subtype)
        if isinstance(subtype, str) and subtype.startswith("interval"):
            whole: Any = DType("interval[float64]" if subtype == "interval" else subtype)
            says = closed is not None and subtype.endswith((", left]", ", right]", ", both]", ", neither]"))
            if says and whole.closed != closed:
                raise ValueError("'closed' keyword does not match value specified in dtype string")
            subtype, closed = whole.subtype, closed or whole.closed
        bounds = DType("float64" if subtype is None else subtype)
        if closed is not None and not isinstance(closed, str):
            raise TypeError(f"`closed` must be a str, not {closed!r}")
        return cls._of_dtype(DType._of("interval", bounds, closed or "right"))

    @property
    def name(self) -> str:
        """The name without the type of the bounds."""
        return "interval"

    @property
    def fields(self) -> dict[str, DType]:
        """The types of the lower and the upper bounds."""
        subtype: Any = self.subtype
        return {"left": subtype, "right": subtype}

    def to_arrow(self) -> Any:
        """Return the extension type of Arrow that pandas has for intervals.

        Returns
        -------
        pyarrow.DataType
            The type of the bounds and the sides that are closed.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.IntervalDtype("int64", "left").to_arrow().closed
        'left'
        """
        import pyarrow as pa
        from pandas.core.arrays.arrow.extension_types import ArrowIntervalType

        subtype: Any = self.subtype
        return ArrowIntervalType(
            pa.DataType._import_from_c_capsule(subtype.__arrow_c_schema__()), self.closed
        )

    @property
    def type(self) -> Any:
        """The class of one element: pandas' Interval."""
        import pandas as pd

        return pd.Interval

    def to_pandas(self) -> Any:
        """Return pandas' ``IntervalDtype`` of the same bounds.

        Returns
        -------
        pandas.IntervalDtype
            The same subtype and closed sides.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.IntervalDtype("int64", "left").to_pandas()
        interval[int64, left]
        """
        import pandas as pd

        return pd.IntervalDtype(str(self.subtype), self.closed)

    @classmethod
    def from_pandas(cls, dtype: Any) -> Self:
        """Return the dtype of an ``IntervalDtype`` of pandas.

        Parameters
        ----------
        dtype : pandas.IntervalDtype
            The dtype of pandas.

        Returns
        -------
        IntervalDtype
            The same subtype and closed sides.

        Examples
        --------
        >>> import cuprum, pandas
        >>> cuprum.IntervalDtype.from_pandas(pandas.IntervalDtype("float64", "both"))
        interval[float64, both]
        """
        return cls(dtype.subtype, dtype.closed)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, str) and other == "interval") or DType.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return DType.__hash__(self)

    def __repr__(self) -> str:
        return str(self)


class ListDtype(_Parts):
    """Lists of elements of one dtype.

    Parameters
    ----------
    element_type : dtype
        The dtype of the elements: whatever names a dtype, a `ListDtype` for lists of lists.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.ListDtype("int64")
    ListDtype(int64)
    >>> cuprum.Series([[1, 2], None]).dtype
    ListDtype(int64)
    """

    __slots__ = ()

    def __new__(cls, element_type: Any) -> Self:
        """Make the dtype; ``TypeError`` for what names no type."""
        return cls._of_dtype(DType._of("list", DType(element_type)))

    @property
    def leaf_type(self) -> DType:
        """The type of the elements of the innermost lists."""
        element = self.element_type
        return element.leaf_type if isinstance(element, ListDtype) else element  # type: ignore[return-value]

    @property
    def type(self) -> Any:
        """The class of one element."""
        return list

    def __repr__(self) -> str:
        element = self.element_type
        return f"ListDtype({element!r})" if isinstance(element, _Parts) else f"ListDtype({element})"


class StructDtype(_Parts):
    """Named fields side by side.

    Parameters
    ----------
    fields : dict
        Names and dtypes of the fields.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.StructDtype({"a": "int64", "b": "str"})
    StructDtype({'a': dtype('int64'), 'b': dtype('str')})
    """

    __slots__ = ()

    def __new__(cls, fields: Mapping[str, Any]) -> Self:
        """Make the dtype; ``TypeError`` for what names no type."""
        if not isinstance(fields, Mapping):
            raise TypeError(f"`fields` is a {type(fields).__name__}, not a mapping of names and types")
        return cls._of_dtype(DType._of("struct", *[(name, DType(dtype)) for name, dtype in fields.items()]))

    @property
    def type(self) -> Any:
        """The class of one element."""
        return dict

    def __repr__(self) -> str:
        return f"StructDtype({self.fields})"


class _DecimalDtype(_Parts):
    __slots__ = ()

    MAX_PRECISION: ClassVar[int]
    ITEMSIZE: ClassVar[int]

    def __new__(cls, precision: int, scale: int = 0) -> Self:
        """Make the dtype; ``ValueError`` for more digits than it has."""
        if not 1 <= precision <= cls.MAX_PRECISION:
            raise ValueError(
                f"`precision` is {precision}; {cls.__name__} has 1 to {cls.MAX_PRECISION} digits"
            )
        if abs(scale) > precision:
            raise ValueError(f"`scale` is {scale}, more than the {precision} digits of `precision`")
        return cls._of_dtype(DType._of("decimal", 8 * cls.ITEMSIZE, precision, scale))

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.ITEMSIZE

    @property
    def str(self) -> builtins.str:
        """The width, the digits and how many of them are behind the point.

        Examples
        --------
        >>> Decimal64Dtype(7, 2).str
        'decimal64(7, 2)'
        """
        return f"decimal{8 * self.ITEMSIZE}({self.precision}, {self.scale})"

    @property
    def type(self) -> Any:
        """The class of one element."""
        from decimal import Decimal

        return Decimal

    def __repr__(self) -> builtins.str:
        return f"{type(self).__name__}(precision={self.precision}, scale={self.scale})"


class Decimal32Dtype(_DecimalDtype):
    """Decimal numbers of at most 9 digits, ``scale`` of them behind the point."""

    __slots__ = ()
    MAX_PRECISION = 9
    ITEMSIZE = 4


class Decimal64Dtype(_DecimalDtype):
    """Decimal numbers of at most 18 digits, ``scale`` of them behind the point.

    Examples
    --------
    >>> Decimal64Dtype(7, 2)
    Decimal64Dtype(precision=7, scale=2)
    """

    __slots__ = ()
    MAX_PRECISION = 18
    ITEMSIZE = 8


class Decimal128Dtype(_DecimalDtype):
    """Decimal numbers of at most 38 digits, ``scale`` of them behind the point."""

    __slots__ = ()
    MAX_PRECISION = 38
    ITEMSIZE = 16


class DatetimeTZDtype(_Parts):
    """Instants, which clocks in a zone show.

    Parameters
    ----------
    unit : ``'s'``, ``'ms'``, ``'us'`` or ``'ns'``, default ``'ns'``
        The values to count.
    tz : str or tzinfo
        The zone: a name of the IANA database, an offset such as ``+01:00``, or an object that has one.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DatetimeTZDtype("us", "Europe/Berlin")
    datetime64[us, Europe/Berlin]
    """

    __slots__ = ()

    def __new__(cls, unit: str = "ns", tz: Any = None) -> Self:
        """Make the dtype; ``TypeError`` without a zone, ``ValueError`` for another unit."""
        if tz is None:
            raise TypeError("A 'tz' is required.")
        check_time_unit(unit)
        return cls._of_dtype(DType(f"datetime64[{unit}, {zone_name(tz)}]"))

    def to_pandas(self) -> Any:
        """Return pandas' ``DatetimeTZDtype`` of the same unit and zone.

        Returns
        -------
        pandas.DatetimeTZDtype
            The same unit and zone.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DatetimeTZDtype("us", "Europe/Berlin").to_pandas()
        datetime64[us, Europe/Berlin]
        """
        import pandas as pd

        return pd.DatetimeTZDtype(self.unit, self.tz)

    @classmethod
    def from_pandas(cls, dtype: Any) -> Self:
        """Return the dtype of a ``DatetimeTZDtype`` of pandas.

        Parameters
        ----------
        dtype : pandas.DatetimeTZDtype
            The dtype of pandas.

        Returns
        -------
        DatetimeTZDtype
            The same unit and zone.

        Examples
        --------
        >>> import cuprum, pandas
        >>> cuprum.DatetimeTZDtype.from_pandas(pandas.DatetimeTZDtype("ns", "UTC"))
        datetime64[ns, UTC]
        """
        return cls(dtype.unit, dtype.tz)

    @property
    def type(self) -> Any:
        """The class of one element."""
        import pandas as pd

        return pd.Timestamp

    def __repr__(self) -> str:
        return self.name


def names_object(dtype: Any) -> bool:
    """Whether an argument names the dtype of Python objects."""
    if isinstance(dtype, DType):
        return dtype.is_object
    return (
        dtype is object
        or (isinstance(dtype, str) and dtype in ("object", "O"))
        or getattr(dtype, "char", getattr(dtype, "__name__", "")) in ("O", "object_")
    )
