//! Frames made of columns, series and single values, rows matched by label.

use cuprum_column::{Column, Context, Error, Result, Scalar};

use super::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::{Index, SetOrder};
use crate::label::Label;
use crate::operations::align;
use crate::series::Series;
use crate::types::TypedColumn;

/// What a column of a new frame is made of.
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
    let mut union = (*first).clone();
    for other in others {
        if !union.equals(other)? {
            union = union.union(other, if sort { SetOrder::Try } else { SetOrder::Kept })?;
        }
    }
    Ok(union)
}
