"""Files that are one table: directories of them, whose names tell keys (``year=2024/month=1``)."""

from __future__ import annotations

import datetime
import os
import re
import urllib.parse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from cuprum.core.arguments import is_list_like
from cuprum.io.addresses import Place, files_below, is_address, look
from cuprum.io.filters import Condition
from cuprum.io.sources import Remote, Source, all_in_pieces, in_pieces, local_directory, place_at

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = [
    "NULL",
    "Keys",
    "LackedColumns",
    "Part",
    "keys_of",
    "partitions",
    "parts_of",
    "with_keys",
    "without_absent",
    "without_keys",
]

# The name of a directory of rows whose key is missing.
NULL = "__HIVE_DEFAULT_PARTITION__"


class Part(NamedTuple):
    """A file of a table, and the keys that its directories tell, by name."""

    source: Source | Remote
    keys: dict[str, str | None]


def parts_of(
    data: Any, argument: str, storage_options: Any = None, *, partitioned: bool = True
) -> list[Part]:
    """Return the files that a user names: one, a list, a pattern, or all of a directory.

    Files and directories whose names begin with ``.`` or ``_`` are no part of a table. Of one file the directories
    are no keys, of several they are.
    """
    if is_list_like(data) and not hasattr(data, "read") and not isinstance(data, memoryview):
        given = list(data)
        if not given:
            raise ValueError(f"`{argument}` names no files")
    else:
        given = [data]
    parts: list[Part] = []
    for one in given:
        root = local_directory(one)
        if root is not None:
            # In the order of whole paths, as pyarrow has them.
            files = sorted(_files(root), key="/".join)
            if not files:
                raise FileNotFoundError(f"`{argument}`: the directory {root!r} has no files")
            parts += [Part(os.path.join(root, *names), _keys(names[:-1])) for names in files]
            continue
        place = one if isinstance(one, Place) else place_at(one, argument, storage_options)
        if place is not None and (place is one or "*" not in one):
            found = look(place)
            if found.is_directory:
                below = [(names, in_pieces(file, length)) for file, length, names in files_below(place)]
                shown = [pair for pair in below if not any(map(_is_hidden, pair[0]))]
                if not shown:
                    raise FileNotFoundError(f"`{argument}`: the directory {place.name!r} has no files")
                shown.sort(key=lambda pair: "/".join(pair[0]))
                parts += [Part(source, _keys(names[:-1])) for names, source in shown]
                continue
            sources = [in_pieces(place, found.length)]
        else:
            sources = all_in_pieces(one, argument, storage_options)
        several = len(given) > 1 or len(sources) > 1
        for source in sources:
            path = source[0] if isinstance(source, tuple) else source
            parts.append(
                Part(
                    source, _keys(re.split(r"[/\\]", path)[:-1]) if several and isinstance(path, str) else {}
                )
            )
    if not partitioned:
        return [Part(part.source, {}) for part in parts]
    names = list(parts[0].keys)
    if any(set(part.keys) != set(names) for part in parts):
        found_keys = sorted({tuple(part.keys) for part in parts})
        raise ValueError(f"`{argument}`: files are in directories of different keys: {found_keys}")
    return parts


def _files(root: str, below: tuple[str, ...] = ()) -> Iterable[tuple[str, ...]]:
    for entry in os.scandir(os.path.join(root, *below)):
        if _is_hidden(entry.name):
            continue
        if entry.is_dir():
            yield from _files(root, (*below, entry.name))
        else:
            yield (*below, entry.name)


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "_"))


def _keys(directories: Iterable[str]) -> dict[str, str | None]:
    keys: dict[str, str | None] = {}
    for directory in directories:
        name, equals, value = directory.partition("=")
        if equals and name:
            keys[urllib.parse.unquote(name)] = None if value == NULL else urllib.parse.unquote(value)
    return keys


class Keys:
    """A key of the files of a table: its values, and which of them each file has."""

    def __init__(self, name: str, texts: list[str | None]) -> None:
        self.name = name
        present = list(dict.fromkeys(text for text in texts if text is not None))
        numbers = [int(text) if re.fullmatch(r"-?[0-9]+", text) else None for text in present]
        self.are_numbers = bool(present) and all(n is not None and -(2**31) <= n < 2**31 for n in numbers)
        values: list[Any] = list(numbers if self.are_numbers else present)
        self.of_file: list[Any] = [None if text is None else values[present.index(text)] for text in texts]
        self.values = list(dict.fromkeys(values))

    def holds(self, condition: Condition, file: int) -> bool:
        """Whether the rows of a file meet a condition on the key."""
        fits = {"int", "float", "null"} if self.are_numbers else {"text", "null"}
        for kind, value in condition.values:
            if kind not in fits:
                held = "integers" if self.are_numbers else "texts"
                raise TypeError(
                    f"`filters`: the key {self.name!r} is of {held}, which cannot be compared with {value!r}"
                )
        return condition.holds(self.of_file[file])

    def column(self, lengths: list[int], files: list[int], as_categories: bool) -> Any:
        """Return the column of the key of files of these lengths."""
        import numpy as np

        import cuprum

        dtype = np.dtype("int32") if self.are_numbers else "str"
        known = cuprum.Series(self.values, dtype=dtype)
        if as_categories:
            known = known.astype(cuprum.CategoricalDtype(known))
        codes = [
            -1 if self.of_file[file] is None else self.values.index(self.of_file[file]) for file in files
        ]
        rows = np.repeat(np.array(codes, "int64"), lengths)
        return known.reindex(rows) if len(rows) else known.iloc[:0]


