//! Formulas: columns of a plan as functions of its relation's columns, row by row.

use std::collections::HashMap;
use std::sync::Arc;

use cuprum_column::{Column, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::replace::replace_nulls;

use crate::dataframe::DataFrame;
use crate::frame::Frame;
use crate::series::Series;

/// The largest depth of formulas and of relations. What would be deeper is computed.
pub(super) const DEEPEST: usize = 64;

/// A row-by-row function: the element in a row depends on the arguments' elements in that row alone, and none fails.
type Function = dyn Fn(&[Series]) -> Result<Series> + Send + Sync;

/// The cost of a function for a row, beside that of gathering the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// About the same: operators, comparisons.
    Low,
    /// Much more: patterns in texts.
    High,
}

/// A column of the relation, or a function of formulas.
#[derive(Clone)]
pub(super) struct Formula(Arc<Term>);

struct Term {
    kind: Kind,
    /// The positions of the columns that are read, ascending.
    reads: Vec<usize>,
    depth: usize,
    cost: Cost,
}

enum Kind {
    Column(usize),
    Call { call: Call, of: Vec<Formula> },
}

/// A function, and what a plan knows of it as a predicate.
#[derive(Clone)]
struct Call {
    meaning: Meaning,
    function: Arc<Function>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// True where both arguments are.
    And,
    /// True where one of both arguments is.
    Or,
    Other,
}

/// Results by the identity of formulas, so that shared parts are visited once.
type Memo<T> = HashMap<*const Term, T>;

impl Formula {
    /// The column at a position.
    pub fn column(at: usize) -> Self {
        let (kind, reads) = (Kind::Column(at), vec![at]);
        Self(Arc::new(Term { kind, reads, depth: 0, cost: Cost::Low }))
    }

    /// A function of formulas; `operator`, where it is one on two formulas of truth values.
    pub fn call(
        of: Vec<Self>,
        operator: Option<BinaryOperator>,
        cost: Cost,
        function: impl Fn(&[Series]) -> Result<Series> + Send + Sync + 'static,
    ) -> Self {
        let meaning = match operator {
            Some(BinaryOperator::And) if of.len() == 2 => Meaning::And,
            Some(BinaryOperator::Or) if of.len() == 2 => Meaning::Or,
            _ => Meaning::Other,
        };
        Self::of(Call { meaning, function: Arc::new(function) }, of, cost)
    }

    fn of(call: Call, of: Vec<Self>, own: Cost) -> Self {
        let mut reads: Vec<usize> = of.iter().flat_map(Self::reads).copied().collect();
        reads.sort_unstable();
        reads.dedup();
        let depth = 1 + of.iter().map(Self::depth).max().unwrap_or(0);
        let cost = of.iter().map(Self::cost).fold(own, Cost::max);
        Self(Arc::new(Term { kind: Kind::Call { call, of }, reads, depth, cost }))
    }

    /// The positions of the columns that are read, ascending.
    pub fn reads(&self) -> &[usize] {
        &self.0.reads
    }

    pub fn depth(&self) -> usize {
        self.0.depth
    }

    pub fn cost(&self) -> Cost {
        self.0.cost
    }

    /// The predicates that are all true where this one is, and only there: the operands of `&`.
    pub fn conjuncts(&self) -> Vec<Self> {
        match &self.0.kind {
            Kind::Call { call, of } if call.meaning == Meaning::And => {
                of.iter().flat_map(Self::conjuncts).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// A predicate that reads `allowed` columns alone and is true wherever this one is; `None` where there is none.
    pub fn implied(&self, allowed: &impl Fn(usize) -> bool) -> Option<Self> {
        if self.reads().iter().all(|at| allowed(*at)) {
            return Some(self.clone());
        }
        let Kind::Call { call, of } = &self.0.kind else { return None };
        let mut operands = of.iter().map(|operand| operand.implied(allowed));
        match (call.meaning, operands.next().flatten(), operands.next().flatten()) {
            (Meaning::And, Some(one), Some(other)) => Some(may_be_true(BinaryOperator::And, one, other)),
            (Meaning::And, Some(one), None) | (Meaning::And, None, Some(one)) => Some(one),
            (Meaning::Or, Some(one), Some(other)) => Some(may_be_true(BinaryOperator::Or, one, other)),
            _ => None,
        }
    }

    /// The formula with each column replaced by the formula at its position.
    pub fn substitute(&self, columns: &[Self]) -> Result<Self> {
        self.substituted(columns, &mut Memo::new())
    }

    fn substituted(&self, columns: &[Self], made: &mut Memo<Self>) -> Result<Self> {
        match &self.0.kind {
            Kind::Column(at) => columns.get(*at).cloned().ok_or_else(missing_column),
            Kind::Call { call, of } => {
                if let Some(made) = made.get(&Arc::as_ptr(&self.0)) {
                    return Ok(made.clone());
                }
                let of =
                    of.iter().map(|formula| formula.substituted(columns, made)).collect::<Result<_>>()?;
                let substituted = Self::of(call.clone(), of, self.cost());
                made.insert(Arc::as_ptr(&self.0), substituted.clone());
                Ok(substituted)
            }
        }
    }
}

fn missing_column() -> Error {
    Error::logic("a formula reads a column that its relation does not have")
}

/// `&` or `|` of two predicates, missing truth values taken for true: it keeps too many rows rather than too few.
fn may_be_true(operator: BinaryOperator, one: Formula, other: Formula) -> Formula {
    let known = |series: &Series| -> Result<Column> {
        let data = series.data()?;
        if data.has_nulls() {
            replace_nulls(data, &Scalar::from(true), false, &data.context()?)
        } else {
            Ok(data.clone())
        }
    };
    Formula::call(vec![one, other], Some(operator), Cost::Low, move |operands| {
        let [one, other] = operands else {
            return Err(Error::logic("an operator of other than two operands"));
        };
        let truth = binary_operation(&known(one)?, &known(other)?, operator, &one.context()?)?;
        Ok(Series::from_column(truth, None))
    })
}

/// The values of formulas over the rows of a frame. Each function is called once.
pub(super) struct Evaluation<'a> {
    rows: &'a DataFrame,
    made: Memo<Series>,
    /// Keeps the formulas whose identities are keys.
    kept: Vec<Formula>,
}

impl<'a> Evaluation<'a> {
    pub fn over(rows: &'a DataFrame) -> Self {
        Self { rows, made: Memo::new(), kept: Vec::new() }
    }

    /// The values of a formula, with the labels of the rows.
    pub fn series(&mut self, formula: &Formula) -> Result<Series> {
        match &formula.0.kind {
            Kind::Column(at) => self.rows.series_at(*at),
            Kind::Call { call, of } => {
                let identity = Arc::as_ptr(&formula.0);
                if let Some(made) = self.made.get(&identity) {
                    return Ok(made.clone());
                }
                let of = of.iter().map(|formula| self.series(formula)).collect::<Result<Vec<_>>>()?;
                let made = (call.function)(&of)?;
                if made.len() != self.rows.num_rows() {
                    return Err(Error::logic("a function of a plan has another number of rows"));
                }
                self.made.insert(identity, made.clone());
                self.kept.push(formula.clone());
                Ok(made)
            }
        }
    }
}
