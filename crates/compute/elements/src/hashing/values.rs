//! The hashed bytes of columns in host memory.

use cuprum_column::types::Storage;
use cuprum_column::{Column, DataType, Error, Result, dispatch_storage};

/// A value of a column.
pub(super) trait Value: Copy {
    /// Calls `f` with its bytes, the least significant first. Every NaN is one; so are both zeros where
    /// `one_zero` says so.
    fn with_bytes<R>(self, one_zero: bool, f: impl FnOnce(&[u8]) -> R) -> R;

    /// The value itself as 32 bits: integers are cut, floats lose their fraction and stop at the ends.
    fn cut(self) -> u32;
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Value for $t {
            #[inline(always)]
            fn with_bytes<R>(self, _: bool, f: impl FnOnce(&[u8]) -> R) -> R { f(&self.to_le_bytes()) }
            #[inline(always)]
            fn cut(self) -> u32 { self as u32 }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64, i128);

macro_rules! floats {
    ($($t:ty: $nan:literal),*) => {$(
        impl Value for $t {
            #[inline(always)]
            fn with_bytes<R>(self, one_zero: bool, f: impl FnOnce(&[u8]) -> R) -> R {
                let bits = if self.is_nan() {
                    $nan
                } else if one_zero && self == 0.0 {
                    0
                } else {
                    self.to_bits()
                };
                f(&bits.to_le_bytes())
            }
            #[inline(always)]
            fn cut(self) -> u32 { self as u32 }
        }
    )*};
}

floats!(f32: 0x7fc0_0000, f64: 0x7ff8_0000_0000_0000);

impl Value for &[u8] {
    #[inline(always)]
    fn with_bytes<R>(self, _: bool, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self)
    }
    /// Never asked for: text has no identity hash, see `check_identity`.
    fn cut(self) -> u32 {
        0
    }
}

/// Code for the values of a column, whatever their type.
pub(super) trait Visitor {
    /// `value` gives the value of each row that is not null.
    fn visit<V: Value>(self, value: impl Fn(usize) -> V);
}

/// Lets `visitor` see the values of a column of numbers, text, or dictionary of these; a column of nulls
/// of no type is seen as one of any.
pub(super) fn visit_values(column: &Column, visitor: impl Visitor) -> Result<()> {
    if column.data_type() != DataType::Dictionary32 {
        return visit_plain(column, |row| row, visitor);
    }
    let indices = column.indices()?;
    let (view, keys) = (indices.view()?, column.keys()?);
    let indices = match indices.data_type() {
        DataType::UInt8 => Indices::U8(view.values()?),
        DataType::UInt16 => Indices::U16(view.values()?),
        DataType::UInt32 => Indices::U32(view.values()?),
        _ => Indices::U64(view.values()?),
    };
    visit_plain(keys, |row| indices.get(row), visitor)
}

/// Indices of a dictionary column: looked at row by row, as visitors would else be compiled once per width.
enum Indices<'a> {
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
}

impl Indices<'_> {
    #[inline(always)]
    fn get(&self, row: usize) -> usize {
        match self {
            Self::U8(indices) => indices[row] as usize,
            Self::U16(indices) => indices[row] as usize,
            Self::U32(indices) => indices[row] as usize,
            Self::U64(indices) => indices[row] as usize,
        }
    }
}

fn visit_plain(column: &Column, row_of: impl Fn(usize) -> usize, visitor: impl Visitor) -> Result<()> {
    let view = column.view()?;
    dispatch_storage!(column.data_type(), T => {
        let values = view.values::<T>()?;
        visitor.visit(|row| values[row_of(row)]);
    }, else => match column.data_type().storage() {
        Storage::I128 => {
            let values = view.values::<i128>()?;
            visitor.visit(|row| values[row_of(row)]);
        }
        Storage::Bytes => {
            let strings = view.strings()?;
            visitor.visit(|row| strings.bytes(row_of(row)));
        }
        _ if column.data_type() == DataType::Empty => visitor.visit(|_| 0u8),
        _ => return Err(Error::data_type(format!("{} has no plain values", column.data_type()))),
    });
    Ok(())
}
