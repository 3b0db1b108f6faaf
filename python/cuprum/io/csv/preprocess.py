"""The text that our CSV parser gets: unpacked, decoded, without lines that are passed over."""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cuprum import _cuprum
from cuprum.core.arguments import is_list_like
from cuprum.core.error_classes import has_detail
from cuprum.core.stack_level import frames_to_caller
from cuprum.io.open_files import read_all
from cuprum.io.sources import Source, name_of, one_source

__all__ = [
    "DEFAULT_NA_VALUES",
    "Text",
    "checked_range",
    "decoded",
    "edited",
    "in_range",
    "line_end",
    "lines_between",
    "method_of",
    "open_unpacked",
    "told_method",
    "unpack",
    "unpacked",
    "unpacked_after",
    "without_bad_lines",
]

# Texts that pandas takes for missing values.
DEFAULT_NA_VALUES = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
    "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
)  # fmt: skip

_ENDINGS = {
    ".gz": "gzip", ".zip": "zip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd",
    ".tar": "tar", ".tar.gz": "tar", ".tar.bz2": "tar", ".tar.xz": "tar", ".tgz": "tar",
}  # fmt: skip


@dataclass
class Text:
    """A source, and why its fields have to be cut by pandas (None where our parser does it)."""

    source: Source
    cut: str | None = None

    def plain(self, request: dict[str, Any]) -> tuple[str, bytes]:
        """Its name and its bytes, unpacked."""
        return name_of(self.source), unpacked(self.source, request["compression"])


def edited(data: Any, request: dict[str, Any]) -> tuple[Text, dict[str, Any]]:
    """Return the text that a request reads, and what is left of the request.

    What our parser does not know is done to the text where that is simple.
    """
    request = dict(request)
    source = _source(data, request)
    is_foreign = _is_foreign(source, request)
    if not is_foreign:
        _count_records(source, request)
        if not _needs_edits(request):
            return Text(source), request

    text = _decoded(source, request)
    if is_foreign:
        _count_records((name_of(source), text), request)
    check_comments(text, request)
    for edit in (_without_footer, in_range, _sniffed, _without_quotes):
        text = edit(text, request)
    reason = _reason_to_cut(request)
    if reason is None and _is_other_dialect(text, request):
        text = _plain(text, request)
    return Text((name_of(source), text), reason), request


def without_bad_lines(text: Text, request: dict[str, Any]) -> tuple[Text, dict[str, Any]]:
    """Return the same without the records that have too many fields, as ``on_bad_lines`` says."""
    request = dict(request)
    content = _plain(_decoded(text.source, request), request)
    return Text((name_of(text.source), content)), request


def decoded(data: Any, request: dict[str, Any]) -> tuple[tuple[str, bytes], dict[str, Any]]:
    """Return the name of a source and its text, as it is but for its encoding, and what is left of the request."""
    request = dict(request)
    source = _source(data, request)
    return (name_of(source), _decoded(source, request)), request


def _source(data: Any, request: dict[str, Any]) -> Source:
    if hasattr(data, "read") and not hasattr(data, "full_name"):
        content = read_all(data)
        if isinstance(content, str):
            content, request["encoding"] = content.encode(), None
        data = bytes(content)
    return one_source(data, "filepath_or_buffer", request["storage_options"])


def _count_records(source: Source, request: dict[str, Any]) -> None:
    """Leave it to pandas to end skipped lines that hold quotes: our parser counts line ends."""
    lines, quote = request["skiprows"], request["quotechar"]
    if not isinstance(lines, int) or not lines or request["quoting"] == csv.QUOTE_NONE:
        return
    if isinstance(source, str) and not os.path.isfile(source):
        return
    with open_unpacked(source, request) as file:
        text, at = b"", 0
        while lines and (block := file.read(1 << 16)):
            text, at = text[at:] + block, 0
            while lines and (end := line_end(text, at)) < len(text):
                if quote.encode() in text[at:end]:
                    request["skiprows"] = set(range(request["skiprows"]))
                    return
                at, lines = end, lines - 1


def open_unpacked(source: Source, request: dict[str, Any]) -> Any:
    """Return the bytes of a source, unpacked, as an open file."""
    if isinstance(source, str):
        method = method_of(source, request["compression"])
        if module := {"gzip": "gzip", "bz2": "bz2", "xz": "lzma"}.get(method or ""):
            return import_module(module).open(source)
        if method is None:
            return open(source, "rb")
    return io.BytesIO(unpacked(source, request["compression"]))


