//! `query` and `eval`: frames by formulas in texts.

use cuprum_column::{Error, Result};

use super::evaluate::{Evaluated, keep};
use super::parse::{Statement, parse};
use super::{Expr, Node, Variables};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::Series;
use crate::types::TypedColumn;

/// The result of a formula.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The frame with the columns that were assigned to.
    Frame(DataFrame),
    /// A value for each row.
    Series(Series),
    /// One value, in a column of one row: of constants and aggregations alone.
    Value(TypedColumn),
}

impl Expr {
    /// The expression in a text; see [`parse`] for what it may say and how it fails.
    ///
    /// ```
    /// use cuprum::Expr;
    ///
    /// let formula = Expr::parse("0 < a <= @limit and `b c`.str.len() in [1, 2]")?;
    /// assert_eq!(formula.to_string(), "(((0 < a) & (a <= @limit)) & (`b c`.str.len() in [1, 2]))");
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        match <[Statement; 1]>::try_from(parse(text)?) {
            Ok([Statement { target: None, expression }]) => Ok(expression),
            _ => Err(Error::invalid_argument(format!(
                "{text:?} assigns or has several lines: one expression is wanted"
            ))),
        }
    }
}

impl DataFrame {
    /// The rows where the expression in a text is true: `frame.query("a > @low and b == 'x'", &variables)`.
    ///
    /// Fails like [`parse`] and [`filter`](Self::filter).
    pub fn query(&self, text: &str, variables: &Variables) -> Result<Self> {
        let condition = Expr::parse(text)?;
        match keep(&condition, self, variables)? {
            (_, true) => {
                Err(Error::data_type(format!("the condition {condition} is one value, not one for each row")))
            }
            (kept, false) => Ok(kept),
        }
    }

    /// The value of the expression in a text; of `name = expression`, in one line or several, the frame with
    /// those columns, each over the frame of the lines before.
    ///
    /// Fails like [`parse`], and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for
    /// several lines of which one does not assign.
    pub fn eval(&self, text: &str, variables: &Variables) -> Result<Outcome> {
        let statements = parse(text)?;
        if let [Statement { target: None, expression }] = &statements[..] {
            return Ok(match self.evaluate_with(expression, variables)? {
                Evaluated::One(value) => Outcome::Value(value),
                Evaluated::Rows(column) => {
                    Outcome::Series(Series::new(column, name(expression), self.index().clone())?)
                }
            });
        }
        let mut frame = self.clone();
        for statement in statements {
            let Some(target) = statement.target else {
                return Err(Error::invalid_argument(
                    "expressions of several lines are valid only if all of them assign",
                ));
            };
            let value = frame.evaluate_with(&statement.expression, variables)?;
            let rows = frame.num_rows();
            frame = frame.with_column(target, value.into_column(rows)?)?;
        }
        Ok(Outcome::Frame(frame))
    }
}

/// The name of a series of the expression, by the rule of operators between series: the name that all columns
/// in it have.
fn name(expression: &Expr) -> Option<Label> {
    let mut names = vec![];
    collect_names(expression, &mut names);
    let first = names.first()?.clone();
    if names.iter().all(|name| *name == first) { first } else { None }
}

/// The names of the columns of an expression; `None` for one without.
fn collect_names(expression: &Expr, names: &mut Vec<Option<Label>>) {
    match expression.node() {
        Node::Column(label) | Node::Alias(_, label) => names.push(Some(label.clone())),
        Node::Name(label) => names.push(Some(label.clone()).filter(|label| label.as_str() != Some("index"))),
        Node::Index(label) => names.push(label.clone()),
        Node::Variable(_)
        | Node::Literal(_)
        | Node::List(_)
        | Node::Len
        | Node::Aggregate(..)
        | Node::RowNumber { .. } => {}
        Node::Over(operand, _) | Node::Call(_, operand, _) => collect_names(operand, names),
        Node::IsIn(operand, _) | Node::Fill(operand, _) | Node::Conditional(_, operand, _) => {
            collect_names(operand, names);
        }
        _ => expression.operands().for_each(|operand| collect_names(operand, names)),
    }
}
