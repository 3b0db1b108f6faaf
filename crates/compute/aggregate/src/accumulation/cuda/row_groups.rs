//! The groups of rows as kernels take them.

use cuprum_column::{Column, Result};
use cuprum_runtime::DeviceSpan;

/// The group of each row, for all rows.
pub(crate) type Ids<'a> = Option<&'a RowGroups<'a>>;

/// The groups of rows.
pub(crate) struct RowGroups<'a> {
    /// Of `Int32`, without nulls; numbers of no group are -1 or beyond the last.
    pub(crate) column: &'a Column,
    pub(crate) span: DeviceSpan<'a, u32>,
}

/// The ids in an `Int32` column of a grouping; `None` where there are no rows.
pub(crate) fn ids_of(ids: &Column) -> Result<Option<RowGroups<'_>>> {
    let rows = ids.offset()..ids.offset() + ids.len();
    match ids.data().filter(|_| !ids.is_empty()) {
        Some(data) => Ok(Some(RowGroups { column: ids, span: data.span::<u32>()?.slice(rows)? })),
        None => Ok(None),
    }
}
