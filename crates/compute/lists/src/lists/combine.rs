//! Lists of lists' elements, and of numbers.

use cuprum_column::{
    Column, ColumnView, Context, DataType, Device, Error, Native, Result, Table, dispatch_storage, null_mask,
};
use cuprum_runtime::DeviceUVec;
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::dense::Dense;
use super::{check_lists, check_rows, cuda};
use cuprum_elements::gather::check_integers;
use cuprum_elements::row_pieces::{Lists, RowPieces};
use cuprum_elementwise::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_keys::concatenate::concatenate;

/// Treatments of a null list among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConcatenateNullPolicy {
    /// It is left out; where all are null, so is the result.
    Ignore,
    /// A null row.
    NullifyOutputRow,
}

/// The lists of each row of `table`, one column's after the other's, as one list.
///
/// Fails with `DataType` where a column is not of lists, or of elements of another type than the first, and
/// with `InvalidArgument` for a table without columns.
pub fn concatenate_rows(table: &Table, nulls: ConcatenateNullPolicy, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.concatenate_rows");
    check_device!(ctx, [table]);
    table.columns().iter().try_for_each(|column| check_lists("table", column))?;
    let (rows, columns) = (table.num_rows(), table.num_columns());
    if columns == 0 {
        return Err(Error::invalid_argument("`table` has no columns to concatenate the lists of"));
    }
    let all = concatenate(&table.columns().iter().collect::<Vec<_>>(), ctx)?;
    if ctx.is_on_gpu() {
        let nullify = nulls == ConcatenateNullPolicy::NullifyOutputRow;
        return cuda::concatenate_rows(&all, rows, columns, nullify, ctx);
    }
    // The lists of one row next to each other.
    let pieces = RowPieces::new(rows, ctx, |_| columns)?;
    let map = Column::from_values(pieces.fill(ctx, |row, column| (column * rows + row) as i64)?);
    let inner = gather_column(&all, &map, OutOfBoundsPolicy::Check, ctx)?;
    joined(&inner, &pieces, nulls, |_| true, ctx)
}

/// The elements of the lists in each list, one inner list's after the other's: `[[1, 2], [3]]` becomes
/// `[1, 2, 3]`. Null where the outer list is.
///
/// Fails with `DataType` where elements are no lists.
pub fn concatenate_list_elements(
    lists: &Column,
    nulls: ConcatenateNullPolicy,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"lists.concatenate_list_elements");
    check_device!(ctx, [lists]);
    check_lists("lists", lists)?;
    check_lists("elements of `lists`", &lists.children()[1])?;
    if ctx.is_on_gpu() {
        return cuda::concatenate_list_elements(lists, nulls == ConcatenateNullPolicy::NullifyOutputRow, ctx);
    }
    let outer = Dense::new(lists, ctx)?;
    let view = lists.view()?;
    let validity = view.validity();
    joined(&outer.elements, &outer.pieces, nulls, |row| validity.is_none_or(|bits| bits.get(row)), ctx)
}

/// The lists that are the pieces of each row as one list; `is_valid` says which rows are no nulls whatever the
/// pieces are.
fn joined(
    inner: &Column,
    outer: &RowPieces,
    nulls: ConcatenateNullPolicy,
    is_valid: impl Fn(usize) -> bool + Sync,
    ctx: &Context,
) -> Result<Column> {
    let view = inner.view()?;
    let lists = Lists::new(&view)?;
    let valid = |row: usize| {
        let mut pieces = outer.range(row);
        is_valid(row)
            && match nulls {
                ConcatenateNullPolicy::Ignore => pieces.is_empty() || pieces.any(|list| lists.is_valid(list)),
                ConcatenateNullPolicy::NullifyOutputRow => pieces.all(|list| lists.is_valid(list)),
            }
    };
    let mask = null_mask::from_fn(outer.rows(), ctx, valid)?;
    let rows = RowPieces::new(outer.rows(), ctx, |row| {
        outer.range(row).map(|list| lists.span(list)[1]).sum::<usize>()
    })?;
    let elements = Dense::new(inner, ctx)?.elements;
    let mask = Some(mask).filter(|(_, count)| *count > 0);
    let whole = Column::lists(rows.offsets(ctx)?, elements, mask)?;
    // A null row may have elements of the others of its lists.
    match nulls {
        ConcatenateNullPolicy::NullifyOutputRow if whole.has_nulls() => {
            let dense = Dense::new(&whole, ctx)?;
            dense.into_lists(&whole, ctx)
        }
        _ => Ok(whole),
    }
}

