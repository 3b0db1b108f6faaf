//! Every kernel is known, and compiles for every architecture with the parameters that Rust declares.

use std::collections::BTreeSet;
use std::path::Path;

use cuprum_compute::FAMILIES;
use cuprum_runtime::kernel::try_to_compile;

#[test]
fn every_kernel_compiles_for_every_architecture() {
    // The families of the primitives are compiled by the tests of the runtime.
    let families = &FAMILIES[cuprum_runtime::primitives::FAMILIES.len()..];
    for number in [80, 90, 100] {
        match try_to_compile(number, families) {
            Ok(kernels) => assert!(kernels >= families.len()),
            Err(error) if std::env::var_os("CUPRUM_NVRTC").is_some() => panic!("sm_{number}: {error}"),
            Err(error) => eprintln!("skipped: {error}"),
        }
    }
}

/// The sources that declare kernels, by their names.
fn declared(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            declared(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "cu") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            // Tests have kernels of their own; `transform` and `formula` are a kernel for each expression.
            let is_fixed =
                !path.to_string_lossy().contains("tests") && name != "transform" && name != "formula";
            assert!(!is_fixed || names.insert(name), "two sources are called {}", path.display());
        }
    }
}

/// A source missing from the list would be neither compiled ahead of time nor shipped.
#[test]
fn every_source_is_listed_once() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut names = BTreeSet::new();
    for name in ["runtime/src", "column/src", "compute"] {
        declared(&crates.join(name), &mut names);
    }
    let listed: Vec<String> = FAMILIES.iter().map(|family| family.name().to_owned()).collect();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), names);
    assert_eq!(listed.len(), names.len());
    let kernels: Vec<_> = FAMILIES.iter().flat_map(|family| family.kernels()).collect();
    let distinct: BTreeSet<&str> = kernels.iter().map(|kernel| kernel.name()).collect();
    assert_eq!(distinct.len(), kernels.len());
}
