//! Groups of neighbouring times: pandas' `resample` and `Grouper(freq=…)`.
//!
//! Times in order fall into bins one after the other, so that the rows of a bin are a run of them: where runs
//! begin is found by a binary search for each bin, and nothing is hashed.

use std::sync::Arc;

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table, TimeUnit, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::datetime::{Ambiguous, Nonexistent};
use cuprum_compute::groupby::{Grouping, Runs, group, runs};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::sorting::{NullOrder, Order, is_sorted, sorted_order};
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_compute::{concatenate, filling, search, unary};

use super::keys::{Found, find};
use super::{GroupBy, GroupByOptions, Groups, Key};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::tools::frequency::{Frequency, Grid};
use crate::tools::grid::{day_of, point_before};
use crate::tools::ranges::{RangeOptions, date_range};
use crate::tools::{host, nanoseconds, too_far};
use crate::types::{Datetime, Dtype, TypedColumn, local_times, localize};

/// One side of a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
}

/// From where bins of a fixed length are counted.
#[derive(Clone, Debug, Default)]
pub enum BinOrigin {
    /// 1970-01-01 on the clocks of the times.
    Epoch,
    /// The first time.
    Start,
    /// Midnight before the first time.
    #[default]
    StartDay,
    /// The last time, backwards.
    End,
    /// Midnight after the last time, backwards.
    EndDay,
    /// A time, with a zone exactly if the times have one.
    At(TypedColumn),
}

/// Options of bins of times.
#[derive(Clone, Debug)]
pub struct BinOptions {
    /// The length of bins; forwards.
    pub frequency: Frequency,
    /// The end of a bin that belongs to it.
    pub closed: Side,
    /// The end of a bin that is its label.
    pub label: Side,
    /// From where bins of a fixed length are counted; of no effect on others.
    pub origin: BinOrigin,
    /// So many nanoseconds behind the origin; of no effect on other bins than of a fixed length.
    pub offset: i64,
}

/// Bins one after the other, that cover all times they were made for.
#[derive(Clone, Debug)]
pub struct Bins {
    /// The upper ends of the bins, in the storage of the times.
    ends: Column,
    labels: TypedColumn,
    /// The end of a bin that belongs to it.
    closed: Side,
    /// The points that rows are at when there are to be more of them.
    upsampled: TypedColumn,
}

