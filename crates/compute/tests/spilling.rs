//! Algorithms over memory that was moved away give the same results as over memory at home, on every device.
//!
//! The manager is one for the process: tests take turns.

use std::os::unix::fs::FileExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cuprum_column::{Column, ErrorKind, Table, arrow, null_mask};
use cuprum_compute::concatenate::concatenate_tables;
use cuprum_compute::contiguous_split::{ChunkedPack, contiguous_split, pack, unpack, unpack_from};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::sorting::{NullOrder, Order, sort_by_key};
use cuprum_runtime::spill::{SpillManager, SpillOptions, Tier};
use cuprum_runtime::{Buffer, Context, Device, DeviceBuffer};
use cuprum_testing::{any_nested_column, assert_column_eq, assert_table_eq};
use proptest::prelude::*;

/// A turn with these settings; afterwards spilling is off.
struct Turn(#[expect(dead_code, reason = "held")] MutexGuard<'static, ()>);

impl Turn {
    fn with(options: SpillOptions) -> Self {
        static TURNS: Mutex<()> = Mutex::new(());
        let turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
        manager().set_options(SpillOptions { enabled: true, ..options }).unwrap();
        Self(turn)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        manager().set_options(SpillOptions::default()).unwrap();
    }
}

fn manager() -> &'static SpillManager {
    SpillManager::global()
}

fn buffers(column: &Column) -> Vec<&Buffer> {
    let own = column.data().into_iter().chain(column.mask());
    own.chain(column.children().iter().flat_map(buffers)).collect()
}

/// Moves all memory of the columns away.
fn spill(table: &Table) {
    for buffer in table.columns().iter().flat_map(buffers).filter(|buffer| !buffer.is_empty()) {
        buffer.spill().unwrap();
        assert!(buffer.is_spilled());
    }
}

