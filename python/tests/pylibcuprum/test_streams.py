"""Streams of other libraries, and memory that has an address: `pylibcuprum.utils`, `span` and `experimental`."""

import numpy as np
import pytest

import cuprum
from cuprum import rmm
from cuprum._cuprum import chosen_device
from pylibcuprum import Column, DataType, Table, TypeId, aggregation, experimental, gpumemoryview, utils
from pylibcuprum.copying import OutOfBoundsPolicy, gather
from pylibcuprum.null_mask import null_count
from pylibcuprum.reduce import reduce
from pylibcuprum.span import Span, is_span

INT64 = DataType(TypeId.INT64)


class Foreign:
    """A stream of another library."""

    def __init__(self, handle=0, version=0):
        self.said = version, handle

    def __cuda_stream__(self):
        return self.said


class Bytes:
    """Memory that somebody else keeps."""

    def __init__(self, buffer):
        self.buffer, self.ptr, self.size = buffer, buffer.ptr, buffer.size


def test_the_default_stream_is_that_of_the_thread():
    stream = rmm.current_stream(chosen_device())
    assert utils.DEFAULT_STREAM == utils.CUDF_DEFAULT_STREAM == utils._get_stream(None) == stream
    with pytest.raises(AttributeError, match="OTHER_STREAM"):
        _ = utils.OTHER_STREAM


def test_every_stream_is_taken():
    stream = rmm.Stream(chosen_device())
    assert utils._get_stream(stream) is stream
    assert rmm.Stream(stream) == stream
    assert utils._get_stream(Foreign()).device.name == stream.device.name
    assert isinstance(Foreign(), utils.HasCudaStream)
    assert isinstance(stream, utils.HasCudaStream)
    assert not isinstance(3, utils.HasCudaStream)


@pytest.mark.parametrize(
    "stream",
    [None, rmm.Stream(chosen_device()), Foreign(), Foreign(1), Foreign(2)],
    ids=["none", "ours", "0", "1", "2"],
)
def test_functions_and_methods_take_them(stream):
    numbers = Column.from_iterable_of_py([1, 2, 3], stream=stream)
    assert reduce(numbers, aggregation.sum(), INT64, stream=stream).to_py(stream=stream) == 6
    rows = Column.from_iterable_of_py([2, 0])
    moved = gather(Table([numbers]), rows, OutOfBoundsPolicy.DONT_CHECK, stream=stream)
    assert moved.columns()[0].to_pylist() == [3, 1]
    assert rmm.DeviceBuffer(size=3, stream=stream).size == 3


@pytest.mark.parametrize(
    ("stream", "error", "message"),
    [
        (3, TypeError, "`stream` must be a Stream or an object with __cuda_stream__"),
        (Foreign(version=1), ValueError, "version 1"),
        (Foreign("one"), TypeError, "pair of numbers"),
        (Foreign(-1), TypeError, "pair of numbers"),
    ],
)
def test_what_is_no_stream_is_refused(stream, error, message):
    with pytest.raises(error, match=message):
        Column.from_iterable_of_py([1], stream=stream)


def test_a_stream_of_a_gpu_is_not_taken_for_the_cpu():
    # Whether there is a GPU or not, nobody has a stream at that handle; without one it is refused.
    if any("NVIDIA" in device.name for device in cuprum.cuda.devices()):
        pytest.skip("a GPU would be given a stream that does not exist")
    with pytest.raises(
        (RuntimeError, ValueError), match=r"driver|no CUDA device|no other library has a stream"
    ):
        Column.from_iterable_of_py([1], stream=Foreign(0x7F00))


def test_streams_are_joined():
    stream = rmm.Stream("emulator")
    experimental.join_streams([], stream)
    experimental.join_streams([rmm.Stream("emulator"), rmm.Stream(), Foreign()], stream)
    experimental.join_streams([stream, rmm.Stream("emulator")], rmm.Stream())
    with pytest.raises(TypeError):
        experimental.join_streams(None, stream)
    with pytest.raises(TypeError, match="__cuda_stream__"):
        experimental.join_streams([3], stream)


def test_spans():
    def buffer_of(data):
        return rmm.DeviceBuffer.to_device(data, stream=utils.DEFAULT_STREAM)

    buffer = buffer_of(np.array([1, 2, 3], "int64").tobytes())
    span = Bytes(buffer)
    assert is_span(span) and isinstance(span, Span)
    assert is_span(buffer) and is_span(gpumemoryview(buffer))
    assert not is_span(None) and not is_span(b"abc")
    column = Column(INT64, 3, span, None, 0, 0, [])
    assert column.to_pylist() == [1, 2, 3]
    if str(chosen_device()) == "cpu":
        assert bytes(memoryview(gpumemoryview(span))) == buffer.tobytes()
    masked = column.with_mask(Bytes(buffer_of(bytes([0b101]))), 1)
    assert masked.to_pylist() == [1, None, 3]
    assert null_count(span, 0, 8) == 7


def test_wrong_spans():
    class Half:
        ptr = 64

    class Beyond:
        ptr, size = 64, 2**64 - 1

    class Nowhere:
        ptr, size = 0, 8

    class Odd:
        ptr, size = "64", 8

    with pytest.raises(TypeError, match="a Span"):
        Column(INT64, 1, Half(), None, 0, 0, [])
    for wrong in (Beyond(), Nowhere()):
        with pytest.raises(ValueError, match="`data` has"):
            gpumemoryview(wrong)
    with pytest.raises(TypeError, match=r"`data\.ptr`"):
        gpumemoryview(Odd())
