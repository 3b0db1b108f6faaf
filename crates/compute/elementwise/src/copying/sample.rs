//! Random rows.

use std::collections::HashMap;

use cuprum_column::{Column, Context, Error, ErrorKind, Result, Table};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::host_vec;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::random::Random;

use super::{OutOfBoundsPolicy, gather};
use cuprum_elements::row_numbers::{RowIndex, rows_fit_32_bits};

/// `n` random rows of `table` in random order, the same ones for the same seed on every device. With
/// `replacement` a row may come more than once.
///
/// Fails with `InvalidArgument` when there are not as many rows to choose from.
pub fn sample(table: &Table, n: usize, replacement: bool, seed: u64, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.sample");
    check_device!(ctx, [table]);
    let map = sample_rows(table.num_rows(), n, replacement, seed, ctx)?;
    gather(table, &map, OutOfBoundsPolicy::Check, ctx)
}

/// The numbers of the rows that [`sample`] takes of a table of `num_rows`: `Int32`, or `Int64` where the rows
/// do not fit it.
///
/// Fails as [`sample`] does, and with `Overflow` or `OutOfMemory` where the rows are too many.
pub fn sample_rows(num_rows: usize, n: usize, replacement: bool, seed: u64, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.sample_rows");
    check_device!(ctx, []);
    if rows_fit_32_bits(num_rows) {
        Column::from_slice(&random_rows::<i32>(num_rows, n, replacement, seed)?, ctx)
    } else {
        Column::from_slice(&random_rows::<i64>(num_rows, n, replacement, seed)?, ctx)
    }
}

fn random_rows<I: RowIndex>(num_rows: usize, n: usize, replacement: bool, seed: u64) -> Result<Vec<I>> {
    if n > 0 && num_rows == 0 || n > num_rows && !replacement {
        return Err(Error::invalid_argument(format!("`n` is {n}; the table has {num_rows} rows")));
    }
    if i64::try_from(num_rows).is_err() {
        return Err(Error::overflow(format!("{num_rows} rows cannot be numbered in 64 bits")));
    }
    let mut random = Random(seed);
    let mut rows = host_vec::with_capacity(n)?;
    if replacement {
        rows.extend((0..n).map(|_| I::from_row(random.below(num_rows as u64) as usize)));
    } else {
        choose(&mut random, num_rows, n, &mut rows)?;
    }
    Ok(rows)
}

/// Appends `n` different numbers below `len` in random order: the first steps of a Fisher–Yates shuffle.
fn choose<I: RowIndex>(random: &mut Random, len: usize, n: usize, rows: &mut Vec<I>) -> Result<()> {
    let mut draw = |i: usize| i + random.below((len - i) as u64) as usize;
    if n > len / 8 {
        let mut numbers = host_vec::collect(0..len)?;
        for i in 0..n {
            numbers.swap(i, draw(i));
            rows.push(I::from_row(numbers[i]));
        }
        return Ok(());
    }
    // The numbers are those of their places but for the places that were swapped.
    let mut swapped: HashMap<usize, usize> = HashMap::new();
    swapped.try_reserve(n).map_err(|error| {
        Error::new(ErrorKind::OutOfMemory, format!("no memory for {n} rows of {len}")).with_source(error)
    })?;
    for i in 0..n {
        let j = draw(i);
        let at_i = swapped.get(&i).copied().unwrap_or(i);
        rows.push(I::from_row(swapped.insert(j, at_i).unwrap_or(j)));
    }
    Ok(())
}
