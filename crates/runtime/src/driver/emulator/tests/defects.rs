//! Wrong kernels are caught, and the report names the line.

use super::*;

/// Runs one block of 64 threads of `kernel` on 64 zeros, under some schedules.
fn messages(text: &str, race_check: bool, shared_bytes: u32) -> Vec<String> {
    let kernel = Kernel::new("defect.cu", text, "kernel", race_check);
    let run = |schedule| {
        Emulator::set_schedule(schedule);
        let memory = DeviceArray::filled(0u32, 64);
        kernel.run(1, 64, shared_bytes, &[&memory]).map_or_else(|e| e.to_string(), |()| "no error".to_owned())
    };
    SCHEDULES.into_iter().map(run).collect()
}

/// Every message has all of these parts.
#[track_caller]
fn assert_caught(text: &str, race_check: bool, shared_bytes: u32, parts: &[&str]) {
    for message in messages(text, race_check, shared_bytes) {
        for part in parts.iter().chain(&["kernel `kernel`"]) {
            assert!(message.contains(part), "no {part:?} in: {message}");
        }
    }
}

#[test]
fn a_missing_barrier() {
    let text = "__global__ void kernel(unsigned* out) {
        __shared__ unsigned staged[64];
        staged[threadIdx.x] = threadIdx.x;
        out[threadIdx.x] = staged[63 - threadIdx.x];
    }";
    assert_caught(text, true, 0, &["a race", "shared memory", "defect.cu:3", "defect.cu:4", "thread ("]);
    // Without the check the result is wrong under every schedule.
    let kernel = Kernel::new("defect.cu", text, "kernel", false);
    let expected: Vec<u32> = (0..64).rev().collect();
    for schedule in SCHEDULES {
        Emulator::set_schedule(schedule);
        let memory = DeviceArray::filled(0u32, 64);
        kernel.run(1, 64, 0, &[&memory]).unwrap();
        assert_ne!(memory.to_vec(), expected, "{schedule:?}");
    }
}

#[test]
fn a_missing_barrier_before_memory_is_used_again() {
    let text = "__global__ void kernel(unsigned* out) {
        __shared__ unsigned staged[64];
        for (unsigned round = 0; round < 4; round++) {
            staged[threadIdx.x] = round;
            __syncthreads();
            out[threadIdx.x] += staged[63 - threadIdx.x];
        }
    }";
    assert_caught(text, true, 0, &["a race", "defect.cu:4", "defect.cu:6"]);
}

#[test]
fn a_missing_warp_barrier() {
    let text = "__global__ void kernel(unsigned* out) {
        __shared__ unsigned staged[64];
        staged[threadIdx.x] = threadIdx.x;
        unsigned sum = __shfl_xor_sync(0xffffffff, threadIdx.x, 1);
        out[threadIdx.x] = sum + staged[threadIdx.x ^ 1];
    }";
    assert_caught(text, true, 0, &["a race", "shared memory", "defect.cu:3", "defect.cu:5"]);
    let repaired = text.replace("unsigned sum", "__syncwarp(); unsigned sum");
    assert_eq!(messages(&repaired, true, 0), ["no error"; 5]);
    // A barrier of some lanes orders those, and nobody else.
    let halves =
        text.replace("unsigned sum", "__syncwarp(threadIdx.x % 32 < 16 ? 0xffff : 0xffff0000); unsigned sum");
    assert_eq!(messages(&halves, true, 0), ["no error"; 5]);
    assert_caught(
        &halves.replace("threadIdx.x ^ 1", "threadIdx.x ^ 16"),
        true,
        0,
        &["a race", "defect.cu:5"],
    );
}

#[test]
fn two_threads_storing_to_one_place() {
    let text = "__global__ void kernel(unsigned* out) {
        out[threadIdx.x / 2] = 1;
    }";
    assert_caught(text, true, 0, &["a race", "global memory", "writes", "defect.cu:2"]);
    let bytes = "__global__ void kernel(unsigned char* out) {
        out[threadIdx.x] = 1;
    }";
    assert_eq!(messages(bytes, true, 0), ["no error"; 5]);
    let atomic = "__global__ void kernel(unsigned* out) {
        atomicOr(&out[threadIdx.x / 2], 1u);
    }";
    assert_eq!(messages(atomic, true, 0), ["no error"; 5]);
    assert_caught(
        "__global__ void kernel(unsigned* out) {
            atomicAdd(out, 1u);
            if (threadIdx.x == 5)
                *out = 7;
        }",
        true,
        0,
        &["a race", "defect.cu:2", "defect.cu:4"],
    );
}

#[test]
fn blocks_storing_to_one_place() {
    let text = "__global__ void kernel(unsigned* out) {
        out[threadIdx.x] = blockIdx.x;
    }";
    let kernel = Kernel::new("defect.cu", text, "kernel", true);
    let error = kernel.run(2, 64, 0, &[&DeviceArray::filled(0u32, 64)]).unwrap_err().to_string();
    assert!(error.contains("a race") && error.contains("defect.cu:2"), "{error}");
}

#[test]
fn global_memory_left_behind() {
    let text = "__global__ void kernel(unsigned* out) {
        if (threadIdx.x == 63)
            out[64] = 1;
    }";
    assert_caught(
        text,
        true,
        0,
        &["an illegal memory access", "writes", "thread (63, 0, 0)", "defect.cu:3", "256 bytes"],
    );
    let host = "__global__ void kernel(unsigned* out) {
        out[threadIdx.x] = *(unsigned*)8;
    }";
    assert_caught(host, true, 0, &["an illegal memory access", "reads", "0x8", "defect.cu:2"]);
    assert_caught(host, false, 0, &["an illegal memory access at 0x8", "defect.cu:2"]);
}

