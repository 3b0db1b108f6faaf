//! Lists on a GPU: for each element of the result the row of the elements that it is, and one gather of these.

use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Result, Table,
    dispatch_storage, null_mask,
};
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::primitives::{self, Reduction, ScanKind, Transform};
use cuprum_runtime::{DeviceUVec, kernels};

use super::options::{NanEquality, NullEquality};
pub(super) use cuprum_elements::device_pieces::RowPieces;
use cuprum_elements::device_pieces::{lengths_of, values_at_places};
use cuprum_elements::gather::cuda::{GatherMap, Numbers, buffer, numbers_below};
use cuprum_elements::gather::gather_one;
use cuprum_keys::equality::cuda::{MissingKeys, first_row_bits, number_both};
use cuprum_keys::flatten::leaves_with_nan;

kernels! {
    pub static LISTS: "lists.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Pieces that a thread goes over, as [`RowPieces::grid`] expects.
        ITEMS = 8;

    fn elements_at<Element in [u32, u64]>(
        lists: Structs<ColumnDeviceView>, n: usize, indices: ColumnDeviceView, has_indices: bool, index: i64,
        elements: Out<Element>,
    );
    fn elements_at_pieces<Element in [u32, u64]>(
        lists: Structs<ColumnDeviceView>, positions: ColumnDeviceView, starts: In<u64>, n: usize, total: usize,
        elements: Out<Element>, first_outside: Out<u64>,
    );
    fn first_unequal_count(a: In<u64>, b: In<u64>, n: usize, first: Out<u64>);
    fn mark_by_validity(elements: ColumnDeviceView, valid: bool, marks: Out<u64>);
    fn mark_true(booleans: ColumnDeviceView, wanted: bool, marks: Out<u64>);
    fn mark_keys(
        numbers: In<u32>, keys: In<u32>, is_one: bool, starts: In<u64>, n: usize, total: usize, marks: Out<u64>,
    );
    fn mark_members(
        elements: ColumnDeviceView, words: Option<In<u32>>, numbers: Option<In<u32>>, found: bool, nulls: bool,
        nans: bool, marks: Out<u64>,
    );
    fn marked_elements<Element in [u32, u64]>(ranks: In<u64>, n: usize, elements: Out<Element>);
    fn has_marked(ranks: In<u64>, starts: In<u64>, n: usize, out: Out<u8>);
    fn position_of_marked(ranks: In<u64>, starts: In<u64>, n: usize, last: bool, out: Out<i32>);
    fn has_all_marked(ranks: In<u64>, starts: In<u64>, n: usize, all: bool, out: Out<u8>);
    fn stepping<T in NUMBERS>(
        first: ColumnDeviceView, steps: ColumnDeviceView, has_steps: bool, starts: In<u64>, n: usize, total: usize,
        out: Out<T>,
    );
}

/// The elements of all lists that are not null, one list's after the other's.
pub(super) struct Dense {
    /// The elements of each row.
    pub(super) pieces: RowPieces,
    pub(super) elements: Column,
}

impl Dense {
    pub(super) fn new(lists: &Column, ctx: &Context) -> Result<Self> {
        let pieces = RowPieces::of_lists(lists, 0, ctx)?;
        let own = lists.elements()?;
        // As many elements as lie between the first and the last list: none is left out.
        let elements = if own.len() == pieces.total() {
            own
        } else {
            gather_one(&lists.children()[1], &pieces.elements(lists, false, ctx)?, ctx)?
        };
        Ok(Self { pieces, elements })
    }

    /// Lists of so many elements, with the nulls of `like`.
    pub(super) fn into_lists(self, like: &Column, ctx: &Context) -> Result<Column> {
        self.into_masked_lists(like.copy_mask(ctx)?, ctx)
    }

    fn into_masked_lists(self, mask: Option<(Buffer, usize)>, ctx: &Context) -> Result<Column> {
        let children = vec![self.pieces.into_offsets(ctx)?, self.elements];
        let rows = children[0].len() - 1;
        // SAFETY: offsets are the running sum of the rows' elements, which are all there are.
        unsafe { Column::from_parts_unchecked(DataType::List, rows, 0, None, mask, children) }
    }

