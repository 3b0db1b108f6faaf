//! Relations: the rows that joins and filters give, found as the statements are written or with predicates pushed down.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use cuprum_column::{Column, Error, Result};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_runtime::buffer::{LateReader, copy_on_write, with_copy_on_write};
use cuprum_runtime::fork;

use super::Deferral;
use super::formula::{Cost, Evaluation, Formula};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::reshape::merge::MergeOptions;
use crate::types::TypedColumn;

/// Columns over a relation: a planned frame.
#[derive(Clone)]
pub(super) struct Projection {
    pub relation: Arc<Relation>,
    /// A formula over the relation's columns for each column.
    pub formulas: Vec<Formula>,
    /// The labels and dtypes, as a frame without rows.
    pub schema: DataFrame,
}

/// Rows with columns by position, found once, when they are first needed.
pub(super) struct Relation {
    found: fork::Mutex<Found>,
    /// The number of columns.
    pub width: usize,
    /// The number of rows of the longest frame below.
    pub estimated_rows: usize,
    /// The number of steps one after the other.
    pub depth: usize,
    /// The depth of a formula that is substituted for a column all the way down.
    pub formula_depth: usize,
    copies_on_write: bool,
}

struct Found {
    /// The step that gives the rows; `None` once they are there with their labels.
    step: Option<Arc<Step>>,
    labelled: Option<DataFrame>,
    /// The rows in order, with labels that mean nothing.
    unlabelled: Option<DataFrame>,
}

pub(super) enum Step {
    Frame(Box<DataFrame>),
    Merge(Box<Merge>),
    Filter { input: Arc<Relation>, predicate: Formula },
}

