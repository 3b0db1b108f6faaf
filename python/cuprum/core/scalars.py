"""Elements of times as pandas' objects, which the extension module makes of them here."""

from __future__ import annotations

from typing import Any

__all__ = ["period", "timedelta", "timestamp"]


def timestamp(ticks: int, unit: str, zone: str | None) -> Any:
    """Return an instant as a ``pandas.Timestamp``, in a zone if there is one; days are counted in seconds."""
    import numpy as np
    import pandas as pd

    instant = pd.Timestamp(np.datetime64(ticks, unit))  # type: ignore[call-overload]
    return instant if zone is None else instant.tz_localize("UTC").tz_convert(zone)


def timedelta(ticks: int, unit: str) -> Any:
    """Return a duration as a ``pandas.Timedelta``; days are counted in seconds."""
    import numpy as np
    import pandas as pd

    return pd.Timedelta(np.timedelta64(ticks, unit))  # type: ignore[call-overload]


def period(ordinal: int, frequency: str) -> Any:
    """Return a period as a ``pandas.Period``."""
    import pandas as pd

    return pd.Period(ordinal=ordinal, freq=frequency)
