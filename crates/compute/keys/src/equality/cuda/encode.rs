//! Codes of rows written out on a GPU: those of the CPU's [`EqualityKeys`](crate::equality::EqualityKeys), part by part.

use cuprum_column::types::Storage;
use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceView, Error, Result, Table, null_mask,
};
use cuprum_elements::selection::cuda::Selection;
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceUVec, kernel_struct, kernels};

use super::{GroupIds, MissingKeys, number_rows};
use crate::concatenate::concatenate;
use crate::equality::options::EncodeOptions;
use crate::equality::row_limit::check_rows;
use crate::flatten::{is_flattened, leaves, leaves_with_nan};
use crate::list_keys::MissingElements;
use crate::order::cuda::numbers_column;

kernel_struct! {
    /// The rule by which the values of a key column become codes.
    struct CodeRule {
        least_high: u64,
        least_low: u64,
        shift: u64,
        missing: u64,
        nan_is_null: u32,
        is_presence: u32,
    }
}

kernels! {
    pub static ENCODE: "encode.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn range_of_values(column: ColumnDeviceView, high: Option<In<u64>>, range: Out<u64>);
    fn add_codes(column: ColumnDeviceView, rule: CodeRule, scale: u64, first: usize, codes: Out<u64>);
    fn add_numbers(numbers: In<u32>, n: usize, scale: u64, codes: Out<u64>);
}

/// One past the largest code of 64 bits.
const FULL: u128 = 1 << 64;

fn grid(rows: usize) -> Grid {
    Grid::striding(rows, THREADS)
}

/// The codes of the rows of all tables, one table after the other, and a bound of them. The tables have columns of the
/// same types.
pub(in crate::equality) fn encode(
    tables: &[&Table],
    options: EncodeOptions,
    ctx: &Context,
) -> Result<(Column, u64)> {
    let rows = tables.iter().map(|table| table.num_rows()).sum();
    let mut codes = Codes { codes: DeviceUVec::zeroed(rows, ctx)?, bound: 1, ctx };
    for position in 0..tables.first().map_or(0, |first| first.num_columns()) {
        let columns: Vec<&Column> = tables.iter().map(|table| &table.columns()[position]).collect();
        codes.add(&columns, options)?;
    }
    let bound = u64::try_from(codes.bound).unwrap_or(u64::MAX);
    Ok((numbers_column(DataType::UInt64, codes.codes)?, bound))
}

/// The rows of a table without a missing key, see [`valid_rows`](crate::equality::valid_rows).
pub(in crate::equality) fn valid_rows(
    table: &Table,
    nan_is_null: bool,
    ctx: &Context,
) -> Result<Option<(Buffer, usize)>> {
    let (columns, rows) = (table.columns(), table.num_rows());
    let valid = Selection::of_present(columns, columns.len(), nan_is_null, rows, ctx)?;
    if valid.count() == rows {
        return Ok(None);
    }
    let words = null_mask::bitmask_allocation_size_bytes(rows) / size_of::<u32>();
    let mask = valid.words().span().slice(0..words)?.copy(ctx)?;
    Ok(Some((mask.into_buffer().try_into()?, rows - valid.count())))
}

/// The codes of rows by the columns so far.
struct Codes<'c> {
    codes: DeviceUVec<u64>,
    bound: u128,
    ctx: &'c Context,
}

