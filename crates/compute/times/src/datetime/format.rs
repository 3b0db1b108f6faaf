//! Directives of `strftime` and `strptime`, and printing with them.

use cuprum_column::{Error, Result};

use super::DatetimeComponent;
use super::calendar::{self, Civil, MONTHS, WEEKDAYS, push_digits, push_two, push_year};

pub(crate) mod cuda;
mod stamp;
#[cfg(test)]
mod tests;

pub(super) use stamp::Stamp;

/// The field of one directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Year,
    YearOfCentury,
    Century,
    Month,
    Day,
    Hour,
    Hour12,
    Minute,
    Second,
    Fraction,
    Nanosecond,
    DayOfYear,
    MonthName,
    MonthShort,
    WeekdayName,
    WeekdayShort,
    HalfDay,
    /// Week of the year, Sunday first.
    WeekSunday,
    /// Week of the year, Monday first.
    WeekMonday,
    /// Day of the week, Sunday is 0.
    WeekdaySunday,
    /// Day of the week, Monday is 1.
    WeekdayIso,
    IsoYear,
    IsoWeek,
    Offset,
    Zone,
}

impl Field {
    /// Of a field that is a name: the number that it stands for, and the names by that number. Months count from 1.
    pub(super) fn names(self) -> Option<(DatetimeComponent, Vec<&'static str>)> {
        let months = || [""].into_iter().chain(MONTHS);
        let short = |name: &'static str| &name[..name.len().min(3)];
        match self {
            Self::MonthName => Some((DatetimeComponent::Month, months().collect())),
            Self::MonthShort => Some((DatetimeComponent::Month, months().map(short).collect())),
            Self::WeekdayName => Some((DatetimeComponent::DayOfWeek, WEEKDAYS.to_vec())),
            Self::WeekdayShort => Some((DatetimeComponent::DayOfWeek, WEEKDAYS.map(short).to_vec())),
            _ => None,
        }
    }
}

/// The padding of a number to its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Padding {
    Zero,
    Space,
    None,
}

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Text(String),
    Field(Field, Padding),
}

/// The pieces of a format; fails with `InvalidArgument` naming a directive that is not known.
pub(super) fn parse_format(format: &str) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    add_items(format, format, &mut items)?;
    Ok(items)
}

fn add_items(part: &str, format: &str, items: &mut Vec<Item>) -> Result<()> {
    let mut chars = part.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            add_text(c, items);
            continue;
        }
        let mut directive = chars.next();
        let mut padding = Padding::Zero;
        if directive == Some('-') {
            padding = Padding::None;
            directive = chars.next();
        }
        let field = match directive {
            Some('Y') => Field::Year,
            Some('y') => Field::YearOfCentury,
            Some('C') => Field::Century,
            Some('m') => Field::Month,
            Some('d') => Field::Day,
            Some('e') => {
                padding = Padding::Space;
                Field::Day
            }
            Some('H') => Field::Hour,
            Some('I') => Field::Hour12,
            Some('M') => Field::Minute,
            Some('S') => Field::Second,
            Some('f') => Field::Fraction,
            Some('N') => Field::Nanosecond,
            Some('j') => Field::DayOfYear,
            Some('B') => Field::MonthName,
            Some('b' | 'h') => Field::MonthShort,
            Some('A') => Field::WeekdayName,
            Some('a') => Field::WeekdayShort,
            Some('p') => Field::HalfDay,
            Some('U') => Field::WeekSunday,
            Some('W') => Field::WeekMonday,
            Some('w') => Field::WeekdaySunday,
            Some('u') => Field::WeekdayIso,
            Some('G') => Field::IsoYear,
            Some('V') => Field::IsoWeek,
            Some('z') => Field::Offset,
            Some('Z') => Field::Zone,
            Some(c) => {
                let text = match c {
                    'F' => "%Y-%m-%d",
                    'T' | 'X' => "%H:%M:%S",
                    'R' => "%H:%M",
                    'r' => "%I:%M:%S %p",
                    'D' | 'x' => "%m/%d/%y",
                    'c' => "%a %b %e %H:%M:%S %Y",
                    'n' => "\n",
                    't' => "\t",
                    '%' => {
                        add_text('%', items);
                        continue;
                    }
                    c => {
                        return Err(Error::invalid_argument(format!(
                            "`format` {format:?}: the directive %{c} is not known"
                        )));
                    }
                };
                add_items(text, format, items)?;
                continue;
            }
            None => {
                return Err(Error::invalid_argument(format!("`format` {format:?} ends within a directive")));
            }
        };
        items.push(Item::Field(field, padding));
    }
    Ok(())
}

