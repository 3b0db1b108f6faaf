//! Formulas on a GPU: one generated kernel for several of them, see [`fused`](cuprum_elements::fused).

use std::collections::HashMap;

use cuprum_column::{Column, Context, DataType, Result, Table};

use super::operations::{Operated, operate};
use super::rows::{Pairs, Rows};
use super::{Expression, Function, Node};
use cuprum_elements::fused::{JitExpression, Looks, Valid, Value, by_cpu, computed_as, stored_as};
use cuprum_elements::selection::cuda::{Selection, no_rows};
use cuprum_elementwise::binaryop::cuda as binary;
use cuprum_elementwise::unary::cuda as unary;
use cuprum_times::datetime::cuda as datetime;

/// Operations of one kernel, operands counted as often as they are there: more takes the compiler long, and
/// their inputs have to fit the arguments of a launch.
const MOST: usize = 90;

/// Whether one kernel computes an expression from columns as they are: it looks at texts, but makes none.
pub(crate) fn is_one_kernel(expression: &Expression) -> bool {
    is_leaf(expression) || is_fused(expression, &HashMap::new())
}

fn is_leaf(expression: &Expression) -> bool {
    matches!(expression.node(), Node::Column(_) | Node::Literal(_))
}

/// Whether a kernel can compute with its values, where columns of some expressions are known.
fn is_fused(expression: &Expression, known: &HashMap<Expression, Column>) -> bool {
    let is_stored = |expression: &Expression| computed_as(expression.data_type()).is_some();
    let is_fused = |expression: &Expression| is_fused(expression, known);
    let is_text = |expression: &Expression| is_text(expression, known);
    if known.contains_key(expression) {
        return is_stored(expression);
    }
    match expression.node() {
        Node::Column(_) | Node::Literal(_) => is_stored(expression),
        Node::IsMissing { operand, .. } => matches!(operand.node(), Node::Column(_)) || is_fused(operand),
        Node::Unary(_, operand) => is_stored(operand) && is_fused(operand),
        Node::Binary(op, ..) => expression
            .operands()
            .all(|operand| is_stored(operand) && is_fused(operand) || op.is_comparison() && is_text(operand)),
        Node::Function(function, operand) => match function {
            Function::Component(_) => is_fused(operand),
            Function::WithinDigits(_) => is_stored(operand) && is_fused(operand),
            _ => looks_at_text(function) && is_text(operand),
        },
        Node::Cast(operand) => {
            unary::has_cast(operand.data_type(), expression.data_type()) && is_fused(operand)
        }
        Node::Fill { .. } | Node::Conditional { .. } => expression.operands().all(is_fused),
    }
}

/// Whether it is texts that are there already: kernels look at them, but make none.
fn is_text(expression: &Expression, known: &HashMap<Expression, Column>) -> bool {
    expression.data_type() == DataType::String && (is_leaf(expression) || known.contains_key(expression))
}

/// Whether it is a function of texts with a kernel.
fn looks_at_text(function: &Function) -> bool {
    use Function::{Contains, EndsWith, IsIn, Length, StartsWith};
    matches!(function, Length | StartsWith(_) | EndsWith(_) | Contains(_) | IsIn(_))
}

/// See [`super::evaluate`]; the columns were checked.
pub(super) fn evaluate(expressions: &[Expression], table: &Table, ctx: &Context) -> Result<Vec<Column>> {
    let mut made = Made::new(Rows::Table(table), ctx);
    let mut together: Vec<&Expression> = Vec::new();
    let mut nodes = 0;
    for expression in expressions {
        if made.known.contains_key(expression) || together.contains(&expression) {
            continue;
        }
        if let Some(column) = made.without_kernel(expression)? {
            made.known.insert(expression.clone(), column);
            continue;
        }
        made.by_families(expression)?;
        if made.known.contains_key(expression) {
            continue;
        }
        let more = made.cut(expression)?;
        if nodes + more > MOST {
            made.run(&together)?;
            together.clear();
            nodes = 0;
        }
        nodes += more;
        together.push(expression);
    }
    made.run(&together)?;
    Ok(expressions.iter().map(|expression| made.known[expression].clone()).collect())
}

/// The rows where a formula of truth values is true and not null: bits that its kernel writes.
pub(super) fn selection(condition: &Expression, table: &Table, ctx: &Context) -> Result<Selection> {
    let mut made = Made::new(Rows::Table(table), ctx);
    if let Some(column) = made.without_kernel(condition)? {
        return Selection::of_true(&column, ctx);
    }
    made.by_families(condition)?;
    if let Some(column) = made.known.get(condition) {
        return Selection::of_true(column, ctx);
    }
    match made.selected(condition)? {
        Some(selection) => Ok(selection),
        // A row refused: the CPU says which.
        None => Selection::of_true(&evaluate(std::slice::from_ref(condition), table, ctx)?[0], ctx),
    }
}

