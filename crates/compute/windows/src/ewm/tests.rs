use cuprum_column::ErrorKind;

use cuprum_elements::elements::{CHUNK, chunk_buffer};

use super::cpu::powers;
use super::*;

/// Powers are those of the standard library to the last bits, from 0 to infinity, and of 0 and 1.
#[test]
fn powers_of_numbers() {
    let exponents: Vec<f64> =
        (-2200..2200).map(|i| f64::from(i) * 0.73).chain([0.0, 1e300, -1e300]).collect();
    for base in [0.0, 1e-300, 0.1, 0.5, 0.999, 1.0] {
        for exponents in exponents.chunks(CHUNK) {
            let mut out = chunk_buffer();
            for (found, exponent) in powers(base, exponents, &mut out).iter().zip(exponents) {
                let expected = base.powf(*exponent);
                // The error of the exponent, which is rounded, is that of the power.
                let allowed = expected * (4.0 + exponent.abs() * base.max(1e-300).ln().abs()) * f64::EPSILON;
                let is_near = *found == expected || (found - expected).abs() <= allowed.max(5e-324);
                assert!(is_near, "{base} to {exponent} is {expected}, not {found}");
            }
        }
    }
}

/// Steps of one half-life are rows; a gap in which all is forgotten leaves the mean as it is.
#[test]
fn means_at_times() {
    let ctx = &Context::current();
    let values: Vec<Option<f64>> = (0..3000).map(|i| (i % 7 != 3).then_some(f64::from(i * i % 91))).collect();
    let column = Column::from_options(&values, ctx).unwrap();
    let times: Vec<i64> = (0..values.len() as i64).map(|row| 7 * row - 50).collect();
    let times = Column::from_slice(&times, ctx).unwrap();
    for (center_of_mass, adjust, ignore_missing) in
        [(1.0, true, false), (0.3, true, true), (1.0, false, false), (4.0, false, true)]
    {
        let options = EwmOptions { center_of_mass, adjust, ignore_missing, min_periods: 5 };
        let (found, expected) = (
            super::mean_at(&column, &times, 7.0, options, ctx).unwrap(),
            super::mean(&column, options, ctx).unwrap(),
        );
        for row in 0..values.len() {
            let [found, expected] = [&found, &expected].map(|means| means.get(row).unwrap().as_f64());
            assert_eq!(found.is_some(), expected.is_some(), "{options:?}, row {row}");
            let (found, expected) = (found.unwrap_or(0.0), expected.unwrap_or(0.0));
            assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{options:?}, row {row}");
        }
    }
    let gap = Column::from_options(&[Some(3.0), None, Some(8.0)], ctx).unwrap();
    let times = Column::from_slice(&[0i64, 10_000, 10_001], ctx).unwrap();
    let options = EwmOptions { center_of_mass: 1.0, ..EwmOptions::default() };
    let means = super::mean_at(&gap, &times, 2.0, options, ctx).unwrap();
    assert_eq!(means.view().unwrap().values::<f64>().unwrap(), [3.0, 3.0, 8.0]);
}

#[test]
fn what_times_cannot_be() {
    let ctx = &Context::current();
    let column = Column::from_slice(&[1.0, 2.0], ctx).unwrap();
    let kind = |times: Column, half_life: f64| {
        super::mean_at(&column, &times, half_life, EwmOptions::default(), ctx).unwrap_err().kind()
    };
    let ints = |times: &[i64]| Column::from_slice(times, ctx).unwrap();
    assert_eq!(kind(Column::from_slice(&[1.0, 2.0], ctx).unwrap(), 1.0), ErrorKind::DataType);
    let missing = Column::from_options(&[Some(1i64), None], ctx).unwrap();
    assert_eq!(kind(missing, 1.0), ErrorKind::InvalidArgument);
    for half_life in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(kind(ints(&[1, 2]), half_life), ErrorKind::InvalidArgument);
    }
    assert_eq!(kind(ints(&[1]), 1.0), ErrorKind::Logic);
}

