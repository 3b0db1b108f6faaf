//! `Series::str`: functions of text.

use cuprum_column::{Column, Context, DataType, Error, Result};
use cuprum_compute::expression::Function as Formula;
use cuprum_compute::strings::attributes::CharacterClass;
use cuprum_compute::strings::json_path::JsonPathOptions;
use cuprum_compute::strings::strip::Side;
use cuprum_compute::strings::{extract, records, split};

use super::methods::series_methods;
use super::string_functions::{TextFunction, text_functions};
use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::TypedColumn;

/// Text functions of a string series; missing elements stay missing.
#[derive(Clone, Debug)]
pub struct StringMethods<'a> {
    series: &'a Series,
    /// The texts; those of categories too.
    column: TypedColumn,
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
        Ok(Self { series, column: texts })
    }

    /// The texts of all rows.
    pub fn texts(&self) -> Result<&Column> {
        self.column.data()
    }

    /// The series with the column that `f`, which works row by row, makes of its own.
    pub fn apply(&self, f: impl Fn(&Column, &Context) -> Result<Column>) -> Result<Series> {
        let of = |texts: &TypedColumn| {
            let texts = texts.data()?;
            f(texts, &texts.context()?).map(TypedColumn::from)
        };
        Ok(self.series.with_column(self.column.each(of)?))
    }

    /// The series with the column that `f` makes of all rows of its own.
    pub fn apply_to_all(&self, f: impl FnOnce(&Column, &Context) -> Result<Column>) -> Result<Series> {
        let texts = self.texts()?;
        Ok(self.series.with_column(f(texts, &texts.context()?)?))
    }

    pub(crate) fn call(&self, function: &TextFunction) -> Result<Series> {
        self.apply(|texts, ctx| function.call(texts, &[], ctx))
    }

    pub(crate) fn call_beside(&self, function: &TextFunction, beside: &[Column]) -> Result<Series> {
        self.apply_to_all(|texts, ctx| function.call(texts, beside, ctx))
    }

    /// The text, then those of other columns in its row, with `separator` between them: missing where one is,
    /// unless `missing` stands for it.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns of anything else, with
    /// [`Logic`](cuprum_column::ErrorKind::Logic) for other numbers of rows.
    pub fn cat(&self, others: &[TypedColumn], separator: &str, missing: Option<&str>) -> Result<Series> {
        let (separator, missing) = (separator.into(), missing.map(Into::into));
        self.call_beside(&TextFunction::Cat { separator, missing }, &self.beside(others)?)
    }

    /// Each text as often as a column of integers says, not at all where that is negative; missing where either is.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for columns of anything else, with
    /// [`Logic`](cuprum_column::ErrorKind::Logic) for another number of rows.
    pub fn repeat_each(&self, times: &TypedColumn) -> Result<Series> {
        self.call_beside(&TextFunction::RepeatEach, &self.beside(std::slice::from_ref(times))?)
    }

    /// The values of columns beside the texts.
    pub(crate) fn beside(&self, columns: &[TypedColumn]) -> Result<Vec<Column>> {
        let ctx = self.column.context()?;
        let values = |column: &TypedColumn| column.placed(&ctx)?.decoded()?.values("`str`").cloned();
        columns.iter().map(values).collect()
    }

    /// The parts before, of and after the first (last, when `reverse`) `separator`, as three columns.
    pub fn partition(&self, separator: &str, reverse: bool) -> Result<DataFrame> {
        let columns = split::partition(self.texts()?, separator, reverse, &self.column.context()?)?;
        let labels = (0..columns.len() as i64).map(Label::Int).collect();
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }

    /// The groups of the first match of a regular expression, a column for each, called by its name
    /// or number; missing where nothing matches.
    pub fn extract(&self, pattern: &str, case_sensitive: bool) -> Result<DataFrame> {
        let columns = extract::extract(self.texts()?, pattern, case_sensitive, &self.column.context()?)?;
        let names = extract::group_names(pattern)?.into_iter().enumerate();
        let labels = names.map(|(i, name)| name.map_or(Label::Int(i as i64), Label::from)).collect();
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }

    /// The parts between `separator` (white space for `None`), a column for each, missing where
    /// there are fewer. `limit` bounds the number of cuts, made from the right when `reverse`.
    pub fn split(&self, separator: Option<&str>, limit: Option<usize>, reverse: bool) -> Result<DataFrame> {
        let columns = split::split(self.texts()?, separator, limit, reverse, &self.column.context()?)?;
        let labels = (0..columns.len() as i64).map(Label::Int).collect();
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }

    /// The parts between matches of a regular expression, as [`split`](Self::split) gives them.
    pub fn split_regex(&self, pattern: &str, limit: Option<usize>) -> Result<DataFrame> {
        let columns = split::split_regex(self.texts()?, pattern, limit, false, &self.column.context()?)?;
        let labels = (0..columns.len() as i64).map(Label::Int).collect();
        DataFrame::from_parts(labels, columns, self.series.index().clone())
    }

    /// The groups of all matches of a regular expression, a row for each match and a column for each group, called by
    /// its name or number; then the row of this series that each match is in, and the number of the match there.
    pub fn extract_all(&self, pattern: &str) -> Result<(DataFrame, Column, Column)> {
        let mut columns = records::extract_all(self.texts()?, pattern, &self.column.context()?)?;
        let groups = columns.split_off(2);
        let names = extract::group_names(pattern)?.into_iter().enumerate();
        let labels = names.map(|(i, name)| name.map_or(Label::Int(i as i64), Label::from)).collect();
        let numbers = columns.remove(1);
        let rows = columns.remove(0);
        Ok((DataFrame::from_parts(labels, groups, Index::range(rows.len()))?, rows, numbers))
    }
}

text_functions!(series_methods StringMethods<'_>);
