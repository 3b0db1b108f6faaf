//! Values as the intervals that they lie in: pandas' `cut` and `qcut`.

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Table, TimeUnit, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::filling;
use cuprum_compute::quantiles::Interpolation;
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::search;
use cuprum_compute::sorting::{NullOrder, Order, is_sorted};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};

use crate::index::interval_of_each;
use crate::series::Series;
use crate::types::{
    self, Categorical, Categories, Closed, Datetime, Dtype, Timedelta, TypedColumn, intervals,
};

/// Where values are cut.
#[derive(Clone, Copy, Debug)]
pub enum Bins<'a> {
    /// So many intervals of one width that hold all values: the outermost edge is a thousandth of the range
    /// beyond them.
    Count(usize),
    /// At these edges, which ascend.
    Edges(&'a TypedColumn),
    /// Into these intervals, which do not overlap.
    Intervals(&'a TypedColumn),
}

/// What stands for the intervals.
#[derive(Clone, Copy, Debug, Default)]
pub enum BinLabels<'a> {
    /// They themselves, their bounds rounded.
    #[default]
    Intervals,
    /// Their numbers, from 0 on.
    Numbers,
    /// A value for each of them.
    Given(&'a TypedColumn),
}

/// What is done with edges that are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateEdges {
    /// They are an error.
    #[default]
    Refuse,
    /// One of them is taken.
    Drop,
}

/// How [`Series::cut`] makes intervals, and what of.
#[derive(Clone, Copy, Debug)]
pub struct CutOptions<'a> {
    /// The upper bound belongs to an interval, else the lower one.
    pub right: bool,
    /// What stands for the intervals.
    pub labels: BinLabels<'a>,
    /// Significant digits of the bounds behind the point; more where edges would else be equal.
    pub precision: u32,
    /// The lowest edge belongs to the first interval as well.
    pub include_lowest: bool,
    /// What is done with equal edges.
    pub duplicates: DuplicateEdges,
    /// The categories compare by their order. Labels have to be given where they do not.
    pub ordered: bool,
}

impl Default for CutOptions<'_> {
    fn default() -> Self {
        Self {
            right: true,
            labels: BinLabels::Intervals,
            precision: 3,
            include_lowest: false,
            duplicates: DuplicateEdges::default(),
            ordered: true,
        }
    }
}

/// Values in their intervals, and the edges (or the intervals, where these were given).
#[derive(Clone, Debug)]
pub struct Cut {
    /// Categories, or numbers of intervals; missing where a value is, or lies in none.
    pub values: Series,
    /// The edges at which values were cut, or the intervals.
    pub bins: TypedColumn,
}

impl Series {
    /// The interval that each value lies in, as categories in the order of the intervals; see [`CutOptions`].
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for no bins, bins that do not
    /// ascend, repeat or overlap, another number of labels than of bins, and labels that repeat and are to be
    /// ordered; for a number of bins of no values or of infinite ones; and with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) for values that are no numbers and no times.
    pub fn cut(&self, bins: Bins<'_>, options: CutOptions<'_>) -> Result<Cut> {
        let values = cuttable(self.column())?;
        let bins = match bins {
            Bins::Count(count) => even_edges(&values, count, options.right)?,
            Bins::Edges(edges) => ascending(edges)?,
            Bins::Intervals(bins) => {
                check_labels(options)?;
                let codes = interval_of_each(bins, &values)?;
                let kind = Categorical::of(Categories::new(bins.clone(), true)?);
                let values = kind.from_codes(&codes)?;
                return Ok(Cut { values: self.with_column(values), bins: bins.clone() });
            }
        };
        let (cut, bins) = cut_at(&values, bins, options)?;
        Ok(Cut { values: self.with_column(cut), bins })
    }

