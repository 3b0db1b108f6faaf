//! Gathered values into record batches of one schema.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, LargeListArray, LargeStringArray, NullArray, PrimitiveArray,
    RecordBatch, RecordBatchOptions, StructArray,
};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType as ArrowType, Field, Schema, SchemaRef};
use cuprum_column::{Context, Error, Result};
use cuprum_runtime::parallel;

use super::values::{Fields, Plain, Values};

/// The common type of values of several parts of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Null,
    Bool,
    /// Whether one is negative.
    Int(bool),
    UInt,
    Float,
    Text,
    List(Box<Kind>),
    Struct(Vec<(String, Kind)>),
}

/// Parts of a text do not go together.
pub(super) struct Unlike;

impl Kind {
    pub(super) fn of(values: &Values) -> Self {
        match values {
            Values::Null(_) => Self::Null,
            Values::Bool(_) => Self::Bool,
            Values::Int(plain) => Self::Int(plain.values.iter().any(|&value| value < 0)),
            Values::UInt(_) => Self::UInt,
            Values::Float(_) => Self::Float,
            Values::Text(_) | Values::Raw(_) => Self::Text,
            Values::List(lists) => Self::List(Box::new(Self::of(&lists.elements))),
            Values::Struct(fields) => Self::Struct(Self::fields(fields)),
        }
    }

    pub(super) fn fields(fields: &Fields) -> Vec<(String, Self)> {
        fields.names.iter().cloned().zip(fields.values.iter().map(Self::of)).collect()
    }

    fn join(&mut self, other: Self) -> Result<(), Unlike> {
        match (&mut *self, other) {
            (Self::Null, other) => *self = other,
            (Self::Int(own), Self::Int(other)) => *own |= other,
            (Self::Int(false), Self::UInt) => *self = Self::UInt,
            (Self::Int(_) | Self::UInt, Self::Float) => *self = Self::Float,
            (_, Self::Null) | (Self::UInt, Self::Int(false)) | (Self::Float, Self::Int(_) | Self::UInt) => {}
            (Self::List(own), Self::List(other)) => own.join(*other)?,
            (Self::Struct(own), Self::Struct(other)) => join_fields(own, other)?,
            (own, other) if *own == other => {}
            _ => return Err(Unlike),
        }
        Ok(())
    }

    /// The number of columns of values in it.
    pub(super) fn leaves(&self) -> usize {
        match self {
            Self::List(elements) => elements.leaves(),
            Self::Struct(fields) => fields.iter().map(|(_, kind)| kind.leaves()).sum::<usize>().max(1),
            _ => 1,
        }
    }

    fn arrow(&self) -> ArrowType {
        match self {
            Self::Null => ArrowType::Null,
            Self::Bool => ArrowType::Boolean,
            Self::Int(_) => ArrowType::Int64,
            Self::UInt => ArrowType::UInt64,
            Self::Float => ArrowType::Float64,
            Self::Text => ArrowType::LargeUtf8,
            Self::List(elements) => {
                ArrowType::LargeList(Arc::new(Field::new("item", elements.arrow(), true)))
            }
            Self::Struct(fields) => ArrowType::Struct(arrow_fields(fields).into()),
        }
    }
}

/// Adds the fields of another part.
pub(super) fn join_fields(own: &mut Vec<(String, Kind)>, other: Vec<(String, Kind)>) -> Result<(), Unlike> {
    // Most parts have the same fields in the same order; where one has not, they are looked up.
    let mut places: Option<HashMap<String, usize>> = None;
    for (i, (name, kind)) in other.into_iter().enumerate() {
        if own.get(i).is_some_and(|(own, _)| *own == name) {
            own[i].1.join(kind)?;
            continue;
        }
        let places = places.get_or_insert_with(|| {
            own.iter().enumerate().map(|(place, (name, _))| (name.clone(), place)).collect()
        });
        if let Some(&place) = places.get(&name) {
            own[place].1.join(kind)?;
        } else {
            places.insert(name.clone(), own.len());
            own.push((name, kind));
        }
    }
    Ok(())
}

fn arrow_fields(fields: &[(String, Kind)]) -> Vec<Field> {
    fields.iter().map(|(name, kind)| Field::new(name, kind.arrow(), true)).collect()
}

/// A column of nothing but nulls at the top is one of floats.
pub(super) fn schema(mut fields: Vec<(String, Kind)>) -> (Vec<(String, Kind)>, SchemaRef) {
    for (_, kind) in &mut fields {
        if *kind == Kind::Null {
            *kind = Kind::Float;
        }
    }
    let schema = Arc::new(Schema::new(arrow_fields(&fields)));
    (fields, schema)
}

