//! The formats of texts of times that do not say which they have: day, month and year in numbers, dates of ISO 8601,
//! months by their names.
//!
//! A format goes for all texts. Where pandas reads each text for itself instead, there is one only if it says the same of
//! all of them.

/// The English names of the months.
pub(crate) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The format of a text that is a date of ISO 8601, perhaps with hours and minutes and more.
pub(super) fn iso_form(text: &str) -> Option<String> {
    // Digits as 0, to compare with the forms.
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let dates = [
        ("0000-00-00", "%Y-%m-%d"),
        ("0000/00/00", "%Y/%m/%d"),
        ("00000000", "%Y%m%d"),
        ("0000-00", "%Y-%m"),
        ("0000/00", "%Y/%m"),
        ("0000", "%Y"),
    ];
    let (date, rest) = dates.iter().find_map(|(form, format)| Some((format, shape.strip_prefix(form)?)))?;
    if rest.is_empty() {
        return Some((*date).to_owned());
    }
    if !date.ends_with("%d") {
        return None;
    }
    let (between, clock) = rest.split_at_checked(1).filter(|(between, _)| ["T", " "].contains(between))?;
    let (time, space, zone) = time_and_zone(clock);
    let clock = match time {
        "00:00" => "%H:%M",
        "00:00:00" => "%H:%M:%S",
        fine if fine
            .strip_prefix("00:00:00.")
            .is_some_and(|f| !f.is_empty() && f.bytes().all(|b| b == b'0')) =>
        {
            "%H:%M:%S.%f"
        }
        _ => return None,
    };
    let zone = match zone {
        "" if space.is_empty() => "",
        zone if is_offset(zone) => "%z",
        _ => return None,
    };
    Some(format!("{date}{between}{clock}{space}{zone}"))
}

/// The format of `5 Jan 2024`, `05-January-2024`, `5-Jan-24`, `Jan 5, 2024`, `January 5 2024 15:04:05` and the like: a
/// month by its English name, a day, and a year of four digits, of two behind a day and a month; perhaps with a time
/// of day. Without a day (`Jan 2024`), it is the first one.
pub(super) fn named_month(text: &str) -> Option<String> {
    let name = |text: &str| {
        let count = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = text.get(..count)?.to_ascii_lowercase();
        let month = MONTHS.iter().find(|month| month.get(..3) == name.get(..3))?;
        // May is both, and pandas takes it for the whole name.
        let format = if count == 3 && name != "may" { "%b" } else { "%B" };
        (count == 3 || **month == name).then_some((count, format))
    };
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let day = |text: &str| Some((digits(text), "%d")).filter(|(count, _)| (1..3).contains(count));
    let (first, second) = if let Some(first) = day(text) {
        let rest = text.get(first.0 + 1..)?;
        (first, name(rest)?)
    } else {
        let first = name(text)?;
        let rest = text.get(first.0 + 1..)?;
        if digits(rest) == 4 && rest.len() == 4 {
            let between = text.get(first.0..=first.0).filter(|c| [" ", "-", "/"].contains(c))?;
            return Some(format!("{}{between}%Y", first.1));
        }
        (first, day(rest)?)
    };
    let between = text.get(first.0..=first.0).filter(|c| [" ", "-", "/"].contains(c))?;
    let behind = text.get(first.0 + 1 + second.0..)?;
    let comma = if second.1 == "%d" && between == " " && behind.starts_with(',') { "," } else { "" };
    let year = behind.strip_prefix(comma)?.strip_prefix(between)?;
    let of_year = match digits(year) {
        4 => "%Y",
        2 if first.1 == "%d" => "%y",
        _ => return None,
    };
    let clock = match year.get(digits(year)..)? {
        "" => "",
        clock if half_day(clock).is_some() => {
            let (clock, half) = half_day(clock)?;
            return Some(format!("{}{between}{}{comma}{between}{of_year}{clock}{half}", first.1, second.1));
        }
        clock => {
            let shape: String = clock.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            match shape.as_str() {
                " 00:00" => " %H:%M",
                " 00:00:00" => " %H:%M:%S",
                _ => return None,
            }
        }
    };
    Some(format!("{}{between}{}{comma}{between}{of_year}{clock}", first.1, second.1))
}

