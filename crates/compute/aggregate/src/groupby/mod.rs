//! Aggregation of rows with equal keys.
//!
//! [`group`] numbers the rows by their keys, [`aggregate`] computes one value per group for any
//! number of columns, so that several aggregations share the search for equal keys:
//!
//! ```
//! # use cuprum_aggregate as cuprum_compute;
//! use cuprum_column::{Column, Context, Table};
//! use cuprum_compute::{groupby, reduce::Aggregation};
//!
//! let ctx = &Context::current();
//! let keys = Table::new(vec![Column::from_strs(&["b", "a", "b"], ctx)?])?;
//! let values = Column::from_slice(&[1i64, 2, 3], ctx)?;
//! let grouping = groupby::group(&keys, true, ctx)?;
//! assert_eq!(grouping.ids(ctx)?.view()?.values::<i32>()?, [0, 1, 0]);
//! let sums = groupby::aggregate(&grouping, &[(&values, Aggregation::Sum)], ctx)?;
//! assert_eq!(sums[0].view()?.values::<i64>()?, [4, 2]);
//! # Ok::<(), cuprum_column::Error>(())
//! ```
//!
//! Groups are numbered in the order in which their first rows appear, whatever the number of
//! threads; float sums are added in an order that depends on the rows alone. On a GPU they are exact and rounded
//! once while the exponents of a column's finite values span no more than about 80 binades, digits of the
//! values included; beyond that they are added in 64 bits, in an order that depends on the rows and the GPU alone. So
//! sums, means and spreads of floats may differ from the CPU's by the rounding of the latter, at most the number
//! of rows of a group times 2⁻⁵³ of the sum of their absolute values, and products by as many times 2⁻⁵² of
//! themselves; running ones likewise. All else is equal to the bit.
//!
//! Keys that would take more memory than [the budget](cuprum_runtime::spill::budget) are grouped chunk by
//! chunk, with the same result; values are read one column after the other.

mod accumulate;
mod chunked;
mod coded;
mod cpu;
mod cuda;
mod decimals;
pub mod device_rows;
#[cfg(test)]
mod device_tests;
mod distinct_values;
mod elements;
mod extremes;
mod histogram;
pub mod in_order;
mod in_place;
mod kept;
mod layout;
mod lists;
pub mod members;
mod moments;
pub mod one_row;
mod passes;
pub mod rows;
#[cfg(test)]
mod rows_tests;
mod segments;
mod select;
mod shapes;
pub mod spreads;
#[cfg(test)]
mod statistics_tests;
mod stretches;
mod structs;
#[cfg(test)]
pub mod tests;
mod walk;

use std::sync::OnceLock;

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DataType, Error, Result, Table, null_mask};
use cuprum_runtime::backend::{OnDevice, check_device, host_only, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Device, spill};

use coded::Coded;
pub use elements::quantile_elements;
pub use histogram::{histogram, merge_histograms};
pub use lists::{collect_list, collect_set, merge_lists, merge_sets, quantiles};
pub use moments::{correlation, correlations, covariance, covariances, m2, merge_m2};
pub use segments::{Runs, runs, segmented_reduce};
pub use shapes::{kurtosis, skewness};

use crate::reduce::Aggregation;
use cuprum_elements::row_numbers::row_column;
use cuprum_keys::equality::cpu::radix_partitioned::RadixPartitioned;
use cuprum_keys::equality::cpu::{Factorized, Tuning};
use cuprum_keys::equality::cuda::known_codes::GroupedCodes;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::equality::{self, EncodeOptions, EqualityKeys};
use cuprum_keys::equality::{Numbered, number_or_part};

/// Rows by group; see [`group`].
#[derive(Debug)]
pub struct Grouping {
    rows: Rows,
    /// The first row of each group, ascending: `Int32`, or `Int64` where the rows do not fit it.
    /// Gathering the keys by it gives one row of keys per group.
    pub first_rows: Column,
    /// The number of groups.
    pub num_groups: usize,
}

/// How a grouping knows the groups of rows.
#[derive(Debug)]
enum Rows {
    Numbered(Column),
    /// In parts of the host's memory, and their numbers once somebody has asked for them.
    Parted(Box<RadixPartitioned>, OnceLock<Column>),
    /// By keys in the host's memory, of which each has a number, and the numbers of all rows as above.
    Coded(Coded, OnceLock<Column>),
    /// The same in a GPU's memory.
    OnGpu(Box<GroupedCodes>, OnceLock<Column>),
}

