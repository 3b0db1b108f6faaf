//! [`Function`]: functions of expressions beyond operators, of texts and of times, and membership.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar};

use super::tree::{hash_value, is_same_value};
use cuprum_elements::decimals::within_digits;
use cuprum_keys::concatenate::concatenate;
use cuprum_keys::search;
use cuprum_text::strings::attributes::{self, CharacterClass};
use cuprum_text::strings::strip::{Side, strip};
use cuprum_text::strings::{case, convert, find, pad, replace, slice, split};
use cuprum_times::datetime::{DatetimeComponent, extract_component};

/// A function of one operand; null where that is null.
///
/// Functions of texts are those of [`strings`](cuprum_text::strings): they count characters and have Python's
/// semantics of slices and positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// The number of characters; `Int32`.
    Length,
    /// In upper case.
    Upper,
    /// In lower case.
    Lower,
    /// Words with a capital.
    Title,
    /// With a capital.
    Capitalize,
    /// Upper case in lower case and the other way round.
    SwapCase,
    /// Whether there are characters, all of a class.
    AllAre(CharacterClass),
    /// Whether there are letters with case, all of them small.
    IsLower,
    /// Whether there are letters with case, all of them capitals.
    IsUpper,
    /// Whether words have a capital, and nothing else has.
    IsTitle,
    /// Without these characters (white space for `None`) at one side or both.
    Strip(Side, Option<Arc<str>>),
    /// Whether a text is at the start.
    StartsWith(Arc<str>),
    /// Whether a text is at the end.
    EndsWith(Arc<str>),
    /// Whether a text is inside.
    Contains(Arc<str>),
    /// Whether a regular expression matches the whole text.
    Matches(Arc<str>),
    /// The first position of a text, within a slice; -1 where it is not there; `Int32`.
    Find(Arc<str>, i64, Option<i64>),
    /// The last position of a text, within a slice; -1 where it is not there; `Int32`.
    FindLast(Arc<str>, i64, Option<i64>),
    /// The number of occurrences of a text; `Int32`.
    Count(Arc<str>),
    /// With the first so many of one text (all for `None`) replaced by another one.
    Replace(Arc<str>, Arc<str>, Option<usize>),
    /// Without a text at the start.
    RemovePrefix(Arc<str>),
    /// Without a text at the end.
    RemoveSuffix(Arc<str>),
    /// The characters of a slice: start, stop and step.
    Slice(Option<i64>, Option<i64>, Option<i64>),
    /// One of the parts between separators (runs of white space for `None`), from the end where it is negative; null
    /// where there is none.
    Part(Option<Arc<str>>, i64),
    /// At least so many characters, filled up with one of them at a side.
    Pad(usize, Side, char),
    /// At least so many characters, zeros behind the sign.
    ZeroFill(usize),
    /// So many times.
    Repeat(usize),
    /// The number that is printed, null where the text is none of the type.
    Parsed(DataType),
    /// A part of a time.
    Component(DatetimeComponent),
    /// Whether the value is one of these.
    IsIn(Values),
    /// The decimal itself, which has to be stored in so many digits, at most 38: a row that has more refuses.
    WithinDigits(u8),
}

/// The values of [`Function::IsIn`], all of one type and none of them null. A NaN is equal to every NaN.
#[derive(Clone, Debug)]
pub struct Values(Arc<[Scalar]>);

impl Values {
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where there is no value or one is
    /// null, with [`DataType`](cuprum_column::ErrorKind::DataType) for values of several types or without elements
    /// of their own.
    pub fn new(values: Vec<Scalar>) -> Result<Self> {
        let Some(first) = values.first().map(Scalar::data_type) else {
            return Err(Error::invalid_argument("`values` are none"));
        };
        if let Some(other) = values.iter().map(Scalar::data_type).find(|other| *other != first) {
            return Err(Error::data_type(format!("`values` are of {first} and {other}")));
        }
        if first.is_nested() || first == DataType::Empty {
            return Err(Error::data_type(format!("`values` are of {first}")));
        }
        if let Some(at) = values.iter().position(Scalar::is_null) {
            return Err(Error::invalid_argument(format!("value {at} of `values` is null")));
        }
        Ok(Self(values.into()))
    }

