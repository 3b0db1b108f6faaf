//! The metadata of a block as bytes; `docs/design/packed-format.md` describes them.

use std::ops::Range;

use cuprum_column::validate::MAX_DEPTH;
use cuprum_column::{Buffer, Column, DataType, Error, Result, ResultExt, Table, TypeId, UNKNOWN_NULL_COUNT};

const MAGIC: [u8; 8] = *b"CUPRUMPK";
const VERSION: u32 = 1;
const HEADER: usize = 40;
const RECORD: usize = 72;
/// Flags of a record.
const HAS_DATA: u32 = 1;
const HAS_MASK: u32 = 2;
/// The null count of a column whose nulls nobody has counted.
const NOT_COUNTED: u64 = u64::MAX;

/// The metadata of one column; those of its children follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub data_type: DataType,
    pub num_children: usize,
    /// The first row, counted from the start of the buffers.
    pub offset: usize,
    pub len: usize,
    /// [`UNKNOWN_NULL_COUNT`] where they are to be counted.
    pub null_count: usize,
    /// The ranges of the buffers in the block.
    pub data: Option<Range<usize>>,
    pub mask: Option<Range<usize>>,
}

/// The null count of a column that was not counted, as far as its type and mask say it.
pub(super) fn null_count(data_type: DataType, len: usize, has_mask: bool) -> usize {
    match (data_type, has_mask) {
        (DataType::Empty, _) => len,
        (_, true) => UNKNOWN_NULL_COUNT,
        (_, false) => 0,
    }
}

/// The trust in metadata about a block's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// The contents are checked, nulls are counted.
    Nothing,
    /// They were written by [`pack`](super::pack).
    Contents,
}

/// The bytes for a table of `num_columns` columns in a block of `block_bytes`.
pub(super) fn write(num_rows: usize, num_columns: usize, block_bytes: usize, records: &[Record]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + records.len() * RECORD);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((num_columns as u32).to_le_bytes());
    for number in [num_rows, block_bytes, records.len()] {
        bytes.extend((number as u64).to_le_bytes());
    }
    for record in records {
        let flag = |buffer: &Option<Range<usize>>, flag| if buffer.is_some() { flag } else { 0 };
        let flags = flag(&record.data, HAS_DATA) | flag(&record.mask, HAS_MASK);
        bytes.extend((record.data_type.id() as u32).to_le_bytes());
        bytes.extend(record.data_type.scale().to_le_bytes());
        bytes.extend((record.num_children as u32).to_le_bytes());
        bytes.extend(flags.to_le_bytes());
        let nulls = match record.null_count {
            UNKNOWN_NULL_COUNT => NOT_COUNTED,
            counted => counted as u64,
        };
        let range = |buffer: &Option<Range<usize>>| {
            buffer.as_ref().map_or([0, 0], |range| [range.start as u64, range.len() as u64])
        };
        let ([data, data_bytes], [mask, mask_bytes]) = (range(&record.data), range(&record.mask));
        let numbers = [record.offset as u64, record.len as u64, nulls, data, data_bytes, mask, mask_bytes];
        for number in numbers {
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes
}

/// The records of `table`, all of whose memory has to lie in `block`.
pub(super) fn records_of(table: &Table, block: &Buffer) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for (i, column) in table.columns().iter().enumerate() {
        record(column, block, MAX_DEPTH, &mut records).context(|| format!("column {i}"))?;
    }
    Ok(records)
}

fn record(column: &Column, block: &Buffer, depth: usize, records: &mut Vec<Record>) -> Result<()> {
    if depth == 0 {
        return Err(too_deep());
    }
    let within = |buffer: Option<&Buffer>| -> Result<Option<Range<usize>>> {
        let Some(buffer) = buffer.filter(|buffer| !buffer.is_empty()) else { return Ok(None) };
        let range = buffer.position_in(block).map(|begin| begin..begin + buffer.len());
        range.filter(|range| range.end <= block.len()).map(Some).ok_or_else(|| {
            Error::invalid_argument(format!("{buffer:?} does not lie in `contiguous_buffer`, {block:?}"))
        })
    };
    records.push(Record {
        data_type: column.data_type(),
        num_children: column.children().len(),
        offset: column.offset(),
        len: column.len(),
        null_count: null_count(column.data_type(), column.len(), column.mask().is_some()),
        data: within(column.data())?,
        mask: within(column.mask())?,
    });
    column.children().iter().try_for_each(|child| record(child, block, depth - 1, records))
}

fn too_deep() -> Error {
    Error::logic(format!("the table is nested deeper than {MAX_DEPTH} levels"))
}

