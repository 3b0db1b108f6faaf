//! Lists as sets: their distinct elements, and set operations of two lists in one row.

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, Table};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;

use super::combine::{ConcatenateNullPolicy, concatenate_rows};
use super::dense::{Dense, null_in_either};
use super::find::can_number_elements;
use super::options::{NanEquality, NullEquality};
use super::{check_lists, check_rows, cuda, rows_of_word};
use cuprum_elements::selection::{present_words, true_words, words_from_fn};
use cuprum_keys::equality;
use cuprum_keys::search;
use cuprum_relational::stream_compaction::distinct::{Keep, duplicated};

/// The elements of each list without those that are equal to an earlier one. −0.0 equals 0.0, null does not
/// equal NaN.
///
/// Fails with `Unsupported` for lists of elements that are no keys, and for 2³² − 1 elements or more.
pub fn distinct(lists: &Column, nulls: NullEquality, nans: NanEquality, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.distinct");
    host_only!(ctx, [lists] if !can_number_elements(lists), distinct(&lists, nulls, nans));
    check_lists("lists", lists)?;
    if ctx.is_on_gpu() {
        return cuda::distinct(lists, (nulls, nans), ctx);
    }
    let dense = Dense::new(lists, ctx)?;
    let words = distinct_words(&dense, nulls, nans, ctx)?;
    dense.kept(words, ctx)?.into_lists(lists, ctx)
}

/// The distinct elements of each list that the other list of the row has too, in the order of `lhs`; null
/// where either is.
///
/// Fails with `DataType` where elements differ in type, with `Logic` where the columns differ in length;
/// otherwise as [`distinct`].
pub fn intersect_distinct(
    lhs: &Column,
    rhs: &Column,
    nulls: NullEquality,
    nans: NanEquality,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"lists.intersect_distinct");
    host_only!(ctx, [lhs, rhs] if !are_comparable(lhs, rhs), intersect_distinct(&lhs, &rhs, nulls, nans));
    distinct_of_lhs(lhs, rhs, true, (nulls, nans), ctx)
}

/// The distinct elements of each list of `lhs` that the other list of the row does not have; otherwise as
/// [`intersect_distinct`].
pub fn difference_distinct(
    lhs: &Column,
    rhs: &Column,
    nulls: NullEquality,
    nans: NanEquality,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"lists.difference_distinct");
    host_only!(ctx, [lhs, rhs] if !are_comparable(lhs, rhs), difference_distinct(&lhs, &rhs, nulls, nans));
    distinct_of_lhs(lhs, rhs, false, (nulls, nans), ctx)
}

/// The distinct elements of both lists of each row, those of `lhs` first; otherwise as
/// [`intersect_distinct`].
pub fn union_distinct(
    lhs: &Column,
    rhs: &Column,
    nulls: NullEquality,
    nans: NanEquality,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"lists.union_distinct");
    host_only!(ctx, [lhs, rhs] if !are_comparable(lhs, rhs), union_distinct(&lhs, &rhs, nulls, nans));
    check_both(lhs, rhs)?;
    let both = Table::new(vec![lhs.clone(), rhs.clone()])?;
    let both = concatenate_rows(&both, ConcatenateNullPolicy::NullifyOutputRow, ctx)?;
    distinct(&both, nulls, nans, ctx)
}

/// Whether each list has an element that the other list of the row has too: `Bool8`; otherwise as
/// [`intersect_distinct`].
pub fn have_overlap(
    lhs: &Column,
    rhs: &Column,
    nulls: NullEquality,
    nans: NanEquality,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"lists.have_overlap");
    host_only!(ctx, [lhs, rhs] if !are_comparable(lhs, rhs), have_overlap(&lhs, &rhs, nulls, nans));
    if ctx.is_on_gpu() {
        let (lhs, rhs) = null_in_both(lhs, rhs, ctx)?;
        return cuda::Members::new(&lhs, &rhs, (nulls, nans), ctx)?.have_overlap(&lhs, ctx);
    }
    let both = Both::new(lhs, rhs, nulls, nans, ctx)?;
    let overlap = HostUVec::from_fn(lhs.len(), ctx, |row| {
        u8::from(both.dense.pieces.range(row).any(|i| both.found[i / 64] >> (i % 64) & 1 == 1))
    })?;
    Column::new(DataType::Bool8, overlap, both.lhs.copy_mask(ctx)?)
}

/// The distinct elements of `lhs` that are found in `rhs`, or those that are not.
fn distinct_of_lhs(
    lhs: &Column,
    rhs: &Column,
    found: bool,
    (nulls, nans): (NullEquality, NanEquality),
    ctx: &Context,
) -> Result<Column> {
    if ctx.is_on_gpu() {
        let (lhs, rhs) = null_in_both(lhs, rhs, ctx)?;
        return cuda::Members::new(&lhs, &rhs, (nulls, nans), ctx)?.distinct(found, &lhs, ctx);
    }
    Both::new(lhs, rhs, nulls, nans, ctx)?.distinct_of_lhs(found, ctx)
}

