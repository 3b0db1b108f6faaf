//! Python objects and [`Scalar`]s.

use cuprum::types::{Datetime, Struct, Timedelta};
use cuprum::{Dtype, Label, TypedColumn};
use cuprum_column::{Column, DataType, Error, Scalar, TimeUnit, Value};
use pyo3::exceptions::{PyNotImplementedError, PyOverflowError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyBytes, PyDate, PyDateTime, PyDelta, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType,
};

use crate::array_interface;
use crate::dtype;
use crate::errors::IntoPyResult;
use crate::frames::label;
use crate::object_store::{is_object, objects_of};
use crate::{numpy_scalar, sequence};

/// One Python object, told apart.
pub enum Item<'py> {
    /// `None` or `pandas.NA`.
    Null,
    /// pandas' `NaT`, of times or durations.
    NaT,
    /// A Python `bool`.
    Bool(bool),
    /// A Python `int` that fits 64 signed bits.
    Int(i64),
    /// A Python `int` beyond them that fits 64 unsigned bits.
    UInt(u64),
    /// A Python `float`.
    Float(f64),
    /// A Python `str`.
    Str(Bound<'py, PyString>),
    /// A value that brings its type along: NumPy's scalars, dates and times.
    Typed(Scalar),
}

impl Item<'_> {
    /// The name of the object's type, for messages.
    pub fn describe(&self) -> String {
        match self {
            Self::Null => "a missing value".into(),
            Self::NaT => "NaT".into(),
            Self::Bool(_) => "a bool".into(),
            Self::Int(_) | Self::UInt(_) => "an int".into(),
            Self::Float(_) => "a float".into(),
            Self::Str(_) => "a str".into(),
            Self::Typed(scalar) if scalar.data_type().is_decimal() => "a Decimal".into(),
            Self::Typed(scalar) => format!("a {}", scalar.data_type()),
        }
    }
}

/// A scalar argument from Python.
pub struct Literal {
    /// The value; nulls without a type of their own are float64.
    pub scalar: Scalar,
    /// Whether it is a Python `int`, `float`, `bool` or a missing value, whose type yields to the
    /// type of what it is combined with. NumPy scalars, text, dates and times keep theirs.
    pub weak: bool,
}

/// Tells a Python object apart; fails with `TypeError` for one that is no scalar.
pub fn classify<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Item<'py>> {
    if let Ok(value) = obj.cast_exact::<PyFloat>() {
        return Ok(Item::Float(value.value()));
    }
    if let Ok(value) = obj.cast_exact::<PyInt>() {
        return integer(value.as_any());
    }
    if let Ok(text) = obj.cast_exact::<PyString>() {
        return Ok(Item::Str(text.clone()));
    }
    if obj.is_none() {
        return Ok(Item::Null);
    }
    if let Ok(value) = obj.cast_exact::<PyBool>() {
        return Ok(Item::Bool(value.is_true()));
    }
    classify_other(obj)
}

