//! Many short columns of one type as one: element-wise functions take as long for it as for one of them.

use cuprum_column::{Buffer, Column, Context, DataType, Device, Result};
use cuprum_compute::concatenate::concatenate;

use crate::types::{Dtype, TypedColumn};

/// The least number of neighbours of one type that are worth a column.
const MANY: usize = 16;

/// The most rows for which a column takes longer to begin with than to go through.
const SHORT: usize = 1024;

/// Calls `f` with the columns at each position of all `sides`, where it works element by element and the type
/// of its result follows from theirs. Neighbours whose numbers are of a type that `stacks` allows, none with
/// a place for missing ones, come to it as one column.
pub(crate) fn map_stacked<const SIDES: usize>(
    sides: [&[TypedColumn]; SIDES],
    stacks: fn(DataType) -> bool,
    mut f: impl FnMut([&TypedColumn; SIDES]) -> Result<TypedColumn>,
) -> Result<Vec<TypedColumn>> {
    let count = sides[0].len();
    let mut made = Vec::with_capacity(count);
    while made.len() < count {
        let at = made.len();
        let run = if count - at < MANY { 0 } else { run_at(&sides, at, stacks) };
        if run < MANY {
            // A short run is none for the columns behind its first either.
            for at in at..at + run.max(1) {
                made.push(f(sides.map(|side| &side[at]))?);
            }
            continue;
        }
        let rows = sides[0][at].len();
        let stacked = sides.map(|side| stack(&side[at..at + run]));
        let stacked = stacked.into_iter().collect::<Result<Vec<_>>>()?;
        let result = f(std::array::from_fn(|side| &stacked[side]))?;
        for column in 0..run {
            made.push(result.slice(column * rows, rows)?);
        }
    }
    Ok(made)
}

/// The columns end to end, one at least and all of one dtype and in host memory; neighbours in memory stay where they are.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where they are stored as unlike types.
pub fn stack(columns: &[TypedColumn]) -> Result<TypedColumn> {
    let data = columns.iter().map(TypedColumn::data).collect::<Result<Vec<_>>>()?;
    let stacked = match adjoining(&data)? {
        Some(whole) => whole,
        None => concatenate(&data, &Context::beside(Device::Cpu)?)?,
    };
    Ok(columns[0].like(stacked))
}

/// Columns of one type that lie end to end in one memory as one that shares it; `None` for others, and for those with a
/// place for missing elements.
fn adjoining(columns: &[&Column]) -> Result<Option<Column>> {
    let first = columns[0];
    let (Some(size), Some(memory)) = (first.data_type().size(), first.data()) else { return Ok(None) };
    let mut end = first.offset();
    for column in columns {
        let is_there = |data: &Buffer| {
            data.is_same_memory(memory) && (data.as_ptr(), data.len()) == (memory.as_ptr(), memory.len())
        };
        let is_next = column.data_type() == first.data_type() && column.offset() == end;
        if !is_next || column.mask().is_some() || !column.data().is_some_and(is_there) {
            return Ok(None);
        }
        end += column.len();
    }
    let rows = end - first.offset();
    let memory = memory.slice(first.offset() * size, rows * size)?;
    Column::from_buffer(first.data_type(), rows, memory, None).map(Some)
}

/// The number of columns from a position on that are alike on every side.
fn run_at(sides: &[&[TypedColumn]], at: usize, stacks: fn(DataType) -> bool) -> usize {
    let alike = |first: &TypedColumn, column: &TypedColumn| {
        column.dtype() == first.dtype()
            && column.data().is_ok_and(|data| data.mask().is_none() && data.device() == Device::Cpu)
    };
    let run = |side: &&[TypedColumn]| {
        let first = &side[at];
        let is_number = matches!(first.dtype(), Dtype::Numeric(_)) && stacks(first.dtype().storage());
        if !is_number || !(1..=SHORT).contains(&first.len()) {
            return 0;
        }
        side[at..].iter().take_while(|column| alike(first, column)).count()
    };
    sides.iter().map(run).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_type_are_one_column_and_others_stay_apart() {
        let ctx = &Context::current();
        let whole = Column::from_slice(&(0..60).map(f64::from).collect::<Vec<_>>(), ctx).unwrap();
        let floats = (0..20).map(|i| whole.slice(3 * i, 3).unwrap().into());
        let integers = (0..4).map(|i| Column::from_slice(&[i, 2 * i, 3 * i], ctx).unwrap().into());
        let missing = Column::from_options(&[None, Some(1.0), None], ctx).unwrap().into();
        let columns: Vec<TypedColumn> =
            floats.clone().chain(integers).chain([missing]).chain(floats).collect();
        let mut lengths = vec![];
        let same = map_stacked([&columns], DataType::is_float, |[column]| {
            lengths.push(column.len());
            Ok(column.clone())
        });
        assert_eq!(lengths, [60, 3, 3, 3, 3, 3, 60]);
        for (own, same) in columns.iter().zip(&same.unwrap()) {
            assert!(own.equals(same).unwrap());
        }
        // Columns end to end in memory stay there.
        let stacked = stack(&columns[..20]).unwrap();
        assert!(stacked.data().unwrap().data().unwrap().is_same_memory(whole.data().unwrap()));
        assert_eq!(stacked.len(), 60);
    }
}
