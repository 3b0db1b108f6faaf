"""Frequencies, offsets and calendars of holidays: pandas' modules, but for `frequencies.infer_freq` of ours."""

import sys

from pandas.tseries import holiday, offsets

from cuprum.tseries import frequencies

__all__ = ["frequencies", "holiday", "offsets"]

for _module in (holiday, offsets):
    sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module
