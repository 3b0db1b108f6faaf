//! Data sets as frames: formulas as filters, against reading all and filtering then.

use cuprum_column::{ErrorKind, Result};
use cuprum_compute::binaryop::BinaryOperator;

use crate::index::Index;
use crate::io::{
    Dataset, DatasetReader, ParquetCondition, ParquetDatasetAppender, ParquetFilter, ParquetOperator,
    ParquetValue, ParquetWriteOptions, read_orc_dataset, read_parquet_dataset,
};
use crate::prelude::*;
use crate::types::Categories;

fn reader(root: &std::path::Path) -> DatasetReader {
    read_parquet_dataset(Dataset::open(root).unwrap())
}

/// A data set by `k` and `s`, with missing values, NaN, large integers and rows that statistics tell apart.
fn data_set() -> (tempfile::TempDir, DataFrame) {
    let root = tempfile::tempdir().unwrap();
    let rows = 240i64;
    let frame = DataFrame::new([
        (
            "a",
            TypedColumn::from(
                Column::from_slice(&(0..rows).collect::<Vec<_>>(), &Context::current()).unwrap(),
            ),
        ),
        ("n", optional(rows, |i| (i % 5 != 0).then_some(((1i64 << 53) + i) as f64))),
        ("f", optional(rows, |i| (i % 7 != 0).then(|| if i % 11 == 0 { f64::NAN } else { i as f64 / 10.0 }))),
        ("k", optional(rows, |i| (i / 60 != 2).then_some((i / 60) as f64))),
    ]);
    let frame =
        frame.unwrap().with_columns([col("k").cast(Dtype::plain(DataType::Int64)).alias("k")]).unwrap();
    let text = when(col("a").gt(100)).then("é b").otherwise(when(col("a").gt(90)).then("z").otherwise("a=b"));
    let frame = frame.with_columns([text.alias("s"), (col("a") % 3).alias("m")]).unwrap();
    let options = ParquetWriteOptions { row_group_rows: 16, ..Default::default() };
    frame.write_parquet_dataset(root.path(), ["k", "s"]).options(options).finish().unwrap();
    (root, frame)
}

/// A frame whose rows are numbered anew.
fn numbered(frame: &DataFrame) -> DataFrame {
    frame.with_index(Index::range(frame.num_rows())).unwrap()
}

fn optional(rows: i64, value: impl Fn(i64) -> Option<f64>) -> TypedColumn {
    Column::from_options(&(0..rows).map(value).collect::<Vec<_>>(), &Context::current()).unwrap().into()
}

#[test]
fn filters_are_those_of_frames() {
    let (root, _) = data_set();
    let plain = reader(root.path()).keys_as_categories(false).finish().unwrap();
    assert_eq!(plain.num_rows(), 240);
    let formulas = [
        col("a").gt(150),
        col("a").eq(17) | col("a").eq(200),
        col("k").eq(1),
        col("k").gt(0) & col("s").eq("é b"),
        col("k").ne(1),
        col("k").isna(),
        !col("k").eq(1),
        col("s").isin(["z", "nope"]) & col("a").lt(95),
        col("f").lt(0.3),
        col("f").ne(0.2),
        col("f").ge(3.0) & col("f").le(4.5),
        col("n").gt((1i64 << 53) + 7),
        col("n").eq(((1i64 << 53) + 8) as f64),
        lit(20).gt(col("a")),
        col("a").gt(200) & col("a").gt(col("a").mean()),
        col("a").gt(3) & col("m").shift(1).eq(0),
        col("a").operate(BinaryOperator::Mul, 2).eq(20),
        col("a").gt(1000),
        col("k").eq(9) & col("a").gt(0),
        col("s").str().starts_with("é") & col("a").lt(125),
        col("m").eq(1) & col("a").isin([1, 4, 100_000_000]),
    ];
    for formula in formulas {
        let expected = numbered(&plain.filter(formula.clone()).unwrap());
        let got = reader(root.path()).keys_as_categories(false).filter(formula.clone()).finish().unwrap();
        assert!(got.equals(&expected).unwrap(), "{formula}\n{got}\n{expected}");
        let some = reader(root.path()).columns(["s", "a"]).filter(formula.clone()).finish().unwrap();
        assert_eq!(some.labels(), ["s".into(), "a".into()], "{formula}");
        assert_eq!(some.num_rows(), expected.num_rows(), "{formula}");
        let Dtype::Categorical(kind) = some.columns()[0].dtype() else { panic!("{formula}") };
        assert_eq!(kind.categories().len(), 3);
        assert!(!kind.categories().is_ordered());
    }
}

