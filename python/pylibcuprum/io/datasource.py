"""Sources of bytes that are neither at a path nor in memory.

Examples
--------
>>> class Letter(Datasource):
...     def read(self) -> bytes:
...         return b"a\\n1\\n"
>>> from pylibcuprum.io import csv, types
>>> csv.read_csv(csv.CsvReaderOptions.builder(types.SourceInfo([Letter()])).build()).columns[0].to_pylist()
[1]
"""

from __future__ import annotations

__all__ = ["Datasource"]


class Datasource:
    """Something that gives bytes: what is derived from it has `read`.

    Examples
    --------
    >>> class Letter(Datasource):
    ...     def read(self) -> bytes:
    ...         return b"a\\n1\\n"
    >>> from pylibcuprum.io import csv, types
    >>> source = types.SourceInfo([Letter()])
    >>> csv.read_csv(csv.CsvReaderOptions.builder(source).build()).columns[0].to_pylist()
    [1]
    """

    def __init__(self) -> None:
        pass

    def read(self) -> bytes:
        """Return all bytes of the source, which derived classes do.

        Returns
        -------
        bytes
            The whole file.

        Raises
        ------
        NotImplementedError
            Where a derived class has no ``read``.

        Examples
        --------
        >>> class Letter(Datasource):
        ...     def read(self) -> bytes:
        ...         return b"a\\n1\\n"
        >>> len(Letter().read())
        4
        """
        raise NotImplementedError(f"{type(self).__name__} has no `read`")
