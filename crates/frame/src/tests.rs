//! Tests of the frame layer: pandas' behaviour, with results taken from pandas 3.1.

use crate::display::{DisplayOptions, FloatFormat, HtmlOptions};
use crate::frame::SampleOptions;
use crate::groupby::{GroupBy, GroupByOptions};
use crate::index::RangeIndex;
use crate::operations::Interpolation;
use crate::operations::describe::DescribeOptions;
use crate::operations::extremes::Extreme;
use crate::operations::value_counts::ValueCountsOptions;
use crate::prelude::*;
use crate::reshape::concat::{Join, RowLabels, concat_rows, concat_series, concat_side_by_side};
use crate::{ErrorKind, Result, reshape::merge::Validate};
use cuprum_compute::reduce::CumulativeOp;
use cuprum_compute::replace::FillDirection;
use cuprum_testing::assert_column_eq;

fn ints(values: &[i64]) -> Column {
    Column::from_slice(values, &Context::current()).unwrap()
}

fn floats(values: &[Option<f64>]) -> Column {
    Column::from_options(values, &Context::current()).unwrap()
}

fn texts(values: &[&str]) -> Column {
    Column::from_strs(values, &Context::current()).unwrap()
}

fn labelled(values: &[i64], labels: &[&str]) -> Series {
    Series::new(ints(values), None, Index::from_column(texts(labels), None)).unwrap()
}

fn to_ints(column: &Column) -> Vec<Option<i64>> {
    (0..column.len()).map(|i| column.get(i).unwrap().as_i64()).collect()
}

fn to_texts(column: &Column) -> Vec<String> {
    (0..column.len()).map(|i| column.get(i).unwrap().as_str().unwrap_or("<null>").to_owned()).collect()
}

fn kind<T: std::fmt::Debug>(result: Result<T>) -> ErrorKind {
    result.unwrap_err().kind()
}

fn sales() -> DataFrame {
    DataFrame::new([
        ("shop", texts(&["b", "a", "b", "c", "a"])),
        ("item", texts(&["x", "x", "y", "x", "y"])),
        ("sold", ints(&[3, 1, 4, 1, 5])),
        ("price", floats(&[Some(1.5), None, Some(f64::NAN), Some(2.0), Some(0.5)])),
    ])
    .unwrap()
}

#[test]
fn arithmetic_matches_labels_and_sorts_their_union() {
    let a = labelled(&[1, 2, 3], &["y", "x", "z"]);
    let b = labelled(&[10, 20], &["w", "x"]);
    let sum = (&a + &b).unwrap();
    assert_eq!(to_texts(sum.index().level(0).unwrap().data().unwrap()), ["w", "x", "y", "z"]);
    assert_eq!(to_ints(sum.data().unwrap()), [None, Some(22), None, None]);
    assert_eq!(kind(a.binary(&b, BinaryOperator::Less)), ErrorKind::InvalidArgument);
    // The same labels in the same order need no alignment, also where they repeat.
    let c = labelled(&[1, 2, 3], &["k", "k", "j"]);
    assert_eq!(to_ints((&c + &c).unwrap().data().unwrap()), [Some(2), Some(4), Some(6)]);
    // A repeated label pairs with every row of the other side.
    let d = (&c + &labelled(&[10], &["k"])).unwrap();
    assert_eq!(to_ints(d.data().unwrap()), [None, Some(11), Some(12)]);
}

#[test]
fn scalars_are_weak_and_comparisons_never_missing() {
    let small = Series::from_column(Column::from_slice(&[1i8, 2], &Context::current()).unwrap(), None);
    assert_eq!((&small + 1).unwrap().dtype().storage(), DataType::Int8);
    assert_eq!((&small + 1.5).unwrap().dtype().storage(), DataType::Float64);
    assert_eq!(kind(&small + 300), ErrorKind::Overflow);
    assert_column_eq(
        small.lt(300).unwrap().data().unwrap(),
        &Column::from_bools(&[true, true], &Context::current()).unwrap(),
    );
    let x = Series::from_column(floats(&[Some(1.0), None, Some(f64::NAN)]), None);
    let bools = |values: &[bool]| Column::from_bools(values, &Context::current()).unwrap();
    assert_column_eq(x.gt(0.0).unwrap().data().unwrap(), &bools(&[true, false, false]));
    assert_column_eq(x.ne(1.0).unwrap().data().unwrap(), &bools(&[false, true, true]));
    assert_eq!(kind(x.eq("text")), ErrorKind::DataType);
}

#[test]
fn integers_divided_by_zero_become_floats() {
    let s = Series::from_column(ints(&[-7, 0, 7]), None);
    let numbers =
        |s: Series| (0..3).map(|i| s.data().unwrap().get(i).unwrap().as_f64().unwrap()).collect::<Vec<_>>();
    let quotients = numbers(s.binary_scalar(&0i64.into(), BinaryOperator::FloorDiv, false).unwrap());
    assert!(quotients[0] == f64::NEG_INFINITY && quotients[1].is_nan() && quotients[2] == f64::INFINITY);
    let other = Series::from_column(ints(&[2, 0, 2]), None);
    let rests = numbers(s.binary(&other, BinaryOperator::Mod).unwrap());
    assert!(rests[0] == 1.0 && rests[1].is_nan() && rests[2] == 1.0);
    assert_eq!(
        to_ints(s.binary_scalar(&2i64.into(), BinaryOperator::FloorDiv, false).unwrap().data().unwrap()),
        [-4, 0, 3].map(Some)
    );
}

