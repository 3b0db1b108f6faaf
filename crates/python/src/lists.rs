//! `pylibcuprum.lists`: lists, row by row.

use cuprum_column::{Column, Context, Result};
use cuprum_compute::binaryop::Operand;
use cuprum_compute::copying::OutOfBoundsPolicy;
use cuprum_compute::lists::{self, ConcatenateNullPolicy, DuplicateFindOption, NanEquality, NullEquality};
use cuprum_compute::sorting::{NullOrder, Order};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::column::PyColumn;
use crate::pylib::binding::device_of;
use crate::pylib::scalar::PyScalar;
use crate::pylib::table::{PyTable, table_of};
use crate::rmm;
use crate::rmm::resource::PyResource;
use crate::rmm::stream::StreamArgument;
use crate::run::run_on;

/// The stream and the resource of the result.
type Target<'a, 'py> = (Option<StreamArgument>, Option<&'a Bound<'py, PyResource>>);
type ResourceArgument<'a, 'py> = Option<&'a Bound<'py, PyResource>>;

fn column(
    py: Python<'_>,
    operation: &str,
    input: &Column,
    (stream, mr): Target<'_, '_>,
    make: impl FnOnce(&Context) -> Result<Column> + Send,
) -> PyResult<PyColumn> {
    let ctx = rmm::context(device_of(std::slice::from_ref(input)), stream, mr)?;
    run_on(py, operation, input.len(), ctx, make).map(PyColumn::plain)
}

/// Functions of one column, called by their names.
macro_rules! of_one_column {
    ($($name:ident),*) => {$(
        #[pyfunction]
        #[pyo3(signature = (input, stream=None, mr=None))]
        fn $name(
            py: Python<'_>,
            input: PyRef<'_, PyColumn>,
            stream: Option<StreamArgument>,
            mr: ResourceArgument<'_, '_>,
        ) -> PyResult<PyColumn> {
            let input = input.0.clone();
            column(py, stringify!($name), &input, (stream, mr), |ctx| lists::$name(&input, ctx))
        }
    )*};
}

/// Functions of two columns, called by their names.
macro_rules! of_two_columns {
    ($($name:ident),*) => {$(
        #[pyfunction]
        #[pyo3(signature = (input, mask, stream=None, mr=None))]
        fn $name(
            py: Python<'_>,
            input: PyRef<'_, PyColumn>,
            mask: PyRef<'_, PyColumn>,
            stream: Option<StreamArgument>,
            mr: ResourceArgument<'_, '_>,
        ) -> PyResult<PyColumn> {
            let (input, mask) = (input.0.clone(), mask.0.clone());
            column(py, stringify!($name), &input, (stream, mr), |ctx| lists::$name(&input, &mask, ctx))
        }
    )*};
}

/// Functions of lists as sets, called by their names.
macro_rules! of_two_sets {
    ($($name:ident),*) => {$(
        #[pyfunction]
        #[pyo3(signature = (lhs, rhs, nulls_equal, nans_equal, stream=None, mr=None))]
        fn $name(
            py: Python<'_>,
            lhs: PyRef<'_, PyColumn>,
            rhs: PyRef<'_, PyColumn>,
            nulls_equal: bool,
            nans_equal: bool,
            stream: Option<StreamArgument>,
            mr: ResourceArgument<'_, '_>,
        ) -> PyResult<PyColumn> {
            let (lhs, rhs) = (lhs.0.clone(), rhs.0.clone());
            let (nulls, nans) = equality(nulls_equal, nans_equal);
            column(py, stringify!($name), &lhs, (stream, mr), |ctx| lists::$name(&lhs, &rhs, nulls, nans, ctx))
        }
    )*};
}

