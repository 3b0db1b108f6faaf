"""Row labels that are times: `DatetimeIndex` and `TimedeltaIndex`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuprum import _cuprum
from cuprum.core.accessors.datetime import DatetimeProperties
from cuprum.core.index.index import Index, wrap_index

__all__ = ["DatetimeIndex", "TimedeltaIndex"]


class _TimeIndex(Index):
    """Labels that are times: shown as texts in quotes."""

    __slots__ = ()

    def _texts(self, rows: Sequence[int]) -> list[str]:
        labels = [self._label(row) for row in rows]
        whole = (
            all(str(label) == "NaT" or label == label.astype("datetime64[D]") for label in labels)
            if self.dtype.kind == "M"
            else False
        )
        texts = [str(label) for label in labels]
        if self.dtype.kind == "M":
            texts = [text if text == "NaT" else text[:10] if whole else _time_text(text) for text in texts]
            if not any(text.partition(".")[2].strip("0") for text in texts):
                texts = [text.partition(".")[0] for text in texts]
        return [f"'{text}'" for text in texts]


def _time_text(text: str) -> str:
    day, _, time = text.partition("T")
    return f"{day} {time or '00:00:00'}"


class DatetimeIndex(_TimeIndex, of="M"):
    """Labels that are timestamps; their parts are attributes, as of the accessor ``dt``."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if not isinstance(getattr(DatetimeProperties, name, None), property):
            raise AttributeError(f"'DatetimeIndex' object has no attribute '{name}'")
        part = getattr(self._series().dt, name)
        if name == "unit":
            return part
        if part.dtype.kind == "b":
            return part.to_numpy()
        return wrap_index(_cuprum.Index.from_columns([part._handle.column()], self.names))

    def _through_dt(self, method: str, *args: Any) -> Index:
        column = getattr(self._series().dt, method)(*args)._handle.column()
        return wrap_index(_cuprum.Index.from_columns([column], self.names))

    def floor(self, freq: str) -> Index:
        """Return the times rounded down to a multiple of ``freq``."""
        return self._through_dt("floor", freq)

    def ceil(self, freq: str) -> Index:
        """Return the times rounded up to a multiple of ``freq``."""
        return self._through_dt("ceil", freq)

    def round(self, freq: str) -> Index:
        """Return the times rounded to a multiple of ``freq``."""
        return self._through_dt("round", freq)

    def normalize(self) -> Index:
        """Return the times at midnight."""
        return self._through_dt("normalize")

    def strftime(self, date_format: str) -> Index:
        """Return the times as texts, by a format with Python's directives."""
        return self._through_dt("strftime", date_format)


class TimedeltaIndex(_TimeIndex, of="m"):
    """Labels that are durations."""

    __slots__ = ()
