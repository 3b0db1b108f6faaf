"""Bytes that are no text of the encoding that a file is read in: the error of Python, with what to do about it."""

from __future__ import annotations

from cuprum.core.error_classes import detail_of

__all__ = ["undecodable"]

# As much stands before the byte in the error, so that its position is that in the file.
_SHOWN = 1 << 20


def undecodable(error: ValueError, advice: str) -> ValueError:
    """Return the ``UnicodeDecodeError`` that an error stands for, with advice; another error as it is."""
    if isinstance(error, UnicodeDecodeError):
        if advice not in error.reason:
            error.reason = f"{error.reason}; {advice}"
        return error
    match detail_of(error):
        case ("NotUtf8", number, offset):
            byte, before = bytes([number]), bytes(offset if offset < _SHOWN else 0)
            reason = f"{error}; {_for(byte, offset, advice)}"
            return UnicodeDecodeError("utf-8", before + byte, len(before), len(before) + 1, reason)
    return error


def _for(byte: bytes, offset: int, advice: str) -> str:
    """Return advice on a byte: marks of UTF-16 stand at the beginning."""
    return advice.replace("latin-1", "utf-16") if offset == 0 and byte in (b"\xff", b"\xfe") else advice
