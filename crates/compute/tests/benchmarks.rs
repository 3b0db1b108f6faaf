//! Every family has one benchmark, under its name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Folders beneath the families, which measure them: `fused` in `expression`, `accumulation` in `reduce` and
/// `groupby`, `list_keys` and `nan_values` in what has keys.
const BENEATH: [&str; 6] =
    ["accumulation", "device_pieces", "fused", "list_keys", "nan_values", "string_map"];

/// The folders with a `mod.rs` of all crates of algorithms.
fn families() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let folders = crates.filter(|src| src.is_dir()).flat_map(|src| fs::read_dir(src).unwrap());
    let families = folders.map(|entry| entry.unwrap().path()).filter(|path| path.join("mod.rs").is_file());
    families.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn each_family_has_one() {
    let mut expected = families();
    assert!(expected.len() > 30, "{expected:?}");
    for folder in BENEATH {
        assert!(expected.remove(folder), "{folder} is no folder");
    }
    // A file of the family `join`, with a table of its own in libcudf.
    expected.insert("conditional_join".to_owned());

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = fs::read_to_string(root.join("benches/families.rs")).unwrap();
    let modules = program.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    let modules: BTreeSet<String> = modules.map(str::to_owned).collect();
    assert_eq!(modules, expected, "the modules of benches/families.rs and the families");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for family in &expected {
        assert!(
            program.contains(&format!("    {family}::FAMILY,")),
            "{family} is not run by benches/families.rs"
        );
        assert!(
            manifest.contains(&format!("[[bench]]\nname = \"{family}\"\n")),
            "{family} is not in Cargo.toml"
        );
        let source = fs::read_to_string(root.join(format!("benches/{family}.rs"))).unwrap();
        assert!(
            source.contains(&format!("Family {{ name: \"{family}\",")),
            "benches/{family}.rs has another name"
        );
    }
}
