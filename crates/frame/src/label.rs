//! [`Label`]: what columns and index levels are called.

use std::fmt;
use std::sync::Arc;

/// The name of a column or of an index level. Hierarchical columns have tuples.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// No name, as the column that `None` names in pandas.
    Missing,
    /// An integer, as in frames made without names.
    Int(i64),
    /// A text.
    Str(Arc<str>),
    /// One label per level of hierarchical columns.
    Tuple(Arc<[Label]>),
}

impl Label {
    /// A tuple of labels.
    pub fn tuple(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Tuple(parts.into_iter().collect())
    }

    /// The text of a text label.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&str> for Label {
    fn from(text: &str) -> Self {
        Self::Str(text.into())
    }
}

impl From<String> for Label {
    fn from(text: String) -> Self {
        Self::Str(text.into())
    }
}

impl From<&String> for Label {
    fn from(text: &String) -> Self {
        Self::Str(text.as_str().into())
    }
}

impl From<&Label> for Label {
    fn from(label: &Label) -> Self {
        label.clone()
    }
}

impl From<i64> for Label {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

/// As pandas prints it: texts bare, tuples in parentheses with quoted texts.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("None"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Str(text) => f.write_str(text),
            Self::Tuple(parts) => {
                f.write_str("(")?;
                for (i, part) in parts.iter().enumerate() {
                    let separator = if i == 0 { "" } else { ", " };
                    match part {
                        Self::Str(text) => write!(f, "{separator}'{text}'")?,
                        other => write!(f, "{separator}{other}")?,
                    }
                }
                f.write_str(")")
            }
        }
    }
}
