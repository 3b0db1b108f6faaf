//! Columns that share memory: which do, who sees a write, and copies that share none.

use std::sync::Weak;

use cuprum_runtime::buffer::LateReader;
use cuprum_runtime::{Buffer, Context, Result};

use crate::column::Column;
use crate::null_mask;

impl Column {
    /// Whether both are the same rows of the same memory, with the same type and nulls.
    pub fn is_same_memory(&self, other: &Self) -> bool {
        let same = |a: Option<&Buffer>, b: Option<&Buffer>| match (a, b) {
            (Some(a), Some(b)) => a.is_same_memory(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let what = |column: &Self| (column.data_type(), column.offset(), column.len());
        what(self) == what(other)
            && same(self.data(), other.data())
            && same(self.mask(), other.mask())
            && self.children().len() == other.children().len()
            && self.children().iter().zip(other.children()).all(|(a, b)| a.is_same_memory(b))
    }

    /// Whether shallow copies of a mutable object that holds the column see writes to each other:
    /// elements of fixed width whose memory was made while the option `copy_on_write` was off.
    pub fn shows_writes(&self) -> bool {
        self.data_type().is_fixed_width() && self.data().is_some_and(|data| !data.copies_on_write())
    }

    /// Whether shallow copies are deep ones: the memory copies on write, and its address was given to
    /// somebody outside, who may write there without anybody knowing.
    pub fn has_escaped(&self) -> bool {
        let escaped = |buffer: &Buffer| buffer.copies_on_write() && buffer.is_exposed();
        [self.data(), self.mask()].into_iter().flatten().any(escaped)
    }

    /// Remembers who reads the column later, which it does before somebody outside gets an address of its memory; see
    /// [`Buffer::read_late`]. False where somebody has one already.
    #[must_use]
    pub fn read_late(&self, reader: &Weak<dyn LateReader>) -> bool {
        // All of them are to know, also behind one that was given away.
        let mut is_unseen = true;
        for buffer in [self.data(), self.mask()].into_iter().flatten() {
            is_unseen &= buffer.read_late(Weak::clone(reader));
        }
        for child in self.children() {
            is_unseen &= child.read_late(reader);
        }
        is_unseen
    }

    /// The same rows for a shallow copy: sharing memory unless it [has escaped](Self::has_escaped).
    pub fn shallow_copy(&self, ctx: &Context) -> Result<Self> {
        if self.has_escaped() { self.deep_copy(ctx) } else { Ok(self.clone()) }
    }

    /// The same rows in memory that nothing else uses, on the context's device. Types without fixed width
    /// share theirs, into which nothing ever writes.
    pub fn deep_copy(&self, ctx: &Context) -> Result<Self> {
        let (Some(size), Some(data)) = (self.data_type().size(), self.data()) else {
            return Ok(self.clone());
        };
        let data = data.slice(self.offset() * size, self.len() * size)?.copy(ctx)?;
        let mask = match self.mask() {
            Some(_) if self.has_nulls() => Some((null_mask::copy_bitmask(self, ctx)?, self.null_count()?)),
            _ => None,
        };
        Self::from_buffer(self.data_type(), self.len(), data, mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataType;

    #[test]
    fn copies_have_memory_of_their_own() {
        let ctx = Context::current();
        for len in [0, 1, 31, 32, 33, 63, 64, 65, 1000] {
            let values: Vec<Option<i64>> = (0..len).map(|i| (i % 3 > 0).then_some(i)).collect();
            let column = Column::from_options(&values, &ctx).unwrap();
            for part in [column.clone(), column.slice(len as usize / 3, len as usize / 2).unwrap()] {
                let copy = part.deep_copy(&ctx).unwrap();
                assert_eq!(format!("{copy:?}"), format!("{part:?}"));
                assert!(part.is_same_memory(&part.clone()) && !part.is_same_memory(&copy));
                assert!(copy.data().unwrap().is_exclusive());
                assert!(copy.mask().is_none_or(Buffer::is_exclusive));
            }
        }
        let texts = Column::from_strs(&["a", "", "ä"], &ctx).unwrap();
        assert!(texts.is_same_memory(&texts.deep_copy(&ctx).unwrap()) && !texts.shows_writes());
        assert!(Column::empty(DataType::Int8).is_same_memory(&Column::empty(DataType::Int8)));
    }

    #[test]
    fn slices_and_other_types_are_other_memory() {
        let ctx = Context::current();
        let column = Column::from_slice(&[1i64, 2, 3], &ctx).unwrap();
        assert!(!column.is_same_memory(&column.slice(0, 2).unwrap()));
        assert!(!column.slice(0, 2).unwrap().is_same_memory(&column.slice(1, 2).unwrap()));
        let times = column.bit_cast(DataType::Timestamp(crate::TimeUnit::Nanoseconds)).unwrap();
        assert!(!column.is_same_memory(&times));
    }
}