/// `start, start + step, …` of the given sizes: a list for each row. Without `steps` the step is 1.
///
/// `starts` and `steps` are of one type of numbers, integers wrap; `sizes` are of any integer type.
///
/// Fails with `DataType` for other types, with `Logic` where the columns differ in length, and with
/// `InvalidArgument` for nulls and for a size below 0.
pub fn sequences(starts: &Column, sizes: &Column, steps: Option<&Column>, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.sequences");
    check_device!(ctx, [starts, sizes, steps]);
    let data_type = starts.data_type();
    if !data_type.is_numeric() || data_type == DataType::Bool8 {
        return Err(Error::data_type(format!("`starts` must hold numbers, not {data_type}")));
    }
    check_integers("sizes", sizes)?;
    check_rows("sizes", sizes, "starts", starts)?;
    if let Some(steps) = steps {
        check_rows("steps", steps, "starts", starts)?;
        if steps.data_type() != data_type {
            return Err(Error::data_type(format!("`steps` are {}, `starts` {data_type}", steps.data_type())));
        }
    }
    for (name, column) in [("starts", Some(starts)), ("sizes", Some(sizes)), ("steps", steps)] {
        if let Some(nulls) = column.map(Column::null_count).transpose()?.filter(|&nulls| nulls > 0) {
            return Err(Error::invalid_argument(format!("`{name}` has {nulls} nulls")));
        }
    }
    if ctx.is_on_gpu() {
        return cuda::sequences(of_sizes_on_device(sizes, ctx)?, starts, steps, ctx);
    }
    let pieces = of_sizes(sizes, ctx)?;
    let (starts, steps) = (starts.view()?, steps.map(Column::view).transpose()?);
    let elements = match data_type {
        DataType::Float32 => {
            stepping(&pieces, &starts, steps.as_ref(), 1.0, |a: f32, b, k| a + b * k as f32, ctx)
        }
        DataType::Float64 => {
            stepping(&pieces, &starts, steps.as_ref(), 1.0, |a: f64, b, k| a + b * k as f64, ctx)
        }
        _ => dispatch_storage!(data_type, T => {
            let element = |a: T, b: T, k: usize| {
                T::from_i64(a.as_i64().wrapping_add(b.as_i64().wrapping_mul(k as i64)))
            };
            stepping(&pieces, &starts, steps.as_ref(), T::from_i64(1), element, ctx)
        }, else => Err(Error::data_type("`starts` must hold numbers"))),
    }?;
    Column::lists(pieces.offsets(ctx)?, elements, None)
}

/// As many pieces for each row as `sizes` says.
fn of_sizes(sizes: &Column, ctx: &Context) -> Result<RowPieces> {
    let view = sizes.view()?;
    dispatch_storage!(sizes.data_type(), T => {
        let values = view.values::<T>()?;
        let is_unsigned = sizes.data_type().is_unsigned_integer();
        let size = |row: usize| match usize::try_from(values[row].as_i64()) {
            Ok(size) => Some(size),
            // As large a number without a sign.
            Err(_) => is_unsigned.then_some(usize::MAX),
        };
        if let Some(row) = (0..values.len()).find(|&row| size(row).is_none()) {
            return Err(Error::invalid_argument(format!("`sizes` has {:?} at row {row}", values[row])));
        }
        RowPieces::new(values.len(), ctx, |row| size(row).unwrap_or(0))
    }, else => Err(Error::data_type("`sizes` must hold integers")))
}

fn of_sizes_on_device(sizes: &Column, ctx: &Context) -> Result<cuda::RowPieces> {
    if let Some(pieces) = cuda::RowPieces::of_counts(sizes, ctx)? {
        return Ok(pieces);
    }
    // The CPU says which size is none, or that all can be counted.
    let host = &Context::on(Device::Cpu)?;
    let pieces = of_sizes(&sizes.to_host()?, host)?;
    let starts: Vec<u64> = (0..pieces.rows()).map(|row| pieces.range(row).start as u64).collect();
    let starts = [starts, vec![pieces.total() as u64]].concat();
    cuda::RowPieces::of_starts(DeviceUVec::from_slice(&starts, &ctx.temporary()?)?)
}

/// `element(start, step, k)` for piece `k` of each row.
fn stepping<T: Native>(
    pieces: &RowPieces,
    starts: &ColumnView<'_>,
    steps: Option<&ColumnView<'_>>,
    one: T,
    element: impl Fn(T, T, usize) -> T + Sync,
    ctx: &Context,
) -> Result<Column> {
    let starts = starts.values::<T>()?;
    let steps = steps.map(|steps| steps.values::<T>()).transpose()?;
    let step = |row: usize| steps.map_or(one, |steps| steps[row]);
    Ok(Column::from_values(pieces.fill(ctx, |row, k| element(starts[row], step(row), k))?))
}
