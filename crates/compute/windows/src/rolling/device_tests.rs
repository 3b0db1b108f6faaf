//! Windows are the same on a GPU as on the CPU.

use cuprum_column::{
    Column, Context, DataType, ErrorKind, HostUVec, Native, Result, Scalar, Table, TimeUnit, Value,
    dispatch_storage, null_mask,
};
use cuprum_runtime::random::Random;
use cuprum_testing::{assert_column_eq, contexts};

use super::*;
use cuprum_aggregate::nan_values::as_keys;
use cuprum_aggregate::quantiles::Interpolation;
use cuprum_elementwise::unary::cast;
use cuprum_keys::order::{NullOrder, Order};
use cuprum_keys::sorting::{RankMethod, sort_by_key};
use cuprum_lists::lists::{NanEquality, NullEquality};

/// Rows of a type with nulls in some, that begin at an odd place of their memory.
fn column_of(data_type: DataType, rows: usize, nulls: bool, seed: u64) -> Column {
    let (ctx, all) = (&Context::current(), rows + 3);
    let mut random = Random(seed);
    let mask = null_mask::from_fn(all, ctx, |i| !(i * 7 + seed as usize).is_multiple_of(5)).unwrap();
    let numbers: Vec<i64> = (0..all).map(|_| random.below(41) as i64 - 20).collect();
    let column = match data_type {
        DataType::String => {
            let texts: Vec<String> = numbers.iter().map(|n| format!("text {n}")).collect();
            Column::from_strs(&texts, ctx).unwrap()
        }
        DataType::Struct => {
            let field =
                |n: &i64| Some([f64::NAN, 0.0, -0.0, 2.0][(*n + 20) as usize % 4]).filter(|_| n % 3 != 0);
            let fields = vec![
                Column::from_options(&numbers.iter().map(field).collect::<Vec<_>>(), ctx).unwrap(),
                Column::from_slice(&numbers.iter().map(|n| n % 2).collect::<Vec<_>>(), ctx).unwrap(),
            ];
            Column::structs(all, fields, None).unwrap()
        }
        DataType::List => {
            let offsets: Vec<i32> = (0..=all as i32).collect();
            Column::lists(
                Column::from_slice(&offsets, ctx).unwrap(),
                Column::from_slice(&numbers, ctx).unwrap(),
                None,
            )
            .unwrap()
        }
        DataType::Decimal128(_) => {
            let wide =
                HostUVec::from_fn(all, ctx, |i| i128::from(numbers[i]) << 70 | i128::from(i as u8)).unwrap();
            Column::from_buffer(data_type, all, wide.into_buffer(), None).unwrap()
        }
        DataType::Float32 | DataType::Float64 => {
            let value = |&n: &i64| match n {
                -20 => f64::NAN,
                -19 => f64::INFINITY,
                -18 => -0.0,
                n => n as f64 / 7.0 * f64::from(n as i32).exp2(),
            };
            let values: Vec<f64> = numbers.iter().map(value).collect();
            cast(&Column::from_slice(&values, ctx).unwrap(), data_type, ctx).unwrap()
        }
        _ => dispatch_storage!(data_type, T => {
            let is_bool = data_type == DataType::Bool8;
            let values = numbers.iter().map(|&n| T::from_i64(if is_bool { n & 1 } else { n })).collect::<Vec<T>>();
            Column::new(data_type, HostUVec::from_slice(&values, ctx).unwrap(), None).unwrap()
        }, else => unreachable!()),
    };
    let column = if nulls { column.with_mask(Some(mask), ctx).unwrap() } else { column };
    column.slice(3, rows).unwrap()
}

const LENGTHS: [usize; 12] = [0, 1, 15, 16, 31, 32, 33, 63, 65, 257, 600, 9001];

const TYPES: [DataType; 15] = [
    DataType::Int8,
    DataType::Int32,
    DataType::Int64,
    DataType::UInt16,
    DataType::UInt64,
    DataType::Bool8,
    DataType::Float32,
    DataType::Float64,
    DataType::Timestamp(TimeUnit::Milliseconds),
    DataType::Duration(TimeUnit::Days),
    DataType::Decimal32(-2),
    DataType::Decimal128(3),
    DataType::String,
    DataType::List,
    DataType::Struct,
];

