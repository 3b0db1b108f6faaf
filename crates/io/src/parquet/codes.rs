//! Column chunks of dictionary codes: a page of the dictionary, and pages of codes.
//!
//! The `parquet` crate looks every value up in a hash table of its own and packs codes one call at a time; see
//! [`numbered`](super::numbered) for ours.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, make_array};
use arrow_cast::cast;
use arrow_schema::DataType as ArrowType;
use bytes::Bytes;
use parquet::basic::{BoundaryOrder, Compression as Codec, Encoding, Type};
use parquet::bloom_filter::Sbbf;
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::statistics::Statistics as ChunkStatistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::{Bloom, Statistics};

/// Rows of a page of values, as the `parquet` crate has them.
pub(super) const PAGE_ROWS: usize = 20_000;

/// The layout of the pages of a chunk.
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
    /// The start and the end of each in `plain`; texts are behind their lengths.
    places: Vec<(usize, usize)>,
}

impl Dictionary {
    /// A dictionary of plain values, and the place of each of them.
    pub(super) fn new(plain: Vec<u8>, places: Vec<(usize, usize)>) -> Self {
        Self { plain: plain.into(), places }
    }

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
        Some(Self::new(plain, places))
    }

    fn of_texts(values: &ArrayRef) -> Option<Self> {
        let texts = cast(values, &ArrowType::LargeUtf8).ok()?;
        let (mut plain, mut places) = (Vec::new(), Vec::with_capacity(values.len()));
        for text in texts.as_string::<i64>().iter().flatten() {
            plain.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
            places.push((plain.len(), plain.len() + text.len()));
            plain.extend(text.as_bytes());
        }
        Some(Self::new(plain, places))
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

    /// The bytes of a value.
    pub(super) fn value(&self, code: u32) -> &[u8] {
        let (start, end) = self.places[code as usize];
        &self.plain[start..end]
    }
}

/// Values as they are stored in little-endian words of `T`.
fn bytes_of<T: ArrowPrimitiveType>(values: &ArrayRef) -> Option<Vec<u8>> {
    let wide = match values.data_type() {
        // The integers of a type of times.
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
    /// The ranking of `len` codes by the keys of their values.
    pub(super) fn of<K: Copy + Ord>(len: usize, key: impl Fn(usize) -> K) -> Self {
        let mut order: Vec<(K, u32)> = (0..len).map(|code| (key(code), code as u32)).collect();
        order.sort_unstable();
        Self::of_codes(order.into_iter().map(|(_, code)| code).collect())
    }

    /// The ranking of bytes; most differ in the eight of them behind their common prefix.
    pub(super) fn of_bytes(dictionary: &Dictionary) -> Self {
        let len = dictionary.places.len() as u32;
        let first = if len == 0 { &[] } else { dictionary.value(0) };
        let equal = |code| first.iter().zip(dictionary.value(code)).take_while(|(a, b)| a == b).count();
        let common = (0..len).map(equal).min().unwrap_or(0);
        let head = |code| {
            let rest = &dictionary.value(code)[common..];
            let mut head = [0; 8];
            head[..rest.len().min(8)].copy_from_slice(&rest[..rest.len().min(8)]);
            u64::from_be_bytes(head)
        };
        let mut order: Vec<(u64, u32)> = (0..len).map(|code| (head(code), code)).collect();
        order.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| dictionary.value(a.1).cmp(dictionary.value(b.1)))
        });
        Self::of_codes(order.into_iter().map(|(_, code)| code).collect())
    }

    #[cfg(test)]
    pub(super) fn codes(&self) -> &[u32] {
        &self.codes
    }

    fn of_codes(codes: Vec<u32>) -> Self {
        let mut places = vec![0; codes.len()];
        for (place, &code) in codes.iter().enumerate() {
            places[code as usize] = place as u32;
        }
        Self { codes, places }
    }
}

