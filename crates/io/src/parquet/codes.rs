//! Column chunks of dictionary codes: a page of the dictionary, and pages of codes.
//!
//! The `parquet` crate looks every value up in a hash table of its own and packs codes one call at a time. Numbered
//! as groups are, two million integers of a thousand values take 0.4 of its time, texts of ten thousand 0.9 (one
//! thread).

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, make_array};
use arrow_cast::cast;
use arrow_schema::DataType as ArrowType;
use bytes::Bytes;
use cuprum_column::{Column, Context, DataType, Result as OwnResult, Table, arrow};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::groupby::group;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use parquet::basic::{BoundaryOrder, Compression as Codec, Encoding, Type};
use parquet::bloom_filter::Sbbf;
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder};
use parquet::file::statistics::Statistics as ChunkStatistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::{Bloom, Statistics};

/// Rows of a page of values, as the `parquet` crate has them.
pub(super) const PAGE_ROWS: usize = 20_000;

/// Bytes of the longest text that statistics have whole.
const LONGEST: usize = 64;

/// How the pages of a chunk are laid out.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// The most rows of a page, and about the most bytes of one, where these are asked for.
    pub(super) page_rows: Option<usize>,
    pub(super) page_bytes: Option<usize>,
    pub(super) codec: Codec,
    pub(super) bloom: Option<Bloom>,
}

/// A dictionary as a page has it.
pub(super) struct Dictionary {
    /// Its values as plain ones.
    plain: Bytes,
    /// Where each begins in `plain` and ends; texts are behind their lengths.
    places: Vec<(usize, usize)>,
}

impl Dictionary {
    /// The dictionary of some values; `None` for values that Parquet has no dictionary of, or that are null or
    /// inside of others.
    pub(super) fn of(values: &ArrayRef, column: &ColumnDescPtr) -> Option<Self> {
        if values.null_count() > 0 || column.max_def_level() != 1 || column.max_rep_level() != 0 {
            return None;
        }
        let plain = match column.physical_type() {
            Type::BYTE_ARRAY => return Self::of_texts(values),
            Type::INT32 => match values.data_type() {
                ArrowType::UInt8 | ArrowType::UInt16 | ArrowType::UInt32 => bytes_of::<UInt32Type>(values)?,
                ArrowType::Int8 | ArrowType::Int16 | ArrowType::Int32 | ArrowType::Date32 => {
                    bytes_of::<Int32Type>(values)?
                }
                _ => return None,
            },
            Type::INT64 => match values.data_type() {
                ArrowType::UInt64 => bytes_of::<UInt64Type>(values)?,
                ArrowType::Int64 | ArrowType::Timestamp(..) | ArrowType::Duration(_) => {
                    bytes_of::<Int64Type>(values)?
                }
                _ => return None,
            },
            Type::FLOAT => bytes_of::<Float32Type>(values)?,
            Type::DOUBLE => bytes_of::<Float64Type>(values)?,
            _ => return None,
        };
        let size = plain.len() / values.len().max(1);
        let places = (0..values.len()).map(|i| (i * size, (i + 1) * size)).collect();
        Some(Self { plain: plain.into(), places })
    }

    fn of_texts(values: &ArrayRef) -> Option<Self> {
        let texts = cast(values, &ArrowType::LargeUtf8).ok()?;
        let (mut plain, mut places) = (Vec::new(), Vec::with_capacity(values.len()));
        for text in texts.as_string::<i64>().iter().flatten() {
            plain.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
            places.push((plain.len(), plain.len() + text.len()));
            plain.extend(text.as_bytes());
        }
        Some(Self { plain: plain.into(), places })
    }

    /// The bloom filter of the values.
    fn bloom(&self, bloom: Bloom) -> Result<Sbbf> {
        let values = bloom.distinct_values.unwrap_or(self.places.len() as u64).max(1);
        let mut filter = Sbbf::new_with_ndv_fpp(values, bloom.false_positives)?;
        for &(start, end) in &self.places {
            filter.insert(&self.plain[start..end]);
        }
        Ok(filter)
    }

