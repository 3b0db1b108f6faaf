"""CSV: what `to_csv` of frames calls."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Unpack, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, label_list
from cuprum.core.index.levels import levels_in_order
from cuprum.core.index.multiindex import MultiIndex
from cuprum.core.missing import is_missing
from cuprum.io.csv.preprocess import method_of
from cuprum.io.notebook_line import with_line
from cuprum.io.open_files import write_all
from cuprum.io.sources import append, put

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.io.file_options import CsvWriteOptions
    from cuprum.typing import WriteTarget

__all__ = ["to_csv"]


@overload
def to_csv(self: DataFrame | Series, path_or_buf: None = ..., **options: Unpack[CsvWriteOptions]) -> str: ...
@overload
def to_csv(
    self: DataFrame | Series, path_or_buf: WriteTarget, **options: Unpack[CsvWriteOptions]
) -> None: ...
@with_line
def to_csv(
    self: DataFrame | Series,
    path_or_buf: Any = None,
    *,
    sep: str = ",",
    na_rep: str = "",
    float_format: Any = None,
    columns: Any = None,
    header: Any = True,
    index: bool = True,
    index_label: Any = None,
    mode: str = "w",
    encoding: str | None = None,
    compression: Any = "infer",
    quoting: int | None = None,
    quotechar: str = '"',
    lineterminator: str | None = None,
    chunksize: int | None = None,
    date_format: str | None = None,
    doublequote: bool = True,
    escapechar: str | None = None,
    decimal: str = ".",
    errors: str = "strict",
    storage_options: Any = None,
) -> str | None:
    """Write the rows of a DataFrame or Series as CSV.

    Parameters
    ----------
    path_or_buf : str, path or open file, optional
        The file, or an address that fsspec opens; by default the text is returned. A file is written beside
        its name and renamed, so that nothing half-written stays behind.
    sep : str, default ``','``
        The character between fields.
    na_rep : str, default ``''``
        The text for a missing value.
    float_format : str or function, optional
        How floats are written: ``"%.2f"``, ``"{:.2f}"`` or a function of a number.
    columns : list of labels, optional
        The columns to write, in this order; by default all.
    header : bool or list of str, default True
        Whether the names of the columns are written; or other names.
    index : bool, default True
        Whether the row labels are the first fields.
    index_label : label, list of labels or False, optional
        What the row labels are called, by default their names; False leaves a field out of the line of names.
    mode : {``'w'``, ``'a'``, ``'x'``}, default ``'w'``
        Whether a file is replaced, appended to, or an error where there is one.
    encoding : str, optional
        How the text becomes bytes; by default UTF-8.
    compression : str or dict, default ``'infer'``
        ``'gzip'``, ``'zip'``, ``'bz2'``, ``'xz'``, ``'zstd'``, ``'tar'`` or None, by default by the ending of
        the path; or a dict of ``method`` and what its packer takes.
    quoting : int, optional
        Which fields stand in quotes: one of the constants of the module ``csv``; by default those that need
        it.
    quotechar : str, default ``'"'``
        The character around fields.
    lineterminator : str, optional
        What stands behind records; by default the line end of the system.
    chunksize : int, optional
        Without effect on the text.
    date_format : str, optional
        How times are written, as for ``strftime``.
    doublequote : bool, default True
        Whether a quote in a field is written twice.
    escapechar : str, optional
        The character before quotes and separators in fields that have no quotes of their own.
    decimal : str, default ``'.'``
        The mark before fractions.
    errors : str, default ``'strict'``
        The handling of characters that the encoding does not have: one of the handlers of Python's codecs.
    storage_options : dict, optional
        What fsspec is to know to open an address; on the web the texts are headers.

    Returns
    -------
    str or None
        The text where no ``path_or_buf`` is given, else None.

    Raises
    ------
    ValueError
        For an unknown ``mode`` or ``compression``, and another number of names than columns.
    FileExistsError
        With ``mode='x'`` where there is the file.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"a": [1.5, None], "b": ["x", "y,z"]})
    >>> print(frame.to_csv(index=False), end="")
    a,b
    1.5,x
    ,"y,z"
    >>> print(frame.to_csv(na_rep="NA", quoting=1, decimal=","), end="")
    "","a","b"
    "0","1,5","x"
    "1","NA","y,z"
    >>> print(cuprum.Series([1, None], name="s").to_csv(), end="")
    ,s
    0,1
    1,
    """
    if chunksize is not None and (not isinstance(chunksize, int) or chunksize < 1):
        raise ValueError(f"`chunksize` is {chunksize!r}; it must be a number of rows")
    if mode not in ("w", "a", "x", "wt", "at", "xt", "wb", "ab", "xb"):
        raise ValueError(f"`mode` is {mode!r}; it must be 'w', 'a' or 'x'")
    if isinstance(self, objects.Series):
        self = self.to_frame()
    frame: DataFrame = self if columns is None else self[label_list(columns)]
    if is_list_like(header):
        header = label_list(header)
        if len(header) != len(frame.columns):
            raise ValueError(f"Writing {len(frame.columns)} cols but got {len(header)} aliases")
        frame, header = frame.set_axis(header, axis=1), True
    quoting = csv.QUOTE_MINIMAL if quoting is None else quoting
    more = _options(quoting, quotechar, doublequote, escapechar, decimal)
    frame = _labelled(frame, index_label) if index else frame
    frame = _formatted(frame, bool(index), float_format, date_format, decimal, more)
    frame = _with_texts(frame, bool(index), quoting)

    def written(
        part: DataFrame, path: str | None, compression: str | None, *, index: bool, header: bool
    ) -> Any:
        return _cuprum.write_csv(
            part._handle, path, index, sep, header, na_rep, lineterminator or os.linesep, compression, more
        )

    without_label = bool(index) and bool(header) and index_label is False

    def write(path: str | None, compression: str | None) -> str | None:
        if without_label:  # a field less in the line of names
            names = written(frame.iloc[:0], None, None, index=False, header=True)
            return names + written(frame, None, None, index=True, header=False)
        return written(frame, path, compression, index=bool(index), header=bool(header))

    if path_or_buf is None and not storage_options:
        return write(None, None)
    packing = compression if isinstance(compression, Mapping) else {"method": compression}
    name = os.fspath(path_or_buf) if isinstance(path_or_buf, (str, os.PathLike)) else ""
    method = method_of(name, packing.get("method", "infer"))
    utf8 = encoding is None or encoding.lower().replace("_", "-") in ("utf-8", "utf8")
    plain = (
        utf8
        and len(packing) == 1
        and method in (None, "gzip", "bz2", "xz")
        and not mode.startswith(("a", "x"))
        and not without_label
    )
    if plain and name:
        put(path_or_buf, "path_or_buf", lambda path: write(path, method), storage_options=storage_options)
        return None
    if storage_options and not (name and "://" in name):
        raise ValueError("storage_options passed with file object or non-fsspec file path")
    if not name and not hasattr(path_or_buf, "full_name"):
        _into_file(path_or_buf, write(None, None), encoding, errors, method, packing)
        return None
    text: Any = write(None, None)
    content = _packed(text.encode(encoding or "utf-8", errors), method, packing, name)
    if mode.startswith(("a", "x")) and "://" not in name:
        append(name, content, is_new=mode.startswith("x"))
        return None

    if mode.startswith(("a", "x")):
        raise NotImplementedError(f"to_csv does not support `mode`={mode!r} for addresses")
    put(
        path_or_buf,
        "path_or_buf",
        lambda path: _cuprum.write_bytes(path, content),
        storage_options=storage_options,
    )
    return None


def _options(
    quoting: int, quotechar: str, doublequote: bool, escapechar: str | None, decimal: str
) -> dict[str, Any]:
    if quoting not in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC, csv.QUOTE_NONE):
        raise TypeError(f'bad "quoting" value: `quoting` is {quoting!r}')
    options: dict[str, Any] = {}
    if quoting != csv.QUOTE_MINIMAL:
        options["quoting"] = int(quoting)
    plain = (
        ("quotechar", quotechar, '"'),
        ("doublequote", bool(doublequote), True),
        ("escapechar", escapechar, None),
        ("decimal", decimal, "."),
    )
    return options | {name: value for name, value, default in plain if value != default}


def _labelled(frame: DataFrame, index_label: Any) -> DataFrame:
    """The frame whose row labels have the names that are to be written."""
    if index_label is None or index_label is False:
        names = None if index_label is None else [""] * frame.index.nlevels
    else:
        names = list(index_label) if is_list_like(index_label) else [index_label]
        if len(names) < frame.index.nlevels:
            names += [""] * (frame.index.nlevels - len(names))
        if len(names) > frame.index.nlevels:
            raise ValueError(
                f"`index_label` is {index_label!r}; the row labels have {frame.index.nlevels} levels"
            )
    return frame if names is None else frame.set_axis(frame.index.set_names(names), axis=0)


def _formatted(
    frame: DataFrame,
    index: bool,
    float_format: Any,
    date_format: str | None,
    decimal: str,
    options: dict[str, Any],
) -> DataFrame:
    """The frame with the texts of floats and times that have a format of their own."""
    formats: dict[str, Callable[[Any], str]] = {}
    if isinstance(float_format, str):
        fixed = re.fullmatch(r"%\.(\d{1,3})f", float_format)
        if fixed and "quoting" not in options:
            options["decimals"] = int(fixed[1])
        elif "%" in float_format:
            formats["f"] = float_format.__mod__
        else:
            formats["f"] = float_format.format
    elif float_format is not None:
        formats["f"] = float_format
    quotes_texts = options.get("quoting") == csv.QUOTE_NONNUMERIC
    # Texts of a function stay as they are, as in pandas.
    if decimal != "." and not callable(float_format) and ("f" in formats or quotes_texts):
        plain = formats.get("f", repr)
        formats["f"] = lambda value: str(plain(value)).replace(".", decimal)
    if date_format is not None:
        formats["M"] = lambda value: value.strftime(date_format)
    frame = _with_labels_formatted(frame, formats, float_format, decimal)
    of_levels = dict(formats)
    if quotes_texts and frame.index.nlevels > 1:
        of_levels.setdefault("f", repr)  # as pandas does
    if not of_levels:
        return frame

    def texts(values: Any, formats: dict[str, Callable[[Any], str]]) -> Any:
        form = formats.get(getattr(values.dtype, "kind", "O"))
        if form is None:
            return values
        if values.dtype.kind == "M":
            return values.dt.strftime(date_format)
        found = [
            None if value is None or value != value else str(form(value))
            for value in values.to_arrow().to_pylist()
        ]
        return objects.Series(found, dtype="str", index=values.index)

    changed = frame.copy(deep=False)
    for position in range(len(frame.columns)):
        own = frame.iloc[:, position]
        text = texts(own, formats)
        if text is not own:
            changed.isetitem(position, text)
    if index:
        levels = [level.to_series() for level in levels_in_order(frame.index)]
        texted = [texts(level.reset_index(drop=True), of_levels) for level in levels]
        if any(level.dtype.kind in of_levels for level in levels):
            names = list(frame.index.names)
            if len(texted) == 1:
                changed.index = objects.Index(texted[0], name=names[0])
            else:
                changed.index = MultiIndex.from_arrays(texted, names=names)
    return changed


def _with_texts(frame: DataFrame, index: bool, quoting: int) -> DataFrame:
    """The frame with the texts of Python's objects where its columns are such: decimals, intervals, lists, structs, bytes."""

    def texts(values: Series, what: str) -> Series:
        if quoting == csv.QUOTE_NONNUMERIC and _values_type(values.dtype).precision is not None:
            raise NotImplementedError(
                f"to_csv does not support `quoting`={quoting} of decimals, which {what} has: they are no texts"
            )
        found = [None if is_missing(value) else str(value) for value in values.to_list()]
        return objects.Series(found, dtype="str", index=values.index)

    changed = frame
    for position, dtype in enumerate(frame.dtypes.tolist()):
        if _is_object(dtype):
            changed = frame.copy(deep=False) if changed is frame else changed
            label = frame.columns[position]
            changed.isetitem(position, texts(frame.iloc[:, position], f"column {label!r}"))
    if not index:
        return changed
    levels = levels_in_order(frame.index)
    if any(_is_object(level.dtype) for level in levels):
        arrays = [
            texts(
                objects.Series(level.to_list(), dtype=object), f"the level {level.name!r} of the row labels"
            )
            if _is_object(level.dtype)
            else level
            for level in levels
        ]
        names = list(frame.index.names)
        made = (
            objects.Index(arrays[0], name=names[0])
            if len(arrays) == 1
            else MultiIndex.from_arrays(arrays, names=names)
        )
        changed = changed.set_axis(made, axis=0)
    return changed


