//! What the handles of series and data frames have in common: the rows and their labels.

/// The methods that `cuprum` gives every [`IndexedFrame`](cuprum::IndexedFrame), for a handle.
///
/// A class of Python cannot have generic methods, so each handle gets methods of its own.
macro_rules! indexed_frame_methods {
    ($handle:ident of $frame:ident, $plan:ident) => {
        impl $handle {
            /// The frame; of a plan the rows are found now.
            pub(crate) fn frame(&self) -> PyResult<&$frame> {
                self.0.frame()
            }

            pub(super) fn run(
                &self,
                py: Python<'_>,
                operation: &str,
                f: impl FnOnce(&$frame) -> cuprum::Result<$frame> + Send,
            ) -> PyResult<Self> {
                self.ask(py, operation, f).map(Self::from)
            }

            /// Asks the frame something, without the GIL.
            pub(super) fn ask<T: Send>(
                &self,
                py: Python<'_>,
                operation: &str,
                f: impl FnOnce(&$frame) -> cuprum::Result<T> + Send,
            ) -> PyResult<T> {
                let frame = self.frame()?;
                super::work_beside(py, operation, frame, || f(frame))
            }
        }

        impl From<$frame> for $handle {
            fn from(frame: $frame) -> Self {
                Self(Held::ready(frame))
            }
        }

        impl From<$plan> for $handle {
            fn from(plan: $plan) -> Self {
                Self(Held::later(plan))
            }
        }

        impl writing::Handle for $handle {
            type Frame = $frame;

            fn frame(&self) -> PyResult<&$frame> {
                self.0.frame()
            }

            fn frame_mut(&mut self) -> PyResult<&mut $frame> {
                self.0.frame_mut()
            }
        }

        #[pymethods]
        impl $handle {
            // Sharing and writing.

            /// Another handle of the same values, for another object.
            fn shared(&self) -> Self {
                Self(self.0.shared())
            }

            fn shallow_copy(&self, py: Python<'_>) -> PyResult<Self> {
                if self.0.now().is_some_and(|frame| frame.columns().iter().any(TypedColumn::has_escaped)) {
                    return self.run(py, "copy", IndexedFrame::shallow_copy);
                }
                Ok(self.shared())
            }

            fn deep_copy(&self, py: Python<'_>) -> PyResult<Self> {
                self.run(py, "copy", IndexedFrame::deep_copy)
            }

            /// Missing elements on the line between their neighbours; `places` are those of the rows.
            #[pyo3(signature = (places, side, limit, area))]
            fn interpolate(
                &self,
                py: Python<'_>,
                places: Option<PyRef<'_, PyColumn>>,
                side: &str,
                limit: Option<usize>,
                area: Option<&str>,
            ) -> PyResult<Self> {
                let places = places.map(|places| places.typed()).transpose()?;
                let (side, area) = (names::fill_side(side)?, names::fill_area(area)?);
                let options = cuprum::operations::interpolate::InterpolateOptions {
                    places: places.as_ref(),
                    side,
                    limit,
                    area,
                };
                self.run(py, "interpolate", |f| f.interpolate(options))
            }

            /// Whether shallow copies of a column see what is written to each other.
            fn shows_writes(&self) -> PyResult<bool> {
                Ok(self.frame()?.columns().iter().any(TypedColumn::shows_writes))
            }

            /// Sets elements at `rows` of the columns at some positions, each to a scalar or to the elements
            /// of a column, here and in the columns of the handles `linked` that show it.
            ///
            /// None is returned where the handles have changed, else other handles for all of them: this
            /// one's and those of `linked`, in order. That is so where another thread reads one of them.
            fn write(
                slf: &Bound<'_, Self>,
                rows: PyRef<'_, PyColumn>,
                values: Vec<(usize, Bound<'_, PyAny>)>,
                linked: Vec<Bound<'_, Self>>,
            ) -> PyResult<Option<Vec<Self>>> {
                let values = writing::values_from_py(values, slf.try_borrow()?.frame()?.clone().columns())?;
                let assignment = {
                    let (this, rows) = (slf.try_borrow()?, &rows.0);
                    let frame = this.frame()?;
                    let size = writing::size_hint(frame.columns(), rows, &values);
                    work(slf.py(), "assignment", size, || Assignment::new(frame, rows, values))?
                };
                writing::apply(assignment, slf, &linked)
            }

            /// This frame with what an operation in place made of the columns of `old` in `new`, where they
            /// are columns of this one, too; None where they are not. See `cuprum::indexing::assign::follow`.
            fn follow(&self, old: PyRef<'_, Self>, new: PyRef<'_, Self>) -> PyResult<Option<Self>> {
                let (old, new) = (old.frame()?, new.frame()?);
                Ok(cuprum::indexing::assign::follow(self.frame()?, old, new).map(Self::from))
            }

            // Devices.

            /// The name of the device that holds the frame: the chosen one where it is on none.
            fn device(&self) -> String {
                self.0.schema().place().unwrap_or_else(cuprum_runtime::Device::chosen).to_string()
            }

            /// The same frame on another device.
            fn to_device(&self, py: Python<'_>, device: &Bound<'_, PyAny>) -> PyResult<Self> {
                let device = crate::cuda::device::parse(device)?;
                let there = cuprum::Context::beside(device).py()?;
                self.run(py, "to_device", |f| f.to_device(&there))
            }

            // Shape and labels.

            fn __len__(&self) -> PyResult<usize> {
                Ok(self.frame()?.num_rows())
            }

            fn index(&self) -> PyResult<PyIndex> {
                Ok(PyIndex(self.frame()?.index().clone()))
            }

            /// The names of the levels of the row labels.
            fn index_names<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
                label::names_to_py(py, self.0.schema().index().names())
            }

            fn nbytes(&self) -> PyResult<usize> {
                Ok(self.frame()?.nbytes())
            }

            fn with_index(&self, index: PyRef<'_, PyIndex>) -> PyResult<Self> {
                self.frame()?.with_index(index.0.clone()).py().map(Self::from)
            }

            fn drop_index(&self) -> PyResult<Self> {
                Ok(Self::from(self.0.unlabelled()?.drop_index()))
            }

            fn reindex(&self, py: Python<'_>, index: PyRef<'_, PyIndex>) -> PyResult<Self> {
                let index = &index.0;
                self.run(py, "reindex", |f| cuprum::operations::align::reindex(f, index))
            }

            /// The frame under other row labels, for pairs of old and new ones; see `cuprum::index::Index`.
            fn rename_rows(
                &self,
                py: Python<'_>,
                pairs: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
                level: Option<usize>,
                strict: bool,
            ) -> PyResult<Self> {
                let renaming = label::renaming(&pairs, level, strict)?;
                self.run(py, "rename", |f| f.rename_rows(&renaming))
            }

            /// The frame with texts before and behind every row label.
            fn affix_rows(&self, py: Python<'_>, prefix: &str, suffix: &str) -> PyResult<Self> {
                self.run(py, "rename", |f| f.affix_rows(prefix, suffix))
            }

            // Selection.

            fn head(&self, n: i64) -> PyResult<Self> {
                self.frame()?.head(n).py().map(Self::from)
            }

            fn tail(&self, n: i64) -> PyResult<Self> {
                self.frame()?.tail(n).py().map(Self::from)
            }

            fn slice(&self, start: usize, length: usize) -> PyResult<Self> {
                self.frame()?.slice(start, length).py().map(Self::from)
            }

            fn take(&self, py: Python<'_>, rows: PyRef<'_, PyColumn>) -> PyResult<Self> {
                let rows = &rows.0;
                self.run(py, "take", |f| f.take(rows))
            }

            /// The rows where a series is true, if it is planned as this is, of the same rows; None otherwise.
            fn filter_planned(&self, condition: PyRef<'_, PySeries>) -> Option<Self> {
                Some(self.0.plan()?.filter(condition.0.plan()?)?.into())
            }

            fn filter(&self, py: Python<'_>, mask: PyRef<'_, PyColumn>) -> PyResult<Self> {
                let mask = &mask.0;
                self.run(py, "filter", |f| f.filter(mask))
            }

            fn drop_rows(&self, py: Python<'_>, labels: PyRef<'_, PyColumn>) -> PyResult<Self> {
                let labels = &labels.typed()?;
                self.run(py, "drop", |f| f.drop_rows(labels))
            }

            /// Rows by position: a slice, or a column of positions or truth values.
            fn iloc(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<Self> {
                let key = selection::position_key(rows)?;
                self.run(py, "iloc", |f| f.rows_by_position(key))
            }

            #[pyo3(signature = (n, replace=false, seed=None))]
            fn sample(&self, py: Python<'_>, n: usize, replace: bool, seed: Option<u64>) -> PyResult<Self> {
                self.run(py, "sample", |f| f.sample(n, cuprum::frame::SampleOptions { replace, seed }))
            }

            fn sort_index(&self, py: Python<'_>, ascending: bool) -> PyResult<Self> {
                self.run(py, "sort_index", |f| f.sort_index(names::order(ascending)))
            }

            /// The rows from one label to another; labels are sorted.
            fn truncate(
                &self,
                py: Python<'_>,
                before: Option<&Bound<'_, PyAny>>,
                after: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Self> {
                let (before, after) = (label::optional(before)?, label::optional(after)?);
                self.run(py, "truncate", |f| f.truncate(before.as_ref(), after.as_ref()))
            }

            /// The first row in which an element is not missing.
            fn first_valid_row(&self, py: Python<'_>) -> PyResult<Option<usize>> {
                self.ask(py, "first_valid_index", |f| f.first_valid_row())
            }

            /// The last row in which an element is not missing.
            fn last_valid_row(&self, py: Python<'_>) -> PyResult<Option<usize>> {
                self.ask(py, "last_valid_index", |f| f.last_valid_row())
            }

            /// The rows in the order of other columns of the same length, without their labels for `ignore_index`.
            #[pyo3(signature = (keys, ascending, na_position, ignore_index=false))]
            fn sort_by(
                &self,
                py: Python<'_>,
                keys: Vec<PyRef<'_, PyColumn>>,
                ascending: Vec<bool>,
                na_position: &str,
                ignore_index: bool,
            ) -> PyResult<Self> {
                let ordered = |key: &PyRef<'_, PyColumn>| key.typed()?.ordered("sort_values").cloned().py();
                let keys = keys.iter().map(ordered).collect::<PyResult<Vec<_>>>()?;
                let orders = ascending.into_iter().map(names::order).collect();
                let nulls = names::na_position(na_position)?;
                let options = cuprum::frame::SortOptions { orders, nulls, ignore_index };
                self.run(py, "sort_values", |f| f.sort_by_keys(keys, &options))
            }

            // Elements.

            fn isna(&self, py: Python<'_>) -> PyResult<Self> {
                self.run(py, "isna", Frame::isna)
            }

            fn notna(&self, py: Python<'_>) -> PyResult<Self> {
                self.run(py, "notna", Frame::notna)
            }

            fn fillna(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Self> {
                let value = scalar::for_columns(value, self.frame()?.columns())?;
                self.run(py, "fillna", |f| f.fillna(&value))
            }

            /// Missing elements replaced by those of an operand, the first `limit` of each column.
            #[pyo3(signature = (values, along_columns=false, limit=None))]
            fn fillna_with(
                &self,
                py: Python<'_>,
                values: &Bound<'_, PyAny>,
                along_columns: bool,
                limit: Option<usize>,
            ) -> PyResult<Self> {
                let values = OperandKey::from_py(values, along_columns, self.frame()?.columns())?;
                self.run(py, "fillna", |f| f.fillna_with(values.operand(), limit))
            }

            /// Elements limited to what two operands have beside them.
            fn clip_with(
                &self,
                py: Python<'_>,
                lower: &Bound<'_, PyAny>,
                upper: &Bound<'_, PyAny>,
                along_columns: bool,
            ) -> PyResult<Self> {
                let bound = |b| OperandKey::from_py(b, along_columns, self.frame()?.columns());
                let (lower, upper) = (bound(lower)?, bound(upper)?);
                self.run(py, "clip", |f| f.clip_with(lower.operand(), upper.operand()))
            }

            fn astype(&self, py: Python<'_>, dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
                dtype::refuse_objects(dtype, self.0.schema().columns())?;
                let to = dtype::require_target(dtype)?;
                if let dtype::Target::Dtype(to) = &to
                    && let Some(plan) = self.0.try_plan(|own| own.cast(to))?
                {
                    return Ok(plan.into());
                }
                self.run(py, "astype", |f| f.map_columns(|c| to.cast(c)))
            }

            fn round(&self, py: Python<'_>, decimals: i32) -> PyResult<Self> {
                self.run(py, "round", |f| f.round(decimals))
            }

            /// The rows that have labels in levels of some numbers, which the result has if they are `kept`.
            fn cross_section(
                &self,
                py: Python<'_>,
                labels: Vec<(usize, Bound<'_, PyAny>)>,
                kept: bool,
            ) -> PyResult<Self> {
                let labels = labels.into_iter().map(|(level, label)| Ok((level, label::from_py(&label)?)));
                let labels = labels.collect::<PyResult<Vec<_>>>()?;
                let named = if kept { NamedLevels::Keep } else { NamedLevels::Drop };
                self.run(py, "xs", |f| cross_section(f, &labels, named))
            }

            fn shift(&self, py: Python<'_>, periods: i64) -> PyResult<Self> {
                self.run(py, "shift", |f| f.shift(periods))
            }

            fn diff(&self, py: Python<'_>, periods: i64) -> PyResult<Self> {
                self.run(py, "diff", |f| f.diff(periods))
            }

            fn pct_change(&self, py: Python<'_>, periods: i64) -> PyResult<Self> {
                self.run(py, "pct_change", |f| f.pct_change(periods))
            }

            fn cumulative(&self, py: Python<'_>, op: &str) -> PyResult<Self> {
                let op = names::cumulative(op)?;
                self.run(py, "cumulative", |f| f.cumulative(op))
            }

            fn rank(
                &self,
                py: Python<'_>,
                method: &str,
                ascending: bool,
                na_option: &str,
                pct: bool,
            ) -> PyResult<Self> {
                let options = names::rank_options(method, ascending, na_option, pct)?;
                self.run(py, "rank", |f| f.rank(options))
            }

            /// Elements where a condition holds (with `negated` where it does not), those of another operand elsewhere.
            /// With `inplace` columns keep their types, and elements that the condition does not name stay.
            #[pyo3(name = "where", signature = (condition, other, inplace, along_columns=false, negated=false))]
            fn where_(
                &self,
                py: Python<'_>,
                condition: &Bound<'_, PyAny>,
                other: &Bound<'_, PyAny>,
                inplace: bool,
                along_columns: bool,
                negated: bool,
            ) -> PyResult<Self> {
                if let Ok(condition) = condition.cast::<PySeries>()
                    && let (Some(condition), false) = (condition.try_borrow()?.0.plan(), inplace || along_columns)
                    && let OperandKey::One(other) = OperandKey::from_py(other, false, self.0.schema().columns())?
                    && let Some(plan) = self.0.try_plan(|own| own.where_one(condition, &other, negated))?
                {
                    return Ok(plan.into());
                }
                let condition = OperandKey::from_py(condition, along_columns, &[])?;
                let other = OperandKey::from_py(other, along_columns, self.frame()?.columns())?;
                let (condition, other) = (condition.operand(), other.operand());
                self.run(py, "where", |f| match (inplace, negated) {
                    (true, false) => f.set_where(condition, other),
                    (true, true) => f.set_mask(condition, other),
                    (false, false) => f.where_with(condition, other, false),
                    (false, true) => f.mask(condition, other),
                })
            }

            /// The elements `periods` rows further down, `value` where there was none.
            fn shift_filled(&self, py: Python<'_>, periods: i64, value: &Bound<'_, PyAny>) -> PyResult<Self> {
                let value = scalar::for_columns(value, self.frame()?.columns())?;
                self.run(py, "shift", |f| f.shift_filled(periods, &value))
            }

            // Operators.

            /// The elements, and where they are missing those of another under the same labels.
            fn combine_first(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<Self> {
                let other = other.frame()?;
                self.run(py, "combine_first", |f| f.combine_first(other))
            }

            /// Both with the rows (and columns) of either.
            fn align(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<(Self, Self)> {
                let other = other.frame()?;
                let both = self.ask(py, "align", |f| f.align(other))?;
                Ok((Self::from(both.0), Self::from(both.1)))
            }

            /// What differs from another under the same labels; `differs` says where, if it is given.
            #[allow(clippy::too_many_arguments)]
            fn compare(
                &self,
                py: Python<'_>,
                other: PyRef<'_, Self>,
                differs: Option<PyRef<'_, Self>>,
                below: bool,
                keep_shape: bool,
                keep_equal: bool,
                names: (Bound<'_, PyAny>, Bound<'_, PyAny>),
            ) -> PyResult<PyDataFrame> {
                let names = [label::from_py(&names.0)?, label::from_py(&names.1)?];
                let options = CompareOptions { below, keep_shape, keep_equal, names };
                let (other, differs) = (other.frame()?, differs.as_ref().map(|given| given.frame()).transpose()?);
                self.ask(py, "compare", |f| f.compare_by(other, differs, &options)).map(PyDataFrame::from)
            }

            fn unary(&self, py: Python<'_>, op: &str) -> PyResult<Self> {
                let op = names::unary_operator(op)?;
                if op == cuprum_compute::unary::UnaryOperator::Not
                    && let Some(plan) = self.0.try_plan(|own| own.not())?
                {
                    return Ok(plan.into());
                }
                self.run(py, "operator", |f| f.unary(op))
            }

            fn binary(&self, py: Python<'_>, other: PyRef<'_, Self>, op: &str) -> PyResult<Self> {
                let op = names::binary_operator(op)?;
                if let Some(others) = other.0.plan()
                    && let Some(plan) = self.0.try_plan(|own| own.binary(others, op))?
                {
                    return Ok(plan.into());
                }
                let other = other.frame()?;
                self.run(py, "operator", |f| f.binary(other, op))
            }

            fn binary_scalar(
                &self,
                py: Python<'_>,
                value: &Bound<'_, PyAny>,
                op: &str,
                reflected: bool,
            ) -> PyResult<Self> {
                let op = names::binary_operator(op)?;
                if let Some(instant) = scalar::instant(value)? {
                    let truth = MissingTruth::chosen();
                    return self.run(py, "operator", |f| {
                        f.map_columns(|c| operate_instant_as(c, &instant, op, reflected, truth))
                    });
                }
                let value = scalar::operand(value)?;
                if let Some(plan) = self.0.try_plan(|own| own.binary_scalar(&value, op, reflected))? {
                    return Ok(plan.into());
                }
                self.run(py, "operator", |f| f.binary_scalar(&value, op, reflected))
            }

            fn equals(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
                let other = other.frame()?;
                self.ask(py, "equals", |f| f.equals(other))
            }

            // Printing.

            /// All as text; `width` and `max_columns` None for no limit and for what fits the width.
            #[pyo3(signature = (**layout))]
            fn to_text(&self, layout: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
                self.frame()?.to_text(&layout::options(layout)?).py()
            }
        }
    };
}

pub(super) use indexed_frame_methods;
