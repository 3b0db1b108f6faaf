//! The number of threads that run a kernel.

use crate::driver::LaunchShape;
use crate::error::{Error, Result};

/// Threads of a block (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; the
/// same for every architecture since 3.0).
const MOST_THREADS: u32 = 1024;
/// Blocks of a grid.
const MOST_BLOCKS: u32 = i32::MAX as u32;

/// The number of blocks, their threads, and their dynamic shared memory.
///
/// A launch fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where that is over a limit
/// of GPUs, and names the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    blocks: Blocks,
    threads: u32,
    shared_bytes: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blocks {
    Exactly(u64),
    /// As many as are resident at once, but no more than this.
    Resident(u64),
}

impl Grid {
    /// So many blocks of `threads`.
    pub fn of(blocks: usize, threads: u32) -> Self {
        Self { blocks: Blocks::Exactly(blocks as u64), threads, shared_bytes: 0 }
    }

    /// As many blocks as it takes where each does `per_block` of `len` elements; one at least.
    pub fn covering(len: usize, per_block: usize, threads: u32) -> Self {
        Self::of(len.div_ceil(per_block).max(1), threads)
    }

    /// As many blocks as are resident on the whole device at once, but not more than `most` (and one at
    /// least): for kernels whose blocks take one piece of work after the other.
    pub fn resident(most: usize, threads: u32) -> Self {
        Self { blocks: Blocks::Resident(most.max(1) as u64), threads, shared_bytes: 0 }
    }

    /// For kernels whose threads stride over `len` elements.
    pub fn striding(len: usize, threads: u32) -> Self {
        Self::resident(len.div_ceil(threads.max(1) as usize), threads)
    }

    /// The same with dynamic shared memory for each block: up to 48 KiB on every GPU, and as much as the
    /// GPU has besides the kernel's own.
    #[must_use]
    pub fn with_shared_bytes(self, shared_bytes: u32) -> Self {
        Self { shared_bytes, ..self }
    }

    /// The shape of a launch. `resident` returns how many blocks of so many threads and bytes of shared
    /// memory the device holds at once.
    pub(super) fn shape(&self, resident: impl FnOnce(u32, u32) -> Result<u64>) -> Result<LaunchShape> {
        if self.threads > MOST_THREADS {
            return Err(over("threads of a block in x", self.threads.into(), MOST_THREADS.into()));
        }
        let blocks = match self.blocks {
            Blocks::Exactly(blocks) => blocks,
            Blocks::Resident(most) if self.threads > 0 => {
                resident(self.threads, self.shared_bytes)?.clamp(1, most)
            }
            Blocks::Resident(_) => 0,
        };
        if blocks == 0 || self.threads == 0 {
            return Err(Error::invalid_argument("a launch has no blocks or no threads in x"));
        }
        match u32::try_from(blocks) {
            Ok(blocks @ ..=MOST_BLOCKS) => {
                let (grid, block) = ([blocks, 1, 1], [self.threads, 1, 1]);
                Ok(LaunchShape { grid, block, shared_bytes: self.shared_bytes })
            }
            _ => Err(over("blocks in x", blocks, MOST_BLOCKS.into())),
        }
    }
}

pub(super) fn over(what: &str, asked: u64, limit: u64) -> Error {
    Error::invalid_argument(format!("a launch of {asked} {what} is over the limit of {limit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(grid: Grid) -> Result<LaunchShape> {
        grid.shape(|threads, _| Ok(u64::from(2048 / threads) * 100))
    }

    #[test]
    fn launches_over_limits_name_the_limit() {
        let message = |grid| shape(grid).unwrap_err().to_string();
        let text = message(Grid::of(1, 1025));
        assert!(text.contains("1025 threads of a block in x is over the limit of 1024"), "{text}");
        assert!(message(Grid::resident(1, 1025)).contains("1025 threads of a block in x"));
        assert!(message(Grid::of(1 << 31, 32)).contains("2147483648 blocks in x is over the limit"));
        assert!(message(Grid::of(1 << 40, 32)).contains("1099511627776 blocks in x"));
        assert!(message(Grid::of(0, 32)).contains("no blocks"));
        assert!(message(Grid::striding(10, 0)).contains("no blocks or no threads"));
    }

    /// Shapes stay exact where 32 bits would not hold the lengths.
    #[test]
    fn lengths_beyond_31_bits() {
        for len in [1usize << 31, (1 << 33) + 1, 1 << 40] {
            let blocks = shape(Grid::covering(len, 4096, 256)).unwrap().grid[0] as usize;
            assert!((blocks - 1) * 4096 < len && len <= blocks * 4096, "{len}");
        }
        let error = shape(Grid::covering(usize::MAX, 4096, 256)).unwrap_err();
        assert!(error.to_string().contains("blocks in x is over the limit of 2147483647"), "{error}");
        assert_eq!(shape(Grid::covering(0, 1, 256)).unwrap().grid, [1, 1, 1]);
        assert_eq!(shape(Grid::striding(0, 256)).unwrap().grid, [1, 1, 1]);
        assert_eq!(shape(Grid::striding(257, 256)).unwrap().grid, [2, 1, 1]);
        assert_eq!(shape(Grid::striding(1 << 40, 256)).unwrap().grid, [800, 1, 1]);
    }
}
