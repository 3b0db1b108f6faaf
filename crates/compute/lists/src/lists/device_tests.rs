//! Lists on every device, compared with the CPU.

use cuprum_column::{Column, Context, DataType, ErrorKind, Result, Scalar, Table, null_mask};
use cuprum_testing::{Cases, Random, contexts, same_cases_everywhere};

use super::*;
use cuprum_elementwise::copying::OutOfBoundsPolicy;
use cuprum_keys::sorting::{NullOrder, Order};

/// Rows around words, warps and blocks. Lists have some two elements each, so a few hundred fill more than a block.
const LENGTHS: [usize; 9] = [0, 1, 31, 32, 33, 64, 65, 257, 700];

/// Kinds of elements; each has nulls.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Ints,
    Floats,
    Texts,
    Wide,
    Structs,
    Lists,
    Dictionaries,
    Empty,
}

const ALL_KINDS: [Kind; 8] = [
    Kind::Ints,
    Kind::Floats,
    Kind::Texts,
    Kind::Wide,
    Kind::Structs,
    Kind::Lists,
    Kind::Dictionaries,
    Kind::Empty,
];

/// The kinds that are compared.
const KEYS: [Kind; 5] = [Kind::Ints, Kind::Floats, Kind::Texts, Kind::Wide, Kind::Structs];

/// Few different elements of a kind.
fn elements(kind: Kind, len: usize, random: &mut Random, ctx: &Context) -> Column {
    let picks: Vec<Option<usize>> =
        (0..len).map(|_| Some(random.below(6) as usize).filter(|_| random.below(7) > 0)).collect();
    match kind {
        Kind::Ints => {
            let values: Vec<Option<i32>> = picks.iter().map(|p| p.map(|p| p as i32 - 2)).collect();
            Column::from_options(&values, ctx).unwrap()
        }
        Kind::Floats => {
            let some = [0.0, -0.0, f64::NAN, 1.5, f64::INFINITY, -2.0];
            let values: Vec<Option<f64>> = picks.iter().map(|p| p.map(|p| some[p])).collect();
            Column::from_options(&values, ctx).unwrap()
        }
        Kind::Texts => {
            let some = ["", "a", "ä", "a longer text than 16 bytes", "b", "a longer text than 16 byteS"];
            let values: Vec<Option<&str>> = picks.iter().map(|p| p.map(|p| some[p])).collect();
            Column::from_opt_strs(&values, ctx).unwrap()
        }
        Kind::Wide => cuprum_testing::wide_column(&elements(Kind::Ints, len, random, ctx), ctx),
        Kind::Structs => {
            let fields = [Kind::Floats, Kind::Texts].map(|kind| elements(kind, len, random, ctx));
            let mask = null_mask::from_fn(len, ctx, |i| picks[i].is_some()).unwrap();
            let structs = Column::structs(len, fields.to_vec(), Some(mask)).unwrap();
            null_mask::push_down_nulls(&structs, ctx).unwrap()
        }
        Kind::Lists => lists(Kind::Texts, len, random, ctx),
        Kind::Dictionaries => {
            let indices: Vec<u32> = picks.iter().map(|p| p.unwrap_or(0) as u32 / 2).collect();
            let keys = Column::from_strs(&["x", "y", "z"], ctx).unwrap();
            let mask = null_mask::from_fn(len, ctx, |i| picks[i].is_some()).unwrap();
            Column::dictionary(Column::from_slice(&indices, ctx).unwrap(), keys, Some(mask)).unwrap()
        }
        Kind::Empty => Column::nulls(DataType::Empty, len, ctx).unwrap(),
    }
}

/// Lists with null ones, which have elements in memory, and empty ones; a slice of more, and so are their elements.
fn lists(kind: Kind, len: usize, random: &mut Random, ctx: &Context) -> Column {
    // A long list now and then.
    let counts: Vec<usize> =
        (0..len + 5).map(|_| if random.below(90) == 0 { 300 } else { random.below(5) as usize }).collect();
    lists_of_lengths(kind, &counts, 3, random, ctx)
}

