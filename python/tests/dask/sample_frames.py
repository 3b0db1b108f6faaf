"""A frame with columns of every kind, missing values among them."""

import numpy as np
import pandas as pd

import cuprum


def table(rows=600, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "k": random.integers(0, 20, rows),
            "x": random.normal(1e6, 1, rows),
            "i": random.integers(-5, 5, rows),
            "s": random.choice(["a", "b", "ä", "", None], rows),
            "t": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 10**6, rows), unit="s"),
        }
    )
    frame.loc[random.choice(rows, rows // 10), "x"] = np.nan
    frame["c"] = pd.Categorical(random.choice(["u", "v", "w"], rows), categories=["w", "v", "u"])
    frame["z"] = frame["t"].dt.tz_localize("Europe/Zurich", ambiguous=True, nonexistent="shift_forward")
    return cuprum.from_pandas(frame)
