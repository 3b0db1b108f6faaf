//! Rows by the time of day of their labels.

use cuprum::operations::time_of_day::TimeOfDay;
use cuprum_column::Column;
use pyo3::prelude::*;

use super::index::PyIndex;
use super::{names, work};
use crate::column::PyColumn;
use crate::errors::IntoPyResult;

#[pymethods]
impl PyIndex {
    /// The rows at a time of day: microseconds since midnight.
    fn rows_at_time(&self, py: Python<'_>, time: i64) -> PyResult<PyColumn> {
        let time = TimeOfDay::new(time).py()?;
        let rows: Column = work(py, "at_time", self.0.len(), || self.0.rows_at_time(time))?;
        PyColumn::of(&rows.into())
    }

    /// The rows between two times of day; `inclusive` says which of both belong to them.
    fn rows_between_times(
        &self,
        py: Python<'_>,
        start: i64,
        end: i64,
        inclusive: &str,
    ) -> PyResult<PyColumn> {
        let (start, end) = (TimeOfDay::new(start).py()?, TimeOfDay::new(end).py()?);
        let inclusive = names::inclusive(inclusive)?;
        let rows: Column =
            work(py, "between_time", self.0.len(), || self.0.rows_between_times(start, end, inclusive))?;
        PyColumn::of(&rows.into())
    }
}