    /// The keys that two elements share when they are the same element of the same row. NaN is no null.
    pub(super) fn keys(&self, ctx: &Context) -> Result<Table> {
        let mut keys = vec![self.pieces.row_column(ctx)?];
        keys.extend(leaves_with_nan(&self.elements, ctx)?);
        Table::new(keys)
    }

    fn marks(
        &self,
        ctx: &Context,
        launch: impl FnOnce(Grid, &mut DeviceUVec<u64>) -> Result<()>,
    ) -> Result<Marks> {
        Marks::new(self.elements.len(), ctx, launch)
    }

    /// Only the marked elements.
    fn kept(self, marks: &Marks, ctx: &Context) -> Result<Self> {
        let starts = values_at_places(&marks.ranks, self.pieces.starts(), ctx)?;
        let pieces = RowPieces::of_starts(starts)?;
        let elements = gather_one(&self.elements, &marks.elements(pieces.total(), ctx)?, ctx)?;
        Ok(Self { pieces, elements })
    }
}

/// Some of the elements of lists.
struct Marks {
    /// The number of marked ones before each and, at last, of all.
    ranks: DeviceUVec<u64>,
}

impl Marks {
    /// Marks of `len` elements, 0 or 1, that `launch` writes; there is one place more, whose mark is 0 already.
    fn new(
        len: usize,
        ctx: &Context,
        launch: impl FnOnce(Grid, &mut DeviceUVec<u64>) -> Result<()>,
    ) -> Result<Self> {
        let temporary = &ctx.temporary()?;
        let mut marks = DeviceUVec::<u64>::zeroed(len + 1, temporary)?;
        launch(Grid::striding(len + 1, THREADS), &mut marks)?;
        Ok(Self { ranks: primitives::scan(&marks.span(), Reduction::Sum, ScanKind::Exclusive, temporary)? })
    }

    /// The numbers of the `count` marked elements.
    fn elements(&self, count: usize, ctx: &Context) -> Result<GatherMap> {
        let len = self.ranks.len() - 1;
        Ok(GatherMap::from(numbers_below!(len, Element => {
            let mut elements = DeviceUVec::<Element>::uninit(count, &ctx.temporary()?)?;
            // SAFETY: there is a place for each marked element, and one rank more than elements.
            unsafe { marked_elements::<Element>(ctx, Grid::striding(len, THREADS), &self.ranks, len, &mut elements)? };
            elements
        })))
    }

    /// Whether each row has a marked piece: `Bool8`.
    fn any(&self, pieces: &RowPieces, mask: Option<(Buffer, usize)>, ctx: &Context) -> Result<Column> {
        let (rows, mut out) = (pieces.rows(), DeviceUVec::<u8>::uninit(pieces.rows(), ctx)?);
        // SAFETY: there is one start more than rows, one rank more than pieces, and a byte for each row.
        unsafe {
            has_marked(ctx, Grid::striding(rows, THREADS), &self.ranks, pieces.starts(), rows, &mut out)?
        };
        Column::from_buffer(DataType::Bool8, rows, buffer(out)?, mask)
    }

    /// Whether `all` pieces of each row are marked; otherwise whether one is, or there are none.
    fn all_or_any(&self, pieces: &RowPieces, all: bool, ctx: &Context) -> Result<Column> {
        let (rows, mut out) = (pieces.rows(), DeviceUVec::<u8>::uninit(pieces.rows(), ctx)?);
        let grid = Grid::striding(rows, THREADS);
        // SAFETY: as in `any`.
        unsafe { has_all_marked(ctx, grid, &self.ranks, pieces.starts(), rows, all, &mut out)? };
        Column::from_buffer(DataType::Bool8, rows, buffer(out)?, None)
    }
}

