use std::collections::BTreeSet;

use cuprum_column::{Column, Context, DataType, ErrorKind, Scalar, Table, null_mask};
use cuprum_runtime::memory::Tracked;
use cuprum_testing::{Random, assert_column_eq};

use super::*;
use cuprum_elementwise::copying::OutOfBoundsPolicy;
use cuprum_keys::sorting::{NullOrder, Order};

/// A list of numbers, or null.
type Row = Option<Vec<Option<i64>>>;

fn column(rows: &[Row], ctx: &Context) -> Column {
    let mut offsets = vec![0i32];
    let mut elements = vec![];
    for row in rows {
        elements.extend(row.iter().flatten().copied());
        offsets.push(elements.len() as i32);
    }
    let mask = rows.iter().any(Option::is_none);
    let mask = mask.then(|| null_mask::from_fn(rows.len(), ctx, |i| rows[i].is_some()).unwrap());
    let offsets = Column::from_slice(&offsets, ctx).unwrap();
    Column::lists(offsets, Column::from_options(&elements, ctx).unwrap(), mask).unwrap()
}

/// The same lists as a slice of more, whose null ones have elements in memory.
fn awkward(rows: &[Row], ctx: &Context) -> Column {
    let filled = |row: &Row| row.clone().unwrap_or_else(|| vec![Some(77), None]);
    let mut all = vec![Some(vec![Some(5), None]), None];
    all.extend(rows.iter().map(|row| Some(filled(row))));
    all.push(Some(vec![Some(9)]));
    let whole = column(&all, ctx);
    let valid = |i: usize| i >= 2 && i - 2 < rows.len() && rows[i - 2].is_some();
    let mask = null_mask::from_fn(all.len(), ctx, valid).unwrap();
    whole.with_mask(Some(mask), ctx).unwrap().slice(2, rows.len()).unwrap()
}

fn random_rows(random: &mut Random, len: usize) -> Vec<Row> {
    let element = |random: &mut Random| (random.below(6) > 0).then(|| random.below(5) as i64 - 2);
    (0..len)
        .map(|_| {
            let count = random.below(5);
            (random.below(7) > 0).then(|| (0..count).map(|_| element(random)).collect())
        })
        .collect()
}

/// Calls `check` with rows and a column of them, laid out in either way, of several lengths.
fn every_layout(check: impl Fn(&[Row], &Column, &Context)) {
    let ctx = &Tracked::current();
    let mut random = Random(11);
    for len in [0, 1, 3, 65, 1000] {
        let rows = random_rows(&mut random, len);
        check(&rows, &column(&rows, ctx), ctx);
        check(&rows, &awkward(&rows, ctx), ctx);
    }
}

fn numbers(values: &[Option<i64>], data_type: DataType, ctx: &Context) -> Column {
    let values: Vec<Option<i32>> = values.iter().map(|v| v.map(|v| v as i32)).collect();
    match data_type {
        DataType::Bool8 => {
            let bools: Vec<bool> = values.iter().map(|v| *v == Some(1)).collect();
            let mask = null_mask::from_fn(values.len(), ctx, |i| values[i].is_some()).unwrap();
            let mask = Some(mask).filter(|(_, nulls)| *nulls > 0);
            Column::from_bools(&bools, ctx).unwrap().with_mask(mask, ctx).unwrap()
        }
        _ => Column::from_options(&values, ctx).unwrap(),
    }
}

/// A row for each list, by a function of those that are not null.
fn each<T>(rows: &[Row], f: impl Fn(usize, &[Option<i64>]) -> T) -> Vec<Option<T>> {
    rows.iter().enumerate().map(|(i, row)| row.as_ref().map(|row| f(i, row))).collect()
}

fn assert_lists(got: &Column, expected: &[Row], ctx: &Context) {
    got.validate().unwrap();
    assert_column_eq(got, &column(expected, ctx));
    // Null lists have no elements.
    assert_eq!(got.elements().unwrap().len(), expected.iter().flatten().map(Vec::len).sum::<usize>());
}

fn assert_numbers(got: &Column, expected: &[Option<i64>], ctx: &Context) {
    assert_column_eq(got, &numbers(expected, got.data_type(), ctx));
}

