"""One cluster of two worker processes for all tests that need processes."""

import pytest

pytest.importorskip("dask.dataframe")
pytest.importorskip("distributed")

import cuprum.dask  # noqa: F401


@pytest.fixture(scope="session")
def cluster():
    import dask
    from distributed import Client, LocalCluster

    settings = {
        "distributed.admin.log-format": "%(message)s",
        "distributed.logging.distributed": "critical",
        # Workers that are killed twice within this time are not given up.
        "distributed.deploy.lost-worker-timeout": "10 h",
    }
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", memory_limit="1GiB", silence_logs=50
        ) as running,
        Client(running, set_as_default=False) as client,
    ):
        yield client