/// Classifies an object that is not exactly of one of Python's plain types.
fn classify_other<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Item<'py>> {
    let class = obj.get_type();
    if let Some(data_type) = numpy_scalar::of_class(&class) {
        return numpy_number(obj, data_type);
    }
    let (name, module) = (class.name()?, class.module()?);
    let (name, module) = (name.to_str()?, module.to_str()?);
    if module == "pandas" || module.starts_with("pandas.") {
        match name {
            "NaTType" => return Ok(Item::NaT),
            "NAType" => return Ok(Item::Null),
            "Timestamp" => {
                refuse_zone(obj)?;
                return numpy_scalar(&obj.getattr("asm8")?);
            }
            "Timedelta" => return numpy_scalar(&obj.getattr("asm8")?),
            "Interval" => {
                return label::interval(obj)?
                    .to_scalar()
                    .map(Item::Typed)
                    .ok_or_else(|| mismatch("an Interval", DataType::Struct));
            }
            _ => {}
        }
    }
    if module == "numpy" && obj.hasattr("dtype")? && !obj.hasattr("__len__")? {
        return numpy_scalar(obj);
    }
    if name == "Decimal" && module == "decimal" {
        return Ok(decimal(obj)?.map_or(Item::Null, Item::Typed));
    }
    if obj.is_instance_of::<PyDateTime>() {
        refuse_zone(obj)?;
        let part = |name| obj.getattr(name)?.extract::<i64>();
        let seconds = (days_of(obj)? * 24 + part("hour")?) * 3600 + part("minute")? * 60 + part("second")?;
        let micros = seconds * 1_000_000 + part("microsecond")?;
        return typed(DataType::Timestamp(TimeUnit::Microseconds), micros);
    }
    if obj.is_instance_of::<PyDate>() {
        return typed(DataType::Timestamp(TimeUnit::Days), days_of(obj)?);
    }
    if obj.is_instance_of::<PyDelta>() {
        let part = |name| obj.getattr(name)?.extract::<i64>();
        let seconds = part("days")? * 86_400 + part("seconds")?;
        let micros = seconds.checked_mul(1_000_000).and_then(|m| m.checked_add(part("microseconds").ok()?));
        let micros = micros.ok_or_else(|| PyOverflowError::new_err(format!("{obj} in microseconds")))?;
        return typed(DataType::Duration(TimeUnit::Microseconds), micros);
    }
    // Subclasses of the plain types, such as enums of integers.
    if let Ok(value) = obj.cast::<PyFloat>() {
        return Ok(Item::Float(value.value()));
    }
    if obj.is_instance_of::<PyInt>() {
        return integer(obj);
    }
    if let Ok(text) = obj.cast::<PyString>() {
        return Ok(Item::Str(text.clone()));
    }
    Err(PyTypeError::new_err(format!("a value of type '{}' cannot be an element of a column", class.name()?)))
}

/// Whether an object is pandas' `Interval`.
pub fn is_interval(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = obj.get_type();
    let module = class.module()?;
    let module = module.to_str()?;
    Ok(class.name()?.to_str()? == "Interval" && (module == "pandas" || module.starts_with("pandas.")))
}

/// The digits of a `decimal.Decimal` with their sign (`None`: more than fit 128 bits) and the power of ten that
/// they are multiplied by; `None` for one that is not finite.
pub fn decimal_digits(obj: &Bound<'_, PyAny>) -> PyResult<Option<(Option<i128>, i32)>> {
    if !obj.call_method0("is_finite")?.is_truthy()? {
        return Ok(None);
    }
    let (sign, digits, exponent): (u8, Vec<u8>, i32) = obj.call_method0("as_tuple")?.extract()?;
    let value = digits.iter().try_fold(0i128, |n, &digit| n.checked_mul(10)?.checked_add(digit.into()));
    Ok(Some((value.map(|n| if sign == 1 { -n } else { n }), exponent)))
}

/// A decimal of its own digits; `None` for one that is no number.
fn decimal(obj: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    let Some((digits, exponent)) = decimal_digits(obj)? else {
        if obj.call_method0("is_nan")?.is_truthy()? {
            return Ok(None);
        }
        return Err(PyOverflowError::new_err(format!("{obj} is no decimal of 128 bits")));
    };
    let unfit = || PyOverflowError::new_err(format!("{obj} has more than the 38 digits of a decimal"));
    let mut stored = digits.ok_or_else(unfit)?;
    let mut scale = exponent;
    if exponent > 0 {
        let power = u32::try_from(exponent).ok().and_then(|exponent| 10i128.checked_pow(exponent));
        stored = power.and_then(|power| stored.checked_mul(power)).ok_or_else(unfit)?;
        scale = 0;
    }
    if stored.unsigned_abs() >= 10u128.pow(38) {
        return Err(unfit());
    }
    Scalar::new(DataType::Decimal128(scale), Value::Decimal(stored)).py().map(Some)
}

fn typed<'py>(data_type: DataType, value: i64) -> PyResult<Item<'py>> {
    Scalar::new(data_type, Value::Int(value)).py().map(Item::Typed)
}

fn integer<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Item<'py>> {
    if let Ok(value) = obj.extract::<i64>() {
        return Ok(Item::Int(value));
    }
    obj.extract::<u64>().map(Item::UInt).map_err(|_| {
        let text = obj.str().map_or_else(|_| "the integer".to_owned(), |t| shorten(&t.to_string_lossy()));
        PyOverflowError::new_err(format!("{text} does not fit 64 bits"))
    })
}

fn shorten(text: &str) -> String {
    if text.len() <= 40 { text.to_owned() } else { format!("{}… ({} digits)", &text[..20], text.len()) }
}

