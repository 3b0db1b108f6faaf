//! Labels of kinds that no column holds together, and labels as columns.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, TimeUnit};
use cuprum_compute::unary::cast;

use super::element::element;
use super::{Index, Labels, RangeIndex};
use crate::label::Label;
use crate::types::{Closed, Datetime, Dtype, Period, TypedColumn, intervals};

/// Labels kept as they are, such as `0, 'a'`: few, as the columns of a frame.
#[derive(Debug)]
pub(super) struct Mixed {
    pub labels: Arc<[Label]>,
    rows: OnceLock<HashMap<Label, Vec<i64>>>,
}

impl Mixed {
    pub fn new(labels: Arc<[Label]>) -> Self {
        Self { labels, rows: OnceLock::new() }
    }

    fn rows(&self) -> &HashMap<Label, Vec<i64>> {
        self.rows.get_or_init(|| {
            let mut rows: HashMap<Label, Vec<i64>> = HashMap::new();
            for (row, label) in (0..).zip(self.labels.iter()) {
                rows.entry(label.clone()).or_default().push(row);
            }
            rows
        })
    }

    /// The rows of a label; of one that is a part for each of some outer levels, all below it.
    pub fn find(&self, key: &[Label]) -> Vec<i64> {
        let whole = match key {
            [label] => label.clone(),
            parts => Label::tuple(parts.iter().cloned()),
        };
        if let Some(rows) = self.rows().get(&whole) {
            return rows.clone();
        }
        let below = |label: &Label| matches!(label, Label::Tuple(parts) if parts.starts_with(key));
        (0..).zip(self.labels.iter()).filter(|(_, label)| below(label)).map(|(row, _)| row).collect()
    }

    pub fn is_unique(&self) -> bool {
        self.rows().len() == self.labels.len()
    }

    /// One level as a column; fails where its labels are of several kinds.
    pub fn level(&self, level: usize, ctx: &Context) -> Result<TypedColumn> {
        let parts: Vec<&Label> = self.labels.iter().map(|label| &label.parts()[level]).collect();
        column_of(&parts, ctx)?.ok_or_else(|| {
            Error::unsupported("labels of several kinds, which are no column: convert them with map first")
        })
    }
}

impl Index {
    /// Labels as an index: a range where they are `0, 1, …`, else a column where all are of one kind, a
    /// level per part where all are tuples of as many; and as they are where no column holds them.
    pub fn from_labels(labels: &[Label]) -> Result<Self> {
        let ctx = Context::current();
        let depth = match labels.first() {
            Some(Label::Tuple(parts)) => parts.len().max(1),
            _ => 1,
        };
        let nested = depth > 1
            && labels.iter().all(|label| matches!(label, Label::Tuple(parts) if parts.len() == depth));
        if !nested {
            if !labels.is_empty()
                && (0..).zip(labels).all(|(i, label)| matches!(label, Label::Int(l) if *l == i))
            {
                return Ok(Self::from_range(RangeIndex::of_len(labels.len()), None));
            }
            return Ok(match column_of(&labels.iter().collect::<Vec<_>>(), &ctx)? {
                Some(column) => Self::new(column, None)?,
                None => Self::from_mixed(labels.into(), 1),
            });
        }
        let levels = (0..depth)
            .map(|i| column_of(&labels.iter().map(|label| &label.parts()[i]).collect::<Vec<_>>(), &ctx))
            .collect::<Result<Option<Vec<_>>>>()?;
        match levels {
            Some(levels) => Self::from_columns(levels, vec![None; depth]),
            None => Ok(Self::from_mixed(labels.into(), depth)),
        }
    }

    /// Labels that are kept as they are, also where a column could hold them: an index of objects.
    pub fn from_objects(labels: Vec<Label>) -> Self {
        Self::from_mixed(labels.into(), 1)
    }

    pub(super) fn from_mixed(labels: Arc<[Label]>, levels: usize) -> Self {
        Self { labels: Labels::Mixed(Arc::new(Mixed::new(labels))), names: vec![None; levels], place: None }
    }
}

