//! `_cuprum.Series`: one column with labelled rows.

use cuprum::{DataType, Frame, IndexedFrame, Scalar, Series, concat, indexing};
use cuprum_compute::datetime::{self, DatetimeComponent};
use cuprum_compute::replace::FillDirection;
use cuprum_compute::strings;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::dataframe::PyDataFrame;
use super::index::PyIndex;
use super::selection::{LabelKey, Positions};
use super::{label, layout, names, work};
use crate::column::PyColumn;
use crate::dtype::{self, DType};
use crate::errors::IntoPyResult;
use crate::scalar;

/// A column, its name and the labels of its rows.
#[pyclass(frozen, module = "cuprum._cuprum", name = "Series")]
pub struct PySeries(pub Series);

impl PySeries {
    fn run(
        &self,
        py: Python<'_>,
        operation: &str,
        f: impl FnOnce(&Series) -> cuprum::Result<Series> + Send,
    ) -> PyResult<Self> {
        work(py, operation, self.0.len(), || f(&self.0)).map(Self)
    }
}

/// The elements of all series, one after the other.
#[pyfunction]
pub fn concat_series(
    py: Python<'_>,
    series: Vec<PyRef<'_, PySeries>>,
    ignore_index: bool,
) -> PyResult<PySeries> {
    let series: Vec<Series> = series.iter().map(|s| s.0.clone()).collect();
    let rows = series.iter().map(Series::len).sum();
    work(py, "concat", rows, || concat::concat_series(&series.iter().collect::<Vec<_>>(), ignore_index))
        .map(PySeries)
}

#[pymethods]
impl PySeries {
    #[new]
    #[pyo3(signature = (column, name=None, index=None))]
    fn new(
        column: PyRef<'_, PyColumn>,
        name: Option<Bound<'_, PyAny>>,
        index: Option<PyRef<'_, PyIndex>>,
    ) -> PyResult<Self> {
        let name = name.map(|n| label::name_from_py(&n)).transpose()?.flatten();
        let column = column.0.clone();
        match index {
            Some(index) => Series::new(column, name, index.0.clone()).py().map(Self),
            None => Ok(Self(Series::from_column(column, name))),
        }
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn column(&self) -> PyColumn {
        PyColumn(self.0.column().clone())
    }

    fn index(&self) -> PyIndex {
        PyIndex(self.0.index().clone())
    }

    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        label::name_to_py(py, self.0.name())
    }

    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, DType>> {
        dtype::to_py(py, self.0.data_type())
    }

    fn nbytes(&self) -> usize {
        self.0.nbytes()
    }

