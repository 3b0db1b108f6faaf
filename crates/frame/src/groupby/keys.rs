//! Keys of group-by, resolved to columns.

use cuprum_column::{Error, Result};

use super::{GroupBy, GroupByOptions};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::operations::align;
use crate::operations::map::MissingKeys;
use crate::series::Series;
use crate::types::TypedColumn;

/// A key that rows are grouped by.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Key {
    /// The column called so; where there is none, the level of the row labels.
    Label(Label),
    /// A level of the row labels, by its name or else its number.
    Level(Label),
    /// The elements of a series under the row labels, missing where it has none. The column of the frame of
    /// its name is this key where it is the same memory.
    Series(Series),
    /// A value for every row, under a name.
    Values(Option<Label>, TypedColumn),
    /// The elements of a series for each row label, as [`Series::map`]; the key has the name of the labels.
    Mapping(Series),
}

impl From<Label> for Key {
    fn from(label: Label) -> Self {
        Self::Label(label)
    }
}

impl From<&str> for Key {
    fn from(label: &str) -> Self {
        Self::Label(label.into())
    }
}

impl From<&Label> for Key {
    fn from(label: &Label) -> Self {
        Self::Label(label.clone())
    }
}

impl From<Series> for Key {
    fn from(series: Series) -> Self {
        Self::Series(series)
    }
}

impl From<TypedColumn> for Key {
    fn from(values: TypedColumn) -> Self {
        Self::Values(None, values)
    }
}

/// A key that was found.
pub(super) struct Found {
    pub(super) name: Option<Label>,
    pub(super) column: TypedColumn,
    /// The column of the frame that it is.
    pub(super) own: Option<usize>,
}

impl GroupBy {
    /// Groups by columns, levels of the row labels, series, values and mappings.
    ///
    /// Fails with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for a label that is neither a column
    /// nor a level, with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for one that is both,
    /// for values of another number of rows and for no keys at all, and with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) for values that are no keys.
    ///
    /// ```
    /// use cuprum::groupby::{GroupBy, GroupByOptions, Key};
    /// use cuprum::prelude::*;
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "v" => [1i64, 2, 4] }?;
    /// let odd: TypedColumn = [true, false, false].into_iter().collect();
    /// let groups = GroupBy::by(&frame, ["k".into(), Key::Values(None, odd)], GroupByOptions::default())?;
    /// assert_eq!(groups.num_groups()?, 3);
    /// # Ok::<(), cuprum::Error>(())
    /// ```
    pub fn by<K: Into<Key>>(
        frame: &DataFrame,
        keys: impl IntoIterator<Item = K>,
        options: GroupByOptions,
    ) -> Result<Self> {
        let keys = keys.into_iter().map(|key| find(frame, key.into())).collect::<Result<_>>()?;
        Self::by_found(frame, keys, options)
    }
}

