//! Aggregations as `pylibcuprum.aggregation` makes them, and what they are of columns and groups.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather_column};
use cuprum_compute::groupby::one_row::{extreme_rows, nth_rows};
use cuprum_compute::groupby::{self, Grouping};
use cuprum_compute::nan_values::{as_keys, has_nan, to_floats};
use cuprum_compute::quantiles::Interpolation;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::{sorting, unary};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::binding::{Argument, wrong_type};
use super::choices::WithNulls;

/// What Python's `Aggregation` says.
#[derive(Clone)]
pub struct Wanted {
    pub kind: String,
    ddof: i64,
    n: i64,
    with_nulls: bool,
    quantiles: Vec<f64>,
    interpolation: Interpolation,
}

impl Argument for Wanted {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let wrong = || wrong_type(name, "an Aggregation", object);
        let kind = object.call_method0("kind").and_then(|kind| kind.getattr("name")).map_err(|_| wrong())?;
        let parameters = object.getattr("_parameters").map_err(|_| wrong())?;
        let parameters = parameters.cast::<PyDict>().map_err(|_| wrong())?;
        let read = |key: &str| parameters.get_item(key);
        Ok(Self {
            kind: kind.extract()?,
            ddof: read("ddof")?.map_or(Ok(1), |value| i64::read("ddof", &value))?,
            n: read("n")?.map_or(Ok(0), |value| i64::read("n", &value))?,
            with_nulls: match read("null_handling")? {
                Some(policy) => WithNulls::read("null_handling", &policy)?.0,
                None => false,
            },
            quantiles: read("quantiles")?.map_or(Ok(vec![]), |value| Argument::read("quantiles", &value))?,
            interpolation: match read("interp")? {
                Some(interp) => Argument::read("interp", &interp)?,
                None => Interpolation::Linear,
            },
        })
    }
}

impl Wanted {
    fn unsupported(&self, of: &str, data_type: DataType) -> Error {
        Error::unsupported(format!("{of} of {data_type} with {} does not exist", self.kind))
    }

    /// The aggregation of the family, where it has one.
    fn simple(&self) -> Option<Aggregation> {
        Some(match self.kind.as_str() {
            "SUM" | "SUM_OF_SQUARES" => Aggregation::Sum,
            "PRODUCT" => Aggregation::Product,
            "MIN" => Aggregation::Min,
            "MAX" => Aggregation::Max,
            "MEAN" => Aggregation::Mean,
            "VARIANCE" => Aggregation::Var { ddof: self.ddof },
            "STD" => Aggregation::Std { ddof: self.ddof },
            "MEDIAN" => Aggregation::Median,
            "QUANTILE" if self.interpolation == Interpolation::Linear && self.quantiles.len() == 1 => {
                Aggregation::Quantile(self.quantiles[0])
            }
            "NUNIQUE" => Aggregation::NUnique,
            "ANY" => Aggregation::Any,
            "ALL" => Aggregation::All,
            "COUNT_VALID" => Aggregation::Count,
            "COUNT_ALL" => Aggregation::Size,
            _ => return None,
        })
    }

    /// Whether a NaN makes the result one.
    fn spreads_nan(&self) -> bool {
        matches!(
            self.kind.as_str(),
            "SUM" | "SUM_OF_SQUARES" | "PRODUCT" | "MEAN" | "VARIANCE" | "STD" | "MEDIAN" | "QUANTILE"
        )
    }

    /// The order in which the row of ARGMIN or ARGMAX comes first.
    fn order(&self) -> sorting::Order {
        if self.kind == "ARGMAX" { sorting::Order::Descending } else { sorting::Order::Ascending }
    }

    /// Whether the order of values decides, in which NaN is the largest.
    fn is_of_order(&self) -> bool {
        matches!(self.kind.as_str(), "MIN" | "MAX")
    }

    /// Whether there is such a reduction of a column of the type.
    pub fn is_valid_reduction(&self, of: DataType) -> bool {
        match self.kind.as_str() {
            "NTH_ELEMENT" => true,
            "ARGMIN" | "ARGMAX" => of.is_numeric() || of.is_chrono() || of == DataType::String,
            _ => self.simple().is_some_and(|simple| simple.result_type(of).is_ok()),
        }
    }

