"""What cuDF has and pandas has not: against plain Python, with missing elements, without rows, in slices, on devices."""

import copy
import hashlib
import pickle
import re
import socket
import struct
from decimal import Decimal
from urllib.parse import quote, unquote

import numpy as np
import pandas as pd
import pytest
from arguments_entries import as_cupy
from hypothesis import given
from hypothesis import strategies as st
from oracle import assert_like, ours

import cuprum
import pylibcuprum as plc

KINDS = {
    "numbers": pd.Series([3, 1, 2], name="n"),
    "floats": pd.Series([1.5, np.nan, -0.0], index=list("abc")),
    "texts": pd.Series(["ä", None, ""], name=("a", 1)),
    "categories": pd.Series(["b", None, "a"], dtype="category"),
    "instants": pd.Series(pd.to_datetime(["2013-01-01", None, "1969-12-31"]).tz_localize("Europe/Berlin")),
    "lengths": pd.Series(pd.to_timedelta(["1 days", None, "-1 us"])),
    "nothing": pd.Series([], dtype="float64"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_make_the_same_again(kind):
    series = ours(KINDS[kind])
    for obj in (series, series.iloc[1:], series.to_frame("x"), cuprum.Index(series), series.to_frame("x").T):
        for prefix in ("", "host_", "device_"):
            header, frames = getattr(obj, f"{prefix}serialize")()
            sent = [bytes(frame) for frame in frames]
            back = getattr(type(obj), f"{prefix}deserialize")(pickle.loads(pickle.dumps(header)), sent)
            assert type(back) is type(obj) and back.equals(obj)
    for copied in (False, True):
        assert cuprum.Series.from_pylibcudf(*series.to_pylibcudf(copied)).equals(series)
        index, frame = cuprum.Index(series), series.to_frame("x")
        assert cuprum.Index.from_pylibcudf(*index.to_pylibcudf(copied)).equals(index)
        assert cuprum.DataFrame.from_pylibcudf(*frame.to_pylibcudf(copied)).equals(frame)


def test_pieces_of_something_else_are_refused():
    header, frames = cuprum.Series([1]).serialize()
    with pytest.raises(TypeError, match="Series, not of a DataFrame"):
        cuprum.DataFrame.deserialize(header, frames)
    with pytest.raises(ValueError, match="frames"):
        cuprum.Series.deserialize(header, [frames[0][:-1]])
    with pytest.raises(TypeError, match="metadata"):
        cuprum.Series.from_pylibcudf(plc.Column.from_iterable_of_py([1]), 5)
    with pytest.raises(ValueError, match="columns"):
        cuprum.DataFrame.from_pylibcudf(plc.Table([]), {"columns": ["a"]})
    with pytest.raises(NotImplementedError, match="2 levels"):
        cuprum.MultiIndex.from_tuples([(1, 2)]).to_pylibcudf()


def test_pieces_are_again_where_they_were():
    series = cuprum.Series([1, None, 3]).to_device("emulator")
    back = cuprum.Series.deserialize(*series.serialize())
    assert back.device == "emulator" and back.to_host().equals(series.to_host())


def test_what_is_hung_on_goes_along():
    frame = cuprum.DataFrame({"a": [1]})
    assert frame.attrs == {} and "attrs" not in frame
    frame.attrs["unit"] = ["m"]
    for again in (
        frame.copy(),
        frame.copy(deep=False),
        copy.copy(frame),
        copy.deepcopy(frame),
        pickle.loads(pickle.dumps(frame)),
        cuprum.DataFrame.from_pandas(frame.to_pandas()),
    ):
        assert again.attrs == {"unit": ["m"]} and again.attrs is not frame.attrs
        again.attrs["unit"].append("s")
        assert frame.attrs == {"unit": ["m"]}
    frame["a"].attrs = {"x": 1}
    named = cuprum.DataFrame({"_attrs": [1]})
    assert named.copy().attrs == {} == pickle.loads(pickle.dumps(named)).attrs == named.to_pandas().attrs
    with pytest.raises(NotImplementedError, match="allows_duplicate_labels"):
        frame.flags.allows_duplicate_labels = False
    with pytest.raises(ValueError, match="bogus"):
        frame.flags["bogus"] = True
    assert frame.flags["allows_duplicate_labels"] is True and frame.flags == frame["a"].flags


@given(st.lists(st.text(max_size=8), max_size=8))
def test_digests_are_those_of_python(texts):
    hashes = cuprum.Series(texts, dtype="str").hash_values("sha256").to_list()
    assert hashes == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


@given(st.lists(st.one_of(st.none(), st.integers(-3, 3)), max_size=40), st.integers(1, 5))
def test_partitions_have_all_rows(values, parts):
    frame = cuprum.DataFrame({"k": cuprum.Series(values, dtype="int64"), "at": range(len(values))})
    found = frame.partition_by_hash("k", parts)
    assert len(found) == parts
    assert sorted(at for part in found for at in part["at"].to_list()) == list(range(len(values)))
    where = {}
    for number, part in enumerate(found):
        assert part.index.to_list() == part["at"].to_list()
        for value in part["k"].fillna(99).to_list():
            assert where.setdefault(value, number) == number


@given(st.lists(st.integers(0, 4), max_size=40))
def test_maps_scatter_rows(numbers):
    frame = cuprum.DataFrame({"at": range(len(numbers))})
    found = frame.scatter_by_map(np.array(numbers, dtype="int32"), 5)
    assert [part["at"].to_list() for part in found] == [
        [at for at, number in enumerate(numbers) if number == wanted] for wanted in range(5)
    ]


def test_bad_maps_are_refused():
    frame = cuprum.DataFrame({"at": range(3)})
    for numbers, error in [
        ([0, 1], ValueError),
        ([0, -1, 0], ValueError),
        ([0.5] * 3, TypeError),
        ([0, None, 1], TypeError),
    ]:
        with pytest.raises(error, match="map_index"):
            frame.scatter_by_map(numbers)


@given(
    st.lists(st.one_of(st.none(), st.floats(allow_infinity=False, width=16)), max_size=20),
    st.lists(st.integers(-5, 5), max_size=5).map(sorted),
    st.booleans(),
)
def test_numbers_of_bins_are_those_of_numpy(values, bins, right):
    series = cuprum.Series(values, dtype="float64")
    found = series.digitize(np.array(bins, dtype="float64"), right).to_list()
    for value, number in zip(values, found, strict=True):
        missing = value is None or value != value
        assert number != number if missing else number == np.digitize(value, bins or [np.inf], right)


def test_scaled_numbers():
    assert cuprum.Series([5, 5]).scale().isna().all()
    assert cuprum.Series([1.0, None, 3.0]).scale().fillna(-1).to_list() == [0.0, -1.0, 1.0]
    assert len(cuprum.Series([], dtype="float64").scale()) == 0


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=20), st.booleans(), st.booleans())
def test_rows_are_put_where_they_belong(rows, after, ascending):
    rows.sort(reverse=not ascending)
    frame = cuprum.DataFrame(np.array(rows, dtype="int64").reshape(-1, 2))
    wanted = [(a, b) for a in range(3) for b in range(3)]
    found = frame.searchsorted(cuprum.DataFrame(np.array(wanted)), "right" if after else "left", ascending)
    sign = 1 if ascending else -1
    keys = [(sign * a, sign * b) for a, b in rows]
    for (a, b), place in zip(wanted, found.tolist(), strict=True):
        key = (sign * a, sign * b)
        assert place == sum(one < key or (after and one == key) for one in keys)


