"""Time zones: instants, scalars with zones, texts with offsets, summaries and printing."""

import datetime as dt
import pickle

import pandas as pd
import pyarrow as pa
import pytest
from oracle import SMALL, agree
from small_frames import FLOATS

import cuprum
import cuprum as cp

Z = pd.Series(
    pd.to_datetime(["2020-01-01 05:00", None, "2020-07-01 12:30:15"], format="ISO8601"), name="z"
).dt.tz_localize("Europe/Berlin")
NAMES = {
    "pd": pd,
    "dt": dt,
    "T": pd.Timestamp("2020-03-01 10:00", tz="UTC"),
    "D": dt.datetime(2020, 3, 1, 10, tzinfo=dt.timezone(dt.timedelta(hours=2))),
    "N": pd.Timestamp("2020-03-01 10:00:00.123456789", tz="Asia/Tokyo"),
}


def both(code):
    agree(lambda lib, z: eval(code, {"lib": lib, "z": z, **NAMES}), z=Z)


def assigned(s, key, value):
    s[key] = value
    return s


NAMES["assigned"] = assigned


@pytest.mark.parametrize(
    "code",
    [
        *[f"z.fillna({value})" for value in ("T", "D", "'2020-03-01'", "'2020-03-01T00:00+05:00'")],
        *[f"z.where(z.notna(), {value})" for value in ("T", "D", "'2020-03-01'")],
        *[f"z.mask(z.isna(), {value})" for value in ("T", "D", "'2020-03-01'")],
        *[f"z.clip({value})" for value in ("T", "'2020-02-01'", "None, T", "T, D + dt.timedelta(90)")],
        *[f"assigned(z, 1, {value})" for value in ("T", "D", "'2020-03-01'")],
        "assigned(z, [0, 2], T)",
        "z.shift(1, fill_value=T)",
        "z.isin([T, D])",
        "z.isin([z[0]])",
        "z.isin(z)",
        "z.isin(z.dt.tz_convert('UTC'))",
        "z.isin([])",
        "z.between(D, '2020-12-01')",
        "z.between('2020-01-01 05:00', T, inclusive='right')",
        "z == T",
        "z > D",
        "D < z",
        "z >= '2020-01-01 04:00+00:00'",
        "z.replace(z[0], T)",
        "z - T",
        "lib.Series([T, None])",
        "lib.Series([D])",
        "lib.Series([N, pd.NaT])",
        "lib.Series(T, index=[1, 2])",
        "lib.DataFrame({'a': [T], 'b': [None]})['a']",
        "z.quantile(0.5)",
        "z.quantile([0.1, 0.9])",
        "z.quantile([0.1, 0.9], interpolation='nearest')",
        "z.astype('str')",
        "z.dt.normalize().astype('str')",
        "z.dropna().astype('int64')",
        "z.dropna().astype('int64').astype('datetime64[us, Asia/Tokyo]')",
        "z.agg(['min', 'max'])",
        "lib.DataFrame({'z': z}).agg(['min', 'max'])",
        "z.cummax()",
        "z.cummin()",
        "z.dt.strftime('%Y %z|%Z|%%z %H')",
        "z.dt.tz_localize(None).dt.strftime('%H%z%Z')",
        "lib.to_datetime(z, utc=True)",
        "lib.to_datetime(z.dt.tz_localize(None), utc=True)",
        "lib.to_datetime(lib.Series(['2020-01-01', None]), utc=True)",
        "lib.to_datetime(lib.Series(['2020-01-01 00:00+02:00', '2020-06-01T12:00Z']), utc=True, format='ISO8601')",
        "lib.to_datetime(lib.Series(['2020-01-01 00:00+02:00', None, '2020-06-01T12:00+0200']), format='ISO8601')",
        "lib.to_datetime(lib.Series(['2020-01-01 00:00Z', '2020-06-01T12:00+00:00']), format='ISO8601')",
        "lib.to_datetime(lib.Series(['1/2/2020 -0530']), format='%d/%m/%Y %z')",
    ],
)
def test_instants_are_those_of_pandas(code):
    both(code)


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("c.fillna(T)", TypeError, "time zone"),
        ("c.clip(T)", TypeError, "time zone"),
        ("assigned(c, 0, T)", TypeError, "time zone"),
        ("lib.DataFrame({'c': c, 'z': z}).fillna(T)", TypeError, "time zone"),
        ("c == T", None, None),
        ("c < T", TypeError, "time zone"),
        ("z.fillna(pd.Timestamp('2020'))", TypeError, "cannot be stored"),
        ("z.fillna(1)", TypeError, "cannot be stored"),
        ("z.fillna('bogus')", ValueError, "bogus"),
        ("z.fillna('2020-03-29 02:30')", ValueError, "never shown"),
        ("z.fillna('2020-10-25 02:30')", ValueError, "shown twice"),
        (
            "lib.to_datetime(lib.Series(['2020-01-01', '2020-01-01T00:00Z']), format='ISO8601')",
            ValueError,
            "utc",
        ),
        ("lib.to_datetime(lib.Series(['2020-01-01T00+01:00', '2020-01-01T00Z']))", ValueError, "utc"),
    ],
)
def test_clocks_and_instants_do_not_meet(code, error, says):
    z = cp.from_pandas(Z)
    names = {"lib": cp, "z": z, "c": z.dt.tz_localize(None), **NAMES}
    if error is None:
        assert not eval(code, names).any()
        return
    with pytest.raises(error, match=says):
        eval(code, names)


