"""Frequencies: pandas' texts and offsets, and how they are inferred from times."""

from pandas.tseries.frequencies import get_period_alias, is_subperiod, is_superperiod, to_offset
from pandas.tseries.offsets import Day

from cuprum.core.tools.offsets import infer_freq

__all__ = ["Day", "get_period_alias", "infer_freq", "is_subperiod", "is_superperiod", "to_offset"]
