//! Printing times on a GPU.

use cuprum_column::{Column, ColumnDeviceView, Context, Result, TimeUnit};
use cuprum_elements::string_map::cuda::make_from_rows;
use cuprum_runtime::kernel::{In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use super::{Field, Item};
use crate::datetime::calendar::name_entries;

kernels! {
    pub static PRINT_TIMES: "print_times.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn print_times(
        column: ColumnDeviceView, per_day: i64, pieces: In<u8>, num_pieces: usize, names: In<u8>,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

/// Timestamps of `unit` in a format.
pub(in crate::datetime) fn print(
    column: &Column,
    unit: TimeUnit,
    items: &[Item],
    ctx: &Context,
) -> Result<Column> {
    let (mut pieces, mut longest) = (Vec::new(), 0usize);
    for item in items {
        match item {
            Item::Text(text) => {
                pieces.extend(text.bytes().flat_map(|byte| [0, byte]));
                longest += text.len();
            }
            Item::Field(field, padding) => {
                pieces.extend([*field as u8 + 1, *padding as u8]);
                longest += longest_field(*field);
            }
        }
    }
    let temporary = ctx.temporary()?;
    let (count, pieces) = (pieces.len() / 2, DeviceUVec::from_slice(&pieces, &temporary)?);
    let names = DeviceUVec::from_slice(&name_entries(str::to_owned), &temporary)?;
    make_from_rows(column, longest, ctx, |grid, rows, out| {
        let per_day = unit.per_day();
        // SAFETY: the column has times, there are so many pieces; sizes, offsets and bytes are those of the rows.
        unsafe {
            print_times(ctx, grid, rows, per_day, &pieces, count, &names, out.narrow, out.wide, out.bytes)
        }
    })
}

/// Bytes of the longest text of a field.
fn longest_field(field: Field) -> usize {
    match field {
        Field::Year | Field::IsoYear => "-292277022657".len(),
        Field::MonthName | Field::WeekdayName | Field::Nanosecond => "Wednesday".len(),
        Field::Fraction => 6,
        _ => 3,
    }
}