    fn data_type(&self) -> DataType {
        self.0[0].data_type()
    }

    /// Texts in the order of their bytes, each once.
    pub(super) fn sorted_texts(&self, ctx: &Context) -> Result<Column> {
        let mut texts: Vec<&str> = self.0.iter().filter_map(Scalar::as_str).collect();
        texts.sort_unstable();
        texts.dedup();
        Column::from_strs(&texts, &Context::on(Device::Cpu)?)?.to_device(ctx)
    }

    fn column(&self, ctx: &Context) -> Result<Column> {
        let columns = self.0.iter().map(|value| Column::from_scalar(value, 1, ctx));
        concatenate(&columns.collect::<Result<Vec<_>>>()?.iter().collect::<Vec<_>>(), ctx)
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&Scalar, &Scalar)| {
            a.data_type() == b.data_type() && is_same_value(a.value(), b.value())
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&*other.0).all(same)
    }
}

impl Eq for Values {}

impl Hash for Values {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|value| hash_value(value.value(), state));
    }
}

impl Function {
    /// The type of the function of an operand of type `of`.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where the function does not take it.
    pub fn result_type(&self, of: DataType) -> Result<DataType> {
        let (is_taken, result) = match self {
            Self::Component(component) => (of.is_timestamp(), component.data_type()),
            Self::IsIn(values) => (of == values.data_type(), DataType::Bool8),
            Self::WithinDigits(digits) => (of.is_decimal() && *digits <= 38, of),
            Self::Parsed(to) => (of == DataType::String && (to.is_integer() || to.is_float()), *to),
            Self::Length | Self::Find(..) | Self::FindLast(..) | Self::Count(_) => {
                (of == DataType::String, DataType::Int32)
            }
            Self::AllAre(_)
            | Self::IsLower
            | Self::IsUpper
            | Self::IsTitle
            | Self::StartsWith(_)
            | Self::EndsWith(_)
            | Self::Contains(_)
            | Self::Matches(_) => (of == DataType::String, DataType::Bool8),
            _ => (of == DataType::String, DataType::String),
        };
        if is_taken { Ok(result) } else { Err(Error::data_type(format!("{self} does not take {of}"))) }
    }

    /// The function of every row.
    pub(super) fn call(&self, column: &Column, ctx: &Context) -> Result<Column> {
        match self {
            Self::Length => attributes::count_characters(column, ctx),
            Self::Upper => case::to_upper(column, ctx),
            Self::Lower => case::to_lower(column, ctx),
            Self::Title => case::title(column, ctx),
            Self::Capitalize => case::capitalize(column, ctx),
            Self::SwapCase => case::swapcase(column, ctx),
            Self::AllAre(class) => attributes::all_characters(column, *class, ctx),
            Self::IsLower => attributes::is_lower(column, ctx),
            Self::IsUpper => attributes::is_upper(column, ctx),
            Self::IsTitle => attributes::is_title(column, ctx),
            Self::Strip(side, characters) => strip(column, *side, characters.as_deref(), ctx),
            Self::StartsWith(text) => find::starts_with(column, text, ctx),
            Self::EndsWith(text) => find::ends_with(column, text, ctx),
            Self::Contains(text) => find::contains(column, text, false, true, ctx),
            Self::Matches(pattern) => find::full_match(column, pattern, true, ctx),
            Self::Find(text, start, stop) => find::find(column, text, *start, *stop, ctx),
            Self::FindLast(text, start, stop) => find::rfind(column, text, *start, *stop, ctx),
            Self::Count(text) => find::count(column, text, false, ctx),
            Self::Replace(text, with, most) => replace::replace(column, text, with, false, *most, ctx),
            Self::RemovePrefix(text) => replace::remove_prefix(column, text, ctx),
            Self::RemoveSuffix(text) => replace::remove_suffix(column, text, ctx),
            Self::Slice(start, stop, step) => slice::slice(column, *start, *stop, *step, ctx),
            Self::Part(separator, at) => split::split_part(column, separator.as_deref(), *at, ctx),
            Self::Pad(width, side, fill) => pad::pad(column, *width, *side, *fill, ctx),
            Self::ZeroFill(width) => pad::zfill(column, *width, ctx),
            Self::Repeat(times) => pad::repeat(column, *times, ctx),
            Self::Parsed(to) => convert::from_strings_or_null(column, *to, ctx),
            Self::Component(component) => extract_component(column, *component, ctx),
            Self::IsIn(values) => {
                // A null is none of them, so the result has no nulls: those of the operand are put back.
                let found = search::contains(&values.column(ctx)?, column, ctx)?;
                found.with_mask(column.copy_mask(ctx)?, ctx)
            }
            Self::WithinDigits(digits) => within_digits(column, *digits, ctx),
        }
    }
}

