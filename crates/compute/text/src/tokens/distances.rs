//! Distances between texts.
//!
//! The edit distance (Levenshtein 1966) is computed 64 rows of its table at once: E. W. Myers, A fast bit-vector
//! algorithm for approximate string matching, Journal of the ACM 46 (1999), in the form of H. Hyyrö (2003).

use cuprum_column::strings::check_strings;
use cuprum_column::{Column, Context, DataType, Error, Result, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::host_vec;
use cuprum_runtime::nvtx::func_range;

use super::cuda;
use super::strings::{values_of_rows, windows_or_whole};
use cuprum_elements::hashing::functions::murmur3_x86_32;

/// The number of characters to insert, delete or replace to make of each row that of `targets`, which has as
/// many rows or one for all; `Int32` (saturating at its maximum) without nulls: nulls count as empty texts.
///
/// It takes time in proportion to the product of the lengths, over 64.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where `targets` has another number of
/// rows, and where its one row is null.
pub fn edit_distance(column: &Column, targets: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.edit_distance");
    check_device!(ctx, [column, targets]);
    [column, targets].into_iter().try_for_each(check_strings)?;
    let one = targets.len() == 1;
    if !one && targets.len() != column.len() {
        return Err(Error::invalid_argument(format!(
            "`targets` has {} rows for {}; it has as many, or one",
            targets.len(),
            column.len()
        )));
    }
    if one && targets.null_count()? > 0 {
        return Err(Error::invalid_argument("`targets` is one null"));
    }
    if ctx.is_on_gpu() {
        return cuda::distances::edit_distance(column, targets, ctx);
    }
    let (view, targets) = (column.view()?, targets.view()?);
    let (rows, targets) = (view.strings()?, targets.strings()?);
    let distances = values_of_rows(rows.len(), ctx, Masks::new, |masks, row| {
        let target = targets.get_opt(if one { 0 } else { row }).unwrap_or("");
        let distance = distance(rows.get_opt(row).unwrap_or(""), target, masks)?;
        Ok(i32::try_from(distance).unwrap_or(i32::MAX))
    })?;
    Column::new(DataType::Int32, distances, None)
}

/// Jaccard's index of each row and that of `other`: how many different runs of `width` characters both have, over how
/// many either has; `Float32`, null where either row is. A shorter text is one run, an empty one has none; where
/// neither has any the index is 0.
///
/// Runs whose `MurmurHash3_x86_32` is the same are one.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a `width` below 2 and where the
/// lengths differ.
pub fn jaccard_index(column: &Column, other: &Column, width: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"tokens.jaccard_index");
    check_device!(ctx, [column, other]);
    [column, other].into_iter().try_for_each(check_strings)?;
    if width < 2 {
        return Err(Error::invalid_argument(format!(
            "`width` is {width}; runs are of 2 characters and more"
        )));
    }
    if column.len() != other.len() {
        return Err(Error::invalid_argument(format!(
            "`other` has {} rows for {}",
            other.len(),
            column.len()
        )));
    }
    if ctx.is_on_gpu() {
        return cuda::distances::jaccard_index(column, other, width, ctx);
    }
    let (view, other) = (column.view()?, other.view()?);
    let (rows, others) = (view.strings()?, other.strings()?);
    let masks: Vec<_> = rows.validity().into_iter().chain(others.validity()).collect();
    let mask = null_mask::and(&masks, rows.len(), ctx)?;
    let indices = values_of_rows(rows.len(), ctx, Default::default, |state: &mut [Vec<u32>; 2], row| {
        let (Some(text), Some(other)) = (rows.get_opt(row), others.get_opt(row)) else { return Ok(0.0f32) };
        for (hashes, text) in state.iter_mut().zip([text, other]) {
            hashes.clear();
            host_vec::reserve(hashes, text.len())?;
            hashes.extend(windows_or_whole(text, width).map(|run| murmur3_x86_32(run.as_bytes(), 0)));
            hashes.sort_unstable();
            hashes.dedup();
        }
        let [ours, theirs] = state;
        let both = ours.iter().filter(|hash| theirs.binary_search(hash).is_ok()).count();
        let either = ours.len() + theirs.len() - both;
        Ok(if either == 0 { 0.0 } else { both as f32 / either as f32 })
    })?;
    Column::new(DataType::Float32, indices, mask)
}

/// For each character of up to 64, in which places it stands.
struct Masks {
    ascii: Box<[u64; 128]>,
    others: Vec<(char, u64)>,
}

impl Masks {
    fn new() -> Self {
        Self { ascii: Box::new([0; 128]), others: Vec::new() }
    }

    fn add(&mut self, c: char, place: u32) {
        if let Some(mask) = self.ascii.get_mut(c as usize) {
            *mask |= 1 << place;
        } else if let Some((_, mask)) = self.others.iter_mut().find(|(other, _)| *other == c) {
            *mask |= 1 << place;
        } else {
            self.others.push((c, 1 << place));
        }
    }

    fn of(&self, c: char) -> u64 {
        match self.ascii.get(c as usize) {
            Some(mask) => *mask,
            None => self.others.iter().find(|(other, _)| *other == c).map_or(0, |(_, mask)| *mask),
        }
    }

    /// Forgets the characters that were added.
    fn clear(&mut self, added: impl Iterator<Item = char>) {
        for c in added {
            if let Some(mask) = self.ascii.get_mut(c as usize) {
                *mask = 0;
            }
        }
        self.others.clear();
    }
}

fn distance(a: &str, b: &str, masks: &mut Masks) -> Result<usize> {
    let (a, b) = without_common_ends(a, b);
    let (lengths, texts) = ([a.chars().count(), b.chars().count()], [a, b]);
    let shorter = usize::from(lengths[1] < lengths[0]);
    let (pattern, text) = (texts[shorter], texts[1 - shorter]);
    let (mut left, columns) = (lengths[shorter], lengths[1 - shorter]);
    if left == 0 {
        return Ok(columns);
    }
    let mut score = left;
    // By how much the table rises from column to column, in the last row of the strip above: 1 in row 0.
    let mut rises = if left > 64 { host_vec::filled(1i8, columns)? } else { Vec::new() };
    let mut characters = pattern.chars();
    while left > 0 {
        let height = left.min(64);
        let strip = characters.clone();
        characters.by_ref().take(height).enumerate().for_each(|(place, c)| masks.add(c, place as u32));
        let (mut up, mut down) = (u64::MAX, 0u64);
        for (column, c) in text.chars().enumerate() {
            let above = rises.get(column).copied().unwrap_or(1);
            let equal = masks.of(c);
            let vertical = equal | down;
            let equal = equal | u64::from(above < 0);
            let horizontal = ((equal & up).wrapping_add(up) ^ up) | equal;
            let (rise, fall) = (down | !(horizontal | up), up & horizontal);
            let below = (rise >> (height - 1) & 1) as i8 - (fall >> (height - 1) & 1) as i8;
            if left <= 64 {
                score = score.wrapping_add_signed(isize::from(below));
            } else if let Some(rise) = rises.get_mut(column) {
                *rise = below;
            }
            let (rise, fall) = (rise << 1 | u64::from(above > 0), fall << 1 | u64::from(above < 0));
            (up, down) = (fall | !(vertical | rise), rise & vertical);
        }
        masks.clear(strip.take(height));
        left -= height;
    }
    Ok(score)
}

fn without_common_ends<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    let start: usize = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    let (a, b) = (&a[start..], &b[start..]);
    let pairs = a.chars().rev().zip(b.chars().rev());
    let end: usize = pairs.take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    (&a[..a.len() - end], &b[..b.len() - end])
}
