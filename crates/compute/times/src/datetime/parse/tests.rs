//! Times that are read beside the CPU, on all devices.

use cuprum_column::{Column, Context, TimeUnit};
use cuprum_testing::generated::below;
use cuprum_testing::{contexts, same_cases_everywhere};

use super::super::{strptime, strptime_or_null, utc_offsets};

const UNITS: [TimeUnit; 5] = [
    TimeUnit::Days,
    TimeUnit::Seconds,
    TimeUnit::Milliseconds,
    TimeUnit::Microseconds,
    TimeUnit::Nanoseconds,
];

/// Texts as they are, and with one or two characters replaced, left out or put in between, of those that times have.
fn altered(texts: &[&str], count: usize) -> Vec<String> {
    const CHARACTERS: &[u8] = b"0123456789012359-/:T tZz+.,%APMmay\xe4";
    let alter = |row: usize| {
        let mut text = texts[row % texts.len()].to_string();
        for k in 0..below(1, row, 3) {
            let at = below(2 + 5 * k, row, text.chars().count() as u64 + 1) as usize;
            let at = text.char_indices().nth(at).map_or(text.len(), |(at, _)| at);
            let kind = below(3 + 5 * k, row, 4);
            if kind != 0 && at < text.len() {
                text.remove(at);
            }
            if kind != 1 {
                let byte = CHARACTERS[below(4 + 5 * k, row, CHARACTERS.len() as u64) as usize];
                text.insert(at, if byte.is_ascii() { char::from(byte) } else { 'ä' });
            }
        }
        text
    };
    texts.iter().map(|text| text.to_string()).chain((0..count).map(alter)).collect()
}

/// A column of texts, one with nulls, a slice of it.
fn columns(texts: &[String]) -> [Column; 3] {
    let ctx = &Context::current();
    let some: Vec<_> = texts.iter().enumerate().map(|(row, text)| (row % 5 != 3).then_some(text)).collect();
    let nulls = Column::from_opt_strs(&some, ctx).unwrap();
    let slice = nulls.slice(11, texts.len() - 11).unwrap();
    [Column::from_strs(texts, ctx).unwrap(), nulls, slice]
}

/// Texts are read alike in each of some formats, as every unit, on every device; what is none of them is null.
fn read_alike(texts: &[String], formats: &[Option<&str>]) {
    same_cases_everywhere(&columns(texts), |columns, cases, ctx| {
        for column in columns {
            for format in formats {
                for unit in UNITS {
                    cases.add(|| strptime_or_null(column, *format, unit, ctx))?;
                }
                cases.add(|| utc_offsets(column, *format, ctx))?;
            }
        }
        Ok(())
    });
}

/// The first text that is no time is named alike on every device.
fn fail_alike(good: &str, bad: &[&str], format: Option<&str>, unit: TimeUnit) {
    for bad in bad {
        let texts: Vec<_> = (0..300).map(|row| if row == 130 || row > 250 { bad } else { good }).collect();
        let column = Column::from_strs(&texts, &Context::current()).unwrap();
        let expected = strptime(&column, format, unit, &Context::current()).unwrap_err();
        assert!(expected.to_string().contains("row 130: "), "{expected}");
        for ctx in contexts() {
            let got = strptime(&column.to_device(&ctx).unwrap(), format, unit, &ctx).unwrap_err();
            assert_eq!((got.kind(), got.to_string()), (expected.kind(), expected.to_string()));
        }
    }
}

#[test]
fn forms_of_iso() {
    let forms = [
        "2012",
        "2012-05",
        "2012-5",
        "2012/05",
        "20120531",
        "2012-05-31",
        "2012/05/31",
        "2012-5-3",
        "2012-05/31",
        "2012-05-31T12",
        "2012-05-31 12:34",
        "2012-05-31T12:34:56",
        "2012-05-31t7:34:56",
        "20120531T12:34:56.789",
        "2012-05-31 12:34:56,123456789",
        "2012-05-31 12:34:56.1234567899",
        "2012-05-31T12:34:56.",
        "2012-05-31T12:34:56Z",
        "2012-05-31T12:34:56 z",
        "2012-05-31T12:34:56+02",
        "2012-05-31T12:34:56-0230",
        "2012-05-31T12:34:56.5 +02:30",
        "2012-05-31T12:34:56+02:30:15",
        "2012-05-31T12:34:56+023015",
        "2012-05-31T12+24:00",
        "2012-05-31T12 ",
        "2012-05-31 ",
        "2012-02-29",
        "2013-02-29",
        "1900-02-29",
        "2000-02-29",
        "0000-01-01",
        "0000-03-01",
        "9999-12-31T23:59:59.999999999",
        "2012-04-31",
        "2012-13-01",
        "2012-00-01",
        "2012-01-00",
        "2012-01-32",
        "2012-01-01T24:00",
        "2012-01-01T23:60",
        "2012-01-01T23:59:60",
        "1677-09-21T00:12:43.145224192",
        "1677-09-21T00:12:43.145224191",
        "1969-12-31T23:59:59.5",
        "2262-04-11T23:47:16.854775807",
        "2262-04-11T23:47:16.854775808",
        "1970-01-01T00:00:00Z",
        "",
        " ",
        "201",
        "20123",
        "201205",
        "2012053",
        "-2012-05-31",
        " 2012-05-31",
        "２０１２-05-31",
        "2012-05-31T12:34:56+2:30",
        "2012-05-31Tä",
        "NaT",
    ];
    read_alike(&altered(&forms, 3000), &[None]);
    for unit in UNITS {
        fail_alike("2012-05-31T12:34:56.7Z", &["2012-02-30", "", "2012-05-31T12:34x"], None, unit);
    }
    fail_alike("2012-05-31", &["2262-04-11T23:47:16.854775808"], None, TimeUnit::Nanoseconds);
}

