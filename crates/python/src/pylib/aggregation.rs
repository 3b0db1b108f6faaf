//! Aggregations as `pylibcuprum.aggregation` makes them, and the aggregations of columns and groups for them.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather_column};
use cuprum_compute::ewm::{self, EwmOptions};
use cuprum_compute::groupby::nth_argminmax::{extreme_rows, nth_rows};
use cuprum_compute::groupby::{self, Grouping};
use cuprum_compute::lists::{NanEquality, NullEquality};
use cuprum_compute::nan_values::{as_keys, has_nan, to_floats};
use cuprum_compute::quantiles::{Interpolation, quantile};
use cuprum_compute::reduce::{Aggregation, CumulativeOp, cumulative, reduce};
use cuprum_compute::replace::replace_nulls;
use cuprum_compute::rolling::WindowFunction;
use cuprum_compute::sorting::{self, MissingRank, NullOrder, Order, RankMethod, RankOptions};
use cuprum_compute::unary;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::binding::{Argument, choices, wrong_type};
use super::choices::{NansEqual, NullsEqual, WithNulls};

/// An `Aggregation` of Python; options that it lacks have their defaults.
#[derive(Clone)]
pub struct Wanted {
    pub kind: String,
    ddof: i64,
    n: i64,
    with_nulls: bool,
    equal: (bool, bool),
    quantiles: Vec<f64>,
    interpolation: Interpolation,
    min_periods: usize,
    ranks: (RankMethod, Order, NullOrder),
    share: Share,
    ewm: EwmOptions,
}

/// The normalization of ranks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    None,
    ZeroNormalized,
    OneNormalized,
}

/// Whether weights begin with the first value.
struct Finite(bool);

choices! {
    Share, "RankPercentage": 0 => Self::None, 1 => Self::ZeroNormalized, 2 => Self::OneNormalized;
    Finite, "EWMHistory": 0 => Self(false), 1 => Self(true);
}

impl Argument for Wanted {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let wrong = || wrong_type(name, "an Aggregation", object);
        let kind = object.call_method0("kind").and_then(|kind| kind.getattr("name")).map_err(|_| wrong())?;
        let parameters = object.getattr("_parameters").map_err(|_| wrong())?;
        let parameters = parameters.cast::<PyDict>().map_err(|_| wrong())?;
        fn said<T: Argument>(parameters: &Bound<'_, PyDict>, name: &str, default: T) -> PyResult<T> {
            parameters.get_item(name)?.map_or(Ok(default), |value| T::read(name, &value))
        }
        Ok(Self {
            kind: kind.extract()?,
            ddof: said(parameters, "ddof", 1)?,
            n: said(parameters, "n", 0)?,
            with_nulls: said(parameters, "null_handling", WithNulls(false))?.0,
            equal: (
                said(parameters, "nulls_equal", NullsEqual(true))?.0,
                said(parameters, "nans_equal", NansEqual(true))?.0,
            ),
            quantiles: said(parameters, "quantiles", vec![])?,
            interpolation: said(parameters, "interp", Interpolation::Linear)?,
            min_periods: said(parameters, "min_periods", 0)?,
            ranks: (
                said(parameters, "method", RankMethod::Average)?,
                said(parameters, "column_order", Order::Ascending)?,
                said(parameters, "null_precedence", NullOrder::Last)?,
            ),
            share: said(parameters, "percentage", Share::None)?,
            ewm: EwmOptions {
                center_of_mass: said(parameters, "center_of_mass", 0.0)?,
                adjust: said(parameters, "history", Finite(true))?.0,
                ..EwmOptions::default()
            },
        })
    }
}

