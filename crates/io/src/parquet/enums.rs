//! Texts of Parquet's `ENUM`, which the `parquet` crate has as bytes: by the format's specification they are UTF-8.

use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field, Fields, Schema};
use parquet::basic::{ConvertedType, LogicalType};
use parquet::schema::types::SchemaDescriptor;

/// The schema with texts where the file has `ENUM`, at any depth; `None` where it has none.
pub(super) fn as_texts(schema: &Schema, parquet: &SchemaDescriptor) -> Option<Schema> {
    let mut leaves = parquet.columns().iter().map(|leaf| {
        matches!(leaf.logical_type_ref(), Some(LogicalType::Enum))
            || leaf.converted_type() == ConvertedType::ENUM
    });
    if !leaves.clone().any(|is_enum| is_enum) {
        return None;
    }
    let fields = of_fields(schema.fields(), &mut leaves)?;
    // The `parquet` crate leaves out what has nothing inside, so that which leaf is which is not known.
    if leaves.next().is_some() {
        return None;
    }
    Some(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

/// Leaves of Arrow's tree stand in the order of Parquet's columns; `None` where there are more of them.
fn of_fields(fields: &Fields, leaves: &mut impl Iterator<Item = bool>) -> Option<Fields> {
    fields.iter().map(|field| of_field(field, leaves)).collect()
}

fn of_field(field: &Arc<Field>, leaves: &mut impl Iterator<Item = bool>) -> Option<Arc<Field>> {
    let to = match field.data_type() {
        ArrowType::Struct(fields) => ArrowType::Struct(of_fields(fields, leaves)?),
        ArrowType::List(item) => ArrowType::List(of_field(item, leaves)?),
        ArrowType::LargeList(item) => ArrowType::LargeList(of_field(item, leaves)?),
        ArrowType::ListView(item) => ArrowType::ListView(of_field(item, leaves)?),
        ArrowType::LargeListView(item) => ArrowType::LargeListView(of_field(item, leaves)?),
        ArrowType::FixedSizeList(item, size) => ArrowType::FixedSizeList(of_field(item, leaves)?, *size),
        ArrowType::Map(entries, sorted) => ArrowType::Map(of_field(entries, leaves)?, *sorted),
        leaf => match (leaves.next()?, leaf) {
            (true, ArrowType::Binary) => ArrowType::Utf8,
            _ => leaf.clone(),
        },
    };
    Some(Arc::new(field.as_ref().clone().with_data_type(to)))
}
