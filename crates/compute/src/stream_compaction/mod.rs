//! Keeping some rows: boolean masks, dropping nulls, distinct rows.

pub mod distinct;
