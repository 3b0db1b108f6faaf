//! `Series::list`: the elements of lists.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, Operand, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::lists::{self, ConcatenateNullPolicy, DuplicateFindOption, NanEquality, NullEquality};
use cuprum_compute::sorting::{NullOrder, Order};
use cuprum_compute::strings::records;
use cuprum_compute::unary;

use crate::frame::Frame;
use crate::series::Series;
use crate::types::promotion::coerce_element;
use crate::types::{self, Dtype, List, TypedColumn};

/// Functions of a series of lists. Results have its row labels and its name, and are missing where the list is.
#[derive(Clone, Copy, Debug)]
pub struct ListMethods<'a> {
    series: &'a Series,
    kind: &'a List,
}

impl Series {
    /// Functions of lists; fails with `DataType` for other series.
    pub fn list(&self) -> Result<ListMethods<'_>> {
        ListMethods::new(self)
    }
}

impl<'a> ListMethods<'a> {
    pub(crate) fn new(series: &'a Series) -> Result<Self> {
        match series.dtype() {
            Dtype::List(kind) => Ok(Self { series, kind }),
            other => other.refuse("`list`"),
        }
    }

    /// The number of elements, `int32`.
    pub fn len(&self) -> Result<Series> {
        Ok(self.with_values(lists::count_elements(self.series.data()?, &self.context()?)?))
    }

    /// Element `index`, those below 0 counted from the end; where the list is too short `default`, else a
    /// missing value.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where `default` is not of the type of the
    /// elements.
    pub fn get(&self, index: i64, default: Option<&Scalar>) -> Result<Series> {
        let (data, ctx) = (self.series.data()?, self.context()?);
        let found = lists::extract_list_element(data, index, &ctx)?;
        self.with_default(found, (&Scalar::from(index)).into(), default)
    }

    /// [`get`](Self::get) with an index for each list, by position; missing where that is.
    ///
    /// Fails also with [`Logic`](cuprum_column::ErrorKind::Logic) where there is not one for each list.
    pub fn get_each(&self, indices: &TypedColumn, default: Option<&Scalar>) -> Result<Series> {
        let (data, ctx) = (self.series.data()?, self.context()?);
        let indices = indices.placed(&ctx)?;
        let indices = indices.values("list.get")?;
        let found = lists::extract_list_elements(data, indices, &ctx)?;
        match default {
            None => self.with_elements(found),
            // Compared with lengths and what is as far from the end.
            _ => self.with_default(found, (&unary::cast(indices, DataType::Int64, &ctx)?).into(), default),
        }
    }

    fn with_default(&self, found: Column, index: Operand<'_>, default: Option<&Scalar>) -> Result<Series> {
        let (data, ctx) = (self.series.data()?, self.context()?);
        let Some(default) = default.filter(|default| !default.is_null()) else {
            return self.with_elements(found);
        };
        let element = self.kind.element();
        if !element.is_plain() {
            return element.refuse("`default` of list.get");
        }
        let default = coerce_element(default, element.storage()).map_err(|e| e.context("`default`"))?;
        let lengths = unary::cast(&lists::count_elements(data, &ctx)?, DataType::Int64, &ctx)?;
        let beyond = binary_operation(index, &lengths, BinaryOperator::GreaterEqual, &ctx)?;
        let from_end = binary_operation(index, &lengths, BinaryOperator::Add, &ctx)?;
        let before = binary_operation(&from_end, &Scalar::from(0i64), BinaryOperator::Less, &ctx)?;
        let outside = binary_operation(&beyond, &before, BinaryOperator::Or, &ctx)?;
        self.with_elements(copying::copy_if_else(&default, &found, &outside, &ctx)?)
    }

    /// The texts of each list with `separator` between them; missing where one of them is.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for lists of anything else.
    pub fn join(&self, separator: &str) -> Result<Series> {
        Ok(self.with_values(records::join_lists(self.series.data()?, separator, &self.context()?)?))
    }

    /// Whether `key`, the only row of a column, is an element.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for elements that are no keys, and for a key
    /// that is never equal to one.
    pub fn contains(&self, key: &TypedColumn) -> Result<Series> {
        let (lists, key) = self.beside(key, "list.contains")?;
        Ok(self.with_values(lists::contains(&lists, &only(&key)?, &self.context()?)?))
    }

    /// [`contains`](Self::contains) with a key for each list, by position; missing where that is.
    ///
    /// Fails also with [`Logic`](cuprum_column::ErrorKind::Logic) where there is not one for each list.
    pub fn contains_each(&self, keys: &TypedColumn) -> Result<Series> {
        let (lists, keys) = self.beside(keys, "list.contains")?;
        Ok(self.with_values(lists::contains(&lists, &keys, &self.context()?)?))
    }

    /// The position of the first element equal to `key`, `int32`, −1 where there is none. Fails as
    /// [`contains`](Self::contains) does.
    pub fn index(&self, key: &TypedColumn) -> Result<Series> {
        let (lists, key) = self.beside(key, "list.index")?;
        let option = DuplicateFindOption::FindFirst;
        Ok(self.with_values(lists::index_of(&lists, &only(&key)?, option, &self.context()?)?))
    }

