"""CSV in pieces."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.error_classes import has_detail
from cuprum.io.csv.columns import Request, check_names, columns_of, names_of, with_labels
from cuprum.io.csv.pandas_fallback import Cut, cut
from cuprum.io.csv.preprocess import edited, line_end, open_unpacked, without_bad_lines
from cuprum.io.csv.reading import error_of_pandas
from cuprum.io.sources import name_of

if TYPE_CHECKING:
    from types import TracebackType

    from cuprum.core.dataframe import DataFrame

__all__ = ["TextFileReader"]

# Bytes that are read at a time.
_BLOCK = 1 << 20


class TextFileReader:
    """The rows of a CSV file, some at a time; made by ``read_csv(…, chunksize=…)`` or ``iterator=True``.

    A file is read as far as it takes. Iterating gives frames of ``chunksize`` rows, whose labels go on; types
    are found in each of them. It may stand in a ``with`` statement, which closes the file.

    Examples
    --------
    >>> import cuprum
    >>> with cuprum.read_csv(b"a\\n1\\n2\\n3\\n", chunksize=2) as reader:
    ...     [len(chunk) for chunk in reader]
    [2, 1]
    """

    def __init__(self, data: Any, request: Request) -> None:
        self.chunksize: int | None = request["chunksize"]
        self.nrows: int | None = request["nrows"]
        self._row = 0
        self._closed = False
        # Whether the first frame has been read.
        self._begun = False
        self._request = request = dict(request)
        self._frame: DataFrame | None = None
        self._file: Any = None
        if isinstance(data, objects.DataFrame):
            self._frame = data
            return
        text, request = edited(data, request)
        self._cut: Cut | None = None
        if is_list_like(request["header"]):
            self._frame = cut(text.plain(request), request)
            return
        if text.cut is None and request["on_bad_lines"] != "error":
            text, request = without_bad_lines(text, request)
        if text.cut is not None:
            self._cut = Cut(text.plain(request), request)
            self._request = self._cut.request
            return
        self._request = request | {"nrows": None}
        self._name = name_of(text.source)
        self._file = open_unpacked(text.source, request)
        self._request["compression"] = None
        self._text, self._at, self._ended = b"", 0, False
        self._more()
        self._text = self._text.removeprefix(codecs.BOM_UTF8)
        self._head = self._cut_head()
        self._request["skiprows"] = None

    def _more(self, least: int = _BLOCK) -> None:
        """Read on."""
        block = self._file.read(max(_BLOCK, least, len(self._text) - self._at))
        self._ended = not block
        self._text, self._at = self._text[self._at :] + block, 0

    def _take(self, rows: int) -> bytes:
        """The text of so many records, or of all that are left."""
        window = max(64 * 1024, 64 * rows)
        while not self._ended and len(self._text) - self._at < window:
            self._more(window)
        while True:
            held = len(self._text) - self._at
            window = min(window, held)
            piece = self._text[self._at : self._at + window]
            end = _cuprum.csv_end_of_records(piece, rows, self._dialect())
            if end is not None and not (end == len(piece) and piece.endswith(b"\r")):
                self._at += end
                return piece[:end]
            if window < held:
                window *= 4
                continue
            if self._ended:
                self._at = len(self._text)
                return piece
            self._more()
            window *= 2

    def _dialect(self) -> dict[str, Any]:
        request = self._request
        names = ("sep", "quotechar", "comment", "skip_blank_lines")
        return {name: request[name] for name in names if request[name] is not None}

    def _cut_head(self) -> bytes:
        """The lines before the rows."""
        request = self._request
        for _ in range(request["skiprows"] or 0):
            while (end := line_end(self._text, self._at)) == len(self._text) and not self._ended:
                self._more()
            self._at = end
        header = request["header"]
        if header is None or (header == "infer" and request["names"] is not None):
            return b""
        return self._take(1 if header == "infer" else header + 1)

    def get_chunk(self, size: int | None = None) -> DataFrame:
        r"""Return the next rows.

        Parameters
        ----------
        size : int, optional
            How many; by default ``chunksize``, or all that are left.

        Returns
        -------
        DataFrame
            The rows, whose labels go on.

        Raises
        ------
        StopIteration
            Where no rows are left.
        ValueError
            Where the file was closed, and as of `read_csv`.

        Examples
        --------
        >>> import cuprum
        >>> with cuprum.read_csv(b"a\n1\n2\n3\n", iterator=True) as reader:
        ...     first, rest = reader.get_chunk(1), reader.get_chunk()
        >>> rest
           a
        1  2
        2  3
        """
        if self._closed:
            raise ValueError("I/O operation on closed file.")
        size = self.chunksize if size is None else size
        if self.nrows is not None:
            if self._row >= self.nrows:
                raise StopIteration
            size = self.nrows - self._row if size is None else min(size, self.nrows - self._row)
        try:
            frame = self._next(size)
        except ValueError as error:
            self.close()
            raise error_of_pandas(error) from None
        self._begun = True
        if self._request["index_col"] is None or self._request["index_col"] is False:
            frame.index = objects.RangeIndex(self._row, self._row + len(frame))
        self._row += len(frame)
        return frame

    def _next(self, size: int | None) -> DataFrame:
        if self._frame is not None:
            if self._row >= len(self._frame) and self._begun:
                raise StopIteration
            stop = len(self._frame) if size is None else self._row + size
            return self._frame.iloc[self._row : stop].copy()
        if self._cut is not None:
            return self._cut.read(size)
        piece = self._take(size) if size is not None else self._rest()
        if self._begun and not self._has_rows(piece):
            raise StopIteration
        text = (self._name, self._head + piece)
        if not self._begun:
            check_names(text, self._request)
        try:
            frame = columns_of(text, self._request)
        except ValueError:
            # The first row of the file says whether rows begin with labels.
            labelled = None if self._begun else with_labels(text, self._request)
            if labelled is None:
                raise
            self._request = labelled
            frame = columns_of(text, labelled)
        if len(frame) == 0 and self._begun:
            raise StopIteration
        if not self._begun:
            self._request["all_names"] = names_of(text, self._request)
            self._put_width(piece)
        return frame

    def _has_rows(self, piece: bytes) -> bool:
        """Whether there is a row: what has none is nothing, or blank lines that are passed over and comments."""
        comment = self._request["comment"]
        if piece[:1] > b" " and not (comment and piece.startswith(comment.encode())):
            return True
        try:
            _cuprum.csv_header_fields(piece, self._dialect() | {"header": None})
        except ValueError as error:
            return not has_detail(error, "EmptyData")
        return True

    def _put_width(self, piece: bytes) -> None:
        """Keep how many fields the first row has: later ones have no more, and no fewer columns."""
        if not self._has_rows(piece):
            return
        # Names for some of the fields, as the line need not have any.
        first = self._dialect() | {"header": 0, "names": ["0"], "usecols": []}
        width = len(_cuprum.csv_header_fields(piece, first))
        request = self._request
        request["most_fields"] = width
        if request["header"] is None and request["names"] is None:
            request["names"] = list(range(width))

    def _rest(self) -> bytes:
        while not self._ended:
            block = self._file.read(1 << 26)
            self._ended = not block
            self._text, self._at = self._text[self._at :] + block, 0
        rest, self._at = self._text[self._at :], len(self._text)
        return rest

    def read(self, nrows: int | None = None) -> DataFrame:
        r"""Return the next rows, all that are left by default.

        Parameters
        ----------
        nrows : int, optional
            How many.

        Returns
        -------
        DataFrame
            The rows, whose labels go on.

        Raises
        ------
        ValueError
            Where the file was closed, and as of `read_csv`.

        Examples
        --------
        >>> import cuprum
        >>> with cuprum.read_csv(b"a\n1\n2\n3\n", chunksize=2) as reader:
        ...     len(reader.read())
        3
        """
        if nrows is not None:
            return self.get_chunk(nrows)
        chunksize, self.chunksize = self.chunksize, None
        try:
            return self.get_chunk()
        finally:
            self.chunksize = chunksize

    def close(self) -> None:
        r"""Close the file; no rows are read any more.

        Examples
        --------
        >>> import cuprum
        >>> reader = cuprum.read_csv(b"a\n1\n", iterator=True)
        >>> reader.close()
        """
        self._closed = True
        if self._file is not None:
            self._file.close()

    def __iter__(self) -> Iterator[DataFrame]:
        return self

    def __next__(self) -> DataFrame:
        try:
            return self.get_chunk()
        except StopIteration:
            self.close()
            raise

    def __enter__(self) -> TextFileReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
