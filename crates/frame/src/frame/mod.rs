//! [`Frame`] and [`IndexedFrame`]: what all frames share.

mod sort_options;
mod stacked;

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::reduce::{self, Aggregation, CumulativeOp};
use cuprum_compute::sorting::{self, NullOrder, Order, RankOptions, sort_by_key, sorted_order};
use cuprum_compute::stream_compaction::{self, KeptRows};
use cuprum_compute::unary;
use cuprum_runtime::{Device, spill};

use crate::index::{Index, RangeIndex};
use crate::label::Label;
use crate::types::{self, Dtype, Taking, TypedColumn};

pub use self::sort_options::SortOptions;
pub(crate) use self::stacked::map_stacked;
pub use self::stacked::stack;

/// A token of access to the columns of a frame for writing: assignments make it.
pub struct Writing(());

impl Writing {
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// Options of [`sample`](IndexedFrame::sample).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleOptions {
    /// A row that was drawn is put back: it may be drawn again.
    pub replace: bool,
    /// The same rows for the same seed; others from call to call without one.
    pub seed: Option<u64>,
}

/// Columns of one length: what series, data frames and indexes have in common.
pub trait Frame: Sized + Clone {
    /// The data columns in order.
    fn columns(&self) -> &[TypedColumn];

    /// The data columns, for [`writing`](crate::indexing::assign) alone: it keeps their lengths.
    fn columns_mut(&mut self, _: Writing) -> &mut [TypedColumn];

    /// The label of the column at a position; a series has none.
    fn label(&self, at: usize) -> Option<&Label> {
        self.column_labels()?.get(at)
    }

    /// The labels of the columns; a series has none.
    fn column_labels(&self) -> Option<&[Label]> {
        None
    }

    /// The number of rows.
    fn num_rows(&self) -> usize;

    /// The same labels over other columns of the same length.
    fn replace_columns(&self, columns: Vec<TypedColumn>) -> Result<Self>;

    /// The device that holds the frame; `None` where it has no values, so that it is on any.
    fn place(&self) -> Option<Device> {
        self.columns().iter().find_map(TypedColumn::place)
    }

    /// The context in which this thread works with the frame: that of its device, see
    /// [`Context::beside`].
    fn context(&self) -> Result<Context> {
        Context::beside(self.place())
    }

    /// The stored values of the data columns as a table, sharing memory: for moving rows.
    fn table(&self) -> Result<Table> {
        types::read_together(self.columns())?;
        let data = self.columns().iter().map(|c| c.rows().cloned()).collect::<Result<_>>()?;
        Table::with_rows(data, self.num_rows())
    }

    /// The data columns as a table of keys, for `operation`.
    fn key_table(&self, operation: impl fmt::Display) -> Result<Table> {
        types::read_together(self.columns())?;
        let keys = self.columns().iter().map(|c| c.keys(&operation).cloned()).collect::<Result<_>>()?;
        Table::with_rows(keys, self.num_rows())
    }

    /// The dtypes of the columns over other stored values.
    fn retyped(&self, data: Vec<Column>) -> Vec<TypedColumn> {
        self.columns().iter().zip(data).map(|(column, data)| column.like(data)).collect()
    }

    /// Every column replaced by `f` of it, which must keep its length.
    fn map_columns(&self, f: impl FnMut(&TypedColumn) -> Result<TypedColumn>) -> Result<Self> {
        // Results of columns without memory are on the device of the others.
        let columns = self.context()?.scope(|| self.columns().iter().map(f).collect::<Result<_>>())?;
        self.replace_columns(columns)
    }

    /// [`map_columns`](Self::map_columns) for what works element by element; see `map_stacked`.
    fn map_elements(
        &self,
        stacks: fn(DataType) -> bool,
        mut f: impl FnMut(&TypedColumn) -> Result<TypedColumn>,
    ) -> Result<Self> {
        let columns =
            self.context()?.scope(|| map_stacked([self.columns()], stacks, |[column]| f(column)))?;
        self.replace_columns(columns)
    }

    /// Every column replaced by what `f` makes of its values, for `operation`: refused where they are not
    /// what is stored.
    fn map_values(
        &self,
        operation: impl fmt::Display,
        mut f: impl FnMut(&Column) -> Result<Column>,
    ) -> Result<Self> {
        self.map_columns(|c| TypedColumn::computed(f(c.values(&operation)?)))
    }

