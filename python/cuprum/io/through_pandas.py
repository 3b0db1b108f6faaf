"""Files and databases that pandas reads: its functions, with its arguments, and frames of ours as results.

What they lack (openpyxl, lxml, SQLAlchemy, …) they say by their own errors. Integers beside missing values stay
integers, with all of their digits, where pandas' function makes floats of them: of databases, XML, HTML, Excel, Stata
and the clipboard.
"""

from __future__ import annotations

import inspect
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast, overload

from cuprum.core.algorithms import from_pandas
from cuprum.core.index.levels import levels_in_order
from cuprum.core.redaction import guarded
from cuprum.io.open_files import read_all

if TYPE_CHECKING:
    import pandas

    from cuprum.core.dataframe import DataFrame

    class _ReadsRows(Protocol):
        """A function that reads from a database: a frame, or frames one after the other."""

        @overload
        def __call__(
            self, sql: Any, con: Any, *args: Any, chunksize: int, **kwargs: Any
        ) -> Iterator[DataFrame]: ...
        @overload
        def __call__(self, sql: Any, con: Any, *args: Any, **kwargs: Any) -> DataFrame: ...


__all__ = [
    "ReadAgain",
    "integers_of",
    "read_clipboard",
    "read_hdf",
    "read_html",
    "read_json_table",
    "read_pickle",
    "read_sas",
    "read_spss",
    "read_sql",
    "read_sql_query",
    "read_sql_table",
    "read_stata",
    "read_xml",
    "to_pickle",
]


Made = TypeVar("Made", covariant=True)

# Of each function: what it does, what it returns, what is true of it, and an example.
_DOCSTRINGS: dict[str, tuple[str, str, str, str]] = {
    "read_clipboard": (
        "Read the text of the clipboard into a DataFrame.",
        "DataFrame\n    The rows of the text.",
        "Integers beside missing values stay integers.",
        ">>> import cuprum\n>>> frame = cuprum.read_clipboard()  # doctest: +SKIP",
    ),
    "read_excel": (
        "Read sheets of an Excel file into a DataFrame, or a dict of them.",
        "DataFrame or dict of DataFrame\n    One sheet, or several by their names.",
        "An open file is read from its start, and an `ExcelFile` is taken too. Integers beside missing values stay\n"
        "integers.",
        '>>> import cuprum\n>>> frame = cuprum.read_excel("sales.xlsx", sheet_name="2024")  # doctest: +SKIP',
    ),
    "read_hdf": (
        "Read an object of an HDF5 file that pandas wrote.",
        "DataFrame or Series\n    The object; several one after the other with ``chunksize`` or ``iterator``.",
        "PyTables reads the file.",
        '>>> import cuprum\n>>> frame = cuprum.read_hdf("store.h5", key="sales")  # doctest: +SKIP',
    ),
    "read_html": (
        "Read the tables of an HTML document into a list of DataFrames.",
        "list of DataFrame\n    The tables in the order of the document.",
        "Integers beside missing values stay integers.",
        '>>> import cuprum\n>>> frames = cuprum.read_html("page.html")  # doctest: +SKIP',
    ),
    "read_pickle": (
        "Read an object from a file of pickle.",
        "object\n    What was written; frames and series of pandas become those of Cuprum.",
        "Only files of a trusted origin may be read: pickle runs code that they have.",
        """>>> import cuprum, os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "frame.pkl")
>>> cuprum.to_pickle(cuprum.DataFrame({"a": [1, 2]}), path)
>>> cuprum.read_pickle(path)
   a
0  1
1  2""",
    ),
    "read_sas": (
        "Read a SAS file (XPORT or SAS7BDAT) into a DataFrame.",
        "DataFrame\n    The rows of the file.",
        "Numbers are floats, as in the file.",
        '>>> import cuprum\n>>> frame = cuprum.read_sas("data.sas7bdat")  # doctest: +SKIP',
    ),
    "read_spss": (
        "Read an SPSS file into a DataFrame.",
        "DataFrame\n    The rows of the file.",
        "pyreadstat reads the file.",
        '>>> import cuprum\n>>> frame = cuprum.read_spss("survey.sav")  # doctest: +SKIP',
    ),
    "read_sql": (
        "Read a query or a table of a database into a DataFrame.",
        "DataFrame or iterator of DataFrame\n    The rows; frames one after the other with ``chunksize``.",
        "Integers beside missing values stay integers, with all of their digits.",
        """>>> import cuprum, sqlite3
>>> connection = sqlite3.connect(":memory:")
>>> cuprum.read_sql("select 1 as a, 'x' as b union all select null, 'y' order by b", connection)
      a  b
0     1  x
1  <NA>  y
>>> connection.close()""",
    ),
    "read_sql_query": (
        "Read the result of a query of a database into a DataFrame.",
        "DataFrame or iterator of DataFrame\n    The rows; frames one after the other with ``chunksize``.",
        "Integers beside missing values stay integers, with all of their digits.",
        """>>> import cuprum, sqlite3
>>> connection = sqlite3.connect(":memory:")
>>> cuprum.read_sql_query("select ? as a, ? as b", connection, params=(1, "x"))
   a  b
0  1  x
>>> connection.close()""",
    ),
    "read_sql_table": (
        "Read a table of a database into a DataFrame.",
        "DataFrame or iterator of DataFrame\n    The rows; frames one after the other with ``chunksize``.",
        "SQLAlchemy opens the database. Integers beside missing values stay integers, with all of their digits.",
        '>>> import cuprum\n>>> frame = cuprum.read_sql_table("sales", "sqlite:///shop.db")  # doctest: +SKIP',
    ),
    "read_stata": (
        "Read a Stata file into a DataFrame.",
        "DataFrame\n    The rows of the file.",
        "Integers beside missing values stay integers.",
        '>>> import cuprum\n>>> frame = cuprum.read_stata("survey.dta")  # doctest: +SKIP',
    ),
    "read_xml": (
        "Read the elements of an XML document into a DataFrame.",
        "DataFrame\n    One row for each element.",
        "Integers beside missing values stay integers.",
        """>>> import cuprum, io
>>> document = "<rows><row><a>1</a><b>x</b></row><row><a/><b>y</b></row></rows>"
>>> cuprum.read_xml(io.StringIO(document), parser="etree")
      a  b
0     1  x
1  <NA>  y""",
    ),
    "to_pickle": (
        "Write an object to a file of pickle.",
        "",
        "`read_pickle` reads it.",
        """>>> import cuprum, os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "series.pkl")
>>> cuprum.to_pickle(cuprum.Series([1, None]), path)
>>> cuprum.read_pickle(path)
0       1
1    <NA>
dtype: int64""",
    ),
}


