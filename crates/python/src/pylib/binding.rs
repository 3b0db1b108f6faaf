//! The binding of the functions of `pylibcuprum`: a table of names, arguments and functions.
//!
//! [`functions!`] makes a function of Python of every line: arguments are read by their kinds ([`Argument`]),
//! whose errors name them, the work runs where `stream` and `mr` say (else where the inputs are), and what it
//! gives becomes an object ([`Returned`]). Signatures for people, with types and documentation, are those of
//! the modules in `python/pylibcuprum`.

use cuprum_column::{Column, DataType, Device, Scalar, Table};
use cuprum_compute::binaryop::Operand;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::data_type::PyDataType;
use super::memory_view::MemoryView;
use super::scalar::PyScalar;
use super::table::{PyTable, table_of};
use crate::column::PyColumn;

/// A kind of argument.
pub trait Argument: Sized {
    /// The value of the object that the argument `name` is.
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self>;

    /// The device that holds it, `None` where it has no memory there, and how many rows it has.
    fn whereabouts(&self) -> (Option<Device>, usize) {
        (None, 0)
    }
}

/// The device that work on all arguments runs on, see [`device_among`], and how many rows they have.
pub fn place_of(places: &[(Option<Device>, usize)]) -> (Device, usize) {
    let rows = places.iter().map(|place| place.1).max().unwrap_or(0);
    (device_among(places.iter().filter_map(|place| place.0)), rows)
}

/// The device that work on columns runs on: a GPU that holds one of them, the host where only that holds any, and
/// the chosen one where no column has memory, so that what it gives is where all other data are.
pub fn device_of(columns: &[Column]) -> Device {
    device_among(columns.iter().filter_map(Column::place))
}

fn device_among(mut places: impl Iterator<Item = Device>) -> Device {
    let Some(first) = places.next() else { return Device::chosen() };
    if first == Device::Cpu { places.find(|place| *place != Device::Cpu).unwrap_or(first) } else { first }
}

pub fn wrong_type(name: &str, expected: &str, object: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("`{name}` must be {expected}, not {}", object.get_type()))
}

impl Argument for Column {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let column = object.cast::<PyColumn>().map_err(|_| wrong_type(name, "a Column", object))?;
        column.borrow().stored()
    }

    fn whereabouts(&self) -> (Option<Device>, usize) {
        (self.place(), self.len())
    }
}

impl Argument for Table {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        table_of(name, object)
    }

    fn whereabouts(&self) -> (Option<Device>, usize) {
        (
            self.columns().iter().any(|column| column.place().is_some()).then(|| device_of(self.columns())),
            self.num_rows(),
        )
    }
}

impl Argument for Scalar {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let scalar = object.cast::<PyScalar>().map_err(|_| wrong_type(name, "a Scalar", object))?;
        Ok(scalar.get().0.clone())
    }
}

impl Argument for DataType {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data_type = object.cast::<PyDataType>().map_err(|_| wrong_type(name, "a DataType", object))?;
        Ok(data_type.get().0)
    }
}

impl<T: Argument> Argument for Option<T> {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_none() { Ok(None) } else { T::read(name, object).map(Some) }
    }

    fn whereabouts(&self) -> (Option<Device>, usize) {
        self.as_ref().map_or((None, 0), Argument::whereabouts)
    }
}

impl<T: Argument> Argument for Vec<T> {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let items = object.try_iter().map_err(|_| wrong_type(name, "a sequence", object))?;
        items.enumerate().map(|(i, item)| T::read(&format!("{name}[{i}]"), &item?)).collect()
    }

    fn whereabouts(&self) -> (Option<Device>, usize) {
        let places: Vec<_> = self.iter().map(Argument::whereabouts).collect();
        (places.iter().find_map(|place| place.0), places.iter().map(|place| place.1).max().unwrap_or(0))
    }
}

fn plain<T>(name: &str, expected: &str, object: &Bound<'_, PyAny>) -> PyResult<T>
where
    T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
{
    object.extract::<T>().map_err(|error| {
        if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(object.py()) {
            return PyValueError::new_err(format!("`{name}` is {object}, not {expected}"));
        }
        wrong_type(name, expected, object)
    })
}

macro_rules! plain_arguments {
    ($($t:ty: $expected:literal;)*) => {$(
        impl Argument for $t {
            fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
                plain(name, $expected, object)
            }
        }
    )*};
}

impl Argument for usize {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        plain(name, "an integer from 0 on", object)
    }

    /// Integers are mostly numbers of rows: a measure of the time of the work.
    fn whereabouts(&self) -> (Option<Device>, usize) {
        (None, *self)
    }
}

plain_arguments! {
    bool: "a bool";
    i32: "an integer of 32 bits";
    i64: "an integer of 64 bits";
    u32: "an integer from 0 to 2^32 - 1";
    u64: "an integer from 0 to 2^64 - 1";
    f64: "a float";
    String: "a str";
    char: "one character";
}