impl Bins {
    /// The bins of timestamps or durations, which may be in any order; none where all are missing.
    ///
    /// Bins of days, and of longer units, are those of the clocks of a zone; shorter ones go on while clocks are
    /// changed. Durations are counted from the shortest one.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for other columns, with
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for bins that go backwards, that the unit
    /// does not hold, or of durations that have no fixed length, and for an origin that has a zone where times
    /// have none.
    pub fn of(times: &TypedColumn, options: &BinOptions) -> Result<Self> {
        let (unit, zone) = match times.dtype() {
            Dtype::Datetime(Datetime { unit, zone }) => (*unit, zone.as_deref()),
            Dtype::Timedelta(kind) => return Self::of_durations(times, kind.unit, options),
            dtype => {
                return Err(Error::data_type(format!(
                    "Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got times of {dtype}"
                )));
            }
        };
        let forwards = match options.frequency {
            Frequency::Ticks(n) | Frequency::Days(n) | Frequency::Grid(_, n) => n > 0,
        };
        if !forwards {
            return Err(Error::invalid_argument("`freq` of bins goes backwards"));
        }
        let Some((first, last)) = ends_of(times)? else {
            return Self::none(times, options.closed);
        };
        let typed = |ticks: &[i64]| of_ticks(ticks, unit, times.dtype());
        let local = |time: i64| -> Result<i64> { one(&local_times(&typed(&[time])?, "resample")?) };
        let day = nanoseconds(TimeUnit::Days) / nanoseconds(unit);
        let fixed = match options.frequency {
            Frequency::Ticks(n) => Some(in_ticks(n, unit)?),
            Frequency::Days(n) if zone.is_none() => Some(n.checked_mul(day).ok_or_else(too_far)?),
            _ => None,
        };
        let points = if let Some(step) = fixed {
            let midnight = |time: i64, up: bool| -> Result<i64> {
                let at = local(time)?;
                let days = at.div_euclid(day) + i64::from(up && at.rem_euclid(day) > 0);
                instant(days.checked_mul(day).ok_or_else(too_far)?, unit, zone)
            };
            let mut first = first;
            let mut origin = match &options.origin {
                BinOrigin::Epoch => instant(0, unit, zone)?,
                BinOrigin::Start => first,
                BinOrigin::StartDay => midnight(first, false)?,
                BinOrigin::At(time) => origin_at(time, unit, zone)?,
                BinOrigin::End | BinOrigin::EndDay => {
                    let ends = matches!(options.origin, BinOrigin::EndDay);
                    let end = if ends { midnight(last, true)? } else { last };
                    let mut steps = (end - first).div_euclid(step);
                    steps += i64::from(options.closed == Side::Left);
                    first =
                        end.checked_sub(steps.checked_mul(step).ok_or_else(too_far)?).ok_or_else(too_far)?;
                    first
                }
            };
            origin = origin.checked_add(in_ticks_rounded(options.offset, unit)).ok_or_else(too_far)?;
            let beyond = |time: i64| -> Result<i64> {
                Ok(time.checked_sub(origin).ok_or_else(too_far)?.rem_euclid(step))
            };
            let (before, behind) = (beyond(first)?, beyond(last)?);
            let right = options.closed == Side::Right;
            let from = first.checked_sub(if right && before == 0 { step } else { before });
            let to = last.checked_add(if right && behind == 0 { 0 } else { step - behind });
            let (from, to) = (from.ok_or_else(too_far)?, to.ok_or_else(too_far)?);
            let ticks = Frequency::Ticks(step.checked_mul(nanoseconds(unit)).ok_or_else(too_far)?);
            let range = range_between(from, to, unit, ticks)?;
            TypedColumn::new(times.dtype().clone(), range)?
        } else {
            let (first, last) = (local(first)?.div_euclid(day), local(last)?.div_euclid(day));
            let (from, to) = days_around(first, last, options)?;
            let ticks = |days: i64| days.checked_mul(day).ok_or_else(too_far);
            let range = range_between(ticks(from)?, ticks(to)?, unit, options.frequency)?;
            at_instants(range.into(), zone)?
        };
        let of_ends = match options.frequency {
            Frequency::Grid(Grid::Week(_), _) => true,
            Frequency::Grid(Grid::Months { every, ends, .. }, _) => ends && every != 6,
            _ => false,
        };
        let points = points.placed(&times.context()?)?.into_owned();
        Self::between_points(times, points, of_ends, options.closed, options.label)
    }

    /// Bins between points in ascending order, which cover all times. With `of_ends` the day of a point
    /// belongs to the bin that it ends, where that is closed to the right.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for times beyond the points, and
    /// for points of another dtype.
    pub fn between(
        times: &TypedColumn,
        points: &TypedColumn,
        of_ends: bool,
        closed: Side,
        label: Side,
    ) -> Result<Self> {
        if points.dtype() != times.dtype() {
            return Err(Error::invalid_argument(format!(
                "bins between points of {} for times of {}",
                points.dtype(),
                times.dtype()
            )));
        }
        if ends_of(times)?.is_none() {
            return Self::none(times, closed);
        }
        Self::between_points(times, points.placed(&times.context()?)?.into_owned(), of_ends, closed, label)
    }

    fn between_points(
        times: &TypedColumn,
        points: TypedColumn,
        of_ends: bool,
        closed: Side,
        label: Side,
    ) -> Result<Self> {
        let Some((first, last)) = ends_of(times)? else { return Self::none(times, closed) };
        let (mut edges, mut kept) = (points.clone(), points.clone());
        if of_ends {
            if closed == Side::Right {
                edges = ends_of_days(&points)?;
            }
            // The last bin is empty where the last times are within the last day of the one before.
            let count = edges.len();
            if count >= 2 && tick(&edges, count - 2)? > last {
                (edges, kept) = (edges.slice(0, count - 1)?, points.slice(0, count - 1)?);
            }
        }
        let bins = edges.len().saturating_sub(1);
        if edges.is_empty() || first < tick(&edges, 0)? {
            return Err(Error::invalid_argument("Values falls before first bin"));
        }
        if last > tick(&edges, bins)? {
            return Err(Error::invalid_argument("Values falls after last bin"));
        }
        let named = if closed == Side::Right { &kept } else { &points };
        let from = usize::from(label == Side::Right).min(named.len());
        let labels = named.slice(from, (named.len() - from).min(bins))?;
        let ends = edges.slice(1, bins)?.data()?.clone();
        let upsampled = kept.slice(usize::from(closed == Side::Right), bins)?;
        Ok(Self { ends: ends.slice(0, labels.len())?, labels, closed, upsampled })
    }

