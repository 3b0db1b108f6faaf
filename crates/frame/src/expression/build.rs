//! Expressions from Rust: columns, literals, operators, methods.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Sub};

use cuprum_column::{DataType, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::unary::UnaryOperator;

use super::{Exact, Expr, Function, Node};
use crate::label::Label;
use crate::operations::replace::Sought;
use crate::types::Dtype;

/// The column called `label`.
pub fn col(label: impl Into<Label>) -> Expr {
    Expr::new(Node::Column(label.into()))
}

/// The same value in every row. A number takes the type of the other operand where that can hold it.
pub fn lit(value: impl Into<Expr>) -> Expr {
    value.into()
}

pub(super) fn literal(value: Scalar) -> Expr {
    Expr::new(Node::Literal(Exact(value)))
}

/// The number of rows, of a group or of the frame.
pub fn len() -> Expr {
    Expr::new(Node::Len)
}

/// The number of each row, from 0, in the frame or [in its group](Expr::over): pandas' `cumcount`. Counted from the last
/// row if not `ascending`.
pub fn row_number(ascending: bool) -> Expr {
    Expr::new(Node::RowNumber { ascending })
}

/// The labels of the rows; of the level called `name`, where there are several.
pub fn index(name: Option<Label>) -> Expr {
    Expr::new(Node::Index(name))
}

/// The value of `name` in [`Variables`](super::Variables) when the expression is evaluated.
pub fn variable(name: &str) -> Expr {
    Expr::new(Node::Variable(name.into()))
}

/// Begins `when(condition).then(value).otherwise(other)`: `value` where the condition is true, `other` where
/// it is false or missing, in a type that holds both.
pub fn when(condition: impl Into<Expr>) -> When {
    When(condition.into())
}

/// See [`when`].
#[derive(Clone, Debug)]
pub struct When(Expr);

impl When {
    /// The value where the condition is true.
    pub fn then(self, value: impl Into<Expr>) -> Then {
        Then(self.0, value.into())
    }
}

/// See [`when`].
#[derive(Clone, Debug)]
pub struct Then(Expr, Expr);

impl Then {
    /// The value elsewhere.
    pub fn otherwise(self, value: impl Into<Expr>) -> Expr {
        Expr::new(Node::Conditional(self.0, self.1, value.into()))
    }
}

/// A selector of columns: a label, or an expression.
pub trait Selector {
    /// The expression.
    fn expression(self) -> Expr;
}

impl Selector for Expr {
    fn expression(self) -> Expr {
        self
    }
}

impl Selector for &Expr {
    fn expression(self) -> Expr {
        self.clone()
    }
}

macro_rules! selectors {
    ($($label:ty)*) => {$(
        impl Selector for $label {
            fn expression(self) -> Expr {
                col(self)
            }
        }
    )*};
}

selectors! { &str String &String Label &Label i64 }

impl Selector for &&str {
    fn expression(self) -> Expr {
        col(*self)
    }
}

/// Literals.
macro_rules! literals {
    ($($value:ty)*) => {$(
        impl From<$value> for Expr {
            fn from(value: $value) -> Self {
                literal(value.into())
            }
        }
    )*};
}

literals! { i64 f64 bool &str String u64 Scalar }

/// A number like any other: it takes the type of the other operand, as an `i64` does.
impl From<i32> for Expr {
    fn from(value: i32) -> Self {
        Self::from(i64::from(value))
    }
}

impl From<&Expr> for Expr {
    fn from(expression: &Expr) -> Self {
        expression.clone()
    }
}

/// Operators of Rust.
macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl<R: Into<Expr>> $trait<R> for Expr {
            type Output = Expr;
            fn $method(self, other: R) -> Expr {
                self.operate(BinaryOperator::$op, other)
            }
        }
        impl<R: Into<Expr>> $trait<R> for &Expr {
            type Output = Expr;
            fn $method(self, other: R) -> Expr {
                self.operate(BinaryOperator::$op, other)
            }
        }
        operators!(@reflected $trait $method $op: i64 f64 bool &str);
    )*};
    (@reflected $trait:ident $method:ident $op:ident: $($literal:ty)*) => {$(
        impl $trait<Expr> for $literal {
            type Output = Expr;
            fn $method(self, other: Expr) -> Expr {
                Expr::from(self).operate(BinaryOperator::$op, other)
            }
        }
    )*};
}

