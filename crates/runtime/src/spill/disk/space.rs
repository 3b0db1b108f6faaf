//! The free pieces of a file.

use std::collections::BTreeMap;

/// Pieces are handed out first-fit, so that the file stays as short as its contents allow.
#[derive(Debug, Default)]
pub(super) struct Space {
    /// Offset and length of every free piece below `end`; no two of them touch, none touches `end`.
    free: BTreeMap<u64, u64>,
    /// Everything from here on is free.
    end: u64,
}

impl Space {
    /// Takes `len` bytes and gives their offset; `None` where offsets end before.
    pub(super) fn take(&mut self, len: u64) -> Option<u64> {
        let fit = self.free.iter().find(|(_, free)| **free >= len).map(|(offset, free)| (*offset, *free));
        if let Some((offset, free)) = fit {
            self.free.remove(&offset);
            if free > len {
                self.free.insert(offset + len, free - len);
            }
            return Some(offset);
        }
        let offset = self.end;
        // The operating system's offsets are signed.
        self.end = offset.checked_add(len).filter(|end| i64::try_from(*end).is_ok())?;
        Some(offset)
    }

    /// Gives back a piece from [`take`](Self::take).
    pub(super) fn give_back(&mut self, mut offset: u64, mut len: u64) {
        if let Some(after) = self.free.remove(&(offset + len)) {
            len += after;
        }
        if let Some((&before, &free)) = self.free.range(..offset).next_back()
            && before + free == offset
        {
            self.free.remove(&before);
            offset = before;
            len += free;
        }
        if offset + len == self.end {
            self.end = offset;
        } else {
            self.free.insert(offset, len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn pieces_never_overlap_and_join_again() {
        let mut random = Random(5);
        let mut space = Space::default();
        let mut taken: Vec<(u64, u64)> = Vec::new();
        for _ in 0..3000 {
            if random.below(5) < 3 {
                let len = 1 + random.below(20);
                let offset = space.take(len).unwrap();
                assert!(taken.iter().all(|(o, l)| offset + len <= *o || o + l <= offset));
                taken.push((offset, len));
            } else if !taken.is_empty() {
                let (offset, len) = taken.swap_remove(random.below(taken.len() as u64) as usize);
                space.give_back(offset, len);
            }
            let free: u64 = space.free.values().sum();
            assert_eq!(space.end - free, taken.iter().map(|(_, len)| len).sum::<u64>());
            let ends: Vec<_> = space.free.iter().map(|(o, l)| o + l).collect();
            assert!(ends.iter().all(|end| *end < space.end && !space.free.contains_key(end)));
        }
        taken.drain(..).for_each(|(offset, len)| space.give_back(offset, len));
        assert_eq!((space.end, space.free.len()), (0, 0));
    }

    #[test]
    fn takes_the_first_piece_that_fits() {
        let mut space = Space::default();
        let offsets = [4, 2, 8, 1].map(|len| space.take(len).unwrap());
        assert_eq!(offsets, [0, 4, 6, 14]);
        space.give_back(0, 4);
        space.give_back(6, 8);
        assert_eq!(space.take(5), Some(6));
        assert_eq!(space.take(4), Some(0));
        assert_eq!(space.take(4), Some(15));
    }

    #[test]
    fn offsets_end_where_the_operating_system_s_end() {
        let mut space = Space::default();
        assert_eq!(space.take(u64::MAX), None);
        assert_eq!(space.take(1 << 63), None);
        assert_eq!(space.take((1 << 63) - 1), Some(0));
        assert_eq!(space.take(1), None);
    }
}
