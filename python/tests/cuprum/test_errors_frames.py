"""Bad input: the right exception, a message a person can act on, nothing half-written."""

import contextlib
import io
import os
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import cuprum

GOOD = "a,b\n1,x\n2,y\n"


@pytest.fixture
def frame():
    return cuprum.DataFrame({"number": [1, 2, 3], "text": ["a", "b", None]})


def written(tmp_path, content, name="data.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("read", [cuprum.read_csv, cuprum.read_parquet])
def test_missing_file(read, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.dat"):
        read(tmp_path / "nowhere.dat")
    # A directory of Parquet files is one table.
    is_table = read is cuprum.read_parquet
    with pytest.raises(FileNotFoundError if is_table else IsADirectoryError):
        read(tmp_path)


def test_wrong_separator(tmp_path):
    path = written(tmp_path, "name;size\na;1\nb;2\n")
    frame = cuprum.read_csv(path)  # one column: not an error by itself
    assert frame.shape == (2, 1)
    with pytest.raises(ValueError, match="size") as caught:
        cuprum.read_csv(path, usecols=["size"])
    assert "sep" in str(caught.value) or "name;size" in str(caught.value)


def test_ragged_row(tmp_path):
    path = written(tmp_path, "a,b\n1,2\n3,4,5\n6,7\n")
    with pytest.raises(ValueError) as caught:
        cuprum.read_csv(path)
    message = str(caught.value)
    assert "data.csv" in message
    assert "line 3" in message
    assert "3 fields, expected 2" in message


def test_ragged_row_in_the_middle_of_many(tmp_path):
    lines = ["a,b"] + [f"{i},text {i}" for i in range(200_000)]
    lines[123_456] += ",extra"
    with pytest.raises(ValueError, match="line 123457"):
        cuprum.read_csv(written(tmp_path, "\n".join(lines)))


def test_undecodable_byte(tmp_path):
    path = written(tmp_path, b"a,b\n1,caf\xe9\n")
    with pytest.raises(ValueError) as caught:
        cuprum.read_csv(path)
    message = str(caught.value)
    assert "data.csv" in message
    assert "line 2" in message
    assert "0xE9" in message


def test_unterminated_quote(tmp_path):
    with pytest.raises(ValueError, match="line 3"):
        cuprum.read_csv(written(tmp_path, 'a,b\n1,x\n2,"y\n3,z\n'))


def test_value_of_another_type(tmp_path):
    path = written(tmp_path, "a,b\n1,x\ntwo,y\n")
    with pytest.raises(ValueError) as caught:
        cuprum.read_csv(path, dtype={"a": "int64"})
    message = str(caught.value)
    assert "line 3" in message
    assert "'a'" in message
    assert "two" in message


def test_empty_file(tmp_path):
    with pytest.raises(ValueError, match=r"data\.csv"):
        cuprum.read_csv(written(tmp_path, ""))
    with pytest.raises(ValueError, match=r"data\.csv"):
        cuprum.read_csv(written(tmp_path, "\n\n"))
    with pytest.raises(ValueError, match=r"data\.parquet"):
        cuprum.read_parquet(written(tmp_path, "", "data.parquet"))


def test_header_without_rows(tmp_path):
    frame = cuprum.read_csv(written(tmp_path, "a,b\n"))
    assert frame.shape == (0, 2)
    assert list(frame) == ["a", "b"]


def test_not_parquet(tmp_path):
    with pytest.raises(ValueError, match="not a Parquet file") as caught:
        cuprum.read_parquet(written(tmp_path, GOOD))
    assert "data.csv" in str(caught.value)
    with pytest.raises(ValueError, match="not a Parquet file"):
        cuprum.read_parquet(written(tmp_path, b"PAR1"))


def test_truncated_parquet(frame, tmp_path):
    path = tmp_path / "a.parquet"
    frame.to_parquet(path)
    whole = path.read_bytes()
    for length in (4, 8, 12, len(whole) // 2, len(whole) - 1, len(whole) - 8):
        with pytest.raises(ValueError, match=r"short\.parquet"):
            cuprum.read_parquet(written(tmp_path, whole[:length], "short.parquet"))


def test_damaged_parquet_never_crashes(frame, tmp_path):
    path = tmp_path / "a.parquet"
    frame.to_parquet(path)
    whole = bytearray(path.read_bytes())
    for at in range(4, len(whole) - 8, 3):
        damaged = bytearray(whole)
        damaged[at] ^= 0xFF
        with contextlib.suppress(
            ValueError, OSError, NotImplementedError, OverflowError, KeyError, MemoryError
        ):
            cuprum.read_parquet(written(tmp_path, bytes(damaged), "damaged.parquet"))


def test_damaged_gzip(tmp_path):
    import gzip

    whole = gzip.compress(GOOD.encode() * 1000)
    with pytest.raises(ValueError, match=r"data\.csv\.gz"):
        cuprum.read_csv(written(tmp_path, whole[: len(whole) // 2], "data.csv.gz"))
    with pytest.raises(ValueError, match=r"data\.csv\.gz"):
        cuprum.read_csv(written(tmp_path, GOOD, "data.csv.gz"))


@pytest.mark.parametrize(
    "expression",
    [
        "frame['numbr']",
        "frame[['text', 'numbr']]",
        "frame.loc[:, 'numbr']",
        "frame.sort_values('numbr')",
        "frame.groupby('numbr')",
        "frame.groupby('text')['numbr']",
        "frame.merge(frame, on='numbr')",
        "frame.drop(columns='numbr')",
        "frame.set_index('numbr')",
        "frame.dropna(subset=['numbr'])",
        "frame.drop_duplicates('numbr')",
        "frame.nlargest(1, 'numbr')",
        "frame.groupby('text').agg({'numbr': 'sum'})",
        "frame.groupby('text').agg(x=('numbr', 'sum'))",
        "frame.astype({'numbr': 'float64'})",
    ],
)
def test_unknown_column_names_the_closest(expression, frame):
    with pytest.raises(KeyError, match="number") as caught:
        eval(expression, {"frame": frame})
    assert "numbr" in str(caught.value)


def test_unknown_column_in_a_file(frame, tmp_path):
    csv = written(tmp_path, "number,text\n1,a\n")
    for options in ({"usecols": ["numbr"]}, {"parse_dates": ["numbr"]}):
        with pytest.raises(ValueError, match="'number'"):
            cuprum.read_csv(csv, **options)
    frame.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(KeyError, match="'number'"):
        cuprum.read_parquet(tmp_path / "a.parquet", columns=["numbr"])


def test_join_on_incompatible_types(frame):
    other = cuprum.DataFrame({"number": ["1", "2"], "x": [1, 2]})
    with pytest.raises(ValueError) as caught:
        frame.merge(other, on="number")
    message = str(caught.value)
    assert "number" in message
    assert "int64" in message
    assert "str" in message


@pytest.mark.parametrize(
    "expression",
    [
        "frame.sample(-1)",
        "lib.read_csv(csv, nrows=-1)",
        "frame.nlargest(2.5, 'number')",
        "frame.head('x')",
        "lib.DataFrame({'a': [1, 2], 'b': [1, 2, 3]})",
        "lib.Series([1, 2], index=[1, 2, 3])",
        "lib.read_csv(csv, sep='')",
        "lib.read_csv(csv, nonsense=1)",
        "lib.read_csv(csv, header=5)",
        "lib.Series([1, 2], dtype='int65')",
        "lib.Series(['x']).astype('int64')",
        "lib.Series([300]).astype('int8')",
        "lib.Series([1.0, float('nan')]).astype('int64')",
        "lib.DataFrame(5)",
        "frame.merge(frame, how='sideways')",
        "frame.to_csv(csv, sep='ab')",
        "frame.rename(5)",
        "frame.set_index([])",
    ],
)
def test_bad_arguments(expression, frame, tmp_path):
    with pytest.raises((ValueError, TypeError, OverflowError)) as caught:
        eval(expression, {"lib": cuprum, "frame": frame, "csv": written(tmp_path, GOOD)})
    assert len(str(caught.value)) > 10


def test_assigning_the_wrong_length(frame):
    with pytest.raises(ValueError, match="2"):
        frame["new"] = [1, 2]
    assert list(frame) == ["number", "text"]
    with pytest.raises(
        ValueError, match="Length mismatch: Expected axis has 2 elements, new values have 1 elements"
    ):
        frame.columns = ["one"]


# Nothing half-written.

FORMATS = {"csv": lambda f, path: f.to_csv(path), "parquet": lambda f, path: f.to_parquet(path)}


@pytest.mark.parametrize("write", FORMATS.values(), ids=FORMATS)
def test_directory_that_is_not_there(write, frame, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        write(frame, tmp_path / "nowhere" / "a.dat")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("write", FORMATS.values(), ids=FORMATS)
def test_target_is_a_directory(write, frame, tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError):
        write(frame, tmp_path / "taken")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize("write", FORMATS.values(), ids=FORMATS)
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_forbidden_directory(write, frame, tmp_path):
    target = tmp_path / "a.dat"
    target.write_text("before")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(PermissionError):
            write(frame, tmp_path / "b.dat")
        assert [p.name for p in tmp_path.iterdir()] == ["a.dat"]
    finally:
        tmp_path.chmod(0o700)
    assert target.read_text() == "before"


FULL_DISK = """
import resource, signal, sys
import cuprum

frame = cuprum.DataFrame({"a": range(200_000), "s": [str(i * 7919) for i in range(200_000)]})
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, resource.RLIM_INFINITY))
try:
    getattr(frame, sys.argv[1])(sys.argv[2])
except OSError as error:
    print("OSError", error)
"""


@pytest.mark.parametrize("method", ["to_csv", "to_parquet"])
def test_a_full_disk_leaves_the_target_as_it_was(method, tmp_path):
    target = tmp_path / "a.dat"
    target.write_text("before")
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, method, str(target)], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.startswith("OSError"), done.stderr
    assert "a.dat" in done.stdout
    assert target.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["a.dat"]


def test_what_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="duplicate column name"):
        cuprum.DataFrame(pd.DataFrame([[1, 2]], columns=["a", "a"])).to_parquet(tmp_path / "a.parquet")
    assert not list(tmp_path.iterdir())


def test_overwriting_works(frame, tmp_path):
    path = tmp_path / "a.parquet"
    path.write_text("before")
    frame.to_parquet(path)
    assert cuprum.read_parquet(path).equals(frame)
    assert [p.name for p in tmp_path.iterdir()] == ["a.parquet"]


# Values of the wrong kind, which the error names with their argument.
WRONG = {
    "df.sum(skipna=ODD)": "skipna",
    "df.all(skipna=ODD)": "skipna",
    "df.std(skipna='no')": "skipna",
    "df.a.mean(skipna=ODD)": "skipna",
    "df.sort_values('a', na_position=ODD)": "na_position",
    "df.sort_index(na_position=ODD)": "na_position",
    "df.a.sort_values(na_position=3)": "na_position",
    "df.rank(method=ODD)": "method",
    "df.rank(na_option=ODD)": "na_option",
    "df.groupby('a').rank(method=ODD)": "method",
    "df[['a']].quantile(0.5, interpolation=ODD)": "interpolation",
    "df.a.quantile(0.5, interpolation=ODD)": "interpolation",
    "df.groupby('a').b.quantile(0.5, interpolation=ODD)": "interpolation",
    "df.a.rolling(2).quantile(0.5, interpolation=ODD)": "interpolation",
    "df.ffill(limit_area=ODD)": "limit_area",
    "df.a.value_counts(normalize=ODD)": "normalize",
    "df.a.value_counts(dropna=ODD)": "dropna",
    "df.a.mode(dropna=ODD)": "dropna",
    "df.a.corr(ODD)": "other",
    "df.a.cov([1, 2])": "other",
    "df.set_index('a', drop=ODD)": "drop",
    "df.isetitem(ODD, 1)": "loc",
    "df.index.insert(ODD, 1)": "loc",
    "cuprum.Index([1]).insert('x', 1)": "loc",
    "cuprum.Index([1]).repeat(1.5)": "repeats",
    "cuprum.cut(df.a, 2, precision=ODD)": "precision",
    "df.s.str.strip(ODD)": "to_strip",
    "df.s.str.find(5)": "sub",
    "df.s.str.rindex(5)": "sub",
    "df.s.str.pad(5, fillchar=3)": "fillchar",
    "df.s.str.pad(5, side=3)": "side",
    "df.s.str.partition(3)": "sep",
    "df.s.str.removeprefix(3)": "prefix",
    "df.s.str.cat(sep=3)": "sep",
    "cuprum.Series(cuprum.date_range('2020', periods=2)).dt.strftime(5)": "date_format",
    "cuprum.date_range('2020', periods=2, unit=5)": "unit",
    "cuprum.date_range('2020', periods=2, inclusive=5)": "inclusive",
    "cuprum.to_datetime([1], unit=5)": "unit",
    "cuprum.to_datetime(['2020'], format=5)": "format",
    "cuprum.to_numeric(['1'], downcast=5)": "downcast",
    "cuprum.IntervalDtype('int64', closed=5)": "closed",
    "cuprum.Series([[2, 1]]).list.sort_values(na_position=5)": "na_position",
    "cuprum.Series([[2, 1]]).list.take([0])": "lists_indices",
    "cuprum.Series([[2, 1]]).list.take([['x']])": "lists_indices",
    "cuprum.Series([[2, 1]]).list.take([[0], [1]])": "lists_indices",
    "cuprum.Series([[2, 1]]).list.get(['x'])": "index",
    "cuprum.Series([[2, 1]]).list.get([0, 0])": "index",
    "cuprum.Series([[2, 1]]).list.get(ODD)": "index",
    "cuprum.Series([[2, 1]]).list.index([1, 2])": "search_key",
    "df.s.str.extract('x')": "pat",
    "df.s.str.extractall('x')": "pat",
    "df.s.str.find('x', 'y')": "start",
    "df.s.str.rfind('x', 0, 'y')": "end",
    "df.s.str.get('x')": "i",
    "df.s.str.slice(step='x')": "step",
    "df.s.str.slice_replace(stop=1.5)": "stop",
    "df.s.str.split('x', n='y')": "n",
    "df.s.str.rsplit('x', n='y', regex=True)": "n",
    "df.s.str.center(1.5)": "width",
    "df.s.str.zfill('x')": "width",
    "df.s.str.wrap(5, tabsize=None)": "tabsize",
    "df.s.str.translate('x')": "table",
    "df.s.str.filter_characters('x')": "table",
    "df.s.str.split_part(5)": "delimiter",
    "df.s.str.ngrams('x')": "n",
    "df.s.str.character_ngrams(-1)": "n",
    "df.s.str.ngrams_tokenize(2**70)": "n",
    "df.s.str.detokenize([0])": "indices",
    "df.s.str.is_vowel(['x', 'y'])": "position",
    "df.s.str.is_consonant([0])": "position",
    "df.s.str.jaccard_index(['x'], 2)": "input",
    "df.s.str.slice_from([0, 0], [0])": "stops",
    "df.s.replace('(', 'x', regex=True)": "to_replace",
    "df.s.where('x')": "cond",
    "df.where(1)": "cond",
    "df.s.mask([True])": "cond",
    "df.s.clip(1, 2)": "lower",
    "df.s.clip(upper=2)": "upper",
    "df.shift('x')": "periods",
    "df.a.round('x')": "decimals",
    "df.round([1])": "decimals",
    "df.a.nlargest('x')": "n",
    "df.nsmallest(1.5, 'a')": "n",
    "cuprum.Series(cuprum.date_range('2020', periods=2)).dt.tz_localize(5)": "tz",
}


class Odd:
    def __repr__(self):
        return "<odd>"


def test_the_first_position_that_a_list_has_not_is_named():
    with pytest.raises(IndexError, match="there is no position 9 for list 1, which has 1 elements"):
        cuprum.Series([[2, 1], [3]]).list.take([[0], [9]])


@pytest.mark.parametrize("code", WRONG)
def test_values_of_the_wrong_kind_are_named_with_their_argument(code):
    df = cuprum.DataFrame({"a": [1, 2], "b": [0.5, None], "s": ["x", "y"]})
    with pytest.raises((TypeError, ValueError), match=rf"\b{WRONG[code]}\b") as caught:
        eval(code, {"df": df, "cuprum": cuprum, "ODD": Odd()})
    assert "_handle" not in str(caught.value) and "not an instance of" not in str(caught.value)


def test_messages_have_no_names_of_the_house():
    df = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]})
    with pytest.raises(TypeError, match="found int"):
        cuprum.json_normalize([1])
    with pytest.raises(TypeError) as caught:
        df.rolling(2).agg([Odd()])
    assert "__name__" not in str(caught.value)


# Keys of dicts that name no column.
UNKNOWN = {
    "df.agg({'a': 'sum', 'zz': 'sum'})": KeyError,
    "df.transform({'zz': 'abs'})": KeyError,
    "df.apply({'zz': 'sum'})": KeyError,
    "df.astype({'zz': 'int8'})": KeyError,
    "df.rename(columns={'zz': 'y'}, errors='raise')": KeyError,
    "df.groupby('a').agg({'zz': 'sum'})": KeyError,
    "df.groupby('a').agg(n=('zz', 'sum'))": KeyError,
    "df.rolling(2).agg({'zz': 'sum'})": KeyError,
    "df.ewm(span=2).agg({'zz': 'mean'})": KeyError,
    "lib.get_dummies(df, columns=['zz'])": KeyError,
    "lib.get_dummies(df.astype(str), columns=['a'], prefix={'zz': 'p'})": KeyError,
    "lib.read_csv(io.StringIO('a,b'), usecols=['zz'])": ValueError,
    "lib.read_csv(io.StringIO('a,b'), parse_dates=['zz'])": ValueError,
}


@pytest.mark.parametrize("code", UNKNOWN)
def test_keys_that_name_no_column_are_named(code):
    for lib in (pd, cuprum):
        df = lib.DataFrame({"a": [1, 2], "b": [3, 4]})
        with pytest.raises(UNKNOWN[code], match=r"zz|'a'"):
            eval(code, {"df": df, "lib": lib, "io": io})


@pytest.fixture
def latin(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("a,b\nstraße,1\né,2\n".encode("latin-1"))
    return path


UNDECODABLE = {
    "lib.read_csv(path)": "encoding=",
    "lib.read_csv(io.BytesIO(path.read_bytes()))": "encoding=",
    "lib.read_csv(path, skipfooter=1, engine='python')": "encoding=",
    "lib.read_csv(path, sep='[,]', engine='python')": "encoding=",
    "lib.read_csv(path, encoding='ascii')": "encoding=",
    "list(lib.read_csv(path, chunksize=1))": "encoding=",
    "lib.read_table(path, sep=',')": "encoding=",
    "lib.read_fwf(path)": "encoding=",
    "lib.read_json(path)": "UTF-8.*encoding=",
    "lib.read_json(path, lines=True)": "UTF-8.*encoding=",
    "lib.read_text(path, '\\n')": "UTF-8.*open",
}


@pytest.mark.parametrize("code", UNDECODABLE)
def test_what_to_do_about_another_encoding(code, latin):
    code_of_json = "json" in code
    if code_of_json:
        latin.write_bytes('[{"a": "é"}]'.encode("latin-1"))
    names = {"path": latin, "io": io}
    if "read_text" not in code:
        with pytest.raises(UnicodeDecodeError):
            eval(code, {"lib": pd, **names})
    with pytest.raises(UnicodeDecodeError, match=UNDECODABLE[code]):
        eval(code, {"lib": cuprum, **names})
    if code_of_json:
        assert cuprum.read_json(latin, encoding="latin-1").to_dict("list") == {"a": ["é"]}


def test_where_the_bytes_are(latin, tmp_path):
    with pytest.raises(UnicodeDecodeError, match=r"position 8: .*a.csv: line 2: byte 0xDF") as caught:
        cuprum.read_csv(latin)
    assert caught.value.object[caught.value.start] == 0xDF
    (tmp_path / "b.csv").write_bytes("a,b\n1,2\n".encode("utf-16"))
    with pytest.raises(UnicodeDecodeError, match='encoding="utf-16"'):
        cuprum.read_csv(tmp_path / "b.csv")


@pytest.mark.parametrize(
    ("statement", "name", "says"),
    [
        ("df.b.astype(int)", "IntCastingNaNError", "row 1: NaN is no integer"),
        ("df.astype({'b': 'int32'})", "IntCastingNaNError", "column 'b'"),
        ("df[['b']].astype('int64')", "IntCastingNaNError", "NaN"),
        ("lib.Index([1.0, np.inf]).astype('int64')", "IntCastingNaNError", "inf is no integer"),
        ("df.query('zz > 1')", "UndefinedVariableError", "it is no column; write @zz"),
        ("df.query('@zz > 1')", "UndefinedVariableError", "local variable 'zz'"),
        ("df.eval('c = zz + 1')", "UndefinedVariableError", "it is no column"),
        ("lib.eval('zz + 1')", "UndefinedVariableError", "name 'zz'"),
        ("df.s.rolling(2).sum()", "DataError", "sum of windows of type str"),
        ("df.expanding().mean()", "DataError", "column 's'"),
    ],
)
def test_classes_of_pandas(statement, name, says):
    """pandas raises the same class; the text is ours."""
    theirs = pd.DataFrame({"b": [1.0, np.nan], "s": ["x", "y"]})
    for lib, df in ((pd, theirs), (cuprum, cuprum.DataFrame(theirs))):
        with pytest.raises(getattr(cuprum.errors, name)) as found:
            eval(statement, {"lib": lib, "df": df, "np": np})
    assert says in str(found.value)


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("df.mean()", "column 's': mean does not take str"),
        ("df.std()", "column 's': std does not take str"),
        ("df.groupby('b').s.var()", "column 's': var does not take str"),
        ("df.s.cumprod()", "cumprod does not take str"),
        ("df.s / 2", "operator / does not take operands of str and int64"),
        ("df.b - 'x'", "operator - does not take operands of float64 and str"),
        ("-df.s", "- does not take str"),
        ("df.s.abs()", "abs does not take str"),
        ("df.s.astype('category').max()", "have no max"),
        ("df.s.astype('category') < 'x'", "not by <"),
        ("df.max(axis=1)", "axis 1"),
        ("df.loc['a':]", "cannot slice an integer index with 'a'"),
        ("bool(df)", "Use a.empty, a.item(), a.any() or a.all()"),
        ("lib.read_csv(io.StringIO('a,b\\n1,2\\n1,2,3,4\\n'))", "the input: line 3 has 4 fields, expected 2"),
    ],
)
def test_messages_name_methods_and_operators(statement, says):
    df = cuprum.DataFrame({"b": [1.0, 2.0], "s": ["x", "y"]})
    with pytest.raises((TypeError, ValueError)) as found:
        eval(statement, {"lib": cuprum, "df": df, "io": io})
    assert says in str(found.value)


@pytest.mark.parametrize(
    "code",
    [
        "lib.get_option('nope')",
        "lib.set_option('nope', 1)",
        "lib.reset_option('nope')",
        "lib.describe_option('nope')",
        "lib.options.display.nope",
    ],
)
def test_unknown_options_have_the_error_of_pandas(code):
    for lib in (pd, cuprum):
        with pytest.raises(pd.errors.OptionError):
            eval(code, {"lib": lib})


@pytest.mark.parametrize("name", ["'zz'", "['a', 'zz']"])
def test_labels_of_rows_that_are_no_column(name):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="Index zz invalid"):
            lib.read_csv(io.StringIO("a,b\n1,2\n"), index_col=eval(name))


