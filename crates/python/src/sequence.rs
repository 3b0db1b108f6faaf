//! Columns from sequences of Python objects, and back to lists.

use cuprum_column::{
    Column, Context, DataType, Device, HostUVec, Native, Scalar, StringBuilder, TimeUnit, dispatch_storage,
    null_mask::MaskBuilder,
};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString};

use crate::errors::IntoPyResult;
use crate::scalar::{self, Item};

/// The common kind of the elements seen so far.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Nothing but missing values.
    Unknown,
    /// Nothing but missing values, a NaT among them.
    Time,
    Bool,
    /// Whether one is negative, whether one needs 64 unsigned bits.
    Int(bool, bool),
    Float,
    String,
    /// All of one NumPy type, or times of the finest unit seen.
    Typed(DataType),
}

/// A list of our own of what can be iterated: elements may run Python code that changes the one given.
pub fn list_of<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(obj.py());
    list.as_any().call_method1("extend", (obj,))?;
    Ok(list)
}

/// A column of the elements of a list, in host memory.
///
/// With `data_type` every element has to fit it. Without, the type is that of the elements: `int`
/// becomes int64 (uint64 where only that holds them), `int` among `float` float64, `bool`, `str`,
/// `datetime` datetime64[us], `date` datetime64[D], `timedelta` timedelta64[us]; NumPy and pandas
/// scalars keep theirs, times the finest unit among them. `None`, `NA` and `NaT` are null, but `NaT` is
/// no number; a float NaN stays one among numbers and is null elsewhere. Only missing values, and an empty
/// list, make float64, with a `NaT` among them datetime64[s].
pub fn column_from_list(list: &Bound<'_, PyList>, data_type: Option<DataType>) -> PyResult<Column> {
    let ctx = Context::beside(Device::Cpu).py()?;
    let data_type = match data_type {
        Some(data_type) => data_type,
        None => infer(list)?,
    };
    let at = |i: usize, error: PyErr| located(list.py(), i, error);
    if data_type == DataType::String {
        let mut builder = StringBuilder::with_capacity(list.len(), list.len() * 8);
        for (i, obj) in list.iter().enumerate() {
            if let Ok(text) = obj.cast_exact::<PyString>() {
                builder.push(text.to_str().map_err(|e| at(i, e))?);
                continue;
            }
            let value = scalar::from_py_as(&obj, data_type).map_err(|e| at(i, e))?;
            builder.push_opt(value.as_str());
        }
        return builder.finish(&ctx).py();
    }
    dispatch_storage!(data_type, T => {
        let mut values = Vec::<T>::with_capacity(list.len());
        let mut mask = MaskBuilder::default();
        for (i, obj) in list.iter().enumerate() {
            let value = match native::<T>(&obj, data_type) {
                Some(value) => Some(value),
                None => scalar::from_py_as(&obj, data_type)
                    .and_then(|s| s.to_native::<T>().py())
                    .map_err(|e| at(i, e))?,
            };
            mask.push(value.is_some());
            values.push(value.unwrap_or(<T as Native>::from_i64(0)));
        }
        let values = HostUVec::from_slice(&values, &ctx).py()?;
        Column::new(data_type, values, mask.finish(&ctx).py()?).py()
    }, else => Err(not_from_objects(data_type)))
}

fn not_from_objects(data_type: DataType) -> PyErr {
    PyTypeError::new_err(format!(
        "Python objects do not become a column of type {data_type}; pass Arrow data"
    ))
}

/// The fast way for the plain elements of the plain types; `None` leaves it to the general one.
#[inline]
fn native<T: Native>(obj: &Bound<'_, PyAny>, data_type: DataType) -> Option<T> {
    match data_type {
        DataType::Float64 => obj.cast_exact::<PyFloat>().ok().map(|f| T::from_f64(f.value())),
        DataType::Int64 if !obj.is_instance_of::<PyBool>() && !obj.is_none() => {
            obj.cast_exact::<PyInt>().ok()?.extract::<i64>().ok().map(T::from_i64)
        }
        DataType::Bool8 => obj.cast_exact::<PyBool>().ok().map(|b| T::from_i64(i64::from(b.is_true()))),
        _ => None,
    }
}

