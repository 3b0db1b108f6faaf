//! Labels of columns as labels of rows: `stack`.

use std::collections::HashMap;

use cuprum_column::{Column, Error, Result, Table};
use cuprum_compute::{filling, reshape};

use super::concat::Part;
use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::series::Series;
use crate::types::{self, TypedColumn};

impl DataFrame {
    /// A row for each row and each of the columns' labels at `levels`, in this order; the levels come behind those
    /// of the row labels: a series where no other level is left. Columns are what is left of the labels, missing where a label is not there.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where columns that become one have no common
    /// type, and with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) where there is no such level.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::reshape::concat::Part;
    ///
    /// let frame = df! { "a" => [1i64, 2], "b" => [3i64, 4] }?;
    /// let Part::Series(series) = frame.stack(&[(-1i64).into()])? else { unreachable!() };
    /// assert_eq!(series.column().data()?.view()?.values::<i64>()?, [1, 3, 2, 4]);
    /// assert_eq!(series.index().num_levels(), 2);
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn stack(&self, levels: &[Label]) -> Result<Part> {
        let of_columns = self.accessor().to_index()?;
        let mut levels = levels.iter().map(|l| of_columns.level_position(l)).collect::<Result<Vec<_>>>()?;
        levels.dedup();
        let (stacked, left) = self.parted(&levels);
        let stacked_once = once(&stacked);
        let left_once = once(&left);
        let rows = self.num_rows();
        let mut places = HashMap::with_capacity(stacked.len());
        let mut first_places = HashMap::with_capacity(stacked_once.len());
        for (column, (label, rest)) in stacked.iter().zip(&left).enumerate() {
            places.entry((label, rest)).or_insert(column);
            first_places.entry(label).or_insert(column as i64);
        }
        let columns = left_once.iter().map(|rest| {
            let column = |label| places.get(&(label, rest)).map(|&column| &self.columns()[column]);
            let parts: Vec<Option<&TypedColumn>> = stacked_once.iter().map(column).collect();
            row_by_row(&parts, rows).map_err(|e| e.context("stack needs columns of one type"))
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;

        let firsts: Vec<i64> = stacked_once.iter().map(|label| first_places[label]).collect();
        let ctx = self.context()?;
        let firsts = Table::new(vec![Column::from_slice(&firsts, &ctx)?])?;
        let of_cells = filling::tile(&firsts, rows, &ctx)?;
        let names = of_columns.names().iter().enumerate();
        let names =
            names.filter(|(level, _)| !levels.contains(level)).map(|(_, name)| name.clone()).collect();
        let of_columns = of_columns.select_levels(&levels)?.take(&of_cells.columns()[0])?;
        let of_rows = self.index().repeat(stacked_once.len())?;
        let keys = [of_rows.columns()?, of_columns.columns()?].concat();
        let index = Index::from_columns(keys, [of_rows.names(), of_columns.names()].concat())?;
        let is_series = levels.len() == self.accessor().num_levels();
        if let (true, [column]) = (is_series, &columns[..]) {
            return Ok(Part::Series(Series::new(column.clone(), None, index)?));
        }
        let data = ColumnAccessor::new(left_once, columns, index.len())?;
        Ok(Part::Frame(Self::from_accessor(data.with_level_names(names), index)?))
    }

    /// Of the label of every column what is at the levels, and what is at the others.
    fn parted(&self, levels: &[usize]) -> (Vec<Label>, Vec<Label>) {
        let depth = self.accessor().num_levels();
        let rest: Vec<usize> = (0..depth).filter(|level| !levels.contains(level)).collect();
        let part = |label: &Label, levels: &[usize]| {
            let parts = if depth > 1 { label.parts() } else { std::slice::from_ref(label) };
            match levels {
                [level] => parts[*level].clone(),
                levels => Label::tuple(levels.iter().map(|&level| parts[level].clone())),
            }
        };
        self.labels().iter().map(|label| (part(label, levels), part(label, &rest))).unzip()
    }
}

/// The different labels, as they first appear.
fn once(labels: &[Label]) -> Vec<Label> {
    let mut seen = std::collections::HashSet::new();
    labels.iter().filter(|label| seen.insert(*label)).cloned().collect()
}

/// The elements of columns, all of the first row and then all of the next; missing where there is no column.
fn row_by_row(columns: &[Option<&TypedColumn>], rows: usize) -> Result<TypedColumn> {
    let there: Vec<&TypedColumn> = columns.iter().copied().flatten().collect();
    types::check_kinds(&there)?;
    let mut unified = types::unify(&there)?.into_iter();
    let Some(kind) = unified.as_slice().first().cloned() else {
        return Err(Error::invalid_argument("there are no columns"));
    };
    let nothing = TypedColumn::nulls(kind.dtype(), rows, &kind.context()?)?;
    let columns = columns.iter().map(|column| match column {
        Some(_) => unified.next().unwrap_or_else(|| nothing.clone()).data().cloned(),
        None => nothing.data().cloned(),
    });
    kind.moved(|data| {
        reshape::interleave_columns(&Table::new(columns.collect::<Result<_>>()?)?, &data.context()?)
    })
}
