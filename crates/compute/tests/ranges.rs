//! Every public function that works begins a range for profilers that bears its name.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

#[test]
fn public_functions_begin_a_range() {
    let mut checked = 0;
    for folder in ["src", "../io/src"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files = Vec::new();
        sources(&root, &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let family = file.strip_prefix(&root).unwrap().components().next().unwrap();
            let family = match family.as_os_str().to_str().unwrap().trim_end_matches(".rs") {
                // What a family publishes from beneath it bears the family's name.
                "gather" => "copying",
                family => family,
            };
            for function in text.split("\npub fn ").skip(1) {
                let Some((signature, body)) = function.split_once("{\n") else { continue };
                if !signature.contains("ctx: &Context") {
                    continue;
                }
                let name: String =
                    signature.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let expected = format!("func_range!(c\"{family}.{name}\");");
                let first = body.lines().next().unwrap().trim();
                assert_eq!(first, expected, "{}: `{name}`", file.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 90, "{checked} functions");
}
