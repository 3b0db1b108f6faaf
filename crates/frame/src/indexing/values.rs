//! Assigned values, matched to the rows and columns that a key names.

use cuprum_column::{Column, DataType, Error, ErrorKind, Result, Scalar};
use cuprum_compute::{concatenate, filling};

use super::assign::{Assignment, Values};
use super::{Iloc, LabelKey, Loc, PositionKey, iloc, loc};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::operations::align;
use crate::series::Series;
use crate::types::{self, Dtype, TypedColumn};

/// The new values of the elements that a key names.
#[derive(Clone, Debug)]
pub enum Assigned {
    /// One value for all of them, which may be null.
    One(Scalar),
    /// Values in order: one for every row of one column, or one for every column of several.
    Sequence(TypedColumn),
    /// For each column, in order, the new values of its rows.
    Each(Vec<Values>),
    /// Values under labels: of columns where the key names one row, else of rows.
    Labelled(Vec<(Label, Scalar)>),
    /// The same, of one type. Positions take its elements in order.
    Series(Series),
    /// Rows and columns by label; in order where the key names no columns. Positions take all in order.
    Frame(DataFrame),
}

/// A column that a key names.
#[derive(Clone, Debug)]
enum Place {
    Known(usize),
    New(Label),
}

/// The columns that a key names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// A series has none.
    Nothing,
    All,
    One,
    Several,
}

/// The elements that an assignment is to set.
#[derive(Clone, Debug)]
pub struct Target {
    rows: Column,
    /// The label of a row that is not there yet.
    new_row: Option<Label>,
    /// Whether the key names one row by one label or position.
    one_row: bool,
    places: Vec<Place>,
    naming: Naming,
    by_label: bool,
}

/// An assignment that can fail for lack of memory alone.
pub struct Prepared<F: Frame> {
    /// The frame with a new row, in which the elements are set; without it, in the frame itself.
    pub enlarged: Option<F>,
    /// The elements written into columns that are there.
    pub assignment: Option<Assignment>,
    /// Columns that are added.
    pub added: Vec<(Label, TypedColumn)>,
}

impl Target {
    /// The elements of a series that a key names by label. A label that is not there is a row to be added.
    pub fn of_series(series: &Series, key: &LabelKey) -> Result<Self> {
        Self::by_label(series, key, vec![Place::Known(0)], Naming::Nothing)
    }

    /// The elements of a frame that a key names by label. Labels that are not there are a row, and columns, to
    /// be added, where the key names one row, and columns by one label or a list.
    pub fn of_frame(frame: &DataFrame, key: &Loc) -> Result<Self> {
        let (row_key, column_key) = key.split(frame.index())?;
        let data = frame.accessor();
        let place = |label: &Label| match data.positions_below(label) {
            Ok(positions) => positions.into_iter().map(Place::Known).collect(),
            Err(_) => vec![Place::New(label.clone())],
        };
        let (places, naming) = match &column_key {
            LabelKey::All => ((0..data.len()).map(Place::Known).collect(), Naming::All),
            LabelKey::One(label) => (place(label), Naming::One),
            LabelKey::Many(labels) => (labels.iter().flat_map(place).collect(), Naming::Several),
            LabelKey::Column(labels) => {
                let labels = Index::new(labels.clone(), None)?.labels()?;
                (labels.iter().flat_map(place).collect(), Naming::Several)
            }
            key => {
                let positions = loc::columns(data, key)?.positions;
                (positions.into_iter().map(Place::Known).collect(), Naming::Several)
            }
        };
        Self::by_label(frame, &row_key, places, naming)
    }

    fn by_label<F: IndexedFrame>(
        frame: &F,
        key: &LabelKey,
        places: Vec<Place>,
        naming: Naming,
    ) -> Result<Self> {
        let (index, ctx) = (frame.index(), frame.context()?);
        let (rows, one_row, new_row) = match (loc::rows(index, key), key) {
            (Ok(found), _) => {
                let one = matches!(found.rows, super::Rows::One(_));
                (found.rows.numbers(index.len(), &ctx)?, one, None)
            }
            (Err(error), LabelKey::One(label)) if error.kind() == ErrorKind::KeyNotFound => {
                let parts = if let Label::Tuple(parts) = label { parts.len() } else { 1 };
                if index.num_levels() > 1 && parts != index.num_levels() {
                    return Err(error);
                }
                (Column::from_slice(&[index.len() as i64], &ctx)?, true, Some(label.clone()))
            }
            (Err(error), _) => return Err(error),
        };
        Ok(Self { rows, new_row, one_row, places, naming, by_label: true })
    }

