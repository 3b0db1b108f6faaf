use std::cmp::Ordering;

use cuprum_column::{Column, Context, DataType, HostUVec, null_mask};
use cuprum_testing::{contexts, rows};

use super::{MissingElements, texts_of_rows};

/// Lists of two elements each: the last two are an empty list and a null.
fn lists(elements: Column) -> Column {
    let ctx = &Context::current();
    let pairs = elements.len() as i32 / 2;
    let offsets: Vec<i32> = (0..=pairs).map(|i| 2 * i).chain([2 * pairs; 2]).collect();
    let rows = offsets.len() - 1;
    let mask = null_mask::from_fn(rows, ctx, |row| row + 1 < rows).unwrap();
    Column::lists(Column::from_slice(&offsets, ctx).unwrap(), elements, Some(mask)).unwrap()
}

/// Elements of every stored type, extremes among them; every fifth one is missing.
fn elements() -> Vec<Column> {
    let ctx = &Context::current();
    macro_rules! integers {
        ($($t:ty),*) => {
            vec![$(Column::from_slice(
                &(0..140).map(|i: i32| match i % 7 {
                    0 => <$t>::MIN,
                    1 => <$t>::MAX,
                    k => (k * i) as $t,
                }).collect::<Vec<$t>>(),
                ctx,
            ).unwrap()),*]
        };
    }
    macro_rules! floats {
        ($($t:ty),*) => {
            vec![$(Column::from_slice(
                &(0..140).map(|i| match i % 9 {
                    0 => <$t>::NAN,
                    1 => -0.0,
                    2 => 0.0,
                    3 => <$t>::INFINITY,
                    4 => <$t>::NEG_INFINITY,
                    k => (k - 6) as $t * 1.5,
                }).collect::<Vec<$t>>(),
                ctx,
            ).unwrap()),*]
        };
    }
    let mut all = integers!(i8, i16, i32, i64, u8, u16, u32, u64);
    all.extend(floats!(f32, f64));
    let wide = HostUVec::from_fn(140, ctx, |i| [i128::MIN, i128::MAX, -1, 0, i as i128 * 7][i % 5]).unwrap();
    all.push(Column::from_buffer(DataType::Decimal128(-2), 140, wide.into_buffer(), None).unwrap());
    let truths = HostUVec::from_fn(140, ctx, |i| u8::from(i % 3 == 0)).unwrap();
    all.push(Column::from_buffer(DataType::Bool8, 140, truths.into_buffer(), None).unwrap());
    let texts = [
        "",
        "\0",
        "\0\0",
        "\x01",
        "\x02",
        "a",
        "a\0",
        "a\x01b",
        "ab",
        "é",
        "\u{10ffff}",
        "a long text of many bytes",
    ];
    let texts: Vec<String> = (0..140).map(|i| texts[i * 5 % 12].repeat(1 + i % 3)).collect();
    all.push(Column::from_strs(&texts, ctx).unwrap());
    let with_nulls = all.iter().map(|column| {
        let mask = null_mask::from_fn(column.len(), ctx, |i| i % 5 != 3).unwrap();
        column.with_mask(Some(mask), ctx).unwrap()
    });
    let with_nulls: Vec<Column> = with_nulls.collect();
    all.extend(with_nulls);
    all
}

/// All ways of treating missing elements.
fn treatments() -> Vec<MissingElements> {
    let mut all = vec![MissingElements::equal(false), MissingElements::equal(true)];
    all.extend([MissingElements::unequal(false), MissingElements::unequal(true)]);
    all.extend([true, false].map(MissingElements::in_order));
    all
}

#[test]
fn the_same_on_every_device() {
    for elements in elements() {
        let flat = lists(elements.clone());
        let deep = lists(flat.slice(0, flat.len() / 2 * 2).unwrap());
        let pairs = Column::structs(140, vec![elements.clone(), elements], None).unwrap();
        for column in
            [flat.clone(), deep, lists(pairs), flat.slice(3, 40).unwrap(), flat.slice(0, 0).unwrap()]
        {
            for missing in treatments() {
                let expected = texts_of_rows(&column, missing, &Context::current()).unwrap();
                expected.validate().unwrap();
                for ctx in contexts() {
                    let there = column.to_device(&ctx).unwrap();
                    let got = texts_of_rows(&there, missing, &ctx).unwrap().to_host().unwrap();
                    got.validate().unwrap();
                    assert_eq!(rows(&got), rows(&expected), "{missing:?}");
                }
            }
        }
    }
}

/// Text by text in the order of the elements, whatever these are.
#[test]
fn order_of_numbers_and_texts() {
    let ctx = &Context::current();
    let one_each = |elements: Column| {
        let offsets: Vec<i32> = (0..=elements.len() as i32).collect();
        Column::lists(Column::from_slice(&offsets, ctx).unwrap(), elements, None).unwrap()
    };
    let check = |elements: Column, compare: &dyn Fn(usize, usize) -> Ordering| {
        let lists = one_each(elements);
        let texts = texts_of_rows(&lists, MissingElements::equal(false), ctx).unwrap();
        let view = texts.view().unwrap();
        let texts = view.strings().unwrap();
        for a in 0..texts.len() {
            for b in 0..texts.len() {
                assert_eq!(texts.bytes(a).cmp(texts.bytes(b)), compare(a, b), "{a} {b}");
            }
        }
    };
    let values = [i64::MIN, -70_000, -129, -1, 0, 1, 127, 128, 1 << 40, i64::MAX];
    check(Column::from_slice(&values, ctx).unwrap(), &|a, b| values[a].cmp(&values[b]));
    let values = [-1.5f32, f32::NEG_INFINITY, 0.0, -0.0, 2.5, f32::NAN];
    let compare = |a: usize, b: usize| {
        values[a].partial_cmp(&values[b]).unwrap_or_else(|| values[a].is_nan().cmp(&values[b].is_nan()))
    };
    check(Column::from_slice(&values, ctx).unwrap(), &compare);
    let values = ["", "\0", "\0a", "\x01", "a", "a\0", "a\x01", "ab", "é"];
    check(Column::from_strs(&values, ctx).unwrap(), &|a, b| values[a].cmp(values[b]));
}
