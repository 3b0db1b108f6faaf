"""Texts as labels: the accessor `Index.str`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.label_columns import index_of_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.typing import Array, OrderedHow

__all__ = ["IndexStringMethods"]


class IndexStringMethods:
    """Functions of the texts of an index; made by ``index.str``. See `cuprum.accessors.StringMethods`."""

    __slots__ = ("_index", "_methods")

    def __init__(self, index: Any) -> None:
        self._index = index
        self._methods = index._series().str

    def __getitem__(self, key: Any) -> Index:
        return self._labels(self._methods[key])

    if TYPE_CHECKING:  # what `Series.str` has, as labels
        partition: Callable[..., Any]
        rpartition: Callable[..., Any]
        rsplit: Callable[..., Any]
        split: Callable[..., Any]
        contains: Callable[..., Array]
        endswith: Callable[..., Array]
        fullmatch: Callable[..., Array]
        is_consonant: Callable[..., Array]
        is_vowel: Callable[..., Array]
        isalnum: Callable[..., Array]
        isalpha: Callable[..., Array]
        isascii: Callable[..., Array]
        isdecimal: Callable[..., Array]
        isdigit: Callable[..., Array]
        isempty: Callable[..., Array]
        isfloat: Callable[..., Array]
        ishex: Callable[..., Array]
        isinteger: Callable[..., Array]
        isipv4: Callable[..., Array]
        islower: Callable[..., Array]
        isnumeric: Callable[..., Array]
        isspace: Callable[..., Array]
        istimestamp: Callable[..., Array]
        istitle: Callable[..., Array]
        isupper: Callable[..., Array]
        like: Callable[..., Array]
        match: Callable[..., Array]
        startswith: Callable[..., Array]
        byte_count: Callable[..., Index]
        capitalize: Callable[..., Index]
        casefold: Callable[..., Index]
        center: Callable[..., Index]
        character_ngrams: Callable[..., Index]
        character_tokenize: Callable[..., Index]
        code_points: Callable[..., Index]
        count: Callable[..., Index]
        detokenize: Callable[..., Index]
        edit_distance: Callable[..., Index]
        encode: Callable[..., Index]
        filter_alphanum: Callable[..., Index]
        filter_characters: Callable[..., Index]
        filter_tokens: Callable[..., Index]
        find: Callable[..., Index]
        find_multiple: Callable[..., Index]
        findall: Callable[..., Index]
        get: Callable[..., Index]
        get_json_object: Callable[..., Index]
        hex_to_int: Callable[..., Index]
        htoi: Callable[..., Index]
        index: Callable[..., Index]
        insert: Callable[..., Index]
        ip2int: Callable[..., Index]
        ip_to_int: Callable[..., Index]
        jaccard_index: Callable[..., Index]
        join: Callable[..., Index]
        len: Callable[..., Index]
        ljust: Callable[..., Index]
        lower: Callable[..., Index]
        lstrip: Callable[..., Index]
        minhash: Callable[..., Index]
        ngrams: Callable[..., Index]
        ngrams_tokenize: Callable[..., Index]
        normalize: Callable[..., Index]
        normalize_spaces: Callable[..., Index]
        pad: Callable[..., Index]
        porter_stemmer_measure: Callable[..., Index]
        removeprefix: Callable[..., Index]
        removesuffix: Callable[..., Index]
        repeat: Callable[..., Index]
        replace: Callable[..., Index]
        replace_tokens: Callable[..., Index]
        replace_with_backrefs: Callable[..., Index]
        rfind: Callable[..., Index]
        rindex: Callable[..., Index]
        rjust: Callable[..., Index]
        rstrip: Callable[..., Index]
        slice: Callable[..., Index]
        slice_from: Callable[..., Index]
        slice_replace: Callable[..., Index]
        split_part: Callable[..., Index]
        strip: Callable[..., Index]
        swapcase: Callable[..., Index]
        title: Callable[..., Index]
        token_count: Callable[..., Index]
        tokenize: Callable[..., Index]
        translate: Callable[..., Index]
        upper: Callable[..., Index]
        url_decode: Callable[..., Index]
        url_encode: Callable[..., Index]
        wrap: Callable[..., Index]
        zfill: Callable[..., Index]
    else:

        def __getattr__(self, name: str) -> Any:
            method = getattr(self._methods, name)
            return lambda *args, **kwargs: self._labels(method(*args, **kwargs))

    def __dir__(self) -> list[str]:
        return dir(self._methods)

    def extract(self, pat: Any, flags: int = 0, expand: bool = True) -> Any:
        """Return the groups of the first match of each label as a frame, or with ``expand=False`` one as labels."""
        found = self._methods.extract(pat, flags, expand)
        return found if isinstance(found, objects.DataFrame) else self._labels(found, [found.name])

    def extractall(self, pat: Any, flags: int = 0) -> DataFrame:
        """Return the groups of all matches as a frame; see `Series.str.extractall`."""
        return self._methods.extractall(pat, flags)

    @overload
    def cat(
        self, others: None = ..., sep: str | None = ..., na_rep: str | None = ..., join: OrderedHow = ...
    ) -> str: ...
    @overload
    def cat(
        self, others: Any, sep: str | None = ..., na_rep: str | None = ..., join: OrderedHow = ...
    ) -> Index: ...
    def cat(
        self, others: Any = None, sep: str | None = None, na_rep: str | None = None, join: str = "left"
    ) -> Any:
        """Return the labels joined with the texts of ``others``, or without these all labels as one text.

        Rows of a Series are matched to the labels. See `Series.str.cat`.
        """
        handle = self._index._handle
        labelled = objects.wrap_series(_cuprum.Series(self._index._column(), None, handle))
        return self._labels(labelled.str.cat(others, sep=sep, na_rep=na_rep, join=join))

    def get_dummies(self, sep: str = "|", dtype: Any = None) -> Any:
        """Return a level for every text between ``sep`` that tells which labels have it; see `Series.str.get_dummies`."""
        found = self._methods.get_dummies(sep, dtype)
        return self._labels(found, list(found.columns))

    def _labels(self, found: Any, names: list[Any] | None = None) -> Any:
        if isinstance(found, objects.DataFrame):
            columns = found._handle.columns()
            return objects.wrap_index(index_of_columns(columns, names or [None] * len(columns)))
        if not isinstance(found, objects.Series):
            return found
        if found.dtype.kind == "b":
            return found.to_numpy()
        if found.dtype.element_type is not None:
            raise NotImplementedError(
                "lists are no labels: make a Series of the index, whose `str` gives lists"
            )
        columns = [found._handle.column()]
        return objects.wrap_index(index_of_columns(columns, names or self._index.names))
