//! Quantiles of a series.

use cuprum_column::{Column, DataType, Error, Result};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::quantiles::{Interpolation, quantile, ticks_between};
use cuprum_compute::sorting::Order;
use cuprum_compute::unary;

use crate::frame::Frame;
use crate::index::Index;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

impl Series {
    /// The values at shares `q` of the sorted elements that are not missing, one row per `q`, labelled
    /// by it. `interpolation` says what lies between two elements; choosing one of them keeps the type.
    pub fn quantile(&self, q: &[f64], interpolation: Interpolation) -> Result<Self> {
        let ctx = self.context()?;
        if let Some(bad) = q.iter().find(|q| !(0.0..=1.0).contains(*q)) {
            return Err(Error::invalid_argument(format!("`q` is {bad}; quantiles lie between 0 and 1")));
        }
        if let Dtype::Datetime(kind) = self.dtype()
            && kind.zone.is_some()
        {
            let clocks = self.with_column(self.data()?.clone()).quantile(q, interpolation)?;
            let instants = TypedColumn::new(self.dtype().clone(), clocks.data()?.clone())?;
            return Ok(clocks.with_column(instants));
        }
        let values = self.column().values("quantile")?;
        if matches!(self.dtype(), Dtype::Bool(_)) {
            return self.dtype().refuse("quantile");
        }
        let chooses = !matches!(interpolation, Interpolation::Linear | Interpolation::Midpoint);
        let column = if chooses && !self.dtype().storage().is_float() {
            self.elements_at_quantiles(q, interpolation)?
        } else if self.dtype().storage().is_chrono() {
            self.times_at_quantiles(q, interpolation)?
        } else {
            quantile(values, q, interpolation, &ctx)?
        };
        Self::new(column, self.name().cloned(), Index::from_column(Column::from_slice(q, &ctx)?, None))
    }

    /// Quantiles between two times, in whole ticks.
    fn times_at_quantiles(&self, q: &[f64], interpolation: Interpolation) -> Result<Column> {
        let ctx = self.context()?;
        let lower = self.elements_at_quantiles(q, Interpolation::Lower)?;
        let higher = self.elements_at_quantiles(q, Interpolation::Higher)?;
        let last = self.len().saturating_sub(self.data()?.null_count()? + 1) as f64;
        let ticks = |column: &Column| unary::cast(column, DataType::Int64, &ctx);
        let (lower, higher) = (ticks(&lower)?, ticks(&higher)?);
        let times = q
            .iter()
            .enumerate()
            .map(|(i, q)| {
                let share = match interpolation {
                    Interpolation::Midpoint => 0.5,
                    _ => (q * last).fract(),
                };
                let (low, high) = (lower.get(i)?.as_i64(), higher.get(i)?.as_i64());
                let between = |(low, high): (i64, i64)| ticks_between(low.into(), high.into(), share) as i64;
                Ok(low.zip(high).map(between))
            })
            .collect::<Result<Vec<_>>>()?;
        unary::cast(&Column::from_options(&times, &ctx)?, self.dtype().storage(), &ctx)
    }

    /// Quantiles that are elements, of types that `f64` does not hold exactly.
    fn elements_at_quantiles(&self, q: &[f64], interpolation: Interpolation) -> Result<Column> {
        let sorted = self.dropna()?.sort_values(Order::Ascending)?;
        let last = sorted.len() as f64 - 1.0;
        let rows: Vec<i64> = q
            .iter()
            .map(|q| match interpolation {
                Interpolation::Lower => (q * last).floor(),
                Interpolation::Higher => (q * last).ceil(),
                _ => (q * last).round_ties_even(),
            } as i64)
            .collect();
        // No elements: row −1, which is null.
        let ctx = self.context()?;
        let rows = Column::from_slice(&rows, &ctx)?;
        copying::gather_column(sorted.data()?, &rows, OutOfBoundsPolicy::Nullify, &ctx)
    }
}
