//! Few rows on the way of more than are counted at once: the same results, in the same order.

use cuprum_column::{Column, Context, DataType, ErrorKind, HostUVec, Result, Scalar, Table, TimeUnit, Value};
use cuprum_elementwise::unary::cast;
use cuprum_keys::equality::row_limit::with_most_rows;
use cuprum_testing::{contexts, contexts_in_shares};

use super::*;
use crate::quantiles::Interpolation;
use crate::reduce::{self, reduce, reduce_all};
use crate::tdigest;

const ROWS: usize = 1000;

/// So many rows are counted at once.
const MOST: usize = 100;

/// Numbers of groups: the first two have more rows than are counted at once, the others few.
fn numbers(groups: usize) -> Vec<i64> {
    let mut random = cuprum_testing::Random(groups as u64);
    let number = |random: &mut cuprum_testing::Random| match random.below(10) {
        0..=2 => 7,
        3..=5 => 3,
        _ => random.below(groups as u64) as i64,
    };
    (0..ROWS).map(|_| number(&mut random)).collect()
}

fn some<T: Clone>(values: &[T], one_missing_in: usize) -> Vec<Option<T>> {
    values.iter().enumerate().map(|(i, x)| (i % one_missing_in != 4).then(|| x.clone())).collect()
}

/// A column of each kind, of numbers below some bound that repeat.
fn columns(ctx: &Context) -> Vec<Column> {
    let mut random = cuprum_testing::Random(5);
    let numbers: Vec<i64> = (0..ROWS).map(|_| random.below(17) as i64 - 6).collect();
    let integers = Column::from_options(&some(&numbers, 7), ctx).unwrap();
    let floats: Vec<f64> = numbers
        .iter()
        .map(|&x| match x {
            -6 => f64::NAN,
            -5 => -0.0,
            x => x as f64 * 1.25e-3 + 1.0,
        })
        .collect();
    let floats = Column::from_options(&some(&floats, 11), ctx).unwrap();
    let texts: Vec<String> = numbers.iter().map(|x| format!("text {x}")).collect();
    let texts: Vec<Option<&str>> = some(&texts.iter().map(String::as_str).collect::<Vec<_>>(), 5);
    let texts = Column::from_opt_strs(&texts, ctx).unwrap();
    let great: Vec<u64> = numbers.iter().map(|x| u64::MAX - x.unsigned_abs()).collect();
    let to = |data_type| cast(&integers, data_type, ctx).unwrap();
    vec![
        to(DataType::Int8),
        to(DataType::Bool8),
        Column::from_slice(&great, ctx).unwrap(),
        cast(&floats, DataType::Float32, ctx).unwrap(),
        to(DataType::Timestamp(TimeUnit::Milliseconds)),
        to(DataType::Duration(TimeUnit::Seconds)),
        to(DataType::Decimal64(-2)),
        Column::structs(ROWS, vec![integers.clone(), texts.clone()], None).unwrap(),
        // Of more than 64 bits.
        to(DataType::Decimal128(-20)),
        integers,
        floats,
        texts,
    ]
}

/// Compares what `made` gives all at once and in pieces, on every device whose [share](cuprum_testing::Share) has the case
/// of this number: also whether it fails.
fn same_in_pieces(
    case: usize,
    columns: &[Column],
    made: impl Fn(&[Column], &Context) -> Result<Vec<Column>>,
) {
    for (ctx, _) in contexts_in_shares().filter(|(_, share)| share.has(case)) {
        let there: Vec<Column> = columns.iter().map(|column| column.to_device(&ctx).unwrap()).collect();
        let (whole, pieces) = (made(&there, &ctx), with_most_rows(MOST, || made(&there, &ctx)));
        match (whole, pieces) {
            (Ok(whole), Ok(pieces)) => {
                assert_eq!(whole.len(), pieces.len());
                whole.iter().zip(&pieces).for_each(|(whole, pieces)| assert_alike(whole, pieces));
            }
            (Err(whole), Err(pieces)) => assert_eq!(whole.kind(), pieces.kind(), "{whole} {pieces}"),
            (whole, pieces) => panic!("{whole:?}\n{pieces:?}"),
        }
    }
}

