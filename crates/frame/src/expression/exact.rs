//! [`Exact`]: values of expressions, compared as they are written.

use std::fmt;
use std::hash::{Hash, Hasher};

/// A value that is compared as it is written, so that NaN equals itself and 1 is not 1.0.
#[derive(Clone)]
pub(crate) struct Exact<T>(pub(crate) T);

impl<T: fmt::Debug> fmt::Debug for Exact<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: fmt::Debug> PartialEq for Exact<T> {
    fn eq(&self, other: &Self) -> bool {
        format!("{:?}", self.0) == format!("{:?}", other.0)
    }
}

impl<T: fmt::Debug> Eq for Exact<T> {}

impl<T: fmt::Debug> Hash for Exact<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        format!("{:?}", self.0).hash(state);
    }
}
