//! Labels of an axis found among others.

use std::collections::{HashMap, HashSet};

use cuprum_column::{Column, Error, Result, Scalar};
use cuprum_compute::unary::is_valid;

use crate::frame::IndexedFrame;
use crate::index::Index;
use crate::label::Label;
use crate::operations::align;
use crate::series::Series;

/// The position of each of `own` among the `given` labels, `None` for those that are not there.
///
/// By position where both are the same; else a label that `given` repeats is refused.
pub(crate) fn places(own: &[Label], given: &[Label]) -> Result<Vec<Option<usize>>> {
    if are_same(own, given) {
        return Ok((0..own.len()).map(Some).collect());
    }
    let mut known = HashMap::with_capacity(given.len());
    for (at, label) in given.iter().enumerate() {
        if known.insert((is_truth(label), label), at).is_some() {
            return Err(repeated(label));
        }
    }
    Ok(own.iter().map(|label| known.get(&(is_truth(label), label)).copied()).collect())
}

/// Whether two axes have the same labels in the same order.
pub(crate) fn are_same(own: &[Label], given: &[Label]) -> bool {
    own == given && own.iter().zip(given).all(|(a, b)| is_truth(a) == is_truth(b))
}

/// True as a label is not 1 here.
fn is_truth(label: &Label) -> bool {
    matches!(label, Label::Bool(_))
}

/// Fails for labels that repeat.
pub(crate) fn refuse_repeated(labels: &[Label]) -> Result<()> {
    let mut seen = HashSet::with_capacity(labels.len());
    match labels.iter().find(|label| !seen.insert((is_truth(label), *label))) {
        Some(label) => Err(repeated(label)),
        None => Ok(()),
    }
}

/// The error for a label that is looked for and repeats.
pub(crate) fn repeated(label: &Label) -> Error {
    Error::invalid_argument(format!("cannot reindex on an axis with duplicate labels: '{label}' repeats"))
}

/// The rows of `given` under the labels of `index`, missing where it has no such label; see [`align::reindex`].
pub(crate) fn rows_under<F: IndexedFrame>(given: &F, index: &Index) -> Result<F> {
    if given.index().equals(index)? { Ok(given.clone()) } else { align::reindex(given, index) }
}

/// A mask of the labels of `index` that `given` has; `None` where both are equal.
pub(crate) fn rows_present(given: &Index, index: &Index) -> Result<Option<Column>> {
    if given.equals(index)? {
        return Ok(None);
    }
    let ctx = index.context()?;
    let every = Column::from_scalar(&Scalar::from(true), given.len(), &ctx)?;
    let found = align::reindex(&Series::new(every, None, given.clone())?, index)?;
    is_valid(found.data()?, &ctx).map(Some)
}
