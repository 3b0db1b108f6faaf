//! The location of an error in an array.

use std::fmt;

use cuprum_runtime::Error;

/// The name of a field with those of the fields around it.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    around: Option<&'a Path<'a>>,
    name: &'a str,
}

impl<'a> Path<'a> {
    pub fn root(name: &'a str) -> Self {
        Self { around: None, name }
    }

    pub fn inside(&'a self, name: &'a str) -> Self {
        Self { around: Some(self), name }
    }

    /// An error about the field.
    pub fn invalid(&self, problem: impl fmt::Display) -> Error {
        Error::invalid_argument(format!("{self}: {problem}"))
    }

    /// An error about buffer `i` of the field, which holds the items `what`.
    pub fn invalid_buffer(&self, i: usize, what: &str, problem: impl fmt::Display) -> Error {
        self.invalid(format_args!("buffer {i} ({what}): {problem}"))
    }
}

/// `field 'a.item'`; an array of its own has no name.
impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = vec![self.name];
        let mut at = self.around;
        while let Some(path) = at {
            names.push(path.name);
            at = path.around;
        }
        names.reverse();
        let skipped = names.iter().take_while(|name| name.is_empty()).count();
        if skipped == names.len() {
            return f.write_str("the array");
        }
        write!(f, "field '{}'", names[skipped..].join("."))
    }
}
