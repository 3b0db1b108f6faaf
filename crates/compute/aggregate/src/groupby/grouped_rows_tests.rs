//! Tests of [`grouped_rows`](super::grouped_rows).

use cuprum_column::{Column, Context, DataType, ErrorKind, HostUVec, Result, Table, TimeUnit, null_mask};
use cuprum_runtime::parallel::MORSEL;
use cuprum_testing::{Random, any_column};
use proptest::prelude::*;

use super::grouped_rows::*;
use crate::aggregation::CumulativeOp;
use crate::groupby::group;
use crate::replace::FillDirection;
use cuprum_elementwise::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::order::Order;
use cuprum_testing::same_cases_everywhere;

fn values<T: cuprum_column::Native>(column: &Column) -> Vec<Option<T>> {
    let view = column.view().unwrap();
    let values = view.values::<T>().unwrap();
    (0..column.len()).map(|row| view.is_valid(row).then_some(values[row])).collect()
}

/// The rows of every group, ascending: those of the group at each place of `order`.
fn model(ids: &[Option<i64>], order: &[Option<i64>]) -> Vec<Vec<usize>> {
    let rows = |id: &Option<i64>| (0..ids.len()).filter(|&row| id.is_some() && ids[row] == *id).collect();
    order.iter().map(rows).collect()
}

proptest! {
    #[test]
    fn every_row_is_seen_in_its_group(
        keys in prop::collection::vec(prop::option::of(0i64..5), 0..60),
        periods in -4i64..5,
        (start, stop) in (prop::option::of(-4i64..5), prop::option::of(-4i64..5)),
        reverse in any::<bool>(),
        column in any_column(DataType::Int32, 60),
    ) {
        let ctx = &Context::current();
        let table = Table::new(vec![Column::from_options(&keys, ctx).unwrap()]).unwrap();
        let grouping = group(&table, true, ctx).unwrap();
        let ids: Vec<Option<i64>> =
            values::<i32>(grouping.ids(ctx).unwrap()).into_iter().map(|id| id.map(i64::from).filter(|&id| id >= 0)).collect();
        // The groups from the last to the first, and a place without a group.
        let mut order: Vec<Option<i64>> = (0..grouping.num_groups as i64).map(Some).collect();
        if reverse {
            order.reverse();
            order.insert(1.min(order.len()), None);
        }
        let groups = if reverse {
            let order = Column::from_options(&order, ctx).unwrap();
            grouped_rows(&grouping, Some(&order), ctx).unwrap()
        } else {
            grouped_rows(&grouping, None, ctx).unwrap()
        };
        let expected = model(&ids, &order);
        let rows: Vec<u32> = values(groups.rows(ctx).unwrap()).into_iter().flatten().collect();
        prop_assert_eq!(&rows, &expected.iter().flatten().map(|&row| row as u32).collect::<Vec<_>>());
        let sizes: Vec<u32> = values(groups.offsets(ctx).unwrap()).into_iter().flatten().collect();
        let sizes: Vec<usize> = sizes.windows(2).map(|ends| (ends[1] - ends[0]) as usize).collect();
        prop_assert_eq!(sizes, expected.iter().map(Vec::len).collect::<Vec<_>>());

        let column = column.slice(0, keys.len()).unwrap();
        let elements = values::<i32>(&column);
        let missing: Vec<bool> = elements.iter().map(Option::is_none).collect();
        let missing = Column::from_bools(&missing, ctx).unwrap();
        let numbers = values::<i64>(&group_numbers(&groups, ctx).unwrap());
        let up = values::<i64>(&numbers_in_groups(&groups, true, ctx).unwrap());
        let down = values::<i64>(&numbers_in_groups(&groups, false, ctx).unwrap());
        let chosen = values::<u8>(&rows_of_slice(&groups, start, stop, ctx).unwrap());
        let taken = |map: Column| {
            values::<i32>(&gather_column(&column, &map, OutOfBoundsPolicy::Nullify, ctx).unwrap())
        };
        let shifted = taken(shift_map(&groups, periods, ctx).unwrap());
        let before = taken(fill_map(&groups, &missing, FillDirection::Forward, ctx).unwrap());
        let behind = taken(fill_map(&groups, &missing, FillDirection::Backward, ctx).unwrap());
        let sums = values::<i64>(&scan(&groups, &column, CumulativeOp::Sum, ctx).unwrap());
        let largest = values::<i32>(&scan(&groups, &column, CumulativeOp::Max, ctx).unwrap());
        for row in 0..keys.len() {
            let place = expected.iter().position(|rows| rows.contains(&row));
            let rows: &[usize] = place.map_or(&[], |place| &expected[place]);
            let number = rows.iter().position(|&other| other == row);
            let full = |place: usize| expected[..place].iter().filter(|rows| !rows.is_empty()).count() as i64;
            prop_assert_eq!(numbers[row], Some(place.map_or(-1, full)));
            prop_assert_eq!(up[row], number.map(|n| n as i64));
            prop_assert_eq!(down[row], number.map(|n| (rows.len() - 1 - n) as i64));
            let clamp = |end: i64| {
                (if end < 0 { end + rows.len() as i64 } else { end }).clamp(0, rows.len() as i64) as usize
            };
            let range = start.map_or(0, clamp)..stop.map_or(rows.len(), clamp);
            prop_assert_eq!(chosen[row], Some(u8::from(number.is_some_and(|n| range.contains(&n)))));
            let from = number.and_then(|n| usize::try_from(n as i64 - periods).ok());
            prop_assert_eq!(shifted[row], from.and_then(|n| rows.get(n)).and_then(|&from| elements[from]));
            let upto = number.map_or(&[][..], |n| &rows[..=n]);
            let downto = number.map_or(&[][..], |n| &rows[n..]);
            prop_assert_eq!(before[row], upto.iter().rev().find_map(|&other| elements[other]));
            prop_assert_eq!(behind[row], downto.iter().find_map(|&other| elements[other]));
            let so_far = || upto.iter().filter_map(|&other| elements[other]);
            let here = elements[row].filter(|_| number.is_some());
            prop_assert_eq!(sums[row], here.map(|_| so_far().map(i64::from).sum()));
            prop_assert_eq!(largest[row], here.and_then(|_| so_far().max()));
        }
    }
}

