//! Steps of [JSON paths](super::json_path), and options.

use cuprum_column::{Error, Result};
use cuprum_runtime::backend::on_no_device;

/// Options of [`get_json_object`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JsonPathOptions {
    /// Strings may stand in single quotes, too.
    pub allow_single_quotes: bool,
    /// A result that is one string has no quotes around it.
    pub strip_quotes_from_single_strings: bool,
    /// An object without the wanted field has `null` in its place; else it has nothing.
    pub missing_fields_as_nulls: bool,
}

impl Default for JsonPathOptions {
    fn default() -> Self {
        Self {
            allow_single_quotes: false,
            strip_quotes_from_single_strings: true,
            missing_fields_as_nulls: false,
        }
    }
}

on_no_device!(JsonPathOptions);

/// The greatest number of `*` of a path: the CPU goes down at each, a GPU remembers where it is.
pub(super) const MOST_WILDCARDS: usize = 7;

/// One step from an element to those inside it.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Name(String),
    Position(usize),
    All,
}

/// The steps of a path; `None` for an empty one.
pub(super) fn steps_of(path: &str) -> Result<Option<Vec<Step>>> {
    let bad = |what: &str| Error::invalid_argument(format!("`json_path` {path:?} is no JSONPath: {what}"));
    let path_steps = path.trim();
    if path_steps.is_empty() {
        return Ok(None);
    }
    let mut rest = path_steps.strip_prefix('$').unwrap_or(path_steps);
    let mut steps = Vec::new();
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        let step = match first {
            '*' => Step::All,
            '.' if rest.starts_with('*') => {
                rest = &rest[1..];
                Step::All
            }
            '.' => {
                let (name, behind) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
                rest = behind;
                Step::Name(name.to_owned())
            }
            '[' => {
                let end = |text: &str, mark| text.find(mark).ok_or_else(|| bad("a bracket is not closed"));
                if let Some(quoted) = rest.strip_prefix('\'') {
                    let (name, behind) = quoted.split_at(end(quoted, "']")?);
                    rest = &behind[2..];
                    Step::Name(name.to_owned())
                } else {
                    let (inside, behind) = rest.split_at(end(rest, "]")?);
                    rest = &behind[1..];
                    if inside == "*" {
                        Step::All
                    } else {
                        let is_number =
                            !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_digit());
                        let position = inside.parse().ok().filter(|_| is_number);
                        Step::Position(position.ok_or_else(|| bad(&format!("{inside:?} is no position")))?)
                    }
                }
            }
            '$' => return Err(bad("the root is at the start")),
            other => return Err(bad(&format!("{other:?} is no operator"))),
        };
        if step == Step::Name(String::new()) {
            return Err(bad("a name is empty"));
        }
        steps.push(step);
    }
    if steps.iter().filter(|step| **step == Step::All).count() > MOST_WILDCARDS {
        return Err(bad(&format!("there are more than {MOST_WILDCARDS} `*`")));
    }
    Ok(Some(steps))
}
