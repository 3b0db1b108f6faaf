//! [`TextFunction`]: the functions of texts that `Series::str` and `Expr::str` have.

use std::fmt;

use cuprum_column::{Column, Context, DataType, Error, Result, Table};
use cuprum_compute::expression::{Expression, Function as Formula, evaluate};
use cuprum_compute::strings::json_path::{JsonPathOptions, get_json_object};
use cuprum_compute::strings::{
    attributes, case, combine, extract, find, forms, pad, records, replace, slice, strip, wrap,
};
use cuprum_compute::unary::cast;

/// A function of a text, null where that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TextFunction {
    Len,
    ByteCount,
    Upper,
    Lower,
    Title,
    Capitalize,
    Strip(strip::Side, Option<String>),
    Contains {
        pattern: String,
        regex: bool,
        case: bool,
    },
    Match {
        pattern: String,
    },
    FullMatch {
        pattern: String,
    },
    StartsWith(String),
    EndsWith(String),
    Replace {
        pattern: String,
        with: String,
        regex: bool,
        limit: Option<usize>,
    },
    Translate(Vec<(char, String)>),
    Slice(Option<i64>, Option<i64>, Option<i64>),
    SliceReplace {
        start: Option<i64>,
        stop: Option<i64>,
        with: String,
    },
    Get(i64),
    CountMatches(String),
    SplitLists {
        separator: Option<String>,
        limit: Option<usize>,
        reverse: bool,
    },
    SplitRegexLists {
        pattern: String,
        limit: Option<usize>,
    },
    PartitionLists {
        separator: String,
        reverse: bool,
    },
    FindAll(String),
    ExtractGroup {
        pattern: String,
        group: usize,
    },
    Wrap(usize),
    HexToIntegers,
    Ipv4ToIntegers,
    UrlEncode,
    UrlDecode,
    JsonObject {
        path: String,
        options: JsonPathOptions,
    },
    /// With the texts of columns beside it.
    Cat {
        separator: String,
        missing: Option<String>,
    },
    /// As often as a column beside it says.
    RepeatEach,
    /// Any other one that formulas have.
    Of(Formula),
}

