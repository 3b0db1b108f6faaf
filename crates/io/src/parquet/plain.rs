//! Column chunks of plain numbers of four and eight bytes: pages of values as they are in memory.

use bytemuck::Pod;
use bytes::Bytes;
use cuprum_column::{Column, DataType, Error, Native, Result as OwnResult, dispatch_storage};
use parquet::basic::{Compression as Codec, Encoding, Type};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::codes::{Bounds, Layout, PAGE_ROWS, pack, put_levels, statistics};
use super::{Statistics, words};

/// Whether columns of a type can be written in this way.
pub(super) fn is_of(data_type: DataType, column: &ColumnDescPtr, how: &Layout) -> bool {
    let physical = match (data_type.is_float(), data_type.size()) {
        (false, Some(4)) => Type::INT32,
        (false, Some(8)) => Type::INT64,
        (true, Some(4)) => Type::FLOAT,
        (true, Some(8)) => Type::DOUBLE,
        _ => return false,
    };
    let is_number = data_type.is_numeric() || data_type.is_timestamp() || data_type.is_duration();
    is_number
        && column.physical_type() == physical
        && (column.max_def_level(), column.max_rep_level()) == (1, 0)
        && matches!(how.codec, Codec::SNAPPY | Codec::UNCOMPRESSED)
        && how.bloom.is_none()
}

/// The column chunk of the rows, and its metadata.
pub(super) fn chunk(
    rows: &Column,
    column: &ColumnDescPtr,
    wanted: Statistics,
    how: &Layout,
) -> OwnResult<Result<(Bytes, ColumnCloseResult)>> {
    let view = rows.view()?;
    let validity = view.validity();
    let is_valid = |row: usize| validity.is_none_or(|bits| bits.get(row));
    let has_nulls = rows.has_nulls();
    dispatch_storage!(
        rows.data_type(),
        T => Ok(of(view.values::<T>()?, has_nulls, is_valid, column, wanted, how)),
        else => Err(Error::logic(format!("{} is no plain number", rows.data_type())))
    )
}

