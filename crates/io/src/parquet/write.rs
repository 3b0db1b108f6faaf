//! Writing: the column chunks of several row groups are encoded at once.

use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{Field, Schema};
use bytes::Bytes;
use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{
    Column, Context, DataType, Error, HostUVec, Result, ResultExt, Table, TimeUnit, arrow, null_mask,
};
use cuprum_compute::lists;
use cuprum_runtime::parallel;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::add_encoded_arrow_schema_to_metadata;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{
    BrotliLevel, Compression as Codec, Encoding as FileEncoding, GzipLevel, Type, ZstdLevel,
};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, SchemaDescriptor};

use super::codes::{self, Dictionary};
use super::numbered::Numbered;
use super::{
    Bloom, Compression, Encoding, Statistics, WriteOptions, categories, describe, dictionary, no_columns,
    plain,
};
use crate::appending::Encoder;
use crate::atomic_file::AtomicFile;
use crate::pipeline::in_order;
use crate::progress::Progress;

/// A file, and the schema of its first table.
pub struct File {
    path: PathBuf,
    writer: SerializedFileWriter<AtomicFile>,
    schema: Arc<Schema>,
    factory: ArrowRowGroupWriterFactory,
    /// Whether a dictionary pays for each column.
    dictionaries: Vec<bool>,
    group_rows: usize,
    groups: usize,
}

/// A table as it is written.
pub struct Stored {
    columns: Vec<Column>,
    arrays: Vec<ArrayRef>,
    fields: Vec<Field>,
}

impl Encoder for File {
    type Options = WriteOptions;
    type Stored = Stored;
    const OPERATION: &str = "to_parquet";
    const RANGES: [&CStr; 2] = [c"parquet.ChunkedWriter.write", c"parquet.ChunkedWriter.finish"];

    fn store(
        table: &Table,
        metadata: &[ColumnMetadata],
        options: &WriteOptions,
        ctx: &Context,
    ) -> Result<Stored> {
        let names: Vec<&str> = metadata.iter().map(|m| m.name.as_str()).collect();
        validate(table, &names, options)?;
        let columns = table
            .columns()
            .iter()
            .zip(&names)
            .map(|(column, name)| storable(column, ctx).context(|| format!("column '{name}'")))
            .collect::<Result<Vec<_>>>()?;
        let pairs = || columns.iter().zip(metadata);
        let arrays = pairs().map(|(c, m)| arrow::to_arrow_with(c, m)).collect::<Result<_>>()?;
        let fields = pairs().map(|(c, m)| arrow::field(c, m)).collect::<Result<_>>()?;
        Ok(Stored { columns, arrays, fields })
    }

    fn begin(path: &Path, first: &Stored, options: &WriteOptions) -> Result<Self> {
        Self::new(path, first, options).map_err(|e| e.of(path))
    }

    fn check(&self, next: &Stored) -> Result<()> {
        same_types(&self.schema, &next.fields)
    }

    fn append(
        &mut self,
        table: Stored,
        options: &WriteOptions,
        progress: &Progress,
        ctx: &Context,
    ) -> Result<()> {
        let data = Data { columns: &table.columns, arrays: &table.arrays };
        self.put(data, options, progress, ctx).map_err(|e| e.of(&self.path))
    }

    fn finish(self, _: &WriteOptions) -> Result<AtomicFile> {
        self.writer.into_inner().map_err(|e| describe(&self.path.display(), e))
    }
}

/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns that are not those of the first table.
fn same_types(schema: &Schema, fields: &[Field]) -> Result<()> {
    let names = |fields: &[&Field]| fields.iter().map(|f| f.name().as_str()).collect::<Vec<_>>().join("', '");
    let first: Vec<&Field> = schema.fields().iter().map(AsRef::as_ref).collect();
    let own: Vec<&Field> = fields.iter().collect();
    if names(&first) != names(&own) {
        let (first, own) = (names(&first), names(&own));
        return Err(Error::invalid_argument(format!(
            "a table has the columns '{own}', and the first one of the file '{first}'"
        )));
    }
    for (first, own) in first.iter().zip(own) {
        if first.data_type() != own.data_type() {
            return Err(Error::data_type(format!(
                "column '{}' is {}, and in the first table of the file {}",
                own.name(),
                own.data_type(),
                first.data_type()
            )));
        }
    }
    Ok(())
}

