//! Regular expressions in rows: see [`find`](super::super::find) and [`replace`](super::super::replace).
//!
//! Functions give `None` where the automata of a pattern do not decide all rows.

use cuprum_column::{Column, Context, DataType, Result, TextsDeviceView, TextsView};
use cuprum_elements::string_map::cuda::{Nulls, make_from_texts, map_texts};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::Number;
use cuprum_runtime::{DeviceUVec, kernel_struct, kernels};

use super::super::automaton::Automata;

kernels! {
    pub static PATTERN: "pattern.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn match_texts(
        column: TextsDeviceView, words: In<u16>, layout: AutomataLayout, undecided: Out<u32>, out: Out<u8>,
    );
    fn find_match(
        column: TextsDeviceView, words: In<u16>, layout: AutomataLayout, undecided: Out<u32>, out: Out<i32>,
    );
    fn count_matches(
        column: TextsDeviceView, words: In<u16>, layout: AutomataLayout, undecided: Out<u32>, out: Out<i32>,
    );
    fn replace_matches(
        column: TextsDeviceView, words: In<u16>, layout: AutomataLayout, undecided: Out<u32>,
        replacement: In<u8>, size: usize, limit: usize,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

kernel_struct! {
    /// See `cuprum/automata.cuh`.
    pub(super) struct AutomataLayout {
        forward_at: u32,
        forward_stride: u32,
        forward_special: u32,
        reverse_at: u32,
        reverse_stride: u32,
        reverse_special: u32,
    }
}

/// The tables of a pattern on a device, and whether a row was met that they do not decide.
pub(super) struct Tables {
    pub(super) words: DeviceUVec<u16>,
    pub(super) layout: AutomataLayout,
    pub(super) undecided: DeviceUVec<u32>,
    may_not_decide: bool,
}

impl Tables {
    pub(super) fn new(automata: &Automata, ctx: &Context) -> Result<Self> {
        let temporary = ctx.temporary()?;
        let (forward, reverse) = (automata.forward, automata.reverse);
        Ok(Self {
            words: DeviceUVec::from_slice(&automata.words, &temporary)?,
            layout: AutomataLayout {
                forward_at: forward.at as u32,
                forward_stride: forward.stride as u32,
                forward_special: forward.num_special as u32,
                reverse_at: reverse.at as u32,
                reverse_stride: reverse.stride as u32,
                reverse_special: reverse.num_special as u32,
            },
            undecided: DeviceUVec::zeroed(1, &temporary)?,
            may_not_decide: automata.may_not_decide,
        })
    }

    /// The result, if all rows were decided.
    pub(super) fn decided<R>(&self, result: R) -> Result<Option<R>> {
        let is_open = self.may_not_decide && self.undecided.element(0)? != 0;
        Ok((!is_open).then_some(result))
    }
}

/// A value of each row that a kernel finds with the tables of a pattern.
fn mapped<T: Number>(
    column: &Column,
    automata: &Automata,
    data_type: DataType,
    ctx: &Context,
    launch: impl FnOnce(Grid, &TextsView<'_>, &mut Tables, &mut DeviceUVec<T>) -> Result<()>,
) -> Result<Option<Column>> {
    let mut tables = Tables::new(automata, ctx)?;
    let values = map_texts(column, data_type, ctx, |grid, texts, out| launch(grid, texts, &mut tables, out))?;
    tables.decided(values)
}

/// Whether each row has a match; `Bool8`.
pub(in super::super) fn is_match(
    column: &Column,
    automata: &Automata,
    ctx: &Context,
) -> Result<Option<Column>> {
    mapped(column, automata, DataType::Bool8, ctx, |grid, texts, tables, out| {
        // SAFETY: the tables are those of the layout, and there is a place for each row.
        unsafe { match_texts(ctx, grid, texts, &tables.words, tables.layout, &mut tables.undecided, out) }
    })
}

/// See [`find_regex`](super::super::find::find_regex).
pub(in super::super) fn find(column: &Column, automata: &Automata, ctx: &Context) -> Result<Option<Column>> {
    mapped(column, automata, DataType::Int32, ctx, |grid, texts, tables, out| {
        // SAFETY: as in `is_match`.
        unsafe { find_match(ctx, grid, texts, &tables.words, tables.layout, &mut tables.undecided, out) }
    })
}

/// See [`count`](super::super::find::count).
pub(in super::super) fn count(column: &Column, automata: &Automata, ctx: &Context) -> Result<Option<Column>> {
    mapped(column, automata, DataType::Int32, ctx, |grid, texts, tables, out| {
        // SAFETY: as in `is_match`.
        unsafe { count_matches(ctx, grid, texts, &tables.words, tables.layout, &mut tables.undecided, out) }
    })
}

/// Rows with `replacement` in the place of their first `limit` matches.
pub(in super::super) fn replace(
    column: &Column,
    automata: &Automata,
    replacement: &str,
    limit: usize,
    ctx: &Context,
) -> Result<Option<Column>> {
    let mut tables = Tables::new(automata, ctx)?;
    let Tables { words, layout, undecided, .. } = &mut tables;
    let size = replacement.len();
    let text = DeviceUVec::from_slice(replacement.as_bytes(), &ctx.temporary()?)?;
    // An empty match before each byte and at the end is the most there can be.
    let most = |bytes: usize| bytes.checked_add(bytes.checked_add(column.len())?.checked_mul(size)?);
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    let replaced = make_from_texts(column, most, nulls, ctx, |grid, texts, out| {
        // SAFETY: the tables are those of the layout, the replacement has `size` bytes; sizes, offsets and bytes are
        // those of the rows.
        unsafe {
            replace_matches(
                ctx,
                grid,
                texts,
                &*words,
                *layout,
                &mut *undecided,
                &text,
                size,
                limit,
                out.narrow,
                out.wide,
                out.bytes,
            )
        }
    })?;
    tables.decided(replaced)
}
