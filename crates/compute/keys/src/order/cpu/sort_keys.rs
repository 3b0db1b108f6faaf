//! Sort keys as words of unsigned integers, on the CPU.

use std::cmp::Ordering;

use cuprum_column::types::Storage;
use cuprum_column::{Bitmap, ColumnView, Context, Error, HostUVec, Native, Result, StringsView};
use cuprum_runtime::parallel;

use crate::order::layout::{Coding, Missing, Part, Word, bit_width, lay_out, mask};
use crate::order::options::{NullOrder, Order};
use crate::ordered_bits::{Ordered, ordered_128, ordered_128_range};

/// Rows whose words are made at a time: a block of words stays in the first-level cache.
pub const BLOCK: usize = 512;

enum Values<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    /// 64 bits of the ordered form of decimals of 128.
    Part(HostUVec<u64>),
    /// The leading bytes of every string as an integer (see [`leading`]), and the strings.
    Text(HostUVec<u64>, StringsView<'a>),
}

macro_rules! with_values {
    ($values:expr, $v:ident => $body:expr) => {
        match $values {
            Values::I8($v) => $body,
            Values::I16($v) => $body,
            Values::I32($v) => $body,
            Values::I64($v) => $body,
            Values::U8($v) => $body,
            Values::U16($v) => $body,
            Values::U32($v) => $body,
            Values::U64($v) => $body,
            Values::F32($v) => $body,
            Values::F64($v) => $body,
            Values::Part(codes) | Values::Text(codes, _) => {
                let $v: &[u64] = codes;
                $body
            }
        }
    };
}

/// One key column.
struct KeyColumn<'a> {
    values: Values<'a>,
    validity: Option<Bitmap<'a>>,
    coding: Coding,
    /// Every value can be had back from its code.
    lossless: bool,
}

/// The keys of a sort.
pub struct SortKeys<'a> {
    columns: Vec<KeyColumn<'a>>,
    /// The first of `columns` that each key has: wide decimals have two.
    firsts: Vec<usize>,
    words: Vec<Word>,
    len: usize,
}

