//! [`Expr`]: formulas over the columns of a frame, for `select`, `with_columns`, `filter`, `sort_by` and
//! aggregations of groups.
//!
//! ```
//! use cuprum::prelude::*;
//!
//! # fn main() -> cuprum::Result<()> {
//! let sales = df! {
//!     "shop" => ["a", "b", "a"],
//!     "price" => [2.5, 4.0, 3.0],
//!     "sold" => [4, 1, 2],
//! }?;
//! let revenue = (col("price") * col("sold")).alias("revenue");
//! let best = sales
//!     .filter(col("sold").gt(1))?
//!     .with_columns([revenue])?
//!     .groupby(["shop"])
//!     .agg([col("revenue").sum(), len().alias("days")])?;
//! assert_eq!(best.column("revenue")?.get(0)?, Scalar::from(16.0));
//! # Ok(())
//! # }
//! ```
//!
//! An expression is a value: built once, printed, compared, hashed, used on any frame. Its meaning follows
//! from the columns it meets, by the rules of their dtypes ([`types`](crate::types)): the same as
//! operators between [`Series`](crate::Series), so comparisons are never missing, `+` of texts joins them, and a literal takes
//! the type of the other operand where it can. Types are checked on no rows before there is any work on many.
//!
//! Operations on numbers become one formula of [`cuprum_compute::expression`], which goes over memory once.

mod build;
mod evaluate;
mod exact;
mod function;
mod groups;
mod join;
mod lists;
mod methods;
mod operators;
mod over;
mod parse;
mod rows;
mod rules;
mod strings;
mod structs;
mod text;
mod times;
mod tokens;
mod verbs;
mod windows;

#[cfg(test)]
mod join_tests;
#[cfg(test)]
mod namespace_tests;
#[cfg(test)]
mod over_tests;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use cuprum_column::{Scalar, Value};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::unary::UnaryOperator;

use crate::label::Label;
use crate::types::Dtype;
use structs::StructFunction;

pub use build::{Selector, Then, When, col, index, len, lit, row_number, variable, when};
pub use evaluate::{Evaluated, Variable, Variables};
pub(crate) use exact::Exact;
pub(crate) use function::Function;
pub use groups::GroupByExpressions;
pub use join::JoinWhereOptions;
pub use lists::ListExpr;
pub use parse::{Statement, parse};
pub use strings::TextExpr;
pub use structs::StructExpr;
pub use text::Outcome;
pub use times::{TimeExpr, TimedeltaExpr};
pub use verbs::Condition;
pub use windows::{ExponentialExpr, RollingExpr};

/// A formula over the columns of a frame; see the [module](self).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Expr(Arc<Tree>);

#[derive(PartialEq, Eq, Hash)]
struct Tree {
    node: Node,
    depth: usize,
    size: usize,
    /// Whether a value depends on the rows that it is computed with: of the frame, or of a group.
    is_of_rows: bool,
}

/// The greatest depth of an expression: walking it uses the stack.
const DEPTH: usize = 200;
/// The greatest number of operations of an expression, shared ones counted as often as they are there.
const SIZE: usize = 10_000;

/// The nodes of an [`Expr`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Column(Label),
    /// In a text: a column, else a level of the row labels, else `index`.
    Name(Label),
    /// The row labels, or a level of them.
    Index(Option<Label>),
    /// A variable of the caller of [`Expr::evaluate_with`].
    Variable(Arc<str>),
    Literal(Exact<Scalar>),
    /// Values to look for: only beside a column.
    List(Arc<[Expr]>),
    Unary(UnaryOperator, Expr),
    Binary(BinaryOperator, Expr, Expr),
    Cast(Expr, Exact<Dtype>),
    /// A function of the first, and of what stands beside it.
    Call(Function, Expr, Box<[Expr]>),
    /// The first where it is not missing, else the second.
    Fill(Expr, Expr),
    /// Whether the first is among the second.
    IsIn(Expr, Expr),
    /// The second where the first is true, else the third.
    Conditional(Expr, Expr, Expr),
    Aggregate(Exact<Aggregation>, Expr),
    /// The number of rows.
    Len,
    /// The number of each row from 0, or counted from the last one.
    RowNumber {
        ascending: bool,
    },
    /// The first with the rows of each group of equal keys by themselves.
    Over(Expr, Arc<[Expr]>),
    Alias(Expr, Label),
    /// An expression beyond the limits: evaluating it fails.
    TooLarge,
}

