//! Checks of masks.

use cuprum_column::{Column, DataType, Error, Result};

pub(super) fn check_mask(mask: &Column) -> Result<()> {
    if mask.data_type() == DataType::Bool8 {
        return Ok(());
    }
    Err(Error::data_type(format!("`mask` must be bool, not {}", mask.data_type())))
}
