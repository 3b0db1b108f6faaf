//! The rows of labels.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table, Value};
use cuprum_compute::filling;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::replace::nans_to_nulls;
use cuprum_compute::search;
use cuprum_compute::stream_compaction;
use cuprum_compute::unary::{UnaryOperator, cast, unary_operation};

use super::facts::Found;
use super::{Index, Labels};
use crate::indexing::partial_dates;
use crate::label::Label;
use crate::operations::equality;
use crate::types::promotion;

impl Index {
    /// The rows whose labels equal `key` (one scalar per level, or only for the outer levels).
    pub fn find(&self, key: &[Scalar]) -> Result<Column> {
        let ctx = self.context()?;
        if key.is_empty() || (key.len() > self.num_levels() && self.as_mixed().is_none()) {
            return Err(Error::key_not_found(format!(
                "a key of {} parts for an index of {} levels",
                key.len(),
                self.num_levels()
            )));
        }
        if let Labels::Columns(levels) = &self.labels
            && levels.columns.iter().zip(key).any(|(level, part)| is_text_of_time(level, part))
        {
            return scan(&levels.columns, key, &ctx);
        }
        let rows = match &self.labels {
            Labels::Range(range) => whole_number(&key[0])
                .and_then(|label| range.find(label))
                .map(|row| row as i64)
                .into_iter()
                .collect(),
            Labels::Mixed(mixed) => {
                mixed.find(&key.iter().map(Label::from_scalar).collect::<Result<Vec<_>>>()?)
            }
            // Truth values are no numbers here, as in pandas.
            Labels::Columns(levels)
                if !levels.columns.iter().zip(key).all(|(c, part)| same_truth(c, part)) =>
            {
                vec![]
            }
            Labels::Columns(levels) => match levels.find(key)? {
                Some(Found::Rows(rows)) => rows,
                Some(Found::Range(rows)) => {
                    return filling::sequence(rows.start as i64, 1, rows.len(), &ctx);
                }
                None => return scan(&levels.columns, key, &ctx),
            },
        };
        Column::from_slice(&rows, &ctx)
    }

    /// The rows of a label: of a tuple, those of its parts.
    pub fn find_label(&self, label: &Label) -> Result<Column> {
        if let Labels::Mixed(mixed) = &self.labels {
            let key = if self.num_levels() > 1 { label.parts() } else { std::slice::from_ref(label) };
            return Column::from_slice(&mixed.find(key), &self.context()?);
        }
        let parts: Option<Vec<Scalar>> = label.parts().iter().map(Label::to_scalar).collect();
        match parts {
            Some(parts) if parts.len() <= self.num_levels() => self.find(&parts),
            _ => Column::from_slice::<i64>(&[], &self.context()?),
        }
    }

    /// The rows of the labels in `keys` (for a one-level index), in the order of `keys`, every
    /// occurrence of each. Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for
    /// labels that are not there.
    pub fn find_all(&self, keys: &Column) -> Result<Column> {
        use cuprum_compute::join::{JoinKind, join};
        let [level] = &self.columns()?[..] else {
            return Err(Error::unsupported("selecting a list of labels from a MultiIndex"));
        };
        let ctx = level.context()?;
        let keys = &*keys.placed(&ctx)?;
        let text_for_time = keys.data_type() == DataType::String && level.data_type().is_timestamp();
        let keys = if text_for_time { cast(keys, level.data_type(), &ctx)? } else { keys.clone() };
        let (keys, level) = promotion::unify_keys(&keys, level)?;
        let (keys, level) = (nans_to_nulls(&keys, &ctx)?, nans_to_nulls(&level, &ctx)?);
        let present = search::contains(&level, &keys, &ctx)?;
        if reduce(&present, Aggregation::All, &ctx)?.as_bool() == Some(false) {
            let absent = unary_operation(&present, UnaryOperator::Not, &ctx)?;
            let first = stream_compaction::mask_to_rows(&absent, &ctx)?.get(0)?.as_i64().unwrap_or(0);
            return Err(Error::key_not_found(format!("{} is not in the index", keys.get(first as usize)?)));
        }
        let (_, rows) =
            join(&Table::new(vec![keys])?, &Table::new(vec![level])?, JoinKind::Inner, true, &ctx)?;
        Ok(rows)
    }

    /// For each part of `key` whether it is a text that selects a unit of time among the labels of its level
    /// (`"2013-01"`: a month), not one label.
    pub fn spans(&self, key: &[Scalar]) -> Result<Vec<bool>> {
        let Labels::Columns(levels) = &self.labels else { return Ok(vec![false; key.len()]) };
        let span = |(part, level): (&Scalar, &Column)| match part.value() {
            Value::String(text) => partial_dates::is_span(text, level),
            _ => Ok(false),
        };
        key.iter().zip(&levels.columns).map(span).collect()
    }