    fn of_durations(times: &TypedColumn, unit: TimeUnit, options: &BinOptions) -> Result<Self> {
        let step = match options.frequency {
            Frequency::Ticks(n) if n > 0 => in_ticks(n, unit)?,
            Frequency::Days(n) if n > 0 => in_ticks(n.saturating_mul(nanoseconds(TimeUnit::Days)), unit)?,
            Frequency::Grid(..) => {
                return Err(Error::invalid_argument(
                    "Resampling on a TimedeltaIndex requires fixed-duration `freq`, e.g. '24h' or '3D'",
                ));
            }
            _ => return Err(Error::invalid_argument("`freq` of bins goes backwards")),
        };
        let Some((first, last)) = ends_of(times)? else { return Self::none(times, options.closed) };
        let ctx = times.context()?;
        let reach = if options.closed == Side::Right { step } else { 0 };
        let reach = last.checked_add(reach).and_then(|end| end.checked_sub(first)).ok_or_else(too_far)?;
        let count = usize::try_from(reach / step + 1).map_err(|_| too_far())?;
        let starts = filling::sequence(first, step, count, &ctx)?;
        let later = |ticks: i64| -> Result<Column> {
            let end = first.checked_add(reach).and_then(|end| end.checked_add(ticks));
            end.ok_or_else(too_far)?;
            let later = binary_operation(&starts, &Scalar::from(ticks), BinaryOperator::Add, &ctx)?;
            unary::cast(&later, DataType::Duration(unit), &ctx)
        };
        let labels: TypedColumn = later(in_ticks(options.offset, unit)?)?.into();
        let ends = later(if options.closed == Side::Left { step } else { 0 })?;
        Ok(Self { upsampled: later(0)?.into(), ends, labels, closed: options.closed })
    }

    fn none(times: &TypedColumn, closed: Side) -> Result<Self> {
        let empty = times.slice(0, 0)?;
        let ends = empty.data()?.clone();
        Ok(Self { ends, labels: empty.clone(), upsampled: empty, closed })
    }

    /// The labels of the bins.
    pub fn labels(&self) -> &TypedColumn {
        &self.labels
    }

    /// The times at which `ffill` and its kin give values: one for each bin, at its open side.
    pub fn upsampled(&self) -> &TypedColumn {
        &self.upsampled
    }

    /// The label of the bin of every time; missing where the time is.
    pub fn labels_of(&self, times: &TypedColumn) -> Result<TypedColumn> {
        self.labels.take_or_null(&self.numbers_of(times)?)
    }

    /// The number of the bin of every time, the number of bins where it is missing.
    fn numbers_of(&self, times: &TypedColumn) -> Result<Column> {
        let ctx = times.context()?;
        let (ends, times) = (Table::new(vec![self.ends.clone()])?, times.data()?);
        let needles = Table::new(vec![times.clone()])?;
        let orders = [Order::Ascending];
        // A time at an end is behind it, or before it where bins are closed to the right.
        match self.closed {
            Side::Left => search::upper_bound(&ends, &needles, &orders, NullOrder::Last, &ctx),
            Side::Right => search::lower_bound(&ends, &needles, &orders, NullOrder::Last, &ctx),
        }
    }

    /// The offsets of the bins in the times, which are in order and not missing: from 0 on.
    fn offsets(&self, times: &Column) -> Result<Column> {
        let ctx = times.context()?;
        let (ends, times) = (Table::new(vec![self.ends.clone()])?, Table::new(vec![times.clone()])?);
        let orders = [Order::Ascending];
        let offsets = match self.closed {
            Side::Left => search::lower_bound(&times, &ends, &orders, NullOrder::Last, &ctx)?,
            Side::Right => search::upper_bound(&times, &ends, &orders, NullOrder::Last, &ctx)?,
        };
        let zero = Column::from_slice(&[0i64], &ctx)?;
        concatenate::concatenate(&[&zero, &unary::cast(&offsets, DataType::Int64, &ctx)?], &ctx)
    }
}