#[test]
fn groups_are_sorted_and_skip_missing_values() {
    let frame = sales();
    let result = frame
        .groupby(["shop"])
        .finish()
        .unwrap()
        .aggregate(&[
            Request::new("sold", "sold", Aggregation::Sum),
            Request::new("price", "price", Aggregation::Mean),
            Request::new("n", "price", Aggregation::Count),
        ])
        .unwrap();
    assert_eq!(to_texts(result.index().level(0).unwrap().data().unwrap()), ["a", "b", "c"]);
    assert_eq!(result.index().name(), Some(&"shop".into()));
    assert_eq!(to_ints(result.column("sold").unwrap().data().unwrap()), [Some(6), Some(7), Some(1)]);
    assert_eq!(to_ints(result.column("n").unwrap().data().unwrap()), [Some(1), Some(1), Some(1)]);
    let options = GroupByOptions { sort: false, as_index: false, ..GroupByOptions::default() };
    let keys = ["shop".into(), "item".into()];
    let flat = GroupBy::by_labels(&frame, &keys, options).unwrap();
    let flat = flat.aggregate_all(Aggregation::Sum, true).unwrap();
    assert_eq!(flat.shape(), (5, 4));
    assert_eq!(to_texts(flat.column("shop").unwrap().data().unwrap()), ["b", "a", "b", "c", "a"]);
    assert_eq!(kind(frame.groupby(["shpo"]).finish()), ErrorKind::KeyNotFound);
}

#[test]
fn columns_of_one_label_are_each_aggregated() {
    let frame =
        df! { "k" => ["x", "y", "x"], "a" => [1i64, 3, 5], "b" => [2i64, 4, 6], "t" => ["p", "q", "r"] };
    let frame = frame.unwrap().with_labels(["k", "a", "a", "a"].map(Label::from).to_vec()).unwrap();
    let groups = frame.groupby(["k"]).finish().unwrap();
    let ints = |frame: &DataFrame, at: usize| to_ints(frame.columns()[at].data().unwrap());
    let sums = groups.aggregate_all(Aggregation::Sum, true).unwrap();
    assert_eq!((ints(&sums, 0), ints(&sums, 1)), (vec![Some(6), Some(3)], vec![Some(8), Some(4)]));
    assert_eq!(sums.labels(), [Label::from("a"), Label::from("a")]);
    let counts = groups.aggregate_all(Aggregation::Count, false).unwrap();
    assert_eq!((counts.num_columns(), ints(&counts, 2)), (3, vec![Some(2), Some(1)]));
    // The label is ambiguous.
    let one = groups.aggregate(&[Request::new("a", "a", Aggregation::Sum)]);
    assert_eq!(kind(one), ErrorKind::InvalidArgument);
}

#[test]
fn a_missing_key_is_a_group_only_when_asked_for() {
    let frame = DataFrame::new([
        ("k", floats(&[Some(2.0), None, Some(f64::NAN), Some(1.0)])),
        ("v", ints(&[1, 2, 4, 8])),
    ])
    .unwrap();
    let sums = |dropna| {
        let options = GroupByOptions { dropna, ..GroupByOptions::default() };
        let groups = GroupBy::by_labels(&frame, &["k".into()], options).unwrap();
        to_ints(groups.aggregate_all(Aggregation::Sum, false).unwrap().column("v").unwrap().data().unwrap())
    };
    assert_eq!(sums(true), [Some(8), Some(1)]);
    assert_eq!(sums(false), [Some(8), Some(1), Some(6)]);
}

#[test]
fn transform_and_group_numbers_go_back_to_the_rows() {
    let frame = sales();
    let groups = frame.groupby(["shop"]).finish().unwrap();
    let total = groups.transform(&"sold".into(), Aggregation::Sum).unwrap();
    assert_eq!(to_ints(total.data().unwrap()), [7, 6, 7, 1, 6].map(Some));
    assert_eq!(to_ints(groups.ngroup().unwrap().data().unwrap()), [1, 0, 1, 2, 0].map(Some));
    assert_eq!(to_ints(groups.size().unwrap().data().unwrap()), [2, 2, 1].map(Some));
}

fn pair() -> (DataFrame, DataFrame) {
    let left = DataFrame::new([("k", ints(&[2, 1, 3, 2])), ("v", ints(&[10, 11, 12, 13]))]).unwrap();
    let right = DataFrame::new([("k", ints(&[1, 2, 2, 4])), ("v", ints(&[20, 21, 22, 23]))]).unwrap();
    (left, right)
}

