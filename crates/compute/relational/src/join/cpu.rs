//! The join on the CPU: index the right rows, look every left row up once, then write the pairs of
//! each morsel into place.
//!
//! Memory besides the maps: the index (`Index::new`), and 4 bytes for every left row; where the left rows are
//! indexed, 16 bytes more for every right row, or for those that find a left row where these are few.
//!
//! Far fewer left rows are indexed instead, and the right rows are looked up and listed by the left rows they
//! found: then every left row knows its list, and the rest is the same. The order is the same too, as lists
//! are in the order of the rows.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Bitmap, Column, Context, Error, HostUVec, Result, Table, null_mask};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::{self, MORSEL, for_ranges};
use cuprum_runtime::primitives::Bits;

use super::gather_maps::empty_map;
use super::hash_table::{Index, Lookup, PROBE, Sets, Wanted};
use super::options::JoinKind;
use cuprum_elements::row_numbers::row_column;
use cuprum_keys::equality::cpu::Tuning;
use cuprum_keys::equality::cpu::hash_table::{NONE, zeroed_slice};
use cuprum_keys::equality::cpu::marked_rows::MarkedRows;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::equality::{EncodeOptions, EqualityKeys};
use cuprum_keys::group_csr::{RowsByGroup, rows_by_group};

/// The build side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Build {
    Left,
    Right,
}

/// The rows of one table.
struct Side<'p, 'a> {
    plan: &'p EqualityKeys<'a>,
    /// As the plan counts them.
    rows: Range<usize>,
    /// The rows that may have partners.
    valid: Option<Bitmap<'p>>,
}

impl Side<'_, '_> {
    fn is_valid(&self, row: usize) -> bool {
        self.valid.is_none_or(|bits| bits.get(row))
    }

    fn index(&self, wanted: Wanted, tuning: Tuning, ctx: &Context) -> Result<Index> {
        // SAFETY: the closure writes the whole slice it gets.
        let codes = unsafe {
            HostUVec::from_morsels(self.rows.len(), ctx, |range, out| {
                let rows = self.rows.start + range.start..self.rows.start + range.end;
                self.plan.fill(rows, zeroed_slice(out));
                Ok(())
            })?
        };
        Index::new(&codes, self.plan.bound(), self.valid, wanted, tuning, ctx)
    }

    /// The numbers that `rows` of the side find in an index of the other.
    fn look_up(&self, lookup: &Lookup, rows: Range<usize>, numbers: &mut [u32]) {
        let mut codes = [0u64; PROBE];
        for (start, numbers) in rows.step_by(PROBE).zip(numbers.chunks_mut(PROBE)) {
            let codes = &mut codes[..numbers.len()];
            let first = self.rows.start + start;
            self.plan.fill(first..first + numbers.len(), codes);
            lookup.find_all(codes, numbers);
            if let Some(valid) = self.valid {
                for (i, number) in numbers.iter_mut().enumerate() {
                    if !valid.get(start + i) {
                        *number = NONE;
                    }
                }
            }
        }
    }
}

/// The number of a right row, or of a set of right rows, for each left row, and the pairs that the rows of
/// each morsel give.
struct Probed {
    numbers: HostUVec<u32>,
    /// The right rows of each number; without them numbers are rows.
    sets: Option<Sets>,
    pairs: Vec<usize>,
}