/// Whether a GPU compares the elements of both columns, if they have lists of one type.
fn are_comparable(lhs: &Column, rhs: &Column) -> bool {
    check_both(lhs, rhs).is_err() || (can_number_elements(lhs) && can_number_elements(rhs))
}

/// Both columns, which are checked, with the nulls of both.
fn null_in_both(lhs: &Column, rhs: &Column, ctx: &Context) -> Result<(Column, Column)> {
    check_both(lhs, rhs)?;
    Ok((null_in_either(lhs, rhs, ctx)?, null_in_either(rhs, lhs, ctx)?))
}

fn check_both(lhs: &Column, rhs: &Column) -> Result<()> {
    check_lists("lhs", lhs)?;
    check_lists("rhs", rhs)?;
    check_rows("rhs", rhs, "lhs", lhs)?;
    let [left, right] = [lhs, rhs].map(|lists| lists.children()[1].data_type());
    if left == right {
        return Ok(());
    }
    Err(Error::data_type(format!("elements of `lhs` are {left}, those of `rhs` are {right}")))
}

/// The elements of two columns of lists, and which of the first are in the other list of their row.
struct Both {
    /// With the nulls of both.
    lhs: Column,
    dense: Dense,
    /// A bit for each element of `dense`.
    found: HostUVec<u64>,
    nulls: NullEquality,
    nans: NanEquality,
}

impl Both {
    fn new(
        lhs: &Column,
        rhs: &Column,
        nulls: NullEquality,
        nans: NanEquality,
        ctx: &Context,
    ) -> Result<Self> {
        let (lhs, rhs) = null_in_both(lhs, rhs, ctx)?;
        let (dense, other) = (Dense::new(&lhs, ctx)?, Dense::new(&rhs, ctx)?);
        let keys = [keys(&dense, ctx)?, keys(&other, ctx)?];
        let codes = equality::encode(&[&keys[0], &keys[1]], ctx)?;
        let found = search::contains(&codes[1].codes, &codes[0].codes, ctx)?;
        let (found, special) = (true_words(&found, ctx)?, special_words(&dense.elements, nulls, nans, ctx)?);
        // Elements that equal nothing are not found.
        let found = match special {
            Some(special) => words_from_fn(dense.elements.len(), ctx, |w| found[w] & !special[w])?,
            None => found,
        };
        Ok(Self { lhs, dense, found, nulls, nans })
    }

    /// The distinct elements that are found, or those that are not.
    fn distinct_of_lhs(self, found: bool, ctx: &Context) -> Result<Column> {
        let distinct = distinct_words(&self.dense, self.nulls, self.nans, ctx)?;
        let flip = if found { 0 } else { u64::MAX };
        let words = words_from_fn(self.dense.elements.len(), ctx, |w| distinct[w] & (self.found[w] ^ flip))?;
        self.dense.kept(words, ctx)?.into_lists(&self.lhs, ctx)
    }
}

/// The keys that two elements share when they are the same element of the same row.
fn keys(dense: &Dense, ctx: &Context) -> Result<Table> {
    Table::new(vec![dense.rows(ctx)?, dense.elements.clone()])
}

/// A bit for each element that is equal to none before it in its list.
fn distinct_words(
    dense: &Dense,
    nulls: NullEquality,
    nans: NanEquality,
    ctx: &Context,
) -> Result<HostUVec<u64>> {
    let keys = keys(dense, ctx)?;
    let codes = equality::encode(&[&keys], ctx)?.remove(0).codes;
    let repeats = true_words(&duplicated(&Table::new(vec![codes])?, Keep::First, ctx)?, ctx)?;
    let special = special_words(&dense.elements, nulls, nans, ctx)?;
    let len = dense.elements.len();
    words_from_fn(len, ctx, |w| {
        let distinct = !repeats[w] | special.as_ref().map_or(0, |special| special[w]);
        distinct & rows_of_word(len, w)
    })
}

/// A bit for each element that equals no element, itself included; `None` where there is none.
fn special_words(
    elements: &Column,
    nulls: NullEquality,
    nans: NanEquality,
    ctx: &Context,
) -> Result<Option<HostUVec<u64>>> {
    let (len, column) = (elements.len(), [elements]);
    let has_nans = nans == NanEquality::Unequal && elements.data_type().is_float();
    let has_nulls = nulls == NullEquality::Unequal && elements.has_nulls();
    if !has_nans && !has_nulls {
        return Ok(None);
    }
    let valid = present_words(&column, 1, false, len, ctx)?;
    let numbers = present_words(&column, 1, true, len, ctx)?;
    words_from_fn(len, ctx, |w| {
        let all = rows_of_word(len, w);
        let null = if has_nulls { !valid[w] & all } else { 0 };
        let nan = if has_nans { valid[w] & !numbers[w] } else { 0 };
        null | nan
    })
    .map(Some)
}
