//! The text functions of `_cuprum.Series`.

use std::sync::Arc;

use cuprum::Frame;
use cuprum::plan::{Cost, LazySeries};
use cuprum_compute::strings;
use cuprum_compute::strings::json_path::{JsonPathOptions, get_json_object};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::series::PySeries;
use crate::column::PyColumn;
use crate::scalar;

#[pymethods]
impl PySeries {
    /// A text function by name with its arguments; see the Python accessor for what each does.
    #[pyo3(signature = (function, text=None, other=None, flag=false, numbers=vec![]))]
    fn str_apply(
        &self,
        py: Python<'_>,
        function: &str,
        text: Option<String>,
        other: Option<String>,
        flag: bool,
        numbers: Vec<Option<i64>>,
    ) -> PyResult<Self> {
        let apply = Arc::new(text_function(function, text, other, flag, numbers)?);
        if self.0.plan().is_some() && PLANNED.contains(&function) {
            let apply = Arc::clone(&apply);
            let each = |own: &LazySeries| own.each(Cost::High, move |s| s.str()?.apply(&*apply));
            if let Some(plan) = self.0.try_plan(each)? {
                return Ok(plan.into());
            }
        }
        self.run(py, function, move |s| s.str()?.apply(&*apply))
    }

    #[pyo3(signature = (separator=None, limit=None, reverse=false))]
    fn str_split(
        &self,
        py: Python<'_>,
        separator: Option<String>,
        limit: Option<usize>,
        reverse: bool,
    ) -> PyResult<PyDataFrame> {
        self.ask(py, "split", |f| f.str()?.split(separator.as_deref(), limit, reverse)).map(PyDataFrame::from)
    }

    /// The parts before, of and after the first (last, when `reverse`) separator, as three columns.
    fn str_partition(&self, py: Python<'_>, separator: String, reverse: bool) -> PyResult<PyDataFrame> {
        self.ask(py, "partition", |f| f.str()?.partition(&separator, reverse)).map(PyDataFrame::from)
    }

    /// The parts between matches of a regular expression, a column for each.
    #[pyo3(signature = (pattern, limit=None))]
    fn str_split_regex(
        &self,
        py: Python<'_>,
        pattern: String,
        limit: Option<usize>,
    ) -> PyResult<PyDataFrame> {
        self.ask(py, "split", |f| f.str()?.split_regex(&pattern, limit)).map(PyDataFrame::from)
    }

    /// The groups of all matches of a regular expression, a column for each; and the row of each match, and its
    /// number there.
    fn str_extract_all(
        &self,
        py: Python<'_>,
        pattern: String,
    ) -> PyResult<(PyDataFrame, PyColumn, PyColumn)> {
        self.ask(py, "extractall", |f| f.str()?.extract_all(&pattern)).map(|(groups, rows, numbers)| {
            (PyDataFrame::from(groups), PyColumn::plain(rows), PyColumn::plain(numbers))
        })
    }

    /// Characters replaced by texts.
    fn str_translate(&self, py: Python<'_>, table: Vec<(char, String)>) -> PyResult<Self> {
        let table: Vec<(char, &str)> = table.iter().map(|(from, to)| (*from, to.as_str())).collect();
        self.run(py, "translate", |s| s.str()?.apply(|c, ctx| strings::replace::translate(c, &table, ctx)))
    }

    /// Each text as often as a column of integers says.
    fn str_repeat_each(&self, py: Python<'_>, counts: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let counts = counts.values_for("repeat")?;
        self.run(py, "repeat", |s| s.str()?.apply_to_all(|c, ctx| strings::pad::repeat_each(c, &counts, ctx)))
    }

    /// The groups of the first match of a regular expression, a column for each.
    fn str_extract(&self, py: Python<'_>, pattern: String, case_sensitive: bool) -> PyResult<PyDataFrame> {
        self.ask(py, "extract", |f| f.str()?.extract(&pattern, case_sensitive)).map(PyDataFrame::from)
    }

    /// The rows of this and other string series joined with a separator.
    #[pyo3(signature = (others, separator, na_rep=None))]
    fn str_cat(
        &self,
        py: Python<'_>,
        others: Vec<PyRef<'_, PyColumn>>,
        separator: String,
        na_rep: Option<String>,
    ) -> PyResult<Self> {
        let others: Vec<cuprum::Column> =
            others.iter().map(|c| c.values_for("cat")).collect::<PyResult<_>>()?;
        self.run(py, "cat", |s| {
            s.str()?.apply_to_all(|own, ctx| {
                let mut columns = vec![own];
                columns.extend(&others);
                strings::combine::concatenate(&columns, &separator, na_rep.as_deref(), ctx)
            })
        })
    }

    /// All rows as one text.
    #[pyo3(signature = (separator, na_rep=None))]
    fn str_join<'py>(
        &self,
        py: Python<'py>,
        separator: String,
        na_rep: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let joined = self.ask(py, "cat", |s| {
            let ctx = s.context()?;
            strings::combine::join(s.str()?.texts()?, &separator, na_rep.as_deref(), &ctx)
        })?;
        scalar::to_py(py, &joined)
    }
}

type TextFunction =
    Box<dyn Fn(&cuprum::Column, &cuprum::Context) -> cuprum::Result<cuprum::Column> + Send + Sync>;

/// Text functions that fail for no text, so that plans have them.
const PLANNED: [&str; 12] = [
    "contains",
    "endswith",
    "fullmatch",
    "len",
    "lower",
    "lstrip",
    "match",
    "rstrip",
    "slice",
    "startswith",
    "strip",
    "upper",
];

