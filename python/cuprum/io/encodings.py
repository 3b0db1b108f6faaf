"""Bytes that are no text of the encoding that a file is read in: the error of Python, with what to do about it."""

from __future__ import annotations

import re

__all__ = ["undecodable"]

_BYTE = re.compile(r"byte 0x(?P<byte>[0-9A-F]{2}) at offset (?P<offset>\d+) is not UTF-8$")
_TEXT = re.compile(r"(the text is not UTF-8|is no UTF-8: .*)$")
# As much stands before the byte in the error, so that its position is that in the file.
_SHOWN = 1 << 20


def undecodable(error: ValueError, advice: str) -> ValueError:
    """Return the ``UnicodeDecodeError`` that an error stands for, with advice; another error as it is."""
    if isinstance(error, UnicodeDecodeError):
        if advice not in error.reason:
            error.reason = f"{error.reason}; {advice}"
        return error
    message = str(error)
    if (found := _BYTE.search(message)) is not None:
        byte, offset = bytes.fromhex(found["byte"]), int(found["offset"])
        before = bytes(offset if offset < _SHOWN else 0)
        return UnicodeDecodeError(
            "utf-8", before + byte, len(before), len(before) + 1, f"{message}; {_for(byte, offset, advice)}"
        )
    if _TEXT.search(message):
        return UnicodeDecodeError("utf-8", b"", 0, 1, f"{message}; {advice}")
    return error


def _for(byte: bytes, offset: int, advice: str) -> str:
    """Return advice on a byte: marks of UTF-16 stand at the beginning."""
    return advice.replace("latin-1", "utf-16") if offset == 0 and byte in (b"\xff", b"\xfe") else advice
