//! Labels of columns and index levels as Python objects: any scalar, and tuples of them.

use cuprum::column_accessor::LevelKey;
use cuprum::operations::relabel::Renaming;
use cuprum::types::Datetime;
use cuprum::{DataType, Dtype, Label, Scalar};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PySlice, PyString, PyTuple};

use crate::errors::IntoPyResult;
use crate::scalar::{self, Item};

/// The label of an argument that may be left out.
pub fn optional(obj: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Label>> {
    obj.map(from_py).transpose()
}

/// The label that a Python object is: instants are those of Python or pandas in a zone, decimals
/// `decimal.Decimal`.
pub fn from_py(obj: &Bound<'_, PyAny>) -> PyResult<Label> {
    if let Ok(text) = obj.cast::<PyString>() {
        return Ok(Label::from(text.to_str()?));
    }
    if let Ok(value) = obj.cast_exact::<PyInt>()
        && let Ok(value) = value.extract()
    {
        return Ok(Label::Int(value));
    }
    if let Ok(parts) = obj.cast::<PyTuple>() {
        return Ok(Label::tuple(parts.iter().map(|p| from_py(&p)).collect::<PyResult<Vec<_>>>()?));
    }
    if let Some(label) = instant(obj)? {
        return Ok(label);
    }
    if let Some(frequency) = period_frequency(obj)? {
        return Ok(Label::Period(obj.getattr("ordinal")?.extract()?, frequency.parse().py()?));
    }
    let refused = |_| {
        let shown = obj.repr().map_or_else(|_| "the object".into(), |r| r.to_string());
        PyTypeError::new_err(format!("{shown} is not a label: labels are scalars or tuples of them"))
    };
    Ok(match scalar::classify(obj).map_err(refused)? {
        Item::Null | Item::NaT => Label::Missing,
        Item::Bool(value) => Label::Bool(value),
        Item::Int(value) => Label::Int(value),
        Item::UInt(value) => Label::UInt(value),
        Item::Float(value) => Label::Float(value),
        Item::Str(text) => Label::from(text.to_str()?),
        Item::Typed(value) => Label::from_scalar(&value).py()?,
    })
}

/// The frequency of pandas' `Period`; `None` for other objects.
fn period_frequency(obj: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if obj.get_type().name()?.to_str()? != "Period" {
        return Ok(None);
    }
    // Known by its dtype: the one of the offset is another ("ME").
    let known = obj.getattr_opt("_dtype")?.map(|dtype| dtype.getattr("_freqstr")?.extract()).transpose();
    known.or_else(|_: PyErr| Ok(None))
}

/// The label that pandas' `Interval` is.
pub fn interval(obj: &Bound<'_, PyAny>) -> PyResult<Label> {
    let closed: String = obj.getattr("closed")?.extract()?;
    let (left, right) = (obj.getattr("left")?, obj.getattr("right")?);
    if scalar::is_interval(&left)? || scalar::is_interval(&right)? {
        return Err(PyTypeError::new_err(format!("the bounds of the interval {obj} are intervals")));
    }
    let (left, right) = (from_py(&left)?, from_py(&right)?);
    Ok(Label::interval(left, right, closed.parse().py()?))
}

fn instant(obj: &Bound<'_, PyAny>) -> PyResult<Option<Label>> {
    let Some(utc) = scalar::instant(obj)? else { return Ok(None) };
    let (DataType::Timestamp(unit), Some(count)) = (utc.data_type(), utc.as_i64()) else { return Ok(None) };
    Ok(Some(Label::Instant(count, unit, scalar::zone_of(obj)?.into())))
}

/// The key of each level of hierarchical columns: a label, a list of them, or a slice.
pub fn level_keys_from_py(obj: &Bound<'_, PyAny>) -> PyResult<Vec<LevelKey>> {
    let one = |part: &Bound<'_, PyAny>| -> PyResult<LevelKey> {
        let Ok(slice) = part.cast::<PySlice>() else {
            let many = !part.is_instance_of::<PyString>()
                && !part.is_instance_of::<PyTuple>()
                && part.hasattr("__iter__")?;
            return if many {
                list_from_py(part).map(LevelKey::Many)
            } else {
                from_py(part).map(LevelKey::One)
            };
        };
        if !slice.getattr("step")?.is_none() {
            return Err(PyTypeError::new_err("a slice of one level of labels has no step"));
        }
        let (start, stop) = (slice.getattr("start")?, slice.getattr("stop")?);
        Ok(match (start.is_none(), stop.is_none()) {
            (true, true) => LevelKey::All,
            (true, false) => LevelKey::Slice(None, Some(from_py(&stop)?)),
            (false, true) => LevelKey::Slice(Some(from_py(&start)?), None),
            (false, false) => LevelKey::Slice(Some(from_py(&start)?), Some(from_py(&stop)?)),
        })
    };
    obj.try_iter()?.map(|part| one(&part?)).collect()
}