    /// [`cut`](Self::cut) at quantiles of the values: with `q` of `0, 0.25, 0.5, 0.75, 1` into quarters. The
    /// lowest value is in the first interval.
    pub fn qcut(&self, q: &[f64], options: CutOptions<'_>) -> Result<Cut> {
        let values = cuttable(self.column())?;
        let edges = self.with_column(values.clone()).quantile(q, Interpolation::Linear)?;
        let options = CutOptions { right: true, include_lowest: true, ..options };
        let (cut, bins) = cut_at(&values, edges.column().clone(), options)?;
        Ok(Cut { values: self.with_column(cut), bins })
    }
}

/// The largest number of bins, more than anybody looks at: every edge is a category.
const MOST: usize = 1 << 24;

/// The shares of `count` quantiles, for [`Series::qcut`]: rounded up where no float has them.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for none, and for more than 2²⁴.
pub fn quantile_shares(count: usize) -> Result<Vec<f64>> {
    if count == 0 || count > MOST {
        return Err(Error::invalid_argument(format!(
            "`q` should be a positive integer. It is {count}, no number between 1 and {MOST}"
        )));
    }
    let step = 1.0 / count as f64;
    let share = |i: usize| {
        let share = if i == count { 1.0 } else { i as f64 * step };
        if share * count as f64 == i as f64 { share } else { share.next_up() }
    };
    Ok((0..=count).map(share).collect())
}

/// The values of a kind that is cut: truth values are 0 and 1, days become seconds, the coarsest unit of
/// pandas' times.
fn cuttable(values: &TypedColumn) -> Result<TypedColumn> {
    let to = match values.dtype() {
        Dtype::Bool(_) => Dtype::plain(DataType::Int64),
        Dtype::Null(_) => Dtype::plain(DataType::Float64),
        Dtype::Datetime(Datetime { unit: TimeUnit::Days, zone }) => {
            Dtype::Datetime(Datetime { unit: TimeUnit::Seconds, zone: zone.clone() })
        }
        Dtype::Timedelta(Timedelta { unit: TimeUnit::Days }) => {
            Dtype::plain(DataType::Duration(TimeUnit::Seconds))
        }
        Dtype::Numeric(_) | Dtype::Datetime(_) | Dtype::Timedelta(_) => return Ok(values.clone()),
        other => return other.refuse("`cut`"),
    };
    types::cast(values, &to)
}

fn unit_of(dtype: &Dtype) -> Option<TimeUnit> {
    match dtype.storage() {
        DataType::Timestamp(unit) | DataType::Duration(unit) => Some(unit),
        _ => None,
    }
}

/// The edges of `count` intervals of one width between the smallest and the largest value.
fn even_edges(values: &TypedColumn, count: usize, right: bool) -> Result<TypedColumn> {
    if count == 0 || count > MOST {
        return Err(Error::invalid_argument(format!(
            "`bins` should be a positive integer. It is {count}, no number between 1 and {MOST}"
        )));
    }
    if values.is_empty() {
        return Err(Error::invalid_argument("Cannot cut empty array"));
    }
    let low = types::reduce(values, Aggregation::Min)?;
    let high = types::reduce(values, Aggregation::Max)?;
    let ctx = values.context()?;
    if let Some(unit) = unit_of(values.dtype()) {
        let (Some(low), Some(high)) = (low.as_i64(), high.as_i64()) else { return Err(no_edges()) };
        let ticks = even_ticks(low, high, count, right, unit)?;
        let ticks = Column::from_slice(&ticks, &ctx)?.bit_cast(values.dtype().storage())?;
        return TypedColumn::new(values.dtype().clone(), ticks);
    }
    let width = match (low.as_i64(), high.as_i64()) {
        (Some(low), Some(high)) => (i128::from(high) - i128::from(low)) as f64,
        _ => high.as_f64().zip(low.as_f64()).map_or(0.0, |(high, low)| high - low),
    };
    let (Some(mut low), Some(mut high)) = (low.as_f64(), high.as_f64()) else { return Err(no_edges()) };
    if low.is_infinite() || high.is_infinite() {
        return Err(Error::invalid_argument(
            "cannot specify integer `bins` when input data contains infinity",
        ));
    }
    let single = low == high;
    if single {
        let margin = |x: f64| if x == 0.0 { 0.001 } else { 0.001 * x.abs() };
        (low, high) = (low - margin(low), high + margin(high));
    }
    let step = (high - low) / count as f64;
    let mut edges: Vec<f64> =
        (0..=count).map(|i| if i == count { high } else { i as f64 * step + low }).collect();
    if !single {
        let margin = width * 0.001;
        if right {
            edges[0] -= margin;
        } else {
            edges[count] += margin;
        }
    }
    Ok(Column::from_slice(&edges, &ctx)?.into())
}

