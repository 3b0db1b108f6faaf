//! Options for exponential weights.

use cuprum_column::{Column, Error, Result};
use cuprum_runtime::backend::on_no_device;

/// The weights of values in [`mean`](super::mean).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EwmOptions {
    /// A value has `center_of_mass / (1 + center_of_mass)` of the weight of the next one.
    pub center_of_mass: f64,
    /// Weights begin with the first value; else it stands for all values before it.
    pub adjust: bool,
    /// Weights fade from value to value, else from row to row.
    pub ignore_missing: bool,
    /// Results of fewer values are null; 0 is as 1.
    pub min_periods: usize,
}

impl Default for EwmOptions {
    fn default() -> Self {
        Self { center_of_mass: 0.0, adjust: true, ignore_missing: false, min_periods: 0 }
    }
}

on_no_device!(EwmOptions);

impl EwmOptions {
    /// The share of a new value.
    pub(super) fn alpha(&self) -> f64 {
        1.0 / (1.0 + self.center_of_mass)
    }

    pub(super) fn check(&self, name: &str, column: &Column) -> Result<()> {
        if !column.data_type().is_numeric() {
            return Err(Error::data_type(format!("`{name}` is {}, not numbers", column.data_type())));
        }
        let mass = self.center_of_mass;
        if !(mass >= 0.0 && mass.is_finite()) {
            return Err(Error::invalid_argument(format!(
                "`center_of_mass` is {mass}, not a number from 0 on"
            )));
        }
        Ok(())
    }
}
