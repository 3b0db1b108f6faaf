//! One body for every device, against a plain `Vec<bool>`.

use super::super::tests::{contexts, same};
use super::mask::padded_words;
use super::*;
use crate::random::Random;
use crate::{ErrorKind, HostUVec};

/// Bits of which `share` of 16 are ones.
fn random_bits(len: usize, share: u64) -> Vec<bool> {
    let mut random = Random(len as u64 + share);
    (0..len).map(|_| random.next() >> 60 < share).collect()
}

/// The words of a mask with these bits, padded to 64 bytes.
fn words(bits: &[bool]) -> Vec<u32> {
    let mut words = vec![0; padded_words(bits.len())];
    for (i, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
        words[i / 32] |= 1 << (i % 32);
    }
    words
}

fn ones(bits: &[bool]) -> u64 {
    bits.iter().filter(|bit| **bit).count() as u64
}

/// Lengths around words, blocks of threads and blocks of the CPU, with the offsets to try.
fn cases() -> impl Iterator<Item = (usize, Vec<usize>)> {
    let every = [0, 1, 31, 32, 33, 63, 64, 65, 200].map(|len| (len, (0..64).collect()));
    let some = [511, 512, 513, 8191, 8193, 32_769, 70_000, 131_071, 131_200, 300_000]
        .map(|len| (len, vec![0, 7, 32, 61]));
    every.into_iter().chain(some)
}

fn check_mask((got, count): (DeviceUVec<u32>, DeviceScalar<u64>), expected: &[bool], ctx: &Context) {
    same(got, &words(expected), ctx);
    assert_eq!(count.value().unwrap(), ones(expected));
}

#[test]
fn masks_combine_at_every_offset() {
    for ctx in contexts() {
        for (len, offsets) in cases() {
            let bits: Vec<Vec<bool>> = [13, 11, 3].map(|share| random_bits(len + 130, share)).to_vec();
            let there: Vec<_> =
                bits.iter().map(|bits| DeviceUVec::from_slice(&words(bits), &ctx).unwrap()).collect();
            for offset in offsets {
                // Each mask begins elsewhere, and so does the result.
                let starts = [offset, offset * 7 % 65, 64 - offset];
                let masks: Vec<_> =
                    (0..3).map(|m| Bits::new(there[m].span(), starts[m], len).unwrap()).collect();
                let model = |masks: usize, start: usize, is_and: bool| -> Vec<bool> {
                    let bit = |i: usize| {
                        let mut bits = (0..masks).map(|m| bits[m][starts[m] + i]);
                        if is_and { bits.all(|bit| bit) } else { bits.any(|bit| bit) }
                    };
                    (0..start + len).map(|i| i >= start && bit(i - start)).collect()
                };
                let start = [0, offset, 64 + offset, 600 + offset][offset % 4];
                for n in 1..=3 {
                    let both = bitmask(&masks[..n], BitwiseOperator::And, start, &ctx).unwrap();
                    check_mask(both, &model(n, start, true), &ctx);
                }
                let any = bitmask(&masks, BitwiseOperator::Or, start, &ctx).unwrap();
                check_mask(any, &model(3, start, false), &ctx);
                let copied = copy_bits(&masks[0], start, &ctx).unwrap();
                same(copied, &words(&model(1, start, true)), &ctx);
            }
        }
    }
}

/// More than one launch takes.
#[test]
fn many_masks_combine() {
    for ctx in contexts() {
        let len = 1000;
        for n in [7, 8, 9, 15, 16, 40] {
            let bits: Vec<_> = (0..n).map(|m| random_bits(len + m, 15)).collect();
            let there: Vec<_> =
                bits.iter().map(|bits| DeviceUVec::from_slice(&words(bits), &ctx).unwrap()).collect();
            let masks: Vec<_> =
                there.iter().enumerate().map(|(m, words)| Bits::new(words.span(), m, len).unwrap()).collect();
            let all: Vec<bool> = (0..len).map(|i| (0..n).all(|m| bits[m][m + i])).collect();
            check_mask(bitmask(&masks, BitwiseOperator::And, 0, &ctx).unwrap(), &all, &ctx);
            let any: Vec<bool> = (0..len).map(|i| (0..n).any(|m| bits[m][m + i])).collect();
            check_mask(bitmask(&masks, BitwiseOperator::Or, 0, &ctx).unwrap(), &any, &ctx);
        }
    }
}

#[test]
fn ones_are_counted_and_found_at_every_offset() {
    for ctx in contexts() {
        for (len, offsets) in cases() {
            for share in [0, 1, 8, 16] {
                let bits = random_bits(len + 64, share);
                let there = DeviceUVec::from_slice(&words(&bits), &ctx).unwrap();
                for &offset in &offsets {
                    let own = &bits[offset..offset + len];
                    let mask = Bits::new(there.span(), offset, len).unwrap();
                    assert_eq!(count_bits(&mask, &ctx).unwrap().value().unwrap(), ones(own));
                    let first = own.iter().position(|bit| *bit).unwrap_or(len);
                    assert_eq!(first_set_bit(&mask, &ctx).unwrap().value().unwrap(), first as u64);
                    let ranges = [0..len, 0..0, len..len, len / 3..len / 2, len / 2..len, 0..len.min(1)];
                    let expected = ranges.clone().map(|range| ones(&own[range]));
                    same(segmented_count_bits(&mask, &ranges, &ctx).unwrap(), &expected, &ctx);
                }
            }
        }
        // The only one is the last of many.
        let mut bits = vec![false; 300_000];
        bits[299_999] = true;
        let there = DeviceUVec::from_slice(&words(&bits), &ctx).unwrap();
        let mask = Bits::new(there.span(), 17, 299_983).unwrap();
        assert_eq!(first_set_bit(&mask, &ctx).unwrap().value().unwrap(), 299_982);
        let none = mask.slice(0..299_982).unwrap();
        assert_eq!(first_set_bit(&none, &ctx).unwrap().value().unwrap(), 299_982);
    }
}

