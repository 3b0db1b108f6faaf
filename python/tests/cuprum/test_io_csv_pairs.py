"""`read_csv` beside pandas over files and pairs of options: the same, or an error, never something else in silence."""

import csv
import gzip
import io
import warnings
from itertools import islice

import pandas as pd
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from oracle import agree

import cuprum

CELLS = [
    "1", "2", "-3", "0", "1.5", "x", "y", "", "NA", "nan", "true", "False", "1,0", "1 ", "1 ,", "' q'", " 1", "007",
    "1e3", "1e 1", "inf", "-", "#c", "#N/A", "a b", "2020-01-01", "é", "+5", "1.0", "10", "0x1", "None",
]  # fmt: skip
NAMES = ["a", "b", "c", "a", "", "Unnamed: 0", "a.1", "1", "x y"]


@st.composite
def files(draw):
    """A text, its separator and its names."""
    separator = draw(st.sampled_from([",", ";", "\t"]))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4))
    few = draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=4))
    lines = [separator.join(names)]
    labels = draw(st.sampled_from([0, 0, 0, 1, 2]))
    for _ in range(draw(st.integers(0, 6))):
        width = len(names) + labels + draw(st.sampled_from([0, 0, 0, 0, 0, 0, 1, -1]))
        cells = draw(st.lists(st.sampled_from(few), min_size=max(width, 1), max_size=max(width, 1)))
        quoted = [separator in cell or draw(st.integers(0, 9)) == 0 for cell in cells]
        lines.append(separator.join(f'"{c}"' if q else c for c, q in zip(cells, quoted, strict=True)))
        if draw(st.integers(0, 9)) == 0:
            lines.append(draw(st.sampled_from(["", " ", "#comment"])))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join(lines) + draw(st.sampled_from([end, ""])), separator, names


OPTIONS = {
    "header": lambda names: [None, 0, 1],
    "names": lambda names: [[f"n{i}" for i in range(len(names))]],
    "index_col": lambda names: [False, 0, names[0], list(range(min(len(names), 2)))],
    "usecols": lambda names: [[0], [len(names) - 1], [names[0]]],
    "dtype": lambda names: [str, {names[0]: str}, {names[0]: float}, {names[-1]: "category"}, {0: str}],
    "skiprows": lambda names: [1, 2, [1], [0], [2, 3]],
    "skipfooter": lambda names: [1, 2, 3],
    "nrows": lambda names: [0, 1, 2, 5],
    "na_values": lambda names: ["1", ["x", "-"], [1], {names[0]: ["1", "x"]}],
    "keep_default_na": lambda names: [False],
    "na_filter": lambda names: [False],
    "skip_blank_lines": lambda names: [False],
    "thousands": lambda names: [","],
    "decimal": lambda names: [","],
    "comment": lambda names: ["#"],
    "true_values": lambda names: [["x", "1"]],
    "false_values": lambda names: [["y", "0"]],
    "skipinitialspace": lambda names: [True],
    "quoting": lambda names: [1, 3],
    "on_bad_lines": lambda names: ["skip"],
    "converters": lambda names: [{names[0]: len}],
    "encoding": lambda names: ["utf-8"],
}  # fmt: skip


@st.composite
def requests(draw):
    text, separator, names = draw(files())
    chosen = draw(st.lists(st.sampled_from(list(OPTIONS)), min_size=1, max_size=2, unique=True))
    options = {name: draw(st.sampled_from(OPTIONS[name](names))) for name in chosen}
    return text, {"sep": separator} | options


def cell(value):
    """A value without its type: missing values do not change that of a column here."""
    if value is None or value is pd.NA or value != value:
        return None
    if isinstance(value, (str, tuple, pd.Timestamp)):
        return tuple(map(cell, value)) if isinstance(value, tuple) else value
    return float(value)


def shown(frame):
    columns = [[cell(value) for value in frame.iloc[:, i].tolist()] for i in range(frame.shape[1])]
    index = [cell(value) for value in frame.index.tolist()]
    return list(map(str, frame.columns)), list(map(str, frame.index.names)), index, columns


def check(text, options):
    engine = {"engine": "python"} if "skipfooter" in options else {}
    try:
        ours = cuprum.read_csv(text.encode(), **options)
    except (ValueError, TypeError, KeyError, IndexError, NotImplementedError):
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = pd.read_csv(io.BytesIO(text.encode()), **options, **engine)
    except Exception:  # pandas refuses combinations that mean something here
        return
    assert shown(ours.to_pandas()) == shown(theirs)


