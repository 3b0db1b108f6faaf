//! [`DataFrame`]: labelled columns over labelled rows.

mod construct;
mod row;

use cuprum_column::{DataType, Device, Error, Result};

pub use self::construct::Source;
use crate::column_accessor::{ColumnAccessor, DuplicateLabels};
use crate::frame::{Frame, IndexedFrame, Writing, map_stacked};
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::{self, Dtype, TypedColumn};

/// Columns under labels, over rows with labels.
#[derive(Clone, Debug)]
pub struct DataFrame {
    data: ColumnAccessor,
    index: Index,
}

impl Frame for DataFrame {
    fn columns(&self) -> &[TypedColumn] {
        self.data.columns()
    }

    fn columns_mut(&mut self, _: Writing) -> &mut [TypedColumn] {
        self.data.columns_mut()
    }

    fn column_labels(&self) -> Option<&[Label]> {
        Some(self.labels())
    }

    fn num_rows(&self) -> usize {
        self.index.len()
    }

    fn place(&self) -> Option<Device> {
        self.data.place().or_else(|| self.index.place())
    }

    fn replace_columns(&self, columns: Vec<TypedColumn>) -> Result<Self> {
        self.with_rows(columns, self.index.clone())
    }
}

impl IndexedFrame for DataFrame {
    fn index(&self) -> &Index {
        &self.index
    }

    fn with_rows(&self, columns: Vec<TypedColumn>, index: Index) -> Result<Self> {
        if columns.len() != self.num_columns() || columns.iter().any(|c| c.len() != index.len()) {
            return Err(Error::logic("the columns do not have the shape of the frame"));
        }
        let data = self.data.with_columns(columns, index.len())?;
        let index = index.beside(data.place())?;
        Ok(Self { data, index })
    }
}

impl DataFrame {
    /// A frame of columns under labels with the default row labels `0, 1, …`.
    pub fn new<L: Into<Label>, C: Into<TypedColumn>>(
        columns: impl IntoIterator<Item = (L, C)>,
    ) -> Result<Self> {
        let (labels, columns): (Vec<Label>, Vec<TypedColumn>) =
            columns.into_iter().map(|(l, c)| (l.into(), c.into())).unzip();
        let rows = columns.first().map_or(0, TypedColumn::len);
        Self::from_parts(labels, columns, Index::range(rows))
    }

    /// A frame of columns under labels with row labels, one for each row.
    pub fn from_parts<C: Into<TypedColumn>>(
        labels: Vec<Label>,
        columns: Vec<C>,
        index: Index,
    ) -> Result<Self> {
        let columns = columns.into_iter().map(Into::into).collect();
        Self::from_accessor(ColumnAccessor::new(labels, columns, index.len())?, index)
    }

    /// A frame over the columns of an accessor.
    pub fn from_accessor(data: ColumnAccessor, index: Index) -> Result<Self> {
        if data.num_rows() != index.len() {
            return Err(Error::invalid_argument(format!(
                "the columns have {} rows, the index {}",
                data.num_rows(),
                index.len()
            )));
        }
        let index = index.beside(data.place())?;
        Ok(Self { data, index })
    }

    /// The columns under their labels.
    pub fn accessor(&self) -> &ColumnAccessor {
        &self.data
    }

    /// The column labels in order.
    pub fn labels(&self) -> &[Label] {
        self.data.labels()
    }

