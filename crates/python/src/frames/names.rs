//! Words of pandas' interface and what they stand for.

use cuprum::Aggregation;
use cuprum::axis::conditions::Inclusive;
use cuprum::column_accessor::DuplicateLabels;
use cuprum::operations::extremes::Extreme;
use cuprum::operations::fill::FillArea;
use cuprum::operations::interpolate::FillSide;
use cuprum::operations::reduce::MissingElements;
use cuprum::operations::{BinaryOperator, Interpolation, Keep};
use cuprum::operations::{MissingRank, RankMethod, RankOptions};
use cuprum::reshape::concat::RowLabels;
use cuprum::{NullOrder, Order};
use cuprum_compute::reduce::CumulativeOp;
use cuprum_compute::replace::FillDirection;
use cuprum_compute::unary::UnaryOperator;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::IntoPyResult;

fn unknown<T>(argument: &str, value: &str, known: &str) -> PyResult<T> {
    Err(PyValueError::new_err(format!("`{argument}` is '{value}'; known are {known}")))
}

/// An aggregation by pandas' name; `parameter` is `ddof` or the quantile.
pub fn aggregation(name: &str, parameter: Option<f64>) -> PyResult<Aggregation> {
    cuprum::operations::aggregate::aggregation(name, parameter).py()
}

/// Ascending or descending.
pub fn order(ascending: bool) -> Order {
    if ascending { Order::Ascending } else { Order::Descending }
}

/// The largest or the smallest.
pub fn extreme(largest: bool) -> Extreme {
    if largest { Extreme::Max } else { Extreme::Min }
}

/// A binary operator by the name of Python's method for it, without underscores.
pub fn binary_operator(name: &str) -> PyResult<BinaryOperator> {
    Ok(match name {
        "add" => BinaryOperator::Add,
        "sub" => BinaryOperator::Sub,
        "mul" => BinaryOperator::Mul,
        "truediv" => BinaryOperator::TrueDiv,
        "floordiv" => BinaryOperator::FloorDiv,
        "mod" => BinaryOperator::Mod,
        "pow" => BinaryOperator::Pow,
        "eq" => BinaryOperator::Equal,
        "ne" => BinaryOperator::NotEqual,
        "lt" => BinaryOperator::Less,
        "le" => BinaryOperator::LessEqual,
        "gt" => BinaryOperator::Greater,
        "ge" => BinaryOperator::GreaterEqual,
        "and" => BinaryOperator::And,
        "or" => BinaryOperator::Or,
        "xor" => BinaryOperator::Xor,
        other => return unknown("op", other, "the names of Python's operators"),
    })
}

/// A unary operator by name.
pub fn unary_operator(name: &str) -> PyResult<UnaryOperator> {
    Ok(match name {
        "neg" => UnaryOperator::Negate,
        "abs" => UnaryOperator::Abs,
        "invert" => UnaryOperator::Not,
        "bitinvert" => UnaryOperator::BitNot,
        "sign" => UnaryOperator::Sign,
        "sqrt" => UnaryOperator::Sqrt,
        "cbrt" => UnaryOperator::Cbrt,
        "exp" => UnaryOperator::Exp,
        "log" => UnaryOperator::Log,
        "sin" => UnaryOperator::Sin,
        "cos" => UnaryOperator::Cos,
        "tan" => UnaryOperator::Tan,
        "arcsin" => UnaryOperator::Arcsin,
        "arccos" => UnaryOperator::Arccos,
        "arctan" => UnaryOperator::Arctan,
        "sinh" => UnaryOperator::Sinh,
        "cosh" => UnaryOperator::Cosh,
        "tanh" => UnaryOperator::Tanh,
        "arcsinh" => UnaryOperator::Arcsinh,
        "arccosh" => UnaryOperator::Arccosh,
        "arctanh" => UnaryOperator::Arctanh,
        "ceil" => UnaryOperator::Ceil,
        "floor" => UnaryOperator::Floor,
        "trunc" => UnaryOperator::Trunc,
        "rint" => UnaryOperator::Rint,
        other => return unknown("op", other, "neg, abs, invert and the names of NumPy's functions"),
    })
}

/// A running aggregation by name.
pub fn cumulative(name: &str) -> PyResult<CumulativeOp> {
    Ok(match name {
        "sum" => CumulativeOp::Sum,
        "prod" => CumulativeOp::Product,
        "min" => CumulativeOp::Min,
        "max" => CumulativeOp::Max,
        other => return unknown("op", other, "sum, prod, min and max"),
    })
}