def _docstring(name: str) -> str:
    summary, returns, notes, example = _DOCSTRINGS[name]
    sections = {
        "Parameters": f"*args, **kwargs\n    The arguments of ``pandas.{name}``.",
        "Returns": returns,
        "Notes": f"The work is pandas', which raises ``ImportError`` for a library that it lacks.\n{notes}",
        "Examples": example,
    }
    parts = [f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items() if text]
    return "\n\n".join([summary, *parts]) + "\n"


class _OfPandas(Generic[Made]):
    """A function of pandas whose frames and series become ours."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name
        self.__doc__ = _docstring(name)

    def __call__(self, *args: Any, **kwargs: Any) -> Made:
        return guarded(self._read, *args, **kwargs)

    def _read(self, *args: Any, **kwargs: Any) -> Any:
        import pandas

        return _ours(getattr(pandas, self.__name__)(*args, **kwargs))

    def __repr__(self) -> str:
        return f"<function {self.__name__} of pandas>"


class _OfDatabases(_OfPandas[Made]):
    """A function of pandas that reads from a database, whose rows are looked at again for integers."""

    def _read(self, *args: Any, **kwargs: Any) -> Any:
        import pandas
        from pandas.io import sql

        bound = inspect.signature(getattr(pandas, self.__name__)).bind(*args, **kwargs)
        if "dtype_backend" in bound.arguments:
            return super()._read(*args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        del given["dtype_backend"]
        is_table = self.__name__ == "read_sql_table"
        what = given.pop("table_name" if is_table else "sql")
        opened = sql.pandasSQL_builder(
            given.pop("con"), schema=given.pop("schema", None), need_transaction=is_table
        )
        with opened as database:
            kind = type(database).__name__
            if is_table and not database.has_table(what):
                raise ValueError(f"Table {what} not found")
            if self.__name__ == "read_sql" and kind != "SQLiteDatabase":
                is_table = _is_name_of_table(database, what)
            for name in ("params", "dtype") if is_table else ("columns",):
                given.pop(name, None)
            if kind == "ADBCDatabase":
                given["dtype_backend"] = "pyarrow"  # which has the types of the database
            rows = _Rows(database)
            result = (database.read_table if is_table else database.read_query)(what, **given)
        if given["chunksize"] is None:
            return _ours(rows.exact(result, given))
        return (_ours(rows.exact(frame, given)) for frame in result)


def _is_name_of_table(database: Any, what: Any) -> bool:
    try:
        return bool(database.has_table(what))
    except Exception:  # drivers have errors of their own for what is no name
        return False


class _Rows:
    """The rows that were fetched last from a database, as its driver gave them."""

    def __init__(self, database: Any) -> None:
        self.rows: Sequence[Any] = []
        self.names: list[Any] = []
        execute = database.execute

        def executed(*args: Any, **kwargs: Any) -> Any:
            return _Fetched(execute(*args, **kwargs), self)

        database.execute = executed

    def exact(self, frame: pandas.DataFrame, given: dict[str, Any]) -> pandas.DataFrame:
        """Return a frame of these rows in which integers beside missing values are no floats."""
        import pandas

        index_col, dtype = given["index_col"], given.get("dtype")
        labels = [] if index_col is None else [index_col] if isinstance(index_col, str) else list(index_col)
        rows = [list(row.values()) if isinstance(row, dict) else row for row in self.rows]
        if len(rows) != len(frame) or not rows:
            return frame
        names = self.names
        places = [i for i, name in enumerate(names) if name not in labels]

        dates = given["parse_dates"]
        dates = dates if isinstance(dates, (dict, list, tuple)) else [dates] if isinstance(dates, str) else []

        def instants(place: int) -> Any:
            """Return integers that count a unit as times, where floats of them are other integers."""
            form = dates[names[place]] if isinstance(dates, dict) else None
            told = form if isinstance(form, dict) else {"errors": "coerce", "unit": form or "s"}
            exact = integers_of([row[place] for row in rows]) if told.get("unit") in _UNITS else None
            if exact is None or abs(exact).max() <= 2**53:
                return None
            return pandas.to_datetime(pandas.Series(exact), **told).array

        def integers(values: Any, place: int) -> Any:
            if names[place] in dates:
                return instants(place)
            asked = dtype.get(names[place]) if isinstance(dtype, dict) else dtype
            if asked is not None and not str(asked).startswith(("Int", "UInt")):
                return None
            is_rounded = asked is not None or (values.dtype == "float64" and values.hasnans)
            return integers_of([row[place] for row in rows], asked) if is_rounded else None

        for column, place in enumerate(places if len(places) == len(frame.columns) else []):
            if (exact := integers(frame.iloc[:, column], place)) is not None:
                frame.isetitem(column, exact)
        if labels:
            levels = levels_in_order(frame.index)
            found = [integers(level, names.index(label)) for level, label in zip(levels, labels, strict=True)]
            if any(exact is not None for exact in found):
                levels = [
                    level if exact is None else pandas.Index(exact, name=level.name)
                    for level, exact in zip(levels, found, strict=True)
                ]
                frame.index = levels[0] if len(levels) == 1 else pandas.MultiIndex.from_arrays(levels)
        return frame


_UNITS = ("D", "d", "h", "m", "s", "ms", "us", "ns")


class _Fetched:
    """The result of a query to a database; rows are kept when they are fetched."""

    def __init__(self, result: Any, kept: _Rows) -> None:
        self._result, self._kept = result, kept
        if hasattr(result, "keys"):
            kept.names = list(result.keys())
        else:
            kept.names = [column[0] for column in result.description or ()]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._result, name)

    def fetchall(self) -> Any:
        self._kept.rows = self._result.fetchall()
        return self._kept.rows

    def fetchmany(self, *args: Any) -> Any:
        self._kept.rows = self._result.fetchmany(*args)
        return self._kept.rows


def integers_of(values: Sequence[Any], dtype: Any = None) -> Any:
    """Return integers and missing values as an array of pandas; None where there are others, or none that fit 64 bits."""
    import pandas

    if not all(value is None or (isinstance(value, int) and type(value) is not bool) for value in values):
        return None
    known = [value for value in values if value is not None]
    if not known:
        return None
    if dtype is None:
        dtype = "Int64" if max(known) < 2**63 else "UInt64"
    try:
        return pandas.array(values, dtype=dtype)
    except (OverflowError, TypeError, ValueError):
        return None


class ReadAgain(_OfPandas[Made]):
    """A function of pandas that is asked for integers again where it may have made floats of them."""

    # Reads an open file: from where it is, as most functions of pandas do.
    _content = staticmethod(read_all)

    def __init__(self, name: str, argument: str = "dtype_backend", value: Any = "numpy_nullable") -> None:
        super().__init__(name)
        self._argument, self._value = argument, value

    def _read(self, *args: Any, **kwargs: Any) -> Any:
        import pandas

        function = getattr(pandas, self.__name__)
        bound = inspect.signature(function).bind(*args, **kwargs)
        if self._argument in bound.arguments:
            return super()._read(*args, **kwargs)
        name, source = next(iter(bound.arguments.items()), ("", None))
        content = self._content(source) if hasattr(source, "read") else None

        def read(**more: Any) -> Any:
            if content is not None:
                bound.arguments[name] = (io.StringIO if isinstance(content, str) else io.BytesIO)(content)
            return function(*bound.args, **bound.kwargs, **more)

        first = read()
        if not any(map(_has_rounded, _frames_in(first))):
            return _ours(first)
        try:
            again = read(**{self._argument: self._value})
        except KeyError:  # pandas finds no name for what is missing among the floats of Stata
            return _ours(first)
        for frame, other in zip(_frames_in(first), _frames_in(again), strict=True):
            for column in range(frame.shape[1]):
                if not _is_rounded(frame.iloc[:, column]):
                    continue
                exact = other.iloc[:, column]
                if exact.dtype == "object":
                    missing = frame.iloc[:, column].isna()
                    exact = integers_of(
                        [None if gone else one for one, gone in zip(exact, missing, strict=True)]
                    )
                if exact is not None and exact.dtype.kind in "iu":
                    frame.isetitem(column, getattr(exact, "array", exact))
        return _ours(first)


def read_json_table(source: Any, **options: Any) -> Any:
    """Return the frame of a document in pandas' layout ``'table'``."""
    import json

    import pandas
    from pandas.io.common import get_handle

    def read() -> Any:
        if isinstance(source, bytes):
            text = source.decode()
        else:
            to_open = {name: options.pop(name) for name in ("compression", "storage_options")}
            with get_handle(source, "r", encoding="utf-8", **to_open) as opened:
                text = opened.handle.read()
        made = pandas.read_json(io.StringIO(text), orient="table", **options)
        rows = json.loads(text)["data"]
        for column, label in enumerate(made.columns):
            if made.dtypes.iloc[column].kind in "iu" and made.iloc[:, column].hasnans:
                # pandas makes floats of them on the way.
                exact = integers_of([row[label] for row in rows], made.dtypes.iloc[column])
                made.isetitem(column, exact)
        return made

    return _ours(guarded(read))


