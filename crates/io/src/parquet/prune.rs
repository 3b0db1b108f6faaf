//! The row groups and rows that a filter leaves to be decoded: those that statistics, page index and bloom
//! filters do not rule out.
//!
//! All of these may be missing, cut short or of kinds that say nothing: then nothing is ruled out by them.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal128Type, Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType as ArrowType, Field};
use parquet::arrow::arrow_reader::RowSelection;
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use parquet::basic::{ConvertedType, LogicalType, SortOrder, TimeUnit as FileUnit, Type};
use parquet::bloom_filter::Sbbf;
use parquet::data_type::ByteArray;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};

use super::input::Input;
use crate::bounds::{Key, Known};
use crate::filter::{Bound, BoundCondition, Kind, Operator, Test};

/// A column that statistics can be asked about.
pub(super) struct Leaf {
    /// Its number among those that have values.
    pub(super) number: usize,
    /// The type that statistics are read as.
    field: Field,
    /// Whether minima and maxima in the fields of old are in the order of the column.
    signed: bool,
}

impl Leaf {
    /// `None` where statistics of the file are not in the order of what the column holds.
    pub(super) fn of(
        schema: &SchemaDescriptor,
        number: usize,
        kind: Kind,
        arrow: &ArrowType,
    ) -> Option<Self> {
        let column = schema.column(number);
        if column.path().parts().len() > 1 || column.max_rep_level() > 0 {
            return None;
        }
        let arrow = match arrow {
            ArrowType::Dictionary(_, values) => values.as_ref(),
            other => other,
        };
        let unsigned = column.sort_order() == SortOrder::UNSIGNED;
        let read_as = match (kind, column.physical_type()) {
            (Kind::Int, Type::INT32 | Type::INT64) if unsigned != arrow.is_unsigned_integer() => return None,
            (Kind::Int, Type::INT32) if unsigned => ArrowType::UInt32,
            (Kind::Int, Type::INT64) if unsigned => ArrowType::UInt64,
            (Kind::Int, Type::INT32) => ArrowType::Int32,
            (Kind::Int | Kind::Duration { .. }, Type::INT64) => ArrowType::Int64,
            (Kind::Bool, Type::BOOLEAN) => ArrowType::Boolean,
            (Kind::Float { .. }, Type::FLOAT) => ArrowType::Float32,
            (Kind::Float { .. }, Type::DOUBLE) => ArrowType::Float64,
            (Kind::Text | Kind::Binary, Type::BYTE_ARRAY) if unsigned => ArrowType::Binary,
            (Kind::Time { nanoseconds, .. }, physical) if unit(&column) == Some(nanoseconds) => {
                if physical == Type::INT32 { ArrowType::Int32 } else { ArrowType::Int64 }
            }
            (Kind::Decimal { scale }, physical) if scale == column.type_scale() => match physical {
                Type::INT32 => ArrowType::Int32,
                Type::INT64 => ArrowType::Int64,
                Type::FIXED_LEN_BYTE_ARRAY if (1..=16).contains(&column.type_length()) => {
                    ArrowType::Decimal128(38, i8::try_from(scale).ok()?)
                }
                _ => return None,
            },
            _ => return None,
        };
        let signed = matches!(read_as, ArrowType::Int32 | ArrowType::Int64 | ArrowType::Boolean);
        Some(Self { number, field: Field::new(column.name(), read_as, true), signed })
    }
}

/// The nanoseconds that times of a column are stored in.
fn unit(column: &ColumnDescriptor) -> Option<i128> {
    let of = |unit: &FileUnit| match unit {
        FileUnit::MILLIS => 1_000_000,
        FileUnit::MICROS => 1_000,
        FileUnit::NANOS => 1,
    };
    match (column.physical_type(), column.logical_type_ref(), column.converted_type()) {
        (Type::INT32, Some(LogicalType::Date), _) | (Type::INT32, None, ConvertedType::DATE) => {
            Some(86_400_000_000_000)
        }
        (Type::INT64, Some(LogicalType::Timestamp(timestamp)), _) => Some(of(&timestamp.unit)),
        (Type::INT64, None, ConvertedType::TIMESTAMP_MILLIS) => Some(1_000_000),
        (Type::INT64, None, ConvertedType::TIMESTAMP_MICROS) => Some(1_000),
        _ => None,
    }
}

