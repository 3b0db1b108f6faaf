//! The matches of regular expressions with their groups: see [`extract`](super::super::extract),
//! [`records`](super::super::records) and [`replace`](super::super::replace); and what automata do not decide.

use cuprum_column::{Column, Context, DataType, Result, TextsDeviceView, TextsView, null_mask};
use cuprum_elements::gather::cuda::buffer;
use cuprum_elements::string_map::cuda::{Nulls, RowOffsets, make_from_texts, map_texts};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use super::super::automaton::Automata;
use super::super::characters::KINDS;
use super::super::pattern::Piece;
use super::super::program::Program;
use super::pattern::{AutomataLayout, Tables};
use super::spans::PartsView;

kernels! {
    pub static GROUPS: "groups.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn note_matches(
        column: TextsDeviceView, instructions: In<u32>, num_instructions: u32, num_slots: u32, kinds: In<u32>,
        words: Option<In<u16>>, layout: AutomataLayout, memory: Out<u32>, which: u32, flags: Option<Out<u8>>,
        counts: Option<Out<i32>>, offsets_each: u32, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, starts: Option<Out<u64>>, ends: Option<Out<u64>>,
        match_step: usize, group_step: usize, first_group: u32,
        row_numbers: Option<Out<i64>>, match_numbers: Option<Out<i64>>,
    );
    fn places_of_matches(
        column: TextsDeviceView, narrow: Option<In<i32>>, wide: Option<In<u64>>, starts: In<u64>, out: Out<i32>,
    );
    fn replace_with_groups(
        column: TextsDeviceView, narrow_rows: Option<In<i32>>, wide_rows: Option<In<u64>>,
        starts: In<u64>, ends: In<u64>, group_step: usize, pieces: In<u32>, num_pieces: u32, literals: In<u8>,
        limit: usize, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

/// The memory that all runs of a program may have together.
const MOST_MEMORY: usize = 512 << 20;
/// Blocks that run at once on the largest GPUs.
const MOST_BLOCKS: usize = 2048;

/// The matches of a row that are noted, as `groups.cu` numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Which {
    First = 0,
    /// All, of which an empty one may follow another one at once.
    All = 1,
    /// All, of which it may not.
    Apart = 2,
}

/// The order of the places of matches and groups in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// All matches of one group, then those of the next.
    GroupByGroup,
    /// All groups but the whole match, match by match.
    MatchByMatch,
}

/// A pattern's program, and its automata where there are some.
#[derive(Clone, Copy)]
pub(in super::super) struct Compiled<'a> {
    pub(in super::super) program: &'a Program,
    pub(in super::super) automata: Option<&'a Automata>,
}

impl Compiled<'_> {
    /// Groups of the pattern, without the whole match.
    fn groups(&self) -> usize {
        self.program.num_slots / 2 - 1
    }
}

/// Matches of rows.
pub(in super::super) struct Matches<'a> {
    column: &'a Column,
    /// Whether each row has a match.
    flags: DeviceUVec<u8>,
    rows: RowOffsets,
    total: usize,
    starts: DeviceUVec<u64>,
    ends: DeviceUVec<u64>,
    /// For each match the number of its row, and its number in the row.
    numbers: [DeviceUVec<i64>; 2],
}

/// Whether runs of programs can count the bytes of a column.
pub(in super::super) fn can_run(column: &Column) -> bool {
    column.data().is_none_or(|data| u32::try_from(data.len()).is_ok())
}

