//! Quantiles of windows and ranks in them.
//!
//! The values of a sliding window are counted by their rank among all values near it, in a tree of counts
//! (Fenwick 1994): a row that enters or leaves, the value at a place and the place of a value each take the
//! logarithm of the rows. The values of other windows are sorted one window at a time.

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, null_mask};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::for_ranges;

use super::order_keys::order_keys;
use super::spans::{Spans, Valid};
use cuprum_aggregate::quantiles::Interpolation;
use cuprum_aggregate::quantiles::cpu::{between, position};
use cuprum_elementwise::unary::cast;
use cuprum_keys::order::Order;
use cuprum_keys::sorting::RankMethod;

/// The values of one window in their order, as ranks among those of `values`.
trait Window {
    fn len(&self) -> usize;

    /// The rank of the value at a place below the length.
    fn at(&self, place: usize) -> usize;

    /// The number of values before that of a rank, and of those equal to it.
    fn around(&self, rank: usize) -> [usize; 2];
}

pub(super) fn check_place(q: f64) -> Result<()> {
    if (0.0..=1.0).contains(&q) {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("`q` is {q}; quantiles lie between 0 and 1")))
}

/// Fails with `Unsupported` for ranks by rows and without gaps.
pub(super) fn check_method(method: RankMethod) -> Result<()> {
    if matches!(method, RankMethod::First | RankMethod::Dense) {
        return Err(Error::unsupported(format!(
            "rank method {method:?} of windows: take Average, Min or Max"
        )));
    }
    Ok(())
}

/// The quantile `q` of the values of every window: null where there is none, or not `enough`.
pub(super) fn quantiles(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    enough: impl Fn(usize) -> bool + Sync,
    (q, interpolation): (f64, Interpolation),
    ctx: &Context,
) -> Result<Column> {
    check_place(q)?;
    of_windows(column, spans, valid, ctx, |row, window, value, _| {
        if window.len() == 0 || !enough(row) {
            return None;
        }
        let (place, fraction) = position(window.len(), q);
        let low = value(window.at(place));
        if fraction == 0.0 {
            return Some(low);
        }
        let high = || value(window.at(place + 1));
        Some(match interpolation {
            Interpolation::Linear => between(low, high(), fraction),
            Interpolation::Lower => low,
            Interpolation::Higher => high(),
            Interpolation::Midpoint => between(low, high(), 0.5),
            Interpolation::Nearest => {
                let up = fraction > 0.5 || (fraction == 0.5 && place % 2 == 1);
                if up { high() } else { low }
            }
        })
    })
}

/// The rank of the last element of every window in it, from 1 on: null where that is null, or not `enough` are
/// there.
///
/// Fails with `Unsupported` for ranks by rows and without gaps.
pub(super) fn ranks(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    enough: impl Fn(usize) -> bool + Sync,
    (method, order, percentage): (RankMethod, Order, bool),
    ctx: &Context,
) -> Result<Column> {
    check_method(method)?;
    of_windows(column, spans, valid, ctx, |row, window, _, last| {
        let [before, equal] = window.around(last.filter(|_| enough(row))?);
        let before = if order == Order::Ascending { before } else { window.len() - before - equal };
        let rank = match method {
            RankMethod::Min => before as f64 + 1.0,
            RankMethod::Max => (before + equal) as f64,
            _ => before as f64 + (equal as f64 + 1.0) / 2.0,
        };
        Some(if percentage { rank / window.len() as f64 } else { rank })
    })
}

