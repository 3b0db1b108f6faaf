use std::ops::Range;

use cuprum_column::{Column, DataType, ErrorKind, Result, Scalar, Table, TimeUnit, Value};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{any_column, assert_column_eq, plain_types};
use proptest::prelude::*;

use super::*;
use cuprum_keys::order::{NullOrder, Order};
use cuprum_lists::lists::{NanEquality, NullEquality};

const SET: WindowFunction =
    WindowFunction::CollectSet { with_nulls: true, nulls: NullEquality::Equal, nans: NanEquality::AllEqual };

fn rolled(
    column: &Column,
    preceding: i64,
    following: i64,
    min_periods: usize,
    function: WindowFunction,
) -> Result<Column> {
    let sizes = (Scalar::from(preceding), Scalar::from(following));
    rolling_window(column, &sizes.0, &sizes.1, min_periods, function, &Tracked::current())
}

/// The rows of a window, by its definition.
fn window(rows: usize, row: usize, preceding: i64, following: i64) -> Range<usize> {
    let inside = |other: i64| row as i64 - preceding < other && other <= row as i64 + following;
    let first = (0..rows).find(|&other| inside(other as i64)).unwrap_or(0);
    first..first + (0..rows).filter(|&other| inside(other as i64)).count()
}

/// Whether one value is before another: NaN is the largest.
fn is_less(a: &Scalar, b: &Scalar) -> bool {
    match (a.value(), b.value()) {
        (Value::Float(a), Value::Float(b)) => a < b || (!a.is_nan() && b.is_nan()),
        (Value::Int(a), Value::Int(b)) => a < b,
        (Value::UInt(a), Value::UInt(b)) => a < b,
        (Value::Bool(a), Value::Bool(b)) => a < b,
        (Value::String(a), Value::String(b)) => a < b,
        other => panic!("{other:?}"),
    }
}

