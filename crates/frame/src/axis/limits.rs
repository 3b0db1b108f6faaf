//! `clip` with limits along an axis.

use cuprum_column::{Column, Context, Device, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::replace;
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use super::Operand;
use super::conditions::kept_or;
use super::operand::{Beside, plain, repeated};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::series::Series;
use crate::types::equality::is_any;
use crate::types::{self, Dtype, TypedColumn, meet, operate, promotion};

macro_rules! limited_methods {
    ($frame:ident) => {
        impl $frame {
            /// Elements limited to those of `lower` and `upper`, each column in a type that holds its own
            /// elements and the limits that some of them take. Missing elements stay missing; a missing limit
            /// is none. Elements are missing where an operand has no label. Rows keep their order.
            ///
            /// The lower limit is applied first, unless both are one value, of which the smaller is the lower one.
            ///
            /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for limits that do not compare with the
            /// elements; with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for values along
            /// an axis of another length and for labels that repeat, see [`axis`](crate::axis).
            pub fn clip_with(&self, lower: Operand<'_>, upper: Operand<'_>) -> Result<Self> {
                limited(self, lower, upper)
            }
        }
    };
}

limited_methods!(Series);
limited_methods!(DataFrame);

fn limited<F: IndexedFrame>(frame: &F, lower: Operand<'_>, upper: Operand<'_>) -> Result<F> {
    let value = |bound| match bound {
        Operand::Missing => Some(None),
        Operand::One(value) => Some(Some(value)),
        _ => None,
    };
    if let (Some(lower), Some(upper)) = (value(lower), value(upper)) {
        return frame
            .map_columns(|c| Ok(Series::from_column(c.clone(), None).clip(lower, upper)?.column().clone()));
    }
    let mut columns = frame.columns().to_vec();
    for (name, bound, beyond) in
        [("lower", lower, BinaryOperator::Less), ("upper", upper, BinaryOperator::Greater)]
    {
        let (ends, present) = (bound.beside(frame, name)?, bound.rows_present(frame)?);
        for (at, (column, end)) in columns.iter_mut().zip(&ends).enumerate() {
            let made = limit(column, end, beyond, present.as_ref());
            *column = made.map_err(|e| match frame.label(at) {
                Some(label) => e.context(format!("column '{label}'")),
                None => e,
            })?;
        }
    }
    frame.replace_columns(columns)
}

/// The elements of a column, and the limits of those that lie `beyond` them.
fn limit(
    column: &TypedColumn,
    end: &Beside<'_>,
    beyond: BinaryOperator,
    present: Option<&Column>,
) -> Result<TypedColumn> {
    let series = Series::from_column(column.clone(), None);
    let repeats;
    let ends = match end {
        Beside::Nothing => return TypedColumn::nulls(column.dtype(), column.len(), &column.context()?),
        Beside::Missing => return Ok(column.clone()),
        Beside::One(value) => {
            let (lower, upper) =
                if beyond == BinaryOperator::Less { (Some(*value), None) } else { (None, Some(*value)) };
            return Ok(series.clip(lower, upper)?.column().clone());
        }
        Beside::Element(value)
            if value.null_count()? > 0 || value.get(0)?.as_f64().is_some_and(f64::is_nan) =>
        {
            return Ok(column.clone());
        }
        Beside::Element(value) => {
            repeats = repeated(&*plain(value)?, column.len())?;
            &repeats
        }
        Beside::Rows(ends) => ends,
    };
    let are_categories = |c: &TypedColumn| matches!(c.dtype(), Dtype::Categorical(_));
    if are_categories(column) != are_categories(ends) {
        return Err(Error::data_type(format!(
            "cannot limit elements of type {} by such of type {}: cast one of them first",
            column.dtype(),
            ends.dtype()
        )));
    }
    let ctx = column.context()?;
    let is_beyond = operate(column, &*ends.placed(&ctx)?, beyond)?;
    let kept = unary_operation(is_beyond.data()?, UnaryOperator::Not, &ctx)?;
    let made = kept_or(column, &kept, ends)?;
    match present {
        Some(present) => Ok(Series::from_column(made, None).where_(present, None)?.column().clone()),
        None => Ok(made),
    }
}

impl Series {
    /// Elements limited to `[lower, upper]`; of types that have an order.
    pub fn clip(&self, lower: Option<&Scalar>, upper: Option<&Scalar>) -> Result<Self> {
        let ctx = self.context()?;
        if matches!(self.dtype(), Dtype::Numeric(_)) {
            return self.clip_numbers(lower, upper);
        }
        if self.dtype().is_plain() {
            let own = self.column().values("clip")?;
            let fit = |bound: Option<&Scalar>| {
                bound
                    .map(|b| promotion::coerce_operand(b, own.data_type()).map(std::borrow::Cow::into_owned))
                    .transpose()
            };
            let (mut lower, mut upper) = (fit(lower)?, fit(upper)?);
            for (name, bound) in [("lower", &lower), ("upper", &upper)] {
                if let Some(bound) = bound.as_ref().filter(|bound| bound.data_type() != own.data_type()) {
                    let (of, column) = (bound.data_type(), self.dtype());
                    return Err(Error::data_type(format!("clip: `{name}` is {of}, the column is {column}")));
                }
            }
            if is_above(lower.as_ref(), upper.as_ref())? {
                std::mem::swap(&mut lower, &mut upper);
            }
            return Ok(self.with_column(replace::clamp(own, lower.as_ref(), upper.as_ref(), &ctx)?));
        }
        self.dtype().reduce(Aggregation::Max).map_err(|e| e.context("clip"))?;
        let mut column = self.column().clone();
        for (bound, is_lower) in [(lower, true), (upper, false)] {
            let Some(bound) = bound else { continue };
            let (met, bound) = meet(&column, bound)?;
            let (low, high) = if is_lower { (Some(&bound), None) } else { (None, Some(&bound)) };
            column = met.moved(|data| replace::clamp(data, low, high, &ctx))?;
        }
        Ok(self.with_column(column))
    }

    /// Numbers limited to `[lower, upper]`, in a type that holds the limits that some of them take.
    fn clip_numbers<'a>(&self, mut lower: Option<&'a Scalar>, mut upper: Option<&'a Scalar>) -> Result<Self> {
        let ctx = self.context()?;
        if is_above(lower, upper)? {
            std::mem::swap(&mut lower, &mut upper);
        }
        let mut column = self.column().clone();
        for (bound, beyond) in [(lower, BinaryOperator::Less), (upper, BinaryOperator::Greater)] {
            let Some(bound) = bound.filter(|bound| !bound.is_null()) else { continue };
            let met = meet(&column, bound);
            if met.as_ref().map_or(true, |(met, _)| met.dtype() != column.dtype()) {
                let takes = types::operate_scalar(&column, bound, beyond, false)?;
                if !is_any(&replace::replace_nulls(takes.data()?, &Scalar::from(false), false, &ctx)?)? {
                    continue;
                }
            }
            let (met, bound) = met?;
            let (low, high) =
                if beyond == BinaryOperator::Less { (Some(&bound), None) } else { (None, Some(&bound)) };
            column = met.moved(|data| replace::clamp(data, low, high, &ctx))?;
        }
        Ok(self.with_column(column))
    }
}