@settings(max_examples=settings.default.max_examples * 4)
@given(requests())
def test_no_silent_differences(request):
    check(*request)


def untyped(value):
    """A cell as it is in columns of any type: each piece has types of its own."""
    if isinstance(value, tuple):
        return tuple(map(untyped, value))
    if str(value).lower() in ("true", "false"):
        return float(str(value).lower() == "true")
    try:
        number = float(value)
    except (TypeError, ValueError):
        return value
    return None if number != number else number


def without_types(shown):
    labels, names, index, columns = shown
    return labels, names, list(map(untyped, index)), [list(map(untyped, column)) for column in columns]


def in_pieces(read, text, options, rows):
    """What is shown of the frames of so many rows below each other."""
    content = text.encode() if isinstance(text, str) else text
    with read(io.BytesIO(content), chunksize=rows, **options) as reader:
        parts = [part.to_pandas() if read is cuprum.read_csv else part for part in islice(reader, 1000)]
    labels, names, index, columns = shown(parts[0])
    for part in parts[1:]:
        more = shown(part)
        assert more[:2] == (labels, names)
        index += more[2]
        for column, values in zip(columns, more[3], strict=True):
            column += values
    return without_types((labels, names, index, columns))


def check_pieces(text, options, rows):
    try:
        whole = without_types(shown(cuprum.read_csv(text.encode(), **options).to_pandas()))
    except (ValueError, TypeError, KeyError, IndexError, NotImplementedError):
        return
    assert in_pieces(cuprum.read_csv, text, options, rows) == whole
    try:
        theirs = in_pieces(pd.read_csv, text, options, rows)
    except Exception:
        return
    assert whole == theirs


@settings(max_examples=settings.default.max_examples * 4)
@pytest.mark.filterwarnings("ignore::pandas.errors.ParserWarning")
@given(requests(), st.integers(1, 4), st.sampled_from(["", "", "sep", "on_bad_lines"]))
def test_pieces_are_the_whole(request, rows, way):
    """Whichever parser cuts the text."""
    text, options = request
    if "skipfooter" in options or options.get("nrows") == 0:  # refused with `chunksize`, or no rows
        return
    # What these mean depends on the type of a column, which each piece finds for itself.
    if {"true_values", "false_values", "thousands", "decimal", "na_values"} & set(options):
        return
    if way == "sep":
        options["sep"] = f"[{options['sep']}]"
    elif way == "on_bad_lines":
        options["on_bad_lines"] = lambda fields: None
    check_pieces(text, options, rows)


WORDS = ["ab", "1", "-2.5", "", "x y", " s", "a,b", "a;b", 'q"q', "q'q", "l\nn", "#", "é", "back\\slash"]


@st.composite
def dialects(draw):
    """A text as Python's module csv writes it, and what `read_csv` is to know of it."""
    options = {
        "sep": draw(st.sampled_from(",;\t| ")),
        "quotechar": draw(st.sampled_from("\"'")),
        "quoting": draw(st.sampled_from([0, 0, 1, 3])),
        "doublequote": draw(st.booleans()),
        "escapechar": draw(st.sampled_from([None, None, "\\"])),
        "skipinitialspace": draw(st.booleans()),
    }
    if options["quoting"] == 3 or not options["doublequote"]:
        options["escapechar"] = "\\"
    file, width = io.StringIO(), draw(st.integers(1, 3))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    writer = csv.writer(
        file, delimiter=options["sep"], lineterminator=end, **{k: v for k, v in options.items() if k != "sep"}
    )
    few = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5))
    rows = [[f"n{i}" for i in range(width)]] if draw(st.booleans()) else []
    for _ in range(draw(st.integers(1, 9))):
        own = max(width + draw(st.sampled_from([0, 0, 0, 0, 0, -1, 1])), 1)
        rows.append(draw(st.lists(st.sampled_from(few), min_size=own, max_size=own)))
    try:
        writer.writerows(rows)
    except csv.Error:  # an empty field alone, which has to be quoted
        reject()
    options |= {
        name: draw(st.sampled_from(values))
        for name, values in {
            "header": ["infer", None, 0],
            "skiprows": [None, 0, 1, [1], lambda line: line == 2],
            "usecols": [None, None, [0], lambda name: True],
            "skip_blank_lines": [True, False],
            "on_bad_lines": ["error", "skip", "skip", "warn"],
            "comment": [None, None, "#"],
            "nrows": [None, None, 2],
            "dtype": [str, None],
            "encoding": [None, "utf-16", "latin-1"],
            "index_col": [None, None, 0, False],
            "keep_default_na": [True, False],
        }.items()
    }
    if options["sep"] in " \t" and draw(st.booleans()):
        options["sep"] = r"\s+"
    text = file.getvalue()
    if draw(st.integers(0, 3)) == 0:
        text = text.removesuffix(end)
    return text, {name: value for name, value in options.items() if value is not None or name == "header"}


