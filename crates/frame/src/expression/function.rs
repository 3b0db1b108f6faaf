//! [`Function`]: functions of one column, beyond operators.

use std::fmt;

use cuprum_column::{Column, Context, DataType, Result, Table};
use cuprum_compute::datetime::DatetimeComponent;
use cuprum_compute::expression::{self as compute, Expression, evaluate};
use cuprum_compute::reduce::{Aggregation, CumulativeOp};
use cuprum_compute::strings::{case, find, slice, strip};
use cuprum_compute::unary::cast;

use crate::frame::{Frame, IndexedFrame};
use crate::series::Series;

/// A function of one column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// Whether a value is missing.
    IsMissing,
    /// Numbers rounded to so many digits.
    Round(i32),
    /// The value so many rows before.
    Shift(i64),
    /// Of all rows so far.
    Cumulative(CumulativeOp),
    /// A function of texts.
    Text(TextFunction),
    /// A part of a time.
    Component(DatetimeComponent),
    /// A time printed by a format.
    Strftime(String),
}

/// A function of texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextFunction {
    /// The number of characters.
    Len,
    /// In capitals.
    Upper,
    /// In small letters.
    Lower,
    /// The first letters of words in capitals.
    Title,
    /// The first letter in capitals.
    Capitalize,
    /// Without characters (white space for `None`) at both ends.
    Strip(Option<String>),
    /// Whether a text or a regular expression occurs.
    Contains {
        /// The text or expression to look for.
        pattern: String,
        /// Whether it is a regular expression.
        regex: bool,
        /// Whether capitals differ from small letters.
        case: bool,
    },
    /// Whether the beginning matches a regular expression.
    Match(String),
    /// Whether the text begins so.
    StartsWith(String),
    /// Whether the text ends so.
    EndsWith(String),
    /// Every occurrence replaced.
    Replace {
        /// The text or expression to replace.
        pattern: String,
        /// By what.
        with: String,
        /// Whether it is a regular expression.
        regex: bool,
    },
    /// Characters, as Python slices.
    Slice(Option<i64>, Option<i64>, Option<i64>),
    /// The character at a position, missing where there is none.
    Get(i64),
    /// The number of matches of a regular expression.
    CountMatches(String),
    /// Any other function of texts that formulas have.
    Of(compute::Function),
}

impl Function {
    /// Whether the value of a row is the same whatever other rows there are.
    pub(crate) fn is_of_single_rows(&self) -> bool {
        match self {
            Self::Shift(_) | Self::Cumulative(_) => false,
            Self::IsMissing | Self::Round(_) | Self::Text(_) | Self::Component(_) | Self::Strftime(_) => true,
        }
    }

    /// The function of all rows of a series.
    pub(super) fn call(&self, series: &Series) -> Result<Series> {
        match self {
            Self::IsMissing => series.isna(),
            Self::Round(decimals) => series.round(*decimals),
            Self::Shift(periods) => series.shift(*periods),
            Self::Cumulative(op) => series.cumulative(*op),
            Self::Text(function) => function.call(series),
            Self::Component(component) => series.dt()?.component(*component),
            Self::Strftime(format) => series.dt()?.strftime(format),
        }
    }
}

impl TextFunction {
    fn call(&self, series: &Series) -> Result<Series> {
        use compute::Function::{Count, Find, FindLast, Length};
        // Categories of texts are texts here, as in pandas.
        let series = Series::new(series.column().decoded()?, series.name().cloned(), series.index().clone())?;
        let text = series.str()?;
        // Numbers are those of accessors.
        let wide = |series: Series| {
            let column = cast(series.column().data()?, DataType::Int64, &Context::current())?;
            Ok(series.with_column(column))
        };
        match self {
            Self::Len => wide(text.len()?),
            Self::Upper => text.upper(),
            Self::Lower => text.lower(),
            Self::Title => text.apply(case::title),
            Self::Capitalize => text.apply(case::capitalize),
            Self::Strip(characters) => {
                let strip = |c: &Column, ctx: &Context| {
                    strip::strip(c, strip::Side::Both, characters.as_deref(), ctx)
                };
                text.apply(strip)
            }
            Self::Contains { pattern, regex, case } => {
                text.apply(|c, ctx| find::contains(c, pattern, *regex, *case, ctx))
            }
            Self::Match(pattern) => text.apply(|c, ctx| find::matches(c, pattern, true, ctx)),
            Self::StartsWith(prefix) => text.starts_with(prefix),
            Self::EndsWith(suffix) => text.ends_with(suffix),
            Self::Replace { pattern, with, regex } => text.replace(pattern, with, *regex),
            Self::Slice(start, stop, step) => text.slice(*start, *stop, *step),
            Self::Get(at) => text.apply(|c, ctx| slice::get(c, *at, ctx)),
            Self::CountMatches(pattern) => wide(text.apply(|c, ctx| find::count(c, pattern, true, ctx))?),
            Self::Of(function) => {
                let made = text.apply(|c, ctx| {
                    let operand = Expression::column(0, c.data_type());
                    let formula = Expression::function(function.clone(), operand)?;
                    Ok(evaluate(&[formula], &Table::new(vec![c.clone()])?, ctx)?.remove(0))
                })?;
                let is_number = matches!(function, Length | Find(..) | FindLast(..) | Count(_));
                if is_number { wide(made) } else { Ok(made) }
            }
        }
    }
}

/// As a method of pandas, with its arguments.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IsMissing => f.write_str("isna()"),
            Self::Round(decimals) => write!(f, "round({decimals})"),
            Self::Shift(periods) => write!(f, "shift({periods})"),
            Self::Cumulative(op) => write!(f, "{op}()"),
            Self::Text(function) => write!(f, "str.{function}"),
            Self::Component(component) => write!(f, "dt.{}", format!("{component:?}").to_lowercase()),
            Self::Strftime(format) => write!(f, "dt.strftime({format:?})"),
        }
    }
}

impl fmt::Display for TextFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Len => f.write_str("len()"),
            Self::Upper => f.write_str("upper()"),
            Self::Lower => f.write_str("lower()"),
            Self::Title => f.write_str("title()"),
            Self::Capitalize => f.write_str("capitalize()"),
            Self::Strip(None) => f.write_str("strip()"),
            Self::Strip(Some(characters)) => write!(f, "strip({characters:?})"),
            Self::Contains { pattern, regex, case } => {
                write!(f, "contains({pattern:?}, case={}, regex={})", python(*case), python(*regex))
            }
            Self::Match(pattern) => write!(f, "match({pattern:?})"),
            Self::StartsWith(prefix) => write!(f, "startswith({prefix:?})"),
            Self::EndsWith(suffix) => write!(f, "endswith({suffix:?})"),
            Self::Replace { pattern, with, regex } => {
                write!(f, "replace({pattern:?}, {with:?}, regex={})", python(*regex))
            }
            Self::Slice(start, stop, step) => {
                let [start, stop, step] = [start, stop, step].map(|end| match end {
                    Some(end) => end.to_string(),
                    None => "None".into(),
                });
                write!(f, "slice({start}, {stop}, {step})")
            }
            Self::Get(at) => write!(f, "get({at})"),
            Self::CountMatches(pattern) => write!(f, "count({pattern:?})"),
            Self::Of(function) => {
                let shown = function.to_string();
                write!(f, "{shown}{}", if shown.ends_with(')') { "" } else { "()" })
            }
        }
    }
}

fn python(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

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