impl GroupBy {
    /// Groups of neighbouring times, also those without rows: a group for each bin of `bins`, which is called with the
    /// first and the last of the times that `key` stands for. The rows are taken in the order of their times, those
    /// without one, which belong to no group, first. Beside the groups, the bins.
    pub fn by_times(
        frame: &DataFrame,
        key: Key,
        as_index: bool,
        bins: impl FnOnce(&TypedColumn) -> Result<Bins>,
    ) -> Result<(Self, Bins)> {
        let labels = matches!(key, Key::Level(_)) && frame.index().num_levels() == 1;
        let Found { name, column: times, own } = find(frame, key)?;
        // Known facts of row labels are not computed again.
        let sorted = labels && frame.index().is_monotonic_increasing()?;
        let (frame, times) = if sorted { (frame.clone(), times) } else { in_order(frame, &times)? };
        let bins = bins(&first_and_last(&times)?)?;
        let mut owns = vec![false; frame.num_columns()];
        if let Some(own) = own {
            owns[own] = true;
        }
        let table = Table::with_rows(vec![times.data()?.clone()], times.len())?;
        let groups = Self {
            keys: table,
            frame,
            key_types: vec![times.dtype().clone()],
            key_names: vec![name],
            frequency: None,
            own: owns,
            options: GroupByOptions { as_index, ..GroupByOptions::default() },
            groups: Arc::default(),
            rows: Arc::default(),
        };
        let without = times.null_count()?;
        let offsets = bins.offsets(times.slice(without, times.len() - without)?.data()?)?;
        Ok((groups.in_runs(without, &offsets, vec![bins.labels.data()?.clone()])?, bins))
    }

    /// [`by_times`](Self::by_times) that leaves rows in their order; those without a time belong to no group.
    pub fn by_bins(
        frame: &DataFrame,
        key: Key,
        as_index: bool,
        bins: impl FnOnce(&TypedColumn) -> Result<Bins>,
    ) -> Result<Self> {
        let ctx = frame.context()?;
        let Found { name, column: times, own } = find(frame, key)?;
        let bins = bins(&times)?;
        let count = bins.labels.len();
        let numbers = unary::cast(&bins.numbers_of(&times)?, DataType::Int64, &ctx)?;
        let within = binary_operation(&numbers, &Scalar::from(count as i64), BinaryOperator::Less, &ctx)?;
        let numbers = copying::copy_if_else(&numbers, &Scalar::null(DataType::Int64), &within, &ctx)?;
        let numbers = Table::with_rows(vec![numbers], times.len())?;
        let grouping = group(&numbers, true, &ctx)?;
        let found = copying::gather(&numbers, &grouping.first_rows, OutOfBoundsPolicy::Check, &ctx)?;
        let groups = filling::sequence(0, 1, grouping.num_groups, &ctx)?;
        let none = Column::nulls(DataType::Int64, count, &ctx)?;
        let order = copying::scatter(&groups, &found.columns()[0], &none, &ctx)?;
        let mut owns = vec![false; frame.num_columns()];
        if let Some(own) = own {
            owns[own] = true;
        }
        let found = Groups {
            grouping,
            order: Some(order),
            keys: vec![bins.labels.data()?.clone()],
            unobserved: true,
        };
        Ok(Self {
            keys: Table::with_rows(vec![times.data()?.clone()], times.len())?,
            frame: frame.clone(),
            key_types: vec![times.dtype().clone()],
            key_names: vec![name],
            frequency: None,
            own: owns,
            options: GroupByOptions { as_index, ..GroupByOptions::default() },
            groups: Arc::new(found.into()),
            rows: Arc::default(),
        })
    }