    /// [`index`](Self::index) with a key for each list, by position; missing where that is.
    ///
    /// Fails also with [`Logic`](cuprum_column::ErrorKind::Logic) where there is not one for each list.
    pub fn index_each(&self, keys: &TypedColumn) -> Result<Series> {
        let ctx = self.context()?;
        let (lists, keys) = self.beside(keys, "list.index")?;
        Ok(self.with_values(lists::index_of(&lists, &keys, DuplicateFindOption::FindFirst, &ctx)?))
    }

    /// All elements, those of lists in lists too, one after the other under the row labels 0, 1, ….
    pub fn leaves(&self) -> Result<Series> {
        let ctx = self.context()?;
        let mut leaves = self.kind.elements(self.series.data()?, &ctx)?;
        while let Dtype::List(inner) = leaves.dtype() {
            leaves = inner.elements(leaves.data()?, &ctx)?;
        }
        Ok(Series::from_column(leaves, self.series.name().cloned()))
    }

    /// Each list without the elements that are equal to an earlier one; missing ones equal each other.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for elements that are no keys.
    pub fn unique(&self) -> Result<Series> {
        self.element_keys("list.unique")?;
        let data = self.series.data()?;
        let unique = lists::distinct(data, NullEquality::Equal, NanEquality::AllEqual, &self.context()?)?;
        Ok(self.with_lists(unique))
    }

    /// The elements of each list in order, missing ones first or last as `nulls` says.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for elements without an order.
    pub fn sort_values(&self, ascending: bool, nulls: NullOrder) -> Result<Series> {
        if !self.kind.element().is_ordered() {
            return self.kind.element().refuse("list.sort_values");
        }
        let order = if ascending { Order::Ascending } else { Order::Descending };
        Ok(self.with_lists(lists::sort_lists(self.series.data()?, order, nulls, &self.context()?)?))
    }

    /// The elements of the lists in each list as one list. Missing inner lists are left out, or with
    /// `NullifyOutputRow` make the result missing.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where elements are no lists.
    pub fn concat(&self, nulls: ConcatenateNullPolicy) -> Result<Series> {
        let Dtype::List(inner) = self.kind.element() else {
            return Err(Error::data_type(format!(
                "list.concat() can only be called on lists with at least one level of nesting, not on {}",
                self.series.dtype()
            )));
        };
        let joined = lists::concatenate_list_elements(self.series.data()?, nulls, &self.context()?)?;
        Ok(self.series.with_column(TypedColumn::new(Dtype::List(inner.clone()), joined)?))
    }

    /// The elements at the positions that a list of `positions` has for each list, by position, those below 0
    /// counted from the end.
    ///
    /// Fails with [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) where a list has no such position, with
    /// [`Logic`](cuprum_column::ErrorKind::Logic) where there are not as many lists, and with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) where positions are no lists of integers.
    pub fn take(&self, positions: &TypedColumn) -> Result<Series> {
        let ctx = self.context()?;
        let positions = positions.placed(&ctx)?;
        if !matches!(positions.dtype(), Dtype::List(_)) {
            return positions.dtype().refuse("`lists_indices` of list.take");
        }
        let data = self.series.data()?;
        Ok(self.with_lists(lists::segmented_gather(data, positions.data()?, OutOfBoundsPolicy::Check, &ctx)?))
    }

    /// Lists of the same elements as `element`; see [`types::cast`].
    pub fn astype(&self, element: &Dtype) -> Result<Series> {
        let to = Dtype::List(List::of(element.clone())?);
        Ok(self.series.with_column(types::cast(self.series.column(), &to)?))
    }

    fn context(&self) -> Result<Context> {
        self.series.context()
    }

    /// The elements, where those that are stored alike are equal.
    fn element_keys(&self, operation: &str) -> Result<()> {
        if self.kind.element().is_key() { Ok(()) } else { self.kind.element().refuse(operation) }
    }

    /// The lists and the values to look for, in a type in which equal values are equal.
    fn beside(&self, keys: &TypedColumn, operation: &str) -> Result<(Column, Column)> {
        self.element_keys(operation)?;
        let keys = &*keys.placed(&self.context()?)?;
        let (ctx, data) = (self.context()?, self.series.data()?);
        let mut unified = None;
        let lists = self.kind.map(data, &ctx, |elements| {
            let (ours, theirs) = types::unify_keys(elements, keys)?;
            unified = Some(theirs);
            Ok(ours)
        })?;
        let keys = unified.ok_or_else(|| Error::logic("keys of elements"))?;
        Ok((lists, keys.data()?.clone()))
    }

    fn with_values(&self, values: Column) -> Series {
        self.series.with_column(values)
    }

    fn with_lists(&self, lists: Column) -> Series {
        self.series.with_column(self.series.column().like(lists))
    }

    fn with_elements(&self, elements: Column) -> Result<Series> {
        Ok(self.series.with_column(TypedColumn::inside(self.kind.element(), elements)?))
    }
}

/// The only row of a column.
fn only(key: &Column) -> Result<Scalar> {
    if key.len() == 1 {
        return key.get(0);
    }
    Err(Error::invalid_argument(format!("`key` has {} rows, not one", key.len())))
}