def test_finer_instants_widen_the_unit():
    actual = cp.from_pandas(Z).fillna(NAMES["N"])
    assert actual.dtype == "datetime64[ns, Europe/Berlin]" and actual[1] == NAMES["N"]
    for series in (Z.copy(), cp.from_pandas(Z)):  # what is set keeps the type
        with pytest.raises(TypeError, match=r"(?i)invalid value"):
            assigned(series, 1, NAMES["N"])
    assert (cp.from_pandas(Z).clip(NAMES["N"])[0]) == NAMES["N"]


def test_described_as_times():
    ours = cp.from_pandas(Z).describe()
    assert ours.to_dict() == Z.describe().to_dict()
    assert repr(ours) == repr(Z.describe())


def test_days_are_those_of_clocks():
    """The day of an instant is what a clock in the zone shows, and has no zone."""
    instants = cp.Series(
        pd.to_datetime(["2024-03-08 03:30", None, "2024-11-03 05:59"]).tz_localize("UTC")
    ).dt.tz_convert("America/New_York")
    days = instants.dt.date
    assert days.dtype == "date32"
    assert [str(day) for day in days.to_list()] == ["2024-03-07", "NaT", "2024-11-03"]
    assert instants.dt.tz_localize(None).dt.date.to_list()[0] == days.to_list()[0]


def test_series_keep_their_zones_in_arrow():
    series = cp.from_pandas(Z)
    assert series.to_arrow().type == pa.timestamp("us", tz="Europe/Berlin")
    pd.testing.assert_series_equal(pickle.loads(pickle.dumps(series)).to_pandas(), Z)


LENGTHS = pd.Series(
    pd.to_timedelta(["1 days 02:03:04.000005", "-1 days", None, "36h", "-1ns", "00:00:00.123456789"]),
    name="t",
)


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s"])
@pytest.mark.parametrize(
    "code",
    [
        "t.dt.days",
        "t.dt.seconds",
        "t.dt.microseconds",
        "t.dt.nanoseconds",
        "t.dt.components",
        "t.dt.total_seconds()",
        "t.dt.floor('h')",
        "t.dt.ceil('D')",
        "t.dt.round('min')",
        "t.dt.as_unit('s')",
        "t.dt.unit",
    ],
)
def test_parts_of_lengths(code, unit):
    agree(code, t=LENGTHS.dt.as_unit(unit))


def test_parts_of_lengths_have_pandas_types():
    whole = LENGTHS.dropna()
    for code in ["t.dt.days", "t.dt.seconds", "t.dt.microseconds", "t.dt.nanoseconds", "t.dt.components"]:
        agree(code, t=whole)
    assert cp.Series([1.5, None, -2.9]).astype("timedelta64[s]").dt.total_seconds().to_list()[::2] == [1, -2]


@pytest.mark.parametrize("to", ["timedelta64[s]", "timedelta64[ns]", "datetime64[s]", "datetime64[us]"])
def test_floats_as_times(to):
    agree(f"s.astype('{to}')", s=pd.Series([1.5, float("nan"), -2.75, 1e9]))
    for bad in (1e300, float("inf")):
        with pytest.raises((OverflowError, ValueError)):
            cp.Series([bad]).astype(to)