/// The rows of a part as a record batch.
pub(super) fn batch(
    rows: Fields,
    kinds: &[(String, Kind)],
    schema: &SchemaRef,
    ctx: &Context,
) -> Result<RecordBatch> {
    let len = rows.len;
    let columns = in_order(rows, kinds);
    let arrays: Vec<ArrayRef> =
        parallel::map_items(columns.into_iter().zip(kinds), ctx, |(values, (_, kind))| {
            array(values, kind, len).map_err(|e| Error::logic(e.to_string()).with_source(e))
        })?;
    let options = RecordBatchOptions::new().with_row_count(Some(len));
    RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)
        .map_err(|e| Error::logic(e.to_string()).with_source(e))
}

/// The values of the fields `kinds`, in their order.
pub(super) fn in_order(mut fields: Fields, kinds: &[(String, Kind)]) -> Vec<Values> {
    let same = fields.names.len() == kinds.len() && fields.names.iter().zip(kinds).all(|(a, (b, _))| a == b);
    if same {
        return fields.values;
    }
    let places: HashMap<&str, usize> =
        fields.names.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
    let take = |(name, _): &(String, Kind)| match places.get(name.as_str()) {
        Some(&place) => std::mem::replace(&mut fields.values[place], Values::Null(0)),
        None => Values::Null(0),
    };
    kinds.iter().map(take).collect()
}

fn mask(mut nulls: NullBufferBuilder) -> Option<NullBuffer> {
    nulls.finish()
}

fn numbers<T: ArrowPrimitiveType>(plain: Plain<T::Native>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::new(plain.values.into(), mask(plain.nulls)))
}

pub(super) fn array(mut values: Values, kind: &Kind, len: usize) -> Result<ArrayRef, ArrowError> {
    // Rows at the end that do not have the key.
    values.push_nulls(len - values.len());
    Ok(match (values, kind) {
        (Values::Null(_), Kind::Null) => Arc::new(NullArray::new(len)),
        (Values::Null(_), kind) => arrow_array::new_null_array(&kind.arrow(), len),
        (Values::Bool(plain), _) => {
            let mut bits = BooleanBufferBuilder::new(len);
            bits.append_slice(&plain.values);
            Arc::new(BooleanArray::new(bits.finish(), mask(plain.nulls)))
        }
        (Values::Int(mut plain), Kind::UInt) => numbers::<UInt64Type>(plain.take_as(|value| value as u64)),
        (Values::Int(mut plain), Kind::Float) => numbers::<Float64Type>(plain.take_as(|value| value as f64)),
        (Values::Int(plain), _) => numbers::<Int64Type>(plain),
        (Values::UInt(mut plain), Kind::Float) => numbers::<Float64Type>(plain.take_as(|value| value as f64)),
        (Values::UInt(plain), _) => numbers::<UInt64Type>(plain),
        (Values::Float(plain), _) => numbers::<Float64Type>(plain),
        (Values::Text(text) | Values::Raw(text), _) => {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(text.offsets));
            // Checks that the text is UTF-8, which the parser has seen to.
            Arc::new(LargeStringArray::try_new(offsets, Buffer::from_vec(text.bytes), mask(text.nulls))?)
        }
        (Values::List(lists), Kind::List(of)) => {
            let count = lists.elements.len();
            let elements = array(*lists.elements, of, count)?;
            let field = Arc::new(Field::new("item", of.arrow(), true));
            let offsets = OffsetBuffer::new(ScalarBuffer::from(lists.offsets));
            Arc::new(LargeListArray::try_new(field, offsets, elements, mask(lists.nulls))?)
        }
        (Values::Struct(mut fields), Kind::Struct(of)) => {
            let nulls: Option<NullBuffer> =
                mask(std::mem::replace(&mut fields.nulls, NullBufferBuilder::new(0)));
            let values = in_order(fields, of);
            let arrays = values.into_iter().zip(of).map(|(values, (_, kind))| array(values, kind, len));
            let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
            if arrays.is_empty() {
                return Ok(Arc::new(StructArray::new_empty_fields(len, nulls)));
            }
            Arc::new(StructArray::try_new(arrow_fields(of).into(), arrays, nulls)?)
        }
        (values, kind) => {
            return Err(ArrowError::InvalidArgumentError(format!(
                "{} values are not {kind:?}",
                values.len()
            )));
        }
    })
}