impl File {
    fn new(path: &Path, first: &Stored, options: &WriteOptions) -> Result<Self, Failure> {
        let Stored { columns, arrays, fields } = first;
        let schema = Arc::new(Schema::new(fields.clone()));
        let group_rows = group_rows(arrays, options)?;
        let mut dictionaries = vec![false; columns.len()];
        for (pays, (column, field)) in dictionaries.iter_mut().zip(columns.iter().zip(schema.fields())) {
            let wanted = options.of(field.name()).dictionary.unwrap_or(options.dictionary);
            *pays = wanted && dictionary::pays(column, group_rows)?;
        }
        let parquet_schema = ArrowSchemaConverter::new().convert(&schema)?;
        let properties = properties(&schema, &parquet_schema, &dictionaries, options)?;
        let file = AtomicFile::create(path)?;
        let writer = SerializedFileWriter::new(file, parquet_schema.root_schema_ptr(), Arc::new(properties))?;
        let factory = ArrowRowGroupWriterFactory::new(&writer, Arc::clone(&schema));
        Ok(Self { path: path.to_path_buf(), writer, schema, factory, dictionaries, group_rows, groups: 0 })
    }
}

/// The rows of a row group: as many as are asked for, and no more than the bytes that are.
fn group_rows(arrays: &[ArrayRef], options: &WriteOptions) -> Result<usize> {
    let rows = arrays.first().map_or(0, |array| array.len());
    let Some(limit) = options.row_group_bytes else { return Ok(options.row_group_rows) };
    let size = |array: &ArrayRef| array.to_data().get_slice_memory_size();
    let bytes = arrays.iter().map(size).sum::<Result<usize, _>>();
    let bytes = bytes.map_err(|e| Error::logic(e.to_string()).with_source(e))?;
    let most = (limit as u128 * rows as u128).checked_div(bytes as u128);
    let most = most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    Ok(options.row_group_rows.min(most.max(1)))
}

fn validate(table: &Table, names: &[&str], options: &WriteOptions) -> Result<()> {
    let invalid = |message: String| Err(Error::invalid_argument(message));
    if names.len() != table.num_columns() {
        return invalid(format!("`names` has {} names for {} columns", names.len(), table.num_columns()));
    }
    let mut seen = std::collections::HashSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(**name)) {
        return invalid(format!("`names` has '{name}' twice"));
    }
    if options.row_group_rows == 0 {
        return invalid("`row_group_rows` is 0".into());
    }
    let sizes = [
        ("row_group_bytes", options.row_group_bytes),
        ("page_rows", options.page_rows),
        ("page_bytes", options.page_bytes),
        ("dictionary_bytes", options.dictionary_bytes),
    ];
    if let Some((name, _)) = sizes.iter().find(|(_, size)| *size == Some(0)) {
        return invalid(format!("`{name}` is 0"));
    }
    if let Some((name, _)) = options.columns.iter().find(|(name, _)| !names.contains(&name.as_str())) {
        return invalid(format!("options are given for '{name}', but there is no such column"));
    }
    let noted = || no_columns::noted_rows(&options.metadata);
    if table.num_columns() == 0 && table.num_rows() > 0 && noted() != Some(table.num_rows()) {
        return invalid(format!("{} rows without columns cannot be written as Parquet", table.num_rows()));
    }
    Ok(())
}

/// The column with a type that Parquet has: timestamps in seconds become milliseconds, inside of lists and
/// structs too.
fn storable(column: &Column, ctx: &Context) -> Result<Column> {
    if !has_seconds(column) {
        return Ok(column.clone());
    }
    match column.data_type() {
        DataType::List => {
            let lists = lists::compact(column, ctx)?;
            let [offsets, elements] = [&lists.children()[0], &lists.children()[1]];
            Column::lists(offsets.clone(), storable(elements, ctx)?, lists.copy_mask(ctx)?)
        }
        DataType::Struct => {
            let structs = null_mask::push_down_nulls(column, ctx)?;
            let fields = (0..structs.children().len()).map(|i| storable(&structs.field(i)?, ctx));
            Column::structs(column.len(), fields.collect::<Result<_>>()?, column.copy_mask(ctx)?)
        }
        DataType::Dictionary32 => {
            let keys = storable(column.keys()?, ctx)?;
            Column::dictionary(column.indices()?, keys, column.copy_mask(ctx)?)
        }
        _ => in_milliseconds(column, ctx),
    }
}

/// Whether there are timestamps in seconds, inside of others too.
fn has_seconds(column: &Column) -> bool {
    column.data_type() == DataType::Timestamp(TimeUnit::Seconds) || column.children().iter().any(has_seconds)
}

