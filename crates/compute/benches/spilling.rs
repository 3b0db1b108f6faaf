//! Sort and group-by of a table five times as large as the memory they may use, against the same with
//! unlimited memory: time, peak memory, and whether the results are the same.
//!
//! ```text
//! cargo bench -p cuprum-compute --bench spilling [-- LIMIT_IN_MB [MILLIONS_OF_ROWS]]
//! ```
//!
//! The peak is that of anonymous memory (`RssAnon`, sampled) above what there was at the start; the table
//! and its results are in it. The manager's own count of it is printed as well.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cuprum_column::{Column, Context, HostUVec, Result, Table, dispatch_storage, strings};
use cuprum_compute::groupby::{aggregate, group};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::{NullOrder, Order, sort_by_key};
use cuprum_runtime::Device;
use cuprum_runtime::spill::{SpillManager, SpillOptions};
use cuprum_testing::Random;

const MB: usize = 1 << 20;

fn main() -> Result<()> {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let limit = numbers.first().copied().unwrap_or(256) * MB;
    let rows = numbers.get(1).copied().unwrap_or(16) * 1_000_000;
    println!("{rows} rows, limit {} MB", limit / MB);
    let works: [(&str, Work); 3] =
        [("sort", sort), ("group-by", group_by), ("group-by, many groups", many_groups)];
    // The limited runs come first: memory that is kept for later would hide what they need.
    let base = anonymous_memory();
    let run_all = |limit| {
        let outcomes = works.iter().map(|(name, work)| run(name, limit, rows, *work, base));
        outcomes.collect::<Result<Vec<_>>>()
    };
    let (limited, unlimited) = (run_all(Some(limit))?, run_all(None)?);
    for (((name, _), limited), unlimited) in works.iter().zip(limited).zip(unlimited) {
        println!(
            "{name}: {:.2} times as long; results {}; peak {:.2} of the limit",
            limited.time.as_secs_f64() / unlimited.time.as_secs_f64(),
            if limited.checksums == unlimited.checksums { "equal" } else { "DIFFER" },
            limited.peak as f64 / limit as f64,
        );
    }
    Ok(())
}

type Work = fn(&Table, &Context) -> Result<Vec<Column>>;

struct Outcome {
    time: Duration,
    peak: usize,
    checksums: Vec<u64>,
}

fn run(name: &str, limit: Option<usize>, rows: usize, work: Work, base: usize) -> Result<Outcome> {
    let ctx = &Context::current();
    set_limit(limit)?;
    SpillManager::global().take_peak(Device::Cpu);
    let memory = Sampler::start();
    let table = table(rows, ctx)?;
    let start = Instant::now();
    let result = work(&table, ctx)?;
    let time = start.elapsed();
    let checksums = result.iter().map(|column| checksum(column, ctx)).collect::<Result<_>>()?;
    let peak = memory.stop().saturating_sub(base);
    let limit = limit.map_or("unlimited".into(), |limit| format!("{} MB", limit / MB));
    let counted = SpillManager::global().take_peak(Device::Cpu);
    let (time_s, peak_mb, counted_mb) = (time.as_secs_f64(), peak / MB, counted / MB);
    println!("{name}, {limit}: {time_s:.2} s, peak {peak_mb} MB, of it counted {counted_mb} MB");
    Ok(Outcome { time, peak, checksums })
}

/// The limit of memory that work is to stay within.
fn set_limit(limit: Option<usize>) -> Result<()> {
    let options = SpillOptions { enabled: limit.is_some(), device_limit: limit, ..SpillOptions::default() };
    SpillManager::global().set_options(options)
}

fn sort(table: &Table, ctx: &Context) -> Result<Vec<Column>> {
    let keys = table.select(&[1])?;
    Ok(sort_by_key(table, &keys, &[Order::Ascending], NullOrder::Last, ctx)?.into_columns())
}

fn group_by(table: &Table, ctx: &Context) -> Result<Vec<Column>> {
    aggregates(table, 0, ctx)
}