def _is_foreign(source: Source, request: dict[str, Any]) -> bool:
    """Whether our parser cannot unpack or decode the bytes."""
    if method_of(source, request["compression"]) not in (None, "gzip", "bz2", "xz", "zip"):
        return True
    return not (_is_utf8(request) and request["encoding_errors"] in (None, "strict"))


def _is_utf8(request: dict[str, Any]) -> bool:
    encoding = request["encoding"]
    return encoding is None or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig")


def _needs_edits(request: dict[str, Any]) -> bool:
    return (
        _reason_to_cut(request) is not None
        or _is_other_dialect(b"\r", request)
        or request["quoting"] == csv.QUOTE_NONE
        or bool(request["skipfooter"])
        or request.get("byte_range") is not None
    )


def _reason_to_cut(request: dict[str, Any]) -> str | None:
    """The first argument for which pandas has to cut the text into fields."""
    separator = request["sep"]
    for name, needed in (
        ("sep", separator is None or (len(separator.encode()) > 1 and separator != r"\s+")),
        ("header", is_list_like(request["header"])),
        ("skipfooter", bool(request["skipfooter"])),
        ("on_bad_lines", callable(request["on_bad_lines"])),
    ):
        if needed:
            return name
    return None


def _is_other_dialect(text: bytes, request: dict[str, Any]) -> bool:
    """Whether the text has to be written in the dialect that our parser knows."""
    terminator = request["lineterminator"]
    return (
        request["sep"] == r"\s+"
        or request["skipinitialspace"]
        or request["escapechar"] is not None
        or not request["doublequote"]
        or request["quoting"] == csv.QUOTE_NONE
        or callable(request["skiprows"])
        or isinstance(request["skiprows"], set)
        or (terminator is not None and (terminator != "\n" or b"\r" in text))
    )


def _plain(text: bytes, request: dict[str, Any]) -> bytes:
    """Return the text in the dialect that our parser knows, which the request has then, without what is passed over."""
    skip, names, header = request["skiprows"], request["names"], request["header"]
    if header == "infer":
        header = 0 if names is None else None
    lines: set[int] = skip if isinstance(skip, set) else set()
    if callable(skip):
        count = text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")
        count += not text.endswith((b"\n", b"\r"))
        lines = {line for line in range(count) if skip(line)}
    first = 0 if header is None else header + 1
    bad = None
    if request["on_bad_lines"] != "error" and request["usecols"] is None:
        bad = (len(names) if names is not None and header is None else None, first)
    passed = {
        "first": skip if isinstance(skip, int) else 0,
        "lines": lines,
        "bad": bad,
        # The first rows say how many fields there are.
        "after": None if request["nrows"] is None else first + request["nrows"] + 2,
        "header": header if names is None else None,
    }
    dialect = {name: request[name] for name in _PLAIN}
    if dialect["sep"] == r"\s+":
        dialect["sep"] = None
    if request["quoting"] == csv.QUOTE_NONE:
        dialect["quotechar"] = None
    text, separator, quote, too_long = _cuprum.csv_plain_text(text, dialect, passed)
    if request["on_bad_lines"] == "warn" and too_long:
        from pandas.errors import ParserWarning

        message = "".join(
            f"Skipping line {line}: expected {expected} fields, saw {found}\n"
            for line, expected, found in too_long
        )
        warnings.warn(message, ParserWarning, stacklevel=frames_to_caller())
    request |= _PLAIN | {"sep": separator, "quotechar": quote, "quoting": csv.QUOTE_MINIMAL}
    request |= {"skiprows": None, "on_bad_lines": "error"}
    return text


# The arguments of the dialect that our parser knows.
_PLAIN: dict[str, Any] = {
    "sep": ",",
    "quotechar": '"',
    "doublequote": True,
    "escapechar": None,
    "skipinitialspace": False,
    "comment": None,
    "lineterminator": None,
    "skip_blank_lines": True,
}


# Keys of a dict of ``compression`` beside the method that have no effect on readers.
_OF_WRITERS = {"gzip": {"compresslevel", "mtime"}, "bz2": {"compresslevel"}}


