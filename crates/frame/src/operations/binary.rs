//! Operators between series, with values and with columns; those of data frames are in [`axis`](crate::axis).
//!
//! Arithmetic with a missing element is missing. What comparisons and logic are is chosen ([`MissingTruth`]): as in
//! pandas they are never missing, comparisons being false where either side is (`!=` is true).

use cuprum_column::{DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;

use crate::frame::{Frame, IndexedFrame};
use crate::operations::align;
use crate::series::Series;
use crate::types::{MissingTruth, TypedColumn, operate_as, operate_scalar_as};

impl Series {
    /// `self op other`, rows matched by label: rows that only one side has are missing in the result.
    /// Comparisons demand equal labels. The name is kept where both have it.
    pub fn binary(&self, other: &Self, op: BinaryOperator) -> Result<Self> {
        self.binary_as(other, op, MissingTruth::chosen())
    }

    /// [`binary`](Self::binary) with a choice of what truth values come of missing elements.
    pub(crate) fn binary_as(&self, other: &Self, op: BinaryOperator, truth: MissingTruth) -> Result<Self> {
        let name = if self.name() == other.name() { self.name().cloned() } else { None };
        if self.index().equals(other.index())? {
            let column = operate_as(self.column(), other.column(), op, truth)?;
            return Ok(self.with_column(column).rename(name));
        }
        if is_comparison(op) {
            return Err(Error::invalid_argument(
                "can only compare identically-labeled Series; align or reset their indexes first",
            ));
        }
        let (left, right) = align::align(self, other)?;
        Ok(left.with_column(operate_as(left.column(), right.column(), op, truth)?).rename(name))
    }

    /// `self op scalar`, or `scalar op self` when `reflected`. The scalar takes the type of the
    /// series where it can hold its kind (an `int8` series plus 1 stays `int8`).
    pub fn binary_scalar(&self, scalar: &Scalar, op: BinaryOperator, reflected: bool) -> Result<Self> {
        self.binary_scalar_as(scalar, op, reflected, MissingTruth::chosen())
    }

    /// [`binary_scalar`](Self::binary_scalar) with a choice of what truth values come of missing elements.
    pub(crate) fn binary_scalar_as(
        &self,
        scalar: &Scalar,
        op: BinaryOperator,
        reflected: bool,
        truth: MissingTruth,
    ) -> Result<Self> {
        let operate = |column: &TypedColumn| operate_scalar_as(column, scalar, op, reflected, truth);
        let by_row = stacks(op)(self.dtype().storage()) || is_comparison(op);
        Ok(self.with_column(if by_row { self.column().each(operate)? } else { operate(self.column())? }))
    }

    /// `self op other` by position, for a plain column without labels.
    pub fn binary_column(&self, other: &TypedColumn, op: BinaryOperator, reflected: bool) -> Result<Self> {
        if other.len() != self.len() {
            return Err(Error::invalid_argument(format!(
                "operands of {} and {} rows: lengths must match",
                self.len(),
                other.len()
            )));
        }
        let other = &*other.placed(&self.context()?)?;
        let (left, right) = if reflected { (other, self.column()) } else { (self.column(), other) };
        Ok(self.with_column(operate_as(left, right, op, MissingTruth::chosen())?))
    }
}

/// Whether columns of a numeric type may be computed as one column: the result type of the operator depends on the
/// operand types alone. Not so for division of integers, where a zero divisor changes the type of its column.
pub(crate) fn stacks(op: BinaryOperator) -> fn(DataType) -> bool {
    use BinaryOperator::{Add, Mul, Sub};
    if is_comparison(op) || matches!(op, Add | Sub | Mul) { DataType::is_numeric } else { DataType::is_float }
}

/// Whether the operator compares, so that its result is true or false.
pub fn is_comparison(op: BinaryOperator) -> bool {
    use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

macro_rules! operator {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl std::ops::$trait<&Series> for &Series {
            type Output = Result<Series>;
            fn $method(self, other: &Series) -> Self::Output {
                self.binary(other, BinaryOperator::$op)
            }
        }
        impl std::ops::$trait<f64> for &Series {
            type Output = Result<Series>;
            fn $method(self, other: f64) -> Self::Output {
                self.binary_scalar(&Scalar::from(other), BinaryOperator::$op, false)
            }
        }
        impl std::ops::$trait<i64> for &Series {
            type Output = Result<Series>;
            fn $method(self, other: i64) -> Self::Output {
                self.binary_scalar(&Scalar::from(other), BinaryOperator::$op, false)
            }
        }
    )*};
}

operator! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div TrueDiv;
}

macro_rules! compare {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {
        impl Series {$(
            $(#[$doc])*
            pub fn $method(&self, value: impl Into<Scalar>) -> Result<Series> {
                self.binary_scalar(&value.into(), BinaryOperator::$op, false)
            }
        )*}
    };
}

compare! {
    /// True where an element equals `value`.
    eq Equal;
    /// True where an element differs from `value` or is missing.
    ne NotEqual;
    /// True where an element is less than `value`.
    lt Less;
    /// True where an element is at most `value`.
    le LessEqual;
    /// True where an element is greater than `value`.
    gt Greater;
    /// True where an element is at least `value`.
    ge GreaterEqual;
}
