//! Cases of letters: see [`case`](super::super::case).

use std::sync::LazyLock;

use cuprum_column::{Column, Context, Result, TextsDeviceView};
use cuprum_elements::string_map::cuda::{Nulls, make_from_texts};
use cuprum_runtime::kernel::{In, KernelName, Out};
use cuprum_runtime::{DeviceUVec, kernel_names, kernels};

use super::super::characters::{self, CASED, LETTER, title_of};

kernels! {
    pub static CASE: "case.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn change_case<How in [Upper, Lower, Swapped, Capitalized, Titled]>(
        column: TextsDeviceView, first: In<u32>, lower: In<u32>, kinds: In<u32>, inside: u32,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>,
    );
}

kernel_names! {
    pub(in super::super) struct Upper;
    pub(in super::super) struct Lower;
    pub(in super::super) struct Swapped;
    pub(in super::super) struct Capitalized;
    pub(in super::super) struct Titled;
}

/// The bytes of a character grow to three times as many at most (`SpecialCasing.txt`).
const GROWTH: usize = 3;

static TO_UPPER: LazyLock<Vec<u32>> = LazyLock::new(|| characters::mapping(|c| c.to_uppercase().collect()));
static TO_LOWER: LazyLock<Vec<u32>> = LazyLock::new(|| characters::mapping(|c| c.to_lowercase().collect()));
static TO_TITLE: LazyLock<Vec<u32>> = LazyLock::new(|| characters::mapping(title_of));

/// Words of letters with case.
pub(in super::super) const OF_CASED: u32 = CASED;
/// Words of letters.
pub(in super::super) const OF_LETTERS: u32 = LETTER;

/// Every row in another case. Words go on behind characters of the kinds `inside`.
pub(in super::super) fn changed<How: KernelName>(
    column: &Column,
    inside: u32,
    ctx: &Context,
) -> Result<Column> {
    let temporary = ctx.temporary()?;
    let table = |words: &[u32]| DeviceUVec::from_slice(words, &temporary);
    let is_title = How::NAME == Capitalized::NAME || How::NAME == Titled::NAME;
    let first = table(if is_title { &TO_TITLE } else { &TO_UPPER })?;
    let (lower, kinds) = (table(&TO_LOWER)?, table(&characters::KINDS)?);
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_from_texts(
        column,
        |bytes| bytes.checked_mul(GROWTH),
        nulls,
        ctx,
        |grid, texts, out| {
            // SAFETY: the tables have a number for each character; sizes, offsets and bytes are those of the rows.
            unsafe {
                change_case::<How>(
                    ctx, grid, texts, &first, &lower, &kinds, inside, out.narrow, out.wide, out.bytes,
                )
            }
        },
    )
}
