//! CSV.

use std::path::PathBuf;

use cuprum_column::{Context, Device};
use cuprum_io::csv;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyString};

use super::{compression, source};
use crate::dtype;
use crate::frames::dataframe::PyDataFrame;
use crate::frames::work;
use crate::run::UNKNOWN_SIZE;

fn byte(name: &str, text: &str) -> PyResult<u8> {
    match text.as_bytes() {
        [byte] => Ok(*byte),
        _ => Err(PyValueError::new_err(format!("`{name}` is '{text}'; it must be one ASCII character"))),
    }
}

fn column_ref(obj: &Bound<'_, PyAny>) -> PyResult<csv::ColumnRef> {
    if let Ok(name) = obj.cast::<PyString>() {
        return Ok(csv::ColumnRef::Name(name.to_str()?.to_owned()));
    }
    if obj.is_instance_of::<PyInt>() {
        return Ok(csv::ColumnRef::Position(obj.extract()?));
    }
    Err(PyTypeError::new_err(format!("{} does not name a column: use a name or a position", obj.repr()?)))
}

fn column_refs(obj: &Bound<'_, PyAny>) -> PyResult<Vec<csv::ColumnRef>> {
    obj.try_iter()?.map(|item| column_ref(&item?)).collect()
}

fn read_options(options: &Bound<'_, PyDict>) -> PyResult<csv::ReadOptions> {
    let mut read = csv::ReadOptions::default();
    for (key, value) in options {
        let key: String = key.extract()?;
        match key.as_str() {
            "sep" => read.separator = byte("sep", value.extract()?)?,
            "quotechar" => read.quote = byte("quotechar", value.extract()?)?,
            "header" if value.is_none() => read.header = csv::Header::None,
            "header" => read.header = csv::Header::Row(value.extract()?),
            "names" => read.names = Some(value.extract()?),
            "usecols" => read.usecols = Some(column_refs(&value)?),
            "drop_extra_fields" => read.drop_extra_fields = value.extract()?,
            "most_fields" => read.most_fields = Some(value.extract()?),
            "dtype" => match value.cast::<PyDict>() {
                Ok(types) => {
                    for (column, to) in types {
                        read.dtype.push((column_ref(&column)?, dtype::require_storage(&to)?));
                    }
                }
                Err(_) => read.dtype_all = Some(dtype::require_storage(&value)?),
            },
            "na_values" => read.na_values = value.extract()?,
            "keep_default_na" => read.keep_default_na = value.extract()?,
            "na_values_of" => {
                for (column, words) in value.cast::<PyDict>()? {
                    read.na_values_of.push((column_ref(&column)?, words.extract()?));
                }
            }
            "parse_dates" => read.parse_dates = column_refs(&value)?,
            "nrows" => read.nrows = Some(value.extract()?),
            "skiprows" => read.skiprows = value.extract()?,
            "comment" => read.comment = Some(byte("comment", value.extract()?)?),
            "skip_blank_lines" => read.skip_blank_lines = value.extract()?,
            "thousands" => read.thousands = Some(byte("thousands", value.extract()?)?),
            "decimal" => read.decimal = byte("decimal", value.extract()?)?,
            "true_values" => read.true_values = value.extract()?,
            "false_values" => read.false_values = value.extract()?,
            "compression" => read.compression = compression(value.extract()?)?,
            other => return Err(PyTypeError::new_err(format!("read_csv has no option '{other}'"))),
        }
    }
    Ok(read)
}

