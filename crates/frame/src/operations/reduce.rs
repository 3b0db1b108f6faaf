//! Frames to one value per column.

use cuprum_column::{Column, DataType, Result, Scalar, dispatch_storage};
use cuprum_compute::reduce::{self, Aggregation};

use crate::dataframe::DataFrame;
use crate::frame::Frame;
use crate::series::Series;
use crate::types::concat_columns;
use crate::types::equality::has_missing;
use crate::types::{self, Dtype, TypedColumn};

/// What missing elements mean for an aggregation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingElements {
    /// They are passed over.
    #[default]
    Skip,
    /// One of them makes the result missing; of an extreme's place it is refused.
    Propagate,
}

impl MissingElements {
    pub(crate) fn are_skipped(self) -> bool {
        self == Self::Skip
    }
}

impl Series {
    /// The number of elements that are not missing.
    pub fn count(&self) -> Result<usize> {
        let count = self.reduce(Aggregation::Count)?;
        Ok(count.as_i64().unwrap_or(0) as usize)
    }

    /// The column reduced to one value; missing elements are skipped.
    pub fn reduce(&self, aggregation: Aggregation) -> Result<Scalar> {
        types::reduce(self.column(), aggregation)
    }

    /// [`reduce`](Self::reduce) of a few numbers in host memory, none missing; `None` for other elements, and
    /// for aggregations that take more than a look at each. See [`reduce_few`](reduce::reduce_few).
    pub fn reduce_few(&self, aggregation: Aggregation) -> Result<Option<Scalar>> {
        match self.dtype() {
            Dtype::Numeric(_) if !types::keeps_width(self.dtype().storage(), aggregation) => {
                reduce::reduce_few(self.column().data()?, aggregation)
            }
            _ => Ok(None),
        }
    }
}

impl DataFrame {
    /// Every column reduced to one value: a series labelled by the columns.
    ///
    /// Without `absent`, a column with a missing element has a missing value, except that such an element
    /// counts as true for `any` and `all`. The values must have a common type.
    pub fn reduce(&self, aggregation: Aggregation, absent: MissingElements) -> Result<Series> {
        if let (true, Some(values)) = (absent.are_skipped(), self.reduce_few(aggregation)?) {
            return Series::new(values, None, self.accessor().to_index()?);
        }
        let mut values = vec![];
        for (label, column) in self.accessor().iter() {
            let value = reduce_column(column, aggregation, absent)
                .map_err(|e| e.context(format!("column '{label}'")))?;
            values.push(value.decoded()?);
        }
        let values =
            if values.is_empty() { Column::empty(DataType::Float64).into() } else { side_by_side(&values)? };
        Series::new(values, None, self.accessor().to_index()?)
    }

    /// [`reduce`](Self::reduce) of many short columns of numbers of one type, whose values need no columns of their own;
    /// `None` for others. See [`reduce_few`](reduce::reduce_few).
    fn reduce_few(&self, aggregation: Aggregation) -> Result<Option<TypedColumn>> {
        const MANY: usize = 16;
        let [first, ..] = self.columns() else { return Ok(None) };
        let is_number = |column: &TypedColumn| matches!(column.dtype(), Dtype::Numeric(_));
        let alike = |column: &TypedColumn| is_number(column) && column.dtype() == first.dtype();
        if self.num_columns() < MANY || !self.columns().iter().all(alike) {
            return Ok(None);
        }
        let to = first.dtype().reduce(aggregation)?;
        let mut values = Vec::with_capacity(self.num_columns());
        for (label, column) in self.accessor().iter() {
            let value = reduce::reduce_few(column.data()?, aggregation);
            let Some(value) = value.map_err(|e| e.context(format!("column '{label}'")))? else {
                return Ok(None);
            };
            values.push(types::stored(&to, value)?);
        }
        if !values.iter().all(|value| value.is_null() || value.data_type() == to.storage()) {
            return Ok(None);
        }
        let ctx = self.context()?;
        let column: Column = dispatch_storage!(to.storage(), T => {
            let values = values.iter().map(Scalar::to_native::<T>).collect::<Result<Vec<_>>>()?;
            Column::from_options(&values, &ctx)?.bit_cast(to.storage())?
        }, else => return Ok(None));
        TypedColumn::new(to, column).map(Some)
    }

    /// The columns of numbers and truth values.
    pub fn numbers(&self) -> Result<Self> {
        let numeric = |i: &usize| self.columns()[*i].dtype().is_numeric();
        self.select_positions(&(0..self.num_columns()).filter(numeric).collect::<Vec<_>>())
    }
}

/// Values of columns as one column; fails with [`DataType`](cuprum_column::ErrorKind::DataType) where they have no
/// common type, as truth values and numbers have none.
pub(crate) fn side_by_side(values: &[TypedColumn]) -> Result<TypedColumn> {
    types::check_kinds(&values.iter().collect::<Vec<_>>())?;
    concat_columns(&values.iter().map(Some).collect::<Vec<_>>(), &vec![1; values.len()])
}

/// One value of all rows, in a column of one row; see [`DataFrame::reduce`] for `absent`.
pub(crate) fn reduce_column(
    column: &TypedColumn,
    aggregation: Aggregation,
    absent: MissingElements,
) -> Result<TypedColumn> {
    Ok(reduce_column_by(column, &[aggregation], absent)?.remove(0))
}

/// [`reduce_column`] by several aggregations.
pub(crate) fn reduce_column_by(
    column: &TypedColumn,
    aggregations: &[Aggregation],
    absent: MissingElements,
) -> Result<Vec<TypedColumn>> {
    let values = types::reduce_to_columns(column, aggregations)?;
    aggregations.iter().zip(values).map(|(how, value)| beside_missing(column, *how, value, absent)).collect()
}

/// The value of an aggregation, or what it is where elements are missing and not skipped.
fn beside_missing(
    column: &TypedColumn,
    aggregation: Aggregation,
    value: TypedColumn,
    absent: MissingElements,
) -> Result<TypedColumn> {
    if absent.are_skipped()
        || matches!(aggregation, Aggregation::Count | Aggregation::Size)
        || !has_missing(column)?
    {
        return Ok(value);
    }
    let ctx = column.context()?;
    match aggregation {
        Aggregation::Any => Ok(Column::from_scalar(&Scalar::from(true), 1, &ctx)?.into()),
        Aggregation::All => Ok(value),
        _ => TypedColumn::nulls(value.dtype(), 1, &ctx),
    }
}