/// The number of elements of each list, those of null ones 0; `None` where `Int32` does not hold one of them.
pub(super) fn count_elements(lists: &Column, ctx: &Context) -> Result<Option<Column>> {
    let lengths = lengths_of(lists, 0, ctx)?;
    if i32::try_from(lists.children()[1].len()).is_err() {
        let most = primitives::reduce(&lengths.span(), Reduction::Max, &ctx.temporary()?)?.value()?;
        if i32::try_from(most).is_err() {
            return Ok(None);
        }
    }
    let counts = primitives::convert::<u64, i32>(&lengths.span().slice(0..lists.len())?, ctx)?;
    Column::from_buffer(DataType::Int32, lists.len(), buffer(counts)?, lists.copy_mask(ctx)?).map(Some)
}

/// Element `index` of each list, or that at the list's own of `indices`.
pub(super) fn extracted(
    lists: &Column,
    index: i64,
    indices: Option<&Column>,
    ctx: &Context,
) -> Result<Column> {
    let (rows, temporary) = (lists.len(), &ctx.temporary()?);
    let views = DeviceViews::new(std::slice::from_ref(lists), temporary)?;
    let positions = indices.map_or_else(|| Ok(DeviceView::empty()), DeviceView::new)?;
    let has_indices = indices.is_some();
    let elements = &lists.children()[1];
    let numbers = numbers_below!(elements.len(), Element => {
        let (mut out, grid) = (DeviceUVec::<Element>::uninit(rows, temporary)?, Grid::striding(rows, THREADS));
        // SAFETY: there is a place for each list, and an index where there are any.
        unsafe { elements_at::<Element>(ctx, grid, &views, rows, &positions, has_indices, index, &mut out)? };
        out
    });
    gather_one(elements, &GatherMap::or_null(numbers), ctx)
}

/// The elements of each list at the positions of `map`, which is null where the list is; and the first position, among
/// the elements of `map`, that its list does not have.
pub(super) fn segmented_gather(
    lists: &Column,
    map: &Column,
    ctx: &Context,
) -> Result<(Column, Option<usize>)> {
    let Dense { pieces, elements: positions } = Dense::new(map, ctx)?;
    let (rows, total, temporary) = (pieces.rows(), pieces.total(), &ctx.temporary()?);
    let views = DeviceViews::new(std::slice::from_ref(lists), temporary)?;
    let view = DeviceView::new(&positions)?;
    let mut outside = DeviceUVec::from_slice(&[u64::MAX], temporary)?;
    let elements = &lists.children()[1];
    let numbers = numbers_below!(elements.len(), Element => {
        let mut out = DeviceUVec::<Element>::uninit(total, temporary)?;
        let starts = pieces.starts();
        // SAFETY: there is one start more than lists, and a position and a place for each piece.
        unsafe {
            elements_at_pieces::<Element>(
                ctx, pieces.grid(), &views, &view, starts, rows, total, &mut out, &mut outside,
            )?;
        }
        out
    });
    let elements = gather_one(elements, &GatherMap::or_null(numbers), ctx)?;
    let outside = usize::try_from(outside.element(0)?).ok().filter(|&piece| piece < total);
    Ok((Dense { pieces, elements }.into_lists(map, ctx)?, outside))
}

/// The elements of each list from the last to the first.
pub(super) fn reverse(lists: &Column, ctx: &Context) -> Result<Column> {
    let pieces = RowPieces::of_lists(lists, 0, ctx)?;
    let elements = gather_one(&lists.children()[1], &pieces.elements(lists, true, ctx)?, ctx)?;
    Dense { pieces, elements }.into_lists(lists, ctx)
}

/// A row for each element of lists, or for a list without any if `outer`.
pub(super) struct Exploded {
    pieces: RowPieces,
    /// The elements, null for lists without any.
    pub(super) elements: Column,
}