/// Lists of these lengths without `start` in front and 2 behind, some of them null.
fn lists_of_lengths(
    kind: Kind,
    counts: &[usize],
    start: usize,
    random: &mut Random,
    ctx: &Context,
) -> Column {
    let mut offsets = vec![0i32];
    counts.iter().for_each(|&count| offsets.push(offsets[offsets.len() - 1] + count as i32));
    let all = offsets[counts.len()] as usize;
    let inside = elements(kind, all + 3, random, ctx).slice(2, all).unwrap();
    let valid: Vec<bool> = counts.iter().map(|_| random.below(6) > 0).collect();
    let mask = null_mask::from_fn(counts.len(), ctx, |i| valid[i]).unwrap();
    let whole = Column::lists(Column::from_slice(&offsets, ctx).unwrap(), inside, Some(mask)).unwrap();
    whole.slice(start, counts.len() - start - 2).unwrap()
}

/// The same without null lists.
fn without_nulls(lists: &Column) -> Column {
    lists.with_mask(None, &Context::current()).unwrap()
}

/// Calls `check` with lists of some kinds and several lengths; the long ones of the first kind alone.
fn every_kind(kinds: &[Kind], check: impl Fn(Column, &mut Random, &Context)) {
    let ctx = &Context::current();
    for (i, &kind) in kinds.iter().enumerate() {
        let mut random = Random(17 + i as u64);
        let lengths = if i == 0 { &LENGTHS[..] } else { &[0, 1, 33, 130] };
        for &len in lengths {
            let column = lists(kind, len, &mut random, ctx);
            check(without_nulls(&column), &mut random, ctx);
            check(column, &mut random, ctx);
        }
    }
}

fn add_table(cases: &mut Cases, table: Result<Table>) -> Result<()> {
    let table = table?;
    table.columns().iter().try_for_each(|column| cases.add(|| Ok(column.clone())))
}

#[test]
fn elements_by_position_on_every_device() {
    every_kind(&ALL_KINDS, |lists, random, ctx| {
        let indices: Vec<Option<i8>> = (0..lists.len())
            .map(|_| Some(random.below(9) as i8 - 4).filter(|_| random.below(8) > 0))
            .collect();
        let indices = Column::from_options(&indices, ctx).unwrap();
        let huge: Vec<u64> = (0..lists.len()).map(|i| [0, u64::MAX, 1, 1 << 63][i % 4]).collect();
        let huge = Column::from_slice(&huge, ctx).unwrap();
        same_cases_everywhere(&[lists, indices, huge], |columns, cases, ctx| {
            let lists = &columns[0];
            cases.add(|| count_elements(lists, ctx))?;
            cases.add(|| reverse(lists, ctx))?;
            for index in [0, 1, -1, -3, 299, i64::MIN, i64::MAX] {
                cases.add(|| extract_list_element(lists, index, ctx))?;
            }
            cases.add(|| extract_list_elements(lists, &columns[1], ctx))?;
            cases.add(|| extract_list_elements(lists, &columns[2], ctx))
        });
    });
}

#[test]
fn gathers_on_every_device() {
    every_kind(&ALL_KINDS, |column, random, ctx| {
        let map = lists(Kind::Ints, column.len(), random, ctx);
        same_cases_everywhere(&[column, map], |columns, cases, ctx| {
            cases.add(|| segmented_gather(&columns[0], &columns[1], OutOfBoundsPolicy::Nullify, ctx))?;
            // Positions that are all there.
            let counts = count_elements(&columns[0], ctx)?.to_host()?;
            let counts: Vec<i64> =
                (0..counts.len()).map(|row| counts.get(row).unwrap().as_i64().unwrap_or(0)).collect();
            let ends = counts.iter().scan(0, |end, count| {
                *end += 2 * count;
                Some(*end as i32)
            });
            let offsets: Vec<i32> = std::iter::once(0).chain(ends).collect();
            let positions: Vec<i16> = counts.iter().flat_map(|&n| (-n..n).map(|i| i as i16)).collect();
            let map = Column::lists(
                Column::from_slice(&offsets, ctx)?,
                Column::from_slice(&positions, ctx)?,
                None,
            )?;
            cases.add(|| segmented_gather(&columns[0], &map, OutOfBoundsPolicy::Check, ctx))
        });
    });
}

#[test]
fn explodes_on_every_device() {
    every_kind(&ALL_KINDS, |lists, random, ctx| {
        let others = [Kind::Ints, Kind::Texts].map(|kind| elements(kind, lists.len(), random, ctx));
        let [ints, texts] = others;
        same_cases_everywhere(&[ints, lists, texts], |columns, cases, ctx| {
            let table = Table::new(columns.to_vec())?;
            add_table(cases, explode(&table, 1, ctx))?;
            add_table(cases, explode_position(&table, 1, ctx))?;
            add_table(cases, explode_outer(&table, 1, ctx))?;
            add_table(cases, explode_outer_position(&table, 1, ctx))?;
            let (rows, elements) = explode_outer_rows(&columns[1], ctx)?;
            cases.add(|| Ok(rows))?;
            cases.add(|| Ok(elements))?;
            // Lists alone.
            add_table(cases, explode(&table.select(&[1])?, 0, ctx))
        });
    });
}

