//! The order of rows: their numbers by keys of every kind. Bytes are those of the keys and the row numbers.

use cuprum_column::{Column, Result};
use cuprum_compute::sorting::{NullOrder, sorted_order};
use cuprum_testing::Random;
use cuprum_testing::generated::{below, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "order", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let (ctx, nulls) = (&bench.ctx, NullOrder::Last);
    let order = |name: &str, columns: &[&Column]| {
        let keys = table(columns)?;
        bench.case(name, &[&keys], || sorted_order(&keys, &[], nulls, ctx))
    };
    let number = bench.ints(1, u64::MAX)?;
    order("order of int64", &[&number])?;
    order("order of int64, nulls", &[&bench.with_nulls(&number)?])?;
    drop(number);
    let outlier =
        bench.column(|row| if row == bench.rows / 2 { i64::MAX } else { below(2, row, 1_000_000) as i64 })?;
    order("order of int64 with an outlier", &[&outlier])?;
    drop(outlier);
    let (key, double) = (bench.small_ints(3, 1000)?, bench.floats(4)?);
    order("order of int32 of 1000", &[&key])?;
    order("order of float64, uniform", &[&double])?;
    order("order of float64, normal", &[&bench.normals(5)?])?;
    order("order of float64 of 1000 values", &[&bench.column(|row| below(6, row, 1000) as f64 * 0.1)?])?;
    order("order of (int32 of 1000, float64)", &[&key, &double])?;
    let almost = bench.column(|row| if row % 1000 == 0 { below(7, row, 1 << 40) } else { row as u64 })?;
    order("order of uint64, nearly sorted", &[&almost])?;
    drop((key, double, almost));

    let kinds: [(&str, Prefix); 3] = [
        ("texts of 6-14", |_| String::new()),
        ("texts, a common prefix of 8", |_| "customer".to_owned()),
        ("texts, 1000 prefixes of 12", |random| format!("https://{:04}", random % 1000)),
    ];
    for (name, prefix) in kinds {
        let texts = texts(bench, prefix)?;
        order(&format!("order of a tenth as many {name}"), &[&texts])?;
    }
    let ten = table(&[&Column::from_slice(&[5i64, 3, 9, 1, 4, 4, 8, 0, 2, 7], ctx)?])?;
    bench.small("order of 10 int64", || sorted_order(&ten, &[], nulls, ctx))
}

/// What stands before a text, by a random number.
type Prefix = fn(u64) -> String;

/// Texts of 6 to 14 letters behind a prefix.
fn texts(bench: &Bench, prefix: Prefix) -> Result<Column> {
    let mut random = Random(3);
    let words: Vec<String> = (0..bench.rows / 10)
        .map(|_| {
            let (mut word, len) = (prefix(random.next()), 6 + random.below(9));
            (0..len).for_each(|_| word.push((b'a' + random.below(26) as u8) as char));
            word
        })
        .collect();
    bench.there(&Column::from_strs(&words, &bench.host)?)
}
