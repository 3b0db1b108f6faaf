//! The texts of lists as one for each list: see [`records`](super::super::records).

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceViews, Result, TextsDeviceView, TextsView,
    UNKNOWN_NULL_COUNT, null_mask, strings,
};
use cuprum_elements::device_pieces::RowPieces;
use cuprum_elements::gather::cuda::buffer;
use cuprum_elements::string_map::cuda::{RowOffsets, make_pieces, texts_grid};
use cuprum_runtime::kernel::{In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels};

kernels! {
    pub static JOINED: "joined.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn rows_of_texts(
        lists: Structs<ColumnDeviceView>, separators: TextsDeviceView, has_between: bool, empty_is_text: bool,
        validity: Out<u32>, first: Out<u64>,
    );
    fn look_at_elements(
        lists: Structs<ColumnDeviceView>, elements: TextsDeviceView, starts: In<u64>, n: usize, total: usize,
        nulls_spread: bool, finds_first: bool, validity: Out<u32>, first: Out<u64>,
    );
    fn put_elements(
        lists: Structs<ColumnDeviceView>, elements: TextsDeviceView, separators: TextsDeviceView, literals: In<u8>,
        has_between: bool, between_size: usize, open_size: usize, close_size: usize, na_size: usize,
        separates_nulls: bool, starts: In<u64>, n: usize, total: usize, validity: In<u32>, first: In<u64>,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn offsets_of_rows(
        narrow: Option<In<i32>>, wide: Option<In<u64>>, starts: In<u64>, n: usize,
        narrow_rows: Option<Out<i32>>, wide_rows: Option<Out<u64>>,
    );
}

/// What stands between and around the texts of a list.
#[derive(Clone, Copy)]
pub(crate) struct Joining<'a> {
    /// A separator for each list, or one for all.
    pub(crate) separators: Option<&'a Column>,
    /// The separator where there is no such column, or a null in it; without one such lists become null.
    pub(crate) between: Option<&'a str>,
    pub(crate) open: &'a str,
    pub(crate) close: &'a str,
    /// What stands for nulls; without it lists that have one become null.
    pub(crate) na_rep: Option<&'a str>,
    /// Whether nulls have separators around them.
    pub(crate) separates_nulls: bool,
    /// Whether a list without elements has a text; else it becomes null.
    pub(crate) empty_is_text: bool,
}

impl<'a> Joining<'a> {
    /// One separator and nothing else.
    pub(crate) fn with(between: &'a str) -> Self {
        Self {
            separators: None,
            between: Some(between),
            open: "",
            close: "",
            na_rep: None,
            separates_nulls: true,
            empty_is_text: true,
        }
    }
}

/// The texts of every list as one; null where the list is. `own` are the texts, for the elements of all lists, also of
/// rows outside the column.
pub(crate) fn join(lists: &Column, own: &Column, joining: &Joining<'_>, ctx: &Context) -> Result<Column> {
    let (len, temporary) = (lists.len(), ctx.temporary()?);
    if len == 0 {
        return Ok(Column::empty(DataType::String));
    }
    // A separator that is null is the one of all.
    let nothing = match joining.separators {
        Some(_) => None,
        None => Some(Column::nulls(DataType::String, 1, &temporary)?),
    };
    let separators =
        joining.separators.or(nothing.as_ref()).map_or_else(|| Ok(TextsView::empty()), TextsView::new)?;
    let (views, elements) =
        (DeviceViews::new(std::slice::from_ref(lists), &temporary)?, TextsView::new(own)?);
    let (between, missing) = (joining.between.unwrap_or(""), joining.na_rep.unwrap_or(""));
    let literals = [between, joining.open, joining.close, missing];
    let [between_size, open_size, close_size, na_size] = literals.map(str::len);
    let literals = DeviceUVec::from_slice(literals.concat().as_bytes(), &temporary)?;
    let has_between = joining.between.is_some();
    let mut validity = DeviceUVec::<u32>::zeroed(null_mask::bitmask_allocation_size_bytes(len) / 4, ctx)?;
    let mut first = DeviceUVec::<u64>::uninit(len, &temporary)?;
    let pieces = RowPieces::of_lists(lists, 1, &temporary)?;
    let (starts, total) = (pieces.starts(), pieces.total());
    let (nulls_spread, finds_first) = (joining.na_rep.is_none(), !joining.separates_nulls);
    // SAFETY: there is a bit and a place for each row, a row of `separators` for each or one for all.
    unsafe {
        rows_of_texts(
            ctx,
            texts_grid(len),
            &views,
            &separators,
            has_between,
            joining.empty_is_text,
            &mut validity,
            &mut first,
        )?;
    }
    if finds_first || (nulls_spread && own.mask().is_some()) {
        let grid = texts_grid(total);
        // SAFETY: the same; there is one start more than rows.
        unsafe {
            look_at_elements(
                ctx,
                grid,
                &views,
                &elements,
                starts,
                len,
                total,
                nulls_spread,
                finds_first,
                &mut validity,
                &mut first,
            )?;
        }
    }
    // Of all separators where there are several.
    let longest = joining.separators.and_then(Column::data).map_or(0, |data| data.len()).max(between_size);
    let around = [longest, open_size, close_size, na_size].into_iter().try_fold(0usize, usize::checked_add);
    let bytes = own.data().map_or(0, |data| data.len());
    let most = around.and_then(|around| around.checked_mul(total)?.checked_add(bytes));
    let made = make_pieces(total, most, None, ctx, |out| {
        // SAFETY: the literals have as many bytes; sizes, offsets and bytes are those of the pieces.
        unsafe {
            put_elements(
                ctx,
                texts_grid(total),
                &views,
                &elements,
                &separators,
                &literals,
                has_between,
                between_size,
                open_size,
                close_size,
                na_size,
                joining.separates_nulls,
                starts,
                len,
                total,
                &validity,
                &first,
                out.narrow,
                out.wide,
                out.bytes,
            )
        }
    })?;
    let size = made.bytes.len();
    let (narrow, wide) = made.offsets.as_ref();
    let mut rows = match &made.offsets {
        RowOffsets::Narrow(_) => RowOffsets::Narrow(DeviceUVec::uninit(len + 1, ctx)?),
        RowOffsets::Wide(_) => RowOffsets::Wide(DeviceUVec::uninit(len + 1, ctx)?),
    };
    let (narrow_rows, wide_rows) = rows.as_mut();
    // SAFETY: the pieces of rows begin within those there are; there is one place more than rows.
    unsafe { offsets_of_rows(ctx, texts_grid(len + 1), narrow, wide, starts, len, narrow_rows, wide_rows)? };
    let mask = Some((buffer(validity)?, UNKNOWN_NULL_COUNT));
    // SAFETY: rows begin where their first pieces do, and pieces are of whole characters.
    unsafe { strings::from_parts(len, rows.into_column(size, ctx)?, buffer(made.bytes)?, mask) }
}