/// A column, or one value for all rows.
pub enum ColumnOr<T> {
    Column(Column),
    One(T),
}

impl<T: Argument> Argument for ColumnOr<T> {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        match object.cast::<PyColumn>() {
            Ok(column) => Ok(Self::Column(column.borrow().0.clone())),
            Err(_) => T::read(name, object).map(Self::One),
        }
    }

    fn whereabouts(&self) -> (Option<Device>, usize) {
        match self {
            Self::Column(column) => column.whereabouts(),
            Self::One(one) => one.whereabouts(),
        }
    }
}

impl ColumnOr<Scalar> {
    pub fn operand(&self) -> Operand<'_> {
        match self {
            Self::Column(column) => column.into(),
            Self::One(scalar) => scalar.into(),
        }
    }
}

/// Arguments that are choices of Python, by their numbers.
macro_rules! choices {
    ($($t:ty, $expected:literal: $($number:literal => $value:expr),* $(,)?;)*) => {$(
        impl $crate::pylib::binding::Argument for $t {
            fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
                let wrong = || $crate::pylib::binding::wrong_type(name, $expected, object);
                let number: i64 = object.extract().map_err(|_| wrong())?;
                // Other enumerations and truth values are integers too.
                let class = object.get_type();
                let is_other = class.hasattr("__members__")? && class.name()? != $expected;
                if is_other || object.is_instance_of::<pyo3::types::PyBool>() {
                    return Err(wrong());
                }
                match number {
                    $($number => Ok($value),)*
                    _ => Err(pyo3::exceptions::PyValueError::new_err(
                        format!("`{name}` is {number}, which is no {}", $expected),
                    )),
                }
            }
        }
    )*};
}
pub(crate) use choices;

/// The result of a function.
pub trait Returned: Send {
    /// The result as an object.
    fn give(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>>;
}

impl Returned for Column {
    fn give(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, PyColumn::plain(self))?.into_any())
    }
}

impl Returned for Table {
    fn give(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, PyTable::new_from(self))?.into_any())
    }
}

impl Returned for Scalar {
    fn give(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, PyScalar(self))?.into_any())
    }
}

impl Returned for MemoryView {
    fn give(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, self)?.into_any())
    }
}

macro_rules! plain_results {
    ($($t:ty),*) => {$(
        impl Returned for $t {
            fn give(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                Ok(self.into_pyobject(py)?.to_owned().into_any())
            }
        }
    )*};
}
plain_results!(bool, usize);

impl<A: Returned, B: Returned> Returned for (A, B) {
    fn give(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(PyTuple::new(py, [self.0.give(py)?, self.1.give(py)?])?.into_any())
    }
}

impl<T: Returned> Returned for Vec<T> {
    fn give(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let items = self.into_iter().map(|item| item.give(py)).collect::<PyResult<Vec<_>>>()?;
        Ok(pyo3::types::PyList::new(py, items)?.into_any())
    }
}

/// Functions of a module of Python: `name(argument: kind, …) |ctx| what is called;`, with `[rows]` before `|ctx|`
/// where the work is for more rows than an argument has or names. The module `_NAME` of the extension has them;
/// `register` adds it.
macro_rules! functions {
    ($module:literal: $(
        $name:ident($($argument:ident: $kind:ty),* $(,)?) $([$rows:expr])? |$ctx:ident| $body:expr;
    )*) => {
        $(
            #[pyfunction]
            #[pyo3(signature = ($($argument,)* stream=None, mr=None))]
            #[allow(clippy::too_many_arguments)] // As many as pylibcudf's.
            fn $name<'py>(
                py: Python<'py>,
                $($argument: &Bound<'py, PyAny>,)*
                stream: Option<$crate::rmm::stream::StreamArgument>,
                mr: Option<&Bound<'py, $crate::rmm::resource::PyResource>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                $(
                    let $argument = <$kind as $crate::pylib::binding::Argument>::read(
                        stringify!($argument),
                        $argument,
                    )?;
                )*
                let places = [$($crate::pylib::binding::Argument::whereabouts(&$argument)),*];
                let (device, rows) = $crate::pylib::binding::place_of(&places);
                $(let rows = rows.max($rows);)?
                let ctx = $crate::rmm::context(device, stream, mr)?;
                let operation = concat!($module, ".", stringify!($name));
                let result = $crate::run::run_on(py, operation, rows, ctx, move |$ctx| $body)?;
                $crate::pylib::binding::Returned::give(result, py)
            }
        )*

        /// Adds the module of these functions.
        pub fn register(parent: &Bound<'_, PyModule>) -> PyResult<()> {
            let module = PyModule::new(parent.py(), concat!("_", $module))?;
            $(module.add_function(wrap_pyfunction!($name, &module)?)?;)*
            parent.add(concat!("_", $module), module)
        }
    };
}
pub(crate) use functions;
