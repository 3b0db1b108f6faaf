//! The text of a user's function.

use cuprum_column::{Error, Result};

/// The namespace that the text stands in, so that its names are its own.
pub(super) const ENCLOSED_IN: &str = "of_the_user";

/// The text as part of a kernel's, with the names of integers that the compiler does not have by itself. Messages
/// count its lines from 1.
pub(super) fn enclosed(source: &str) -> String {
    format!(
        "namespace {ENCLOSED_IN} {{\n\
         using int8_t = i8; using int16_t = i16; using int32_t = i32; using int64_t = i64;\n\
         using uint8_t = u8; using uint16_t = u16; using uint32_t = u32; using uint64_t = u64;\n\
         #line 1 \"source\"\n{source}\n}}\n"
    )
}

/// The name of the last function that is marked `__device__`.
pub(super) fn name(source: &str) -> Result<String> {
    let text = without_comments(source);
    let marked = text.rfind("__device__").map(|at| &text[at..]);
    let name = marked.and_then(|marked| {
        let before = marked[..marked.find('(')?].trim_end();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = &before[before.rfind(|c| !is_part(c)).map_or(0, |at| at + 1)..];
        let is_name = name != "__device__" && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        is_name.then(|| name.to_owned())
    });
    name.ok_or_else(|| Error::invalid_argument("`source` has no function that is marked __device__"))
}

/// The text with a space for each comment.
fn without_comments(source: &str) -> String {
    let mut rest = source;
    let mut text = String::with_capacity(source.len());
    while let Some(at) = rest.find('/') {
        text += &rest[..at];
        let end = match rest.as_bytes().get(at + 1) {
            Some(b'/') => rest[at..].find('\n').map(|end| at + end),
            Some(b'*') => rest[at + 2..].find("*/").map(|end| at + 2 + end + 2),
            _ => {
                text.push('/');
                rest = &rest[at + 1..];
                continue;
            }
        };
        text.push(' ');
        rest = end.map_or("", |end| &rest[end..]);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_function_is_called() {
        for (source, expected) in [
            ("__device__ void f(int* a) {}", Some("f")),
            ("template <typename T>\n__device__ inline void f_2 (T* a, T b) { *a = b / 2; }", Some("f_2")),
            ("__device__ int g(int a) { return a; }\n__device__ void f(int* a) { *a = g(1); }", Some("f")),
            ("__device__ void f(int* a) {} // __device__ void g(", Some("f")),
            ("/* __device__ void g() */ __device__ void f(int* a) {} /* __device__ void h(", Some("f")),
            ("void f(int* a) {}", None),
            ("__device__", None),
            ("__device__ (", None),
            ("__device__ void 3(", None),
            ("", None),
            ("/", None),
        ] {
            assert_eq!(name(source).ok().as_deref(), expected, "{source}");
        }
    }
}
