"""`pylibcuprum.io.text` and `pylibcuprum.io.timezone`."""

import gzip
import zoneinfo
from datetime import UTC, datetime

import pytest

from pylibcuprum.io import text, timezone


def test_text(tmp_path):
    for data in ("", "a", "a\r\nb\r\n", "\r\n\r\n", "ä\r\nö"):
        rows = text.multibyte_split(text.make_source(data), "\r\n").to_pylist()
        assert "".join(rows) == data and all(row.endswith("\r\n") for row in rows[:-1])
    options = text.ParseOptions(byte_range=(1, 3), strip_delimiters=True)
    assert text.multibyte_split(text.make_source("a|b|c|d"), "|", options).to_pylist() == ["b"]
    path = tmp_path / "a.txt"
    path.write_text("x|y")
    assert text.multibyte_split(text.make_source_from_file(str(path)), "|").to_pylist() == ["x|", "y"]
    packed = [gzip.compress(part) for part in (b"a|b|", b"c|d", b"")]
    path.write_bytes(b"".join(packed))
    parts = [(-1, -1, "a|b|c|d"), (2, -1, "b|c|d"), (2, len(packed[0]) << 16 | 1, "b|c"), (0, 3, "a|b")]
    for begin, end, expected in parts:
        source = text.make_source_from_bgzip_file(str(path), begin, end)
        assert "".join(text.multibyte_split(source, "|").to_pylist()) == expected
    with pytest.raises(ValueError, match="block"):
        text.make_source_from_bgzip_file(str(path), 9, -1)
    with pytest.raises(ValueError, match="delimiter"):
        text.multibyte_split(text.make_source("a"), "")
    said = text.ByteRangeInfo(1, 2)
    assert (said.offset, said.size) == (1, 2)


ZONES = [
    "Europe/Vienna",
    "America/New_York",
    "Australia/Sydney",
    "Asia/Kolkata",
    "America/Sao_Paulo",
    "Europe/Dublin",
]


@pytest.mark.parametrize("zone", ZONES)
def test_time_zones(zone):
    folder = next(
        (f for f in zoneinfo.TZPATH if (p := __import__("pathlib").Path(f, zone)).exists() and p), None
    )
    if folder is None:
        pytest.skip("the system has no time zones")
    times, offsets = timezone.make_timezone_transition_table(folder, zone).columns()
    times = [t.replace(tzinfo=UTC) if t else t for t in times.to_arrow().to_pylist()]
    offsets = offsets.to_arrow().to_pylist()
    assert len(times) >= 800
    clock = zoneinfo.ZoneInfo(zone)
    for year in (1975, 1999, 2024, 2100, 2250):
        for month in range(1, 13):
            at = datetime(year, month, 15, tzinfo=UTC)
            # The rows after the changes of the file are of its rule; where years are in both, the file is right.
            last = len(times) - 800
            own = [i for i in range(1, last) if times[i] <= at]
            if not (own and own[-1] < last - 1):
                own = [i for i in range(last, len(times)) if times[i] <= at] or own
            expected = at.astimezone(clock).utcoffset()
            assert (offsets[own[-1]] if own else offsets[0]) == expected, (zone, at)


def test_time_zones_that_are_none(tmp_path):
    (tmp_path / "x").write_bytes(b"no zone at all, and long enough for a header of forty-four bytes")
    with pytest.raises(ValueError, match="no file of a time zone"):
        timezone.make_timezone_transition_table(str(tmp_path), "x")
    with pytest.raises(FileNotFoundError):
        timezone.make_timezone_transition_table(str(tmp_path), "no")
