//! The footer of a Parquet file: schema, row groups, column chunks. Footers of several files as one.

use std::sync::Arc;

use arrow_schema::{Field, SchemaRef};
use bytes::Buf;
use cuprum_column::{DataType, Error, ErrorKind, Result};
use parquet::arrow::parquet_to_arrow_schema;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataReader,
    ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::Type as SchemaType;

use super::input::Input;
use super::read::stored_type;
use super::{damaged, describe, enums, guarded};
use crate::Source;

const MAGIC: &[u8] = b"PAR1";

/// The footer of a file.
#[derive(Clone, Debug)]
pub struct Footer {
    metadata: Arc<ParquetMetaData>,
}

/// A column of the tree that a schema is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaNode {
    /// Its name.
    pub name: String,
    /// The number that the writer gave it.
    pub field_id: Option<i32>,
    /// Its fields or elements.
    pub children: Vec<SchemaNode>,
}

/// The metadata of a row group.
#[derive(Clone, Debug)]
pub struct RowGroup {
    /// Its rows.
    pub num_rows: i64,
    /// Bytes of its columns, not compressed.
    pub total_byte_size: i64,
    /// Bytes of its columns in the file.
    pub total_compressed_size: i64,
    /// The offset in the file.
    pub file_offset: Option<i64>,
    /// Its number, where the file tells.
    pub ordinal: Option<i16>,
    /// The columns that its rows are sorted by: the number of each among those with values, whether in descending
    /// order, and whether nulls come first.
    pub sorting_columns: Option<Vec<(i32, bool, bool)>>,
    /// Its column chunks, one for each column that has values.
    pub columns: Vec<ColumnChunk>,
}

/// The metadata of a column chunk. Places and lengths are in bytes.
#[derive(Clone, Debug)]
pub struct ColumnChunk {
    /// The file that it is in, where that is another one.
    pub file_path: Option<String>,
    /// The offset of its metadata; 0 in files of today.
    pub file_offset: i64,
    /// The offset and the length of its offset index.
    pub offset_index: Option<(i64, i32)>,
    /// The offset and the length of its column index.
    pub column_index: Option<(i64, i32)>,
    /// The names from the root to the column.
    pub path: Vec<String>,
    /// Its values, nulls counted.
    pub num_values: i64,
    /// Bytes, not compressed.
    pub total_uncompressed_size: i64,
    /// Bytes in the file.
    pub total_compressed_size: i64,
}

impl Footer {
    /// Reads the footer of a file. Errors as [`read_parquet`](super::read_parquet).
    pub fn read(source: &Source) -> Result<Self> {
        Ok(Self { metadata: Arc::new(read(&Input::open(source)?, source)?) })
    }

