//! Random rows.

use std::collections::HashMap;

use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::random::Random;

use super::{OutOfBoundsPolicy, gather};

/// `n` random rows of `table` in random order, the same ones for the same seed on every device. With
/// `replacement` a row may come more than once.
///
/// Fails with `InvalidArgument` when there are not as many rows to choose from.
pub fn sample(table: &Table, n: usize, replacement: bool, seed: u64, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.sample");
    check_device!(ctx, [table]);
    let map = sample_rows(table.num_rows(), n, replacement, seed)?;
    gather(table, &Column::from_slice(&map, ctx)?, OutOfBoundsPolicy::Check, ctx)
}

/// The numbers of the rows that [`sample`] takes of a table of `num_rows`.
///
/// Fails as [`sample`] does.
pub fn sample_rows(num_rows: usize, n: usize, replacement: bool, seed: u64) -> Result<Vec<i64>> {
    if n > 0 && num_rows == 0 || n > num_rows && !replacement {
        return Err(Error::invalid_argument(format!("`n` is {n}; the table has {num_rows} rows")));
    }
    let mut random = Random(seed);
    if !replacement {
        return Ok(choose(&mut random, num_rows, n));
    }
    Ok((0..n).map(|_| random.below(num_rows as u64) as i64).collect())
}

/// `n` different numbers below `len` in random order: the first steps of a Fisher–Yates shuffle that
/// remembers only the places it has swapped.
fn choose(random: &mut Random, len: usize, n: usize) -> Vec<i64> {
    let mut swapped: HashMap<usize, usize> = HashMap::new();
    (0..n)
        .map(|i| {
            let j = i + random.below((len - i) as u64) as usize;
            let at_i = swapped.get(&i).copied().unwrap_or(i);
            swapped.insert(j, at_i).unwrap_or(j) as i64
        })
        .collect()
}
