//! The public functions that work with a context, as the source files have them.

use std::fs;
use std::path::{Path, PathBuf};

/// A public function with a parameter `ctx`.
#[allow(dead_code)] // each test reads some of it
pub struct Function {
    pub file: PathBuf,
    pub family: String,
    pub name: String,
    /// The lines of the body, without their indentation.
    pub body: Vec<String>,
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The functions of the families that `cuprum_compute` publishes from the other crates; items that are
/// `#[doc(hidden)]` are for the crates above only.
#[allow(dead_code)]
pub fn of_families() -> Vec<Function> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let published = fs::read_to_string(root.join("src/lib.rs")).unwrap();
    let mut found = Vec::new();
    for line in published.lines().filter_map(|line| line.strip_prefix("pub use cuprum_")) {
        let (name, families) = line.split_once("::").unwrap();
        if name == "column" {
            continue;
        }
        let families: Vec<&str> = families.trim_matches(['{', '}', ';']).split(", ").collect();
        let of_crate = functions(&root.join(name).join("src")).into_iter();
        found.extend(
            of_crate.filter(|function| families.contains(&&*function.family) || function.family == "copying"),
        );
    }
    found
}

/// The functions of all files below `root`.
pub fn functions(root: &Path) -> Vec<Function> {
    let mut paths = Vec::new();
    files(root, &mut paths);
    let mut found = Vec::new();
    for file in paths {
        let text = fs::read_to_string(&file).unwrap();
        let family = file.strip_prefix(root).unwrap().components().next().unwrap();
        let family = match family.as_os_str().to_str().unwrap().trim_end_matches(".rs") {
            // An item published from beneath a family bears the family's name.
            "gather" => "copying",
            family => family,
        };
        let text = text.replace("#[doc(hidden)]\npub fn ", "pub(crate) fn ");
        for function in text.split("\npub fn ").skip(1) {
            let Some((signature, body)) = function.split_once("{\n") else { continue };
            if !signature.contains("ctx: &Context") {
                continue;
            }
            let name = signature.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let body =
                body.lines().take_while(|line| *line != "}").map(|line| line.trim().to_owned()).collect();
            found.push(Function { file: file.clone(), family: family.to_owned(), name, body });
        }
    }
    found
}
