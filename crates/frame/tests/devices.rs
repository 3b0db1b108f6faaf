//! Frames on another device than the chosen one: work runs where the data are, and stays there.

use cuprum::operations::RankOptions;
use cuprum::operations::describe::DescribeOptions;
use cuprum::operations::reduce::MissingElements;
use cuprum::prelude::*;
use cuprum_column::{Device, ErrorKind, Result};
use cuprum_runtime::backend::{Fallback, set_fallback};

fn host() -> Context {
    Context::on(Device::Cpu).unwrap()
}

fn gpu() -> Context {
    Context::on(Device::EMULATOR).unwrap()
}

fn frame(ctx: &Context) -> DataFrame {
    DataFrame::new([
        ("k", Column::from_opt_strs(&[Some("b"), None, Some("a"), Some("b")], ctx).unwrap()),
        ("x", Column::from_options(&[Some(3i64), Some(1), None, Some(2)], ctx).unwrap()),
        ("f", Column::from_slice(&[1.5f64, f64::NAN, -2.0, 0.0], ctx).unwrap()),
    ])
    .unwrap()
}

/// Whether what `f` makes on the emulator stays there and is what it makes on the host.
fn agrees(what: &str, f: impl Fn(&DataFrame) -> Result<DataFrame>) {
    let (here, there) = (f(&frame(&host())).unwrap(), f(&frame(&gpu())).unwrap());
    assert_eq!(there.place(), Some(Device::EMULATOR), "{what}");
    assert_eq!(there.index().place(), Some(Device::EMULATOR), "{what}");
    let back = there.to_host().unwrap();
    assert_eq!(back.place(), Some(Device::Cpu), "{what}");
    assert!(back.equals(&here).unwrap(), "{what}: {} {}", back.head(9).unwrap(), here);
}

#[test]
fn what_is_made_of_a_frame_is_where_the_frame_is() {
    set_fallback(Fallback::Host);
    let rows = |rows: &[i64]| Column::from_slice(rows, &host()).unwrap();
    agrees("sort", |d| d.sort_by(["x"], Ascending));
    agrees("take", |d| d.take(&rows(&[3, 0])));
    agrees("iloc", |d| d.rows_by_position(rows(&[-1, 0])));
    agrees("step", |d| d.rows_by_position(PositionKey::Slice(None, None, Some(-2))));
    agrees("filter", |d| d.filter(d.column("x")?.gt(1)?.data()?));
    agrees("mask of the host", |d| d.filter(&Column::from_bools(&[true, false, true, true], &host())?));
    agrees("loc", |d| d.set_index(&["k".into()], true)?.rows_by_label("b"));
    agrees("labels", |d| d.rows_by_label(rows(&[2, 1])));
    agrees("group-by", |d| {
        d.groupby(["k"]).finish()?.aggregate(&[Request::new("m", "f", Aggregation::Mean)])
    });
    agrees("ranks of groups", |d| d.groupby(["k"]).finish()?.rank(&["x".into()], RankOptions::default()));
    agrees("shift of groups", |d| d.groupby(["k"]).finish()?.shift(&["x".into()], 1, None));
    agrees("merge", |d| {
        d.merge(d, &MergeOptions { on: Some(On::Columns(vec!["k".into()])), ..Default::default() })
    });
    agrees("rank", |d| d.rank(RankOptions::default()));
    // Sums of floats are exact on a GPU, so the spread of "f" may differ in its last bit.
    agrees("describe", |d| {
        d.drop_columns(&["f".into()])?.describe(&DescribeOptions { percentiles: vec![0.5], all: false })
    });
    agrees("transpose", |d| d.numbers()?.transpose());
    agrees("rows", |d| Ok(d.numbers()?.reduce_rows(Aggregation::Sum, MissingElements::Skip)?.to_frame(None)));
    agrees("isna", Frame::isna);
    agrees("reset_index", |d| {
        d.sort_by(
            ["x"],
            SortOptions { orders: vec![Descending], nulls: NullOrder::First, ..SortOptions::default() },
        )?
        .reset_index()
    });
    agrees("rows of a range", |d| d.drop_rows(&rows(&[1]).into()));
    agrees("categories", |d| {
        let column = d.column("k")?;
        let kind = cuprum::types::Categorical::encode_distinct(column.column(), true)?;
        d.with_column("c", kind)?.sort_by(["c"], Ascending)
    });
    agrees("writing", |d| {
        let mut changed = d.clone();
        changed.set_rows(&rows(&[0, 2]), &"x".into(), &Scalar::from(9i64))?;
        assert_eq!(d.column("x")?.get(0)?.as_i64(), Some(3));
        Ok(changed)
    });
}

#[test]
fn two_devices_are_refused_by_name() {
    set_fallback(Fallback::Host);
    let (here, there) = (frame(&host()), frame(&gpu()));
    let both = |error: cuprum::Error| {
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let text = error.to_string();
        assert!(text.contains("cpu") && text.contains("emulator"), "{text}");
    };
    both(here.column("x").unwrap().binary(&there.column("x").unwrap(), BinaryOperator::Add).unwrap_err());
    both(here.binary(&there, BinaryOperator::Add).unwrap_err());
    both(here.assign("y", &there.column("x").unwrap()).unwrap_err());
    let columns = [("a", here.columns()[1].clone()), ("b", there.columns()[1].clone())];
    both(DataFrame::new(columns).unwrap_err());
    // A column without labels goes where the frame is.
    let column = here.columns()[1].clone();
    assert_eq!(there.with_column("y", column).unwrap().place(), Some(Device::EMULATOR));
    both(here.merge(&there, &MergeOptions::default()).unwrap_err());
    // Labels follow the values.
    let labels = Index::new(Column::from_strs(&["a", "b", "c", "d"], &host()).unwrap(), None).unwrap();
    assert_eq!(there.with_index(labels).unwrap().index().place(), Some(Device::EMULATOR));
}

#[test]
fn columns_without_memory_come_to_be_beside_the_others() {
    set_fallback(Fallback::Host);
    let rows = Column::nulls(DataType::Empty, 4, &host()).unwrap();
    let there = frame(&gpu()).with_column("n", rows).unwrap();
    for made in [there.isna().unwrap(), there.fillna_columns(&[], None).unwrap()] {
        assert_eq!(made.place(), Some(Device::EMULATOR));
    }
}