impl Exploded {
    pub(super) fn new(lists: &Column, outer: bool, ctx: &Context) -> Result<Self> {
        let pieces = RowPieces::of_lists(lists, usize::from(outer), ctx)?;
        let numbers = pieces.elements(lists, false, ctx)?;
        let elements = gather_one(&lists.children()[1], &numbers, ctx)?;
        Ok(Self { pieces, elements })
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.pieces.total()
    }

    /// The number of the list of each row.
    pub(super) fn row_column(&self, ctx: &Context) -> Result<Column> {
        self.pieces.row_column(ctx)
    }

    /// [`row_column`](Self::row_column) for a gather.
    pub(super) fn rows(&self, ctx: &Context) -> Result<GatherMap> {
        self.pieces.row_numbers(ctx)
    }

    /// The positions of the elements in their lists, which are these; null for lists without any.
    pub(super) fn positions(&self, lists: &Column, outer: bool, ctx: &Context) -> Result<Column> {
        let positions = self.pieces.positions(ctx)?;
        if !outer {
            return Ok(positions);
        }
        let temporary = &ctx.temporary()?;
        let lengths = lengths_of(lists, 0, temporary)?;
        let has_any = Transform { expression: "x != 0", function: |len: u64| u8::from(len != 0) };
        let has_any = primitives::transform(&lengths.span().slice(0..lists.len())?, &has_any, temporary)?;
        let has_any = Column::from_buffer(DataType::Bool8, lists.len(), buffer(has_any)?, None)?;
        let present = gather_one(&has_any, &self.rows(temporary)?, temporary)?;
        positions.with_mask(Some(null_mask::bools_to_mask(&present, ctx)?), ctx)
    }
}

/// The elements whose boolean is true, or not true. Both columns are null where one is. `Err` has the first list that
/// has not as many elements as booleans.
pub(super) fn masked(
    lists: &Column,
    mask: &Column,
    kept: bool,
    ctx: &Context,
) -> Result<Result<Column, usize>> {
    let (dense, booleans) = (Dense::new(lists, ctx)?, Dense::new(mask, ctx)?);
    let (rows, mut first) = (lists.len(), DeviceUVec::from_slice(&[u64::MAX], &ctx.temporary()?)?);
    let (own, others) = (dense.pieces.starts(), booleans.pieces.starts());
    // SAFETY: both have one start more than rows.
    unsafe { first_unequal_count(ctx, Grid::striding(rows, THREADS), own, others, rows, &mut first)? };
    if let Some(row) = usize::try_from(first.element(0)?).ok().filter(|&row| row < rows) {
        return Ok(Err(row));
    }
    let view = DeviceView::new(&booleans.elements)?;
    // SAFETY: there is a mark for each boolean.
    let marks = booleans.marks(ctx, |grid, marks| unsafe { mark_true(ctx, grid, &view, kept, marks) })?;
    dense.kept(&marks, ctx)?.into_lists(lists, ctx).map(Ok)
}

/// Whether each list has a null element: `Bool8`.
pub(super) fn contains_nulls(lists: &Column, ctx: &Context) -> Result<Column> {
    let dense = Dense::new(lists, ctx)?;
    let view = DeviceView::new(&dense.elements)?;
    // SAFETY: there is a mark for each element.
    let marks =
        dense.marks(ctx, |grid, marks| unsafe { mark_by_validity(ctx, grid, &view, false, marks) })?;
    marks.any(&dense.pieces, lists.copy_mask(ctx)?, ctx)
}

/// The elements that equal the key of their list, or the only key.
pub(super) struct Found {
    pieces: RowPieces,
    marks: Marks,
}

impl Found {
    /// Keys are of the type of the elements, which have neither lists nor dictionaries.
    pub(super) fn new(lists: &Column, keys: &Column, ctx: &Context) -> Result<Self> {
        let (dense, temporary) = (Dense::new(lists, ctx)?, &ctx.temporary()?);
        let table = |column: &Column| Table::with_rows(leaves_with_nan(column, temporary)?, column.len());
        let (ids, numbers) =
            number_both(&table(keys)?, &table(&dense.elements)?, MissingKeys::Equal, temporary)?;
        let is_one = keys.len() == 1;
        let (pieces, rows, total) = (&dense.pieces, dense.pieces.rows(), dense.pieces.total());
        // SAFETY: there is a number and a mark for each element, and a key for each row or one.
        let marks = dense.marks(ctx, |_, marks| unsafe {
            mark_keys(ctx, pieces.grid(), &numbers, &ids.ids, is_one, pieces.starts(), rows, total, marks)
        })?;
        Ok(Self { marks, pieces: dense.pieces })
    }

