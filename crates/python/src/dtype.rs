//! `DType`: a data type in Python.

use std::ffi::c_long;

use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use cuprum::types::{Binary, Categorical, Datetime, Decimal, Field, Interval, List, Null, Struct};
use cuprum::types::{Categories, Closed, Objects};
use cuprum::{Dtype, Result, TypedColumn};
use cuprum_column::{DataType, Error, TimeUnit};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use crate::arrow;
use crate::pylib::data_type::PyDataType;

/// The data type of a column or an index.
///
/// Prints like NumPy's (``int64``, ``datetime64[ns]``, ``str``) and equals the name, the NumPy or
/// pandas dtype and the Python type of the same elements.
///
/// Examples
/// --------
/// >>> import cuprum
/// >>> dtype = cuprum.Series([1, 2]).dtype
/// >>> dtype, dtype == "int64", dtype.to_numpy()
/// (dtype('int64'), True, dtype('int64'))
#[pyclass(frozen, subclass, module = "cuprum", name = "DType")]
pub struct DType(pub Dtype);

/// The data type that a Python object names; `None` where it names none.
///
/// Known are `DType`, `DataType`, names, Python's `int`, `float`, `bool`, `str`, NumPy's scalar types and
/// dtypes, pandas' dtypes (nullable and Arrow-backed too) and Arrow types.
pub fn parse(obj: &Bound<'_, PyAny>) -> PyResult<Option<Dtype>> {
    if let Ok(dtype) = obj.cast::<DType>() {
        return Ok(Some(dtype.get().0.clone()));
    }
    if let Ok(zoned) = zoned_type(obj)
        && let Some(zoned) = zoned
    {
        return Ok(Some(zoned));
    }
    if let Some(intervals) = interval_type(obj)? {
        return Ok(Some(intervals));
    }
    if let Some(periods) = period_type(obj)? {
        return Ok(Some(periods));
    }
    if obj.hasattr("__arrow_c_schema__")? && !obj.is_instance_of::<PyDataType>() {
        return arrow::dtype_from_schema(obj).map(Some);
    }
    if let Some(inner) = obj.getattr_opt("pyarrow_dtype")? {
        return arrow::dtype_from_schema(&inner).map(Some);
    }
    Ok(parse_storage(obj)?.map(Dtype::plain))
}

/// pandas' `DatetimeTZDtype`, or its name.
fn zoned_type(obj: &Bound<'_, PyAny>) -> PyResult<Option<Dtype>> {
    let name = match obj.cast::<PyString>() {
        Ok(name) => name.clone(),
        Err(_) if obj.hasattr("tz")? => obj.str()?,
        Err(_) => return Ok(None),
    };
    let text = name.to_str()?;
    let inside = text.strip_prefix("datetime64[").or_else(|| text.strip_prefix("M8["));
    let Some(inside) = inside.and_then(|text| text.strip_suffix(']')) else { return Ok(None) };
    let Some((unit, zone)) = inside.split_once(", ") else { return Ok(None) };
    Ok(match DataType::from_name(&format!("datetime64[{unit}]")) {
        Some(DataType::Timestamp(unit)) if unit != TimeUnit::Days => {
            // pandas' spelling of offsets.
            let offset = zone.strip_prefix("UTC").filter(|offset| offset.starts_with(['+', '-']));
            Some(Dtype::Datetime(Datetime { unit, zone: Some(offset.unwrap_or(zone).into()) }))
        }
        _ => None,
    })
}

/// pandas' `IntervalDtype` or the name of one that says bounds and which of them are closed (by default the
/// upper ones).
fn interval_type(obj: &Bound<'_, PyAny>) -> PyResult<Option<Dtype>> {
    let name = match obj.cast::<PyString>() {
        Ok(name) => name.clone(),
        Err(_) if obj.hasattr("subtype")? && obj.hasattr("closed")? => obj.str()?,
        Err(_) => return Ok(None),
    };
    let text = name.to_str()?;
    let Some(inside) = text.strip_prefix("interval[").and_then(|t| t.strip_suffix(']')) else {
        return Ok(None);
    };
    let (bounds, closed) = match inside.rsplit_once(", ") {
        Some((bounds, closed)) if !closed.ends_with(']') => (bounds, closed.parse().py()?),
        _ => (inside, Closed::default()),
    };
    // Bounds are no intervals themselves.
    let bounds = (!bounds.starts_with("interval[")).then(|| parse(PyString::new(obj.py(), bounds).as_any()));
    let bounds = bounds.transpose()?.flatten().ok_or_else(|| unknown(obj))?;
    Interval::of(&bounds, closed).map(Dtype::Interval).map(Some).py()
}

