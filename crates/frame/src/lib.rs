//! Cuprum: data frames at full speed on every core of a CPU, with the same results in the same
//! order on every machine.
//!
//! ```
//! use cuprum::prelude::*;
//!
//! # fn main() -> cuprum::Result<()> {
//! let ctx = Context::current();
//! let flights = DataFrame::new([
//!     ("carrier", Column::from_strs(&["UA", "AA", "UA", "B6"], &ctx)?),
//!     ("delay", Column::from_options(&[Some(11.0), Some(33.0), None, Some(-18.0)], &ctx)?),
//! ])?;
//! let worst = flights
//!     .groupby(&["carrier"])?
//!     .aggregate(&[Request::new("mean_delay", "delay", Aggregation::Mean)])?
//!     .sort_values(&["mean_delay"], &[false], NullOrder::Last)?;
//! assert_eq!(worst.index().get(0)?[0], Scalar::from("AA"));
//! # Ok(())
//! # }
//! ```
//!
//! | module | subject |
//! |---|---|
//! | [`types`] | what the values of columns mean, and the rules of every kind |
//! | [`dataframe`], [`series`], [`index`] | the frames and the labels of their rows |
//! | [`frame`] | what all frames share |
//! | [`column_accessor`], [`label`] | columns under labels |
//! | [`indexing`] | selection and assignment by label and position |
//! | [`operations`] | operators, alignment, summaries, ranks, equality |
//! | [`groupby`], [`reshape`] | group-by; joins, concatenation, rows to columns |
//! | [`accessors`] | text and time functions of series |
//! | [`io`] | CSV and Parquet files |
//! | [`display`] | frames as text and HTML |
//!
//! Frames are values: operations return new frames that share the memory they did not change.
//! Everything is documented for missing values, row order and errors where it is defined; the rules
//! are those of pandas 3 unless the documentation says otherwise.

pub mod accessors;
pub mod column_accessor;
pub mod dataframe;
pub mod display;
pub mod frame;
pub mod groupby;
pub mod index;
pub mod indexing;
pub mod io;
pub mod label;
pub mod operations;
pub mod reshape;
pub mod series;
pub mod types;

#[cfg(test)]
mod tests;

pub use column_accessor::{ColumnAccessor, LevelKey};
pub use cuprum_column::{
    Column, Context, DataType, Error, ErrorKind, Result, ResultExt, Scalar, Table, TimeUnit, Value,
};
pub use cuprum_compute::binaryop::BinaryOperator;
pub use cuprum_compute::quantiles::Interpolation;
pub use cuprum_compute::reduce::Aggregation;
pub use cuprum_compute::sorting::NullOrder;
pub use cuprum_compute::stream_compaction::distinct::Keep;
pub use dataframe::DataFrame;
pub use display::{DisplayOptions, FloatFormat, Footer, HtmlOptions, LabelsShown, Shown};
pub use frame::{Frame, IndexedFrame, Rows};
pub use groupby::{GroupBy, GroupByOptions, Request};
pub use index::{Index, RangeIndex};
pub use indexing::Labels;
pub use label::Label;
pub use reshape::merge::{How, MergeOptions, On, Validate};
pub use series::Series;
pub use types::{Categories, Dtype, TypedColumn};

/// What most programs import.
pub mod prelude {
    pub use crate::{
        Aggregation, BinaryOperator, Column, Context, DataFrame, DataType, Dtype, Frame, GroupByOptions, How,
        Index, IndexedFrame, Keep, Label, Labels, MergeOptions, NullOrder, On, Request, Rows, Scalar, Series,
        TimeUnit, TypedColumn,
    };
}
