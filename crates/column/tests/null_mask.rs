//! Masks and nested nulls: one body for every device, against a plain `Vec<bool>` and arrow-rs.

use std::ops::Range;

use arrow_buffer::{BooleanBuffer, NullBuffer};
use cuprum_runtime::Buffer;
use cuprum_testing::{Random, any_nested_column, assert_column_eq, contexts};
use proptest::prelude::*;

use cuprum_column::null_mask::*;
use cuprum_column::{Column, Context, DataType, Device, ErrorKind, HostUVec, UNKNOWN_NULL_COUNT};

/// Around words, blocks of threads, and the CPU's blocks.
const LENGTHS: [usize; 16] = [0, 1, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 8193, 40_000];

fn random_bits(len: usize, seed: u64) -> Vec<bool> {
    let mut random = Random(len as u64 * 31 + seed);
    (0..len).map(|_| random.below(3) != 0).collect()
}

/// A mask on the context's device.
fn mask_of(bits: &[bool], ctx: &Context) -> Buffer {
    let (mask, _) = from_fn(bits.len(), &Context::current(), |i| bits[i]).unwrap();
    mask.to_device(ctx).unwrap()
}

fn bytes(buffer: &Buffer) -> Vec<u8> {
    buffer.span::<u8>().unwrap().to_vec().unwrap()
}

/// The first bits of a mask, whose others are 0 and which is padded to 64 bytes.
#[track_caller]
fn assert_mask(mask: &Buffer, expected: &[bool]) {
    assert_eq!(mask.len(), bitmask_allocation_size_bytes(expected.len()));
    assert_eq!(bytes(mask), bytes(&mask_of(expected, &Context::current())));
}

fn unset(bits: &[bool]) -> usize {
    bits.iter().filter(|bit| !**bit).count()
}

/// A column of numbers with such validity from row `offset` on.
fn column_with(bits: &[bool], offset: usize, ctx: &Context) -> Column {
    let values: Vec<Option<i32>> =
        (0..offset).map(|_| None).chain(bits.iter().zip(0..).map(|(bit, i)| bit.then_some(i))).collect();
    let column = Column::from_options(&values, &Context::current()).unwrap();
    column.to_device(ctx).unwrap().slice(offset, bits.len()).unwrap()
}

#[test]
fn masks_are_created_in_every_state() {
    assert_eq!([0, 1, 512, 513].map(bitmask_allocation_size_bytes), [0, 64, 64, 128]);
    assert_eq!(state_null_count(MaskState::AllNull, 7), 7);
    assert_eq!(state_null_count(MaskState::AllValid, 7), 0);
    assert_eq!(state_null_count(MaskState::Unallocated, 7), 0);
    assert_eq!(state_null_count(MaskState::Uninitialized, 7), UNKNOWN_NULL_COUNT);
    for ctx in contexts() {
        for len in LENGTHS {
            assert!(create_null_mask(len, MaskState::Unallocated, &ctx).unwrap().is_empty());
            assert_mask(&create_null_mask(len, MaskState::AllValid, &ctx).unwrap(), &vec![true; len]);
            assert_mask(&create_null_mask(len, MaskState::AllNull, &ctx).unwrap(), &vec![false; len]);
            let mut unknown = create_null_mask(len, MaskState::Uninitialized, &ctx).unwrap();
            set_null_mask(&mut unknown, 0, len, true, &ctx).unwrap();
            assert_mask(&unknown, &vec![true; len]);
        }
    }
}