    /// True where an element is missing: null, or NaN in float columns.
    fn isna(&self) -> Result<Self> {
        self.map_elements(DataType::is_numeric, |c| TypedColumn::computed(c.missing()))
    }

    /// True where an element is not missing.
    fn notna(&self) -> Result<Self> {
        self.map_elements(DataType::is_numeric, |c| {
            let (missing, ctx) = (c.missing()?, c.context()?);
            TypedColumn::computed(unary::unary_operation(&missing, unary::UnaryOperator::Not, &ctx))
        })
    }

    /// Every element cast to `to`; see [`types::cast`].
    fn astype(&self, to: impl Into<Dtype>) -> Result<Self> {
        let to = to.into();
        // To other types not without a look at the elements.
        let stacks = if to.storage().is_float() { DataType::is_numeric } else { |_| false };
        self.map_elements(stacks, |c| types::cast(c, &to))
    }

    /// Numbers rounded to `decimals` places, halves to even; other columns as they are. Types stay.
    ///
    /// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) for a decimal that has more digits then than its type.
    fn round(&self, decimals: i32) -> Result<Self> {
        self.map_elements(DataType::is_numeric, |c| match c.dtype() {
            Dtype::Numeric(_) => TypedColumn::computed(unary::round(c.data()?, decimals, &c.context()?)),
            Dtype::Decimal(kind) => types::decimal::round(c, *kind, decimals),
            _ => Ok(c.clone()),
        })
    }

    /// One element operation on every element; `Not` of integers inverts their bits, as Python's `~`.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for what a type has not: floats no `Not`.
    fn unary(&self, op: unary::UnaryOperator) -> Result<Self> {
        self.map_elements(DataType::is_numeric, |c| {
            if let Dtype::Decimal(kind) = c.dtype() {
                return types::decimal::unary_operation(c, *kind, op);
            }
            let c = c.values(op)?;
            if op == unary::UnaryOperator::Not && c.data_type().is_float() {
                return Err(Error::data_type(format!("operator ~ does not take {}", c.data_type())));
            }
            let bits = op == unary::UnaryOperator::Not && c.data_type().is_integer();
            let op = if bits { unary::UnaryOperator::BitNot } else { op };
            TypedColumn::computed(unary::unary_operation(c, op, &c.context()?))
        })
    }

    /// Running sums, products, minima or maxima; missing elements stay missing and are skipped.
    fn cumulative(&self, op: CumulativeOp) -> Result<Self> {
        let how = match op {
            CumulativeOp::Sum => Aggregation::Sum,
            CumulativeOp::Product => Aggregation::Product,
            CumulativeOp::Min => Aggregation::Min,
            CumulativeOp::Max => Aggregation::Max,
        };
        self.map_columns(|c| {
            if c.dtype().is_plain() {
                return TypedColumn::computed(reduce::cumulative(c.data()?, op, &c.data()?.context()?));
            }
            let dtype = c
                .dtype()
                .reduce(how)
                .map_err(|_| Error::data_type(format!("{op} does not take {}", c.dtype())))?;
            TypedColumn::new(dtype, reduce::cumulative(c.data()?, op, &c.data()?.context()?)?)
        })
    }

    /// The place of every element in the order of its column.
    fn rank(&self, options: RankOptions) -> Result<Self> {
        self.map_columns(|c| {
            let ranked = c.ranked()?;
            let data = ranked.ordered("rank")?;
            TypedColumn::computed(sorting::rank(data, options, &data.context()?))
        })
    }

    /// Bytes of memory behind the columns.
    fn nbytes(&self) -> usize {
        self.columns().iter().map(TypedColumn::nbytes).sum()
    }
}

/// A frame whose rows have labels: [`Series`](crate::Series) and [`DataFrame`](crate::DataFrame).
pub trait IndexedFrame: Frame {
    /// The labels of the rows.
    fn index(&self) -> &Index;

    /// The same column labels over other rows.
    fn with_rows(&self, columns: Vec<TypedColumn>, index: Index) -> Result<Self>;

    /// The same dtypes over other rows: stored values of every column, and their labels.
    fn with_table(&self, table: Table, index: Index) -> Result<Self> {
        self.with_rows(self.retyped(table.into_columns()), index)
    }

