//! Categories: few values that many rows share.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::groupby::group;
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::{filling, reduce, replace, unary};

use super::concat_columns;
use super::{Datetime, Dtype, TypeRules, TypedColumn, no_aggregation, no_operator};
use crate::index::{Index, SetOrder};
use crate::label::Label;

/// The values that rows can have, each once and none missing, in an order that may mean something.
#[derive(Debug)]
pub struct Categories {
    values: TypedColumn,
    ordered: bool,
    /// The values as labels, which look themselves up; made when a value is first looked for.
    labels: OnceLock<Index>,
}

impl Categories {
    /// Categories in the order of `values`; `ordered` where they compare by it.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for values that are
    /// missing or repeat.
    pub fn new(values: impl Into<TypedColumn>, ordered: bool) -> Result<Self> {
        let values = values.into();
        let (stored, ctx) = (stored_values(&values)?, values.context()?);
        if replace::nans_to_nulls(stored, &ctx)?.has_nulls() {
            return Err(Error::invalid_argument("categories cannot be missing"));
        }
        let distinct = distinct_rows(&Table::new(vec![stored.clone()])?, Keep::First, true, &ctx)?;
        if distinct.len() != values.len() {
            return Err(Error::invalid_argument("categories must be unique"));
        }
        Ok(Self { values, ordered, labels: OnceLock::new() })
    }

    fn labels(&self) -> &Index {
        self.labels.get_or_init(|| Index::from_typed(self.values.clone(), None))
    }