/// The same error, saying which element it is about.
fn located(py: Python<'_>, i: usize, error: PyErr) -> PyErr {
    let value = error.value(py);
    for class in [py.get_type::<PyTypeError>(), py.get_type::<PyOverflowError>()] {
        if value.get_type().is(&class) {
            return PyErr::from_type(class, format!("element {i}: {value}"));
        }
    }
    let _ = error.add_note(py, format!("in element {i} of the values"));
    error
}

fn infer(list: &Bound<'_, PyList>) -> PyResult<DataType> {
    let py = list.py();
    let mut kind = Kind::Unknown;
    let mut nan = false;
    for (i, obj) in list.iter().enumerate() {
        let item = scalar::classify(&obj).map_err(|e| located(py, i, e))?;
        let next = match &item {
            Item::Float(f) if f.is_nan() => {
                nan = true;
                continue;
            }
            Item::Null => continue,
            item => merge(kind, item),
        };
        kind = next.ok_or_else(|| {
            PyTypeError::new_err(format!(
                "element {i} is {}, the elements before it are {}; a column has one type",
                item.describe(),
                name(kind)
            ))
        })?;
        if kind == Kind::Int(true, true) {
            return Err(PyOverflowError::new_err(format!(
                "element {i}: the values need more than 64 bits: some are negative, some beyond the largest int64"
            )));
        }
    }
    Ok(match kind {
        Kind::Unknown | Kind::Float => DataType::Float64,
        Kind::Time => DataType::Timestamp(TimeUnit::Seconds),
        Kind::Bool => DataType::Bool8,
        // NaN is a number: among integers it makes them floats, as in NumPy and pandas.
        Kind::Int(..) if nan => DataType::Float64,
        Kind::Int(_, true) => DataType::UInt64,
        Kind::Int(..) => DataType::Int64,
        Kind::String => DataType::String,
        Kind::Typed(data_type) if nan && data_type.is_integer() => DataType::Float64,
        Kind::Typed(data_type) => data_type,
    })
}

fn merge(kind: Kind, item: &Item<'_>) -> Option<Kind> {
    let next = match item {
        Item::Null => return Some(kind),
        Item::NaT => Kind::Time,
        Item::Bool(_) => Kind::Bool,
        Item::Int(i) => Kind::Int(*i < 0, false),
        Item::UInt(_) => Kind::Int(false, true),
        Item::Float(_) => Kind::Float,
        Item::Str(_) => Kind::String,
        Item::Typed(scalar) => Kind::Typed(scalar.data_type()),
    };
    Some(match (kind, next) {
        (Kind::Unknown, next) => next,
        (a, b) if a == b => a,
        (Kind::Int(n, u), Kind::Int(m, v)) => Kind::Int(n || m, u || v),
        (Kind::Int(..), Kind::Float) | (Kind::Float, Kind::Int(..)) => Kind::Float,
        (Kind::Typed(t), Kind::Time) | (Kind::Time, Kind::Typed(t))
            if t.is_timestamp() || t.is_duration() =>
        {
            Kind::Typed(t)
        }
        // A day is no point in time.
        (Kind::Typed(DataType::Timestamp(a)), Kind::Typed(DataType::Timestamp(b)))
            if (a == TimeUnit::Days) == (b == TimeUnit::Days) =>
        {
            Kind::Typed(DataType::Timestamp(a.max(b)))
        }
        (Kind::Typed(DataType::Duration(a)), Kind::Typed(DataType::Duration(b))) => {
            Kind::Typed(DataType::Duration(a.max(b)))
        }
        (Kind::Bool, Kind::Typed(DataType::Bool8)) | (Kind::Typed(DataType::Bool8), Kind::Bool) => Kind::Bool,
        // NumPy scalars among Python's or each other: integers and floats in their widest form.
        (a, b) => match (number(a)?, number(b)?) {
            (true, _) | (_, true) => Kind::Float,
            _ => Kind::Int(negative(a, b), unsigned(a) || unsigned(b)),
        },
    })
}

