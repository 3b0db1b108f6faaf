//! Writing records, as pandas writes them.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{
    Bitmap, Column, ColumnView, Context, DataType, Error, ListsView, Result, Table, TimeUnit,
};

use super::WriteOptions;
use crate::csv::civil_from_days;
use crate::text::{self as texts, Text, Values, integer};

pub(super) fn write(
    table: &Table,
    columns: &[ColumnMetadata],
    target: Option<&Path>,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<Option<String>> {
    let parts = table.columns().iter().map(Part::of).collect::<Result<Vec<_>>>()?;
    let views = parts.iter().map(Viewed::of).collect::<Result<Vec<_>>>()?;
    let mut members = Vec::with_capacity(columns.len());
    for (i, (view, column)) in views.iter().zip(columns).enumerate() {
        let name = name_of(Some(column), i);
        let member = Member::new(view, Some(column), &name, options);
        members.push(member.map_err(|e| e.context(format!("column '{name}'")))?);
    }
    let records = Records { members, options, is_empty: table.num_rows() == 0 };
    texts::write(&records, "to_json", table, target, options.compression, ctx)
}

/// A column and its children: the elements of lists, the fields of structs.
struct Part {
    column: Column,
    inside: Vec<Part>,
}

impl Part {
    fn of(column: &Column) -> Result<Self> {
        let inside = match column.data_type() {
            DataType::List => vec![Self::of(&column.children()[1])?],
            DataType::Struct => {
                let fields = (0..column.children().len()).map(|i| Self::of(&column.field(i)?));
                fields.collect::<Result<_>>()?
            }
            _ => Vec::new(),
        };
        Ok(Self { column: column.clone(), inside })
    }
}

/// The same with access to the memory.
struct Viewed<'a> {
    view: ColumnView<'a>,
    inside: Vec<Viewed<'a>>,
}

impl<'a> Viewed<'a> {
    fn of(part: &'a Part) -> Result<Self> {
        let inside = part.inside.iter().map(Self::of).collect::<Result<_>>()?;
        Ok(Self { view: part.column.view()?, inside })
    }
}

struct Records<'a> {
    members: Vec<Member<'a>>,
    options: &'a WriteOptions,
    is_empty: bool,
}

impl Text for Records<'_> {
    fn head(&self) -> Result<Vec<u8>> {
        Ok(if self.options.lines { Vec::new() } else { b"[".to_vec() })
    }

    fn rows(&self, rows: Range<usize>) -> Result<Vec<u8>> {
        let keys: usize = self.members.iter().map(|member| member.key.len() + 8).sum();
        let mut out = Vec::with_capacity(rows.len() * (keys + 2));
        for row in rows {
            if !self.options.lines && row > 0 {
                out.push(b',');
            }
            object(&self.members, row, self.options, &mut out)?;
            if self.options.lines {
                out.push(b'\n');
            }
        }
        Ok(out)
    }

    fn tail(&self) -> &[u8] {
        match (self.options.lines, self.is_empty) {
            (false, _) => b"]",
            (true, true) => b"\n",
            (true, false) => b"",
        }
    }
}

/// The members of one row; without those that are null, where these are left out.
#[inline]
fn object(members: &[Member<'_>], row: usize, options: &WriteOptions, out: &mut Vec<u8>) -> Result<()> {
    out.push(b'{');
    let mut first = true;
    for member in members {
        if !options.nulls && member.value.is_null(row) {
            continue;
        }
        if !first {
            out.push(b',');
        }
        first = false;
        out.extend_from_slice(&member.key);
        member.value.write(row, options, out)?;
    }
    out.push(b'}');
    Ok(())
}

/// A column, and the text before each of its values.
struct Member<'a> {
    key: Vec<u8>,
    value: Value<'a>,
}

/// The name of a column or a field; its number where it has none.
fn name_of(metadata: Option<&ColumnMetadata>, number: usize) -> String {
    metadata.map_or_else(|| number.to_string(), |metadata| metadata.name.clone())
}

