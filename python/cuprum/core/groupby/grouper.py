"""`Grouper`: one of the keys of ``groupby``, as an object; and bins of time as keys."""

from __future__ import annotations

from typing import Any

from cuprum.core.arguments import only_truth
from cuprum.core.groupby.time_bins import TimeBins

__all__ = ["Grouper", "grouper_of"]


class Grouper:
    """A key of ``groupby``: a column, a level of row labels, or bins of the times in one of them.

    Parameters
    ----------
    key : label, optional
        The column; without it and ``level`` the row labels are the key.
    level : label or int, optional
        The level of the row labels.
    freq : str, timedelta or offset, optional
        The length of bins, a frequency as of `date_range`. Alone in ``groupby``, bins without rows are
        groups, too; beside other keys, only those with rows are.
    sort : bool, default False
        As in ``groupby``, whose argument counts where there are other keys; bins are in order of time.
    dropna : bool, default True
        As in ``groupby``; with ``freq`` only True: rows without a time are in no bin.
    closed : ``"left"`` or ``"right"``, optional
        The end that belongs to a bin; see `DataFrame.resample`.
    label : ``"left"`` or ``"right"``, optional
        The end that labels a bin; see `DataFrame.resample`.
    origin : str or timestamp, default ``"start_day"``
        From where bins are counted; see `DataFrame.resample`.
    offset : timedelta or str, optional
        A length of time that is added to ``origin``.

    Raises
    ------
    TypeError
        If an argument of bins is given without ``freq``.

    Examples
    --------
    >>> import cuprum
    >>> sold = cuprum.DataFrame(
    ...     {"day": cuprum.date_range("2026-01-30", periods=4), "k": ["x", "y", "x", "x"], "v": [1, 2, 3, 4]}
    ... )
    >>> sold.groupby([cuprum.Grouper(key="day", freq="MS"), "k"])["v"].sum()
    day         k
    2026-01-01  x    1
                y    2
    2026-02-01  x    7
    Name: v, dtype: int64
    """

    __slots__ = ("bins", "dropna", "key", "level", "sort")

    def __init__(
        self,
        key: Any = None,
        level: Any = None,
        freq: Any = None,
        sort: bool = False,
        dropna: bool = True,
        *,
        closed: str | None = None,
        label: str | None = None,
        origin: Any = "start_day",
        offset: Any = None,
    ) -> None:
        only_truth("Grouper", sort=sort, dropna=dropna)
        self.key, self.level = key, level
        self.sort, self.dropna = bool(sort), bool(dropna)
        if freq is None:
            given = {"closed": closed, "label": label, "offset": offset}
            for name, value in given.items():
                if value is not None:
                    raise TypeError(f"Grouper: `{name}`={value!r} needs `freq`")
            if not isinstance(origin, str) or origin != "start_day":
                raise TypeError(f"Grouper: `origin`={origin!r} needs `freq`")
            self.bins = None
        else:
            if not dropna:
                raise NotImplementedError("Grouper does not support `dropna`=False with `freq`")
            self.bins = TimeBins(freq, closed, label, origin, offset)

    @property
    def freq(self) -> Any:
        """The length of bins, as an offset of pandas; None without bins."""
        return None if self.bins is None else self.bins.shown()

    @property
    def closed(self) -> str | None:
        """The end that belongs to a bin; None without bins."""
        return None if self.bins is None else self.bins.closed

    @property
    def label(self) -> str | None:
        """The end that is a bin's label; None without bins."""
        return None if self.bins is None else self.bins.label

    @property
    def origin(self) -> Any:
        """From where bins are counted; None without bins."""
        return None if self.bins is None else self.bins.origin

    @property
    def offset(self) -> Any:
        """A length of time behind the origin; None without one."""
        return None if self.bins is None else self.bins.offset

    def __repr__(self) -> str:
        shown: dict[str, Any] = {"key": self.key, "level": self.level, "freq": self.freq}
        shown |= {"sort": self.bins is not None or self.sort, "dropna": self.dropna}
        kind = "Grouper"
        if self.bins is not None:
            kind = "TimeGrouper"
            shown |= {"closed": self.closed, "label": self.label, "how": "mean", "convention": "e"}
            shown |= {"origin": self.origin, "offset": self.offset}
        given = (f"{name}={value!r}" for name, value in shown.items() if value is not None)
        return f"{kind}({', '.join(given)})"


def grouper_of(key: Any) -> Grouper | None:
    """Return a key of ``groupby`` as a Grouper where it is one, pandas' own included; else None."""
    if isinstance(key, Grouper):
        return key
    kind = type(key)
    if kind.__name__ not in ("Grouper", "TimeGrouper") or kind.__module__.partition(".")[0] != "pandas":
        return None
    if key.freq is None:
        return Grouper(key.key, key.level, sort=key.sort, dropna=key.dropna)
    how = {name: getattr(key, name) for name in ("closed", "label", "origin", "offset")}
    return Grouper(key.key, key.level, key.freq, **how)
