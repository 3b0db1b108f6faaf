//! `pylibcuprum.expressions`: formulas that have no types until they meet a table.

use std::sync::Arc;

use cuprum_column::{Error, Result, Scalar, Table};
use cuprum_compute::expression::Expression;
use pyo3::PyClass;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::binding::{Argument, wrong_type};
use super::operators::{Operator, binary, unary};
use super::scalar::PyScalar;

/// A formula.
#[derive(Clone)]
pub enum Formula {
    Literal(Scalar),
    /// A column of one of the tables, by number.
    Column {
        table: usize,
        index: usize,
    },
    /// A column by a name; tables here have none.
    Name(String),
    Unary(Operator, Arc<Formula>),
    Binary(Operator, Arc<Formula>, Arc<Formula>),
}

/// The greatest depth of a formula: walking it uses the stack.
const DEPTH: usize = 400;
/// The greatest number of operations of a formula, those of shared operands counted each time.
const OPERATIONS: usize = 100_000;

impl Formula {
    /// The formula over the columns of the tables side by side.
    pub fn over(&self, tables: &[&Table]) -> Result<Expression> {
        match self {
            Self::Literal(value) => Ok(Expression::literal(value.clone())),
            Self::Column { table, index } => {
                let column = tables
                    .get(*table)
                    .ok_or_else(|| {
                        Error::invalid_argument("the formula refers to a second table; there is one")
                    })?
                    .column(*index)?;
                let before: usize = tables[..*table].iter().map(|table| table.num_columns()).sum();
                Ok(Expression::column(before + index, column.data_type()))
            }
            Self::Name(name) => Err(Error::invalid_argument(format!(
                "the formula names the column {name:?}; tables have no names, use ColumnReference"
            ))),
            Self::Unary(op, operand) => unary(op, operand.over(tables)?),
            Self::Binary(op, left, right) => binary(op, left.over(tables)?, right.over(tables)?),
        }
    }
}

impl Argument for Formula {
    fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let formula = object.cast::<PyExpression>().map_err(|_| wrong_type(name, "an Expression", object))?;
        Ok(Self::clone(&formula.get().formula))
    }
}

/// A formula over the columns of a table, or of two.
///
/// Examples
/// --------
/// >>> from pylibcuprum.expressions import ColumnReference, Expression
/// >>> isinstance(ColumnReference(0), Expression)
/// True
#[pyclass(frozen, subclass, module = "pylibcuprum.expressions", name = "Expression")]
pub struct PyExpression {
    formula: Arc<Formula>,
    depth: usize,
    operations: usize,
}

#[pymethods]
impl PyExpression {
    #[new]
    fn new() -> PyResult<Self> {
        Err(PyTypeError::new_err(
            "an Expression is a Literal, a ColumnReference, a ColumnNameReference or an Operation",
        ))
    }

    /// The parts of the formula, for its readers: the name of its kind, and its operands.
    fn _parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        parts(py, &self.formula)
    }
}

/// Formulas are not deeper than [`DEPTH`].
fn parts<'py>(py: Python<'py>, formula: &Formula) -> PyResult<Bound<'py, PyTuple>> {
    match formula {
        Formula::Literal(value) => ("literal", PyScalar(value.clone())).into_pyobject(py),
        Formula::Column { table, index } => ("column", *table, *index).into_pyobject(py),
        Formula::Name(name) => ("name", name).into_pyobject(py),
        Formula::Unary(op, operand) => ("operation", op.to_string(), parts(py, operand)?).into_pyobject(py),
        Formula::Binary(op, left, right) => {
            ("operation", op.to_string(), parts(py, left)?, parts(py, right)?).into_pyobject(py)
        }
    }
}

fn derived<T: PyClass<BaseType = PyExpression>>(kind: T, formula: Formula) -> PyClassInitializer<T> {
    let leaf = PyExpression { formula: Arc::new(formula), depth: 1, operations: 1 };
    PyClassInitializer::from(leaf).add_subclass(kind)
}

