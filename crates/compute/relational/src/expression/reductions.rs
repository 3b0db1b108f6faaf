//! Formulas to one value each, and rows by a formula, without columns for them.

use std::collections::HashMap;

use cuprum_column::{Context, DataType, Error, Result, Scalar, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use super::{Expression, check, cpu, cuda, evaluate};
use cuprum_aggregate::accumulation::cpu::morsels::Morsels;
use cuprum_aggregate::reduce::{self, Aggregation};

/// One value of each formula over the rows of `table`; with a `condition`, over those for which it is true (not those
/// for which it is null). Types and missing values are those of [`reduce::reduce`](fn@reduce::reduce); `Size` is the
/// number of rows.
///
/// On the CPU formulas are computed and reduced morsel by morsel, all of them in one pass over memory that writes
/// nothing. The results are, to the bit, those of the columns that the formulas have, with nulls where the
/// condition is not true. Aggregations that are not merged from morsels (quantiles, distinct values, first
/// and last ones, texts, decimals) are computed from such a column. On a GPU one kernel makes the columns of
/// all formulas, and they are reduced.
///
/// ```
/// # mod cuprum_compute {
/// #     pub use cuprum_aggregate::reduce;
/// #     pub use cuprum_elementwise::binaryop;
/// #     pub use cuprum_relational::expression;
/// # }
/// use cuprum_column::{Column, Context, DataType, Scalar, Table};
/// use cuprum_compute::binaryop::BinaryOperator::{Greater, Mul};
/// use cuprum_compute::expression::{Expression, reduce};
/// use cuprum_compute::reduce::Aggregation;
///
/// let ctx = Context::current();
/// let table = Table::new(vec![Column::from_slice(&[1i64, 2, 3], &ctx)?])?;
/// let a = Expression::column(0, DataType::Int64);
/// let square = Expression::binary(Mul, a.clone(), a.clone())?;
/// let above = Expression::binary(Greater, a, Expression::literal(Scalar::from(1i64)))?;
/// let sum = reduce(&[(square, Aggregation::Sum)], Some(&above), &table, &ctx)?;
/// assert_eq!(sum, [Scalar::from(13i64)]);
/// # Ok::<(), cuprum_column::Error>(())
/// ```
///
/// Fails as [`evaluate`] and [`reduce::reduce`](fn@reduce::reduce), and with
/// [`DataType`](cuprum_column::ErrorKind::DataType) for a condition that is not boolean.
pub fn reduce(
    formulas: &[(Expression, Aggregation)],
    condition: Option<&Expression>,
    table: &Table,
    ctx: &Context,
) -> Result<Vec<Scalar>> {
    func_range!(c"expression.reduce");
    check_device!(ctx, [table]);
    let mut requests = Vec::with_capacity(formulas.len());
    for (formula, aggregation) in formulas {
        check(formula, table)?;
        let result = aggregation.result_type(formula.data_type())?;
        let formula = match condition {
            Some(condition) => under(condition, formula, *aggregation)?,
            None => formula.clone(),
        };
        // Rows are counted by a value that all of them have, where a condition chooses them.
        let is_size = *aggregation == Aggregation::Size;
        let aggregation = if is_size && condition.is_some() { Aggregation::Count } else { *aggregation };
        requests.push(Request { formula, aggregation, result });
    }
    if let Some(condition) = condition {
        check(condition, table)?;
    }
    on_device!(ctx, by_morsels(&requests, table, ctx), of_columns(&requests, table, ctx))
}

struct Request {
    formula: Expression,
    aggregation: Aggregation,
    result: DataType,
}

/// The formula where the condition is true, null elsewhere.
fn under(condition: &Expression, formula: &Expression, aggregation: Aggregation) -> Result<Expression> {
    let value = match aggregation {
        Aggregation::Size => Expression::literal(Scalar::from(true)),
        _ => formula.clone(),
    };
    let null = Expression::literal(Scalar::null(value.data_type()));
    Expression::conditional(condition.clone(), value, null)
}

/// The columns of the formulas, reduced.
fn of_columns(requests: &[Request], table: &Table, ctx: &Context) -> Result<Vec<Scalar>> {
    let formulas: Vec<Expression> = requests.iter().map(|request| request.formula.clone()).collect();
    let columns = evaluate(&formulas, table, ctx)?;
    let each = requests.iter().zip(&columns);
    each.map(|(request, column)| reduce::reduce(column, request.aggregation, ctx)).collect()
}

/// Every formula once, in one pass; the rest as columns.
fn by_morsels(requests: &[Request], table: &Table, ctx: &Context) -> Result<Vec<Scalar>> {
    let mut known: HashMap<&Expression, usize> = HashMap::new();
    let (mut formulas, mut morsels): (Vec<Expression>, Vec<Morsels>) = (vec![], vec![]);
    // The place of each request: its formula, and the number of its aggregation there.
    let mut places = Vec::with_capacity(requests.len());
    for Request { formula, aggregation, result } in requests {
        let at = *known.entry(formula).or_insert_with(|| {
            formulas.push(formula.clone());
            morsels.push(Morsels::new(formula.data_type()));
            formulas.len() - 1
        });
        places.push(morsels[at].add(*aggregation, *result).map(|place| (at, place)));
    }
    let mut finished = Vec::new();
    if places.iter().any(Option::is_some) {
        // Formulas without aggregations by morsels are not computed here.
        let wanted: Vec<usize> = (0..formulas.len()).filter(|at| !morsels[*at].is_empty()).collect();
        let computed: Vec<Expression> = wanted.iter().map(|at| formulas[*at].clone()).collect();
        let each: Vec<&Morsels> = wanted.iter().map(|at| &morsels[*at]).collect();
        let collected = cpu::collect(&computed, &each, table, ctx)?;
        finished.resize_with(formulas.len(), Vec::new);
        for (i, at) in wanted.iter().enumerate() {
            finished[*at] = morsels[*at].finish(collected.iter().map(|morsel| morsel[i].as_slice()))?;
        }
    }
    let value = |(place, request): (Option<(usize, usize)>, &Request)| match place {
        Some((at, place)) => Ok(finished[at][place].clone()),
        None => Ok(of_columns(std::slice::from_ref(request), table, ctx)?.remove(0)),
    };
    places.into_iter().zip(requests).map(value).collect()
}

/// Rows by a formula, as [`condition`] has checked it.
pub(crate) struct Condition<'a> {
    pub(crate) formula: &'a Expression,
    pub(crate) inputs: &'a Table,
}

/// Fails unless `formula` is one of truth values over the columns of `inputs`.
pub fn condition<'a>(formula: &'a Expression, inputs: &'a Table) -> Result<Condition<'a>> {
    check(formula, inputs)?;
    match formula.data_type() {
        DataType::Bool8 => Ok(Condition { formula, inputs }),
        other => Err(Error::data_type(format!("a condition is bool, {formula} is {other}"))),
    }
}

impl Condition<'_> {
    /// The rows where it is true, in host memory.
    pub fn selection(&self, ctx: &Context) -> Result<cuprum_elements::selection::Selection> {
        let words = cpu::true_words(self.formula, self.inputs, ctx)?;
        cuprum_elements::selection::Selection::new(words, self.inputs.num_rows(), ctx)
    }

    /// The rows where it is true, on a GPU.
    pub fn selection_on_device(&self, ctx: &Context) -> Result<cuprum_elements::selection::cuda::Selection> {
        cuda::selection(self.formula, self.inputs, ctx)
    }
}
