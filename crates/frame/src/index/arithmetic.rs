//! Labels computed from labels.

use cuprum_column::{Error, Result, Scalar, Value};
use cuprum_compute::binaryop::BinaryOperator;

use super::{Index, RangeIndex};
use crate::types::{TypedColumn, operate, operate_scalar};

impl Index {
    /// Every label `op scalar`, or `scalar op` it when `reflected`; names are kept. A range plus, minus, times
    /// or divided by an integer stays one where its labels are.
    ///
    /// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for labels of several levels, with
    /// [`Overflow`](cuprum_column::ErrorKind::Overflow) for labels of a range beyond 64 bits, and as the operators of [`Series`](crate::Series) do.
    pub fn binary_scalar(&self, scalar: &Scalar, op: BinaryOperator, reflected: bool) -> Result<Self> {
        if let (Some(range), Value::Int(by)) = (self.as_range(), scalar.value()) {
            if let Some(range) = of_range(range, *by, op, reflected) {
                return Ok(Self::from_range(range, self.name().cloned()));
            }
            refuse_beyond(range, *by, op, reflected)?;
        }
        let labels = operate_scalar(&self.operand()?, scalar, op, reflected)?;
        Self::from_columns(vec![labels], self.names().to_vec())
    }

    /// Every label `op` the element of `other` in the same place, or that `op` the label when `reflected`;
    /// see [`binary_scalar`](Self::binary_scalar).
    pub fn binary_column(&self, other: &TypedColumn, op: BinaryOperator, reflected: bool) -> Result<Self> {
        if other.len() != self.len() {
            return Err(Error::invalid_argument(format!(
                "operands of {} and {} rows: lengths must match",
                self.len(),
                other.len()
            )));
        }
        let labels = self.operand()?;
        let (left, right) = if reflected { (other, &labels) } else { (&labels, other) };
        Self::from_columns(vec![operate(left, right, op)?], self.names().to_vec())
    }

    fn operand(&self) -> Result<TypedColumn> {
        match self.num_levels() {
            1 => self.level(0),
            levels => Err(Error::unsupported(format!("arithmetic of labels of {levels} levels"))),
        }
    }
}

/// The range that an operation of a range and an integer gives; `None` where it gives none.
fn of_range(range: RangeIndex, by: i64, op: BinaryOperator, reflected: bool) -> Option<RangeIndex> {
    match (op, reflected) {
        (BinaryOperator::Add, _) => range.plus(by),
        (BinaryOperator::Mul, _) => range.times(by),
        (BinaryOperator::Sub, false) => range.plus(by.checked_neg()?),
        (BinaryOperator::Sub, true) => range.times(-1)?.plus(by),
        (BinaryOperator::FloorDiv, false) => range.floor_divided(by),
        _ => None,
    }
}

/// Fails where a sum, a difference or a product of a label and an integer has more than 64 bits.
fn refuse_beyond(range: RangeIndex, by: i64, op: BinaryOperator, reflected: bool) -> Result<()> {
    let Some((least, most)) = range.bounds() else { return Ok(()) };
    for label in [least, most] {
        let (left, right) = if reflected { (by, label) } else { (label, by) };
        let (left, right) = (i128::from(left), i128::from(right));
        let result = match op {
            BinaryOperator::Add => left + right,
            BinaryOperator::Sub => left - right,
            BinaryOperator::Mul => left * right,
            _ => return Ok(()),
        };
        if i64::try_from(result).is_err() {
            return Err(Error::overflow(format!("the label {result} does not fit int64")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;

    fn labels(index: &Index) -> Vec<i64> {
        let column = index.level(0).unwrap();
        (0..index.len()).map(|row| column.get(row).unwrap().as_i64().unwrap()).collect()
    }

    #[test]
    fn ranges_stay_ranges_where_they_can() {
        use BinaryOperator::{Add, FloorDiv, Mod, Mul, Sub};
        let range = RangeIndex { start: 2, stop: 14, step: 4 };
        let index = Index::from_range(range, Some("n".into()));
        for (op, by, reflected, expected, is_range) in [
            (Add, 3, false, [5, 9, 13], true),
            (Sub, 3, false, [-1, 3, 7], true),
            (Sub, 3, true, [1, -3, -7], true),
            (Mul, -2, true, [-4, -12, -20], true),
            (FloorDiv, 2, false, [1, 3, 5], true),
            (FloorDiv, 30, true, [15, 5, 3], false),
            (Mod, 4, false, [2, 2, 2], false),
        ] {
            let result = index.binary_scalar(&Scalar::from(by), op, reflected).unwrap();
            assert_eq!(labels(&result), expected, "{op:?} {by} {reflected}");
            assert_eq!(result.as_range().is_some(), is_range, "{op:?} {by} {reflected}");
            assert_eq!(result.names(), index.names());
        }
    }

    #[test]
    fn labels_beyond_64_bits_are_refused() {
        use BinaryOperator::{Add, Mul, Sub};
        let index = |start: i64, stop: i64| Index::from_range(RangeIndex { start, stop, step: 1 }, None);
        let (large, small) = (index(1 << 62, (1 << 62) + 3), index(-5, 0));
        for (index, by, op, reflected) in [
            (&large, 4, Mul, false),
            (&large, 1 << 62, Add, false),
            (&small, i64::MAX, Sub, true),
            (&large, i64::MIN, Sub, true),
        ] {
            let error = index.binary_scalar(&Scalar::from(by), op, reflected).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Overflow, "{op:?} {by}");
        }
        assert_eq!(labels(&small.binary_scalar(&Scalar::from(0i64), Mul, false).unwrap()), [0; 5]);
    }

    #[test]
    fn labels_with_columns() {
        let numbers: TypedColumn = [1i64, 2, 3].into_iter().collect();
        let index = Index::range(3);
        let sums = index.binary_column(&numbers, BinaryOperator::Add, false).unwrap();
        assert_eq!(labels(&sums), [1, 3, 5]);
        let short: TypedColumn = [1i64].into_iter().collect();
        let error = index.binary_column(&short, BinaryOperator::Add, false).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let pairs = Index::from_columns(vec![numbers.clone(), numbers], vec![None, None]).unwrap();
        let error = pairs.binary_scalar(&Scalar::from(1i64), BinaryOperator::Add, false).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
}
