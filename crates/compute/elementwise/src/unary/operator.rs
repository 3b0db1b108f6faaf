//! The operators.

use std::fmt;

/// Operators of one element.
///
/// Roots, exponentials, logarithms and circular functions give `float32` for `float32` and `float64`
/// for every other number; outside their domain they give NaN, as IEEE says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-x` of numbers, decimals and durations; integers wrap.
    Negate,
    /// The absolute value of numbers, decimals, booleans and durations; integers wrap.
    Abs,
    /// −1, 0 or 1 by the sign of a number; NaN for NaN.
    Sign,
    /// The square root.
    Sqrt,
    /// The cube root.
    Cbrt,
    /// e to the power of x.
    Exp,
    /// `exp(x) - 1`, exact near 0.
    Expm1,
    /// The natural logarithm.
    Log,
    /// `log(1 + x)`, exact near 0.
    Log1p,
    /// The logarithm to base 2.
    Log2,
    /// The logarithm to base 10.
    Log10,
    /// Sine of radians.
    Sin,
    /// Cosine of radians.
    Cos,
    /// Tangent of radians.
    Tan,
    /// Inverse sine.
    Arcsin,
    /// Inverse cosine.
    Arccos,
    /// Inverse tangent.
    Arctan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse hyperbolic sine.
    Arcsinh,
    /// Inverse hyperbolic cosine.
    Arccosh,
    /// Inverse hyperbolic tangent.
    Arctanh,
    /// The smallest integer that is not below; integers and booleans stay as they are.
    Ceil,
    /// The largest integer that is not above; integers and booleans stay as they are.
    Floor,
    /// The integer part; integers and booleans stay as they are.
    Trunc,
    /// The nearest integer, halves to even; integers and booleans stay as they are.
    Rint,
    /// Whether a number is zero, or a boolean false.
    Not,
    /// Every bit of an integer inverted; logical not of booleans.
    BitNot,
}

impl UnaryOperator {
    /// The sign that stands before the operand; `None` for functions.
    pub const fn symbol(self) -> Option<&'static str> {
        match self {
            Self::Negate => Some("-"),
            Self::Not | Self::BitNot => Some("~"),
            _ => None,
        }
    }
}

/// As Python writes it: a sign, or the name of a function.
impl fmt::Display for UnaryOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.symbol() {
            Some(symbol) => f.write_str(symbol),
            None => f.write_str(&format!("{self:?}").to_lowercase()),
        }
    }
}
