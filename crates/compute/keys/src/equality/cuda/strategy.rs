//! The codes of keys on a GPU, and the strategy that follows: codes index a table, are hashed, or rows are
//! compared whole.

use cuprum_column::{Column, Context, DeviceViews, Result};
use cuprum_runtime::DeviceUVec;

use super::flattened_keys::FlattenedKeys;
use super::kernels::{grid, key_ranges};

/// The comparison of keys.
pub(super) enum Strategy {
    /// Codes below the bound index a table.
    Direct(usize),
    /// Codes below 2⁶⁴ − 1 are hashed.
    Hashed,
    /// Rows are hashed and compared whole.
    Whole,
}

/// The arguments of kernels that encode key columns; `equality.cuh` describes the parts.
pub(super) struct CodePlan {
    pub(super) way: Strategy,
    pub(super) parts: DeviceUVec<u64>,
    pub(super) num_columns: u32,
    /// The range was estimated from a sample: keys outside of it have no code.
    pub(super) is_guess: bool,
}

/// The range of a column: the least ordered form, the number of values up to the greatest, whether any value is missing.
pub(super) type Span = (u64, u128, bool);

impl CodePlan {
    /// A plan for the rows of all tables, which have columns of the same types.
    pub(super) fn new(tables: &[&FlattenedKeys<'_>], ctx: &Context) -> Result<Self> {
        let rows = tables.iter().map(|leaves| leaves.table.num_rows()).sum();
        Self::of_spans(Self::spans(tables, ctx)?, &tables[0].drops, rows, ctx)
    }

    /// A plan from the range of the build side alone, so that the probe side is not read for it: probe keys outside of the
    /// range have no partner. `None` for several columns, and where build keys are missing.
    pub(super) fn of_keys(
        keys: &FlattenedKeys<'_>,
        others: &FlattenedKeys<'_>,
        ctx: &Context,
    ) -> Result<Option<Self>> {
        let [_] = keys.columns() else { return Ok(None) };
        match Self::spans(&[keys], ctx)? {
            Some(spans) if !spans[0].2 => {
                let rows = keys.table.num_rows() + others.table.num_rows();
                Self::of_spans(Some(spans), &keys.drops, rows, ctx).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A plan for one column of integers without nulls by the range of a sample: direct address with a margin where that is
    /// small enough, else hashing, where every integer but the greatest of 64 bits has a code.
    pub(super) fn guessed(span: Span, drops: &[bool], rows: usize, ctx: &Context) -> Result<Self> {
        let margin = u64::try_from(span.1 / 64).unwrap_or(u64::MAX).saturating_add(64);
        let span = Self::widened(span, margin);
        let plan = Self::of_spans(Some(vec![span]), drops, rows, ctx)?;
        let plan = match plan.way {
            Strategy::Direct(_) => plan,
            _ => Self::of_spans(Some(vec![(0, u128::from(u64::MAX - 1), false)]), drops, 0, ctx)?,
        };
        Ok(Self { is_guess: true, ..plan })
    }

    /// A range of integers with a margin at both ends.
    pub(super) fn widened((least, span, _): Span, margin: u64) -> Span {
        let greatest = u64::try_from(u128::from(least) + span.saturating_sub(1)).unwrap_or(u64::MAX);
        let (least, greatest) = (least.saturating_sub(margin), greatest.saturating_add(margin));
        (least, u128::from(greatest - least) + 1, false)
    }

    pub(super) fn of_spans(
        spans: Option<Vec<Span>>,
        drops: &[bool],
        rows: usize,
        ctx: &Context,
    ) -> Result<Self> {
        let num_columns = drops.len() as u32;
        let mut parts: Vec<u64> = drops.iter().flat_map(|&drops| [0, 0, 0, u64::from(drops)]).collect();
        let way = match spans {
            None => Strategy::Whole,
            Some(spans) => {
                let mut factor = 1u128;
                for (part, (least, span, misses)) in parts.chunks_mut(4).zip(spans).rev() {
                    part[..3].copy_from_slice(&[least, factor as u64, span as u64]);
                    factor = factor.saturating_mul((span + u128::from(misses)).max(1));
                }
                match usize::try_from(factor) {
                    Ok(bound) if bound <= rows.saturating_mul(2).max(1 << 10) => Strategy::Direct(bound),
                    Ok(bound) if bound < usize::MAX => Strategy::Hashed,
                    _ => Strategy::Whole,
                }
            }
        };
        let parts = DeviceUVec::from_slice(&parts, &ctx.temporary()?)?;
        Ok(Self { way, parts, num_columns, is_guess: false })
    }

    /// A plan for digests: numbers of 64 bits below the largest; null digests are left out.
    pub(super) fn of_digests(ctx: &Context) -> Result<Self> {
        let parts = DeviceUVec::from_slice(&[0, 1, 0, 1], &ctx.temporary()?)?;
        Ok(Self { way: Strategy::Hashed, parts, num_columns: 1, is_guess: false })
    }

    /// The range of each column; `None` where one is wider than 8 bytes.
    fn spans(tables: &[&FlattenedKeys<'_>], ctx: &Context) -> Result<Option<Vec<Span>>> {
        let is_narrow = |column: &Column| column.data_type().size().is_some_and(|size| size <= 8);
        if !tables[0].columns().iter().all(is_narrow) {
            return Ok(None);
        }
        let count = tables[0].columns().len();
        if count == 0 {
            return Ok(Some(Vec::new()));
        }
        // The columns of all tables at once.
        let columns: Vec<Column> = tables.iter().flat_map(|leaves| leaves.columns()).cloned().collect();
        Ok(Some(Self::spans_of(&DeviceViews::new(&columns, ctx)?, &columns, count, ctx)?))
    }

    /// The ranges of `count` columns; the views are pieces of them, in turns.
    pub(super) fn spans_of(
        views: &DeviceViews<'_>,
        pieces: &[Column],
        count: usize,
        ctx: &Context,
    ) -> Result<Vec<Span>> {
        let ranges = [u64::MAX, 0, 0].repeat(pieces.len());
        let mut ranges = DeviceUVec::from_slice(&ranges, &ctx.temporary()?)?;
        let most = pieces.iter().map(Column::len).max().unwrap_or(0);
        // SAFETY: there are three numbers for each column, of which rows up to its last are read.
        unsafe { key_ranges(ctx, grid(most), views, views.num_columns(), most, &mut ranges)? };
        let mut all = vec![[u64::MAX, 0, 0]; count];
        for (i, found) in ranges.to_vec()?.chunks(3).enumerate() {
            let all = &mut all[i % count];
            *all = [all[0].min(found[0]), all[1].max(found[1]), all[2] | found[2]];
        }
        let span = |[least, greatest, misses]: [u64; 3]| match least <= greatest {
            true => (least, u128::from(greatest - least) + 1, misses != 0),
            false => (0, 0, misses != 0),
        };
        Ok(all.into_iter().map(span).collect())
    }
}
