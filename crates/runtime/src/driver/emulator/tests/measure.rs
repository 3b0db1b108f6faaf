use super::*;
use std::time::Instant;
#[test]
fn measure() {
    let t = Instant::now();
    for i in 0..5 {
        compile(
            "m.cu",
            &format!("__global__ void kernel(int* out) {{ *out = {i}; }}"),
            &[],
            &[],
            &["kernel".to_owned()],
        )
        .unwrap();
    }
    eprintln!("compile {:?}", t.elapsed() / 5);
    Emulator::set_race_check(true);
    let t = Instant::now();
    for i in 0..5 {
        compile(
            "m.cu",
            &format!("__global__ void kernel(int* out) {{ *out = {i}; }}"),
            &[],
            &[],
            &["kernel".to_owned()],
        )
        .unwrap();
    }
    eprintln!("compile race {:?}", t.elapsed() / 5);
    Emulator::set_race_check(false);
    let t = Instant::now();
    for _ in 0..3 {
        compile("kernels.cu", include_str!("kernels.cu"), &[], &[], &["scan".to_owned()]).unwrap();
    }
    eprintln!("compile kernels.cu {:?}", t.elapsed() / 3);
    for race in [false, true] {
        eprintln!("race {race}");
        let n = if race { 200_000usize } else { 4_000_000 };
        let empty = Kernel::new("m.cu", "__global__ void kernel(int* out) {}", "kernel", race);
        let out = DeviceArray::filled(0i32, n);
        let a = DeviceArray::filled(0i32, n);
        for schedule in [Schedule::Fifo, Schedule::Random(1)] {
            eprintln!(" {schedule:?}");
            Emulator::set_schedule(schedule);
            for threads in [1, 256] {
                let t = Instant::now();
                for _ in 0..1000 {
                    empty.run(1, threads, 0, &[&out]).unwrap();
                }
                eprintln!("  launch of {threads}: {:?}", t.elapsed() / 1000);
            }
            let add = Kernel::new(
                "m.cu",
                "__global__ void kernel(const int* a, int* out, unsigned long long n) { unsigned long long i = blockIdx.x * 256ull + threadIdx.x; if (i < n) out[i] = a[i] + 1; }",
                "kernel",
                race,
            );
            let t = Instant::now();
            add.run((n / 256) as u32, 256, 0, &[&a, &out, &(n as u64)]).unwrap();
            eprintln!("  add: {:.1} M/s", n as f64 / t.elapsed().as_secs_f64() / 1e6);
            let shuffle = Kernel::new(
                "m.cu",
                "__global__ void kernel(int* out) { int v = threadIdx.x; for (int i = 0; i < 1000; i++) v += __shfl_xor_sync(0xffffffff, v, 1); out[threadIdx.x] = v; }",
                "kernel",
                race,
            );
            for threads in [32, 256, 1024] {
                let t = Instant::now();
                shuffle.run(1, threads, 0, &[&out]).unwrap();
                eprintln!(
                    "  shuffle {threads}: {:.1} ns",
                    t.elapsed().as_secs_f64() * 1e9 / 1000.0 / threads as f64
                );
            }
            let t = Instant::now();
            shuffle.run(8, 256, 0, &[&out]).unwrap_or_else(|e| eprintln!("{e}"));
            eprintln!("  shuffle 8x256: {:.1} ns", t.elapsed().as_secs_f64() * 1e9 / 1000.0 / 2048.0);
            let barrier = Kernel::new(
                "m.cu",
                "__global__ void kernel(int* out) { for (int i = 0; i < 1000; i++) __syncthreads(); }",
                "kernel",
                race,
            );
            for threads in [32, 256, 1024] {
                let t = Instant::now();
                barrier.run(1, threads, 0, &[&out]).unwrap();
                eprintln!(
                    "  barrier {threads}: {:.1} ns",
                    t.elapsed().as_secs_f64() * 1e9 / 1000.0 / threads as f64
                );
            }
            let atomics = Kernel::new(
                "m.cu",
                "__global__ void kernel(int* out) { for (int i = 0; i < 1000; i++) atomicAdd(out, 1); }",
                "kernel",
                race,
            );
            let t = Instant::now();
            atomics.run(1, 256, 0, &[&out]).unwrap();
            eprintln!("  atomic: {:.1} ns", t.elapsed().as_secs_f64() * 1e9 / 256000.0);
        }
    }
}
