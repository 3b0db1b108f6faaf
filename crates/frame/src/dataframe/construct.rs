//! Frames made of columns, series and single values, rows matched by label.

use std::collections::HashMap;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};

use super::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::{Index, SetOrder, column_of, common_names};
use crate::label::Label;
use crate::operations::align;
use crate::series::Series;
use crate::types::{Dtype, TypedColumn};

/// The source of a column of a new frame.
#[derive(Clone, Debug)]
pub enum Source {
    /// Elements for the rows in order.
    Column(TypedColumn),
    /// Elements for the rows with their labels.
    Series(Series),
    /// The same, from a mapping: without any series beside it rows stay in order of first appearance.
    Mapping(Series),
    /// One element, the first of a column, for every row.
    One(TypedColumn),
}

impl DataFrame {
    /// A frame of columns under labels, over rows with some labels.
    ///
    /// Without `index` the rows have the labels of any series, in ascending order where these differ and have
    /// one; without series they are as many as the columns have and labelled `0, 1, …`. Elements are missing
    /// where a series has no label.
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for columns of other lengths, for single
    /// values alone without `index`, and for a series that repeats a label where labels differ.
    ///
    /// ```
    /// use cuprum::dataframe::Source;
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let index = |labels: [&str; 2]| Index::from_labels(&labels.map(Label::from));
    /// let a = Series::from_values("a", [1, 2])?.with_index(index(["y", "x"])?)?;
    /// let b = Series::from_values("b", [3, 4])?.with_index(index(["x", "z"])?)?;
    /// let frame = DataFrame::from_sources(
    ///     vec![("a".into(), Source::Series(a)), ("b".into(), Source::Series(b))],
    ///     None,
    /// )?;
    /// assert_eq!(frame.index().labels()?, ["x", "y", "z"].map(Label::from));
    /// assert!(frame.loc(("y", "b"))?.element()?.is_null());
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_sources(columns: Vec<(Label, Source)>, index: Option<Index>) -> Result<Self> {
        let given = index.is_some();
        let (labels, sources): (Vec<Label>, Vec<Source>) = columns.into_iter().unzip();
        let index = match index {
            Some(index) => index,
            None => common_index(&sources)?,
        };
        let labelled = sources.iter().any(|s| matches!(s, Source::Series(_) | Source::Mapping(_)));
        let place = sources.iter().find_map(Source::place);
        let ctx = Context::beside(place)?;
        let column = |source: Source| match source {
            Source::Column(column) if column.len() != index.len() => {
                Err(Error::invalid_argument(match (given, labelled) {
                    (_, true) => {
                        format!("array length {} does not match index length {}", column.len(), index.len())
                    }
                    (false, false) => "All arrays must be of the same length".into(),
                    (true, false) => format!(
                        "Length of values ({}) does not match length of index ({})",
                        column.len(),
                        index.len()
                    ),
                }))
            }
            Source::Column(column) => Ok(column),
            Source::Series(series) | Source::Mapping(series) => {
                Ok(align::reindex(&series, &index)?.column().clone())
            }
            Source::One(element) => {
                let element = element.placed(&ctx)?;
                element.take_or_null(&Column::from_scalar(&Scalar::from(0i64), index.len(), &ctx)?)
            }
        };
        let columns = sources.into_iter().map(column).collect::<Result<Vec<_>>>()?;
        Self::from_parts(labels, columns, index)
    }
}

