//! A column or a scalar that stands for as many rows, the operands of operations.

use std::borrow::Cow;

use cuprum_column::{Bitmap, Column, ColumnView, Context, DataType, Device, Result, Scalar};
use cuprum_runtime::backend::OnDevice;

/// One side of a binary operation.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A value per row.
    Column(&'a Column),
    /// One value for all rows.
    Scalar(&'a Scalar),
}

impl<'a> From<&'a Column> for Operand<'a> {
    fn from(column: &'a Column) -> Self {
        Self::Column(column)
    }
}

impl<'a> From<&'a Scalar> for Operand<'a> {
    fn from(scalar: &'a Scalar) -> Self {
        Self::Scalar(scalar)
    }
}

/// An [`Operand`] that was moved to another device, with memory of its own.
#[derive(Clone, Debug)]
pub enum MovedOperand {
    /// A value per row.
    Column(Column),
    /// One value for all rows.
    Scalar(Scalar),
}

impl<'a> From<&'a MovedOperand> for Operand<'a> {
    fn from(operand: &'a MovedOperand) -> Self {
        match operand {
            MovedOperand::Column(column) => Self::Column(column),
            MovedOperand::Scalar(scalar) => Self::Scalar(scalar),
        }
    }
}

impl OnDevice for Operand<'_> {
    type Moved = MovedOperand;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        match self {
            Self::Column(column) => column.elsewhere(device),
            Self::Scalar(scalar) => scalar.elsewhere(device),
        }
    }

    fn types(&self) -> String {
        self.data_type().to_string()
    }

    fn moved_to(&self, ctx: &Context) -> Result<MovedOperand> {
        Ok(match self {
            Self::Column(column) => MovedOperand::Column(column.moved_to(ctx)?),
            Self::Scalar(scalar) => MovedOperand::Scalar(scalar.moved_to(ctx)?),
        })
    }
}

/// The validity of an operand's rows.
#[derive(Clone, Copy)]
pub enum Validity<'a> {
    /// All of them, or none.
    Uniform(bool),
    Bits(Bitmap<'a>),
}

impl Validity<'_> {
    /// Whether `row` is valid.
    #[inline]
    pub fn get(&self, row: usize) -> bool {
        match self {
            Self::Uniform(valid) => *valid,
            Self::Bits(bits) => bits.get(row),
        }
    }

    /// The rows `[64 w, 64 w + 64)` as bits.
    #[inline]
    pub fn word(&self, w: usize) -> u64 {
        match self {
            Self::Uniform(valid) => {
                if *valid {
                    u64::MAX
                } else {
                    0
                }
            }
            Self::Bits(bits) => bits.word(w),
        }
    }
}

/// An operand whose memory stays where it is, for algorithms of the CPU.
pub enum OperandView<'a> {
    /// A value per row.
    Column(ColumnView<'a>),
    /// One value for all rows.
    Scalar(&'a Scalar),
}

impl OperandView<'_> {
    /// The validity of the rows.
    #[inline]
    pub fn validity(&self) -> Validity<'_> {
        match self {
            Self::Column(view) => view.validity().map_or(Validity::Uniform(true), Validity::Bits),
            Self::Scalar(scalar) => Validity::Uniform(!scalar.is_null()),
        }
    }
}

impl<'a> Operand<'a> {
    /// Access to the values; fails as [`Column::view`] does.
    pub fn view(self) -> Result<OperandView<'a>> {
        Ok(match self {
            Self::Column(column) => OperandView::Column(column.view()?),
            Self::Scalar(scalar) => OperandView::Scalar(scalar),
        })
    }

    /// The rows as a column; those of a scalar are so many.
    pub fn to_column(self, scalar_rows: usize, ctx: &Context) -> Result<Cow<'a, Column>> {
        Ok(match self {
            Self::Column(column) => Cow::Borrowed(column),
            Self::Scalar(scalar) => Cow::Owned(Column::from_scalar(scalar, scalar_rows, ctx)?),
        })
    }

    /// The data type.
    pub fn data_type(&self) -> DataType {
        match self {
            Self::Column(column) => column.data_type(),
            Self::Scalar(scalar) => scalar.data_type(),
        }
    }

    /// The number of rows; `None` for a scalar.
    pub fn len(&self) -> Option<usize> {
        match self {
            Self::Column(column) => Some(column.len()),
            Self::Scalar(_) => None,
        }
    }

    /// Whether it is a column without rows.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Whether a value is null.
    pub fn has_nulls(&self) -> bool {
        match self {
            Self::Column(column) => column.has_nulls(),
            Self::Scalar(scalar) => scalar.is_null(),
        }
    }
}