def keys_of(parts: list[Part]) -> dict[str, Keys]:
    """Return the keys of the files of a table, by name."""
    return {name: Keys(name, [part.keys[name] for part in parts]) for name in parts[0].keys}


def without_keys(
    filters: list[list[Condition]], keys: dict[str, Keys], file: int
) -> list[list[Condition]] | bool:
    """Return what filters ask of the rows of a file beyond its keys; a truth where that is settled."""
    left = []
    for every in filters:
        if all(keys[one.column].holds(one, file) for one in every if one.column in keys):
            rest = [one for one in every if one.column not in keys]
            if not rest:
                return True
            left.append(rest)
    return left or False


def without_absent(filters: list[list[Condition]], columns: Iterable[str]) -> list[list[Condition]] | bool:
    """Return what filters ask of the columns that a file has: those that it lacks are missing; a truth if that settles it."""
    left = []
    for every in filters:
        if all(one.holds(None) for one in every if one.column not in columns):
            rest = [one for one in every if one.column in columns]
            if not rest:
                return True
            left.append(rest)
    return left or False


class LackedColumns:
    """Columns that are asked of the files of a table, which some of these lack."""

    def __init__(self) -> None:
        self._present: set[str] = set()
        self._errors: dict[str, KeyError] = {}

    def rest(
        self, error: KeyError, own: list[str], columns: list[str] | None, filters: Any
    ) -> tuple[list[str] | None, list[list[Condition]] | bool | None]:
        """Return which columns and filters are for a file that has ``own`` columns; ``error`` where it lacks none."""
        asked = [*(columns or ()), *(one.column for every in filters or () for one in every)]
        lacking = [label for label in asked if label not in own]
        if not lacking:
            raise error
        self._errors.update(dict.fromkeys(lacking, error))
        self._present.update(own)
        filters = None if filters is None else without_absent(filters, own)
        return None if columns is None else [label for label in columns if label in own], filters

    def is_settled(self) -> bool:
        """Whether each of them was found in another file."""
        return self._present.issuperset(self._errors)

    def found(self, columns: Iterable[Any], filters: Any) -> None:
        """Note what a file has: columns that were read, and those of filters."""
        self._present.update(map(str, columns), (one.column for every in filters or () for one in every))

    def in_order(self, frame: DataFrame, columns: list[str] | None) -> DataFrame:
        """Return the frame of all files with the columns in the order that was asked for; raise for one that none has."""
        for label, error in self._errors.items():
            if label not in self._present:
                raise error
        return frame[columns] if columns is not None and self._errors else frame


def with_keys(
    frame: DataFrame, keys: dict[str, Keys], lengths: list[int], files: list[int], as_categories: bool
) -> DataFrame:
    """Return a frame of the rows of files with their keys as its last columns."""
    for key in keys.values():
        column = key.column(lengths, files, as_categories)
        column.index = frame.index
        frame[key.name] = column
    return frame


def partitions(
    frame: DataFrame, labels: list[Any], root: str, index: bool | None
) -> Iterator[tuple[str, DataFrame, bool | None]]:
    """Give the rows of each value of the key columns ``labels``: their directory, the rest, whether to write labels."""
    import cuprum

    if not labels:
        raise ValueError("`partition_cols` has no columns")
    for label in labels:
        if label not in frame.columns:
            raise KeyError(f"`partition_cols`: there is no column {label!r}")
        if re.search(r"[=/\\]", str(label)):
            raise ValueError(f"`partition_cols`: {label!r} cannot be in the name of a directory")
    rest = [label for label in frame.columns if label not in labels]
    if not rest:
        raise ValueError("`partition_cols` has all columns: none are left for the files")
    if index is None and isinstance(frame.index, cuprum.RangeIndex):
        # The rows of a partition have some of the numbers, which say nothing there.
        index = False
    for keys, part in frame.groupby(labels, dropna=False, observed=True, sort=False):
        names = [f"{label}={_text(key, label)}" for label, key in zip(labels, keys, strict=True)]
        folder = "/".join([root.rstrip("/"), *names]) if is_address(root) else os.path.join(root, *names)
        yield folder, part[rest], index


def _text(key: Any, label: Any) -> str:
    """Return a key as names of directories have it."""
    import numpy as np

    if key is None or type(key).__name__ in ("NAType", "NaTType") or key != key:
        return NULL
    if isinstance(key, np.generic) and not isinstance(key, np.datetime64):
        key = key.item()
    if isinstance(key, bool):
        text = str(key).lower()
    elif isinstance(key, (int, str)):
        text = str(key)
    elif isinstance(key, (datetime.date, np.datetime64)) and getattr(key, "tzinfo", None) is None:
        # With the digits of their unit, as pyarrow has them.
        exact = key.to_datetime64() if hasattr(key, "to_datetime64") else key
        text = str(exact).replace("T", " ")
    else:
        raise TypeError(
            f"`partition_cols`: column {label!r} has {key!r}; keys are integers, truth values, texts or times"
        )
    return urllib.parse.quote(text, safe="")
