//! The mixing step of all hash tables of the CPU, and the seed that differs from process to process.

const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The two halves of a 128-bit product, folded: mixes every bit of both factors into the high bits,
/// so that regular keys do not pile up in one part of a table.
#[inline(always)]
pub fn folded_multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A number of the process: keys that are made to have one hash in a process have many in another, so that nobody can
/// send data whose keys all fall into one slot.
///
/// It comes from the address to which the system loaded the library, which Linux chooses at random among 2²⁸; reading
/// it costs no access to memory. Results do not depend on it: tables number keys in the order in which they come.
#[inline(always)]
pub fn seed() -> u64 {
    static ANCHOR: u8 = 0;
    (std::ptr::from_ref(&ANCHOR).addr() as u64).wrapping_mul(SPREAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_products_mix_all_bits() {
        let homes: std::collections::HashSet<u64> =
            (0..1000u64).map(|key| folded_multiply(key << 40 ^ seed(), SPREAD) >> 54).collect();
        assert!(homes.len() > 500, "1000 regular keys fall into {} of 1024 slots", homes.len());
    }
}
