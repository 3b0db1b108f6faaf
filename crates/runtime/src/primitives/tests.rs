//! One body for every device, against plain loops.

use std::fmt::Debug;
use std::sync::Arc;

use super::*;
use crate::driver::emulator::Emulator;
use crate::kernel::{GeneratedKernel, Grid, In, Out, Parameter, Source};
use crate::random::Random;
use crate::{CancelToken, Device, ErrorKind};

/// The devices that primitives are tested on: the CPU, the GPUs where there are any, and the emulator in
/// [all the ways](Emulator::ways_of_tests) in which tests run kernels.
pub(super) fn contexts() -> impl Iterator<Item = Context> {
    let emulated = Emulator::ways_of_tests().map(|_| Device::EMULATOR);
    Device::all().into_iter().chain(emulated).map(|device| Context::on(device).unwrap())
}

/// Around every edge there is: warps, packs, tiles of a block, morsels of the CPU, and some tiles.
const LENGTHS: [usize; 22] = [
    0, 1, 2, 15, 31, 32, 33, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097, 8192, 8193, 12_289, 32_768, 32_769,
    100_003,
];

/// A number of a type from any bits.
trait Sample: Number {
    fn sample(bits: u64) -> Self;
}

macro_rules! samples {
    ($($t:ident = $_name:literal;)*) => {$(
        impl Sample for $t {
            fn sample(bits: u64) -> Self { bits as Self }
        }
    )*};
}

crate::for_each_kernel_type!(samples);

fn values<T: Sample>(len: usize) -> Vec<T> {
    let mut random = Random(len as u64 + 1);
    (0..len).map(|_| T::sample(random.next() >> 40)).collect()
}

fn flags(len: usize, share: u64) -> Vec<u8> {
    let mut random = Random(len as u64 + 2);
    (0..len)
        .map(|_| if random.next() >> 32 & 15 < share { (random.next() >> 40) as u8 | 1 } else { 0 })
        .collect()
}

/// Runs a check for every device and length, with the values behind one more, so that they are not
/// aligned to packs.
fn for_each_case<T: Sample>(check: impl Fn(&Context, &[T], &DeviceSpan<T>)) {
    for ctx in contexts() {
        for len in LENGTHS {
            let with_one_more = values::<T>(len + 1);
            let there = DeviceUVec::from_slice(&with_one_more, &ctx).unwrap();
            check(&ctx, &with_one_more[1..], &there.span().slice(1..len + 1).unwrap());
            check(&ctx, &with_one_more[..len], &there.span().slice(0..len).unwrap());
        }
    }
}

pub(super) fn same<T: Number>(got: DeviceUVec<T>, expected: &[T], ctx: &Context) {
    let got = got.to_vec().unwrap();
    assert_eq!(got.len(), expected.len());
    let bytes = |values: &[T]| bytemuck::cast_slice::<T, u8>(values).to_vec();
    if bytes(&got) != bytes(expected) {
        let at = got.iter().zip(expected).position(|(a, b)| bytes(&[*a]) != bytes(&[*b])).unwrap();
        let device = ctx.stream().device();
        panic!("{device}: element {at} of {} is {:?}, not {:?}", got.len(), got[at], expected[at]);
    }
}

macro_rules! for_types {
    ($check:ident: $($t:ty),*) => { $( $check::<$t>(); )* };
}

