//! Partitioning: by a map, by the hash of a column, in turns.

use cuprum_column::{Result, Table};
use cuprum_compute::hashing::HashFunction;
use cuprum_compute::partitioning::{hash_partition, partition, round_robin_partition};
use cuprum_testing::generated::below;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "partitioning", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let table = bench.rows_of_28_bytes()?;
    let map = bench.small_ints(2, 64)?;
    bench.case("partition by a map into 64", &[&table, &map], || partition(&table, &map, 64, ctx))?;
    bench.case("hash partition into 64", &[&table], || {
        hash_partition(&table, &[0], 64, HashFunction::Murmur3, 0, ctx)
    })?;
    bench.case("round robin into 64", &[&table], || round_robin_partition(&table, 64, 0, ctx))?;
    drop(table);

    let columns = (1..=4).map(|seed| bench.ints(seed, u64::MAX)).collect::<Result<Vec<_>>>()?;
    let table = Table::new(columns)?;
    for partitions in [64, 4096] {
        let map = bench.column(|row| below(3, row, partitions) as u16)?;
        let name = format!("4 columns of int64 by a map into {partitions}");
        bench.case(&name, &[&table, &map], || partition(&table, &map, partitions as usize, ctx))?;
    }
    bench.case("4 columns of int64 by a hash into 64", &[&table], || {
        hash_partition(&table, &[0], 64, HashFunction::Murmur3, 0, ctx)
    })?;
    bench.case("4 columns of int64, round robin into 64", &[&table], || {
        round_robin_partition(&table, 64, 0, ctx)
    })
}