def told_method(compression: Any) -> Any:
    """The method that ``compression`` of a reader names, which is ``'infer'`` where its ending is to tell."""
    if not isinstance(compression, Mapping):
        return compression
    method = compression.get("method", "infer")
    for key in compression.keys() - {"method"} - _OF_WRITERS.get(method, set()):
        raise NotImplementedError(f"`compression`: {key!r} is not supported for reading {method!r}")
    return method


def method_of(source: Source, compression: Any) -> str | None:
    """The compression of a source, by ``compression`` or its ending."""
    compression = told_method(compression)
    if compression != "infer":
        return compression
    name = name_of(source).lower()
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if name.endswith(ending):
            return _ENDINGS[ending]
    return None


def unpacked(source: Source, compression: Any) -> bytes:
    """The bytes of a source, unpacked."""
    method = method_of(source, compression)
    if isinstance(source, str):
        with open(source, "rb") as file:
            content = file.read()
    else:
        content = source[1] if isinstance(source, tuple) else source
    if method is None:
        return content
    return unpack(content, method)


def unpacked_after(error: ValueError, source: Source, compression: Any) -> tuple[str, bytes] | None:
    """Return the name and the bytes of a gzip source that our reader cannot unpack, as zeros follow its end.

    None for another error, and where it is damaged.
    """
    if method_of(source, compression) != "gzip" or not has_detail(error, "DamagedCompression"):
        return None
    if isinstance(source, str) and not os.path.isfile(source):  # a pipe, which is empty by now
        return None
    try:
        return name_of(source), unpacked(source, "gzip")
    except (OSError, EOFError, zlib.error):
        return None


def unpack(content: bytes, method: str) -> bytes:
    """The bytes that ``content`` is packed from."""
    if method == "gzip":
        import gzip

        return gzip.decompress(content)
    if method == "bz2":
        import bz2

        return bz2.decompress(content)
    if method == "xz":
        import lzma

        return lzma.decompress(content)
    if method == "zstd":
        try:
            import zstandard
        except ImportError:
            raise ImportError(
                "`compression` is 'zstd': zstandard is not installed (`pip install zstandard`)"
            ) from None
        return zstandard.ZstdDecompressor().stream_reader(content).read()
    if method == "zip":
        import zipfile

        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if len(names) != 1:
                raise ValueError(f"a zip archive must have one file, not {len(names)}: {names}")
            return archive.read(names[0])
    if method == "tar":
        import tarfile

        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            files = [member for member in archive.getmembers() if member.isfile()]
            if len(files) != 1:
                raise ValueError(f"a tar archive must have one file, not {len(files)}")
            file = archive.extractfile(files[0])
            return b"" if file is None else file.read()
    raise ValueError(
        f"Unrecognized compression type: {method}\n"
        "Valid compression types are ['infer', None, 'bz2', 'gzip', 'tar', 'xz', 'zip', 'zstd']"
    )


def _decoded(source: Source, request: dict[str, Any]) -> bytes:
    text = unpacked(source, request["compression"])
    request["compression"] = None
    errors = request["encoding_errors"] or "strict"
    if not _is_utf8(request) or errors != "strict":
        text = text.decode(request["encoding"] or "utf-8", errors).encode()
    request["encoding"] = None
    return text.removeprefix(codecs.BOM_UTF8)


def line_end(text: bytes, start: int) -> int:
    """Return where the line at ``start`` ends, behind its line end; the end of the text where it has none."""
    found = _LINE_END.search(text, start)
    return len(text) if found is None else found.end()


_LINE_END = re.compile(rb"\r\n|\n|\r")


def _has_quotes(text: bytes, request: dict[str, Any]) -> bool:
    marks = [request["quotechar"] if request["quoting"] != csv.QUOTE_NONE else None, request["escapechar"]]
    return any(mark is not None and mark.encode() in text for mark in marks) or bool(
        request["lineterminator"]
    )