#[test]
fn ranges_are_set() {
    for ctx in contexts() {
        let bits = random_bits(40_000, 8);
        for (begin, end) in
            (0..65).map(|i| (i, 3 * i)).chain([(0, 40_000), (33, 39_999), (100, 100), (500, 20_001)])
        {
            for value in [true, false] {
                let mut there = DeviceUVec::from_slice(&words(&bits), &ctx).unwrap();
                set_bits(&mut there.span_mut(), begin..end, value, &ctx).unwrap();
                let mut expected = bits.clone();
                expected[begin..end].fill(value);
                same(there, &words(&expected), &ctx);
            }
        }
    }
}

#[test]
fn bytes_become_bits_and_bits_bytes() {
    for ctx in contexts() {
        for (len, offsets) in cases() {
            let mut random = Random(len as u64);
            let bytes: Vec<u8> =
                (0..len + 64).map(|_| if random.below(2) == 0 { 0 } else { random.next() as u8 }).collect();
            let bits: Vec<bool> = bytes.iter().map(|byte| *byte != 0).collect();
            let there = DeviceUVec::from_slice(&bytes, &ctx).unwrap();
            let packed = DeviceUVec::from_slice(&words(&bits), &ctx).unwrap();
            for offset in offsets {
                let own = &bits[offset..offset + len];
                let span = there.span().slice(offset..offset + len).unwrap();
                check_mask(pack_bits(&span, &ctx).unwrap(), own, &ctx);
                let mask = Bits::new(packed.span(), offset, len).unwrap();
                let expected: Vec<u8> = own.iter().map(|&bit| u8::from(bit)).collect();
                same(unpack_bits(&mask, &ctx).unwrap(), &expected, &ctx);
            }
        }
    }
}

/// A mask of another library may begin at any byte of host memory, and end at any.
#[test]
fn host_masks_are_any_bytes() {
    let ctx = Context::current();
    let bits = random_bits(1000, 8);
    let bytes: Vec<u8> = words(&bits).iter().flat_map(|word| word.to_le_bytes()).take(125).collect();
    let whole = HostUVec::from_slice(&bytes, &ctx).unwrap().into_buffer();
    for first in 0..9 {
        let mask = whole.slice(first, 125 - first).unwrap();
        let mask = Bits::of(&mask, 3, 1000 - 8 * first - 3).unwrap();
        let own = &bits[8 * first + 3..];
        check_mask(bitmask(std::slice::from_ref(&mask), BitwiseOperator::Or, 0, &ctx).unwrap(), own, &ctx);
        assert_eq!(count_bits(&mask, &ctx).unwrap().value().unwrap(), ones(own));
    }
}

#[test]
fn wrong_arguments_are_errors() {
    for ctx in contexts() {
        let mut words = DeviceUVec::from_slice(&[0u32, 0], &ctx).unwrap();
        for (offset, len) in [(0, 65), (64, 1), (usize::MAX, 2)] {
            let error = Bits::new(words.span(), offset, len).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::OutOfRange);
            assert!(error.message().contains(&offset.to_string()), "{error}");
        }
        let same = words.copy(&ctx).unwrap();
        let two = [1, 2].map(|len| Bits::new(same.span(), 0, len).unwrap());
        let kind = |result: Result<(DeviceUVec<u32>, DeviceScalar<u64>)>| result.unwrap_err().kind();
        assert_eq!(kind(bitmask(&two, BitwiseOperator::Or, 0, &ctx)), ErrorKind::Logic);
        assert_eq!(kind(bitmask(&[], BitwiseOperator::Or, 0, &ctx)), ErrorKind::Logic);
        let error = segmented_count_bits(&two[1], &[0..1, 1..3], &ctx).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::OutOfRange, "bits 1..3 of 2"));
        let error = set_bits(&mut words.span_mut(), 60..65, true, &ctx).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::OutOfRange, "bits 60..65 of 64"));
    }
}

/// Outputs of the host that are too large for a core's caches.
#[test]
fn large_outputs() {
    let ctx = Context::current();
    let len = 70 << 20;
    let mut words = DeviceUVec::from_slice(&vec![0u32; len / 32], &ctx).unwrap();
    set_bits(&mut words.span_mut(), 5..len - 3, true, &ctx).unwrap();
    let there = Bits::new(words.span(), 3, len - 3).unwrap();
    assert_eq!(count_bits(&there, &ctx).unwrap().value().unwrap(), len as u64 - 8);
    let (copy, ones) = bitmask(std::slice::from_ref(&there), BitwiseOperator::Or, 0, &ctx).unwrap();
    assert_eq!(ones.value().unwrap(), len as u64 - 8);
    let copy = Bits::new(copy.span(), 0, 9 << 20).unwrap();
    let bools = unpack_bits(&copy, &ctx).unwrap().to_vec().unwrap();
    assert!(bools.iter().enumerate().all(|(i, &byte)| byte == u8::from(i >= 2)));
}