/// Functions that make rows of elements, called by their names.
macro_rules! explosions {
    ($($name:ident),*) => {$(
        #[pyfunction]
        #[pyo3(signature = (input, explode_column_idx, stream=None, mr=None))]
        fn $name(
            py: Python<'_>,
            input: &Bound<'_, PyAny>,
            explode_column_idx: usize,
            stream: Option<StreamArgument>,
            mr: ResourceArgument<'_, '_>,
        ) -> PyResult<PyTable> {
            let table = table_of("input", input)?;
            let ctx = rmm::context(device_of(table.columns()), stream, mr)?;
            let make = |ctx: &Context| lists::$name(&table, explode_column_idx, ctx);
            run_on(py, stringify!($name), table.num_rows(), ctx, make).map(PyTable::new_from)
        }
    )*};
}

of_one_column!(count_elements, contains_nulls, reverse);
of_two_columns!(apply_boolean_mask, apply_deletion_mask);
of_two_sets!(difference_distinct, have_overlap, intersect_distinct, union_distinct);
explosions!(explode, explode_outer, explode_position, explode_outer_position);

fn equality(nulls_equal: bool, nans_equal: bool) -> (NullEquality, NanEquality) {
    (
        if nulls_equal { NullEquality::Equal } else { NullEquality::Unequal },
        if nans_equal { NanEquality::AllEqual } else { NanEquality::Unequal },
    )
}

fn null_policy(nullify: bool) -> ConcatenateNullPolicy {
    if nullify { ConcatenateNullPolicy::NullifyOutputRow } else { ConcatenateNullPolicy::Ignore }
}

#[pyfunction]
#[pyo3(signature = (input, nulls_equal, nans_equal, stream=None, mr=None))]
fn distinct(
    py: Python<'_>,
    input: PyRef<'_, PyColumn>,
    nulls_equal: bool,
    nans_equal: bool,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let input = input.0.clone();
    let (nulls, nans) = equality(nulls_equal, nans_equal);
    column(py, "distinct", &input, (stream, mr), |ctx| lists::distinct(&input, nulls, nans, ctx))
}

#[pyfunction]
#[pyo3(signature = (input, stream=None, mr=None))]
fn concatenate_rows(
    py: Python<'_>,
    input: &Bound<'_, PyAny>,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let table = table_of("input", input)?;
    let ctx = rmm::context(device_of(table.columns()), stream, mr)?;
    let make = |ctx: &Context| lists::concatenate_rows(&table, ConcatenateNullPolicy::Ignore, ctx);
    run_on(py, "concatenate_rows", table.num_rows(), ctx, make).map(PyColumn::plain)
}

#[pyfunction]
#[pyo3(signature = (input, nullify, stream=None, mr=None))]
fn concatenate_list_elements(
    py: Python<'_>,
    input: PyRef<'_, PyColumn>,
    nullify: bool,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let input = input.0.clone();
    column(py, "concatenate_list_elements", &input, (stream, mr), |ctx| {
        lists::concatenate_list_elements(&input, null_policy(nullify), ctx)
    })
}

/// The value to look for: one for all lists, or a column with one for each.
enum Key {
    Column(Column),
    Scalar(cuprum_column::Scalar),
}

impl Key {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(column) = object.extract::<PyRef<'_, PyColumn>>() {
            return Ok(Self::Column(column.0.clone()));
        }
        let scalar = object.extract::<PyRef<'_, PyScalar>>().map_err(|_| {
            PyTypeError::new_err(format!("`search_key` is a {}, not a Column or Scalar", object.get_type()))
        })?;
        Ok(Self::Scalar(scalar.0.clone()))
    }

    fn operand(&self) -> Operand<'_> {
        match self {
            Self::Column(column) => column.into(),
            Self::Scalar(scalar) => scalar.into(),
        }
    }
}

#[pyfunction]
#[pyo3(signature = (input, search_key, stream=None, mr=None))]
fn contains(
    py: Python<'_>,
    input: PyRef<'_, PyColumn>,
    search_key: &Bound<'_, PyAny>,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let (input, key) = (input.0.clone(), Key::of(search_key)?);
    column(py, "contains", &input, (stream, mr), |ctx| lists::contains(&input, key.operand(), ctx))
}