TEXTS = st.lists(st.one_of(st.none(), st.text(st.sampled_from("aZé9 .-_%|\n🙂x0f"), max_size=7)), max_size=8)


def _expected(texts, function):
    return [None if text is None else function(text) for text in texts]


def _found(series):
    return [None if value is None or value != value else value for value in series.to_list()]


@given(TEXTS)
def test_forms_of_texts(texts):
    series = cuprum.Series(texts, dtype="str")
    for method, pattern in [
        ("isinteger", "[+-]?[0-9]+"),
        ("ishex", "(0[xX])?[0-9a-fA-F]+"),
        ("isempty", ""),
    ]:
        flags = getattr(series.str, method)().fillna(False).to_list()
        assert flags == [text is not None and re.fullmatch(pattern, text) is not None for text in texts]
    assert _found(series.str.url_encode()) == _expected(texts, lambda text: quote(text, safe=""))
    assert _found(series.str.url_decode()) == _expected(texts, unquote)
    assert _found(series.str.normalize_spaces()) == _expected(texts, lambda text: " ".join(text.split()))
    assert _found(series.str.casefold()) == _expected(texts, str.casefold)
    assert _found(series.str.encode("utf-8")) == _expected(texts, str.encode)
    assert series.str.code_points().to_list() == [ord(c) for text in texts if text for c in text]
    assert _found(series.str.filter_alphanum()) == _expected(
        texts, lambda text: "".join(c for c in text if c.isalnum())
    )
    assert _found(series.str.insert(2, "+")) == _expected(texts, lambda text: text[:2] + "+" + text[2:])


