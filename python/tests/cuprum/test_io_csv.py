"""CSV: read like pandas, written so that pandas reads the same."""

import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like, frames, given

import cuprum

TEXT = '''name,n,f,b,t,mixed
a,1,1.5,True,2013-01-01 05:00:00,1
"b, c",2,,False,2013-01-02 00:00:00,x
"say ""hi""",-3,-2.5e3,True,,2.5
日本,4,inf,False,1969-12-31 23:59:59,
NA,5,0.1,True,2000-02-29 00:00:00,True
'''


def both(text, tmp_path, **options):
    path = tmp_path / "data.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    actual, expected = cuprum.read_csv(path, **options), pd.read_csv(path, **options)
    if len(expected):
        assert_like(actual, expected)
    else:  # nothing to find the types from
        assert (actual.shape, list(actual)) == (expected.shape, list(expected))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"parse_dates": ["t"]},
        {"usecols": ["n", "name"]},
        {"usecols": [0, 2]},
        {"nrows": 2},
        {"nrows": 0},
        {"dtype": {"n": "int16", "f": "float32"}},
        {"dtype": {"n": "float64", "b": "str"}},
        {"dtype": str},
        {"na_values": ["x", "a"]},
        {"keep_default_na": False},
        {"index_col": "name"},
        {"index_col": 0},
        {"index_col": ["name", "n"]},
        {"header": None},
        {"skiprows": 1},
        {"names": list("abcdef"), "header": 0},
        {"names": list("abcdef"), "header": None},
        {"names": list("abcdef")},
    ],
    ids=str,
)
def test_options_in_csv(options, tmp_path):
    both(TEXT, tmp_path, **options)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a;b\n1;2,5\n", {"sep": ";", "decimal": ","}),
        ("a\tb\n1\t2\n", {"sep": "\t"}),
        ("a,b\r\n1,2\r\n3,4", {}),
        ("a,b\n1,2\n\n3,4\n", {}),
        ("a,b\n# note\n1,2\n", {"comment": "#"}),
        ("a,b\n'x,y',2\n", {"quotechar": "'"}),
        ('a,b\n"line\nbreak",2\n', {}),
        ("a,b\n1,000,2\n", {"names": ["a", "b", "c"], "header": 0}),
        ('a\n"1,000"\n', {"thousands": ","}),
        ("a,a,b\n1,2,3\n", {}),
        ("a,,b\n1,2,3\n", {}),
        ("a,b\n,\n,\n", {}),
        ("a\n1\n2.5\n", {}),
        ("a\n1\nx\n", {}),
        ("a\n9223372036854775807\n-9223372036854775808\n", {}),
        ("a\n18446744073709551615\n", {}),
        ("a\n1e400\n-1e-400\n", {}),
        ("a\n0.1\n0.30000000000000004\n123456789.123456789\n1e-5\n2.2250738585072014e-308\n", {}),
        ("a\nTrue\nfalse\n", {}),
        ("a\nyes\nno\n", {"true_values": ["yes"], "false_values": ["no"]}),
        ("a\nnan\nNULL\nN/A\n1\n", {}),
        ("a\n 1\n2 \n", {}),
        ("a,b\nx , y\n", {}),
        ("a\n007\n", {}),
        ("a\n+5\n-0\n", {}),
        ("a,b\n", {}),
        ("a\n\u00e9\n\U0001f642\n", {}),
        (b"\xef\xbb\xbfa,b\n1,2\n", {}),
        ("a\n2013-01-01T05:00:00Z\n2013-06-01T05:00:00Z\n", {"parse_dates": ["a"]}),
        ("a\n2013-01-01\n\n2014-01-01\n", {"parse_dates": ["a"], "skip_blank_lines": False}),
    ],
)
def test_texts_in_csv(text, options, tmp_path):
    both(text, tmp_path, **options)


def test_compressed(tmp_path):
    expected = pd.read_csv(io.StringIO(TEXT))
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(TEXT.encode()))
    with zipfile.ZipFile(tmp_path / "a.csv.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", TEXT)
    assert_like(cuprum.read_csv(tmp_path / "a.csv.gz"), expected)
    assert_like(cuprum.read_csv(str(tmp_path / "a.csv.zip")), expected)


def test_sources():
    expected = pd.read_csv(io.StringIO(TEXT))
    assert_like(cuprum.read_csv(io.StringIO(TEXT)), expected)
    assert_like(cuprum.read_csv(io.BytesIO(TEXT.encode())), expected)


@given(frames(i="int?", f="float?", s="str", t="time?", b="bool", max_rows=15))
def test_there_and_back_in_csv(f):
    text = f.ours.to_csv(index=False)
    ours = cuprum.read_csv(io.StringIO(text), parse_dates=["t"])
    theirs = pd.read_csv(io.StringIO(text), parse_dates=["t"])
    if len(f.theirs.dropna(subset="t")):
        assert_like(ours, theirs)
    assert ours.shape == f.theirs.shape
    written = pd.read_csv(io.StringIO(f.theirs.to_csv(index=False)), parse_dates=["t"])
    if len(f.theirs.dropna(subset="t")):
        assert_like(ours, written)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"index": False},
        {"sep": ";"},
        {"header": False},
        {"na_rep": "-"},
        {"columns": ["s", "i"]},
        {"lineterminator": "\r\n"},
    ],
    ids=str,
)
def test_written_text(options, df):
    assert cuprum.DataFrame(df).to_csv(**options) == df.to_csv(**options)