fn of<T: Native + Pod + PartialOrd>(
    values: &[T],
    has_nulls: bool,
    is_valid: impl Fn(usize) -> bool,
    column: &ColumnDescPtr,
    wanted: Statistics,
    how: &Layout,
) -> Result<(Bytes, ColumnCloseResult)> {
    let in_bytes = how.page_bytes.map_or(usize::MAX, |bytes| bytes / size_of::<T>());
    let page_rows = PAGE_ROWS.min(how.page_rows.unwrap_or(usize::MAX)).min(in_bytes).max(1);
    let mut out = TrackedWrite::new(Vec::with_capacity(size_of_val(values) * 3 / 4));
    let mut writer = SerializedPageWriter::new(&mut out);
    let mut pages = OffsetIndexBuilder::new();
    let mut bounds = Bounds::new(column.physical_type());
    let (mut unpacked, mut seen, mut low, mut all) = (0, None, None, None::<(T, T)>);
    let (mut body, mut present) = (Vec::new(), Vec::new());
    for start in (0..values.len()).step_by(page_rows) {
        let own = &values[start..values.len().min(start + page_rows)];
        let there = if has_nulls {
            present.resize(own.len(), T::from_i64(0));
            let mut taken = 0;
            for (i, &value) in own.iter().enumerate() {
                present[taken] = value;
                taken += usize::from(is_valid(start + i));
            }
            &present[..taken]
        } else {
            own
        };
        body.clear();
        put_levels(&mut body, own.len(), there.len() < own.len(), |row| is_valid(start + row));
        let first = body.len();
        body.extend_from_slice(bytemuck::cast_slice(there));
        if how.codec == Codec::SNAPPY && size_of::<T>() == words::WORD {
            let found = words::low_bytes(&body, first);
            // Pages are alike, mostly.
            if seen != Some(found) {
                seen = Some(found);
                low = found.map(|low| worth(&body, first, low)).transpose()?.flatten();
            }
        }
        let packed = match low {
            Some(low) => words::pack(&body, first, low),
            None => pack(&body, how.codec)?,
        };
        let num_values = own.len() as u32;
        let page = Page::DataPage {
            buf: packed.into(),
            num_values,
            encoding: Encoding::PLAIN,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let spec = writer.write_page(CompressedPage::new(page, body.len()))?;
        unpacked += spec.uncompressed_size;
        pages.append_row_count(i64::from(num_values));
        pages.append_offset_and_size(spec.offset as i64, i32::try_from(spec.bytes_written)?);
        if wanted != Statistics::None {
            let found = least_and_greatest(there);
            if let Some((least, greatest)) = found {
                let (first, last) = all.unwrap_or((least, greatest));
                all = Some((
                    if least < first { least } else { first },
                    if greatest > last { greatest } else { last },
                ));
            }
            if found.is_none() && !there.is_empty() {
                bounds.lose();
            }
            bounds.add(found, |value| bytemuck::bytes_of(&value).to_vec(), own.len() - there.len());
        }
    }
    writer.close()?;
    let bytes = Bytes::from(out.into_inner()?);
    let mut metadata = ColumnChunkMetaData::builder(column.clone())
        .set_compression(how.codec)
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE])
        .set_num_values(values.len() as i64)
        .set_total_compressed_size(bytes.len() as i64)
        .set_total_uncompressed_size(unpacked as i64)
        .set_data_page_offset(0);
    if wanted != Statistics::None {
        let least = all.as_ref().map(|(least, _)| bytemuck::bytes_of(least));
        let greatest = all.as_ref().map(|(_, greatest)| bytemuck::bytes_of(greatest));
        metadata = metadata.set_statistics(statistics(column, least, greatest, bounds.missing()));
    }
    let close = ColumnCloseResult {
        bytes_written: bytes.len() as u64,
        rows_written: values.len() as u64,
        metadata: metadata.build()?,
        bloom_filter: None,
        column_index: if wanted == Statistics::Page { bounds.build()? } else { None },
        offset_index: Some(pages.build()),
    };
    Ok((bytes, close))
}

/// `low`, where packing words makes about as much of a page as `snap` does.
fn worth(body: &[u8], first: usize, low: usize) -> Result<Option<usize>> {
    let (own, other) = (words::pack(body, first, low).len(), pack(body, Codec::SNAPPY)?.len());
    Ok((own <= other + other / 16).then_some(low))
}

/// The bounds of the values that are no NaN, as the format wants them: a zero that is the least is negative, one that is
/// the greatest positive.
fn least_and_greatest<T: Native + PartialOrd>(values: &[T]) -> Option<(T, T)> {
    /// So many are compared at once.
    const LANES: usize = 8;
    let first = *values.iter().find(|value| !value.is_nan())?;
    let (mut least, mut greatest) = ([first; LANES], [first; LANES]);
    let mut add = |i: usize, value: T| {
        // Nothing is less or greater than a NaN.
        least[i] = if value < least[i] { value } else { least[i] };
        greatest[i] = if value > greatest[i] { value } else { greatest[i] };
    };
    let (blocks, rest) = values.as_chunks::<LANES>();
    for block in blocks {
        for (i, &value) in block.iter().enumerate() {
            add(i, value);
        }
    }
    for &value in rest {
        add(0, value);
    }
    let least = least.into_iter().reduce(|a, b| if b < a { b } else { a })?;
    let greatest = greatest.into_iter().reduce(|a, b| if b > a { b } else { a })?;
    let zero = T::from_i64(0);
    let least = if T::IS_FLOAT && least == zero { T::from_f64(-0.0) } else { least };
    let greatest = if T::IS_FLOAT && greatest == zero { zero } else { greatest };
    Some((least, greatest))
}

