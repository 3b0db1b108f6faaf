//! No operation panics, whatever the type of its column and whatever device it is on: what it cannot
//! compute with it refuses.

use cuprum_column::{Context, Device, ErrorKind};

mod operations;

use operations::{Given, OPERATIONS, columns};

/// The kinds of errors about a column: its type, its device, or a value.
fn is_refusal(kind: ErrorKind) -> bool {
    use ErrorKind::{DataType, InvalidArgument, OutOfRange, Overflow, Unsupported};
    matches!(kind, DataType | Unsupported | InvalidArgument | OutOfRange | Overflow)
}

#[test]
fn types_that_an_operation_does_not_take_are_refused() {
    for column in columns() {
        for column in [column.clone(), column.slice(1, 2).unwrap(), column.slice(0, 0).unwrap()] {
            let given = Given::new(&column, &Context::current());
            for (name, case, operation) in OPERATIONS {
                // A map of anything but integers is an error of logic there, as in libcudf.
                if let Err(error) = operation(&given)
                    && (*name, *case) != ("partitioning.partition", "map")
                {
                    let expected = is_refusal(error.kind()) || column.len() != 3;
                    assert!(expected, "{name} ({case}) of {column:?}: {error} ({:?})", error.kind());
                }
            }
        }
    }
}

#[test]
fn columns_on_a_gpu_are_refused_by_operations_of_the_cpu() {
    let gpu = Context::on(Device::EMULATOR).unwrap();
    for column in columns() {
        let column = column.to_device(&gpu).unwrap();
        let given = Given::new(&column, &Context::current());
        for (name, case, operation) in OPERATIONS {
            if let Err(error) = operation(&given)
                && (*name, *case) != ("partitioning.partition", "map")
            {
                let named = is_refusal(error.kind()) || error.to_string().contains("on emulator");
                assert!(named, "{name} ({case}) of {column:?}: {error} ({:?})", error.kind());
            }
        }
    }
}
