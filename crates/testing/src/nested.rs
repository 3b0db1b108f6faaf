//! Random columns of every type, nested ones too.

use cuprum_column::{Buffer, Column, Context, DataType, HostUVec, null_mask};
use proptest::prelude::*;

use crate::{any_column, any_data_type};

/// The type of a column with all that is inside.
#[derive(Clone, Debug)]
enum Shape {
    Plain(DataType),
    Decimal(DataType),
    Empty,
    List(Box<Shape>),
    Struct(Vec<Shape>),
    Dictionary(DataType),
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let decimals = [DataType::Decimal32(-2), DataType::Decimal64(3), DataType::Decimal128(-10)];
    let keys = [DataType::Int64, DataType::String, DataType::Float32];
    let leaf = prop_oneof![
        4 => any_data_type().prop_map(Shape::Plain),
        2 => prop::sample::select(decimals.to_vec()).prop_map(Shape::Decimal),
        1 => Just(Shape::Empty),
        1 => prop::sample::select(keys.to_vec()).prop_map(Shape::Dictionary),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|shape| Shape::List(Box::new(shape))),
            prop::collection::vec(inner, 0..3).prop_map(Shape::Struct),
        ]
    })
}

/// Columns of `len` rows of any type, up to three levels deep, with nulls at every level (null structs
/// have null fields, null lists no elements), sliced at every level.
pub fn any_nested_column(len: usize) -> impl Strategy<Value = Column> {
    any_shape().prop_flat_map(move |shape| column(shape, len))
}

/// Structs, lists and dictionaries of `len` rows, up to two levels deep, whose leaves are of the types of
/// [`any_key_type`](crate::any_key_type), with nulls at every level, sliced at every level.
pub fn any_nested_key_column(len: usize) -> impl Strategy<Value = Column> {
    let dictionary =
        || prop::sample::select(vec![DataType::Int64, DataType::String]).prop_map(Shape::Dictionary);
    let leaf = || prop_oneof![5 => crate::any_key_type().prop_map(Shape::Plain), 1 => dictionary()].boxed();
    let fields = |inner| prop::collection::vec(inner, 0..3).prop_map(Shape::Struct);
    let list = |inner: BoxedStrategy<Shape>| inner.prop_map(|shape| Shape::List(Box::new(shape)));
    let field = || prop_oneof![3 => leaf(), 1 => fields(leaf()), 1 => list(leaf())].boxed();
    prop_oneof![4 => fields(field()), 4 => list(field()), 1 => dictionary()]
        .prop_flat_map(move |shape| column(shape, len))
}

/// The null rows: none, or a random choice.
fn any_mask(len: usize) -> impl Strategy<Value = Option<Vec<bool>>> {
    prop::option::of(prop::collection::vec(prop::bool::weighted(0.8), len))
}

fn mask(valid: Option<&[bool]>) -> Option<(Buffer, usize)> {
    valid.map(|valid| null_mask::from_fn(valid.len(), &Context::current(), |i| valid[i]).unwrap())
}

fn column(shape: Shape, len: usize) -> BoxedStrategy<Column> {
    let ctx = Context::current();
    let padded = (0usize..70, 0usize..3);
    match shape {
        Shape::Plain(data_type) => any_column(data_type, len),
        Shape::Empty => Just(Column::nulls(DataType::Empty, len, &ctx).unwrap()).boxed(),
        Shape::Decimal(data_type) => (prop::collection::vec(any::<i64>(), len), any_mask(len))
            .prop_map(move |(values, valid)| {
                let data = match data_type.size() {
                    Some(4) => HostUVec::from_fn(len, &ctx, |i| values[i] as i32).unwrap().into_buffer(),
                    Some(8) => HostUVec::from_slice(&values, &ctx).unwrap().into_buffer(),
                    _ => {
                        let wide = |i: usize| i128::from(values[i]) * i128::from(values[len - 1 - i]);
                        HostUVec::from_fn(len, &ctx, wide).unwrap().into_buffer()
                    }
                };
                Column::from_buffer(data_type, len, data, mask(valid.as_deref())).unwrap()
            })
            .boxed(),
        Shape::Dictionary(key_type) => (prop::collection::vec(any::<u16>(), len), any_mask(len))
            .prop_map(move |(values, valid)| {
                let keys = match key_type {
                    DataType::Int64 => Column::from_slice(&[-7i64, 0, 12], &ctx),
                    DataType::String => Column::from_strs(&["", "a", "é日本"], &ctx),
                    _ => Column::from_slice(&[-1.5f32, 0.0, f32::MAX], &ctx),
                };
                let indices = HostUVec::from_fn(len, &ctx, |i| values[i] % 3).unwrap();
                Column::dictionary(Column::from_values(indices), keys.unwrap(), mask(valid.as_deref()))
                    .unwrap()
            })
            .boxed(),
        Shape::List(inner) => (padded, any_mask(len + 72), prop::collection::vec(0usize..4, len + 72))
            .prop_flat_map(move |((start, extra), valid, mut lengths)| {
                let rows = start + len + extra;
                lengths.truncate(rows);
                for (i, length) in lengths.iter_mut().enumerate() {
                    if valid.as_ref().is_some_and(|valid| !valid[i]) {
                        *length = 0;
                    }
                }
                let valid = valid.map(|valid| valid[..rows].to_vec());
                let offsets =
                    cuprum_column::nested::offsets_from_lengths(&lengths, &Context::current()).unwrap();
                let elements = column((*inner).clone(), lengths.iter().sum());
                elements.prop_map(move |elements| {
                    let lists = Column::lists(offsets.clone(), elements, mask(valid.as_deref())).unwrap();
                    lists.slice(start, len).unwrap()
                })
            })
            .boxed(),
        Shape::Struct(fields) => (padded, any_mask(len + 72))
            .prop_flat_map(move |((start, extra), valid)| {
                let rows = start + len + extra;
                let valid = valid.map(|valid| valid[..rows].to_vec());
                let fields: Vec<_> = fields.iter().map(|field| column(field.clone(), rows)).collect();
                fields.prop_map(move |fields| {
                    let fields =
                        fields.into_iter().map(|field| superimposed(&field, valid.as_deref())).collect();
                    let structs = Column::structs(rows, fields, mask(valid.as_deref())).unwrap();
                    structs.slice(start, len).unwrap()
                })
            })
            .boxed(),
    }
}

/// A field of structs that are null where `valid` is false. A list that becomes null keeps its elements
/// there, as Arrow allows.
fn superimposed(field: &Column, valid: Option<&[bool]>) -> Column {
    let Some(valid) = valid.filter(|_| field.data_type() != DataType::Empty) else { return field.clone() };
    let ctx = Context::current();
    let view = field.view().unwrap();
    let own = view.validity();
    let both = |i: usize| valid[i] && own.is_none_or(|bits| bits.get(i));
    if field.data_type() == DataType::Struct {
        let fields = (0..field.children().len()).map(|i| superimposed(&field.field(i).unwrap(), Some(valid)));
        let mask = null_mask::from_fn(field.len(), &ctx, both).unwrap();
        return Column::structs(field.len(), fields.collect(), Some(mask)).unwrap();
    }
    field.with_mask(Some(null_mask::from_fn(field.len(), &ctx, both).unwrap()), &ctx).unwrap()
}
