//! Writing: record batches are encoded and compressed in parallel, and put down in order.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_ipc::convert::IpcSchemaEncoder;
use arrow_ipc::writer::{
    DictionaryTracker, EncodedData, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, write_message,
};
use arrow_ipc::{Block, CompressionType, FooterBuilder, MetadataVersion};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use cuprum_column::arrow::{self, ColumnMetadata};
use cuprum_column::{Context, Error, Result, Table};
use cuprum_runtime::parallel;
use flatbuffers::FlatBufferBuilder;

use super::{Compression, END, WriteOptions};
use crate::atomic_file;
use crate::batches::describe;
use crate::pipeline::in_order;
use crate::progress::Progress;

/// The start of a file, as long as messages are aligned to.
const MAGIC: [u8; 64] = {
    let mut bytes = [0; 64];
    let magic = b"ARROW1";
    let mut i = 0;
    while i < magic.len() {
        bytes[i] = magic[i];
        i += 1;
    }
    bytes
};
/// The number of batches for every thread that are encoded, or wait for those before them.
const BATCHES_PER_THREAD: usize = 2;

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
    let batches = Batches { schema, arrays, num_rows: table.num_rows(), step: options.batch_rows, how };
    atomic_file::write(path, |out| batches.write(out, options.stream, &progress, ctx).map_err(|e| e.of(path)))
}

/// Why a file could not be written.
enum Failure {
    Arrow(ArrowError),
    Own(Error),
}

impl Failure {
    fn of(self, path: &Path) -> Error {
        match self {
            Self::Arrow(e) => describe(&path.display(), e),
            Self::Own(e) => e,
        }
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Arrow(error.into())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Own(error)
    }
}

struct Batches {
    schema: SchemaRef,
    arrays: Vec<ArrayRef>,
    num_rows: usize,
    step: usize,
    how: IpcWriteOptions,
}

/// The state of the encoder: it knows the dictionaries that are in the file, and keeps the compressor.
struct Encoder {
    known: DictionaryTracker,
    context: IpcWriteContext,
}

impl Batches {
    fn write(
        &self,
        out: impl Write + Send,
        stream: bool,
        progress: &Progress,
        ctx: &Context,
    ) -> Result<(), Failure> {
        let mut messages = Messages { out, at: 0, how: &self.how };
        if !stream {
            messages.bytes(&MAGIC)?;
        }
        let mut known = DictionaryTracker::new(true);
        let encoder = IpcDataGenerator::default();
        messages.put(encoder.schema_to_bytes_with_dictionary_tracker(&self.schema, &mut known, &self.how))?;
        // All batches have the same dictionaries, which a batch of no rows has, too.
        let mut first = Encoder { known, context: IpcWriteContext::default() };
        let (dictionaries, _) = first.encode(&self.batch(0, 0)?, &self.how)?;
        let dictionaries =
            dictionaries.into_iter().map(|message| messages.put(message)).collect::<Result<Vec<_>, _>>()?;
        let encoders = Mutex::new(vec![first]);
        let encoders = || encoders.lock().unwrap_or_else(PoisonError::into_inner);
        let make = |start: usize| {
            let free = encoders().pop();
            let mut encoder = match free {
                Some(encoder) => encoder,
                None => self.encoder()?,
            };
            let rows = self.step.min(self.num_rows - start);
            let (_, message) = encoder.encode(&self.batch(start, rows)?, &self.how)?;
            encoders().push(encoder);
            Ok::<_, Failure>((rows, message))
        };
        let mut batches = Vec::new();
        let put = |(rows, message)| {
            batches.push(messages.put(message)?);
            progress.advance_rows(rows);
            Ok(())
        };
        let starts = (0..self.num_rows).step_by(self.step);
        in_order(starts, BATCHES_PER_THREAD * parallel::num_threads(), ctx, make, put)?;
        messages.bytes(&END)?;
        if !stream {
            messages.footer(&self.schema, &dictionaries, &batches)?;
        }
        Ok(())
    }

    fn batch(&self, start: usize, rows: usize) -> Result<RecordBatch, ArrowError> {
        let arrays = self.arrays.iter().map(|array| array.slice(start, rows)).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)
    }

    /// Another one, for another thread.
    fn encoder(&self) -> Result<Encoder, ArrowError> {
        let mut known = DictionaryTracker::new(true);
        // The crate tells a tracker of dictionaries only by encoding them, which costs least without compression.
        let plain = IpcWriteOptions::default();
        IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(&self.schema, &mut known, &plain);
        let mut encoder = Encoder { known, context: IpcWriteContext::default() };
        encoder.encode(&self.batch(0, 0)?, &plain)?;
        Ok(encoder)
    }
}

impl Encoder {
    /// The messages of the dictionaries that are not known yet, and that of the batch.
    fn encode(
        &mut self,
        batch: &RecordBatch,
        how: &IpcWriteOptions,
    ) -> Result<(Vec<EncodedData>, EncodedData), ArrowError> {
        IpcDataGenerator::default().encode(batch, &mut self.known, how, &mut self.context)
    }
}

/// Messages one after the other.
struct Messages<'a, W> {
    out: W,
    at: usize,
    how: &'a IpcWriteOptions,
}

impl<W: Write> Messages<'_, W> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len();
        self.out.write_all(bytes)
    }

    /// Puts a message down and returns where it is.
    fn put(&mut self, message: EncodedData) -> Result<Block, ArrowError> {
        let (head, body) = write_message(&mut self.out, message, self.how)?;
        let place = Block::new(self.at as i64, head as i32, body as i64);
        self.at += head + body;
        Ok(place)
    }

    fn footer(&mut self, schema: &Schema, dictionaries: &[Block], batches: &[Block]) -> io::Result<()> {
        let mut builder = FlatBufferBuilder::new();
        let (dictionaries, batches) = (builder.create_vector(dictionaries), builder.create_vector(batches));
        let mut numbers = DictionaryTracker::new(true);
        let schema = IpcSchemaEncoder::new()
            .with_dictionary_tracker(&mut numbers)
            .schema_to_fb_offset(&mut builder, schema);
        let mut footer = FooterBuilder::new(&mut builder);
        footer.add_version(MetadataVersion::V5);
        footer.add_schema(schema);
        footer.add_dictionaries(dictionaries);
        footer.add_recordBatches(batches);
        let footer = footer.finish();
        builder.finish(footer, None);
        let footer = builder.finished_data();
        self.bytes(footer)?;
        self.bytes(&(footer.len() as i32).to_le_bytes())?;
        self.bytes(&MAGIC[..6])
    }
}