/// The result of `f` for every window: `f` gets its row, its values, the value of a rank (of both zeros 0.0),
/// and the rank of the last element if that is valid. `Float64`.
fn of_windows(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    ctx: &Context,
    f: impl Fn(usize, &dyn Window, &dyn Fn(usize) -> f64, Option<usize>) -> Option<f64> + Sync,
) -> Result<Column> {
    let (rows, shape, keys) = (spans.rows(), spans.shape(ctx)?, order_keys(column, ctx)?);
    if u32::try_from(rows).is_err() {
        return Err(Error::unsupported(format!("quantiles and ranks of windows over {rows} rows")));
    }
    let wide = cast(column, DataType::Float64, ctx)?;
    let view = wide.view()?;
    let numbers = view.values::<f64>()?;
    let mut results = HostUVec::<f64>::uninit(rows, ctx)?;
    let mut present = HostUVec::<u8>::uninit(rows, ctx)?;
    let (out, is_there) = (results.output(), present.output());
    for_ranges(rows, shape.step, ctx, &|range| {
        // SAFETY: ranges are disjoint.
        let (out, is_there) = unsafe { (out.slice(range.clone()), is_there.slice(range.clone())) };
        let slots = range.clone().zip(out.iter_mut().zip(is_there));
        let last_of = |window: &std::ops::Range<usize>| {
            window.end.checked_sub(1).filter(|&last| window.contains(&last) && valid.get(last))
        };
        if !shape.slide {
            let mut sorted = Vec::new();
            for (row, (slot, is_there)) in slots {
                let window = spans.get(row);
                sorted.clear();
                host_vec::reserve(&mut sorted, window.len())?;
                sorted.extend(window.clone().filter(|&row| valid.get(row)).map(|row| (keys[row], row)));
                sorted.sort_unstable();
                let last = last_of(&window).map(|last| lower_bound(&sorted, keys[last]));
                let result = f(row, &Sorted(&sorted), &|rank| numbers[sorted[rank].1] + 0.0, last);
                slot.write(result.unwrap_or(0.0));
                is_there.write(u8::from(result.is_some()));
            }
            return Ok(());
        }
        let (first, end) = (spans.get(range.start).start, spans.get(range.end - 1).end);
        let mut sorted = host_vec::with_capacity(end - first)?;
        sorted.extend((first..end).filter(|&row| valid.get(row)).map(|row| (keys[row], row)));
        sorted.sort_unstable();
        // The rank of each row, and a row of each rank.
        let mut rank_of = host_vec::filled(0u32, end - first)?;
        let mut row_of: Vec<usize> = host_vec::with_capacity(sorted.len())?;
        for &(key, row) in &sorted {
            if row_of.last().is_none_or(|&last| keys[last] != key) {
                row_of.push(row);
            }
            rank_of[row - first] = row_of.len() as u32 - 1;
        }
        drop(sorted);
        let mut counts = Counts::new(row_of.len())?;
        let mut inside = first..first;
        for (row, (slot, is_there)) in slots {
            let window = spans.get(row);
            for entered in inside.end..window.end {
                if valid.get(entered) {
                    counts.add(rank_of[entered - first] as usize, 1);
                }
            }
            for left in inside.start..window.start {
                if valid.get(left) {
                    counts.add(rank_of[left - first] as usize, -1);
                }
            }
            inside = window.clone();
            let last = last_of(&window).map(|last| rank_of[last - first] as usize);
            let result = f(row, &counts, &|rank| numbers[row_of[rank]] + 0.0, last);
            slot.write(result.unwrap_or(0.0));
            is_there.write(u8::from(result.is_some()));
        }
        Ok(())
    })?;
    // SAFETY: the ranges cover all rows, and each writes its own.
    let (results, present) = unsafe { (results.assume_init(), present.assume_init()) };
    let mask = null_mask::from_fn(rows, ctx, |row| present[row] != 0)?;
    Column::from_values(results).with_mask(Some(mask), ctx)
}

/// The number of a window's values of each rank; node `i` of the tree has the sum of the `i & -i` ranks up to
/// it.
struct Counts {
    nodes: Vec<u32>,
    len: usize,
}

impl Counts {
    fn new(ranks: usize) -> Result<Self> {
        Ok(Self { nodes: host_vec::filled(0, ranks + 1)?, len: 0 })
    }

    fn add(&mut self, rank: usize, by: i32) {
        let mut node = rank + 1;
        while node < self.nodes.len() {
            self.nodes[node] = self.nodes[node].wrapping_add_signed(by);
            node += node & node.wrapping_neg();
        }
        self.len = self.len.wrapping_add_signed(by as isize);
    }

    /// The number of values of ranks below one.
    fn below(&self, rank: usize) -> usize {
        let (mut node, mut sum) = (rank, 0);
        while node > 0 {
            sum += self.nodes[node] as usize;
            node &= node - 1;
        }
        sum
    }
}

impl Window for Counts {
    fn len(&self) -> usize {
        self.len
    }

