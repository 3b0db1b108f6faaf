//! The rows of labels.

use cuprum_column::{Column, Context, DataType, Error, ErrorKind, Result, Scalar, Table, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::replace::nans_to_nulls;
use cuprum_compute::unary::cast;
use cuprum_compute::{copying, filling, search, stream_compaction};

use super::element::{Part, element, named_ticks, tick};
use super::facts::{Found, Levels};
use super::intervals::interval_of_each;
use super::{Index, Labels};
use crate::label::Label;
use crate::types::equality;
use crate::types::partial_dates;
use crate::types::{self, Datetime, Dtype, TypedColumn, localize, promotion};

impl Index {
    /// The rows whose labels equal `key` (one label per level, or only for the outer levels). Texts among times
    /// name all of the unit that they are written in.
    pub fn find(&self, key: &[Label]) -> Result<Column> {
        let ctx = self.context()?;
        if key.is_empty() || (key.len() > self.num_levels() && self.as_mixed().is_none()) {
            return Err(Error::key_not_found(format!(
                "a key of {} parts for an index of {} levels",
                key.len(),
                self.num_levels()
            )));
        }
        match &self.labels {
            Labels::Range(range) => {
                let rows: Vec<i64> = whole_number(&key[0])
                    .and_then(|label| range.find(label))
                    .map(|row| row as i64)
                    .into_iter()
                    .collect();
                Column::from_slice(&rows, &ctx)
            }
            Labels::Mixed(mixed) => Column::from_slice(&mixed.find(key), &ctx),
            Labels::Kept(kept) => {
                let levels = kept.levels()?;
                find_in(&levels, key, &ctx)
            }
            Labels::Columns(levels) => find_in(levels, key, &ctx),
        }
    }

    /// The rows of a label: of a tuple, those of its parts.
    pub fn find_label(&self, label: &Label) -> Result<Column> {
        let tuple = self.num_levels() > 1;
        let key = if tuple { label.parts() } else { std::slice::from_ref(label) };
        if key.len() > self.num_levels() && self.as_mixed().is_none() {
            return Column::from_slice::<i64>(&[], &self.context()?);
        }
        self.find(key)
    }

    /// True for the rows under none of `labels`; a label stands for all that begin with its parts. With
    /// `ignore` labels that are not there are passed over.
    ///
    /// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for one that is not there.
    pub fn rows_without(&self, labels: &[Label], ignore: bool) -> Result<Column> {
        let ctx = self.context()?;
        let mut rows = vec![];
        for label in labels {
            let found = self.find_label(label)?;
            if found.is_empty() && !ignore {
                return Err(Error::key_not_found(format!("{label} not found in axis")));
            }
            rows.push(cast(&found, DataType::Int64, &ctx)?);
        }
        let all = Column::from_scalar(&Scalar::from(true), self.len(), &ctx)?;
        if rows.is_empty() {
            return Ok(all);
        }
        let rows = concatenate(&rows.iter().collect::<Vec<_>>(), &ctx)?;
        copying::scatter_scalar(&Scalar::from(false), &rows, &all, &ctx)
    }

    /// The rows of the labels in `keys` (for a one-level index), in the order of `keys`, every
    /// occurrence of each. Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for
    /// labels that are not there.
    pub fn find_all(&self, keys: &TypedColumn) -> Result<Column> {
        let [level] = &self.columns()?[..] else {
            return Err(Error::unsupported("selecting a list of labels from a MultiIndex"));
        };
        let ctx = level.context()?;
        if let (Dtype::Interval(_), false) = (level.dtype(), matches!(keys.dtype(), Dtype::Interval(_))) {
            let rows = interval_of_each(level, &*keys.placed(&ctx)?)?;
            let absent = stream_compaction::mask_to_rows(&equality::missing(&rows)?, &ctx)?;
            if absent.is_empty() {
                return Ok(rows);
            }
            let label = Label::of(keys.dtype(), &keys.get(absent.get(0)?.as_i64().unwrap_or(0) as usize)?)?;
            return Err(Error::key_not_found(format!("{label} is not in the index")));
        }
        let (keys, level) = types::unify_labels(&meeting(&*keys.placed(&ctx)?, level)?, level)?;
        let stored = |column: &TypedColumn| Table::new(vec![nans_to_nulls(column.keys("loc")?, &ctx)?]);
        let (wanted, rows) = self.partners(&stored(&keys)?, &stored(&level)?, &ctx)?;
        let absent = absent(&rows, &ctx)?;
        if reduce(&absent, Aggregation::Any, &ctx)?.as_bool() == Some(true) {
            let first = stream_compaction::mask_to_rows(&absent, &ctx)?.get(0)?.as_i64().unwrap_or(0);
            let row = wanted.get(first as usize)?.as_i64().unwrap_or(0) as usize;
            let label = Label::of(keys.decoded()?.dtype(), &keys.get(row)?)?;
            return Err(Error::key_not_found(format!("{label} is not in the index")));
        }
        Ok(rows)
    }

    /// The pairs of rows of `wanted` keys with each row whose label they equal, in their order; a key without any has
    /// one pair, with a number below 0. `present` are the labels of these rows as keys like those.
    pub(crate) fn partners(
        &self,
        wanted: &Table,
        present: &Table,
        ctx: &Context,
    ) -> Result<(Column, Column)> {
        if let Labels::Columns(levels) = &self.labels
            && let Some((keys, rows)) = levels.find_each(wanted, present)?
        {
            return Ok((Column::from_slice(&keys, ctx)?, Column::from_slice(&rows, ctx)?));
        }
        join(wanted, present, JoinKind::Left, true, ctx)
    }

    /// For each part of `key` whether it is a text that selects a unit of time among the labels of its level
    /// (`"2013-01"`: a month), not one label.
    pub fn spans(&self, key: &[Label]) -> Result<Vec<bool>> {
        (0..key.len()).map(|level| self.is_span(level, &key[level])).collect()
    }

    /// Whether `key` is a unit of time in which no label lies, but which an index of one level has nevertheless:
    /// labels that ascend have those between the first and the last of them, others have all.
    pub fn is_empty_span(&self, key: &[Label]) -> Result<bool> {
        let (Labels::Columns(levels), [label]) = (&self.labels, key) else { return Ok(false) };
        let ([level], true) = (&levels.columns[..], self.is_span(0, label)?) else { return Ok(false) };
        if !levels.is_increasing()? {
            return Ok(true);
        }
        let Some(ticks) = named_ticks(label, level.dtype())? else { return Ok(false) };
        let after = equality::lower_bound(level.data()?, &tick(level.dtype(), *ticks.end())?, true)?;
        let present = level.len() - level.data()?.null_count()?;
        Ok(level.is_empty() || (1..present).contains(&after))
    }

    fn is_span(&self, level: usize, label: &Label) -> Result<bool> {
        let Labels::Columns(levels) = &self.labels else { return Ok(false) };
        match (label, levels.columns.get(level).map(TypedColumn::dtype)) {
            (Label::Str(text), Some(Dtype::Datetime(Datetime { unit, .. }))) => {
                partial_dates::is_span(text, *unit, || levels.resolution(level))
            }
            (Label::Str(text), Some(Dtype::Period(kind))) => {
                Ok(kind.named(text).is_some_and(|(first, last)| first != last))
            }
            _ => Ok(false),
        }
    }

    /// The row range of the label slice `start..=stop`, both ends included, as `loc` has it.
    ///
    /// A label that is not there is allowed in a sorted index and marks its place.
    pub fn slice_bounds(
        &self,
        start: Option<&Label>,
        stop: Option<&Label>,
    ) -> Result<std::ops::Range<usize>> {
        let len = self.len();
        if let Labels::Range(range) = &self.labels
            && range.step > 0
        {
            let place = |label: &Label, after: bool| -> Result<usize> {
                if let Some(label) = whole_number(label) {
                    let (distance, step) =
                        (i128::from(label) - i128::from(range.start), i128::from(range.step));
                    let row =
                        if after { distance.div_euclid(step) + 1 } else { -(-distance).div_euclid(step) };
                    return Ok(usize::try_from(row.max(0)).unwrap_or(len).min(len));
                }
                let x = label
                    .to_scalar()
                    .filter(|_| !matches!(label, Label::Bool(_)))
                    .and_then(|scalar| scalar.as_f64())
                    .ok_or_else(|| {
                        Error::data_type(format!("cannot slice an integer index with '{label}'"))
                    })?;
                let steps = (x - range.start as f64) / range.step as f64;
                let row = if after { steps.floor() + 1.0 } else { steps.ceil() };
                Ok((row.max(0.0) as usize).min(len))
            };
            let first = start.map_or(Ok(0), |s| place(s, false))?;
            let end = stop.map_or(Ok(len), |s| place(s, true))?;
            return Ok(first..end.max(first));
        }
        if let Labels::Mixed(_) = &self.labels {
            let place = |label: &Label, after: bool| self.edge(label, after);
            let first = start.map_or(Ok(0), |s| place(s, false))?;
            let end = stop.map_or(Ok(len), |s| place(s, true))?;
            return Ok(first..end.max(first));
        }
        let level = &self.level(0)?;
        let sorted = self.is_monotonic_increasing()?;
        let descending = !sorted && self.num_levels() == 1 && self.is_monotonic_decreasing()?;
        let place = |label: &Label, after: bool| -> Result<usize> {
            let dtype = level.dtype();
            if let (Label::Tuple(parts), true) = (label, self.num_levels() > 1) {
                return self.tuple_bound(parts, after);
            }
            if let Dtype::Interval(_) = dtype {
                return self.interval_bound(level, label, after);
            }
            if self.num_levels() > 1 && self.is_span(0, label)? {
                return Err(Error::unsupported(format!(
                    "slicing an index of several levels with a part of a date: \"{label}\"; give the times"
                )));
            }
            let ticks = named_ticks(label, dtype)?;
            if !sorted && ticks.is_some() {
                return Err(Error::key_not_found(format!(
                    "{label} names no place in an index that is not sorted upwards; select with a mask"
                )));
            }
            if !sorted && !descending {
                return self.edge(label, after);
            }
            let bound = match ticks {
                Some(ticks) => tick(dtype, if after { *ticks.end() } else { *ticks.start() })?,
                None => bound(label, dtype)?,
            };
            let labels = level.ordered("slicing by label")?;
            if descending {
                equality::lower_bound_descending(labels, &bound, after)
            } else {
                equality::lower_bound(labels, &bound, after)
            }
        };
        let first = start.map_or(Ok(0), |s| place(s, false))?;
        let end = stop.map_or(Ok(len), |s| place(s, true))?;
        Ok(first..end.max(first))
    }

    /// The first row of the labels that begin with `parts`, or the one behind the last, or where they would be.
    /// Fails for labels that do not ascend.
    fn tuple_bound(&self, parts: &[Label], after: bool) -> Result<usize> {
        if parts.is_empty() || parts.len() > self.num_levels() {
            return Err(Error::key_not_found(format!(
                "a label of {} parts in an index of {} levels",
                parts.len(),
                self.num_levels()
            )));
        }
        if !self.is_monotonic_increasing()? {
            return Err(Error::key_not_found(format!(
                "a label of {} parts names no place in an index that is not sorted: sort it, or select with a mask",
                parts.len()
            )));
        }
        let levels = self.columns()?;
        let (mut first, mut end) = (0, self.len());
        for (i, (part, level)) in parts.iter().zip(levels.iter()).enumerate() {
            if self.is_span(i, part)? {
                return Err(Error::unsupported(format!(
                    "slicing an index of several levels with a part of a date: {part}; give the times"
                )));
            }
            let value = bound(part, level.dtype())?;
            let labels = level.ordered("slicing by label")?.slice(first, end - first)?;
            let low = first + equality::lower_bound(&labels, &value, false)?;
            let high = first + equality::lower_bound(&labels, &value, true)?;
            if low == high {
                return Ok(low);
            }
            (first, end) = (low, high);
        }
        Ok(if after { end } else { first })
    }

    /// The first row of a label that is there, or the one behind its last. Fails where other labels stand
    /// between its rows.
    fn edge(&self, label: &Label, after: bool) -> Result<usize> {
        let rows = self.find(std::slice::from_ref(label))?;
        if rows.is_empty() {
            return Err(Error::key_not_found(format!("{label} is not in the index")));
        }
        let row = |i: usize| Ok::<_, Error>(rows.get(i)?.as_i64().unwrap_or(0));
        if row(rows.len() - 1)? - row(0)? >= rows.len() as i64 {
            return Err(Error::key_not_found(format!(
                "Cannot get {} slice bound for non-unique label: {label}",
                if after { "right" } else { "left" }
            )));
        }
        let edge = rows.get(if after { rows.len() - 1 } else { 0 })?.as_i64().unwrap_or(0) as usize;
        Ok(if after { edge + 1 } else { edge })
    }
}

/// The rows whose labels start with `key`.
fn find_in(levels: &Levels, key: &[Label], ctx: &Context) -> Result<Column> {
    let parts = key.iter().zip(&levels.columns).map(|(label, level)| Part::new(label, level.dtype()));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    if parts.iter().any(|part| matches!(part, Part::Nothing)) {
        return Column::from_slice::<i64>(&[], ctx);
    }
    let elements = parts.iter().map(|part| if let Part::Element(e) = part { Some(e.clone()) } else { None });
    if let Some(elements) = elements.collect::<Option<Vec<_>>>() {
        match levels.find(&elements)? {
            Some(Found::Rows(rows)) => return Column::from_slice(&rows, ctx),
            Some(Found::Range(rows)) => return filling::sequence(rows.start as i64, 1, rows.len(), ctx),
            None => {}
        }
    }
    if let ([Part::Ticks(ticks)], [level]) = (&parts[..], &levels.columns[..])
        && levels.is_increasing()?
    {
        let edge = |at: i64, after| equality::lower_bound(level.data()?, &tick(level.dtype(), at)?, after);
        let (first, end) = (edge(*ticks.start(), false)?, edge(*ticks.end(), true)?);
        return filling::sequence(first as i64, 1, end.saturating_sub(first), ctx);
    }
    scan(&levels.columns, &parts, ctx)
}

/// A label as what its place among stored values is found by: it need not be one of them.
pub(super) fn bound(label: &Label, dtype: &Dtype) -> Result<Scalar> {
    let wrong = || Error::data_type(format!("cannot slice an index of type {dtype} with {label}"));
    let scalar = label.to_scalar().ok_or_else(wrong)?;
    match (dtype, label) {
        (Dtype::Categorical(_), _) => element(label, dtype)?
            .ok_or_else(|| Error::key_not_found(format!("{label} is not in the index: it is no category"))),
        (Dtype::Decimal(_) | Dtype::Period(_), _) => element(label, dtype)?.ok_or_else(wrong),
        (Dtype::Datetime(Datetime { zone, .. }), label) => match label {
            Label::Str(_) => element(label, dtype)?.ok_or_else(wrong),
            Label::Instant(..) if zone.is_some() => Ok(scalar),
            Label::Timestamp(..) | Label::Date(_) if zone.is_none() => Ok(scalar),
            _ => Err(wrong()),
        },
        (Dtype::Date(_), Label::Date(_)) => Ok(scalar),
        (Dtype::Date(_), _) | (_, Label::Date(_) | Label::Instant(..) | Label::Period(..)) => Err(wrong()),
        _ => promotion::coerce_operand(&scalar, dtype.storage()).map(std::borrow::Cow::into_owned),
    }
}

/// Keys beside the labels that they are looked for among: texts become times, of the zone of the labels.
pub(super) fn meeting(keys: &TypedColumn, level: &TypedColumn) -> Result<TypedColumn> {
    use cuprum_compute::datetime::{Ambiguous, Nonexistent};
    match (keys.dtype(), level.dtype()) {
        (Dtype::String(_), Dtype::Datetime(Datetime { unit, zone })) => {
            let clocks = types::cast(keys, &Dtype::Datetime(Datetime { unit: *unit, zone: None }))?;
            match zone {
                None => Ok(clocks),
                Some(zone) => localize(&clocks, Some(zone), Ambiguous::Raise, Nonexistent::Raise),
            }
        }
        _ => Ok(keys.clone()),
    }
}

/// A mask of the rows [found](Index::partners) that are none.
pub(super) fn absent(rows: &Column, ctx: &Context) -> Result<Column> {
    binary_operation(rows, &Scalar::new(rows.data_type(), Value::Int(0))?, BinaryOperator::Less, ctx)
}

/// The integer that a number is; `None` for truth values, times and the rest.
fn whole_number(label: &Label) -> Option<i64> {
    match *label {
        Label::Int(value) => Some(value),
        Label::Float(x) if x.fract() == 0.0 && x.abs() < 9.0e18 => Some(x as i64),
        Label::Decimal(digits, 0) => i64::try_from(digits).ok(),
        _ => None,
    }
}

/// The rows whose labels are what `parts` stand for, all labels compared.
fn scan(levels: &[TypedColumn], parts: &[Part], ctx: &Context) -> Result<Column> {
    let nowhere = |rows| Column::from_scalar(&Scalar::from(false), rows, ctx);
    let mut mask: Option<Column> = None;
    for (level, part) in levels.iter().zip(parts) {
        let data = level.data()?;
        let hit = match part {
            Part::Ticks(range) => partial_dates::within(data, range)?,
            Part::Element(element) if matches!(level.dtype(), Dtype::Decimal(_) | Dtype::Interval(_)) => {
                search::contains(&Column::from_scalar(element, 1, ctx)?, data, ctx)?
            }
            Part::Element(element) => equality::equals_scalar(data, element)?,
            Part::Inside(value) => match types::contain(level, value) {
                // Nothing of another type lies in an interval.
                Err(error) if error.kind() == ErrorKind::DataType => nowhere(data.len())?,
                inside => inside?,
            },
            Part::Missing => level.missing()?,
            Part::Nothing => nowhere(data.len())?,
        };
        mask = Some(match mask {
            None => hit,
            Some(mask) => binary_operation(&mask, &hit, BinaryOperator::And, ctx)?,
        });
    }
    let mask = mask.ok_or_else(|| Error::logic("a key has parts"))?;
    stream_compaction::mask_to_rows(&mask, ctx)
}
