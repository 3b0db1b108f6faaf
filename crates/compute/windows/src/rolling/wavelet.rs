//! Quantiles, ranks and different values of windows on a GPU, from a wavelet matrix (Claude and Navarro 2012).
//!
//! Values are numbered by their order; of each bit of the numbers there is an entry for every 32 values. The value at a place
//! of a window, and how many values of it are below one, take two entries for each bit, whatever the window. A row whose value
//! is new in its window is one whose value was last seen before it begins, so numbers of different values are numbers of
//! smaller rows, counted alike. The values of short windows of one size are compared with each other instead.

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, Result, Table, UNKNOWN_NULL_COUNT,
};
use cuprum_runtime::kernel::{Array, In, Out};
use cuprum_runtime::primitives::{self, Reduction, ScanKind};
use cuprum_runtime::{DeviceUVec, kernels};

use super::cuda::{Rows, grid, mask_of};
use super::order_statistics::{check_method, check_place};
use cuprum_aggregate::nan_values::as_keys;
use cuprum_aggregate::quantiles::Interpolation;
use cuprum_aggregate::quantiles::cuda::kind_of;
use cuprum_elements::gather::cuda::{GatherMap, buffer, offsets_of};
use cuprum_elements::gather::gather_one;
use cuprum_elementwise::unary::cast;
use cuprum_keys::equality::cuda::{MissingKeys, number_rows};
use cuprum_keys::order::cuda::{DeviceKeys, bits_for, numbers_column, taken};
use cuprum_keys::order::{NullOrder, Order};
use cuprum_keys::sorting::RankMethod;
use cuprum_keys::sorting::cuda::{equal_runs, number_of};
use cuprum_lists::lists::{NanEquality, NullEquality};

kernels! {
    pub static WAVELET: "wavelet.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn count_zeros(codes: In<u32>, count: usize, bit: u32, zeros: Out<u32>);
    fn split_codes(
        codes: In<u32>, count: usize, bit: u32, before: In<u32>, at: usize, entries: Out<u64>, moved: Out<u32>,
    );
    fn write_codes(rows: In<u32>, runs: In<u32>, count: usize, codes: Out<u32>);
    fn write_previous(
        column: ColumnDeviceView, ids: In<u32>, rows: In<u32>, nulls_equal: bool, nans_equal: bool,
        previous: Out<u32>,
    );
    fn quantiles_of_windows(
        rows: usize, words: Option<In<u32>>, ranks: Option<In<u32>>, narrow_sizes: Array<Option<In<i32>>, 2>,
        wide_sizes: Array<Option<In<i64>>, 2>, sizes: [i64; 2], least: usize, entries: In<u64>, count: usize,
        bits: u32, values: In<f64>, q: f64, kind: u32, out: Out<f64>, mask: Out<u32>,
    );
    fn ranks_in_windows(
        rows: usize, words: Option<In<u32>>, ranks: Option<In<u32>>, narrow_sizes: Array<Option<In<i32>>, 2>,
        wide_sizes: Array<Option<In<i64>>, 2>, sizes: [i64; 2], least: usize, entries: In<u64>, count: usize,
        bits: u32, codes: In<u32>, method: u32, descending: bool, as_share: bool, out: Out<f64>, mask: Out<u32>,
    );
    fn write_keys(column: ColumnDeviceView, keys: Out<u64>);
    fn quantiles_of_short_windows(
        column: ColumnDeviceView, keys: In<u64>, words: Option<In<u32>>, ranks: Option<In<u32>>, sizes: [i64; 2],
        least: usize, q: f64, kind: u32, out: Out<f64>, mask: Out<u32>,
    );
    fn ranks_in_short_windows(
        rows: usize, keys: In<u64>, words: Option<In<u32>>, ranks: Option<In<u32>>, sizes: [i64; 2], least: usize,
        method: u32, descending: bool, as_share: bool, out: Out<f64>, mask: Out<u32>,
    );
    fn count_distinct(
        rows: usize, words: Option<In<u32>>, ranks: Option<In<u32>>, narrow_sizes: Array<Option<In<i32>>, 2>,
        wide_sizes: Array<Option<In<i64>>, 2>, sizes: [i64; 2], least: usize, previous: In<u32>,
        entries: Option<In<u64>>, count: usize, bits: u32, has_all: bool, counts_rows: bool, numbers: Out<u64>, mask: Out<u32>,
    );
    fn list_distinct(
        rows: usize, starts: In<u64>, kept: Option<In<u32>>, words: Option<In<u32>>, ranks: Option<In<u32>>,
        narrow_sizes: Array<Option<In<i32>>, 2>, wide_sizes: Array<Option<In<i64>>, 2>, sizes: [i64; 2],
        previous: In<u32>, found: Out<u32>,
    );
}

