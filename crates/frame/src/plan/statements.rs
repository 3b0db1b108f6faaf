//! Statements about frames and series that are planned.

use std::sync::Arc;

use cuprum_column::{DataType, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::unary::UnaryOperator;
use cuprum_runtime::{Device, spill};

use super::formula::{Cost, DEEPEST, Evaluation, Formula};
use super::relation::{Merge, Projection, Relation, Step, read_late};
use crate::axis::{Axis, Operand};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::operations::binary::{is_comparison, stacks};
use crate::reshape::merge::{How, MergeOptions, On, Validate};
use crate::series::Series;
use crate::types::{self, Dtype, MissingTruth, TypedColumn};

/// A deferred frame: joins, filters and new columns that run when it is collected, predicates pushed below joins.
///
/// Labels and dtypes are known at once, and errors about them come with the statement. Cheap to copy. A statement that
/// cannot be deferred is `None`: [`collect`](Self::collect) the frame and run it there.
///
/// ```
/// use cuprum::plan::LazyFrame;
/// use cuprum::prelude::*;
/// use cuprum_compute::binaryop::BinaryOperator;
///
/// # fn main() -> cuprum::Result<()> {
/// let sales = df! { "shop" => [1, 2, 1, 3], "sold" => [5.0, 7.0, 1.0, 2.0] }?;
/// let shops = df! { "shop" => [1, 2, 3], "town" => ["a", "b", "a"] }?;
/// let plans = LazyFrame::of(&sales)?.zip(LazyFrame::of(&shops)?);
/// let (sales, shops) = plans.expect("frames with plain labels are planned");
/// let on = Some(On::Columns(vec!["shop".into()]));
/// let joined = sales.merge(&shops, &MergeOptions { on, ..MergeOptions::default() })?;
/// let joined = joined.expect("inner joins of columns are planned");
/// let town = joined.column(&"town".into())?;
/// let there = town.binary_scalar(&Scalar::from("a"), BinaryOperator::Equal, false)?;
/// let there = joined.filter(&there.expect("comparisons are planned")).expect("it is of the same rows");
/// // The shops are filtered, then joined.
/// assert_eq!(there.collect_unlabelled()?.shape(), (3, 3));
/// // The labels are the numbers of the rows among all that are joined.
/// assert_eq!(there.collect()?.index().label(2)?, Label::Int(3));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct LazyFrame(Projection);

/// A column of a [`LazyFrame`], or a row-by-row function of its columns.
#[derive(Clone)]
pub struct LazySeries {
    relation: Arc<Relation>,
    formula: Formula,
    /// The name and dtype, without rows.
    schema: Series,
}

impl LazyFrame {
    #[cfg(test)]
    pub(super) fn relation(&self) -> &Relation {
        &self.0.relation
    }

    /// A plan of the rows of a frame. `None` for column labels that repeat or have levels, without columns, and under a
    /// memory limit, since a plan keeps its inputs.
    pub fn of(frame: &DataFrame) -> Result<Option<Self>> {
        if !is_labelled_plainly(frame) || frame.num_columns() == 0 || spill::budget(Device::Cpu).is_some() {
            return Ok(None);
        }
        // A late column of its own: nobody else gets an address of its memory.
        let own =
            |column: &TypedColumn| if column.is_late() { column.deep_copy() } else { Ok(column.clone()) };
        let columns = frame.columns().iter().map(own).collect::<Result<_>>()?;
        let frame = frame.with_rows(columns, frame.index().clone())?;
        let schema = frame.slice(0, 0)?.drop_index();
        let formulas = (0..frame.num_columns()).map(Formula::column).collect();
        Ok(Some(Self(Projection { relation: Relation::new(Step::Frame(Box::new(frame))), formulas, schema })))
    }

    /// The frame without rows: labels and dtypes.
    pub fn schema(&self) -> &DataFrame {
        &self.0.schema
    }

    /// The number of rows of the longest frame of the plan.
    pub fn estimated_rows(&self) -> usize {
        self.0.relation.estimated_rows
    }

    /// The frame; statements run as they are written.
    ///
    /// Fails where memory runs out or the context is cancelled, and may then be called again.
    pub fn collect(&self) -> Result<DataFrame> {
        self.0.evaluate(&self.0.relation.labelled()?)
    }

    /// The rows of [`collect`](Self::collect) in the same order, labelled `0, 1, …`: predicates are pushed below joins.
    pub fn collect_unlabelled(&self) -> Result<DataFrame> {
        Ok(self.0.evaluate(&self.0.relation.unlabelled()?)?.drop_index())
    }

    /// [`DataFrame::merge`] by columns of equal dtypes: inner and left joins without `validate`, `indicator` and `sort`;
    /// `None` for others.
    pub fn merge(&self, right: &Self, options: &MergeOptions) -> Result<Option<Self>> {
        let MergeOptions { how, on, indicator: None, sort: false, validate: Validate::ManyToMany, .. } =
            options
        else {
            return Ok(None);
        };
        let is_left_join = match how {
            How::Inner => false,
            How::Left => true,
            _ => return Ok(None),
        };
        let (left, right) = (&self.0, &right.0);
        if left.relation.depth.max(right.relation.depth) >= DEEPEST
            || left.schema.place() != right.schema.place()
        {
            return Ok(None);
        }
        let common: Vec<Label>;
        let (left_on, right_on) = match on {
            Some(On::Columns(on)) => (on, on),
            Some(On::Pairs(left_on, right_on)) => (left_on, right_on),
            None => {
                let labels = left.schema.labels().iter();
                common = labels.filter(|label| right.schema.contains(label)).cloned().collect();
                (&common, &common)
            }
            Some(_) => return Ok(None),
        };
        // Keys that are wrong are for the join to refuse.
        let pairs = || left_on.iter().zip(right_on);
        let fit = |(l, r): (&Label, &Label)| {
            let keys = (left.schema.accessor().get(l), right.schema.accessor().get(r));
            matches!(keys, (Ok(l), Ok(r)) if l.dtype() == r.dtype() && is_key(l.dtype()))
        };
        if left_on.is_empty() || left_on.len() != right_on.len() || !pairs().all(fit) {
            return Ok(None);
        }
        let schema = left.schema.merge(&right.schema, options)?;
        let is_shared = |label: &Label| pairs().any(|(l, r)| l == label && r == label);
        let right_columns: Vec<usize> =
            (0..right.schema.num_columns()).filter(|at| !is_shared(&right.schema.labels()[*at])).collect();
        let width = left.formulas.len() + right_columns.len();
        if schema.num_columns() != width || !is_labelled_plainly(&schema) {
            return Ok(None);
        }
        let frames = [left, right].map(|side| side.relation.frame());
        let relation = Relation::new(Step::Merge(Box::new(Merge {
            left: left.clone(),
            right: right.clone(),
            options: options.clone(),
            right_columns,
            is_left_join,
            pushdowns: 0.into(),
        })));
        for frame in frames.iter().flatten() {
            if !read_late(&relation, frame)? {
                return Ok(None);
            }
        }
        Ok(Some(Self(Projection { relation, formulas: (0..width).map(Formula::column).collect(), schema })))
    }

    /// The rows where a series of truth values of the same rows is true; `None` where it is of other rows.
    pub fn filter(&self, condition: &LazySeries) -> Option<Self> {
        let relation = condition.filtered(&self.0.relation)?;
        Some(Self(Projection { relation, ..self.0.clone() }))
    }

    /// The column called `label`, like [`DataFrame::column`].
    pub fn column(&self, label: &Label) -> Result<LazySeries> {
        let schema = self.0.schema.column(label.clone())?;
        let at = self.0.schema.accessor().position(label)?;
        Ok(LazySeries {
            relation: Arc::clone(&self.0.relation),
            formula: self.0.formulas[at].clone(),
            schema,
        })
    }

    /// The column at a position.
    pub fn series_at(&self, at: usize) -> Result<LazySeries> {
        let schema = self.0.schema.series_at(at)?;
        Ok(LazySeries {
            relation: Arc::clone(&self.0.relation),
            formula: self.0.formulas[at].clone(),
            schema,
        })
    }

    /// The frame with a series of the same rows as the column called `label`: replaced where it exists, else at the end.
    /// `None` for other rows.
    pub fn assign(&self, label: &Label, series: &LazySeries) -> Result<Option<Self>> {
        if !Arc::ptr_eq(&self.0.relation, &series.relation) || matches!(label, Label::Tuple(_)) {
            return Ok(None);
        }
        let schema = self.0.schema.with_column(label.clone(), series.schema.column().clone())?;
        let mut formulas = self.0.formulas.clone();
        match self.0.schema.accessor().position(label) {
            Ok(at) => formulas[at] = series.formula.clone(),
            Err(_) => formulas.push(series.formula.clone()),
        }
        Ok((formulas.len() == schema.num_columns())
            .then(|| Self(Projection { formulas, schema, ..self.0.clone() })))
    }

    /// A selection of columns, made by `f` of the schema.
    pub fn select(&self, f: impl FnOnce(&DataFrame) -> Result<DataFrame>) -> Result<Option<Self>> {
        let schema = f(&self.0.schema)?;
        let own = self.0.schema.accessor();
        let formula = |label| own.position(label).map(|at| self.0.formulas[at].clone());
        let Ok(formulas) = schema.labels().iter().map(formula).collect::<Result<Vec<_>>>() else {
            return Ok(None);
        };
        Ok(is_labelled_plainly(&schema).then(|| Self(Projection { formulas, schema, ..self.0.clone() })))
    }

    /// The columns under other labels, given by `f` to the schema.
    pub fn relabel(&self, f: impl FnOnce(&DataFrame) -> Result<DataFrame>) -> Result<Option<Self>> {
        let schema = f(&self.0.schema)?;
        let is_same = schema.num_columns() == self.0.formulas.len() && is_labelled_plainly(&schema);
        Ok(is_same.then(|| Self(Projection { schema, ..self.0.clone() })))
    }
}

/// Whether columns have labels of one level, each once.
fn is_labelled_plainly(frame: &DataFrame) -> bool {
    let accessor = frame.accessor();
    accessor.num_levels() == 1 && frame.labels().iter().all(|label| accessor.position(label).is_ok())
}

/// Up to so many values of `isin` are kept with a plan.
const MOST_VALUES: usize = 1 << 15;

/// Whether two keys of this dtype are joined as they are.
fn is_key(dtype: &Dtype) -> bool {
    matches!(dtype, Dtype::Numeric(_) | Dtype::Bool(_) | Dtype::String(_)) || is_time(dtype)
}

fn is_time(dtype: &Dtype) -> bool {
    matches!(dtype, Dtype::Date(_) | Dtype::Datetime(_) | Dtype::Timedelta(_))
}

fn is_number(dtype: &Dtype) -> bool {
    matches!(dtype, Dtype::Numeric(_) | Dtype::Bool(_))
}

/// Whether an operator on elements of these types fails for none and gives one type whatever they are.
fn is_total(op: BinaryOperator, left: &Dtype, right: DataType) -> bool {
    let storage = left.storage();
    if is_comparison(op) {
        let is_compared = is_time(left) || matches!(left, Dtype::String(_));
        return (is_compared && right == storage) || (is_number(left) && right.is_numeric());
    }
    if op.is_bitwise() {
        return storage == DataType::Bool8 && right == DataType::Bool8;
    }
    is_number(left)
        && storage != DataType::Bool8
        && right.is_numeric()
        && stacks(op)(storage)
        && stacks(op)(right)
}

impl LazySeries {
    /// The series without rows: name and dtype.
    pub fn schema(&self) -> &Series {
        &self.schema
    }

    /// See [`LazyFrame::estimated_rows`].
    pub fn estimated_rows(&self) -> usize {
        self.relation.estimated_rows
    }

    fn evaluate(&self, rows: &DataFrame) -> Result<Series> {
        let made = Evaluation::over(rows).series(&self.formula)?.rename(self.schema.name().cloned());
        debug_assert_eq!(made.dtype(), self.schema.dtype());
        made.with_index(rows.index().clone())
    }

    /// The series; see [`LazyFrame::collect`].
    pub fn collect(&self) -> Result<Series> {
        self.evaluate(&self.relation.labelled()?)
    }

    /// The elements in the same order, labelled `0, 1, …`; see [`LazyFrame::collect_unlabelled`].
    pub fn collect_unlabelled(&self) -> Result<Series> {
        Ok(self.evaluate(&self.relation.unlabelled()?)?.drop_index())
    }

    fn filtered(&self, input: &Arc<Relation>) -> Option<Arc<Relation>> {
        let is_predicate =
            matches!(self.schema.dtype(), Dtype::Bool(_)) && Arc::ptr_eq(input, &self.relation);
        let step = || Step::Filter { input: Arc::clone(input), predicate: self.formula.clone() };
        (is_predicate && input.depth < DEEPEST).then(|| Relation::new(step()))
    }

    /// The elements where a series of truth values of the same rows is true; `None` where it is of other rows.
    pub fn filter(&self, condition: &Self) -> Option<Self> {
        Some(Self { relation: condition.filtered(&self.relation)?, ..self.clone() })
    }

    /// The series under another name.
    pub fn rename(&self, name: Option<Label>) -> Self {
        Self { schema: self.schema.rename(name), ..self.clone() }
    }

    /// A row-by-row function of the elements, which fails for none and gives one dtype whatever they are. `None` where
    /// formulas are nested too deep.
    pub fn each(
        &self,
        cost: Cost,
        f: impl Fn(&Series) -> Result<Series> + Send + Sync + 'static,
    ) -> Result<Option<Self>> {
        let schema = f(&self.schema)?;
        let formula = Formula::call(vec![self.formula.clone()], None, cost, move |of| f(&of[0]));
        Ok(self.of(formula, schema))
    }

    /// [`each`](Self::each) of two series of one relation; `operator`, where the function is one on truth values. `None`
    /// for series of other rows.
    fn beside(
        &self,
        other: &Self,
        operator: Option<BinaryOperator>,
        f: impl Fn(&Series, &Series) -> Result<Series> + Send + Sync + 'static,
    ) -> Result<Option<Self>> {
        if !Arc::ptr_eq(&self.relation, &other.relation) {
            return Ok(None);
        }
        let schema = f(&self.schema, &other.schema)?;
        let of = vec![self.formula.clone(), other.formula.clone()];
        let formula = Formula::call(of, operator, Cost::Low, move |of| f(&of[0], &of[1]));
        Ok(self.of(formula, schema))
    }

    fn of(&self, formula: Formula, schema: Series) -> Option<Self> {
        (formula.depth() + self.relation.formula_depth <= DEEPEST).then(|| Self {
            relation: Arc::clone(&self.relation),
            formula,
            schema,
        })
    }

    /// [`Series::binary`] of the same rows; `None` where it is not planned.
    pub fn binary(&self, other: &Self, op: BinaryOperator) -> Result<Option<Self>> {
        let (own, others) = (self.schema.dtype(), other.schema.dtype());
        if !is_total(op, own, others.storage()) || !is_total(op, others, own.storage()) {
            return Ok(None);
        }
        let operator = matches!(own, Dtype::Bool(_)).then_some(op);
        let truth = MissingTruth::chosen();
        self.beside(other, operator, move |one, other| one.binary_as(other, op, truth))
    }

    /// [`Series::binary_scalar`]; `None` where it is not planned.
    pub fn binary_scalar(
        &self,
        scalar: &Scalar,
        op: BinaryOperator,
        reflected: bool,
    ) -> Result<Option<Self>> {
        if scalar.is_null() || !is_total(op, self.schema.dtype(), scalar.data_type()) {
            return Ok(None);
        }
        let (scalar, truth) = (scalar.clone(), MissingTruth::chosen());
        self.each(Cost::Low, move |series| series.binary_scalar_as(&scalar, op, reflected, truth))
    }

    /// Logical negation; `None` of what is no truth value, or where it is not planned.
    pub fn not(&self) -> Result<Option<Self>> {
        match self.schema.dtype() {
            Dtype::Bool(_) => self.each(Cost::Low, |series| series.unary(UnaryOperator::Not)),
            _ => Ok(None),
        }
    }

    /// [`Series::isin`] of values of the same dtype, or of numbers among numbers; `None` where it is not planned.
    pub fn isin(&self, values: &TypedColumn) -> Result<Option<Self>> {
        let own = self.schema.dtype();
        let is_planned =
            (own == values.dtype() && is_key(own)) || (is_number(own) && is_number(values.dtype()));
        if !is_planned || values.len() > MOST_VALUES {
            return Ok(None);
        }
        // Others may write to the values before they are looked up.
        let values = values.deep_copy()?;
        self.each(Cost::Low, move |series| series.isin(&values))
    }

    /// Elements where a condition of the same rows holds, `other` elsewhere: numbers. `None` where it is not planned.
    pub fn where_one(&self, condition: &Self, other: &Scalar, negated: bool) -> Result<Option<Self>> {
        let is_planned = self.schema.dtype().storage() == DataType::Float64
            && other.data_type().is_numeric()
            && other.data_type() != DataType::Bool8
            && matches!(condition.schema.dtype(), Dtype::Bool(_));
        if !is_planned {
            return Ok(None);
        }
        let other = other.clone();
        self.beside(condition, None, move |series, condition| {
            let (condition, other) = (Operand::Series(condition, Axis::Rows), Operand::One(&other));
            if negated { series.mask(condition, other) } else { series.where_with(condition, other, false) }
        })
    }

    /// The elements as another dtype; `None` where an element may have none, or where it is not planned.
    pub fn cast(&self, to: &Dtype) -> Result<Option<Self>> {
        let from = self.schema.dtype();
        let fits_all = match (from, to) {
            (Dtype::Bool(_), Dtype::Numeric(_)) => true,
            (Dtype::Numeric(_), Dtype::Numeric(_)) => {
                let is_narrow = from.storage().is_integer() && from.storage().size() < to.storage().size();
                to.storage() == DataType::Float64 || (to.storage() == DataType::Int64 && is_narrow)
            }
            _ => false,
        };
        if !fits_all {
            return Ok(None);
        }
        let to = to.clone();
        self.each(Cost::Low, move |series| series.map_columns(|column| types::cast(column, &to)))
    }
}