    fn value(&self, code: u32) -> &[u8] {
        let (start, end) = self.places[code as usize];
        &self.plain[start..end]
    }
}

/// Values as they are stored in little-endian words of `T`.
fn bytes_of<T: ArrowPrimitiveType>(values: &ArrayRef) -> Option<Vec<u8>> {
    let wide = match values.data_type() {
        // What a type of times is stored as.
        ArrowType::Timestamp(..) | ArrowType::Duration(_) | ArrowType::Date32 => {
            let data = values.to_data().into_builder().data_type(T::DATA_TYPE).build().ok()?;
            make_array(data)
        }
        _ => cast(values, &T::DATA_TYPE).ok()?,
    };
    Some(wide.as_primitive_opt::<T>()?.values().inner().as_slice().to_vec())
}

/// The values of a dictionary in order.
pub(super) struct Ranking {
    /// The codes of the values, ascending by these.
    codes: Vec<u32>,
    /// The place of each code among `codes`.
    places: Vec<u32>,
}

impl Ranking {
    fn of(distinct: &Column, ctx: &Context) -> OwnResult<Self> {
        let table = Table::new(vec![distinct.clone()])?;
        let order = sorted_order(&table, &[Order::Ascending], NullOrder::Last, ctx)?;
        let codes: Vec<u32> = order.view()?.values::<i32>()?.iter().map(|&code| code as u32).collect();
        let mut places = vec![0; codes.len()];
        for (place, &code) in codes.iter().enumerate() {
            places[code as usize] = place as u32;
        }
        Ok(Self { codes, places })
    }
}

/// Rows whose different values are numbered.
pub(super) struct Numbered {
    dictionary: Dictionary,
    /// −1 for rows without a value.
    codes: Vec<i32>,
    ranking: Option<Ranking>,
    statistics: Statistics,
}

impl Numbered {
    /// Whether columns of a type can be written in this way.
    pub(super) fn is_of(data_type: DataType, codec: Codec) -> bool {
        let by_value = data_type.is_integer() || data_type.is_timestamp() || data_type.is_duration();
        matches!(codec, Codec::SNAPPY | Codec::UNCOMPRESSED) && (by_value || data_type == DataType::String)
    }

    /// `None` where a dictionary does not pay, where it has more than `most` bytes, or where statistics would have
    /// to cut texts.
    pub(super) fn of(
        rows: &Column,
        column: &ColumnDescPtr,
        statistics: Statistics,
        most: usize,
        ctx: &Context,
    ) -> OwnResult<Option<Self>> {
        if i32::try_from(rows.len()).is_err() {
            return Ok(None);
        }
        let grouping = group(&Table::new(vec![rows.clone()])?, true, ctx)?;
        if grouping.num_groups * 2 > rows.len() {
            return Ok(None);
        }
        let distinct = gather_column(rows, &grouping.first_rows, OutOfBoundsPolicy::Check, ctx)?;
        let Some(dictionary) = Dictionary::of(&arrow::to_arrow(&distinct)?, column) else { return Ok(None) };
        let is_long = dictionary.places.iter().any(|(start, end)| end - start > LONGEST);
        if is_long || dictionary.plain.len() > most {
            return Ok(None);
        }
        let ranking = (statistics != Statistics::None).then(|| Ranking::of(&distinct, ctx)).transpose()?;
        let codes = grouping.ids(ctx)?.view()?.values::<i32>()?.to_vec();
        Ok(Some(Self { dictionary, codes, ranking, statistics }))
    }

    /// The column chunk, and what the file says of it.
    pub(super) fn chunk(&self, column: &ColumnDescPtr, how: &Layout) -> Result<(Bytes, ColumnCloseResult)> {
        let ranking = self.ranking.as_ref().map(|ranking| (ranking, self.statistics));
        chunk(&self.dictionary, &self.codes, PAGE_ROWS, ranking, column, how)
    }
}

