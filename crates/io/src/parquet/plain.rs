//! Column chunks of plain integers of eight bytes: pages of values as they are in memory.

use bytemuck::Pod;
use bytes::Bytes;
use cuprum_column::{Column, DataType, Native, Result as OwnResult};
use parquet::basic::{Compression as Codec, Encoding, Type};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::codes::{Bounds, Layout, PAGE_ROWS, bit_packed, pack, repeated, statistics};
use super::{Statistics, words};

/// Whether columns of a type can be written in this way.
pub(super) fn is_of(data_type: DataType, column: &ColumnDescPtr, how: &Layout) -> bool {
    let is_whole = data_type.is_integer() || data_type.is_timestamp() || data_type.is_duration();
    is_whole
        && data_type.size() == Some(8)
        && column.physical_type() == Type::INT64
        && (column.max_def_level(), column.max_rep_level()) == (1, 0)
        && matches!(how.codec, Codec::SNAPPY | Codec::UNCOMPRESSED)
        && how.bloom.is_none()
}

/// The column chunk of the rows, and what the file says of it.
pub(super) fn chunk(
    rows: &Column,
    column: &ColumnDescPtr,
    wanted: Statistics,
    how: &Layout,
) -> OwnResult<Result<(Bytes, ColumnCloseResult)>> {
    let view = rows.view()?;
    let validity = view.validity();
    let is_valid = |row: usize| validity.is_none_or(|bits| bits.get(row));
    let has_nulls = rows.null_count() > 0;
    Ok(match rows.data_type() {
        DataType::UInt64 => of(view.values::<u64>()?, has_nulls, is_valid, column, wanted, how),
        _ => of(view.values::<i64>()?, has_nulls, is_valid, column, wanted, how),
    })
}

fn of<T: Native + Pod + Ord>(
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
            present.clear();
            present.extend((start..).zip(own).filter(|(row, _)| is_valid(*row)).map(|(_, value)| *value));
            &present[..]
        } else {
            own
        };
        let levels = if there.len() == own.len() {
            repeated(1, own.len())
        } else {
            bit_packed(own.len(), 1, |row| u32::from(is_valid(start + row)))
        };
        body.clear();
        body.extend((levels.len() as u32).to_le_bytes());
        body.extend(levels);
        let first = body.len();
        body.extend_from_slice(bytemuck::cast_slice(there));
        if how.codec == Codec::SNAPPY {
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
                all = Some((first.min(least), last.max(greatest)));
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
        column_index: if wanted == Statistics::Page { Some(bounds.build()?) } else { None },
        offset_index: Some(pages.build()),
    };
    Ok((bytes, close))
}

/// `low`, where packing words makes about as much of a page as `snap` does.
fn worth(body: &[u8], first: usize, low: usize) -> Result<Option<usize>> {
    let (own, other) = (words::pack(body, first, low).len(), pack(body, Codec::SNAPPY)?.len());
    Ok((own <= other + other / 16).then_some(low))
}

fn least_and_greatest<T: Copy + Ord>(values: &[T]) -> Option<(T, T)> {
    let (&first, rest) = values.split_first()?;
    let (mut least, mut greatest) = (first, first);
    for &value in rest {
        least = least.min(value);
        greatest = greatest.max(value);
    }
    Some((least, greatest))
}

#[cfg(test)]
mod tests {
    use cuprum_column::{Column, Context, DataType, Table, TimeUnit};
    use cuprum_testing::{Random, assert_column_eq};
    use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
    use parquet::file::page_index::column_index::ColumnIndexMetaData;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::serialized_reader::ReadOptionsBuilder;

    use crate::parquet::{
        ColumnOptions, Encoding, ReadOptions, Statistics, WriteOptions, read_parquet, write_parquet,
    };
    use crate::source::Source;

    /// What the `parquet` crate writes where it is told to write plain values.
    #[test]
    fn chunks_are_described_as_the_crate_does() {
        let ctx = Context::current();
        let rows = 100_000;
        let value = |i: usize| {
            Random(i as u64).below(1_000_000_000) as i64 - 500_000 + (i / 30_000) as i64 * 2_000_000
        };
        let is_there = |i: usize| !i.is_multiple_of(3) && !(50_000..75_000).contains(&i);
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
                    ColumnIndexMetaData::INT64(index) => {
                        let pages = || 0..index.num_pages() as usize;
                        let least: Vec<_> = pages().filter_map(|page| index.min_value(page)).collect();
                        let greatest: Vec<_> = pages().filter_map(|page| index.max_value(page)).collect();
                        let missing: i64 = pages().filter_map(|page| index.null_count(page)).sum();
                        if missing > 0 {
                            return format!("{:?} {:?} {missing}", least.iter().min(), greatest.iter().max());
                        }
                        format!("{least:?} {greatest:?} {:?}", column.get_boundary_order())
                    }
                    _ => "none".to_owned(),
                };
                of.column_index().into_iter().flatten().flatten().map(one).collect()
            };
            assert_eq!(bounds(&own), bounds(&expected));
            let places = |of: &ParquetMetaData| -> Vec<Vec<i64>> {
                let without_nulls = [0, 2, 3];
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
