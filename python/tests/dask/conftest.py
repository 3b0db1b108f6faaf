"""One cluster of two worker processes for all tests that need processes."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("dask.dataframe")
pytest.importorskip("distributed")

import cuprum
import cuprum.dask


@pytest.fixture(scope="session")
def cluster():
    import dask
    from distributed import Client, LocalCluster

    settings = {"distributed.admin.log-format": "%(message)s", "distributed.logging.distributed": "critical"}
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit="1GiB", silence_logs=50
        ) as running,
        Client(running, set_as_default=False) as client,
    ):
        yield client


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