fn no_edges() -> Error {
    Error::invalid_argument("Bin edges must be unique: all values are missing")
}

/// [`even_edges`] of times: whole ticks, one second beyond a single value.
fn even_ticks(low: i64, high: i64, count: usize, right: bool, unit: TimeUnit) -> Result<Vec<i64>> {
    let second = unit.per_second().unwrap_or(1);
    let single = low == high;
    let beyond = || Error::overflow(format!("edges around {low} and {high} {}", unit.code()));
    let (start, end) = if single {
        (low.checked_sub(second).ok_or_else(beyond)?, high.checked_add(second).ok_or_else(beyond)?)
    } else {
        (low, high)
    };
    let width = end.checked_sub(start).ok_or_else(beyond)?;
    let step = width as f64 / count as f64;
    let tick = |i: usize| if i == count { end } else { start + (i as f64 * step).floor() as i64 };
    let mut ticks: Vec<i64> = (0..=count).map(tick).collect();
    if !single {
        let margin = (width as f64 * 0.001) as i64;
        if right {
            ticks[0] = ticks[0].checked_sub(margin).ok_or_else(beyond)?;
        } else {
            ticks[count] = ticks[count].checked_add(margin).ok_or_else(beyond)?;
        }
    }
    Ok(ticks)
}

/// Edges that were given, which have to ascend.
fn ascending(edges: &TypedColumn) -> Result<TypedColumn> {
    let edges = match edges.dtype() {
        Dtype::String(_) => edges.clone(),
        _ => cuttable(edges)?,
    };
    let ctx = edges.context()?;
    let table = Table::new(vec![edges.ordered("`cut`")?.clone()])?;
    let missing = types::reduce(&edges.missing().map(TypedColumn::from)?, Aggregation::Any)?;
    if missing.as_bool() == Some(true) || !is_sorted(&table, &[Order::Ascending], NullOrder::Last, &ctx)? {
        return Err(Error::invalid_argument("bins must increase monotonically."));
    }
    Ok(edges)
}

fn check_labels(options: CutOptions<'_>) -> Result<()> {
    if !options.ordered && matches!(options.labels, BinLabels::Intervals) {
        return Err(Error::invalid_argument("'labels' must be provided if 'ordered = False'"));
    }
    Ok(())
}

/// Values and edges as columns that can be compared.
fn comparable(values: &TypedColumn, edges: &TypedColumn) -> Result<(TypedColumn, TypedColumn)> {
    let Some(common) = values.dtype().common(edges.dtype()) else {
        return Err(Error::invalid_argument(match (values.dtype(), edges.dtype()) {
            (Dtype::Datetime(_), Dtype::Datetime(_)) => {
                "Cannot use timezone-naive bins with timezone-aware values, or vice-versa".to_owned()
            }
            (Dtype::Datetime(_), _) => "bins must be of datetime64 dtype".to_owned(),
            (Dtype::Timedelta(_), _) => "bins must be of timedelta64 dtype".to_owned(),
            (values, edges) => format!("values of type {values} cannot be cut at bins of type {edges}"),
        }));
    };
    Ok((types::cast(values, &common)?, types::cast(edges, &common)?))
}

