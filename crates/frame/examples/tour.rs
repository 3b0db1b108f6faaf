//! pandas' ten minutes, in Rust: `cargo run --release --example tour`. It checks what it shows; the tests run it.

use cuprum::expression::{Outcome, Variable, Variables};
use cuprum::operations::describe::DescribeOptions;
use cuprum::operations::value_counts::ValueCountsOptions;
use cuprum::prelude::*;
use cuprum::reshape::concat::{Join, RowLabels, concat_rows};
use cuprum::{Error, Result};

/// The whole tour.
pub fn main() -> Result<()> {
    let frame = creation()?;
    viewing(&frame)?;
    selection(&frame)?;
    missing_data(&frame)?;
    operations(&frame)?;
    merging()?;
    grouping()?;
    text_and_times()?;
    formulas(&frame)?;
    files(&frame)
}

fn creation() -> Result<DataFrame> {
    let series = Series::from(vec![Some(1.0), Some(3.0), Some(5.0), None, Some(6.0), Some(8.0)]);
    println!("{series}");

    let frame = df! {
        "name" => ["ada", "grace", "alan", "edsger", "barbara", "donald"],
        "born" => [1815i64, 1906, 1912, 1930, 1939, 1938],
        "score" => [Some(9.5), Some(8.0), None, Some(7.5), Some(9.0), Some(8.5)],
        "field" => ["maths", "navy", "maths", "systems", "languages", "systems"],
    }?;
    println!("{frame}");
    assert_eq!(frame.shape(), (6, 4));
    Ok(frame)
}

fn viewing(frame: &DataFrame) -> Result<()> {
    println!("{}\n{}", frame.head(2)?, frame.tail(-4)?);
    println!("{}", frame.describe(&DescribeOptions::default())?);
    let oldest = frame.sort_by(["born"], Ascending)?;
    assert_eq!(oldest.column("name")?.get(0)?, "ada".into());
    let best = frame.sort_by([col("score"), -col("born")], Descending)?;
    assert_eq!(best.column("name")?.get(0)?, "ada".into());
    Ok(())
}

fn selection(frame: &DataFrame) -> Result<()> {
    // Columns.
    let scores = frame.column("score")?;
    assert_eq!((scores.len(), scores.count()?), (6, 5));
    // Elements as values of Rust, `None` where one is missing.
    let best = scores.f64()?.iter().flatten().fold(f64::MIN, f64::max);
    assert_eq!((best, scores.f64()?.get(2)), (9.5, None));
    let names: Vec<String> = frame.column("name")?.to_vec()?;
    assert_eq!(names[1], "grace");
    assert_eq!(frame.select(["name", "born"])?.num_columns(), 2);
    // Rows by position, by label, and by what is in them.
    assert_eq!(frame.iloc(1..3)?.frame()?.num_rows(), 2);
    let named = frame.set_index(&["name".into()], true)?;
    let grace = named.loc("grace")?.frame()?;
    assert_eq!(grace.column("born")?.get(0)?, Scalar::from(1906i64));
    let young = frame.filter(col("born").gt(1910) & col("score").ge(8.0))?;
    assert_eq!(young.num_rows(), 2);
    let some = frame.filter(col("field").isin(["navy", "languages"]))?;
    assert_eq!(some.num_rows(), 2);
    Ok(())
}

fn missing_data(frame: &DataFrame) -> Result<()> {
    assert_eq!(frame.filter(col("score").notna())?.num_rows(), 5);
    let filled = frame.with_columns([col("score").fillna(col("score").mean())])?;
    assert_eq!(filled.column("score")?.get(2)?, 8.5.into());
    Ok(())
}

fn operations(frame: &DataFrame) -> Result<()> {
    // Statistics skip what is missing.
    let all = frame.select([col("score").mean(), col("born").min().alias("first"), len()])?;
    assert_eq!(all.row(0)?, [Scalar::from(8.5), Scalar::from(1815i64), Scalar::from(6i64)]);
    // New columns from old ones, in one pass over memory.
    let more = frame.with_columns([
        (col("born").floor_div(100) + 1).alias("century"),
        ((col("score") - col("score").mean()) / col("score").std()).alias("standard"),
        when(col("score").gt(8.0)).then("high").otherwise("low").alias("grade"),
    ])?;
    println!("{more}");
    assert_eq!(more.column("century")?.get(0)?, Scalar::from(19i64));
    // Between series, rows are matched by their labels.
    let (born, score) = (frame.column("born")?, frame.column("score")?);
    assert_eq!((&born + &score)?.get(0)?, 1824.5.into());
    let counts = frame.column("field")?.value_counts(ValueCountsOptions::default())?;
    assert_eq!(counts.get(0)?, Scalar::from(2i64));
    Ok(())
}

