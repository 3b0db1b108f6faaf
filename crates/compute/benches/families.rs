//! The benchmarks of all families in one program, which goes to machines without Rust (`crates/runtime/gpu/bundle.sh`).
//!
//! `families [family …] [cpu|cuda:N|emulator …] [million rows] [part of a case's name …]`. A family alone is
//! `cargo bench --bench <family>`, with the same arguments behind `--`.

#![allow(dead_code)] // The `main` of each.

mod binaryop;
mod concatenate;
mod conditional_join;
mod contiguous_split;
mod copying;
mod datetime;
mod elements;
mod equality;
mod ewm;
mod expression;
mod filling;
mod gather;
mod groupby;
mod hashing;
mod join;
mod labeling;
mod lists;
mod merge;
mod order;
mod partitioning;
mod quantiles;
mod reduce;
mod replace;
mod reshape;
mod rolling;
mod row_reduce;
mod search;
mod selection;
mod sorting;
mod stream_compaction;
mod strings;
mod tdigest;
mod tokens;
mod transform;
mod unary;

use cuprum_testing::timing::run;

fn main() -> cuprum_column::Result<()> {
    run(&[
        elements::FAMILY,
        gather::FAMILY,
        hashing::FAMILY,
        partitioning::FAMILY,
        selection::FAMILY,
        contiguous_split::FAMILY,
        datetime::FAMILY,
        strings::FAMILY,
        tokens::FAMILY,
        concatenate::FAMILY,
        equality::FAMILY,
        order::FAMILY,
        search::FAMILY,
        sorting::FAMILY,
        binaryop::FAMILY,
        copying::FAMILY,
        filling::FAMILY,
        reshape::FAMILY,
        transform::FAMILY,
        unary::FAMILY,
        groupby::FAMILY,
        quantiles::FAMILY,
        reduce::FAMILY,
        replace::FAMILY,
        row_reduce::FAMILY,
        tdigest::FAMILY,
        conditional_join::FAMILY,
        expression::FAMILY,
        join::FAMILY,
        labeling::FAMILY,
        merge::FAMILY,
        stream_compaction::FAMILY,
        lists::FAMILY,
        ewm::FAMILY,
        rolling::FAMILY,
    ])
}
