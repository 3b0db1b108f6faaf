//! CUDA's words have the meaning of CUDA.

use super::*;
use crate::ErrorKind;

/// Runs one thread or block of `kernel(T* out)` and returns its output into `len` zeros.
fn output<T: bytemuck::Pod>(text: &str, threads: u32, len: usize) -> Vec<T> {
    let kernel = Kernel::new("words.cu", text, "kernel", false);
    let out = DeviceArray::filled(T::zeroed(), len);
    kernel.run(1, threads, 0, &[&out]).unwrap();
    out.to_vec()
}

/// The statements store one value after another with `put`.
fn values<T: bytemuck::Pod>(type_name: &str, statements: &str, len: usize) -> Vec<T> {
    let text = format!(
        "__global__ void kernel({type_name}* out) {{
            auto put = [&]({type_name} value) {{ *out++ = value; }};
            {statements}
        }}"
    );
    output(&text, 1, len)
}

#[test]
fn threads_know_where_they_are() {
    let text = "__global__ void kernel(uint4* out) {
        unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        unsigned size = blockDim.x * blockDim.y * blockDim.z;
        out[block * size + thread] = make_uint4(threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.y);
    }";
    for race_check in [false, true] {
        let kernel = Kernel::new("words.cu", text, "kernel", race_check);
        let out = DeviceArray::filled([9u32; 4], 2 * 3 * 2 * 5 * 3 * 4);
        let shape = LaunchShape { grid: [2, 3, 2], block: [5, 3, 4], shared_bytes: 0 };
        kernel.run_shape(shape, &[&out]).unwrap();
        for (i, found) in (0u32..).zip(out.to_vec()) {
            assert_eq!(found, [i % 5, i / 5 % 3, i / 15 % 4, i / 120 % 3]);
        }
    }
}

#[test]
fn templates_and_namespaces_have_kernels() {
    let text = "namespace ns { namespace {
        template <class T, bool DOUBLE> __global__ void store(T* out, T value) { *out = DOUBLE ? 2 * value : value; }
    } }";
    let out = DeviceArray::filled(0u64, 1);
    let kernel = Kernel::new("words.cu", text, "ns::store<unsigned long long, true>", false);
    kernel.run(1, 1, 0, &[&out, &(1u64 << 40)]).unwrap();
    assert_eq!(out.to_vec(), [1 << 41]);
}

#[test]
fn structs_are_passed_by_value() {
    let text = "struct View { const int* values; long long offset; char tag; };
        __global__ void kernel(int* out, View view, bool negate, double4 large) {
            const int value = view.values[view.offset] + view.tag + int(large.w);
            out[0] = negate ? -value : value;
        }";
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct View(NonNull<u8>, i64, i8);
    for race_check in [false, true] {
        let kernel = Kernel::new("words.cu", text, "kernel", race_check);
        let (values, out) = (DeviceArray::new(&[10, 20, 30]), DeviceArray::filled(0i32, 1));
        let view = View(values.address, 2, 5);
        kernel.run(1, 1, 0, &[&out, &view, &true, &[1.0f64, 2.0, 3.0, 400.0]]).unwrap();
        assert_eq!(out.to_vec(), [-435]);
    }
}

#[test]
fn bits() {
    let statements = "
        put(__popc(0xf0f0u)); put(__popcll(~0ull)); put(__clz(1)); put(__clz(0)); put(__clzll(1)); put(__clzll(0));
        put(__ffs(0)); put(__ffs(8)); put(__ffsll(1ll << 40)); put(__brev(1u)); put(__brev(0x12345678u));
        put(__byte_perm(0x33221100, 0x77665544, 0x7410)); put(__byte_perm(0x000000f0, 0, 0x0008));
        put(__umulhi(0x80000000u, 6)); put(__mulhi(-1, 1)); put(__funnelshift_l(0x80000001u, 2, 1));
        put(__funnelshift_r(1, 3, 1)); put(__float_as_uint(1.0f)); put(__float_as_int(-2.0f));";
    let expected: [u32; 19] = [
        8,
        64,
        31,
        32,
        63,
        64,
        0,
        4,
        41,
        0x8000_0000,
        0x1e6a_2c48,
        0x7744_1100,
        0xf0f0_f0ff,
        3,
        u32::MAX,
        5,
        0x8000_0000,
        0x3f80_0000,
        0xc000_0000,
    ];
    assert_eq!(values::<u32>("unsigned", statements, 19), expected);
    let statements = "put(__umul64hi(1ull << 63, 6)); put(__brevll(1)); put(__double_as_longlong(1.0));
        put(__mul64hi(-1, 5)); put((unsigned long long)__double2hiint(-2.0)); put(__ldg(out - 5));";
    let expected = [3, 1 << 63, 0x3ff0_0000_0000_0000, u64::MAX, 0xffff_ffff_c000_0000, 3];
    assert_eq!(values::<u64>("unsigned long long", statements, 6), expected);
}