const FUNCTIONS: [WindowFunction; 26] = [
    WindowFunction::Sum,
    WindowFunction::Mean,
    WindowFunction::Var { ddof: 1 },
    WindowFunction::Std { ddof: 0 },
    WindowFunction::Min,
    WindowFunction::Max,
    WindowFunction::ArgMin,
    WindowFunction::ArgMax,
    WindowFunction::CountValid,
    WindowFunction::CountAll,
    WindowFunction::RowNumber,
    WindowFunction::Nth { n: 1, with_nulls: true },
    WindowFunction::Nth { n: -2, with_nulls: false },
    WindowFunction::Lead(2),
    WindowFunction::Lag(1),
    WindowFunction::CollectList { with_nulls: true },
    WindowFunction::CollectList { with_nulls: false },
    WindowFunction::Skewness,
    WindowFunction::Kurtosis,
    WindowFunction::Quantile { q: 0.5, interpolation: Interpolation::Linear },
    WindowFunction::Quantile { q: 0.3, interpolation: Interpolation::Nearest },
    WindowFunction::Rank { method: RankMethod::Average, order: Order::Ascending, percentage: true },
    WindowFunction::Rank { method: RankMethod::Max, order: Order::Descending, percentage: false },
    WindowFunction::NUnique { with_nulls: true },
    WindowFunction::NUnique { with_nulls: false },
    WindowFunction::CollectSet { with_nulls: true, nulls: NullEquality::Unequal, nans: NanEquality::Unequal },
];

/// Floats that differ by rounding, by such a part of the value (of 1 for small ones).
fn assert_near(actual: &Column, expected: &Column, by: f64) {
    assert_eq!(actual.len(), expected.len());
    let actual = actual.to_host().unwrap();
    for row in 0..expected.len() {
        let pair = [&actual, expected].map(|column| column.get(row).unwrap().as_f64());
        let [Some(a), Some(b)] = pair else {
            assert_eq!(pair[0], pair[1], "row {row}");
            continue;
        };
        assert!(
            a == b
                || a.is_nan() && b.is_nan()
                || (a - b).abs() <= by * if by > 1e-10 { b.abs().max(1.0) } else { b.abs() },
            "row {row}: {a} and {b}"
        );
    }
}

