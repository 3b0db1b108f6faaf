"""Memory that other libraries see, in both modes of the option ``copy_on_write``: who writes to it, and who sees that."""

import gc
import pickle

import numpy as np
import pyarrow as pa
import pytest

import cuprum
from cuprum import DataFrame, Series


@pytest.mark.usefixtures("linked_copies")
def test_foreign_memory_is_never_written(mode):
    array = pa.array([1, 2, 3])
    series = Series.from_arrow(array)
    linked = series.copy(deep=False)
    series[0] = 9
    assert array.to_pylist() == [1, 2, 3]
    assert linked.to_list() == ([1, 2, 3] if mode else [9, 2, 3])


@pytest.mark.usefixtures("linked_copies")
def test_exports_do_not_show_later_writes(mode):
    series = Series([1, 2, 3])
    exports = [series.to_arrow(), pa.array(series), series.to_numpy(), np.asarray(series), series.to_pandas()]
    memory = series.data.memoryview()
    linked = series.copy(deep=False)
    series[0] = 9
    for export in exports:
        assert [int(x) for x in export.tolist()] == [1, 2, 3]
    assert memory.tobytes() == np.array([1, 2, 3]).tobytes()
    assert linked.to_list() == ([1, 2, 3] if mode else [9, 2, 3])


def address(series):
    return series.data._ptr


@pytest.mark.usefixtures("linked_copies")
@pytest.mark.host
def test_views_of_numpy_expose_and_share(mode):
    series = Series([1, 2, 3])
    assert not series.data.exposed
    view = series.to_numpy()
    assert series.data.exposed and view.ctypes.data == address(series)
    assert not view.flags.writeable
    copied = series.copy(deep=False)
    assert (address(copied) == address(series)) == (not mode)


@pytest.mark.usefixtures("linked_copies")
@pytest.mark.host
def test_array_interface_copies_what_is_shared():
    cuprum.set_option("copy_on_write", True)
    s1 = Series([1, 2, 3])
    s2 = s1.copy(deep=False)
    first = address(s1)
    array = np.asarray(s1.data).view("int64")
    assert address(s1) == array.ctypes.data != first and address(s2) == first
    assert s1.data.exposed and not s2.data.exposed
    array[0] = 9
    assert s1.to_list() == [9, 2, 3] and s2.to_list() == [1, 2, 3]
    s3 = s1.copy(deep=False)
    assert address(s3) != address(s1), "shallow copies of exposed memory are copies"
    array[0] = 10
    assert s1.to_list() == [10, 2, 3] and s3.to_list() == [9, 2, 3]
    alone = Series([1, 2])
    first = address(alone)
    assert np.asarray(alone.data).ctypes.data == first, "nobody shares it"


@pytest.mark.usefixtures("linked_copies")
@pytest.mark.host
def test_array_interface_without_copy_on_write_is_the_memory():
    s1 = Series([1, 2, 3])
    s2 = s1.copy(deep=False)
    array = np.asarray(s1.data).view("int64")
    array[0] = 9
    assert s1.to_list() == [9, 2, 3] and s2.to_list() == [9, 2, 3]


@pytest.mark.usefixtures("linked_copies")
@pytest.mark.host
@pytest.mark.parametrize(
    "derive",
    [
        lambda s: +s,
        lambda s: s.squeeze(),
        lambda s: s.reindex(),
        Series,
        cuprum.to_numeric,
        lambda s: DataFrame(s)[0],
        lambda s: DataFrame(DataFrame({"a": s}).loc[:])["a"],
    ],
)
def test_writes_from_outside_show_in_no_other_object(derive):
    cuprum.set_option("copy_on_write", True)
    series = Series([1, 2, 3])
    array = np.asarray(series.data).view("int64")
    other = derive(series)
    array[0] = 9
    assert series.to_list() == [9, 2, 3] and other.to_list() == [1, 2, 3]


@pytest.mark.usefixtures("linked_copies")
@pytest.mark.host
def test_slices_of_exposed_memory_show_writes_from_outside(mode):
    series = Series([1, 2, 3])
    array = np.asarray(series.data).view("int64")
    part, head, renamed = series.loc[:1], series.head(2), series.rename("r")
    array[0] = 9
    assert part.to_list() == head.to_list() == [9, 2] and renamed.to_list() == [9, 2, 3]
    series[0] = 8
    assert part.to_list() == [9, 2], "our own writes do not show"


@pytest.mark.usefixtures("linked_copies")
@pytest.mark.host
def test_changes_in_place_leave_other_exposed_columns():
    cuprum.set_option("copy_on_write", True)
    frame = DataFrame({"a": [1, 2], "b": [None, 1.0]})
    view = frame["a"].to_numpy()
    frame.fillna({"b": Series([0.5, 0.5])}, inplace=True)
    frame.replace({"b": {1.0: 2.0}}, inplace=True)
    frame[["c"]] = 0
    frame.eval("d = b", inplace=True)
    assert address(frame["a"]) == view.ctypes.data and frame["b"].to_list() == [0.5, 2.0]


@pytest.mark.usefixtures("linked_copies")
@pytest.mark.host
def test_memory_that_was_handed_out_stays(mode):
    series = Series(range(1000))
    buffer = series.data
    array = np.asarray(buffer).view("int64")
    del series, buffer
    gc.collect()
    assert (array == np.arange(1000)).all()
    series = Series(range(1000))
    buffer = series.data
    first = np.asarray(buffer).view("int64")
    other = series.copy(deep=False), series[:]
    second = np.asarray(buffer).view("int64")
    series[:] = 0
    del series, other, buffer
    gc.collect()
    assert first.sum() == np.arange(1000).sum() and second.sum() == first.sum()


@pytest.mark.usefixtures("linked_copies")
def test_pickles_are_not_linked(mode):
    series = Series([1, 2, 3])
    linked = series.copy(deep=False)
    loaded = pickle.loads(pickle.dumps(linked))
    series[0] = 9
    assert loaded.to_list() == [1, 2, 3] and loaded._others() == []
    assert linked.to_list() == ([1, 2, 3] if mode else [9, 2, 3])
