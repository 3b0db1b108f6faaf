//! Texts as operands of formulas: compared, measured and looked for, never made.
//!
//! A text is an address and a size (`Text` in `formula.cu`). Literals are columns of one row, so that a kernel is one
//! for all of them.

use cuprum_column::strings::check_strings;
use cuprum_column::{Column, Context, DataType, Result, Scalar};

use super::{JitExpression, Reads, Valid, Value};
use crate::elements::Operand;

/// Simple operations that reading a text costs, and one that looks at all its bytes.
const COST: usize = 60;

/// Tests of a text with a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// The text begins with the pattern.
    StartsWith,
    /// The text ends with the pattern.
    EndsWith,
    /// The pattern is somewhere in the text.
    Contains,
}

impl JitExpression {
    /// The texts of a column.
    pub(super) fn texts(&mut self, column: &Column) -> Value {
        let at = self.inputs.len();
        let valid = self.input(column, Reads::Offsets);
        let name = self.text(column, at, &format!("row + k < n & {}", valid.text()), "row + k");
        Value { data_type: DataType::String, name, valid }
    }

    /// The texts of a column at the rows that a name says.
    pub(super) fn texts_at(&mut self, column: &Column, row: &str) -> Value {
        let at = self.inputs.len();
        let valid = self.gathered_input(column, Reads::Offsets, row);
        let name = self.text(column, at, &format!("row + k < n & {}", valid.text()), row);
        Value { data_type: DataType::String, name, valid }
    }

    /// The name of the variable with the text of a row. The offsets of the column are the last input, `at`.
    fn text(&mut self, column: &Column, at: usize, is_there: &str, row: &str) -> String {
        let wide = column.offsets_child().is_some_and(|offsets| offsets.data_type() == DataType::Int64);
        self.unmasked_input(column, Reads::Characters);
        self.cost += COST;
        let offset = if wide { "i64" } else { "i32" };
        self.named("Text", &format!("text_at<{offset}>(in{at}, in{}, {row}, {is_there})", at + 1))
    }

    /// A text in every row.
    pub fn literal_text(&mut self, text: &str, ctx: &Context) -> Result<Value> {
        let column = Column::from_scalar(&Scalar::from(text), 1, ctx)?;
        let at = self.unmasked_input(&column, Reads::Offsets);
        let name = self.text(&column, at, "true", "0");
        Ok(Value { data_type: DataType::String, name, valid: Valid::Always })
    }

    /// [`scalar`](Self::scalar), which may be a text.
    pub fn literal_of_any(&mut self, scalar: &Scalar, ctx: &Context) -> Result<Value> {
        if scalar.data_type() != DataType::String {
            return self.scalar(scalar);
        }
        let value = self.literal_text(scalar.as_str().unwrap_or_default(), ctx)?;
        let valid = if scalar.is_null() { Valid::Never } else { Valid::Always };
        Ok(Value { valid, ..value })
    }

    /// A column or a scalar, which may be of texts.
    pub fn operand_of_any(&mut self, operand: Operand<'_>, ctx: &Context) -> Result<Value> {
        match operand {
            Operand::Column(column) => Ok(self.column(column)),
            Operand::Scalar(scalar) => self.literal_of_any(scalar, ctx),
        }
    }

    /// The order of two texts by their bytes, as an operator of C++ compares it with 0.
    pub fn compared_texts(&mut self, symbol: &str, lhs: &Value, rhs: &Value) -> Value {
        let valid = self.all(&[&lhs.valid, &rhs.valid]);
        let (a, b) = (&lhs.name, &rhs.name);
        let text = match symbol {
            "==" => format!("u8(text_equal({a}, {b}))"),
            "!=" => format!("u8(!text_equal({a}, {b}))"),
            _ => format!("u8(text_order({a}, {b}) {symbol} 0)"),
        };
        self.value(DataType::Bool8, valid, COST, &text)
    }

    /// Whether a literal is in a text.
    pub fn text_looks(&mut self, looks: Looks, text: &Value, literal: &Value) -> Value {
        let function = match looks {
            Looks::StartsWith => "text_starts_with",
            Looks::EndsWith => "text_ends_with",
            Looks::Contains => "text_contains",
        };
        let call = format!("u8({function}({}, {}))", text.name, literal.name);
        self.value(DataType::Bool8, text.valid.clone(), COST, &call)
    }

    /// The number of characters of a text, or of its bytes; `Int32`.
    pub fn text_length(&mut self, text: &Value, characters: bool) -> Value {
        let function = if characters { "text_characters" } else { "text_bytes" };
        let call = format!("{function}({})", text.name);
        self.value(DataType::Int32, text.valid.clone(), COST, &call)
    }

    /// Whether a text is one of a column of texts, without nulls and in the order of their bytes.
    pub fn text_is_in(&mut self, text: &Value, sorted: &Column) -> Value {
        let at = self.unmasked_input(sorted, Reads::Offsets);
        let wide = sorted.offsets_child().is_some_and(|offsets| offsets.data_type() == DataType::Int64);
        self.unmasked_input(sorted, Reads::Characters);
        let count = self.number(sorted.len() as u64);
        let offset = if wide { "i64" } else { "i32" };
        let call = format!("u8(text_is_in<{offset}>({}, in{at}, in{}, {count}))", text.name, at + 1);
        self.value(DataType::Bool8, text.valid.clone(), 4 * COST, &call)
    }
}

/// The result of a formula for each text of a column.
pub fn of_texts(
    column: &Column,
    result: DataType,
    ctx: &Context,
    find: impl FnOnce(&mut JitExpression, &Value) -> Result<Value>,
) -> Result<Column> {
    check_strings(column)?;
    if column.is_empty() {
        return Ok(Column::empty(result));
    }
    let mut formula = JitExpression::new(column.len());
    let text = formula.column(column);
    let value = find(&mut formula, &text)?;
    formula.unchecked(value, result, ctx)
}