fn many_groups(table: &Table, ctx: &Context) -> Result<Vec<Column>> {
    aggregates(table, 2, ctx)
}

fn aggregates(table: &Table, key: usize, ctx: &Context) -> Result<Vec<Column>> {
    let grouping = group(&table.select(&[key])?, true, ctx)?;
    let columns = table.columns();
    let mut requests = vec![(&columns[9], Aggregation::Min), (&columns[9], Aggregation::Count)];
    for column in &columns[3..9] {
        requests.extend([
            (column, Aggregation::Sum),
            (column, Aggregation::Mean),
            (column, Aggregation::Max),
        ]);
    }
    let mut results = aggregate(&grouping, &requests, ctx)?;
    results.push(grouping.first_rows);
    Ok(results)
}

/// Ten columns: keys of ten thousand values, of 64 bits and of a million values, three columns of
/// integers, three of floats, and text.
fn table(rows: usize, ctx: &Context) -> Result<Table> {
    let random = |column: u64, row: usize| Random(column << 48 | row as u64).next();
    let ints = |column: u64, bound: u64| -> Result<Column> {
        let value = |row| ((u128::from(random(column, row)) * u128::from(bound)) >> 64) as i64;
        Ok(Column::from_values(HostUVec::from_fn(rows, ctx, value)?))
    };
    let floats = |column: u64| -> Result<Column> {
        let value = |row| (random(column, row) >> 11) as f64 / (1u64 << 53) as f64;
        Ok(Column::from_values(HostUVec::from_fn(rows, ctx, value)?))
    };
    let words: Vec<String> = (0..1000).map(|i| format!("wort {i}")).collect();
    let text = strings::from_fn(rows, ctx, |row| Some(words[(random(9, row) % 1000) as usize].as_str()))?;
    let mut columns = vec![ints(0, 10_000)?, ints(1, u64::MAX)?, ints(2, 1_000_000)?];
    for column in 3..6 {
        columns.push(ints(column, 1 << 40)?);
    }
    for column in 6..9 {
        columns.push(floats(column)?);
    }
    columns.push(text);
    Table::new(columns)
}

/// A number that depends on every value and its place; reads some rows at a time.
fn checksum(column: &Column, ctx: &Context) -> Result<u64> {
    const ROWS: usize = 1 << 18;
    let mut sum = 0u64;
    let mut add = |bits: u64| sum = (sum ^ bits).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    for start in (0..column.len()).step_by(ROWS) {
        let piece = column.copy_rows(start, ROWS.min(column.len() - start), ctx)?;
        add(piece.null_count().unwrap() as u64);
        let view = piece.view()?;
        dispatch_storage!(piece.data_type(), T => {
            use cuprum_column::Native;
            for value in view.values::<T>()? {
                add(if T::IS_FLOAT { value.as_f64().to_bits() } else { value.as_i64() as u64 });
            }
        }, else => {
            for text in view.strings()?.iter().flatten() {
                add(text.len() as u64);
                text.bytes().for_each(|byte| add(byte.into()));
            }
        });
    }
    Ok(sum)
}

/// Watches the anonymous memory of this process.
struct Sampler {
    peak: Arc<AtomicUsize>,
    done: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<()>,
}

impl Sampler {
    fn start() -> Self {
        let (peak, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let thread = std::thread::spawn({
            let (peak, done) = (Arc::clone(&peak), Arc::clone(&done));
            move || {
                while !done.load(Ordering::Relaxed) {
                    peak.fetch_max(anonymous_memory(), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
        });
        Self { peak, done, thread }
    }

    /// The peak in bytes.
    fn stop(self) -> usize {
        self.done.store(true, Ordering::Relaxed);
        let _ = self.thread.join();
        self.peak.load(Ordering::Relaxed)
    }
}

fn anonymous_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<usize>().ok());
    kilobytes.unwrap_or(0) * 1024
}
