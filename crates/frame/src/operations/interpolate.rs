//! Missing elements replaced by what lies on the line between their neighbours.

use cuprum_column::{Column, DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather_column};
use cuprum_compute::filling;
use cuprum_compute::replace::{self, FillDirection};
use cuprum_compute::unary::{UnaryOperator, cast, is_null, is_valid, unary_operation};

use super::fill::{FillArea, NeighbourFill, check_limit, is_near};
use crate::dataframe::DataFrame;
use crate::frame::Frame;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

/// From which side missing elements are replaced: those that have no neighbour there stay missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FillSide {
    /// From elements before them.
    #[default]
    Forward,
    /// From elements behind them.
    Backward,
    /// From both.
    Both,
}

/// Which missing elements [`Series::interpolate`] replaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct InterpolateOptions<'a> {
    /// Where the elements are on the line, ascending; row by row at equal distances without it.
    pub places: Option<&'a TypedColumn>,
    /// From where elements are replaced.
    pub side: FillSide,
    /// How many rows away an element on that side may be.
    pub limit: Option<usize>,
    /// Whether missing elements must lie between others.
    pub area: FillArea,
}

impl Series {
    /// Missing elements replaced by what lies on the line between the elements before and behind them; beyond the
    /// first and the last element by these. Numbers of integers and truth values become `float64` where some are
    /// missing; times are rounded towards zero.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for elements or places that lie on no line, and
    /// with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a limit of 0, and for places that
    /// are missing or of another number.
    ///
    /// ```
    /// use cuprum::operations::interpolate::InterpolateOptions;
    /// use cuprum::prelude::*;
    ///
    /// let gaps = Series::from(vec![Some(1.0), None, Some(4.0), None]);
    /// let whole = gaps.interpolate(InterpolateOptions::default())?;
    /// assert_eq!(whole.get(1)?.as_f64(), Some(2.5));
    /// assert_eq!(whole.get(3)?.as_f64(), Some(4.0));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn interpolate(&self, options: InterpolateOptions<'_>) -> Result<Self> {
        self.replace_columns(vec![interpolated(self.column(), options)?])
    }
}

impl DataFrame {
    /// [`Series::interpolate`] of every column.
    pub fn interpolate(&self, options: InterpolateOptions<'_>) -> Result<Self> {
        let columns = self.labels().iter().zip(self.columns()).map(|(label, column)| {
            interpolated(column, options).map_err(|e| e.context(format!("column '{label}'")))
        });
        self.replace_columns(columns.collect::<Result<_>>()?)
    }
}

/// The numbers of elements or places.
fn numbers(column: &TypedColumn, what: &str) -> Result<Column> {
    let ctx = column.context()?;
    match column.dtype() {
        Dtype::Datetime(_) | Dtype::Timedelta(_) => {
            cast(&cast(column.data()?, DataType::Int64, &ctx)?, DataType::Float64, &ctx)
        }
        dtype if dtype.is_plain() && (dtype.is_numeric() || dtype.storage() == DataType::Bool8) => {
            replace::nans_to_nulls(&cast(column.data()?, DataType::Float64, &ctx)?, &ctx)
        }
        dtype => Err(Error::data_type(format!("Cannot interpolate {what} of {dtype}"))),
    }
}

