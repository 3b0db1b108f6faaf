//! Parts, rounding, printing and parsing of times.

use cuprum_column::{DataType, Result, TimeUnit};
use cuprum_compute::datetime::{self, Ambiguous, DatetimeComponent, Nonexistent, ZoneText};
use cuprum_testing::generated::below;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "datetime", rows_for_each: 5, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let times = bench.column(|row| below(1, row, 2_000_000_000) as i64 * 1_000_000_000 + 123_456_789)?;
    let times = times.bit_cast(DataType::Timestamp(TimeUnit::Nanoseconds))?;
    for component in [DatetimeComponent::Year, DatetimeComponent::Hour, DatetimeComponent::IsoWeek] {
        bench.case(&format!("{component:?}"), &[&times], || {
            datetime::extract_component(&times, component, ctx)
        })?;
    }
    let frequency = "15min".parse()?;
    bench.case("round", &[&times], || datetime::round(&times, frequency, ctx))?;
    let format = "%Y-%m-%d %H:%M:%S";
    bench.case("strftime", &[&times], || datetime::strftime(&times, format, ctx))?;
    let texts = bench.there(&datetime::strftime(&times.to_host()?, format, &bench.host)?)?;
    for (name, format) in [("strptime_iso", None), ("strptime_format", Some(format))] {
        bench.case(name, &[&texts], || datetime::strptime(&texts, format, TimeUnit::Nanoseconds, ctx))?;
    }
    for (name, format) in [
        ("strptime_european", "%d.%m.%Y %H:%M"),
        ("strptime_fraction", "%Y-%m-%dT%H:%M:%S.%fZ"),
        ("strptime_american", "%m/%d/%y %I:%M %p"),
        ("strptime_month", "%d-%b-%Y"),
        ("strptime_names", "%A, %d %B %Y"),
    ] {
        let texts = bench.there(&datetime::strftime(&times.to_host()?, format, &bench.host)?)?;
        let unit = TimeUnit::Microseconds;
        bench.case(name, &[&texts], || datetime::strptime(&texts, Some(format), unit, ctx))?;
    }
    let zone = "Europe/Berlin".parse()?;
    bench.case("to_local", &[&times], || datetime::to_local(&times, zone, ctx))?;
    bench.case("from_local", &[&times], || {
        datetime::from_local(&times, zone, Ambiguous::Earlier, Nonexistent::ShiftForward, ctx)
    })?;
    bench.case("print_zone", &[&times], || datetime::print_zone(&times, zone, ZoneText::Name, ctx))?;
    bench.case("add_months", &[&times], || datetime::add_months(&times, 7, ctx))?;
    Ok(())
}