impl TextFunction {
    /// The function of every row; `beside` are the columns that it takes besides the texts.
    pub(crate) fn call(&self, texts: &Column, beside: &[Column], ctx: &Context) -> Result<Column> {
        use Formula::{Count, Find, FindLast, Length};
        let wide = |numbers: Result<Column>| cast(&numbers?, DataType::Int64, ctx);
        match self {
            Self::Len => wide(attributes::count_characters(texts, ctx)),
            Self::ByteCount => wide(attributes::count_bytes(texts, ctx)),
            Self::Upper => case::to_upper(texts, ctx),
            Self::Lower => case::to_lower(texts, ctx),
            Self::Title => case::title(texts, ctx),
            Self::Capitalize => case::capitalize(texts, ctx),
            Self::Strip(side, characters) => strip::strip(texts, *side, characters.as_deref(), ctx),
            Self::Contains { pattern, regex, case } => find::contains(texts, pattern, *regex, *case, ctx),
            Self::Match { pattern } => find::matches(texts, pattern, true, ctx),
            Self::FullMatch { pattern } => find::full_match(texts, pattern, true, ctx),
            Self::StartsWith(prefix) => find::starts_with(texts, prefix, ctx),
            Self::EndsWith(suffix) => find::ends_with(texts, suffix, ctx),
            Self::Replace { pattern, with, regex, limit } => {
                replace::replace(texts, pattern, with, *regex, *limit, ctx)
            }
            Self::Translate(table) => {
                let table: Vec<(char, &str)> = table.iter().map(|(from, to)| (*from, to.as_str())).collect();
                replace::translate(texts, &table, ctx)
            }
            Self::Slice(start, stop, step) => slice::slice(texts, *start, *stop, *step, ctx),
            Self::SliceReplace { start, stop, with } => slice::slice_replace(texts, *start, *stop, with, ctx),
            Self::Get(at) => slice::get(texts, *at, ctx),
            Self::CountMatches(pattern) => wide(find::count(texts, pattern, true, ctx)),
            Self::SplitLists { separator, limit, reverse } => {
                records::split_record(texts, separator.as_deref(), *limit, *reverse, ctx)
            }
            Self::SplitRegexLists { pattern, limit } => {
                records::split_record_regex(texts, pattern, *limit, false, ctx)
            }
            Self::PartitionLists { separator, reverse } => {
                records::partition_record(texts, separator, *reverse, ctx)
            }
            Self::FindAll(pattern) => records::find_all(texts, pattern, ctx),
            Self::ExtractGroup { pattern, group } => {
                let mut groups = extract::extract(texts, pattern, true, ctx)?;
                if *group < groups.len() {
                    return Ok(groups.swap_remove(*group));
                }
                let number = groups.len();
                Err(Error::invalid_argument(format!("`group` is {group}, {pattern:?} has {number} groups")))
            }
            Self::Wrap(width) => wrap::wrap(texts, *width, ctx),
            Self::HexToIntegers => forms::hex_to_integers(texts, ctx),
            Self::Ipv4ToIntegers => forms::ipv4_to_integers(texts, ctx),
            Self::UrlEncode => forms::url_encode(texts, ctx),
            Self::UrlDecode => forms::url_decode(texts, ctx),
            Self::JsonObject { path, options } => get_json_object(texts, path, *options, ctx),
            Self::Cat { separator, missing } => {
                let columns: Vec<&Column> = std::iter::once(texts).chain(beside).collect();
                combine::concatenate(&columns, separator, missing.as_deref(), ctx)
            }
            Self::RepeatEach => match beside {
                [counts] => pad::repeat_each(texts, counts, ctx),
                _ => Err(Error::logic("texts are repeated by one column")),
            },
            Self::Of(function) => {
                let operand = Expression::column(0, texts.data_type());
                let formula = Expression::function(function.clone(), operand)?;
                let made = evaluate(&[formula], &Table::new(vec![texts.clone()])?, ctx)?.remove(0);
                let is_number = matches!(function, Length | Find(..) | FindLast(..) | Count(_));
                if is_number { wide(Ok(made)) } else { Ok(made) }
            }
        }
    }

