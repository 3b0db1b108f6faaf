"""What every parameter of the functions of the module does; see `arguments_entries`."""

from arguments_entries import ours, refused, same

_CSV = "k,a,b\\n1,2.5,x\\n2,,y\\n3,4.5,-\\n"


def csv(arguments, text=_CSV):
    """A call of `read_csv` with a text."""
    return f"lib.read_csv(io.StringIO('{text}'), {arguments})"


_JSON = '[{"i": "1", "t": "2020-01-01", "date": 1577836800000}]'


def json(arguments, text=_JSON):
    """A call of `read_json` with a text."""
    return f"lib.read_json(io.StringIO('{text}'), {arguments})"


_READ_CSV = {
    "filepath_or_buffer": (
        "lib.read_csv(filepath_or_buffer=io.StringIO('a\\n1'))",
        "lib.read_csv(filepath_or_buffer=io.StringIO('b\\n2'))",
    ),
    "sep": csv("sep=';'", "a;b\\n1;2"),
    "delimiter": csv("delimiter=';'", "a;b\\n1;2"),
    "header": [
        csv("header=None"),
        csv("header=1", "x\\na,b\\n1,2"),
        csv("header=[0, 1]", "a,b\\nx,y\\n1,2"),
    ],
    "names": csv("names=['x', 'y', 'z']"),
    "index_col": csv("index_col='k'"),
    "usecols": csv("usecols=['k', 'b']"),
    "dtype": csv("dtype={'k': 'float32'}"),
    "true_values": csv("true_values=['yes'], false_values=['no']", "a\\nyes\\nno"),
    "false_values": csv("true_values=['yes'], false_values=['no']", "a\\nyes\\nno"),
    "skiprows": [csv("skiprows=1"), csv("skiprows=[1]"), csv("skiprows=lambda i: i == 1")],
    "nrows": csv("nrows=1"),
    "na_values": [csv("na_values=['-']"), csv("na_values={'b': ['-']}")],
    "keep_default_na": csv("keep_default_na=False", "a,b\\nx,y\\n,NA"),
    "na_filter": [
        csv("na_filter=False", "a,b\\nx,y\\n,NA"),
        csv("na_filter=False, na_values=['x']", "a\\nx\\ny"),
    ],
    "skip_blank_lines": csv("skip_blank_lines=False", "a\\nx\\n\\ny"),
    "parse_dates": csv("parse_dates=['a']", "a\\n2013-01-02\\n2013-01-03"),
    "compression": [
        "lib.read_csv(io.BytesIO(__import__('gzip').compress(b'a\\n1')), compression='gzip')",
    ],
    "thousands": csv("thousands='_'", "a\\n1_000\\n2_000"),
    "decimal": csv("sep=';', decimal=','", "a\\n1,5\\n2,5"),
    "quotechar": csv("quotechar='|'", "a,b\\n|x,y|,1"),
    "comment": csv("comment='#'", "a\\n1\\n#x\\n2"),
    "encoding": "lib.read_csv(io.BytesIO('é\\nü'.encode('latin-1')), encoding='latin-1')",
    "encoding_errors": "lib.read_csv(io.BytesIO(b'a\\nx\\xff'), encoding_errors='ignore')",
    "engine": [
        same(csv("engine='python'"), "there is one parser"),
        refused(csv("engine='bogus'"), ValueError),
    ],
    "converters": csv("converters={'b': len}"),
    "skipinitialspace": csv("skipinitialspace=True", "a,b\\n1, x"),
    "skipfooter": csv("skipfooter=1, engine='python'"),
    "date_format": csv("parse_dates=['a'], date_format='%d|%m|%Y'", "a\\n01|02|2013"),
    "dayfirst": csv("parse_dates=['a'], dayfirst=True", "a\\n01/02/2013"),
    "cache_dates": [
        same(csv("cache_dates=False"), "dates are not cached"),
        refused(csv("cache_dates=2"), ValueError),
    ],
    "iterator": [
        ours(csv("iterator=True").replace("lib.", "next(lib.", 1) + ")", csv("nrows=3")),
    ],
    "chunksize": ours(csv("chunksize=1").replace("lib.", "next(lib.", 1) + ")", csv("nrows=1")),
    "lineterminator": csv("lineterminator='~'", "a~1~2"),
    "quoting": csv("quoting=3", 'a,b\\n"x",y'),
    "doublequote": csv("doublequote=False", 'a,b\\n"x""y",1'),
    "escapechar": csv("escapechar='!'", "a,b\\nx!,y,1"),
    "dialect": csv("dialect='excel-tab'", "a\\tb\\n1\\t2"),
    "on_bad_lines": csv("on_bad_lines='skip'", "a\\n1\\n2,3"),
    "low_memory": [
        same(csv("low_memory=False"), "types are found from all rows"),
        refused(csv("low_memory=2"), ValueError),
    ],
    "memory_map": [
        same("lib.read_csv(io.BytesIO(b'a\\n1'), memory_map=False)", "files are read as it is best"),
        refused(csv("memory_map=2"), ValueError),
    ],
    "float_precision": refused(csv("float_precision='bogus'"), ValueError),
    "dtype_backend": refused(csv("dtype_backend='pyarrow'")),
    "byte_range": ours(csv("byte_range=(0, 7)"), csv("nrows=1")),
    "storage_options": refused(csv("storage_options={'anon': True}"), ValueError, "storage_options"),
}


