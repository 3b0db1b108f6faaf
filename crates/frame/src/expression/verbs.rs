//! Verbs of frames that take expressions.

use cuprum_column::{Column, Result};

use super::evaluate::{Evaluated, Variables, evaluate_all, keep};
use super::groups::unique;
use super::{Expr, Selector};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame, SortOptions};
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

/// The condition on rows to keep: an expression that is true, or a column of truth values.
#[derive(Clone, Debug)]
pub enum Condition<'a> {
    /// An expression of truth values.
    Expression(Expr),
    /// A truth value for each row.
    Mask(&'a Column),
}

impl From<Expr> for Condition<'_> {
    fn from(expression: Expr) -> Self {
        Self::Expression(expression)
    }
}

impl<'a> From<&'a Column> for Condition<'a> {
    fn from(mask: &'a Column) -> Self {
        Self::Mask(mask)
    }
}

impl DataFrame {
    /// The rows where `condition` is true; not those where it is false or missing.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) unless it is boolean.
    pub fn filter<'c>(&self, condition: impl Into<Condition<'c>>) -> Result<Self> {
        match condition.into() {
            Condition::Mask(mask) => IndexedFrame::filter(self, mask),
            Condition::Expression(expression) => self.filter_with(&expression, &Variables::new()),
        }
    }

    /// [`filter`](Self::filter) by an expression with variables.
    pub fn filter_with(&self, condition: &Expr, variables: &Variables) -> Result<Self> {
        Ok(keep(condition, self, variables)?.0)
    }

    /// The columns of expressions or labels, under their [labels](Expr::label): one row alone where all of
    /// them are aggregations or literals.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for two of one name.
    pub fn select<S: Selector>(&self, expressions: impl IntoIterator<Item = S>) -> Result<Self> {
        let expressions: Vec<Expr> = expressions.into_iter().map(Selector::expression).collect();
        let labels: Vec<Label> = expressions.iter().map(Expr::label).collect();
        unique(&labels)?;
        let values = evaluate_all(&expressions, self, &Variables::new())?;
        let one = !values.is_empty() && values.iter().all(|value| matches!(value, Evaluated::One(_)));
        let index = if one { Index::range(1) } else { self.index().clone() };
        let columns = values.into_iter().map(|value| value.into_column(index.len()));
        Self::from_parts(labels, columns.collect::<Result<Vec<_>>>()?, index)
    }

    /// The frame with the columns of expressions: replaced where a column of their [label](Expr::label)
    /// exists, else added at the end. All of them are over the columns as they were before.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for two of one name.
    pub fn with_columns<E: Into<Expr>>(&self, expressions: impl IntoIterator<Item = E>) -> Result<Self> {
        let expressions: Vec<Expr> = expressions.into_iter().map(Into::into).collect();
        unique(&expressions.iter().map(Expr::label).collect::<Vec<_>>())?;
        let values = evaluate_all(&expressions, self, &Variables::new())?;
        let mut frame = self.clone();
        for (expression, value) in expressions.iter().zip(values) {
            frame = frame.with_column(expression.label(), value.into_column(self.num_rows())?)?;
        }
        Ok(frame)
    }

    /// The rows in the order of labels or expressions, the first being the most significant; equal rows keep
    /// their order.
    pub fn sort_by<S: Selector>(
        &self,
        keys: impl IntoIterator<Item = S>,
        order: impl Into<SortOptions>,
    ) -> Result<Self> {
        let keys: Vec<Expr> = keys.into_iter().map(Selector::expression).collect();
        let options = order.into();
        let values = evaluate_all(&keys, self, &Variables::new())?.into_iter().zip(&keys);
        let key = |(value, key): (Evaluated, &Expr)| {
            let column = value.into_column(self.num_rows())?;
            column.ordered("sort_by").cloned().map_err(|e| e.context(format!("key {key}")))
        };
        let columns = values.map(key).collect::<Result<Vec<_>>>()?;
        self.sort_by_keys(columns, &options)
    }

    /// The values of an expression over the rows, as a series called by its [label](Expr::label).
    pub fn evaluate(&self, expression: &Expr) -> Result<Series> {
        let column = self.evaluate_with(expression, &Variables::new())?.into_column(self.num_rows())?;
        Series::new(column, Some(expression.label()), self.index().clone())
    }

    /// The value of an expression with variables; one value alone of aggregations and literals.
    pub fn evaluate_with(&self, expression: &Expr, variables: &Variables) -> Result<Evaluated> {
        let values = evaluate_all(std::slice::from_ref(expression), self, variables)?;
        Ok(values.into_iter().next().expect("one expression"))
    }

    /// The dtype that the values of an expression have, without computing them. Integers divided by integers
    /// with `//` and `%` become floats where a divisor is 0.
    pub fn dtype_of(&self, expression: &Expr) -> Result<Dtype> {
        let dtype = |column: &TypedColumn| column.dtype().clone();
        match self.slice(0, 0)?.evaluate_with(expression, &Variables::new())? {
            Evaluated::Rows(column) | Evaluated::One(column) => Ok(dtype(&column)),
        }
    }
}