    /// The elements of a series that a key names by position.
    pub fn at_rows(series: &Series, key: &PositionKey) -> Result<Self> {
        Self::by_position(series, key, vec![Place::Known(0)], Naming::Nothing)
    }

    /// The elements of a frame that a key names by position.
    pub fn at(frame: &DataFrame, key: &Iloc) -> Result<Self> {
        let (rows, columns) = key.parts();
        let (positions, naming) = match columns {
            None => ((0..frame.num_columns()).collect(), Naming::All),
            Some(key @ PositionKey::One(_)) => (iloc::columns(frame.num_columns(), key)?, Naming::One),
            Some(key) => (iloc::columns(frame.num_columns(), key)?, Naming::Several),
        };
        Self::by_position(frame, rows, positions.into_iter().map(Place::Known).collect(), naming)
    }

    fn by_position<F: IndexedFrame>(
        frame: &F,
        key: &PositionKey,
        places: Vec<Place>,
        naming: Naming,
    ) -> Result<Self> {
        let (len, ctx) = (frame.num_rows(), frame.context()?);
        let rows = iloc::rows(len, key, &ctx)?.numbers(len, &ctx)?;
        let one_row = matches!(key, PositionKey::One(_));
        Ok(Self { rows, new_row: None, one_row, places, naming, by_label: false })
    }

    /// The number of columns.
    pub fn num_columns(&self) -> usize {
        self.places.len()
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.rows.len()
    }

    /// The positions of the columns; `None` for those that are to be added.
    pub fn positions(&self) -> impl Iterator<Item = Option<usize>> {
        self.places.iter().map(|place| if let Place::Known(at) = place { Some(*at) } else { None })
    }

    /// Matches a value to the elements of a frame.
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a value of another shape, and with
    /// [`DataType`](crate::ErrorKind::DataType) where no type holds the old and new elements of a column.
    pub fn prepare<F: IndexedFrame>(&self, frame: &F, value: Assigned) -> Result<Prepared<F>> {
        let enlarged = self.new_row.as_ref().map(|label| with_row(frame, label)).transpose()?;
        let frame = enlarged.as_ref().unwrap_or(frame);
        let (mut known, mut added) = (vec![], vec![]);
        for (place, values) in self.places.iter().zip(self.values(frame, value)?) {
            match place {
                Place::Known(at) => known.push((*at, values)),
                Place::New(label) => added.push((label.clone(), self.new_column(frame, values)?)),
            }
        }
        let assignment = match &enlarged {
            _ if known.is_empty() => None,
            Some(_) => Some(Assignment::widening(frame, &self.rows, known)?),
            None => Some(Assignment::new(frame, &self.rows, known)?),
        };
        Ok(Prepared { enlarged, assignment, added })
    }

    /// For every column what its rows become.
    fn values<F: IndexedFrame>(&self, frame: &F, value: Assigned) -> Result<Vec<Values>> {
        let count = self.places.len();
        let one = self.one_row && count == 1 && matches!(self.naming, Naming::Nothing | Naming::One);
        let by_column = self.one_row && !one;
        match &value {
            Assigned::Labelled(_) if one => return Err(one_element("a dict")),
            Assigned::Series(_) if one && self.by_label => return Err(one_element("a Series")),
            Assigned::Frame(_) if one && self.by_label => return Err(one_element("a DataFrame")),
            Assigned::Sequence(_) if one && self.naming == Naming::Nothing => {
                return Err(one_element("a sequence"));
            }
            _ => {}
        }
        match value {
            Assigned::One(value) => Ok(vec![Values::One(value); count]),
            Assigned::Sequence(column) => self.in_order(column),
            Assigned::Each(values) => self.checked(values),
            Assigned::Labelled(pairs) if by_column => Ok((0..count)
                .map(|i| {
                    let label = self.label(frame, i);
                    let found = pairs.iter().find(|(own, _)| Some(own) == label.as_ref());
                    Values::One(found.map_or_else(missing, |(_, value)| value.clone()))
                })
                .collect()),
            Assigned::Labelled(pairs) => {
                self.check_columns_are_named("a dict")?;
                self.by_row(frame, &series_of(pairs)?)
            }
            Assigned::Series(series) if !self.by_label => self.in_order(series.column().clone()),
            Assigned::Series(series) if by_column => self.by_column(frame, &series),
            Assigned::Series(series) => {
                self.check_columns_are_named("a Series")?;
                self.by_row(frame, &series)
            }
            Assigned::Frame(other) => self.of_frame_value(frame, &other),
        }
    }

