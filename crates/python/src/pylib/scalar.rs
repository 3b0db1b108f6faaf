//! `Scalar` of pylibcuprum.

use cuprum_column::{Column, Context, DataType, Device, Scalar, Value};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList};

use super::data_type::PyDataType;
use super::{copying, export, nested_sequence};
use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::rmm::stream::StreamArgument;
use crate::{arrow, scalar};

/// One value of any type, or null; scalars live on the host.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Scalar
/// >>> one = Scalar.from_py(1)
/// >>> one.type(), one.to_py()
/// (DataType(TypeId.INT64), 1)
#[pyclass(frozen, module = "pylibcuprum.scalar", name = "Scalar")]
pub struct PyScalar(pub Scalar);

/// The only row of a list of one object.
fn only_row(obj: &Bound<'_, PyAny>, data_type: Option<DataType>) -> PyResult<Scalar> {
    let column = nested_sequence::column_from_objects(&PyList::new(obj.py(), [obj])?, data_type)?;
    column.get(0).py()
}

fn from_py(obj: &Bound<'_, PyAny>, data_type: Option<DataType>) -> PyResult<Scalar> {
    match data_type {
        None if obj.is_none() => Err(PyValueError::new_err("`dtype` says the type of a None; it is missing")),
        None => only_row(obj, None),
        Some(DataType::Empty) if obj.is_none() => Ok(Scalar::null(DataType::Empty)),
        Some(t) if t.is_nested() || t.is_decimal() => only_row(obj, Some(t)),
        Some(t) => within(obj, t),
    }
}

/// A scalar of a type in which the object has its place: an integer counts the units of durations, 0 and 1 are truth
/// values, and no number of another size becomes one that is infinite.
fn within(obj: &Bound<'_, PyAny>, data_type: DataType) -> PyResult<Scalar> {
    let whole = obj.is_instance_of::<PyInt>() && !obj.is_instance_of::<PyBool>();
    match data_type {
        DataType::Duration(_) if whole => Scalar::new(data_type, Value::Int(obj.extract()?)).py(),
        DataType::Bool8 if whole => match obj.extract::<i64>() {
            Ok(bit @ (0 | 1)) => Ok(Scalar::from(bit == 1)),
            _ => Err(PyValueError::new_err(format!("{obj} is no truth value; 0 and 1 are"))),
        },
        t if t.is_unsigned_integer() && whole && obj.lt(0)? => {
            Err(PyValueError::new_err(format!("{obj} is negative, and {t} is not")))
        }
        DataType::Float32 => {
            let made = scalar::from_py_as(obj, data_type)?;
            let is_finite = obj.extract::<f64>().is_ok_and(f64::is_finite);
            if is_finite && matches!(made.value(), Value::Float(value) if !(*value as f32).is_finite()) {
                return Err(PyOverflowError::new_err(format!("{obj} is out of range of {data_type}")));
            }
            Ok(made)
        }
        _ => scalar::from_py_as(obj, data_type),
    }
}

/// The first row of `column`, whose type has to be `data_type` where that is given.
fn first_row(column: &Column, data_type: Option<DataType>) -> PyResult<Scalar> {
    expect_type(column.data_type(), data_type)?;
    column.get(0).py()
}

/// Fails where a type that an argument `dtype` names is not the one that is there.
pub fn expect_type(found: DataType, expected: Option<DataType>) -> PyResult<()> {
    match expected {
        Some(expected) if expected != found => {
            Err(PyTypeError::new_err(format!("the data is of type {found}, not the {expected} of `dtype`")))
        }
        _ => Ok(()),
    }
}

#[pymethods]
impl PyScalar {
    #[new]
    fn new() -> PyResult<Self> {
        Err(PyTypeError::new_err("a Scalar is made by from_py, from_numpy, from_arrow or Column.to_scalar"))
    }