/// Everything that groups give for their rows is the CPU's on every device, in one tile of rows and in several.
#[test]
fn rows_of_groups_on_every_device() {
    let host = &Context::current();
    let mut random = cuprum_testing::Random(4);
    for (rows, groups) in [(0usize, 1u64), (1, 1), (70, 9), (1030, 3), (2500, 400)] {
        let keys: Vec<Option<i64>> =
            (0..rows).map(|_| Some(random.below(groups) as i64).filter(|key| key % 10 != 4)).collect();
        let values: Vec<Option<i64>> =
            (0..rows).map(|_| Some(random.next() as i64 >> 44).filter(|x| x % 3 != 0)).collect();
        let floats: Vec<f64> =
            (0..rows).map(|_| [0.0, -0.0, f64::NAN, 2.5, -71.25, 96.0][random.below(6) as usize]).collect();
        let missing: Vec<bool> = (0..rows).map(|_| random.below(4) != 0).collect();
        let narrow: Vec<i8> = values.iter().map(|x| x.unwrap_or(0) as i8).collect();
        let texts: Vec<Option<String>> = values.iter().map(|x| x.map(|x| x.to_string())).collect();
        let columns = [
            Column::from_options(&keys, host).unwrap(),
            Column::from_options(&values, host).unwrap(),
            Column::from_slice(&floats, host).unwrap(),
            Column::from_slice(&floats.iter().map(|&x| x as f32).collect::<Vec<_>>(), host).unwrap(),
            Column::from_slice(&narrow, host).unwrap(),
            Column::from_bools(&missing, host).unwrap(),
            Column::from_opt_strs(&texts.iter().map(Option::as_deref).collect::<Vec<_>>(), host).unwrap(),
            // NaN and nulls.
            Column::from_options(
                &floats.iter().zip(&missing).map(|(x, is_there)| is_there.then_some(*x)).collect::<Vec<_>>(),
                host,
            )
            .unwrap(),
        ];
        for ordered in [false, true] {
            same_cases_everywhere(&columns, |columns, cases, ctx| {
                let grouping = group(&Table::new(vec![columns[0].clone()])?, true, ctx)?;
                // Backwards, with a place for no group, one for a group that there is not, and one group twice.
                let count = grouping.num_groups as i64;
                let order: Vec<Option<i64>> = [Some(0), None, Some(count), Some(-1)]
                    .into_iter()
                    .chain((0..count).rev().map(Some))
                    .collect();
                let order = Column::from_options(&order, ctx)?;
                let groups = grouped_rows(&grouping, ordered.then_some(&order), ctx)?;
                cases.add(|| group_numbers(&groups, ctx))?;
                cases.add(|| numbers_in_groups(&groups, true, ctx))?;
                cases.add(|| numbers_in_groups(&groups, false, ctx))?;
                cases.add(|| rows_of_slice(&groups, Some(1), Some(-1), ctx))?;
                cases.add(|| rows_of_slice(&groups, None, Some(i64::MIN), ctx))?;
                cases.add(|| rows_of_slice(&groups, Some(-2), None, ctx))?;
                cases.add(|| shift_map(&groups, 1, ctx))?;
                cases.add(|| shift_map(&groups, -3, ctx))?;
                cases.add(|| shift_map(&groups, i64::MIN, ctx))?;
                cases.add(|| fill_map(&groups, &columns[5], FillDirection::Forward, ctx))?;
                cases.add(|| fill_map(&groups, &columns[5], FillDirection::Backward, ctx))?;
                let small = cuprum_elementwise::unary::cast(&columns[1], DataType::Int32, ctx)?;
                let more = [
                    columns[1].bit_cast(DataType::Duration(TimeUnit::Milliseconds))?,
                    small.bit_cast(DataType::Duration(TimeUnit::Days))?,
                    columns[1].bit_cast(DataType::Timestamp(TimeUnit::Seconds))?,
                ];
                for column in columns[1..6].iter().chain(&more) {
                    let of = column.data_type();
                    for op in [CumulativeOp::Min, CumulativeOp::Max, CumulativeOp::Sum, CumulativeOp::Product]
                    {
                        let has_op = match op {
                            CumulativeOp::Sum => of.is_numeric() || of.is_duration(),
                            // Small multiples of a power of two are added exactly, not multiplied.
                            CumulativeOp::Product => of.is_numeric() && !of.is_float(),
                            _ => true,
                        };
                        if has_op {
                            cases.add(|| scan(&groups, column, op, ctx))?;
                            cases.add(|| crate::reduce::cumulative(column, op, ctx))?;
                            cases.add(|| crate::reduce::cumulative_exclusive(column, op, ctx))?;
                        }
                    }
                }
                Ok(())
            });
        }
        same_cases_everywhere(&columns, |columns, cases, ctx| {
            let grouping = group(&Table::new(vec![columns[0].clone()])?, true, ctx)?;
            let groups = grouped_rows(&grouping, None, ctx)?;
            for n in [0, 2, -1, -3, i64::MIN, i64::MAX] {
                for with_nulls in [false, true] {
                    cases.add(|| {
                        crate::groupby::nth_argminmax::nth_rows(&groups, &columns[1], n, with_nulls, ctx)
                    })?;
                }
            }
            for column in [&columns[1], &columns[2], &columns[6], &columns[7]] {
                cases.add(|| crate::groupby::collect_list(&grouping, column, false, ctx))?;
                cases.add(|| crate::groupby::collect_list(&grouping, column, true, ctx))?;
                for order in [Order::Ascending, Order::Descending] {
                    cases
                        .add(|| crate::groupby::nth_argminmax::extreme_rows(&grouping, column, order, ctx))?;
                }
                for (with_nulls, nulls, nans) in
                    [(false, true, true), (true, true, false), (true, false, true), (true, false, false)]
                {
                    let equal = (nulls, nans);
                    cases.add(|| crate::groupby::collect_set(&grouping, column, with_nulls, equal, ctx))?;
                }
                cases.add(|| crate::groupby::histogram(&grouping, column, ctx))?;
                // Merged parts, by keys with nulls.
                let parts = crate::groupby::collect_list(&grouping, column, true, ctx)?;
                let keys = Table::new(vec![columns[1].slice(0, parts.len())?])?;
                let of_parts = group(&keys, true, ctx)?;
                let counts = crate::groupby::histogram(&grouping, column, ctx)?;
                cases.add(|| crate::groupby::merge_lists(&of_parts, &parts, ctx))?;
                cases.add(|| crate::groupby::merge_sets(&of_parts, &parts, (true, false), ctx))?;
                cases.add(|| crate::groupby::merge_histograms(&of_parts, &counts, ctx))?;
            }
            Ok(())
        });
        same_cases_everywhere(&columns, |columns, cases, ctx| {
            use crate::quantiles::Interpolation as I;
            let grouping = group(&Table::new(vec![columns[0].clone()])?, true, ctx)?;
            for column in &columns[1..6] {
                for kind in [I::Linear, I::Lower, I::Higher, I::Midpoint, I::Nearest] {
                    let q = [0.0, 0.25, 0.5, 0.77, 1.0];
                    cases.add(|| crate::groupby::quantiles(&grouping, column, &q, kind, ctx))?;
                }
            }
            Ok(())
        });
    }
}