/// Whether the lower of two limits is the greater one.
fn is_above(lower: Option<&Scalar>, upper: Option<&Scalar>) -> Result<bool> {
    let (Some(low), Some(high)) = (lower, upper) else { return Ok(false) };
    if low.is_null() || high.is_null() {
        return Ok(false);
    }
    let low = TypedColumn::from(Column::from_scalar(low, 1, &Context::beside(Device::Cpu)?)?);
    Ok(types::operate_scalar(&low, high, BinaryOperator::Greater, false)?.get(0)?.as_bool() == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use crate::index::Index;
    use cuprum_column::{Context, ErrorKind, Scalar};

    fn floats(values: &[f64]) -> Column {
        Column::from_slice(values, &Context::current()).unwrap()
    }

    fn values(series: &Series) -> Vec<Option<f64>> {
        let missing = |x: &f64| !x.is_nan();
        (0..series.len()).map(|i| series.get(i).unwrap().as_f64().filter(missing)).collect()
    }

    #[test]
    fn limits_along_rows_and_columns() {
        let frame = DataFrame::new([("a", floats(&[1.0, 5.0])), ("b", floats(&[7.0, f64::NAN]))]).unwrap();
        let least = Series::from_column(floats(&[2.0, 9.0]), None);
        let made = frame.clip_with(Operand::Series(&least, Axis::Rows), Operand::Missing).unwrap();
        assert_eq!(values(&made.series_at(0).unwrap()), [Some(2.0), Some(9.0)]);
        assert_eq!(values(&made.series_at(1).unwrap()), [Some(7.0), None]);
        let most = least.column().clone();
        let made = frame.clip_with(Operand::Missing, Operand::Values(&most, Axis::Columns)).unwrap();
        assert_eq!(values(&made.series_at(0).unwrap()), [Some(1.0), Some(2.0)]);
        let three = floats(&[1.0, 2.0, 3.0]).into();
        let refused = frame.clip_with(Operand::Values(&three, Axis::Columns), Operand::Missing).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
        let one = Scalar::from(6.0);
        let made = frame.clip_with(Operand::Series(&least, Axis::Rows), Operand::One(&one)).unwrap();
        assert_eq!(values(&made.series_at(0).unwrap()), [Some(2.0), Some(6.0)]);
    }

    #[test]
    fn a_label_without_a_limit_is_missing_and_a_missing_limit_is_none() {
        let series = Series::from_column(floats(&[1.0, 5.0, 3.0]), None);
        let labels = Column::from_slice(&[0i64, 1], &Context::current()).unwrap();
        let ends = Series::new(floats(&[2.0, f64::NAN]), None, Index::from_column(labels, None)).unwrap();
        let made = series.clip_with(Operand::Series(&ends, Axis::Rows), Operand::Missing).unwrap();
        assert_eq!(values(&made), [Some(2.0), Some(5.0), None]);
    }
}