    /// For every column the element of a series under its label.
    fn by_column<F: IndexedFrame>(&self, frame: &F, series: &Series) -> Result<Vec<Values>> {
        let count = self.places.len();
        let labels = (0..count).map(|i| self.label(frame, i));
        let same = series.len() == count && series.index().labels()?.into_iter().map(Some).eq(labels.clone());
        labels
            .enumerate()
            .map(|(i, label)| {
                let Some(label) = label else { return Ok(Values::One(missing())) };
                if same {
                    return self.repeated(series.column(), i);
                }
                let rows = series.index().find_label(&label)?;
                match rows.len() {
                    0 => Ok(Values::One(missing())),
                    1 => self.repeated(series.column(), rows.get(0)?.as_i64().unwrap_or(0) as usize),
                    _ => Err(Error::invalid_argument(format!(
                        "the Series has several elements for the column '{label}'"
                    ))),
                }
            })
            .collect()
    }

    /// The new values of rows and columns that are set to those of a frame.
    fn of_frame_value<F: IndexedFrame>(&self, frame: &F, value: &DataFrame) -> Result<Vec<Values>> {
        let count = self.places.len();
        if !self.by_label {
            if value.shape() != (self.rows.len(), count) {
                return Err(Error::invalid_argument(format!(
                    "cannot set {:?} elements from a frame of {:?}",
                    (self.rows.len(), count),
                    value.shape()
                )));
            }
            return Ok(value.columns().iter().cloned().map(Values::Each).collect());
        }
        let aligned = align::reindex(value, &frame.index().take(&self.rows)?)?;
        let given = aligned.accessor();
        let labels = (0..count).map(|i| self.label(frame, i)).collect::<Vec<_>>();
        if given.labels().iter().eq(labels.iter().flatten()) {
            return Ok(aligned.columns().iter().cloned().map(Values::Each).collect());
        }
        let found = |label: &Option<Label>| label.as_ref().is_some_and(|label| given.contains(label));
        // pandas goes by position where all columns are of one type and nothing names them, else by label.
        let first = frame.columns().first().map(TypedColumn::dtype);
        if self.naming == Naming::All && frame.columns().iter().all(|c| Some(c.dtype()) == first) {
            if given.len() != count {
                return Err(Error::invalid_argument(format!(
                    "cannot set {count} columns from a frame of {}: name those that are set",
                    given.len()
                )));
            }
            return Ok(aligned.columns().iter().cloned().map(Values::Each).collect());
        }
        if let Some(label) = labels.first()
            && !labels.iter().any(found)
        {
            let label = label.as_ref().map_or_else(String::new, ToString::to_string);
            return Err(Error::key_not_found(format!("there is no column '{label}' in the DataFrame")));
        }
        labels
            .iter()
            .map(|label| match label {
                Some(label) if given.contains(label) => {
                    Ok(Values::Each(aligned.columns()[given.position(label)?].clone()))
                }
                _ => Ok(Values::One(missing())),
            })
            .collect()
    }

    fn label<F: Frame>(&self, frame: &F, i: usize) -> Option<Label> {
        match &self.places[i] {
            Place::Known(at) => frame.label(*at).cloned(),
            Place::New(label) => Some(label.clone()),
        }
    }

    fn check_columns_are_named(&self, what: &str) -> Result<()> {
        if self.naming != Naming::All {
            return Ok(());
        }
        Err(Error::invalid_argument(format!(
            "{what} cannot be set to several rows without their columns: name them, loc[rows, columns] = value"
        )))
    }

    /// The elements of a series, by the labels of the rows, for every column.
    fn by_row<F: IndexedFrame>(&self, frame: &F, series: &Series) -> Result<Vec<Values>> {
        let aligned = align::reindex(series, &frame.index().take(&self.rows)?)?;
        Ok(vec![Values::Each(aligned.column().clone()); self.places.len()])
    }

    /// The elements of a column, one for every row, or for every column.
    fn in_order(&self, column: TypedColumn) -> Result<Vec<Values>> {
        let count = self.places.len();
        if count == 1 {
            return self.checked(vec![Values::Each(column)]);
        }
        if column.len() != count {
            return Err(Error::invalid_argument(format!(
                "cannot set {count} columns from {} values: the lengths must match",
                column.len()
            )));
        }
        (0..count).map(|i| self.repeated(&column, i)).collect()
    }