fn matches<'a>(
    column: &'a Column,
    compiled: Compiled<'_>,
    which: Which,
    order: Order,
    ctx: &Context,
) -> Result<Matches<'a>> {
    let temporary = ctx.temporary()?;
    let mut run = Run::new(column, compiled, which, ctx)?;
    let bytes = column.data().map_or(0, |data| data.len());
    // Offsets count the places of match after match where these follow each other.
    let (groups, steps) = match order {
        Order::MatchByMatch => (compiled.groups(), (compiled.groups(), 1, 1)),
        Order::GroupByGroup => (compiled.groups() + 1, (1, 0, 0)),
    };
    let offsets_each = if order == Order::MatchByMatch { groups } else { 1 };
    let most = bytes.checked_add(column.len()).and_then(|most| most.checked_mul(offsets_each));
    let mut counts = RowOffsets::of_sizes(column.len(), most, &temporary)?;
    let mut flags = DeviceUVec::uninit(column.len(), &temporary)?;
    let offsets_each = offsets_each as u32;
    let (offsets, has_match) = (Some(&mut counts), Some(&mut flags));
    run.launch(Outputs { flags: has_match, offsets, offsets_each, ..Outputs::default() }, ctx)?;
    let (mut rows, last) = counts.summed(ctx)?;
    let total = last / offsets_each as usize;
    let mut places =
        (DeviceUVec::uninit(total * groups, &temporary)?, DeviceUVec::uninit(total * groups, &temporary)?);
    let mut numbers = [DeviceUVec::uninit(total, ctx)?, DeviceUVec::uninit(total, ctx)?];
    if total > 0 {
        let steps = if order == Order::MatchByMatch { steps } else { (1, total, 0) };
        let places = Some((&mut places.0, &mut places.1, &mut numbers));
        run.launch(
            Outputs { offsets: Some(&mut rows), offsets_each, places, steps, ..Outputs::default() },
            ctx,
        )?;
    }
    Ok(Matches { column, flags, rows, total, starts: places.0, ends: places.1, numbers })
}

impl<'a> Matches<'a> {
    /// Where one group of all matches is, in [`Order::GroupByGroup`].
    fn of_group(&self, group: usize) -> Result<PartsView<'_>> {
        let places = group * self.total..(group + 1) * self.total;
        let (starts, ends) = (self.starts.span().slice(places.clone())?, self.ends.span().slice(places)?);
        Ok(PartsView { column: self.column, rows: &self.rows, starts, ends })
    }
}

/// What a launch writes.
#[derive(Default)]
struct Outputs<'a> {
    flags: Option<&'a mut DeviceUVec<u8>>,
    counts: Option<&'a mut DeviceUVec<i32>>,
    /// Counts in the first launch, where the matches of rows begin in the second.
    offsets: Option<&'a mut RowOffsets>,
    /// What a match counts for in these.
    offsets_each: u32,
    /// Starts, ends, and for each match the number of its row and its number there.
    places: Option<(&'a mut DeviceUVec<u64>, &'a mut DeviceUVec<u64>, &'a mut [DeviceUVec<i64>; 2])>,
    /// From match to match, from group to group, and the first group.
    steps: (usize, usize, u32),
}

/// What both launches need.
struct Run<'a> {
    view: TextsView<'a>,
    instructions: DeviceUVec<u32>,
    num_instructions: u32,
    num_slots: u32,
    kinds: DeviceUVec<u32>,
    tables: Option<Tables>,
    memory: DeviceUVec<u32>,
    grid: Grid,
    which: Which,
    is_empty: bool,
}

impl<'a> Run<'a> {
    fn new(column: &'a Column, compiled: Compiled<'_>, which: Which, ctx: &Context) -> Result<Self> {
        let (temporary, program) = (ctx.temporary()?, compiled.program);
        // As `run_words` of `cuprum/program.cuh`.
        let (instructions, slots) = (program.num_instructions, program.num_slots);
        let words = instructions * (2 * (1 + slots) + 1 + 4) + 4 * slots + 8;
        let threads = THREADS as usize;
        let fitting = (MOST_MEMORY / (4 * words * threads)).clamp(1, MOST_BLOCKS);
        let blocks = column.len().div_ceil(threads).clamp(1, fitting);
        Ok(Self {
            view: TextsView::new(column)?,
            instructions: DeviceUVec::from_slice(&program.words, &temporary)?,
            num_instructions: instructions as u32,
            num_slots: slots as u32,
            kinds: DeviceUVec::from_slice(&KINDS, &temporary)?,
            tables: compiled.automata.map(|automata| Tables::new(automata, ctx)).transpose()?,
            memory: DeviceUVec::uninit(words * threads * blocks, &temporary)?,
            grid: Grid::of(blocks, THREADS),
            which,
            is_empty: column.is_empty(),
        })
    }