impl Grouping {
    /// Groups by the number of each row, as [`ids`](Self::ids) gives them.
    pub fn new(ids: Column, first_rows: Column, num_groups: usize) -> Self {
        Self { rows: Rows::Numbered(ids), first_rows, num_groups }
    }

    /// The group of each row, in order of first appearance; −1 for rows in no group. Without nulls: `Int32`,
    /// or `Int64` where the rows do not fit it. A gather map from values of groups to rows.
    ///
    /// Many groups, and few ones of integers, know their rows in another form, of which the numbers are made at the first call, in memory of
    /// `ctx`.
    pub fn ids(&self, ctx: &Context) -> Result<&Column> {
        match &self.rows {
            Rows::Numbered(ids) => Ok(ids),
            Rows::Parted(_, ids) | Rows::Coded(_, ids) | Rows::OnGpu(_, ids) => {
                if let Some(ids) = ids.get() {
                    return Ok(ids);
                }
                let rows = self.num_rows();
                let made = match &self.rows {
                    Rows::Coded(coded, _) => row_column(coded.all(ctx)?, rows, ctx)?,
                    Rows::Parted(parted, _) => row_column(parted.numbers(ctx)?, rows, ctx)?,
                    Rows::OnGpu(codes, _) => equality::cuda::row_column(codes.ids(ctx)?, rows, ctx)?,
                    Rows::Numbered(ids) => return Ok(ids),
                };
                Ok(ids.get_or_init(|| made))
            }
        }
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        match &self.rows {
            Rows::Numbered(ids) => ids.len(),
            Rows::Parted(parted, _) => parted.rows.to.len(),
            Rows::Coded(coded, _) => coded.len(),
            Rows::OnGpu(codes, _) => codes.len(),
        }
    }

    fn parted(&self) -> Option<&RadixPartitioned> {
        match &self.rows {
            Rows::Parted(parted, _) => Some(parted),
            _ => None,
        }
    }

    fn coded(&self) -> Option<&Coded> {
        match &self.rows {
            Rows::Coded(coded, _) => Some(coded),
            _ => None,
        }
    }

    fn of_numbers(numbers: Factorized, ctx: &Context) -> Result<Self> {
        let (rows, num_groups) = (numbers.ids.len(), numbers.first_rows.len());
        let first_rows = row_column(numbers.first_rows, rows, ctx)?;
        Ok(Self::new(row_column(numbers.ids, rows, ctx)?, first_rows, num_groups))
    }

    fn on_gpu(codes: GroupedCodes, first_rows: Column, num_groups: usize) -> Self {
        Self { rows: Rows::OnGpu(Box::new(codes), OnceLock::new()), first_rows, num_groups }
    }

    fn of_parts(mut parts: Box<RadixPartitioned>, ctx: &Context) -> Result<Self> {
        let num_groups = parts.len();
        let first_rows = row_column(parts.take_first_rows(ctx)?, parts.rows.to.len(), ctx)?;
        Ok(Self { rows: Rows::Parted(parts, OnceLock::new()), first_rows, num_groups })
    }
}

impl OnDevice for Grouping {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        let of_rows = match &self.rows {
            Rows::Numbered(ids) => ids.elsewhere(device),
            Rows::Parted(..) | Rows::Coded(..) => (device != Device::Cpu).then_some(Device::Cpu),
            Rows::OnGpu(codes, _) => Some(codes.device()).filter(|&own| own != device),
        };
        of_rows.or_else(|| self.first_rows.elsewhere(device))
    }

    fn types(&self) -> String {
        format!("grouping of {} rows", self.num_rows())
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        let ids = match &self.rows {
            Rows::Numbered(ids) => ids,
            Rows::Parted(..) | Rows::Coded(..) => self.ids(&Context::on(Device::Cpu)?)?,
            Rows::OnGpu(codes, _) => self.ids(&Context::on(codes.device())?)?,
        };
        Ok(Self::new(ids.moved_to(ctx)?, self.first_rows.moved_to(ctx)?, self.num_groups))
    }
}