    /// One element of a column for every row.
    fn repeated(&self, column: &TypedColumn, row: usize) -> Result<Values> {
        if column.dtype().is_plain() {
            return column.get(row).map(Values::One);
        }
        let ctx = column.context()?;
        let rows = Column::from_scalar(&Scalar::from(row as i64), self.rows.len(), &ctx)?;
        Ok(Values::Each(column.take_or_null(&rows)?))
    }

    fn checked(&self, values: Vec<Values>) -> Result<Vec<Values>> {
        if values.len() != self.places.len() {
            return Err(Error::invalid_argument(format!(
                "cannot set {} columns from {} values: the lengths must match",
                self.places.len(),
                values.len()
            )));
        }
        for values in &values {
            if let Values::Each(column) = values
                && column.len() != self.rows.len()
            {
                return Err(Error::invalid_argument(format!(
                    "cannot set {} elements from {} values: the lengths must match",
                    self.rows.len(),
                    column.len()
                )));
            }
        }
        Ok(values)
    }

    /// A column of values in the rows of the key, missing in all others.
    fn new_column<F: IndexedFrame>(&self, frame: &F, values: Values) -> Result<TypedColumn> {
        let values = match values {
            // A struct stands for an interval.
            Values::One(value) if value.data_type() == DataType::Struct => {
                let label = Label::from_scalar(&value)?;
                Values::Each(TypedColumn::constant(&label, self.rows.len(), &frame.context()?)?)
            }
            values => values,
        };
        let dtype = match &values {
            Values::One(value) if value.is_null() => Dtype::plain(DataType::Float64),
            Values::One(value) => Dtype::plain(value.data_type()),
            Values::Each(column) => column.dtype().clone(),
        };
        let column = TypedColumn::nulls(&dtype, frame.num_rows(), &frame.context()?)?;
        let mut series = Series::from_column(column, None);
        series.set_elements(&self.rows, vec![(0, values)])?;
        Ok(series.column().clone())
    }
}

fn one_element(what: &str) -> Error {
    Error::invalid_argument(format!("one element is set to a scalar, not to {what}"))
}

fn missing() -> Scalar {
    Scalar::null(DataType::Float64)
}

/// A series of values under labels, in a type that holds them all.
fn series_of(pairs: Vec<(Label, Scalar)>) -> Result<Series> {
    let ctx = cuprum_column::Context::current();
    let (labels, values): (Vec<Label>, Vec<Scalar>) = pairs.into_iter().unzip();
    let known = values.iter().map(|value| {
        if value.is_null() {
            return TypedColumn::nulls(&Dtype::plain(DataType::Empty), 1, &ctx);
        }
        Column::from_scalar(value, 1, &ctx).map(TypedColumn::from)
    });
    let known = known.collect::<Result<Vec<_>>>()?;
    let one_type = types::unify(&known.iter().collect::<Vec<_>>())?;
    let stored = one_type.iter().map(TypedColumn::data).collect::<Result<Vec<_>>>()?;
    let column = match one_type.first() {
        Some(first) => first.like(concatenate::concatenate(&stored, &ctx)?),
        None => TypedColumn::nulls(&Dtype::plain(DataType::Float64), 0, &ctx)?,
    };
    Series::new(column, None, Index::from_labels(&labels)?)
}

/// The frame with one more row, all missing, under a label.
fn with_row<F: IndexedFrame>(frame: &F, label: &Label) -> Result<F> {
    let (len, ctx) = (frame.num_rows(), frame.context()?);
    let all = filling::sequence(0, 1, len, &ctx)?;
    let rows = concatenate::concatenate(&[&all, &Column::from_slice(&[-1i64], &ctx)?], &ctx)?;
    // Columns that were made of nothing take the type of what comes.
    let none = Dtype::plain(DataType::Empty);
    let column = |column: &TypedColumn| match column.dtype().storage() {
        DataType::Float64 if len == 0 => TypedColumn::nulls(&none, 1, &ctx),
        _ => column.take_or_null(&rows),
    };
    let columns = frame.columns().iter().map(column).collect::<Result<_>>()?;
    frame.with_rows(columns, frame.index().insert(len, label)?)
}