    /// Whether there is one in each list: `Bool8`.
    pub(super) fn any(&self, mask: Option<(Buffer, usize)>, ctx: &Context) -> Result<Column> {
        self.marks.any(&self.pieces, mask, ctx)
    }

    /// The position of the first or last one in its list, -1 where there is none: `Int32`, which holds all of them.
    pub(super) fn positions(
        &self,
        last: bool,
        mask: Option<(Buffer, usize)>,
        ctx: &Context,
    ) -> Result<Column> {
        let (rows, grid) = (self.pieces.rows(), Grid::striding(self.pieces.rows(), THREADS));
        let mut out = DeviceUVec::<i32>::uninit(rows, ctx)?;
        let (ranks, starts) = (&self.marks.ranks, self.pieces.starts());
        // SAFETY: there is one start more than rows, one rank more than elements, and a place for each row.
        unsafe { position_of_marked(ctx, grid, ranks, starts, rows, last, &mut out)? };
        Column::from_buffer(DataType::Int32, rows, buffer(out)?, mask)
    }
}

/// The first of equal elements of each list, see [`distinct`](super::distinct).
pub(super) fn distinct(
    lists: &Column,
    equality: (NullEquality, NanEquality),
    ctx: &Context,
) -> Result<Column> {
    let dense = Dense::new(lists, ctx)?;
    let words = first_row_bits(&dense.keys(ctx)?, ctx)?;
    let marks = members(&dense, Some(&words), None, equality, ctx)?;
    dense.kept(&marks, ctx)?.into_lists(lists, ctx)
}

/// The elements of lists, and which of them the other list of their row has.
pub(super) struct Members {
    dense: Dense,
    /// The largest number for elements that it does not have.
    numbers: DeviceUVec<u32>,
    equality: (NullEquality, NanEquality),
}

impl Members {
    /// Both columns have lists of one type and the same nulls.
    pub(super) fn new(
        lhs: &Column,
        rhs: &Column,
        equality: (NullEquality, NanEquality),
        ctx: &Context,
    ) -> Result<Self> {
        let (temporary, dense) = (&ctx.temporary()?, Dense::new(lhs, ctx)?);
        let other = Dense::new(rhs, temporary)?.keys(temporary)?;
        let (_, numbers) = number_both(&other, &dense.keys(temporary)?, MissingKeys::Equal, temporary)?;
        Ok(Self { dense, numbers, equality })
    }

    /// The distinct elements that the other list has, or has not.
    pub(super) fn distinct(self, found: bool, like: &Column, ctx: &Context) -> Result<Column> {
        let words = first_row_bits(&self.dense.keys(ctx)?, ctx)?;
        let marks = members(&self.dense, Some(&words), Some((&self.numbers, found)), self.equality, ctx)?;
        self.dense.kept(&marks, ctx)?.into_lists(like, ctx)
    }

    /// Whether there is an element that the other list has: `Bool8`.
    pub(super) fn have_overlap(&self, like: &Column, ctx: &Context) -> Result<Column> {
        let marks = members(&self.dense, None, Some((&self.numbers, true)), self.equality, ctx)?;
        marks.any(&self.dense.pieces, like.copy_mask(ctx)?, ctx)
    }
}

