//! Shared parts of Cuprum's tests and benchmarks: comparison of columns, random columns, random data,
//! devices, times.

use cuprum_column::{Column, Context, DataType, Scalar, Table, TimeUnit, Value};
use proptest::prelude::*;

mod devices;
mod everywhere;
pub mod generated;
mod nested;
pub mod timing;

pub use cuprum_runtime::random::Random;
pub use devices::{Share, contexts, contexts_in_shares};
pub use everywhere::{Cases, rows, same_cases_everywhere, same_everywhere, wide_column};
pub use nested::{any_nested_column, any_nested_key_column};

/// Asserts that two columns have the same type, length, nulls and values. NaN equals NaN; 0.0 and
/// −0.0 differ. Values under nulls do not count.
#[track_caller]
pub fn assert_column_eq(actual: &Column, expected: &Column) {
    assert_eq!(actual.data_type(), expected.data_type(), "data types");
    assert_eq!(actual.len(), expected.len(), "lengths of {actual:?} and {expected:?}");
    let (actual, expected) = (&actual.to_host().unwrap(), &expected.to_host().unwrap());
    for row in 0..actual.len() {
        let (a, e) = (actual.get(row).unwrap(), expected.get(row).unwrap());
        assert!(same(&a, &e), "row {row} is {a}, expected {e}\nactual   {actual:?}\nexpected {expected:?}");
    }
    assert_eq!(actual.null_count().unwrap(), expected.null_count().unwrap(), "null counts");
}

fn same(a: &Scalar, b: &Scalar) -> bool {
    match (a.value(), b.value()) {
        (Value::Float(x), Value::Float(y)) => x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()),
        (x, y) => x == y,
    }
}

/// A key as models compare it: a missing value is `None`; zeros are one zero.
pub fn model_key(scalar: &Scalar) -> Option<String> {
    match scalar.value() {
        Value::Null => None,
        Value::Float(x) if x.is_nan() => None,
        Value::Float(x) => Some(format!("{:?}", x + 0.0)),
        _ => Some(scalar.to_string()),
    }
}

/// [`assert_column_eq`] for every column, and equal row counts.
#[track_caller]
pub fn assert_table_eq(actual: &Table, expected: &Table) {
    assert_eq!(actual.num_rows(), expected.num_rows(), "rows");
    assert_eq!(actual.num_columns(), expected.num_columns(), "columns");
    for (a, e) in actual.columns().iter().zip(expected.columns()) {
        assert_column_eq(a, e);
    }
}

/// The lengths at which kernels tend to break: word and morsel borders and their neighbours.
pub const LENGTHS: [usize; 14] = [0, 1, 2, 31, 32, 33, 63, 64, 65, 511, 513, 32_767, 32_769, 100_003];

/// Columns of `data_type` with few distinct values, extremes, NaN, −0.0, nulls and non-ASCII text.
/// Of `len` rows, sliced out of a longer column so that offsets are not always 0.
pub fn any_column(data_type: DataType, len: usize) -> BoxedStrategy<Column> {
    let ctx = Context::current();
    let padding = 0usize..9;
    match data_type {
        DataType::String => {
            let text = prop_oneof![
                3 => "[ab]{0,2}",
                1 => Just("Größe 日本".to_string()),
                1 => "\\PC{0,24}",
                1 => "same prefix, long text [xyz]{1,3}",
            ];
            (padding, any_nulls(), prop::collection::vec(text, len + 9))
                .prop_map(move |(start, nulls, values)| {
                    let rows: Vec<Option<String>> =
                        values.into_iter().enumerate().map(|(i, v)| (!nulls.is_null(i)).then_some(v)).collect();
                    Column::from_opt_strs(&rows, &ctx).unwrap().slice(start, len).unwrap()
                })
                .boxed()
        }
        _ => (padding, any_nulls(), prop::collection::vec((any::<u8>(), any::<i64>()), len + 9))
            .prop_map(move |(start, nulls, values)| {
                cuprum_column::dispatch_storage!(data_type, T => {
                    use cuprum_column::Native;
                    let pick = |(kind, bits): (u8, i64)| -> T {
                        match (data_type, kind % 16) {
                            (DataType::Bool8, _) => T::from_i64(bits & 1),
                            (t, 0) if t.is_float() => T::from_f64(f64::NAN),
                            (t, 1) if t.is_float() => T::from_f64(-0.0),
                            (t, 2) if t.is_float() => T::from_f64(f64::INFINITY),
                            (t, 3) if t.is_float() => T::from_f64(f64::from_bits(bits as u64)),
                            (_, 4) => T::from_i64(i64::MAX),
                            (_, 5) => T::from_i64(i64::MIN),
                            (_, 6) => T::from_i64(-1),
                            (_, 7) => T::from_i64(bits),
                            _ => T::from_i64(bits.rem_euclid(5)),
                        }
                    };
                    let values: Vec<T> = values.into_iter().map(pick).collect();
                    let mask = cuprum_column::null_mask::from_fn(values.len(), &ctx, |i| !nulls.is_null(i)).unwrap();
                    let data = cuprum_column::HostUVec::from_slice(&values, &ctx).unwrap();
                    Column::new(data_type, data, Some(mask)).unwrap().slice(start, len).unwrap()
                }, else => panic!("{data_type} columns come from any_nested_column"))
            })
            .boxed(),
    }
}

/// No nulls half of the time, else a quarter of the rows.
fn any_nulls() -> impl Strategy<Value = NullPattern> {
    any::<(bool, u32)>().prop_map(|(some, seed)| NullPattern { some, seed })
}

#[derive(Clone, Copy, Debug)]
struct NullPattern {
    some: bool,
    seed: u32,
}

impl NullPattern {
    fn is_null(self, row: usize) -> bool {
        self.some
            && ((row as u32).wrapping_add(self.seed).wrapping_mul(2_654_435_761) >> 13).is_multiple_of(4)
    }
}

/// Numbers, booleans, times and text: the types that every family takes.
pub fn plain_types() -> Vec<DataType> {
    let plain = |t: &DataType| t.is_numeric() || t.is_chrono() || *t == DataType::String;
    DataType::ALL.into_iter().filter(plain).collect()
}

/// Numbers and booleans.
pub fn number_types() -> Vec<DataType> {
    DataType::ALL.into_iter().filter(|t| t.is_numeric()).collect()
}

/// One of the [`plain_types`], every one as likely.
pub fn any_data_type() -> impl Strategy<Value = DataType> {
    prop::sample::select(plain_types())
}

/// Data types that a key of a join, sort or group-by often has.
pub fn any_key_type() -> impl Strategy<Value = DataType> {
    prop::sample::select(vec![
        DataType::Int8,
        DataType::Int64,
        DataType::UInt64,
        DataType::Float64,
        DataType::Bool8,
        DataType::Timestamp(TimeUnit::Nanoseconds),
        DataType::String,
    ])
}
