"""`to_datetime` of texts as people write times, with and without a format."""

import pandas as pd
import pytest
from oracle import agree

import cuprum


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: lib.to_datetime(["2020"], format="ISO8601", exact=True),
            ValueError,
            "Cannot use 'exact' when 'format' is 'mixed' or 'ISO8601'",
            id="exact, ISO",
        ),
        pytest.param(
            lambda lib: lib.to_datetime(["2020"], format="mixed", exact=False),
            ValueError,
            "Cannot use 'exact' when 'format' is 'mixed' or 'ISO8601'",
            id="exact, mixed",
        ),
    ],
)
def test_exact_is_refused_beside_formats_of_many(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize("format", ["ISO8601", "mixed"])
def test_formats_that_take_no_exact_read_single_times_and_indexes(format: str) -> None:
    for lib in (cuprum, pd):
        assert lib.to_datetime("2013-01-02", format=format) == pd.Timestamp("2013-01-02")
        assert lib.to_datetime(lib.Index(["2013-01-02"]), format=format)[0] == pd.Timestamp("2013-01-02")


@pytest.mark.parametrize(
    "texts",
    [
        ["5 Jan 2024", "16 Feb 2024"],
        ["5 January 2024", "16 May 2024"],
        ["May 5 2024", "January 6 2024"],
        ["Jan 5, 2024", None],
        ["05-Jan-2024", "6-feb-2024"],
        ["5/Jan/2024"],
        ["March 5, 2024 15:04"],
        ["5 Jan 2024 15:04:05"],
    ],
)
def test_months_by_their_names(texts):
    agree(f"lib.to_datetime(lib.Series({texts}))")


@pytest.mark.parametrize(
    "text", ["5 Foo 2024", "Jan 24", "32 Jan 2024", "5 Jan, 2024", "5 Jan-2024", "Mayo 5 2024"]
)
def test_texts_with_names_are_the_dates_that_they_are_in_pandas(text):
    try:
        pd.to_datetime([text])
    except ValueError:
        with pytest.raises(ValueError):
            cuprum.to_datetime(cuprum.Series([text]))
    else:
        agree(f"lib.to_datetime(lib.Series([{text!r}, None, {text!r}]))")


@pytest.mark.parametrize(
    "texts",
    [
        ["1/2/24", "12/25/99"],
        ["01/02/2024 10:00 PM", "12/25/2024 1:05 am"],
        ["1/2/2024 10:00:05 PM", "12/25/2024 01:05:00 AM"],
        ["5-Jan-24", "31-Dec-68"],
        ["Jan 5, 2024 10:30 PM", "Feb 6, 2024 1:30 AM"],
        ["Jan 2024", "Feb 2024"],
        ["January-2024", "February-2024"],
    ],
)
@pytest.mark.parametrize("dayfirst", [False, True])
def test_times_as_people_type_them(texts, dayfirst):
    if dayfirst:
        texts = texts[:1]
    agree(f"lib.to_datetime(s, dayfirst={dayfirst})", s=pd.Series(texts))


@pytest.mark.filterwarnings("ignore:Parsing dates in", "ignore:Could not infer format")
@pytest.mark.parametrize(
    "texts",
    [
        ["13/2/24", "1/2/24"],
        ["1/2/24", "13/2/24"],
        ["13/2/2024 1:05 PM"],
        ["13/2/2024 10:00:05 PM", "12/11/2024 01:05:00 AM"],
        ["1/2/70"],
        ["1/2/24", "5/6/75"],
        ["5-Jan-69"],
    ],
)
def test_times_that_pandas_reads_one_by_one(texts):
    agree(lambda lib: lib.to_datetime(lib.Series([*texts, None, *texts], name="t")))
    agree(lambda lib: lib.to_datetime(lib.Series([*texts, "x"]), errors="coerce"))


def test_a_text_that_is_no_time_in_pandas_is_none():
    for lib in (pd, cuprum):
        with pytest.raises(ValueError):
            lib.to_datetime(lib.Series(["13:00 PM"]))


def test_weeks_without_a_day_are_no_times():
    with pytest.raises(ValueError, match="without day and year"):
        cuprum.to_datetime(cuprum.Series(["2024 1"]), format="%Y %W")
    agree("lib.to_datetime(lib.Series(['2024 1 Tue']), format='%Y %W %a')")


@pytest.mark.parametrize(
    "text", ["2012-1-5", "2012/1/05", "2012-01-5 7:30", "2012-1-15 17:30:01.5", "2012-1"]
)
def test_days_months_and_hours_may_have_one_digit(text):
    agree(f"[lib.to_datetime(['{text}']), lib.DatetimeIndex(['{text}']), lib.Timestamp('{text}')]")
    agree(f"lib.date_range('{text}', periods=2)")
    agree(f"lib.Series(lib.to_datetime(['2012-01-05', '2012-01-01'])) >= '{text}'")


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