operators! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div TrueDiv;
    Rem rem Mod;
    BitAnd bitand And;
    BitOr bitor Or;
    BitXor bitxor Xor;
}

impl Neg for Expr {
    type Output = Self;
    fn neg(self) -> Self {
        self.unary(UnaryOperator::Negate)
    }
}

impl Not for Expr {
    type Output = Self;
    fn not(self) -> Self {
        self.unary(UnaryOperator::Not)
    }
}

macro_rules! binary_methods {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {
        impl Expr {$(
            $(#[$doc])*
            pub fn $method(&self, other: impl Into<Expr>) -> Self {
                self.operate(BinaryOperator::$op, other)
            }
        )*}
    };
}

binary_methods! {
    /// Whether both are equal; false where one is missing.
    eq Equal;
    /// Whether they differ; true where one is missing.
    ne NotEqual;
    /// Whether this is less; false where one is missing.
    lt Less;
    /// Whether this is at most the other; false where one is missing.
    le LessEqual;
    /// Whether this is greater; false where one is missing.
    gt Greater;
    /// Whether this is at least the other; false where one is missing.
    ge GreaterEqual;
    /// The quotient rounded down.
    floor_div FloorDiv;
    /// This to the power of the other.
    pow Pow;
}

macro_rules! aggregations {
    ($($(#[$doc:meta])* $method:ident $how:expr;)*) => {
        impl Expr {$(
            $(#[$doc])*
            pub fn $method(&self) -> Self {
                self.aggregate($how)
            }
        )*}
    };
}

aggregations! {
    /// The sum of the values that are not missing.
    sum Aggregation::Sum;
    /// Their product.
    product Aggregation::Product;
    /// Their arithmetic mean.
    mean Aggregation::Mean;
    /// The middle one, or the mean of the two in the middle.
    median Aggregation::Median;
    /// The smallest.
    min Aggregation::Min;
    /// The largest.
    max Aggregation::Max;
    /// The sample standard deviation.
    std Aggregation::Std { ddof: 1 };
    /// The sample variance.
    var Aggregation::Var { ddof: 1 };
    /// The number of elements that are not missing.
    count Aggregation::Count;
    /// The number of different elements, missing ones not counted.
    nunique Aggregation::NUnique;
    /// The first that is not missing.
    first Aggregation::First;
    /// The last that is not missing.
    last Aggregation::Last;
    /// The standard error of their mean.
    sem Aggregation::Sem { ddof: 1 };
    /// The bits that are set in every value.
    bit_and Aggregation::BitAnd;
    /// The bits that are set in some value.
    bit_or Aggregation::BitOr;
    /// The bits that are set in an odd number of values.
    bit_xor Aggregation::BitXor;
    /// Whether one is not zero.
    any Aggregation::Any;
    /// Whether none is zero.
    all Aggregation::All;
}

impl Expr {
    /// `self op other`, as operators between series.
    pub fn operate(&self, op: BinaryOperator, other: impl Into<Self>) -> Self {
        Self::new(Node::Binary(op, self.clone(), other.into()))
    }

    /// `op` of every element; `Not` inverts the bits of integers.
    pub fn unary(&self, op: UnaryOperator) -> Self {
        Self::new(Node::Unary(op, self.clone()))
    }

    /// One value of all rows, or of those of a group.
    pub fn aggregate(&self, how: Aggregation) -> Self {
        Self::new(Node::Aggregate(Exact(how), self.clone()))
    }

    /// The quantile at a fraction in [0, 1], with linear interpolation.
    pub fn quantile(&self, q: f64) -> Self {
        self.aggregate(Aggregation::Quantile(q))
    }

    pub(crate) fn call(&self, function: Function) -> Self {
        self.call_beside(function, [])
    }

    /// A function of the values and of others beside them.
    pub(super) fn call_beside(&self, function: Function, beside: impl Into<Box<[Self]>>) -> Self {
        Self::new(Node::Call(function, self.clone(), beside.into()))
    }

    /// The same values under another label.
    pub fn alias(&self, label: impl Into<Label>) -> Self {
        Self::new(Node::Alias(self.clone(), label.into()))
    }

    /// The values as another dtype; see [`types::cast`](crate::types::cast).
    pub fn cast(&self, to: impl Into<Dtype>) -> Self {
        Self::new(Node::Cast(self.clone(), Exact(to.into())))
    }

    /// Whether the value is missing: null, or NaN among floats.
    pub fn isna(&self) -> Self {
        self.call(Function::IsMissing)
    }

    /// Whether the value is not missing.
    pub fn notna(&self) -> Self {
        !self.isna()
    }

    /// The value, and `with` where it is missing, in a type that holds both.
    pub fn fillna(&self, with: impl Into<Self>) -> Self {
        Self::new(Node::Fill(self.clone(), with.into()))
    }

    /// The value where `condition` is true, missing elsewhere. Aggregations skip what is missing:
    /// `(col("price") * col("sold")).where_(col("shop").eq("a")).sum()` is one pass without a column.
    pub fn where_(&self, condition: impl Into<Self>) -> Self {
        Self::new(Node::Conditional(condition.into(), self.clone(), literal(Scalar::null(DataType::Empty))))
    }

    /// Whether the value lies between two others, or equals one of them.
    pub fn between(&self, low: impl Into<Self>, high: impl Into<Self>) -> Self {
        self.ge(low) & self.le(high)
    }

    /// Whether the value is one of `values`; missing ones are equal.
    pub fn isin<V: Into<Self>>(&self, values: impl IntoIterator<Item = V>) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self::new(Node::IsIn(self.clone(), Self::new(Node::List(values))))
    }

    /// The value, and limits where it lies beyond them, which are expressions: as
    /// [`Series::clip_with`](crate::Series::clip_with), in a type that holds the limits that some rows take, so it
    /// is known only from values. A missing limit (`None`) is none, a missing value stays missing.
    ///
    /// Evaluating it fails with [`DataType`](cuprum_column::ErrorKind::DataType) for limits that do not compare.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// let frame = df! { "x" => [1i64, 5, 9], "most" => [4i64, 4, 12] }?;
    /// let limited = frame.evaluate(&col("x").clip(2, col("most")))?;
    /// assert_eq!(limited.get(1)?, Scalar::from(4i64));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn clip(&self, lower: impl Into<Self>, upper: impl Into<Self>) -> Self {
        self.call_beside(Function::Clip, [lower.into(), upper.into()])
    }

    /// Values equal to the first of a pair replaced by the second, all at once: see
    /// [`Series::replace`](crate::Series::replace). The type is known only from values.
    pub fn replace(&self, pairs: &[(Sought, Scalar)]) -> Self {
        self.call(Function::Replace(Exact(pairs.to_vec())))
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        self.unary(UnaryOperator::Abs)
    }

    /// The square root.
    pub fn sqrt(&self) -> Self {
        self.unary(UnaryOperator::Sqrt)
    }

    /// Rounded to `decimals` digits after the point, halves to even.
    pub fn round(&self, decimals: i32) -> Self {
        self.call(Function::Round(decimals))
    }
}

/// A missing value of no type.
impl From<Option<Scalar>> for Expr {
    fn from(value: Option<Scalar>) -> Self {
        literal(value.unwrap_or_else(|| Scalar::null(DataType::Float64)))
    }
}
