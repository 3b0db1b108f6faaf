//! Writing: the column chunks of several row groups are encoded at once.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{Field, Schema};
use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, ResultExt, Table, TimeUnit, arrow};
use cuprum_runtime::parallel;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::add_encoded_arrow_schema_to_metadata;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{BrotliLevel, Compression as Codec, GzipLevel, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;

use super::{Compression, WriteOptions, describe};
use crate::atomic_file;

pub(super) fn write(
    table: &Table,
    names: &[String],
    path: &Path,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<()> {
    validate(table, names, options)?;
    let columns = table
        .columns()
        .iter()
        .zip(names)
        .map(|(column, name)| storable(column, ctx).context(|| format!("column '{name}'")))
        .collect::<Result<Vec<_>>>()?;
    let arrays = columns.iter().map(arrow::to_arrow).collect::<Result<Vec<_>>>()?;
    let fields: Vec<Field> = names
        .iter()
        .zip(&arrays)
        .map(|(name, array)| Field::new(name, array.data_type().clone(), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let properties = properties(&schema, options)?;
    atomic_file::write(path, |out| {
        let shown = path.display();
        encode(out, &schema, properties, &arrays, table.num_rows(), options.row_group_rows, ctx).map_err(
            |e| match e {
                Failure::Parquet(e) => describe(&shown, e),
                Failure::Own(e) => e,
            },
        )
    })
}

fn validate(table: &Table, names: &[String], options: &WriteOptions) -> Result<()> {
    let invalid = |message: String| Err(Error::invalid_argument(message));
    if names.len() != table.num_columns() {
        return invalid(format!("`names` has {} names for {} columns", names.len(), table.num_columns()));
    }
    let mut seen = std::collections::HashSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
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

/// The column with a type that Parquet has: timestamps in seconds become milliseconds.
fn storable(column: &Column, ctx: &Context) -> Result<Column> {
    if column.data_type() != DataType::Timestamp(TimeUnit::Seconds) {
        return Ok(column.clone());
    }
    let seconds = column.view().values::<i64>()?;
    let validity = column.view().validity();
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

fn properties(schema: &Schema, options: &WriteOptions) -> Result<WriterProperties> {
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
    let mut properties = WriterProperties::builder()
        .set_compression(codec)
        .set_dictionary_enabled(options.dictionary)
        .set_statistics_enabled(statistics)
        .set_created_by(format!("cuprum {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata((!metadata.is_empty()).then_some(metadata))
        .build();
    // Readers that find an Arrow schema take the metadata from there.
    let metadata = options.metadata.iter().cloned().collect();
    add_encoded_arrow_schema_to_metadata(&schema.clone().with_metadata(metadata), &mut properties);
    Ok(properties)
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

fn encode(
    out: &mut (dyn Write + Send),
    schema: &Arc<Schema>,
    properties: WriterProperties,
    arrays: &[ArrayRef],
    num_rows: usize,
    group_rows: usize,
    ctx: &Context,
) -> Result<(), Failure> {
    let parquet_schema = ArrowSchemaConverter::new().convert(schema)?;
    let mut file = SerializedFileWriter::new(out, parquet_schema.root_schema_ptr(), Arc::new(properties))?;
    let factory = ArrowRowGroupWriterFactory::new(&file, Arc::clone(schema));
    let groups = num_rows.div_ceil(group_rows);
    // So many groups at a time that every thread has about two column chunks to encode.
    let window = (2 * parallel::num_threads()).div_ceil(arrays.len().max(1)).max(1);
    for first in (0..groups).step_by(window) {
        let last = (first + window).min(groups);
        let mut tasks: Vec<(usize, usize, ArrowColumnWriter)> = Vec::new();
        for group in first..last {
            let writers = factory.create_column_writers(group)?;
            tasks.extend(writers.into_iter().enumerate().map(|(column, writer)| (group, column, writer)));
        }
        let chunks: Vec<(usize, ArrowColumnChunk)> = parallel::install(|| {
            tasks
                .into_par_iter()
                .map(|(group, column, writer)| {
                    ctx.check().map_err(Failure::Own)?;
                    let start = group * group_rows;
                    let array = arrays[column].slice(start, group_rows.min(num_rows - start));
                    Ok((group, column_chunk(writer, schema.field(column), &array)?))
                })
                .collect::<Result<_, Failure>>()
        })?;
        let mut chunks = chunks.into_iter().peekable();
        for group in first..last {
            let mut row_group = file.next_row_group()?;
            while let Some((_, chunk)) = chunks.next_if(|(g, _)| *g == group) {
                chunk.append_to_row_group(&mut row_group)?;
            }
            row_group.close()?;
        }
    }
    file.close()?;
    Ok(())
}

fn column_chunk(
    mut writer: ArrowColumnWriter,
    field: &Field,
    array: &ArrayRef,
) -> Result<ArrowColumnChunk, ParquetError> {
    for leaf in compute_leaves(field, array)? {
        writer.write(&leaf)?;
    }
    writer.close()
}
