//! Reading times on a GPU.

use cuprum_column::{Column, Context, DataType, ErrorKind, Result, TextsDeviceView, TimeUnit};
use cuprum_elements::string_map::OnError;
use cuprum_elements::string_map::cuda::parse_texts;
use cuprum_runtime::kernel::{In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use super::super::calendar::name_entries;
use super::super::format::Item;

kernels! {
    pub static PARSE_TIMES: "parse_times.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn parse_iso_times<T in [i32, i64]>(
        column: TextsDeviceView, per_day: i64, values: Out<T>, first_bad: Out<u64>, validity: Option<Out<u32>>,
    );
    fn parse_times<T in [i32, i64]>(
        column: TextsDeviceView, per_day: i64, steps: In<u8>, num_steps: usize, names: In<u8>,
        values: Out<T>, first_bad: Out<u64>, validity: Option<Out<u32>>,
    );
    fn parse_offsets(
        column: TextsDeviceView, steps: Option<In<u8>>, num_steps: usize, names: Option<In<u8>>,
        values: Out<i32>, first_bad: Out<u64>, validity: Option<Out<u32>>,
    );
}

/// A format in device memory: the steps that it is read in, and the names of months and days of the week.
struct Steps {
    steps: DeviceUVec<u8>,
    names: DeviceUVec<u8>,
}

/// Steps, as `parse_times.cu` has them.
const BYTE: u8 = 0;
const WHITE_SPACE: u8 = 1;
const FIRST_FIELD: u8 = 2;

impl Steps {
    fn new(items: &[Item], ctx: &Context) -> Result<Self> {
        let mut steps = Vec::new();
        for item in items {
            match item {
                Item::Field(field, _) => steps.push(FIRST_FIELD + *field as u8),
                Item::Text(text) => {
                    let mut is_behind_space = false;
                    for byte in text.bytes() {
                        match byte.is_ascii_whitespace() {
                            true if is_behind_space => {}
                            true => steps.push(WHITE_SPACE),
                            false => steps.extend([BYTE, byte.to_ascii_lowercase()]),
                        }
                        is_behind_space = byte.is_ascii_whitespace();
                    }
                }
            }
        }
        let names = name_entries(str::to_ascii_lowercase);
        let temporary = ctx.temporary()?;
        Ok(Self {
            steps: DeviceUVec::from_slice(&steps, &temporary)?,
            names: DeviceUVec::from_slice(&names, &temporary)?,
        })
    }
}

/// Texts as times of `unit`, in a format or in a form of ISO 8601; `parse` is what the CPU does.
pub(super) fn times(
    column: &Column,
    format: Option<&[Item]>,
    unit: TimeUnit,
    on_error: OnError,
    parse: impl Fn(&str) -> Result<i64, ErrorKind>,
    ctx: &Context,
) -> Result<Column> {
    let (to, per_day) = (DataType::Timestamp(unit), unit.per_day());
    let format = format.map(|items| Steps::new(items, ctx)).transpose()?;
    macro_rules! read_as {
        ($T:ty) => {
            parse_texts::<$T, i64>(column, to, on_error, ctx, parse, |grid, texts, out| {
                let (values, first_bad, validity) = (out.values, out.first_bad, out.validity);
                match &format {
                    // SAFETY: there is a place and a bit for each row.
                    None => unsafe {
                        parse_iso_times::<$T>(ctx, grid, texts, per_day, values, first_bad, validity)
                    },
                    // SAFETY: there are so many steps, a place and a bit for each row.
                    Some(Steps { steps, names }) => unsafe {
                        let count = steps.len();
                        parse_times::<$T>(
                            ctx, grid, texts, per_day, steps, count, names, values, first_bad, validity,
                        )
                    },
                }
            })
        };
    }
    if unit == TimeUnit::Days { read_as!(i32) } else { read_as!(i64) }
}

/// See [`utc_offsets`](super::utc_offsets); `parse` is what the CPU does.
pub(super) fn utc_offsets(
    column: &Column,
    format: Option<&[Item]>,
    parse: impl Fn(&str) -> Result<i32, ErrorKind>,
    ctx: &Context,
) -> Result<Column> {
    let format = format.map(|items| Steps::new(items, ctx)).transpose()?;
    let (steps, names) = (format.as_ref().map(|f| &f.steps), format.as_ref().map(|f| &f.names));
    let num_steps = steps.map_or(0, DeviceUVec::len);
    parse_texts::<i32, i32>(column, DataType::Int32, OnError::Null, ctx, parse, |grid, texts, out| {
        let (values, first_bad, validity) = (out.values, out.first_bad, out.validity);
        // SAFETY: there are so many steps, a place and a bit for each row.
        unsafe { parse_offsets(ctx, grid, texts, steps, num_steps, names, values, first_bad, validity) }
    })
}