@pytest.mark.parametrize(
    "text", ["1.5", "-.5e3", "+1", "1.", "inf", "NaN", "-Infinity", "", ".", "1e", "e5", "1 "]
)
def test_texts_that_are_floats(text):
    try:
        float(text)
        known = not text.endswith(" ")
    except ValueError:
        known = False
    assert cuprum.Series([text]).str.isfloat().to_list() == [known]


@given(st.lists(st.integers(0, 2**32 - 1), max_size=9))
def test_addresses_of_columns(numbers):
    texts = [socket.inet_ntoa(struct.pack(">I", number)) for number in numbers]
    series = cuprum.Series([*texts, None], dtype="str")
    assert series.str.isipv4().fillna(False).to_list() == [True] * len(texts) + [False]
    found = series.str.ip_to_int()
    assert found.dtype == "int64" and found.to_list()[:-1] == numbers and found.isna().iloc[-1]


@pytest.mark.parametrize("text", ["1.2.3", "1.2.3.256", "01.2.3.4", "a", ""])
def test_texts_that_are_no_addresses(text):
    series = cuprum.Series(["1.1.1.1", text], index=["p", "q"])
    assert series.str.isipv4().to_list() == [True, False]
    with pytest.raises(ValueError, match="'q'"):
        series.str.ip_to_int()


def test_hexadecimal_digits():
    assert cuprum.Series(["0xff", "7fffffffffffffff", "0"]).str.hex_to_int().to_list() == [255, 2**63 - 1, 0]
    for text, error in [
        ("g", ValueError),
        ("", ValueError),
        ("8000000000000000", (ValueError, OverflowError)),
    ]:
        with pytest.raises(error):
            cuprum.Series([text]).str.htoi()


def test_on_other_devices_nothing_is_done_silently_by_the_host():
    texts = cuprum.Series(["a"]).to_device("emulator")
    for call in (
        lambda: texts.str.slice_from([0], [1]),
        lambda: texts.to_frame("a").to_struct(),
    ):
        with cuprum.option_context("fallback", "error"), pytest.raises(NotImplementedError, match="emulator"):
            call()


def test_structs_of_columns():
    frame = cuprum.DataFrame({"a": [1, None], "b": ["x", "y"]}, index=["p", "q"])
    structs = frame.to_struct("s")
    assert structs.name == "s" and structs.index.to_list() == ["p", "q"]
    assert structs.struct.explode().equals(frame)
    with pytest.raises(ValueError, match="labelled"):
        cuprum.concat([frame, frame], axis=1).to_struct()


def test_frames_through_pandas():
    frame = cuprum.DataFrame({"a": [1, 2], "b": [0.5, 1.5]})
    theirs = frame.to_pandas()
    assert frame.to_markdown(index=False) == theirs.to_markdown(index=False)
    assert frame.to_latex() == theirs.to_latex()
    assert frame.style.format("{:.1f}").to_html(table_uuid="x") == theirs.style.format("{:.1f}").to_html(
        table_uuid="x"
    )


