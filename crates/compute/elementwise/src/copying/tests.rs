use cuprum_column::arrow::{from_arrow, to_arrow};
use cuprum_column::{Column, Context, DataType, ErrorKind, Scalar, Table};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{
    LENGTHS, Random, any_column, any_data_type, any_nested_column, assert_column_eq, contexts, rows,
    same_everywhere, wide_column,
};
use proptest::prelude::*;

use super::*;
use cuprum_elements::gather::{gather_rows, gather_rows_or_null};
use cuprum_elements::row_numbers::RowIndex;
use cuprum_keys::concatenate::{concatenate, concatenate_tables};

fn ctx() -> Context {
    Tracked::current()
}

fn any_pair() -> impl Strategy<Value = (Column, Column)> {
    (any_data_type(), 0usize..150, 0usize..150)
        .prop_flat_map(|(t, n, m)| (any_column(t, n), any_column(t, m)))
}

fn any_map(len: usize, max: usize) -> impl Strategy<Value = Vec<Option<i64>>> {
    prop::collection::vec(prop::option::weighted(0.8, -3..len as i64 + 3), 0..max)
}

proptest! {
    #[test]
    fn gather_is_indexing(column in (any_data_type(), 0usize..150).prop_flat_map(|(t, n)| any_column(t, n)),
                          map in any_map(150, 200)) {
        let source = rows(&column);
        let pick = |m: &Option<i64>| match m {
            Some(i) => usize::try_from(*i).ok().and_then(|i| source.get(i)).map_or("null", |s| s),
            None => "null",
        };
        let expected: Vec<&str> = map.iter().map(pick).collect();
        let wide = Column::from_options(&map, &ctx()).unwrap();
        let narrow: Vec<Option<i16>> = map.iter().map(|m| m.map(|m| m as i16)).collect();
        let narrow = Column::from_options(&narrow, &ctx()).unwrap();
        for map in [wide, narrow] {
            let gathered = gather_column(&column, &map, OutOfBoundsPolicy::Nullify, &ctx()).unwrap();
            prop_assert_eq!(gathered.data_type(), column.data_type());
            prop_assert_eq!(&rows(&gathered), &expected);
            prop_assert_eq!(gathered.null_count().unwrap(), expected.iter().filter(|e| **e == "null").count());
        }
        let inside = map.iter().flatten().all(|&i| i >= 0 && (i as usize) < source.len());
        let wide = Column::from_options(&map, &ctx()).unwrap();
        let checked = gather_column(&column, &wide, OutOfBoundsPolicy::Check, &ctx());
        match checked {
            Ok(gathered) => {
                prop_assert!(inside);
                prop_assert_eq!(&rows(&gathered), &expected);
            }
            Err(e) => {
                prop_assert!(!inside);
                prop_assert_eq!(e.kind(), ErrorKind::OutOfRange);
            }
        }
    }

    #[test]
    fn row_slices_of_every_index_type(column in (any_data_type(), 1usize..150).prop_flat_map(|(t, n)| any_column(t, n)),
                                      seed: u64) {
        let mut random = Random(seed);
        let picks: Vec<u64> = (0..130).map(|_| random.below(column.len() as u64)).collect();
        let source = rows(&column);
        let expected: Vec<&String> = picks.iter().map(|&i| &source[i as usize]).collect();
        macro_rules! check { ($($t:ty)*) => {$(
            let mut map: Vec<$t> = picks.iter().map(|&i| i as $t).collect();
            let map_column = Column::from_slice(&map, &ctx()).unwrap();
            let got = rows(&gather_column(&column, &map_column, OutOfBoundsPolicy::Check, &ctx()).unwrap());
            prop_assert_eq!(got.iter().collect::<Vec<_>>(), expected.clone());
            let got = rows(&gather_rows(&column, &map, &ctx()).unwrap());
            prop_assert_eq!(got.iter().collect::<Vec<_>>(), expected.clone());
            map[7] = <$t>::NONE;
            prop_assert_eq!(gather_rows(&column, &map, &ctx()).unwrap_err().kind(), ErrorKind::OutOfRange);
            let nulled = gather_rows_or_null(&column, &map, &ctx()).unwrap();
            let wanted: Vec<&str> = expected.iter().enumerate().map(|(i, s)| if i == 7 { "null" } else { s.as_str() }).collect();
            prop_assert_eq!(rows(&nulled), wanted);
        )*} }
        check!(i32 u32 i64 u64);
    }

    #[test]
    fn scatter_is_assignment((source, target) in any_pair(), seed: u64) {
        prop_assume!(!target.is_empty());
        let mut random = Random(seed);
        let map: Vec<i32> = (0..source.len()).map(|_| random.below(target.len() as u64) as i32).collect();
        let mut expected = rows(&target);
        let values = rows(&source);
        map.iter().zip(&values).for_each(|(&m, v)| expected[m as usize].clone_from(v));
        let map_column = Column::from_slice(&map, &ctx()).unwrap();
        prop_assert_eq!(rows(&scatter(&source, &map_column, &target, &ctx()).unwrap()), expected);
        let scalars = [Scalar::null(target.data_type()), target.get(0).unwrap()];
        for scalar in scalars {
            let mut expected = rows(&target);
            for &m in &map {
                expected[m as usize] = scalar.to_string();
            }
            prop_assert_eq!(rows(&scatter_scalar(&scalar, &map_column, &target, &ctx()).unwrap()), expected);
        }
    }

    #[test]
    fn copy_if_else_chooses((a, b, mask) in (any_data_type(), 1usize..150).prop_flat_map(|(t, n)|
            (any_column(t, n), any_column(t, n), any_column(DataType::Bool8, n)))) {
        let (x, y, m) = (rows(&a), rows(&b), rows(&mask));
        let choose = |x: &dyn Fn(usize) -> String, y: &dyn Fn(usize) -> String| -> Vec<String> {
            (0..m.len()).map(|i| if m[i] == "true" { x(i) } else { y(i) }).collect()
        };
        let (first, none) = (a.get(0).unwrap(), Scalar::null(a.data_type()));
        let got = copy_if_else(&a, &b, &mask, &ctx()).unwrap();
        prop_assert_eq!(rows(&got), choose(&|i| x[i].clone(), &|i| y[i].clone()));
        let got = copy_if_else(&a, &none, &mask, &ctx()).unwrap();
        prop_assert_eq!(rows(&got), choose(&|i| x[i].clone(), &|_| "null".into()));
        let got = copy_if_else(&first, &b, &mask, &ctx()).unwrap();
        prop_assert_eq!(rows(&got), choose(&|_| x[0].clone(), &|i| y[i].clone()));
    }

    #[test]
    fn shift_and_reverse(column in (any_data_type(), 0usize..150).prop_flat_map(|(t, n)| any_column(t, n)), offset in -200i64..200) {
        let values = rows(&column);
        let fill = if column.is_empty() { Scalar::null(column.data_type()) } else { column.get(0).unwrap() };
        let expected: Vec<String> = (0..values.len() as i64)
            .map(|i| usize::try_from(i - offset).ok().and_then(|i| values.get(i)).map_or(fill.to_string(), Clone::clone))
            .collect();
        prop_assert_eq!(rows(&shift(&column, offset, &fill, &ctx()).unwrap()), expected);
        prop_assert_eq!(rows(&reverse(&column, &ctx()).unwrap()), values.into_iter().rev().collect::<Vec<_>>());
    }
}

