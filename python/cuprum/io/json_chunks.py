"""The rows of JSON Lines, some at a time: ``read_json(…, lines=True, chunksize=…)``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType

    from cuprum.core.dataframe import DataFrame

__all__ = ["JsonReader"]


class JsonReader:
    """Frames of as many lines each, whose labels go on; types are found in each of them.

    A file is read as far as it takes. It may stand in a ``with`` statement, which closes the file.

    Examples
    --------
    >>> import cuprum
    >>> with cuprum.read_json(b'{"a":1}\\n{"a":2}\\n{"a":3}\\n', lines=True, chunksize=2) as reader:
    ...     [len(chunk) for chunk in reader]
    [2, 1]
    """

    def __init__(
        self, file: Any, chunksize: int, nrows: int | None, read: Callable[[bytes], DataFrame]
    ) -> None:
        self.chunksize, self.nrows, self.nrows_seen = chunksize, nrows, 0
        self._file, self._read = file, read
        self._lines = filter(bytes.strip, file)

    def read(self) -> DataFrame:
        r"""Return all rows that are left.

        Returns
        -------
        DataFrame
            The rows, whose labels go on.

        Examples
        --------
        >>> import cuprum
        >>> with cuprum.read_json(b'{"a":1}\n{"a":2}\n{"a":3}\n', lines=True, chunksize=2) as reader:
        ...     first, rest = next(reader), reader.read()
        >>> rest
           a
        2  3
        """
        rest = None if self.nrows is None else max(self.nrows - self.nrows_seen, 0)
        return self._frame(b"".join(islice(self._lines, rest)))

    def __iter__(self) -> Iterator[DataFrame]:
        return self

    def __next__(self) -> DataFrame:
        count = self.chunksize
        if self.nrows is not None:
            count = min(count, self.nrows - self.nrows_seen)
        text = b"".join(islice(self._lines, count))
        if not text:
            self.close()
            raise StopIteration
        return self._frame(text)

    def _frame(self, text: bytes) -> DataFrame:
        frame = self._read(text)
        first = self.nrows_seen
        self.nrows_seen += len(frame)
        return frame.set_axis(range(first, self.nrows_seen), axis=0)

    def close(self) -> None:
        r"""Close the file; no rows are read any more.

        Examples
        --------
        >>> import cuprum
        >>> reader = cuprum.read_json(b'{"a":1}\n', lines=True, chunksize=1)
        >>> reader.close()
        """
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