fn same(
    column: &Column,
    sizes: [Operand<'_>; 2],
    min_periods: usize,
    function: WindowFunction,
    ctx: &Context,
) -> Result<()> {
    let host = &Context::current();
    let expected = rolling_window(column, sizes[0], sizes[1], min_periods, function, host);
    let there = column.to_device(ctx)?;
    let moved = [&sizes[0], &sizes[1]].map(|size| match size {
        Operand::Column(column) => (Some(column.to_device(ctx).unwrap()), None),
        Operand::Scalar(scalar) => (None, Some(*scalar)),
    });
    let operand = |side: usize| match &moved[side] {
        (Some(column), _) => Operand::Column(column),
        (_, scalar) => Operand::Scalar(scalar.unwrap()),
    };
    let actual = rolling_window(&there, operand(0), operand(1), min_periods, function, ctx);
    match (actual, expected) {
        (Ok(actual), Ok(expected)) => {
            assert!(actual.is_empty() || actual.is_on(ctx.resource().device()));
            if matches!(function, WindowFunction::Var { .. } | WindowFunction::Std { .. }) {
                assert_near(&actual, &expected, 1e-11);
            } else if matches!(function, WindowFunction::Skewness | WindowFunction::Kurtosis) {
                assert_near(&actual, &expected, 1e-9);
            } else {
                assert_column_eq(&actual.to_host()?, &expected);
            }
        }
        (Err(actual), Err(expected)) => assert_eq!(actual.to_string(), expected.to_string()),
        (actual, expected) => panic!("{actual:?} and {expected:?}"),
    }
    Ok(())
}

/// Every function and type at the edges of nodes, blocks and words; windows within a node, over some, over all.
#[test]
fn windows_on_devices() {
    let host = &Context::current();
    let fixed = [(1, 0), (3, 2), (7, -3), (-1, 4), (17, 16), (100, 70), (i64::MAX, 0), (i64::MAX, i64::MAX)];
    for (number, ctx) in contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        let mut turn = number;
        for rows in LENGTHS {
            for data_type in TYPES {
                // Many of them without the race check, which is slow; with it some for each schedule.
                let few = match (number, rows) {
                    (0, ..1000) => 7,
                    (0, _) => 19,
                    (_, ..1000) => 37,
                    _ => 331,
                };
                let nulls = turn % 3 != 0;
                let column = column_of(data_type, rows, nulls, turn as u64);
                let mut random = Random(rows as u64);
                let narrow: Vec<i32> = (0..rows).map(|_| random.below(200) as i32 - 20).collect();
                let wide: Vec<u16> = (0..rows).map(|_| random.below(90) as u16).collect();
                let each =
                    [Column::from_slice(&narrow, host).unwrap(), Column::from_slice(&wide, host).unwrap()];
                for function in FUNCTIONS {
                    turn += 1;
                    if !turn.is_multiple_of(few) {
                        continue;
                    }
                    // Lists of everything would be tens of millions of elements.
                    let is_long = rows > 1000 && matches!(function, WindowFunction::CollectList { .. });
                    let (preceding, following) = fixed[turn / few % if is_long { 6 } else { fixed.len() }];
                    let scalars = (Scalar::from(preceding), Scalar::from(following));
                    let one = Scalar::from(2i64);
                    let sizes = match turn / few % 5 {
                        0 => [Operand::from(&each[0]), Operand::from(&each[1])],
                        1 => [Operand::from(&each[0]), Operand::from(&one)],
                        _ => [Operand::from(&scalars.0), Operand::from(&scalars.1)],
                    };
                    println!("{data_type} {rows} {nulls} {function:?} {preceding} {following}");
                    same(&column, sizes, turn % 4, function, &ctx).unwrap();
                }
            }
        }
    }
}

/// Windows of one size of few rows: as long as runs, a row less or more, around the row and beside it, longer than the column and
/// up to the longest such.
#[test]
fn windows_of_few_rows_on_devices() {
    let types = [
        DataType::Float64,
        DataType::Float32,
        DataType::Int64,
        DataType::Int32,
        DataType::UInt64,
        DataType::Duration(TimeUnit::Days),
        DataType::Decimal64(-2),
    ];
    let functions = [
        WindowFunction::Sum,
        WindowFunction::Min,
        WindowFunction::Std { ddof: 1 },
        WindowFunction::Max,
        WindowFunction::Mean,
        WindowFunction::Skewness,
        WindowFunction::Var { ddof: 0 },
    ];
    let sizes = [
        (4, 0),
        (5, 0),
        (7, 0),
        (8, 0),
        (9, 0),
        (10, 3),
        (20, -5),
        (-3, 30),
        (63, 0),
        (64, 0),
        (65, 1),
        (100, 0),
        (127, 128),
        (1000, 24),
        (1025, 0),
        (-40, 1000),
    ];
    for (number, ctx) in contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        let mut turn = number;
        for rows in [1usize, 31, 700, 2049, 5003] {
            for (preceding, following) in sizes {
                for data_type in types {
                    for function in functions {
                        turn += 1;
                        // All of them without the race check are a third of a million rows.
                        if !turn.is_multiple_of(if number == 0 { 3 } else { 97 }) {
                            continue;
                        }
                        let column = column_of(data_type, rows, turn % 4 == 1, turn as u64);
                        let scalars = (Scalar::from(preceding as i64), Scalar::from(following as i64));
                        println!("{data_type} {rows} {function:?} {preceding} {following}");
                        let sizes = [Operand::from(&scalars.0), Operand::from(&scalars.1)];
                        same(&column, sizes, turn % 3 * 3, function, &ctx).unwrap();
                    }
                }
            }
        }
    }
}