def test_missing_instants_are_those_of_pandas():
    ours = cp.from_pandas(Z)
    assert ours.to_list()[1] is pd.NaT
    assert ours.iloc[1] is pd.NaT
    assert ours.to_numpy()[1] is pd.NaT
    assert cp.Index(ours).tolist()[1] is pd.NaT


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_elements_of_times_are_scalars_of_pandas(unit):
    theirs = pd.Series(pd.to_datetime(["2020-01-02 03:04:05", None, "1931-05-06 07:08:09"])).dt.as_unit(unit)
    for series in (theirs, theirs - theirs.iloc[2]):
        ours = cp.from_pandas(series)
        for expression in (
            "s.iloc[0]",
            "s[2]",
            "s.max()",
            "s.loc[0]",
            "s.at[0]",
            "s.sort_values().iloc[0]",
            "s.mode()[0]",
            "s.tolist()[0]",
            "list(s)[2]",
            "next(iter(s.items()))[1]",
            "s.to_dict()[2]",
            "s.to_frame('a').iloc[0, 0]",
            "next(s.to_frame('a').itertuples()).a",
            "s.to_frame('a').to_dict('records')[0]['a']",
            "s.to_frame('a').set_index('a').index[0]",
            "s.to_frame('a').set_index('a').index.max()",
        ):
            found, expected = eval(expression, {"s": ours}), eval(expression, {"s": series})
            assert type(found) is type(expected), expression
            assert found == expected and found.unit == expected.unit == unit, expression
        for expression in ("s.iloc[1]", "list(s)[1]", "s[1:2].max()", "s.to_dict()[1]", "s.at[1]"):
            assert eval(expression, {"s": ours}) is pd.NaT, expression


def test_scalars_of_pandas_have_their_names_here():
    for name in ("Timestamp", "Timedelta", "NaT", "NA", "Interval"):
        assert getattr(cp, name) is getattr(pd, name)
        assert name in dir(cp)
    with pytest.raises(AttributeError, match="module 'cuprum' has no attribute 'Tiemstamp'"):
        cp.Tiemstamp


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin", "+05:30", "-03:00"])
def test_zones_are_the_objects_of_pandas(zone):
    theirs = pd.Series(pd.date_range("2020-01-01", periods=2, tz=zone))
    ours = cp.from_pandas(theirs)
    assert ours.dt.tz == theirs.dt.tz and type(ours.dt.tz) is type(theirs.dt.tz)
    assert cp.DatetimeIndex(ours).tz == theirs.dt.tz
    if zone is not None:
        moved = cp.from_pandas(pd.Series(pd.date_range("2020", periods=2, tz="Asia/Tokyo"))).dt.tz_convert(
            ours.dt.tz
        )
        assert moved.dt.tz == theirs.dt.tz


@pytest.mark.parametrize(
    "statement",
    [
        # The last rules of a zone go on for ever.
        "lib.DatetimeIndex(['2099-07-01', '2201-07-01', '2500-12-31']).tz_localize('Europe/Warsaw').tz_convert('UTC')",
        "lib.date_range('2150-01-01', periods=5, freq='90D', tz='UTC').tz_convert('America/New_York').strftime('%F %H %Z')",
        "lib.DatetimeIndex(['2101-05-01', '2101-11-01']).tz_localize('UTC').tz_convert('Africa/Casablanca')",
        "lib.DatetimeIndex(['2201-03-29 02:30']).tz_localize('Europe/Warsaw', nonexistent='shift_forward').tz_convert('UTC')",
        "lib.date_range('2020-07-01', periods=2, tz='utc').strftime('%Z')",
        "lib.date_range('2020-07-01', periods=2, tz='dateutil/US/Pacific').strftime('%z')",
        "lib.Series(lib.date_range('2020', periods=2, tz='Europe/Berlin')).values",
        "lib.date_range('2020', periods=2, tz='Europe/Berlin').values",
    ],
)
def test_conversions_between_zones_are_those_of_pandas(statement):
    agree(statement, **SMALL)


@pytest.mark.parametrize(
    "code",
    [
        "lib.date_range('2020-01-01', periods=2, tz='utc').tz_convert('dateutil/Europe/Paris').hour",
        "df.assign(t=lib.date_range('2020-01-01', periods=4, tz='UTC'))[['t', 't']].max(axis=1)",
    ],
)
def test_hours_and_maxima_of_instants(code):
    agree(code, df=FLOATS)


def test_the_name_of_a_dtype_has_the_zone():
    agree("lib.Series([1, 2], dtype='M8[ns, UTC]').dtype.name", df=FLOATS)


def test_days_of_zoned_times_are_those_of_clocks():
    zoned = pd.Series(pd.date_range("2024-03-08", periods=6, freq="9h", tz="US/Eastern"))
    ours = cuprum.from_pandas(zoned)
    assert ours.dt.date.astype(str).to_list() == zoned.dt.date.astype(str).to_list()
    assert ours.dt.date.dtype == "date32"
