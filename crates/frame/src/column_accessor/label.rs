//! Labels to positions.

use std::collections::HashMap;
use std::sync::Arc;

use cuprum_column::closest::closest_name;
use cuprum_column::{Error, Result};
use cuprum_compute::reduce::{Aggregation, reduce};

use super::ColumnAccessor;
use crate::index::Index;
use crate::label::Label;
use crate::types::{Dtype, TypedColumn, cast};

/// The position of a label among the columns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Position {
    Once(usize),
    Repeated,
}

impl ColumnAccessor {
    /// The labels as an index, made when it is first asked for; without labels that of those they were chosen from,
    /// and a range where there were never any.
    pub fn to_index(&self) -> Result<Index> {
        if let Some(index) = self.index.get() {
            return Ok(index.clone());
        }
        let index = if self.is_empty() { Index::range(0) } else { Index::from_labels(&self.labels)? };
        let index = self.with_own_dtypes(index)?;
        let index = if index.num_levels() == self.level_names.len() {
            index.with_names(self.level_names.clone())?
        } else {
            index
        };
        Ok(self.index.get_or_init(|| index).clone())
    }

    /// The labels in the types of their levels, where these hold all of them.
    fn with_own_dtypes(&self, index: Index) -> Result<Index> {
        if self.level_dtypes.len() != index.num_levels() || index.as_mixed().is_some() {
            return Ok(index);
        }
        let mut levels = index.columns()?;
        for (level, dtype) in levels.iter_mut().zip(&self.level_dtypes) {
            let Some(dtype) = dtype else { continue };
            if let Ok(typed) = cast(level, dtype)
                && count_missing(&typed)? == count_missing(level)?
            {
                *level = typed;
            }
        }
        Index::from_columns(levels, vec![None; self.level_dtypes.len()])
    }

    /// A label of as many levels as there are: one that is no tuple is an outer label, above empty texts.
    pub fn full_label(&self, label: Label) -> Label {
        match (self.num_levels(), label) {
            (levels, label) if levels > 1 && !matches!(label, Label::Tuple(_)) => {
                Label::tuple(std::iter::once(label).chain(std::iter::repeat_n(Label::from(""), levels - 1)))
            }
            (_, label) => label,
        }
    }

    /// Whether the labels are tuples of one length: a column `MultiIndex`.
    pub fn multiindex(&self) -> bool {
        self.num_levels() > 1
    }

    /// Whether the labels are `0, 1, …`.
    pub fn rangeindex(&self) -> bool {
        (0..).zip(self.labels.iter()).all(|(i, label)| matches!(label, Label::Int(l) if *l == i))
    }

    /// The type of the labels, where one column type holds them all.
    pub fn label_dtype(&self) -> Result<Option<Dtype>> {
        let index = self.to_index()?;
        Ok((index.as_mixed().is_none() && index.num_levels() == 1).then(|| index.dtype(0)))
    }

    /// The number of levels of the labels: more than one where every label is a tuple of as many.
    pub fn num_levels(&self) -> usize {
        let levels = |label: &Label| match label {
            Label::Tuple(parts) => parts.len(),
            _ => 1,
        };
        let first = self.labels.first().map_or(1, levels);
        if self.labels.iter().all(|l| levels(l) == first) { first } else { 1 }
    }

    /// The position of the one column called `label`, or of the only one below it as an outer label, where empty
    /// texts stand for want of inner labels.
    ///
    /// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound), naming the closest label,
    /// and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where several match.
    pub fn position(&self, label: &Label) -> Result<usize> {
        match self.found(label) {
            Some(Position::Once(i)) => Ok(i),
            Some(Position::Repeated) => {
                Err(Error::invalid_argument(format!("column label '{label}' is not unique")))
            }
            None => self.only_below(label).ok_or_else(|| self.unknown(label)),
        }
    }

    /// The position of the only column below an outer label, where its inner labels are empty texts.
    #[cold]
    fn only_below(&self, label: &Label) -> Option<usize> {
        let outer = label.parts();
        let inner = |label: &Label| match label {
            Label::Tuple(parts) if parts.len() > outer.len() && parts.starts_with(outer) => {
                Some(parts[outer.len()..].iter().all(|part| *part == Label::from("")))
            }
            _ => None,
        };
        let mut below = self.labels.iter().enumerate().filter_map(|(i, label)| Some((i, inner(label)?)));
        match (below.next(), below.next()) {
            (Some((i, true)), None) => Some(i),
            _ => None,
        }
    }

    /// The position of a label, if it is one of these; the map of many labels is built once.
    pub(super) fn found(&self, label: &Label) -> Option<Position> {
        const SCANNED: usize = 8;
        if !self.can_be(label) {
            return None;
        }
        if self.labels.len() > SCANNED {
            return self.positions.get_or_init(|| self.index_labels()).get(label).copied();
        }
        let mut hits = self.labels.iter().enumerate().filter(|(_, l)| *l == label);
        match (hits.next(), hits.next()) {
            (Some((i, _)), None) => Some(Position::Once(i)),
            (Some(_), Some(_)) => Some(Position::Repeated),
            _ => None,
        }
    }

    /// Whether there is a column called `label`.
    pub fn contains(&self, label: &Label) -> bool {
        self.found(label).is_some()
    }

    /// [`contains`](Self::contains) for one question: what answers many is not made for it.
    pub(super) fn contains_once(&self, label: &Label) -> bool {
        match self.positions.get() {
            Some(_) => self.contains(label),
            None => self.labels.contains(label) && self.can_be(label),
        }
    }

    /// Whether a label can be one of these: truth values equal numbers, but are none of labels that are all numbers, nor
    /// are numbers any of labels that are all truth values, as in pandas.
    pub(super) fn can_be(&self, label: &Label) -> bool {
        let are_all = |level: usize, test: fn(&Label) -> bool| {
            self.labels.iter().all(|own| own.parts().get(level).is_none_or(test))
        };
        label.parts().iter().enumerate().all(|(level, part)| match part {
            Label::Bool(_) => !are_all(level, |own| own.is_number() || own.is_missing()),
            part => !part.is_number() || !are_all(level, |own| matches!(own, Label::Bool(_))),
        })
    }

    fn index_labels(&self) -> Arc<HashMap<Label, Position>> {
        let mut map = HashMap::with_capacity(self.labels.len());
        for (i, label) in self.labels.iter().enumerate() {
            map.entry(label.clone()).and_modify(|p| *p = Position::Repeated).or_insert(Position::Once(i));
        }
        Arc::new(map)
    }

    #[cold]
    pub(super) fn unknown(&self, label: &Label) -> Error {
        let name = label.to_string();
        let names: Vec<String> = self.labels.iter().map(ToString::to_string).collect();
        Error::key_not_found(match closest_name(&name, names.iter().map(String::as_str)) {
            Some(close) => format!("there is no column '{name}'; did you mean '{close}'?"),
            None => format!("there is no column '{name}'"),
        })
    }
}

fn count_missing(column: &TypedColumn) -> Result<i64> {
    let missing = column.missing()?;
    Ok(reduce(&missing, Aggregation::Sum, &missing.context()?)?.as_i64().unwrap_or(0))
}
