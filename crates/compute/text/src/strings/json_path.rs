//! Parts of JSON texts, named by paths.
//!
//! A path is of Gössner's [JSONPath](https://datatracker.ietf.org/doc/id/draft-goessner-dispatch-jsonpath-00.html), of
//! which `$`, `.name`, `['name']`, `[0]`, `.*` and `[*]` are known, as in libcudf. Names are compared as they are
//! written, without regard to escapes.

use cuprum_column::strings::check_strings;
use cuprum_column::{Column, Context, DataType, Result};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::cuda;
pub use super::json_steps::JsonPathOptions;
use super::json_steps::{Step, steps_of};
use cuprum_elements::string_map::map_text;

/// The value at `path` in the JSON text of every row, as it is written there; an array for a path with `*`.
///
/// Null where nothing is there, where a name is looked up in anything but an object or a position in anything
/// but an array, where a position is behind the end, where the text ends too early, and everywhere for an
/// empty path. Parts of texts off the path are not checked.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for an invalid path, and for one
/// of more than seven `*`.
///
/// ```
/// # use cuprum_text as cuprum_compute;
/// # use cuprum_column::{Column, Context};
/// use cuprum_compute::strings::json_path::{JsonPathOptions, get_json_object};
///
/// let ctx = &Context::current();
/// let texts = Column::from_strs(&[r#"{"a": [{"b": 1}, {"b": "x"}]}"#], ctx)?;
/// let of = |path| get_json_object(&texts, path, JsonPathOptions::default(), ctx)?.get(0);
/// assert_eq!(of("$.a[1].b")?.as_str(), Some("x"));
/// assert_eq!(of("$.a[*].b")?.as_str(), Some(r#"[1,"x"]"#));
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn get_json_object(
    column: &Column,
    path: &str,
    options: JsonPathOptions,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"strings.get_json_object");
    check_device!(ctx, [column]);
    let Some(steps) = steps_of(path)? else {
        check_strings(column)?;
        return Column::nulls(DataType::String, column.len(), ctx);
    };
    if ctx.is_on_gpu() {
        return cuda::json_path::get(column, &steps, options, ctx);
    }
    map_text(column, ctx, |row, out| {
        let reader = Reader { text: row, options };
        let mut found = Found { out, count: 0, is_there: false };
        let walked = reader.element(0).and_then(|root| match root {
            Some(root) => reader.walk(root, &steps, false, &mut found),
            None => Ok(()),
        });
        walked.is_ok() && found.is_there
    })
}

/// The text is not JSON where it was read, or no element of the kind that a step needs.
struct Unfit;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Object,
    Array,
    Value,
}

/// The position of an element.
#[derive(Clone, Copy)]
struct Element {
    at: usize,
    kind: Kind,
}

/// The output of a row.
struct Found<'a> {
    out: &'a mut String,
    /// The number of elements of the array.
    count: usize,
    is_there: bool,
}

impl Found<'_> {
    fn push(&mut self, text: &str, in_array: bool) {
        if in_array && self.count > 0 {
            self.out.push(',');
        }
        self.out.push_str(text);
        self.count += 1;
        self.is_there = true;
    }
}

struct Reader<'a> {
    text: &'a str,
    options: JsonPathOptions,
}

