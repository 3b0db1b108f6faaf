//! The number of distinct rows, about.

use cuprum_column::{Column, Context, Error, Result, Table, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::{map_ranges, num_threads};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{DeviceUVec, kernels};

use cuprum_aggregate::nan_values::as_keys;
use cuprum_aggregate::replace::nans_to_nulls;
use cuprum_elements::hashing::xxhash_64;
use cuprum_keys::equality::valid_rows;

kernels! {
    pub static APPROXIMATE: "approximate.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn fill_registers(
        hashes: In<u64>, mask: Option<In<u8>>, n: usize, precision: u32, registers: Out<u32>,
    );
}

/// About how many distinct rows a table has, in one pass and `2^precision` bytes of memory for each thread.
///
/// Keys are compared as by [`distinct_rows`](super::distinct::distinct_rows). Rows with a missing key (null or NaN)
/// count with `count_nulls`, else not at all. The standard error is `1.04 / √(2^precision)`: 1.6 % for a precision
/// of 12, 0.2 % for 18; the same rows give the same number, whatever their order and the number of threads.
///
/// HyperLogLog (Flajolet, Fusy, Gandouet and Meunier 2007) of hashes of 64 bits, with the estimator of Ertl (*New
/// cardinality estimation algorithms for HyperLogLog sketches*, 2017), which needs no corrections for small numbers.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a precision that is not from 4 to 18, and
/// with [`DataType`](crate::ErrorKind::DataType) for lists and structs.
///
/// ```
/// # use cuprum_relational as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::stream_compaction::approx_distinct_count;
///
/// let ctx = &Context::current();
/// let values: Vec<i64> = (0..100_000).map(|i| i % 5000).collect();
/// let table = Table::new(vec![Column::from_slice(&values, ctx)?])?;
/// let found = approx_distinct_count(&table, 12, true, ctx)?;
/// assert!(found.abs_diff(5000) < 200, "{found}");
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn approx_distinct_count(
    keys: &Table,
    precision: u32,
    count_nulls: bool,
    ctx: &Context,
) -> Result<usize> {
    func_range!(c"stream_compaction.approx_distinct_count");
    check_device!(ctx, [keys]);
    if !(4..=18).contains(&precision) {
        return Err(Error::invalid_argument(format!("`precision` is {precision}, not from 4 to 18")));
    }
    let rows = keys.num_rows();
    let columns = keys.columns().iter().map(|column| {
        if column.data_type().is_float() {
            as_keys(&nans_to_nulls(column, ctx)?, ctx)
        } else {
            Ok(column.clone())
        }
    });
    let mut columns = columns.collect::<Result<Vec<_>>>()?;
    if count_nulls && columns.len() > 1 {
        // The hash of a row with a null says nothing of the columns before it.
        for column in columns.iter_mut().filter(|column| column.has_nulls()) {
            *column = xxhash_64(&Table::new(vec![column.clone()])?, 0, ctx)?;
        }
    }
    if ctx.is_on_gpu() {
        let registers = device_registers(columns, rows, precision, count_nulls, ctx)?;
        return Ok(estimate(&registers, precision).round() as usize);
    }
    let mask = if count_nulls {
        None
    } else {
        valid_rows(&columns.iter().collect::<Vec<&Column>>(), rows, false, ctx)?
    };
    let bits = null_mask::bits(mask.as_ref(), rows)?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let hashes = xxhash_64(&Table::with_rows(columns, rows)?, 0, ctx)?;
    let view = hashes.view()?;
    let hashes = view.values::<u64>()?;
    let step = rows.div_ceil(num_threads()).max(1);
    let parts = map_ranges(rows, step, ctx, |range| {
        let mut registers = vec![0u8; 1 << precision];
        for row in range.filter(|&row| valid.is_none_or(|bits| bits.get(row))) {
            let (place, rest) = (hashes[row] >> (64 - precision), hashes[row] << precision);
            let zeros = rest.leading_zeros().min(64 - precision) as u8 + 1;
            let register = &mut registers[place as usize];
            *register = zeros.max(*register);
        }
        Ok(registers)
    })?;
    let mut registers = vec![0u8; 1 << precision];
    for part in parts {
        registers.iter_mut().zip(part).for_each(|(all, one)| *all = one.max(*all));
    }
    Ok(estimate(&registers, precision).round() as usize)
}

/// The registers of keys in which NaN are nulls, on a GPU.
fn device_registers(
    columns: Vec<Column>,
    rows: usize,
    precision: u32,
    count_nulls: bool,
    ctx: &Context,
) -> Result<Vec<u8>> {
    let temporary = &ctx.temporary()?;
    let mask = if count_nulls || columns.is_empty() {
        None
    } else {
        null_mask::bitmask_and(&columns.iter().collect::<Vec<_>>(), temporary)?
    };
    let mask = mask.as_ref().map(|(mask, _)| mask.span::<u8>()).transpose()?;
    let hashes = xxhash_64(&Table::with_rows(columns, rows)?, 0, temporary)?;
    let mut registers = DeviceUVec::<u32>::zeroed(1 << precision, temporary)?;
    if let Some(hashes) = hashes.data().filter(|_| rows > 0) {
        let (hashes, grid) = (hashes.span::<u64>()?, Grid::striding(rows, THREADS));
        // SAFETY: there are a hash and a bit for each row, and a register for all first bits.
        unsafe { fill_registers(ctx, grid, &hashes, mask.as_ref(), rows, precision, &mut registers)? };
    }
    Ok(registers.to_vec()?.into_iter().map(|register| register as u8).collect())
}