#[test]
fn joins_have_the_rows_and_the_order_of_pandas() {
    let (left, right) = pair();
    let rows = |how| {
        let joined = left.join_on(&right, &["k"], how).unwrap();
        assert_eq!(joined.labels(), ["k".into(), "v_x".into(), "v_y".into()]);
        let column = |name: &str| to_ints(joined.column(name).unwrap().data().unwrap());
        let (k, x, y) = (column("k"), column("v_x"), column("v_y"));
        (0..k.len()).map(|i| (k[i].unwrap(), x[i].unwrap_or(0), y[i].unwrap_or(0))).collect::<Vec<_>>()
    };
    let twos = [(2, 10, 21), (2, 10, 22)];
    let inner = [&twos[..], &[(1, 11, 20), (2, 13, 21), (2, 13, 22)]].concat();
    assert_eq!(rows(How::Inner), inner);
    assert_eq!(rows(How::Left), [&twos[..], &[(1, 11, 20), (3, 12, 0), (2, 13, 21), (2, 13, 22)]].concat());
    assert_eq!(
        rows(How::Right),
        [(1, 11, 20), (2, 10, 21), (2, 13, 21), (2, 10, 22), (2, 13, 22), (4, 0, 23)]
    );
    assert_eq!(
        rows(How::Outer),
        [(1, 11, 20), (2, 10, 21), (2, 10, 22), (2, 13, 21), (2, 13, 22), (3, 12, 0), (4, 0, 23)]
    );
}

#[test]
fn as_many_pairs_as_left_rows_are_not_the_left_rows() {
    let left = DataFrame::new([("k", ints(&[2, 1, 3])), ("v", ints(&[10, 11, 12]))]).unwrap();
    let right = DataFrame::new([("k", ints(&[1, 1, 2]))]).unwrap();
    let joined = left.join_on(&right, &["k"], How::Inner).unwrap();
    assert_eq!(to_ints(joined.column("v").unwrap().data().unwrap()), [10, 11, 11].map(Some));
}

#[test]
fn other_joins_and_their_errors() {
    let (left, right) = pair();
    let semi = left.join_on(&right, &["k"], How::LeftSemi).unwrap();
    assert_eq!(to_ints(semi.column("v").unwrap().data().unwrap()), [10, 11, 13].map(Some));
    let anti = left.join_on(&right, &["k"], How::LeftAnti).unwrap();
    assert_eq!(to_ints(anti.column("v").unwrap().data().unwrap()), [Some(12)]);
    let cross = MergeOptions { how: How::Cross, ..MergeOptions::default() };
    assert_eq!(left.merge(&right, &cross).unwrap().shape(), (16, 4));
    let options = MergeOptions {
        how: How::Outer,
        on: Some(On::Pairs(vec!["k".into()], vec!["v".into()])),
        indicator: Some("_merge".into()),
        ..MergeOptions::default()
    };
    let outer = left.merge(&right, &options).unwrap();
    assert_eq!(outer.shape(), (8, 5));
    assert_eq!(
        &to_texts(outer.column("_merge").unwrap().column().decoded().unwrap().data().unwrap())[..5],
        ["left_only"; 4].iter().map(|s| (*s).to_owned()).chain(["right_only".to_owned()]).collect::<Vec<_>>()
    );
    let unique = MergeOptions {
        validate: Validate::OneToOne,
        on: Some(On::Columns(vec!["k".into()])),
        ..MergeOptions::default()
    };
    assert_eq!(kind(left.merge(&right, &unique)), ErrorKind::InvalidArgument);
    let words = DataFrame::new([("k", texts(&["1"]))]).unwrap();
    let error = left.join_on(&words, &["k"], How::Inner).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("'k'") && error.to_string().contains("int64"), "{error}");
    let none = MergeOptions {
        suffixes: (None, None),
        on: Some(On::Columns(vec!["k".into()])),
        ..MergeOptions::default()
    };
    assert!(left.merge(&right, &none).unwrap_err().to_string().contains("columns overlap"));
}

#[test]
fn joining_row_labels_makes_them_the_labels_of_the_result() {
    let (left, right) = pair();
    let (left, right) =
        (left.set_index(&["k".into()], true).unwrap(), right.set_index(&["k".into()], true).unwrap());
    let options = MergeOptions { on: Some(On::Indexes), ..MergeOptions::default() };
    let joined = left.merge(&right, &options).unwrap();
    assert_eq!(to_ints(joined.index().level(0).unwrap().data().unwrap()), [2, 2, 1, 2, 2].map(Some));
    assert_eq!(joined.index().name(), Some(&"k".into()));
}

#[test]
fn selection_by_label() {
    let s = labelled(&[1, 2, 3, 4], &["a", "b", "b", "d"]);
    let one = |key: &str| s.rows_by_label(Label::from(key));
    assert_eq!(to_ints(one("b").unwrap().data().unwrap()), [Some(2), Some(3)]);
    assert_eq!(kind(one("c")), ErrorKind::KeyNotFound);
    let slice = s.rows_by_label("b"..="c").unwrap();
    assert_eq!(to_ints(slice.data().unwrap()), [Some(2), Some(3)]);
    let list = s.rows_by_label(texts(&["d", "b"])).unwrap();
    assert_eq!(to_ints(list.data().unwrap()), [Some(4), Some(2), Some(3)]);
    assert_eq!(kind(s.rows_by_label(texts(&["d", "q"]))), ErrorKind::KeyNotFound);
    // A range index is never materialised to find a label.
    let r = Series::from_column(ints(&[5, 6, 7]), None);
    assert_eq!(to_ints(r.rows_by_label(1i64..).unwrap().data().unwrap()), [Some(6), Some(7)]);
    assert_eq!(kind(r.rows_by_label(Label::from(3i64))), ErrorKind::KeyNotFound);
    assert_eq!(kind(r.rows_by_label(Label::from("x"))), ErrorKind::KeyNotFound);
}

