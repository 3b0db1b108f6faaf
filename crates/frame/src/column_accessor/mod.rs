//! [`ColumnAccessor`]: the columns of a frame under their labels, with pandas' selection rules.
//!
//! `label` finds positions of labels, `select` has every way to choose columns.

mod label;
mod select;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use cuprum_column::{DataType, Device, Error, Result};

use self::label::Position;
pub use self::select::LevelKey;
use crate::index::Index;
use crate::label::Label;
use crate::types::{Dtype, TypedColumn};

/// The treatment of a new column whose label there is already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateLabels {
    /// It is refused.
    #[default]
    Refuse,
    /// The label repeats.
    Allow,
}

impl DuplicateLabels {
    /// Fails for a label that there is, where these are refused.
    pub(crate) fn check(self, data: &ColumnAccessor, label: &Label) -> Result<()> {
        if self == Self::Refuse && data.contains_once(label) {
            return Err(Error::invalid_argument(format!("cannot insert '{label}', it already exists")));
        }
        Ok(())
    }
}

/// An ordered map from labels to columns of one length. Labels may repeat, as in pandas; looking up
/// a repeated label is an error that says so.
#[derive(Clone, Debug, Default)]
pub struct ColumnAccessor {
    labels: Arc<[Label]>,
    columns: Vec<TypedColumn>,
    num_rows: usize,
    /// Names of the levels of the column labels (one, unless labels are tuples).
    level_names: Vec<Option<Label>>,
    /// The types of levels whose labels alone do not tell them; of no level where there are none.
    level_dtypes: Vec<Option<Dtype>>,
    positions: OnceLock<Arc<HashMap<Label, Position>>>,
    /// The labels as an index, once somebody has asked for them, or the kind of none.
    index: OnceLock<Index>,
}