/// A scalar argument that is to stand among the elements of `columns`, as [`from_py`] has it: one of NumPy's keeps its
/// type there. An instant, which has a zone, is a text in UTC, as
/// columns of instants read it (`cuprum::types::instant_beside`); for others it is refused.
pub fn for_columns(obj: &Bound<'_, PyAny>, columns: &[TypedColumn]) -> PyResult<Scalar> {
    if instant(obj)?.is_none() {
        let Literal { scalar, weak } = from_py(obj)?;
        return Ok(scalar.keeping_type(!weak));
    }
    fn zoned(dtype: &Dtype) -> bool {
        match dtype {
            Dtype::Datetime(kind) => kind.zone.is_some(),
            Dtype::Categorical(kind) => zoned(&kind.value_type()),
            _ => false,
        }
    }
    if columns.is_empty() {
        return Err(PyTypeError::new_err(format!("{obj} has a time zone, which is not taken here")));
    }
    if let Some(other) = columns.iter().find(|column| !zoned(column.dtype())) {
        return Err(PyTypeError::new_err(format!(
            "{obj} has a time zone: it is no value for a column of type {}",
            other.dtype()
        )));
    }
    let text = obj.call_method1("astimezone", (utc(obj.py())?,))?.call_method0("isoformat")?;
    Ok(Scalar::string(text.extract::<String>()?))
}

fn utc(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("datetime")?.getattr("timezone")?.getattr("utc")
}

/// The name of the zone of an instant.
pub fn zone_of(obj: &Bound<'_, PyAny>) -> PyResult<String> {
    let zones = obj.py().import("cuprum.core.zones")?;
    zones.call_method1("zone_name", (obj.getattr("tzinfo")?,))?.extract()
}

/// An instant, which has a zone, as a timestamp in UTC; `None` for everything else.
pub fn instant(obj: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    if !obj.is_instance_of::<PyDateTime>() {
        return Ok(None);
    }
    if obj.getattr("tzinfo")?.is_none() || obj.call_method0("utcoffset")?.is_none() {
        return Ok(None);
    }
    let utc = if obj.hasattr("asm8")? {
        // pandas keeps nanoseconds.
        return match numpy_scalar(&obj.getattr("asm8")?)? {
            Item::Typed(scalar) => Ok(Some(scalar)),
            _ => Ok(None),
        };
    } else {
        obj.call_method1("astimezone", (utc(obj.py())?,))?
    };
    let kwargs = PyDict::new(obj.py());
    kwargs.set_item("tzinfo", obj.py().None())?;
    match classify(&utc.call_method("replace", (), Some(&kwargs))?)? {
        Item::Typed(scalar) => Ok(Some(scalar)),
        _ => Ok(None),
    }
}

fn refuse_zone(obj: &Bound<'_, PyAny>) -> PyResult<()> {
    let zone = obj.getattr("tzinfo")?;
    if zone.is_none() || obj.call_method0("utcoffset")?.is_none() {
        return Ok(());
    }
    Err(PyNotImplementedError::new_err(format!(
        "{obj} has the time zone {zone}, which is not taken here: convert to UTC and drop the zone"
    )))
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar.
fn days_of(date: &Bound<'_, PyAny>) -> PyResult<i64> {
    Ok(date.call_method0("toordinal")?.extract::<i64>()? - DAY_OF_1970)
}

/// Python's ordinal of 1970-01-01.
const DAY_OF_1970: i64 = 719_163;

/// A NumPy scalar (`numpy.int8(3)`, `numpy.datetime64(…)`), which keeps its type.
fn numpy_scalar<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Item<'py>> {
    let descr = obj.getattr("dtype")?;
    let code = descr.getattr("str")?.extract::<String>()?;
    match code.as_bytes().get(1) {
        Some(b'M' | b'm') => {
            let (data_type, obj) = array_interface::in_known_unit(obj, &code)?;
            match obj.call_method1("astype", ("int64",))?.extract::<i64>()? {
                i64::MIN => Ok(Item::Typed(Scalar::null(data_type))),
                value => typed(data_type, value),
            }
        }
        Some(b'U') => classify(&obj.call_method0("item")?),
        _ => {
            let Some(data_type) = dtype::parse_storage(&descr)?.filter(|t| t.is_numeric()) else {
                return Err(PyTypeError::new_err(format!(
                    "NumPy's {descr} cannot be an element of a column"
                )));
            };
            numpy_scalar::learn(obj.py())?;
            numpy_number(obj, data_type)
        }
    }
}

