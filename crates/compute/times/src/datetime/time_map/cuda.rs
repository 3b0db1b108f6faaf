//! On a GPU: a kernel for each function, over the loop of `map_times.cu`.

use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceView, DeviceViews, Error, Result, TimeUnit,
    UNKNOWN_NULL_COUNT, null_mask,
};
use cuprum_elements::gather::cuda::buffer;
use cuprum_runtime::kernel::{Grid, In, Out, Structs};
use cuprum_runtime::primitives::Number;
use cuprum_runtime::{DeviceUVec, kernels};

kernels! {
    pub static MAP_TIMES: "map_times.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn round_times<T in [i32, i64]>(
        column: ColumnDeviceView, period: i64, mode: u32, values: Out<T>, first_bad: Out<u64>,
    );
    fn add_months<T in [i32, i64]>(
        column: ColumnDeviceView, months: ColumnDeviceView, has_months: bool, all_months: i64, per_day: i64,
        values: Out<T>, first_bad: Out<u64>,
    );
    fn times_of_components<T in [i32, i64]>(
        columns: Structs<ColumnDeviceView>, given: u32, n: usize, per_day: i64, values: Out<T>, first_bad: Out<u64>,
    );
    fn place_times<T in [i32, i64]>(
        column: ColumnDeviceView, per_second: i64, first: i64, last: i64, repeats_from: i64, starts: In<i64>,
        places: In<i64>, count: usize, values: Option<Out<i64>>, first_bad: Out<u64>, validity: Option<Out<u32>>,
    );
}

/// The column of `to` whose values `launch` makes. Fails for the first row without one, with what `refuse` says of it.
fn map<T: Number>(
    len: usize,
    to: DataType,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
    refuse: impl FnOnce(usize) -> Result<Error>,
    launch: impl FnOnce(Grid, &mut DeviceUVec<T>, &mut DeviceUVec<u64>) -> Result<()>,
) -> Result<Column> {
    let mut values = DeviceUVec::uninit(len, ctx)?;
    let mut first_bad = DeviceUVec::from_slice(&[u64::MAX], &ctx.temporary()?)?;
    launch(Grid::striding(len, THREADS), &mut values, &mut first_bad)?;
    match first_bad.element(0)? {
        u64::MAX => Column::from_buffer(to, len, buffer(values)?, mask),
        bad => Err(refuse(bad as usize)?),
    }
}

/// The body with the type `$T` that times of `$data_type` are stored as.
macro_rules! with_stored {
    ($data_type:expr, $T:ident => $body:expr) => {
        match $data_type.size() {
            Some(4) => {
                type $T = i32;
                $body
            }
            _ => {
                type $T = i64;
                $body
            }
        }
    };
}

/// Times rounded to multiples of `period`, by the number of a [`Mode`](super::super::rounding::Mode).
pub(in crate::datetime) fn rounded(
    column: &Column,
    period: i64,
    mode: u32,
    ctx: &Context,
    refuse: impl FnOnce(usize) -> Result<Error>,
) -> Result<Column> {
    let (len, to, mask, view) =
        (column.len(), column.data_type(), column.copy_mask(ctx)?, DeviceView::new(column)?);
    with_stored!(to, T => map::<T>(len, to, mask, ctx, refuse, |grid, values, first_bad| {
        // SAFETY: the column has times of this width, and there is a place for each.
        unsafe { round_times::<T>(ctx, grid, &view, period, mode, values, first_bad) }
    }))
}

/// Times of `unit` moved by months: those of `months`, else `all_months`.
pub(in crate::datetime) fn moved_by_months(
    column: &Column,
    unit: TimeUnit,
    months: Option<&Column>,
    all_months: i64,
    ctx: &Context,
    refuse: impl FnOnce(usize) -> Result<Error>,
) -> Result<Column> {
    let (len, to, per_day) = (column.len(), column.data_type(), unit.per_day());
    let columns: Vec<&Column> = [column].into_iter().chain(months).collect();
    let mask = null_mask::bitmask_and(&columns, ctx)?;
    let view = DeviceView::new(column)?;
    let (of_months, has_months) =
        (months.map_or_else(|| Ok(DeviceView::empty()), DeviceView::new)?, months.is_some());
    with_stored!(to, T => map::<T>(len, to, mask, ctx, refuse, |grid, values, first_bad| {
        // SAFETY: the columns are as long, of times of this width and of integers; there is a place for each row.
        unsafe {
            add_months::<T>(ctx, grid, &view, &of_months, has_months, all_months, per_day, values, first_bad)
        }
    }))
}