    /// The name that pandas' method has, or cuDF's, and its arguments.
    fn spelt(&self) -> (&'static str, Vec<String>) {
        use strip::Side;
        let text = |text: &String| format!("{text:?}");
        let or_none = |argument: Option<String>| argument.unwrap_or_else(|| "None".into());
        let place = |at: &Option<i64>| or_none(at.map(|at| at.to_string()));
        let most = |n: &Option<usize>| n.map(|n| format!("n={n}"));
        let truth = |value: bool| if value { "True" } else { "False" };
        match self {
            Self::Len => ("len", vec![]),
            Self::ByteCount => ("byte_count", vec![]),
            Self::Upper => ("upper", vec![]),
            Self::Lower => ("lower", vec![]),
            Self::Title => ("title", vec![]),
            Self::Capitalize => ("capitalize", vec![]),
            Self::Strip(Side::Both, of) => ("strip", of.iter().map(text).collect()),
            Self::Strip(Side::Left, of) => ("lstrip", of.iter().map(text).collect()),
            Self::Strip(Side::Right, of) => ("rstrip", of.iter().map(text).collect()),
            Self::Contains { pattern, regex, case } => {
                let (case, regex) = (truth(*case), truth(*regex));
                ("contains", vec![text(pattern), format!("case={case}"), format!("regex={regex}")])
            }
            Self::Match { pattern } => ("match", vec![text(pattern)]),
            Self::FullMatch { pattern } => ("fullmatch", vec![text(pattern)]),
            Self::StartsWith(prefix) => ("startswith", vec![text(prefix)]),
            Self::EndsWith(suffix) => ("endswith", vec![text(suffix)]),
            Self::Replace { pattern, with, regex, limit } => {
                let mut given = vec![text(pattern), text(with), format!("regex={}", truth(*regex))];
                given.extend(most(limit));
                ("replace", given)
            }
            Self::Translate(table) => {
                let pairs: Vec<String> = table.iter().map(|(from, to)| format!("{from:?}: {to:?}")).collect();
                ("translate", vec![format!("{{{}}}", pairs.join(", "))])
            }
            Self::Slice(start, stop, step) => ("slice", vec![place(start), place(stop), place(step)]),
            Self::SliceReplace { start, stop, with } => {
                ("slice_replace", vec![place(start), place(stop), text(with)])
            }
            Self::Get(at) => ("get", vec![at.to_string()]),
            Self::CountMatches(pattern) => ("count", vec![text(pattern)]),
            Self::SplitLists { separator, limit, reverse } => {
                let mut given: Vec<String> = separator.iter().map(text).collect();
                given.extend(most(limit));
                (if *reverse { "rsplit" } else { "split" }, given)
            }
            Self::SplitRegexLists { pattern, limit } => {
                let mut given = vec![text(pattern)];
                given.extend(most(limit));
                given.push("regex=True".into());
                ("split", given)
            }
            Self::PartitionLists { separator, reverse } => {
                let name = if *reverse { "rpartition" } else { "partition" };
                (name, vec![text(separator), "expand=False".into()])
            }
            Self::FindAll(pattern) => ("findall", vec![text(pattern)]),
            Self::ExtractGroup { pattern, group } => ("extract", vec![text(pattern), group.to_string()]),
            Self::Wrap(width) => ("wrap", vec![width.to_string()]),
            Self::HexToIntegers => ("hex_to_int", vec![]),
            Self::Ipv4ToIntegers => ("ip_to_int", vec![]),
            Self::UrlEncode => ("url_encode", vec![]),
            Self::UrlDecode => ("url_decode", vec![]),
            Self::JsonObject { path, .. } => ("get_json_object", vec![text(path)]),
            Self::Cat { separator, missing } => {
                let mut given = vec![format!("sep={separator:?}")];
                given.extend(missing.iter().map(|missing| format!("na_rep={missing:?}")));
                ("cat", given)
            }
            Self::RepeatEach => ("repeat", vec![]),
            Self::Of(Formula::AllAre(class)) => {
                use attributes::CharacterClass::{
                    Alphabetic, Alphanumeric, Ascii, Decimal, Digit, Numeric, Space,
                };
                let name = match class {
                    Alphabetic => "isalpha",
                    Decimal => "isdecimal",
                    Digit => "isdigit",
                    Numeric => "isnumeric",
                    Alphanumeric => "isalnum",
                    Space => "isspace",
                    Ascii => "isascii",
                };
                (name, vec![])
            }
            Self::Of(_) => ("", vec![]),
        }
    }
}

/// As a method of pandas.
impl fmt::Display for TextFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.spelt()) {
            (Self::Of(function), ("", _)) => {
                let shown = function.to_string();
                write!(f, "{shown}{}", if shown.ends_with(')') { "" } else { "()" })
            }
            (_, (name, given)) => write!(f, "{name}({})", given.join(", ")),
        }
    }
}

