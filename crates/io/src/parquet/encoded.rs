//! Columns of a Parquet file as the file has them, in memory, decoded when they are asked for: whole, or some rows.
//!
//! The bytes are read when the file is, so that nothing depends on what becomes of the file. Pages without rows that are
//! wanted are not unpacked.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use arrow_schema::Field;
use bytes::Bytes;
use cuprum_column::{Column, Context, DataType, Error, ErrorKind, HostUVec, Native, Result};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel;
use parquet::file::reader::{ChunkReader, Length};

use super::coded::{CodedTexts, coded};
use super::direct::{self, Chunks, Make, ValueLayout};
use super::group::Group;
use super::input::{Input, Parts};
use super::read::{Opened, Plan, num_rows};
use super::{ReadOptions, describe};
use crate::places::split;
use crate::progress::Progress;
use crate::source::read_at;
use crate::{Content, FileRows, Source, room};

/// A Parquet file whose footer has been read, and what is to be read of it.
pub struct OpenedFile(Plan);

/// The content of a file whose columns are not decoded yet.
pub struct EncodedContent {
    /// The names of the columns.
    pub names: Vec<String>,
    /// The Arrow field of every column.
    pub fields: Vec<Field>,
    /// The columns.
    pub columns: Vec<EncodedColumn>,
    /// The number of rows.
    pub num_rows: usize,
    /// As in [`Content`].
    pub metadata: Vec<(String, String)>,
    /// As in [`Content`].
    pub rows: Option<FileRows>,
}

/// A column of a Parquet file that is not decoded yet. Clones share its bytes.
#[derive(Clone)]
pub struct EncodedColumn {
    /// The file's metadata, and this column's chunks in memory.
    file: Arc<Opened>,
    groups: Arc<Vec<Group>>,
    position: usize,
    rows: usize,
    /// The type of the column in the file.
    stored: DataType,
    /// Whether decimals become floats.
    as_floats: bool,
}

impl OpenedFile {
    /// Opens a file. Fails as [`read_parquet`](super::read_parquet) but for what is in column chunks.
    pub fn new(source: &Source, options: &ReadOptions) -> Result<Self> {
        Plan::new(source, options).map(Self)
    }

    /// The number of rows that are read; more than these where a filter says which.
    pub fn num_rows(&self) -> usize {
        self.0.groups.iter().map(|group| group.rows).fold(0, usize::saturating_add)
    }

    /// Whether a filter says which rows are read: such are decoded with it.
    pub fn is_filtered(&self) -> bool {
        self.0.filter.is_some()
    }

    /// Reads and decodes; see [`read_parquet`](super::read_parquet).
    pub fn read(self, ctx: &Context) -> Result<Content> {
        func_range!(c"parquet.read");
        self.0.read(ctx)
    }

    /// Reads the bytes of the columns and decodes nothing; without a filter.
    ///
    /// Fails with [`Io`](ErrorKind::Io) where the file cannot be read. What is damaged in it fails when it is decoded.
    pub fn read_encoded(self, ctx: &Context) -> Result<EncodedContent> {
        func_range!(c"parquet.read_encoded");
        let Plan { file, positions, types, filter, groups } = self.0;
        if filter.is_some() {
            return Err(Error::logic("rows that a filter chooses are decoded with it"));
        }
        let (host, num_rows) = (room::host(ctx)?, num_rows(&file.source, &groups)?);
        let inputs = read_chunks(&file, &positions, &groups, &host)?;
        let read = groups.iter().map(|group| (group.number, group.wanted()));
        let rows = Some(FileRows::of_pieces(file.row_group_rows()?, read));
        let groups = Arc::new(groups);
        let column = |((position, stored), input): ((usize, DataType), Input)| EncodedColumn {
            file: Arc::new(Opened { input, ..file.clone() }),
            groups: Arc::clone(&groups),
            position,
            rows: num_rows,
            stored,
            as_floats: false,
        };
        let columns = positions.iter().copied().zip(types).zip(inputs).map(column).collect();
        let fields: Vec<Field> = positions.iter().map(|&i| file.reader.schema().field(i).clone()).collect();
        let names = fields.iter().map(|field| field.name().clone()).collect();
        Ok(EncodedContent { names, fields, columns, num_rows, metadata: file.key_values(), rows })
    }
}

