//! The order of rows on a GPU.
//!
//! Few rows are ordered by counting, for each, the rows before it: one kernel, nobody waits. Otherwise keys
//! become words as on the CPU ([`layout`](super::layout)), made from what one pass finds of the columns; a radix
//! sort orders the row numbers by the first word, or by codes of it ([`codes`](super::codes)), and rows that tie in it are put in order by whole keys: short
//! runs of ties by insertion, the rows of long ones that are not in order already by their next word, and so on
//! ([`ties`](super::ties)).

use std::cell::OnceCell;

use cuprum_column::types::Storage;
use cuprum_column::{Column, ColumnDeviceView, Context, DataType, DeviceViews, Error, Native, Result, Table};
use cuprum_runtime::kernel::{Argument, Arguments, Grid, In, Out, Structs, pass_structs};
use cuprum_runtime::primitives::radix_sort::{Payload, RadixKey};
use cuprum_runtime::primitives::{self, Number};
use cuprum_runtime::{DeviceBuffer, DeviceSpan, DeviceUVec, kernel_names, kernel_struct, kernels};

use super::layout::{Coding, Field, Missing, Part, Word, bit_width, lay_out, mask};
use super::{NullOrder, Order, codes, order_of_each};
use cuprum_elements::row_numbers::rows_fit_32_bits;

kernels! {
    pub static ROW_ORDER: "row_order.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ROWS = 8,
        /// Rows that it has in flight where they get codes: more would leave a multiprocessor fewer threads.
        CODED_ROWS = 4,
        /// Words that say what is known of a column.
        RANGE_WORDS = 7,
        /// Longer runs of ties are not sorted by one thread.
        SHORT = 32,
        /// Two to this power buckets of words say how many codes there are where.
        BUCKET_BITS = 13;

    fn order_few<Row in [u32, u64]>(
        columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>, n: usize, rows: Out<Row>,
    );
    fn find_disorder<Flag in [u32]>(
        columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>, n: usize,
        disorder: Out<Flag>,
    );
    fn key_ranges<N in [u64]>(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, ranges: Out<N>,
    );
    fn combine_ranges<N in [u64]>(parts: In<N>, num_parts: usize, num_columns: u32, ranges: Out<N>);
    fn fill_words<W in [u32, u64], Row in [u32, u64]>(
        columns: Structs<ColumnDeviceView>, fields: Structs<KeyField>, first: u32, end: u32,
        map: Option<In<Row>>, n: usize, out: Out<W>,
    );
    pub(super) fn sample_rows<Row in [u32, u64]>(n: usize, count: usize, rows: Out<Row>);
    pub(super) fn sample_bytes<W in [u64]>(
        words: In<W>, count: usize, greatest: u64, base: u64, digits: u32, seen: Out<u32>,
    );
    pub(super) fn spread_words<W in [u64]>(
        words: Out<W>, count: usize, greatest: u64, base: u64, digits: u32, seen: In<u32>,
    );
    pub(super) fn sample_range<W in [u64]>(words: In<W>, count: usize, greatest: u64, range: Out<u64>);
    pub(super) fn sample_buckets<W in [u64]>(
        words: In<W>, count: usize, greatest: u64, range: In<u64>, counts: Out<u32>,
    );
    pub(super) fn plan_codes<Count in [u32]>(counts: In<Count>, count: usize, starts: Out<u32>);
    pub(super) fn count_shared_codes<W in [u64]>(
        words: In<W>, count: usize, greatest: u64, range: In<u64>, starts: In<u32>, own: bool,
        table: Out<u32>, slots: usize, shared: Out<u32>,
    );
    pub(super) fn fill_codes<Code in [u32], Of in [Words, Spelled]>(
        columns: Structs<ColumnDeviceView>, fields: Structs<KeyField>, first: u32, end: u32, n: usize,
        greatest: u64, seen: Option<In<u32>>, base: u64, digits: u32, range: In<u64>, starts: In<u32>,
        out: Out<Code>,
    );
    pub(super) fn mark_shared_codes<Code in [u32]>(codes: In<Code>, n: usize, own: bool, ties: Out<u8>);
    pub(super) fn mark_ties<W in [u32, u64], Row in [u32, u64]>(
        words: In<W>, runs: Option<In<Row>>, n: usize, ties: Out<u8>,
    );
    pub(super) fn mark_runs<Row in [u32, u64]>(
        places: In<Row>, count: usize, ties: In<u8>, n: usize, wanted: Out<u32>, left: Out<u32>,
    );
    pub(super) fn refine_short<Row in [u32, u64]>(
        ties: In<u8>, n: usize, wanted: Option<In<u32>>, columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>,
        rows: Out<Row>, left: Out<u32>,
    );
    pub(super) fn run_heads<Row in [u32, u64]>(ties: In<u8>, n: usize, heads: Out<Row>, flags: Out<u8>);
    pub(super) fn find_disordered_runs<Row in [u32, u64]>(
        runs: In<Row>, starts: In<Row>, num_runs: usize, rows: In<Row>, n: usize,
        columns: Structs<ColumnDeviceView>, order: RowOrder, directions: Option<In<u8>>, disordered: Out<u32>,
        depth: Out<u64>,
    );
    pub(super) fn rows_of_disordered_runs<Row in [u32, u64]>(
        runs: In<Row>, disordered: In<u32>, n: usize, flags: Out<u8>,
    );
    fn take_numbers<Value in [u32, u64], Row in [u32, u64]>(
        from: In<Value>, map: In<Row>, n: usize, out: Out<Value>,
    );
    pub(super) fn put_numbers<Row in [u32, u64]>(numbers: In<Row>, places: In<Row>, n: usize, out: Out<Row>);
}

