//! Gather on the CPU, morsel by morsel.
//!
//! One pass over the map tells whether all rows exist. It is not relied on for more than what is null: the
//! map may be in memory that others write to meanwhile, so every read is checked, which costs next to
//! nothing where all rows exist.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::OnceLock;

use bytemuck::Pod;
use cuprum_column::{
    Bitmap, Buffer, Column, ColumnView, Context, DataType, Error, HostUVec, Native, Result, dispatch_storage,
    null_mask, strings,
};
use cuprum_runtime::cache::{self, RANDOM_AHEAD};
use cuprum_runtime::{OutputSlice, parallel};

use super::nested::{self, gather_columns};
use super::{OutOfBoundsPolicy, lists, outside_error};
use crate::elements::{dispatch_width, typed_slice, uninit_elements, widened};
use crate::row_numbers::{RowIndex, rows_fit_32_bits};

/// Row numbers that have been looked at once.
pub struct Map<'a> {
    rows: MapRows<'a>,
    /// Every entry was below the number of rows: the result has no nulls but those of its columns.
    in_range: bool,
    num_rows: usize,
    /// The validity of the row numbers: that of columns without nulls of their own, made when it is needed.
    mask: OnceLock<(Buffer, usize)>,
}

/// Row numbers without signs, so that two loops serve all types: a negative number has become one
/// that is too large.
enum MapRows<'a> {
    Narrow(&'a [u32]),
    Wide(&'a [u64]),
    OwnedNarrow(HostUVec<u32>),
    OwnedWide(HostUVec<u64>),
}

/// Runs code with `$rows` bound to the slice of row numbers, once per width.
macro_rules! dispatch_rows {
    ($map:expr, $rows:ident => $body:expr) => {{
        let (narrow, wide): (&[u32], &[u64]) = match &$map.rows {
            MapRows::Narrow(rows) => (rows, &[]),
            MapRows::Wide(rows) => (&[], rows),
            MapRows::OwnedNarrow(rows) => (rows, &[]),
            MapRows::OwnedWide(rows) => (&[], rows),
        };
        if wide.is_empty() {
            let $rows = narrow;
            $body
        } else {
            let $rows = wide;
            $body
        }
    }};
}

impl<'a> Map<'a> {
    /// A map into `num_rows` rows from a column of any integer type.
    pub fn new(
        map: &'a ColumnView<'_>,
        num_rows: usize,
        policy: OutOfBoundsPolicy,
        ctx: &Context,
    ) -> Result<Self> {
        let validity = map.validity();
        if validity.is_none() {
            match map.data_type() {
                DataType::Int32 => return Self::from_rows(map.values::<i32>()?, num_rows, policy, ctx),
                DataType::UInt32 => return Self::from_rows(map.values::<u32>()?, num_rows, policy, ctx),
                DataType::Int64 => return Self::from_rows(map.values::<i64>()?, num_rows, policy, ctx),
                DataType::UInt64 => return Self::from_rows(map.values::<u64>()?, num_rows, policy, ctx),
                _ => {}
            }
        }
        if !map.data_type().is_integer() {
            return Err(Error::data_type(format!("`map` must hold integers, not {}", map.data_type())));
        }
        let rows = dispatch_storage!(map.data_type(), T => {
            let values = map.values::<T>()?;
            // A large unsigned number is negative as i64: outside the rows either way.
            let row = |i: usize| match &validity {
                Some(bits) if !bits.get(i) => -1,
                _ => values[i].as_i64(),
            };
            if policy == OutOfBoundsPolicy::Check {
                let outside = |i: usize| {
                    validity.is_none_or(|bits| bits.get(i)) && (row(i) as usize) >= num_rows
                };
                let first: &(dyn Fn(Range<usize>) -> Result<Option<usize>> + Sync) = &|mut range| Ok(range.find(|&i| outside(i)));
                let found = parallel::map_morsels(map.len(), ctx, first)?;
                if let Some(i) = found.into_iter().flatten().next() {
                    return Err(outside_error(i, format!("{:?}", values[i]), num_rows));
                }
            }
            if rows_fit_32_bits(num_rows) {
                let narrow = |row: i64| if (row as usize) < num_rows { row as u32 } else { u32::MAX };
                MapRows::OwnedNarrow(HostUVec::from_fn(map.len(), ctx, |i| narrow(row(i)))?)
            } else {
                MapRows::OwnedWide(HostUVec::from_fn(map.len(), ctx, |i| row(i) as u64)?)
            }
        }, else => return Err(Error::data_type("`map` must hold integers, not str")));
        let mut map = Self { rows, in_range: false, num_rows, mask: OnceLock::new() };
        map.in_range = dispatch_rows!(map, rows => all_below(rows, num_rows, ctx)?);
        Ok(map)
    }

    /// A map into `num_rows` rows from row numbers.
    pub(crate) fn from_rows<I: RowIndex>(
        rows: &'a [I],
        num_rows: usize,
        policy: OutOfBoundsPolicy,
        ctx: &Context,
    ) -> Result<Self> {
        let in_range = all_below(rows, num_rows, ctx)?;
        if !in_range && policy == OutOfBoundsPolicy::Check {
            let i = rows.iter().position(|r| r.row() >= num_rows).unwrap_or(0);
            return Err(outside_error(i, format!("{:?}", rows[i]), num_rows));
        }
        let rows = match I::DATA_TYPE {
            // A negative number must not become the number of a row.
            DataType::Int32 if !in_range && !rows_fit_32_bits(num_rows) => {
                MapRows::OwnedWide(HostUVec::from_fn(rows.len(), ctx, |i| rows[i].row() as u64)?)
            }
            DataType::Int32 | DataType::UInt32 => MapRows::Narrow(bytemuck::cast_slice(rows)),
            _ => MapRows::Wide(bytemuck::cast_slice(rows)),
        };
        Ok(Self { rows, in_range, num_rows, mask: OnceLock::new() })
    }

    /// Numbers that are all below `num_rows`.
    pub(super) fn of_narrow_rows(rows: HostUVec<u32>, num_rows: usize) -> Self {
        Self { rows: MapRows::OwnedNarrow(rows), in_range: true, num_rows, mask: OnceLock::new() }
    }

    /// [`of_narrow_rows`](Self::of_narrow_rows) of 64 bits.
    pub(super) fn of_wide_rows(rows: HostUVec<u64>, num_rows: usize) -> Self {
        Self { rows: MapRows::OwnedWide(rows), in_range: true, num_rows, mask: OnceLock::new() }
    }

    /// The validity of the row numbers, as a mask.
    fn mask_of_rows(&self, ctx: &Context) -> Result<(Buffer, usize)> {
        if let Some(mask) = self.mask.get() {
            return Ok(mask.clone());
        }
        let num_rows = self.num_rows;
        let mask =
            dispatch_rows!(self, rows => null_mask::from_fn(rows.len(), ctx, |i| rows[i].row() < num_rows))?;
        Ok(self.mask.get_or_init(|| mask).clone())
    }

    /// Calls `f(i, row)` for every entry in order.
    pub fn for_each(&self, mut f: impl FnMut(usize, usize)) {
        dispatch_rows!(self, rows => rows.iter().enumerate().for_each(|(i, r)| f(i, r.row())));
    }
}

/// The bounds pass: whether all rows lie below `num_rows`.
fn all_below<I: RowIndex>(rows: &[I], num_rows: usize, ctx: &Context) -> Result<bool> {
    let below = parallel::map_morsels(rows.len(), ctx, |range| Ok(are_below(&rows[range], num_rows)))?;
    Ok(below.into_iter().all(|b| b))
}

#[inline(always)]
fn are_below_plain<I: RowIndex>(rows: &[I], num_rows: usize) -> bool {
    rows.iter().fold(true, |all, row| all & (row.row() < num_rows))
}

widened! {
    are_below is are_below_plain [I: RowIndex] (rows: &[I], num_rows: usize) -> bool
}

/// See [`super::rows_from_end`]; the map is of signed integers.
pub(super) fn count_from_end(map: &Column, num_rows: usize, ctx: &Context) -> Result<Column> {
    dispatch_storage!(map.data_type(), T => {
        let view = map.view()?;
        let values = view.values::<T>()?;
        let rows = HostUVec::from_fn(map.len(), ctx, |i| {
            let row = values[i].as_i64();
            if row < 0 { row.saturating_add(num_rows as i64) } else { row }
        })?;
        Column::new(DataType::Int64, rows, map.copy_mask(ctx)?)
    }, else => Err(Error::data_type("`map` must hold integers")))
}

/// The rows of `map` of every column; the columns have `num_rows` rows.
pub(super) fn gather_map(
    columns: &[&Column],
    map: &Column,
    num_rows: usize,
    policy: OutOfBoundsPolicy,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let map = map.view()?;
    gather_columns(columns, &Map::new(&map, num_rows, policy, ctx)?, ctx)
}

impl nested::LeafGather for Map<'_> {
    fn len(&self) -> usize {
        dispatch_rows!(self, rows => rows.len())
    }

    /// All columns per morsel: the row numbers are read from the cache for all but the first.
    fn fixed_width(&self, columns: &[&Column], ctx: &Context) -> Result<Vec<Column>> {
        debug_assert!(columns.iter().all(|column| column.len() == self.num_rows));
        let views = columns.iter().map(|column| column.view()).collect::<Result<Vec<_>>>()?;
        let sizes = columns.iter().map(|column| column.data_type().size().unwrap_or(0));
        let outputs = sizes.clone().map(|size| uninit_elements(self.len(), size, ctx));
        let mut outputs = outputs.collect::<Result<Vec<_>>>()?;
        let lanes: Vec<(&ColumnView<'_>, usize, OutputSlice<'_, u8>)> = views
            .iter()
            .zip(sizes)
            .zip(&mut outputs)
            .map(|((v, size), out)| (v, size, out.output()))
            .collect();
        if !lanes.is_empty() {
            dispatch_rows!(self, rows => parallel::map_morsels(rows.len(), ctx, |range| {
                for (column, size, out) in &lanes {
                    dispatch_width!(*size, T => {
                        let source = column.raw_values::<T>()?;
                        // SAFETY: morsels are disjoint.
                        let out = unsafe { typed_slice::<T>(out, range.clone()) };
                        gather_values(source, &rows[range.clone()], out);
                    });
                }
                Ok(())
            })?);
        }
        drop(lanes);
        let whole = columns.iter().zip(outputs).map(|(column, out)| {
            // SAFETY: the morsels cover all rows and write every element of their slice.
            let data = unsafe { out.assume_init() }.into_buffer();
            Column::from_buffer(column.data_type(), self.len(), data, self.mask(column, ctx)?)
        });
        whole.collect()
    }

    fn mask(&self, column: &Column, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        let view = column.view()?;
        match view.validity() {
            Some(bits) => dispatch_rows!(self, rows => gather_bits(bits, rows, ctx)).map(Some),
            None if self.in_range => Ok(None),
            None => self.mask_of_rows(ctx).map(Some),
        }
    }

    fn strings(&self, column: &Column, mask: Option<(Buffer, usize)>, ctx: &Context) -> Result<Column> {
        dispatch_rows!(self, rows => gather_strings(column, rows, mask, ctx))
    }

    fn lists(&self, column: &Column, ctx: &Context) -> Result<(Column, Self)> {
        dispatch_rows!(self, rows => lists::gather(column, rows, ctx))
    }
}

