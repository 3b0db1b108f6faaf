//! The place of every element in the order of its row.

mod cpu;
pub mod cuda;
#[cfg(test)]
mod tests;

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::backend::on_device;

use super::options::RankOptions;

/// See [`super::rank_rows`].
pub(super) fn rank_rows(table: &Table, options: RankOptions, ctx: &Context) -> Result<Table> {
    let columns = table.columns();
    let Some(of) = columns.first().map(Column::data_type) else { return Ok(table.clone()) };
    if let Some(other) = columns.iter().map(Column::data_type).find(|other| *other != of) {
        return Err(Error::data_type(format!(
            "`table` has columns of {of} and of {other}: rows need one type"
        )));
    }
    if matches!(of.storage(), Storage::Bytes | Storage::Children | Storage::I128) {
        return Err(Error::data_type(format!(
            "rows of {of} are not ranked: their values have no fixed width"
        )));
    }
    on_device!(ctx, ranked_rows(table, options))
}