/// A join of two frames by columns. Its columns are those of the left side, then those of the right side at
/// `right_columns`.
pub(super) struct Merge {
    pub left: Projection,
    pub right: Projection,
    pub options: MergeOptions,
    pub right_columns: Vec<usize>,
    /// A left join: rows of the left side stay without a match.
    pub is_left_join: bool,
    /// How often predicates were pushed below the join.
    pub pushdowns: AtomicUsize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Relation {
    pub fn new(step: Step) -> Arc<Self> {
        let (width, estimated_rows, depth, formula_depth) = match &step {
            Step::Frame(frame) => (frame.num_columns(), frame.num_rows(), 0, 0),
            Step::Filter { input, .. } => {
                (input.width, input.estimated_rows, input.depth + 1, input.formula_depth)
            }
            Step::Merge(merge) => {
                let (left, right) = (&merge.left.relation, &merge.right.relation);
                let width = merge.left.formulas.len() + merge.right_columns.len();
                let rows = left.estimated_rows.max(right.estimated_rows);
                let formula_depth = merge.left.formula_depth().max(merge.right.formula_depth());
                (width, rows, left.depth.max(right.depth) + 1, formula_depth)
            }
        };
        let found = Found { step: Some(Arc::new(step)), labelled: None, unlabelled: None };
        let found = fork::Mutex::new(found);
        Arc::new(Self {
            found,
            width,
            estimated_rows,
            depth,
            formula_depth,
            copies_on_write: copy_on_write(),
        })
    }

    /// The frame, if the relation is the rows of one.
    pub fn frame(&self) -> Option<DataFrame> {
        match self.found.lock().step.as_deref() {
            Some(Step::Frame(frame)) => Some((**frame).clone()),
            _ => None,
        }
    }

    /// The rows, if they were found, or the step that gives them.
    fn state(&self) -> Result<State> {
        let found = self.found.lock();
        if let Some(rows) = found.labelled.as_ref().or(found.unlabelled.as_ref()) {
            return Ok(State::Rows(Box::new(rows.clone())));
        }
        found.step.clone().map(State::Step).ok_or_else(without_step)
    }

    /// The rows with their labels; steps run as they are written.
    pub fn labelled(&self) -> Result<DataFrame> {
        let step = {
            let found = self.found.lock();
            if let Some(rows) = &found.labelled {
                return Ok(rows.clone());
            }
            found.step.clone().ok_or_else(without_step)?
        };
        let rows = with_copy_on_write(self.copies_on_write, || match &*step {
            Step::Frame(frame) => Ok((**frame).clone()),
            Step::Merge(merge) => merge.run(vec![], vec![]),
            Step::Filter { input, predicate } => {
                let rows = input.labelled()?;
                let mask = Evaluation::over(&rows).series(predicate)?;
                rows.filter(mask.data()?)
            }
        })?;
        let mut found = self.found.lock();
        let rows = found.labelled.get_or_insert(rows).clone();
        // Inputs are freed without the lock.
        let freed = (found.step.take(), found.unlabelled.take());
        drop(found);
        drop(freed);
        Ok(rows)
    }

    /// The rows in order, with labels that mean nothing; predicates are pushed down.
    pub fn unlabelled(self: &Arc<Self>) -> Result<DataFrame> {
        let step = match self.state()? {
            State::Rows(rows) => return Ok(*rows),
            State::Step(step) => step,
        };
        if !matches!(*step, Step::Filter { .. }) {
            return self.labelled();
        }
        let rows = with_copy_on_write(self.copies_on_write, || push_down(&step, vec![]))?.drop_index();
        if Deferral::chosen() == Deferral::Check {
            check(&rows, &self.labelled()?)?;
        }
        Ok(self.found.lock().unlabelled.get_or_insert(rows).clone())
    }

    /// The rows where all predicates are true, with labels that mean nothing.
    fn filter(self: &Arc<Self>, predicates: Vec<Formula>) -> Result<DataFrame> {
        if predicates.is_empty() {
            return self.unlabelled();
        }
        match self.state()? {
            State::Rows(rows) => filter_frame(*rows, predicates),
            State::Step(step) => {
                if let Step::Merge(merge) = &*step
                    && merge.pushdowns.fetch_add(1, Ordering::Relaxed) > 0
                    && Arc::strong_count(self) > 1
                {
                    // Several filters of one join: it runs once, whole, for all of them.
                    return filter_frame(self.unlabelled()?, predicates);
                }
                push_down(&step, predicates)
            }
        }
    }

    /// The number of rows that a predicate is evaluated for where it is pushed down as far as it goes.
    fn rows_tested(&self, predicate: &Formula) -> Result<usize> {
        match self.state()? {
            State::Rows(rows) => Ok(rows.num_rows()),
            State::Step(step) => match &*step {
                Step::Frame(frame) => Ok(frame.num_rows()),
                Step::Filter { input, .. } => input.rows_tested(predicate),
                Step::Merge(merge) => {
                    for side in [Side::Left, Side::Right] {
                        if let Some((below, true)) = merge.implied(predicate, side)? {
                            return merge.side(side).rows_tested(&below);
                        }
                    }
                    Ok(self.estimated_rows)
                }
            },
        }
    }
}

fn without_step() -> Error {
    Error::logic("a relation has neither rows nor a step that gives them")
}

/// Fails where pushing predicates down gave other rows than the steps as they are written.
fn check(rows: &DataFrame, written: &DataFrame) -> Result<()> {
    let mut pairs = rows.columns().iter().zip(written.columns());
    let are_equal =
        pairs.try_fold(true, |so_far, (one, other)| Ok::<_, Error>(so_far && one.equals(other)?))?;
    if rows.num_rows() == written.num_rows() && are_equal {
        return Ok(());
    }
    Err(Error::logic("a plan gives other rows than its statements; please report this"))
}

enum State {
    Rows(Box<DataFrame>),
    Step(Arc<Step>),
}

impl LateReader for Relation {
    fn read_now(&self) -> Result<()> {
        self.labelled().map(drop)
    }
}

/// The rows of a step where all predicates are true, each evaluated as far down as it goes.
fn push_down(step: &Step, predicates: Vec<Formula>) -> Result<DataFrame> {
    match step {
        Step::Frame(frame) => filter_frame((**frame).clone(), predicates),
        Step::Filter { input, predicate } => {
            let mut all = predicate.conjuncts();
            all.extend(predicates);
            input.filter(all)
        }
        Step::Merge(merge) => merge.filter(predicates),
    }
}

/// The rows of a frame where all predicates are true. Predicates on columns that are there make one mask, and the rows
/// are gathered once; each predicate on a [late](crate::types) column leaves fewer rows to gather for the next. Columns of
/// files are decoded for one mask, too, unless few rows are left.
fn filter_frame(mut rows: DataFrame, mut predicates: Vec<Formula>) -> Result<DataFrame> {
    predicates.sort_by_key(Formula::cost);
    let mut predicates = predicates.into_iter().peekable();
    while let Some(first) = predicates.next() {
        let reads = |predicate: &Formula, is_wanted: fn(&TypedColumn) -> bool| {
            predicate.reads().iter().all(|at| rows.columns().get(*at).is_some_and(is_wanted))
        };
        let is_there = |predicate: &Formula| reads(predicate, |column| !column.is_late());
        let has_all_rows =
            |predicate: &Formula| reads(predicate, |column| !column.is_late() || column.is_unread());
        let mut evaluation = Evaluation::over(&rows);
        let mut evaluate = |predicate: &Formula| evaluation.series(predicate)?.data().cloned();
        let is_cheap = |predicate: &Formula| predicate.cost() == Cost::Low && has_all_rows(predicate);
        let makes_one_mask = is_cheap(&first);
        let mut mask = evaluate(&first)?;
        while let Some(next) = predicates.peek().filter(|next| makes_one_mask && is_cheap(next)) {
            if !is_there(next) && are_few_true(&mask)? {
                break;
            }
            mask = binary_operation(&mask, &evaluate(next)?, BinaryOperator::And, &rows.context()?)?;
            predicates.next();
        }
        rows = rows.filter(&mask)?;
    }
    Ok(rows)
}

/// Whether less than a quarter is true: then decoding a column for these rows alone takes less time than for all.
fn are_few_true(mask: &Column) -> Result<bool> {
    let num_true = reduce(mask, Aggregation::Sum, &mask.context()?)?.as_i64().unwrap_or(0);
    Ok(num_true < mask.len() as i64 / 4)
}

impl Merge {
    fn side(&self, side: Side) -> &Projection {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// The join of the rows of each side where the side's predicates are true.
    fn run(&self, of_left: Vec<Formula>, of_right: Vec<Formula>) -> Result<DataFrame> {
        self.left.filter(of_left)?.merge(&self.right.filter(of_right)?, &self.options)
    }

    /// The joined rows where all predicates are true.
    fn filter(&self, predicates: Vec<Formula>) -> Result<DataFrame> {
        let (mut of_left, mut of_right, mut above) = (vec![], vec![], vec![]);
        let joined = self.left.relation.estimated_rows.max(self.right.relation.estimated_rows);
        for predicate in predicates {
            let mut is_decided = false;
            for (side, below) in [(Side::Left, &mut of_left), (Side::Right, &mut of_right)] {
                let Some((implied, is_all)) = self.implied(&predicate, side)? else { continue };
                // A predicate that is evaluated twice, or at high cost, has to be for far fewer rows.
                let pays = is_all && predicate.cost() == Cost::Low;
                if pays || self.side(side).rows_tested(&implied)? <= joined / 2 {
                    is_decided |= is_all;
                    below.push(implied);
                }
            }
            if !is_decided {
                above.push(predicate);
            }
        }
        filter_frame(self.run(of_left, of_right)?, above)
    }

    /// The predicate on one side's columns that a predicate on the join implies, and whether it is all of it; `None` where
    /// there is none, and for the right side of a left join, whose columns are missing where there is no match.
    fn implied(&self, predicate: &Formula, side: Side) -> Result<Option<(Formula, bool)>> {
        let width = self.left.formulas.len();
        if side == Side::Right && self.is_left_join {
            return Ok(None);
        }
        let Some(implied) = predicate.implied(&|at| (at < width) == (side == Side::Left)) else {
            return Ok(None);
        };
        let is_all = implied.reads().len() == predicate.reads().len();
        if side == Side::Left {
            return Ok(Some((implied, is_all)));
        }
        // Positions among the joined columns become positions on the right side.
        let left = std::iter::repeat_n(0, width);
        let columns: Vec<Formula> =
            left.chain(self.right_columns.iter().copied()).map(Formula::column).collect();
        Ok(Some((implied.substitute(&columns)?, is_all)))
    }
}

impl Projection {
    /// The rows where all predicates on the columns are true, with labels that mean nothing.
    fn filter(&self, predicates: Vec<Formula>) -> Result<DataFrame> {
        let predicates =
            predicates.iter().map(|predicate| predicate.substitute(&self.formulas)).collect::<Result<_>>()?;
        self.evaluate(&self.relation.filter(predicates)?)
    }

