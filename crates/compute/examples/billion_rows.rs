//! A billion measurements of a hundred stations: the least, the mean and the greatest of each.
//! `cargo run --release --example billion_rows [ROWS]`, with 1 000 000 000 rows where none are given.
//!
//! The number of the station and the temperature in whole degrees are a byte each, so that a billion rows are 2 GB.
//! Numbers of groups would be 4 bytes a row; small keys are their own numbers, so that these are not written. All of
//! it fits 24 GB of a GPU or of host memory with much to spare. `CUPRUM_DEVICE=cuda` runs it on a GPU.

use std::time::{Duration, Instant};

use cuprum_column::{Column, Context, Device, Error, HostUVec, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::groupby::group_and_aggregate;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::sorting::{NullOrder, sort_by_key};
use cuprum_runtime::random::Random;

const STATIONS: u64 = 100;

/// The example, with as many rows as the first argument says.
pub fn main() -> Result<()> {
    let rows = match std::env::args().nth(1) {
        None => 1_000_000_000,
        Some(text) => text
            .replace('_', "")
            .parse()
            .map_err(|_| Error::invalid_argument(format!("ROWS is '{text}', not a number of rows")))?,
    };
    summary(rows).map(drop)
}

/// The table of stations: number, least, mean and greatest temperature, number of measurements.
pub fn summary(rows: usize) -> Result<Table> {
    let ctx = &Context::current();
    let (stations, degrees) = timed("generated", rows, || measurements(rows, ctx))?;
    let bytes = stations.nbytes() + degrees.nbytes();
    println!("  {:.2} GB on {}", bytes as f64 / 1e9, stations.device());

    // Sums of small integers are of 64 bits: they do not overflow.
    let sum = timed("summed", rows, || reduce(&degrees, Aggregation::Sum, ctx))?;
    println!("  {sum} degrees in all");

    // One pass over the keys, one over the values: a row for each station, in the order in which stations first come.
    let keys = Table::new(vec![stations])?;
    let requests = [Aggregation::Min, Aggregation::Mean, Aggregation::Max, Aggregation::Count];
    let requests = requests.map(|how| (&degrees, how));
    let (groups, results) = timed("grouped", rows, || group_and_aggregate(&keys, true, &requests, ctx))?;
    let policy = OutOfBoundsPolicy::Check;
    let number = gather_column(&keys.columns()[0], &groups.first_rows, policy, ctx)?;
    let by = Table::new(vec![number.clone()])?;
    let columns = std::iter::once(number).chain(results).collect();
    let table = sort_by_key(&Table::new(columns)?, &by, &[], NullOrder::Last, ctx)?.to_host()?;

    println!("{:>7} {:>6} {:>8} {:>6} {:>12}", "station", "least", "mean", "most", "measurements");
    for row in 0..table.num_rows().min(5) {
        let of = |column: usize| table.columns()[column].get(row).map(|value| value.to_string());
        let mean = table.columns()[2].get(row)?.as_f64().unwrap_or(f64::NAN);
        println!("{:>7} {:>6} {mean:>8.3} {:>6} {:>12}", of(0)?, of(1)?, of(3)?, of(4)?);
    }
    println!("    … {} stations", table.num_rows());
    Ok(table)
}

/// A random station for each row, and a temperature around its own: made by all threads, the same by any number.
fn measurements(rows: usize, ctx: &Context) -> Result<(Column, Column)> {
    let host = &Context::on(Device::Cpu)?;
    let station = |row: usize| Random(row as u64).below(STATIONS) as i8;
    let degrees = |row: usize| station(row) / 4 + Random(!(row as u64)).below(41) as i8 - 20;
    let stations = Column::from_values(HostUVec::from_fn(rows, host, station)?).to_device(ctx)?;
    let degrees = Column::from_values(HostUVec::from_fn(rows, host, degrees)?).to_device(ctx)?;
    Ok((stations, degrees))
}

/// Does `work` and says how long it took.
fn timed<R>(what: &str, rows: usize, work: impl FnOnce() -> Result<R>) -> Result<R> {
    let start = Instant::now();
    let result = work()?;
    let took = start.elapsed().max(Duration::from_nanos(1));
    println!(
        "{rows} rows {what} in {took:.2?}: {:.0} million a second",
        rows as f64 / took.as_secs_f64() / 1e6
    );
    Ok(result)
}
