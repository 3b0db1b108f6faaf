"""Workers: their share of the cores, of memory, their GPU, and what happens when one dies."""

import os
import signal
import subprocess
import sys
import time

import dask.dataframe as dd
import pytest
from sample_frames import table

import cuprum
import cuprum.dask
from cuprum.dask import share_of_cores, use_gpu_of_worker
from cuprum.dask.workers import worker_of_process

FRAME = table(3000)


def _settings():
    names = ("spill", "spill_device_limit")
    return os.environ.get("CUPRUM_NUM_THREADS"), [cuprum.get_option(name) for name in names]


def test_workers_share_the_machine(cluster):
    dd.from_pandas(FRAME, npartitions=4).map_partitions(lambda part: part, meta=FRAME.iloc[:0])
    cluster.compute(dd.from_pandas(FRAME, npartitions=4)).result(60)
    for threads, (spill, limit) in cluster.run(_settings).values():
        assert threads == str(share_of_cores(2))
        assert spill is True
        assert limit == 1 << 29
    assert worker_of_process() is None
    assert cuprum.get_option("spill") is False


def _kept(dask_worker):
    from cuprum.rmm import mr

    plugin, resource = dask_worker.extensions["shuffle"], mr.get_current_device_resource()
    kept = resource.idle_bytes() if isinstance(resource, mr.CpuMemoryResource) else None
    return plugin.memory_limiter_comms.limit, plugin.memory_limiter_disk.limit, kept


def test_workers_keep_little_aside(cluster):
    """What the shuffle has not sent or written, and freed memory kept for reuse, are parts of a worker's limit."""
    cluster.compute(dd.from_pandas(FRAME, npartitions=4)).result(60)
    for comms, disk, idle in cluster.run(_kept).values():
        assert comms == (1 << 30) // 10
        assert disk == 100 << 20
        assert idle is not None
        assert idle <= (1 << 30) // 10


def test_room_is_made_of_freed_memory():
    from cuprum.dask import workers
    from cuprum.rmm import mr

    before = mr.get_current_device_resource()
    resource = mr.CpuMemoryResource(1 << 30)
    mr.set_current_device_resource(resource)
    try:
        frame = FRAME.take(list(range(3000)) * 20)
        del frame
        assert resource.idle_bytes() > 0
        workers._make_room(1)
        assert resource.idle_bytes() == 0
    finally:
        mr.set_current_device_resource(before)


def test_share_of_cores():
    cores = len(os.sched_getaffinity(0))
    assert share_of_cores(1) == cores
    assert share_of_cores(10**6) == 1
    assert 1 <= share_of_cores() <= cores
    for bad in (0, -1, 1.5, True, "2"):
        with pytest.raises(ValueError, match="`workers` is"):
            share_of_cores(bad)


def test_gpus_of_workers(monkeypatch):
    assert [use_gpu_of_worker(i, "0,1,2") for i in range(4)] == ["0,1,2", "1,2,0", "2,0,1", "0,1,2"]
    assert use_gpu_of_worker(1, "GPU-a, GPU-b") == "GPU-b,GPU-a"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,6")
    assert use_gpu_of_worker(1) == "6,5"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(ValueError, match="no GPU"):
        use_gpu_of_worker(0)
    for bad in (-1, "0", True):
        with pytest.raises(ValueError, match="`number` is"):
            use_gpu_of_worker(bad, "0")


def test_preload_names_the_gpu(monkeypatch):
    from cuprum.dask import preload, workers

    class Worker:
        name = "host-1"

    monkeypatch.setattr(workers, "set_up", lambda worker: None)
    monkeypatch.setenv("CUPRUM_DASK_GPUS", "0,1")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "9")
    preload.dask_setup(Worker())
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "1,0"
    Worker.name = "tcp"
    with pytest.raises(ValueError, match="'tcp': its name has to end with a number"):
        preload.dask_setup(Worker())


def test_importing_dask_imports_little():
    """Dask asks for sizes in every process: ours come when there is something of ours."""
    program = "import sys, cuprum.dask_entry, dask; assert 'cuprum.dask' not in sys.modules"
    subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def _slowly(part):
    time.sleep(0.05)
    return part


@pytest.mark.parametrize("work", ["shuffle", "join", "write"])
def test_a_worker_is_killed(work, cluster, tmp_path):
    """The result is right or there is an error, and no half of a data set."""
    parts = dd.from_pandas(FRAME, npartitions=12).map_partitions(_slowly, meta=FRAME.iloc[:0])
    path = tmp_path / "set"
    if work == "shuffle":
        made = parts.shuffle("k", shuffle_method="p2p").x.sum()
    elif work == "join":
        other = dd.from_pandas(FRAME[["k", "i"]].drop_duplicates(subset=["k"]), npartitions=2)
        made = parts.merge(other, on="k", broadcast=False, shuffle_method="p2p").x.sum()
    else:
        made = parts.to_parquet(path, compute=False)
    future = cluster.compute(made)
    time.sleep(0.3)
    pid = next(iter(cluster.run(os.getpid).values()))
    os.kill(pid, signal.SIGKILL)
    try:
        result = future.result(60)
    except Exception as error:
        assert "kill" in str(error).lower() or "p2p" in str(error).lower() or "worker" in str(error).lower()
        result = None
    cluster.wait_for_workers(2, timeout=60)
    if work == "write":
        files = sorted(path.rglob("*.parquet"))
        assert len(files) in (0, 12)
        if files:
            assert len(cuprum.read_parquet(files)) == len(FRAME)
    elif result is not None:
        assert result == pytest.approx(FRAME.x.sum())