/// The values of windows of up to so many rows are compared with each other, all with all or one with all.
const MOST_SELECTED: usize = 16;
const MOST_COUNTED: usize = 512;

/// Codes of values in the order of their rows, so that places and numbers in any range of these are found by bits.
struct Wavelet {
    /// An entry for each bit, the highest first, and every 32 values, and for those behind the last.
    entries: DeviceUVec<u64>,
    count: usize,
    bits: u32,
}

impl Wavelet {
    /// Of codes of so many bits.
    fn new(codes: &DeviceUVec<u32>, bits: u32, ctx: &Context) -> Result<Self> {
        let (count, temporary) = (codes.len(), &ctx.temporary()?);
        let words = count / 32 + 1;
        let mut entries = DeviceUVec::<u64>::uninit(words * bits as usize, temporary)?;
        let mut zeros = DeviceUVec::<u32>::uninit(words + 1, temporary)?;
        let mut moved: Option<DeviceUVec<u32>> = None;
        let mut next = DeviceUVec::<u32>::uninit(count, temporary)?;
        for level in 0..bits as usize {
            let (from, bit) = (moved.as_ref().unwrap_or(codes), bits - 1 - level as u32);
            // SAFETY: there is a number for every 32 codes, and two more.
            unsafe { count_zeros(ctx, grid((words + 1) * 32), from, count, bit, &mut zeros)? };
            let before = primitives::scan(&zeros.span(), Reduction::Sum, ScanKind::Exclusive, temporary)?;
            // SAFETY: a level has `words` entries; there is a place for each code, which the numbers of zeros give.
            unsafe {
                let at = level * words;
                split_codes(ctx, grid(words * 32), from, count, bit, &before, at, &mut entries, &mut next)?;
            }
            let free = match moved.take() {
                Some(free) => free,
                None => DeviceUVec::uninit(count, temporary)?,
            };
            moved = Some(std::mem::replace(&mut next, free));
        }
        Ok(Self { entries, count, bits })
    }
}

/// The values of rows that are valid, numbered in their order.
struct Ordered {
    /// The number of the value of each.
    codes: DeviceUVec<u32>,
    /// The number of distinct values.
    distinct: usize,
    /// A row of each distinct value.
    examples: DeviceUVec<u32>,
    values: Column,
}

impl Ordered {
    fn wavelet(&self, ctx: &Context) -> Result<Wavelet> {
        Wavelet::new(&self.codes, bits_for(self.distinct.saturating_sub(1)), ctx)
    }
}

/// The rows with equal values, by which different ones are counted.
struct Previous {
    /// Of each row, or of each valid one, the number from 1 on of the last one before it with its value; 0 where there is
    /// none.
    rows: DeviceUVec<u32>,
    /// Of these; not for short windows.
    wavelet: Option<Wavelet>,
}

