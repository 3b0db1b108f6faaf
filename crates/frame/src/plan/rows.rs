//! The rows of a plan: what joins and filters find, as they are written or in a better order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use cuprum_column::{Column, Error, Result};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_runtime::buffer::{LateReader, copy_on_write, with_copy_on_write};
use cuprum_runtime::fork;

use super::Planning;
use super::formula::{Computed, Formula, Weight};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::reshape::merge::MergeOptions;
use crate::types::TypedColumn;

/// The columns of a frame that is planned.
#[derive(Clone)]
pub(super) struct Columns {
    pub rows: Arc<Rows>,
    /// What each column is of the columns of the rows.
    pub formulas: Vec<Formula>,
    /// The labels and dtypes, without rows.
    pub schema: DataFrame,
}

/// Rows that a step finds when somebody asks for them, once. They have columns without names, which formulas read.
pub(super) struct Rows {
    found: fork::Mutex<Found>,
    /// How many columns.
    pub width: usize,
    /// About how many rows.
    pub about: usize,
    /// How many steps one after the other.
    pub depth: usize,
    copies_on_write: bool,
}

struct Found {
    /// How to find the rows, until they have their labels.
    step: Option<Arc<Step>>,
    labelled: Option<DataFrame>,
    /// The rows without their labels, which other steps may have found.
    unlabelled: Option<DataFrame>,
}

pub(super) enum Step {
    Frame(Box<DataFrame>),
    Merge(Box<Merge>),
    Filter { of: Arc<Rows>, condition: Formula },
}

/// A join of columns of two frames. Its columns are the left ones and then those of the right side that `right_columns`
/// has, in their order.
pub(super) struct Merge {
    pub left: Columns,
    pub right: Columns,
    pub options: MergeOptions,
    pub right_columns: Vec<usize>,
    /// Whether rows of the left side are there without a partner.
    pub keeps_left: bool,
    /// How often rows were found behind conditions that were moved before it.
    pub passed: AtomicUsize,
}

impl Rows {
    pub fn new(step: Step) -> Arc<Self> {
        let (width, about, depth) = match &step {
            Step::Frame(frame) => (frame.num_columns(), frame.num_rows(), 0),
            Step::Filter { of, .. } => (of.width, of.about, of.depth + 1),
            Step::Merge(merge) => {
                let (left, right) = (&merge.left, &merge.right);
                let width = left.formulas.len() + merge.right_columns.len();
                let about = left.rows.about.max(right.rows.about);
                (width, about, left.rows.depth.max(right.rows.depth) + 1)
            }
        };
        let found = Found { step: Some(Arc::new(step)), labelled: None, unlabelled: None };
        let found = fork::Mutex::new(found);
        Arc::new(Self { found, width, about, depth, copies_on_write: copy_on_write() })
    }

    /// The frame whose rows they are, if a plan begins with them.
    pub fn frame(&self) -> Option<DataFrame> {
        match self.found.lock().step.as_deref() {
            Some(Step::Frame(frame)) => Some((**frame).clone()),
            _ => None,
        }
    }

    /// What is known of the rows: the step that finds them, or the rows, without their labels perhaps.
    fn known(&self) -> Result<Known> {
        let found = self.found.lock();
        if let Some(rows) = found.labelled.as_ref().or(found.unlabelled.as_ref()) {
            return Ok(Known::Rows(Box::new(rows.clone())));
        }
        match found.step.clone() {
            Some(step) => Ok(Known::Step(step)),
            None => Err(Error::logic("rows without a step that finds them")),
        }
    }

    /// The rows with their labels, found as it was written.
    pub fn labelled(&self) -> Result<DataFrame> {
        let step = {
            let found = self.found.lock();
            if let Some(rows) = &found.labelled {
                return Ok(rows.clone());
            }
            found.step.clone()
        };
        let step = step.ok_or_else(|| Error::logic("rows without a step that finds them"))?;
        let rows = with_copy_on_write(self.copies_on_write, || match &*step {
            Step::Frame(frame) => Ok((**frame).clone()),
            Step::Merge(merge) => merge.rows(vec![], vec![]),
            Step::Filter { of, condition } => {
                let rows = of.labelled()?;
                let mask = Computed::of(&rows).series(condition)?;
                rows.filter(mask.data()?)
            }
        })?;
        let mut found = self.found.lock();
        let rows = found.labelled.get_or_insert(rows).clone();
        // What they were found in may go.
        let gone = (found.step.take(), found.unlabelled.take());
        drop(found);
        drop(gone);
        Ok(rows)
    }

