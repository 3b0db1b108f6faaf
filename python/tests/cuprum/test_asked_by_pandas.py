"""What pandas' own tests ask for: statements run with both libraries, and what both refuse."""

import io
from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree

import cuprum

MIN = np.iinfo("int64").min


def csv(text, **options):
    return lambda lib: lib.read_csv(io.StringIO(text), **options)


def json(text, **options):
    return lambda lib: lib.read_json(io.StringIO(text), **options)


STATEMENTS = [
    # The integer that stands for a missing time.
    f"lib.Series([0, 1, {MIN}], dtype='datetime64[ns]').ffill()",
    f"lib.Series([1, {MIN}]).astype('timedelta64[us]')",
    "lib.Series([pd.NaT, None], dtype='datetime64[ns, UTC]')",
    # The last rules of a zone go on for ever.
    "lib.DatetimeIndex(['2099-07-01', '2201-07-01', '2500-12-31']).tz_localize('Europe/Warsaw').tz_convert('UTC')",
    "lib.date_range('2150-01-01', periods=5, freq='90D', tz='UTC').tz_convert('America/New_York').strftime('%F %H %Z')",
    "lib.DatetimeIndex(['2101-05-01', '2101-11-01']).tz_localize('UTC').tz_convert('Africa/Casablanca')",
    "lib.DatetimeIndex(['2201-03-29 02:30']).tz_localize('Europe/Warsaw', nonexistent='shift_forward').tz_convert('UTC')",
    "lib.date_range('2020-07-01', periods=2, tz='utc').strftime('%Z')",
    "lib.date_range('2020-07-01', periods=2, tz='dateutil/US/Pacific').strftime('%z')",
    "lib.Series(lib.date_range('2020', periods=2, tz='Europe/Berlin')).values",
    "lib.date_range('2020', periods=2, tz='Europe/Berlin').values",
    # Times of texts and numbers.
    "lib.Series([pd.Timestamp('2019-05-18 15:17:08.132263123'), pd.NaT]).dt.strftime('%S.%N')",
    "lib.to_datetime(['2020-01-01 00:00:00.123456789'], format='%Y-%m-%d %H:%M:%S.%N')",
    "lib.to_datetime([1, 2.5], unit='h')",
    "lib.to_datetime([1, 2], unit='m')",
    "lib.to_datetime(2, unit='W')",
    "lib.to_datetime([1036713600000.5, None], unit='ms')",
    "lib.to_datetime([1.1, -2.3, 1e9 + 0.1], unit='s')",
    "lib.to_datetime([1.1, 2.7], unit='D')",
    "lib.DatetimeIndex(['2019-01-01', '2019-01-01T06:00:00', '2019-01-02'])",
    "lib.DatetimeIndex(['1/2/2013'], dayfirst=True)",
    "lib.DatetimeIndex(['2013-01-02 06:00']).to_julian_date()",
    # Texts among labels that are durations.
    "durations['2 days']",
    "durations.loc['2 days':'3 days']",
    "durations['1 days':'2 days':2]",
    "durations['3 days'::-1]",
    "durations.index.get_loc('2 days')",
    "durations.index.slice_locs('1 days', '2 days')",
    "durations.index.insert(0, '12 h')",
    "durations.index.where([True, False, True, True], '5 days')",
    "durations.loc['2 days'] = 9\ndurations",
    # Labels that are missing, and names.
    "lib.Series([1, 2], index=['x', None]).filter(items=[np.nan])",
    "lib.Series([1]).to_frame(None)",
    "lib.Series([1], name='a').reset_index(name='b')",
    "lib.Index([1], name='a').to_frame(name='b')",
    "list(lib.MultiIndex.from_arrays([lib.Index([1], name='a'), lib.Index([2], name='b')], names=None).names)",
    "list(lib.MultiIndex.from_product([lib.Index([1], name='a'), lib.Index([2], name='b')], names=None).names)",
    "lib.MultiIndex.from_tuples([(1, 2)], names=['x', 'y']).rename({'x': 'z', 'y': 'x'})",
    "lib.Series([1, 2, 3]).rename(lib.Series({1: 10, 2: 20}))",
    # Mappings.
    "from collections import defaultdict\nlib.Series([1, None, 2]).map(defaultdict(int, {1: 10, np.nan: 42}))",
    "from collections import defaultdict\nlib.Index([1.0, np.nan]).map(defaultdict(lambda: 0.5, {np.nan: 42.0}))",
    "lib.Series([(1,), (3, 4)]).map({(1,): 'A', (3, 4): 'B'})",
    # Keys in brackets.
    "lib.Series(range(5))[(slice(3),)]",
    "df['a'][...]",
    "df.iloc[..., 0]",
    "df.loc[..., 'a']",
    "lib.RangeIndex(3)[...]",
    "levels.loc[(slice(None), levels['a'] > 0), :]",
    "levels.loc[('y', levels['a'] > 2), 'b']",
    "levels.T.loc[:, (['y', 'x'], [2, 1])]",
    "lib.Index(list('bcd'))[lib.Index(list('bcd')).slice_indexer('', '', -1)]",
    # What is set.
    "s = lib.Series([1, 2], dtype='float32')\ns[2] = 1e300\ns",
    "s = lib.Series([1, 2])\ns[[True, False]] = [7, 8]\ns",
    "s = lib.Series([1, 2])\ns[[False, False]] = 'x'\ns",
    "d = lib.DataFrame(index=lib.Index([], name='n'))\nd['a'] = lib.Series(1.5, [3, 4])\nd",
    "d = lib.DataFrame(columns=['A'])\nd['B'] = lib.Series([1, 2], [3, 4])\nd[['B']]",
    "d = lib.DataFrame(columns=['A'])\nd.loc[:, 'B'] = lib.Series([1, 2])\nd[['B']]",
    "d = levels.T\nd['z'] = d['x'][[1]] * 2\nd['z'] = d['x'][[1]] * 3\nd",
    "(lib.Series([1], name=np.nan) + lib.Index([1], name=np.nan)).name",
    "lib.Series([1, 2, 3]).where(lib.Series([True, False, False]), [9])",
    # Two objects.
    "lib.Series([1, 2, 3], list('aab')).combine(lib.Series([10, 20], list('ab')), lambda x, y: x + y, fill_value=0)",
    "lib.Series([1], lib.Index(['a'], name='x')).combine(lib.Series([2], lib.Index(['a'], name='y')), max)",
    "lib.DataFrame({'a': [1, 2]}, [1, 0]).join([lib.DataFrame({'b': [5, 6]}, [0, 1])], how='outer')",
    "lib.wide_to_long(lib.DataFrame({'i': [1, 2], 'k': [3, 4], 'x1': [5, 6], 'x2': [7, 8]}), 'x', ['i', 'k'], 'j')",
    # Functions of NumPy over labels.
    "np.sqrt(lib.Index([1, 4, 9], name='a'))",
    "np.exp(lib.RangeIndex(3))",
    "np.add(lib.RangeIndex(3, name='a'), 1)",
    "np.bitwise_and(lib.Index([1, 4]), lib.Index([1, 5]))",
    "np.isnan(lib.Index([1.0, np.nan]))",
    "np.greater(lib.Index([1, 4]), 2)",
    "~lib.RangeIndex(3)",
    # Others.
    "lib.Series([1.0, np.nan, np.nan, 4.0]).interpolate(limit=1, limit_direction='BACKWARD')",
    "lib.Series([1, np.nan, 5], lib.to_timedelta([1, 2, 4])).interpolate(method='time')",
    "lib.Series([], index=[], dtype='float64').reindex([1, 2], method='pad')",
    "lib.Series([1.0, 2.0, 4.0]).cov(lib.Series([3.0, 2.0, 5.0]), ddof=None)",
    "lib.Index([1, 2]).equals([1, 2])",
    # Files.
    csv("a,b,c\n10,x,True\n9,x,\n10,y,False", dtype="category"),
    csv("a,b\n1,2.5\n1.0,3", dtype={"a": "category"}),
    csv(",Unnamed: 0,b\n0,1,2"),
    json('[{"datetime":1577836800000}]', dtype={"datetime": "datetime64[ns]"}),
    json('{"0":4.5,"1":4.5}', typ="series", dtype="int64"),
    json('{"columns":["x","x","x.1"],"index":[1],"data":[[1,2,3]]}', orient="split"),
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_as_in_pandas(statement):
    agree(statement, **SMALL, kept=...)


REFUSED = [
    ("s.sort_values(inplace='no')", ValueError, 'For argument "inplace" expected type bool, received type'),
    ("s.sort_values(ascending='False')", ValueError, 'For argument "ascending" expected type bool, received'),
    ("s.sort_index(ascending=None)", ValueError, 'For argument "ascending" expected type bool, received'),
    (
        "s.to_frame().sort_values(0, ascending='yes')",
        ValueError,
        'For argument "ascending" expected type bool, received',
    ),
    (
        "s.to_frame().dropna(inplace=1)",
        ValueError,
        'For argument "inplace" expected type bool, received type',
    ),
    ("s.where([1, 0, 1])", TypeError, "Boolean array expected for the condition, not int64"),
    ("s.mask(lib.Series([1, 0, 1]))", TypeError, "Boolean array expected for the condition, not int64"),
    ("s[lib.DataFrame([1, 2, 3]) > 1]", TypeError, "a Series has no columns: index it with a Series, or a"),
    (
        "s.add(lib.DataFrame([1, 2, 3]), axis=0)",
        TypeError,
        "Series.add takes no DataFrame: call it on that, with the",
    ),
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
    (
        "lib.MultiIndex.from_frame(lib.DataFrame({'a': [1], 'b': [2]}), names=['x'])",
        ValueError,
        "Length of names must match number of levels in MultiIndex",
    ),
]


@pytest.mark.parametrize(("statement", "error", "text"), REFUSED)
def test_refused_as_in_pandas(statement, error, text):
    agree(statement, refused=(error, text), **SMALL)


def test_a_mapping_that_makes_values_keeps_its_keys():
    known = defaultdict(int, {1: 10})
    cuprum.Series([1, 2]).map(known)
    assert known == {1: 10}


def test_differences_of_truth_values():
    assert cuprum.Series([True, False, False]).diff().to_list()[1:] == [True, False]
