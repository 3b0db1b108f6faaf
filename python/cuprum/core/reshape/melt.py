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
    """Melt columns into rows: a row for each element, with the label of its column.

    Parameters
    ----------
    frame : DataFrame
        The frame. As a method of frames, the frame itself.
    id_vars : label or list of labels, optional
        The columns that stay, repeated for each of the others.
    value_vars : label or list of labels, optional
        The columns whose elements become one column; without it all others.
    var_name : label or list of labels, optional
        The label of the column of labels; without it the name of the column labels, or ``variable``. A list
        for column labels of several levels.
    value_name : label, default ``"value"``
        The label of the column of elements.
    col_level : label or int, optional
        The level of the column labels that is used, without the others.
    ignore_index : bool, default True
        Whether rows are labelled 0, 1, …; if False, by their own labels, repeated.

    Returns
    -------
    DataFrame
        The rows column after column; the elements have the common type of the columns.

    Raises
    ------
    ValueError
        If ``value_name`` is a list, or labels of one level are given where there are several.

    See Also
    --------
    pivot : The way back.
    wide_to_long : For columns whose labels end in values.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"k": ["x", "y"], "a": [1, 2], "b": [3, 4]})
    >>> frame.melt(id_vars="k")
       k variable  value
    0  x        a      1
    1  y        a      2
    2  x        b      3
    3  y        b      4
    >>> frame.melt("k", ["b"], var_name="from", value_name="n")
       k from  n
    0  x    b  3
    1  y    b  4
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
    r"""Make one column of several whose labels end in values, such as ``x1`` and ``x2``.

    Parameters
    ----------
    df : DataFrame
        The frame.
    stubnames : str or list of str
        What the labels begin with, each a column of the result.
    i : label or list of labels
        The columns that tell rows apart, which become levels of the row labels.
    j : label
        The name of the level of what the labels end in, behind those of ``i``.
    sep : str, default ``""``
        What stands between the two parts of labels.
    suffix : str, default ``r"\d+"``
        A regular expression for what the labels end in.

    Returns
    -------
    DataFrame
        A row for each row of ``df`` and ending, labelled by both; endings are numbers where all can be. Other
        columns repeat.

    Raises
    ------
    ValueError
        If ``i`` does not tell rows apart, or a stub is the label of a column.
    NotImplementedError
        If no column begins with a stub.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"k": ["a", "b"], "x1": [1, 2], "x2": [3, 4]})
    >>> cuprum.wide_to_long(frame, "x", i="k", j="n").reset_index()
       k  n  x
    0  a  1  1
    1  b  1  2
    2  a  2  3
    3  b  2  4

    Endings that are no numbers need a ``suffix``:

    >>> frame = cuprum.DataFrame({"k": ["a"], "x_old": [1], "x_new": [3]})
    >>> cuprum.wide_to_long(frame, "x", i="k", j="when", sep="_", suffix=r"\w+").reset_index()
       k when  x
    0  a  old  1
    1  a  new  3
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
    """Make one column of several, for groups of columns.

    Parameters
    ----------
    data : DataFrame
        The frame.
    groups : dict
        The columns that become one, under its label; equally many for each.
    dropna : bool, default True
        Whether to leave out rows in which an element of the new columns is missing.

    Returns
    -------
    DataFrame
        First the rows of the first columns of all groups, then of the second ones, labelled 0, 1, …. All
        other columns stand before, sorted by label, and repeat.

    Raises
    ------
    ValueError
        If groups have different numbers of columns, or none.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"k": ["a", "b"], "x1": [1, 2], "x2": [3, None]})
    >>> cuprum.lreshape(frame, {"x": ["x1", "x2"]})
       k  x
    0  a  1
    1  b  2
    2  a  3
    >>> cuprum.lreshape(frame, {"x": ["x1", "x2"]}, dropna=False)["x"].to_list()
    [1, 2, 3, nan]
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