#[cfg(test)]
mod tests {
    use cuprum_column::{Column, Context, DataType, Table, TimeUnit};
    use cuprum_testing::{Random, assert_column_eq};
    use parquet::basic::BoundaryOrder;
    use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
    use parquet::file::page_index::column_index::{ColumnIndexMetaData, PrimitiveColumnIndex};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::serialized_reader::ReadOptionsBuilder;

    use crate::parquet::{
        ColumnOptions, Encoding, ReadOptions, Statistics, WriteOptions, read_parquet, write_parquet,
    };
    use crate::source::Source;

    /// The bounds of pages and their order; of those with nulls the bounds of all.
    fn described<T: PartialOrd + std::fmt::Debug + Copy>(
        index: &PrimitiveColumnIndex<T>,
        order: Option<BoundaryOrder>,
    ) -> String {
        let pages = || 0..index.num_pages() as usize;
        let least: Vec<T> = pages().filter_map(|page| index.min_value(page)).copied().collect();
        let greatest: Vec<T> = pages().filter_map(|page| index.max_value(page)).copied().collect();
        let missing: i64 = pages().filter_map(|page| index.null_count(page)).sum();
        if missing > 0 {
            let least = least.into_iter().reduce(|a, b| if b < a { b } else { a });
            let greatest = greatest.into_iter().reduce(|a, b| if b > a { b } else { a });
            return format!("{least:?} {greatest:?} {missing}");
        }
        format!("{least:?} {greatest:?} {order:?}")
    }

