//! Operators between frames: alignment, scalar promotion, and what comparisons say of missing values.
//!
//! Arithmetic with a missing element is missing. Comparisons are never missing: they are false where
//! either side is (`!=` is true), as in pandas.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Value};
use cuprum_compute::binaryop::{BinaryOperator, Operand, binary_operation};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::replace;
use cuprum_compute::unary::cast;

use crate::align;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::promotion;
use crate::reductions::label_index;
use crate::series::Series;

impl Series {
    /// `self op other`, rows matched by label: rows that only one side has are missing in the result.
    /// Comparisons demand equal labels. The name is kept where both have it.
    pub fn binary(&self, other: &Self, op: BinaryOperator) -> Result<Self> {
        let name = if self.name() == other.name() { self.name().cloned() } else { None };
        if self.index().equals(other.index())? {
            let column = operate(self.column().into(), other.column().into(), op)?;
            return Ok(self.with_column(column).rename(name));
        }
        if is_comparison(op) {
            return Err(Error::invalid_argument(
                "can only compare identically-labeled Series; align or reset their indexes first",
            ));
        }
        let (left, right) = align::align(self, other)?;
        Ok(left.with_column(operate(left.column().into(), right.column().into(), op)?).rename(name))
    }

    /// `self op scalar`, or `scalar op self` when `reflected`. The scalar takes the type of the
    /// series where it can hold its kind (an `int8` series plus 1 stays `int8`).
    pub fn binary_scalar(&self, scalar: &Scalar, op: BinaryOperator, reflected: bool) -> Result<Self> {
        Ok(self.with_column(operate_scalar(self.column(), scalar, op, reflected)?))
    }

    /// `self op other` by position, for a plain column without labels.
    pub fn binary_column(&self, other: &Column, op: BinaryOperator, reflected: bool) -> Result<Self> {
        if other.len() != self.len() {
            return Err(Error::invalid_argument(format!(
                "operands of {} and {} rows: lengths must match",
                self.len(),
                other.len()
            )));
        }
        let (left, right) = if reflected { (other, self.column()) } else { (self.column(), other) };
        Ok(self.with_column(operate(left.into(), right.into(), op)?))
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
                    operate(left.accessor().get(label)?.into(), right.accessor().get(label)?.into(), op)
                }
                (true, false) => missing_like(left.accessor().get(label)?),
                _ => missing_like(right.accessor().get(label)?),
            })
            .collect::<Result<_>>()?;
        Self::from_parts(labels, columns, left.index().clone())
    }

    /// Every column `op` the element of `row` that is labelled like it: a series along the columns.
    pub fn binary_row(&self, row: &Series, op: BinaryOperator, reflected: bool) -> Result<Self> {
        // What a reduction of the columns gives has their labels as far as an index can hold them.
        let in_order = row.len() == self.num_columns() && label_index(self.labels())?.equals(row.index())?;
        let find = |at: usize, label: &Label| -> Result<Option<Scalar>> {
            if in_order {
                return row.column().get(at).map(Some);
            }
            let parts = match label {
                Label::Tuple(parts) => &parts[..],
                one => std::slice::from_ref(one),
            };
            if parts.len() != row.index().num_levels() {
                return Ok(None);
            }
            let key: Option<Vec<Scalar>> = parts.iter().map(scalar_of).collect();
            let Some(key) = key else { return Ok(None) };
            let rows = row.index().find(&key)?;
            if rows.is_empty() {
                return Ok(None);
            }
            Ok(Some(row.column().get(rows.get(0)?.as_i64().unwrap_or(0) as usize)?))
        };
        let columns = self
            .accessor()
            .iter()
            .enumerate()
            .map(|(at, (label, column))| match find(at, label)? {
                Some(scalar) => operate_scalar(column, &scalar, op, reflected),
                None => missing_like(column),
            })
            .collect::<Result<_>>()?;
        self.with_columns(columns)
    }
}

/// A label that is no tuple as a row label; `None` for a missing one.
fn scalar_of(label: &Label) -> Option<Scalar> {
    match label {
        Label::Int(i) => Some(Scalar::from(*i)),
        Label::Str(text) => Some(Scalar::from(&**text)),
        _ => None,
    }
}

fn missing_like(column: &Column) -> Result<Column> {
    let data_type = if column.data_type().is_numeric() { DataType::Float64 } else { column.data_type() };
    Column::nulls(data_type, column.len(), &Context::current())
}

/// Whether the operator compares, so that its result is true or false.
pub fn is_comparison(op: BinaryOperator) -> bool {
    use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

fn operate_scalar(column: &Column, scalar: &Scalar, op: BinaryOperator, reflected: bool) -> Result<Column> {
    let compares = is_comparison(op);
    let scalar = match promotion::coerce_operand(scalar, column.data_type()) {
        // Comparing with an integer that the type cannot hold is still a comparison.
        Err(e) if !(compares && e.kind() == cuprum_column::ErrorKind::Overflow) => return Err(e),
        Err(_) => std::borrow::Cow::Borrowed(scalar),
        Ok(scalar) => scalar,
    };
    let (left, right): (Operand<'_>, Operand<'_>) =
        if reflected { ((&*scalar).into(), column.into()) } else { (column.into(), (&*scalar).into()) };
    operate(left, right, op)
}

fn operate(left: Operand<'_>, right: Operand<'_>, op: BinaryOperator) -> Result<Column> {
    let ctx = Context::current();
    if divides_integers_by_zero(left, right, op)? {
        // As in pandas: an infinity or NaN, so the result is float.
        return match right {
            Operand::Column(divisor) => {
                binary_operation(left, &cast(divisor, DataType::Float64, &ctx)?, op, &ctx)
            }
            Operand::Scalar(_) => binary_operation(left, &Scalar::from(0.0), op, &ctx),
        };
    }
    let result = binary_operation(left, right, op, &ctx)?;
    if !is_comparison(op) || !result.has_nulls() {
        return Ok(result);
    }
    let missing = Scalar::from(op == BinaryOperator::NotEqual);
    replace::replace_nulls(&result, &missing, false, &ctx)
}

fn divides_integers_by_zero(left: Operand<'_>, right: Operand<'_>, op: BinaryOperator) -> Result<bool> {
    let divides = matches!(op, BinaryOperator::FloorDiv | BinaryOperator::Mod);
    if !divides || !left.data_type().is_integer() || !right.data_type().is_integer() {
        return Ok(false);
    }
    match right {
        Operand::Scalar(scalar) => Ok(scalar.as_i64() == Some(0)),
        Operand::Column(divisor) => {
            let ctx = Context::current();
            let zero = Scalar::new(divisor.data_type(), Value::Int(0))?;
            let zeros = binary_operation(divisor, &zero, BinaryOperator::Equal, &ctx)?;
            Ok(reduce(&zeros, Aggregation::Any, &ctx)?.as_bool() == Some(true))
        }
    }
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
