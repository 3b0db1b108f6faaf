"""`between_time` and `at_time`."""

import pandas as pd
from oracle import agree


def test_times_of_day_keep_the_frequency():
    frame = pd.Series(range(12), index=pd.date_range("2024-01-01 00:07", periods=12, freq="7min"))
    agree("s.between_time('00:20', '00:50').index.freqstr", s=frame)
    agree("s.at_time('00:21')", s=frame)
    agree("s.between_time('00:50', '00:20')", s=frame)
