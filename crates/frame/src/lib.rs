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
//!     .group_by(["carrier"])
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
//! | [`types`] | what the values of columns mean, and the rules of every kind |
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
mod values;
pub mod window;

#[cfg(test)]
mod tests;

pub use arrow_array::RecordBatch;
pub use axis::{Aligned, Axis, CompareOptions, Fill, Operand, OperatorOptions, UpdateOptions};
pub use column_accessor::{ColumnAccessor, DuplicateLabels, LevelKey};
pub use cuprum_column::{
    Column, Context, DataType, Detail, Error, ErrorKind, Result, ResultExt, Scalar, Table, TimeUnit, Value,
};
pub use cuprum_compute::binaryop::BinaryOperator;
pub use cuprum_compute::datetime::{DatetimeComponent, RoundingFrequency};
pub use cuprum_compute::quantiles::Interpolation;
pub use cuprum_compute::reduce::{Aggregation, CumulativeOp};
pub use cuprum_compute::replace::FillDirection;
pub use cuprum_compute::sorting::{MissingRank, NullOrder, Order, RankMethod, RankOptions};
pub use cuprum_compute::stream_compaction::distinct::Keep;
pub use cuprum_compute::unary::UnaryOperator;
pub use dataframe::DataFrame;
pub use display::{DisplayOptions, FloatFormat, Footer, HtmlOptions, LabelsShown, Shown};
pub use expression::{Expr, JoinWhereOptions, Selector, col, len, lit, row_number, when};
pub use frame::{Frame, IndexedFrame, SampleOptions, SortOptions};
pub use groupby::{Enough, GroupBy, GroupByOptions, Key, Request};
pub use index::{Index, RangeIndex};
pub use indexing::{Assigned, Iloc, LabelKey, Loc, NamedLevels, PositionKey, Selected};
pub use label::Label;
pub use operations::aggregate::{Aggregations, NamedAggregation};
pub use operations::describe::DescribeOptions;
pub use operations::extremes::Extreme;
pub use operations::fill::{FillArea, NeighbourFill};
pub use operations::map::MissingKeys;
pub use operations::reduce::MissingElements;
pub use operations::statistics::{CorrelationMethod, CorrelationOptions, CovarianceOptions};
pub use reshape::concat::RowLabels;
pub use reshape::cut::{BinLabels, Bins, Cut, CutOptions, DuplicateEdges};
pub use reshape::merge::{How, MergeOptions, On, Validate};
pub use series::{Series, ValueCountsOptions};
pub use tools::datetimes::{DatetimeOptions, Origin, TimeFormat};
pub use tools::numeric::{Downcast, Invalid, NumericOptions};
pub use types::{Categories, Dtype, TypedColumn};
pub use values::{Element, IntoColumn};

/// The imports of most programs.
pub mod prelude {
    pub use crate::Order::{Ascending, Descending};
    pub use crate::io::{read_avro, read_csv, read_feather, read_json, read_parquet};
    pub use crate::{
        Aggregation, BinaryOperator, Column, Context, DataFrame, DataType, Dtype, Expr, Frame,
        GroupByOptions, How, Index, IndexedFrame, Keep, Label, LabelKey, MergeOptions, NullOrder, On, Order,
        PositionKey, Request, Scalar, Series, SortOptions, TimeUnit, TypedColumn, col, df, len, lit,
        row_number, when,
    };
}