/// Whether the numbers are floats; `None` for what is no number.
fn number(kind: Kind) -> Option<bool> {
    match kind {
        Kind::Int(..) => Some(false),
        Kind::Float => Some(true),
        Kind::Typed(t) if t.is_integer() => Some(false),
        Kind::Typed(t) if t.is_float() => Some(true),
        _ => None,
    }
}

fn negative(a: Kind, b: Kind) -> bool {
    [a, b]
        .iter()
        .any(|k| matches!(k, Kind::Int(true, _)) || matches!(k, Kind::Typed(t) if t.is_signed_integer()))
}

fn unsigned(kind: Kind) -> bool {
    matches!(kind, Kind::Int(_, true) | Kind::Typed(DataType::UInt64))
}

fn name(kind: Kind) -> String {
    match kind {
        Kind::Unknown => "missing values".into(),
        Kind::Time => "NaT".into(),
        Kind::Bool => "bools".into(),
        Kind::Int(..) => "ints".into(),
        Kind::Float => "numbers".into(),
        Kind::String => "strs".into(),
        Kind::Typed(data_type) => format!("of type {data_type}"),
    }
}

/// The elements as Python objects; `null` stands for nulls.
pub fn list_from_column<'py>(
    py: Python<'py>,
    column: &Column,
    null: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let view = column.view().py()?;
    let validity = view.validity();
    let valid = |i: usize| validity.is_none_or(|bits| bits.get(i));
    let data_type = column.data_type();
    if data_type == DataType::String {
        let texts = view.strings().py()?;
        let object =
            |text: Option<&str>| text.map_or_else(|| null.clone(), |text| PyString::new(py, text).into_any());
        return PyList::new(py, texts.iter().map(object).collect::<Vec<_>>());
    }
    /// A list of values made into objects one by one, `null` where they are missing.
    macro_rules! list {
        ($values:expr, $object:expr) => {{
            let (values, object) = ($values.py()?.iter(), $object);
            match validity {
                None => PyList::new(py, values.map(|value| object(value))),
                Some(bits) => PyList::new(
                    py,
                    values
                        .enumerate()
                        .map(|(i, value)| if bits.get(i) { object(value) } else { null.clone() }),
                ),
            }
        }};
    }
    dispatch_storage!(data_type, T => {
        let values = view.values::<T>();
        if data_type.is_float() {
            return list!(values, |value: &T| PyFloat::new(py, value.as_f64()).into_any());
        }
        if data_type == DataType::Bool8 {
            return list!(values, |value: &T| PyBool::new(py, value.as_i64() != 0).to_owned().into_any());
        }
        if data_type.is_unsigned_integer() {
            return list!(values, |value: &T| PyInt::new(py, value.as_i64() as u64).into_any());
        }
        if data_type.is_integer() {
            return list!(values, |value: &T| PyInt::new(py, value.as_i64()).into_any());
        }
        let object = |(i, value): (usize, &T)| {
            if valid(i) { scalar::to_py(py, &Scalar::from_native(data_type, *value)) } else { Ok(null.clone()) }
        };
        PyList::new(py, values.py()?.iter().enumerate().map(object).collect::<PyResult<Vec<_>>>()?)
    }, else => {
        let object = |row: usize| match column.get(row).py()? {
            element if element.is_null() => Ok(null.clone()),
            element => scalar::to_py(py, &element),
        };
        PyList::new(py, (0..column.len()).map(object).collect::<PyResult<Vec<_>>>()?)
    })
}