impl Function {
    /// The name, and its arguments besides the operand.
    fn spelt(&self) -> (String, Vec<String>) {
        let text = |text: &Arc<str>| format!("{text:?}");
        let or_none = |n: Option<String>| n.unwrap_or_else(|| "None".into());
        let place = |at: &Option<i64>| or_none(at.map(|at| at.to_string()));
        let (name, given) = match self {
            Self::Length => ("len", vec![]),
            Self::Upper => ("upper", vec![]),
            Self::Lower => ("lower", vec![]),
            Self::Title => ("title", vec![]),
            Self::Capitalize => ("capitalize", vec![]),
            Self::SwapCase => ("swapcase", vec![]),
            Self::AllAre(class) => ("all_are", vec![format!("{class:?}").to_lowercase()]),
            Self::IsLower => ("islower", vec![]),
            Self::IsUpper => ("isupper", vec![]),
            Self::IsTitle => ("istitle", vec![]),
            Self::Strip(Side::Both, of) => ("strip", of.iter().map(text).collect()),
            Self::Strip(Side::Left, of) => ("lstrip", of.iter().map(text).collect()),
            Self::Strip(Side::Right, of) => ("rstrip", of.iter().map(text).collect()),
            Self::StartsWith(of) => ("startswith", vec![text(of)]),
            Self::EndsWith(of) => ("endswith", vec![text(of)]),
            Self::Contains(of) => ("contains", vec![text(of)]),
            Self::Matches(of) => ("fullmatch", vec![text(of)]),
            Self::Find(of, start, stop) => ("find", vec![text(of), start.to_string(), place(stop)]),
            Self::FindLast(of, start, stop) => ("rfind", vec![text(of), start.to_string(), place(stop)]),
            Self::Count(of) => ("count", vec![text(of)]),
            Self::Replace(of, with, most) => {
                ("replace", vec![text(of), text(with), or_none(most.map(|n| n.to_string()))])
            }
            Self::RemovePrefix(of) => ("removeprefix", vec![text(of)]),
            Self::RemoveSuffix(of) => ("removesuffix", vec![text(of)]),
            Self::Slice(start, stop, step) => ("slice", vec![place(start), place(stop), place(step)]),
            Self::Part(separator, at) => {
                ("part", vec![or_none(separator.as_ref().map(text)), at.to_string()])
            }
            Self::Pad(width, side, fill) => {
                ("pad", vec![width.to_string(), format!("{side:?}").to_lowercase(), format!("{fill:?}")])
            }
            Self::ZeroFill(width) => ("zfill", vec![width.to_string()]),
            Self::Repeat(times) => ("repeat", vec![times.to_string()]),
            Self::Parsed(to) => ("parsed", vec![to.to_string()]),
            Self::Component(component) => return (format!("{component:?}").to_lowercase(), vec![]),
            Self::IsIn(values) => {
                let shown: Vec<String> = values.0.iter().map(Scalar::to_string).collect();
                ("is_in", vec![format!("[{}]", shown.join(", "))])
            }
            Self::WithinDigits(digits) => ("within_digits", vec![digits.to_string()]),
        };
        (name.into(), given)
    }

    /// Writes the function of `operand`: `slice(#0, 0, 2, None)`.
    pub(super) fn write(&self, operand: &impl fmt::Display, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, given) = self.spelt();
        write!(f, "{name}({operand}")?;
        given.iter().try_for_each(|given| write!(f, ", {given}"))?;
        f.write_str(")")
    }
}

/// The name, with its arguments besides the operand.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, given) = self.spelt();
        if given.is_empty() { f.write_str(&name) } else { write!(f, "{name}({})", given.join(", ")) }
    }
}