    /// [`by_times`](Self::by_times) in every group: the bins of a group are those that `bins` gives for its times, and
    /// go by the keys of the group and their own labels. Groups without times have none.
    pub fn by_times_within(
        &self,
        key: Key,
        mut bins: impl FnMut(&TypedColumn) -> Result<Bins>,
    ) -> Result<Self> {
        let ctx = self.keys.context()?;
        let Found { name, column: times, own } = find(&self.frame, key)?;
        let numbers = self.ngroup()?.column().data()?.clone();
        // Rows in order of groups and times, those without either left out.
        let zero = Scalar::from(0i64);
        let inside = binary_operation(&numbers, &zero, BinaryOperator::GreaterEqual, &ctx)?;
        let known = unary::is_valid(times.data()?, &ctx)?;
        let kept = binary_operation(&inside, &known, BinaryOperator::And, &ctx)?;
        let place = Table::new(vec![numbers, times.data()?.clone()])?;
        let mut rows = filling::sequence(0, 1, kept.len(), &ctx)?;
        rows = apply_boolean_mask(&Table::new(vec![rows])?, &kept, &ctx)?.columns()[0].clone();
        let orders = [Order::Ascending; 2];
        let mut place = copying::gather(&place, &rows, OutOfBoundsPolicy::Check, &ctx)?;
        if !is_sorted(&place, &orders, NullOrder::Last, &ctx)? {
            let order = sorted_order(&place, &orders, NullOrder::Last, &ctx)?;
            rows = copying::gather_column(&rows, &order, OutOfBoundsPolicy::Check, &ctx)?;
            place = copying::gather(&place, &order, OutOfBoundsPolicy::Check, &ctx)?;
        }
        let times = times.like(place.columns()[1].clone());
        // The start of each group among them.
        let groups = self.num_groups()?;
        let each = filling::sequence(0, 1, groups + 1, &ctx)?;
        let each = Table::new(vec![unary::cast(&each, place.columns()[0].data_type(), &ctx)?])?;
        let of_rows = Table::new(vec![place.columns()[0].clone()])?;
        let starts = search::lower_bound(&of_rows, &each, &orders[..1], NullOrder::Last, &ctx)?.to_host()?;
        let start = |group: usize| -> Result<usize> {
            let row = starts.get(group)?.as_i64().ok_or_else(|| Error::logic("a place is no number"))?;
            usize::try_from(row).map_err(|_| Error::logic("a place is no row"))
        };
        let (mut of_bins, mut labels) = (vec![], vec![times.slice(0, 0)?.data()?.clone()]);
        let mut ends = vec![Column::from_slice(&[0i64], &ctx)?];
        for group in 0..groups {
            ctx.check()?;
            let (from, to) = (start(group)?, start(group + 1)?);
            let inside = times.slice(from, to - from)?;
            let bins = bins(&first_and_last(&inside)?)?;
            let count = bins.labels.len();
            let within = bins.offsets(inside.data()?)?.slice(1, count)?;
            ends.push(binary_operation(&within, &Scalar::from(from as i64), BinaryOperator::Add, &ctx)?);
            labels.push(bins.labels.data()?.clone());
            of_bins.push(Column::from_scalar(&Scalar::from(group as i64), count, &ctx)?);
        }
        of_bins.push(Column::from_slice::<i64>(&[], &ctx)?);
        let together = |parts: &[Column]| concatenate::concatenate(&parts.iter().collect::<Vec<_>>(), &ctx);
        let keys = Table::with_rows(self.groups()?.keys.clone(), groups)?;
        let mut keys =
            copying::gather(&keys, &together(&of_bins)?, OutOfBoundsPolicy::Check, &ctx)?.into_columns();
        keys.push(together(&labels)?);
        let mut of_rows = copying::gather(&self.keys, &rows, OutOfBoundsPolicy::Check, &ctx)?.into_columns();
        of_rows.push(times.data()?.clone());
        let mut result = Self {
            frame: self.frame.take(&rows)?,
            keys: Table::with_rows(of_rows, times.len())?,
            key_types: self.key_types.clone(),
            key_names: self.key_names.clone(),
            frequency: None,
            own: self.own.clone(),
            options: GroupByOptions { as_index: true, ..self.options },
            groups: Arc::default(),
            rows: Arc::default(),
        };
        result.key_types.push(times.dtype().clone());
        result.key_names.push(name);
        if let Some(own) = own {
            result.own[own] = true;
        }
        result.in_runs(0, &together(&ends)?, keys)
    }

