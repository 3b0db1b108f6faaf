//! Cross-sections: the rows under a label of some levels, without these levels.

use cuprum_column::{Error, Result};

use super::{LabelKey, loc};
use crate::column_accessor::LevelKey;
use crate::frame::IndexedFrame;
use crate::label::Label;

/// The treatment of levels by which rows are selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamedLevels {
    /// The result is without them, unless they are all that there are.
    #[default]
    Drop,
    /// They stay.
    Keep,
}

/// The rows of a frame or series over several levels that have each of `labels` in the level of that number.
///
/// Fails with [`KeyNotFound`](crate::ErrorKind::KeyNotFound) where there are none, with
/// [`OutOfRange`](crate::ErrorKind::OutOfRange) for a level that is not there and with
/// [`DataType`](crate::ErrorKind::DataType) for row labels of one level.
///
/// ```
/// use cuprum::indexing::{NamedLevels, cross_section};
/// use cuprum::prelude::*;
///
/// # fn main() -> cuprum::Result<()> {
/// let df = df! { "p" => ["a", "a", "b"], "q" => [1, 2, 2], "v" => [1, 2, 3] }?
///     .set_index(&["p".into(), "q".into()], true)?;
/// let twos = cross_section(&df, &[(1, 2.into())], NamedLevels::Drop)?;
/// assert_eq!((twos.num_rows(), twos.index().num_levels()), (2, 1));
/// # Ok(())
/// # }
/// ```
pub fn cross_section<F: IndexedFrame>(frame: &F, labels: &[(usize, Label)], named: NamedLevels) -> Result<F> {
    let index = frame.index();
    let count = index.num_levels();
    if count < 2 {
        return Err(Error::data_type("Index must be a MultiIndex"));
    }
    let mut keys = vec![LevelKey::All; count];
    for (level, label) in labels {
        let key = keys.get_mut(*level).ok_or_else(|| {
            Error::out_of_range(format!("there is no level {level}: the index has {count}"))
        })?;
        *key = LevelKey::One(label.clone());
    }
    let kept: Vec<usize> = (0..count).filter(|&level| matches!(keys[level], LevelKey::All)).collect();
    let found = loc::rows(index, &LabelKey::Levels(keys))?.rows.of(frame)?;
    match named {
        NamedLevels::Drop if !kept.is_empty() => {
            let index = found.index().select_levels(&kept)?;
            found.with_index(index)
        }
        _ => Ok(found),
    }
}
