//! Missing elements replaced, by their neighbours and by others, and how many of them.

use cuprum_column::{Column, DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::copy_if_else;
use cuprum_compute::reduce::{CumulativeOp, cumulative};
use cuprum_compute::replace::{self, FillDirection};
use cuprum_compute::unary::{UnaryOperator, cast, is_valid, unary_operation};

use crate::dataframe::DataFrame;
use crate::frame::Frame;
use crate::series::Series;
use crate::types::equality::has_missing;
use crate::types::{TypedColumn, meet};

/// Which missing elements are replaced by a neighbour, and by which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NeighbourFill {
    /// Whether neighbours before or behind them are taken.
    pub direction: FillDirection,
    /// How far away a neighbour may be; without it anywhere.
    pub limit: Option<usize>,
    /// Whether missing elements must lie between others.
    pub area: FillArea,
}

/// The missing elements that are replaced by a neighbour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FillArea {
    /// All of them.
    #[default]
    Anywhere,
    /// Those between two that are not missing.
    Inside,
    /// Those before the first and behind the last that is not missing.
    Outside,
}

impl From<FillDirection> for NeighbourFill {
    fn from(direction: FillDirection) -> Self {
        Self { direction, limit: None, area: FillArea::default() }
    }
}

/// Where a neighbour is at most `limit` rows away, by the rows of both; false where there is none.
pub(crate) fn is_near(rows: &Column, sources: &Column, fill: NeighbourFill, limit: usize) -> Result<Column> {
    let ctx = rows.context()?;
    let (last, first) = match fill.direction {
        FillDirection::Forward => (rows, sources),
        FillDirection::Backward => (sources, rows),
    };
    let distance = binary_operation(last, first, BinaryOperator::Sub, &ctx)?;
    let limit = Scalar::from(i64::try_from(limit).unwrap_or(i64::MAX));
    let near = binary_operation(&distance, &limit, BinaryOperator::LessEqual, &ctx)?;
    replace::replace_nulls(&near, &Scalar::from(false), false, &ctx)
}

/// Fails for a limit of none.
pub(crate) fn check_limit(limit: Option<usize>) -> Result<()> {
    match limit {
        Some(0) => Err(Error::invalid_argument("`limit` is 0; it must be greater than 0")),
        _ => Ok(()),
    }
}

impl Series {
    /// Missing elements replaced by the nearest element before or after them, as far as `fill` says.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a limit of 0.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::operations::FillDirection;
    /// use cuprum::operations::fill::{FillArea, NeighbourFill};
    ///
    /// let gaps = Series::from(vec![Some(1.0), None, None, Some(4.0), None]);
    /// let fill = NeighbourFill { limit: Some(1), ..FillDirection::Forward.into() };
    /// assert_eq!(gaps.fill_from_neighbours(fill)?.count()?, 4);
    /// let inside = NeighbourFill { area: FillArea::Inside, ..fill };
    /// assert_eq!(gaps.fill_from_neighbours(inside)?.count()?, 3);
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn fill_from_neighbours(&self, fill: impl Into<NeighbourFill>) -> Result<Self> {
        let (fill, ctx) = (fill.into(), self.context()?);
        check_limit(fill.limit)?;
        let data = replace::nans_to_nulls(self.data()?, &ctx)?;
        let filled = replace::fill_nulls_from_neighbours(&data, fill.direction, fill.limit, &ctx)?;
        let filled = self.replace_columns(vec![self.column().like(filled)])?;
        if fill.area == FillArea::Anywhere {
            return Ok(filled);
        }
        let present = unary_operation(&self.column().missing()?, UnaryOperator::Not, &ctx)?;
        let known = copy_if_else(&present, &Scalar::null(DataType::Bool8), &present, &ctx)?;
        let has_some =
            |direction| is_valid(&replace::fill_nulls_from_neighbours(&known, direction, None, &ctx)?, &ctx);
        let (before, behind) = (has_some(FillDirection::Forward)?, has_some(FillDirection::Backward)?);
        let mut within = binary_operation(&before, &behind, BinaryOperator::And, &ctx)?;
        if fill.area == FillArea::Outside {
            within = unary_operation(&within, UnaryOperator::Not, &ctx)?;
        }
        // What is there is its own neighbour, wherever it lies.
        filled.where_(&binary_operation(&within, &present, BinaryOperator::Or, &ctx)?, None)
    }
}

