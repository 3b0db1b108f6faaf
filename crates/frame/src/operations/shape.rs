//! How elements lie about their mean: skewness and kurtosis.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::expression::{self, Expression};
use cuprum_compute::groupby::Shape;
use cuprum_compute::reduce::Aggregation;

use super::reduce::MissingElements;
use crate::dataframe::DataFrame;
use crate::frame::Frame;
use crate::series::Series;
use crate::types::TypedColumn;
use crate::types::equality::has_missing;

impl Series {
    /// The skewness of numbers or truth values, corrected for bias: NaN for fewer than three elements that are not
    /// missing and where all are equal; without `absent` also where one is missing. Of `float32` it is rounded to that.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for other elements.
    ///
    /// ```
    /// use cuprum::operations::reduce::MissingElements;
    /// use cuprum::prelude::*;
    ///
    /// let skew = Series::from(vec![1.0, 2.0, 6.0]).skew(MissingElements::Skip)?;
    /// assert!((skew - 1.458).abs() < 1e-3);
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn skew(&self, absent: MissingElements) -> Result<f64> {
        shape(self.column(), Shape::Skewness, absent)
    }

    /// The excess kurtosis, corrected for bias: NaN for fewer than four elements; otherwise as [`skew`](Self::skew).
    pub fn kurt(&self, absent: MissingElements) -> Result<f64> {
        shape(self.column(), Shape::Kurtosis, absent)
    }
}

impl DataFrame {
    /// The [skewness](Series::skew) of every column: `float64`, labelled by the columns.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType), naming the column, for columns that are no numbers;
    /// [`numbers`](Self::numbers) leaves them out.
    pub fn skew(&self, absent: MissingElements) -> Result<Series> {
        self.shape_of_columns(Shape::Skewness, absent)
    }

    /// The [excess kurtosis](Series::kurt) of every column; see [`skew`](Self::skew).
    pub fn kurt(&self, absent: MissingElements) -> Result<Series> {
        self.shape_of_columns(Shape::Kurtosis, absent)
    }

    fn shape_of_columns(&self, of: Shape, absent: MissingElements) -> Result<Series> {
        let found = self.accessor().iter().map(|(label, column)| {
            shape(column, of, absent).map_err(|e| e.context(format!("column '{label}'")))
        });
        let found = Column::from_slice(&found.collect::<Result<Vec<_>>>()?, &self.context()?)?;
        Series::new(found, None, self.accessor().to_index()?)
    }
}

fn shape(column: &TypedColumn, of: Shape, absent: MissingElements) -> Result<f64> {
    if !column.dtype().is_numeric() {
        let name = if of == Shape::Skewness { "skew" } else { "kurt" };
        return Err(Error::data_type(format!(
            "dtype '{}' does not support operation '{name}'",
            column.dtype()
        )));
    }
    if !absent.are_skipped() && has_missing(column)? {
        return Ok(f64::NAN);
    }
    let (count, squares, powers) = sums_of_powers(column, of.power())?;
    let found = of.of(count, [squares, powers]).unwrap_or(f64::NAN);
    Ok(if column.dtype().storage() == DataType::Float32 { f64::from(found as f32) } else { found })
}

/// How many numbers are there, and the sums of the second and of a higher power, the third or fourth, of their distances
/// to the mean.
fn sums_of_powers(column: &TypedColumn, power: u32) -> Result<(usize, f64, f64)> {
    let (table, ctx) = (Table::new(vec![column.data()?.clone()])?, column.context()?);
    let reduced = |formulas: &[(Expression, Aggregation)]| {
        let found = expression::reduce(formulas, None, &table, &ctx)?;
        Ok::<_, Error>(found.iter().map(|sum| sum.as_f64().unwrap_or(f64::NAN)).collect::<Vec<_>>())
    };
    let away = |value: &Expression, from: f64| {
        Expression::binary(BinaryOperator::Sub, value.clone(), Expression::literal(Scalar::from(from)))
    };
    let by = |a: &Expression, b: &Expression| Expression::binary(BinaryOperator::Mul, a.clone(), b.clone());
    let value = Expression::column(0, table.column(0)?.data_type()).cast(DataType::Float64)?;
    let found = reduced(&[(value.clone(), Aggregation::Count), (value.clone(), Aggregation::Min)])?;
    let [count, least] = found[..] else { return Err(Error::logic("two were asked for")) };
    // From the smallest element, so that equal ones have no distance at all.
    let distance = away(&value, least)?;
    let mean = reduced(&[(distance.clone(), Aggregation::Mean)])?[0];
    let distance = away(&distance, mean)?;
    let square = by(&distance, &distance)?;
    let higher = by(&square, if power == 3 { &distance } else { &square })?;
    let sums = reduced(&[(square, Aggregation::Sum), (higher, Aggregation::Sum)])?;
    Ok((count as usize, sums[0], sums[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use cuprum_column::ErrorKind;

    /// Expected values are pandas' own.
    #[test]
    fn of_columns() {
        let frame = df! {
            "few" => [Some(1i64), Some(2), Some(6), None, None],
            "some" => [Some(1.0), Some(2.0), Some(f64::NAN), Some(6.0), Some(20.0)],
            "same" => [0.1, 0.1, 0.1, 0.1, 0.1],
            "flags" => [true, false, false, false, false],
        }
        .unwrap();
        let cells = |series: Series| -> Vec<Option<f64>> {
            let cell = |row| series.get(row).unwrap().as_f64().filter(|x| !x.is_nan());
            (0..series.len()).map(cell).collect()
        };
        let near = |found: Vec<Option<f64>>, expected: [Option<f64>; 4]| {
            for (a, b) in found.iter().zip(expected) {
                let same = match (a, b) {
                    (Some(a), Some(b)) => (a - b).abs() < 1e-12,
                    (a, b) => *a == b,
                };
                assert!(same, "{found:?}");
            }
        };
        let skew =
            [Some(1.457_862_967_321_305), Some(1.662_155_969_177_686_8), None, Some(2.236_067_977_499_79)];
        near(cells(frame.skew(MissingElements::Skip).unwrap()), skew);
        near(
            cells(frame.kurt(MissingElements::Skip).unwrap()),
            [None, Some(2.678_575_327_286_665_7), None, Some(5.0)],
        );
        near(cells(frame.skew(MissingElements::Propagate).unwrap()), [None, None, None, skew[3]]);
        let texts = df! { "t" => ["a"] }.unwrap().skew(MissingElements::Skip).unwrap_err();
        assert_eq!(texts.kind(), ErrorKind::DataType);
        let none = Series::from(Vec::<f64>::new());
        assert!(none.kurt(MissingElements::Skip).unwrap().is_nan());
        let infinite = Series::from(vec![1.0, 2.0, f64::INFINITY, 4.0]);
        assert!(infinite.skew(MissingElements::Skip).unwrap().is_nan());
    }
}