fn cut_at(
    values: &TypedColumn,
    edges: TypedColumn,
    options: CutOptions<'_>,
) -> Result<(TypedColumn, TypedColumn)> {
    check_labels(options)?;
    let ctx = values.context()?;
    let edges = unique_edges(edges.placed(&ctx)?.into_owned(), options.duplicates)?;
    let places = places_among(values, &edges, options)?;
    // What is made of the number of an interval is made once for each place, not for each value.
    let codes = interval_numbers(&edges, &ctx)?;
    let of_places: TypedColumn = match options.labels {
        BinLabels::Numbers => codes.into(),
        BinLabels::Intervals => {
            let labels = bin_intervals(&edges, options)?;
            labelled(&codes, &*labels.placed(&ctx)?, true)?
        }
        BinLabels::Given(labels) => {
            if labels.len() + 1 != edges.len() {
                let repeat = options.ordered && labels.len() != distinct(labels)?.len();
                return Err(if repeat {
                    repeated()
                } else {
                    Error::invalid_argument("Bin labels must be one fewer than the number of bin edges")
                });
            }
            labelled(&codes, &*labels.placed(&ctx)?, options.ordered)?
        }
    };
    let policy = OutOfBoundsPolicy::Check;
    let cut = of_places.moved(|column| copying::gather_column(column, &places, policy, &ctx))?;
    Ok((cut, edges))
}

fn repeated() -> Error {
    Error::invalid_argument("labels must be unique if ordered=True; pass ordered=False for duplicate labels")
}

/// The rows of the different values of a column.
fn distinct(column: &TypedColumn) -> Result<Column> {
    let keys = Table::new(vec![column.keys("`cut`")?.clone()])?;
    distinct_rows(&keys, Keep::First, true, &keys.context()?)
}

fn unique_edges(edges: TypedColumn, duplicates: DuplicateEdges) -> Result<TypedColumn> {
    let rows = distinct(&edges)?;
    if rows.len() == edges.len() || edges.len() == 2 {
        return Ok(edges);
    }
    if duplicates == DuplicateEdges::Refuse {
        let shown: Vec<String> = (0..edges.len().min(20))
            .map(|row| Ok(crate::label::Label::of(edges.dtype(), &edges.get(row)?)?.to_string()))
            .collect::<Result<_>>()?;
        return Err(Error::invalid_argument(format!(
            "Bin edges must be unique: [{}].\nYou can drop duplicate edges by setting the 'duplicates' kwarg",
            shown.join(", ")
        )));
    }
    edges.take_or_null(&rows)
}

/// How many edges are before each value: 0, or all of them, for values in no interval and missing ones.
fn places_among(values: &TypedColumn, edges: &TypedColumn, options: CutOptions<'_>) -> Result<Column> {
    let (values, edges) = comparable(values, edges)?;
    let ctx = values.context()?;
    let table = |column: &TypedColumn| Table::new(vec![column.ordered("`cut`")?.clone()]);
    let find = if options.right { search::lower_bound } else { search::upper_bound };
    let places = find(&table(&edges)?, &table(&values)?, &[], NullOrder::Last, &ctx)?;
    if !options.include_lowest || edges.is_empty() {
        return Ok(places);
    }
    let lowest = binary_operation(values.data()?, &edges.data()?.get(0)?, BinaryOperator::Equal, &ctx)?;
    copying::copy_if_else(&Scalar::new(places.data_type(), Value::Int(1))?, &places, &lowest, &ctx)
}

/// The number of the interval of each [place](places_among), from 0 on; null for those of none.
fn interval_numbers(edges: &TypedColumn, ctx: &Context) -> Result<Column> {
    let places = filling::sequence(0, 1, edges.len() + 1, ctx)?;
    let compare = |op, with: i64| binary_operation(&places, &Scalar::from(with), op, ctx);
    let inside = binary_operation(
        &compare(BinaryOperator::Greater, 0)?,
        &compare(BinaryOperator::Less, edges.len() as i64)?,
        BinaryOperator::And,
        ctx,
    )?;
    let codes = compare(BinaryOperator::Sub, 1)?;
    copying::copy_if_else(&codes, &Scalar::null(DataType::Int64), &inside, ctx)
}