/// A NumPy scalar that is a number or a truth value of a type.
fn numpy_number<'py>(obj: &Bound<'py, PyAny>, data_type: DataType) -> PyResult<Item<'py>> {
    let value = match obj.cast::<PyFloat>() {
        Ok(float) => Value::Float(float.value()),
        Err(_) => match classify(&obj.call_method0("item")?)? {
            Item::Bool(b) => Value::Bool(b),
            Item::Int(i) => Value::Int(i),
            Item::UInt(u) => Value::UInt(u),
            Item::Float(f) => Value::Float(f),
            other => return Ok(other),
        },
    };
    Scalar::new(data_type, value).py().map(Item::Typed)
}

/// A scalar argument; fails with `TypeError` for an object that is no scalar.
pub fn from_py(obj: &Bound<'_, PyAny>) -> PyResult<Literal> {
    let item = classify(obj).or_else(|error| match element_of_array(obj)? {
        Some(element) => classify(&element),
        None => Err(error),
    })?;
    let (scalar, weak) = match item {
        Item::Null => (Scalar::null(DataType::Float64), true),
        Item::NaT => (Scalar::null(DataType::Timestamp(TimeUnit::Nanoseconds)), true),
        Item::Bool(b) => (Scalar::from(b), true),
        Item::Int(i) => (Scalar::from(i), true),
        Item::UInt(u) => (Scalar::from(u), true),
        Item::Float(f) => (Scalar::from(f), true),
        Item::Str(text) => (Scalar::string(text.to_str()?), false),
        Item::Typed(scalar) => (scalar, false),
    };
    Ok(Literal { scalar, weak })
}

/// The element of NumPy's array of no dimension; `None` for other objects.
fn element_of_array<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let class = obj.get_type();
    if class.module()? != "numpy" || class.name()? != "ndarray" || obj.getattr("ndim")?.ne(0)? {
        return Ok(None);
    }
    obj.get_item(PyTuple::empty(obj.py())).map(Some)
}

/// A scalar that an operator puts beside columns: as in pandas numbers of NumPy are Python's there, whose type yields.
pub fn operand(obj: &Bound<'_, PyAny>) -> PyResult<Scalar> {
    let scalar = from_py(obj)?.scalar;
    let number = scalar.data_type().is_numeric() && !scalar.is_null();
    Ok(match scalar.value() {
        Value::Int(value) if number => Scalar::from(*value),
        Value::UInt(value) if number => i64::try_from(*value).map_or(Scalar::from(*value), Scalar::from),
        Value::Float(value) if number => Scalar::from(*value),
        _ => scalar,
    })
}

/// A scalar of `data_type` from an object whose value it can hold exactly (times may be given in
/// another unit); missing values become null, but `NaT` is no number. A NaN stays a NaN in a float type and
/// is missing in every other.
pub fn from_py_as(obj: &Bound<'_, PyAny>, data_type: DataType) -> PyResult<Scalar> {
    item_as(&classify(obj)?, data_type)
}

/// See [`from_py_as`].
pub fn item_as(item: &Item<'_>, data_type: DataType) -> PyResult<Scalar> {
    let value = match item {
        Item::NaT if data_type.is_numeric() => return Err(mismatch(&item.describe(), data_type)),
        Item::Null | Item::NaT => Value::Null,
        Item::Float(f) if f.is_nan() && !data_type.is_float() => Value::Null,
        Item::Bool(b) => Value::Bool(*b),
        Item::Int(i) => Value::Int(*i),
        Item::UInt(u) => Value::UInt(*u),
        Item::Float(f) if data_type.is_integer() && f.fract() == 0.0 && f.abs() < 2f64.powi(63) => {
            Value::Int(*f as i64)
        }
        Item::Float(f) => Value::Float(*f),
        Item::Str(text) => return in_type(Value::String(text.to_str()?.into()), data_type, "str"),
        Item::Typed(scalar) => return typed_as(scalar, data_type),
    };
    if (data_type.is_timestamp() || data_type.is_duration()) && value != Value::Null {
        return Err(mismatch(&item.describe(), data_type));
    }
    in_type(value, data_type, &item.describe())
}

