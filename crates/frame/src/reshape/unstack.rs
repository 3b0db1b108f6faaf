//! Labels of rows as labels of columns: `unstack`.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather_column, scatter};
use cuprum_compute::filling;
use cuprum_compute::groupby::group;
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::unary::{cast, is_valid};

use super::concat::end_to_end;
use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::promotion::exceeds_float32;
use crate::types::{Dtype, TypedColumn};

/// How levels of the row labels become labels of columns.
#[derive(Clone, Debug)]
pub struct UnstackOptions {
    /// What stands where there was no row, else a missing value. Values that were missing before stay so.
    pub fill: Option<Label>,
    /// Rows and columns in the order of their labels, else as they first appear. Combinations of several levels come
    /// as they first appear, and so do the labels of a level that has labels of no row.
    pub sort: bool,
    /// Where missing labels are among those in order.
    pub missing: NullOrder,
}

impl Default for UnstackOptions {
    fn default() -> Self {
        Self { fill: None, sort: true, missing: NullOrder::First }
    }
}

impl Series {
    /// A column for every label of the levels, a row for every label of the other levels, both once.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where the row labels have one
    /// level, where no level would be left, and where two rows have the same labels.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::reshape::unstack::UnstackOptions;
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "l" => [1i64, 1, 2], "v" => [5i64, 6, 7] }?;
    /// let series = frame.set_index(&["k".into(), "l".into()], true)?.column("v")?;
    /// let wide = series.unstack(&["l".into()], &UnstackOptions::default())?;
    /// assert_eq!((wide.shape(), wide.labels()), ((2, 2), &[1i64.into(), 2i64.into()][..]));
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn unstack(&self, levels: &[Label], options: &UnstackOptions) -> Result<DataFrame> {
        self.unstack_at(&level_positions(self.index(), levels)?, options)
    }

    /// [`unstack`](Self::unstack) of levels by their numbers, whatever names there are.
    pub fn unstack_at(&self, levels: &[usize], options: &UnstackOptions) -> Result<DataFrame> {
        check_levels(self.index(), levels)?;
        let spread = Spread::of(self.index(), levels, options)?;
        let columns = spread.columns_of(self.column(), options)?;
        spread.frame(spread.labels.clone(), columns, spread.names.clone(), spread.dtypes.clone())
    }
}

impl DataFrame {
    /// Every column as [`Series::unstack`], in the columns' order, under tuples of its label and those of the levels.
    pub fn unstack(&self, levels: &[Label], options: &UnstackOptions) -> Result<Self> {
        self.unstack_at(&level_positions(self.index(), levels)?, options)
    }

    /// [`unstack`](Self::unstack) of levels by their numbers, whatever names there are.
    pub fn unstack_at(&self, levels: &[usize], options: &UnstackOptions) -> Result<Self> {
        check_levels(self.index(), levels)?;
        let spread = Spread::of(self.index(), levels, options)?;
        let mut labels = Vec::with_capacity(self.num_columns() * spread.labels.len());
        let mut columns = Vec::with_capacity(labels.capacity());
        for (outer, column) in self.labels().iter().zip(self.columns()) {
            let inner = spread.labels.iter();
            labels.extend(
                inner.map(|inner| Label::tuple([outer, inner].into_iter().flat_map(Label::parts).cloned())),
            );
            columns.extend(spread.columns_of(column, options)?);
        }
        let outer = self.accessor().to_index()?;
        let names = [outer.names(), &spread.names].concat();
        spread.frame(labels, columns, names, [outer.dtypes(), spread.dtypes.clone()].concat())
    }

    /// The columns one below the other, under their label and below it those of the rows.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where they have no common type.
    pub fn unstack_columns(&self) -> Result<Series> {
        let (rows, columns) = self.shape();
        let column =
            end_to_end(self.columns()).map_err(|e| e.context("unstack needs columns of one type"))?;
        let of_columns = self.accessor().to_index()?.beside(self.place())?.repeat(rows)?;
        let of_rows = self.index().tile(columns)?;
        let keys = [of_columns.columns()?, of_rows.columns()?].concat();
        let index = Index::from_columns(keys, [of_columns.names(), of_rows.names()].concat())?;
        Series::new(column, None, index)
    }
}

fn level_positions(index: &Index, levels: &[Label]) -> Result<Vec<usize>> {
    levels.iter().map(|level| index.level_position(level)).collect()
}

fn check_levels(index: &Index, levels: &[usize]) -> Result<()> {
    let count = index.num_levels();
    if count == 1 {
        return Err(Error::invalid_argument("index must be a MultiIndex to unstack, it has one level"));
    }
    if let Some(level) = levels.iter().find(|&&level| level >= count) {
        return Err(Error::out_of_range(format!("`level` {level} of an index of {count} levels")));
    }
    if let Some(at) = (1..levels.len()).find(|&i| levels[..i].contains(&levels[i])) {
        return Err(Error::invalid_argument(format!("`level` names level {} twice", levels[at])));
    }
    if levels.len() == count {
        return Err(Error::unsupported("unstack of all levels of the row labels"));
    }
    Ok(())
}

/// Where the rows of a frame go in a wider one.
struct Spread {
    index: Index,
    labels: Vec<Label>,
    names: Vec<Option<Label>>,
    dtypes: Vec<Dtype>,
    /// Column after column, the row that each cell is of; −1 for those of none.
    sources: Column,
    /// Which cells have a row, unless all have.
    present: Option<Column>,
}

