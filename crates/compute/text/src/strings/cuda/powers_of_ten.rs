//! The powers of ten that floats are read and printed with: `PowersOfTen` in `floats.cu`.

use std::sync::LazyLock;

/// Those of the smallest number with 19 digits that is not 0 as `f64`, and of the largest that digits of one are
/// multiplied with when it is printed.
const FIRST: i32 = -342;
const LAST: i32 = 324;

/// For every power from the first to the last two words, the upper one before the lower one: the first 128 binary
/// digits, ⌊10ⁿ × 2ᵐ⌋ with the m that brings it to at least 2¹²⁷ and less than 2¹²⁸. Since 10ⁿ = 5ⁿ × 2ⁿ, they are
/// those of 5ⁿ.
///
/// Positive powers are multiplied exactly. Negative ones are 2¹⁰²⁴ divided by five again and again: what is rounded down
/// and rounded down once more is the quotient of both divisors rounded down, so all 128 digits are right as long as
/// there are so many (5³⁴² has 795).
pub(super) static POWERS_OF_TEN: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut fraction = [0u32; 33];
    fraction[32] = 1;
    let mut negative: Vec<u128> = (FIRST..0)
        .map(|_| {
            fraction.iter_mut().rev().fold(0u64, |rest, word| {
                let value = rest << 32 | u64::from(*word);
                *word = (value / 5) as u32;
                value % 5
            });
            first_digits(&fraction)
        })
        .collect();
    negative.reverse();
    let mut whole = [0u32; 33];
    whole[0] = 1;
    let positive = (0..=LAST).map(|_| {
        let digits = first_digits(&whole);
        whole.iter_mut().fold(0u64, |carried, word| {
            let value = u64::from(*word) * 5 + carried;
            *word = value as u32;
            value >> 32
        });
        digits
    });
    let all = negative.into_iter().chain(positive);
    all.flat_map(|digits| [(digits >> 64) as u64, digits as u64]).collect()
});

/// The first 128 binary digits of a number, whose words begin with the last one.
fn first_digits(words: &[u32]) -> u128 {
    let significant = words.iter().rev().skip_while(|&&word| word == 0);
    // Five words have 128 digits from the first one on.
    let mut five = significant.copied().chain(std::iter::repeat(0));
    let high = u128::from(five.next().unwrap_or(0));
    let middle = five.by_ref().take(3).fold(high, |digits, word| digits << 32 | u128::from(word));
    let zeros = middle.leading_zeros();
    middle << zeros | u128::from(five.next().unwrap_or(0)) >> (32 - zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(n: i32) -> u128 {
        let at = 2 * (n - FIRST) as usize;
        u128::from(POWERS_OF_TEN[at]) << 64 | u128::from(POWERS_OF_TEN[at + 1])
    }

    #[test]
    fn powers_are_known_ones() {
        assert_eq!(POWERS_OF_TEN.len(), 2 * (LAST - FIRST + 1) as usize);
        assert_eq!(power(0), 1 << 127);
        for n in 0..=55 {
            let five = 5u128.pow(n as u32);
            assert_eq!(power(n), five << five.leading_zeros(), "{n}");
        }
        assert_eq!(power(-342), 0xeef453d6923bd65a113faa2906a13b3f);
        assert_eq!(power(-27), 0x9e74d1b791e07e48775ea264cf55347d);
        assert_eq!(power(-1), 0xcccccccccccccccccccccccccccccccc);
        assert_eq!(power(56), 0x82818f1281ed449fbff8f10e7a8921a4);
        assert_eq!(power(308), 0x8e679c2f5e44ff8f570f09eaa7ea7648);
        assert_eq!(power(324), 0x9e19db92b4e31ba96c07a2c26a8346d1);
        // Each is five quarters or five eighths of the one before, and none is so large that one more is too much.
        for n in FIRST..LAST {
            let (eighths, next) = (power(n) / 8 * 5, power(n + 1));
            let products = [eighths, eighths.saturating_mul(2)];
            assert!(products.iter().any(|product| product.abs_diff(next) <= 16), "{n}");
            assert!(next >> 127 == 1 && next != u128::MAX, "{n}");
        }
    }
}
