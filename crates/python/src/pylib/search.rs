//! `pylibcuprum.search`.

use cuprum_column::{Column, Table};
use cuprum_compute::nan_values::sort_keys;
use cuprum_compute::search;
use cuprum_compute::sorting::{NullOrder, Order};
use pyo3::prelude::*;

use super::binding::functions;

functions! {
    "search":
    lower_bound(
        haystack: Table,
        needles: Table,
        column_order: Vec<Order>,
        null_precedence: Vec<NullOrder>,
    ) |ctx| {
        let (keys, (orders, nulls)) = sort_keys(&[&haystack, &needles], &column_order, &null_precedence, ctx)?;
        search::lower_bound(&keys[0], &keys[1], &orders, nulls, ctx)
    };
    upper_bound(
        haystack: Table,
        needles: Table,
        column_order: Vec<Order>,
        null_precedence: Vec<NullOrder>,
    ) |ctx| {
        let (keys, (orders, nulls)) = sort_keys(&[&haystack, &needles], &column_order, &null_precedence, ctx)?;
        search::upper_bound(&keys[0], &keys[1], &orders, nulls, ctx)
    };
    contains(haystack: Column, needles: Column) |ctx| {
        if haystack.data_type() != needles.data_type() {
            return Err(cuprum_column::Error::data_type(format!(
                "`haystack` is of type {}, `needles` of {}",
                haystack.data_type(),
                needles.data_type()
            )));
        }
        // A null needle has no answer.
        search::contains(&haystack, &needles, ctx)?.with_mask(needles.copy_mask(ctx)?, ctx)
    };
}
