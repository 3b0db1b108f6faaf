//! [`RangeIndex`]: labels that are computed, not stored.

use cuprum_column::{Column, Context, DataType, Device, Native, Result};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::filling;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::unary::cast;
use cuprum_runtime::parallel;

use crate::types::{DefaultWidth, Number, TypedColumn};

/// `start, start + step, …` below `stop` (above, for negative steps), without memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeIndex {
    /// The first label.
    pub start: i64,
    /// The end, not included.
    pub stop: i64,
    /// The distance of two labels; with a distance of 0 there are none.
    pub step: i64,
}

impl RangeIndex {
    /// `0, 1, …` of `len` labels, of 2⁶³ − 1 at most.
    pub fn of_len(len: usize) -> Self {
        Self { start: 0, stop: i64::try_from(len).unwrap_or(i64::MAX), step: 1 }
    }

    /// `len` labels from `start`; `None` where one of them, or the end behind them, is no 64-bit integer.
    fn new(start: i128, step: i128, len: usize) -> Option<Self> {
        let stop = start.checked_add(step.checked_mul(i128::try_from(len).ok()?)?)?;
        let fits = |value: i128| i64::try_from(value).ok();
        Some(Self { start: fits(start)?, stop: fits(stop)?, step: fits(step)? })
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        let span = i128::from(self.stop) - i128::from(self.start);
        let step = i128::from(self.step);
        if (span > 0) == (step > 0) && span != 0 && step != 0 {
            ((span + step - step.signum()) / step) as usize
        } else {
            0
        }
    }

    /// Whether there are no labels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The label at `row`; wraps around for a row that is not there.
    pub fn get(&self, row: usize) -> i64 {
        self.start.wrapping_add((row as i64).wrapping_mul(self.step))
    }

    /// The row that `label` is at.
    pub fn find(&self, label: i64) -> Option<usize> {
        if self.step == 1 {
            // The labels of nearly all ranges, without division.
            return (self.start..self.stop).contains(&label).then(|| label.abs_diff(self.start) as usize);
        }
        let distance = i128::from(label) - i128::from(self.start);
        let (row, rest) = (distance.checked_div(self.step.into())?, distance.checked_rem(self.step.into())?);
        usize::try_from(row).ok().filter(|&row| rest == 0 && row < self.len())
    }