/// The first `limit` missing elements of a column as they are in `filled`, which has the same rows; the other elements
/// as they are here, in a type that holds both.
pub(crate) fn filled_at_most(
    column: &TypedColumn,
    filled: &TypedColumn,
    limit: usize,
) -> Result<TypedColumn> {
    check_limit(Some(limit))?;
    let ctx = column.context()?;
    let missing = cast(&column.missing()?, DataType::Int64, &ctx)?;
    let before = cumulative(&missing, CumulativeOp::Sum, &ctx)?;
    let limit = Scalar::from(i64::try_from(limit).unwrap_or(i64::MAX));
    let first = binary_operation(&before, &limit, BinaryOperator::LessEqual, &ctx)?;
    let filled = Series::from_column(filled.clone(), None).where_column(&first, column)?;
    Ok(filled.column().clone())
}

impl Series {
    /// Missing elements replaced by a scalar, which must fit the type; where there are none, the type stays.
    pub fn fillna(&self, value: &Scalar) -> Result<Self> {
        Ok(self.with_column(fill_missing(self.column(), value)?))
    }
}

impl DataFrame {
    /// Missing elements replaced by one scalar in every column; it must fit them all.
    pub fn fillna(&self, value: &Scalar) -> Result<Self> {
        if value.data_type().is_numeric() {
            // float64 takes numbers as they are.
            return self.map_elements(|t| t == DataType::Float64, |column| fill_missing(column, value));
        }
        let columns = self
            .accessor()
            .iter()
            .map(|(label, column)| {
                fill_missing(column, value).map_err(|e| e.context(format!("column '{label}'")))
            })
            .collect::<Result<_>>()?;
        self.replace_columns(columns)
    }
}

pub(crate) fn fill_missing(column: &TypedColumn, value: &Scalar) -> Result<TypedColumn> {
    let met = meet(column, value);
    let same = met.as_ref().is_ok_and(|(met, _)| met.dtype() == column.dtype());
    if !same && !has_missing(column)? {
        return Ok(column.clone());
    }
    let (column, value) = met?;
    column.moved(|data| replace::replace_nulls(data, &value, true, &data.context()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::{Context, ErrorKind};

    fn gaps() -> Series {
        let values = [None, Some(1.0), None, None, Some(2.0), None, None];
        Series::from_column(Column::from_options(&values, &Context::current()).unwrap(), None)
    }

    fn values(series: &Series) -> Vec<Option<f64>> {
        (0..series.len()).map(|row| series.get(row).unwrap().as_f64()).collect()
    }

    fn filled(direction: FillDirection, limit: Option<usize>, area: FillArea) -> Vec<Option<f64>> {
        values(&gaps().fill_from_neighbours(NeighbourFill { direction, limit, area }).unwrap())
    }

    #[test]
    fn neighbours_within_a_limit_and_an_area() {
        use FillArea::{Anywhere, Inside, Outside};
        use FillDirection::{Backward, Forward};
        let (one, two, none) = (Some(1.0), Some(2.0), None);
        assert_eq!(filled(Forward, Some(1), Anywhere), [none, one, one, none, two, two, none]);
        assert_eq!(filled(Forward, Some(9), Anywhere), [none, one, one, one, two, two, two]);
        assert_eq!(filled(Backward, Some(1), Anywhere), [one, one, none, two, two, none, none]);
        assert_eq!(filled(Forward, None, Inside), [none, one, one, one, two, none, none]);
        assert_eq!(filled(Forward, None, Outside), [none, one, none, none, two, two, two]);
        assert_eq!(filled(Backward, None, Outside), [one, one, none, none, two, none, none]);
        assert_eq!(filled(Forward, Some(1), Outside), [none, one, none, none, two, two, none]);
        let nothing = NeighbourFill { limit: Some(0), ..Forward.into() };
        let refused = gaps().fill_from_neighbours(nothing).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
    }
}
