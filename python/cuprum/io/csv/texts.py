"""The text that our CSV parser gets: unpacked, decoded, without lines that are passed over."""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cuprum.core.arguments import is_list_like
from cuprum.io.open_files import read_all
from cuprum.io.sources import Source, name_of, one_source

__all__ = [
    "DEFAULT_NA_VALUES",
    "Text",
    "decoded",
    "edited",
    "in_range",
    "line_end",
    "method_of",
    "open_unpacked",
    "told_method",
    "unpack",
    "unpacked_after",
]

# What pandas takes for a missing value.
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
        return name_of(self.source), _unpacked(self.source, request["compression"])


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
    for edit in (
        _without_footer,
        _without_lines,
        in_range,
        _sniffed,
        _separated_by_tabs,
        _without_blanks,
        _without_quotes,
    ):
        text = edit(text, request)
    return Text((name_of(source), text), _reason_to_cut(text, request)), request


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
    """Where lines that are passed over hold quotes, leave it to pandas what ends them: our parser counts line ends."""
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
    return io.BytesIO(_unpacked(source, request["compression"]))


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
        _reason_to_cut(b"\r", request) is not None
        or isinstance(request["skiprows"], set)
        or bool(request["skipfooter"])
        or request.get("byte_range") is not None
    )


def _reason_to_cut(text: bytes, request: dict[str, Any]) -> str | None:
    """The first argument that our parser does not know."""
    separator = request["sep"]
    for name, needed in (
        ("sep", separator is None or len(separator.encode()) > 1),
        ("header", isinstance(request["header"], (list, tuple)) or hasattr(request["header"], "__array__")),
        ("skiprows", callable(request["skiprows"]) or isinstance(request["skiprows"], set)),
        ("skipfooter", bool(request["skipfooter"])),
        ("skipinitialspace", request["skipinitialspace"]),
        ("escapechar", request["escapechar"] is not None),
        ("doublequote", not request["doublequote"]),
        ("quoting", request["quoting"] == csv.QUOTE_NONE),
        ("on_bad_lines", callable(request["on_bad_lines"])),
        (
            "lineterminator",
            request["lineterminator"] is not None and (request["lineterminator"] != "\n" or b"\r" in text),
        ),
    ):
        if needed:
            return name
    return None


# What a dict of ``compression`` may have beside the method, which changes nothing for who reads.
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
    """How a source is packed, as ``compression`` or its ending says."""
    compression = told_method(compression)
    if compression != "infer":
        return compression
    name = name_of(source).lower()
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if name.endswith(ending):
            return _ENDINGS[ending]
    return None


def _unpacked(source: Source, compression: Any) -> bytes:
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
    if method_of(source, compression) != "gzip" or "gzip data is" not in str(error):
        return None
    if isinstance(source, str) and not os.path.isfile(source):  # a pipe, which is empty by now
        return None
    try:
        return name_of(source), _unpacked(source, "gzip")
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
            import zstandard  # type: ignore[import-not-found]
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
    text = _unpacked(source, request["compression"])
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


def _without_lines(text: bytes, request: dict[str, Any]) -> bytes:
    """Drop the lines whose numbers are given, where quotes cannot make one of several."""
    lines = request["skiprows"]
    if request["skipfooter"]:  # which is left to pandas, as is what comes before it
        return text
    if callable(lines) and not _has_quotes(text, request):
        lines = {line for line in range(len(_LINE_END.findall(text)) + 1) if lines(line)}
    if not isinstance(lines, set):
        return text
    kept, at = [], 0
    for line in range(max(lines, default=-1) + 1):
        after = line_end(text, at)
        if line not in lines:
            kept.append(text[at:after])
        at = after
        if at == len(text):
            break
    if _has_quotes(text[:at], request):
        return text
    request["skiprows"] = None
    return b"".join([*kept, text[at:]])


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


def in_range(text: bytes, request: dict[str, Any]) -> bytes:
    """The rows that begin in a range of bytes, below the line of names."""
    part = request.pop("byte_range", None)
    if part is None:
        return text
    offset, size = part
    if size == 0:
        size = max(len(text) - offset, 0)
    head = 0
    if request["header"] is not None and not (request["header"] == "infer" and request["names"] is not None):
        row = 0 if request["header"] == "infer" else request["header"]
        skipped = request["skiprows"] if isinstance(request["skiprows"], int) else 0
        for _ in range(skipped + row + 1):
            head = line_end(text, head)
    start = offset if offset == 0 else line_end(text, offset)
    stop = line_end(text, min(offset + size, len(text))) if offset + size < len(text) else len(text)
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


def _separated_by_tabs(text: bytes, request: dict[str, Any]) -> bytes:
    """Blanks and tabs between fields as one tab each."""
    if request["sep"] != r"\s+" or _has_quotes(text, request) or request["comment"]:
        return text
    if b"\r" in text.replace(b"\r\n", b"") or re.search(rb"[\v\f\x1c-\x1f]", text):
        return text
    request["sep"] = "\t"
    text = re.sub(rb"(?m)^[ \t]+|[ \t]+(?=\r|$)", b"", text)
    return re.sub(rb"[ \t]+", b"\t", text)


def _without_blanks(text: bytes, request: dict[str, Any]) -> bytes:
    """Drop the blanks before fields, where there are no quotes that they may stand between."""
    separator = request["sep"]
    if not request["skipinitialspace"] or len(separator.encode()) != 1 or separator == " ":
        return text
    if _has_quotes(text, request) or request["comment"] or b"\r" in text.replace(b"\r\n", b""):
        return text
    request["skipinitialspace"] = False
    mark = separator.encode()
    text = re.sub(re.escape(mark) + b" +", lambda _: mark, text) if mark + b" " in text else text
    return re.sub(b"\n +", b"\n", text.lstrip(b" ")) if b"\n " in text or text[:1] == b" " else text


def _without_quotes(text: bytes, request: dict[str, Any]) -> bytes:
    """Where quotes mean nothing, have a byte that is not there be the quote."""
    if request["quoting"] != csv.QUOTE_NONE or request["escapechar"] is not None:
        return text
    for byte in range(1, 9):
        if bytes([byte]) not in text:
            request["quotechar"], request["quoting"] = chr(byte), csv.QUOTE_MINIMAL
            break
    return text