fn in_type(value: Value, data_type: DataType, what: &str) -> PyResult<Scalar> {
    match Scalar::new(data_type, value) {
        Err(error) if error.kind() == cuprum_column::ErrorKind::DataType => Err(mismatch(what, data_type)),
        other => other.py(),
    }
}

fn mismatch(what: &str, data_type: DataType) -> PyErr {
    PyTypeError::new_err(format!("{what} is not a value of type {data_type}"))
}

fn typed_as(scalar: &Scalar, data_type: DataType) -> PyResult<Scalar> {
    let from = scalar.data_type();
    if from == data_type {
        return Ok(scalar.clone());
    }
    match (from, data_type) {
        (DataType::Timestamp(a), DataType::Timestamp(b)) | (DataType::Duration(a), DataType::Duration(b)) => {
            let Some(value) = scalar.as_i64() else { return Ok(Scalar::null(data_type)) };
            Scalar::new(data_type, Value::Int(change_unit(value, a, b).py()?)).py()
        }
        (DataType::Timestamp(_) | DataType::Duration(_), _)
        | (_, DataType::Timestamp(_) | DataType::Duration(_)) => {
            Err(mismatch(&format!("a {from}"), data_type))
        }
        _ => match scalar.value() {
            Value::Float(f) => item_as(&Item::Float(*f), data_type),
            value => in_type(value.clone(), data_type, &format!("a {from}")),
        },
    }
}

/// A time in another unit, exactly: fails where it lies between two ticks or beyond the range.
pub fn change_unit(value: i64, from: TimeUnit, to: TimeUnit) -> cuprum_column::Result<i64> {
    let (a, b) = (i128::from(from.per_day()), i128::from(to.per_day()));
    let exact = i128::from(value) * b;
    if exact % a != 0 {
        return Err(Error::invalid_argument(format!(
            "a time of {value} {} lies between two ticks of {}",
            from.code(),
            to.code()
        )));
    }
    i64::try_from(exact / a)
        .map_err(|_| Error::overflow(format!("a time of {value} {} in {}", from.code(), to.code())))
}

/// A scalar as a Python object: `bool`, `int`, `float`, `str`, NumPy's `datetime64` and
/// `timedelta64`, `Decimal`; a list is a list, a struct a dict of its fields by number; null is `None`.
pub fn to_py<'py>(py: Python<'py>, scalar: &Scalar) -> PyResult<Bound<'py, PyAny>> {
    static DATETIME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static TIMEDELTA: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = match scalar.data_type() {
        DataType::Timestamp(unit) => Some((DATETIME.import(py, "numpy", "datetime64")?, unit)),
        DataType::Duration(unit) => Some((TIMEDELTA.import(py, "numpy", "timedelta64")?, unit)),
        _ => None,
    };
    Ok(match (scalar.value(), class) {
        (Value::Null, _) => py.None().into_bound(py),
        (Value::Int(i), Some((class, unit))) => class.call1((*i, unit.code()))?,
        (Value::Bool(b), _) => PyBool::new(py, *b).to_owned().into_any(),
        (Value::Int(i), None) => i.into_pyobject(py)?.into_any(),
        (Value::UInt(u), _) => u.into_pyobject(py)?.into_any(),
        (Value::Float(f), _) => PyFloat::new(py, *f).into_any(),
        (Value::String(text), _) => PyString::new(py, text).into_any(),
        (Value::Decimal(_), _) => DECIMAL.import(py, "decimal", "Decimal")?.call1((scalar.to_string(),))?,
        (Value::Nested(row), _) => nested_to_py(py, row)?,
    })
}

