"""`to_csv`: every option beside pandas."""

import csv
import io
import re
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import SMALL, agree, assert_like
from small_frames import FLOATS

import cuprum


@pytest.mark.parametrize(
    "program",
    [
        # What a function writes is not written again.
        "f.to_csv(decimal=',', float_format=lambda x: f'{x:.3f}')",
        "f.to_csv(decimal=',', float_format='%.3f')",
    ],
)
def test_what_a_function_formats_is_written_as_it_is(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    "code",
    [
        # Labels of columns have formats, too.
        "df.set_axis(lib.to_datetime(['2020-01-01', '2021-01-01']), axis=1).to_csv(date_format='%Y')",
        "df.set_axis([1.5, 2.25], axis=1).to_csv(float_format='%.1f', decimal=',')",
    ],
)
def test_labels_of_columns_have_formats(code):
    agree(code, df=FLOATS)


def named(value):
    """Return the name of a case, the same in every process: functions print where they are in memory."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))


FRAME = pd.DataFrame(
    {
        "i": [1, -2, 3],
        "f": [1.5, np.nan, -0.001],
        "s": ['a "b"', "x,y", "\n\\'!"],
        "t": pd.to_datetime(["2020-01-02 03:04:05", None, "2021-02-03 00:00:00"]),
        "b": [True, False, True],
    }
)


@pytest.mark.parametrize(
    "options",
    [
        *({"quoting": quoting} for quoting in (0, 1, 2)),
        *({"quoting": quoting, "na_rep": "NA", "index": False} for quoting in (0, 1, 2)),
        {"quoting": 3, "escapechar": "\\"},
        {"quoting": 3, "escapechar": "!", "sep": ";"},
        {"quoting": 2, "float_format": "%.1f"},
        {"quotechar": "'"},
        {"quotechar": "|", "doublequote": False, "escapechar": "!"},
        {"doublequote": False, "escapechar": "\\"},
        {"escapechar": "!"},
        {"quoting": 1, "escapechar": "!", "doublequote": False},
        {"float_format": "%.2f"},
        {"float_format": "{:.3e}"},
        {"float_format": "%g", "decimal": ","},
        {"float_format": lambda value: f"<{value:.1f}>"},
        {"decimal": ","},
        {"decimal": ",", "sep": ";"},
        {"date_format": "%d.%m.%Y"},
        {"date_format": "%H", "quoting": 2},
        {"header": ["v", "w", "x", "y", "z"]},
        {"header": ["v", "w"], "columns": ["i", "f"]},
        {"index_label": "row"},
        {"index_label": False},
        {"lineterminator": "\r\n"},
        {"lineterminator": "~", "columns": ["i", "t"]},
        {"chunksize": 10},
        {"errors": "ignore", "encoding": "ascii"},
    ],
    ids=named,
)
def test_options_of_to_csv(options):
    assert cuprum.DataFrame(FRAME).to_csv(**options) == FRAME.to_csv(**options)
    for index in ("f", ["s", "f"], ["t", "i"]):
        if isinstance(options.get("header"), list):
            continue
        labelled = FRAME.set_index(index)
        more = options | (
            {"index_label": ["l", "m"][: labelled.index.nlevels]} if "index_label" in options else {}
        )
        if options.get("columns") is None:
            assert cuprum.DataFrame(labelled).to_csv(**more) == labelled.to_csv(**more)


OBJECTS = pd.DataFrame(
    {
        "d": [Decimal("1.50"), None, Decimal("-3.00")],
        "c": pd.cut([1, 2.5, np.nan], [0, 2, 3]),
        "q": pd.qcut([1, 2, 3], 2),
        "i": pd.arrays.IntervalArray.from_breaks(pd.to_datetime(["2020", "2021", "2022", "2023"])),
        "l": [[1, None], None, []],
        "t": [["a,b", 'c"d'], ["é"], None],
        "s": [{"x": 1, "y": "z"}, None, {"x": None, "y": None}],
        "b": [b"x\n", None, b"\xff"],
        "k": pd.Categorical([Decimal("1.5"), None, Decimal("1.5")]),
        "p": ["x", "y", None],
    }
)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"index": False, "quoting": 1},
        {"sep": ";", "na_rep": "-", "decimal": ",", "float_format": "%.1f", "date_format": "%Y"},
        {"columns": ["l", "p"], "quoting": 2},
        {"columns": ["d"], "header": False},
    ],
    ids=named,
)
def test_objects_are_written_as_texts(options):
    ours = cuprum.DataFrame(OBJECTS)
    assert ours.to_csv(**options) == OBJECTS.to_csv(**options)
    for labels in ("c", "d", ["i", "p"]):
        if "columns" not in options:
            assert ours.set_index(labels).to_csv(**options) == OBJECTS.set_index(labels).to_csv(**options)
    assert ours["d"].to_csv() == OBJECTS["d"].to_csv()


def test_groups_of_intervals_are_written():
    ours, theirs = (lib.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]}) for lib in (cuprum, pd))
    counts = [
        frame.groupby(lib.cut(frame["a"], [0, 1, 3]), observed=True)["b"].sum().to_csv()
        for lib, frame in ((cuprum, ours), (pd, theirs))
    ]
    assert counts[0] == counts[1]


def test_decimals_among_quoted_texts_are_refused():
    with pytest.raises(NotImplementedError, match="`quoting`=2 of decimals, which column 'd' has"):
        cuprum.DataFrame(OBJECTS).to_csv(quoting=2)


def both(text, **options):
    content = text if isinstance(text, bytes) else text.encode()
    ours = cuprum.read_csv(io.BytesIO(content), **options)
    theirs = pd.read_csv(io.BytesIO(content), **options)
    assert_like(ours, theirs)


DECIMALS = [cuprum.Decimal32Dtype(5, 2), cuprum.Decimal64Dtype(5, 2), cuprum.Decimal128Dtype(5, 2)]


@pytest.mark.parametrize("dtype", [*DECIMALS, pd.ArrowDtype(pa.decimal128(5, 2))], ids=str)
def test_decimals_are_written_exactly(dtype):
    content = b"a,b\n1.5,1\n,2\n-12.34,3\n"
    values = [Decimal("1.50"), None, Decimal("-12.34")]
    for options in ({}, {"sep": "[,]"}, {"skipfooter": 0, "skiprows": [9]}):
        frame = cuprum.read_csv(content, dtype={"a": dtype}, **options)
        assert str(frame["a"].dtype) == str(cuprum.Series([], dtype=dtype).dtype)
        assert frame["a"].to_arrow().to_pylist() == values
        assert str(frame["b"].dtype) == "int64"
    both = cuprum.read_csv(content, dtype=dtype)
    assert both["b"].to_arrow().to_pylist() == [Decimal(1), Decimal(2), Decimal(3)]
    marked = cuprum.read_csv(b"a;b\n1.2,5;1\n", sep=";", decimal=",", thousands=".", dtype={"a": dtype})
    assert marked["a"].to_arrow().to_pylist() == [Decimal("12.50")]
    twice = cuprum.read_csv(b"a,a\n1,2\n", dtype={"a": dtype})
    assert twice["a.1"].to_arrow().to_pylist() == [Decimal(2)]
    for text, error in ((b"x", ValueError), (b"1.555", ValueError), (b"123456", OverflowError)):
        with pytest.raises(error, match="column 'a'"):
            cuprum.read_csv(b"a,b\n" + text + b",1\n", dtype={"a": dtype})


def test_to_csv_of_a_series():
    for name in ("f", "s", "t"):
        column = FRAME[name]
        assert cuprum.Series(column).to_csv() == column.to_csv()
        assert cuprum.Series(column).to_csv(header=["x"], index=False) == column.to_csv(
            header=["x"], index=False
        )
    assert cuprum.Series([1, 2]).to_csv(quoting=1) == pd.Series([1, 2]).to_csv(quoting=1)


def test_precision_of_floats():
    for precision in ("high", "legacy", "round_trip"):
        frame = cuprum.read_csv(b"a\n0.30000000000000004\n", float_precision=precision)
        assert frame["a"].tolist() == [0.30000000000000004]
    with pytest.raises(ValueError, match="float_precision"):
        cuprum.read_csv(b"a\n1\n", float_precision="bogus")


def test_modes_of_files(tmp_path):
    ours, theirs = cuprum.DataFrame(FRAME), FRAME
    for frame, path in ((ours, tmp_path / "ours"), (theirs, tmp_path / "theirs")):
        frame.to_csv(path)
        frame.to_csv(path, mode="a", header=False)
        with pytest.raises(FileExistsError):
            frame.to_csv(path, mode="x")
        with pytest.raises((csv.Error, ValueError)):
            frame.to_csv(path, quoting=3)
    ours.to_csv(tmp_path / "ours", mode="a"), theirs.to_csv(tmp_path / "theirs", mode="a")
    file = io.BytesIO()
    ours.to_csv(file, encoding="utf-16", mode="wb")
    assert file.getvalue() == theirs.to_csv().encode("utf-16")
    with pytest.raises(ValueError, match="mode"):
        ours.to_csv(tmp_path / "ours", mode="r")
    with pytest.raises(UnicodeEncodeError):
        cuprum.DataFrame({"a": ["é"]}).to_csv(tmp_path / "ours", encoding="ascii")


# Fields in which everything that has a meaning may stand.
_TEXTS = st.text(st.sampled_from(list("ab1.,;'\"!\\ \t\n~é-")), max_size=4)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.tuples(_TEXTS, st.integers(-9, 9), st.none() | st.floats(-9, 9)), min_size=1, max_size=6
    ),
    sep=st.sampled_from(",;\t"),
    quotechar=st.sampled_from("\"'"),
    quoting=st.sampled_from([0, 1, 2, 3]),
    doublequote=st.booleans(),
    decimal=st.sampled_from("._"),
    na_rep=st.sampled_from(["", "NA", "-"]),
    index=st.booleans(),
)
def test_to_csv_and_read_csv_there_and_back(
    rows, sep, quotechar, quoting, doublequote, decimal, na_rep, index
):
    frame = pd.DataFrame(rows, columns=["s", "i", "f"]).astype({"f": "float64"})
    options = {
        "sep": sep,
        "quotechar": quotechar,
        "quoting": quoting,
        "doublequote": doublequote,
        "decimal": decimal,
    }
    options["escapechar"] = "!" if quoting == 3 or not doublequote else None
    written = frame.to_csv(na_rep=na_rep, index=index, **options)
    assert cuprum.DataFrame(frame).to_csv(na_rep=na_rep, index=index, **options) == written
    options |= {"na_values": {"f": [na_rep]}, "dtype": {"s": "str", "f": "float64", "i": "int64"}}
    options |= {"keep_default_na": False, "index_col": 0 if index else None}
    try:
        theirs = pd.read_csv(io.StringIO(written), **options)
    except ValueError:
        return
    assert_like(cuprum.read_csv(io.StringIO(written), **options), theirs, kept=[None])
