//! Dates in the spellings that people type, as ISO 8601 has them: `"Jan 2013"` and `"1/2013"` are `"2013-01"`,
//! `"1/31/2013"` and `"31 January 2013"` are `"2013-01-31"`. Quarters, which ISO has not, are `"2013Q1"`.
//!
//! Of two numbers before a year the first is the month, unless it can only be the day, as pandas reads them.

use std::borrow::Cow;

use super::MONTHS;

#[derive(Clone, Copy)]
enum Part {
    /// A name of a month.
    Name(u32),
    /// One or two digits.
    Number(u32),
    /// Four digits.
    Year(u32),
}

/// The date as ISO 8601 spells it, what follows of a clock as it is; a text of another form as it is.
pub(super) fn iso(text: &str) -> Cow<'_, str> {
    if let Some((year, quarter)) = quarter(text) {
        return format!("{year:04}Q{quarter}").into();
    }
    let (date, clock) = match text.find(':').map(|colon| text[..colon].rfind(' ')) {
        Some(Some(space)) => text.split_at(space),
        _ => (text, ""),
    };
    let parts = date.split([' ', ',', '/', '-']).filter(|part| !part.is_empty()).map(part);
    let Some(parts) = parts.collect::<Option<Vec<Part>>>() else { return text.into() };
    let (year, month, day) = match parts[..] {
        [Part::Name(month) | Part::Number(month), Part::Year(year)]
        | [Part::Year(year), Part::Name(month)] => (year, month, None),
        [Part::Number(day), Part::Number(month), Part::Year(year)] if day > 12 => (year, month, Some(day)),
        [Part::Name(month) | Part::Number(month), Part::Number(day), Part::Year(year)]
        | [Part::Number(day), Part::Name(month), Part::Year(year)]
        | [Part::Year(year), Part::Name(month), Part::Number(day)] => (year, month, Some(day)),
        _ => return text.into(),
    };
    match day {
        Some(day) => format!("{year:04}-{month:02}-{day:02}{clock}").into(),
        None => format!("{year:04}-{month:02}{clock}").into(),
    }
}

fn part(text: &str) -> Option<Part> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        let number = text.parse().ok()?;
        return match text.len() {
            1 | 2 => Some(Part::Number(number)),
            4 => Some(Part::Year(number)),
            _ => None,
        };
    }
    let text = text.to_ascii_lowercase();
    let month = MONTHS.iter().position(|name| *name == text || name[..3] == text)?;
    Some(Part::Name(month as u32 + 1))
}

/// The year and the quarter of `2013Q1`, `2013-Q1`, `13Q1`, `1Q2013`, `1Q-13` and the like.
fn quarter(text: &str) -> Option<(u32, u32)> {
    let (before, after) = text.split_once(['Q', 'q'])?;
    let year = |digits: &str| {
        let number: u32 = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??;
        match digits.len() {
            4 => Some(number),
            2 => Some(2000 + number),
            _ => None,
        }
    };
    let one_of_four = |digit: &str| match digit.as_bytes() {
        [digit @ b'1'..=b'4'] => Some(u32::from(digit - b'0')),
        _ => None,
    };
    let last = || Some((year(before.strip_suffix('-').unwrap_or(before))?, one_of_four(after)?));
    let first = || Some((year(after.strip_prefix('-').unwrap_or(after))?, one_of_four(before)?));
    last().or_else(first)
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn dates_as_people_type_them() {
        let spellings: [(&str, &[&str]); 6] = [
            (
                "2013Q1",
                &["2013Q1", "2013q1", "2013-Q1", "13Q1", "13-q1", "1Q2013", "1Q-2013", "1q13", "1Q-13"],
            ),
            ("2013-01", &["Jan 2013", "jan-2013", "January 2013", "2013 Jan", "1/2013", "01/2013"]),
            ("2013-01-31", &["1/31/2013", "01-31-2013", "31/1/2013", "Jan 31, 2013", "31 January 2013"]),
            ("2013-02-01", &["2/1/2013", "02/01/2013"]),
            ("2013-01-31 10:30", &["1/31/2013 10:30", "Jan 31 2013 10:30"]),
            ("2013-01-31 10:30:00", &["2013-01-31 10:30:00", "2013-Jan-31 10:30:00"]),
        ];
        for (expected, texts) in spellings {
            for text in texts {
                assert_eq!(iso(text), expected, "{text}");
            }
        }
        for text in
            ["", "2013", "2013-01", "2013Q5", "Q1", "201Q1", "13/2013/1", "10:30", "12", "Jan", "é 2013"]
        {
            assert_eq!(iso(text), text);
        }
    }
}
