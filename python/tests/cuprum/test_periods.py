"""Periods: months, quarters and other spans of the calendar, as in pandas."""

import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from oracle import agree

import cuprum

pytestmark = pytest.mark.filterwarnings("ignore")

TIMES = pd.Series(
    pd.to_datetime(["2024-01-05 10:30", "2024-02-29", None, "1969-12-31 23:59:59"], format="mixed")
)
MONTHS = TIMES.dt.to_period("M")
FRAME = pd.DataFrame({"p": MONTHS, "v": [1, 2, 3, 4]})
LABELLED = pd.Series(range(5), index=pd.period_range("2024-01", "2024-05", freq="M"))
FREQUENCIES = [
    "M",
    "Q",
    "Y",
    "W",
    "D",
    "h",
    "min",
    "s",
    "ms",
    "us",
    "ns",
    "Q-MAR",
    "Y-JUN",
    "W-WED",
    "2M",
    "3D",
    "2h",
]

# `s` are times, `p` months, `x` has months as labels, `i`.
CODES = [
    "p",
    'p.dtype == "period[M]"',
    "p+1",
    "p-1",
    "1+p",
    "p-p.iloc[0]",
    "p-p",
    'p>pd.Period("2024-01")',
    'p=="2024-01"',
    'p==pd.Period("2024-01","M")',
    "p!=p",
    "p<p.shift(1)",
    "p.iloc[0]",
    "p.tolist()",
    "p.astype(str)",
    'p.dropna().astype("int64")',
    'p.astype("datetime64[ns]")',
    "p.sort_values()",
    "p.sort_values(ascending=False)",
    "p.value_counts()",
    "p.max()",
    "p.min()",
    "p.isna()",
    "p.dropna()",
    "p.nunique()",
    "p.mode()",
    "p.describe()",
    'p.isin([pd.Period("2024-01")])',
    'p.isin(["2024-01"])',
    'p.fillna(pd.Period("2020-01"))',
    "p.ffill()",
    "p.shift(1)",
    "p.duplicated()",
    "p.drop_duplicates()",
    "p.rank()",
    'p.to_frame("q")',
    "p.to_numpy()",
    "p.values",
    "p.map(str)",
    "p.map(lambda x: x.year if x is not pd.NaT else 0)",
    'p.dt.asfreq("D")',
    'p.dt.asfreq("D", how="S")',
    'p.dt.asfreq("Q")',
    'p.where(p > "2024-01")',
    'p.between("2024-01","2024-02")',
    "p.head(2)",
    'p[p=="2024-01"]',
    "p.count()",
    "p.to_list()",
    "p.equals(p.copy())",
    'p.replace(pd.Period("2024-01"), pd.Period("2030-01"))',
    "lib.concat([p,p])",
    'lib.concat([p,s.dt.to_period("Q")])',
    "df",
    "df.dtypes",
    'df.groupby("p").v.sum()',
    'df.groupby("p").v.sum().index',
    'df.groupby("p", dropna=False).v.sum()',
    'df.groupby(s.dt.to_period("Y")).v.mean()',
    'df.groupby(s.dt.to_period("Q")).agg({"v":["sum","max"]})',
    'df.set_index("p")',
    'df.set_index("p").loc["2024-01"]',
    'df.set_index("p").sort_index()',
    'df.sort_values("p")',
    'df.merge(df, on="p")',
    'df.pivot_table(index="p", values="v", aggfunc="sum")',
    "df.iloc[0]",
    "df.T",
    "df.describe()",
    'df.drop_duplicates("p")',
    "df.assign(q=df.p+1)",
    "df.assign(m=df.p.astype(str))",
    "df.to_csv(index=False)",
    "df.isna()",
    "df.p.min()",
    'df.apply(lambda r: r["p"], axis=1)',
    "i",
    "i[0]",
    "i[1:3]",
    "i.year",
    "i.month",
    "i.to_timestamp()",
    'i.asfreq("Q")',
    "i.start_time",
    "i.end_time",
    'i.strftime("%b")',
    "i.freqstr",
    "i + 1",
    "i - 1",
    "i.shift(2)",
    'i == "2024-02"',
    'i > pd.Period("2024-02","M")',
    'i.isin([pd.Period("2024-02","M")])',
    'i.get_loc("2024-02")',
    "i.tolist()",
    "i.min()",
    "i.is_monotonic_increasing",
    'pd.Period("2024-02","M") in i',
    "len(i)",
    "i.unique()",
    "i.to_series()",
    "i.to_frame(index=False)",
    "i.append(i)",
    "i.astype(str)",
    "i.quarter",
    "x",
    'x["2024-02"]',
    'x.loc["2024-02":"2024-04"]',
    'x.loc["2024"]',
    'x[pd.Period("2024-03","M")]',
    'x.resample("Q").sum()',
    "x.reset_index()",
    "x.sum()",
    "x.to_timestamp()",
    'x.rename_axis("q")',
    "x + x",
    "x.sort_index(ascending=False)",
    'lib.PeriodIndex(["2024Q1","2024Q3"],freq="Q")',
    'lib.PeriodIndex(["2024-01","2024-03"],freq="M")',
    'lib.PeriodIndex.from_fields(year=[2020,2021],quarter=[1,2],freq="Q")',
    'lib.Series(["2024-01","2024-02"]).astype("period[M]")',
    'lib.Series([pd.Period("2024-01"),None])',
    'lib.Series([pd.Period("2024-01","M"),pd.Period("2024Q1","Q")])',
    'lib.Series(["2024Q1","2024Q3"]).astype("period[Q-DEC]")',
    'lib.Series(lib.period_range("2024-01",periods=2,freq="M"))',
    'lib.DataFrame({"a":[1,2]},index=lib.period_range("2024",periods=2,freq="Y"))',
    'lib.DatetimeIndex(["2024-01-01","2024-02-05"]).to_period("M")',
    'lib.Series([1,2],index=lib.DatetimeIndex(["2024-01-01","2024-02-05"])).to_period("M")',
    'lib.Series(["x","y"],index=lib.period_range("2024-01",periods=2,freq="M")).to_dict()',
    "lib.crosstab(df.p, df.v)",
    'lib.Series(pd.date_range("2024-01-01",periods=3,tz="Europe/Berlin")).dt.to_period("D")',
]


