//! `DType`: a data type in Python.

use cuprum_column::{Column, DataType, TimeUnit};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

use crate::arrow;
use crate::errors::IntoPyResult;
use crate::pylib::data_type::PyDataType;

/// The data type of a column or an index.
///
/// Prints like NumPy's (``int64``, ``datetime64[ns]``, ``str``) and equals the name, the NumPy or
/// pandas dtype and the Python type of the same elements.
#[pyclass(frozen, module = "cuprum", name = "DType")]
pub struct DType(pub DataType);

/// The data type that a Python object names; `None` where it names none.
///
/// Known are `DType`, `DataType`, names, Python's `int`, `float`, `bool`, `str`, NumPy's scalar types and
/// dtypes, pandas' dtypes (nullable and Arrow-backed too) and Arrow types.
pub fn parse(obj: &Bound<'_, PyAny>) -> PyResult<Option<DataType>> {
    if let Ok(dtype) = obj.cast::<DType>() {
        return Ok(Some(dtype.get().0));
    }
    if let Ok(data_type) = obj.cast::<PyDataType>() {
        return Ok(Some(data_type.get().0));
    }
    if let Ok(name) = obj.cast::<PyString>() {
        return Ok(from_text(name.to_str()?));
    }
    if let Ok(class) = obj.cast::<PyType>() {
        let name = class.name()?;
        return Ok(match name.to_str()? {
            "int" => Some(DataType::Int64),
            "float" => Some(DataType::Float64),
            "bool" | "bool_" => Some(DataType::Bool8),
            "str" | "str_" => Some(DataType::String),
            name => match DataType::from_name(name) {
                Some(DataType::String) => None,
                known => known,
            },
        });
    }
    if obj.hasattr("__arrow_c_schema__")? {
        return arrow::data_type_from_schema(obj).map(Some);
    }
    // pandas.ArrowDtype
    if let Some(inner) = obj.getattr_opt("pyarrow_dtype")? {
        return arrow::data_type_from_schema(&inner).map(Some);
    }
    // NumPy's and pandas' dtypes. NumPy's fixed-width text ('str96') is text.
    if let Some(name) = obj.getattr_opt("name")?.and_then(|n| n.cast_into::<PyString>().ok()) {
        let name = name.to_str()?;
        if obj.getattr_opt("kind")?.is_some_and(|k| k.eq("U").unwrap_or(false)) {
            return Ok(Some(DataType::String));
        }
        return Ok(from_text(name));
    }
    Ok(None)
}

/// [`parse`] for an argument: fails with `TypeError` where the object names no data type.
pub fn require(obj: &Bound<'_, PyAny>) -> PyResult<DataType> {
    parse(obj)?.ok_or_else(|| {
        let text = obj.repr().map_or_else(|_| "the object".to_owned(), |r| r.to_string());
        PyTypeError::new_err(format!(
            "{text} is not a data type of Cuprum; known are int8 to int64, uint8 to uint64, float32, \
             float64, bool, str, datetime64[unit] and timedelta64[unit] with D, s, ms, us or ns"
        ))
    })
}

/// [`require`] for a cast of `columns`: elements that are objects are texts, so only texts (and nothing at
/// all) can be cast to `object`.
pub fn require_to_cast(obj: &Bound<'_, PyAny>, columns: &[Column]) -> PyResult<DataType> {
    let data_type = require(obj)?;
    if data_type == DataType::String && names_object(obj) {
        for column in columns {
            if column.data_type() != DataType::String && column.count_nulls().py()? < column.len() {
                return Err(PyTypeError::new_err(format!(
                    "elements of type {} cannot be cast to dtype {obj}: columns hold no objects other than texts; \
                     cast to str to make texts of them",
                    column.data_type()
                )));
            }
        }
    }
    Ok(data_type)
}

fn from_text(name: &str) -> Option<DataType> {
    // NumPy's byte order, where it is this machine's.
    let native = if cfg!(target_endian = "little") { '<' } else { '>' };
    let name = name.strip_prefix([native, '=', '|']).unwrap_or(name);
    // pandas' spelling of Arrow-backed types.
    let name = name.strip_suffix("[pyarrow]").unwrap_or(name);
    DataType::from_name(name).or(match name {
        "double" => Some(DataType::Float64),
        "large_string" | "string[python]" => Some(DataType::String),
        "datetime64" => Some(DataType::Timestamp(TimeUnit::Nanoseconds)),
        "timedelta64" => Some(DataType::Duration(TimeUnit::Nanoseconds)),
        _ => None,
    })
}

/// A data type as a Python object.
pub fn to_py(py: Python<'_>, data_type: DataType) -> PyResult<Bound<'_, DType>> {
    Bound::new(py, DType(data_type))
}

/// The name of the NumPy dtype that values of the type become: the same, but days count in 64 bits
/// there and text is a Python object.
pub fn numpy_name(data_type: DataType) -> String {
    match data_type {
        DataType::String => "object".to_owned(),
        other => other.to_string(),
    }
}

#[pymethods]
impl DType {
    #[new]
    fn new(dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        require(dtype).map(Self)
    }

    /// The name, as NumPy spells it.
    #[getter]
    fn name(&self) -> String {
        self.0.to_string()
    }

    /// NumPy's letter: ``i``, ``u``, ``f``, ``b``, ``M``, ``m``; ``O`` for text, as in pandas.
    #[getter]
    fn kind(&self) -> char {
        match self.0 {
            t if t.is_signed_integer() => 'i',
            t if t.is_unsigned_integer() => 'u',
            t if t.is_float() => 'f',
            t if t.is_timestamp() => 'M',
            t if t.is_duration() => 'm',
            DataType::Bool8 => 'b',
            _ => 'O',
        }
    }

    /// Bytes of one element; 8 for text, as for a reference.
    #[getter]
    fn itemsize(&self) -> usize {
        self.0.size().unwrap_or(8)
    }

    /// The unit of a time: ``D``, ``s``, ``ms``, ``us``, ``ns``; None for other types.
    #[getter]
    fn unit(&self) -> Option<&'static str> {
        match self.0 {
            DataType::Timestamp(unit) | DataType::Duration(unit) => Some(unit.code()),
            _ => None,
        }
    }

    /// The class of one element: NumPy's, or ``str``.
    #[getter]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0 {
            DataType::String => Ok(py.get_type::<PyString>().into_any()),
            _ => self.to_numpy(py)?.getattr("type"),
        }
    }

    /// The NumPy dtype; ``object`` for text.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static DTYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        DTYPE.import(py, "numpy", "dtype")?.call1((numpy_name(self.0),))
    }

    /// The NumPy dtype, where NumPy and pandas look for the one of an object that stands for a type.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_numpy(py)
    }

    /// The same for NumPy 2.4 and later.
    #[getter]
    fn __numpy_dtype__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_numpy(py)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrow::schema_capsule(py, &self.0.to_arrow())
    }

    fn __repr__(&self) -> String {
        format!("dtype('{}')", self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    /// Equal to whatever names the same type. Text is not ``object``, although ``object`` is read
    /// as text where a type is asked for.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(Some(other_type)) = parse(other) else { return false };
        other_type == self.0 && !(self.0 == DataType::String && names_object(other))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.0.to_string()).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }
}

fn names_object(obj: &Bound<'_, PyAny>) -> bool {
    let name = if obj.is_instance_of::<PyString>() { Ok(obj.clone()) } else { obj.getattr("name") };
    name.is_ok_and(|n| n.extract::<String>().is_ok_and(|n| matches!(n.as_str(), "object" | "O" | "U")))
}