/// Timestamps in seconds as such in milliseconds.
fn in_milliseconds(column: &Column, ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let seconds = view.values::<i64>()?;
    let validity = view.validity();
    let too_large = parallel::map_morsels(seconds.len(), ctx, |range| {
        Ok(range
            .into_iter()
            .find(|&i| seconds[i].checked_mul(1000).is_none() && validity.is_none_or(|bits| bits.get(i))))
    })?;
    if let Some(row) = too_large.into_iter().flatten().next() {
        let value = seconds[row];
        return Err(Error::overflow(format!(
            "row {row}: {value} s does not fit a timestamp in milliseconds"
        )));
    }
    let values = HostUVec::from_fn(seconds.len(), ctx, |i| seconds[i].wrapping_mul(1000))?;
    Column::new(DataType::Timestamp(TimeUnit::Milliseconds), values, column.copy_mask(ctx)?)
}

fn properties(
    schema: &Schema,
    file: &SchemaDescriptor,
    dictionaries: &[bool],
    options: &WriteOptions,
) -> Result<WriterProperties> {
    let no_level = |name: &str, level: i64| {
        Error::invalid_argument(format!("`compression`: {name} has no level {level}"))
    };
    let codec = match options.compression {
        Compression::None => Codec::UNCOMPRESSED,
        Compression::Snappy => Codec::SNAPPY,
        Compression::Gzip { level } => {
            Codec::GZIP(GzipLevel::try_new(level).map_err(|_| no_level("gzip", level.into()))?)
        }
        Compression::Lz4 => Codec::LZ4_RAW,
        Compression::Brotli { level } => {
            Codec::BROTLI(BrotliLevel::try_new(level).map_err(|_| no_level("brotli", level.into()))?)
        }
        Compression::Zstd { level } => {
            Codec::ZSTD(ZstdLevel::try_new(level).map_err(|_| no_level("zstd", level.into()))?)
        }
    };
    let statistics = match options.statistics {
        Statistics::None => EnabledStatistics::None,
        Statistics::RowGroup => EnabledStatistics::Chunk,
        Statistics::Page => EnabledStatistics::Page,
    };
    let metadata: Vec<KeyValue> =
        options.metadata.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
    let mut builder = WriterProperties::builder()
        .set_compression(codec)
        .set_statistics_enabled(statistics)
        .set_created_by(format!("cuprum {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata((!metadata.is_empty()).then_some(metadata));
    if options.pages_v2 {
        // Values are encoded as in pages of the first version.
        builder = builder.set_writer_version(WriterVersion::PARQUET_2_0).set_encoding(FileEncoding::PLAIN);
    }
    if let Some(rows) = options.page_rows {
        // The crate looks at the limit after every batch.
        builder = builder.set_data_page_row_count_limit(rows).set_write_batch_size(rows.min(1024));
    }
    if let Some(bytes) = options.page_bytes {
        builder = builder.set_data_page_size_limit(bytes).set_write_batch_size((bytes / 8).clamp(1, 1024));
    }
    if let Some(bytes) = options.dictionary_bytes {
        builder = builder.set_dictionary_page_size_limit(bytes);
    }
    for (field, &pays) in schema.fields().iter().zip(dictionaries) {
        builder = builder.set_column_dictionary_enabled(ColumnPath::new(vec![field.name().clone()]), pays);
    }
    for (name, column) in &options.columns {
        let leaves = (0..file.num_columns()).map(|leaf| file.column(leaf));
        for leaf in leaves.filter(|leaf| leaf.path().parts().first() == Some(name)) {
            if let Some(encoding) = column.encoding {
                let chosen = encoding.of(leaf.physical_type()).ok_or_else(|| {
                    Error::invalid_argument(format!(
                        "column '{name}' cannot be encoded as {encoding:?}: it is stored as {}",
                        leaf.physical_type()
                    ))
                })?;
                builder = builder
                    .set_column_dictionary_enabled(leaf.path().clone(), false)
                    .set_column_encoding(leaf.path().clone(), chosen);
            }
            if column.uncompressed {
                builder = builder.set_column_compression(leaf.path().clone(), Codec::UNCOMPRESSED);
            }
            if let Some(bloom) = column.bloom {
                bloom.check(name)?;
                builder = builder
                    .set_column_bloom_filter_enabled(leaf.path().clone(), true)
                    .set_column_bloom_filter_fpp(leaf.path().clone(), bloom.false_positives);
                if let Some(values) = bloom.distinct_values {
                    builder = builder.set_column_bloom_filter_max_ndv(leaf.path().clone(), values);
                }
            }
        }
    }
    let mut properties = builder.build();
    if options.arrow_schema {
        // Readers that find an Arrow schema take the metadata from there.
        let metadata = options.metadata.iter().cloned().collect();
        add_encoded_arrow_schema_to_metadata(&schema.clone().with_metadata(metadata), &mut properties);
    }
    Ok(properties)
}

impl Encoding {
    /// The encoding in the file; `None` for values that cannot be encoded so.
    fn of(self, physical: Type) -> Option<FileEncoding> {
        use Type::{BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64};
        let (encoding, fits) = match self {
            Self::Plain => (FileEncoding::PLAIN, true),
            Self::DeltaBinaryPacked => (FileEncoding::DELTA_BINARY_PACKED, matches!(physical, INT32 | INT64)),
            Self::DeltaLengthByteArray => (FileEncoding::DELTA_LENGTH_BYTE_ARRAY, physical == BYTE_ARRAY),
            Self::DeltaByteArray => (FileEncoding::DELTA_BYTE_ARRAY, physical == BYTE_ARRAY),
            Self::ByteStreamSplit => (
                FileEncoding::BYTE_STREAM_SPLIT,
                matches!(physical, FLOAT | DOUBLE | INT32 | INT64 | FIXED_LEN_BYTE_ARRAY),
            ),
        };
        fits.then_some(encoding)
    }
}

impl Bloom {
    fn check(self, column: &str) -> Result<()> {
        /// As many values need half a gigabyte.
        const MOST: u64 = 1 << 28;
        let probability = self.false_positives;
        if !(probability > 0.0 && probability < 1.0) {
            return Err(Error::invalid_argument(format!(
                "the bloom filter of column '{column}' is to be wrong with a probability of {probability}"
            )));
        }
        if let Some(values) = self.distinct_values.filter(|values| !(1..=MOST).contains(values)) {
            return Err(Error::invalid_argument(format!(
                "the bloom filter of column '{column}' is to hold {values} values"
            )));
        }
        Ok(())
    }
}

/// So many column chunks are encoded at a time for every thread: enough to keep all busy although
/// chunks differ, few enough for memory.
const CHUNKS_PER_THREAD: usize = 8;

/// A column chunk that is encoded.
enum Chunk {
    Values(Box<ArrowColumnChunk>),
    /// By our own code.
    Own(Box<(Bytes, ColumnCloseResult)>),
}

enum Failure {
    Parquet(ParquetError),
    Own(Error),
}

impl Failure {
    /// The error about the file at `path`.
    fn of(self, path: &Path) -> Error {
        match self {
            Self::Parquet(e) => describe(&path.display(), e),
            Self::Own(e) => e,
        }
    }
}

impl From<ParquetError> for Failure {
    fn from(error: ParquetError) -> Self {
        Self::Parquet(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Own(error)
    }
}

/// The columns that are written.
#[derive(Clone, Copy)]
struct Data<'a> {
    columns: &'a [Column],
    arrays: &'a [ArrayRef],
}

impl File {
    fn put(
        &mut self,
        data: Data<'_>,
        options: &WriteOptions,
        progress: &Progress,
        ctx: &Context,
    ) -> Result<(), Failure> {
        let Self { writer, schema, factory, dictionaries: pays, group_rows, groups, .. } = self;
        let (arrays, group_rows, pays) = (data.arrays, *group_rows, &*pays);
        let schema = &*schema;
        let parquet_schema = writer.schema_descr().clone();
        let file_properties = Arc::clone(writer.properties());
        let num_rows = arrays.first().map_or(0, |array| array.len());
        // The column and the place in it of everything that has values: nested columns have several of them.
        let mut leaves: Vec<(usize, usize)> = Vec::with_capacity(parquet_schema.num_columns());
        for leaf in 0..parquet_schema.num_columns() {
            let column = parquet_schema.get_column_root_idx(leaf);
            let place = leaves.iter().rev().take_while(|(of, _)| *of == column).count();
            leaves.push((column, place));
        }
        let dictionaries: Vec<Option<Dictionary>> = leaves
            .iter()
            .enumerate()
            .map(|(leaf, &(column, _))| categories::of(&arrays[column], &parquet_schema.column(leaf)))
            .collect();
        // The crate's encoder has a dictionary of the values that there are, in the order in which they come.
        if options.pages_v2
            && let Some(leaf) = dictionaries.iter().position(Option::is_some)
        {
            return Err(Error::unsupported(format!(
                "column '{}': categories keep their order in pages of version 1.0 alone",
                schema.field(leaves[leaf].0).name()
            ))
            .into());
        }
        // The rows that a note counts are those of one row group, which is empty.
        if leaves.is_empty() && *groups == 0 {
            *groups = 1;
            writer.next_row_group()?.close()?;
        } else if leaves.is_empty() {
            return Err(
                Error::invalid_argument("rows without columns are written once, not below others").into()
            );
        }
        // Each of every row group, with its writer.
        let first = *groups;
        *groups += num_rows.div_ceil(group_rows);
        let chunks = (0..num_rows).step_by(group_rows).enumerate().flat_map(|(group, start)| {
            let writers = factory.create_column_writers(first + group);
            let (writers, error) = match writers {
                Ok(writers) => (writers, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            writers.into_iter().enumerate().map(move |(leaf, writer)| Ok((start, leaf, writer))).chain(error)
        });
        let make = |chunk: Result<(usize, usize, ArrowColumnWriter), ParquetError>| {
            let (start, leaf, writer) = chunk?;
            let (column, place) = leaves[leaf];
            let rows = group_rows.min(num_rows - start);
            let (array, descriptor) = (arrays[column].slice(start, rows), parquet_schema.column(leaf));
            let own = options.of(schema.field(column).name());
            let codec = file_properties.compression(descriptor.path());
            let how = codes::Layout {
                page_rows: options.page_rows,
                page_bytes: options.page_bytes,
                codec,
                bloom: own.bloom,
            };
            // Encoders of our own write pages of the first version.
            if options.pages_v2 {
                let chunk = column_chunk(writer, schema.field(column), &array, place)?;
                return Ok(Chunk::Values(Box::new(chunk)));
            }
            if let Some(dictionary) = &dictionaries[leaf] {
                let chunk = categories::chunk(dictionary, &array, &descriptor, &how)?;
                return Ok(Chunk::Own(Box::new(chunk)));
            }
            if pays[column]
                && own.encoding.is_none()
                && Numbered::is_of(data.columns[column].data_type(), codec)
            {
                let rows = data.columns[column].slice(start, rows)?;
                let most = options.dictionary_bytes.unwrap_or(usize::MAX);
                if let Some(numbered) = Numbered::of(&rows, &descriptor, options.statistics, most, ctx)? {
                    return Ok(Chunk::Own(Box::new(numbered.chunk(&descriptor, &how)?)));
                }
            }
            if !pays[column]
                && own.encoding.is_none()
                && plain::is_of(data.columns[column].data_type(), &descriptor, &how)
            {
                let rows = data.columns[column].slice(start, rows)?;
                let chunk = plain::chunk(&rows, &descriptor, options.statistics, &how)??;
                return Ok(Chunk::Own(Box::new(chunk)));
            }
            Ok::<_, Failure>(Chunk::Values(Box::new(column_chunk(
                writer,
                schema.field(column),
                &array,
                place,
            )?)))
        };
        let row_group_columns = leaves.len();
        let window = CHUNKS_PER_THREAD * parallel::num_threads();
        // The chunks of the row group that is next.
        let mut made = Vec::with_capacity(row_group_columns);
        let put = |chunk| {
            made.push(chunk);
            if made.len() < row_group_columns {
                return Ok(());
            }
            let mut row_group = writer.next_row_group()?;
            for chunk in made.drain(..) {
                match chunk {
                    Chunk::Values(chunk) => chunk.append_to_row_group(&mut row_group)?,
                    Chunk::Own(chunk) => row_group.append_column(&chunk.0, chunk.1)?,
                }
            }
            let rows = row_group.close()?.num_rows();
            progress.advance_rows(rows as usize);
            Ok(())
        };
        // Whoever ends the last chunk of a row group puts it into the file while others encode; a thread of its own
        // for that, chunk by chunk, was no faster.
        in_order(chunks, window, ctx, make, put)
    }
}

fn column_chunk(
    mut writer: ArrowColumnWriter,
    field: &Field,
    array: &ArrayRef,
    place: usize,
) -> Result<ArrowColumnChunk, ParquetError> {
    if let Some(leaf) = compute_leaves(field, array)?.get(place) {
        writer.write(leaf)?;
    }
    writer.close()
}