fn gather_values<T: Pod, I: RowIndex>(source: &[T], rows: &[I], out: &mut [MaybeUninit<T>]) {
    for (slot, row) in out.iter_mut().zip(rows) {
        let row = row.row();
        slot.write(source.get(row).copied().unwrap_or(T::zeroed()));
    }
}

fn gather_bits<I: RowIndex>(bits: Bitmap<'_>, rows: &[I], ctx: &Context) -> Result<(Buffer, usize)> {
    null_mask::from_words(rows.len(), ctx, |w| {
        let start = w * 64;
        let mut word = 0u64;
        for (bit, row) in rows[start..rows.len().min(start + 64)].iter().enumerate() {
            let row = row.row();
            // SAFETY: checked here.
            let valid = row < bits.len() && unsafe { bits.get_unchecked(row) };
            word |= u64::from(valid) << bit;
        }
        word
    })
}

fn gather_strings<I: RowIndex>(
    column: &Column,
    rows: &[I],
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let view = column.view()?;
    let source = view.strings()?;
    let num_rows = source.len();
    let validity = source.validity();
    let bytes = |row: &I| {
        let row = row.row();
        let valid = row < num_rows && validity.is_none_or(|bits| bits.get(row));
        if valid { source.bytes(row) } else { &[] }
    };
    let fetch_offset = |i: usize| rows.get(i + RANDOM_AHEAD).map_or((), |row| source.fetch_offset(row.row()));
    let len_of = |i: usize| {
        fetch_offset(i);
        bytes(&rows[i]).len()
    };
    let bytes_of = |i: usize| {
        fetch_offset(i);
        if let Some(next) = rows.get(i + RANDOM_AHEAD / 2) {
            cache::fetch(bytes(next), 0);
        }
        bytes(&rows[i])
    };
    // SAFETY: rows of a string column are UTF-8. The bytes under a null are not copied.
    unsafe { strings::from_sized_bytes(rows.len(), ctx, mask, len_of, bytes_of) }
}