    /// These rows but the first `without` ones in groups of neighbours, which end at `offsets` behind these and have
    /// `keys`.
    fn in_runs(mut self, without: usize, offsets: &Column, keys: Vec<Column>) -> Result<Self> {
        let ctx = self.keys.context()?;
        let Runs { mut grouping, groups } = runs(offsets, self.frame.num_rows() - without, &ctx)?;
        if without > 0 {
            let ids = grouping.ids(&ctx)?;
            let kind = ids.data_type();
            let none = Column::from_scalar(&Scalar::new(kind, Value::Int(-1))?, without, &ctx)?;
            let ids = concatenate::concatenate(&[&none, ids], &ctx)?;
            let further = Scalar::from(without as i64);
            let first_rows = binary_operation(&grouping.first_rows, &further, BinaryOperator::Add, &ctx)?;
            let first_rows = unary::cast(&first_rows, kind, &ctx)?;
            grouping = Grouping::new(ids, first_rows, grouping.num_groups);
        }
        let within = grouping.num_rows();
        if within < self.frame.num_rows() {
            self.frame = self.frame.slice(0, within)?;
            self.keys = self.keys.slice(0, within)?;
        }
        let none = binary_operation(&groups, &Scalar::from(0i64), BinaryOperator::Less, &ctx)?;
        let order = copying::copy_if_else(&Scalar::null(groups.data_type()), &groups, &none, &ctx)?;
        let found = Groups { grouping, order: Some(order), keys, unobserved: true };
        self.groups = Arc::new(found.into());
        Ok(self)
    }

    /// The column, or other values, that a key stands for, under its name.
    pub fn values_of_key(frame: &DataFrame, key: Key) -> Result<(Option<Label>, TypedColumn)> {
        let Found { name, column, .. } = find(frame, key)?;
        Ok((name, column))
    }
}

/// The rows in the order of times, those without one first.
fn in_order(frame: &DataFrame, typed: &TypedColumn) -> Result<(DataFrame, TypedColumn)> {
    let ctx = frame.context()?;
    let data = typed.data()?;
    let table = Table::new(vec![data.clone()])?;
    let orders = [Order::Ascending];
    if is_sorted(&table, &orders, NullOrder::First, &ctx)? {
        return Ok((frame.clone(), typed.clone()));
    }
    let order = sorted_order(&table, &orders, NullOrder::First, &ctx)?;
    let times = copying::gather_column(data, &order, OutOfBoundsPolicy::Check, &ctx)?;
    Ok((frame.take(&order)?, typed.like(times)))
}

/// The first and the last of times in order, missing ones first; none where all are missing.
fn first_and_last(times: &TypedColumn) -> Result<TypedColumn> {
    let known = times.slice(times.null_count()?, times.len() - times.null_count()?)?;
    if known.len() <= 2 {
        return Ok(known);
    }
    let (first, last) = (known.slice(0, 1)?, known.slice(known.len() - 1, 1)?);
    let both = concatenate::concatenate(&[first.data()?, last.data()?], &times.context()?)?;
    Ok(times.like(both))
}

/// The first and the last of the times, in ticks; `None` where all are missing.
fn ends_of(times: &TypedColumn) -> Result<Option<(i64, i64)>> {
    let ctx = times.context()?;
    let end = |how| Ok::<_, Error>(reduce(times.data()?, how, &ctx)?.as_i64());
    Ok(end(Aggregation::Min)?.zip(end(Aggregation::Max)?))
}

fn tick(times: &TypedColumn, row: usize) -> Result<i64> {
    times.data()?.get(row)?.as_i64().ok_or_else(|| Error::invalid_argument("a point between bins is missing"))
}

fn one(column: &Column) -> Result<i64> {
    column.get(0)?.as_i64().ok_or_else(|| Error::logic("a time that is not null has ticks"))
}

/// Ticks as times, on the host.
fn of_ticks(ticks: &[i64], unit: TimeUnit, dtype: &Dtype) -> Result<TypedColumn> {
    let ctx = host()?;
    let ticks = Column::from_slice(ticks, &ctx)?;
    TypedColumn::new(dtype.clone(), unary::cast(&ticks, DataType::Timestamp(unit), &ctx)?)
}

