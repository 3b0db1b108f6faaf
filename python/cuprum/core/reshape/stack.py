"""Labels of columns as labels of rows."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.reshape.unstack import levels_of

__all__ = ["stack"]


def stack(
    frame: Any,
    level: Any = -1,
    dropna: Any = ...,
    sort: Any = ...,
    future_stack: bool = True,
) -> Any:
    """Return a row for each row and each label of the columns, in their order: a Series where no level is left.

    ``level`` is the name or number of a level of the columns' labels, or a list of several. Columns that
    become one take their common type. ``dropna`` and ``sort`` belong to the form before pandas 3, which
    ``future_stack=False`` asked for: all three are refused.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}).stack()
    0  a    1
       b    3
    1  a    2
       b    4
    dtype: int64
    """
    if future_stack is not True:
        raise NotImplementedError(f"stack does not support `future_stack`={future_stack!r}; leave it at True")
    for name, given in (("dropna", dropna), ("sort", sort)):
        if given is not ...:
            raise ValueError(
                f"{name} must be unspecified with future_stack=True: stack keeps all rows in order"
            )
    made = frame._handle.stack(levels_of(level))
    return wrap_frame(made) if isinstance(made, _cuprum.DataFrame) else wrap_series(made)
