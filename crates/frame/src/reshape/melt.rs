//! Columns as rows that say which column they are of: `melt`.

use cuprum_column::{Error, Result, Table};
use cuprum_compute::filling;

use super::concat::{RowLabels, end_to_end};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;

/// Which columns [`DataFrame::melt`] puts one below the other, and what the new ones are called.
#[derive(Clone, Debug)]
pub struct MeltOptions {
    /// The columns that stay, repeated for each of the others.
    pub ids: Vec<Label>,
    /// The columns whose elements become one column; all others without it.
    pub values: Option<Vec<Label>>,
    /// The column that says which column an element is of, one for each level of the labels: by default the names
    /// of the levels, or `variable`.
    pub variables: Option<Vec<Label>>,
    /// The column of the elements.
    pub value: Label,
    /// The labels of the rows: those of the frame, repeated, or numbers.
    pub labelled: RowLabels,
}

impl Default for MeltOptions {
    fn default() -> Self {
        Self {
            ids: vec![],
            values: None,
            variables: None,
            value: "value".into(),
            labelled: RowLabels::Number,
        }
    }
}

impl DataFrame {
    /// A row for each element of some columns, column after column: the columns `ids` of its row, the label of its
    /// column, and itself.
    ///
    /// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) where there is no such column, with
    /// [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where the new columns are called as another,
    /// and with [`DataType`](cuprum_column::ErrorKind::DataType) where the elements have no common type.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// use cuprum::reshape::melt::MeltOptions;
    ///
    /// let frame = df! { "k" => ["x", "y"], "a" => [1i64, 2], "b" => [3i64, 4] }?;
    /// let long = frame.melt(&MeltOptions { ids: vec!["k".into()], ..Default::default() })?;
    /// assert_eq!(long.labels(), ["k".into(), "variable".into(), "value".into()]);
    /// assert_eq!(long.column("value")?.column().data()?.view()?.values::<i64>()?, [1, 2, 3, 4]);
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn melt(&self, options: &MeltOptions) -> Result<Self> {
        if self.contains(&options.value) {
            return Err(Error::invalid_argument(format!(
                "value_name ({}) cannot match an element in the DataFrame columns.",
                options.value
            )));
        }
        let wanted = options.ids.iter().chain(options.values.iter().flatten());
        let absent: Vec<String> =
            wanted.filter(|label| !self.contains(label)).map(|label| format!("'{label}'")).collect();
        if !absent.is_empty() {
            return Err(Error::key_not_found(format!(
                "The following id_vars or value_vars are not present in the DataFrame: [{}]",
                absent.join(", ")
            )));
        }
        let ctx = self.context()?;
        let ids = self.select_labels(&options.ids)?;
        let melted = match &options.values {
            Some(values) => self.select_labels(values)?,
            None => self.drop_columns(&options.ids)?,
        };
        let (rows, count) = melted.shape();
        if count == 0 {
            return Err(Error::unsupported("melt of no columns"));
        }
        let elements =
            end_to_end(melted.columns()).map_err(|e| e.context("melt needs `value_vars` of one type"))?;
        let of_columns = melted.accessor().to_index()?.beside(self.place())?;
        let names = self.variables(options)?;

        let tiled = ids.columns().iter().map(|column| end_to_end(&vec![column.clone(); count]));
        let index = match options.labelled {
            RowLabels::Number => Index::range_beside(elements.len(), self.place()),
            RowLabels::Keep => self.index().tile(count)?,
        };
        let mut made = Self::from_parts(ids.labels().to_vec(), tiled.collect::<Result<_>>()?, index)?;
        for (level, name) in names.into_iter().enumerate() {
            let labels = of_columns.level(level)?.moved(|labels| {
                Ok(filling::repeat(&Table::new(vec![labels.clone()])?, rows, &ctx)?.columns()[0].clone())
            })?;
            made = made.insert(made.num_columns(), name, labels)?;
        }
        let made = made.insert(made.num_columns(), options.value.clone(), elements)?;
        let unnamed = made.accessor().clone().with_level_names(vec![None]);
        Self::from_accessor(unnamed, made.index().clone())
    }

    /// What the columns that say which column an element is of are called.
    fn variables(&self, options: &MeltOptions) -> Result<Vec<Label>> {
        let of_columns = self.accessor().to_index()?;
        let levels = of_columns.names();
        match &options.variables {
            Some(names) if names.len() == levels.len() => Ok(names.clone()),
            Some(names) => Err(Error::invalid_argument(format!(
                "`var_name` has {} names for {} levels of column labels",
                names.len(),
                levels.len()
            ))),
            None => Ok(match levels {
                [name] => vec![name.clone().unwrap_or_else(|| "variable".into())],
                names => {
                    let named = |(level, name): (usize, &Option<Label>)| {
                        name.clone().unwrap_or_else(|| format!("variable_{level}").into())
                    };
                    names.iter().enumerate().map(named).collect()
                }
            }),
        }
    }
}
