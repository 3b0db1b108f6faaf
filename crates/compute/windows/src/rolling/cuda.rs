//! Windows on a GPU: nodes of 16 rows, of 16 nodes and so on, of which every window needs a few.
//!
//! Sums of floats are kept as on the CPU, with twice the digits and rounded once; spreads are merged in
//! another order, so their last bits may differ.

use cuprum_column::types::Storage;
use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceView, Error, Result, UNKNOWN_NULL_COUNT,
    null_mask,
};
use cuprum_runtime::kernel::{Array, Grid, In, KernelName, Out};
use cuprum_runtime::primitives::{self, Reduction, ScanKind};
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernel_names, kernels};

use super::spans::{check_one_size, one_size, sizes};
use super::{PairFunction, WindowFunction, cpu};
use cuprum_aggregate::nan_values::as_keys;
use cuprum_elements::elements::Operand;
use cuprum_elements::fused::by_cpu;
use cuprum_elements::gather::cuda::{GatherMap, buffer, offsets_of};
use cuprum_elements::gather::gather_one;
use cuprum_elements::selection::cuda::{Selection, no_rows};
use cuprum_elementwise::unary::cast;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::order::cuda::numbers_column;
use cuprum_keys::sorting::{RankMethod, RankOptions, rank};

kernels! {
    pub static WINDOWS: "windows.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows of a node, and nodes of a node of the next level; it divides a warp.
        FAN = 16;

    fn fold_rows<Rows in [
        WrappingI32, WrappingI64, PreciseI32, PreciseI64, PreciseU64, PreciseF32, PreciseF64, ExactI32, ExactI64,
        ExactDecimal, SpreadI32, SpreadI64, SpreadU64, SpreadF32, SpreadF64, ExtremeI32, ExtremeI64, ExtremeU64,
        ExtremeF32, ExtremeF64, ShapeF64, PairF64
    ]>(column: ColumnDeviceView, words: Option<In<u32>>, flip: u64, nodes: Out<u64>);
    fn fold_nodes<F in [WrappingSum, PreciseSum, ExactSum, Spread, Extreme, Shape, CoSpread]>(
        nodes: Out<u64>, at: usize, count: usize,
    );
    fn fold_windows<Rows in [
        WrappingI32, WrappingI64, PreciseI32, PreciseI64, PreciseU64, PreciseF32, PreciseF64, ExactI32, ExactI64,
        ExactDecimal, SpreadI32, SpreadI64, SpreadU64, SpreadF32, SpreadF64, ExtremeI32, ExtremeI64, ExtremeU64,
        ExtremeF32, ExtremeF64, ShapeF64, PairF64
    ]>(
        column: ColumnDeviceView, words: Option<In<u32>>, ranks: Option<In<u32>>,
        narrow_sizes: Array<Option<In<i32>>, 2>, wide_sizes: Array<Option<In<i64>>, 2>, sizes: [i64; 2],
        flip: u64, nodes: Option<In<u64>>, least: u64, how: u32, ddof: i64, in_halves: bool,
        wide: Option<Out<u64>>, narrow: Option<Out<u32>>, mask: Out<u32>, failed: Out<u32>,
    );
    fn side_by_side(left: ColumnDeviceView, right: ColumnDeviceView, pairs: Out<f64>);
    fn mark_valid(column: ColumnDeviceView, words: Out<u32>);
    fn look_at_windows(
        rows: usize, words: Option<In<u32>>, ranks: Option<In<u32>>, narrow_sizes: Array<Option<In<i32>>, 2>,
        wide_sizes: Array<Option<In<i64>>, 2>, sizes: [i64; 2], least: usize, asked: u32, n: i64,
        numbers: Option<Out<i64>>, found: Option<Out<u32>>, mask: Option<Out<u32>>,
    );
    fn list_windows(
        rows: usize, starts: In<u64>, total: usize, kept: Option<In<u32>>, words: Option<In<u32>>,
        ranks: Option<In<u32>>, narrow_sizes: Array<Option<In<i32>>, 2>, wide_sizes: Array<Option<In<i64>>, 2>,
        sizes: [i64; 2], found: Out<u32>,
    );
    pub(super) fn windows_of_groups<I in [i32, i64]>(
        starts: In<u64>, groups: usize, rows: usize, sizes: [i64; 2], before: Out<I>, behind: Out<I>,
    );
    pub(super) fn windows_of_ranges<I in [i32, i64], Keys in [NarrowKeys, WideKeys, FloatKeys]>(
        column: ColumnDeviceView, words: Option<In<u32>>, ranks: Option<In<u32>>, starts: In<u64>, groups: usize,
        nulls_first: bool, descending: bool, by_order: bool, start_bound: u32, end_bound: u32, reach: [u64; 4],
        before: Out<I>, behind: Out<I>, unsorted: Out<u64>,
    );
}

