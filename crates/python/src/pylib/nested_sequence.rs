//! Columns of Python's lists, dicts and decimals.

use cuprum_column::nested::offsets_from_lengths;
use cuprum_column::null_mask::{self, MaskBuilder};
use cuprum_column::types::Storage;
use cuprum_column::validate::MAX_DEPTH;
use cuprum_column::{Column, Context, DataType, Device, HostUVec, Native, Scalar, Value, dispatch_storage};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyTuple};

use crate::errors::IntoPyResult;
use crate::scalar::{self, Item};
use crate::sequence;

/// The kind of column that the elements of a sequence become.
enum Kind {
    Lists,
    Structs,
    /// Of the given type, or the widest with the scale that loses nothing.
    Decimals(Option<DataType>),
    /// A kind that [`sequence`] knows.
    Plain,
}

/// A column in host memory of the elements of a list, which may be lists (tuples), dicts and decimals
/// beside all that [`sequence::column_from_list`] takes.
///
/// Lists become lists of whatever is inside all of them together. Dicts become structs whose fields are
/// all keys in the order in which they first appear; a key that a dict lacks is null there. Decimals
/// become decimal128 of the smallest scale among them. `data_type` may name the outermost type; what is
/// inside follows from the elements.
pub fn column_from_objects(list: &Bound<'_, PyList>, data_type: Option<DataType>) -> PyResult<Column> {
    let given = data_type.map_or(Given::Nothing, Given::Type);
    Ok(column_within(list, given, Containers::Any, MAX_DEPTH)?.0)
}

/// [`column_from_objects`] where a type that is neither of lists nor of structs is that of the innermost elements, of
/// lists to any depth.
pub fn column_of_elements(list: &Bound<'_, PyList>, data_type: Option<DataType>) -> PyResult<Column> {
    match data_type {
        Some(t) if !matches!(t, DataType::List | DataType::Struct) => {
            Ok(column_within(list, Given::Innermost(t), Containers::Any, MAX_DEPTH)?.0)
        }
        _ => column_from_objects(list, data_type),
    }
}

/// The column of [`column_from_objects`], and the names of the fields in it.
pub fn column_with_names<'py>(
    list: &Bound<'py, PyList>,
    containers: Containers,
) -> PyResult<(Column, Names<'py>)> {
    column_within(list, Given::Nothing, containers, MAX_DEPTH)
}

/// The containers that become lists and structs; others are a `TypeError`.
#[derive(Clone, Copy, PartialEq)]
pub enum Containers {
    /// Lists, tuples and dicts, and their subclasses.
    Any,
    /// Those that a column gives back as they were: lists, and dicts that have the same keys.
    Kept,
}

/// The names of the fields of structs, at any depth, which the types of columns lack.
pub enum Names<'py> {
    None,
    List(Box<Self>),
    Struct(Vec<(Bound<'py, PyAny>, Self)>),
}

/// The type that is given for a list of elements.
#[derive(Clone, Copy)]
enum Given {
    Nothing,
    Type(DataType),
    /// The type of the innermost elements, where the elements are lists.
    Innermost(DataType),
}

fn column_within<'py>(
    list: &Bound<'py, PyList>,
    given: Given,
    containers: Containers,
    depth: usize,
) -> PyResult<(Column, Names<'py>)> {
    if depth == 0 {
        return Err(PyValueError::new_err(format!("the values are nested deeper than {MAX_DEPTH} levels")));
    }
    let data_type = match given {
        Given::Innermost(_) if list.iter().find(|obj| !is_missing(obj)).is_some_and(|obj| is_list(&obj)) => {
            return lists(list, given, containers, depth);
        }
        Given::Innermost(data_type) | Given::Type(data_type) => Some(data_type),
        Given::Nothing => None,
    };
    let column = match kind_of(list, data_type)? {
        Kind::Lists => return lists(list, Given::Nothing, containers, depth),
        Kind::Structs => return structs(list, containers, depth),
        Kind::Decimals(data_type) => decimals(list, data_type),
        Kind::Plain if data_type == Some(DataType::Empty) => nothing(list),
        Kind::Plain => sequence::column_from_list(list, data_type),
    };
    Ok((column?, Names::None))
}

fn kind_of(list: &Bound<'_, PyList>, data_type: Option<DataType>) -> PyResult<Kind> {
    match data_type {
        Some(DataType::List) => return Ok(Kind::Lists),
        Some(DataType::Struct) => return Ok(Kind::Structs),
        Some(t) if t.is_decimal() => return Ok(Kind::Decimals(Some(t))),
        Some(_) => return Ok(Kind::Plain),
        None => {}
    }
    for obj in list.iter() {
        if is_list(&obj) {
            return Ok(Kind::Lists);
        }
        if obj.is_instance_of::<PyDict>() {
            return Ok(Kind::Structs);
        }
        if is_decimal(&obj)? {
            return Ok(Kind::Decimals(None));
        }
        if !is_missing(&obj) {
            return Ok(Kind::Plain);
        }
    }
    Ok(Kind::Plain)
}

