//! The words that rows are compared by on a GPU: the ranges of the columns, laid out as on the CPU.

use cuprum_column::{Context, Result};
use cuprum_runtime::kernel::{Argument, Arguments, Structs, pass_structs};
use cuprum_runtime::{DeviceBuffer, DeviceSpan};

use super::kernels::KeyField;
use crate::order::layout::{Coding, Field, Missing, Part, Word, lay_out, mask};

/// Kinds of fields, as `order.cu` numbers them.
pub(in crate::order) const KIND_VALUE: u32 = 0;

pub(in crate::order) const KIND_HIGH: u32 = 1;

const KIND_MISSING: u32 = 2;

pub(in crate::order) const KIND_TEXT: u32 = 3;

/// The most bytes of a text that a code holds.
pub(in crate::order) const LEADING_BYTES: u32 = 7;

/// The bits of such a code.
pub(in crate::order) const TEXT_BITS: u32 = LEADING_BYTES * 8 + 4;

/// Fields in memory of a device.
pub(in crate::order) struct DeviceFields(DeviceBuffer);

impl DeviceFields {
    pub(in crate::order) fn new(fields: &[KeyField], ctx: &Context) -> Result<Self> {
        Ok(Self(DeviceBuffer::from_host(bytemuck::cast_slice(fields), ctx)?))
    }
}

impl<'a> Argument<'a, Structs<KeyField>> for &'a DeviceFields {
    fn pass(self, arguments: &mut Arguments<'a>) {
        pass_structs(&self.0, std::iter::empty::<&DeviceSpan<'_, u8>>(), arguments);
    }
}

/// The range of the values of a column that are neither null nor NaN.
#[derive(Debug)]
pub(in crate::order) struct Range {
    /// The smallest and the largest, in their ordered form; the smallest is the larger where there are none.
    pub(in crate::order) low: u128,
    pub(in crate::order) high: u128,
    pub(in crate::order) present: u64,
    /// The bytes that all texts begin with.
    pub(in crate::order) shared: u64,
    /// The bytes of the longest text.
    pub(in crate::order) longest: u64,
}

impl Range {
    pub(in crate::order) fn from_words(words: &[u64]) -> Self {
        let wide = |i: usize| u128::from(words[i]) << 64 | u128::from(words[i + 1]);
        Self { low: wide(0), high: wide(2), present: words[4], shared: words[5], longest: words[6] }
    }
}

/// A part of a key: a whole column, or half of a decimal of 128 bits.
pub(in crate::order) struct PlannedPart {
    pub(in crate::order) column: usize,
    pub(in crate::order) kind: u32,
    pub(in crate::order) origin: u64,
    pub(in crate::order) skip: u64,
    pub(in crate::order) coding: Coding,
}

/// The words that rows are compared by, one after the other.
pub(in crate::order) struct WordPlan {
    pub(in crate::order) words: Vec<PlannedWord>,
    fields: Vec<KeyField>,
}

#[derive(Clone, Copy)]
pub(in crate::order) enum PlannedWord {
    /// Fields of a word; columns before the first of them are decided.
    Bits { word: BitsOfFields, first_column: usize },
    /// The rest of the texts of a column, after so many bytes that tied rows share.
    Text { column: usize, skip: u64 },
}

impl PlannedWord {
    /// The first column that the word has a part of, and its bytes that are decided.
    pub(in crate::order) fn first_column(&self) -> (usize, u64) {
        match *self {
            Self::Bits { first_column, .. } => (first_column, 0),
            Self::Text { column, skip } => (column, skip),
        }
    }
}

/// The fields of a word, and the number of their bits.
#[derive(Clone, Copy)]
pub(in crate::order) struct BitsOfFields {
    pub(in crate::order) fields: (u32, u32),
    pub(in crate::order) bits: u32,
}

impl WordPlan {
    pub(in crate::order) fn new(parts: &[PlannedPart]) -> Self {
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
    pub(in crate::order) fn greatest(&self, word: &BitsOfFields) -> u64 {
        match self.fields.get(word.fields.0 as usize..word.fields.1 as usize) {
            Some([field]) if field.kind != KIND_MISSING && field.shift == 0 && field.absent > 0 => {
                field.absent
            }
            _ => mask(word.bits),
        }
    }

    /// The number of leading bytes in a word of a text alone, and the least word.
    pub(in crate::order) fn text(&self, word: &BitsOfFields) -> Option<(u32, u64)> {
        match self.fields.get(word.fields.0 as usize..word.fields.1 as usize)? {
            [field] if field.kind > KIND_TEXT && field.shift == 0 => {
                Some((field.kind - KIND_TEXT, field.base))
            }
            _ => None,
        }
    }

    pub(in crate::order) fn fields(&self, ctx: &Context) -> Result<DeviceFields> {
        DeviceFields::new(&self.fields, &ctx.temporary()?)
    }
}

pub(in crate::order) fn key_field(part: &PlannedPart, field: &Field) -> KeyField {
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
