use cuprum_column::{Column, Context, DataType, ErrorKind};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, Random, any_column, assert_column_eq, contexts, plain_types};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::Interpolation::*;
use super::cpu::ticks_between;
use super::*;

fn ctx() -> Context {
    Tracked::current()
}

/// `NumPy`'s definition over a sorted copy.
fn model(sorted: &[f64], q: f64, interpolation: Interpolation) -> f64 {
    let place = (sorted.len() - 1) as f64 * q;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    match interpolation {
        Linear if low == high || place.fract() == 0.0 => low,
        Linear if low.is_infinite() || high.is_infinite() => low + high,
        Linear => low + (high - low) * place.fract(),
        Lower => low,
        Higher => high,
        Midpoint if low == high => low,
        Midpoint => f64::midpoint(low, high),
        Nearest => sorted[place.round_ties_even() as usize],
    }
}

proptest! {
    #[test]
    fn quantiles_follow_the_model(
        column in (prop::sample::select(vec![DataType::Int16, DataType::UInt8, DataType::Float32, DataType::Bool8, DataType::Int64]), 1usize..100)
            .prop_flat_map(|(t, n)| any_column(t, n)),
        q in prop::collection::vec(0.0f64..=1.0, 0..6)) {
        let mut values: Vec<f64> = (0..column.len()).filter_map(|i| column.get(i).unwrap().as_f64()).filter(|x| !x.is_nan()).collect();
        values.sort_by(f64::total_cmp);
        for interpolation in [Linear, Lower, Higher, Midpoint, Nearest] {
            let result = quantile(&column, &q, interpolation, &ctx()).unwrap();
            for (i, q) in q.iter().enumerate() {
                match result.get(i).unwrap().as_f64() {
                    None => prop_assert!(values.is_empty()),
                    Some(x) => {
                        let wanted = model(&values, *q, interpolation);
                        prop_assert!(x == wanted || (x - wanted).abs() <= 1e-9 * wanted.abs() || (x.is_nan() && wanted.is_nan()),
                            "{x} is not {wanted} at {q} {interpolation:?} of {values:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn selection_in_large_columns_of_every_shape() {
    let ctx = ctx();
    let shapes: [fn(&mut Random, usize) -> i64; 5] = [
        |r, _| r.next() as i64,
        |r, _| r.below(7) as i64,
        |_, i| i as i64,
        |r, i| if i == 5 { i64::MIN } else { r.below(100_000) as i64 },
        |_, _| 42,
    ];
    for len in LENGTHS.into_iter().filter(|&len| len > 0).chain([300_000]) {
        for shape in shapes {
            let mut random = Random(len as u64);
            let mut values: Vec<i64> = (0..len).map(|i| shape(&mut random, i)).collect();
            let column = Column::from_slice(&values, &ctx).unwrap();
            values.sort_unstable();
            for q in [0.0, 0.001, 0.5, 0.77, 1.0] {
                let k = ((len - 1) as f64 * q) as usize;
                let lower = quantile(&column, &[q], Lower, &ctx).unwrap().get(0).unwrap().as_f64();
                assert_eq!(lower, Some(values[k] as f64), "{len} {q}");
                let higher = quantile(&column, &[q], Higher, &ctx).unwrap().get(0).unwrap().as_f64();
                let k = ((len - 1) as f64 * q).ceil() as usize;
                assert_eq!(higher, Some(values[k] as f64), "{len} {q}");
            }
        }
    }
}

#[test]
fn wrong_arguments_are_named() {
    let column = Column::from_slice(&[1.0], &ctx()).unwrap();
    for q in [-0.1, 1.1, f64::NAN] {
        assert_eq!(quantile(&column, &[q], Linear, &ctx()).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    let texts = Column::empty(DataType::String);
    assert_eq!(quantile(&texts, &[0.5], Linear, &ctx()).unwrap_err().kind(), ErrorKind::DataType);
}

#[test]
fn quantiles_on_every_device() {
    let (host, mut runner) = (&Context::current(), TestRunner::deterministic());
    let mut columns = Vec::new();
    for data_type in plain_types().into_iter().filter(|data_type| *data_type != DataType::String) {
        for len in [0, 1, 2, 90] {
            columns.push(any_column(data_type, len).new_tree(&mut runner).unwrap().current());
        }
    }
    columns
        .push(Column::from_options(&[Some(i64::MIN), None, Some(i64::MAX), Some(i64::MAX)], host).unwrap());
    columns.push(Column::from_slice(&[f64::NAN; 5], host).unwrap());
    let q = [0.0, 0.25, 0.5, 0.77, 1.0];
    let kinds = [
        Interpolation::Linear,
        Interpolation::Lower,
        Interpolation::Higher,
        Interpolation::Midpoint,
        Interpolation::Nearest,
    ];
    for (number, ctx) in contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        for (i, column) in columns.iter().enumerate() {
            if number > 0 && (i + number) % 7 != 0 {
                continue;
            }
            let (kind, there) = (kinds[i % kinds.len()], column.to_device(&ctx).unwrap());
            let expected = quantile(column, &q, kind, host).unwrap();
            assert_column_eq(&quantile(&there, &q, kind, &ctx).unwrap(), &expected);
        }
    }
}

/// Between ticks that floats hold, and between those that they do not.
#[test]
fn between_two_ticks() {
    assert_eq!(ticks_between(0, 10, 0.25), 2);
    assert_eq!(ticks_between(-10, 0, 0.25), -7);
    assert_eq!(ticks_between(-3, -2, 0.5), -2);
    let large = 1 << 62;
    assert_eq!(ticks_between(large, large + 2, 0.5), large + 1);
    assert_eq!(ticks_between(large, large + 1, 0.5), large);
    assert_eq!(ticks_between(large, large + 1000, 0.25), large + 250);
    // A tenth of ten is one, though the float is above it.
    assert_eq!(ticks_between(large, large + 10, 0.3), large + 3);
    assert_eq!(ticks_between(large, large + 10, 0.39), large + 3);
    assert_eq!(ticks_between(i128::from(i64::MIN), i128::from(i64::MAX), 1.0), i128::from(i64::MAX));
    assert_eq!(ticks_between(i128::from(i64::MIN), i128::from(i64::MAX), 0.0), i128::from(i64::MIN));
}