    /// The rows in their order; their labels are any.
    pub fn unlabelled(self: &Arc<Self>) -> Result<DataFrame> {
        let step = match self.known()? {
            Known::Rows(rows) => return Ok(*rows),
            Known::Step(step) => step,
        };
        if !matches!(*step, Step::Filter { .. }) {
            return self.labelled();
        }
        let rows = with_copy_on_write(self.copies_on_write, || behind(&step, vec![]))?.drop_index();
        if Planning::chosen() == Planning::Check {
            check(&rows, &self.labelled()?)?;
        }
        Ok(self.found.lock().unlabelled.get_or_insert(rows).clone())
    }

    /// The rows for which conditions hold.
    fn where_all(self: &Arc<Self>, conditions: Vec<Formula>) -> Result<DataFrame> {
        if conditions.is_empty() {
            return self.unlabelled();
        }
        match self.known()? {
            Known::Rows(rows) => filtered(*rows, conditions),
            Known::Step(step) => {
                if let Step::Merge(merge) = &*step
                    && merge.passed.fetch_add(1, Ordering::Relaxed) > 0
                    && Arc::strong_count(self) > 1
                {
                    // Several filters of the rows: they are found once, for whoever comes.
                    return filtered(self.unlabelled()?, conditions);
                }
                behind(&step, conditions)
            }
        }
    }
}

/// Fails where rows are not those that were found as it was written.
fn check(rows: &DataFrame, written: &DataFrame) -> Result<()> {
    let are_same = |(one, other): (&TypedColumn, &TypedColumn)| one.equals(other);
    let mut pairs = rows.columns().iter().zip(written.columns());
    if rows.num_rows() == written.num_rows()
        && pairs.try_fold(true, |so_far, pair| Ok(so_far && are_same(pair)?))?
    {
        return Ok(());
    }
    Err(Error::logic("a plan finds other rows than its statements; please report this"))
}

enum Known {
    Rows(Box<DataFrame>),
    Step(Arc<Step>),
}

impl LateReader for Rows {
    fn read_now(&self) -> Result<()> {
        self.labelled().map(drop)
    }
}

/// The rows of a step for which conditions hold, which are tested as early as they can be.
fn behind(step: &Step, conditions: Vec<Formula>) -> Result<DataFrame> {
    match step {
        Step::Frame(frame) => filtered((**frame).clone(), conditions),
        Step::Filter { of, condition } => {
            let mut all = condition.conjuncts();
            all.extend(conditions);
            of.where_all(all)
        }
        Step::Merge(merge) => merge.behind(conditions),
    }
}

/// The rows of a frame for which conditions hold. Columns that have their values are compared whole and the rows taken
/// once; of columns whose rows are yet to be taken, each condition leaves fewer to take.
fn filtered(rows: DataFrame, mut conditions: Vec<Formula>) -> Result<DataFrame> {
    conditions.sort_by_key(Formula::weight);
    let (mut rows, mut conditions) = (rows, conditions.into_iter().peekable());
    while conditions.peek().is_some() {
        let mut computed = Computed::of(&rows);
        let mut mask: Option<Column> = None;
        while let Some(condition) = conditions.peek() {
            let is_here = |at: &usize| rows.columns().get(*at).is_some_and(|column| !column.is_late());
            let joins = condition.weight() == Weight::Light && condition.reads().iter().all(is_here);
            if mask.is_some() && !joins {
                break;
            }
            let holds = computed.series(condition)?;
            mask = Some(match mask {
                None => holds.data()?.clone(),
                Some(mask) => binary_operation(&mask, holds.data()?, BinaryOperator::And, &rows.context()?)?,
            });
            conditions.next();
            if !joins {
                break;
            }
        }
        drop(computed);
        if let Some(mask) = mask {
            rows = rows.filter(&mask)?;
        }
    }
    Ok(rows)
}

