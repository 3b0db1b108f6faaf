//! Operators between frames: alignment, scalar promotion, and what comparisons say of missing values.
//!
//! Arithmetic with a missing element is missing. Comparisons are never missing: they are false where
//! either side is (`!=` is true), as in pandas.

use cuprum_column::{DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;

use crate::align;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn, operate, operate_scalar};

impl Series {
    /// `self op other`, rows matched by label: rows that only one side has are missing in the result.
    /// Comparisons demand equal labels. The name is kept where both have it.
    pub fn binary(&self, other: &Self, op: BinaryOperator) -> Result<Self> {
        let name = if self.name() == other.name() { self.name().cloned() } else { None };
        if self.index().equals(other.index())? {
            let column = operate(self.column(), other.column(), op)?;
            return Ok(self.with_column(column).rename(name));
        }
        if is_comparison(op) {
            return Err(Error::invalid_argument(
                "can only compare identically-labeled Series; align or reset their indexes first",
            ));
        }
        let (left, right) = align::align(self, other)?;
        Ok(left.with_column(operate(left.column(), right.column(), op)?).rename(name))
    }

    /// `self op scalar`, or `scalar op self` when `reflected`. The scalar takes the type of the
    /// series where it can hold its kind (an `int8` series plus 1 stays `int8`).
    pub fn binary_scalar(&self, scalar: &Scalar, op: BinaryOperator, reflected: bool) -> Result<Self> {
        Ok(self.with_column(operate_scalar(self.column(), scalar, op, reflected)?))
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
        let (left, right) = if reflected { (other, self.column()) } else { (self.column(), other) };
        Ok(self.with_column(operate(left, right, op)?))
    }
}

impl DataFrame {
    /// Every column `op scalar`, or `scalar op` it when `reflected`.
    pub fn binary_scalar(&self, scalar: &Scalar, op: BinaryOperator, reflected: bool) -> Result<Self> {
        self.map_columns(|c| operate_scalar(c, scalar, op, reflected))
    }

    /// `self op other`, rows and columns matched by label. Columns that only one side has are missing.
    pub fn binary(&self, other: &Self, op: BinaryOperator) -> Result<Self> {
        let (left, right) = if self.index().equals(other.index())? {
            (self.clone(), other.clone())
        } else if is_comparison(op) {
            return Err(Error::invalid_argument("can only compare identically-labeled DataFrames"));
        } else {
            align::align(self, other)?
        };
        let mut labels = left.labels().to_vec();
        labels.extend(right.labels().iter().filter(|l| !left.contains(l)).cloned());
        if labels.len() > left.num_columns() || labels.len() > right.num_columns() {
            if is_comparison(op) {
                return Err(Error::invalid_argument("can only compare identically-labeled DataFrames"));
            }
            labels.sort();
        }
        let columns = labels
            .iter()
            .map(|label| match (left.contains(label), right.contains(label)) {
                (true, true) => {
                    operate(left.accessor().get(label)?, right.accessor().get(label)?, op)
                }
                (true, false) => missing_like(left.accessor().get(label)?),
                _ => missing_like(right.accessor().get(label)?),
            })
            .collect::<Result<_>>()?;
        Self::from_parts(labels, columns, left.index().clone())
    }

    /// Every column `op` the element of `row` that is labelled like it: a series along the columns.
    pub fn binary_row(&self, row: &Series, op: BinaryOperator, reflected: bool) -> Result<Self> {
        let keys = row.index().level(0)?;
        let find = |label: &Label| -> Result<Option<Scalar>> {
            let key = match label {
                Label::Int(i) => Scalar::from(*i),
                Label::Str(text) => Scalar::from(&**text),
                _ => return Ok(None),
            };
            let rows = row.index().find(&[key])?;
            if rows.is_empty() {
                return Ok(None);
            }
            Ok(Some(row.column().get(rows.get(0)?.as_i64().unwrap_or(0) as usize)?))
        };
        debug_assert_eq!(keys.len(), row.len());
        let columns = self
            .accessor()
            .iter()
            .map(|(label, column)| match find(label)? {
                Some(scalar) => operate_scalar(column, &scalar, op, reflected),
                None => missing_like(column),
            })
            .collect::<Result<_>>()?;
        self.with_columns(columns)
    }
}

fn missing_like(column: &TypedColumn) -> Result<TypedColumn> {
    let float = Dtype::plain(DataType::Float64);
    TypedColumn::nulls(if column.dtype().is_numeric() { &float } else { column.dtype() }, column.len())
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