/// A time of day, the space behind it and the offset from UTC, if there are any.
fn time_and_zone(clock: &str) -> (&str, &str, &str) {
    let (time, zone) = clock.split_at(clock.find(['Z', '+', '-']).unwrap_or(clock.len()));
    match time.strip_suffix(' ') {
        Some(time) => (time, " ", zone),
        None => (time, "", zone),
    }
}

/// Whether a text is `Z`, `+01`, `+0100`, `+01:00` or the like.
fn is_offset(zone: &str) -> bool {
    let shape: String = zone.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    ["Z", "+00", "-00", "+0000", "-0000", "+00:00", "-00:00"].contains(&shape.as_str())
}

/// The format of `1/2/2013`, `1/2/13`, `01-02-2013 05:06:07.5`, `1.2.2013 05:06+01:00`, `1/2/2013 5:06 PM` and the like.
pub(super) fn day_and_month(text: &str, dayfirst: bool) -> Option<String> {
    let number = |text: &str, digits: &[usize]| {
        let count = text.bytes().take_while(u8::is_ascii_digit).count();
        digits.contains(&count).then_some(count)
    };
    let one = number(text, &[1, 2])?;
    let between = text[one..].chars().next().filter(|c| "/-. ".contains(*c))?;
    let rest = &text[one + 1..];
    let two = number(rest, &[1, 2])?;
    let year = rest[two..].strip_prefix(between)?;
    let digits = number(year, &[2, 4])?;
    let (of_year, clock) = (if digits == 4 { "%Y" } else { "%y" }, &year[digits..]);
    let half_day = half_day(clock);
    let value = |text: &str| text.parse::<u32>().ok();
    let (one, two) = (value(&text[..one])?, value(&rest[..two])?);
    // pandas reads each of these texts for itself, so the first says nothing about the others.
    let alone = digits == 2 || half_day.is_some();
    if alone && (one > 12 || (dayfirst && two > 12) || between == ' ') {
        return None;
    }
    // The first number cannot be a month where it is above 12, nor the second one.
    let dayfirst = (dayfirst && two <= 12) || one > 12;
    let date = if dayfirst {
        format!("%d{between}%m{between}{of_year}")
    } else {
        format!("%m{between}%d{between}{of_year}")
    };
    if clock.is_empty() {
        return Some(date);
    }
    if let Some((clock, half)) = half_day {
        return Some(format!("{date}{clock}{half}"));
    }
    let clock = clock.strip_prefix(' ')?;
    let (clock, space, zone) = time_and_zone(clock);
    let zone = match zone {
        "" if space.is_empty() => "",
        zone if is_offset(zone) => "%z",
        _ => return None,
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let is_number = |text: &&str| number(text, &[1, 2]) == Some(text.len());
    let clock = match &parts[..] {
        [hour, minute] if [hour, minute].into_iter().all(is_number) => "%H:%M",
        [hour, minute, second] if [hour, minute, second].into_iter().all(is_number) => "%H:%M:%S",
        [hour, minute, second] if [hour, minute].into_iter().all(is_number) && second.contains('.') => {
            "%H:%M:%S.%f"
        }
        _ => return None,
    };
    Some(format!("{date} {clock}{space}{zone}"))
}

/// The format of ` 3:04 PM`, ` 03:04:05pm` and the like, in two parts: a space with the clock, and the half of the day.
fn half_day(clock: &str) -> Option<(&'static str, &'static str)> {
    let shape = clock.to_ascii_lowercase();
    let time = shape.strip_suffix("am").or_else(|| shape.strip_suffix("pm"))?;
    let (time, half) = time.strip_suffix(' ').map_or((time, "%p"), |time| (time, " %p"));
    let time: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    match time.as_str() {
        " 0:00" | " 00:00" => Some((" %I:%M", half)),
        " 0:00:00" | " 00:00:00" => Some((" %I:%M:%S", half)),
        _ => None,
    }
}