impl Merge {
    /// The rows of both sides for which conditions on their columns hold, joined.
    fn rows(&self, of_left: Vec<Formula>, of_right: Vec<Formula>) -> Result<DataFrame> {
        let (left, right) = (self.left.where_all(of_left)?, self.right.where_all(of_right)?);
        left.merge(&right, &self.options)
    }

    /// The joined rows for which conditions hold.
    fn behind(&self, conditions: Vec<Formula>) -> Result<DataFrame> {
        let (width, mut of_left, mut of_right, mut rest) = (self.left.formulas.len(), vec![], vec![], vec![]);
        let about = self.left.rows.about.max(self.right.rows.about);
        for condition in conditions {
            let left = condition.implied(&|at| at < width);
            let right = if self.keeps_left { None } else { condition.implied(&|at| at >= width) };
            let mut is_decided = false;
            for (implied, side) in [(left, true), (right, false)] {
                let Some(implied) = implied else { continue };
                let (columns, sought) = if side {
                    (&self.left, implied.clone())
                } else {
                    (&self.right, self.of_right(&implied)?)
                };
                let decides = implied.reads().len() == condition.reads().len();
                // What is tested twice, or takes long, is tested early for the sake of fewer rows alone.
                let is_cheap = decides && condition.weight() == Weight::Light;
                if is_cheap || columns.tested(&sought)? <= about / 2 {
                    is_decided |= decides;
                    if side { of_left.push(sought) } else { of_right.push(sought) }
                }
            }
            if !is_decided {
                rest.push(condition);
            }
        }
        filtered(self.rows(of_left, of_right)?, rest)
    }

    /// A formula of right columns alone, over all of the right side's columns.
    fn of_right(&self, formula: &Formula) -> Result<Formula> {
        let left = std::iter::repeat_n(0, self.left.formulas.len());
        let columns: Vec<Formula> =
            left.chain(self.right_columns.iter().copied()).map(Formula::column).collect();
        formula.over(&columns)
    }
}

impl Columns {
    /// The rows for which conditions on the columns hold; their labels are any.
    fn where_all(&self, conditions: Vec<Formula>) -> Result<DataFrame> {
        let conditions =
            conditions.iter().map(|formula| formula.over(&self.formulas)).collect::<Result<_>>()?;
        self.over(&self.rows.where_all(conditions)?)
    }

    /// About how many rows a condition on the columns is tested for if it goes as far down as it can.
    fn tested(&self, condition: &Formula) -> Result<usize> {
        let condition = condition.over(&self.formulas)?;
        let mut rows = Arc::clone(&self.rows);
        loop {
            let step = match rows.known()? {
                Known::Rows(rows) => return Ok(rows.num_rows()),
                Known::Step(step) => step,
            };
            match &*step {
                Step::Frame(frame) => return Ok(frame.num_rows()),
                Step::Filter { of, .. } => rows = Arc::clone(of),
                Step::Merge(merge) => {
                    let width = merge.left.formulas.len();
                    return if condition.reads().iter().all(|at| *at < width) {
                        merge.left.tested(&condition)
                    } else if !merge.keeps_left && condition.reads().iter().all(|at| *at >= width) {
                        merge.right.tested(&merge.of_right(&condition)?)
                    } else {
                        Ok(rows.about)
                    };
                }
            }
        }
    }

    /// The columns over rows that were found.
    pub fn over(&self, rows: &DataFrame) -> Result<DataFrame> {
        let mut computed = Computed::of(rows);
        let column = |formula: &Formula| Ok(computed.series(formula)?.column().clone());
        let columns: Vec<TypedColumn> = self.formulas.iter().map(column).collect::<Result<_>>()?;
        self.schema.with_rows(columns, rows.index().clone())
    }
}

/// Has rows found before somebody outside of this library gets an address of the memory of `frame`, which they are found
/// in. False where somebody has one already.
pub(super) fn follow(rows: &Arc<Rows>, frame: &DataFrame) -> Result<bool> {
    let rows: Weak<Rows> = Arc::downgrade(rows);
    let reader: Weak<dyn LateReader> = rows;
    let mut is_unseen = true;
    for column in frame.columns().iter().filter(|column| !column.is_late()) {
        is_unseen &= column.rows()?.read_late(&reader);
    }
    Ok(is_unseen)
}
