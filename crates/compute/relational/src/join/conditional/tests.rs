use std::collections::HashSet;

use cuprum_column::{
    Column, Context, DataType, ErrorKind, HostUVec, Scalar, Table, TimeUnit, Value, null_mask,
};
use cuprum_testing::{Random, contexts, contexts_in_shares};

use super::{conditional_join, cuda, mixed_join};
use crate::expression::{Expression, Function, Pairs, WhichPairs, evaluate, try_to_compile_pairs};
use crate::join::JoinKind;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather};
use cuprum_elementwise::binaryop::BinaryOperator;

fn rows(map: &Column) -> Vec<i32> {
    map.view().unwrap().values::<i32>().unwrap().to_vec()
}

fn column(values: &[Option<i64>], ctx: &Context) -> Table {
    Table::new(vec![Column::from_options(values, ctx).unwrap()]).unwrap()
}

fn less() -> Expression {
    let side = |position| Expression::column(position, DataType::Int64);
    Expression::binary(BinaryOperator::Less, side(0), side(1)).unwrap()
}

#[test]
fn all_kinds() {
    let ctx = &Context::current();
    let left = column(&[Some(1), None, Some(5), Some(2)], ctx);
    let right = column(&[Some(2), Some(0), Some(3)], ctx);
    for (kind, l, r) in [
        (JoinKind::Inner, vec![0, 0, 3], vec![0, 2, 2]),
        (JoinKind::Left, vec![0, 0, 3, 1, 2], vec![0, 2, 2, -1, -1]),
        (JoinKind::Full, vec![0, 0, 3, 1, 2, -1], vec![0, 2, 2, -1, -1, 1]),
        (JoinKind::LeftSemi, vec![0, 3], vec![]),
        (JoinKind::LeftAnti, vec![1, 2], vec![]),
    ] {
        let maps = conditional_join(&left, &right, &less(), kind, ctx).unwrap();
        assert_eq!((rows(&maps.0), rows(&maps.1)), (l, r), "{kind:?}");
    }
    let none = column(&[], ctx);
    let maps = conditional_join(&left, &none, &less(), JoinKind::Left, ctx).unwrap();
    assert_eq!((rows(&maps.0), rows(&maps.1)), (vec![0, 1, 2, 3], vec![-1; 4]));
}

#[test]
fn keys_and_a_condition() {
    let ctx = &Context::current();
    let (keys, others) = (column(&[Some(1), Some(1), None], ctx), column(&[Some(1), None], ctx));
    let left = column(&[Some(1), Some(9), Some(1)], ctx);
    let right = column(&[Some(5), Some(5)], ctx);
    let maps = |equal| {
        let maps = mixed_join((&keys, &others), &left, &right, &less(), JoinKind::Inner, equal, ctx).unwrap();
        (rows(&maps.0), rows(&maps.1))
    };
    assert_eq!(maps(true), (vec![0, 2], vec![0, 1]));
    assert_eq!(maps(false), (vec![0], vec![0]));
    let short = column(&[Some(1)], ctx);
    let error = mixed_join((&keys, &others), &short, &right, &less(), JoinKind::Inner, true, ctx);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Logic);
    let number = Expression::column(0, DataType::Int64);
    let error = conditional_join(&left, &right, &number, JoinKind::Inner, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
}