pub(super) fn join(
    left: &Table,
    right: &Table,
    kind: JoinKind,
    nulls_equal: bool,
    (tuning, build): (Option<Tuning>, Option<Build>),
    ctx: &Context,
) -> Result<(Column, Column)> {
    let (left_rows, right_rows) = (left.num_rows(), right.num_rows());
    check_rows("keys", left_rows.max(right_rows))?;
    let rows = left_rows.max(right_rows);
    // Looking a row up and listing it costs about half of indexing it.
    let build = build.unwrap_or(if left_rows <= right_rows / 4 { Build::Left } else { Build::Right });
    let tuning = tuning.unwrap_or_else(|| {
        let base = Tuning::for_rows(left_rows.saturating_add(right_rows));
        Tuning { direct_bound: base.direct_bound.max(right_rows as u64 * 2), ..base }
    });
    let (indexed, options) = (usize::from(build == Build::Right), EncodeOptions { nan_is_null: true });
    let plan = EqualityKeys::to_look_up(&[left, right], indexed, options, tuning, ctx)?;
    let (left_valid, right_valid) = if nulls_equal {
        (None, None)
    } else {
        (plan.comparable_rows(0, ctx)?, plan.comparable_rows(1, ctx)?)
    };
    let left_valid = null_mask::bits(left_valid.as_ref(), left_rows)?;
    let left_valid = left_valid.as_ref().map(Bits::to_bitmap).transpose()?;
    let right_valid = null_mask::bits(right_valid.as_ref(), right_rows)?;
    let right_valid = right_valid.as_ref().map(Bits::to_bitmap).transpose()?;
    let left = Side { plan: &plan, rows: 0..left_rows, valid: left_valid };
    let right = Side { plan: &plan, rows: left_rows..left_rows + right_rows, valid: right_valid };
    let wanted = Wanted {
        any_row: matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti),
        sets_of_rows: build == Build::Left || kind == JoinKind::Full,
    };
    let probed = match build {
        Build::Right => probe(&left, right.index(wanted, tuning, ctx)?, kind, ctx)?,
        Build::Left => probe_back(&left, &right, left.index(wanted, tuning, ctx)?, kind, ctx)?,
    };

    match kind {
        JoinKind::LeftSemi | JoinKind::LeftAnti => {
            let wanted = |number: u32| (number == NONE) == (kind == JoinKind::LeftAnti);
            let map = selected(&probed, wanted, ctx)?;
            Ok((row_column(map, rows, ctx)?, empty_map(rows)))
        }
        JoinKind::Inner | JoinKind::Left | JoinKind::Full => {
            let unmatched =
                if kind == JoinKind::Full { Some(unmatched_right(&probed, right_rows, ctx)?) } else { None };
            let (left, right) = pairs(probed, kind, unmatched, ctx)?;
            Ok((row_column(left, rows, ctx)?, row_column(right, rows, ctx)?))
        }
    }
}

/// Looks up the left rows in an index of the right ones.
fn probe(left: &Side<'_, '_>, index: Index, kind: JoinKind, ctx: &Context) -> Result<Probed> {
    let mut numbers = HostUVec::<u32>::uninit(left.rows.len(), ctx)?;
    let out = numbers.output();
    let pairs = parallel::map_morsels(left.rows.len(), ctx, |range| {
        // SAFETY: the morsels are disjoint.
        let numbers = zeroed_slice(unsafe { out.slice(range.clone()) });
        left.look_up(&index.lookup, range, numbers);
        Ok(num_pairs(kind, index.sets.as_ref(), numbers))
    })?;
    // SAFETY: the morsels cover all rows, and each was zeroed and then filled.
    Ok(Probed { numbers: unsafe { numbers.assume_init() }, sets: index.sets, pairs })
}

/// The same from an index of the left rows: looks up the right rows and lists them by the left rows they
/// find.
fn probe_back(
    left: &Side<'_, '_>,
    right: &Side<'_, '_>,
    index: Index,
    kind: JoinKind,
    ctx: &Context,
) -> Result<Probed> {
    let (left_rows, right_rows) = (left.rows.len(), right.rows.len());
    if matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti) {
        return found_back(left, right, index, kind, ctx);
    }
    let num_sets = index.sets.as_ref().map_or(left_rows, |sets| sets.rows.offsets.len() - 1);
    let few = if kind == JoinKind::Full { None } else { few_found(right, &index.lookup, num_sets, ctx)? };
    let (ids, rows) = match few {
        // The sets of single rows are asked for by full joins only.
        Some(rows) => (HostUVec::zeroed(0, ctx)?, rows),
        None => {
            // SAFETY: the closure writes the whole slice it gets.
            let ids = unsafe {
                HostUVec::from_morsels(right_rows, ctx, |range, out| {
                    right.look_up(&index.lookup, range, zeroed_slice(out));
                    Ok(())
                })?
            };
            let rows = rows_by_group(&ids, num_sets, None, ctx)?;
            (ids, rows)
        }
    };
    let offsets = &rows.offsets;
    let numbers = HostUVec::from_fn(left_rows, ctx, |row| {
        let set = match &index.sets {
            Some(sets) => sets.ids[row],
            None if left.is_valid(row) => row as u32,
            None => NONE,
        };
        let has_rows = set != NONE && offsets[set as usize] < offsets[set as usize + 1];
        if has_rows { set } else { NONE }
    })?;
    let sets = Some(Sets { ids, rows });
    let pairs =
        parallel::map_morsels(left_rows, ctx, |range| Ok(num_pairs(kind, sets.as_ref(), &numbers[range])))?;
    Ok(Probed { numbers, sets, pairs })
}

