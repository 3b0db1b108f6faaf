//! Tables whose cells pandas 3.1 has too.

use super::*;
use crate::df;
use crate::reshape::crosstab::{CrosstabOptions, Shares, crosstab};

fn sold() -> DataFrame {
    df! {
        "k" => ["a", "a", "b", "b", "a"],
        "l" => [Some("x"), Some("y"), Some("x"), None, Some("x")],
        "v" => [Some(1.0), Some(2.0), Some(3.0), Some(4.0), None],
        "w" => [1i64, 2, 3, 4, 5],
    }
    .unwrap()
}

fn by(index: &[&str], columns: &[&str], values: PivotValues) -> PivotTableOptions {
    let keys = |labels: &[&str]| labels.iter().map(|label| Key::from(*label)).collect();
    PivotTableOptions { values, index: keys(index), columns: keys(columns), ..PivotTableOptions::default() }
}

fn cells(frame: &DataFrame) -> Vec<Vec<Option<f64>>> {
    let column =
        |column: &TypedColumn| (0..column.len()).map(|row| column.get(row).unwrap().as_f64()).collect();
    frame.columns().iter().map(column).collect()
}

fn labels(frame: &DataFrame) -> (Vec<String>, Vec<String>) {
    let texts = |labels: &[Label]| labels.iter().map(ToString::to_string).collect();
    (texts(&frame.index().labels().unwrap()), texts(frame.labels()))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn one_value() {
    let table = sold().pivot_table(Aggregation::Sum, &by(&["k"], &["l"], "w".into())).unwrap();
    assert_eq!(labels(&table), (words(&["a", "b"]), words(&["x", "y"])));
    assert_eq!(cells(&table), [vec![Some(6.0), Some(3.0)], vec![Some(2.0), None]]);
    assert_eq!(table.index().names(), [Some("k".into())]);
    assert_eq!(table.accessor().level_names(), [Some("l".into())]);
}

#[test]
fn all_values_are_an_outer_level() {
    let table = sold().pivot_table(Aggregation::Max, &by(&["k"], &["l"], PivotValues::All)).unwrap();
    assert_eq!(labels(&table).1, words(&["('v', 'x')", "('v', 'y')", "('w', 'x')", "('w', 'y')"]));
    assert_eq!(table.accessor().level_names(), [None, Some("l".into())]);
}

#[test]
fn margins_are_of_complete_rows() {
    let margins = Some("All".to_owned());
    let fill_value = Some(Scalar::from(0i64));
    let options = PivotTableOptions { fill_value, margins, ..by(&["k"], &["l"], "v".into()) };
    let table = sold().pivot_table(Aggregation::Sum, &options).unwrap();
    assert_eq!(labels(&table), (words(&["a", "b", "All"]), words(&["x", "y", "All"])));
    assert_eq!(
        cells(&table),
        [
            vec![Some(1.0), Some(3.0), Some(4.0)],
            vec![Some(2.0), Some(0.0), Some(2.0)],
            vec![Some(3.0), Some(3.0), Some(6.0)],
        ]
    );
    let of_rows = PivotTableOptions { columns: vec![], ..options.clone() };
    let of_rows = sold().pivot_table(Aggregation::Count, &of_rows).unwrap();
    assert_eq!(cells(&of_rows), [[Some(2.0), Some(2.0), Some(4.0)]]);
    // Keys that are no columns follow the rows.
    let values = Key::Values(Some("l".into()), sold().columns()[1].clone());
    let options = PivotTableOptions { columns: vec![values], ..options };
    let of_values = sold().pivot_table(Aggregation::Sum, &options).unwrap();
    assert_eq!(cells(&of_values)[0], [Some(1.0), Some(3.0), Some(4.0)]);
}

#[test]
fn columns_alone_are_rows_of_values() {
    let values = PivotValues::Several(vec!["v".into(), "w".into()]);
    let table = sold().pivot_table(Aggregation::Min, &by(&[], &["k"], values)).unwrap();
    assert_eq!(labels(&table), (words(&["v", "w"]), words(&["a", "b"])));
    assert_eq!(cells(&table), [[Some(1.0), Some(1.0)], [Some(3.0), Some(3.0)]]);
}

#[test]
fn aggregations_by_column_and_by_name() {
    let each =
        PivotAggregation::OfColumns(vec![("w".into(), Aggregation::Sum), ("v".into(), Aggregation::Max)]);
    let table = sold().pivot_table(each, &by(&["k"], &[], PivotValues::All)).unwrap();
    assert_eq!(labels(&table).1, words(&["v", "w"]));
    let several = ["sum", "max"].map(|name| NamedAggregation::of(name).unwrap()).to_vec();
    let table = sold().pivot_table(several, &by(&["k"], &["l"], "w".into())).unwrap();
    assert_eq!(labels(&table).1, words(&["('sum', 'x')", "('sum', 'y')", "('max', 'x')", "('max', 'y')"]));
}

#[test]
fn every_combination_without_dropna() {
    let options = PivotTableOptions { dropna: false, ..by(&["k", "l"], &[], "w".into()) };
    let table = sold().pivot_table(Aggregation::Sum, &options).unwrap();
    assert_eq!(cells(&table), [[Some(6.0), Some(2.0), None, Some(3.0), None, Some(4.0)]]);
    let across = PivotTableOptions {
        dropna: false,
        fill_value: Some(Scalar::from(0i64)),
        ..by(&["w"], &["k", "l"], "w".into())
    };
    let table = sold().pivot_table(Aggregation::Size, &PivotTableOptions { values: "v".into(), ..across });
    assert_eq!(table.unwrap().shape(), (5, 6));
}

#[test]
fn sizes() {
    let Part::Frame(table) = sold().pivot_sizes(&by(&["k"], &["l"], PivotValues::All)).unwrap() else {
        panic!("a frame where keys name columns")
    };
    assert_eq!(cells(&table), [[Some(2.0), Some(1.0)], [Some(1.0), None]]);
    let Part::Series(sizes) = sold().pivot_sizes(&by(&["k"], &[], PivotValues::All)).unwrap() else {
        panic!("a series where keys name rows alone")
    };
    assert_eq!(sizes.len(), 2);
}

#[test]
fn of_no_rows() {
    let none = sold().slice(0, 0).unwrap();
    for margins in [None, Some("All".to_owned())] {
        let options = PivotTableOptions { margins, ..by(&["k"], &["l"], "v".into()) };
        let table = none.pivot_table(Aggregation::Mean, &options).unwrap();
        assert_eq!(table.shape(), (0, 0));
    }
    // Labels of no column are of the type of the key.
    let table = none.pivot_table(Aggregation::Sum, &by(&["k"], &["w"], "v".into())).unwrap();
    let labels = table.accessor().to_index().unwrap();
    assert_eq!((labels.dtype(0), labels.names()), (Dtype::plain(DataType::Int64), &[Some("w".into())][..]));
}

#[test]
fn refusals() {
    let kind =
        |how: Aggregation, options: &PivotTableOptions| sold().pivot_table(how, options).unwrap_err().kind();
    assert_eq!(kind(Aggregation::Sum, &by(&[], &[], "v".into())), ErrorKind::InvalidArgument);
    assert_eq!(kind(Aggregation::Sum, &by(&["z"], &[], "v".into())), ErrorKind::KeyNotFound);
    assert_eq!(kind(Aggregation::Sum, &by(&["k"], &[], "z".into())), ErrorKind::KeyNotFound);
    assert_eq!(kind(Aggregation::Mean, &by(&["v"], &[], "k".into())), ErrorKind::DataType);
    let margins = |name: &str, options| PivotTableOptions { margins: Some(name.into()), ..options };
    let of_columns = margins("All", by(&[], &["k"], "v".into()));
    assert_eq!(kind(Aggregation::Sum, &of_columns), ErrorKind::Unsupported);
    assert_eq!(
        kind(Aggregation::Sum, &margins("l", by(&["k"], &["l"], "v".into()))),
        ErrorKind::InvalidArgument
    );
    let layout = by(&["k"], &["l"], "v".into()).layout();
    let groups = sold().groupby(["k"]).finish().unwrap().aggregate_all(Aggregation::Sum, true).unwrap();
    assert_eq!(sold().pivot_groups(&groups, &layout, None).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let of_columns = PivotLayout { index_levels: 0, ..layout };
    let margins = PivotMargins {
        name: "All".into(),
        by_rows: groups.clone(),
        by_columns: Some(groups.clone()),
        whole: groups.slice(0, 1).unwrap(),
    };
    let error = sold().pivot_groups(&groups, &of_columns, Some(&margins)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn combinations_counted() {
    use crate::dataframe::Source;
    let key = |label: &str| Source::Series(sold().column(label).unwrap());
    let table = crosstab(vec![key("k")], vec![key("l")], &CrosstabOptions::default()).unwrap();
    assert_eq!(cells(&table), [[Some(2.0), Some(1.0)], [Some(1.0), Some(0.0)]]);
    let shares = |normalize| {
        let options =
            CrosstabOptions { normalize: Some(normalize), margins: Some("All".into()), ..Default::default() };
        cells(&crosstab(vec![key("k")], vec![key("l")], &options).unwrap())
    };
    let third = Some(1.0 / 3.0);
    assert_eq!(
        shares(Shares::OfAll),
        [
            vec![Some(0.5), Some(0.25), Some(0.75)],
            vec![Some(0.25), Some(0.0), Some(0.25)],
            vec![Some(0.75), Some(0.25), Some(1.0)]
        ]
    );
    assert_eq!(shares(Shares::OfRows)[1], [third, Some(0.0), Some(0.25)]);
    assert_eq!(
        shares(Shares::OfColumns),
        [vec![Some(2.0 / 3.0), third], vec![Some(1.0), Some(0.0)], vec![Some(0.75), Some(0.25)]]
    );
    // An array without a name, and other names.
    let numbers = Source::Column([1i64, 2, 1, 2, 1].into_iter().collect());
    let means = CrosstabOptions { values: Some((key("v"), Aggregation::Mean)), ..Default::default() };
    let table = crosstab(vec![numbers.clone()], vec![key("k")], &means).unwrap();
    assert_eq!(table.index().names(), [Some("row_0".into())]);
    assert_eq!(cells(&table), [[Some(1.0), Some(2.0)], [Some(3.0), Some(4.0)]]);
    let unlike = CrosstabOptions { row_names: Some(vec![]), ..Default::default() };
    let error = crosstab(vec![numbers], vec![key("k")], &unlike).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}