@pytest.mark.parametrize("kind", ["line", "bar", "hist", "box"])
def test_plots_are_those_of_pandas(kind):
    import matplotlib

    matplotlib.use("Agg")
    frame = cuprum.DataFrame({"a": [1, 3, 2], "b": [0.5, 1.5, 1.0]})
    mine, theirs = (obj.plot(kind=kind) for obj in (frame, frame.to_pandas()))
    assert len(mine.lines) == len(theirs.lines) and len(mine.patches) == len(theirs.patches)
    for a, b in zip(mine.lines, theirs.lines, strict=True):
        np.testing.assert_array_equal(a.get_xydata(), b.get_xydata())
    import matplotlib.pyplot as plt

    plt.close("all")
    assert frame["a"].plot().get_lines()[0].get_ydata().tolist() == [1, 3, 2]


def test_what_only_the_host_does_is_refused_elsewhere_unless_it_may_fall_back():
    there = cuprum.Series(["a b", None, "c"]).to_device("emulator")
    with (
        cuprum.option_context("fallback", "error"),
        pytest.raises(NotImplementedError, match=r"`str\.encode` has no kernel on emulator"),
    ):
        there.str.encode("utf-8")
    with cuprum.option_context("fallback", "host"):
        found = there.str.url_encode()
        assert found.device == "emulator"
        assert found.to_host().dropna().to_list() == ["a%20b", "c"]
        assert there.str.code_points().device == "emulator"


NAN_COMES_IN = {
    "list": lambda **how: cuprum.Series([1.5, np.nan, None], **how),
    "typed list": lambda **how: cuprum.Series([1.5, np.nan, None], dtype="float32", **how),
    "array": lambda **how: cuprum.Series(np.array([1.5, np.nan, np.nan]), **how),
    "pandas": lambda **how: cuprum.from_pandas(pd.Series([1.5, np.nan, np.nan]), **how),
    "frame": lambda **how: cuprum.DataFrame({"a": [1.5, np.nan, None]}, **how)["a"],
    "matrix": lambda **how: cuprum.DataFrame(np.array([[1.5], [np.nan], [np.nan]]), **how)[0],
    "records": lambda **how: cuprum.DataFrame.from_records([(1.5,), (np.nan,), (None,)], **how)[0],
    "index": lambda **how: cuprum.Index([1.5, np.nan, None], **how).to_series(),
}


@pytest.mark.parametrize("kind", NAN_COMES_IN)
def test_nan_as_null(kind):
    made = NAN_COMES_IN[kind]
    own = made().null_count  # None is null in any case
    assert own in (0, 1)
    counts = {how: made(nan_as_null=how).null_count for how in (True, False, None)}
    assert counts == {True: 2, False: own, None: own}
    with cuprum.option_context("mode.pandas_compatible", False):
        counts = {how: made(nan_as_null=how).null_count for how in (True, False, None)}
    assert counts == {True: 2, False: own, None: 2}
    for how in (True, False):  # both are missing
        assert_like(made(nan_as_null=how).isna().to_list(), [False, True, True])


def test_nan_as_null_of_what_has_nan_already():
    series = cuprum.Series(np.array([np.nan]))
    assert cuprum.Series(series, nan_as_null=True).null_count == 1
    assert cuprum.Series(series, nan_as_null=False).null_count == series.null_count == 0
    assert cuprum.from_pandas(pd.CategoricalDtype(["a"])) == cuprum.CategoricalDtype(["a"])


