//! [`ColumnAccessor`]: the columns of a frame under their labels, with pandas' selection rules.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use cuprum_column::closest::closest_name;
use cuprum_column::{Error, Result};

use crate::label::Label;
use crate::types::TypedColumn;

/// An ordered map from labels to columns of one length. Labels may repeat, as in pandas; looking up
/// a repeated label is an error that says so.
#[derive(Clone, Debug, Default)]
pub struct ColumnAccessor {
    labels: Arc<[Label]>,
    columns: Vec<TypedColumn>,
    num_rows: usize,
    /// Names of the levels of the column labels (one, unless labels are tuples).
    level_names: Vec<Option<Label>>,
    positions: OnceLock<Arc<HashMap<Label, Position>>>,
}

#[derive(Clone, Copy, Debug)]
enum Position {
    Once(usize),
    Repeated,
}

impl ColumnAccessor {
    /// The columns under `labels`, in this order; `num_rows` counts where there is no column.
    pub fn new(labels: Vec<Label>, columns: Vec<TypedColumn>, num_rows: usize) -> Result<Self> {
        if labels.len() != columns.len() {
            return Err(Error::logic(format!("{} labels for {} columns", labels.len(), columns.len())));
        }
        if let Some((label, column)) = labels.iter().zip(&columns).find(|(_, c)| c.len() != num_rows) {
            return Err(Error::invalid_argument(format!(
                "column '{label}' has {} rows where {num_rows} are expected: all columns of a frame must have the same length",
                column.len()
            )));
        }
        Ok(Self {
            labels: labels.into(),
            columns,
            num_rows,
            level_names: vec![None],
            positions: OnceLock::new(),
        })
    }

    /// The labels in column order.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The columns in order.
    pub fn columns(&self) -> &[TypedColumn] {
        &self.columns
    }

    /// The columns for writing their elements; whoever puts another in its place keeps the length.
    pub(crate) fn columns_mut(&mut self) -> &mut [TypedColumn] {
        &mut self.columns
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.num_rows
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Labels and columns in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Label, &TypedColumn)> {
        self.labels.iter().zip(&self.columns)
    }

    /// The names of the levels of the column labels.
    pub fn level_names(&self) -> &[Option<Label>] {
        &self.level_names
    }

    /// The same columns with names for the levels of their labels.
    #[must_use]
    pub fn with_level_names(mut self, names: Vec<Option<Label>>) -> Self {
        self.level_names = names;
        self
    }

    /// Whether every label is a tuple of as many levels: a column `MultiIndex`.
    pub fn num_levels(&self) -> usize {
        let levels = |label: &Label| match label {
            Label::Tuple(parts) => parts.len(),
            _ => 1,
        };
        let first = self.labels.first().map_or(1, levels);
        if self.labels.iter().all(|l| levels(l) == first) { first } else { 1 }
    }

    /// The position of the one column called `label`.
    ///
    /// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound), naming the closest label,
    /// and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where several match.
    pub fn position(&self, label: &Label) -> Result<usize> {
        const SCANNED: usize = 8;
        let found = if self.labels.len() <= SCANNED {
            let mut hits = self.labels.iter().enumerate().filter(|(_, l)| *l == label);
            match (hits.next(), hits.next()) {
                (Some((i, _)), None) => Some(Position::Once(i)),
                (Some(_), Some(_)) => Some(Position::Repeated),
                _ => None,
            }
        } else {
            self.positions.get_or_init(|| self.index_labels()).get(label).copied()
        };
        match found {
            Some(Position::Once(i)) => Ok(i),
            Some(Position::Repeated) => {
                Err(Error::invalid_argument(format!("column label '{label}' is not unique")))
            }
            None => Err(self.unknown(label)),
        }
    }

    /// Whether there is a column called `label`.
    pub fn contains(&self, label: &Label) -> bool {
        self.labels.contains(label)
    }

    fn index_labels(&self) -> Arc<HashMap<Label, Position>> {
        let mut map = HashMap::with_capacity(self.labels.len());
        for (i, label) in self.labels.iter().enumerate() {
            map.entry(label.clone()).and_modify(|p| *p = Position::Repeated).or_insert(Position::Once(i));
        }
        Arc::new(map)
    }

    #[cold]
    fn unknown(&self, label: &Label) -> Error {
        let name = label.to_string();
        let names: Vec<String> = self.labels.iter().map(ToString::to_string).collect();
        Error::key_not_found(match closest_name(&name, names.iter().map(String::as_str)) {
            Some(close) => format!("there is no column '{name}'; did you mean '{close}'?"),
            None => format!("there is no column '{name}'"),
        })
    }

    /// The column called `label`; see [`position`](Self::position).
    pub fn get(&self, label: &Label) -> Result<&TypedColumn> {
        Ok(&self.columns[self.position(label)?])
    }

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

    /// Every column but those called `labels`.
    pub fn without(&self, labels: &[Label]) -> Result<Self> {
        let mut keep = vec![true; self.len()];
        for label in labels {
            if !self.contains(label) {
                return Err(self.unknown(label));
            }
            keep.iter_mut()
                .zip(self.labels.iter())
                .filter(|(_, l)| *l == label)
                .for_each(|(k, _)| *k = false);
        }
        let positions: Vec<usize> = (0..self.len()).filter(|&i| keep[i]).collect();
        Ok(self.select_positions(&positions))
    }

    /// The column called `label` replaced, or added at the end.
    pub fn set(&self, label: Label, column: TypedColumn) -> Result<Self> {
        if !self.is_empty() && column.len() != self.num_rows {
            return Err(Error::invalid_argument(format!(
                "column '{label}' of {} rows does not fit a frame of {} rows",
                column.len(),
                self.num_rows
            )));
        }
        let num_rows = column.len();
        let (mut labels, mut columns) = (self.labels.to_vec(), self.columns.clone());
        if self.contains(&label) {
            columns[self.position(&label)?] = column;
        } else {
            labels.push(label);
            columns.push(column);
        }
        Ok(Self { num_rows, ..self.with(labels, columns) })
    }

    /// A new column before position `at`.
    pub fn insert(&self, at: usize, label: Label, column: TypedColumn) -> Result<Self> {
        if at > self.len() {
            return Err(Error::out_of_range(format!("`loc` is {at} in a frame of {} columns", self.len())));
        }
        if self.contains(&label) {
            return Err(Error::invalid_argument(format!("cannot insert '{label}', it already exists")));
        }
        let appended = self.set(label, column)?;
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.insert(at, self.len());
        Ok(appended.select_positions(&order))
    }

    /// The same columns under new labels.
    pub fn with_labels(&self, labels: Vec<Label>) -> Result<Self> {
        if labels.len() != self.len() {
            return Err(Error::invalid_argument(format!(
                "length mismatch: expected {} column labels, got {}",
                self.len(),
                labels.len()
            )));
        }
        Ok(self.with(labels, self.columns.clone()))
    }

    /// The same labels over other columns, all of one length.
    pub fn with_columns(&self, columns: Vec<TypedColumn>, num_rows: usize) -> Self {
        debug_assert!(columns.len() == self.len() && columns.iter().all(|c| c.len() == num_rows));
        Self {
            labels: Arc::clone(&self.labels),
            columns,
            num_rows,
            level_names: self.level_names.clone(),
            positions: self.positions.clone(),
        }
    }

    fn with(&self, labels: Vec<Label>, columns: Vec<TypedColumn>) -> Self {
        Self {
            labels: labels.into(),
            columns,
            num_rows: self.num_rows,
            level_names: self.level_names.clone(),
            positions: OnceLock::new(),
        }
    }
}
