//! Work on columns in memory that another thread writes to meanwhile, as a `NumPy` array that shares it may:
//! whatever comes out, nothing is read or written that is not the column's, nothing panics, and row numbers
//! in results are those of rows. `make memcheck` runs it under valgrind.

use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cuprum_column::{Column, Context, DataType, ErrorKind, Result, Table};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::groupby::Grouping;
use cuprum_compute::hashing::HashFunction;
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::partitioning::{hash_partition, partition};
use cuprum_compute::quantiles::{Interpolation, quantile};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::search::contains;
use cuprum_compute::sorting::{NullOrder, Order, sort_by_key, sorted_order, top_k};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::{equality, groupby};
use cuprum_runtime::Buffer;
use cuprum_runtime::primitives::radix_sort;
use cuprum_runtime::random::Random;

/// Enough for every way of sorting and of grouping.
const ROWS: usize = 300_000;

/// Memory that a column shares with writers.
struct Shared {
    values: Arc<[AtomicI64]>,
}

impl Shared {
    fn new(values: &[i64]) -> Self {
        Self { values: values.iter().map(|&value| AtomicI64::new(value)).collect() }
    }

    fn column(&self) -> Column {
        let start = NonNull::from(&*self.values).cast::<u8>();
        // SAFETY: the memory lives as long as the buffer, which keeps it. It changes while it is read: this
        // test is about that.
        let data = unsafe { Buffer::from_foreign(start, ROWS * 8, Arc::clone(&self.values)) };
        Column::from_buffer(DataType::Int64, ROWS, data, None).unwrap()
    }

    fn write(&self, values: &[i64]) {
        self.values.iter().zip(values).for_each(|(slot, &value)| slot.store(value, Ordering::Relaxed));
    }
}

/// Stops the writers when it is dropped.
struct Stopping<'a>(&'a AtomicBool);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `work` again and again while two threads write one pattern after the other.
fn while_another_writes(patterns: &[Vec<i64>], work: impl Fn(&Column) -> Result<()>) {
    let (shared, stop) = (Shared::new(&patterns[0]), AtomicBool::new(false));
    let column = shared.column();
    thread::scope(|scope| {
        for shift in 0..2 {
            let (shared, stop) = (&shared, &stop);
            scope.spawn(move || {
                for pattern in patterns.iter().cycle().skip(shift) {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    shared.write(pattern);
                }
            });
        }
        // A panic has the writers stop as well: the test fails and does not hang.
        let _stopping = Stopping(&stop);
        let end = Instant::now() + Duration::from_millis(400);
        let mut outcome = Ok(());
        for round in 0.. {
            if outcome.is_err() || (round >= 2 && Instant::now() > end) {
                break;
            }
            outcome = match work(&column) {
                Err(error) if !matches!(error.kind(), ErrorKind::Logic | ErrorKind::OutOfRange) => Err(error),
                _ => Ok(()),
            };
        }
        outcome.unwrap();
    });
}

/// Keys in few parts, in other few, in all, and in one; their range is the same at the start of each.
fn keys() -> Vec<Vec<i64>> {
    let mut random = Random(3);
    let mut pattern = |value: &mut dyn FnMut(u64) -> i64| {
        let mut values: Vec<i64> = (0..ROWS).map(|_| value(random.next())).collect();
        (values[0], values[1]) = (0, 2_000_000_000);
        values
    };
    vec![
        pattern(&mut |bits| (bits % 1000) as i64),
        pattern(&mut |bits| 2_000_000_000 - (bits % 1000) as i64),
        pattern(&mut |bits| (bits % 2_000_000_000) as i64),
        pattern(&mut |_| 1_999_999_999),
        pattern(&mut |bits| bits as i64),
    ]
}

/// Maps of rows that exist, and of rows that do not.
fn maps() -> Vec<Vec<i64>> {
    let mut random = Random(4);
    let inside: Vec<i64> = (0..ROWS).map(|_| random.below(ROWS as u64) as i64).collect();
    let moved = |by: i64| inside.iter().map(|row| row + by).collect();
    vec![inside.clone(), moved(0), moved(1 << 40), moved(-(1 << 40))]
}

fn table(columns: &[&Column]) -> Table {
    Table::new(columns.iter().map(|&column| column.clone()).collect()).unwrap()
}

fn rows_exist(rows: &Column) {
    let view = rows.view().unwrap();
    assert!(view.values::<i32>().unwrap().iter().all(|&row| (-1..ROWS as i32).contains(&row)));
}

fn counted(ctx: &Context) -> Column {
    Column::from_slice(&(0..ROWS as i64).collect::<Vec<_>>(), ctx).unwrap()
}

