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
        ways: Option<In<u32>>, words: Option<In<u16>>, layout: AutomataLayout, memory: Option<Out<u32>>, which: u32, flags: Option<Out<u8>>,
        counts: Option<Out<i32>>, offsets_each: u32, narrow: Option<Out<i32>>, wide: Option<Out<u64>>, starts: Option<Out<u64>>, ends: Option<Out<u64>>,
        match_step: usize, group_step: usize, first_group: u32, num_groups: u32,
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
    /// All; an empty match may follow another match at once.
    All = 1,
    /// All; an empty match right behind another one does not count, as in iterators of `regex`.
    Apart = 2,
}

/// The groups of matches that are noted, and their order in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noted {
    /// The matches alone.
    Whole,
    /// All matches, then all of one group, then those of the next.
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
    noted: Noted,
    ctx: &Context,
) -> Result<Matches<'a>> {
    let temporary = ctx.temporary()?;
    let mut run = Run::new(column, compiled, which, noted, ctx)?;
    // Offsets count the places of match after match where these follow each other.
    let offsets_each = if noted == Noted::MatchByMatch { run.num_groups } else { 1 };
    let bytes = column.data().map_or(0, |data| data.len());
    let most = bytes.checked_add(column.len()).and_then(|most| most.checked_mul(offsets_each));
    let mut counts = RowOffsets::of_sizes(column.len(), most, &temporary)?;
    let mut flags = DeviceUVec::uninit(column.len(), &temporary)?;
    let outputs =
        Outputs { flags: Some(&mut flags), offsets: Some((&mut counts, offsets_each)), ..Outputs::default() };
    run.launch(outputs, ctx)?;
    let (mut rows, last) = counts.summed(ctx)?;
    let (total, places) = (last / offsets_each, last / offsets_each * run.num_groups);
    let (mut starts, mut ends) =
        (DeviceUVec::uninit(places, &temporary)?, DeviceUVec::uninit(places, &temporary)?);
    let mut numbers = [DeviceUVec::uninit(total, ctx)?, DeviceUVec::uninit(total, ctx)?];
    if total > 0 {
        let steps = if noted == Noted::MatchByMatch { (run.num_groups, 1) } else { (1, total) };
        let places = Some(Places { starts: &mut starts, ends: &mut ends, numbers: &mut numbers, steps });
        run.launch(Outputs { offsets: Some((&mut rows, offsets_each)), places, ..Outputs::default() }, ctx)?;
    }
    Ok(Matches { column, flags, rows, total, starts, ends, numbers })
}

impl<'a> Matches<'a> {
    /// Where one group of all matches is, in [`Noted::GroupByGroup`].
    fn of_group(&self, group: usize) -> Result<PartsView<'_>> {
        let places = group * self.total..(group + 1) * self.total;
        let (starts, ends) = (self.starts.span().slice(places.clone())?, self.ends.span().slice(places)?);
        Ok(PartsView { column: self.column, rows: &self.rows, starts, ends })
    }
}

/// The outputs of a launch.
#[derive(Default)]
struct Outputs<'a> {
    flags: Option<&'a mut DeviceUVec<u8>>,
    counts: Option<&'a mut DeviceUVec<i32>>,
    /// Counts in the first launch, where the matches of rows begin in the second; and what a match counts for.
    offsets: Option<(&'a mut RowOffsets, usize)>,
    places: Option<Places<'a>>,
}

/// Where the second launch notes matches.
struct Places<'a> {
    starts: &'a mut DeviceUVec<u64>,
    ends: &'a mut DeviceUVec<u64>,
    /// For each match the number of its row, and its number there.
    numbers: &'a mut [DeviceUVec<i64>; 2],
    /// From match to match, and from group to group.
    steps: (usize, usize),
}

/// The inputs of both launches.
struct Run<'a> {
    view: TextsView<'a>,
    program: &'a Program,
    instructions: DeviceUVec<u32>,
    kinds: DeviceUVec<u32>,
    tables: Option<Tables>,
    memory: Option<DeviceUVec<u32>>,
    grid: Grid,
    which: Which,
    first_group: usize,
    num_groups: usize,
    is_empty: bool,
}

impl<'a> Run<'a> {
    fn new(
        column: &'a Column,
        compiled: Compiled<'a>,
        which: Which,
        noted: Noted,
        ctx: &Context,
    ) -> Result<Self> {
        let (temporary, program) = (ctx.temporary()?, compiled.program);
        let (first_group, num_groups) = match noted {
            Noted::Whole => (0, 1),
            Noted::GroupByGroup => (0, compiled.groups() + 1),
            Noted::MatchByMatch => (1, compiled.groups()),
        };
        let threads = THREADS as usize;
        let mut blocks = column.len().div_ceil(threads).max(1);
        let has_ways = first_group + num_groups == 1 || program.one_way.is_some();
        let memory = if compiled.automata.is_some_and(|automata| !automata.may_not_decide) && has_ways {
            None
        } else {
            // As `run_words` of `cuprum/program.cuh`.
            let (instructions, slots) = (program.num_instructions, program.num_slots);
            let words = instructions * (2 * (1 + slots) + 1 + 4) + 4 * slots + 8;
            blocks = blocks.min((MOST_MEMORY / (4 * words * threads)).clamp(1, MOST_BLOCKS));
            Some(DeviceUVec::uninit(words * threads * blocks, &temporary)?)
        };
        Ok(Self {
            view: TextsView::new(column)?,
            program,
            instructions: DeviceUVec::from_slice(&program.words, &temporary)?,
            kinds: DeviceUVec::from_slice(&KINDS, &temporary)?,
            tables: compiled.automata.map(|automata| Tables::new(automata, ctx)).transpose()?,
            memory,
            grid: Grid::of(blocks, THREADS),
            which,
            first_group,
            num_groups,
            is_empty: column.is_empty(),
        })
    }