/// Equal columns, or floats that differ by their rounding.
fn assert_alike(whole: &Column, pieces: &Column) {
    assert!(cuprum_column::have_same_types(whole, pieces), "{:?}", (whole.data_type(), pieces.data_type()));
    assert_eq!(whole.len(), pieces.len());
    pieces.validate().unwrap();
    let (whole, pieces) = (whole.to_host().unwrap(), pieces.to_host().unwrap());
    let close = if whole.data_type() == DataType::Float32 { 1e-6 } else { 1e-12 };
    for row in 0..whole.len() {
        let (a, b) = (whole.get(row).unwrap(), pieces.get(row).unwrap());
        match (a.value(), b.value()) {
            (Value::Float(x), Value::Float(y)) if x.is_finite() && y.is_finite() => {
                assert!((x - y).abs() <= close * x.abs(), "row {row}: {x} {y}");
            }
            _ => assert_eq!(a.to_string(), b.to_string(), "row {row} of {whole:?} {pieces:?}"),
        }
    }
}

fn grouped(keys: &[Column], rows: usize, drop_nulls: bool, ctx: &Context) -> Result<Vec<Column>> {
    let grouping = group(&Table::with_rows(keys.to_vec(), rows)?, drop_nulls, ctx)?;
    assert_eq!(grouping.num_groups, grouping.first_rows.len());
    Ok(vec![grouping.ids(ctx)?.clone(), grouping.first_rows])
}

#[test]
fn keys_of_every_kind_in_pieces() {
    let host = &Context::current();
    let columns = columns(host);
    for drop_nulls in [true, false] {
        for (case, column) in columns.iter().enumerate() {
            same_in_pieces(case, std::slice::from_ref(column), |keys, ctx| {
                grouped(keys, ROWS, drop_nulls, ctx)
            });
        }
        same_in_pieces(0, &[columns[1].clone(), columns[11].clone()], |keys, ctx| {
            grouped(keys, ROWS, drop_nulls, ctx)
        });
        same_in_pieces(1, &[], |keys, ctx| grouped(keys, ROWS, drop_nulls, ctx));
    }
}

/// Keys that appear one after the other, and nearly as many of them as rows are counted at once, or more.
#[test]
fn many_distinct_keys_in_pieces() {
    let keys = |distinct: usize| {
        let keys: Vec<i64> = (0..ROWS as i64).map(|i| i * i * 7919 % distinct as i64 + i / 400).collect();
        Column::from_slice(&keys, &Context::current()).unwrap()
    };
    same_in_pieces(0, &[keys(1)], |keys, ctx| grouped(keys, ROWS, true, ctx));
    same_in_pieces(1, &[keys(180)], |keys, ctx| grouped(keys, ROWS, true, ctx));
    let rows = Column::from_values(HostUVec::from_fn(ROWS, &Context::current(), |i| (i / 2) as i64).unwrap());
    for ctx in contexts() {
        let rows = Table::new(vec![rows.to_device(&ctx).unwrap()]).unwrap();
        let error = with_most_rows(MOST, || group(&rows, true, &ctx)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains("distinct keys"), "{error}");
    }
}

#[test]
fn every_aggregation_in_pieces() {
    let host = &Context::current();
    let keys = Column::from_options(&some(&numbers(40), 13), host).unwrap();
    for (case, column) in columns(host).into_iter().enumerate() {
        same_in_pieces(case, &[keys.clone(), column], |columns, ctx| {
            let grouping = group(&Table::new(vec![columns[0].clone()])?, true, ctx)?;
            let is_made = |how: &Aggregation| result_type(columns[1].data_type(), *how).is_ok();
            let mut requests: Vec<_> =
                Aggregation::EACH.into_iter().filter(is_made).map(|how| (&columns[1], how)).collect();
            requests.push((&columns[0], Aggregation::Sum));
            aggregate(&grouping, &requests, ctx)
        });
    }
}

#[test]
fn groups_and_values_at_once_in_pieces() {
    let host = &Context::current();
    let columns = columns(host);
    same_in_pieces(0, &[columns[0].clone(), columns[9].clone(), columns[10].clone()], |columns, ctx| {
        let keys = Table::new(vec![columns[0].clone()])?;
        let requests = [(&columns[1], Aggregation::Sum), (&columns[2], Aggregation::Max)];
        let (grouping, mut made) = group_and_aggregate(&keys, false, &requests, ctx)?;
        made.push(grouping.first_rows);
        Ok(made)
    });
}

