//! Zones of times that Parquet has in another unit than Arrow.

use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field, Schema, TimeUnit as ArrowUnit};
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::arrow::parquet_to_arrow_schema;
use parquet::basic::Type as PhysicalType;
use parquet::schema::types::{SchemaDescriptor, Type};

/// The schema with the zones of times that are of seconds in the Arrow schema of the file: Parquet has milliseconds in
/// their place, for which the crate does not look at zones. `None` where there are none.
pub(super) fn restored(reader: &ArrowReaderMetadata) -> Option<Schema> {
    let (schema, file) = (reader.schema(), reader.metadata().file_metadata());
    let is_time =
        |field: &Field| matches!(field.data_type(), ArrowType::Timestamp(ArrowUnit::Millisecond, Some(_)));
    if !schema.fields().iter().any(|field| is_time(field)) {
        return None;
    }
    // Of integers without a meaning it takes what the Arrow schema says.
    let plain = |(field, column): (&Arc<Field>, &Arc<Type>)| {
        if !is_time(field) || !column.is_primitive() {
            return Some(Arc::clone(column));
        }
        let plain = Type::primitive_type_builder(column.name(), PhysicalType::INT64);
        plain.with_repetition(column.get_basic_info().repetition()).build().ok().map(Arc::new)
    };
    let columns = schema.fields().iter().zip(file.schema_descr().root_schema().get_fields()).map(plain);
    let columns = columns.collect::<Option<Vec<_>>>()?;
    let root = Type::group_type_builder("schema").with_fields(columns).build().ok()?;
    let said =
        parquet_to_arrow_schema(&SchemaDescriptor::new(Arc::new(root)), file.key_value_metadata()).ok()?;
    let mut changed = false;
    let mut zoned = |(field, said): (&Arc<Field>, &Arc<Field>)| match said.data_type() {
        ArrowType::Timestamp(ArrowUnit::Second, Some(zone)) if is_time(field) => {
            changed = true;
            let of_zone = ArrowType::Timestamp(ArrowUnit::Millisecond, Some(Arc::clone(zone)));
            Arc::new(field.as_ref().clone().with_data_type(of_zone))
        }
        _ => Arc::clone(field),
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().zip(said.fields()).map(&mut zoned).collect();
    changed.then(|| Schema::new_with_metadata(fields, schema.metadata().clone()))
}
