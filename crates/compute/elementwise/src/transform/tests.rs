//! Functions of users on every device, compared with plain loops.

use cuprum_column::{Column, Context, DataType, ErrorKind, Table, TimeUnit};
use cuprum_testing::{assert_column_eq, contexts};

use super::{formula, transform};

const HYPOTENUSE: &str = "
    // sqrt is that of the compiler.
    __device__ double squared(double x) { return x * x; }
    __device__ inline void hypotenuse(double* out, double a, int32_t b) {
        *out = sqrt(squared(a) + squared(b));
    }";
const SAME: &str = "template <typename T> __device__ void same(T* out, T x) { *out = x; }";

fn floats(rows: usize, ctx: &Context) -> (Column, Vec<Option<f64>>) {
    let values: Vec<_> = (0..rows).map(|i| (i % 5 != 3).then_some(i as f64 / 3.0)).collect();
    (Column::from_options(&values, ctx).unwrap(), values)
}

#[test]
fn every_row_is_computed_and_nulls_stay() {
    for ctx in contexts() {
        for rows in [0, 1, 31, 32, 33, 63, 64, 65, 1000] {
            let host = Context::current();
            let (a, values) = floats(rows + 3, &host);
            let b: Vec<i32> = (0..rows + 3).map(|i| i as i32 * 7 - 50).collect();
            let b = Column::from_slice(&b, &host).unwrap();
            let sliced = [&a, &b].map(|column| column.to_device(&ctx).unwrap().slice(3, rows).unwrap());
            let table = Table::new(sliced.to_vec()).unwrap();
            // SAFETY: the function writes its value alone.
            let made = unsafe { transform(&table, HYPOTENUSE, DataType::Float64, &ctx) }.unwrap();
            assert!(made.is_on(ctx.stream().device()));
            let expected: Vec<_> = (3..rows + 3)
                .map(|i| values[i].map(|a| (a * a + f64::from(i as i32 * 7 - 50).powi(2)).sqrt()))
                .collect();
            assert_column_eq(&made.to_host().unwrap(), &Column::from_options(&expected, &host).unwrap());
        }
    }
}

#[test]
fn types_are_what_they_are_stored_as() {
    for ctx in contexts() {
        let numbers = Column::from_options(&[Some(0i64), Some(1), None], &Context::current()).unwrap();
        for data_type in DataType::ALL {
            let Ok(column) = crate::unary::cast(&numbers, data_type, &Context::current()) else { continue };
            let table = Table::new(vec![column.to_device(&ctx).unwrap()]).unwrap();
            // SAFETY: the function writes its value alone.
            let made = unsafe { transform(&table, SAME, data_type, &ctx) };
            if data_type.is_decimal() || data_type == DataType::String {
                assert_eq!(made.unwrap_err().kind(), ErrorKind::DataType, "{data_type}");
            } else {
                assert_column_eq(&made.unwrap().to_host().unwrap(), &column);
            }
        }
    }
}

#[test]
fn what_is_no_function_is_refused() {
    for ctx in contexts() {
        let table = Table::new(vec![floats(3, &Context::current()).0.to_device(&ctx).unwrap()]).unwrap();
        let refused = |source: &str, table: &Table, result: DataType| {
            // SAFETY: nothing is run.
            unsafe { transform(table, source, result, &ctx) }.unwrap_err()
        };
        let none = refused("void f() {}", &table, DataType::Float64);
        assert_eq!(none.kind(), ErrorKind::InvalidArgument);
        assert!(none.to_string().contains("`source`"), "{none}");
        let empty = Table::new(vec![]).unwrap();
        assert_eq!(refused(SAME, &empty, DataType::Float64).kind(), ErrorKind::InvalidArgument);
        assert_eq!(refused(SAME, &table, DataType::String).kind(), ErrorKind::DataType);
        let wrong = refused("__device__ void f(double* a) { *a = nothing; }", &table, DataType::Float64);
        assert_eq!(wrong.kind(), ErrorKind::Cuda, "{wrong}");
        assert!(wrong.to_string().contains("nothing") && wrong.to_string().contains("`source`"), "{wrong}");
    }
}

#[test]
fn functions_compile_for_gpus() {
    let ctx = Context::current();
    let b = Column::from_slice(&[1i32, 2, 3], &ctx).unwrap();
    let table = Table::new(vec![floats(3, &ctx).0, b]).unwrap();
    let days = DataType::Timestamp(TimeUnit::Days);
    for (source, inputs, result) in [
        (HYPOTENUSE, table.clone(), DataType::Float64),
        (SAME, Table::new(vec![table.columns()[1].clone()]).unwrap(), days),
        (
            "__device__ void f(bool* out, double a, int64_t b) { *out = a < b; }",
            table.clone(),
            DataType::Bool8,
        ),
    ] {
        let (formula, value) = formula(&inputs, source, result).unwrap();
        match formula.try_to_compile(&[value], 90) {
            Ok(()) => {}
            Err(error) if std::env::var_os("CUPRUM_NVRTC").is_some() => panic!("{source}: {error}"),
            Err(error) => eprintln!("skipped: {error}"),
        }
    }
}
