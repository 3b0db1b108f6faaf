//! [`Expression`]: the tree, its types, and its use as a value.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Value};

use super::Function;
use cuprum_elementwise::binaryop::{self, BinaryOperator};
use cuprum_elementwise::unary::{self, UnaryOperator};

/// A formula over the columns of a table; see the [module](super).
#[derive(Clone)]
pub struct Expression(Arc<Tree>);

struct Tree {
    node: Node,
    data_type: DataType,
    /// Of all that is below.
    hash: u64,
    depth: usize,
    size: usize,
}

/// The nodes of an [`Expression`].
#[derive(Clone, Debug)]
pub enum Node {
    /// A column of the table, by its position.
    Column(usize),
    /// The same value in every row.
    Literal(Scalar),
    /// An operator of one operand.
    Unary(UnaryOperator, Expression),
    /// An operator of two operands.
    Binary(BinaryOperator, Expression, Expression),
    /// A function of one operand.
    Function(Function, Expression),
    /// The operand as the type of the expression.
    Cast(Expression),
    /// Whether the operand is null, or NaN where that is asked for.
    IsMissing {
        /// The operand.
        operand: Expression,
        /// NaN is missing, too.
        nan: bool,
    },
    /// The operand, and `with` in the rows where it is missing.
    Fill {
        /// The operand.
        operand: Expression,
        /// The replacement of missing values; of the operand's type.
        with: Expression,
        /// NaN is missing, too.
        nan: bool,
    },
    /// `then` where the condition is true, `otherwise` where it is false or null.
    Conditional {
        /// Truth values.
        condition: Expression,
        /// Of one type with `otherwise`.
        then: Expression,
        /// Of one type with `then`.
        otherwise: Expression,
    },
}

/// The greatest depth of a tree: recursion over it uses the stack.
const DEPTH: usize = 400;
/// The most nodes of a tree; shared ones count at each use.
const SIZE: usize = 100_000;

impl Expression {
    fn new(node: Node, data_type: DataType) -> Result<Self> {
        let mut tree = Tree { node, data_type, hash: 0, depth: 1, size: 1 };
        for operand in operands(&tree.node) {
            tree.depth = tree.depth.max(operand.0.depth + 1);
            tree.size = tree.size.saturating_add(operand.0.size);
        }
        if tree.depth > DEPTH || tree.size > SIZE {
            return Err(Error::invalid_argument(format!(
                "an expression {} deep with {} operations: {DEPTH} deep and {SIZE} operations are the limit",
                tree.depth, tree.size
            )));
        }
        let mut state = DefaultHasher::new();
        hash_node(&tree.node, &mut state);
        data_type.hash(&mut state);
        tree.hash = state.finish();
        Ok(Self(Arc::new(tree)))
    }

    /// Column `position` of the table, which is of `data_type`.
    pub fn column(position: usize, data_type: DataType) -> Self {
        Self::new(Node::Column(position), data_type).expect("a leaf is within all limits")
    }

    /// `value` in every row.
    pub fn literal(value: Scalar) -> Self {
        let data_type = value.data_type();
        Self::new(Node::Literal(value), data_type).expect("a leaf is within all limits")
    }

    /// `op operand`; see [`unary::result_type`] for types and errors.
    pub fn unary(op: UnaryOperator, operand: Self) -> Result<Self> {
        let data_type = unary::result_type(operand.data_type(), op)?;
        Self::new(Node::Unary(op, operand), data_type)
    }

    /// `left op right`; see [`binaryop::result_type`] for types and errors.
    pub fn binary(op: BinaryOperator, left: Self, right: Self) -> Result<Self> {
        let data_type = binaryop::result_type(left.data_type(), right.data_type(), op)?;
        Self::new(Node::Binary(op, left, right), data_type)
    }

    /// `function` of the operand; see [`Function::result_type`] for types and errors.
    pub fn function(function: Function, operand: Self) -> Result<Self> {
        let data_type = function.result_type(operand.data_type())?;
        Self::new(Node::Function(function, operand), data_type)
    }

    /// The operand as another type; see [`unary::cast`] for the pairs that there are.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for other pairs.
    pub fn cast(self, to: DataType) -> Result<Self> {
        if self.data_type() == to {
            return Ok(self);
        }
        // The family knows which casts there are: it is asked with a column of no rows.
        unary::cast(&Column::empty(self.data_type()), to, &Context::on(Device::Cpu)?)?;
        Self::new(Node::Cast(self), to)
    }

    /// Whether the operand is null (or NaN, if `nan`): never null itself.
    pub fn is_missing(self, nan: bool) -> Result<Self> {
        Self::new(Node::IsMissing { operand: self, nan }, DataType::Bool8)
    }

