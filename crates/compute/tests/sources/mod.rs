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

/// Those of all files below `root`.
pub fn functions(root: &Path) -> Vec<Function> {
    let mut paths = Vec::new();
    files(root, &mut paths);
    let mut found = Vec::new();
    for file in paths {
        let text = fs::read_to_string(&file).unwrap();
        let family = file.strip_prefix(root).unwrap().components().next().unwrap();
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
            let name = signature.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let body =
                body.lines().take_while(|line| *line != "}").map(|line| line.trim().to_owned()).collect();
            found.push(Function { file: file.clone(), family: family.to_owned(), name, body });
        }
    }
    found
}