kernel_names! {
    /// Words as they are.
    pub(super) struct Words;
    /// Words as numbers of an alphabet.
    pub(super) struct Spelled;
}

kernel_struct! {
    /// How rows are compared; see `cuprum/row_order.cuh`.
    pub struct RowOrder {
        /// The first column they are compared by.
        pub(crate) first: u32,
        /// The one behind the last.
        pub(crate) end: u32,
        /// Whether columns descend, where there are no directions for each.
        pub(crate) descending: u32,
        /// Whether missing values come first.
        pub(crate) missing_first: u32,
        /// Bytes at the start of texts in the first column that are known to be the same.
        pub(crate) skip: u64,
    }
}

kernel_struct! {
    /// A piece of a word; see `row_order.cu`.
    pub(super) struct KeyField {
        origin: u64,
        low: u64,
        high: u64,
        base: u64,
        absent: u64,
        skip: u64,
        column: u32,
        kind: u32,
        shift: u32,
        bits: u32,
        descending: u32,
        missing_first: u32,
    }
}

/// Kinds of fields, as `row_order.cu` numbers them.
const KIND_VALUE: u32 = 0;
const KIND_HIGH: u32 = 1;
const KIND_MISSING: u32 = 2;
const KIND_TEXT: u32 = 3;

/// The most bytes of a text that a code holds.
pub(super) const LEADING_BYTES: u32 = 7;
/// The bits of such a code.
const TEXT_BITS: u32 = LEADING_BYTES * 8 + 4;

/// Numbers of rows at which the way they are ordered changes.
#[derive(Clone, Copy)]
pub struct Tuning {
    /// Up to so many are ordered by counting.
    pub few: usize,
    /// From so many on by codes, where words are wide and differ.
    pub(crate) coded: usize,
}

impl Tuning {
    /// What was measured to be fast.
    pub const DEFAULT: Self = Self { few: 1024, coded: 1 << 22 };
}

/// Integers that row numbers are kept in on a GPU.
pub trait DeviceRow: RadixKey + Payload + Native + Number<Bits = Self> {}
impl DeviceRow for u32 {}
impl DeviceRow for u64 {}

