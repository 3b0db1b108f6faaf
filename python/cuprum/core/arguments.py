"""Arguments of pandas' functions, read: axes, labels, scalars, what is not supported."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from cuprum._cuprum import Column
from cuprum.core.interop import is_pandas

__all__ = [
    "axis_number",
    "check_kind",
    "check_time_unit",
    "check_truth",
    "element_of",
    "fill_limit",
    "flag_per_label",
    "integer_of",
    "is_list_like",
    "is_no_default",
    "is_scalar",
    "label_list",
    "numpy_keywords",
    "only_default",
    "only_engine",
    "only_known",
    "only_texts",
    "only_truth",
    "plain_label",
    "plain_labels",
    "refuse_no_data",
    "truth_of",
    "under_missing_labels",
    "where_given",
]

_SCALARS = frozenset({str, int, float, bool, type(None)})


def axis_number(axis: Any, owner: Any = "DataFrame") -> Literal[0, 1]:
    """0 for the rows (``0``, ``'index'``, ``'rows'``), 1 for the columns (``1``, ``'columns'``) of a frame.

    ``owner`` is the frame or the series, or what it is called.
    """
    if axis in (0, "index", "rows"):
        return 0
    if axis in (1, "columns") and (owner == "DataFrame" if isinstance(owner, str) else owner.ndim == 2):
        return 1
    owner = owner if isinstance(owner, str) else type(owner).__name__
    raise ValueError(f"No axis named {axis} for object type {owner}")


def is_list_like(obj: Any) -> bool:
    """Whether ``obj`` holds elements rather than being one: text, bytes and classes are scalars."""
    if type(obj) in _SCALARS:
        return False
    if isinstance(obj, (str, bytes, bytearray, type)):
        return False
    if getattr(obj, "ndim", None) == 0:
        return False
    return isinstance(obj, (Iterable, Column)) or hasattr(obj, "__arrow_c_array__")


def is_no_default(value: Any) -> bool:
    """Whether an argument is pandas' ``no_default``, by which callers say that they give none."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and value is pandas.api.extensions.no_default


def is_scalar(obj: Any) -> bool:
    """Whether ``obj`` is one element and no container of them."""
    return type(obj) in _SCALARS or not is_list_like(obj)


def element_of(value: Any) -> Any:
    """Return the element of an array without dimensions; anything else as it is."""
    numpy = sys.modules.get("numpy")
    return value[()] if numpy is not None and isinstance(value, numpy.ndarray) and value.ndim == 0 else value


def where_given(value: Any) -> Any:
    """Return an argument, or ``...`` where it is pandas' ``no_default``, which stands for none."""
    return ... if is_no_default(value) else value


def plain_label(label: Any) -> Any:
    """Return a label as Python knows it: NumPy's numbers and texts become Python's; its times stay."""
    if type(label) in (str, int):
        return label
    if isinstance(label, tuple):
        return tuple(plain_label(part) for part in label)
    if hasattr(label, "item") and hasattr(label, "dtype"):
        return label if getattr(label.dtype, "kind", "") in "Mm" else label.item()
    return label


def plain_labels(labels: Any) -> list[Any]:
    """Return the labels of an iterable as Python knows them; a pandas ``MultiIndex`` gives tuples."""
    return [plain_label(label) for label in labels]


def under_missing_labels(items: dict[Any, Any], labels: list[Any]) -> dict[Any, Any]:
    """Return a dict with its values also under such labels as equal its own but for NaN, which equals no other."""

    def known(label: Any) -> Any:
        if isinstance(label, tuple):
            return tuple(map(known, label))
        return "NaN", label != label, None if label != label else label

    own = {known(label): values for label, values in items.items()}
    return items | {label: own[known(label)] for label in labels if known(label) in own}


def label_list(labels: Any) -> list[Any]:
    """Return one label or several as a list; a tuple is one label."""
    if isinstance(labels, (str, tuple)) or not is_list_like(labels):
        return [plain_label(labels)]
    return plain_labels(labels)


def names_of_levels(names: Any, count: int) -> list[Any]:
    """Return names for ``count`` levels: one of them, or a list-like of one for each."""
    if not is_list_like(names):
        if count > 1:
            raise TypeError("Must pass list-like as `names`.")
        return [plain_label(names)]
    labels = plain_labels(names)
    if len(labels) != count:
        raise ValueError(f"Length of new names must be {count}, got {len(labels)}")
    return labels


def flag_per_label(flags: Any, count: int, argument: str) -> list[bool]:
    """``flags``, one for all or one for each of ``count`` labels, as a list; integers are flags, too."""
    if not is_list_like(flags):
        return [truth_of(argument, flags, integers=True)]
    flags = [truth_of(argument, flag, integers=True) for flag in flags]
    if len(flags) != count:
        raise ValueError(f"Length of {argument} ({len(flags)}) != length of by ({count})")
    return flags


def refuse_no_data(kind: str, data: Any) -> None:
    """Fail for an index of None."""
    if data is None:
        raise TypeError(f"{kind}(...) must be called with a collection of some kind, None was passed")


