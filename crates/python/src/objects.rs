//! Columns of frames from Python's lists, dicts, decimals and bytes, and the dtypes that they have.

use cuprum::types::{Binary, Datetime, Decimal, Field, List, Struct};
use cuprum::{Dtype, TypedColumn};
use cuprum_column::nested::offsets_from_lengths;
use cuprum_column::null_mask::MaskBuilder;
use cuprum_column::{Column, Context, DataType, Device};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::errors::IntoPyResult;
use crate::pylib::nested_sequence::{self, is_decimal};
use crate::{scalar, sequence};

/// A column, in host memory, of the elements of a list whose first value is a list, a dict, a decimal or bytes; `None` for
/// others. Dicts become structs with the names of their keys, in order of first appearance.
pub fn column_from_objects(list: &Bound<'_, PyList>) -> PyResult<Option<TypedColumn>> {
    let Some(first) = list.iter().find(|obj| !obj.is_none()) else { return Ok(None) };
    if first.is_instance_of::<PyBytes>() {
        return bytes(list).map(Some);
    }
    if let Some((zone, _)) = scalar::clock_of_instant(&first)? {
        return instants(list, &zone).map(Some);
    }
    let nested = first.is_instance_of::<PyList>()
        || first.is_instance_of::<PyTuple>()
        || first.is_instance_of::<PyDict>()
        || is_decimal(&first)?;
    if !nested {
        return Ok(None);
    }
    let column = nested_sequence::column_from_objects(list, None)?;
    let dtype = dtype_of(list, &column)?;
    TypedColumn::new(dtype, column).py().map(Some)
}

/// What the elements of a list mean, which became `column`.
fn dtype_of(list: &Bound<'_, PyList>, column: &Column) -> PyResult<Dtype> {
    let py = list.py();
    match (column.data_type(), column.children()) {
        (DataType::List, [_, elements]) => {
            let inside = PyList::empty(py);
            for obj in list.iter().filter(|obj| !obj.is_none()) {
                inside.as_any().call_method1("extend", (obj,))?;
            }
            Ok(Dtype::List(List::of(dtype_of(&inside, elements)?)))
        }
        (DataType::Struct, fields) => {
            let names = PyDict::new(py);
            for obj in list.iter() {
                let Ok(dict) = obj.cast::<PyDict>() else { continue };
                for (key, value) in dict.copy()? {
                    if !names.contains(&key)? {
                        names.set_item(&key, PyList::empty(py))?;
                    }
                    names
                        .get_item(&key)?
                        .map_or(Ok(()), |all| all.call_method1("append", (value,)).map(|_| ()))?;
                }
            }
            let field = |((key, values), column): ((Bound<'_, PyAny>, Bound<'_, PyAny>), &Column)| {
                let name = key.cast::<PyString>().map_err(|_| {
                    PyTypeError::new_err(format!("the fields of structs are called by texts, not by {key}"))
                })?;
                let dtype = dtype_of(&values.cast_into::<PyList>()?, column)?;
                Ok(Field { name: name.to_str()?.to_owned(), dtype })
            };
            let fields = names.iter().zip(fields).map(field).collect::<PyResult<Vec<_>>>()?;
            Ok(Dtype::Struct(Struct::of(fields)))
        }
        (storage, _) => Ok(Decimal::of(storage).map_or_else(|| Dtype::of(column), Dtype::Decimal)),
    }
}

/// Instants, all of one zone.
fn instants(list: &Bound<'_, PyList>, zone: &str) -> PyResult<TypedColumn> {
    let clocks = PyList::empty(list.py());
    for (i, obj) in list.iter().enumerate() {
        match scalar::clock_of_instant(&obj)? {
            Some((other, clock)) if other == zone => clocks.append(clock)?,
            Some((other, _)) => {
                return Err(PyTypeError::new_err(format!(
                    "element {i} is of the time zone {other}, others are of {zone}: convert all to one"
                )));
            }
            None => match scalar::classify(&obj)? {
                scalar::Item::Null | scalar::Item::NaT => clocks.append(obj)?,
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "element {i} is {}, others are instants of the time zone {zone}",
                        other.describe()
                    )));
                }
            },
        }
    }
    let column = sequence::column_from_list(&clocks, None)?;
    let DataType::Timestamp(unit) = column.data_type() else {
        return Err(PyTypeError::new_err("instants are timestamps"));
    };
    TypedColumn::new(Dtype::Datetime(Datetime { unit, zone: Some(zone.into()) }), column).py()
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