#[test]
fn filters_open_only_files_of_their_keys() {
    let (root, _) = data_set();
    let text = std::fs::read_dir(root.path().join("k=0")).unwrap().next().unwrap().unwrap();
    assert_eq!(text.file_name(), "s=a%3Db");
    std::fs::write(text.path().join("part-0.parquet"), "nothing").unwrap();
    let read = |formula: Expr| reader(root.path()).filter(formula).finish();
    assert_eq!(read(col("k").eq(1) & col("s").eq("é b")).unwrap().num_rows(), 19);
    assert!(read(col("a").ge(0)).unwrap_err().to_string().contains("k=0"));
}

#[test]
fn what_formulas_cannot_be() -> Result<()> {
    let (root, _) = data_set();
    for (formula, kind) in [
        (col("nope").eq(1), ErrorKind::KeyNotFound),
        (col("s").gt(1), ErrorKind::DataType),
        (col("a") + 1, ErrorKind::DataType),
    ] {
        let error = reader(root.path()).filter(formula.clone()).finish().unwrap_err();
        assert_eq!(error.kind(), kind, "{formula}: {error}");
    }
    let counted = reader(root.path()).filter(col("a").gt(1)).rows(3).finish();
    assert_eq!(counted.unwrap_err().kind(), ErrorKind::Unsupported);
    let one = ParquetCondition::new("m", ParquetOperator::Equal, ParquetValue::Int(1));
    let conditions = ParquetFilter::all([one]);
    let both = reader(root.path()).conditions(conditions).filter(col("a").lt(9)).finish()?;
    assert_eq!(both.num_rows(), 3);
    Ok(())
}

/// Files have categories as texts, whose order is another one.
#[test]
fn categories_in_an_order() -> Result<()> {
    let root = tempfile::tempdir().unwrap();
    let sizes = Column::from_strs(&["small", "large", "medium"], &Context::current())?;
    let kind = Categories::new(TypedColumn::from(sizes.clone()), true)?;
    let kind = crate::types::Categorical::of(kind);
    let frame = DataFrame::new([("size", kind.encode(&sizes.into())?)])?;
    frame.write_parquet(root.path().join("f")).finish()?;
    for formula in [col("size").gt("small"), col("size").le("large"), col("size").eq("large")] {
        let got = reader(root.path()).filter(formula.clone()).finish()?;
        let expected = numbered(&frame.filter(formula.clone())?);
        assert!(got.equals(&expected)?, "{formula}\n{got}");
    }
    Ok(())
}

#[test]
fn orc_and_frames_one_after_the_other() -> Result<()> {
    let root = tempfile::tempdir().unwrap();
    for (key, value) in [("1", 5), ("2", 8)] {
        let directory = root.path().join(format!("k={key}"));
        std::fs::create_dir(&directory).unwrap();
        df! { "a" => [value, value + 1] }?.write_orc(directory.join("f")).finish()?;
    }
    let got =
        read_orc_dataset(Dataset::open(root.path())?).filter(col("a").eq(8) & col("k").gt(1)).finish()?;
    assert_eq!(got.shape(), (1, 2));
    let to = root.path().join("p");
    let mut appender = ParquetDatasetAppender::new(&to, vec!["k".into()]);
    appender.write(&df! { "a" => [1, 2], "k" => ["x", "y"] }?)?;
    appender.write(&df! { "a" => [3], "k" => ["x"] }?)?;
    let unlike = appender.write(&df! { "a" => ["text"], "k" => ["x"] }?);
    assert_eq!(unlike.unwrap_err().kind(), ErrorKind::DataType);
    assert_eq!(appender.finish().unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert!(!to.exists());
    Ok(())
}
