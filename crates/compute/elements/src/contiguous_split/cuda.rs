//! Blocks on a GPU: one launch whose blocks of threads write tiles of the output.

use std::ops::Range;

use cuprum_column::{Context, Error, Result};
use cuprum_runtime::kernel::{Grid, In, Out, reaching};
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernels};

use super::Target;
use super::layout::{ALIGNMENT, BlockLayout, OffsetPlace, Operation, Piece};

kernels! {
    pub static CONTIGUOUS_SPLIT: "contiguous_split.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Bytes that a block writes.
        TILE = 32768;

    fn gather_offsets(places: In<u64>, n: usize, out: Out<i64>);
    fn copy_pieces(
        plan: In<u64>, num_pieces: usize, first_tile: usize, begin: usize, end: usize, shift: u64,
    );
}

/// The offsets at `places`, all with one launch and one copy.
pub(super) fn offsets_at(places: &[OffsetPlace<'_>], scratch: &Context) -> Result<Vec<i64>> {
    let mut words = Vec::with_capacity(places.len() * 2);
    let mut spans: Vec<DeviceSpan<'_, u8>> = Vec::new();
    let mut last = std::ptr::null();
    for place in places {
        let (data, size) = match (place.column.data(), place.column.data_type().size()) {
            (Some(data), Some(size @ (4 | 8))) if (place.row + 1) * size <= data.len() => (data, size),
            _ => return Err(super::no_offsets(place.column.data_type())),
        };
        if !std::ptr::eq(last, data) {
            spans.push(data.span()?);
            last = data;
        }
        let address = spans.last().map_or(0, |span| span.as_ptr() as usize);
        if !address.is_multiple_of(size) {
            return Err(Error::logic(format!("{data:?} does not hold offsets of {size} bytes")));
        }
        words.extend([(address + place.row * size) as u64, size as u64]);
    }
    let words = DeviceUVec::from_slice(&words, scratch)?;
    let (len, mut out) = (places.len(), DeviceUVec::<i64>::uninit(places.len(), scratch)?);
    let grid = Grid::covering(len, THREADS as usize, THREADS);
    // SAFETY: `words` has two words for each of the places, which are inside the memory reached; `out`
    // has an element for each.
    unsafe { gather_offsets(scratch, grid, reaching(&words, &spans), len, &mut out)? };
    out.to_vec()
}

/// A layout as the kernel reads it.
#[derive(Debug)]
pub(super) struct Plan {
    /// The pieces, and behind them for every tile the number of its first piece.
    words: DeviceUVec<u64>,
    /// The number of tiles before each window.
    first_tiles: Vec<usize>,
    /// The addresses of the layout's sources.
    sources: Vec<u64>,
}

impl Plan {
    /// The plan for writing `windows` of the row of blocks, one by one. Places in memory are counted from
    /// where `addresses` says the blocks of the parts lie; `sources` are the layout's.
    pub(super) fn new(
        layout: &BlockLayout,
        windows: &[Range<usize>],
        addresses: &[u64],
        sources: &[DeviceSpan<'_, u8>],
        scratch: &Context,
    ) -> Result<Self> {
        let sources = addresses_of(sources);
        let mut words = Vec::with_capacity(layout.pieces.len() * PIECE_WORDS);
        let mut parts = layout.parts.iter().zip(addresses);
        let mut part = parts.next();
        for piece in &layout.pieces {
            while part.is_some_and(|(part, _)| part.block.end <= piece.begin) {
                part = parts.next();
            }
            let target = part.map_or(0, |(part, address)| address + (piece.begin - part.block.start) as u64);
            words.extend(piece_words(piece, sources[piece.source], target));
        }
        let (mut first_tiles, mut tiles) = (Vec::with_capacity(windows.len()), 0);
        for window in windows {
            first_tiles.push(tiles);
            let mut piece = layout.pieces.partition_point(|piece| piece.end() <= window.start);
            for begin in window.clone().step_by(TILE as usize) {
                while layout.pieces.get(piece).is_some_and(|piece| piece.end() <= begin) {
                    piece += 1;
                }
                words.push(piece as u64);
                tiles += 1;
            }
        }
        Ok(Self { words: DeviceUVec::from_slice(&words, scratch)?, first_tiles, sources })
    }

    /// Whether the sources of the layout still are where they were when the plan was made.
    pub(super) fn is_of(&self, sources: &[DeviceSpan<'_, u8>]) -> bool {
        self.sources == addresses_of(sources)
    }

    /// Writes window number `number`, which is `window`, to `targets`. `shift` is added to the places in
    /// memory of the plan.
    ///
    /// # Safety
    /// The window is the one of the plan, `sources` are those it [is of](Self::is_of), and the targets lie
    /// where it and `shift` say.
    pub(super) unsafe fn copy(
        &self,
        layout: &BlockLayout,
        sources: &[DeviceSpan<'_, u8>],
        (number, window): (usize, Range<usize>),
        targets: &mut [Target<'_>],
        shift: u64,
        ctx: &Context,
    ) -> Result<()> {
        let targets = targets.iter_mut().map(|target| &mut *target.memory);
        let plan = reaching(&self.words, sources).and_writing(targets);
        let (grid, tile) = (Grid::covering(window.len(), TILE as usize, THREADS), self.first_tiles[number]);
        // SAFETY: pieces lie within their sources, as the layout has checked, and within the targets by the
        // caller's promise.
        unsafe { copy_pieces(ctx, grid, plan, layout.pieces.len(), tile, window.start, window.end, shift) }
    }
}

const PIECE_WORDS: usize = 7;

fn addresses_of(sources: &[DeviceSpan<'_, u8>]) -> Vec<u64> {
    sources.iter().map(|span| span.as_ptr() as u64).collect()
}

/// `struct Piece` of the kernel; its source is at `address`.
fn piece_words(piece: &Piece, address: u64, target: u64) -> [u64; PIECE_WORDS] {
    let (kind, source, bytes, value) = match piece.operation {
        Operation::Copy => (0, address + piece.from as u64, piece.bytes, 0),
        Operation::Rebase32(base) => (1, address + piece.from as u64, piece.bytes, base as u64),
        Operation::Rebase64(base) => (2, address + piece.from as u64, piece.bytes, base as u64),
        Operation::Shift { bits } => {
            // Words of 32 bits are read: the byte with the first bit is somewhere in the first one.
            let first = address + piece.from as u64 / 8;
            let bit = (first % 4) * 8 + piece.from as u64 % 8;
            (3 | (bits as u64) << 2, first - first % 4, (bit as usize + bits).div_ceil(8), bit)
        }
    };
    debug_assert!(piece.begin.is_multiple_of(ALIGNMENT));
    [piece.begin as u64, piece.end() as u64, source, bytes as u64, target, value, kind]
}
