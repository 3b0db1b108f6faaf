//! Arrow in and out: arrow-rs arrays, the C data interface, the C stream and the C device interface.
//!
//! Everything is translated through one picture of Arrow's layout:
//! arrow-rs arrays and C structures ⇄ layout ⇄ [`Column`]. Memory is shared wherever the layouts agree.
//!
//! | Arrow | column | memory |
//! |---|---|---|
//! | integers, floats, decimals to 128 bits, dates, timestamps, durations | the same | shared |
//! | utf8, large utf8, list, large list | the same | shared |
//! | map | list of structs | shared |
//! | binary, large binary, of fixed size too | list of UINT8 | shared; of fixed size the offsets are made |
//! | struct | struct | shared; masks of fields are made where a null struct has fields that are not |
//! | dictionary | dictionary with unsigned indices | shared where keys ascend (or their order is asked for, [`KeyOrder`]) without repeats and nulls, else indices are written anew |
//! | boolean | a byte each | copied, both ways |
//! | fixed-size list | list | elements shared, offsets made |
//! | list views | list | elements shared where the lists follow each other, else gathered |
//! | utf8 view | string | copied |
//! | run-end encoded | its values | copied, decoded |
//! | null | empty | nothing to share |
//!
//! Durations in days go out in seconds, for Arrow has no other, and are copied. Misaligned buffers are
//! copied in, and so is validity that starts within a byte of its own. Everything else goes out shared.
//!
//! Without a column are: half floats, views of binary data, 256-bit decimals, times of day, intervals, unions.
//! Timestamps count from 1970 in UTC whatever zone they are shown in: the zone goes into
//! [`ColumnMetadata`] next to the column, with names and the precision of decimals.

mod c_data;
mod device;
mod dictionary;
mod export;
mod import;
mod layout;
mod path;
mod schema;
mod stream;
mod types;
mod views;

use std::sync::Arc;

use arrow_array::{Array, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType as ArrowType, Field, Schema};
use cuprum_runtime::{Context, Error, Result};

pub use self::c_data::{ArrowArray, export_array, export_as, export_table, import_array, table_field};
pub use self::device::{ArrowDeviceArray, DeviceType, export_device_array, import_device_array};
pub use self::export::{to_arrow, to_arrow_with};
pub use self::schema::{ArrowSchema, export_schema, import_schema};
pub use self::stream::{ArrowArrayStream, Chunks, export_stream};
pub use self::types::{ColumnMetadata, arrow_type, field, flat_type};

pub use self::import::{KeyOrder, from_arrow, from_arrow_in};
use crate::column::Column;
use crate::table::Table;
use crate::types::DataType;

/// A column of plain values: those of a dictionary, NaN for nulls of no type, others as they are. Data frames
/// compute with these.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for lists, structs and decimals.
pub fn flat(column: Column, ctx: &Context) -> Result<Column> {
    match column.data_type() {
        DataType::Dictionary32 => {
            let array = to_arrow(&column)?;
            let ArrowType::Dictionary(_, values) = array.data_type() else {
                return Err(Error::logic(format!("a dictionary became {}", array.data_type())));
            };
            let values = arrow_cast::cast(&array, values)
                .map_err(|e| Error::unsupported(e.to_string()).with_source(e))?;
            flat(from_arrow(&values, ctx)?, ctx)
        }
        DataType::Empty => Column::nulls(DataType::Float64, column.len(), ctx),
        t if t.is_nested() || t.is_decimal() => flat_type(&arrow_type(&column)).map(|_| column),
        _ => Ok(column),
    }
}

/// Whether two columns have the same types and equal values all the way down; nulls are equal, and so are
/// NaN of the same bits. Columns on a GPU are copied to the host.
pub fn are_equal(a: &Column, b: &Column) -> Result<bool> {
    Ok(to_arrow(&a.to_host()?)?.as_ref() == to_arrow(&b.to_host()?)?.as_ref())
}

/// The columns of a record batch.
pub fn table_from_batch(batch: &RecordBatch, ctx: &Context) -> Result<Table> {
    let columns = batch
        .schema_ref()
        .fields()
        .iter()
        .zip(batch.columns())
        .map(|(field, array)| {
            from_arrow(array, ctx).map_err(|e| e.context(format!("column '{}'", field.name())))
        })
        .collect::<Result<_>>()?;
    Table::with_rows(columns, batch.num_rows())
}

/// A record batch of the columns of `table` under `names`.
pub fn batch_from_table<S: AsRef<str>>(table: &Table, names: &[S]) -> Result<RecordBatch> {
    let arrays = table.columns().iter().map(to_arrow).collect::<Result<Vec<_>>>()?;
    let fields: Vec<Field> = names
        .iter()
        .zip(&arrays)
        .map(|(name, array)| Field::new(name.as_ref(), array.data_type().clone(), true))
        .collect();
    let options = RecordBatchOptions::new().with_row_count(Some(table.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)
        .map_err(|e| Error::logic(e.to_string()).with_source(e))
}
