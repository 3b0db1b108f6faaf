//! Expressions over the rows of a frame.

use std::collections::HashMap;

use cuprum_column::{Column, Context, DataType, Detail, Error, Result, Scalar, Table};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::expression::{self as compute, Expression, evaluate};
use cuprum_compute::filling;
use cuprum_compute::stream_compaction;

use super::over::Groups;
use super::rules::{self, Lazy};
use super::{Expr, Function, Node, groups};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame, kept};
use crate::series::Series;
use crate::types::{self, Dtype, TypeRules, TypedColumn, decimal};

/// The value of `@name`.
#[derive(Clone, Debug)]
pub enum Variable {
    /// A value.
    Scalar(Scalar),
    /// A value of any dtype, in a column of one row.
    One(TypedColumn),
    /// Values to look for, or one for each row.
    Values(TypedColumn),
    /// Values whose rows have the labels of the frame, in its order.
    Series(Series),
}

/// The values of the variables of an expression.
pub type Variables = HashMap<String, Variable>;

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Evaluated {
    /// One value in each row.
    Rows(TypedColumn),
    /// One value, in a column of one row: of literals and aggregations alone.
    One(TypedColumn),
}

impl Evaluated {
    /// A column of `rows` rows.
    pub(super) fn into_column(self, rows: usize) -> Result<TypedColumn> {
        match self {
            Self::Rows(column) => Ok(column),
            Self::One(column) => repeated(&column, rows),
        }
    }

    /// The one value.
    pub(super) fn value(&self) -> Result<Option<Scalar>> {
        match self {
            Self::Rows(_) => Ok(None),
            Self::One(column) => column.get(0).map(Some),
        }
    }
}

/// From how many rows on types are checked on none before there is work on all.
const MANY_ROWS: usize = 1 << 12;

/// The values of expressions over the rows of `frame`, computed together.
///
/// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for names that are not there, with
/// [`DataType`](cuprum_column::ErrorKind::DataType) for operations that the types have not.
pub(crate) fn evaluate_all(
    expressions: &[Expr],
    frame: &DataFrame,
    variables: &Variables,
) -> Result<Vec<Evaluated>> {
    // Literals and repeated values come to be on the device of the frame.
    frame.context()?.scope(|| {
        if frame.num_rows() >= MANY_ROWS {
            check_types(expressions, frame, variables)?;
        }
        Evaluator::new(frame, variables, None).run(expressions)
    })
}

/// The values of expressions over the rows of each group of equal keys by themselves; see [`evaluate_all`].
pub(super) fn evaluate_in(
    expressions: &[Expr],
    frame: &DataFrame,
    keys: &[TypedColumn],
    groups: Groups,
) -> Result<Vec<Evaluated>> {
    let none = Variables::new();
    frame.context()?.scope(|| {
        if frame.num_rows() >= MANY_ROWS {
            let no_rows = frame.slice(0, 0)?;
            let keys = keys.iter().map(|key| key.slice(0, 0)).collect::<Result<_>>()?;
            let groups = Groups::new(&no_rows, keys)?;
            Evaluator::in_groups(&no_rows, &none, groups).run(expressions)?;
        }
        Evaluator::in_groups(frame, &none, groups).run(expressions)
    })
}