    /// The number of columns.
    pub fn num_columns(&self) -> usize {
        self.data.len()
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.num_rows(), self.num_columns())
    }

    /// Whether there is a column called `label`.
    pub fn contains(&self, label: &Label) -> bool {
        self.data.contains(label)
    }

    /// The column called `label`, with the row labels; shares memory.
    pub fn column(&self, label: impl Into<Label>) -> Result<Series> {
        let label = label.into();
        let i = self.data.position(&label)?;
        if self.labels()[i] == label {
            return self.series_at(i);
        }
        Series::new(self.columns()[i].clone(), Some(label), self.index.clone())
    }

    /// The column at position `i`.
    pub fn series_at(&self, i: usize) -> Result<Series> {
        let column = self.columns().get(i).ok_or_else(|| {
            Error::out_of_range(format!("column {i} of a frame of {} columns", self.num_columns()))
        })?;
        Series::new(column.clone(), Some(self.labels()[i].clone()), self.index.clone())
    }

    fn with_accessor(&self, data: ColumnAccessor) -> Self {
        Self { data, index: self.index.clone() }
    }

    /// The frame with the names that the levels of the column labels have in `of`, and none for further
    /// levels; as it is where `of` has more levels. Without columns, their labels are of the kind of those of `of`.
    pub(crate) fn with_level_names_of(self, of: &Self) -> Self {
        let depth = self.data.num_levels();
        if self.data.is_empty()
            && let Ok(labels) = of.data.to_index()
            && let Ok(data) = self.data.clone().with_kind_of(&labels)
        {
            return Self { data, index: self.index };
        }
        let mut names = of.data.level_names().to_vec();
        if names.len() > depth || of.data.has_plain_levels() {
            return self;
        }
        names.resize(depth, None);
        Self { data: self.data.with_levels_of(&of.data).with_level_names(names), index: self.index }
    }

    /// [`with_level_names_of`](Self::with_level_names_of) frames that agree on them.
    pub(crate) fn with_common_level_names(self, of: &[&Self]) -> Self {
        let Some(first) = of.first() else { return self };
        let same = of[1..].iter().all(|frame| frame.data.level_names() == first.data.level_names());
        if same { self.with_level_names_of(first) } else { self }
    }

    /// The columns called `labels`, in that order; a label may be there several times.
    pub fn select_labels(&self, labels: &[Label]) -> Result<Self> {
        Ok(self.with_accessor(self.data.select(labels)?))
    }

    /// The columns at `positions`.
    pub fn select_positions(&self, positions: &[usize]) -> Result<Self> {
        if let Some(bad) = positions.iter().find(|&&i| i >= self.num_columns()) {
            return Err(Error::out_of_range(format!(
                "column {bad} of a frame of {} columns",
                self.num_columns()
            )));
        }
        Ok(self.with_accessor(self.data.select_positions(positions)))
    }

    /// The columns below the outer labels `prefix` of hierarchical columns, if there are any.
    pub fn select_prefix(&self, prefix: &[Label]) -> Option<Self> {
        Some(self.with_accessor(self.data.select_prefix(prefix)?))
    }

    /// The frame with `column` under `label`: replaced where it exists, else added at the end. The column
    /// goes where the frame is.
    pub fn with_column(&self, label: impl Into<Label>, column: impl Into<TypedColumn>) -> Result<Self> {
        let column = column.into();
        if self.num_columns() == 0 && self.num_rows() == 0 && !column.is_empty() {
            let index = Index::range(column.len());
            return Self::from_parts(vec![label.into()], vec![column], index);
        }
        if column.len() != self.num_rows() {
            return Err(Error::invalid_argument(format!(
                "length of values ({}) does not match length of index ({})",
                column.len(),
                self.num_rows()
            )));
        }
        let column = column.placed(&self.context()?)?.into_owned();
        Self::from_accessor(self.data.set(label.into(), column)?, self.index.clone())
    }

    /// The frame with a new column before position `at`, which goes where the frame is.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a label that is there.
    pub fn insert(&self, at: usize, label: impl Into<Label>, column: impl Into<TypedColumn>) -> Result<Self> {
        self.insert_with(at, label, column, DuplicateLabels::Refuse)
    }

    /// [`insert`](Self::insert) that can repeat a label.
    pub fn insert_with(
        &self,
        at: usize,
        label: impl Into<Label>,
        column: impl Into<TypedColumn>,
        duplicates: DuplicateLabels,
    ) -> Result<Self> {
        let column = column.into().placed(&self.context()?)?.into_owned();
        Self::from_accessor(self.data.insert(at, label.into(), column, duplicates)?, self.index.clone())
    }

    /// The frame without the columns called `labels`.
    pub fn drop_columns(&self, labels: &[Label]) -> Result<Self> {
        Ok(self.with_accessor(self.data.without(labels)?))
    }

    /// The same columns under the labels that `f` gives for theirs.
    pub fn rename(&self, f: impl Fn(&Label) -> Label) -> Self {
        let labels = self.labels().iter().map(f).collect();
        self.with_accessor(self.data.with_labels(labels).expect("one label for each column"))
    }

    /// The same columns under other labels.
    pub fn with_labels(&self, labels: Vec<Label>) -> Result<Self> {
        Ok(self.with_accessor(self.data.with_labels(labels)?))
    }

    /// Columns made the row labels, dropped as columns unless `drop` is false.
    pub fn set_index(&self, labels: &[Label], drop: bool) -> Result<Self> {
        let keys = self.data.select(labels)?;
        let names = labels.iter().cloned().map(Some).collect();
        let index = Index::from_columns(keys.columns().to_vec(), names)?;
        let data = if drop { self.data.without(labels)? } else { self.data.clone() };
        Self::from_accessor(data, index)
    }

    /// The row labels made columns before the others, under the names of their levels (`index`, or
    /// `level_0` and so on, where they have none); rows are labelled `0, 1, …`.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a name that a column has.
    pub fn reset_index(&self) -> Result<Self> {
        self.reset_index_with(DuplicateLabels::Refuse)
    }

    /// [`reset_index`](Self::reset_index) that can repeat a label.
    pub fn reset_index_with(&self, duplicates: DuplicateLabels) -> Result<Self> {
        let depth = self.index.num_levels();
        let mut labels: Vec<Label> = Vec::with_capacity(depth + self.num_columns());
        for (i, name) in self.index.names().iter().enumerate() {
            let unnamed = || {
                if depth > 1 {
                    format!("level_{i}").into()
                } else if self.contains(&"index".into()) {
                    "level_0".into()
                } else {
                    "index".into()
                }
            };
            let label = name.clone().unwrap_or_else(unnamed);
            let label = match self.labels().first() {
                // Hierarchical columns: the name goes to the outermost level.
                Some(Label::Tuple(parts)) if !matches!(label, Label::Tuple(_)) => {
                    let rest = std::iter::repeat_n(Label::from(""), parts.len() - 1);
                    Label::tuple(std::iter::once(label).chain(rest))
                }
                _ => label,
            };
            duplicates.check(&self.data, &label)?;
            if duplicates == DuplicateLabels::Refuse && labels.contains(&label) {
                return Err(Error::invalid_argument(format!("cannot insert '{label}', it already exists")));
            }
            labels.push(label);
        }
        let mut columns = self.index.columns()?;
        labels.extend_from_slice(self.labels());
        columns.extend_from_slice(self.columns());
        let data = ColumnAccessor::new(labels, columns, self.num_rows())?;
        Self::from_accessor(data.with_levels_of(&self.data), Index::range(self.num_rows()))
    }

    /// The same columns with rows labelled `0, 1, …`.
    #[must_use]
    pub fn drop_index(&self) -> Self {
        Self { data: self.data.clone(), index: Index::range_beside(self.num_rows(), self.place()) }
    }

    /// Some columns cast to other types.
    pub fn astype_columns(&self, types: &[(Label, Dtype)]) -> Result<Self> {
        let mut data = self.data.clone();
        for (label, to) in types {
            let cast =
                types::cast(data.get(label)?, to).map_err(|e| e.context(format!("column '{label}'")))?;
            data = data.set(label.clone(), cast)?;
        }
        Ok(self.with_accessor(data))
    }

    /// Whether both have equal columns, labels and types; missing equals missing.
    pub fn equals(&self, other: &Self) -> Result<bool> {
        if self.labels() != other.labels() || !self.index.equals(&other.index)? {
            return Ok(false);
        }
        let mut equal = true;
        map_stacked([self.columns(), other.columns()], DataType::is_numeric, |[a, b]| {
            equal = equal && a.equals(b)?;
            Ok(a.clone())
        })?;
        Ok(equal)
    }
}
