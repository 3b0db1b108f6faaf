use cuprum_column::{Column, Context, DataType, ErrorKind, Table, TimeUnit};
use cuprum_testing::{Random, any_column, assert_column_eq, contexts_in_shares};
use proptest::prelude::*;

use super::cuda::by_sorting;
use crate::concatenate::concatenate;
use crate::sorting::{MissingRank, RankMethod, RankOptions, rank, rank_rows};

/// Columns of a type that rows of are ranked.
fn any_table() -> impl Strategy<Value = Vec<Column>> {
    let types = [DataType::Int8, DataType::Int64, DataType::UInt64, DataType::Float32, DataType::Float64];
    (0..types.len(), 1usize..5, 1usize..40)
        .prop_flat_map(move |(of, width, rows)| prop::collection::vec(any_column(types[of], rows), width))
}

proptest! {
    /// Every row is ranked as a column of its elements is.
    #[test]
    fn rows_as_columns(columns in any_table(), method in 0..5usize, ascending: bool, missing in 0..3usize, pct: bool) {
        let ctx = &Context::current();
        let method = [
            RankMethod::Average, RankMethod::Min, RankMethod::Max, RankMethod::First, RankMethod::Dense,
        ][method];
        let missing = [MissingRank::Keep, MissingRank::Top, MissingRank::Bottom][missing];
        let options = RankOptions { method, ascending, missing, pct };
        let table = Table::new(columns).unwrap();
        let ranks = rank_rows(&table, options, ctx).unwrap();
        for row in 0..table.num_rows() {
            let of = |table: &Table| {
                let cells: Vec<Column> =
                    table.columns().iter().map(|column| column.slice(row, 1).unwrap()).collect();
                concatenate(&cells.iter().collect::<Vec<_>>(), ctx).unwrap()
            };
            assert_column_eq(&of(&ranks), &rank(&of(&table), options, ctx).unwrap());
        }
    }
}

#[test]
fn tables_that_have_no_ranks() {
    let ctx = &Context::current();
    let kind =
        |columns| rank_rows(&Table::new(columns).unwrap(), RankOptions::default(), ctx).unwrap_err().kind();
    let (ints, floats) =
        (Column::from_slice(&[1i64], ctx).unwrap(), Column::from_slice(&[1.0], ctx).unwrap());
    assert_eq!(kind(vec![ints, floats]), ErrorKind::DataType);
    assert_eq!(kind(vec![Column::from_strs(&["a"], ctx).unwrap()]), ErrorKind::DataType);
    let none = Table::with_rows(vec![], 3).unwrap();
    assert_eq!(rank_rows(&none, RankOptions::default(), ctx).unwrap().num_rows(), 3);
}

const METHODS: [RankMethod; 5] =
    [RankMethod::Average, RankMethod::Min, RankMethod::Max, RankMethod::First, RankMethod::Dense];
const MISSING: [MissingRank; 3] = [MissingRank::Keep, MissingRank::Top, MissingRank::Bottom];

/// Columns of a type with ties, zeros of both signs and missing values, sliced out of longer ones.
fn some_columns(of: DataType, width: usize, rows: usize, seed: u64) -> Vec<Column> {
    let host = &Context::current();
    let mut random = Random(seed);
    let cut = 1 + seed as usize % 40;
    let column = |i: usize| {
        let value = |n: u64| [f64::NAN, -0.0, 0.0, -1.5, f64::INFINITY, 7.0, 8.0][n as usize % 7];
        let values: Vec<Option<f64>> = (0..rows + cut)
            .map(|_| Some(random.below(9)).filter(|n| i.is_multiple_of(3) || *n < 7).map(value))
            .collect();
        let floats = Column::from_options(&values, host).unwrap();
        let whole = values.iter().map(|x| x.map(|x| if x.is_finite() { x as i64 } else { i64::MIN }));
        let column = match of {
            DataType::Float64 => floats,
            DataType::Float32 => {
                Column::from_options(&values.iter().map(|x| x.map(|x| x as f32)).collect::<Vec<_>>(), host)
                    .unwrap()
            }
            DataType::UInt8 => {
                Column::from_options(&whole.map(|x| x.map(|x| x as u8)).collect::<Vec<_>>(), host).unwrap()
            }
            _ => Column::from_options(&whole.collect::<Vec<_>>(), host).unwrap().bit_cast(of).unwrap(),
        };
        column.slice(cut, rows).unwrap()
    };
    (0..width).map(column).collect()
}

/// All options, widths around what is counted, rows around a tile and a few tiles: the CPU's ranks to the bit, whichever
/// way a device takes.
#[test]
fn rows_on_devices() {
    let host = &Context::current();
    let types = [
        DataType::Float64,
        DataType::Float32,
        DataType::UInt8,
        DataType::Int64,
        DataType::Timestamp(TimeUnit::Seconds),
        DataType::Decimal64(2),
    ];
    for (ctx, share) in contexts_in_shares().filter(|(ctx, _)| ctx.is_on_gpu()) {
        let mut case = 0;
        for rows in [0, 1, 31, 32, 33, 63, 64, 65, 255, 257, 1000] {
            for width in [1, 2, 8, 9, 63, 64, 65, 70] {
                if width > 9 && rows > 65
                    || !{
                        case += 1;
                        share.has(case)
                    }
                {
                    continue;
                }
                let options = RankOptions {
                    method: METHODS[case % 5],
                    missing: MISSING[case % 3],
                    ascending: case % 2 == 0,
                    pct: case % 4 < 2,
                };
                let columns = some_columns(types[case % types.len()], width, rows, case as u64);
                let table = Table::with_rows(columns, rows).unwrap();
                let expected = rank_rows(&table, options, host).unwrap();
                let there = table.to_device(&ctx).unwrap();
                let mut results = vec![rank_rows(&there, options, &ctx).unwrap()];
                if case % 4 == 0 && rows < 100 {
                    // Few elements at once: some rows, or one at a time.
                    results.push(by_sorting(&there, options, 3 * width * (rows / 7), &ctx).unwrap());
                }
                for found in results {
                    assert_eq!(found.num_rows(), rows);
                    for (found, expected) in found.columns().iter().zip(expected.columns()) {
                        assert_column_eq(&found.to_host().unwrap(), expected);
                    }
                }
            }
        }
        let options = RankOptions::default();
        for columns in [
            vec![Column::from_slice(&[1i64], &ctx).unwrap(), Column::from_slice(&[1.0], &ctx).unwrap()],
            vec![Column::from_strs(&["a"], &ctx).unwrap()],
        ] {
            let there = Table::new(columns).unwrap();
            let error = rank_rows(&there, options, &ctx).unwrap_err();
            let expected = rank_rows(&there.to_host().unwrap(), options, host).unwrap_err();
            assert_eq!((error.kind(), error.to_string()), (expected.kind(), expected.to_string()));
        }
        let none = Table::with_rows(vec![], 3).unwrap();
        assert_eq!(rank_rows(&none, options, &ctx).unwrap().num_rows(), 3);
    }
}
