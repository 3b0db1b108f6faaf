//! Columns that are asked of all files, which some of these lack.

use std::collections::HashSet;

use cuprum_column::{Error, Result};

use super::read::FileRequest;
use crate::filter::Filter;

/// What files lack of that which is asked for, and what they have.
#[derive(Default)]
pub(super) struct Lacked {
    present: HashSet<String>,
    /// The columns that a file lacked, in the order in which that was found, and the number of its error.
    missed: Vec<(String, usize)>,
    errors: Vec<Error>,
}

impl Lacked {
    /// Notes that a file with the columns `own` could not be read as requested. Fails with its error where it has all.
    pub(super) fn note(&mut self, error: Error, own: &[String], request: &FileRequest) -> Result<()> {
        let columns = request.columns.iter().flatten();
        let conditions = request.filter.iter().flat_map(|filter| filter.0.iter().flatten());
        let asked = columns.chain(conditions.map(|one| &one.column));
        let lacking: Vec<String> = asked.filter(|name| !own.contains(name)).cloned().collect();
        if lacking.is_empty() {
            return Err(error);
        }
        for name in lacking {
            if !self.missed.iter().any(|(known, _)| *known == name) {
                self.missed.push((name, self.errors.len()));
            }
        }
        self.errors.push(error);
        self.present.extend(own.iter().cloned());
        Ok(())
    }

    /// Notes what a file has: columns that were read, and those of a filter.
    pub(super) fn found<'n>(&mut self, names: impl IntoIterator<Item = &'n str>, filter: Option<&Filter>) {
        self.present.extend(names.into_iter().map(str::to_owned));
        let conditions = filter.into_iter().flat_map(|filter| filter.0.iter().flatten());
        self.present.extend(conditions.map(|one| one.column.clone()));
    }

    /// Whether a file lacked something.
    pub(super) fn is_any(&self) -> bool {
        !self.missed.is_empty()
    }

    /// Whether each column that a file lacked was found in another.
    pub(super) fn is_settled(&self) -> bool {
        self.missed.iter().all(|(name, _)| self.present.contains(name))
    }

    /// Fails with the error of the first file that lacked a column that none has.
    pub(super) fn check(&mut self) -> Result<()> {
        match self.missed.iter().find(|(name, _)| !self.present.contains(name)) {
            Some((_, error)) => Err(self.errors.swap_remove(*error)),
            None => Ok(()),
        }
    }
}