@pytest.mark.parametrize("read", ["read_csv", "read_json", "read_parquet", "read_orc"])
def test_what_is_not_there_is_said_once(read):
    with pytest.raises(FileNotFoundError) as caught:
        getattr(cuprum, read)("not_there.txt")
    assert str(caught.value) == "[Errno 2] No such file or directory: 'not_there.txt'"
    assert caught.value.filename == "not_there.txt"


FRAME = cuprum.DataFrame({"a": [1]})


@pytest.mark.parametrize(
    ("method", "name"),
    [
        (FRAME.fillna, "DataFrame.fillna"),
        (FRAME.a.fillna, "Series.fillna"),
        (FRAME.groupby, "DataFrame.groupby"),
        (FRAME.a.groupby, "Series.groupby"),
        (FRAME.drop_duplicates, "DataFrame.drop_duplicates"),
        (FRAME.add, "DataFrame.add"),
        (FRAME.index.sort_values, "Index.sort_values"),
        (FRAME.groupby("a").sum, "DataFrameGroupBy.sum"),
        (FRAME.a.rolling(2).sum, "Rolling.sum"),
    ],
)
def test_methods_are_called_by_the_class_that_users_know(method, name):
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'bogus'"):
        method(bogus=1)
    function = getattr(method, "__func__", None)
    assert function is None or pickle.loads(pickle.dumps(function)) is function


