"""``Series.dt`` of lengths of time. Missing elements stay missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core import objects
from cuprum.core.accessors.accessor import Accessor
from cuprum.core.arguments import check_time_unit
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.tools.offsets import rounded

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import Array, Frequency, TimeUnit

__all__ = ["TimedeltaProperties"]


class TimedeltaProperties(Accessor):
    """Parts and functions of lengths of time; made by ``series.dt``."""

    __slots__ = ()

    def __init__(self, series: Series) -> None:
        self._series = series

    def _component(self, name: str) -> Series:
        return wrap_series(self._series._handle.td_component(name))

    @property
    def days(self) -> Series:
        """The whole days, rounded down."""
        return self._component("days")

    @property
    def seconds(self) -> Series:
        """The seconds of the day."""
        return self._component("seconds")

    @property
    def microseconds(self) -> Series:
        """The microseconds of the second."""
        return self._component("microseconds")

    @property
    def nanoseconds(self) -> Series:
        """The nanoseconds of the microsecond."""
        return self._component("nanoseconds")

    @property
    def components(self) -> DataFrame:
        """Days, hours, minutes, seconds, milliseconds, microseconds and nanoseconds as columns."""
        return wrap_frame(self._series._handle.td_components())

    @property
    def unit(self) -> str:
        """The unit of the lengths: ``s``, ``ms``, ``us`` or ``ns``."""
        return self._series.dtype.unit  # type: ignore[return-value]

    @property
    def freq(self) -> str | None:
        """The frequency of regular lengths as a text; None where they are not regular, or fewer than three."""
        labels: Any = objects.Index(self._series)
        return labels.inferred_freq

    def to_pytimedelta(self) -> Array:
        """Return the lengths as ``datetime.timedelta`` objects.

        Returns
        -------
        array
            A NumPy array of objects, which have no nanoseconds.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_timedelta(["1 days 02:00:00"])).dt.to_pytimedelta().tolist()
        [datetime.timedelta(days=1, seconds=7200)]
        """
        labels: Any = objects.Index(self._series)
        return labels.to_pytimedelta()

    def total_seconds(self) -> Series:
        """Return the lengths in seconds.

        Returns
        -------
        Series
            ``float64``; missing for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_timedelta(["1 days", "00:00:01.5", None])).dt.total_seconds()
        0    86400.0
        1        1.5
        2        NaN
        dtype: float64
        """
        return wrap_series(self._series._handle.td_total_seconds())

    def floor(self, freq: Frequency, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Series:
        """Return the lengths rounded down to a multiple of a length of time.

        Parameters
        ----------
        freq : str, timedelta or offset
            A fixed length of time, as ``"h"``, ``"15min"`` or ``"D"``; months and longer ones are refused.
        ambiguous : ``"raise"``, ``"NaT"`` or bool, default ``"raise"``
            Accepted for compatibility with times; it changes nothing.
        nonexistent : ``"raise"``, ``"NaT"``, ``"shift_forward"`` or ``"shift_backward"``, default ``"raise"``
            Accepted for compatibility with times; it changes nothing.

        Returns
        -------
        Series
            Lengths of the same unit; missing elements stay missing.

        Raises
        ------
        ValueError
            For a frequency of no fixed length.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_timedelta(["00:38:00"])).dt.floor("15min")
        0   0 days 00:30:00
        dtype: timedelta64[us]
        """
        return rounded(self._series, "floor", freq, ambiguous, nonexistent)

    def ceil(self, freq: Frequency, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Series:
        """Return the lengths rounded up to a multiple of a length of time.

        Parameters
        ----------
        freq : str, timedelta or offset
            A fixed length of time, as ``"h"``, ``"15min"`` or ``"D"``; months and longer ones are refused.
        ambiguous : ``"raise"``, ``"NaT"`` or bool, default ``"raise"``
            Accepted for compatibility with times; it changes nothing.
        nonexistent : ``"raise"``, ``"NaT"``, ``"shift_forward"`` or ``"shift_backward"``, default ``"raise"``
            Accepted for compatibility with times; it changes nothing.

        Returns
        -------
        Series
            Lengths of the same unit; missing elements stay missing.

        Raises
        ------
        ValueError
            For a frequency of no fixed length.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_timedelta(["00:38:00"])).dt.ceil("15min")
        0   0 days 00:45:00
        dtype: timedelta64[us]
        """
        return rounded(self._series, "ceil", freq, ambiguous, nonexistent)

    def round(self, freq: Frequency, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Series:
        """Return the lengths rounded to the nearest multiple of a length of time.

        Parameters
        ----------
        freq : str, timedelta or offset
            A fixed length of time, as ``"h"``, ``"15min"`` or ``"D"``; months and longer ones are refused.
        ambiguous : ``"raise"``, ``"NaT"`` or bool, default ``"raise"``
            Accepted for compatibility with times; it changes nothing.
        nonexistent : ``"raise"``, ``"NaT"``, ``"shift_forward"`` or ``"shift_backward"``, default ``"raise"``
            Accepted for compatibility with times; it changes nothing.

        Returns
        -------
        Series
            Lengths of the same unit, halves at the even multiple; missing elements stay missing.

        Raises
        ------
        ValueError
            For a frequency of no fixed length.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_timedelta(["00:38:00"])).dt.round("15min")
        0   0 days 00:45:00
        dtype: timedelta64[us]
        """
        return rounded(self._series, "round", freq, ambiguous, nonexistent)

    def as_unit(self, unit: TimeUnit) -> Series:
        """Return the lengths in another unit.

        Parameters
        ----------
        unit : ``"s"``, ``"ms"``, ``"us"`` or ``"ns"``
            The unit.

        Returns
        -------
        Series
            Lengths of time. A coarser unit cuts off what it cannot tell.

        Raises
        ------
        ValueError
            For another unit.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(cuprum.to_timedelta(["00:38:00"])).dt.as_unit("ms")
        0   0 days 00:38:00
        dtype: timedelta64[ms]
        """
        check_time_unit(unit)
        return self._series.astype(f"timedelta64[{unit}]")

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]