/// Fields in memory of a device.
pub(super) struct DeviceFields(DeviceBuffer);

impl DeviceFields {
    fn new(fields: &[KeyField], ctx: &Context) -> Result<Self> {
        Ok(Self(DeviceBuffer::from_host(bytemuck::cast_slice(fields), ctx)?))
    }
}

impl<'a> Argument<'a, Structs<KeyField>> for &'a DeviceFields {
    fn pass(self, arguments: &mut Arguments<'a>) {
        pass_structs(&self.0, std::iter::empty::<&DeviceSpan<'_, u8>>(), arguments);
    }
}

/// The grid of a kernel whose blocks have `ROWS` rows for each thread.
fn tiles(len: usize) -> Grid {
    Grid::covering(len, (THREADS * ROWS) as usize, THREADS)
}

/// Buckets of words, each with its codes.
pub(super) const BUCKETS: usize = 1 << BUCKET_BITS;

/// The grid of a kernel with a thread for each row.
pub(super) fn a_thread_each(len: usize) -> Grid {
    Grid::covering(len, THREADS as usize, THREADS)
}

/// The grid of a kernel whose blocks take `CODED_ROWS` rows for each thread again and again.
pub(super) fn resident_tiles(len: usize) -> Grid {
    Grid::resident(len.div_ceil((THREADS * CODED_ROWS) as usize), THREADS)
}

/// The grid of a kernel whose threads stride over rows.
pub(crate) fn striding(len: usize) -> Grid {
    Grid::striding(len, THREADS)
}

