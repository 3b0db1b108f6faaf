"""CSV and JSON lines in blocks of bytes, each of which our readers read, and ORC by files."""

from __future__ import annotations

import io
from typing import Any

import dask.dataframe as dd

import cuprum
from cuprum.dask.workers import in_worker
from cuprum.io.open_files import read_all

__all__ = ["read_csv", "read_json", "read_orc"]

_BLOCK = 64 << 20


class _Blocks:
    """Reads a block of lines of a file; Dask says which columns are needed."""

    def __init__(self, fs: Any, kind: str, options: dict[str, Any], dtypes: Any, header: bool) -> None:
        self.fs, self.kind, self.options, self.dtypes, self.header = fs, kind, options, dtypes, header
        self.__name__ = f"read-{kind}"

    def __call__(self, block: tuple[str, int, int | None], columns: Any = None) -> Any:
        in_worker()
        path, start, length = block
        data = _bytes(self.fs, path, start, length)
        if self.header and start:
            data = _bytes(self.fs, path, 0, 1) + data
        frame = _parse(self.kind, data, self.options, self.dtypes)
        return frame if columns is None else frame[columns]


def _parse(kind: str, data: bytes, options: dict[str, Any], dtypes: Any) -> Any:
    if kind == "csv":
        return cuprum.read_csv(io.BytesIO(data), **options, **({} if dtypes is None else {"dtype": dtypes}))
    frame = cuprum.read_json(io.BytesIO(data), lines=True, **options)
    return frame if dtypes is None else frame[list(dtypes)].astype(dtypes)


def _bytes(fs: Any, path: str, start: int, length: int | None) -> bytes:
    """Return the lines that begin in a range of bytes of a file."""
    from fsspec.utils import read_block

    with fs.open(path, "rb") as file:
        return read_block(file, start, length, b"\n")


def _files(path: Any, argument: str, storage_options: Any) -> tuple[Any, list[str]]:
    from fsspec.core import get_fs_token_paths

    fs, _, paths = get_fs_token_paths(path, mode="rb", storage_options=storage_options or {})
    if not paths:
        raise FileNotFoundError(f"`{argument}`: there is no file like {path!r}")
    return fs, sorted(paths)


def _collection(fs: Any, paths: list[str], blocksize: Any, read: _Blocks, meta: Any) -> Any:
    size = _size(blocksize)
    blocks: list[tuple[str, int, int | None]] = []
    for path in paths:
        if size is None:
            blocks.append((path, 0, None))
        else:
            blocks += [(path, start, size) for start in range(0, max(1, fs.size(path)), size)]
    return dd.from_map(read, blocks, meta=meta, label=read.__name__, enforce_metadata=False)


def _size(blocksize: Any) -> int | None:
    from dask.utils import parse_bytes

    if blocksize is None:
        return None
    size = _BLOCK if blocksize == "default" else parse_bytes(blocksize)
    if size < 1:
        raise ValueError(f"`blocksize` is {blocksize!r}, no positive number of bytes")
    return int(size)


def read_csv(
    urlpath: Any,
    blocksize: Any = "default",
    sample: int = 256_000,
    storage_options: Any = None,
    dtype: Any = None,
    **options: Any,
) -> Any:
    """Return a collection of CSV files, read by Cuprum in blocks of lines.

    Lines must not have line breaks within quotes, unless ``blocksize`` is None.

    Parameters
    ----------
    urlpath
        A path, an address, a pattern or a list of them.
    blocksize
        How many bytes of a file a partition has, 64 MiB without it; None for a partition for each file.
    sample
        How many bytes of the first file tell the dtypes of the columns that ``dtype`` does not name.
    storage_options
        What fsspec is to know to open an address.
    dtype
        The dtype of all columns, or a dict of those of some.
    options
        Those of `cuprum.read_csv` that are about lines and columns. What is about the whole file
        (``nrows``, ``index_col``, ``skipfooter``, …) is refused.
    """
    for name in ("nrows", "index_col", "skipfooter", "chunksize", "iterator", "compression", "byte_range"):
        if options.pop(name, None) not in (None, "infer", 0):
            raise NotImplementedError(
                f"`{name}` of read_csv is about a whole file and not supported with blocks"
            )
    header = options.get("header", "infer") in ("infer", 0) and options.get("names") is None
    if options.get("skiprows") or (not header and options.get("header") not in (None, "infer")):
        if blocksize not in (None, "default"):
            raise NotImplementedError(
                "`skiprows` and `header` of read_csv are about whole files: `blocksize` has to be None"
            )
        blocksize, header = None, False
    fs, paths = _files(urlpath, "urlpath", storage_options)
    head = _parse("csv", _bytes(fs, paths[0], 0, sample), options, dtype)
    parsed = options.get("parse_dates")
    times = {label for label, kind in head.dtypes.items() if kind.kind == "M"} if parsed else set()
    dtypes = {label: kind for label, kind in head.dtypes.items() if label not in times}
    return _collection(fs, paths, blocksize, _Blocks(fs, "csv", options, dtypes, header), head.iloc[:0])


def read_json(
    url_path: Any,
    orient: str = "records",
    lines: bool | None = None,
    storage_options: Any = None,
    blocksize: Any = None,
    sample: int = 1 << 20,
    **options: Any,
) -> Any:
    """Return a collection of files of JSON lines, one object in each line, read by Cuprum.

    Parameters
    ----------
    url_path
        A path, an address, a pattern or a list of them.
    orient, lines
        Always ``"records"`` and lines.
    storage_options
        What fsspec is to know to open an address.
    blocksize
        How many bytes of a file a partition has; a partition for each file without it.
    sample
        How many bytes of the first file tell labels and dtypes of the columns.
    options
        Those of `cuprum.read_json`.
    """
    if orient != "records" or lines is False:
        raise NotImplementedError(
            f"read_json of the backend 'cuprum' reads lines of records, not orient={orient!r}, lines={lines!r}"
        )
    fs, paths = _files(url_path, "url_path", storage_options)
    head = _parse("json", _bytes(fs, paths[0], 0, sample), options, None)
    dtypes = dict(head.dtypes.items())
    return _collection(fs, paths, blocksize, _Blocks(fs, "json", options, dtypes, False), head.iloc[:0])


def read_orc(path: Any, columns: Any = None, storage_options: Any = None, **options: Any) -> Any:
    """Return a collection of ORC files, a partition for each; see `cuprum.read_orc`."""
    if not hasattr(cuprum, "read_orc"):
        raise NotImplementedError(
            "this Cuprum does not read ORC: read with the backend 'pandas', then to_backend('cuprum')"
        )
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise NotImplementedError(f"read_orc of the backend 'cuprum' does not know the arguments {given}")
    fs, paths = _files(path, "path", storage_options)
    read = _OrcFiles(fs)
    return dd.from_map(read, paths, meta=read(paths[0], columns).iloc[:0], label="read-orc", columns=columns)


class _OrcFiles:
    def __init__(self, fs: Any) -> None:
        self.fs = fs

    def __call__(self, path: str, columns: Any = None) -> Any:
        in_worker()
        with self.fs.open(path, "rb") as file:
            return cuprum.read_orc(read_all(file), columns=columns)