impl Expr {
    pub(crate) fn new(node: Node) -> Self {
        let is_of_rows = match &node {
            Node::Aggregate(..) | Node::Len | Node::RowNumber { .. } => true,
            Node::Call(function, ..) => function.is_of_rows(),
            _ => false,
        };
        let mut tree = Tree { node, depth: 1, size: 1, is_of_rows };
        let listed = match &tree.node {
            Node::List(values) => &values[..],
            _ => &[],
        };
        for operand in operands(&tree.node).chain(listed) {
            tree.depth = tree.depth.max(operand.0.depth + 1);
            tree.size = tree.size.saturating_add(operand.0.size);
            tree.is_of_rows |= operand.0.is_of_rows;
        }
        // Its groups are those of the frame, wherever it stands.
        tree.is_of_rows &= !matches!(tree.node, Node::Over(..));
        if tree.depth > DEPTH || tree.size > SIZE {
            tree = Tree { node: Node::TooLarge, depth: 1, size: 1, is_of_rows: false };
        }
        Self(Arc::new(tree))
    }

    pub(crate) fn node(&self) -> &Node {
        &self.0.node
    }

    /// Whether a value depends on the rows that it is computed with: of the frame, or of a group.
    fn is_of_rows(&self) -> bool {
        self.0.is_of_rows
    }

    /// Its operands, from left to right.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Self> {
        operands(self.node())
    }

    /// The label of a column of the expression: its alias, else that of the column it begins with.
    pub fn label(&self) -> Label {
        match self.node() {
            Node::Column(label) | Node::Name(label) | Node::Alias(_, label) => label.clone(),
            Node::Index(name) => name.clone().unwrap_or_else(|| "index".into()),
            Node::Variable(name) => (&**name).into(),
            Node::Literal(_) | Node::List(_) => "literal".into(),
            Node::Len => "len".into(),
            Node::RowNumber { .. } => "row_number".into(),
            Node::TooLarge => "expression".into(),
            Node::Conditional(_, then, _) => then.label(),
            Node::Call(Function::Struct(StructFunction::Field(name)), ..) => name.as_str().into(),
            _ => {
                let mut operands = self.operands();
                let first = operands.find(|o| !matches!(o.node(), Node::Literal(_) | Node::List(_)));
                first.map_or_else(|| "literal".into(), Self::label)
            }
        }
    }

    /// The columns that it names, each once, in order.
    pub fn columns(&self) -> Vec<Label> {
        let mut labels = Vec::new();
        self.visit(&mut |e| {
            if let Node::Column(label) | Node::Name(label) = e.node()
                && !labels.contains(label)
            {
                labels.push(label.clone());
            }
        });
        labels
    }

    /// The variables that it names, each once, in order.
    pub fn variables(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = Vec::new();
        self.visit(&mut |e| {
            if let Node::Variable(name) = e.node()
                && !names.contains(name)
            {
                names.push(Arc::clone(name));
            }
        });
        names
    }

    fn visit(&self, f: &mut impl FnMut(&Self)) {
        f(self);
        for operand in self.operands() {
            operand.visit(f);
        }
        if let Node::List(values) = self.node() {
            values.iter().for_each(|value| value.visit(f));
        }
    }
}