    /// The same frame in the context's memory: shared where it is there already, else copied.
    fn to_device(&self, ctx: &Context) -> Result<Self> {
        let columns = types::to_device(self.columns(), ctx)?;
        self.with_rows(columns, self.index().to_device(ctx)?)
    }

    /// The same frame in host memory, of its current resource.
    fn to_host(&self) -> Result<Self> {
        self.to_device(&Context::beside(Device::Cpu)?)
    }

    /// The same rows for a shallow copy; see [`Column::shallow_copy`]. Labels are shared, for nothing
    /// writes to them.
    fn shallow_copy(&self) -> Result<Self> {
        self.map_columns(TypedColumn::shallow_copy)
    }

    /// The same rows and labels in memory of their own, as far as their types have fixed width; see
    /// [`Column::deep_copy`].
    fn deep_copy(&self) -> Result<Self> {
        let copy = |[c]: [&TypedColumn; 1]| c.deep_copy();
        let columns = map_stacked([self.columns()], DataType::is_numeric, copy)?;
        self.with_rows(columns, self.index().deep_copy()?)
    }

    /// The same rows under other labels.
    fn with_index(&self, index: Index) -> Result<Self> {
        if index.len() != self.num_rows() {
            return Err(Error::invalid_argument(format!(
                "length mismatch: the frame has {} rows, the new index {}",
                self.num_rows(),
                index.len()
            )));
        }
        self.with_rows(self.columns().to_vec(), index)
    }

    /// The rows `[start, start + len)`, sharing memory.
    fn slice(&self, start: usize, len: usize) -> Result<Self> {
        let index = self.index().slice(start, len)?;
        let columns = if self.columns().iter().any(TypedColumn::is_late) {
            Taking::range(start..start + len, &self.context()?).take(self.columns())?
        } else {
            self.columns().iter().map(|column| column.slice(start, len)).collect::<Result<_>>()?
        };
        self.with_rows(columns, index)
    }

    /// The first `n` rows; for negative `n` all but the last `-n`.
    fn head(&self, n: i64) -> Result<Self> {
        let len = self.num_rows() as i64;
        self.slice(0, if n < 0 { len + n } else { n }.clamp(0, len) as usize)
    }

    /// The last `n` rows; for negative `n` all but the first `-n`.
    fn tail(&self, n: i64) -> Result<Self> {
        let len = self.num_rows() as i64;
        let count = if n < 0 { len.saturating_add(n) } else { n }.clamp(0, len);
        self.slice((len - count) as usize, count as usize)
    }

    /// The rows that an index column without nulls names, in its order; row numbers must be in range.
    fn take(&self, rows: &Column) -> Result<Self> {
        let ctx = self.context()?;
        let rows = &*rows.placed(&ctx)?;
        // Few rows do without the rest of a late column; a late result would find rows that are not there too late.
        if self.columns().iter().any(TypedColumn::is_late) && rows.len() < types::late_rows() {
            let columns = Taking::numbered(rows, false, &ctx).at_once().take(self.columns())?;
            return self.with_rows(columns, self.index().take(rows)?);
        }
        let table = copying::gather(&self.table()?, rows, OutOfBoundsPolicy::Check, &ctx)?;
        self.with_table(table, self.index().take(rows)?)
    }

    /// The rows where `mask`, a boolean column, is true.
    fn filter(&self, mask: &Column) -> Result<Self> {
        if mask.data_type() != DataType::Bool8 {
            return Err(Error::data_type(format!(
                "a mask must be boolean, this one is {}",
                mask.data_type()
            )));
        }
        if mask.len() != self.num_rows() {
            return Err(Error::out_of_range(format!(
                "boolean mask of {} rows for a frame of {} rows",
                mask.len(),
                self.num_rows()
            )));
        }
        let ctx = self.context()?;
        kept(self, stream_compaction::rows_where_true(&*mask.placed(&ctx)?, &ctx)?)
    }

    /// The rows but those labelled by an element of `labels`; each must be there.
    fn drop_rows(&self, labels: &TypedColumn) -> Result<Self> {
        let ctx = self.context()?;
        let rows = self.index().find_all(labels)?;
        let keep = Column::from_scalar(&Scalar::from(true), self.num_rows(), &ctx)?;
        self.filter(&copying::scatter_scalar(&Scalar::from(false), &rows, &keep, &ctx)?)
    }