#[test]
fn masks_on_every_device() {
    every_kind(&ALL_KINDS, |lists, random, ctx| {
        // As many booleans as elements, in null lists too, behind two others.
        let offsets: Vec<i32> = (0..=lists.len())
            .map(|i| match lists.slice(0, i).unwrap().elements().unwrap().len() {
                len if i > 0 => len as i32,
                _ => 0,
            })
            .collect();
        let all = offsets[lists.len()] as usize;
        let bools: Vec<bool> = (0..all).map(|_| random.below(2) == 0).collect();
        let valid: Vec<bool> = (0..all).map(|_| random.below(5) > 0).collect();
        let bools = Column::from_bools(&bools, ctx).unwrap();
        let bools = bools.with_mask(Some(null_mask::from_fn(all, ctx, |i| valid[i]).unwrap()), ctx).unwrap();
        let mask = null_mask::from_fn(lists.len(), ctx, |i| i % 11 != 5).unwrap();
        let mask = Column::lists(Column::from_slice(&offsets, ctx).unwrap(), bools, Some(mask)).unwrap();
        same_cases_everywhere(&[lists, mask], |columns, cases, ctx| {
            cases.add(|| apply_boolean_mask(&columns[0], &columns[1], ctx))?;
            cases.add(|| apply_deletion_mask(&columns[0], &columns[1], ctx))
        });
    });
}

#[test]
fn nulls_are_found_on_every_device() {
    every_kind(&ALL_KINDS, |lists, _, _| {
        same_cases_everywhere(&[lists], |columns, cases, ctx| cases.add(|| contains_nulls(&columns[0], ctx)));
    });
}

/// The kind of the elements of lists, one of [`KEYS`].
fn key_kind(lists: &Column) -> Kind {
    match lists.children()[1].data_type() {
        DataType::Int32 => Kind::Ints,
        DataType::Float64 => Kind::Floats,
        DataType::String => Kind::Texts,
        DataType::Struct => Kind::Structs,
        _ => Kind::Wide,
    }
}

#[test]
fn keys_are_found_on_every_device() {
    use DuplicateFindOption::{FindFirst, FindLast};
    every_kind(&KEYS, |lists, random, ctx| {
        let kind = key_kind(&lists);
        let keys = elements(kind, lists.len(), random, ctx);
        let some: Vec<Scalar> = match kind {
            Kind::Structs => vec![],
            _ => {
                let values = elements(kind, 8, random, ctx);
                (0..8).map(|row| values.get(row).unwrap()).collect()
            }
        };
        same_cases_everywhere(&[lists, keys], |columns, cases, ctx| {
            let (lists, keys) = (&columns[0], &columns[1]);
            cases.add(|| contains(lists, keys, ctx))?;
            cases.add(|| index_of(lists, keys, FindFirst, ctx))?;
            cases.add(|| index_of(lists, keys, FindLast, ctx))?;
            for key in &some {
                cases.add(|| contains(lists, key, ctx))?;
                cases.add(|| index_of(lists, key, FindFirst, ctx))?;
                cases.add(|| index_of(lists, key, FindLast, ctx))?;
            }
            Ok(())
        });
    });
}

#[test]
fn combined_on_every_device() {
    use ConcatenateNullPolicy::{Ignore, NullifyOutputRow};
    every_kind(&ALL_KINDS, |column, random, ctx| {
        let kind = match column.children()[1].data_type() {
            DataType::Int32 => Kind::Ints,
            DataType::String => Kind::Texts,
            DataType::List => Kind::Lists,
            _ => return,
        };
        let other = lists(kind, column.len(), random, ctx);
        same_cases_everywhere(&[column, other], |columns, cases, ctx| {
            for table in [columns.to_vec(), columns[..1].to_vec()] {
                let table = Table::new(table)?;
                cases.add(|| concatenate_rows(&table, Ignore, ctx))?;
                cases.add(|| concatenate_rows(&table, NullifyOutputRow, ctx))?;
            }
            Ok(())
        });
    });
    // Lists of lists.
    let ctx = &Context::current();
    let mut random = Random(3);
    for len in LENGTHS {
        let nested = lists(Kind::Lists, len, &mut random, ctx);
        for nested in [without_nulls(&nested), nested] {
            same_cases_everywhere(&[nested], |columns, cases, ctx| {
                cases.add(|| concatenate_list_elements(&columns[0], Ignore, ctx))?;
                cases.add(|| concatenate_list_elements(&columns[0], NullifyOutputRow, ctx))
            });
        }
    }
}