    /// The footer in bytes: as it stands in a file, also with the eight bytes that end the file behind it, or a
    /// whole file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let source = "the footer";
        if bytes.starts_with(MAGIC) {
            return Self::read(&Source::from(bytes)).map_err(|e| e.context(source));
        }
        let footer = match bytes.strip_suffix(MAGIC).and_then(|rest| rest.split_last_chunk::<4>()) {
            Some((rest, len)) => {
                let len = u32::from_le_bytes(*len) as usize;
                let start = rest.len().checked_sub(len).ok_or_else(|| {
                    Error::invalid_argument(format!("{source} is cut short: {len} bytes of {}", rest.len()))
                })?;
                &rest[start..]
            }
            None => bytes,
        };
        Ok(Self { metadata: Arc::new(parse(footer, source)?) })
    }

    /// The row groups of all files below each other, whose schemas are the same; of metadata those of the last one
    /// that has a key.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) without any, and for schemas that
    /// differ.
    pub fn merged(footers: &[Self]) -> Result<Self> {
        let Some(first) = footers.first() else {
            return Err(Error::invalid_argument("no footers are given"));
        };
        let file = first.metadata.file_metadata();
        let mut pairs: Vec<KeyValue> = Vec::new();
        let mut groups = Vec::new();
        for (number, footer) in footers.iter().enumerate() {
            let own = footer.metadata.file_metadata();
            if own.schema() != file.schema() {
                return Err(Error::invalid_argument(format!(
                    "footer {number} has another schema than footer 0"
                )));
            }
            for pair in own.key_value_metadata().into_iter().flatten() {
                pairs.retain(|other| other.key != pair.key);
                pairs.push(pair.clone());
            }
            groups.extend(footer.metadata.row_groups().iter().cloned());
        }
        let rows = groups.iter().try_fold(0i64, |rows, group| rows.checked_add(group.num_rows()));
        let rows = rows.ok_or_else(|| Error::invalid_argument("more rows than can be counted"))?;
        let merged = FileMetaData::new(
            file.version(),
            rows,
            file.created_by().map(str::to_owned),
            (!pairs.is_empty()).then_some(pairs),
            file.schema_descr_ptr(),
            file.column_orders().cloned(),
        );
        Ok(Self { metadata: Arc::new(ParquetMetaData::new(merged, groups)) })
    }

    /// The same with `path` as the file that all column chunks are in.
    pub fn in_file(&self, path: &str) -> Result<Self> {
        let chunk =
            |chunk: &ColumnChunkMetaData| chunk.clone().into_builder().set_file_path(path.into()).build();
        let group = |group: &RowGroupMetaData| {
            let chunks = group.columns().iter().map(chunk).collect::<Result<_, ParquetError>>()?;
            group.clone().into_builder().set_column_metadata(chunks).build()
        };
        let groups = self.metadata.row_groups().iter().map(group).collect::<Result<_, ParquetError>>();
        let groups = groups.map_err(|e| describe(&"the footer", e))?;
        let file = self.metadata.file_metadata().clone();
        Ok(Self { metadata: Arc::new(ParquetMetaData::new(file, groups)) })
    }

    /// A file of the footer alone, as datasets have it under the name `_metadata`.
    pub fn to_file(&self) -> Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        let written = ParquetMetaDataWriter::new(&mut bytes, &self.metadata).finish();
        written.map_err(|e| describe(&"the footer", e))?;
        Ok(bytes)
    }

    /// The version of the format.
    pub fn version(&self) -> i32 {
        self.metadata.file_metadata().version()
    }

    /// The rows of the file.
    pub fn num_rows(&self) -> i64 {
        self.metadata.file_metadata().num_rows()
    }

    /// The writer of the file.
    pub fn created_by(&self) -> Option<&str> {
        self.metadata.file_metadata().created_by()
    }

    /// Key-value metadata, all of them.
    pub fn key_values(&self) -> Vec<(String, String)> {
        let pairs = self.metadata.file_metadata().key_value_metadata();
        let text = |pair: &KeyValue| (pair.key.clone(), pair.value.clone().unwrap_or_default());
        pairs.into_iter().flatten().map(text).collect()
    }

    /// The tree of the columns.
    pub fn schema(&self) -> SchemaNode {
        node(self.metadata.file_metadata().schema())
    }

    /// The columns as Arrow types: of the Arrow schema, where the file carries one.
    fn fields(&self) -> Result<Vec<Field>> {
        let file = self.metadata.file_metadata();
        let schema: SchemaRef = guarded(&"the footer", || {
            let own = parquet_to_arrow_schema(file.schema_descr(), file.key_value_metadata());
            own.or_else(|_| parquet_to_arrow_schema(file.schema_descr(), None)).map(Arc::new)
        })?;
        let texts = enums::as_texts(&schema, file.schema_descr());
        let fields = texts.as_ref().unwrap_or(&schema).fields();
        Ok(fields.iter().map(|field| field.as_ref().clone()).collect())
    }

    /// The names of the columns and the types that they are read as; none for types that there are no columns of.
    pub fn types(&self) -> Result<Vec<(String, Option<DataType>)>> {
        let typed = |field: &Field| (field.name().clone(), stored_type(field.data_type()).ok());
        Ok(self.fields()?.iter().map(typed).collect())
    }

    /// The row groups.
    pub fn row_groups(&self) -> Vec<RowGroup> {
        self.metadata.row_groups().iter().map(row_group).collect()
    }
}

/// The footer of a file.
pub(super) fn read(input: &Input, source: &Source) -> Result<ParquetMetaData> {
    let footer = guarded(source, || {
        let end = input.len().saturating_sub(8);
        let len = input.get_bytes(end, 4)?.get_u32_le();
        let start = end.checked_sub(len.into());
        let start = start.ok_or_else(|| ParquetError::EOF(format!("a footer of {len} bytes in {end}")))?;
        input.get_bytes(start, len as usize)
    })?;
    parse(&footer, &source.to_string())
}