fn merging() -> Result<()> {
    let left = df! { "key" => ["foo", "bar", "baz"], "lval" => [1, 2, 3] }?;
    let right = df! { "key" => ["foo", "bar", "bar"], "rval" => [4, 5, 6] }?;
    let inner = left.join_on(&right, &["key"], How::Inner)?;
    assert_eq!(inner.shape(), (3, 3));
    let options = MergeOptions { how: How::Outer, indicator: Some("from".into()), ..MergeOptions::default() };
    println!("{}", left.merge(&right, &options)?);
    let twice = concat_rows(&[&left, &left], Join::Outer, RowLabels::Number)?;
    assert_eq!(twice.num_rows(), 6);
    Ok(())
}

fn grouping() -> Result<()> {
    let frame = df! {
        "a" => ["foo", "bar", "foo", "bar", "foo"],
        "b" => ["one", "one", "two", "two", "one"],
        "c" => [1.0, 2.0, 3.0, 4.0, 5.0],
    }?;
    let sums = frame.groupby(["a"]).agg([col("c").sum()])?;
    assert_eq!(sums.column("c")?.get(0)?, 6.0.into());
    let spans = frame.groupby(["a", "b"]).agg([
        (col("c").max() - col("c").min()).alias("span"),
        col("c").mean().alias("mean"),
        len().alias("rows"),
    ])?;
    println!("{spans}");
    assert_eq!(spans.index().num_levels(), 2);
    Ok(())
}

fn text_and_times() -> Result<()> {
    let frame = df! {
        "text" => [Some("A"), Some("Aaba"), None, Some("dog")],
        "time" => ["2012-03-06 00:00", "2012-07-01 12:30", "2013-01-01 08:00", "2013-12-31 23:59"],
    }?;
    let frame = frame.with_columns([col("time").cast(DataType::Timestamp(TimeUnit::Seconds))])?;
    let parts = frame.select([
        col("text").str().lower(),
        col("text").str().len().alias("length"),
        col("time").dt().year().alias("year"),
        col("time").dt().strftime("%d.%m.").alias("day"),
    ])?;
    println!("{parts}");
    let late = frame.filter(col("time").ge("2013-01-01") & col("text").str().contains("^d", true))?;
    assert_eq!(late.num_rows(), 1);
    Ok(())
}

fn formulas(frame: &DataFrame) -> Result<()> {
    // pandas' `query` and `eval`.
    let low = Variables::from([("low".to_owned(), Variable::Scalar(Scalar::from(1900i64)))]);
    let found = frame.query("@low < born <= 1930 and field != 'navy'", &low)?;
    assert_eq!(found.num_rows(), 2);
    let Outcome::Frame(more) = frame.eval("age = 2024 - born\nold = age > age.mean()", &low)? else {
        return Err(Error::logic("assignments give a frame"));
    };
    assert_eq!(more.num_columns(), 6);
    // Formulas are values: they print themselves and tell their type before there is work.
    let formula = (col("score") * 2).gt(15);
    assert_eq!(formula.to_string(), "((score * 2) > 15)");
    assert_eq!(frame.dtype_of(&formula)?, Dtype::from(DataType::Bool8));
    let error = frame.filter(col("name") * col("score")).unwrap_err();
    println!("{error}");
    Ok(())
}

fn files(frame: &DataFrame) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("tour-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
    let (csv, parquet) = (folder.join("tour.csv"), folder.join("tour.parquet"));
    frame.write_csv(&csv).delimiter(b';').index(false).finish()?;
    frame.write_parquet(&parquet).finish()?;
    assert!(read_csv(&csv).delimiter(b';').finish()?.equals(frame)?);
    let some = read_parquet(&parquet).columns(["name", "born"]).finish()?;
    assert!(some.equals(&frame.select(["name", "born"])?)?);
    std::fs::remove_dir_all(&folder).map_err(|e| Error::io(&folder, e))
}
