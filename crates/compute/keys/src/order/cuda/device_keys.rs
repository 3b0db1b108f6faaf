//! The key columns of a table on a GPU, and how rows are compared by them.

use std::cell::OnceCell;

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DeviceViews, Error, Native, Result, Table};
use cuprum_runtime::DeviceUVec;
use cuprum_runtime::kernel::Grid;

use super::kernels::{
    DeviceRow, RANGE_WORDS, ROWS, RowOrder, THREADS, combine_ranges, fill_words, key_ranges, tiles,
};
use super::word_plan::{
    BitsOfFields, DeviceFields, KIND_HIGH, KIND_TEXT, KIND_VALUE, LEADING_BYTES, PlannedPart, PlannedWord,
    Range, TEXT_BITS, WordPlan, key_field,
};
use crate::order::layout::{Coding, Field, Part};
use crate::order::options::{NullOrder, Order, order_of_each};

/// The key columns of a table on a GPU, none of which is a struct, and how rows are compared by them.
pub struct DeviceKeys<'a> {
    /// The columns.
    pub views: DeviceViews<'a>,
    /// The order of rows.
    pub order: RowOrder,
    /// 1 for each column that descends, where not all do alike.
    pub directions: Option<DeviceUVec<u8>>,
    pub(super) columns: &'a [Column],
    pub(super) orders: Vec<Order>,
    pub(super) nulls: NullOrder,
    pub(super) len: usize,
    /// The ranges of the columns, found by one pass at the first request.
    pub(super) ranges: OnceCell<Vec<Range>>,
}