    /// The depth of the deepest column down to the frames.
    fn formula_depth(&self) -> usize {
        self.relation.formula_depth + self.formulas.iter().map(Formula::depth).max().unwrap_or(0)
    }

    /// See [`Relation::rows_tested`].
    fn rows_tested(&self, predicate: &Formula) -> Result<usize> {
        self.relation.rows_tested(&predicate.substitute(&self.formulas)?)
    }

    /// The columns over rows of the relation.
    pub fn evaluate(&self, rows: &DataFrame) -> Result<DataFrame> {
        let mut evaluation = Evaluation::over(rows);
        let column = |formula: &Formula| Ok(evaluation.series(formula)?.column().clone());
        let columns: Vec<TypedColumn> = self.formulas.iter().map(column).collect::<Result<_>>()?;
        self.schema.with_rows(columns, rows.index().clone())
    }
}

/// Has a relation find its rows before somebody outside of this library gets an address of the memory of `frame`, which
/// is below it. False where somebody has one already.
pub(super) fn read_late(relation: &Arc<Relation>, frame: &DataFrame) -> Result<bool> {
    let relation: Weak<Relation> = Arc::downgrade(relation);
    let reader: Weak<dyn LateReader> = relation;
    let mut is_unseen = true;
    for column in frame.columns().iter().filter(|column| !column.is_late()) {
        is_unseen &= column.rows()?.read_late(&reader);
    }
    Ok(is_unseen)
}

#[cfg(test)]
mod tests {
    use cuprum_column::Scalar;