impl ColumnAccessor {
    /// The columns under `labels`, in this order; `num_rows` counts where there is no column.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for columns of several
    /// lengths or several devices.
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
        check_places(&labels, &columns)?;
        Ok(Self {
            labels: labels.into(),
            columns,
            num_rows,
            level_names: vec![None],
            level_dtypes: Vec::new(),
            positions: OnceLock::new(),
            index: OnceLock::new(),
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
        let none = if self.is_empty() { self.index.take() } else { None };
        let none = none.and_then(|index| index.with_names(names.clone()).ok());
        self.level_names = names;
        self.index = none.map_or_else(OnceLock::new, OnceLock::from);
        self
    }

    /// The same columns with the types of the levels of an index that their labels are made of: categories and numbers
    /// of few bits, which no label says. Columns under further labels have them as long as all labels can be of such
    /// types, so categories are forgotten where a label is none of them.
    #[must_use]
    pub fn with_level_dtypes(mut self, dtypes: impl IntoIterator<Item = Dtype>) -> Self {
        let told = |dtype: &Dtype| match dtype {
            Dtype::Categorical(_) => false,
            Dtype::Numeric(_) => matches!(dtype.storage(), DataType::Int64 | DataType::Float64),
            _ => true,
        };
        let dtypes: Vec<_> = dtypes.into_iter().map(|dtype| (!told(&dtype)).then_some(dtype)).collect();
        self.level_dtypes = if dtypes.iter().any(Option::is_some) { dtypes } else { Vec::new() };
        if !self.is_empty() {
            self.index = OnceLock::new();
        }
        self
    }

    /// Whether the levels have neither names nor types that the labels do not tell.
    pub(crate) fn has_plain_levels(&self) -> bool {
        self.level_dtypes.is_empty() && self.level_names.iter().all(Option::is_none)
    }

    /// The same columns with names and types of levels as in `other`.
    #[must_use]
    pub fn with_levels_of(mut self, other: &Self) -> Self {
        self.level_dtypes.clone_from(&other.level_dtypes);
        self.with_level_names(other.level_names.clone())
    }

    /// The same columns; where there are none, their labels are of the kind of these.
    pub fn with_kind_of(mut self, labels: &Index) -> Result<Self> {
        if self.is_empty() {
            self.level_names = labels.names().to_vec();
            self.index = OnceLock::from(labels.slice(0, 0)?);
        }
        Ok(self)
    }

    /// The column called `label`; see [`position`](Self::position).
    pub fn get(&self, label: &Label) -> Result<&TypedColumn> {
        Ok(&self.columns[self.position(label)?])
    }

    /// The number of rows with one column more: what has no column takes that of the column.
    fn rows_with(&self, label: &Label, column: &TypedColumn) -> Result<usize> {
        if !self.is_empty() && column.len() != self.num_rows {
            return Err(Error::invalid_argument(format!(
                "column '{label}' of {} rows does not fit a frame of {} rows",
                column.len(),
                self.num_rows
            )));
        }
        Ok(column.len())
    }

    /// The columns called `label` replaced, or one added at the end.
    pub fn set(&self, label: Label, column: TypedColumn) -> Result<Self> {
        let num_rows = self.rows_with(&label, &column)?;
        let (mut labels, mut columns) = (self.labels.to_vec(), self.columns.clone());
        if self.contains_once(&label) {
            labels
                .iter()
                .zip(&mut columns)
                .filter(|(own, _)| **own == label)
                .for_each(|(_, c)| *c = column.clone());
        } else {
            labels.push(label);
            columns.push(column);
        }
        check_places(&labels, &columns)?;
        Ok(Self { num_rows, ..self.with(labels, columns) })
    }

    /// A new column before position `at`.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a label that is there,
    /// where these are refused.
    pub fn insert(
        &self,
        at: usize,
        label: Label,
        column: TypedColumn,
        duplicates: DuplicateLabels,
    ) -> Result<Self> {
        if at > self.len() {
            return Err(Error::out_of_range(format!("`loc` is {at} in a frame of {} columns", self.len())));
        }
        duplicates.check(self, &label)?;
        let num_rows = self.rows_with(&label, &column)?;
        let (mut labels, mut columns) = (self.labels().to_vec(), self.columns.clone());
        labels.insert(at, label);
        columns.insert(at, column);
        check_places(&labels, &columns)?;
        Ok(Self { num_rows, ..self.with(labels, columns) })
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
        let level_dtypes = if labels[..] == self.labels[..] { self.level_dtypes.clone() } else { Vec::new() };
        Ok(Self { level_dtypes, ..self.with(labels, self.columns.clone()) })
    }

    /// The same labels over other columns, all of one length.
    ///
    /// Fails like [`new`](Self::new) for columns of several devices.
    pub fn with_columns(&self, columns: Vec<TypedColumn>, num_rows: usize) -> Result<Self> {
        debug_assert!(columns.len() == self.len() && columns.iter().all(|c| c.len() == num_rows));
        check_places(&self.labels, &columns)?;
        Ok(Self {
            labels: Arc::clone(&self.labels),
            columns,
            num_rows,
            level_names: self.level_names.clone(),
            level_dtypes: self.level_dtypes.clone(),
            positions: self.positions.clone(),
            index: self.index.clone(),
        })
    }

    /// The device that holds the columns; `None` where they have no values.
    pub(crate) fn place(&self) -> Option<Device> {
        self.columns.iter().find_map(TypedColumn::place)
    }

    fn with(&self, labels: Vec<Label>, columns: Vec<TypedColumn>) -> Self {
        // No labels are still of some kind.
        let none =
            if labels.is_empty() { self.to_index().and_then(|all| all.slice(0, 0)).ok() } else { None };
        Self {
            labels: labels.into(),
            columns,
            num_rows: self.num_rows,
            level_names: self.level_names.clone(),
            level_dtypes: self.level_dtypes.clone(),
            positions: OnceLock::new(),
            index: none.map_or_else(OnceLock::new, OnceLock::from),
        }
    }
}

/// Fails for columns of several devices, naming two: a frame is on one.
fn check_places(labels: &[Label], columns: &[TypedColumn]) -> Result<()> {
    let mut placed = columns.iter().zip(labels).filter_map(|(c, label)| Some((label, c.place()?)));
    let Some((first, here)) = placed.next() else { return Ok(()) };
    match placed.find(|(_, place)| *place != here) {
        None => Ok(()),
        Some((label, there)) => Err(Error::invalid_argument(format!(
            "column '{first}' is on {here}, column '{label}' on {there}: a frame is on one device; move one with \
             to_device"
        ))),
    }
}