#[test]
fn arithmetic() {
    let statements = "
        put(min(3, -4)); put(max(3u, 4u)); put(min(-1, 4u) == 4); put(max(2ll, 3ll)); put(fabs(-2.5)); put(sqrt(9.0f));
        put(pow(2.0, 10.0)); put(fma(2.0, 3.0, 1.0)); put(isnan(0.0 / 0)); put(signbit(-0.0)); put(min(1.0, 0.0 / 0));
        put(__double2int_rz(1e30)); put(__double2int_rn(2.5)); put(__float2int_rd(-0.5f)); put(__double2ll_rz(-1e30));
        put(floor(-1.5)); put(rsqrt(4.0)); put(abs(-3)); put(abs(-3ll)); put(__fmul_rn(3, 0.5f)); put(__hiloint2double(0x40000000, 0));";
    let expected = [
        -4.0,
        4.0,
        1.0,
        3.0,
        2.5,
        3.0,
        1024.0,
        7.0,
        1.0,
        1.0,
        1.0,
        2_147_483_647.0,
        2.0,
        -1.0,
        -9_223_372_036_854_775_808.0,
        -2.0,
        0.5,
        3.0,
        3.0,
        1.5,
        2.0,
    ];
    assert_eq!(values::<f64>("double", statements, 21), expected);
}

#[test]
fn atomic_operations_return_what_was_there() {
    let statements = "
        unsigned x = 5; put(atomicAdd(&x, 2u)); put(atomicSub(&x, 1u)); put(atomicMax(&x, 9u)); put(atomicMin(&x, 4u));
        put(atomicAnd(&x, 6u)); put(atomicOr(&x, 3u)); put(atomicXor(&x, 1u)); put(atomicExch(&x, 10u));
        put(atomicCAS(&x, 10u, 11u)); put(atomicCAS(&x, 10u, 12u)); put(atomicInc(&x, 11u)); put(atomicDec(&x, 7u)); put(x);
        int y = -5; put(atomicMin(&y, -6)); put(atomicMax(&y, 2)); put(y);
        unsigned long long z = 1ull << 40; put(atomicAdd(&z, 1ull) >> 40); put(atomicCAS(&z, (1ull << 40) + 1, 7ull) & 1); put(z);
        double d = 1; put(atomicAdd(&d, 0.5) == 1 && d == 1.5); float f = 1; put(atomicAdd(&f, 0.5f) == 1 && f == 1.5f);";
    let minus = |n: i32| -n as u32;
    let expected = [5, 7, 6, 9, 4, 4, 7, 6, 10, 11, 11, 0, 7, minus(5), minus(6), 2, 1, 1, 7, 1, 1];
    assert_eq!(values::<u32>("unsigned", statements, 21), expected);
}

#[test]
fn vectors_are_as_large_and_aligned_as_cuda_says() {
    let statements = "
        put(sizeof(float4)); put(alignof(float4)); put(sizeof(double2)); put(alignof(double2)); put(alignof(uchar4));
        put(sizeof(int3)); put(alignof(int3)); put(alignof(ulonglong2)); put(sizeof(longlong4)); put(alignof(short2));
        put(make_int4(1, 2, 3, 4).w); put(dim3(7).y); struct __align__(16) Pair { int a; }; put(sizeof(Pair)); put(warpSize);";
    assert_eq!(
        values::<u32>("unsigned", statements, 14),
        [16, 16, 16, 16, 4, 12, 4, 16, 32, 4, 4, 1, 16, 32]
    );
}

