//! Conversions between texts and other types beside the CPU, on all devices.

use cuprum_column::{Column, Context, DataType, Native, Result, Scalar, Table};
use cuprum_testing::generated::{below, random};
use cuprum_testing::{contexts, rows, same_cases_everywhere, same_everywhere};

use super::super::convert::{from_strings, from_strings_or_null, to_strings};
use super::super::forms;
use super::tests;

/// A function of a column on any device.
pub(super) type Function<'a> = &'a dyn Fn(&Column, &Context) -> Result<Column>;

const INTEGERS: [DataType; 8] = [
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::UInt8,
    DataType::UInt16,
    DataType::UInt32,
    DataType::UInt64,
];

/// A column of values, one with nulls, and a slice of it that begins at no whole byte of its mask.
pub(super) fn with_nulls<T: Native>(values: &[T]) -> [Column; 3] {
    let ctx = &Context::current();
    let some: Vec<_> =
        values.iter().enumerate().map(|(row, &value)| (row % 5 != 3).then_some(value)).collect();
    let nulls = Column::from_options(&some, ctx).unwrap();
    let start = values.len().min(11);
    let slice = nulls.slice(start, values.len() - start).unwrap();
    [Column::from_slice(values, ctx).unwrap(), nulls, slice]
}

/// The same of texts.
pub(super) fn texts_with_nulls(texts: &[String]) -> [Column; 3] {
    let ctx = &Context::current();
    let some: Vec<_> =
        texts.iter().enumerate().map(|(row, text)| (row % 5 != 3).then_some(text.as_str())).collect();
    let nulls = Column::from_opt_strs(&some, ctx).unwrap();
    let start = texts.len().min(11);
    let slice = nulls.slice(start, texts.len() - start).unwrap();
    [Column::from_strs(texts, ctx).unwrap(), nulls, slice]
}

