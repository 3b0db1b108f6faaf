//! `Series::str`: functions of text.

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_compute::strings::{attributes, case, extract, find, records, replace, slice, split, strip};

use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;

/// Text functions of a string series; missing elements stay missing.
#[derive(Clone, Debug)]
pub struct StringMethods<'a> {
    series: &'a Series,
    /// The texts; those of categories too.
    column: Column,
}

impl Series {
    /// Text functions, for string series.
    pub fn str(&self) -> Result<StringMethods<'_>> {
        StringMethods::new(self)
    }
}

impl<'a> StringMethods<'a> {
    pub(crate) fn new(series: &'a Series) -> Result<Self> {
        let texts = series.column().decoded()?;
        if texts.dtype().storage() != DataType::String {
            return Err(Error::data_type(format!(
                "`str` needs a series of type str, this one is {}",
                series.dtype()
            )));
        }
        Ok(Self { series, column: texts.data()?.clone() })
    }

    /// The texts of all rows.
    pub fn texts(&self) -> &Column {
        &self.column
    }

    /// The series with the column that `f` makes of its own.
    pub fn apply(&self, f: impl FnOnce(&Column, &Context) -> Result<Column>) -> Result<Series> {
        Ok(self.series.with_column(f(&self.column, &self.column.context()?)?))
    }

    /// The number of characters.
    pub fn len(&self) -> Result<Series> {
        self.apply(attributes::count_characters)
    }

    /// In capitals.
    pub fn upper(&self) -> Result<Series> {
        self.apply(case::to_upper)
    }

    /// In small letters.
    pub fn lower(&self) -> Result<Series> {
        self.apply(case::to_lower)
    }

    /// Without white space (or the given characters) at both ends.
    pub fn strip(&self, characters: Option<&str>) -> Result<Series> {
        self.apply(|c, ctx| strip::strip(c, strip::Side::Both, characters, ctx))
    }

    /// Whether `pattern`, a text or a regular expression, occurs.
    pub fn contains(&self, pattern: &str, regex: bool) -> Result<Series> {
        self.apply(|c, ctx| find::contains(c, pattern, regex, true, ctx))
    }

    /// Whether the text starts with `prefix`.
    pub fn starts_with(&self, prefix: &str) -> Result<Series> {
        self.apply(|c, ctx| find::starts_with(c, prefix, ctx))
    }

    /// Whether the text ends with `suffix`.
    pub fn ends_with(&self, suffix: &str) -> Result<Series> {
        self.apply(|c, ctx| find::ends_with(c, suffix, ctx))
    }

    /// Every occurrence of `pattern` replaced.
    pub fn replace(&self, pattern: &str, replacement: &str, regex: bool) -> Result<Series> {
        self.apply(|c, ctx| replace::replace(c, pattern, replacement, regex, None, ctx))
    }

    /// The characters `start:stop:step`, as Python slices.
    pub fn slice(&self, start: Option<i64>, stop: Option<i64>, step: Option<i64>) -> Result<Series> {
        self.apply(|c, ctx| slice::slice(c, start, stop, step, ctx))
    }

    /// The parts before, of and after the first (last, when `reverse`) `separator`, as three columns.
    pub fn partition(&self, separator: &str, reverse: bool) -> Result<DataFrame> {
        let columns = split::partition(&self.column, separator, reverse, &self.column.context()?)?;
        let labels = (0..columns.len() as i64).map(Label::Int).collect();
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }

    /// The groups of the first match of a regular expression, a column for each, called by its name
    /// or number; missing where nothing matches.
    pub fn extract(&self, pattern: &str, case_sensitive: bool) -> Result<DataFrame> {
        let columns = extract::extract(&self.column, pattern, case_sensitive, &self.column.context()?)?;
        let names = extract::group_names(pattern)?.into_iter().enumerate();
        let labels = names.map(|(i, name)| name.map_or(Label::Int(i as i64), Label::from)).collect();
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }

    /// The parts between `separator` (white space for `None`), a column for each, missing where
    /// there are fewer. `limit` bounds the number of cuts, made from the right when `reverse`.
    pub fn split(&self, separator: Option<&str>, limit: Option<usize>, reverse: bool) -> Result<DataFrame> {
        let columns = split::split(&self.column, separator, limit, reverse, &self.column.context()?)?;
        let labels = (0..columns.len() as i64).map(Label::Int).collect();
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }

    /// The parts between matches of a regular expression, as [`split`](Self::split) gives them.
    pub fn split_regex(&self, pattern: &str, limit: Option<usize>) -> Result<DataFrame> {
        let columns = split::split_regex(&self.column, pattern, limit, false, &self.column.context()?)?;
        let labels = (0..columns.len() as i64).map(Label::Int).collect();
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }

    /// The parts between `separator` as lists; see [`split`](Self::split).
    pub fn split_lists(
        &self,
        separator: Option<&str>,
        limit: Option<usize>,
        reverse: bool,
    ) -> Result<Series> {
        self.apply(|c, ctx| records::split_record(c, separator, limit, reverse, ctx))
    }

    /// Lists of what a regular expression matches: what its group has, the whole match without one.
    pub fn find_all(&self, pattern: &str) -> Result<Series> {
        self.apply(|c, ctx| records::find_all(c, pattern, ctx))
    }

    /// The groups of all matches of a regular expression, a row for each match and a column for each group, called by
    /// its name or number; then the row of this series that each match is in, and the number of the match there.
    pub fn extract_all(&self, pattern: &str) -> Result<(DataFrame, Column, Column)> {
        let mut columns = records::extract_all(&self.column, pattern, &self.column.context()?)?;
        let groups = columns.split_off(2);
        let names = extract::group_names(pattern)?.into_iter().enumerate();
        let labels = names.map(|(i, name)| name.map_or(Label::Int(i as i64), Label::from)).collect();
        let numbers = columns.remove(1);
        let rows = columns.remove(0);
        Ok((DataFrame::from_parts(labels, groups, Index::range(rows.len()))?, rows, numbers))
    }
}
