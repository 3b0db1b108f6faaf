//! [`Series`]: one column with labelled rows.

mod value_counts;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Table, Value};
use cuprum_compute::binaryop::BinaryOperator;
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::quantiles::{Interpolation, quantile, ticks_between};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order, top_k};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_count, distinct_rows, duplicated};
use cuprum_compute::{concatenate, filling, reduce, replace, search, stream_compaction, unary};

use crate::accessors::{
    CategoricalMethods, DatetimeProperties, ListMethods, StringMethods, StructMethods, TimedeltaProperties,
};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame, SortOptions};
use crate::index::Index;
use crate::indexing::assign::{Values, Writing};
use crate::label::Label;
use crate::operations::equality::is_any;
use crate::operations::extremes::Extreme;
use crate::operations::reduce::has_missing;
use crate::types::promotion;
use crate::types::{self, Dtype, TypedColumn};

/// Options of [`value_counts`](Series::value_counts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueCountsOptions {
    /// Shares of the total instead of numbers.
    pub normalize: bool,
    /// The order of the counts; that of first appearance without one.
    pub order: Option<Order>,
    /// Missing elements are not counted.
    pub dropna: bool,
}

impl Default for ValueCountsOptions {
    /// Numbers of elements that are not missing, the most frequent first.
    fn default() -> Self {
        Self { normalize: false, order: Some(Order::Descending), dropna: true }
    }
}

/// A named column whose rows have labels.
#[derive(Clone, Debug)]
pub struct Series {
    column: TypedColumn,
    name: Option<Label>,
    index: Index,
}

impl Frame for Series {
    fn columns(&self) -> &[TypedColumn] {
        std::slice::from_ref(&self.column)
    }

    fn columns_mut(&mut self, _: Writing) -> &mut [TypedColumn] {
        std::slice::from_mut(&mut self.column)
    }

    fn num_rows(&self) -> usize {
        self.column.len()
    }

    fn place(&self) -> Option<Device> {
        self.column.place().or_else(|| self.index.place())
    }

    fn replace_columns(&self, columns: Vec<TypedColumn>) -> Result<Self> {
        self.with_rows(columns, self.index.clone())
    }
}

impl IndexedFrame for Series {
    fn index(&self) -> &Index {
        &self.index
    }

    fn with_rows(&self, mut columns: Vec<TypedColumn>, index: Index) -> Result<Self> {
        let column = columns.pop().filter(|_| columns.is_empty());
        let column = column.ok_or_else(|| Error::logic("a series has one column"))?;
        Self::new(column, self.name.clone(), index)
    }
}

impl Series {
    /// A series over `column` with row labels.
    pub fn new(column: impl Into<TypedColumn>, name: Option<Label>, index: Index) -> Result<Self> {
        let column = column.into();
        if column.len() != index.len() {
            return Err(Error::invalid_argument(format!(
                "length of values ({}) does not match length of index ({})",
                column.len(),
                index.len()
            )));
        }
        let index = index.beside(column.place())?;
        Ok(Self { column, name, index })
    }

    /// A series with the default row labels `0, 1, …`.
    pub fn from_column(column: impl Into<TypedColumn>, name: Option<Label>) -> Self {
        let column = column.into();
        let index = Index::range_beside(column.len(), column.place());
        Self { column, name, index }
    }

    /// The data and their dtype.
    pub fn column(&self) -> &TypedColumn {
        &self.column
    }

    /// The stored values; see [`TypedColumn::data`].
    pub fn data(&self) -> Result<&Column> {
        self.column.data()
    }

    /// The name.
    pub fn name(&self) -> Option<&Label> {
        self.name.as_ref()
    }

    /// The same series under another name.
    #[must_use]
    pub fn rename(&self, name: Option<Label>) -> Self {
        Self { name, ..self.clone() }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.column.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.column.is_empty()
    }