/// The labels that numbers stand for: categories in the order of the labels, ascending where these repeat.
fn labelled(codes: &Column, labels: &TypedColumn, ordered: bool) -> Result<TypedColumn> {
    let ctx = codes.context()?;
    if let Dtype::Categorical(_) = labels.dtype() {
        return labels.moved(|labels| copying::gather_column(labels, codes, OutOfBoundsPolicy::Check, &ctx));
    }
    if distinct(labels)?.len() == labels.len() {
        return Categorical::of(Categories::new(labels.clone(), ordered)?).from_codes(codes);
    }
    if ordered && !matches!(labels.dtype(), Dtype::Interval(_)) {
        return Err(repeated());
    }
    let labels = Categorical::encode_distinct(labels, ordered)?;
    labels.moved(|labels| copying::gather_column(labels, codes, OutOfBoundsPolicy::Check, &ctx))
}

/// The intervals between edges, whose bounds are rounded.
fn bin_intervals(edges: &TypedColumn, options: CutOptions<'_>) -> Result<TypedColumn> {
    let closed = if options.right { Closed::Right } else { Closed::Left };
    let adjusted = options.right && options.include_lowest;
    let host = Context::beside(Device::Cpu)?;
    let edges = edges.placed(&host)?;
    let values: Vec<Scalar> = (0..edges.len()).map(|row| edges.get(row)).collect::<Result<_>>()?;
    let bounds: TypedColumn = if edges.dtype().storage().is_float() {
        let values: Vec<f64> = values.iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect();
        let (mut rounded, precision) = round_edges(&values, options.precision);
        if let (true, Some(first)) = (adjusted, rounded.first_mut()) {
            *first -= 10f64.powf(-f64::from(precision));
        }
        Column::from_slice(&rounded, &host)?.into()
    } else if unit_of(edges.dtype()).is_some() {
        let tick = |(i, value): (usize, &Scalar)| match (value.as_i64(), adjusted && i == 0) {
            (Some(tick), true) => tick.checked_sub(1),
            (tick, _) => tick,
        };
        let ticks: Vec<Option<i64>> = values.iter().enumerate().map(tick).collect();
        let ticks = Column::from_options(&ticks, &host)?.bit_cast(edges.dtype().storage())?;
        TypedColumn::new(edges.dtype().clone(), ticks)?
    } else if adjusted {
        let mut values: Vec<f64> = values.iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect();
        if let Some(first) = values.first_mut() {
            *first -= 10f64.powf(-f64::from(options.precision));
        }
        Column::from_slice(&values, &host)?.into()
    } else {
        edges.into_owned()
    };
    let count = bounds.len().saturating_sub(1);
    intervals(&bounds.slice(0, count)?, &bounds.slice(usize::from(count > 0), count)?, closed)
}

/// Edges rounded to `precision` significant digits behind the point, or as many more as keep them apart; and
/// how many those are.
fn round_edges(edges: &[f64], precision: u32) -> (Vec<f64>, u32) {
    let rounded = |precision| edges.iter().map(|&x| round_fraction(x, precision)).collect::<Vec<_>>();
    for precision in precision..20 {
        let values = rounded(precision);
        if values.windows(2).all(|pair| pair[0] != pair[1]) {
            return (values, precision);
        }
    }
    (rounded(precision), precision)
}