/// Quantiles of times are ticks between two neighbours of the group's order, the same on every device: extremes, ticks
/// beyond 2⁵³, groups without a value, slices.
#[test]
fn quantiles_of_times_on_devices() {
    use crate::quantiles::Interpolation as I;
    let host = &Context::current();
    let kinds = [I::Linear, I::Lower, I::Higher, I::Midpoint, I::Nearest];
    let q = [0.0, 0.25, 0.5, 0.77, 1.0];
    for rows in [0usize, 1, 31, 32, 33, 63, 64, 65, 255, 257, 1500] {
        let mut random = Random(rows as u64 + 5);
        let far = [i64::MIN, i64::MIN + 1, i64::MAX, i64::MAX - 1, 1 << 53, -(1 << 53), (1 << 60) + 7, 0];
        let wide: Vec<Option<i64>> = (0..rows)
            .map(|_| match random.below(6) {
                0 => None,
                1 => Some(far[random.below(8) as usize]),
                2 => Some(random.next() as i64),
                _ => Some(random.below(100) as i64 - 50),
            })
            .collect();
        let narrow: Vec<Option<i32>> = wide.iter().map(|x| x.map(|x| x as i32)).collect();
        let keys: Vec<Option<i32>> = (0..rows)
            .map(|_| Some(random.below(rows as u64 / 4 + 2) as i32).filter(|k| k % 7 != 6))
            .collect();
        let of = |column: Column, to| column.bit_cast(to).unwrap();
        let all = [
            Column::from_options(&keys, host).unwrap(),
            of(Column::from_options(&wide, host).unwrap(), DataType::Timestamp(TimeUnit::Nanoseconds)),
            of(Column::from_options(&wide, host).unwrap(), DataType::Duration(TimeUnit::Seconds)),
            of(Column::from_options(&narrow, host).unwrap(), DataType::Timestamp(TimeUnit::Days)),
            of(Column::from_options(&narrow, host).unwrap(), DataType::Duration(TimeUnit::Days)),
        ];
        let sliced: Vec<Column> =
            all.iter().map(|column| column.slice(rows / 5, rows - rows / 5).unwrap()).collect();
        for columns in [&all[..], &sliced] {
            same_cases_everywhere(columns, |columns, cases, ctx| {
                let grouping = group(&Table::new(vec![columns[0].clone()])?, true, ctx)?;
                for column in &columns[1..] {
                    for kind in kinds {
                        cases.add(|| crate::groupby::quantiles(&grouping, column, &q, kind, ctx))?;
                    }
                    cases.add(|| crate::groupby::quantiles(&grouping, column, &[], I::Linear, ctx))?;
                }
                Ok(())
            });
        }
        // By the definition: the ticks of a group in order, of small ones so that floats hold their mean.
        let grouping = group(&Table::new(vec![all[0].clone()]).unwrap(), true, host).unwrap();
        let mut order: Vec<i32> = vec![];
        keys.iter().flatten().for_each(|key| {
            if !order.contains(key) {
                order.push(*key)
            }
        });
        let found =
            kinds.map(|kind| crate::groupby::quantiles(&grouping, &all[4], &[0.5], kind, host).unwrap());
        for (group, key) in order.iter().enumerate() {
            let mut ticks: Vec<i64> = (0..rows)
                .filter(|&row| keys[row] == Some(*key))
                .filter_map(|row| narrow[row].map(i64::from))
                .collect();
            ticks.sort_unstable();
            let tick = |column: &Column| column.slice(group, 1).unwrap().bit_cast(DataType::Int32).unwrap();
            let found = found.each_ref().map(|column| tick(column).get(0).unwrap().as_i64());
            if ticks.is_empty() {
                assert_eq!(found, [None; 5]);
                continue;
            }
            let (low, high) = (ticks[(ticks.len() - 1) / 2], ticks[ticks.len() / 2]);
            let (mean, even) =
                ((low + high) / 2, if ((ticks.len() - 1) / 2).is_multiple_of(2) { low } else { high });
            assert_eq!(found, [mean, low, high, mean, even].map(Some), "{rows} rows, group {key}");
        }
    }
}