#[test]
fn keys_are_resolved_to_elements_rows_and_columns() {
    let frame = sales().set_index(&["shop".into(), "item".into()], true).unwrap();
    let label = |shop: &str, item: &str| Label::tuple([shop.into(), item.into()]);
    assert_eq!(frame.loc((label("a", "y"), "sold")).unwrap().element().unwrap(), Scalar::from(5i64));
    assert_eq!(kind(frame.loc(label("a", "q"))), ErrorKind::KeyNotFound);
    assert_eq!(kind(frame.loc((.., "nope"))), ErrorKind::KeyNotFound);
    assert_eq!(kind(frame.loc((.., 7))), ErrorKind::KeyNotFound);
    assert_eq!(kind(frame.iloc((0, 9))), ErrorKind::OutOfRange);
    assert_eq!(kind(frame.iloc(i64::MIN)), ErrorKind::OutOfRange);
    let mask = Column::from_bools(&[true], &Context::current()).unwrap();
    assert_eq!(kind(frame.loc(mask.clone())), ErrorKind::OutOfRange);
    assert_eq!(kind(frame.iloc((.., mask))), ErrorKind::OutOfRange);
    assert!(frame.loc("a").unwrap().element().is_err());
}

#[test]
fn an_assignment_that_fails_changes_nothing() {
    let mut frame = sales();
    let before = frame.clone();
    let several = || Column::from_slice(&[1i64, 2], &Context::current()).unwrap();
    assert_eq!(kind(frame.set_loc((0, "sold"), several())), ErrorKind::InvalidArgument);
    assert_eq!(kind(frame.set_loc((9, "sold"), several())), ErrorKind::InvalidArgument);
    assert_eq!(kind(frame.set_loc((.., "shop"), 1)), ErrorKind::DataType);
    assert_eq!(kind(frame.set_loc(([0, 9], "sold"), 1)), ErrorKind::KeyNotFound);
    assert_eq!(kind(frame.set_iloc((9, 0), 1)), ErrorKind::OutOfRange);
    assert!(frame.equals(&before).unwrap());
    frame.set_loc((0, "sold"), 7).unwrap();
    assert!(!frame.equals(&before).unwrap(), "and copies keep what they had");
}

#[test]
fn selection_by_position() {
    let frame = sales();
    let rows =
        |r: PositionKey| to_ints(frame.rows_by_position(r).unwrap().column("sold").unwrap().data().unwrap());
    assert_eq!(rows(PositionKey::Slice(None, None, Some(-2))), [5, 4, 3].map(Some));
    assert_eq!(rows(PositionKey::Column(ints(&[-1, 0, 0]))), [5, 3, 3].map(Some));
    assert_eq!(kind(frame.rows_by_position(PositionKey::Column(ints(&[5])))), ErrorKind::OutOfRange);
    assert_eq!(kind(frame.rows_by_position(PositionKey::Column(ints(&[-6])))), ErrorKind::OutOfRange);
    assert_eq!(
        kind(frame.filter(&Column::from_bools(&[true], &Context::current()).unwrap())),
        ErrorKind::OutOfRange
    );
    assert_eq!(kind(frame.filter(&ints(&[1; 5]))), ErrorKind::DataType);
    assert_eq!(frame.head(-2).unwrap().num_rows(), 3);
    assert_eq!(frame.tail(i64::MIN).unwrap().num_rows(), 0);
    assert_eq!(frame.head(0).unwrap().shape(), (0, 4));
}

#[test]
fn hierarchical_rows() {
    let frame = sales().set_index(&["shop".into(), "item".into()], true).unwrap();
    let inner = frame.rows_by_label(Label::from("a")).unwrap();
    assert_eq!(to_texts(inner.index().level(0).unwrap().data().unwrap()), ["x", "y"]);
    let both = frame.rows_by_label(Label::tuple(["a".into(), "y".into()])).unwrap();
    assert_eq!(to_ints(both.column("sold").unwrap().data().unwrap()), [Some(5)]);
    let sorted = frame.sort_index(Ascending).unwrap();
    assert_eq!(to_ints(sorted.column("sold").unwrap().data().unwrap()), [1, 5, 3, 4, 1].map(Some));
    assert!(sorted.reset_index().unwrap().drop_index().equals(&sorted.reset_index().unwrap()).unwrap());
}

#[test]
fn sorting_keeps_missing_last_and_equal_rows_in_order() {
    let frame = sales();
    let by_price = frame.sort_by(["price"], Descending).unwrap();
    assert_eq!(to_ints(by_price.index().level(0).unwrap().data().unwrap()), [3, 0, 4, 1, 2].map(Some));
    let by_two = frame
        .sort_by(
            ["item", "sold"],
            SortOptions {
                orders: vec![Ascending, Descending],
                nulls: NullOrder::First,
                ..SortOptions::default()
            },
        )
        .unwrap();
    assert_eq!(to_ints(by_two.column("sold").unwrap().data().unwrap()), [3, 1, 1, 5, 4].map(Some));
    assert_eq!(to_ints(by_two.index().level(0).unwrap().data().unwrap()), [0, 1, 3, 4, 2].map(Some));
    let best = frame.top(2, &["sold".into()], Extreme::Max).unwrap();
    assert_eq!(to_ints(best.column("sold").unwrap().data().unwrap()), [Some(5), Some(4)]);
    assert_eq!(kind(frame.sort_by(["item"], [Ascending, Ascending])), ErrorKind::InvalidArgument);
}