#[test]
fn fills_and_sequences() {
    fn check<T: Sample>() {
        for ctx in contexts() {
            for len in LENGTHS {
                let value = T::sample(0xF1F2_F3F4_F5F6_F7F8);
                same(fill(value, len, &ctx).unwrap(), &vec![value; len], &ctx);
                let (start, step) = (T::sample(7), T::sample(3));
                let expected: Vec<T> = (0..len).map(|i| T::term(start, step, i)).collect();
                same(sequence(start, step, len, &ctx).unwrap(), &expected, &ctx);
            }
        }
    }
    for_types!(check: i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
    for ctx in contexts() {
        same(
            sequence(i32::MAX, i32::MAX, 5, &ctx).unwrap(),
            &[i32::MAX, -2, 2_147_483_645, -4, 2_147_483_643],
            &ctx,
        );
        same(sequence(0.1f64, 0.1, 4, &ctx).unwrap(), &[0.1, 0.2, 0.1 + 2.0 * 0.1, 0.1 + 3.0 * 0.1], &ctx);
    }
}

#[test]
fn conversions() {
    for_each_case::<u64>(|ctx, values, span| {
        let spread: Vec<u64> = values.iter().map(|x| x << 20 ^ x).collect();
        let there = DeviceUVec::from_slice(&spread, ctx).unwrap();
        let narrow: Vec<i32> = spread.iter().map(|&x| x as i32).collect();
        same(convert::<u64, i32>(&there.span(), ctx).unwrap(), &narrow, ctx);
        same(convert::<u64, u64>(span, ctx).unwrap(), values, ctx);
    });
    for_each_case::<u32>(|ctx, values, span| {
        let wide: Vec<u64> = values.iter().map(|&x| u64::from(x)).collect();
        same(convert::<u32, u64>(span, ctx).unwrap(), &wide, ctx);
    });
}

#[test]
fn transforms() {
    for_each_case::<f64>(|ctx, values, span| {
        // Products and sums stay apart: one rounding each, as on the CPU.
        let operation = Transform { expression: "x * 1.1 + 0.3", function: |x: f64| x * 1.1 + 0.3 };
        let expected: Vec<f64> = values.iter().map(|&x| x * 1.1 + 0.3).collect();
        same(transform(span, &operation, ctx).unwrap(), &expected, ctx);
        let operation = Transform {
            expression: "x > 1000 && x < 5e6",
            function: |x: f64| u8::from(x > 1000.0 && x < 5e6),
        };
        let expected: Vec<u8> = values.iter().map(|&x| (operation.function)(x)).collect();
        same(transform(span, &operation, ctx).unwrap(), &expected, ctx);
    });
}

const REDUCTIONS: [Reduction; 3] = [Reduction::Sum, Reduction::Min, Reduction::Max];

fn combine<T: Number>(reduction: Reduction, a: T, b: T) -> T {
    match reduction {
        Reduction::Sum => a.add(b),
        Reduction::Min => {
            if b < a {
                b
            } else {
                a
            }
        }
        Reduction::Max => {
            if b > a {
                b
            } else {
                a
            }
        }
    }
}

fn identity<T: Number>(reduction: Reduction) -> T {
    match reduction {
        Reduction::Sum => T::default(),
        Reduction::Min => T::HIGHEST,
        Reduction::Max => T::LOWEST,
    }
}

#[test]
fn reductions() {
    fn check<T: Sample>() {
        for_each_case::<T>(|ctx, values, span| {
            for reduction in REDUCTIONS {
                let expected = values.iter().fold(identity(reduction), |a, &b| combine(reduction, a, b));
                same(reduce(span, reduction, ctx).unwrap().0, &[expected], ctx);
            }
        });
    }
    for_types!(check: i8, i16, i32, i64, u8, u16, u32, u64);
    // The samples are whole and small, so that sums are exact whatever the grouping.
    for_types!(check: f64);
    for ctx in contexts() {
        let with_nan: Vec<f64> =
            (0..5000).map(|i| if i % 3 == 0 { f64::NAN } else { i as f64 - 77.0 }).collect();
        let there = DeviceUVec::from_slice(&with_nan, &ctx).unwrap();
        same(reduce(&there.span(), Reduction::Min, &ctx).unwrap().0, &[-76.0], &ctx);
        same(reduce(&there.span(), Reduction::Max, &ctx).unwrap().0, &[4922.0], &ctx);
        assert!(reduce(&there.span(), Reduction::Sum, &ctx).unwrap().value().unwrap().is_nan());
        let nothing = DeviceUVec::<f64>::from_slice(&[], &ctx).unwrap();
        same(reduce(&nothing.span(), Reduction::Min, &ctx).unwrap().0, &[f64::INFINITY], &ctx);
    }
}

#[test]
fn scans() {
    fn check<T: Sample>() {
        for_each_case::<T>(|ctx, values, span| {
            for reduction in REDUCTIONS {
                let mut running = identity(reduction);
                let mut exclusive = Vec::new();
                let inclusive: Vec<T> = values
                    .iter()
                    .map(|&value| {
                        exclusive.push(running);
                        running = combine(reduction, running, value);
                        running
                    })
                    .collect();
                same(scan(span, reduction, ScanKind::Inclusive, ctx).unwrap(), &inclusive, ctx);
                same(scan(span, reduction, ScanKind::Exclusive, ctx).unwrap(), &exclusive, ctx);
            }
        });
    }
    for_types!(check: i8, i16, i32, i64, u8, u16, u32, u64, f64);
}

#[test]
fn compacts_and_partitions() {
    fn check<T: Sample>() {
        for_each_case::<T>(|ctx, values, span| {
            for share in [0, 1, 8, 15, 16] {
                let flags = flags(values.len(), share);
                let there = DeviceUVec::from_slice(&flags, ctx).unwrap();
                let chosen = |wanted: bool| -> Vec<T> {
                    let pairs = values.iter().zip(&flags);
                    pairs.filter(|&(_, &flag)| (flag != 0) == wanted).map(|(&value, _)| value).collect()
                };
                same(compact(span, &there.span(), ctx).unwrap(), &chosen(true), ctx);
                let (kept, rest) = partition(span, &there.span(), ctx).unwrap();
                same(kept, &chosen(true), ctx);
                same(rest, &chosen(false), ctx);
            }
        });
    }
    for_types!(check: i8, u16, f32, i64, f64);
}

#[test]
fn histograms() {
    fn check<T: Bin + Sample>(num_bins: &[u32]) {
        for_each_case::<T>(|ctx, values, span| {
            for &num_bins in num_bins {
                let mut expected = vec![0u64; num_bins as usize];
                for value in values {
                    if let Some(count) = expected.get_mut(value.bin()) {
                        *count += 1;
                    }
                }
                same(histogram(span, num_bins, ctx).unwrap(), &expected, ctx);
            }
        });
    }
    check::<u8>(&[0, 1, 200, 256]);
    check::<u16>(&[8192, 8193, 65536]);
    check::<u32>(&[1 << 20]);
}

#[test]
fn segments() {
    fn check<T: Sample, O: Offset>(offset: fn(usize) -> O) {
        for_each_case::<T>(|ctx, values, span| {
            let mut random = Random(values.len() as u64);
            // Many short segments, some of them empty, and now and then a long one.
            for (short, one_long_in) in [(0x1F, 16), (3, 1024)] {
                let mut ends = vec![0];
                while *ends.last().unwrap() < values.len() {
                    let longest = if random.below(one_long_in) == 0 { 0xFFF } else { short };
                    let len = random.next() >> 32 & longest;
                    ends.push((ends.last().unwrap() + len as usize).min(values.len()));
                }
                let offsets: Vec<O> = ends.iter().map(|&end| offset(end)).collect();
                let there = DeviceUVec::from_slice(&offsets, ctx).unwrap();
                for reduction in REDUCTIONS {
                    let of = |range: &[usize]| {
                        values[range[0]..range[1]]
                            .iter()
                            .fold(identity(reduction), |a, &b| combine(reduction, a, b))
                    };
                    let expected: Vec<T> = ends.windows(2).map(of).collect();
                    same(segmented_reduce(span, &there.span(), reduction, ctx).unwrap(), &expected, ctx);
                }
            }
        });
    }
    check::<i32, i32>(|end| end as i32);
    check::<u8, i64>(|end| end as i64);
    check::<f64, i32>(|end| end as i32);
    for ctx in contexts() {
        // Offsets that make no sense stay inside the values.
        let values = DeviceUVec::from_slice(&[1i64, 2, 3], &ctx).unwrap();
        let offsets = DeviceUVec::from_slice(&[-5i64, 2, 1, 99, i64::MAX, 0, i64::MIN], &ctx).unwrap();
        let sums = segmented_reduce(&values.span(), &offsets.span(), Reduction::Sum, &ctx).unwrap();
        same(sums, &[0, 0, 5, 0, 0, 6], &ctx);
    }
}

#[test]
fn merge_paths() {
    fn check<T: Sample>() {
        for ctx in contexts() {
            for (a_len, b_len) in [(0, 0), (1, 0), (0, 33), (100, 100), (5000, 3), (40_000, 33_000)] {
                let sorted = |len| {
                    let mut sorted = values::<T>(len);
                    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
                    sorted
                };
                let (a, b) = (sorted(a_len), sorted(b_len));
                // Merging, and noting how many of `a` came so far.
                let mut taken = vec![0u64];
                let (mut i, mut j) = (0, 0);
                while i < a.len() || j < b.len() {
                    if j == b.len() || i < a.len() && a[i] <= b[j] {
                        i += 1;
                    } else {
                        j += 1;
                    }
                    taken.push(i as u64);
                }
                let [a, b] = [&a, &b].map(|list| DeviceUVec::from_slice(list, &ctx).unwrap());
                for tile in [1, 7, 1000, usize::MAX] {
                    let ends = (0..taken.len().div_ceil(tile).max(1)).map(|k| k * tile);
                    let mut expected: Vec<u64> = ends.map(|end| taken[end.min(taken.len() - 1)]).collect();
                    expected.resize((a_len + b_len).div_ceil(tile) + 1, a_len as u64);
                    same(merge_path(&a.span(), &b.span(), tile, &ctx).unwrap(), &expected, &ctx);
                }
            }
        }
    }
    for_types!(check: u8, i32, f64);
}

#[test]
fn wrong_arguments_are_errors() {
    for ctx in contexts() {
        let three = DeviceUVec::from_slice(&[1i32, 2, 3], &ctx).unwrap();
        let flags = DeviceUVec::from_slice(&[1u8, 0], &ctx).unwrap();
        let error = compact(&three.span(), &flags.span(), &ctx).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Logic, "3 values and 2 `flags`"));
        let error = merge_path(&three.span(), &three.span(), 0, &ctx).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        // Memory of another device.
        let elsewhere = if ctx.is_on_gpu() { Device::Cpu } else { Device::EMULATOR };
        let elsewhere = DeviceUVec::from_slice(&[1i32], &Context::on(elsewhere).unwrap()).unwrap();
        assert!(reduce(&elsewhere.span(), Reduction::Sum, &ctx).is_err());
    }
}