/// More rows that find something than one in so many are not few.
const FEW: usize = 16;

/// The rows of `side` that find each of `num_sets` numbers; `None` where they are not few. Only these are kept while
/// rows are looked up, so that nothing is written for the others.
fn few_found(
    side: &Side<'_, '_>,
    lookup: &Lookup,
    num_sets: usize,
    ctx: &Context,
) -> Result<Option<RowsByGroup>> {
    let most = side.rows.len() / FEW;
    let found = AtomicUsize::new(0);
    let parts = parallel::map_morsels(side.rows.len(), ctx, |range| {
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        let mut numbers = [0u32; PROBE];
        for start in range.clone().step_by(PROBE) {
            if found.load(Ordering::Relaxed) > most {
                break;
            }
            let numbers = &mut numbers[..PROBE.min(range.end - start)];
            side.look_up(lookup, start..start + numbers.len(), numbers);
            let more = numbers.iter().filter(|number| **number != NONE).count();
            if more == 0 {
                continue;
            }
            found.fetch_add(more, Ordering::Relaxed);
            host_vec::reserve(&mut pairs, more)?;
            for (row, &number) in (start..).zip(&*numbers) {
                if number != NONE {
                    pairs.push([number, row as u32]);
                }
            }
        }
        Ok(pairs)
    })?;
    if found.into_inner() > most {
        return Ok(None);
    }
    let pairs = || parts.iter().flatten();
    let len = pairs().count();
    let (mut numbers, mut rows) = (host_vec::with_capacity(len)?, host_vec::with_capacity(len)?);
    numbers.extend(pairs().map(|[number, _]| *number));
    rows.extend(pairs().map(|[_, row]| *row));
    let RowsByGroup { offsets, rows: places } = rows_by_group(&numbers, num_sets, None, ctx)?;
    let rows = HostUVec::from_fn(places.len(), ctx, |i| rows[places[i] as usize])?;
    Ok(Some(RowsByGroup { offsets, rows }))
}

/// [`probe_back`] where it is enough to know which left rows have partners: the number of such a row is
/// some number.
fn found_back(
    left: &Side<'_, '_>,
    right: &Side<'_, '_>,
    index: Index,
    kind: JoinKind,
    ctx: &Context,
) -> Result<Probed> {
    // One left row of all with the same code is found.
    let found = MarkedRows::new(left.rows.len(), ctx)?;
    for_ranges(right.rows.len(), MORSEL, ctx, &|range| {
        let mut numbers = [0u32; PROBE];
        for start in range.clone().step_by(PROBE) {
            let numbers = &mut numbers[..PROBE.min(range.end - start)];
            right.look_up(&index.lookup, start..start + numbers.len(), numbers);
            numbers.iter().filter(|number| **number != NONE).for_each(|&number| found.mark_again(number));
        }
        Ok(())
    })?;
    let mut numbers = HostUVec::<u32>::uninit(left.rows.len(), ctx)?;
    let out = numbers.output();
    let pairs = parallel::map_morsels(left.rows.len(), ctx, |range| {
        // SAFETY: the morsels are disjoint.
        let numbers = zeroed_slice(unsafe { out.slice(range.clone()) });
        left.look_up(&index.lookup, range, numbers);
        for number in &mut *numbers {
            if *number != NONE && !found.contains(*number) {
                *number = NONE;
            }
        }
        Ok(num_pairs(kind, None, numbers))
    })?;
    // SAFETY: the morsels cover all rows, and each was zeroed and then filled.
    Ok(Probed { numbers: unsafe { numbers.assume_init() }, sets: None, pairs })
}