impl<'a> Member<'a> {
    fn new(
        of: &'a Viewed<'_>,
        metadata: Option<&ColumnMetadata>,
        name: &str,
        options: &WriteOptions,
    ) -> Result<Self> {
        let mut key = Vec::with_capacity(name.len() + 3);
        text(name.as_bytes(), options.ascii, &mut key);
        key.push(b':');
        Ok(Self { key, value: Value::new(of, metadata, options)? })
    }
}

/// A column that gives its values as text.
struct Value<'a> {
    kind: Kind<'a>,
    validity: Option<Bitmap<'a>>,
}

enum Kind<'a> {
    Plain(Values<'a>),
    Lists(ListsView<'a>, Box<Value<'a>>),
    Structs(Vec<Member<'a>>),
}

impl<'a> Value<'a> {
    fn new(of: &'a Viewed<'_>, metadata: Option<&ColumnMetadata>, options: &WriteOptions) -> Result<Self> {
        let inside = metadata.map_or(&[][..], |metadata| &metadata.children);
        let kind = match (of.view.data_type(), &of.inside[..]) {
            (DataType::List, [elements]) => {
                let elements = Value::new(elements, inside.last(), options)?;
                Kind::Lists(of.view.lists()?, Box::new(elements))
            }
            (DataType::Struct, fields) => {
                let field =
                    |(i, field)| Member::new(field, inside.get(i), &name_of(inside.get(i), i), options);
                Kind::Structs(fields.iter().enumerate().map(field).collect::<Result<_>>()?)
            }
            (other, _) => match Values::of(&of.view)? {
                Some(Values::Duration(..) | Values::DurationDays(_)) | None => {
                    return Err(Error::unsupported(format!("{other} in JSON")));
                }
                Some(values) => Kind::Plain(values),
            },
        };
        Ok(Self { kind, validity: of.view.validity() })
    }

    #[inline]
    fn is_null(&self, row: usize) -> bool {
        self.validity.is_some_and(|bits| !bits.get(row))
    }

    #[inline]
    fn write(&self, row: usize, options: &WriteOptions, out: &mut Vec<u8>) -> Result<()> {
        if self.is_null(row) {
            out.extend_from_slice(b"null");
            return Ok(());
        }
        let values = match &self.kind {
            Kind::Plain(values) => values,
            Kind::Lists(lists, elements) => {
                out.push(b'[');
                let range = lists.range(row);
                for element in range.clone() {
                    if element > range.start {
                        out.push(b',');
                    }
                    elements.write(element, options, out)?;
                }
                out.push(b']');
                return Ok(());
            }
            Kind::Structs(members) => return object(members, row, options, out),
        };
        match values {
            Values::Float32(v) => float(f64::from(v[row]), options.decimals, out),
            Values::Float64(v) => float(v[row], options.decimals, out),
            Values::Bool(v) => out.extend_from_slice(if v[row] == 0 { b"false" } else { b"true" }),
            Values::Text(v) => text(&v.chars()[v.range(row)], options.ascii, out),
            Values::Days(v) => time(i64::from(v[row]), TimeUnit::Days, options, out)?,
            Values::Timestamp(v, unit) => time(v[row], *unit, options, out)?,
            integers => {
                integers.write_integer(row, out);
            }
        }
        Ok(())
    }
}

/// A text in quotes. A slash is escaped, as pandas does.
fn text(text: &[u8], ascii: bool, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let unit = |code: u16, out: &mut Vec<u8>| {
        out.extend_from_slice(b"\\u");
        for shift in [12, 8, 4, 0] {
            out.push(HEX[usize::from(code >> shift & 15)]);
        }
    };
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = rest
        .iter()
        .position(|&byte| byte < 0x20 || matches!(byte, b'"' | b'\\' | b'/') || ascii && byte >= 0x80)
    {
        out.extend_from_slice(&rest[..at]);
        let byte = rest[at];
        let mut len = 1;
        match byte {
            b'"' | b'\\' | b'/' => out.extend_from_slice(&[b'\\', byte]),
            8 => out.extend_from_slice(b"\\b"),
            9 => out.extend_from_slice(b"\\t"),
            10 => out.extend_from_slice(b"\\n"),
            12 => out.extend_from_slice(b"\\f"),
            13 => out.extend_from_slice(b"\\r"),
            ..0x20 => unit(u16::from(byte), out),
            _ => {
                len = match byte {
                    0xF0.. => 4,
                    0xE0.. => 3,
                    _ => 2,
                };
                let character = rest.get(at..at + len).and_then(|bytes| std::str::from_utf8(bytes).ok());
                for code in character.unwrap_or("\u{FFFD}").encode_utf16() {
                    unit(code, out);
                }
                len = len.min(rest.len() - at);
            }
        }
        rest = &rest[at + len..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// A float with at most so many digits behind the point, rounded as pandas' writer does: the fraction is
/// multiplied by a power of ten in floats. Very large and small values have an exponent; NaN and infinity are
/// null.
fn float(value: f64, decimals: u8, out: &mut Vec<u8>) {
    if !value.is_finite() {
        out.extend_from_slice(b"null");
        return;
    }
    if value < 0.0 {
        out.push(b'-');
    }
    let value = value.abs();
    if value > 1e16 || value != 0.0 && value < 1e-15 {
        return general(value, usize::from(decimals).max(1), out);
    }
    let power = 10u64.pow(u32::from(decimals));
    let mut whole = value as u64;
    let scaled = (value - whole as f64) * power as f64;
    let mut fraction = scaled as u64;
    let rest = scaled - fraction as f64;
    if rest > 0.5 || rest == 0.5 && (fraction == 0 || fraction & 1 == 1) {
        fraction += 1;
    }
    if fraction >= power {
        fraction = 0;
        whole += 1;
    }
    if decimals == 0 {
        let rest = value - whole as f64;
        if rest > 0.5 || rest == 0.5 && whole & 1 == 1 {
            whole += 1;
        }
        return integer(whole, out);
    }
    integer(whole, out);
    out.push(b'.');
    let mut digits = usize::from(decimals);
    if fraction == 0 {
        return out.push(b'0');
    }
    while fraction.is_multiple_of(10) {
        fraction /= 10;
        digits -= 1;
    }
    let mut buffer = itoa::Buffer::new();
    let shown = buffer.format(fraction).as_bytes();
    out.extend(std::iter::repeat_n(b'0', digits - shown.len()));
    out.extend_from_slice(shown);
}

/// C's `%.{digits}g` of what has an exponent in it.
fn general(value: f64, digits: usize, out: &mut Vec<u8>) {
    let shown = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if usize::try_from(exponent).is_ok_and(|exponent| exponent < digits) {
        return out.extend_from_slice(format!("{value:.0}").as_bytes());
    }
    let mantissa =
        if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    let sign = if exponent < 0 { '-' } else { '+' };
    out.extend_from_slice(format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs()).as_bytes());
}

/// A time as a number of units, or in the notation of ISO 8601; rounded down.
fn time(value: i64, unit: TimeUnit, options: &WriteOptions, out: &mut Vec<u8>) -> Result<()> {
    let (from, to) = (unit.per_day(), options.unit.per_day());
    let scaled = if to >= from { value.checked_mul(to / from) } else { Some(value.div_euclid(from / to)) };
    let Some(value) = scaled else {
        return Err(Error::out_of_range(format!("the time {value} ({unit:?}) does not fit the unit")));
    };
    if !options.iso {
        integer(value, out);
        return Ok(());
    }
    let (days, of_day) = (value.div_euclid(to), value.rem_euclid(to));
    let (year, month, day) = civil_from_days(days);
    let per_second = to / 86_400;
    let seconds = of_day / per_second;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // Writing to memory does not fail.
    let _ = write!(out, "\"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    let width = per_second.ilog10() as usize;
    if width > 0 {
        let _ = write!(out, ".{:0width$}", of_day % per_second);
    }
    out.push(b'"');
    Ok(())
}
