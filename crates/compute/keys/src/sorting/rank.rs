//! The place of every element in the order of all, or of its group.

use cuprum_column::{Column, Context, HostUVec, Result, Table, null_mask};

use cuprum_runtime::primitives::Bits;

use super::group_ranks::rank_group;
use super::options::{MissingRank, RankOptions};
use super::{NullOrder, Order, sorted_order};
use crate::equality::row_limit::check_rows;
use crate::equality::{EncodeOptions, encode_with};
use cuprum_elements::row_numbers::NarrowRows;

/// See [`super::rank`] and [`super::rank_within`]; rows whose group is no number of 32 bits have no rank.
pub(super) fn rank(
    column: &Column,
    groups: Option<&Column>,
    options: RankOptions,
    ctx: &Context,
) -> Result<Column> {
    let len = column.len();
    check_rows("ranks", len)?;
    let values = Table::new(vec![column.clone()])?;
    let mut keys = vec![column.clone()];
    let mut orders = vec![if options.ascending { Order::Ascending } else { Order::Descending }];
    if let Some(groups) = groups {
        keys.insert(0, groups.clone());
        orders.insert(0, Order::Ascending);
    }
    let nulls = if options.missing == MissingRank::Top { NullOrder::First } else { NullOrder::Last };
    let order = sorted_order(&Table::with_rows(keys, len)?, &orders, nulls, ctx)?;
    let order = order.view()?;
    let order = NarrowRows::new("order", &order, ctx)?;
    let encoded = encode_with(&[&values], EncodeOptions { nan_is_null: true }, ctx)?;
    let [keys] = &encoded[..] else { return Err(cuprum_column::Error::logic("codes for one table")) };
    let codes = keys.codes.view()?;
    let codes = codes.values::<u64>()?;
    let valid = null_mask::bits(keys.valid.as_ref(), len)?;
    let valid = valid.as_ref().map(Bits::to_bitmap).transpose()?;
    let ranked =
        |row: u32| options.missing != MissingRank::Keep || valid.is_none_or(|bits| bits.get(row as usize));

    // The compared codes in sorted order: read once.
    let codes = HostUVec::from_fn(len, ctx, |i| codes[order[i] as usize])?;
    let groups = match groups {
        Some(groups) => {
            let view = groups.view()?;
            let groups = NarrowRows::new("groups", &view, ctx)?;
            HostUVec::from_fn(len, ctx, |i| groups[order[i] as usize])?
        }
        None => HostUVec::filled(0, len, ctx)?,
    };
    let mut ranks = HostUVec::<f64>::filled(f64::NAN, len, ctx)?;
    let mut start = 0;
    for group in groups.chunk_by(|a, b| a == b) {
        ctx.check()?;
        let rows = &order[start..start + group.len()];
        let codes = &codes[start..start + group.len()];
        start += group.len();
        if group[0] != u32::MAX {
            // Rows without a rank are the last.
            let count = rows.iter().rposition(|&row| ranked(row)).map_or(0, |last| last + 1);
            rank_group(&rows[..count], &codes[..count], options, &mut ranks);
        }
    }
    let mask = null_mask::from_fn(len, ctx, |row| !ranks[row].is_nan())?;
    Column::from_values(ranks).with_mask(Some(mask), ctx)
}

#[cfg(test)]
mod tests {
    use cuprum_testing::{any_column, any_key_type, assert_column_eq};
    use proptest::prelude::*;

    use super::super::options::RankMethod;
    use super::super::{is_sorted, rank, rank_within};
    use super::*;
    use crate::concatenate::concatenate_tables;

    /// The rank by its definition, from comparisons of all pairs of equal and smaller elements.
    fn model(column: &Column, options: RankOptions) -> Vec<Option<f64>> {
        let ctx = Context::current();
        let is_nan = |row| column.get(row).unwrap().as_f64().is_some_and(f64::is_nan);
        let missing: Vec<bool> =
            (0..column.len()).map(|row| column.get(row).unwrap().is_null() || is_nan(row)).collect();
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
                    let both = concatenate_tables(&[&a, &b], &ctx).unwrap();
                    let sorted = |order| is_sorted(&both, &[order], NullOrder::Last, &ctx).unwrap();
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
            let ctx = Context::current();
            assert_column_eq(&rank(&column, options, &ctx).unwrap(), &expected);
            // All rows in one group; and half of them in none.
            let one = Column::from_slice(&vec![0i32; column.len()], &ctx).unwrap();
            assert_column_eq(&rank_within(&column, &one, options, &ctx).unwrap(), &expected);
            let cut = column.len() / 2;
            let groups: Vec<i64> = (0..column.len()).map(|i| if i < cut { 5 } else { -1 }).collect();
            let groups = Column::from_slice(&groups, &ctx).unwrap();
            let within = rank_within(&column, &groups, options, &ctx).unwrap();
            let first = rank(&column.slice(0, cut).unwrap(), options, &ctx).unwrap();
            assert_column_eq(&within.slice(0, cut).unwrap(), &first);
            prop_assert_eq!(within.null_count().unwrap() - first.null_count().unwrap(), column.len() - cut);
        }
    }

    /// Ranks of a device are the CPU's to the bit, in groups of all sizes, with rows in none.
    #[test]
    fn ranks_within_groups_on_devices() {
        let host = &Context::current();
        let methods =
            [RankMethod::Average, RankMethod::Min, RankMethod::Max, RankMethod::First, RankMethod::Dense];
        let missing = [MissingRank::Keep, MissingRank::Top, MissingRank::Bottom];
        for (number, ctx) in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
            for (rows, groups) in [(0usize, 1), (1, 1), (40, 3), (257, 1), (3000, 700), (5000, 4)] {
                let mut random = cuprum_testing::Random(rows as u64);
                let ids: Vec<i64> = (0..rows).map(|_| random.below(groups + 1) as i64 - 1).collect();
                let narrow: Vec<i32> = ids.iter().map(|id| *id as i32).collect();
                let floats =
                    |x: u64| [Some(f64::NAN), None, Some(0.0), Some(-0.0), Some(x as f64)][x as usize % 5];
                let floats: Vec<Option<f64>> = (0..rows).map(|_| floats(random.below(60))).collect();
                let texts: Vec<Option<String>> = (0..rows)
                    .map(|_| Some(random.below(50)).filter(|x| x % 7 != 0))
                    .map(|x| x.map(|x| format!("a text {x}")))
                    .collect();
                let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
                let columns = [
                    Column::from_options(&floats, host).unwrap(),
                    Column::from_opt_strs(&texts, host).unwrap(),
                ];
                let ids =
                    [Column::from_slice(&ids, host).unwrap(), Column::from_slice(&narrow, host).unwrap()];
                for (i, method) in methods.into_iter().enumerate() {
                    // All of them without the race check, which is slow.
                    if number > 0 && (i + number + rows) % 4 != 0 {
                        continue;
                    }
                    let (missing, ascending) = (missing[(i + rows) % 3], i % 2 == 0);
                    let options = RankOptions { method, ascending, missing, pct: rows % 2 == 1 };
                    for column in &columns {
                        let ids = &ids[i % 2];
                        let expected = rank_within(column, ids, options, host).unwrap();
                        let (column, ids) = (column.to_device(&ctx).unwrap(), ids.to_device(&ctx).unwrap());
                        let found = rank_within(&column, &ids, options, &ctx).unwrap();
                        assert_column_eq(&found.to_host().unwrap(), &expected);
                    }
                }
            }
        }
    }
}
