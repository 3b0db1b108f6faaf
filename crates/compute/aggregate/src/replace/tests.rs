use cuprum_column::{Column, Context, DataType, ErrorKind, Scalar, Table};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{LENGTHS, any_column, any_data_type};
use proptest::prelude::*;

use super::*;
use cuprum_testing::{rows, same_everywhere};

fn ctx() -> Context {
    Tracked::current()
}

fn any_typed() -> impl Strategy<Value = Column> {
    (any_data_type(), 1usize..120).prop_flat_map(|(t, n)| any_column(t, n))
}

proptest! {
    #[test]
    fn missing_rows_are_replaced((column, with) in (any_data_type(), 1usize..120).prop_flat_map(|(t, n)| (any_column(t, n), any_column(t, n))), nan: bool) {
        let (values, others) = (rows(&column), rows(&with));
        let missing = |s: &str| s == "null" || (nan && s == "NaN");
        let expected = |other: &dyn Fn(usize) -> String| -> Vec<String> {
            values.iter().enumerate().map(|(i, v)| if missing(v) { other(i) } else { v.clone() }).collect()
        };
        prop_assert_eq!(rows(&replace_nulls(&column, &with, nan, &ctx()).unwrap()), expected(&|i| others[i].clone()));
        let scalar = with.get(0).unwrap();
        prop_assert_eq!(rows(&replace_nulls(&column, &scalar, nan, &ctx()).unwrap()), expected(&|_| scalar.to_string()));
        let nulled: Vec<String> = values.iter().map(|v| if v == "NaN" { "null".into() } else { v.clone() }).collect();
        prop_assert_eq!(rows(&nans_to_nulls(&column, &ctx()).unwrap()), nulled);
    }

    #[test]
    fn neighbours_fill(column in any_typed()) {
        let values = rows(&column);
        let fill = |values: &mut dyn Iterator<Item = &String>| -> Vec<String> {
            let mut last = "null".to_string();
            values.map(|v| {
                if v != "null" && v != "NaN" {
                    last.clone_from(v);
                }
                last.clone()
            }).collect()
        };
        let forward = fill_nulls_from_neighbours(&column, FillDirection::Forward, None, &ctx()).unwrap();
        prop_assert_eq!(rows(&forward), fill(&mut values.iter()));
        let backward = fill_nulls_from_neighbours(&column, FillDirection::Backward, None, &ctx()).unwrap();
        let mut expected = fill(&mut values.iter().rev());
        expected.reverse();
        prop_assert_eq!(rows(&backward), expected);

        for limit in [0usize, 1, 2, 63, usize::MAX] {
            let is_there = |row: usize| values[row] != "null" && values[row] != "NaN";
            let value = |row: Option<usize>| row.map_or("null".to_string(), |row| values[row].clone());
            let within = |row: usize| row.saturating_sub(limit)..=row;
            let expected: Vec<_> = (0..values.len()).map(|row| value(within(row).rev().find(|at| is_there(*at)))).collect();
            let forward = fill_nulls_from_neighbours(&column, FillDirection::Forward, Some(limit), &ctx()).unwrap();
            prop_assert_eq!(rows(&forward), expected, "{} rows", limit);
            let within = |row: usize| row..values.len().min(row.saturating_add(limit).saturating_add(1));
            let expected: Vec<_> = (0..values.len()).map(|row| value(within(row).find(|at| is_there(*at)))).collect();
            let backward = fill_nulls_from_neighbours(&column, FillDirection::Backward, Some(limit), &ctx()).unwrap();
            prop_assert_eq!(rows(&backward), expected, "{} rows", limit);
        }
    }

    #[test]
    fn values_are_found((column, old, new) in (any_data_type(), 1usize..120, 1usize..6).prop_flat_map(|(t, n, m)|
            (any_column(t, n), any_column(t, m), any_column(t, m)))) {
        let (olds, news) = (rows(&old), rows(&new));
        let same = |a: &str, b: &str| a.trim_start_matches('-') == b.trim_start_matches('-') && a.parse() == Ok(0.0) || a == b;
        let expected: Vec<String> = rows(&column).into_iter()
            .map(|v| olds.iter().rposition(|o| same(o, &v)).map_or(v, |i| news[i].clone()))
            .collect();
        prop_assert_eq!(rows(&find_and_replace(&column, &old, &new, &ctx()).unwrap()), expected);
    }

    #[test]
    fn clamped_values_are_within((column, bounds) in (0usize..80).prop_flat_map(|n| (any_column(DataType::Float64, n), any_column(DataType::Float64, 2)))) {
        let (lo, hi) = (bounds.get(0).unwrap(), bounds.get(1).unwrap());
        let clamped = clamp(&column, Some(&lo), Some(&hi), &ctx()).unwrap();
        let expected: Vec<String> = (0..column.len()).map(|i| match column.get(i).unwrap().as_f64() {
            None => "null".to_string(),
            Some(x) => {
                let x = lo.as_f64().filter(|lo| x < *lo).unwrap_or(x);
                format!("{:?}", hi.as_f64().filter(|hi| x > *hi).unwrap_or(x))
            }
        }).collect();
        prop_assert_eq!(rows(&clamped), expected);
    }
}

