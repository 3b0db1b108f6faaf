//! Hashes and digests of rows, the same on every device and to the bit those of libcudf.
//!
//! The hashed bytes of a value: numbers as they are stored, least significant byte first (booleans as one
//! byte, times and decimals as their integers); text as its UTF-8 bytes; of a dictionary the key. Every
//! NaN is the same; `-0.0` is `0.0` where a function does not say otherwise. The value under a null is
//! never looked at.
//!
//! # Nested columns
//!
//! [`murmurhash3_x86_32`] and [`xxhash_32`] take lists and structs of any depth. Such a column counts
//! as one for each leaf field. Its hash starts at 0; level by level it is combined, for every element
//! of the level that the row reaches, with 0 or, where the element is null, with `u32::MAX` (only if the
//! table has any null at any level), and then, where these are lists, with the hash of each one's size
//! as a 32-bit integer with seed 0; last with the seeded hash of every value in order. A null list
//! counts as empty, and the fields of a null struct as null. Levels above a struct's second and later
//! fields have been counted by the first: structs are left out there, and lists count as if they were
//! valid. A struct that has no fields, or a list as its first, counts by itself.

mod cpu;
pub mod cuda;
mod digests;
pub mod functions;
mod options;
mod plan;
#[cfg(test)]
mod tests;
mod values;

use std::num::NonZeroU32;

use cuprum_column::{Buffer, Column, Context, DataType, Error, HostUVec, Result, ResultExt, Table, strings};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::{DeviceUVec, primitives};

pub use options::{DigestAlgorithm, HashFunction};
use plan::Plan;

/// The `MurmurHash3_x86_32` of each row, as `UInt32` without nulls.
///
/// A row's hash is that of its first column, combined column by column with the hash `g` of the next
/// under the same seed: `h ^ (g + 0x9e3779b9 + (h << 6) + (h >> 2))`. A null hashes to `u32::MAX`, a row
/// of no columns to the seed. Columns of any types; see the [module](self) for nested ones.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for dictionaries of lists, structs or
/// dictionaries.
pub fn murmurhash3_x86_32(table: &Table, seed: u32, ctx: &Context) -> Result<Column> {
    func_range!(c"hashing.murmurhash3_x86_32");
    check_device!(ctx, [table]);
    check(table, check_any)?;
    let (plan, rows) = (Plan::new(table.columns())?, table.num_rows());
    on_device!(
        ctx,
        Ok(Column::from_values(cpu::rows(&plan, rows, cpu::Murmur3(seed), ctx)?)),
        device_column(DataType::UInt32, cuda::rows::<cuda::Murmur3>(&plan, rows, seed, ctx)?)
    )
}

/// The `XXH32` of each row, as `UInt32` without nulls; otherwise as [`murmurhash3_x86_32`].
pub fn xxhash_32(table: &Table, seed: u32, ctx: &Context) -> Result<Column> {
    func_range!(c"hashing.xxhash_32");
    check_device!(ctx, [table]);
    check(table, check_any)?;
    let (plan, rows) = (Plan::new(table.columns())?, table.num_rows());
    on_device!(
        ctx,
        Ok(Column::from_values(cpu::rows(&plan, rows, cpu::XxHash32(seed), ctx)?)),
        device_column(DataType::UInt32, cuda::rows::<cuda::XxHash32>(&plan, rows, seed, ctx)?)
    )
}

/// The `XXH64` of each row, as `UInt64` without nulls.
///
/// The hash of a column is the seed of the next. A null hashes to `u64::MAX`, a row of no columns to the
/// seed. `-0.0` and `0.0` differ.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for lists and structs.
pub fn xxhash_64(table: &Table, seed: u64, ctx: &Context) -> Result<Column> {
    func_range!(c"hashing.xxhash_64");
    check_device!(ctx, [table]);
    check(table, check_plain)?;
    let (columns, rows) = (table.columns(), table.num_rows());
    on_device!(ctx, Ok(Column::from_values(cpu::plain_rows(columns, rows, cpu::XxHash64(seed), ctx)?)), {
        let [hashes] = cuda::wide_rows::<cuda::XxHash64, 1>(columns, rows, seed, ctx)?;
        device_column(DataType::UInt64, hashes)
    })
}

/// The `MurmurHash3_x64_128` of each row: a table of two `UInt64` columns, the first 64 bits and the
/// others.
///
/// The first half of a column's hash is the seed of the next. A null hashes to ones in both halves, a
/// row of no columns to the seed and 0. `-0.0` and `0.0` differ.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for lists and structs.
pub fn murmurhash3_x64_128(table: &Table, seed: u64, ctx: &Context) -> Result<Table> {
    func_range!(c"hashing.murmurhash3_x64_128");
    check_device!(ctx, [table]);
    check(table, check_plain)?;
    let (columns, rows) = (table.columns(), table.num_rows());
    let halves = on_device!(
        ctx,
        {
            let hashes = cpu::plain_rows(columns, rows, cpu::Murmur3Wide(seed), ctx)?;
            let half = |k: usize| Ok(Column::from_values(HostUVec::from_fn(rows, ctx, |i| hashes[i][k])?));
            vec![half(0)?, half(1)?]
        },
        {
            let halves = cuda::wide_rows::<cuda::Murmur3Wide, 2>(columns, rows, seed, ctx)?;
            halves.into_iter().map(|half| device_column(DataType::UInt64, half)).collect::<Result<_>>()?
        }
    );
    Table::with_rows(halves, rows)
}

