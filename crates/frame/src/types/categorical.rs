//! Categories: few values that many rows share.

use std::sync::{Arc, OnceLock};

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::{NullOrder, Order, sort_by_key};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::stream_compaction::drop_nulls;
use cuprum_compute::{reduce, replace, unary};

use super::{Dtype, TypeRules, TypedColumn, no_aggregation, no_operator};
use crate::index::Index;
use crate::label::Label;
use crate::operations::equality;

/// The values that rows can have, each once and none missing, in an order that may mean something.
#[derive(Debug)]
pub struct Categories {
    values: Column,
    ordered: bool,
    /// The values as labels, which look themselves up; made when a value is first looked for.
    labels: OnceLock<Index>,
}

impl Categories {
    /// Categories in the order of `values`; `ordered` where they compare by it.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for values that are
    /// missing or repeat.
    pub fn new(values: Column, ordered: bool) -> Result<Self> {
        let ctx = values.context()?;
        if !Dtype::of(&values).is_plain() {
            return Dtype::of(&values).refuse("being a category");
        }
        if replace::nans_to_nulls(&values, &ctx)?.has_nulls() {
            return Err(Error::invalid_argument("categories cannot be missing"));
        }
        let distinct = distinct_rows(&Table::new(vec![values.clone()])?, Keep::First, true, &ctx)?;
        if distinct.len() != values.len() {
            return Err(Error::invalid_argument("categories must be unique"));
        }
        Ok(Self { values, ordered, labels: OnceLock::new() })
    }

    fn labels(&self) -> &Index {
        self.labels.get_or_init(|| Index::from_column(self.values.clone(), None))
    }

    /// The categories.
    pub fn values(&self) -> &Column {
        &self.values
    }

    /// Whether they compare by their order.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// The number of categories.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Compared by the host, which has all that is needed for it.
    fn has_values_of(&self, other: &Self) -> Result<bool> {
        equality::columns_equal(&self.values.to_host()?, &other.values.to_host()?)
    }
}

/// Equal where they are the same values in the same order and both ordered or not.
impl PartialEq for Categories {
    fn eq(&self, other: &Self) -> bool {
        self.ordered == other.ordered
            && self.values.data_type() == other.values.data_type()
            && (self.values.is_same_memory(&other.values) || self.has_values_of(other).unwrap_or(false))
    }
}

impl Eq for Categories {}

/// Positions of categories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Categorical(Arc<Categories>);

impl Categorical {
    /// Values among these categories.
    pub fn of(categories: Categories) -> Self {
        Self(Arc::new(categories))
    }

    /// The categories.
    pub fn categories(&self) -> &Categories {
        &self.0
    }

    /// What the categories are.
    pub fn value_type(&self) -> Dtype {
        Dtype::of(&self.0.values)
    }

    /// The dtype and the codes of a dictionary column; `None` for other columns.
    pub(super) fn of_dictionary(column: &Column) -> Option<Result<(Self, Column)>> {
        (column.data_type() == DataType::Dictionary32).then(|| {
            let values = column.keys()?.clone();
            let kind = Self::of(Categories { values, ordered: false, labels: OnceLock::new() });
            let ctx = column.context()?;
            let codes = unary::cast(&column.indices()?, kind.storage(), &ctx)?;
            let mask = column.copy_mask(&ctx)?;
            Ok((kind, codes.with_mask(mask, &ctx)?))
        })
    }

    /// The same categories in the context's memory: they are where the codes of a column are.
    pub(crate) fn on(&self, ctx: &Context) -> Result<Self> {
        let device = ctx.resource().device();
        if self.0.values.place().is_none_or(|place| place == device) {
            return Ok(self.clone());
        }
        let values = self.0.values.to_device(ctx)?;
        Ok(Self::of(Categories { values, ordered: self.0.ordered, labels: OnceLock::new() }))
    }

    /// The column of codes, which are integers below the number of categories, or null.
    pub fn from_codes(&self, codes: &Column) -> Result<TypedColumn> {
        let ctx = codes.context()?;
        let bounds = |how| Ok::<_, Error>(reduce::reduce(codes, how, &ctx)?.as_i64());
        if !codes.data_type().is_integer() {
            return Err(Error::data_type(format!("codes are integers, these are {}", codes.data_type())));
        }
        for code in [bounds(Aggregation::Min)?, bounds(Aggregation::Max)?].into_iter().flatten() {
            if code < 0 || code >= self.0.len() as i64 {
                return Err(Error::out_of_range(format!("code {code} of {} categories", self.0.len())));
            }
        }
        TypedColumn::new(Dtype::Categorical(self.on(&ctx)?), unary::cast(codes, self.storage(), &ctx)?)
    }