impl Codes<'_> {
    /// Adds one key column, which is that of each table.
    fn add(&mut self, columns: &[&Column], options: EncodeOptions) -> Result<()> {
        let data_type = columns[0].data_type();
        if is_flattened(columns[0]) || data_type == DataType::String {
            let numbers = self.numbered(columns, options)?;
            return self.push_numbers(&numbers);
        }
        if data_type.storage() == Storage::Children {
            return Err(Error::unsupported(format!("keys of type {data_type}")));
        }
        let nan_is_null = options.nan_is_null && data_type.is_float();
        let has_nulls = columns.iter().any(|column| column.has_nulls());
        let rule = CodeRule {
            least_high: 0,
            least_low: 0,
            shift: 0,
            missing: 0,
            nan_is_null: u32::from(nan_is_null),
            is_presence: 0,
        };
        let presence = CodeRule { is_presence: 1, ..rule };
        let (least, greatest, has_nan) = self.range(columns)?;
        if data_type.storage() == Storage::I128 {
            let rule = CodeRule { least_high: (least >> 64) as u64, least_low: least as u64, ..rule };
            // One less than the number of codes.
            let span = greatest.saturating_sub(least);
            if span < FULL - u128::from(has_nulls) {
                let bound = span + 1 + u128::from(has_nulls);
                return self.push(columns, CodeRule { missing: (span + 1) as u64, ..rule }, bound);
            }
            let (high, upper) = ((span >> 64) + 1, CodeRule { shift: 64, ..rule });
            if has_nulls && high == FULL {
                self.push(columns, presence, 2)?;
                self.push(columns, upper, high)?;
            } else {
                let bound = high + u128::from(has_nulls);
                self.push(columns, CodeRule { missing: high as u64, ..upper }, bound)?;
            }
            return self.push(columns, rule, FULL);
        }
        let (least, span) = if least > greatest { (0, 0) } else { (least, greatest - least + 1) };
        let rule = CodeRule { least_low: least as u64, ..rule };
        let nulls = has_nulls || nan_is_null && has_nan;
        if nulls && span == FULL {
            // No code is left for nulls, so whether a value is there is a key of its own.
            self.push(columns, presence, 2)?;
            return self.push(columns, rule, span);
        }
        let missing = if nulls { span as u64 } else { 0 };
        self.push(columns, CodeRule { missing, ..rule }, (span + u128::from(nulls)).max(1))
    }

    /// The least and the greatest ordered form of the values of all columns, and whether there is a NaN; the least
    /// above the greatest where there are no values.
    fn range(&self, columns: &[&Column]) -> Result<(u128, u128, bool)> {
        let temporary = self.ctx.temporary()?;
        let found = |high: Option<&DeviceUVec<u64>>| {
            let mut range = DeviceUVec::from_slice(&[u64::MAX, 0, 0], &temporary)?;
            for column in columns {
                let view = DeviceView::new(column)?;
                // SAFETY: there are three numbers, and two of the higher halves.
                unsafe { range_of_values(self.ctx, grid(column.len()), &view, high, &mut range)? };
            }
            Ok::<_, Error>(range)
        };
        let range = found(None)?;
        let ends = range.to_vec()?;
        let (least, greatest, has_nan) = (u128::from(ends[0]), u128::from(ends[1]), ends[2] != 0);
        if columns[0].data_type().storage() != Storage::I128 {
            return Ok((least, greatest, has_nan));
        }
        if least > greatest {
            return Ok((u128::MAX, 0, false));
        }
        let low = found(Some(&range))?.to_vec()?;
        Ok((least << 64 | u128::from(low[0]), greatest << 64 | u128::from(low[1]), false))
    }

    /// The numbers of the distinct values of texts or nested columns.
    fn numbered(&self, columns: &[&Column], options: EncodeOptions) -> Result<GroupIds> {
        let (rows, temporary) = (self.codes.len(), &self.ctx.temporary()?);
        check_rows("keys", rows)?;
        let of_table = |column: &&Column| match options.nan_is_null {
            true => leaves(column, MissingElements::equal(true), temporary),
            false => leaves_with_nan(column, temporary),
        };
        let tables = columns.iter().map(of_table).collect::<Result<Vec<_>>>()?;
        let joined = |i: usize| {
            let parts: Vec<&Column> = tables.iter().map(|leaves| &leaves[i]).collect();
            concatenate(&parts, temporary)
        };
        let keys = (0..tables[0].len()).map(joined).collect::<Result<_>>()?;
        number_rows(&Table::with_rows(keys, rows)?, MissingKeys::Equal, temporary)
    }

    /// Packs the codes of one more key column.
    fn push(&mut self, columns: &[&Column], rule: CodeRule, bound: u128) -> Result<()> {
        let ctx = self.ctx;
        self.pack(bound, |codes, scale| {
            let mut first = 0;
            for column in columns {
                let view = DeviceView::new(column)?;
                // SAFETY: there is a code for each row of all columns.
                unsafe { add_codes(ctx, grid(column.len()), &view, rule, scale, first, &mut *codes)? };
                first += column.len();
            }
            Ok(())
        })
    }

    fn push_numbers(&mut self, numbers: &GroupIds) -> Result<()> {
        let (ctx, rows) = (self.ctx, numbers.ids.len());
        self.pack((numbers.first_rows.len() as u128).max(1), |codes, scale| {
            // SAFETY: there is a code for each number.
            unsafe { add_numbers(ctx, grid(rows), &numbers.ids, rows, scale, codes) }
        })
    }

    /// Packs codes below a bound, which `add` adds to the multiple of others; numbers pairs anew where 64 bits are not
    /// enough.
    fn pack(&mut self, bound: u128, add: impl Fn(&mut DeviceUVec<u64>, u64) -> Result<()>) -> Result<()> {
        if let Some(both) = self.bound.checked_mul(bound).filter(|both| *both <= FULL) {
            self.bound = both;
            // The bound of all codes is that of 64 bits only where the others are 0.
            return add(&mut self.codes, bound as u64);
        }
        let (rows, temporary) = (self.codes.len(), &self.ctx.temporary()?);
        let mut low = DeviceUVec::zeroed(rows, temporary)?;
        add(&mut low, 0)?;
        let high = std::mem::replace(&mut self.codes, DeviceUVec::zeroed(rows, self.ctx)?);
        let pairs = [numbers_column(DataType::UInt64, high)?, numbers_column(DataType::UInt64, low)?];
        let numbers = number_rows(&Table::new(pairs.to_vec())?, MissingKeys::Equal, temporary)?;
        self.bound = 1;
        self.push_numbers(&numbers)
    }
}