/// A value of a column of a frame as a Python object: as [`to_py`] has it, but times are pandas' `Timestamp` and
/// `Timedelta`; structs are dicts, binary values bytes.
pub fn value_to_py<'py>(py: Python<'py>, dtype: &Dtype, scalar: &Scalar) -> PyResult<Bound<'py, PyAny>> {
    static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static TIMESTAMP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static TIMEDELTA: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    match (dtype, scalar.value()) {
        _ if scalar.is_null() => Ok(py.None().into_bound(py)),
        (Dtype::Date(_), Value::Int(days)) => day_to_py(py, *days),
        (Dtype::Period(kind), Value::Int(ordinal)) => {
            static PERIOD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            PERIOD.import(py, "cuprum.core.scalars", "period")?.call1((*ordinal, kind.to_string()))
        }
        (Dtype::Datetime(Datetime { unit, zone }), Value::Int(ticks))
            if scalar.data_type().is_timestamp() =>
        {
            let make = TIMESTAMP.import(py, "cuprum.core.scalars", "timestamp")?;
            make.call1((*ticks, unit.code(), zone.as_deref()))
        }
        (Dtype::Timedelta(Timedelta { unit }), Value::Int(ticks)) if scalar.data_type().is_duration() => {
            let make = TIMEDELTA.import(py, "cuprum.core.scalars", "timedelta")?;
            make.call1((*ticks, unit.code()))
        }
        (Dtype::Decimal(_), Value::Decimal(_)) => {
            DECIMAL.import(py, "decimal", "Decimal")?.call1((scalar.to_string(),))
        }
        (Dtype::Binary(_), Value::Nested(row)) => {
            let elements = row.elements().and_then(|elements| elements.to_host()).py()?;
            let view = elements.view().py()?;
            Ok(PyBytes::new(py, view.values::<u8>().py()?).into_any())
        }
        (Dtype::Categorical(kind), _) => value_to_py(py, &kind.value_type(), scalar),
        (Dtype::Interval(_), Value::Nested(_)) => label::to_py(py, &Label::of(dtype, scalar).py()?),
        (Dtype::List(list), Value::Nested(row)) => {
            let elements = row.elements().and_then(|elements| elements.to_host()).py()?;
            let of = |i| value_to_py(py, list.element(), &elements.get(i).py()?);
            Ok(PyList::new(py, (0..elements.len()).map(of).collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        (Dtype::Struct(kind), Value::Nested(row)) => {
            let fields = PyDict::new(py);
            for (i, field) in kind.fields().iter().enumerate() {
                let value = row.field(i).and_then(|field| field.get(0)).py()?;
                fields.set_item(&field.name, value_to_py(py, &field.dtype, &value)?)?;
            }
            Ok(fields.into_any())
        }
        _ => to_py(py, scalar),
    }
}

/// The values of a column of a frame as Python objects, `null` for missing ones.
pub fn typed_list<'py>(
    py: Python<'py>,
    column: &TypedColumn,
    null: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    if is_object(column) {
        return objects_of(py, column, null);
    }
    let host = cuprum::Context::beside(cuprum_runtime::Device::Cpu).py()?;
    let column = column.placed(&host).and_then(|column| column.decoded()).py()?;
    let is_time = matches!(column.dtype(), Dtype::Datetime(_) | Dtype::Timedelta(_));
    if let Dtype::Date(_) = column.dtype() {
        return list_of_days(py, column.data().py()?, null);
    }
    if column.dtype().is_plain() && !is_time {
        return sequence::list_from_column(py, column.data().py()?, null);
    }
    match column.dtype() {
        Dtype::List(kind) => return lists(py, column.data().py()?, kind.element(), null),
        Dtype::Struct(kind) => return dicts(py, column.data().py()?, kind, null),
        _ => {}
    }
    let value = |row| {
        let value = column.get(row).py()?;
        if value.is_null() { Ok(null.clone()) } else { value_to_py(py, column.dtype(), &value) }
    };
    PyList::new(py, (0..column.len()).map(value).collect::<PyResult<Vec<_>>>()?)
}

/// The inner values of a nested column as Python objects, None for missing ones.
fn inner_list<'py>(py: Python<'py>, dtype: &Dtype, data: Column) -> PyResult<Bound<'py, PyList>> {
    let column = match data.data_type() {
        DataType::Dictionary32 => TypedColumn::from(data),
        _ => TypedColumn::new(dtype.clone(), data).py()?,
    };
    typed_list(py, &column, &py.None().into_bound(py))
}

/// Lists of a column as Python's, `null` for missing ones: the elements of all of them are made at once.
fn lists<'py>(
    py: Python<'py>,
    column: &Column,
    element: &Dtype,
    null: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let view = column.view().py()?;
    let (validity, lists) = (view.validity(), view.lists().py()?);
    let elements = inner_list(py, element, column.elements().py()?)?;
    let _still = NoCollection::begin();
    let first = if column.is_empty() { 0 } else { lists.range(0).start };
    let list = |row| match validity {
        Some(bits) if !bits.get(row) => null.clone(),
        _ => {
            let range = lists.range(row);
            elements.get_slice(range.start - first, range.end - first).into_any()
        }
    };
    PyList::new(py, (0..column.len()).map(list))
}

