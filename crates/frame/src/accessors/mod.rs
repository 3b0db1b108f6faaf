//! What a series of one kind can do beyond the rest.

mod datetime;
mod string;

pub use datetime::DatetimeProperties;
pub use string::StringMethods;