/// Covariances and correlations of windows, in which pairs are missing and windows have equal values and infinities.
#[test]
fn pairs_on_devices() {
    let host = &Context::current();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (turn, rows) in [0usize, 1, 33, 600].into_iter().enumerate() {
            let types = [(DataType::Float64, DataType::Int32), (DataType::Float32, DataType::UInt64)];
            let (of_left, of_right) = types[turn % 2];
            let pair = [column_of(of_left, rows, true, 3), column_of(of_right, rows, turn % 3 == 0, 5)];
            let there = [&pair[0], &pair[1]].map(|column| column.to_device(&ctx).unwrap());
            for (preceding, following, min_periods) in [(2i64, 0i64, 1), (40, 13, 3), (i64::MAX, 0, 0)] {
                let sizes = (Scalar::from(preceding), Scalar::from(following));
                for function in [PairFunction::Covariance { ddof: 1 }, PairFunction::Correlation] {
                    let of = |pair: &[Column; 2], ctx: &Context| {
                        let [left, right] = pair;
                        rolling_pairs(left, right, &sizes.0, &sizes.1, min_periods, function, ctx).unwrap()
                    };
                    assert_near(&of(&there, &ctx), &of(&pair, host), 1e-9);
                }
            }
        }
        let texts = Column::from_strs(&["a"], host).unwrap().to_device(&ctx).unwrap();
        let one = Scalar::from(1i64);
        let error = rolling_pairs(&texts, &texts, &one, &one, 0, PairFunction::Correlation, &ctx);
        assert_eq!(error.unwrap_err().kind(), ErrorKind::DataType);
    }
}

/// Results that do not fit and invalid windows are refused with the messages of the CPU.
#[test]
fn refused_windows_on_devices() {
    let host = &Context::current();
    let large = Column::from_slice(&[i64::MAX, 1, -1, 5], host).unwrap();
    let durations = large.bit_cast(DataType::Duration(TimeUnit::Seconds)).unwrap();
    let times = large.bit_cast(DataType::Timestamp(TimeUnit::Seconds)).unwrap();
    let most = HostUVec::from_slice(&[i128::MAX, 1, i128::MIN, -1], host).unwrap().into_buffer();
    let decimals = Column::from_buffer(DataType::Decimal128(-2), 4, most, None).unwrap();
    let two = Scalar::from(2i64);
    let one = Scalar::from(1i64);
    let zero = Scalar::from(0i64);
    let huge = Column::from_slice(&[1u64, u64::MAX, 1, 1], host).unwrap();
    let short = Column::from_slice(&[1i64], host).unwrap();
    let nulls = Column::from_options(&[Some(1i32), None, Some(1), Some(1)], host).unwrap();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for column in [&large, &durations, &times, &decimals] {
            for function in [WindowFunction::Sum, WindowFunction::Mean] {
                for size in [&one, &two] {
                    same(column, [size.into(), (&zero).into()], 1, function, &ctx).unwrap();
                }
            }
        }
        for sizes in [&huge, &short, &nulls] {
            same(&large, [(&one).into(), sizes.into()], 1, WindowFunction::Max, &ctx).unwrap();
        }
        same(&large, [(&zero).into(), (&zero).into()], 1, WindowFunction::Max, &ctx).unwrap();
        for (q, method) in [(1.5, RankMethod::First), (f64::NAN, RankMethod::Dense)] {
            let interpolation = Interpolation::Linear;
            let function = WindowFunction::Quantile { q, interpolation };
            same(&large, [(&one).into(), (&zero).into()], 1, function, &ctx).unwrap();
            let function = WindowFunction::Rank { method, order: Order::Ascending, percentage: false };
            same(&large, [(&one).into(), (&zero).into()], 1, function, &ctx).unwrap();
        }
        let lists = Column::structs(4, vec![column_of(DataType::List, 4, false, 1)], None).unwrap();
        for function in [WindowFunction::ArgMin, WindowFunction::Max, WindowFunction::CountAll] {
            same(&lists, [(&two).into(), (&zero).into()], 1, function, &ctx).unwrap();
        }
    }
}

