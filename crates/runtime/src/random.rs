//! Reproducible pseudo-random numbers, for samples and for the data of tests and benchmarks.

/// A stream of 64-bit numbers that depends on its seed alone: SplitMix64 (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", 2014). Not for secrets.
///
/// ```
/// use cuprum_runtime::random::Random;
/// let (mut a, mut b) = (Random(7), Random(7));
/// assert_eq!(a.next(), b.next());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    #[allow(clippy::should_implement_trait)] // endless, and called one by one
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}
