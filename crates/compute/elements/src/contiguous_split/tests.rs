use std::sync::Arc;

use cuprum_column::{Device, ErrorKind, HostUVec, null_mask};
use cuprum_runtime::memory::{LimitingResourceAdaptor, Tracked};
use cuprum_testing::{LENGTHS, Random, any_nested_column, assert_column_eq, assert_table_eq, contexts};
use proptest::prelude::*;

use super::*;

fn bytes(block: &Buffer) -> Vec<u8> {
    block.span().unwrap().to_vec().unwrap()
}

/// [`assert_table_eq`] that counts nulls of copies: a mask that is known to have none is not packed.
#[track_caller]
fn assert_same_rows(actual: &Table, expected: &Table) {
    assert_table_eq(&actual.clone(), &expected.clone());
}

/// Tables of up to three columns of any type, sliced once more.
fn any_table() -> impl Strategy<Value = Table> {
    (0usize..150, 0usize..70).prop_flat_map(|(len, start)| {
        prop::collection::vec(any_nested_column(start + len), 0..4).prop_map(move |columns| {
            Table::with_rows(columns, start + len).unwrap().slice(start, len).unwrap()
        })
    })
}

fn ints(values: impl IntoIterator<Item = i32>) -> Column {
    Column::from_slice(&values.into_iter().collect::<Vec<_>>(), &Tracked::current()).unwrap()
}

/// The two columns of each part.
type Parts = [(Vec<i32>, Vec<i32>); 4];

/// The example of the specification.
fn example() -> (Table, [usize; 3], Parts) {
    let table = Table::new(vec![ints((10..=28).step_by(2)), ints((50..=68).step_by(2))]).unwrap();
    let parts = [
        (vec![10, 12], vec![50, 52]),
        (vec![14, 16, 18], vec![54, 56, 58]),
        (vec![20, 22, 24, 26], vec![60, 62, 64, 66]),
        (vec![28], vec![68]),
    ];
    (table, [2, 5, 9], parts)
}

#[test]
fn the_examples_of_the_specification() {
    let (table, splits, expected) = example();
    let columns = split(table.column(0).unwrap(), &splits).unwrap();
    let tables = split_table(&table, &splits).unwrap();
    assert_eq!((columns.len(), tables.len()), (4, 4));
    for ((column, table), (a, b)) in columns.iter().zip(&tables).zip(&expected) {
        assert_column_eq(column, &ints(a.iter().copied()));
        assert_column_eq(table.column(1).unwrap(), &ints(b.iter().copied()));
    }
    assert_eq!(columns[1].data().unwrap().use_count(), tables[1].columns()[0].data().unwrap().use_count());
    for ctx in contexts() {
        let parts = contiguous_split(&table.to_device(&ctx).unwrap(), &splits, &ctx).unwrap();
        assert_eq!(parts.len(), 4);
        for (part, (a, b)) in parts.iter().zip(&expected) {
            let expected = Table::new(vec![ints(a.iter().copied()), ints(b.iter().copied())]).unwrap();
            assert_table_eq(part.table(), &expected);
            for column in part.table().columns() {
                // All in one allocation, and each part in its own.
                let data = column.data().unwrap();
                let block = part.packed().data();
                assert!(data.position_in(block).is_some());
                assert_eq!(data.use_count(), block.use_count());
                assert_eq!(data.as_ptr() as usize % 64, 0);
            }
        }
    }
}

#[test]
fn wrong_splits_are_refused() {
    let (table, ..) = example();
    let ctx = Tracked::current();
    for (splits, kind, message) in [
        (&[11][..], ErrorKind::OutOfRange, "`splits[0]` is 11; there are 10 rows"),
        (&[2, 5, 100], ErrorKind::OutOfRange, "`splits[2]` is 100"),
        (&[5, 2], ErrorKind::InvalidArgument, "`splits[1]` is 2, less than 5"),
    ] {
        for error in [
            split(table.column(0).unwrap(), splits).unwrap_err(),
            split_table(&table, splits).unwrap_err(),
            contiguous_split(&table, splits, &ctx).unwrap_err(),
        ] {
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().contains(message), "{error}");
        }
    }
    // At the ends, and nowhere.
    for (splits, lengths) in [(&[][..], &[10][..]), (&[0, 0, 10, 10], &[0, 0, 10, 0, 0])] {
        let parts = contiguous_split(&table, splits, &ctx).unwrap();
        assert_eq!(parts.iter().map(|part| part.table().num_rows()).collect::<Vec<_>>(), lengths);
    }
}

