//! `Expr::dt` and `Expr::td`: functions of times and of lengths of time.

use cuprum_compute::datetime::{Ambiguous, DatetimeComponent, Nonexistent, RoundingFrequency};

use super::function::expression_methods;
use super::{Expr, Function};
use crate::accessors::TimedeltaComponent;
use crate::accessors::datetime_functions::{Rounding, TimeFunction, time_functions};
use crate::accessors::timedelta_functions::{TimedeltaFunction, timedelta_functions};

/// Functions of times: what [`Expr::dt`] gives. They are those of
/// [`DatetimeProperties`](crate::accessors::DatetimeProperties); missing times stay missing.
///
/// Evaluating one fails with [`DataType`](cuprum_column::ErrorKind::DataType) for values that are no times.
#[derive(Clone, Debug)]
pub struct TimeExpr(Expr);

/// Functions of lengths of time: what [`Expr::td`] gives. They are those of
/// [`TimedeltaProperties`](crate::accessors::TimedeltaProperties); missing lengths stay missing.
///
/// Evaluating one fails with [`DataType`](cuprum_column::ErrorKind::DataType) for values that are no lengths of time.
#[derive(Clone, Debug)]
pub struct TimedeltaExpr(Expr);

impl Expr {
    /// Functions of times.
    pub fn dt(&self) -> TimeExpr {
        TimeExpr(self.clone())
    }

    /// Functions of lengths of time.
    pub fn td(&self) -> TimedeltaExpr {
        TimedeltaExpr(self.clone())
    }
}

impl TimeExpr {
    fn call(&self, function: TimeFunction) -> Expr {
        self.0.call(Function::Time(function))
    }
}

impl TimedeltaExpr {
    fn call(&self, function: TimedeltaFunction) -> Expr {
        self.0.call(Function::Timedelta(function))
    }
}

time_functions!(expression_methods TimeExpr);
timedelta_functions!(expression_methods TimedeltaExpr);
