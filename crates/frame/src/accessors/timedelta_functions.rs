//! [`TimedeltaFunction`]: the functions of lengths of time that `Series::td` and `Expr::td` have.

use std::fmt;

use cuprum_compute::datetime::RoundingFrequency;

use super::datetime_functions::Rounding;
use super::timedelta::TimedeltaComponent;

/// A function of a length of time, missing where that is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TimedeltaFunction {
    Component(TimedeltaComponent),
    TotalSeconds,
    Round(Rounding, RoundingFrequency),
}

/// As a method or property of pandas' `dt`.
impl fmt::Display for TimedeltaFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Component(component) => f.write_str(&format!("{component:?}").to_lowercase()),
            Self::TotalSeconds => f.write_str("total_seconds()"),
            Self::Round(how, frequency) => write!(f, "{}(\"{frequency}\")", how.name()),
        }
    }
}

/// The methods of lengths of time, for `$each` to make methods of: a name, its parameters and the
/// [`TimedeltaFunction`].
macro_rules! timedelta_functions {
    ($each:ident $($of:tt)*) => {
        $each! {
            $($of)*;
            /// A part as an integer: 64 bits for days, else 32.
            component(component: TimedeltaComponent) TimedeltaFunction::Component(component);
            /// The length in seconds as `float64`.
            total_seconds() TimedeltaFunction::TotalSeconds;
            /// Rounded down to a multiple of `frequency`.
            floor(frequency: RoundingFrequency) TimedeltaFunction::Round(Rounding::Floor, frequency);
            /// Rounded up to a multiple of `frequency`.
            ceil(frequency: RoundingFrequency) TimedeltaFunction::Round(Rounding::Ceil, frequency);
            /// Rounded to the nearest multiple of `frequency`, halves to the even one.
            round(frequency: RoundingFrequency) TimedeltaFunction::Round(Rounding::Round, frequency);
        }
    };
}

pub(crate) use timedelta_functions;
