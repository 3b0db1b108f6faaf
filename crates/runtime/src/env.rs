//! Environment variables: those that begin with `CUPRUM_`, or with `CUDF_` in their place.

use crate::log;

/// The environment variable that begins with `CUPRUM_`, else the one with `CUDF_`, and its name.
pub(crate) fn variable(name: &str) -> Option<(String, String)> {
    ["CUPRUM_", "CUDF_"].iter().find_map(|prefix| {
        let name = format!("{prefix}{name}");
        std::env::var(&name).ok().filter(|text| !text.is_empty()).map(|text| (name, text))
    })
}

/// The yes or no that a variable says.
pub(crate) fn flag(name: &str) -> Option<bool> {
    let (name, text) = variable(name)?;
    match text.to_ascii_lowercase().as_str() {
        "1" | "on" | "true" | "yes" => Some(true),
        "0" | "off" | "false" | "no" => Some(false),
        _ => {
            log::warn!("{name} is '{text}', which is neither on nor off: it is ignored");
            None
        }
    }
}

/// The number that a variable says.
pub(crate) fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
    let (name, text) = variable(name)?;
    let value = text.trim().parse().ok();
    if value.is_none() && !text.eq_ignore_ascii_case("none") {
        log::warn!("{name} is '{text}', which is no number: it is ignored");
    }
    value
}