/// Values of statistics; `None` where there are none.
fn keys(array: &ArrayRef) -> Option<Vec<Option<Key>>> {
    macro_rules! whole {
        ($t:ty) => {
            array.as_primitive_opt::<$t>()?.iter().map(|v| Some(Key::Whole(i128::from(v?)))).collect()
        };
    }
    Some(match array.data_type() {
        ArrowType::Int32 => whole!(Int32Type),
        ArrowType::Int64 => whole!(Int64Type),
        ArrowType::UInt32 => whole!(UInt32Type),
        ArrowType::UInt64 => whole!(UInt64Type),
        ArrowType::Decimal128(..) => whole!(Decimal128Type),
        ArrowType::Boolean => {
            array.as_boolean_opt()?.iter().map(|v| Some(Key::Whole(i128::from(v?)))).collect()
        }
        ArrowType::Float32 => {
            array.as_primitive_opt::<Float32Type>()?.iter().map(|v| Some(Key::Float(v?.into()))).collect()
        }
        ArrowType::Float64 => {
            array.as_primitive_opt::<Float64Type>()?.iter().map(|v| Some(Key::Float(v?))).collect()
        }
        ArrowType::Binary => {
            array.as_binary_opt::<i32>()?.iter().map(|v| Some(Key::Bytes(v?.to_vec()))).collect()
        }
        _ => return None,
    })
}

/// A file that is pruned.
pub(super) struct Pruned<'a> {
    pub(super) input: &'a Input,
    pub(super) metadata: &'a ParquetMetaData,
    pub(super) filter: &'a Bound,
    /// The column of each condition, where it has statistics.
    pub(super) leaves: &'a [Vec<Option<Leaf>>],
}

impl Pruned<'_> {
    fn schema(&self) -> &SchemaDescriptor {
        self.metadata.file_metadata().schema_descr()
    }

    /// Whether rows of a group can meet all conditions of one of the lists, by `may` of each.
    fn any_list(&self, may: impl Fn(&BoundCondition, &Leaf) -> bool) -> bool {
        self.filter.0.iter().zip(self.leaves).any(|(all, leaves)| {
            all.iter()
                .zip(leaves)
                .all(|(condition, leaf)| leaf.as_ref().is_none_or(|leaf| may(condition, leaf)))
        })
    }

    /// Whether the statistics of a row group leave rows to be found.
    pub(super) fn group(&self, number: usize) -> bool {
        let group = self.metadata.row_group(number);
        self.any_list(|condition, leaf| self.group_condition(condition, leaf, group).unwrap_or(true))
    }

    fn group_condition(
        &self,
        condition: &BoundCondition,
        leaf: &Leaf,
        group: &RowGroupMetaData,
    ) -> Option<bool> {
        let statistics = group.column(leaf.number).statistics()?;
        let converter =
            StatisticsConverter::from_column_index(leaf.number, &leaf.field, self.schema()).ok()?;
        let nulls = statistics.null_count_opt();
        let all_nulls = nulls.is_some_and(|nulls| i64::try_from(nulls) == Ok(group.num_rows()));
        let (mut least, mut greatest) = (None, None);
        // Minima and maxima of decimals that are cut are no numbers.
        let whole = statistics.min_is_exact() && statistics.max_is_exact();
        let readable = !matches!(leaf.field.data_type(), ArrowType::Decimal128(..)) || whole;
        if readable && (!statistics.is_min_max_deprecated() || leaf.signed) {
            least = keys(&converter.row_group_mins([group]).ok()?)?.pop()?;
            greatest = keys(&converter.row_group_maxes([group]).ok()?)?.pop()?;
        }
        let known = Known {
            least: least.as_ref(),
            greatest: greatest.as_ref(),
            no_nulls: nulls == Some(0) || column_has_no_nulls(self.schema(), leaf),
            all_nulls,
        };
        Some(condition.may_be_met(&known))
    }

    /// Whether the bloom filters of a row group leave rows to be found.
    pub(super) fn bloom(&self, number: usize) -> bool {
        let group = self.metadata.row_group(number);
        self.any_list(|condition, leaf| self.bloom_condition(condition, leaf, group).unwrap_or(true))
    }

    fn bloom_condition(
        &self,
        condition: &BoundCondition,
        leaf: &Leaf,
        group: &RowGroupMetaData,
    ) -> Option<bool> {
        let chunk = group.column(leaf.number);
        if condition.nulls || chunk.bloom_filter_offset().is_none() {
            return None;
        }
        let wanted = wanted(&condition.test, chunk.column_descr(), leaf)?;
        let filter = Sbbf::read_from_column_chunk(chunk, self.input).ok()??;
        if filter.num_blocks() == 0 {
            return None;
        }
        Some(wanted.iter().any(|value| filter.check(value)))
    }

    /// The runs of rows of a group that its page index leaves, ascending; `None` where that is no use.
    pub(super) fn pages(&self, number: usize) -> Option<Vec<Range<usize>>> {
        let rows = usize::try_from(self.metadata.row_group(number).num_rows()).ok()?;
        let mut any: Option<RowSelection> = None;
        for (all, leaves) in self.filter.0.iter().zip(self.leaves) {
            let mut list: Option<RowSelection> = None;
            for (condition, leaf) in all.iter().zip(leaves) {
                let pages =
                    leaf.as_ref().and_then(|leaf| self.pages_condition(condition, leaf, number, rows));
                let Some(pages) = pages else { continue };
                list = Some(list.map_or(pages.clone(), |list| list.intersection(&pages)));
            }
            // One list without an answer keeps every row.
            let list = list?;
            any = Some(any.map_or(list.clone(), |any| any.union(&list)));
        }
        let (mut row, mut runs) = (0, Vec::new());
        for selector in any?.iter() {
            if !selector.skip {
                runs.push(row..row + selector.row_count);
            }
            row += selector.row_count;
        }
        Some(runs)
    }

    fn pages_condition(
        &self,
        condition: &BoundCondition,
        leaf: &Leaf,
        number: usize,
        rows: usize,
    ) -> Option<RowSelection> {
        let (columns, offsets) = (self.metadata.column_index()?, self.metadata.offset_index()?);
        let index = columns.get(number)?.get(leaf.number)?;
        let places = offsets.get(number)?.get(leaf.number)?.page_locations();
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(places.len());
        for (page, place) in places.iter().enumerate() {
            let start = usize::try_from(place.first_row_index).ok()?;
            let end = match places.get(page + 1) {
                Some(next) => usize::try_from(next.first_row_index).ok()?,
                None => rows,
            };
            let follows = ranges.last().map_or(start == 0, |last| last.end == start);
            if !follows || start >= end {
                return None;
            }
            ranges.push(start..end);
        }
        if ranges.last()?.end != rows {
            return None;
        }
        let converter =
            StatisticsConverter::from_column_index(leaf.number, &leaf.field, self.schema()).ok()?;
        let least = keys(&converter.data_page_mins(columns, offsets, [&number]).ok()?)?;
        let greatest = keys(&converter.data_page_maxes(columns, offsets, [&number]).ok()?)?;
        if least.len() != ranges.len() || greatest.len() != ranges.len() {
            return None;
        }
        let no_nulls = column_has_no_nulls(self.schema(), leaf);
        let kept = ranges.into_iter().enumerate().filter(|(page, rows)| {
            let nulls = index.null_count(*page);
            let all_nulls = nulls.is_some_and(|nulls| i64::try_from(rows.len()) == Ok(nulls));
            condition.may_be_met(&Known {
                least: least[*page].as_ref(),
                greatest: greatest[*page].as_ref(),
                no_nulls: no_nulls || nulls == Some(0),
                all_nulls,
            })
        });
        Some(RowSelection::from_consecutive_ranges(kept.map(|(_, rows)| rows), rows))
    }
}

