//! Decimals and texts, beside the CPU on all devices.

use cuprum_column::{Column, Context, DataType, Result};
use cuprum_testing::generated::{below, random};
use cuprum_testing::{contexts, same_cases_everywhere};

use super::{from_texts, of_width, to_texts};

const SCALES: [i32; 13] = [0, -1, -2, -9, -18, -19, -20, -38, -39, -128, 3, 127, 200];

/// Numbers of all magnitudes, beside powers of ten and of two.
fn numbers() -> Vec<i128> {
    let powers = (0..39).map(|n| 10i128.pow(n)).chain((0..127).step_by(5).map(|n| 1 << n));
    let near = powers.flat_map(|power| [power - 1, power, -power, power + 1]);
    let any = (0..200).map(|row| {
        let wide = (i128::from(random(3, row) as i64) << 64) | i128::from(random(4, row));
        wide >> (row % 128)
    });
    near.chain(any).chain([i128::MAX, i128::MIN, i128::MIN + 1]).collect()
}

fn decimals(bytes: usize, scale: i32) -> Column {
    let some: Vec<_> =
        numbers().into_iter().enumerate().map(|(row, n)| (row % 5 != 3).then_some(n)).collect();
    let ctx = &Context::current();
    let plain = match bytes {
        4 => {
            Column::from_options(&some.iter().map(|n| n.map(|n| n as i32)).collect::<Vec<_>>(), ctx).unwrap()
        }
        8 => {
            Column::from_options(&some.iter().map(|n| n.map(|n| n as i64)).collect::<Vec<_>>(), ctx).unwrap()
        }
        _ => {
            let mask = super::null_mask::from_fn(some.len(), ctx, |row: usize| some[row].is_some()).unwrap();
            let number = |row: usize| some[row].unwrap_or(7);
            let to = DataType::Decimal128(scale);
            return super::column(some.len(), to, Some(mask), ctx, |row| Some(number(row))).unwrap();
        }
    };
    plain.bit_cast(of_width(bytes, scale)).unwrap()
}

/// A function of a column on any device.
type Function<'a> = &'a dyn Fn(&Column, &Context) -> Result<Column>;

fn agree(columns: &[Column], functions: &[Function<'_>]) {
    same_cases_everywhere(columns, |columns, cases, ctx| {
        for column in columns {
            for function in functions {
                cases.add(|| function(column, ctx))?;
            }
        }
        Ok(())
    });
}

#[test]
fn decimals_become_texts_and_come_back() {
    let mut columns = Vec::new();
    for scale in SCALES {
        for bytes in [4, 8, 16] {
            let column = decimals(bytes, scale);
            columns.extend([column.slice(11, 150).unwrap(), column]);
        }
    }
    columns.push(Column::empty(DataType::Decimal64(-2)));
    agree(&columns, &[&to_texts]);
    // Others have more digits than are read.
    let is_read = |kind: DataType| kind.size() != Some(16) && (-128..=3).contains(&kind.scale());
    let columns: Vec<Column> = columns.into_iter().filter(|column| is_read(column.data_type())).collect();
    agree(&columns, &[&|column, ctx| from_texts(&to_texts(column, ctx)?, column.data_type(), ctx)]);
}

/// Texts that are numbers with digits up to the third behind the point, where `has_all`, else with others, too.
fn texts(row: usize) -> String {
    let sign = ["", "-", "+"][below(1, row, 3) as usize];
    let whole = random(2, row) >> (24 + row % 40);
    let places = below(5, row, 4) as usize;
    let fraction = format!("{:03}", below(3, row, 1000));
    match row % 6 {
        0 => format!("{sign}{whole}"),
        1 => format!("{sign}{whole}."),
        2 => format!("{sign}.{fraction}"),
        3 => format!("{sign}{whole}.{}", &fraction[..places]),
        4 => format!(" {sign}{whole}{fraction}e-3\t"),
        _ => format!("\u{2003}{sign}000{whole}{}E+0{places}", if places == 3 { "" } else { ".000000" }),
    }
}

#[test]
fn texts_become_decimals() {
    let ctx = &Context::current();
    let some: Vec<_> = (0..1500).map(|row| (row % 5 != 3).then(|| texts(row))).collect();
    let column = Column::from_opt_strs(&some, ctx).unwrap();
    let columns = [column.slice(37, 1000).unwrap(), column, Column::empty(DataType::String)];
    let read = |to: DataType| move |column: &Column, ctx: &Context| from_texts(column, to, ctx);
    agree(
        &columns,
        &[&read(DataType::Decimal64(-3)), &read(DataType::Decimal128(-3)), &read(DataType::Decimal128(-20))],
    );
}

/// Texts that are no values fail alike on every device, with the first such row.
#[test]
fn texts_that_are_no_decimals() {
    let texts = [
        "",
        " ",
        "-",
        ".",
        "+.",
        "1.2.3",
        "1e",
        "1e+",
        "1e1e1",
        "1e1.0",
        "--1",
        "1-",
        "x",
        "1_0",
        "e1",
        ".e1",
        "1 2",
        "٣",
        "1\0",
        "\u{1f}1",
        "0.001",
        "0.0010",
        "0.1e1",
        "1e-2",
        "10e-3",
        "0e99",
        "0e2147483647",
        "0e2147483648",
        "0e-2147483648",
        "0.0e-2147483648",
        "0.0e-2147483647",
        "1e2147483647",
        "1e-2147483648",
        "21474836.47",
        "21474836.48",
        "-21474836.48",
        "-21474836.49",
        "92233720368547758.07",
        "92233720368547758.08",
        "-92233720368547758.09",
        "1701411834604692317316873037158841057.27",
        "1701411834604692317316873037158841057.28",
        "-1701411834604692317316873037158841057.28",
        "170141183460469231731687303715884105728e-2",
        "100000000000000000000000000000000000000e-30",
        "1e36",
        "1e37",
        "0000000000000000000000000000000000000000000000001",
        "1.000000000000000000000000000000000000",
        "1.0000000000000000000000000000000000000000000",
        "5e-3",
        "4.10",
        "inf",
        "nan",
    ];
    for bytes in [4, 8, 16] {
        let to = of_width(bytes, -2);
        let outcome = |ctx: &Context, text: &str| {
            let rows: Vec<_> =
                (0..200).map(|row| if row == 130 || row > 180 { text } else { "-4.1" }).collect();
            let column = Column::from_strs(&rows, &Context::current()).unwrap().to_device(ctx).unwrap();
            match from_texts(&column, to, ctx) {
                Ok(column) => column.to_host().unwrap().get(130).unwrap().to_string(),
                Err(error) => format!("{:?} {error}", error.kind()),
            }
        };
        let expected = texts.map(|text| outcome(&Context::current(), text));
        assert!(
            expected.iter().any(|text| text.contains("row 130: ")) && expected.contains(&"4.10".to_string())
        );
        for ctx in contexts() {
            assert_eq!(texts.map(|text| outcome(&ctx, text)), expected, "{to}");
        }
    }
}
