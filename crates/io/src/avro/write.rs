//! Writing: runs of records are encoded and packed in parallel, and put down in order.

use std::ffi::CStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{DataType as ArrowType, Field};
use cuprum_column::arrow::{self, ColumnMetadata};
use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::{host_vec, parallel};

use super::blocks::{MAGIC, SYNC};
use super::encode::{Encoder, VALUE, long, piece};
use super::{Compression, WriteOptions, codec, schema};
use crate::appending::Encoder as FileEncoder;
use crate::atomic_file::AtomicFile;
use crate::pipeline::in_order;
use crate::progress::Progress;

/// A block ends with the record that fills so many bytes.
const BLOCK: usize = 256 << 10;
/// The rows of a run have about so many bytes in memory.
const RUN: usize = 1 << 20;
/// The number of runs for every thread that are encoded, or wait for those before them.
const RUNS_PER_THREAD: usize = 2;

/// A file, and what its blocks have in common.
pub struct File {
    path: PathBuf,
    out: AtomicFile,
    schema: String,
    mark: [u8; SYNC],
}

/// A table as a file has it.
pub struct Stored {
    schema: String,
    columns: Vec<(Arc<Field>, ArrayRef)>,
    rows: usize,
    /// The rows of a run.
    step: usize,
}

impl FileEncoder for File {
    type Options = WriteOptions;
    type Stored = Stored;
    const OPERATION: &str = "to_avro";
    const RANGES: [&CStr; 2] = [c"avro.ChunkedWriter.write", c"avro.ChunkedWriter.finish"];

    fn store(table: &Table, columns: &[ColumnMetadata], _: &WriteOptions, _: &Context) -> Result<Stored> {
        if columns.len() != table.num_columns() {
            return Err(Error::invalid_argument(format!(
                "{} names for {} columns",
                columns.len(),
                table.num_columns()
            )));
        }
        let table = table.to_host()?;
        let one = |(column, metadata): (&Column, &ColumnMetadata)| {
            let field = arrow::field(column, metadata)?;
            let array = arrow::to_arrow_with(column, metadata)?;
            schema::storable(array, &field).map_err(|e| e.context(format!("column '{}'", field.name())))
        };
        let stored = table.columns().iter().zip(columns).map(one).collect::<Result<Vec<_>>>()?;
        let schema = schema::of(&stored)?;
        let rows = table.num_rows();
        if rows > 0 && stored.iter().all(|(field, _)| *field.data_type() == ArrowType::Null) {
            return Err(Error::unsupported("rows without values take no bytes, which Avro cannot count"));
        }
        let bytes: usize = table.columns().iter().map(Column::nbytes).sum();
        let step = (RUN / bytes.div_ceil(rows.max(1)).max(1)).max(1);
        Ok(Stored { schema, columns: stored, rows, step })
    }

    fn begin(path: &Path, first: &Stored, options: &WriteOptions) -> Result<Self> {
        let mark = mark(first.schema.as_bytes());
        let mut header = MAGIC.to_vec();
        long(2 + options.metadata.len() as i64, &mut header);
        let own = [("avro.schema", &first.schema[..]), ("avro.codec", codec::name(options.compression))];
        let others = options.metadata.iter().map(|(key, value)| (&key[..], &value[..]));
        for (key, value) in own.into_iter().chain(others) {
            piece(key.as_bytes(), &mut header)?;
            piece(value.as_bytes(), &mut header)?;
        }
        header.push(0);
        header.extend_from_slice(&mark);
        let mut file = Self {
            path: path.to_path_buf(),
            out: AtomicFile::create(path)?,
            schema: first.schema.clone(),
            mark,
        };
        file.put(&header)?;
        Ok(file)
    }

    fn check(&self, next: &Stored) -> Result<()> {
        if self.schema != next.schema {
            return Err(Error::data_type("a table has other columns than the first one of the file"));
        }
        Ok(())
    }

    fn append(
        &mut self,
        table: Stored,
        options: &WriteOptions,
        progress: &Progress,
        ctx: &Context,
    ) -> Result<()> {
        let Stored { columns, rows, step, .. } = &table;
        let encoders = columns.iter().map(|(_, array)| Encoder::new(array)).collect::<Result<Vec<_>>>()?;
        let mark = self.mark;
        let make = |start: usize| {
            let run = step.min(&(rows - start)) + start;
            Ok((blocks(&encoders, start..run, options.compression, &mark)?, run - start))
        };
        let put = |(bytes, rows): (Vec<u8>, usize)| {
            self.put(&bytes)?;
            progress.advance_rows(rows);
            Ok(())
        };
        let starts = (0..*rows).step_by(*step);
        in_order(starts, RUNS_PER_THREAD * parallel::num_threads(), ctx, make, put)
    }

    fn finish(self, _: &WriteOptions) -> Result<AtomicFile> {
        Ok(self.out)
    }
}

impl File {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(|e| Error::io(&self.path, e))
    }
}

/// Rows as blocks, each with its counts before and the mark behind.
fn blocks(
    columns: &[Encoder<'_>],
    rows: std::ops::Range<usize>,
    compression: Compression,
    mark: &[u8; SYNC],
) -> Result<Vec<u8>> {
    let (mut out, mut packed) = (Vec::new(), Vec::new());
    let mut records: Vec<u8> = host_vec::with_capacity(BLOCK)?;
    let (end, mut count) = (rows.end, 0);
    for row in rows {
        host_vec::reserve(&mut records, columns.len() * VALUE)?;
        for column in columns {
            column.put(row, &mut records)?;
        }
        count += 1;
        if records.len() >= BLOCK || row + 1 == end {
            packed.clear();
            codec::pack(&records, compression, &mut packed)?;
            long(count, &mut out);
            piece(&packed, &mut out)?;
            out.extend_from_slice(mark);
            records.clear();
            count = 0;
        }
    }
    Ok(out)
}

/// The sync marker between blocks. The specification has it drawn at random; so that the same table is the
/// same file, it is a hash of the schema: FNV-1a of 128 bits.
fn mark(schema: &[u8]) -> [u8; SYNC] {
    const PRIME: u128 = 0x0100_0000_0000_0000_0000_013B;
    let start = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D_u128;
    schema.iter().fold(start, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME)).to_be_bytes()
}