    /// The operand with `with` where it is null (or NaN, if `nan`).
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) unless both are of one type.
    pub fn fill(self, with: Self, nan: bool) -> Result<Self> {
        let data_type = one_type("fill", &self, &with)?;
        Self::new(Node::Fill { operand: self, with, nan }, data_type)
    }

    /// `then` where `condition` is true, `otherwise` where it is false or null.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) unless `condition` is boolean and the
    /// others are of one type.
    pub fn conditional(condition: Self, then: Self, otherwise: Self) -> Result<Self> {
        if condition.data_type() != DataType::Bool8 {
            return Err(Error::data_type(format!(
                "a condition is bool, {condition} is {}",
                condition.data_type()
            )));
        }
        let data_type = one_type("conditional", &then, &otherwise)?;
        Self::new(Node::Conditional { condition, then, otherwise }, data_type)
    }

    /// The type of the result.
    pub fn data_type(&self) -> DataType {
        self.0.data_type
    }

    /// The node of the expression.
    pub fn node(&self) -> &Node {
        &self.0.node
    }

    /// Its operands, from left to right.
    pub fn operands(&self) -> impl Iterator<Item = &Self> {
        operands(self.node())
    }
}

fn one_type(operation: &str, a: &Expression, b: &Expression) -> Result<DataType> {
    if a.data_type() == b.data_type() {
        return Ok(a.data_type());
    }
    let (a, b) = (a.data_type(), b.data_type());
    Err(Error::data_type(format!("{operation} does not take operands of {a} and {b}: cast one of them")))
}

fn operands(node: &Node) -> impl Iterator<Item = &Expression> {
    let all: [Option<&Expression>; 3] = match node {
        Node::Column(_) | Node::Literal(_) => [None; 3],
        Node::Unary(_, a) | Node::Function(_, a) | Node::Cast(a) | Node::IsMissing { operand: a, .. } => {
            [Some(a), None, None]
        }
        Node::Binary(_, a, b) | Node::Fill { operand: a, with: b, .. } => [Some(a), Some(b), None],
        Node::Conditional { condition, then, otherwise } => [Some(condition), Some(then), Some(otherwise)],
    };
    all.into_iter().flatten()
}

fn hash_node(node: &Node, state: &mut impl Hasher) {
    std::mem::discriminant(node).hash(state);
    match node {
        Node::Column(position) => position.hash(state),
        Node::Literal(value) => hash_value(value.value(), state),
        Node::Unary(op, _) => op.hash(state),
        Node::Binary(op, ..) => op.hash(state),
        Node::Function(function, _) => function.hash(state),
        Node::IsMissing { nan, .. } | Node::Fill { nan, .. } => nan.hash(state),
        Node::Cast(_) | Node::Conditional { .. } => {}
    }
    for operand in operands(node) {
        operand.0.hash.hash(state);
    }
}

/// Floats by their bits, so that NaN equals itself.
pub(super) fn hash_value(value: &Value, state: &mut impl Hasher) {
    match value {
        Value::Null | Value::Nested(_) => {}
        Value::Bool(value) => value.hash(state),
        Value::Int(value) => value.hash(state),
        Value::UInt(value) => value.hash(state),
        Value::Float(value) => value.to_bits().hash(state),
        Value::Decimal(value) => value.hash(state),
        Value::String(value) => value.hash(state),
    }
}

/// Whether values are equal as [`hash_value`] takes them.
pub(super) fn is_same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (a, b) => a == b,
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        let (a, b) = (&*self.0, &*other.0);
        if (a.hash, a.data_type, a.size) != (b.hash, b.data_type, b.size) {
            return false;
        }
        let same = match (&a.node, &b.node) {
            (Node::Column(a), Node::Column(b)) => a == b,
            (Node::Literal(a), Node::Literal(b)) => is_same_value(a.value(), b.value()),
            (Node::Unary(a, _), Node::Unary(b, _)) => a == b,
            (Node::Binary(a, ..), Node::Binary(b, ..)) => a == b,
            (Node::Function(a, _), Node::Function(b, _)) => a == b,
            (Node::IsMissing { nan: a, .. }, Node::IsMissing { nan: b, .. })
            | (Node::Fill { nan: a, .. }, Node::Fill { nan: b, .. }) => a == b,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        same && self.operands().eq(other.operands())
    }
}

impl Eq for Expression {}

impl Hash for Expression {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

/// As a formula: columns as `#0`, operators as Python writes them.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node() {
            Node::Column(position) => write!(f, "#{position}"),
            Node::Literal(value) => match value.value() {
                Value::String(text) => write!(f, "{text:?}"),
                _ => write!(f, "{value}"),
            },
            Node::Unary(op, a) => match op.symbol() {
                Some(symbol) => write!(f, "{symbol}{a}"),
                None => write!(f, "{op}({a})"),
            },
            Node::Binary(op, a, b) => write!(f, "({a} {op} {b})"),
            Node::Function(function, a) => function.write(a, f),
            Node::Cast(a) => write!(f, "cast({a}, {})", self.data_type()),
            Node::IsMissing { operand, nan: false } => write!(f, "is_null({operand})"),
            Node::IsMissing { operand, nan: true } => write!(f, "is_missing({operand})"),
            Node::Fill { operand, with, nan: false } => write!(f, "fill_null({operand}, {with})"),
            Node::Fill { operand, with, nan: true } => write!(f, "fill_missing({operand}, {with})"),
            Node::Conditional { condition, then, otherwise } => {
                write!(f, "({then} if {condition} else {otherwise})")
            }
        }
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}: {}", self.data_type())
    }
}
