//! The operators.

use std::fmt;

/// Operators of two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `a + b`; concatenation of strings.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`; a string so many times.
    Mul,
    /// `a / b` in floating point.
    TrueDiv,
    /// `a / b` rounded towards negative infinity.
    FloorDiv,
    /// `a - b * floor(a / b)`: the sign is that of `b`.
    Mod,
    /// `a` to the power of `b`.
    Pow,
    /// `a == b`.
    Equal,
    /// `a != b`.
    NotEqual,
    /// `a < b`.
    Less,
    /// `a > b`.
    Greater,
    /// `a <= b`.
    LessEqual,
    /// `a >= b`.
    GreaterEqual,
    /// Logical and of booleans (Kleene), bitwise and of integers.
    And,
    /// Logical or of booleans (Kleene), bitwise or of integers.
    Or,
    /// Exclusive or of booleans, bitwise of integers.
    Xor,
}

impl BinaryOperator {
    /// Every operator.
    pub const ALL: [Self; 16] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::TrueDiv,
        Self::FloorDiv,
        Self::Mod,
        Self::Pow,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::Greater,
        Self::LessEqual,
        Self::GreaterEqual,
        Self::And,
        Self::Or,
        Self::Xor,
    ];

    /// Whether it is one of the six comparisons.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Equal | Self::NotEqual | Self::Less | Self::Greater | Self::LessEqual | Self::GreaterEqual
        )
    }

    /// As Python writes it.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::TrueDiv => "/",
            Self::FloorDiv => "//",
            Self::Mod => "%",
            Self::Pow => "**",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessEqual => "<=",
            Self::GreaterEqual => ">=",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
        }
    }

    /// Whether it is `And`, `Or` or `Xor`.
    pub const fn is_bitwise(self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Xor)
    }
}

/// As Python writes it.
impl fmt::Display for BinaryOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}