    /// The row range of the label slice `start..=stop`, both ends included, as `loc` has it.
    ///
    /// A label that is not there is allowed in a sorted index and marks its place.
    pub fn slice_bounds(
        &self,
        start: Option<&Scalar>,
        stop: Option<&Scalar>,
    ) -> Result<std::ops::Range<usize>> {
        let len = self.len();
        if let Labels::Range(range) = &self.labels
            && range.step > 0
        {
            let place = |label: &Scalar, after: bool| -> Result<usize> {
                let x = label
                    .as_f64()
                    .ok_or_else(|| Error::data_type(format!("cannot slice an integer index with {label}")))?;
                let steps = (x - range.start as f64) / range.step as f64;
                let row = if after { steps.floor() + 1.0 } else { steps.ceil() };
                Ok((row.max(0.0) as usize).min(len))
            };
            let first = start.map_or(Ok(0), |s| place(s, false))?;
            let end = stop.map_or(Ok(len), |s| place(s, true))?;
            return Ok(first..end.max(first));
        }
        if let Labels::Mixed(_) = &self.labels {
            let place = |label: &Scalar, after: bool| self.edge(label, after);
            let first = start.map_or(Ok(0), |s| place(s, false))?;
            let end = stop.map_or(Ok(len), |s| place(s, true))?;
            return Ok(first..end.max(first));
        }
        let level = &self.level(0)?;
        let sorted = self.is_monotonic_increasing()?;
        let place = |label: &Scalar, after: bool| -> Result<usize> {
            let ticks = named_ticks(level, label)?;
            if self.num_levels() > 1
                && let Value::String(text) = label.value()
                && partial_dates::is_span(text, level)?
            {
                return Err(Error::unsupported(format!(
                    "slicing an index of several levels with a part of a date: {label}; give the times"
                )));
            }
            let label = match &ticks {
                Some(_) if !sorted => {
                    return Err(Error::key_not_found(format!(
                        "{label} names no place in an index that is not sorted; select with a mask"
                    )));
                }
                Some(ticks) => {
                    let tick = if after { ticks.end() } else { ticks.start() };
                    Cow::Owned(Scalar::new(level.data_type(), Value::Int(*tick))?)
                }
                None => promotion::coerce_operand(label, level.data_type())?,
            };
            if sorted {
                return equality::lower_bound(level, &label, after);
            }
            self.edge(&label, after)
        };
        let first = start.map_or(Ok(0), |s| place(s, false))?;
        let end = stop.map_or(Ok(len), |s| place(s, true))?;
        Ok(first..end.max(first))
    }

    /// The first row of a label that is there, or the one behind its last.
    fn edge(&self, label: &Scalar, after: bool) -> Result<usize> {
        let rows = self.find(std::slice::from_ref(label))?;
        if rows.is_empty() {
            return Err(Error::key_not_found(format!("{label} is not in the index")));
        }
        let edge = rows.get(if after { rows.len() - 1 } else { 0 })?.as_i64().unwrap_or(0) as usize;
        Ok(if after { edge + 1 } else { edge })
    }
}

/// The integer that a number is; `None` for truth values, times and the rest.
fn whole_number(label: &Scalar) -> Option<i64> {
    match label.value() {
        Value::Int(_) | Value::UInt(_) if label.data_type().is_integer() => label.as_i64(),
        Value::Float(x) if x.fract() == 0.0 && x.abs() < 9.0e18 => Some(*x as i64),
        _ => None,
    }
}

fn same_truth(level: &Column, part: &Scalar) -> bool {
    part.is_null() || (level.data_type() == DataType::Bool8) == part.as_bool().is_some()
}

fn is_text_of_time(level: &Column, part: &Scalar) -> bool {
    level.data_type().is_timestamp() && matches!(part.value(), Value::String(_))
}

/// The times among the labels in `level` that `label` names, if it is a text and they are times.
fn named_ticks(level: &Column, label: &Scalar) -> Result<Option<RangeInclusive<i64>>> {
    match (level.data_type(), label.value()) {
        (DataType::Timestamp(unit), Value::String(text)) => partial_dates::ticks(text, unit),
        _ => Ok(None),
    }
}

/// The rows whose labels equal `key`, all labels compared.
fn scan(levels: &[Column], key: &[Scalar], ctx: &Context) -> Result<Column> {
    use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
    let mut mask: Option<Column> = None;
    for (column, label) in levels.iter().zip(key) {
        let is_nan = matches!(label.value(), Value::Float(x) if x.is_nan());
        let hit = match named_ticks(column, label)? {
            Some(range) => partial_dates::within(column, &range)?,
            None if is_nan => equality::missing(column)?,
            None => equality::equals_scalar(column, label)?,
        };
        mask = Some(match mask {
            None => hit,
            Some(mask) => binary_operation(&mask, &hit, BinaryOperator::And, ctx)?,
        });
    }
    stream_compaction::mask_to_rows(&mask.expect("the key has parts"), ctx)
}