#[test]
fn sorts_while_written_to() {
    let ctx = &Context::current();
    let rows = counted(ctx);
    for orders in [[Order::Ascending; 2], [Order::Descending; 2]] {
        while_another_writes(&keys(), |column| {
            rows_exist(&sorted_order(&table(&[column]), &orders[1..], NullOrder::Last, ctx)?);
            Ok(())
        });
        while_another_writes(&keys(), |column| {
            rows_exist(&sorted_order(&table(&[column, &rows]), &orders, NullOrder::Last, ctx)?);
            Ok(())
        });
        while_another_writes(&keys(), |column| {
            let both = table(&[&rows, column]);
            let sorted = sort_by_key(&both, &table(&[column]), &orders[1..], NullOrder::Last, ctx)?;
            assert!(
                sorted.columns()[0].view()?.values::<i64>()?.iter().all(|row| (0..ROWS as i64).contains(row))
            );
            Ok(())
        });
    }
    while_another_writes(&keys(), |column| {
        let Some(data) = column.data() else { return Ok(()) };
        radix_sort::sort_keys(&data.span::<u64>()?, 0..64, ctx).map(drop)
    });
    while_another_writes(&keys(), |column| {
        rows_exist(&top_k(column, 100, Order::Descending, ctx)?);
        Ok(())
    });
}

#[test]
fn groups_and_joins_while_written_to() {
    let ctx = &Context::current();
    let rows = counted(ctx);
    while_another_writes(&keys(), |column| {
        let groups = groupby::group(&table(&[column]), true, ctx)?;
        rows_exist(&groups.first_rows);
        groupby::aggregate(&groups, &[(column, Aggregation::Sum), (column, Aggregation::Median)], ctx)
            .map(drop)
    });
    while_another_writes(&keys(), |column| {
        rows_exist(&distinct_rows(&table(&[column, &rows]), Keep::Last, true, ctx)?);
        Ok(())
    });
    let few = Column::from_slice(&keys()[2][..50_000], ctx).unwrap();
    for kind in [JoinKind::Inner, JoinKind::Full, JoinKind::LeftSemi] {
        while_another_writes(&keys()[1..3], |column| {
            // Left and right, and with a key that repeats.
            let (l, r) = join(&table(&[column]), &table(&[&few]), kind, true, ctx)?;
            rows_exist(&l);
            rows_exist(&r);
            let (l, r) = join(&table(&[&few]), &table(&[column]), kind, true, ctx)?;
            rows_exist(&l);
            rows_exist(&r);
            Ok(())
        });
    }
    while_another_writes(&keys(), |column| equality::encode(&[&table(&[column, &rows])], ctx).map(drop));
    while_another_writes(&keys(), |column| contains(column, &few, ctx).map(drop));
    while_another_writes(&keys(), |column| contains(&few, column, ctx).map(drop));
    while_another_writes(&keys(), |column| quantile(column, &[0.3], Interpolation::Linear, ctx).map(drop));
    while_another_writes(&keys(), |column| reduce(column, Aggregation::NUnique, ctx).map(drop));
}

/// The numbers of groups that a caller gives, in memory that others write to.
#[test]
fn aggregates_while_groups_are_written_to() {
    let ctx = &Context::current();
    let mut random = Random(5);
    // Two groups of 32 bits in every number.
    let mut pattern = |group: &mut dyn FnMut(u64) -> u64| -> Vec<i64> {
        (0..ROWS).map(|_| (group(random.next()) << 32 | group(random.next())) as i64).collect()
    };
    let patterns = [
        pattern(&mut |bits| bits % 1000),
        pattern(&mut |bits| 999 - bits % 8),
        pattern(&mut |_| 500),
        pattern(&mut |bits| bits & u64::from(u32::MAX)),
    ];
    let values = Column::from_slice(&(0..2 * ROWS as i64).collect::<Vec<_>>(), ctx).unwrap();
    for aggregation in [Aggregation::Median, Aggregation::NUnique, Aggregation::Sum, Aggregation::Last] {
        for num_groups in [1000, 100_000] {
            while_another_writes(&patterns, |shared| {
                let ids =
                    Column::from_buffer(DataType::Int32, 2 * ROWS, shared.data().unwrap().clone(), None)?;
                let first_rows = Column::from_slice(&vec![0i32; num_groups], ctx)?;
                let grouping = Grouping::new(ids, first_rows, num_groups);
                groupby::aggregate(&grouping, &[(&values, aggregation)], ctx).map(drop)
            });
        }
    }
}

#[test]
fn moves_while_written_to() {
    let ctx = &Context::current();
    let texts: Vec<String> = (0..ROWS).map(|i| format!("text {}", i % 1000)).collect();
    let texts = Column::from_strs(&texts, ctx).unwrap();
    let booleans = Column::from_bools(&vec![true; ROWS], ctx).unwrap();
    let rows = table(&[&counted(ctx), &texts, &booleans]);
    for policy in [OutOfBoundsPolicy::Check, OutOfBoundsPolicy::Nullify] {
        while_another_writes(&maps(), |map| copying::gather(&rows, map, policy, ctx).map(drop));
    }
    while_another_writes(&maps(), |map| copying::scatter_table(&rows, map, &rows, ctx).map(drop));
    while_another_writes(&maps(), |map| partition(&rows, map, ROWS, ctx).map(drop));
    let few: Vec<Vec<i64>> = maps().iter().map(|map| map.iter().map(|row| row % 64).collect()).collect();
    while_another_writes(&few, |map| partition(&rows, map, 64, ctx).map(drop));
    while_another_writes(&keys(), |column| {
        hash_partition(&table(&[column, &texts]), &[0], 64, HashFunction::Murmur3, 0, ctx).map(drop)
    });
}
