//! `DataType`, and what can be asked of types.

use arrow_schema::Field;
use cuprum_column::{DataType, TypeId};
use pyo3::exceptions::{PyNotImplementedError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::arrow;

/// The type of the elements of a column: an identifier and, for decimals, a scale.
///
/// It does not say what is inside a list or a struct; the child columns do.
///
/// Examples
/// --------
/// >>> from pylibcuprum import DataType, TypeId
/// >>> price = DataType(TypeId.DECIMAL64, -2)
/// >>> price.id().name, price.scale()
/// ('DECIMAL64', -2)
#[pyclass(frozen, eq, hash, module = "pylibcuprum.types", name = "DataType")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyDataType(pub DataType);

/// A type identifier from `TypeId` or its number.
pub fn type_id(obj: &Bound<'_, PyAny>) -> PyResult<TypeId> {
    let number: i32 = obj
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("`type_id` must be a TypeId, not {}", obj.get_type())))?;
    TypeId::from_number(number)
        .ok_or_else(|| PyValueError::new_err(format!("`type_id` {number} is no type; there are 0 to 28")))
}

#[pymethods]
impl PyDataType {
    #[new]
    #[pyo3(signature = (type_id, scale=0))]
    fn new(#[pyo3(from_py_with = type_id)] type_id: TypeId, scale: i32) -> PyResult<Self> {
        let data_type = type_id.with_scale(scale);
        if scale != 0 && !data_type.is_decimal() {
            return Err(PyValueError::new_err(format!(
                "`scale` is {scale}, but {} is no decimal type",
                type_id.name()
            )));
        }
        Ok(Self(data_type))
    }