fn is_same(a: &Scalar, b: &Scalar) -> bool {
    match (a.value(), b.value()) {
        (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
        (a, b) => a == b,
    }
}

/// The result of a function for the elements of a window, by its definition; floats and lists apart.
fn model(
    column: &Column,
    row: usize,
    window: Range<usize>,
    min_periods: usize,
    function: WindowFunction,
) -> Option<Scalar> {
    let elements: Vec<(usize, Scalar)> = window.clone().map(|row| (row, column.get(row).unwrap())).collect();
    let values: Vec<&(usize, Scalar)> = elements.iter().filter(|(_, value)| !value.is_null()).collect();
    let counted = if function.counts_rows() { elements.len() } else { values.len() };
    if counted < min_periods {
        return None;
    }
    let best = |largest: bool| {
        values.iter().copied().reduce(|best, other| {
            let better = if largest { is_less(&best.1, &other.1) } else { is_less(&other.1, &best.1) };
            if better { other } else { best }
        })
    };
    let element = |row: usize| Some(column.get(row).unwrap()).filter(|value| !value.is_null());
    match function {
        WindowFunction::Min => best(false).map(|best| best.1.clone()),
        WindowFunction::Max => best(true).map(|best| best.1.clone()),
        WindowFunction::ArgMin => best(false).map(|best| Scalar::from(best.0 as i64)),
        WindowFunction::ArgMax => best(true).map(|best| Scalar::from(best.0 as i64)),
        WindowFunction::CountAll => Some(Scalar::from(elements.len() as i64)),
        WindowFunction::CountValid => Some(Scalar::from(values.len() as i64)),
        WindowFunction::NUnique { with_nulls } => {
            let kept = elements.iter().filter(|(_, value)| with_nulls || !value.is_null());
            let mut distinct: Vec<&Scalar> = vec![];
            for (_, value) in kept {
                if !distinct.iter().any(|other| is_same(other, value)) {
                    distinct.push(value);
                }
            }
            Some(Scalar::from(distinct.len() as i64))
        }
        WindowFunction::Nth { n, with_nulls } => {
            let kept: Vec<usize> = elements
                .iter()
                .filter(|(_, value)| with_nulls || !value.is_null())
                .map(|(row, _)| *row)
                .collect();
            let place = if n < 0 { kept.len() as i64 + n } else { n };
            usize::try_from(place).ok().and_then(|place| kept.get(place)).and_then(|&row| element(row))
        }
        WindowFunction::Lead(by) => Some(row + by).filter(|row| window.contains(row)).and_then(element),
        WindowFunction::Lag(by) => row.checked_sub(by).filter(|row| window.contains(row)).and_then(element),
        WindowFunction::RowNumber => {
            window.contains(&row).then(|| Scalar::from((row + 1 - window.start) as i64))
        }
        _ => panic!("{function:?}"),
    }
}

fn any_function() -> impl Strategy<Value = WindowFunction> {
    prop_oneof![
        Just(WindowFunction::Min),
        Just(WindowFunction::Max),
        Just(WindowFunction::ArgMin),
        Just(WindowFunction::ArgMax),
        Just(WindowFunction::CountAll),
        Just(WindowFunction::CountValid),
        Just(WindowFunction::RowNumber),
        any::<bool>().prop_map(|with_nulls| WindowFunction::NUnique { with_nulls }),
        (-3i64..4, any::<bool>()).prop_map(|(n, with_nulls)| WindowFunction::Nth { n, with_nulls }),
        (0usize..4).prop_map(WindowFunction::Lead),
        (0usize..4).prop_map(WindowFunction::Lag),
    ]
}

/// Sizes of windows: fixed ones, and one for each row, in order or not.
fn any_sizes(rows: usize) -> impl Strategy<Value = Vec<(i64, i64)>> {
    prop_oneof![
        (-2i64..6, 1i64..8).prop_map(move |(preceding, size)| vec![(preceding, size - preceding); rows]),
        prop::collection::vec((-3i64..9, -3i64..9), rows),
        prop::collection::vec((1i64..4, 0i64..2), rows),
    ]
}

/// The windows of a column, through sizes of each row, and through fixed sizes where all are equal.
fn everywhere(
    column: &Column,
    sizes: &[(i64, i64)],
    min_periods: usize,
    function: WindowFunction,
) -> Vec<Column> {
    let ctx = &Tracked::current();
    let of = |side: fn(&(i64, i64)) -> i64| {
        Column::from_slice(&sizes.iter().map(side).collect::<Vec<_>>(), ctx).unwrap()
    };
    let (preceding, following) = (of(|size| size.0), of(|size| size.1));
    let each = rolling_window(column, &preceding, &following, min_periods, function, ctx).unwrap();
    let mut all = vec![each];
    if let Some(&(preceding, following)) = sizes.first()
        && sizes.iter().all(|size| *size == sizes[0])
        && preceding + following > 0
    {
        all.push(rolled(column, preceding, following, min_periods, function).unwrap());
    }
    all
}

proptest! {
    #[test]
    fn every_row_by_the_definition(
        (column, sizes, min_periods, function) in prop::sample::select(plain_types()).prop_flat_map(|data_type| {
            (any_column(data_type, 40), any_sizes(40), 0usize..4, any_function())
        }),
    ) {
        for found in everywhere(&column, &sizes, min_periods, function) {
            prop_assert_eq!(found.data_type(), function.result_type(column.data_type()).unwrap());
            for (row, &(preceding, following)) in sizes.iter().enumerate() {
                let rows = window(column.len(), row, preceding, following);
                let expected = model(&column, row, rows.clone(), min_periods, function);
                let actual = Some(found.get(row).unwrap()).filter(|value| !value.is_null());
                prop_assert!(
                    match (&actual, &expected) { (Some(a), Some(b)) => is_same(a, b), (a, b) => a.is_none() && b.is_none() },
                    "row {row}, window {rows:?}: {actual:?}, expected {expected:?}"
                );
            }
        }
    }

    #[test]
    fn sums_means_and_spreads(
        (column, sizes, min_periods, ddof) in prop::sample::select(vec![
            DataType::Int8, DataType::Int64, DataType::UInt64, DataType::Bool8, DataType::Float32, DataType::Float64,
        ]).prop_flat_map(|data_type| (any_column(data_type, 40), any_sizes(40), 0usize..4, 0i64..3)),
    ) {
        let of = column.data_type();
        let sums = everywhere(&column, &sizes, min_periods, WindowFunction::Sum);
        let means = everywhere(&column, &sizes, min_periods, WindowFunction::Mean);
        let spreads = everywhere(&column, &sizes, min_periods, WindowFunction::Var { ddof });
        let roots = everywhere(&column, &sizes, min_periods, WindowFunction::Std { ddof });
        for (((sums, means), spreads), roots) in sums.iter().zip(&means).zip(&spreads).zip(&roots) {
            for (row, &(preceding, following)) in sizes.iter().enumerate() {
                let rows = window(column.len(), row, preceding, following);
                let values: Vec<Scalar> = rows.map(|row| column.get(row).unwrap()).filter(|v| !v.is_null()).collect();
                let sum = sums.get(row).unwrap();
                prop_assert_eq!(sum.is_null(), values.len() < min_periods);
                let numbers: Vec<f64> = values.iter().map(|v| v.as_f64().unwrap()).collect();
                if !sum.is_null() && !of.is_float() {
                    let expected = values.iter().fold(0i64, |sum, v| {
                        let bits = match v.value() { Value::UInt(v) => *v as i64, Value::Bool(v) => i64::from(*v), Value::Int(v) => *v, _ => 0 };
                        sum.wrapping_add(bits)
                    });
                    let found = match sum.value() { Value::UInt(v) => *v as i64, Value::Int(v) => *v, other => panic!("{other:?}") };
                    prop_assert_eq!(found, expected);
                }
                let total: f64 = numbers.iter().sum();
                // Sums in the order of the window; those whose parts overflow differ with the order.
                let most: f64 = numbers.iter().map(|x| x.abs()).sum();
                let near = |found: f64, expected: f64, scale: f64| {
                    found == expected || (found.is_nan() && expected.is_nan())
                        || (found - expected).abs() <= scale * 1e-13
                        || !scale.is_finite() && !expected.is_finite() && !found.is_finite()
                };
                if !sum.is_null() && of == DataType::Float64 {
                    prop_assert!(near(sum.as_f64().unwrap(), total, most), "{sum} {total} {numbers:?}");
                }
                let mean = means.get(row).unwrap();
                prop_assert_eq!(mean.is_null(), values.len() < min_periods.max(1));
                let count = numbers.len() as f64;
                if let Some(mean) = mean.as_f64() {
                    prop_assert!(near(mean, total / count, most), "{mean} {numbers:?}");
                }
                let spread = spreads.get(row).unwrap();
                prop_assert_eq!(spread.is_null(), values.len() < min_periods.max(1) || numbers.len() as i64 <= ddof);
                if let Some(spread) = spread.as_f64() {
                    let mean = total / count;
                    let expected = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - ddof as f64);
                    prop_assert!(near(spread, expected, expected + most * most), "{spread} {expected} {numbers:?}");
                    let root = roots.get(row).unwrap().as_f64().unwrap();
                    prop_assert!(root == spread.sqrt() || root.is_nan() && spread.is_nan());
                }
            }
        }
    }

    #[test]
    fn lists_have_the_elements_of_the_window(
        (column, sizes, min_periods) in prop::sample::select(plain_types())
            .prop_flat_map(|data_type| (any_column(data_type, 30), any_sizes(30), 0usize..4)),
        with_nulls in any::<bool>(),
    ) {
        let set = WindowFunction::CollectSet { with_nulls, nulls: NullEquality::Equal, nans: NanEquality::AllEqual };
        let lists = everywhere(&column, &sizes, min_periods, WindowFunction::CollectList { with_nulls });
        let sets = everywhere(&column, &sizes, min_periods, set);
        for (lists, sets) in lists.iter().zip(&sets) {
            for (row, &(preceding, following)) in sizes.iter().enumerate() {
                let rows = window(column.len(), row, preceding, following);
                let expected = rows.clone().map(|row| column.get(row).unwrap());
                let expected: Vec<Scalar> = expected.filter(|v| with_nulls || !v.is_null()).collect();
                let elements = |lists: &Column| -> Option<Vec<Scalar>> {
                    let list = lists.slice(row, 1).unwrap();
                    if list.null_count().unwrap() == 1 { return None }
                    let elements = list.elements().unwrap();
                    Some((0..elements.len()).map(|i| elements.get(i).unwrap()).collect())
                };
                let same = |a: &[Scalar], b: &[Scalar]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b));
                if rows.len() < min_periods {
                    prop_assert!(elements(lists).is_none() && elements(sets).is_none());
                    continue;
                }
                prop_assert!(same(&elements(lists).unwrap(), &expected));
                let mut distinct: Vec<Scalar> = vec![];
                for value in expected {
                    if !distinct.iter().any(|other| is_same(other, &value)) {
                        distinct.push(value);
                    }
                }
                prop_assert!(same(&elements(sets).unwrap(), &distinct));
            }
        }
    }

    #[test]
    fn ranges_by_the_definition(
        (values, rows) in (prop::collection::vec((0i64..3, prop::option::of(-4i64..5), any::<u8>()), 0..30))
            .prop_map(|mut rows| { rows.sort_by_key(|row| row.0); (rows.clone(), rows.len()) }),
        (kind, descending, nulls_first) in (0usize..4, any::<bool>(), any::<bool>()),
        bounds in prop::array::uniform2((0usize..4, -2i64..5)),
    ) {
        let ctx = &Tracked::current();
        // Some of the floats are NaN, above all others.
        let is_nan = |row: &(i64, Option<i64>, u8)| kind == 1 && row.1.is_some() && row.2.is_multiple_of(4);
        let place = |row: &(i64, Option<i64>, u8)| if is_nan(row) { 100 } else { row.1.unwrap_or(0) };
        let mut values = values;
        values.sort_by_key(|row| {
            let null = if nulls_first { row.1.is_some() } else { row.1.is_none() };
            (row.0, null, if row.1.is_none() { 0 } else if descending { -place(row) } else { place(row) })
        });
        let options: Vec<Option<i64>> = values.iter().map(|row| row.1).collect();
        let numbers = Column::from_options(&options, ctx).unwrap();
        let time = DataType::Timestamp(TimeUnit::Milliseconds);
        let (orderby, delta_type) = match kind {
            0 => (numbers, DataType::Int64),
            1 => {
                let floats: Vec<Option<f64>> = values.iter()
                    .map(|row| row.1.map(|value| if is_nan(row) { f64::NAN } else { value as f64 / 2.0 })).collect();
                (Column::from_options(&floats, ctx).unwrap(), DataType::Float64)
            }
            2 => (numbers.bit_cast(time).unwrap(), DataType::Duration(TimeUnit::Milliseconds)),
            _ => (cuprum_elementwise::unary::cast(&numbers, DataType::Decimal32(-1), ctx).unwrap(), DataType::Decimal64(-1)),
        };
        let delta = |units: i64| match kind {
            1 => Scalar::from(units as f64 / 2.0),
            3 => Scalar::new(delta_type, Value::Decimal(i128::from(units) * 10)).unwrap(),
            _ => Scalar::new(delta_type, Value::Int(units)).unwrap(),
        };
        let bound = |(kind, units): (usize, i64)| match kind {
            0 => RangeBound::Unbounded,
            1 => RangeBound::CurrentRow,
            2 => RangeBound::Closed(delta(units)),
            _ => RangeBound::Open(delta(units)),
        };
        let keys: Vec<i64> = values.iter().map(|row| row.0).collect();
        let keys = Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap();
        let order = if descending { Order::Descending } else { Order::Ascending };
        let nulls = if nulls_first { NullOrder::First } else { NullOrder::Last };
        let [before, behind] = bounds.map(bound);
        let (preceding, following) = range_windows(&keys, &orderby, order, nulls, &before, &behind, ctx).unwrap();
        prop_assert_eq!(preceding.data_type(), DataType::Int32);
        for row in 0..rows {
            let near = |other: usize, side: usize| {
                let (here, there) = (&values[row], &values[other]);
                let (kind, units) = bounds[side];
                if here.0 != there.0 { return false }
                if kind == 0 { return true }
                // Nulls are near to nulls alone, and NaN to NaN.
                if here.1.is_none() || there.1.is_none() {
                    let ahead = (other < row) == (side == 1);
                    return here.1.is_none() && there.1.is_none() || ahead && here.1.is_none() != there.1.is_none();
                }
                let sign = if descending { -1 } else { 1 };
                if is_nan(here) || is_nan(there) {
                    let open = kind == 3;
                    let place = |row| if is_nan(row) { sign } else { 0 };
                    let (here, there) = (place(here), place(there));
                    return match side { 0 => there > here || there == here && !open, _ => there < here || there == here && !open };
                }
                let away = sign * (place(there) - place(here));
                match (side, kind) {
                    (0, 1) => away >= 0,
                    (0, 2) => away >= -units,
                    (0, _) => away > -units,
                    (_, 1) => away <= 0,
                    (_, 2) => away <= units,
                    _ => away < units,
                }
            };
            let group: Vec<usize> = (0..rows).filter(|&other| values[other].0 == values[row].0).collect();
            let start = group.iter().copied().find(|&other| near(other, 0)).unwrap_or(group[group.len() - 1] + 1);
            let end = group.iter().copied().rfind(|&other| near(other, 1)).map_or(group[0], |last| last + 1);
            let end = end.max(start);
            let number = |column: &Column| column.get(row).unwrap().as_i64().unwrap();
            let found = ((row as i64 + 1 - number(&preceding)) as usize, (row as i64 + 1 + number(&following)) as usize);
            prop_assert_eq!(found, (start, end), "row {} of {:?}", row, &values);
        }
    }
}

