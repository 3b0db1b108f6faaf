//! Columns of frames from Python's lists, dicts, decimals and bytes, and the dtypes that they have.

use cuprum::types::{Binary, Datetime, Decimal, Field, List, Struct};
use cuprum::{Dtype, TypedColumn};
use cuprum_column::nested::offsets_from_lengths;
use cuprum_column::null_mask::MaskBuilder;
use cuprum_column::{Column, Context, DataType, Device, Scalar, TimeUnit};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::errors::IntoPyResult;
use crate::pylib::nested_sequence::{self, Containers, Names, is_decimal};
use crate::scalar::{self, Item};
use crate::sequence;

/// A column, in host memory, of the elements of a list whose first value is a list, a dict, a decimal, an interval or bytes; `None` for
/// others. Dicts become structs with the names of their keys, in order of first appearance.
pub fn column_from_objects(
    list: &Bound<'_, PyList>,
    containers: Containers,
) -> PyResult<Option<TypedColumn>> {
    let Some(first) = list.iter().find(|obj| !obj.is_none()) else { return Ok(None) };
    if let Some(column) = instants(list)? {
        return Ok(Some(column));
    }
    if let Some(column) = intervals(list)? {
        return Ok(Some(column));
    }
    if first.is_instance_of::<PyBytes>() {
        return bytes(list).map(Some);
    }
    let nested = first.is_instance_of::<PyList>()
        || first.is_instance_of::<PyTuple>()
        || first.is_instance_of::<PyDict>()
        || is_decimal(&first)?;
    if !nested {
        return Ok(None);
    }
    let (column, names) = nested_sequence::column_with_names(list, containers)?;
    let dtype = dtype_of(&column, &names)?;
    TypedColumn::new(dtype, column).py().map(Some)
}

/// The type of a column whose fields have these names.
fn dtype_of(column: &Column, names: &Names<'_>) -> PyResult<Dtype> {
    match (names, column.children()) {
        (Names::List(inside), [_, elements]) => Ok(Dtype::List(List::of(dtype_of(elements, inside)?).py()?)),
        (Names::Struct(names), fields) => {
            let field = |((key, inside), column): (&(Bound<'_, PyAny>, Names<'_>), &Column)| {
                let name = key.cast::<PyString>().map_err(|_| {
                    PyTypeError::new_err(format!("the fields of structs are called by texts, not by {key}"))
                })?;
                Ok(Field { name: name.to_str()?.to_owned(), dtype: dtype_of(column, inside)? })
            };
            let fields = names.iter().zip(fields).map(field).collect::<PyResult<Vec<_>>>()?;
            Ok(Dtype::Struct(Struct::of(fields).py()?))
        }
        _ => Ok(Decimal::of(column.data_type()).map_or_else(|| Dtype::of(column), Dtype::Decimal)),
    }
}

/// Intervals of pandas, closed like the first; `None` where the first that is not missing is none.
fn intervals(list: &Bound<'_, PyList>) -> PyResult<Option<TypedColumn>> {
    let py = list.py();
    let (mut closed, left, right) = (None, PyList::empty(py), PyList::empty(py));
    for (i, obj) in list.iter().enumerate() {
        if scalar::is_interval(&obj)? {
            let of: String = obj.getattr("closed")?.extract()?;
            if closed.get_or_insert_with(|| of.clone()) != &of {
                return Err(PyTypeError::new_err("intervals must all be closed on the same side"));
            }
            left.append(obj.getattr("left")?)?;
            right.append(obj.getattr("right")?)?;
            continue;
        }
        let missing = match scalar::classify(&obj) {
            Ok(Item::NaT | Item::Null) => true,
            Ok(Item::Float(x)) => x.is_nan(),
            _ => false,
        };
        match (missing, &closed) {
            (true, _) => {
                left.append(py.None())?;
                right.append(py.None())?;
            }
            (false, None) => return Ok(None),
            (false, Some(_)) => {
                return Err(PyTypeError::new_err(format!("element {i} is {obj}, the first is an interval")));
            }
        }
    }
    let Some(closed) = closed else { return Ok(None) };
    let bounds = |list: &Bound<'_, PyList>| match column_from_objects(list, Containers::Any)? {
        Some(column) => Ok(column),
        None => Ok::<_, PyErr>(sequence::column_from_list(list, None)?.into()),
    };
    let (left, right) = (bounds(&left)?, bounds(&right)?);
    cuprum::types::intervals(&left, &right, closed.parse().py()?).map(Some).py()
}