fn operands(node: &Node) -> impl Iterator<Item = &Expr> {
    let none: &[Expr] = &[];
    let (first, rest): ([Option<&Expr>; 3], &[Expr]) = match node {
        Node::Column(_) | Node::Name(_) | Node::Index(_) | Node::Variable(_) => ([None; 3], none),
        Node::Len | Node::RowNumber { .. } | Node::TooLarge | Node::Literal(_) | Node::List(_) => {
            ([None; 3], none)
        }
        Node::Unary(_, a) | Node::Cast(a, _) | Node::Aggregate(_, a) | Node::Alias(a, _) => {
            ([Some(a), None, None], none)
        }
        Node::Call(_, a, beside) => ([Some(a), None, None], beside),
        Node::Over(a, keys) => ([Some(a), None, None], keys),
        Node::Binary(_, a, b) | Node::Fill(a, b) | Node::IsIn(a, b) => ([Some(a), Some(b), None], none),
        Node::Conditional(a, b, c) => ([Some(a), Some(b), Some(c)], none),
    };
    first.into_iter().flatten().chain(rest)
}

fn shown(expressions: &[Expr]) -> String {
    expressions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What a method is called of: an integer has parentheses, for a point behind its digits would be read as its own.
struct Receiver<'a>(&'a Expr);

impl fmt::Display for Receiver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(of) = self;
        match of.node() {
            Node::Literal(value) if matches!(value.0.value(), Value::Int(0..) | Value::UInt(_)) => {
                write!(f, "({of})")
            }
            _ => write!(f, "{of}"),
        }
    }
}

/// As pandas' `eval` writes it, where it has a word for it.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node() {
            Node::Column(label) | Node::Name(label) => match label.as_str() {
                Some(name) if tokens::is_name(name) => f.write_str(name),
                _ => write!(f, "`{label}`"),
            },
            Node::Index(None) => f.write_str("index"),
            Node::Index(Some(name)) => write!(f, "`{name}`"),
            Node::Variable(name) => write!(f, "@{name}"),
            Node::Literal(value) => match value.0.value() {
                Value::Null => f.write_str("None"),
                Value::Bool(true) => f.write_str("True"),
                Value::Bool(false) => f.write_str("False"),
                Value::String(text) => write!(f, "{text:?}"),
                Value::Int(..0) => write!(f, "({})", value.0),
                Value::Float(x) if x.is_sign_negative() => write!(f, "({})", value.0),
                _ => write!(f, "{}", value.0),
            },
            Node::List(values) => write!(f, "[{}]", shown(values)),
            Node::Unary(op, a) => match op.symbol() {
                Some(symbol) => write!(f, "({symbol}{a})"),
                None => write!(f, "{op}({a})"),
            },
            Node::Binary(op, a, b) => write!(f, "({a} {op} {b})"),
            Node::Cast(a, to) => write!(f, "{}.astype({:?})", Receiver(a), to.0.to_string()),
            Node::Call(function, a, beside) => match function.to_string().split_once('(') {
                Some((name, rest)) if !beside.is_empty() => {
                    let comma = if rest == ")" { "" } else { ", " };
                    write!(f, "{}.{name}({}{comma}{rest}", Receiver(a), shown(beside))
                }
                _ => write!(f, "{}.{function}", Receiver(a)),
            },
            Node::Fill(a, b) => write!(f, "{}.fillna({b})", Receiver(a)),
            Node::IsIn(a, b) => write!(f, "({a} in {b})"),
            Node::Conditional(c, a, b) => write!(f, "({a} if {c} else {b})"),
            Node::Aggregate(how, a) => write!(f, "{}.{}", Receiver(a), function::aggregation_name(how.0)),
            Node::Len => f.write_str("len()"),
            Node::RowNumber { ascending: true } => f.write_str("row_number()"),
            Node::RowNumber { ascending: false } => f.write_str("row_number(ascending=False)"),
            Node::Over(a, keys) => write!(f, "{}.over([{}])", Receiver(a), shown(keys)),
            Node::TooLarge => f.write_str("…"),
            Node::Alias(a, label) => write!(f, "{}.alias({:?})", Receiver(a), label.to_string()),
        }
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