/// Sums of durations of a device fit or are refused with the words of the CPU.
#[test]
fn running_durations_on_devices() {
    let host = &Context::current();
    let (far, day) = (1i64 << 62, 1i32 << 30);
    let wide = |values: &[i64]| {
        Column::from_slice(values, host).unwrap().bit_cast(DataType::Duration(TimeUnit::Nanoseconds)).unwrap()
    };
    let narrow = |values: &[i32]| {
        Column::from_slice(values, host).unwrap().bit_cast(DataType::Duration(TimeUnit::Days)).unwrap()
    };
    let columns = [
        wide(&[far, -far, far, 3, far - 4]),
        wide(&[far, 1, far, 3, far - 4]),
        wide(&[i64::MIN + 1, 0, -1, 5, 5]),
        wide(&[i64::MIN, 1, 1, 1, 1]),
        narrow(&[day, -day, day, day - 1, 0]),
        narrow(&[day, 0, day, 0, 0]),
    ];
    let of = |column: &Column, ctx: &Context| {
        let keys = Column::from_slice(&[1i64, 2, 1, 2, 1], ctx).unwrap();
        let grouping = group(&Table::new(vec![keys]).unwrap(), true, ctx).unwrap();
        let groups = grouped_rows(&grouping, None, ctx).unwrap();
        let there = column.to_device(ctx).unwrap();
        let results = [
            scan(&groups, &there, CumulativeOp::Sum, ctx),
            crate::reduce::cumulative(&there, CumulativeOp::Sum, ctx),
            crate::reduce::cumulative_exclusive(&there, CumulativeOp::Sum, ctx),
        ];
        results.map(|result| match result {
            Ok(sums) => cuprum_testing::rows(&sums.to_host().unwrap()).join(" "),
            Err(error) => error.to_string(),
        })
    };
    for column in &columns {
        let expected = of(column, host);
        for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
            assert_eq!(of(column, &ctx), expected);
        }
    }
}

