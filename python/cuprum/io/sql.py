"""``pandas.io.sql``: what reads from databases, and the statement that makes a table for a frame."""

from __future__ import annotations

from typing import Any

from cuprum.io.through_pandas import read_sql, read_sql_query, read_sql_table

__all__ = ["get_schema", "read_sql", "read_sql_query", "read_sql_table"]


def get_schema(frame: Any, name: str, **options: Any) -> str:
    """Return the statement that makes a table called ``name`` for the rows of a frame; the options are pandas'.

    Examples
    --------
    >>> import cuprum
    >>> print(get_schema(cuprum.DataFrame({"a": [1]}), "t"))
    CREATE TABLE "t" (
    "a" INTEGER
    )
    """
    from pandas.io import sql

    theirs = frame.to_pandas() if hasattr(frame, "to_pandas") else frame
    return sql.get_schema(theirs, name, **options)