/// The column chunk of codes, −1 for missing values, in pages of `page_rows`, and what the file says of it: with
/// a `ranking` the least and greatest value of the chunk, which has all values of the dictionary, and, where
/// statistics are of pages, of each page.
pub(super) fn chunk(
    dictionary: &Dictionary,
    codes: &[i32],
    page_rows: usize,
    ranking: Option<(&Ranking, Statistics)>,
    column: &ColumnDescPtr,
    how: &Layout,
) -> Result<(Bytes, ColumnCloseResult)> {
    let codec = how.codec;
    let num_values = dictionary.places.len();
    let width = (usize::BITS - num_values.saturating_sub(1).leading_zeros()).max(1) as usize;
    let in_bytes = how.page_bytes.map_or(usize::MAX, |bytes| bytes.saturating_mul(8) / (width + 1));
    let page_rows = page_rows.min(how.page_rows.unwrap_or(usize::MAX)).min(in_bytes).max(1);
    let mut out = TrackedWrite::new(Vec::new());
    let mut writer = SerializedPageWriter::new(&mut out);
    let mut unpacked = 0;
    // Where a page begins, and its bytes.
    let mut put = |body: &[u8], page: &dyn Fn(Bytes) -> Page| -> Result<(u64, u64)> {
        let packed = pack(body, codec)?;
        let spec = writer.write_page(CompressedPage::new(page(packed.into()), body.len()))?;
        unpacked += spec.uncompressed_size;
        Ok((spec.offset, spec.bytes_written))
    };
    let (_, first_page) = put(&dictionary.plain, &|buf| Page::DictionaryPage {
        buf,
        num_values: num_values as u32,
        encoding: Encoding::PLAIN,
        is_sorted: false,
    })?;
    let mut pages = OffsetIndexBuilder::new();
    let mut bounds = Bounds::new(column.physical_type());
    let mut present = Vec::new();
    for rows in codes.chunks(page_rows) {
        present.clear();
        present.extend(rows.iter().filter(|&&code| code >= 0).map(|&code| code as u32));
        let levels = if present.len() == rows.len() {
            repeated(1, rows.len())
        } else {
            bit_packed(rows.len(), 1, |row| u32::from(rows[row] >= 0))
        };
        let mut body = (levels.len() as u32).to_le_bytes().to_vec();
        body.extend(levels);
        body.push(width as u8);
        body.extend(bit_packed(present.len(), width, |i| present[i]));
        let num_values = rows.len() as u32;
        let (offset, size) = put(&body, &|buf| Page::DataPage {
            buf,
            num_values,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        })?;
        pages.append_row_count(i64::from(num_values));
        pages.append_offset_and_size(offset as i64, i32::try_from(size)?);
        if let Some((ranking, _)) = ranking {
            let places = present.iter().map(|&code| ranking.places[code as usize]);
            let found = places.fold(None, |found: Option<(u32, u32)>, place| {
                Some(
                    found.map_or((place, place), |(least, greatest)| (least.min(place), greatest.max(place))),
                )
            });
            let value = |place: u32| dictionary.value(ranking.codes[place as usize]).to_vec();
            bounds.add(found, value, rows.len() - present.len());
        }
    }
    writer.close()?;
    let bytes = Bytes::from(out.into_inner()?);
    let mut metadata = ColumnChunkMetaData::builder(column.clone())
        .set_compression(codec)
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
        .set_num_values(codes.len() as i64)
        .set_total_compressed_size(bytes.len() as i64)
        .set_total_uncompressed_size(unpacked as i64)
        .set_dictionary_page_offset(Some(0))
        .set_data_page_offset(first_page as i64);
    if let Some((ranking, _)) = ranking {
        let value = |code: Option<&u32>| code.map(|&code| dictionary.value(code));
        let (least, greatest) = (value(ranking.codes.first()), value(ranking.codes.last()));
        metadata = metadata.set_statistics(statistics(column, least, greatest, bounds.missing));
    }
    let close = ColumnCloseResult {
        bytes_written: bytes.len() as u64,
        rows_written: codes.len() as u64,
        metadata: metadata.build()?,
        bloom_filter: how.bloom.map(|bloom| dictionary.bloom(bloom)).transpose()?,
        column_index: match ranking {
            Some((_, Statistics::Page)) => Some(bounds.build()?),
            _ => None,
        },
        // The `parquet` crate takes it for granted.
        offset_index: Some(pages.build()),
    };
    Ok((bytes, close))
}

