"""`to_timedelta`: durations from texts and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.mixed_types import objects_where_mixed

if TYPE_CHECKING:
    import pandas as pd

    from cuprum.core.index.times import TimedeltaIndex
    from cuprum.core.series import Series
    from cuprum.typing import ErrorsCoerced, ListLike, OneLabel

__all__ = ["to_timedelta"]


@overload
def to_timedelta(arg: Series, unit: str | None = ..., errors: ErrorsCoerced = ...) -> Series: ...
@overload
def to_timedelta(arg: OneLabel, unit: str | None = ..., errors: ErrorsCoerced = ...) -> pd.Timedelta: ...
@overload
def to_timedelta(arg: ListLike, unit: str | None = ..., errors: ErrorsCoerced = ...) -> TimedeltaIndex: ...
@objects_where_mixed
def to_timedelta(arg: Any, unit: str | None = None, errors: ErrorsCoerced = "raise") -> Any:
    """Convert texts or numbers to durations.

    Parameters
    ----------
    arg : scalar, list-like, Series or Index
        Texts as ``1 days 06:05:01``, ``15.5us`` and ``P1DT2H``, numbers or durations.
    unit : str, optional
        What numbers count: ``"D"``, ``"h"``, ``"min"``, ``"s"``, ``"ms"``, ``"us"``, ``"ns"`` (without it)
        and so on.
    errors : ``"raise"`` or ``"coerce"``, default ``"raise"``
        What becomes of what is no duration: an error or a missing element.

    Returns
    -------
    Timedelta, TimedeltaIndex or Series
        A Series of a Series, pandas' Timedelta of a scalar, else a TimedeltaIndex.

    Raises
    ------
    ValueError
        If something is no duration, with ``errors="raise"``.

    Notes
    -----
    Texts are read by pandas.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.to_timedelta(cuprum.Series(["1 days", "02:30:00", None]))
    0   1 days 00:00:00
    1   0 days 02:30:00
    2               NaT
    dtype: timedelta64[us]
    >>> cuprum.to_timedelta([90, 120], unit="s")
    TimedeltaIndex(['0 days 00:01:30', '0 days 00:02:00'], dtype='timedelta64[us]',
                   freq=None)
    """
    if errors not in ("raise", "coerce"):
        raise ValueError(f"errors must be one of 'raise', or 'coerce'; `errors` is {errors!r}")
    if is_list_like(arg) and getattr(arg, "ndim", 1) > 1:
        raise TypeError(f"`arg` has {arg.ndim} dimensions; it has to be a scalar, a list-like or a Series")
    import pandas as pd

    if isinstance(arg, objects.Series):
        # Integers with missing elements must not become floats on the way.
        theirs = arg.to_pandas(nullable=arg.dtype.kind in "iu")
        return objects.Series(pd.to_timedelta(theirs, unit=unit, errors=errors))
    arg = objects.ours_or_labels(arg)
    if isinstance(arg, objects.Index):
        return objects.Index(to_timedelta(arg.to_series(), unit, errors), name=arg.name)
    found = pd.to_timedelta(arg, unit=unit, errors=errors)
    return objects.Index(found) if isinstance(found, pd.TimedeltaIndex) else found