#[pyfunction]
#[pyo3(signature = (input, search_key, last, stream=None, mr=None))]
fn index_of(
    py: Python<'_>,
    input: PyRef<'_, PyColumn>,
    search_key: &Bound<'_, PyAny>,
    last: bool,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let (input, key) = (input.0.clone(), Key::of(search_key)?);
    let option = if last { DuplicateFindOption::FindLast } else { DuplicateFindOption::FindFirst };
    column(py, "index_of", &input, (stream, mr), |ctx| lists::index_of(&input, key.operand(), option, ctx))
}

/// Positions in lists: one for all of them, or a column with one for each.
#[derive(FromPyObject)]
enum Positions<'py> {
    One(i64),
    Each(PyRef<'py, PyColumn>),
}

#[pyfunction]
#[pyo3(signature = (input, index, stream=None, mr=None))]
fn extract_list_element(
    py: Python<'_>,
    input: PyRef<'_, PyColumn>,
    index: Positions<'_>,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let input = input.0.clone();
    let name = "extract_list_element";
    match index {
        Positions::One(index) => {
            column(py, name, &input, (stream, mr), |ctx| lists::extract_list_element(&input, index, ctx))
        }
        Positions::Each(indices) => {
            let indices = indices.0.clone();
            column(py, name, &input, (stream, mr), |ctx| lists::extract_list_elements(&input, &indices, ctx))
        }
    }
}

#[pyfunction]
#[pyo3(signature = (input, gather_map_list, nullify, stream=None, mr=None))]
fn segmented_gather(
    py: Python<'_>,
    input: PyRef<'_, PyColumn>,
    gather_map_list: PyRef<'_, PyColumn>,
    nullify: bool,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let (input, map) = (input.0.clone(), gather_map_list.0.clone());
    let policy = if nullify { OutOfBoundsPolicy::Nullify } else { OutOfBoundsPolicy::Check };
    column(py, "segmented_gather", &input, (stream, mr), |ctx| {
        lists::segmented_gather(&input, &map, policy, ctx)
    })
}

#[pyfunction]
#[pyo3(signature = (starts, sizes, steps=None, stream=None, mr=None))]
fn sequences(
    py: Python<'_>,
    starts: PyRef<'_, PyColumn>,
    sizes: PyRef<'_, PyColumn>,
    steps: Option<PyRef<'_, PyColumn>>,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let (starts, sizes, steps) = (starts.0.clone(), sizes.0.clone(), steps.map(|steps| steps.0.clone()));
    column(py, "sequences", &starts, (stream, mr), |ctx| {
        lists::sequences(&starts, &sizes, steps.as_ref(), ctx)
    })
}

#[pyfunction]
#[pyo3(signature = (input, descending, nulls_last, stream=None, mr=None))]
fn sort_lists(
    py: Python<'_>,
    input: PyRef<'_, PyColumn>,
    descending: bool,
    nulls_last: bool,
    stream: Option<StreamArgument>,
    mr: ResourceArgument<'_, '_>,
) -> PyResult<PyColumn> {
    let input = input.0.clone();
    let order = if descending { Order::Descending } else { Order::Ascending };
    let nulls = if nulls_last { NullOrder::Last } else { NullOrder::First };
    column(py, "sort_lists", &input, (stream, mr), |ctx| lists::sort_lists(&input, order, nulls, ctx))
}

/// Adds the contents of `pylibcuprum.lists`.
pub fn register(parent: &Bound<'_, PyModule>) -> PyResult<()> {
    let module = PyModule::new(parent.py(), "_lists")?;
    macro_rules! add {
        ($($name:ident),* $(,)?) => { $(module.add_function(wrap_pyfunction!($name, &module)?)?;)* };
    }
    add!(
        apply_boolean_mask,
        apply_deletion_mask,
        concatenate_list_elements,
        concatenate_rows,
        contains,
        contains_nulls,
        count_elements,
        difference_distinct,
        distinct,
        explode,
        explode_outer,
        explode_outer_position,
        explode_position,
        extract_list_element,
        have_overlap,
        index_of,
        intersect_distinct,
        reverse,
        segmented_gather,
        sequences,
        sort_lists,
        union_distinct,
    );
    parent.add_submodule(&module)
}
