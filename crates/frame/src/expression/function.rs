//! [`Function`]: functions of expressions, beyond operators.

use std::fmt;

use cuprum_column::{Result, Scalar};
use cuprum_compute::datetime::DatetimeComponent;
use cuprum_compute::reduce::Aggregation;

use super::evaluate::Evaluated;
use super::exact::Exact;
use super::lists::ListFunction;
use super::rows::RowFunction;
use super::structs::StructFunction;
use crate::accessors::datetime_functions::TimeFunction;
use crate::accessors::string_functions::TextFunction;
use crate::accessors::timedelta_functions::TimedeltaFunction;
use crate::axis::{Axis, Operand};
use crate::frame::Frame;
use crate::operations::replace::Sought;
use crate::series::Series;

/// A function of one expression, some beside others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    /// Whether a value is missing.
    IsMissing,
    /// Numbers rounded to so many digits.
    Round(i32),
    /// Within the limits beside it.
    Clip,
    /// Values replaced by others.
    Replace(Exact<Vec<(Sought, Scalar)>>),
    Text(TextFunction),
    Time(TimeFunction),
    Timedelta(TimedeltaFunction),
    List(ListFunction),
    Struct(StructFunction),
    /// Of other rows, too.
    Rows(RowFunction),
}

impl Function {
    /// Whether a value depends on the rows that it is computed with.
    pub(super) fn is_of_rows(&self) -> bool {
        matches!(self, Self::Rows(_))
    }

    /// Whether the value of a row, and its type, are the same whatever other rows there are.
    pub(crate) fn is_of_single_rows(&self) -> bool {
        match self {
            // Of clip and replace what there is of the values decides the type.
            Self::Rows(_) | Self::Clip | Self::Replace(_) => false,
            Self::IsMissing
            | Self::Round(_)
            | Self::Text(_)
            | Self::Time(_)
            | Self::Timedelta(_)
            | Self::List(_)
            | Self::Struct(_) => true,
        }
    }

    /// The part of a time that it is.
    pub(super) fn component(&self) -> Option<DatetimeComponent> {
        match self {
            Self::Time(TimeFunction::Component(component)) => Some(*component),
            _ => None,
        }
    }

    /// The function of all rows of a series, and of what stands beside it.
    pub(super) fn call(&self, series: &Series, beside: &[Evaluated]) -> Result<Series> {
        match self {
            Self::IsMissing => series.isna(),
            Self::Round(decimals) => series.round(*decimals),
            Self::Clip => {
                let values = beside.iter().map(Evaluated::value).collect::<Result<Vec<_>>>()?;
                let limit = |at: usize| match (beside.get(at), values.get(at)) {
                    (Some(Evaluated::Rows(limits)), _) => Operand::Values(limits, Axis::Rows),
                    (_, Some(Some(value))) if !value.is_null() => Operand::One(value),
                    _ => Operand::Missing,
                };
                series.clip_with(limit(0), limit(1))
            }
            Self::Replace(pairs) => series.replace(&pairs.0),
            Self::Text(function) => {
                let columns = beside.iter().map(|of| of.clone().into_column(series.len()));
                let text = series.str()?;
                text.call_beside(function, &text.beside(&columns.collect::<Result<Vec<_>>>()?)?)
            }
            Self::Time(function) => series.dt()?.call(function),
            Self::Timedelta(function) => series.td()?.call(function),
            Self::List(function) => function.call(series, beside),
            Self::Struct(function) => function.call(series),
            Self::Rows(function) => function.call(series, beside),
        }
    }
}

/// As a method of pandas, with its arguments.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IsMissing => f.write_str("isna()"),
            Self::Round(decimals) => write!(f, "round({decimals})"),
            Self::Clip => f.write_str("clip()"),
            Self::Replace(pairs) => {
                let shown = |(old, new): &(Sought, Scalar)| match old {
                    Sought::Value(old) | Sought::Instant(old) => format!("{old}: {new}"),
                };
                let pairs: Vec<String> = pairs.0.iter().map(shown).collect();
                write!(f, "replace({{{}}})", pairs.join(", "))
            }
            Self::Text(function) => write!(f, "str.{function}"),
            Self::Time(function) => write!(f, "dt.{function}"),
            Self::Timedelta(function) => write!(f, "dt.{function}"),
            Self::List(function) => write!(f, "list.{function}"),
            Self::Struct(function) => write!(f, "struct.{function}"),
            Self::Rows(function) => write!(f, "{function}"),
        }
    }
}

/// A method for each function of a table, which gives the expression of that function.
macro_rules! expression_methods {
    ($of:ty; $($(#[$doc:meta])* $method:ident($($parameter:ident: $type:ty),*) $function:expr;)*) => {
        impl $of {$(
            $(#[$doc])*
            pub fn $method(&self, $($parameter: $type),*) -> Expr {
                self.call($function)
            }
        )*}
    };
}

pub(super) use expression_methods;

/// As a method of pandas.
pub(super) fn aggregation_name(how: Aggregation) -> String {
    match how {
        Aggregation::Quantile(q) => format!("quantile({q})"),
        Aggregation::Std { ddof: 1 } => "std()".into(),
        Aggregation::Var { ddof: 1 } => "var()".into(),
        Aggregation::Std { ddof } => format!("std(ddof={ddof})"),
        Aggregation::Var { ddof } => format!("var(ddof={ddof})"),
        Aggregation::Sem { ddof: 1 } => "sem()".into(),
        Aggregation::Sem { ddof } => format!("sem(ddof={ddof})"),
        other => format!("{other}()"),
    }
}