#[test]
fn masks_are_copied_counted_and_turned_to_booleans_at_every_offset() {
    for ctx in contexts() {
        for len in LENGTHS {
            let bits = random_bits(len + 64, 1);
            let mask = mask_of(&bits, &ctx);
            let arrow = NullBuffer::new(BooleanBuffer::from(bits.clone()));
            for offset in (0..64).filter(|offset| len < 600 || offset % 21 == 0) {
                let (begin, end) = (offset, offset + len);
                let own = &bits[begin..end];
                assert_mask(&copy_bitmask_from_bitmask(&mask, begin, end, &ctx).unwrap(), own);
                let nulls = arrow.slice(begin, len).null_count();
                assert_eq!(null_count(Some(&mask), begin, end, &ctx).unwrap(), nulls);
                assert_eq!(count_unset_bits(&mask, begin, end, &ctx).unwrap(), nulls);
                assert_eq!(count_set_bits(&mask, begin, end, &ctx).unwrap(), len - nulls);
                assert_eq!(
                    index_of_first_set_bit(&mask, begin, end, &ctx).unwrap(),
                    own.iter().position(|bit| *bit)
                );
                let bools = mask_to_bools(&mask, begin, end, &ctx).unwrap();
                let (back, unset_bools) = bools_to_mask(&bools, &ctx).unwrap();
                assert_mask(&back, own);
                assert_eq!(unset_bools, nulls);
                assert_column_eq(&bools, &Column::from_bools(own, &Context::current()).unwrap());
            }
        }
    }
}

#[test]
fn no_mask_has_no_nulls() {
    for ctx in contexts() {
        assert_eq!(null_count(None, 3, 10, &ctx).unwrap(), 0);
        assert_eq!(segmented_null_count(None, &[0..3, 2..9], &ctx).unwrap(), [0, 0]);
        let numbers = Column::from_slice(&[1i32, 2], &Context::current()).unwrap().to_device(&ctx).unwrap();
        assert!(copy_bitmask(&numbers, &ctx).unwrap().is_empty());
        assert!(bitmask_and(&[&numbers, &numbers], &ctx).unwrap().is_none());
        assert!(bitmask_and(&[], &ctx).unwrap().is_none());
        assert!(bitmask_or(&[], &ctx).unwrap().is_none());
    }
}

#[test]
fn ranges_are_set_and_segments_counted() {
    for ctx in contexts() {
        let mut bits = random_bits(3000, 2);
        let mut mask = mask_of(&bits, &ctx);
        let mut random = Random(3);
        for round in 0..70 {
            let (begin, valid) = (random.below(3001) as usize, round % 2 == 0);
            let end = begin + random.below(3001 - begin as u64) as usize;
            set_null_mask(&mut mask, begin, end, valid, &ctx).unwrap();
            bits[begin..end].fill(valid);
        }
        assert_mask(&mask, &bits);
        let ranges: Vec<Range<usize>> = (0..300).map(|i| i..(i * i) % 2700 + i).collect();
        let expected: Vec<usize> = ranges.iter().map(|range| unset(&bits[range.clone()])).collect();
        assert_eq!(segmented_null_count(Some(&mask), &ranges, &ctx).unwrap(), expected);
        assert_eq!(segmented_count_unset_bits(&mask, &ranges, &ctx).unwrap(), expected);
        let ones: Vec<usize> = ranges.iter().zip(&expected).map(|(range, n)| range.len() - n).collect();
        assert_eq!(segmented_count_set_bits(&mask, &ranges, &ctx).unwrap(), ones);
        assert!(segmented_count_set_bits(&mask, &[], &ctx).unwrap().is_empty());
        // Whoever shares the memory does not see the writes.
        let shared = mask.clone();
        set_null_mask(&mut mask, 0, 3000, true, &ctx).unwrap();
        assert_mask(&shared, &bits);
        assert_mask(&mask, &[true; 3000]);
    }
}

