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

pub mod column;
mod copying;
pub mod data_type;
pub mod device_array;
mod dlpack;
mod export;
mod hashing;
pub mod memory_view;
pub mod nested_sequence;
mod null_mask;
pub mod scalar;
pub mod shape;
pub mod table;
mod views;

use pyo3::prelude::*;

/// Adds the classes and functions that `pylibcuprum` is made of.
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
    null_mask::register(module)
}