@settings(max_examples=settings.default.max_examples * 4)
@pytest.mark.filterwarnings("ignore::pandas.errors.ParserWarning")
@given(dialects(), st.integers(1, 5), st.booleans())
def test_dialects(made, rows, packed):
    text, options = made
    content = text.encode(options.get("encoding", "utf-8"))
    if packed:
        content, options = gzip.compress(content), options | {"compression": "gzip"}
    try:
        ours = cuprum.read_csv(content, **options).to_pandas()
    except (ValueError, TypeError, KeyError, IndexError, NotImplementedError):
        return
    whole = without_types(shown(ours))
    assert in_pieces(cuprum.read_csv, content, options, rows) == whole
    try:
        theirs = pd.read_csv(io.BytesIO(content), **options)
    except Exception:
        return
    assert shown(ours) == shown(theirs)


BLANK = "a\tb\n" + "1\t2\n" * 40 + "\t\n" * 25 + "3\t4\n" * 40


@pytest.mark.parametrize(
    ("text", "options"),
    [
        # Chunks of nothing but blank rows, and of lines that are passed over.
        (BLANK, {"sep": "\t"}),
        (BLANK.replace("\t", ","), {}),
        ("a\n" + "1\n" * 40 + "\n" * 25 + "2\n" * 40, {"skip_blank_lines": False}),
        ("a\n" + "1\n" * 40 + "\n" * 25 + "2\n" * 40, {}),
        ("a\n" + "1\n" * 40 + "#\n" * 25 + "2\n" * 40 + "#\n" * 25, {"comment": "#"}),
        ("1\n" * 40 + "#\n" * 25 + "2\n" * 40 + "#\n" * 25, {"comment": "#", "header": None}),
        # Chunks of shorter rows.
        ("1,2,3\n" * 20 + "4\n" * 20 + "5,6\n", {"header": None}),
        ("1,2,3\n" * 20 + "4\n" * 20 + "5,6\n", {"header": None, "usecols": [0, 2], "index_col": 0}),
        ("1,2,3\n" * 20 + "4\n" * 20 + "5,6\n", {"header": None, "dtype": {2: str}, "na_values": {0: ["4"]}}),
        # Fields behind the last column, where not all are wanted.
        ("a,b\n" + "1,2\n1,2,3\n" * 20, {"usecols": ["a"]}),
        ("a,b\n" + "1,2\n1,2,3\n" * 20, {"usecols": [1], "skipinitialspace": True, "quotechar": "'"}),
        # Line ends of one kind, and of the other.
        ("x\ry\ra,b\r" + "1,2\r" * 20, {"skiprows": 2}),
        ("x\r\ny\r\na,b\r\n" + "1,2\r\n" * 20, {"skiprows": 2}),
        # Lines that are passed over, which end behind their quotes.
        ('x,"y\nz"\na,b\n' + "1,2\n" * 20, {"skiprows": 1}),
        ('x\n"y","z\n\n"\na,b\n' + "1,2\n" * 20, {"skiprows": 2}),
        # Rows that begin with labels.
        ("a,b\n" + "".join(f"{i},{i},2\n" for i in range(20)), {}),
        ("a,b\n" + "".join(f"{i},{i},2\n" for i in range(20)), {"on_bad_lines": "skip"}),
        ("a,b\n" + "".join(f"{i},'{i}', 2\n" for i in range(20)), {"skipinitialspace": True, "quotechar": "'"}),
        ("a;b\n" + "".join(f"x{i};;{i};;2\n" for i in range(20)).replace(";;", ";"), {"sep": "[;]", "engine": "python"}),
        ("a\n" + "'x', 1\n" * 20, {"skipinitialspace": True, "quotechar": "'", "index_col": False}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("rows", [1, 7, 10, 1000])
@pytest.mark.filterwarnings("ignore:Length of header:pandas.errors.ParserWarning")
def test_found_pieces(text, options, rows):
    check_pieces(text, options, rows)
    theirs = shown(pd.read_csv(io.BytesIO(text.encode()), **options))
    assert in_pieces(cuprum.read_csv, text, options, rows) == without_types(theirs)


@pytest.mark.parametrize("options", [{}, {"skipinitialspace": True, "quotechar": "'"}, {"sep": "[,]"}])
@pytest.mark.parametrize("ways", [{"chunksize": 10}, {"chunksize": 2}, {"iterator": True}, {}])
def test_rows_behind_the_last_that_is_read_say_nothing(options, ways):
    text = "a,b\n1,2\n3,4\n5,6\nx,'y'\n"
    engine = {"engine": "python"} if options.get("sep") else {}
    ours, theirs = (
        lib.read_csv(io.StringIO(text), nrows=3, **options, **ways, **more)
        for lib, more in ((cuprum, {}), (pd, engine))
    )
    if "iterator" in ways:
        ours, theirs = ours.get_chunk(9), theirs.get_chunk(9)
    elif ways:
        ours, theirs = cuprum.concat(ours), pd.concat(theirs)
    assert [str(one) for one in ours.dtypes.tolist()] == [str(one) for one in theirs.dtypes]
    assert shown(ours.to_pandas()) == shown(theirs)


@pytest.mark.parametrize("options", [{}, {"sep": "[,]"}, {"on_bad_lines": lambda fields: None}])
@pytest.mark.parametrize("rows", [1, 2, 4, 6, 9])
def test_blank_lines_are_no_rows(options, rows):
    """pandas' slow parser counts them where it reads all at once."""
    text = "a,b\n1,2\n\n\n3,4\n\n5,6\n\n7,8\n9,10\n\n11,12\n"
    theirs = shown(pd.read_csv(io.StringIO(text), nrows=rows))
    assert shown(cuprum.read_csv(text.encode(), nrows=rows, **options).to_pandas()) == theirs
    for size in (1, 3, 50):
        assert in_pieces(cuprum.read_csv, text, options | {"nrows": rows}, size) == theirs


def test_sizes_of_chunks_may_differ_where_pandas_cuts():
    text = "a|b\n" + "".join(f"{i}|x\n" for i in range(10))
    ours, theirs = (
        lib.read_csv(io.StringIO(text), sep="[|]", engine="python", chunksize=4) for lib in (cuprum, pd)
    )
    for size in (3, None, 1, 9):
        assert shown(ours.get_chunk(size).to_pandas()) == shown(theirs.get_chunk(size))
    with pytest.raises(StopIteration):
        ours.get_chunk(1)


@pytest.mark.parametrize("rows", [3, 50])
@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a\n{0},1\n", {"skipfooter": 1}),
        ("a,b\n{0},{0},1\n", {"skipfooter": 2, "usecols": ["b"]}),
        ("a\nx{0},1\n", {"skipfooter": 1}),
        ("a\nx{0},y,1\n", {"skipfooter": 1}),
        ("a\nx{0},1\n", {"sep": "[,]"}),
        ("a\n{0},1\n", {"on_bad_lines": lambda fields: None}),
        ("a\n00{0},'1'\n", {"skipinitialspace": True, "quotechar": "'"}),
    ],
)
def test_row_labels_without_a_name(text, options, rows):
    """Whichever parser cuts the text."""
    first, row, _ = text.split("\n")
    text = first + "\n" + "".join(row.format(i) + "\n" for i in range(rows))
    engine = {} if "skipinitialspace" in options else {"engine": "python"}
    ours = cuprum.read_csv(text.encode(), **options).to_pandas()
    theirs = pd.read_csv(io.StringIO(text), **options, **engine)
    assert shown(ours) == shown(theirs)
    assert str(ours.dtypes.iloc[0]) == str(theirs.dtypes.iloc[0])


@pytest.mark.parametrize("bad", ["skip", "warn", lambda fields: None])
@pytest.mark.parametrize("usecols", [["a"], [0], lambda name: name == "a"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"skipinitialspace": True, "quotechar": "'"},
        {"escapechar": "!"},
        {"doublequote": False},
        {"skiprows": lambda line: line == 9},
    ],
)
@pytest.mark.parametrize("rows", [None, 2])
def test_fields_too_many_of_columns_that_are_not_read(options, usecols, bad, rows):
    text = "a,b\n1,2\n\"3\",'4',5\n6\n7,8,9\n"
    options = {"usecols": usecols, "on_bad_lines": bad} | options
    ours = (
        in_pieces(cuprum.read_csv, text, options, rows)
        if rows
        else without_types(shown(cuprum.read_csv(text.encode(), **options).to_pandas()))
    )
    engine = {"engine": "python"} if callable(bad) else {}
    assert ours == without_types(shown(pd.read_csv(io.StringIO(text), **options, **engine)))