pub(super) fn find(frame: &DataFrame, key: Key) -> Result<Found> {
    let index = frame.index();
    match key {
        Key::Label(label) => {
            let named = index.names().iter().any(|name| name.as_ref() == Some(&label));
            match (frame.contains(&label), named) {
                (true, true) => Err(Error::invalid_argument(format!(
                    "'{label}' is both an index level and a column label, which is ambiguous."
                ))),
                (false, true) => find(frame, Key::Level(label)),
                _ => {
                    let own = frame.accessor().position(&label)?;
                    let column = frame.columns()[own].clone();
                    Ok(Found { name: Some(label), column, own: Some(own) })
                }
            }
        }
        Key::Level(level) => {
            let level = index.level_position(&level)?;
            Ok(Found { name: index.names()[level].clone(), column: index.level(level)?, own: None })
        }
        Key::Series(series) => {
            let column = align::reindex(&series, index)?.column().clone();
            let at = series.name().filter(|name| frame.contains(name));
            let at = at.map(|name| frame.accessor().position(name)).transpose()?;
            let own = at.filter(|&at| frame.columns()[at].is_same_memory(&column));
            Ok(Found { name: series.name().cloned(), column, own })
        }
        Key::Values(name, column) if column.len() == frame.num_rows() => {
            Ok(Found { name, column, own: None })
        }
        Key::Values(_, column) => Err(Error::invalid_argument(format!(
            "a group key of {} rows for a frame of {} rows",
            column.len(),
            frame.num_rows()
        ))),
        Key::Mapping(mapping) => {
            if index.num_levels() > 1 {
                return Err(Error::unsupported(format!(
                    "a mapping as group key of an index of {} levels",
                    index.num_levels()
                )));
            }
            let labels = Series::from_column(index.level(0)?, None);
            let column = labels.map(&mapping, MissingKeys::LookUp)?.column().clone();
            Ok(Found { name: index.name().cloned(), column, own: None })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use crate::index::Index;
    use cuprum_column::ErrorKind;
    use cuprum_compute::reduce::Aggregation;

    fn labelled() -> DataFrame {
        let labels: TypedColumn = ["x", "y", "x"].into_iter().collect();
        let frame = df! { "k" => ["b", "a", "b"], "v" => [1i64, 2, 4] }.unwrap();
        frame.with_index(Index::new(labels, Some("level".into())).unwrap()).unwrap()
    }

    fn sums(frame: &DataFrame, key: impl Into<Key>) -> (Vec<String>, Vec<i64>) {
        let groups = GroupBy::by(frame, [key], GroupByOptions::default()).unwrap();
        let sums = groups.aggregate(&[super::super::Request::new("v", "v", Aggregation::Sum)]).unwrap();
        let label = |row| sums.index().label(row).unwrap().to_string();
        let value = |row| sums.columns()[0].get(row).unwrap().as_i64().unwrap();
        let rows = 0..sums.num_rows();
        (rows.clone().map(label).collect(), rows.map(value).collect())
    }

    #[test]
    fn every_kind_of_key() {
        let frame = labelled();
        let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        assert_eq!(sums(&frame, "k"), (words(&["a", "b"]), vec![2, 5]));
        assert_eq!(sums(&frame, "level"), (words(&["x", "y"]), vec![5, 2]));
        assert_eq!(sums(&frame, Key::Level(Label::Int(-1))), (words(&["x", "y"]), vec![5, 2]));
        let values: TypedColumn = [Some(7i64), None, Some(3)].into_iter().collect();
        assert_eq!(sums(&frame, values.clone()), (words(&["3", "7"]), vec![4, 1]));
        // Matched by label: the row labels are x, y, x.
        let labels: TypedColumn = ["y", "x"].into_iter().collect();
        let index = Index::new(labels, None).unwrap();
        let ones: TypedColumn = [1i64, 2].into_iter().collect();
        let other = Series::new(ones, Some("other".into()), index).unwrap();
        assert_eq!(sums(&frame, other.clone()), (words(&["1", "2"]), vec![2, 5]));
        assert_eq!(sums(&frame, Key::Mapping(other)), (words(&["1", "2"]), vec![2, 5]));
    }

    #[test]
    fn a_key_is_no_value_where_it_is_the_column() {
        let frame = labelled();
        let values = |key: Key| GroupBy::by(&frame, [key], GroupByOptions::default()).unwrap().value_labels();
        assert_eq!(values(frame.column("k").unwrap().into()), [Label::from("v")]);
        let other = frame.column("v").unwrap().rename(Some("k".into()));
        assert_eq!(values(other.into()), [Label::from("k"), Label::from("v")]);
        let of_level = frame.with_column("level", frame.index().level(0).unwrap()).unwrap();
        let groups = GroupBy::by(&of_level, [Key::Level("level".into())], GroupByOptions::default()).unwrap();
        assert_eq!(groups.value_labels().len(), 3);
    }

    #[test]
    fn what_is_no_key() {
        let frame = labelled();
        let kind = |frame: &DataFrame, key: Key| {
            GroupBy::by(frame, [key], GroupByOptions::default()).unwrap_err().kind()
        };
        assert_eq!(kind(&frame, "z".into()), ErrorKind::KeyNotFound);
        assert_eq!(kind(&frame, Key::Level("z".into())), ErrorKind::KeyNotFound);
        let short: TypedColumn = [1i64].into_iter().collect();
        assert_eq!(kind(&frame, short.into()), ErrorKind::InvalidArgument);
        let both = frame.with_column("level", frame.index().level(0).unwrap()).unwrap();
        assert_eq!(kind(&both, "level".into()), ErrorKind::InvalidArgument);
        let none: [Key; 0] = [];
        let error = GroupBy::by(&frame, none, GroupByOptions::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
}
