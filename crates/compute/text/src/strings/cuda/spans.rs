//! Parts of rows and matches in them: see [`split`](super::super::split) and [`records`](super::super::records).

use cuprum_column::{Buffer, Column, Context, DataType, Result, TextsDeviceView, TextsView};
use cuprum_elements::gather::cuda::buffer;
use cuprum_elements::string_map::cuda::{Nulls, RowOffsets, make_texts, texts_grid};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::Number;
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernels};

use super::super::automaton::Automata;
use super::super::characters::KINDS;
use super::pattern::{AutomataLayout, Tables};

kernels! {
    pub static SPANS: "spans.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn split_texts(
        column: TextsDeviceView, separator: Option<In<u8>>, size: usize, kinds: Option<In<u32>>, limit: usize,
        is_reverse: bool, narrow: Option<Out<i32>>, wide: Option<Out<u64>>,
        starts: Option<Out<u64>>, ends: Option<Out<u64>>,
    );
    fn part_texts(
        column: TextsDeviceView, separator: In<u8>, size: usize, is_last: bool,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, starts: Option<Out<u64>>, ends: Option<Out<u64>>,
    );
    fn match_spans(
        column: TextsDeviceView, words: In<u16>, layout: AutomataLayout, undecided: Out<u32>, are_between: bool,
        limit: usize, is_reverse: bool, narrow: Option<Out<i32>>, wide: Option<Out<u64>>,
        starts: Option<Out<u64>>, ends: Option<Out<u64>>,
    );
    fn texts_of_parts(
        column_bytes: Option<In<u8>>, starts: In<u64>, ends: In<u64>, n: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
    fn texts_of_part(
        column_bytes: Option<In<u8>>, narrow_rows: Option<In<i32>>, wide_rows: Option<In<u64>>,
        starts: In<u64>, ends: In<u64>, n: usize, part: usize, from_end: bool,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
}

/// The cuts of rows.
#[derive(Clone, Copy)]
pub(in super::super) enum At<'a> {
    /// At a text, or at runs of white space where there is none.
    Separator(Option<&'a str>),
    /// Around the first or the last occurrence of a text: three parts.
    Around(&'a str),
    /// Between matches.
    Between(&'a Automata),
    /// None: the matches are the parts.
    Found(&'a Automata),
}

impl<'a> At<'a> {
    fn text(self) -> Option<&'a str> {
        match self {
            At::Separator(text) => text,
            At::Around(text) => Some(text),
            At::Between(_) | At::Found(_) => None,
        }
    }
}

/// The parts of the rows of a column; those of a row follow each other. Positions are bytes of the column.
pub(crate) struct Parts<'a> {
    column: &'a Column,
    /// How many parts each row has, and where they begin.
    counts: RowOffsets,
    rows: RowOffsets,
    starts: DeviceUVec<u64>,
    ends: DeviceUVec<u64>,
}

/// The arguments of a launch that notes parts: `PartOffsets` and `SpansOut` of `cuprum/spans.cuh`.
pub(crate) struct PartsOut<'a> {
    /// Counts, or offsets, of 32 bits.
    pub(crate) narrow: Option<&'a mut DeviceUVec<i32>>,
    /// The same, of 64 bits.
    pub(crate) wide: Option<&'a mut DeviceUVec<u64>>,
    /// Where the parts begin, in the second launch.
    pub(crate) starts: Option<&'a mut DeviceUVec<u64>>,
    /// Where they end.
    pub(crate) ends: Option<&'a mut DeviceUVec<u64>>,
}

/// The parts that a kernel notes in two launches: `most` of them, where that is known.
pub(crate) fn note_parts<'a>(
    column: &'a Column,
    most: Option<usize>,
    ctx: &Context,
    mut launch: impl FnMut(Grid, &TextsView<'_>, PartsOut<'_>) -> Result<()>,
) -> Result<Parts<'a>> {
    let (view, len, temporary) = (TextsView::new(column)?, column.len(), ctx.temporary()?);
    let mut counts = RowOffsets::of_sizes(len, most, &temporary)?;
    let grid = texts_grid(len);
    if len > 0 {
        let (narrow, wide) = counts.as_mut();
        launch(grid, &view, PartsOut { narrow, wide, starts: None, ends: None })?;
    }
    let (mut rows, total) = counts.summed(ctx)?;
    let (mut starts, mut ends) =
        (DeviceUVec::uninit(total, &temporary)?, DeviceUVec::uninit(total, &temporary)?);
    if total > 0 {
        let (narrow, wide) = rows.as_mut();
        launch(grid, &view, PartsOut { narrow, wide, starts: Some(&mut starts), ends: Some(&mut ends) })?;
    }
    Ok(Parts { column, counts, rows, starts, ends })
}

