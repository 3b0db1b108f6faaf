//! The place of every element in the order of all, or of its group.

use cuprum_column::{Column, Context, DataType, Device, Result, Table};
use cuprum_compute::copying::NarrowRows;
use cuprum_compute::groupby;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::unary::cast;

/// Which rank equal elements get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankMethod {
    /// The mean of the places they take.
    Average,
    /// The first of the places they take.
    Min,
    /// The last of the places they take.
    Max,
    /// One place each, in row order.
    First,
    /// As `Min`, but the next larger element gets the next number.
    Dense,
}

/// What becomes of missing elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingRank {
    /// They have no rank: missing in the result.
    Keep,
    /// They are equal to each other and before all other elements.
    Top,
    /// They are equal to each other and after all other elements.
    Bottom,
}

/// How elements are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankOptions {
    /// Which rank equal elements get.
    pub method: RankMethod,
    /// The smallest element has rank 1; else the largest.
    pub ascending: bool,
    /// What becomes of missing elements.
    pub missing: MissingRank,
    /// Ranks as shares of the largest possible one.
    pub pct: bool,
}

impl Default for RankOptions {
    fn default() -> Self {
        Self { method: RankMethod::Average, ascending: true, missing: MissingRank::Keep, pct: false }
    }
}

/// The rank of every element, from 1, as `Float64`.
pub fn rank(column: &Column, options: RankOptions) -> Result<Column> {
    rank_within(column, None, options)
}

/// [`rank`] among the elements with the same number in `groups`; rows of group `u32::MAX` have none.
pub(crate) fn rank_within(column: &Column, groups: Option<&[u32]>, options: RankOptions) -> Result<Column> {
    let (ctx, here) = (Context::beside(Device::Cpu)?, column.context()?);
    let len = column.len();
    let mut keys = vec![column.to_host()?];
    let mut orders = vec![if options.ascending { Order::Ascending } else { Order::Descending }];
    if let Some(groups) = groups {
        keys.insert(0, Column::from_slice(groups, &ctx)?);
        orders.insert(0, Order::Ascending);
    }
    let keys = Table::with_rows(keys, len)?;
    let nulls = if options.missing == MissingRank::Top { NullOrder::First } else { NullOrder::Last };
    let order = cast(&sorted_order(&keys, &orders, nulls, &ctx)?, DataType::Int64, &ctx)?;
    let view = order.view()?;
    let order = view.values::<i64>()?;
    // Rows with the same number are equal; those that have no rank are in no group.
    let equal = groupby::group(&keys, options.missing == MissingRank::Keep, &ctx)?.ids.to_host()?;
    let equal = equal.view()?;
    let equal = NarrowRows::new("ids", &equal, &ctx)?;
    let group_of = |row: i64| groups.map_or(0, |g| g[row as usize]);

    let mut ranks: Vec<Option<f64>> = vec![None; len];
    for group in order.chunk_by(|&a, &b| group_of(a) == group_of(b)) {
        if group_of(group[0]) == u32::MAX {
            continue;
        }
        let ranked = group.iter().filter(|&&row| equal[row as usize] != u32::MAX).count();
        let (mut before, mut distinct) = (0, 0);
        for ties in group[..ranked].chunk_by(|&a, &b| equal[a as usize] == equal[b as usize]) {
            distinct += 1;
            for (i, &row) in ties.iter().enumerate() {
                ranks[row as usize] = Some(match options.method {
                    RankMethod::Average => (2 * before + ties.len() + 1) as f64 / 2.0,
                    RankMethod::Min => (before + 1) as f64,
                    RankMethod::Max => (before + ties.len()) as f64,
                    RankMethod::First => (before + i + 1) as f64,
                    RankMethod::Dense => f64::from(distinct),
                });
            }
            before += ties.len();
        }
        if options.pct {
            let most = if options.method == RankMethod::Dense { f64::from(distinct) } else { ranked as f64 };
            for &row in &group[..ranked] {
                ranks[row as usize] = ranks[row as usize].map(|r| r / most);
            }
        }
    }
    Column::from_options(&ranks, &here)
}

#[cfg(test)]
mod tests {
    use cuprum_testing::{any_column, any_key_type, assert_column_eq};
    use proptest::prelude::*;