/// Groups rows with equal keys.
///
/// Keys are equal if they are in every column; −0.0 is equal to 0.0, and every missing value (null
/// or NaN) to every other, as in pandas. With `drop_nulls`, rows with a missing key are in no
/// group, otherwise missing is a key like any other. Without key columns all rows are one group.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for 2³² − 1 rows or more.
///
/// ```
/// # mod cuprum_compute {
/// #     pub use cuprum_aggregate::{groupby, reduce};
/// #     pub use cuprum_elementwise::copying;
/// # }
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::copying::{OutOfBoundsPolicy, gather};
/// use cuprum_compute::groupby::{aggregate, group};
/// use cuprum_compute::reduce::Aggregation;
///
/// let ctx = Context::current();
/// let keys = Table::new(vec![Column::from_strs(&["x", "y", "x"], &ctx)?])?;
/// let values = Column::from_slice(&[1i64, 10, 100], &ctx)?;
/// let groups = group(&keys, true, &ctx)?;
/// let sums = aggregate(&groups, &[(&values, Aggregation::Sum)], &ctx)?;
/// assert_eq!(sums[0].view()?.values::<i64>()?, [101, 10]);
/// let keys = gather(&keys, &groups.first_rows, OutOfBoundsPolicy::Check, &ctx)?;
/// assert_eq!(keys.columns()[0].view()?.strings()?.bytes(1), b"y");
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn group(keys: &Table, drop_nulls: bool, ctx: &Context) -> Result<Grouping> {
    func_range!(c"groupby.group");
    check_device!(ctx, [keys]);
    on_device!(
        ctx,
        group_within(keys, drop_nulls, spill::budget(Device::Cpu), ctx),
        cuda::group(keys, drop_nulls, ctx)
    )
}

/// [`group`] in so many bytes of memory.
fn group_within(keys: &Table, drop_nulls: bool, budget: Option<usize>, ctx: &Context) -> Result<Grouping> {
    check_rows(keys.num_rows())?;
    if let Some(rows_at_once) = chunked::rows_at_once(keys, budget) {
        return Grouping::of_numbers(chunked::group(keys, drop_nulls, rows_at_once, ctx)?, ctx);
    }
    let tuning = Tuning::for_rows(keys.num_rows());
    // Rows in parts are no memory that spills.
    let (parted_above, coded_from) = match budget {
        Some(_) => (usize::MAX, usize::MAX),
        None => (tuning.parted_above, tuning.coded_from),
    };
    group_keys(keys, drop_nulls, Tuning { parted_above, coded_from, ..tuning }, ctx)
}

/// [`group`] of all rows at once, with thresholds that tests choose.
fn group_keys(keys: &Table, drop_nulls: bool, tuning: Tuning, ctx: &Context) -> Result<Grouping> {
    check_rows(keys.num_rows())?;
    let plan = EqualityKeys::with_tuning(&[keys], EncodeOptions { nan_is_null: true }, Some(tuning), ctx)?;
    if let Some((coded, first_rows)) = Coded::new(keys, &plan, tuning, ctx)? {
        let num_groups = first_rows.len();
        let first_rows = row_column(first_rows, keys.num_rows(), ctx)?;
        return Ok(Grouping { rows: Rows::Coded(coded, OnceLock::new()), first_rows, num_groups });
    }
    match numbered(plan, keys.num_rows(), drop_nulls, tuning, ctx)? {
        Numbered::Rows(numbers) => Grouping::of_numbers(numbers, ctx),
        Numbered::Parts(parts) => Grouping::of_parts(parts, ctx),
    }
}

/// A grouping as the algorithms of the CPU read it. Ids may be anything: the caller of [`aggregate`] makes
/// them, and may share their memory with others.
#[derive(Clone, Copy)]
struct Grouped<'a> {
    /// The group of each row; rows with another number are in none. Nothing where `parted` is there and nobody
    /// asks for rows.
    ids: &'a [u32],
    groups: usize,
    /// Rows that were moved to parts when they were grouped.
    parted: Option<&'a RadixPartitioned>,
    /// Rows whose numbers are looked up by their keys, where `ids` has none.
    coded: Option<&'a Coded>,
}