#[test]
fn groups_cut_windows() {
    let ctx = &Tracked::current();
    let keys = Column::from_opt_strs(&[Some("a"), Some("a"), Some("a"), None, None, Some("b")], ctx).unwrap();
    let keys = Table::new(vec![keys]).unwrap();
    let (preceding, following) = grouped_windows(&keys, 2, 1, ctx).unwrap();
    let values = Column::from_slice(&[1i64, 10, 100, 1000, 10_000, 100_000], ctx).unwrap();
    let sums = rolling_window(&values, &preceding, &following, 0, WindowFunction::Sum, ctx).unwrap();
    assert_eq!(sums.view().unwrap().values::<i64>().unwrap(), [11, 111, 110, 11_000, 11_000, 100_000]);
    assert_eq!(grouped_windows(&keys, 1, -1, ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let none = Table::with_rows(vec![], 3).unwrap();
    let (preceding, _) = grouped_windows(&none, i64::MAX, 0, ctx).unwrap();
    assert_eq!(preceding.view().unwrap().values::<i32>().unwrap(), [1, 2, 3]);
    assert_eq!([centred(1), centred(2), centred(5)], [(1, 0), (2, 0), (3, 2)]);
}

/// Nothing drifts, and what is infinite leaves no trace.
#[test]
fn what_left_the_window_is_gone() {
    let ctx = &Tracked::current();
    let values =
        Column::from_slice(&[1e16, 1.0, -1e16, 3.0, f64::INFINITY, 0.1, 0.1, 0.1, f64::NAN, 0.2, 0.2], ctx)
            .unwrap();
    let sums = rolled(&values, 3, 0, 3, WindowFunction::Sum).unwrap();
    let found: Vec<f64> = sums.view().unwrap().values::<f64>().unwrap()[2..].to_vec();
    assert_eq!(found[..3], [1.0, -1e16 + 4.0, f64::INFINITY]);
    assert_eq!(found[5], 0.1 * 3.0);
    assert!(found[6].is_nan() && found[8].is_nan());
    let spreads = rolled(&values, 2, 0, 2, WindowFunction::Var { ddof: 0 }).unwrap();
    let found = spreads.view().unwrap().values::<f64>().unwrap().to_vec();
    assert!(found[4].is_nan() && found[5].is_nan());
    assert_eq!(found[6..8], [0.0, 0.0]);
    assert_eq!(found[10], 0.0);
}

/// Several ranges of threads, with windows larger and smaller than they are.
#[test]
fn long_columns_and_large_windows() {
    let ctx = &Tracked::current();
    let rows = 100_003usize;
    let numbers: Vec<i64> = (0..rows as i64).map(|i| (i * i) % 1009 - 500).collect();
    let before: Vec<i64> = std::iter::once(0)
        .chain(numbers.iter().scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        }))
        .collect();
    let column = Column::from_slice(&numbers, ctx).unwrap();
    let floats = cuprum_elementwise::unary::cast(&column, DataType::Float64, ctx).unwrap();
    for (preceding, following) in [
        (1, 0),
        (7, 3),
        (1000, -5),
        (1024, 0),
        (1025, 0),
        (40_000, 1),
        (i64::MAX, 0),
        (i64::MAX, i64::MAX),
        (-90_000, 90_007),
    ] {
        let span = |row: usize| {
            let end = (row as i64 + 1).saturating_add(following).clamp(0, rows as i64);
            ((row as i64 + 1).saturating_sub(preceding).clamp(0, end) as usize, end as usize)
        };
        let expected: Vec<i64> = (0..rows).map(|row| before[span(row).1] - before[span(row).0]).collect();
        let sums = rolled(&column, preceding, following, 0, WindowFunction::Sum).unwrap();
        assert_eq!(sums.view().unwrap().values::<i64>().unwrap(), expected);
        let sums = rolled(&floats, preceding, following, 0, WindowFunction::Sum).unwrap();
        assert!(
            sums.view().unwrap().values::<f64>().unwrap().iter().zip(&expected).all(|(a, b)| *a == *b as f64)
        );
        let counts =
            rolled(&column, preceding, following, 0, WindowFunction::NUnique { with_nulls: false }).unwrap();
        let most = rolled(&column, preceding, following, 0, WindowFunction::Max).unwrap();
        for row in [0, 1, 31, 32_767, 32_768, 65_536, 99_999, rows - 1] {
            let (start, end) = span(row);
            let distinct: std::collections::BTreeSet<i64> = numbers[start..end].iter().copied().collect();
            assert_eq!(counts.get(row).unwrap().as_i64(), Some(distinct.len() as i64));
            assert_eq!(most.get(row).unwrap().as_i64(), distinct.last().copied());
        }
    }
}