#[test]
fn constants_globals_and_clocks() {
    let text = "__constant__ unsigned table[4] = {3, 1, 4, 1};
        __device__ unsigned counter;
        __global__ void kernel(unsigned* out) {
            const long long start = clock64();
            const unsigned old = atomicAdd(&counter, 1u);
            __threadfence_block();
            out[threadIdx.x] = table[threadIdx.x] + 10 * (old == threadIdx.x) + 100 * (clock64() >= start);
        }";
    Emulator::set_schedule(Schedule::Fifo);
    for race_check in [false, true] {
        let kernel = Kernel::new("words.cu", text, "kernel", race_check);
        let out = DeviceArray::filled(0u32, 4);
        kernel.run(1, 4, 0, &[&out]).unwrap();
        assert_eq!(out.to_vec(), [113, 111, 114, 111]);
    }
}

#[test]
fn votes_of_blocks() {
    let text = "__global__ void kernel(int* out) {
        out[threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0);
        out[threadIdx.x] += 100 * __syncthreads_and(threadIdx.x < 39) + 200 * __syncthreads_or(threadIdx.x == 5)
            + 400 * __syncthreads_and(threadIdx.x < 40);
    }";
    for schedule in SCHEDULES {
        Emulator::set_schedule(schedule);
        assert_eq!(output::<i32>(text, 40, 40), [614; 40]);
    }
}

#[test]
fn warp_operations() {
    // 40 threads: the second warp has 8 lanes, and those that are not there count as absent.
    let text = "__global__ void kernel(long long* out) {
        const unsigned all = 0xffffffff, lane = threadIdx.x % 32;
        long long* mine = out + threadIdx.x * 16;
        const long long value = (1ll << 40) + lane;
        *mine++ = __shfl_sync(all, value, 3) - (1ll << 40);
        *mine++ = __shfl_sync(all, lane, 9, 4);
        *mine++ = __shfl_up_sync(all, lane, 2, 8);
        *mine++ = __shfl_down_sync(all, lane, 3, 8);
        *mine++ = __shfl_xor_sync(all, lane, 5);
        *mine++ = (long long)(4 * __shfl_xor_sync(all, lane + 0.25, 1));
        *mine++ = __ballot_sync(all, lane & 1);
        *mine++ = __any_sync(all, lane == 7) + 10 * __all_sync(all, lane < 7) + 100 * __all_sync(all, true);
        *mine++ = __match_any_sync(all, lane % 3);
        int equal;
        const long long same = __match_all_sync(all, 5, &equal);
        *mine++ = same + equal;
        const long long different = __match_all_sync(all, lane, &equal);
        *mine++ = different + equal;
        *mine++ = __reduce_add_sync(all, lane) + 1000 * __reduce_max_sync(all, lane);
        *mine++ = __reduce_min_sync(all, int(lane) - 3) + 1000 * __reduce_max_sync(all, -int(lane) - 1);
        *mine++ = __reduce_and_sync(all, lane | 64) + 1000 * __reduce_or_sync(all, lane);
        *mine++ = __reduce_xor_sync(all, lane + 1);
        *mine++ = lane % 2 ? __reduce_add_sync(__ballot_sync(0xaaaaaaaa, 1), 1u) : 0;
    }";
    for schedule in SCHEDULES {
        Emulator::set_schedule(schedule);
        let out = output::<i64>(text, 40, 40 * 16);
        for (thread, found) in (0i64..).zip(out.chunks(16)) {
            let (lanes, lane) = (if thread < 32 { 32 } else { 8 }, thread % 32);
            let all = (1i64 << lanes) - 1;
            let set =
                |holds: &dyn Fn(i64) -> bool| (0..lanes).filter(|&l| holds(l)).fold(0, |m, l| m | 1 << l);
            let sum: i64 = (0..lanes).sum();
            let expected = [
                3,
                lane / 4 * 4 + 1,
                if lane % 8 >= 2 { lane - 2 } else { lane },
                if lane % 8 < 5 { lane + 3 } else { lane },
                lane ^ 5,
                4 * (lane ^ 1) + 1,
                set(&|l| l % 2 == 1),
                101,
                set(&|l| l % 3 == lane % 3),
                all + 1,
                0,
                sum + 1000 * (lanes - 1),
                -3 - 1000,
                64 + 1000 * (lanes - 1),
                (1..=lanes).fold(0, |a, b| a ^ b),
                if lane % 2 == 1 { lanes / 2 } else { 0 },
            ];
            assert_eq!(found, expected, "thread {thread}, {schedule:?}");
        }
    }
}

