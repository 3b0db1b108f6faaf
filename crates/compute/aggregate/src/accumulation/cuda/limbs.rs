//! Sums of floats as integers of several words (limbs), whose digits lie below the largest exponent of a column.

use cuprum_column::{Column, Context, DataType, DeviceViews, Result};
use cuprum_runtime::DeviceUVec;

use super::statistics_kernels::{exponents, grid};

/// The most digits of a sum, as in the kernels.
const MOST_DIGITS: i32 = 4;

/// The least exponent that digits are below: the units of the last are numbers then, and their inverses.
const LEAST_EXPONENT: i32 = -800;

/// Digits of floats that are summed: `width` bits each, below two to the power of the exponent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limbs {
    pub(super) count: u32,
    pub(super) exponent: i32,
    pub(super) width: u32,
    /// The bits that there are below the exponent, as a multiple of 32; not all need be in the digits.
    pub(super) bits: u32,
    /// Whether a value is infinite, which flags say.
    pub(super) has_infinity: bool,
}

impl Limbs {
    /// The digits for exact sums of the floats that `floats` makes of rows of a column, guessed from a sample; `None` of
    /// a column of fewer than `8 * sampled` rows.
    pub(super) fn guessed(
        column: &Column,
        sampled: usize,
        floats: impl Fn(&Column) -> Result<Column>,
        ctx: &Context,
    ) -> Result<Option<Self>> {
        const PIECES: usize = 4;
        let rows = column.len();
        if rows / 8 < sampled.max(PIECES) {
            return Ok(None);
        }
        let piece = sampled / PIECES;
        let pieces = (0..PIECES).map(|i| floats(&column.slice(i * (rows - piece) / (PIECES - 1), piece)?));
        // Others are some larger, and some have lower bits: of numbers that are spread evenly as many bits lower as there are
        // more of them, of their squares twice as many.
        let below = 2 * (rows / sampled).ilog2() as i32 + 4;
        Self::of(&pieces.collect::<Result<Vec<_>>>()?, rows, [2, below], ctx)
    }

    /// The limbs for exact sums of `len` floats, with so many bits more above and below; `pieces` are some of the
    /// floats. `None` where the exponents are too far apart.
    pub(super) fn of(
        pieces: &[Column],
        len: usize,
        [above, below]: [i32; 2],
        ctx: &Context,
    ) -> Result<Option<Self>> {
        let mut bounds = DeviceUVec::<u64>::zeroed(3, &ctx.temporary()?)?;
        let views = DeviceViews::new(pieces, ctx)?;
        let most = pieces.iter().map(Column::len).max().unwrap_or(0);
        let is_single = pieces.first().is_some_and(|piece| piece.data_type() == DataType::Float32);
        let launch = if is_single { exponents::<f32> } else { exponents::<f64> };
        // SAFETY: the columns are of this type.
        unsafe { launch(ctx, grid(most), &views, views.num_columns(), &mut bounds)? };
        let bounds = bounds.to_vec()?;
        let has_infinity = bounds[2] != 0;
        // The sum of as many digits as there are rows fits 63 bits.
        let width = 35.min(62 - (usize::BITS - len.leading_zeros()) as i32);
        if bounds[1] == 0 {
            return Ok(Some(Self { count: 1, exponent: 0, width: width as u32, bits: 32, has_infinity }));
        }
        let (least, greatest) = (5000 - bounds[0] as i32 - below, bounds[1] as i32 - 5000 + above);
        // Its inverse is a number, too.
        let exponent = (greatest + 1).clamp(LEAST_EXPONENT, 1024);
        let bits = (exponent - least).max(1);
        let count = (bits + width - 1) / width;
        let fits = count <= MOST_DIGITS;
        let bits = (bits as u32).next_multiple_of(32);
        Ok(fits.then_some(Self { count: count as u32, exponent, width: width as u32, bits, has_infinity }))
    }
}
