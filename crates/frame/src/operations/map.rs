//! Elements replaced by what a mapping has under them.

use cuprum_column::{Error, Result};

use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::operations::align;
use crate::series::Series;

/// What becomes of missing elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingKeys {
    /// They are looked up like others.
    #[default]
    LookUp,
    /// They stay missing.
    Ignore,
}

impl Series {
    /// For every element what `mapping` has under the row label that equals it, missing where it has none.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a mapping that repeats a
    /// label, and with [`DataType`](cuprum_column::ErrorKind::DataType) for labels that never equal elements.
    pub fn map(&self, mapping: &Self, missing: MissingKeys) -> Result<Self> {
        if !mapping.index().is_unique()? {
            return Err(Error::invalid_argument(
                "Reindexing only valid with uniquely valued Index objects: `mapping` repeats a label",
            ));
        }
        let keys = Index::new(self.column().clone(), None)?;
        let values = align::reindex(mapping, &keys)?;
        let mapped = Self::new(values.column().clone(), self.name().cloned(), self.index().clone())?;
        match missing {
            MissingKeys::LookUp => Ok(mapped),
            MissingKeys::Ignore => mapped.where_(self.notna()?.data()?, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::TypedColumn;
    use cuprum_column::ErrorKind;

    #[test]
    fn elements_are_looked_up() {
        let words = Series::from(vec![Some("a"), None, Some("x"), Some("b")]);
        let labels: TypedColumn = [Some("b"), Some("a"), None].into_iter().collect();
        let numbers: TypedColumn = [2i64, 1, 9].into_iter().collect();
        let mapping = Series::new(numbers, None, Index::new(labels, None).unwrap()).unwrap();
        let found = |missing| {
            let mapped = words.map(&mapping, missing).unwrap();
            (0..4).map(|row| mapped.get(row).unwrap().as_i64()).collect::<Vec<_>>()
        };
        assert_eq!(found(MissingKeys::LookUp), [Some(1), Some(9), None, Some(2)]);
        assert_eq!(found(MissingKeys::Ignore), [Some(1), None, None, Some(2)]);
        // Labels that repeat are refused even where they are the elements themselves.
        let twice: TypedColumn = ["a", "a"].into_iter().collect();
        let words = Series::from_column(twice.clone(), None);
        let mapping = Series::new(twice.clone(), None, Index::new(twice, None).unwrap()).unwrap();
        let error = words.map(&mapping, MissingKeys::LookUp).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
}