    /// The rows in the order of key columns of the frame's length, the first being the most significant; equal
    /// rows keep their order.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for no keys, for keys of
    /// another length and for another number of orders than one or that of the keys.
    fn sort_by_keys(&self, keys: Vec<Column>, options: &SortOptions) -> Result<Self> {
        let SortOptions { orders, nulls, ignore_index } = options;
        if keys.is_empty() || (orders.len() != keys.len() && orders.len() != 1) {
            return Err(Error::invalid_argument(format!(
                "`ascending` has {} values for {} sort keys",
                orders.len(),
                keys.len()
            )));
        }
        let (orders, nulls): (Vec<Order>, _) =
            ((0..keys.len()).map(|i| orders[i % orders.len()]).collect(), *nulls);
        if let Some(key) = keys.iter().find(|k| k.len() != self.num_rows()) {
            return Err(Error::invalid_argument(format!(
                "a sort key of {} rows for {} rows",
                key.len(),
                self.num_rows()
            )));
        }
        let ctx = self.context()?;
        let keys = Table::with_rows(keys, self.num_rows())?.to_device(&ctx)?;
        let numbered = || Index::range_beside(self.num_rows(), self.place());
        let has_labels_to_move = !*ignore_index && !self.index().is_default();
        let is_late = self.columns().iter().any(TypedColumn::is_late);
        if self.columns().len() > 1 && !has_memory_limit() && (is_late || !has_labels_to_move) {
            let rows = sorted_order(&keys, &orders, nulls, &ctx)?;
            let columns = Taking::numbered(&rows, false, &ctx).take(self.columns())?;
            let index = if *ignore_index {
                numbered()
            } else if has_labels_to_move {
                self.index().take(&rows)?
            } else {
                // The sorted row numbers are the labels.
                let labels = unary::cast(&rows, DataType::Int64, &ctx)?;
                Index::from_column(labels, self.index().name().cloned())
            };
            return self.with_rows(columns, index);
        }
        if *ignore_index {
            return self.with_table(sort_by_key(&self.table()?, &keys, &orders, nulls, &ctx)?, numbered());
        }
        self.map_rows(|table| sort_by_key(table, &keys, &orders, nulls, &ctx))
    }

    /// The rows that `f` makes of the columns of data and labels in one table.
    fn map_rows(&self, f: impl FnOnce(&Table) -> Result<Table>) -> Result<Self> {
        let mut columns = self.table()?.into_columns();
        columns.extend(self.index().moving()?);
        let mut columns = f(&Table::with_rows(columns, self.num_rows())?)?.into_columns();
        let labels = columns.split_off(self.columns().len());
        self.with_rows(self.retyped(columns), self.index().with_moved(labels)?)
    }

    /// The rows in the order of their labels, missing labels last; equal labels keep their order.
    fn sort_index(&self, order: Order) -> Result<Self> {
        if order == Order::Ascending && self.index().is_monotonic_increasing()? {
            return Ok(self.clone());
        }
        let keys = self.index().ordered_table("sort_index")?;
        let (orders, ctx) = (vec![order; keys.num_columns()], self.context()?);
        if has_memory_limit() {
            return self.map_rows(|table| sort_by_key(table, &keys, &orders, NullOrder::Last, &ctx));
        }
        self.take(&sorted_order(&keys, &orders, NullOrder::Last, &ctx)?)
    }

    /// `n` rows in random order.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where there are not so many,
    /// unless they are put back.
    fn sample(&self, n: usize, options: SampleOptions) -> Result<Self> {
        let SampleOptions { replace, seed } = options;
        let len = self.num_rows();
        if n > len && !replace {
            return Err(Error::invalid_argument(format!(
                "cannot take a sample of {n} rows from {len} when `replace` is False"
            )));
        }
        if n > 0 && len == 0 {
            return Err(Error::invalid_argument(format!("cannot take a sample of {n} rows from none")));
        }
        // A seed that differs from call to call.
        let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        self.take(&copying::sample_rows(len, n, replace, seed, &self.context()?)?)
    }

    /// Elements `periods` rows further down (up, for negative), missing where there was none.
    fn shift(&self, periods: i64) -> Result<Self> {
        self.map_columns(|c| {
            c.moved(|data| copying::shift(data, periods, &Scalar::null(data.data_type()), &data.context()?))
        })
    }
}

/// Whether memory is limited: then columns are best moved one after the other, as sorting a table does and
/// gathering its rows does not.
fn has_memory_limit() -> bool {
    spill::budget(Device::Cpu).is_some()
}