#[test]
fn memory_elsewhere_is_refused() {
    let (table, ..) = example();
    for ctx in contexts().filter(|ctx| ctx.resource().device() != Device::Cpu) {
        let there = table.to_device(&ctx).unwrap();
        for (table, ctx) in [(&table, &*ctx), (&there, &Tracked::current())] {
            let error = pack(table, ctx).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert!(error.to_string().contains("`table` is on "), "{error}");
        }
        let mut pack = ChunkedPack::create(&there, 1 << 20, &ctx).unwrap();
        let mut buffer = DeviceBuffer::uninit(1 << 20, &Tracked::current()).unwrap();
        assert_eq!(pack.next(&mut buffer).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

/// Packs in chunks and puts them together.
fn pack_chunked(table: &Table, user_buffer_size: usize, ctx: &Context) -> (Vec<u8>, Vec<u8>) {
    let mut pack = ChunkedPack::with_any_buffer(table, user_buffer_size, ctx).unwrap();
    let mut buffer = DeviceBuffer::uninit(user_buffer_size, ctx).unwrap();
    let mut block = Vec::new();
    let metadata = pack.build_metadata();
    while pack.has_next() {
        buffer.fill(0xEE).unwrap();
        let bytes = pack.next(&mut buffer).unwrap();
        let chunk = buffer.to_vec().unwrap();
        assert!(bytes <= user_buffer_size && chunk[bytes..].iter().all(|&byte| byte == 0xEE));
        block.extend_from_slice(&chunk[..bytes]);
    }
    assert_eq!(pack.get_total_contiguous_size(), block.len());
    assert_eq!(pack.build_metadata(), metadata);
    (metadata, block)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_packed_comes_back(table in any_table()) {
        let here = pack(&table, &Tracked::current()).unwrap();
        for ctx in contexts() {
            let there = table.to_device(&ctx).unwrap();
            let packed = pack(&there, &ctx).unwrap();
            prop_assert_eq!(packed.metadata(), here.metadata());
            prop_assert_eq!(bytes(packed.data()), bytes(here.data()));
            // Packed again, or described where it lies, it is the same.
            let unpacked = unpack(&packed).unwrap();
            prop_assert_eq!(bytes(pack(&unpacked, &ctx).unwrap().data()), bytes(packed.data()));
            prop_assert_eq!(pack_metadata(&unpacked, packed.data()).unwrap(), packed.metadata());
            assert_same_rows(&unpacked, &table);
            assert_same_rows(&unpack_from(packed.metadata(), packed.data()).unwrap(), &table);
        }
    }

    #[test]
    fn parts_are_slices(table in any_table(), splits in prop::collection::vec(0usize..=1000, 0..6)) {
        let mut splits: Vec<usize> = splits.iter().map(|split| split * table.num_rows() / 1000).collect();
        splits.sort_unstable();
        let here = contiguous_split(&table, &splits, &Tracked::current()).unwrap();
        let slices = split_table(&table, &splits).unwrap();
        for ctx in contexts() {
            let there = table.to_device(&ctx).unwrap();
            let parts = contiguous_split(&there, &splits, &ctx).unwrap();
            prop_assert_eq!(parts.len(), slices.len());
            for ((part, slice), here) in parts.iter().zip(&slices).zip(&here) {
                assert_same_rows(part.table(), slice);
                part.table().columns().iter().for_each(|column| column.validate().unwrap());
                prop_assert_eq!(bytes(part.packed().data()), bytes(here.packed().data()));
                prop_assert_eq!(part.packed().metadata(), here.packed().metadata());
            }
        }
    }

    #[test]
    fn chunks_make_the_block(table in any_table(), size in 64usize..5000) {
        let packed = pack(&table, &Tracked::current()).unwrap();
        for ctx in contexts() {
            let there = table.to_device(&ctx).unwrap();
            for size in [64, size, 1 << 20] {
                let (metadata, block) = pack_chunked(&there, size, &ctx);
                prop_assert_eq!(&metadata, packed.metadata());
                prop_assert_eq!(block, bytes(packed.data()));
            }
        }
    }

    #[test]
    fn slices_of_a_block_are_described(table in any_table(), at in (0usize..=1000, 0usize..=1000)) {
        let packed = pack(&table, &Tracked::current()).unwrap();
        let rows = table.num_rows();
        let (start, len) = (at.0 * rows / 1000, at.1 * (rows - at.0 * rows / 1000) / 1000);
        let slice = unpack(&packed).unwrap().slice(start, len).unwrap();
        let metadata = pack_metadata(&slice, packed.data()).unwrap();
        assert_table_eq(&unpack_from(&metadata, packed.data()).unwrap(), &table.slice(start, len).unwrap());
    }
}

/// Longer than units of the CPU and tiles of the kernel, at every alignment.
#[test]
fn long_columns() {
    let ctx = &Tracked::current();
    let mut random = Random(3);
    for len in LENGTHS {
        let rows = len + 40;
        let mask = |ctx: &Context| Some(null_mask::from_fn(rows, ctx, |i| i % 7 != 3).unwrap());
        let texts: Vec<String> = (0..rows).map(|i| "é日x".repeat(i % 9)).collect();
        let bytes: Vec<u8> = (0..rows).map(|_| random.next() as u8).collect();
        let wide = |i: usize| i128::from(bytes[i]) << 100;
        let wide = HostUVec::from_fn(rows, ctx, wide).unwrap().into_buffer();
        let lists =
            Column::lists(ints((0..=rows as i32).map(|i| i * 2)), ints(0..2 * rows as i32), mask(ctx));
        let columns = vec![
            Column::from_strs(&texts, ctx).unwrap().with_mask(mask(ctx), ctx).unwrap(),
            Column::new(DataType::UInt8, HostUVec::from_slice(&bytes, ctx).unwrap(), mask(ctx)).unwrap(),
            Column::from_buffer(DataType::Decimal128(2), rows, wide, None).unwrap(),
            lists.unwrap(),
        ];
        let table = Table::new(columns).unwrap();
        for start in [0, 1, 7, 32, 40] {
            let slice = table.slice(start, len).unwrap();
            let packed = pack(&slice, ctx).unwrap();
            assert_table_eq(&unpack(&packed).unwrap(), &slice);
            for device in contexts().skip(1).take(1) {
                let there = pack(&slice.to_device(&device).unwrap(), &device).unwrap();
                assert_eq!(there.metadata(), packed.metadata());
                assert!(tests::bytes(there.data()) == tests::bytes(packed.data()), "{len}");
            }
        }
    }
}

/// On a GPU whose memory came there whole, slices begin anywhere.
#[test]
fn slices_on_a_device() {
    let text: Vec<String> = (0..5000).map(|i| "abc".repeat(i % 5)).collect();
    let text = Column::from_strs(&text, &Tracked::current()).unwrap();
    let mask = null_mask::from_fn(5000, &Tracked::current(), |i| i % 3 != 0).unwrap();
    let longs: Vec<i64> = (0..5000).collect();
    let longs = Column::from_slice(&longs, &Tracked::current()).unwrap();
    let structs = Column::structs(5000, vec![text.clone(), longs.clone()], Some(mask.clone())).unwrap();
    let table =
        Table::new(vec![text, longs.with_mask(Some(mask), &Tracked::current()).unwrap(), structs]).unwrap();
    for ctx in contexts() {
        let there = table.to_device(&ctx).unwrap();
        for (start, len) in [(0, 0), (1, 1), (3, 64), (33, 1000), (4999, 1), (257, 4700)] {
            let packed = pack(&there.slice(start, len).unwrap(), &ctx).unwrap();
            let slice = table.slice(start, len).unwrap();
            assert_table_eq(&unpack(&packed).unwrap(), &slice);
            assert_eq!(bytes(packed.data()), bytes(pack(&slice, &Tracked::current()).unwrap().data()));
        }
    }
}

#[test]
fn tables_with_next_to_nothing() {
    let ctx = Tracked::current();
    let nulls = |data_type| Column::nulls(data_type, 5, &ctx).unwrap();
    for table in [
        Table::default(),
        Table::with_rows(vec![], 7).unwrap(),
        Table::new(DataType::ALL.into_iter().map(Column::empty).collect()).unwrap(),
        Table::new(DataType::ALL.into_iter().map(nulls).collect()).unwrap(),
    ] {
        for ctx in contexts() {
            let there = table.to_device(&ctx).unwrap();
            let packed = pack(&there, &ctx).unwrap();
            assert_table_eq(&unpack(&packed).unwrap(), &table);
            assert_table_eq(&unpack_from(packed.metadata(), packed.data()).unwrap(), &table);
            assert_eq!(pack_chunked(&there, 64, &ctx), (packed.metadata().to_vec(), bytes(packed.data())));
            let parts = contiguous_split(&there, &[0, 3.min(table.num_rows())], &ctx).unwrap();
            assert_eq!(parts.iter().map(|part| part.table().num_rows()).sum::<usize>(), table.num_rows());
        }
    }
}

#[test]
fn misuse_of_chunks_is_refused() {
    let (table, ..) = example();
    for ctx in contexts() {
        let table = table.to_device(&ctx).unwrap();
        let error = ChunkedPack::create(&table, (1 << 20) - 1, &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Logic);
        let mut pack = ChunkedPack::create(&table, 1 << 20, &ctx).unwrap();
        let mut wrong = DeviceBuffer::uninit((1 << 20) + 1, &ctx).unwrap();
        assert_eq!(pack.next(&mut wrong).unwrap_err().kind(), ErrorKind::Logic);
        let mut buffer = DeviceBuffer::uninit(1 << 20, &ctx).unwrap();
        assert_eq!(pack.next(&mut buffer).unwrap(), 128);
        assert!(!pack.has_next());
        assert_eq!(pack.next(&mut buffer).unwrap_err().kind(), ErrorKind::Logic);
        assert_eq!(pack.pack_to_host(&mut buffer).unwrap_err().kind(), ErrorKind::Logic);
    }
}

/// Chunks come after the work that the stream of the buffer has queued on its memory.
#[test]
fn chunks_go_to_buffers_of_other_streams() {
    let (table, ..) = example();
    for ctx in contexts() {
        let other = ctx.other_stream().unwrap();
        let there = table.to_device(&ctx).unwrap();
        let expected = pack_chunked(&there, 1 << 10, &ctx).1;
        for _ in 0..8 {
            let mut old = DeviceBuffer::uninit(1 << 10, &other).unwrap();
            old.fill(0xEE).unwrap();
            drop(old);
            let mut pack = ChunkedPack::with_any_buffer(&there, 1 << 10, &ctx).unwrap();
            let mut buffer = DeviceBuffer::uninit(1 << 10, &other).unwrap();
            let bytes = pack.next(&mut buffer).unwrap();
            ctx.stream().synchronize().unwrap();
            assert_eq!(buffer.to_vec().unwrap()[..bytes], expected[..bytes]);
        }
    }
}

/// With memory for the buffer and a little more, tables that are larger get to the host.
#[test]
fn chunks_need_little_memory() {
    let values: Vec<i64> = (0..400_000).collect();
    let text: Vec<String> = values.iter().map(ToString::to_string).collect();
    let table = Table::new(vec![
        Column::from_slice(&values, &Tracked::current()).unwrap(),
        Column::from_strs(&text, &Tracked::current()).unwrap(),
    ]);
    let table = table.unwrap();
    for ctx in contexts().take(Device::all().len() + 1) {
        let there = table.to_device(&ctx).unwrap();
        let limited = Arc::new(LimitingResourceAdaptor::new(ctx.resource().clone(), 4 << 10));
        let little = Context::new(ctx.stream().clone(), limited.clone());
        let mut pack = ChunkedPack::create(&there, 1 << 20, &little).unwrap();
        let scratch = limited.allocated_bytes();
        let mut buffer = DeviceBuffer::uninit(1 << 20, &ctx).unwrap();
        let (metadata, block) = pack.pack_to_host(&mut buffer).unwrap();
        assert_eq!(limited.allocated_bytes(), scratch, "chunks allocate nothing");
        assert!(block.len() > 6 << 20);
        assert_table_eq(&unpack_from(&metadata, &block).unwrap(), &table);
        // All scratch comes from there: with none at all it fails, on a device that needs some.
        let none = Arc::new(LimitingResourceAdaptor::new(ctx.resource().clone(), 0));
        let none = ChunkedPack::create(&there, 1 << 20, &Context::new(ctx.stream().clone(), none));
        assert_eq!(none.is_err(), ctx.resource().device() != Device::Cpu);
    }
}

#[test]
fn metadata_of_memory_elsewhere_is_refused() {
    let (table, ..) = example();
    let packed = pack(&table, &Tracked::current()).unwrap();
    let error = pack_metadata(&table, packed.data()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("does not lie in `contiguous_buffer`"), "{error}");
}

// ---- metadata from elsewhere ------------------------------------------------------------------------------

/// Some table of every kind of column.
fn rich_table() -> Table {
    let ctx = &Tracked::current();
    let mask = || Some(null_mask::from_fn(6, ctx, |i| i != 2).unwrap());
    let text = Column::from_strs(&["a", "", "日本", "é", "", "z"], ctx).unwrap();
    let keys = Column::from_strs(&["x", "y"], ctx).unwrap();
    let indices = Column::from_slice(&[0u8, 1, 1, 0, 1, 0], ctx).unwrap();
    let offsets = ints([0, 1, 1, 3, 5, 5, 6]);
    let structs = Column::structs(6, vec![text.clone(), ints(0..6)], mask()).unwrap();
    Table::new(vec![
        Column::from_slice(&[1i64, 2, 3, 4, 5, 6], ctx).unwrap().with_mask(mask(), ctx).unwrap(),
        text,
        Column::dictionary(indices, keys, mask()).unwrap(),
        Column::lists(offsets, structs, mask()).unwrap(),
        Column::nulls(DataType::Empty, 6, ctx).unwrap(),
    ])
    .unwrap()
}

fn logic_error(metadata: &[u8], block: &Buffer, part: &str) {
    let error = unpack_from(metadata, block).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Logic);
    assert!(error.to_string().contains(part), "{error}");
}

const HEADER: usize = 40;
const RECORD: usize = 72;

#[test]
fn hostile_metadata_is_refused() {
    let packed = pack(&rich_table(), &Tracked::current()).unwrap();
    let (metadata, block) = (packed.metadata(), packed.data());
    for end in 0..metadata.len() {
        logic_error(&metadata[..end], block, "`metadata`");
    }
    let changed = |at: usize, bytes: &[u8]| {
        let mut changed = metadata.to_vec();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        changed
    };
    let first = HEADER;
    let huge = u64::MAX.to_le_bytes();
    for (metadata, part) in [
        (changed(0, b"X"), "not that of a packed table"),
        (changed(8, &[2]), "is of version 2"),
        (changed(12, &[4]), "describes 1 columns that belong to none"),
        (changed(12, &[255, 255, 255, 255]), "4294967295 of them on top"),
        (changed(16, &huge), "column 0 has 6 rows"),
        (changed(24, &huge), "the table was packed into"),
        (changed(32, &huge), "for 18446744073709551615 columns"),
        (changed(first, &[99]), "there is no type 99"),
        (changed(first + 4, &[1]), "scale 1"),
        (changed(first + 8, &[1]), "has 1 children, not 0"),
        (changed(first + 8, &[255, 255, 255, 255]), "4294967295 children are more"),
        (changed(first + 12, &[7]), "unknown flags 0x7"),
        (changed(first + 16, &huge), "too many"),
        (changed(first + 24, &[7]), "the data has 48 bytes"),
        (changed(first + 32, &[7]), "7 nulls among 6 rows"),
        (changed(first + 40, &huge), "too many"),
        (changed(first + 40, &[68]), "whole aligned elements of 8 bytes"),
        (changed(first + 48, &[49]), "whole aligned elements of 8 bytes"),
        (changed(first + 48, &[0, 0, 0, 1]), "are not in the block"),
    ] {
        logic_error(&metadata, block, part);
    }
    logic_error(metadata, &block.slice(0, block.len() - 1).unwrap(), "`data` has");
    // More memory than the block is none of its business.
    let mut longer = bytes(block);
    longer.extend([255; 100]);
    let longer = Buffer::copy_from_slice(&longer, &Tracked::current()).unwrap();
    assert_table_eq(&unpack_from(metadata, &longer).unwrap(), &rich_table());
}

#[test]
fn hostile_contents_are_refused() {
    let ctx = &Tracked::current();
    let table = rich_table();
    for (column, values, part) in [(1, &[0xFFu8][..], "not UTF-8"), (2, &[9], "beyond the 2 keys")] {
        let table = table.select(&[column]).unwrap();
        let packed = pack(&table, ctx).unwrap();
        let mut block = bytes(packed.data());
        let column = unpack(&packed).unwrap().columns()[0].clone();
        let buffer = column.data().or(column.children()[0].data()).unwrap();
        let at = buffer.position_in(packed.data()).unwrap();
        block[at..at + values.len()].copy_from_slice(values);
        logic_error(packed.metadata(), &Buffer::copy_from_slice(&block, ctx).unwrap(), part);
    }
    let packed = pack(&table.select(&[3]).unwrap(), ctx).unwrap();
    let column = unpack(&packed).unwrap().columns()[0].clone();
    let at = column.children()[0].data().unwrap().position_in(packed.data()).unwrap();
    let mut block = bytes(packed.data());
    block[at + 24..at + 28].copy_from_slice(&1000i32.to_le_bytes());
    logic_error(packed.metadata(), &Buffer::copy_from_slice(&block, ctx).unwrap(), "offsets from 0 to 1000");
}

/// Nesting is bounded, on the way in and on the way out.
#[test]
fn hostile_nesting_is_refused() {
    let nested = |depth: usize| {
        let wrap = |column, _| Column::structs(1, vec![column], None).unwrap();
        Table::new(vec![(1..depth).fold(ints([7]), wrap)]).unwrap()
    };
    let ctx = Tracked::current();
    let packed = pack(&nested(64), &ctx).unwrap();
    assert_table_eq(&unpack_from(packed.metadata(), packed.data()).unwrap(), &nested(64));
    let deep = nested(65);
    for error in [pack(&deep, &ctx).unwrap_err(), pack_metadata(&deep, packed.data()).unwrap_err()] {
        assert!(error.to_string().contains("nested deeper than 64 levels"), "{error}");
    }
    // A hundred thousand structs within each other.
    let depth = 100_000u64;
    let mut metadata = packed.metadata()[..HEADER].to_vec();
    metadata[32..40].copy_from_slice(&depth.to_le_bytes());
    let record = packed.metadata()[HEADER..HEADER + RECORD].to_vec();
    (0..depth).for_each(|_| metadata.extend_from_slice(&record));
    logic_error(&metadata, packed.data(), "nested deeper than 64 levels");
}

/// Reads the memory that a column refers to.
fn read_all(column: &Column) {
    for row in 0..column.len().min(1000) {
        column.get(row).unwrap();
    }
    match column.data_type() {
        DataType::List => read_all(&column.elements().unwrap()),
        DataType::Struct => (0..column.children().len()).for_each(|i| read_all(&column.field(i).unwrap())),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn hostile_bytes_are_refused_or_make_a_table(
        table in any_table(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..6), 0..4),
        contents in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        (cut, extra) in (prop::option::weighted(0.1, any::<prop::sample::Index>()), 0usize..3),
    ) {
        let packed = pack(&table, &Tracked::current()).unwrap();
        let (mut metadata, mut block) = (packed.metadata().to_vec(), bytes(packed.data()));
        for (at, byte, kind) in changes {
            // Single bytes, or numbers of a record that are likely to matter.
            let at = at.index(metadata.len());
            let word = at / 8 * 8;
            let number = match kind {
                0 | 1 => {
                    metadata[at] = byte;
                    continue;
                }
                2 => u64::MAX - u64::from(byte),
                3 => u64::from(byte),
                4 => 1 << (byte % 64),
                _ => block.len() as u64 - u64::from(byte).min(block.len() as u64),
            };
            if word >= 16 && word + 8 <= metadata.len() {
                metadata[word..word + 8].copy_from_slice(&number.to_le_bytes());
            }
        }
        for (at, byte) in contents {
            if !block.is_empty() {
                let at = at.index(block.len());
                block[at] = byte;
            }
        }
        if let Some(cut) = cut {
            if extra == 0 { metadata.truncate(cut.index(metadata.len())) } else { block.truncate(cut.index(block.len() + 1)) }
        }
        let block = Buffer::copy_from_slice(&block, &Tracked::current()).unwrap();
        if let Ok(table) = unpack_from(&metadata, &block) {
            for column in table.columns() {
                column.validate().unwrap();
                read_all(column);
            }
            let again = pack(&table, &Tracked::current()).unwrap();
            prop_assert_eq!(unpack(&again).unwrap().num_rows(), table.num_rows());
        }
    }
}