/// Running sums of decimals are those of the CPU, with its errors of overflow.
#[test]
fn running_decimals_on_devices() {
    let host = &Context::current();
    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (rows, large) in [(0usize, 0u32), (1, 100), (33, 80), (1025, 90), (5000, 110), (50, 126)] {
            let of = |size: u32| {
                let value = |i: usize| {
                    let sign = if i.is_multiple_of(3) { -1i128 } else { 1 };
                    sign * ((1i128 << size) / (i as i128 + 1) + i as i128)
                };
                HostUVec::from_fn(rows + 1, host, value).unwrap().into_buffer()
            };
            let wide = Column::from_buffer(DataType::Decimal128(-2), rows + 1, of(large), None).unwrap();
            let narrow: Vec<i32> = (0..=rows as i32).map(|i| i * 7 - 300).collect();
            let narrow = Column::from_slice(&narrow, host).unwrap();
            let valid = null_mask::from_fn(rows + 1, host, |row| row % 7 != 2).unwrap();
            for column in [
                wide.clone(),
                wide.with_mask(Some(valid), host).unwrap(),
                narrow.bit_cast(DataType::Decimal32(1)).unwrap(),
            ] {
                let column = column.slice(1, rows).unwrap();
                let there = column.to_device(&ctx).unwrap();
                for exclusive in [false, true] {
                    let of = |column: &Column, ctx: &Context| {
                        let sums = if exclusive {
                            crate::reduce::cumulative_exclusive(column, CumulativeOp::Sum, ctx)
                        } else {
                            crate::reduce::cumulative(column, CumulativeOp::Sum, ctx)
                        };
                        match sums {
                            Ok(sums) => cuprum_testing::rows(&sums.to_host().unwrap()).join(" "),
                            Err(error) => error.to_string(),
                        }
                    };
                    assert_eq!(of(&there, &ctx), of(&column, host));
                }
            }
        }
    }
}