/// Times of clocks as instants of a zone; the first of two, and the next that there is, as in pandas.
fn at_instants(local: TypedColumn, zone: Option<&str>) -> Result<TypedColumn> {
    match zone {
        Some(zone) => localize(&local, Some(zone), Ambiguous::Earlier, Nonexistent::ShiftForward),
        None => Ok(local),
    }
}

/// The instant at which clocks of a zone show a time.
fn instant(local: i64, unit: TimeUnit, zone: Option<&str>) -> Result<i64> {
    let local = of_ticks(&[local], unit, &Dtype::Datetime(Datetime { unit, zone: None }))?;
    one(at_instants(local, zone)?.data()?)
}

/// Nanoseconds in ticks of a unit that holds them.
fn in_ticks(length: i64, unit: TimeUnit) -> Result<i64> {
    let of_tick = nanoseconds(unit);
    if length % of_tick != 0 {
        return Err(Error::invalid_argument(format!(
            "bins with a `freq` or `offset` of {length} ns for times in '{}': take a finer unit with as_unit",
            unit.code()
        )));
    }
    Ok(length / of_tick)
}

/// Nanoseconds in ticks of a unit, to the nearest one.
fn in_ticks_rounded(length: i64, unit: TimeUnit) -> i64 {
    let of_tick = nanoseconds(unit);
    let (down, rest) = (length.div_euclid(of_tick), length.rem_euclid(of_tick));
    down + i64::from(rest * 2 > of_tick || (rest * 2 == of_tick && down % 2 != 0))
}

fn origin_at(time: &TypedColumn, unit: TimeUnit, zone: Option<&str>) -> Result<i64> {
    let Dtype::Datetime(Datetime { unit: from, zone: own }) = time.dtype() else {
        return time.dtype().refuse("an origin of bins");
    };
    if own.is_some() != zone.is_some() {
        return Err(Error::invalid_argument("The origin must have the same timezone as the index."));
    }
    let ticks = tick(time, 0)?;
    let (of_one, of_other) = (nanoseconds(*from), nanoseconds(unit));
    if of_one >= of_other {
        ticks.checked_mul(of_one / of_other).ok_or_else(too_far)
    } else {
        Ok(ticks.div_euclid(of_other / of_one))
    }
}

/// Every time from one to another, both in ticks.
fn range_between(from: i64, to: i64, unit: TimeUnit, frequency: Frequency) -> Result<Column> {
    let time = |ticks| Scalar::new(DataType::Timestamp(unit), Value::Int(ticks));
    let range = date_range(&RangeOptions {
        start: Some(time(from)?),
        end: Some(time(to)?),
        frequency: Some(frequency),
        unit: Some(unit),
        ..RangeOptions::default()
    })?;
    range.data()?.to_host()
}

/// From which day to which one bins go that cover two days: days of the grid where there is one.
fn days_around(first: i64, last: i64, options: &BinOptions) -> Result<(i64, i64)> {
    let right = options.closed == Side::Right;
    match options.frequency {
        Frequency::Grid(grid, n) => {
            let at = |day: i64, on: i64, off: i64| -> Result<i64> {
                let before = point_before(grid, day)?;
                let by = if day_of(grid, before)? == day { on } else { off };
                day_of(grid, before.checked_add(by).ok_or_else(too_far)?)
            };
            let from = if right { at(first, -n, 1 - n)? } else { at(first, 0, 0)? };
            Ok((from, at(last, n, n)?))
        }
        Frequency::Days(n) => {
            let from = if right { first.checked_sub(n) } else { Some(first) };
            Ok((from.ok_or_else(too_far)?, last.checked_add(n).ok_or_else(too_far)?))
        }
        Frequency::Ticks(_) => Err(Error::logic("ticks are of a fixed length")),
    }
}