/// A `UInt32` for each row, to distribute rows to partitions by: see [`partition_of_hash`].
///
/// Rows of several columns are combined as by [`murmurhash3_x86_32`], for every function. `seed` means
/// nothing to [`Identity`](HashFunction::Identity), except where there are no columns.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where the function takes no such columns.
pub fn hash_rows(table: &Table, function: HashFunction, seed: u32, ctx: &Context) -> Result<Column> {
    func_range!(c"hashing.hash_rows");
    check_device!(ctx, [table]);
    if function == HashFunction::Murmur3 {
        return murmurhash3_x86_32(table, seed, ctx);
    }
    check(table, check_identity)?;
    let rows = table.num_rows();
    on_device!(
        ctx,
        Ok(Column::from_values(cpu::plain_rows(table.columns(), rows, cpu::Identity(seed), ctx)?)),
        device_column(
            DataType::UInt32,
            cuda::plain_rows::<cuda::Identity>(table.columns(), rows, seed, ctx)?
        )
    )
}

/// The partition of `partitions` that a row with this hash belongs to: the rest of the division, which is
/// the low bits where there is a power of two of them. Kernels have the same in `cuprum/hash.cuh`.
#[inline]
pub fn partition_of_hash(hash: u32, partitions: NonZeroU32) -> u32 {
    hash % partitions
}

/// The digest of each row in lower-case hexadecimal, as `String` without nulls.
///
/// The digested bytes are those of the row's values, one column after the other; nulls add nothing, so
/// a row of nulls has the digest of nothing. [`Md5`](DigestAlgorithm::Md5) takes lists too, whose
/// elements follow each other.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for structs, for lists with any other
/// algorithm, and for lists of lists or structs.
pub fn digest(table: &Table, algorithm: DigestAlgorithm, ctx: &Context) -> Result<Column> {
    func_range!(c"hashing.digest");
    check_device!(ctx, [table]);
    check(table, |column| match (column.data_type(), column.children(), algorithm) {
        (DataType::List, [_, elements], DigestAlgorithm::Md5) => check_plain(elements),
        _ => check_plain(column),
    })?;
    let (columns, rows, width) = (table.columns(), table.num_rows(), algorithm.hex_digits());
    let chars: Buffer = on_device!(
        ctx,
        digests::rows(columns, rows, algorithm, ctx)?.into_buffer(),
        cuda::digests(columns, rows, algorithm, ctx)?.into_buffer().try_into()?
    );
    let offsets = if rows * width <= strings::SMALL_STRINGS {
        device_column(DataType::Int32, primitives::sequence(0, width as i32, rows + 1, ctx)?)?
    } else {
        device_column(DataType::Int64, primitives::sequence(0, width as i64, rows + 1, ctx)?)?
    };
    // SAFETY: the offsets are multiples of the digits of a digest, of which there is one for each row.
    unsafe { strings::from_parts(rows, offsets, chars, None) }
}

/// A column of the output of a kernel or primitive.
fn device_column<T: bytemuck::Pod>(data_type: DataType, values: DeviceUVec<T>) -> Result<Column> {
    let len = values.len();
    Column::from_buffer(data_type, len, values.into_buffer().try_into()?, None)
}

fn check(table: &Table, check: impl Fn(&Column) -> Result<()>) -> Result<()> {
    let mut columns = table.columns().iter().enumerate();
    columns.try_for_each(|(i, column)| check(column).context(|| format!("column {i}")))
}

fn refuse(column: &Column, what: &str) -> Error {
    Error::data_type(format!("{what} of type {} cannot be hashed by this function", column.data_type()))
}

/// Fails for all but numbers, text and dictionaries of these.
fn check_plain(column: &Column) -> Result<()> {
    match (column.data_type(), column.children()) {
        (DataType::List | DataType::Struct, _) => Err(refuse(column, "a column")),
        (DataType::Dictionary32, [_, keys])
            if keys.data_type().size().is_none() && keys.data_type() != DataType::String =>
        {
            Err(refuse(keys, "a dictionary"))
        }
        _ => Ok(()),
    }
}

/// [`check_plain`] of every leaf.
fn check_any(column: &Column) -> Result<()> {
    match (column.data_type(), column.children()) {
        (DataType::List, [_, elements]) => check_any(elements),
        (DataType::Struct, fields) => fields.iter().try_for_each(check_any),
        _ => check_plain(column),
    }
}

/// Fails with `DataType` where [`hash_rows`] does.
pub(crate) fn check_function(table: &Table, function: HashFunction) -> Result<()> {
    match function {
        HashFunction::Identity => check(table, check_identity),
        HashFunction::Murmur3 => check(table, check_any),
    }
}

fn check_identity(column: &Column) -> Result<()> {
    if column.data_type().is_numeric() { Ok(()) } else { Err(refuse(column, "a column")) }
}
