"""Values as columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cuprum._cuprum import DType
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_default, plain_labels
from cuprum.core.interop import is_pandas
from cuprum.core.objects import wrap_frame

__all__ = ["get_dummies"]


def get_dummies(
    data: Any,
    prefix: Any = None,
    prefix_sep: Any = "_",
    dummy_na: bool = False,
    columns: Any = None,
    sparse: bool = False,
    drop_first: bool = False,
    dtype: Any = None,
) -> Any:
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
    if columns is None:
        pairs = zip(handle.labels(), handle.dtypes(), strict=True)
        chosen = [label for label, kind in pairs if kind == "str" or kind.categories is not None]
    elif is_list_like(columns):
        chosen = plain_labels(columns)
    else:
        raise TypeError("Input must be a list-like for parameter `columns`")
    prefixes = _of_columns("prefix", chosen if prefix is None else prefix, chosen)
    separators = _of_columns("prefix_sep", prefix_sep, chosen)
    return wrap_frame(handle.dummies(list(zip(chosen, prefixes, strict=True)), separators, *options))


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
        return [str(texts[label]) for label in columns]
    return [str(text) for text in texts]
