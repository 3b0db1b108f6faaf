//! Hashes of rows on the host: blocks of rows in the cache, column after column.

use std::ops::Range;

use cuprum_column::{Bitmap, Column, ColumnView, Context, DataType, HostUVec, Offsets, Result};
use cuprum_runtime::OutputSlice;
use cuprum_runtime::parallel::{self, MORSEL};

use super::functions::{combine, murmur3_x64_128, murmur3_x86_32};
use super::plan::{Branch, Part, Plan};
use super::values::{Value, Visitor, visit_values};

/// Rows whose hashes stay in the nearest cache while the columns go by.
const BLOCK: usize = 2048;

/// A function that combines the values of a row's columns, one after the other, to its hash.
pub(super) trait RowHash: Copy + Sync {
    /// The hash.
    type Hash: bytemuck::Pod + Send + Sync;
    /// The hash of a row without columns.
    fn start(self) -> Self::Hash;
    /// The hash of a row with one column more.
    fn add<V: Value>(self, before: Self::Hash, is_first: bool, value: V) -> Self::Hash;
    /// The same where the column is null.
    fn add_null(self, before: Self::Hash, is_first: bool) -> Self::Hash;
}

/// A hash of 32 bits, computed with the same seed for each value and combined.
pub(super) trait Combined: Copy + Sync {
    fn seed(self) -> u32;
    fn of<V: Value>(value: V, seed: u32) -> u32;
}

fn combined(before: u32, is_first: bool, next: u32) -> u32 {
    if is_first { next } else { combine(before, next) }
}

impl<C: Combined> RowHash for C {
    type Hash = u32;
    #[inline(always)]
    fn start(self) -> u32 {
        self.seed()
    }
    #[inline(always)]
    fn add<V: Value>(self, before: u32, is_first: bool, value: V) -> u32 {
        combined(before, is_first, C::of(value, self.seed()))
    }
    #[inline(always)]
    fn add_null(self, before: u32, is_first: bool) -> u32 {
        combined(before, is_first, u32::MAX)
    }
}

macro_rules! combined {
    ($($name:ident: |$value:ident, $seed:ident| $hash:expr;)*) => {$(
        #[derive(Clone, Copy)]
        pub(super) struct $name(pub u32);

        impl Combined for $name {
            #[inline(always)]
            fn seed(self) -> u32 { self.0 }
            #[inline(always)]
            fn of<V: Value>($value: V, $seed: u32) -> u32 { $hash }
        }
    )*};
}

combined! {
    Murmur3: |value, seed| value.with_bytes(true, |bytes| murmur3_x86_32(bytes, seed));
    XxHash32: |value, seed| value.with_bytes(true, |bytes| twox_hash::XxHash32::oneshot(seed, bytes));
    Identity: |value, _seed| value.cut();
}

/// Hashes of 64 and of 128 bits are the next value's seed.
#[derive(Clone, Copy)]
pub(super) struct XxHash64(pub u64);

impl RowHash for XxHash64 {
    type Hash = u64;
    fn start(self) -> u64 {
        self.0
    }
    #[inline(always)]
    fn add<V: Value>(self, before: u64, _: bool, value: V) -> u64 {
        value.with_bytes(false, |bytes| twox_hash::XxHash64::oneshot(before, bytes))
    }
    fn add_null(self, _: u64, _: bool) -> u64 {
        u64::MAX
    }
}

#[derive(Clone, Copy)]
pub(super) struct Murmur3Wide(pub u64);

impl RowHash for Murmur3Wide {
    type Hash = [u64; 2];
    fn start(self) -> [u64; 2] {
        [self.0, 0]
    }
    #[inline(always)]
    fn add<V: Value>(self, before: [u64; 2], _: bool, value: V) -> [u64; 2] {
        value.with_bytes(false, |bytes| murmur3_x64_128(bytes, before[0]))
    }
    fn add_null(self, _: [u64; 2], _: bool) -> [u64; 2] {
        [u64::MAX; 2]
    }
}