/// Reads CSV from a path or bytes; `options` holds what differs from the defaults.
#[pyfunction]
pub fn read_csv(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<PyDataFrame> {
    let source = source(data)?;
    let read = read_options(options)?;
    work(py, "read_csv", UNKNOWN_SIZE, || cuprum::io::read_csv(source).options(read).finish())
        .map(PyDataFrame::from)
}

/// The fields of the line of names as they are in the file.
#[pyfunction]
pub fn csv_header_fields(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Vec<String>> {
    let source = source(data)?;
    let read = read_options(options)?;
    work(py, "read_csv", UNKNOWN_SIZE, || csv::header_fields(&source, &read, &Context::beside(Device::Cpu)?))
}

/// The end of the first `records` records of a text without a header; None where it has fewer.
#[pyfunction]
pub fn csv_end_of_records(
    text: &[u8],
    records: usize,
    options: &Bound<'_, PyDict>,
) -> PyResult<Option<usize>> {
    csv::end_of_records(text, records, &read_options(options)?).map_err(crate::errors::to_py)
}

/// The result of `csv_plain_text`: the text, the separator, the quote, and the line, the expected and the
/// found fields of the records that were passed over.
type PlainText<'py> = (Bound<'py, PyBytes>, char, char, Vec<(usize, usize, usize)>);

/// The records of a text of another dialect as a text of the plain one. ``dialect`` has the arguments of `read_csv`,
/// ``sep`` None for blanks and tabs; ``passed`` which lines and records are passed over: the ``first`` ones, ``lines`` by
/// number, all ``after`` some records, and those ``bad`` with more fields than the names that are given or the record
/// before the first one of values, whose number that is.
#[pyfunction]
pub fn csv_plain_text<'py>(
    py: Python<'py>,
    text: &[u8],
    dialect: &Bound<'py, PyDict>,
    passed: &Bound<'py, PyDict>,
) -> PyResult<PlainText<'py>> {
    let one = |name: &str| -> PyResult<Option<u8>> {
        let text: Option<String> = dialect.as_any().get_item(name)?.extract()?;
        text.map(|text| byte(name, &text)).transpose()
    };
    let truth = |name: &str| -> PyResult<bool> { dialect.as_any().get_item(name)?.extract() };
    let dialect = csv::OtherDialect {
        separator: one("sep")?,
        quote: one("quotechar")?,
        double_quote: truth("doublequote")?,
        escape: one("escapechar")?,
        skip_initial_space: truth("skipinitialspace")?,
        comment: one("comment")?,
        terminator: one("lineterminator")?,
        skip_blank_lines: truth("skip_blank_lines")?,
    };
    let passed = passed.as_any();
    let bad: Option<(Option<usize>, usize)> = passed.get_item("bad")?.extract()?;
    let passed = csv::Passed {
        first: passed.get_item("first")?.extract()?,
        lines: passed.get_item("lines")?.extract()?,
        bad: bad.map(|(expected, first)| csv::TooMany { expected, first }),
        after: passed.get_item("after")?.extract()?,
        header: passed.get_item("header")?.extract()?,
    };
    let made = work(py, "read_csv", UNKNOWN_SIZE, || csv::plain_text(text, &dialect, &passed))?;
    let bad = made.bad.iter().map(|bad| (bad.line, bad.expected, bad.found)).collect();
    Ok((PyBytes::new(py, &made.text), made.separator.into(), made.quote.into(), bad))
}

/// Writes CSV to a path; returns the text where there is none.
#[pyfunction]
#[pyo3(signature = (frame, path, index, sep, header, na_rep, line_terminator, compression_name, more))]
#[allow(clippy::too_many_arguments)]
pub fn write_csv(
    py: Python<'_>,
    frame: PyRef<'_, PyDataFrame>,
    path: Option<PathBuf>,
    index: bool,
    sep: &str,
    header: bool,
    na_rep: String,
    line_terminator: String,
    compression_name: Option<&str>,
    more: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<String>> {
    let mut options = csv::WriteOptions {
        separator: byte("sep", sep)?,
        header,
        na_rep,
        line_terminator,
        compression: compression(compression_name)?,
        ..csv::WriteOptions::default()
    };
    for (key, value) in more.into_iter().flatten() {
        let key: String = key.extract()?;
        match key.as_str() {
            "quotechar" => options.quote = byte("quotechar", value.extract()?)?,
            "doublequote" => options.double_quote = value.extract()?,
            "escapechar" => options.escape = Some(byte("escapechar", value.extract()?)?),
            "decimal" => options.decimal = byte("decimal", value.extract()?)?,
            "decimals" => options.float_decimals = Some(value.extract()?),
            "quoting" => {
                options.quoting = match value.extract::<u8>()? {
                    0 => csv::Quoting::Minimal,
                    1 => csv::Quoting::All,
                    2 => csv::Quoting::NonNumeric,
                    3 => csv::Quoting::Never,
                    other => return Err(PyTypeError::new_err(format!("bad \"quoting\" value {other}"))),
                }
            }
            other => return Err(PyTypeError::new_err(format!("to_csv has no option '{other}'"))),
        }
    }
    let frame = frame.frame()?;
    let writer = match path {
        Some(path) => frame.write_csv(path),
        None => frame.to_csv(),
    };
    work(py, "to_csv", UNKNOWN_SIZE, || writer.index(index).options(options).finish())
}