#[test]
fn filling_across_morsels() {
    let ctx = ctx();
    let none = Column::empty(DataType::Float64);
    assert!(fill_nulls_from_neighbours(&none, FillDirection::Forward, None, &ctx).unwrap().is_empty());
    for len in LENGTHS {
        let sparse: Vec<Option<i64>> =
            (0..len).map(|i| i.is_multiple_of(50_000).then_some(i as i64)).collect();
        let column = Column::from_options(&sparse, &ctx).unwrap();
        let filled = fill_nulls_from_neighbours(&column, FillDirection::Forward, None, &ctx).unwrap();
        assert_eq!(filled.null_count().unwrap(), 0);
        let filled_view = filled.view().unwrap();
        let values = filled_view.values::<i64>().unwrap();
        assert!((0..len).all(|i| values[i] == (i / 50_000 * 50_000) as i64));
        let filled = fill_nulls_from_neighbours(&column, FillDirection::Backward, None, &ctx).unwrap();
        let last = len.saturating_sub(1) / 50_000 * 50_000;
        assert_eq!(filled.null_count().unwrap(), len.saturating_sub(last + 1));
    }
}

#[test]
fn texts_clamp_and_wrong_arguments_are_named() {
    let ctx = ctx();
    let texts = Column::from_opt_strs(&[Some("a"), None, Some("é")], &ctx).unwrap();
    let clamped = clamp(&texts, Some(&Scalar::from("b")), None, &ctx).unwrap();
    assert_eq!(rows(&clamped), ["\"b\"", "null", "\"é\""]);
    let kind = |r: Result<Column>| r.unwrap_err().kind();
    let one = Scalar::from(1i64);
    assert_eq!(kind(clamp(&texts, Some(&one), None, &ctx)), ErrorKind::DataType);
    assert_eq!(kind(replace_nulls(&texts, &one, false, &ctx)), ErrorKind::DataType);
    assert_eq!(kind(replace_nulls(&texts, &texts.slice(0, 1).unwrap(), false, &ctx)), ErrorKind::Logic);
    assert_eq!(kind(find_and_replace(&texts, &texts, &texts.slice(0, 1).unwrap(), &ctx)), ErrorKind::Logic);
    let ints = Column::from_slice(&[1i64], &ctx).unwrap();
    assert_eq!(kind(find_and_replace(&texts, &texts, &ints, &ctx)), ErrorKind::DataType);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn neighbours_fill_on_every_device(column in (any_data_type(), 0usize..700).prop_flat_map(|(t, n)| any_column(t, n))) {
        same_everywhere(&[column], |columns, ctx| {
            let fill = |direction, limit| fill_nulls_from_neighbours(&columns[0], direction, limit, ctx);
            let both = |limit| {
                Ok::<_, cuprum_column::Error>([fill(FillDirection::Forward, limit)?, fill(FillDirection::Backward, limit)?])
            };
            Table::new([both(None)?, both(Some(1))?, both(Some(40))?].concat())
        });
    }

    #[test]
    fn clamped_on_every_device((column, bounds) in (any_data_type(), 0usize..300).prop_flat_map(|(t, n)| (any_column(t, n), any_column(t, 4)))) {
        same_everywhere(&[column], |columns, ctx| {
            let clamped = |lo: Option<usize>, hi: Option<usize>| {
                let bound = |row: Option<usize>| row.map(|row| bounds.get(row)).transpose();
                clamp(&columns[0], bound(lo)?.as_ref(), bound(hi)?.as_ref(), ctx)
            };
            Table::new(vec![clamped(Some(0), Some(1))?, clamped(None, Some(2))?, clamped(Some(3), None)?])
        });
    }
}

/// Devices and the CPU find the same: NaN and nulls, both zeros, values that come twice, texts.
#[test]
fn found_and_replaced_on_devices() {
    use cuprum_column::TimeUnit;
    use cuprum_elementwise::unary::cast;
    use cuprum_runtime::random::Random;
    let host = &Context::current();
    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
        let mut random = Random(5);
        for (rows, values) in [(1usize, 1usize), (33, 0), (65, 3), (700, 40)] {
            let mut column = |rows: usize, kind: usize| {
                let numbers: Vec<Option<i64>> =
                    (0..rows + 1).map(|_| Some(random.below(60) as i64).filter(|n| n % 7 != 3)).collect();
                let float =
                    |n: i64| [f64::NAN, -0.0, 0.0][n as usize % 3] + if n < 9 { 0.0 } else { n as f64 };
                let column = match kind {
                    0 => Column::from_options(&numbers, host).unwrap(),
                    1 => {
                        let floats: Vec<_> = numbers.iter().map(|n| n.map(float)).collect();
                        Column::from_options(&floats, host).unwrap()
                    }
                    2 => {
                        let texts: Vec<_> = numbers.iter().map(|n| n.map(|n| format!("text {n}"))).collect();
                        Column::from_opt_strs(&texts.iter().map(Option::as_deref).collect::<Vec<_>>(), host)
                            .unwrap()
                    }
                    3 => cast(&Column::from_options(&numbers, host).unwrap(), DataType::Decimal128(-2), host)
                        .unwrap(),
                    _ => Column::from_options(&numbers, host)
                        .unwrap()
                        .bit_cast(DataType::Timestamp(TimeUnit::Seconds))
                        .unwrap(),
                };
                column.slice(1, rows).unwrap()
            };
            for kind in 0..5 {
                let all = [column(rows, kind), column(values, kind), column(values, kind)];
                let wanted = find_and_replace(&all[0], &all[1], &all[2], host).unwrap();
                let there = all.each_ref().map(|column| column.to_device(&ctx).unwrap());
                let found = find_and_replace(&there[0], &there[1], &there[2], &ctx).unwrap();
                cuprum_testing::assert_column_eq(&found.to_host().unwrap(), &wanted);
            }
        }
        let numbers = Column::from_slice(&[1i64, 2], host).unwrap().to_device(&ctx).unwrap();
        let error = find_and_replace(&numbers, &numbers, &numbers.slice(0, 1).unwrap(), &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Logic);
    }
}