    fn at(&self, mut place: usize) -> usize {
        let mut node = 0;
        let mut step = self.nodes.len().next_power_of_two();
        while step > 0 {
            if let Some(&count) = self.nodes.get(node + step)
                && count as usize <= place
            {
                node += step;
                place -= count as usize;
            }
            step /= 2;
        }
        node
    }

    fn around(&self, rank: usize) -> [usize; 2] {
        let before = self.below(rank);
        [before, self.below(rank + 1) - before]
    }
}

/// The keys of a window in their order, whose ranks are their places.
struct Sorted<'a>(&'a [(u64, usize)]);

impl Window for Sorted<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn at(&self, place: usize) -> usize {
        place
    }

    fn around(&self, rank: usize) -> [usize; 2] {
        let key = self.0[rank].0;
        let before = lower_bound(self.0, key);
        [before, self.0[before..].partition_point(|&(other, _)| other == key)]
    }
}

fn lower_bound(sorted: &[(u64, usize)], key: u64) -> usize {
    sorted.partition_point(|&(other, _)| other < key)
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;
    use cuprum_runtime::memory::Tracked;
    use cuprum_testing::any_column;
    use proptest::prelude::*;

    use super::*;
    use crate::rolling::{WindowFunction, rolling_window};

    const METHODS: [RankMethod; 3] = [RankMethod::Average, RankMethod::Min, RankMethod::Max];
    const BETWEEN: [Interpolation; 5] = [
        Interpolation::Linear,
        Interpolation::Lower,
        Interpolation::Higher,
        Interpolation::Midpoint,
        Interpolation::Nearest,
    ];

    /// NaN is larger than every number.
    fn compare(a: f64, b: f64) -> std::cmp::Ordering {
        a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
    }

    fn values(column: &Column, rows: std::ops::Range<usize>) -> Vec<f64> {
        rows.filter_map(|row| column.get(row).unwrap().as_f64()).collect()
    }

    fn is_same(found: Option<f64>, wanted: Option<f64>) -> bool {
        match (found, wanted) {
            (Some(a), Some(b)) => a == b || (a.is_nan() && b.is_nan()),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    fn check(column: &Column, sizes: [&Column; 2], min_periods: usize, q: f64, way: usize) {
        let (ctx, rows) = (&Tracked::current(), column.len());
        let (interpolation, method) = (BETWEEN[way % 5], METHODS[way % 3]);
        let order = if way.is_multiple_of(2) { Order::Ascending } else { Order::Descending };
        let of = |f| rolling_window(column, sizes[0], sizes[1], min_periods, f, ctx).unwrap();
        let quantiles = of(WindowFunction::Quantile { q, interpolation });
        let [ranks, shares] =
            [false, true].map(|percentage| of(WindowFunction::Rank { method, order, percentage }));
        for row in 0..rows {
            let extent = |side: usize| sizes[side].get(row).unwrap().as_i64().unwrap();
            let start = (row as i64 + 1 - extent(0)).clamp(0, rows as i64);
            let end = (row as i64 + 1 + extent(1)).clamp(start, rows as i64);
            let (start, end) = (start as usize, end as usize);
            let all = values(column, start..end);
            let enough = all.len() >= min_periods;
            let one = Column::from_slice(&all, ctx).unwrap();
            // Without NaN, which that takes for missing.
            if all.iter().all(|x| !x.is_nan()) {
                let wanted = cuprum_aggregate::quantiles::quantile(&one, &[q], interpolation, ctx).unwrap();
                let wanted = wanted.get(0).unwrap().as_f64().filter(|_| enough);
                assert!(is_same(quantiles.get(row).unwrap().as_f64(), wanted), "{row}: {all:?}");
            }
            let last = end.checked_sub(1).filter(|&last| last >= start);
            let last = last.and_then(|last| column.get(last).unwrap().as_f64()).filter(|_| enough);
            let places = last.map(|last| {
                let before = all.iter().filter(|&&x| match order {
                    Order::Ascending => compare(x, last).is_lt(),
                    Order::Descending => compare(x, last).is_gt(),
                });
                let (before, equal) =
                    (before.count() as f64, all.iter().filter(|&&x| compare(x, last).is_eq()).count() as f64);
                match method {
                    RankMethod::Min => before + 1.0,
                    RankMethod::Max => before + equal,
                    _ => before + (equal + 1.0) / 2.0,
                }
            });
            assert!(is_same(ranks.get(row).unwrap().as_f64(), places), "{row}: {all:?}");
            let share = places.map(|place| place / all.len() as f64);
            assert!(is_same(shares.get(row).unwrap().as_f64(), share), "{row}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Windows that slide, and windows that go back and forth.
        #[test]
        fn values_by_place_and_places_of_values(
            (column, sizes) in prop::sample::select(cuprum_testing::number_types()).prop_flat_map(|of| {
                (any_column(of, 90), prop::collection::vec((-2i64..9, -2i64..9), 90..91))
            }),
            (preceding, following) in (0i64..40, 0i64..9), min_periods in 0usize..4, q in 0usize..9, way in 0usize..30,
        ) {
            let ctx = &Tracked::current();
            let q = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.0 / 3.0, 0.999][q];
            // The model compares floats.
            let column = cast(&column, DataType::Float64, ctx).unwrap().slice(3, column.len() - 3).unwrap();
            let one = |n: i64| Column::from_slice(&vec![n; column.len()], ctx).unwrap();
            check(&column, [&one(preceding), &one(following)], min_periods, q, way);
            let each: [Vec<i64>; 2] = [
                sizes.iter().map(|size| size.0).take(column.len()).collect(),
                sizes.iter().map(|size| size.1).take(column.len()).collect(),
            ];
            let each = each.map(|each| Column::from_slice(&each, ctx).unwrap());
            check(&column, [&each[0], &each[1]], min_periods, q, way);
        }
    }

    /// Integers that are the same as floats have places of their own.
    #[test]
    fn places_of_large_integers() {
        let ctx = &Tracked::current();
        let column = Column::from_slice(&[(1i64 << 53) + 1, 1 << 53], ctx).unwrap();
        let two = cuprum_column::Scalar::from(2i64);
        let none = cuprum_column::Scalar::from(0i64);
        let rank =
            WindowFunction::Rank { method: RankMethod::Average, order: Order::Ascending, percentage: false };
        let places = rolling_window(&column, &two, &none, 2, rank, ctx).unwrap();
        assert_eq!(places.get(1).unwrap().as_f64(), Some(1.0));
    }

    /// Ranges of several threads, and windows that reach from one to another.
    #[test]
    fn medians_of_many_rows() {
        let ctx = &Tracked::current();
        let values: Vec<i64> = (0..200_000i64).map(|row| row * 7919 % 1000).collect();
        let column = Column::from_slice(&values, ctx).unwrap();
        let median = WindowFunction::Quantile { q: 0.5, interpolation: Interpolation::Linear };
        let size = cuprum_column::Scalar::from(1001i64);
        let none = cuprum_column::Scalar::from(0i64);
        let medians = rolling_window(&column, &size, &none, 1001, median, ctx).unwrap();
        let medians = medians.view().unwrap();
        for row in (1000..200_000).step_by(777).chain([65_535, 65_536, 199_999]) {
            let mut window = values[row - 1000..=row].to_vec();
            window.sort_unstable();
            assert_eq!(medians.values::<f64>().unwrap()[row], window[500] as f64, "{row}");
        }
        assert_eq!(medians.validity().unwrap().count_set(), 199_000);
    }

    #[test]
    fn what_has_no_place_is_refused() {
        let ctx = &Tracked::current();
        let column = Column::from_slice(&[1.0, 2.0], ctx).unwrap();
        let one = cuprum_column::Scalar::from(1i64);
        let kind = |column: &Column, function| {
            rolling_window(column, &one, &one, 0, function, ctx).unwrap_err().kind()
        };
        for q in [-0.1, 1.1, f64::NAN] {
            let quantile = WindowFunction::Quantile { q, interpolation: Interpolation::Linear };
            assert_eq!(kind(&column, quantile), ErrorKind::InvalidArgument);
        }
        let rank = |method| WindowFunction::Rank { method, order: Order::Ascending, percentage: false };
        for method in [RankMethod::First, RankMethod::Dense] {
            assert_eq!(kind(&column, rank(method)), ErrorKind::Unsupported);
        }
        let text = Column::from_strs(&["a"], ctx).unwrap();
        assert_eq!(kind(&text, rank(RankMethod::Min)), ErrorKind::DataType);
        let median = WindowFunction::Quantile { q: 0.5, interpolation: Interpolation::Linear };
        assert_eq!(kind(&text, median), ErrorKind::DataType);
    }
}