#[test]
fn cancelled_work_stops() {
    let ctx = Context::on(Device::Cpu).unwrap().with_cancel(CancelToken::default());
    let many = fill(1i64, 1_000_000, &ctx).unwrap();
    ctx.cancel_token().cancel();
    let kind = |result: Result<DeviceUVec<i64>>| result.unwrap_err().kind();
    assert_eq!(kind(scan(&many.span(), Reduction::Sum, ScanKind::Inclusive, &ctx)), ErrorKind::Interrupted);
    assert_eq!(kind(fill(1, 1_000_000, &ctx)), ErrorKind::Interrupted);
}

/// Work on several streams of one device stays in order, and so do results.
#[test]
fn streams_wait_for_each_other() {
    fn debug<T: Debug>(value: T) -> String {
        format!("{value:?}")
    }
    for ctx in contexts() {
        let device = ctx.stream().device();
        let other = Context::new(crate::Stream::new(device).unwrap(), ctx.resource().clone());
        for round in 0..20 {
            let ones = fill(round, 1 << 16, &ctx).unwrap();
            let sums = scan(&ones.span(), Reduction::Sum, ScanKind::Inclusive, &other).unwrap();
            drop(ones);
            let last = sums.span().slice((1 << 16) - 1..1 << 16).unwrap().to_vec().unwrap();
            assert_eq!(debug(last), debug([round << 16]), "{device}");
        }
    }
}

