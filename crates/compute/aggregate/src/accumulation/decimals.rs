//! Sums, extremes and means of decimals: exact, or an error.

use cuprum_column::{ColumnView, Error, ErrorKind, Result};
use cuprum_elements::decimals::{Digits, rescaled};

use crate::aggregation::{Aggregation, DIGITS_OF_MEANS};

/// The accumulator of the valid values of a group.
#[derive(Clone, Copy, Default)]
pub(crate) struct Total {
    pub(crate) value: i128,
    pub(crate) count: u64,
    /// The number of overflows above the largest integer, less those below the smallest; a final sum that
    /// fits is valid.
    pub(crate) overflows: i64,
}

impl Total {
    pub fn add(&mut self, value: i128, how: Aggregation) {
        self.value = match (self.count, how) {
            (0, _) => value,
            (_, Aggregation::Min) => self.value.min(value),
            (_, Aggregation::Max) => self.value.max(value),
            (_, Aggregation::First) => self.value,
            (_, Aggregation::Last) => value,
            _ => {
                let (sum, overflowed) = self.value.overflowing_add(value);
                self.overflows += if overflowed { value.signum() as i64 } else { 0 };
                sum
            }
        };
        self.count += 1;
    }

    /// The stored integer of the result; null of no values, but for their sum, which is 0.
    pub fn finish(self, how: Aggregation) -> Result<Option<i128>> {
        let unfit = || Error::new(ErrorKind::Overflow, format!("{how} of decimals does not fit 128 bits"));
        if self.overflows != 0 {
            return Err(unfit());
        }
        match how {
            Aggregation::Sum => Ok(Some(self.value)),
            _ if self.count == 0 => Ok(None),
            Aggregation::Mean => mean_digits(self.value, self.count).ok_or_else(unfit).map(Some),
            _ => Ok(Some(self.value)),
        }
    }
}

/// The stored integer of the mean of `count` values with a sum; `None` where it does not fit.
pub fn mean_digits(sum: i128, count: u64) -> Option<i128> {
    Some(divided(rescaled(sum, 0, -DIGITS_OF_MEANS)?, i128::from(count)))
}

/// `a / b` for a positive `b`, to the nearest integer, halves to the even one.
fn divided(a: i128, b: i128) -> i128 {
    let (quotient, rest) = (a.div_euclid(b), a.rem_euclid(b));
    match rest.cmp(&(b - rest)) {
        std::cmp::Ordering::Less => quotient,
        std::cmp::Ordering::Greater => quotient + 1,
        std::cmp::Ordering::Equal => quotient + (quotient & 1),
    }
}

/// Calls `f` with every valid row and its stored integer.
pub fn for_each(view: &ColumnView<'_>, mut f: impl FnMut(usize, i128)) -> Result<()> {
    let (digits, validity) = (Digits::new(view)?, view.validity());
    (0..view.len())
        .filter(|&row| validity.is_none_or(|bits| bits.get(row)))
        .for_each(|row| f(row, digits.get(row)));
    Ok(())
}