    /// The categories.
    pub fn values(&self) -> &TypedColumn {
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

    /// Whether both have no order and the same values, in whatever places.
    pub(super) fn are_those_of(&self, other: &Self) -> Result<bool> {
        if self.ordered || other.ordered || self.len() != other.len() {
            return Ok(false);
        }
        let sorted = |categories: &Self| categories.labels().sorted(SetOrder::Sorted);
        Ok(self.values.dtype() == other.values.dtype() && sorted(self)?.equals(&sorted(other)?)?)
    }

    /// Compared by the host, which has all that is needed for it.
    fn has_values_of(&self, other: &Self) -> Result<bool> {
        let host = Context::beside(Device::Cpu)?;
        self.values.placed(&host)?.equals(&*other.values.placed(&host)?)
    }
}

/// The stored values of categories.
fn stored_values(values: &TypedColumn) -> Result<&Column> {
    match values.dtype() {
        Dtype::Interval(_) | Dtype::Date(_) | Dtype::Datetime(_) | Dtype::Period(_) | Dtype::Decimal(_) => {
            values.data()
        }
        _ => values.values("being a category"),
    }
}

/// Equal where they are the same values in the same order and both ordered or not.
impl PartialEq for Categories {
    fn eq(&self, other: &Self) -> bool {
        self.ordered == other.ordered
            && self.values.dtype() == other.values.dtype()
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

    /// The dtype of the categories.
    pub fn value_type(&self) -> Dtype {
        self.0.values.dtype().clone()
    }

    /// The categories that `values` are, the keys of a dictionary column, and its rows among them.
    pub(super) fn of_dictionary(column: &Column, values: TypedColumn, ordered: bool) -> Result<TypedColumn> {
        stored_values(&values)?;
        let kind = Self::of(Categories { values, ordered, labels: OnceLock::new() });
        let ctx = column.context()?;
        // Codes under nulls may be no index.
        let codes = column.indices()?.with_mask(column.copy_mask(&ctx)?, &ctx)?;
        let codes = unary::cast(&codes, kind.storage(), &ctx)?;
        TypedColumn::new(Dtype::Categorical(kind), codes)
    }

    /// The rows of several columns of categories one after the other; their categories together, in the order in
    /// which they appear, ordered where the first are.
    pub(super) fn join(columns: &[TypedColumn]) -> Result<TypedColumn> {
        let kinds = columns.iter().map(|column| match column.dtype() {
            Dtype::Categorical(kind) => Ok(kind),
            other => other.refuse("joining categories"),
        });
        let kinds = kinds.collect::<Result<Vec<_>>>()?;
        let [first, rest @ ..] = kinds.as_slice() else {
            return Err(Error::invalid_argument("there are no columns to join"));
        };
        let columns = if rest.iter().all(|kind| kind == first) {
            Cow::Borrowed(columns)
        } else {
            let values: Vec<_> = kinds.iter().map(|kind| Some(&kind.0.values)).collect();
            let rows: Vec<_> = kinds.iter().map(|kind| kind.categories().len()).collect();
            let all = concat_columns(&values, &rows)?;
            let ctx = all.context()?;
            let table = Table::new(vec![all.keys("being a category")?.clone()])?;
            let values = all.take_or_null(&distinct_rows(&table, Keep::First, true, &ctx)?)?;
            let kind = Self::of(Categories { values, ordered: first.0.ordered, labels: OnceLock::new() });
            let values = kinds.iter().zip(columns).map(|(of, column)| of.decode(column.data()?));
            values.map(|values| kind.encode(&values?)).collect::<Result<Vec<_>>>()?.into()
        };
        let rows: Vec<_> = columns.iter().map(TypedColumn::len).collect();
        concat_columns(&columns.iter().map(Some).collect::<Vec<_>>(), &rows)
    }

    /// The same categories in the context's memory: they are where the codes of a column are.
    pub(crate) fn on(&self, ctx: &Context) -> Result<Self> {
        let device = ctx.resource().device();
        if self.0.values.place().is_none_or(|place| place == device) {
            return Ok(self.clone());
        }
        let values = self.0.values.placed(ctx)?.into_owned();
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
    pub fn encode(&self, values: &TypedColumn) -> Result<TypedColumn> {
        let ctx = values.context()?;
        let values = values.moved(|data| replace::nans_to_nulls(data, &ctx))?;
        let here = self.on(&ctx)?;
        if self.0.is_empty() {
            return TypedColumn::nulls(&Dtype::Categorical(here), values.len(), &ctx);
        }
        let (keys, among) = super::unify_keys(&values, &here.0.values)?;
        let key = |column: &TypedColumn| Table::new(vec![column.keys("being a category")?.clone()]);
        let (_, codes) = join(&key(&keys)?, &key(&among)?, JoinKind::Left, false, &ctx)?;
        // Rows without a partner are marked by a number that is no row.
        let rows = filling::sequence(0, 1, self.0.len(), &ctx)?;
        let codes = copying::gather_column(&rows, &codes, OutOfBoundsPolicy::Nullify, &ctx)?;
        TypedColumn::new(Dtype::Categorical(here), unary::cast(&codes, self.storage(), &ctx)?)
    }

    /// The value of every row.
    pub fn decode(&self, codes: &Column) -> Result<TypedColumn> {
        let ctx = codes.context()?;
        if self.0.is_empty() {
            return TypedColumn::nulls(self.0.values.dtype(), codes.len(), &ctx);
        }
        let values = self.on(&ctx)?.0.values.clone();
        values.moved(|values| copying::gather_column(values, codes, OutOfBoundsPolicy::Check, &ctx))
    }

    /// The code of a value; `None` for one that is no category.
    pub fn code(&self, value: &Scalar) -> Result<Option<i64>> {
        let kind = self.0.values.dtype();
        let label = match (kind, value.data_type()) {
            // Moments are texts with their offset, see `instant_beside`; one that is no time is no category.
            (Dtype::Datetime(Datetime { zone: Some(zone), .. }), DataType::String) => {
                let Ok(instant) = super::instant_beside(&self.0.values, value) else { return Ok(None) };
                match (instant.data_type(), instant.as_i64()) {
                    (DataType::Timestamp(unit), Some(tick)) => Label::Instant(tick, unit, Arc::clone(zone)),
                    _ => return Ok(None),
                }
            }
            _ => Label::from_scalar(value)?,
        };
        self.code_of(&label)
    }

    /// Whether `other` has the same categories in whatever order, and neither's order means anything.
    pub(crate) fn has_categories_of(&self, other: &Self) -> bool {
        let (ours, theirs) = (self.categories(), other.categories());
        let covers = || Ok::<_, Error>(!self.encode(&theirs.values)?.data()?.has_nulls());
        let alike = !ours.ordered && !theirs.ordered && ours.len() == theirs.len();
        alike && ours.values.dtype() == theirs.values.dtype() && covers().unwrap_or(false)
    }

    pub(crate) fn code_of(&self, value: &Label) -> Result<Option<i64>> {
        let rows = self.0.labels().find(std::slice::from_ref(value))?;
        if rows.is_empty() { Ok(None) } else { Ok(rows.get(0)?.as_i64()) }
    }

    /// The categories that the different values of a column make, ascending, and the column over them.
    pub fn encode_distinct(values: &TypedColumn, ordered: bool) -> Result<TypedColumn> {
        let ctx = values.context()?;
        let keys = Table::new(vec![replace::nans_to_nulls(stored_values(values)?, &ctx)?])?;
        let groups = group(&keys, true, &ctx)?;
        let distinct = copying::gather(&keys, &groups.first_rows, OutOfBoundsPolicy::Check, &ctx)?;
        let order = sorted_order(&distinct, &[Order::Ascending], NullOrder::Last, &ctx)?;
        let sorted = copying::gather_column(&distinct.columns()[0], &order, OutOfBoundsPolicy::Check, &ctx)?;
        let kind = Self::of(Categories { values: values.like(sorted), ordered, labels: OnceLock::new() });
        if order.is_empty() {
            return TypedColumn::nulls(&Dtype::Categorical(kind), values.len(), &ctx);
        }
        // The place in the order of each group, in few bytes before there is one for each row.
        let places = filling::sequence(0, 1, order.len(), &ctx)?;
        let places = unary::cast(&places, kind.storage(), &ctx)?;
        let codes = copying::scatter(&places, &order, &places, &ctx)?;
        let ids = groups.ids(&ctx)?;
        let codes = copying::gather_column(&codes, ids, OutOfBoundsPolicy::Nullify, &ctx)?;
        TypedColumn::new(Dtype::Categorical(kind), codes)
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
            Dtype::Categorical(other) if self == other || self.has_categories_of(other) => {
                Some(Dtype::Categorical(self.clone()))
            }
            Dtype::Categorical(other) => self.value_type().common(&other.value_type()),
            other => self.value_type().common(other),
        }
    }

    /// Categories are compared for equality with values and with the same categories (in any order where they
    /// have none), in order only where they are ordered. Nothing is computed with them.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        let equality = matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let comparable = match other {
            Dtype::Categorical(other) if self != other && !(equality && self.has_categories_of(other)) => {
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
                "unordered categoricals compare for equality only, not by {op}; make them ordered first"
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
                "unordered categoricals have no {how}; make them ordered first"
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