    fn get<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        scalar::to_py(py, &self.0.column().get(row).py()?)
    }

    fn rename(&self, name: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(self.0.rename(label::name_from_py(name)?)))
    }

    fn with_index(&self, index: PyRef<'_, PyIndex>) -> PyResult<Self> {
        self.0.with_index(index.0.clone()).py().map(Self)
    }

    #[pyo3(signature = (name=None))]
    fn to_frame(&self, name: Option<Bound<'_, PyAny>>) -> PyResult<PyDataFrame> {
        let name = name.map(|n| label::name_from_py(&n)).transpose()?.flatten();
        Ok(PyDataFrame(self.0.to_frame(name)))
    }

    fn drop_index(&self) -> Self {
        Self(self.0.drop_index())
    }

    // Rows.

    fn head(&self, n: i64) -> PyResult<Self> {
        self.0.head(n).py().map(Self)
    }

    fn tail(&self, n: i64) -> PyResult<Self> {
        self.0.tail(n).py().map(Self)
    }

    fn slice(&self, start: usize, length: usize) -> PyResult<Self> {
        self.0.slice(start, length).py().map(Self)
    }

    fn take(&self, py: Python<'_>, rows: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let rows = &rows.0;
        self.run(py, "take", |s| s.take(rows))
    }

    fn filter(&self, py: Python<'_>, mask: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let mask = &mask.0;
        self.run(py, "filter", |s| s.filter(mask))
    }

    fn iloc(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = Positions::from_py(rows)?;
        self.run(py, "iloc", |s| rows.with(|r| s.iloc(r)))
    }

    fn loc(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = LabelKey::from_py(key)?;
        self.run(py, "loc", |s| key.with(|k| s.loc(k)))
    }

    fn locate(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
        let key = LabelKey::from_py(key)?;
        work(py, "loc", self.0.len(), || key.with(|k| indexing::locate(self.0.index(), k))).map(PyColumn)
    }

    fn locate_positions(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
        let rows = Positions::from_py(rows)?;
        let len = self.0.len();
        work(py, "iloc", len, || rows.with(|r| indexing::locate_positions(len, r))).map(PyColumn)
    }

    fn set_rows(
        &self,
        py: Python<'_>,
        rows: PyRef<'_, PyColumn>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (rows, value) = (&rows.0, scalar::from_py(value)?.scalar);
        self.run(py, "assignment", |s| s.set_rows(rows, &value))
    }

    fn set_rows_from(
        &self,
        py: Python<'_>,
        rows: PyRef<'_, PyColumn>,
        values: PyRef<'_, PyColumn>,
    ) -> PyResult<Self> {
        let (rows, values) = (&rows.0, &values.0);
        self.run(py, "assignment", |s| s.set_rows_from(rows, values))
    }

    #[pyo3(signature = (n, replace=false, seed=None))]
    fn sample(&self, py: Python<'_>, n: usize, replace: bool, seed: Option<u64>) -> PyResult<Self> {
        self.run(py, "sample", |s| s.sample(n, replace, seed))
    }

    fn shift(&self, py: Python<'_>, periods: i64) -> PyResult<Self> {
        self.run(py, "shift", |s| s.shift(periods))
    }

    fn reindex(&self, py: Python<'_>, index: PyRef<'_, PyIndex>) -> PyResult<Self> {
        let index = &index.0;
        self.run(py, "reindex", |s| cuprum::align::reindex(s, index))
    }

    // Order and repetition.

    fn sort_values(&self, py: Python<'_>, ascending: bool, na_position: &str) -> PyResult<Self> {
        let nulls = names::na_position(na_position)?;
        self.run(py, "sort_values", |s| s.sort_values(ascending, nulls))
    }

    fn sort_index(&self, py: Python<'_>, ascending: bool) -> PyResult<Self> {
        self.run(py, "sort_index", |s| s.sort_index(ascending))
    }

    fn argsort(&self, py: Python<'_>, ascending: bool) -> PyResult<Self> {
        self.run(py, "argsort", |s| s.argsort(ascending))
    }

    fn top(&self, py: Python<'_>, n: usize, largest: bool) -> PyResult<Self> {
        self.run(py, "nlargest", |s| s.top(n, largest))
    }

    fn unique(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "unique", Series::unique)
    }

    fn nunique(&self, py: Python<'_>, count_missing: bool) -> PyResult<usize> {
        work(py, "nunique", self.0.len(), || self.0.nunique(count_missing))
    }

    fn drop_duplicates(&self, py: Python<'_>, keep: &Bound<'_, PyAny>) -> PyResult<Self> {
        let keep = names::keep(keep)?;
        self.run(py, "drop_duplicates", |s| s.drop_duplicates(keep))
    }

    fn duplicated(&self, py: Python<'_>, keep: &Bound<'_, PyAny>) -> PyResult<Self> {
        let keep = names::keep(keep)?;
        self.run(py, "duplicated", |s| s.duplicated(keep))
    }

    fn value_counts(
        &self,
        py: Python<'_>,
        normalize: bool,
        sort: bool,
        ascending: bool,
        dropna: bool,
    ) -> PyResult<Self> {
        self.run(py, "value_counts", |s| s.value_counts(normalize, sort, ascending, dropna))
    }

    fn isin(&self, py: Python<'_>, values: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let values = &values.0;
        self.run(py, "isin", |s| s.isin(values))
    }

    // Missing elements.

    fn isna(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "isna", Frame::isna)
    }

    fn notna(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "notna", Frame::notna)
    }

    fn dropna(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "dropna", Series::dropna)
    }

    fn fillna(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let value = scalar::from_py(value)?.scalar;
        self.run(py, "fillna", |s| s.fillna(&value))
    }

    fn fillna_with(&self, py: Python<'_>, values: PyRef<'_, Self>) -> PyResult<Self> {
        let values = &values.0;
        self.run(py, "fillna", |s| s.fillna_with(values))
    }

    fn fill_from_neighbours(&self, py: Python<'_>, forward: bool) -> PyResult<Self> {
        let direction = if forward { FillDirection::Forward } else { FillDirection::Backward };
        self.run(py, if forward { "ffill" } else { "bfill" }, |s| s.fill_from_neighbours(direction))
    }

    // Elements.

    fn astype(&self, py: Python<'_>, dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        let to = dtype::require(dtype)?;
        self.run(py, "astype", |s| s.astype(to))
    }

    fn round(&self, py: Python<'_>, decimals: i32) -> PyResult<Self> {
        self.run(py, "round", |s| s.round(decimals))
    }

    fn unary(&self, py: Python<'_>, op: &str) -> PyResult<Self> {
        let op = names::unary_operator(op)?;
        self.run(py, "operator", |s| s.unary(op))
    }

    fn binary(&self, py: Python<'_>, other: PyRef<'_, Self>, op: &str) -> PyResult<Self> {
        let (other, op) = (&other.0, names::binary_operator(op)?);
        self.run(py, "operator", |s| s.binary(other, op))
    }

    fn binary_scalar(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        op: &str,
        reflected: bool,
    ) -> PyResult<Self> {
        let (value, op) = (scalar::from_py(value)?.scalar, names::binary_operator(op)?);
        self.run(py, "operator", |s| s.binary_scalar(&value, op, reflected))
    }

    fn binary_column(
        &self,
        py: Python<'_>,
        other: PyRef<'_, PyColumn>,
        op: &str,
        reflected: bool,
    ) -> PyResult<Self> {
        let (other, op) = (&other.0, names::binary_operator(op)?);
        self.run(py, "operator", |s| s.binary_column(other, op, reflected))
    }

    #[pyo3(signature = (lower=None, upper=None))]
    fn clip(
        &self,
        py: Python<'_>,
        lower: Option<Bound<'_, PyAny>>,
        upper: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let bound =
            |b: Option<Bound<'_, PyAny>>| b.map(|b| Ok::<_, PyErr>(scalar::from_py(&b)?.scalar)).transpose();
        let (lower, upper) = (bound(lower)?, bound(upper)?);
        self.run(py, "clip", |s| s.clip(lower.as_ref(), upper.as_ref()))
    }

    #[pyo3(name = "where", signature = (condition, other=None))]
    fn where_(
        &self,
        py: Python<'_>,
        condition: PyRef<'_, PyColumn>,
        other: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let condition = &condition.0;
        let other = other.map(|o| Ok::<Scalar, PyErr>(scalar::from_py(&o)?.scalar)).transpose()?;
        self.run(py, "where", |s| s.where_(condition, other.as_ref()))
    }

    /// Elements where `condition` is true, those of `other` in the same row elsewhere.
    fn where_column(
        &self,
        py: Python<'_>,
        condition: PyRef<'_, PyColumn>,
        other: PyRef<'_, PyColumn>,
    ) -> PyResult<Self> {
        let (condition, other) = (&condition.0, &other.0);
        self.run(py, "where", |s| s.where_column(condition, other))
    }

    fn cumulative(&self, py: Python<'_>, op: &str) -> PyResult<Self> {
        let op = names::cumulative(op)?;
        self.run(py, "cumulative", |s| s.cumulative(op))
    }

    // Summaries.

    #[pyo3(signature = (name, parameter=None))]
    fn reduce<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        parameter: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let aggregation = names::aggregation(name, parameter)?;
        let value = work(py, name, self.0.len(), || self.0.reduce(aggregation))?;
        scalar::to_py(py, &value)
    }

    fn quantile(&self, py: Python<'_>, q: Vec<f64>) -> PyResult<Self> {
        self.run(py, "quantile", |s| s.quantile(&q))
    }

    fn describe(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "describe", Series::describe)
    }

    fn equals(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        let other = &other.0;
        work(py, "equals", self.0.len(), || self.0.equals(other))
    }

    #[pyo3(signature = (**layout))]
    fn to_text(&self, layout: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        self.0.to_text(&layout::options(layout)?).py()
    }

    // Text.

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
        text_function(function, text, other, flag, numbers)
            .and_then(|f| self.run(py, function, move |s| s.str()?.apply(f)))
    }

    #[pyo3(signature = (separator=None, limit=None, reverse=false))]
    fn str_split(
        &self,
        py: Python<'_>,
        separator: Option<String>,
        limit: Option<usize>,
        reverse: bool,
    ) -> PyResult<PyDataFrame> {
        work(py, "split", self.0.len(), || self.0.str()?.split(separator.as_deref(), limit, reverse))
            .map(PyDataFrame)
    }

    /// The parts before, of and after the first (last, when `reverse`) separator, as three columns.
    fn str_partition(&self, py: Python<'_>, separator: String, reverse: bool) -> PyResult<PyDataFrame> {
        work(py, "partition", self.0.len(), || self.0.str()?.partition(&separator, reverse)).map(PyDataFrame)
    }

    /// The groups of the first match of a regular expression, a column for each.
    fn str_extract(&self, py: Python<'_>, pattern: String, case_sensitive: bool) -> PyResult<PyDataFrame> {
        work(py, "extract", self.0.len(), || self.0.str()?.extract(&pattern, case_sensitive)).map(PyDataFrame)
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
        let others: Vec<cuprum::Column> = others.iter().map(|c| c.0.clone()).collect();
        self.run(py, "cat", |s| {
            s.str()?.apply(|own, ctx| {
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
        let joined = work(py, "cat", self.0.len(), || {
            self.0.str()?;
            let ctx = cuprum::Context::current();
            strings::combine::join(self.0.column(), &separator, na_rep.as_deref(), &ctx)
        })?;
        scalar::to_py(py, &joined)
    }

    // Times.

    fn dt_component(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        let component = component(name)?;
        self.run(py, name, |s| s.dt()?.component(component))
    }

    fn dt_round(&self, py: Python<'_>, how: &str, frequency: &str) -> PyResult<Self> {
        let frequency: datetime::RoundingFrequency = frequency.parse().py()?;
        let how = how.to_owned();
        self.run(py, "round", move |s| {
            s.dt()?;
            let ctx = cuprum::Context::current();
            let column = match how.as_str() {
                "floor" => datetime::floor(s.column(), frequency, &ctx)?,
                "ceil" => datetime::ceil(s.column(), frequency, &ctx)?,
                _ => datetime::round(s.column(), frequency, &ctx)?,
            };
            s.with_columns(vec![column])
        })
    }

    fn dt_strftime(&self, py: Python<'_>, format: &str) -> PyResult<Self> {
        self.run(py, "strftime", |s| s.dt()?.strftime(format))
    }

    /// Texts as times: by a format, or ISO 8601 without one.
    #[pyo3(signature = (format=None, unit="us"))]
    fn to_datetime(&self, py: Python<'_>, format: Option<&str>, unit: &str) -> PyResult<Self> {
        let Some(DataType::Timestamp(unit)) = DataType::from_name(&format!("datetime64[{unit}]")) else {
            return Err(PyValueError::new_err(format!("`unit` is '{unit}'; known are D, s, ms, us and ns")));
        };
        self.run(py, "to_datetime", |s| s.str()?.apply(|c, ctx| datetime::strptime(c, format, unit, ctx)))
    }
}

fn component(name: &str) -> PyResult<DatetimeComponent> {
    Ok(match name {
        "year" => DatetimeComponent::Year,
        "month" => DatetimeComponent::Month,
        "day" => DatetimeComponent::Day,
        "hour" => DatetimeComponent::Hour,
        "minute" => DatetimeComponent::Minute,
        "second" => DatetimeComponent::Second,
        "millisecond" => DatetimeComponent::Millisecond,
        "microsecond" => DatetimeComponent::Microsecond,
        "nanosecond" => DatetimeComponent::Nanosecond,
        "dayofweek" => DatetimeComponent::DayOfWeek,
        "dayofyear" => DatetimeComponent::DayOfYear,
        "quarter" => DatetimeComponent::Quarter,
        "iso_year" => DatetimeComponent::IsoYear,
        "iso_week" => DatetimeComponent::IsoWeek,
        "iso_day" => DatetimeComponent::IsoDay,
        "days_in_month" => DatetimeComponent::DaysInMonth,
        "is_leap_year" => DatetimeComponent::IsLeapYear,
        "is_month_start" => DatetimeComponent::IsMonthStart,
        "is_month_end" => DatetimeComponent::IsMonthEnd,
        "is_quarter_start" => DatetimeComponent::IsQuarterStart,
        "is_quarter_end" => DatetimeComponent::IsQuarterEnd,
        "is_year_start" => DatetimeComponent::IsYearStart,
        "is_year_end" => DatetimeComponent::IsYearEnd,
        other => return Err(PyValueError::new_err(format!("'{other}' is not a part of a time"))),
    })
}

type TextFunction =
    Box<dyn FnOnce(&cuprum::Column, &cuprum::Context) -> cuprum::Result<cuprum::Column> + Send>;

fn text_function(
    function: &str,
    text: Option<String>,
    other: Option<String>,
    flag: bool,
    numbers: Vec<Option<i64>>,
) -> PyResult<TextFunction> {
    use attributes::CharacterClass;
    use strings::{attributes, case, find, pad, replace, slice, strip};
    let needed = text.clone().unwrap_or_default();
    let number = move |i: usize| numbers.get(i).copied().flatten();
    let all = |class| -> TextFunction { Box::new(move |c, ctx| attributes::all_characters(c, class, ctx)) };
    let side = |side| -> TextFunction { Box::new(move |c, ctx| strip::strip(c, side, text.as_deref(), ctx)) };
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
