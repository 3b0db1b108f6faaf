//! Writing.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use cuprum_column::arrow::{self, ColumnMetadata};
use cuprum_column::{Context, Error, Result, Table};

use super::{Compression, WriteOptions};
use crate::atomic_file;
use crate::batches::describe;
use crate::progress::Progress;

pub(super) fn write(
    table: &Table,
    columns: &[ColumnMetadata],
    path: &Path,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<()> {
    let invalid = |message: String| Err(Error::invalid_argument(message));
    if columns.len() != table.num_columns() {
        return invalid(format!("{} names for {} columns", columns.len(), table.num_columns()));
    }
    if options.batch_rows == 0 {
        return invalid("`batch_rows` is 0".into());
    }
    let compression = match options.compression {
        Compression::None => None,
        Compression::Lz4 => Some(CompressionType::LZ4_FRAME),
        Compression::Zstd { level } if !(1..=22).contains(&level) => {
            return invalid(format!("`compression`: zstd has no level {level}"));
        }
        Compression::Zstd { .. } => Some(CompressionType::ZSTD),
    };
    let how = IpcWriteOptions::default().try_with_compression(compression);
    let how = match options.compression {
        Compression::Zstd { level } => how.and_then(|how| how.try_with_compression_level(Some(level))),
        _ => how,
    };
    let how = how.map_err(|e| describe(&path.display(), e))?;
    let table = table.to_host()?;
    let pairs = || table.columns().iter().zip(columns);
    let arrays =
        pairs().map(|(c, metadata)| arrow::to_arrow_with(c, metadata)).collect::<Result<Vec<_>>>()?;
    let fields = pairs().map(|(c, metadata)| arrow::field(c, metadata)).collect::<Result<Vec<_>>>()?;
    let metadata = options.metadata.iter().cloned().collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let progress = Progress::of_table("to_feather", path, &table);
    let batches = Batches { schema, arrays, num_rows: table.num_rows(), step: options.batch_rows };
    atomic_file::write(path, |out| {
        let written = if options.stream {
            let writer = StreamWriter::try_new_with_options(out, &batches.schema, how);
            writer.and_then(|mut writer| {
                batches.each(&progress, ctx, |batch| writer.write(batch))?;
                writer.finish()
            })
        } else {
            let writer = FileWriter::try_new_with_options(out, &batches.schema, how);
            writer.and_then(|mut writer| {
                batches.each(&progress, ctx, |batch| writer.write(batch))?;
                writer.finish()
            })
        };
        written.map_err(|e| describe(&path.display(), e))
    })
}

struct Batches {
    schema: SchemaRef,
    arrays: Vec<ArrayRef>,
    num_rows: usize,
    step: usize,
}

impl Batches {
    fn each(
        &self,
        progress: &Progress,
        ctx: &Context,
        mut write: impl FnMut(&RecordBatch) -> Result<(), ArrowError>,
    ) -> Result<(), ArrowError> {
        for start in (0..self.num_rows).step_by(self.step) {
            ctx.check().map_err(|e| ArrowError::ExternalError(Box::new(e)))?;
            let rows = self.step.min(self.num_rows - start);
            let arrays = self.arrays.iter().map(|array| array.slice(start, rows)).collect();
            let options = RecordBatchOptions::new().with_row_count(Some(rows));
            let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)?;
            write(&batch)?;
            progress.advance_rows(rows);
        }
        Ok(())
    }
}
