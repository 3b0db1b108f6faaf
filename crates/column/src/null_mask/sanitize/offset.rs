//! The integers that offsets are.

use cuprum_runtime::primitives::Number;

use crate::stored::Native;

/// The integers that offsets are.
pub(super) trait Offset: Native + Number {}

impl Offset for i32 {}
impl Offset for i64 {}