/// The table that `metadata` describes, in the memory of `block`.
///
/// Fails with [`Logic`](cuprum_column::ErrorKind::Logic) where metadata is no metadata of this version, is
/// not consistent or says something that the block is too small or not aligned for; without trust also
/// where the contents of the block are no valid columns.
///
/// # Safety
/// With [`Trust::Contents`] they are.
pub(super) unsafe fn read(metadata: &[u8], block: &Buffer, trust: Trust) -> Result<Table> {
    let mut header = Bytes(metadata);
    if header.take::<8>()? != MAGIC {
        return Err(Error::logic("`metadata` is not that of a packed table"));
    }
    let version = header.u32()?;
    if version != VERSION {
        return Err(Error::logic(format!(
            "`metadata` is of version {version}; this library reads {VERSION}"
        )));
    }
    let num_columns = header.u32()? as usize;
    let (num_rows, block_bytes, num_records) = (header.size()?, header.size()?, header.size()?);
    let records = header.0;
    if num_records.checked_mul(RECORD) != Some(records.len()) || num_columns > num_records {
        return Err(Error::logic(format!(
            "`metadata` has {} bytes for {num_records} columns, {num_columns} of them on top",
            metadata.len()
        )));
    }
    if block_bytes > block.len() {
        return Err(Error::logic(format!(
            "`data` has {} bytes, the table was packed into {block_bytes}",
            block.len()
        )));
    }
    let mut reader = Reader { records: Bytes(records), block: block.slice(0, block_bytes)?, trust };
    let mut columns = Vec::with_capacity(num_columns);
    for i in 0..num_columns {
        // SAFETY: the block holds the table of this metadata (`Trust::Contents`), or the column is validated next.
        let column = unsafe { reader.column(MAX_DEPTH) };
        let column = column.and_then(|column| match trust {
            Trust::Contents => Ok(column),
            Trust::Nothing => column.validate().map(|()| column),
        });
        columns.push(column.context(|| format!("column {i} of `metadata`"))?);
    }
    if !reader.records.0.is_empty() {
        let left = reader.records.0.len() / RECORD;
        return Err(Error::logic(format!("`metadata` describes {left} columns that belong to none")));
    }
    Table::with_rows(columns, num_rows)
}

struct Reader<'a> {
    records: Bytes<'a>,
    block: Buffer,
    trust: Trust,
}

impl Reader<'_> {
    /// The next column with those inside.
    ///
    /// # Safety
    /// It is checked before anything reads it, or known to be valid.
    unsafe fn column(&mut self, depth: usize) -> Result<Column> {
        if depth == 0 {
            return Err(too_deep());
        }
        let record = self.record()?;
        // Memory for those that are there, whatever number a header names.
        let mut children = Vec::new();
        for _ in 0..record.num_children {
            // SAFETY: the child is validated with its parent, or known to be valid.
            children.push(unsafe { self.column(depth - 1)? });
        }
        let data = record.data.map(|range| self.buffer(range, record.data_type.size().unwrap_or(1)));
        let mask = record.mask.map(|range| self.buffer(range, 4)).transpose()?;
        let null_count = match self.trust {
            Trust::Contents => record.null_count,
            Trust::Nothing => UNKNOWN_NULL_COUNT,
        };
        // SAFETY: the caller validates the column before anything reads it, or knows it to be valid.
        unsafe {
            Column::from_parts_unchecked(
                record.data_type,
                record.len,
                record.offset,
                data.transpose()?,
                mask.map(|mask| (mask, null_count)),
                children,
            )
        }
    }

    fn record(&mut self) -> Result<Record> {
        let bytes = &mut self.records;
        let id = bytes.u32()?;
        let scale = bytes.u32()? as i32;
        let (num_children, flags) = (bytes.u32()? as usize, bytes.u32()?);
        let (offset, len, nulls) = (bytes.size()?, bytes.size()?, bytes.u64()?);
        let (data, data_bytes) = (bytes.size()?, bytes.size()?);
        let (mask, mask_bytes) = (bytes.size()?, bytes.size()?);
        let type_id = i32::try_from(id).ok().and_then(TypeId::from_number);
        let data_type = type_id.map(|id| id.with_scale(scale)).filter(|data_type| data_type.scale() == scale);
        let Some(data_type) = data_type else {
            return Err(Error::logic(format!("there is no type {id} with scale {scale}")));
        };
        if flags & !(HAS_DATA | HAS_MASK) != 0 {
            return Err(Error::logic(format!("unknown flags {flags:#x}")));
        }
        if num_children > bytes.0.len() / RECORD {
            return Err(Error::logic(format!("{num_children} children are more than there are columns")));
        }
        if offset.checked_add(len).is_none_or(|end| end > usize::MAX / 32) {
            return Err(Error::logic(format!("{len} rows from row {offset} on are too many")));
        }
        if nulls != NOT_COUNTED && nulls > len as u64 {
            return Err(Error::logic(format!("{nulls} nulls among {len} rows")));
        }
        let range = |flag, begin: usize, bytes: usize| -> Result<Option<Range<usize>>> {
            match begin.checked_add(bytes) {
                _ if flags & flag == 0 => Ok(None),
                Some(end) => Ok(Some(begin..end)),
                None => Err(Error::logic(format!("{bytes} bytes from byte {begin} on are too many"))),
            }
        };
        Ok(Record {
            data_type,
            num_children,
            offset,
            len,
            null_count: if nulls == NOT_COUNTED { UNKNOWN_NULL_COUNT } else { nulls as usize },
            data: range(HAS_DATA, data, data_bytes)?,
            mask: range(HAS_MASK, mask, mask_bytes)?,
        })
    }

    /// A buffer of whole elements of `size` bytes, aligned to as many.
    fn buffer(&self, range: Range<usize>, size: usize) -> Result<Buffer> {
        if range.end > self.block.len() {
            let bytes = self.block.len();
            return Err(Error::logic(format!("bytes {range:?} are not in the block of {bytes} bytes")));
        }
        let buffer = self.block.slice(range.start, range.len())?;
        if !(buffer.as_ptr() as usize).is_multiple_of(size) || !buffer.len().is_multiple_of(size) {
            return Err(Error::logic(format!(
                "{buffer:?} does not hold whole aligned elements of {size} bytes"
            )));
        }
        Ok(buffer)
    }
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((first, rest)) = self.0.split_first_chunk::<N>() else {
            return Err(Error::logic("`metadata` ends too early"));
        };
        self.0 = rest;
        Ok(*first)
    }

    fn u32(&mut self) -> Result<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn size(&mut self) -> Result<usize> {
        let number = self.u64()?;
        usize::try_from(number).map_err(|_| Error::logic(format!("{number} is not a size")))
    }
}