    /// The row that NTH_ELEMENT means.
    fn nth(&self, column: &Column, ctx: &Context) -> Result<Option<usize>> {
        if self.with_nulls || !column.has_nulls() {
            return Ok(nth_of(self.n, column.len()));
        }
        let valid = unary::is_valid(column, ctx)?;
        let rows = cuprum_compute::stream_compaction::mask_to_rows(&valid, ctx)?;
        let Some(place) = nth_of(self.n, rows.len()) else { return Ok(None) };
        Ok(rows.get(place)?.as_i64().and_then(|row| usize::try_from(row).ok()))
    }

    /// The reduction of a column, of `data_type`.
    pub fn of_column(&self, column: &Column, data_type: DataType, ctx: &Context) -> Result<Scalar> {
        let of = column.data_type();
        if self.kind == "NTH_ELEMENT" {
            let row = self.nth(column, ctx)?;
            let row = row.ok_or_else(|| {
                Error::out_of_range(format!("`n` is {} for a column of {} rows", self.n, column.len()))
            })?;
            return as_type(column.get(row)?, data_type, ctx);
        }
        if !self.is_valid_reduction(of) {
            return Err(self.unsupported("the reduction", of));
        }
        let present = column.len() - column.count_nulls()?;
        let counts = matches!(self.kind.as_str(), "ANY" | "ALL" | "NUNIQUE" | "COUNT_VALID" | "COUNT_ALL");
        if present == 0 && !counts {
            return Ok(Scalar::null(data_type));
        }
        if let "ARGMIN" | "ARGMAX" = self.kind.as_str() {
            let first = sorting::top_k(&as_keys(column, ctx)?, 1, self.order(), ctx)?;
            return as_type(first.get(0)?, data_type, ctx);
        }
        let Some(simple) = self.simple() else { return Err(self.unsupported("the reduction", of)) };
        let nan = of.is_float() && has_nan(column, ctx)?;
        if nan && self.spreads_nan() {
            return as_type(Scalar::from(f64::NAN), data_type, ctx);
        }
        if nan && self.is_of_order() {
            let key = Column::from_scalar(&reduce(&as_keys(column, ctx)?, simple, ctx)?, 1, ctx)?;
            return as_type(to_floats(&key, of, ctx)?.get(0)?, data_type, ctx);
        }
        if nan && self.kind == "ANY" {
            return as_type(Scalar::from(true), data_type, ctx);
        }
        let squares = self.squares(column, ctx)?;
        let column = if nan { as_keys(&squares, ctx)? } else { squares };
        let result = match self.kind.as_str() {
            "ALL" if nan => reduce(&as_truth(&column, of, ctx)?, simple, ctx)?,
            "NUNIQUE" if self.with_nulls && column.has_nulls() => {
                let others = reduce(&column, simple, ctx)?.as_i64().unwrap_or(0);
                Scalar::from(others + 1)
            }
            _ => reduce(&column, simple, ctx)?,
        };
        as_type(result, data_type, ctx)
    }

    fn squares(&self, column: &Column, ctx: &Context) -> Result<Column> {
        if self.kind != "SUM_OF_SQUARES" {
            return Ok(column.clone());
        }
        let wide = if column.data_type().is_float() { DataType::Float64 } else { DataType::Int64 };
        let wide = unary::cast(column, wide, ctx)?;
        binary_operation(&wide, &wide, BinaryOperator::Mul, ctx)
    }

