//! Keys as words, the same on every device.
//!
//! A value becomes a *code*: `ordered(value) − low`, or `high − ordered(value)` for a descending
//! key, where `ordered` keeps the order and `low`/`high` are the extremes of the column. A missing
//! value takes the code before or after all others. The codes of all columns, most significant
//! first, are a string of bits that is cut into words of 64.

use super::options::{NullOrder, Order};

/// The position of missing values of a key; `Never` without any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    Never,
    First,
    Last,
}

/// The encoding of one column's values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coding {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) descending: bool,
    pub(super) missing: Missing,
    /// A string may be longer than its code.
    pub(super) continues: bool,
}

impl Coding {
    /// The coding of values from `low` to `high`; of none where `low` is the larger one.
    pub(super) fn new(low: u64, high: u64, has_missing: bool, order: Order, nulls: NullOrder) -> Self {
        let missing = match (has_missing, nulls) {
            (false, _) => Missing::Never,
            (true, NullOrder::First) => Missing::First,
            (true, NullOrder::Last) => Missing::Last,
        };
        let (low, high) = if low > high { (0, 0) } else { (low, high) };
        Self { low, high, descending: order == Order::Descending, missing, continues: false }
    }

    /// Whether missing values need a bit of their own, and the bits of the code.
    fn code_bits(&self) -> (bool, u32) {
        let span = self.high - self.low;
        match (self.missing, span.checked_add(1)) {
            (Missing::Never, _) => (false, bit_width(span)),
            (_, Some(span)) => (false, bit_width(span)),
            (_, None) => (true, 64),
        }
    }

    /// The first code of present values, and the code of the missing.
    pub(super) fn places(&self) -> (u64, u64) {
        match (self.missing, (self.high - self.low).checked_add(1)) {
            (Missing::Never, _) | (_, None) => (0, 0),
            (Missing::First, Some(_)) => (1, 0),
            (Missing::Last, Some(after)) => (0, after),
        }
    }
}

/// Part of a column's code within a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) column: usize,
    pub(super) part: Part,
    pub(super) bits: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The code, shifted right by so many bits.
    Code(u32),
    /// 1 or 0: missing or not, for the rare code that has no room for the missing.
    Missing,
}

/// The words that rows are compared by, one after the other.
#[derive(Debug)]
pub(super) enum Word {
    Bits { fields: Vec<Field>, first_column: usize },
    Text { column: usize },
}

/// Cuts the codes of all columns into words.
pub(super) fn lay_out(columns: &[Coding]) -> Vec<Word> {
    /// A piece of a code smaller than this waits for the next word.
    const WORTHWHILE: u32 = 16;
    let mut words = Vec::new();
    let mut fields: Vec<Field> = Vec::new();
    let mut free = 64;
    let flush = |fields: &mut Vec<Field>, words: &mut Vec<Word>| {
        if let Some(first) = fields.first() {
            let first_column = first.column;
            words.push(Word::Bits { fields: std::mem::take(fields), first_column });
        }
    };
    for (c, column) in columns.iter().enumerate() {
        let (missing, mut bits) = column.code_bits();
        if missing {
            if free == 0 {
                flush(&mut fields, &mut words);
                free = 64;
            }
            fields.push(Field { column: c, part: Part::Missing, bits: 1 });
            free -= 1;
        }
        while bits > 0 {
            if free == 0 || (bits > free && free < WORTHWHILE) {
                flush(&mut fields, &mut words);
                free = 64;
            }
            let taken = bits.min(free);
            bits -= taken;
            free -= taken;
            fields.push(Field { column: c, part: Part::Code(bits), bits: taken });
        }
        if column.continues {
            flush(&mut fields, &mut words);
            free = 64;
            words.push(Word::Text { column: c });
        }
    }
    flush(&mut fields, &mut words);
    words
}

pub(super) const fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The bits that it takes to write a number down.
pub(crate) const fn bit_width(value: u64) -> u32 {
    64 - value.leading_zeros()
}
