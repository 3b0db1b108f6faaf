//! Values labelled by the bins that they are in.

#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Device, Error, HostUVec, Result, Scalar, Table, null_mask};
use cuprum_runtime::backend::{OnDevice, check_device};
use cuprum_runtime::nvtx::func_range;

use cuprum_aggregate::nan_values::keys;
use cuprum_elements::row_numbers::NarrowRows;
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::unary::is_valid;
use cuprum_keys::order::{NullOrder, Order};
use cuprum_keys::search::{lower_bound, upper_bound};
use cuprum_keys::sorting::is_sorted;

/// One side of bins: where each begins or ends, ascending, and whether the edge itself is inside.
#[derive(Clone, Debug)]
pub struct Edges {
    /// A value for every bin, of the type of the labelled values, without nulls.
    pub values: Column,
    /// Whether a value equal to the edge is in the bin.
    pub inclusive: bool,
}

impl OnDevice for Edges {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        self.values.elsewhere(device)
    }

    fn types(&self) -> String {
        self.values.types()
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        Ok(Self { values: self.values.moved_to(ctx)?, inclusive: self.inclusive })
    }
}

/// The bin of each value: the last one that begins before it, where that ends behind it. `Int32`, null for nulls
/// and for values in no bin. NaN is larger than every other number.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where the sides differ in length, are not
/// sorted or have nulls, with [`DataType`](crate::ErrorKind::DataType) where their types differ from the input's,
/// and with [`Unsupported`](crate::ErrorKind::Unsupported) for types that have no order and for 2³¹ bins.
pub fn label_bins(input: &Column, left: &Edges, right: &Edges, ctx: &Context) -> Result<Column> {
    func_range!(c"labeling.label_bins");
    check_device!(ctx, [input, left, right]);
    let (left_edges, right_edges) = (&left.values, &right.values);
    if left_edges.len() != right_edges.len() {
        return Err(Error::invalid_argument(format!(
            "there are {} left edges and {} right ones",
            left_edges.len(),
            right_edges.len()
        )));
    }
    if i32::try_from(left_edges.len()).is_err() {
        return Err(Error::unsupported(format!("labels of {} bins", left_edges.len())));
    }
    for (name, edges) in [("left_edges", left_edges), ("right_edges", right_edges)] {
        if edges.data_type() != input.data_type() {
            return Err(Error::data_type(format!(
                "`{name}` are of type {}, `input` of {}",
                edges.data_type(),
                input.data_type()
            )));
        }
        if edges.has_nulls() {
            return Err(Error::invalid_argument(format!("`{name}` has nulls")));
        }
    }
    let one = |column: &Column| Table::new(vec![column.clone()]);
    let tables = keys(&[&one(input)?, &one(left_edges)?, &one(right_edges)?], ctx)?;
    for (name, table) in [("left_edges", &tables[1]), ("right_edges", &tables[2])] {
        if !is_sorted(table, &[Order::Ascending], NullOrder::Last, ctx)? {
            return Err(Error::invalid_argument(format!("`{name}` is not sorted")));
        }
    }
    let bound = |edges: &Table, behind: bool| {
        let bound = if behind { upper_bound } else { lower_bound };
        bound(edges, &tables[0], &[Order::Ascending], NullOrder::Last, ctx)
    };
    // The number of bins that begin before each value, and of bins that end before it.
    let (begun, ended) = (bound(&tables[1], left.inclusive)?, bound(&tables[2], !right.inclusive)?);
    if ctx.is_on_gpu() {
        return labels_on_device(input, &begun, &ended, ctx);
    }
    let (begun, ended, valid) = (begun.view()?, ended.view()?, is_valid(input, ctx)?);
    let (begun, ended) = (NarrowRows::new("begun", &begun, ctx)?, NarrowRows::new("ended", &ended, ctx)?);
    let valid = valid.view()?;
    let valid = valid.values::<u8>()?;
    let inside = |row: usize| valid[row] != 0 && ended[row] < begun[row];
    let label = |row: usize| if inside(row) { begun[row] as i32 - 1 } else { 0 };
    let mask = null_mask::from_fn(input.len(), ctx, inside)?;
    Column::new(DataType::Int32, HostUVec::from_fn(input.len(), ctx, label)?, Some(mask))
}

/// The label of each value from the numbers of bins, `Int32`, that have begun and ended before it.
fn labels_on_device(input: &Column, begun: &Column, ended: &Column, ctx: &Context) -> Result<Column> {
    let inside = binary_operation(ended, begun, BinaryOperator::Less, ctx)?;
    let inside = inside.with_mask(null_mask::bitmask_and(&[input], ctx)?, ctx)?;
    let labels = binary_operation(begun, &Scalar::from(1i32), BinaryOperator::Sub, ctx)?;
    labels.with_mask(Some(null_mask::bools_to_mask(&inside, ctx)?), ctx)
}
