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
    """Return a column of truth values for each different value, or for each category.

    Parameters
    ----------
    data
        A Series or a list-like, whose values name the columns; or a DataFrame, whose columns of texts and
        categories are replaced by such columns, after all others.
    prefix, prefix_sep
        What stands before the values in the names, and between them: texts, of a frame also a list of them
        or a dict of columns and texts. The columns' own names without it.
    dummy_na
        With a column for missing elements.
    columns
        The columns of a frame to replace, of any type.
    drop_first
        Without the first value.
    dtype
        The type of the columns: ``bool``, or one of numbers 0 and 1.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.get_dummies(cuprum.Series(["x", "y", "x"]), dtype="int8")
       x  y
    0  1  0
    1  0  1
    2  1  0
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
    """Return the values whose columns of truth values are true: what `get_dummies` was made of.

    Parameters
    ----------
    data
        A frame of truth values, or of the numbers 0 and 1; in each row one of the columns of a value is true.
    sep
        What stands between names and values in the labels of columns; the first of them counts. Without it all columns
        are of one value, whose column is called ``''``.
    default_category
        The value of rows in which no column is true; a dict says it by name. ``ValueError`` for such rows without it.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.from_dummies(cuprum.DataFrame({"c_a": [1, 0], "c_b": [0, 1]}), sep="_")
       c
    0  a
    1  b
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
