//! The elements of lists in order.

use cuprum_column::{Column, Context, Result, Table};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;

use super::check_lists;
use super::dense::Dense;
use cuprum_elementwise::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_keys::sorting::{NullOrder, Order, sorted_order};

/// The elements of each list in order; missing ones (null and NaN) come first or last as `nulls` says, whatever
/// the order. See [`sorting`](cuprum_keys::sorting) for the order.
///
/// Fails with `Unsupported` for lists of elements without an order.
pub fn sort_lists(lists: &Column, order: Order, nulls: NullOrder, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.sort_lists");
    host_only!(ctx, [lists], sort_lists(&lists, order, nulls));
    check_lists("lists", lists)?;
    let dense = Dense::new(lists, ctx)?;
    let keys = Table::new(vec![dense.rows(ctx)?, dense.elements.clone()])?;
    let map = sorted_order(&keys, &[Order::Ascending, order], nulls, ctx)?;
    let elements = gather_column(&dense.elements, &map, OutOfBoundsPolicy::Check, ctx)?;
    Dense { elements, ..dense }.into_lists(lists, ctx)
}

/// [`sort_lists`], which is stable, too.
pub fn stable_sort_lists(lists: &Column, order: Order, nulls: NullOrder, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.stable_sort_lists");
    host_only!(ctx, [lists], stable_sort_lists(&lists, order, nulls));
    sort_lists(lists, order, nulls, ctx)
}