    /// The identifier, a `TypeId`.
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static TYPE_ID: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        TYPE_ID.import(py, "pylibcuprum.types", "TypeId")?.call1((self.0.id() as i32,))
    }

    /// The scale of a decimal type: values are the stored integers times 10 to its power; 0 for others.
    fn scale(&self) -> i32 {
        self.0.scale()
    }

    /// The pyarrow type.
    ///
    /// Parameters
    /// ----------
    /// precision : int, optional
    ///     The digits of decimals; by default the most.
    /// fields : list of pyarrow.Field, optional
    ///     The fields, which structs need.
    /// value_type : pyarrow.DataType, optional
    ///     The type of elements, which lists need.
    ///
    /// Returns
    /// -------
    /// pyarrow.DataType
    ///     The type.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a list without ``value_type``, a struct without ``fields``, and dictionaries.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import DataType, TypeId
    /// >>> str(DataType(TypeId.INT8).to_arrow())
    /// 'int8'
    #[pyo3(signature = (*, precision=None, fields=None, value_type=None))]
    fn to_arrow<'py>(
        slf: &Bound<'py, Self>,
        precision: Option<u8>,
        fields: Option<Bound<'py, PyAny>>,
        value_type: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, data_type) = (slf.py(), slf.get().0);
        let pyarrow = py.import("pyarrow")?;
        let missing = |what: &str| {
            PyValueError::new_err(format!("{data_type} takes `{what}` to become a type of Arrow"))
        };
        match (data_type.id(), precision) {
            (TypeId::List, _) => {
                pyarrow.call_method1("list_", (value_type.ok_or_else(|| missing("value_type"))?,))
            }
            (TypeId::Struct, _) => {
                pyarrow.call_method1("struct", (fields.ok_or_else(|| missing("fields"))?,))
            }
            (TypeId::Dictionary32, _) => Err(missing("a column; the type does not say what its keys are")),
            (TypeId::Decimal32, Some(p)) => pyarrow.call_method1("decimal32", (p, -data_type.scale())),
            (TypeId::Decimal64, Some(p)) => pyarrow.call_method1("decimal64", (p, -data_type.scale())),
            (TypeId::Decimal128, Some(p)) => pyarrow.call_method1("decimal128", (p, -data_type.scale())),
            _ => {
                let field = pyarrow.call_method1("field", (slf,));
                // A field in older versions takes no schema of another library.
                match field {
                    Ok(field) => field.getattr("type"),
                    Err(_) => pyarrow
                        .getattr("DataType")?
                        .call_method1("_import_from_c_capsule", (slf.get().__arrow_c_schema__(py)?,)),
                }
            }
        }
    }

    /// The type that Arrow data of a pyarrow type becomes.
    ///
    /// Parameters
    /// ----------
    /// pa_typ : pyarrow.DataType
    ///     The type, or another object that exports an Arrow schema.
    ///
    /// Returns
    /// -------
    /// DataType
    ///     The type.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For what is no type of Arrow.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import DataType, TypeId
    /// >>> import pyarrow
    /// >>> DataType.from_arrow(pyarrow.int8())
    /// DataType(TypeId.INT8)
    #[staticmethod]
    fn from_arrow(pa_typ: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !pa_typ.hasattr("__arrow_c_schema__")? {
            return Err(PyTypeError::new_err(format!(
                "`pa_typ` must be a type of Arrow, not {}",
                pa_typ.get_type()
            )));
        }
        arrow::data_type_from_schema(pa_typ).map(Self)
    }

    /// The type that elements of a Python class become.
    ///
    /// Parameters
    /// ----------
    /// type : type
    ///     ``int``, ``float``, ``bool``, ``str``, ``datetime``, ``date``, ``timedelta``, ``Decimal``, ``list`` or ``dict``.
    ///
    /// Returns
    /// -------
    /// DataType
    ///     The type.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For another class.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import DataType, TypeId
    /// >>> DataType.from_py(int)
    /// DataType(TypeId.INT64)
    #[staticmethod]
    fn from_py(r#type: &Bound<'_, PyType>) -> PyResult<Self> {
        let name = r#type.name()?;
        let name = name.to_str()?;
        let known = match name {
            "int" => TypeId::Int64,
            "float" => TypeId::Float64,
            "bool" => TypeId::Bool8,
            "str" => TypeId::String,
            "datetime" => TypeId::TimestampMicroseconds,
            "date" => TypeId::TimestampDays,
            "timedelta" => TypeId::DurationMicroseconds,
            "Decimal" => TypeId::Decimal128,
            "list" => TypeId::List,
            "dict" => TypeId::Struct,
            _ => return Err(PyTypeError::new_err(format!("objects of class '{name}' have no column type"))),
        };
        Ok(Self(known.with_scale(0)))
    }

    /// The letter of the type in Python's ``array`` and ``struct``.
    ///
    /// ``b``, ``h``, ``i``, ``q``, their capitals for unsigned integers, ``f``, ``d``, ``?``; other types have none.
    #[getter]
    fn python_typecode(&self) -> PyResult<&'static str> {
        Ok(match self.0.id() {
            TypeId::Int8 => "b",
            TypeId::Int16 => "h",
            TypeId::Int32 => "i",
            TypeId::Int64 => "q",
            TypeId::UInt8 => "B",
            TypeId::UInt16 => "H",
            TypeId::UInt32 => "I",
            TypeId::UInt64 => "Q",
            TypeId::Float32 => "f",
            TypeId::Float64 => "d",
            TypeId::Bool8 => "?",
            _ => return Err(PyNotImplementedError::new_err(format!("{} has no letter in Python", self.0))),
        })
    }

    /// The type in the array interfaces: `<i8`, `|b1`, `<M8[ns]`. Days have 32 bits and are `<i4`.
    #[getter]
    fn typestr(&self) -> PyResult<String> {
        typestr(self.0).ok_or_else(|| {
            PyNotImplementedError::new_err(format!("{} is no type of the array interfaces", self.0))
        })
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrow::field_capsule(py, &Field::new("", self.0.to_arrow(), true))
    }

    fn __repr__(&self) -> String {
        match self.0 {
            t if t.is_decimal() => format!("DataType(TypeId.{}, scale={})", t.id().name(), t.scale()),
            t => format!("DataType(TypeId.{})", t.id().name()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (i32, i32)) {
        (py.get_type::<Self>(), (self.0.id() as i32, self.0.scale()))
    }
}

/// See [`PyDataType::typestr`]; `None` for what NumPy has no type for.
pub fn typestr(data_type: DataType) -> Option<String> {
    let order = if cfg!(target_endian = "little") { '<' } else { '>' };
    let size = data_type.size()?;
    let order = if size == 1 { '|' } else { order };
    Some(match data_type {
        DataType::Bool8 => "|b1".to_owned(),
        t if t.is_decimal() => return None,
        t if t.is_unsigned_integer() => format!("{order}u{size}"),
        t if t.is_float() => format!("{order}f{size}"),
        DataType::Timestamp(unit) if size == 8 => format!("{order}M8[{}]", unit.code()),
        DataType::Duration(unit) if size == 8 => format!("{order}m8[{}]", unit.code()),
        _ => format!("{order}i{size}"),
    })
}

/// Functions `fn(typ: DataType) -> bool`.
macro_rules! traits {
    ($($(#[$doc:meta])* $name:ident: |$t:ident| $answer:expr;)*) => {
        $(
            $(#[$doc])*
            #[pyfunction]
            fn $name(typ: PyRef<'_, PyDataType>) -> bool {
                let $t = typ.0;
                $answer
            }
        )*

        /// The traits by name.
        fn trait_functions(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
            let functions = PyDict::new(py);
            $(functions.set_item(stringify!($name), wrap_pyfunction!($name, py)?)?;)*
            Ok(functions)
        }
    };
}

traits! {
    is_relationally_comparable: |t| t.is_relationally_comparable();
    is_equality_comparable: |t| t.is_equality_comparable();
    is_numeric: |t| t.is_numeric();
    is_numeric_not_bool: |t| t.is_numeric() && t != DataType::Bool8;
    is_index_type: |t| t.is_integer();
    is_unsigned: |t| t.is_unsigned_integer() || t == DataType::Bool8;
    is_integral: |t| t.is_integer() || t == DataType::Bool8;
    is_integral_not_bool: |t| t.is_integer();
    is_floating_point: |t| t.is_float();
    is_boolean: |t| t == DataType::Bool8;
    is_timestamp: |t| t.is_timestamp();
    is_fixed_point: |t| t.is_decimal();
    is_duration: |t| t.is_duration();
    is_chrono: |t| t.is_chrono();
    is_dictionary: |t| t == DataType::Dictionary32;
    is_fixed_width: |t| t.is_fixed_width();
    is_compound: |t| t.is_compound();
    is_nested: |t| t.is_nested();
}

/// Whether a column of one type can be read as one of the other without touching its memory.
#[pyfunction]
fn is_bit_castable(source: PyRef<'_, PyDataType>, target: PyRef<'_, PyDataType>) -> bool {
    source.0.is_bit_castable_to(target.0)
}

/// Bytes of one element of a fixed-width type.
#[pyfunction]
#[pyo3(name = "size_of")]
fn element_size(t: PyRef<'_, PyDataType>) -> PyResult<usize> {
    t.0.size().ok_or_else(|| PyTypeError::new_err(format!("elements of {} have no one size", t.0)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyDataType>()?;
    let traits = PyModule::new(module.py(), "_traits")?;
    for (name, function) in trait_functions(module.py())? {
        traits.add(name.extract::<String>()?.as_str(), function)?;
    }
    traits.add_function(wrap_pyfunction!(is_bit_castable, &traits)?)?;
    module.add("_traits", traits)?;
    module.add_function(wrap_pyfunction!(element_size, module)?)
}
