//! What readers of files are told of a formula: conditions that all rows meet for which it is true.
//!
//! They rule out files, row groups and pages; the formula itself is computed of every row that is read. Where they could
//! mean less than it, they ask for more rows: numbers are compared with the nearest 32-bit floats outside of them, as a
//! formula may compute with floats.

use cuprum_column::{DataType, Scalar, TimeUnit, Value};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_io::Filter;
use cuprum_io::parquet::{Condition, Operator, Value as Told};

use crate::dataframe::DataFrame;
use crate::expression::{Expr, Node};
use crate::label::Label;
use crate::types::Dtype;

/// The most lists of conditions that a formula becomes.
const MOST: usize = 64;

/// Integers up to here are floats of 32 bits.
const EXACT: i128 = 1 << 24;

/// Conditions that all rows meet for which a formula is true; `None` where nothing is known of them, and where rows that
/// do not meet them have a part in what it is of the others.
pub(super) fn implied(formula: &Expr) -> Option<Filter> {
    is_of_single_rows(formula).then(|| lists(formula)).flatten().map(Filter)
}

/// The rows that meet both filters.
pub(super) fn both(one: Option<&Filter>, other: Filter) -> Filter {
    match one {
        Some(one) => Filter(product(&one.0, &other.0)),
        None => other,
    }
}

/// Whether conditions compare categories that have an order, which is not that of the values in the files.
pub(super) fn compares_ordered_categories(filter: &Filter, frame: &DataFrame) -> bool {
    filter.0.iter().flatten().any(|condition| match frame.accessor().get(&Label::from(&condition.column)) {
        Ok(column) => match column.dtype() {
            Dtype::Categorical(kind) => kind.categories().is_ordered(),
            _ => false,
        },
        Err(_) => false,
    })
}

/// Whether a formula has the same value for a row whatever other rows there are.
fn is_of_single_rows(formula: &Expr) -> bool {
    let is_alone = match formula.node() {
        Node::Aggregate(..)
        | Node::Len
        | Node::RowNumber { .. }
        | Node::Over(..)
        | Node::Index(_)
        | Node::Variable(_)
        | Node::TooLarge => false,
        Node::Call(function, ..) => function.is_of_single_rows(),
        Node::Name(label) => label.as_str() != Some("index"),
        Node::Column(_)
        | Node::Literal(_)
        | Node::List(_)
        | Node::Unary(..)
        | Node::Binary(..)
        | Node::Cast(..)
        | Node::Fill(..)
        | Node::IsIn(..)
        | Node::Conditional(..)
        | Node::Alias(..) => true,
    };
    is_alone && formula.operands().all(is_of_single_rows)
}

fn lists(formula: &Expr) -> Option<Vec<Vec<Condition>>> {
    match formula.node() {
        Node::Alias(inner, _) => lists(inner),
        Node::Binary(BinaryOperator::And, a, b) => match (lists(a), lists(b)) {
            (Some(a), Some(b)) if a.len() * b.len() <= MOST => Some(product(&a, &b)),
            (Some(a), Some(b)) => Some(if a.len() <= b.len() { a } else { b }),
            (a, b) => a.or(b),
        },
        Node::Binary(BinaryOperator::Or, a, b) => {
            let both = [lists(a)?, lists(b)?].concat();
            (both.len() <= MOST).then_some(both)
        }
        Node::Binary(op, a, b) => match (a.node(), b.node()) {
            (_, Node::Literal(value)) => comparison(name(a)?, *op, &value.0),
            (Node::Literal(value), _) => comparison(name(b)?, mirrored(*op), &value.0),
            _ => None,
        },
        Node::IsIn(a, list) => {
            let Node::List(values) = list.node() else { return None };
            let told = values.iter().map(|value| match value.node() {
                Node::Literal(value) => exact(&value.0),
                _ => None,
            });
            let values = told.collect::<Option<_>>()?;
            Some(vec![vec![Condition { column: name(a)?.to_owned(), operator: Operator::In, values }]])
        }
        _ => None,
    }
}

fn product(one: &[Vec<Condition>], other: &[Vec<Condition>]) -> Vec<Vec<Condition>> {
    one.iter().flat_map(|a| other.iter().map(move |b| [a.as_slice(), b].concat())).collect()
}

/// The column that an expression is.
fn name(expression: &Expr) -> Option<&str> {
    match expression.node() {
        Node::Column(label) | Node::Name(label) => label.as_str(),
        _ => None,
    }
}

