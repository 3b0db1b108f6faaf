//! [`Key`]: stands for everything that machine code depends on.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

/// 128 bits that stand for everything an image depends on.
///
/// `SipHash` from a crate, not the standard library's, whose algorithm may change with the compiler:
/// keys and checksums are read by other builds. Nobody is kept out by them; who can write to the
/// user's cache folder can run programs as the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(pub(super) [u64; 2]);

impl Key {
    /// The key of a sequence of parts; where one part ends counts.
    pub(super) fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = SipHasher13::new();
        for part in parts {
            hasher.write_u64(part.len() as u64);
            hasher.write(part);
        }
        let hash = hasher.finish128();
        Self([hash.h1, hash.h2])
    }

    pub(super) fn to_bytes(self) -> [u8; 16] {
        (u128::from(self.0[0]) << 64 | u128::from(self.0[1])).to_le_bytes()
    }
}