/// Products of floats in groups come out near the CPU's.
#[test]
fn running_products_on_devices() {
    let host = &Context::current();
    let keys: Vec<i64> = (0..3000).map(|row| row * row % 7).collect();
    let factors: Vec<f64> = (0..3000).map(|row| 0.9 + f64::from(row * 7919 % 1009) / 5000.0).collect();
    let keys = Column::from_slice(&keys, host).unwrap();
    let column = Column::from_slice(&factors, host).unwrap();
    let of = |ctx: &Context| {
        let there = column.to_device(ctx).unwrap();
        let keys = Table::new(vec![keys.to_device(ctx).unwrap()]).unwrap();
        let groups = grouped_rows(&group(&keys, true, ctx).unwrap(), None, ctx).unwrap();
        let products = scan(&groups, &there, CumulativeOp::Product, ctx).unwrap();
        values::<f64>(&products.to_host().unwrap())
    };
    let expected = of(host);
    for ctx in cuprum_testing::contexts().filter(|ctx| ctx.is_on_gpu()) {
        let near = |(a, b): (&Option<f64>, &Option<f64>)| (a.unwrap() / b.unwrap() - 1.0).abs() < 1e-12;
        assert!(of(&ctx).iter().zip(&expected).all(near));
    }
}

/// More rows than a thread takes at once, in groups of all sizes.
#[test]
fn large_groups_and_small_ones() {
    let ctx = &Context::current();
    for groups in [1i64, 3, 1000, 90_000] {
        let rows = 5 * MORSEL as i64 + 17;
        let keys: Vec<i64> = (0..rows).map(|row| (row * row) % groups).collect();
        let table = Table::new(vec![Column::from_slice(&keys, ctx).unwrap()]).unwrap();
        let grouped = grouped_rows(&group(&table, true, ctx).unwrap(), None, ctx).unwrap();
        let ones = Column::from_slice(&vec![1i64; rows as usize], ctx).unwrap();
        let counts = scan(&grouped, &ones, CumulativeOp::Sum, ctx).unwrap();
        let mut seen = vec![0i64; groups as usize];
        let expected = keys.iter().map(|&key| {
            seen[key as usize] += 1;
            Some(seen[key as usize])
        });
        assert_eq!(values::<i64>(&counts), expected.collect::<Vec<_>>());
    }
}

