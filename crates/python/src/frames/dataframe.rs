//! `_cuprum.DataFrame`: labelled columns over labelled rows.

use cuprum::axis::{CompareOptions, OperatorOptions, UpdateOptions};
use cuprum::column_accessor::ColumnAccessor;
use cuprum::dataframe::Source;
use cuprum::indexing::Iloc;
use cuprum::indexing::assign::Assignment;
use cuprum::indexing::{NamedLevels, Target, cross_section};
use cuprum::operations::describe::DescribeOptions;
use cuprum::plan::{Deferral, LazyFrame};
use cuprum::reshape::concat::{ConcatOptions, Join, Part};
use cuprum::reshape::dummies::DummyOptions;
use cuprum::reshape::merge::{How, MergeOptions, On, Validate};
use cuprum::types::{MissingTruth, operate_instant_as};
use cuprum::{DataFrame, Dtype, Frame, IndexedFrame, Label, TypedColumn, reshape};
use cuprum_runtime::{Detail, Device, Error};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PySlice, PyString, PyTuple};

use super::index::PyIndex;
use super::indexed::indexed_frame_methods;
use super::operands::{self, OperandKey};
use super::plan::{Held, Plan as _};
use super::reshape::part_to_py;
use super::series::PySeries;
use super::{label, layout, names, quick, selection, work, writing};
use crate::column::PyColumn;
use crate::errors::{IntoPyResult, to_py};
use crate::object_store::is_object;
use crate::run::run;
use crate::{arrow, dtype, numpy_scalar, scalar, sequence};

/// Columns under labels, and the labels of their rows. It has attributes for what Python makes of them once.
#[pyclass(module = "cuprum._cuprum", name = "DataFrame", dict)]
pub struct PyDataFrame(pub(super) Held<LazyFrame>);

indexed_frame_methods!(PyDataFrame of DataFrame, LazyFrame);

fn join_kind(outer: bool) -> Join {
    if outer { Join::Outer } else { Join::Inner }
}

/// Handles of frames and series put together; see `cuprum::reshape::concat::concat`.
#[pyfunction]
#[pyo3(signature = (parts, side_by_side, outer, *, ignore_index, keys, names, sort, verify_integrity))]
#[allow(clippy::too_many_arguments)]
pub fn concat<'py>(
    py: Python<'py>,
    parts: Vec<Bound<'py, PyAny>>,
    side_by_side: bool,
    outer: bool,
    ignore_index: bool,
    keys: Option<Bound<'py, PyAny>>,
    names: Option<Bound<'py, PyAny>>,
    sort: bool,
    verify_integrity: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let part = |part: &Bound<'py, PyAny>| -> PyResult<Part> {
        match part.cast::<PyDataFrame>() {
            Ok(frame) => Ok(frame.try_borrow()?.frame()?.clone().into()),
            Err(_) => Ok(part.cast::<PySeries>()?.try_borrow()?.frame()?.clone().into()),
        }
    };
    let parts = parts.iter().map(part).collect::<PyResult<Vec<_>>>()?;
    let options = ConcatOptions {
        side_by_side,
        join: join_kind(outer),
        ignore_index,
        keys: keys.map(|keys| label::list_from_py(&keys)).transpose()?,
        names: names.map(|names| label::names_from_py(&names)).transpose()?,
        sort,
        verify_integrity,
    };
    let rows = parts.iter().map(Part::num_rows).sum();
    part_to_py(py, work(py, "concat", rows, || reshape::concat::concat(parts, &options))?)
}

/// The columns of all frames side by side.
#[pyfunction]
pub fn concat_side_by_side(
    py: Python<'_>,
    frames: Vec<PyRef<'_, PyDataFrame>>,
    outer: bool,
) -> PyResult<PyDataFrame> {
    let frames = frames.iter().map(|f| f.frame().cloned()).collect::<PyResult<Vec<_>>>()?;
    let rows = frames.iter().map(Frame::num_rows).sum();
    work(py, "concat", rows, || {
        reshape::concat::concat_side_by_side(&frames.iter().collect::<Vec<_>>(), join_kind(outer))
    })
    .map(PyDataFrame::from)
}

/// Whether each of two frames has each of some columns.
type Sides = Vec<(bool, bool)>;

/// See [`PyDataFrame::plain_rows`].
type PlainRows<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Vec<Bound<'py, PyList>>);

impl PyDataFrame {
    /// The plan of the frame, or one that begins with it; `None` where nothing is planned.
    fn as_plan(&self, py: Python<'_>) -> PyResult<Option<LazyFrame>> {
        if let Some(plan) = self.0.plan() {
            return Ok(Some(plan.clone()));
        }
        let frame = self.frame()?;
        work(py, "merge", 0, || LazyFrame::of(frame))
    }