DATES = "a,b,c\n2020-01-01,2020-02-01,2020-03-01\n2021-01-01,2021-02-01,2021-03-01\n"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        # Names that are there twice have one type.
        ("a,a\n1,2\n", {"dtype": {"a": str}}),
        ("a,a\n1,2\n", {"dtype": {"a": "category"}}),
        # Footers are counted with the lines that are passed over, and names are none.
        ("a,b\n1,2\n3,4\n5,6\n", {"skiprows": [3], "skipfooter": 1}),
        ("a,b\n1,2\n3,4\n5,6\n", {"skiprows": [2], "skipfooter": 2}),
        ("a,b\n1,2\n", {"skipfooter": 3}),
        ("h\n" * 100 + "1\n2\n3\n", {"skiprows": [102], "skipfooter": 2}),
        # Marks of thousands.
        ('a;b\n"1 ,";2\n1,000;4\n', {"thousands": ",", "sep": ";"}),
        # A name is one, even if it looks like none.
        ("Unnamed: 0,b\n1,2\n", {"index_col": 0}),
        ("Unnamed: 0,Unnamed: 0\n1,2\n", {"index_col": [0, 1]}),
        (",Unnamed: 0,\n1,2,3\n", {"index_col": [0, 1, 2]}),
        (",b\n1,2\n", {"index_col": 0}),
        ("Unnamed: 0, b\n1, 2\n", {"index_col": 0, "skipinitialspace": True}),
        (", b\n1, 2\n", {"index_col": 0, "skipinitialspace": True}),
        # A field that is not there is an empty text.
        ("a,b\n1,x\n2\n", {"na_filter": False}),
        ("a,b\n1,x\n2\n", {"keep_default_na": False}),
        # Blanks before an exponent, where there are marks of thousands.
        ("a;b\n1e 1;2\n3;4\n", {"sep": ";", "thousands": ","}),
        ("a;b\n1e1 ;1e+ 1\n1 000;4\n", {"sep": ";", "thousands": " "}),
        ("a;b\n1e 1;2\n3;4\n", {"sep": ";"}),
        # The position of a column of dates is one among those that are read.
        (DATES, {"usecols": [1, 2], "parse_dates": [0]}),
        (DATES, {"usecols": [2, 1], "parse_dates": [1]}),
        (DATES, {"usecols": ["c", "b"], "parse_dates": [-1]}),
        (DATES, {"usecols": lambda name: name != "a", "parse_dates": [1]}),
        (DATES, {"usecols": [1, 2], "index_col": 0, "parse_dates": True}),
        (DATES, {"usecols": [1, 2], "index_col": 1, "parse_dates": [0]}),
        (DATES, {"usecols": [0, 2], "parse_dates": [0, "c"]}),
        (DATES, {"usecols": [1, 2], "header": None, "skiprows": 1, "parse_dates": [0]}),
        (DATES, {"usecols": [1, 2], "names": ["x", "y", "z"], "header": 0, "parse_dates": [1]}),
        # As many names as the first row has fields.
        ("a,b\n1,2,3\n4\n", {"names": ["x", "y", "z"], "header": 0}),
        ("a,b,c\n1\n", {"names": ["x", "y", "z"], "header": 0}),
    ],
)
def test_found_differences(text, options):
    # pandas' other parser reads what ends in a footer, and says so.
    engine = {"engine": "python"} if "skipfooter" in options else {}
    ours = cuprum.read_csv(text.encode(), **options).to_pandas()
    theirs = pd.read_csv(io.BytesIO(text.encode()), **options, **engine)
    assert shown(ours) == shown(theirs)
    if len(theirs):  # else there is nothing to find the types from
        assert [str(one) for one in ours.dtypes] == [str(one) for one in theirs.dtypes]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a,b\n1,2\n3,4,5\n6,7\n", {"index_col": False}),
        ("a,b\n1,2,9\n3,4,5\n6,7\n", {"index_col": False}),
        ("a,b\n1,2,9\n3,4\n6,7,8,9\n", {"index_col": False}),
        ("a,b\n", {}),
        ("a,b\n", {"index_col": False}),
        ("a,b\n1,2\n", {"names": ["x", "y", "z"], "header": 0}),
        ("a,b\n1,2,3\n4,5\n", {"names": ["x", "y", "z"], "header": 0}),
    ],
)
@pytest.mark.filterwarnings("ignore:Length of header:pandas.errors.ParserWarning")
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_pieces(text, options, rows):
    """Each is that of pandas, or both refuse; no more come than there are."""

    def pieces(read, data):
        try:
            with read(data, chunksize=rows, **options) as reader:
                return list(islice(reader, 5))
        except ValueError:
            return None

    ours = pieces(cuprum.read_csv, text.encode())
    theirs = pieces(pd.read_csv, io.BytesIO(text.encode()))
    assert (ours is None) == (theirs is None)
    assert [shown(one.to_pandas()) for one in ours or []] == [shown(one) for one in theirs or []]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "a,b\n1,2\n",
            {"names": ["x", "y", "z"], "header": 0},
            "Too many columns specified: expected 3 and found 2",
        ),
        (
            "a\n1,2\n",
            {"names": ["x", "y", "z"], "header": 0},
            "Too many columns specified: expected 3 and found 2",
        ),
        (
            "a,b\n1,2\n",
            {"names": ["x", "y", "z"], "header": 0, "on_bad_lines": "skip"},
            "Too many columns specified",
        ),
        (
            DATES,
            {"usecols": ["b", "c"], "parse_dates": ["a"]},
            "Missing column provided to 'parse_dates': 'a'",
        ),
        (
            DATES,
            {"usecols": [1, 2], "header": None, "parse_dates": [1]},
            "`parse_dates` has 1, which is the name",
        ),
        (DATES, {"usecols": [0, 2], "parse_dates": ["b"]}, "Missing column provided to 'parse_dates': 'b'"),
        ("a,b\n1,2\n4,5,6\n", {"index_col": False}, "line 3 has 3 fields, expected 2"),
        ("a\n#N/A\n1\n2\n", {"comment": "#", "skipfooter": 1}, "`comment`='#'"),
        ("a\nx\n1\n", {"true_values": ["x", "1"]}, "`true_values`"),
        ("\n1\n", {"skip_blank_lines": False}, "`skip_blank_lines`"),
        ("a,b\n1\n2,3\n", {"na_filter": False, "skipfooter": 1}, "`na_filter`"),
    ],
)
def test_arguments_refused_in_pairs_of_options(text, options, message):
    with pytest.raises((ValueError, NotImplementedError), match=message):
        cuprum.read_csv(text.encode(), **options)


