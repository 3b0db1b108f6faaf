//! Sums of floats whose rounding errors are kept.

/// A sum that keeps its rounding errors (Neumaier 1974), as the exact error of each addition (Knuth, "The Art
/// of Computer Programming" 2, 4.2.2: no branch).
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub(crate) struct Compensated {
    sum: f64,
    lost: f64,
}

impl Compensated {
    /// The sum of nothing.
    pub(crate) const ZERO: Self = Self { sum: 0.0, lost: 0.0 };

    /// A sum that lost nothing.
    pub(crate) fn of(sum: f64) -> Self {
        Self { sum, lost: 0.0 }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        let added = sum - self.sum;
        self.lost += (self.sum - (sum - added)) + (value - added);
        self.sum = sum;
    }

    /// [`add`](Self::add) of values one after the other, the same to the bit: the error by two operations less, of the
    /// smaller summand, which mostly is the value.
    pub(crate) fn add_all(&mut self, values: &[f64]) {
        let (mut sum, mut lost) = (self.sum, self.lost);
        for &value in values {
            let next = sum + value;
            lost += if sum.abs() >= value.abs() { value - (next - sum) } else { sum - (next - value) };
            sum = next;
        }
        *self = Self { sum, lost };
    }

    /// The sum of both.
    #[inline(always)]
    pub(crate) fn and(mut self, later: Self) -> Self {
        self.add(later.sum);
        self.lost += later.lost;
        self
    }

    #[inline(always)]
    pub(crate) fn total(self) -> f64 {
        // Infinities leave NaN in the rounding errors.
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(values: &[f64]) -> Compensated {
        values.iter().fold(Compensated::ZERO, |mut sum, value| {
            sum.add(*value);
            sum
        })
    }

    #[test]
    fn sums_are_those_of_exact_numbers() {
        assert_eq!(sum(&[0.1; 10]).total(), 1.0);
        assert_eq!(sum(&[1.0, 1e100, 1.0, -1e100]).total(), 2.0);
        assert_eq!(sum(&[1e100, 1.0]).and(sum(&[1.0, -1e100])).total(), 2.0);
        assert_eq!(sum(&[f64::INFINITY, 1.0]).total(), f64::INFINITY);
        assert_eq!(sum(&[1.0]).and(sum(&[f64::NEG_INFINITY])).and(sum(&[2.0])).total(), f64::NEG_INFINITY);
        assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).total().is_nan());
        assert_eq!(sum(&[f64::MAX, f64::MAX]).total(), f64::INFINITY);
        let values: Vec<f64> =
            (0..1000).map(|i: i32| f64::from(i * 7919 % 1000 - 500) * 1.1f64.powi(i % 90)).collect();
        for from in [0.0, 1e30, -3.0] {
            let (mut one_by_one, mut at_once) = (Compensated::of(from), Compensated::of(from));
            values.iter().for_each(|value| one_by_one.add(*value));
            at_once.add_all(&values);
            assert_eq!((one_by_one.sum, one_by_one.lost), (at_once.sum, at_once.lost));
        }
        assert_eq!(Compensated::of(0.5).and(Compensated::ZERO).total(), 0.5);
    }
}
