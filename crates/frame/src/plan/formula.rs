//! What a column of a plan is of the columns of its rows: functions that work row by row.

use std::collections::HashMap;
use std::sync::Arc;

use cuprum_column::{Column, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::replace::replace_nulls;

use crate::dataframe::DataFrame;
use crate::frame::Frame;
use crate::series::Series;

/// The most functions one inside of the other. What goes deeper is computed.
pub(super) const DEEPEST: usize = 64;

/// A function of columns of one length whose element in a row depends on their elements in that row alone, and that
/// fails for no element.
type Function = dyn Fn(&[Series]) -> Result<Series> + Send + Sync;

/// How long a function takes for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// About as long as reading the row: operators, comparisons.
    Light,
    /// Longer: patterns in texts.
    Heavy,
}

/// A column: one of the rows' columns, or a function of such.
#[derive(Clone)]
pub(super) struct Formula(Arc<Term>);

struct Term {
    kind: Kind,
    /// The positions of the columns that are read, ascending.
    reads: Vec<usize>,
    depth: usize,
    weight: Weight,
}

enum Kind {
    Column(usize),
    Call { call: Call, of: Vec<Formula> },
}

/// A function and what it means for the rows that a condition keeps.
#[derive(Clone)]
struct Call {
    meaning: Meaning,
    function: Arc<Function>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// True where both are.
    And,
    /// True where one of both is.
    Or,
    Other,
}

/// What has the values of formulas already, by their identity.
type Memo<T> = HashMap<*const Term, T>;

impl Formula {
    /// The column at a position.
    pub fn column(at: usize) -> Self {
        let (kind, reads) = (Kind::Column(at), vec![at]);
        Self(Arc::new(Term { kind, reads, depth: 0, weight: Weight::Light }))
    }

    /// A function of columns. Of an operator on two columns of truth values the plan knows what it means.
    pub fn call(
        of: Vec<Self>,
        operator: Option<BinaryOperator>,
        weight: Weight,
        function: impl Fn(&[Series]) -> Result<Series> + Send + Sync + 'static,
    ) -> Self {
        let meaning = match operator {
            Some(BinaryOperator::And) if of.len() == 2 => Meaning::And,
            Some(BinaryOperator::Or) if of.len() == 2 => Meaning::Or,
            _ => Meaning::Other,
        };
        Self::of(Call { meaning, function: Arc::new(function) }, of, weight)
    }

    fn of(call: Call, of: Vec<Self>, own: Weight) -> Self {
        let mut reads: Vec<usize> = of.iter().flat_map(Self::reads).copied().collect();
        reads.sort_unstable();
        reads.dedup();
        let depth = 1 + of.iter().map(Self::depth).max().unwrap_or(0);
        let weight = of.iter().map(Self::weight).fold(own, Weight::max);
        Self(Arc::new(Term { kind: Kind::Call { call, of }, reads, depth, weight }))
    }

    /// The positions of the columns that are read, ascending.
    pub fn reads(&self) -> &[usize] {
        &self.0.reads
    }

    pub fn depth(&self) -> usize {
        self.0.depth
    }

    pub fn weight(&self) -> Weight {
        self.0.weight
    }

    /// The conditions that all hold where this one does, and only there.
    pub fn conjuncts(&self) -> Vec<Self> {
        match &self.0.kind {
            Kind::Call { call, of } if call.meaning == Meaning::And => {
                of.iter().flat_map(Self::conjuncts).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// A condition that reads the columns of a side alone and holds wherever this one does; `None` where there is none.
    pub fn implied(&self, is_of_side: &impl Fn(usize) -> bool) -> Option<Self> {
        if self.reads().iter().all(|at| is_of_side(*at)) {
            return Some(self.clone());
        }
        let Kind::Call { call, of } = &self.0.kind else { return None };
        let mut sides = of.iter().map(|formula| formula.implied(is_of_side));
        match (call.meaning, sides.next().flatten(), sides.next().flatten()) {
            (Meaning::And, Some(one), Some(other)) => Some(may_hold(BinaryOperator::And, one, other)),
            (Meaning::And, Some(one), None) | (Meaning::And, None, Some(one)) => Some(one),
            (Meaning::Or, Some(one), Some(other)) => Some(may_hold(BinaryOperator::Or, one, other)),
            _ => None,
        }
    }

    /// The formula over other columns, of which each of its own is one.
    pub fn over(&self, columns: &[Self]) -> Result<Self> {
        self.mapped(columns, &mut Memo::new())
    }

    fn mapped(&self, columns: &[Self], made: &mut Memo<Self>) -> Result<Self> {
        match &self.0.kind {
            Kind::Column(at) => columns.get(*at).cloned().ok_or_else(missing_column),
            Kind::Call { call, of } => {
                if let Some(made) = made.get(&Arc::as_ptr(&self.0)) {
                    return Ok(made.clone());
                }
                let of = of.iter().map(|formula| formula.mapped(columns, made)).collect::<Result<_>>()?;
                let mapped = Self::of(call.clone(), of, self.weight());
                made.insert(Arc::as_ptr(&self.0), mapped.clone());
                Ok(mapped)
            }
        }
    }
}

fn missing_column() -> Error {
    Error::logic("a formula reads a column that its rows do not have")
}

/// Where both conditions or one of them may hold: a missing truth value may be true.
fn may_hold(operator: BinaryOperator, one: Formula, other: Formula) -> Formula {
    let known = |series: &Series| -> Result<Column> {
        let data = series.data()?;
        if data.has_nulls() {
            replace_nulls(data, &Scalar::from(true), false, &data.context()?)
        } else {
            Ok(data.clone())
        }
    };
    Formula::call(vec![one, other], Some(operator), Weight::Light, move |sides| {
        let [one, other] = sides else { return Err(Error::logic("a condition of other than two")) };
        let holds = binary_operation(&known(one)?, &known(other)?, operator, &one.context()?)?;
        Ok(Series::from_column(holds, None))
    })
}

/// The columns that formulas are of the rows of a frame. Each function is called once.
pub(super) struct Computed<'a> {
    rows: &'a DataFrame,
    made: Memo<Series>,
    /// Keeps the formulas whose identities are keys.
    kept: Vec<Formula>,
}

impl<'a> Computed<'a> {
    pub fn of(rows: &'a DataFrame) -> Self {
        Self { rows, made: Memo::new(), kept: Vec::new() }
    }

    /// The column that a formula is, with the labels of the rows.
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
