//! The place of every element in the order of all, or of its group.

use cuprum_column::{Column, Context, DataType, Result, Table};
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
    let ctx = Context::current();
    let len = column.len();
    let mut keys = vec![column.clone()];
    let mut orders = vec![if options.ascending { Order::Ascending } else { Order::Descending }];
    if let Some(groups) = groups {
        keys.insert(0, Column::from_slice(groups, &ctx)?);
        orders.insert(0, Order::Ascending);
    }
    let keys = Table::with_rows(keys, len)?;
    let nulls = if options.missing == MissingRank::Top { NullOrder::First } else { NullOrder::Last };
    let order = cast(&sorted_order(&keys, &orders, nulls, &ctx)?, DataType::Int64, &ctx)?;
    let order = order.view().values::<i64>()?;
    // Rows with the same number are equal; those that have no rank are in no group.
    let equal = groupby::group(&keys, options.missing == MissingRank::Keep, &ctx)?.ids;
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
    Column::from_options(&ranks, &ctx)
}
