//! Record batches of Arrow from frames, and frames from record batches.

use std::sync::Arc;

use arrow_array::{Array, RecordBatch, RecordBatchOptions};
use arrow_schema::{Field, Schema};
use cuprum_column::arrow::{self, KeyOrder};
use cuprum_column::{Context, Device, Error, Result};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::types::TypedColumn;

/// The columns of a record batch, sharing its memory where the layouts agree; dictionaries become categories.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for types that have no column.
impl TryFrom<&RecordBatch> for DataFrame {
    type Error = Error;

    fn try_from(batch: &RecordBatch) -> Result<Self> {
        let (host, ctx) = (Context::beside(Device::Cpu)?, Context::current());
        let column = |(field, array): (&Arc<Field>, &Arc<dyn Array>)| {
            let data =
                arrow::from_arrow_in(array, KeyOrder::OfArray, &host).and_then(|data| data.to_device(&ctx));
            data.and_then(|data| TypedColumn::from_arrow(field, data))
                .map_err(|e| e.context(format!("column '{}'", field.name())))
        };
        let fields = batch.schema_ref().fields();
        let columns = fields.iter().zip(batch.columns()).map(column).collect::<Result<Vec<_>>>()?;
        let labels = fields.iter().map(|field| Label::from(field.name())).collect();
        Self::from_parts(labels, columns, Index::range(batch.num_rows()))
    }
}

impl TryFrom<RecordBatch> for DataFrame {
    type Error = Error;

    fn try_from(batch: RecordBatch) -> Result<Self> {
        Self::try_from(&batch)
    }
}

/// A record batch of the columns, sharing memory where the layouts agree.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a frame with row labels other than
/// `0, 1, …`, which a batch cannot have: make them columns with [`DataFrame::reset_index`] or leave them with
/// [`DataFrame::drop_index`]; and for column labels that are no texts.
impl TryFrom<&DataFrame> for RecordBatch {
    type Error = Error;

    fn try_from(frame: &DataFrame) -> Result<Self> {
        if !frame.index().is_default() {
            return Err(Error::invalid_argument(
                "a record batch has no row labels: reset_index makes them columns, drop_index leaves them",
            ));
        }
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for (label, column) in frame.accessor().iter() {
            let name = label.as_str().ok_or_else(|| {
                Error::invalid_argument(format!("a record batch calls columns by texts, not by {label}"))
            })?;
            let of = |e: Error| e.context(format!("column '{name}'"));
            let array = arrow::to_arrow_with(&column.exported().map_err(of)?, &column.dtype().metadata(name));
            let array = array.map_err(of)?;
            fields.push(column.arrow_field(name).map_err(of)?);
            arrays.push(array);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(frame.num_rows()));
        Self::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)
            .map_err(|e| Error::logic(e.to_string()).with_source(e))
    }
}

impl TryFrom<DataFrame> for RecordBatch {
    type Error = Error;

    fn try_from(frame: DataFrame) -> Result<Self> {
        Self::try_from(&frame)
    }
}