/// Reads the column chunks of each column into memory.
fn read_chunks(file: &Opened, positions: &[usize], groups: &[Group], host: &Context) -> Result<Vec<Input>> {
    match &file.input {
        Input::Bytes(_) | Input::Parts(_) => return Ok(vec![file.input.clone(); positions.len()]),
        Input::Remote(pieces) => pieces.fetch(&file.places(positions, groups)?, host)?,
        Input::File(..) => {}
    }
    let progress = Progress::new("read_parquet", file.source.path());
    let places = positions.iter().map(|&i| file.places(&[i], groups)).collect::<Result<Vec<_>>>()?;
    let lengths = || places.iter().flatten().map(|place| (place.end - place.start) as usize);
    let bytes = lengths().fold(0, usize::saturating_add);
    progress.expect(bytes);
    if bytes as u64 > file.input.len() {
        // Chunks of a damaged file that overlap take no more memory than the file.
        let whole = file.input.get_bytes(0, usize::try_from(file.input.len()).unwrap_or(usize::MAX));
        let whole = Input::Bytes(whole.map_err(|e| describe(&file.source, e))?);
        return Ok(vec![whole; positions.len()]);
    }
    let Input::File(from, len) = &file.input else {
        let bytes = |place: &Range<u64>| {
            let bytes = file.input.get_bytes(place.start, (place.end - place.start) as usize);
            Ok((place.start, bytes.map_err(|e| describe(&file.source, e))?))
        };
        let column = |places: &Vec<_>| {
            let parts = places.iter().map(bytes).collect::<Result<_>>()?;
            Ok(Input::Parts(Arc::new(Parts { parts, len: file.input.len() })))
        };
        return places.iter().map(column).collect();
    };
    let mut memory = Vec::with_capacity(places.len());
    for places in &places {
        let bytes = places.iter().map(|place| place.end - place.start).fold(0, u64::saturating_add);
        memory.push(HostUVec::<u8>::uninit(usize::try_from(bytes).unwrap_or(usize::MAX), host)?);
    }
    let all: Vec<_> = memory
        .iter_mut()
        .zip(&places)
        .flat_map(|(memory, places)| {
            let lengths = places.iter().map(|place| (place.end - place.start) as usize);
            split(memory, lengths).into_iter().zip(places)
        })
        .collect();
    parallel::map_items(all, host, |(out, place)| {
        // SAFETY: bytes of any value are bytes; `read_at` is given memory to write to and reads nothing of it.
        let bytes = unsafe { &mut *(std::ptr::from_mut(out) as *mut [u8]) };
        read_at(from, place.start, bytes).map_err(|e| Error::io(Path::new(&file.source.to_string()), e))?;
        progress.advance(bytes.len());
        Ok(())
    })?;
    let input = |(memory, places): (HostUVec<MaybeUninit<u8>>, &Vec<Range<u64>>)| {
        // SAFETY: each part has been read whole, or reading has failed.
        let memory = Bytes::from_owner(Owned(unsafe { memory.assume_init() }));
        let mut at = 0;
        let part = |place: &Range<u64>| {
            let start = at;
            at += (place.end - place.start) as usize;
            (place.start, memory.slice(start..at))
        };
        let parts = places.iter().map(part).collect();
        Input::Parts(Arc::new(Parts { parts, len: *len }))
    };
    Ok(memory.into_iter().zip(&places).map(input).collect())
}

/// Memory that [`Bytes`] share.
struct Owned(HostUVec<u8>);

impl AsRef<[u8]> for Owned {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for EncodedColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.file.reader.schema().field(self.position).name();
        write!(f, "column '{name}' of {}, {} rows of {}", self.file.source, self.rows, self.data_type())
    }
}

impl EncodedColumn {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The type of the decoded column.
    pub fn data_type(&self) -> DataType {
        if self.as_floats { DataType::Float64 } else { self.stored }
    }

    /// Decimals as the nearest `Float64`, as `unary::cast` has them; `None` for other columns.
    pub fn as_floats(&self) -> Option<Self> {
        let is_decimal = self.stored.is_decimal() && !self.as_floats;
        is_decimal.then(|| Self { as_floats: true, ..self.clone() })
    }

    /// The values of a column that is a dictionary in the file; see [`Content::dictionaries`].
    pub fn dictionary(&self) -> Result<Option<Column>> {
        self.file.dictionary(self.position, &self.groups, &room::host(&Context::current())?)
    }

