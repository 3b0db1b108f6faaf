//! `Series::cat`: the categories of a series, and other ones for it.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table, Value};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::sorting::{NullOrder, Order, sort_by_key};
use cuprum_compute::{concatenate, filling, replace, search, stream_compaction, unary};

use crate::frame::Frame;
use crate::label::Label;
use crate::series::Series;
use crate::types::{self, Categorical, Categories, Dtype, TypeRules, TypedColumn};

/// Functions of the categories of a series. All but [`codes`](Self::codes) give the series over other
/// categories; rows move with theirs, and are missing where theirs is no longer one.
#[derive(Clone, Copy, Debug)]
pub struct CategoricalMethods<'a> {
    series: &'a Series,
    kind: &'a Categorical,
}

impl Series {
    /// Categories, for categorical series.
    pub fn cat(&self) -> Result<CategoricalMethods<'_>> {
        CategoricalMethods::new(self)
    }
}

impl<'a> CategoricalMethods<'a> {
    pub(crate) fn new(series: &'a Series) -> Result<Self> {
        match series.dtype() {
            Dtype::Categorical(kind) => Ok(Self { series, kind }),
            other => other.refuse("`cat`"),
        }
    }

    /// The categories in their order.
    pub fn categories(&self) -> &'a Categories {
        self.kind.categories()
    }

    /// The position of the category of every row, −1 for missing ones; without a name.
    pub fn codes(&self) -> Result<Series> {
        let none = Scalar::new(self.kind.storage(), Value::Int(-1))?;
        let codes = replace::replace_nulls(self.series.data()?, &none, true, &self.series.context()?)?;
        Ok(self.series.with_column(codes).rename(None))
    }

    /// The same values; `ordered` says whether they compare by the order of the categories.
    pub fn with_ordered(&self, ordered: bool) -> Result<Series> {
        self.stored_as(Categories::new(self.values().clone(), ordered)?)
    }

    /// The values among other categories, missing where they are none of those. `ordered` stays as it is
    /// where it is not given.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for categories that are
    /// missing or repeat.
    pub fn set_categories(&self, values: &TypedColumn, ordered: Option<bool>) -> Result<Series> {
        let categories = self.categories();
        let kind =
            Categorical::of(Categories::new(values.clone(), ordered.unwrap_or(categories.is_ordered()))?);
        let ctx = self.series.context()?;
        let codes = if categories.is_empty() {
            TypedColumn::nulls(&Dtype::Categorical(kind.clone()), self.series.len(), &ctx)?.data()?.clone()
        } else {
            // Each old category's code among the new ones, looked up by the old codes.
            let known = kind.encode(categories.values())?;
            copying::gather_column(
                &*known.data()?.placed(&ctx)?,
                self.series.data()?,
                OutOfBoundsPolicy::Check,
                &ctx,
            )?
        };
        Ok(self.series.with_column(TypedColumn::new(Dtype::Categorical(kind), codes)?))
    }

    /// The first category called by the first of `values`, and so on: the rows keep their codes. Rows of
    /// categories that are not called anything are missing.
    ///
    /// Fails like [`set_categories`](Self::set_categories).
    pub fn rename_by_position(&self, values: &TypedColumn, ordered: Option<bool>) -> Result<Series> {
        let categories = Categories::new(values.clone(), ordered.unwrap_or(self.categories().is_ordered()))?;
        if values.len() >= self.categories().len() {
            return self.stored_as(categories);
        }
        let ctx = self.series.context()?;
        let codes = unary::cast(self.series.data()?, DataType::Int64, &ctx)?;
        let rows = filling::sequence(0, 1, values.len(), &ctx)?;
        let kind = Categorical::of(categories);
        let kept = copying::gather_column(&rows, &codes, OutOfBoundsPolicy::Nullify, &ctx)?;
        let codes = unary::cast(&kept, kind.storage(), &ctx)?;
        Ok(self.series.with_column(TypedColumn::new(Dtype::Categorical(kind), codes)?))
    }

    /// Every category called otherwise.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for another number of
    /// them, and like [`set_categories`](Self::set_categories).
    pub fn rename_categories(&self, values: &TypedColumn) -> Result<Series> {
        if values.len() != self.categories().len() {
            return Err(Error::invalid_argument(format!(
                "`new_categories` has {} items, the series {} categories: new categories need to have the same \
                 number of items as the old categories",
                values.len(),
                self.categories().len()
            )));
        }
        self.rename_by_position(values, None)
    }

    /// More categories, after those that there are.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for those that are there
    /// already, and like [`set_categories`](Self::set_categories).
    pub fn add_categories(&self, values: &TypedColumn) -> Result<Series> {
        let ctx = self.values().context()?;
        let values = &*values.placed(&ctx)?;
        let (old, new) =
            types::unify(&[self.values(), values]).map(|mut both| (both.remove(0), both.remove(0)))?;
        if let Some(known) = first_row(&new, &contains(&old, &new)?)? {
            return Err(Error::invalid_argument(format!(
                "`new_categories` must not include old categories: {known} is one"
            )));
        }
        let all = old.moved(|old| concatenate::concatenate(&[old, new.data()?], &ctx))?;
        if all.dtype() == self.values().dtype() {
            return self.stored_as(Categories::new(all, self.categories().is_ordered())?);
        }
        self.rename_by_position(&all, None)
    }

    /// Without some categories; their rows are missing. The others are in ascending order unless they are
    /// ordered, as pandas has it.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for those that are not
    /// there.
    pub fn remove_categories(&self, values: &TypedColumn) -> Result<Series> {
        let ctx = self.values().context()?;
        let (old, removals) = types::unify_keys(self.values(), &*values.placed(&ctx)?)?;
        let unknown = invert(&contains(&old, &removals)?)?;
        if let Some(unknown) = first_row(&removals, &unknown)? {
            return Err(Error::invalid_argument(format!(
                "`removals` must all be in old categories: {unknown} is none"
            )));
        }
        let kept = self.kept(&invert(&contains(&removals, &old)?)?)?;
        if self.categories().is_ordered() {
            return self.set_categories(&kept, None);
        }
        let sorted = kept.moved(|kept| {
            let kept = Table::new(vec![kept.clone()])?;
            Ok(sort_by_key(&kept, &kept, &[Order::Ascending], NullOrder::Last, &ctx)?
                .into_columns()
                .remove(0))
        })?;
        self.set_categories(&sorted, None)
    }

    /// Without the categories that no row has.
    pub fn remove_unused_categories(&self) -> Result<Series> {
        let ctx = self.series.context()?;
        let all = filling::sequence(0, 1, self.categories().len(), &ctx)?;
        let all = unary::cast(&all, self.kind.storage(), &ctx)?;
        let kept = self.kept(&search::contains(self.series.data()?, &all, &ctx)?)?;
        self.set_categories(&kept, None)
    }

    /// The same categories in another order.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where they are not the
    /// same.
    pub fn reorder_categories(&self, values: &TypedColumn, ordered: Option<bool>) -> Result<Series> {
        let ctx = self.values().context()?;
        let (old, new) = types::unify_keys(self.values(), &*values.placed(&ctx)?)?;
        let strangers = invert(&contains(&old, &new)?)?;
        if old.len() != new.len() || first_row(&new, &strangers)?.is_some() {
            return Err(Error::invalid_argument(
                "items in `new_categories` are not the same as in old categories",
            ));
        }
        self.set_categories(values, ordered)
    }

    fn values(&self) -> &'a TypedColumn {
        self.categories().values()
    }

    /// The same codes over other categories, of which there are no fewer.
    fn stored_as(&self, categories: Categories) -> Result<Series> {
        let kind = Categorical::of(categories);
        let codes = unary::cast(self.series.data()?, kind.storage(), &self.series.context()?)?;
        Ok(self.series.with_column(TypedColumn::new(Dtype::Categorical(kind), codes)?))
    }

    /// The categories where `mask` is true.
    fn kept(&self, mask: &Column) -> Result<TypedColumn> {
        let ctx = mask.context()?;
        self.values().placed(&ctx)?.moved(|values| {
            let all = Table::new(vec![values.clone()])?;
            Ok(stream_compaction::apply_boolean_mask(&all, mask, &ctx)?.into_columns().remove(0))
        })
    }
}

/// A mask of the `needles` that are in `haystack`, of one dtype.
fn contains(haystack: &TypedColumn, needles: &TypedColumn) -> Result<Column> {
    search::contains(haystack.data()?, needles.data()?, &haystack.context()?)
}

fn invert(mask: &Column) -> Result<Column> {
    unary::unary_operation(mask, unary::UnaryOperator::Not, &mask.context()?)
}

/// The first row of a column where `mask` is true.
fn first_row(column: &TypedColumn, mask: &Column) -> Result<Option<Label>> {
    let rows = stream_compaction::mask_to_rows(mask, &mask.context()?)?;
    if rows.is_empty() {
        return Ok(None);
    }
    let row = rows.get(0)?.as_i64().unwrap_or(0);
    Label::of(column.dtype(), &column.get(row as usize)?).map(Some)
}