/// Windows of groups and of ranges, of every kind of order, at the edges of blocks; unsorted rows by their number.
#[test]
fn windows_of_groups_and_ranges_on_devices() {
    let host = &Context::current();
    let types = [
        DataType::Int8,
        DataType::UInt64,
        DataType::Bool8,
        DataType::Float32,
        DataType::Float64,
        DataType::Timestamp(TimeUnit::Days),
        DataType::Decimal64(-1),
        DataType::Decimal128(-1),
        DataType::String,
        DataType::Struct,
    ];
    // Structs of few values with null ones among them, NaN and both zeros.
    let structs = |rows: usize, nullable: bool, seed: u64| {
        let fields = vec![
            column_of(DataType::UInt8, rows, false, seed),
            Column::from_slice(
                &(0..rows)
                    .map(|row| [f64::NAN, 0.0, -0.0, 2.0][(row * row + seed as usize) % 11 % 4])
                    .collect::<Vec<_>>(),
                host,
            )
            .unwrap(),
        ];
        let mask = null_mask::from_fn(rows, host, |row| !nullable || row % 9 != 4).unwrap();
        Column::structs(rows, fields, Some(mask)).unwrap()
    };
    for (number, ctx) in contexts().filter(|ctx| ctx.is_on_gpu()).enumerate() {
        let mut turn = number;
        for rows in LENGTHS {
            for data_type in types {
                turn += 1;
                // All of them without the race check, which is slow; with it some for each schedule.
                if number > 0 && turn % 3 != 0 {
                    continue;
                }
                let groups: Vec<i64> = (0..rows as i64).map(|row| row * row / 900).collect();
                let groups = Column::from_slice(&groups, host).unwrap();
                let halves = [groups.clone(), cast(&groups, DataType::Float32, host).unwrap()];
                let keys = match turn % 4 {
                    0 => Table::with_rows(vec![], rows).unwrap(),
                    1 => Table::new(vec![Column::structs(rows, halves.to_vec(), None).unwrap()]).unwrap(),
                    _ => Table::new(vec![groups.clone()]).unwrap(),
                };
                let there = keys.to_device(&ctx).unwrap();
                for (preceding, following) in [(2, 1), (i64::MAX, 0), (-1, 3), (40, i64::MAX)] {
                    let expected = grouped_windows(&keys, preceding, following, host).unwrap();
                    let found = grouped_windows(&there, preceding, following, &ctx).unwrap();
                    assert_column_eq(&found.0.to_host().unwrap(), &expected.0);
                    assert_column_eq(&found.1.to_host().unwrap(), &expected.1);
                }
                let order = if turn % 2 == 0 { Order::Ascending } else { Order::Descending };
                let nulls = if turn % 3 == 0 { NullOrder::First } else { NullOrder::Last };
                let mut orderby = match data_type {
                    DataType::Struct => structs(rows, turn % 5 != 0, turn as u64),
                    _ => column_of(data_type, rows, turn % 5 != 0, turn as u64),
                };
                let is_sorted = turn % 7 != 0;
                if is_sorted {
                    // NaN is larger than all others, not missing.
                    let by =
                        Table::new([keys.columns(), &[as_keys(&orderby, host).unwrap()]].concat()).unwrap();
                    let both = Table::new([keys.columns(), &[orderby]].concat()).unwrap();
                    let orders = [vec![Order::Ascending; keys.num_columns()], vec![order]].concat();
                    let sorted = sort_by_key(&both, &by, &orders, nulls, host).unwrap();
                    orderby = sorted.columns()[keys.num_columns()].clone();
                }
                let unit = |n: i64| match data_type {
                    DataType::Float32 | DataType::Float64 => Scalar::from(n as f64 / 2.0),
                    DataType::Timestamp(unit) => {
                        Scalar::new(DataType::Duration(unit), Value::Int(n)).unwrap()
                    }
                    DataType::Decimal64(_) => Scalar::new(data_type, Value::Decimal(n.into())).unwrap(),
                    DataType::Decimal128(_) => {
                        Scalar::new(data_type, Value::Decimal(i128::from(n) << 70)).unwrap()
                    }
                    _ => Scalar::from(n),
                };
                let bounds = if matches!(data_type, DataType::String | DataType::Struct) {
                    vec![(RangeBound::Unbounded, RangeBound::CurrentRow)]
                } else {
                    vec![
                        (RangeBound::Unbounded, RangeBound::CurrentRow),
                        (RangeBound::Closed(unit(3)), RangeBound::CurrentRow),
                        (RangeBound::Open(unit(4)), RangeBound::Closed(unit(-1))),
                        (RangeBound::CurrentRow, RangeBound::Open(unit(2))),
                        (RangeBound::CurrentRow, RangeBound::Unbounded),
                    ]
                };
                for (before, behind) in bounds {
                    let expected = range_windows(&keys, &orderby, order, nulls, &before, &behind, host);
                    let moved = orderby.to_device(&ctx).unwrap();
                    let found = range_windows(&there, &moved, order, nulls, &before, &behind, &ctx);
                    match (found, expected) {
                        (Ok(found), Ok(expected)) => {
                            assert_column_eq(&found.0.to_host().unwrap(), &expected.0);
                            assert_column_eq(&found.1.to_host().unwrap(), &expected.1);
                        }
                        (Err(found), Err(expected)) => {
                            assert!(!is_sorted, "{expected}");
                            assert_eq!(found.to_string(), expected.to_string());
                        }
                        (found, expected) => panic!("{found:?} and {expected:?}"),
                    }
                }
            }
        }
    }
}