macro_rules! folds {
    ($($name:ident),*) => {
        kernel_names! { $(pub(super) struct $name;)* }
    };
}

// The folds of rows, and those for each type, by their names in kernels.
folds! {
    WrappingSum, PreciseSum, ExactSum, Spread, Extreme, Shape, CoSpread, WrappingI32, WrappingI64, PreciseI32, PreciseI64, PreciseU64,
    PreciseF32, PreciseF64, ExactI32, ExactI64, ExactDecimal, SpreadI32, SpreadI64, SpreadU64, SpreadF32, SpreadF64,
    ExtremeI32, ExtremeI64, ExtremeU64, ExtremeF32, ExtremeF64, ShapeF64,
    PairF64
}

kernel_names! {
    /// Integers of up to 64 bits, or words of the order of values.
    pub(super) struct NarrowKeys;
    /// Integers of up to 128 bits.
    pub(super) struct WideKeys;
    /// Floats.
    pub(super) struct FloatKeys;
}

/// The results written for a window, as the kernels number them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Total = 0,
    Mean = 1,
    Variance = 2,
    Root = 3,
    Skewness = 4,
    Kurtosis = 5,
    Covariance = 6,
    Correlation = 7,
}

/// The functions of the rows of windows, as the kernels number them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    CountValid = 0,
    CountAll = 1,
    RowNumber = 2,
    Nth = 3,
    NthValid = 4,
    Neighbour = 5,
}

