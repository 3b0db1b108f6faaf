//! A kernel of one's own: a function in CUDA C++ over the elements of columns.
//! `cargo run --release --example custom_kernel`.
//!
//! The function becomes part of a kernel, which reads every column once and writes the result once. On an NVIDIA GPU
//! NVRTC compiles it; on the CPU the emulator runs the same kernel, which the host's C++ compiler compiles.

use std::time::Instant;

use cuprum_column::{Column, Context, DataType, Device, ErrorKind, Result, Table};
use cuprum_compute::transform::transform;

/// The distance in kilometres between two places on Earth (haversine). The first parameter is where the value goes,
/// the others are an element of each column.
const DISTANCE: &str = r"
__device__ double radians(double degrees) { return degrees * 3.14159265358979323846 / 180; }

__device__ void distance(double* out, double lat1, double lon1, double lat2, double lon2) {
    double across = sin(radians(lat2 - lat1) / 2);
    double along = sin(radians(lon2 - lon1) / 2);
    double h = across * across + cos(radians(lat1)) * cos(radians(lat2)) * along * along;
    *out = 2 * 6371.0 * asin(sqrt(h));
}";

/// The whole example.
pub fn main() -> Result<()> {
    // Singapore to New York, Oslo to Rome, and a place that is not known.
    let host = &Context::on(Device::Cpu)?;
    let places = Table::new(vec![
        Column::from_options(&[Some(1.35), Some(59.91), None], host)?,
        Column::from_options(&[Some(103.99), Some(10.75), Some(0.0)], host)?,
        Column::from_options(&[Some(40.64), Some(41.9), Some(0.0)], host)?,
        Column::from_options(&[Some(-73.78), Some(12.5), Some(0.0)], host)?,
    ])?;

    // The CPU, which is to say the emulator, and every GPU of this machine.
    let devices = Device::all();
    for &device in &devices {
        let ctx = &Context::on(device)?;
        let places = places.to_device(ctx)?;
        let start = Instant::now();
        // SAFETY: the function ends, writes its value alone and divides no integer by 0. `transform` is unsafe because
        // nothing checks that: what stands in the text runs as it is.
        let made = unsafe { transform(&places, DISTANCE, DataType::Float64, ctx) };
        let kilometres = match made {
            Ok(column) => column.to_host()?,
            // No C++ compiler, or no NVRTC: there is nothing that compiles kernels.
            Err(error) if error.kind() == ErrorKind::Cuda => {
                println!("{device}: skipped, nothing here compiles kernels: {error}");
                continue;
            }
            Err(error) => return Err(error),
        };
        println!("{device}: {kilometres:?} in {:.1?}, compiling included", start.elapsed());
        // A row where an element is null is null, and the function is not called for it.
        assert_eq!(kilometres.null_count()?, 1);
        let far = kilometres.get(0)?.as_f64().unwrap_or(0.0);
        assert!((15_300.0..15_400.0).contains(&far), "{far} km from Singapore to New York");
    }
    if devices.len() == 1 {
        println!("No GPU on this machine: the GPU's part is skipped, the emulator has run the kernel.");
    }

    // What does not compile is an error with the compiler's message, at the line of the text.
    let wrong = "__device__ void twice(double* out, double x) { *out = 2 * y; }";
    // SAFETY: it is not run, as it does not compile.
    let failed = unsafe { transform(&places.select(&[0])?, wrong, DataType::Float64, host) };
    let error = failed.expect_err("`y` is not declared").to_string();
    println!("and an error: {}", error.lines().find(|line| line.contains("error")).unwrap_or(&error));
    Ok(())
}