    /// The dtype of the elements.
    pub fn dtype(&self) -> &Dtype {
        self.column.dtype()
    }

    pub(crate) fn with_column(&self, column: impl Into<TypedColumn>) -> Self {
        let column = column.into();
        debug_assert_eq!(column.len(), self.len());
        Self { column, name: self.name.clone(), index: self.index.clone() }
    }

    /// A frame of this one column, called `name` (else by its own name, else 0).
    pub fn to_frame(&self, name: Option<Label>) -> DataFrame {
        let label = name.or_else(|| self.name.clone()).unwrap_or(Label::Int(0));
        DataFrame::from_parts(vec![label], vec![self.column.clone()], self.index.clone())
            .expect("the column has the length of the index")
    }

    /// A frame with the row labels as columns before the values; see
    /// [`DataFrame::reset_index`].
    pub fn reset_index(&self, name: Option<Label>) -> Result<DataFrame> {
        self.to_frame(name).reset_index()
    }

    /// The values with the default row labels.
    #[must_use]
    pub fn drop_index(&self) -> Self {
        Self::from_column(self.column.clone(), self.name.clone())
    }

    /// Text functions, for string series.
    pub fn str(&self) -> Result<StringMethods<'_>> {
        StringMethods::new(self)
    }

    /// Parts of times, for timestamp series.
    pub fn dt(&self) -> Result<DatetimeProperties<'_>> {
        DatetimeProperties::new(self)
    }

    /// Parts of lengths of time, for series of those.
    pub fn td(&self) -> Result<TimedeltaProperties<'_>> {
        TimedeltaProperties::new(self)
    }

    /// Categories, for categorical series.
    pub fn cat(&self) -> Result<CategoricalMethods<'_>> {
        CategoricalMethods::new(self)
    }

    /// Functions of lists; fails with `DataType` for other series.
    pub fn list(&self) -> Result<ListMethods<'_>> {
        ListMethods::new(self)
    }

    /// Fields, for series of structs.
    pub fn struct_(&self) -> Result<StructMethods<'_>> {
        StructMethods::new(self)
    }

    /// The number of elements that are not missing.
    pub fn count(&self) -> Result<usize> {
        let count = self.reduce(reduce::Aggregation::Count)?;
        Ok(count.as_i64().unwrap_or(0) as usize)
    }

    /// The column reduced to one value; missing elements are skipped.
    pub fn reduce(&self, aggregation: reduce::Aggregation) -> Result<Scalar> {
        types::reduce(&self.column, aggregation)
    }

    /// [`reduce`](Self::reduce) of a few numbers in host memory of which none is missing; `None` for other elements, and
    /// for aggregations that take more than a look at each. See [`reduce_few`](reduce::reduce_few).
    pub fn reduce_few(&self, aggregation: reduce::Aggregation) -> Result<Option<Scalar>> {
        match self.dtype() {
            Dtype::Numeric(_) if !types::keeps_width(self.dtype().storage(), aggregation) => {
                reduce::reduce_few(self.column.data()?, aggregation)
            }
            _ => Ok(None),
        }
    }

    /// Missing elements replaced by a scalar, which must fit the type; where there are none, the type stays.
    pub fn fillna(&self, value: &Scalar) -> Result<Self> {
        Ok(self.with_column(fill_missing(&self.column, value)?))
    }

    /// The rows that are not missing.
    pub fn dropna(&self) -> Result<Self> {
        if !self.column.presence()?.has_nulls() && !self.dtype().storage().is_float() {
            return Ok(self.clone());
        }
        self.filter(self.notna()?.data()?)
    }

    /// The rows in the order of their elements, as `series.sort_values(Descending)`; equal ones keep theirs.
    pub fn sort_values(&self, order: impl Into<SortOptions>) -> Result<Self> {
        self.sort_by_keys(vec![self.column.ordered("sort_values")?.clone()], &order.into())
    }

    /// The positions that would sort the values; missing elements last.
    pub fn argsort(&self, order: Order) -> Result<Self> {
        let ctx = self.context()?;
        let keys = Table::new(vec![self.column.ordered("argsort")?.clone()])?;
        let rows = sorted_order(&keys, &[order], NullOrder::Last, &ctx)?;
        Ok(self.with_column(unary::cast(&rows, DataType::Int64, &ctx)?))
    }

    /// The `n` largest elements in descending order, or the smallest in ascending order; equal elements in
    /// row order; missing ones only where there are too few others.
    pub fn top(&self, n: usize, extreme: Extreme) -> Result<Self> {
        self.take(&top_rows(self.column.ordered(extreme.of_several())?, n, extreme)?)
    }

    /// The different elements in order of their first appearance, missing ones once.
    pub fn unique(&self) -> Result<Self> {
        Ok(self.drop_duplicates(Keep::First)?.drop_index())
    }

    /// The number of different elements, missing ones not counted unless asked for.
    pub fn nunique(&self, count_missing: bool) -> Result<usize> {
        let ctx = self.context()?;
        distinct_count(&replace::nans_to_nulls(self.column.keys("nunique")?, &ctx)?, count_missing, &ctx)
    }

    /// The rows without repeated elements; `keep` says which of equal ones stays.
    pub fn drop_duplicates(&self, keep: Keep) -> Result<Self> {
        self.take(&distinct_rows(&self.key_table("drop_duplicates")?, keep, true, &self.context()?)?)
    }

    /// True where an element repeats one that `keep` keeps.
    pub fn duplicated(&self, keep: Keep) -> Result<Self> {
        Ok(self.with_column(duplicated(&self.key_table("duplicated")?, keep, &self.context()?)?))
    }

    /// Counts of each element, ties by first appearance; categories in their order, also those that do
    /// not occur. The elements are the index; the series is called `count`, or `proportion` of shares.
    pub fn value_counts(&self, options: ValueCountsOptions) -> Result<Self> {
        let ValueCountsOptions { normalize, order, dropna } = options;
        let few = value_counts::of_few(&self.column)?;
        let is_few = few.is_some();
        let (values, counts) = match few {
            Some(mut counted) => {
                if let Some(order) = order {
                    counted.sort(order);
                }
                counted.columns(&self.context()?)?
            }
            None => self.counted(dropna)?,
        };
        let index = Index::new(self.column.like(values), self.name.clone())?;
        let mut counts = Self::new(counts, Some("count".into()), index)?;
        if let Some(order) = order.filter(|_| !is_few) {
            counts = counts.sort_values(order)?;
        }
        if normalize {
            let total = counts.reduce(reduce::Aggregation::Sum)?;
            counts = counts.binary_scalar(&total, BinaryOperator::TrueDiv, false)?;
            counts.name = Some("proportion".into());
        }
        Ok(counts)
    }

    /// The different elements in the order of their first appearance, and how often each is there.
    fn counted(&self, dropna: bool) -> Result<(Column, Column)> {
        use cuprum_compute::groupby;
        let ctx = self.context()?;
        let keys = self.key_table("value_counts")?;
        let key = &keys.columns()[0];
        let wanted = [(key, reduce::Aggregation::Size)];
        let (grouping, counts) = groupby::group_and_aggregate(&keys, dropna, &wanted, &ctx)?;
        let values = copying::gather_column(key, &grouping.first_rows, OutOfBoundsPolicy::Check, &ctx)?;
        self.with_unused(values, counts[0].clone())
    }

    /// Codes and their counts, also of categories that do not occur, in the order of the categories; other
    /// columns as they are.
    fn with_unused(&self, values: Column, counts: Column) -> Result<(Column, Column)> {
        let Dtype::Categorical(kind) = self.dtype() else { return Ok((values, counts)) };
        let ctx = self.context()?;
        let all = filling::sequence(0, 1, kind.categories().len(), &ctx)?;
        let all = unary::cast(&all, values.data_type(), &ctx)?;
        let used = search::contains(&values, &all, &ctx)?;
        let unused = unary::unary_operation(&used, unary::UnaryOperator::Not, &ctx)?;
        let rest = stream_compaction::apply_boolean_mask(&Table::new(vec![all])?, &unused, &ctx)?;
        let rest = &rest.columns()[0];
        let zeros = Column::from_scalar(&Scalar::from(0i64), rest.len(), &ctx)?;
        let counts = concatenate::concatenate(&[&counts, &zeros], &ctx)?;
        let both = Table::new(vec![concatenate::concatenate(&[&values, rest], &ctx)?, counts])?;
        let keys = Table::new(vec![both.columns()[0].clone()])?;
        let order = sorted_order(&keys, &[Order::Ascending], NullOrder::Last, &ctx)?;
        let mut sorted = copying::gather(&both, &order, OutOfBoundsPolicy::Check, &ctx)?.into_columns();
        let counts = sorted.remove(1);
        Ok((sorted.remove(0), counts))
    }

    /// True where an element is one of `values`; missing ones are equal.
    pub fn isin(&self, values: &TypedColumn) -> Result<Self> {
        Ok(self.with_column(crate::index::is_in(&self.column, values)?))
    }

    /// Elements limited to `[lower, upper]`; of types that have an order.
    pub fn clip(&self, lower: Option<&Scalar>, upper: Option<&Scalar>) -> Result<Self> {
        let ctx = self.context()?;
        if matches!(self.dtype(), Dtype::Numeric(_)) {
            return self.clip_numbers(lower, upper);
        }
        if self.dtype().is_plain() {
            let own = self.column.values("clip")?;
            let fit = |bound: Option<&Scalar>| {
                bound
                    .map(|b| promotion::coerce_operand(b, own.data_type()).map(std::borrow::Cow::into_owned))
                    .transpose()
            };
            let (mut lower, mut upper) = (fit(lower)?, fit(upper)?);
            if is_above(lower.as_ref(), upper.as_ref())? {
                std::mem::swap(&mut lower, &mut upper);
            }
            return Ok(self.with_column(replace::clamp(own, lower.as_ref(), upper.as_ref(), &ctx)?));
        }
        self.dtype().reduce(reduce::Aggregation::Max).map_err(|e| e.context("clip"))?;
        let mut column = self.column.clone();
        for (bound, is_lower) in [(lower, true), (upper, false)] {
            let Some(bound) = bound else { continue };
            let (met, bound) = meet(&column, bound)?;
            let (low, high) = if is_lower { (Some(&bound), None) } else { (None, Some(&bound)) };
            column = met.moved(|data| replace::clamp(data, low, high, &ctx))?;
        }
        Ok(self.with_column(column))
    }

    /// Numbers limited to `[lower, upper]`, in a type that holds the limits that some of them take.
    fn clip_numbers<'a>(&self, mut lower: Option<&'a Scalar>, mut upper: Option<&'a Scalar>) -> Result<Self> {
        let ctx = self.context()?;
        if is_above(lower, upper)? {
            std::mem::swap(&mut lower, &mut upper);
        }
        let mut column = self.column.clone();
        for (bound, beyond) in [(lower, BinaryOperator::Less), (upper, BinaryOperator::Greater)] {
            let Some(bound) = bound.filter(|bound| !bound.is_null()) else { continue };
            let met = meet(&column, bound);
            if met.as_ref().map_or(true, |(met, _)| met.dtype() != column.dtype()) {
                let takes = types::operate_scalar(&column, bound, beyond, false)?;
                if !is_any(&replace::replace_nulls(takes.data()?, &Scalar::from(false), false, &ctx)?)? {
                    continue;
                }
            }
            let (met, bound) = met?;
            let (low, high) =
                if beyond == BinaryOperator::Less { (Some(&bound), None) } else { (None, Some(&bound)) };
            column = met.moved(|data| replace::clamp(data, low, high, &ctx))?;
        }
        Ok(self.with_column(column))
    }

    /// Elements where `condition` is true, `other` elsewhere (missing when none is given).
    pub fn where_(&self, condition: &Column, other: Option<&Scalar>) -> Result<Self> {
        let ctx = self.context()?;
        let condition = &*condition.placed(&ctx)?;
        if condition.len() != self.len() {
            return Err(Error::invalid_argument(format!(
                "`cond` has {} rows, the series {}",
                condition.len(),
                self.len()
            )));
        }
        let null = Scalar::null(self.dtype().storage());
        let met = meet(&self.column, other.unwrap_or(&null));
        let keeps_type = met.as_ref().is_ok_and(|(met, _)| met.dtype() == self.dtype());
        if !keeps_type
            && !condition.has_nulls()
            && reduce::reduce(condition, reduce::Aggregation::All, &ctx)?.as_bool() == Some(true)
        {
            return Ok(self.clone());
        }
        let (column, other) = met?;
        Ok(self.with_column(column.moved(|data| copying::copy_if_else(data, &other, condition, &ctx))?))
    }

    /// Elements where `condition` is true, those of `other` in the same row elsewhere, in a common type.
    pub fn where_column(&self, condition: &Column, other: &TypedColumn) -> Result<Self> {
        for (name, len) in [("cond", condition.len()), ("other", other.len())] {
            if len != self.len() {
                return Err(Error::invalid_argument(format!(
                    "`{name}` has {len} rows, the series {}",
                    self.len()
                )));
            }
        }
        let ctx = self.context()?;
        let condition = &*condition.placed(&ctx)?;
        types::check_kinds(&[&self.column, other])?;
        let both = types::unify(&[&self.column, &*other.placed(&ctx)?])?;
        let column = both[0].moved(|data| copying::copy_if_else(data, both[1].data()?, condition, &ctx))?;
        Ok(self.with_column(column))
    }

    /// The values at shares `q` of the sorted elements that are not missing, one row per `q`, labelled
    /// by it. `interpolation` says what lies between two elements; choosing one of them keeps the type.
    pub fn quantile(&self, q: &[f64], interpolation: Interpolation) -> Result<Self> {
        let ctx = self.context()?;
        if let Some(bad) = q.iter().find(|q| !(0.0..=1.0).contains(*q)) {
            return Err(Error::invalid_argument(format!("`q` is {bad}; quantiles lie between 0 and 1")));
        }
        if let Dtype::Datetime(kind) = self.dtype()
            && kind.zone.is_some()
        {
            let clocks = self.with_column(self.data()?.clone()).quantile(q, interpolation)?;
            let instants = TypedColumn::new(self.dtype().clone(), clocks.data()?.clone())?;
            return Ok(clocks.with_column(instants));
        }
        let values = self.column.values("quantile")?;
        if matches!(self.dtype(), Dtype::Bool(_)) {
            return self.dtype().refuse("quantile");
        }
        let chooses = !matches!(interpolation, Interpolation::Linear | Interpolation::Midpoint);
        let column = if chooses && !self.dtype().storage().is_float() {
            self.elements_at_quantiles(q, interpolation)?
        } else if self.dtype().storage().is_chrono() {
            self.times_at_quantiles(q, interpolation)?
        } else {
            quantile(values, q, interpolation, &ctx)?
        };
        Self::new(column, self.name.clone(), Index::from_column(Column::from_slice(q, &ctx)?, None))
    }

    /// Quantiles between two times, in whole ticks.
    fn times_at_quantiles(&self, q: &[f64], interpolation: Interpolation) -> Result<Column> {
        let ctx = self.context()?;
        let lower = self.elements_at_quantiles(q, Interpolation::Lower)?;
        let higher = self.elements_at_quantiles(q, Interpolation::Higher)?;
        let last = self.len().saturating_sub(self.data()?.null_count()? + 1) as f64;
        let ticks = |column: &Column| unary::cast(column, DataType::Int64, &ctx);
        let (lower, higher) = (ticks(&lower)?, ticks(&higher)?);
        let times = q
            .iter()
            .enumerate()
            .map(|(i, q)| {
                let share = match interpolation {
                    Interpolation::Midpoint => 0.5,
                    _ => (q * last).fract(),
                };
                let (low, high) = (lower.get(i)?.as_i64(), higher.get(i)?.as_i64());
                let between = |(low, high): (i64, i64)| ticks_between(low.into(), high.into(), share) as i64;
                Ok(low.zip(high).map(between))
            })
            .collect::<Result<Vec<_>>>()?;
        unary::cast(&Column::from_options(&times, &ctx)?, self.dtype().storage(), &ctx)
    }

    /// Quantiles that are elements, of types that `f64` does not hold exactly.
    fn elements_at_quantiles(&self, q: &[f64], interpolation: Interpolation) -> Result<Column> {
        let sorted = self.dropna()?.sort_values(Order::Ascending)?;
        let last = sorted.len() as f64 - 1.0;
        let rows: Vec<i64> = q
            .iter()
            .map(|q| match interpolation {
                Interpolation::Lower => (q * last).floor(),
                Interpolation::Higher => (q * last).ceil(),
                _ => (q * last).round_ties_even(),
            } as i64)
            .collect();
        // No elements: row −1, which is null.
        let ctx = self.context()?;
        let rows = Column::from_slice(&rows, &ctx)?;
        copying::gather_column(sorted.data()?, &rows, OutOfBoundsPolicy::Nullify, &ctx)
    }

    /// Whether both have equal values, types and row labels; missing equals missing.
    pub fn equals(&self, other: &Self) -> Result<bool> {
        Ok(self.column.equals(&other.column)? && self.index.equals(&other.index)?)
    }

    /// Sets the elements at `rows` to `value`; see [`set_elements`](IndexedFrame::set_elements).
    pub fn set_rows(&mut self, rows: &Column, value: &Scalar) -> Result<()> {
        self.set_elements(rows, vec![(0, Values::One(value.clone()))])
    }

    /// Sets the elements at `rows` to those of `values`, in order.
    pub fn set_rows_from(&mut self, rows: &Column, values: &TypedColumn) -> Result<()> {
        self.set_elements(rows, vec![(0, Values::Each(values.clone()))])
    }
}

