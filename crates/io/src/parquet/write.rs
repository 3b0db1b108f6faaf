//! Writing: the column chunks of several row groups are encoded at once.

use std::io::Write;
use std::path::Path;
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
use parquet::basic::{BrotliLevel, Compression as Codec, GzipLevel, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use super::codes::{Dictionary, Numbered};
use super::{Compression, WriteOptions, categories, describe, dictionary};
use crate::atomic_file;
use crate::pipeline::in_order;
use crate::progress::Progress;

pub(super) fn write(
    table: &Table,
    metadata: &[ColumnMetadata],
    path: &Path,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<()> {
    let names: Vec<&str> = metadata.iter().map(|m| m.name.as_str()).collect();
    validate(table, &names, options)?;
    let columns = table
        .columns()
        .iter()
        .zip(&names)
        .map(|(column, name)| storable(column, ctx).context(|| format!("column '{name}'")))
        .collect::<Result<Vec<_>>>()?;
    let pairs = columns.iter().zip(metadata);
    let arrays = pairs.map(|(c, metadata)| arrow::to_arrow_with(c, metadata)).collect::<Result<Vec<_>>>()?;
    let field = |(column, metadata): (&Column, &ColumnMetadata)| arrow::field(column, metadata);
    let fields = columns.iter().zip(metadata).map(field).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Schema::new(fields));
    let mut dictionaries = vec![false; columns.len()];
    if options.dictionary {
        for (pays, column) in dictionaries.iter_mut().zip(&columns) {
            *pays = dictionary::pays(column, options.row_group_rows)?;
        }
    }
    let properties = properties(&schema, &dictionaries, options)?;
    atomic_file::write(path, |out| {
        let shown = path.display();
        let progress = Progress::of_table("to_parquet", path, table);
        let data = Data { columns: &columns, arrays: &arrays, dictionaries: &dictionaries };
        encode(out, &schema, properties, data, options, &progress, ctx).map_err(|e| match e {
            Failure::Parquet(e) => describe(&shown, e),
            Failure::Own(e) => e,
        })
    })
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
    if table.num_columns() == 0 && table.num_rows() > 0 {
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

fn properties(schema: &Schema, dictionaries: &[bool], options: &WriteOptions) -> Result<WriterProperties> {
    let codec = match options.compression {
        Compression::None => Codec::UNCOMPRESSED,
        Compression::Snappy => Codec::SNAPPY,
        Compression::Gzip => Codec::GZIP(GzipLevel::default()),
        Compression::Lz4 => Codec::LZ4_RAW,
        Compression::Brotli => Codec::BROTLI(BrotliLevel::default()),
        Compression::Zstd { level } => Codec::ZSTD(
            ZstdLevel::try_new(level)
                .map_err(|_| Error::invalid_argument(format!("`compression`: zstd has no level {level}")))?,
        ),
    };
    let statistics = if options.statistics { EnabledStatistics::Page } else { EnabledStatistics::None };
    let metadata: Vec<KeyValue> =
        options.metadata.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
    let mut builder = WriterProperties::builder()
        .set_compression(codec)
        .set_statistics_enabled(statistics)
        .set_created_by(format!("cuprum {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata((!metadata.is_empty()).then_some(metadata));
    for (field, &pays) in schema.fields().iter().zip(dictionaries) {
        builder = builder.set_column_dictionary_enabled(ColumnPath::new(vec![field.name().clone()]), pays);
    }
    let mut properties = builder.build();
    // Readers that find an Arrow schema take the metadata from there.
    let metadata = options.metadata.iter().cloned().collect();
    add_encoded_arrow_schema_to_metadata(&schema.clone().with_metadata(metadata), &mut properties);
    Ok(properties)
}

/// So many column chunks are encoded at a time for every thread: enough to keep all busy although
/// chunks differ, few enough for memory.
const CHUNKS_PER_THREAD: usize = 8;

/// A column chunk that is encoded.
enum Chunk {
    Values(Box<ArrowColumnChunk>),
    Dictionary(Box<(Bytes, ColumnCloseResult)>),
}

enum Failure {
    Parquet(ParquetError),
    Own(Error),
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

/// What is written.
#[derive(Clone, Copy)]
struct Data<'a> {
    columns: &'a [Column],
    arrays: &'a [ArrayRef],
    /// Whether a dictionary pays for each column.
    dictionaries: &'a [bool],
}

fn encode(
    out: &mut (dyn Write + Send),
    schema: &Arc<Schema>,
    properties: WriterProperties,
    data: Data<'_>,
    options: &WriteOptions,
    progress: &Progress,
    ctx: &Context,
) -> Result<(), Failure> {
    let (arrays, group_rows) = (data.arrays, options.row_group_rows);
    let parquet_schema = ArrowSchemaConverter::new().convert(schema)?;
    let codec = properties.compression(&ColumnPath::new(Vec::new()));
    let mut file = SerializedFileWriter::new(out, parquet_schema.root_schema_ptr(), Arc::new(properties))?;
    let factory = ArrowRowGroupWriterFactory::new(&file, Arc::clone(schema));
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
    // Each of every row group, with its writer.
    let chunks = (0..num_rows).step_by(group_rows).enumerate().flat_map(|(group, start)| {
        let writers = factory.create_column_writers(group);
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
        if let Some(dictionary) = &dictionaries[leaf] {
            let chunk = categories::chunk(dictionary, &array, &descriptor, codec)?;
            return Ok(Chunk::Dictionary(Box::new(chunk)));
        }
        if data.dictionaries[column] && Numbered::is_of(data.columns[column].data_type(), codec) {
            let rows = data.columns[column].slice(start, rows)?;
            if let Some(numbered) = Numbered::of(&rows, &descriptor, options.statistics, ctx)? {
                return Ok(Chunk::Dictionary(Box::new(numbered.chunk(&descriptor, codec)?)));
            }
        }
        Ok::<_, Failure>(Chunk::Values(Box::new(column_chunk(writer, schema.field(column), &array, place)?)))
    };
    let mut group = Vec::with_capacity(leaves.len());
    let put = |chunk| {
        group.push(chunk);
        if group.len() == leaves.len() {
            let mut row_group = file.next_row_group()?;
            for chunk in group.drain(..) {
                match chunk {
                    Chunk::Values(chunk) => chunk.append_to_row_group(&mut row_group)?,
                    Chunk::Dictionary(chunk) => row_group.append_column(&chunk.0, chunk.1)?,
                }
            }
            let rows = row_group.close()?.num_rows();
            progress.advance_rows(rows as usize);
        }
        Ok(())
    };
    in_order(chunks, CHUNKS_PER_THREAD * parallel::num_threads(), ctx, make, put)?;
    file.close()?;
    Ok(())
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
