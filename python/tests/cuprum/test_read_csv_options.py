"""Every option of `read_csv` beside pandas, alone and several at once."""

import bz2
import csv
import io
import lzma
import re
import tarfile
import warnings
import zipfile
from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from oracle import assert_like

import cuprum

PLAIN = "k,a,b\n1,2.5,x\n2,,y\n3,4.5,-\n"
QUOTED = 'k,a,b\n1,"x, y",2\n2,"say ""hi""",3\n'


def both(text, **options):
    content = text if isinstance(text, bytes) else text.encode()
    ours = cuprum.read_csv(io.BytesIO(content), **options)
    theirs = pd.read_csv(io.BytesIO(content), **options)
    assert_like(ours, theirs)


def named(value):
    """Return the name of a case, the same in every process: functions print where they are in memory."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (PLAIN, {"engine": "c"}),
        (PLAIN, {"low_memory": False, "memory_map": False}),
        (PLAIN, {"converters": {"b": str.upper}}),
        (PLAIN, {"converters": {1: lambda text: float(text or 0) * 2}}),
        (PLAIN, {"converters": {"b": len, "absent": len}}),
        ("a,a,b\n3,4,5\n", {"converters": {"a": len}}),
        ("a,a,b\n3,4,5\n", {"converters": {"a.1": len}}),
        (PLAIN, {"converters": {"k": lambda text: text + "!"}, "index_col": "k"}),
        (PLAIN, {"usecols": lambda name: name in ("k", "b")}),
        (PLAIN, {"skiprows": [1]}),
        (PLAIN, {"skiprows": [1, 3]}),
        (PLAIN, {"skiprows": range(1, 3)}),
        (PLAIN, {"skiprows": lambda line: line == 2}),
        (QUOTED, {"skiprows": [1]}),
        (QUOTED, {"skiprows": lambda line: line == 1}),
        (PLAIN, {"skipfooter": 1, "engine": "python"}),
        (PLAIN + "\nend\n", {"skipfooter": 2, "engine": "python"}),
        (QUOTED, {"skipfooter": 1, "engine": "python"}),
        (PLAIN, {"na_values": {"b": ["-"]}}),
        (PLAIN, {"na_values": {"b": "y", "k": [2]}}),
        (PLAIN, {"na_values": {"b": ["-"]}, "keep_default_na": False, "dtype": {"a": str}}),
        (PLAIN, {"na_values": [2]}),
        (PLAIN, {"na_values": {"a": 2.5}}),
        (PLAIN, {"dtype": defaultdict(lambda: "str", k="int32")}),
        (PLAIN, {"dtype": {"b": "category"}}),
        (PLAIN, {"dtype": {"b": pd.CategoricalDtype(["y", "x", "z", "-"])}}),
        (PLAIN, {"dtype": {"k": pd.CategoricalDtype([1, 2, 5, 3])}}),
        ("a,b\n1, x\n2,  y\n", {"skipinitialspace": True}),
        (" a, b\n  1,   x\n 2,y \n\n , \n", {"skipinitialspace": True}),
        ('a, b\n1, "x, y"\n', {"skipinitialspace": True}),
        ("a; b\r\n 1; x\r\n", {"skipinitialspace": True, "sep": ";"}),
        ("a, b\n1, x # y\n", {"skipinitialspace": True, "comment": "#"}),
        ("a,b\n1,!,x\n2,y\n", {"escapechar": "!"}),
        ('a,b\n1,"x!"y"\n', {"escapechar": "!", "doublequote": False}),
        ("a,b\n1,'x'\n", {"quoting": csv.QUOTE_NONE}),
        ('a,b\n1,"x\n2,y"\n', {"quoting": csv.QUOTE_NONE}),
        (QUOTED, {"quoting": csv.QUOTE_ALL}),
        (QUOTED, {"quoting": csv.QUOTE_NONNUMERIC}),
        ("a,b~1,x~2,y~", {"lineterminator": "~"}),
        ("a,b\n1,x\n", {"lineterminator": "\n"}),
        ("a;b\n1;x\n", {"sep": None, "engine": "python"}),
        ("a  b\n1 \t x\n 22 y \n", {"sep": r"\s+"}),
        ('a  b\n1 "x y"\n', {"sep": r"\s+"}),
        ("a::b\n1::x\n", {"sep": "::", "engine": "python"}),
        ("a, b;c\n1,2;3\n", {"sep": "[,;] *", "engine": "python"}),
        ("a|b\n1|x\n", {"dialect": "pipes"}),
        ("a,b\n1,x\n2,y,3\n4,z\n", {"on_bad_lines": "skip"}),
        (
            "a,b\n1,x\n2,y,3\n4,z\n",
            {"on_bad_lines": lambda fields: [fields[0], "".join(fields[1:])], "engine": "python"},
        ),
        ("a,b\n1,x\n2,y,3\n4,z\n", {"on_bad_lines": lambda fields: None, "engine": "python"}),
        ("t,a\n13/02/2020,1\n01/03/2021,2\n", {"parse_dates": ["t"], "dayfirst": True}),
        ("t,a\n13|02|2020,1\n01|03|2021,2\n", {"parse_dates": ["t"], "date_format": "%d|%m|%Y"}),
        ("t,a\n13|02|2020,1\n,2\n", {"parse_dates": ["t"], "date_format": {"t": "%d|%m|%Y"}}),
        ("t,a\n02/13/2020,1\n03/01/2021,2\n", {"parse_dates": ["t"]}),
        ("t,a\n20200213,1\n20210301,2\n", {"parse_dates": ["t"], "date_format": "%Y%m%d", "index_col": "t"}),
        ("a,a\nx,y\n1,2\n3,4\n", {"header": [0, 1]}),
        ("u,a,a\nv,x,y\nr,,\n1,2,3.5\n3,4,z\n", {"header": [0, 1], "index_col": 0}),
        (",a,a\n,x,y\n1,2,3.5\n3,4,z\n", {"header": [0, 1], "index_col": [0]}),
        ("p,q,a,a\n,,x,y\n1,u,2,3.5\n3,v,4,z\n", {"header": [0, 1], "index_col": [0, 1]}),
        ("a,b\nx,y\n1,2\n3,4\n", {"header": [0, 1], "nrows": 1}),
        ("1,2\n3,4\n", {"names": [10, 20]}),
        ("1,2\n3,4\n", {"names": [1, 0], "index_col": 1}),
        ("1,2\n3,4\n", {"header": None, "index_col": 0}),
        ("1, 2\n3, 4\n", {"header": None, "skipinitialspace": True, "usecols": [1]}),
        ("1, 2\n3, x\n", {"names": ["p", "q"], "skipinitialspace": True, "dtype": {"q": "str"}}),
        ("a, b\n1, 2\n3, 4\n", {"skipinitialspace": True, "index_col": "b", "nrows": 1}),
        ("a,b\n", {"skipinitialspace": True, "dtype": str}),
        ("a\n\n1\n\n2\n", {"skipinitialspace": True}),
        ("a,b\n\n1,2\n", {"skipinitialspace": True, "skip_blank_lines": False}),
    ],
    ids=named,
)
def test_reading(text, options):
    both(text, **options)


csv.register_dialect("pipes", delimiter="|", quoting=csv.QUOTE_MINIMAL)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "cp1252", "ascii"]
)
def test_encodings_in_read_csv(encoding, tmp_path):
    text = "ä,b\n1,x\n2,é\n" if encoding != "ascii" else PLAIN
    both(text.encode(encoding), encoding=encoding)
    frame = cuprum.DataFrame({"a": ["x", "é" if encoding != "ascii" else "e"]})
    frame.to_csv(tmp_path / "ours.csv", encoding=encoding)
    frame.to_pandas().to_csv(tmp_path / "theirs.csv", encoding=encoding)
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    assert_like(cuprum.read_csv(tmp_path / "ours.csv", encoding=encoding, index_col=0), frame.to_pandas())


def test_bytes_that_are_no_text():
    damaged = b"a,b\n1,x\xff\n"
    for errors in ("ignore", "replace"):
        both(damaged, encoding_errors=errors)
    with pytest.raises(ValueError):
        cuprum.read_csv(damaged, encoding_errors="strict")
    with pytest.raises(UnicodeDecodeError):
        cuprum.read_csv(damaged, encoding="ascii")
    with pytest.raises(LookupError, match="bogus"):
        cuprum.read_csv(damaged, encoding="bogus")


@pytest.mark.parametrize("ending", [".gz", ".zip", ".bz2", ".xz", ".tar", ".tar.gz", ".tar.xz"])
def test_compressions_in_read_csv(ending, tmp_path):
    frame = pd.read_csv(io.StringIO(PLAIN))
    ours, theirs = tmp_path / f"ours.csv{ending}", tmp_path / f"theirs.csv{ending}"
    cuprum.DataFrame(frame).to_csv(ours, index=False)
    frame.to_csv(theirs, index=False)
    for path in (ours, theirs):
        assert_like(cuprum.read_csv(path), frame)
        assert_like(cuprum.from_pandas(pd.read_csv(path)), frame)
    with cuprum.read_csv(theirs, chunksize=2) as reader:
        assert [len(chunk) for chunk in reader] == [2, 1]


def test_compression_by_name(tmp_path):
    path = tmp_path / "data"
    for method, unpack in (("bz2", bz2.decompress), ("xz", lzma.decompress)):
        cuprum.read_csv(PLAIN.encode()).to_csv(path, compression=method, index=False)
        assert unpack(path.read_bytes()).decode() == pd.read_csv(io.StringIO(PLAIN)).to_csv(index=False)
        assert_like(cuprum.read_csv(path, compression=method), pd.read_csv(io.StringIO(PLAIN)))
    cuprum.DataFrame({"a": [1]}).to_csv(path, compression={"method": "zip", "archive_name": "inner.csv"})
    assert zipfile.ZipFile(path).namelist() == ["inner.csv"]
    cuprum.DataFrame({"a": [1]}).to_csv(tmp_path / "a.tar.gz")
    with tarfile.open(tmp_path / "a.tar.gz") as archive:
        assert archive.getnames() == ["a"]
    with pytest.raises(ValueError, match="bogus"):
        cuprum.read_csv(path, compression="bogus")
    path.write_bytes(bz2.compress(PLAIN.encode()))
    told = {"method": "bz2", "compresslevel": 3}
    assert_like(cuprum.read_csv(path, compression=told), pd.read_csv(path, compression=told))
    with pytest.raises(NotImplementedError, match="'preset'"):
        cuprum.read_csv(path, compression={"method": "xz", "preset": 3})
    cuprum.DataFrame({"a": range(9)}).to_csv(path, compression={"method": "xz", "preset": 1}, index=False)
    assert lzma.decompress(path.read_bytes()).startswith(b"a\n0\n1\n")


ROWS = "k,a,b\n" + "".join(f'{i},{i / 4},"x{chr(10)}{i}"\n' for i in range(23))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"index_col": "k"},
        {"nrows": 10},
        {"usecols": ["k", "b"]},
        {"names": list("xyz"), "header": 0},
        {"header": None},
        {"skiprows": 1},
        {"skipinitialspace": True},
        {"dtype": {"k": "float64"}},
        {"header": [0, 1]},
    ],
    ids=named,
)
@pytest.mark.parametrize("rows", [1, 4, 23, 50])
def test_chunks_in_read_csv(options, rows, tmp_path):
    if "skiprows" in options and rows != 4:
        return
    path = tmp_path / "data.csv"
    path.write_text(ROWS)
    with (
        cuprum.read_csv(path, chunksize=rows, **options) as ours,
        pd.read_csv(path, chunksize=rows, **options) as theirs,
    ):
        for one, other in zip(ours, theirs, strict=True):
            assert_like(one, other)


def test_iterator():
    ours, theirs = (lib.read_csv(io.StringIO(ROWS), iterator=True) for lib in (cuprum, pd))
    for size in (3, 1, 7):
        assert_like(ours.get_chunk(size), theirs.get_chunk(size))
    assert_like(ours.read(), theirs.read())
    with pytest.raises(StopIteration):
        ours.get_chunk(1)
    with cuprum.read_csv(io.StringIO(ROWS), iterator=True) as reader:
        pass
    with pytest.raises(ValueError, match="closed"):
        reader.get_chunk(1)


def test_long_chunks(tmp_path):
    """Texts longer than what is read at a time, and fields longer than that."""
    path = tmp_path / "data.csv"
    rows = pd.DataFrame({"a": np.arange(60_000), "b": ["y" * 40] * 60_000})
    rows.loc[30_000, "b"] = 'long, "\n' * 200_000
    rows.to_csv(path, index=False)
    parts = list(cuprum.read_csv(path, chunksize=25_000))
    assert [len(part) for part in parts] == [25_000, 25_000, 10_000]
    assert_like(cuprum.concat(parts), rows)


def test_byte_ranges():
    text = ("k,a\n" + "".join(f"{i},{i * i}\n" for i in range(50))).encode()
    whole = cuprum.read_csv(text)
    parts = [cuprum.read_csv(text, byte_range=(start, 40)) for start in range(0, len(text), 40)]
    joined = cuprum.concat([part for part in parts if len(part)], ignore_index=True)
    assert_like(joined, whole.to_pandas())
    assert_like(cuprum.read_csv(text, byte_range=(0, 0)), whole.to_pandas())
    with pytest.raises(ValueError, match="byte_range"):
        cuprum.read_csv(text, byte_range=(-1, 5))


def test_tables_and_widths():
    text = "a\tb\n1\tx\n"
    assert_like(cuprum.read_table(io.StringIO(text)), pd.read_table(io.StringIO(text)))
    assert_like(cuprum.read_table(io.StringIO(PLAIN), sep=","), pd.read_csv(io.StringIO(PLAIN)))
    text = "a   b   c\n1   xy  2.5\n22  z\n333 u   NA\n"
    for options in (
        {},
        {"widths": [4, 4, 3]},
        {"colspecs": [(0, 3), (4, 6)]},
        {"infer_nrows": 1},
        {"widths": [4, 4, 3], "header": None},
        {"index_col": 0},
        {"dtype": {"a": "float64"}, "skiprows": [1]},
        {"names": ["x", "y", "z"]},
    ):
        ours, theirs = (lib.read_fwf(io.StringIO(text), **options) for lib in (cuprum, pd))
        assert_like(ours, theirs)
    assert [len(part) for part in cuprum.read_fwf(io.StringIO(text), chunksize=2)] == [2, 1]


@pytest.mark.parametrize(
    "options",
    [
        {"widths": [3, 1]},
        {"colspecs": [(0, 3), (3, 4)]},
        {},
        {"widths": [3, 1], "header": None},
        {"widths": [3, 1], "names": ["x", "y"]},
        {"widths": [3, 1], "names": ["x", "y"], "header": 0},
        {"widths": [3, 1], "skiprows": [1]},
        {"widths": [3, 1], "skiprows": 1, "header": None},
        {"widths": [3, 1], "skipfooter": 1},
        {"widths": [3, 1], "nrows": 2},
        {"widths": [3, 1], "index_col": 0},
        {"widths": [3, 1], "skip_blank_lines": False},
        {"widths": [3, 1], "comment": "#"},
        {"widths": [3, 1], "skipinitialspace": True},
        {"widths": [3, 1], "delimiter": "-"},
        {"widths": [3, 1], "quoting": 3},
        {"widths": [3, 1], "usecols": ["b"]},
        {"widths": [3, 1], "converters": {"b": len}},
        {"widths": [1, 2, 1]},
        {"widths": [3, 1], "skiprows": lambda line: line == 2},
    ],
    ids=named,
)
@pytest.mark.parametrize("text", ["a  b\n1  2\n   3\n", 'a  b\n1  2\n\n   3\n - 4\n"  5\n  ,6\n7\n'])
def test_widths_count_blanks(text, options):
    ours, theirs = (lib.read_fwf(io.StringIO(text), **options) for lib in (cuprum, pd))
    assert_like(ours, theirs)
    content = text.encode("utf-16")
    assert cuprum.read_fwf(content, encoding="utf-16", **options).equals(ours)


@pytest.mark.parametrize("labels", [0, [0, 1]])
def test_widths_of_row_labels_without_a_name(labels):
    text = "   b\n1  2\n2  3\n"
    ours, theirs = (lib.read_fwf(io.StringIO(text), widths=[3, 1], index_col=labels) for lib in (cuprum, pd))
    assert_like(ours, theirs)
    assert list(ours.index.names) == list(theirs.index.names)


def test_widths_of_more_fields_than_names():
    """pandas makes labels of those without one."""
    with pytest.raises(ValueError, match="the rows have 2 fields, expected 1"):
        cuprum.read_fwf(b"0  5\n1  6\n", colspecs="infer", names=["x"])


RAGGED = "a,b\n1,2\n\n1,2,3\n# x\n4\n5,6,7,8\n"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (RAGGED, {}),
        (RAGGED, {"comment": "#", "skiprows": [1]}),
        (RAGGED, {"header": None, "comment": "#"}),
        (RAGGED, {"header": None, "names": ["x", "y", "z"]}),
        (RAGGED, {"header": 0, "names": ["x", "y"]}),
        (RAGGED, {"usecols": [0, 1]}),
        (RAGGED, {"index_col": False}),
        (RAGGED.replace(",", "  "), {"sep": r"\s+"}),
        (RAGGED.replace("1,2,3", '1,2,"3\n4"'), {}),
    ],
    ids=named,
)
def test_warned_lines(text, options):
    frames, messages = [], []
    for lib in (cuprum, pd):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            frames.append(lib.read_csv(io.StringIO(text), on_bad_lines="warn", **options))
        messages.append([str(one.message) for one in caught if one.category is pd.errors.ParserWarning])
    assert_like(*frames)
    assert "".join(messages[0]) == "".join(messages[1])
    both(text, on_bad_lines="skip", **options)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        # Lines keep their numbers, whatever is passed over before them.
        ("a b\n\n1 2\n# x\n1 2 3\n", {"sep": r"\s+", "comment": "#"}, "line 5 has 3 fields, expected 2"),
        ('a,b\n"x\ny",2\n"x", 1\n1,2,3\n', {"skipinitialspace": True}, "line 5 has 3 fields, expected 2"),
        ("a,b\n1,2\n1,2\n1,x\n", {"skiprows": [1], "dtype": "int64"}, "line 4, column 'b': 'x'"),
        ('a,b\n1,"2\n', {"escapechar": "!"}, "the quoted field that begins in line 2 does not end"),
        ("a,b\n1,2!", {"escapechar": "!"}, "line 2: the text ends behind an escape character"),
        ("a,b\n1,2!", {"escapechar": "!!"}, "`escapechar` is '!!'"),
        ("\na\n1\n", {"escapechar": "!", "skip_blank_lines": False}, "the line of names is blank"),
        ("".join(map(chr, range(1, 32))) + "\n1\n", {"escapechar": "!"}, "all control characters"),
    ],
    ids=named,
)
def test_errors_of_other_dialects(text, options, message):
    with pytest.raises((ValueError, NotImplementedError), match=re.escape(message)):
        cuprum.read_csv(io.StringIO(text), **options)


def test_other_dialects_in_pieces():
    text = "a  b\n" + "".join(f"{i}   x{i}\n" for i in range(20))
    for options in ({"sep": r"\s+"}, {"sep": r"\s+", "skiprows": [2, 5], "nrows": 9}):
        for rows in (1, 7, 50):
            pieces = [lib.read_csv(io.StringIO(text), chunksize=rows, **options) for lib in (cuprum, pd)]
            for ours, theirs in zip(*pieces, strict=True):
                assert_like(ours, theirs)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"sep": ",", "delimiter": ";"}, ValueError),
        ({"engine": "bogus"}, ValueError),
        ({"on_bad_lines": "bogus"}, ValueError),
        ({"quoting": 9}, (TypeError, ValueError)),
        ({"quotechar": None}, TypeError),
        ({"nrows": -1}, ValueError),
        ({"nrows": 1.5}, ValueError),
        ({"chunksize": 0}, ValueError),
        ({"skipfooter": -1, "engine": "python"}, ValueError),
        ({"skipfooter": 1, "nrows": 1}, ValueError),
        ({"skipfooter": 1, "chunksize": 1}, ValueError),
        ({"header": True}, TypeError),
        ({"header": -1}, ValueError),
        ({"header": [0, -1]}, ValueError),
        ({"index_col": True}, ValueError),
        ({"names": ["a", "a"]}, ValueError),
        ({"converters": [1]}, TypeError),
        ({"parse_dates": "a"}, TypeError),
        ({"usecols": "a"}, ValueError),
        ({"bogus": 1}, TypeError),
    ],
    ids=named,
)
def test_arguments_refused_in_read_csv(options, error):
    for lib in (pd, cuprum):
        with pytest.raises(error):
            lib.read_csv(io.StringIO(PLAIN), **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"keep_default_na": False},
        {"na_values": ["x"]},
        {"na_values": {"a": ["X", "5"]}},
        {"na_values": {"b": ["x"]}},
        {"na_filter": False},
        {"keep_default_na": False, "na_values": ["X"]},
    ],
)
@pytest.mark.parametrize("function", [str.upper, lambda text: text + "!", lambda text: len(text) + 3])
def test_what_converters_give_may_be_missing(options, function):
    text = "a;b\n;1\nNA;2\nx;3\n5;4\n"
    ours, theirs = (
        lib.read_csv(io.StringIO(text), sep=";", converters={"a": function}, **options)
        for lib in (cuprum, pd)
    )
    assert [None if one != one else one for one in ours["a"].to_list()] == [
        None if one != one else one for one in theirs["a"].to_list()
    ]


@pytest.mark.parametrize("header", [0, [0, 1], None])
def test_types_by_position(header):
    lines = {0: "a,b\n1,2\n", None: "1,2\n"}.get(header if header != [0, 1] else "several", "a,b\nc,d\n1,2\n")
    read = cuprum.read_csv(io.StringIO(lines), header=header, dtype=["float32", "str"])
    by_label = pd.read_csv(io.StringIO(lines), header=header)
    expected = by_label.astype(dict(zip(by_label.columns, ["float32", "str"], strict=True)))
    assert_like(read, expected)
    if header != [0, 1]:
        used = cuprum.read_csv(io.StringIO(lines), header=header, dtype=["float32", "str"], usecols=[1])
        assert_like(used, expected.iloc[:, 1:])
    with pytest.raises(ValueError, match="1 types for 2 columns"):
        cuprum.read_csv(io.StringIO(lines), header=header, dtype=["float32"])