/// pandas' `PeriodDtype` or the name of one.
fn period_type(obj: &Bound<'_, PyAny>) -> PyResult<Option<Dtype>> {
    let name = match obj.cast::<PyString>() {
        Ok(name) => name.clone(),
        Err(_) if obj.hasattr("freq")? && obj.hasattr("name")? => obj.str()?,
        Err(_) => return Ok(None),
    };
    let inside = name.to_str()?.strip_prefix(['p', 'P']).and_then(|text| text.strip_prefix("eriod["));
    let inside = inside.and_then(|text| text.strip_suffix(']'));
    inside.map(|frequency| frequency.parse().map(Dtype::Period).py()).transpose()
}

/// Targets of casts.
pub enum Target {
    /// A dtype.
    Dtype(Dtype),
    /// Categories of whatever values there are, or those that a column has; in an order if that is said.
    Categories { ordered: Option<bool> },
}

impl Target {
    /// The column as this.
    pub fn cast(&self, column: &TypedColumn) -> Result<TypedColumn> {
        match self {
            Self::Dtype(to) => {
                let times = matches!(column.dtype(), Dtype::Datetime(_) | Dtype::Timedelta(_));
                if times && to.is_plain() && to.storage().is_integer() && to.storage() != DataType::Int64 {
                    let from = column.dtype();
                    return Err(Error::data_type(format!(
                        "Converting from {from} to {to} is not supported. Do obj.astype('int64').astype(dtype) instead"
                    )));
                }
                cuprum::types::cast(column, to)
            }
            Self::Categories { ordered } => match (column.dtype(), *ordered) {
                (Dtype::Categorical(kind), Some(ordered)) if kind.categories().is_ordered() != ordered => {
                    let categories = Categories::new(kind.categories().values().clone(), ordered)?;
                    Categorical::of(categories).from_codes(column.data()?)
                }
                (Dtype::Categorical(_), _) => Ok(column.clone()),
                (_, ordered) => Categorical::encode_distinct(column, ordered.unwrap_or(false)),
            },
        }
    }
}

/// The target of an argument `dtype`, categories of whatever values there are included; fails like
/// [`require`].
pub fn require_target(obj: &Bound<'_, PyAny>) -> PyResult<Target> {
    check_unit(obj)?;
    if let Ok(name) = obj.cast::<PyString>()
        && name.to_str()? == "category"
    {
        return Ok(Target::Categories { ordered: None });
    }
    // Our CategoricalDtype without categories.
    if let Ok(dtype) = obj.cast::<DType>()
        && let Dtype::Categorical(kind) = &dtype.get().0
        && kind.categories().is_empty()
        && obj.getattr_opt("_is_open")?.is_some_and(|open| open.is_truthy().unwrap_or(false))
    {
        return Ok(Target::Categories { ordered: Some(kind.categories().is_ordered()) });
    }
    // pandas' CategoricalDtype.
    if obj.getattr_opt("name")?.is_some_and(|n| n.eq("category").unwrap_or(false))
        && !obj.is_instance_of::<DType>()
    {
        let given = obj.getattr("ordered")?;
        let ordered = given.is_truthy()?;
        let categories = obj.getattr("categories")?;
        if categories.is_none() {
            return Ok(Target::Categories { ordered: (!given.is_none()).then_some(ordered) });
        }
        let values = obj.py().import("cuprum.core.interop")?.call_method1("as_column", (categories,))?;
        let values = values.cast_into::<PyColumn>()?.borrow().typed()?.decoded().py()?;
        let categories = Categories::new(values, ordered).py()?;
        return Ok(Target::Dtype(Dtype::Categorical(Categorical::of(categories))));
    }
    require(obj).map(Target::Dtype)
}

