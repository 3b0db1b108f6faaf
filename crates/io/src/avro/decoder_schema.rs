//! The schema as the decoder takes it: what it refuses or reads as something else, and what has the same bytes in another
//! schema, is written in that one.

use std::borrow::Cow;

use serde_json::Value;

/// The schema of a file for the decoder, the same where there is nothing to rewrite:
///
/// - `uuid` in `string` is text, where the decoder would make 16 bytes of it and fail for other texts;
/// - a union of one type is one of that and `null`. Blocks are walked by the file's own schema before, so that none has
///   a second branch.
pub(super) fn for_decoder(schema: &[u8]) -> Cow<'_, [u8]> {
    let Ok(mut said) = serde_json::from_slice::<Value>(schema) else { return Cow::Borrowed(schema) };
    let mut is_changed = false;
    rewrite(&mut said, &mut is_changed);
    if is_changed { Cow::Owned(said.to_string().into_bytes()) } else { Cow::Borrowed(schema) }
}

fn rewrite(of: &mut Value, is_changed: &mut bool) {
    match of {
        Value::Array(branches) => {
            for branch in branches.iter_mut() {
                rewrite(branch, is_changed);
            }
            if let [only] = &branches[..]
                && only != "null"
            {
                branches.push("null".into());
                *is_changed = true;
            }
        }
        Value::Object(members) => {
            let is = |name: &str, value: &str| members.get(name).is_some_and(|member| member == value);
            if is("type", "string") && is("logicalType", "uuid") {
                members.remove("logicalType");
                *is_changed = true;
            }
            for (name, member) in members {
                match (name.as_str(), member) {
                    ("type" | "items" | "values", inside) => rewrite(inside, is_changed),
                    ("fields", Value::Array(fields)) => {
                        for field in fields {
                            rewrite(field, is_changed);
                        }
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}