    /// The column in the context's memory.
    ///
    /// Fails as [`read_parquet`](super::read_parquet) for column chunks that are damaged.
    pub fn decode(&self, ctx: &Context) -> Result<Column> {
        func_range!(c"parquet.decode");
        self.decoded(ctx).map_err(|e| self.described(e))
    }

    /// The rows of these ascending numbers, which may repeat: `Int32` or `Int64` in host memory without nulls, each a row;
    /// and how many values are in the pages that were unpacked for them, as others are not. `None` where values are stored in a
    /// way that is only decoded whole.
    ///
    /// Fails as [`decode`](Self::decode).
    pub fn decode_rows(&self, numbers: &Column, ctx: &Context) -> Result<Option<(Column, usize)>> {
        func_range!(c"parquet.decode_rows");
        let view = numbers.view()?;
        let column = if numbers.data_type() == DataType::Int32 {
            self.decoded_rows(view.values::<i32>()?, ctx)
        } else {
            self.decoded_rows(view.values::<i64>()?, ctx)
        };
        column.map_err(|e| self.described(e))
    }

    /// The rows as numbers of distinct texts; `None` for other columns, and where the file has not stored few texts so.
    ///
    /// Fails as [`decode`](Self::decode).
    pub fn decode_codes(&self, ctx: &Context) -> Result<Option<CodedTexts>> {
        func_range!(c"parquet.decode_codes");
        let (host, progress) = (room::host(ctx)?, Progress::silent());
        let coded = self.with_chunks(&progress, &host, |chunks, layout| match layout {
            ValueLayout::Text => coded(chunks, ctx),
            _ => Ok(None),
        });
        coded.map(Option::flatten).map_err(|e| self.described(e))
    }

    fn described(&self, error: Error) -> Error {
        error.context(format!("column '{}'", self.file.reader.schema().field(self.position).name()))
    }

    fn decoded(&self, ctx: &Context) -> Result<Column> {
        let (host, progress) = (room::host(ctx)?, Progress::silent());
        if let Some(scale) = self.scale()
            && let Some(column) = self.with_chunks(&progress, &host, |chunks, layout| {
                direct::Whole(chunks, ctx).make(layout, self.stored, Some(scale))
            })?
        {
            return Ok(column);
        }
        let column = self
            .file
            .column(self.position, self.stored, &self.groups, &progress, &host, ctx)?
            .to_device(ctx)?;
        if column.len() != self.rows {
            let (found, rows, source) = (column.len(), self.rows, &self.file.source);
            return Err(Error::invalid_argument(format!(
                "{source}: the Parquet data is damaged: {found} of {rows} rows"
            )));
        }
        if self.as_floats { cuprum_compute::unary::cast(&column, DataType::Float64, ctx) } else { Ok(column) }
    }

    fn decoded_rows<N: Native>(&self, numbers: &[N], ctx: &Context) -> Result<Option<(Column, usize)>> {
        let (host, progress, unpacked) = (room::host(ctx)?, Progress::silent(), AtomicUsize::new(0));
        let column = self.with_chunks(&progress, &host, |chunks, layout| {
            direct::Rows { chunks, numbers, unpacked: &unpacked, ctx }.make(layout, self.stored, self.scale())
        })?;
        Ok(column.map(|column| (column, unpacked.into_inner())))
    }

    /// The scale of decimals that become floats.
    fn scale(&self) -> Option<i32> {
        self.as_floats.then(|| self.stored.scale())
    }

    /// What `decode` makes of the chunks; `None` where values are stored in a way that it does not know.
    fn with_chunks<T>(
        &self,
        progress: &Progress,
        host: &Context,
        decode: impl FnOnce(&Chunks<'_>, ValueLayout) -> Result<T>,
    ) -> Result<Option<T>> {
        let file = &*self.file;
        let Some(leaf) = file.leaf(self.position).filter(|_| !self.groups.is_empty()) else {
            return Ok(None);
        };
        let Some(layout) = file.layout(self.position, leaf, self.stored) else { return Ok(None) };
        let (source, input, metadata) = (&file.source, &file.input, file.reader.metadata());
        let chunks =
            Chunks { source, input, metadata, groups: &self.groups, leaf, around: None, progress, host };
        match decode(&chunks, layout) {
            Err(error) if error.kind() == ErrorKind::Unsupported => Ok(None),
            column => column.map(Some),
        }
    }
}
