//! The functions and methods of formulas in texts.

use cuprum_column::{DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::datetime::DatetimeComponent;
use cuprum_compute::expression::Function as Each;
use cuprum_compute::reduce::{Aggregation, CumulativeOp};
use cuprum_compute::strings::attributes::CharacterClass;
use cuprum_compute::strings::strip::Side;
use cuprum_compute::unary::UnaryOperator;

use super::Function;
use super::{Expr, Node, lit};
use crate::accessors::string_functions::TextFunction;

/// An argument of a function.
pub(super) struct Argument {
    pub(super) name: Option<String>,
    pub(super) value: Expr,
}

const FUNCTIONS: [(&str, UnaryOperator); 20] = [
    ("sin", UnaryOperator::Sin),
    ("cos", UnaryOperator::Cos),
    ("tan", UnaryOperator::Tan),
    ("exp", UnaryOperator::Exp),
    ("log", UnaryOperator::Log),
    ("expm1", UnaryOperator::Expm1),
    ("log1p", UnaryOperator::Log1p),
    ("sqrt", UnaryOperator::Sqrt),
    ("sinh", UnaryOperator::Sinh),
    ("cosh", UnaryOperator::Cosh),
    ("tanh", UnaryOperator::Tanh),
    ("arcsin", UnaryOperator::Arcsin),
    ("arccos", UnaryOperator::Arccos),
    ("arctan", UnaryOperator::Arctan),
    ("arcsinh", UnaryOperator::Arcsinh),
    ("arccosh", UnaryOperator::Arccosh),
    ("arctanh", UnaryOperator::Arctanh),
    ("abs", UnaryOperator::Abs),
    ("log10", UnaryOperator::Log10),
    ("floor", UnaryOperator::Floor),
];

const OPERATORS: [(&str, BinaryOperator); 16] = [
    ("add", BinaryOperator::Add),
    ("sub", BinaryOperator::Sub),
    ("mul", BinaryOperator::Mul),
    ("div", BinaryOperator::TrueDiv),
    ("truediv", BinaryOperator::TrueDiv),
    ("floordiv", BinaryOperator::FloorDiv),
    ("mod", BinaryOperator::Mod),
    ("pow", BinaryOperator::Pow),
    ("eq", BinaryOperator::Equal),
    ("ne", BinaryOperator::NotEqual),
    ("lt", BinaryOperator::Less),
    ("le", BinaryOperator::LessEqual),
    ("gt", BinaryOperator::Greater),
    ("ge", BinaryOperator::GreaterEqual),
    ("subtract", BinaryOperator::Sub),
    ("multiply", BinaryOperator::Mul),
];

const AGGREGATIONS: [(&str, Aggregation); 12] = [
    ("sum", Aggregation::Sum),
    ("prod", Aggregation::Product),
    ("product", Aggregation::Product),
    ("mean", Aggregation::Mean),
    ("median", Aggregation::Median),
    ("min", Aggregation::Min),
    ("max", Aggregation::Max),
    ("std", Aggregation::Std { ddof: 1 }),
    ("var", Aggregation::Var { ddof: 1 }),
    ("count", Aggregation::Count),
    ("nunique", Aggregation::NUnique),
    ("any", Aggregation::Any),
];

const COMPONENTS: [(&str, DatetimeComponent); 23] = [
    ("dt.days_in_month", DatetimeComponent::DaysInMonth),
    ("dt.daysinmonth", DatetimeComponent::DaysInMonth),
    ("dt.is_leap_year", DatetimeComponent::IsLeapYear),
    ("dt.is_month_start", DatetimeComponent::IsMonthStart),
    ("dt.is_month_end", DatetimeComponent::IsMonthEnd),
    ("dt.is_quarter_start", DatetimeComponent::IsQuarterStart),
    ("dt.is_quarter_end", DatetimeComponent::IsQuarterEnd),
    ("dt.is_year_start", DatetimeComponent::IsYearStart),
    ("dt.is_year_end", DatetimeComponent::IsYearEnd),
    ("dt.year", DatetimeComponent::Year),
    ("dt.month", DatetimeComponent::Month),
    ("dt.day", DatetimeComponent::Day),
    ("dt.hour", DatetimeComponent::Hour),
    ("dt.minute", DatetimeComponent::Minute),
    ("dt.second", DatetimeComponent::Second),
    ("dt.microsecond", DatetimeComponent::Microsecond),
    ("dt.nanosecond", DatetimeComponent::Nanosecond),
    ("dt.dayofweek", DatetimeComponent::DayOfWeek),
    ("dt.day_of_week", DatetimeComponent::DayOfWeek),
    ("dt.weekday", DatetimeComponent::DayOfWeek),
    ("dt.dayofyear", DatetimeComponent::DayOfYear),
    ("dt.day_of_year", DatetimeComponent::DayOfYear),
    ("dt.quarter", DatetimeComponent::Quarter),
];

fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// Whether `name(…)` is a function.
pub(super) fn is_function(name: &str) -> bool {
    named(&FUNCTIONS, name).is_some() || name == "ceil"
}

/// `name(arguments)`; `None` for a name that is no function.
pub(super) fn function(name: &str, arguments: &[Argument]) -> Result<Option<Expr>> {
    let op = match name {
        "ceil" => UnaryOperator::Ceil,
        _ => match named(&FUNCTIONS, name) {
            Some(op) => op,
            None => return Ok(None),
        },
    };
    let mut given = Given::new(name, Some(arguments), &["x"])?;
    Ok(Some(given.required("x")?.unary(op)))
}

/// `value.name(arguments)`, or `value.name` without; `None` for a name that is no method.
pub(super) fn method(value: &Expr, name: &str, arguments: Option<&[Argument]>) -> Result<Option<Expr>> {
    if let Some(component) = named(&COMPONENTS, name) {
        let part = value.dt().component(component);
        // A missing time has no such day, as in pandas.
        let is_test = component.data_type() == DataType::Bool8;
        return Ok(arguments.is_none().then(|| if is_test { part.fillna(lit(false)) } else { part }));
    }
    if arguments.is_none() {
        return Ok(None);
    }
    let given = |names: &[&'static str]| Given::new(name, arguments, names);
    if let Some(how) = named(&AGGREGATIONS, name) {
        given(&[])?;
        return Ok(Some(value.aggregate(how)));
    }
    if let Some(op) = named(&OPERATORS, name) {
        return Ok(Some(value.operate(op, given(&["other"])?.required("other")?)));
    }
    let cumulative = |op| {
        given(&[])?;
        Ok(Some(value.cumulative(op)))
    };
    Ok(Some(match name {
        "isna" | "isnull" => {
            given(&[])?;
            value.isna()
        }
        "notna" | "notnull" => {
            given(&[])?;
            value.notna()
        }
        "all" => {
            given(&[])?;
            value.all()
        }
        "abs" => {
            given(&[])?;
            value.abs()
        }
        "cumsum" => return cumulative(CumulativeOp::Sum),
        "cumprod" => return cumulative(CumulativeOp::Product),
        "cummin" => return cumulative(CumulativeOp::Min),
        "cummax" => return cumulative(CumulativeOp::Max),
        "quantile" => value.quantile(given(&["q"])?.float("q", 0.5)?),
        "round" => value.round(given(&["decimals"])?.int("decimals", 0)? as i32),
        "shift" => value.shift(given(&["periods"])?.int("periods", 1)?),
        "fillna" => value.fillna(given(&["value"])?.required("value")?),
        "where" => value.where_(given(&["cond"])?.required("cond")?),
        "isin" => Expr::new(Node::IsIn(value.clone(), given(&["values"])?.required("values")?)),
        "between" => {
            let mut given = given(&["left", "right", "inclusive"])?;
            let (low, high) = (given.required("left")?, given.required("right")?);
            match given.text("inclusive", "both")?.as_str() {
                "both" => value.between(low, high),
                "neither" => value.gt(low) & value.lt(high),
                "left" => value.ge(low) & value.lt(high),
                "right" => value.gt(low) & value.le(high),
                other => {
                    return Err(Error::invalid_argument(format!(
                        "`inclusive` is '{other}'; known are 'both', 'neither', 'left' and 'right'"
                    )));
                }
            }
        }
        "astype" => {
            let wanted = given(&["dtype"])?.text("dtype", "")?;
            let to = match wanted.as_str() {
                "int" => Some(DataType::Int64),
                "float" => Some(DataType::Float64),
                "str" => Some(DataType::String),
                wanted => DataType::from_name(wanted),
            };
            value.cast(to.ok_or_else(|| Error::invalid_argument(format!("`dtype` is '{wanted}'")))?)
        }
        "dt.strftime" => value.dt().strftime(&given(&["date_format"])?.text("date_format", "")?),
        _ => return text_method(value, name, arguments),
    }))
}

fn text_method(value: &Expr, name: &str, arguments: Option<&[Argument]>) -> Result<Option<Expr>> {
    let Some(name) = name.strip_prefix("str.") else { return Ok(None) };
    let given = |names: &[&'static str]| Given::new(name, arguments, names);
    let none = |function| {
        given(&[])?;
        Ok(Some(value.call(Function::Text(function))))
    };
    // A missing text has nothing in it, as in pandas.
    let test =
        |function: TextFunction, na: bool| Ok(Some(value.call(Function::Text(function)).fillna(lit(na))));
    let of_given = |function: Each| Ok(Some(value.call(Function::Text(TextFunction::Of(function)))));
    let of = |function: Each| {
        given(&[])?;
        of_given(function)
    };
    let check = |function: Each| {
        given(&[])?;
        test(TextFunction::Of(function), false)
    };
    match name {
        "len" => none(TextFunction::Len),
        "upper" => none(TextFunction::Upper),
        "lower" => none(TextFunction::Lower),
        "title" => none(TextFunction::Title),
        "capitalize" => none(TextFunction::Capitalize),
        "swapcase" => of(Each::SwapCase),
        "islower" => check(Each::IsLower),
        "isupper" => check(Each::IsUpper),
        "istitle" => check(Each::IsTitle),
        "isalpha" => check(Each::AllAre(CharacterClass::Alphabetic)),
        "isdecimal" => check(Each::AllAre(CharacterClass::Decimal)),
        "isdigit" => check(Each::AllAre(CharacterClass::Digit)),
        "isnumeric" => check(Each::AllAre(CharacterClass::Numeric)),
        "isalnum" => check(Each::AllAre(CharacterClass::Alphanumeric)),
        "isspace" => check(Each::AllAre(CharacterClass::Space)),
        "isascii" => check(Each::AllAre(CharacterClass::Ascii)),
        "strip" | "lstrip" | "rstrip" => {
            let side = match name {
                "strip" => Side::Both,
                "lstrip" => Side::Left,
                _ => Side::Right,
            };
            let characters = given(&["to_strip"])?.optional_text("to_strip")?;
            Ok(Some(value.call(Function::Text(TextFunction::Strip(side, characters)))))
        }
        "find" | "rfind" => {
            let mut given = given(&["sub", "start", "end"])?;
            let text = given.required_text("sub")?.into();
            let (start, end) = (given.int("start", 0)?, given.optional_int("end")?);
            of_given(if name == "find" {
                Each::Find(text, start, end)
            } else {
                Each::FindLast(text, start, end)
            })
        }
        "count" => {
            let pattern = given(&["pat"])?.required_text("pat")?;
            Ok(Some(value.call(Function::Text(TextFunction::CountMatches(pattern)))))
        }
        "get" => {
            let mut given = given(&["i"])?;
            let at = given.optional_int("i")?;
            let at = at.ok_or_else(|| Error::invalid_argument("get lacks its argument 'i'"))?;
            Ok(Some(value.call(Function::Text(TextFunction::Get(at)))))
        }
        "removeprefix" => of_given(Each::RemovePrefix(given(&["prefix"])?.required_text("prefix")?.into())),
        "removesuffix" => of_given(Each::RemoveSuffix(given(&["suffix"])?.required_text("suffix")?.into())),
        "zfill" => of_given(Each::ZeroFill(given(&["width"])?.size("width")?)),
        "repeat" => of_given(Each::Repeat(given(&["repeats"])?.size("repeats")?)),
        "ljust" | "rjust" | "center" => {
            let mut given = given(&["width", "fillchar"])?;
            let side = match name {
                "ljust" => Side::Right,
                "rjust" => Side::Left,
                _ => Side::Both,
            };
            of_given(Each::Pad(given.size("width")?, side, given.character("fillchar")?))
        }
        "fullmatch" => {
            let mut given = given(&["pat", "na"])?;
            let pattern = given.required_text("pat")?;
            test(TextFunction::FullMatch { pattern }, given.bool("na", false)?)
        }
        "contains" => {
            let mut given = given(&["pat", "case", "regex", "na"])?;
            let pattern = given.required_text("pat")?;
            let (case, regex) = (given.bool("case", true)?, given.bool("regex", true)?);
            test(TextFunction::Contains { pattern, regex, case }, given.bool("na", false)?)
        }
        "match" => {
            let mut given = given(&["pat", "na"])?;
            let pattern = given.required_text("pat")?;
            test(TextFunction::Match { pattern }, given.bool("na", false)?)
        }
        "startswith" => {
            let mut given = given(&["pat", "na"])?;
            test(TextFunction::StartsWith(given.required_text("pat")?), given.bool("na", false)?)
        }
        "endswith" => {
            let mut given = given(&["pat", "na"])?;
            test(TextFunction::EndsWith(given.required_text("pat")?), given.bool("na", false)?)
        }
        "replace" => {
            let mut given = given(&["pat", "repl", "regex"])?;
            let (pattern, with) = (given.required_text("pat")?, given.required_text("repl")?);
            let regex = given.bool("regex", false)?;
            Ok(Some(value.call(Function::Text(TextFunction::Replace { pattern, with, regex, limit: None }))))
        }
        "slice" => {
            let mut given = given(&["start", "stop", "step"])?;
            let (start, stop, step) =
                (given.optional_int("start")?, given.optional_int("stop")?, given.optional_int("step")?);
            Ok(Some(value.call(Function::Text(TextFunction::Slice(start, stop, step)))))
        }
        _ => Ok(None),
    }
}

/// The arguments of a call by the names of the parameters.
struct Given<'a> {
    function: &'a str,
    values: Vec<(&'static str, Expr)>,
}

impl<'a> Given<'a> {
    fn new(function: &'a str, arguments: Option<&[Argument]>, names: &[&'static str]) -> Result<Self> {
        let mut values: Vec<(&'static str, Expr)> = Vec::new();
        for (i, argument) in arguments.unwrap_or_default().iter().enumerate() {
            let name = match &argument.name {
                None => names.get(i).copied().ok_or_else(|| {
                    Error::invalid_argument(format!("{function} takes {} arguments here", names.len()))
                })?,
                Some(name) => names.iter().copied().find(|known| known == name).ok_or_else(|| {
                    Error::invalid_argument(format!("{function} has no argument '{name}' here"))
                })?,
            };
            if values.iter().any(|(known, _)| *known == name) {
                return Err(Error::invalid_argument(format!("{function} has two arguments '{name}'")));
            }
            values.push((name, argument.value.clone()));
        }
        Ok(Self { function, values })
    }

    fn take(&mut self, name: &str) -> Option<Expr> {
        let at = self.values.iter().position(|(known, _)| *known == name)?;
        Some(self.values.swap_remove(at).1)
    }

    fn required(&mut self, name: &str) -> Result<Expr> {
        let function = self.function;
        self.take(name)
            .ok_or_else(|| Error::invalid_argument(format!("{function} lacks its argument '{name}'")))
    }

    fn literal<T>(
        &mut self,
        name: &str,
        what: &str,
        value: impl Fn(&Scalar) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(given) = self.take(name) else { return Ok(None) };
        let literal = match given.node() {
            Node::Literal(literal) => value(&literal.0),
            _ => None,
        };
        let function = self.function;
        let wrong = || Error::invalid_argument(format!("`{name}` of {function} is {given}, not {what}"));
        literal.map(Some).ok_or_else(wrong)
    }

    fn text(&mut self, name: &str, default: &str) -> Result<String> {
        let text = self.literal(name, "a text", |scalar| scalar.as_str().map(str::to_owned))?;
        Ok(text.unwrap_or_else(|| default.to_owned()))
    }

    fn required_text(&mut self, name: &str) -> Result<String> {
        let function = self.function;
        let text = self.literal(name, "a text", |scalar| scalar.as_str().map(str::to_owned))?;
        text.ok_or_else(|| Error::invalid_argument(format!("{function} lacks its argument '{name}'")))
    }

    fn optional_text(&mut self, name: &str) -> Result<Option<String>> {
        let text = |scalar: &Scalar| match scalar.as_str() {
            Some(text) => Some(Some(text.to_owned())),
            None => scalar.is_null().then_some(None),
        };
        Ok(self.literal(name, "a text", text)?.flatten())
    }

    /// A number of characters or repetitions; negative ones are none.
    fn size(&mut self, name: &str) -> Result<usize> {
        let function = self.function;
        let size = self.optional_int(name)?;
        let size =
            size.ok_or_else(|| Error::invalid_argument(format!("{function} lacks its argument '{name}'")))?;
        Ok(usize::try_from(size).unwrap_or(0))
    }

    /// One character, a space where it is not given.
    fn character(&mut self, name: &str) -> Result<char> {
        let text = self.text(name, " ")?;
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => Ok(character),
            _ => Err(Error::invalid_argument(format!("`{name}` is {text:?}, not one character"))),
        }
    }

    fn bool(&mut self, name: &str, default: bool) -> Result<bool> {
        Ok(self.literal(name, "True or False", Scalar::as_bool)?.unwrap_or(default))
    }

    fn optional_int(&mut self, name: &str) -> Result<Option<i64>> {
        let int = |scalar: &Scalar| match scalar.data_type() {
            DataType::Int64 => Some(scalar.as_i64()),
            _ if scalar.is_null() => Some(None),
            _ => None,
        };
        Ok(self.literal(name, "an integer", int)?.flatten())
    }

    fn int(&mut self, name: &str, default: i64) -> Result<i64> {
        Ok(self.optional_int(name)?.unwrap_or(default))
    }

    fn float(&mut self, name: &str, default: f64) -> Result<f64> {
        Ok(self.literal(name, "a number", Scalar::as_f64)?.unwrap_or(default))
    }
}