#[test]
fn conditions_are_booleans() {
    let ctx = &Context::current();
    let table = column(&[Some(1)], ctx);
    let number = Expression::column(0, DataType::Int64);
    let error = conditional_join(&table, &table, &number, JoinKind::Inner, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    let error =
        mixed_join((&table, &table), &table, &table, &number, JoinKind::Inner, true, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
}

const KINDS: [JoinKind; 5] =
    [JoinKind::Inner, JoinKind::Left, JoinKind::Full, JoinKind::LeftSemi, JoinKind::LeftAnti];

/// The maps by the definition: `matches` says of a left and a right row whether they are a pair.
fn model(
    (rows, width): (usize, usize),
    kind: JoinKind,
    matches: impl Fn(usize, usize) -> bool,
) -> (Vec<i32>, Vec<i32>) {
    let pairs: Vec<(usize, usize)> =
        (0..rows).flat_map(|l| (0..width).map(move |r| (l, r))).filter(|&(l, r)| matches(l, r)).collect();
    let has_left: HashSet<usize> = pairs.iter().map(|pair| pair.0).collect();
    let has_right: HashSet<usize> = pairs.iter().map(|pair| pair.1).collect();
    let left = |there: bool| (0..rows).filter(|l| has_left.contains(l) == there).map(|l| l as i32).collect();
    let (mut l, mut r): (Vec<i32>, Vec<i32>) = pairs.iter().map(|&(l, r)| (l as i32, r as i32)).unzip();
    match kind {
        JoinKind::LeftSemi => return (left(true), vec![]),
        JoinKind::LeftAnti => return (left(false), vec![]),
        JoinKind::Inner => return (l, r),
        JoinKind::Left | JoinKind::Full => {}
    }
    let alone: Vec<i32> = left(false);
    r.extend(alone.iter().map(|_| -1));
    l.extend(alone);
    if kind == JoinKind::Full {
        let alone = (0..width).filter(|r| !has_right.contains(r)).map(|r| r as i32);
        r.extend(alone.clone());
        l.extend(alone.map(|_| -1));
    }
    (l, r)
}

/// Columns of all that formulas read: integers, floats, texts, decimals, days and lists, with nulls, sliced out of more rows.
fn side(rows: usize, seed: u64, ctx: &Context) -> Table {
    let host = &Context::current();
    let mut random = Random(seed);
    let cut = 1 + seed as usize % 35;
    let len = rows + cut;
    let ints: Vec<Option<i64>> =
        (0..len).map(|_| Some(random.below(40) as i64 - 3).filter(|x| x % 9 != 8)).collect();
    let real = [f64::NAN, -0.0, 0.0, 1.5, f64::INFINITY, -2.0];
    let floats: Vec<Option<f64>> = (0..len)
        .map(|_| Some(random.below(7) as usize))
        .map(|x| x.and_then(|x| real.get(x).copied()))
        .collect();
    let texts: Vec<Option<String>> = ints
        .iter()
        .map(|x| x.filter(|x| x % 4 != 2).map(|x| "aé".repeat(x.unsigned_abs() as usize % 5)))
        .collect();
    let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    let wide: Vec<i128> = (0..len).map(|_| i128::from(random.below(9)) << (random.below(2) * 70)).collect();
    let mask = null_mask::from_fn(len, host, |row| row % 5 != 2).unwrap();
    let wide = HostUVec::from_slice(&wide, host).unwrap().into_buffer();
    let days: Vec<i32> = (0..len).map(|_| random.below(60) as i32).collect();
    let offsets: Vec<i32> = (0..=len as i32).collect();
    let columns = vec![
        Column::from_options(&ints, host).unwrap(),
        Column::from_options(&floats, host).unwrap(),
        Column::from_opt_strs(&texts, host).unwrap(),
        Column::from_buffer(DataType::Decimal128(2), len, wide, Some(mask.clone())).unwrap(),
        Column::from_slice(&days, host).unwrap().bit_cast(DataType::Timestamp(TimeUnit::Days)).unwrap(),
        Column::lists(
            Column::from_slice(&offsets, host).unwrap(),
            Column::from_slice(&days, host).unwrap(),
            Some(mask),
        )
        .unwrap(),
        Column::from_bools(&days.iter().map(|day| day % 3 == 0).collect::<Vec<_>>(), host).unwrap(),
    ];
    Table::new(columns).unwrap().slice(cut, rows).unwrap().to_device(ctx).unwrap()
}

/// Formulas over two such tables.
fn predicates(left: &Table) -> Vec<Expression> {
    let of: Vec<DataType> = left.columns().iter().map(Column::data_type).collect();
    let count = of.len();
    let l = |at: usize| Expression::column(at, of[at]);
    let r = |at: usize| Expression::column(count + at, of[at]);
    let binary = |op, a: Expression, b: Expression| Expression::binary(op, a, b).unwrap();
    let literal = |value: Scalar| Expression::literal(value);
    let mut sum = binary(BinaryOperator::Add, l(0), r(0));
    for i in 0..120 {
        // More than one kernel holds, each operation once.
        sum = binary(
            BinaryOperator::Add,
            sum,
            binary(
                BinaryOperator::Mul,
                if i % 2 == 0 { l(0) } else { r(0) },
                literal(Scalar::from(i64::from(i))),
            ),
        );
    }
    vec![
        binary(BinaryOperator::Less, l(0), r(0)),
        binary(
            BinaryOperator::And,
            binary(BinaryOperator::GreaterEqual, r(1), l(1)),
            binary(BinaryOperator::NotEqual, l(0), r(0)),
        ),
        binary(BinaryOperator::Equal, l(2), r(2)),
        binary(
            BinaryOperator::Less,
            binary(BinaryOperator::Add, l(3), r(3)),
            literal(Scalar::new(DataType::Decimal128(2), Value::Decimal(1 << 70)).unwrap()),
        ),
        binary(BinaryOperator::Greater, l(4), r(4)),
        binary(BinaryOperator::Or, l(5).is_missing(false).unwrap(), r(5).is_missing(false).unwrap()),
        binary(
            BinaryOperator::Or,
            l(1).is_missing(true).unwrap(),
            binary(
                BinaryOperator::Equal,
                Expression::function(Function::Length, r(2)).unwrap(),
                literal(Scalar::from(4i32)),
            ),
        ),
        l(6),
        r(6),
        literal(Scalar::from(true)),
        literal(Scalar::from(false)),
        literal(Scalar::null(DataType::Bool8)),
        binary(BinaryOperator::Greater, sum, literal(Scalar::from(9000i64))),
    ]
}

/// Whether each pair of rows matches, by formulas over a table of all pairs on the CPU.
fn matches(left: &Table, right: &Table, predicate: &Expression) -> Vec<bool> {
    let host = &Context::current();
    let (rows, width) = (left.num_rows(), right.num_rows());
    let map = |row: &dyn Fn(usize) -> i32| {
        Column::from_slice(&(0..rows * width).map(row).collect::<Vec<_>>(), host).unwrap()
    };
    let (l, r) = (map(&|i| (i / width) as i32), map(&|i| (i % width) as i32));
    let mut columns = gather(left, &l, OutOfBoundsPolicy::Check, host).unwrap().into_columns();
    columns.extend(gather(right, &r, OutOfBoundsPolicy::Check, host).unwrap().into_columns());
    let table = Table::with_rows(columns, rows * width).unwrap();
    let found = evaluate(std::slice::from_ref(predicate), &table, host).unwrap().remove(0);
    (0..found.len()).map(|i| found.get(i).unwrap().as_bool() == Some(true)).collect()
}

/// All kinds and formulas on every device, in one step and in several, by the definition.
#[test]
fn conditions_on_devices() {
    let host = &Context::current();
    let sizes = [
        (0, 5),
        (5, 0),
        (0, 0),
        (1, 1),
        (1, 257),
        (257, 1),
        (31, 33),
        (33, 31),
        (64, 63),
        (65, 64),
        (40, 100),
    ];
    for (ctx, share) in contexts_in_shares() {
        let mut case = 0;
        for (i, &(rows, width)) in sizes.iter().enumerate() {
            let [left, right] =
                [(rows, 3 + i), (width, 40 + 7 * i)].map(|(rows, seed)| side(rows, seed as u64, host));
            let [there, other] = [&left, &right].map(|table| table.to_device(&ctx).unwrap());
            let keys = |table: &Table| Table::new(vec![table.columns()[0].clone()]).unwrap();
            for (p, predicate) in predicates(&left).iter().enumerate() {
                case += 1;
                if (i + p) % 4 != 0 && rows * width > 100 || !share.has(case) {
                    continue;
                }
                let found = matches(&left, &right, predicate);
                let key = |table: &Table, row| keys(table).columns()[0].get(row).unwrap().as_i64();
                for (k, kind) in KINDS.into_iter().enumerate() {
                    let expected = model((rows, width), kind, |l, r| found[l * width + r]);
                    let maps = conditional_join(&there, &other, predicate, kind, &ctx).unwrap();
                    let host_maps = |maps: (Column, Column)| {
                        (rows_of(&maps.0.to_host().unwrap()), rows_of(&maps.1.to_host().unwrap()))
                    };
                    assert!(maps.0.is_on(ctx.resource().device()) && maps.1.is_on(ctx.resource().device()));
                    assert_eq!(host_maps(maps), expected, "{predicate} {kind:?} {rows} × {width}");
                    if ctx.is_on_gpu() && (k + case) % 2 == 0 {
                        let at_once = [1, 100, 2 * width + 1][(i + p) % 3];
                        let maps = cuda::conditional_join(&there, &other, predicate, kind, at_once, &ctx);
                        assert_eq!(
                            host_maps(maps.unwrap().unwrap()),
                            expected,
                            "{predicate} {kind:?} {at_once}"
                        );
                    }
                    let equal = (k + case) % 3 != 0;
                    let expected = model((rows, width), kind, |l, r| {
                        let (a, b) = (key(&left, l), key(&right, r));
                        found[l * width + r] && a == b && (equal || a.is_some())
                    });
                    let keys = (&keys(&there), &keys(&other));
                    let maps = mixed_join(keys, &there, &other, predicate, kind, equal, &ctx).unwrap();
                    assert_eq!(host_maps(maps), expected, "{predicate} {kind:?} {equal}");
                }
            }
        }
    }
}

/// NVRTC takes the kernels, too.
#[test]
fn conditions_compile_for_gpus() {
    let host = &Context::current();
    let (left, right) = (side(3, 1, host), side(2, 2, host));
    let maps = [0, 1].map(|_| Column::from_slice(&[0i32, 1], host).unwrap());
    // The last one is more than one kernel holds.
    let mut predicates = predicates(&left);
    predicates.pop();
    for which in [WhichPairs::All { first: 1, rows: 2 }, WhichPairs::Listed(&maps)] {
        let pairs = Pairs { left: &left, right: &right, which };
        for predicate in &predicates {
            match try_to_compile_pairs(predicate, &pairs, 90) {
                Err(error) if std::env::var_os("CUPRUM_NVRTC").is_some() => panic!("{predicate}: {error}"),
                Err(error) => eprintln!("skipped: {error}"),
                Ok(()) => {}
            }
        }
    }
}

fn rows_of(map: &Column) -> Vec<i32> {
    if map.is_empty() { vec![] } else { rows(map) }
}

/// Tables without columns have rows; errors are those of the CPU, whatever the device, and before any work.
#[test]
fn errors_and_no_columns_on_devices() {
    let host = &Context::current();
    for ctx in contexts() {
        let of = |rows| Table::with_rows(vec![], rows).unwrap();
        for (kind, l, r) in [
            (JoinKind::Inner, vec![0, 0, 1, 1], vec![0, 1, 0, 1]),
            (JoinKind::LeftSemi, vec![0, 1], vec![]),
            (JoinKind::LeftAnti, vec![], vec![]),
        ] {
            let all = Expression::literal(Scalar::from(true));
            let maps = conditional_join(&of(2), &of(2), &all, kind, &ctx).unwrap();
            assert_eq!((rows_of(&maps.0.to_host().unwrap()), rows_of(&maps.1.to_host().unwrap())), (l, r));
        }
        let ints = |values: &[i64], ctx: &Context| {
            Table::new(vec![Column::from_slice(values, ctx).unwrap()]).unwrap()
        };
        let column = |at| Expression::column(at, DataType::Int64);
        let narrow = column(1).cast(DataType::Int8).unwrap();
        // A row of the right side does not fit.
        let refused =
            Expression::binary(BinaryOperator::Less, column(0).cast(DataType::Int8).unwrap(), narrow)
                .unwrap();
        let float = Expression::column(1, DataType::Float64);
        let other = Expression::binary(BinaryOperator::Less, float.clone(), float).unwrap();
        let beyond = Expression::binary(BinaryOperator::Less, column(0), column(2)).unwrap();
        for predicate in [refused, other, beyond, column(0)] {
            for right in [&[1, 2, 300][..], &[]] {
                let text = |ctx: &Context| {
                    let (left, right) = (ints(&[1, 2], ctx), ints(right, ctx));
                    let one = conditional_join(&left, &right, &predicate, JoinKind::Full, ctx);
                    let both =
                        mixed_join((&left, &right), &left, &right, &predicate, JoinKind::Left, true, ctx);
                    assert_eq!(
                        left.columns()[0].to_host().unwrap().view().unwrap().values::<i64>().unwrap(),
                        [1, 2]
                    );
                    [one, both].map(|result| result.map(|_| ()).map_err(|e| (e.kind(), e.to_string())))
                };
                assert_eq!(text(&ctx), text(host), "{predicate}");
            }
        }
        let keys = ints(&[1, 300], &ctx);
        let short = ints(&[1], &ctx);
        let less = Expression::binary(BinaryOperator::Less, column(0), column(1)).unwrap();
        let error =
            mixed_join((&keys, &keys), &short, &keys, &less, JoinKind::Inner, true, &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Logic);
        // One key with many pairs; few of the pairs match.
        let many = ints(&vec![7; 300], &ctx);
        let places = ints(&(0..300).collect::<Vec<_>>(), &ctx);
        let equal = Expression::binary(BinaryOperator::Equal, column(0), column(1)).unwrap();
        let maps = mixed_join((&many, &many), &places, &places, &equal, JoinKind::Full, true, &ctx).unwrap();
        let all: Vec<i32> = (0..300).collect();
        assert_eq!((rows(&maps.0.to_host().unwrap()), rows(&maps.1.to_host().unwrap())), (all.clone(), all));
    }
}