/// The hash of each of `len` rows of columns without nesting.
pub(super) fn plain_rows<H: RowHash>(
    columns: &[Column],
    len: usize,
    hash: H,
    ctx: &Context,
) -> Result<HostUVec<H::Hash>> {
    let mut out = HostUVec::uninit(len, ctx)?;
    for_blocks(&out.output(), len, hash, ctx, |rows, hashes| add_columns(columns, rows, true, hash, hashes))?;
    // SAFETY: the blocks cover all rows.
    Ok(unsafe { out.assume_init() })
}

/// The hash of each of `len` rows of any columns.
pub(super) fn rows<C: Combined>(plan: &Plan, len: usize, hash: C, ctx: &Context) -> Result<HostUVec<u32>> {
    if plan.parts.iter().all(|part| matches!(part, Part::Plain(_))) {
        return plain_rows(&plan.columns, len, hash, ctx);
    }
    let views = plan.columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let branches = plan.parts.iter().map(|part| match part {
        Part::Plain(_) => Ok(None),
        Part::Branch(branch) => BranchView::new(plan, &views, branch, hash, ctx).map(Some),
    });
    let branches = branches.collect::<Result<Vec<_>>>()?;
    let mut out = HostUVec::uninit(len, ctx)?;
    for_blocks(&out.output(), len, hash, ctx, |rows, hashes| {
        for (i, (part, branch)) in plan.parts.iter().zip(&branches).enumerate() {
            match (part, branch) {
                (Part::Plain(range), _) => {
                    add_columns(&plan.columns[range.clone()], rows.clone(), i == 0, hash, hashes)?;
                }
                (Part::Branch(_), Some(branch)) => {
                    for (row, place) in rows.clone().zip(&mut *hashes) {
                        *place = combined(*place, i == 0, branch.hash::<C>(row, plan.has_nulls));
                    }
                }
                (Part::Branch(_), None) => {}
            }
        }
        Ok(())
    })?;
    // SAFETY: the blocks cover all rows.
    Ok(unsafe { out.assume_init() })
}

/// Lets `add` update hashes from their start values to the final ones, block by block.
fn for_blocks<H: RowHash>(
    out: &OutputSlice<H::Hash>,
    len: usize,
    hash: H,
    ctx: &Context,
    add: impl Fn(Range<usize>, &mut [H::Hash]) -> Result<()> + Sync,
) -> Result<()> {
    parallel::for_ranges(len, MORSEL, ctx, &|morsel| {
        let mut hashes = vec![hash.start(); BLOCK.min(morsel.len())];
        for start in morsel.clone().step_by(BLOCK) {
            let rows = start..(start + BLOCK).min(morsel.end);
            let hashes = &mut hashes[..rows.len()];
            hashes.fill(hash.start());
            add(rows.clone(), hashes)?;
            // SAFETY: blocks are disjoint and below `len`.
            unsafe { out.slice(rows) }.write_copy_of_slice(hashes);
        }
        Ok(())
    })
}

fn add_columns<H: RowHash>(
    columns: &[Column],
    rows: Range<usize>,
    is_first: bool,
    hash: H,
    hashes: &mut [H::Hash],
) -> Result<()> {
    for (i, column) in columns.iter().enumerate() {
        let is_first = is_first && i == 0;
        if column.data_type() == DataType::Empty {
            hashes.iter_mut().for_each(|place| *place = hash.add_null(*place, is_first));
            continue;
        }
        let view = column.view()?;
        let validity = view.validity();
        visit_values(column, Add { rows: rows.clone(), validity, is_first, hash, hashes })?;
    }
    Ok(())
}

/// Adds the values of a column to the hashes of some rows.
struct Add<'a, H: RowHash> {
    rows: Range<usize>,
    validity: Option<Bitmap<'a>>,
    is_first: bool,
    hash: H,
    hashes: &'a mut [H::Hash],
}