/// The pairs of rows for which a formula of truth values over the columns of both is true and not null; `None` where one
/// refused. The columns were checked, and the formula [is one kernel](is_one_kernel).
pub(crate) fn selected_pairs(
    condition: &Expression,
    pairs: &Pairs<'_>,
    ctx: &Context,
) -> Result<Option<Selection>> {
    Made::new(Rows::Pairs(pairs), ctx).selected(condition)
}

/// Columns of expressions that are known.
struct Made<'a> {
    rows: Rows<'a>,
    ctx: &'a Context,
    known: HashMap<Expression, Column>,
    /// Whether a pair of rows refused.
    refused: bool,
}

impl<'a> Made<'a> {
    fn new(rows: Rows<'a>, ctx: &'a Context) -> Self {
        Self { rows, ctx, known: HashMap::new(), refused: false }
    }

    fn without_kernel(&self, expression: &Expression) -> Result<Option<Column>> {
        match expression.node() {
            Node::Column(position) => Ok(Some(self.rows.column(*position).clone())),
            Node::Literal(scalar) => Column::from_scalar(scalar, self.rows.len(), self.ctx).map(Some),
            _ => Ok(None),
        }
    }

    /// Makes columns of what no generated kernel computes, such as texts, operation by operation, each by its family.
    fn by_families(&mut self, expression: &Expression) -> Result<()> {
        if is_leaf(expression) || is_fused(expression, &self.known) {
            return Ok(());
        }
        for operand in expression.operands() {
            self.by_families(operand)?;
        }
        if self.known.contains_key(expression) || is_fused(expression, &self.known) {
            return Ok(());
        }
        let operands = expression.operands().map(|operand| match operand.node() {
            Node::Literal(scalar) => Ok(Operated::Literal(scalar.clone())),
            _ => self.column(operand).map(Operated::Column),
        });
        let operands = operands.collect::<Result<Vec<_>>>()?;
        let column = operate(expression, operands, self.rows.len(), self.ctx)?;
        self.known.insert(expression.clone(), column);
        Ok(())
    }

    /// The column of an expression that is a column of the table, known, or fused.
    fn column(&mut self, expression: &Expression) -> Result<Column> {
        if let Node::Column(position) = expression.node() {
            return Ok(self.rows.column(*position).clone());
        }
        if !self.known.contains_key(expression) {
            self.cut(expression)?;
            self.run(&[expression])?;
        }
        Ok(self.known[expression].clone())
    }

    /// The rows where a formula of truth values is true and not null; `None` where one refused.
    fn selected(&mut self, condition: &Expression) -> Result<Option<Selection>> {
        self.cut(condition)?;
        if self.refused {
            return Ok(None);
        }
        let mut shape = Shape::new(self);
        let value = shape.value(condition)?;
        let mut words = no_rows(self.rows.len(), self.ctx)?;
        if !shape.formula.set_true(&value, &mut words, self.ctx)? {
            return Ok(None);
        }
        Ok(Some(Selection::of_words(words, self.rows.len(), self.ctx)?.0))
    }

    /// Makes columns of parts of an expression until the rest is no more than one kernel has; how much
    /// that is.
    fn cut(&mut self, expression: &Expression) -> Result<usize> {
        if is_text(expression, &self.known) {
            // Offsets and characters are two inputs.
            return Ok(2);
        }
        if self.known.contains_key(expression) {
            return Ok(1);
        }
        let mut parts = Vec::new();
        for operand in expression.operands() {
            parts.push((self.cut(operand)?, operand));
        }
        // The largest first: the fewest columns are made.
        parts.sort_by_key(|(nodes, _)| std::cmp::Reverse(*nodes));
        let mut nodes = 1 + parts.iter().map(|(nodes, _)| nodes).sum::<usize>();
        for (part, operand) in parts {
            if nodes <= MOST {
                break;
            }
            self.run(&[operand])?;
            nodes -= part - 1;
        }
        Ok(nodes)
    }

    /// Makes columns of expressions, in one kernel.
    fn run(&mut self, expressions: &[&Expression]) -> Result<()> {
        let new = expressions.iter().filter(|expression| !self.known.contains_key(**expression));
        let expressions: Vec<&Expression> = new.copied().collect();
        if expressions.is_empty() {
            return Ok(());
        }
        let mut shape = Shape::new(self);
        let mut results = Vec::with_capacity(expressions.len());
        for expression in &expressions {
            results.push((shape.value(expression)?, expression.data_type()));
        }
        let Some(columns) = shape.formula.columns(&results, self.ctx)? else {
            let Rows::Table(table) = self.rows else {
                self.refused = true;
                return Ok(());
            };
            // A row refused: the CPU says which.
            let all: Vec<Expression> = expressions.iter().map(|&expression| expression.clone()).collect();
            let columns = by_cpu(table, self.ctx, |table, host| super::evaluate(&all, &table, host))?;
            self.known.extend(all.into_iter().zip(columns));
            return Ok(());
        };
        self.known.extend(expressions.into_iter().cloned().zip(columns));
        Ok(())
    }
}

/// Expressions that become a formula.
struct Shape<'a> {
    made: &'a Made<'a>,
    formula: JitExpression,
    /// The names of the rows of both sides of pairs.
    sides: Option<[String; 2]>,
    values: HashMap<Expression, Value>,
}

