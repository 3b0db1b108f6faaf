//! Columns by label, position, outer labels, slice and wildcard.

use cuprum_column::{Error, Result};

use super::ColumnAccessor;
use super::label::Position;
use crate::frame::resolve_slice;
use crate::label::Label;

/// A selection of labels of one level of hierarchical columns.
#[derive(Clone, Debug)]
pub enum LevelKey {
    /// All: pandas' `slice(None)`.
    All,
    /// One label.
    One(Label),
    /// Any of some labels.
    Many(Vec<Label>),
    /// From the first label to the last, both included, in the order of values.
    Slice(Option<Label>, Option<Label>),
}

impl LevelKey {
    fn has(&self, label: &Label) -> bool {
        match self {
            Self::All => true,
            Self::One(wanted) => wanted == label,
            Self::Many(wanted) => wanted.contains(label),
            Self::Slice(start, stop) => {
                start.as_ref().is_none_or(|start| start <= label)
                    && stop.as_ref().is_none_or(|stop| label <= stop)
            }
        }
    }
}

impl ColumnAccessor {
    /// The columns called `labels`, in that order; sharing memory.
    pub fn select(&self, labels: &[Label]) -> Result<Self> {
        let positions = labels.iter().map(|l| self.position(l)).collect::<Result<Vec<_>>>()?;
        Ok(self.select_positions(&positions))
    }

    /// The columns at `positions`, which must exist; sharing memory.
    pub fn select_positions(&self, positions: &[usize]) -> Self {
        self.with(
            positions.iter().map(|&i| self.labels[i].clone()).collect(),
            positions.iter().map(|&i| self.columns[i].clone()).collect(),
        )
    }

    /// The columns whose tuple labels start with `prefix`, under the rest of their labels: pandas'
    /// selection by the outer levels of hierarchical columns. `None` where no label does.
    pub fn select_prefix(&self, prefix: &[Label]) -> Option<Self> {
        if !self.can_be(&Label::tuple(prefix.iter().cloned())) {
            return None;
        }
        let (mut labels, mut columns) = (vec![], vec![]);
        for (label, column) in self.iter() {
            if let Label::Tuple(parts) = label
                && parts.len() > prefix.len()
                && parts.starts_with(prefix)
            {
                let rest = &parts[prefix.len()..];
                labels.push(if rest.len() == 1 {
                    rest[0].clone()
                } else {
                    Label::tuple(rest.iter().cloned())
                });
                columns.push(column.clone());
            }
        }
        let names = self.level_names.get(prefix.len()..).map_or_else(|| vec![None], <[_]>::to_vec);
        (!labels.is_empty()).then(|| self.with(labels, columns).with_level_names(names))
    }

    /// The positions of every column that a label names: those called so, else those below it where it is an
    /// outer label, or a tuple of them. Fails as [`position`](Self::position) where there is none.
    pub fn positions_below(&self, label: &Label) -> Result<Vec<usize>> {
        if let Some(Position::Once(at)) = self.found(label) {
            return Ok(vec![at]);
        }
        let all = |test: &dyn Fn(&Label) -> bool| -> Vec<usize> {
            self.labels.iter().enumerate().filter(|(_, l)| test(l)).map(|(i, _)| i).collect()
        };
        let exact = all(&|l| l == label);
        let found = if exact.is_empty() {
            all(&|l| matches!(l, Label::Tuple(parts) if parts.starts_with(label.parts())))
        } else {
            exact
        };
        if found.is_empty() || !self.can_be(label) { Err(self.unknown(label)) } else { Ok(found) }
    }

    /// The positions of the columns from label `start` to label `stop`, both included, every `step`-th; backward
    /// where that is negative.
    ///
    /// Labels that are not there mark their place where the labels ascend.
    pub fn slice_positions(
        &self,
        start: Option<&Label>,
        stop: Option<&Label>,
        step: Option<i64>,
    ) -> Result<Vec<usize>> {
        let backward = step.is_some_and(|step| step < 0);
        let (start, stop) = if backward { (stop, start) } else { (start, stop) };
        let ascend = || self.labels.windows(2).all(|w| w[0].comparable(&w[1]) && w[0] <= w[1]);
        let place = |label: &Label, after: bool| match self.positions_below(label) {
            Ok(found) if found[found.len() - 1] - found[0] >= found.len() => {
                let side = if after { "right" } else { "left" };
                Err(Error::key_not_found(format!(
                    "Cannot get {side} slice bound for non-unique label: {label}"
                )))
            }
            Ok(found) if after => Ok(found[found.len() - 1] + 1),
            Ok(found) => Ok(found[0]),
            Err(_) if self.labels.iter().all(|l| l.comparable(label)) && ascend() => {
                Ok(self.labels.partition_point(|l| l < label))
            }
            Err(unknown) => Err(unknown),
        };
        let first = start.map_or(Ok(0), |label| place(label, false))?;
        let end = stop.map_or(Ok(self.len()), |label| place(label, true))?;
        let (first, len) = (first.min(end), end.saturating_sub(first));
        let rows = resolve_slice(None, None, step, len)?;
        Ok((0..rows.len()).map(|i| first + rows.get(i) as usize).collect())
    }

    /// The positions of the columns whose labels have what `keys` want, level by level; further levels are
    /// free. Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) where no column has.
    pub fn matching_positions(&self, keys: &[LevelKey]) -> Result<Vec<usize>> {
        if keys.len() > self.num_levels() {
            return Err(Error::invalid_argument(format!(
                "a key of {} parts for column labels of {} levels",
                keys.len(),
                self.num_levels()
            )));
        }
        let matches = |label: &Label| keys.iter().zip(label.parts()).all(|(key, part)| key.has(part));
        let found: Vec<usize> =
            self.labels.iter().enumerate().filter(|(_, label)| matches(label)).map(|(i, _)| i).collect();
        if found.is_empty() && keys.iter().any(|key| matches!(key, LevelKey::One(_) | LevelKey::Many(_))) {
            return Err(Error::key_not_found("there is no column with these labels"));
        }
        Ok(found)
    }

    /// Every column but those called `labels`, or below them where they are outer labels.
    pub fn without(&self, labels: &[Label]) -> Result<Self> {
        let mut keep = vec![true; self.len()];
        for label in labels {
            for i in self.positions_below(label)? {
                keep[i] = false;
            }
        }
        let positions: Vec<usize> = (0..self.len()).filter(|&i| keep[i]).collect();
        Ok(self.select_positions(&positions))
    }
}