#[test]
fn concatenation_promotes_and_fills() {
    let a = DataFrame::new([("x", ints(&[1])), ("y", texts(&["p"]))]).unwrap();
    let b = DataFrame::new([("x", floats(&[Some(2.5)])), ("z", ints(&[9]))]).unwrap();
    let outer = concat_rows(&[&a, &b], Join::Outer, RowLabels::Keep).unwrap();
    assert_eq!(outer.labels(), ["x".into(), "y".into(), "z".into()]);
    assert_eq!(outer.column("x").unwrap().dtype().storage(), DataType::Float64);
    assert_eq!(to_ints(outer.column("z").unwrap().data().unwrap()), [None, Some(9)]);
    assert_eq!(to_ints(outer.index().level(0).unwrap().data().unwrap()), [Some(0), Some(0)]);
    let inner = concat_rows(&[&a, &b], Join::Inner, RowLabels::Number).unwrap();
    assert_eq!((inner.shape(), inner.index().is_default()), ((2, 1), true));
    assert_eq!(
        kind(concat_rows(
            &[&a, &DataFrame::new([("y", ints(&[1]))]).unwrap()],
            Join::Outer,
            RowLabels::Number
        )),
        ErrorKind::DataType
    );
    assert_eq!(kind(concat_rows(&[], Join::Outer, RowLabels::Number)), ErrorKind::InvalidArgument);
    let both = concat_series(&[&labelled(&[1], &["a"]), &labelled(&[2], &["b"])], RowLabels::Keep).unwrap();
    assert_eq!(to_texts(both.index().level(0).unwrap().data().unwrap()), ["a", "b"]);
    let wide = concat_side_by_side(
        &[
            &labelled(&[1, 2], &["a", "b"]).to_frame(Some("l".into())),
            &labelled(&[3], &["b"]).to_frame(Some("r".into())),
        ],
        Join::Outer,
    )
    .unwrap();
    assert_eq!(to_ints(wide.column("r").unwrap().data().unwrap()), [None, Some(3)]);
}

#[test]
fn missing_values_on_the_frame_floor() {
    let frame = sales();
    assert_eq!(frame.dropna(&[], 4).unwrap().num_rows(), 3);
    assert_eq!(frame.dropna(&["sold".into()], 1).unwrap().num_rows(), 5);
    let filled = frame.column("price").unwrap().fillna(&0i64.into()).unwrap();
    assert_eq!(filled.count().unwrap(), 5);
    assert_eq!(frame.column("price").unwrap().count().unwrap(), 3);
    // Texts of which none is missing stay; others are no numbers.
    let all = frame.fillna(&0i64.into()).unwrap();
    assert_eq!((all.column("item").unwrap().count().unwrap(), all.shape()), (5, frame.shape()));
    let gaps = Column::from_opt_strs(&[Some("x"), None], &Context::current()).unwrap();
    assert_eq!(kind(DataFrame::new([("t", gaps)]).unwrap().fillna(&0i64.into())), ErrorKind::DataType);
    let price = frame.column("price").unwrap();
    let found = price.isin(&floats(&[Some(f64::NAN), Some(2.0)]).into()).unwrap();
    assert_eq!(to_ints(found.data().unwrap()), [0, 1, 1, 1, 0].map(Some));
    assert_eq!(price.nunique(false).unwrap(), 3);
    assert_eq!(price.nunique(true).unwrap(), 4);
    assert!(price.equals(&price.clone()).unwrap(), "missing equals missing");
}

#[test]
fn counting_and_describing() {
    let counts = sales().column("item").unwrap().value_counts(ValueCountsOptions::default()).unwrap();
    assert_eq!(to_texts(counts.index().level(0).unwrap().data().unwrap()), ["x", "y"]);
    assert_eq!(to_ints(counts.data().unwrap()), [Some(3), Some(2)]);
    let described = sales().describe(&DescribeOptions::default()).unwrap();
    assert_eq!(described.shape(), (8, 2));
    let mean = described.column("sold").unwrap().rows_by_label(Label::from("mean")).unwrap();
    assert_eq!(mean.data().unwrap().get(0).unwrap().as_f64(), Some(2.8));
    let words = sales().select(["shop"]).unwrap().describe(&DescribeOptions::default()).unwrap();
    assert_eq!(to_texts(words.column("shop").unwrap().data().unwrap()), ["5", "3", "b", "2"]);
}

#[test]
fn columns_of_unlike_kinds_are_described_side_by_side() {
    let described = sales().describe(&DescribeOptions { percentiles: vec![0.333], all: true }).unwrap();
    let rows = ["count", "unique", "top", "freq", "mean", "std", "min", "33.3%", "max"];
    assert_eq!(to_texts(described.index().level(0).unwrap().data().unwrap()), rows);
    assert_eq!(
        to_texts(described.column("item").unwrap().data().unwrap())[..5],
        ["5", "2", "x", "3", "<null>"]
    );
    assert_eq!(described.column("sold").unwrap().data().unwrap().null_count().unwrap(), 3);
    for bad in [&[1.5][..], &[f64::NAN], &[0.5, 0.5]] {
        assert_eq!(
            kind(sales().describe(&DescribeOptions { percentiles: bad.to_vec(), all: true })),
            ErrorKind::InvalidArgument
        );
    }
    assert_eq!(
        kind(
            DataFrame::new([("x", ints(&[]))])
                .unwrap()
                .drop_columns(&["x".into()])
                .unwrap()
                .describe(&DescribeOptions { percentiles: vec![], all: true })
        ),
        ErrorKind::InvalidArgument
    );
}

