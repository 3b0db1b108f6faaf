//! Joins of rows in an order: `merge_ordered` and `merge_asof`.

use cuprum::Frame;
use cuprum::reshape::merge::{How, On};
use cuprum::reshape::merge_asof::{AsofDirection, AsofKey, MergeAsofOptions};
use cuprum::reshape::merge_ordered::{MergeOrderedOptions, MergedGroups};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::dataframe::PyDataFrame;
use super::{label, work};
use crate::scalar;

type Suffixes = (Option<String>, Option<String>);

#[pymethods]
impl PyDataFrame {
    /// Rows paired by equal keys, in their order. Keys are pairs of labels, or None for the columns of both sides;
    /// `groups` are those of the left side, or of the right, by some columns.
    #[allow(clippy::too_many_arguments)]
    fn merge_ordered(
        &self,
        py: Python<'_>,
        right: PyRef<'_, Self>,
        how: &str,
        on: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        groups: Option<(bool, Bound<'_, PyAny>)>,
        fill_forward: bool,
        suffixes: Suffixes,
    ) -> PyResult<Self> {
        let how = match how {
            "inner" => How::Inner,
            "left" => How::Left,
            "right" => How::Right,
            "outer" => How::Outer,
            other => {
                return Err(PyValueError::new_err(format!(
                    "`how` is '{other}'; it is 'outer', 'inner', 'left' or 'right'"
                )));
            }
        };
        let on = on.map(|(left, right)| {
            let (left, right) = (label::list_from_py(&left)?, label::list_from_py(&right)?);
            Ok::<_, PyErr>(if left == right { On::Columns(left) } else { On::Pairs(left, right) })
        });
        let groups = groups.map(|(of_left, labels)| {
            let labels = label::list_from_py(&labels)?;
            Ok::<_, PyErr>(if of_left { MergedGroups::Left(labels) } else { MergedGroups::Right(labels) })
        });
        let options = MergeOrderedOptions {
            how,
            on: on.transpose()?,
            groups: groups.transpose()?,
            fill_forward,
            suffixes,
        };
        let (left, right) = (self.frame()?, right.frame()?);
        let rows = self.frame()?.num_rows().max(right.num_rows());
        work(py, "merge_ordered", rows, || left.merge_ordered(right, &options)).map(Self::from)
    }

    /// Each row beside that of `right` with the nearest key in a direction. Keys are a pair of labels, None for row labels;
    /// `by` are pairs of columns that have to be equal.
    #[allow(clippy::too_many_arguments)]
    fn merge_asof(
        &self,
        py: Python<'_>,
        right: PyRef<'_, Self>,
        on: (Option<Bound<'_, PyAny>>, Option<Bound<'_, PyAny>>),
        by: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        direction: &str,
        tolerance: Option<&Bound<'_, PyAny>>,
        allow_exact_matches: bool,
        suffixes: Suffixes,
    ) -> PyResult<Self> {
        let direction = match direction {
            "backward" => AsofDirection::Backward,
            "forward" => AsofDirection::Forward,
            "nearest" => AsofDirection::Nearest,
            other => return Err(PyValueError::new_err(format!("direction invalid: {other}"))),
        };
        let key = |on: Option<Bound<'_, PyAny>>| {
            Ok::<_, PyErr>(match on {
                Some(label) => AsofKey::Column(label::from_py(&label)?),
                None => AsofKey::Index,
            })
        };
        let pair = |(left, right): &(Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok::<_, PyErr>((label::from_py(left)?, label::from_py(right)?))
        };
        let limit = |given: &Bound<'_, PyAny>| {
            let refused = |_| {
                PyValueError::new_err(format!(
                    "incompatible tolerance {given}: a number, or a length of time"
                ))
            };
            scalar::from_py(given).map(|literal| literal.scalar).map_err(refused)
        };
        let options = MergeAsofOptions {
            left_on: key(on.0)?,
            right_on: key(on.1)?,
            by: by.iter().map(pair).collect::<PyResult<_>>()?,
            direction,
            tolerance: tolerance.map(limit).transpose()?,
            allow_exact_matches,
            suffixes,
        };
        let (left, right) = (self.frame()?, right.frame()?);
        let rows = self.frame()?.num_rows().max(right.num_rows());
        work(py, "merge_asof", rows, || left.merge_asof(right, &options)).map(Self::from)
    }
}