#[test]
fn explodes() {
    every_layout(|rows, lists, ctx| {
        let ids: Vec<i64> = (0..rows.len() as i64).collect();
        let table = Table::new(vec![Column::from_slice(&ids, ctx).unwrap(), lists.clone()]).unwrap();
        for outer in [false, true] {
            let mut expected = vec![];
            for (i, row) in rows.iter().enumerate() {
                let row = row.as_deref().unwrap_or_default();
                expected.extend(row.iter().enumerate().map(|(k, v)| (i as i64, Some(k as i64), *v)));
                if outer && row.is_empty() {
                    expected.push((i as i64, None, None));
                }
            }
            let ids: Vec<i64> = expected.iter().map(|row| row.0).collect();
            let ids = Column::from_slice(&ids, ctx).unwrap();
            let positions: Vec<Option<i64>> = expected.iter().map(|row| row.1).collect();
            let elements: Vec<Option<i64>> = expected.iter().map(|row| row.2).collect();
            let elements = Column::from_options(&elements, ctx).unwrap();
            let (plain, with_position) = if outer {
                (explode_outer(&table, 1, ctx), explode_outer_position(&table, 1, ctx))
            } else {
                (explode(&table, 1, ctx), explode_position(&table, 1, ctx))
            };
            let (plain, with_position) = (plain.unwrap(), with_position.unwrap());
            assert_eq!(plain.num_rows(), expected.len());
            assert_column_eq(&plain.columns()[0], &ids);
            assert_column_eq(&plain.columns()[1], &elements);
            assert_column_eq(&with_position.columns()[0], &ids);
            assert_numbers(&with_position.columns()[1], &positions, ctx);
            assert_column_eq(&with_position.columns()[2], &elements);
        }
        let (from, element) = explode_outer_rows(lists, ctx).unwrap();
        let outer = explode_outer(&Table::new(vec![lists.clone()]).unwrap(), 0, ctx).unwrap();
        assert_column_eq(&element, &outer.columns()[0]);
        assert_eq!(from.len(), outer.num_rows());
    });
}

#[test]
fn compacts() {
    every_layout(|rows, lists, ctx| {
        let got = compact(lists, ctx).unwrap();
        assert_lists(&got, rows, ctx);
        assert_eq!(got.children()[1].len(), rows.iter().flatten().map(Vec::len).sum::<usize>());
    });
}

#[test]
fn elements_by_position() {
    every_layout(|rows, lists, ctx| {
        let counts = each(rows, |_, row| row.len() as i64);
        assert_numbers(&count_elements(lists, ctx).unwrap(), &counts, ctx);
        let at = |row: &[Option<i64>], index: i64| {
            let position = if index < 0 { index + row.len() as i64 } else { index };
            usize::try_from(position).ok().and_then(|i| row.get(i).copied().flatten())
        };
        for index in [0, 1, -1, -4, 9, i64::MIN, i64::MAX] {
            let expected: Vec<_> =
                each(rows, |_, row| if index.abs_diff(0) < 100 { at(row, index) } else { None });
            let expected: Vec<_> = expected.into_iter().map(Option::flatten).collect();
            let got = extract_list_element(lists, index, ctx).unwrap();
            assert_column_eq(&got, &Column::from_options(&expected, ctx).unwrap());
        }
        let index = |i: usize| (!i.is_multiple_of(5)).then_some(i as i64 % 4 - 2);
        let indices: Vec<Option<i64>> = (0..rows.len()).map(index).collect();
        let expected = each(rows, |i, row| at(row, index(i)?));
        let expected: Vec<_> = expected.into_iter().map(Option::flatten).collect();
        let indices = Column::from_options(&indices, ctx).unwrap();
        let got = extract_list_elements(lists, &indices, ctx).unwrap();
        assert_column_eq(&got, &Column::from_options(&expected, ctx).unwrap());

        let reversed = each(rows, |_, row| row.iter().rev().copied().collect());
        assert_lists(&reverse(lists, ctx).unwrap(), &reversed, ctx);

        let positions: Vec<Row> = random_rows(&mut Random(5), rows.len());
        let map = awkward(&positions, ctx);
        let mut expected = each(rows, |i, row| {
            let positions = positions[i].as_deref().unwrap_or_default();
            positions.iter().map(|p| p.and_then(|p| at(row, p))).collect()
        });
        expected.iter_mut().zip(&positions).filter(|(_, p)| p.is_none()).for_each(|(e, _)| *e = None);
        let got = segmented_gather(lists, &map, OutOfBoundsPolicy::Nullify, ctx).unwrap();
        assert_lists(&got, &expected, ctx);
        let outside = rows.iter().zip(&positions).any(|(row, positions)| {
            let (Some(row), Some(positions)) = (row, positions) else { return false };
            let len = row.len() as i64;
            positions.iter().flatten().any(|&p| p >= len || p < -len)
        });
        let checked = segmented_gather(lists, &map, OutOfBoundsPolicy::Check, ctx);
        assert_eq!(checked.as_ref().err().map(|e| e.kind()), outside.then_some(ErrorKind::OutOfRange));
    });
}

