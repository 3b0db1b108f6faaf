//! The types of keys that are sorted by, and of payloads that go with them.

use crate::primitives::number::Number;

/// An unsigned integer to sort by.
pub trait RadixKey: Number<Bits = Self> + Into<u64> {}

impl RadixKey for u8 {}
impl RadixKey for u16 {}
impl RadixKey for u32 {}
impl RadixKey for u64 {}

/// A number of 4 or 8 bytes that goes where its key goes.
pub trait Payload: Number {}

impl Payload for i32 {}
impl Payload for i64 {}
impl Payload for u32 {}
impl Payload for u64 {}
impl Payload for f32 {}
impl Payload for f64 {}