def names():
    return {"s": TIMES, "p": MONTHS, "df": FRAME, "x": LABELLED}


@pytest.mark.parametrize("code", CODES)
def test_periods_are_as_in_pandas(code):
    agree(
        lambda lib, **given: eval(code, {"lib": lib, "pd": pd, "np": np, "i": given["x"].index, **given}),
        **names(),
    )


@pytest.mark.parametrize("frequency", FREQUENCIES)
def test_times_lie_in_periods(frequency):
    agree(f"s.dt.to_period({frequency!r})", s=TIMES)
    agree(f"s.dt.to_period({frequency!r}).astype(str)", s=TIMES)
    for part in ("start_time", "end_time", "to_timestamp()", "to_timestamp(how='end')"):
        agree(f"s.dt.to_period({frequency!r}).dt.{part}", s=TIMES)
    parts = (
        "year month day hour minute second dayofweek dayofyear quarter qyear week days_in_month is_leap_year"
    )
    for part in [*parts.split(), "strftime('%Y-%b')"]:
        agree(f"s.dropna().dt.to_period({frequency!r}).dt.{part}", s=TIMES)


@pytest.mark.parametrize("frequency", FREQUENCIES)
@pytest.mark.parametrize("to", ["M", "Q-MAR", "Y", "W-TUE", "D", "h"])
@pytest.mark.parametrize("how", ["S", "E"])
def test_periods_of_another_frequency(frequency, to, how):
    many = pd.Series(pd.date_range("1960-01-31 05:00", periods=60, freq="431D"))
    agree(f"s.dt.to_period({frequency!r}).dt.asfreq({to!r}, how={how!r})", s=many)


