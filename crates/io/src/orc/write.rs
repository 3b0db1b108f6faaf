//! Writing: stripes and their columns are encoded in parallel, some stripes at a time.

use std::ffi::CStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use arrow_array::ArrayRef;
use cuprum_column::arrow::{self, ColumnMetadata};
use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::parallel;

use super::blocks::{Codec, Packing};
use super::encode::{self, Encoded, Encoder};
use super::footers::MAGIC;
use super::messages::Message;
use super::statistics::{Range, Statistics};
use super::{Compression, WriteOptions};
use crate::appending::Encoder as FileEncoder;
use crate::atomic_file::AtomicFile;
use crate::progress::Progress;

/// The most bytes of a block that is packed.
const BLOCK: usize = 256 << 10;
/// The version of the rules that statistics follow: timestamps in UTC.
const RULES: u64 = 6;

/// A file, and its written part.
pub struct File {
    out: Output,
    encoder: Encoder,
    names: Vec<String>,
    types: Vec<Message>,
    /// The entries of the stripes in the footer, and their statistics.
    stripes: Vec<Message>,
    metadata: Message,
    /// The statistics of all of them.
    all: Vec<Statistics>,
    rows: usize,
}

/// A table as a file has it.
pub struct Stored {
    names: Vec<String>,
    types: Vec<Message>,
    arrays: Vec<ArrayRef>,
    rows: usize,
    /// The rows of a stripe.
    step: usize,
}

impl Stored {
    fn of(table: &Table, columns: &[ColumnMetadata], options: &WriteOptions) -> Result<Self> {
        let mut types = vec![Message::default()];
        let mut arrays: Vec<ArrayRef> = Vec::new();
        let mut top = Message::default().number(1, 12);
        let (mut children, mut names) = (Vec::new(), Vec::new());
        for (column, metadata) in table.columns().iter().zip(columns) {
            let mut one = || {
                let field = arrow::field(column, metadata)?;
                let (array, field) = encode::storable(arrow::to_arrow_with(column, metadata)?, &field)?;
                children.push(types.len() as u64);
                encode::types(&field, &mut types)?;
                arrays.push(array);
                Ok(field)
            };
            let field = one().map_err(|e: Error| {
                let name =
                    arrow::field(column, metadata).map_or_else(|_| String::new(), |f| f.name().clone());
                e.context(format!("column '{name}'"))
            })?;
            top = top.bytes(3, field.name().as_bytes());
            names.push(field.name().clone());
        }
        types[0] = top.numbers(2, children);
        let bytes: usize = table.columns().iter().map(Column::nbytes).sum();
        let row_bytes = bytes.div_ceil(table.num_rows().max(1)).max(1);
        let step = options.stripe_rows.min((options.stripe_bytes / row_bytes).max(1));
        Ok(Self { names, types, arrays, rows: table.num_rows(), step })
    }
}

impl FileEncoder for File {
    type Options = WriteOptions;
    type Stored = Stored;
    const OPERATION: &str = "to_orc";
    const RANGES: [&CStr; 2] = [c"orc.ChunkedWriter.write", c"orc.ChunkedWriter.finish"];

    fn store(
        table: &Table,
        columns: &[ColumnMetadata],
        options: &WriteOptions,
        _: &Context,
    ) -> Result<Stored> {
        let invalid = |message: String| Err(Error::invalid_argument(message));
        if columns.len() != table.num_columns() {
            return invalid(format!("{} names for {} columns", columns.len(), table.num_columns()));
        }
        if options.stripe_rows == 0 || options.stripe_bytes == 0 {
            return invalid("`stripe_rows` or `stripe_bytes` is 0".into());
        }
        Stored::of(&table.to_host()?, columns, options)
    }

    fn begin(path: &Path, first: &Stored, options: &WriteOptions) -> Result<Self> {
        Self::new(path, first.names.clone(), first.types.clone(), options)
    }

    fn check(&self, next: &Stored) -> Result<()> {
        if self.names != next.names {
            let (first, own) = (self.names.join("', '"), next.names.join("', '"));
            return Err(Error::invalid_argument(format!(
                "a table has the columns '{own}', and the first one of the file '{first}'"
            )));
        }
        if self.types != next.types {
            return Err(Error::data_type(
                "a table has columns of other types than the first one of the file",
            ));
        }
        Ok(())
    }

    fn append(&mut self, table: Stored, _: &WriteOptions, progress: &Progress, ctx: &Context) -> Result<()> {
        let Stored { arrays, rows, step, .. } = table;
        let Self { out, encoder, names, stripes, metadata, all, .. } = self;
        let (encoder, names) = (&*encoder, &*names);
        let starts: Vec<usize> = (0..rows).step_by(step).collect();
        // As many stripes at once as keep all threads busy.
        let together = (parallel::num_threads() * 2).div_ceil(arrays.len().max(1));
        for group in starts.chunks(together) {
            let count = arrays.len();
            let tasks = parallel::map_ranges(group.len() * count, 1, ctx, |one| {
                ctx.check()?;
                let (start, array) = (group[one.start / count], &arrays[one.start % count]);
                let mut encoded = Vec::new();
                let part = array.slice(start, step.min(rows - start));
                let name = &names[one.start % count];
                encoder.column(&part, &mut encoded).map_err(|e| e.context(format!("column '{name}'")))?;
                Ok(encoded)
            })?;
            let mut tasks = tasks.into_iter();
            for &start in group {
                let len = step.min(rows - start);
                let mut columns = vec![root(len)];
                columns.extend(tasks.by_ref().take(count).flatten());
                stripes.push(out.stripe(&columns, len, encoder)?);
                let own = columns.iter().map(|column| &column.statistics);
                let message = own.clone().fold(Message::default(), |m, one| m.message(1, one.message()));
                *metadata = std::mem::take(metadata).message(1, message);
                if all.is_empty() {
                    *all = own.cloned().collect();
                } else {
                    all.iter_mut().zip(own).for_each(|(all, own)| all.merge(own));
                }
                progress.advance_rows(len);
            }
        }
        self.rows += rows;
        Ok(())
    }