/// The least and greatest values of pages, or what orders these.
pub(super) struct Bounds<K> {
    index: ColumnIndexBuilder,
    /// Those of the last page that has any.
    last: Option<(K, K)>,
    ascending: bool,
    descending: bool,
    /// Missing values of all pages.
    missing: usize,
}

impl<K: Copy + Ord> Bounds<K> {
    pub(super) fn new(physical: Type) -> Self {
        let index = ColumnIndexBuilder::new(physical);
        Self { index, last: None, ascending: true, descending: true, missing: 0 }
    }

    /// Adds a page of what is between these, if it has any, and so many missing values.
    pub(super) fn add(&mut self, found: Option<(K, K)>, value: impl Fn(K) -> Vec<u8>, missing: usize) {
        self.missing += missing;
        let Some((least, greatest)) = found else {
            return self.index.append(true, Vec::new(), Vec::new(), missing as i64);
        };
        if let Some(last) = self.last.replace((least, greatest)) {
            self.ascending &= last.0 <= least && last.1 <= greatest;
            self.descending &= last.0 >= least && last.1 >= greatest;
        }
        self.index.append(false, value(least), value(greatest), missing as i64);
    }

    /// Missing values of all pages.
    pub(super) fn missing(&self) -> usize {
        self.missing
    }

    pub(super) fn build(mut self) -> Result<parquet::file::page_index::column_index::ColumnIndexMetaData> {
        self.index.set_boundary_order(match (self.ascending, self.descending) {
            (true, _) => BoundaryOrder::ASCENDING,
            (_, true) => BoundaryOrder::DESCENDING,
            _ => BoundaryOrder::UNORDERED,
        });
        self.index.build()
    }
}

pub(super) fn statistics(
    column: &ColumnDescPtr,
    least: Option<&[u8]>,
    greatest: Option<&[u8]>,
    missing: usize,
) -> ChunkStatistics {
    fn word<const N: usize>(bytes: Option<&[u8]>) -> Option<[u8; N]> {
        bytes?.try_into().ok()
    }
    let missing = Some(missing as u64);
    match column.physical_type() {
        Type::INT32 => {
            let [least, greatest] = [least, greatest].map(|b| word(b).map(i32::from_le_bytes));
            ChunkStatistics::int32(least, greatest, None, missing, false)
        }
        Type::INT64 => {
            let [least, greatest] = [least, greatest].map(|b| word(b).map(i64::from_le_bytes));
            ChunkStatistics::int64(least, greatest, None, missing, false)
        }
        _ => {
            let [least, greatest] = [least, greatest].map(|b| b.map(|b| ByteArray::from(b.to_vec())));
            ChunkStatistics::byte_array(least, greatest, None, missing, false)
        }
    }
}

pub(super) fn pack(body: &[u8], codec: Codec) -> Result<Vec<u8>> {
    if codec != Codec::SNAPPY {
        return Ok(body.to_vec());
    }
    snap::raw::Encoder::new().compress_vec(body).map_err(|e| ParquetError::External(Box::new(e)))
}

/// One value of a byte `len` times, in the hybrid encoding.
pub(super) fn repeated(value: u8, len: usize) -> Vec<u8> {
    let mut out = Vec::new();
    put_header(&mut out, len << 1);
    out.push(value);
    out
}

/// Values of `width` bits, at most 32, as one run of packed ones, in the hybrid encoding.
pub(super) fn bit_packed(len: usize, width: usize, value: impl Fn(usize) -> u32) -> Vec<u8> {
    let groups = len.div_ceil(8);
    let mut out = Vec::with_capacity(groups * width + 9);
    put_header(&mut out, groups << 1 | 1);
    let end = out.len() + groups * width;
    let (mut word, mut bits) = (0u64, 0);
    for i in 0..len {
        word |= u64::from(value(i)) << bits;
        bits += width;
        if bits >= 32 {
            out.extend((word as u32).to_le_bytes());
            word >>= 32;
            bits -= 32;
        }
    }
    out.extend((word as u32).to_le_bytes());
    out.resize(end, 0);
    out
}