/// The rows of a frame that were selected.
pub(crate) fn kept<F: IndexedFrame>(frame: &F, rows: KeptRows) -> Result<F> {
    let (ctx, rows) = (frame.context()?, Arc::new(rows));
    let columns = frame.columns();
    let index = frame.index().kept_of_range(&rows, &ctx)?;
    let is_late = columns.iter().any(TypedColumn::is_late);
    // One column is read for sure, or why would it be filtered?
    if is_late || (columns.len() > 1 && rows.count() >= types::late_rows()) {
        let index = if let Some(index) = index {
            index
        } else {
            let labels = Table::with_rows(frame.index().moving()?, frame.num_rows())?;
            frame.index().with_moved(rows.take(&labels, &ctx)?.into_columns())?
        };
        return frame.with_rows(Taking::kept(&rows, &ctx).take(columns)?, index);
    }
    match index {
        Some(index) => frame.with_table(rows.take(&frame.table()?, &ctx)?, index),
        // The labels are compacted together with the data, in one pass.
        None => frame.map_rows(|table| rows.take(table, &ctx)),
    }
}

/// Positions with negative ones counted from the end; fails with
/// [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) for those that are not there.
pub(crate) fn wrap_positions(positions: &Column, len: usize, ctx: &Context) -> Result<Column> {
    if positions.is_empty() {
        return Column::from_slice::<i64>(&[], ctx);
    }
    if !positions.data_type().is_integer() || positions.has_nulls() {
        return Err(Error::data_type(format!(
            "positions must be integers without nulls, these are {}",
            positions.data_type()
        )));
    }
    let positions = unary::cast(&*positions.placed(ctx)?, DataType::Int64, ctx)?;
    let (len, bound) = (len as i64, |how| Ok::<_, Error>(reduce::reduce(&positions, how, ctx)?.as_i64()));
    let (least, most) = (bound(Aggregation::Min)?.unwrap_or(0), bound(Aggregation::Max)?.unwrap_or(0));
    if least < -len || most >= len {
        let bad = if least < -len { least } else { most };
        return Err(Error::out_of_range(format!("position {bad} is out of bounds for {len} rows")));
    }
    if least >= 0 {
        return Ok(positions);
    }
    let from_end = binary_operation(&positions, &Scalar::from(len), BinaryOperator::Add, ctx)?;
    let negative = binary_operation(&positions, &Scalar::from(0i64), BinaryOperator::Less, ctx)?;
    copying::copy_if_else(&from_end, &positions, &negative, ctx)
}

/// The rows of a Python slice over `len` rows.
pub fn resolve_slice(
    start: Option<i64>,
    stop: Option<i64>,
    step: Option<i64>,
    len: usize,
) -> Result<RangeIndex> {
    let (n, step) = (i64::try_from(len).unwrap_or(i64::MAX), step.unwrap_or(1));
    if step == 0 {
        return Err(Error::invalid_argument("slice step cannot be zero"));
    }
    let wrap = |p: i64| if p < 0 { p.saturating_add(n) } else { p };
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let start = start.map_or(if step > 0 { 0 } else { n - 1 }, |p| wrap(p).clamp(low, high));
    let stop = stop.map_or(if step > 0 { n } else { -1 }, |p| wrap(p).clamp(low, high));
    Ok(RangeIndex { start, stop, step })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_mean_what_python_means() {
        let rows = |start, stop, step| -> Vec<i64> {
            let rows = resolve_slice(start, stop, step, 5).unwrap();
            (0..rows.len()).map(|i| rows.get(i)).collect()
        };
        assert_eq!(rows(None, None, None), [0, 1, 2, 3, 4]);
        assert_eq!(rows(Some(-2), None, None), [3, 4]);
        assert_eq!(rows(None, None, Some(-1)), [4, 3, 2, 1, 0]);
        assert_eq!(rows(Some(3), Some(0), Some(-2)), [3, 1]);
        assert_eq!(rows(Some(9), Some(12), None), [0i64; 0]);
        assert_eq!(rows(Some(-9), Some(i64::MAX), Some(3)), [0, 3]);
        assert_eq!(rows(Some(i64::MIN), Some(2), None), [0, 1]);
        assert!(resolve_slice(None, None, Some(0), 5).is_err());
    }
}