impl Wanted {
    pub fn unsupported(&self, of: &str, data_type: DataType) -> Error {
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
    fn order(&self) -> Order {
        if self.kind == "ARGMAX" { Order::Descending } else { Order::Ascending }
    }

    /// Whether the order of values decides, in which NaN is the largest.
    fn is_of_order(&self) -> bool {
        matches!(self.kind.as_str(), "MIN" | "MAX")
    }

    /// Whether there is such a reduction of a column of the type.
    pub fn is_valid_reduction(&self, of: DataType) -> bool {
        match self.kind.as_str() {
            "NTH_ELEMENT" | "COLLECT_LIST" => true,
            "COLLECT_SET" | "ARGMIN" | "ARGMAX" => is_key(of),
            "SUM_OF_SQUARES" => of.is_numeric(),
            "QUANTILE" if of.is_numeric() => self.quantiles.len() == 1,
            _ => self.simple().is_some_and(|simple| simple.result_type(of).is_ok()),
        }
    }

    /// The window function, if there is one.
    pub fn window_function(&self) -> Option<WindowFunction> {
        let with_nulls = self.with_nulls;
        let (nulls, nans) = self.equal;
        Some(match self.kind.as_str() {
            "SUM" => WindowFunction::Sum,
            "MIN" => WindowFunction::Min,
            "MAX" => WindowFunction::Max,
            "ARGMIN" => WindowFunction::ArgMin,
            "ARGMAX" => WindowFunction::ArgMax,
            "MEAN" => WindowFunction::Mean,
            "VARIANCE" => WindowFunction::Var { ddof: self.ddof },
            "STD" => WindowFunction::Std { ddof: self.ddof },
            "COUNT_VALID" => WindowFunction::CountValid,
            "COUNT_ALL" => WindowFunction::CountAll,
            "NUNIQUE" => WindowFunction::NUnique { with_nulls },
            "NTH_ELEMENT" => WindowFunction::Nth { n: self.n, with_nulls },
            "COLLECT_LIST" => WindowFunction::CollectList { with_nulls },
            "COLLECT_SET" => WindowFunction::CollectSet {
                with_nulls,
                nulls: if nulls { NullEquality::Equal } else { NullEquality::Unequal },
                nans: if nans { NanEquality::AllEqual } else { NanEquality::Unequal },
            },
            _ => return None,
        })
    }

    /// Counts and rows as libcudf has them, where they fit.
    pub fn narrow(&self, column: Column, ctx: &Context) -> Result<Column> {
        match self.kind.as_str() {
            "NUNIQUE" | "COUNT_VALID" | "COUNT_ALL" | "ARGMIN" | "ARGMAX"
                if i32::try_from(column.len()).is_ok() =>
            {
                unary::cast(&column, DataType::Int32, ctx)
            }
            _ => Ok(column),
        }
    }

    /// The places of all values in their order, of all rows or of their groups.
    pub fn ranked(&self, column: &Column, groups: Option<&Column>, ctx: &Context) -> Result<Column> {
        let (method, order, precedence) = self.ranks;
        let ascending = order == Order::Ascending;
        let missing = match (self.with_nulls, (precedence == NullOrder::First) == ascending) {
            (false, _) => MissingRank::Keep,
            (true, true) => MissingRank::Top,
            (true, false) => MissingRank::Bottom,
        };
        let pct = self.share == Share::OneNormalized;
        let options = RankOptions { method, ascending, missing, pct };
        let keys = as_keys(column, ctx)?;
        let rank = |options| match groups {
            Some(groups) => sorting::rank_within(&keys, groups, options, ctx),
            None => sorting::rank(&keys, options, ctx),
        };
        let ranks = rank(options)?;
        if self.share == Share::ZeroNormalized {
            // The ratio of a rank to its share is the number of ranks.
            let shares = rank(RankOptions { pct: true, ..options })?;
            let one = Scalar::from(1.0);
            let all = binary_operation(&ranks, &shares, BinaryOperator::TrueDiv, ctx)?;
            let before = binary_operation(&ranks, &one, BinaryOperator::Sub, ctx)?;
            let all = unary::round(&all, 0, ctx)?;
            let others = binary_operation(&all, &one, BinaryOperator::Sub, ctx)?;
            let share = binary_operation(&before, &others, BinaryOperator::TrueDiv, ctx)?;
            // The only one is the first of all.
            let alone = binary_operation(&others, &Scalar::from(0.0), BinaryOperator::Equal, ctx)?;
            let alone = replace_nulls(&alone, &Scalar::from(false), false, ctx)?;
            return copy_if_else(&Scalar::from(0.0), &share, &alone, ctx);
        }
        if self.share == Share::OneNormalized || method == RankMethod::Average {
            return Ok(ranks);
        }
        unary::cast(&ranks, DataType::Int32, ctx)
    }

    /// The exponentially weighted means; NaN from the first one on.
    pub fn weighted(&self, column: &Column, ctx: &Context) -> Result<Column> {
        let of = column.data_type();
        if !of.is_numeric() {
            return Err(self.unsupported("the scan", of));
        }
        let means = ewm::mean(column, self.ewm, ctx)?;
        if !(of.is_float() && has_nan(column, ctx)?) {
            return Ok(means);
        }
        let flags = unary::cast(&unary::is_nan(column, ctx)?, DataType::Int8, ctx)?;
        let spoiled = unary::cast(&cumulative(&flags, CumulativeOp::Max, ctx)?, DataType::Bool8, ctx)?;
        let spoiled = replace_nulls(&spoiled, &Scalar::from(false), false, ctx)?;
        copy_if_else(&Scalar::from(f64::NAN), &means, &spoiled, ctx)
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
        if let "COLLECT_LIST" | "COLLECT_SET" = self.kind.as_str() {
            let all = groupby::group(&Table::with_rows(vec![], column.len())?, false, ctx)?;
            if column.is_empty() {
                let offsets = Column::from_slice(&[0i32, 0], ctx)?;
                return as_type(Column::lists(offsets, column.clone(), None)?.get(0)?, data_type, ctx);
            }
            return as_type(self.of_groups(column, &all, ctx)?.get(0)?, data_type, ctx);
        }
        let present = column.len() - column.null_count()?;
        let counts = matches!(self.kind.as_str(), "ANY" | "ALL" | "NUNIQUE" | "COUNT_VALID" | "COUNT_ALL");
        if present == 0 && !counts {
            return Ok(Scalar::null(data_type));
        }
        if let "ARGMIN" | "ARGMAX" = self.kind.as_str() {
            let first = sorting::top_k(&as_keys(column, ctx)?, 1, self.order(), ctx)?;
            return as_type(first.get(0)?, data_type, ctx);
        }
        let nan = of.is_float() && has_nan(column, ctx)?;
        if self.kind == "QUANTILE" && of.is_numeric() {
            if nan {
                return as_type(Scalar::from(f64::NAN), data_type, ctx);
            }
            let found = quantile(column, &self.quantiles, self.interpolation, ctx)?;
            return as_type(found.get(0)?, data_type, ctx);
        }
        let Some(simple) = self.simple() else { return Err(self.unsupported("the reduction", of)) };
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
        let wide = match column.data_type() {
            of if of.is_float() => DataType::Float64,
            DataType::UInt64 => DataType::UInt64,
            of if of.is_numeric() => DataType::Int64,
            of => return Err(self.unsupported("the aggregation", of)),
        };
        let wide = unary::cast(column, wide, ctx)?;
        binary_operation(&wide, &wide, BinaryOperator::Mul, ctx)
    }

    /// The aggregations of a column among these that are those of the family and nothing else, but for their
    /// [type](Self::typed), so that they are made in one pass.
    pub fn together(wanted: &[Self], column: &Column, ctx: &Context) -> Result<Vec<Option<Aggregation>>> {
        let of = column.data_type();
        let nan = of.is_float() && has_nan(column, ctx)?;
        let is_plain = |wanted: &&Self| match wanted.kind.as_str() {
            "SUM" | "PRODUCT" => !nan && !column.has_nulls(),
            "MIN" | "MAX" | "MEAN" | "VARIANCE" | "STD" | "MEDIAN" | "ANY" | "ALL" | "COUNT_VALID" => !nan,
            "COUNT_ALL" => true,
            _ => false,
        };
        let how = |wanted: &Self| Some(wanted).filter(is_plain).and_then(Self::simple);
        Ok(wanted.iter().map(how).collect())
    }

    /// An aggregation of groups in the type that libcudf gives it.
    pub fn typed(&self, result: Column, ctx: &Context) -> Result<Column> {
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

    /// The aggregation of each group: one row per group.
    pub fn of_groups(&self, column: &Column, grouping: &Grouping, ctx: &Context) -> Result<Column> {
        let of = column.data_type();
        let aggregate = |column: &Column, how: Aggregation| {
            groupby::aggregate(grouping, &[(column, how)], ctx).map(|mut columns| columns.remove(0))
        };
        match self.kind.as_str() {
            "NTH_ELEMENT" => {
                let rows = groupby::grouped_rows::grouped_rows(grouping, None, ctx)?;
                let map = nth_rows(&rows, column, self.n, self.with_nulls, ctx)?;
                return gather_column(column, &map, OutOfBoundsPolicy::Nullify, ctx);
            }
            "ARGMIN" | "ARGMAX" if is_key(of) => return extreme_rows(grouping, column, self.order(), ctx),
            "COLLECT_LIST" => return groupby::collect_list(grouping, column, self.with_nulls, ctx),
            "COLLECT_SET" if is_key(of) => {
                return groupby::collect_set(grouping, column, self.with_nulls, self.equal, ctx);
            }
            "QUANTILE" if of.is_numeric() && self.quantiles.len() == 1 => {
                let found = groupby::quantiles(grouping, column, &self.quantiles, self.interpolation, ctx)?;
                return with_nans(&found, std::slice::from_ref(column), grouping, ctx);
            }
            "M2" if of.is_numeric() => {
                let found = groupby::m2(grouping, column, ctx)?;
                return with_nans(&found, std::slice::from_ref(column), grouping, ctx);
            }
            "MERGE_M2" => return groupby::merge_m2(grouping, column, ctx),
            "COVARIANCE" | "CORRELATION" if is_pair(column) => {
                let fields = [column.field(0)?, column.field(1)?];
                let [left, right] = fields.each_ref();
                let found = if self.kind == "COVARIANCE" {
                    groupby::covariance(grouping, left, right, (self.ddof, self.min_periods), ctx)?
                } else {
                    groupby::correlation(grouping, left, right, self.min_periods, ctx)?
                };
                return with_nans(&found, &fields, grouping, ctx);
            }
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
        self.typed(result, ctx)
    }

    /// Whether there is such an aggregation of groups.
    pub fn is_valid_of_groups(&self, of: DataType) -> bool {
        match self.kind.as_str() {
            "NTH_ELEMENT" | "COLLECT_LIST" => true,
            "ARGMIN" | "ARGMAX" | "COLLECT_SET" => is_key(of),
            "QUANTILE" if of.is_numeric() => self.quantiles.len() == 1,
            "M2" | "SUM_OF_SQUARES" => of.is_numeric(),
            // Of structs with the fields that it needs.
            "MERGE_M2" | "COVARIANCE" | "CORRELATION" => of == DataType::Struct,
            _ => self.simple().is_some_and(|simple| groupby::result_type(of, simple).is_ok()),
        }
    }
}

fn nth_of(n: i64, len: usize) -> Option<usize> {
    let place = if n < 0 { i64::try_from(len).ok()?.checked_add(n)? } else { n };
    usize::try_from(place).ok().filter(|place| *place < len)
}

/// Whether values of a type have an order.
fn is_key(of: DataType) -> bool {
    of.is_numeric() || of.is_chrono() || of.is_decimal() || of == DataType::String
}

/// Whether a column is of structs of two numbers.
fn is_pair(column: &Column) -> bool {
    let fields = column.children();
    column.data_type() == DataType::Struct
        && fields.len() == 2
        && fields.iter().all(|field| field.data_type().is_numeric())
}

/// The results of groups, NaN where a row without a null has a NaN in one of the columns.
fn with_nans(found: &Column, columns: &[Column], grouping: &Grouping, ctx: &Context) -> Result<Column> {
    let mut spoiled: Option<Column> = None;
    for column in columns.iter().filter(|column| column.data_type().is_float()) {
        let mut nans = unary::is_nan(column, ctx)?;
        for other in columns {
            let there = unary::is_valid(other, ctx)?;
            nans = copy_if_else(&nans, &Scalar::from(false), &there, ctx)?;
        }
        let of_groups = groupby::aggregate(grouping, &[(&nans, Aggregation::Any)], ctx)?.remove(0);
        spoiled = Some(match spoiled {
            Some(spoiled) => binary_operation(&spoiled, &of_groups, BinaryOperator::Or, ctx)?,
            None => of_groups,
        });
    }
    match spoiled {
        Some(spoiled) => copy_if_else(&Scalar::from(f64::NAN), found, &spoiled, ctx),
        None => Ok(found.clone()),
    }
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
