//! `pylibcuprum.merge`.

use cuprum_column::Table;
use cuprum_compute::sorting::{NullOrder, Order};
use pyo3::prelude::*;

use super::binding::functions;

functions! {
    "merge":
    merge(
        tables_to_merge: Vec<Table>,
        key_cols: Vec<usize>,
        column_order: Vec<Order>,
        null_precedence: Vec<NullOrder>,
    ) |ctx| {
        let tables: Vec<&Table> = tables_to_merge.iter().collect();
        cuprum_compute::merge::merge(&tables, &key_cols, &column_order, &null_precedence, ctx)
    };
}
