"""Columns of days: their elements are ``datetime.date``, as pandas' are."""

import datetime as dt
import pickle
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pyarrow as pa
import pytest

import cuprum

D = dt.date
TIMES = pd.Series(pd.to_datetime(["2024-01-05 10:00", "2024-01-07 00:00", "1969-12-31 23:59", None]))
FRAME = pd.DataFrame({"ts": TIMES, "v": [1, 2, 3, 4], "k": list("abab")})
DAYS = pd.Series([D(2024, 1, 5), D(2024, 1, 7), D(1969, 12, 31), D(2024, 1, 5)], name="d")
WITH_MISSING = TIMES.dt.date


def test_of_times_and_of_lists() -> None:
    days = cuprum.Series(TIMES).dt.date
    assert days.dtype == "date32"
    assert str(days.dtype) == "date32"
    assert days.tolist() == TIMES.dt.date.tolist()
    assert days.iloc[3] is pd.NaT
    assert type(days.iloc[0]) is D
    for made in (
        cuprum.Series([D(2024, 1, 5), None, D(1, 1, 1), D(9999, 12, 31)]),
        cuprum.Series(pa.array([D(2024, 1, 5), None, D(1, 1, 1), D(9999, 12, 31)])),
        cuprum.Series(["2024-01-05", None, "0001-01-01", "9999-12-31"]).astype("date32"),
    ):
        assert made.dtype == "date32"
        assert made.tolist() == [D(2024, 1, 5), pd.NaT, D(1, 1, 1), D(9999, 12, 31)]


def test_days_are_those_of_clocks_in_the_zone() -> None:
    zoned = TIMES.dt.tz_localize("UTC").dt.tz_convert("America/New_York")
    assert cuprum.Series(zoned).dt.date.tolist() == zoned.dt.date.tolist()


COMPARED = [
    "d == D(2024, 1, 5)",
    "d != D(2024, 1, 5)",
    "d < D(2024, 1, 5)",
    "d >= D(2024, 1, 5)",
    "D(2024, 1, 5) < d",
    "d.eq(D(2024, 1, 5))",
    "d.isin([D(2024, 1, 5)])",
    "d.isin({D(2024, 1, 5), D(1969, 12, 31)})",
    "d.isin(['2024-01-05'])",
    "d.isin([lib.Timestamp('2024-01-05')])",
    "d.isin([])",
    "d == lib.Timestamp('2024-01-05')",
    "d == '2024-01-05'",
    "d != 5",
    "d == dt.datetime(2024, 1, 5)",
    "d == d.shift()",
    "d == ts",
    "d < ts",
    "ts >= d",
    "ts == D(2024, 1, 5)",
    "ts.isin([D(2024, 1, 5)])",
    "d.between(D(2024, 1, 1), D(2024, 1, 6))",
    "d.map({D(2024, 1, 5): 'x'})",
    "d.map(lambda day: day.weekday())",
    "d.apply(lambda day: day.isoformat())",
    "D(2024, 1, 5) in d.tolist()",
    "d.iloc[0] == D(2024, 1, 5)",
    "D(2024, 1, 5) in set(d)",
    "d[d == D(2024, 1, 5)]",
]


# A function of dates is called for each.
@pytest.mark.parametrize("code", COMPARED)
def test_compared(code: str) -> None:
    oracle.agree(
        lambda lib, d, ts: eval(code, {"lib": lib, "d": d, "ts": ts, "D": D, "dt": dt}), d=DAYS, ts=TIMES
    )


@pytest.mark.parametrize("code", COMPARED)
def test_compared_where_some_are_missing(code: str) -> None:
    if "<" in code or ">" in code or "between" in code or "lambda" in code:
        pytest.skip("pandas refuses, or calls the function with NaT")
    oracle.agree(
        lambda lib, d, ts: eval(code, {"lib": lib, "d": d, "ts": ts, "D": D, "dt": dt}),
        d=WITH_MISSING,
        ts=TIMES,
    )


@pytest.mark.parametrize(
    "code",
    [
        "d < lib.Timestamp('2024-01-06')",
        "d < '2024-01-06'",
        "d > 5",
        "ts < D(2024, 1, 5)",
        "d + 1",
        "d + d",
        "-d",
        "d | d",
        "d * 2",
        "D(2024, 1, 5) + d",
        "d.sum()",
        "d.mean()",
        "d.median()",
        "d.std()",
        "d.cumsum()",
        "d.astype('int64')",
        "d.astype('float64')",
        "d.str.len()",
        "d.to_frame().set_index('d').resample('D').sum()",
        "d.to_frame().merge(lib.DataFrame({'d': ts}), on='d')",
        "lib.Series([1, 2, 3, 4], index=d).loc['2024-01-05']",
        "lib.Series([1, 2, 3, 4], index=d).loc[lib.Timestamp('2024-01-05')]",
    ],
)
def test_dates_that_are_refused(code: str) -> None:
    for lib in (pd, cuprum):
        names = {"lib": lib, "d": lib.Series(DAYS), "ts": lib.Series(TIMES), "D": D}
        with pytest.raises((TypeError, ValueError, KeyError, AttributeError)):
            eval(code, names)


