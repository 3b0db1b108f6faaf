//! Accessors: methods of series of one kind.
//!
//! What gives one value for each row is a value itself (`string_functions` and its neighbours), so that expressions have
//! the same methods: one table makes both.

mod categorical;
mod datetime;
pub(crate) mod datetime_functions;
mod list;
mod methods;
mod string;
pub(crate) mod string_functions;
mod structs;
mod timedelta;
pub(crate) mod timedelta_functions;

pub use categorical::CategoricalMethods;
pub use cuprum_compute::datetime::{Ambiguous, DatetimeComponent, Nonexistent, RoundingFrequency};
pub use cuprum_compute::lists::ConcatenateNullPolicy;
pub use cuprum_compute::strings::json_path::JsonPathOptions;
pub use cuprum_compute::strings::strip::Side;
pub use datetime::DatetimeProperties;
pub use list::ListMethods;
pub use string::StringMethods;
pub use structs::StructMethods;
pub use timedelta::{TimedeltaComponent, TimedeltaProperties};
