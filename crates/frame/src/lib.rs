//! Cuprum: data frames at full speed on every core of a CPU, with the same results in the same
//! order on every machine.
//!
//! ```
//! use cuprum::prelude::*;
//!
//! # fn main() -> cuprum::Result<()> {
//! let flights = df! {
//!     "carrier" => ["UA", "AA", "UA", "B6"],
//!     "delay" => [Some(11.0), Some(33.0), None, Some(-18.0)],
//! }?;
//! let worst = flights
//!     .filter(col("delay").gt(0))?
//!     .groupby(["carrier"])
//!     .agg([col("delay").mean().alias("mean"), len()])?
//!     .sort_by(["mean"], Descending)?;
//! assert_eq!(worst.index().get(0)?[0], Scalar::from("AA"));
//! println!("{worst}");
//! # Ok(())
//! # }
//! ```
//!
//! The book of the crate is `docs/rust.md`, with the same analysis in Rust and in Python;
//! `examples/tour.rs` is pandas' ten minutes.
//!
//! | module | subject |
//! |---|---|
//! | [`prelude`] | the imports of most programs; options stand in the module of the method that takes them |
//! | [`types`] | what the values of columns mean, and the rules of every kind |
//! | [`values`] | values of Rust and record batches of Arrow as series and frames, and back |
//! | [`dataframe`], [`series`], [`index`] | the frames and the labels of their rows |
//! | [`frame`] | what all frames share |
//! | [`column_accessor`], [`label`] | columns under labels |
//! | [`indexing`] | selection and assignment by label and position |
//! | [`axis`] | values along rows or columns beside a frame: `where`, `clip`, `fillna` |
//! | [`operations`] | operators, alignment, aggregations, statistics, equality |
//! | [`expression`] | formulas over columns |
//! | [`groupby`], [`reshape`] | group-by; joins, concatenation, rows to columns |
//! | [`window`] | statistics of the rows around each row |
//! | [`tools`] | regular times; times and numbers from texts |
//! | [`accessors`] | text and time functions of series |
//! | [`io`] | CSV and Parquet files |
//! | [`display`] | frames as text and HTML |
//!
//! Frames are values: operations return new frames that share the memory they did not change.
//! Everything is documented for missing values, row order and errors where it is defined; the rules
//! are those of pandas 3 unless the documentation says otherwise.

pub mod accessors;
pub mod axis;
pub mod column_accessor;
pub mod dataframe;
pub mod display;
pub mod expression;
pub mod frame;
pub mod groupby;
pub mod index;
pub mod indexing;
pub mod io;
pub mod label;
pub mod operations;
pub mod reshape;
pub mod series;
pub mod tools;
pub mod types;
pub mod values;
pub mod window;

#[cfg(test)]
mod tests;

pub use arrow_array::RecordBatch;
pub use axis::{Axis, Operand};
pub use cuprum_column::{
    Column, Context, DataType, Detail, Error, ErrorKind, Result, ResultExt, Scalar, Table, TimeUnit, Value,
};
pub use cuprum_compute::reduce::Aggregation;
pub use cuprum_compute::sorting::{NullOrder, Order};
pub use dataframe::DataFrame;
pub use expression::{Expr, col, len, lit, row_number, when};
pub use frame::{Frame, IndexedFrame};
pub use index::Index;
pub use label::Label;
pub use series::Series;
pub use types::{Dtype, TypedColumn};

/// The imports of most programs.
pub mod prelude {
    pub use crate::Order::{Ascending, Descending};
    pub use crate::frame::SortOptions;
    pub use crate::groupby::{GroupByOptions, Request};
    pub use crate::indexing::{LabelKey, PositionKey};
    pub use crate::io::{read_avro, read_csv, read_feather, read_json, read_parquet};
    pub use crate::operations::{BinaryOperator, Keep};
    pub use crate::reshape::merge::{How, MergeOptions, On};
    pub use crate::{
        Aggregation, Axis, Column, Context, DataFrame, DataType, Dtype, Expr, Frame, Index, IndexedFrame,
        Label, NullOrder, Operand, Order, Scalar, Series, TimeUnit, TypedColumn, col, df, len, lit,
        row_number, when,
    };
}
