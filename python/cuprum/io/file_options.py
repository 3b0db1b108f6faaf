"""Arguments of readers and writers that answer in two ways, without those on which that depends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from cuprum.typing import (
    AnyDType,
    AvroCompression,
    BadLines,
    CsvEngine,
    DateFormat,
    FeatherCompression,
    FloatPrecision,
    JsonEngine,
    JsonOrient,
    JsonOrientWritten,
    Justify,
    Label,
    ListLike,
    OrcCompression,
    OrcEngine,
    ParquetCompression,
    ParquetEngine,
    Statistics,
    StorageOptions,
    TextCompression,
    TimeUnit,
    WriteMode,
)


class CsvReadOptions(TypedDict, total=False):
    """Of `read_csv`."""

    sep: str
    delimiter: str | None
    header: int | Sequence[int] | Literal["infer"] | None
    names: ListLike | None
    index_col: Label | Sequence[Label] | Literal[False]
    usecols: ListLike | Callable[[Any], bool] | None
    dtype: AnyDType | Mapping[Any, AnyDType] | None
    engine: CsvEngine | None
    converters: Mapping[Any, Callable[[str], Any]] | None
    true_values: Iterable[str] | None
    false_values: Iterable[str] | None
    skipinitialspace: bool
    skiprows: int | ListLike | Callable[[int], bool] | None
    skipfooter: int
    nrows: int | None
    na_values: Any
    keep_default_na: bool
    na_filter: bool
    skip_blank_lines: bool
    parse_dates: bool | ListLike | None
    date_format: str | Mapping[Any, str] | None
    dayfirst: bool
    cache_dates: bool
    compression: TextCompression | Mapping[str, Any] | None
    thousands: str | None
    decimal: str
    lineterminator: str | None
    quotechar: str
    quoting: int
    doublequote: bool
    escapechar: str | None
    comment: str | None
    encoding: str | None
    encoding_errors: str | None
    dialect: Any
    on_bad_lines: BadLines | Callable[[list[str]], list[str] | None]
    low_memory: bool
    memory_map: bool
    float_precision: FloatPrecision | None
    storage_options: StorageOptions | None
    dtype_backend: None
    byte_range: tuple[int, int] | None


class CsvWriteOptions(TypedDict, total=False):
    """Of `to_csv`."""

    sep: str
    na_rep: str
    float_format: str | Callable[[float], str] | None
    columns: ListLike | None
    header: bool | list[str]
    index: bool
    index_label: Any
    mode: WriteMode
    encoding: str | None
    compression: TextCompression | Mapping[str, Any] | None
    quoting: int | None
    quotechar: str
    lineterminator: str | None
    chunksize: int | None
    date_format: str | None
    doublequote: bool
    escapechar: str | None
    decimal: str
    errors: str
    storage_options: StorageOptions | None


class JsonReadOptions(TypedDict, total=False):
    """Of `read_json`."""

    orient: JsonOrient | None
    dtype: AnyDType | Mapping[Any, AnyDType] | None
    convert_axes: bool | None
    convert_dates: bool | list[str]
    keep_default_dates: bool
    precise_float: bool
    date_unit: TimeUnit | None
    encoding: str | None
    lines: bool
    compression: TextCompression | Mapping[str, Any] | None
    nrows: int | None
    storage_options: StorageOptions | None
    mixed_types_as_string: bool
    engine: JsonEngine
    byte_range: tuple[int, int] | None


class JsonWriteOptions(TypedDict, total=False):
    """Of `to_json`."""

    orient: JsonOrientWritten | None
    date_format: DateFormat | None
    double_precision: int
    force_ascii: bool
    date_unit: TimeUnit
    lines: bool
    compression: TextCompression | Mapping[str, Any] | None
    index: bool | None
    indent: int | None
    storage_options: StorageOptions | None
    mode: Literal["w", "a"]
    engine: JsonEngine


class ParquetWriteOptions(TypedDict, total=False):
    """Of `to_parquet`."""

    engine: ParquetEngine
    compression: ParquetCompression | None
    index: bool | None
    partition_cols: str | Sequence[str] | None
    partition_file_name: str | None
    row_group_size: int | None
    row_group_size_rows: int | None
    row_group_size_bytes: int | None
    max_page_size_rows: int | None
    max_page_size_bytes: int | None
    max_dictionary_size: int | None
    statistics: Statistics
    use_dictionary: bool | Sequence[str]
    column_encoding: Mapping[str, str] | None
    bloom_filters: Any
    metadata: Mapping[str, str] | None
    compression_level: int | None
    store_schema: bool
    header_version: Literal["1.0", "2.0"]
    storage_options: StorageOptions | None
    filesystem: Any


class OrcWriteOptions(TypedDict, total=False):
    """Of `to_orc`."""

    index: bool | None
    compression: OrcCompression | None
    stripe_size_bytes: int | None
    stripe_size_rows: int | None
    engine: OrcEngine
    storage_options: StorageOptions | None


class AvroWriteOptions(TypedDict, total=False):
    """Of `to_avro`."""

    index: bool | None
    compression: AvroCompression | None
    storage_options: StorageOptions | None


class FeatherWriteOptions(TypedDict, total=False):
    """Of `to_feather`."""

    compression: FeatherCompression | None
    compression_level: int | None
    chunksize: int | None
    index: bool | None
    stream: bool
    storage_options: StorageOptions | None


class _TableOptions(TypedDict, total=False):
    """Of all that prints a frame."""

    columns: ListLike | None
    col_space: Any
    index: bool
    na_rep: str
    formatters: Any
    float_format: str | Callable[[float], str] | None
    sparsify: bool | None
    index_names: bool
    justify: Justify | None
    max_rows: int | None
    max_cols: int | None
    show_dimensions: bool
    decimal: str
    encoding: str | None


class TextOptions(_TableOptions, total=False):
    """Of `DataFrame.to_string`."""

    header: bool | Sequence[str]
    line_width: int | None
    min_rows: int | None
    max_colwidth: int | None


class HtmlOptions(_TableOptions, total=False):
    """Of `DataFrame.to_html`."""

    header: bool
    bold_rows: bool
    classes: str | Sequence[str] | None
    escape: bool
    notebook: bool
    border: int | None
    table_id: str | None
    render_links: bool


class SeriesTextOptions(TypedDict, total=False):
    """Of `Series.to_string`."""

    na_rep: str
    float_format: str | Callable[[float], str] | None
    header: bool
    index: bool
    length: bool
    dtype: bool
    name: bool
    max_rows: int | None
    min_rows: int | None
