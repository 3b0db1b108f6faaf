//! Functions of users, written in CUDA C++, over the elements of columns.
//!
//! The function becomes part of the kernel that formulas are generated into: every column is
//! read once, the result written once, and a text is compiled once (machine code is kept on disk). It returns
//! nothing; its first parameter is where its value goes, the others are an element of each column:
//!
//! ```cuda
//! __device__ void hypotenuse(double* out, double a, double b) {
//!     *out = sqrt(a * a + b * b);
//! }
//! ```
//!
//! Elements are `signed char`, `short`, `int`, `long long` and their unsigned kin (also under the names of
//! `<cstdint>`), `float`, `double` and `bool`; times are the integers that they are stored as. Other functions may
//! stand before it, and it may be a template. A row where an element is null is null, and the function is not called
//! for it.
//!
//! Columns in host memory are computed with by the emulator, whose compiler is the C++ compiler of the host: the
//! same function, the same results, some tens of millions of elements a second on one thread.

mod source;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Table};
use cuprum_runtime::backend::{OnDevice, check_device};
use cuprum_runtime::nvtx::func_range;

use cuprum_elements::fused::{JitExpression, Value, stored_as};

/// The column of `result`s that the function in `source` makes of the rows of `inputs`: the last function there that
/// is marked `__device__`.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where there is none or no input, with
/// [`DataType`](cuprum_column::ErrorKind::DataType) for elements that are no numbers, booleans or times, and with
/// [`Cuda`](cuprum_column::ErrorKind::Cuda), and the compiler's message, where `source` does not compile or
/// nothing compiles it.
///
/// # Safety
/// `source` is code that is run. Its function ends, writes nothing but its value, and divides no integer by 0.
pub unsafe fn transform(inputs: &Table, source: &str, result: DataType, ctx: &Context) -> Result<Column> {
    func_range!(c"transform.transform");
    check_device!(ctx, [inputs]);
    let (formula, value) = formula(inputs, source, result)?;
    if ctx.stream().device() != Device::Cpu {
        return formula.unchecked(value, result, ctx).map_err(in_source);
    }
    let emulated = Context::on(Device::EMULATOR)?.with_cancel(ctx.cancel_token().clone());
    let (formula, value) = self::formula(&inputs.moved_to(&emulated)?, source, result)?;
    formula.unchecked(value, result, &emulated).map_err(in_source)?.moved_to(ctx)
}

fn in_source(error: Error) -> Error {
    error.context("in a function of `source`")
}

/// The formula of a call of the function for each row, and its value.
fn formula(inputs: &Table, source: &str, result: DataType) -> Result<(JitExpression, Value)> {
    let name = source::name(source)?;
    if inputs.num_columns() == 0 {
        return Err(Error::invalid_argument("`inputs` has no columns"));
    }
    let stored = |what: &str, data_type: DataType| {
        let number = stored_as(data_type).filter(|_| !data_type.is_decimal());
        number.ok_or_else(|| {
            Error::data_type(format!("{what} is {data_type}; functions are of numbers, booleans and times"))
        })
    };
    let made = if result == DataType::Bool8 { "bool" } else { stored("`result`", result)? };
    let mut formula = JitExpression::new(inputs.num_rows());
    formula.define(&source::enclosed(source));
    let (mut arguments, mut valid) = (String::new(), Vec::new());
    for (at, column) in inputs.columns().iter().enumerate() {
        stored(&format!("column {at}"), column.data_type())?;
        let value = formula.column(column);
        arguments += ", ";
        arguments += &value.name;
        if column.data_type() == DataType::Bool8 {
            arguments += " != 0";
        }
        valid.push(value.valid);
    }
    let valid = formula.all(&valid.iter().collect::<Vec<_>>());
    let call = format!(
        "[&] {{ {made} made = {made}(0); if (row + k < n && {}) {}::{name}(&made{arguments}); return {}(made); }}()",
        valid.text(),
        source::ENCLOSED_IN,
        stored_as(result).unwrap_or("u8"),
    );
    let value = formula.value(result, valid, COST, &call);
    Ok((formula, value))
}

/// The assumed cost of a call, in simple operations.
const COST: usize = 40;