def test_written_text_of_labels(df):
    labelled = df.set_index(["s", "i"])
    assert cuprum.DataFrame(labelled).to_csv() == labelled.to_csv()


def test_written_floats():
    values = [
        0.1,
        1e16,
        123456.789,
        1e-7,
        -0.0,
        5e-324,
        1.7976931348623157e308,
        1 / 3,
        100.0,
        float("inf"),
        1e22,
        12345678901234567.0,
    ]
    df = pd.DataFrame({"f": values})
    assert cuprum.DataFrame(df).to_csv() == df.to_csv()
    again = cuprum.read_csv(io.StringIO(cuprum.DataFrame(df).to_csv(index=False)))
    np.testing.assert_array_equal(again["f"].to_numpy(), df["f"])


def test_written_files(df, tmp_path):
    frame = cuprum.DataFrame(df)
    for name in ("a.csv", "a.csv.gz"):
        frame.to_csv(tmp_path / name, index=False)
        assert_like(
            cuprum.read_csv(tmp_path / name, parse_dates=["t"]),
            pd.read_csv(tmp_path / name, parse_dates=["t"]),
        )


def test_many_rows_in_csv(tmp_path):
    rows = 100_000
    df = pd.DataFrame(
        {
            "i": range(rows),
            "f": [(i * 7919 % 10_007) / 16 for i in range(rows)],
            "s": [f'text "{i % 97}", ü' if i % 5 else None for i in range(rows)],
        }
    )
    df.to_csv(tmp_path / "a.csv", index=False)
    both((tmp_path / "a.csv").read_bytes(), tmp_path)
    cuprum.DataFrame(df).to_csv(tmp_path / "b.csv", index=False)
    assert (tmp_path / "b.csv").read_bytes() == (tmp_path / "a.csv").read_bytes()


@pytest.mark.filterwarnings("ignore::pandas.errors.ParserWarning")
@pytest.mark.parametrize("usecols", [["a", "b"], ["b", "c"], [1, 2]])
@pytest.mark.parametrize("text", ["a,b,c\n1,2,3,\n4,5,6,\n", "a,b,c\n\n1,2,3,7\n4,5,6,8\n"])
def test_rows_longer_than_the_names(usecols, text, tmp_path):
    # pandas takes the first fields as row labels, so that all columns are others.
    if 1 in usecols:
        with pytest.raises(ValueError, match="has 4 fields, expected 3"):
            cuprum.read_csv(text.encode(), usecols=usecols)
    else:
        assert_labelled(text, usecols=usecols)
    both(text, tmp_path, usecols=usecols, index_col=False)


def test_later_rows_that_are_longer_are_cut(tmp_path):
    both("a,b,c\n1,2,3\n4,5,6,7\n", tmp_path, usecols=["a", "c"])
    both("a,b,c,\n1,2,3,\n4,5,6,\n", tmp_path, usecols=["b", "c"])


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("names", [[None, None], ["u", None], ["u", "v"]])
@pytest.mark.parametrize("rows", [[None], ["r"], ["r", None], ["r", "s"]])
def test_hierarchical_columns_are_written_level_by_level(index, names, rows):
    columns = pd.MultiIndex.from_tuples([("A", "x"), ("A", 'y"'), ("ü", 1)], names=names)
    labels = pd.MultiIndex.from_tuples([(1, 2), (3, 4)], names=rows) if len(rows) > 1 else None
    df = pd.DataFrame([[1, 2.5, "a"], [3, None, "b"]], columns=columns, index=labels)
    if labels is None:
        df.index.name = rows[0]
    assert cuprum.DataFrame(df).to_csv(index=index) == df.to_csv(index=index)


