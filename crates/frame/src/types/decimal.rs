//! Decimal numbers of fixed scale.

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Table, Value};
use cuprum_compute::binaryop::{BinaryOperator, Operand};
use cuprum_compute::expression::{self, Expression, Function, Node};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::unary::{self, UnaryOperator};

use super::{Dtype, MissingTruth, TypeRules, TypedColumn, no_aggregation, no_operator};

/// Decimal numbers: whole numbers of at most `precision` digits, times 10 to the power of the scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    storage: DataType,
    precision: u8,
}

impl Decimal {
    /// Decimals stored as `storage` with all digits it has; `None` for other types.
    pub fn of(storage: DataType) -> Option<Self> {
        Some(Self { storage, precision: most_digits(storage)? })
    }

    /// The same with fewer digits; `None` where the storage does not have them, or for none at all.
    #[must_use]
    pub fn with_precision(self, precision: u8) -> Option<Self> {
        (1..=most_digits(self.storage)?).contains(&precision).then_some(Self { precision, ..self })
    }

    /// The digits of the largest number.
    pub fn precision(self) -> u8 {
        self.precision
    }

    /// The digits behind the point; negative where numbers are multiples of a power of ten.
    pub fn scale(self) -> i32 {
        match self.storage {
            DataType::Decimal32(scale) | DataType::Decimal64(scale) | DataType::Decimal128(scale) => {
                scale.saturating_neg()
            }
            _ => 0,
        }
    }

    /// Decimals of so many digits, `scale` of them behind the point, in the narrowest storage; `None` where
    /// none has them.
    pub fn with_digits(precision: u8, scale: i32) -> Option<Self> {
        let stored = scale.checked_neg()?;
        let storage = match precision {
            1..=9 => DataType::Decimal32(stored),
            10..=18 => DataType::Decimal64(stored),
            19..=38 => DataType::Decimal128(stored),
            _ => return None,
        };
        Some(Self { storage, precision })
    }

    /// The decimals that hold all values of an integer type; `None` for other types.
    pub fn of_integers(of: DataType) -> Option<Self> {
        let digits = match of {
            DataType::Bool8 => 1,
            DataType::Int8 | DataType::UInt8 => 3,
            DataType::Int16 | DataType::UInt16 => 5,
            DataType::Int32 | DataType::UInt32 => 10,
            DataType::Int64 => 19,
            DataType::UInt64 => 20,
            _ => return None,
        };
        Self::with_digits(digits, 0)
    }

    /// The decimals that hold one value; `None` for what is neither a decimal nor an integer.
    pub fn of_value(value: &Scalar) -> Option<Self> {
        let (stored, scale) = match value.value() {
            Value::Decimal(stored) => (*stored, Self::of(value.data_type())?.scale()),
            Value::Int(value) => (i128::from(*value), 0),
            Value::UInt(value) => (i128::from(*value), 0),
            Value::Bool(value) => (i128::from(*value), 0),
            _ => return None,
        };
        let digits = stored.unsigned_abs().checked_ilog10().unwrap_or(0) + 1;
        Self::with_digits(u8::try_from(digits.max(scale.unsigned_abs())).ok()?, scale)
    }

    /// The type of the result of an operator, as cuDF has it: the digits that no result needs more than, at
    /// most 38. Quotients have six digits behind the point or more, as many as 38 digits leave room for; rounded
    /// down they have none.
    fn result(self, op: BinaryOperator, other: Self) -> Option<Self> {
        let (p1, s1) = (i32::from(self.precision), self.scale());
        let (p2, s2) = (i32::from(other.precision), other.scale());
        let most = 38;
        let (precision, scale) = match op {
            BinaryOperator::Add | BinaryOperator::Sub => {
                let scale = s1.max(s2);
                (scale + (p1 - s1).max(p2 - s2) + 1, scale)
            }
            BinaryOperator::Mul => (p1 + p2 + 1, s1 + s2),
            BinaryOperator::TrueDiv => {
                let scale = (s1 + p2 + 1).max(6);
                let precision = p1 - s1 + s2 + scale;
                (precision, (scale - (precision - most).max(0)).max(6))
            }
            // Down, so the last one may be reached.
            BinaryOperator::FloorDiv => (p1 - s1 + s2 + 1, 0),
            // Less than the divisor.
            BinaryOperator::Mod => (p2 - s2 + s1.max(s2), s1.max(s2)),
            _ => return None,
        };
        Self::with_digits(u8::try_from(precision.clamp(1, most)).ok()?, scale)
    }
}

