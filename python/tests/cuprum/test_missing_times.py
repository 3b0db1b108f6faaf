"""Missing times and durations: where they come from, what unit they have, and where they are refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, ours
from small_frames import written

import cuprum

NAT = [pd.NaT, np.datetime64("NaT"), np.datetime64("NaT", "s"), np.timedelta64("NaT", "ns")]


@pytest.mark.parametrize(
    "values",
    [
        [pd.NaT],
        [None, pd.NaT],
        [pd.NaT, np.nan],
        [np.datetime64("NaT")],
        [np.datetime64("NaT", "s")],
        [np.datetime64("NaT", "ms"), pd.NaT],
        [np.timedelta64("NaT", "ns")],
        [pd.NaT, pd.Timestamp("2000")],
        [pd.NaT, pd.Timedelta("1D")],
    ],
    ids=repr,
)
def test_lists_of_missing_times_have_the_unit_that_pandas_gives_them(values: list[Any]) -> None:
    agree(lambda lib: lib.Series(values))
    agree(lambda lib: lib.Index(values))
    agree(lambda lib: lib.DataFrame({"a": values}))


@pytest.mark.parametrize(
    "values",
    [[None, None], ["", None], [pd.NaT], [np.nan], ["NaT", "nan"], [], [None, "2000-01-01"], [None, 1]],
    ids=repr,
)
def test_what_has_no_time_is_counted_in_seconds(values: list[Any]) -> None:
    agree(lambda lib: lib.to_datetime(values))
    agree(lambda lib: lib.to_datetime(values, utc=True))
    agree(lambda lib: lib.to_datetime(lib.Series(values, dtype=None if values else "str")))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", [{"format": "%Y"}, {"format": "ISO8601"}, {"format": "mixed"}, {}])
def test_what_becomes_no_time_is_counted_in_seconds(options: dict[str, Any]) -> None:
    agree(lambda lib: lib.to_datetime(["a", "b"], errors="coerce", **options))
    agree(lambda lib: lib.to_datetime(lib.Series(["a", None]), errors="coerce", **options))


def test_times_and_counted_numbers_keep_their_unit() -> None:
    agree(lambda lib: lib.to_datetime(lib.Series([None], dtype="datetime64[ns]")))
    agree(lambda lib: lib.to_datetime(lib.Series([None], dtype="datetime64[ms]"), utc=True))
    agree(lambda lib: lib.to_datetime(lib.Series([np.nan]), unit="s"))
    agree(lambda lib: lib.to_datetime(lib.Series([np.nan]), unit="ns"))


@pytest.mark.parametrize("dtype", ["int64", "float32", "float64", "uint8"])
def test_a_missing_time_is_no_number(dtype: str) -> None:
    for nat in NAT:
        for made in (cuprum.Series, cuprum.Index, lambda v, dtype: cuprum.DataFrame({"a": v}, dtype=dtype)):
            with pytest.raises(TypeError):
                made([1, nat], dtype=dtype)
    assert cuprum.Series([1, None], dtype=dtype).isna().to_list() == [False, True]
    assert cuprum.Series(["a", pd.NaT], dtype="str").isna().to_list() == [False, True]


SETS: dict[str, Callable[[Any, Any], None]] = {
    "element": lambda s, v: s.__setitem__(0, v),
    "loc": lambda s, v: s.loc.__setitem__([0, 1], v),
    "iloc": lambda s, v: s.iloc.__setitem__(slice(0, 2), v),
    "mask": lambda s, v: s.loc.__setitem__([True, True, False], v),
    "list": lambda s, v: s.loc.__setitem__([0, 1], [v, v]),
    "list by position": lambda s, v: s.iloc.__setitem__([0, 1], [v, v]),
    "frame": lambda s, v: _set(cuprum.DataFrame({"a": s}), "loc", "a", [v, v]),
    "frame by position": lambda s, v: _set(cuprum.DataFrame({"a": s}), "iloc", 0, v),
}


def _set(frame: Any, indexer: str, column: Any, value: Any) -> None:
    getattr(frame, indexer)[[0, 1], column] = value


@pytest.mark.parametrize("how", SETS)
@pytest.mark.parametrize("nat", NAT, ids=repr)
@pytest.mark.parametrize("values", [[1, 2, 3], [1.5, 2.5, 3.5], [True, False, True]], ids=str)
def test_numbers_are_not_set_to_missing_times(how: str, nat: Any, values: list[Any]) -> None:
    series = cuprum.Series(values)
    with pytest.raises(TypeError, match="Invalid value"):
        SETS[how](series, nat)
    assert series.to_list() == values


@pytest.mark.parametrize("how", [how for how in SETS if "frame" not in how])
def test_times_are_set_to_missing_times(how: str) -> None:
    for values in (pd.date_range("2000", periods=3), pd.timedelta_range("1D", periods=3)):
        series = cuprum.Series(values)
        SETS[how](series, pd.NaT)
        assert series.isna()[0]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "uint64"])
@pytest.mark.parametrize(
    "values", [[pd.NaT], [pd.NaT, 1.0], [1.0, pd.NaT], [None, pd.NaT], (pd.NaT,)], ids=str
)
def test_missing_times_make_no_numbers(values: Any, dtype: str) -> None:
    for lib in (pd, cuprum):
        for make in (
            lambda lib: lib.Series(values, dtype=dtype),
            lambda lib: lib.Index(values, dtype=dtype),
            lambda lib: lib.DataFrame({"a": values}, dtype=dtype),
        ):
            with pytest.raises(TypeError):
                make(lib)


def test_a_local_time_whose_instant_is_the_mark_of_missing_ones_is_out_of_range() -> None:
    mark = np.iinfo("int64").min
    hour = 3_600_000_000_000
    local = np.array([mark + hour, mark + hour + 1]).view("datetime64[ns]")
    with pytest.raises(OverflowError, match="out of range"):
        cuprum.Series(local[:1]).dt.tz_localize("Etc/GMT-1")
    with pytest.raises(OverflowError, match="out of range"):
        cuprum.DatetimeIndex(local[:1]).tz_localize("Etc/GMT-1")
    agree(lambda lib: lib.DatetimeIndex(local[1:]).tz_localize("Etc/GMT-1").asi8)


TIMES: dict[str, Callable[[], Any]] = {
    "times": lambda: pd.Series(pd.to_datetime(["2020-01-01", None, "2021-01-01"])),
    "times in a zone": lambda: pd.Series(
        pd.to_datetime(["2020-01-01", None, "2021-01-01"]).tz_localize("Europe/Berlin")
    ),
    "durations": lambda: pd.Series(pd.to_timedelta(["1 day", None, "2 days"])),
    "periods": lambda: pd.Series(pd.PeriodIndex(["2020-01", None, "2021-01"], freq="M")),
}


def _changed(series: Any, how: str, value: Any) -> Any:
    series = series.copy()
    SETS[how](series, value)
    return series


PUTS: dict[str, Callable[[Any, Any], Any]] = {
    "fillna": lambda s, v: s.fillna(v),
    "fillna of a frame": lambda s, v: s.to_frame("t").fillna({"t": v}),
    "where": lambda s, v: s.where([False, True, True], v),
    "mask": lambda s, v: s.to_frame("t").mask(s.notna(), v),
    "replace": lambda s, v: s.replace(s.iloc[0], v),
    "replace what is not there": lambda s, v: s.replace(v, s.iloc[0]),
    "shift": lambda s, v: s.shift(1, fill_value=v),
    **{how: lambda s, v, how=how: _changed(s, how, v) for how in SETS if "frame" not in how},
}


@pytest.mark.parametrize("text", ["NaT", "nat", "NAT", "nan", "NaN", "NAN", ""])
@pytest.mark.parametrize("put", PUTS)
@pytest.mark.parametrize("kind", TIMES)
def test_texts_of_missing_times(kind: str, put: str, text: str) -> None:
    if kind == "periods" and "list" in put:
        pytest.skip("lists of texts are no periods")
    agree(lambda lib, s: PUTS[put](s, text), s=TIMES[kind]())


@pytest.mark.filterwarnings("ignore:Setting an item of incompatible dtype")
@pytest.mark.parametrize("kind", TIMES)
def test_texts_of_missing_times_that_are_new_rows(kind: str) -> None:
    """A new row makes objects of the others, as in pandas."""
    for series in (TIMES[kind](), ours(TIMES[kind]())):
        series.loc[7] = "NaT"
        assert (str(series.dtype), series.to_list()[-1]) == ("object", "NaT")


def test_texts_of_missing_times_elsewhere() -> None:
    """They are texts among texts, and categories where they are some."""
    for values in (["a", None], [1, 2]):
        agree(lambda lib, values=values: lib.Series(values, dtype="object").fillna("NaT").to_list())
    agree(lambda lib: lib.Series(["a", None, "NaT"], dtype="category").fillna("NaT").to_list())
    for lib in (pd, cuprum):
        with pytest.raises(TypeError):
            lib.Series(pd.to_datetime(["2020", None])).astype("category").fillna("NaT")


MIN = np.iinfo("int64").min


@pytest.mark.parametrize(
    "statement",
    [
        # The integer that stands for a missing time.
        f"lib.Series([0, 1, {MIN}], dtype='datetime64[ns]').ffill()",
        f"lib.Series([1, {MIN}]).astype('timedelta64[us]')",
        "lib.Series([pd.NaT, None], dtype='datetime64[ns, UTC]')",
    ],
)
def test_the_integer_of_missing_times_is_one(statement):
    agree(statement, **SMALL)


@pytest.mark.parametrize(
    "program",
    [
        # NaT where it fits.
        "t.loc[0, 't'] = pd.NaT\nt.iloc[1, 1] = np.datetime64('NaT')\nt",
        "t.loc[0, 'n'] = pd.NaT\nt",
        "t.loc[:, 'n'] = np.timedelta64('NaT')\nt",
        "t.index = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\nt.loc[(1, 2), 't'] = pd.NaT\nt.loc[3, 't'] = pd.NaT\nt",
        "t.loc[t['a'] > 1, ['t']] = pd.NaT\nt",
        "t.iloc[0] = [7, pd.NaT]\nt",
    ],
)
def test_missing_times_are_set_where_they_fit(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    "program",
    [
        "lib.Series([pd.NaT, None])",
        "lib.DataFrame({'t': [pd.NaT]}).dtypes.astype(str).tolist()",
        "lib.concat([lib.Series([pd.NaT]), t['t']])",
    ],
)
def test_missing_times_alone_are_times(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        # NaT is no number and no truth value, one of NumPy's durations no time.
        ("t.loc[0] = pd.NaT\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        ("t.iloc[0] = np.datetime64('NaT')\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        ("t.iloc[[0], 0] = pd.NaT\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        ("t.loc[[0], 'a':'t'] = pd.NaT\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        (
            "t.iat[0, 1] = np.timedelta64('NaT')\nt",
            TypeError,
            "Invalid value 'NaT' for dtype 'datetime64[us]'",
        ),
        (
            "t.index = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\nt.loc[(1, 2), 'a'] = pd.NaT\nt",
            TypeError,
            "Invalid value 'NaT' for dtype 'int64'",
        ),
        (
            "t[lib.DataFrame({'a': [True, False], 't': [False, True]})] = pd.NaT\nt",
            TypeError,
            "Invalid value 'NaT' for dtype 'int64'",
        ),
        (
            "s = df['a']\ns.mask([True, False], pd.NaT, inplace=True)\ns",
            TypeError,
            "Invalid value 'NaT' for dtype 'int64'",
        ),
        (
            "s = df['a'] > 1\ns[0] = np.datetime64('NaT')\ns",
            TypeError,
            "Invalid value 'NaT' for dtype 'bool'",
        ),
        (
            "s = t['t']\ns[0] = np.timedelta64('NaT')\ns",
            TypeError,
            "Invalid value 'NaT' for dtype 'datetime64[us]'",
        ),
        ("t.iloc[0] = [pd.NaT, pd.NaT]\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        ("s = df['a']\ns[:2] = [pd.NaT, pd.NaT]\ns", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        (
            "f.loc[:1, 'a'] = np.array(['NaT', 'NaT'], dtype='M8[ns]')\nf",
            TypeError,
            "Invalid value 'NaT' for dtype 'float64'",
        ),
    ],
)
def test_missing_times_are_refused_where_they_do_not_fit(
    program: str, error: type[Exception], text: str
) -> None:
    agree(program, refused=(error, text), **SMALL)


def test_a_missing_time_is_set_among_times():
    agree(lambda lib: written(lib, "loc", (0, "t"), pd.NaT))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: written(lib, "loc", (0, "i"), pd.NaT),
            TypeError,
            "Invalid value 'NaT' for dtype 'int64'",
            id="NaT among integers",
        ),
        pytest.param(
            lambda lib: written(lib, "loc", 0, pd.NaT, lib.Series([True, False])),
            TypeError,
            "Invalid value 'NaT' for dtype 'bool'",
            id="NaT among truth values",
        ),
        pytest.param(
            lambda lib: written(lib, "iloc", 0, pd.NaT, lib.Series([1.5, 2.5])),
            TypeError,
            "Invalid value 'NaT' for dtype 'float64'",
            id="NaT by position",
        ),
    ],
)
def test_a_missing_time_is_not_set_among_numbers(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize("missing", [np.nan, None, pd.NaT])
@pytest.mark.parametrize("first", [True, False])
def test_nan_beside_instants_is_a_missing_one(missing: Any, first: bool) -> None:
    values = [pd.Timestamp("2019", tz="UTC"), missing][:: 1 if first else -1]
    agree(lambda lib: lib.Series(values))
    agree(lambda lib: lib.Index(values))
    agree(lambda lib: lib.DataFrame({"a": values}))
