//! Columns of intervals, and values cut into them.

use cuprum::reshape::cut::{BinLabels, Bins, CutOptions, DuplicateEdges, quantile_shares};
use cuprum::types::{self, Closed};
use cuprum::{Dtype, TypedColumn, index};
use pyo3::prelude::*;

use super::label;
use super::series::PySeries;
use crate::column::PyColumn;
use crate::errors::IntoPyResult;
use crate::run::run;

#[pymethods]
impl PyColumn {
    /// A column of intervals between the rows of two columns; missing where both bounds are.
    ///
    /// Parameters
    /// ----------
    /// left : Column
    ///     The lower bounds.
    /// right : Column
    ///     The upper bounds.
    /// closed : ``'left'``, ``'right'``, ``'both'`` or ``'neither'``
    ///     Which bounds are part of the intervals.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The intervals.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a lower bound above the upper one, and for another ``closed``.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> left, right = Column.from_scalars([0, 1]), Column.from_scalars([1, 2])
    /// >>> str(Column.of_intervals(left, right, "right").dtype)
    /// 'interval[int64, right]'
    #[staticmethod]
    fn of_intervals(
        py: Python<'_>,
        left: PyRef<'_, Self>,
        right: PyRef<'_, Self>,
        closed: &str,
    ) -> PyResult<Self> {
        let (left, right) = (left.typed()?.decoded().py()?, right.typed()?.decoded().py()?);
        let closed: Closed = closed.parse().py()?;
        Self::of(&run(py, "intervals", left.len(), move |_| types::intervals(&left, &right, closed))?)
    }

    /// The lower and the upper bounds of intervals.
    fn bounds(&self, py: Python<'_>) -> PyResult<(Self, Self)> {
        let column = self.typed()?;
        let (left, right) = run(py, "bounds", column.len(), move |_| types::bounds(&column))?;
        Ok((Self::of(&left)?, Self::of(&right)?))
    }

    /// Intervals of the same bounds that are closed on another side.
    ///
    /// Parameters
    /// ----------
    /// closed : ``'left'``, ``'right'``, ``'both'`` or ``'neither'``
    ///     Which bounds are part of the intervals.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The intervals; missing ones stay missing.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For another ``closed``.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> one = Column.of_intervals(Column.from_scalars([0]), Column.from_scalars([1]), "right")
    /// >>> str(one.with_closed("left").dtype)
    /// 'interval[int64, left]'
    fn with_closed(&self, closed: &str) -> PyResult<Self> {
        Self::of(&types::with_closed(&self.typed()?, closed.parse().py()?).py()?)
    }

    /// True where a value lies in an interval.
    ///
    /// Parameters
    /// ----------
    /// value : scalar
    ///     The value.
    ///
    /// Returns
    /// -------
    /// Column
    ///     A bool for each interval; False where one is missing.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For a value that is none of the bounds' type.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> two = Column.of_intervals(Column.from_scalars([0, 1]), Column.from_scalars([1, 2]), "right")
    /// >>> two.intervals_contain(1).to_pylist()
    /// [True, False]
    fn intervals_contain(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (column, value) = (self.typed()?, label::from_py(value)?);
        run(py, "contains", column.len(), move |_| types::contain(&column, &value)).map(Self::plain)
    }

    /// True where an interval has points in common with another.
    ///
    /// Parameters
    /// ----------
    /// other : pandas.Interval
    ///     The other interval.
    ///
    /// Returns
    /// -------
    /// Column
    ///     A bool for each interval; False where one is missing.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For what is no interval.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> import pandas
    /// >>> two = Column.of_intervals(Column.from_scalars([0, 1]), Column.from_scalars([1, 2]), "right")
    /// >>> two.intervals_overlap(pandas.Interval(0, 1)).to_pylist()
    /// [True, False]
    fn intervals_overlap(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (column, other) = (self.typed()?, label::from_py(other)?);
        run(py, "overlaps", column.len(), move |_| types::overlap(&column, &other)).map(Self::plain)
    }

    /// Whether two of the intervals have points in common.
    fn intervals_overlap_each_other(&self, py: Python<'_>) -> PyResult<bool> {
        let column = self.typed()?;
        run(py, "is_overlapping", column.len(), move |_| index::is_overlapping(&column))
    }

    /// Whether no two of the intervals have points in common and they ascend or descend.
    fn intervals_are_in_order(&self, py: Python<'_>) -> PyResult<bool> {
        let column = self.typed()?;
        run(py, "is_non_overlapping_monotonic", column.len(), move |_| {
            index::is_non_overlapping_monotonic(&column)
        })
    }
}

#[pymethods]
impl PySeries {
    /// The intervals that values lie in, and the edges; see `cuprum::Series::cut`. `bins` is a number of
    /// intervals, a column of edges or one of intervals; `labels` a column, None for intervals or False for
    /// their numbers.
    #[allow(clippy::too_many_arguments)]
    fn cut(
        &self,
        py: Python<'_>,
        bins: &Bound<'_, PyAny>,
        right: bool,
        labels: &Bound<'_, PyAny>,
        precision: u32,
        include_lowest: bool,
        drop_duplicates: bool,
        ordered: bool,
    ) -> PyResult<(Self, PyColumn)> {
        let labels = Labels::new(labels)?;
        let column =
            bins.cast::<PyColumn>().ok().map(|bins| bins.borrow().typed()?.decoded().py()).transpose()?;
        let count = if column.is_none() { bins.extract::<usize>()? } else { 0 };
        let cut = self.ask(py, "cut", |f| {
            let bins = match &column {
                Some(column) if matches!(column.dtype(), Dtype::Interval(_)) => Bins::Intervals(column),
                Some(column) => Bins::Edges(column),
                None => Bins::Count(count),
            };
            let labels = labels.borrowed();
            let duplicates = duplicate_edges(drop_duplicates);
            f.cut(bins, CutOptions { right, labels, precision, include_lowest, duplicates, ordered })
        })?;
        Ok((Self::from(cut.values), PyColumn::of(&cut.bins)?))
    }

    /// The same at quantiles: at these shares, or at those of so many equal parts.
    fn qcut(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        labels: &Bound<'_, PyAny>,
        precision: u32,
        drop_duplicates: bool,
    ) -> PyResult<(Self, PyColumn)> {
        let labels = Labels::new(labels)?;
        let shares = match q.extract::<usize>() {
            Ok(count) => quantile_shares(count).py()?,
            Err(_) => q.extract()?,
        };
        let cut = self.ask(py, "qcut", |f| {
            let labels = labels.borrowed();
            let duplicates = duplicate_edges(drop_duplicates);
            f.qcut(&shares, CutOptions { labels, precision, duplicates, ..CutOptions::default() })
        })?;
        Ok((Self::from(cut.values), PyColumn::of(&cut.bins)?))
    }
}

/// The labels of intervals: `None`, `False` or a column.
enum Labels {
    Intervals,
    Numbers,
    Given(TypedColumn),
}

impl Labels {
    fn new(labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        match labels.cast::<PyColumn>() {
            Ok(labels) => labels.borrow().typed().map(Self::Given),
            Err(_) if labels.is_none() => Ok(Self::Intervals),
            Err(_) => Ok(Self::Numbers),
        }
    }

    fn borrowed(&self) -> BinLabels<'_> {
        match self {
            Self::Intervals => BinLabels::Intervals,
            Self::Numbers => BinLabels::Numbers,
            Self::Given(labels) => BinLabels::Given(labels),
        }
    }
}

fn duplicate_edges(drop: bool) -> DuplicateEdges {
    if drop { DuplicateEdges::Drop } else { DuplicateEdges::Refuse }
}