    fn launch(&mut self, outputs: Outputs<'_>, ctx: &Context) -> Result<()> {
        if self.is_empty {
            return Ok(());
        }
        let (narrow, wide) = outputs.offsets.map_or((None, None), RowOffsets::as_mut);
        let (starts, ends, numbers) =
            outputs.places.map_or((None, None, None), |(s, e, n)| (Some(s), Some(e), Some(n)));
        let (of_rows, of_matches) =
            numbers.map_or((None, None), |[rows, matches]| (Some(rows), Some(matches)));
        let words = self.tables.as_ref().map(|tables| &tables.words);
        let layout = self.tables.as_ref().map_or_else(bytemuck::Zeroable::zeroed, |tables| tables.layout);
        let (match_step, group_step, first_group) = outputs.steps;
        // SAFETY: the program and the tables are of one pattern, each thread has its words of memory; counts, offsets
        // and places are those of the rows.
        unsafe {
            note_matches(
                ctx,
                self.grid,
                &self.view,
                &self.instructions,
                self.num_instructions,
                self.num_slots,
                &self.kinds,
                words,
                layout,
                &mut self.memory,
                self.which as u32,
                outputs.flags,
                outputs.counts,
                outputs.offsets_each.max(1),
                narrow,
                wide,
                starts,
                ends,
                match_step,
                group_step,
                first_group,
                of_rows,
                of_matches,
            )
        }
    }
}

/// Whether each row has a match; `Bool8`.
pub(in super::super) fn is_match(column: &Column, compiled: Compiled<'_>, ctx: &Context) -> Result<Column> {
    let mut flags = DeviceUVec::uninit(column.len(), ctx)?;
    let outputs = Outputs { flags: Some(&mut flags), ..Outputs::default() };
    Run::new(column, compiled, Which::First, ctx)?.launch(outputs, ctx)?;
    Column::from_buffer(DataType::Bool8, column.len(), buffer(flags)?, column.copy_mask(ctx)?)
}

/// The number of matches of each row; see [`count`](super::super::find::count).
pub(in super::super) fn count(column: &Column, compiled: Compiled<'_>, ctx: &Context) -> Result<Column> {
    let mut counts = DeviceUVec::uninit(column.len(), ctx)?;
    let outputs = Outputs { counts: Some(&mut counts), ..Outputs::default() };
    Run::new(column, compiled, Which::All, ctx)?.launch(outputs, ctx)?;
    Column::from_buffer(DataType::Int32, column.len(), buffer(counts)?, column.copy_mask(ctx)?)
}

/// See [`find_regex`](super::super::find::find_regex).
pub(in super::super) fn find(column: &Column, compiled: Compiled<'_>, ctx: &Context) -> Result<Column> {
    let found = matches(column, compiled, Which::First, Order::GroupByGroup, ctx)?;
    map_texts(column, DataType::Int32, ctx, |grid, texts, out| {
        let (narrow, wide) = found.rows.as_ref();
        // SAFETY: the matches are of the rows, and there is a place for each row.
        unsafe { places_of_matches(ctx, grid, texts, narrow, wide, &found.starts, out) }
    })
}

/// See [`extract`](super::super::extract::extract).
pub(in super::super) fn extract(
    column: &Column,
    compiled: Compiled<'_>,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let found = matches(column, compiled, Which::First, Order::GroupByGroup, ctx)?;
    (1..=compiled.groups()).map(|group| found.of_group(group)?.texts(0, false, ctx)).collect()
}