@pytest.mark.parametrize(
    "code",
    [
        "d.min()",
        "d.max()",
        "d.mode()",
        "d.nunique()",
        "d.unique().tolist()",
        "d.value_counts()",
        "d.sort_values()",
        "d.sort_values(ascending=False)",
        "d.rank()",
        "d.duplicated()",
        "d.drop_duplicates()",
        "d.cummax()",
        "d.cummin()",
        "d.argmax()",
        "d.idxmin()",
        "d.clip(D(2024, 1, 6))",
        "d.clip(upper=D(2024, 1, 6))",
        "d.replace(D(2024, 1, 5), D(2020, 1, 1))",
        "d.where(d > D(2000, 1, 1), D(2000, 1, 1))",
        "d.mask(d > D(2000, 1, 1), D(2000, 1, 1))",
        "d.fillna(D(2000, 1, 1))",
        "d.isna()",
        "d.diff()",
        "{k: str(v) for k, v in d.describe().to_dict().items()}",
        "d.count()",
        "d.astype('datetime64[ns]')",
        "d.astype('datetime64[s]')",
        "d.astype(str)",
        "d.astype('category').cat.categories.tolist()",
        "lib.to_datetime(d)",
        "lib.DatetimeIndex(d)",
        "lib.Index(d)",
        "d + lib.Timedelta('1D')",
        "d + lib.Timedelta('5h')",
        "d - lib.Timedelta('5h')",
        "d - lib.Timedelta('-5h')",
        "d + dt.timedelta(1)",
        "dt.timedelta(1) + d",
        "lib.Timedelta('36h') + d",
        "d + lib.Series(lib.to_timedelta([1, 2, 3, 4], 'D'))",
        "(d - D(2024, 1, 1)).tolist() == [x - D(2024, 1, 1) for x in d.tolist()]",
        "(D(2024, 1, 1) - d).tolist() == [D(2024, 1, 1) - x for x in d.tolist()]",
        "(d - d.iloc[::-1].reset_index(drop=True)).tolist()[0] == d.tolist()[0] - d.tolist()[-1]",
        "lib.Series([1, 2, 3, 4], index=d).loc[D(2024, 1, 7)]",
        "lib.Series([1, 2, 3, 4], index=d).loc[[D(2024, 1, 7), D(1969, 12, 31)]]",
        "lib.Series([1, 2, 3, 4], index=d).sort_index()",
        "lib.Series([1, 2, 3, 4], index=d).sort_index().loc[D(2000, 1, 1):D(2024, 1, 6)]",
        "lib.Series([1, 2, 3, 4], index=d).groupby(level=0).sum()",
        "lib.Series([1, 2, 3, 4], index=d).index.tolist()",
        "D(2024, 1, 7) in lib.Index(d)",
        "lib.Series([1, 2, 3, 4]).groupby(d).sum()",
        "d.groupby(['a', 'b', 'a', 'b']).max()",
        "d.groupby(['a', 'b', 'a', 'b']).agg(['min', 'first', 'nunique', 'count'])",
        "d.to_frame().assign(v=[1, 2, 3, 4]).pivot_table(columns='d', values='v')",
        "d.to_frame().assign(v=[1, 2, 3, 4]).groupby('d', as_index=False).v.sum()",
        "d.to_frame().query('d == @x', local_dict={'x': D(2024, 1, 5)})",
        "d.to_frame().merge(d.drop_duplicates().to_frame().assign(w=range(3)), on='d')",
        "d.to_frame().to_dict('records')",
        "d.to_frame().to_csv()",
        "d.to_frame().to_json()",
        "d.to_frame().max()",
        "d.to_frame().describe().astype(str)",
        "lib.concat([d, d])",
        "d.to_numpy().tolist()",
        "d.to_list()",
        "list(d)",
        "d.iloc[1:3]",
        "d.shift(1, fill_value=D(1999, 9, 9))",
        "lib.DataFrame({'d': d, 'e': d}).nunique()",
        "lib.DataFrame({'d': d, 'e': d.shift(1, fill_value=D(1999, 9, 9))}).max(axis=1)",
        "d.to_frame().set_index('d').index.get_loc(D(2024, 1, 7))",
        "d.factorize()[0].tolist()",
        "lib.Series(d, dtype='datetime64[s]')",
        "d.to_string()",
        "repr(d.to_frame())",
        "lib.MultiIndex.from_arrays([d, [1, 2, 3, 4]]).tolist()",
    ],
)
def test_as_pandas(code: str) -> None:
    names = {"D": D, "dt": dt}
    oracle.agree(lambda lib, d: eval(code, names | {"lib": lib, "d": d}), d=DAYS)