def table(entry):
    """An entry of `read_csv` as one of `read_table`, whose separator is another."""
    if isinstance(entry, str):
        entry = entry.replace("read_csv", "read_table")
        known = any(name in entry for name in ("sep=", "delimiter=", "dialect=", "filepath_or_buffer="))
        return entry if known else entry.replace("read_table(", "read_table(sep=',', filepath_or_buffer=")
    if isinstance(entry, list):
        return [table(one) for one in entry]
    if type(entry) is tuple:
        return tuple(table(one) for one in entry)
    return entry._replace(code=table(entry.code))


_READ_TABLE = {name: table(entry) for name, entry in _READ_CSV.items() if name != "byte_range"}
_READ_TABLE["dialect"] = table(csv("dialect='excel'", "a,b\\n1,2"))
_READ_TABLE["byte_range"] = ours(table(csv("byte_range=(0, 7)")), table(csv("nrows=1")))


def widths(arguments, text="a b\\n1 2\\n3 4"):
    """A call of `read_fwf` with a text."""
    return f"lib.read_fwf(io.StringIO('{text}'), {arguments})"


_FILE = "io.BytesIO(n.to_parquet())"
_FEATHER = "io.BytesIO(n.to_feather())"
_ORC = "io.BytesIO(n.to_orc(stripe_size_rows=2))"


def _avro():
    """A file of the rows (1, 10) and (2, 20)."""
    schema = b'{"type":"record","name":"x","fields":[{"name":"q","type":"long"},{"name":"r","type":"long"}]}'

    def long(value):
        out = []
        value <<= 1
        while value >= 128:
            out.append(value & 127 | 128)
            value >>= 7
        return bytes([*out, value])

    header = b"Obj\x01" + long(1) + long(11) + b"avro.schema" + long(len(schema)) + schema + long(0)
    rows = long(1) + long(10) + long(2) + long(20)
    return header + bytes(16) + long(2) + long(len(rows)) + rows + bytes(16)


_AVRO = repr(_avro())

# What is printed after a call that sets how.
_ENGINEERS = (
    "within(lib.option_context('display.float_format', None), "
    "lambda: (lib.set_eng_float_formatCALL, repr(lib.Series([12345.678]))))[1]"
)


