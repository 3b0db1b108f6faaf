//! `Column`: a column in Python.

use cuprum::{Dtype, TypedColumn};
use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{Buffer, Column, Context, DataType, Device, Table};
use cuprum_compute::contiguous_split;
use pyo3::exceptions::{PyNotImplementedError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyList, PyTuple};

use crate::dtype::{self, DType};
use crate::errors::IntoPyResult;
use crate::frames::label;
use crate::host_array::HostArray;
use crate::object_store::{column_of_objects, element, objects_of};
use crate::pylib::nested_sequence::Containers;
use crate::run::{read_late, run};
use crate::{array_interface, arrow, objects, scalar, sequence};
use cuprum::types::{
    Categorical, Categories, Datetime, Period, PeriodEdge, period_as, period_bounds, period_dates, to_periods,
};

/// An immutable array of elements of one type, each of which may be null.
///
/// Cheap to copy and to slice: both share the memory.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column
/// >>> column = Column.from_iterable_of_py([1, None, 3])
/// >>> column.size(), column.null_count(), column.type()
/// (3, 1, DataType(TypeId.INT64))
/// >>> column.to_pylist()
/// [1, None, 3]
#[pyclass(weakref, module = "cuprum", name = "Column")]
pub struct PyColumn(pub Column, pub Option<Dtype>);

impl PyColumn {
    /// A column whose storage says what it means.
    pub fn plain(column: Column) -> Self {
        Self(column, None)
    }

    /// A column that the host made of Python's data, on the chosen device.
    pub fn come(column: Column) -> PyResult<Self> {
        let there = column.placed(&Context::current()).py()?.into_owned();
        Ok(Self::plain(there))
    }

    /// A column of a frame.
    pub fn of(column: &TypedColumn) -> PyResult<Self> {
        let dtype = (!column.dtype().is_plain()).then(|| column.dtype().clone());
        Python::attach(|py| read_late(py, column))?;
        Ok(Self(column.rows().py()?.clone(), dtype))
    }

    /// The column as frames have it.
    pub fn typed(&self) -> PyResult<TypedColumn> {
        match &self.1 {
            None => Ok(self.0.clone().into()),
            Some(dtype) => TypedColumn::new(dtype.clone(), self.0.clone()).py(),
        }
    }

    /// The values, those of categories too; refused for `operation` where they are not the stored ones.
    pub fn values_for(&self, operation: &str) -> PyResult<Column> {
        match &self.1 {
            None => Ok(self.0.clone()),
            Some(_) => self.typed()?.decoded().and_then(|c| c.values(operation).cloned()).py(),
        }
    }

    /// The stored values, for functions that know no dtypes; refused where they are positions of objects.
    pub fn stored(&self) -> PyResult<Column> {
        match &self.1 {
            Some(Dtype::Objects(_)) => Err(PyTypeError::new_err(
                "a column of Python objects has no values for this function: cast it to a type first",
            )),
            _ => Ok(self.0.clone()),
        }
    }

    /// The same dtype over other rows.
    fn like(&self, column: Column) -> Self {
        Self(column, self.1.clone())
    }
}

