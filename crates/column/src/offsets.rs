//! The offsets of strings and lists, 32 or 64 bits wide.

use std::ops::Range;

use cuprum_runtime::{Error, Result};

use crate::column::Column;
use crate::types::DataType;

/// Offsets of either width, already cut to the rows of the view (`len + 1` of them).
#[derive(Clone, Copy, Debug)]
pub enum Offsets<'a> {
    /// 32-bit offsets.
    Small(&'a [i32]),
    /// 64-bit offsets.
    Large(&'a [i64]),
}

impl<'a> Offsets<'a> {
    /// The offsets of the rows of a string or list column in host memory.
    pub(crate) fn of(column: &'a Column) -> Result<Self> {
        let rows = column.offset()..=column.offset() + column.len();
        match column.offsets_child() {
            Some(child) if !column.is_empty() => {
                let view = child.view()?;
                match child.data_type() {
                    DataType::Int32 => Ok(Self::Small(&view.values::<i32>()?[rows])),
                    DataType::Int64 => Ok(Self::Large(&view.values::<i64>()?[rows])),
                    other => Err(Error::data_type(format!("offsets are {other}, not int32 or int64"))),
                }
            }
            _ => Ok(Self::Small(&[0])),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Small(offsets) => offsets.len() - 1,
            Self::Large(offsets) => offsets.len() - 1,
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where row `i` lies; panics outside the rows.
    #[inline(always)]
    pub fn range(&self, i: usize) -> Range<usize> {
        match self {
            Self::Small(o) => o[i] as usize..o[i + 1] as usize,
            Self::Large(o) => o[i] as usize..o[i + 1] as usize,
        }
    }
}
