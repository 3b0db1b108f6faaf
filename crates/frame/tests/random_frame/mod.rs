//! Frames for tests that run programs two ways.

use cuprum::prelude::*;
use cuprum::types::{Categorical, TypedColumn};
use cuprum_compute::unary;
use cuprum_testing::generated::{below, random};

/// Integers `k`, texts `s`, floats `x` with NaN and -0.0, truth values `b`, times `t` and categories `c`, some of them
/// missing; at most `keys` different integers and texts.
pub fn random_frame(rows: usize, keys: u64, seed: u64, ctx: &Context) -> DataFrame {
    let missing = |i: usize| below(seed + 1, i, 9) == 0;
    let number = |i: usize| below(seed, i, keys) as i64 - (keys / 3) as i64;
    let numbers: Vec<Option<i64>> = (0..rows).map(|i| (!missing(i)).then(|| number(i))).collect();
    let texts: Vec<Option<String>> =
        (0..rows).map(|i| (!missing(i + 3)).then(|| format!("ä{}", below(seed + 2, i, keys)))).collect();
    let floats: Vec<Option<f64>> = (0..rows)
        .map(|i| match below(seed + 3, i, 9) {
            0 => None,
            1 => Some(f64::NAN),
            2 => Some(-0.0),
            _ => Some((random(seed + 4, i) % 64) as f64 / 8.0 - 4.0),
        })
        .collect();
    let bits: Vec<Option<i8>> = numbers.iter().map(|n| n.map(|n| (n & 1) as i8)).collect();
    let bools = unary::cast(&Column::from_options(&bits, ctx).unwrap(), DataType::Bool8, ctx).unwrap();
    // Each column has memory of its own.
    let integers = || Column::from_options(&numbers, ctx).unwrap();
    let times = integers().bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap();
    let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    let texts = Column::from_opt_strs(&texts, ctx).unwrap();
    let categories = Categorical::encode_distinct(&texts.clone().into(), false).unwrap();
    DataFrame::new([
        ("k", TypedColumn::from(integers())),
        ("s", texts.into()),
        ("x", Column::from_options(&floats, ctx).unwrap().into()),
        ("b", bools.into()),
        ("t", times.into()),
        ("c", categories),
    ])
    .unwrap()
}