/// The rows of `frame` where `condition` is true, and whether it is one value for all of them. A formula becomes no
/// column of truth values.
pub(super) fn keep(condition: &Expr, frame: &DataFrame, variables: &Variables) -> Result<(DataFrame, bool)> {
    let is_not_bool =
        |dtype: &Dtype| Error::data_type(format!("the condition {condition} is {dtype}, not bool"));
    frame.context()?.scope(|| {
        if frame.num_rows() >= MANY_ROWS {
            check_types(std::slice::from_ref(condition), frame, variables)?;
        }
        let mut evaluator = Evaluator::new(frame, variables, None);
        evaluator.aggregate_formulas(std::slice::from_ref(condition))?;
        let (mask, is_one) = match evaluator.lower(condition)? {
            Lazy::Pending(formula) if formula.data_type() == DataType::Bool8 => {
                let (inputs, ctx) = (evaluator.table()?, Context::current());
                let rows = stream_compaction::rows_where(&formula, &inputs, &ctx)?;
                return Ok((kept(frame, rows)?, false));
            }
            Lazy::Pending(formula) => return Err(is_not_bool(&Dtype::plain(formula.data_type()))),
            one @ (Lazy::One(_) | Lazy::Literal(_)) => (evaluator.in_rows(one)?, true),
            other => (evaluator.in_rows(other)?, false),
        };
        match mask.dtype() {
            Dtype::Bool(_) => Ok((IndexedFrame::filter(frame, mask.data()?)?, is_one)),
            other => Err(is_not_bool(other)),
        }
    })
}

/// Fails where types do not fit, before there is work.
fn check_types(expressions: &[Expr], frame: &DataFrame, variables: &Variables) -> Result<()> {
    let first = variables.iter().map(|(name, v)| Ok((name.clone(), first_rows(v, frame)?)));
    let first = first.collect::<Result<_>>()?;
    Evaluator::new(&frame.slice(0, 0)?, &first, None).run(expressions)?;
    Ok(())
}

/// A variable for the first 0 rows of a frame.
fn first_rows(variable: &Variable, frame: &DataFrame) -> Result<Variable> {
    match variable {
        Variable::Values(values) if values.len() == frame.num_rows() => {
            Ok(Variable::Values(values.slice(0, 0)?))
        }
        Variable::Series(series) if series.len() == frame.num_rows() => {
            Ok(Variable::Series(series.slice(0, 0)?))
        }
        other => Ok(other.clone()),
    }
}

/// The one value of a column in `rows` rows.
pub(super) fn repeated(one: &TypedColumn, rows: usize) -> Result<TypedColumn> {
    let ctx = Context::current();
    one.moved(|data| {
        let first = filling::sequence(0, 0, rows, &ctx)?;
        copying::gather_column(data, &first, OutOfBoundsPolicy::Check, &ctx)
    })
}