@pytest.mark.parametrize(
    "code",
    [
        "d",
        "d.dropna()",
        "d.isna()",
        "d.fillna(D(2000, 1, 1))",
        "d.tolist()",
        "d.value_counts(dropna=False)",
        "lib.to_datetime(d)",
        "d.to_frame().to_dict('list')",
        "d.to_frame('d').groupby('d').size()",
        "d.nunique()",
        "repr(d).replace('date32', 'object')",
    ],
)
def test_missing_ones(code: str) -> None:
    names = {"D": D, "dt": dt}
    oracle.agree(lambda lib, d: eval(code, names | {"lib": lib, "d": d}), d=WITH_MISSING)


def test_days_of_frames_select_their_rows() -> None:
    frame = cuprum.DataFrame(FRAME)
    assert frame[frame.ts.dt.date == D(2024, 1, 5)].v.tolist() == [1]
    assert frame.set_index(frame.ts.dt.date).loc[D(2024, 1, 7), "v"] == 2
    by_day = frame.groupby(frame.ts.dt.date).v.sum()
    assert by_day.index.tolist() == [D(1969, 12, 31), D(2024, 1, 5), D(2024, 1, 7)]


def test_no_day_among_other_elements() -> None:
    days = cuprum.Series(DAYS)
    for other in (pd.Timestamp("2024-01-05"), "2024-01-05", 5):
        with pytest.raises(TypeError):
            days.iloc[0] = other
        oracle.agree(lambda lib, other=other: lib.Series(DAYS).where(lib.Series(DAYS).isna(), other))
    oracle.agree(lambda lib: lib.Series([D(2024, 1, 5), dt.datetime(2024, 1, 5)]))
    oracle.agree(lambda lib: lib.concat([lib.Series(DAYS), lib.Series(TIMES)]))


def test_casts_lose_no_time_of_day() -> None:
    times = cuprum.Series(TIMES)
    with pytest.raises(ValueError, match=r"dt\.date"):
        times.astype("date32")
    assert times.dt.normalize().astype("date32").tolist() == WITH_MISSING.tolist()
    assert cuprum.Series(DAYS).astype("datetime64[s]").dt.date.tolist() == DAYS.tolist()


def test_parts_of_days() -> None:
    days = cuprum.Series(DAYS)
    assert days.dt.year.tolist() == [2024, 2024, 1969, 2024]
    assert days.dt.day_name().tolist() == ["Friday", "Sunday", "Wednesday", "Friday"]
    assert days.dt.date.tolist() == DAYS.tolist()


@pytest.mark.parametrize("through", ["parquet", "feather", "orc", "pickle", "arrow", "csv"])
def test_round_trips(through: str, tmp_path: Any) -> None:
    frame = cuprum.DataFrame({"d": WITH_MISSING, "v": [1, 2, 3, 4]})
    path = tmp_path / "days"
    if through == "pickle":
        back = pickle.loads(pickle.dumps(frame))
    elif through == "arrow":
        table = frame.to_arrow()
        assert table.schema.field("d").type == pa.date32()
        back = cuprum.DataFrame.from_arrow(table)
    elif through == "csv":
        frame.to_csv(path, index=False)
        back = cuprum.read_csv(path, dtype={"d": "date32"})
    else:
        getattr(frame, f"to_{through}")(path)
        back = getattr(cuprum, f"read_{through}")(path)
        if through == "parquet":
            theirs = pd.read_parquet(path)
            assert theirs.d.tolist()[:3] == WITH_MISSING.tolist()[:3]
    assert back.d.dtype == "date32"
    assert back.d.tolist() == WITH_MISSING.tolist()


def test_days_that_python_cannot_name() -> None:
    days = cuprum.Series(pa.array([10_000_000], pa.int32()).cast(pa.date32()))
    with pytest.raises(OverflowError):
        days.tolist()


def test_numpys_days_are_seconds() -> None:
    given = np.array(["2024-01-05", "NaT"], dtype="datetime64[D]")
    oracle.agree(lambda lib: lib.Series(given))
