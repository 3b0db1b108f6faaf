//! `pylibcuprum.sorting`.

use cuprum_column::{Column, Context, DataType, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather, gather_column};
use cuprum_compute::nan_values::{as_keys, sort_keys};
use cuprum_compute::sorting::{self, MissingRank, NullOrder, Order, RankMethod, RankOptions};
use cuprum_compute::unary::cast;
use pyo3::prelude::*;

use super::binding::{choices, functions};
use super::choices::WithNulls;

choices! {
    RankMethod, "RankMethod":
        0 => Self::First, 1 => Self::Average, 2 => Self::Min, 3 => Self::Max, 4 => Self::Dense;
}

functions! {
    "sorting":
    sorted_order(source_table: Table, column_order: Vec<Order>, null_precedence: Vec<NullOrder>) |ctx| {
        order_of(&source_table, &column_order, &null_precedence, ctx)
    };
    sort_by_key(
        values: Table,
        keys: Table,
        column_order: Vec<Order>,
        null_precedence: Vec<NullOrder>,
    ) |ctx| {
        let (keys, (orders, nulls)) = sort_keys(&[&keys], &column_order, &null_precedence, ctx)?;
        sorting::sort_by_key(&values, &keys[0], &orders, nulls, ctx)
    };
    segmented_sort_by_key(
        values: Table,
        keys: Table,
        segment_offsets: Column,
        column_order: Vec<Order>,
        null_precedence: Vec<NullOrder>,
    ) |ctx| {
        if values.num_rows() != keys.num_rows() {
            return Err(cuprum_column::Error::logic(format!(
                "`values` has {} rows, `keys` has {}",
                values.num_rows(),
                keys.num_rows()
            )));
        }
        let (keys, (orders, nulls)) = sort_keys(&[&keys], &column_order, &null_precedence, ctx)?;
        let map = sorting::segmented_sorted_order(&keys[0], &segment_offsets, &orders, nulls, ctx)?;
        gather(&values, &map, OutOfBoundsPolicy::Check, ctx)
    };
    is_sorted(tbl: Table, column_order: Vec<Order>, null_precedence: Vec<NullOrder>) |ctx| {
        let (keys, (orders, nulls)) = sort_keys(&[&tbl], &column_order, &null_precedence, ctx)?;
        sorting::is_sorted(&keys[0], &orders, nulls, ctx)
    };
    rank(
        input_view: Column,
        method: RankMethod,
        column_order: Order,
        null_handling: WithNulls,
        null_precedence: NullOrder,
        percentage: bool,
    ) |ctx| {
        let ascending = column_order == Order::Ascending;
        let missing = match (null_handling.0, (null_precedence == NullOrder::First) == ascending) {
            (false, _) => MissingRank::Keep,
            (true, true) => MissingRank::Top,
            (true, false) => MissingRank::Bottom,
        };
        let options = RankOptions { method, ascending, missing, pct: percentage };
        let ranks = sorting::rank(&as_keys(&input_view, ctx)?, options, ctx)?;
        if percentage || method == RankMethod::Average {
            return Ok(ranks);
        }
        cast(&ranks, DataType::Int32, ctx)
    };
    top_k(col: Column, k: usize, sort_order: Order) |ctx| {
        let rows = top_rows(&col, k, sort_order, ctx)?;
        gather_column(&col, &rows, OutOfBoundsPolicy::Check, ctx)
    };
    top_k_order(col: Column, k: usize, sort_order: Order) |ctx| top_rows(&col, k, sort_order, ctx);
}

fn order_of(table: &Table, orders: &[Order], precedences: &[NullOrder], ctx: &Context) -> Result<Column> {
    let (keys, (orders, nulls)) = sort_keys(&[table], orders, precedences, ctx)?;
    sorting::sorted_order(&keys[0], &orders, nulls, ctx)
}

/// The best `k` rows, nulls behind all values.
fn top_rows(column: &Column, k: usize, order: Order, ctx: &Context) -> Result<Column> {
    let k = k.min(column.len());
    let keys = as_keys(column, ctx)?;
    if k <= column.len() - column.null_count()? {
        return sorting::top_k(&keys, k, order, ctx);
    }
    let sorted = sorting::sorted_order(&Table::new(vec![keys])?, &[order], NullOrder::Last, ctx)?;
    sorted.slice(0, k)
}