#[test]
fn shapes_that_no_gpu_takes_are_refused() {
    let kernel = Kernel::new("words.cu", "__global__ void kernel(int* out) {}", "kernel", false);
    let out = DeviceArray::filled(0i32, 1);
    for (grid, block, shared_bytes) in [
        ([0, 1, 1], [1, 1, 1], 0),
        ([1, 1, 1], [1025, 1, 1], 0),
        ([1, 1, 1], [1, 1, 65], 0),
        ([1; 3], [1; 3], 300_000),
    ] {
        let error = kernel.run_shape(LaunchShape { grid, block, shared_bytes }, &[&out]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cuda);
        assert!(error.to_string().contains("kernel `kernel`"), "{error}");
    }
    let error = kernel.run(1, 1, 0, &[]).unwrap_err().to_string();
    assert!(error.contains("has 1 parameters, 0 arguments"), "{error}");
}

#[test]
fn damaged_images_and_unknown_kernels_are_errors() {
    let emulator = Emulator::get();
    let image = compile("words.cu", "__global__ void kernel() {}", &[], &[], &["kernel".to_owned()]).unwrap();
    for bytes in [&b""[..], b"not a shared object", &image.bytes[..64], &image.bytes[..1000]] {
        assert_eq!(emulator.load_module(DEVICE, bytes).unwrap_err().kind(), ErrorKind::Cuda);
    }
    let module = emulator.load_module(DEVICE, &image.bytes).unwrap();
    let error = emulator.function(DEVICE, module, c"absent").unwrap_err().to_string();
    assert!(error.contains("no kernel `absent`") && error.contains("it has kernel"), "{error}");
}

#[test]
fn a_failure_is_reported_once_and_work_goes_on() {
    let kernel = Kernel::new("words.cu", "__global__ void kernel(int* out) { *out = 7; }", "kernel", false);
    let emulator = Emulator::get();
    let stream = emulator.create_stream(DEVICE).unwrap();
    let out = DeviceArray::filled(0i32, 1);
    let shape = LaunchShape { grid: [1; 3], block: [1; 3], shared_bytes: 0 };
    let nowhere = 16u64;
    for address in [(&raw const nowhere).cast(), out.value()] {
        // SAFETY: the kernel takes one pointer; that the first one is wild is what is tested.
        unsafe { emulator.launch(DEVICE, kernel.0, shape, &[address], stream) }.unwrap();
    }
    let error = emulator.synchronize(DEVICE, stream).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cuda);
    assert!(error.to_string().contains("an illegal memory access at 0x10"), "{error}");
    emulator.synchronize(DEVICE, stream).unwrap();
    assert_eq!(out.to_vec(), [7]);

    // Results of a failed kernel are not copied to the host.
    let mut host = [0u8; 4];
    let to = NonNull::new(host.as_mut_ptr()).unwrap();
    // SAFETY: the kernel takes one address, which the emulator checks; both ranges have four bytes and outlive the calls.
    unsafe {
        emulator.launch(DEVICE, kernel.0, shape, &[(&raw const nowhere).cast()], stream).unwrap();
        let error = emulator.copy(DEVICE, to, out.address, 4, stream).unwrap_err();
        assert!(error.to_string().contains("kernel `kernel`"), "{error}");
        emulator.copy(DEVICE, to, out.address, 4, stream).unwrap();
    }
    assert_eq!(host, 7i32.to_ne_bytes());
    emulator.destroy_stream(DEVICE, stream);
}
