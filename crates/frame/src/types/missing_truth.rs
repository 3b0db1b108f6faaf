//! Truth values of missing elements.

use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_column::{Column, DataType, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, Operand};
use cuprum_compute::expression::Expression;
use cuprum_compute::{copying, replace, unary};

/// The result of a comparison with a missing element, and of logic with a missing truth value.
///
/// NaN is a number to both: it is less than, greater than and equal to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingTruth {
    /// Comparisons are false, `!=` is true. Logic is false where the left truth value is missing, and takes a missing
    /// right one for false. As in pandas.
    Decided,
    /// The result is missing, whatever the other side is. As in cuDF.
    Missing,
}

static IS_MISSING: AtomicBool = AtomicBool::new(false);

impl MissingTruth {
    /// Sets the rule of the operators of frames, series and expressions from now on, in every thread. At
    /// first [`Decided`](Self::Decided).
    pub fn choose(self) {
        IS_MISSING.store(self == Self::Missing, Ordering::Relaxed);
    }

    /// The rule that was [chosen](Self::choose). Intermediate results are always [`Decided`](Self::Decided).
    pub fn chosen() -> Self {
        if IS_MISSING.load(Ordering::Relaxed) { Self::Missing } else { Self::Decided }
    }

    /// The truth value of a comparison with a missing element.
    pub(crate) fn of(self, op: BinaryOperator) -> Scalar {
        match self {
            Self::Decided => Scalar::from(op == BinaryOperator::NotEqual),
            Self::Missing => Scalar::null(DataType::Bool8),
        }
    }

    /// The result of a comparison, null where an element is missing, by the rule.
    pub(super) fn told(self, compared: Column, op: BinaryOperator) -> Result<Column> {
        if self == Self::Missing || !compared.has_nulls() {
            return Ok(compared);
        }
        let ctx = compared.context()?;
        replace::replace_nulls(&compared, &self.of(op), false, &ctx)
    }

    /// [`told`](Self::told) of a formula.
    pub(crate) fn told_by(self, compared: Expression, op: BinaryOperator) -> Result<Expression> {
        match self {
            Self::Decided => compared.fill(Expression::literal(self.of(op)), false),
            Self::Missing => Ok(compared),
        }
    }

    /// The result of logic, null wherever an operand is: also where the other one says it alone.
    pub(super) fn of_unknown(told: Column, left: Operand<'_>, right: Operand<'_>) -> Result<Column> {
        let ctx = told.context()?;
        let nothing = Scalar::null(DataType::Bool8);
        [left, right].into_iter().try_fold(told, |told, operand| match operand {
            Operand::Column(column) if column.has_nulls() => {
                copying::copy_if_else(&told, &nothing, &unary::is_valid(column, &ctx)?, &ctx)
            }
            Operand::Scalar(scalar) if scalar.is_null() => Column::nulls(DataType::Bool8, told.len(), &ctx),
            _ => Ok(told),
        })
    }

    /// [`of_unknown`](Self::of_unknown) of a formula of `left` and `right`.
    pub(crate) fn of_unknown_by(
        op: BinaryOperator,
        left: Expression,
        right: Expression,
    ) -> Result<Expression> {
        let (l, r) = (left.clone().is_missing(false)?, right.clone().is_missing(false)?);
        let unknown = Expression::binary(BinaryOperator::Or, l, r)?;
        let nothing = Expression::literal(Scalar::null(DataType::Bool8));
        Expression::conditional(unknown, nothing, Expression::binary(op, left, right)?)
    }

    /// The result of comparing what is never equal, row by row; `others` has the elements of one side or both.
    pub(super) fn never_equal(self, op: BinaryOperator, others: &[&Column]) -> Result<Column> {
        let first = others.first().expect("one side is a column");
        let ctx = first.context()?;
        let answer = Scalar::from(op == BinaryOperator::NotEqual);
        let mut told = Column::from_scalar(&answer, first.len(), &ctx)?;
        if self == Self::Missing {
            for side in others {
                told = copying::copy_if_else(&told, &self.of(op), &unary::is_valid(side, &ctx)?, &ctx)?;
            }
        }
        Ok(told)
    }
}

#[cfg(test)]
mod tests {
    use cuprum_column::{Context, Table};
    use cuprum_compute::expression::evaluate;

    use super::*;
    use crate::types::{TypedColumn, operate_as, operate_scalar_as};

    fn truths(column: &Column) -> Vec<Option<bool>> {
        (0..column.len()).map(|row| column.get(row).unwrap().as_bool()).collect()
    }

    /// Every pair of truth values.
    fn pairs() -> (Vec<Option<bool>>, Vec<Option<bool>>) {
        let all = [Some(true), Some(false), None];
        all.iter().flat_map(|&left| all.map(|right| (left, right))).unzip()
    }

    #[test]
    fn logic_is_missing_where_either_side_is() {
        let ctx = Context::current();
        let (left, right) = pairs();
        let columns = [&left, &right].map(|values| {
            let numbers: Vec<_> = values.iter().map(|truth| truth.map(i8::from)).collect();
            unary::cast(&Column::from_options(&numbers, &ctx).unwrap(), DataType::Bool8, &ctx).unwrap()
        });
        let [l, r] = columns.clone().map(TypedColumn::from);
        for (op, known) in [
            (BinaryOperator::And, (|a, b| a & b) as fn(bool, bool) -> bool),
            (BinaryOperator::Or, |a, b| a | b),
            (BinaryOperator::Xor, |a, b| a ^ b),
        ] {
            let expected: Vec<_> = left.iter().zip(&right).map(|(a, b)| Some(known((*a)?, (*b)?))).collect();
            let told = operate_as(&l, &r, op, MissingTruth::Missing).unwrap();
            assert_eq!(truths(told.data().unwrap()), expected, "{op:?}");
            let [a, b] = [0, 1].map(|i| Expression::column(i, DataType::Bool8));
            let formula = MissingTruth::of_unknown_by(op, a, b).unwrap();
            let table = Table::new(columns.to_vec()).unwrap();
            let told = evaluate(&[formula], &table, &ctx).unwrap();
            assert_eq!(truths(&told[0]), expected, "{op:?}");
            for one in [Some(true), Some(false), None] {
                let scalar = one.map_or(Scalar::null(DataType::Bool8), Scalar::from);
                let expected: Vec<_> = left.iter().map(|a| Some(known((*a)?, one?))).collect();
                for reflected in [false, true] {
                    let told = operate_scalar_as(&l, &scalar, op, reflected, MissingTruth::Missing).unwrap();
                    assert_eq!(truths(told.data().unwrap()), expected, "{op:?} {one:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_never_equal_is_missing_where_an_element_is() {
        let ctx = Context::current();
        let column = Column::from_options(&[Some(1i64), None], &ctx).unwrap();
        for (truth, second) in [(MissingTruth::Decided, Some(true)), (MissingTruth::Missing, None)] {
            let told = truth.never_equal(BinaryOperator::NotEqual, &[&column]).unwrap();
            assert_eq!(truths(&told), [Some(true), second]);
        }
    }

    #[test]
    fn nan_is_a_number() {
        let ctx = Context::current();
        let column: TypedColumn = Column::from_options(&[Some(f64::NAN), None], &ctx).unwrap().into();
        for (op, nan) in [(BinaryOperator::Less, false), (BinaryOperator::NotEqual, true)] {
            let told =
                operate_scalar_as(&column, &Scalar::from(0.0), op, false, MissingTruth::Missing).unwrap();
            assert_eq!(truths(told.data().unwrap()), [Some(nan), None]);
        }
    }
}