/// The key columns of a table on a GPU, none of which is a struct, and how rows are compared by them.
pub struct DeviceKeys<'a> {
    /// The columns.
    pub views: DeviceViews<'a>,
    /// How they are compared.
    pub order: RowOrder,
    /// 1 for each column that descends, where not all do alike.
    pub directions: Option<DeviceUVec<u8>>,
    columns: &'a [Column],
    orders: Vec<Order>,
    nulls: NullOrder,
    len: usize,
    /// What one pass finds of each column, once somebody has asked.
    ranges: OnceCell<Vec<Range>>,
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

    /// What one pass finds of all columns. Waits for it at the first call.
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

    /// How many rows have a value in a column that there is; nulls and NaN are none.
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
    pub(super) fn plan(&self, ctx: &Context) -> Result<Plan> {
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
        Ok(Plan::new(&parts))
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

/// What is known of the values of a column that are neither null nor NaN.
#[derive(Debug)]
pub(super) struct Range {
    /// The smallest and the largest, in their ordered form; the smallest is the larger where there are none.
    low: u128,
    high: u128,
    present: u64,
    /// The bytes that all texts begin with.
    shared: u64,
    /// The bytes of the longest text.
    longest: u64,
}

impl Range {
    fn from_words(words: &[u64]) -> Self {
        let wide = |i: usize| u128::from(words[i]) << 64 | u128::from(words[i + 1]);
        Self { low: wide(0), high: wide(2), present: words[4], shared: words[5], longest: words[6] }
    }
}

/// A part of a key: a whole column, or half of a decimal of 128 bits.
struct PlannedPart {
    column: usize,
    kind: u32,
    origin: u64,
    skip: u64,
    coding: Coding,
}

/// What rows are compared by, one after the other.
pub(super) struct Plan {
    pub(super) words: Vec<PlannedWord>,
    fields: Vec<KeyField>,
}

#[derive(Clone, Copy)]
pub(super) enum PlannedWord {
    /// Fields of a word; the columns before the first of them count no more.
    Bits { word: BitsOfFields, first_column: usize },
    /// The rest of the texts of a column, which begin with so many bytes alike where rows tie so far.
    Text { column: usize, skip: u64 },
}

impl PlannedWord {
    /// The first column that the word has a part of, and the bytes of it that count no more.
    pub(super) fn first_column(&self) -> (usize, u64) {
        match *self {
            Self::Bits { first_column, .. } => (first_column, 0),
            Self::Text { column, skip } => (column, skip),
        }
    }
}

/// Which fields a word has, and how many bits they take.
#[derive(Clone, Copy)]
pub(super) struct BitsOfFields {
    pub(super) fields: (u32, u32),
    pub(super) bits: u32,
}

impl Plan {
    fn new(parts: &[PlannedPart]) -> Self {
        let codings: Vec<Coding> = parts.iter().map(|part| part.coding).collect();
        let (mut words, mut fields) = (Vec::new(), Vec::new());
        for word in lay_out(&codings) {
            words.push(match word {
                Word::Bits { fields: of_word, first_column } => {
                    let first = fields.len() as u32;
                    fields.extend(of_word.iter().map(|field| key_field(&parts[field.column], field)));
                    let bits = of_word.iter().map(|field| field.bits).sum();
                    let word = BitsOfFields { fields: (first, fields.len() as u32), bits };
                    PlannedWord::Bits { word, first_column: parts[first_column].column }
                }
                Word::Text { column } => {
                    let part = &parts[column];
                    PlannedWord::Text { column: part.column, skip: part.skip + u64::from(LEADING_BYTES) }
                }
            });
        }
        Self { words, fields }
    }

    /// The greatest value that a word may have; that of missing rows where they come last and it has one field.
    pub(super) fn greatest(&self, word: &BitsOfFields) -> u64 {
        match self.fields.get(word.fields.0 as usize..word.fields.1 as usize) {
            Some([field]) if field.kind != KIND_MISSING && field.shift == 0 && field.absent > 0 => {
                field.absent
            }
            _ => mask(word.bits),
        }
    }

    /// How many bytes a word of a text alone begins with, and the least that it is.
    pub(super) fn text(&self, word: &BitsOfFields) -> Option<(u32, u64)> {
        match self.fields.get(word.fields.0 as usize..word.fields.1 as usize)? {
            [field] if field.kind > KIND_TEXT && field.shift == 0 => {
                Some((field.kind - KIND_TEXT, field.base))
            }
            _ => None,
        }
    }

    pub(super) fn fields(&self, ctx: &Context) -> Result<DeviceFields> {
        DeviceFields::new(&self.fields, &ctx.temporary()?)
    }
}

fn key_field(part: &PlannedPart, field: &Field) -> KeyField {
    let (base, absent) = part.coding.places();
    let (kind, shift) = match field.part {
        Part::Code(shift) => (part.kind, shift),
        Part::Missing => (KIND_MISSING, 0),
    };
    KeyField {
        origin: part.origin,
        low: part.coding.low,
        high: part.coding.high,
        base,
        absent,
        skip: part.skip,
        column: part.column as u32,
        kind,
        shift,
        bits: field.bits,
        descending: u32::from(part.coding.descending),
        missing_first: u32::from(part.coding.missing == Missing::First),
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

/// See [`super::sorted_order`]; none of the keys is a struct.
pub(crate) fn sorted_order(
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Column> {
    let keys = DeviceKeys::new(keys, orders, nulls, ctx)?;
    if rows_fit_32_bits(keys.len) {
        numbers_column(DataType::Int32, sorted_rows::<u32>(&keys, tuning, ctx)?)
    } else {
        numbers_column(DataType::Int64, sorted_rows::<u64>(&keys, tuning, ctx)?)
    }
}

/// A column of numbers without nulls.
pub fn numbers_column<T: bytemuck::Pod>(data_type: DataType, numbers: DeviceUVec<T>) -> Result<Column> {
    Column::from_buffer(data_type, numbers.len(), numbers.into_buffer().try_into()?, None)
}

/// The row numbers in the order of the keys.
pub(crate) fn sorted_rows<R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<DeviceUVec<R>> {
    nearly_sorted_rows(keys, tuning, ctx)?.refined(keys, ctx)
}

/// Row numbers in the order of the keys, but for those that tie so far.
pub struct NearlySorted<R: DeviceRow> {
    pub(super) rows: DeviceUVec<R>,
    pub(super) open: Option<Ties>,
}

/// Which rows tie in the words that they are sorted by.
pub(super) struct Ties {
    pub(super) plan: Plan,
    pub(super) fields: DeviceFields,
    /// 1 for each row that ties with its predecessor.
    pub(super) ties: DeviceUVec<u8>,
    /// The first word of the plan that may tell them apart.
    pub(super) next: usize,
}

/// The row numbers in the order of the keys, with rows that tie in the first word, or in its codes, in any order.
pub fn nearly_sorted_rows<R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<NearlySorted<R>> {
    let len = keys.len;
    let sorted = |rows| Ok(NearlySorted { rows, open: None });
    let in_order = || sorted(primitives::sequence(R::from_i64(0), R::from_i64(1), len, ctx)?);
    if keys.columns.is_empty() || len < 2 {
        return in_order();
    }
    if len <= tuning.few {
        let mut rows = DeviceUVec::<R>::uninit(len, ctx)?;
        let grid = Grid::covering(len, (THREADS / 32) as usize, THREADS);
        // SAFETY: the columns have `len` rows, each of which has one place.
        unsafe {
            order_few::<R>(ctx, grid, &keys.views, keys.order, keys.directions.as_ref(), len, &mut rows)?;
        }
        return sorted(rows);
    }
    let plan = keys.plan(ctx)?;
    let Some(&PlannedWord::Bits { word, .. }) = plan.words.first() else {
        // All rows are equal.
        return in_order();
    };
    let (fields, word) = (plan.fields(ctx)?, &word);
    if len >= tuning.coded
        && word.bits >= codes::LEAST_BITS
        && let Some((rows, ties)) = codes::sorted_by_codes::<R>(keys, &plan, &fields, word, ctx)?
    {
        return Ok(NearlySorted { rows, open: Some(Ties { plan, fields, ties, next: 0 }) });
    }
    let (rows, ties) = if word.bits <= u32::BITS {
        sorted_by_words::<u32, R>(keys, &plan, &fields, word, ctx)?
    } else {
        sorted_by_words::<u64, R>(keys, &plan, &fields, word, ctx)?
    };
    Ok(NearlySorted { rows, open: ties.map(|ties| Ties { plan, fields, ties, next: 1 }) })
}

/// The row numbers in the order of the first word, `word`, and 1 for each that ties with its predecessor where there are more.
fn sorted_by_words<W: RadixKey + Native, R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    plan: &Plan,
    fields: &DeviceFields,
    word: &BitsOfFields,
    ctx: &Context,
) -> Result<(DeviceUVec<R>, Option<DeviceUVec<u8>>)> {
    let temporary = ctx.temporary()?;
    let (words, rows) = {
        let words = keys.words::<W, R>(fields, word, None, ctx)?;
        let rows = primitives::sequence(R::from_i64(0), R::from_i64(1), keys.len, &temporary)?;
        primitives::sort_pairs(&words.span(), &rows.span(), 0..word.bits, ctx)?
    };
    if plan.words.len() == 1 {
        return Ok((rows, None));
    }
    let ties = ties_of::<W, R>(&words, None, ctx)?;
    Ok((rows, Some(ties)))
}

/// The values of a column that are not missing, in order.
pub struct SortedValues {
    /// What they are above the smallest one, ascending; what is behind the first `len` are missing.
    codes: DeviceUVec<u64>,
    /// How many there are.
    pub len: usize,
    low: u64,
}

impl SortedValues {
    /// The values of a column of fixed width, at most 64 bits.
    pub fn new(column: &Column, ctx: &Context) -> Result<Self> {
        let table = Table::new(vec![column.clone()])?;
        let keys = DeviceKeys::new(&table, &[], NullOrder::Last, ctx)?;
        let range = keys.ranges(ctx)?.first().ok_or_else(|| Error::logic("a range for each column"))?;
        let (low, high, len) = (range.low as u64, range.high as u64, range.present as usize);
        if len == 0 {
            return Ok(Self { codes: DeviceUVec::uninit(0, ctx)?, len, low: 0 });
        }
        let coding = Coding::new(low, high, false, Order::Ascending, NullOrder::Last);
        let part = PlannedPart { column: 0, kind: KIND_VALUE, origin: 0, skip: 0, coding };
        let bits = bit_width(high - low);
        let field = Field { column: 0, part: Part::Code(0), bits };
        // As large as the largest value, and so behind all others or among their equals.
        let field = KeyField { absent: high - low, ..key_field(&part, &field) };
        let fields = DeviceFields::new(&[field], &ctx.temporary()?)?;
        let word = BitsOfFields { fields: (0, 1), bits };
        let words = keys.words::<u64, u32>(&fields, &word, None, ctx)?;
        let codes = primitives::sort_keys(&words.span(), 0..bits, &ctx.temporary()?)?;
        Ok(Self { codes, len, low })
    }

    /// The values at some positions below `len`, in their ordered form. Waits for them.
    pub fn at(&self, positions: &[u64], ctx: &Context) -> Result<Vec<u64>> {
        if let Some(outside) = positions.iter().find(|&&position| position >= self.len as u64) {
            return Err(Error::out_of_range(format!("value {outside} of {}", self.len)));
        }
        let positions = DeviceUVec::from_slice(positions, &ctx.temporary()?)?;
        let codes = taken(&self.codes, &positions, ctx)?.to_vec()?;
        Ok(codes.into_iter().map(|code| code + self.low).collect())
    }
}

/// 1 for each row that has the word, and the run, of its predecessor.
pub(super) fn ties_of<W: Native, R: DeviceRow>(
    words: &DeviceUVec<W>,
    runs: Option<&DeviceUVec<R>>,
    ctx: &Context,
) -> Result<DeviceUVec<u8>> {
    let mut ties = DeviceUVec::<u8>::uninit(words.len(), &ctx.temporary()?)?;
    // SAFETY: words, runs and ties are as many.
    unsafe { mark_ties::<W, R>(ctx, striding(words.len()), words, runs, words.len(), &mut ties)? };
    Ok(ties)
}

/// `from[map[i]]` for each number of the map, which are below the length of `from`.
pub fn taken<V: Native, R: DeviceRow>(
    from: &DeviceUVec<V>,
    map: &DeviceUVec<R>,
    ctx: &Context,
) -> Result<DeviceUVec<V>> {
    let len = map.len();
    let mut out = DeviceUVec::<V>::uninit(len, &ctx.temporary()?)?;
    // SAFETY: the map has numbers below the length of `from`.
    unsafe { take_numbers::<V, R>(ctx, striding(len), from, map, len, &mut out)? };
    Ok(out)
}

/// Whether no row comes before its predecessor.
pub(crate) fn is_sorted(keys: &DeviceKeys<'_>, ctx: &Context) -> Result<bool> {
    if keys.columns.is_empty() || keys.len < 2 {
        return Ok(true);
    }
    let mut disorder = DeviceUVec::<u32>::zeroed(1, &ctx.temporary()?)?;
    let (grid, directions) = (striding(keys.len), keys.directions.as_ref());
    // SAFETY: the columns have `len` rows.
    unsafe { find_disorder::<u32>(ctx, grid, &keys.views, keys.order, directions, keys.len, &mut disorder)? };
    Ok(disorder.element(0)? == 0)
}

/// The bits that numbers up to `most` take.
pub fn bits_for(most: usize) -> u32 {
    bit_width(most as u64)
}
