use cuprum_column::ErrorKind;

use super::*;

fn found(left: &[Option<f64>], right: &[Option<f64>], min_periods: usize) -> Option<f64> {
    let ctx = &Context::current();
    let [left, right] = [left, right].map(|side| Column::from_options(side, ctx).unwrap());
    kendall(&left, &right, min_periods, ctx).unwrap().as_f64()
}

/// Every pair by itself.
fn expected(left: &[Option<f64>], right: &[Option<f64>]) -> Option<f64> {
    let there = |value: &Option<f64>| value.filter(|value| !value.is_nan());
    let rows: Vec<(f64, f64)> =
        left.iter().zip(right).filter_map(|(l, r)| Some((there(l)?, there(r)?))).collect();
    let sign = |a: f64, b: f64| a.partial_cmp(&b).unwrap() as i64;
    let (mut sum, mut of_left, mut of_right) = (0, 0, 0);
    for (at, a) in rows.iter().enumerate() {
        for b in &rows[..at] {
            let (l, r) = (sign(a.0, b.0), sign(a.1, b.1));
            sum += l * r;
            of_left += l * l;
            of_right += r * r;
        }
    }
    let tau = sum as f64 / (of_left as f64).sqrt() / (of_right as f64).sqrt();
    (of_left > 0 && of_right > 0).then_some(tau)
}

#[test]
fn by_every_pair() {
    for (rows, kinds) in [(0u64, 1u64), (1, 3), (2, 5), (15, 4), (16, 100), (17, 2), (33, 7), (400, 13)] {
        for missing in [1000u64, 5] {
            let value = |row: u64, seed: u64| {
                let hash = (row + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
                match hash % missing {
                    4 => None,
                    3 => Some(f64::NAN),
                    _ => Some((hash / missing % kinds) as f64 - 1.0),
                }
            };
            let [left, right] = [1, 77].map(|seed| (0..rows).map(|row| value(row, seed)).collect::<Vec<_>>());
            let (found, expected) = (found(&left, &right, 1), expected(&left, &right));
            match (found, expected) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-12, "{rows} {kinds} {a} {b}"),
                (a, b) => assert_eq!(a, b, "{rows} {kinds}"),
            }
        }
    }
}

#[test]
fn edges() {
    let some = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
    // Two roots are not always their square: pandas has this last digit, too.
    let zeros = found(&some(&[0.0, -0.0, 1.0]), &some(&[2.0, 2.0, 3.0]), 1).unwrap();
    assert!((zeros - 1.0).abs() < 1e-15);
    assert_eq!(found(&some(&[1.0, 1.0]), &some(&[1.0, 2.0]), 1), None);
    assert_eq!(found(&some(&[1.0, 2.0]), &some(&[1.0, 2.0]), 3), None);
    let infinite = [f64::NEG_INFINITY, 0.0, f64::INFINITY];
    assert_eq!(found(&some(&infinite), &some(&[3.0, 2.0, 1.0]), 0), Some(-1.0));
    let ctx = &Context::current();
    let sliced = Column::from_slice(&[9i32, 1, 2, 3], ctx).unwrap().slice(1, 3).unwrap();
    let other = Column::from_slice(&[7u8, 0, 1, 1], ctx).unwrap().slice(1, 3).unwrap();
    let tau = kendall(&sliced, &other, 1, ctx).unwrap().as_f64().unwrap();
    assert!((tau - 2.0 / 6f64.sqrt()).abs() < 1e-15);
    let text = Column::from_strs(&["a", "b", "c"], ctx).unwrap();
    assert_eq!(kendall(&sliced, &text, 1, ctx).unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(
        kendall(&sliced, &Column::from_slice(&[1], ctx).unwrap(), 1, ctx).unwrap_err().kind(),
        ErrorKind::Logic
    );
}

/// The values of devices to the bit, around tiles: many ties and none, missing values, both zeros, infinities, slices.
#[test]
fn devices_count_the_same() {
    let host = &Context::current();
    for ctx in cuprum_testing::contexts() {
        let same = |left: &Column, right: &Column, min_periods: usize| {
            let [l, r] = [left, right].map(|column| column.to_device(&ctx).unwrap());
            let (found, wanted) =
                (kendall(&l, &r, min_periods, &ctx), kendall(left, right, min_periods, host));
            match (found, wanted) {
                (Ok(found), Ok(wanted)) => {
                    let bits = |tau: Scalar| tau.as_f64().map(f64::to_bits);
                    assert_eq!(bits(found), bits(wanted), "{} rows", left.len());
                }
                (Err(found), Err(wanted)) => {
                    assert_eq!((found.kind(), found.to_string()), (wanted.kind(), wanted.to_string()));
                }
                (found, wanted) => panic!("{found:?} and {wanted:?}"),
            }
        };
        for (turn, rows) in
            [0usize, 1, 2, 31, 32, 33, 63, 64, 65, 2047, 2048, 2049, 4096, 4097, 9001].into_iter().enumerate()
        {
            let mut random = cuprum_runtime::random::Random(turn as u64);
            for kinds in [1, 2, 9, 1 << 40] {
                let mut value = |row: usize| match random.below(40) {
                    0 => None,
                    1 => Some(f64::NAN),
                    2 => Some(-0.0),
                    3 => Some(f64::INFINITY),
                    // Mostly in the order of the rows.
                    4..9 => Some(row as f64),
                    _ => Some(random.below(kinds) as f64 - 3.0),
                };
                let [left, right] = [3, 1].map(|offset| {
                    let values: Vec<_> = (0..rows + offset).map(&mut value).collect();
                    Column::from_options(&values, host).unwrap().slice(offset, rows).unwrap()
                });
                same(&left, &right, 1);
                same(&left, &left, rows);
                let small: Vec<i8> = (0..rows).map(|row| (row * row % 101) as i8 - 50).collect();
                let small = Column::from_slice(&small, host).unwrap();
                same(&small, &right, 0);
                same(&left, &small, rows);
            }
        }
        let descending: Vec<u64> = (0..5000).rev().map(|row| u64::MAX - row).collect();
        let descending = Column::from_slice(&descending, host).unwrap();
        let bools = Column::from_bools(&(0..5000).map(|row| row % 3 == 0).collect::<Vec<_>>(), host).unwrap();
        same(&descending, &bools, 1);
        same(&bools, &descending.slice(1, 4999).unwrap(), 1);
        same(&bools, &Column::from_strs(&["a"; 5000], host).unwrap(), 1);
    }
}
