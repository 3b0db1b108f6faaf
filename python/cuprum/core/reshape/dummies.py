"""Values as columns, and columns as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum._cuprum import DType
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_default, plain_labels
from cuprum.core.frame_construction import frame_of
from cuprum.core.interop import is_pandas
from cuprum.core.label_positions import are_repeated, numbered, refuse_repeated
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_frame

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.typing import FrameLike

__all__ = ["from_dummies", "get_dummies"]


@objects_where_mixed
def get_dummies(
    data: Any,
    prefix: Any = None,
    prefix_sep: Any = "_",
    dummy_na: bool = False,
    columns: Any = None,
    sparse: bool = False,
    drop_first: bool = False,
    dtype: Any = None,
) -> DataFrame:
    """Make a column of truth values for each different value of a series, or of columns of a frame.

    Parameters
    ----------
    data : Series, list-like or DataFrame
        A Series, whose values label the columns; or a frame, whose columns of texts and categories are
        replaced.
    prefix : str, list or dict of str, optional
        What stands before the values in labels; of a frame also a list or a dict with one for each column.
        Without it the labels of the columns of a frame.
    prefix_sep : str, list or dict of str, default ``"_"``
        What stands between the two.
    dummy_na : bool, default False
        Whether to add a column for missing elements.
    columns : list-like, optional
        The columns of a frame to replace, of any type.
    sparse : bool, default False
        Only False.
    drop_first : bool, default False
        Whether to leave out the first value.
    dtype : dtype, optional
        The type of the columns: ``bool`` without it, or one of numbers, for 0 and 1.

    Returns
    -------
    DataFrame
        A column for each value in order, or for each category, after the other columns of a frame. Missing
        elements are false in all.

    Raises
    ------
    TypeError
        If ``columns`` is no list-like.
    ValueError
        If there is another number of prefixes or separators than of columns.

    See Also
    --------
    from_dummies : The way back.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.get_dummies(cuprum.Series(["x", "y", None]))
           x      y
    0   True  False
    1  False   True
    2  False  False
    >>> cuprum.get_dummies(cuprum.DataFrame({"c": ["x", "y"], "n": [1, 2]}), dtype="int8")
       n  c_x  c_y
    0  1    1    0
    1  2    0    1
    """
    only_default("get_dummies", sparse=(sparse, False))
    options = (bool(drop_first), bool(dummy_na), DType("bool" if dtype is None else dtype))
    if is_pandas(data, "DataFrame"):
        data = objects.DataFrame(data)
    if not isinstance(data, objects.DataFrame):
        series = data if isinstance(data, objects.Series) else objects.Series(data)
        if prefix is None:
            return wrap_frame(series._handle.dummies(*options))
        handle = series._handle.to_frame(0)
        return wrap_frame(handle.dummies([(0, str(prefix))], [str(prefix_sep)], *options))
    handle = data._handle
    own = handle.labels()
    if columns is None:
        pairs = zip(own, handle.dtypes(), strict=True)
        # Those that are objects in pandas; what can be no category is refused.
        chosen = [label for label, kind in pairs if kind.kind == "O" and kind.closed is None]
    elif is_list_like(columns):
        chosen = plain_labels(columns)
    else:
        raise TypeError("Input must be a list-like for parameter `columns`")
    prefixes = _of_columns("prefix", chosen if prefix is None else prefix, chosen)
    separators = _of_columns("prefix_sep", prefix_sep, chosen)
    if not are_repeated(own):
        return wrap_frame(handle.dummies(list(zip(chosen, prefixes, strict=True)), separators, *options))
    if columns is not None:
        refuse_repeated([label for label in own if label in chosen])
    dtypes = handle.dtypes()
    places = [at for at, label in enumerate(own) if label in chosen and dtypes[at].kind == "O"]
    rest = [label for at, label in enumerate(own) if at not in places]
    made = numbered(handle).dummies(list(zip(places, prefixes, strict=True)), separators, *options)
    return wrap_frame(made.with_labels([*rest, *made.labels()[len(rest) :]]))


def from_dummies(data: FrameLike, sep: str | None = None, default_category: Any = None) -> DataFrame:
    """Return the values that columns of truth values stand for, the way back of `get_dummies`.

    Parameters
    ----------
    data : DataFrame
        A frame of truth values, or of the numbers 0 and 1; in each row one of the columns of a value is true.
    sep : str, optional
        What stands between names and values in the labels of columns; the first of them counts. Without it
        all columns are of one value, whose column is called ``""``.
    default_category : scalar or dict, optional
        The value of rows in which no column is true; a dict has one for each name.

    Returns
    -------
    DataFrame
        A column for each name, under the row labels.

    Raises
    ------
    ValueError
        If a row has several columns that are true, or none without ``default_category``; for missing
        elements, and for labels without ``sep``.
    TypeError
        For other elements.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.from_dummies(cuprum.DataFrame({"c_a": [1, 0], "c_b": [0, 1]}), sep="_")
       c
    0  a
    1  b
    >>> cuprum.from_dummies(cuprum.DataFrame({"c_a": [1, 0]}), sep="_", default_category="other")
           c
    0      a
    1  other
    """
    data = frame_of(data, "data")
    if sep is not None and not isinstance(sep, str):
        raise TypeError(
            f"Expected 'sep' to be of type 'str' or 'None'; Received 'sep' of type: {type(sep).__name__}"
        )
    named: dict[Any, list[tuple[Any, Any]]] = {}
    for i, label in enumerate(data.columns):
        column = data.iloc[:, i]
        if column.hasnans:
            raise ValueError(f"Dummy DataFrame contains NA value in column: '{label}'")
        if column.dtype.kind not in "biuf" or not column.isin([0, 1]).all():
            raise TypeError("Passed DataFrame contains non-dummy data")
        name, _, value = ("", "", label) if sep is None else label.partition(sep)
        if sep is not None and name == label:
            raise ValueError(f"Separator not specified for column: {label}")
        named.setdefault(name, []).append((value, column.astype("int64")))
    defaults = default_category
    if not isinstance(default_category, Mapping):
        defaults = {} if default_category is None else dict.fromkeys(named, default_category)
    elif len(default_category) != len(named):
        raise ValueError(
            f"Length of 'default_category' ({len(default_category)}) did not match the length of the columns being "
            f"encoded ({len(named)})"
        )
    return objects.DataFrame(
        {name: _true_one(columns, data.index, name, defaults) for name, columns in named.items()},
        index=data.index,
    )


def _true_one(columns: list[tuple[Any, Any]], index: Any, name: Any, defaults: Mapping[Any, Any]) -> Any:
    """Return for each row the value whose column is 1."""
    count, place = 0 * columns[0][1], 0 * columns[0][1]
    for i, (_, column) in enumerate(columns):
        count, place = count + column, place + i * column
    values = [value for value, _ in columns]
    if (count > 1).any():
        raise ValueError(
            f"Dummy DataFrame contains multi-assignment(s); First instance in row: {count.idxmax()}"
        )
    if (count == 0).any():
        if name not in defaults:
            raise ValueError(
                f"Dummy DataFrame contains unassigned value(s); First instance in row: {count.idxmin()}"
            )
        place = place + len(values) * (count == 0).astype("int64")
        values = [*values, defaults[name]]
    return objects.Series(values).take(place.to_numpy()).set_axis(index)


def _of_columns(argument: str, texts: Any, columns: list[Any]) -> list[str]:
    """Return one text for each column: the same for all, or those of a list or dict."""
    if isinstance(texts, str):
        return [texts] * len(columns)
    if not is_list_like(texts):
        raise TypeError(f"`{argument}` is {texts!r}; it is a text, a list of texts or a dict")
    if len(texts) != len(columns):
        raise ValueError(
            f"Length of '{argument}' ({len(texts)}) did not match the length of the columns being "
            f"encoded ({len(columns)})."
        )
    if isinstance(texts, Mapping):
        lacking = [label for label in columns if label not in texts]
        if lacking:
            raise KeyError(f"`{argument}` has the keys {list(texts)}, and none for the columns {lacking}")
        return [str(texts[label]) for label in columns]
    return [str(text) for text in texts]