/// The `parquet` crate calls itself for every level of a schema, so a file decides how much stack it needs: one with
/// many elements is parsed on a stack for a chain of all of them.
fn parse(footer: &[u8], source: &str) -> Result<ParquetMetaData> {
    let parse = || {
        guarded(&source, || {
            let metadata = ParquetMetaDataReader::decode_metadata(footer)?;
            if depth(metadata.file_metadata().schema()) > DEEPEST {
                return Err(damaged(&format!("columns nested deeper than {DEEPEST} levels")));
            }
            Ok(metadata)
        })
    };
    let elements =
        schema_elements(footer).ok_or_else(|| describe(&source, damaged("no schema in its footer")))?;
    if elements <= DEEPEST {
        return parse();
    }
    let stack = elements.min(footer.len()).saturating_mul(FRAME);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, parse);
        let thread = thread.map_err(|e| {
            let what = format!("{source}: a stack of {stack} bytes for its schema");
            Error::new(ErrorKind::OutOfMemory, what).with_source(e)
        })?;
        thread.join().map_err(|_| Error::logic("a panic of the decoder of footers"))?
    })
}

/// The levels of a schema that is read; a column has at most half as many, since each of its lists is two.
const DEEPEST: usize = 160;

/// More than the `parquet` crate takes of the stack for a level.
const FRAME: usize = 8 << 10;

fn depth(schema: &SchemaType) -> usize {
    let children = if schema.is_group() { schema.get_fields() } else { &[] };
    children.iter().map(|child| 1 + depth(child)).max().unwrap_or(0)
}

/// The number of elements of a schema, the second field of a footer behind its version, as Thrift's compact
/// protocol counts them.
fn schema_elements(footer: &[u8]) -> Option<usize> {
    let (&[VERSION], footer) = footer.split_first_chunk()? else { return None };
    let (_, footer) = number(footer)?;
    let (&[SCHEMA, kind], footer) = footer.split_first_chunk()? else { return None };
    match kind >> 4 {
        15 => Some(number(footer)?.0),
        few => Some(few.into()),
    }
}

/// Field 1, an integer.
const VERSION: u8 = 0x15;

/// The field after that, a list.
const SCHEMA: u8 = 0x19;

/// A number of groups of 7 bits, and the bytes behind it.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().position(|byte| byte & 0x80 == 0)?;
    let (number, rest) = bytes.split_at(end + 1);
    let groups = number.iter().rev();
    let number = groups.fold(0usize, |all, group| all << 7 | usize::from(group & 0x7F));
    (end < 5).then_some((number, rest))
}

fn node(schema: &SchemaType) -> SchemaNode {
    let info = schema.get_basic_info();
    let children: &[_] = if schema.is_group() { schema.get_fields() } else { &[] };
    SchemaNode {
        name: info.name().to_owned(),
        field_id: info.has_id().then(|| info.id()),
        children: children.iter().map(|child| node(child)).collect(),
    }
}

fn row_group(group: &RowGroupMetaData) -> RowGroup {
    let sorted = group
        .sorting_columns()
        .map(|columns| columns.iter().map(|by| (by.column_idx, by.descending, by.nulls_first)).collect());
    RowGroup {
        num_rows: group.num_rows(),
        total_byte_size: group.total_byte_size(),
        total_compressed_size: group.compressed_size(),
        file_offset: group.file_offset(),
        ordinal: group.ordinal(),
        sorting_columns: sorted,
        columns: group.columns().iter().map(column_chunk).collect(),
    }
}

fn column_chunk(chunk: &ColumnChunkMetaData) -> ColumnChunk {
    ColumnChunk {
        file_path: chunk.file_path().map(str::to_owned),
        file_offset: chunk.file_offset(),
        offset_index: chunk.offset_index_offset().zip(chunk.offset_index_length()),
        column_index: chunk.column_index_offset().zip(chunk.column_index_length()),
        path: chunk.column_path().parts().to_vec(),
        num_values: chunk.num_values(),
        total_uncompressed_size: chunk.uncompressed_size(),
        total_compressed_size: chunk.compressed_size(),
    }
}
