//! Statistics of groups of rows on a GPU, and the reductions from them.
//!
//! All that is wanted of a column is collected in one pass, as integers, so that nothing depends on the order of
//! rows: few groups in copies in the shared memory of each block, more by pieces of rows and groups that fit it
//! ([`work_units`](super::work_units)), others in device memory. Floats are added
//! exactly, as digits below the largest exponent of the column, and rounded once; where their exponents span
//! more than the digits hold (some 80 binades) they are added in 64 bits in a fixed order instead.

use cuprum_column::types::Storage;
use cuprum_column::{Buffer, Column, Context, DataType, DeviceView, Error, Result, dispatch_storage};
use cuprum_elements::gather::cuda::sorted_with_positions;
use cuprum_keys::equality::cuda::known_codes::{Coded, KnownCodes};
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_runtime::kernel::Grid;
use cuprum_runtime::primitives::{self, Reduction, ScanKind};
use cuprum_runtime::{DeviceSpan, DeviceUVec};

use super::column_totals::{self, ColumnTotals};
use super::compact_sums::Compact;
use super::limbs::Limbs;
use super::row_groups::{Ids, RowGroups, ids_of};
use super::statistics_kernels::*;
use super::work_units::{Together, WorkUnits};
use crate::aggregation::Aggregation;

/// Bytes up to which there are copies.
const COPIED: usize = 48 << 10;

/// The most copies.
const MOST_COPIES: usize = 32;

/// Thresholds for the statistics of many groups; tests choose smaller numbers.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// From so many rows on they are brought together by group where that helps.
    pub(crate) many_rows: usize,
    /// Bytes of shared memory up to which groups have their statistics there.
    pub(crate) most_shared: usize,
    /// From so many rows on, a sample of as many rows guesses the digits of floats.
    pub(crate) sampled: usize,
}

impl Tuning {
    pub(crate) const DEFAULT: Self = Self { many_rows: 1 << 22, most_shared: 96 << 10, sampled: 1 << 18 };

    /// The shared memory of a block that is the only one of its multiprocessor, as for [`Compact`] sums: 160
    /// or 224 KiB of the 163 and 227 that there are.
    fn room(self, ctx: &Context) -> Result<usize> {
        Ok(match ctx.stream().device().properties()?.compute_capability {
            Some((8, 0)) => self.most_shared / 3 * 5,
            Some((9 | 10, _)) => self.most_shared / 3 * 7,
            _ => self.most_shared,
        })
    }
}

/// Whether the kernels below make an aggregation of columns of a type, of those that there are.
pub(crate) fn has_kernel(of: DataType, aggregation: Aggregation) -> bool {
    let is_plain = of.storage() != Storage::Children;
    let is_narrow = of.size().is_some_and(|size| size <= 8);
    match aggregation {
        Aggregation::Size => true,
        Aggregation::Count | Aggregation::First | Aggregation::Last => is_plain,
        Aggregation::Min | Aggregation::Max => is_narrow,
        Aggregation::Any | Aggregation::All => is_narrow,
        Aggregation::Sum | Aggregation::Mean => is_narrow && !of.is_decimal(),
        Aggregation::Var { .. } | Aggregation::Std { .. } | Aggregation::Sem { .. } => of.is_numeric(),
        Aggregation::NUnique | Aggregation::Product | Aggregation::Median | Aggregation::Quantile(_) => false,
        Aggregation::BitAnd | Aggregation::BitOr | Aggregation::BitXor => false,
    }
}

/// The statistics that an aggregation of a column is made from.
fn wants(of: DataType, aggregation: Aggregation) -> u32 {
    let sum = match of.size() {
        _ if of.is_float() => DIGITS,
        Some(8) => LOW | HIGH,
        _ => LOW,
    };
    let extreme = if of.is_float() { ZERO | COUNT } else { COUNT };
    match aggregation {
        Aggregation::Sum => sum,
        Aggregation::Mean | Aggregation::Var { .. } | Aggregation::Std { .. } | Aggregation::Sem { .. } => {
            sum | COUNT
        }
        Aggregation::Min => LEAST | extreme,
        Aggregation::Max => GREATEST | extreme,
        Aggregation::First => FIRST,
        Aggregation::Last => LAST,
        Aggregation::Any | Aggregation::All => TRUTH,
        _ => COUNT,
    }
}

/// Whether the [totals](ColumnTotals) of a column have all of these statistics.
fn has_totals(of: DataType, wants: u32) -> bool {
    wants & !(COUNT | LOW | HIGH | DIGITS) == 0 && of.storage().size().is_some_and(|size| size <= 8)
}