TIMES = pd.Series([1, 2], index=pd.date_range("2020-01-01", periods=2))
WARNING = {
    "repeated columns": lambda lib: lib.DataFrame([[1, 2]], columns=["a", "a"]).to_dict(),
    "labels that are truth values": lambda lib: lib.Series([1, 2]).filter([True, False]),
    "an origin of months": lambda lib: lib.Series(TIMES).resample("ME", origin="start").sum(),
    "an origin of months by a Grouper": lambda lib: (
        lib.Series(TIMES).groupby(lib.Grouper(freq="ME", origin="start")).sum()
    ),
}


@pytest.mark.parametrize("call", WARNING.values(), ids=WARNING)
def test_warnings_name_the_line_of_the_caller(call):
    with pytest.warns() as caught:
        call(cuprum)
    assert {one.filename for one in caught} == {__file__}


def test_errors_have_the_names_of_pandas():
    assert cuprum.errors.MergeError is pd.errors.MergeError
    with pytest.raises(cuprum.errors.EmptyDataError):
        cuprum.read_csv(b"")
    for text in (b"a,b\n1,2\n1,2,3\n", b'a,b\n1,"2\n'):
        with pytest.raises(cuprum.errors.ParserError):
            cuprum.read_csv(text)
    for how in ({}, {"dtype": {"b": "int64"}}, {"parse_dates": ["b"]}):
        first = "2020-01-01" if "parse_dates" in how else "2"
        for lib in (cuprum, pd):
            with pytest.raises(pd.errors.ParserError, match="line 3"):
                lib.read_csv(io.StringIO(f"a,b\n1,{first}\n1,x,3\n"), **how)
    with pytest.raises(AttributeError, match="'zz'"):
        _ = cuprum.errors.zz