#[test]
fn decimals_and_times() {
    let ctx = &Tracked::current();
    let numbers = Column::from_options(&[Some(1i64), None, Some(2), Some(5)], ctx).unwrap();
    let money = cuprum_elementwise::unary::cast(&numbers, DataType::Decimal32(-2), ctx).unwrap();
    let texts = |column: Column| (0..4).map(|row| column.get(row).unwrap().to_string()).collect::<Vec<_>>();
    let sums = rolled(&money, 2, 0, 1, WindowFunction::Sum).unwrap();
    assert_eq!(sums.data_type(), DataType::Decimal128(-2));
    assert_eq!(texts(sums), ["1.00", "1.00", "2.00", "7.00"]);
    assert_eq!(texts(rolled(&money, 2, 0, 1, WindowFunction::Mean).unwrap())[3], "3.50000000");
    assert_eq!(
        texts(rolled(&money, 2, 0, 1, WindowFunction::Max).unwrap()),
        ["1.00", "1.00", "2.00", "5.00"]
    );
    let large = Column::from_slice(&[i64::MAX, 1, -1], ctx).unwrap();
    let durations = large.bit_cast(DataType::Duration(TimeUnit::Seconds)).unwrap();
    let error = rolled(&durations, 2, 0, 1, WindowFunction::Sum).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overflow);
    assert!(error.to_string().contains("row 1"), "{error}");
    let times = large.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap();
    let means = rolled(&times, 3, 0, 2, WindowFunction::Mean).unwrap();
    assert_eq!(means.get(1).unwrap().as_i64(), Some(i64::MAX / 2 + 1));
    assert_eq!(rolled(&times, 1, 0, 0, WindowFunction::Sum).unwrap_err().kind(), ErrorKind::DataType);
}