    use super::*;
    use crate::operations::equality;

    /// The rank by its definition, from comparisons of all pairs of equal and smaller elements.
    fn model(column: &Column, options: RankOptions) -> Vec<Option<f64>> {
        let ctx = Context::current();
        let missing = equality::missing(column).unwrap();
        let missing: Vec<bool> =
            (0..column.len()).map(|i| missing.get(i).unwrap().as_bool() == Some(true)).collect();
        let key = |row: usize| {
            let one = Table::new(vec![column.slice(row, 1).unwrap()]).unwrap();
            (missing[row], one)
        };
        let before = |a: usize, b: usize| -> std::cmp::Ordering {
            use std::cmp::Ordering::{Equal, Greater, Less};
            let ((a_missing, a), (b_missing, b)) = (key(a), key(b));
            let top = options.missing == MissingRank::Top;
            match (a_missing, b_missing) {
                (true, true) => Equal,
                (true, false) => {
                    if top {
                        Less
                    } else {
                        Greater
                    }
                }
                (false, true) => {
                    if top {
                        Greater
                    } else {
                        Less
                    }
                }
                _ => {
                    let both = cuprum_compute::concatenate::concatenate_tables(&[&a, &b], &ctx).unwrap();
                    let sorted = |order| {
                        cuprum_compute::sorting::is_sorted(&both, &[order], NullOrder::Last, &ctx).unwrap()
                    };
                    match (sorted(Order::Ascending), sorted(Order::Descending), options.ascending) {
                        (true, true, _) => Equal,
                        (true, false, true) | (false, true, false) => Less,
                        _ => Greater,
                    }
                }
            }
        };
        let ranked: Vec<usize> =
            (0..column.len()).filter(|&i| options.missing != MissingRank::Keep || !missing[i]).collect();
        let mut ranks = vec![None; column.len()];
        for &i in &ranked {
            let less = ranked.iter().filter(|&&j| before(j, i).is_lt()).count();
            let equal: Vec<usize> = ranked.iter().copied().filter(|&j| before(j, i).is_eq()).collect();
            let place = equal.iter().position(|&j| j == i).unwrap();
            ranks[i] = Some(match options.method {
                RankMethod::Average => less as f64 + f64::midpoint(equal.len() as f64, 1.0),
                RankMethod::Min | RankMethod::Dense => less as f64 + 1.0,
                RankMethod::Max => (less + equal.len()) as f64,
                RankMethod::First => (less + place + 1) as f64,
            });
        }
        if options.method == RankMethod::Dense {
            let mut different: Vec<f64> = ranks.iter().flatten().copied().collect();
            different.sort_by(f64::total_cmp);
            different.dedup();
            let dense = |r: f64| different.iter().position(|&d| d == r).unwrap() as f64 + 1.0;
            ranks = ranks.into_iter().map(|r| r.map(dense)).collect();
        }
        ranks
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn ranks_are_what_comparisons_say(
            column in any_key_type().prop_flat_map(|t| (0usize..12).prop_flat_map(move |n| any_column(t, n))),
            method in prop::sample::select(vec![
                RankMethod::Average, RankMethod::Min, RankMethod::Max, RankMethod::First, RankMethod::Dense,
            ]),
            missing in prop::sample::select(vec![MissingRank::Keep, MissingRank::Top, MissingRank::Bottom]),
            ascending in any::<bool>(),
        ) {
            let options = RankOptions { method, ascending, missing, pct: false };
            let expected = Column::from_options(&model(&column, options), &Context::current()).unwrap();
            assert_column_eq(&rank(&column, options).unwrap(), &expected);
            // All rows in one group; and half of them in none.
            let one = vec![0; column.len()];
            assert_column_eq(&rank_within(&column, Some(&one), options).unwrap(), &expected);
            let cut = column.len() / 2;
            let groups: Vec<u32> = (0..column.len()).map(|i| if i < cut { 5 } else { u32::MAX }).collect();
            let within = rank_within(&column, Some(&groups), options).unwrap();
            let first = rank(&column.slice(0, cut).unwrap(), options).unwrap();
            assert_column_eq(&within.slice(0, cut).unwrap(), &first);
            prop_assert_eq!(within.null_count() - first.null_count(), column.len() - cut);
        }
    }
}