/// Labels of one kind as a column, numbers of several types in the wider one; `None` for several kinds.
pub(crate) fn column_of(labels: &[&Label], ctx: &Context) -> Result<Option<TypedColumn>> {
    let mut known = labels.iter().filter(|label| !matches!(label, Label::Missing)).peekable();
    let Some(&&first) = known.peek() else {
        let empty = labels.is_empty().then(|| Column::empty(DataType::String).into());
        return Ok(empty);
    };
    let all = |test: fn(&Label) -> bool| labels.iter().all(|l| matches!(l, Label::Missing) || test(l));
    let finest = || {
        let units = labels.iter().filter_map(|label| match label {
            Label::Timestamp(_, unit) | Label::Instant(_, unit, _) | Label::Duration(_, unit) => Some(*unit),
            _ => None,
        });
        units.max().unwrap_or(TimeUnit::Nanoseconds)
    };
    if let Label::Interval(_, closed) = first {
        return intervals_of(labels, *closed, ctx);
    }
    if let Label::Period(_, kind) = first {
        return periods_of(labels, *kind, ctx);
    }
    let data_type = match first {
        Label::Str(_) if all(|l| matches!(l, Label::Str(_))) => {
            let texts: Vec<Option<&str>> = labels.iter().map(|l| l.as_str()).collect();
            return Column::from_opt_strs(&texts, ctx).map(|column| Some(column.into()));
        }
        Label::Bool(_) if all(|l| matches!(l, Label::Bool(_))) => DataType::Bool8,
        Label::Int(_) if all(|l| matches!(l, Label::Int(_))) => DataType::Int64,
        Label::Int(_) | Label::Float(_) if all(|l| matches!(l, Label::Int(_) | Label::Float(_))) => {
            DataType::Float64
        }
        Label::Timestamp(..) if all(|l| matches!(l, Label::Timestamp(..))) => DataType::Timestamp(finest()),
        Label::Date(_) if all(|l| matches!(l, Label::Date(_))) => DataType::Timestamp(TimeUnit::Days),
        Label::Instant(..) if one_zone(labels) => DataType::Timestamp(finest()),
        Label::Decimal(..) if all(|l| matches!(l, Label::Decimal(..))) => match decimal_type(labels) {
            Some(data_type) => data_type,
            None => return Ok(None),
        },
        Label::UInt(_) | Label::Int(_)
            if all(|l| matches!(l, Label::UInt(_)) || matches!(l, Label::Int(i) if *i >= 0)) =>
        {
            DataType::UInt64
        }
        Label::Duration(..) if all(|l| matches!(l, Label::Duration(..))) => DataType::Duration(finest()),
        _ => return Ok(None),
    };
    let missing = labels.iter().any(|label| matches!(label, Label::Missing));
    if data_type == DataType::Int64 && !missing {
        let values: Vec<i64> = labels.iter().map(|l| if let Label::Int(i) = l { *i } else { 0 }).collect();
        return Column::from_slice(&values, ctx).map(|column| Some(column.into()));
    }
    if data_type == DataType::Float64 && !missing {
        let values: Vec<f64> =
            labels.iter().map(|l| l.to_scalar().and_then(|s| s.as_f64()).unwrap_or(f64::NAN)).collect();
        return Column::from_slice(&values, ctx).map(|column| Some(column.into()));
    }
    if data_type == DataType::Int64 {
        let values: Vec<Option<i64>> =
            labels.iter().map(|l| if let Label::Int(i) = l { Some(*i) } else { None }).collect();
        return Column::from_options(&values, ctx).map(|column| Some(column.into()));
    }
    if data_type == DataType::Float64 {
        let values: Vec<Option<f64>> =
            labels.iter().map(|l| l.to_scalar().and_then(|scalar| scalar.as_f64())).collect();
        return Column::from_options(&values, ctx).map(|column| Some(column.into()));
    }
    let parts = labels
        .iter()
        .map(|label| {
            let scalar =
                label.to_scalar().filter(|s| !s.is_null()).unwrap_or_else(|| Scalar::null(data_type));
            match (label, data_type) {
                (Label::Decimal(..), to) => {
                    let digits = element(label, &Dtype::plain(to))?;
                    Column::from_scalar(&digits.unwrap_or_else(|| Scalar::null(to)), 1, ctx)
                }
                _ => cast(&Column::from_scalar(&scalar, 1, ctx)?, data_type, ctx),
            }
        })
        .collect::<Result<Vec<_>>>()?;
    let column = cuprum_compute::concatenate::concatenate(&parts.iter().collect::<Vec<_>>(), ctx)?;
    let (Label::Instant(_, _, zone), DataType::Timestamp(unit)) = (first, data_type) else {
        return Ok(Some(column.into()));
    };
    let dtype = Dtype::Datetime(Datetime { unit, zone: Some(Arc::clone(zone)) });
    TypedColumn::new(dtype, column).map(Some)
}

/// Periods of one kind; `None` for others.
fn periods_of(labels: &[&Label], kind: Period, ctx: &Context) -> Result<Option<TypedColumn>> {
    let mut ordinals = Vec::with_capacity(labels.len());
    for label in labels {
        match label {
            Label::Period(ordinal, of) if *of == kind => ordinals.push(Some(*ordinal)),
            Label::Missing => ordinals.push(None),
            _ => return Ok(None),
        }
    }
    TypedColumn::new(Dtype::Period(kind), Column::from_options::<i64>(&ordinals, ctx)?).map(Some)
}

/// Intervals that are closed alike, between bounds of one kind; `None` for others.
fn intervals_of(labels: &[&Label], closed: Closed, ctx: &Context) -> Result<Option<TypedColumn>> {
    let mut bounds = (Vec::with_capacity(labels.len()), Vec::with_capacity(labels.len()));
    for label in labels {
        match label {
            Label::Interval(of, side) if *side == closed => {
                bounds.0.push(&of.0);
                bounds.1.push(&of.1);
            }
            Label::Missing => {
                bounds.0.push(&Label::Missing);
                bounds.1.push(&Label::Missing);
            }
            _ => return Ok(None),
        }
    }
    let (Some(left), Some(right)) = (column_of(&bounds.0, ctx)?, column_of(&bounds.1, ctx)?) else {
        return Ok(None);
    };
    intervals(&left, &right, closed).map(Some)
}

fn one_zone(labels: &[&Label]) -> bool {
    let zone_of = |label: &&&Label| match label {
        Label::Instant(_, _, zone) => Some(Some(Arc::clone(zone))),
        Label::Missing => None,
        _ => Some(None),
    };
    let mut zones = labels.iter().filter_map(|label| zone_of(&label));
    let first = zones.next();
    first.as_ref().is_some_and(Option::is_some) && zones.all(|zone| Some(zone) == first)
}

/// The decimals that have all digits of the labels; `None` where there are too many.
fn decimal_type(labels: &[&Label]) -> Option<DataType> {
    let scales =
        labels.iter().filter_map(|label| if let Label::Decimal(_, s) = label { Some(*s) } else { None });
    let data_type = DataType::Decimal128(-scales.max()?);
    let fits = |label: &&Label| matches!(element(label, &Dtype::plain(data_type)), Ok(Some(_)));
    labels.iter().all(fits).then_some(data_type)
}