/// The parts of each row of a column, with at most `limit` cuts: the first ones, or the last ones with `is_reverse`.
/// `None` where automata do not decide all rows.
pub(in super::super) fn parts<'a>(
    column: &'a Column,
    at: At<'_>,
    limit: usize,
    is_reverse: bool,
    ctx: &Context,
) -> Result<Option<Parts<'a>>> {
    let (temporary, size) = (ctx.temporary()?, at.text().map_or(0, str::len));
    let text = at.text().map(|text| DeviceUVec::from_slice(text.as_bytes(), &temporary)).transpose()?;
    let kinds = match at {
        At::Separator(None) => Some(DeviceUVec::from_slice(&KINDS, &temporary)?),
        _ => None,
    };
    let mut tables = match at {
        At::Between(automata) | At::Found(automata) => Some(Tables::new(automata, ctx)?),
        _ => None,
    };
    let are_between = matches!(at, At::Between(_));
    // A part for each byte and one more at most, or three.
    let bytes = column.data().map_or(0, |data| data.len());
    let most = bytes.checked_add(column.len()).and_then(|most| most.checked_mul(3));
    let parts = note_parts(column, most, ctx, |grid, view, out| {
        let PartsOut { narrow, wide, starts, ends } = out;
        // SAFETY: the text has `size` bytes, the tables are those of the layout; counts, offsets and places are those of
        // the rows.
        unsafe {
            match (&mut tables, &text) {
                (Some(Tables { words, layout, undecided, .. }), _) => match_spans(
                    ctx,
                    grid,
                    view,
                    &*words,
                    *layout,
                    undecided,
                    are_between,
                    limit,
                    is_reverse,
                    narrow,
                    wide,
                    starts,
                    ends,
                ),
                (None, Some(text)) if matches!(at, At::Around(_)) => {
                    part_texts(ctx, grid, view, text, size, is_reverse, narrow, wide, starts, ends)
                }
                (None, text) => split_texts(
                    ctx,
                    grid,
                    view,
                    text.as_ref(),
                    size,
                    kinds.as_ref(),
                    limit,
                    is_reverse,
                    narrow,
                    wide,
                    starts,
                    ends,
                ),
            }
        }
    })?;
    tables.map_or_else(|| Ok(Some(())), |tables| tables.decided(())).map(|decided| decided.map(|()| parts))
}

impl Parts<'_> {
    /// The most parts of a row.
    pub(in super::super) fn most(&self, ctx: &Context) -> Result<usize> {
        self.counts.largest(&ctx.temporary()?)
    }

    /// The first row of more parts than these.
    pub(in super::super) fn first_with_more_than(&self, most: usize) -> Result<usize> {
        let place = match self.counts.as_ref() {
            (Some(counts), _) => counts.to_vec()?.iter().position(|&count| count as usize > most),
            (None, Some(counts)) => counts.to_vec()?.iter().position(|&count| count as usize > most),
            (None, None) => None,
        };
        Ok(place.unwrap_or(0))
    }

    /// The number of parts of all rows.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// What the parts are.
    pub(crate) fn view(&self) -> PartsView<'_> {
        PartsView {
            column: self.column,
            rows: &self.rows,
            starts: self.starts.span(),
            ends: self.ends.span(),
        }
    }

    /// The texts of all parts, as [`PartsView::all_texts`] makes them.
    pub(crate) fn all_texts(&self, times: usize, ctx: &Context) -> Result<Column> {
        self.view().all_texts(Nulls::Of(None), times, ctx)
    }

    /// The texts of the parts as lists, null where the row is.
    pub(in super::super) fn into_lists(self, ctx: &Context) -> Result<Column> {
        let (texts, mask) = (self.all_texts(1, ctx)?, self.column.copy_mask(ctx)?);
        self.lists_of(texts, mask, ctx)
    }

    /// Lists of something for each part.
    pub(crate) fn lists_of(
        self,
        elements: Column,
        mask: Option<(Buffer, usize)>,
        ctx: &Context,
    ) -> Result<Column> {
        lists_of(self.rows, elements, mask, ctx)
    }

    /// The texts of part `part` of each row, from the last one with `from_end`; null where there is none.
    pub(in super::super) fn texts(&self, part: usize, from_end: bool, ctx: &Context) -> Result<Column> {
        self.view().texts(part, from_end, ctx)
    }
}