#[test]
fn what_is_no_window_is_refused() {
    let ctx = &Tracked::current();
    let column = Column::from_slice(&[1i64, 2], ctx).unwrap();
    let kind = |result: Result<Column>| result.unwrap_err().kind();
    for (preceding, following) in [(0, 0), (1, -1), (-3, 3), (i64::MIN, i64::MIN)] {
        assert_eq!(
            kind(rolled(&column, preceding, following, 0, WindowFunction::Sum)),
            ErrorKind::InvalidArgument
        );
    }
    let one = Scalar::from(1i64);
    let call = |sizes: &Column| rolling_window(&column, sizes, &one, 0, WindowFunction::Sum, ctx);
    assert_eq!(kind(call(&Column::from_slice(&[1i64], ctx).unwrap())), ErrorKind::Logic);
    assert_eq!(kind(call(&Column::from_slice(&[1.0, 2.0], ctx).unwrap())), ErrorKind::DataType);
    assert_eq!(
        kind(call(&Column::from_options(&[Some(1i64), None], ctx).unwrap())),
        ErrorKind::InvalidArgument
    );
    assert_eq!(kind(call(&Column::from_slice(&[u64::MAX, 1], ctx).unwrap())), ErrorKind::Overflow);
    let texts = Column::from_strs(&["a", "b"], ctx).unwrap();
    assert_eq!(kind(rolled(&texts, 1, 0, 0, WindowFunction::Sum)), ErrorKind::DataType);
    assert_eq!(kind(rolled(&texts, 1, 0, 0, WindowFunction::Var { ddof: 1 })), ErrorKind::DataType);
    let lists = rolled(&column, 1, 0, 0, WindowFunction::CollectList { with_nulls: true }).unwrap();
    for function in [WindowFunction::Min, WindowFunction::NUnique { with_nulls: true }, SET] {
        assert_eq!(kind(rolled(&lists, 1, 0, 0, function)), ErrorKind::DataType);
    }
    assert_column_eq(&rolled(&lists, 2, 0, 0, WindowFunction::Lag(0)).unwrap(), &lists);
}