def _values_type(dtype: Any) -> Any:
    return dtype if dtype.categories is None else dtype.categories.dtype


def _is_object(dtype: Any) -> bool:
    """Whether elements are Python's objects other than texts."""
    if dtype == "object":  # of labels of several types, too
        return True
    own = _values_type(dtype)
    return own.kind == "O" and own != "str"


def _with_labels_formatted(
    frame: DataFrame, formats: dict[str, Callable[[Any], str]], float_format: Any, decimal: str
) -> DataFrame:
    """The frame whose columns are called by texts, where the labels are times, or floats that have a format."""
    kind = getattr(frame.columns.dtype, "kind", "O") if frame.columns.nlevels == 1 else "O"
    form = formats.get(kind)
    if form is None and kind == "f" and (decimal != "." or float_format is not None):
        plain = repr if float_format is None else float_format.__mod__

        def form(value: float) -> str:
            return str(plain(value)).replace(".", decimal)

    if form is None and kind in "mM":
        # Dates alone where all times are midnight, as in pandas.
        return frame.set_axis(frame.columns.astype("str").to_list(), axis=1)
    if form is None:
        return frame
    labels = ["" if label != label else str(form(label)) for label in frame.columns.to_list()]
    return frame.set_axis(labels, axis=1)


def _into_file(
    file: Any, text: Any, encoding: str | None, errors: str, method: str | None, packing: Mapping[str, Any]
) -> None:
    if not hasattr(file, "write"):
        raise TypeError(f"`path_or_buf` must be a path or an open file, not {type(file).__name__}")
    if method is None:
        try:
            write_all(file, text)
            return
        except TypeError:
            pass
    write_all(file, _packed(text.encode(encoding or "utf-8", errors), method, packing, ""))


