"""JSON: read and written as pandas does."""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import warnings
from datetime import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import agree, assert_like

import cuprum

_BESIDE = Path(__file__).resolve().parents[4] / "shared/data"
SUITE = Path(os.environ.get("CUPRUM_TEST_DATA", _BESIDE)) / "json-test-suite/test_parsing"
TABLE = pd.DataFrame(
    {"i": [1, -2, 3], "f": [1.5, 0.1, -2.25], "b": [True, False, True], "s": ["x", "é\n", '"/']}
)


def quiet(call):
    """What pandas returns, without its words on what pandas 4 will do."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


def both(text, **options):
    actual = cuprum.read_json(text.encode(), **options)
    assert_like(actual, quiet(lambda: pd.read_json(io.StringIO(text), **options)))
    return actual


@pytest.mark.parametrize("orient", ["columns", "index", "records", "split", "values"])
@pytest.mark.parametrize("labels", [None, list("xyz"), [3, 1, 2], [0.5, 1.5, 2.5]])
def test_layouts_in_json(orient, labels):
    frame = TABLE if labels is None else TABLE.set_axis(labels)
    text = frame.to_json(orient=orient)
    both(text, orient=orient)
    assert cuprum.DataFrame(frame).to_json(orient=orient) == text
    both(frame.head(0).to_json(orient=orient), orient=orient) if orient in ("records", "values") else None


@pytest.mark.parametrize("orient", ["index", "split"])
@pytest.mark.parametrize("labels", [None, list("xyz"), [3, 1, 2]])
def test_series_in_json(orient, labels):
    series = pd.Series([1.5, 2.0, 4.25], index=labels, name="n")
    text = series.to_json(orient=orient)
    both(text, typ="series", orient=orient)
    both(text, typ="series", orient=orient, convert_dates=False)
    assert cuprum.Series(series).to_json(orient=orient) == text
    both("[40000000, 50000000]", typ="series")
    both("[40000000, 50000000]", typ="series", convert_dates=False)
    both('{"name": 0, "index": [1, 2], "data": [3, 4]}', typ="series", orient="split")


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1, "b": "x"}, {"a": 2.5}]',
        '[{"a": 1.0}, {"a": 2.0}]',
        '[{"a": 1.0}, {"a": null}]',
        '[{"a": "1"}, {"a": "2"}]',
        '[{"a": "1.5"}, {"a": "2"}]',
        '[{"a": "1.5"}, {"a": "x"}]',
        '[{"a": 18446744073709551615}]',
        '[{"a": -0.0, "b": 1e300, "c": 1E-5, "d": -0}]',
        '{"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": "y"}}',
        '{"a": {"0": 1.5, "1": 2}, "b": {"0": "x", "2": "y"}}',
        '{"a": [1, 2], "b": ["x", "y"]}',
        '[[1, "x"], [2, "y"]]',
        "[1, 2, 3]",
        '{"a": {"1.5": 1}}',
        '{"a": {"1577836800000": 1, "1577836800001": 2}}',
        '{"a": {"2020-01-01": 1, "2021-01-01": 2}}',
        '[{"1": 5, "2": 6}]',
        '[{"1": 5, "x": 6}]',
        '[{"2020-01-01": 5, "2021-01-01": 6}]',
        '[{"date": "2020-01-01"}, {"date": "2021-01-01"}]',
        '[{"date": 1577836800000}]',
        '[{"date": 1577836800}]',
        '[{"date": 1577836800.5}]',
        '[{"date": 5, "modified": 1577836800000000, "x_time": 1577836800000000000}]',
        '[{"date": "yesterday", "timestamp2": "1577836800000"}]',
        '[{"t_at": "2020-01-01T00:00:00Z"}, {"t_at": null}]',
        "[]",
        "{}",
    ],
)
@pytest.mark.parametrize(
    "options", [{}, {"dtype": False}, {"convert_axes": False}, {"convert_dates": False}], ids=str
)
def test_types_in_json(text, options):
    both(text, **options)


def test_choices():
    text = '[{"a": "1", "b": 2, "date": 1577836800000, "t": "2020-01-01"}]'
    both(text, dtype={"a": "float32"})
    both(text, dtype={"b": "float32", "date": "int64"})
    both(text, convert_dates=["t"])
    both(text, keep_default_dates=False)
    both(text, date_unit="ms")
    both(text, date_unit="ns")
    both(text, precise_float=True)


LINES = "".join(
    json.dumps({"a": i, "t": f"text {i}", "n": None if i % 3 else i / 4}) + "\n" for i in range(1000)
)


def test_lines(tmp_path):
    both(LINES, lines=True)
    both("\n" + LINES.replace("\n", "\r\n\n") + "  ", lines=True)
    for nrows in (0, 1, 31, 2000):
        if nrows:
            both(LINES, lines=True, nrows=nrows)
        assert len(cuprum.read_json(LINES.encode(), lines=True, nrows=nrows)) == min(nrows, 1000)
    expected = pd.read_json(io.StringIO(LINES), lines=True)
    for ending, pack in (("bz2", bz2.compress), ("xz", lzma.compress)):
        path = tmp_path / f"a.jsonl.{ending}"
        path.write_bytes(pack(LINES.encode()))
        assert_like(cuprum.read_json(path, lines=True), expected)
        path.rename(tmp_path / "a")
        assert_like(cuprum.read_json(tmp_path / "a", lines=True, compression={"method": ending}), expected)
    with pytest.raises(ValueError, match="'tar'"):
        cuprum.read_json(tmp_path / "a", lines=True, compression="tar")
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LINES.encode()))
    assert_like(cuprum.read_json(path, lines=True), expected)
    (tmp_path / "b.jsonl").write_text(LINES)
    twice = pd.concat([expected, expected], ignore_index=True)
    assert_like(cuprum.read_json(tmp_path / "*.json*", lines=True), twice)
    assert_like(cuprum.read_json([path, LINES.encode()], lines=True, nrows=1500), twice.head(1500))
    with pytest.raises(ValueError, match="several files"):
        cuprum.read_json([path, path])


def test_many_lines():
    values = np.arange(200_000)
    frame = pd.DataFrame({"i": values, "f": values / 8, "s": values.astype(str) + " x"})
    frame.loc[150_000:, "late"] = 1.5
    text = frame.to_json(orient="records", lines=True)
    assert_like(cuprum.read_json(text.encode(), lines=True), frame)


def test_nested_values_are_lists_and_structs():
    text = '[{"l": [1, null], "o": {"x": 1, "y": "a"}}, {"l": null, "o": {"x": 2.5}}, {"l": []}]'
    frame = cuprum.read_json(text.encode())
    assert frame["l"].to_arrow().to_pylist() == [[1, None], None, []]
    assert frame["o"].to_arrow().to_pylist() == [{"x": 1.0, "y": "a"}, {"x": 2.5, "y": None}, None]


def test_unlike_values(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"a": 1},\n {"a": "x"}]')
    with pytest.raises(
        ValueError, match=r"a\.json: line 2, column 8: column 'a': a string where there was an integer"
    ):
        cuprum.read_json(path)
    frame = cuprum.read_json(path, mixed_types_as_string=True, dtype=False)
    assert frame["a"].to_list() == ["1", "x"]
    with pytest.raises(OverflowError, match="18446744073709551616"):
        cuprum.read_json(b'[{"a": 18446744073709551616}]')
    with pytest.raises(ValueError, match="the key 'a' twice"):
        cuprum.read_json(b'[{"a": 1, "a": 2}]')


def test_arguments_refused_in_json():
    for options, error, says in [
        ({"orient": "tables"}, ValueError, "orient"),
        ({"orient": "table", "mixed_types_as_string": True}, NotImplementedError, "mixed_types_as_string"),
        ({"orient": "table", "typ": "series"}, NotImplementedError, "typ"),
        ({"orient": "table", "dtype": True}, ValueError, "dtype"),
        ({"orient": "table", "convert_axes": True}, ValueError, "convert_axes"),
        ({"orient": "bogus"}, ValueError, "orient"),
        ({"typ": "bogus"}, ValueError, "typ"),
        ({"nrows": 1}, ValueError, "nrows"),
        ({"nrows": -1, "lines": True}, ValueError, "nrows"),
        ({"lines": True, "orient": "split"}, ValueError, "orient"),
        ({"date_unit": "h"}, ValueError, "date_unit"),
        ({"engine": "pyarrow"}, NotImplementedError, "engine"),
        ({"encoding": "no-such"}, LookupError, "no-such"),
        ({"lines": "yes"}, ValueError, "lines"),
    ]:
        with pytest.raises(error, match=says):
            cuprum.read_json(b"[]", **options)
    with pytest.raises(ValueError, match="line 1, column 2"):
        cuprum.read_json(b"[NaN]")
    with pytest.raises(FileNotFoundError):
        cuprum.read_json("there/is/none.json")


@pytest.mark.skipif(
    not SUITE.is_dir(), reason=f"there is no {SUITE}; CUPRUM_TEST_DATA names the folder above it"
)
def test_what_is_no_json_is_no_frame():
    for path in sorted(SUITE.glob("n_*.json")):
        with pytest.raises((ValueError, OverflowError)):
            cuprum.read_json(path)
    for path in sorted(SUITE.glob("[yi]_*.json")):
        with contextlib.suppress(ValueError, OverflowError):
            cuprum.read_json(path)


WRITTEN = pd.DataFrame(
    {
        "f": [1.0, 1 / 3, None, 1e20],
        "t": pd.to_datetime(
            ["2020-01-01 05:00", None, "1969-12-31 23:59:59.123456", "2000-02-29"], format="ISO8601"
        ),
        "s": ["a/b", None, '"é\t', "日本"],
        "b": [True, False, True, True],
    }
)


@pytest.mark.parametrize(
    "options",
    [
        {},
        *({"orient": orient} for orient in ("split", "records", "index", "columns", "values", "table")),
        {"date_format": "iso"},
        {"date_unit": "us"},
        {"double_precision": 3},
        {"force_ascii": False},
        {"orient": "records", "lines": True},
        {"indent": 2},
        {"orient": "split", "index": False},
    ],
    ids=str,
)
def test_written_as_pandas_writes(options, tmp_path):
    expected = quiet(lambda: WRITTEN.to_json(**options))
    ours = cuprum.DataFrame(WRITTEN)
    assert ours.to_json(**options) == expected
    for ending, unpack in (("gz", gzip.decompress), ("bz2", bz2.decompress), ("xz", lzma.decompress)):
        path = tmp_path / f"a.json.{ending}"
        ours.to_json(path, **options)
        assert unpack(path.read_bytes()).decode() == expected
        assert [p.name for p in tmp_path.iterdir()] == [path.name]
        path.unlink()
    for file in (io.StringIO(), io.BytesIO()):
        ours.to_json(file, **options)
        text = file.getvalue()
        assert (text if isinstance(text, str) else text.decode()) == expected


RECORDS = st.fixed_dictionaries(
    {
        "f": st.floats() | st.floats(-10, 10) | st.integers(-9, 9).map(lambda i: i / 8) | st.none(),
        "g": st.floats(width=32) | st.none(),
        "i": st.integers(-(2**63), 2**63 - 1),
        "s": st.text(max_size=5) | st.text(st.sampled_from('/\\"\x00\x1f\x7fé😀'), max_size=4) | st.none(),
        "t": st.datetimes(datetime(1800, 1, 1), datetime(2200, 1, 1)) | st.none(),
        "b": st.booleans(),
    }
)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(RECORDS, min_size=1, max_size=4),
    lines=st.booleans(),
    precision=st.integers(0, 15),
    date_format=st.sampled_from(["epoch", "iso"]),
    unit=st.sampled_from(["s", "ms", "us", "ns"]),
    ascii=st.booleans(),
    stored=st.sampled_from(["s", "ms", "us", "ns"]),
)
def test_records_as_pandas_writes_them(rows, lines, precision, date_format, unit, ascii, stored):
    frame = pd.DataFrame(rows).astype(
        {"f": "float64", "g": "float32", "s": "str", "t": f"datetime64[{stored}]"}
    )
    frame["c"] = frame["s"].astype("category")
    frame = frame.rename(columns={"g": 'a/"é', "b": 7})
    options = {"lines": lines, "double_precision": precision, "date_format": date_format, "date_unit": unit}
    options |= {"force_ascii": ascii, "orient": "records"}
    expected = quiet(lambda: frame.to_json(**options))
    assert cuprum.DataFrame(frame).to_json(**options) == expected


def test_records_of_values_with_missing_ones():
    frame = cuprum.DataFrame({"i": [1, None], "b": [None, True]}, dtype=None)
    frame = frame.astype({"i": "int64"})
    assert frame.to_json(orient="records", lines=True).splitlines()[0].startswith('{"i":1,')


def test_lines_at_the_end_of_a_file(tmp_path):
    path = tmp_path / "a.json"
    for frame, expected in ((WRITTEN, 4), (cuprum.DataFrame(WRITTEN), 8)):
        quiet(lambda frame=frame: frame.to_json(path, orient="records", lines=True, mode="a"))
        assert len(path.read_text().splitlines()) == expected
    first, second = path.read_text().splitlines()[:4], path.read_text().splitlines()[4:]
    assert first == second
    with pytest.raises(ValueError, match="mode"):
        cuprum.DataFrame(WRITTEN).to_json(path, mode="a")


def test_large_records(tmp_path):
    frame = pd.DataFrame({"i": range(20_000), "s": ["x/y"] * 20_000})
    cuprum.DataFrame(frame).to_json(tmp_path / "a.json", orient="records")
    assert (tmp_path / "a.json").read_text() == frame.to_json(orient="records")


TABLES = {
    "plain": pd.DataFrame({"a": [1, 2], "b": [0.5, None], "s": ["x", "é"], "t": [True, False]}),
    "labels": pd.DataFrame({"a": [1, 2]}, index=pd.Index(["x", "y"], name="k")),
    "levels": pd.DataFrame(
        {"a": [1, 2]}, index=pd.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["k", "l"])
    ),
    "times": pd.DataFrame({"t": pd.to_datetime(["2020-01-01 05:00", None])}),
    "categories": pd.DataFrame({"c": pd.Categorical(["x", "y", "x"], ["y", "x"], ordered=True)}),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables(name, tmp_path):
    """What has its types with it, as pandas writes and reads it."""
    theirs = TABLES[name]
    text = cuprum.DataFrame(theirs).to_json(orient="table")
    assert json.loads(text) == json.loads(theirs.to_json(orient="table"))
    (tmp_path / "a.json").write_text(text)
    expected = pd.read_json(io.StringIO(text), orient="table")
    for source in (io.StringIO(text), text.encode(), tmp_path / "a.json"):
        assert_like(cuprum.read_json(source, orient="table"), expected)


def test_tables_keep_integers_beside_missing():
    frame = cuprum.DataFrame({"i": [2**60 + 1, None]})
    again = cuprum.read_json(io.StringIO(frame.to_json(orient="table")), orient="table")
    assert str(again["i"].dtype) == "int64"
    assert again.to_arrow().to_pydict()["i"] == [2**60 + 1, None]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252", "utf-8-sig"])
@pytest.mark.parametrize("lines", [False, True])
def test_encodings_in_json(encoding, lines, tmp_path):
    text = '{"a": "é", "b": 1}\n{"a": "ü", "b": 2}' if lines else '[{"a": "é", "b": 1}, {"a": "ü", "b": 2}]'
    (tmp_path / "a.json").write_bytes(text.encode(encoding))
    with gzip.open(tmp_path / "a.json.gz", "wb") as file:
        file.write(text.encode(encoding))
    expected = pd.DataFrame({"a": ["é", "ü"], "b": [1, 2]})
    for source in (tmp_path / "a.json", tmp_path / "a.json.gz", text.encode(encoding)):
        assert_like(cuprum.read_json(source, encoding=encoding, lines=lines), expected)


def test_byte_ranges_of_lines():
    text = "".join(f'{{"a": {i}, "b": "{"x" * (i % 7)}"}}\n' for i in range(50)).encode()
    whole = cuprum.read_json(text, lines=True)
    for size in (1, 7, 40, 1000):
        parts = [
            cuprum.read_json(text, lines=True, byte_range=(at, size)) for at in range(0, len(text), size)
        ]
        assert_like(
            cuprum.concat([part for part in parts if len(part)], ignore_index=True), whole.to_pandas()
        )
    packed = io.BytesIO(gzip.compress(text))
    part = cuprum.read_json(packed, lines=True, byte_range=(40, 0), compression="gzip")
    assert_like(part, cuprum.read_json(text, lines=True, byte_range=(40, 0)).to_pandas())
    with pytest.raises(ValueError, match="byte_range"):
        cuprum.read_json(text, lines=True, byte_range=(0, -1))
    with pytest.raises(NotImplementedError, match="byte_range"):
        cuprum.read_json([text, text], lines=True, byte_range=(0, 9))


@pytest.mark.parametrize("engine", ["auto", "ujson", "pandas", "cudf"])
def test_engines_have_the_same_results(engine):
    df = cuprum.DataFrame({"a": [1, None], "b": ["x", "y"]})
    assert df.to_json(orient="split", engine=engine) == df.to_json(orient="split")
    text = df.to_json(orient="records")
    assert (df.to_json(engine=engine) == text) is (engine == "cudf")
    assert_like(cuprum.read_json(io.StringIO(text), engine=engine), df.to_pandas())


ORDERS = [
    {"id": 1, "who": {"name": "x", "of": {"in": "q"}}, "lines": [{"n": 1, "to": {"a": 2}}, {"n": 3}]},
    {"id": 2, "who": {"name": "y"}, "lines": [], "note": None},
]


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (ORDERS, {}),
        (ORDERS, {"max_level": 0}),
        (ORDERS, {"max_level": 1, "sep": "_"}),
        (ORDERS, {"record_prefix": "r."}),
        (ORDERS, {"record_path": "lines"}),
        (ORDERS, {"record_path": ["lines"], "meta": ["id", ["who", "name"]]}),
        (ORDERS, {"record_path": "lines", "meta": "id", "meta_prefix": "m.", "record_prefix": "r."}),
        (ORDERS, {"record_path": "lines", "meta": [["who", "of", "in"]], "errors": "ignore"}),
        (
            [{"a": [{"k": 1, "b": [{"c": 1}, {"c": 2}]}, {"k": 2, "b": [{"c": 3}]}]}],
            {"record_path": ["a", "b"], "meta": [["a", "k"]]},
        ),
        ([{"a": {"b": 1}, "a.b": 2}, {"a": {}}], {}),
        ([{1: {2: 3}, 4: 5}], {}),
        ([None, {"a": {"b": []}}, float("nan")], {}),
        ([], {}),
        ([{}, {}], {}),
        ([{"v": [1, 2]}], {"record_path": "v"}),
        (({"a": i} for i in range(3)), {}),
    ],
)
def test_dicts_inside_of_dicts(data, options):
    data = data if isinstance(data, list) else list(data)
    theirs, ours = (lib.json_normalize(data, **options) for lib in (pd, cuprum))
    assert list(ours.columns) == list(theirs.columns) and ours.shape == theirs.shape
    for label in theirs.columns:
        expected = [None if not isinstance(x, list) and pd.isna(x) else x for x in theirs[label].tolist()]
        assert [
            None if not isinstance(x, list) and pd.isna(x) else x for x in ours[label].to_list()
        ] == expected


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (ORDERS, {"record_path": "none"}),
        (ORDERS, {"record_path": "id"}),
        (ORDERS, {"record_path": "lines", "meta": ["none"]}),
        (ORDERS, {"record_path": "lines", "meta": ["id"], "record_prefix": "i", "meta_prefix": "i"}),
        ([{"id": 1, "r": [{"id": 2}]}], {"record_path": "r", "meta": ["id"]}),
        ([1], {}),
        ("text", {}),
    ],
)
def test_dicts_that_are_not_as_asked_for(data, options):
    found = []
    for lib in (pd, cuprum):
        try:
            lib.json_normalize(data, **options)
            found.append((None, ""))
        except Exception as error:
            found.append((type(error), str(error)))
    assert found[0][0] is found[1][0] and (found[0][1] in ("", found[1][1]))


def test_rows_of_dicts_keep_their_labels():
    for lib in (pd, cuprum):
        series = cuprum.Series([{"r": [{"x": 1}, {"x": 2}]}, {"r": [{"x": 3}]}], index=["p", "q"])
        series = series if lib is cuprum else series.to_pandas()
        assert cuprum.json_normalize(series, "r").index.to_list() == ["p", "p", "q"]
        assert cuprum.json_normalize(series).index.to_list() == ["p", "q"]


NUMBERED_LINES = '{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n\n{"a": 3, "b": "z"}\n'


def test_lines_come_some_at_a_time(tmp_path):
    agree(lambda lib: next(iter(lib.read_json(io.StringIO(NUMBERED_LINES), lines=True, chunksize=1))))
    for source in (io.StringIO(NUMBERED_LINES), NUMBERED_LINES.encode()):
        chunks = list(cuprum.read_json(source, lines=True, chunksize=2))
        assert [chunk.a.to_list() for chunk in chunks] == [[1, 2], [3]]
        assert [chunk.index.to_list() for chunk in chunks] == [[0, 1], [2]]
    path = tmp_path / "rows.jsonl.gz"
    cuprum.DataFrame({"a": [1, 2, 3]}).to_json(path, orient="records", lines=True)
    with cuprum.read_json(path, lines=True, chunksize=2, nrows=3) as reader:
        assert len(next(reader)) == 2
        assert reader.read().to_dict() == {"a": {2: 3}}
    for options in ({"chunksize": 2}, {"chunksize": 0, "lines": True}):
        with pytest.raises(ValueError, match="chunksize"):
            cuprum.read_json(io.StringIO(NUMBERED_LINES), **options)


def test_lines_is_true_or_not_as_python_says():
    agree("df.to_json(orient='records', lines='x')", df=pd.DataFrame({"a": [1]}))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('[{"datetime":1577836800000}]', {"dtype": {"datetime": "datetime64[ns]"}}),
        ('{"0":4.5,"1":4.5}', {"typ": "series", "dtype": "int64"}),
        ('{"columns":["x","x","x.1"],"index":[1],"data":[[1,2,3]]}', {"orient": "split"}),
    ],
)
def test_types_and_repeated_labels_are_read_as_in_pandas(text, options):
    agree(lambda lib: lib.read_json(io.StringIO(text), **options))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('{"id":1,"when":"2024-01-05"}\n{"id":2,"when":null}\n', {"lines": True, "convert_dates": ["when"]}),
        ('[{"a":1,"b":"x"},{"a":2,"b":"y"}]', {}),
        ('[{"n":"7"},{"n":"8"}]', {}),
        ('{"1":{"x":5},"2":{"x":6}}', {}),
    ],
)
def test_frames_are_read_where_the_option_says(text, options):
    expected = cuprum.read_json(io.StringIO(text), **options)
    with cuprum.option_context("device", "emulator", "fallback", "error"):
        made = cuprum.read_json(io.StringIO(text), **options)
    assert made.device == "emulator"
    assert_like(made.to_host(), expected.to_pandas())