fn interpolated(column: &TypedColumn, options: InterpolateOptions<'_>) -> Result<TypedColumn> {
    use BinaryOperator::{Add, And, Mul, Or, Sub, TrueDiv};
    check_limit(options.limit)?;
    let ctx = column.context()?;
    let len = column.len();
    let values = numbers(column, "a column")?;
    let rows = filling::sequence(0, 1, len, &ctx)?;
    let places = match options.places {
        None => cast(&rows, DataType::Float64, &ctx)?,
        Some(places) if places.len() == len => numbers(places, "by labels")?,
        Some(places) => {
            return Err(Error::invalid_argument(format!("{} places for {len} elements", places.len())));
        }
    };
    if places.has_nulls() {
        return Err(Error::invalid_argument(
            "interpolation with NaNs in the index has not been implemented. Try filling those NaNs before interpolating.",
        ));
    }
    if !values.has_nulls() {
        return Ok(column.clone());
    }
    let known = copy_if_else(&rows, &Scalar::null(DataType::Int64), &is_valid(&values, &ctx)?, &ctx)?;
    let before = replace::fill_nulls_from_neighbours(&known, FillDirection::Forward, None, &ctx)?;
    let behind = replace::fill_nulls_from_neighbours(&known, FillDirection::Backward, None, &ctx)?;
    let at = |of: &Column, rows: &Column| gather_column(of, rows, OutOfBoundsPolicy::Nullify, &ctx);
    let by = |a: &Column, b: &Column, op| binary_operation(a, b, op, &ctx);
    // The line through both neighbours, from the one before.
    let (y0, y1) = (at(&values, &before)?, at(&values, &behind)?);
    let (x0, x1) = (at(&places, &before)?, at(&places, &behind)?);
    let slope = by(&by(&y1, &y0, Sub)?, &by(&x1, &x0, Sub)?, TrueDiv)?;
    let line = by(&by(&slope, &by(&places, &x0, Sub)?, Mul)?, &y0, Add)?;
    // Beyond the ends there is no line; between equal places it is steep.
    let line = replace::nans_to_nulls(&line, &ctx)?;
    let edge = copy_if_else(&y0, &y1, &is_valid(&y0, &ctx)?, &ctx)?;
    let mut filled = copy_if_else(&line, &edge, &is_valid(&line, &ctx)?, &ctx)?;
    filled = copy_if_else(&values, &filled, &is_valid(&values, &ctx)?, &ctx)?;

    let near = |sources: &Column, direction: FillDirection| match options.limit {
        Some(limit) => is_near(&rows, sources, NeighbourFill::from(direction), limit),
        None => is_valid(sources, &ctx),
    };
    let mut wanted = match options.side {
        FillSide::Forward => near(&before, FillDirection::Forward)?,
        FillSide::Backward => near(&behind, FillDirection::Backward)?,
        FillSide::Both => {
            by(&near(&before, FillDirection::Forward)?, &near(&behind, FillDirection::Backward)?, Or)?
        }
    };
    if options.area != FillArea::Anywhere {
        let mut within = by(&is_valid(&before, &ctx)?, &is_valid(&behind, &ctx)?, And)?;
        if options.area == FillArea::Outside {
            within = unary_operation(&within, UnaryOperator::Not, &ctx)?;
        }
        wanted = by(&wanted, &within, And)?;
    }
    wanted = by(&wanted, &unary_operation(&is_null(&values, &ctx)?, UnaryOperator::Not, &ctx)?, Or)?;
    let filled = copy_if_else(&filled, &Scalar::null(DataType::Float64), &wanted, &ctx)?;
    match column.dtype() {
        Dtype::Datetime(_) | Dtype::Timedelta(_) => {
            let ticks = cast(&filled, DataType::Int64, &ctx)?;
            // What was there keeps its last digits.
            let data = cast(column.data()?, DataType::Int64, &ctx)?;
            let ticks = copy_if_else(&data, &ticks, &is_valid(&values, &ctx)?, &ctx)?;
            Ok(column.like(cast(&ticks, column.dtype().storage(), &ctx)?))
        }
        dtype if dtype.storage() == DataType::Float32 => Ok(cast(&filled, DataType::Float32, &ctx)?.into()),
        _ => Ok(filled.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;

    fn gaps() -> Series {
        Series::from(vec![None, Some(1.0), None, None, Some(4.0), None, None])
    }

    fn values(options: InterpolateOptions<'_>) -> Vec<Option<f64>> {
        let series = gaps().interpolate(options).unwrap();
        (0..series.len()).map(|row| series.get(row).unwrap().as_f64()).collect()
    }

    #[test]
    fn lines_between_neighbours() {
        let default = InterpolateOptions::default();
        let some = |list: [f64; 6]| list.map(Some).to_vec();
        assert_eq!(values(default), [vec![None], some([1.0, 2.0, 3.0, 4.0, 4.0, 4.0])].concat());
        let both = InterpolateOptions { side: FillSide::Both, ..default };
        assert_eq!(values(both), [vec![Some(1.0)], some([1.0, 2.0, 3.0, 4.0, 4.0, 4.0])].concat());
        let one = InterpolateOptions { limit: Some(1), ..default };
        let (none, f) = (None, Some);
        assert_eq!(values(one), [none, f(1.0), f(2.0), none, f(4.0), f(4.0), none]);
        let back = InterpolateOptions { side: FillSide::Backward, ..one };
        assert_eq!(values(back), [f(1.0), f(1.0), none, f(3.0), f(4.0), none, none]);
        let inside = InterpolateOptions { area: FillArea::Inside, ..both };
        assert_eq!(values(inside), [none, f(1.0), f(2.0), f(3.0), f(4.0), none, none]);
        let outside = InterpolateOptions { area: FillArea::Outside, ..both };
        assert_eq!(values(outside), [f(1.0), f(1.0), none, none, f(4.0), f(4.0), f(4.0)]);
        let places: TypedColumn = [0.0, 1.0, 2.0, 6.0, 7.0, 8.0, 9.0].into_iter().collect();
        let placed = InterpolateOptions { places: Some(&places), ..default };
        assert_eq!(values(placed), [none, f(1.0), f(1.5), f(3.5), f(4.0), f(4.0), f(4.0)]);
    }

    #[test]
    fn what_lies_on_no_line() {
        let kind = |options| gaps().interpolate(options).unwrap_err().kind();
        let default = InterpolateOptions::default();
        assert_eq!(kind(InterpolateOptions { limit: Some(0), ..default }), ErrorKind::InvalidArgument);
        let short: TypedColumn = [0.0].into_iter().collect();
        let places = InterpolateOptions { places: Some(&short), ..default };
        assert_eq!(kind(places), ErrorKind::InvalidArgument);
        let texts: TypedColumn = ["a"].into_iter().collect();
        let refused = Series::from_column(texts, None).interpolate(default).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::DataType);
    }
}