/// The last moments of the days of times, as clocks show them.
fn ends_of_days(times: &TypedColumn) -> Result<TypedColumn> {
    let Dtype::Datetime(Datetime { unit, zone }) = times.dtype() else { return times.dtype().refuse("days") };
    let local = local_times(times, "resample")?;
    let ctx = local.context()?;
    let day = nanoseconds(TimeUnit::Days) / nanoseconds(*unit) - 1;
    let ticks = unary::cast(&local, DataType::Int64, &ctx)?;
    let ends = binary_operation(&ticks, &Scalar::from(day), BinaryOperator::Add, &ctx)?;
    at_instants(unary::cast(&ends, DataType::Timestamp(*unit), &ctx)?.into(), zone.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use crate::groupby::Request;
    use cuprum_column::ErrorKind;

    fn times(texts: &[&str]) -> TypedColumn {
        let texts: TypedColumn = texts.iter().map(|text| (!text.is_empty()).then_some(*text)).collect();
        let ctx = texts.context().unwrap();
        let unit = TimeUnit::Seconds;
        cuprum_compute::datetime::strptime(texts.data().unwrap(), None, unit, &ctx).unwrap().into()
    }

    fn options(frequency: &str) -> BinOptions {
        BinOptions {
            frequency: frequency.parse().unwrap(),
            closed: Side::Left,
            label: Side::Left,
            origin: BinOrigin::StartDay,
            offset: 0,
        }
    }

    fn texts(column: &TypedColumn) -> Vec<String> {
        (0..column.len()).map(|row| column.get(row).unwrap().to_string()).collect()
    }

    #[test]
    fn rows_of_bins_are_summed_in_any_order() {
        let at = times(&["2020-01-03T04:00", "", "2020-01-01T23:00", "2020-01-01T05:00"]);
        let frame = df! { "v" => [8i64, 4, 2, 1] }.unwrap().with_column("at", at).unwrap();
        let bins = |times: &TypedColumn| Bins::of(times, &options("D"));
        let sum = [Request::new("v", "v", Aggregation::Sum)];
        let (groups, found) = GroupBy::by_times(&frame, "at".into(), true, bins).unwrap();
        let sums = groups.aggregate(&sum).unwrap();
        assert_eq!(texts(&sums.columns()[0]), ["3", "0", "8"]);
        assert_eq!(found.labels().len(), 3);
        // Rows in the order of their times, that without one first.
        assert_eq!(texts(&groups.frame().columns()[0]), ["4", "1", "2", "8"]);
        let groups = GroupBy::by_bins(&frame, "at".into(), true, bins).unwrap();
        assert!(groups.aggregate(&sum).unwrap().equals(&sums).unwrap());
        assert_eq!(texts(&groups.frame().columns()[0]), ["8", "4", "2", "1"]);
    }

    #[test]
    fn groups_have_bins_of_their_own() {
        let at = times(&["2020-01-01", "2020-01-04", "2020-01-03", "2020-01-02"]);
        let frame = df! { "k" => ["x", "y", "x", "y"], "v" => [1i64, 2, 4, 8] }.unwrap();
        let frame = frame.with_column("at", at).unwrap();
        let groups = GroupBy::by(&frame, ["k"], GroupByOptions::default()).unwrap();
        let bins = groups.by_times_within("at".into(), |times| Bins::of(times, &options("2D"))).unwrap();
        let sums = bins.aggregate(&[Request::new("v", "v", Aggregation::Sum)]).unwrap();
        assert_eq!(texts(&sums.columns()[0]), ["1", "4", "8", "2"]);
        assert_eq!(sums.index().num_levels(), 2);
    }

    #[test]
    fn what_are_no_bins() {
        let at = times(&["2020-01-01T00:00:01"]);
        let kind = |times: &TypedColumn, options: &BinOptions| Bins::of(times, options).unwrap_err().kind();
        assert_eq!(kind(&at, &options("-1D")), ErrorKind::InvalidArgument);
        assert_eq!(kind(&at, &options("500ms")), ErrorKind::InvalidArgument);
        let numbers: TypedColumn = [1i64].into_iter().collect();
        assert_eq!(kind(&numbers, &options("D")), ErrorKind::DataType);
        let far = BinOptions { offset: i64::MAX, origin: BinOrigin::Epoch, ..options("106000D") };
        assert!(Bins::of(&at, &far).is_ok());
        let points = times(&["2020-01-02", "2020-01-03"]);
        let outside = Bins::between(&at, &points, false, Side::Left, Side::Left).unwrap_err();
        assert_eq!(outside.kind(), ErrorKind::InvalidArgument);
        let durations = at.like(at.data().unwrap().clone());
        assert!(Bins::between(&durations, &numbers, false, Side::Left, Side::Left).is_err());
    }
}