/// The statistics of a column.
pub(super) struct Statistics<'a> {
    pub(super) ids: Ids<'a>,
    /// Whether each group has a row.
    pub(super) all_have_rows: bool,
    pub(super) column: &'a Column,
    pub(super) groups: usize,
    pub(super) wants: u32,
    pub(super) digits: Limbs,
    pub(super) tuning: Tuning,
    pub(super) state: DeviceUVec<u64>,
    /// Whether the digits are those of a sample, and may not hold all values.
    pub(super) is_guessed: bool,
    /// The sums of floats that digits do not hold.
    pub(super) sums: Option<DeviceUVec<f64>>,
}

/// The aggregations of a column, of those that [have kernels](has_kernel), with the types that they give: a
/// value for each group. Rows whose id is no group count nowhere; without ids there is one group.
pub(crate) fn aggregate(
    ids: Ids<'_>,
    column: &Column,
    groups: usize,
    aggregations: &[(Aggregation, DataType)],
    ctx: &Context,
) -> Result<Vec<Column>> {
    aggregate_tuned(ids, column, groups, aggregations, Tuning::DEFAULT, ctx)
}

pub(crate) fn aggregate_tuned(
    ids: Ids<'_>,
    column: &Column,
    groups: usize,
    aggregations: &[(Aggregation, DataType)],
    tuning: Tuning,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let of = column.data_type();
    let all = aggregations.iter().fold(0, |all, (aggregation, _)| all | wants(of, *aggregation));
    let statistics = Statistics::new(ids, column, groups, all, tuning, ctx)?;
    aggregations.iter().map(|(aggregation, to)| statistics.finish(*aggregation, *to, ctx)).collect()
}

/// Whether [`ByCodes`] collects the statistics of an aggregation.
pub(crate) fn has_kernel_by_codes(column: &Column, aggregation: Aggregation) -> bool {
    let of = column.data_type();
    let is_made = match of.storage() {
        Storage::I32 | Storage::I64 | Storage::F32 | Storage::F64 => true,
        // Integers are there, whatever they are.
        Storage::U32 | Storage::U64 => aggregation == Aggregation::Count,
        _ => false,
    };
    let is_spread =
        matches!(aggregation, Aggregation::Var { .. } | Aggregation::Std { .. } | Aggregation::Sem { .. });
    is_made && !is_spread && has_kernel(of, aggregation)
}

/// The statistics of a column by the codes of keys, whose groups have no numbers yet.
pub(crate) struct ByCodes<'a>(Statistics<'a>);

impl<'a> ByCodes<'a> {
    /// For aggregations that [have kernels](has_kernel_by_codes); `None` where a key has no code, or floats
    /// are not held by digits. Codes that exceed shared memory are written down.
    pub(crate) fn collect(
        codes: &mut KnownCodes<'_>,
        column: &'a Column,
        aggregations: impl Iterator<Item = Aggregation>,
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<Option<Self>> {
        let (of, bound) = (column.data_type(), codes.bound());
        let all = aggregations.fold(0, |all, aggregation| all | wants(of, aggregation));
        let made = Statistics::with_digits(column, all, tuning, ctx, |digits, is_guessed, wants| {
            let mut statistics =
                Statistics::empty(None, column, bound, (wants, digits, is_guessed), tuning, ctx)?;
            let fits = match statistics.collect_by_codes(codes, ctx)? {
                Some(fits) => fits,
                None => match codes.written(ctx)? {
                    Some(ids) => statistics.collect(ids_of(ids)?.as_ref(), ctx)?,
                    None => true,
                },
            };
            // Nobody asks for what there is where keys have no codes.
            Ok((statistics, fits || codes.are_outside()))
        })?;
        Ok(made.filter(|_| !codes.are_outside()).map(Self))
    }

    /// The aggregations of groups whose codes are these, with the types that they give.
    pub(crate) fn aggregate(
        mut self,
        codes: &DeviceUVec<u32>,
        aggregations: &[(Aggregation, DataType)],
        ctx: &Context,
    ) -> Result<Vec<Column>> {
        self.0.take_groups(codes, ctx)?;
        aggregations.iter().map(|(aggregation, to)| self.0.finish(*aggregation, *to, ctx)).collect()
    }
}

/// The number of rows of each group.
pub(crate) fn sizes(ids: &Column, groups: usize, ctx: &Context) -> Result<Column> {
    let data = ids_of(ids)?;
    let statistics = Statistics::new(data.as_ref(), ids, groups, COUNT, Tuning::DEFAULT, ctx)?;
    statistics.counts_column(ctx)
}

/// The groups that have values of a column; `None` where all have.
pub(crate) fn groups_with_values(
    ids: Ids<'_>,
    column: &Column,
    groups: usize,
    ctx: &Context,
) -> Result<Option<(Buffer, usize)>> {
    Statistics::new(ids, column, groups, COUNT, Tuning::DEFAULT, ctx)?.mask(0, ctx)
}

/// Floats of 64 bits in 32.
pub(crate) fn singles(values: &DeviceSpan<'_, f64>, ctx: &Context) -> Result<DeviceUVec<f32>> {
    let (len, mut out) = (values.len(), DeviceUVec::<f32>::uninit(values.len(), ctx)?);
    // SAFETY: both have `len` numbers.
    unsafe { divide::<f32>(ctx, grid(len), values, None::<&DeviceUVec<u64>>, len, &mut out)? };
    Ok(out)
}

/// The number of values of a column in each group; nulls and NaN are none.
pub(crate) fn counts(ids: Ids<'_>, column: &Column, groups: usize, ctx: &Context) -> Result<DeviceUVec<u64>> {
    Statistics::new(ids, column, groups, COUNT, Tuning::DEFAULT, ctx)?.counts()?.copy(ctx)
}

/// The number of integers of each group and their exact sums, as words: all counts, the sums of the lower 32
/// bits, and those of the upper ones.
pub(super) struct IntegerSums<'a>(Statistics<'a>);