    use super::*;
    use crate::label::Label;
    use crate::plan::LazyFrame;
    use crate::reshape::merge::On;

    fn joined() -> LazyFrame {
        let keys: Vec<i64> = (0..40).map(|row| row % 5).collect();
        let ctx = cuprum_column::Context::current();
        let left = DataFrame::new([("k", Column::from_slice(&keys, &ctx).unwrap())]).unwrap();
        let right = DataFrame::new([
            ("k", Column::from_slice(&[0i64, 1, 2, 3], &ctx).unwrap()),
            ("x", Column::from_slice(&[5i64, 6, 7, 8], &ctx).unwrap()),
        ])
        .unwrap();
        let (left, right) = (LazyFrame::of(&left).unwrap().unwrap(), LazyFrame::of(&right).unwrap().unwrap());
        let options = MergeOptions { on: Some(On::Columns(vec!["k".into()])), ..MergeOptions::default() };
        left.merge(&right, &options).unwrap().unwrap()
    }

    fn above(frame: &LazyFrame, least: i64) -> LazyFrame {
        let x = frame.column(&Label::from("x")).unwrap();
        let predicate =
            x.binary_scalar(&Scalar::from(least), BinaryOperator::Greater, false).unwrap().unwrap();
        frame.filter(&predicate).unwrap()
    }

    fn is_found(frame: &LazyFrame) -> bool {
        matches!(frame.relation().state().unwrap(), State::Rows(_))
    }

    #[test]
    fn a_join_with_several_filters_runs_once() {
        let joined = joined();
        assert_eq!(above(&joined, 6).collect_unlabelled().unwrap().num_rows(), 16);
        assert!(!is_found(&joined), "the first filter is pushed below the join");
        assert_eq!(above(&joined, 7).collect_unlabelled().unwrap().num_rows(), 8);
        assert!(is_found(&joined), "the second filter has the join run");
    }

    #[test]
    fn filters_one_after_the_other_are_pushed_down_each_time() {
        let once = above(&joined(), 5);
        assert_eq!(once.collect_unlabelled().unwrap().num_rows(), 24);
        let twice = above(&above(&joined(), 5), 6);
        assert_eq!(twice.collect_unlabelled().unwrap().num_rows(), 16);
        let step = twice.relation().found.lock().step.clone().unwrap();
        let Step::Filter { input, .. } = &*step else { panic!("a filter") };
        assert!(
            matches!(input.state().unwrap(), State::Step(_)),
            "the first filter found no rows of its own"
        );
    }

    #[test]
    fn formulas_of_formulas_have_a_largest_depth() {
        let mut frame = joined();
        let mut planned = 0;
        for round in 0..200 {
            let x = frame.column(&Label::from("x")).unwrap();
            let Some(x) = x.binary_scalar(&Scalar::from(1i64), BinaryOperator::Add, false).unwrap() else {
                break;
            };
            frame = frame.assign(&Label::from("x"), &x).unwrap().unwrap();
            planned += 1;
            if round % 10 == 9 {
                let other = joined().select(|frame| frame.select_labels(&["k".into()])).unwrap().unwrap();
                let on = Some(On::Columns(vec!["k".into()]));
                frame =
                    frame.merge(&other, &MergeOptions { on, ..MergeOptions::default() }).unwrap().unwrap();
            }
        }
        assert_eq!(planned, super::super::formula::DEEPEST);
    }

    #[test]
    fn inputs_are_freed_with_the_rows() {
        let joined = joined();
        assert!(joined.relation().found.lock().step.is_some());
        joined.collect().unwrap();
        assert!(joined.relation().found.lock().step.is_none());
    }
}
