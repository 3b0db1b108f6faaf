//! CUDA's words mean what they mean to CUDA.

use super::*;

#[test]
fn a_plain_kernel_fills() {
    let text = "template <class T> __global__ void fill(T* out, T value, unsigned long long n) {
        unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
        if (i < n) out[i] = value;
    }";
    for race_check in [false, true] {
        let kernel = Kernel::new("fill.cu", text, "fill<int>", race_check);
        for schedule in SCHEDULES {
            Emulator::set_schedule(schedule);
            let out = DeviceArray::filled(0i32, 1000);
            kernel.run(4, 256, 0, &[&out, &7i32, &999u64]).unwrap();
            let values = out.to_vec();
            assert!(values[..999].iter().all(|&v| v == 7) && values[999] == 0);
        }
    }
}
