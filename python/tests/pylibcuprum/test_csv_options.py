"""`pylibcuprum.io.csv`: every option of the reader and the writer changes the result as it says."""

import gzip
import io
from datetime import datetime

import pyarrow as pa
import pytest
from io_tables import content, made

from pylibcuprum import DataType, Table, TypeId
from pylibcuprum.io import csv
from pylibcuprum.io.types import CompressionType, QuoteStyle, SinkInfo, SourceInfo

TEXT = b"# x\na,b,c\n1,x,2020-02-01\n2,NA,2020-03-04\n\n3,'z;1',2020-05-06\n"


def read_csv(settings, text=TEXT):
    return csv.read_csv(made(csv.CsvReaderOptions.builder(SourceInfo([text])), settings))


@pytest.mark.parametrize(
    ("text", "settings", "expected"),
    [
        (b"a,b\n1,x\n", [], {"a": [1], "b": ["x"]}),
        (b"a;b\n1;x\n", [("delimiter", ";")], {"a": [1], "b": ["x"]}),
        (b"a;b\n1;x\n", [("set_delimiter", ";")], {"a": [1], "b": ["x"]}),
        (b"z\na,b\n1,x\n", [("set_header", 1)], {"a": [1], "b": ["x"]}),
        (b"1,x\n", [("set_header", -1)], {"0": [1], "1": ["x"]}),
        (b"1,x\n", [("set_header", -1), ("set_prefix", "p")], {"p0": [1], "p1": ["x"]}),
        (b"a,b\n1,x\n", [("set_names", ["p", "q"])], {"p": [1], "q": ["x"]}),
        (b"a,b\n1,x\n", [("set_use_cols_indexes", [1])], {"b": ["x"]}),
        (b"a,b\n1,x\n", [("set_use_cols_names", ["b"])], {"b": ["x"]}),
        (b'a\n"1,000"\n', [("set_thousands", ",")], {"a": [1000]}),
        (b"#q\na\n1\n", [("set_comment", "#")], {"a": [1]}),
        (b"a\n2020-01-02\n", [("set_parse_dates", ["a"])], {"a": [datetime(2020, 1, 2)]}),
        (
            b"a\n02/01/2020\n",
            [("set_parse_dates", [0]), ("dayfirst", True)],
            {"a": [datetime(2020, 1, 2)]},
        ),
        (b"a,b\n1,2\n", [("set_dtypes", {"a": DataType(TypeId.STRING)})], {"a": ["1"], "b": [2]}),
        (b"a\n1\n", [("set_dtypes", [DataType(TypeId.FLOAT64)])], {"a": [1.0]}),
        (b"a\nyes\n", [("set_true_values", ["yes"])], {"a": [True]}),
        (b"a\nno\n", [("set_false_values", ["no"])], {"a": [False]}),
        (b"a\n7\n8\n", [("set_na_values", ["7"])], {"a": [None, 8]}),
        (gzip.compress(b"a\n1\n", mtime=0), [("compression", CompressionType.GZIP)], {"a": [1]}),
        (b"a,a\n1,2\n", [("mangle_dupe_cols", True)], {"a": [1], "a.1": [2]}),
        (b"a\n1\n2\n3\n", [("byte_range_offset", 3), ("byte_range_size", 3)], {"a": [2, 3]}),
        (b"a\n1\n2\n", [("nrows", 1)], {"a": [1]}),
        (b"a\n1\n2\n", [("nrows", -1)], {"a": [1, 2]}),
        (b"z\na\n1\n", [("skiprows", 1)], {"a": [1]}),
        (b"a\n1\nend\n", [("skipfooter", 1)], {"a": [1]}),
        (b'a\n"x"\n', [("quoting", QuoteStyle.NONE)], {"a": ['"x"']}),
        (b'a\n"1"\n', [("quoting", QuoteStyle.ALL)], {"a": [1]}),
        (b"a|1|2|", [("lineterminator", "|")], {"a": [1, 2]}),
        (b"a,b\n'x,y',1\n", [("quotechar", "'")], {"a": ["x,y"], "b": [1]}),
        (b"a;b\n1,5;2\n", [("delimiter", ";"), ("decimal", ",")], {"a": [1.5], "b": [2]}),
        (b"a  b\n1   2\n", [("delim_whitespace", True)], {"a": [1], "b": [2]}),
        (b"a,b\nx, y\n", [("skipinitialspace", True)], {"a": ["x"], "b": ["y"]}),
        (b"a\n1\n\n2\n", [("skip_blank_lines", False)], {"a": [1, None, 2]}),
        (b'a,b\n"x""y",1\n', [("doublequote", True)], {"a": ['x"y'], "b": [1]}),
        (b"a,b\nNA,1\n", [("keep_default_na", False)], {"a": ["NA"], "b": [1]}),
        (b"a,b\nNA,1\n", [("na_filter", False)], {"a": ["NA"], "b": [1]}),
    ],
)
def test_csv_reader(text, settings, expected):
    assert content(read_csv(settings, text)) == expected


def written_csv(table, settings):
    file = io.StringIO()
    csv.write_csv(made(csv.CsvWriterOptions.builder(SinkInfo([file]), Table.from_arrow(table)), settings))
    return file.getvalue()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ([], "0,1\n1,true\n,false\n"),
        ([("names", ["x", "y"])], "x,y\n1,true\n,false\n"),
        ([("na_rep", "-")], "0,1\n1,true\n-,false\n"),
        ([("include_header", False)], "1,true\n,false\n"),
        ([("rows_per_chunk", 8)], "0,1\n1,true\n,false\n"),
        ([("line_terminator", "|")], "0,1|1,true|,false|"),
        ([("inter_column_delimiter", ";")], "0;1\n1;true\n;false\n"),
        ([("true_value", "T")], "0,1\n1,T\n,false\n"),
        ([("false_value", "F")], "0,1\n1,true\n,F\n"),
        ([("quoting", QuoteStyle.ALL)], '"0","1"\n"1","true"\n"","false"\n'),
    ],
)
def test_csv_writer(settings, expected):
    assert written_csv(pa.table({"a": [1, None], "b": [True, False]}), settings) == expected


def test_the_header_of_csv_is_there_beside_names():
    options = csv.CsvReaderOptions.builder(SourceInfo([b"a,b\n1,2\n3,4\n"])).build()
    options.set_names(["x", "y"])
    assert content(csv.read_csv(options)) == {"x": [1, 3], "y": [2, 4]}
    options.set_header(-1)
    assert content(csv.read_csv(options)) == {"x": ["a", "1", "3"], "y": ["b", "2", "4"]}
    skipping = csv.CsvReaderOptions.builder(SourceInfo([b"a,b\n1,2\n3,4\n5,6\n"])).skiprows(1).build()
    skipping.set_names(["x", "y"])
    assert content(csv.read_csv(skipping)) == {"x": [3, 5], "y": [4, 6]}


@pytest.mark.parametrize("text", [b"a,b\n1,2,3\n4,5,6\n", b"a,b\n1,2,\n4,5,\n", b"a,b\n1,2,3,4\n"])
def test_no_field_of_rows_longer_than_the_header_is_lost(text):
    with pytest.raises(
        ValueError, match=r"every row has more fields than there are names, by [12]: set `names`"
    ):
        read_csv([], text)
    with pytest.raises(ValueError, match="more fields than there are names"):
        read_csv([("set_use_cols_names", ["a"])], text)
    named = read_csv([("set_names", list("wxyz")[: text.split()[1].count(b",") + 1])], text)
    assert len(named.columns) == text.split()[1].count(b",") + 1
