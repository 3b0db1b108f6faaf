//! Aggregations of groups by expressions.

use std::collections::HashMap;

use cuprum_column::{Error, Result};
use cuprum_compute::reduce::Aggregation;

use super::evaluate::{Evaluated, Evaluator, evaluate_all, evaluate_in};
use super::over::Groups;
use super::{Expr, Node, Selector, Variables};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::groupby::{GroupBy, GroupByOptions, Key, Request};
use crate::label::Label;
use crate::types::TypedColumn;

/// The rows of a frame in groups, to be aggregated by expressions: what [`DataFrame::groupby`] gives.
#[derive(Clone, Debug)]
pub struct GroupByExpressions<'a> {
    frame: &'a DataFrame,
    keys: Vec<Expr>,
    options: GroupByOptions,
}

impl DataFrame {
    /// Groups of the rows in which the keys, labels or expressions, are equal.
    ///
    /// The groups are in ascending order of their keys, which become the row labels; rows with a missing key
    /// belong to none. [`options`](GroupByExpressions::options) says otherwise.
    pub fn groupby<S: Selector>(&self, keys: impl IntoIterator<Item = S>) -> GroupByExpressions<'_> {
        let keys = keys.into_iter().map(Selector::expression).collect();
        GroupByExpressions { frame: self, keys, options: GroupByOptions::default() }
    }
}

impl GroupByExpressions<'_> {
    /// Sets the options of grouping.
    #[must_use]
    pub fn options(self, options: GroupByOptions) -> Self {
        Self { options, ..self }
    }

    /// Whether the keys become the row labels of results, as they do unless told otherwise; else their first columns.
    #[must_use]
    pub fn as_index(self, as_index: bool) -> Self {
        Self { options: GroupByOptions { as_index, ..self.options }, ..self }
    }

    /// The groups, for what is no expression: ranks, running totals, bins, transforms, each of whole columns.
    ///
    /// A key that is the name of a column, else of a level of the row labels, is none of the values.
    ///
    /// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for a label that is neither, with
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) without keys, and as evaluating keys does.
    pub fn finish(&self) -> Result<GroupBy> {
        let key = |key: &Expr| {
            if let Node::Column(label) = key.node() {
                return Ok(Key::Label(label.clone()));
            }
            let values = self.frame.evaluate(key)?;
            Ok(Key::Values(Some(key.label()), values.column().clone()))
        };
        let keys = self.keys.iter().map(key).collect::<Result<Vec<_>>>()?;
        GroupBy::by(self.frame, keys, self.options)
    }

    /// One row for each group, one column for each expression, called by its [label](Expr::label).
    ///
    /// An expression is made of aggregations, keys and literals: `(col("a").max() - col("a").min()) / 2`. What is
    /// aggregated is of rows; aggregations in it and functions that look at other rows stay in the group, as
    /// [within `over`](Expr::over): `(col("a") - col("a").mean()).abs().max()`, `col("a").diff(1).max()`.
    ///
    /// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for a column that is there without
    /// an aggregation and is no key, with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for
    /// two results of one name.
    pub fn agg<E: Into<Expr>>(&self, expressions: impl IntoIterator<Item = E>) -> Result<DataFrame> {
        let expressions: Vec<Expr> = expressions.into_iter().map(Into::into).collect();
        let mut aggregations: Vec<(Expr, Aggregation, Option<Expr>)> = Vec::new();
        for expression in &expressions {
            find(expression, &mut aggregations);
        }
        let operands: Vec<Expr> = aggregations.iter().filter_map(|(_, _, operand)| operand.clone()).collect();
        let none = Variables::new();
        let (keys, values, groups) = self.inputs(&operands)?;
        let names: Vec<Label> = self.keys.iter().map(Expr::label).collect();

        let labels: Vec<Label> = (0..values.len() as i64).map(Label::Int).collect();
        // A count of rows is one of any column.
        let counted = Label::Int(values.len() as i64);
        let needs_rows = aggregations.iter().any(|(_, _, operand)| operand.is_none());
        let input = DataFrame::from_parts(labels, values, self.frame.index().clone())?;
        let input = match keys.first() {
            Some(key) if needs_rows => input.with_column(counted.clone(), key.clone())?,
            _ => input,
        };
        let mut next = 0..;
        let requests: Vec<Request> = aggregations
            .iter()
            .zip(0i64..)
            .map(|((_, how, operand), output)| match operand {
                Some(_) => Request::new(output, next.next().unwrap_or(0i64), *how),
                None => Request::new(output, counted.clone(), *how),
            })
            .collect();
        let grouped = groups.with_frame(&input)?.aggregate(&requests)?;

        // The rest of the expressions, over the groups.
        let results =
            aggregations.into_iter().map(|(whole, ..)| whole).zip(grouped.columns().iter().cloned());
        let results: HashMap<Expr, TypedColumn> = results.collect();
        let index = grouped.index().clone();
        let groups = DataFrame::from_parts(names, index.columns()?, index.clone())?;
        let evaluated =
            groups.context()?.scope(|| Evaluator::new(&groups, &none, Some(&results)).run(&expressions));
        let columns = evaluated?;
        let columns = columns.into_iter().map(|c| c.into_column(index.len())).collect::<Result<Vec<_>>>()?;
        let labels: Vec<Label> = expressions.iter().map(Expr::label).collect();
        unique(&labels)?;
        let result = DataFrame::from_parts(labels, columns, index)?;
        if self.options.as_index { Ok(result) } else { result.reset_index() }
    }
}