    /// The aggregation of each group: one row per group.
    pub fn of_groups(&self, column: &Column, grouping: &Grouping, ctx: &Context) -> Result<Column> {
        let of = column.data_type();
        let aggregate = |column: &Column, how: Aggregation| {
            groupby::aggregate(grouping, &[(column, how)], ctx).map(|mut columns| columns.remove(0))
        };
        match self.kind.as_str() {
            "NTH_ELEMENT" => {
                let rows = groupby::rows::grouped_rows(grouping, None, ctx)?;
                let map = nth_rows(&rows, column, self.n, self.with_nulls, ctx)?;
                return gather_column(column, &map, OutOfBoundsPolicy::Nullify, ctx);
            }
            "ARGMIN" | "ARGMAX" => return extreme_rows(grouping, column, self.order(), ctx),
            _ => {}
        }
        let Some(simple) = self.simple() else {
            return Err(self.unsupported("the aggregation of groups", of));
        };
        let nan = of.is_float() && has_nan(column, ctx)?;
        let result = if nan && self.is_of_order() {
            to_floats(&aggregate(&as_keys(column, ctx)?, simple)?, of, ctx)?
        } else if nan && self.spreads_nan() {
            let result = aggregate(&self.squares(column, ctx)?, simple)?;
            let spoiled = aggregate(&unary::is_nan(column, ctx)?, Aggregation::Any)?;
            let nan = as_type(Scalar::from(f64::NAN), result.data_type(), ctx)?;
            copy_if_else(&nan, &result, &spoiled, ctx)?
        } else if nan && matches!(self.kind.as_str(), "ANY" | "ALL") {
            aggregate(&as_truth(column, of, ctx)?, simple)?
        } else {
            let column = self.squares(column, ctx)?;
            aggregate(&if nan { as_keys(&column, ctx)? } else { column }, simple)?
        };
        let result = match self.kind.as_str() {
            "NUNIQUE" if self.with_nulls => {
                let nulls = aggregate(&unary::is_null(column, ctx)?, Aggregation::Any)?;
                let nulls = unary::cast(&nulls, DataType::Int64, ctx)?;
                binary_operation(&result, &nulls, BinaryOperator::Add, ctx)?
            }
            _ => result,
        };
        // Groups of nulls alone have no sum.
        let result = match self.kind.as_str() {
            "SUM" | "PRODUCT" | "SUM_OF_SQUARES" if column.has_nulls() => {
                let present = aggregate(&unary::is_valid(column, ctx)?, Aggregation::Any)?;
                copy_if_else(&result, &Scalar::null(result.data_type()), &present, ctx)?
            }
            _ => result,
        };
        match self.kind.as_str() {
            "NUNIQUE" | "COUNT_VALID" | "COUNT_ALL" => unary::cast(&result, DataType::Int32, ctx),
            "MEAN" | "VARIANCE" | "STD" | "MEDIAN" | "QUANTILE"
                if result.data_type() == DataType::Float32 =>
            {
                unary::cast(&result, DataType::Float64, ctx)
            }
            _ => Ok(result),
        }
    }

    /// Whether there is such an aggregation of groups.
    pub fn is_valid_of_groups(&self, of: DataType) -> bool {
        match self.kind.as_str() {
            "NTH_ELEMENT" => true,
            "ARGMIN" | "ARGMAX" => of.is_numeric() || of.is_chrono() || of == DataType::String,
            _ => self.simple().is_some_and(|simple| groupby::result_type(of, simple).is_ok()),
        }
    }
}

fn nth_of(n: i64, len: usize) -> Option<usize> {
    let place = if n < 0 { i64::try_from(len).ok()?.checked_add(n)? } else { n };
    usize::try_from(place).ok().filter(|place| *place < len)
}

/// A scalar of another type.
pub fn as_type(scalar: Scalar, data_type: DataType, ctx: &Context) -> Result<Scalar> {
    if scalar.data_type() == data_type {
        return Ok(scalar);
    }
    if scalar.as_f64().is_some_and(f64::is_nan) && !data_type.is_float() {
        return Err(Error::invalid_argument(format!("the result is NaN, which is no {data_type}")));
    }
    unary::cast(&Column::from_scalar(&scalar, 1, ctx)?, data_type, ctx)?.get(0)
}

/// Whether floats, which may be among the keys of NaN, are not zero.
fn as_truth(column: &Column, of: DataType, ctx: &Context) -> Result<Column> {
    let floats = if column.data_type() == of { column.clone() } else { to_floats(column, of, ctx)? };
    let zero = as_type(Scalar::from(0.0f64), of, ctx)?;
    binary_operation(&floats, &zero, BinaryOperator::NotEqual, ctx)
}
