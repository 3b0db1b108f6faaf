//! Texts that are hexadecimal numbers, addresses and parts of URLs, and the numbers of characters.

use cuprum_column::{Column, Context, DataType, ErrorKind, Native, Result, dispatch_storage};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use super::cuda;
use cuprum_elements::row_pieces::RowPieces;
use cuprum_elements::string_map::{OnError, from_writer, map_text, parse_values};

/// The numbers (Unicode) of the characters of all rows, one after the other, `Int32` without nulls. Nulls have none.
pub fn code_points(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.code_points");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::forms::code_points(column, ctx);
    }
    let view = column.view()?;
    let rows = view.strings()?;
    let text = |row: usize| rows.get_opt(row).unwrap_or("");
    let pieces = RowPieces::new(rows.len(), ctx, |row| text(row).chars().count())?;
    let points = pieces.fill_rows(ctx, |row, points: &mut [i32]| {
        points.iter_mut().zip(text(row).chars()).for_each(|(point, c)| *point = u32::from(c) as i32);
        Ok(())
    })?;
    Column::new(DataType::Int32, points, None)
}

/// Hexadecimal digits, perhaps behind `0x`, as `Int64`.
///
/// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument) for the first row of anything else and with
/// [`Overflow`](ErrorKind::Overflow) for one of more than 63 bits.
pub fn hex_to_integers(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.hex_to_integers");
    check_device!(ctx, [column]);
    let parse = |row: &str| {
        let digits = row.strip_prefix("0x").or_else(|| row.strip_prefix("0X")).unwrap_or(row);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ErrorKind::InvalidArgument);
        }
        i64::from_str_radix(digits, 16).map_err(|_| ErrorKind::Overflow)
    };
    on_device!(
        ctx,
        parse_values::<i64>(column, DataType::Int64, OnError::Fail, ctx, parse),
        cuda::forms::hex_to_integers(column, parse, ctx)
    )
}

/// Integers as hexadecimal digits in upper case, an even number of them; negative ones in two's complement of their
/// width.
///
/// Fails with [`DataType`](ErrorKind::DataType) for other types.
pub fn integers_to_hex(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.integers_to_hex");
    check_device!(ctx, [column]);
    let kind = column.data_type();
    if !kind.is_integer() {
        return Err(cuprum_column::Error::data_type(format!("the column is of {kind}, not of integers")));
    }
    let all_bits = u64::MAX >> (64 - 8 * kind.size().unwrap_or(8));
    if ctx.is_on_gpu() {
        return cuda::forms::integers_to_hex(column, all_bits, ctx);
    }
    let view = column.view()?;
    let valid = view.validity();
    dispatch_storage!(kind, T => {
        let values = view.values::<T>()?;
        from_writer(values.len(), ctx, |row, out| {
            use std::fmt::Write;
            let bits = values[row].as_i64() as u64 & all_bits;
            let width = bits.checked_ilog2().map_or(2, |highest| (highest as usize / 8 + 1) * 2);
            // Writing to a text cannot fail.
            let _ = write!(out, "{bits:0width$X}");
            Ok(valid.is_none_or(|bits| bits.get(row)))
        })
    }, else => Err(cuprum_column::Error::data_type(format!("the column is of {kind}, not of integers"))))
}

/// Addresses of four numbers as `UInt32`, the first number being the highest byte.
///
/// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument) for the first row that is no address: numbers are at
/// most 255, and have no zeros before them.
pub fn ipv4_to_integers(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.ipv4_to_integers");
    check_device!(ctx, [column]);
    let parse =
        |row: &str| row.parse::<std::net::Ipv4Addr>().map(u32::from).map_err(|_| ErrorKind::InvalidArgument);
    on_device!(
        ctx,
        parse_values::<u32>(column, DataType::UInt32, OnError::Fail, ctx, parse),
        cuda::forms::ipv4_to_integers(column, parse, ctx)
    )
}

/// [`ipv4_to_integers`] the other way: `UInt32` as addresses.
///
/// Fails with [`DataType`](ErrorKind::DataType) for other types.
pub fn integers_to_ipv4(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.integers_to_ipv4");
    check_device!(ctx, [column]);
    let kind = column.data_type();
    if kind != DataType::UInt32 {
        return Err(cuprum_column::Error::data_type(format!("the column is of {kind}, not of uint32")));
    }
    if ctx.is_on_gpu() {
        return cuda::forms::integers_to_ipv4(column, ctx);
    }
    let view = column.view()?;
    let (values, valid) = (view.values::<u32>()?, view.validity());
    from_writer(values.len(), ctx, |row, out| {
        use std::fmt::Write;
        // Writing to a text cannot fail.
        let _ = write!(out, "{}", std::net::Ipv4Addr::from(values[row]));
        Ok(valid.is_none_or(|bits| bits.get(row)))
    })
}

/// Rows as a URL has them: other characters than ASCII's letters and digits and `.-_~` as `%` and two hexadecimal
/// digits for each byte.
pub fn url_encode(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.url_encode");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::forms::url_encode(column, ctx);
    }
    map_text(column, ctx, |row, out| {
        for byte in row.bytes() {
            if byte.is_ascii_alphanumeric() || b".-_~".contains(&byte) {
                out.push(char::from(byte));
            } else {
                out.push('%');
                for digit in [byte >> 4, byte & 15] {
                    out.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
                }
            }
        }
        true
    })
}

/// Rows with `%` and two hexadecimal digits as the byte that they name; invalid UTF-8 becomes U+FFFD.
pub fn url_decode(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"strings.url_decode");
    check_device!(ctx, [column]);
    if ctx.is_on_gpu() {
        return cuda::forms::url_decode(column, ctx);
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    map_text(column, ctx, |row, out| {
        if !row.contains('%') {
            out.push_str(row);
            return true;
        }
        let mut bytes = Vec::with_capacity(row.len());
        let mut rest = row.as_bytes();
        while let Some((&byte, behind)) = rest.split_first() {
            let named = match behind {
                [high, low, ..] if byte == b'%' => digit(*high).zip(digit(*low)),
                _ => None,
            };
            bytes.push(named.map_or(byte, |(high, low)| high << 4 | low));
            rest = if named.is_some() { &behind[2..] } else { behind };
        }
        out.push_str(&String::from_utf8_lossy(&bytes));
        true
    })
}
