"""Numbers that stand for elements: ``pandas.util``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core.algorithms import from_pandas

if TYPE_CHECKING:
    from cuprum.core.series import Series
    from cuprum.typing import Array

__all__ = ["hash_array", "hash_pandas_object"]


def hash_array(vals: Any, **options: Any) -> Array:
    """Return pandas' hash of each element of an array.

    Parameters
    ----------
    vals : numpy.ndarray or pandas' ExtensionArray
        The elements.
    **options
        The options of ``pandas.util.hash_array``: ``encoding``, ``hash_key``, ``categorize``.

    Returns
    -------
    numpy.ndarray
        One number of 64 bits without sign for each element.

    Examples
    --------
    >>> import cuprum, numpy
    >>> hashes = cuprum.util.hash_array(numpy.array([1, 2, 1]))
    >>> bool(hashes[0] == hashes[2]), bool(hashes[0] == hashes[1])
    (True, False)
    """
    import pandas as pd

    return pd.util.hash_array(vals, **options)


def hash_pandas_object(obj: Any, **options: Any) -> Series:
    """Return pandas' hash of each row of a DataFrame, Series or Index.

    Parameters
    ----------
    obj : DataFrame, Series or Index
        The rows.
    **options
        The options of ``pandas.util.hash_pandas_object``: ``index``, ``encoding``, ``hash_key``,
        ``categorize``.

    Returns
    -------
    Series
        One number of 64 bits without sign for each row.

    Notes
    -----
    Row labels are a part of rows, unless ``index=False``.

    Examples
    --------
    >>> import cuprum
    >>> series = cuprum.Series([1, 1])
    >>> cuprum.util.hash_pandas_object(series).nunique()
    2
    >>> cuprum.util.hash_pandas_object(series, index=False).nunique()
    1
    """
    import pandas as pd

    theirs = obj.to_pandas() if hasattr(obj, "to_pandas") else obj
    return from_pandas(pd.util.hash_pandas_object(theirs, **options))