def _frames_in(result: Any) -> list[Any]:
    """The frames of a result, in lists and dicts, too."""
    import pandas

    if isinstance(result, pandas.DataFrame):
        return [result]
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, list) else []
    return [frame for part in parts for frame in _frames_in(part)]


def _has_rounded(frame: pandas.DataFrame) -> bool:
    return any(_is_rounded(frame.iloc[:, column]) for column in range(frame.shape[1]))


def _is_rounded(column: pandas.Series) -> bool:
    """Whether a column of floats may have been integers beside missing values."""
    if column.dtype != "float64" or not column.hasnans:
        return False
    known = column.dropna()
    return len(known) > 0 and bool((known % 1 == 0).all())


def _ours(result: Any) -> Any:
    """Frames and series of pandas as ours, also within lists and dicts, and one after the other."""
    import pandas

    if isinstance(result, (pandas.DataFrame, pandas.Series, pandas.Index)):
        return from_pandas(result)
    if isinstance(result, list):
        return [_ours(part) for part in result]
    if isinstance(result, dict):
        return {key: _ours(part) for key, part in result.items()}
    return map(_ours, result) if isinstance(result, Iterator) else result


read_clipboard: ReadAgain[DataFrame] = ReadAgain("read_clipboard")
read_hdf: _OfPandas[Any] = _OfPandas("read_hdf")
read_html: ReadAgain[list[DataFrame]] = ReadAgain("read_html")
read_pickle: _OfPandas[Any] = _OfPandas("read_pickle")  # frames of ours, too: those are what they were
read_sas: _OfPandas[DataFrame] = _OfPandas("read_sas")
read_spss: _OfPandas[DataFrame] = _OfPandas("read_spss")
read_sql = cast("_ReadsRows", _OfDatabases("read_sql"))
read_sql_query = cast("_ReadsRows", _OfDatabases("read_sql_query"))
read_sql_table: _OfDatabases[DataFrame] = _OfDatabases("read_sql_table")
read_stata: ReadAgain[DataFrame] = ReadAgain("read_stata", "convert_missing", True)
read_xml: ReadAgain[DataFrame] = ReadAgain("read_xml")
to_pickle: _OfPandas[None] = _OfPandas("to_pickle")