#[test]
fn sequences_on_every_device() {
    fn check<T: cuprum_column::Native>(values: &[T], len: usize) {
        let ctx = &Context::current();
        let cycle =
            |from: usize| -> Vec<T> { (from..from + len).map(|i| values[i % values.len()]).collect() };
        let columns = [cycle(0), cycle(1)].map(|values| Column::from_slice(&values, ctx).unwrap());
        let sizes: Vec<u16> =
            (0..len + 2).map(|i| if i % 100 == 7 { 700 } else { (i * i % 5) as u16 }).collect();
        let sizes = Column::from_slice(&sizes, ctx).unwrap().slice(2, len).unwrap();
        let [starts, steps] = columns;
        same_cases_everywhere(&[starts, steps, sizes], |columns, cases, ctx| {
            cases.add(|| sequences(&columns[0], &columns[2], None, ctx))?;
            cases.add(|| sequences(&columns[0], &columns[2], Some(&columns[1]), ctx))
        });
    }
    LENGTHS.into_iter().for_each(|len| check(&[1i64, -7, i64::MAX, i64::MIN, 0], len));
    check(&[1i8, -7, 100, -128, 0], 65);
    check(&[1i16, -7, i16::MAX], 65);
    check(&[1i32, -7, i32::MIN], 65);
    check(&[1u8, 255, 7], 65);
    check(&[1u16, u16::MAX, 7], 65);
    check(&[1u32, u32::MAX, 7], 65);
    check(&[1u64, u64::MAX, 1 << 63], 65);
    check(&[0.1f32, f32::NAN, -3e38, 16_777_215.0, -0.0], 65);
    check(&[0.1f64, f64::INFINITY, -1e308, 0.3, -0.0], 65);
}

/// The kind and the text of an error.
fn refused<T>(result: Result<T>) -> (ErrorKind, String) {
    let error = result.err().expect("it is refused");
    (error.kind(), error.to_string())
}

#[test]
fn errors_on_every_device() {
    for ctx in contexts() {
        let ints = |values: &[i64]| Column::from_slice(values, &ctx).unwrap();
        let lists = |offsets: &[i32], elements: Column| {
            Column::lists(Column::from_slice(offsets, &ctx).unwrap(), elements, None).unwrap()
        };
        let column = lists(&[0, 2, 2, 5], ints(&[1, 2, 3, 4, 5]));
        let map = lists(&[0, 1, 1, 3], ints(&[1, 2, -4]));
        let gathered = segmented_gather(&column, &map, OutOfBoundsPolicy::Check, &ctx);
        let expected = "there is no position -4 for list 2, which has 3 elements";
        assert_eq!(refused(gathered), (ErrorKind::OutOfRange, expected.to_owned()));
        let map = lists(&[0, 0, 1, 1], Column::from_slice(&[0u64], &ctx).unwrap());
        let gathered = segmented_gather(&column, &map, OutOfBoundsPolicy::Check, &ctx);
        let expected = "there is no position 0 for list 1, which has 0 elements";
        assert_eq!(refused(gathered), (ErrorKind::OutOfRange, expected.to_owned()));

        let bools = Column::from_bools(&[true, false, true, true], &ctx).unwrap();
        let mask = lists(&[0, 2, 2, 4], bools);
        let expected = "list 2 has 3 elements, its `mask` has 2";
        for masked in [apply_boolean_mask(&column, &mask, &ctx), apply_deletion_mask(&column, &mask, &ctx)] {
            assert_eq!(refused(masked), (ErrorKind::Logic, expected.to_owned()));
        }
        assert_eq!(refused(apply_boolean_mask(&column, &column, &ctx)).0, ErrorKind::DataType);

        let starts = ints(&[1, 2, 3]);
        let negative = ints(&[1, 0, -5]);
        let expected = (ErrorKind::InvalidArgument, "`sizes` has -5 at row 2".to_owned());
        assert_eq!(refused(sequences(&starts, &negative, None, &ctx)), expected);
        let huge = Column::from_slice(&[u64::MAX, 1, 1], &ctx).unwrap();
        assert_eq!(refused(sequences(&starts, &huge, None, &ctx)).0, ErrorKind::Overflow);
        let null = Column::from_options(&[Some(1i64), None, Some(1)], &ctx).unwrap();
        let expected = (ErrorKind::InvalidArgument, "`sizes` has 1 nulls".to_owned());
        assert_eq!(refused(sequences(&starts, &null, None, &ctx)), expected);

        let key = Scalar::from(1i32);
        let expected = (ErrorKind::DataType, "`key` is int32, the elements of `lists` are int64".to_owned());
        assert_eq!(refused(contains(&column, &key, &ctx)), expected);
        let expected = (ErrorKind::Logic, "`key` has 2 rows, `lists` has 3".to_owned());
        assert_eq!(refused(index_of(&column, &ints(&[1, 2]), DuplicateFindOption::FindLast, &ctx)), expected);
        for refused_type in [
            refused(count_elements(&starts, &ctx)),
            refused(reverse(&starts, &ctx)),
            refused(extract_list_element(&starts, 0, &ctx)),
            refused(contains_nulls(&starts, &ctx)),
            refused(explode_outer_rows(&starts, &ctx)),
        ] {
            assert_eq!(refused_type, (ErrorKind::DataType, "`lists` must hold lists, not int64".to_owned()));
        }
        let expected = ErrorKind::DataType;
        assert_eq!(
            refused(concatenate_list_elements(&column, ConcatenateNullPolicy::Ignore, &ctx)).0,
            expected
        );
        let table = Table::new(vec![column, starts]).unwrap();
        assert_eq!(refused(explode(&table, 1, &ctx)).0, ErrorKind::DataType);
        assert_eq!(refused(explode(&table, 2, &ctx)).0, ErrorKind::OutOfRange);
        assert_eq!(refused(concatenate_rows(&table, ConcatenateNullPolicy::Ignore, &ctx)).0, expected);
    }
}