/// Reads an optional type argument.
pub fn optional_type(dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Option<DataType>> {
    dtype.map(dtype::require_storage).transpose()
}

#[pymethods]
#[allow(clippy::type_complexity)]
impl PyColumn {
    /// The type of the elements as data frames have it; `type()` is that of pylibcuprum.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, DType>> {
        dtype::to_py(py, self.typed()?.dtype())
    }

    /// The number of elements.
    fn size(&self) -> usize {
        self.0.len()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The number of nulls; counted once and kept.
    fn null_count(&self) -> PyResult<usize> {
        match &self.1 {
            Some(Dtype::Objects(_)) => self.typed()?.null_count().py(),
            _ => self.0.null_count().py(),
        }
    }

    /// The position of the first element in the buffers.
    fn offset(&self) -> usize {
        self.0.offset()
    }

    /// Bytes of memory behind the column: buffers whole, children included.
    fn device_buffer_size(&self) -> usize {
        self.0.nbytes()
    }

    /// The rows from ``start`` on, ``length`` of them, sharing memory.
    ///
    /// Parameters
    /// ----------
    /// start : int
    ///     The first row.
    /// length : int
    ///     How many rows there are.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The rows; nulls stay null.
    ///
    /// Raises
    /// ------
    /// IndexError
    ///     For rows that are not there.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_iterable_of_py([1, None, 3]).slice(1, 2).to_pylist()
    /// [None, 3]
    fn slice(&self, start: usize, length: usize) -> PyResult<Self> {
        self.0.slice(start, length).py().map(|column| self.like(column))
    }

    /// Element ``row`` as a Python object; None where it is null.
    ///
    /// Parameters
    /// ----------
    /// row : int
    ///     The number of the row.
    ///
    /// Returns
    /// -------
    /// object
    ///     The element.
    ///
    /// Raises
    /// ------
    /// IndexError
    ///     For a row that is not there.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_iterable_of_py([1, None]).get(1) is None
    /// True
    fn get<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        element(py, &self.typed()?, row, scalar::value_to_py)
    }

    /// A column of ``size`` times ``value``, of type ``dtype`` or the value's own.
    ///
    /// Parameters
    /// ----------
    /// value : scalar
    ///     The element; None is null.
    /// size : int
    ///     The number of rows.
    /// dtype : dtype or str, optional
    ///     The type; by default that of the value.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The rows.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For a value that is none of the type.
    /// OverflowError
    ///     For a number out of the type's range.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.filled(7, 2, "int8").to_pylist()
    /// [7, 7]
    #[staticmethod]
    #[pyo3(signature = (value, size, dtype=None))]
    fn filled(
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        size: usize,
        dtype: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if dtype.is_none() && (scalar::instant(value)?.is_some() || scalar::is_interval(value)?) {
            let label = label::from_py(value)?;
            return Self::of(&run(py, "filled", size, |ctx| TypedColumn::constant(&label, size, ctx))?);
        }
        let scalar = match optional_type(dtype)? {
            Some(data_type) => scalar::from_py_as(value, data_type)?,
            None => scalar::from_py(value)?.scalar,
        };
        run(py, "filled", size, |ctx| Column::from_scalar(&scalar, size, ctx)).map(Self::plain)
    }

    /// A column of the elements of an iterable of scalars.
    ///
    /// Parameters
    /// ----------
    /// obj : iterable
    ///     The elements. None, NA and NaT are null; a float NaN stays one among numbers and is null elsewhere.
    /// dtype : dtype or str, optional
    ///     The type, which every element has to fit. By default that of the elements: int becomes int64, int among
    ///     float float64, bool, str, datetime datetime64[us], date datetime64[D], timedelta timedelta64[us], list and
    ///     dict lists and structs, Decimal decimal128, bytes binary.
    /// kept : bool, default False
    ///     Refuse containers that the column would not give back as they are: tuples, subclasses of list and dict,
    ///     dicts whose keys differ.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements in their order.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For elements of unlike types.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_scalars([1, 2.5, None]).to_pylist()
    /// [1.0, 2.5, None]
    #[staticmethod]
    #[pyo3(signature = (obj, dtype=None, *, kept=false))]
    fn from_scalars(obj: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>, kept: bool) -> PyResult<Self> {
        let list = sequence::list_of(obj)?;
        let containers = if kept { Containers::Kept } else { Containers::Any };
        if dtype.is_none()
            && let Some(column) = objects::column_from_objects(&list, containers)?
        {
            return Self::of(&*column.placed(&Context::current()).py()?);
        }
        Self::come(sequence::column_from_list(&list, optional_type(dtype)?)?)
    }

    /// A column of dtype ``object`` with the elements of an iterable, whatever they are.
    ///
    /// Parameters
    /// ----------
    /// obj : iterable
    ///     The elements; None, NA and NaN are missing.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements in their order, in host memory.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_objects([1, 'a']).is_of_objects()
    /// True
    #[staticmethod]
    fn from_objects(obj: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(&column_of_objects(&sequence::list_of(obj)?)?)
    }

    /// Whether the column is one of objects.
    fn is_of_objects(&self) -> bool {
        matches!(self.1, Some(Dtype::Objects(_)))
    }

    /// A column of the elements of a one-dimensional NumPy array.
    ///
    /// Parameters
    /// ----------
    /// obj : numpy.ndarray
    ///     The array. NaT becomes null, NaN stays.
    /// copy : bool, default True
    ///     With False packed numbers are shared with the array: nobody may write to it while the column or anything
    ///     made of it lives.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements in their order.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> import numpy as np
    /// >>> Column.from_numpy(np.array([1.5, np.nan])).null_count()
    /// 0
    #[staticmethod]
    #[pyo3(signature = (obj, copy=true))]
    fn from_numpy(obj: &Bound<'_, PyAny>, copy: bool) -> PyResult<Self> {
        Self::come(array_interface::column_from_array(obj, copy)?)
    }

    /// The same values, null where a mask is true or null, as pandas' masks have it.
    ///
    /// Parameters
    /// ----------
    /// mask : Column
    ///     A column of bools of the same length.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The values; nulls stay null.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For a mask that is none of bools.
    /// ValueError
    ///     For a mask of another length.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> mask = Column.from_iterable_of_py([False, True])
    /// >>> Column.from_iterable_of_py([1, 2]).with_nulls(mask).to_pylist()
    /// [1, None]
    fn with_nulls(&self, py: Python<'_>, mask: PyRef<'_, Self>) -> PyResult<Self> {
        let (column, mask) = (&self.0, &mask.0);
        if mask.data_type() != DataType::Bool8 {
            return Err(PyTypeError::new_err(format!("`mask` is of type {}, not bool", mask.data_type())));
        }
        if mask.len() != column.len() {
            return Err(PyValueError::new_err(format!(
                "`mask` has {} rows, the column {}",
                mask.len(),
                column.len()
            )));
        }
        run(py, "with_nulls", column.len(), |_| {
            let there = column.context()?;
            let (column, mask) = (&column.to_host()?, &mask.to_host()?);
            let ctx = &Context::beside(Device::Cpu)?;
            let (view, flags) = (column.view()?, mask.view()?);
            let (known, before) = (flags.validity(), view.validity());
            let flags = flags.values::<u8>()?;
            let valid =
                |i: usize| flags[i] == 0 && known.is_none_or(|v| v.get(i)) && before.is_none_or(|v| v.get(i));
            let bits = cuprum_column::null_mask::from_fn(column.len(), ctx, valid)?;
            column.with_mask(Some(bits), ctx)?.to_device(&there)
        })
        .map(|column| self.like(column))
    }

    /// The values of categories and whether they are in order; None for other columns.
    fn categories<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, Self>, bool)>> {
        let Some(Dtype::Categorical(kind)) = &self.1 else { return Ok(None) };
        let values = Bound::new(py, Self::of(kind.categories().values())?)?;
        Ok(Some((values, kind.categories().is_ordered())))
    }

    /// The values of a column: those of categories and dictionaries, instants in UTC, others as they are.
    fn flat(&self, py: Python<'_>) -> PyResult<Self> {
        let column = self.typed()?;
        let plain = |column: TypedColumn| column.decoded()?.data().cloned();
        run(py, "flat", column.len(), move |_| plain(column)).map(Self::plain)
    }

    /// The codes of a column of categories: their positions, null where a value is missing.
    fn codes(&self) -> Self {
        Self::plain(self.0.clone())
    }

    /// A column of categories from codes, which are below the number of categories or null.
    ///
    /// Parameters
    /// ----------
    /// codes : Column
    ///     Integers: the position of each row's category.
    /// categories : Column
    ///     The categories, which differ.
    /// ordered : bool
    ///     Whether the categories are in order.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The rows; missing where a code is null.
    ///
    /// Raises
    /// ------
    /// IndexError
    ///     For a code that no category has.
    /// ValueError
    ///     For categories that repeat.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> codes, cities = Column.from_scalars([1, 0], "int32"), Column.from_scalars(["Bern", "Chur"])
    /// >>> Column.from_codes(codes, cities, False).to_pylist()
    /// ['Chur', 'Bern']
    #[staticmethod]
    fn from_codes(
        py: Python<'_>,
        codes: PyRef<'_, Self>,
        categories: PyRef<'_, Self>,
        ordered: bool,
    ) -> PyResult<Self> {
        let (codes, values) = (codes.0.clone(), categories.typed()?.decoded().py()?);
        let column = run(py, "from_codes", codes.len(), move |_| {
            Categorical::of(Categories::new(values, ordered)?).from_codes(&codes)
        })?;
        Self::of(&column)
    }

    /// A column of periods from ordinals, or from the times that lie in them.
    ///
    /// Parameters
    /// ----------
    /// values : Column
    ///     Integers, or times without a zone; null is missing.
    /// frequency : str
    ///     The frequency, such as ``'M'``.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The periods.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a frequency that is not known.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> str(Column.of_periods(Column.from_scalars([0, 1]), "M").dtype)
    /// 'period[M]'
    #[staticmethod]
    fn of_periods(py: Python<'_>, values: PyRef<'_, Self>, frequency: &str) -> PyResult<Self> {
        let (values, kind) = (values.typed()?, frequency.parse::<Period>().py()?);
        let made = run(py, "of_periods", values.len(), move |_| match values.dtype().storage() {
            DataType::Int64 => TypedColumn::new(Dtype::Period(kind), values.rows()?.clone()),
            _ => to_periods(&values, kind),
        })?;
        Self::of(&made)
    }

    /// The times of periods: where they begin, where they end, or their dates.
    ///
    /// Parameters
    /// ----------
    /// which : ``'start'``, ``'end'`` or ``'dates'``
    ///     Where they begin, the last times in them, or those that have their year, month and so on.
    ///
    /// Returns
    /// -------
    /// Column
    ///     Times without a zone; missing where a period is.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For a column of other elements.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> months = Column.of_periods(Column.from_scalars([0]), "M")
    /// >>> months.times_of_periods("start").to_pylist()
    /// [np.datetime64('1970-01-01T00:00:00.000000')]
    fn times_of_periods(&self, py: Python<'_>, which: &str) -> PyResult<Self> {
        let column = self.typed()?;
        let made = run(py, "times_of_periods", column.len(), move |_| match which {
            "start" => period_bounds(&column, PeriodEdge::Start),
            "end" => period_bounds(&column, PeriodEdge::End),
            _ => period_dates(&column),
        })?;
        Self::of(&made)
    }

    /// The periods of another frequency in which these end, or begin.
    ///
    /// Parameters
    /// ----------
    /// frequency : str
    ///     The frequency, such as ``'D'``.
    /// ends : bool
    ///     Whether the ends count, else the beginnings.
    ///
    /// Returns
    /// -------
    /// Column
    ///     A period for each; missing where one is.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For a column of other elements.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> months = Column.of_periods(Column.from_scalars([0]), "M")
    /// >>> months.as_periods("D", True).times_of_periods("start").get(0)
    /// Timestamp('1970-01-31 00:00:00')
    fn as_periods(&self, py: Python<'_>, frequency: &str, ends: bool) -> PyResult<Self> {
        let (column, kind) = (self.typed()?, frequency.parse::<Period>().py()?);
        let edge = if ends { PeriodEdge::End } else { PeriodEdge::Start };
        Self::of(&run(py, "asfreq", column.len(), move |_| period_as(&column, kind, edge))?)
    }

    /// A column of instants in a zone, from timestamps in UTC.
    ///
    /// Parameters
    /// ----------
    /// instants : Column
    ///     Times in UTC.
    /// zone : str
    ///     The zone, such as ``'Europe/Zurich'``.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The same instants; null stays null.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For a column of other elements.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> import numpy as np
    /// >>> times = Column.from_numpy(np.array(["2024-07-01T12:00"], "M8[s]"))
    /// >>> str(Column.of_instants(times, "Europe/Zurich").dtype)
    /// 'datetime64[s, Europe/Zurich]'
    #[staticmethod]
    fn of_instants(instants: PyRef<'_, Self>, zone: &str) -> PyResult<Self> {
        let data = instants.values_for("being instants")?;
        let DataType::Timestamp(unit) = data.data_type() else {
            return Err(PyTypeError::new_err(format!(
                "instants are timestamps, these are {}",
                data.data_type()
            )));
        };
        let dtype = Dtype::Datetime(Datetime { unit, zone: Some(zone.into()) });
        Self::of(&TypedColumn::new(dtype, data).py()?)
    }

    /// The column as another dtype.
    ///
    /// Parameters
    /// ----------
    /// dtype : dtype or str
    ///     The type, as `cuprum.Series.astype` has it.
    ///
    /// Returns
    /// -------
    /// Column
    ///     The elements as that; null stays null.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     For types that do not become each other.
    /// ValueError
    ///     For a text that is none of the type.
    /// OverflowError
    ///     For an element out of the type's range.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_scalars(["1", None]).cast("int64").to_pylist()
    /// [1, None]
    fn cast(&self, py: Python<'_>, dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (column, to) = (self.typed()?, dtype::require_target(dtype)?);
        Self::of(&run(py, "astype", column.len(), move |_| to.cast(&column))?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrow::field_capsule(py, &self.typed()?.arrow_field("").py()?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        match &self.1 {
            None => arrow::array_capsules_with(py, &self.0, &ColumnMetadata::default(), requested_schema),
            Some(_) => arrow::typed_array_capsules(py, &self.typed()?),
        }
    }

    /// The column as an Arrow array in the memory of its device.
    #[pyo3(signature = (requested_schema=None, **unknown))]
    fn __arrow_c_device_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
        unknown: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // The protocol lets a producer ignore a request it cannot meet, but not arguments it does not know.
        let _ = requested_schema;
        let set = |(_, value): &(Bound<'_, PyAny>, Bound<'_, PyAny>)| !value.is_none();
        if let Some((name, _)) = unknown.and_then(|unknown| unknown.iter().find(set)) {
            return Err(PyNotImplementedError::new_err(format!("the argument '{name}' is not known")));
        }
        match &self.1 {
            None => arrow::device_array_capsules(py, &self.0, &ColumnMetadata::default()),
            Some(dtype) => {
                let column = self.typed()?.exported_in_place().py()?;
                arrow::device_array_capsules(py, &column, &dtype.metadata(""))
            }
        }
    }

    /// The stored values as a buffer that NumPy can view; undefined under nulls. Not for text.
    fn values(&self) -> PyResult<HostArray> {
        HostArray::stored(&self.0).py()
    }

    /// The values as a buffer that NumPy can view, nulls written NumPy's way.
    ///
    /// Nulls are NaN, which makes integers float64, and NaT. Not for text, nor for bool with nulls.
    fn values_with_missing(&self, py: Python<'_>) -> PyResult<HostArray> {
        run(py, "values_with_missing", self.0.len(), |_| HostArray::with_missing(&self.0))
    }

    /// A buffer of one bool per row, true where the row is null.
    fn null_flags(&self, py: Python<'_>) -> PyResult<HostArray> {
        run(py, "null_flags", self.0.len(), |_| HostArray::null_flags(&self.0))
    }

    /// The elements as a list of Python objects; times without a zone are NumPy's scalars.
    ///
    /// Parameters
    /// ----------
    /// null : object, optional
    ///     What stands for a null; None by default.
    ///
    /// Returns
    /// -------
    /// list
    ///     The elements in their order.
    ///
    /// Examples
    /// --------
    /// >>> from pylibcuprum import Column
    /// >>> Column.from_scalars(["a", None]).to_pylist("-")
    /// ['a', '-']
    #[pyo3(signature = (null=None))]
    fn to_pylist<'py>(
        &self,
        py: Python<'py>,
        null: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let null = null.unwrap_or_else(|| py.None().into_bound(py));
        match &self.1 {
            None => sequence::list_from_column(py, &self.0.to_host().py()?, &null),
            Some(_) => scalar::typed_list(py, &self.typed()?, &null),
        }
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }

    /// A pickled column: its dtype and its rows in one block.
    #[staticmethod]
    fn _unpacked(dtype: PyRef<'_, DType>, metadata: &[u8], data: &[u8]) -> PyResult<Self> {
        let data = Context::beside(Device::Cpu).and_then(|host| Buffer::copy_from_slice(data, &host)).py()?;
        let column = contiguous_split::unpack_from(metadata, &data).py()?.into_columns().remove(0);
        let column = TypedColumn::new(dtype.0.clone(), column).py()?;
        Self::of(&*column.placed(&Context::current()).py()?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let this = slf.borrow();
        let column = this.0.to_host().py()?;
        if let Some(Dtype::Objects(_)) = &this.1 {
            let objects = objects_of(py, &this.typed()?, &PyFloat::new(py, f64::NAN).into_any())?;
            return Ok((py.get_type::<Self>().getattr("from_objects")?, (objects,).into_pyobject(py)?));
        }
        if let Some(dtype) = &this.1 {
            let packed = run(py, "pickle", column.len(), move |_| {
                contiguous_split::pack(&Table::new(vec![column])?, &Context::beside(Device::Cpu)?)
            })?;
            let bytes = packed.data().clone();
            let bytes = Column::from_buffer(DataType::UInt8, bytes.len(), bytes, None).py()?;
            let view = bytes.view().py()?;
            let data = view.values::<u8>().py()?;
            let parts =
                (dtype::to_py(py, dtype)?, PyBytes::new(py, packed.metadata()), PyBytes::new(py, data));
            return Ok((py.get_type::<Self>().getattr("_unpacked")?, parts.into_pyobject(py)?));
        }
        let values = sequence::list_from_column(py, &column, &py.None().into_bound(py))?;
        let rebuild = py.get_type::<Self>().getattr("from_iterable_of_py")?;
        Ok((rebuild, (values, column.data_type().to_string()).into_pyobject(py)?))
    }
}