/// Numbers of all rows at once, with thresholds that tests choose.
fn number_keys(keys: &Table, drop_nulls: bool, tuning: Option<Tuning>, ctx: &Context) -> Result<Factorized> {
    let tuning = tuning.unwrap_or_else(|| Tuning::for_rows(keys.num_rows()));
    check_rows(keys.num_rows())?;
    let plan = EqualityKeys::with_tuning(&[keys], EncodeOptions { nan_is_null: true }, Some(tuning), ctx)?;
    numbered(plan, keys.num_rows(), drop_nulls, tuning, ctx)?.into_numbers(ctx)
}

/// The rows of keys by their plan; they are fewer than numbers of 32 bits.
fn numbered(
    plan: EqualityKeys<'_>,
    rows: usize,
    drop_nulls: bool,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Numbered> {
    let valid = if drop_nulls { plan.valid_rows(0, ctx)? } else { None };
    let bits = null_mask::bits(valid.as_ref().filter(|(_, nulls)| *nulls > 0), rows)?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    number_or_part(plan, valid, tuning, ctx)
}

/// One row per group and one column per request, in the order of the groups and of the requests.
///
/// Nulls and NaN are skipped (except by `Size`). What the aggregations give:
///
/// | aggregation | of | type | group without a value |
/// |---|---|---|---|
/// | `Sum`, `Product` | integers, booleans | `Int64`, `UInt64` for unsigned ones; wraps around | 0, 1 |
/// | | floats | the same, computed in 64 bits | 0, 1 |
/// | `Sum` | durations | the same | 0 |
/// | `Min`, `Max`, `First`, `Last` | everything; structs are ordered by their fields | the same | null |
/// | `Mean`, `Median`, `Var`, `Std`, `Sem` | numbers | `Float64`; `Float32` for `Float32` | null |
/// | `Mean`, `Median`, `Quantile` | times | the same, rounded towards zero | null |
/// | `Quantile` | numbers | `Float64`; linear between neighbours | null |
/// | `Count`, `Size`, `NUnique` | everything but lists and dictionaries | `Int64` | 0 |
/// | `Any`, `All` | numbers | `Bool8` | false, true |
/// | `BitAnd`, `BitOr`, `BitXor` | integers, booleans | the same | null |
///
/// `Var`, `Std` and `Sem` are null for groups of `ddof` values or fewer. Times are summed exactly for
/// their mean, integers too.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where a column's length is not that of the
/// grouping, with [`DataType`](crate::ErrorKind::DataType) for combinations not in the table and ids of
/// other types than a grouping has, with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a quantile outside 0 to 1, and with
/// [`Overflow`](crate::ErrorKind::Overflow) for sums of durations that do not fit.
pub fn aggregate(
    grouping: &Grouping,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<Vec<Column>> {
    func_range!(c"groupby.aggregate");
    host_only!(
        ctx,
        [grouping, requests] if requests.iter().any(|(column, how)| !cuda::has_kernel(column, *how)),
        aggregate(&grouping, &of_columns(&requests)),
    );
    check_requests(requests, grouping.num_rows())?;
    check_grouping(grouping)?;
    on_device!(ctx, aggregate_groups(grouping, requests))
}

/// [`group`] and [`aggregate`] at once, with the same results: on a GPU, many rows with few keys, integers without nulls, are read
/// once for the groups and for the statistics of a column.
///
/// ```
/// # use cuprum_aggregate as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::{groupby, reduce::Aggregation};
///
/// let ctx = &Context::current();
/// let keys = Table::new(vec![Column::from_slice(&[7i64, 3, 7], ctx)?])?;
/// let values = Column::from_slice(&[1.5, 2.0, 4.0], ctx)?;
/// let (groups, values) = groupby::group_and_aggregate(&keys, true, &[(&values, Aggregation::Sum)], ctx)?;
/// assert_eq!(groups.first_rows.view()?.values::<i32>()?, [0, 1]);
/// assert_eq!(values[0].view()?.values::<f64>()?, [5.5, 2.0]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn group_and_aggregate(
    keys: &Table,
    drop_nulls: bool,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<(Grouping, Vec<Column>)> {
    func_range!(c"groupby.group_and_aggregate");
    check_device!(ctx, [keys, requests]);
    check_requests(requests, keys.num_rows())?;
    let grouping = if ctx.is_on_gpu() {
        match cuda::group_and_aggregate(keys, drop_nulls, requests, ctx)? {
            (grouping, Some(values)) => return Ok((grouping, values)),
            (grouping, None) => grouping,
        }
    } else {
        group(keys, drop_nulls, ctx)?
    };
    let values = aggregate(&grouping, requests, ctx)?;
    Ok((grouping, values))
}

/// Fails where a request is of another number of rows than the grouping, or gives nothing for its type.
fn check_requests(requests: &[(&Column, Aggregation)], rows: usize) -> Result<()> {
    for (i, (column, aggregation)) in requests.iter().enumerate() {
        if column.len() != rows {
            let len = column.len();
            return Err(Error::logic(format!("request {i} has {len} rows, the grouping {rows}")));
        }
        result_type(column.data_type(), *aggregation)?;
    }
    Ok(())
}

/// Fails with `Logic` where the column called `name` has another number of rows than the grouping, or that has
/// more groups than rows.
pub(crate) fn check_length(name: &str, column: &Column, grouping: &Grouping) -> Result<()> {
    let rows = grouping.num_rows();
    if column.len() != rows {
        return Err(Error::logic(format!("`{name}` has {} rows, the grouping {rows}", column.len())));
    }
    check_grouping(grouping)
}

fn check_grouping(grouping: &Grouping) -> Result<()> {
    check_rows(grouping.num_rows())?;
    if grouping.num_groups > grouping.num_rows() {
        return Err(Error::logic(format!(
            "a grouping of {} rows cannot have {} groups",
            grouping.num_rows(),
            grouping.num_groups
        )));
    }
    Ok(())
}

/// Requests as [`aggregate`] takes them.
fn of_columns(requests: &[(Column, Aggregation)]) -> Vec<(&Column, Aggregation)> {
    requests.iter().map(|(column, aggregation)| (column, *aggregation)).collect()
}

/// The type of an aggregation of a column; see [`aggregate`] for the rules and errors.
pub fn result_type(of: DataType, aggregation: Aggregation) -> Result<DataType> {
    let is_time = of.is_timestamp() || of.is_duration();
    let float = if of == DataType::Float32 { DataType::Float32 } else { DataType::Float64 };
    let refuse = || Err(Error::data_type(format!("{aggregation} of {of} is not defined")));
    Ok(match aggregation {
        Aggregation::Sum | Aggregation::Mean | Aggregation::Min | Aggregation::Max if of.is_decimal() => {
            return aggregation.result_type(of);
        }
        Aggregation::Count | Aggregation::Size | Aggregation::NUnique if of.is_decimal() => DataType::Int64,
        Aggregation::First | Aggregation::Last if of.is_decimal() => of,
        Aggregation::Count | Aggregation::Size | Aggregation::NUnique if of == DataType::Struct => {
            DataType::Int64
        }
        Aggregation::Min | Aggregation::Max | Aggregation::First | Aggregation::Last
            if of == DataType::Struct =>
        {
            of
        }
        _ if matches!(of.storage(), Storage::I128 | Storage::Children) => return refuse(),
        Aggregation::Count | Aggregation::Size | Aggregation::NUnique => DataType::Int64,
        Aggregation::Min | Aggregation::Max | Aggregation::First | Aggregation::Last => of,
        Aggregation::Sum if of.is_duration() => of,
        Aggregation::Sum | Aggregation::Product if of.is_float() => of,
        Aggregation::Sum | Aggregation::Product if of.is_unsigned_integer() => DataType::UInt64,
        Aggregation::Sum | Aggregation::Product if of.is_numeric() => DataType::Int64,
        Aggregation::Quantile(q) if !(0.0..=1.0).contains(&q) => {
            return Err(Error::invalid_argument(format!("quantile {q} is not between 0 and 1")));
        }
        Aggregation::Mean | Aggregation::Median | Aggregation::Quantile(_) if is_time => of,
        Aggregation::Quantile(_) if of.is_numeric() => DataType::Float64,
        Aggregation::Mean
        | Aggregation::Median
        | Aggregation::Var { .. }
        | Aggregation::Std { .. }
        | Aggregation::Sem { .. }
            if of.is_numeric() =>
        {
            float
        }
        Aggregation::Any | Aggregation::All if of.is_numeric() => DataType::Bool8,
        Aggregation::BitAnd | Aggregation::BitOr | Aggregation::BitXor => return aggregation.result_type(of),
        _ => return refuse(),
    })
}
