//! Columns of any nesting as kernels see them.

use cuprum_runtime::kernel::{Argument, Arguments, Structs, pass_structs, reaching};
use cuprum_runtime::{Buffer, Context, DeviceBuffer, DeviceSpan, Error, Result, kernel_struct};

use crate::column::Column;
use crate::strings::check_strings;
use crate::types::DataType;

kernel_struct! {
    /// A column as kernels see it, with the methods that `cuprum/column.cuh` gives it there.
    pub struct ColumnDeviceView {
        /// The address of the data buffer; 0 where there is none.
        pub data_address: u64,
        /// The address of the mask buffer; 0 where there is none.
        pub mask_address: u64,
        /// The address of the first of the children's views, which lie side by side.
        pub children_address: u64,
        /// The position of the first row in the data, the mask and the children.
        pub offset: u64,
        /// The number of rows.
        pub len: u64,
        /// The number of children.
        pub num_children: u64,
        /// The number of the data type's [`TypeId`](crate::TypeId).
        pub type_id: i32,
        /// The scale of decimals.
        pub scale: i32,
    }
}

/// The views of some columns, with all that is inside them, in memory of their device.
///
/// It is one argument of a kernel, declared as `Structs<ColumnDeviceView>`: a pointer to the views of the columns in
/// their order. A launch that takes it counts as reading every buffer of every column.
pub struct DeviceViews<'a> {
    array: DeviceBuffer,
    /// The memory that the views point to, pinned.
    spans: Vec<DeviceSpan<'a, u8>>,
    num_columns: usize,
}

impl<'a> DeviceViews<'a> {
    /// Views of columns on the context's device, by one small copy.
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where a column is elsewhere, and
    /// with [`Logic`](crate::ErrorKind::Logic) where values are not aligned to their size.
    pub fn new(columns: &'a [Column], ctx: &Context) -> Result<Self> {
        let device = ctx.stream().device();
        let mut all: Vec<&Column> = columns.iter().collect();
        let mut spans = Vec::new();
        let mut views = Vec::new();
        // Level by level, so that the children of a column lie side by side.
        let mut next = 0;
        while let Some(&column) = all.get(next) {
            let mut address = |buffer: &'a Buffer| {
                let span = buffer.span::<u8>()?;
                if span.device() != device {
                    let there = span.device();
                    let problem = format!("a column is on {there}, the operation runs on {device}");
                    return Err(Error::invalid_argument(problem));
                }
                let address = span.as_ptr() as u64;
                spans.push(span);
                Ok(address)
            };
            let data_address = column.data().map_or(Ok(0), &mut address)?;
            let mask_address = column.mask().map_or(Ok(0), &mut address)?;
            views.push(view(column, data_address, mask_address, all.len())?);
            all.extend(column.children());
            next += 1;
        }
        let mut array = DeviceBuffer::uninit(views.len() * size_of::<ColumnDeviceView>(), ctx)?;
        for view in &mut views {
            // So far the children's number in the array.
            view.children_address *= size_of::<ColumnDeviceView>() as u64;
            view.children_address += array.as_ptr() as u64;
        }
        array.copy_from_host(0, bytemuck::cast_slice(&views))?;
        Ok(Self { array, spans, num_columns: columns.len() })
    }

    /// The number of columns, an argument of kernels.
    pub fn num_columns(&self) -> u32 {
        self.num_columns as u32
    }
}

/// The view of a column whose memory is at these addresses and whose children's views begin with number
/// `first_child`.
fn view(
    column: &Column,
    data_address: u64,
    mask_address: u64,
    first_child: usize,
) -> Result<ColumnDeviceView> {
    let data_type = column.data_type();
    if !data_address.is_multiple_of(data_type.size().unwrap_or(1) as u64) {
        return Err(Error::logic(format!("values of {data_type} at {data_address:#x} are not aligned")));
    }
    Ok(ColumnDeviceView {
        data_address,
        mask_address,
        children_address: first_child as u64,
        offset: column.offset() as u64,
        len: column.len() as u64,
        num_children: column.children().len() as u64,
        type_id: data_type.id() as i32,
        scale: data_type.scale(),
    })
}

