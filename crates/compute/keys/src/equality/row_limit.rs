//! The limit of rows whose keys are numbered.

use cuprum_column::{Error, Result};

use super::cpu::hash_table::NONE;

/// Fails where row numbers would not fit in 32 bits.
pub fn check_rows(rows: usize) -> Result<()> {
    if rows >= NONE as usize {
        return Err(Error::unsupported(format!("numbering the keys of {rows} rows (2^32 - 1 or more)")));
    }
    Ok(())
}
