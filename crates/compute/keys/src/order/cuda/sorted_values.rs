//! The values of a column in order.

use cuprum_column::{Column, Context, Error, Native, Result, Table};
use cuprum_runtime::{DeviceUVec, primitives};

use super::device_keys::DeviceKeys;
use super::kernels::{DeviceRow, KeyField, striding, take_numbers};
use super::word_plan::{BitsOfFields, DeviceFields, KIND_VALUE, PlannedPart, key_field};
use crate::order::layout::{Coding, Field, Part, bit_width};
use crate::order::options::{NullOrder, Order};

/// The values of a column that are not missing, in order.
pub struct SortedValues {
    /// Their distances from the smallest one, ascending; codes behind the first `len` are of missing values.
    codes: DeviceUVec<u64>,
    /// The number of values.
    pub len: usize,
    low: u64,
}

impl SortedValues {
    /// The values of a column of fixed width, at most 64 bits.
    pub fn new(column: &Column, ctx: &Context) -> Result<Self> {
        let table = Table::new(vec![column.clone()])?;
        let keys = DeviceKeys::new(&table, &[], NullOrder::Last, ctx)?;
        let range = keys.ranges(ctx)?.first().ok_or_else(|| Error::logic("a range for each column"))?;
        let (low, high, len) = (range.low as u64, range.high as u64, range.present as usize);
        if len == 0 {
            return Ok(Self { codes: DeviceUVec::uninit(0, ctx)?, len, low: 0 });
        }
        let coding = Coding::new(low, high, false, Order::Ascending, NullOrder::Last);
        let part = PlannedPart { column: 0, kind: KIND_VALUE, origin: 0, skip: 0, coding };
        let bits = bit_width(high - low);
        let field = Field { column: 0, part: Part::Code(0), bits };
        // As large as the largest value, and so behind all others or among their equals.
        let field = KeyField { absent: high - low, ..key_field(&part, &field) };
        let fields = DeviceFields::new(&[field], &ctx.temporary()?)?;
        let word = BitsOfFields { fields: (0, 1), bits };
        let words = keys.words::<u64, u32>(&fields, &word, None, ctx)?;
        let codes = primitives::sort_keys(&words.span(), 0..bits, &ctx.temporary()?)?;
        Ok(Self { codes, len, low })
    }

    /// The values at some positions below `len`, in their ordered form. Waits for them.
    pub fn at(&self, positions: &[u64], ctx: &Context) -> Result<Vec<u64>> {
        if let Some(outside) = positions.iter().find(|&&position| position >= self.len as u64) {
            return Err(Error::out_of_range(format!("value {outside} of {}", self.len)));
        }
        let positions = DeviceUVec::from_slice(positions, &ctx.temporary()?)?;
        let codes = taken(&self.codes, &positions, ctx)?.to_vec()?;
        Ok(codes.into_iter().map(|code| code + self.low).collect())
    }
}

/// `from[map[i]]` for each number of the map, which are below the length of `from`.
pub fn taken<V: Native, R: DeviceRow>(
    from: &DeviceUVec<V>,
    map: &DeviceUVec<R>,
    ctx: &Context,
) -> Result<DeviceUVec<V>> {
    let len = map.len();
    let mut out = DeviceUVec::<V>::uninit(len, &ctx.temporary()?)?;
    // SAFETY: the map has numbers below the length of `from`.
    unsafe { take_numbers::<V, R>(ctx, striding(len), from, map, len, &mut out)? };
    Ok(out)
}
