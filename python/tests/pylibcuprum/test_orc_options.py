"""`pylibcuprum.io.orc`, beside pyarrow."""

import io

import pyarrow as pa
import pytest
from pyarrow import orc as arrow_orc

from pylibcuprum.io.orc import OrcReaderOptions, read_orc
from pylibcuprum.io.types import SourceInfo

TABLE = pa.table({"a": [1, None, 3, 4], "b": ["w", "x", None, "z"], "c": [0.5, 1.5, None, -0.0]})


def read(**settings):
    file = io.BytesIO()
    arrow_orc.write_table(TABLE, file)
    options = OrcReaderOptions.builder(SourceInfo([file.getvalue()])).build()
    for setter, value in settings.items():
        getattr(options, setter)(value)
    result = read_orc(options)
    return dict(zip(result.column_names(), [c.to_arrow().to_pylist() for c in result.columns], strict=True))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, TABLE),
        ({"set_columns": ["c", "a"]}, TABLE.select(["c", "a"])),
        ({"set_skip_rows": 1}, TABLE.slice(1)),
        ({"set_num_rows": 2}, TABLE.slice(0, 2)),
        ({"set_num_rows": 0}, TABLE.slice(0, 0)),
        ({"set_num_rows": -1}, TABLE),
        ({"set_stripes": [[0]]}, TABLE),
    ],
)
def test_settings(settings, expected):
    assert read(**settings) == expected.to_pydict()
    assert list(read(**settings)) == expected.column_names


def test_refused():
    with pytest.raises(TypeError, match="sources"):
        SourceInfo("a.orc")
    with pytest.raises(ValueError, match="`source` names no files"):
        read_orc(OrcReaderOptions.builder(SourceInfo([])).build())
    with pytest.raises(KeyError):
        read(set_columns=["no"])
    with pytest.raises(ValueError, match="skip_rows"):
        read(set_skip_rows=-1)