    /// About how many rows there are.
    fn estimated_rows(&self) -> usize {
        self.0.plan().map_or_else(|| self.0.schema().num_rows(), LazyFrame::estimated_rows)
    }

    /// The columns that `f` leaves of the frame, or of its plan.
    fn selected(&self, f: impl Fn(&DataFrame) -> cuprum::Result<DataFrame>) -> PyResult<Self> {
        if let Some(plan) = self.0.try_plan(|own| own.select(&f))? {
            return Ok(plan.into());
        }
        f(self.frame()?).py().map(Self::from)
    }
}

#[pymethods]
impl PyDataFrame {
    #[new]
    #[pyo3(signature = (labels, columns, index=None))]
    fn new(
        labels: &Bound<'_, PyAny>,
        columns: Vec<PyRef<'_, PyColumn>>,
        index: Option<PyRef<'_, PyIndex>>,
    ) -> PyResult<Self> {
        let labels = label::list_from_py(labels)?;
        let columns = columns.iter().map(|c| c.typed()).collect::<PyResult<Vec<_>>>()?;
        match index {
            Some(index) => DataFrame::from_parts(labels, columns, index.0.clone()).py().map(Self::from),
            None => DataFrame::new(labels.into_iter().zip(columns)).py().map(Self::from),
        }
    }

    // Selection and assignment.