/// Functions give the same for all columns on every device.
pub(super) fn agree(columns: &[Column], functions: &[Function<'_>]) {
    same_cases_everywhere(columns, |columns, cases, ctx| {
        for column in columns {
            for function in functions {
                cases.add(|| function(column, ctx))?;
            }
        }
        Ok(())
    });
}

/// A function fails for each text, which is at row 130 of others that it takes, with the same error on every device.
pub(super) fn fail_alike(good: &str, bad: &[&str], function: impl Fn(&Column, &Context) -> Result<Column>) {
    let column = |bad: &str| {
        let texts: Vec<_> = (0..300).map(|row| if row == 130 || row > 250 { bad } else { good }).collect();
        Column::from_strs(&texts, &Context::current()).unwrap()
    };
    let expected: Vec<_> =
        bad.iter().map(|bad| function(&column(bad), &Context::current()).unwrap_err()).collect();
    for ctx in contexts() {
        for (bad, expected) in bad.iter().zip(&expected) {
            let got = function(&column(bad).to_device(&ctx).unwrap(), &ctx).unwrap_err();
            assert!(expected.to_string().contains("row 130: "), "{expected}");
            assert_eq!((got.kind(), got.to_string()), (expected.kind(), expected.to_string()));
        }
    }
}

/// Numbers of all magnitudes, beside powers of two and of ten.
fn magnitudes() -> Vec<u64> {
    let beside = |number: u64| [number.wrapping_sub(1), number, number.wrapping_add(1)];
    let powers = (0..64).map(|n| 1 << n).chain((0..20).map(|n| 10u64.pow(n)));
    let any = (0..100).map(|row| random(8, row) >> (row % 64));
    powers.flat_map(beside).chain(any).collect()
}

#[test]
fn integers_and_texts() {
    let numbers = magnitudes();
    let mut columns = Vec::new();
    macro_rules! add {
        ($($T:ty),*) => {$(
            let values: Vec<$T> = numbers.iter().flat_map(|&n| [n as $T, (n as $T).wrapping_neg()]).collect();
            columns.extend(with_nulls(&values));
            columns.extend([0, 1, 31, 128, 129].map(|len| {
                Column::from_slice(&values[..len], &Context::current()).unwrap()
            }));
        )*};
    }
    add!(i8, i16, i32, i64, u8, u16, u32, u64);
    let there_and_back =
        |column: &Column, ctx: &Context| from_strings(&to_strings(column, ctx)?, column.data_type(), ctx);
    agree(&columns, &[&to_strings, &there_and_back]);

    let mut texts: Vec<String> = numbers.iter().flat_map(|n| [format!("{n}"), format!("-{n}")]).collect();
    let borders = numbers.iter().map(|&n| i128::from(n) + 1);
    texts.extend(borders.flat_map(|n| [format!("+{}", n * 10), format!(" {n}\t"), format!("-000{n}")]));
    let others = [
        "",
        " ",
        "-",
        "+",
        "--1",
        "+-1",
        "-+1",
        "1-",
        "1 2",
        "1.0",
        "0x1",
        "1e3",
        "12a",
        "a12",
        "١",
        "１",
        "-0",
        "+0",
        "00",
        "-00",
        "- 1",
        "\u{200b}1",
        "1\0",
        "/",
        ":",
        "9:",
        "18446744073709551616",
        "-9223372036854775809",
        "99999999999999999999999999",
        "-99999999999999999999999999",
        "0000000000000000000000000000000000127",
    ];
    texts.extend(others.map(String::from));
    texts.extend(spaces().into_iter().map(|c| format!("{c}{c}12{c}")));
    let reading =
        INTEGERS.map(|to| move |column: &Column, ctx: &Context| from_strings_or_null(column, to, ctx));
    let reading: Vec<Function<'_>> = reading.iter().map(|f| f as _).collect();
    agree(&texts_with_nulls(&texts), &reading);

    let bad = ["", "ä 1", "-1", "256", "99999999999999999999", "-99999999999999999999", &"x".repeat(300)];
    fail_alike(" 7 ", &bad, |column, ctx| from_strings(column, DataType::UInt8, ctx));
    fail_alike("-7", &["-129", "+128", "1_0"], |column, ctx| from_strings(column, DataType::Int8, ctx));
    fail_alike("-7", &["-9223372036854775809"], |column, ctx| from_strings(column, DataType::Int64, ctx));
}

/// Every character that is white space, and some that look as if they were.
fn spaces() -> Vec<char> {
    let is_space = super::super::categories::is_space;
    ('\0'..=char::MAX)
        .filter(|&c| is_space(c))
        .chain(['\u{200b}', '\u{feff}', '\u{180e}', '\u{8}', '\u{7f}'])
        .collect()
}

#[test]
fn truth_values_and_texts() {
    let bools: Vec<u8> = (0..300).map(|row| (random(4, row) % 2) as u8).collect();
    let columns = with_nulls(&bools).map(|column| column.bit_cast(DataType::Bool8).unwrap());
    let there_and_back =
        |column: &Column, ctx: &Context| from_strings(&to_strings(column, ctx)?, DataType::Bool8, ctx);
    agree(&columns, &[&to_strings, &there_and_back]);
    let texts = [
        "True",
        "False",
        "true",
        "false",
        "TRUE",
        "FALSE",
        " True",
        "False\n",
        "\u{3000}true\u{a0}",
        "tRUE",
        "fALSE",
        "",
        "1",
        "0",
        "Tru",
        "Truee",
        "False True",
        "T",
        "no",
        "falſe",
    ];
    let texts: Vec<String> = (0..200).map(|row| texts[row % texts.len()].to_string()).collect();
    agree(&texts_with_nulls(&texts), &[&|column, ctx| from_strings_or_null(column, DataType::Bool8, ctx)]);
    fail_alike("true", &["tRUE", ""], |column, ctx| from_strings(column, DataType::Bool8, ctx));
    fail_alike("true", &[" x"], |column, ctx| from_strings(column, DataType::Bool8, ctx));
}

#[test]
fn hexadecimal_numbers() {
    let numbers = magnitudes();
    let mut columns = Vec::new();
    macro_rules! add {
        ($($T:ty),*) => {$(
            let values: Vec<$T> = numbers.iter().flat_map(|&n| [n as $T, (n as $T).wrapping_neg()]).collect();
            columns.extend(with_nulls(&values));
        )*};
    }
    add!(i8, i16, i32, i64, u8, u16, u32, u64);
    columns.push(Column::empty(DataType::Int16));
    agree(&columns, &[&forms::integers_to_hex]);

    let positive = numbers.iter().map(|n| n >> 1);
    let texts: Vec<String> =
        positive.flat_map(|n| [format!("{n:x}"), format!("0x{n:X}"), format!("0X000{n:020x}")]).collect();
    agree(&texts_with_nulls(&texts), &[&forms::hex_to_integers]);
    let bad =
        ["", "0x", "g", "0xx1", "00x1", "1 ", "-1", "+1", "/", ":", "@", "G", "`", "ä", "8000000000000000"];
    fail_alike("7fFFffFFffFFffFF", &bad, forms::hex_to_integers);
}

#[test]
fn addresses() {
    let numbers: Vec<u32> = magnitudes().into_iter().map(|n| n as u32).collect();
    let there_and_back =
        |c: &Column, ctx: &Context| forms::ipv4_to_integers(&forms::integers_to_ipv4(c, ctx)?, ctx);
    agree(&with_nulls(&numbers), &[&forms::integers_to_ipv4, &there_and_back]);
    let bad = [
        "",
        "1",
        "1.2.3",
        "1.2.3.",
        "1.2.3.4.",
        "1.2.3.4.5",
        ".1.2.3",
        "1..2.3",
        "256.1.1.1",
        "1.1.1.999",
        "01.2.3.4",
        "1.2.3.00",
        "1.2.3.0004",
        " 1.2.3.4",
        "1.2.3.4 ",
        "1.2.3.a",
        "1,2,3,4",
        "-1.2.3.4",
        "1.2.3.4\0",
    ];
    fail_alike("0.10.200.255", &bad, forms::ipv4_to_integers);
}

#[test]
fn urls() {
    let mut columns = tests::columns();
    // Bytes at which rules of UTF-8 change, named or as they are.
    const BYTES: [u8; 26] = [
        0x00, 0x41, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed,
        0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff, 0x25, 0x2b,
    ];
    let text = |row: usize| -> String {
        let part = |k: u64| match below(40 + k, row, 12) {
            0 => "é".to_string(),
            1 => ["%", "%4", "%g1", "%1g", "%%41", "% 41", "+", "%2é"][below(70 + k, row, 8) as usize]
                .to_string(),
            2 => "%F0%9F%98%80".to_string(),
            3 => "%e2%82".to_string(),
            kind => {
                let byte = BYTES[below(100 + k, row, BYTES.len() as u64) as usize];
                if kind % 2 == 0 { format!("%{byte:02X}") } else { format!("%{byte:02x}") }
            }
        };
        (0..below(3, row, 9)).map(part).collect()
    };
    let texts: Vec<String> = (0..3000).map(text).collect();
    columns.extend(texts_with_nulls(&texts));
    let there_and_back = |c: &Column, ctx: &Context| forms::url_decode(&forms::url_encode(c, ctx)?, ctx);
    agree(&columns, &[&forms::url_encode, &forms::url_decode, &there_and_back]);
}

#[test]
fn numbers_of_characters() {
    agree(&tests::columns(), &[&forms::code_points]);
}

/// Bits of floats without sign: beside powers of two, small ones, the largest, infinity and what is no number, and any.
fn float_bits(digits: u32, infinite: u64, count: usize) -> Vec<u64> {
    let one = 1u64 << (digits - 1);
    let exponents = 0..=infinite / one;
    let borders =
        exponents.flat_map(|exponent| [0, 1, 2, one / 2, one - 2, one - 1].map(|rest| exponent * one + rest));
    let any = (0..count).map(|row| random(17, row) % infinite);
    let subnormal = (0..count / 10).map(|row| (random(18, row) % one) >> (row % digits as usize));
    borders.chain(any).chain(subnormal).collect()
}

/// Floats that people write: whole numbers, a few decimals, powers of ten.
fn plain_floats(count: usize) -> impl Iterator<Item = f64> {
    let few = (0..count).map(|row| {
        let number = random(31, row) >> (row % 64);
        number as f64 / 10f64.powi((row / 64 % 25) as i32)
    });
    few.chain((-330..=308).map(|n| format!("1e{n}").parse().unwrap()))
}

fn doubles(count: usize) -> Vec<f64> {
    let bits = float_bits(53, f64::INFINITY.to_bits(), count).into_iter().map(f64::from_bits);
    let all = bits.chain(plain_floats(count)).enumerate();
    all.map(|(i, value)| if random(5, i).is_multiple_of(2) { value } else { -value }).collect()
}

fn singles(count: usize) -> Vec<f32> {
    let bits = float_bits(24, u64::from(f32::INFINITY.to_bits()), count)
        .into_iter()
        .map(|b| f32::from_bits(b as u32));
    let all = bits.chain(plain_floats(count).map(|value| value as f32)).enumerate();
    all.map(|(i, value)| if random(5, i).is_multiple_of(2) { value } else { -value }).collect()
}

#[test]
fn floats_as_texts() {
    let mut columns = Vec::from(with_nulls(&doubles(10_000)));
    columns.extend(with_nulls(&singles(10_000)));
    columns.extend([DataType::Float32, DataType::Float64].map(Column::empty));
    let there_and_back =
        |column: &Column, ctx: &Context| from_strings(&to_strings(column, ctx)?, column.data_type(), ctx);
    agree(&columns, &[&to_strings, &there_and_back]);
}

/// All digits of m × 2^e.
fn exact_digits(m: u64, e: i32) -> String {
    let mut digits: Vec<u32> = m.to_string().bytes().rev().map(|byte| u32::from(byte - b'0')).collect();
    for _ in 0..e.abs() {
        let mut carried = 0;
        for digit in &mut digits {
            carried += *digit * if e < 0 { 5 } else { 2 };
            *digit = carried % 10;
            carried /= 10;
        }
        if carried > 0 {
            digits.push(carried);
        }
    }
    let text: String = digits.iter().rev().map(|digit| digit.to_string()).collect();
    if e >= 0 { text } else { format!("{text}e{e}") }
}

/// The middle between a float and the next one, and numbers right beside it, written in several ways.
fn middles(digits: u32, least: i32, infinite: u64, count: usize) -> Vec<String> {
    let one = 1u64 << (digits - 1);
    let bits = float_bits(digits, infinite - 1, 0).into_iter().step_by(7);
    let any = (0..count).map(|row| random(50, row) % infinite);
    let texts = bits.chain(any).enumerate().flat_map(|(i, bits)| {
        let (stored, rest) = ((bits / one) as i32, bits % one);
        let m = if stored > 0 { rest | one } else { rest };
        let middle = exact_digits(2 * m + 1, stored.max(1) + least - digits as i32 - 1);
        let (number, exponent) = middle.split_once('e').unwrap_or((&middle, "0"));
        let exponent: i32 = exponent.parse().unwrap();
        let point = random(51, i) as usize % number.len();
        let (whole, fraction) = number.split_at(point);
        let shifted = exponent + fraction.len() as i32;
        let less = format!("{}{}9", &number[..number.len() - 1], number.as_bytes()[number.len() - 1] - b'1');
        [
            middle.clone(),
            format!("-{whole}.{fraction}E{shifted}"),
            format!("{number}{}1e{}", "0".repeat(i % 40), exponent - (i % 40) as i32 - 1),
            format!("{number}{}e{}", "0".repeat(i % 40), exponent - (i % 40) as i32),
            format!("{}e{}", &number[..number.len() - 1], exponent + 1),
            format!("-0.000{less}e{}", exponent + number.len() as i32 + 3),
        ]
    });
    texts.collect()
}

#[test]
fn texts_as_floats() {
    let digits = |row: usize| -> String {
        let len = 1 + below(61, row, 40);
        (0..len)
            .map(|k| char::from(b'0' + below(62 + k, row, if row.is_multiple_of(3) { 2 } else { 10 }) as u8))
            .collect()
    };
    let any = |row: usize| {
        let (number, exponent) = (digits(row), below(7, row, 720) as i32 - 380);
        let point = below(8, row, number.len() as u64 + 1) as usize;
        match row % 4 {
            0 => number,
            1 => format!("{}.{}", &number[..point], &number[point..]),
            2 => format!("-{}.{}e{exponent}", &number[..point], &number[point..]),
            _ => format!("+{number}E{exponent:+}"),
        }
    };
    let mut texts: Vec<String> = (0..8_000).map(any).collect();
    let forms = [
        "",
        " ",
        ".",
        "-",
        "+",
        "-.",
        "+.e1",
        "e1",
        ".e1",
        "1e",
        "1e+",
        "1e-",
        "1e1.5",
        "1e 1",
        "1.",
        ".5",
        "-.5",
        "+5.",
        "1..2",
        "1.2.3",
        "--1",
        "+-1",
        "1_0",
        "0x1",
        "1f",
        "1,5",
        "1e5x",
        "inf",
        "INF",
        "-Inf",
        "+inf",
        "infinity",
        "-InFiNiTy",
        "+INFINITY",
        "infinit",
        "infinityy",
        "nan",
        "NaN",
        "-nan",
        "+NAN",
        "nan1",
        "-",
        "in",
        "na",
        "i",
        "n",
        "--inf",
        " 1.5\t",
        "\u{3000}2.5\u{85}",
        "٣",
        "1\0",
        "0",
        "-0",
        "-0.0",
        "0e999999999999",
        "-0e-99999999999",
        "1e999999999999",
        "-1e-999999999999",
        "1e65536",
        "1e-65537",
        "1e400",
        "-1e-400",
        "17976931348623158e292",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880e0",
        "2.4703282292062327208e-324",
        "2.4703282292062328e-324",
        "4.9e-324",
        "3e-324",
        "1e-45",
        "7.1e-46",
        "7e-46",
        "340282356779733661637539395458142568447",
        "340282356779733661637539395458142568448",
        "3.4028235677973366e38",
        "9007199254740993",
        "9007199254740993.0000000000000000000001",
        "9007199254740992.99999999999999999999",
        "0.000000000000000000000000000000000000000000000000000000000001e60",
        "123456789012345678901234567890",
    ];
    texts.extend(forms.map(String::from));
    texts.push(format!("1{}e-2000", "0".repeat(2000)));
    texts.push(format!("0.{}1e2000", "0".repeat(1999)));
    texts.push(format!("0.{}", "9".repeat(900)));
    texts.push(format!("1.{}1", "0".repeat(900)));
    texts.extend(middles(24, -126, u64::from(f32::INFINITY.to_bits()), 400));
    texts.extend(middles(53, -1022, f64::INFINITY.to_bits(), 100));
    let columns = texts_with_nulls(&texts);
    agree(
        &columns,
        &[&|column, ctx| from_strings_or_null(column, DataType::Float64, ctx), &|column, ctx| {
            from_strings_or_null(column, DataType::Float32, ctx)
        }],
    );
    let bad = ["", "1.5x", "infin", "1e", &"7".repeat(300).replace("77", "7?")];
    fail_alike("1.5", &bad, |column, ctx| from_strings(column, DataType::Float64, ctx));
    fail_alike(" 1.5", &["-"], |column, ctx| from_strings(column, DataType::Float32, ctx));
}

/// Decimals are printed with their scale, on every device.
#[test]
fn decimals_as_texts() {
    let ctx = &Context::current();
    let column = Column::from_slice(&[-105i64, 0, 7, 12345], ctx).unwrap();
    let column = column.bit_cast(DataType::Decimal64(-2)).unwrap();
    same_everywhere(std::slice::from_ref(&column), |columns, ctx| {
        Table::new(vec![to_strings(&columns[0], ctx)?])
    });
    let texts = to_strings(&column, ctx).unwrap();
    assert_eq!(rows(&texts), ["-1.05", "0.00", "0.07", "123.45"].map(|text| Scalar::from(text).to_string()));
}
