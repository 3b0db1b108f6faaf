"""Sketches whose equal places estimate Jaccard's index."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["minhash", "minhash64", "minhash64_ngrams", "minhash_ngrams"]


def minhash(
    input: Column,
    seed: int,
    a: Column,
    b: Column,
    width: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return for each text the least values of functions of the hashes of its runs of characters.

    Function ``i`` is ``(hash * a[i] + b[i]) % (2**61 - 1)``. The share of equal values estimates Jaccard's
    index.

    Parameters
    ----------
    input : Column
        Texts. A shorter one is one run.
    seed : int
        Seed of the hash, MurmurHash3_x86_32.
    a : Column
        Factors, of UINT32.
    b : Column
        Summands, of UINT32, as many as factors.
    width : int
        Number of characters of a run, at least 2.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of UINT32 for each text, with a value for each function; zeros for an empty text, null for
        nulls.

    Raises
    ------
    ValueError
        For a ``width`` below 2, and where ``a`` is empty or ``b`` has another length.
    TypeError
        For ``a`` and ``b`` of another type.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId
    >>> a, b = (Column.from_iterable_of_py(values, DataType(TypeId.UINT32)) for values in ([1, 2], [0, 3]))
    >>> minhash(Column.from_iterable_of_py(["abcd", "", None]), 0, a, b, 2).to_pylist()
    [[1328615756, 22544171], [0, 0], None]
    """
    return _rust.minhash(input, seed, a, b, width, stream, mr)


def minhash64(
    input: Column,
    seed: int,
    a: Column,
    b: Column,
    width: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return for each text the least values of functions of the hashes of its runs of characters.

    Function ``i`` is ``(hash * a[i] + b[i]) % (2**61 - 1)``. The share of equal values estimates Jaccard's
    index.

    Parameters
    ----------
    input : Column
        Texts. A shorter one is one run.
    seed : int
        Seed of the hash, the first half of MurmurHash3_x64_128.
    a : Column
        Factors, of UINT64.
    b : Column
        Summands, of UINT64, as many as factors.
    width : int
        Number of characters of a run, at least 2.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of UINT64 for each text, with a value for each function; zeros for an empty text, null for
        nulls.

    Raises
    ------
    ValueError
        For a ``width`` below 2, and where ``a`` is empty or ``b`` has another length.
    TypeError
        For ``a`` and ``b`` of another type.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId
    >>> a, b = (Column.from_iterable_of_py(values, DataType(TypeId.UINT64)) for values in ([1, 2], [0, 3]))
    >>> minhash64(Column.from_iterable_of_py(["abcd", "", None]), 0, a, b, 2).to_pylist()
    [[221259249481050637, 442518498962101277], [0, 0], None]
    """
    return _rust.minhash64(input, seed, a, b, width, stream, mr)


def minhash_ngrams(
    input: Column,
    ngrams: int,
    seed: int,
    a: Column,
    b: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return for each list the least values of functions of the hashes of its runs of texts.

    They are those of `minhash`; the texts of a run are hashed as one.

    Parameters
    ----------
    input : Column
        Lists of texts; a shorter one is one run, null texts are empty.
    ngrams : int
        Number of texts of a run, at least 2.
    seed : int
        Seed of the hash, MurmurHash3_x86_32.
    a : Column
        Factors, of UINT32.
    b : Column
        Summands, of UINT32, as many as factors.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of UINT32 for each list, with a value for each function; zeros for an empty list, null for
        nulls.

    Raises
    ------
    ValueError
        For a ``ngrams`` below 2, and where ``a`` is empty or ``b`` has another length.
    TypeError
        For ``a`` and ``b`` of another type, and for arguments that are no lists of texts.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId
    >>> a, b = (Column.from_iterable_of_py(values, DataType(TypeId.UINT32)) for values in ([1, 2], [0, 3]))
    >>> minhash_ngrams(Column.from_iterable_of_py([["a", "b", "c"], None]), 2, 0, a, b).to_pylist()
    [[1328615756, 931114689], None]
    """
    return _rust.minhash_ngrams(input, ngrams, seed, a, b, stream, mr)


def minhash64_ngrams(
    input: Column,
    ngrams: int,
    seed: int,
    a: Column,
    b: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return for each list the least values of functions of the hashes of its runs of texts.

    They are those of `minhash64`; the texts of a run are hashed as one.

    Parameters
    ----------
    input : Column
        Lists of texts; a shorter one is one run, null texts are empty.
    ngrams : int
        Number of texts of a run, at least 2.
    seed : int
        Seed of the hash, the first half of MurmurHash3_x64_128.
    a : Column
        Factors, of UINT64.
    b : Column
        Summands, of UINT64, as many as factors.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of UINT64 for each list, with a value for each function; zeros for an empty list, null for
        nulls.

    Raises
    ------
    ValueError
        For a ``ngrams`` below 2, and where ``a`` is empty or ``b`` has another length.
    TypeError
        For ``a`` and ``b`` of another type, and for arguments that are no lists of texts.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId
    >>> a, b = (Column.from_iterable_of_py(values, DataType(TypeId.UINT64)) for values in ([1, 2], [0, 3]))
    >>> minhash64_ngrams(Column.from_iterable_of_py([["a", "b", "c"], None]), 2, 0, a, b).to_pylist()
    [[221259249481050637, 442518498962101277], None]
    """
    return _rust.minhash64_ngrams(input, ngrams, seed, a, b, stream, mr)