impl<H: RowHash> Visitor for Add<'_, H> {
    #[inline(always)]
    fn visit<V: Value>(self, value: impl Fn(usize) -> V) {
        let Self { rows, validity, is_first, hash, hashes } = self;
        match validity {
            None => {
                for (row, place) in rows.zip(hashes) {
                    *place = hash.add(*place, is_first, value(row));
                }
            }
            Some(bits) => {
                for (row, place) in rows.zip(hashes) {
                    *place = if bits.get(row) {
                        hash.add(*place, is_first, value(row))
                    } else {
                        hash.add_null(*place, is_first)
                    };
                }
            }
        }
    }
}

/// A branch of a nested column, see [`plan`](super::plan).
struct BranchView<'a> {
    levels: Vec<Level<'a>>,
    first_counted: usize,
    /// The hash of each value.
    leaves: Option<HostUVec<u32>>,
}

struct Level<'a> {
    validity: Option<Bitmap<'a>>,
    /// Of lists.
    offsets: Option<Offsets<'a>>,
}

impl<'a> BranchView<'a> {
    /// `views` are those of the plan's columns.
    fn new<C: Combined>(
        plan: &Plan,
        views: &'a [ColumnView<'_>],
        branch: &Branch,
        hash: C,
        ctx: &Context,
    ) -> Result<Self> {
        let levels = views[branch.levels.clone()].iter().map(|view| {
            let is_list = view.data_type() == DataType::List;
            let offsets = if is_list { Some(view.lists()?.offsets()) } else { None };
            Ok(Level { validity: view.validity(), offsets })
        });
        let levels = levels.collect::<Result<_>>()?;
        let leaves = match branch.leaf {
            Some(leaf) => {
                let leaf = &plan.columns[leaf..=leaf];
                Some(plain_rows(leaf, leaf[0].len(), hash, ctx)?)
            }
            None => None,
        };
        Ok(Self { levels, first_counted: branch.first_counted, leaves })
    }

    /// The hash of a row.
    fn hash<C: Combined>(&self, row: usize, has_nulls: bool) -> u32 {
        let (mut hash, mut is_nested) = (0, false);
        for (l, level) in self.levels.iter().enumerate() {
            let is_counted = l >= self.first_counted;
            if !is_counted && level.offsets.is_none() {
                continue;
            }
            is_nested = true;
            if has_nulls {
                self.visit(l, row, &mut |_, is_valid| {
                    hash = combine(hash, if is_counted && !is_valid { u32::MAX } else { 0 });
                });
            }
            if let Some(offsets) = &level.offsets {
                self.visit(l, row, &mut |i, is_valid| {
                    let size = if is_valid { offsets.range(i).len() } else { 0 };
                    hash = combine(hash, C::of(size as u32, 0));
                });
            }
        }
        if let Some(leaves) = &self.leaves {
            self.visit(self.levels.len(), row, &mut |i, is_valid| {
                let next = if is_valid { leaves[i] } else { u32::MAX };
                hash = if is_nested { combine(hash, next) } else { next };
            });
        }
        hash
    }

    /// Calls `f(row, is_valid)` in order for each element of level `stop` that row `row` of level 0
    /// reaches; the level behind the last one is that of the leaf. Nothing is reached through a null
    /// list, and the fields of a null struct are null.
    fn visit(&self, stop: usize, row: usize, f: &mut impl FnMut(usize, bool)) {
        self.visit_from(0, stop, row, true, f);
    }

    fn visit_from(
        &self,
        at: usize,
        stop: usize,
        row: usize,
        parent_is_valid: bool,
        f: &mut impl FnMut(usize, bool),
    ) {
        let level = self.levels.get(at);
        let bits = level.and_then(|level| level.validity);
        let is_valid = parent_is_valid && bits.is_none_or(|bits| bits.get(row));
        match level {
            Some(level) if at < stop => match &level.offsets {
                None => self.visit_from(at + 1, stop, row, is_valid, f),
                Some(offsets) if is_valid => {
                    // The next level begins with the first element of the first list.
                    let base = offsets.range(0).start;
                    for i in offsets.range(row) {
                        self.visit_from(at + 1, stop, i - base, true, f);
                    }
                }
                Some(_) => {}
            },
            _ => f(row, is_valid),
        }
    }
}
