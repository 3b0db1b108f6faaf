//! Columns as Arrow lays them out.

use arrow_array::ArrayRef;
use arrow_schema::DataType as ArrowType;
use cuprum_runtime::{Buffer, Context, Device, Error, HostUVec, Result};

use super::layout::ArrayLayout;
use super::types::{ColumnMetadata, field, inside};
use crate::column::{Column, UNKNOWN_NULL_COUNT};
use crate::null_mask;
use crate::types::{DataType, TimeUnit};

/// An arrow-rs array over a column in host memory. The fields of structs are called by their numbers.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for a column on a GPU.
pub fn to_arrow(column: &Column) -> Result<ArrayRef> {
    to_arrow_with(column, &ColumnMetadata::default())
}

/// [`to_arrow`] with the names, zones and precisions of `metadata`; fails like [`field`] too.
pub fn to_arrow_with(column: &Column, metadata: &ColumnMetadata) -> Result<ArrayRef> {
    column.view()?;
    layout(column, field(column, metadata)?.data_type())?.into_array()
}

/// The parts of a column, on its device, as an array of the type that
/// [`field`] gives it. Booleans, durations in days and masks of structs that start within a
/// byte are converted by the host.
pub(crate) fn layout(column: &Column, arrow: &ArrowType) -> Result<ArrayLayout> {
    match column.device() {
        Device::Cpu => on_host(column, arrow),
        device @ Device::Cuda(_) if is_converted(column) => {
            on_host(&column.to_host()?, arrow)?.to_device(&Context::on(device)?)
        }
        device @ Device::Cuda(_) => shared(column, arrow, &Context::on(device)?),
    }
}

fn is_converted(column: &Column) -> bool {
    match column.data_type() {
        DataType::Bool8 | DataType::Duration(TimeUnit::Days) => true,
        DataType::Struct => {
            // Its mask is to start at the first row.
            column.mask().is_some() && !column.offset().is_multiple_of(8)
                || (0..column.children().len()).any(|i| column.field(i).is_ok_and(|f| is_converted(&f)))
        }
        _ => column.children().iter().any(is_converted),
    }
}

fn on_host(column: &Column, arrow: &ArrowType) -> Result<ArrayLayout> {
    shared(column, arrow, &Context::beside(Device::Cpu)?)
}

fn shared(column: &Column, arrow: &ArrowType, ctx: &Context) -> Result<ArrayLayout> {
    let (len, offset) = (column.len(), column.offset());
    let mut layout = ArrayLayout {
        data_type: arrow.clone(),
        len,
        offset,
        nulls: mask(column)?,
        buffers: Vec::new(),
        children: Vec::new(),
    };
    match column.data_type() {
        DataType::Empty => (layout.offset, layout.nulls) = (0, None),
        DataType::Bool8 => {
            let lead = cut_mask(&mut layout)?;
            let view = column.view()?;
            let values = view.values::<u8>()?;
            let bits = null_mask::from_fn(lead + len, ctx, |i| i >= lead && values[i - lead] != 0)?;
            layout.buffers = vec![bits.0];
        }
        DataType::Duration(TimeUnit::Days) => {
            let lead = cut_mask(&mut layout)?;
            let view = column.view()?;
            let days = view.values::<i32>()?;
            let seconds = |i: usize| if i < lead { 0 } else { i64::from(days[i - lead]) * 86_400 };
            layout.buffers = vec![HostUVec::from_fn(lead + len, ctx, seconds)?.into_buffer()];
        }
        DataType::String => {
            let chars = column.data().cloned().map_or_else(|| empty(ctx), Ok)?;
            layout.buffers = vec![offsets(&mut layout, column, ctx)?, chars];
        }
        DataType::List => {
            layout.buffers = vec![offsets(&mut layout, column, ctx)?];
            if matches!(arrow, ArrowType::Binary | ArrowType::LargeBinary) {
                let bytes = &column.children()[1];
                layout.buffers.push(elements(bytes, bytes.len(), ctx)?);
            } else {
                layout.children = children(&column.children()[1..], arrow, ctx)?;
            }
        }
        DataType::Struct => {
            // Cut, with an offset of 0: arrow-rs applies those of nested structs twice.
            let fields = (0..column.children().len()).map(|i| column.field(i)).collect::<Result<Vec<_>>>()?;
            layout.children = children(&fields, arrow, ctx)?;
            (layout.nulls, layout.offset) = (layout.own_mask(ctx)?, 0);
        }
        DataType::Dictionary32 => {
            layout.buffers = vec![elements(&column.children()[0], offset + len, ctx)?];
            layout.children = children(&column.children()[1..], arrow, ctx)?;
        }
        _ => layout.buffers = vec![column.data().cloned().map_or_else(|| empty(ctx), Ok)?],
    }
    Ok(layout)
}

