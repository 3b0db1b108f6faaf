//! The row and the column of the aggregations of whole rows, whole columns and everything.

use std::collections::HashMap;

use cuprum_column::{Column, DataType, Error, Result};

use super::layout::{PivotLayout, has_missing};
use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::operations::align::reindex;
use crate::types::concat_columns;
use crate::types::{Dtype, TypedColumn};

/// What stands in the margins of a pivot table.
#[derive(Clone, Debug)]
pub struct PivotMargins {
    /// What the row and the column are called.
    pub name: Label,
    /// The aggregations of the groups by the keys that name rows.
    pub by_rows: DataFrame,
    /// Those of the groups by the keys that name columns, where there are such.
    pub by_columns: Option<DataFrame>,
    /// Those of all rows: one row.
    pub whole: DataFrame,
}

impl PivotMargins {
    /// The table with margins, before labels of columns lose the level of values. `columns` are the labels of the frame
    /// that was grouped.
    pub(super) fn beside(
        &self,
        table: DataFrame,
        layout: &PivotLayout,
        columns: &[Label],
    ) -> Result<DataFrame> {
        let inner = table.accessor().level_names().iter().skip(1);
        if table.index().names().iter().chain(inner).any(|name| name.as_ref() == Some(&self.name))
            && columns.contains(&self.name)
        {
            return Err(Error::invalid_argument(format!("Conflicting name \"{}\" in margins", self.name)));
        }
        if has_missing(table.labels()) {
            return Err(Error::unsupported(
                "`margins` of columns with missing labels are not supported: fill them first",
            ));
        }
        if self.whole.num_rows() != 1 {
            return Err(Error::invalid_argument(format!(
                "the aggregations of all rows are one row, not {}",
                self.whole.num_rows()
            )));
        }
        let whole = |label: &Label| self.whole.accessor().get(label).cloned();
        let (table, last) = match &self.by_columns {
            Some(by_columns) if layout.column_levels > 0 => {
                if table.num_columns() == 0 {
                    return Ok(table);
                }
                self.with_column(&table, by_columns, layout, whole)?
            }
            _ => {
                let last = table.labels().iter().map(whole).collect::<Result<Vec<_>>>()?;
                (table, last)
            }
        };
        self.with_row(&table, &last)
    }

    /// The name, above empty texts for further levels.
    fn label(&self, levels: usize) -> Vec<Label> {
        std::iter::once(self.name.clone())
            .chain(std::iter::repeat_n(Label::from(""), levels.saturating_sub(1)))
            .collect()
    }

    /// The table with a margin behind the columns of every value, and the last row: a column of one row for each.
    fn with_column(
        &self,
        table: &DataFrame,
        by_columns: &DataFrame,
        layout: &PivotLayout,
        whole: impl Fn(&Label) -> Result<TypedColumn>,
    ) -> Result<(DataFrame, Vec<TypedColumn>)> {
        let ctx = table.context()?;
        let depth = table.accessor().num_levels();
        let rows: HashMap<Label, usize> = by_columns.index().labels()?.into_iter().zip(0..).collect();
        let nothing = || TypedColumn::nulls(&Dtype::plain(DataType::Empty), 1, &ctx);
        let absent = || match &layout.fill_value {
            Some(fill) => Ok(Column::from_scalar(fill, 1, &ctx)?.into()),
            None => nothing(),
        };
        let mut outer: Vec<&Label> = vec![];
        for label in table.labels() {
            if !outer.contains(&&label.parts()[0]) {
                outer.push(&label.parts()[0]);
            }
        }
        let (mut labels, mut columns, mut last) = (vec![], vec![], vec![]);
        for value in outer {
            let of_columns = by_columns.accessor().get(value)?;
            for (label, column) in table.accessor().iter().filter(|(label, _)| label.parts()[0] == *value) {
                let key = match &label.parts()[1..] {
                    [key] => key.clone(),
                    keys => Label::tuple(keys.iter().cloned()),
                };
                let found = rows.get(&key).map(|&row| of_columns.slice(row, 1)).transpose()?;
                last.push(match found {
                    // A missing element is of every type.
                    Some(found) if found.null_count()? > 0 => nothing()?,
                    Some(found) => found,
                    None => absent()?,
                });
                labels.push(label.clone());
                columns.push(column.clone());
            }
            let of_rows = reindex(&self.by_rows.select_labels(std::slice::from_ref(value))?, table.index())?;
            labels.push(Label::tuple(std::iter::once(value.clone()).chain(self.label(depth - 1))));
            columns.push(of_rows.columns()[0].clone());
            last.push(whole(value)?);
        }
        let data = ColumnAccessor::new(labels, columns, table.num_rows())?;
        let data = data.with_level_names(table.accessor().level_names().to_vec());
        Ok((DataFrame::from_accessor(data, table.index().clone())?, last))
    }

    fn with_row(&self, table: &DataFrame, last: &[TypedColumn]) -> Result<DataFrame> {
        let rows = [table.num_rows(), 1];
        let column = |((label, column), last): ((&Label, &TypedColumn), &TypedColumn)| {
            let both = concat_columns(&[Some(column), Some(last)], &rows);
            both.map_err(|e| e.context(format!("column '{label}'")))
        };
        let columns = table.accessor().iter().zip(last).map(column).collect::<Result<_>>()?;
        let levels = table.index().num_levels();
        let label = self.label(levels);
        let label = if levels > 1 { Label::tuple(label) } else { self.name.clone() };
        let below = Index::from_labels(&[label])?.beside(table.place())?;
        let index = Index::concat(&[table.index(), &below])?.with_names(table.index().names().to_vec())?;
        let data = table.accessor().with_columns(columns, index.len())?;
        DataFrame::from_accessor(data, index)
    }
}
