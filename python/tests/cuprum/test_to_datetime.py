"""`to_datetime`: texts, numbers, columns of parts, units and errors."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import SMALL, agree, given

import cuprum


@pytest.mark.parametrize(
    "statement",
    [
        "lib.to_datetime(['2020-01-01 00:00:00.123456789'], format='%Y-%m-%d %H:%M:%S.%N')",
        "lib.to_datetime([1, 2.5], unit='h')",
        "lib.to_datetime([1, 2], unit='m')",
        "lib.to_datetime(2, unit='W')",
        "lib.to_datetime([1036713600000.5, None], unit='ms')",
        "lib.to_datetime([1.1, -2.3, 1e9 + 0.1], unit='s')",
        "lib.to_datetime([1.1, 2.7], unit='D')",
        *(f"lib.to_datetime([None], unit={unit!r})" for unit in ("D", "s", "ns", "h")),
        *(f"lib.to_datetime([], unit={unit!r})" for unit in ("s", "ns", "h")),
        *(f"lib.to_datetime(np.array([np.nan]), unit={unit!r})" for unit in ("s", "ns", "h")),
        *(f"lib.to_datetime(lib.Series([np.nan]), unit={unit!r})" for unit in ("s", "ns", "h")),
        "lib.to_datetime(lib.Series([None, None], dtype=object), unit='ms')",
        "lib.to_datetime([np.nan, None], unit='us')",
    ],
)
def test_formats_and_units_are_read_as_in_pandas(statement):
    agree(statement, **SMALL)


@pytest.mark.parametrize(
    ("statement", "error", "text"),
    [
        (
            "lib.to_datetime(['1999 50'], format='%Y %V')",
            ValueError,
            "ISO week directive '%V' is incompatible with the year",
        ),
        (
            "lib.to_datetime(['1999 Monday'], format='%G %A')",
            ValueError,
            "ISO year directive '%G' must be used with the ISO week",
        ),
        (
            "lib.to_datetime(['20'], format='%V')",
            ValueError,
            "ISO week directive '%V' must be used with the ISO year",
        ),
        (
            "lib.to_datetime(['1999 51 6 256'], format='%G %V %u %j')",
            ValueError,
            "Day of the year directive '%j' is not compatible with ISO",
        ),
        (
            "lib.to_datetime(np.array(['2262-04-11 23:47:16.854775808'], dtype=object))",
            pd.errors.OutOfBoundsDatetime,
            "Out of bounds nanosecond timestamp: 2262-04-11 23:47:16",
        ),
        (
            "lib.to_datetime(lib.DataFrame({'year': [True], 'month': [1], 'day': [1]}))",
            ValueError,
            "cannot assemble the datetimes: column 'year' has dtype",
        ),
    ],
)
def test_formats_and_parts_that_are_no_time_are_refused(statement, error, text):
    agree(statement, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    "program",
    [
        "lib.to_datetime([None, np.nan])",
        "lib.to_datetime(lib.Series([None, None]))",
    ],
)
def test_missing_values_become_missing_times(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    "expression",
    [
        "lib.to_datetime(s)",
        "lib.to_datetime(s, format='%Y-%m-%d')",
        "lib.to_datetime(d, format='%d/%m/%Y %H:%M')",
        "lib.to_datetime('2013-01-01 05:00')",
        "lib.to_datetime(['2013-01-01', '2014-01-01'])",
        "s.astype('datetime64[us]')",
        "lib.to_datetime(n, unit='s')",
    ],
)
def test_texts_and_numbers_are_read_as_in_pandas(expression):
    agree(
        expression,
        s=pd.Series(["2013-01-01", None, "1969-12-31"]),
        d=pd.Series(["31/12/2013 05:30", "01/02/2000 23:59"]),
        n=pd.Series([0, 1356998400]),
        bad=pd.Series(["2013-01-01", "not a day"]),
    )


stamps = st.datetimes(datetime.datetime(1678, 1, 1), datetime.datetime(2261, 12, 31))


@given(st.lists(stamps, min_size=1, max_size=10))
def test_texts_there_and_back(values):
    s = pd.Series(values, dtype="datetime64[us]")
    text = cuprum.Series(s).astype("str")
    assert cuprum.to_datetime(text).to_pandas().tolist() == s.tolist()


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("n.dt.year", AttributeError),
        ("lib.to_datetime(x)", ValueError),
        ("lib.to_datetime(x, format='%Y')", ValueError),
        ("t.dt.floor('fortnight')", ValueError),
        ("t.dt.nope", AttributeError),
        ("t + 'x'", (TypeError, ValueError)),
        ("t > 'not a day'", (TypeError, ValueError)),
    ],
)
def test_texts_that_are_no_times_are_refused(expression, error):
    with pytest.raises(error):
        eval(
            expression,
            {
                "lib": cuprum,
                "n": cuprum.Series([1]),
                "x": cuprum.Series(["2013-01-01", "not a day"]),
                "t": cuprum.to_datetime(cuprum.Series(["2013-01-01"])),
            },
        )


FINE = ["2013-01-01 00:00:00.123456789", "2013-01-01 00:00:01", "1969-12-31 23:59:59.9999999"]


@pytest.mark.parametrize("options", [{}, {"format": "ISO8601"}, {"format": "mixed"}], ids=str)
def test_nanoseconds_of_texts_are_kept(options):
    for texts in (FINE[:1], [t.replace(" ", "T") for t in FINE[:1]]):
        agree(lambda lib, s: lib.to_datetime(s, **options), s=pd.Series(texts))
        agree(lambda lib, texts=texts: lib.to_datetime(texts, **options))
    if options:
        agree(lambda lib, s: lib.to_datetime(s, **options), s=pd.Series([*FINE, None]))


def test_nanoseconds_by_format():
    s = pd.Series(["2013-01-01T00:00:00.123456789"])
    agree("lib.to_datetime(s, format='%Y-%m-%dT%H:%M:%S.%f')", s=s)
    agree("lib.to_datetime(s, format='%H:%M:%S.%f %Y')", s=pd.Series(["00:00:00.1234567 2013"]))
    agree("lib.to_datetime(s, format='%Y-%m-%dT%H:%M:%S.%f')", s=s.str.slice(0, -3))
    assert cuprum.to_datetime(s[0]) == np.datetime64(s[0])


DATE_PARTS = {"year": [2013, 2014], "month": [2, 3], "day": [3, 4]}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"hour": [23, 30]},
        {"hour": [23, 3], "minute": [5, 61]},
        {"hours": [23, 3], "minutes": [5, 6], "seconds": [7, 8]},
        {"h": [23, 3], "m": [5, 6], "s": [7, 8]},
        {"ms": [5, 61], "us": [3, 4]},
        {"hour": [1, 2], "ns": [5, 6]},
        {"month": [2.0, None]},
        {"year": [13, 9999]},
        {"year": ["2013", "1970"], "day": ["5", "31"]},
    ],
    ids=str,
)
def test_times_of_parts(more):
    agree("lib.to_datetime(df)", df=pd.DataFrame({**DATE_PARTS, **more}))


@pytest.mark.parametrize(
    "wrong",
    [
        {"month": [2, 112]},
        {"month": [0, 1]},
        {"month": [1, -1]},
        {"day": [131, 1]},
        {"day": [1, 0]},
        {"month": [2, 2], "day": [1, 30]},
        {"year": [2013.5, 2014]},
        {"week": [1, 2]},
    ],
    ids=str,
)
def test_parts_that_are_no_times_are_refused(wrong):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError):
            lib.to_datetime(lib.DataFrame({**DATE_PARTS, **wrong}))


@pytest.mark.parametrize(
    "expression",
    [
        "lib.to_datetime(lib.Series(['2013-01-02', 'x', None]), errors='coerce')",
        "lib.to_datetime(lib.Series(['31/12/2013', 'x']), format='%d/%m/%Y', errors='coerce')",
        "lib.to_datetime(['1/2/2013', '3/4/2013'])",
        "lib.to_datetime(['1/2/2013', '3/4/2013'], dayfirst=True)",
        "lib.to_datetime(['1/2/2013', '2013-01-02'], errors='coerce')",
        "lib.to_datetime(['1.2.2013 05:06', '28.12.2013 7:08'], dayfirst=True)",
        "lib.to_datetime(['1-2-2013 05:06:07.25'])",
        "lib.to_datetime(lib.Series(['2020-01-01T00:00Z', 'x']), errors='coerce')",
        "lib.to_datetime('x', errors='coerce') is lib.NaT",
        "lib.to_datetime(lib.Series([10**18, 1]), unit='D', errors='coerce').astype('datetime64[ns]')",
        "lib.to_datetime(lib.Series([1, 2]), unit='D', origin='1960-01-01').astype('datetime64[ns]')",
        "lib.to_datetime(lib.Series([1, 2]), unit='s', origin=np.datetime64('1960-01-01T00:00:00.5'))",
        "lib.to_datetime(lib.Series([2456658, 2456658.25]), unit='D', origin='julian')",
        "lib.to_datetime(lib.Series([1.5, None]), unit='s')",
        "lib.to_datetime(lib.Series([20130102, 20131231]), format='%Y%m%d')",
    ],
)
def test_times_of_anything(expression):
    if "lib.NaT" in expression:
        assert cuprum.isna(cuprum.to_datetime("x", errors="coerce"))
    else:
        agree(expression)


@pytest.mark.parametrize(
    "wrong",
    [
        {"month": [2, 112]},
        {"day": [29, 28], "month": [2, 2]},
        {"day": [29, 29], "month": [2, 2], "year": [2012, 1900]},
        {"day": [None, 30]},
        {"year": ["2013", "x"]},
    ],
    ids=str,
)
def test_parts_that_are_no_times_are_missing(wrong):
    agree("lib.to_datetime(df, errors='coerce')", df=pd.DataFrame({**DATE_PARTS, **wrong}))


@pytest.mark.parametrize(
    "expression",
    [
        "lib.to_datetime(['13/13/2013'])",
        "lib.to_datetime(['x'])",
        "lib.to_datetime([10**18], unit='D')",
        "lib.to_datetime(['2013'], origin='1960-01-01')",
        "lib.to_datetime([1], origin='julian')",
        "lib.to_datetime([1], unit='D', origin='never')",
        "lib.to_datetime(['2013-01-02'], errors='never')",
    ],
)
def test_data_of_no_times_are_refused(expression):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError):
            eval(expression, {"lib": lib})


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s"])
def test_fractions_of_units(unit):
    numbers = pd.Series([1.5, 1.7, 2.5, -1.5, -1.7, 0.0000000017, 3.0000000015, None])
    agree(f"lib.to_datetime(s, unit='{unit}').astype('datetime64[ns]')", s=numbers)


@pytest.mark.parametrize(
    "code",
    [
        "lib.to_datetime(lib.Series([9223372036854775]), unit='ms')",
        "lib.to_datetime(lib.Series([9223372036854776]), unit='ms', errors='coerce').isna()",
        "lib.to_datetime(lib.Series([-(2**63)])).isna()",
        "lib.to_datetime(lib.Series([-(2**63) + 1, 2**63 - 1]))",
        "lib.to_datetime([2**63], unit='ns', errors='coerce').isna()",
        "lib.to_datetime(lib.Series([1.0, np.nan, 1e10]), unit='s')",
        "lib.to_datetime(lib.Series([1.5, 2.0]), unit='s')",
        "lib.to_datetime(lib.Series([20130101.0, np.nan]), format='%Y%m%d')",
        "lib.to_datetime(lib.Series(['', '2013-01-01', 'NaT', None, 'nan']))",
        "lib.to_datetime(lib.Series(['', '1/2/2013', 'x']), errors='coerce')",
        "lib.to_datetime(lib.DataFrame({'year': [2000], 'month': [1], 'day': [1], 'hour': [10**9]}))",
        "lib.to_datetime(lib.DataFrame({'year': [2000, 2001], 'month': 1, 'day': 1, 'hour': [2**62, 5]}), errors='coerce')",
    ],
)
def test_numbers_at_the_limits_of_times(code):
    agree(code)


@pytest.mark.parametrize(
    "code",
    [
        "cuprum.to_datetime(cuprum.Series([9223372036854776]), unit='ms')",
        "cuprum.to_datetime(cuprum.Series([2.0**63]))",
        "cuprum.to_datetime(cuprum.Series([2**63], dtype='uint64'))",
        "cuprum.to_datetime(cuprum.DataFrame({'year': [2000], 'month': [1], 'day': [1], 'hour': [2**62]}))",
        "cuprum.to_datetime(cuprum.Series(['', 'x']))",
        "cuprum.to_datetime(np.nan, unit='zz')",
    ],
)
def test_times_out_of_range_are_refused(code):
    with pytest.raises(ValueError, match=r"out of the range|is not in|not a valid|known are|unable to parse"):
        eval(code)
