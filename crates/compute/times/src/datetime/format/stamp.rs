//! Formats whose texts are of one size for all years of four digits: digits are put into a copy of the text.

use super::super::calendar::{self, Civil, MONTHS, PAIRS, WEEKDAYS};
use super::{Field, Item, Padding};

/// A text with places for fields.
pub(in crate::datetime) struct Stamp {
    text: [u8; MOST],
    len: usize,
    /// Fields and where they begin.
    places: Vec<(Field, usize)>,
}

/// Bytes of the largest text.
const MOST: usize = 64;

impl Stamp {
    /// The stamp of a format; `None` where its texts are not of one size, or are too large.
    pub(in crate::datetime) fn new(items: &[Item]) -> Option<Self> {
        let mut stamp = Self { text: [b'0'; MOST], len: 0, places: Vec::new() };
        for item in items {
            match item {
                Item::Text(text) => {
                    let end = stamp.len + text.len();
                    stamp.text.get_mut(stamp.len..end)?.copy_from_slice(text.as_bytes());
                    stamp.len = end;
                }
                Item::Field(field, Padding::Zero) => {
                    stamp.places.push((*field, stamp.len));
                    stamp.len += width(*field)?;
                }
                Item::Field(..) => return None,
            }
        }
        (stamp.len <= MOST).then_some(stamp)
    }

    /// Adds a time of a year of four digits.
    #[inline]
    pub(in crate::datetime) fn push(&self, time: &Civil, out: &mut String) {
        let mut text = self.text;
        for (field, at) in &self.places {
            let mut two = |at: usize, number: u32| {
                let pair = number as usize % 100 * 2;
                text[at..at + 2].copy_from_slice(&PAIRS.as_bytes()[pair..pair + 2]);
            };
            match field {
                Field::Year => {
                    two(*at, time.year as u32 / 100);
                    two(*at + 2, time.year as u32);
                }
                Field::YearOfCentury => two(*at, time.year as u32),
                Field::Month => two(*at, time.month),
                Field::Day => two(*at, time.day),
                Field::Hour => two(*at, time.hour()),
                Field::Hour12 => two(*at, (time.hour() + 11) % 12 + 1),
                Field::Minute => two(*at, time.minute()),
                Field::Second => two(*at, time.second()),
                Field::Fraction => {
                    let micros = time.nanosecond / 1000;
                    two(*at, micros / 10_000);
                    two(*at + 2, micros / 100);
                    two(*at + 4, micros);
                }
                Field::MonthShort => {
                    text[*at..*at + 3].copy_from_slice(&MONTHS[time.month as usize - 1].as_bytes()[..3]);
                }
                Field::WeekdayShort => {
                    let name = WEEKDAYS[calendar::weekday(time.days) as usize];
                    text[*at..*at + 3].copy_from_slice(&name.as_bytes()[..3]);
                }
                // The half of the day.
                _ => text[*at..*at + 2].copy_from_slice(if time.hour() < 12 { b"AM" } else { b"PM" }),
            }
        }
        out.push_str(std::str::from_utf8(&text[..self.len]).unwrap_or_default());
    }
}

/// Bytes of a field that has as many of all times.
fn width(field: Field) -> Option<usize> {
    match field {
        Field::Year => Some(4),
        Field::Fraction => Some(6),
        Field::MonthShort | Field::WeekdayShort => Some(3),
        Field::YearOfCentury
        | Field::Month
        | Field::Day
        | Field::Hour
        | Field::Hour12
        | Field::Minute
        | Field::Second
        | Field::HalfDay => Some(2),
        _ => None,
    }
}