#[test]
fn what_is_no_range_is_refused() {
    let ctx = &Tracked::current();
    let all = |rows| Table::with_rows(vec![], rows).unwrap();
    let call = |orderby: &Column, delta: Scalar| {
        let bound = RangeBound::Closed(delta);
        let orders = (Order::Ascending, NullOrder::Last);
        range_windows(&all(orderby.len()), orderby, orders.0, orders.1, &bound, &RangeBound::CurrentRow, ctx)
    };
    let kind = |result: Result<(Column, Column)>| result.unwrap_err().kind();
    let sorted = Column::from_slice(&[1i64, 2], ctx).unwrap();
    assert_eq!(
        kind(call(&Column::from_slice(&[2i64, 1], ctx).unwrap(), Scalar::from(1i64))),
        ErrorKind::InvalidArgument
    );
    let nulls = Column::from_options(&[None, Some(1i64)], ctx).unwrap();
    assert_eq!(kind(call(&nulls, Scalar::from(1i64))), ErrorKind::InvalidArgument);
    assert_eq!(kind(call(&sorted, Scalar::null(DataType::Int64))), ErrorKind::InvalidArgument);
    assert_eq!(kind(call(&sorted, Scalar::from(1.5))), ErrorKind::DataType);
    let floats = Column::from_slice(&[1.0, 2.0], ctx).unwrap();
    assert_eq!(kind(call(&floats, Scalar::from(f64::INFINITY))), ErrorKind::InvalidArgument);
    let times = sorted.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap();
    let delta = Scalar::new(DataType::Duration(TimeUnit::Days), Value::Int(1)).unwrap();
    assert_eq!(kind(call(&times, delta)), ErrorKind::DataType);
    let texts = Column::from_strs(&["a", "b"], ctx).unwrap();
    assert_eq!(kind(call(&texts, Scalar::from(1i64))), ErrorKind::DataType);
    // Texts have neighbours with the same value.
    let current = RangeBound::CurrentRow;
    let texts = Column::from_strs(&["a", "a", "b"], ctx).unwrap();
    let windows =
        range_windows(&all(3), &texts, Order::Ascending, NullOrder::Last, &current, &current, ctx).unwrap();
    assert_eq!(windows.0.view().unwrap().values::<i32>().unwrap(), [1, 2, 1]);
    assert_eq!(windows.1.view().unwrap().values::<i32>().unwrap(), [1, 0, 0]);
    let short = range_windows(&all(1), &sorted, Order::Ascending, NullOrder::Last, &current, &current, ctx);
    assert_eq!(short.unwrap_err().kind(), ErrorKind::Logic);
}

#[test]
fn rows_outside_of_their_windows_and_windows_that_are_too_small() {
    let ctx = &Context::current();
    let column = Column::from_slice(&(0..200i64).collect::<Vec<_>>(), ctx).unwrap();
    let window = |preceding: i64, following: i64, least: usize, function| {
        let (preceding, following) = (Scalar::from(preceding), Scalar::from(following));
        rolling_window(&column, &preceding, &following, least, function, ctx).unwrap()
    };
    // Windows that begin behind the row.
    assert_eq!(window(0, 2, 1, WindowFunction::RowNumber).null_count().unwrap(), 200);
    // Windows of three rows have no four.
    assert_eq!(window(2, 1, 4, WindowFunction::Sum).null_count().unwrap(), 200);
}
