//! Times as texts and texts as durations: see [`convert`](super::super::convert).

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, Error, Result, TextsDeviceView, TimeUnit,
};
use cuprum_elements::string_map::OnError;
use cuprum_elements::string_map::cuda::{make_from_rows, parse_texts};
use cuprum_runtime::kernel::{Grid, Out};
use cuprum_runtime::primitives::Number;
use cuprum_runtime::{DeviceUVec, kernels};

use super::super::print::Resolution;
use super::super::values;

kernels! {
    pub static TIMES: "times.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 5120;

    fn finest_resolution(column: ColumnDeviceView, per_day: i64, finest: Out<u32>);
    fn print_timestamps(
        column: ColumnDeviceView, per_day: i64, resolution: u32,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn print_durations(
        column: ColumnDeviceView, per_day: i64, resolution: u32,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
    fn parse_durations<T in [i32, i64]>(
        column: TextsDeviceView, nanos_of_unit: i64,
        values: Out<T>, first_bad: Out<u64>, validity: Option<Out<u32>>,
    );
}

/// Bytes of the longest times.
const LONGEST_TIMESTAMP: usize = "-292277022657-01-27 00:00:00.123456789".len();
const LONGEST_DURATION: usize = "-106751991167301 days +00:00:00.123456789".len();

/// The finest resolution that a row needs.
fn resolution(column: &Column, unit: TimeUnit, ctx: &Context) -> Result<Resolution> {
    if unit == TimeUnit::Days || column.is_empty() {
        return Ok(Resolution::Days);
    }
    let (view, temporary) = (DeviceView::new(column)?, ctx.temporary()?);
    let mut finest = DeviceUVec::<u32>::zeroed(1, &temporary)?;
    let grid = Grid::striding(column.len(), THREADS);
    // SAFETY: the column has times.
    unsafe { finest_resolution(ctx, grid, &view, unit.per_day(), &mut finest)? };
    let number = finest.element(0)?;
    let found = Resolution::ALL.into_iter().find(|&resolution| resolution as u32 == number);
    found.ok_or_else(|| Error::logic(format!("there is no resolution of number {number}")))
}

/// Timestamps as [`to_strings`](super::super::convert::to_strings) has them.
pub(in super::super) fn timestamps_as_texts(
    column: &Column,
    unit: TimeUnit,
    ctx: &Context,
) -> Result<Column> {
    let (shown, per_day) = (resolution(column, unit, ctx)? as u32, unit.per_day());
    make_from_rows(column, LONGEST_TIMESTAMP, ctx, |grid, rows, out| {
        // SAFETY: the column has times; sizes, offsets and bytes are those of the rows.
        unsafe { print_timestamps(ctx, grid, rows, per_day, shown, out.narrow, out.wide, out.bytes) }
    })
}

/// Durations as [`to_strings`](super::super::convert::to_strings) has them.
pub(in super::super) fn durations_as_texts(column: &Column, unit: TimeUnit, ctx: &Context) -> Result<Column> {
    let (shown, per_day) = (resolution(column, unit, ctx)?.of_durations() as u32, unit.per_day());
    make_from_rows(column, LONGEST_DURATION, ctx, |grid, rows, out| {
        // SAFETY: the column has times; sizes, offsets and bytes are those of the rows.
        unsafe { print_durations(ctx, grid, rows, per_day, shown, out.narrow, out.wide, out.bytes) }
    })
}

/// Texts as durations of `unit`, which are stored as `T`.
pub(in super::super) fn durations_of_texts<T>(
    column: &Column,
    unit: TimeUnit,
    on_error: OnError,
    ctx: &Context,
) -> Result<Column>
where
    T: Number + TryFrom<i128>,
{
    let nanos_of_unit = TimeUnit::Nanoseconds.per_day() / unit.per_day();
    let parse = |row: &str| values::parse_duration::<T>(row, unit);
    parse_texts(column, DataType::Duration(unit), on_error, ctx, parse, |grid, texts, out| {
        let (values, first_bad, validity) = (out.values, out.first_bad, out.validity);
        // SAFETY: there is a place and a bit for each row.
        unsafe { parse_durations::<T>(ctx, grid, texts, nanos_of_unit, values, first_bad, validity) }
    })
}