    /// The type of the value.
    fn r#type(&self) -> PyDataType {
        PyDataType(self.0.data_type())
    }

    /// Whether the value is not null.
    ///
    /// Parameters
    /// ----------
    /// stream : Stream, optional
    ///     Without effect: the value is in host memory.
    ///
    /// Returns
    /// -------
    /// bool
    ///     False for a null.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Scalar
    /// >>> Scalar.from_py(1).is_valid()
    /// True
    #[pyo3(signature = (stream=None))]
    fn is_valid(&self, stream: Option<StreamArgument>) -> bool {
        let _ = stream;
        !self.0.is_null()
    }

    /// A null of the type of a column, with all that is inside.
    ///
    /// Parameters
    /// ----------
    /// column : Column
    ///     The column.
    /// stream : Stream, optional
    ///     Without effect: the value is in host memory.
    ///
    /// Returns
    /// -------
    /// Scalar
    ///     The null.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> from pylibcuprum import Scalar
    /// >>> Scalar.empty_like(Column.from_iterable_of_py([1])).is_valid()
    /// False
    #[staticmethod]
    #[pyo3(signature = (column, stream=None))]
    fn empty_like(column: PyRef<'_, PyColumn>, stream: Option<StreamArgument>) -> PyResult<Self> {
        let _ = stream;
        let null = || copying::nulls_like(&column.0, 1, &Context::beside(Device::Cpu)?)?.get(0);
        null().py().map(Self)
    }

    /// A scalar of a Python object, or of pandas' and NumPy's; lists become lists, dicts structs.
    ///
    /// Parameters
    /// ----------
    /// py_val : object
    ///     The value; None is null.
    /// dtype : DataType, optional
    ///     The type, which the value has to fit; by default its own. None needs one.
    /// stream : Stream, optional
    ///     Without effect: the value is in host memory.
    ///
    /// Returns
    /// -------
    /// Scalar
    ///     The value.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For None without ``dtype``.
    /// TypeError
    ///     For a value that has no place in the type.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Scalar
    /// >>> Scalar.from_py([1, 2]).to_py()
    /// [1, 2]
    #[staticmethod]
    #[pyo3(signature = (py_val, dtype=None, stream=None))]
    fn from_py(
        py_val: &Bound<'_, PyAny>,
        dtype: Option<PyRef<'_, PyDataType>>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Self> {
        let _ = stream;
        from_py(py_val, dtype.map(|dtype| dtype.0)).map(Self)
    }

    /// A scalar of a NumPy scalar, whose type it keeps.
    ///
    /// Parameters
    /// ----------
    /// np_val : numpy.generic
    ///     The value; NaT is null.
    /// stream : Stream, optional
    ///     Without effect: the value is in host memory.
    ///
    /// Returns
    /// -------
    /// Scalar
    ///     The value.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For what is no NumPy scalar.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Scalar
    /// >>> import numpy as np
    /// >>> Scalar.from_numpy(np.int8(7))
    /// Scalar<int8>(7)
    #[staticmethod]
    #[pyo3(signature = (np_val, stream=None))]
    fn from_numpy(np_val: &Bound<'_, PyAny>, stream: Option<StreamArgument>) -> PyResult<Self> {
        let _ = stream;
        let generic = np_val.py().import("numpy")?.getattr("generic")?;
        if !np_val.is_instance(&generic)? {
            return Err(PyTypeError::new_err(format!(
                "`np_val` is no NumPy scalar but a {}",
                np_val.get_type()
            )));
        }
        scalar::from_py(np_val).map(|literal| Self(literal.scalar))
    }

    /// A scalar of a pyarrow scalar.
    ///
    /// Parameters
    /// ----------
    /// pa_val : pyarrow.Scalar
    ///     The value.
    /// dtype : DataType, optional
    ///     The type that the value has to have.
    /// stream : Stream, optional
    ///     Without effect: the value is in host memory.
    ///
    /// Returns
    /// -------
    /// Scalar
    ///     The value; null stays null.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For what is no pyarrow scalar, and for another type than ``dtype``.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Scalar
    /// >>> import pyarrow
    /// >>> Scalar.from_arrow(pyarrow.scalar(7)).to_py()
    /// 7
    #[staticmethod]
    #[pyo3(signature = (pa_val, dtype=None, stream=None))]
    fn from_arrow(
        pa_val: &Bound<'_, PyAny>,
        dtype: Option<PyRef<'_, PyDataType>>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Self> {
        let _ = stream;
        let pyarrow = pa_val.py().import("pyarrow")?;
        if !pa_val.is_instance(&pyarrow.getattr("Scalar")?)? {
            return Err(PyTypeError::new_err(format!(
                "`pa_val` is no pyarrow scalar but a {}",
                pa_val.get_type()
            )));
        }
        // pyarrow makes no arrays of nested scalars that have nulls inside.
        let nested = pyarrow.getattr("types")?.call_method1("is_nested", (pa_val.getattr("type")?,))?;
        let value = if nested.is_truthy()? { pa_val.call_method0("as_py")? } else { pa_val.clone() };
        let array =
            pyarrow.call_method1("array", (PyList::new(pa_val.py(), [value])?, pa_val.getattr("type")?))?;
        first_row(&arrow::column_from(&array)?, dtype.map(|dtype| dtype.0)).map(Self)
    }

    /// The value as a pyarrow scalar.
    ///
    /// Parameters
    /// ----------
    /// metadata : ColumnMetadata or str, optional
    ///     The names of fields, zone and precision.
    /// stream : Stream, optional
    ///     Without effect: the value is in host memory.
    ///
    /// Returns
    /// -------
    /// pyarrow.Scalar
    ///     The value.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Scalar
    /// >>> Scalar.from_py(7).to_arrow().as_py()
    /// 7
    #[pyo3(signature = (metadata=None, stream=None))]
    fn to_arrow<'py>(
        &self,
        py: Python<'py>,
        metadata: Option<&Bound<'py, PyAny>>,
        stream: Option<StreamArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = stream;
        let host = Context::beside(Device::Cpu).py()?;
        let column = Column::from_scalar(&self.0, 1, &host).py()?;
        export::to_pyarrow(py, &column, metadata)?.get_item(0)
    }

    /// The value as a Python object.
    ///
    /// Parameters
    /// ----------
    /// stream : Stream, optional
    ///     Without effect: the value is in host memory.
    ///
    /// Returns
    /// -------
    /// object
    ///     None for null, ``datetime64`` and ``timedelta64`` for times, a Decimal, a list, a dict of fields by number.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Scalar
    /// >>> Scalar.from_py("a").to_py()
    /// 'a'
    #[pyo3(signature = (stream=None))]
    fn to_py<'py>(&self, py: Python<'py>, stream: Option<StreamArgument>) -> PyResult<Bound<'py, PyAny>> {
        let _ = stream;
        scalar::to_py(py, &self.0)
    }

    fn __repr__(&self) -> String {
        format!("Scalar<{}>({})", self.0.data_type(), self.0)
    }
}