#[test]
fn rows_become_columns() {
    let frame = sales().select(["sold", "price"]).unwrap();
    let turned = frame.transpose().unwrap();
    assert_eq!(turned.shape(), (2, 5));
    assert_eq!(turned.labels()[3], Label::Int(3));
    assert_eq!(to_texts(turned.index().level(0).unwrap().data().unwrap()), ["sold", "price"]);
    assert_column_eq(turned.column(3).unwrap().data().unwrap(), &floats(&[Some(1.0), Some(2.0)]));
    let keyed = sales().set_index(&["shop".into(), "item".into()], true).unwrap();
    let label = Label::tuple(["b".into(), "x".into()]);
    assert_eq!(keyed.transpose().unwrap().labels()[0], label);
    assert_eq!(kind(sales().transpose()), ErrorKind::DataType);
    // Labels of columns are any scalar: floats and missing ones stay what they are.
    let priced = frame.set_index(&["price".into()], true).unwrap().transpose().unwrap();
    assert_eq!(priced.labels()[..2], [Label::Float(1.5), Label::Missing]);
    assert_column_eq(priced.column(1.5).unwrap().data().unwrap(), &ints(&[3]));
    assert_eq!(frame.head(0).unwrap().transpose().unwrap().shape(), (2, 0));
}

#[test]
fn groups_give_values_for_their_rows() {
    let groups = sales().groupby(["shop"]).finish().unwrap();
    let sold = ["sold".into()];
    let of = |frame: DataFrame| to_ints(frame.column("sold").unwrap().data().unwrap());
    assert_eq!(of(groups.shift(&sold, 1, None).unwrap()), [None, None, Some(3), None, Some(1)]);
    assert_eq!(of(groups.shift(&sold, i64::MIN, None).unwrap()), [None; 5]);
    assert_eq!(of(groups.shift(&sold, i64::MAX, None).unwrap()), [None; 5]);
    assert_eq!(of(groups.cumulative(&sold, CumulativeOp::Sum).unwrap()), [3, 1, 7, 1, 6].map(Some));
    assert_eq!(of(groups.cumulative(&sold, CumulativeOp::Max).unwrap()), [3, 1, 4, 1, 5].map(Some));
    assert_eq!(to_ints(groups.cumcount(true).unwrap().data().unwrap()), [0, 0, 1, 0, 1].map(Some));
    assert_eq!(to_ints(groups.cumcount(false).unwrap().data().unwrap()), [1, 1, 0, 0, 0].map(Some));
    let (rows, offsets) = groups.rows_by_group().unwrap();
    let expected = [1, 4, 0, 2, 3].map(Some).to_vec();
    assert_eq!((to_ints(&rows), to_ints(&offsets)), (expected, [0, 2, 4, 5].map(Some).to_vec()));
    let last = groups.rows_at(Some(-1), None).unwrap();
    assert_eq!(to_ints(&last), [0, 0, 1, 1, 1].map(Some));
    let filled = groups.fill_from_neighbours(&["price".into()], FillDirection::Forward, None).unwrap();
    let price = |i| filled.column("price").unwrap().data().unwrap().get(i).unwrap().as_f64();
    assert_eq!((price(1), price(2), price(4)), (None, Some(1.5), Some(0.5)));
    let none = groups.fill_from_neighbours(&["price".into()], FillDirection::Forward, Some(0)).unwrap();
    assert_eq!(none.column("price").unwrap().data().unwrap().null_count().unwrap(), 2);
    assert_eq!(kind(groups.cumulative(&["item".into()], CumulativeOp::Sum)), ErrorKind::DataType);
    assert_eq!(kind(groups.shift(&["nope".into()], 1, None)), ErrorKind::KeyNotFound);
}

#[test]
fn labels_of_no_columns_have_the_kind_of_those_they_were_chosen_from() {
    let none = sales().accessor().select_positions(&[]);
    let labels = none.to_index().unwrap();
    assert_eq!((labels.len(), labels.as_range(), labels.dtype(0).name()), (0, None, "str".to_owned()));
    let named = none.with_level_names(vec![Some("n".into())]).to_index().unwrap();
    assert_eq!((named.name(), named.dtype(0).name()), (Some(&Label::from("n")), "str".to_owned()));
    let never = DataFrame::new::<Label, Column>([]).unwrap();
    assert_eq!(never.accessor().to_index().unwrap().as_range(), Some(RangeIndex::of_len(0)));
}

#[test]
fn a_missing_label_names_the_level_without_a_name() {
    let column = || TypedColumn::from(ints(&[1, 2]));
    let index = |names| Index::from_columns(vec![column(), column()], names).unwrap();
    let (none, k) = (None, Some(Label::from("k")));
    assert_eq!(index(vec![k.clone(), none.clone()]).level_position(&Label::Missing).unwrap(), 1);
    let twice = index(vec![none.clone(), none]).level_position(&Label::Missing);
    assert_eq!(twice.unwrap_err().kind(), ErrorKind::InvalidArgument);
    let never = index(vec![k.clone(), k]).level_position(&Label::Missing);
    assert_eq!(never.unwrap_err().kind(), ErrorKind::KeyNotFound);
}