/// Frames made of single values, row by row. The values of a column are of one kind, or missing, and have the
/// type that holds them all; a column of nothing but missing values is `float64`.
impl DataFrame {
    /// A frame of rows, whose values stand in the order of the columns, labelled `0, 1, …`.
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a row of another number of values
    /// and with [`DataType`](crate::ErrorKind::DataType) for a column of values of several kinds.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let rows: [[Label; 2]; 2] = [[1.into(), "x".into()], [2.into(), None::<&str>.into()]];
    /// let frame = DataFrame::from_rows(["n", "s"], rows)?;
    /// assert_eq!(frame.shape(), (2, 2));
    /// assert_eq!(frame.column("s")?.count()?, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_rows<L: Into<Label>, V: Into<Label>, R: IntoIterator<Item = V>>(
        columns: impl IntoIterator<Item = L>,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Self> {
        let labels: Vec<Label> = columns.into_iter().map(Into::into).collect();
        let mut values: Vec<Vec<Label>> = vec![vec![]; labels.len()];
        let mut count = 0;
        for row in rows {
            let row: Vec<Label> = row.into_iter().map(Into::into).collect();
            if row.len() != labels.len() {
                return Err(Error::invalid_argument(format!(
                    "row {count} has {} values for {} columns",
                    row.len(),
                    labels.len()
                )));
            }
            values.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            count += 1;
        }
        of_values(labels, &values, count)
    }

    /// A frame of records, each of them names and values: a column for each name, in order of first
    /// appearance, missing in the records without it; rows are labelled `0, 1, …`.
    ///
    /// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a record that names a value twice
    /// and with [`DataType`](crate::ErrorKind::DataType) for a column of values of several kinds.
    ///
    /// ```
    /// use cuprum::prelude::*;
    ///
    /// # fn main() -> cuprum::Result<()> {
    /// let records: [Vec<(&str, Label)>; 2] =
    ///     [vec![("n", 1.into())], vec![("s", "x".into()), ("n", 2.5.into())]];
    /// let frame = DataFrame::from_records(records)?;
    /// assert_eq!(frame.labels(), ["n".into(), "s".into()]);
    /// assert!(frame.loc((0, "s"))?.element()?.is_null());
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_records<L: Into<Label>, V: Into<Label>, R: IntoIterator<Item = (L, V)>>(
        records: impl IntoIterator<Item = R>,
    ) -> Result<Self> {
        let (mut labels, mut values): (Vec<Label>, Vec<Vec<Label>>) = (vec![], vec![]);
        let mut places: HashMap<Label, usize> = HashMap::new();
        let mut count = 0;
        for record in records {
            for (label, value) in record {
                let label = label.into();
                let at = *places.entry(label.clone()).or_insert_with(|| {
                    labels.push(label.clone());
                    values.push(vec![Label::Missing; count]);
                    labels.len() - 1
                });
                if values[at].len() > count {
                    return Err(Error::invalid_argument(format!("record {count} has '{label}' twice")));
                }
                values[at].push(value.into());
            }
            count += 1;
            for column in &mut values {
                column.resize(count, Label::Missing);
            }
        }
        of_values(labels, &values, count)
    }
}

/// A frame of columns of single values.
fn of_values(labels: Vec<Label>, values: &[Vec<Label>], rows: usize) -> Result<DataFrame> {
    let ctx = Context::current();
    let column = |(label, values): (&Label, &Vec<Label>)| {
        if values.iter().all(Label::is_missing) {
            return TypedColumn::nulls(&Dtype::plain(DataType::Float64), values.len(), &ctx);
        }
        column_of(&values.iter().collect::<Vec<_>>(), &ctx)?.ok_or_else(|| {
            Error::data_type(format!("column '{label}' has values of several kinds, which no column holds"))
        })
    };
    let columns = labels.iter().zip(values).map(column).collect::<Result<_>>()?;
    DataFrame::from_parts(labels, columns, Index::range(rows))
}

impl Source {
    fn place(&self) -> Option<cuprum_column::Device> {
        match self {
            Self::Column(column) => column.place(),
            Self::Series(series) | Self::Mapping(series) => series.place(),
            Self::One(_) => None,
        }
    }
}