/// The address of a buffer, 0 where there is none; its span, which pins it, goes to `spans`.
fn address_of<'a>(buffer: Option<&'a Buffer>, spans: &mut Vec<DeviceSpan<'a, u8>>) -> Result<u64> {
    let Some(buffer) = buffer else { return Ok(0) };
    let span = buffer.span::<u8>()?;
    let address = span.as_ptr() as u64;
    spans.push(span);
    Ok(address)
}

impl<'a> Argument<'a, Structs<ColumnDeviceView>> for &'a DeviceViews<'_> {
    fn pass(self, arguments: &mut Arguments<'a>) {
        pass_structs(&self.array, &self.spans, arguments);
    }
}

/// The view of one column without its children: its values (the characters of strings), its mask and
/// which rows of these it has.
///
/// It is one argument of a kernel, declared as `ColumnDeviceView` and handed over by value; a launch that
/// takes it counts as reading these buffers.
pub struct DeviceView<'a> {
    view: ColumnDeviceView,
    spans: Vec<DeviceSpan<'a, u8>>,
}

impl<'a> DeviceView<'a> {
    /// The view of a column, which must be on the device that it is handed over to.
    ///
    /// Fails with [`Logic`](crate::ErrorKind::Logic) where values are not aligned to their size.
    pub fn new(column: &'a Column) -> Result<Self> {
        let mut spans = Vec::new();
        let mut address = |buffer| address_of(buffer, &mut spans);
        let (data_address, mask_address) = (address(column.data())?, address(column.mask())?);
        let view = ColumnDeviceView { num_children: 0, ..view(column, data_address, mask_address, 0)? };
        Ok(Self { view, spans })
    }

    /// The view of no rows.
    pub fn empty() -> Self {
        Self { view: bytemuck::Zeroable::zeroed(), spans: Vec::new() }
    }
}

impl<'a> Argument<'a, ColumnDeviceView> for &'a DeviceView<'_> {
    fn pass(self, arguments: &mut Arguments<'a>) {
        reaching(self.view, &self.spans).pass(arguments);
    }
}

kernel_struct! {
    /// A column of texts as kernels see it, without a look at its children's views.
    pub struct TextsDeviceView {
        /// The address of the characters of all rows; 0 where there are none.
        pub bytes_address: u64,
        /// The address of the first row's offset among them, which is followed by the others.
        pub offsets_address: u64,
        /// The address of the mask; 0 where there is none.
        pub mask_address: u64,
        /// The bit of the mask that belongs to the first row.
        pub first_bit: u64,
        /// The number of rows.
        pub len: u64,
        /// 1 where offsets have 64 bits, else 0.
        pub is_wide: u64,
    }
}

/// The view of a column of texts.
///
/// It is one argument of a kernel, declared as `TextsDeviceView` and handed over by value; a launch that takes it
/// counts as reading the characters, the offsets and the mask.
pub struct TextsView<'a> {
    view: TextsDeviceView,
    spans: Vec<DeviceSpan<'a, u8>>,
}

impl<'a> TextsView<'a> {
    /// The view of a column, which must be on the device that it is handed over to.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) where it is not of texts, and with
    /// [`Logic`](crate::ErrorKind::Logic) where its offsets are not aligned to their size.
    pub fn new(column: &'a Column) -> Result<Self> {
        check_strings(column)?;
        let mut spans = Vec::new();
        let mut address = |buffer| address_of(buffer, &mut spans);
        let (bytes_address, mask_address) = (address(column.data())?, address(column.mask())?);
        let (mut offsets_address, mut is_wide) = (0, false);
        if let Some(offsets) = column.offsets_child().filter(|_| !column.is_empty()) {
            is_wide = offsets.data_type() == DataType::Int64;
            let size = if is_wide { 8 } else { 4 };
            offsets_address = address(offsets.data())? + ((offsets.offset() + column.offset()) * size) as u64;
            if !offsets_address.is_multiple_of(size as u64) {
                return Err(Error::logic(format!("offsets at {offsets_address:#x} are not aligned")));
            }
        }
        let (first_bit, len) = (column.offset() as u64, column.len() as u64);
        let view = TextsDeviceView {
            bytes_address,
            offsets_address,
            mask_address,
            first_bit,
            len,
            is_wide: is_wide.into(),
        };
        Ok(Self { view, spans })
    }