/// See [`super::rolling_window`].
pub(super) fn rolling_window(
    column: &Column,
    sizes: [Operand<'_>; 2],
    min_periods: usize,
    function: WindowFunction,
    ctx: &Context,
) -> Result<Column> {
    check_rows("windows", column.len())?;
    let windows = Windows::new(column.len(), sizes, ctx)?;
    let on_host = || {
        by_cpu(&(column, (sizes[0], sizes[1])), ctx, |(column, (preceding, following)), host| {
            cpu::rolling_window(
                &column,
                [(&preceding).into(), (&following).into()],
                min_periods,
                function,
                host,
            )
        })
    };
    if column.is_empty() {
        return on_host();
    }
    let valid = Valid::new(column, ctx)?;
    let rows = Rows { windows: windows.view()?, valid, len: column.len(), least: min_periods };
    match function {
        WindowFunction::Sum | WindowFunction::Mean => {
            let how = if function == WindowFunction::Sum { How::Total } else { How::Mean };
            let result = function.result_type(column.data_type())?;
            // The CPU says which row does not fit.
            rows.sums(column, how, result, ctx)?.map_or_else(on_host, Ok)
        }
        WindowFunction::Skewness => rows.shapes(column, How::Skewness, 3, ctx),
        WindowFunction::Kurtosis => rows.shapes(column, How::Kurtosis, 4, ctx),
        WindowFunction::Var { ddof } => rows.spreads(column, How::Variance, ddof, ctx),
        WindowFunction::Std { ddof } => rows.spreads(column, How::Root, ddof, ctx),
        WindowFunction::Min | WindowFunction::Max => {
            if let Some(values) = rows.short_extremes(column, function == WindowFunction::Max, ctx)? {
                return Ok(values);
            }
            let extremes = rows.extremes(column, function == WindowFunction::Max, false, ctx)?;
            let Some(found) = extremes.narrow else { return Err(Error::logic("rows were asked for")) };
            gather_one(column, &GatherMap::or_null(found), ctx)
        }
        WindowFunction::ArgMin | WindowFunction::ArgMax => {
            rows.extremes(column, function == WindowFunction::ArgMax, true, ctx)?.column(DataType::Int64)
        }
        WindowFunction::CountValid => rows.numbers(Asked::CountValid, ctx),
        WindowFunction::CountAll => rows.numbers(Asked::CountAll, ctx),
        WindowFunction::RowNumber => rows.numbers(Asked::RowNumber, ctx),
        WindowFunction::Nth { n, with_nulls } => {
            let asked = if with_nulls { Asked::Nth } else { Asked::NthValid };
            gather_one(column, &GatherMap::or_null(rows.found(asked, n, ctx)?), ctx)
        }
        WindowFunction::Lead(by) | WindowFunction::Lag(by) => {
            // More rows than a table has lead out of it as well.
            let by = i64::try_from(by).unwrap_or(i64::MAX);
            let by = if matches!(function, WindowFunction::Lag(_)) { -by } else { by };
            gather_one(column, &GatherMap::or_null(rows.found(Asked::Neighbour, by, ctx)?), ctx)
        }
        WindowFunction::CollectList { with_nulls } => rows.lists(column, with_nulls, ctx),
        WindowFunction::Quantile { q, interpolation } => rows.quantiles(column, q, interpolation, ctx),
        WindowFunction::Rank { method, order, percentage } => {
            rows.ranks(column, method, order, percentage, ctx)
        }
        WindowFunction::NUnique { with_nulls } => rows.distinct_counts(column, with_nulls, ctx),
        WindowFunction::CollectSet { with_nulls, nulls, nans } => {
            rows.distinct_lists(column, with_nulls, (nulls, nans), ctx)
        }
    }
}

/// See [`super::rolling_pairs`]; the columns are of numbers, and as long.
pub(super) fn rolling_pairs(
    columns: [&Column; 2],
    sizes: [Operand<'_>; 2],
    min_periods: usize,
    function: PairFunction,
    ctx: &Context,
) -> Result<Column> {
    let len = columns[0].len();
    check_rows("windows", len)?;
    let (windows, temporary) = (Windows::new(len, sizes, ctx)?, &ctx.temporary()?);
    if len == 0 {
        return Column::nulls(DataType::Float64, 0, ctx);
    }
    // Pairs are folded as values of 16 bytes, null where one of the two is.
    let wide =
        [cast(columns[0], DataType::Float64, temporary)?, cast(columns[1], DataType::Float64, temporary)?];
    let mut pairs = DeviceUVec::<f64>::uninit(2 * len, temporary)?;
    // SAFETY: there is a place for each value of the two columns, which are as long.
    unsafe {
        side_by_side(ctx, grid(len), &DeviceView::new(&wide[0])?, &DeviceView::new(&wide[1])?, &mut pairs)?;
    }
    let mask = null_mask::bitmask_and(&columns, temporary)?;
    let pairs = Column::from_buffer(DataType::Decimal128(0), len, buffer(pairs)?, mask)?;
    let valid = Valid::new(&pairs, ctx)?;
    let rows = Rows { windows: windows.view()?, valid, len, least: min_periods };
    let (how, ddof) = match function {
        PairFunction::Covariance { ddof } => (How::Covariance, ddof),
        PairFunction::Correlation => (How::Correlation, 0),
    };
    let folding = &rows.spreading(how, ddof);
    let folded = rows.fold::<PairF64, CoSpread>(6, &pairs, folding, ctx)?;
    folded.ok_or_else(|| Error::logic("spreads fit"))?.column(DataType::Float64)
}

pub(super) fn grid(rows: usize) -> Grid {
    Grid::striding(rows, THREADS)
}

/// The sizes of windows, before the end of each row and behind it.
struct Windows {
    columns: [Option<Column>; 2],
    numbers: [i64; 2],
}

/// The arguments of kernels for [`Windows`].
pub(super) struct WindowsView<'a> {
    narrow: [Option<DeviceSpan<'a, i32>>; 2],
    wide: [Option<DeviceSpan<'a, i64>>; 2],
    pub(super) numbers: [i64; 2],
}

impl Windows {
    fn new(rows: usize, operands: [Operand<'_>; 2], ctx: &Context) -> Result<Self> {
        let mut windows = Self { columns: [None, None], numbers: [0, 0] };
        for (side, (name, size)) in ["preceding", "following"].into_iter().zip(operands).enumerate() {
            if let Some(number) = one_size(name, size, rows)? {
                windows.numbers[side] = number;
                continue;
            }
            let Operand::Column(column) = size else { continue };
            windows.columns[side] = Some(match column.data_type() {
                DataType::Int32 | DataType::Int64 => column.clone(),
                // The CPU says which of them is too large.
                DataType::UInt64 => {
                    by_cpu(column, ctx, |column, host| Ok(Column::from_values(sizes(name, &column, host)?)))?
                }
                _ => cast(column, DataType::Int64, ctx)?,
            });
        }
        if let ([None, None], [preceding, following]) = (&windows.columns, windows.numbers) {
            check_one_size(preceding, following)?;
        }
        Ok(windows)
    }

    fn view(&self) -> Result<WindowsView<'_>> {
        let mut view = WindowsView { narrow: [None, None], wide: [None, None], numbers: self.numbers };
        for (side, column) in self.columns.iter().enumerate() {
            let Some(column) = column else { continue };
            let (Some(data), rows) = (column.data(), column.offset()..column.offset() + column.len()) else {
                continue;
            };
            if column.data_type() == DataType::Int32 {
                view.narrow[side] = Some(data.span::<i32>()?.slice(rows)?);
            } else {
                view.wide[side] = Some(data.span::<i64>()?.slice(rows)?);
            }
        }
        Ok(view)
    }
}

impl<'a> WindowsView<'a> {
    pub(super) fn narrow(&self) -> [Option<&DeviceSpan<'a, i32>>; 2] {
        self.narrow.each_ref().map(Option::as_ref)
    }

    pub(super) fn wide(&self) -> [Option<&DeviceSpan<'a, i64>>; 2] {
        self.wide.each_ref().map(Option::as_ref)
    }

    /// The size of all windows, if it is one.
    pub(super) fn one_size(&self) -> Option<i64> {
        let is_one = self.narrow.iter().all(Option::is_none) && self.wide.iter().all(Option::is_none);
        let size = self.numbers.iter().map(|&size| i128::from(size)).sum::<i128>();
        is_one.then(|| size.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
    }

    /// Whether no window has more than so many rows, as far as their sizes are known.
    pub(super) fn are_within(&self, rows: usize) -> bool {
        self.one_size().is_some_and(|size| i128::from(size) <= rows as i128)
    }
}

/// The validity of rows, and the number of valid rows before each word; `None` without nulls.
pub(super) struct Valid(Option<(Selection, DeviceUVec<u32>)>);

impl Valid {
    pub(super) fn new(column: &Column, ctx: &Context) -> Result<Self> {
        if column.mask().is_none() && column.data_type() != DataType::Empty {
            return Ok(Self(None));
        }
        // A word behind the last one, for windows that end there.
        let rows = column.len() + 1;
        let (mut words, view) = (no_rows(rows, ctx)?, DeviceView::new(column)?);
        // SAFETY: there is a bit for each row.
        unsafe { mark_valid(ctx, grid(column.len()), &view, &mut words)? };
        Ok(Self(Some(Selection::of_words(words, rows, ctx)?)))
    }

    pub(super) fn words(&self) -> Option<&DeviceUVec<u32>> {
        self.0.as_ref().map(|(selection, _)| selection.words())
    }

    pub(super) fn ranks(&self) -> Option<&DeviceUVec<u32>> {
        self.0.as_ref().map(|(_, ranks)| ranks)
    }

    /// The valid rows; `None` where that is all of them.
    pub(super) fn rows(&self, ctx: &Context) -> Result<Option<DeviceUVec<u32>>> {
        self.0.as_ref().map(|(selection, _)| selection.rows::<u32>(ctx)).transpose()
    }
}

/// The windows of `len` rows, and the least number of their rows or values.
pub(super) struct Rows<'a> {
    pub(super) windows: WindowsView<'a>,
    pub(super) valid: Valid,
    pub(super) len: usize,
    pub(super) least: usize,
}

/// The results of windows, in words of 64 or of 32 bits.
pub(super) struct Folded {
    pub(super) rows: usize,
    pub(super) wide: Option<DeviceUVec<u64>>,
    pub(super) narrow: Option<DeviceUVec<u32>>,
    pub(super) mask: DeviceUVec<u32>,
}

impl Folded {
    pub(super) fn column(self, to: DataType) -> Result<Column> {
        let data: Buffer = match (self.wide, self.narrow) {
            (Some(wide), _) => buffer(wide)?,
            (_, Some(narrow)) => buffer(narrow)?,
            _ => return Err(Error::logic("results were asked for")),
        };
        Column::from_buffer(to, self.rows, data, Some((buffer(self.mask)?, UNKNOWN_NULL_COUNT)))
    }
}

/// The parameters of a fold and of its results.
pub(super) struct Folding {
    pub(super) least: u64,
    pub(super) how: How,
    pub(super) ddof: i64,
    pub(super) flip: u64,
    /// Words of 64 bits of each result; 0 for results of 32 bits.
    pub(super) words: usize,
}

/// A mask for so many rows.
pub(super) fn mask_of(rows: usize, ctx: &Context) -> Result<DeviceUVec<u32>> {
    DeviceUVec::zeroed(null_mask::bitmask_allocation_size_bytes(rows) / 4, ctx)
}

/// The column with a type that is folded as it is stored: integers of 32 and 64 bits, floats.
fn as_folded(column: &Column, ctx: &Context) -> Result<Column> {
    match column.data_type() {
        DataType::Int8 | DataType::Int16 | DataType::UInt8 | DataType::UInt16 | DataType::Bool8 => {
            cast(column, DataType::Int32, ctx)
        }
        DataType::UInt32 => cast(column, DataType::Int64, ctx),
        _ => Ok(column.clone()),
    }
}

impl Rows<'_> {
    /// The folds `F` of windows, over rows as `R`, in the way that suits the windows; see [`fold`](Self::fold).
    fn fold_any<R: KernelName, F: KernelName>(
        &self,
        words: usize,
        column: &Column,
        folding: &Folding,
        ctx: &Context,
    ) -> Result<Option<Folded>> {
        match self.fold_short::<R, F>(words, column, folding, ctx)? {
            None => self.fold::<R, F>(words, column, folding, ctx),
            folded => Ok(folded),
        }
    }

    /// The folds `F` of windows, over rows as `R`; both by their names in kernels. A node has `words` words.
    /// `None` where a result does not fit.
    fn fold<R: KernelName, F: KernelName>(
        &self,
        words: usize,
        column: &Column,
        folding: &Folding,
        ctx: &Context,
    ) -> Result<Option<Folded>> {
        let (rows, temporary, view) = (self.len, &ctx.temporary()?, DeviceView::new(column)?);
        let (windows, valid, fan) = (&self.windows, &self.valid, FAN as usize);
        // A level for as long as a window may be longer than two nodes of it.
        let levels: Vec<usize> = std::iter::successors(Some(rows), |&count| Some(count.div_ceil(fan)))
            .take_while(|_| !windows.are_within(2 * fan))
            .map_while(|count| (count > 2 * fan).then(|| count.div_ceil(fan)))
            .collect();
        let mut nodes = DeviceUVec::<u64>::uninit(levels.iter().sum::<usize>() * words, temporary)?;
        if !levels.is_empty() {
            // SAFETY: there is a node for each `FAN` rows.
            unsafe { fold_rows::<R>(ctx, grid(rows), &view, valid.words(), folding.flip, &mut nodes)? };
        }
        let mut at = 0;
        for below in levels.iter().take(levels.len().saturating_sub(1)) {
            // SAFETY: the nodes of a level are behind those of the one below, one for each `FAN` of these.
            unsafe { fold_nodes::<F>(ctx, grid(*below), &mut nodes, at, *below)? };
            at += below;
        }
        let (mut wide, mut narrow) = (None, None);
        match folding.words {
            0 => narrow = Some(DeviceUVec::<u32>::uninit(rows, ctx)?),
            words => wide = Some(DeviceUVec::<u64>::uninit(words * rows, ctx)?),
        }
        let mut mask = mask_of(rows, ctx)?;
        let mut failed = DeviceUVec::<u32>::zeroed(1, temporary)?;
        let nodes = (!levels.is_empty()).then_some(&nodes);
        // SAFETY: there are a size, a place and a bit for each row, and a node wherever a window may have one.
        unsafe {
            fold_windows::<R>(
                ctx,
                grid(rows),
                &view,
                valid.words(),
                valid.ranks(),
                windows.narrow(),
                windows.wide(),
                windows.numbers,
                folding.flip,
                nodes,
                folding.least,
                folding.how as u32,
                folding.ddof,
                folding.words == 2,
                wide.as_mut(),
                narrow.as_mut(),
                &mut mask,
                &mut failed,
            )?;
        }
        let may_fail = F::NAME == ExactSum::NAME;
        let fits = !may_fail || failed.element(0)? == 0;
        Ok(fits.then_some(Folded { rows, wide, narrow, mask }))
    }

    /// Sums or means; `None` where one does not fit.
    fn sums(&self, column: &Column, how: How, to: DataType, ctx: &Context) -> Result<Option<Column>> {
        let of = column.data_type();
        let least = if how == How::Mean { self.least.max(1) } else { self.least };
        let words = if to.is_decimal() { 2 } else { usize::from(to.size() != Some(4)) };
        let folding = &Folding { least: least as u64, how, ddof: 0, flip: 0, words };
        let column = &as_folded(column, ctx)?;
        let (stored, size) = (column.data_type(), column.data_type().size());
        let folded = if to.is_float() {
            match stored {
                DataType::Int32 => self.fold_any::<PreciseI32, PreciseSum>(2, column, folding, ctx),
                DataType::UInt64 => self.fold_any::<PreciseU64, PreciseSum>(2, column, folding, ctx),
                DataType::Float32 => self.fold_any::<PreciseF32, PreciseSum>(2, column, folding, ctx),
                DataType::Float64 => self.fold_any::<PreciseF64, PreciseSum>(2, column, folding, ctx),
                _ => self.fold_any::<PreciseI64, PreciseSum>(2, column, folding, ctx),
            }
        } else if of.is_decimal() || of.is_chrono() {
            match size {
                Some(4) => self.fold::<ExactI32, ExactSum>(3, column, folding, ctx),
                Some(8) => self.fold::<ExactI64, ExactSum>(3, column, folding, ctx),
                _ => self.fold::<ExactDecimal, ExactSum>(3, column, folding, ctx),
            }
        } else if size == Some(4) {
            self.fold_any::<WrappingI32, WrappingSum>(1, column, folding, ctx)
        } else {
            self.fold_any::<WrappingI64, WrappingSum>(1, column, folding, ctx)
        }?;
        folded.map(|folded| folded.column(to)).transpose()
    }

    /// Of windows with more values than `ddof`, and one at least.
    fn spreading(&self, how: How, ddof: i64) -> Folding {
        let least = (self.least as u64).max(1).max(u64::try_from(ddof).map_or(0, |ddof| ddof + 1));
        Folding { least, how, ddof, flip: 0, words: 1 }
    }

    /// Skewness or kurtosis, of windows with so many values.
    fn shapes(&self, column: &Column, how: How, least: u64, ctx: &Context) -> Result<Column> {
        let folding = &Folding { least: least.max(self.least as u64), ..self.spreading(how, 0) };
        let column = &cast(column, DataType::Float64, &ctx.temporary()?)?;
        let folded = self.fold_any::<ShapeF64, Shape>(5, column, folding, ctx)?;
        folded.ok_or_else(|| Error::logic("shapes fit"))?.column(DataType::Float64)
    }

    fn spreads(&self, column: &Column, how: How, ddof: i64, ctx: &Context) -> Result<Column> {
        let folding = &self.spreading(how, ddof);
        let column = &as_folded(column, ctx)?;
        let folded = match column.data_type() {
            DataType::Int32 => self.fold_any::<SpreadI32, Spread>(3, column, folding, ctx),
            DataType::UInt64 => self.fold_any::<SpreadU64, Spread>(3, column, folding, ctx),
            DataType::Float32 => self.fold_any::<SpreadF32, Spread>(3, column, folding, ctx),
            DataType::Float64 => self.fold_any::<SpreadF64, Spread>(3, column, folding, ctx),
            _ => self.fold_any::<SpreadI64, Spread>(3, column, folding, ctx),
        }?;
        folded.ok_or_else(|| Error::logic("spreads fit"))?.column(DataType::Float64)
    }

    /// The rows of the smallest or the largest values, in words of 64 bits where they are `wide`.
    fn extremes(&self, column: &Column, largest: bool, wide: bool, ctx: &Context) -> Result<Folded> {
        let temporary = &ctx.temporary()?;
        let stored = match column.data_type().storage() {
            // Types without words of their own are ranked.
            Storage::I128 | Storage::Bytes | Storage::Children => {
                let options = RankOptions { method: RankMethod::Dense, ..RankOptions::default() };
                rank(&as_keys(column, temporary)?, options, temporary)?
            }
            _ => as_folded(column, temporary)?,
        };
        let mut folding = Folding {
            least: self.least.max(1) as u64,
            how: How::Total,
            ddof: 0,
            flip: 0,
            words: usize::from(wide),
        };
        let column = &stored;
        let of = column.data_type();
        if largest {
            folding.flip = if of == DataType::Float32 { u32::MAX.into() } else { u64::MAX };
        }
        let (folding, size) = (&folding, of.size());
        let folded = match of {
            DataType::UInt64 => self.fold::<ExtremeU64, Extreme>(2, column, folding, ctx),
            DataType::Float32 => self.fold::<ExtremeF32, Extreme>(2, column, folding, ctx),
            DataType::Float64 => self.fold::<ExtremeF64, Extreme>(2, column, folding, ctx),
            _ if size == Some(4) => self.fold::<ExtremeI32, Extreme>(2, column, folding, ctx),
            _ => self.fold::<ExtremeI64, Extreme>(2, column, folding, ctx),
        }?;
        folded.ok_or_else(|| Error::logic("rows fit"))
    }

    fn lists(&self, column: &Column, with_nulls: bool, ctx: &Context) -> Result<Column> {
        let (rows, temporary) = (self.len, &ctx.temporary()?);
        let asked = if with_nulls { Asked::CountAll } else { Asked::CountValid };
        // One more, so that the last list has an end.
        let mut lengths = DeviceUVec::<i64>::zeroed(rows + 1, temporary)?;
        let mut mask = mask_of(rows, ctx)?;
        self.look(asked, 0, Some(&mut lengths), None, Some(&mut mask), ctx)?;
        let lengths = numbers_column(DataType::UInt64, lengths)?;
        let Some(data) = lengths.data() else { return Err(Error::logic("there are lengths")) };
        let starts = primitives::scan(&data.span::<u64>()?, Reduction::Sum, ScanKind::Exclusive, temporary)?;
        let total = starts.element(rows)? as usize;
        let mut found = DeviceUVec::<u32>::uninit(total, temporary)?;
        let (windows, valid) = (&self.windows, &self.valid);
        let kept = if with_nulls { None } else { valid.rows(temporary)? };
        // SAFETY: there is a start for each row and one more, and a place for each element.
        unsafe {
            list_windows(
                ctx,
                grid(total),
                rows,
                &starts,
                total,
                kept.as_ref(),
                valid.words(),
                valid.ranks(),
                windows.narrow(),
                windows.wide(),
                windows.numbers,
                &mut found,
            )?;
        }
        let elements = gather_one(column, &GatherMap::or_null(found), ctx)?;
        let mask = (buffer(mask)?, UNKNOWN_NULL_COUNT);
        Column::lists(offsets_of(starts, total, ctx)?, elements, Some(mask))
    }

    /// A number for each row.
    fn numbers(&self, asked: Asked, ctx: &Context) -> Result<Column> {
        let mut numbers = DeviceUVec::<i64>::uninit(self.len, ctx)?;
        let mut mask = mask_of(self.len, ctx)?;
        self.look(asked, 0, Some(&mut numbers), None, Some(&mut mask), ctx)?;
        let mask = (buffer(mask)?, UNKNOWN_NULL_COUNT);
        Column::from_buffer(DataType::Int64, self.len, buffer(numbers)?, Some(mask))
    }

    fn found(&self, asked: Asked, n: i64, ctx: &Context) -> Result<DeviceUVec<u32>> {
        let mut found = DeviceUVec::<u32>::uninit(self.len, &ctx.temporary()?)?;
        self.look(asked, n, None, Some(&mut found), None, ctx)?;
        Ok(found)
    }

    fn look(
        &self,
        asked: Asked,
        n: i64,
        numbers: Option<&mut DeviceUVec<i64>>,
        found: Option<&mut DeviceUVec<u32>>,
        mask: Option<&mut DeviceUVec<u32>>,
        ctx: &Context,
    ) -> Result<()> {
        let (windows, valid) = (&self.windows, &self.valid);
        // SAFETY: there are a size and a place for each row, and a bit and one behind the last for each.
        unsafe {
            look_at_windows(
                ctx,
                grid(self.len),
                self.len,
                valid.words(),
                valid.ranks(),
                windows.narrow(),
                windows.wide(),
                windows.numbers,
                self.least,
                asked as u32,
                n,
                numbers,
                found,
                mask,
            )
        }
    }
}
