//! The second floor of Cuprum: columns, tables, scalars, null masks, and Arrow in and out.
//!
//! | module | subject |
//! |---|---|
//! | [`types`] | the one table of data types |
//! | [`stored`] | stored types of elements; dispatch from a type to code |
//! | [`mod@column`] | [`Column`]: owning, cheap to clone and slice; `build` has its constructors |
//! | [`view`] | [`ColumnView`]: columns in host memory that are being read |
//! | [`mutable`] | [`MutableColumnView`]: columns written in place |
//! | [`layout`] | drawings of how columns lie in memory |
//! | [`comparison`] | comparability of columns, all the way down |
//! | [`device_view`] | columns of any nesting as kernels see them |
//! | [`offsets`] | the offsets of strings and lists |
//! | [`strings`] | typed access to and construction of string columns |
//! | [`nested`] | lists, structs and dictionaries |
//! | [`validate`] | checks of columns whose parts come from elsewhere |
//! | [`transfer`] | from one device to another |
//! | [`null_mask`] | validity bits on every device; nulls inside of nested columns |
//! | [`scalar`] | one nullable value of any type |
//! | [`table`] | columns of one length |
//! | [`closest`] | the closest name, for error messages |
//! | [`arrow`] | Arrow in and out: arrow-rs arrays, the C data interface, streams and devices |

pub mod arrow;
mod build;
pub mod closest;
pub mod column;
pub mod comparison;
pub mod device_view;
pub mod layout;
pub mod mutable;
pub mod nested;
pub mod null_mask;
pub mod offsets;
pub mod scalar;
pub mod sharing;
pub mod stored;
pub mod strings;
pub mod table;
pub mod transfer;
pub mod types;
pub mod validate;
pub mod view;

pub use closest::closest_name;
pub use column::{Column, UNKNOWN_NULL_COUNT};
pub use comparison::{have_same_types, is_equality_comparable, is_relationally_comparable, type_name};
pub use cuprum_runtime::error::ResultExt;
pub use cuprum_runtime::{Buffer, CancelToken, Context, Detail, Device, Error, ErrorKind, HostUVec, Result};
pub use device_view::{ColumnDeviceView, DeviceView, DeviceViews, TextsDeviceView, TextsView};
pub use mutable::{MutableColumnView, MutableValidity};
pub use nested::ListsView;
pub use null_mask::Bitmap;
pub use offsets::Offsets;
pub use scalar::{Scalar, Value};
pub use stored::{Native, Stored};
pub use strings::{StringBuilder, StringsView};
pub use table::Table;
pub use types::{DataType, TimeUnit, TypeId};
pub use view::ColumnView;
