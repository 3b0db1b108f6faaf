//! Exponentially weighted statistics, of rows and of times.

use cuprum_column::{DataType, Result, TimeUnit};
use cuprum_compute::ewm::{self, EwmOptions};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "ewm", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let floats = bench.floats(1)?;
    let nullable = bench.with_nulls(&bench.floats(2)?)?;
    for adjust in [true, false] {
        let options = EwmOptions { center_of_mass: 9.0, adjust, ..EwmOptions::default() };
        let how = if adjust { "adjusted" } else { "not adjusted" };
        bench.case(&format!("weighted mean, {how}"), &[&nullable], || ewm::mean(&nullable, options, ctx))?;
        bench.case(&format!("weighted covariance, {how}"), &[&floats, &nullable], || {
            ewm::covariance(&floats, &nullable, options, false, ctx)
        })?;
    }
    let options = EwmOptions { center_of_mass: 9.0, ..EwmOptions::default() };
    bench.case("weighted sum", &[&nullable], || ewm::sum(&nullable, options, ctx))?;
    let times = bench.column(|row| row as i64 * 1_000_000)?;
    let times = times.bit_cast(DataType::Timestamp(TimeUnit::Nanoseconds))?;
    bench.case("weighted mean at times", &[&nullable, &times], || {
        ewm::mean_at(&nullable, &times, 9e6, options, ctx)
    })
}