/// Ertl's estimate (algorithm 6), from how many registers have each number of zeros.
fn estimate(registers: &[u8], precision: u32) -> f64 {
    let (size, most) = (registers.len() as f64, (64 - precision + 1) as usize);
    let mut counts = [0u32; 66];
    registers.iter().for_each(|&register| counts[register as usize] += 1);
    let mut sum = size * tau(1.0 - f64::from(counts[most]) / size);
    for count in counts[1..most].iter().rev() {
        sum = 0.5 * (sum + f64::from(*count));
    }
    sum += size * sigma(f64::from(counts[0]) / size);
    size * size / (2.0 * std::f64::consts::LN_2 * sum)
}

fn sigma(mut x: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    let (mut y, mut z) = (1.0, x);
    loop {
        x *= x;
        let before = z;
        z += x * y;
        y += y;
        if z == before {
            return z;
        }
    }
}

fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut y, mut z) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = z;
        y *= 0.5;
        z -= (1.0 - x) * (1.0 - x) * y;
        if z == before {
            return z / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use cuprum_column::{DataType, ErrorKind};

    use super::*;

    #[test]
    fn numbers_of_all_sizes() {
        let ctx = &Context::current();
        for precision in [4, 12, 18] {
            let error = 1.04 / f64::from(1u32 << precision).sqrt();
            for distinct in [0usize, 1, 2, 10, 100, 3000, 100_000, 300_000] {
                let values: Vec<u64> = (0..2 * distinct as u64).map(|i| i % distinct as u64 * 7919).collect();
                let table = Table::new(vec![Column::from_slice(&values, ctx).unwrap()]).unwrap();
                let found = approx_distinct_count(&table, precision, true, ctx).unwrap();
                let off = found.abs_diff(distinct) as f64;
                assert!(off <= 4.0 * error * distinct as f64 + 0.5, "{precision}: {found} of {distinct}");
            }
        }
    }

    #[test]
    fn rows_missing_keys_and_zeros() {
        let host = &Context::current();
        let floats = [Some(0.0), Some(-0.0), Some(f64::NAN), None, Some(-f64::NAN), Some(2.0)];
        let texts = [Some("a"), Some("a"), Some("b"), Some("b"), Some("b"), None];
        let floats = Column::from_options(&floats, host).unwrap();
        let texts = Column::from_opt_strs(&texts, host).unwrap();
        // More than a block has, and a part that begins late in the masks.
        let many: Vec<Option<i64>> = (0..3000).map(|i| Some(i * i % 1777).filter(|x| x % 9 != 4)).collect();
        let many = Column::from_options(&many, host).unwrap().slice(7, 2900).unwrap();
        let of_many = [true, false].map(|count_nulls| {
            let table = Table::new(vec![many.clone()]).unwrap();
            approx_distinct_count(&table, 9, count_nulls, host).unwrap()
        });
        let empty = Table::new(vec![Column::nulls(DataType::Int8, 0, host).unwrap()]).unwrap();
        for ctx in cuprum_testing::contexts() {
            let ctx = &ctx;
            let count = |columns: &[&Column], count_nulls| {
                let table =
                    Table::with_rows(columns.iter().map(|&column| column.clone()).collect(), 6).unwrap();
                approx_distinct_count(&table.to_device(ctx).unwrap(), 12, count_nulls, ctx).unwrap()
            };
            assert_eq!((count(&[&floats], true), count(&[&floats], false)), (3, 2));
            assert_eq!((count(&[&floats, &texts], true), count(&[&floats, &texts], false)), (3, 1));
            assert_eq!(count(&[], true), 1);
            // Values before a null in the row count.
            let numbers = Column::from_slice(&[1i64, 2, 3, 4, 5, 6], host).unwrap();
            let nothing = Column::nulls(DataType::Int16, 6, host).unwrap();
            assert_eq!(count(&[&numbers, &nothing], true), 6);
            assert_eq!(count(&[&numbers, &texts, &floats], true), 6);
            let there = Table::new(vec![many.to_device(ctx).unwrap()]).unwrap();
            let found = [true, false].map(|nulls| approx_distinct_count(&there, 9, nulls, ctx).unwrap());
            assert_eq!(found, of_many);
            let empty = empty.to_device(ctx).unwrap();
            assert_eq!(approx_distinct_count(&empty, 12, true, ctx).unwrap(), 0);
        }
        for precision in [0, 3, 19, u32::MAX] {
            let error = approx_distinct_count(&empty, precision, true, host).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        }
    }
}