impl Rows<'_> {
    /// The valid rows of a column.
    fn present(&self, column: &Column, ctx: &Context) -> Result<Column> {
        match self.valid.rows(ctx)? {
            Some(rows) => gather_one(column, &GatherMap::from(rows), ctx),
            None => Ok(column.clone()),
        }
    }

    fn ordered(&self, column: &Column, ctx: &Context) -> Result<Ordered> {
        let temporary = &ctx.temporary()?;
        let values = self.present(column, temporary)?;
        let mut codes = DeviceUVec::<u32>::uninit(values.len(), temporary)?;
        if values.is_empty() {
            return Ok(Ordered { codes, distinct: 0, examples: DeviceUVec::uninit(0, temporary)?, values });
        }
        let keys = Table::new(vec![as_keys(&values, temporary)?])?;
        let keys = DeviceKeys::new(&keys, &[Order::Ascending], NullOrder::Last, temporary)?;
        let (rows, runs) = equal_runs::<u32>(&keys, temporary)?;
        // SAFETY: the rows are all of them, each in a run.
        unsafe { write_codes(ctx, grid(rows.len()), &rows, &runs.numbers, rows.len(), &mut codes)? };
        let examples = taken(&rows, &runs.starts, temporary)?;
        Ok(Ordered { codes, distinct: runs.starts.len(), examples, values })
    }

    /// See [`super::order_statistics::quantiles`].
    pub(super) fn quantiles(
        &self,
        column: &Column,
        q: f64,
        interpolation: Interpolation,
        ctx: &Context,
    ) -> Result<Column> {
        check_place(q)?;
        if self.windows.are_within(MOST_SELECTED) {
            return self.short_quantiles(column, q, interpolation, ctx);
        }
        let (temporary, ordered) = (&ctx.temporary()?, self.ordered(column, ctx)?);
        let wavelet = ordered.wavelet(ctx)?;
        let Ordered { values, examples, .. } = ordered;
        let values = gather_one(&values, &GatherMap::from(examples), temporary)?;
        let values = cast(&values, DataType::Float64, temporary)?;
        let Some(data) = values.data().filter(|_| !values.is_empty()) else {
            return Column::nulls(DataType::Float64, self.len, ctx);
        };
        let values = data.span::<f64>()?.slice(values.offset()..values.offset() + values.len())?;
        let (windows, valid, least) = (&self.windows, &self.valid, self.least.max(1));
        let mut out = DeviceUVec::<f64>::uninit(self.len, ctx)?;
        let mut mask = mask_of(self.len, ctx)?;
        // SAFETY: there are a size, a place and a bit for each row, and a value for each code.
        unsafe {
            quantiles_of_windows(
                ctx,
                grid(self.len),
                self.len,
                valid.words(),
                valid.ranks(),
                windows.narrow(),
                windows.wide(),
                windows.numbers,
                least,
                &wavelet.entries,
                wavelet.count,
                wavelet.bits,
                &values,
                q,
                kind_of(interpolation),
                &mut out,
                &mut mask,
            )?;
        }
        numbers_column(DataType::Float64, out)?.with_mask(Some((buffer(mask)?, UNKNOWN_NULL_COUNT)), ctx)
    }

    /// See [`super::order_statistics::ranks`].
    pub(super) fn ranks(
        &self,
        column: &Column,
        method: RankMethod,
        order: Order,
        percentage: bool,
        ctx: &Context,
    ) -> Result<Column> {
        check_method(method)?;
        if self.windows.are_within(MOST_COUNTED) {
            return self.short_ranks(column, method, order, percentage, ctx);
        }
        let ordered = self.ordered(column, ctx)?;
        let wavelet = ordered.wavelet(ctx)?;
        let (windows, valid) = (&self.windows, &self.valid);
        let mut out = DeviceUVec::<f64>::uninit(self.len, ctx)?;
        let mut mask = mask_of(self.len, ctx)?;
        // SAFETY: there are a size, a place and a bit for each row, and a code for each valid one.
        unsafe {
            ranks_in_windows(
                ctx,
                grid(self.len),
                self.len,
                valid.words(),
                valid.ranks(),
                windows.narrow(),
                windows.wide(),
                windows.numbers,
                self.least,
                &wavelet.entries,
                wavelet.count,
                wavelet.bits,
                &ordered.codes,
                number_of(method),
                order == Order::Descending,
                percentage,
                &mut out,
                &mut mask,
            )?;
        }
        numbers_column(DataType::Float64, out)?.with_mask(Some((buffer(mask)?, UNKNOWN_NULL_COUNT)), ctx)
    }

    /// Words of the order of a column of numbers.
    fn keys(&self, column: &Column, ctx: &Context) -> Result<DeviceUVec<u64>> {
        let mut keys = DeviceUVec::<u64>::uninit(self.len, &ctx.temporary()?)?;
        // SAFETY: there is a word for each row.
        unsafe { write_keys(ctx, grid(self.len), &DeviceView::new(column)?, &mut keys)? };
        Ok(keys)
    }

    fn short_quantiles(
        &self,
        column: &Column,
        q: f64,
        interpolation: Interpolation,
        ctx: &Context,
    ) -> Result<Column> {
        let (keys, valid, least) = (self.keys(column, ctx)?, &self.valid, self.least.max(1));
        let (view, sizes, kind) = (DeviceView::new(column)?, self.windows.numbers, kind_of(interpolation));
        let mut out = DeviceUVec::<f64>::uninit(self.len, ctx)?;
        let mut mask = mask_of(self.len, ctx)?;
        // SAFETY: there are a word, a place and a bit for each row.
        unsafe {
            let (grid, words, ranks) = (grid(self.len), valid.words(), valid.ranks());
            quantiles_of_short_windows(
                ctx, grid, &view, &keys, words, ranks, sizes, least, q, kind, &mut out, &mut mask,
            )?;
        }
        numbers_column(DataType::Float64, out)?.with_mask(Some((buffer(mask)?, UNKNOWN_NULL_COUNT)), ctx)
    }

    fn short_ranks(
        &self,
        column: &Column,
        method: RankMethod,
        order: Order,
        percentage: bool,
        ctx: &Context,
    ) -> Result<Column> {
        let (keys, valid, descends) = (self.keys(column, ctx)?, &self.valid, order == Order::Descending);
        let mut out = DeviceUVec::<f64>::uninit(self.len, ctx)?;
        let mut mask = mask_of(self.len, ctx)?;
        // SAFETY: there are a word, a place and a bit for each row.
        unsafe {
            ranks_in_short_windows(
                ctx,
                grid(self.len),
                self.len,
                &keys,
                valid.words(),
                valid.ranks(),
                self.windows.numbers,
                self.least,
                number_of(method),
                descends,
                percentage,
                &mut out,
                &mut mask,
            )?;
        }
        numbers_column(DataType::Float64, out)?.with_mask(Some((buffer(mask)?, UNKNOWN_NULL_COUNT)), ctx)
    }

    fn previous(
        &self,
        column: &Column,
        with_nulls: bool,
        (nulls, nans): (NullEquality, NanEquality),
        ctx: &Context,
    ) -> Result<Previous> {
        let temporary = &ctx.temporary()?;
        let values = if with_nulls { column.clone() } else { self.present(column, temporary)? };
        let len = values.len();
        let mut rows = DeviceUVec::<u32>::uninit(len, temporary)?;
        if len > 0 {
            let keys = Table::new(vec![as_keys(&values, temporary)?])?;
            let numbers = number_rows(&keys, MissingKeys::Equal, temporary)?;
            let all = primitives::sequence(0u32, 1, len, temporary)?;
            let bits = 0..bits_for(numbers.first_rows.len().saturating_sub(1));
            let (ids, order) = primitives::sort_pairs(&numbers.ids.span(), &all.span(), bits, temporary)?;
            let (view, nulls_equal) = (DeviceView::new(&values)?, nulls == NullEquality::Equal);
            let nans_equal = nans == NanEquality::AllEqual;
            // SAFETY: the rows are all of them, with an id for each.
            unsafe {
                write_previous(ctx, grid(len), &view, &ids, &order, nulls_equal, nans_equal, &mut rows)?;
            }
        }
        let is_short = self.windows.are_within(MOST_COUNTED);
        let wavelet = if is_short { None } else { Some(Wavelet::new(&rows, bits_for(len), ctx)?) };
        Ok(Previous { rows, wavelet })
    }

    /// The numbers of distinct values of windows; `numbers` is one longer than the rows are, or as long.
    fn count(
        &self,
        previous: &Previous,
        has_all: bool,
        counts_rows: bool,
        numbers: &mut DeviceUVec<u64>,
        mask: &mut DeviceUVec<u32>,
        ctx: &Context,
    ) -> Result<()> {
        let (windows, valid, wavelet) = (&self.windows, &self.valid, previous.wavelet.as_ref());
        // SAFETY: there are a size, a place and a bit for each row, and a code for each, or for each valid one.
        unsafe {
            count_distinct(
                ctx,
                grid(self.len),
                self.len,
                valid.words(),
                valid.ranks(),
                windows.narrow(),
                windows.wide(),
                windows.numbers,
                self.least,
                &previous.rows,
                wavelet.map(|wavelet| &wavelet.entries),
                wavelet.map_or(0, |wavelet| wavelet.count),
                wavelet.map_or(0, |wavelet| wavelet.bits),
                has_all,
                counts_rows,
                numbers,
                mask,
            )
        }
    }

    /// The number of distinct values of every window.
    pub(super) fn distinct_counts(&self, column: &Column, with_nulls: bool, ctx: &Context) -> Result<Column> {
        let equal = (NullEquality::Equal, NanEquality::AllEqual);
        let previous = self.previous(column, with_nulls, equal, ctx)?;
        let mut numbers = DeviceUVec::<u64>::uninit(self.len, ctx)?;
        let mut mask = mask_of(self.len, ctx)?;
        self.count(&previous, with_nulls, false, &mut numbers, &mut mask, ctx)?;
        numbers_column(DataType::Int64, numbers)?.with_mask(Some((buffer(mask)?, UNKNOWN_NULL_COUNT)), ctx)
    }

    /// The different elements of every window, in the order of their first rows.
    pub(super) fn distinct_lists(
        &self,
        column: &Column,
        with_nulls: bool,
        equality: (NullEquality, NanEquality),
        ctx: &Context,
    ) -> Result<Column> {
        let temporary = &ctx.temporary()?;
        let previous = self.previous(column, with_nulls, equality, ctx)?;
        // One more, so that the last list has an end.
        let mut lengths = DeviceUVec::<u64>::zeroed(self.len + 1, temporary)?;
        let mut mask = mask_of(self.len, ctx)?;
        self.count(&previous, with_nulls, true, &mut lengths, &mut mask, ctx)?;
        let starts = primitives::scan(&lengths.span(), Reduction::Sum, ScanKind::Exclusive, temporary)?;
        let total = starts.element(self.len)? as usize;
        let mut found = DeviceUVec::<u32>::uninit(total, temporary)?;
        let (windows, valid) = (&self.windows, &self.valid);
        let kept = if with_nulls { None } else { valid.rows(temporary)? };
        // SAFETY: there is a start for each row and one more, and a place for each element.
        unsafe {
            list_distinct(
                ctx,
                grid(self.len.saturating_mul(32)),
                self.len,
                &starts,
                kept.as_ref(),
                valid.words(),
                valid.ranks(),
                windows.narrow(),
                windows.wide(),
                windows.numbers,
                &previous.rows,
                &mut found,
            )?;
        }
        let elements = gather_one(column, &GatherMap::or_null(found), ctx)?;
        Column::lists(offsets_of(starts, total, ctx)?, elements, Some((buffer(mask)?, UNKNOWN_NULL_COUNT)))
    }
}