def test_arrays_of_arrow_in_pandas():
    df = cuprum.DataFrame(
        {
            "i": cuprum.Series([1, None]),
            "l": cuprum.Series([[1], None]),
            "c": pd.Categorical(["u", None]),
            "t": pd.to_datetime(["2020", None]).tz_localize("Europe/Berlin"),
            "o": cuprum.Series([(1, 2), None], dtype=object),
        },
        index=["x", "y"],
    )
    made = df.to_pandas(arrow_type=True)
    assert all(isinstance(dtype, pd.ArrowDtype) for dtype in made.dtypes)
    assert list(made.index) == ["x", "y"]
    for label in df.columns:
        pd.testing.assert_series_equal(df[label].to_pandas(arrow_type=True), made[label])
        assert made[label].array.__arrow_array__().to_pylist() == df[label].to_arrow().to_pylist()
        assert cuprum.Index(df["i"]).to_pandas(arrow_type=True).dtype == made["i"].dtype
    with pytest.raises(ValueError, match="cannot both be set"):
        df.to_pandas(nullable=True, arrow_type=True)
    unlike = cuprum.Series([object(), {1}], dtype=object)
    for obj in (unlike, unlike.to_frame("o")):
        with pytest.raises(TypeError, match="arrow_type"):
            obj.to_pandas(arrow_type=True)


def test_arrays_of_cupy():
    numbers = cuprum.Series([3, None, 1], dtype="int32")
    flags = cuprum.Series([True, None])
    values = numbers.fillna(0)

    def arrays():
        made = values.to_cupy()
        made[0] = 9  # it is the caller's own
        yield from (made, numbers.to_cupy(), numbers.to_cupy(na_value=7), flags.to_cupy(na_value=False))
        yield from (cuprum.Index([1, 2]).to_cupy(), numbers.to_frame().to_cupy(dtype="float32"))

    assert [(array.tolist(), array.dtype.name) for array in as_cupy(lambda: list(arrays()))] == [
        ([9, 0, 1], "int32"),
        (pytest.approx([3.0, np.nan, 1.0], nan_ok=True), "float64"),
        ([3, 7, 1], "int32"),
        ([True, False], "bool"),
        ([1, 2], "int64"),
        ([pytest.approx([x], nan_ok=True) for x in (3.0, np.nan, 1.0)], "float32"),
    ]
    assert values.to_list() == [3, 0, 1]
    for what in (flags, cuprum.Series(["a"]), cuprum.Series(pd.to_datetime(["2020"]))):
        with pytest.raises(ValueError, match="no CuPy array"):
            as_cupy(what.to_cupy)


class _Capsule:
    """What NumPy reads a capsule from."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **how):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


@pytest.mark.host
def test_tensors_have_the_dimensions_of_what_they_are_of():
    series = cuprum.Series([1.5, 2.5])
    for obj in (series, cuprum.Index(series), series.iloc[:0]):
        made = np.from_dlpack(_Capsule(obj.to_dlpack()))
        assert made.tolist() == obj.to_list() and made.ndim == 1
    assert np.from_dlpack(_Capsule(series.to_frame().to_dlpack())).shape == (2, 1)
    with pytest.raises(BufferError, match="nulls"):
        cuprum.Series([1, None]).to_dlpack()


def test_ties_away_from_zero():
    values = [0.5, 1.5, 2.5, -2.5, -0.4, np.nan, 1e300]
    expected = [np.copysign(np.floor(abs(x) + 0.5), x) if abs(x) < 1e15 else x for x in values]
    assert_like(cuprum.Series(values).round(how="half_up"), pd.Series(expected))
    assert cuprum.Series([15, 25, -25, None]).round(-1, how="half_up").to_list()[:3] == [20, 30, -30]
    exact = cuprum.Series([Decimal("1.25"), Decimal("-1.35")]).round(1, how="half_up")
    assert exact.to_list() == [Decimal("1.30"), Decimal("-1.40")]
    df = cuprum.DataFrame({"a": [0.25, 2.5], "b": [0.5, 2.5], "t": ["x", "y"]})
    assert df.round({"a": 1, "b": 0}, how="half_up").to_dict("list") == {
        "a": [0.3, 2.5],
        "b": [1.0, 3.0],
        "t": ["x", "y"],
    }
    with pytest.raises(ValueError, match="'down'"):
        df.round(how="down")