impl<'a> DeviceKeys<'a> {
    /// Fails as the CPU does for types without order and for another number of `orders`.
    pub fn new(keys: &'a Table, orders: &[Order], nulls: NullOrder, ctx: &Context) -> Result<Self> {
        let columns = keys.columns();
        let orders = order_of_each(columns.len(), orders)?;
        if let Some(column) = columns.iter().find(|column| column.data_type().storage() == Storage::Children)
        {
            return Err(Error::unsupported(format!("sorting by a column of type {}", column.data_type())));
        }
        let descending = orders.first() == Some(&Order::Descending);
        let directions = if orders.windows(2).all(|pair| pair[0] == pair[1]) {
            None
        } else {
            let descends: Vec<u8> =
                orders.iter().map(|order| u8::from(*order == Order::Descending)).collect();
            Some(DeviceUVec::from_slice(&descends, &ctx.temporary()?)?)
        };
        let order = RowOrder {
            first: 0,
            end: columns.len() as u32,
            descending: u32::from(descending),
            missing_first: u32::from(nulls == NullOrder::First),
            skip: 0,
        };
        let views = DeviceViews::new(columns, &ctx.temporary()?)?;
        Ok(Self {
            views,
            order,
            directions,
            columns,
            orders,
            nulls,
            len: keys.num_rows(),
            ranges: OnceCell::new(),
        })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The order by the columns from `first` on; texts in that one begin with `skip` bytes alike.
    pub(super) fn order_from(&self, first: usize, skip: u64) -> RowOrder {
        RowOrder { first: first as u32, skip, ..self.order }
    }

    /// The ranges of all columns. Waits for the pass at the first call.
    pub(super) fn ranges(&self, ctx: &Context) -> Result<&[Range]> {
        if let Some(ranges) = self.ranges.get() {
            return Ok(ranges);
        }
        let found = self.find_ranges(ctx)?;
        Ok(self.ranges.get_or_init(|| found))
    }

    fn find_ranges(&self, ctx: &Context) -> Result<Vec<Range>> {
        let (temporary, columns) = (ctx.temporary()?, self.columns.len());
        /// More blocks find no more.
        const MOST: usize = 1024;
        let blocks = self.len.div_ceil((THREADS * ROWS) as usize).clamp(1, MOST);
        let words = columns * RANGE_WORDS as usize;
        let mut parts = DeviceUVec::<u64>::uninit(blocks * words, &temporary)?;
        let mut ranges = DeviceUVec::<u64>::uninit(words, &temporary)?;
        // SAFETY: the columns have `len` rows; each block has its words for each column.
        unsafe {
            let grid = Grid::of(blocks, THREADS);
            key_ranges::<u64>(ctx, grid, &self.views, columns as u32, self.len, &mut parts)?;
            let grid = Grid::of(columns, THREADS);
            combine_ranges::<u64>(ctx, grid, &parts, blocks, columns as u32, &mut ranges)?;
        }
        Ok(ranges.to_vec()?.chunks_exact(RANGE_WORDS as usize).map(Range::from_words).collect())
    }

    /// The number of rows with a value in a column; nulls and NaN are none.
    pub fn num_present(&self, column: usize, ctx: &Context) -> Result<usize> {
        Ok(self.ranges(ctx)?.get(column).map_or(0, |range| range.present as usize))
    }

    /// A word for each row, by which alone rows are compared; `None` where one does not do.
    pub fn only_word(&self, ctx: &Context) -> Result<Option<DeviceUVec<u64>>> {
        let plan = self.plan(ctx)?;
        match plan.words[..] {
            [PlannedWord::Bits { word, .. }] => {
                Ok(Some(self.words::<u64, u32>(&plan.fields(ctx)?, &word, None, ctx)?))
            }
            _ => Ok(None),
        }
    }

    /// The words that rows are compared by.
    pub(in crate::order) fn plan(&self, ctx: &Context) -> Result<WordPlan> {
        let ranges = self.ranges(ctx)?;
        let mut parts = Vec::with_capacity(self.columns.len());
        for (c, (column, range)) in self.columns.iter().zip(ranges).enumerate() {
            let has_missing = range.present < self.len as u64;
            let coding = |low, high| Coding::new(low, high, has_missing, self.orders[c], self.nulls);
            let part = |kind, origin, coding| PlannedPart { column: c, kind, origin, skip: 0, coding };
            let (low, high) = (range.low, range.high);
            let is_empty = range.present == 0;
            match column.data_type().storage() {
                Storage::Bytes => {
                    let (shared, longest) = if is_empty { (0, 0) } else { (range.shared, range.longest) };
                    let rest = longest - shared;
                    let width = rest.min(u64::from(LEADING_BYTES)) as u32;
                    let mut coding = coding(0, (1 << (width * 8 + 4)) - 1);
                    coding.continues = rest > u64::from(LEADING_BYTES);
                    parts.push(PlannedPart { skip: shared, ..part(KIND_TEXT + width, 0, coding) });
                }
                Storage::I128 if is_empty => parts.push(part(KIND_VALUE, 0, coding(0, 0))),
                Storage::I128 => match u64::try_from(high.wrapping_sub(low)) {
                    Ok(span) => parts.push(part(KIND_VALUE, low as u64, coding(0, span))),
                    Err(_) => {
                        parts.push(part(KIND_HIGH, 0, coding((low >> 64) as u64, (high >> 64) as u64)));
                        parts.push(part(KIND_VALUE, 0, coding(0, u64::MAX)));
                    }
                },
                _ if is_empty => parts.push(part(KIND_VALUE, 0, coding(0, 0))),
                _ => parts.push(part(KIND_VALUE, 0, coding(low as u64, high as u64))),
            }
        }
        Ok(WordPlan::new(&parts))
    }

    /// A word of the rows of `map`, or of all rows in order.
    pub(super) fn words<W: Native, R: DeviceRow>(
        &self,
        fields: &DeviceFields,
        word: &BitsOfFields,
        map: Option<&DeviceUVec<R>>,
        ctx: &Context,
    ) -> Result<DeviceUVec<W>> {
        let len = map.map_or(self.len, DeviceUVec::len);
        let mut out = DeviceUVec::<W>::uninit(len, &ctx.temporary()?)?;
        let (first, end) = word.fields;
        // SAFETY: the fields are of these columns, the map of their rows; there is a word for each.
        unsafe { fill_words::<W, R>(ctx, tiles(len), &self.views, fields, first, end, map, len, &mut out)? };
        Ok(out)
    }
}

/// The code of the bytes of texts behind the first `skip`, for rows that are all null or none of them.
pub(super) fn text_field(
    keys: &DeviceKeys<'_>,
    column: usize,
    skip: u64,
    ctx: &Context,
) -> Result<(DeviceFields, BitsOfFields)> {
    let coding = Coding::new(0, (1 << TEXT_BITS) - 1, false, keys.orders[column], NullOrder::Last);
    let part = PlannedPart { column, kind: KIND_TEXT + LEADING_BYTES, origin: 0, skip, coding };
    let field = Field { column: 0, part: Part::Code(0), bits: TEXT_BITS };
    let fields = DeviceFields::new(&[key_field(&part, &field)], &ctx.temporary()?)?;
    Ok((fields, BitsOfFields { fields: (0, 1), bits: TEXT_BITS }))
}
