"""``cuprum.rmm``: resources, buffers, streams and logging."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import cuprum
from cuprum import rmm
from cuprum.rmm import mr, statistics


@pytest.fixture(autouse=True)
def first_resource_again():
    yield
    mr.reset_per_device_resource("cpu")
    mr.reset_per_device_resource("emulator")


def gpu_resources():
    return [
        mr.CudaMemoryResource(device="emulator"),
        mr.CudaAsyncMemoryResource(device="emulator"),
        mr.ManagedMemoryResource(device="emulator"),
        mr.PrefetchResourceAdaptor(mr.ManagedMemoryResource(device="emulator")),
        mr.PoolMemoryResource(mr.CudaMemoryResource(device="emulator"), 1 << 20, 1 << 24),
        mr.BinningMemoryResource(mr.CudaMemoryResource(device="emulator"), 8, 12),
    ]


def cpu_resources():
    upstream = mr.CpuMemoryResource()
    return [
        upstream,
        mr.SystemMemoryResource(1 << 20, decay=0.5),
        mr.PinnedHostMemoryResource(device="emulator"),
        mr.PoolMemoryResource(upstream),
        mr.FixedSizeMemoryResource(upstream, block_size=1 << 22, blocks_to_preallocate=2),
        mr.LimitingResourceAdaptor(upstream, 1 << 30),
        mr.StatisticsResourceAdaptor(upstream),
        mr.TrackingResourceAdaptor(upstream, capture_stacks=True),
        mr.FailureCallbackResourceAdaptor(upstream, lambda size: False),
    ]


@pytest.mark.parametrize("make", [gpu_resources, cpu_resources])
@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 100_000])
def test_bytes_come_back(make, size):
    data = bytes(i % 251 for i in range(size))
    for resource in make():
        buffer = rmm.to_device(data, mr=resource)
        assert (len(buffer), buffer.size, buffer.nbytes) == (size, size, size)
        assert str(buffer.device) == str(resource.device)
        assert buffer.tobytes() == data
        copy = buffer.copy()
        buffer.fill(7)
        assert copy.copy_to_host() == bytearray(data)
        assert set(buffer.tobytes()) <= {7}
        array = np.zeros(size, np.uint8)
        copy.copy_to_host(array)
        assert array.tobytes() == data
        copy.copy_from_host(array[::-1].copy())
        assert copy.tobytes() == data[::-1]


def test_buffers_change_their_size():
    for resource in [*gpu_resources(), *cpu_resources()]:
        buffer = rmm.DeviceBuffer.to_device(b"abcdef", mr=resource)
        buffer.reserve(100)
        assert (buffer.size, buffer.capacity()) == (6, 100)
        buffer.resize(3)
        assert buffer.tobytes() == b"abc"
        with pytest.raises(ValueError, match="`ary` has 2 bytes, the buffer 3"):
            buffer.copy_from_host(b"xy")
        with pytest.raises(ValueError, match="`ary` has 2 bytes, the buffer 3"):
            buffer.copy_to_host(bytearray(2))
    assert repr(buffer) == "DeviceBuffer(size=3, device='cpu')"
    assert not hasattr(buffer, "__cuda_array_interface__")
    with pytest.raises(TypeError, match="expected bytes or a buffer, not <class 'int'>"):
        rmm.to_device(5)


@pytest.mark.host
def test_frames_use_the_current_resource():
    counting = mr.StatisticsResourceAdaptor(mr.get_current_device_resource())
    mr.set_current_device_resource(counting)
    assert mr.get_current_device_resource() is counting
    assert mr.get_current_device_resource_type() is mr.StatisticsResourceAdaptor
    frame = cuprum.DataFrame({"k": np.arange(100_000) % 7, "v": np.arange(100_000.0)})
    assert counting.allocation_counts.current_bytes >= 1_600_000
    assert frame.groupby("k").v.sum().sum() == frame.v.sum()
    del frame
    gc.collect()
    assert counting.allocation_counts.current_bytes == 0
    assert counting.allocation_counts.current_count == 0


@pytest.mark.host
def test_a_limit_is_a_memory_error_and_nothing_is_lost():
    tracking = mr.TrackingResourceAdaptor(mr.get_current_device_resource())
    mr.set_current_device_resource(mr.LimitingResourceAdaptor(tracking, 3_000_000))
    frame = cuprum.DataFrame({"v": np.arange(200_000)})
    with pytest.raises(
        MemoryError, match=r"cannot allocate \d+ bytes on cpu: \d+ bytes in use of at most 3000000"
    ):
        for _ in range(3):
            frame = cuprum.concat([frame, frame])
    assert frame.v.sum() == np.arange(200_000).sum() * (len(frame) // 200_000)
    del frame
    gc.collect()
    assert tracking.get_allocated_bytes() == 0
    assert tracking.get_outstanding_allocations_str() == ""


def test_a_callback_frees_and_retries():
    limited = mr.LimitingResourceAdaptor(mr.CpuMemoryResource(), 1000)
    hoard = [rmm.DeviceBuffer(size=400, mr=limited), rmm.DeviceBuffer(size=400, mr=limited)]
    asked = []

    def release(size):
        asked.append(size)
        return bool(hoard) and hoard.pop() is not None

    resource = mr.FailureCallbackResourceAdaptor(limited, release)
    buffer = rmm.DeviceBuffer(size=900, mr=resource)
    assert (asked, hoard, limited.get_allocated_bytes()) == ([900, 900], [], 900)
    with pytest.raises(MemoryError, match="cannot allocate 200 bytes"):
        rmm.DeviceBuffer(size=200, mr=resource)
    assert resource.get_upstream() is limited
    del buffer
    assert (limited.get_allocated_bytes(), limited.get_allocation_limit()) == (0, 1000)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_failing_callback_is_reported(capfd):
    limited = mr.LimitingResourceAdaptor(mr.CpuMemoryResource(), 10)
    resource = mr.FailureCallbackResourceAdaptor(limited, lambda size: 1 / 0)
    with pytest.raises(MemoryError):
        rmm.DeviceBuffer(size=20, mr=resource)


def test_statistics_nest():
    assert statistics.get_statistics() is None
    with pytest.raises(ValueError, match="call enable_statistics"), statistics.statistics():
        pass
    statistics.enable_statistics()
    outer = rmm.DeviceBuffer(size=100)
    with statistics.statistics():
        inner = rmm.DeviceBuffer(size=10)
        del outer
        seen = statistics.get_statistics()
    assert (seen.current_bytes, seen.peak_bytes, seen.total_bytes, seen.total_count) == (-90, 10, 10, 1)
    assert statistics.get_statistics().peak_bytes == 110
    with pytest.raises(IndexError, match="push_statistics"):
        statistics.pop_statistics()
    assert repr(seen).startswith("Statistics(current_bytes=-90, current_count=0, peak_bytes=10,")
    del inner
    statistics.disable_statistics()
    assert statistics.get_statistics() is None


def test_profiler_records():
    records = statistics.ProfilerRecords()

    @statistics.profiler(records=records)
    def build(size):
        return rmm.DeviceBuffer(size=size)

    statistics.enable_statistics()
    build(10)
    build(30)
    with statistics.profiler(records=records, name="block"):
        build(5)
    (name,) = [n for n in records.records if n.endswith("build")]
    record = records.records[name]
    assert (record.num_calls, record.memory_total, record.memory_peak) == (3, 45, 30)
    assert records.records["block"].memory_total == 5
    assert [line.split()[-1] for line in records.report().splitlines()] == ["name", name, "block"]
    with pytest.raises(ValueError, match="`ordered_by` is 'size'"):
        records.report("size")
    with pytest.raises(ValueError, match="needs a `name`"), statistics.profiler():
        pass


def test_allocations_are_logged(tmp_path):
    path = tmp_path / "log.csv"
    with pytest.raises(ValueError, match="give `log_file_name`, or set RMM_LOG_FILE"):
        rmm.enable_logging()
    rmm.enable_logging(path)
    assert rmm.get_log_filenames()["cpu"] == str(tmp_path / "log.cpu.csv")
    rmm.DeviceBuffer(size=12_345)
    rmm.disable_logging()
    assert rmm.get_log_filenames()["cpu"] is None
    lines = (tmp_path / "log.cpu.csv").read_text().splitlines()
    assert lines[0] == "Thread,Time,Action,Pointer,Size,Stream"
    actions = [(line.split(",")[2], line.split(",")[4]) for line in lines[1:]]
    assert actions == [("allocate", "12345"), ("free", "12345")]


def test_messages_go_where_they_are_told(tmp_path):
    before = rmm.set_logging_level(rmm.level_enum.info)
    try:
        assert rmm.should_log(rmm.level_enum.warn) and not rmm.should_log(rmm.level_enum.debug)
        rmm.set_log_file(tmp_path / "messages.log")
        tracking = mr.TrackingResourceAdaptor(mr.CpuMemoryResource())
        buffer = rmm.DeviceBuffer(size=77, mr=tracking)
        tracking.log_outstanding_allocations()
        rmm.flush_logger()
        assert "77 bytes" in (tmp_path / "messages.log").read_text()
        del buffer
    finally:
        rmm.set_log_file(None)
        rmm.set_logging_level(before)
    assert rmm.get_logging_level() == before
    with pytest.raises(ValueError, match="logging level 'loud' is unknown"):
        rmm.set_logging_level("loud")


@pytest.mark.parametrize(
    ("variables", "level"),
    [
        ({}, "warn"),
        ({"LIBCUDF_LOGGING_LEVEL": "INFO"}, "info"),
        ({"LIBCUDF_LOGGING_LEVEL": "INFO", "CUPRUM_LOGGING_LEVEL": "off"}, "off"),
    ],
)
def test_the_environment_sets_level_and_file(variables, level, tmp_path):
    program = (
        "from cuprum import rmm, _cuprum; _cuprum.write_log('critical', 'mayday'); "
        "print(rmm.get_logging_level().name)"
    )
    unset = {
        "CUPRUM_LOGGING_LEVEL",
        "LIBCUDF_LOGGING_LEVEL",
        "CUPRUM_DEBUG_LOG_FILE",
        "LIBCUDF_DEBUG_LOG_FILE",
    }
    clean = {name: value for name, value in os.environ.items() if name not in unset}
    log = tmp_path / "file.log"
    env = clean | variables | {"CUPRUM_DEBUG_LOG_FILE": str(log)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    assert (done.stdout.strip(), done.stderr) == (level, "")
    assert ("mayday" in log.read_text()) == (level != "off")


def test_bins():
    upstream = mr.StatisticsResourceAdaptor(mr.CpuMemoryResource())
    small = mr.StatisticsResourceAdaptor(mr.CpuMemoryResource())
    bins = mr.BinningMemoryResource(upstream)
    bins.add_bin(1000, small)
    assert bins.bin_mrs == [1000]
    kept = rmm.DeviceBuffer(size=1000, mr=bins)
    rmm.DeviceBuffer(size=1001, mr=bins)
    assert (small.allocation_counts.total_bytes, upstream.allocation_counts.total_bytes) == (1000, 1001)
    with pytest.raises(RuntimeError, match="while 1 allocations are outstanding"):
        bins.add_bin(10)
    del kept
    bins.add_bin(10)
    assert bins.bin_mrs == [10, 1000]


def test_streams():
    stream = rmm.Stream("emulator")
    assert stream.ptr != 0 and str(stream.device) == "emulator"
    buffer = rmm.DeviceBuffer.to_device(b"abc", stream=stream)
    stream.synchronize()
    assert stream.is_done() and buffer.tobytes() == b"abc"
    pool = rmm.StreamPool(3, "emulator")
    assert pool.get_pool_size() == 3
    assert pool.get_stream(4) == pool.get_stream(1) != pool.get_stream(2)
    current = rmm.current_stream("emulator")
    assert current.ptr not in (0, stream.ptr) and str(current.device) == "emulator"
    assert current == rmm.current_stream("emulator") != rmm.current_stream("cpu")
    assert rmm.Stream().ptr == 0
    with pytest.raises(ValueError, match="`size` is 0"):
        rmm.StreamPool(0)
    with pytest.raises(ValueError, match="`stream` is a stream of cpu, the memory is on emulator"):
        rmm.DeviceBuffer(size=1, stream=rmm.Stream(), mr=mr.CudaMemoryResource(device="emulator"))


def test_devices():
    cpu, *gpus = cuprum.cuda.devices()
    assert str(cpu) == "cpu" and cpu.compute_capability is None and cpu.name
    free, total = cpu.memory_info
    assert 0 < free <= total
    emulated = cuprum.cuda.Device("emulator")
    assert emulated == cuprum.cuda.Device("emulator") != cpu
    assert emulated.compute_capability == (8, 0) and emulated.processors > 0
    with pytest.raises(ValueError, match="device 'tpu' is unknown"):
        cuprum.cuda.Device("tpu")
    with pytest.raises(TypeError, match="`device` must be a name or a number"):
        cuprum.cuda.Device(1.5)
    if not gpus:
        with pytest.raises(RuntimeError, match=r"driver|no CUDA device"):
            mr.CudaMemoryResource()


def test_kernels_are_compiled_ahead_of_time(tmp_path):
    # The kernels of all families are compiled by the tests in Rust.
    names = ["gather", "concatenate"]
    program = f"import cuprum; print(*[cuprum.cuda.warm_up('sm_90', {names}) for _ in range(2)])"
    env = {name: value for name, value in os.environ.items() if name != "CUPRUM_NVRTC"}
    env["CUPRUM_CACHE_DIR"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    first, second = map(int, done.stdout.split())
    assert first == second == len(list(tmp_path.glob("*.kernel"))) > 3
    with pytest.raises(ValueError, match=r"`families` names 'sort'; there are .*radix_sort, "):
        cuprum.cuda.warm_up("sm_90", ["sort"])
    with pytest.raises(ValueError, match="`architecture` is 'h200'"):
        cuprum.cuda.warm_up("h200")
    with pytest.raises(ValueError, match="architecture sm_1 is unknown to NVRTC"):
        cuprum.cuda.warm_up("sm_1")


@pytest.mark.host
def test_the_current_resource_is_that_of_the_chosen_device():
    assert str(mr.get_current_device_resource().device) == "cpu"
    with cuprum.option_context("device", "emulator"):
        before = mr.get_current_device_resource()
        counting = mr.StatisticsResourceAdaptor(before)
        mr.set_current_device_resource(counting)
        try:
            assert mr.get_current_device_resource() is counting
            assert mr.get_per_device_resource("cpu") is not counting
            cuprum.Series([1, 2, 3])
            assert counting.allocation_counts.total_bytes >= 24
        finally:
            mr.set_current_device_resource(before)
    assert str(mr.get_current_device_resource().device) == "cpu"


def test_wrong_arguments_are_named():
    here = cuprum.get_option("device")
    elsewhere = mr.CpuMemoryResource() if here != "cpu" else mr.CudaMemoryResource(device="emulator")
    with pytest.raises(ValueError, match=f"`resource` is memory of {elsewhere.device}, not of {here}"):
        mr.set_current_device_resource(elsewhere)
    with pytest.raises(
        ValueError, match="`initial_pool_size` is 2000 bytes, more than `maximum_pool_size` of 1000"
    ):
        mr.PoolMemoryResource(mr.CpuMemoryResource(), 2000, 1000)
    with pytest.raises(ValueError, match="`device` is cpu"):
        mr.CudaMemoryResource(device="cpu")
    with pytest.raises(ValueError, match="`decay` is -1"):
        mr.CpuMemoryResource(decay=-1)
    with pytest.raises(FileNotFoundError):
        mr.LoggingResourceAdaptor(mr.CpuMemoryResource(), "/nonexistent/log.csv")
    with pytest.raises(MemoryError, match="cannot allocate"):
        rmm.DeviceBuffer(size=1 << 62)
    with pytest.raises(TypeError):
        mr.LimitingResourceAdaptor("cpu", 5)


@pytest.mark.host
def test_reinitialize():
    called = []

    def hook(*args, **kwargs):
        called.append((args, kwargs))

    rmm.register_reinitialize_hook(hook, 1, x=2)
    before = rmm.DeviceBuffer.to_device(b"kept")
    rmm.reinitialize(pool_allocator=True, initial_pool_size=1 << 20, maximum_pool_size=1 << 26)
    assert mr.get_current_device_resource_type() is mr.PoolMemoryResource
    assert cuprum.Series(range(10)).sum() == 45
    assert before.tobytes() == b"kept"
    rmm.unregister_reinitialize_hook(hook)
    rmm.reinitialize(managed_memory=True, devices="emulator")
    assert mr.get_per_device_resource_type("emulator") is mr.ManagedMemoryResource
    assert called == [((1,), {"x": 2})]
    with pytest.raises(ValueError, match="device 'cpu' has no managed memory"):
        rmm.reinitialize(managed_memory=True)
    assert rmm.is_initialized()


@pytest.mark.host
def test_the_pool_serves_threads():
    from concurrent.futures import ThreadPoolExecutor

    pool = mr.PoolMemoryResource(mr.CpuMemoryResource(), 1 << 20)
    tracking = mr.TrackingResourceAdaptor(pool)
    mr.set_current_device_resource(tracking)

    def work(seed):
        frame = cuprum.DataFrame({"v": np.arange(seed, seed + 50_000)})
        return int(((frame.v * 3).sort_values(ascending=False)).sum())

    with ThreadPoolExecutor(4) as threads:
        sums = list(threads.map(work, range(20)))
    assert sums == [3 * int(np.arange(s, s + 50_000).sum()) for s in range(20)]
    gc.collect()
    assert tracking.get_allocated_bytes() == 0
