//! One body for every device, against the standard library's stable sort.

use super::super::tests::{contexts, same};
use super::*;
use crate::ErrorKind;
use crate::device::Device;
use crate::primitives::Number;
use crate::random::Random;

/// The rows in the order that their keys' bits have.
fn sorted_rows<K: RadixKey>(keys: &[K], bits: &Range<u32>) -> Vec<usize> {
    let field = |key: K| {
        let unused = 64 - bits.len() as u32;
        if unused == 64 { 0 } else { key.into() >> bits.start << unused >> unused }
    };
    let mut rows: Vec<usize> = (0..keys.len()).collect();
    rows.sort_by_key(|&row| field(keys[row]));
    rows
}

/// Sorts keys alone and with payloads of both widths, each behind one element that does not belong to it.
fn check<K: RadixKey>(keys: &[K], bits: Range<u32>, ctx: &Context) {
    fn there<T: Number>(values: &[T], ctx: &Context) -> DeviceUVec<T> {
        DeviceUVec::from_slice(&[&[T::HIGHEST], values].concat(), ctx).unwrap()
    }
    let len = keys.len();
    let rows = sorted_rows(keys, &bits);
    let expected: Vec<K> = rows.iter().map(|&row| keys[row]).collect();
    let narrow: Vec<i32> = (0..len as i32).map(|row| row - 7).collect();
    let wide: Vec<f64> = (0..len).map(|row| row as f64 / 3.0).collect();
    let (keys_there, narrow_there, wide_there) = (there(keys, ctx), there(&narrow, ctx), there(&wide, ctx));
    let span = keys_there.span().slice(1..len + 1).unwrap();
    let narrow_span = narrow_there.span().slice(1..len + 1).unwrap();
    let wide_span = wide_there.span().slice(1..len + 1).unwrap();

    same(sort_keys(&span, bits.clone(), ctx).unwrap(), &expected, ctx);
    let (sorted, payload) = sort_pairs(&span, &narrow_span, bits.clone(), ctx).unwrap();
    same(sorted, &expected, ctx);
    same(payload, &rows.iter().map(|&row| narrow[row]).collect::<Vec<_>>(), ctx);
    let (sorted, payload) = sort_pairs(&span, &wide_span, bits, ctx).unwrap();
    same(sorted, &expected, ctx);
    same(payload, &rows.iter().map(|&row| wide[row]).collect::<Vec<_>>(), ctx);
    same(keys_there.copy(ctx).unwrap(), &[&[K::HIGHEST], keys].concat(), ctx);
}

/// A key of any bits.
trait Sample: RadixKey {
    fn sample(bits: u64) -> Self;
}

macro_rules! samples {
    ($($t:ty),*) => {$(
        impl Sample for $t {
            fn sample(bits: u64) -> Self { bits as Self }
        }
    )*};
}

samples!(u8, u16, u32, u64);

fn random<K: Sample>(len: usize) -> Vec<K> {
    let mut random = Random(len as u64);
    (0..len).map(|_| K::sample(random.next())).collect()
}

/// Around warps, packs and tiles (5120, 6144, 6400 and 8192 elements), and on the CPU around the size of its
/// cache.
fn lengths(ctx: &Context) -> Vec<usize> {
    let mut lengths = vec![
        0, 1, 2, 24, 25, 31, 32, 33, 63, 64, 65, 255, 257, 5119, 5120, 5121, 6143, 6144, 6145, 6399, 6400,
        6401, 8191, 8192, 8193,
    ];
    if !ctx.is_on_gpu() {
        lengths.extend([32_768, 65_535, 65_536, 65_537, 100_003, 300_007]);
    }
    lengths
}

#[test]
fn every_length_width_and_range_of_bits() {
    fn check_all<K: Sample>(ctx: &Context) {
        let width = 8 * size_of::<K>() as u32;
        let partial = [0..0, width..width, 0..1, width - 1..width, 3..width.min(11), width / 2 - 1..width];
        // Lengths and ranges take turns, so that each meets several of the other.
        for (i, len) in lengths(ctx).into_iter().enumerate() {
            check(&random::<K>(len), partial[i % partial.len()].clone(), ctx);
        }
        check(&random::<K>(12_345), 0..width, ctx);
    }
    for ctx in contexts() {
        check_all::<u8>(&ctx);
        check_all::<u16>(&ctx);
        check_all::<u32>(&ctx);
        check_all::<u64>(&ctx);
    }
}