impl<F: IndexedFrame> Prepared<F> {
    /// Sets the elements in `frame`, or puts the one with a new row in its place; gives the columns to add.
    fn apply(self, frame: &mut F) -> Result<Vec<(Label, TypedColumn)>> {
        match (self.enlarged, self.assignment) {
            (Some(mut enlarged), assignment) => {
                if let Some(assignment) = assignment {
                    assignment.apply(&mut [&mut enlarged])?;
                }
                *frame = enlarged;
            }
            (None, Some(assignment)) => assignment.apply(&mut [frame])?,
            (None, None) => {}
        }
        Ok(self.added)
    }
}

impl Series {
    /// Sets the elements that a key names by label; one label that is not there becomes a new row.
    ///
    /// A series is matched by row labels. Fails as [`loc`](Self::loc) and [`Target::prepare`] do; nothing has
    /// changed then.
    pub fn set_loc(&mut self, key: impl Into<LabelKey>, value: impl Into<Assigned>) -> Result<()> {
        let target = Target::of_series(self, &key.into())?;
        target.prepare(self, value.into())?.apply(self).map(drop)
    }

    /// Sets the elements that a key names by position, in order.
    ///
    /// Fails as [`iloc`](Self::iloc) and [`Target::prepare`] do; nothing has changed then.
    pub fn set_iloc(&mut self, key: impl Into<PositionKey>, value: impl Into<Assigned>) -> Result<()> {
        let target = Target::at_rows(self, &key.into())?;
        target.prepare(self, value.into())?.apply(self).map(drop)
    }
}

impl DataFrame {
    /// Sets the elements that a key names by label. One row label that is not there becomes a new row, column
    /// labels that are not there, one or in a list, new columns: missing elsewhere.
    ///
    /// Labelled values are matched by label: a series to the columns where the key names one row and no
    /// single column, else to the rows; a frame to both. Fails as [`loc`](Self::loc) and [`Target::prepare`]
    /// do; nothing has changed then.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let mut df = df! { "a" => [1, 2, 3], "b" => [0.1, 0.2, 0.3] }?;
    /// df.set_loc((0, "a"), 10)?;
    /// df.set_loc((1..=2, ["b", "c"]), 0.5)?;
    /// df.set_loc(3, 7)?;
    /// assert_eq!(df.shape(), (4, 3));
    /// assert_eq!(df.loc((0, "a"))?.element()?, Scalar::from(10));
    /// assert_eq!(df.loc((3, "c"))?.element()?, Scalar::from(7.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_loc(&mut self, key: impl Into<Loc>, value: impl Into<Assigned>) -> Result<()> {
        let target = Target::of_frame(self, &key.into())?;
        self.set(&target, value.into())
    }

    /// Sets the elements that a key names by position, in order.
    ///
    /// Fails as [`iloc`](Self::iloc) and [`Target::prepare`] do; nothing has changed then.
    pub fn set_iloc(&mut self, key: impl Into<Iloc>, value: impl Into<Assigned>) -> Result<()> {
        let target = Target::at(self, &key.into())?;
        self.set(&target, value.into())
    }

    fn set(&mut self, target: &Target, value: Assigned) -> Result<()> {
        let mut changed = self.clone();
        let prepared = target.prepare(self, value)?;
        if prepared.added.is_empty() {
            drop(changed);
            return prepared.apply(self).map(drop);
        }
        let added = prepared.apply(&mut changed)?;
        *self = changed.with_added(added)?;
        Ok(())
    }

    /// The frame with more columns at its end. In hierarchical columns a label that is no tuple is an outer one.
    pub fn with_added(&self, columns: Vec<(Label, TypedColumn)>) -> Result<Self> {
        let mut frame = self.clone();
        for (label, column) in columns {
            frame = frame.with_column(frame.accessor().full_label(label), column)?;
        }
        Ok(frame)
    }
}

macro_rules! assigned_from {
    ($($value:ty),*) => {$(
        impl From<$value> for Assigned {
            fn from(value: $value) -> Self {
                Self::One(Scalar::from(value))
            }
        }
    )*};
}

assigned_from!(i32, i64, f64, bool, &str, Scalar);

impl From<Column> for Assigned {
    fn from(column: Column) -> Self {
        Self::Sequence(column.into())
    }
}

impl From<Series> for Assigned {
    fn from(series: Series) -> Self {
        Self::Series(series)
    }
}

impl From<DataFrame> for Assigned {
    fn from(frame: DataFrame) -> Self {
        Self::Frame(frame)
    }
}
