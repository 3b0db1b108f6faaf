//! Writing.
use super::*;
pub(super) fn write(
    _: &Table,
    _: &[String],
    _: Option<&Path>,
    _: &WriteOptions,
    _: &Context,
) -> Result<Option<String>> {
    Err(Error::unsupported("writing CSV"))
}