def check_comments(text: bytes, request: dict[str, Any], *, function: str = "read_csv") -> None:
    """Refuse a comment that begins in a missing value: what pandas' slow parser reads, and we do not."""
    mark, separator = request["comment"], request["sep"]
    slow = request["skipfooter"] or callable(request["on_bad_lines"]) or function == "read_fwf"
    if not (slow or separator is None or (len(separator.encode()) > 1 and separator != r"\s+")) or not mark:
        return
    given = request["na_values"]
    own = given.values() if isinstance(given, Mapping) else [given]
    words = [str(word) for one in own for word in (one if is_list_like(one) else [one])]
    for word in [*(DEFAULT_NA_VALUES if request["keep_default_na"] else ()), *words]:
        if mark in word and word.encode() in text:
            raise NotImplementedError(
                f"{function} does not support `comment`={mark!r} in a text with the missing value {word!r} together "
                "with `skipfooter`, `sep` of several characters or a function for `on_bad_lines`"
            )


def _without_footer(text: bytes, request: dict[str, Any]) -> bytes:
    """Drop the last lines, as far as that is clear: those that are passed over are counted, names are kept."""
    lines, skip = request["skipfooter"], request["skiprows"]
    if not lines or b"\r" in text.replace(b"\r\n", b"") or _has_quotes(text, request):
        return text
    end = len(text)
    for _ in range(lines):
        end = text.rfind(b"\n", 0, max(end - 1, 0)) + 1
    # Where the names may be among the last lines, or lines lack fields that are not missing, pandas is asked.
    if not request["keep_default_na"] or not request["na_filter"]:
        return text
    header = request["header"] if isinstance(request["header"], int) else 0
    if callable(skip) or is_list_like(request["header"]):
        return text
    head = _HEAD + header + (max(skip, default=0) if isinstance(skip, set) else skip or 0)
    if text.count(b"\n", 0, end) < head:
        return text
    request["skipfooter"] = 0
    return text[:end]


# Lines of names, comments and nothing are among so many at the start.
_HEAD = 32


def checked_range(part: Any) -> tuple[int, int]:
    """Return a range of bytes as an offset and a size; ``ValueError`` for what is none."""
    if len(part) != 2 or min(part) < 0:
        raise ValueError(f"`byte_range` is {part!r}; it must be an offset and a size")
    offset, size = part
    return offset, size


def lines_between(text: bytes, offset: int, size: int) -> tuple[int, int]:
    """Return where the lines start and stop that belong to a range of bytes; a size of 0 means the rest.

    A line that begins right behind a range belongs to it, and not to the next, so that ranges side by side have each
    line once.
    """
    stop = offset + size if size else len(text)
    return (
        line_end(text, offset) if offset else 0,
        line_end(text, stop) if stop < len(text) else len(text),
    )


def in_range(text: bytes, request: dict[str, Any]) -> bytes:
    """The rows that begin in a range of bytes, below the line of names."""
    part = request.pop("byte_range", None)
    if part is None:
        return text
    start, stop = lines_between(text, *part)
    head = 0
    if request["header"] is not None and not (request["header"] == "infer" and request["names"] is not None):
        row = 0 if request["header"] == "infer" else request["header"]
        skipped = request["skiprows"] if isinstance(request["skiprows"], int) else 0
        for _ in range(skipped + row + 1):
            head = line_end(text, head)
    return text[:head] + text[max(start, head) : max(stop, head)]


def _sniffed(text: bytes, request: dict[str, Any]) -> bytes:
    """Find the separator in the first line that is read."""
    if request["sep"] is not None:
        return text
    at, skip = 0, request["skiprows"]
    line = 0
    while at < len(text) and (
        skip(line) if callable(skip) else line in skip if isinstance(skip, set) else line < (skip or 0)
    ):
        at, line = line_end(text, at), line + 1
    first = text[at : line_end(text, at)].decode()
    if request["comment"]:
        first = first.partition(request["comment"])[0]
    try:
        request["sep"] = csv.Sniffer().sniff(first).delimiter
    except csv.Error as error:
        raise ValueError(
            f"`sep` is None, and no separator was found in the line {first!r}: {error}"
        ) from None
    return text


def _without_quotes(text: bytes, request: dict[str, Any]) -> bytes:
    """Choose a byte that does not occur as the quote where quotes mean nothing."""
    if request["quoting"] != csv.QUOTE_NONE or request["escapechar"] is not None:
        return text
    for byte in range(1, 9):
        if bytes([byte]) not in text:
            request["quotechar"], request["quoting"] = chr(byte), csv.QUOTE_MINIMAL
            break
    return text