/// `left op right` of decimals, one of which may be integers, or one value for all rows: in one pass.
pub(super) fn operate(
    left: (Operand<'_>, Decimal),
    right: (Operand<'_>, Decimal),
    op: BinaryOperator,
    truth: MissingTruth,
) -> Result<TypedColumn> {
    let mut columns = Vec::with_capacity(2);
    let mut input = |operand: Operand<'_>| match operand {
        Operand::Scalar(scalar) => Expression::literal(scalar.clone()),
        Operand::Column(column) => {
            columns.push(column.clone());
            Expression::column(columns.len() - 1, column.data_type())
        }
    };
    let (formula, kind) = formula((input(left.0), left.1), (input(right.0), right.1), op, truth)?;
    let Some(first) = columns.first() else {
        return Err(Error::logic("both operands are one value"));
    };
    if let Some(other) = columns.last().filter(|other| other.len() != first.len()) {
        return Err(Error::logic(format!("`lhs` has {} rows, `rhs` has {}", first.len(), other.len())));
    }
    let ctx = first.context()?;
    evaluated(formula, kind, &Table::new(columns)?, &ctx)
}

fn evaluated(
    formula: Expression,
    kind: Option<Decimal>,
    table: &Table,
    ctx: &Context,
) -> Result<TypedColumn> {
    let data = expression::evaluate(&[formula], table, ctx)?.swap_remove(0);
    match kind {
        Some(kind) => TypedColumn::new(Dtype::Decimal(kind), data),
        None => Ok(data.into()),
    }
}

/// `left op right` of decimals as a formula, and the kind of the result; no kind for the truth values of comparisons.
pub(crate) fn formula(
    left: (Expression, Decimal),
    right: (Expression, Decimal),
    op: BinaryOperator,
    truth: MissingTruth,
) -> Result<(Expression, Option<Decimal>)> {
    if op.is_comparison() {
        return Ok((truth.told_by(Expression::binary(op, left.0, right.0)?, op)?, None));
    }
    let Some(result) = left.1.result(op, right.1) else {
        return Err(no_operator(op, &left.1.name(), &right.1.name()));
    };
    // The scale of a quotient is that of the dividend less that of the divisor.
    let dividend =
        if op == BinaryOperator::TrueDiv { result.scale() + right.1.scale() } else { left.1.scale() };
    // As wide as the result, which has room for all digits that a row may come to.
    let width = result.storage.size().unwrap_or(16);
    let (mut l, r) = (literal_as(left.0, left.1)?, literal_as(right.0, right.1)?);
    let is_narrow =
        [&l, &r].iter().all(|operand| operand.data_type().size().is_some_and(|size| size < width));
    if is_narrow || -dividend != left.1.storage.scale() {
        l = cast(l, of_width(width, -dividend))?;
    }
    let formula = Expression::binary(op, l, r)?.cast(result.storage)?;
    Ok((within(formula, result)?, Some(result)))
}

/// One value as decimals of a kind; others as they are.
fn literal_as(operand: Expression, kind: Decimal) -> Result<Expression> {
    if matches!(operand.node(), Node::Literal(_)) { cast(operand, kind.storage) } else { Ok(operand) }
}

/// As decimals of another storage; a literal stays one.
fn cast(operand: Expression, to: DataType) -> Result<Expression> {
    let Node::Literal(scalar) = operand.node() else { return operand.cast(to) };
    if scalar.is_null() {
        return Ok(Expression::literal(Scalar::null(to)));
    }
    let host = Context::on(Device::Cpu)?;
    let one = unary::cast(&Column::from_scalar(scalar, 1, &host)?, to, &host)?;
    Ok(Expression::literal(one.get(0)?))
}

fn of_width(bytes: usize, scale: i32) -> DataType {
    match bytes {
        4 => DataType::Decimal32(scale),
        8 => DataType::Decimal64(scale),
        _ => DataType::Decimal128(scale),
    }
}

/// A formula of the storage of decimals, a row of which refuses that has more digits than they have.
pub(crate) fn within(formula: Expression, kind: Decimal) -> Result<Expression> {
    Expression::function(Function::WithinDigits(kind.precision), formula)
}

/// `op` of a formula of decimals, which stay of their kind.
pub(crate) fn unary_formula(formula: Expression, kind: Decimal, op: UnaryOperator) -> Result<Expression> {
    use UnaryOperator::{Abs, Ceil, Floor, Negate, Rint, Trunc};
    if !matches!(op, Abs | Ceil | Floor | Negate | Rint | Trunc) {
        return Dtype::Decimal(kind).refuse(op);
    }
    within(Expression::unary(op, formula)?, kind)
}

/// `op` of decimals, which stay of their type.
pub(crate) fn unary_operation(column: &TypedColumn, kind: Decimal, op: UnaryOperator) -> Result<TypedColumn> {
    let data = column.data()?;
    let formula = unary_formula(Expression::column(0, data.data_type()), kind, op)?;
    evaluated(formula, Some(kind), &Table::new(vec![data.clone()])?, &column.context()?)
}

/// Decimals rounded to places behind the point, halves to even.
pub(crate) fn round(column: &TypedColumn, kind: Decimal, places: i32) -> Result<TypedColumn> {
    let data = unary::round(column.data()?, places, &column.context()?)?;
    checked(column.like(data), kind)
}

/// The column, if no value has more digits than its type.
///
/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow), naming the first row, otherwise.
pub(super) fn checked(column: TypedColumn, kind: Decimal) -> Result<TypedColumn> {
    let data = column.data()?;
    let formula = within(Expression::column(0, data.data_type()), kind)?;
    let ctx = column.context()?;
    evaluated(formula, Some(kind), &Table::new(vec![data.clone()])?, &ctx)
}

