//! The classes and functions of `pylibcuprum`.
//!
//! | module | subject |
//! |---|---|
//! | [`data_type`] | `DataType`, and what can be asked of types |
//! | [`memory_view`] | `gpumemoryview`: read-only memory of any device |
//! | [`column`] | what `Column` has beyond the needs of data frames |
//! | [`views`] | `ListsColumnView`, `StructsColumnView` |
//! | [`table`] | `Table` |
//! | [`scalar`] | `Scalar` |
//! | [`nested_sequence`] | columns of Python's lists, dicts and decimals |
//! | [`shape`] | arrays of several dimensions as lists |
//! | [`device_array`] | `__cuda_array_interface__`, both ways |
//! | [`dlpack`] | DLPack, both ways |
//! | [`export`] | Arrow with the names of fields, time zones and precisions |
//! | [`hashing`] | hashes and digests of rows |
//! | [`null_mask`] | masks of their own |
//! | [`copying`] | copies that share nothing |
//! | [`binding`], [`choices`] | how functions are bound: arguments, choices and results by their kinds |
//! | [`expressions`], [`operators`] | formulas, and the operators in them |
//! | [`io`] | files, as tables with the names of their columns |
//! | [`sorting`], [`search`], [`merge`] | order |
//! | [`stream_compaction`] | keeping rows |
//! | [`elementwise`] | unary and binary operations, casts, rounding |
//! | [`aggregation`], [`reduce`], [`groupby`] | aggregations of columns and of groups |
//! | [`rolling`] | windows |
//! | [`join`] | gather maps of joins |
//! | [`strings`], [`patterns`] | text; regular expressions |
//! | [`tokens`] | `nvtext`: tokens, n-grams, distances, vocabularies |
//! | [`tables`] | quantiles, other shapes, formulas, encodings, labels |
//! | [`to_array`] | the values of a table in memory of others |
//! | [`values`] | replacing and filling |
//! | [`datetime`] | times |

mod aggregation;
pub mod binding;
mod choices;
pub mod column;
mod copying;
pub mod data_type;
mod datetime;
pub mod device_array;
mod dlpack;
mod elementwise;
mod export;
mod expressions;
mod groupby;
mod hashing;
mod io;
mod join;
pub mod memory_view;
mod merge;
pub mod nested_sequence;
mod null_mask;
mod operators;
mod patterns;
mod reduce;
mod rolling;
pub mod scalar;
mod search;
pub mod shape;
mod sorting;
mod stream_compaction;
mod strings;
pub mod table;
mod tables;
mod to_array;
mod tokens;
mod values;
mod views;

use pyo3::prelude::*;

/// Adds the classes and functions of `pylibcuprum`.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<memory_view::MemoryView>()?;
    module.add_class::<views::ListsColumnView>()?;
    module.add_class::<views::StructsColumnView>()?;
    module.add_class::<table::PyTable>()?;
    module.add_class::<scalar::PyScalar>()?;
    module.add_function(wrap_pyfunction!(shape::is_c_contiguous, module)?)?;
    module.add_function(wrap_pyfunction!(column::make_column, module)?)?;
    module.add_function(wrap_pyfunction!(column::make_empty_column, module)?)?;
    data_type::register(module)?;
    device_array::register(module)?;
    dlpack::register(module)?;
    hashing::register(module)?;
    null_mask::register(module)?;
    expressions::register(module)?;
    io::register(module)?;
    sorting::register(module)?;
    search::register(module)?;
    merge::register(module)?;
    stream_compaction::register(module)?;
    elementwise::register(module)?;
    values::register(module)?;
    datetime::register(module)?;
    reduce::register(module)?;
    groupby::register(module)?;
    rolling::register(module)?;
    join::register(module)?;
    strings::register(module)?;
    patterns::register(module)?;
    to_array::register(module)?;
    tokens::register_all(module)?;
    tables::register(module)
}