fn comparison(column: &str, op: BinaryOperator, value: &Scalar) -> Option<Vec<Vec<Condition>>> {
    let operator = match op {
        BinaryOperator::Equal => Operator::Equal,
        BinaryOperator::Less => Operator::Less,
        BinaryOperator::LessEqual => Operator::LessEqual,
        BinaryOperator::Greater => Operator::Greater,
        BinaryOperator::GreaterEqual => Operator::GreaterEqual,
        _ => return None,
    };
    if let Some(value) = exact(value) {
        return Some(vec![vec![Condition::new(column, operator, value)]]);
    }
    let near = match value.value() {
        Value::Int(whole) if value.data_type().is_integer() => *whole as f32,
        Value::UInt(whole) if value.data_type().is_integer() => *whole as f32,
        Value::Float(number) => *number as f32,
        _ => return None,
    };
    if !near.is_finite() {
        return None;
    }
    let not_above = || Condition::new(column, Operator::LessEqual, Told::Float(near.next_up().into()));
    let not_below = || Condition::new(column, Operator::GreaterEqual, Told::Float(near.next_down().into()));
    Some(vec![match operator {
        Operator::Less | Operator::LessEqual => vec![not_above()],
        Operator::Greater | Operator::GreaterEqual => vec![not_below()],
        _ => vec![not_below(), not_above()],
    }])
}

/// The operator that says the same with its sides exchanged.
fn mirrored(op: BinaryOperator) -> BinaryOperator {
    match op {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        op => op,
    }
}

/// A value that every column is compared with as in the file.
fn exact(scalar: &Scalar) -> Option<Told> {
    let whole = |whole: i128| (whole.abs() <= EXACT).then_some(Told::Int(whole));
    match (scalar.data_type(), scalar.value()) {
        (DataType::String, Value::String(text)) => Some(Told::Text(text.to_string())),
        (DataType::Bool8, Value::Bool(truth)) => Some(Told::Bool(*truth)),
        (DataType::Timestamp(unit), Value::Int(ticks)) => {
            let nanoseconds = TimeUnit::Nanoseconds.per_day() / unit.per_day();
            Some(Told::Time { nanoseconds: i128::from(*ticks) * i128::from(nanoseconds), zoned: false })
        }
        (of, Value::Int(value)) if of.is_integer() => whole((*value).into()),
        (of, Value::UInt(value)) if of.is_integer() => whole((*value).into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::{col, len, parse, row_number};

    fn told(formula: &str) -> String {
        let formula = &parse(formula).unwrap()[0].expression;
        let Some(filter) = implied(formula) else { return "?".to_owned() };
        let condition = |one: &Condition| format!("{} {} {:?}", one.column, one.operator, one.values);
        let lists = filter.0.iter().map(|all| all.iter().map(condition).collect::<Vec<_>>().join(" and "));
        lists.collect::<Vec<_>>().join(" or ")
    }

    #[test]
    fn conditions_that_formulas_imply() {
        for (formula, expected) in [
            ("a == 3", "a == [Int(3)]"),
            ("3 < a", "a > [Int(3)]"),
            ("a > 1 and b == 'x'", "a > [Int(1)] and b == [Text(\"x\")]"),
            ("a > 1 or b == 'x'", "a > [Int(1)] or b == [Text(\"x\")]"),
            (
                "(a > 1 or a < 0) and b == 2",
                "a > [Int(1)] and b == [Int(2)] or a < [Int(0)] and b == [Int(2)]",
            ),
            ("a in [1, 2]", "a in [Int(1), Int(2)]"),
            // Of one side nothing is known: of both of them that of the other, of one of them nothing.
            ("a > 1 and a + b > 2", "a > [Int(1)]"),
            ("a > 1 or a + b > 2", "?"),
            // A missing value differs from all.
            ("a != 1", "?"),
            ("not (a == 1)", "?"),
            ("a in [1, None]", "?"),
            ("a < 0.5", "a <= [Float(0.5000000596046448)]"),
            ("a == 0.5", "a >= [Float(0.4999999701976776)] and a <= [Float(0.5000000596046448)]"),
            ("a >= 16777217", "a >= [Float(16777215.0)]"),
            // What rows are left changes these.
            ("a > 1 and a > a.mean()", "?"),
            ("a > 1 and index > 2", "?"),
        ] {
            assert_eq!(told(formula), expected, "{formula}");
        }
        assert!(implied(&col("a").gt(1).operate(BinaryOperator::And, len().gt(3))).is_none());
        assert!(implied(&(col("a").gt(1) & col("a").shift(1).gt(0))).is_none());
        assert!(implied(&(col("a").gt(1) & col("a").over(["b"]).gt(0))).is_none());
        assert!(implied(&(col("a").gt(1) & row_number(true).lt(3))).is_none());
        assert!(implied(&(col("a").gt(1) & col("a").clip(0, 2).cast(DataType::String).eq("2"))).is_none());
        assert!(implied(&(col("a").gt(1) & col("s").str().title().eq("X"))).is_some());
        assert!(implied(&col(3).gt(1)).is_none());
        assert!(implied(&col("a").gt(f64::INFINITY)).is_none());
    }

    #[test]
    fn many_alternatives_are_no_conditions() {
        let any = |name: &str| {
            (0..9).map(|i| col(name).eq(i)).reduce(|a, b| a | b).unwrap_or_else(|| col(name).eq(0))
        };
        assert_eq!(implied(&any("a")).unwrap().0.len(), 9);
        assert_eq!(implied(&(any("a") & any("b"))).unwrap().0.len(), 9);
    }
}