fn add_text(c: char, items: &mut Vec<Item>) {
    if let Some(Item::Text(text)) = items.last_mut() {
        text.push(c);
    } else {
        items.push(Item::Text(c.to_string()));
    }
}

/// Adds a time in a format.
pub(super) fn push_time(time: &Civil, items: &[Item], out: &mut String) {
    for item in items {
        match item {
            Item::Text(text) => out.push_str(text),
            Item::Field(field, padding) => push_field(time, *field, *padding, out),
        }
    }
}

fn push_field(time: &Civil, field: Field, padding: Padding, out: &mut String) {
    let number = match field {
        Field::Year => return push_year(time.year, out),
        Field::IsoYear => return push_year(calendar::iso_week(time.days).0, out),
        Field::Fraction => return push_digits(time.nanosecond / 1000, 6, out),
        Field::Nanosecond => return push_digits(time.nanosecond, 9, out),
        Field::DayOfYear => {
            let day = calendar::day_of_year(time.days, time.year);
            let width = match day {
                ..10 if padding == Padding::None => 1,
                ..100 if padding == Padding::None => 2,
                _ => 3,
            };
            return push_digits(day, width, out);
        }
        Field::MonthName => return out.push_str(MONTHS[time.month as usize - 1]),
        Field::MonthShort => return out.push_str(&MONTHS[time.month as usize - 1][..3]),
        Field::WeekdayName => return out.push_str(WEEKDAYS[calendar::weekday(time.days) as usize]),
        Field::WeekdayShort => return out.push_str(&WEEKDAYS[calendar::weekday(time.days) as usize][..3]),
        Field::HalfDay => return out.push_str(if time.hour() < 12 { "AM" } else { "PM" }),
        Field::WeekdaySunday => return push_digits((calendar::weekday(time.days) + 1) % 7, 1, out),
        Field::WeekdayIso => return push_digits(calendar::weekday(time.days) + 1, 1, out),
        // Times here have no zone: empty, as Python prints a naive one.
        Field::Offset | Field::Zone => return,
        Field::Century => time.year.div_euclid(100).clamp(0, 99) as u32,
        Field::YearOfCentury => time.year.rem_euclid(100) as u32,
        Field::Month => time.month,
        Field::Day => time.day,
        Field::Hour => time.hour(),
        Field::Hour12 => (time.hour() + 11) % 12 + 1,
        Field::Minute => time.minute(),
        Field::Second => time.second(),
        // Day of the year from 0, moved so that whole weeks divide it.
        Field::WeekSunday => {
            let day = calendar::day_of_year(time.days, time.year) - 1;
            (day + 7 - (calendar::weekday(time.days) + 1) % 7) / 7
        }
        Field::WeekMonday => {
            let day = calendar::day_of_year(time.days, time.year) - 1;
            (day + 7 - calendar::weekday(time.days)) / 7
        }
        Field::IsoWeek => calendar::iso_week(time.days).1,
    };
    match padding {
        Padding::None if number < 10 => out.push(char::from(b'0' + number as u8)),
        Padding::Space if number < 10 => {
            out.push(' ');
            out.push(char::from(b'0' + number as u8));
        }
        _ => push_two(number, out),
    }
}