/// Formats with a text for each.
const FORMATS: [(&str, &str); 57] = [
    ("%Y-%m-%d", "2012-05-31"),
    ("%Y-%m-%d %H:%M:%S", "2012-05-31 12:34:56"),
    ("%Y-%m-%dT%H:%M:%S.%f%z", "2012-05-31T12:34:56.789+02:30"),
    ("%d.%m.%Y", "31.05.2012"),
    ("%d/%m/%y %I:%M %p", "1/5/12 07:30 pm"),
    ("%y%m%d", "690531"),
    ("%C%y", "1812"),
    ("%C", "20"),
    ("%B %d, %Y", "February 29, 2012"),
    ("%b%e %Y", "feb 9 2012"),
    ("%A %d %B %Y", "thursday 31 May 2012"),
    ("%a %F", "Thu 2012-05-31"),
    ("%Y %j", "2012 366"),
    ("%Y %j", "2013 366"),
    ("%Y-%U-%w", "2012-00-6"),
    ("%Y-%W-%u", "2012-53-1"),
    ("%Y-%U-%a %m", "2012-07-Mon 5"),
    ("%Y %a", "2012 Sun"),
    ("%G-W%V-%u", "2009-W53-7"),
    ("%G-W%V-%u", "2010-W53-1"),
    ("%G-W%V", "2009-W01"),
    ("%G-%V-%w", "0001-01-0"),
    ("%T.%N", "23:59:59.123456789"),
    ("%H%M%S%f", "1234561234567891"),
    ("%m%d", "111"),
    ("%m%d%H", "1231"),
    ("%r", "12:00:00 AM"),
    ("%c %Z", "Thu May 31 12:34:56 2012 utc"),
    ("%Y%z%Z", "2012-0130GMT"),
    ("%Y%Z", "2012z"),
    ("%Y %z", "2012 +02:30:15"),
    ("%z", "Z"),
    ("%Y%z", "2012+0230153"),
    (" %Y \t%m", "\n2012  5"),
    ("Äx %Y%%", "Äx 2012%"),
    ("", ""),
    ("x", "X"),
    ("%-d %-m %Y", "1 2 2003"),
    ("%Y", "2012"),
    ("%Y %Y", "2012 2013"),
    ("%p%I", "PM12"),
    ("%I", "12"),
    ("%n%t", "  "),
    ("%d %b", "30 Feb"),
    ("%d %b", "29 feb"),
    ("%Y-%m-%dT%H:%M:%S.%fZ", "2012-05-31T12:34:56.789Z"),
    ("%d-%b-%Y", "31-May-2012"),
    ("%d-%b-%Y", "31-dec-2012"),
    ("%m/%d/%y %I:%M %p", "05/31/69 12:34 AM"),
    ("%m/%d/%y %I:%M %p", "05/31/68 12:34 pm"),
    ("%H %p", "11 pm"),
    ("%Y %m %y", "2012 05 13"),
    ("%Y %b %m", "2012 Jan 05"),
    ("%H:%M:%S%z", "12:34:56-07:30"),
    ("%d.%m.%Y %H:%M", "31.05.2012 12:34"),
    ("%S.%fx%z", "56.123456789x+0230"),
    ("%Y%m%d%H%M%S", "20120531123456"),
];

#[test]
fn formats() {
    let given: Vec<&str> = FORMATS.iter().map(|(_, text)| *text).collect();
    for (i, (format, text)) in FORMATS.into_iter().enumerate() {
        // Those of the format itself are altered more often.
        let own = [text; 6];
        let mut rows = altered(&own, 120);
        rows.extend(altered(&given[i % 7..], 60));
        read_alike(&rows, &[Some(format)]);
    }
    fail_alike("31.05.2012", &["31.04.2012", "", "31.05.2012 "], Some("%d.%m.%Y"), TimeUnit::Days);
    fail_alike("31.05.12", &["31.05.2012"], Some("%d.%m.%y"), TimeUnit::Milliseconds);
    fail_alike("2012", &["2263", "x"], Some("%Y"), TimeUnit::Nanoseconds);
}
