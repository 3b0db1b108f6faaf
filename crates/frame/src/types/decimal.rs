//! Decimal numbers of fixed scale.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Value};
use cuprum_compute::binaryop::{BinaryOperator, Operand};
use cuprum_compute::reduce::{self, Aggregation};
use cuprum_compute::unary;

use super::operate::run;
use super::{Dtype, TypeRules, TypedColumn, no_aggregation, no_operator};

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
    /// most 38. Quotients have six digits behind the point or more, as many as 38 digits leave room for.
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
            _ => return None,
        };
        Self::with_digits(u8::try_from(precision.clamp(1, most)).ok()?, scale)
    }
}

/// `left op right` of decimals, one of which may be integers, or one value for all rows.
pub(super) fn operate(
    left: (Operand<'_>, Decimal),
    right: (Operand<'_>, Decimal),
    op: BinaryOperator,
) -> Result<TypedColumn> {
    if op.is_comparison() {
        return Ok(run(left.0, right.0, op)?.into());
    }
    let Some(result) = left.1.result(op, right.1) else {
        return Err(no_operator(op, &left.1.name(), &right.1.name()));
    };
    let ctx = match (left.0, right.0) {
        (Operand::Column(column), _) | (_, Operand::Column(column)) => column.context()?,
        _ => Context::beside(None)?,
    };
    // Of 128 bits, which hold what the result has not room for: it is checked when it is narrowed.
    let wide = |operand: Operand<'_>, scale: i32| -> Result<Wide> {
        let to = DataType::Decimal128(-scale);
        Ok(match operand {
            Operand::Column(column) => Wide::Column(unary::cast(column, to, &ctx)?),
            Operand::Scalar(scalar) if scalar.is_null() => Wide::Scalar(Scalar::null(to)),
            Operand::Scalar(scalar) => {
                Wide::Scalar(unary::cast(&Column::from_scalar(scalar, 1, &ctx)?, to, &ctx)?.get(0)?)
            }
        })
    };
    // The scale of a quotient is that of the dividend less that of the divisor.
    let dividend =
        if op == BinaryOperator::TrueDiv { result.scale() + right.1.scale() } else { left.1.scale() };
    let (left, right) = (wide(left.0, dividend)?, wide(right.0, right.1.scale())?);
    let data = run(left.operand(), right.operand(), op)?;
    checked(TypedColumn::new(Dtype::Decimal(result), unary::cast(&data, result.storage, &ctx)?)?, result)
}

enum Wide {
    Column(Column),
    Scalar(Scalar),
}

impl Wide {
    fn operand(&self) -> Operand<'_> {
        match self {
            Self::Column(column) => column.into(),
            Self::Scalar(scalar) => scalar.into(),
        }
    }
}

/// The column, if no value has more digits than its type.
///
/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) otherwise.
pub(super) fn checked(column: TypedColumn, kind: Decimal) -> Result<TypedColumn> {
    if Some(kind.precision) == most_digits(kind.storage) && kind.precision != 9 && kind.precision != 18 {
        return Ok(column);
    }
    let limit = 10u128.pow(kind.precision.into());
    for how in [Aggregation::Min, Aggregation::Max] {
        let extreme = reduce::reduce(column.data()?, how, &column.context()?)?;
        if let Value::Decimal(stored) = extreme.value()
            && stored.unsigned_abs() >= limit
        {
            return Err(Error::overflow(format!("{extreme} has more digits than {}", kind.name())));
        }
    }
    Ok(column)
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

    /// Decimals and integers; [`operate`] computes.
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