fn text_function(
    function: &str,
    text: Option<String>,
    other: Option<String>,
    flag: bool,
    numbers: Vec<Option<i64>>,
) -> PyResult<TextFunction> {
    use attributes::CharacterClass;
    use strings::{attributes, case, find, pad, records, replace, slice, strip};
    let needed = text.clone().unwrap_or_default();
    let number = move |i: usize| numbers.get(i).copied().flatten();
    let all = |class| -> TextFunction { Box::new(move |c, ctx| attributes::all_characters(c, class, ctx)) };
    let characters = text.clone();
    let side =
        |side| -> TextFunction { Box::new(move |c, ctx| strip::strip(c, side, characters.as_deref(), ctx)) };
    Ok(match function {
        "len" => Box::new(attributes::count_characters),
        "byte_count" => Box::new(attributes::count_bytes),
        "upper" => Box::new(case::to_upper),
        "lower" => Box::new(case::to_lower),
        "title" => Box::new(case::title),
        "isalpha" => all(CharacterClass::Alphabetic),
        "isdecimal" => all(CharacterClass::Decimal),
        "isdigit" => all(CharacterClass::Digit),
        "isnumeric" => all(CharacterClass::Numeric),
        "isalnum" => all(CharacterClass::Alphanumeric),
        "isspace" => all(CharacterClass::Space),
        "isascii" => all(CharacterClass::Ascii),
        "islower" => Box::new(attributes::is_lower),
        "isupper" => Box::new(attributes::is_upper),
        "istitle" => Box::new(attributes::is_title),
        "count" => Box::new(move |c, ctx| find::count(c, &needed, flag, ctx)),
        "find" => {
            let (start, stop) = (number(0).unwrap_or(0), number(1));
            Box::new(move |c, ctx| find::find(c, &needed, start, stop, ctx))
        }
        "rfind" => {
            let (start, stop) = (number(0).unwrap_or(0), number(1));
            Box::new(move |c, ctx| find::rfind(c, &needed, start, stop, ctx))
        }
        "match" => {
            let case = number(0) != Some(0);
            Box::new(move |c, ctx| find::matches(c, &needed, case, ctx))
        }
        "fullmatch" => {
            let case = number(0) != Some(0);
            Box::new(move |c, ctx| find::full_match(c, &needed, case, ctx))
        }
        "removeprefix" => Box::new(move |c, ctx| replace::remove_prefix(c, &needed, ctx)),
        "removesuffix" => Box::new(move |c, ctx| replace::remove_suffix(c, &needed, ctx)),
        "repeat" => {
            let count = usize::try_from(number(0).unwrap_or(0)).unwrap_or(0);
            Box::new(move |c, ctx| pad::repeat(c, count, ctx))
        }
        "zfill" => {
            let width = usize::try_from(number(0).unwrap_or(0)).unwrap_or(0);
            Box::new(move |c, ctx| pad::zfill(c, width, ctx))
        }
        "pad" => {
            let width = usize::try_from(number(0).unwrap_or(0)).unwrap_or(0);
            let mut characters = needed.chars();
            let (Some(fill), None) = (characters.next(), characters.next()) else {
                return Err(PyTypeError::new_err("fillchar must be a character, not str"));
            };
            let side = match other.as_deref() {
                Some("left") => strip::Side::Left,
                Some("right") => strip::Side::Right,
                Some("both") => strip::Side::Both,
                _ => return Err(PyValueError::new_err("`side` must be 'left', 'right' or 'both'")),
            };
            Box::new(move |c, ctx| pad::pad(c, width, side, fill, ctx))
        }
        "capitalize" => Box::new(case::capitalize),
        "swapcase" => Box::new(case::swapcase),
        "strip" => side(strip::Side::Both),
        "lstrip" => side(strip::Side::Left),
        "rstrip" => side(strip::Side::Right),
        "contains" => {
            let case = number(0) != Some(0);
            Box::new(move |c, ctx| find::contains(c, &needed, flag, case, ctx))
        }
        "startswith" => Box::new(move |c, ctx| find::starts_with(c, &needed, ctx)),
        "endswith" => Box::new(move |c, ctx| find::ends_with(c, &needed, ctx)),
        "replace" => {
            let limit = number(0).and_then(|n| usize::try_from(n).ok());
            let with = other.unwrap_or_default();
            Box::new(move |c, ctx| replace::replace(c, &needed, &with, flag, limit, ctx))
        }
        "split_lists" => {
            let limit = number(0).and_then(|n| usize::try_from(n).ok());
            Box::new(move |c, ctx| records::split_record(c, text.as_deref(), limit, flag, ctx))
        }
        "split_regex_lists" => {
            let limit = number(0).and_then(|n| usize::try_from(n).ok());
            Box::new(move |c, ctx| records::split_record_regex(c, &needed, limit, false, ctx))
        }
        "partition_lists" => Box::new(move |c, ctx| records::partition_record(c, &needed, flag, ctx)),
        "findall" => Box::new(move |c, ctx| records::find_all(c, &needed, ctx)),
        "get_json_object" => {
            let is = |i| number(i) == Some(1);
            let options = JsonPathOptions {
                allow_single_quotes: is(0),
                strip_quotes_from_single_strings: is(1),
                missing_fields_as_nulls: is(2),
            };
            Box::new(move |c, ctx| get_json_object(c, &needed, options, ctx))
        }
        "slice_replace" => {
            let (start, stop) = (number(0), number(1));
            Box::new(move |c, ctx| slice::slice_replace(c, start, stop, &needed, ctx))
        }
        "slice" => {
            let (start, stop, step) = (number(0), number(1), number(2));
            Box::new(move |c, ctx| slice::slice(c, start, stop, step, ctx))
        }
        "get" => {
            let at = number(0).unwrap_or(0);
            Box::new(move |c, ctx| slice::get(c, at, ctx))
        }
        other => return Err(PyValueError::new_err(format!("'{other}' is not a text function"))),
    })
}