/// Times of `unit` from their components: integers of one length. `given` has a bit for each of the seven that has a
/// column.
pub(in crate::datetime) fn of_components(
    columns: &[&Column],
    given: u32,
    unit: TimeUnit,
    ctx: &Context,
    refuse: impl FnOnce(usize) -> Result<Error>,
) -> Result<Column> {
    let (len, to, per_day) = (columns[0].len(), DataType::Timestamp(unit), unit.per_day());
    let mask = null_mask::bitmask_and(columns, ctx)?;
    let columns: Vec<Column> = columns.iter().map(|&column| column.clone()).collect();
    let views = DeviceViews::new(&columns, ctx)?;
    with_stored!(to, T => map::<T>(len, to, mask, ctx, refuse, |grid, values, first_bad| {
        // SAFETY: there is a column of integers for each bit, and a place for each of their rows.
        unsafe { times_of_components::<T>(ctx, grid, &views, given, len, per_day, values, first_bad) }
    }))
}

/// The places of times among pieces of time, which begin at `starts`; `places` has the kind and the number of each.
pub(in crate::datetime) struct Places<'a> {
    /// The first and the last second that have a place.
    pub(in crate::datetime) range: [i64; 2],
    /// The second from which on places repeat.
    pub(in crate::datetime) repeats_from: i64,
    pub(in crate::datetime) starts: &'a [i64],
    pub(in crate::datetime) places: &'a [i64],
    /// Whether places make nulls.
    pub(in crate::datetime) have_nulls: bool,
    /// Whether each time stays where it is, so that only those without a place are looked for.
    pub(in crate::datetime) are_their_own: bool,
}

/// Times of `unit`, or of seconds for those of days, at their places: a column of `to`.
pub(in crate::datetime) fn placed(
    column: &Column,
    unit: TimeUnit,
    to: DataType,
    places: &Places<'_>,
    ctx: &Context,
    refuse: impl FnOnce(usize) -> Result<Error>,
) -> Result<Column> {
    let (len, per_second, view) = (column.len(), unit.per_second().unwrap_or(1), DeviceView::new(column)?);
    let temporary = &ctx.temporary()?;
    let starts = DeviceUVec::from_slice(places.starts, temporary)?;
    let (count, places_of) = (starts.len(), DeviceUVec::from_slice(places.places, temporary)?);
    let ([first, last], repeats_from) = (places.range, places.repeats_from);
    let mut values = match places.are_their_own {
        true => None,
        false => Some(DeviceUVec::uninit(len, ctx)?),
    };
    let mut validity = match places.have_nulls && len > 0 {
        true => Some(DeviceUVec::zeroed(null_mask::bitmask_allocation_size_bytes(len) / 4, ctx)?),
        false => None,
    };
    let mut first_bad = DeviceUVec::from_slice(&[u64::MAX], temporary)?;
    let grid = Grid::striding(len, THREADS);
    let (values_of, validity_of) = (values.as_mut(), validity.as_mut());
    // SAFETY: the column has times of this width, each piece a start and two numbers, and each row a place and a bit.
    with_stored!(column.data_type(), T => unsafe {
        place_times::<T>(
            ctx, grid, &view, per_second, first, last, repeats_from, &starts, &places_of, count, values_of,
            &mut first_bad, validity_of,
        )
    })?;
    match first_bad.element(0)? {
        u64::MAX => {}
        bad => return Err(refuse(bad as usize)?),
    }
    let mask = match validity {
        Some(words) => Some((buffer(words)?, UNKNOWN_NULL_COUNT)),
        None => column.copy_mask(ctx)?,
    };
    match values {
        Some(values) => Column::from_buffer(to, len, buffer(values)?, mask),
        None => Ok(column.clone()),
    }
}