fn column_has_no_nulls(schema: &SchemaDescriptor, leaf: &Leaf) -> bool {
    schema.column(leaf.number).max_def_level() == 0
}

/// The values that a test lets pass, as bloom filters have them; `None` where these cannot be counted.
fn wanted(test: &Test, column: &ColumnDescriptor, leaf: &Leaf) -> Option<Vec<ByteArray>> {
    let physical = column.physical_type();
    let whole = |value: i128| -> Option<Vec<u8>> {
        Some(match leaf.field.data_type() {
            ArrowType::Int32 => i32::try_from(value).ok()?.to_le_bytes().to_vec(),
            ArrowType::Int64 => i64::try_from(value).ok()?.to_le_bytes().to_vec(),
            ArrowType::UInt32 => u32::try_from(value).ok()?.to_le_bytes().to_vec(),
            ArrowType::UInt64 => u64::try_from(value).ok()?.to_le_bytes().to_vec(),
            _ => return None,
        })
    };
    let float = |value: f64| -> Option<Vec<Vec<u8>>> {
        let both = if value == 0.0 { vec![0.0, -0.0] } else { vec![value] };
        both.into_iter()
            .map(|value: f64| match physical {
                Type::DOUBLE if !value.is_nan() => Some(value.to_le_bytes().to_vec()),
                Type::FLOAT if f64::from(value as f32) == value => {
                    Some((value as f32).to_le_bytes().to_vec())
                }
                _ => None,
            })
            .collect()
    };
    let values: Vec<Vec<u8>> = match test {
        Test::Range { low, high, outside: false } if low == high => vec![whole(*low)?],
        Test::OneOf { values, outside: false } => values.iter().map(|&v| whole(v)).collect::<Option<_>>()?,
        Test::Float { operator: Operator::Equal, value, .. } => float(*value)?,
        Test::FloatOneOf { values, outside: false, .. } => {
            values.iter().map(|&v| float(v)).collect::<Option<Vec<_>>>()?.concat()
        }
        Test::Bytes { operator: Operator::Equal, value } => vec![value.clone()],
        Test::BytesOneOf { values, outside: false } => values.iter().cloned().collect(),
        _ => return None,
    };
    Some(values.into_iter().map(ByteArray::from).collect())
}
