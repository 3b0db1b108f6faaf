//! The statistics of a column: number of values, minimum and maximum.

use cuprum_column::Result;

use super::messages::{Fields, Message};

/// Of one column of a stripe, or of a file.
#[derive(Clone, Debug)]
pub(super) struct Statistics {
    pub(super) count: u64,
    pub(super) has_null: bool,
    pub(super) range: Range,
}

/// The least and the greatest value.
#[derive(Clone, Debug)]
pub(super) enum Range {
    /// Of no values, or of a type that has none.
    None,
    /// With the sum, where it fits.
    Integers(i64, i64, Option<i64>),
    /// NaN is in no range: where there is one, there is no range.
    Floats(f64, f64),
    /// With the sum of the lengths.
    Texts(Vec<u8>, Vec<u8>, u64),
    /// The number of true values.
    Booleans(u64),
    /// In days since 1970.
    Dates(i64, i64),
    /// In milliseconds since 1970.
    Timestamps(i64, i64),
    /// The sum of the lengths.
    Bytes(u64),
}

/// The most bytes of a text that is written as the least or the greatest.
const TEXT: usize = 1024;

impl Statistics {
    /// Of both.
    pub(super) fn merge(&mut self, other: &Self) {
        use Range::{Booleans, Bytes, Dates, Floats, Integers, Texts, Timestamps};
        let was_empty = self.count == 0;
        self.count += other.count;
        self.has_null |= other.has_null;
        if other.count == 0 {
            return;
        }
        if was_empty {
            self.range = other.range.clone();
            return;
        }
        self.range = match (std::mem::replace(&mut self.range, Range::None), &other.range) {
            (Integers(a, b, sum), Integers(c, d, other)) => {
                Integers(a.min(*c), b.max(*d), sum.zip(*other).and_then(|(a, b)| a.checked_add(b)))
            }
            (Floats(a, b), Floats(c, d)) => Floats(a.min(*c), b.max(*d)),
            (Texts(a, b, len), Texts(c, d, other)) => Texts(a.min(c.clone()), b.max(d.clone()), len + other),
            (Booleans(a), Booleans(b)) => Booleans(a + b),
            (Dates(a, b), Dates(c, d)) => Dates(a.min(*c), b.max(*d)),
            (Timestamps(a, b), Timestamps(c, d)) => Timestamps(a.min(*c), b.max(*d)),
            (Bytes(a), Bytes(b)) => Bytes(a + b),
            _ => Range::None,
        };
    }

    pub(super) fn message(&self) -> Message {
        let message = Message::default().number(1, self.count);
        let own = Message::default;
        let message = match &self.range {
            Range::None => message,
            Range::Integers(least, greatest, sum) => {
                let of = own().signed(1, *least).signed(2, *greatest);
                message.message(2, sum.iter().fold(of, |of, &sum| of.signed(3, sum)))
            }
            Range::Floats(least, greatest) => {
                message.message(3, own().double(1, *least).double(2, *greatest))
            }
            Range::Texts(least, greatest, len) if least.len().max(greatest.len()) <= TEXT => {
                message.message(4, own().bytes(1, least).bytes(2, greatest).signed(3, *len as i64))
            }
            Range::Texts(_, _, len) => message.message(4, own().signed(3, *len as i64)),
            Range::Booleans(count) => message.message(5, own().numbers(1, [*count])),
            Range::Dates(least, greatest) => message.message(7, own().signed(1, *least).signed(2, *greatest)),
            Range::Bytes(len) => message.message(8, own().signed(1, *len as i64)),
            Range::Timestamps(least, greatest) => {
                message.message(9, own().signed(3, *least).signed(4, *greatest))
            }
        };
        message.number(10, u64::from(self.has_null))
    }
}

/// The range of some numbers.
pub(super) fn least_and_greatest(values: &[i64]) -> Option<(i64, i64)> {
    Some((*values.iter().min()?, *values.iter().max()?))
}

/// A statistic of a column, as a file tells it.
#[derive(Clone, Debug, PartialEq)]
pub enum Statistic {
    /// Of integers, days and milliseconds since 1970, lengths and counts.
    Integer(i64),
    /// Of floats.
    Float(f64),
    /// Of texts, and of decimals in digits.
    Text(String),
    /// The number of times each value occurs; of truth values the number of true ones.
    Counts(Vec<u64>),
}

/// The statistics of a column, in a stripe or in all of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnStatistics {
    /// The number of values, without nulls.
    pub number_of_values: Option<u64>,
    /// Whether there are nulls.
    pub has_null: Option<bool>,
    /// All else, by the names that the format has for it: `minimum`, `maximum`, `sum`, `count`, ….
    pub others: Vec<(&'static str, Statistic)>,
}

impl ColumnStatistics {
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        const RANGE: [&str; 3] = ["minimum", "maximum", "sum"];
        const TEXTS: [&str; 5] = ["minimum", "maximum", "sum", "lower_bound", "upper_bound"];
        const INSTANTS: [&str; 6] =
            ["minimum", "maximum", "minimum_utc", "maximum_utc", "minimum_nanos", "maximum_nanos"];
        let mut statistics = Self::default();
        let mut fields = Fields::of(bytes);
        while let Some((field, value)) = fields.next()? {
            let names: &[&'static str] = match field {
                1 => {
                    statistics.number_of_values = Some(value.number()?);
                    continue;
                }
                10 => {
                    statistics.has_null = Some(value.number()? != 0);
                    continue;
                }
                2 | 3 | 6 => &RANGE,
                4 => &TEXTS,
                5 => &["count"],
                7 => &RANGE[..2],
                8 => &["sum"],
                9 => &INSTANTS,
                _ => continue,
            };
            let mut inside = Fields::of(value.bytes()?);
            while let Some((number, value)) = inside.next()? {
                let Some(&name) = (number as usize).checked_sub(1).and_then(|at| names.get(at)) else {
                    continue;
                };
                let one = match (field, name) {
                    (3, _) => Statistic::Float(value.double()?),
                    (5, _) => {
                        let mut counts = Vec::new();
                        value.numbers(&mut counts)?;
                        Statistic::Counts(counts)
                    }
                    (4, "sum") => Statistic::Integer(value.signed()?),
                    (4 | 6, _) => Statistic::Text(value.text()?),
                    // Nanoseconds are plain numbers, one more than they are.
                    (9, "minimum_nanos" | "maximum_nanos") => Statistic::Integer(
                        i64::try_from(value.number()?).unwrap_or(i64::MAX).saturating_sub(1),
                    ),
                    _ => Statistic::Integer(value.signed()?),
                };
                statistics.others.push((name, one));
            }
        }
        Ok(statistics)
    }
}