    /// The selection of a key by label; see `selection::selected_to_py`.
    fn loc<'py>(slf: &Bound<'py, Self>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.try_borrow()?);
        if let Some(plan) = this.0.plan()
            && let Some(found) = selection::planned(plan, key)?
        {
            return Ok(found);
        }
        let (key, frame) = (selection::loc_key(key)?, this.frame()?);
        let found = super::work_beside(py, "loc", frame, || frame.loc(key))?;
        selection::selected_to_py(py, found, Some(slf))
    }

    /// The selection of a key by position; see `selection::selected_to_py`.
    fn select_at<'py>(slf: &Bound<'py, Self>, key: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, key, this) = (slf.py(), selection::iloc_key(key)?, slf.try_borrow()?);
        let frame = this.frame()?;
        let (Iloc::Rows(rows) | Iloc::Both(rows, _)) = &key;
        let rows = selection::rows_read(rows, frame.num_rows());
        let found = super::work_with(py, "iloc", rows, frame.context().py()?, || frame.iloc(key))?;
        selection::selected_to_py(py, found, Some(slf))
    }

    /// Sets the elements that a key names by label; see `writing::assign`.
    fn set_loc(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        linked: Vec<Bound<'_, Self>>,
    ) -> PyResult<Option<(Vec<Self>, bool)>> {
        let key = selection::loc_key(key)?;
        writing::assign(slf, value, &linked, |f| Target::of_frame(f, &key), DataFrame::with_added)
    }

    /// Sets the elements that a key names by position; see `writing::assign`.
    fn set_iloc(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        linked: Vec<Bound<'_, Self>>,
    ) -> PyResult<Option<(Vec<Self>, bool)>> {
        let key = selection::iloc_key(key)?;
        writing::assign(slf, value, &linked, |f| Target::at(f, &key), DataFrame::with_added)
    }

    /// The number of columns that a key of `loc` names, or one of `iloc`.
    fn width(&self, py: Python<'_>, key: &Bound<'_, PyAny>, by_label: bool) -> PyResult<usize> {
        let width = |target: cuprum::Result<Target>| target.map(|target| target.num_columns());
        let frame = self.frame()?;
        if by_label {
            let key = selection::loc_key(key)?;
            run(py, "loc", frame.num_rows(), |_| width(Target::of_frame(frame, &key)))
        } else {
            let key = selection::iloc_key(key)?;
            run(py, "iloc", frame.num_rows(), |_| width(Target::at(frame, &key)))
        }
    }

    /// A frame of columns, series matched by label, and in tuples of one: a series of a mapping, or a column
    /// whose one element is repeated. See `cuprum::DataFrame::from_sources`.
    #[staticmethod]
    #[pyo3(signature = (labels, sources, index=None))]
    fn from_sources(
        py: Python<'_>,
        labels: &Bound<'_, PyAny>,
        sources: Vec<Bound<'_, PyAny>>,
        index: Option<PyRef<'_, PyIndex>>,
    ) -> PyResult<Self> {
        let source = |source: Bound<'_, PyAny>| -> PyResult<Source> {
            let (inner, alone) = match source.cast::<PyTuple>() {
                Ok(tuple) => (tuple.get_item(0)?, true),
                Err(_) => (source, false),
            };
            if let Ok(column) = inner.cast::<PyColumn>() {
                let column = column.borrow().typed()?;
                return Ok(if alone { Source::One(column) } else { Source::Column(column) });
            }
            let series = inner.cast::<PySeries>()?.try_borrow()?.frame()?.clone();
            Ok(if alone { Source::Mapping(series) } else { Source::Series(series) })
        };
        let sources = sources.into_iter().map(source).collect::<PyResult<Vec<_>>>()?;
        let columns: Vec<_> = label::list_from_py(labels)?.into_iter().zip(sources).collect();
        let index = index.map(|index| index.0.clone());
        let rows = index.as_ref().map_or(0, cuprum::Index::len);
        work(py, "DataFrame", rows, || DataFrame::from_sources(columns, index)).map(Self::from)
    }

    /// A frame with the labels ``0, 1, …`` of a column that has its columns end to end.
    #[staticmethod]
    fn from_stacked(
        py: Python<'_>,
        column: PyRef<'_, PyColumn>,
        rows: usize,
        count: usize,
    ) -> PyResult<Self> {
        let column = column.typed()?;
        let part = |i: usize| Ok((Label::Int(i as i64), column.slice(i * rows, rows)?));
        work(py, "DataFrame", rows, || {
            let (labels, columns) = (0..count).map(part).collect::<cuprum_column::Result<_>>()?;
            DataFrame::from_parts(labels, columns, cuprum::Index::range(rows))
        })
        .map(Self::from)
    }

    fn shape(&self) -> PyResult<(usize, usize)> {
        Ok(self.frame()?.shape())
    }

    fn num_columns(&self) -> usize {
        self.0.schema().num_columns()
    }

    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        label::list_to_py(py, self.0.schema().labels())
    }

    /// The names of the levels of the column labels.
    fn level_names<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        label::names_to_py(py, self.0.schema().accessor().level_names())
    }

    /// The column labels as an index, made when it is first asked for.
    fn columns_index(&self) -> PyResult<PyIndex> {
        self.0.schema().accessor().to_index().py().map(PyIndex)
    }

    /// The same frame; where it has no columns, their labels are of the kind of these.
    fn with_kind_of_labels(&self, labels: &PyIndex) -> PyResult<Self> {
        let data = self.frame()?.accessor().clone().with_kind_of(&labels.0).py()?;
        DataFrame::from_accessor(data, self.frame()?.index().clone()).py().map(Self::from)
    }

    /// The positions of every column that a label names, also as an outer label of hierarchical ones.
    fn positions_below(&self, label: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        self.0.schema().accessor().positions_below(&label::from_py(label)?).py()
    }

    /// The positions of the columns between two labels, both included.
    fn slice_positions(&self, slice: &Bound<'_, PySlice>) -> PyResult<Vec<usize>> {
        let end = |name| -> PyResult<Option<Label>> { label::name_from_py(&slice.getattr(name)?) };
        let (start, stop) = (end("start")?, end("stop")?);
        let step = slice.getattr("step")?;
        let step = if step.is_none() { None } else { Some(step.extract()?) };
        self.0.schema().accessor().slice_positions(start.as_ref(), stop.as_ref(), step).py()
    }

    /// The positions of the columns with wanted labels level by level: labels, lists or slices.
    fn matching_positions(&self, key: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        self.0.schema().accessor().matching_positions(&label::level_keys_from_py(key)?).py()
    }

    /// Every element and what an operand has beside it; `fill_value` stands for an element that one side is missing.
    #[pyo3(signature = (operand, op, reflected, along_columns, fill_value=None))]
    fn operate(
        &self,
        py: Python<'_>,
        operand: &Bound<'_, PyAny>,
        op: &str,
        reflected: bool,
        along_columns: bool,
        fill_value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (operand, op) = (OperandKey::from_py(operand, along_columns, &[])?, names::binary_operator(op)?);
        let fill_value = fill_value.map(scalar::operand).transpose()?;
        self.run(py, "operator", |f| {
            let fill_value = fill_value.as_ref();
            let options = OperatorOptions { reflected, fill_value, ..OperatorOptions::default() };
            f.operate(op, operand.operand(), options)
        })
    }

    fn num_levels(&self) -> usize {
        self.0.schema().accessor().num_levels()
    }

    fn contains(&self, label: &Bound<'_, PyAny>) -> bool {
        label::from_py(label).is_ok_and(|l| self.0.schema().contains(&l))
    }

    fn dtypes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, dtype::DType>>> {
        self.0.schema().columns().iter().map(|c| dtype::to_py(py, c.dtype())).collect()
    }

    // Columns.

    fn column(&self, label: &Bound<'_, PyAny>) -> PyResult<PySeries> {
        let label = label::from_py(label)?;
        match self.0.plan() {
            Some(plan) => plan.column(&label).py().map(PySeries::from),
            None => self.frame()?.column(label).py().map(PySeries::from),
        }
    }

    /// The position of the one column called `label`.
    fn position(&self, label: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.0.schema().accessor().position(&label::from_py(label)?).py()
    }

    fn column_at(&self, i: usize) -> PyResult<PySeries> {
        match self.0.plan() {
            Some(plan) => plan.series_at(i).py().map(PySeries::from),
            None => self.frame()?.series_at(i).py().map(PySeries::from),
        }
    }

    /// Whether one of the columns called `label` is this one: the same memory.
    fn has_column(&self, label: &Bound<'_, PyAny>, column: PyRef<'_, PyColumn>) -> PyResult<bool> {
        let (Ok(label), Ok(column)) = (label::from_py(label), column.typed()) else { return Ok(false) };
        Ok(self.frame()?.accessor().iter().any(|(own, c)| *own == label && c.is_same_memory(&column)))
    }

    fn columns(&self) -> PyResult<Vec<PyColumn>> {
        self.0.unlabelled()?.columns().iter().map(PyColumn::of).collect()
    }

    /// The columns end to end as one, where all are numbers or times of one type and NumPy has what they are: none is
    /// missing, or missing is a number or a time; None for others.
    fn stacked(&self, py: Python<'_>) -> PyResult<Option<PyColumn>> {
        let columns = self.frame()?.columns();
        let Some(first) = columns.first() else { return Ok(None) };
        let missing_has_a_value = match first.dtype() {
            Dtype::Numeric(_) => first.dtype().storage().is_float(),
            Dtype::Bool(_) => false,
            Dtype::Timedelta(_) => true,
            Dtype::Datetime(kind) if kind.zone.is_none() => true,
            _ => return Ok(None),
        };
        let fits = |column: &TypedColumn| -> cuprum_column::Result<bool> {
            if column.dtype() != first.dtype() {
                return Ok(false);
            }
            let data = column.data()?;
            Ok(data.device() == Device::Cpu && (missing_has_a_value || !data.has_nulls()))
        };
        for column in columns {
            if !fits(column).py()? {
                return Ok(None);
            }
        }
        let stacked = work(py, "stacked", self.frame()?.num_rows(), || cuprum::frame::stack(columns))?;
        PyColumn::of(&stacked).map(Some)
    }

    /// The same labels over other columns of the same length, one for each.
    fn with_columns(&self, columns: Vec<PyRef<'_, PyColumn>>) -> PyResult<Self> {
        self.frame()?
            .replace_columns(columns.iter().map(|c| c.typed()).collect::<PyResult<_>>()?)
            .py()
            .map(Self::from)
    }

    fn select(&self, labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        let labels = label::list_from_py(labels)?;
        self.selected(|frame| frame.select_labels(&labels))
    }

    fn select_positions(&self, positions: Vec<usize>) -> PyResult<Self> {
        self.selected(|frame| frame.select_positions(&positions))
    }

    /// The columns below outer labels of hierarchical columns; None where there are none.
    fn select_prefix(&self, prefix: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        Ok(self.frame()?.select_prefix(&label::list_from_py(prefix)?).map(Self::from))
    }

    fn with_column(&self, label: &Bound<'_, PyAny>, column: PyRef<'_, PyColumn>) -> PyResult<Self> {
        let label = self.frame()?.accessor().full_label(label::from_py(label)?);
        self.frame()?.with_column(label, column.typed()?).py().map(Self::from)
    }

    /// With a series as a column, if it is planned as the frame is, of the same rows; None otherwise.
    fn assign_planned(
        &self,
        label: &Bound<'_, PyAny>,
        series: PyRef<'_, PySeries>,
    ) -> PyResult<Option<Self>> {
        let (Some(plan), Some(added)) = (self.0.plan(), series.0.plan()) else { return Ok(None) };
        let label = plan.schema().accessor().full_label(label::from_py(label)?);
        Ok(plan.assign(&label, added).py()?.map(Self::from))
    }

    fn assign(
        &self,
        py: Python<'_>,
        label: &Bound<'_, PyAny>,
        series: PyRef<'_, PySeries>,
    ) -> PyResult<Self> {
        let label = self.0.schema().accessor().full_label(label::from_py(label)?);
        let series = series.frame()?;
        self.run(py, "assign", |f| f.assign(label, series))
    }

    fn insert(
        &self,
        at: usize,
        label: &Bound<'_, PyAny>,
        column: PyRef<'_, PyColumn>,
        allow_duplicates: bool,
    ) -> PyResult<Self> {
        let label = self.frame()?.accessor().full_label(label::from_py(label)?);
        let duplicates = names::duplicate_labels(allow_duplicates);
        self.frame()?.insert_with(at, label, column.typed()?, duplicates).py().map(Self::from)
    }

    fn drop_columns(&self, labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        let labels = label::list_from_py(labels)?;
        self.selected(|frame| frame.drop_columns(&labels))
    }

    #[pyo3(signature = (labels, level_names=None))]
    fn with_labels(
        &self,
        labels: &Bound<'_, PyAny>,
        level_names: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let frame = self.frame()?.with_labels(label::list_from_py(labels)?).py()?;
        let Some(names) = level_names else { return Ok(Self::from(frame)) };
        let data: ColumnAccessor = frame.accessor().clone().with_level_names(label::names_from_py(&names)?);
        DataFrame::from_accessor(data, frame.index().clone()).py().map(Self::from)
    }

    /// The frame with the names and types that levels have in an index of the column labels.
    fn with_levels_of(&self, labels: &PyIndex) -> PyResult<Self> {
        let (data, labels) = (self.frame()?.accessor().clone(), &labels.0);
        let data = data.with_level_names(labels.names().to_vec()).with_level_dtypes(labels.dtypes());
        DataFrame::from_accessor(data, self.frame()?.index().clone()).py().map(Self::from)
    }

    /// The frame under other column labels, for pairs of old and new ones.
    fn rename_columns(
        &self,
        pairs: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        level: Option<usize>,
        strict: bool,
    ) -> PyResult<Self> {
        let renaming = label::renaming(&pairs, level, strict)?;
        if let Some(plan) = self.0.try_plan(|own| own.relabel(|frame| frame.rename_columns(&renaming)))? {
            return Ok(plan.into());
        }
        self.frame()?.rename_columns(&renaming).py().map(Self::from)
    }

    /// The frame with texts before and behind every column label.
    fn affix_columns(&self, prefix: &str, suffix: &str) -> PyResult<Self> {
        self.frame()?.affix_columns(prefix, suffix).py().map(Self::from)
    }

    /// The columns with some labels, in their order; missing where there is none.
    fn reindex_columns(&self, py: Python<'_>, labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        let labels = label::list_from_py(labels)?;
        self.run(py, "reindex", |f| f.reindex(None, Some(&labels)))
    }

    /// Both frames with the rows and columns of either, the columns of this one first, and which of them has each.
    fn align_in_order(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<(Self, Self, Sides)> {
        let other = other.frame()?;
        let made = self.ask(py, "align", |f| f.align_in_order(other))?;
        Ok((Self::from(made.left), Self::from(made.right), made.sides))
    }

    /// With the elements of another frame that are not missing; where `replaceable` is true, if it is given.
    #[pyo3(signature = (other, keep_known, refuse_overlap, replaceable=None))]
    fn update(
        &self,
        py: Python<'_>,
        other: PyRef<'_, Self>,
        keep_known: bool,
        refuse_overlap: bool,
        replaceable: Option<PyRef<'_, Self>>,
    ) -> PyResult<Self> {
        let (other, replaceable) =
            (other.frame()?, replaceable.as_ref().map(|frame| frame.frame()).transpose()?);
        let options = UpdateOptions { keep_known, refuse_overlap, replaceable };
        self.run(py, "update", |f| f.update(other, options))
    }

    // Row labels.

    fn set_index(&self, labels: &Bound<'_, PyAny>, drop: bool) -> PyResult<Self> {
        self.frame()?.set_index(&label::list_from_py(labels)?, drop).py().map(Self::from)
    }

    #[pyo3(signature = (allow_duplicates=false))]
    fn reset_index(&self, py: Python<'_>, allow_duplicates: bool) -> PyResult<Self> {
        let duplicates = names::duplicate_labels(allow_duplicates);
        self.run(py, "reset_index", |f| f.reset_index_with(duplicates))
    }

    /// One row; see `selection::row_to_py`.
    fn row<'py>(slf: &Bound<'py, Self>, row: usize, plain: bool) -> PyResult<Bound<'py, PyAny>> {
        selection::row_to_py(slf.py(), slf.try_borrow()?.frame()?, row, plain, Some(slf))
    }

    /// Whether some columns are of objects of Python.
    fn has_objects(&self) -> bool {
        self.0.schema().columns().iter().any(is_object)
    }

    /// Whether rows are series, see `selection::row_to_py`.
    fn rows_are_series(&self) -> bool {
        self.0.schema().rows_are_series()
    }

    /// The labels of the columns and the names of their levels, as `row` has them, and for each column a list of the
    /// elements of some rows as Python's objects. None where one is missing, or where they are no numbers, truth values
    /// and texts in host memory.
    fn plain_rows<'py>(
        slf: &Bound<'py, Self>,
        start: usize,
        length: usize,
    ) -> PyResult<Option<PlainRows<'py>>> {
        let (py, this) = (slf.py(), slf.try_borrow()?);
        let frame = this.frame()?;
        let mut columns = Vec::with_capacity(frame.num_columns());
        for column in frame.columns() {
            if !matches!(column.dtype(), Dtype::Numeric(_) | Dtype::Bool(_) | Dtype::String(_)) {
                return Ok(None);
            }
            let data = column.data().and_then(|data| data.slice(start, length)).py()?;
            if data.device() != Device::Cpu || data.has_nulls() {
                return Ok(None);
            }
            columns.push(sequence::list_from_column(py, &data, &py.None().into_bound(py))?);
        }
        let (labels, names) = selection::labels_of(slf, frame)?;
        Ok(Some((labels, names, columns)))
    }

    /// The number or truth value under a pair of labels, an integer that is a label of a range and a label of one
    /// column; None for all else.
    fn number_at<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Ok(parts) = key.cast_exact::<PyTuple>() else { return Ok(None) };
        let (2, Some(range)) = (parts.len(), self.frame()?.index().as_range()) else { return Ok(None) };
        let (row, label) = (parts.get_item(0)?, parts.get_item(1)?);
        let label = label.cast_exact::<PyString>().map(|text| text.to_str());
        let row = row.cast_exact::<PyInt>().ok().and_then(|row| range.find(row.extract().ok()?));
        let (Some(row), Ok(label)) = (row, label) else { return Ok(None) };
        let Ok(at) = self.frame()?.accessor().position(&Label::from(label?)) else { return Ok(None) };
        let column = &self.frame()?.columns()[at];
        if !quick::is_plain_on_host(column) {
            return Ok(None);
        }
        numpy_scalar::number(py, &column.data().and_then(|data| data.get(row)).py()?)
    }

    // Order and repetition.

    fn top(&self, py: Python<'_>, n: usize, by: &Bound<'_, PyAny>, largest: bool) -> PyResult<Self> {
        let by = label::list_from_py(by)?;
        self.run(py, "nlargest", |f| f.top(n, &by, names::extreme(largest)))
    }

    fn drop_duplicates(
        &self,
        py: Python<'_>,
        subset: &Bound<'_, PyAny>,
        keep: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (subset, keep) = (label::list_from_py(subset)?, names::keep(keep)?);
        self.run(py, "drop_duplicates", |f| f.drop_duplicates(&subset, keep))
    }

    fn duplicated(
        &self,
        py: Python<'_>,
        subset: &Bound<'_, PyAny>,
        keep: &Bound<'_, PyAny>,
    ) -> PyResult<PySeries> {
        let (subset, keep) = (label::list_from_py(subset)?, names::keep(keep)?);
        self.ask(py, "duplicated", |f| f.duplicated(&subset, keep)).map(PySeries::from)
    }

    // Missing elements.

    fn dropna(&self, py: Python<'_>, subset: &Bound<'_, PyAny>, threshold: usize) -> PyResult<Self> {
        let subset = label::list_from_py(subset)?;
        self.run(py, "dropna", |f| f.dropna(&subset, threshold))
    }

    fn dropna_columns(&self, py: Python<'_>, threshold: usize) -> PyResult<Self> {
        self.run(py, "dropna", |f| f.dropna_columns(threshold))
    }

    /// Missing elements of the columns under labels replaced, for pairs of a label and what fills them; see
    /// `operands::fills`.
    #[pyo3(signature = (values, limit=None))]
    fn fillna_columns(
        &self,
        py: Python<'_>,
        values: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        limit: Option<usize>,
    ) -> PyResult<Self> {
        let values = operands::fills(&values, self.frame()?)?;
        self.run(py, "fillna", |f| f.fillna_columns(&values, limit))
    }

    /// The first `limit` missing elements of every row replaced.
    fn fillna_along_rows(&self, py: Python<'_>, value: &Bound<'_, PyAny>, limit: usize) -> PyResult<Self> {
        let value = scalar::for_columns(value, self.frame()?.columns())?;
        self.run(py, "fillna", |f| f.fillna_along_rows(&value, limit))
    }

    /// Whether a label names one column and no outer label.
    fn names_one(&self, label: &Bound<'_, PyAny>) -> bool {
        let Ok(label) = label::from_py(label) else { return false };
        self.0
            .schema()
            .accessor()
            .positions_below(&label)
            .is_ok_and(|p| p.len() == 1 && self.0.schema().labels()[p[0]] == label)
    }

    // Elements.

    /// A row for each element of the lists in some columns.
    fn explode(&self, py: Python<'_>, labels: &Bound<'_, PyAny>, ignore_index: bool) -> PyResult<Self> {
        let labels = label::list_from_py(labels)?;
        self.run(py, "explode", |f| f.explode(&labels, names::row_labels(ignore_index)))
    }

    fn astype_columns(
        &self,
        py: Python<'_>,
        types: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    ) -> PyResult<Self> {
        let types = types
            .iter()
            .map(|(l, t)| {
                let label = label::from_py(l)?;
                dtype::refuse_objects(t, std::slice::from_ref(self.frame()?.accessor().get(&label).py()?))?;
                Ok((label, dtype::require_target(t)?))
            })
            .collect::<PyResult<Vec<_>>>()?;
        self.run(py, "astype", |f| {
            let mut frame = f.clone();
            for (label, to) in &types {
                let cast = to.cast(frame.accessor().get(label)?);
                frame = frame
                    .with_column(label.clone(), cast.map_err(|e| e.context(format!("column '{label}'")))?)?;
            }
            Ok(frame)
        })
    }

    /// With columns, given with their prefixes and separators, replaced by a column for each value.
    fn dummies(
        &self,
        py: Python<'_>,
        columns: Vec<(Bound<'_, PyAny>, String)>,
        separators: Vec<String>,
        drop_first: bool,
        missing: bool,
        dtype: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let columns = columns.into_iter().map(|(label, prefix)| Ok((label::from_py(&label)?, prefix)));
        let columns = columns.collect::<PyResult<Vec<_>>>()?;
        let options = DummyOptions { drop_first, missing, dtype: dtype::require_storage(dtype)? };
        self.run(py, "get_dummies", |f| f.dummies(&columns, &separators, options))
    }

    // Summaries.

    /// The place of every element in the order of its row.
    fn rank_rows(
        &self,
        py: Python<'_>,
        method: &str,
        ascending: bool,
        na_option: &str,
        pct: bool,
    ) -> PyResult<Self> {
        let options = names::rank_options(method, ascending, na_option, pct)?;
        self.run(py, "rank", |f| f.rank_rows(options))
    }

    /// One value for each column; for each row with `by_row`.
    #[pyo3(signature = (name, parameter=None, by_row=false, skipna=true))]
    fn reduce(
        &self,
        py: Python<'_>,
        name: &str,
        parameter: Option<f64>,
        by_row: bool,
        skipna: bool,
    ) -> PyResult<PySeries> {
        let aggregation = names::aggregation(name, parameter)?;
        let frame = if by_row { self.frame()? } else { self.0.unlabelled()? };
        super::work_beside(py, name, frame, || {
            if by_row {
                frame.reduce_rows(aggregation, names::missing_elements(skipna))
            } else {
                frame.reduce(aggregation, names::missing_elements(skipna))
            }
        })
        .map(PySeries::from)
    }

    fn nunique(&self, py: Python<'_>, count_missing: bool) -> PyResult<PySeries> {
        self.ask(py, "nunique", |f| f.nunique(count_missing)).map(PySeries::from)
    }

    fn describe(&self, py: Python<'_>, percentiles: Vec<f64>, all: bool) -> PyResult<Self> {
        self.run(py, "describe", |f| f.describe(&DescribeOptions { percentiles, all }))
    }

    /// The columns of numbers and truth values.
    fn numbers(&self) -> PyResult<Self> {
        self.frame()?.numbers().py().map(Self::from)
    }

    fn transpose(&self, py: Python<'_>) -> PyResult<Self> {
        self.run(py, "transpose", DataFrame::transpose)
    }

    // Joins.

    /// Rows paired by equal keys; `left_on` and `right_on` are labels, or None for the row labels.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (right, how, on=None, left_on=None, right_on=None, left_index=false, right_index=false,
                        suffixes=(None, None), indicator=None, sort=false, validate=None))]
    fn merge(
        &self,
        py: Python<'_>,
        right: PyRef<'_, Self>,
        how: &str,
        on: Option<Bound<'_, PyAny>>,
        left_on: Option<Bound<'_, PyAny>>,
        right_on: Option<Bound<'_, PyAny>>,
        left_index: bool,
        right_index: bool,
        suffixes: (Option<String>, Option<String>),
        indicator: Option<Bound<'_, PyAny>>,
        sort: bool,
        validate: Option<&str>,
    ) -> PyResult<Self> {
        let how = match how {
            "inner" => How::Inner,
            "left" => How::Left,
            "right" => How::Right,
            "outer" => How::Outer,
            "cross" => How::Cross,
            "leftsemi" | "left_semi" | "semi" => How::LeftSemi,
            "leftanti" | "anti" => How::LeftAnti,
            "left_anti" => How::LeftOnly,
            "right_anti" => How::RightOnly,
            other => {
                return Err(PyValueError::new_err(format!(
                    "`how` is '{other}'; known are inner, left, right, outer, cross, left_anti, right_anti, \
                     leftsemi and leftanti"
                )));
            }
        };
        let validate = match validate {
            None | Some("m:m" | "many_to_many") => Validate::ManyToMany,
            Some("1:1" | "one_to_one") => Validate::OneToOne,
            Some("1:m" | "one_to_many") => Validate::OneToMany,
            Some("m:1" | "many_to_one") => Validate::ManyToOne,
            Some(other) => {
                return Err(PyValueError::new_err(format!(
                    "`validate` is '{other}'; known are 1:1, 1:m, m:1 and m:m"
                )));
            }
        };
        let labels = |obj: &Option<Bound<'_, PyAny>>| -> PyResult<Option<Vec<Label>>> {
            obj.as_ref().map(label::list_from_py).transpose()
        };
        let conflict = || {
            let message = "name the keys with `on`, or one of `left_on` and `left_index` together with one of \
                           `right_on` and `right_index`";
            to_py(Error::invalid_argument(message).with_detail(Detail::MergeKeys))
        };
        let on = match (labels(&on)?, labels(&left_on)?, labels(&right_on)?, left_index, right_index) {
            (None, None, None, false, false) => None,
            (Some(on), None, None, false, false) => Some(On::Columns(on)),
            (None, Some(left), Some(right), false, false) => Some(On::Pairs(left, right)),
            (None, None, None, true, true) => Some(On::Indexes),
            (None, Some(left), None, false, true) => Some(On::LeftColumns(left)),
            (None, None, Some(right), true, false) => Some(On::RightColumns(right)),
            _ => return Err(conflict()),
        };
        let indicator = indicator.map(|i| label::from_py(&i)).transpose()?;
        let options = MergeOptions { how, on, suffixes, indicator, sort, validate };
        if Deferral::chosen() != Deferral::Off
            && self.estimated_rows().max(right.estimated_rows()) >= cuprum::types::late_rows()
            && let (Some(left), Some(right)) = (self.as_plan(py)?, right.as_plan(py)?)
            && let Some(plan) = work(py, "merge", 0, || left.merge(&right, &options))?
        {
            return Ok(plan.into());
        }
        let (left, right) = (self.frame()?, right.frame()?);
        let rows = left.num_rows().max(right.num_rows());
        work(py, "merge", rows, || left.merge(right, &options)).map(Self::from)
    }

    // Printing.

    #[pyo3(signature = (table, **layout))]
    fn to_html(&self, table: &Bound<'_, PyDict>, layout: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        self.frame()?.to_html(&layout::options(layout)?, &layout::html(table)?).py()
    }

    /// The columns, without the row labels, as an Arrow array of structs in the memory of their device.
    fn arrow_device_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let frame = self.frame()?;
        let columns = frame.columns().iter().map(TypedColumn::exported_in_place);
        let table = columns.collect::<cuprum::Result<_>>();
        let table = table.and_then(|columns| cuprum::Table::with_rows(columns, frame.num_rows())).py()?;
        let named = self.frame()?.columns().iter().zip(self.frame()?.labels());
        let metadata: Vec<_> = named.map(|(c, label)| c.dtype().metadata(&label.to_string())).collect();
        arrow::table_device_array_capsules(py, &table, &metadata)
    }

    /// The columns, without the row labels, as an Arrow stream.
    fn arrow_stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names: Vec<String> = self.frame()?.labels().iter().map(ToString::to_string).collect();
        arrow::frame_stream(py, self.frame()?.columns(), &names, self.frame()?.num_rows())
    }
}