/// Fields that are NaN are not those that are null.
#[test]
fn ranges_of_structs_tell_nan_from_null() {
    let host = &Context::current();
    let field = [Some(1.0), Some(1.0), Some(f64::NAN), Some(f64::NAN), None, None, None];
    let field = Column::from_options(&field, host).unwrap();
    let all = Table::with_rows(vec![], field.len()).unwrap();
    let orderby = Column::structs(field.len(), vec![field], None).unwrap();
    let (own, nulls) = (RangeBound::CurrentRow, NullOrder::Last);
    for ctx in contexts() {
        let there = orderby.to_device(&ctx).unwrap();
        let found = range_windows(&all, &there, Order::Ascending, nulls, &own, &own, &ctx).unwrap();
        assert_column_eq(&found.0, &Column::from_slice(&[1i32, 2, 1, 2, 1, 2, 3], host).unwrap());
        assert_column_eq(&found.1, &Column::from_slice(&[1i32, 0, 1, 0, 2, 1, 0], host).unwrap());
    }
}

/// Limits beyond the range of the type are beyond all values.
#[test]
fn ranges_at_the_ends_of_a_type_on_devices() {
    let host = &Context::current();
    let all = Table::with_rows(vec![], 6).unwrap();
    let ascending = [i64::MIN, i64::MIN + 1, 0, i64::MAX - 1, i64::MAX, i64::MAX];
    let descending: Vec<i64> = ascending.iter().rev().copied().collect();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (values, order) in [(&ascending[..], Order::Ascending), (&descending, Order::Descending)] {
            let orderby = Column::from_slice(values, host).unwrap();
            let there = orderby.to_device(&ctx).unwrap();
            for delta in [0, 1, -1, 2, i64::MAX, i64::MIN] {
                let delta = Scalar::from(delta);
                let (closed, open) = (RangeBound::Closed(delta.clone()), RangeBound::Open(delta));
                for (before, behind) in [(&closed, &open), (&open, &closed)] {
                    let nulls = NullOrder::First;
                    let expected = range_windows(&all, &orderby, order, nulls, before, behind, host).unwrap();
                    let found = range_windows(&all, &there, order, nulls, before, behind, &ctx).unwrap();
                    assert_column_eq(&found.0.to_host().unwrap(), &expected.0);
                    assert_column_eq(&found.1.to_host().unwrap(), &expected.1);
                }
            }
        }
    }
}
