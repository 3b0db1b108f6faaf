//! Columns of all stripes, each of which is decoded to its place; where that is on a GPU, it is copied there while others
//! are decoded. Nested columns are decoded whole before.

use std::mem::MaybeUninit;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, StringArray};
use arrow_schema::{DataType as ArrowType, Field, TimeUnit};
use cuprum_column::{Column, Context, DataType, Error, Native, Result};
use cuprum_runtime::parallel;

use crate::batches;
use crate::places::sum;
use crate::room::{self, Texts};
use crate::validity::Validity;

/// The most rows for each byte of the file that memory is taken ahead for: a stripe's count may be wrong.
const ROWS_OF_A_BYTE: usize = 1024;

/// The column of stripes of so many rows, in a file of `file_len` bytes, of which `decode` decodes each, on the second of the devices; the host decodes.
pub(super) fn column(
    field: &Field,
    rows: &[usize],
    file_len: u64,
    (host, ctx): (&Context, &Context),
    decode: impl Fn(usize) -> Result<ArrayRef> + Sync,
) -> Result<Column> {
    let stripes = Stripes { field, rows, host, ctx, decode };
    let most = usize::try_from(file_len).unwrap_or(usize::MAX).saturating_mul(ROWS_OF_A_BYTE);
    if sum(rows.iter().copied()).is_none_or(|rows| rows > most) {
        return stripes.whole();
    }
    match field.data_type() {
        ArrowType::Boolean => stripes.fixed::<u8>(|array, out| {
            let values = array.as_boolean().values().iter();
            out.iter_mut().zip(values).for_each(|(slot, value)| _ = slot.write(value.into()));
        }),
        ArrowType::Int8 => stripes.primitive::<Int8Type>(),
        ArrowType::Int16 => stripes.primitive::<Int16Type>(),
        ArrowType::Int32 => stripes.primitive::<Int32Type>(),
        ArrowType::Int64 => stripes.primitive::<Int64Type>(),
        ArrowType::Float32 => stripes.primitive::<Float32Type>(),
        ArrowType::Float64 => stripes.primitive::<Float64Type>(),
        ArrowType::Date32 => stripes.primitive::<Date32Type>(),
        ArrowType::Timestamp(TimeUnit::Second, _) => stripes.primitive::<TimestampSecondType>(),
        ArrowType::Timestamp(TimeUnit::Millisecond, _) => stripes.primitive::<TimestampMillisecondType>(),
        ArrowType::Timestamp(TimeUnit::Microsecond, _) => stripes.primitive::<TimestampMicrosecondType>(),
        ArrowType::Timestamp(TimeUnit::Nanosecond, _) => stripes.primitive::<TimestampNanosecondType>(),
        ArrowType::Utf8 => stripes.texts(),
        _ => stripes.whole(),
    }
}

struct Stripes<'a, D> {
    field: &'a Field,
    rows: &'a [usize],
    host: &'a Context,
    ctx: &'a Context,
    decode: D,
}

impl<D: Fn(usize) -> Result<ArrayRef> + Sync> Stripes<'_, D> {
    fn primitive<A: ArrowPrimitiveType<Native: Native>>(&self) -> Result<Column> {
        self.fixed::<A::Native>(|array, out| {
            out.write_copy_of_slice(array.as_primitive::<A>().values());
        })
    }

    /// `copy` writes the values of an array to as many places.
    fn fixed<T: Native>(&self, copy: impl Fn(&ArrayRef, &mut [MaybeUninit<T>]) + Sync) -> Result<Column> {
        let fill = |stripe: usize, out: &mut [MaybeUninit<T>]| {
            let array = (self.decode)(stripe)?;
            if array.len() != out.len() {
                return Err(Error::logic(format!("{} rows of a stripe of {}", array.len(), out.len())));
            }
            copy(&array, out);
            Ok(Some(validity(&array)))
        };
        let data_type = DataType::stored_as(self.field.data_type())?;
        let stripes = self.rows.iter().copied().enumerate().collect();
        // SAFETY: an array has a value for every row, and all of them have been copied.
        let column = unsafe { room::fixed(data_type, stripes, (self.host, self.ctx), fill)? };
        column.ok_or_else(too_many)
    }

    fn texts(&self) -> Result<Column> {
        let pieces = parallel::map_items(0..self.rows.len(), self.host, |stripe| {
            let array = (self.decode)(stripe)?;
            Ok(Piece { validity: validity(&array), array: array.as_string().clone() })
        })?;
        room::texts(&pieces, self.host, self.ctx)?.ok_or_else(too_many)
    }

    fn whole(&self) -> Result<Column> {
        let arrays = parallel::map_ranges(self.rows.len(), 1, self.host, |one| (self.decode)(one.start))?;
        let rows = sum(self.rows.iter().copied()).ok_or_else(too_many)?;
        let arrays: Vec<&ArrayRef> = arrays.iter().collect();
        batches::column(self.field, &arrays, rows, self.host)?.to_device(self.ctx)
    }
}

fn too_many() -> Error {
    Error::overflow("more rows or characters than can be counted")
}

fn validity(array: &ArrayRef) -> Validity {
    let mut validity = Validity::default();
    let Some(nulls) = array.nulls().filter(|nulls| nulls.null_count() > 0) else { return validity };
    let bits = nulls.inner().bit_chunks();
    for (w, word) in bits.iter().enumerate() {
        validity.clear_zeros(64 * w, word, 64);
    }
    let rest = bits.remainder_len();
    validity.clear_zeros(nulls.len() - rest, bits.remainder_bits(), rest);
    validity
}

/// The texts of a stripe.
struct Piece {
    array: StringArray,
    validity: Validity,
}

impl Piece {
    fn first(&self) -> i32 {
        self.array.value_offsets()[0]
    }
}

// SAFETY: offsets of an array of texts never decrease, there is one more than rows, and what is between two of them is
// UTF-8; all that is between the first and the last is copied.
unsafe impl Texts for Piece {
    fn rows(&self) -> usize {
        self.array.len()
    }

    fn validity(&self) -> &Validity {
        &self.validity
    }

    fn bytes(&self) -> usize {
        (self.array.value_offsets()[self.array.len()] - self.first()) as usize
    }

    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Result<Option<()>> {
        let first = self.first();
        chars.write_copy_of_slice(&self.array.value_data()[first as usize..][..chars.len()]);
        for (end, &offset) in ends.iter_mut().zip(&self.array.value_offsets()[1..]) {
            end.write(O::from_i64(base as i64 + i64::from(offset - first)));
        }
        Ok(Some(()))
    }
}
