//! Key columns without structs, as kernels take them.

use std::borrow::Cow;

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DataType, Error, Result, Table};

use crate::flatten;

/// The rows with missing keys that are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingKeys {
    /// None: a missing key equals a missing key.
    Equal,
    /// Rows with a missing key are left out.
    LeftOut,
    /// Rows with a missing key, or a missing field of one, are left out.
    LeftOutAnywhere,
}

/// Key columns without structs; for each, whether rows with a missing value are left out.
pub(super) struct FlattenedKeys<'t> {
    pub(super) table: Cow<'t, Table>,
    pub(super) drops: Vec<bool>,
}

impl<'t> FlattenedKeys<'t> {
    pub(super) fn new(keys: &'t Table, missing: MissingKeys, ctx: &Context) -> Result<Self> {
        for column in keys.columns() {
            let data_type = column.data_type();
            if data_type != DataType::Struct && data_type.storage() == Storage::Children {
                return Err(Error::unsupported(format!("keys of type {data_type}")));
            }
        }
        let (table, origins) = flatten::flatten(keys, ctx)?;
        let leaf = |(i, origin): (usize, &usize)| match missing {
            MissingKeys::Equal => false,
            // The first column of a flattened key is null where the key is.
            MissingKeys::LeftOut => i == 0 || origins[i - 1] != *origin,
            MissingKeys::LeftOutAnywhere => true,
        };
        let drops = origins.iter().enumerate().map(leaf).collect();
        if let Some(nested) = table.columns().iter().find(|c| c.data_type().storage() == Storage::Children) {
            return Err(Error::unsupported(format!("keys of type {}", nested.data_type())));
        }
        Ok(Self { table, drops })
    }

    pub(super) fn columns(&self) -> &[Column] {
        self.table.columns()
    }
}