/// Neighbours and numbers, of so few groups that rows are walked over and of so many that they are not.
#[test]
fn neighbours_in_groups_of_all_sizes() {
    let ctx = &Context::current();
    for groups in [2i64, 700, 90_000] {
        let rows = 3 * MORSEL + 17;
        // The last group has rows in the last morsel alone; some rows are in none.
        let key = |row: i64| match row % 13 {
            5 => None,
            6 if row > 2 * MORSEL as i64 => Some(groups),
            _ => Some((row * row) % groups),
        };
        let keys: Vec<Option<i64>> = (0..rows as i64).map(key).collect();
        let missing: Vec<bool> = (0..rows).map(|row| row % 3 != 1).collect();
        let table = Table::new(vec![Column::from_options(&keys, ctx).unwrap()]).unwrap();
        let grouped = grouped_rows(&group(&table, true, ctx).unwrap(), None, ctx).unwrap();
        let gaps = Column::from_bools(&missing, ctx).unwrap();
        for backward in [false, true] {
            let (mut last, mut filled) = (vec![NONE; groups as usize + 1], vec![NONE; groups as usize + 1]);
            let mut counts = vec![0i64; groups as usize + 1];
            let mut expected = vec![(NONE, NONE, None); rows];
            for at in 0..rows {
                let row = if backward { rows - 1 - at } else { at };
                let Some(key) = keys[row].map(|key| key as usize) else { continue };
                if !missing[row] {
                    filled[key] = row as u32;
                }
                expected[row] = (last[key], filled[key], Some(counts[key]));
                last[key] = row as u32;
                counts[key] += 1;
            }
            let direction = if backward { FillDirection::Backward } else { FillDirection::Forward };
            let shifted = shift_map(&grouped, if backward { -1 } else { 1 }, ctx).unwrap();
            let nearest = fill_map(&grouped, &gaps, direction, ctx).unwrap();
            let numbers = numbers_in_groups(&grouped, !backward, ctx).unwrap();
            assert_eq!(values(&shifted), expected.iter().map(|e| Some(e.0)).collect::<Vec<_>>());
            assert_eq!(values(&nearest), expected.iter().map(|e| Some(e.1)).collect::<Vec<_>>());
            assert_eq!(values::<i64>(&numbers), expected.iter().map(|e| e.2).collect::<Vec<_>>());
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let ctx = &Context::current();
    let keys = Table::new(vec![Column::from_slice(&[1, 2], ctx).unwrap()]).unwrap();
    let grouping = group(&keys, true, ctx).unwrap();
    let texts = Column::from_strs(&["a", "b"], ctx).unwrap();
    let groups = grouped_rows(&grouping, None, ctx).unwrap();
    let kind = |result: Result<Column>| result.unwrap_err().kind();
    assert_eq!(grouped_rows(&grouping, Some(&texts), ctx).unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(kind(scan(&groups, &texts, CumulativeOp::Sum, ctx)), ErrorKind::DataType);
    assert_eq!(kind(scan(&groups, &texts, CumulativeOp::Max, ctx)), ErrorKind::DataType);
    let short = Column::from_slice(&[1], ctx).unwrap();
    assert_eq!(kind(scan(&groups, &short, CumulativeOp::Max, ctx)), ErrorKind::Logic);
    assert_eq!(kind(fill_map(&groups, &short, FillDirection::Forward, ctx)), ErrorKind::Logic);
    assert_eq!(kind(fill_map(&groups, &texts, FillDirection::Forward, ctx)), ErrorKind::DataType);
}