/// The number of pairs of the left rows with these numbers.
fn num_pairs(kind: JoinKind, sets: Option<&Sets>, numbers: &[u32]) -> usize {
    match (kind, sets) {
        (JoinKind::LeftAnti, _) => numbers.iter().filter(|n| **n == NONE).count(),
        (JoinKind::LeftSemi, _) | (JoinKind::Inner, None) => numbers.iter().filter(|n| **n != NONE).count(),
        (JoinKind::Left | JoinKind::Full, None) => numbers.len(),
        (_, Some(sets)) => {
            let alone = usize::from(kind != JoinKind::Inner);
            let offsets = &sets.rows.offsets;
            let pairs_of = |number: u32| match number {
                NONE => alone,
                set => (offsets[set as usize + 1] - offsets[set as usize]) as usize,
            };
            numbers.iter().map(|&number| pairs_of(number)).sum()
        }
    }
}

/// The first place of each morsel's pairs, and the number of pairs.
fn starts(pairs: &[usize], extra: usize) -> Result<(Vec<usize>, usize)> {
    let mut starts = Vec::with_capacity(pairs.len());
    let mut sum = 0usize;
    for &n in pairs {
        starts.push(sum);
        sum = sum.checked_add(n).ok_or_else(too_many)?;
    }
    sum.checked_add(extra).ok_or_else(too_many).map(|_| (starts, sum))
}

fn too_many() -> Error {
    Error::overflow("the join has more pairs of rows than an address space of 64 bits can count")
}

/// The left rows whose number is wanted, which `probed.pairs` has counted.
fn selected(probed: &Probed, wanted: impl Fn(u32) -> bool + Sync, ctx: &Context) -> Result<HostUVec<u32>> {
    let (starts, total) = starts(&probed.pairs, 0)?;
    let mut map = HostUVec::<u32>::uninit(total, ctx)?;
    let out = map.output();
    for_ranges(probed.numbers.len(), MORSEL, ctx, &|range| {
        let mut at = starts[range.start / MORSEL];
        for row in range {
            if wanted(probed.numbers[row]) {
                // SAFETY: the morsels have places of their own, as many as rows were counted.
                unsafe { out.write(at, row as u32) };
                at += 1;
            }
        }
        Ok(())
    })?;
    // SAFETY: every counted row was written.
    Ok(unsafe { map.assume_init() })
}

/// The right rows that no left row has found, ascending.
fn unmatched_right(probed: &Probed, right_rows: usize, ctx: &Context) -> Result<HostUVec<u32>> {
    // Rows, or sets of rows.
    let numbers = probed.sets.as_ref().map_or(right_rows, |sets| sets.rows.offsets.len() - 1);
    let found = MarkedRows::new(numbers, ctx)?;
    for_ranges(probed.numbers.len(), MORSEL, ctx, &|range| {
        probed.numbers[range].iter().filter(|n| **n != NONE).for_each(|&number| found.mark_again(number));
        Ok(())
    })?;
    let alone = MarkedRows::new(right_rows, ctx)?;
    for_ranges(right_rows, MORSEL, ctx, &|range| {
        for row in range {
            let number = probed.sets.as_ref().map_or(row as u32, |sets| sets.ids[row]);
            if number == NONE || !found.contains(number) {
                alone.mark(row as u32);
            }
        }
        Ok(())
    })?;
    alone.rank(ctx)?.rows(ctx)
}

