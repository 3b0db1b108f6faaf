"""Frames of several files below each other: columns by their names, each of a type that has the values of all.

Files of a table need not be alike: columns may stand in another order or be missing, and types may differ as
``pyarrow.unify_schemas(…, promote_options="permissive")`` unifies them. What no type holds exactly is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cuprum.core.index.levels import level_at, levels_in_order

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series

__all__ = ["joined", "with_types"]


def joined(frames: Iterator[DataFrame], names: list[str]) -> DataFrame:
    """Return the rows of several files below each other, with the columns of all, in the order in which they come.

    Row labels ``0, 1, …`` of each become such of all. ``names`` are those of the files; they may grow while the frames
    are made. ``ValueError`` for row labels of other names, and for a column whose types do not go together.
    """
    import cuprum

    parts = list(frames)
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    for part, name in zip(parts[1:], names[1:], strict=False):
        if list(part.index.names) != list(first.index.names):
            raise ValueError(
                f"{name} has the row labels {list(part.index.names)}, but {names[0]} has {list(first.index.names)}"
            )
    _unify_row_labels(parts, names)
    labels = list(dict.fromkeys(label for part in parts for label in part.columns))
    if any(
        list(part.columns) != labels or part.dtypes.tolist() != first.dtypes.tolist() for part in parts[1:]
    ):
        parts = _unified(parts, names, labels)

    def is_plain(index: Any) -> bool:
        return isinstance(index, cuprum.RangeIndex) and (index.start, index.step, index.name) == (0, 1, None)

    return cuprum.concat(parts, ignore_index=all(is_plain(part.index) for part in parts))


def with_types(frame: DataFrame, schema: Any, labels: list[str], name: str) -> DataFrame:
    """Return these columns of a file with the types of a ``pyarrow.Schema``; those that are not there are missing."""
    import pyarrow as pa

    import cuprum

    if any(level is not None and level in labels for level in frame.index.names):
        frame = frame.reset_index()
    table, arrays = frame.to_arrow(), []
    for label in labels:
        field = schema.field(label)
        try:
            own = (
                table[label].cast(field.type)
                if label in table.column_names
                else pa.nulls(len(frame), field.type)
            )
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise ValueError(f"{name}: column {label!r} is not {field.type}: {error}") from None
        arrays.append(own)
    made = cuprum.DataFrame.from_arrow(pa.table(arrays, labels)) if labels else frame[labels]
    made.index = frame.index
    return made


def _unified(parts: list[DataFrame], names: list[str], labels: list[Any]) -> list[DataFrame]:
    """Return the frames with all of these columns, each of one type."""
    for part, name in zip(parts, names, strict=True):
        if not part.columns.is_unique:
            raise ValueError(f"{name} has several columns of one name, and other columns than {names[0]}")
    parts = [part.copy(deep=False) for part in parts]
    for label in labels:
        having = [i for i, part in enumerate(parts) if label in part.columns]
        columns = _of_one_type(
            [parts[i][label] for i in having], [names[i] for i in having], f"column {label!r}"
        )
        for i, column in zip(having, columns, strict=True):
            if column.dtype != parts[i][label].dtype:
                parts[i][label] = column
        for i, part in enumerate(parts):
            if i not in having:
                part[label] = _missing(columns[0], part)
    return [part[labels] for part in parts]


def _unify_row_labels(parts: list[DataFrame], names: list[str]) -> None:
    """Give row labels whose types differ one type."""
    import cuprum

    for level in range(parts[0].index.nlevels):
        levels = [level_at(part.index, level) for part in parts]
        if all(own.dtype == levels[0].dtype for own in levels[1:]):
            continue
        columns = [cuprum.Series(own) for own in levels]
        for part, column in zip(parts, _of_one_type(columns, names, "the row labels"), strict=True):
            if part.index.nlevels == 1:
                part.index = cuprum.Index(column, name=part.index.name)
            else:
                arrays = levels_in_order(part.index)
                arrays[level] = cuprum.Index(column)
                part.index = cuprum.MultiIndex.from_arrays(arrays, names=list(part.index.names))


def _missing(column: Series, part: DataFrame | Series) -> Series:
    """Return a column of the type of another with nothing but missing values, for a part."""
    made = column.iloc[:0].reset_index(drop=True).reindex(range(len(part)))
    made.index = part.index
    return made


def _of_one_type(columns: list[Series], names: Sequence[str], what: str) -> list[Series]:
    """Return columns of files as columns of one type."""
    first = columns[0].dtype
    if all(column.dtype == first for column in columns[1:]):
        return columns
    # A column without values has no type of its own.
    known = [i for i, column in enumerate(columns) if column.notna().any()] or [0]
    own = [columns[i] for i in known]
    to = _common_type(own)
    try:
        cast = _nested(own) if to is None else [column.astype(to) for column in own]
    except OverflowError as error:
        raise OverflowError(f"{what}, which is {to} of {', '.join(names)}: {error}") from None
    if cast is None:
        others = [i for i in known[1:] if _common_type([columns[known[0]], columns[i]]) is None] or known[-1:]
        types = [columns[i].dtype for i in (others[0], known[0])]
        texts = [repr(one) if one.categories is not None else str(one) for one in types]
        raise ValueError(
            f"{what} is {texts[0]} in {names[others[0]]}, but {texts[1]} in {names[known[0]]}, "
            "and no type has the values of both"
        )
    made = dict(zip(known, cast, strict=True))
    pattern = made[known[0]]
    return [made[i] if i in made else _missing(pattern, column) for i, column in enumerate(columns)]


def _common_type(columns: list[Series]) -> Any:
    """Return the common type of columns, none of them empty; None where there is none."""
    dtypes = [column.dtype for column in columns]
    if all(dtype == dtypes[0] for dtype in dtypes):
        return dtypes[0]
    if any(dtype.categories is not None for dtype in dtypes):
        return _common_categories(columns)
    kinds = {dtype.kind for dtype in dtypes}
    if all(dtype.precision is not None or dtype.kind in "iu" for dtype in dtypes):
        return _common_decimal(dtypes) if kinds - {"i", "u"} else _common_integer(columns)
    if kinds <= {"i", "u", "f"}:
        return _common_float(columns)
    units = ["D", "s", "ms", "us", "ns"]
    if kinds in ({"M"}, {"m"}) and len({dtype.tz for dtype in dtypes}) == 1:
        return max(dtypes, key=lambda dtype: units.index(str(dtype.unit)))
    return None


def _nested(columns: list[Series]) -> list[Series] | None:
    """Return columns of lists or structs with elements of one type, as pyarrow casts them; None where it has none."""
    import cuprum

    if not all(column.dtype.element_type or column.dtype.fields for column in columns):
        return None
    try:
        import pyarrow as pa
    except ImportError:
        return None
    arrays = [column.to_arrow() for column in columns]
    schemas = [pa.schema([("", array.type)]) for array in arrays]
    try:
        to = pa.unify_schemas(schemas, promote_options="permissive").field(0).type
        cast = [array.cast(to) for array in arrays]
    except (pa.ArrowException, TypeError):
        return None
    return [cuprum.Series(one, index=column.index) for one, column in zip(cast, columns, strict=True)]


def _common_integer(columns: list[Series]) -> Any:
    unsigned = [column for column in columns if column.dtype.kind == "u"]
    signed = [column for column in columns if column.dtype.kind == "i"]
    if not signed:
        return f"uint{8 * max(column.dtype.itemsize for column in unsigned)}"
    size = max(column.dtype.itemsize for column in signed)
    size = max(size, 2 * max(column.dtype.itemsize for column in unsigned)) if unsigned else size
    if size <= 8 or all(int(column.max()) < 2**63 for column in unsigned):
        return f"int{8 * min(size, 8)}"
    return "uint64" if all(int(column.min()) >= 0 for column in signed) else None


def _common_float(columns: list[Series]) -> Any:
    for column in columns:
        # Beyond, not every integer is a float.
        if column.dtype.kind != "f" and max(abs(int(column.min())), abs(int(column.max()))) > 2**53:
            return None
    widest = max(column.dtype.itemsize for column in columns if column.dtype.kind == "f")
    return "float64" if any(column.dtype.kind != "f" for column in columns) else f"float{8 * widest}"


# The most digits of integers by their bytes.
_DIGITS = {1: 3, 2: 5, 4: 10, 8: 20}


def _common_decimal(dtypes: list[Any]) -> Any:
    import cuprum

    scale = max(dtype.scale or 0 for dtype in dtypes)
    whole = max(
        _DIGITS[dtype.itemsize] if dtype.precision is None else dtype.precision - dtype.scale
        for dtype in dtypes
    )
    for kind in (cuprum.Decimal32Dtype, cuprum.Decimal64Dtype, cuprum.Decimal128Dtype):
        is_wide = all(dtype.precision is None or dtype.itemsize <= kind.ITEMSIZE for dtype in dtypes)
        if is_wide and whole + scale <= kind.MAX_PRECISION:
            return kind(whole + scale, scale)
    return None


def _common_categories(columns: list[Series]) -> Any:
    """Return the categories of all where the first column has some, else the type of their values, as pyarrow reads them."""
    import cuprum

    dtypes = [column.dtype for column in columns]
    values = [dtype if dtype.categories is None else dtype.categories.dtype for dtype in dtypes]
    ordered = [bool(dtype.ordered) for dtype in dtypes if dtype.categories is not None]
    if any(value != values[0] for value in values[1:]) or any(ordered):
        # An order of their own is not known of values that only some have.
        return None
    if dtypes[0].categories is None:
        return values[0]
    known = [
        column.dropna().unique() if column.dtype.categories is None else column.dtype.categories
        for column in columns
    ]
    every = cuprum.concat([cuprum.Series(own) for own in known], ignore_index=True)
    return cuprum.CategoricalDtype(every.drop_duplicates(ignore_index=True))