/// Two columns of one type.
fn any_nested_pair() -> impl Strategy<Value = (Column, Column)> {
    (1usize..60).prop_flat_map(|n| any_nested_column(2 * n)).prop_map(|both| {
        let n = both.len() / 2;
        (both.slice(0, n).unwrap(), both.slice(n, n).unwrap())
    })
}

proptest! {
    #[test]
    fn gather_of_every_type(column in (0usize..80).prop_flat_map(any_nested_column), map in any_map(80, 100)) {
        let ctx = ctx();
        let source = rows(&column);
        let pick = |m: &Option<i64>| m.and_then(|i| source.get(usize::try_from(i).ok()?));
        let expected: Vec<&str> = map.iter().map(|m| pick(m).map_or("null", |s| s)).collect();
        let map_column = Column::from_options(&map, &ctx).unwrap();
        let gathered = gather_column(&column, &map_column, OutOfBoundsPolicy::Nullify, &ctx).unwrap();
        gathered.validate().unwrap();
        prop_assert!(have_same_types(&gathered, &column));
        prop_assert_eq!(rows(&gathered), expected);
        let inside: Vec<u64> = map.iter().flatten().filter_map(|&i| u64::try_from(i).ok()).filter(|&i| i < column.len() as u64).collect();
        let gathered = gather_rows(&column, &inside, &ctx).unwrap();
        gathered.validate().unwrap();
        let taken = arrow_select::take::take(&to_arrow(&column).unwrap(), &arrow_array::UInt64Array::from(inside), None).unwrap();
        // Arrow has no durations in days.
        let round_trip = from_arrow(&to_arrow(&gathered).unwrap(), &ctx).unwrap();
        prop_assert_eq!(rows(&round_trip), rows(&from_arrow(&taken, &ctx).unwrap()));
        prop_assert_eq!(rows(&reverse(&column, &ctx).unwrap()), source.into_iter().rev().collect::<Vec<_>>());
    }

    #[test]
    fn choices_of_every_type((a, b) in any_nested_pair(), picks in prop::collection::vec(any::<u16>(), 60)) {
        let ctx = ctx();
        let (n, x, y) = (a.len(), rows(&a), rows(&b));
        let check = |got: Column, expected: Vec<String>| {
            got.validate().unwrap();
            assert!(have_same_types(&got, &a));
            assert_eq!(rows(&got), expected);
        };
        let choice: Vec<bool> = picks[..n].iter().map(|p| p % 3 == 0).collect();
        let mask = Column::from_bools(&choice, &ctx).unwrap();
        let choose = |x: &dyn Fn(usize) -> String, y: &dyn Fn(usize) -> String| -> Vec<String> {
            (0..n).map(|i| if choice[i] { x(i) } else { y(i) }).collect()
        };
        check(copy_if_else(&a, &b, &mask, &ctx).unwrap(), choose(&|i| x[i].clone(), &|i| y[i].clone()));
        let first = a.get(0).unwrap();
        check(copy_if_else(&first, &b, &mask, &ctx).unwrap(), choose(&|_| x[0].clone(), &|i| y[i].clone()));
        check(copy_if_else(&a, &first, &mask, &ctx).unwrap(), choose(&|i| x[i].clone(), &|_| x[0].clone()));
        let map: Vec<i64> = picks[..n].iter().map(|&p| i64::from(p) % n as i64).collect();
        let map_column = Column::from_slice(&map, &ctx).unwrap();
        let mut expected = y.clone();
        map.iter().zip(&x).for_each(|(&m, v)| expected[m as usize].clone_from(v));
        check(scatter(&a, &map_column, &b, &ctx).unwrap(), expected);
        let mut expected = y.clone();
        map.iter().for_each(|&m| expected[m as usize].clone_from(&x[0]));
        check(scatter_scalar(&first, &map_column, &b, &ctx).unwrap(), expected);
        let trues = choice.iter().filter(|&&c| c).count();
        let mut next = x.iter();
        let expected = (0..n).map(|i| if choice[i] { next.next().unwrap() } else { &y[i] }.clone()).collect();
        let one = |column: &Column| Table::new(vec![column.clone()]).unwrap();
        let got = boolean_mask_scatter(&one(&a), &one(&b), &mask, &ctx).unwrap();
        check(got.into_columns().remove(0), expected);
        if trues > 0 {
            let few = one(&a.slice(0, trues - 1).unwrap());
            prop_assert_eq!(boolean_mask_scatter(&few, &one(&b), &mask, &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
        let got = boolean_mask_scatter_scalars(std::slice::from_ref(&first), &one(&b), &mask, &ctx).unwrap();
        check(got.into_columns().remove(0), choose(&|_| x[0].clone(), &|i| y[i].clone()));
    }

    #[test]
    fn ranges_of_every_type((a, b) in any_nested_pair(), cuts in prop::collection::vec(0usize..60, 3), offset in -70i64..70) {
        let ctx = ctx();
        let (n, x, y) = (a.len(), rows(&a), rows(&b));
        let (begin, end) = ((cuts[0] % n).min(cuts[1] % n), (cuts[0] % n).max(cuts[1] % n));
        let at = cuts[2] % (n - (end - begin) + 1);
        let got = copy_range(&a, &b, begin, end, at, &ctx).unwrap();
        got.validate().unwrap();
        let expected: Vec<&String> = y[..at].iter().chain(&x[begin..end]).chain(&y[at + end - begin..]).collect();
        prop_assert!(rows(&got).iter().eq(expected));
        let fill = b.get(0).unwrap();
        let expected: Vec<&str> = (0..n as i64)
            .map(|i| usize::try_from(i - offset).ok().and_then(|i| x.get(i)).map_or(y[0].as_str(), |s| s))
            .collect();
        let shifted = shift(&a, offset, &fill, &ctx).unwrap();
        shifted.validate().unwrap();
        prop_assert_eq!(rows(&shifted), expected);
        let empty = empty_like(&a).unwrap();
        empty.validate().unwrap();
        prop_assert!(empty.is_empty() && have_same_types(&empty, &a));
        let table = Table::new(vec![a.clone()]).unwrap();
        let parts = slice(&table, &[begin, end, 0, n]).unwrap();
        prop_assert_eq!(rows(&parts[0].columns()[0]), &x[begin..end]);
        prop_assert_eq!(rows(&parts[1].columns()[0]), &x[..]);
        let parts = split_table(&table, &[begin, end, end]).unwrap();
        let joined: Vec<String> = parts.iter().flat_map(|part| rows(&part.columns()[0])).collect();
        prop_assert_eq!((parts.len(), joined), (4, x));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn rows_of_every_type_move_on_every_device((a, b) in any_nested_pair(), map in any_map(60, 70), seed: u64) {
        let ctx = ctx();
        let mut random = Random(seed);
        let n = a.len();
        let map = Column::from_options(&map, &ctx).unwrap();
        let inside: Vec<i16> = (0..n).map(|_| random.below(n as u64) as i16).collect();
        let inside = Column::from_slice(&inside, &ctx).unwrap();
        let choice: Vec<Option<bool>> = (0..n).map(|_| (random.below(9) > 0).then(|| random.below(2) == 0)).collect();
        let choice = Column::from_options(&choice.iter().map(|c| c.map(i8::from)).collect::<Vec<_>>(), &ctx).unwrap();
        let choice = choice.bit_cast(DataType::Bool8).unwrap();
        let value = a.get(n / 2).unwrap();
        same_everywhere(&[a, b, map, inside, choice], |columns, ctx| {
            let [a, b, map, inside, choice] = columns else { unreachable!() };
            let (one, other) = (Table::new(vec![a.clone()])?, Table::new(vec![b.clone()])?);
            let tables = [
                gather(&one, map, OutOfBoundsPolicy::Nullify, ctx)?.slice(0, map.len().min(1))?,
                gather(&one, inside, OutOfBoundsPolicy::Check, ctx)?,
                gather(&one, &rows_from_end(map, n, ctx)?, OutOfBoundsPolicy::Nullify, ctx)?,
                scatter_table(&one, inside, &other, ctx)?,
                scatter_scalars(std::slice::from_ref(&value), &inside.slice(0, n / 2)?, &one, ctx)?,
                boolean_mask_scatter(&one, &other, choice, ctx)?,
                boolean_mask_scatter_scalars(std::slice::from_ref(&value), &other, choice, ctx)?,
                Table::new(vec![copy_if_else(a, b, choice, ctx)?])?,
                Table::new(vec![copy_if_else(&value, b, choice, ctx)?])?,
                Table::new(vec![copy_if_else(a, &Scalar::null(value.data_type()), choice, ctx)?])?,
                Table::new(vec![copy_range(a, b, n / 3, n, 0, ctx)?])?,
                Table::new(vec![shift(a, 3, &value, ctx)?])?,
                Table::new(vec![shift(b, -1, &Scalar::null(value.data_type()), ctx)?])?,
                Table::new(vec![reverse(a, ctx)?])?,
                sample(&one, n, true, seed, ctx)?,
            ];
            // Results of different lengths, one below the other.
            concatenate_tables(&tables.iter().collect::<Vec<_>>(), ctx)
        });
    }
}

#[test]
fn kernels_at_the_edges_of_their_blocks() {
    let ctx = ctx();
    for len in [0usize, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2047, 2048, 2049, 4097, 9000] {
        let mut random = Random(len as u64);
        let words: Vec<Option<String>> = (0..len)
            .map(|i| (random.below(7) > 0).then(|| "é".repeat(random.below(12) as usize) + &i.to_string()))
            .collect();
        let valid: Vec<Option<i64>> = (0..len).map(|i| (random.below(5) > 0).then_some(i as i64)).collect();
        let longs = Column::from_options(&valid, &ctx).unwrap();
        let narrow = |t| crate::unary::cast(&longs, t, &ctx);
        let wide = cuprum_column::HostUVec::from_fn(len, &ctx, |i| (i as i128) << 70 | i as i128)
            .unwrap()
            .into_buffer();
        let columns = vec![
            Column::from_opt_strs(&words, &ctx).unwrap(),
            longs.clone(),
            narrow(DataType::Float32).unwrap(),
            Column::from_slice(&(0..len).map(|i| i as u16).collect::<Vec<_>>(), &ctx).unwrap(),
            Column::from_slice(&(0..len).map(|i| i as i8).collect::<Vec<_>>(), &ctx).unwrap(),
            Column::from_buffer(DataType::Decimal128(-1), len, wide, None).unwrap(),
            Column::from_slice(&(0..len).map(|_| random.below(len as u64) as u32).collect::<Vec<_>>(), &ctx)
                .unwrap(),
        ];
        same_everywhere(&columns, |columns, ctx| {
            let (map, columns) = columns.split_last().unwrap();
            let table = Table::new(columns.to_vec())?;
            let moved = gather(&table, map, OutOfBoundsPolicy::Check, ctx)?;
            // Slices that begin at any bit, and maps that do.
            let cut = len.min(5);
            let part = table.slice(cut, len - cut)?;
            let missing = gather(&part, &map.slice(cut, len - cut)?, OutOfBoundsPolicy::Nullify, ctx)?;
            let scattered = scatter_table(&part, &map.slice(0, len - cut)?, &table, ctx)?;
            concatenate_tables(&[&moved, &part, &missing, &scattered], ctx)
        });
    }
}

#[test]
fn maps_outside_are_refused_on_every_device() {
    for ctx in contexts() {
        let ints = Column::from_slice(&[1i32, 2, 3], &ctx).unwrap();
        for (map, position) in [(vec![0i64, 2, 3, 9], 2), (vec![-1], 0), (vec![0, i64::MIN], 1)] {
            let map = Column::from_slice(&map, &ctx).unwrap();
            let error = gather_column(&ints, &map, OutOfBoundsPolicy::Check, &ctx).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::OutOfRange);
            assert!(error.to_string().contains(&format!("at position {position}")), "{error}");
        }
        let map = Column::from_slice(&[u64::MAX; 3], &ctx).unwrap();
        assert_eq!(scatter(&ints, &map, &ints, &ctx).unwrap_err().kind(), ErrorKind::OutOfRange);
        let holes = Column::from_options(&[Some(1i32), None, None], &ctx).unwrap();
        assert_eq!(scatter(&ints, &holes, &ints, &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
        if ctx.is_on_gpu() {
            let host = ints.to_host().unwrap();
            let error = gather_column(&host, &ints, OutOfBoundsPolicy::Nullify, &ctx).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert!(concatenate(&[&host, &ints], &ctx).is_err());
            assert!(concatenate(&[&ints, &host], &Context::current()).is_err());
        }
    }
}

#[test]
fn dictionaries_with_other_keys_meet() {
    let ctx = ctx();
    let dictionary = |keys: &[&str], indices: &[u8]| {
        let keys = Column::from_strs(keys, &ctx).unwrap();
        Column::dictionary(Column::from_slice(indices, &ctx).unwrap(), keys, None).unwrap()
    };
    let (a, b) = (dictionary(&["b", "é"], &[1, 0, 1]), dictionary(&["a", "b", "c"], &[2, 1, 0]));
    let mask = Column::from_bools(&[true, false, true], &ctx).unwrap();
    let chosen = copy_if_else(&a, &b, &mask, &ctx).unwrap();
    chosen.validate().unwrap();
    assert_eq!(rows(&chosen), ["\"é\"", "\"b\"", "\"é\""]);
    assert_eq!(rows(chosen.keys().unwrap()), ["\"a\"", "\"b\"", "\"c\"", "\"é\""]);
    let map = Column::from_slice(&[2u8, 0, 0], &ctx).unwrap();
    assert_eq!(rows(&scatter(&a, &map, &b, &ctx).unwrap()), ["\"é\"", "\"b\"", "\"é\""]);
    // A scalar that is no key yet becomes one.
    let shifted = shift(&a, -1, &Scalar::from("0"), &ctx).unwrap();
    assert_eq!(rows(&shifted), ["\"b\"", "\"é\"", "\"0\""]);
    assert_eq!(rows(shifted.keys().unwrap()), ["\"0\"", "\"b\"", "\"é\""]);
    let error = shift(&a, 1, &Scalar::from(1i64), &ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    // Keys are shared where both columns have the same.
    let same = gather_rows(&a, &[0i32, 2], &ctx).unwrap();
    assert!(same.keys().unwrap().is_same_memory(a.keys().unwrap()));
}

#[test]
fn rows_counted_from_the_end() {
    let ctx = ctx();
    let map = Column::from_options(&[Some(-1i8), Some(0), None, Some(-3), Some(-4), Some(3)], &ctx).unwrap();
    let map = rows_from_end(&map, 3, &ctx).unwrap();
    assert_eq!(rows(&map), ["2", "0", "null", "0", "-1", "3"]);
    let words = Column::from_strs(&["a", "b", "c"], &ctx).unwrap();
    let gathered = gather_column(&words, &map, OutOfBoundsPolicy::Nullify, &ctx).unwrap();
    assert_eq!(rows(&gathered), ["\"c\"", "\"a\"", "null", "\"a\"", "null", "null"]);
    let extreme = Column::from_slice(&[i64::MIN], &ctx).unwrap();
    assert_eq!(rows(&rows_from_end(&extreme, 3, &ctx).unwrap()), [(i64::MIN + 3).to_string()]);
    let unsigned = Column::from_slice(&[255u8], &ctx).unwrap();
    assert_eq!(rows(&rows_from_end(&unsigned, 3, &ctx).unwrap()), ["255"]);
}

/// The rows of a small sample are the first ones of a large one, which is drawn in another way.
#[test]
fn samples_begin_alike() {
    for seed in 0..20 {
        let sample = |n| {
            let rows = sample_rows(1000, n, false, seed, &ctx()).unwrap();
            rows.view().unwrap().values::<i32>().unwrap().to_vec()
        };
        let all = sample(1000);
        let mut sorted = all.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..1000));
        for n in [0, 1, 3, 125, 126, 500] {
            assert_eq!(sample(n), all[..n]);
        }
    }
}

#[test]
fn samples_depend_on_the_seed_alone() {
    let ctx = ctx();
    let table =
        Table::new(vec![Column::from_slice(&(0..1000i32).collect::<Vec<_>>(), &ctx).unwrap()]).unwrap();
    let numbers = |n, replacement, seed| {
        let sample = sample(&table, n, replacement, seed, &ctx).unwrap();
        sample.columns()[0].view().unwrap().values::<i32>().unwrap().to_vec()
    };
    let mut all = numbers(1000, false, 7);
    assert!(!all.is_sorted());
    assert_eq!(all, numbers(1000, false, 7));
    assert_ne!(all, numbers(1000, false, 8));
    all.sort_unstable();
    assert!(all.into_iter().eq(0..1000));
    let mut again = numbers(3000, true, 7);
    again.sort_unstable();
    again.dedup();
    assert!((900..1000).contains(&again.len()), "{}", again.len());
    for (n, replacement, rows) in [(1001, false, 1000), (1, true, 0), (1, false, 0)] {
        let table = table.slice(0, rows).unwrap();
        assert_eq!(sample(&table, n, replacement, 0, &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!(sample(&table.slice(0, 0).unwrap(), 0, true, 0, &ctx).unwrap().num_rows(), 0);
}

#[test]
fn allocation_and_ranges_in_place() {
    let ctx = ctx();
    let ints = Column::from_options(&[Some(1i64), None, Some(3)], &ctx).unwrap();
    for (policy, has_mask) in [
        (MaskAllocationPolicy::Never, false),
        (MaskAllocationPolicy::Retain, true),
        (MaskAllocationPolicy::Always, true),
    ] {
        let column = allocate_like(&ints, 5, policy, &ctx).unwrap();
        column.validate().unwrap();
        assert_eq!((column.mask().is_some(), rows(&column)), (has_mask, vec!["0".to_string(); 5]));
    }
    let words = Column::from_strs(&["a", "b"], &ctx).unwrap();
    let error = allocate_like(&words, 5, MaskAllocationPolicy::Never, &ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    let mut target = Column::from_slice(&[7i64, 8, 9], &ctx).unwrap();
    let before = target.clone();
    copy_range_in_place(&ints, &mut target, 1, 3, 0, &ctx).unwrap();
    assert_eq!((rows(&target), rows(&before)), (vec!["null".into(), "3".into(), "9".into()], rows(&before)));
    let mut in_words = words.clone();
    let error = copy_range_in_place(&words, &mut in_words, 0, 1, 0, &ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
}

#[test]
fn ranges_outside_are_named() {
    let ctx = ctx();
    let ints = Column::from_slice(&[1i32, 2, 3], &ctx).unwrap();
    let table = Table::new(vec![ints.clone()]).unwrap();
    let kinds = [
        (slice(&table, &[0]), ErrorKind::InvalidArgument),
        (slice(&table, &[2, 1]), ErrorKind::InvalidArgument),
        (slice(&table, &[2, 4]), ErrorKind::OutOfRange),
        (split_table(&table, &[2, 1]), ErrorKind::InvalidArgument),
        (split_table(&table, &[4]), ErrorKind::OutOfRange),
    ];
    for (result, kind) in kinds {
        assert_eq!(result.unwrap_err().kind(), kind);
    }
    for (begin, end, at) in [(2, 1, 0), (0, 4, 0), (0, 2, 2), (3, 3, 4), (0, 1, usize::MAX)] {
        let error = copy_range(&ints, &ints, begin, end, at, &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfRange);
    }
    let words = Column::from_strs(&["a", "b"], &ctx).unwrap();
    assert_eq!(copy_range(&ints, &words, 0, 1, 0, &ctx).unwrap_err().kind(), ErrorKind::DataType);
    let two = Table::new(vec![ints.clone(), ints.clone()]).unwrap();
    assert_eq!(scatter_table(&two, &ints, &table, &ctx).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(
        scatter_scalars(&[], &ints.slice(0, 2).unwrap(), &table, &ctx).unwrap_err().kind(),
        ErrorKind::InvalidArgument
    );
}

#[test]
fn large_gathers_agree_with_arrow() {
    let ctx = ctx();
    for len in LENGTHS {
        let mut random = Random(len as u64);
        let ints: Vec<Option<i64>> = (0..len).map(|i| (random.below(5) > 0).then_some(i as i64)).collect();
        let floats: Vec<f32> = (0..len).map(|i| i as f32).collect();
        let texts: Vec<Option<String>> =
            (0..len).map(|i| (i % 3 > 0).then(|| "é".repeat(i % 5) + &i.to_string())).collect();
        let table = Table::new(vec![
            Column::from_options(&ints, &ctx).unwrap(),
            Column::from_slice(&floats, &ctx).unwrap(),
            Column::from_opt_strs(&texts, &ctx).unwrap(),
        ])
        .unwrap();
        let map: Vec<u32> = (0..len).map(|_| random.below(len as u64) as u32).collect();
        let map = Column::from_slice(&map, &ctx).unwrap();
        let gathered = gather(&table, &map, OutOfBoundsPolicy::Check, &ctx).unwrap();
        let arrow_map = to_arrow(&map).unwrap();
        for (actual, source) in gathered.columns().iter().zip(table.columns()) {
            let expected = arrow_select::take::take(&to_arrow(source).unwrap(), &arrow_map, None).unwrap();
            assert_column_eq(actual, &from_arrow(&expected, &ctx).unwrap());
        }
    }
}

#[test]
fn wrong_arguments_are_named() {
    let ctx = ctx();
    let ints = Column::from_slice(&[1i32, 2, 3], &ctx).unwrap();
    let texts = Column::from_strs(&["a", "b", "c"], &ctx).unwrap();
    let kind = |r: Result<Column>| r.unwrap_err().kind();
    let check = OutOfBoundsPolicy::Check;
    assert_eq!(kind(gather_column(&ints, &texts, check, &ctx)), ErrorKind::DataType);
    let floats = Column::from_slice(&[1.0f64], &ctx).unwrap();
    assert_eq!(kind(gather_column(&ints, &floats, check, &ctx)), ErrorKind::DataType);
    let map = Column::from_slice(&[0i8, 3], &ctx).unwrap();
    let error = gather_column(&ints, &map, check, &ctx).unwrap_err();
    assert!(error.to_string().contains("row 3 at position 1"), "{error}");
    let huge = Column::from_slice(&[u64::MAX], &ctx).unwrap();
    assert_eq!(kind(gather_column(&ints, &huge, check, &ctx)), ErrorKind::OutOfRange);
    assert_eq!(kind(scatter(&texts, &map, &texts, &ctx)), ErrorKind::InvalidArgument);
    assert_eq!(kind(scatter(&texts, &ints, &ints, &ctx)), ErrorKind::DataType);
    assert_eq!(kind(scatter(&ints, &ints, &ints, &ctx)), ErrorKind::OutOfRange);
    let holes = Column::from_options(&[Some(1i32), None, None], &ctx).unwrap();
    assert_eq!(kind(scatter(&ints, &holes, &ints, &ctx)), ErrorKind::InvalidArgument);
    assert_eq!(kind(scatter_scalar(&Scalar::from(1i64), &ints, &ints, &ctx)), ErrorKind::DataType);
    assert_eq!(kind(copy_if_else(&ints, &texts, &ints, &ctx)), ErrorKind::DataType);
    assert_eq!(kind(copy_if_else(&ints, &ints, &ints, &ctx)), ErrorKind::DataType);
    let mask = Column::from_bools(&[true], &ctx).unwrap();
    assert_eq!(kind(copy_if_else(&ints, &ints, &mask, &ctx)), ErrorKind::InvalidArgument);
    assert_eq!(kind(shift(&ints, 1, &Scalar::from(1i64), &ctx)), ErrorKind::DataType);
    assert_eq!(
        shift(&ints, i64::MIN, &Scalar::from(7i32), &ctx).unwrap().get(2).unwrap(),
        Scalar::from(7i32)
    );
}

#[test]
fn tables_without_columns_take_the_length_of_the_map() {
    let table = Table::with_rows(vec![], 5).unwrap();
    let map = Column::from_slice(&[4i64, 4, 0], &ctx()).unwrap();
    assert_eq!(gather(&table, &map, OutOfBoundsPolicy::Check, &ctx()).unwrap().num_rows(), 3);
}

/// Packed rows of 16 and of 32 bytes, with and without room for validity, against one column at a time.
#[test]
fn rows_gathered_packed() {
    let host = &Context::current();
    let (len, offset) = (700, 37);
    let numbers: Vec<Option<i64>> =
        (0..len + offset).map(|i| Some(i as i64 * 0x0123_4567_89AB).filter(|_| i % 3 != 0)).collect();
    let full: Vec<i64> = numbers.iter().map(|number| number.unwrap_or(5)).collect();
    macro_rules! columns {
        ($t:ty) => {{
            let some: Vec<Option<$t>> = numbers.iter().map(|number| number.map(|n| n as $t)).collect();
            let all: Vec<$t> = full.iter().map(|&n| n as $t).collect();
            [Column::from_options(&some, host).unwrap(), Column::from_slice(&all, host).unwrap()]
                .map(|column| column.slice(offset, len).unwrap())
        }};
    }
    let [one, one_full] = columns!(i8);
    let [two, two_full] = columns!(u16);
    let [four, four_full] = columns!(f32);
    let [eight, eight_full] = columns!(i64);
    let [wide, wide_full] =
        [&eight, &eight_full].map(|halves| wide_column(halves, host).slice(0, len).unwrap());
    let groups: [&[&Column]; 8] = [
        &[&eight, &eight_full],
        &[&four, &four_full],
        &[&eight, &four, &two, &one],
        &[&eight, &eight_full, &eight_full, &four],
        &[&eight, &eight_full, &eight, &eight_full],
        &[&wide, &wide_full],
        &[&wide_full, &eight, &four_full, &two_full, &one_full, &one],
        &[&one, &one_full, &one, &one, &one, &one_full, &one_full, &one],
    ];
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        let mut random = Random(1);
        for map_len in [0, 1, 31, 33, 511, 512, 513, 2000] {
            // Some are no rows.
            let map: Vec<i64> = (0..map_len).map(|_| random.below(len as u64 + 9) as i64 - 4).collect();
            let inside: Vec<i64> = map.iter().map(|&row| row.clamp(0, len as i64 - 1)).collect();
            for (map, policy) in [(map, OutOfBoundsPolicy::Nullify), (inside, OutOfBoundsPolicy::Check)] {
                let map = Column::from_slice(&map, &ctx).unwrap();
                let narrow = cuda::GatherMap::new(&map, len, policy, &ctx).unwrap();
                for group in groups {
                    let there: Vec<Column> = group.iter().map(|c| c.to_device(&ctx).unwrap()).collect();
                    let there: Vec<&Column> = there.iter().collect();
                    let packed = packed::gather_group(None, &there, &narrow, &ctx).unwrap();
                    for (column, packed) in there.iter().zip(packed) {
                        packed.validate().unwrap();
                        let alone = gather_one(column, &narrow, &ctx).unwrap();
                        assert_column_eq(&packed.to_host().unwrap(), &alone.to_host().unwrap());
                    }
                }
            }
        }
    }
}

/// Rows of a source and of a target, packed and not, against one column at a time.
#[test]
fn rows_scattered_packed() {
    let (len, offset) = (900, 5);
    let numbers: Vec<Option<i64>> =
        (0..len + 64).map(|i| Some(i as i64 * 77).filter(|_| i % 4 != 0)).collect();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        let column = |first: usize, len: usize| {
            Column::from_options(&numbers, &ctx).unwrap().slice(first, len).unwrap()
        };
        let plain = Column::from_slice(&vec![7i16; len + 64], &ctx).unwrap();
        let mut random = Random(9);
        let map: Vec<i32> = (0..300).map(|_| random.below(len as u64) as i32).collect();
        let map = Column::from_slice(&map, &ctx).unwrap();
        let rows = cuda::GatherMap::new(&map, len, OutOfBoundsPolicy::Check, &ctx).unwrap();
        let rows = rows.scatter(len, 1, &ctx).unwrap();
        let (some, other) = (column(offset, len), column(37, 300));
        let (short, shorts) = (plain.slice(1, len).unwrap(), plain.slice(3, 300).unwrap());
        for (targets, sources) in [
            ([&some, &short], [&other, &shorts]),
            ([&some, &some], [&other, &other]),
            ([&short, &short], [&shorts, &shorts]),
        ] {
            let packed = packed::gather_group(Some(&targets), &sources, &rows, &ctx).unwrap();
            for ((target, source), packed) in targets.iter().zip(sources).zip(packed) {
                let alone = gather_from_both(target, source, &rows, &ctx).unwrap();
                assert_column_eq(&packed.to_host().unwrap(), &alone.to_host().unwrap());
            }
        }
    }
}

/// Packed gathers equal those of the CPU, where packing pays.
#[test]
fn maps_are_looked_at_before_columns_are_packed() {
    let len = 1 << 18;
    let mut random = Random(3);
    let mut shuffled: Vec<u32> = (0..len as u32).collect();
    (1..len).rev().for_each(|i| shuffled.swap(i, random.below(i as u64 + 1) as usize));
    let ascending: Vec<u32> = (0..len as u32).map(|row| row / 2 * 2).collect();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for (map, is_scattered) in [(&shuffled, true), (&ascending, false)] {
            let column = Column::from_slice(map, &ctx).unwrap();
            let rows = cuda::GatherMap::new(&column, len, OutOfBoundsPolicy::Check, &ctx).unwrap();
            assert_eq!(packed::is_scattered(&rows.numbers, &ctx).unwrap(), is_scattered);
            let bytes =
                Column::from_slice(&map.iter().map(|&row| row as u8).collect::<Vec<_>>(), &ctx).unwrap();
            let words = Column::from_strs(&vec!["x"; len], &ctx).unwrap();
            let columns = [&bytes, &words, &column];
            let packed = packed::gather(None, &columns, &rows, &ctx).unwrap();
            let numbers: Vec<usize> = packed.iter().map(|(i, _)| *i).collect();
            assert_eq!(numbers, if is_scattered { vec![2, 0] } else { vec![] });
            let table = Table::new(columns.map(Clone::clone).to_vec()).unwrap();
            let got = gather(&table, &column, OutOfBoundsPolicy::Check, &ctx).unwrap().to_host().unwrap();
            let host = column.to_host().unwrap();
            let expected =
                gather(&table.to_host().unwrap(), &host, OutOfBoundsPolicy::Check, &Context::current())
                    .unwrap();
            cuprum_testing::assert_table_eq(&got, &expected);
            // A table of one such column is not.
            assert!(packed::gather(None, &columns[..2], &rows, &ctx).unwrap().is_empty());
        }
    }
}