impl<'a> IntegerSums<'a> {
    pub(super) fn new(ids: Ids<'a>, column: &'a Column, groups: usize, ctx: &Context) -> Result<Self> {
        Statistics::new(ids, column, groups, COUNT | LOW | HIGH, Tuning::DEFAULT, ctx).map(Self)
    }

    pub(super) fn words(&self) -> &DeviceUVec<u64> {
        &self.0.state
    }

    /// The groups that have any; `None` where all have.
    pub(super) fn mask(&self, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        self.0.mask(0, ctx)
    }
}

/// The input of `accumulate`.
struct Work<'w> {
    ids: Option<&'w DeviceSpan<'w, u32>>,
    view: &'w DeviceView<'w>,
    rows: Option<&'w DeviceSpan<'w, u32>>,
    pieces: Option<&'w DeviceUVec<u64>>,
}

impl<'a> Statistics<'a> {
    pub(super) fn new(
        ids: Ids<'a>,
        column: &'a Column,
        groups: usize,
        wants: u32,
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<Self> {
        if ids.is_none() && groups == 1 && has_totals(column.data_type(), wants) {
            return Self::of_totals(column, wants, tuning, ctx);
        }
        let collected = |digits, is_guessed, wants| {
            let mut statistics = Self::empty(ids, column, groups, (wants, digits, is_guessed), tuning, ctx)?;
            let fits = statistics.collect(ids, ctx)?;
            Ok::<_, Error>((statistics, fits))
        };
        if let Some(statistics) = Self::with_digits(column, wants, tuning, ctx, collected)? {
            return Ok(statistics);
        }
        let sums = sums_in_order(ids, column, groups, ctx)?;
        let (statistics, _) = collected(Limbs::default(), false, wants & !DIGITS)?;
        Ok(Self { sums: Some(sums), ..statistics })
    }

    /// Those of all rows, from the totals of the column.
    fn of_totals(column: &'a Column, wants: u32, tuning: Tuning, ctx: &Context) -> Result<Self> {
        let totals = [(COUNT, column_totals::COUNT), (LOW, column_totals::LOW), (HIGH, column_totals::HIGH)];
        let asked = totals.iter().chain([&(DIGITS, column_totals::DIGITS)]);
        let asked = asked.filter(|(own, _)| wants & own != 0).fold(0, |all, (_, total)| all | total);
        let (found, temporary) = (ColumnTotals::new(column, asked, ctx)?, ctx.temporary()?);
        let [low, high] = found.halves();
        let words = totals.iter().zip([found.count(), low, high]).filter(|((own, _), _)| wants & own != 0);
        let words: Vec<u64> = words.map(|(_, word)| word).collect();
        let mut statistics =
            Self::empty(None, column, 1, (wants & !DIGITS, Limbs::default(), false), tuning, ctx)?;
        statistics.state = DeviceUVec::from_slice(&words, &temporary)?;
        if wants & DIGITS != 0 {
            statistics.sums = Some(DeviceUVec::from_slice(&[found.float_sum()], &temporary)?);
        }
        Ok(statistics)
    }

    fn empty(
        ids: Ids<'a>,
        column: &'a Column,
        groups: usize,
        (wants, digits, is_guessed): (u32, Limbs, bool),
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<Self> {
        // Halves of integers and digits of floats are added in words of 64 bits, which so many fit.
        check_rows("statistics", column.len())?;
        let (state, all_have_rows) = (DeviceUVec::uninit(0, ctx)?, ids.is_some());
        Ok(Self { ids, all_have_rows, column, groups, wants, digits, tuning, state, is_guessed, sums: None })
    }

    /// The statistics that `collected` returns for digits, whether these are a guess, and the wanted
    /// statistics; its flag is whether the digits held all floats. `None` where no digits do.
    fn with_digits(
        column: &Column,
        wants: u32,
        tuning: Tuning,
        ctx: &Context,
        mut collected: impl FnMut(Limbs, bool, u32) -> Result<(Self, bool)>,
    ) -> Result<Option<Self>> {
        if wants & DIGITS == 0 {
            return Ok(Some(collected(Limbs::default(), false, wants)?.0));
        }
        let with_flags = |digits: Limbs| wants | if digits.has_infinity { TRUTH } else { 0 };
        if let Some(guessed) = Limbs::guessed(column, tuning.sampled, |piece| Ok(piece.clone()), ctx)?
            && let (statistics, true) = collected(guessed, true, with_flags(guessed))?
        {
            return Ok(Some(statistics));
        }
        match Limbs::of(std::slice::from_ref(column), column.len(), [0, 0], ctx)? {
            Some(digits) => Ok(Some(collected(digits, false, with_flags(digits))?.0)),
            None => Ok(None),
        }
    }

    /// The compact layout of the sums of many groups, where nothing but counts and sums of floats, or of
    /// integers of 64 bits, are wanted.
    fn compact(&self) -> Option<Compact> {
        let Limbs { count, exponent, width, bits, .. } = self.digits;
        let (of, counts) = (self.column.data_type(), self.wants & COUNT != 0);
        let num_words = match self.wants & !COUNT {
            DIGITS => bits / 32 + 1,
            wants if wants == LOW | HIGH && of.size() == Some(8) => 3,
            _ => return None,
        };
        Some(Compact { counts, num_digits: count, exponent, width, bits, num_words })
    }

    /// The number of words before those of a statistic, or in all.
    pub(super) fn words_before(&self, statistic: u32) -> usize {
        let order = [COUNT, LOW, HIGH, DIGITS, LEAST, GREATEST, FIRST, LAST, TRUTH, ZERO];
        let before = order.into_iter().take_while(|&other| other != statistic);
        let words = |other: u32| if other == DIGITS { self.digits.count as usize } else { 1 };
        before.filter(|other| self.wants & other != 0).map(words).sum()
    }

    /// Whether the digits of floats held all of them. Waits to know it where they are those of a sample.
    fn collect(&mut self, ids: Ids<'_>, ctx: &Context) -> Result<bool> {
        let temporary = ctx.temporary()?;
        let (column, groups, wants) = (self.column, self.groups, self.wants);
        let words = self.words_before(0) * groups;
        self.state = DeviceUVec::zeroed(words, &temporary)?;
        if words == 0 || column.is_empty() {
            return Ok(true);
        }
        let view = DeviceView::new(column)?;
        if wants & !(COUNT | FIRST | LAST) == 0 && !column.data_type().is_float() {
            let rows = Grid::striding(column.len(), THREADS);
            if wants != COUNT || column.data_type().size().is_none_or(|size| size > 8) {
                // SAFETY: there is a word for each group and statistic, and an id for each row.
                unsafe {
                    ends(ctx, rows, ids.map(|ids| &ids.span), &view, groups, wants, &mut self.state)?;
                }
                return Ok(true);
            }
        }
        let plain = Work { ids: ids.map(|ids| &ids.span), view: &view, rows: None, pieces: None };
        if words * 8 <= self.tuning.most_shared {
            return self.accumulate(plain, groups, true, ctx);
        }
        match ids {
            Some(ids) if column.len() >= self.tuning.many_rows => {
                if let Some(compact) = self.compact()
                    && compact.bytes() * groups <= self.tuning.room(ctx)?
                {
                    return self.add_compactly(&compact, ids, ctx);
                }
                let per_group = self.words_before(0) * 8;
                let needs_rows = wants & (FIRST | LAST | ZERO) != 0;
                let plan = WorkUnits::plan(groups, per_group, self.tuning.most_shared, &temporary)?;
                let together = plan.of(ids.column, column, needs_rows, &temporary)?;
                let Together { moved, pieces, is_shared } = together;
                let pieces = Some(&pieces);
                let Some(columns) = moved else {
                    return self.accumulate(Work { pieces, ..plain }, plan.held, is_shared, ctx);
                };
                let (ids, view) = (ids_of(&columns[0])?, DeviceView::new(&columns[1])?);
                let rows = columns.get(2).map(ids_of).transpose()?.flatten();
                let (ids, rows) = (ids.as_ref().map(|ids| &ids.span), rows.as_ref().map(|rows| &rows.span));
                self.accumulate(Work { ids, view: &view, rows, pieces }, plan.held, is_shared, ctx)
            }
            _ => self.accumulate(plain, groups, false, ctx),
        }
    }

    /// Whether the digits of floats held all of them, as `collect` says it.
    fn add_compactly(&mut self, compact: &Compact, ids: &RowGroups<'_>, ctx: &Context) -> Result<bool> {
        let mut unfit = self.told_unfit(ctx)?;
        compact.add(&ids.span, self.column, self.groups, &mut self.state, unfit.as_mut(), ctx)?;
        unfit.map_or(Ok(true), |unfit| Ok(unfit.element(0)? == 0))
    }

    /// A flag that becomes 1 where digits do not hold a float, if they are a guess.
    fn told_unfit(&self, ctx: &Context) -> Result<Option<DeviceUVec<u32>>> {
        self.is_guessed.then(|| DeviceUVec::zeroed(1, &ctx.temporary()?)).transpose()
    }

    /// Adds up the statistics of `held` groups at a time, in shared memory or not.
    fn accumulate(&mut self, work: Work<'_>, held: usize, is_shared: bool, ctx: &Context) -> Result<bool> {
        let mut unfit = self.told_unfit(ctx)?;
        let Limbs { count, exponent, width, .. } = self.digits;
        let bytes = self.words_before(0) * held * 8;
        let copies = if is_shared { (COPIED / bytes).clamp(1, MOST_COPIES) } else { 1 };
        let copies = 1u32 << copies.ilog2();
        let shared_bytes = if is_shared { bytes as u32 * copies } else { 0 };
        let grid = match work.pieces {
            Some(pieces) => Grid::of(pieces.len() / 3, THREADS),
            None => Grid::resident(self.column.len().div_ceil((THREADS * ITEMS) as usize), THREADS),
        };
        let (grid, groups, wants) = (grid.with_shared_bytes(shared_bytes), self.groups, self.wants);
        dispatch_storage!(self.column.data_type(), T => {
            let launch = if is_shared { accumulate::<T, Shared> } else { accumulate::<T, Global> };
            // SAFETY: there is a word for each group and statistic, and an id for each row; as much shared memory as
            // all copies take; pieces are of rows that there are.
            unsafe {
                launch(
                    ctx,
                    grid,
                    work.ids,
                    work.view,
                    work.rows,
                    work.pieces,
                    groups,
                    held,
                    wants,
                    count,
                    exponent,
                    width,
                    copies,
                    &mut self.state,
                    unfit.as_mut(),
                )?;
            }
        }, else => return Err(Error::data_type(format!("no statistics of {}", self.column.data_type()))));
        unfit.map_or(Ok(true), |unfit| Ok(unfit.element(0)? == 0))
    }

    /// The same by the codes of the groups; `None` where they have no room in shared memory.
    fn collect_by_codes(&mut self, codes: &mut KnownCodes<'_>, ctx: &Context) -> Result<Option<bool>> {
        let (column, bound, known) = (self.column, self.groups, codes.known_bytes());
        let (words, room) = (self.words_before(0), self.tuning.room(ctx)?);
        let bytes = words * bound * 8;
        let compact = match bytes + known <= self.tuning.most_shared {
            true => None,
            false => match self.compact().filter(|compact| compact.bytes() * bound + known <= room) {
                None => return Ok(None),
                some => some,
            },
        };
        self.state = DeviceUVec::zeroed(words * bound, &ctx.temporary()?)?;
        let are_held = if let Some(compact) = compact {
            compact.add_by_codes(codes, column, &mut self.state, ctx)?
        } else {
            let Limbs { count, exponent, width, .. } = self.digits;
            let copies = 1u32 << (COPIED / bytes.max(1)).clamp(1, MOST_COPIES).ilog2();
            let grid = Grid::resident(column.len().div_ceil((THREADS * ITEMS) as usize), THREADS);
            let grid = grid.with_shared_bytes(bytes as u32 * copies + known as u32);
            let (view, wants, state) = (DeviceView::new(column)?, self.wants, &mut self.state);
            codes.look_through(ctx, |Coded { keys, is_wide, least, bound, known, first_rows, told }| {
                macro_rules! launch {
                    ($T:ty) => {{
                        let launch =
                            if is_wide { accumulate_by_codes::<$T, u64> } else { accumulate_by_codes::<$T, u32> };
                        // SAFETY: there is a key for each row, a bit and a first row for each code, a word for each code
                        // and statistic, and as much shared memory as all copies and bits take.
                        unsafe {
                            launch(
                                ctx, grid, &keys, least, bound, known, first_rows, told, &view, wants, count,
                                exponent, width, copies, state,
                            )
                        }
                    }};
                }
                match column.data_type().storage() {
                    Storage::I32 | Storage::U32 => launch!(i32),
                    Storage::I64 | Storage::U64 => launch!(i64),
                    Storage::F32 => launch!(f32),
                    Storage::F64 => launch!(f64),
                    _ => Err(Error::data_type(format!("no statistics of {} by codes", column.data_type()))),
                }
            })?
        };
        Ok(Some(are_held || !self.is_guessed))
    }

    /// Keeps some of the groups, all of which have rows.
    fn take_groups(&mut self, taken: &DeviceUVec<u32>, ctx: &Context) -> Result<()> {
        let (words, n) = (self.words_before(0), taken.len());
        let mut state = DeviceUVec::uninit(words * n, &ctx.temporary()?)?;
        // SAFETY: the state has words for each group, and those that are taken are some of them.
        unsafe { take_groups(ctx, grid(words * n), &self.state, self.groups, words, taken, n, &mut state)? };
        (self.state, self.groups, self.all_have_rows) = (state, n, true);
        Ok(())
    }
}

/// The squared deviations of rows from the mean of their group; NaN where there is no value.
pub(super) fn squared(
    ids: Ids<'_>,
    column: &Column,
    groups: usize,
    means: &DeviceUVec<f64>,
    ctx: &Context,
) -> Result<Column> {
    let (rows, view) = (column.len(), DeviceView::new(column)?);
    let mut squared = DeviceUVec::<f64>::uninit(rows, ctx)?;
    dispatch_storage!(column.data_type(), V => {
        // SAFETY: there are a mean for each group and a place for each row.
        unsafe { squares::<V>(ctx, grid(rows), ids.map(|ids| &ids.span), &view, groups, means, &mut squared)? };
    }, else => return Err(Error::data_type("no deviations of this type")));
    Column::from_buffer(DataType::Float64, rows, squared.into_buffer().try_into()?, None)
}

/// The sums of floats by group, added in 64 bits in an order that follows from the groups of the rows.
fn sums_in_order(ids: Ids<'_>, column: &Column, groups: usize, ctx: &Context) -> Result<DeviceUVec<f64>> {
    let (temporary, rows) = (ctx.temporary()?, column.len());
    let (view, mut values) = (DeviceView::new(column)?, DeviceUVec::<f64>::uninit(rows, &temporary)?);
    let order = match ids {
        Some(ids) => Some(sorted_with_positions::<u32, u32>(&ids.span, 0..u32::BITS, &temporary)?.1),
        None => None,
    };
    let launch = match column.data_type() {
        DataType::Float32 => values_of_rows::<f32>,
        _ => values_of_rows::<f64>,
    };
    // SAFETY: the order is one of the column's rows, each of which has a place.
    unsafe { launch(ctx, grid(rows), &view, order.as_ref(), rows, &mut values)? };
    let Some(ids) = ids else {
        let sum = primitives::reduce(&values.span(), Reduction::Sum, &temporary)?;
        return sum.span().copy(&temporary);
    };
    // The rows of groups, and one more so that the last group has an end.
    let sizes = Statistics::new(Some(ids), ids.column, groups + 1, COUNT, Tuning::DEFAULT, &temporary)?;
    let sizes = sizes.counts()?.elements::<i64>()?;
    let ends = primitives::scan(&sizes, Reduction::Sum, ScanKind::Exclusive, &temporary)?;
    primitives::segmented_reduce(&values.span(), &ends.span(), Reduction::Sum, &temporary)
}
