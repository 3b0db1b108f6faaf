"""`sample`: random rows."""

import numpy as np
from oracle import agree
from small_frames import TWO_NUMBERS


def test_a_sample_is_drawn_as_numpy_was_seeded():
    def drawn(lib, df):
        np.random.seed(7)
        return [df.sample(), df.sample(2), df.a.sample(frac=1), df.sample(5, replace=True)]

    agree(drawn, df=TWO_NUMBERS)