/// Keys that crowd, tie, ascend, or lie far from all others.
#[test]
fn skewed_keys() {
    for ctx in contexts() {
        let len = if ctx.is_on_gpu() { 5000 } else { 300_007 };
        let mut random = Random(1);
        let mut keys = |make: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
            (0..len as u64).map(|row| make(row, random.next())).collect()
        };
        let last = len as u64 - 1;
        for keys in [
            keys(&|_, _| 7),
            keys(&|_, _| u64::MAX),
            keys(&|row, _| row),
            keys(&|row, _| last - row),
            keys(&|row, _| row << 40),
            keys(&|_, random| random % 3),
            keys(&|_, random| [0, 1 << 63, u64::MAX][random as usize % 3]),
            keys(&|row, random| if row == 4321 { 1 << 60 } else { random % 1000 }),
            keys(&|row, _| if row == 4321 { 3 } else { 1 << 60 }),
            keys(&|row, random| if row % 2 == 0 { 0 } else { random }),
            keys(&|_, random| random >> (random % 64)),
            keys(&|_, random| 1 << 50 | (random % 9) << 20),
            keys(&|row, random| if row % 1000 == 0 { random } else { 1 << 63 | (random % 77) }),
        ] {
            check(&keys, 0..64, &ctx);
        }
    }
}

/// Passes over digits that all keys share are left out; whatever remains ends in the result.
#[test]
fn any_number_of_digits_that_differ() {
    let keys = random::<u64>(700);
    for ctx in contexts() {
        for mask in [0, 0xFF, 0xFF << 56, 0xFF_00FF, 0x0F00_F000_0000_0010, 0xFFFF_FF00_0000_FFFF, u64::MAX] {
            let keys: Vec<u64> = keys.iter().map(|key| key & mask | 0x1234_5678_9ABC_DEF0 & !mask).collect();
            check(&keys, 0..64, &ctx);
        }
    }
}

#[test]
fn random_cases() {
    let mut random = Random(42);
    for ctx in contexts() {
        for _ in 0..25 {
            let len = random.below(if ctx.is_on_gpu() { 3000 } else { 200_000 }) as usize;
            let (end, distinct) = (random.below(33) as u32, 1 + random.below(64));
            let bits = random.below(u64::from(end) + 1) as u32..end;
            let keys: Vec<u32> = (0..len).map(|_| (random.next() >> (64 - distinct)) as u32).collect();
            check(&keys, bits, &ctx);
        }
    }
}

#[test]
fn several_launches_make_one_pass() {
    let keys = random::<u16>(20_000);
    let rows: Vec<u64> = (0..20_000).collect();
    for ctx in contexts().filter(Context::is_on_gpu) {
        let there = DeviceUVec::from_slice(&keys, &ctx).unwrap();
        let payload = DeviceUVec::from_slice(&rows, &ctx).unwrap();
        for most in [1, 4096, 10_000, 20_000] {
            let expected = sorted_rows(&keys, &(2..15));
            let (sorted, payload) =
                cuda::sort_in_portions(&there.span(), &payload.span(), 2..15, most, &ctx).unwrap();
            same(sorted, &expected.iter().map(|&row| keys[row]).collect::<Vec<_>>(), &ctx);
            same(payload, &expected.iter().map(|&row| row as u64).collect::<Vec<_>>(), &ctx);
        }
    }
}

/// Bits from inside of keys, and a launch for every tile.
#[test]
fn digits_inside_of_keys_in_many_launches() {
    let keys = random::<u64>(40_000);
    let rows: Vec<u32> = (0..40_000).collect();
    for ctx in contexts().filter(Context::is_on_gpu) {
        let there = DeviceUVec::from_slice(&keys, &ctx).unwrap();
        let payload = DeviceUVec::from_slice(&rows, &ctx).unwrap();
        let expected = sorted_rows(&keys, &(9..20));
        let (_, payload) = cuda::sort_in_portions(&there.span(), &payload.span(), 9..20, 1, &ctx).unwrap();
        same(payload, &expected.iter().map(|&row| row as u32).collect::<Vec<_>>(), &ctx);
    }
}

#[test]
fn wrong_arguments_are_errors() {
    for ctx in contexts() {
        let keys = DeviceUVec::from_slice(&[3u16, 1, 2], &ctx).unwrap();
        let payload = DeviceUVec::from_slice(&[1u32, 2], &ctx).unwrap();
        #[allow(clippy::reversed_empty_ranges)]
        for bits in [0..17, 9..8, 17..17, u32::MAX..u32::MAX] {
            let error = sort_keys(&keys.span(), bits.clone(), &ctx).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            let expected = format!("`bits` are {bits:?}, which is no range of a key's 16 bits");
            assert_eq!(error.message(), expected);
        }
        let error = sort_pairs(&keys.span(), &payload.span(), 0..16, &ctx).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Logic, "3 `keys` and a `payload` of 2"));
        let elsewhere = if ctx.is_on_gpu() { Device::Cpu } else { Device::EMULATOR };
        let elsewhere = DeviceUVec::from_slice(&[1u16], &Context::on(elsewhere).unwrap()).unwrap();
        assert!(sort_keys(&elsewhere.span(), 0..16, &ctx).is_err());
    }
}

#[test]
fn cancelled_sorts_stop() {
    let ctx = Context::on(Device::Cpu).unwrap().with_cancel(crate::CancelToken::default());
    let many = DeviceUVec::from_slice(&random::<u64>(1_000_000), &ctx).unwrap();
    ctx.cancel_token().cancel();
    assert_eq!(sort_keys(&many.span(), 0..64, &ctx).unwrap_err().kind(), ErrorKind::Interrupted);
}
