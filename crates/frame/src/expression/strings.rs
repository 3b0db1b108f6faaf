//! `Expr::str`: functions of texts.

use cuprum_compute::expression::Function as Formula;
use cuprum_compute::strings::attributes::CharacterClass;
use cuprum_compute::strings::json_path::JsonPathOptions;
use cuprum_compute::strings::strip::Side;

use super::function::expression_methods;
use super::{Expr, Function};
use crate::accessors::string_functions::{TextFunction, text_functions};

/// Functions of texts, and of categories of texts: what [`Expr::str`] gives. They are those of
/// [`StringMethods`](crate::accessors::StringMethods) that give one value for each row; missing texts stay missing.
///
/// Evaluating one fails with [`DataType`](cuprum_column::ErrorKind::DataType) for values that are no texts.
#[derive(Clone, Debug)]
pub struct TextExpr(Expr);

impl Expr {
    /// Functions of texts.
    pub fn str(&self) -> TextExpr {
        TextExpr(self.clone())
    }
}

impl TextExpr {
    fn call(&self, function: TextFunction) -> Expr {
        self.0.call(Function::Text(function))
    }

    /// Whether the number of characters is 0.
    pub fn is_empty(&self) -> Expr {
        self.len().eq(0)
    }

    /// Any function of texts that formulas have.
    pub fn function(&self, function: Formula) -> Expr {
        self.call(TextFunction::Of(function))
    }

    /// The text, then those of other expressions, with `separator` between them: missing where one is, unless
    /// `missing` stands for it.
    pub fn cat<E: Into<Expr>>(
        &self,
        others: impl IntoIterator<Item = E>,
        separator: &str,
        missing: Option<&str>,
    ) -> Expr {
        let others: Vec<Expr> = others.into_iter().map(Into::into).collect();
        let (separator, missing) = (separator.into(), missing.map(Into::into));
        self.0.call_beside(Function::Text(TextFunction::Cat { separator, missing }), others)
    }

    /// The text as often as an expression of integers says, not at all where that is negative.
    pub fn repeat_each(&self, times: impl Into<Expr>) -> Expr {
        self.0.call_beside(Function::Text(TextFunction::RepeatEach), [times.into()])
    }
}

text_functions!(expression_methods TextExpr);