/// The results of moving rows: host copies, to be compared.
fn results(table: &Table, ctx: &Context, before: impl Fn(&Table)) -> Vec<Table> {
    let rows = table.num_rows();
    let map: Vec<i32> = (0..rows as i32).rev().chain(0..rows as i32 / 2).collect();
    let map = Column::from_slice(&map, ctx).unwrap();
    before(table);
    let gathered = copying::gather(table, &map, OutOfBoundsPolicy::Check, ctx).unwrap();
    before(table);
    let joined =
        concatenate_tables(&[table, &gathered, &table.slice(rows / 3, rows / 3).unwrap()], ctx).unwrap();
    before(table);
    let packed = pack(table, ctx).unwrap();
    let parts = contiguous_split(table, &[rows / 4, rows / 2], ctx).unwrap();
    let mut chunked = ChunkedPack::create(table, 1 << 20, ctx).unwrap();
    let mut block = Vec::new();
    let mut target = DeviceBuffer::uninit(1 << 20, ctx).unwrap();
    while chunked.has_next() {
        before(table);
        let bytes = chunked.next(&mut target).unwrap();
        block.extend_from_slice(&target.to_vec().unwrap()[..bytes]);
    }
    let block = DeviceBuffer::from_host(&block, ctx).unwrap().try_into().unwrap();
    let unpacked = unpack_from(&chunked.build_metadata(), &block).unwrap();
    before(table);
    let copied = table.copy_rows(rows / 5, rows / 2, ctx).unwrap();
    let mut all = vec![gathered, joined, unpack(&packed).unwrap(), unpacked, copied];
    all.extend(parts.iter().map(|part| part.table().clone()));
    all.iter().map(|table| table.to_host().unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn rows_move_as_from_memory_at_home(columns in prop::collection::vec(any_nested_column(90), 1..4)) {
        let table = Table::new(columns).unwrap();
        let expected = results(&table, &Context::on(Device::Cpu).unwrap(), |_| ());
        for device in [Device::Cpu, Device::EMULATOR] {
            for device_limit in [None, Some(2000)] {
                let _turn = Turn::with(SpillOptions { device_limit, ..SpillOptions::default() });
                let ctx = Context::on(device).unwrap();
                let there = table.copy_rows(0, 90, &ctx).unwrap();
                let actual = results(&there, &ctx, |table| if device_limit.is_none() { spill(table) });
                for (actual, expected) in actual.iter().zip(&expected) {
                    assert_table_eq(actual, expected);
                }
            }
        }
    }
}

/// Some rows of memory on disk are read from there; the rest stays.
#[test]
fn rows_are_read_without_the_others() {
    let _turn = Turn::with(SpillOptions::default());
    let ctx = Context::on(Device::Cpu).unwrap();
    let texts: Vec<String> = (0..10_000).map(|i| format!("zeile {i} é")).collect();
    let mask = null_mask::from_fn(10_000, &ctx, |i| i % 7 != 0).unwrap();
    let column = Column::from_strs(&texts, &ctx).unwrap().with_mask(Some(mask), &ctx).unwrap();
    let expected = column.copy_rows(4321, 77, &ctx).unwrap();
    spill(&Table::new(vec![column.clone()]).unwrap());
    assert_column_eq(&column.copy_rows(4321, 77, &ctx).unwrap(), &expected);
    assert!(buffers(&column).iter().all(|buffer| buffer.tier() == Tier::Disk));
    assert_eq!(expected.get(1).unwrap().to_string(), "\"zeile 4322 é\"");
}

/// Sorting a few rows of a long column is no matter for a limit that is less than the column.
#[test]
fn short_slices_of_long_columns_sort() {
    let _turn = Turn::with(SpillOptions { device_limit: Some(100_000), ..SpillOptions::default() });
    let ctx = Context::on(Device::Cpu).unwrap();
    let numbers: Vec<i64> = (0..100_000).map(|i| i * 7919 % 100_003).collect();
    let column = Column::from_slice(&numbers, &ctx).unwrap();
    assert_eq!(column.slice(500, 10).unwrap().bytes_per_row(), 8);
    let few = Table::new(vec![column.slice(500, 1000).unwrap()]).unwrap();
    let sorted = sort_by_key(&few, &few, &[Order::Ascending], NullOrder::Last, &ctx).unwrap();
    let mut expected = numbers[500..1500].to_vec();
    expected.sort_unstable();
    assert_column_eq(&sorted.columns()[0], &Column::from_slice(&expected, &ctx).unwrap());
}

/// Arrays of arrow-rs keep memory in its place while they live; memory exported to other libraries stays for
/// good.
#[test]
fn arrow_keeps_memory_in_its_place() {
    let _turn = Turn::with(SpillOptions::default());
    let ctx = Context::on(Device::Cpu).unwrap();
    let column = Column::from_slice(&[1i64, 2, 3], &ctx).unwrap();
    let array = arrow::to_arrow(&column).unwrap();
    let data = column.data().unwrap();
    assert_eq!((data.spill().unwrap(), data.is_exposed()), (0, false));
    drop(array);
    assert_eq!(data.spill().unwrap(), 24);
    let exported = arrow::export_array(&column, &arrow::ColumnMetadata::default()).unwrap();
    assert!(data.is_exposed());
    drop(exported);
    assert_eq!(data.spill().unwrap(), 0);
}

/// Memory that was spilled to a file and changed there is an error wherever it is read, and never a panic.
#[test]
fn damaged_files_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let options = SpillOptions { directory: Some(directory.path().into()), ..SpillOptions::default() };
    let _turn = Turn::with(options);
    let ctx = Context::on(Device::Cpu).unwrap();
    let options: Vec<Option<i64>> = (0..1000).map(|i| (i % 3 > 0).then_some(i)).collect();
    let column = Column::from_options(&options, &ctx).unwrap();
    let part = column.slice(100, 500).unwrap();
    spill(&Table::new(vec![column.clone()]).unwrap());
    let files = std::fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| {
        let path = entry.unwrap().path();
        let ours = std::fs::read_link(&path).ok()?.starts_with(directory.path());
        ours.then(|| std::fs::OpenOptions::new().write(true).open(path).unwrap())
    });
    for file in files.collect::<Vec<_>>() {
        file.write_all_at(&[0x5a; 200_000], 0).unwrap();
    }
    let kinds = [
        part.view().err(),
        part.null_count().err(),
        part.copy_rows(0, 3, &ctx).err(),
        part.get(3).err(),
        copying::reverse(&part, &ctx).err(),
        column.to_device(&Context::on(Device::EMULATOR).unwrap()).err(),
    ];
    for error in kinds {
        let error = error.expect("the file was changed");
        assert_eq!(error.kind(), ErrorKind::Io, "{error}");
        assert!(error.to_string().contains("changed or damaged"), "{error}");
    }
    assert!(part.has_nulls(), "nobody knows");
}