fn is_list(obj: &Bound<'_, PyAny>) -> bool {
    obj.is_instance_of::<PyList>() || obj.is_instance_of::<PyTuple>()
}

pub fn is_decimal(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = obj.get_type();
    Ok(class.name()? == "Decimal" && class.module()?.to_str()?.ends_with("decimal"))
}

fn is_missing(obj: &Bound<'_, PyAny>) -> bool {
    obj.is_none() || matches!(scalar::classify(obj), Ok(Item::Null | Item::NaT))
}

fn mismatch(i: usize, obj: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    PyTypeError::new_err(format!("element {i} is a {}, not {expected}", obj.get_type()))
}

/// Python's objects are read into host memory.
fn host() -> PyResult<Context> {
    Context::beside(Device::Cpu).py()
}

/// Empty, or nothing but missing values.
fn nothing(list: &Bound<'_, PyList>) -> PyResult<Column> {
    for (i, obj) in list.iter().enumerate() {
        if !is_missing(&obj) {
            return Err(mismatch(i, &obj, "a missing value"));
        }
    }
    Column::nulls(DataType::Empty, list.len(), &host()?).py()
}

/// Lists; `given` is the type of the innermost elements, or nothing.
fn lists<'py>(
    list: &Bound<'py, PyList>,
    given: Given,
    containers: Containers,
    depth: usize,
) -> PyResult<(Column, Names<'py>)> {
    let mut elements = Vec::new();
    let mut lengths = Vec::with_capacity(list.len());
    let mut mask = MaskBuilder::default();
    for (i, obj) in list.iter().enumerate() {
        let before = elements.len();
        let is_list = match obj.cast_exact::<PyList>() {
            Ok(list) => {
                elements.extend(list.iter());
                true
            }
            Err(_) if is_list(&obj) && containers == Containers::Any => {
                elements.extend(sequence::list_of(&obj)?.iter());
                true
            }
            Err(_) if is_missing(&obj) => false,
            Err(_) => return Err(mismatch(i, &obj, "a list")),
        };
        mask.push(is_list);
        lengths.push(elements.len() - before);
    }
    // Nothing inside says no type.
    let inside = match given {
        Given::Nothing if elements.is_empty() => Given::Type(DataType::Empty),
        given => given,
    };
    let elements = PyList::new(list.py(), elements)?;
    let (elements, names) = column_within(&elements, inside, containers, depth - 1)?;
    let ctx = host()?;
    let offsets = offsets_from_lengths(&lengths, &ctx).py()?;
    let column = Column::lists(offsets, elements, mask.finish(&ctx).py()?).py()?;
    Ok((column, Names::List(Box::new(names))))
}

fn structs<'py>(
    list: &Bound<'py, PyList>,
    containers: Containers,
    depth: usize,
) -> PyResult<(Column, Names<'py>)> {
    let mut mask = MaskBuilder::default();
    for (i, obj) in list.iter().enumerate() {
        let is_dict = match containers {
            Containers::Any => obj.is_instance_of::<PyDict>(),
            Containers::Kept => obj.is_exact_instance_of::<PyDict>(),
        };
        if !is_dict && !is_missing(&obj) {
            return Err(mismatch(i, &obj, "a dict"));
        }
        mask.push(is_dict);
    }
    let (mut names, mut fields) = (Vec::new(), Vec::new());
    for (key, values) in fields_of(list, containers)? {
        let (field, inside) = column_within(&values, Given::Nothing, containers, depth - 1)?;
        names.push((key, inside));
        fields.push(field);
    }
    let column = Column::structs(list.len(), fields, mask.finish(&host()?).py()?).py_argument()?;
    Ok((column, Names::Struct(names)))
}

/// The keys of all dicts of a list in the order in which they first appear, and what each element of the list has for
/// them: None where it lacks one, and where it is no dict.
fn fields_of<'py>(list: &Bound<'py, PyList>, containers: Containers) -> PyResult<Vec<Field<'py>>> {
    let py = list.py();
    if let Some(fields) = fields_of_like(list)? {
        return Ok(fields);
    }
    let names = PyDict::new(py);
    for obj in list.iter() {
        let Ok(dict) = obj.cast::<PyDict>() else { continue };
        // A copy: comparing keys may run code that changes the dict.
        for (key, _) in dict.copy()? {
            names.set_default(key, py.None())?;
        }
    }
    if containers == Containers::Kept {
        for (i, obj) in list.iter().enumerate() {
            if obj.cast::<PyDict>().is_ok_and(|dict| dict.len() != names.len()) {
                return Err(mismatch(i, &obj, "a dict with the keys of the others"));
            }
        }
    }
    let field = |(key, _): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
        let values = PyList::empty(py);
        for obj in list.iter() {
            let value = match obj.cast::<PyDict>() {
                Ok(dict) => dict.get_item(&key)?,
                Err(_) => None,
            };
            values.append(value)?;
        }
        Ok((key, values))
    };
    names.iter().map(field).collect()
}