/// The storage type that a Python object names; `None` where it names none.
pub fn parse_storage(obj: &Bound<'_, PyAny>) -> PyResult<Option<DataType>> {
    if let Ok(dtype) = obj.cast::<DType>() {
        return Ok(Some(dtype.get().0.storage()).filter(|_| dtype.get().0.is_plain()));
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
            name => match DataType::from_name(name).or_else(|| of_c(name)) {
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
pub fn require(obj: &Bound<'_, PyAny>) -> PyResult<Dtype> {
    parse(obj)?.ok_or_else(|| unknown(obj))
}

/// [`parse_storage`] for an argument; fails like [`require`].
pub fn require_storage(obj: &Bound<'_, PyAny>) -> PyResult<DataType> {
    parse_storage(obj)?.ok_or_else(|| unknown(obj))
}

fn unknown(obj: &Bound<'_, PyAny>) -> PyErr {
    let text = obj.repr().map_or_else(|_| "the object".to_owned(), |r| r.to_string());
    if obj.extract::<&str>().is_ok_and(|name| name.starts_with(SWAPPED)) {
        return PyTypeError::new_err(format!(
            "{text} has the other order of bytes than this machine: columns have '{NATIVE}'"
        ));
    }
    PyTypeError::new_err(format!(
        "{text} is not a data type of Cuprum; known are int8 to int64, uint8 to uint64, float32, \
         float64, bool, str, datetime64[unit] and timedelta64[unit] with s, ms, us or ns"
    ))
}

/// Fails for times whose elements a frame is not to have, by a name or NumPy's dtype: those that count days,
/// and those that do not say what they count. `DType`s of columns of days, which Arrow has, pass.
#[pyfunction]
pub fn check_unit(obj: &Bound<'_, PyAny>) -> PyResult<()> {
    let name = match obj.cast::<PyString>() {
        Ok(name) => name.clone(),
        Err(_) if obj.is_instance_of::<DType>() || obj.is_instance_of::<PyType>() => return Ok(()),
        Err(_) => match obj.getattr_opt("name")?.and_then(|name| name.cast_into().ok()) {
            Some(name) => name,
            None => return Ok(()),
        },
    };
    match from_text(name.to_str()?).filter(|_| !name.to_str().is_ok_and(is_date)) {
        Some(DataType::Timestamp(TimeUnit::Days) | DataType::Duration(TimeUnit::Days)) => {
            Err(PyTypeError::new_err(format!(
                "dtype {name} is not supported: times count 's', 'ms', 'us' or 'ns'"
            )))
        }
        Some(DataType::Timestamp(_) | DataType::Duration(_)) if !name.to_str()?.ends_with(']') => {
            Err(PyTypeError::new_err(format!(
                "dtype {name} does not say what times count: give '{name}[ns]', or another of s, ms, us and ns"
            )))
        }
        _ => Ok(()),
    }
}

/// Fails for a cast of `columns` to objects: the only ones that they hold are texts, and nothing at all.
pub fn refuse_objects(obj: &Bound<'_, PyAny>, columns: &[TypedColumn]) -> PyResult<()> {
    if !names_object(obj) || obj.is_instance_of::<DType>() {
        return Ok(());
    }
    for column in columns {
        let of_texts = matches!(column.dtype(), Dtype::String(_) | Dtype::Null(_));
        if !of_texts && column.data().py()?.null_count().py()? < column.len() {
            return Err(PyTypeError::new_err(format!(
                "elements of type {} cannot be cast to dtype {obj}: columns hold no objects other than texts; \
                 cast to str to make texts of them",
                column.dtype()
            )));
        }
    }
    Ok(())
}

/// Whether a name is that of dates, whose elements a frame may have.
fn is_date(name: &str) -> bool {
    matches!(name, "date32" | "date32[day]" | "date32[day][pyarrow]")
}

/// NumPy's spelling of this machine's byte order, and that of the other one.
const NATIVE: char = if cfg!(target_endian = "little") { '<' } else { '>' };
const SWAPPED: char = if cfg!(target_endian = "little") { '>' } else { '<' };

/// The type that NumPy has a letter for.
fn of_letter(letter: &str) -> Option<DataType> {
    Some(match letter {
        "b" => DataType::Int8,
        "B" => DataType::UInt8,
        "h" => DataType::Int16,
        "H" => DataType::UInt16,
        "i" => DataType::Int32,
        "I" => DataType::UInt32,
        "l" => LONG,
        "L" => UNSIGNED_LONG,
        "q" | "n" | "p" => DataType::Int64,
        "Q" | "N" | "P" => DataType::UInt64,
        "f" => DataType::Float32,
        "d" => DataType::Float64,
        _ => return None,
    })
}

/// The type that NumPy calls as C does.
fn of_c(name: &str) -> Option<DataType> {
    Some(match name {
        "byte" => DataType::Int8,
        "ubyte" => DataType::UInt8,
        "short" => DataType::Int16,
        "ushort" => DataType::UInt16,
        "intc" => DataType::Int32,
        "uintc" => DataType::UInt32,
        "long" => LONG,
        "ulong" => UNSIGNED_LONG,
        "longlong" | "intp" | "int_" => DataType::Int64,
        "ulonglong" | "uintp" => DataType::UInt64,
        "single" => DataType::Float32,
        "bool_" => DataType::Bool8,
        "double" => DataType::Float64,
        _ => return None,
    })
}

/// C's `long` on this machine.
const LONG: DataType = if size_of::<c_long>() == 4 { DataType::Int32 } else { DataType::Int64 };
const UNSIGNED_LONG: DataType = if size_of::<c_long>() == 4 { DataType::UInt32 } else { DataType::UInt64 };

fn from_text(name: &str) -> Option<DataType> {
    // NumPy's byte order, where it is this machine's; single bytes have none.
    if let Some(swapped) = name.strip_prefix(SWAPPED) {
        return from_text(swapped).filter(|of| of.size() == Some(1));
    }
    let name = name.strip_prefix([NATIVE, '=', '|']).unwrap_or(name);
    // pandas' spelling of Arrow-backed types.
    let name = name.strip_suffix("[pyarrow]").unwrap_or(name);
    DataType::from_name(name).or_else(|| of_letter(name)).or_else(|| of_c(name)).or(match name {
        name if is_date(name) => Some(DataType::Timestamp(TimeUnit::Days)),
        "large_string" | "string[python]" => Some(DataType::String),
        "datetime64" => Some(DataType::Timestamp(TimeUnit::Nanoseconds)),
        "timedelta64" => Some(DataType::Duration(TimeUnit::Nanoseconds)),
        _ => None,
    })
}

/// A data type as a Python object: of the class of `cuprum.core.dtypes` for its kind, where it has parts.
pub fn to_py<'py>(py: Python<'py>, dtype: &Dtype) -> PyResult<Bound<'py, DType>> {
    let plain = Bound::new(py, DType(dtype.clone()))?;
    let class = match dtype {
        Dtype::Categorical(_) => "CategoricalDtype",
        Dtype::Interval(_) => "IntervalDtype",
        Dtype::List(_) => "ListDtype",
        Dtype::Struct(_) => "StructDtype",
        Dtype::Datetime(Datetime { zone: Some(_), .. }) => "DatetimeTZDtype",
        Dtype::Decimal(_) => match dtype.storage() {
            DataType::Decimal32(_) => "Decimal32Dtype",
            DataType::Decimal64(_) => "Decimal64Dtype",
            _ => "Decimal128Dtype",
        },
        _ => return Ok(plain),
    };
    let class = py.import("cuprum.core.dtypes")?.getattr(class)?;
    Ok(class.call_method1("_of_dtype", (plain,))?.cast_into()?)
}

/// The name of the NumPy dtype that values of the type become: the same, but days count in 64 bits
/// there and text is a Python object.
pub fn numpy_name(data_type: DataType) -> String {
    match data_type {
        DataType::String => "object".to_owned(),
        other => other.to_string(),
    }
}

/// NumPy's letter of a type; see [`DType::kind`].
pub fn kind(dtype: &Dtype) -> &'static str {
    match dtype {
        Dtype::Numeric(_) if dtype.storage().is_signed_integer() => "i",
        Dtype::Numeric(_) if dtype.storage().is_unsigned_integer() => "u",
        Dtype::Numeric(_) => "f",
        Dtype::Datetime(_) => "M",
        Dtype::Timedelta(_) => "m",
        Dtype::Bool(_) => "b",
        _ => "O",
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

    /// NumPy's letter: ``i``, ``u``, ``f``, ``b``, ``M``, ``m``; ``O`` for everything else, as in pandas.
    #[getter]
    fn kind(&self) -> &'static str {
        kind(&self.0)
    }

    /// Bytes of one element; 8 for text and other objects, as for a reference.
    #[getter]
    fn itemsize(&self) -> usize {
        self.0.storage().size().unwrap_or(8)
    }

    /// The unit of a time: ``D``, ``s``, ``ms``, ``us``, ``ns``; None for other types.
    #[getter]
    fn unit(&self) -> Option<&'static str> {
        match self.0.storage() {
            DataType::Timestamp(unit) | DataType::Duration(unit) => Some(unit.code()),
            _ => None,
        }
    }

    /// Whether values can be told equal from others: of lists, structs and bytes they cannot.
    #[getter]
    fn is_comparable(&self) -> bool {
        self.0.is_key() || matches!(self.0, Dtype::Null(_))
    }

    /// Whether elements are objects of Python, whatever they are.
    #[getter]
    fn is_object(&self) -> bool {
        matches!(self.0, Dtype::Objects(_))
    }

    /// The frequency of periods as pandas writes it; None for other types.
    #[getter]
    fn freq(&self) -> Option<String> {
        if let Dtype::Period(kind) = &self.0 { Some(kind.to_string()) } else { None }
    }

    /// The time zone of times that have one.
    #[getter]
    fn tz(&self) -> Option<&str> {
        match &self.0 {
            Dtype::Datetime(Datetime { zone, .. }) => zone.as_deref(),
            _ => None,
        }
    }

    /// The digits of decimals.
    #[getter]
    fn precision(&self) -> Option<u8> {
        if let Dtype::Decimal(decimal) = &self.0 { Some(decimal.precision()) } else { None }
    }

    /// The digits behind the point of decimals.
    #[getter]
    fn scale(&self) -> Option<i32> {
        if let Dtype::Decimal(decimal) = &self.0 { Some(decimal.scale()) } else { None }
    }

    /// The categories as a column; None for other types.
    #[getter]
    fn categories(&self) -> PyResult<Option<PyColumn>> {
        match &self.0 {
            Dtype::Categorical(kind) => PyColumn::of(kind.categories().values()).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether categories compare by their order; None for other types.
    #[getter]
    fn ordered(&self) -> Option<bool> {
        if let Dtype::Categorical(kind) = &self.0 { Some(kind.categories().is_ordered()) } else { None }
    }

    /// The type of the bounds of intervals; None for other types.
    #[getter]
    fn subtype<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Self>>> {
        if let Dtype::Interval(kind) = &self.0 { to_py(py, kind.bounds()).map(Some) } else { Ok(None) }
    }

    /// The closed side of intervals: ``left``, ``right``, ``both`` or ``neither``; None for other types.
    #[getter]
    fn closed(&self) -> Option<&'static str> {
        if let Dtype::Interval(kind) = &self.0 { Some(kind.closed().name()) } else { None }
    }

    /// The type of the elements of lists; None for other types.
    #[getter]
    fn element_type<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Self>>> {
        if let Dtype::List(list) = &self.0 { to_py(py, list.element()).map(Some) } else { Ok(None) }
    }

    /// The types of the fields of structs under their names; None for other types.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Dtype::Struct(kind) = &self.0 else { return Ok(None) };
        let fields = PyDict::new(py);
        for field in kind.fields() {
            fields.set_item(&field.name, to_py(py, &field.dtype)?)?;
        }
        Ok(Some(fields))
    }

    /// The class of one element: NumPy's, or ``str``.
    #[getter]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0 {
            Dtype::String(_) => Ok(py.get_type::<PyString>().into_any()),
            _ => self.to_numpy(py)?.getattr("type"),
        }
    }

    /// The NumPy dtype; ``object`` for text and for what NumPy does not have.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static DTYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let name = if self.kind() == "O" { "object".to_owned() } else { numpy_name(self.0.storage()) };
        DTYPE.import(py, "numpy", "dtype")?.call1((name,))
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
        arrow::field_capsule(py, &self.0.to_arrow().py()?)
    }

    fn __repr__(&self) -> String {
        match self.0 {
            Dtype::Objects(_) => "dtype('O')".to_owned(),
            _ => format!("dtype('{}')", self.0),
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    /// Equal to whatever names the same type. Text is not ``object``, although ``object`` is read
    /// as text where a type is asked for.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        if let Dtype::Categorical(kind) = &self.0 {
            return match require_target(other) {
                Ok(Target::Dtype(other)) => other == self.0,
                Ok(Target::Categories { ordered }) => ordered != Some(true) || kind.categories().is_ordered(),
                Err(_) => false,
            };
        }
        if let Dtype::Objects(_) = &self.0 {
            return match other.cast::<Self>() {
                Ok(other) => matches!(other.get().0, Dtype::Objects(_)),
                Err(_) => names_object(other) || is_class_of_objects(other),
            };
        }
        let Ok(Some(other_type)) = parse(other) else { return false };
        other_type == self.0 && !(matches!(self.0, Dtype::String(_)) && names_object(other))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.0.to_string()).hash()
    }

    /// A dtype that a name does not say, from its kind and its parts: what a pickle holds.
    #[staticmethod]
    #[pyo3(signature = (kind, *parts))]
    fn _of<'py>(py: Python<'py>, kind: &str, parts: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, Self>> {
        let inner = |obj: Bound<'_, PyAny>| Ok::<_, PyErr>(obj.cast_into::<Self>()?.get().0.clone());
        let dtype = match kind {
            "list" => Dtype::List(List::of(inner(parts.get_item(0)?)?).py()?),
            "struct" => {
                let field = |pair: Bound<'_, PyAny>| {
                    let (name, dtype): (String, Bound<'_, PyAny>) = pair.extract()?;
                    Ok(Field { name, dtype: inner(dtype)? })
                };
                Dtype::Struct(Struct::of(parts.iter().map(field).collect::<PyResult<Vec<_>>>()?).py()?)
            }
            "decimal" => {
                let (bits, precision, scale): (u8, u8, i32) = parts.extract()?;
                let storage = match bits {
                    32 => DataType::Decimal32(-scale),
                    64 => DataType::Decimal64(-scale),
                    _ => DataType::Decimal128(-scale),
                };
                let decimal = Decimal::of(storage).and_then(|d| d.with_precision(precision));
                Dtype::Decimal(decimal.ok_or_else(|| {
                    PyValueError::new_err(format!(
                        "`precision` is {precision}, more or less than decimal{bits} has"
                    ))
                })?)
            }
            "category" => {
                let (values, ordered): (PyRef<'_, PyColumn>, bool) = parts.extract()?;
                let values = values.typed()?.decoded().py()?;
                Dtype::Categorical(Categorical::of(Categories::new(values, ordered).py()?))
            }
            "interval" => {
                let (bounds, closed): (Bound<'_, PyAny>, String) = parts.extract()?;
                Dtype::Interval(Interval::of(&inner(bounds)?, closed.parse().py()?).py()?)
            }
            "zoned" => require(&parts.get_item(0)?)?,
            "binary" => Dtype::Binary(Binary),
            "null" => Dtype::Null(Null),
            "object" => Dtype::Objects(Objects::default()),
            _ => return Err(PyTypeError::new_err(format!("'{kind}' is no kind of dtype"))),
        };
        to_py(py, &dtype)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let class = py.get_type::<Self>();
        let of = |parts: Vec<Bound<'py, PyAny>>| Ok((class.getattr("_of")?, PyTuple::new(py, parts)?));
        let text = |text: &str| PyString::new(py, text).into_any();
        match &slf.get().0 {
            Dtype::List(list) => of(vec![text("list"), to_py(py, list.element())?.into_any()]),
            Dtype::Struct(kind) => {
                let mut parts = vec![text("struct")];
                for field in kind.fields() {
                    parts.push((&field.name, to_py(py, &field.dtype)?).into_pyobject(py)?.into_any());
                }
                of(parts)
            }
            Dtype::Decimal(decimal) => {
                let bits = slf.get().0.storage().size().unwrap_or(0) * 8;
                of(vec![
                    text("decimal"),
                    bits.into_pyobject(py)?.into_any(),
                    decimal.precision().into_pyobject(py)?.into_any(),
                    decimal.scale().into_pyobject(py)?.into_any(),
                ])
            }
            Dtype::Categorical(kind) => {
                let values = Bound::new(py, PyColumn::of(kind.categories().values())?)?;
                let ordered = kind.categories().is_ordered().into_pyobject(py)?.to_owned();
                of(vec![text("category"), values.into_any(), ordered.into_any()])
            }
            Dtype::Datetime(Datetime { zone: Some(_), .. }) => {
                of(vec![text("zoned"), text(&slf.get().0.to_string())])
            }
            Dtype::Interval(kind) => {
                of(vec![text("interval"), to_py(py, kind.bounds())?.into_any(), text(kind.closed().name())])
            }
            Dtype::Binary(_) => of(vec![text("binary")]),
            Dtype::Null(_) => of(vec![text("null")]),
            Dtype::Objects(_) => of(vec![text("object")]),
            // Periods among them, whose names say all of them.
            plain => Ok((class.clone().into_any(), (plain.to_string(),).into_pyobject(py)?)),
        }
    }
}

/// Whether it is Python's class `object`, which NumPy takes for the name of a dtype.
fn is_class_of_objects(obj: &Bound<'_, PyAny>) -> bool {
    obj.cast::<PyType>().is_ok_and(|class| class.is(obj.py().get_type::<PyAny>()))
}

fn names_object(obj: &Bound<'_, PyAny>) -> bool {
    let name = if obj.is_instance_of::<PyString>() { Ok(obj.clone()) } else { obj.getattr("name") };
    name.is_ok_and(|n| n.extract::<String>().is_ok_and(|n| matches!(n.as_str(), "object" | "O" | "U")))
}