#[test]
fn quantiles_that_are_elements_keep_their_type() {
    let big = i64::MAX - 1;
    let s = Series::from_column(ints(&[big, 1, i64::MAX, 2]), None);
    let at = |q, how| to_ints(s.quantile(&[q], how).unwrap().data().unwrap())[0];
    assert_eq!(at(0.5, Interpolation::Lower), Some(2));
    assert_eq!(at(0.5, Interpolation::Higher), Some(big));
    assert_eq!(at(1.0, Interpolation::Nearest), Some(i64::MAX));
    assert_eq!(
        to_ints(s.head(0).unwrap().quantile(&[0.5], Interpolation::Lower).unwrap().data().unwrap()),
        [None]
    );
}

#[test]
fn rows_sort_by_columns_that_are_not_theirs() {
    let frame = sales();
    let sorted = frame.sort_by_keys(vec![ints(&[2, 1, 2, 0, 3])], &Descending.into()).unwrap();
    assert_eq!(to_ints(sorted.index().level(0).unwrap().data().unwrap()), [4, 0, 2, 1, 3].map(Some));
    assert_eq!(
        kind(frame.sort_by_keys(vec![ints(&[1])], &SortOptions::default())),
        ErrorKind::InvalidArgument
    );
    assert_eq!(kind(frame.sort_by_keys(vec![], &SortOptions::default())), ErrorKind::InvalidArgument);
}

#[test]
fn assignment_replaces_a_column_and_shares_the_rest() {
    let frame = sales();
    let mut changed = frame.clone();
    assert_eq!(kind(changed.set_rows(&ints(&[0, 2]), &"sold".into(), &7.5.into())), ErrorKind::DataType);
    changed.set_rows(&ints(&[0, 2]), &"sold".into(), &f64::NAN.into()).unwrap();
    assert_eq!(changed.column("sold").unwrap().dtype().storage(), DataType::Float64);
    assert_eq!(
        to_ints(frame.column("sold").unwrap().data().unwrap())[0],
        Some(3),
        "the original is untouched"
    );
    assert_eq!(kind(changed.set_rows(&ints(&[0]), &"sold".into(), &"x".into())), ErrorKind::DataType);
    assert_eq!(kind(frame.with_column("new", ints(&[1]))), ErrorKind::InvalidArgument);
    let aligned = frame.assign("new", &Series::from_column(ints(&[1, 2]), None)).unwrap();
    assert_eq!(to_ints(aligned.column("new").unwrap().data().unwrap()), [Some(1), Some(2), None, None, None]);
}

#[test]
fn unknown_columns_offer_the_closest_name() {
    let error = sales().column("prise").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KeyNotFound);
    assert_eq!(error.to_string(), "there is no column 'prise'; did you mean 'price'?");
    let wide = DataFrame::new((0..10_000).map(|i| (format!("c{i}"), ints(&[i])))).unwrap();
    assert_eq!(to_ints(wide.column("c9999").unwrap().data().unwrap()), [Some(9999)]);
    assert_eq!(wide.drop_columns(&["c5".into()]).unwrap().num_columns(), 9_999);
}

#[test]
fn frames_print_as_in_pandas() {
    let expected = "  shop item  sold  price\n0    b    x     3    1.5\n1    a    x     1    NaN\n2    b    y     4    NaN\n3    c    x     1    2.0\n4    a    y     5    0.5";
    assert_eq!(sales().to_string(), expected);
    let grouped = sales().groupby(["shop"]).finish().unwrap().aggregate_all(Aggregation::Sum, true).unwrap();
    assert_eq!(
        grouped.to_string(),
        "      sold  price\nshop             \na        6    0.5\nb        7    1.5\nc        1    2.0"
    );
    let s = sales().column("sold").unwrap();
    assert_eq!(s.head(2).unwrap().to_string(), "0    3\n1    1\nName: sold, dtype: int64");
    let long = Series::from_column(ints(&(0..100).collect::<Vec<_>>()), None);
    assert_eq!(
        long.to_string(),
        "0      0\n1      1\n2      2\n3      3\n4      4\n      ..\n95    95\n96    96\n97    97\n98    98\n99    99\nLength: 100, dtype: int64"
    );
    let empty = sales().head(0).unwrap();
    assert_eq!(empty.to_string(), "Empty DataFrame\nColumns: [shop, item, sold, price]\nIndex: []");
    assert!(
        sales()
            .to_html(&DisplayOptions::default(), &HtmlOptions::default())
            .unwrap()
            .contains("<td>1.5</td>")
    );
}