impl Spread {
    fn of(index: &Index, levels: &[usize], options: &UnstackOptions) -> Result<Self> {
        let ctx = index.context()?;
        let others: Vec<usize> = (0..index.num_levels()).filter(|level| !levels.contains(level)).collect();
        let (rows, new_rows) = numbered(index, &others, true, options, &ctx)?;
        // Combinations of several levels come as they first appear, as in pandas.
        let in_order = levels.len() == 1;
        let (columns, new_columns) = numbered(index, levels, in_order, options, &ctx)?;
        let cells =
            new_rows.len().checked_mul(new_columns.len()).filter(|&cells| i64::try_from(cells).is_ok());
        let Some(cells) = cells else {
            return Err(Error::overflow(format!(
                "{} rows of {} columns are too many",
                new_rows.len(),
                new_columns.len()
            )));
        };
        let height = Scalar::from(new_rows.len() as i64);
        let starts = binary_operation(&columns, &height, BinaryOperator::Mul, &ctx)?;
        let places = binary_operation(&starts, &rows, BinaryOperator::Add, &ctx)?;
        let numbers = filling::sequence(0, 1, index.len(), &ctx)?;
        let nothing = Column::nulls(DataType::Int64, cells, &ctx)?;
        let sources = scatter(&numbers, &places, &nothing, &ctx)?;
        let found = cells - sources.null_count()?;
        if found < index.len() {
            return Err(Error::invalid_argument("Index contains duplicate entries, cannot reshape"));
        }
        let present = if found == cells { None } else { Some(is_valid(&sources, &ctx)?) };
        Ok(Self {
            labels: column_labels(&new_columns)?,
            names: new_columns.names().to_vec(),
            dtypes: new_columns.dtypes(),
            index: new_rows,
            sources,
            present,
        })
    }

    /// The new columns of one.
    fn columns_of(&self, column: &TypedColumn, options: &UnstackOptions) -> Result<Vec<TypedColumn>> {
        let mut cells = column.take_or_null(&self.sources)?;
        if let (Some(fill), Some(present)) = (&options.fill, &self.present) {
            let fill = fill.to_scalar().ok_or_else(|| {
                Error::unsupported(format!(
                    "`fill_value` is {fill}; it is one value that no column has twice"
                ))
            })?;
            // What `float32` cannot hold takes more room there, as in pandas.
            let is_beyond = matches!(fill.value(), Value::Float(x) if exceeds_float32(*x));
            let fill = fill.keeping_type(is_beyond);
            let filled = Series::from_column(cells, None);
            let filled = filled.where_(present, Some(&fill))?;
            cells = filled.column().clone();
        }
        let rows = self.index.len();
        (0..self.labels.len()).map(|column| cells.slice(column * rows, rows)).collect()
    }

    fn frame(
        &self,
        labels: Vec<Label>,
        columns: Vec<TypedColumn>,
        names: Vec<Option<Label>>,
        dtypes: Vec<Dtype>,
    ) -> Result<DataFrame> {
        let data = ColumnAccessor::new(labels, columns, self.index.len())?;
        DataFrame::from_accessor(data.with_level_names(names).with_level_dtypes(dtypes), self.index.clone())
    }
}

/// The labels as those of columns, where a missing one is NaN, or none if it is a time.
fn column_labels(index: &Index) -> Result<Vec<Label>> {
    let is_time: Vec<bool> = (0..index.num_levels())
        .map(|level| matches!(index.dtype(level), Dtype::Datetime(_) | Dtype::Timedelta(_)))
        .collect();
    let shown = |(part, is_time): (&Label, &bool)| match part {
        Label::Missing if !is_time => Label::Float(f64::NAN),
        part => part.clone(),
    };
    let labels = index.labels()?.into_iter().map(|label| match &label {
        Label::Tuple(parts) => Label::tuple(parts.iter().zip(&is_time).map(shown)),
        label => shown((label, &is_time[0])),
    });
    Ok(labels.collect())
}

/// For every row the number of its labels at some levels, and the labels of every number.
fn numbered(
    index: &Index,
    levels: &[usize],
    is_sorted: bool,
    options: &UnstackOptions,
    ctx: &Context,
) -> Result<(Column, Index)> {
    let grouping = group(&index.select_levels(levels)?.key_table("unstack")?, false, ctx)?;
    let rows = index.take(&grouping.first_rows)?;
    let once = rows.select_levels(levels)?;
    let numbers = cast(grouping.ids(ctx)?, DataType::Int64, ctx)?;
    if !is_sorted || !options.sort {
        return Ok((numbers, once));
    }
    let codes = levels.iter().map(|&level| places(&rows, level, ctx));
    let codes = codes.collect::<Result<Vec<_>>>()?;
    let orders = vec![Order::Ascending; codes.len()];
    let order = sorted_order(&Table::new(codes)?, &orders, options.missing, ctx)?;
    let in_order = filling::sequence(0, 1, once.len(), ctx)?;
    let ranks = scatter(&in_order, &order, &in_order, ctx)?;
    Ok((gather_column(&ranks, &numbers, OutOfBoundsPolicy::Check, ctx)?, once.take(&order)?))
}

/// Where the label of each row is among those of its level, null for missing ones: in the order of the level as long
/// as it has no others, as in pandas; otherwise by where the label first appears.
fn places(index: &Index, level: usize, ctx: &Context) -> Result<Column> {
    let labels = index.level(level)?;
    let appeared = group(&Table::new(vec![labels.keys("unstack")?.clone()])?, false, ctx)?;
    let codes = index.codes(level)?;
    let there = binary_operation(&codes, &Scalar::from(0i64), BinaryOperator::GreaterEqual, ctx)?;
    let is_missing = usize::from(reduce(&there, Aggregation::All, ctx)?.as_bool() == Some(false));
    let all = index.levels(level)?.len() == appeared.num_groups - is_missing;
    let places = if all { &codes } else { appeared.ids(ctx)? };
    copy_if_else(places, &Scalar::null(places.data_type()), &there, ctx)
}