#[test]
fn shared_memory_left_behind() {
    let array = "__global__ void kernel(unsigned* out) {
        __shared__ unsigned staged[32];
        staged[threadIdx.x] = 1;
        out[threadIdx.x] = 1;
    }";
    assert_caught(array, true, 0, &["an index is outside its array", "defect.cu:3"]);
    let dynamic = "__global__ void kernel(unsigned* out) {
        extern __shared__ __align__(16) unsigned char dyn_smem[];
        unsigned* staged = reinterpret_cast<unsigned*>(dyn_smem);
        staged[threadIdx.x] = 1;
        out[threadIdx.x] = 1;
    }";
    assert_eq!(messages(dynamic, true, 256), ["no error"; 5]);
    assert_caught(dynamic, true, 252, &["252 bytes of dynamic shared memory", "defect.cu:4"]);
}

#[test]
fn a_barrier_in_a_divergent_branch() {
    let returned = "__global__ void kernel(unsigned* out) {
        if (threadIdx.x < 40)
            __syncthreads();
        out[threadIdx.x] = 1;
    }";
    let two = "__global__ void kernel(unsigned* out) {
        if (threadIdx.x < 40)
            __syncthreads();
        else
            __syncthreads();
        out[threadIdx.x] = 1;
    }";
    for race_check in [false, true] {
        assert_caught(returned, race_check, 0, &["a barrier in a divergent branch", "defect.cu:3"]);
        assert_caught(two, race_check, 0, &["a barrier in a divergent branch", "defect.cu:3", "defect.cu:5"]);
    }
}

#[test]
fn warp_operations_that_do_not_meet() {
    let deadlock = "__global__ void kernel(unsigned* out) {
        if (threadIdx.x % 2)
            __syncwarp();
        else
            __syncthreads();
    }";
    assert_caught(deadlock, false, 0, &["a deadlock: 64 threads wait", "defect.cu:"]);
    let different = "__global__ void kernel(unsigned* out) {
        if (threadIdx.x % 2)
            out[threadIdx.x] = __ballot_sync(0xffffffff, 1);
        else
            out[threadIdx.x] = __reduce_add_sync(0xffffffff, 1u);
    }";
    assert_caught(different, false, 0, &["warp operations that differ meet", "defect.cu:3", "defect.cu:5"]);
    let left_out = "__global__ void kernel(unsigned* out) {
        out[threadIdx.x] = __ballot_sync(1, 1);
    }";
    assert_caught(left_out, false, 0, &["leaves it out", "0x00000001", "defect.cu:2"]);
}

#[test]
fn endless_loops() {
    let spin = "__global__ void kernel(volatile unsigned* out) {
        while (out[0] == 0)
            __nanosleep(10);
    }";
    let atomic = "__global__ void kernel(unsigned* out) {
        while (atomicAdd(out, 0u) == 0) {}
    }";
    // The race check sees a loop without a step that gives way, too.
    let silent = Kernel::new("defect.cu", &spin.replace("__nanosleep(10)", ""), "kernel", true);
    let error = silent.run(1, 1, 0, &[&DeviceArray::filled(0u32, 1)]).unwrap_err().to_string();
    assert!(error.contains("an endless loop") && error.contains("defect.cu:2"), "{error}");
    assert_caught(spin, false, 0, &["an endless loop", "defect.cu:3"]);
    assert_caught(atomic, false, 0, &["an endless loop", "defect.cu:2"]);
}

#[test]
fn stack_overflows() {
    let text = "__noinline__ __device__ unsigned depth(volatile unsigned* out, unsigned n) {
        unsigned frame[64];
        for (unsigned i = 0; i < 64; i++) frame[i] = out[i] + n;
        const unsigned below = depth(out, n + 1);
        return below + frame[n % 64];
    }
    __global__ void kernel(unsigned* out) {
        out[threadIdx.x] = depth(out, 0);
    }";
    for race_check in [false, true] {
        assert_caught(text, race_check, 0, &["a stack overflow", "64 KiB", "defect.cu:"]);
    }
}

#[test]
fn divisions_by_zero() {
    let text = "__global__ void kernel(int* out) {
        out[threadIdx.x] = 7 /
            out[threadIdx.x];
    }";
    assert_caught(text, true, 0, &["divided by zero", "defect.cu:2"]);
    assert_caught(text, false, 0, &["divided by zero", "defect.cu:2"]);
}

#[test]
fn misaligned_and_null_addresses() {
    let text = "__global__ void kernel(unsigned char* out) {
        *(unsigned*)(out + 1) = 3;
    }";
    assert_caught(text, true, 0, &["a misaligned or null address", "defect.cu:2"]);
}

#[test]
fn traps_and_assertions() {
    let text = "__global__ void kernel(unsigned* out) {
        if (threadIdx.x == 3)
            __trap();
    }";
    assert_caught(text, false, 0, &["__trap()", "thread (3, 0, 0)", "defect.cu:3"]);
    let text = "__global__ void kernel(unsigned* out) {
        assert(out[threadIdx.x] == 0 || threadIdx.x == 0);
        assert(out[threadIdx.x] == 1);
    }";
    assert_caught(text, false, 0, &["`out[threadIdx.x] == 1` does not hold", "defect.cu:3"]);
}
