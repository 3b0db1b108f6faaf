//! Other labels for rows and columns: renamed, affixed, or those of another frame.

use std::collections::{HashMap, HashSet};

use cuprum_column::{DataType, Error, Result};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::operations::align;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

/// How labels are renamed.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    /// New labels for old ones; of labels of several levels, for every part of them.
    pub labels: HashMap<Label, Label>,
    /// The one level whose parts are renamed.
    pub level: Option<usize>,
    /// Fails where an old label is not there.
    pub strict: bool,
}

impl Renaming {
    /// New labels for old ones; those that are not there are passed over.
    pub fn of<A: Into<Label>, B: Into<Label>>(pairs: impl IntoIterator<Item = (A, B)>) -> Self {
        let labels = pairs.into_iter().map(|(old, new)| (old.into(), new.into())).collect();
        Self { labels, ..Self::default() }
    }

    fn check(&self, labels: &[Label], levels: usize) -> Result<()> {
        if !self.strict {
            return Ok(());
        }
        let known: HashSet<&Label> = labels.iter().flat_map(|label| self.parts(label, levels)).collect();
        let shown = |label: &Label| match label.as_str() {
            Some(text) => format!("'{text}'"),
            None => label.to_string(),
        };
        let mut unknown: Vec<String> =
            self.labels.keys().filter(|label| !known.contains(label)).map(shown).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        unknown.sort();
        Err(Error::key_not_found(format!("[{}] not found in axis", unknown.join(", "))))
    }

    fn parts<'a>(&self, label: &'a Label, levels: usize) -> Vec<&'a Label> {
        if levels == 1 {
            return vec![label];
        }
        let wanted = |i: &usize| self.level.is_none_or(|level| level == *i);
        label.parts().iter().enumerate().filter(|(i, _)| wanted(i)).map(|(_, part)| part).collect()
    }

    fn apply(&self, labels: &[Label], levels: usize) -> Result<Vec<Label>> {
        self.check(labels, levels)?;
        let new = |label: &Label| self.labels.get(label).unwrap_or(label).clone();
        Ok(map_parts(labels, levels, self.level, &new))
    }
}

/// `f` of labels; of those of several levels, of every part, or those of one level.
fn map_parts(
    labels: &[Label],
    levels: usize,
    level: Option<usize>,
    f: &dyn Fn(&Label) -> Label,
) -> Vec<Label> {
    let each = |label: &Label| match label {
        Label::Tuple(parts) if levels > 1 => Label::tuple(
            parts
                .iter()
                .enumerate()
                .map(|(i, part)| if level.is_none_or(|level| level == i) { f(part) } else { part.clone() }),
        ),
        label => f(label),
    };
    labels.iter().map(each).collect()
}

impl Index {
    /// The labels under new ones; the names stay.
    ///
    /// Fails with [`KeyNotFound`](crate::ErrorKind::KeyNotFound) for an old label that is not there, where the
    /// renaming is strict.
    pub fn rename_labels(&self, renaming: &Renaming) -> Result<Self> {
        let labels = renaming.apply(&self.labels()?, self.num_levels())?;
        self.like_labels(labels)
    }

    /// `f` of every label, and of every part of labels of several levels; the names stay.
    fn map_labels(&self, f: &dyn Fn(&Label) -> Label) -> Result<Self> {
        self.like_labels(map_parts(&self.labels()?, self.num_levels(), None, f))
    }

    fn like_labels(&self, labels: Vec<Label>) -> Result<Self> {
        let index = Self::from_labels(&labels)?;
        if index.num_levels() == self.num_levels() {
            return index.with_names(self.names().to_vec());
        }
        Ok(index)
    }
}

/// The text of a label between two others.
fn affixed<'a>(prefix: &'a str, suffix: &'a str) -> impl Fn(&Label) -> Label + 'a {
    move |label| Label::from(format!("{prefix}{label}{suffix}"))
}

impl Series {
    /// The series under other row labels; see [`Index::rename_labels`].
    pub fn rename_rows(&self, renaming: &Renaming) -> Result<Self> {
        self.with_index(self.index().rename_labels(renaming)?)
    }

    /// The series with texts before and behind every row label, and every part of it.
    pub fn affix_rows(&self, prefix: &str, suffix: &str) -> Result<Self> {
        self.with_index(self.index().map_labels(&affixed(prefix, suffix))?)
    }

    /// The rows with the labels of `index`, in its order; missing where there is none.
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where a label occurs twice here.
    pub fn reindex(&self, index: &Index) -> Result<Self> {
        align::reindex(self, index)
    }
}

impl DataFrame {
    /// The frame under other row labels; see [`Index::rename_labels`].
    pub fn rename_rows(&self, renaming: &Renaming) -> Result<Self> {
        self.with_index(self.index().rename_labels(renaming)?)
    }

    /// The frame under other column labels; see [`Index::rename_labels`].
    ///
    /// ```
    /// use cuprum::operations::relabel::Renaming;
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let df = df! { "a" => [1], "b" => [2] }?;
    /// let renamed = df.rename_columns(&Renaming::of([("a", "x")]))?;
    /// assert_eq!(renamed.labels(), [Label::from("x"), Label::from("b")]);
    /// let strict = Renaming { strict: true, ..Renaming::of([("q", "x")]) };
    /// assert!(df.rename_columns(&strict).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn rename_columns(&self, renaming: &Renaming) -> Result<Self> {
        self.with_labels(renaming.apply(self.labels(), self.accessor().num_levels())?)
    }

    /// The frame with texts before and behind every row label, and every part of it.
    pub fn affix_rows(&self, prefix: &str, suffix: &str) -> Result<Self> {
        self.with_index(self.index().map_labels(&affixed(prefix, suffix))?)
    }

    /// The frame with texts before and behind every column label, and every part of it.
    pub fn affix_columns(&self, prefix: &str, suffix: &str) -> Result<Self> {
        let f = affixed(prefix, suffix);
        self.with_labels(map_parts(self.labels(), self.accessor().num_levels(), None, &f))
    }

    /// The rows and columns with some labels, in their order; missing where there is none.
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where a label occurs twice here.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let df = df! { "a" => [1, 2], "b" => [3, 4] }?;
    /// let other = df.reindex(Some(&Index::range(3)), Some(&["b".into(), "c".into()]))?;
    /// assert_eq!(other.shape(), (3, 2));
    /// assert!(other.loc((2, "b"))?.element()?.is_null());
    /// # Ok(())
    /// # }
    /// ```
    pub fn reindex(&self, rows: Option<&Index>, columns: Option<&[Label]>) -> Result<Self> {
        let frame = match columns {
            None => self.clone(),
            Some(labels) => {
                let ctx = self.context()?;
                let missing = || TypedColumn::nulls(&Dtype::plain(DataType::Float64), self.num_rows(), &ctx);
                let column = |label: &Label| {
                    if self.contains(label) { self.accessor().get(label).cloned() } else { missing() }
                };
                let columns = labels.iter().map(column).collect::<Result<Vec<_>>>()?;
                let frame = Self::from_parts(labels.to_vec(), columns, self.index().clone())?;
                let levels = self.accessor().level_names().len();
                if labels.is_empty() || levels == frame.accessor().num_levels() {
                    frame.with_level_names_of(self)
                } else {
                    frame
                }
            }
        };
        match rows {
            None => Ok(frame),
            Some(rows) => align::reindex(&frame, rows),
        }
    }

    /// The rows and columns with the labels of another frame; missing where there is none.
    pub fn reindex_like(&self, other: &Self) -> Result<Self> {
        self.reindex(Some(other.index()), Some(other.labels()))
    }
}
