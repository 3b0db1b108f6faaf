"""`to_numeric`: numbers from texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_texts
from cuprum.core.interop import is_pandas
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import Wrapper, wrap_series

if TYPE_CHECKING:
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import Array, Downcast, ErrorsCoerced, ListLike, OneLabel, Scalar

__all__ = ["to_numeric"]


@overload
def to_numeric(arg: Series, errors: ErrorsCoerced = ..., downcast: Downcast | None = ...) -> Series: ...
@overload
def to_numeric(arg: Index, errors: ErrorsCoerced = ..., downcast: Downcast | None = ...) -> Index: ...
@overload
def to_numeric(arg: OneLabel, errors: ErrorsCoerced = ..., downcast: Downcast | None = ...) -> Scalar: ...
@overload
def to_numeric(arg: ListLike, errors: ErrorsCoerced = ..., downcast: Downcast | None = ...) -> Array: ...
@objects_where_mixed
def to_numeric(arg: Any, errors: ErrorsCoerced = "raise", downcast: Downcast | None = None) -> Any:
    """Convert texts to numbers.

    Parameters
    ----------
    arg : scalar, list-like, Series or Index
        Texts, or numbers; of times and durations the ticks since 1970.
    errors : ``"raise"`` or ``"coerce"``, default ``"raise"``
        What becomes of a text that is no number: an error or a missing element. Integers that no type of 64
        bits holds are rounded with ``"coerce"``.
    downcast : ``"integer"``, ``"signed"``, ``"unsigned"``, ``"float"`` or None, default None
        The smallest such type that holds all numbers, if there is one.

    Returns
    -------
    scalar, array, Series or Index
        ``int64`` where all texts are whole numbers, else ``float64``. A Series of a Series, an Index of an
        Index, a scalar of a scalar, a NumPy array of other list-likes. Empty texts are missing.

    Raises
    ------
    ValueError
        If a text is no number, with ``errors="raise"``.
    OverflowError
        If all are whole numbers and no type of 64 bits holds them, with ``errors="raise"``.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.to_numeric(cuprum.Series(["1", "2.5"]))
    0    1.0
    1    2.5
    dtype: float64
    >>> cuprum.to_numeric(cuprum.Series(["1", "x", "300"]), errors="coerce", downcast="integer")
    0       1
    1    <NA>
    2     300
    dtype: int16
    """
    if errors not in ("raise", "coerce"):
        raise ValueError(f"invalid error value specified: `errors` is {errors!r}, not 'raise' or 'coerce'")
    arg = objects.ours_or_labels(arg)
    if isinstance(arg, objects.Index):
        return objects.Index(to_numeric(objects.Series(arg), errors, downcast), name=arg.name)
    if isinstance(arg, (str, bytes)) or not is_list_like(arg):
        try:
            return to_numeric(objects.Series([arg]), errors, downcast).iloc[0]
        except OverflowError:
            return int(arg)
    if downcast is not None:
        only_texts(downcast=downcast)
    if _counts_long_units(arg):
        return to_numeric(arg.view("int64"), errors, downcast)
    if not isinstance(arg, Wrapper) and not is_pandas(arg, "Series"):
        return to_numeric(objects.Series(arg), errors, downcast).to_numpy()
    series = arg if isinstance(arg, objects.Series) else objects.Series(arg)
    numbers = wrap_series(series._snapshot()._handle.to_numeric(errors == "coerce", downcast))
    if errors == "raise" and series.dtype == "str" and numbers.dtype.kind == "f":
        _refuse_rounded(series, numbers)
    return numbers


def _refuse_rounded(texts: Any, numbers: Any) -> None:
    """Fail for integers that are floats since no type holds all of them."""
    large = numbers.abs() >= 2.0**63
    if not large.any():
        return
    present = texts[texts.notna() & (texts != "")]
    if present.str.fullmatch(r"\s*[+-]?[0-9]+\s*").all():
        text = texts[large].iloc[0]
        raise OverflowError(
            f"no integers of 64 bits hold {text!r} and all others: `errors`='coerce' or astype('float64') rounds them"
        )


def _counts_long_units(arg: Any) -> bool:
    """Whether an array of NumPy has times or durations in a unit that no column has."""
    import numpy as np

    return (
        isinstance(arg, np.ndarray)
        and arg.dtype.kind in "mM"
        and np.datetime_data(arg.dtype)[0] not in ("s", "ms", "us", "ns")
    )
