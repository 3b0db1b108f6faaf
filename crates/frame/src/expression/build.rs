//! Expressions from Rust: columns, literals, operators, methods.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Sub};

use cuprum_column::{DataType, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::datetime::DatetimeComponent;
use cuprum_compute::expression as compute;
use cuprum_compute::reduce::{Aggregation, CumulativeOp};
use cuprum_compute::unary::UnaryOperator;

use super::{Exact, Expr, Function, Node, TextFunction};
use crate::label::Label;
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
    n_unique Aggregation::NUnique;
    /// The first that is not missing.
    first Aggregation::First;
    /// The last that is not missing.
    last Aggregation::Last;
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
        Self::new(Node::Call(function, self.clone()))
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
    pub fn is_null(&self) -> Self {
        self.call(Function::IsMissing)
    }

    /// Whether the value is not missing.
    pub fn is_not_null(&self) -> Self {
        !self.is_null()
    }

    /// The value, and `with` where it is missing, in a type that holds both.
    pub fn fill_null(&self, with: impl Into<Self>) -> Self {
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
    pub fn is_in<V: Into<Self>>(&self, values: impl IntoIterator<Item = V>) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self::new(Node::IsIn(self.clone(), Self::new(Node::List(values))))
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

    /// The value `periods` rows before, missing where there is none.
    pub fn shift(&self, periods: i64) -> Self {
        self.call(Function::Shift(periods))
    }

    /// The sum of the rows so far.
    pub fn cum_sum(&self) -> Self {
        self.call(Function::Cumulative(CumulativeOp::Sum))
    }

    /// Functions of texts.
    pub fn str(&self) -> TextExpr {
        TextExpr(self.clone())
    }

    /// Parts of times.
    pub fn dt(&self) -> TimeExpr {
        TimeExpr(self.clone())
    }
}

/// Functions of texts: what [`Expr::str`] gives.
#[derive(Clone, Debug)]
pub struct TextExpr(Expr);

impl TextExpr {
    fn call(&self, function: TextFunction) -> Expr {
        self.0.call(Function::Text(function))
    }

    /// The number of characters.
    pub fn len(&self) -> Expr {
        self.call(TextFunction::Len)
    }

    /// Whether the number of characters is 0.
    pub fn is_empty(&self) -> Expr {
        self.len().eq(0)
    }

    /// In capitals.
    pub fn upper(&self) -> Expr {
        self.call(TextFunction::Upper)
    }

    /// In small letters.
    pub fn lower(&self) -> Expr {
        self.call(TextFunction::Lower)
    }

    /// Without white space at both ends.
    pub fn strip(&self) -> Expr {
        self.call(TextFunction::Strip(None))
    }

    /// Whether a regular expression matches somewhere.
    pub fn contains(&self, pattern: &str) -> Expr {
        self.call(TextFunction::Contains { pattern: pattern.into(), regex: true, case: true })
    }

    /// Whether a text occurs.
    pub fn contains_text(&self, text: &str) -> Expr {
        self.call(TextFunction::Contains { pattern: text.into(), regex: false, case: true })
    }

    /// Whether the text begins with `prefix`.
    pub fn starts_with(&self, prefix: &str) -> Expr {
        self.call(TextFunction::StartsWith(prefix.into()))
    }

    /// Whether the text ends with `suffix`.
    pub fn ends_with(&self, suffix: &str) -> Expr {
        self.call(TextFunction::EndsWith(suffix.into()))
    }

    /// Every occurrence of a text replaced.
    pub fn replace(&self, text: &str, with: &str) -> Expr {
        self.call(TextFunction::Replace { pattern: text.into(), with: with.into(), regex: false })
    }

    /// Any function of texts that formulas have.
    pub fn function(&self, function: compute::Function) -> Expr {
        self.call(TextFunction::Of(function))
    }

    /// The characters `[start, stop)`, as Python slices.
    pub fn slice(&self, start: Option<i64>, stop: Option<i64>) -> Expr {
        self.call(TextFunction::Slice(start, stop, None))
    }
}

/// Parts of times: what [`Expr::dt`] gives.
#[derive(Clone, Debug)]
pub struct TimeExpr(Expr);

macro_rules! components {
    ($($(#[$doc:meta])* $method:ident $component:ident;)*) => {
        impl TimeExpr {$(
            $(#[$doc])*
            pub fn $method(&self) -> Expr {
                self.component(DatetimeComponent::$component)
            }
        )*}
    };
}

components! {
    /// The year.
    year Year;
    /// The month, 1 to 12.
    month Month;
    /// The day of the month.
    day Day;
    /// The hour.
    hour Hour;
    /// The minute.
    minute Minute;
    /// The second.
    second Second;
    /// The day of the week, Monday being 0.
    dayofweek DayOfWeek;
    /// The day of the year, 1 to 366.
    dayofyear DayOfYear;
    /// The quarter, 1 to 4.
    quarter Quarter;
}

impl TimeExpr {
    /// A part of the times.
    pub fn component(&self, component: DatetimeComponent) -> Expr {
        self.0.call(Function::Component(component))
    }

    /// Printed by a format with Python's directives.
    pub fn strftime(&self, format: &str) -> Expr {
        self.0.call(Function::Strftime(format.into()))
    }
}

/// A missing value of no type.
impl From<Option<Scalar>> for Expr {
    fn from(value: Option<Scalar>) -> Self {
        literal(value.unwrap_or_else(|| Scalar::null(DataType::Float64)))
    }
}