/// See [`extract_all`](super::super::records::extract_all).
pub(in super::super) fn extract_all(
    column: &Column,
    compiled: Compiled<'_>,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let found = matches(column, compiled, Which::All, Order::GroupByGroup, ctx)?;
    let texts = |group: usize| found.of_group(group)?.all_texts(Nulls::Made, 1, ctx);
    let groups = (1..=compiled.groups()).map(texts).collect::<Result<Vec<_>>>()?;
    let total = found.total;
    let numbers =
        found.numbers.map(|numbers| Column::from_buffer(DataType::Int64, total, buffer(numbers)?, None));
    numbers.into_iter().chain(groups.into_iter().map(Ok)).collect()
}

/// See [`extract_all_record`](super::super::records::extract_all_record).
pub(in super::super) fn extract_all_record(
    column: &Column,
    compiled: Compiled<'_>,
    ctx: &Context,
) -> Result<Column> {
    let found = matches(column, compiled, Which::All, Order::MatchByMatch, ctx)?;
    let all = PartsView { column, rows: &found.rows, starts: found.starts.span(), ends: found.ends.span() };
    let texts = all.all_texts(Nulls::Made, compiled.groups(), ctx)?;
    let flags = Column::from_buffer(DataType::Bool8, column.len(), buffer(found.flags)?, None)?;
    Column::lists(
        found.rows.into_column(texts.len(), ctx)?,
        texts,
        Some(null_mask::bools_to_mask(&flags, ctx)?),
    )
}

/// See [`find_all`](super::super::records::find_all): the texts of a group, or of the whole matches for 0.
pub(in super::super) fn find_all(
    column: &Column,
    compiled: Compiled<'_>,
    group: usize,
    ctx: &Context,
) -> Result<Column> {
    let found = matches(column, compiled, Which::All, Order::GroupByGroup, ctx)?;
    let texts = found.of_group(group)?.all_texts(Nulls::Of(None), 1, ctx)?;
    Column::lists(found.rows.into_column(texts.len(), ctx)?, texts, column.copy_mask(ctx)?)
}

/// Rows with a replacement in the place of their first `limit` matches.
pub(in super::super) fn replace(
    column: &Column,
    compiled: Compiled<'_>,
    pieces: &[Piece],
    limit: usize,
    ctx: &Context,
) -> Result<Column> {
    let (found, temporary) =
        (matches(column, compiled, Which::Apart, Order::GroupByGroup, ctx)?, ctx.temporary()?);
    let (mut literals, mut numbers, mut groups) = (Vec::new(), Vec::new(), 0);
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                numbers.extend([0, literals.len() as u32, text.len() as u32]);
                literals.extend_from_slice(text.as_bytes());
            }
            Piece::Group(group) => {
                numbers.extend([1, *group as u32, 0]);
                groups += 1;
            }
        }
    }
    let added = literals.len().checked_mul(found.total);
    let (literals, numbers) =
        (DeviceUVec::from_slice(&literals, &temporary)?, DeviceUVec::from_slice(&numbers, &temporary)?);
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    let most = |bytes: usize| bytes.checked_mul(1 + groups)?.checked_add(added?);
    make_from_texts(column, most, nulls, ctx, |grid, texts, out| {
        let ((narrow, wide), total, count) = (found.rows.as_ref(), found.total, pieces.len() as u32);
        // SAFETY: the matches are of the rows, the pieces of the literals; sizes, offsets and bytes are those of the rows.
        unsafe {
            replace_with_groups(
                ctx,
                grid,
                texts,
                narrow,
                wide,
                &found.starts,
                &found.ends,
                total,
                &numbers,
                count,
                &literals,
                limit,
                out.narrow,
                out.wide,
                out.bytes,
            )
        }
    })
}
