//! The row functions of text, on rows of the form `user_123456@mail7.example.com`.

use cuprum_column::{DataType, Result};
use cuprum_compute::strings::strip::Side;
use cuprum_compute::strings::{attributes, case, convert, find, replace, slice, split, strip};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "strings", rows_for_each: 5, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let address =
        |random: u64, _| format!("user_{}@mail{}.example.com", random % 1_000_000, (random >> 32) % 20);
    let rows = &bench.texts(1, address)?;
    bench.case("contains_regex", &[rows], || find::contains(rows, r"_\d+7@mail1", true, true, ctx))?;
    bench.case("contains_literal", &[rows], || find::contains(rows, "@mail1", false, true, ctx))?;
    bench.case("starts_with", &[rows], || find::starts_with(rows, "user_1", ctx))?;
    bench.case("upper", &[rows], || case::to_upper(rows, ctx))?;
    bench.case("length", &[rows], || attributes::count_characters(rows, ctx))?;
    bench.case("slice", &[rows], || slice::slice(rows, Some(5), Some(9), None, ctx))?;
    bench.case("strip", &[rows], || strip::strip(rows, Side::Both, None, ctx))?;
    bench.case("replace_literal", &[rows], || replace::replace(rows, "mail", "post", false, None, ctx))?;
    bench.case("replace_regex", &[rows], || replace::replace(rows, r"\d+@", "@", true, None, ctx))?;
    bench.case("split", &[rows], || split::split(rows, Some("@"), None, false, ctx))?;

    let numbers = bench.column(|row| row as i64 * 7919)?;
    bench.case("int_to_text", &[&numbers], || convert::to_strings(&numbers, ctx))?;
    let texts = bench.there(&convert::to_strings(&numbers.to_host()?, &bench.host)?)?;
    bench.case("text_to_int", &[&texts], || convert::from_strings(&texts, DataType::Int64, ctx))?;
    let floats = bench.column(|row| row as f64 * 0.001)?;
    bench.case("float_to_text", &[&floats], || convert::to_strings(&floats, ctx))
}
