//! The elements of lists in order.

use cuprum_column::{Column, Context, Result, Table};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::dense::Dense;
use super::{check_lists, cuda};
use cuprum_elementwise::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_keys::sorting::{NullOrder, Order, sorted_order};

/// The elements of each list in order; missing ones (null and NaN) come first or last as `nulls` says, whatever
/// the order. See [`sorting`](cuprum_keys::sorting) for the order.
///
/// Fails with `Unsupported` for lists of elements without an order.
pub fn sort_lists(lists: &Column, order: Order, nulls: NullOrder, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.sort_lists");
    check_device!(ctx, [lists]);
    check_lists("lists", lists)?;
    let sorted = |rows: Column, elements: &Column| {
        let keys = Table::new(vec![rows, elements.clone()])?;
        let map = sorted_order(&keys, &[Order::Ascending, order], nulls, ctx)?;
        gather_column(elements, &map, OutOfBoundsPolicy::Check, ctx)
    };
    if ctx.is_on_gpu() {
        let dense = cuda::Dense::new(lists, ctx)?;
        let elements = sorted(dense.pieces.row_column(ctx)?, &dense.elements)?;
        return cuda::Dense { elements, ..dense }.into_lists(lists, ctx);
    }
    let dense = Dense::new(lists, ctx)?;
    let elements = sorted(dense.rows(ctx)?, &dense.elements)?;
    Dense { elements, ..dense }.into_lists(lists, ctx)
}

/// [`sort_lists`], which is stable, too.
pub fn stable_sort_lists(lists: &Column, order: Order, nulls: NullOrder, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.stable_sort_lists");
    check_device!(ctx, [lists]);
    sort_lists(lists, order, nulls, ctx)
}