fn put_header(out: &mut Vec<u8>, mut header: usize) {
    while header > 127 {
        out.push(header as u8 | 0x80);
        header >>= 7;
    }
    out.push(header as u8);
}

#[cfg(test)]
mod tests {
    use cuprum_column::DataType;
    use cuprum_testing::{Random, assert_column_eq};
    use parquet::file::page_index::column_index::ColumnIndexMetaData;
    use parquet::file::properties::ReaderProperties;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::serialized_reader::ReadOptionsBuilder;

    use super::*;
    use crate::parquet::{ReadOptions, WriteOptions, read_parquet, write_parquet};
    use crate::source::Source;

    #[test]
    fn values_are_packed_as_the_hybrid_encoding_says() {
        use crate::parquet::hybrid::Hybrid;
        for width in 1..=32 {
            for len in [0usize, 1, 7, 8, 9, 31, 33, 100] {
                let values: Vec<u32> =
                    (0..len as u64).map(|i| (Random(i).next() >> (64 - width)) as u32).collect();
                let packed = bit_packed(len, width, |i| values[i]);
                assert_eq!(packed.len(), len.div_ceil(8) * width + 1);
                let mut out = vec![0; len];
                if len > 0 {
                    Hybrid::new(&packed, width as u8).unwrap().fill(&mut out).unwrap();
                }
                assert_eq!(out, values);
            }
        }
        for len in [1, 63, 64, 20_000] {
            let mut out = vec![0; len];
            Hybrid::new(&repeated(1, len), 1).unwrap().fill(&mut out).unwrap();
            assert_eq!(out, vec![1; len]);
        }
    }