/// Structs of a column as dicts, `null` for missing ones: the values of each field are made at once.
fn dicts<'py>(
    py: Python<'py>,
    column: &Column,
    kind: &Struct,
    null: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let view = column.view().py()?;
    let validity = view.validity();
    let fields = kind.fields().iter().enumerate().map(|(at, field)| {
        let values = inner_list(py, &field.dtype, column.field(at).py()?)?;
        Ok((PyString::intern(py, &field.name), values))
    });
    let fields = fields.collect::<PyResult<Vec<_>>>()?;
    let _still = NoCollection::begin();
    let dict = |row| match validity {
        Some(bits) if !bits.get(row) => Ok(null.clone()),
        _ => {
            let dict = PyDict::new(py);
            for (name, values) in &fields {
                dict.set_item(name, values.get_item(row)?)?;
            }
            Ok(dict.into_any())
        }
    };
    PyList::new(py, (0..column.len()).map(dict).collect::<PyResult<Vec<_>>>()?)
}

/// No collection of cycles as long as it lives: among objects that are being made there are none, and many of them would
/// be looked through again and again.
struct NoCollection {
    was_on: bool,
}

impl NoCollection {
    fn begin() -> Self {
        // SAFETY: the interpreter is attached, as whoever makes objects of it is.
        Self { was_on: unsafe { ffi::PyGC_Disable() } == 1 }
    }
}

impl Drop for NoCollection {
    fn drop(&mut self) {
        if self.was_on {
            // SAFETY: the interpreter is attached, as whoever makes objects of it is.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

/// Days of a column as Python's `datetime.date`.
fn list_of_days<'py>(
    py: Python<'py>,
    days: &Column,
    null: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let view = days.view().py()?;
    let validity = view.validity();
    let day = |(row, day): (usize, &i32)| match validity {
        Some(bits) if !bits.get(row) => Ok(null.clone()),
        _ => day_to_py(py, i64::from(*day)),
    };
    let days = view.values::<i32>().py()?.iter().enumerate().map(day);
    PyList::new(py, days.collect::<PyResult<Vec<_>>>()?)
}

/// A day since 1970 as Python's `datetime.date`; `OverflowError` for one outside of the years 1 to 9999.
fn day_to_py(py: Python<'_>, days: i64) -> PyResult<Bound<'_, PyAny>> {
    static DATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = DATE.import(py, "datetime", "date")?;
    class.call_method1("fromordinal", (days + DAY_OF_1970,)).map_err(|_| {
        PyOverflowError::new_err(format!("the day {days} since 1970 is in no year that datetime.date has"))
    })
}

/// A label as NumPy's scalar, if it is a number or a truth value; see [`element_to_py`].
pub fn to_numpy<'py>(py: Python<'py>, scalar: &Scalar) -> PyResult<Bound<'py, PyAny>> {
    element_to_py(py, &Dtype::plain(scalar.data_type()), scalar)
}

/// A value of a column of a frame as an element of a NumPy array: numbers and truth values are NumPy's scalars
/// of their type; all others as [`value_to_py`] has them.
pub fn element_to_py<'py>(py: Python<'py>, dtype: &Dtype, scalar: &Scalar) -> PyResult<Bound<'py, PyAny>> {
    if let Dtype::Period(_) = dtype {
        return value_to_py(py, dtype, scalar);
    }
    match numpy_scalar::number(py, scalar)? {
        Some(number) => Ok(number),
        None => value_to_py(py, dtype, scalar),
    }
}

/// The only row of a list or struct column.
fn nested_to_py<'py>(py: Python<'py>, row: &Column) -> PyResult<Bound<'py, PyAny>> {
    if row.has_nulls() {
        return Ok(py.None().into_bound(py));
    }
    if row.data_type() == DataType::List {
        let elements = row.elements().and_then(|elements| elements.to_host()).py()?;
        return Ok(sequence::list_from_column(py, &elements, &py.None().into_bound(py))?.into_any());
    }
    let fields = PyDict::new(py);
    for i in 0..row.children().len() {
        let field = row.field(i).and_then(|field| field.get(0)).py()?;
        fields.set_item(i.to_string(), to_py(py, &field)?)?;
    }
    Ok(fields.into_any())
}