@pytest.mark.parametrize("usecols", [[], (), lambda name: False])
@pytest.mark.parametrize("options", [{}, {"nrows": 1}, {"dtype": {"a": "str"}}, {"header": None}])
def test_no_columns_have_no_rows(usecols, options):
    ours, theirs = (
        lib.read_csv(io.StringIO("a,b\n1,2\n3,4\n"), usecols=usecols, **options) for lib in (cuprum, pd)
    )
    assert ours.shape == theirs.shape == (0, 0)


@pytest.mark.parametrize("words", [{0: ["CAT"]}, {"A": ["CAT"]}, {1: ["CAT"]}, {"B": ["CAT"]}])
@pytest.mark.parametrize("column", [0, "A"])
@pytest.mark.parametrize("keep", [True, False])
def test_missing_words_of_columns_with_functions(words, column, keep):
    options = {"na_values": words, "converters": {column: lambda x: x.lstrip("x")}, "keep_default_na": keep}
    ours, theirs = (
        lib.read_csv(io.StringIO("A,B\nx1,x\nCAT,y\nNA,CAT\n"), **options) for lib in (cuprum, pd)
    )
    assert ours.isna().to_pandas().equals(theirs.isna())
    assert ours.fillna("-").to_pandas().equals(theirs.fillna("-"))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a\n2013-01-01T05:00:00Z\n2013-06-01T05:00:00Z\n", {}),
        ("a\n2020-01-01 00:00:00.25+01:00\n\n2020-01-02 00:00:00.50+01:00\n", {"skip_blank_lines": False}),
        ("a\nx\n2020-01-01T00:00:00-05\n", {"na_values": "x"}),
        ("a,b\n2013-01-01T05:00:00Z,1\n", {"index_col": 0, "parse_dates": True}),
        ("b,a\n1,2013-01-01T05:00:00Z\n", {"usecols": ["a"]}),
        ("2013-01-01T05:00:00Z\n", {"header": None, "parse_dates": [0]}),
        ("a,b\n2013-01-01T05:00:00Z,1\n1,2,3\n", {"on_bad_lines": "skip"}),
        ("a,b\n2013-01-01T05:00:00Z,1,\n2013-01-01T06:00:00Z,2,\n", {"index_col": False}),
        ("a\n2013-01-01\n2013-01-02\n", {}),
        ("a\n2013-01-01 05:00\n2013-01-02 06:00\n", {}),
    ],
)
def test_times_are_in_the_zone_of_their_offset(text, options):
    ours, theirs = (
        lib.read_csv(io.StringIO(text), **{"parse_dates": ["a"]} | options) for lib in (cuprum, pd)
    )
    pd.testing.assert_frame_equal(ours.to_pandas(), theirs)