    /// The chunk that the `parquet` crate writes with the encoding PLAIN.
    #[test]
    fn chunks_are_described_as_the_crate_does() {
        let ctx = Context::current();
        let rows = 100_000;
        let value = |i: usize| {
            Random(i as u64).below(1_000_000_000) as i64 - 500_000 + (i / 30_000) as i64 * 2_000_000
        };
        let is_there = |i: usize| !i.is_multiple_of(3) && !(50_000..75_000).contains(&i);
        // No two NaN are alike, so that no dictionary pays.
        let float = |i: usize| match i {
            45_000..90_000 => f64::from_bits(f64::NAN.to_bits() | (i as u64) << 29),
            _ if i.is_multiple_of(397) => f64::NAN,
            _ => value(i) as f64 / 3.0,
        };
        // Nothing is less than 0, or greater.
        let zero = |i: usize| match [1e-3, -1e-3][i / 50_000] {
            sign if i.is_multiple_of(397) => 0.0 * sign,
            sign => (value(i).unsigned_abs() + 1) as f64 * sign,
        };
        let small: Vec<i64> = (0..rows).map(|i| value(i) % 900_000).collect();
        let some: Vec<Option<i64>> = (0..rows).map(|i| is_there(i).then(|| value(i))).collect();
        let natural: Vec<u64> = (0..rows).map(|i| (value(i) as u64).wrapping_mul(1 << 40)).collect();
        let columns = vec![
            Column::from_slice(&small, &ctx).unwrap(),
            Column::from_options(&some, &ctx).unwrap(),
            Column::from_slice(&natural, &ctx).unwrap(),
            Column::from_slice(&(0..rows as i64).collect::<Vec<_>>(), &ctx).unwrap(),
            Column::from_options(&some, &ctx)
                .unwrap()
                .bit_cast(DataType::Timestamp(TimeUnit::Microseconds))
                .unwrap(),
            // Floats with NaN, some pages of nothing else, and zeros of both signs.
            Column::from_slice(&(0..rows).map(float).collect::<Vec<f64>>(), &ctx).unwrap(),
            Column::from_slice(&(0..rows).map(|i| float(i) as f32).collect::<Vec<_>>(), &ctx).unwrap(),
            Column::from_slice(&(0..rows).map(zero).collect::<Vec<f64>>(), &ctx).unwrap(),
            Column::from_options(
                &(0..rows).map(|i| is_there(i).then(|| zero(i) as f32)).collect::<Vec<_>>(),
                &ctx,
            )
            .unwrap(),
            Column::from_slice(&(0..rows).map(|i| value(i) as i32).collect::<Vec<_>>(), &ctx).unwrap(),
            Column::from_slice(&(0..rows).map(|i| value(i) as u32).collect::<Vec<_>>(), &ctx).unwrap(),
        ];
        let table = Table::new(columns).unwrap();
        let names: Vec<String> = (0..table.num_columns()).map(|i| i.to_string()).collect();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        let plain = ColumnOptions { encoding: Some(Encoding::Plain), ..ColumnOptions::default() };
        for (statistics, page_rows) in [
            (Statistics::Page, None),
            (Statistics::None, None),
            (Statistics::RowGroup, None),
            (Statistics::Page, Some(1000)),
        ] {
            let own =
                WriteOptions { row_group_rows: 45_000, statistics, page_rows, ..WriteOptions::default() };
            let crates = WriteOptions {
                columns: names.iter().map(|name| (name.clone(), plain.clone())).collect(),
                ..own.clone()
            };
            let written = |options: &WriteOptions| -> ParquetMetaData {
                write_parquet(&table, &names, &path, options, &ctx).unwrap();
                let content =
                    read_parquet(&Source::from(path.as_path()), &ReadOptions::default(), &ctx).unwrap();
                for (actual, expected) in content.data.table.columns().iter().zip(table.columns()) {
                    assert_column_eq(actual, expected);
                }
                let options = ReadOptionsBuilder::new().with_page_index().build();
                let file = std::fs::File::open(&path).unwrap();
                SerializedFileReader::new_with_options(file, options).unwrap().metadata().clone()
            };
            let (own, expected) = (written(&own), written(&crates));
            assert_eq!(own.num_row_groups(), expected.num_row_groups());
            for (group, other) in own.row_groups().iter().zip(expected.row_groups()) {
                for (chunk, other) in group.columns().iter().zip(other.columns()) {
                    let bounds = |chunk: &ColumnChunkMetaData| {
                        chunk.statistics().map(|found| {
                            let [least, greatest] = [found.min_bytes_opt(), found.max_bytes_opt()];
                            (least.map(<[u8]>::to_vec), greatest.map(<[u8]>::to_vec), found.null_count_opt())
                        })
                    };
                    assert_eq!(bounds(chunk), bounds(other));
                    assert_eq!(chunk.num_values(), other.num_values());
                    assert_eq!(chunk.dictionary_page_offset(), None);
                }
            }
            // Of each page the bounds, and how they are ordered; of columns with nulls, whose pages the crate ends
            // elsewhere, those of all pages and what is missing.
            let bounds = |of: &ParquetMetaData| -> Vec<String> {
                let one = |column: &ColumnIndexMetaData| match column {
                    ColumnIndexMetaData::INT64(index) => described(index, column.get_boundary_order()),
                    ColumnIndexMetaData::INT32(index) => described(index, column.get_boundary_order()),
                    ColumnIndexMetaData::DOUBLE(index) => described(index, column.get_boundary_order()),
                    ColumnIndexMetaData::FLOAT(index) => described(index, column.get_boundary_order()),
                    _ => "none".to_owned(),
                };
                of.column_index().into_iter().flatten().flatten().map(one).collect()
            };
            assert_eq!(bounds(&own), bounds(&expected));
            let places = |of: &ParquetMetaData| -> Vec<Vec<i64>> {
                let without_nulls = [0, 2, 3, 5, 6, 7, 9, 10];
                let groups = of.offset_index().into_iter().flatten();
                let chunks = groups.flat_map(|group| without_nulls.map(|leaf| &group[leaf]));
                let rows = chunks.map(|places| {
                    places.page_locations().iter().map(|place| place.first_row_index).collect()
                });
                rows.collect()
            };
            assert_eq!(places(&own), places(&expected));
            assert!(statistics != Statistics::Page || !places(&own).is_empty());
        }
    }
}
