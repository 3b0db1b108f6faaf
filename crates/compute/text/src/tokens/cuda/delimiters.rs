//! Delimiters in the memory of a GPU.

use cuprum_column::{Context, Result};
use cuprum_runtime::DeviceUVec;

use super::super::delimiters::Delimiters;

/// Delimiters as `cuprum/tokens.cuh` reads them.
pub(super) struct DeviceDelimiters {
    pub(super) words: DeviceUVec<u64>,
    /// Characters, or texts.
    pub(super) count: usize,
    pub(super) kind: u32,
}

impl DeviceDelimiters {
    pub(super) fn new(delimiters: &Delimiters, ctx: &Context) -> Result<Self> {
        let (words, count, kind) = match delimiters {
            Delimiters::Bytes(set) => {
                let word = |first: usize| (0..64).map(|bit| u64::from(set[first + bit]) << bit).sum();
                (vec![word(0), word(64)], 0, 0)
            }
            Delimiters::Characters(set) => {
                (set.iter().map(|&c| u64::from(u32::from(c))).collect(), set.len(), 1)
            }
            Delimiters::Texts(texts) => {
                let mut words = vec![0];
                words.extend(texts.iter().scan(0, |end, text| {
                    *end += text.len() as u64;
                    Some(*end)
                }));
                let mut bytes = texts.concat().into_bytes();
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                words.extend(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)));
                (words, texts.len(), 2)
            }
        };
        Ok(Self { words: DeviceUVec::from_slice(&words, &ctx.temporary()?)?, count, kind })
    }
}
