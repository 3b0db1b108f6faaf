//! Decimals as integers of 128 bits: read at any width, computed checked, stored at any width.
//!
//! The value of a decimal is its stored integer times 10 to the power of its scale. Nothing here wraps and
//! nothing is lost but digits beyond the scale of a result, which are cut off.

use std::cmp::Ordering;
use std::sync::atomic::{self, AtomicUsize};

use cuprum_runtime::primitives::Bits;

use cuprum_column::{
    Buffer, Column, ColumnView, Context, DataType, Error, ErrorKind, HostUVec, Result, StringBuilder,
    null_mask,
    scalar::{decimal_text, decimal_to_f64},
};

mod cuda;

pub use cuda::DECIMAL_TEXTS;

#[cfg(test)]
mod tests;

/// The stored integers of a column of decimals or integers, or one for all rows.
pub enum Digits<'a> {
    /// Stored in 8 bits.
    Int8(&'a [i8]),
    /// Stored in 16 bits.
    Int16(&'a [i16]),
    /// Stored in 32 bits.
    Int32(&'a [i32]),
    /// Stored in 64 bits.
    Int64(&'a [i64]),
    /// Stored in 128 bits.
    Int128(&'a [i128]),
    /// Stored in 8 bits, unsigned.
    UInt8(&'a [u8]),
    /// Stored in 16 bits, unsigned.
    UInt16(&'a [u16]),
    /// Stored in 32 bits, unsigned.
    UInt32(&'a [u32]),
    /// Stored in 64 bits, unsigned.
    UInt64(&'a [u64]),
    /// One value for all rows.
    One(i128),
}

impl<'a> Digits<'a> {
    /// Access to a column of integers or decimals.
    pub fn new(view: &'a ColumnView<'_>) -> Result<Self> {
        Ok(match view.data_type() {
            DataType::Decimal32(_) | DataType::Int32 => Self::Int32(view.values()?),
            DataType::Decimal64(_) | DataType::Int64 => Self::Int64(view.values()?),
            DataType::Decimal128(_) => Self::Int128(view.values()?),
            DataType::Int8 => Self::Int8(view.values()?),
            DataType::Int16 => Self::Int16(view.values()?),
            DataType::UInt8 | DataType::Bool8 => Self::UInt8(view.values()?),
            DataType::UInt16 => Self::UInt16(view.values()?),
            DataType::UInt32 => Self::UInt32(view.values()?),
            DataType::UInt64 => Self::UInt64(view.values()?),
            t => return Err(not_decimal(t)),
        })
    }

    /// The unscaled integer of a row.
    #[inline(always)]
    pub fn get(&self, row: usize) -> i128 {
        match self {
            Self::Int8(values) => values[row].into(),
            Self::Int16(values) => values[row].into(),
            Self::Int32(values) => values[row].into(),
            Self::Int64(values) => values[row].into(),
            Self::Int128(values) => values[row],
            Self::UInt8(values) => values[row].into(),
            Self::UInt16(values) => values[row].into(),
            Self::UInt32(values) => values[row].into(),
            Self::UInt64(values) => values[row].into(),
            Self::One(value) => *value,
        }
    }
}

fn not_decimal(data_type: DataType) -> Error {
    Error::data_type(format!("expected decimals or integers, found {data_type}"))
}

/// `value · 10^from` in units of `10^to`, digits beyond them cut off; `None` where it does not fit.
#[inline]
pub fn rescaled(value: i128, from: i32, to: i32) -> Option<i128> {
    if value == 0 || from == to {
        return Some(value);
    }
    match 10i128.checked_pow(from.abs_diff(to)) {
        Some(power) if from > to => value.checked_mul(power),
        Some(power) => Some(value / power),
        // More digits than any value has.
        None => (from < to).then_some(0),
    }
}

/// [`rescaled`] where no digit is cut off.
#[inline]
pub fn rescaled_exactly(value: i128, from: i32, to: i32) -> Option<i128> {
    let scaled = rescaled(value, from, to)?;
    (rescaled(scaled, to, from) == Some(value)).then_some(scaled)
}

/// `a / b` rounded towards negative infinity, of numbers of one scale; zero where `b` is.
#[inline]
pub fn floor_div(a: i128, b: i128) -> Option<i128> {
    if b == 0 {
        return Some(0);
    }
    let quotient = a.checked_div(b)?;
    let is_below = a.checked_rem(b)? != 0 && (a < 0) != (b < 0);
    Some(quotient - i128::from(is_below))
}

/// The remainder of [`floor_div`]: with the sign of the divisor.
#[inline]
pub fn modulo(a: i128, b: i128) -> i128 {
    match a.checked_rem(b) {
        // By zero, or by -1 of the least number.
        None => 0,
        Some(rest) if rest != 0 && (rest < 0) != (b < 0) => rest + b,
        Some(rest) => rest,
    }
}

/// The order of two decimals of any scales.
#[inline]
pub fn compare(a: i128, a_scale: i32, b: i128, b_scale: i32) -> Ordering {
    let fine = a_scale.min(b_scale);
    match (rescaled(a, a_scale, fine), rescaled(b, b_scale, fine)) {
        (Some(a), Some(b)) => a.cmp(&b),
        // A value that overflows is further from zero than one that does not; only the coarser one is
        // multiplied.
        (None, _) => a.cmp(&0),
        (_, None) => 0.cmp(&b),
    }
}

/// A column of `data_type`, decimals or integers, of the values that `f` gives for valid rows.
///
/// Fails with [`Overflow`](ErrorKind::Overflow), naming the first row, where `f` gives `None` or what the
/// type does not hold.
pub fn column(
    len: usize,
    data_type: DataType,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
    f: impl Fn(usize) -> Option<i128> + Sync,
) -> Result<Column> {
    let bits = null_mask::bits(mask.as_ref(), len)?;
    let bits = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let bad = AtomicUsize::new(usize::MAX);
    let value = |row: usize| {
        if !bits.is_none_or(|bits| bits.get(row)) {
            return 0;
        }
        f(row).unwrap_or_else(|| {
            bad.fetch_min(row, atomic::Ordering::Relaxed);
            0
        })
    };
    macro_rules! narrow {
        ($T:ty) => {{
            let values = HostUVec::<$T>::from_fn(len, ctx, |row| {
                <$T>::try_from(value(row)).unwrap_or_else(|_| {
                    bad.fetch_min(row, atomic::Ordering::Relaxed);
                    0
                })
            })?;
            values.into_buffer()
        }};
    }
    let buffer = match data_type {
        DataType::Decimal32(_) | DataType::Int32 => narrow!(i32),
        DataType::Decimal64(_) | DataType::Int64 => narrow!(i64),
        DataType::Decimal128(_) => HostUVec::<i128>::from_fn(len, ctx, value)?.into_buffer(),
        DataType::Int8 => narrow!(i8),
        DataType::Int16 => narrow!(i16),
        DataType::UInt8 => narrow!(u8),
        DataType::UInt16 => narrow!(u16),
        DataType::UInt32 => narrow!(u32),
        DataType::UInt64 => narrow!(u64),
        other => return Err(not_decimal(other)),
    };
    let bad = bad.into_inner();
    if bad != usize::MAX {
        let message = format!("row {bad}: the value does not fit {data_type}");
        return Err(Error::new(ErrorKind::Overflow, message));
    }
    Column::from_buffer(data_type, len, buffer, mask)
}

/// A column of decimals or integers as another of them; see `unary::cast`.
pub fn cast(from: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let view = from.view()?;
    let digits = Digits::new(&view)?;
    let (a, b) = (scale(from.data_type()), scale(to));
    column(from.len(), to, from.copy_mask(ctx)?, ctx, |row| rescaled(digits.get(row), a, b))
}

/// Decimals as the nearest floats.
pub fn to_floats(from: &Column, ctx: &Context) -> Result<Column> {
    let view = from.view()?;
    let (digits, scale) = (Digits::new(&view)?, scale(from.data_type()));
    let values = HostUVec::from_fn(from.len(), ctx, |row| decimal_to_f64(digits.get(row), scale))?;
    Column::new(DataType::Float64, values, from.copy_mask(ctx)?)
}

/// The digits behind the point of decimals that floats become.
///
/// Fails with [`DataType`](ErrorKind::DataType) where their scale is coarser than one.
pub fn places_of_floats(to: DataType) -> Result<usize> {
    let places = scale(to).checked_neg().and_then(|places| usize::try_from(places).ok());
    places
        .ok_or_else(|| Error::data_type(format!("floats do not become {to}: its scale is coarser than one")))
}

/// The most digits that a float has behind the point.
const MOST_PLACES: usize = 1074;

/// Floats as the nearest decimals, halves to even.
pub fn from_floats(floats: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let view = floats.view()?;
    let values = view.values::<f64>()?;
    let digits = places_of_floats(to)?;
    let parse = |value: f64| {
        if !value.is_finite() {
            return None;
        }
        // So many digits no float has behind the point, and no decimal in front of them but those of zero.
        if digits > MOST_PLACES {
            return (value == 0.0).then_some(0);
        }
        // Printing rounds the exact value of the float.
        format!("{value:.digits$}").replacen('.', "", 1).parse().ok()
    };
    column(floats.len(), to, floats.copy_mask(ctx)?, ctx, |row| parse(values[row]))
}

/// Decimals as texts, with all digits of their scale.
pub fn to_texts(from: &Column, ctx: &Context) -> Result<Column> {
    if ctx.is_on_gpu() {
        return cuda::to_texts(from, ctx);
    }
    let view = from.view()?;
    let (digits, validity, scale) = (Digits::new(&view)?, view.validity(), scale(from.data_type()));
    let parts = cuprum_runtime::parallel::map_morsels(from.len(), ctx, |range| {
        let mut texts = StringBuilder::with_capacity(range.len(), range.len() * 8);
        for row in range {
            match validity.as_ref().is_none_or(|bits| bits.get(row)) {
                true => texts.push(&decimal_text(digits.get(row), scale)),
                false => texts.push_null(),
            }
        }
        Ok(texts)
    })?;
    StringBuilder::finish_all(parts, ctx)
}

/// A text as an integer in units of `10^scale`: digits with a sign, a point and an exponent. `None` for other
/// texts, for digits beyond the scale and for overflows.
pub(crate) fn parse(text: &str, scale: i32) -> Option<i128> {
    let text = text.trim();
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, digits) = match number.as_bytes().first()? {
        b'-' => (true, &number[1..]),
        b'+' => (false, &number[1..]),
        _ => (false, number),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut all = whole.bytes().chain(fraction.bytes()).peekable();
    all.peek()?;
    let mut value = 0i128;
    for digit in all {
        let digit = digit.is_ascii_digit().then(|| i128::from(digit - b'0'))?;
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    let from = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    rescaled_exactly(if negative { -value } else { value }, from, scale)
}

/// The power of ten that stored integers of a type are multiples of.
pub fn scale(data_type: DataType) -> i32 {
    if data_type.is_decimal() { data_type.scale() } else { 0 }
}

/// Texts as decimals; see [`parse`].
///
/// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument), naming row and text.
pub fn from_texts(texts: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let no_value =
        |row: usize, text: &str| Error::invalid_argument(format!("row {row}: '{text}' is no value of {to}"));
    if ctx.is_on_gpu() {
        return cuda::from_texts(texts, to, no_value, ctx);
    }
    let view = texts.view()?;
    let rows = view.strings()?;
    let scale = scale(to);
    column(texts.len(), to, texts.copy_mask(ctx)?, ctx, |row| parse(rows.get(row), scale)).map_err(|error| {
        let holds = |text: &str| parse(text, scale).is_some_and(|value| fits(value, to));
        match rows.iter().position(|text| text.is_some_and(|text| !holds(text))) {
            Some(row) => no_value(row, rows.get(row)),
            None => error,
        }
    })
}

fn fits(value: i128, to: DataType) -> bool {
    match to.size() {
        Some(4) => i32::try_from(value).is_ok(),
        Some(8) => i64::try_from(value).is_ok(),
        _ => true,
    }
}

/// Whether each decimal is not zero.
pub fn to_bools(from: &Column, ctx: &Context) -> Result<Column> {
    let view = from.view()?;
    let digits = Digits::new(&view)?;
    let values = HostUVec::from_fn(from.len(), ctx, |row| u8::from(digits.get(row) != 0))?;
    Column::new(DataType::Bool8, values, from.copy_mask(ctx)?)
}

/// The decimal type whose width is a size in bytes.
pub fn of_width(bytes: usize, scale: i32) -> DataType {
    match bytes {
        0..=4 => DataType::Decimal32(scale),
        5..=8 => DataType::Decimal64(scale),
        _ => DataType::Decimal128(scale),
    }
}

/// The column, if no value is stored in more digits.
///
/// Fails with [`Overflow`](ErrorKind::Overflow), naming the first row, otherwise.
pub fn within_digits(column: &Column, digits: u8, ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let (stored, validity) = (Digits::new(&view)?, view.validity());
    let limit = 10u128.pow(digits.into());
    let has_more = |row: usize| {
        stored.get(row).unsigned_abs() >= limit && validity.as_ref().is_none_or(|bits| bits.get(row))
    };
    let found = cuprum_runtime::parallel::map_morsels(column.len(), ctx, |rows| {
        Ok(rows.into_iter().find(|row| has_more(*row)))
    })?;
    match found.into_iter().flatten().next() {
        None => Ok(column.clone()),
        Some(row) => {
            let value = decimal_text(stored.get(row), scale(column.data_type()));
            Err(Error::overflow(format!("row {row}: {value} has more digits than {digits}")))
        }
    }
}