def test_parts_of_a_missing_period_are_missing():
    # pandas: -1
    assert cuprum.Series(MONTHS).dt.year.isna().to_list() == [False, False, True, False]


@pytest.mark.parametrize(
    "code", ["repr(p)", "repr(df)", "repr(x)", "repr(x.index)", "p.to_csv()", "df.to_html()"]
)
def test_periods_are_printed_as_in_pandas(code):
    agree(lambda lib, **given: eval(code, given), **names())


def test_copies_files_and_arrow(tmp_path):
    ours = cuprum.DataFrame(FRAME)
    assert pickle.loads(pickle.dumps(ours)).equals(ours)
    ours.to_parquet(tmp_path / "x.parquet")
    assert cuprum.read_parquet(tmp_path / "x.parquet").equals(ours)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "x.parquet"), FRAME)
    FRAME.to_parquet(tmp_path / "y.parquet")
    assert cuprum.read_parquet(tmp_path / "y.parquet").equals(ours)
    assert cuprum.DataFrame.from_arrow(pa.Table.from_pandas(FRAME, preserve_index=False)).equals(ours)
    assert cuprum.Series(MONTHS.array).equals(ours.p.rename(None))
    assert str(ours.to_arrow().schema.field("p").type) == "extension<pandas.period<ArrowPeriodType>>"


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("s.dt.to_period('X')", ValueError),
        ("s.dt.to_period('ME')", ValueError),
        ("s.dt.to_period()", ValueError),
        ("lib.PeriodIndex(['2024-01'])", ValueError),
        ("lib.PeriodIndex(['nonsense'], freq='M')", ValueError),
        ("p.dt.nope", AttributeError),
        ("x.index.nope", AttributeError),
        ("p.sum()", TypeError),
        ("p.mean()", TypeError),
        ("p + 1.5", TypeError),
        ("p + p", TypeError),
        ("p < 5", TypeError),
        ("p.dt.to_timestamp(how='middle')", ValueError),
        ("x['2030-01']", KeyError),
    ],
)
def test_periods_that_are_refused(code, error):
    with pytest.raises(error):
        eval(code, {"lib": cuprum, **{name: cuprum.from_pandas(value) for name, value in names().items()}})


@pytest.mark.parametrize("freq", ["h", "D", "M", "3M", "Q-NOV"])
def test_frequency_of_times(freq):
    """Times at which periods begin are regular; pandas does not say it of those at which they end."""
    for how in ("start", "end", "S", "E"):
        for rows in (1, 2, 4):
            theirs, ours = (
                lib.period_range("2024-01", periods=rows, freq=freq).to_timestamp(how=how)
                for lib in (pd, cuprum)
            )
            assert ours.freqstr == theirs.freqstr and ours.equals(cuprum.Index(theirs))


@pytest.mark.parametrize(
    "freq",
    [
        "ME",
        "2ME",
        "MS",
        "BME",
        "QE",
        "QE-JAN",
        "QS-FEB",
        "BQE",
        "YE",
        "YE-MAR",
        "YS",
        "W-TUE",
        "D",
        "h",
        "15min",
    ],
)
def test_the_periods_of_regular_times(freq):
    agree(f"lib.date_range('2024-01-01', periods=3, freq={freq!r}).to_period()")
    agree(f"lib.Series([1, 2], index=lib.date_range('2024-01-01', periods=2, freq={freq!r})).to_period()")


def test_periods_of_business_days_are_refused_by_name():
    with pytest.raises(ValueError, match="B"):
        cuprum.date_range("2024-01-01", periods=3, freq="B").to_period()


@pytest.mark.parametrize("periods", ["lib.PeriodIndex(['2024-01', None], freq='M')", "frame.p"])
def test_an_element_that_is_missing_is_nat(periods):
    agree(f"{periods}[{1 if 'Index' in periods else 2}] is pd.NaT", frame=FRAME)
    assert "NaT" in repr(cuprum.PeriodIndex(["2024-01", None], freq="M"))