#[test]
fn results_of_all_rows_of_groups_in_pieces() {
    let host = &Context::current();
    // No group has more rows than are counted at once.
    let few: Vec<i64> = (0..ROWS as i64).map(|i| i * 31 % 40).collect();
    let keys = Column::from_options(&some(&few, 13), host).unwrap();
    let columns = columns(host);
    let of = |column: usize, made: fn(&Grouping, &Column, &Context) -> Result<Vec<Column>>| {
        same_in_pieces(column, &[keys.clone(), columns[column].clone()], |columns, ctx| {
            made(&group(&Table::new(vec![columns[0].clone()])?, true, ctx)?, &columns[1], ctx)
        });
    };
    of(11, |groups, column, ctx| Ok(vec![collect_list(groups, column, true, ctx)?]));
    of(9, |groups, column, ctx| Ok(vec![collect_set(groups, column, false, (true, true), ctx)?]));
    of(9, |groups, column, ctx| Ok(vec![histogram(groups, column, ctx)?]));
    of(10, |groups, column, ctx| {
        let q = [0.25, 0.5];
        let mut made = quantile_elements(groups, column, &q, Interpolation::Lower, ctx)?;
        made.push(quantiles(groups, column, &q, Interpolation::Linear, ctx)?);
        made.push(m2(groups, column, ctx)?);
        made.push(covariance(groups, column, column, (1, 1), ctx)?);
        made.push(skewness(groups, column, ctx)?);
        Ok(made)
    });
    let refused = |error: Result<Column>| {
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        error.to_string()
    };
    // What has no pieces, and groups of too many rows, are refused by name.
    let keys = Column::from_slice(&numbers(40), host).unwrap();
    with_most_rows(MOST, || {
        let groups = group(&Table::new(vec![keys.clone()]).unwrap(), true, host).unwrap();
        let text = refused(collect_list(&groups, &columns[9], true, host));
        assert!(text.contains("a list of a group"), "{text}");
        let text = refused(grouped_rows::grouped_rows(&groups, None, host).map(|_| keys.clone()));
        assert!(text.contains("lists of the rows of groups"), "{text}");
        let text = refused(nth_argminmax::extreme_rows(
            &groups,
            &columns[9],
            cuprum_keys::order::Order::Ascending,
            host,
        ));
        assert!(text.contains("extremes of groups"), "{text}");
        let text = refused(tdigest::digest(&groups, &columns[9], 10, host));
        assert!(text.contains("a digest of a group"), "{text}");
    });
}

#[test]
fn every_reduction_in_pieces() {
    let host = &Context::current();
    let scalar = |value: Result<Scalar>, ctx: &Context| match value {
        Ok(value) => match value.row() {
            Some(row) => Ok(row.clone()),
            None => Column::from_scalar(&value, 1, ctx),
        },
        Err(error) => Column::from_strs(&[format!("{:?}", error.kind())], ctx),
    };
    for (case, column) in columns(host).into_iter().enumerate() {
        // Complete columns, columns with whole pieces of nulls, and columns of nulls alone.
        let nulls = Column::nulls_like(&column, ROWS / 2, host).unwrap();
        let late = cuprum_keys::concatenate::concatenate(&[&nulls, &column], host).unwrap();
        for (variant, column) in [column, late, nulls].into_iter().enumerate() {
            same_in_pieces(case + variant, &[column], |columns, ctx| {
                let each = Aggregation::EACH.into_iter();
                each.map(|how| scalar(reduce(&columns[0], how, ctx), ctx)).collect()
            });
        }
    }
    let floats = columns(host)[10].clone();
    same_in_pieces(0, &[floats], |columns, ctx| {
        let all = [Aggregation::Sum, Aggregation::NUnique, Aggregation::Var { ddof: 1 }];
        reduce_all(&columns[0], &all, ctx)?.into_iter().map(|value| scalar(Ok(value), ctx)).collect()
    });
}

#[test]
fn co_moments_in_pieces() {
    let host = &Context::current();
    let columns = columns(host);
    same_in_pieces(0, &[columns[9].clone(), columns[10].clone()], |columns, ctx| {
        let moments = reduce::co_moments(&columns[0], &columns[1], ctx)?;
        let all = [moments.count as f64, moments.means[1], moments.squares[0], moments.products];
        Ok(vec![Column::from_slice(&all, ctx)?])
    });
}