/// Turns expressions into values.
pub(super) struct Evaluator<'a> {
    pub(super) frame: &'a DataFrame,
    variables: &'a Variables,
    /// Aggregations of groups, whose values are there already: the rows are groups.
    aggregated: Option<&'a HashMap<Expr, TypedColumn>>,
    /// The groups of each set of keys.
    pub(super) groups: Vec<(Vec<Expr>, Groups)>,
    /// The groups that functions of rows stay in, by their place among them.
    pub(super) within: Option<usize>,
    /// The columns that formulas refer to.
    pub(super) inputs: Vec<Column>,
    /// What expressions of rows are depends on the groups they are in.
    known: HashMap<(Option<usize>, Expr), Lazy>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(
        frame: &'a DataFrame,
        variables: &'a Variables,
        aggregated: Option<&'a HashMap<Expr, TypedColumn>>,
    ) -> Self {
        let known = HashMap::new();
        Self { frame, variables, aggregated, groups: vec![], within: None, inputs: vec![], known }
    }

    /// Expressions of the rows of each group by themselves.
    pub(super) fn in_groups(frame: &'a DataFrame, variables: &'a Variables, groups: Groups) -> Self {
        let groups = vec![(vec![], groups)];
        Self { groups, within: Some(0), ..Self::new(frame, variables, None) }
    }

    pub(super) fn run(mut self, expressions: &[Expr]) -> Result<Vec<Evaluated>> {
        if self.aggregated.is_none() && self.within.is_none() {
            self.aggregate_formulas(expressions)?;
        }
        let lazies = expressions.iter().map(|e| self.lower(e)).collect::<Result<Vec<_>>>()?;
        let formulas: Vec<Expression> = lazies.iter().filter_map(pending).cloned().collect();
        let mut computed = self.compute(&formulas)?.into_iter();
        let value = |lazy: Lazy| match lazy {
            Lazy::Pending(_) => {
                Ok(Evaluated::Rows(computed.next().expect("one column for each formula").into()))
            }
            Lazy::Digits(_, kind) => {
                let column = computed.next().expect("one column for each formula");
                TypedColumn::new(Dtype::Decimal(kind), column).map(Evaluated::Rows)
            }
            Lazy::Column(column) => Ok(Evaluated::Rows(column)),
            Lazy::One(column) => Ok(Evaluated::One(column)),
            Lazy::Literal(scalar) => literal_column(&scalar).map(Evaluated::One),
        };
        lazies.into_iter().map(value).collect()
    }

    pub(super) fn rows(&self) -> usize {
        self.frame.num_rows()
    }

    fn compute(&self, formulas: &[Expression]) -> Result<Vec<Column>> {
        evaluate(formulas, &self.table()?, &Context::current())
    }

    /// The columns that formulas refer to.
    fn table(&self) -> Result<Table> {
        Table::with_rows(self.inputs.clone(), self.rows())
    }

    /// Aggregations of formulas, all of them in one pass: the rest of the expressions finds them known.
    fn aggregate_formulas(&mut self, expressions: &[Expr]) -> Result<()> {
        let mut found = Vec::new();
        for expression in expressions {
            groups::find(expression, &mut found);
        }
        let (mut wholes, mut requests) = (vec![], vec![]);
        for (whole, how, operand) in found {
            // Errors are told in the order in which the operations are met.
            let Some(Ok(Lazy::Pending(formula))) = operand.map(|operand| self.lower(&operand)) else {
                continue;
            };
            let is_computed = !matches!(formula.node(), compute::Node::Column(_));
            if is_computed && Dtype::plain(formula.data_type()).reduce(how).is_ok() {
                wholes.push(whole);
                requests.push((formula, how));
            }
        }
        if requests.is_empty() {
            return Ok(());
        }
        let values = compute::reduce(&requests, None, &self.table()?, &Context::current())?;
        for ((whole, (formula, how)), value) in wholes.into_iter().zip(requests).zip(values) {
            let dtype = Dtype::plain(formula.data_type()).reduce(how)?;
            let column = types::one_value(&dtype, &value, &Context::current())?;
            self.known.insert((None, whole), Lazy::One(column));
        }
        Ok(())
    }

    /// The number of columns that formulas refer to.
    pub(super) fn num_inputs(&self) -> usize {
        self.inputs.len()
    }

    pub(super) fn lower(&mut self, expression: &Expr) -> Result<Lazy> {
        let key = (self.within.filter(|_| expression.is_of_rows()), expression.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let lazy = self.lower_node(expression)?;
        self.known.insert(key, lazy.clone());
        Ok(lazy)
    }

    /// The value of a variable.
    pub(super) fn variable(&self, name: &str) -> Result<&Variable> {
        self.variables.get(name).ok_or_else(|| undefined_variable(name))
    }

    /// The groups that functions of rows stay in now.
    pub(super) fn within(&self) -> Option<&Groups> {
        self.within.map(|at| &self.groups[at].1)
    }

    /// What stands beside the operand of a function.
    fn beside(&mut self, expressions: &[Expr]) -> Result<Vec<Evaluated>> {
        let value = |expression| {
            let lazy = self.lower(expression)?;
            Ok(match self.computed(lazy)? {
                Lazy::Literal(scalar) => Evaluated::One(literal_column(&scalar)?),
                Lazy::One(column) => Evaluated::One(column),
                other => Evaluated::Rows(self.in_rows(other)?),
            })
        };
        expressions.iter().map(value).collect()
    }

    fn lower_node(&mut self, expression: &Expr) -> Result<Lazy> {
        match expression.node() {
            Node::TooLarge => Err(Error::invalid_argument(format!(
                "an expression of more than {} operations, or more than {} deep",
                super::SIZE,
                super::DEPTH
            ))),
            Node::Column(label) => {
                let column = self.frame.accessor().get(label).cloned();
                let column = column.map_err(|e| match self.aggregated {
                    Some(_) => Error::key_not_found(format!(
                        "'{label}' is no key of the groups: aggregate it, as by col(…).first()"
                    )),
                    None => e,
                })?;
                self.column(column)
            }
            Node::Name(label) => {
                let (frame, names) = (self.frame, self.frame.index().names());
                let name = label.as_str().unwrap_or_default();
                if frame.contains(label) {
                    return self.lower(&Expr::new(Node::Column(label.clone())));
                }
                if names.iter().flatten().any(|name| name == label) {
                    return self.lower(&Expr::new(Node::Index(Some(label.clone()))));
                }
                match name.strip_prefix("ilevel_").map(str::parse::<usize>) {
                    Some(Ok(level)) if level < names.len() => {
                        let column = frame.index().columns()?.swap_remove(level);
                        self.column(column)
                    }
                    _ if name == "index" => self.lower(&Expr::new(Node::Index(None))),
                    _ if matches!(name, "inf" | "Inf") => Ok(Lazy::Literal(Scalar::from(f64::INFINITY))),
                    _ => Err(Error::key_not_found(format!(
                        "name '{label}' is not defined: it is no column; write @{label} for a variable"
                    ))
                    .with_detail(Detail::UndefinedName)),
                }
            }
            Node::Index(name) => {
                let index = self.frame.index();
                let level = match name {
                    Some(name) => index.level_position(name)?,
                    None if index.num_levels() == 1 => 0,
                    None => {
                        return Err(Error::invalid_argument(
                            "the row labels have several levels: name one of them",
                        ));
                    }
                };
                let column = index.columns()?.swap_remove(level);
                self.column(column)
            }
            Node::Variable(name) => match self.variables.get(&**name) {
                None => Err(undefined_variable(name)),
                Some(Variable::Scalar(scalar)) => Ok(Lazy::Literal(scalar.clone())),
                Some(Variable::One(column)) => Ok(Lazy::One(column.clone())),
                Some(Variable::Values(values)) if values.len() == self.rows() => self.column(values.clone()),
                Some(Variable::Values(values)) => Err(Error::invalid_argument(format!(
                    "variable '{name}' has {} values for {} rows",
                    values.len(),
                    self.rows()
                ))),
                Some(Variable::Series(series)) if series.index().equals(self.frame.index())? => {
                    self.column(series.column().clone())
                }
                Some(Variable::Series(_)) => Err(Error::invalid_argument(format!(
                    "the rows of variable '{name}' have other labels than those of the frame: align it before"
                ))),
            },
            Node::Literal(scalar) => Ok(Lazy::Literal(scalar.0.clone())),
            Node::List(_) => {
                Err(Error::unsupported(format!("the list {expression} is no value: look for it with isin")))
            }
            Node::Alias(operand, _) => self.lower(operand),
            Node::Unary(op, operand) => self.unary(*op, operand),
            Node::Binary(op, left, right) => {
                let (left, right) = (self.lower(left)?, self.lower(right)?);
                let what = |e: Error| e.context(format!("in {expression}"));
                self.binary(*op, left, right).map_err(what)
            }
            Node::Cast(operand, to) => {
                let operand = self.lower(operand)?;
                if let (Lazy::Pending(formula), Dtype::Numeric(_) | Dtype::Bool(_)) = (&operand, &to.0)
                    && formula.data_type().is_numeric()
                {
                    return Ok(Lazy::Pending(formula.clone().cast(to.0.storage())?));
                }
                if let (Lazy::Digits(formula, _), Dtype::Numeric(_) | Dtype::Bool(_)) = (&operand, &to.0) {
                    return Ok(Lazy::Pending(formula.clone().cast(to.0.storage())?));
                }
                if let (Lazy::Digits(formula, _) | Lazy::Pending(formula), Dtype::Decimal(kind)) =
                    (&operand, &to.0)
                    && (formula.data_type().is_decimal() || formula.data_type().is_numeric())
                {
                    let formula = decimal::within(formula.clone().cast(kind.storage())?, *kind)?;
                    return Ok(Lazy::Digits(formula, *kind));
                }
                self.whole(operand, |column| types::cast(column, &to.0))
            }
            Node::Call(Function::IsMissing, operand, _) => match self.lower(operand)? {
                Lazy::Pending(formula) | Lazy::Digits(formula, _) => {
                    Ok(Lazy::Pending(formula.is_missing(true)?))
                }
                other => self.whole(other, |column| TypedColumn::computed(column.missing())),
            },
            Node::Call(function, operand, beside) => {
                let mut operand = self.lower(operand)?;
                if let (Some(component), Lazy::Pending(formula)) = (function.component(), &operand)
                    && formula.data_type().is_timestamp()
                {
                    let part = compute::Function::Component(component);
                    return Expression::function(part, formula.clone()).map(Lazy::Pending);
                }
                let beside = self.beside(beside)?;
                if let (Function::Rows(function), Some(groups)) = (function, self.within()) {
                    let made = groups.call(function, &self.in_rows(operand)?, &beside)?;
                    return self.column(made);
                }
                if beside.iter().any(|value| matches!(value, Evaluated::Rows(_))) {
                    operand = Lazy::Column(self.in_rows(operand)?);
                }
                let index = self.frame.index().clone();
                self.whole(operand, |column| {
                    let series = if column.len() == index.len() {
                        Series::new(column.clone(), None, index)?
                    } else {
                        Series::from_column(column.clone(), None)
                    };
                    Ok(function.call(&series, &beside)?.column().clone())
                })
            }
            Node::Over(operand, keys) => {
                if self.aggregated.is_some() {
                    return Err(Error::unsupported(format!(
                        "{expression} beside aggregations of groups: `over` is of rows, put it inside of one"
                    )));
                }
                self.over(operand, keys).map_err(|e| e.context(format!("in {expression}")))
            }
            Node::Fill(operand, with) => {
                let (operand, with) = (self.lower(operand)?, self.lower(with)?);
                self.fill(operand, with)
            }
            Node::IsIn(operand, values) => self.isin(operand, values),
            Node::Conditional(condition, then, otherwise) => {
                let condition = self.lower(condition)?;
                let (then, otherwise) = (self.lower(then)?, self.lower(otherwise)?);
                self.conditional(condition, then, otherwise)
            }
            Node::Aggregate(how, operand) => {
                if let Some(aggregated) = self.aggregated {
                    let column = aggregated.get(expression).cloned().ok_or_else(|| {
                        Error::unsupported(format!("{expression}: an aggregation within an aggregation"))
                    })?;
                    return self.column(column);
                }
                let operand = self.lower(operand)?;
                let column = self.in_rows(operand)?;
                match self.within() {
                    Some(groups) => {
                        let values = groups.aggregate(&column, how.0)?;
                        self.column(values)
                    }
                    None => types::reduce_to_column(&column, how.0).map(Lazy::One),
                }
            }
            Node::Len => {
                if let Some(column) = self.aggregated.and_then(|aggregated| aggregated.get(expression)) {
                    return self.column(column.clone());
                }
                match self.within() {
                    Some(groups) => {
                        let sizes = groups.sizes()?;
                        self.column(sizes)
                    }
                    None => literal_column(&Scalar::from(self.rows() as i64)).map(Lazy::One),
                }
            }
            Node::RowNumber { ascending } => {
                let numbers = if let Some(groups) = self.within() {
                    groups.row_numbers(*ascending)?
                } else {
                    let last = self.rows() as i64 - 1;
                    let (first, step) = if *ascending { (0, 1) } else { (last, -1) };
                    filling::sequence(first, step, self.rows(), &Context::current())?.into()
                };
                self.column(numbers)
            }
        }
    }

    /// A column with one value in each row: as an input of formulas where it can be one.
    pub(super) fn column(&mut self, column: TypedColumn) -> Result<Lazy> {
        let kind = match column.dtype() {
            Dtype::Decimal(kind) => Some(*kind),
            dtype if rules::is_formula(dtype) => None,
            _ => return Ok(Lazy::Column(column)),
        };
        self.inputs.push(column.data()?.clone());
        let formula = Expression::column(self.inputs.len() - 1, column.dtype().storage());
        Ok(kind.map_or(Lazy::Pending(formula.clone()), |kind| Lazy::Digits(formula, kind)))
    }

    /// The values of a pending formula.
    pub(super) fn computed(&self, lazy: Lazy) -> Result<Lazy> {
        match lazy {
            Lazy::Pending(formula) => {
                let column = self.compute(&[formula])?.into_iter().next().expect("one formula");
                Ok(Lazy::Column(column.into()))
            }
            Lazy::Digits(formula, kind) => {
                let column = self.compute(&[formula])?.into_iter().next().expect("one formula");
                TypedColumn::new(Dtype::Decimal(kind), column).map(Lazy::Column)
            }
            other => Ok(other),
        }
    }

    /// One value in each row.
    pub(super) fn in_rows(&self, lazy: Lazy) -> Result<TypedColumn> {
        match self.computed(lazy)? {
            Lazy::Column(column) => Ok(column),
            Lazy::One(column) => repeated(&column, self.rows()),
            Lazy::Literal(scalar) => repeated(&literal_column(&scalar)?, self.rows()),
            Lazy::Pending(_) | Lazy::Digits(..) => unreachable!("computed"),
        }
    }

    /// `f` of a column, or of one value.
    pub(super) fn whole(
        &mut self,
        lazy: Lazy,
        f: impl FnOnce(&TypedColumn) -> Result<TypedColumn>,
    ) -> Result<Lazy> {
        match self.computed(lazy)? {
            Lazy::Column(column) => {
                let column = f(&column)?;
                self.column(column)
            }
            Lazy::One(column) => f(&column).map(Lazy::One),
            Lazy::Literal(scalar) => f(&literal_column(&scalar)?).map(Lazy::One),
            Lazy::Pending(_) | Lazy::Digits(..) => unreachable!("computed"),
        }
    }
}

fn pending(lazy: &Lazy) -> Option<&Expression> {
    match lazy {
        Lazy::Pending(formula) | Lazy::Digits(formula, _) => Some(formula),
        _ => None,
    }
}

pub(super) fn literal_column(scalar: &Scalar) -> Result<TypedColumn> {
    Column::from_scalar(scalar, 1, &Context::current()).map(TypedColumn::from)
}

/// A column of scalars, in the type that holds all of them.
pub(crate) fn values_column<'s>(values: impl Iterator<Item = &'s Scalar>) -> Result<TypedColumn> {
    let columns = values.map(literal_column).collect::<Result<Vec<_>>>()?;
    let columns = types::unify(&columns.iter().collect::<Vec<_>>())?;
    let Some(first) = columns.first() else {
        return TypedColumn::nulls(&Dtype::plain(DataType::Empty), 0, &Context::current());
    };
    let data = columns.iter().map(TypedColumn::data).collect::<Result<Vec<_>>>()?;
    Ok(first.like(cuprum_compute::concatenate::concatenate(&data, &Context::current())?))
}

pub(super) fn undefined_variable(name: &str) -> Error {
    Error::key_not_found(format!("variable '{name}' is not defined")).with_detail(Detail::UndefinedName)
}
