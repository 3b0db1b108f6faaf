//! The functions that rows are hashed by.

/// Hash functions for the partitioning of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashFunction {
    /// The values themselves as 32 bits: integers are cut, floats lose their fraction and stop at the
    /// ends, NaN is 0. Only for numbers and booleans.
    Identity,
    /// [`murmurhash3_x86_32`].
    Murmur3,
}

/// A digest of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestAlgorithm {
    /// RFC 1321.
    Md5,
    /// FIPS 180-4, as all that follow.
    Sha1,
    /// 224 bits.
    Sha224,
    /// 256 bits.
    Sha256,
    /// 384 bits.
    Sha384,
    /// 512 bits.
    Sha512,
}

impl DigestAlgorithm {
    /// The number of hexadecimal digits of a digest.
    pub const fn hex_digits(self) -> usize {
        match self {
            Self::Md5 => 32,
            Self::Sha1 => 40,
            Self::Sha224 => 56,
            Self::Sha256 => 64,
            Self::Sha384 => 96,
            Self::Sha512 => 128,
        }
    }
}