#[test]
fn unsigned_positions_beyond_the_signed_ones() {
    let ctx = &Tracked::current();
    let lists = column(&[Some(vec![Some(1), Some(2)]), Some(vec![Some(3)])], ctx);
    let indices = Column::from_slice(&[u64::MAX, 0], ctx).unwrap();
    let got = extract_list_elements(&lists, &indices, ctx).unwrap();
    assert_column_eq(&got, &Column::from_options(&[None, Some(3i64)], ctx).unwrap());
}

#[test]
fn masks_keep_elements() {
    every_layout(|rows, lists, ctx| {
        let mut random = Random(3);
        let marks: Vec<Row> = rows
            .iter()
            .map(|row| {
                let mark = |_| (random.below(5) > 0).then(|| i64::from(random.below(2) == 0));
                // A null list may be of any length.
                Some(row.as_ref().map_or(vec![Some(1)], |row| (0..row.len()).map(mark).collect()))
            })
            .collect();
        let whole = column(&marks, ctx);
        let values: Vec<Option<i64>> = marks.iter().flatten().flatten().copied().collect();
        let offsets = whole.children()[0].clone();
        let mask = Column::lists(offsets, numbers(&values, DataType::Bool8, ctx), None).unwrap();
        for (kept, got) in [
            (true, apply_boolean_mask(lists, &mask, ctx).unwrap()),
            (false, apply_deletion_mask(lists, &mask, ctx).unwrap()),
        ] {
            let expected = each(rows, |i, row| {
                let marks = marks[i].as_deref().unwrap();
                let pairs = row.iter().zip(marks).filter(|(_, mark)| (**mark == Some(1)) == kept);
                pairs.map(|(v, _)| *v).collect()
            });
            assert_lists(&got, &expected, ctx);
        }
    });
    let ctx = &Tracked::current();
    let lists = column(&[Some(vec![Some(1), Some(2)])], ctx);
    let bools = Column::from_bools(&[true], ctx).unwrap();
    let mask = Column::lists(Column::from_slice(&[0, 1], ctx).unwrap(), bools, None).unwrap();
    let error = apply_boolean_mask(&lists, &mask, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Logic);
    assert!(error.to_string().contains("list 0 has 2 elements, its `mask` has 1"), "{error}");
    let error = apply_boolean_mask(&lists, &lists, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
}

#[test]
fn finds_elements() {
    every_layout(|rows, lists, ctx| {
        let nulls = each(rows, |_, row| i64::from(row.contains(&None)));
        assert_numbers(&contains_nulls(lists, ctx).unwrap(), &nulls, ctx);
        let position = |row: &[Option<i64>], key: i64, last: bool| {
            let mut found = row.iter().enumerate().filter(|(_, v)| **v == Some(key)).map(|(i, _)| i as i64);
            if last { found.next_back() } else { found.next() }.unwrap_or(-1)
        };
        let key = Scalar::from(1i64);
        let expected = each(rows, |_, row| i64::from(row.contains(&Some(1))));
        assert_numbers(&contains(lists, &key, ctx).unwrap(), &expected, ctx);
        let keys: Vec<Option<i64>> = (0..rows.len()).map(|i| (i % 6 > 0).then_some(i as i64 % 3)).collect();
        let key_column = Column::from_options(&keys, ctx).unwrap();
        let with_keys = |f: &dyn Fn(&[Option<i64>], i64) -> i64| -> Vec<Option<i64>> {
            each(rows, |i, row| keys[i].map(|key| f(row, key))).into_iter().map(Option::flatten).collect()
        };
        let expected = with_keys(&|row, key| i64::from(row.contains(&Some(key))));
        assert_numbers(&contains(lists, &key_column, ctx).unwrap(), &expected, ctx);
        for (option, last) in [(DuplicateFindOption::FindFirst, false), (DuplicateFindOption::FindLast, true)]
        {
            let expected = each(rows, |_, row| position(row, 1, last));
            assert_numbers(&index_of(lists, &key, option, ctx).unwrap(), &expected, ctx);
            let expected = with_keys(&|row, key| position(row, key, last));
            assert_numbers(&index_of(lists, &key_column, option, ctx).unwrap(), &expected, ctx);
        }
        let missing = contains(lists, &Scalar::null(DataType::Int64), ctx).unwrap();
        assert_eq!(missing.null_count().unwrap(), rows.len());
    });
    let ctx = &Tracked::current();
    let lists = column(&[Some(vec![Some(1)])], ctx);
    let error = contains(&lists, &Scalar::from(1i32), ctx).unwrap_err();
    assert!(error.to_string().contains("`key` is int32, the elements of `lists` are int64"), "{error}");
    let floats = Column::from_slice(&[f64::NAN, -0.0], ctx).unwrap();
    let floats = Column::lists(Column::from_slice(&[0, 2], ctx).unwrap(), floats, None).unwrap();
    for (key, expected) in [(-f64::NAN, 0), (0.0, 1), (1.0, -1)] {
        let got = index_of(&floats, &Scalar::from(key), DuplicateFindOption::FindFirst, ctx).unwrap();
        assert_eq!(got.get(0).unwrap().as_i64(), Some(expected));
    }
}

#[test]
fn sorts() {
    every_layout(|rows, lists, ctx| {
        for (order, nulls) in [
            (Order::Ascending, NullOrder::Last),
            (Order::Ascending, NullOrder::First),
            (Order::Descending, NullOrder::Last),
            (Order::Descending, NullOrder::First),
        ] {
            let expected = each(rows, |_, row| {
                let mut values: Vec<Option<i64>> = row.iter().copied().filter(Option::is_some).collect();
                values.sort_unstable();
                if order == Order::Descending {
                    values.reverse();
                }
                let missing = std::iter::repeat_n(None, row.len() - values.len());
                let at = if nulls == NullOrder::First { 0 } else { values.len() };
                values.splice(at..at, missing);
                values
            });
            assert_lists(&sort_lists(lists, order, nulls, ctx).unwrap(), &expected, ctx);
            assert_lists(&stable_sort_lists(lists, order, nulls, ctx).unwrap(), &expected, ctx);
        }
    });
}

fn distinct_row(row: &[Option<i64>], nulls_equal: bool) -> Vec<Option<i64>> {
    let mut seen = BTreeSet::new();
    row.iter().copied().filter(|v| seen.insert(*v) || (v.is_none() && !nulls_equal)).collect()
}

#[test]
fn lists_as_sets() {
    every_layout(|rows, lists, ctx| {
        let other = random_rows(&mut Random(77), rows.len());
        let rhs = awkward(&other, ctx);
        for nulls in [NullEquality::Equal, NullEquality::Unequal] {
            let equal = nulls == NullEquality::Equal;
            let nans = NanEquality::AllEqual;
            let expected = each(rows, |_, row| distinct_row(row, equal));
            assert_lists(&distinct(lists, nulls, nans, ctx).unwrap(), &expected, ctx);
            type Elements = [Option<i64>];
            let both = |f: &dyn Fn(&Elements, &Elements) -> Vec<Option<i64>>| -> Vec<Row> {
                rows.iter().zip(&other).map(|(a, b)| Some(f(a.as_deref()?, b.as_deref()?))).collect()
            };
            let is_in = |v: &Option<i64>, row: &[Option<i64>]| row.contains(v) && (equal || v.is_some());
            let intersection =
                both(&|a, b| distinct_row(a, equal).into_iter().filter(|v| is_in(v, b)).collect());
            assert_lists(&intersect_distinct(lists, &rhs, nulls, nans, ctx).unwrap(), &intersection, ctx);
            let difference =
                both(&|a, b| distinct_row(a, equal).into_iter().filter(|v| !is_in(v, b)).collect());
            assert_lists(&difference_distinct(lists, &rhs, nulls, nans, ctx).unwrap(), &difference, ctx);
            let union = both(&|a, b| distinct_row(&[a, b].concat(), equal));
            assert_lists(&union_distinct(lists, &rhs, nulls, nans, ctx).unwrap(), &union, ctx);
            let overlap: Vec<Option<i64>> =
                intersection.iter().map(|row| row.as_ref().map(|row| i64::from(!row.is_empty()))).collect();
            assert_numbers(&have_overlap(lists, &rhs, nulls, nans, ctx).unwrap(), &overlap, ctx);
        }
    });
    let ctx = &Tracked::current();
    let values = [Some(f64::NAN), None, Some(0.0), Some(f64::NAN), Some(-0.0), None];
    let floats = Column::from_options(&values, ctx).unwrap();
    let floats = Column::lists(Column::from_slice(&[0, 6], ctx).unwrap(), floats, None).unwrap();
    for (nulls, nans, len, shared) in [
        (NullEquality::Equal, NanEquality::AllEqual, 3, 3),
        (NullEquality::Unequal, NanEquality::AllEqual, 4, 2),
        (NullEquality::Equal, NanEquality::Unequal, 4, 2),
        (NullEquality::Unequal, NanEquality::Unequal, 5, 1),
    ] {
        let count = |lists: cuprum_column::Result<Column>| lists.unwrap().elements().unwrap().len();
        assert_eq!(count(distinct(&floats, nulls, nans, ctx)), len);
        assert_eq!(count(intersect_distinct(&floats, &floats, nulls, nans, ctx)), shared);
        assert_eq!(count(difference_distinct(&floats, &floats, nulls, nans, ctx)), len - shared);
    }
}

#[test]
fn combines() {
    every_layout(|rows, lists, ctx| {
        let other = random_rows(&mut Random(78), rows.len());
        let table = Table::new(vec![lists.clone(), awkward(&other, ctx)]).unwrap();
        let ignore: Vec<Row> = rows
            .iter()
            .zip(&other)
            .map(|(a, b)| match (a, b) {
                (None, None) => None,
                (a, b) => Some(a.iter().chain(b).flatten().copied().collect()),
            })
            .collect();
        let nullify: Vec<Row> =
            rows.iter().zip(&other).map(|(a, b)| Some([a.clone()?, b.clone()?].concat())).collect();
        let got = concatenate_rows(&table, ConcatenateNullPolicy::Ignore, ctx).unwrap();
        assert_lists(&got, &ignore, ctx);
        let got = concatenate_rows(&table, ConcatenateNullPolicy::NullifyOutputRow, ctx).unwrap();
        assert_lists(&got, &nullify, ctx);

        // The same lists in threes, every third of which is null, and an empty one at last.
        let outer = rows.len() / 3;
        let offsets: Vec<i32> = (0..=outer).map(|i| 3 * i as i32).chain([3 * outer as i32]).collect();
        let mask = null_mask::from_fn(outer + 1, ctx, |i| i % 3 != 1).unwrap();
        let nested = Column::lists(Column::from_slice(&offsets, ctx).unwrap(), lists.clone(), Some(mask));
        let nested = nested.unwrap();
        for (policy, ignores) in
            [(ConcatenateNullPolicy::Ignore, true), (ConcatenateNullPolicy::NullifyOutputRow, false)]
        {
            let expected: Vec<Row> = (0..=outer)
                .map(|i| match rows.get(3 * i..3 * i + 3).filter(|_| i < outer) {
                    _ if i % 3 == 1 => None,
                    None => Some(vec![]),
                    Some(three) if ignores && three.iter().all(Option::is_none) => None,
                    Some(three) if !ignores && three.iter().any(Option::is_none) => None,
                    Some(three) => Some(three.iter().flatten().flatten().copied().collect()),
                })
                .collect();
            assert_lists(&concatenate_list_elements(&nested, policy, ctx).unwrap(), &expected, ctx);
        }
        let error = concatenate_list_elements(lists, ConcatenateNullPolicy::Ignore, ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
    });
}

#[test]
fn sequences_of_numbers() {
    let ctx = &Tracked::current();
    let starts = Column::from_slice(&[1i8, -3, 126], ctx).unwrap();
    let sizes = Column::from_slice(&[3u64, 0, 4], ctx).unwrap();
    let got = sequences(&starts, &sizes, None, ctx).unwrap();
    assert_eq!(
        got.elements().unwrap().view().unwrap().values::<i8>().unwrap(),
        [1, 2, 3, 126, 127, -128, -127]
    );
    assert_eq!(got.children()[0].view().unwrap().values::<i32>().unwrap(), [0, 3, 3, 7]);
    let steps = Column::from_slice(&[-2i8, 1, 0], ctx).unwrap();
    let got = sequences(&starts, &sizes, Some(&steps), ctx).unwrap();
    assert_eq!(
        got.elements().unwrap().view().unwrap().values::<i8>().unwrap(),
        [1, -1, -3, 126, 126, 126, 126]
    );
    let floats = Column::from_slice(&[0.5f64], ctx).unwrap();
    let got = sequences(&floats, &Column::from_slice(&[3i16], ctx).unwrap(), Some(&floats), ctx).unwrap();
    assert_eq!(got.elements().unwrap().view().unwrap().values::<f64>().unwrap(), [0.5, 1.0, 1.5]);

    let refused = |sizes: &Column, steps: Option<&Column>| {
        let error = sequences(&starts, sizes, steps, ctx).unwrap_err();
        (error.kind(), error.to_string())
    };
    let negative = Column::from_slice(&[1, -1, 2], ctx).unwrap();
    assert_eq!(refused(&negative, None), (ErrorKind::InvalidArgument, "`sizes` has -1 at row 1".into()));
    let null = Column::from_options(&[Some(1), None, Some(2)], ctx).unwrap();
    assert_eq!(refused(&null, None), (ErrorKind::InvalidArgument, "`sizes` has 1 nulls".into()));
    assert_eq!(refused(&sizes, Some(&sizes)).0, ErrorKind::DataType);
    assert_eq!(refused(&floats, None).0, ErrorKind::DataType);
    let huge = Column::from_slice(&[u64::MAX, 1 << 62, 1], ctx).unwrap();
    assert_eq!(refused(&huge, None).0, ErrorKind::Overflow);
}

/// Elements of every type are moved.
#[test]
fn elements_of_every_type() {
    let ctx = &Tracked::current();
    let texts = Column::from_opt_strs(&[Some("a"), None, Some("é"), Some("a")], ctx).unwrap();
    let structs = Column::structs(4, vec![texts.clone()], None).unwrap();
    let nested =
        Column::lists(Column::from_slice(&[0, 2, 2, 3, 4], ctx).unwrap(), texts.clone(), None).unwrap();
    for elements in [texts.clone(), structs, nested, Column::nulls(DataType::Empty, 4, ctx).unwrap()] {
        let lists = Column::lists(Column::from_slice(&[0, 1, 1, 4], ctx).unwrap(), elements, None).unwrap();
        reverse(&reverse(&lists, ctx).unwrap(), ctx).unwrap().validate().unwrap();
        assert_eq!(extract_list_element(&lists, -1, ctx).unwrap().len(), 3);
        let exploded = explode(&Table::new(vec![lists.clone()]).unwrap(), 0, ctx).unwrap();
        assert_eq!(exploded.num_rows(), 4);
        assert_eq!(contains_nulls(&lists, ctx).unwrap().len(), 3);
    }
    let lists = Column::lists(Column::from_slice(&[0, 1, 1, 4], ctx).unwrap(), texts, None).unwrap();
    let got = index_of(&lists, &Scalar::string("a"), DuplicateFindOption::FindLast, ctx).unwrap();
    assert_numbers(&got, &[Some(0), Some(-1), Some(2)], ctx);
}

#[test]
fn other_columns_are_refused() {
    let ctx = &Tracked::current();
    let ints = Column::from_slice(&[1, 2], ctx).unwrap();
    let error = count_elements(&ints, ctx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataType);
    assert_eq!(error.to_string(), "`lists` must hold lists, not int32");
    let table = Table::new(vec![ints]).unwrap();
    assert_eq!(explode(&table, 0, ctx).unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(explode(&table, 1, ctx).unwrap_err().kind(), ErrorKind::OutOfRange);
    let lists = column(&[Some(vec![Some(1)])], ctx);
    let error = segmented_gather(&lists, &column(&[], ctx), OutOfBoundsPolicy::Check, ctx).unwrap_err();
    assert_eq!(error.to_string(), "`map` has 0 rows, `lists` has 1");
    let empty = Column::empty(DataType::List);
    for got in [reverse(&empty, ctx), count_elements(&empty, ctx), extract_list_element(&empty, 0, ctx)] {
        assert_eq!(got.unwrap().len(), 0);
    }
}
