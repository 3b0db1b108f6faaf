//! Compiling kernels for the emulator.

use super::Image;
use crate::error::{Error, Result};

/// A shared object with the kernels that `instantiations` name.
pub(crate) fn compile(
    name: &str,
    _text: &str,
    _headers: &[(&str, &str)],
    _options: &[String],
    _instantiations: &[String],
) -> Result<Image> {
    Err(Error::unsupported(format!("{name}: the emulator does not run kernels yet")))
}

/// The compiler's version, part of the cache's key.
pub(crate) fn version() -> Result<String> {
    Err(Error::unsupported("the emulator does not run kernels yet"))
}
