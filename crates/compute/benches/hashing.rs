//! Hashes and digests of rows. Bytes are those of the keys and of the hashes.

use cuprum_column::Result;
use cuprum_compute::hashing::{DigestAlgorithm, digest, murmurhash3_x86_32, xxhash_64};
use cuprum_testing::generated::table;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "hashing", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let rows = bench.rows_of_28_bytes()?;
    bench.case("murmur3 of the rows", &[&rows], || murmurhash3_x86_32(&rows, 0, ctx))?;
    let ints = (1..=4).map(|seed| bench.ints(seed, u64::MAX)).collect::<Result<Vec<_>>>()?;
    let words = bench.words(5, "customer ", 1 << 20)?;
    for (name, keys) in [
        ("int64", table(&[&ints[0]])?),
        ("4 columns of int64", table(&ints.iter().collect::<Vec<_>>())?),
        ("strings", table(&[&words])?),
    ] {
        bench
            .case(&format!("murmurhash3_x86_32 of {name}"), &[&keys], || murmurhash3_x86_32(&keys, 0, ctx))?;
        bench.case(&format!("xxhash_64 of {name}"), &[&keys], || xxhash_64(&keys, 0, ctx))?;
    }
    let few = table(&[&words.copy_rows(0, bench.rows / 10, ctx)?])?;
    for algorithm in [DigestAlgorithm::Md5, DigestAlgorithm::Sha256] {
        let name = format!("{algorithm:?} of a tenth as many strings");
        bench.case(&name, &[&few], || digest(&few, algorithm, ctx))?;
    }
    Ok(())
}
