//! Every kernel compiles for every architecture, with the parameters that Rust declares.

use cuprum_compute::FAMILIES;
use cuprum_runtime::kernel::try_to_compile;

#[test]
fn every_kernel_compiles_for_every_architecture() {
    // Those of the primitives are compiled by the tests of the runtime.
    let families: Vec<_> = FAMILIES.iter().copied().filter(|family| family.name != "primitives").collect();
    for number in [80, 90, 100] {
        match try_to_compile(number, &families) {
            Ok(kernels) => assert!(kernels >= families.len()),
            Err(error) if std::env::var_os("CUPRUM_NVRTC").is_some() => panic!("sm_{number}: {error}"),
            Err(error) => eprintln!("skipped: {error}"),
        }
    }
}