    fn finish(self, options: &WriteOptions) -> Result<AtomicFile> {
        let Self { mut out, encoder, types, stripes, metadata, mut all, rows, .. } = self;
        let content = out.at;
        let packed = |message: Message| {
            let mut packed = Vec::new();
            encoder.packing.pack(&message.finish(), encoder.level, &mut packed).map(|()| packed)
        };
        let metadata = if stripes.is_empty() { Vec::new() } else { packed(metadata)? };
        out.put(&metadata)?;
        if all.is_empty() {
            let none = || Statistics { count: 0, has_null: false, range: Range::None };
            all = types.iter().map(|_| none()).collect();
        }
        let mut footer = Message::default().number(1, MAGIC.len() as u64).number(2, content);
        footer = stripes.into_iter().fold(footer, |footer, stripe| footer.message(3, stripe));
        footer = types.into_iter().fold(footer, |footer, of| footer.message(4, of));
        footer = options.metadata.iter().fold(footer, |footer, (key, value)| {
            footer.message(5, Message::default().bytes(1, key.as_bytes()).bytes(2, value.as_bytes()))
        });
        footer = footer.number(6, rows as u64);
        footer = all.iter().fold(footer, |footer, one| footer.message(7, one.message()));
        // No index of rows, and days that are Gregorian throughout.
        let footer = packed(footer.number(8, 0).number(11, 2))?;
        out.put(&footer)?;
        let kind = match encoder.packing.codec {
            Codec::None => 0,
            Codec::Zlib => 1,
            Codec::Snappy => 2,
            Codec::Lz4 => 4,
            Codec::Zstd => 5,
        };
        let postscript = Message::default()
            .number(1, footer.len() as u64)
            .number(2, kind)
            .number(3, BLOCK as u64)
            .numbers(4, [0, 12])
            .number(5, metadata.len() as u64)
            .number(6, RULES)
            .bytes(8000, MAGIC)
            .finish();
        out.put(&postscript)?;
        out.put(&[postscript.len() as u8])?;
        Ok(out.file)
    }
}

impl File {
    fn new(path: &Path, names: Vec<String>, types: Vec<Message>, options: &WriteOptions) -> Result<Self> {
        let (codec, level) = match options.compression {
            Compression::None => (Codec::None, 0),
            Compression::Snappy => (Codec::Snappy, 0),
            Compression::Zlib => (Codec::Zlib, 6),
            Compression::Lz4 => (Codec::Lz4, 0),
            Compression::Zstd => (Codec::Zstd, 3),
        };
        let encoder = Encoder { packing: Packing { codec, block: BLOCK }, level };
        let mut out = Output { file: AtomicFile::create(path)?, at: 0, path: path.to_path_buf() };
        out.put(MAGIC)?;
        let (stripes, metadata, all) = (Vec::new(), Message::default(), Vec::new());
        Ok(Self { out, encoder, names, types, stripes, metadata, all, rows: 0 })
    }
}

/// The rows themselves.
fn root(rows: usize) -> Encoded {
    let statistics = Statistics { count: rows as u64, has_null: false, range: Range::None };
    Encoded { streams: Vec::new(), encoding: 0, dictionary: 0, statistics }
}

/// The written bytes of a file.
struct Output {
    file: AtomicFile,
    at: u64,
    path: PathBuf,
}

impl Output {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.at += bytes.len() as u64;
        self.file.write_all(bytes).map_err(|e| Error::io(&self.path, e))
    }

    /// Writes the streams of a stripe and its footer, and returns its entry in the file's footer.
    fn stripe(&mut self, columns: &[Encoded], rows: usize, encoder: &Encoder) -> Result<Message> {
        let start = self.at;
        let mut footer = Message::default();
        for (id, column) in columns.iter().enumerate() {
            for (kind, bytes) in &column.streams {
                self.put(bytes)?;
                let stream = Message::default().number(1, *kind as u64).number(2, id as u64);
                footer = footer.message(1, stream.number(3, bytes.len() as u64));
            }
        }
        let data = self.at - start;
        for column in columns {
            let encoding = Message::default().number(1, column.encoding);
            let encoding =
                if column.encoding == 3 { encoding.number(2, column.dictionary) } else { encoding };
            footer = footer.message(2, encoding);
        }
        let footer = footer.bytes(3, b"UTC").finish();
        let mut packed = Vec::new();
        encoder.packing.pack(&footer, encoder.level, &mut packed)?;
        self.put(&packed)?;
        let place = Message::default().number(1, start).number(2, 0).number(3, data);
        Ok(place.number(4, packed.len() as u64).number(5, rows as u64))
    }
}