impl GroupByExpressions<'_> {
    /// The keys, what is aggregated and the groups.
    fn inputs(&self, operands: &[Expr]) -> Result<(Vec<TypedColumn>, Vec<TypedColumn>, GroupBy)> {
        let (rows, none) = (self.frame.num_rows(), Variables::new());
        let columns = |values: Vec<Evaluated>| {
            values.into_iter().map(|value| value.into_column(rows)).collect::<Result<Vec<_>>>()
        };
        let group = |keys: &[TypedColumn]| {
            let names = self.keys.iter().map(Expr::label);
            let by = names.zip(keys).map(|(name, key)| Key::Values(Some(name), key.clone()));
            GroupBy::by(self.frame, by, GroupByOptions { as_index: true, ..self.options })
        };
        if !operands.iter().any(Expr::is_of_rows) {
            // Everything that is computed before grouping, at once.
            let inputs: Vec<Expr> = self.keys.iter().chain(operands).cloned().collect();
            let mut keys = columns(evaluate_all(&inputs, self.frame, &none)?)?;
            let values = keys.split_off(self.keys.len());
            let groups = group(&keys)?;
            return Ok((keys, values, groups));
        }
        let keys = columns(evaluate_all(&self.keys, self.frame, &none)?)?;
        let groups = group(&keys)?;
        let within = Groups::of(groups.with_frame(self.frame)?, rows);
        let values = columns(evaluate_in(operands, self.frame, &keys, within)?)?;
        Ok((keys, values, groups))
    }
}

/// The aggregations of an expression, outermost first, each once.
pub(super) fn find(expression: &Expr, found: &mut Vec<(Expr, Aggregation, Option<Expr>)>) {
    let aggregation = match expression.node() {
        Node::Aggregate(how, operand) => Some((how.0, Some(operand.clone()))),
        Node::Len => Some((Aggregation::Size, None)),
        _ => None,
    };
    match aggregation {
        Some((how, operand)) => {
            if !found.iter().any(|(known, ..)| known == expression) {
                found.push((expression.clone(), how, operand));
            }
        }
        // What is within groups is aggregated there.
        None if matches!(expression.node(), Node::Over(..)) => {
            expression.operands().skip(1).for_each(|key| find(key, found));
        }
        None => expression.operands().for_each(|operand| find(operand, found)),
    }
}

/// Fails where two columns would have one name.
pub(super) fn unique(labels: &[Label]) -> Result<()> {
    for (i, label) in labels.iter().enumerate() {
        if labels[..i].contains(label) {
            return Err(Error::invalid_argument(format!(
                "two of the expressions are called '{label}': name one with alias"
            )));
        }
    }
    Ok(())
}
