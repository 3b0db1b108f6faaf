"""Files and databases that pandas reads: its functions, with its arguments, and frames of ours as results.

What they lack (openpyxl, lxml, SQLAlchemy, …) they say by their own errors. Integers that pandas reads as floats
because some are missing stay floats.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = [
    "read_clipboard",
    "read_excel",
    "read_hdf",
    "read_html",
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


class _OfPandas:
    """A function of pandas whose frames and series become ours."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name
        self.__doc__ = f"pandas' ``{name}``, with its arguments; frames and series are ours."

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import pandas

        return _ours(getattr(pandas, self.__name__)(*args, **kwargs))

    def __repr__(self) -> str:
        return f"<function {self.__name__} of pandas>"


def _ours(result: Any) -> Any:
    """Frames and series of pandas as ours, also within lists and dicts, and one after the other."""
    import pandas

    from cuprum.core.algorithms import from_pandas

    if isinstance(result, (pandas.DataFrame, pandas.Series, pandas.Index)):
        return from_pandas(result)
    if isinstance(result, list):
        return [_ours(part) for part in result]
    if isinstance(result, dict):
        return {key: _ours(part) for key, part in result.items()}
    return map(_ours, result) if isinstance(result, Iterator) else result


read_clipboard = _OfPandas("read_clipboard")
read_excel = _OfPandas("read_excel")
read_hdf = _OfPandas("read_hdf")
read_html = _OfPandas("read_html")
read_pickle = _OfPandas("read_pickle")  # frames of ours, too: those are what they were
read_sas = _OfPandas("read_sas")
read_spss = _OfPandas("read_spss")
read_sql = _OfPandas("read_sql")
read_sql_query = _OfPandas("read_sql_query")
read_sql_table = _OfPandas("read_sql_table")
read_stata = _OfPandas("read_stata")
read_xml = _OfPandas("read_xml")
to_pickle = _OfPandas("to_pickle")