FUNCTIONS = {
    "concat": {
        "objs": ("lib.concat(objs=[n, n])", "lib.concat(objs=[n, n2])"),
        "axis": "lib.concat([n, n2], axis=1)",
        "join": "lib.concat([n, n2], join='inner')",
        "ignore_index": "lib.concat([n, n2], ignore_index=True)",
        "keys": "lib.concat([n, n2], keys=['x', 'y'])",
        "levels": [
            "lib.concat([n, n2], keys=['x', 'y'], levels=[['y', 'z', 'x']]).index.levels[0]",
            "lib.concat([v, v], keys=[('a', 1), ('b', 2)], levels=[['b', 'a'], [1, 2, 3]]).index.levels[1]",
            refused("lib.concat([n, n2], keys=['x', 'y'], levels=[['y']])", ValueError),
            refused("lib.concat([n, n2], levels=[['y']])", ValueError),
            refused("lib.concat([n, n], axis=1, keys=['x', 'y'], levels=[['y', 'x']])"),
        ],
        "names": "lib.concat([n, n2], keys=['x', 'y'], names=['which', 'row'])",
        "verify_integrity": [
            refused("lib.concat([n, n], verify_integrity=True)", ValueError, "overlapping"),
            refused("lib.concat([n, n], axis=1, verify_integrity=True)", ValueError, "overlapping"),
        ],
        "sort": [
            "lib.concat([n[['q', 'p']], n2], sort=True)",
            "lib.concat([n.iloc[::-1], n2], axis=1, sort=True)",
        ],
        "copy": same("lib.concat([n, n2], copy=False)", "pandas reads it no more"),
    },
    "factorize": {
        "values": ("lib.factorize(values=text)", "lib.factorize(values=words)"),
        "sort": "lib.factorize(text, sort=True)",
        "use_na_sentinel": "lib.factorize(text, use_na_sentinel=False)",
        "size_hint": [
            same("lib.factorize(text, size_hint=3)", "it only says how much memory to take"),
            refused("lib.factorize(text, size_hint='x')", TypeError),
        ],
    },
    "from_dummies": {
        "data": (
            "lib.from_dummies(data=lib.DataFrame({'a': [1, 0], 'b': [0, 1]}))",
            "lib.from_dummies(data=lib.DataFrame({'a': [True], 'b': [False]}))",
        ),
        "sep": (
            "lib.from_dummies(lib.DataFrame({'a_x': [1, 0], 'a_y': [0, 1]}), sep='_')",
            "lib.from_dummies(lib.DataFrame({'a_x': [1, 0], 'a_y': [0, 1]}))",
        ),
        "default_category": (
            "lib.from_dummies(lib.DataFrame({'a': [1, 0]}), default_category='z')",
            "lib.from_dummies(lib.DataFrame({'a': [1, 0]}), default_category='y')",
        ),
    },
    "json_normalize": {
        "data": ("lib.json_normalize(data={'a': {'b': 1}})", "lib.json_normalize(data=[{'c': 'x'}])"),
        "record_path": (
            "lib.json_normalize([{'k': 'q', 'r': [{'x': 1}, {'x': 2}], 'o': {'r': [{'y': 3}]}}], record_path='r')",
            "lib.json_normalize([{'k': 'q', 'r': [{'x': 1}, {'x': 2}], 'o': {'r': [{'y': 3}]}}], record_path=['o', 'r'])",
        ),
        "meta": "lib.json_normalize([{'k': 'q', 'r': [{'x': 1}, {'x': 2}], 'o': {'r': [{'y': 3}]}}], 'r', meta=['k'])",
        "meta_prefix": "lib.json_normalize([{'k': 'q', 'r': [{'x': 1}, {'x': 2}], 'o': {'r': [{'y': 3}]}}], 'r', ['k'], meta_prefix='m_')",
        "record_prefix": "lib.json_normalize([{'k': 'q', 'r': [{'x': 1}, {'x': 2}], 'o': {'r': [{'y': 3}]}}], 'r', record_prefix='r_')",
        "errors": "lib.json_normalize([{'k': 'q', 'r': [{'x': 1}]}], 'r', ['z'], errors='ignore')[['x']]",
        "sep": "lib.json_normalize({'a': {'b': 1}}, sep='/')",
        "max_level": "lib.json_normalize({'a': {'b': {'c': 1}}, 'd': 1}, max_level=1).columns",
    },
    "get_dummies": {
        "data": ("lib.get_dummies(data=df.k)", "lib.get_dummies(data=df[['k', 'i']])"),
        "prefix": "lib.get_dummies(df[['k', 's']], prefix='p')",
        "prefix_sep": "lib.get_dummies(df[['k', 's']], prefix_sep='-')",
        "dummy_na": "lib.get_dummies(df[['k', 's']], dummy_na=True)",
        "columns": "lib.get_dummies(df[['k', 'i']], columns=['i'])",
        "sparse": refused("lib.get_dummies(df[['k', 's']], sparse=True)"),
        "drop_first": "lib.get_dummies(df[['k', 's']], drop_first=True)",
        "dtype": "lib.get_dummies(df[['k', 's']], dtype='int8')",
    },
    "merge": {
        "left": (
            "lib.merge(left=left, right=right, on='k')",
            "lib.merge(left=left.head(2), right=right, on='k')",
        ),
        "right": ("lib.merge(left, right=right, on='k')", "lib.merge(left, right=right.head(1), on='k')"),
        "how": [
            "lib.merge(left, right, on='k', how=" + repr(how) + ")" for how in ("left", "right", "outer")
        ],
        "on": "lib.merge(left, right, on='k')",
        "left_on": (
            "lib.merge(left, right, left_on='k', right_on='k')",
            "lib.merge(left, right, left_on='z', right_on='k')",
        ),
        "right_on": (
            "lib.merge(left, right, left_on='k', right_on='k')",
            "lib.merge(left, right, left_on='k', right_on='z')",
        ),
        "left_index": "lib.merge(left, right.rename(columns={'k': 'r'}), left_index=True, right_on='r')",
        "right_index": "lib.merge(left, right[['y']], left_on='k', right_index=True)",
        "sort": "lib.merge(left.iloc[::-1], right, on='k', sort=True)",
        "suffixes": "lib.merge(left, right, on='k', suffixes=('_1', '_2'))",
        "copy": same("lib.merge(left, right, on='k', copy=False)", "pandas reads it no more"),
        "indicator": "lib.merge(left, right, how='outer', on='k', indicator='side')",
        "validate": refused("lib.merge(left, right, on='k', validate='1:1')", ValueError, "unique"),
    },
    "merge_asof": {
        "left": (
            "lib.merge_asof(left=quotes, right=trades, on='t')",
            "lib.merge_asof(left=quotes.head(1), right=trades, on='t')",
        ),
        "right": (
            "lib.merge_asof(quotes, right=trades, on='t')",
            "lib.merge_asof(quotes, right=trades.head(1), on='t')",
        ),
        "on": "lib.merge_asof(quotes, trades, on='t')",
        "left_on": "lib.merge_asof(quotes, trades.rename(columns={'t': 'q'}), left_on='t', right_on='q')",
        "right_on": "lib.merge_asof(quotes.rename(columns={'t': 'q'}), trades, left_on='q', right_on='t')",
        "left_index": (
            "lib.merge_asof(quotes.set_index('t'), trades.set_index('t'), left_index=True, right_index=True)"
        ),
        "right_index": "lib.merge_asof(quotes, trades.set_index('t'), left_on='t', right_index=True)",
        "by": "lib.merge_asof(quotes, trades, on='t', by='k')",
        "left_by": "lib.merge_asof(quotes, trades.rename(columns={'k': 'l'}), on='t', left_by='k', right_by='l')",
        "right_by": "lib.merge_asof(quotes.rename(columns={'k': 'l'}), trades, on='t', left_by='l', right_by='k')",
        "suffixes": "lib.merge_asof(quotes, trades, on='t', suffixes=('_1', '_2'))",
        "tolerance": "lib.merge_asof(quotes, trades, on='t', tolerance=0)",
        "allow_exact_matches": "lib.merge_asof(quotes, trades, on='t', allow_exact_matches=False)",
        "direction": [
            f"lib.merge_asof(quotes, trades, on='t', direction={direction!r})"
            for direction in ("forward", "nearest")
        ],
    },
    "merge_ordered": {
        "left": (
            "lib.merge_ordered(left=left, right=right, on='k')",
            "lib.merge_ordered(left=left.head(1), right=right, on='k')",
        ),
        "right": (
            "lib.merge_ordered(left, right=right, on='k')",
            "lib.merge_ordered(left, right=right.head(1), on='k')",
        ),
        "on": "lib.merge_ordered(left, right, on='k')",
        "left_on": "lib.merge_ordered(left, right.rename(columns={'k': 'q'}), left_on='k', right_on='q')",
        "right_on": "lib.merge_ordered(left.rename(columns={'k': 'q'}), right, left_on='q', right_on='k')",
        "left_by": "lib.merge_ordered(quotes, trades[['t', 'y']], on='t', left_by='k')",
        "right_by": "lib.merge_ordered(quotes[['t', 'x']], trades, on='t', right_by='k')",
        "fill_method": "lib.merge_ordered(left, right, on='k', fill_method='ffill')",
        "suffixes": "lib.merge_ordered(left, right, on='k', suffixes=('_1', '_2'))",
        "how": [f"lib.merge_ordered(left, right, on='k', how={how!r})" for how in ("left", "right", "inner")],
    },
    **{name: {"obj": (f"lib.{name}(obj=NAN)", f"lib.{name}(obj=[1, None])")} for name in ("isna", "notna")},
    "unique": {"values": ("lib.unique(values=text)", "lib.unique(values=numbers)")},
    "from_dlpack": {
        "pycapsule_obj": ours("lib.from_dlpack(pycapsule_obj=np.array([1, 2]))", "lib.Series([1, 2])")
    },
    "from_pandas": {
        "obj": ours("lib.from_pandas(obj=pd.Series([1, 2], name='n'))", "lib.Series([1, 2], name='n')"),
        "nan_as_null": ours("lib.from_pandas(pd.Series([NAN]), nan_as_null=True).null_count", "1"),
    },
    "to_datetime": {
        "arg": ("lib.to_datetime(arg=['2013-01-02'])", "lib.to_datetime(arg=['2014-01-02'])"),
        "errors": [
            "lib.to_datetime(lib.Series(['2013-01-02', 'x']), errors='coerce')",
            refused("lib.to_datetime(['2013-01-02'], errors='ignore')", ValueError),
        ],
        "dayfirst": [
            "lib.to_datetime(['1/2/2013'], dayfirst=True)",
            "lib.to_datetime(['2013-01-02'], dayfirst=True)",
        ],
        "yearfirst": [
            "lib.to_datetime(['10/11/12', '01/02/03'], yearfirst=True)",
            "lib.to_datetime(['10.11.12 05:30'], yearfirst=True)",
        ],
        "utc": "lib.to_datetime(lib.Series(['2013-01-02']), utc=True).astype(str)",
        "format": "lib.to_datetime(['03-02-2013'], format='%d-%m-%Y')",
        "exact": [
            "lib.to_datetime(['xx02/01/2013', '2/1/2013 05:00', None], format='%d/%m/%Y', errors='coerce', exact=False)",
            refused("lib.to_datetime(['2013-01-02'], exact=False)"),
            refused("lib.to_datetime(['2013-01-02'], format='ISO8601', exact=False)", ValueError),
            refused("lib.to_datetime(['2013-W01-3'], format='%G-W%V-%u', exact=False)"),
        ],
        "unit": ["lib.to_datetime(numbers, unit='D').astype('datetime64[ns]')"],
        "origin": [
            "lib.to_datetime([1, 2], unit='D', origin='1960-01-01').astype('datetime64[ns]')",
            refused("lib.to_datetime([1], origin='julian')", ValueError, "unit"),
            "lib.to_datetime([1], unit='D', origin=3).astype('datetime64[ns]')",
            "lib.to_datetime([1], unit='s', origin=-3.5).astype('datetime64[ns]')",
            refused("lib.to_datetime([1], unit='D', origin=10**12)", ValueError),
            refused("lib.to_datetime([1], unit='D', origin=True)", TypeError),
        ],
        "cache": same("lib.to_datetime(['2013-01-02'], cache=False)", "how it is computed"),
    },
    "to_timedelta": {
        "arg": [
            (
                "lib.to_timedelta(arg=['1 days 06:05:01.00003', '15.5us', None])",
                "lib.to_timedelta(arg='-1 days')",
            ),
            (
                "lib.to_timedelta(lib.Series(['1h', 'P1DT2H'], index=[3, 4], name='n'))",
                "lib.to_timedelta(lib.Index(['1h', '2h'], name='n'))",
            ),
            refused("lib.to_timedelta(lib.DataFrame({'a': [1]}))", TypeError),
        ],
        "unit": ["lib.to_timedelta([1, 2], unit='s')", "lib.to_timedelta(lib.Series([1.5, None]), unit='h')"],
        "errors": [
            "lib.to_timedelta(lib.Series(['1h', 'x']), errors='coerce')",
            refused("lib.to_timedelta(['1h'], errors='ignore')", ValueError),
        ],
    },
    "period_range": {
        "start": "lib.period_range(start='2020-01', periods=3, freq='M')",
        "end": "lib.period_range(end='2020-03', periods=3, freq='M')",
        "periods": "lib.period_range('2020-01', periods=4, freq='M')",
        "freq": (
            "lib.period_range('2020-01', periods=4, freq='M')",
            "lib.period_range('2020-01', periods=4, freq='Q-MAR')",
        ),
        "name": "lib.period_range('2020-01', periods=2, freq='M', name='x')",
    },
    "date_range": {
        "start": "lib.date_range(start='2020-01-31', periods=3)",
        "end": "lib.date_range(end='2020-01-31', periods=3)",
        "periods": "lib.date_range('2020-01-31', periods=4)",
        "freq": [
            "lib.date_range('2020-01-31', periods=4, freq='ME')",
            "lib.date_range('2020-01-31', periods=4, freq='CBME')",
        ],
        "tz": "lib.date_range('2020-03-28', periods=4, tz='Europe/Berlin')",
        "normalize": "lib.date_range('2020-01-31 12:00', periods=4, normalize=True)",
        "name": "lib.date_range('2020-01-31', periods=4, name='n')",
        "inclusive": "lib.date_range('2020-01-31', '2020-02-03', inclusive='left')",
        "unit": "lib.date_range('2020-01-31', periods=4, unit='s')",
    },
    "infer_freq": {
        "index": (
            "lib.infer_freq(index=lib.date_range('2020', periods=3))",
            "lib.infer_freq(index=lib.date_range('2020', periods=3, freq='ME'))",
        )
    },
    "bdate_range": {
        "start": "lib.bdate_range(start='2020-01-31', periods=3)",
        "end": "lib.bdate_range(end='2020-01-31', periods=3)",
        "periods": "lib.bdate_range('2020-01-31', periods=4)",
        "freq": "lib.bdate_range('2020-01-31', periods=4, freq='D')",
        "tz": "lib.bdate_range('2020-03-28', periods=4, tz='Europe/Berlin')",
        "normalize": "lib.bdate_range('2020-01-31 12:00', periods=4, normalize=False)",
        "name": "lib.bdate_range('2020-01-31', periods=4, name='n')",
        "weekmask": "lib.bdate_range('2020-01-31', periods=4, freq='C', weekmask='Sun Mon')",
        "holidays": "lib.bdate_range('2020-01-31', periods=4, freq='C', holidays=['2020-02-03'])",
        "inclusive": "lib.bdate_range('2020-01-31', '2020-02-05', inclusive='left')",
        "unit": [
            "lib.bdate_range('2020-01-31', periods=4, unit='s')",
            "lib.bdate_range('2020-01-31', periods=4, freq='C', weekmask='Sun Mon', unit='ms')",
        ],
    },
    "timedelta_range": {
        "start": [
            "lib.timedelta_range(start=np.timedelta64(1, 's'), periods=3)",
            "lib.timedelta_range(start='1 day', periods=3)",
            "lib.timedelta_range(start='90s', end='2 days', freq='6h')",
            "lib.timedelta_range(start=5, periods=3)",
            refused("lib.timedelta_range(True, periods=3)", TypeError, "start"),
        ],
        "end": [
            "lib.timedelta_range(end=np.timedelta64(1, 's'), periods=3)",
            "lib.timedelta_range(end='1 day', periods=3)",
        ],
        "periods": "lib.timedelta_range(np.timedelta64(1, 's'), periods=4)",
        "freq": "lib.timedelta_range(np.timedelta64(1, 's'), periods=4, freq='90s')",
        "name": "lib.timedelta_range(np.timedelta64(1, 's'), periods=4, name='n')",
        "closed": "lib.timedelta_range(np.timedelta64(1, 's'), np.timedelta64(5, 's'), freq='2s', closed='left')",
        "unit": "lib.timedelta_range(np.timedelta64(1, 's'), periods=4, unit='ns')",
    },
    "to_numeric": {
        "arg": ("lib.to_numeric(arg=lib.Series(['1', '2']))", "lib.to_numeric(arg=lib.Series(['1.5']))"),
        "errors": [
            "lib.to_numeric(lib.Series(['1.5', 'x']), errors='coerce')",
            refused("lib.to_numeric(['1'], errors='ignore')", ValueError),
        ],
        "downcast": [
            *(
                f"lib.to_numeric(numbers.abs(), downcast={kind!r})"
                for kind in ("integer", "unsigned", "float")
            ),
            refused("lib.to_numeric(['1'], downcast='bogus')", ValueError),
        ],
    },
    "read_csv": _READ_CSV,
    "eval": {
        "expr": ("lib.eval(expr='1 + 2')", "lib.eval(expr='1 + 3')"),
        "parser": [
            "lib.eval('f & f == f', local_dict={'f': flags}, parser='python')",
            refused("lib.eval('1', parser='bogus')", KeyError),
        ],
        "engine": [
            same("lib.eval('1 + 2', engine='python')", "there is one"),
            refused("lib.eval('1', engine='bogus')", KeyError),
        ],
        "local_dict": ours("lib.eval('q', local_dict={'q': 1})", "1"),
        "global_dict": ours("lib.eval('q', global_dict={'q': 1})", "1"),
        "resolvers": ours("lib.eval('q', resolvers=[{'q': 1}])", "1"),
        "level": ours("(lambda q: (lambda: lib.eval('q', level=1))())(1)", "1"),
        "target": ours("lib.eval('z = 1', target=n)", "n.assign(z=1)"),
        "inplace": ours("after(n, lambda d: lib.eval('z = 1', target=d, inplace=True))", "n.assign(z=1)"),
    },
    "read_table": _READ_TABLE,
    "read_fwf": {
        "filepath_or_buffer": (
            "lib.read_fwf(filepath_or_buffer=io.StringIO('a\\n1'))",
            "lib.read_fwf(filepath_or_buffer=io.StringIO('b\\n2'))",
        ),
        "colspecs": widths("colspecs=[(0, 1), (1, 2)]"),
        "widths": widths("widths=[3, 1]"),
        "infer_nrows": widths("infer_nrows=1", "a  b\\n1  2\\n34567"),
        "iterator": ours(widths("iterator=True").replace("lib.", "next(lib.", 1) + ")", widths("nrows=2")),
        "chunksize": ours(widths("chunksize=1").replace("lib.", "next(lib.", 1) + ")", widths("nrows=1")),
        "**kwargs": refused(widths("bogus=1"), TypeError, "bogus"),
    },
    "read_parquet": {
        "path": ours(f"lib.read_parquet(path={_FILE})", "n"),
        "engine": [
            same(f"lib.read_parquet({_FILE}, engine='pyarrow')", "results are those of pyarrow"),
            refused(f"lib.read_parquet({_FILE}, engine='fastparquet')"),
        ],
        "columns": ours(
            "lib.read_parquet(io.BytesIO(whole.to_parquet(index=False)), columns=['q'])",
            "whole[['q']].reset_index(drop=True)",
        ),
        "row_groups": ours(
            "lib.read_parquet(io.BytesIO(n.to_parquet(row_group_size=2)), row_groups=[1])", "n.iloc[2:]"
        ),
        "nrows": ours(f"lib.read_parquet({_FILE}, nrows=2)", "n.head(2)"),
        "skip_rows": ours(f"lib.read_parquet({_FILE}, skip_rows=1)['q'].tolist()", "n['q'].tolist()[1:]"),
        "filters": [
            ours(
                f"lib.read_parquet({_FILE}, filters=[('q', '>', 2)])['q'].tolist()",
                "n['q'][n['q'] > 2].tolist()",
            ),
            refused(f"lib.read_parquet({_FILE}, filters=[('q', 'like', 2)])", ValueError, "filters"),
            refused(f"lib.read_parquet({_FILE}, filters=[('q', '>', 'x')])", TypeError, "filters"),
            refused(f"lib.read_parquet({_FILE}, filters=[('q', '>', 2)], nrows=1)"),
        ],
        "use_pandas_metadata": ours(
            "list(lib.read_parquet(io.BytesIO(n.set_index('q').to_parquet()), use_pandas_metadata=False).columns)",
            "[*n.columns.drop('q'), 'q']",
        ),
        # Files whose directories have keys: test_parquet_datasets.
        "categorical_partitions": refused(
            f"lib.read_parquet({_FILE}, categorical_partitions='x')", TypeError, "categorical_partitions"
        ),
        **{
            name: refused(f"lib.read_parquet({_FILE}, {name}={value})")
            for name, value in {
                "dtype_backend": "'pyarrow'",
                "to_pandas_kwargs": "{}",
                "dataset_kwargs": "{}",
                "allow_mismatched_pq_schemas": "True",
                "ignore_missing_columns": "True",
            }.items()
        },
        "filesystem": refused(f"lib.read_parquet({_FILE}, filesystem='x')", ValueError, "filesystem"),
        "schema": [
            ours(
                f"lib.read_parquet({_FILE}, schema=__import__('pyarrow').schema({{'q': 'float32'}}))",
                "n[['q']].astype('float32')",
            ),
            refused(f"lib.read_parquet({_FILE}, schema={{'q': 'float32'}})", TypeError, "schema"),
        ],
        "storage_options": refused(
            f"lib.read_parquet({_FILE}, storage_options={{'anon': True}})", ValueError, "storage_options"
        ),
        "**kwargs": refused(f"lib.read_parquet({_FILE}, bogus=1)", TypeError, "bogus"),
    },
    "read_text": {
        "filepath_or_buffer": ours(
            "lib.read_text(filepath_or_buffer=b'a-b', delimiter='-').to_list()", "['a-', 'b']"
        ),
        "delimiter": [
            ours("lib.read_text(b'a--b-c', delimiter='--').to_list()", "['a--', 'b-c']"),
            refused("lib.read_text(b'a')", ValueError),
        ],
        "byte_range": [
            ours("lib.read_text(b'a-b-c', '-', byte_range=(1, 3)).to_list()", "['b-']"),
            refused("lib.read_text(b'a', '-', byte_range=1)", ValueError),
        ],
        "strip_delimiters": ours("lib.read_text(b'a-b', '-', strip_delimiters=True).to_list()", "['a', 'b']"),
        "compression": [
            refused("lib.read_text(b'a', '-', compression='gzip')", ValueError),
            refused("lib.read_text(b'a', '-', compression='bgzip')"),
        ],
        "compression_offsets": [
            refused("lib.read_text(b'a', '-', compression_offsets=(0, 1))", ValueError),
            refused("lib.read_text('a', '-', compression='bgzip', compression_offsets=1)", ValueError),
        ],
        "storage_options": refused(
            "lib.read_text(b'a', '-', storage_options={'anon': True})", ValueError, "storage_options"
        ),
    },
    "read_avro": {
        "filepath_or_buffer": ours(f"lib.read_avro(filepath_or_buffer={_AVRO})['q'].sum()", "3"),
        "columns": ours(f"list(lib.read_avro({_AVRO}, columns=['r', 'q']).columns)", "['r', 'q']"),
        "skiprows": ours(f"lib.read_avro({_AVRO}, skiprows=1)['q'].sum()", "2"),
        "num_rows": ours(f"lib.read_avro({_AVRO}, num_rows=1)['q'].sum()", "1"),
        "storage_options": refused(
            f"lib.read_avro({_AVRO}, storage_options={{'anon': True}})", ValueError, "storage_options"
        ),
        "**kwargs": refused(f"lib.read_avro({_AVRO}, bogus=1)", TypeError, "bogus"),
    },
    "read_json": {
        "path_or_buf": (
            "lib.read_json(path_or_buf=io.StringIO('[1]'))",
            "lib.read_json(path_or_buf=io.StringIO('[2]'))",
        ),
        "orient": json("orient='index'", '{"a": {"x": 1, "y": 2}}'),
        "typ": json("typ='series'", "[1, 2]"),
        "dtype": [json("dtype=False"), json("dtype={'i': 'float32'}")],
        "convert_axes": json("convert_axes=False", '{"a": {"5": 1}}'),
        "convert_dates": [json("convert_dates=False"), json("convert_dates=['t']")],
        "keep_default_dates": json("keep_default_dates=False"),
        "precise_float": same(json("precise_float=True"), "numbers are exact"),
        "date_unit": json("date_unit='ns'"),
        "encoding": "lib.read_json(io.BytesIO('[{\"a\": \"é\"}]'.encode('latin-1')), encoding='latin-1')",
        "lines": json("lines=True", '{"a": 1}'),
        "chunksize": ours(
            "next(" + json("lines=True, chunksize=1", '{"a": 1}\\n{"a": 2}') + ")",
            json("lines=True, nrows=1", '{"a": 1}\\n{"a": 2}'),
        ),
        "compression": "lib.read_json(io.BytesIO(__import__('gzip').compress(b'[1]')), compression='gzip')",
        "nrows": json("lines=True, nrows=1", '{"a": 1}\\n{"a": 2}'),
        "storage_options": refused(json("storage_options={'anon': True}"), ValueError, "storage_options"),
        "mixed_types_as_string": ours(
            json("mixed_types_as_string=True, dtype=False", '[{"a": 1}, {"a": "x"}]') + "['a'].to_list()",
            "['1', 'x']",
        ),
        "byte_range": [
            ours("lib.read_json(b'[1]\\n[2]\\n[3]\\n', lines=True, byte_range=(4, 4))", "pd.DataFrame([3])"),
            refused("lib.read_json(b'[1]', byte_range=(0, 1))", ValueError),
        ],
        **{
            name: refused(json(f"{name}={value}"))
            for name, value in {
                "encoding_errors": "'ignore'",
                "dtype_backend": "'pyarrow'",
                "engine": "'pyarrow'",
            }.items()
        },
        "**kwargs": refused(json("bogus=1"), TypeError, "bogus"),
    },
    "dtype": {
        "arbitrary": [
            ours("str(lib.dtype(arbitrary='int8'))", "'int8'"),
            refused("lib.dtype('bogus')", TypeError, "bogus"),
        ]
    },
    "read_feather": {
        "path": ours(f"lib.read_feather(path={_FEATHER})", "n"),
        "columns": ours(f"lib.read_feather({_FEATHER}, columns=['q'])", "n[['q']]"),
        "use_threads": refused(f"lib.read_feather({_FEATHER}, use_threads=False)"),
        "storage_options": refused(
            f"lib.read_feather({_FEATHER}, storage_options={{'anon': True}})", ValueError, "storage_options"
        ),
        "dtype_backend": refused(f"lib.read_feather({_FEATHER}, dtype_backend='pyarrow')"),
        "**kwargs": refused(f"lib.read_feather({_FEATHER}, bogus=1)", TypeError, "bogus"),
    },
    "read_orc": {
        "path": ours(f"lib.read_orc(path={_ORC})", "n"),
        "columns": ours(f"lib.read_orc({_ORC}, columns=['q'])", "n[['q']]"),
        "filters": [
            ours(
                f"lib.read_orc({_ORC}, filters=[('q', '>', 2)])['q'].tolist()",
                "n[n['q'] > 2]['q'].tolist()",
            ),
            refused(f"lib.read_orc({_ORC}, filters=[('q', 'like', 2)])", ValueError, "filters"),
            refused(f"lib.read_orc({_ORC}, filters=[('q', '>', 'x')])", TypeError, "filters"),
            refused(f"lib.read_orc({_ORC}, filters=[('q', '>', 2)], num_rows=1)"),
        ],
        "stripes": ours(f"lib.read_orc({_ORC}, stripes=[1])", "n.iloc[2:4]"),
        "skiprows": ours(f"lib.read_orc({_ORC}, skiprows=1)", "n.iloc[1:]"),
        "num_rows": ours(f"lib.read_orc({_ORC}, num_rows=1)", "n.iloc[:1]"),
        "timestamp_type": ours(
            "str(lib.read_orc(lib.DataFrame({'t': lib.to_datetime(['2020-01-01'])}).to_orc(), "
            "timestamp_type='datetime64[ms]')['t'].dtype)",
            "'datetime64[ms]'",
        ),
        **{
            name: refused(f"lib.read_orc({_ORC}, {name}={value})")
            for name, value in {
                "dtype_backend": "'pyarrow'",
            }.items()
        },
        "engine": refused(f"lib.read_orc({_ORC}, engine='bogus')"),
        "use_index": refused(f"lib.read_orc({_ORC}, use_index='bogus')", TypeError),
        "filesystem": refused(f"lib.read_orc({_ORC}, filesystem='x')", ValueError, "filesystem"),
        "storage_options": refused(
            f"lib.read_orc({_ORC}, storage_options={{'anon': True}})", ValueError, "storage_options"
        ),
        "**kwargs": refused(f"lib.read_orc({_ORC}, bogus=1)", TypeError, "bogus"),
    },
    "read_parquet_metadata": {"path": ours(f"list(lib.read_parquet_metadata(path={_FILE}))[0]", "4")},
    "describe_option": {
        "pat": ours(
            "'display.max_columns' in lib.describe_option(pat='max_rows', _print_desc=False)", "False"
        ),
        "_print_desc": ours(
            "type(lib.describe_option('display.max_rows', _print_desc=False)).__name__", "'str'"
        ),
    },
    "get_option": {"pat": ours("lib.get_option(pat='display.max_rows')", "60")},
    "set_option": {
        "*args": (
            "within(lib.option_context('display.max_rows', 5), "
            "lambda: (lib.set_option('display.max_rows', 7), lib.get_option('display.max_rows'))[1])",
            "within(lib.option_context('display.max_rows', 5), "
            "lambda: (lib.set_option('display.max_rows', 8), lib.get_option('display.max_rows'))[1])",
        )
    },
    "reset_option": {
        "pat": ours(
            "within(lib.option_context('display.max_rows', 5), "
            "lambda: (lib.reset_option(pat='display.max_rows'), lib.get_option('display.max_rows'))[1])",
            "60",
        )
    },
    "show_versions": {
        "as_json": refused("lib.show_versions(as_json=3)", TypeError),
    },
    "set_eng_float_format": {
        "accuracy": (_ENGINEERS.replace("CALL", "(accuracy=1)"), _ENGINEERS.replace("CALL", "(accuracy=2)")),
        "use_eng_prefix": _ENGINEERS.replace("CALL", "(use_eng_prefix=True)"),
    },
    "option_context": {
        "*args": (
            "within(lib.option_context('display.max_rows', 5), lambda: lib.get_option('display.max_rows'))",
            "within(lib.option_context('display.max_rows', 6), lambda: lib.get_option('display.max_rows'))",
        )
    },
}