    /// The smallest and the largest label.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        let (first, last) = (self.start, self.get(self.len().checked_sub(1)?));
        Some((first.min(last), first.max(last)))
    }

    /// The labels `[start, start + len)`, which must be there.
    pub(super) fn slice(&self, start: usize, len: usize) -> Self {
        // Behind the last label, which fits; its own place may not.
        let end = i128::from(self.start) + (start as i128 + len as i128) * i128::from(self.step);
        let stop = end.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Self { start: self.get(start), stop, step: self.step }
    }

    /// The labels of a slice of the rows; `None` where one of its bounds, or the step, is no 64-bit integer.
    pub(super) fn strided(&self, rows: &Self) -> Option<Self> {
        let at = |row: i64| row.checked_mul(self.step)?.checked_add(self.start);
        Some(Self { start: at(rows.start)?, stop: at(rows.stop)?, step: rows.step.checked_mul(self.step)? })
    }

    /// The labels from the last to the first; `None` where the end behind them is no 64-bit integer.
    pub fn reversed(&self) -> Option<Self> {
        let len = self.len();
        let last = self.get(len.checked_sub(1)?);
        Self::new(last.into(), -i128::from(self.step), len)
    }

    /// These labels and then those of `next`; `None` where they are no range, and where either has none.
    pub(super) fn followed_by(&self, next: &Self) -> Option<Self> {
        let (len, more) = (self.len(), next.len());
        let distance = i128::from(next.start) - i128::from(self.get(len.checked_sub(1)?));
        let even = |range: &Self| range.len() == 1 || i128::from(range.step) == distance;
        (more > 0 && distance != 0 && even(self) && even(next))
            .then(|| Self::new(self.start.into(), distance, len + more))
            .flatten()
    }

    /// Every label plus `by`.
    pub fn plus(&self, by: i64) -> Option<Self> {
        // The end may lie behind the next label, and stays as far behind.
        let moved = |value: i64| value.checked_add(by);
        Some(Self { start: moved(self.start)?, stop: moved(self.stop)?, step: self.step })
    }

    /// Every label times `by`; `None` for 0, for then labels repeat.
    pub fn times(&self, by: i64) -> Option<Self> {
        let scaled = |value: i64| value.checked_mul(by);
        if by == 0 {
            return None;
        }
        Some(Self { start: scaled(self.start)?, stop: scaled(self.stop)?, step: scaled(self.step)? })
    }

    /// Every label divided by `by`, rounded down, where that leaves equal distances.
    pub fn floor_divided(&self, by: i64) -> Option<Self> {
        let exact = by != 0 && self.start.checked_rem(by)? == 0 && self.step.checked_rem(by)? == 0;
        let (start, step) = (self.start.checked_div(by)?, self.step.checked_div(by)?);
        exact.then(|| Self::new(start.into(), step.into(), self.len())).flatten()
    }

    /// The labels that both have, ascending unless both descend; `None` where that is no range of 64 bits.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let (Some((a_low, a_high)), Some((b_low, b_high))) = (self.bounds(), other.bounds()) else {
            return Some(Self::of_len(0));
        };
        let (a, b) = (i128::from(self.step).abs(), i128::from(other.step).abs());
        let (low, high) = (i128::from(a_low.max(b_low)), i128::from(a_high.min(b_high)));
        let (gcd, inverse, _) = extended_gcd(a, b);
        let distance = i128::from(b_low) - i128::from(a_low);
        if high < low || distance % gcd != 0 {
            return Some(Self::of_len(0));
        }
        // a_low + a·k is b_low modulo b; the products stay below 2¹²⁷ because k is reduced first.
        let k = (distance / gcd % (b / gcd) * (inverse % (b / gcd))).rem_euclid(b / gcd);
        let (common, step) = (i128::from(a_low) + a * k, a / gcd * b);
        let first = common + (low - common).div_euclid(step) * step;
        let first = if first < low { first + step } else { first };
        if first > high {
            return Some(Self::of_len(0));
        }
        let len = usize::try_from((high - first) / step + 1).ok()?;
        let ascending = Self::new(first, step, len)?;
        if self.step < 0 && other.step < 0 {
            return ascending.reversed();
        }
        // The nearer end of both, as pandas has it.
        let end = |range: &Self, high: i64| {
            if range.step > 0 { range.stop.into() } else { i128::from(high) + i128::from(range.step).abs() }
        };
        let stop = end(self, a_high).min(end(other, b_high));
        Some(Self { stop: i64::try_from(stop).ok()?, ..ascending })
    }

    /// The labels of both, each once and ascending; `None` where they are no range.
    pub fn union(&self, other: &Self) -> Option<Self> {
        let ((a_low, a_high), (b_low, b_high)) = match (self.bounds(), other.bounds()) {
            (Some(a), Some(b)) => (a, b),
            (Some(_), None) => return if self.step > 0 { Some(*self) } else { self.reversed() },
            (None, None) => return Some(Self::of_len(0)),
            (None, Some(_)) => return if other.step > 0 { Some(*other) } else { other.reversed() },
        };
        let wide = |x: i64| i128::from(x);
        let low = wide(a_low).min(b_low.into());
        let high = wide(a_high).max(b_high.into());
        let common = self.intersection(other)?.len();
        let count = usize::try_from(self.len() as i128 + other.len() as i128 - common as i128).ok()?;
        if count == 1 {
            return Self::new(low, 1, 1);
        }
        // Equal distances from the lowest to the highest, all of them there.
        let spans = count as i128 - 1;
        let step = (high - low) / spans;
        if step == 0 || (high - low) % spans != 0 {
            return None;
        }
        let on_grid = |range: &Self, low_of: i64| {
            (wide(low_of) - low) % step == 0 && (range.len() == 1 || wide(range.step) % step == 0)
        };
        (on_grid(self, a_low) && on_grid(other, b_low)).then(|| Self::new(low, step, count)).flatten()
    }

    /// The labels that `other` has not, in this order; `None` where they are no range.
    pub fn difference(&self, other: &Self) -> Option<Self> {
        let common = self.intersection(other)?;
        let (Some((low, high)), len) = (common.bounds(), self.len()) else { return Some(*self) };
        if common.len() == len {
            return Some(Self::of_len(0));
        }
        // The first and the last row whose labels stay; the rest is a range if those at equal distances
        // between them are no labels of `other`.
        let (a, b) = (self.find(low)?, self.find(high)?);
        let (first, last) = (a.min(b), a.max(b));
        let dense = common.len() == last - first + 1;
        let start = match first {
            0 if dense => last + 1,
            0 => 1,
            _ => 0,
        };
        let end = match len - 1 - last {
            0 if dense => first.checked_sub(1)?,
            0 => len - 2,
            _ => len - 1,
        };
        let gaps = (len - common.len()).saturating_sub(1);
        if gaps == 0 {
            return Some(self.slice(start, 1));
        }
        if (end - start) % gaps != 0 {
            return None;
        }
        let step = i128::from(self.step) * ((end - start) / gaps) as i128;
        let rest = Self::new(self.get(start).into(), step, gaps + 1)?;
        rest.intersection(other)?.is_empty().then_some(rest)
    }

    /// The range that the elements of a column are: two or more integers at equal distances.
    ///
    /// Looks at all elements where the first two and the last allow for it.
    pub(super) fn of_column(column: &Column) -> Result<Option<Self>> {
        let len = column.len();
        if len < 2 || column.data_type() != DataType::Int64 || column.has_nulls() {
            return Ok(None);
        }
        let at = |row| Ok(column.get(row)?.as_i64().map_or(0, i128::from));
        let (first, step) = (at(0)?, at(1)? - at(0)?);
        let Some(range) = Self::new(first, step, len).filter(|_| step != 0) else { return Ok(None) };
        Ok(range.are(column)?.then_some(range))
    }

    /// Whether the elements of a column are the labels: as many integers, none missing. Looks at all of
    /// them where the last one is a label, and on the host of every morsel the first and the last.
    pub(crate) fn are(&self, column: &Column) -> Result<bool> {
        let (len, ctx) = (column.len(), column.context()?);
        if len != self.len() || column.has_nulls() {
            return Ok(false);
        }
        if column.device() == Device::Cpu {
            let view = column.view()?;
            return match column.data_type() {
                DataType::Int32 => self.are_values(view.values::<i32>()?, &ctx),
                DataType::Int64 => self.are_values(view.values::<i64>()?, &ctx),
                _ => Ok(false),
            };
        }
        if !matches!(column.data_type(), DataType::Int32 | DataType::Int64) {
            return Ok(false);
        }
        if let Some(last) = len.checked_sub(1)
            && column.get(last)?.as_i64() != Some(self.get(last))
        {
            return Ok(false);
        }
        let labels = filling::sequence(self.start, self.step, len, &ctx)?;
        let same = binary_operation(column, &labels, BinaryOperator::Equal, &ctx)?;
        Ok(reduce(&same, Aggregation::All, &ctx)?.as_bool() != Some(false))
    }

    fn are_values<T: Native>(&self, values: &[T], ctx: &Context) -> Result<bool> {
        let same = parallel::map_morsels(values.len(), ctx, |rows| {
            let is_label = |row: usize| values[row].as_i64() == self.get(row);
            let ends = is_label(rows.start) && is_label(rows.end - 1);
            Ok(ends && rows.fold(true, |same, row| same & is_label(row)))
        })?;
        Ok(same.into_iter().all(|same| same))
    }

    /// The range that a column of integers is: [`of_column`](Self::of_column), or one label, or none.
    pub(super) fn of_few_or_even(column: &Column, step: i64) -> Result<Option<Self>> {
        if column.data_type() != DataType::Int64 || column.has_nulls() {
            return Ok(None);
        }
        match column.len() {
            0 => Ok(Some(Self::of_len(0))),
            1 => Ok(column
                .get(0)?
                .as_i64()
                .and_then(|label| Some(Self { start: label, stop: label.checked_add(step)?, step }))),
            _ => Self::of_column(column),
        }
    }

    /// The type of the labels where they are stored for users: that of integers by [default](Number).
    pub(super) fn data_type(&self) -> DataType {
        let (low, high) = self.bounds().unwrap_or_default();
        let is_narrow = Number::Integer.width() == DefaultWidth::Bits32
            && i32::try_from(low).is_ok()
            && i32::try_from(high).is_ok();
        if is_narrow { DataType::Int32 } else { DataType::Int64 }
    }

    /// The labels in their [type](Self::data_type).
    pub(super) fn to_default_column(self, ctx: &Context) -> Result<TypedColumn> {
        self.in_default_type(self.to_column(ctx)?, ctx)
    }

    /// Some of the labels in the [type](Self::data_type) of all.
    pub(super) fn in_default_type(self, labels: Column, ctx: &Context) -> Result<TypedColumn> {
        let to = self.data_type();
        Ok(if to == labels.data_type() { labels } else { cast(&labels, to, ctx)? }.into())
    }

    pub(super) fn to_column(self, ctx: &Context) -> Result<Column> {
        filling::sequence(self.start, self.step, self.len(), ctx)
    }
}