impl<'a> Shape<'a> {
    fn new(made: &'a Made<'a>) -> Self {
        let mut formula = JitExpression::new(made.rows.len());
        let sides = made.rows.sides(&mut formula);
        Self { made, formula, sides, values: HashMap::new() }
    }

    /// The values of a column of the rows.
    fn column(&mut self, position: usize) -> Value {
        let column = self.made.rows.column(position);
        match &self.sides {
            Some(sides) => self.formula.gathered(column, &sides[self.made.rows.side(position)]),
            None => self.formula.column(column),
        }
    }

    fn validity(&mut self, position: usize) -> Valid {
        let column = self.made.rows.column(position);
        match &self.sides {
            Some(sides) => self.formula.gathered_validity(column, &sides[self.made.rows.side(position)]),
            None => self.formula.validity(column),
        }
    }

    fn value(&mut self, expression: &Expression) -> Result<Value> {
        if let Some(value) = self.values.get(expression) {
            return Ok(value.clone());
        }
        let value = match self.made.known.get(expression) {
            Some(column) => self.formula.column(column),
            None => self.operated(expression)?,
        };
        self.values.insert(expression.clone(), value.clone());
        Ok(value)
    }

    fn operated(&mut self, expression: &Expression) -> Result<Value> {
        let result = expression.data_type();
        Ok(match expression.node() {
            Node::Column(position) => self.column(*position),
            Node::Literal(scalar) => self.formula.literal_of_any(scalar, self.made.ctx)?,
            Node::Unary(op, operand) => {
                let operand = self.value(operand)?;
                unary::operated(&mut self.formula, *op, &operand, result)
            }
            Node::Binary(op, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                binary::operated(&mut self.formula, *op, &left, &right, result)
            }
            Node::Function(function, operand) => {
                let (operand, of) = (self.value(operand)?, operand.data_type());
                match (function, of) {
                    (Function::Component(component), DataType::Timestamp(unit)) => {
                        datetime::part(&mut self.formula, &operand, unit, *component)
                    }
                    (Function::WithinDigits(digits), _) => {
                        binary::within_digits(&mut self.formula, &operand, *digits)
                    }
                    (_, DataType::String) => self.looked_at(function, &operand)?,
                    _ => unreachable!("{function} has no kernel"),
                }
            }
            Node::Cast(operand) => {
                let operand = self.value(operand)?;
                unary::casted(&mut self.formula, &operand, result)
            }
            Node::IsMissing { operand, nan } => {
                let present = if stored_as(operand.data_type()).is_some() && *nan {
                    let operand = self.value(operand)?;
                    self.formula.present(&operand, true)
                } else if let Node::Column(position) = operand.node() {
                    self.validity(*position)
                } else {
                    self.value(operand)?.valid
                };
                self.formula.truth(&present, false)
            }
            Node::Fill { operand, with, nan } => {
                let (operand, with) = (self.value(operand)?, self.value(with)?);
                self.formula.filled(&operand, &with, *nan)
            }
            Node::Conditional { condition, then, otherwise } => {
                let condition = self.value(condition)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                self.formula.choice(&condition, &then, &otherwise)
            }
        })
    }
}

impl Shape<'_> {
    /// A function of texts that has a kernel.
    fn looked_at(&mut self, function: &Function, text: &Value) -> Result<Value> {
        let (looks, literal) = match function {
            Function::StartsWith(literal) => (Looks::StartsWith, literal),
            Function::EndsWith(literal) => (Looks::EndsWith, literal),
            Function::Contains(literal) => (Looks::Contains, literal),
            Function::IsIn(values) => {
                let sorted = values.sorted_texts(self.made.ctx)?;
                return Ok(self.formula.text_is_in(text, &sorted));
            }
            _ => return Ok(self.formula.text_length(text, true)),
        };
        let literal = self.formula.literal_text(literal, self.made.ctx)?;
        Ok(self.formula.text_looks(looks, text, &literal))
    }
}

/// Compiles the kernel of a condition of pairs for GPUs of a compute capability.
#[cfg(test)]
pub fn try_to_compile_pairs(
    condition: &Expression,
    pairs: &Pairs<'_>,
    compute_capability: u32,
) -> Result<()> {
    let ctx = &Context::current();
    let made = Made::new(Rows::Pairs(pairs), ctx);
    let mut shape = Shape::new(&made);
    let value = shape.value(condition)?;
    shape.formula.try_to_compile(&[value], compute_capability)
}

/// Compiles the kernel of expressions, no more of them than one kernel holds, for GPUs of a compute capability.
#[cfg(test)]
pub fn try_to_compile(expressions: &[Expression], table: &Table, compute_capability: u32) -> Result<()> {
    let ctx = &Context::current();
    let made = Made::new(Rows::Table(table), ctx);
    let mut shape = Shape::new(&made);
    let values = expressions.iter().map(|expression| shape.value(expression)).collect::<Result<Vec<_>>>()?;
    shape.formula.try_to_compile(&values, compute_capability)
}