def only_default(function: str, **arguments: tuple[Any, Any]) -> None:
    """Fail with ``NotImplementedError`` where an argument ``name=(value, default)`` is not its default."""
    for name, (value, default) in arguments.items():
        if value is not default and not (is_scalar(value) and value == default):
            # A mapping may hold what opens a file.
            shown = f"a {type(value).__name__}" if isinstance(value, Mapping) else repr(value)
            raise NotImplementedError(
                f"{function} does not support `{name}`={shown}; leave it at {default!r}"
            )


def only_truth(function: str, **arguments: Any) -> None:
    """Fail with ``TypeError`` for an argument that is no truth value (or None).

    For arguments of which every truth value gives the same: ``copy``, since no write to an object shows in
    what a function made of it, and those that only say how something is computed.
    """
    for name, value in arguments.items():
        if value is not None and not (is_scalar(value) and value in (True, False)):
            raise TypeError(f"{function}: `{name}` must be True or False, not {value!r}")


def only_texts(**arguments: Any) -> None:
    """Fail with ``TypeError`` for an argument that is no text."""
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise TypeError(f"`{name}` must be a str, not {value!r}")


def integer_of(argument: str, value: Any, truths: bool = False) -> int:
    """Return an integer; ``TypeError`` for what is none. With ``truths``, True and False are 1 and 0."""
    if (isinstance(value, bool) and not truths) or not hasattr(value, "__index__") or isinstance(value, type):
        raise TypeError(f"`{argument}` must be an integer, not {value!r}")
    return value.__index__()


def only_engine(function: str, engine: Any, *known: str) -> None:
    """Fail with ``NotImplementedError`` for an ``engine`` whose results are others than those of the ``known`` ones."""
    if engine not in known:
        raise NotImplementedError(
            f"{function} does not support `engine`={engine!r}; "
            f"{', '.join(map(repr, known[:-1]))} and {known[-1]!r} have the same results here"
        )


def only_known(function: str, given: dict[str, Any], **known: Any) -> None:
    """Fail for keywords: ``TypeError`` for one not ``known``, `only_default` for another value than there."""
    for name in given:
        if name not in known:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")
    only_default(function, **{name: (value, known[name]) for name, value in given.items()})


_OF_NUMPY = {"dtype": None, "out": None, "keepdims": False, "initial": None, "where": True}


def numpy_keywords(function: str, given: dict[str, Any]) -> None:
    """Fail for keywords but those with which NumPy's functions call methods, which ask for nothing.

    ``ValueError`` for another value of one of those, ``TypeError`` for any other keyword.
    """
    for name, value in given.items():
        if name not in _OF_NUMPY:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")
        if value is not _OF_NUMPY[name]:
            raise ValueError(f"the '{name}' parameter is not supported by {function}(): it is NumPy's")


_KINDS = ("quicksort", "mergesort", "heapsort", "stable")


def check_kind(kind: Any) -> None:
    """Fail for an argument that is no way to sort; all of them are the stable one here."""
    if kind is not None and kind not in _KINDS:
        raise ValueError(f"`kind` is {kind!r}; known are {', '.join(map(repr, _KINDS))}")


def check_truth(argument: str, value: Any) -> None:
    """Fail with ``ValueError`` for what is not True or False."""
    if not _is_truth(value):
        raise ValueError(f"The {argument!r} parameter must be True or False, not {value!r}")


def truth_of(argument: str, value: Any, integers: bool = False) -> bool:
    """Return a truth value, also one of NumPy's or, with ``integers``, an integer; ``ValueError`` for others."""
    if not _is_truth(value) and not (integers and hasattr(value, "__index__")):
        raise ValueError(
            f'For argument "{argument}" expected type bool, received type {type(value).__name__}.'
        )
    return bool(value)


def fill_limit(limit: Any, least: int = 1) -> int | None:
    """Return how many missing elements are to be replaced; ``ValueError`` unless it is an integer from ``least`` on."""
    if limit is None:
        return None
    if isinstance(limit, bool) or not hasattr(limit, "__index__"):
        raise ValueError(f"Limit must be an integer, not {limit!r}")
    if limit < least:
        raise ValueError(f"Limit must be greater than {least - 1}, not {limit}")
    return limit.__index__()


def check_time_unit(unit: Any) -> None:
    """Fail with ``ValueError`` for what times do not count: they count s, ms, us and ns."""
    if unit not in ("s", "ms", "us", "ns"):
        raise ValueError(f"`unit` is {unit!r}; known units are 's', 'ms', 'us' and 'ns'")


def is_mask(obj: Any) -> bool:
    """Whether a list-like holds truth values: a list of them, or an array of that type."""
    dtype = getattr(obj, "dtype", None)
    if dtype is not None:
        return getattr(dtype, "kind", None) == "b" or str(dtype) in ("bool", "boolean")
    if isinstance(obj, Column):
        return obj.dtype.kind == "b"
    return isinstance(obj, (list, tuple)) and len(obj) > 0 and _is_truth(obj[0])


def _is_truth(value: Any) -> bool:
    return type(value) is bool or type(value).__name__ in ("bool_", "bool")


def is_frame_like(obj: Any) -> bool:
    """Whether ``obj`` is a pandas DataFrame."""
    return is_pandas(obj, "DataFrame")