    /// The view of no rows.
    pub fn empty() -> Self {
        Self { view: bytemuck::Zeroable::zeroed(), spans: Vec::new() }
    }
}

impl<'a> Argument<'a, TextsDeviceView> for &'a TextsView<'_> {
    fn pass(self, arguments: &mut Arguments<'a>) {
        reaching(self.view, &self.spans).pass(arguments);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cuprum_runtime::driver::emulator::Emulator;
    use cuprum_runtime::kernel::{GeneratedKernel, Grid, KernelParameter, Out, Source};
    use cuprum_runtime::{Device, DeviceUVec, ErrorKind};

    use super::*;
    use crate::{Scalar, TypeId, Value, null_mask};

    #[test]
    fn kernels_know_the_same_types() {
        let header = include_str!("../../runtime/include/cuprum/column.cuh");
        for id in TypeId::ALL {
            let line = format!("    {} = {},\n", id.name(), id as i32);
            assert!(header.contains(&line), "{line}");
        }
    }

    /// Adds up the parts that each row reaches: 1 for a null, 2 for a struct, 3 for a list, 5 for a string
    /// and its bytes, and integers as they are. Explores with a stack of views and rows.
    const ADD_UP: &str = r#"
#include "cuprum/column.cuh"
struct Place { const ColumnDeviceView* view; u64 row; };
inline i64 plain(const ColumnDeviceView& view, u64 row) {
    if (view.type_id == STRING) {
        i64 sum = 5;
        const StringView string = view.string(row);
        for (u64 i = 0; i < string.size; ++i) sum += string.bytes[i];
        return sum;
    }
    return view.type_id == INT16 ? view.value<i16>(row) : view.value<i64>(row);
}
template <typename T>
__global__ void add_up(const ColumnDeviceView* columns, u32 num_columns, T* sums) {
    const u64 row = threadIdx.x;
    T sum = 0;
    Place stack[64];
    for (u32 c = 0; c < num_columns; ++c) {
        u32 depth = 0;
        stack[depth++] = {columns + c, row};
        while (depth > 0) {
            const Place at = stack[--depth];
            const ColumnDeviceView& view = *at.view;
            if (!view.is_valid(at.row)) {
                sum += 1;
            } else if (view.type_id == STRUCT) {
                sum += 2;
                for (u64 i = 0; i < view.num_children; ++i) {
                    stack[depth++] = {&view.child(i), view.row_of_children(at.row)};
                }
            } else if (view.type_id == LIST) {
                sum += 3;
                for (u64 i = view.start(at.row); i < view.start(at.row + 1); ++i) {
                    stack[depth++] = {&view.child(1), i};
                }
            } else if (view.type_id == DICTIONARY32) {
                sum += plain(view.child(1), view.key(at.row));
            } else {
                sum += plain(view, at.row);
            }
        }
    }
    sums[row] = sum;
}
"#;

    fn add_up() -> GeneratedKernel {
        let source = Arc::new(Source::generated("add_up.cu", ADD_UP));
        let parameters = vec![Structs::<ColumnDeviceView>::PARAMETER, u32::PARAMETER, Out::<i64>::PARAMETER];
        GeneratedKernel::new(source, "add_up", &["i64"], parameters)
    }

    /// The sum that the kernel computes, by scalars.
    fn sum_of(value: &Scalar) -> i64 {
        match value.value() {
            Value::Null => 1,
            Value::String(text) => 5 + text.bytes().map(i64::from).sum::<i64>(),
            Value::Nested(row) if !row.view().unwrap().is_valid(0) => 1,
            Value::Nested(row) if row.data_type() == DataType::Struct => {
                let fields = (0..row.children().len()).map(|i| row.field(i).unwrap());
                2 + fields.map(|field| sum_of(&field.get(0).unwrap())).sum::<i64>()
            }
            Value::Nested(row) => {
                let elements = row.elements().unwrap();
                3 + (0..elements.len()).map(|i| sum_of(&elements.get(i).unwrap())).sum::<i64>()
            }
            _ => value.as_i64().unwrap(),
        }
    }

    fn columns(ctx: &Context) -> Vec<Column> {
        let mask = |len: usize| Some(null_mask::from_fn(len, ctx, |i| i % 5 != 1).unwrap());
        let masked = |column: Column| column.with_mask(mask(column.len()), ctx).unwrap();
        let small =
            masked(Column::from_slice(&std::array::from_fn::<i16, 60, _>(|i| 7 - i as i16), ctx).unwrap());
        let texts: Vec<String> = (0..60).map(|i| "é日x".repeat(i % 4)).collect();
        let texts = masked(Column::from_strs(&texts, ctx).unwrap());
        let keys = Column::from_strs(&["a", "bc", "é"], ctx).unwrap();
        let indices = Column::from_slice(&std::array::from_fn::<u8, 60, _>(|i| (i % 3) as u8), ctx).unwrap();
        let dictionary = Column::dictionary(indices, keys, mask(60)).unwrap();
        let empty = Column::nulls(DataType::Empty, 60, ctx).unwrap();
        let structs =
            Column::structs(60, vec![small.clone(), texts.clone(), dictionary, empty], mask(60)).unwrap();
        let wide = Column::from_slice(&std::array::from_fn::<i64, 31, _>(|i| (i * 2) as i64), ctx).unwrap();
        let narrow = Column::from_slice(&std::array::from_fn::<i32, 16, _>(|i| (i * 2) as i32), ctx).unwrap();
        let lists = Column::lists(wide, structs, mask(30)).unwrap();
        let deep = Column::lists(narrow, lists.clone(), mask(15)).unwrap();
        vec![
            small.slice(9, 10).unwrap(),
            texts.slice(3, 10).unwrap(),
            lists.slice(7, 10).unwrap(),
            deep.slice(2, 10).unwrap(),
            Column::structs(15, vec![deep], None).unwrap().slice(4, 10).unwrap(),
        ]
    }

    #[test]
    fn kernels_reach_everything() {
        let host = columns(&Context::current());
        let expected: Vec<i64> =
            (0..10).map(|row| host.iter().map(|column| sum_of(&column.get(row).unwrap())).sum()).collect();
        let mut devices = Device::all();
        devices.retain(|device| *device != Device::Cpu);
        devices.push(Device::EMULATOR);
        Emulator::set_race_check(true);
        for device in devices {
            let ctx = Context::on(device).unwrap();
            let there: Vec<Column> = host.iter().map(|column| column.to_device(&ctx).unwrap()).collect();
            // Slices of slices, whose offsets are not 0 on the device.
            for (from, len) in [(0, 10), (3, 5), (9, 1)] {
                let slices: Vec<Column> = there.iter().map(|c| c.slice(from, len).unwrap()).collect();
                let views = DeviceViews::new(&slices, &ctx).unwrap();
                let mut sums = DeviceUVec::<i64>::uninit(len, &ctx).unwrap();
                // SAFETY: there is a thread for each row, and the views are of the columns.
                let launched = unsafe {
                    add_up().launch(&ctx, Grid::of(1, len as u32), |arguments| {
                        arguments.add::<Structs<ColumnDeviceView>>(&views).add::<u32>(views.num_columns());
                        arguments.add::<Out<i64>>(&mut sums);
                    })
                };
                launched.unwrap();
                assert_eq!(sums.to_vec().unwrap(), expected[from..from + len]);
            }
        }
        let error = DeviceViews::new(&host, &Context::on(Device::EMULATOR).unwrap()).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
}