#[test]
fn masks_of_columns_combine() {
    for ctx in contexts() {
        for len in LENGTHS {
            for columns in [1, 2, 9] {
                let bits: Vec<Vec<bool>> = (0..columns).map(|c| random_bits(len, c as u64)).collect();
                let own: Vec<Column> =
                    bits.iter().enumerate().map(|(c, bits)| column_with(bits, c * 13, &ctx)).collect();
                let columns: Vec<&Column> = own.iter().collect();
                let all: Vec<bool> = (0..len).map(|i| bits.iter().all(|bits| bits[i])).collect();
                let any: Vec<bool> = (0..len).map(|i| bits.iter().any(|bits| bits[i])).collect();
                if columns.iter().any(|column| column.mask().is_some()) {
                    let (mask, nulls) = bitmask_and(&columns, &ctx).unwrap().unwrap();
                    assert_mask(&mask, &all);
                    assert_eq!(nulls, unset(&all));
                }
                if columns.iter().all(|column| column.mask().is_some()) {
                    let (mask, nulls) = bitmask_or(&columns, &ctx).unwrap().unwrap();
                    assert_mask(&mask, &any);
                    assert_eq!(nulls, unset(&any));
                }
                // A column without a mask changes nothing for all, and everything for any.
                let valid = HostUVec::from_slice(&vec![0i32; len], &Context::current()).unwrap();
                let valid = Column::from_values(valid).to_device(&ctx).unwrap();
                let more: Vec<&Column> = columns.iter().copied().chain([&valid]).collect();
                let found = bitmask_and(&more, &ctx).unwrap();
                assert_eq!(found.is_some(), columns.iter().any(|column| column.mask().is_some()));
                if let Some((mask, nulls)) = found {
                    assert_mask(&mask, &all);
                    assert_eq!(nulls, unset(&all));
                }
                assert!(bitmask_or(&more, &ctx).unwrap().is_none());
            }
        }
        // Columns of no type are all null.
        let empty = Column::nulls(DataType::Empty, 70, &Context::current()).unwrap();
        let some = column_with(&random_bits(70, 1), 3, &ctx);
        assert_mask(&bitmask_and(&[&some, &empty], &ctx).unwrap().unwrap().0, &[false; 70]);
        assert_mask(&bitmask_or(&[&some, &empty], &ctx).unwrap().unwrap().0, &random_bits(70, 1));
        assert_eq!(bitmask_or(&[&empty], &ctx).unwrap().unwrap().1, 70);
    }
}

#[test]
fn booleans_with_nulls_become_masks() {
    for ctx in contexts() {
        let (values, valid) = (random_bits(1000, 1), random_bits(1000, 2));
        let data = HostUVec::from_fn(1000, &Context::current(), |i| u8::from(values[i])).unwrap();
        let mask = from_fn(1000, &Context::current(), |i| valid[i]).unwrap();
        let column = Column::new(DataType::Bool8, data, Some(mask)).unwrap().to_device(&ctx).unwrap();
        for offset in 0..64 {
            let expected: Vec<bool> = (offset..1000).map(|i| values[i] && valid[i]).collect();
            let (mask, nulls) = bools_to_mask(&column.slice(offset, 1000 - offset).unwrap(), &ctx).unwrap();
            assert_mask(&mask, &expected);
            assert_eq!(nulls, unset(&expected));
        }
        let numbers = column.bit_cast(DataType::UInt8).unwrap();
        assert_eq!(bools_to_mask(&numbers, &ctx).unwrap_err().kind(), ErrorKind::DataType);
    }
}

#[test]
fn columns_change_their_masks_on_every_device() {
    for ctx in contexts() {
        for offset in 0..64 {
            let bits = random_bits(200, offset as u64);
            let column = column_with(&random_bits(200, 99), offset, &ctx);
            let masked = column.with_mask(Some((mask_of(&bits, &ctx), unset(&bits))), &ctx).unwrap();
            assert_eq!(
                (masked.null_count().unwrap(), masked.device()),
                (unset(&bits), ctx.resource().device())
            );
            let (copy, nulls) = masked.copy_mask(&ctx).unwrap().unwrap();
            assert_eq!(nulls, unset(&bits));
            let copy = copy_bitmask_from_bitmask(&copy, 0, 200, &ctx).unwrap();
            assert_mask(&copy, &bits);
            assert_mask(&copy_bitmask(&masked, &ctx).unwrap(), &bits);
            let part = masked.slice(70, 100).unwrap();
            assert_mask(&part.copy_mask(&ctx).unwrap().unwrap().0, &bits[70..170]);
            assert_eq!(part.null_count().unwrap(), unset(&bits[70..170]));
            let without = masked.with_mask(None, &ctx).unwrap();
            assert_eq!(
                (without.null_count().unwrap(), without.copy_mask(&ctx).unwrap().is_none()),
                (0, true)
            );
        }
        let nothing = Column::nulls(DataType::Empty, 9, &Context::current()).unwrap().slice(2, 5).unwrap();
        assert_eq!(nothing.with_mask(None, &ctx).unwrap().null_count().unwrap(), 5);
    }
}

