//! Key columns that are not nested, as kernels take them.

use std::borrow::Cow;

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, Error, Result, Table};

use crate::flatten;
use crate::list_keys::MissingElements;

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

/// Key columns that are not nested; for each, whether rows with a missing value are left out.
pub(super) struct FlattenedKeys<'t> {
    pub(super) table: Cow<'t, Table>,
    pub(super) drops: Vec<bool>,
}

impl<'t> FlattenedKeys<'t> {
    pub(super) fn new(keys: &'t Table, missing: MissingKeys, ctx: &Context) -> Result<Self> {
        // To kernels NaN is null.
        let elements = match missing {
            MissingKeys::Equal | MissingKeys::LeftOut => MissingElements::equal(true),
            MissingKeys::LeftOutAnywhere => MissingElements::unequal(true),
        };
        let (table, origins) = flatten::flatten(keys, |_| elements, ctx)?;
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