/// A number with `precision` digits behind the point, counted from the first that is not 0.
fn round_fraction(x: f64, precision: u32) -> f64 {
    if !x.is_finite() || x == 0.0 {
        return x;
    }
    let precision = precision as i32;
    let digits =
        if x.trunc() == 0.0 { -(x.fract().abs().log10().floor() as i32) - 1 + precision } else { precision };
    let power = 10f64.powi(digits.abs());
    if !power.is_finite() {
        // Of so small a number no digit is behind these.
        return x;
    }
    if digits >= 0 { (x * power).round_ties_even() / power } else { (x / power).round_ties_even() * power }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Label;
    use cuprum_column::ErrorKind;

    fn series(values: &[Option<f64>]) -> Series {
        let column = Column::from_options(values, &Context::current()).unwrap();
        Series::new(column, None, crate::index::Index::range(values.len())).unwrap()
    }

    fn shown(cut: &Cut) -> Vec<String> {
        let values = cut.values.column().decoded().unwrap();
        let label = |row| Label::of(values.dtype(), &values.get(row).unwrap()).unwrap().to_string();
        (0..values.len()).map(label).collect()
    }

    #[test]
    fn values_lie_in_intervals() {
        let ages = series(&[Some(1.5), Some(2.0), None, Some(7.0), Some(8.0)]);
        let cut = ages.cut(Bins::Count(3), CutOptions::default()).unwrap();
        assert_eq!(shown(&cut), ["(1.494, 3.667]", "(1.494, 3.667]", "None", "(5.833, 8.0]", "(5.833, 8.0]"]);
        assert_eq!(cut.bins.len(), 4);
        let Dtype::Categorical(kind) = cut.values.dtype() else { panic!("categories") };
        assert!(kind.categories().is_ordered());
        let edges = Column::from_slice(&[2i64, 4, 8], &Context::current()).unwrap().into();
        let cut = ages.cut(Bins::Edges(&edges), CutOptions::default()).unwrap();
        assert_eq!(shown(&cut), ["None", "None", "None", "(4, 8]", "(4, 8]"]);
        let numbers = CutOptions { labels: BinLabels::Numbers, right: false, ..CutOptions::default() };
        let cut = ages.cut(Bins::Edges(&edges), numbers).unwrap();
        assert_eq!(shown(&cut), ["None", "0", "None", "1", "None"]);
    }

    #[test]
    fn the_smallest_numbers_are_told_apart() {
        let values = series(&[Some(0.0), Some(f64::MIN_POSITIVE), Some(f64::MIN_POSITIVE * 4.0)]);
        let numbers = CutOptions { labels: BinLabels::Numbers, ..CutOptions::default() };
        assert_eq!(shown(&values.cut(Bins::Count(2), numbers).unwrap()), ["0", "0", "1"]);
        assert_eq!(values.cut(Bins::Count(2), CutOptions::default()).unwrap().values.len(), 3);
    }

    #[test]
    fn quantiles_hold_the_lowest_value() {
        let values = series(&[Some(0.0), Some(1.0), Some(2.0), Some(3.0), Some(4.0)]);
        let cut = values.qcut(&quantile_shares(4).unwrap(), CutOptions::default()).unwrap();
        assert_eq!(shown(&cut), ["(-0.001, 1.0]", "(-0.001, 1.0]", "(1.0, 2.0]", "(2.0, 3.0]", "(3.0, 4.0]"]);
    }

    #[test]
    fn wrong_bins_are_refused() {
        let values = series(&[Some(1.0), Some(2.0)]);
        let refused = |bins: Bins<'_>, options: CutOptions<'_>, message: &str| {
            let error = values.cut(bins, options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
            assert!(error.to_string().contains(message), "{error}");
        };
        refused(Bins::Count(0), CutOptions::default(), "positive integer");
        refused(Bins::Count(usize::MAX), CutOptions::default(), "positive integer");
        let edges =
            |values: &[f64]| TypedColumn::from(Column::from_slice(values, &Context::current()).unwrap());
        refused(Bins::Edges(&edges(&[2.0, 1.0])), CutOptions::default(), "increase monotonically");
        refused(Bins::Edges(&edges(&[1.0, 2.0, 2.0])), CutOptions::default(), "must be unique");
        refused(Bins::Count(2), CutOptions { ordered: false, ..CutOptions::default() }, "'labels' must");
        let labels = edges(&[1.0]);
        let given = CutOptions { labels: BinLabels::Given(&labels), ..CutOptions::default() };
        refused(Bins::Count(2), given, "one fewer");
        let infinite = series(&[Some(f64::INFINITY), Some(1.0)]);
        assert!(infinite.cut(Bins::Count(2), CutOptions::default()).is_err());
    }
}
