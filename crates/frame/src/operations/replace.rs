//! Elements replaced by others, all at once.

use cuprum_column::{DataType, ErrorKind, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::reduce::Aggregation;

use crate::axis::{Axis, Operand};
use crate::frame::Frame;
use crate::series::Series;
use crate::types::{Dtype, operate_instant, operate_scalar, reduce};

/// What is looked for among elements.
#[derive(Clone, Debug)]
pub enum Sought {
    /// A value; a null or NaN stands for missing elements.
    Value(Scalar),
    /// An instant of a time zone, as a timestamp in UTC.
    Instant(Scalar),
}

impl<S: Into<Scalar>> From<S> for Sought {
    fn from(value: S) -> Self {
        Self::Value(value.into())
    }
}

impl Series {
    /// Elements equal to the first of a pair replaced by the second (a null: missing), in a type that holds
    /// both.
    ///
    /// All are looked for in the elements as they were: pairs (1, 2) and (2, 1) swap. Where nothing is found,
    /// and for values that do not compare with the elements, everything stays, the type too. Truth values are
    /// no numbers here.
    pub fn replace(&self, pairs: &[(Sought, Scalar)]) -> Result<Self> {
        let mut result = self.clone();
        let is_truth = |dtype: &Dtype| matches!(dtype, Dtype::Bool(_));
        let truths = match self.dtype() {
            Dtype::Categorical(kind) => is_truth(&kind.value_type()),
            dtype => is_truth(dtype),
        };
        for (old, new) in pairs {
            if let Sought::Value(old) = old
                && !is_missing(old)
                && truths != (old.data_type() == DataType::Bool8)
            {
                continue;
            }
            let found = match old {
                Sought::Value(old) if is_missing(old) => self.isna(),
                Sought::Value(old) => {
                    self.map_columns(|c| operate_scalar(c, old, BinaryOperator::Equal, false))
                }
                Sought::Instant(old) => {
                    self.map_columns(|c| operate_instant(c, old, BinaryOperator::Equal, false))
                }
            };
            let found = match found {
                Err(e) if e.kind() == ErrorKind::DataType && self.is_comparable() => continue,
                found => found?,
            };
            if reduce(found.column(), Aggregation::Any)?.as_bool() != Some(true) {
                continue;
            }
            let new = if is_missing(new) { Operand::Missing } else { Operand::One(new) };
            result = result.mask(Operand::Values(found.column(), Axis::Rows), new)?;
        }
        Ok(result)
    }

    /// Whether elements compare with their like at all: lists and structs do not.
    fn is_comparable(&self) -> bool {
        self.dtype().is_key() || matches!(self.dtype(), Dtype::Null(_))
    }
}

fn is_missing(value: &Scalar) -> bool {
    value.is_null() || value.as_f64().is_some_and(f64::is_nan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::{Column, Context};

    #[test]
    fn all_at_once() {
        let column = Column::from_options(&[Some(1i64), Some(2), None], &Context::current()).unwrap();
        let series = Series::from_column(column, None);
        let (int, sought) = (|i: i64| Scalar::from(i), |i: i64| Sought::from(i));
        let get = |s: &Series| (0..3).map(|i| s.get(i).unwrap().as_i64()).collect::<Vec<_>>();
        let swapped = series.replace(&[(sought(1), int(2)), (sought(2), int(1))]).unwrap();
        assert_eq!(get(&swapped), [Some(2), Some(1), None]);
        let filled = series.replace(&[
            (Scalar::null(DataType::Float64).into(), int(9)),
            (sought(2), Scalar::from(f64::NAN)),
        ]);
        assert_eq!(get(&filled.unwrap()), [Some(1), None, Some(9)]);
        let kept = series.replace(&[("x".into(), int(0)), (sought(7), Scalar::from(0.5))]).unwrap();
        assert_eq!((get(&kept), kept.dtype()), (vec![Some(1), Some(2), None], series.dtype()));
        let wider = series.replace(&[(sought(1), Scalar::from(0.5))]).unwrap();
        assert_eq!(wider.get(0).unwrap().as_f64(), Some(0.5));
    }
}