def _packed(content: bytes, method: str | None, packing: Mapping[str, Any], path: str) -> bytes:
    """Bytes, packed; ``packing`` has what the packer is told."""
    import io

    told = {key: value for key, value in packing.items() if key != "method"}
    name = os.path.basename(path)
    for ending in (".zip", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".tgz"):
        name = name.removesuffix(ending)
    if method is None:
        if told:
            raise ValueError(f"`compression` has no method, but tells it {told}")
        return content
    if method == "gzip":
        import gzip

        return gzip.compress(content, **told)
    if method == "bz2":
        import bz2

        return bz2.compress(content, **told)
    if method == "xz":
        import lzma

        return lzma.compress(content, **told)
    if method == "zstd":
        try:
            import zstandard
        except ImportError:
            raise ImportError(
                "`compression` is 'zstd': zstandard is not installed (`pip install zstandard`)"
            ) from None
        return zstandard.ZstdCompressor(**told).compress(content)
    file = io.BytesIO()
    if method == "zip":
        import zipfile

        name = told.pop("archive_name", None) or name or "table.csv"
        with zipfile.ZipFile(file, "w", **({"compression": zipfile.ZIP_DEFLATED} | told)) as archive:
            archive.writestr(name, content)
        return file.getvalue()
    if method == "tar":
        import tarfile

        packed = re.search(r"\.(gz|bz2|xz|tgz)$", path)
        packer = {"tgz": "gz"}.get(packed[1], packed[1]) if packed else ""
        name = told.pop("archive_name", None) or name or "table.csv"
        pack: Any = tarfile.open
        with pack(fileobj=file, mode=f"w:{packer}", **told) as archive:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        return file.getvalue()
    raise ValueError(
        f"Unrecognized compression type: {method}\n"
        "Valid compression types are ['infer', None, 'bz2', 'gzip', 'tar', 'xz', 'zip', 'zstd']"
    )
