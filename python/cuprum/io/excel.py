"""Excel files that stay open: pandas' ``ExcelFile``, whose sheets become frames of ours."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Protocol, Self, cast, overload

from cuprum.core.redaction import guarded
from cuprum.io import through_pandas
from cuprum.io.open_files import read_whole

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

    class _ReadsSheets(Protocol):
        """`read_excel`: a frame of one sheet, a dict of several."""

        @overload
        def __call__(self, io: Any, sheet_name: str | int = 0, **kwargs: Any) -> DataFrame: ...
        @overload
        def __call__(
            self, io: Any, sheet_name: list[str | int] | None, **kwargs: Any
        ) -> dict[Any, DataFrame]: ...


__all__ = ["ExcelFile", "read_excel"]


class ExcelFile:
    """An Excel file, opened once to read several sheets.

    ``sheet_names``, ``engine`` and ``book`` are as pandas has them. It may stand in a ``with`` statement,
    which closes the file.

    Parameters
    ----------
    path_or_buffer : str, path or open file
        The file, or an address that fsspec opens.
    engine : str, optional
        The library that reads it, as in `read_excel`; by default found from the file.
    storage_options : dict, optional
        What fsspec is to know to open an address.
    engine_kwargs : dict, optional
        What goes to the library.

    Raises
    ------
    ImportError
        Where the library is missing; the message names it.
    ValueError
        For a file that no library reads.
    """

    def __init__(
        self,
        path_or_buffer: Any,
        engine: str | None = None,
        storage_options: Any = None,
        engine_kwargs: dict[str, Any] | None = None,
    ) -> None:
        import pandas

        self._file = guarded(
            pandas.ExcelFile,
            path_or_buffer,
            engine=engine,
            storage_options=storage_options,
            engine_kwargs=engine_kwargs,
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'ExcelFile' object has no attribute {name!r}")
        return getattr(self._file, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def parse(self, sheet_name: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Return a sheet as a DataFrame, or several as a dict of them.

        Parameters
        ----------
        sheet_name : str, int, list of these or None, default 0
            The sheets, by name or number; None for all.
        *args
            The arguments of pandas' ``ExcelFile.parse`` that follow.
        **kwargs
            The arguments of `read_excel`.

        Returns
        -------
        DataFrame or dict of DataFrame
            Rows are in the order of the sheet. Integers beside missing values stay integers.

        Raises
        ------
        ValueError
            For an unknown sheet.

        Examples
        --------
        >>> import cuprum
        >>> with cuprum.ExcelFile("sales.xlsx") as file:  # doctest: +SKIP
        ...     frames = {name: file.parse(name) for name in file.sheet_names}
        """
        import pandas

        bound = inspect.signature(pandas.ExcelFile.parse).bind(self._file, sheet_name, *args, **kwargs)
        given = dict(list(bound.arguments.items())[1:])
        return read_excel(self._file, **given.pop("kwds", {}), **given)


class _ReadExcel(through_pandas.ReadAgain[Any]):
    """``read_excel``, which takes an `ExcelFile`, too, and reads open files from their start."""

    _content = staticmethod(read_whole)

    def _read(self, *args: Any, **kwargs: Any) -> Any:
        def opened(value: Any) -> Any:
            return value._file if isinstance(value, ExcelFile) else value

        return super()._read(*map(opened, args), **{name: opened(value) for name, value in kwargs.items()})


read_excel = cast("_ReadsSheets", _ReadExcel("read_excel"))