/// The elements with a bit in `words`, and of those the ones that are found by their number, or are not.
fn members(
    dense: &Dense,
    words: Option<&DeviceUVec<u32>>,
    numbers: Option<(&DeviceUVec<u32>, bool)>,
    (nulls, nans): (NullEquality, NanEquality),
    ctx: &Context,
) -> Result<Marks> {
    let (view, found) = (DeviceView::new(&dense.elements)?, numbers.is_none_or(|(_, found)| found));
    let (nulls, nans) = (nulls == NullEquality::Unequal, nans == NanEquality::Unequal);
    let numbers = numbers.map(|(numbers, _)| numbers);
    // SAFETY: there is a mark for each element, a bit and a number where there are any.
    dense.marks(ctx, |grid, marks| unsafe {
        mark_members(ctx, grid, &view, words, numbers, found, nulls, nans, marks)
    })
}

/// The lists of each row of a table side by side, as one list; see [`joined`].
pub(super) fn concatenate_rows(
    all: &Column,
    rows: usize,
    columns: usize,
    nullify: bool,
    ctx: &Context,
) -> Result<Column> {
    let inner = gather_one(all, &GatherMap::interleaved(rows, columns, ctx)?, ctx)?;
    joined(&inner, &RowPieces::uniform(rows, columns, ctx)?, None, nullify, ctx)
}

/// The lists in each list as one list; see [`joined`].
pub(super) fn concatenate_list_elements(lists: &Column, nullify: bool, ctx: &Context) -> Result<Column> {
    let outer = Dense::new(lists, ctx)?;
    joined(&outer.elements, &outer.pieces, Some(lists), nullify, ctx)
}

/// The lists that are the pieces of each row as one list. Null where `like` is, and where a piece is null or, unless
/// `nullify`, where all are.
fn joined(
    inner: &Column,
    outer: &RowPieces,
    like: Option<&Column>,
    nullify: bool,
    ctx: &Context,
) -> Result<Column> {
    let (dense, view) = (Dense::new(inner, ctx)?, DeviceView::new(inner)?);
    // SAFETY: there is a mark for each list.
    let valid = Marks::new(inner.len(), ctx, |grid, marks| unsafe {
        mark_by_validity(ctx, grid, &view, true, marks)
    })?;
    let valid = valid.all_or_any(outer, nullify, ctx)?;
    let like = like.map(|like| null_mask::bitmask_and(&[like], ctx)).transpose()?.flatten();
    let mask = null_mask::bools_to_mask(&valid.with_mask(like, ctx)?, ctx)?;
    let pieces = RowPieces::of_starts(values_at_places(dense.pieces.starts(), outer.starts(), ctx)?)?;
    let mask = Some(mask).filter(|(_, nulls)| *nulls > 0);
    let whole = Dense { pieces, elements: dense.elements }.into_masked_lists(mask, ctx)?;
    // A null row may have elements of the others of its lists.
    if nullify && whole.has_nulls() {
        return Dense::new(&whole, ctx)?.into_lists(&whole, ctx);
    }
    Ok(whole)
}

/// `start, start + step, …`, as many as `pieces` says, for each row.
pub(super) fn sequences(
    pieces: RowPieces,
    starts: &Column,
    steps: Option<&Column>,
    ctx: &Context,
) -> Result<Column> {
    let (rows, total, data_type) = (pieces.rows(), pieces.total(), starts.data_type());
    let first = DeviceView::new(starts)?;
    let (step, has_steps) =
        (steps.map_or_else(|| Ok(DeviceView::empty()), DeviceView::new)?, steps.is_some());
    let elements = dispatch_storage!(data_type, T => {
        let mut out = DeviceUVec::<T>::uninit(total, ctx)?;
        let (grid, of_rows) = (pieces.grid(), pieces.starts());
        // SAFETY: there is a first element for each row, and a step if there are any; there is a place for each piece.
        unsafe { stepping::<T>(ctx, grid, &first, &step, has_steps, of_rows, rows, total, &mut out)? };
        buffer(out)
    }, else => Err(cuprum_column::Error::data_type("`starts` must hold numbers")))?;
    let elements = Column::from_buffer(data_type, total, elements, None)?;
    Dense { pieces, elements }.into_masked_lists(None, ctx)
}
