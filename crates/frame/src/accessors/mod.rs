//! What a series of one kind can do beyond the rest.

mod categorical;
mod datetime;
mod list;
mod string;
mod structs;
mod timedelta;

pub use categorical::CategoricalMethods;
pub use datetime::DatetimeProperties;
pub use list::ListMethods;
pub use string::StringMethods;
pub use structs::StructMethods;
pub use timedelta::{TimedeltaComponent, TimedeltaProperties};
