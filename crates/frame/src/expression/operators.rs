//! Operators, choices and membership of expressions over rows: a formula where there can be one, else the operation of
//! series.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::expression::Expression;
use cuprum_compute::replace;
use cuprum_compute::unary::UnaryOperator;

use super::evaluate::{Evaluator, Variable, literal_column, repeated, values_column};
use super::rules::{self, Lazy, Operand};
use super::{Expr, Node};
use crate::frame::Frame;
use crate::operations::fill::fill_missing;
use crate::series::Series;
use crate::types::{self, Dtype, MissingTruth, TypedColumn, decimal};

impl Evaluator<'_> {
    /// The operand of a formula, if this is of a type that formulas know.
    fn operand(lazy: &Lazy) -> Result<Option<Operand>> {
        Ok(match lazy {
            Lazy::Pending(formula) => Some(Operand::Formula(formula.clone())),
            Lazy::One(column) if rules::is_formula(column.dtype()) => {
                Some(Operand::Formula(Expression::literal(column.get(0)?)))
            }
            Lazy::Literal(scalar) if !scalar.data_type().is_nested() && !scalar.data_type().is_decimal() => {
                Some(Operand::Literal(scalar.clone()))
            }
            _ => None,
        })
    }

    pub(super) fn binary(&mut self, op: BinaryOperator, left: Lazy, right: Lazy) -> Result<Lazy> {
        if let (Lazy::Literal(l), Lazy::Literal(r)) = (&left, &right) {
            return rules::fold(op, l, r).map(Lazy::Literal);
        }
        let in_rows = |lazy: &Lazy| matches!(lazy, Lazy::Pending(_) | Lazy::Digits(..) | Lazy::Column(_));
        let rows = in_rows(&left) || in_rows(&right);
        let kinds = [&left, &right].map(|side| match side {
            Lazy::Digits(_, kind) => Some(*kind),
            _ => None,
        });
        if kinds != [None, None]
            && let (Some(l), Some(r)) = (rules::digits(&left, kinds[1]), rules::digits(&right, kinds[0]))
        {
            return Ok(match decimal::formula(l, r, op, MissingTruth::chosen())? {
                (formula, Some(kind)) => Lazy::Digits(formula, kind),
                (formula, None) => Lazy::Pending(formula),
            });
        }
        if rows
            && let (Some(l), Some(r)) = (Self::operand(&left)?, Self::operand(&right)?)
            && let Some(formula) = rules::binary(op, &l, &r)?
        {
            return Ok(Lazy::Pending(formula));
        }
        let (mut left, mut right) = (self.computed(left)?, self.computed(right)?);
        if rows {
            for side in [&mut left, &mut right] {
                if let Lazy::One(column) = side {
                    *side = Lazy::Column(repeated(column, self.rows())?);
                }
            }
        }
        let result = rules::operated(op, &left, &right)?;
        if rows { self.column(result) } else { Ok(Lazy::One(result)) }
    }

    pub(super) fn unary(&mut self, op: UnaryOperator, operand: &Expr) -> Result<Lazy> {
        let not = op == UnaryOperator::Not;
        match self.lower(operand)? {
            Lazy::Pending(formula) => {
                let op = if not && formula.data_type().is_integer() { UnaryOperator::BitNot } else { op };
                if not && formula.data_type().is_float() {
                    return Dtype::plain(formula.data_type()).refuse("~");
                }
                Ok(Lazy::Pending(Expression::unary(op, formula)?))
            }
            Lazy::Digits(formula, kind) => Ok(Lazy::Digits(decimal::unary_formula(formula, kind, op)?, kind)),
            Lazy::Literal(scalar) if not || op == UnaryOperator::Negate => {
                let negated = rules::negated(&scalar, not);
                negated.map(Lazy::Literal).ok_or_else(|| {
                    let sign = op.symbol().unwrap_or_default();
                    Error::data_type(format!("{sign} is not defined for {scalar}"))
                })
            }
            other => self.whole(other, |column| {
                Ok(Series::from_column(column.clone(), None).unary(op)?.column().clone())
            }),
        }
    }

    pub(super) fn fill(&mut self, operand: Lazy, with: Lazy) -> Result<Lazy> {
        if let (Lazy::Pending(_), Some(l), Some(r)) =
            (&operand, Self::operand(&operand)?, Self::operand(&with)?)
            && let Some((formula, with)) = rules::common(&l, &r)?
        {
            return Ok(Lazy::Pending(formula.fill(with, true)?));
        }
        let filled = match (self.computed(operand)?, self.computed(with)?) {
            (Lazy::Column(column), Lazy::Literal(scalar)) => fill_missing(&column, &scalar)?,
            (operand, with) => {
                let (operand, with) = (self.in_rows(operand)?, self.in_rows(with)?);
                let both = types::unify(&[&operand, &with])?;
                let (data, with) = (both[0].data()?, both[1].data()?);
                both[0].like(replace::replace_nulls(data, with, true, &Context::current())?)
            }
        };
        self.column(filled)
    }

    pub(super) fn isin(&mut self, operand: &Expr, values: &Expr) -> Result<Lazy> {
        let operand = self.lower(operand)?;
        let sought = match values.node() {
            Node::List(values) => {
                let literals = values.iter().map(|value| match self.lower(value)? {
                    Lazy::Literal(scalar) => Ok(scalar),
                    Lazy::One(column) => column.get(0),
                    _ => Err(Error::unsupported(format!("the column {value} in a list of values"))),
                });
                values_column(literals.collect::<Result<Vec<_>>>()?.iter())?
            }
            Node::Variable(name) => match self.variable(name)? {
                Variable::Values(values) | Variable::One(values) => values.clone(),
                Variable::Series(series) => series.column().clone(),
                Variable::Scalar(scalar) => literal_column(scalar)?,
            },
            _ if self.within().is_some() => {
                return Err(Error::unsupported(format!(
                    "`in {values}` within groups: the values looked for are of all rows"
                )));
            }
            _ => {
                let values = self.lower(values)?;
                self.in_rows(values)?
            }
        };
        let sought = sought.decoded()?;
        self.whole(operand, |column| {
            let own = column.decoded()?;
            let none = || Column::from_scalar(&Scalar::from(false), own.len(), &Context::current());
            if sought.is_empty()
                || (own.dtype().common(sought.dtype()).is_none() && !speaks_of_time(&own, &sought))
            {
                return TypedColumn::computed(none());
            }
            Ok(Series::from_column(own.clone(), None).isin(&sought)?.column().clone())
        })
    }

    pub(super) fn conditional(&mut self, condition: Lazy, then: Lazy, otherwise: Lazy) -> Result<Lazy> {
        let is_bool = |dtype: &Dtype| match dtype {
            Dtype::Bool(_) => Ok(()),
            other => Err(Error::data_type(format!("a condition of type {other}, not bool"))),
        };
        match &condition {
            Lazy::Pending(formula) => is_bool(&Dtype::plain(formula.data_type()))?,
            Lazy::Digits(_, kind) => is_bool(&Dtype::Decimal(*kind))?,
            Lazy::Column(column) | Lazy::One(column) => is_bool(column.dtype())?,
            Lazy::Literal(scalar) => is_bool(&Dtype::plain(scalar.data_type()))?,
        }
        if let (Lazy::Pending(condition), Some(l), Some(r)) =
            (&condition, Self::operand(&then)?, Self::operand(&otherwise)?)
            && let Some((then, otherwise)) = rules::common(&l, &r)?
        {
            return Expression::conditional(condition.clone(), then, otherwise).map(Lazy::Pending);
        }
        let condition = self.in_rows(condition)?;
        let (then, otherwise) = (self.computed(then)?, self.computed(otherwise)?);
        let condition = condition.data()?;
        let series = |column: TypedColumn| Series::from_column(column, None);
        let chosen = match (then, otherwise) {
            (Lazy::Column(then), Lazy::Literal(otherwise)) => {
                series(then).where_(condition, Some(&otherwise))?.column().clone()
            }
            (then, otherwise) => {
                let (then, otherwise) = (self.in_rows(then)?, self.in_rows(otherwise)?);
                series(then).where_column(condition, &otherwise)?.column().clone()
            }
        };
        self.column(chosen)
    }
}

/// Texts among times are dates.
fn speaks_of_time(own: &TypedColumn, sought: &TypedColumn) -> bool {
    own.dtype().storage().is_timestamp() && sought.dtype().storage() == DataType::String
}
