//! Writing records, as pandas writes them.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use cuprum_column::{Bitmap, ColumnView, Context, DataType, Error, Result, StringsView, Table, TimeUnit};
use cuprum_runtime::parallel;
use flate2::write::GzEncoder;

use super::WriteOptions;
use crate::atomic_file;
use crate::csv::civil_from_days;
use crate::pipeline::in_order;
use crate::progress::Progress;
use crate::source::Compression;

/// Rows of a piece of text.
const PIECE_ROWS: usize = 4096;

/// So many pieces are made at a time for every thread.
const PIECES_PER_THREAD: usize = 8;

pub(super) fn write(
    table: &Table,
    names: &[String],
    target: Option<&Path>,
    options: &WriteOptions,
    ctx: &Context,
) -> Result<Option<String>> {
    let views = table.views()?;
    let members = views
        .iter()
        .zip(names)
        .enumerate()
        .map(|(i, (view, name))| Member::new(view, name, i == 0, options))
        .collect::<Result<Vec<_>>>()?;
    let records = Records { members, options, rows: table.num_rows() };
    let Some(path) = target else {
        let mut text = Vec::new();
        records.put_all(ctx, |piece, _| {
            text.extend_from_slice(piece);
            Ok(())
        })?;
        let text =
            String::from_utf8(text).map_err(|e| Error::logic(format!("the text is not UTF-8: {e}")))?;
        return Ok(Some(text));
    };
    let compression = options.compression.of_path(path)?;
    if compression == Compression::Zip {
        return Err(Error::unsupported(format!("{}: writing zip archives", path.display())));
    }
    let io_error = |e: io::Error| Error::io(path, e);
    let progress = Progress::of_table("to_json", path, table);
    atomic_file::write(path, |out| {
        if compression == Compression::Gzip {
            let mut packer = GzEncoder::new(out, flate2::Compression::default());
            records.put_all(ctx, |piece, rows| {
                progress.advance_rows(rows);
                packer.write_all(piece).map_err(io_error)
            })?;
            packer.finish().map_err(io_error)?;
            return Ok(());
        }
        records.put_all(ctx, |piece, rows| {
            progress.advance_rows(rows);
            out.write_all(piece).map_err(io_error)
        })
    })?;
    Ok(None)
}

struct Records<'a> {
    members: Vec<Member<'a>>,
    options: &'a WriteOptions,
    rows: usize,
}

impl Records<'_> {
    /// Puts all records: pieces of text, and how many rows each has.
    fn put_all(&self, ctx: &Context, mut put: impl FnMut(&[u8], usize) -> Result<()> + Send) -> Result<()> {
        let lines = self.options.lines;
        if !lines {
            put(b"[", 0)?;
        }
        in_order(
            (0..self.rows).step_by(PIECE_ROWS),
            PIECES_PER_THREAD * parallel::num_threads(),
            ctx,
            |start| {
                let rows = start..self.rows.min(start + PIECE_ROWS);
                Ok((self.rows(rows.clone())?, rows.len()))
            },
            |(text, rows): (Vec<u8>, usize)| put(&text, rows),
        )?;
        if !lines {
            put(b"]", 0)?;
        } else if self.rows == 0 {
            put(b"\n", 0)?;
        }
        Ok(())
    }

    fn rows(&self, rows: Range<usize>) -> Result<Vec<u8>> {
        let keys: usize = self.members.iter().map(|member| member.key.len() + 8).sum();
        let mut out = Vec::with_capacity(rows.len() * (keys + 2));
        for row in rows {
            if !self.options.lines && row > 0 {
                out.push(b',');
            }
            out.push(b'{');
            for member in &self.members {
                out.extend_from_slice(&member.key);
                member.write(row, self.options, &mut out)?;
            }
            out.push(b'}');
            if self.options.lines {
                out.push(b'\n');
            }
        }
        Ok(out)
    }
}

/// A column, and what stands before each of its values.
struct Member<'a> {
    key: Vec<u8>,
    values: Values<'a>,
    validity: Option<Bitmap<'a>>,
}

enum Values<'a> {
    Int8(&'a [i8]),
    Int16(&'a [i16]),
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    UInt8(&'a [u8]),
    UInt16(&'a [u16]),
    UInt32(&'a [u32]),
    UInt64(&'a [u64]),
    Float32(&'a [f32]),
    Float64(&'a [f64]),
    Bool(&'a [u8]),
    Text(StringsView<'a>),
    Days(&'a [i32]),
    Timestamp(&'a [i64], TimeUnit),
}

impl<'a> Member<'a> {
    fn new(view: &'a ColumnView<'_>, name: &str, first: bool, options: &WriteOptions) -> Result<Self> {
        let values = match view.data_type() {
            DataType::Int8 => Values::Int8(view.values()?),
            DataType::Int16 => Values::Int16(view.values()?),
            DataType::Int32 => Values::Int32(view.values()?),
            DataType::Int64 => Values::Int64(view.values()?),
            DataType::UInt8 => Values::UInt8(view.values()?),
            DataType::UInt16 => Values::UInt16(view.values()?),
            DataType::UInt32 => Values::UInt32(view.values()?),
            DataType::UInt64 => Values::UInt64(view.values()?),
            DataType::Float32 => Values::Float32(view.values()?),
            DataType::Float64 => Values::Float64(view.values()?),
            DataType::Bool8 => Values::Bool(view.values()?),
            DataType::String => Values::Text(view.strings()?),
            DataType::Timestamp(TimeUnit::Days) => Values::Days(view.values()?),
            DataType::Timestamp(unit) => Values::Timestamp(view.values()?, unit),
            other => return Err(Error::unsupported(format!("column '{name}': {other} in JSON"))),
        };
        let mut key = Vec::with_capacity(name.len() + 4);
        if !first {
            key.push(b',');
        }
        text(name.as_bytes(), options.ascii, &mut key);
        key.push(b':');
        Ok(Self { key, values, validity: view.validity() })
    }

    #[inline]
    fn write(&self, row: usize, options: &WriteOptions, out: &mut Vec<u8>) -> Result<()> {
        if self.validity.is_some_and(|bits| !bits.get(row)) {
            out.extend_from_slice(b"null");
            return Ok(());
        }
        match &self.values {
            Values::Int8(v) => integer(v[row], out),
            Values::Int16(v) => integer(v[row], out),
            Values::Int32(v) => integer(v[row], out),
            Values::Int64(v) => integer(v[row], out),
            Values::UInt8(v) => integer(v[row], out),
            Values::UInt16(v) => integer(v[row], out),
            Values::UInt32(v) => integer(v[row], out),
            Values::UInt64(v) => integer(v[row], out),
            Values::Float32(v) => float(f64::from(v[row]), options.decimals, out),
            Values::Float64(v) => float(v[row], options.decimals, out),
            Values::Bool(v) => out.extend_from_slice(if v[row] == 0 { b"false" } else { b"true" }),
            Values::Text(v) => text(&v.chars()[v.range(row)], options.ascii, out),
            Values::Days(v) => time(i64::from(v[row]), TimeUnit::Days, options, out)?,
            Values::Timestamp(v, unit) => time(v[row], *unit, options, out)?,
        }
        Ok(())
    }
}

#[inline]
fn integer(value: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
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
/// multiplied by a power of ten in floats. What is very large or small has an exponent; NaN and infinity are
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
