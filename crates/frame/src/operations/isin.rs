//! Membership: whether elements are among values.

use cuprum_column::Result;

use crate::index::is_in;
use crate::series::Series;
use crate::types::TypedColumn;

impl Series {
    /// True where an element is one of `values`; missing ones are equal.
    pub fn isin(&self, values: &TypedColumn) -> Result<Self> {
        Ok(self.with_column(self.column().each(|column| is_in(column, values).map(TypedColumn::from))?))
    }
}