/// The methods of texts that take no other column, for `$each` to make methods of: a name, its parameters and the
/// [`TextFunction`]. `Formula` is [`cuprum_compute::expression::Function`].
macro_rules! text_functions {
    ($each:ident $($of:tt)*) => {
        $each! {
            $($of)*;
            /// The number of characters, `int64`.
            len() TextFunction::Len;
            /// The number of bytes in UTF-8, `int64`.
            byte_count() TextFunction::ByteCount;
            /// In capitals.
            upper() TextFunction::Upper;
            /// In small letters.
            lower() TextFunction::Lower;
            /// The first letters of words in capitals, all others in small letters.
            title() TextFunction::Title;
            /// The first letter in capitals, all others in small letters.
            capitalize() TextFunction::Capitalize;
            /// Capitals in small letters and the other way round.
            swapcase() TextFunction::Of(Formula::SwapCase);
            /// Without white space (or the given characters) at both ends.
            strip(characters: Option<&str>) TextFunction::Strip(Side::Both, characters.map(Into::into));
            /// Without white space (or the given characters) at the beginning.
            lstrip(characters: Option<&str>) TextFunction::Strip(Side::Left, characters.map(Into::into));
            /// Without white space (or the given characters) at the end.
            rstrip(characters: Option<&str>) TextFunction::Strip(Side::Right, characters.map(Into::into));
            /// Whether `pattern`, a text or a regular expression, occurs. Capitals differ from small letters; in a
            /// regular expression that begins with `(?i)` they do not.
            contains(pattern: &str, regex: bool)
                TextFunction::Contains { pattern: pattern.into(), regex, case: true };
            /// Whether the beginning matches a regular expression: pandas' `match`.
            matches(pattern: &str) TextFunction::Match { pattern: pattern.into() };
            /// Whether all of the text matches a regular expression.
            full_match(pattern: &str) TextFunction::FullMatch { pattern: pattern.into() };
            /// Whether the text starts with `prefix`.
            starts_with(prefix: &str) TextFunction::StartsWith(prefix.into());
            /// Whether the text ends with `suffix`.
            ends_with(suffix: &str) TextFunction::EndsWith(suffix.into());
            /// The number of matches of a regular expression, `int64`.
            count(pattern: &str) TextFunction::CountMatches(pattern.into());
            /// The position of the first occurrence of a text among the characters `[start, stop)`, −1 where there is
            /// none; `int64`.
            find(text: &str, start: i64, stop: Option<i64>)
                TextFunction::Of(Formula::Find(text.into(), start, stop));
            /// The position of the last occurrence; see [`find`](Self::find).
            rfind(text: &str, start: i64, stop: Option<i64>)
                TextFunction::Of(Formula::FindLast(text.into(), start, stop));
            /// Every occurrence of `pattern`, a text or a regular expression, replaced.
            replace(pattern: &str, replacement: &str, regex: bool)
                TextFunction::Replace { pattern: pattern.into(), with: replacement.into(), regex, limit: None };
            /// The first `limit` occurrences of `pattern` replaced.
            replace_first(pattern: &str, replacement: &str, regex: bool, limit: usize)
                TextFunction::Replace {
                    pattern: pattern.into(), with: replacement.into(), regex, limit: Some(limit),
                };
            /// Characters replaced by texts.
            translate(table: &[(char, &str)])
                TextFunction::Translate(table.iter().map(|(from, to)| (*from, (*to).into())).collect());
            /// Without a text at the beginning.
            remove_prefix(prefix: &str) TextFunction::Of(Formula::RemovePrefix(prefix.into()));
            /// Without a text at the end.
            remove_suffix(suffix: &str) TextFunction::Of(Formula::RemoveSuffix(suffix.into()));
            /// The characters `start:stop:step`, as Python slices.
            slice(start: Option<i64>, stop: Option<i64>, step: Option<i64>)
                TextFunction::Slice(start, stop, step);
            /// The text with the characters `start:stop` replaced.
            slice_replace(start: Option<i64>, stop: Option<i64>, replacement: &str)
                TextFunction::SliceReplace { start, stop, with: replacement.into() };
            /// The character at a position, from the end where it is negative; missing where there is none.
            get(position: i64) TextFunction::Get(position);
            /// The text so many times.
            repeat(times: usize) TextFunction::Of(Formula::Repeat(times));
            /// At least `width` characters, filled up at a side or at both.
            pad(width: usize, side: Side, fill: char) TextFunction::Of(Formula::Pad(width, side, fill));
            /// At least `width` characters, zeros behind the sign.
            zfill(width: usize) TextFunction::Of(Formula::ZeroFill(width));
            /// Lines of at most `width` characters, at least 1, broken at white space.
            wrap(width: usize) TextFunction::Wrap(width);
            /// The parts between `separator` (white space for `None`) as lists. `limit` bounds the number of cuts, made
            /// from the right when `reverse`.
            split_lists(separator: Option<&str>, limit: Option<usize>, reverse: bool)
                TextFunction::SplitLists { separator: separator.map(Into::into), limit, reverse };
            /// The parts between matches of a regular expression as lists.
            split_regex_lists(pattern: &str, limit: Option<usize>)
                TextFunction::SplitRegexLists { pattern: pattern.into(), limit };
            /// The parts before, of and after the first (last, when `reverse`) `separator` as lists of three.
            partition_lists(separator: &str, reverse: bool)
                TextFunction::PartitionLists { separator: separator.into(), reverse };
            /// One of the parts between `separator` (white space for `None`), from the end where `position` is
            /// negative; missing where there is none.
            split_part(separator: Option<&str>, position: i64)
                TextFunction::Of(Formula::Part(separator.map(Into::into), position));
            /// Lists of what a regular expression matches: what its group has, the whole match without one.
            find_all(pattern: &str) TextFunction::FindAll(pattern.into());
            /// What a group of a regular expression, counted from 0, has in the first match; missing where nothing
            /// matches.
            extract_group(pattern: &str, group: usize)
                TextFunction::ExtractGroup { pattern: pattern.into(), group };
            /// Whether there are characters, all of them letters.
            is_alpha() TextFunction::Of(Formula::AllAre(CharacterClass::Alphabetic));
            /// Whether there are characters, all of them digits of positional number systems.
            is_decimal() TextFunction::Of(Formula::AllAre(CharacterClass::Decimal));
            /// Whether there are characters, all of them decimals, superscripts and the like.
            is_digit() TextFunction::Of(Formula::AllAre(CharacterClass::Digit));
            /// Whether there are characters, all of them with a numeric value.
            is_numeric() TextFunction::Of(Formula::AllAre(CharacterClass::Numeric));
            /// Whether there are characters, all of them letters or numerics.
            is_alnum() TextFunction::Of(Formula::AllAre(CharacterClass::Alphanumeric));
            /// Whether there are characters, all of them white space.
            is_space() TextFunction::Of(Formula::AllAre(CharacterClass::Space));
            /// Whether all characters are below 128; true of the empty text.
            is_ascii() TextFunction::Of(Formula::AllAre(CharacterClass::Ascii));
            /// Whether there are letters with case, all of them small.
            is_lower() TextFunction::Of(Formula::IsLower);
            /// Whether there are letters with case, all of them capitals.
            is_upper() TextFunction::Of(Formula::IsUpper);
            /// Whether words have a capital, and nothing else has.
            is_title() TextFunction::Of(Formula::IsTitle);
            /// The integers that hexadecimal digits say, perhaps behind `0x`, `int64`. Fails for a row that says none.
            hex_to_integers() TextFunction::HexToIntegers;
            /// The addresses of IPv4 as integers, `uint32`. Fails for a row that has none.
            ipv4_to_integers() TextFunction::Ipv4ToIntegers;
            /// As an address of the web has them: characters but ASCII's letters, digits and `.-_~` as `%` and digits.
            url_encode() TextFunction::UrlEncode;
            /// `%` and digits as the characters they stand for.
            url_decode() TextFunction::UrlDecode;
            /// The value at a path in a text that is JSON, as it is written there.
            get_json_object(path: &str, options: JsonPathOptions)
                TextFunction::JsonObject { path: path.into(), options };
        }
    };
}

pub(crate) use text_functions;