/// Datetimes in a zone, that of the first, in the finest of their units; `None` where the first that is not
/// missing is none.
fn instants(list: &Bound<'_, PyList>) -> PyResult<Option<TypedColumn>> {
    let missing = |obj: &Bound<'_, PyAny>| {
        let is_missing = |item| match item {
            Item::NaT | Item::Null => true,
            Item::Float(value) => value.is_nan(),
            _ => false,
        };
        obj.is_none() || scalar::classify(obj).is_ok_and(is_missing)
    };
    let Some(first) = list.iter().find(|obj| !missing(obj)) else { return Ok(None) };
    if scalar::instant(&first)?.is_none() {
        return Ok(None);
    }
    let (zone, mut times) = (scalar::zone_of(&first)?, Vec::with_capacity(list.len()));
    for (i, obj) in list.iter().enumerate() {
        let time = scalar::instant(&obj)?;
        match &time {
            None if missing(&obj) => {}
            Some(_) if scalar::zone_of(&obj)? == zone => {}
            Some(_) => {
                return Err(PyTypeError::new_err(format!(
                    "element {i} is of the time zone {}, the first is of {zone}: convert all to one",
                    scalar::zone_of(&obj)?
                )));
            }
            None => {
                return Err(PyTypeError::new_err(format!(
                    "element {i} is {obj}, the first is an instant of the time zone {zone}"
                )));
            }
        }
        times.push(time);
    }
    let unit_of =
        |time: &Scalar| if let DataType::Timestamp(unit) = time.data_type() { Some(unit) } else { None };
    let unit = times.iter().flatten().filter_map(unit_of).max().unwrap_or(TimeUnit::Microseconds);
    let ticks = |time: &Option<Scalar>| {
        let Some(time) = time else { return Ok(None) };
        let (Some(from), Some(count)) = (unit_of(time), time.as_i64()) else { return Ok(None) };
        scalar::change_unit(count, from, unit).map(Some)
    };
    let ticks = times.iter().map(ticks).collect::<cuprum_column::Result<Vec<_>>>().py()?;
    let ctx = Context::beside(Device::Cpu).py()?;
    let data = Column::from_options(&ticks, &ctx).and_then(|c| c.bit_cast(DataType::Timestamp(unit))).py()?;
    let dtype = Dtype::Datetime(Datetime { unit, zone: Some(zone.into()) });
    TypedColumn::new(dtype, data).map(Some).py()
}

fn bytes(list: &Bound<'_, PyList>) -> PyResult<TypedColumn> {
    let ctx = Context::beside(Device::Cpu).py()?;
    let (mut all, mut lengths, mut mask) =
        (Vec::new(), Vec::with_capacity(list.len()), MaskBuilder::default());
    for (i, obj) in list.iter().enumerate() {
        let value = match obj.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes(),
            Err(_) if obj.is_none() => &[],
            Err(_) => {
                return Err(PyTypeError::new_err(format!("element {i} is a {}, not bytes", obj.get_type())));
            }
        };
        all.extend_from_slice(value);
        lengths.push(value.len());
        mask.push(!obj.is_none());
    }
    let offsets = offsets_from_lengths(&lengths, &ctx).py()?;
    let elements = Column::from_slice(&all, &ctx).py()?;
    let column = Column::lists(offsets, elements, mask.finish(&ctx).py()?).py()?;
    TypedColumn::new(Dtype::Binary(Binary), column).py()
}