impl<'a> SortKeys<'a> {
    /// The keys of `len` rows; `orders` has one entry per column.
    pub(crate) fn new(
        columns: &'a [ColumnView<'_>],
        len: usize,
        orders: &[Order],
        nulls: NullOrder,
        ctx: &Context,
    ) -> Result<Self> {
        let (mut parts, mut firsts) = (Vec::with_capacity(columns.len()), Vec::with_capacity(columns.len()));
        for (column, order) in columns.iter().zip(orders) {
            firsts.push(parts.len());
            KeyColumn::add(column, *order, nulls, &mut parts, ctx)?;
        }
        let codings: Vec<Coding> = parts.iter().map(|part| part.coding).collect();
        let words = lay_out(&codings);
        Ok(Self { columns: parts, firsts, words, len })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of words rows are compared by.
    pub(crate) fn num_words(&self) -> usize {
        self.words.len()
    }

    /// The number of low bits of the first word in use.
    pub(crate) fn first_word_bits(&self) -> u32 {
        match self.words.first() {
            Some(Word::Bits { fields, .. }) => fields.iter().map(|f| f.bits).sum(),
            _ => 0,
        }
    }

    /// Word 0 of the rows from `start` on, as many as `out` holds (at most [`BLOCK`]).
    pub fn fill(&self, start: usize, out: &mut [u64]) {
        let Some(Word::Bits { fields, .. }) = self.words.first() else {
            out.fill(0);
            return;
        };
        let mut codes = [0u64; BLOCK];
        for (i, field) in fields.iter().enumerate() {
            let column = &self.columns[field.column];
            if i == 0 && field.part == Part::Code(0) {
                column.codes(start, out);
                continue;
            }
            let codes = &mut codes[..out.len()];
            let shift = match field.part {
                Part::Code(shift) => {
                    column.codes(start, codes);
                    shift
                }
                Part::Missing => {
                    codes.iter_mut().enumerate().for_each(|(j, c)| *c = column.missing_bit(start + j));
                    0
                }
            };
            if i == 0 {
                out.iter_mut().zip(codes).for_each(|(out, code)| *out = *code >> shift & mask(field.bits));
            } else {
                // A later field leaves room for the first, so it has fewer than 64 bits.
                let (bits, mask) = (field.bits, mask(field.bits));
                out.iter_mut().zip(codes).for_each(|(out, code)| *out = *out << bits | *code >> shift & mask);
            }
        }
    }

    /// Word `word` of one row.
    pub(crate) fn word_at(&self, word: usize, row: usize) -> u64 {
        let Some(Word::Bits { fields, .. }) = self.words.get(word) else {
            return 0;
        };
        let mut out = 0u64;
        for field in fields {
            let column = &self.columns[field.column];
            let value = match field.part {
                Part::Code(shift) => column.code(row) >> shift & mask(field.bits),
                Part::Missing => column.missing_bit(row),
            };
            out = out.checked_shl(field.bits).unwrap_or(0) | value;
        }
        out
    }

    /// The strings that word `word` stands for whole, if it does, and whether they descend.
    #[inline]
    pub fn text(&self, word: usize) -> Option<(StringsView<'a>, bool)> {
        match self.words.get(word)? {
            Word::Text { column } => match &self.columns[*column] {
                KeyColumn { values: Values::Text(_, strings), coding, .. } => {
                    Some((*strings, coding.descending))
                }
                _ => None,
            },
            Word::Bits { .. } => None,
        }
    }

    /// Whether rows that tie with `row` on the words before the text word `word` may differ in it:
    /// not if they are null or have ended.
    pub(crate) fn text_continues(&self, word: usize, row: usize) -> bool {
        match self.words.get(word) {
            Some(Word::Text { column }) => {
                let key = &self.columns[*column];
                key.is_present(row)
                    && matches!(&key.values, Values::Text(codes, _) if codes[row] & 15 > LEADING_BYTES as u64)
            }
            _ => false,
        }
    }

    /// Whether a row has no value in column 0.
    pub(crate) fn is_missing(&self, row: usize) -> bool {
        self.columns.first().is_some_and(|c| !c.is_present(row))
    }

    /// Whether column 0 has missing values.
    pub(crate) fn any_missing(&self) -> bool {
        self.columns.first().is_some_and(|c| c.coding.missing != Missing::Never)
    }

    /// Two rows by everything from word `word` on.
    #[inline]
    pub fn compare(&self, word: usize, a: usize, b: usize) -> Ordering {
        let first = match self.words.get(word) {
            Some(Word::Bits { first_column, .. }) => *first_column,
            Some(Word::Text { column }) => *column,
            None => return Ordering::Equal,
        };
        self.columns[first..]
            .iter()
            .map(|column| column.compare(a, b))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// The decoder of the values of key column `column` from first words, if they determine them.
    pub(crate) fn decoder(&self, column: usize) -> Option<Decoder> {
        let Some(Word::Bits { fields, .. }) = self.words.first() else {
            return None;
        };
        let column = *self.firsts.get(column)?;
        let key = self.columns.get(column)?;
        if !key.lossless || key.coding.missing != Missing::Never {
            return None;
        }
        let Coding { low, high, descending, .. } = key.coding;
        let bits = bit_width(high - low);
        let place = fields.iter().position(|f| f.column == column);
        if place.map_or(0, |place| fields[place].bits) != bits {
            return None;
        }
        let shift = place.map_or(0, |place| fields[place + 1..].iter().map(|f| f.bits).sum());
        Some(Decoder { shift, bits, low, high, descending })
    }
}

/// Computes a column's values from words.
#[derive(Clone, Copy)]
pub(crate) struct Decoder {
    shift: u32,
    bits: u32,
    low: u64,
    high: u64,
    descending: bool,
}

impl Decoder {
    /// The value in a word.
    #[inline(always)]
    pub(crate) fn decode<T: Ordered>(&self, word: u64) -> T {
        let code = word.checked_shr(self.shift).unwrap_or(0) & mask(self.bits);
        T::from_ordered(if self.descending { self.high - code } else { self.low + code })
    }
}

impl<'a> KeyColumn<'a> {
    /// Appends the columns that make up the key `view`: one, or two for decimals that differ in more than
    /// 64 bits.
    fn add(
        view: &'a ColumnView<'_>,
        order: Order,
        nulls: NullOrder,
        columns: &mut Vec<Self>,
        ctx: &Context,
    ) -> Result<()> {
        let validity = view.validity();
        let mut continues = false;
        let (values, range) = match view.data_type().storage() {
            Storage::Bytes => {
                let strings = view.strings()?;
                let (codes, longest) = leading_codes(&strings, ctx)?;
                continues = longest > LEADING_BYTES;
                let range = scan(&codes, validity, ctx)?;
                (Values::Text(codes, strings), range)
            }
            Storage::I8 => scanned(view, Values::I8, ctx)?,
            Storage::I16 => scanned(view, Values::I16, ctx)?,
            Storage::I32 => scanned(view, Values::I32, ctx)?,
            Storage::I64 => scanned(view, Values::I64, ctx)?,
            Storage::U8 => scanned(view, Values::U8, ctx)?,
            Storage::U16 => scanned(view, Values::U16, ctx)?,
            Storage::U32 => scanned(view, Values::U32, ctx)?,
            Storage::U64 => scanned(view, Values::U64, ctx)?,
            Storage::F32 => scanned(view, Values::F32, ctx)?,
            Storage::F64 => scanned(view, Values::F64, ctx)?,
            Storage::I128 => {
                for part in decimal_parts(view, ctx)? {
                    let range = scan(&part, validity, ctx)?;
                    columns.push(Self::new(Values::Part(part), range, validity, order, nulls));
                }
                return Ok(());
            }
            _ => {
                return Err(Error::unsupported(format!("sorting by a column of type {}", view.data_type())));
            }
        };
        let mut column = Self::new(values, range, validity, order, nulls);
        column.coding.continues = continues;
        columns.push(column);
        Ok(())
    }

    fn new(
        values: Values<'a>,
        range: Range,
        validity: Option<Bitmap<'a>>,
        order: Order,
        nulls: NullOrder,
    ) -> Self {
        let has_missing = range.nan || validity.is_some();
        Self {
            lossless: !range.minus_zero && !matches!(values, Values::Text(..) | Values::Part(_)),
            values,
            validity,
            coding: Coding::new(range.low, range.high, has_missing, order, nulls),
        }
    }

    #[inline(always)]
    fn code_of<T: Ordered>(&self, value: T) -> u64 {
        if self.coding.descending {
            self.coding.high.wrapping_sub(value.ordered())
        } else {
            value.ordered().wrapping_sub(self.coding.low)
        }
    }

    fn codes(&self, start: usize, out: &mut [u64]) {
        with_values!(&self.values, values => {
            let values = &values[start..start + out.len()];
            if self.coding.missing == Missing::Never {
                if self.coding.descending {
                    let high = self.coding.high;
                    out.iter_mut().zip(values).for_each(|(o, v)| *o = high.wrapping_sub(v.ordered()));
                } else {
                    let low = self.coding.low;
                    out.iter_mut().zip(values).for_each(|(o, v)| *o = v.ordered().wrapping_sub(low));
                }
                return;
            }
            let (base, absent) = self.coding.places();
            let code = |v: &_| {
                if is_nan(v) { absent } else { self.code_of(*v).wrapping_add(base) }
            };
            match self.validity {
                None => out.iter_mut().zip(values).for_each(|(o, v)| *o = code(v)),
                Some(bits) => {
                    let bits = bits.slice(start..start + out.len());
                    for (w, (out, values)) in out.chunks_mut(64).zip(values.chunks(64)).enumerate() {
                        let mut word = bits.word(w);
                        for (o, v) in out.iter_mut().zip(values) {
                            *o = if word & 1 != 0 { code(v) } else { absent };
                            word >>= 1;
                        }
                    }
                }
            }
        });
    }

    fn is_present(&self, row: usize) -> bool {
        self.coding.missing == Missing::Never
            || (self.validity.is_none_or(|bits| bits.get(row))
                && with_values!(&self.values, values => !is_nan(&values[row])))
    }

    fn code(&self, row: usize) -> u64 {
        let (base, absent) = self.coding.places();
        if !self.is_present(row) {
            return absent;
        }
        with_values!(&self.values, values => self.code_of(values[row]).wrapping_add(base))
    }

    /// The bit that places missing rows before (0 of them) or after (1) the others.
    fn missing_bit(&self, row: usize) -> u64 {
        u64::from(self.is_present(row) == (self.coding.missing == Missing::First))
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        match (self.is_present(a), self.is_present(b)) {
            (false, false) => return Ordering::Equal,
            (true, true) => {}
            (present, _) if present == (self.coding.missing == Missing::First) => return Ordering::Greater,
            _ => return Ordering::Less,
        }
        let order = if let Values::Text(codes, strings) = &self.values {
            codes[a].cmp(&codes[b]).then_with(|| strings.bytes(a).cmp(strings.bytes(b)))
        } else {
            with_values!(&self.values, values => values[a].ordered().cmp(&values[b].ordered()))
        };
        if self.coding.descending { order.reverse() } else { order }
    }
}

#[inline(always)]
fn is_nan<T: Native>(value: &T) -> bool {
    T::IS_FLOAT && value.is_nan()
}

/// The extremes of the values that are neither null nor NaN (`low > high` if there are none).
struct Range {
    low: u64,
    high: u64,
    nan: bool,
    minus_zero: bool,
}

fn scanned<'a, T: Ordered>(
    view: &'a ColumnView<'_>,
    wrap: impl Fn(&'a [T]) -> Values<'a>,
    ctx: &Context,
) -> Result<(Values<'a>, Range)> {
    let values = view.values::<T>()?;
    Ok((wrap(values), scan(values, view.validity(), ctx)?))
}

fn scan<T: Ordered>(values: &[T], validity: Option<Bitmap<'_>>, ctx: &Context) -> Result<Range> {
    let parts = parallel::map_morsels(values.len(), ctx, |range| {
        let (mut low, mut high) = ([T::GREATEST; 8], [T::LEAST; 8]);
        let (mut nan, mut minus_zero, mut any) = (false, false, false);
        let mut see = |lane: usize, v: T| {
            low[lane] = if v < low[lane] { v } else { low[lane] };
            high[lane] = if v > high[lane] { v } else { high[lane] };
            nan |= is_nan(&v);
            any |= !is_nan(&v);
            minus_zero |= v.is_minus_zero();
        };
        match validity {
            None => {
                let mut chunks = values[range].chunks_exact(8);
                for chunk in &mut chunks {
                    (0..8).for_each(|lane| see(lane, chunk[lane]));
                }
                chunks.remainder().iter().for_each(|v| see(0, *v));
            }
            Some(bits) => {
                let values = &values[range.clone()];
                bits.slice(range).set_bits().for_each(|i| see(i & 7, values[i]));
            }
        }
        let low = low.into_iter().map(Ordered::ordered).min().unwrap_or(0);
        let high = high.into_iter().map(Ordered::ordered).max().unwrap_or(0);
        Ok(if any {
            Range { low, high, nan, minus_zero }
        } else {
            Range { low: u64::MAX, high: 0, nan, minus_zero }
        })
    })?;
    Ok(parts.into_iter().fold(Range { low: u64::MAX, high: 0, nan: false, minus_zero: false }, |a, b| {
        Range {
            low: a.low.min(b.low),
            high: a.high.max(b.high),
            nan: a.nan | b.nan,
            minus_zero: a.minus_zero | b.minus_zero,
        }
    }))
}

/// Decimals of 128 bits as words, the more significant one first: one where they differ in 64 bits alone,
/// else two.
fn decimal_parts(view: &ColumnView<'_>, ctx: &Context) -> Result<Vec<HostUVec<u64>>> {
    let values = view.values::<i128>()?;
    let (low, high) = ordered_128_range(values, view.validity(), ctx)?;
    let wide = high.saturating_sub(low) > u128::from(u64::MAX);
    let part = |shift| {
        // A value under a null may be below `low`.
        HostUVec::from_fn(values.len(), ctx, |i| (ordered_128(values[i]).wrapping_sub(low) >> shift) as u64)
    };
    if wide { Ok(vec![part(64)?, part(0)?]) } else { Ok(vec![part(0)?]) }
}

/// Bytes of a string that its code holds.
const LEADING_BYTES: usize = 7;

/// The first seven bytes, most significant first, then four bits for how many bytes there are
/// (8: more than seven). Without these "a" and "a\0" would be one.
#[inline(always)]
fn leading(bytes: &[u8]) -> u64 {
    let held = bytes.len().min(LEADING_BYTES);
    let word = if let Some(eight) = bytes.first_chunk::<8>() {
        u64::from_be_bytes(*eight)
    } else {
        let mut padded = [0u8; 8];
        padded[..held].copy_from_slice(&bytes[..held]);
        u64::from_be_bytes(padded)
    };
    word >> 8 << 4 | bytes.len().min(LEADING_BYTES + 1) as u64
}

/// [`leading`] of all strings after the bytes that all of them share, and the longest such rest.
fn leading_codes(strings: &StringsView<'_>, ctx: &Context) -> Result<(HostUVec<u64>, usize)> {
    let valid = |i: usize| strings.validity().is_none_or(|bits| bits.get(i));
    let Some(first) = (0..strings.len()).find(|&i| valid(i)).map(|i| strings.bytes(i)) else {
        return Ok((HostUVec::zeroed(strings.len(), ctx)?, 0));
    };
    let extent = parallel::map_morsels(strings.len(), ctx, |range| {
        let (mut shared, mut longest) = (first.len(), 0);
        for i in range.filter(|&i| valid(i)) {
            let bytes = strings.bytes(i);
            longest = longest.max(bytes.len());
            if !bytes.starts_with(&first[..shared]) {
                shared = first.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            }
        }
        Ok((shared, longest))
    })?;
    let shared = extent.iter().map(|e| e.0).min().unwrap_or(0);
    let longest = extent.iter().map(|e| e.1).max().unwrap_or(0);
    let codes = HostUVec::from_fn(strings.len(), ctx, |i| {
        // A null may have fewer bytes than all valid strings share.
        strings.bytes(i).get(shared..).map_or(0, leading)
    })?;
    Ok((codes, longest.saturating_sub(shared)))
}