    fn launch(&mut self, outputs: Outputs<'_>, ctx: &Context) -> Result<()> {
        if self.is_empty {
            return Ok(());
        }
        let (offsets, offsets_each) =
            outputs.offsets.map_or((None, 1), |(offsets, each)| (Some(offsets), each));
        let (narrow, wide) = offsets.map_or((None, None), RowOffsets::as_mut);
        let (mut starts, mut ends, mut of_rows, mut of_matches, mut steps) = (None, None, None, None, (0, 0));
        if let Some(places) = outputs.places {
            (starts, ends, steps) = (Some(places.starts), Some(places.ends), places.steps);
            let [rows, matches] = places.numbers;
            (of_rows, of_matches) = (Some(rows), Some(matches));
        }
        let words = self.tables.as_ref().map(|tables| &tables.words);
        let layout = self.tables.as_ref().map_or_else(bytemuck::Zeroable::zeroed, |tables| tables.layout);
        let program = self.program;
        let (instructions, slots) = (program.num_instructions as u32, program.num_slots as u32);
        let from_ways = |first| self.instructions.span().slice(first..program.words.len());
        let ways = program.one_way.map(from_ways).transpose()?;
        let (first_group, num_groups) = (self.first_group as u32, self.num_groups as u32);
        // SAFETY: the program, its ways and the tables are of one pattern, each thread has its words of memory where the
        // tables or the ways leave something open; counts, offsets and places are those of the rows.
        unsafe {
            note_matches(
                ctx,
                self.grid,
                &self.view,
                &self.instructions,
                instructions,
                slots,
                &self.kinds,
                ways.as_ref(),
                words,
                layout,
                self.memory.as_mut(),
                self.which as u32,
                outputs.flags,
                outputs.counts,
                offsets_each as u32,
                narrow,
                wide,
                starts,
                ends,
                steps.0,
                steps.1,
                first_group,
                num_groups,
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
    Run::new(column, compiled, Which::First, Noted::Whole, ctx)?.launch(outputs, ctx)?;
    Column::from_buffer(DataType::Bool8, column.len(), buffer(flags)?, column.copy_mask(ctx)?)
}

/// The number of matches of each row; see [`count`](super::super::find::count).
pub(in super::super) fn count(column: &Column, compiled: Compiled<'_>, ctx: &Context) -> Result<Column> {
    let mut counts = DeviceUVec::uninit(column.len(), ctx)?;
    let outputs = Outputs { counts: Some(&mut counts), ..Outputs::default() };
    Run::new(column, compiled, Which::All, Noted::Whole, ctx)?.launch(outputs, ctx)?;
    Column::from_buffer(DataType::Int32, column.len(), buffer(counts)?, column.copy_mask(ctx)?)
}

/// See [`find_regex`](super::super::find::find_regex).
pub(in super::super) fn find(column: &Column, compiled: Compiled<'_>, ctx: &Context) -> Result<Column> {
    let found = matches(column, compiled, Which::First, Noted::Whole, ctx)?;
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
    let found = matches(column, compiled, Which::First, Noted::GroupByGroup, ctx)?;
    (1..=compiled.groups()).map(|group| found.of_group(group)?.texts(0, false, ctx)).collect()
}

/// See [`extract_all`](super::super::records::extract_all).
pub(in super::super) fn extract_all(
    column: &Column,
    compiled: Compiled<'_>,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let found = matches(column, compiled, Which::All, Noted::GroupByGroup, ctx)?;
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
    let found = matches(column, compiled, Which::All, Noted::MatchByMatch, ctx)?;
    let all = PartsView { column, rows: &found.rows, starts: found.starts.span(), ends: found.ends.span() };
    let texts = all.all_texts(Nulls::Made, compiled.groups(), ctx)?;
    let flags = Column::from_buffer(DataType::Bool8, column.len(), buffer(found.flags)?, None)?;
    let (offsets, mask) = (found.rows.into_column(texts.len(), ctx)?, null_mask::bools_to_mask(&flags, ctx)?);
    // SAFETY: the offsets are a running sum of how many groups the matches of each row have.
    unsafe { Column::lists_unchecked(offsets, texts, Some(mask)) }
}

/// See [`find_all`](super::super::records::find_all): the texts of a group, or of the whole matches for 0.
pub(in super::super) fn find_all(
    column: &Column,
    compiled: Compiled<'_>,
    group: usize,
    ctx: &Context,
) -> Result<Column> {
    let found = matches(column, compiled, Which::All, Noted::GroupByGroup, ctx)?;
    let texts = found.of_group(group)?.all_texts(Nulls::Of(None), 1, ctx)?;
    let (offsets, mask) = (found.rows.into_column(texts.len(), ctx)?, column.copy_mask(ctx)?);
    // SAFETY: the offsets are a running sum of how many matches each row has.
    unsafe { Column::lists_unchecked(offsets, texts, mask) }
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
        (matches(column, compiled, Which::Apart, Noted::GroupByGroup, ctx)?, ctx.temporary()?);
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
