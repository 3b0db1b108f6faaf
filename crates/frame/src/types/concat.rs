//! Columns one after the other.

use cuprum_column::{Context, DataType, Result};
use cuprum_compute::concatenate::concatenate;

use super::{Dtype, TypedColumn, unify};

/// Columns one after the other in their common dtype, missing rows for a part that there is not. Of no parts a
/// column without a type.
pub(crate) fn concat_columns(parts: &[Option<&TypedColumn>], rows: &[usize]) -> Result<TypedColumn> {
    if parts.is_empty() {
        return TypedColumn::nulls(&Dtype::plain(DataType::Empty), 0, &Context::current());
    }
    let present: Vec<&TypedColumn> = parts.iter().flatten().copied().collect();
    let place = present.iter().find_map(|column| column.place());
    let ctx = Context::beside(place)?;
    let mut unified = unify(&present)?.into_iter();
    let float = || Dtype::plain(DataType::Float64);
    let dtype = unified.as_slice().first().map_or_else(float, |c| c.dtype().clone());
    let columns = parts
        .iter()
        .zip(rows)
        .map(|(part, &n)| match part {
            Some(_) => Ok(unified.next().expect("one for each part")),
            None => TypedColumn::nulls(&dtype, n, &ctx),
        })
        .collect::<Result<Vec<_>>>()?;
    let data = columns.iter().map(TypedColumn::rows).collect::<Result<Vec<_>>>()?;
    TypedColumn::new(dtype, concatenate(&data, &ctx)?)
}