@pytest.mark.parametrize("times", [["2020-01-01"], ["2020-07-01 05:06:07.25", None, "1969-12-31"]])
def test_times_of_a_zone_are_written_with_their_offset(times):
    df = pd.DataFrame({"t": pd.to_datetime(times, format="mixed").tz_localize("Europe/Berlin")})
    assert cuprum.DataFrame(df).to_csv() == df.to_csv()
    labelled = df.set_index("t", drop=False)
    assert cuprum.DataFrame(labelled).to_csv() == labelled.to_csv()


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a,b\nx,1,2.5\ny,3,4.5\n", {}),
        ("a,b\nx,1,2.5\ny,3,4.5\n", {"header": 0, "nrows": 1}),
        ("a,b\nx,1,2.5\ny,3,4.5\n", {"dtype": {"a": "float64"}, "na_values": {"b": ["4.5"]}}),
        ("a,b\n7,1,2.5\n9,3,4.5\n8,3,\n", {"dtype": "str"}),
        ("a,b\nx,u,1,2.5\ny,v,3,4.5\n", {}),
        ("a,b\n1,2,\n3,4,\n7,6,\n", {}),
        ("a,b\n5,1,2\n3,4\n4,5,6\n", {}),
        ("a,a\nx,1,2\n", {}),
        ("c\na b\n\nx 1 2\n", {"header": 1, "sep": " "}),
        ('"a","b"\n"x, y",1,2\n', {}),
        ("a,b\n2020-01-01,1,2\n2020-02-01,1,2\n", {"parse_dates": True}),
        ("a,b\nx,1,2\ny,3,4\n", {"converters": {"a": lambda text: text + "!"}}),
        ("a,b\nx,1,2\ny,3,4,5\nz,6,7\n", {"on_bad_lines": "skip"}),
        ("a,b,c\nx,1,2,3\ny,3,4,5\n", {"usecols": ["c", "a"]}),
        ("a,b\nx,u,1,2.5\ny,v,3,4.5\n", {"usecols": ["b"]}),
        ("a,b,c\nx,1,2,3\ny,3,4,5\n", {"usecols": lambda name: name != "b"}),
        ("a,b\n2020-01-01,1,2\n2020-02-01,1,2\n", {"usecols": ["b"], "parse_dates": True}),
    ],
)
def test_rows_that_begin_with_labels(text, options):
    assert_labelled(text, **options)


@pytest.mark.parametrize("options", [{}, {"usecols": ["b"]}, {"nrows": 3}, {"dtype": {"a": "float64"}}])
@pytest.mark.parametrize("rows", [1, 2, 7])
def test_pieces_of_rows_that_begin_with_labels(options, rows):
    text = "a,b\nx,1,2\ny,3,\n\nz,4,7\nu,5,8\nv,6,9\n"
    options = {**options, "chunksize": rows}
    pieces = (list(read(io.StringIO(text), **options)) for read in (cuprum.read_csv, pd.read_csv))
    for actual, expected in zip(*pieces, strict=True):
        same_labels(actual, expected)


def assert_labelled(text, **options):
    """Assert that the first fields of a text are the row labels that pandas makes of them."""
    same_labels(*(read(io.StringIO(text), **options) for read in (cuprum.read_csv, pd.read_csv)))


def same_labels(actual, expected):
    assert_like(actual, expected)
    assert list(actual.index.names) == list(expected.index.names)
    assert actual.index.tolist() == expected.index.tolist()


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a,b\n1,2\n3,4,5\n", {}),
        ("a,b\n5,1,2\n3,4,6,7\n", {}),
        ("a,b\n5,1,2\n", {"names": ["p", "q"]}),
    ],
)
def test_later_rows_may_not_be_longer(text, options):
    for read in (cuprum.read_csv, pd.read_csv):
        with pytest.raises(ValueError, match=r"(?i)expected [23]"):
            read(io.StringIO(text), **options)


@pytest.mark.parametrize(
    "options",
    [
        {"dtype": {1: "str"}},
        {"parse_dates": ["b"]},
        {"converters": {0: str}},
        {"usecols": [1]},
        {"usecols": ["a", "b"]},
    ],
)
def test_positions_and_dates_beside_labels_are_refused(options):
    with pytest.raises(ValueError, match="line 2"):
        cuprum.read_csv(io.StringIO("a,b\nx,1,2020-01-01\n"), **options)


@pytest.mark.parametrize(
    "options",
    [
        "names=['x'], header=0",
        "names=['x']",
        "names=[0], header=0",
        "names=['x', 'y'], header=0",
        "names=['x'], header=0, dtype={'x': float}",
        "names=['x'], header=None, skiprows=1",
        "names=['x'], header=0, index_col=False",
        "names=['x'], header=0, na_values={'x': ['9']}",
        "names=['x'], header=1",
    ],
)
def test_fields_before_those_with_names_are_labels(options):
    agree(f"lib.read_csv(__import__('io').StringIO('a,b,c\\n1,2,3\\n4,5,6\\n'), {options})")


@pytest.mark.parametrize("times", ["2024-01-05", "05/01/2024", "2024-13-05", "9999999", "x"])
@pytest.mark.parametrize(
    "options",
    [
        "parse_dates=['d']",
        "parse_dates=[0], dayfirst=True",
        "parse_dates=['d'], date_format='%Y-%m-%d'",
        "parse_dates=['d'], index_col='d'",
        "parse_dates=True, index_col='d'",
        "parse_dates=['d', 'e']",
        "parse_dates=['d'], sep='[,]', engine='python'",
    ],
)
def test_a_column_with_what_is_no_time_stays_texts(times, options):
    text = f"d,e\\n{times},2024-01-05\\nbad,2024-02-05\\n"
    agree(f"lib.read_csv(__import__('io').StringIO('{text}'), {options})")
