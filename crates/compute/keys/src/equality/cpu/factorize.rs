//! Numbering of distinct keys in the order of their first rows, by hashes: with a table for each thread, or, where a sample
//! has many keys, [partitioned](super::radix_partitioned).

use cuprum_column::{Bitmap, Context, Result};
use cuprum_runtime::parallel;

use super::key_source::{Factorized, KeySource};
use super::radix_partitioned::{self, RadixPartitioned};
use super::sample::estimate_distinct;
use super::thread_tables::number_by_thread;
use super::tuning::Tuning;
use crate::equality::row_limit::check_rows;

/// Numbers the rows of `keys` that are set in `valid` (all, without it).
pub(crate) fn factorize<S: KeySource>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Factorized> {
    match few_or_many(keys, valid, tuning, ctx)? {
        Extent::Few(factorized) => Ok(factorized),
        Extent::Many(keys_about) => {
            RadixPartitioned::new(keys, valid, keys_about, &[], ctx)?.into_numbers(ctx)
        }
    }
}

/// A row of every distinct key of the rows of `keys` that are set in `valid`, in lists and in no order: for
/// those who want no numbers of all rows, which take longer to make than tables of the keys.
#[doc(hidden)]
pub fn distinct<S: KeySource>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Vec<Vec<u32>>> {
    match few_or_many(keys, valid, tuning, ctx)? {
        Extent::Few(factorized) => Ok(vec![factorized.first_rows.to_vec()]),
        Extent::Many(keys_about) => radix_partitioned::first_rows(keys, valid, keys_about, ctx),
    }
}

/// Numbers the rows of `keys` that are set in `valid` where they have few distinct keys: no more than `most`, if a
/// sample is right, and at most so many in the rows of a thread.
pub(crate) fn with_few_keys<S: KeySource>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    most: usize,
    ctx: &Context,
) -> Result<Option<Factorized>> {
    check_rows("keys", keys.len())?;
    // Tables of more keys leave the cache.
    let most = most.min(1 << 16);
    if estimate_distinct(keys, valid)? > most {
        return Ok(None);
    }
    number_by_thread(keys, valid, None, most, ctx)
}

/// The cardinality.
enum Extent {
    /// So few that they are numbered already.
    Few(Factorized),
    /// About so many.
    Many(usize),
}

fn few_or_many<S: KeySource>(
    keys: &S,
    valid: Option<Bitmap<'_>>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Extent> {
    check_rows("keys", keys.len())?;
    let threads = parallel::num_threads();
    let groups = estimate_distinct(keys, valid)?;
    if groups.saturating_mul(threads) > tuning.partition_above {
        return Ok(Extent::Many(groups));
    }
    // Skewed keys have more distinct values than a sample shows: tables that fill say so.
    let most = tuning.most_keys.unwrap_or(tuning.partition_above.saturating_mul(2) / threads);
    Ok(match number_by_thread(keys, valid, tuning.pieces, most, ctx)? {
        Some(factorized) => Extent::Few(factorized),
        None => Extent::Many(most.saturating_mul(threads).min(keys.len())),
    })
}