/// The row labels of a frame of these columns.
fn common_index(sources: &[Source]) -> Result<Index> {
    let mut indexes = vec![];
    let mut sort = false;
    for source in sources {
        match source {
            Source::Series(series) => {
                sort = true;
                indexes.push(series.index());
            }
            Source::Mapping(series) => indexes.push(series.index()),
            _ => {}
        }
    }
    let Some((first, others)) = indexes.split_first() else {
        let length = sources.iter().find_map(|source| match source {
            Source::Column(column) => Some(column.len()),
            _ => None,
        });
        return match length {
            Some(length) => Ok(Index::range(length)),
            None if sources.is_empty() => Ok(Index::range(0)),
            None => Err(Error::invalid_argument("If using all scalar values, you must pass an index")),
        };
    };
    let order = if sort { SetOrder::Try } else { SetOrder::Kept };
    let (mut union, mut differ) = ((*first).clone(), false);
    for other in others {
        if union.equals(other)? {
            let names = common_names(&union, other);
            union = union.with_names(names)?;
        } else {
            (union, differ) = (union.union(other, order)?, true);
        }
    }
    // As in pandas, a union of labels and none is sorted too, unless labels are ranges, times and so on.
    if differ && indexes.iter().all(|index| has_plain_labels(index)) {
        union = union.sorted(order)?;
    }
    Ok(union)
}

/// Whether pandas' index of the labels is an `Index`, none of its subclasses.
fn has_plain_labels(index: &Index) -> bool {
    use Dtype::{Categorical, Datetime, Interval, Period, Timedelta};
    let has_class =
        |dtype| matches!(dtype, Datetime(_) | Timedelta(_) | Period(_) | Interval(_) | Categorical(_));
    index.num_levels() == 1
        && index.as_range().is_none()
        && (index.as_mixed().is_some() || !has_class(index.dtype(0)))
}

impl Series {
    /// A frame of this one column, called `name` (else by its own name, else 0).
    pub fn to_frame(&self, name: Option<Label>) -> DataFrame {
        let label = name.or_else(|| self.name().cloned()).unwrap_or(Label::Int(0));
        DataFrame::from_parts(vec![label], vec![self.column().clone()], self.index().clone())
            .expect("the column has the length of the index")
    }

    /// A frame with the row labels as columns before the values; see
    /// [`DataFrame::reset_index`].
    pub fn reset_index(&self, name: Option<Label>) -> Result<DataFrame> {
        self.to_frame(name).reset_index()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::ErrorKind;

    #[test]
    fn rows_and_records() {
        let none = || Label::Missing;
        let rows = [vec![1.into(), none(), none()], vec![2.5.into(), none(), true.into()]];
        let frame = DataFrame::from_rows(["a", "b", "c"], rows).unwrap();
        let types: Vec<DataType> = frame.columns().iter().map(|c| c.dtype().storage()).collect();
        assert_eq!(types, [DataType::Float64, DataType::Float64, DataType::Bool8]);
        assert_eq!(frame.column("c").unwrap().count().unwrap(), 1);
        assert_eq!(DataFrame::from_rows(["a"], Vec::<Vec<Label>>::new()).unwrap().shape(), (0, 1));
        let kind = |frame: Result<DataFrame>| frame.unwrap_err().kind();
        assert_eq!(kind(DataFrame::from_rows(["a"], [vec![1, 2]])), ErrorKind::InvalidArgument);
        let mixed: [[Label; 1]; 2] = [[1.into()], ["x".into()]];
        assert_eq!(kind(DataFrame::from_rows(["a"], mixed)), ErrorKind::DataType);

        let records = [vec![("a", 1)], vec![], vec![("b", 2), ("a", 3)]];
        let frame = DataFrame::from_records(records).unwrap();
        let cells = |label: &str| {
            let column = frame.column(label).unwrap();
            (0..3).map(|row| column.get(row).unwrap().as_i64()).collect::<Vec<_>>()
        };
        assert_eq!((cells("a"), cells("b")), (vec![Some(1), None, Some(3)], vec![None, None, Some(2)]));
        let twice = DataFrame::from_records([vec![("a", 1), ("a", 2)]]);
        assert_eq!(kind(twice), ErrorKind::InvalidArgument);
    }
}
