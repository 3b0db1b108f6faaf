"""Columns as rows that say which column they are of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, label_list, plain_label, plain_labels
from cuprum.core.construction import column_from
from cuprum.core.frame_construction import frame_of
from cuprum.core.index.levels import levels_in_order
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame
from cuprum.core.reshape.concat import concat
from cuprum.core.tools.numeric import to_numeric

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.typing import FrameLike

__all__ = ["lreshape", "melt", "wide_to_long"]


@objects_where_mixed
def melt(
    frame: FrameLike,
    id_vars: Any = None,
    value_vars: Any = None,
    var_name: Any = None,
    value_name: Any = "value",
    col_level: Any = None,
    ignore_index: bool = True,
) -> DataFrame:
    """Return a row for each element of some columns, column after column.

    Parameters
    ----------
    id_vars
        The columns that stay, repeated for each of the others.
    value_vars
        The columns whose elements become one column, of their common type; all others by default.
    var_name
        What the column of the labels is called: by default the name of the labels, or ``variable``; of several
        levels a list.
    value_name
        What the column of the elements is called.
    col_level
        The level of the columns' labels that is used, without the others.
    ignore_index
        Row labels 0, 1, …; else those of the frame, repeated.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.melt(cuprum.DataFrame({"k": ["x", "y"], "a": [1, 2], "b": [3, 4]}), id_vars="k")
       k variable  value
    0  x        a      1
    1  y        a      2
    2  x        b      3
    3  y        b      4
    """
    frame = frame_of(frame, "frame")
    if is_list_like(value_name):
        raise ValueError(f"{value_name=} must be a scalar.")
    handle = frame._handle
    if col_level is not None:
        level = handle.columns_index().level_position(plain_label(col_level))
        labels = [label[level] if isinstance(label, tuple) else label for label in handle.labels()]
        handle = handle.with_labels(labels, [handle.columns_index().names()[level]])
    count = handle.columns_index().nlevels()
    names = None if var_name is None else _names(var_name, count)
    kept, given = _columns("id_vars", id_vars, count) or [], _columns("value_vars", value_vars, count)
    melted = given or (None if not kept or given is None else [])
    value = plain_label(value_name)
    try:
        return wrap_frame(handle.melt(kept, melted, names, value, bool(ignore_index)))
    except NotImplementedError:
        if melted or (melted is None and not set(handle.labels()) <= set(kept)):
            raise
        return _of_no_columns(handle, kept, names, value, bool(ignore_index))


def _of_no_columns(
    handle: Any, kept: list[Any], names: list[Any] | None, value: Any, ignore_index: bool
) -> DataFrame:
    """Return what `melt` gives where no column is melted: no rows of the columns that stay, labels and floats."""
    labels = objects.wrap_index(handle.columns_index())
    if names is None:
        numbered = labels.nlevels > 1
        known = (f"variable_{level}" if numbered else "variable" for level in range(labels.nlevels))
        names = [other if name is None else name for name, other in zip(labels.names, known, strict=True)]
    stay = wrap_frame(handle)[kept].iloc[:0]._handle
    columns = [*stay.columns(), *(level._column() for level in levels_in_order(labels[:0]))]
    rows = _cuprum.Index.range(0, 0) if ignore_index else stay.index()
    return wrap_frame(_cuprum.DataFrame([*kept, *names, value], [*columns, column_from([], "float64")], rows))


def _columns(argument: str, given: Any, levels: int) -> list[Any] | None:
    """Return the labels of columns, of hierarchical ones as tuples."""
    if given is None:
        return None
    if levels > 1 and (isinstance(given, tuple) or not is_list_like(given)):
        raise ValueError(f"{argument} must be a list of tuples when columns are a MultiIndex")
    if isinstance(given, tuple):
        return plain_labels(given)
    return label_list(given)


def _names(var_name: Any, levels: int) -> list[Any]:
    """Return names for the columns of labels, one for each level."""
    if not is_list_like(var_name):
        return [plain_label(var_name)]
    if levels == 1:
        raise ValueError(f"{var_name=} must be a scalar.")
    return plain_labels(var_name)


@objects_where_mixed
def wide_to_long(
    df: FrameLike, stubnames: Any, i: Any, j: Any, sep: str = "", suffix: str = r"\d+"
) -> DataFrame:
    """Return columns whose labels end in values, such as ``x1`` and ``x2``, as one column and a level ``j``.

    Parameters
    ----------
    stubnames
        What the labels begin with: one text or a list, each a column of the result.
    i
        The columns that tell rows apart, which become levels of the row labels; ``j`` comes behind them.
    j
        The name of the level of what the labels end in: numbers, where all are.
    sep
        What stands between the two.
    suffix
        A regular expression for what the labels end in.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"k": ["a", "b"], "x1": [1, 2], "x2": [3, 4]})
    >>> wide_to_long(frame, "x", i="k", j="n").reset_index()
       k  n  x
    0  a  1  1
    1  b  1  2
    2  a  2  3
    3  b  2  4
    """
    frame = frame_of(df, "df")
    stubs = list(stubnames) if is_list_like(stubnames) else [stubnames]
    labels = list(frame._handle.labels())
    if any(stub in labels for stub in stubs):
        raise ValueError("stubname can't be identical to a column name")
    keys = label_list(i)
    if frame[keys].duplicated().any():
        raise ValueError("the id variables need to uniquely identify each row")
    matched = {
        stub: [x for x in labels if isinstance(x, str) and re.match(_pattern(stub, sep, suffix), x)]
        for stub in stubs
    }
    for stub, found in matched.items():
        if not found:
            raise NotImplementedError(f"wide_to_long has no column for {stub!r} of `stubnames`")
    gone = {label for found in matched.values() for label in found}
    others = [label for label in labels if label not in gone]
    parts = []
    for stub, found in matched.items():
        long = frame[keys + found].melt(id_vars=keys, value_vars=found, var_name=j, value_name=stub)
        endings = long[j].str.slice(len(stub) + len(sep))
        try:
            long[j] = to_numeric(endings)
        except ValueError:  # some are no numbers
            long[j] = endings
        parts.append(long.set_index([*keys, j]))
    joined = concat(parts, axis=1, join="outer") if len(parts) > 1 else parts[0]
    rest = [label for label in others if label not in keys]
    if not rest and len(keys) == 1:
        return joined
    left, right = frame[others], joined.reset_index()
    if len(keys) == 1:
        # As in pandas in the order of the long form, with several keys in that of the frame.
        both = right.merge(left, on=keys, how="left").set_index([*keys, j])
        return both[rest + stubs]
    return left.merge(right, on=keys).set_index([*keys, j])


def _pattern(stub: str, sep: str, suffix: str) -> str:
    return f"^{re.escape(stub)}{re.escape(sep)}{suffix}$"


@objects_where_mixed
def lreshape(data: FrameLike, groups: Mapping[Any, Sequence[Any]], dropna: bool = True) -> DataFrame:
    """Return several columns as one: first the rows of the first columns of all ``groups``, then of the second ones.

    Parameters
    ----------
    groups
        The columns that become one, by its label; equally many for each, else ``ValueError``. All other columns stand
        before them, sorted by label, and repeat.
    dropna
        Whether rows in which an element of these columns is missing are left out.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"k": ["a", "b"], "x1": [1, 2], "x2": [3, None]})
    >>> lreshape(frame, {"x": ["x1", "x2"]})
       k  x
    0  a  1
    1  b  2
    2  a  3
    """
    frame, wanted = frame_of(data, "data"), {label: list(columns) for label, columns in groups.items()}
    counts = {len(columns) for columns in wanted.values()}
    if len(counts) > 1:
        raise ValueError("All column lists must be same length")
    if not counts or 0 in counts:
        raise ValueError("`groups` names no columns")
    others = frame.columns.difference([column for columns in wanted.values() for column in columns]).to_list()
    labels = [*others, *wanted]
    parts = [
        frame[[*others, *columns]].set_axis(labels, axis=1) for columns in zip(*wanted.values(), strict=True)
    ]
    made = concat(parts, ignore_index=True)
    return made.dropna(subset=list(wanted), ignore_index=True) if dropna else made