#[test]
fn wrong_arguments_name_their_values() {
    for ctx in contexts() {
        let mut mask = mask_of(&[true; 100], &ctx);
        let bits = "bits [513, 600) of a mask of 512 bits";
        let message = |error: cuprum_column::Error| {
            assert_eq!(error.kind(), ErrorKind::OutOfRange);
            error.to_string()
        };
        assert!(message(copy_bitmask_from_bitmask(&mask, 513, 600, &ctx).unwrap_err()).contains(bits));
        assert!(message(set_null_mask(&mut mask, 513, 600, true, &ctx).unwrap_err()).contains(bits));
        assert!(message(null_count(Some(&mask), 513, 600, &ctx).unwrap_err()).contains(bits));
        assert!(message(mask_to_bools(&mask, 513, 600, &ctx).unwrap_err()).contains(bits));
        let backwards = message(index_of_first_set_bit(&mask, 9, 3, &ctx).unwrap_err());
        assert!(backwards.contains("bits [9, 3)"), "{backwards}");
        let segment = segmented_count_set_bits(&mask, &[0..1, 513..600], &ctx).unwrap_err();
        assert!(message(segment).contains(bits));
        let (long, short) = (column_with(&[false; 3], 0, &ctx), column_with(&[false; 2], 0, &ctx));
        let error = bitmask_and(&[&long, &short], &ctx).unwrap_err();
        assert!(error.to_string().contains("column 0 has 3 rows, column 1 has 2"), "{error}");
        let elsewhere = if mask.device() == Device::Cpu { Device::EMULATOR } else { Device::Cpu };
        let error = count_set_bits(&mask, 0, 1, &Context::on(elsewhere).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let error = superimpose_nulls(&mask.slice(0, 4).unwrap(), &column_with(&[true; 33], 0, &ctx), &ctx);
        assert_eq!(error.unwrap_err().kind(), ErrorKind::OutOfRange);
    }
}

// ---- Nested nulls -----------------------------------------------------------------------------------

/// The devices of properties, which repeat each case: the plain ones.
fn devices() -> [Context; 2] {
    [Device::Cpu, Device::EMULATOR].map(|device| Context::on(device).unwrap())
}

/// Whether a null string or list has something in it; rows of null structs count as null.
fn model_has_nonempty(column: &Column, outer: &dyn Fn(usize) -> bool) -> bool {
    let view = column.view().unwrap();
    let validity = view.validity();
    let valid = |i: usize| outer(i) && validity.is_none_or(|bits| bits.get(i));
    match column.data_type() {
        DataType::String => {
            let view = column.view().unwrap();
            let strings = view.strings().unwrap();
            (0..column.len()).any(|i| !valid(i) && !strings.range(i).is_empty())
        }
        DataType::List => {
            let view = column.view().unwrap();
            let lists = view.lists().unwrap();
            (0..column.len()).any(|i| !valid(i) && !lists.range(i).is_empty())
                || model_has_nonempty(&column.elements().unwrap(), &|_| true)
        }
        DataType::Struct => {
            (0..column.children().len()).any(|i| model_has_nonempty(&column.field(i).unwrap(), &valid))
        }
        _ => false,
    }
}

/// The column with more nulls, so that there is something under them, at every level.
fn with_more_nulls(column: &Column, seed: u64) -> Column {
    let ctx = Context::current();
    let mut random = Random(seed);
    let column = match column.data_type() {
        DataType::List => {
            let inner = with_more_nulls(&column.children()[1], seed + 1);
            let mask = column.mask().map(|mask| (mask.clone(), UNKNOWN_NULL_COUNT));
            let children = vec![column.children()[0].clone(), inner];
            Column::from_parts(DataType::List, column.len(), column.offset(), None, mask, children).unwrap()
        }
        DataType::Struct => {
            let fields = (0..column.children().len())
                .map(|i| with_more_nulls(&column.field(i).unwrap(), seed + 1 + i as u64));
            Column::structs(column.len(), fields.collect(), column.copy_mask(&ctx).unwrap()).unwrap()
        }
        DataType::Empty => return column.clone(),
        _ => column.clone(),
    };
    let view = column.view().unwrap();
    let validity = view.validity();
    let valid: Vec<bool> =
        (0..column.len()).map(|i| random.below(4) != 0 && validity.is_none_or(|bits| bits.get(i))).collect();
    column.with_mask(Some(from_fn(valid.len(), &ctx, |i| valid[i]).unwrap()), &ctx).unwrap()
}

/// Every field is null where its struct is.
fn is_pushed_down(column: &Column) -> bool {
    match column.data_type() {
        DataType::Struct => (0..column.children().len()).all(|f| {
            let field = column.field(f).unwrap();
            let is_null =
                |i: usize| field.data_type() == DataType::Empty || !field.view().unwrap().is_valid(i);
            (0..column.len()).all(|i| column.view().unwrap().is_valid(i) || is_null(i))
                && is_pushed_down(&field)
        }),
        DataType::List => is_pushed_down(&column.children()[1]),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nonempty_nulls_are_found_and_purged(
        column in (0usize..90).prop_flat_map(any_nested_column), seed: u64,
    ) {
        for source in [column.clone(), with_more_nulls(&column, seed)] {
            let expected = model_has_nonempty(&source, &|_| true);
            for ctx in devices() {
                let there = source.to_device(&ctx).unwrap();
                prop_assert_eq!(has_nonempty_nulls(&there, &ctx).unwrap(), expected);
                prop_assert!(may_have_nonempty_nulls(&there) || !expected);
                let purged = purge_nonempty_nulls(&there, &ctx).unwrap();
                prop_assert_eq!(purged.device(), there.device());
                prop_assert!(!has_nonempty_nulls(&purged, &ctx).unwrap());
                let purged = purged.to_host().unwrap();
                purged.validate().unwrap();
                assert_column_eq(&purged, &source);
                if !expected && ctx.resource().device() == Device::Cpu {
                    let same = |a: Option<&Buffer>, b: Option<&Buffer>| {
                        a.map(Buffer::as_ptr) == b.map(Buffer::as_ptr)
                    };
                    prop_assert!(same(purged.data(), source.data()) && same(purged.mask(), source.mask()));
                }
            }
        }
    }

    #[test]
    fn nulls_are_superimposed_and_pushed_down(
        column in (0usize..90).prop_flat_map(any_nested_column), seed: u64,
    ) {
        let source = with_more_nulls(&column, seed);
        let valid = random_bits(source.len(), seed % 1000);
        for ctx in devices() {
            let there = source.to_device(&ctx).unwrap();
            let pushed = push_down_nulls(&there, &ctx).unwrap().to_host().unwrap();
            pushed.validate().unwrap();
            prop_assert!(is_pushed_down(&pushed));
            assert_column_eq(&pushed, &source);
            let nulls = superimpose_nulls(&mask_of(&valid, &ctx), &pushed.to_device(&ctx).unwrap(), &ctx);
            let nulls = nulls.unwrap().to_host().unwrap();
            nulls.validate().unwrap();
            prop_assert!(is_pushed_down(&nulls));
            if source.data_type() != DataType::Empty {
                let source_view = source.view().unwrap();
                let own = source_view.validity();
                let both: Vec<bool> =
                    (0..source.len()).map(|i| valid[i] && own.is_none_or(|bits| bits.get(i))).collect();
                let ctx = Context::current();
                let mask = from_fn(both.len(), &ctx, |i| both[i]).unwrap();
                assert_column_eq(&nulls, &source.with_mask(Some(mask), &ctx).unwrap());
            }
        }
    }
}

/// Text of many blocks, and lists in lists, under the race check.
#[test]
fn purging_on_every_device() {
    let host = Context::current();
    let words: Vec<String> =
        (0..5000).map(|i| "é日本x".chars().cycle().skip(i % 5).take(i % 40).collect()).collect();
    let strings = Column::from_strs(&words, &host).unwrap();
    let valid = random_bits(5000, 7);
    let strings = strings.with_mask(Some(from_fn(5000, &host, |i| valid[i]).unwrap()), &host).unwrap();
    let offsets: Vec<i64> = (0..=1000).map(|i| i * 5).collect();
    let lists = Column::lists(Column::from_slice(&offsets, &host).unwrap(), strings.clone(), None).unwrap();
    let valid = random_bits(1000, 8);
    let mask = from_fn(1000, &host, |i| valid[i]).unwrap();
    let lists = lists.with_mask(Some(mask), &host).unwrap();
    for ctx in contexts() {
        for source in [&strings, &lists, &strings.slice(33, 4000).unwrap(), &lists.slice(700, 65).unwrap()] {
            let there = source.to_device(&ctx).unwrap();
            assert!(has_nonempty_nulls(&there, &ctx).unwrap());
            let purged = purge_nonempty_nulls(&there, &ctx).unwrap();
            assert!(!has_nonempty_nulls(&purged, &ctx).unwrap());
            assert!(purged.nbytes() < there.nbytes());
            assert_column_eq(&purged, source);
            // Nothing is left to do, and nothing is copied.
            let again = purge_nonempty_nulls(&purged, &ctx).unwrap();
            assert_eq!(again.mask().map(Buffer::as_ptr), purged.mask().map(Buffer::as_ptr));
        }
    }
}

#[test]
fn what_does_not_change_is_shared() {
    let ctx = Context::current();
    let numbers = column_with(&[true, false, true, true], 0, &ctx);
    let structs = |mask: Option<(Buffer, usize)>| Column::structs(4, vec![numbers.clone()], mask).unwrap();
    let same = from_fn(4, &ctx, |i| i != 1).unwrap();
    let sound = push_down_nulls(&structs(Some(same.clone())), &ctx).unwrap();
    let place = |column: &Column| column.mask().map(Buffer::as_ptr);
    assert_eq!(place(&sound.children()[0]), place(&numbers));
    let other = from_fn(4, &ctx, |i| i != 2).unwrap();
    let pushed = push_down_nulls(&structs(Some(other)), &ctx).unwrap();
    assert_eq!(pushed.children()[0].null_count().unwrap(), 2);
    assert!(pushed.children()[0].data().unwrap().is_same_memory(numbers.data().unwrap()));
    assert_eq!(place(&superimpose_nulls(&same.0, &numbers, &ctx).unwrap()), place(&numbers));
}

/// The first use on another stream comes after the work that the block's own stream has queued on it.
#[test]
fn masks_without_values_are_written_on_any_stream() {
    for ctx in contexts() {
        let other = ctx.other_stream().unwrap();
        for _ in 0..8 {
            drop(create_null_mask(1024, MaskState::AllNull, &ctx).unwrap());
            let mut mask = create_null_mask(1024, MaskState::Uninitialized, &ctx).unwrap();
            set_null_mask(&mut mask, 0, 1024, true, &other).unwrap();
            other.stream().synchronize().unwrap();
            assert_mask(&mask, &[true; 1024]);
        }
    }
}