/// One value for all rows.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column, Table, transform
/// >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Literal, Operation
/// >>> table = Table([Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py([10, 20])])
/// >>> from pylibcuprum import Scalar
/// >>> twice = Operation(ASTOperator.MUL, ColumnReference(0), Literal(Scalar.from_py(2)))
/// >>> transform.compute_column(table, twice).to_pylist()
/// [2, 4]
#[pyclass(frozen, extends = PyExpression, module = "pylibcuprum.expressions", name = "Literal")]
pub struct PyLiteral;

#[pymethods]
impl PyLiteral {
    #[new]
    fn new(value: PyRef<'_, PyScalar>) -> PyClassInitializer<Self> {
        derived(Self, Formula::Literal(value.0.clone()))
    }
}

/// A column of the table, or of the left or right one of a join.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column, Table, transform
/// >>> from pylibcuprum.expressions import ColumnReference
/// >>> table = Table([Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py([10, 20])])
/// >>> transform.compute_column(table, ColumnReference(1)).to_pylist()
/// [10, 20]
#[pyclass(frozen, extends = PyExpression, module = "pylibcuprum.expressions", name = "ColumnReference")]
pub struct PyColumnReference;

#[pymethods]
impl PyColumnReference {
    #[new]
    #[pyo3(signature = (index, table_source=0))]
    fn new(index: usize, table_source: usize) -> PyResult<PyClassInitializer<Self>> {
        if table_source > 1 {
            return Err(PyValueError::new_err(format!(
                "`table_source` is {table_source}, which is no TableReference"
            )));
        }
        Ok(derived(Self, Formula::Column { table: table_source, index }))
    }
}

/// A column by its name, for files.
///
/// Examples
/// --------
/// >>> from pylibcuprum.expressions import ASTOperator, ColumnNameReference, Operation
/// >>> filter = Operation(ASTOperator.LESS, ColumnNameReference("a"), ColumnNameReference("b"))
#[pyclass(frozen, extends = PyExpression, module = "pylibcuprum.expressions", name = "ColumnNameReference")]
pub struct PyColumnNameReference;

#[pymethods]
impl PyColumnNameReference {
    #[new]
    fn new(name: String) -> PyClassInitializer<Self> {
        derived(Self, Formula::Name(name))
    }
}

/// An operator of one or two formulas.
///
/// Examples
/// --------
/// >>> from pylibcuprum import Column, Table, transform
/// >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation
/// >>> table = Table([Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py([10, 20])])
/// >>> total = Operation(ASTOperator.ADD, ColumnReference(0), ColumnReference(1))
/// >>> transform.compute_column(table, total).to_pylist()
/// [11, 22]
#[pyclass(frozen, extends = PyExpression, module = "pylibcuprum.expressions", name = "Operation")]
pub struct PyOperation;

#[pymethods]
impl PyOperation {
    #[new]
    #[pyo3(signature = (op, left, right=None))]
    fn new(
        op: &Bound<'_, PyAny>,
        left: PyRef<'_, PyExpression>,
        right: Option<PyRef<'_, PyExpression>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let op = Operator::of("ASTOperator", op)?;
        let operands = if op.is_unary() { 1 } else { 2 };
        let given = 1 + usize::from(right.is_some());
        if operands != given {
            return Err(PyValueError::new_err(format!("`op` {op} takes {operands} operands, not {given}")));
        }
        let (mut depth, mut operations) = (left.depth + 1, left.operations + 1);
        let formula = match right {
            None => Formula::Unary(op, left.formula.clone()),
            Some(right) => {
                depth = depth.max(right.depth + 1);
                operations += right.operations;
                Formula::Binary(op, left.formula.clone(), right.formula.clone())
            }
        };
        if depth > DEPTH {
            return Err(PyValueError::new_err(format!("the formula is deeper than {DEPTH}")));
        }
        if operations > OPERATIONS {
            return Err(PyValueError::new_err(format!("the formula has more than {OPERATIONS} operations")));
        }
        let expression = PyExpression { formula: Arc::new(formula), depth, operations };
        Ok(PyClassInitializer::from(expression).add_subclass(Self))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let expressions = PyModule::new(module.py(), "_expressions")?;
    expressions.add_class::<PyExpression>()?;
    expressions.add_class::<PyLiteral>()?;
    expressions.add_class::<PyColumnReference>()?;
    expressions.add_class::<PyColumnNameReference>()?;
    expressions.add_class::<PyOperation>()?;
    module.add("_expressions", expressions)
}