fn most_digits(storage: DataType) -> Option<u8> {
    Some(match storage {
        DataType::Decimal32(_) => 9,
        DataType::Decimal64(_) => 18,
        DataType::Decimal128(_) => 38,
        _ => return None,
    })
}

impl TypeRules for Decimal {
    fn name(&self) -> String {
        let bits = self.storage.size().unwrap_or(0) * 8;
        format!("decimal{bits}({}, {})", self.precision, self.scale())
    }

    fn storage(&self) -> DataType {
        self.storage
    }

    fn is_plain(&self) -> bool {
        false
    }

    /// Decimals that hold all digits of both, before the point and behind it; also of integers.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        let other = match other {
            Dtype::Decimal(other) => *other,
            other => Self::of_integers(other.storage())?,
        };
        let scale = self.scale().max(other.scale());
        let whole = |kind: Self| i32::from(kind.precision) - kind.scale();
        let digits = whole(*self).max(whole(other)) + scale;
        let common = Self::with_digits(u8::try_from(digits.clamp(1, 38)).ok()?, scale)?;
        // No narrower than either, so that equal storage stays.
        let wider = common.storage.size().max(self.storage.size()).max(other.storage.size());
        Some(Dtype::Decimal(match wider {
            Some(size) if Some(size) != common.storage.size() => {
                let storage =
                    if size == 8 { DataType::Decimal64(-scale) } else { DataType::Decimal128(-scale) };
                Self { storage, ..common }
            }
            _ => common,
        }))
    }

    /// Decimals and integers; `operate` computes.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        let kind = match other {
            Dtype::Decimal(other) => Some(*other),
            other => Self::of_integers(other.storage()),
        };
        match kind {
            Some(_) if op.is_comparison() => Ok(Dtype::plain(DataType::Bool8)),
            Some(kind) => match self.result(op, kind) {
                Some(result) => Ok(Dtype::Decimal(result)),
                None => Err(no_operator(op, &self.name(), &other.name())),
            },
            None => Err(no_operator(op, &self.name(), &other.name())),
        }
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        match how {
            Aggregation::Count | Aggregation::Size | Aggregation::NUnique => {
                Ok(Dtype::plain(DataType::Int64))
            }
            Aggregation::First | Aggregation::Last | Aggregation::Min | Aggregation::Max => {
                Ok(Dtype::Decimal(*self))
            }
            Aggregation::Sum | Aggregation::Mean => how.result_type(self.storage).map(Dtype::plain),
            _ => Err(no_aggregation(how, &self.name())),
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn is_key(&self) -> bool {
        true
    }
}