    /// The column of `values`, which are missing where they are no category.
    pub fn encode(&self, values: &Column) -> Result<TypedColumn> {
        let ctx = values.context()?;
        let values = replace::nans_to_nulls(values, &ctx)?;
        let here = self.on(&ctx)?;
        if self.0.is_empty() {
            return TypedColumn::nulls(&Dtype::Categorical(here), values.len(), &ctx);
        }
        let (keys, among) = crate::types::promotion::unify_keys(&values, &here.0.values)?;
        let (_, codes) =
            join(&Table::new(vec![keys])?, &Table::new(vec![among])?, JoinKind::Left, false, &ctx)?;
        // Rows without a partner are marked by a number that is no row.
        let rows = cuprum_compute::filling::sequence(0, 1, self.0.len(), &ctx)?;
        let codes = copying::gather_column(&rows, &codes, OutOfBoundsPolicy::Nullify, &ctx)?;
        TypedColumn::new(Dtype::Categorical(here), unary::cast(&codes, self.storage(), &ctx)?)
    }

    /// Whether both are the same values without an order, so that their rows compare for equality.
    fn is_same_set(&self, other: &Self) -> bool {
        let covers = || Ok::<_, Error>(!self.encode(&other.0.values)?.data()?.has_nulls());
        let unordered = !self.0.ordered && !other.0.ordered;
        unordered && self.0.len() == other.0.len() && covers().unwrap_or(false)
    }

    /// The value of every row.
    pub fn decode(&self, codes: &Column) -> Result<Column> {
        let ctx = codes.context()?;
        if self.0.is_empty() {
            return Column::nulls(self.0.values.data_type(), codes.len(), &ctx);
        }
        copying::gather_column(&self.on(&ctx)?.0.values, codes, OutOfBoundsPolicy::Check, &ctx)
    }

    /// The code of a value; `None` for one that is no category.
    pub fn code(&self, value: &Scalar) -> Result<Option<i64>> {
        self.code_of(&Label::from_scalar(value)?)
    }

    pub(crate) fn code_of(&self, value: &Label) -> Result<Option<i64>> {
        let rows = self.0.labels().find(std::slice::from_ref(value))?;
        if rows.is_empty() { Ok(None) } else { Ok(rows.get(0)?.as_i64()) }
    }

    /// The categories that the different values of a column make, ascending, and the column over them.
    pub fn encode_distinct(values: &Column, ordered: bool) -> Result<TypedColumn> {
        let ctx = values.context()?;
        let of = Table::new(vec![replace::nans_to_nulls(values, &ctx)?])?;
        let rows = distinct_rows(&of, Keep::First, true, &ctx)?;
        let distinct = copying::gather(&of, &rows, OutOfBoundsPolicy::Check, &ctx)?;
        let distinct = drop_nulls(&distinct, &[0], 1, false, &ctx)?;
        let sorted = sort_by_key(&distinct, &distinct, &[Order::Ascending], NullOrder::Last, &ctx)?;
        let values_of = sorted.columns()[0].clone();
        Self::of(Categories { values: values_of, ordered, labels: OnceLock::new() }).encode(values)
    }
}

impl TypeRules for Categorical {
    fn name(&self) -> String {
        "category".into()
    }

    /// The narrowest type that holds the codes, as in pandas.
    fn storage(&self) -> DataType {
        match self.0.len() {
            0..128 => DataType::Int8,
            128..32_768 => DataType::Int16,
            _ => DataType::Int32,
        }
    }

    fn is_plain(&self) -> bool {
        false
    }

    /// Other categories, or other values, meet as values.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        match other {
            Dtype::Categorical(other) if self == other => Some(Dtype::Categorical(self.clone())),
            Dtype::Categorical(other) => self.value_type().common(&other.value_type()),
            other => self.value_type().common(other),
        }
    }

    /// Categories are compared for equality with values and with the same categories (in any order where they
    /// have none), in order only where they are ordered. Nothing is computed with them.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        let equality = matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let comparable = match other {
            Dtype::Categorical(other) if self != other && !(equality && self.is_same_set(other)) => {
                return Err(Error::data_type(
                    "categoricals can only be compared if their categories are the same",
                ));
            }
            Dtype::Categorical(_) => true,
            other => equality || self.value_type().common(other).is_some(),
        };
        if !op.is_comparison() || !comparable {
            return Err(no_operator(op, &self.name(), &other.name()));
        }
        if !equality && !self.0.ordered {
            return Err(Error::data_type(format!(
                "unordered categoricals compare for equality only, not by {op:?}; make them ordered first"
            )));
        }
        Ok(Dtype::plain(DataType::Bool8))
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        match how {
            Aggregation::Count | Aggregation::Size | Aggregation::NUnique => {
                Ok(Dtype::plain(DataType::Int64))
            }
            Aggregation::First | Aggregation::Last => Ok(Dtype::Categorical(self.clone())),
            Aggregation::Min | Aggregation::Max if self.0.ordered => Ok(Dtype::Categorical(self.clone())),
            Aggregation::Min | Aggregation::Max => Err(Error::data_type(format!(
                "unordered categoricals have no {how:?}; make them ordered first"
            ))),
            _ => Err(no_aggregation(how, &self.name())),
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn is_key(&self) -> bool {
        true
    }
}