/// `(g, x, y)` with `a·x + b·y = g`, the greatest common divisor.
fn extended_gcd(a: i128, b: i128) -> (i128, i128, i128) {
    let ((mut r, mut x, mut y), (mut next_r, mut next_x, mut next_y)) = ((a, 1, 0), (b, 0, 1));
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (x, next_x) = (next_x, x - quotient * next_x);
        (y, next_y) = (next_y, y - quotient * next_y);
    }
    (r, x, y)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn ranges() -> Vec<RangeIndex> {
        let mut all = vec![];
        for start in [-3, 0, 2, 5] {
            for step in [-4, -3, -1, 1, 2, 3, 6] {
                for len in [0, 1, 2, 3, 5] {
                    all.push(RangeIndex { start, stop: start + step * len, step });
                }
            }
        }
        all
    }

    fn labels(range: &RangeIndex) -> Vec<i64> {
        (0..range.len()).map(|row| range.get(row)).collect()
    }

    #[test]
    fn set_operations_are_those_of_sets() {
        for a in ranges() {
            for b in ranges() {
                let (x, y): (BTreeSet<i64>, BTreeSet<i64>) =
                    (labels(&a).into_iter().collect(), labels(&b).into_iter().collect());
                let both: Vec<i64> = x.intersection(&y).copied().collect();
                let mut common = labels(&a.intersection(&b).unwrap());
                if a.step < 0 && b.step < 0 {
                    common.reverse();
                }
                assert_eq!(common, both, "{a:?} and {b:?}");
                let all: Vec<i64> = x.union(&y).copied().collect();
                let even = all.windows(2).all(|w| w[1] - w[0] == all[1] - all[0]);
                let found = a.union(&b);
                assert_eq!(found.is_some(), even, "{a:?} or {b:?}");
                assert!(found.is_none_or(|r| labels(&r) == all), "{a:?} or {b:?}: {found:?}");
                let rest: Vec<i64> = labels(&a).into_iter().filter(|l| !y.contains(l)).collect();
                let even = rest.windows(2).all(|w| w[1] - w[0] == rest[1] - rest[0]);
                let found = a.difference(&b);
                assert_eq!(found.is_some(), even, "{a:?} without {b:?}");
                assert!(found.is_none_or(|r| labels(&r) == rest), "{a:?} without {b:?}");
            }
        }
    }

    #[test]
    fn columns_are_ranges_if_every_element_is() {
        for ctx in cuprum_testing::contexts() {
            let rows = 2 * parallel::MORSEL + 5;
            let range = RangeIndex { start: -7, stop: -7 + 3 * rows as i64, step: 3 };
            let all = labels(&range);
            let column = |labels: &[i64]| Column::from_slice(labels, &ctx).unwrap();
            let narrow = |labels: &[i32]| Column::from_slice(labels, &ctx).unwrap();
            assert!(range.are(&column(&all)).unwrap());
            assert!(!range.are(&column(&all[1..])).unwrap());
            assert_eq!(RangeIndex::of_column(&column(&all)).unwrap(), Some(range));
            for at in [
                0,
                1,
                1000,
                parallel::MORSEL - 1,
                parallel::MORSEL,
                parallel::MORSEL + 77,
                rows - 2,
                rows - 1,
            ] {
                let mut other = all.clone();
                other[at] += 3;
                assert!(!range.are(&column(&other)).unwrap(), "{at}");
                assert_eq!(RangeIndex::of_column(&column(&other)).unwrap(), None, "{at}");
            }
            assert!(RangeIndex::of_len(3).are(&narrow(&[0, 1, 2])).unwrap());
            assert!(!RangeIndex::of_len(3).are(&narrow(&[0, 1, -2])).unwrap());
            assert!(
                !RangeIndex::of_len(3).are(&Column::from_slice(&[0.0, 1.0, 2.0], &ctx).unwrap()).unwrap()
            );
            let missing = Column::from_options(&[Some(0i64), None, Some(2)], &ctx).unwrap();
            assert!(!RangeIndex::of_len(3).are(&missing).unwrap());
            assert!(RangeIndex::of_len(0).are(&column(&[])).unwrap());
        }
    }

    #[test]
    fn arithmetic_stays_a_range_or_says_so() {
        let range = RangeIndex { start: 2, stop: 12, step: 4 };
        assert_eq!(labels(&range.plus(-5).unwrap()), [-3, 1, 5]);
        assert_eq!(labels(&range.times(-2).unwrap()), [-4, -12, -20]);
        assert_eq!(labels(&range.floor_divided(2).unwrap()), [1, 3, 5]);
        assert_eq!(labels(&range.reversed().unwrap()), [10, 6, 2]);
        assert_eq!((range.times(0), range.floor_divided(4), range.floor_divided(0)), (None, None, None));
        let end = RangeIndex { start: i64::MAX - 2, stop: i64::MAX, step: 1 };
        assert_eq!((end.plus(1), end.times(2)), (None, None));
        assert_eq!(RangeIndex { start: i64::MIN, stop: i64::MIN + 1, step: 1 }.floor_divided(-1), None);
        let far = RangeIndex { start: i64::MIN, stop: i64::MAX, step: i64::MAX };
        assert_eq!(far.intersection(&far), RangeIndex::new(i64::MIN.into(), i64::MAX.into(), 3));
    }
}