/// The state that a tile publishes in two words counts only where both are of one writing. No schedule of the
/// emulator comes in between, so the words are made by hand.
#[test]
fn torn_words_of_a_look_back_count_as_nothing() {
    const TEXT: &str = r#"
#include "cuprum/look_back.cuh"
template <typename T>
__global__ void read_tiles(const u64* words, u32* status, T* values) {
    const Published<T> found = published<T>(words, threadIdx.x);
    status[threadIdx.x] = found.status;
    values[threadIdx.x] = found.status == TILE_EMPTY ? T(0) : found.value;
}
"#;
    let word = |status: u64, half: u64| status << 32 | half;
    let (empty, aggregate, prefix) = (0, 1, 2);
    let words = [
        [word(aggregate, 5), word(aggregate, 7)],
        [word(prefix, 5), word(prefix, 7)],
        [word(prefix, 5), word(aggregate, 7)],
        [word(aggregate, 5), word(prefix, 7)],
        [word(aggregate, 5), word(empty, 0)],
        [word(empty, 0), word(aggregate, 7)],
    ];
    let parameters = vec![Parameter::Read("u64"), Parameter::Write("u32"), Parameter::Write("i64")];
    let source = Arc::new(Source::generated("read_tiles.cu", TEXT));
    let kernel = GeneratedKernel::new(source, "read_tiles", &["i64"], parameters);
    for ctx in contexts().filter(Context::is_on_gpu) {
        let words = DeviceUVec::from_slice(words.as_flattened(), &ctx).unwrap();
        let mut status = DeviceUVec::<u32>::zeroed(6, &ctx).unwrap();
        let mut values = DeviceUVec::<i64>::zeroed(6, &ctx).unwrap();
        // SAFETY: two words, a status and a value for each of six threads.
        let launched = unsafe {
            kernel.launch(&ctx, Grid::of(1, 6), |arguments| {
                arguments.add::<In<u64>>(&words).add::<Out<u32>>(&mut status).add::<Out<i64>>(&mut values);
            })
        };
        launched.unwrap();
        assert_eq!(status.to_vec().unwrap(), [1, 2, 0, 0, 0, 0]);
        assert_eq!(values.to_vec().unwrap(), [7 << 32 | 5, 7 << 32 | 5, 0, 0, 0, 0]);
    }
}