/// pandas' `keep`: `'first'`, `'last'` or `False`.
pub fn keep(obj: &Bound<'_, PyAny>) -> PyResult<Keep> {
    if let Ok(text) = obj.extract::<&str>() {
        match text {
            "first" => return Ok(Keep::First),
            "last" => return Ok(Keep::Last),
            _ => {}
        }
    } else if obj.extract::<bool>().is_ok_and(|b| !b) {
        return Ok(Keep::None);
    }
    unknown("keep", &obj.str()?.to_string(), "'first', 'last' and False")
}

/// pandas' `na_position`.
pub fn na_position(name: &str) -> PyResult<NullOrder> {
    match name {
        "first" => Ok(NullOrder::First),
        "last" => Ok(NullOrder::Last),
        other => unknown("na_position", other, "'first' and 'last'"),
    }
}

/// pandas' `interpolation` of quantiles.
pub fn interpolation(name: &str) -> PyResult<Interpolation> {
    Ok(match name {
        "linear" => Interpolation::Linear,
        "lower" => Interpolation::Lower,
        "higher" => Interpolation::Higher,
        "midpoint" => Interpolation::Midpoint,
        "nearest" => Interpolation::Nearest,
        other => return unknown("interpolation", other, "linear, lower, higher, midpoint and nearest"),
    })
}

/// The arguments of pandas' `rank`.
pub fn rank_options(method: &str, ascending: bool, na_option: &str, pct: bool) -> PyResult<RankOptions> {
    let method = match method {
        "average" => RankMethod::Average,
        "min" => RankMethod::Min,
        "max" => RankMethod::Max,
        "first" => RankMethod::First,
        "dense" => RankMethod::Dense,
        other => return unknown("method", other, "average, min, max, first and dense"),
    };
    let missing = match na_option {
        "keep" => MissingRank::Keep,
        "top" => MissingRank::Top,
        "bottom" => MissingRank::Bottom,
        other => return unknown("na_option", other, "keep, top and bottom"),
    };
    Ok(RankOptions { method, ascending, missing, pct })
}

/// pandas' `limit_direction`.
pub fn fill_side(side: &str) -> PyResult<FillSide> {
    match side {
        "forward" => Ok(FillSide::Forward),
        "backward" => Ok(FillSide::Backward),
        "both" => Ok(FillSide::Both),
        other => Err(PyValueError::new_err(format!(
            "Invalid limit_direction: expecting one of ['forward', 'backward', 'both'], got '{other}'."
        ))),
    }
}

/// The `limit_area` of `ffill` and `bfill`.
pub fn fill_area(area: Option<&str>) -> PyResult<FillArea> {
    match area {
        None => Ok(FillArea::Anywhere),
        Some("inside") => Ok(FillArea::Inside),
        Some("outside") => Ok(FillArea::Outside),
        Some(other) => Err(PyValueError::new_err(format!(
            "`limit_area` is {other:?}; known are None, 'inside' and 'outside'"
        ))),
    }
}

/// What an argument `skipna` says.
pub fn missing_elements(skipna: bool) -> MissingElements {
    if skipna { MissingElements::Skip } else { MissingElements::Propagate }
}

/// What an argument `ignore_index` says.
pub fn row_labels(ignored: bool) -> RowLabels {
    if ignored { RowLabels::Number } else { RowLabels::Keep }
}

/// What an argument `allow_duplicates` says.
pub fn duplicate_labels(allowed: bool) -> DuplicateLabels {
    if allowed { DuplicateLabels::Allow } else { DuplicateLabels::Refuse }
}

/// The direction of `ffill` and `bfill`.
pub fn fill_direction(forward: bool) -> FillDirection {
    if forward { FillDirection::Forward } else { FillDirection::Backward }
}

/// Which ends of a range belong to it.
pub fn inclusive(name: &str) -> PyResult<Inclusive> {
    Ok(match name {
        "both" => Inclusive::Both,
        "left" => Inclusive::Left,
        "right" => Inclusive::Right,
        "neither" => Inclusive::Neither,
        other => {
            return Err(PyValueError::new_err(format!(
                "Inclusive has to be either 'both', 'neither', 'left' or 'right', not '{other}'"
            )));
        }
    })
}
