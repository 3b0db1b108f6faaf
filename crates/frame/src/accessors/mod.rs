//! Accessors: methods of series of one kind.

mod categorical;
mod datetime;
mod list;
mod string;
mod structs;
mod timedelta;

pub use categorical::CategoricalMethods;
pub use cuprum_compute::datetime::{DatetimeComponent, RoundingFrequency};
pub use datetime::DatetimeProperties;
pub use list::ListMethods;
pub use string::StringMethods;
pub use structs::StructMethods;
pub use timedelta::{TimedeltaComponent, TimedeltaProperties};
