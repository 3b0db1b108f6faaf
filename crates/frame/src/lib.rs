//! Data frames with pandas' semantics, on NVIDIA GPUs and on every core of a CPU, with the same results in the same
//! order on both.
//!
//! # A tour
//!
//! **Frames** are made by [`df!`], from Arrow's record batches ([`values`]) and from files. An `Option` is an element
//! that may be missing; integers stay integers then.
//!
//! ```
//! use cuprum::prelude::*;
//!
//! # fn main() -> cuprum::Result<()> {
//! let flights = df! {
//!     "carrier" => ["UA", "AA", "UA", "B6"],
//!     "delay" => [Some(11.0), Some(33.0), None, Some(-18.0)],
//!     "left" => ["2013-01-01 05:17", "2013-01-01 05:33", "2013-01-01 15:54", "2013-01-02 05:44"],
//! }?;
//! assert_eq!(flights.shape(), (4, 3));
//! println!("{flights}");
//! # Ok(())
//! # }
//! ```
//!
//! **Expressions** ([`Expr`]) say what is wanted of columns; [`filter`](DataFrame::filter),
//! [`with_columns`](DataFrame::with_columns), [`select`](DataFrame::select) and [`sort_by`](DataFrame::sort_by) take
//! them. What cannot work is an error before there is work. A comparison with a missing element is false.
//!
//! ```
//! # use cuprum::prelude::*;
//! # fn main() -> cuprum::Result<()> {
//! # let flights = df! {
//! #     "carrier" => ["UA", "AA", "UA", "B6"],
//! #     "delay" => [Some(11.0), Some(33.0), None, Some(-18.0)],
//! #     "left" => ["2013-01-01 05:17", "2013-01-01 05:33", "2013-01-01 15:54", "2013-01-02 05:44"],
//! # }?;
//! let late = flights.filter(col("delay").gt(0))?;
//! assert_eq!(late.num_rows(), 2);
//!
//! let more = flights.with_columns([
//!     (col("delay") / 60).alias("hours"),
//!     when(col("delay").gt(30)).then("very").otherwise("little").alias("late"),
//!     (col("delay") - col("delay").mean().over(["carrier"])).alias("beside_its_carrier"),
//!     col("left").cast(DataType::Timestamp(TimeUnit::Seconds)).dt().hour().alias("hour"),
//!     col("carrier").str().lower().alias("code"),
//! ])?;
//! assert_eq!(more.column("late")?.get(1)?, Scalar::from("very"));
//!
//! let error = flights.filter(col("carrier") * col("delay")).unwrap_err();
//! assert!(error.to_string().contains("carrier"), "{error}");
//! # Ok(())
//! # }
//! ```
//!
//! **Groups and joins**: keys may be expressions, and become the labels of the rows of groups, in pandas' order.
//!
//! ```
//! # use cuprum::prelude::*;
//! # fn main() -> cuprum::Result<()> {
//! # let flights = df! {
//! #     "carrier" => ["UA", "AA", "UA", "B6"],
//! #     "delay" => [Some(11.0), Some(33.0), None, Some(-18.0)],
//! # }?;
//! let carriers = df! { "carrier" => ["AA", "UA"], "name" => ["American", "United"] }?;
//! let worst = flights
//!     .join_on(&carriers, &["carrier"], How::Left)?
//!     .groupby(["name"])
//!     .agg([col("delay").mean().alias("mean"), len().alias("flights")])?
//!     .sort_by(["mean"], Descending)?;
//! assert_eq!(worst.index().get(0)?[0], Scalar::from("American"));
//! # Ok(())
//! # }
//! ```
//!
//! **Values of Rust** come out by type: slices, iterators of options, vectors.
//!
//! ```
//! # use cuprum::prelude::*;
//! # fn main() -> cuprum::Result<()> {
//! # let flights = df! { "delay" => [Some(11.0), Some(33.0), None, Some(-18.0)] }?;
//! let delay = flights.column("delay")?;
//! assert_eq!(delay.f64()?.iter().flatten().sum::<f64>(), 26.0);
//! let all: Vec<Option<f64>> = delay.to_vec()?;
//! assert_eq!(all[2], None);
//! # Ok(())
//! # }
//! ```
//!
//! **Files** are read and written by builders that `finish` ends ([`io`]): CSV, Parquet, ORC, JSON, Avro and Arrow's
//! own, whole directories of them, compressed or not.
//!
//! ```
//! # use cuprum::prelude::*;
//! # fn main() -> cuprum::Result<()> {
//! # let flights = df! { "carrier" => ["UA", "AA"], "delay" => [Some(11.0), None] }?;
//! # let folder = std::env::temp_dir().join(format!("cuprum-root-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! let path = folder.join("flights.parquet");
//! flights.write_parquet(&path).finish()?;
//! assert!(read_parquet(&path).columns(["delay"]).finish()?.equals(&flights.select(["delay"])?)?);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok(())
//! # }
//! ```
//!
//! **Devices**: frames stand in host memory or on a GPU ([`IndexedFrame::to_device`]); what is computed of them stands where
//! they do. All threads work unless `CUPRUM_NUM_THREADS` says fewer.
//!
//! Frames are values: operations return new frames, which share the memory that they did not change. Everything is
//! documented for missing values, row order and errors where it is defined; the rules are those of pandas 3 unless the
//! documentation says otherwise. `docs/rust.md` has a whole analysis in Rust and in Python, `examples/tour.rs` pandas'
//! ten minutes.
//!
//! # Modules
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
//! | [`io`] | files and data sets |
//! | [`display`] | frames as text and HTML |

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
pub mod plan;
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
