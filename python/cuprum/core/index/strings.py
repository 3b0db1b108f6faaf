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
        r"""Return the groups of the first match of a regular expression.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression, with groups.
        flags : int, default 0
            Flags of the module ``re``.
        expand : bool, default True
            Whether one group is a column of a frame; else it is an Index.

        Returns
        -------
        DataFrame or Index
            One row for each label, missing without a match; one column for each group, called by its name or
            number.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index(["a1", "b"])
        >>> index.str.extract(r"(\d)")
             0
        0    1
        1  NaN
        >>> index.str.extract(r"([a-z])", expand=False)
        Index(['a', 'b'], dtype='str')
        """
        found = self._methods.extract(pat, flags, expand)
        return found if isinstance(found, objects.DataFrame) else self._labels(found, [found.name])

    def extractall(self, pat: Any, flags: int = 0) -> DataFrame:
        r"""Return the groups of all matches of a regular expression.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression, with groups.
        flags : int, default 0
            Flags of the module ``re``.

        Returns
        -------
        DataFrame
            One row for each match, labelled by the row number and the number of the match; one column for
            each group.

        See Also
        --------
        Series.str.extractall : The same for elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index(["a1b2", "c"]).str.extractall(r"([a-z])\d").index.to_list()
        [(0, 0), (0, 1)]
        """
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
        """Return the labels joined with other texts, or all labels as one text.

        Parameters
        ----------
        others : list-like or list of list-likes, optional
            The texts that stand behind the labels. Rows of a Series are matched to the labels.
        sep : str, optional
            What stands between texts; by default nothing.
        na_rep : str, optional
            What stands for missing texts; by default they are left out of one text, and make labels missing.
        join : {``'left'``, ``'right'``, ``'inner'``, ``'outer'``}, default ``'left'``
            Whose labels are kept where a Series is matched.

        Returns
        -------
        str or Index
            One text without ``others``, else a label for each row.

        See Also
        --------
        Series.str.cat : The same for elements.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.Index(["a", None, "c"])
        >>> index.str.cat(sep="-")
        'a-c'
        >>> index.str.cat(["x", "y", "z"], sep="-", na_rep="?")
        Index(['a-x', '?-y', 'c-z'], dtype='str')
        """
        handle = self._index._handle
        labelled = objects.wrap_series(_cuprum.Series(self._index._column(), None, handle))
        return self._labels(labelled.str.cat(others, sep=sep, na_rep=na_rep, join=join))

    def get_dummies(self, sep: str = "|", dtype: Any = None) -> Any:
        """Return a level for every part of the texts, which tells which labels have it.

        Parameters
        ----------
        sep : str, default ``'|'``
            What stands between parts.
        dtype : dtype or str, optional
            The type of the levels; by default int64 with 0 and 1.

        Returns
        -------
        MultiIndex or Index
            One label for each row; the levels are called by the parts, ascending.

        See Also
        --------
        Series.str.get_dummies : The same for elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Index(["a|b", "b"]).str.get_dummies()
        MultiIndex([(1, 1),
                    (0, 1)],
                   names=['a', 'b'])
        """
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