/// Left and right rows of all pairs, those of `unmatched` right rows last.
fn pairs(
    probed: Probed,
    kind: JoinKind,
    unmatched: Option<HostUVec<u32>>,
    ctx: &Context,
) -> Result<(HostUVec<u32>, HostUVec<u32>)> {
    let left_rows = probed.numbers.len();
    let extra = unmatched.as_ref().map_or(0, |rows| rows.len());
    let (starts, matched) = starts(&probed.pairs, extra)?;
    if probed.sets.is_none() && extra == 0 && matched == left_rows {
        // One pair for every left row: the looked-up rows are the right map.
        return Ok((HostUVec::from_fn(left_rows, ctx, |row| row as u32)?, probed.numbers));
    }
    let total = matched + extra;
    let mut left = HostUVec::<u32>::uninit(total, ctx)?;
    let mut right = HostUVec::<u32>::uninit(total, ctx)?;
    let (left_out, right_out) = (left.output(), right.output());
    let numbers = &probed.numbers;
    let inner = kind == JoinKind::Inner;
    for_ranges(left_rows, MORSEL, ctx, &|range: Range<usize>| {
        let mut at = starts[range.start / MORSEL];
        let mut pair = |l: usize, r: u32| {
            // SAFETY: the morsels have places of their own, as many as pairs were counted from the
            // same numbers.
            unsafe {
                left_out.write(at, l as u32);
                right_out.write(at, r);
            }
            at += 1;
        };
        for row in range {
            match (numbers[row], &probed.sets) {
                (NONE, _) if inner => (),
                (number, None) => pair(row, number),
                (NONE, Some(_)) => pair(row, NONE),
                (set, Some(sets)) => {
                    let offsets = &sets.rows.offsets;
                    let places = offsets[set as usize] as usize..offsets[set as usize + 1] as usize;
                    sets.rows.rows[places].iter().for_each(|&r| pair(row, r));
                }
            }
        }
        Ok(())
    })?;
    if let Some(rows) = &unmatched {
        for_ranges(extra, MORSEL, ctx, &|range| {
            for i in range {
                // SAFETY: these places follow those of all morsels.
                unsafe {
                    left_out.write(matched + i, NONE);
                    right_out.write(matched + i, rows[i]);
                }
            }
            Ok(())
        })?;
    }
    // SAFETY: all counted pairs and all unmatched rows were written.
    Ok(unsafe { (left.assume_init(), right.assume_init()) })
}

/// See [`super::cross_join`].
pub(super) fn cross_join(
    pairs: usize,
    left_rows: usize,
    right_rows: usize,
    ctx: &Context,
) -> Result<(Column, Column)> {
    if i32::try_from(left_rows.max(right_rows)).is_ok() {
        let (left, right) = cross::<i32>(pairs, right_rows, |row| row as i32, ctx)?;
        Ok((Column::from_values(left), Column::from_values(right)))
    } else {
        let (left, right) = cross::<i64>(pairs, right_rows, |row| row as i64, ctx)?;
        Ok((Column::from_values(left), Column::from_values(right)))
    }
}

fn cross<I: Copy + Send + Sync>(
    pairs: usize,
    right_rows: usize,
    index: impl Fn(usize) -> I + Sync,
    ctx: &Context,
) -> Result<(HostUVec<I>, HostUVec<I>)> {
    let mut left = HostUVec::<I>::uninit(pairs, ctx)?;
    let mut right = HostUVec::<I>::uninit(pairs, ctx)?;
    let (left_out, right_out) = (left.output(), right.output());
    for_ranges(pairs, MORSEL, ctx, &|range| {
        let (mut l, mut r) = (range.start / right_rows, range.start % right_rows);
        for at in range {
            // SAFETY: every place is in one range, so it belongs to one thread.
            unsafe {
                left_out.write(at, index(l));
                right_out.write(at, index(r));
            }
            r += 1;
            if r == right_rows {
                (l, r) = (l + 1, 0);
            }
        }
        Ok(())
    })?;
    // SAFETY: the ranges cover all places.
    Ok(unsafe { (left.assume_init(), right.assume_init()) })
}