/// The key of a field, and its values.
type Field<'py> = (Bound<'py, PyAny>, Bound<'py, PyList>);

/// [`fields_of`] where all dicts have the same keys in the same order, as those of one program mostly have: the keys are
/// the same objects, so that nothing is compared and no code runs. `None` for others.
fn fields_of_like<'py>(list: &Bound<'py, PyList>) -> PyResult<Option<Vec<Field<'py>>>> {
    let py = list.py();
    let Some(first) = list.iter().find_map(|obj| obj.cast_into::<PyDict>().ok()) else { return Ok(None) };
    let keys: Vec<Bound<'_, PyAny>> = first.keys().iter().collect();
    let mut values: Vec<Vec<Bound<'_, PyAny>>> =
        keys.iter().map(|_| Vec::with_capacity(list.len())).collect();
    for obj in list.iter() {
        let Ok(dict) = obj.cast::<PyDict>() else {
            for values in &mut values {
                values.push(py.None().into_bound(py));
            }
            continue;
        };
        if dict.len() != keys.len() {
            return Ok(None);
        }
        for ((own, value), (key, values)) in dict.iter().zip(keys.iter().zip(&mut values)) {
            if !own.is(key) {
                return Ok(None);
            }
            values.push(value);
        }
    }
    let fields = keys.into_iter().zip(values).map(|(key, values)| Ok((key, PyList::new(py, values)?)));
    fields.collect::<PyResult<_>>().map(Some)
}

/// Digits times 10 to the power of an exponent.
#[derive(Clone, Copy)]
struct Digits {
    value: i128,
    exponent: i32,
}

fn digits(i: usize, obj: &Bound<'_, PyAny>) -> PyResult<Option<Digits>> {
    let too_large = || PyOverflowError::new_err(format!("element {i}: {obj} needs more than 38 digits"));
    if obj.is_instance_of::<PyInt>() && !obj.is_instance_of::<PyBool>() {
        let value: i128 = obj.str()?.to_str()?.parse().map_err(|_| too_large())?;
        return Ok(Some(Digits { value, exponent: 0 }));
    }
    if !is_decimal(obj)? {
        return if is_missing(obj) { Ok(None) } else { Err(mismatch(i, obj, "a Decimal")) };
    }
    let Some((value, exponent)) = scalar::decimal_digits(obj)? else {
        return Err(PyValueError::new_err(format!("element {i}: {obj} is not finite")));
    };
    Ok(Some(Digits { value: value.ok_or_else(too_large)?, exponent }))
}

/// The integer that is stored for a value with the given scale.
fn stored(i: usize, digits: Digits, data_type: DataType) -> PyResult<i128> {
    let scale = data_type.scale();
    if digits.value == 0 {
        return Ok(0);
    }
    let shift = i64::from(digits.exponent) - i64::from(scale);
    let power = u32::try_from(shift.unsigned_abs()).ok().and_then(|n| 10i128.checked_pow(n));
    let exact = match (power, shift >= 0) {
        (Some(power), true) => digits.value.checked_mul(power),
        (Some(power), false) if digits.value % power == 0 => Some(digits.value / power),
        (_, true) => None,
        (_, false) => {
            return Err(PyValueError::new_err(format!(
                "element {i} has more digits behind the point than {data_type} keeps"
            )));
        }
    };
    exact.ok_or_else(|| PyOverflowError::new_err(format!("element {i} does not fit {data_type}")))
}

fn decimals(list: &Bound<'_, PyList>, data_type: Option<DataType>) -> PyResult<Column> {
    let values = list.iter().enumerate().map(|(i, obj)| digits(i, &obj)).collect::<PyResult<Vec<_>>>()?;
    let data_type = data_type.unwrap_or_else(|| {
        DataType::Decimal128(values.iter().flatten().map(|d| d.exponent).min().unwrap_or(0))
    });
    let stored = values.iter().enumerate().map(|(i, digits)| {
        let Some(digits) = digits else { return Ok(0) };
        let stored = stored(i, *digits, data_type)?;
        // Says what does not fit the width of the type.
        Scalar::new(data_type, Value::Decimal(stored)).py()?;
        Ok(stored)
    });
    let stored = stored.collect::<PyResult<Vec<i128>>>()?;
    let ctx = host()?;
    let mask = null_mask::from_fn(stored.len(), &ctx, |i| values[i].is_some()).py()?;
    if data_type.storage() == Storage::I128 {
        let data = HostUVec::from_slice(&stored, &ctx).py()?.into_buffer();
        return Column::from_buffer(data_type, stored.len(), data, Some(mask)).py();
    }
    dispatch_storage!(data_type, T => {
        let data = HostUVec::from_fn(stored.len(), &ctx, |i| <T as Native>::from_i64(stored[i] as i64)).py()?;
        Column::new(data_type, data, Some(mask)).py()
    }, else => Err(PyTypeError::new_err(format!("{data_type} holds no decimals"))))
}
