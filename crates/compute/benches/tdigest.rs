//! Digests of distributions: made, merged and asked, of all rows and of groups.

use cuprum_column::{Column, Result};
use cuprum_compute::groupby::group;
use cuprum_compute::tdigest::{digest, merge, percentile_approx};
use cuprum_testing::generated::{Keys, table};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "tdigest", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

const CENTROIDS: usize = 1000;

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let values = bench.normals(1)?;
    for count in [1, 1000] {
        let groups = group(&table(&[&bench.keys(2, count, Keys::Dense)?])?, true, ctx)?;
        bench.case(&format!("digests of {count} groups"), &[&values], || {
            digest(&groups, &values, CENTROIDS, ctx)
        })?;
        let digests = digest(&groups, &values, CENTROIDS, ctx)?;
        bench.case(&format!("  3 quantiles of {count} digests"), &[&digests], || {
            percentile_approx(&digests, &[0.01, 0.5, 0.99], ctx)
        })?;
        let same = Column::from_slice(&vec![0i32; count], ctx)?;
        let together = group(&table(&[&same])?, true, ctx)?;
        bench.case(&format!("  {count} digests as one"), &[&digests], || {
            merge(&together, &digests, CENTROIDS, ctx)
        })?;
    }
    Ok(())
}
