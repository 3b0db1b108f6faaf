"""`sample`: random rows."""

import numpy as np
import pandas as pd
from oracle import agree

MIXED = pd.DataFrame(
    {"a": [7, 8, -9], "f": [1.5, None, 3.25], "b": [True, False, True], "w": ["foo 12", None, "Bar"]},
    index=list("xyz"),
)


TWO_NUMBERS = MIXED[["a", "f"]]


def test_a_sample_is_drawn_as_numpy_was_seeded():
    def drawn(lib, df):
        np.random.seed(7)
        return [df.sample(), df.sample(2), df.a.sample(frac=1), df.sample(5, replace=True)]

    agree(drawn, df=TWO_NUMBERS)
