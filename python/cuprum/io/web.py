"""Files behind ``http`` and ``https``, fetched by Python's own library: it has the methods of fsspec's file systems that
reading asks for, and needs no package."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

__all__ = ["Web", "headers_in", "is_web"]

# Seconds without a byte.
_PATIENCE = 60
# Headers that no other host is to see: servers send on to stores that are not theirs.
_FOR_ONE_HOST = {"authorization", "cookie", "proxy-authorization"}
# Characters that stand in addresses as they are: blanks and letters beyond ASCII do not.
_KEPT = "%/:=&?~#+!$,;'@()*[]"
# Options of fsspec whose values are texts, too.
_OF_FSSPEC = {"cache_type"}


def is_web(address: str) -> bool:
    """Whether an address is of the web."""
    return address.lower().startswith(("http://", "https://"))


def headers_in(options: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return what options ask to be sent, as pandas understands them (texts under the names of headers), and the others."""
    headers = {k: v for k, v in options.items() if isinstance(v, str) and k not in _OF_FSSPEC}
    return headers, {k: v for k, v in options.items() if k not in headers}


class Web:
    """Files behind addresses of the web."""

    protocol = ("http", "https")

    def __init__(self, headers: dict[str, str]) -> None:
        self._headers = headers

    @staticmethod
    def is_needed(options: dict[str, Any]) -> bool:
        """Whether fsspec cannot be asked, for want of a package, and does not have to be, for its own options."""
        return not options and any(importlib.util.find_spec(name) is None for name in ("fsspec", "aiohttp"))

    def info(self, path: str) -> dict[str, Any]:
        """Return the length of a file, None where the server does not say it."""
        length = ""
        try:
            with self._open(path, method="HEAD") as answer:
                if not answer.headers.get("Content-Encoding"):
                    length = answer.headers.get("Content-Length", "")
        except urllib.error.HTTPError as e:
            # Signed addresses are for one method.
            if e.code not in (400, 401, 403, 405, 501):
                raise
        return {"name": path, "type": "file", "size": int(length) if length.isdigit() else None}

    def cat_file(self, path: str, start: int | None = None, end: int | None = None) -> bytes:
        """Return the bytes of a file, or those from one position to another; all from servers that know no ranges."""
        asked = {} if start is None or end is None else {"Range": f"bytes={start}-{end - 1}"}
        with self._open(path, asked) as answer:
            found: bytes = answer.read()
            # Some servers say it of files that are gzip themselves.
            is_packed = answer.headers.get("Content-Encoding") == "gzip" and not path.endswith(".gz")
            return gzip.decompress(found) if is_packed else found

    def glob(self, path: str) -> list[str]:
        """Refuse: nothing on the web says which files there are."""
        raise NotImplementedError(
            "patterns on the web are found by fsspec and aiohttp, which are not installed"
        )

    def _open(self, address: str, asked: dict[str, str] | None = None, method: str = "GET") -> Any:
        scheme, host, *rest = urllib.parse.urlsplit(address)
        user, mark, host = host.rpartition("@")
        headers = {"Accept-Encoding": "identity", "User-Agent": "cuprum", **self._headers, **(asked or {})}
        if mark:
            plain = urllib.parse.unquote(user).encode()
            headers["Authorization"] = f"Basic {base64.b64encode(plain).decode()}"
        url = urllib.parse.urlunsplit(
            (scheme, host, *(urllib.parse.quote(part, _KEPT) for part in rest[:2]), "")
        )
        request = urllib.request.Request(url, method=method)
        for name, value in headers.items():
            add = request.add_unredirected_header if name.lower() in _FOR_ONE_HOST else request.add_header
            add(name, value)
        return urllib.request.urlopen(request, timeout=_PATIENCE)
