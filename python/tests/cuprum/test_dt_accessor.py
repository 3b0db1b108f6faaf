"""Times: parts, rounding, formats, parsing."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import strategies as st
from oracle import agree, given, pair

import cuprum

PARTS = [
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
    "microsecond",
    "dayofweek",
    "dayofyear",
    "quarter",
]

stamps = st.datetimes(datetime.datetime(1678, 1, 1), datetime.datetime(2261, 12, 31))
series = st.lists(st.one_of(st.none(), stamps), max_size=10).map(
    lambda v: pd.Series(v, dtype="datetime64[us]")
)


@given(series, st.sampled_from(["s", "ms", "us", "ns"]))
def test_parts(s, unit):
    s = s.dt.as_unit(unit)
    for part in PARTS + ["weekday", "day_of_week", "day_of_year", "nanosecond", "is_leap_year"]:
        agree(f"s.dt.{part}", s=s)
    agree("s.dt.normalize()", s=s)


@given(series, st.sampled_from(["D", "h", "min", "s", "ms"]), st.sampled_from(["s", "ms", "us", "ns"]))
def test_rounding(s, frequency, unit):
    s = s.dt.as_unit(unit)
    for how in ("floor", "ceil", "round"):
        agree(f"s.dt.{how}('{frequency}')", s=s)


@pytest.mark.parametrize("frequency", ["15min", "6h", "2D", "30s"])
def test_multiples(frequency):
    s = pd.Series(pd.date_range("1969-12-28", periods=50, freq="7h31min", unit="us"))
    for how in ("floor", "ceil", "round"):
        agree(f"s.dt.{how}('{frequency}')", s=s)


@given(series)
def test_strftime(s):
    for form in ("%Y-%m-%d", "%H:%M:%S", "%d.%m.%Y %H h", "%j %y %B %b %a %A %p %I %%"):
        s = s[s.isna() | (s > "1900")]
        agree(f"s.dt.strftime('{form}')", s=s)


@pytest.mark.parametrize(
    "expression",
    [
        "s.dt.day_name()",
        "s.dt.month_name()",
        "s.dt.is_month_start",
        "s.dt.is_month_end",
        "s.dt.is_year_start",
        "s.dt.days_in_month",
        "s.dt.isocalendar().week.tolist()[0]",
        "s.dt.unit",
        "s.dt.as_unit('ns')",
        "s.dt.as_unit('s')",
        "s.astype('datetime64[s]')",
        "s.astype('int64')",
        "s.astype('str')",
        "s.min(), s.max()",
        "s.sort_values()",
        "s.dt.year.value_counts()",
        "s.groupby(s.dt.year).count()",
        "s == '2013-01-01'",
        "s.between('2000-01-01', '2013-12-31')",
        "s.isin([np.datetime64('2013-01-01')])",
    ],
)
def test_spellings(expression):
    agree(
        expression,
        s=pd.Series(
            pd.to_datetime(
                ["2013-01-01", "2000-02-29 12:34:56.789", "1969-12-31", "2012-12-31"], format="ISO8601"
            )
        ),
    )


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
def test_parsing(expression):
    agree(
        expression,
        s=pd.Series(["2013-01-01", None, "1969-12-31"]),
        d=pd.Series(["31/12/2013 05:30", "01/02/2000 23:59"]),
        n=pd.Series([0, 1356998400]),
        bad=pd.Series(["2013-01-01", "not a day"]),
    )


@given(st.lists(stamps, min_size=1, max_size=10))
def test_text_there_and_back(values):
    s = pd.Series(values, dtype="datetime64[us]")
    text = cuprum.Series(s).astype("str")
    assert cuprum.to_datetime(text).to_pandas().tolist() == s.tolist()


def test_scalars():
    s = pair(pd.Series(pd.to_datetime(["2013-01-01 05:00:00.25"], format="ISO8601"))).ours
    assert s[0] == pd.Timestamp("2013-01-01 05:00:00.25")
    assert s.iloc[0] == np.datetime64("2013-01-01T05:00:00.250")
    assert cuprum.Series([datetime.datetime(2013, 1, 1)])[0] == datetime.datetime(2013, 1, 1)


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
def test_errors(expression, error):
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


# Digits of fractions.

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


# Times of parts.

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
def test_parts_that_are_no_times(wrong):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError):
            lib.to_datetime(lib.DataFrame({**DATE_PARTS, **wrong}))


# Texts, numbers and parts, some of them wrong.


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
def test_what_is_no_time(expression):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError):
            eval(expression, {"lib": lib})


# Numbers.


@pytest.mark.parametrize(
    "expression",
    [
        "lib.to_numeric(lib.Series(['1', '2']))",
        "lib.to_numeric(lib.Series(['1.5', 'x', None]), errors='coerce')",
        "lib.to_numeric(lib.Series(['1.5', '']))",
        "lib.to_numeric(lib.Series(['9223372036854775808', '1']))",
        "lib.to_numeric(lib.Series(['1', '1e3']))",
        "lib.to_numeric(t)",
        "lib.to_numeric(t - t.shift().fillna(t))",
        "lib.to_numeric(lib.Series([True, False]), downcast='integer')",
        *(
            f"lib.to_numeric(lib.Series({values}), downcast={kind!r})"
            for values in (
                "[1, 200]",
                "[-1, 70000]",
                "[1.0, 2.0]",
                "[1.5, 2]",
                "[1e300]",
                "[]",
                "['1', '-129']",
            )
            for kind in ("integer", "signed", "unsigned", "float")
        ),
    ],
)
def test_numbers_of_anything(expression):
    agree(expression, t=pd.Series(pd.to_datetime(["2013-01-01", "2014-01-01"])))


def test_what_is_no_number():
    for lib in (pd, cuprum):
        for call in (
            lambda lib: lib.to_numeric(lib.Series(["1", "x"])),
            lambda lib: lib.to_numeric(["1"], errors="never"),
            lambda lib: lib.to_numeric(["1"], downcast="never"),
        ):
            with pytest.raises(ValueError):
                call(lib)
    with pytest.raises(TypeError, match="to_numeric"):
        cuprum.to_numeric(cuprum.Series([[1], [2]]))
    assert cuprum.isna(cuprum.to_numeric("x", errors="coerce"))


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s"])
def test_fractions_of_units(unit):
    numbers = pd.Series([1.5, 1.7, 2.5, -1.5, -1.7, 0.0000000017, 3.0000000015, None])
    agree(f"lib.to_datetime(s, unit='{unit}').astype('datetime64[ns]')", s=numbers)


@pytest.mark.parametrize("of", [["1", "2"], ["1", "2.5"], [1, 2], np.array(["1", "2"]), ("1", None)])
def test_numbers_of_a_sequence_are_an_array(of):
    ours, theirs = cuprum.to_numeric(of), pd.to_numeric(of)
    assert type(ours) is type(theirs) and ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(
    "texts",
    [
        ["2013-01-01", "2013-01-01 10:00"],
        ["2013-01-01", "2013/01/02"],
        ["2013", "2013-01"],
        ["20130101", "2013-01-01"],
        ["2013-01-01T10:00:00", "2013-01-01 10:00:00"],
        ["2013-01-01 10:00:00.5", "2013-01-01 10:00:00"],
        ["2013-01-01 10:00:00", "2013-01-01 10:00:00.5"],
        ["1/2/2013", "2013-01-02"],
    ],
    ids=str,
)
def test_the_format_of_the_first_text_is_that_of_all(texts):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError):
            lib.to_datetime(lib.Series(texts))
        assert lib.to_datetime(lib.Series(texts), errors="coerce").isna().to_list() == [False, True]
    if "1/2/2013" not in texts:
        agree(lambda lib: lib.to_datetime(lib.Series(texts), format="ISO8601").isna())


@pytest.mark.parametrize(
    "text",
    [
        "2013-01-02",
        "2013/01/02",
        "20130102",
        "2013-02",
        "2013",
        "2013-01-02 03:04",
        "2013-01-02T03:04:05",
        "2013-01-02 03:04:05.25",
        "2013-01-02 03:04:05.123456789",
        "2013-01-02T03:04:05Z",
        "2013-01-02 03:04:05+01:00",
        "2013-01-02 03:04:05 +0100",
    ],
)
def test_forms_of_iso_8601(text):
    for options in ({}, {"errors": "coerce"}, {"utc": True}):
        times = [lib.to_datetime(lib.Series([text, text, None]), **options) for lib in (pd, cuprum)]
        theirs, mine = (t.astype("datetime64[ns, UTC]" if t.dt.tz else "datetime64[ns]") for t in times)
        assert mine.isna().to_list() == [False, False, True]
        assert (mine[:2].astype("int64").to_list()) == theirs[:2].astype("int64").to_list()


@pytest.mark.filterwarnings("ignore:Could not infer format")
@pytest.mark.parametrize(
    "text", ["Sat Jan 5 2013", "1 Jan 2013 5pm", "5pm 1/2/2013", "unknown", "market", "7 market 2013"]
)
def test_texts_of_other_formats_are_what_they_are_in_pandas(text):
    for data in ([text, "2013-01-01"], ["x", text], [text, text], [None, text]):
        agree(lambda lib, data=data: lib.to_datetime(data, errors="coerce"))
    agree("lib.to_datetime(['foo', '2013-01-01', None], errors='coerce').isna()")
    agree("lib.to_datetime(['Jan 5 2013', '2013-01-01', 'Feb 6 2014'], errors='coerce')")


# Of no calendar, of no clock, and beyond the range of nanoseconds.
NO_TIMES = [
    "2024-02-30",
    "0000-00-00",
    "2024-01-01 24:00",
    "2024-01-01T24:00:00",
    "2024-13-01",
    "2024-01-01 10:60",
    "1600-01-01 00:00:00.123456789",
    "2300-01-01 00:00:00.123456789",
    "10000-01-01",
    "02/30/2024",
    "13/13/2024",
]


@pytest.mark.filterwarnings("ignore:Could not infer format")
@pytest.mark.parametrize("text", NO_TIMES)
def test_texts_that_are_no_times_are_missing(text):
    for data in ([text, "2024-01-01"], ["2024-01-01", text], [text], [text, "2024-01-05 10:00", None], text):
        agree(lambda lib, data=data: lib.to_datetime(data, errors="coerce"))
    agree(
        lambda lib: lib.to_datetime(lib.Series([text, "2024-01-01"], index=[3, 3], name="t"), errors="coerce")
    )
    for lib in (pd, cuprum):
        with pytest.raises(ValueError):
            lib.to_datetime([text])


@pytest.mark.parametrize("options", [{}, {"dayfirst": True}, {"yearfirst": True}, {"utc": True}])
@pytest.mark.parametrize("format", ["mixed", "ISO8601"])
def test_every_text_may_have_a_format_of_its_own(format, options):
    texts = ["20240105", "2024-01-06", "20240107T1011", "2024-01", "2024-01-06 10:00:00.5", "20240105"]
    if format == "mixed":
        texts += ["Jan 7 2024", "1/8/2024", "10/11/12", "5:30 PM 1/9/2024"]
    agree(lambda lib: lib.to_datetime(texts, format=format, **options))
    agree(
        lambda lib: lib.to_datetime(
            lib.Series([*texts, None, "x"]), format=format, errors="coerce", **options
        )
    )
    agree(lambda lib: lib.to_datetime(["2024-01-05 10:00:00.123456789", *texts], format=format, **options))


def test_a_year_that_comes_first_beside_no_month():
    agree("lib.to_datetime(['10/13/12'], yearfirst=True)")
    agree("lib.to_datetime(['2013-01-02', '2013-02-01'], dayfirst=True)")


def test_offsets_of_texts_with_formats_of_their_own():
    agree("lib.to_datetime(['2024-01-06 10:00+02:00', 'Jan 7 2024'], format='mixed', utc=True)")
    agree("lib.to_datetime(['20240106T1000+0200', '2024-01-06 10:00+02:00'], format='mixed')")
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match=r"[Mm]ixed timezones"):
            lib.to_datetime(["2024-01-06 10:00+02:00", "Jan 7 2024"], format="mixed")


def test_pandas_advice_on_formats_names_the_line_that_calls():
    with pytest.warns(UserWarning, match="Could not infer format") as caught:
        cuprum.to_datetime(["unknown", "2024-01-01"], errors="coerce")
    assert caught[0].filename == __file__


@pytest.mark.parametrize("code", [
    "lib.Series(['2024-01-01 10:00+02:00']).astype('datetime64[ns]')",
    "lib.Series(['2024-01-01 10:00-02:00', None]).astype('datetime64[us]')",
    "lib.Series(['2024-01-01 10:00Z']).astype('datetime64[s]')",
    "lib.Series(['2024-01-01 10:00+02:00', '2024-01-01']).astype('datetime64[ns]')",
    "lib.Series(['2024-01-01 10:00+02:00'], dtype='datetime64[ns]')",
    "lib.Index(['2024-01-01 10:00+02:00']).astype('datetime64[ns]')",
    "lib.DatetimeIndex(['2024-01-01 10:00+02:00'], dtype='datetime64[ns]')",
    "lib.DataFrame({'t': ['2024-01-01 10:00+02:00']}).astype('datetime64[ns]')",
    "lib.DataFrame({'t': ['2024-01-01 10:00+02:00']}).astype({'t': 'datetime64[ns]'})",
])  # fmt: skip
def test_texts_with_offsets_are_no_times_without_a_zone(code):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match=r"tz|timezone"):
            eval(code, {"lib": lib})
    agree(code.replace("+02:00", "").replace("-02:00", "").replace("00Z", "00"))


def test_iso_8601_is_nothing_else():
    for lib in (pd, cuprum):
        for value in ("13/02/2013", "01/02/2013"):
            with pytest.raises(ValueError):
                lib.to_datetime(value, format="ISO8601")
    with pytest.raises(ValueError):
        cuprum.to_datetime(1.5, format="ISO8601")
    assert str(cuprum.to_datetime(20130101, format="ISO8601"))[:10] == "2013-01-01"


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


def test_running_sums_and_quantiles_at_their_limits():
    far = pd.Series(pd.to_timedelta([2**62, 2**62, 5]))
    with pytest.raises(OverflowError, match="row 1"):
        cuprum.Series(far).cumsum()
    times = pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-05", "2021-03-04"]))
    shares = [0.1, 0.2, 0.3, 0.7, 0.9, 1 / 3]
    for unit in ("s", "ms", "us", "ns"):
        of_unit = times.dt.as_unit(unit)
        ours = cuprum.Series(of_unit).quantile(shares).to_pandas()
        if unit == "ns":  # pandas' floats hold these to 256 ns
            assert (abs(ours - of_unit.quantile(shares)) < pd.Timedelta("1us")).all()
        else:
            pd.testing.assert_series_equal(ours, of_unit.quantile(shares))


@pytest.mark.parametrize("texts", [["nan"], ["1", "NaN"], ["-nan", "2.5"], ["x"]])
def test_texts_that_say_that_they_are_no_numbers_are_refused(texts):
    for lib in (pd, cuprum):
        for values in (texts, lib.Series(texts)):
            with pytest.raises(ValueError):
                lib.to_numeric(values)
    agree(f"lib.to_numeric(lib.Series({texts!r}), errors='coerce').astype('float64')")


@pytest.mark.parametrize("dtype", ["M8[D]", "datetime64[D]", "m8[D]", "M8", "timedelta64", np.dtype("M8[D]")])
def test_types_of_times_count_seconds_or_parts_of_them(dtype):
    times = pd.Series(pd.to_datetime(["2020-01-01", None]))
    lengths = times - times
    kind = "m" if "m8" in str(dtype) or "timedelta" in str(dtype) else "M"
    for lib in (pd, cuprum):
        source = lib.Series(lengths if kind == "m" else times)
        makers = [
            lambda: source.astype(dtype),
            lambda: source.to_frame("t").astype(dtype),
            lambda: source.to_frame("t").astype({"t": dtype}),
            lambda: lib.Series([1] if kind == "m" else ["2020-01-01"], dtype=dtype),
            lambda: lib.DataFrame({"t": [1] if kind == "m" else ["2020-01-01"]}, dtype=dtype),
            lambda: lib.Index([1] if kind == "m" else ["2020-01-01"], dtype=dtype),
        ]
        for make in makers:
            with pytest.raises((TypeError, ValueError)):
                make()
    with pytest.raises(ValueError, match="unit"):
        cuprum.Series(times).dt.as_unit("D")
    with pytest.raises(ValueError, match="unit"):
        cuprum.Series(lengths).dt.as_unit("D")
    with pytest.raises(ValueError, match="unit"):
        cuprum.DatetimeIndex(["2020-01-01"]).as_unit("h")


def test_days_of_arrow_stay_days():
    days = cuprum.Series(pa.array([1, None], pa.date32()))
    assert days.dtype == "date32"
    assert days.astype(days.dtype).dtype == "date32"


@pytest.mark.parametrize("name", ["time", "timetz"])
@pytest.mark.parametrize("zone", [None, "Europe/Oslo"])
def test_times_of_day_are_objects(name, zone):
    theirs = pd.Series(
        pd.to_datetime(["2024-01-01 09:30:00.5", None, "2024-07-01 10:00:00.25"]), list("abc"), name="t"
    )
    theirs = theirs.dt.tz_localize(zone)
    expected, made = getattr(theirs.dt, name), getattr(cuprum.Series(theirs).dt, name)
    assert made.to_list() == expected.to_list() or repr(made.to_list()) == repr(expected.to_list())
    assert (made.name, made.index.to_list(), made.dtype) == ("t", list("abc"), object)
    assert repr(made) == repr(expected)


def test_times_as_objects_of_python():
    agree("s.dt.to_pydatetime()", s=pd.Series(pd.to_datetime(["2024-01-01 05:00", None])))