    /// Rows of which each group has 45 000, with the least and the greatest value of every group and page.
    #[test]
    fn columns_with_few_values_are_read_back_and_described() {
        let ctx = Context::current();
        let rows = 100_000;
        let number = |i: usize| Random(i as u64).below(1000) as i64 - 500 + (i / 30_000) as i64 * 2000;
        let is_there = |i: usize| !i.is_multiple_of(3) && !(50_000..75_000).contains(&i);
        let numbers: Vec<Option<i64>> = (0..rows).map(|i| is_there(i).then(|| number(i))).collect();
        let texts: Vec<Option<String>> = numbers.iter().map(|n| n.map(|n| format!("é{n}"))).collect();
        let whole = Column::from_slice(&(0..rows).map(number).collect::<Vec<_>>(), &ctx).unwrap();
        let numbers = Column::from_options(&numbers, &ctx).unwrap();
        let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        let texts = Column::from_opt_strs(&texts, &ctx).unwrap();
        let short =
            Column::from_slice(&(0..rows).map(|i| number(i) as i16).collect::<Vec<_>>(), &ctx).unwrap();
        let natural =
            Column::from_slice(&(0..rows).map(|i| number(i) as u32).collect::<Vec<_>>(), &ctx).unwrap();
        let columns = vec![whole, numbers, texts, short, natural];
        let table = Table::new(columns).unwrap();
        let names: Vec<String> = (0..table.num_columns()).map(|i| i.to_string()).collect();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        for statistics in [Statistics::Page, Statistics::None] {
            let options = WriteOptions { row_group_rows: 45_000, statistics, ..WriteOptions::default() };
            write_parquet(&table, &names, &path, &options, &ctx).unwrap();
            let content = read_parquet(&Source::from(path.as_path()), &ReadOptions::default(), &ctx).unwrap();
            for (actual, expected) in content.data.table.columns().iter().zip(table.columns()) {
                assert_column_eq(actual, expected);
            }
            let options = ReadOptionsBuilder::new()
                .with_page_index()
                .with_reader_properties(ReaderProperties::builder().build())
                .build();
            let file = std::fs::File::open(&path).unwrap();
            let file = SerializedFileReader::new_with_options(file, options).unwrap();
            let metadata = file.metadata();
            for (g, group) in metadata.row_groups().iter().enumerate() {
                let rows = g * 45_000..((g + 1) * 45_000).min(rows);
                for leaf in 0..table.num_columns() {
                    let chunk = group.column(leaf);
                    assert!(chunk.dictionary_page_offset().is_some(), "{leaf}");
                    let bounds = |rows: std::ops::Range<usize>| {
                        let column = table.columns()[leaf].slice(rows.start, rows.len()).unwrap();
                        let bytes: Vec<Vec<u8>> = (0..column.len())
                            .filter(|&row| column.view().unwrap().is_valid(row))
                            .map(|row| bytes_at(&column, row))
                            .collect();
                        let nulls = column.len() - bytes.len();
                        let key = |b: &&Vec<u8>| order_of(&column, b);
                        (bytes.iter().min_by_key(key).cloned(), bytes.iter().max_by_key(key).cloned(), nulls)
                    };
                    let Some(found) = chunk.statistics() else {
                        assert_eq!(statistics, Statistics::None);
                        continue;
                    };
                    let (least, greatest, nulls) = bounds(rows.clone());
                    assert_eq!(found.min_bytes_opt(), least.as_deref());
                    assert_eq!(found.max_bytes_opt(), greatest.as_deref());
                    assert_eq!(found.null_count_opt(), Some(nulls as u64));
                    let index = &metadata.column_index().unwrap()[g][leaf];
                    let places = metadata.offset_index().unwrap()[g][leaf].page_locations();
                    assert_eq!(places.len(), rows.len().div_ceil(PAGE_ROWS));
                    for (page, place) in places.iter().enumerate() {
                        let start = rows.start + place.first_row_index as usize;
                        let (least, greatest, nulls) = bounds(start..rows.end.min(start + PAGE_ROWS));
                        assert_eq!(index.null_count(page), Some(nulls as i64));
                        assert_eq!(index.is_null_page(page), least.is_none());
                        let (min, max) = match index {
                            ColumnIndexMetaData::INT32(index) => (
                                index.min_value(page).map(|v| v.to_le_bytes().to_vec()),
                                index.max_value(page).map(|v| v.to_le_bytes().to_vec()),
                            ),
                            ColumnIndexMetaData::INT64(index) => (
                                index.min_value(page).map(|v| v.to_le_bytes().to_vec()),
                                index.max_value(page).map(|v| v.to_le_bytes().to_vec()),
                            ),
                            ColumnIndexMetaData::BYTE_ARRAY(index) => (
                                index.min_value(page).map(<[u8]>::to_vec),
                                index.max_value(page).map(<[u8]>::to_vec),
                            ),
                            other => panic!("{other:?}"),
                        };
                        assert_eq!((min, max), (least, greatest), "group {g}, column {leaf}, page {page}");
                    }
                }
            }
        }
    }

    /// An element as statistics have it.
    fn bytes_at(column: &Column, row: usize) -> Vec<u8> {
        let view = column.view().unwrap();
        match column.data_type() {
            DataType::String => view.strings().unwrap().bytes(row).to_vec(),
            DataType::Int64 => view.values::<i64>().unwrap()[row].to_le_bytes().to_vec(),
            DataType::Int16 => i32::from(view.values::<i16>().unwrap()[row]).to_le_bytes().to_vec(),
            _ => view.values::<u32>().unwrap()[row].to_le_bytes().to_vec(),
        }
    }

    /// What orders such bytes.
    fn order_of(column: &Column, bytes: &[u8]) -> (i64, Vec<u8>) {
        match column.data_type() {
            DataType::String => (0, bytes.to_vec()),
            DataType::UInt32 => (u32::from_le_bytes(bytes.try_into().unwrap()).into(), Vec::new()),
            _ if bytes.len() == 4 => (i32::from_le_bytes(bytes.try_into().unwrap()).into(), Vec::new()),
            _ => (i64::from_le_bytes(bytes.try_into().unwrap()), Vec::new()),
        }
    }
}