/// The labels of an iterable.
pub fn list_from_py(obj: &Bound<'_, PyAny>) -> PyResult<Vec<Label>> {
    obj.try_iter()?.map(|item| from_py(&item?)).collect()
}

/// A name: a label, or `None` for no name.
pub fn name_from_py(obj: &Bound<'_, PyAny>) -> PyResult<Option<Label>> {
    if obj.is_none() { Ok(None) } else { from_py(obj).map(Some) }
}

/// The names of an iterable.
pub fn names_from_py(obj: &Bound<'_, PyAny>) -> PyResult<Vec<Option<Label>>> {
    obj.try_iter()?.map(|item| name_from_py(&item?)).collect()
}

/// A label as a Python object.
pub fn to_py<'py>(py: Python<'py>, label: &Label) -> PyResult<Bound<'py, PyAny>> {
    match label {
        Label::Str(text) => Ok(PyString::new(py, text).into_any()),
        Label::Instant(count, unit, zone) => {
            let dtype = Dtype::Datetime(Datetime { unit: *unit, zone: Some(zone.clone()) });
            let value = Scalar::from_native(DataType::Timestamp(*unit), *count);
            scalar::value_to_py(py, &dtype, &value)
        }
        Label::Period(ordinal, kind) => {
            scalar::value_to_py(py, &Dtype::Period(*kind), &Scalar::from(*ordinal))
        }
        Label::Interval(bounds, closed) => {
            let pandas = py.import("pandas")?;
            let bounds = (to_py(py, &bounds.0)?, to_py(py, &bounds.1)?, closed.name());
            pandas.getattr("Interval")?.call1(bounds)
        }
        Label::Tuple(parts) => {
            let parts = parts.iter().map(|p| to_py(py, p)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(py, parts)?.into_any())
        }
        other => match other.to_scalar() {
            Some(value) => scalar::value_to_py(py, &Dtype::plain(value.data_type()), &value),
            None => Ok(py.None().into_bound(py)),
        },
    }
}

/// A name as a Python object.
pub fn name_to_py<'py>(py: Python<'py>, name: Option<&Label>) -> PyResult<Bound<'py, PyAny>> {
    name.map_or_else(|| Ok(py.None().into_bound(py)), |label| to_py(py, label))
}

/// Labels as a list of Python objects.
pub fn list_to_py<'py>(py: Python<'py>, labels: &[Label]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    labels.iter().map(|label| to_py(py, label)).collect()
}

/// Names as a list of Python objects.
pub fn names_to_py<'py>(py: Python<'py>, names: &[Option<Label>]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    names.iter().map(|name| name_to_py(py, name.as_ref())).collect()
}

/// New labels for old ones, of one level or all.
pub fn renaming(
    pairs: &[(Bound<'_, PyAny>, Bound<'_, PyAny>)],
    level: Option<usize>,
    strict: bool,
) -> PyResult<Renaming> {
    let labels = pairs.iter().map(|(old, new)| Ok((from_py(old)?, from_py(new)?)));
    Ok(Renaming { labels: labels.collect::<PyResult<_>>()?, level, strict })
}