/// The column chunk of codes, −1 for missing values, in pages of `page_rows`, and its metadata: with
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
    // The offset of a page, and its length.
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
    let (mut present, mut body) = (Vec::new(), Vec::new());
    for rows in codes.chunks(page_rows) {
        let mut signs = 0;
        for &code in rows {
            signs |= code;
        }
        let present = if signs >= 0 {
            rows
        } else {
            present.resize(rows.len(), 0);
            let mut taken = 0;
            for &code in rows {
                present[taken] = code;
                taken += usize::from(code >= 0);
            }
            &present[..taken]
        };
        body.clear();
        put_levels(&mut body, rows.len(), present.len() < rows.len(), |row| rows[row] >= 0);
        body.push(width as u8);
        put_packed(&mut body, present.len(), width, |i| present[i] as u32);
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
        if let Some((ranking, wanted)) = ranking {
            let missing = rows.len() - present.len();
            if wanted != Statistics::Page {
                bounds.missing += missing;
                continue;
            }
            let (mut least, mut greatest) = (u32::MAX, 0);
            for &code in present {
                let place = ranking.places[code as usize];
                least = least.min(place);
                greatest = greatest.max(place);
            }
            let found = (!present.is_empty()).then_some((least, greatest));
            let value = |place: u32| dictionary.value(ranking.codes[place as usize]).to_vec();
            bounds.add(found, value, missing);
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
            Some((_, Statistics::Page)) => bounds.build()?,
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
    /// The bounds of the last page that has any.
    last: Option<(K, K)>,
    ascending: bool,
    descending: bool,
    /// Missing values of all pages.
    missing: usize,
    /// Whether some page has values that nothing bounds.
    is_lost: bool,
}

impl<K: Copy + PartialOrd> Bounds<K> {
    pub(super) fn new(physical: Type) -> Self {
        let index = ColumnIndexBuilder::new(physical);
        Self { index, last: None, ascending: true, descending: true, missing: 0, is_lost: false }
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

    /// Some page has values, all of which are NaN: there is no index then.
    pub(super) fn lose(&mut self) {
        self.is_lost = true;
    }

    pub(super) fn build(mut self) -> Result<Option<ColumnIndexMetaData>> {
        if self.is_lost {
            return Ok(None);
        }
        self.index.set_boundary_order(match (self.ascending, self.descending) {
            (true, _) => BoundaryOrder::ASCENDING,
            (_, true) => BoundaryOrder::DESCENDING,
            _ => BoundaryOrder::UNORDERED,
        });
        self.index.build().map(Some)
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
        Type::FLOAT => {
            let [least, greatest] = [least, greatest].map(|b| word(b).map(f32::from_le_bytes));
            ChunkStatistics::float(least, greatest, None, missing, false)
        }
        Type::DOUBLE => {
            let [least, greatest] = [least, greatest].map(|b| word(b).map(f64::from_le_bytes));
            ChunkStatistics::double(least, greatest, None, missing, false)
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

/// Puts the levels of so many rows down, as a page has them before its values.
pub(super) fn put_levels(out: &mut Vec<u8>, rows: usize, has_nulls: bool, is_valid: impl Fn(usize) -> bool) {
    let start = out.len();
    out.extend([0; 4]);
    if has_nulls {
        put_packed(out, rows, 1, |row| u32::from(is_valid(row)));
    } else {
        put_repeated(out, 1, rows);
    }
    let len = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&len.to_le_bytes());
}

/// Puts one value of a byte `len` times, in the hybrid encoding.
fn put_repeated(out: &mut Vec<u8>, value: u8, len: usize) {
    put_header(out, len << 1);
    out.push(value);
}

/// Puts values of `width` bits, at most 32, as one run of packed ones, in the hybrid encoding.
#[inline(always)]
fn put_packed(out: &mut Vec<u8>, len: usize, width: usize, value: impl Fn(usize) -> u32) {
    let groups = len.div_ceil(8);
    put_header(out, groups << 1 | 1);
    let start = out.len();
    let end = start + groups * width;
    // A group is written with what is behind it.
    out.resize(end + 16, 0);
    let whole = if width <= 16 { len / 8 } else { 0 };
    for group in 0..whole {
        let at = |i: usize| u64::from(value(8 * group + i)) << (i % 4 * width);
        let (low, high) = (at(0) | at(1) | at(2) | at(3), at(4) | at(5) | at(6) | at(7));
        let word = u128::from(low) | u128::from(high) << (4 * width);
        let place = start + group * width;
        out[place..place + 16].copy_from_slice(&word.to_le_bytes());
    }
    let (mut word, mut bits, mut place) = (0u64, 0, start + whole * width);
    for i in 8 * whole..len {
        word |= u64::from(value(i)) << bits;
        bits += width;
        while bits >= 8 {
            out[place] = word as u8;
            word >>= 8;
            bits -= 8;
            place += 1;
        }
    }
    out[place] = word as u8;
    out[place + 1..].fill(0);
    out.truncate(end);
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
    use cuprum_column::{Column, Context, DataType, Table};
    use cuprum_testing::{Random, assert_column_eq};
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
                let mut packed = Vec::new();
                put_packed(&mut packed, len, width, |i| values[i]);
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
            let mut packed = Vec::new();
            put_repeated(&mut packed, 1, len);
            Hybrid::new(&packed, 1).unwrap().fill(&mut out).unwrap();
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

    /// The key of such bytes in the order.
    fn order_of(column: &Column, bytes: &[u8]) -> (i64, Vec<u8>) {
        match column.data_type() {
            DataType::String => (0, bytes.to_vec()),
            DataType::UInt32 => (u32::from_le_bytes(bytes.try_into().unwrap()).into(), Vec::new()),
            _ if bytes.len() == 4 => (i32::from_le_bytes(bytes.try_into().unwrap()).into(), Vec::new()),
            _ => (i64::from_le_bytes(bytes.try_into().unwrap()), Vec::new()),
        }
    }
}