/// Sizes, positions and digits that are far too large give a result or an error.
#[test]
fn sizes_out_of_all_proportion() {
    let frame =
        DataFrame::new([("k", ints(&[1, 1, 2])), ("x", floats(&[Some(0.5), None, Some(1e9)]))]).unwrap();
    let k = [Label::from("k")];
    let groups = GroupBy::by_labels(&frame, &k, GroupByOptions::default()).unwrap();
    for n in [0, 1, 1 << 31, 1 << 62, i64::MAX, i64::MAX - 1] {
        for n in [n, -n, i64::MIN, -n - 1] {
            let size = n as usize;
            let _ =
                (frame.head(n), frame.tail(n), frame.shift(n), groups.shift(&[Label::from("x")], n, None));
            let _ = (groups.rows_at(Some(n), None), groups.rows_at(None, Some(n)));
            let _ = (frame.slice(size, size), frame.slice(1, size), frame.index().slice(size, size));
            assert!(frame.index().slice(usize::MAX, 2).is_err());
            let _ = (frame.row(size), frame.series_at(size), frame.select_positions(&[size]));
            let _ = (frame.insert(size, "y", ints(&[1, 2, 3])), frame.index().get(size));
            let _ = (frame.dropna(&k, size), frame.dropna_columns(size), frame.top(size, &k, Extreme::Max));
            assert!(frame.sample(size | 1 << 61, SampleOptions { replace: false, seed: Some(1) }).is_err());
            assert!(frame.sample(size | 1 << 62, SampleOptions { replace: true, seed: Some(1) }).is_err());
            for step in [None, Some(n | 1), Some(1), Some(-1)] {
                let _ = frame.rows_by_position(PositionKey::Slice(Some(n), Some(-(n | 1)), step));
            }
            let options = DisplayOptions {
                max_rows: size,
                min_rows: size,
                max_columns: Some(size),
                width: Some(size),
                max_column_width: size,
                precision: size,
                dimensions: crate::display::Shown::Always,
                float_format: Some(FloatFormat { digits: size, scientific: n % 2 == 0, thousands: true }),
                ..DisplayOptions::default()
            };
            assert!(
                frame.to_text(&options).is_ok() && frame.to_html(&options, &HtmlOptions::default()).is_ok(),
                "{n}"
            );
            assert!(frame.series_at(1).unwrap().to_text(&options).is_ok(), "{n}");
        }
    }
}

#[test]
fn ranges_of_labels_at_the_ends_of_64_bits() {
    let range = |start, stop, step| RangeIndex { start, stop, step };
    assert_eq!(range(0, 10, 0).len(), 0);
    assert_eq!(range(0, 10, 0).find(0), None);
    assert_eq!(range(i64::MIN, i64::MAX, 1).len(), usize::MAX);
    assert_eq!(range(i64::MIN, i64::MAX, 1).find(i64::MAX), None);
    assert_eq!(range(i64::MIN, i64::MAX, 1).find(3), Some(3 + (1 << 63)));
    assert_eq!(range(0, i64::MIN, -1).find(i64::MIN + 1), Some(i64::MAX as usize));
    assert_eq!(range(i64::MAX, i64::MIN, -1).find(i64::MIN), None);
    assert_eq!(range(i64::MAX - 1, i64::MAX, 7).len(), 1);
    assert_eq!(RangeIndex::of_len(usize::MAX).len(), i64::MAX as usize);
    // Behind its last label an index of a large step may leave 64 bits.
    let index = Index::from_range(range(i64::MAX - 9, i64::MAX, 6), None);
    let all = index.slice(0, 2).unwrap();
    assert_eq!(all.as_range().unwrap().len(), 2);
    assert_eq!(all.as_range().unwrap().get(1), i64::MAX - 3);
    assert!(index.slice(1, usize::MAX).is_err());
}

#[test]
fn labels_have_their_places_among_others() -> Result<()> {
    let one = |values: &[i64]| Index::from_column(ints(values), None);
    let places = |index: &Index, wanted: &Index, after| -> Result<Vec<Option<i64>>> {
        Ok(to_ints(&index.searchsorted_each(wanted, after)?))
    };
    let index = one(&[1, 3, 3, 7]);
    assert_eq!(places(&index, &one(&[0, 3, 4, 9]), false)?, [0, 1, 3, 4].map(Some));
    assert_eq!(places(&index, &one(&[0, 3, 4, 9]), true)?, [0, 3, 3, 4].map(Some));
    assert_eq!(places(&one(&[]), &one(&[5]), false)?, [Some(0)]);
    assert_eq!(places(&index, &one(&[]), false)?, []);
    let two = |firsts: &[i64], seconds: &[&str]| {
        Index::from_columns(vec![ints(firsts).into(), texts(seconds).into()], vec![None, None])
    };
    let pairs = two(&[1, 1, 2], &["a", "c", "b"])?;
    assert_eq!(places(&pairs, &two(&[1, 2, 0], &["b", "b", "z"])?, true)?, [1, 3, 0].map(Some));
    assert_eq!(index.searchsorted_each(&pairs, false).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let wrong = Index::from_column(texts(&["a"]), None);
    assert_eq!(index.searchsorted_each(&wrong, false).unwrap_err().kind(), ErrorKind::DataType);

    // Slices of labels that descend, and from a part of a tuple to another.
    let falling = one(&[9, 5, 5, 2]);
    let slice = |from: i64, to: i64| falling.slice_bounds(Some(&from.into()), Some(&to.into()));
    assert_eq!([slice(9, 5)?, slice(8, 3)?, slice(5, 0)?, slice(2, 9)?], [0..3, 1..3, 1..4, 3..3]);
    let tuple = |first: i64, second: &str| Label::tuple([first.into(), second.into()]);
    assert_eq!(pairs.slice_bounds(Some(&tuple(1, "b")), Some(&tuple(2, "b")))?, 1..3);
    assert_eq!(pairs.slice_bounds(Some(&tuple(1, "c")), Some(&tuple(1, "z")))?, 1..2);
    Ok(())
}