/// Lists of the elements of each row, which has so many of them.
fn lists_of(
    rows: RowOffsets,
    elements: Column,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let offsets = rows.into_column(elements.len(), ctx)?;
    // SAFETY: the offsets are a running sum of how many parts each row has.
    unsafe { Column::lists_unchecked(offsets, elements, mask) }
}

/// The arguments of a launch that notes values: `PartOffsets` of `cuprum/spans.cuh`, and where the values go.
pub(crate) struct ValuesOut<'a, T: Number> {
    /// Counts, or offsets, of 32 bits.
    pub(crate) narrow: Option<&'a mut DeviceUVec<i32>>,
    /// The same, of 64 bits.
    pub(crate) wide: Option<&'a mut DeviceUVec<u64>>,
    /// The values, in the second launch.
    pub(crate) values: Option<&'a mut DeviceUVec<T>>,
}

/// The values that a kernel notes in two launches, as lists: `most` of them, where that is known.
pub(crate) fn note_values<T: Number>(
    column: &Column,
    data_type: DataType,
    most: Option<usize>,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
    mut launch: impl FnMut(Grid, &TextsView<'_>, ValuesOut<'_, T>) -> Result<()>,
) -> Result<Column> {
    let (view, len) = (TextsView::new(column)?, column.len());
    let mut counts = RowOffsets::of_sizes(len, most, &ctx.temporary()?)?;
    let grid = texts_grid(len);
    if len > 0 {
        let (narrow, wide) = counts.as_mut();
        launch(grid, &view, ValuesOut { narrow, wide, values: None })?;
    }
    let (mut rows, total) = counts.summed(ctx)?;
    let mut values = DeviceUVec::<T>::uninit(total, ctx)?;
    if total > 0 {
        let (narrow, wide) = rows.as_mut();
        launch(grid, &view, ValuesOut { narrow, wide, values: Some(&mut values) })?;
    }
    lists_of(rows, Column::from_buffer(data_type, total, buffer(values)?, None)?, mask, ctx)
}

/// Parts of rows that somebody else has. Those that are `NOT_FOUND` are not there.
pub(crate) struct PartsView<'a> {
    pub(super) column: &'a Column,
    pub(super) rows: &'a RowOffsets,
    pub(crate) starts: DeviceSpan<'a, u64>,
    pub(crate) ends: DeviceSpan<'a, u64>,
}

impl PartsView<'_> {
    /// The bytes that positions count.
    pub(crate) fn bytes(&self) -> Result<Option<DeviceSpan<'_, u8>>> {
        self.column.data().map(Buffer::span::<u8>).transpose()
    }

    /// The texts of all parts; of those that are not there null, or the empty one where no nulls are made. A byte of the
    /// column is in so many parts at most.
    pub(super) fn all_texts(&self, nulls: Nulls, times: usize, ctx: &Context) -> Result<Column> {
        let (n, bytes) = (self.starts.len(), self.bytes()?);
        let most = self.column.data().map_or(0, |data| data.len()).checked_mul(times);
        make_texts(n, most, nulls, ctx, |out| {
            // SAFETY: the parts are of the column's bytes; sizes, offsets, bytes and validity are those of the parts.
            unsafe {
                texts_of_parts(
                    ctx,
                    texts_grid(n),
                    bytes.as_ref(),
                    &self.starts,
                    &self.ends,
                    n,
                    out.narrow,
                    out.wide,
                    out.bytes,
                    out.validity,
                )
            }
        })
    }

    /// See [`Parts::texts`].
    pub(super) fn texts(&self, part: usize, from_end: bool, ctx: &Context) -> Result<Column> {
        let (n, bytes) = (self.column.len(), self.bytes()?);
        let most = self.column.data().map_or(0, |data| data.len());
        make_texts(n, Some(most), Nulls::Made, ctx, |out| {
            let (narrow_rows, wide_rows) = self.rows.as_ref();
            // SAFETY: the parts are of the column's bytes; sizes, offsets, bytes and validity are those of the rows.
            unsafe {
                texts_of_part(
                    ctx,
                    texts_grid(n),
                    bytes.as_ref(),
                    narrow_rows,
                    wide_rows,
                    &self.starts,
                    &self.ends,
                    n,
                    part,
                    from_end,
                    out.narrow,
                    out.wide,
                    out.bytes,
                    out.validity,
                )
            }
        })
    }
}