/// The rows of the `n` largest (else smallest) elements, best first; then missing ones, in order.
pub(crate) fn top_rows(column: &Column, n: usize, extreme: Extreme) -> Result<Column> {
    let (ctx, order) = (column.context()?, extreme.first_order());
    let column = replace::nans_to_nulls(column, &ctx)?;
    let rows = top_k(&column, n, order, &ctx)?;
    let lacking = n.min(column.len()) - rows.len();
    if lacking == 0 {
        return Ok(rows);
    }
    let missing = stream_compaction::mask_to_rows(&unary::is_null(&column, &ctx)?, &ctx)?;
    concatenate::concatenate(&[&rows, &missing.slice(0, lacking)?], &ctx)
}

/// Whether the lower of two limits is the greater one.
fn is_above(lower: Option<&Scalar>, upper: Option<&Scalar>) -> Result<bool> {
    let (Some(low), Some(high)) = (lower, upper) else { return Ok(false) };
    if low.is_null() || high.is_null() {
        return Ok(false);
    }
    let low = TypedColumn::from(Column::from_scalar(low, 1, &Context::beside(Device::Cpu)?)?);
    Ok(types::operate_scalar(&low, high, BinaryOperator::Greater, false)?.get(0)?.as_bool() == Some(true))
}

/// A column and a scalar, as it is stored there, in a dtype that holds both: for storing the scalar among
/// the elements.
pub(crate) fn meet(column: &TypedColumn, value: &Scalar) -> Result<(TypedColumn, Scalar)> {
    let storage = column.dtype().storage();
    // Among values that are no numbers NaN is a missing one, too.
    let is_nan = matches!(value.value(), Value::Float(x) if x.is_nan())
        && !matches!(column.dtype(), Dtype::Numeric(_) | Dtype::Bool(_) | Dtype::Null(_));
    if value.is_null() || is_nan || promotion::is_no_time_of(column.dtype(), value) {
        return Ok((column.clone(), Scalar::null(storage)));
    }
    let truth = value.data_type() == DataType::Bool8;
    let unlike = match column.dtype() {
        Dtype::Bool(_) => value.data_type().is_numeric() && !truth,
        Dtype::Numeric(_) => truth,
        _ => false,
    };
    if unlike {
        return Err(Error::data_type(format!(
            "invalid value {value} for a column of type {}: cast one of them first",
            column.dtype()
        )));
    }
    match column.dtype() {
        Dtype::Categorical(kind) => match kind.code(value)? {
            Some(code) => return Ok((column.clone(), Scalar::new(storage, Value::Int(code))?)),
            None => {
                return Err(Error::data_type(format!(
                    "{value} is not one of the categories: add it with add_categories first"
                )));
            }
        },
        Dtype::Null(_) => {
            let column =
                TypedColumn::nulls(&Dtype::plain(value.data_type()), column.len(), &column.context()?)?;
            return Ok((column, value.clone()));
        }
        Dtype::Decimal(_) => {
            let dtype = types::Decimal::of_value(value).map(Dtype::Decimal);
            let common = dtype.as_ref().and_then(|dtype| column.dtype().common(dtype)).ok_or_else(|| {
                Error::data_type(format!("{value} cannot be stored in a column of type {}", column.dtype()))
            })?;
            let host = Context::beside(Device::Cpu)?;
            let value = unary::cast(&Column::from_scalar(value, 1, &host)?, common.storage(), &host)?;
            return Ok((types::cast(column, &common)?, value.get(0)?));
        }
        Dtype::Interval(_) => {
            let host = Context::beside(Device::Cpu)?;
            let value = types::constant(&Label::from_scalar(value)?, 1, &host)?;
            let common = column.dtype().common(value.dtype()).ok_or_else(|| {
                Error::data_type(format!(
                    "{} cannot be stored in a column of type {}",
                    value.dtype(),
                    column.dtype()
                ))
            })?;
            return Ok((types::cast(column, &common)?, types::cast(&value, &common)?.get(0)?));
        }
        Dtype::Datetime(_) if !column.dtype().is_plain() && value.data_type() == DataType::String => {
            return types::instant_among(column, value);
        }
        Dtype::Date(_) if value.is_null() || value.data_type() == storage => {}
        dtype if !dtype.is_plain() => {
            return Err(Error::data_type(format!("{value} cannot be stored in a column of type {dtype}")));
        }
        _ => {}
    }
    if let Ok(value) = promotion::coerce_stored(value, storage) {
        return Ok((column.clone(), value));
    }
    let of = Dtype::plain(promotion::narrowest(value, storage));
    let common = column.dtype().common(&of).ok_or_else(|| {
        Error::data_type(format!("{value} cannot be stored in a column of type {}", column.dtype()))
    })?;
    Ok((types::cast(column, &common)?, promotion::coerce_element(value, common.storage())?))
}

pub(crate) fn fill_missing(column: &TypedColumn, value: &Scalar) -> Result<TypedColumn> {
    let met = meet(column, value);
    let same = met.as_ref().is_ok_and(|(met, _)| met.dtype() == column.dtype());
    if !same && !has_missing(column)? {
        return Ok(column.clone());
    }
    let (column, value) = met?;
    column.moved(|data| replace::replace_nulls(data, &value, true, &data.context()?))
}
