//! Tables of another shape with the same values: interleaved columns, rows as columns, a column for each category.

pub mod cuda;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, Table, have_same_types, type_name};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use cuprum_elements::gather::cuda::GatherMap;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column, gather_one};
use cuprum_keys::concatenate::concatenate;
use cuprum_keys::equality::encode;

/// The values of the first row, then those of the second, and so on: one column of `rows · columns` rows.
///
/// Fails with `InvalidArgument` without columns, and with `DataType` where they are not of one type.
pub fn interleave_columns(table: &Table, ctx: &Context) -> Result<Column> {
    func_range!(c"reshape.interleave_columns");
    check_device!(ctx, [table]);
    let (rows, width) = (table.num_rows(), table.num_columns());
    let Some(first) = table.columns().first() else {
        return Err(Error::invalid_argument("a table without columns cannot be interleaved"));
    };
    if let Some(other) = table.columns().iter().find(|other| other.data_type() != first.data_type()) {
        return Err(Error::data_type(format!(
            "columns of {} and {}; interleaved ones are of one type",
            first.data_type(),
            other.data_type()
        )));
    }
    let all = concatenate(&table.columns().iter().collect::<Vec<_>>(), ctx)?;
    if ctx.is_on_gpu() {
        return gather_one(&all, &GatherMap::interleaved(rows, width, ctx)?, ctx);
    }
    let place = |i: usize| ((i % width) * rows + i / width) as i64;
    let map = Column::from_values(HostUVec::from_fn(all.len(), ctx, place)?);
    gather_column(&all, &map, OutOfBoundsPolicy::Check, ctx)
}

/// The rows as columns: column `i` of the result is row `i`. The columns share memory.
///
/// Fails with `DataType` where columns are not of one type.
pub fn transpose(table: &Table, ctx: &Context) -> Result<Table> {
    func_range!(c"reshape.transpose");
    check_device!(ctx, [table]);
    let (rows, width) = (table.num_rows(), table.num_columns());
    if width == 0 || rows == 0 {
        return Table::with_rows(vec![], 0);
    }
    let all = interleave_columns(table, ctx)?;
    Table::new((0..rows).map(|row| all.slice(row * width, width)).collect::<Result<_>>()?)
}

/// For each of `categories` a column that says which rows of `input` it is: `Bool8` without nulls. A null is the
/// category null, NaN the category NaN.
///
/// Fails with `DataType` where the columns differ in type, and as [`encode`].
pub fn one_hot_encode(input: &Column, categories: &Column, ctx: &Context) -> Result<Table> {
    func_range!(c"reshape.one_hot_encode");
    check_device!(ctx, [input, categories]);
    if !have_same_types(input, categories) {
        return Err(Error::data_type(format!(
            "`input` is of type {}, `categories` of {}",
            type_name(input),
            type_name(categories)
        )));
    }
    if ctx.is_on_gpu() {
        return cuda::one_hot_encode(input, categories, ctx);
    }
    let one = |column: &Column| Table::new(vec![column.clone()]);
    let encoded = encode(&[&one(input)?, &one(categories)?], ctx)?;
    let (rows, wanted) = (encoded[0].codes.view()?, encoded[1].codes.view()?);
    let (rows, wanted) = (rows.values::<u64>()?, wanted.values::<u64>()?);
    let column = |code: &u64| {
        let is = HostUVec::from_fn(rows.len(), ctx, |row| u8::from(rows[row] == *code))?;
        Column::new(DataType::Bool8, is, None)
    };
    Table::with_rows(wanted.iter().map(column).collect::<Result<_>>()?, rows.len())
}