impl Reader<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn is_quote(&self, byte: u8) -> bool {
        byte == b'"' || byte == b'\'' && self.options.allow_single_quotes
    }

    /// The next byte from `at` on that is no white space, and where it is.
    fn next(&self, mut at: usize) -> Option<(usize, u8)> {
        while let Some(byte) = self.byte(at) {
            if byte > b' ' {
                return Some((at, byte));
            }
            at += 1;
        }
        None
    }

    /// The element that begins at `at` or behind white space there; `None` where the text or the enclosing
    /// element ends.
    fn element(&self, at: usize) -> std::result::Result<Option<Element>, Unfit> {
        let Some((at, byte)) = self.next(at) else { return Ok(None) };
        let kind = match byte {
            b']' | b'}' => return Ok(None),
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b',' | b':' => return Err(Unfit),
            b'\'' if !self.options.allow_single_quotes => return Err(Unfit),
            _ => Kind::Value,
        };
        Ok(Some(Element { at, kind }))
    }

    /// Behind the string that begins at `at`.
    fn end_of_string(&self, at: usize) -> std::result::Result<usize, Unfit> {
        let quote = self.byte(at);
        let mut end = at + 1;
        while let Some(byte) = self.byte(end) {
            end += 1;
            if Some(byte) == quote {
                return Ok(end);
            }
            if byte == b'\\' {
                match self.byte(end) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'\'') => end += 1,
                    Some(b'u') => {
                        let digits = self.text.as_bytes().get(end + 1..end + 5).ok_or(Unfit)?;
                        if !digits.iter().all(u8::is_ascii_hexdigit) {
                            return Err(Unfit);
                        }
                        end += 5;
                    }
                    _ => return Err(Unfit),
                }
            }
        }
        Err(Unfit)
    }

    /// Behind an element.
    fn end(&self, element: Element) -> std::result::Result<usize, Unfit> {
        if element.kind == Kind::Value {
            if self.byte(element.at).is_some_and(|byte| self.is_quote(byte)) {
                return self.end_of_string(element.at);
            }
            let mut end = element.at;
            while let Some(byte) = self.byte(end) {
                match byte {
                    b',' | b'}' | b']' | 0..=b' ' => break,
                    b'[' | b'{' | b':' => return Err(Unfit),
                    byte if self.is_quote(byte) => return Err(Unfit),
                    _ => end += 1,
                }
            }
            return Ok(end);
        }
        let (mut objects, mut arrays, mut end) = (0isize, 0isize, element.at);
        while let Some(byte) = self.byte(end) {
            match byte {
                b'{' => objects += 1,
                b'}' => objects -= 1,
                b'[' => arrays += 1,
                b']' => arrays -= 1,
                byte if self.is_quote(byte) => {
                    end = self.end_of_string(end)?;
                    continue;
                }
                _ => {}
            }
            end += 1;
            if objects == 0 && arrays == 0 {
                return Ok(end);
            }
        }
        Err(Unfit)
    }

    /// The first element inside one, with its name in an object.
    fn first(&self, of: Element) -> std::result::Result<Option<(&str, Element)>, Unfit> {
        if of.kind == Kind::Value { Ok(None) } else { self.member(of, of.at + 1) }
    }

    /// The element behind another one, inside the same.
    fn after(&self, of: Element, element: Element) -> std::result::Result<Option<(&str, Element)>, Unfit> {
        let end = self.end(element)?;
        match self.next(end) {
            Some((at, b',')) => self.member(of, at + 1),
            Some(_) => self.member(of, end),
            None => Ok(None),
        }
    }

    /// The element at a place inside another one.
    fn member(&self, of: Element, at: usize) -> std::result::Result<Option<(&str, Element)>, Unfit> {
        let Some((at, byte)) = self.next(at) else { return Ok(None) };
        if of.kind == Kind::Array || matches!(byte, b']' | b'}') {
            return Ok(self.element(at)?.map(|element| ("", element)));
        }
        if !self.is_quote(byte) {
            return Err(Unfit);
        }
        let end = self.end_of_string(at)?;
        let Some((colon, b':')) = self.next(end) else { return Err(Unfit) };
        // Both quotes are single bytes.
        let name = &self.text[at + 1..end - 1];
        Ok(self.element(colon + 1)?.map(|element| (name, element)))
    }

    /// Adds the values at `steps` from an element.
    fn walk(
        &self,
        mut from: Element,
        steps: &[Step],
        in_array: bool,
        found: &mut Found<'_>,
    ) -> std::result::Result<(), Unfit> {
        for (i, step) in steps.iter().enumerate() {
            let mut inside = match (step, from.kind) {
                (Step::Name(_), Kind::Array | Kind::Value)
                | (Step::Position(_), Kind::Object | Kind::Value) => {
                    return Err(Unfit);
                }
                _ => self.first(from)?,
            };
            match step {
                Step::All => {
                    // All `*` of a path make one array.
                    if !in_array {
                        found.out.push('[');
                        found.is_there = true;
                    }
                    while let Some((_, element)) = inside {
                        self.walk(element, &steps[i + 1..], true, found)?;
                        inside = self.after(from, element)?;
                    }
                    if !in_array {
                        found.out.push(']');
                    }
                    return Ok(());
                }
                Step::Name(name) => {
                    if inside.is_none() {
                        return Ok(());
                    }
                    while let Some((_, element)) = inside.filter(|(own, _)| own != name) {
                        inside = self.after(from, element)?;
                    }
                    if inside.is_none() && self.options.missing_fields_as_nulls {
                        found.push("null", in_array);
                    }
                }
                Step::Position(position) => {
                    if inside.is_none() {
                        return Ok(());
                    }
                    for _ in 0..*position {
                        let Some((_, element)) = inside else { break };
                        inside = self.after(from, element)?;
                    }
                    if inside.is_none() {
                        return Err(Unfit);
                    }
                }
            }
            let Some((_, element)) = inside else { return Ok(()) };
            from = element;
        }
        let text = &self.text[from.at..self.end(from)?];
        let is_string =
            from.kind == Kind::Value && self.byte(from.at).is_some_and(|byte| self.is_quote(byte));
        let strips = is_string && !in_array && self.options.strip_quotes_from_single_strings;
        found.push(if strips { &text[1..text.len() - 1] } else { text }, in_array);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use cuprum_column::ErrorKind;
    use proptest::prelude::*;

    use super::*;

    fn find(text: &str, path: &str, options: JsonPathOptions) -> Option<String> {
        let ctx = &Context::current();
        let column = Column::from_strs(&[text], ctx).unwrap();
        get_json_object(&column, path, options, ctx).unwrap().get(0).unwrap().as_str().map(str::to_owned)
    }

    /// The examples of libcudf's documentation.
    #[test]
    fn examples() {
        let plain = JsonPathOptions::default();
        let quoted = JsonPathOptions { strip_quotes_from_single_strings: false, ..plain };
        let nulls = JsonPathOptions { missing_fields_as_nulls: true, ..plain };
        assert_eq!(find(r#"{"a" : "b"}"#, "$.a", plain).as_deref(), Some("b"));
        assert_eq!(find(r#"{"a" : "b"}"#, "$.a", quoted).as_deref(), Some("\"b\""));
        let text = r#"{"a" : [{"x": "1", "y": "2"}, {"x": "3"}]}"#;
        assert_eq!(find(text, "$.a[*].y", plain).as_deref(), Some(r#"["2"]"#));
        assert_eq!(find(text, "$.a[*].y", nulls).as_deref(), Some(r#"["2",null]"#));
    }

    #[test]
    fn elements_of_all_kinds() {
        let plain = JsonPathOptions::default();
        let text = r#" {"a": {"b" : [1, [2, 3], {"c": "x]\"}"}], "é": ""}, "a.b": null, "'q'": -1e3 } "#;
        let cases = [
            ("$", Some(text.trim())),
            ("$.a.b", Some(r#"[1, [2, 3], {"c": "x]\"}"}]"#)),
            (".a.b[1][0]", Some("2")),
            ("$.a['b'][2].c", Some(r#"x]\"}"#)),
            ("$.a.é", Some("")),
            ("$['a.b']", Some("null")),
            ("$.'q'", Some("-1e3")),
            ("$.a.b[*]", Some(r#"[1,[2, 3],{"c": "x]\"}"}]"#)),
            ("$.a.b[*][*]", Some(r#"[2,3,"x]\"}"]"#)),
            ("$.*", Some(r#"[{"b" : [1, [2, 3], {"c": "x]\"}"}], "é": ""},null,-1e3]"#)),
            ("$.a.é[*]", Some("[]")),
            ("$.a.b[3]", None),
            ("$.a[0]", None),
            ("$.a.b.c", None),
            ("$.x", None),
            ("$.a.b[*].c", None),
            ("", None),
            (" ", None),
        ];
        for (path, expected) in cases {
            assert_eq!(find(text, path, plain).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn single_quotes() {
        let single = JsonPathOptions { allow_single_quotes: true, ..JsonPathOptions::default() };
        assert_eq!(find(r#"{'a': 'b"c'}"#, "$.a", single).as_deref(), Some("b\"c"));
        assert_eq!(find(r"{'a': 'b'}", "$.a", JsonPathOptions::default()), None);
        assert_eq!(find(r"{'a': ['b', 1]}", "$.a[*]", single).as_deref(), Some("['b',1]"));
    }

    #[test]
    fn paths_that_are_none() {
        let ctx = &Context::current();
        let column = Column::from_strs(&["{}"], ctx).unwrap();
        for path in [
            "$$",
            "$[auh46h-]",
            "$[[]]",
            "$[-1]",
            ".",
            "$.",
            "][",
            "6hw",
            "${a}",
            "$[",
            "$['a",
            "$[+1]",
            "********",
        ] {
            let error = get_json_object(&column, path, JsonPathOptions::default(), ctx).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{path}");
        }
        let numbers = Column::from_slice(&[1], ctx).unwrap();
        for path in ["$", ""] {
            let error = get_json_object(&numbers, path, JsonPathOptions::default(), ctx).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DataType);
        }
    }

    proptest! {
        /// Any text gives a part of itself, or nothing.
        #[test]
        fn any_text(text in "[\\[\\]{}:,\"'\\\\a0é u]{0,24}", path in "\\$?(\\.a|\\[0\\]|\\[\\*\\]|\\['a'\\]){0,4}", single: bool) {
            let options = JsonPathOptions { allow_single_quotes: single, ..JsonPathOptions::default() };
            if let Some(found) = find(&text, &path, options) {
                prop_assert!(path.contains('*') || text.contains(&found));
            }
        }
    }
}