fn mask(column: &Column) -> Result<Option<(Buffer, usize)>> {
    let nulls = match column.device() {
        Device::Cpu => column.null_count()?,
        // Whoever takes it counts if it must.
        Device::Cuda(_) => column.counted_nulls().unwrap_or(UNKNOWN_NULL_COUNT),
    };
    Ok(column.mask().filter(|_| nulls > 0).map(|mask| (mask.clone(), nulls)))
}

/// Leaves out the rows before the first as far as whole bytes of the mask go; how many stay.
fn cut_mask(layout: &mut ArrayLayout) -> Result<usize> {
    let whole = layout.offset / 8;
    layout.offset = match &mut layout.nulls {
        Some((mask, _)) => {
            *mask = mask.slice(whole, mask.len() - whole)?;
            layout.offset % 8
        }
        None => 0,
    };
    Ok(layout.offset)
}

fn children(columns: &[Column], arrow: &ArrowType, ctx: &Context) -> Result<Vec<ArrayLayout>> {
    let types = inside(arrow);
    if types.len() != columns.len() {
        return Err(Error::logic(format!("{} children are exported as {arrow}", columns.len())));
    }
    columns.iter().zip(types).map(|(column, (_, arrow))| shared(column, arrow, ctx)).collect()
}

/// The offsets of strings or lists; there is one even where there is no row.
fn offsets(layout: &mut ArrayLayout, column: &Column, ctx: &Context) -> Result<Buffer> {
    if let Some(child) = column.offsets_child().filter(|_| !column.is_empty()) {
        return elements(child, layout.end() + 1, ctx);
    }
    (layout.offset, layout.nulls) = (0, None);
    Buffer::copy_from_slice(&[0; 8], &Context::beside(Device::Cpu)?)?.to_device(ctx)
}

/// The first `len` elements of a column of integers.
fn elements(column: &Column, len: usize, ctx: &Context) -> Result<Buffer> {
    let size = column.data_type().size().unwrap_or(0);
    match column.data() {
        Some(data) => data.slice(column.offset() * size, len * size),
        None => empty(ctx),
    }
}

fn empty(ctx: &Context) -> Result<Buffer> {
    Buffer::copy_from_slice(&[], &Context::beside(Device::Cpu)?)?.to_device(ctx)
}

/// The column as an array of the type that somebody asks for, where that costs little and changes no
/// value: offsets of another width, values instead of a dictionary. `None` where it is not so.
pub(crate) fn requested(column: &Column, own: &ArrowType, asked: &ArrowType) -> Result<Option<ArrayLayout>> {
    if own == asked || !is_exact(own, asked) {
        return Ok(None);
    }
    let array = on_host(&column.to_host()?, own)?.into_array()?;
    let Ok(array) = arrow_cast::cast(&array, asked) else { return Ok(None) };
    let layout = ArrayLayout::of(&array.to_data(), &Context::beside(Device::Cpu)?)?;
    match column.device() {
        Device::Cpu => Ok(Some(layout)),
        device @ Device::Cuda(_) => layout.to_device(&Context::on(device)?).map(Some),
    }
}

fn is_exact(own: &ArrowType, asked: &ArrowType) -> bool {
    use ArrowType::{Dictionary, LargeList, LargeUtf8, List, Struct, Utf8, Utf8View};
    match (own, asked) {
        (Utf8 | LargeUtf8, Utf8 | LargeUtf8 | Utf8View) => true,
        (List(own) | LargeList(own), List(asked) | LargeList(asked)) => {
            is_exact(own.data_type(), asked.data_type())
        }
        (Struct(own), Struct(asked)) => {
            let pairs = || own.iter().zip(asked.iter());
            own.len() == asked.len()
                && pairs().all(|(a, b)| a.name() == b.name() && is_exact(a.data_type(), b.data_type()))
        }
        (Dictionary(_, values), asked) if !matches!(asked, Dictionary(..)) => is_exact(values, asked),
        (own, asked) => own == asked,
    }
}