/// Results of pandas for the same values.
#[test]
fn means_of_pandas() {
    let ctx = &Context::current();
    let values = [None, Some(1.0), Some(5.0), None, Some(f64::NAN), Some(7.0), Some(2.0)];
    let column = Column::from_options(&values, ctx).unwrap();
    let of = |adjust, ignore_missing, min_periods| {
        let options = EwmOptions { center_of_mass: 0.5, adjust, ignore_missing, min_periods };
        let means = super::mean(&column, options, ctx).unwrap();
        (0..7).map(|row| means.get(row).unwrap().as_f64()).collect::<Vec<_>>()
    };
    let some = |values: [f64; 6]| std::iter::once(None).chain(values.map(Some)).collect::<Vec<_>>();
    let (mean, third) = (3.9999999999999996, 3.6666666666666665);
    assert_eq!(of(true, false, 0), some([1.0, mean, mean, mean, 6.858823529411764, 3.2591463414634148]));
    assert_eq!(of(true, true, 0), some([1.0, mean, mean, mean, 6.076923076923077, 3.325]));
    assert_eq!(of(false, false, 0), some([1.0, third, third, third, 6.8245614035087705, 3.6081871345029235]));
    assert_eq!(
        of(false, true, 2)[1..],
        [None, Some(third), Some(third), Some(third), Some(5.888888888888888), Some(3.2962962962962963)]
    );
    let of_one = EwmOptions { center_of_mass: 1.0, adjust: false, ..EwmOptions::default() };
    let gap = Column::from_options(&[Some(3.0), None, Some(1.0)], ctx).unwrap();
    assert_eq!(super::mean(&gap, of_one, ctx).unwrap().get(2).unwrap().as_f64(), Some(1.5));
    let refused = EwmOptions { center_of_mass: -0.5, ..EwmOptions::default() };
    assert_eq!(super::mean(&column, refused, ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let texts = Column::from_strs(&["a"], ctx).unwrap();
    assert_eq!(super::mean(&texts, EwmOptions::default(), ctx).unwrap_err().kind(), ErrorKind::DataType);
}

/// Results of pandas for the same values.
#[test]
fn sums_and_covariances_of_pandas() {
    let ctx = &Context::current();
    let column = |values: &[Option<f64>]| Column::from_options(values, ctx).unwrap();
    let values = [None, Some(1.0), Some(5.0), None, Some(f64::NAN), Some(7.0), Some(2.0)];
    let x = column(&values);
    let y = column(&[Some(3.0), Some(2.0), Some(1.0), Some(4.0), None, None, Some(9.0)]);
    let got = |found: Column| (0..7).map(|row| found.get(row).unwrap().as_f64()).collect::<Vec<_>>();
    let of = |adjust, ignore_missing, min_periods| EwmOptions {
        center_of_mass: 0.5,
        adjust,
        ignore_missing,
        min_periods,
    };
    let covariance =
        |other, options, bias| got(super::covariance(&x, other, options, bias, ctx).unwrap())[1..].to_vec();
    let third = 7.999999999999997;
    assert_eq!(
        covariance(&x, of(true, true, 0), false),
        [None, Some(third), Some(third), Some(third), Some(6.153846153846155), Some(9.373076923076924)]
    );
    assert_eq!(covariance(&x, of(false, false, 0), true)[..2], [Some(0.0), Some(3.5555555555555562)],);
    assert_eq!(covariance(&x, of(false, false, 0), true)[5], Some(5.419582093635645));
    assert_eq!(
        covariance(&x, of(true, false, 3), true)[3..],
        [None, Some(0.5447750865051907), Some(4.673696832242712)]
    );
    assert_eq!(
        covariance(&y, of(true, false, 0), false)[1..],
        [
            -1.9999999999999993,
            -1.9999999999999993,
            -1.999999999999999,
            -1.9999999999999996,
            -8.106153846153843
        ]
        .map(Some)
    );
    assert_eq!(covariance(&y, of(false, false, 0), false)[4..], [Some(-2.0), Some(-6.813524590163942)]);
    let sums = |ignore| got(super::sum(&x, of(true, ignore, 0), ctx).unwrap())[1..].to_vec();
    let start = 5.333333333333333;
    assert_eq!(sums(true), [1.0, start, start, start, 8.777777777777779, 4.9259259259259265].map(Some));
    assert_eq!(
        sums(false),
        [1.0, start, 1.777777777777778, 0.5925925925925927, 7.197530864197531, 4.399176954732511].map(Some)
    );
    let refused = super::sum(&x, of(false, false, 0), ctx).unwrap_err().kind();
    assert_eq!(refused, ErrorKind::Unsupported);
    let short = column(&[None]);
    assert_eq!(
        super::covariance(&x, &short, of(true, true, 0), true, ctx).unwrap_err().kind(),
        ErrorKind::Logic
    );
}

/// Means, sums and covariances of devices, around tiles, of rows with gaps and infinities.
#[test]
fn weighted_on_devices() {
    let host = &Context::current();
    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (turn, rows) in [0usize, 1, 2, 33, 1023, 1025, 5000].into_iter().enumerate() {
            let mut random = cuprum_runtime::random::Random(turn as u64 + 7);
            let values = |random: &mut cuprum_runtime::random::Random| {
                let value = |random: &mut cuprum_runtime::random::Random| match random.below(12) {
                    0 => None,
                    1 => Some(f64::NAN),
                    // A few values first: one alone that fades is rounding on the CPU.
                    n => Some(n as f64 * 1.25 - 3.0),
                };
                let some: Vec<_> = (0..rows + 3)
                    .map(|i| {
                        value(random).filter(|_| !(2500..=2700).contains(&i)).or((i < 6).then_some(i as f64))
                    })
                    .collect();
                Column::from_options(&some, host).unwrap().slice(3, rows).unwrap()
            };
            let pair = [values(&mut random), values(&mut random)];
            let whole: Vec<i32> = (0..rows as i32).map(|i| i % 50).collect();
            let whole = Column::from_slice(&whole, host).unwrap();
            for (number, center_of_mass) in [0.0, 0.5, 1.0, 40.0].into_iter().enumerate() {
                let (adjust, ignore_missing) = ((turn + number) % 2 == 0, (turn + number) % 3 == 0);
                let options = EwmOptions { center_of_mass, adjust, ignore_missing, min_periods: number % 3 };
                let same = |column: &dyn Fn(&[Column; 3], &Context) -> Result<Column>| {
                    let all = [pair[0].clone(), pair[1].clone(), whole.clone()];
                    let there = all.each_ref().map(|column| column.to_device(&ctx).unwrap());
                    match (column(&there, &ctx), column(&all, host)) {
                        (Ok(found), Ok(wanted)) => near(&found.to_host().unwrap(), &wanted),
                        (Err(found), Err(wanted)) => assert_eq!(found.to_string(), wanted.to_string()),
                        (found, wanted) => panic!("{found:?} and {wanted:?}"),
                    }
                };
                println!("{rows} {options:?}");
                same(&|c, ctx| super::mean(&c[0], options, ctx));
                same(&|c, ctx| super::sum(&c[2], options, ctx));
                same(&|c, ctx| super::covariance(&c[0], &c[1], options, number % 2 == 0, ctx));
                same(&|c, ctx| super::covariance(&c[0], &c[0], options, false, ctx));
            }
        }
        let infinite = [1.0, f64::INFINITY, 3.0, f64::NEG_INFINITY, 5.0];
        let column = Column::from_slice(&infinite, host).unwrap();
        let there = column.to_device(&ctx).unwrap();
        let options = EwmOptions { center_of_mass: 2.0, ..EwmOptions::default() };
        near(
            &super::mean(&there, options, &ctx).unwrap().to_host().unwrap(),
            &super::mean(&column, options, host).unwrap(),
        );
        let texts = Column::from_strs(&["a"], host).unwrap().to_device(&ctx).unwrap();
        assert_eq!(super::mean(&texts, options, &ctx).unwrap_err().kind(), ErrorKind::DataType);
        assert_eq!(super::sum(&texts, options, &ctx).unwrap_err().kind(), ErrorKind::DataType);
    }
}

/// Means at times on every device, at lengths around tiles: steps of any length, equal and descending times, gaps after
/// which weights are zero, infinities, slices of columns and of times.
#[test]
fn at_times_on_devices() {
    let host = &Context::current();
    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
        let same = |column: &Column, times: &Column, half_life: f64, options: EwmOptions| {
            let [there, at] = [column, times].map(|column| column.to_device(&ctx).unwrap());
            match (
                super::mean_at(&there, &at, half_life, options, &ctx),
                super::mean_at(column, times, half_life, options, host),
            ) {
                (Ok(found), Ok(wanted)) => near(&found.to_host().unwrap(), &wanted),
                (Err(found), Err(wanted)) => {
                    assert_eq!((found.kind(), found.to_string()), (wanted.kind(), wanted.to_string()));
                }
                (found, wanted) => panic!("{found:?} and {wanted:?}"),
            }
        };
        for (turn, rows) in [0usize, 1, 2, 31, 33, 1023, 1024, 1025, 3001].into_iter().enumerate() {
            let mut random = cuprum_runtime::random::Random(turn as u64 + 3);
            let mut now = -500i64;
            let steps: Vec<i64> = (0..rows + 3)
                .map(|_| {
                    now += match random.below(20) {
                        0..=2 => 0,
                        3 => -4,
                        4 => 9_000,
                        n => n as i64,
                    };
                    now
                })
                .collect();
            let times = Column::from_slice(&steps, host).unwrap().slice(3, rows).unwrap();
            let stamps = times.bit_cast(DataType::Timestamp(cuprum_column::TimeUnit::Microseconds)).unwrap();
            let values: Vec<Option<f64>> = (0..rows + 1)
                .map(|row| match random.below(6) {
                    0 => None,
                    1 => Some(f64::NAN),
                    n => Some(n as f64 * 1.25 - 3.0).filter(|_| !(1000..=1100).contains(&row)),
                })
                .collect();
            let column = Column::from_options(&values, host).unwrap().slice(1, rows).unwrap();
            let whole: Vec<i32> = (0..rows as i32).map(|i| i % 50).collect();
            let whole = Column::from_slice(&whole, host).unwrap();
            for (number, center_of_mass) in [0.0, 0.5, 1.0, 40.0].into_iter().enumerate() {
                for (adjust, ignore_missing) in [(true, true), (true, false), (false, true), (false, false)] {
                    let options = EwmOptions { center_of_mass, adjust, ignore_missing, min_periods: number };
                    println!("{rows} {options:?}");
                    // Where nothing is left of weights, rows behind a missing one that go back in time have no mean on
                    // the CPU, which takes one step after another, and that of all steps together on a GPU.
                    if center_of_mass > 0.0 || adjust || ignore_missing {
                        same(&column, &stamps, 25.0, options);
                    }
                    same(&whole, &times, 11.5, EwmOptions { center_of_mass: 3.0, ..options });
                }
            }
        }
        let infinite = [1.0, f64::INFINITY, 3.0, f64::NEG_INFINITY, 5.0];
        let infinite = Column::from_slice(&infinite, host).unwrap();
        let gap = Column::from_options(&[Some(3.0), None, Some(8.0), Some(f64::INFINITY), Some(2.0)], host);
        let gap = gap.unwrap();
        for times in [[0i64, 1, 2, 3, 4], [0, 90_000, 90_001, 90_001, 300_000], [5, 4, 4, 3, -7]] {
            let times = Column::from_slice(&times, host).unwrap();
            for (center_of_mass, adjust) in
                [(2.0, true), (2.0, false), (1.0, false), (0.0, true), (0.0, false)]
            {
                let options = EwmOptions { center_of_mass, adjust, ..EwmOptions::default() };
                same(&gap, &times, 2.0, options);
                // On the CPU a mean stays as it is where the next value equals it, whatever the weights.
                if adjust || times.get(0).unwrap().as_i64() == Some(0) {
                    same(&infinite, &times, 2.0, options);
                }
            }
        }
        // Each step leaves something of an infinite value, all of them together nothing that a float holds.
        let mut fading = [1.0; 40];
        fading[0] = f64::INFINITY;
        let fading = Column::from_slice(&fading, host).unwrap();
        let times: Vec<i64> = (0..40).map(|row| row * 1500).collect();
        let times = Column::from_slice(&times, host).unwrap();
        for adjust in [true, false] {
            same(&fading, &times, 2.0, EwmOptions { center_of_mass: 2.0, adjust, ..EwmOptions::default() });
        }
        let (options, texts) = (EwmOptions::default(), Column::from_strs(&["a"; 5], host).unwrap());
        let times = Column::from_slice(&[0i64, 1, 2, 3, 4], host).unwrap();
        same(&texts, &times, 2.0, options);
        same(&gap, &infinite, 2.0, options);
        same(&gap, &times.slice(0, 4).unwrap(), 2.0, options);
        same(&gap, &Column::from_options(&[Some(0i64), None, None, None, None], host).unwrap(), 2.0, options);
        for half_life in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            same(&gap, &times, half_life, options);
        }
        same(&gap, &times, 2.0, EwmOptions { center_of_mass: f64::NAN, ..options });
    }
}

fn near(found: &Column, wanted: &Column) {
    assert_eq!(found.len(), wanted.len());
    for row in 0..found.len() {
        match (found.get(row).unwrap().as_f64(), wanted.get(row).unwrap().as_f64()) {
            (Some(a), Some(b)) => {
                let is_near =
                    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-11 * b.abs().max(1.0);
                assert!(is_near, "row {row}: {a} and {b}");
            }
            (a, b) => assert_eq!(a, b, "row {row}"),
        }
    }
}
