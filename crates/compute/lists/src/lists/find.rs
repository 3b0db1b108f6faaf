//! Elements found by their value.

use cuprum_column::{
    Column, Context, DataType, Error, HostUVec, Native, Result, Table, have_same_types, type_name,
};
use cuprum_runtime::backend::{check_device, host_only};
use cuprum_runtime::nvtx::func_range;

use super::dense::{Dense, null_in_either};
use super::elements::check_counts;
use super::{check_lists, check_rows, cuda};
use cuprum_elements::elements::Operand;
use cuprum_keys::equality;
use cuprum_keys::equality::row_limit::most_rows;

/// The one that is found of several equal elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuplicateFindOption {
    /// The first.
    FindFirst,
    /// The last.
    FindLast,
}

/// Whether each list has an element equal to `key`: one for all lists, or a column with one for each.
/// `Bool8`, null where the list or its key is null. NaN equals NaN and −0.0 equals 0.0; a null element is
/// equal to none.
///
/// Fails with `DataType` where the key is not of the type of the elements, with `Logic` where there is not
/// one key for each list, and with `Unsupported` for lists of elements that are no keys.
pub fn contains<'a>(lists: &Column, key: impl Into<Operand<'a>>, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.contains");
    let key = key.into();
    host_only!(ctx, [lists, key] if !can_number_elements(lists), contains(&lists, &key));
    if ctx.is_on_gpu() {
        let (keys, validity) = keys_of(lists, key, ctx)?;
        return cuda::Found::new(lists, &keys, ctx)?.any(validity.copy_mask(ctx)?, ctx);
    }
    let (found, validity) = find(lists, key, ctx, |positions| u8::from(positions.next().is_some()))?;
    Column::new(DataType::Bool8, found, validity.copy_mask(ctx)?)
}

/// Whether each list has a null element: `Bool8`, null where the list is null.
pub fn contains_nulls(lists: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.contains_nulls");
    check_device!(ctx, [lists]);
    check_lists("lists", lists)?;
    if ctx.is_on_gpu() {
        return cuda::contains_nulls(lists, ctx);
    }
    let dense = Dense::new(lists, ctx)?;
    let view = dense.elements.view()?;
    let validity = view.validity();
    let all_null = dense.elements.data_type() == DataType::Empty;
    let values = HostUVec::from_fn(lists.len(), ctx, |row| {
        let elements = dense.pieces.range(row);
        let present = validity.map_or(elements.len(), |bits| bits.slice(elements.clone()).count_set());
        u8::from(if all_null { !elements.is_empty() } else { present < elements.len() })
    })?;
    Column::new(DataType::Bool8, values, lists.copy_mask(ctx)?)
}

/// The position of the first or last element of each list that is equal to `key`, `Int32`: −1 where there is
/// none, null where the list or its key is null. Keys and errors are those of [`contains`].
pub fn index_of<'a>(
    lists: &Column,
    key: impl Into<Operand<'a>>,
    option: DuplicateFindOption,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"lists.index_of");
    let key = key.into();
    host_only!(ctx, [lists, key] if !can_number_elements(lists), index_of(&lists, &key, option));
    check_lists("lists", lists)?;
    check_counts(lists, ctx)?;
    if ctx.is_on_gpu() {
        let (keys, validity) = keys_of(lists, key, ctx)?;
        let last = option == DuplicateFindOption::FindLast;
        return cuda::Found::new(lists, &keys, ctx)?.positions(last, validity.copy_mask(ctx)?, ctx);
    }
    let (found, validity) = find(lists, key, ctx, |positions| {
        let position = match option {
            DuplicateFindOption::FindFirst => positions.next(),
            DuplicateFindOption::FindLast => positions.next_back(),
        };
        position.map_or(-1, |position| position as i32)
    })?;
    Column::new(DataType::Int32, found, validity.copy_mask(ctx)?)
}

/// Whether a GPU can number all elements of lists, if a column has lists.
pub(super) fn can_number_elements(column: &Column) -> bool {
    column.data_type() != DataType::List
        || column.children().iter().skip(1).all(|elements| elements.len() <= most_rows())
}

/// The keys of lists, one or one for each, and a column with the nulls of the result.
fn keys_of(lists: &Column, key: Operand<'_>, ctx: &Context) -> Result<(Column, Column)> {
    check_lists("lists", lists)?;
    let (keys, validity) = match key {
        Operand::Column(keys) => {
            check_rows("key", keys, "lists", lists)?;
            (keys.clone(), null_in_either(lists, keys, ctx)?)
        }
        Operand::Scalar(key) if key.is_null() => {
            (Column::from_scalar(key, 1, ctx)?, Column::nulls(DataType::Bool8, lists.len(), ctx)?)
        }
        Operand::Scalar(key) => (Column::from_scalar(key, 1, ctx)?, lists.clone()),
    };
    let elements = &lists.children()[1];
    if !have_same_types(&keys, elements) {
        let (key, element) = (type_name(&keys), type_name(elements));
        return Err(Error::data_type(format!("`key` is {key}, the elements of `lists` are {element}")));
    }
    Ok((keys, validity))
}

/// The result of `value`, for each list, from the positions of its elements that equal its key; and a column
/// with the nulls of the result.
fn find<T: Native>(
    lists: &Column,
    key: Operand<'_>,
    ctx: &Context,
    value: impl Fn(&mut dyn DoubleEndedIterator<Item = usize>) -> T + Sync,
) -> Result<(HostUVec<T>, Column)> {
    let (keys, validity) = keys_of(lists, key, ctx)?;
    let dense = Dense::new(lists, ctx)?;
    let tables = [Table::new(vec![dense.elements])?, Table::new(vec![keys])?];
    let codes = equality::encode(&[&tables[0], &tables[1]], ctx)?;
    let views = codes.iter().map(|keys| keys.codes.view()).collect::<Result<Vec<_>>>()?;
    let (elements, keys) = (views[0].values::<u64>()?, views[1].values::<u64>()?);
    let values = HostUVec::from_fn(lists.len(), ctx, |row| {
        // One key for all lists, or one for each.
        let key = keys[if keys.len() == 1 { 0 } else { row }];
        let elements = &elements[dense.pieces.range(row)];
        value(&mut (0..elements.len()).filter(|&position| elements[position] == key))
    })?;
    Ok((values, validity))
}
