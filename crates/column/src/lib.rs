//! The second floor of Cuprum: columns, tables, scalars, null masks, and Arrow in and out.
//!
//! | module | subject |
//! |---|---|
//! | [`types`] | the one table of data types; dispatch from a type to code |
//! | [`column`] | [`Column`] (owning, cheap to clone and slice) and [`ColumnView`] (borrowed access) |
//! | [`strings`] | typed access to and construction of string columns |
//! | [`null_mask`] | validity bits: reading, counting, combining, building |
//! | [`scalar`] | one nullable value of any type |
//! | [`table`] | columns of one length |
//! | [`closest`] | the closest name, for error messages |
//! | [`arrow`] | conversion from and to arrow-rs arrays, without copying where the layouts agree |

pub mod arrow;
pub mod closest;
pub mod column;
pub mod null_mask;
pub mod scalar;
pub mod strings;
pub mod table;
pub mod types;

pub use closest::closest_name;
pub use column::{Column, ColumnView};
pub use cuprum_runtime::error::ResultExt;
pub use cuprum_runtime::{Buffer, CancelToken, Context, Device, Error, ErrorKind, HostUVec, Result};
pub use null_mask::Bitmap;
pub use scalar::{Scalar, Value};
pub use strings::{StringBuilder, StringsView};
pub use table::Table;
pub use types::{DataType, Native, TimeUnit};