@pytest.mark.parametrize("offsets", [("+01:00", "Z"), ("", "Z"), ("Z", ""), ("",) * 40_000 + ("Z",)])
@pytest.mark.parametrize("options", [{}, {"on_bad_lines": "skip"}, {"index_col": False}])
def test_times_of_several_offsets_are_refused(offsets, options):
    text = "a,b\n" + "".join(f"2013-01-01T05:00:00{offset},1\n" for offset in offsets)
    with pytest.raises(ValueError, match="mixed time zones detected"):
        cuprum.read_csv(io.StringIO(text), parse_dates=["a"], **options)


def test_times_of_one_offset_may_be_written_differently():
    """pandas leaves texts."""
    text = "a\n2013-01-01T05:00:00.5+01:00\n2013-01-01 05:00:00+0100\n2013-01-01T05:00+01\n"
    times = cuprum.read_csv(io.StringIO(text), parse_dates=["a"])["a"]
    written = ["2013-01-01T05:00:00.5+01:00", "2013-01-01T05:00:00+01:00", "2013-01-01T05:00:00+01:00"]
    assert times.to_pandas().tolist() == [pd.Timestamp(one) for one in written]


@pytest.mark.parametrize(
    "options",
    [
        {"dtype": {"q": "int64", "b": "str"}},
        {"dtype": {"q": "category", 7: "int8", "a": "float32"}},
        {"dtype": {"b": "str"}, "usecols": ["a"]},
        {"converters": {"q": str}},
    ],
    ids=str,
)
def test_types_of_columns_that_are_not_there_are_ignored(options):
    agree(lambda lib: lib.read_csv(io.StringIO("a,b\n2001,x\n2002,y\n"), **options))


MISSING = "Missing column provided to 'parse_dates': "


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"usecols": ["a", "q"]}, ValueError, "`usecols`: there is no column 'q'"),
        ({"usecols": [0, 7]}, ValueError, "`usecols`: column 7 of a file with 2 columns"),
        (
            {"parse_dates": ["a", "q"]},
            ValueError,
            f"{MISSING}the input: `parse_dates`: there is no column 'q'",
        ),
        ({"parse_dates": ["q"], "dayfirst": True}, ValueError, f"{MISSING}'q'"),
        ({"parse_dates": ["q"], "date_format": "%Y"}, ValueError, f"{MISSING}'q'"),
        ({"parse_dates": ["b"], "usecols": ["a"]}, ValueError, f"{MISSING}'b'"),
        ({"parse_dates": [7]}, IndexError, "`parse_dates`: column 7 of a file with 2 columns"),
        ({"index_col": 7}, IndexError, "`index_col` is 7; the file has 2 columns"),
    ],
    ids=str,
)
def test_columns_that_are_not_there_are_refused(options, error, text):
    agree(lambda lib: lib.read_csv(io.StringIO("a,b\n2001,x\n2002,y\n"), **options), refused=(error, text))