#[test]
fn sorted_on_every_device() {
    every_kind(&KEYS, |lists, _, _| {
        same_cases_everywhere(&[lists], |columns, cases, ctx| {
            for (order, nulls) in [
                (Order::Ascending, NullOrder::Last),
                (Order::Ascending, NullOrder::First),
                (Order::Descending, NullOrder::Last),
            ] {
                cases.add(|| sort_lists(&columns[0], order, nulls, ctx))?;
                cases.add(|| stable_sort_lists(&columns[0], order, nulls, ctx))?;
            }
            Ok(())
        });
    });
}

#[test]
fn sets_on_every_device() {
    every_kind(&KEYS, |column, random, ctx| {
        let other = lists(key_kind(&column), column.len(), random, ctx);
        same_cases_everywhere(&[column, other], |columns, cases, ctx| {
            let [lhs, rhs] = [&columns[0], &columns[1]];
            let (equal, unequal) = (NullEquality::Equal, NullEquality::Unequal);
            cases.add(|| distinct(lhs, equal, NanEquality::Unequal, ctx))?;
            cases.add(|| intersect_distinct(lhs, rhs, unequal, NanEquality::AllEqual, ctx))?;
            for (nulls, nans) in [(equal, NanEquality::AllEqual), (unequal, NanEquality::Unequal)] {
                cases.add(|| distinct(lhs, nulls, nans, ctx))?;
                cases.add(|| intersect_distinct(lhs, rhs, nulls, nans, ctx))?;
                cases.add(|| difference_distinct(lhs, rhs, nulls, nans, ctx))?;
                cases.add(|| union_distinct(lhs, rhs, nulls, nans, ctx))?;
                cases.add(|| have_overlap(lhs, rhs, nulls, nans, ctx))?;
            }
            Ok(())
        });
    });
    for ctx in contexts() {
        let lists = |elements: Column| {
            Column::lists(Column::from_slice(&[0, 1], &ctx).unwrap(), elements, None).unwrap()
        };
        let ints = lists(Column::from_slice(&[1i64], &ctx).unwrap());
        let texts = lists(Column::from_strs(&["a"], &ctx).unwrap());
        let overlap = have_overlap(&ints, &texts, NullEquality::Equal, NanEquality::AllEqual, &ctx);
        let expected = "elements of `lhs` are int64, those of `rhs` are str";
        assert_eq!(refused(overlap), (ErrorKind::DataType, expected.to_owned()));
    }
}
