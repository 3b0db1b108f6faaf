"""Hashes and digests of the rows of a table.

Numbers are hashed as they are stored, least significant byte first (booleans as one byte, times and
decimals as their integers), text as its UTF-8 bytes, a value of a dictionary as its key. Every NaN is the
same. Where a row has a null the value behind it does not count. The results are the same on every
device, and those of libcudf.

Examples
--------
>>> from pylibcuprum import Column, Table
>>> table = Table([Column.from_iterable_of_py(["", "a", None])])
>>> murmurhash3_x86_32(table).to_pylist()
[0, 1009084850, 4294967295]
"""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _hashing as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "LIBCUDF_DEFAULT_HASH_SEED",
    "md5",
    "murmurhash3_x64_128",
    "murmurhash3_x86_32",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "xxhash_32",
    "xxhash_64",
]

#: The seed where none is given.
LIBCUDF_DEFAULT_HASH_SEED = 0


def murmurhash3_x86_32(
    input: Table,
    seed: int = LIBCUDF_DEFAULT_HASH_SEED,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the MurmurHash3_x86_32 of each row of a table.

    Parameters
    ----------
    input : Table
        Rows to hash; lists and structs of any depth are taken too.
    seed : int, default 0
        Seed of the hash. Each column is hashed with the same one.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        UINT32, the hashes of the columns combined. A null hashes to 2**32 - 1; 0.0 and -0.0 are the same.

    Raises
    ------
    TypeError
        Where a dictionary has keys of lists, structs or dictionaries.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> murmurhash3_x86_32(Table([Column.from_iterable_of_py(["a"])]), seed=42).to_pylist()
    [3001393763]
    """
    return _rust.murmurhash3_x86_32(input, seed, stream, mr)


def murmurhash3_x64_128(
    input: Table,
    seed: int = LIBCUDF_DEFAULT_HASH_SEED,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the MurmurHash3_x64_128 of each row of a table.

    Parameters
    ----------
    input : Table
        Rows to hash; no lists and structs.
    seed : int, default 0
        Seed of the hash. The first half of a column's hash is the seed of the next column.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        Two columns of UINT64, the halves. A null hashes to 2**64 - 1 in both.

    Raises
    ------
    TypeError
        Where a column is of lists or structs.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> halves = murmurhash3_x64_128(Table([Column.from_iterable_of_py(["a"])]))
    >>> [column.to_pylist() for column in halves.columns()]
    [[9607679276477937801], [16624257681780017498]]
    """
    return _rust.murmurhash3_x64_128(input, seed, stream, mr)


def xxhash_32(
    input: Table,
    seed: int = LIBCUDF_DEFAULT_HASH_SEED,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the XXH32 of each row of a table.

    Parameters
    ----------
    input : Table
        Rows to hash; lists and structs of any depth are taken too.
    seed : int, default 0
        Seed of the hash. Each column is hashed with the same one.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        UINT32, the hashes of the columns combined. A null hashes to 2**32 - 1; 0.0 and -0.0 are the same.

    Raises
    ------
    TypeError
        Where a dictionary has keys of lists, structs or dictionaries.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> xxhash_32(Table([Column.from_iterable_of_py(["a"])])).to_pylist()
    [1426945110]
    """
    return _rust.xxhash_32(input, seed, stream, mr)


def xxhash_64(
    input: Table,
    seed: int = LIBCUDF_DEFAULT_HASH_SEED,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the XXH64 of each row of a table.

    Parameters
    ----------
    input : Table
        Rows to hash; no lists and structs.
    seed : int, default 0
        Seed of the hash. The hash of a column is the seed of the next column.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        UINT64. A null hashes to 2**64 - 1.

    Raises
    ------
    TypeError
        Where a column is of lists or structs.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> xxhash_64(Table([Column.from_iterable_of_py(["a"])])).to_pylist()
    [15154266338359012955]
    """
    return _rust.xxhash_64(input, seed, stream, mr)


def md5(input: Table, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None) -> Column:
    """Return the MD5 of each row of a table in lower-case hexadecimal.

    Parameters
    ----------
    input : Table
        Rows to digest, one column after the other; of lists the elements in their order.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        STRING without nulls. Nulls add nothing to the digest; 0.0 and -0.0 are the same.

    Raises
    ------
    TypeError
        Where a column is of structs, or of lists of lists or structs.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> md5(Table([Column.from_iterable_of_py(["a"])])).get(0)[:16]
    '0cc175b9c0f1b6a8'
    """
    return _rust.md5(input, stream, mr)


def sha1(
    input: Table, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the SHA-1 of each row of a table in lower-case hexadecimal.

    Parameters
    ----------
    input : Table
        Rows to digest, one column after the other; no lists and structs.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        STRING without nulls. Nulls add nothing to the digest; 0.0 and -0.0 are the same.

    Raises
    ------
    TypeError
        Where a column is of lists or structs.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> sha1(Table([Column.from_iterable_of_py(["a"])])).get(0)[:16]
    '86f7e437faa5a7fc'
    """
    return _rust.sha1(input, stream, mr)


def sha224(
    input: Table, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the SHA-224 of each row of a table in lower-case hexadecimal.

    Parameters
    ----------
    input : Table
        Rows to digest, one column after the other; no lists and structs.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        STRING without nulls. Nulls add nothing to the digest; 0.0 and -0.0 are the same.

    Raises
    ------
    TypeError
        Where a column is of lists or structs.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> sha224(Table([Column.from_iterable_of_py(["a"])])).get(0)[:16]
    'abd37534c7d9a2ef'
    """
    return _rust.sha224(input, stream, mr)


def sha256(
    input: Table, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the SHA-256 of each row of a table in lower-case hexadecimal.

    Parameters
    ----------
    input : Table
        Rows to digest, one column after the other; no lists and structs.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        STRING without nulls. Nulls add nothing to the digest; 0.0 and -0.0 are the same.

    Raises
    ------
    TypeError
        Where a column is of lists or structs.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> sha256(Table([Column.from_iterable_of_py(["a"])])).get(0)[:16]
    'ca978112ca1bbdca'
    """
    return _rust.sha256(input, stream, mr)


def sha384(
    input: Table, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the SHA-384 of each row of a table in lower-case hexadecimal.

    Parameters
    ----------
    input : Table
        Rows to digest, one column after the other; no lists and structs.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        STRING without nulls. Nulls add nothing to the digest; 0.0 and -0.0 are the same.

    Raises
    ------
    TypeError
        Where a column is of lists or structs.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> sha384(Table([Column.from_iterable_of_py(["a"])])).get(0)[:16]
    '54a59b9f22b0b808'
    """
    return _rust.sha384(input, stream, mr)


def sha512(
    input: Table, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return the SHA-512 of each row of a table in lower-case hexadecimal.

    Parameters
    ----------
    input : Table
        Rows to digest, one column after the other; no lists and structs.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        STRING without nulls. Nulls add nothing to the digest; 0.0 and -0.0 are the same.

    Raises
    ------
    TypeError
        Where a column is of lists or structs.

    Examples
    --------
    >>> from pylibcuprum import Column, Table
    >>> sha512(Table([Column.from_iterable_of_py(["a"])])).get(0)[:16]
    '1f40fc92da241694'
    """
    return _rust.sha512(input, stream, mr)
