//! Two objects made one: elements of either, and elements taken from another.

use cuprum_column::{Column, Error, Result};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use super::joined_labels::{JoinOrder, Met, joined, rows_joined};
use super::places::{are_same, places, refuse_repeated, rows_under};
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::SetOrder;
use crate::series::Series;
use crate::types::equality::{is_all, is_any};
use crate::types::{self, MissingTruth, TypedColumn, operate_as};

/// Options of [`update`](DataFrame::update).
#[derive(Clone, Copy, Debug, Default)]
pub struct UpdateOptions<'a> {
    /// Only missing elements are replaced.
    pub keep_known: bool,
    /// Elements that neither side is missing are an error.
    pub refuse_overlap: bool,
    /// A frame of truth values of the same shape: elements are replaced where it is true, by position.
    pub replaceable: Option<&'a DataFrame>,
}

/// Two frames with the same rows and columns.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// The first frame.
    pub left: DataFrame,
    /// The other one.
    pub right: DataFrame,
    /// Whether the first frame has each of the columns, and whether the other has.
    pub sides: Vec<(bool, bool)>,
}

impl Series {
    /// The elements of this series, and where they are missing those of `other` with the same row labels, in a type
    /// that holds both. The rows are those of either, ascending where their labels have an order and differ; the name
    /// is that of this series.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where no type holds both.
    pub fn combine_first(&self, other: &Self) -> Result<Self> {
        let (left, right) = if self.is_empty() || other.is_empty() {
            // Labels that no others come to stay in their order.
            let rows = self.index().union(other.index(), SetOrder::default())?;
            (rows_under(self, &rows)?, rows_under(other, &rows)?)
        } else {
            rows_joined(self, other)?
        };
        let made = left.with_column(first_known(left.column(), right.column())?);
        let unlike = self.index().num_levels() == 1 && self.index().names() != other.index().names();
        if unlike { made.with_index(made.index().with_names(vec![None])?) } else { Ok(made) }
    }

    /// The series with the elements of `other` that are not missing in place of its own, by row label; rows that are not
    /// here are left out. The type and the order of the rows stay.
    ///
    /// Fails as [`DataFrame::update`].
    pub fn update(&self, other: &Self) -> Result<Self> {
        let theirs = rows_under(other, self.index())?;
        let made = updated(self.column(), theirs.column(), None, UpdateOptions::default())?;
        Ok(self.with_column(made))
    }
}

impl DataFrame {
    /// The elements of this frame, and where they are missing those of `other` with the same labels, each column in a
    /// type that holds both. The rows are those of either, ascending where their labels have an order and differ; the
    /// columns are those of this frame and then the others of `other`. A column that one side alone has keeps its type.
    ///
    /// A label that repeats in one of the frames pairs each of its columns with that of the other.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where column labels of both repeat
    /// and differ; with [`DataType`](cuprum_column::ErrorKind::DataType) where no type holds both.
    pub fn combine_first(&self, other: &Self) -> Result<Self> {
        let (left, right, met) = self.combined_with(other)?;
        let columns = met.iter().enumerate().map(|(at, one)| {
            let (ours, theirs) = (&left.columns()[at], &right.columns()[at]);
            match (one.left, one.right) {
                (Some(_), None) => Ok(ours.clone()),
                (None, _) => Ok(theirs.clone()),
                _ => first_known(ours, theirs).map_err(|e| e.context(format!("column '{}'", one.label))),
            }
        });
        let columns = columns.collect::<Result<_>>()?;
        left.replace_columns(columns)
    }

    /// Both frames with the rows and columns of either: as [`align`](Self::align), but with the columns of this frame
    /// first; and whether this frame, and the other, has each of them.
    ///
    /// Fails as [`combine_first`](Self::combine_first).
    pub fn align_in_order(&self, other: &Self) -> Result<Aligned> {
        let (left, right, met) = self.combined_with(other)?;
        let sides = met.iter().map(|one| (one.left.is_some(), one.right.is_some())).collect();
        Ok(Aligned { left, right, sides })
    }

    fn combined_with(&self, other: &Self) -> Result<(Self, Self, Vec<Met>)> {
        let (ours, theirs) = (self.labels(), other.labels());
        if !are_same(ours, theirs) && refuse_repeated(ours).is_err() {
            refuse_repeated(theirs)?;
        }
        let (left, right) = if other.num_rows() == 0 {
            (self.clone(), rows_under(other, self.index())?)
        } else {
            rows_joined(self, other)?
        };
        let none = self.num_rows() == 0 || self.num_columns() == 0;
        let met = if other.num_rows() == 0 && !are_same(ours, theirs) {
            // Labels that come without rows are in their order.
            let own = self.accessor().to_index()?;
            let fresh = other.accessor().to_index()?.difference(&own, SetOrder::default())?.labels()?;
            let mut met = joined(ours, theirs, JoinOrder::AsGiven);
            met.retain(|one| one.left.is_some());
            met.extend(
                joined(&[], &fresh, JoinOrder::AsGiven)
                    .into_iter()
                    .map(|one| Met { right: theirs.iter().position(|label| *label == one.label), ..one }),
            );
            met
        } else if none && left.num_rows() == other.num_rows() {
            joined(ours, theirs, JoinOrder::Sorted)
        } else {
            joined(ours, theirs, JoinOrder::AsGiven)
        };
        let left_met = left.met(&met, |one| (one.left, one.right), &right)?;
        let right_met = right.met(&met, |one| (one.right, one.left), &left)?;
        Ok((left_met, right_met, met))
    }

    /// The frame with the elements of `other` that are not missing in place of its own, by row and column label; rows
    /// and columns that are not here are left out. Columns keep their types and rows their order.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where row labels of `other` repeat, or
    /// column labels that differ from those here, and for elements of both where that is refused; with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) for elements that a column does not hold.
    pub fn update(&self, other: &Self, options: UpdateOptions<'_>) -> Result<Self> {
        if !other.index().is_unique()? {
            return Err(Error::invalid_argument("Update not allowed with duplicate indexes on other."));
        }
        if let Some(replaceable) = options.replaceable
            && replaceable.shape() != self.shape()
        {
            return Err(Error::invalid_argument(format!(
                "`replaceable` has the shape {:?}, the frame {:?}",
                replaceable.shape(),
                self.shape()
            )));
        }
        if !is_any(&self.index().is_in(other.index())?)? {
            return Ok(self.clone());
        }
        let places = places(self.labels(), other.labels())?;
        let theirs = rows_under(other, self.index())?;
        let columns = self.columns().iter().zip(places).enumerate().map(|(at, (column, place))| {
            let Some(place) = place else { return Ok(column.clone()) };
            let replaceable = options.replaceable.map(|frame| &frame.columns()[at]);
            updated(column, &theirs.columns()[place], replaceable, options)
                .map_err(|e| e.context(format!("column '{}'", self.labels()[at])))
        });
        self.replace_columns(columns.collect::<Result<_>>()?)
    }
}

/// The elements of a column, and those of another where they are missing.
fn first_known(column: &TypedColumn, other: &TypedColumn) -> Result<TypedColumn> {
    let known = unary_operation(&column.missing()?, UnaryOperator::Not, &column.context()?)?;
    Ok(Series::from_column(column.clone(), None).where_column(&known, other)?.column().clone())
}

fn updated(
    column: &TypedColumn,
    other: &TypedColumn,
    replaceable: Option<&TypedColumn>,
    options: UpdateOptions<'_>,
) -> Result<TypedColumn> {
    let ctx = column.context()?;
    let not = |flags: &Column| unary_operation(flags, UnaryOperator::Not, &ctx);
    let either = |a: &Column, b: &Column| binary_operation(a, b, BinaryOperator::Or, &ctx);
    let (absent, known) = (other.placed(&ctx)?.missing()?, not(&column.missing()?)?);
    let kept = if let Some(replaceable) = replaceable {
        either(&not(&*replaceable.data()?.placed(&ctx)?)?, &absent)?
    } else {
        if options.refuse_overlap
            && is_any(&binary_operation(&known, &not(&absent)?, BinaryOperator::And, &ctx)?)?
        {
            return Err(Error::invalid_argument("Data overlaps, which `errors`='raise' forbids."));
        }
        if options.keep_known { either(&known, &absent)? } else { absent }
    };
    if kept.is_empty() || is_all(&kept)? {
        return Ok(column.clone());
    }
    let made = Series::from_column(column.clone(), None).where_column(&kept, other)?;
    in_type(made.column(), column)
}

/// Elements in the type of a column; fails where it does not hold them.
fn in_type(elements: &TypedColumn, like: &TypedColumn) -> Result<TypedColumn> {
    let to = like.dtype();
    if elements.dtype() == to {
        return Ok(elements.clone());
    }
    let held = types::cast(elements, to).and_then(|cast| {
        let ctx = cast.context()?;
        let equal = operate_as(&cast, elements, BinaryOperator::Equal, MissingTruth::Decided)?;
        let missing = binary_operation(&cast.missing()?, &elements.missing()?, BinaryOperator::And, &ctx)?;
        Ok(is_all(&binary_operation(equal.data()?, &missing, BinaryOperator::Or, &ctx)?)?.then_some(cast))
    });
    match held {
        Ok(Some(cast)) => Ok(cast),
        _ => Err(Error::data_type(format!(
            "Invalid value for dtype '{to}': elements of type {}",
            elements.dtype()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::{Context, DataType, ErrorKind};

    fn column(values: &[Option<f64>]) -> Column {
        Column::from_options(values, &Context::current()).unwrap()
    }

    fn values(frame: &DataFrame) -> Vec<Vec<Option<f64>>> {
        let of = |c: &TypedColumn| (0..c.len()).map(|row| c.get(row).unwrap().as_f64()).collect();
        frame.columns().iter().map(of).collect()
    }

    #[test]
    fn elements_of_either() {
        let left = DataFrame::new([("b", column(&[None, Some(1.0)])), ("a", column(&[Some(2.0), None]))]);
        let right = DataFrame::new([("a", column(&[Some(7.0), Some(8.0), Some(9.0)]))]).unwrap();
        let made = left.unwrap().combine_first(&right).unwrap();
        assert_eq!(made.labels(), ["b".into(), "a".into()]);
        assert_eq!(values(&made)[0], [None, Some(1.0), None]);
        assert_eq!(values(&made)[1], [Some(2.0), Some(8.0), Some(9.0)]);
        // A label that repeats on one side.
        let twice = made.with_labels(vec!["a".into(), "a".into()]).unwrap();
        let made = twice.combine_first(&right).unwrap();
        assert_eq!(values(&made)[0], [Some(7.0), Some(1.0), Some(9.0)]);
        assert_eq!(values(&right.combine_first(&twice).unwrap()).len(), 2);
        let thrice = twice.with_column("b", column(&[None, None, None])).unwrap();
        assert_eq!(twice.combine_first(&thrice).unwrap_err().kind(), ErrorKind::InvalidArgument);
        let gap = Series::from_column(column(&[None, Some(1.0)]), Some("s".into()));
        let made = gap.combine_first(&Series::from_column(column(&[Some(3.0); 3]), None)).unwrap();
        assert_eq!(values(&made.to_frame(None))[0], [Some(3.0), Some(1.0), Some(3.0)]);
    }

    #[test]
    fn elements_taken_from_another() {
        let ints = |values: &[i64]| Column::from_slice(values, &Context::current()).unwrap();
        let frame = DataFrame::new([("a", ints(&[1, 2])), ("b", ints(&[3, 4]))]).unwrap();
        let other = DataFrame::new([("b", column(&[None, Some(5.0), Some(6.0)]))]).unwrap();
        let made = frame.update(&other, UpdateOptions::default()).unwrap();
        assert_eq!(made.columns()[1].dtype().storage(), DataType::Int64);
        assert_eq!(made.columns()[1].get(1).unwrap().as_i64(), Some(5));
        let kept = frame.update(&other, UpdateOptions { keep_known: true, ..Default::default() }).unwrap();
        assert!(kept.equals(&frame).unwrap());
        let refused = frame.update(&other, UpdateOptions { refuse_overlap: true, ..Default::default() });
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::InvalidArgument);
        let half = DataFrame::new([("a", column(&[Some(0.5)]))]).unwrap();
        let refused = frame.update(&half, UpdateOptions::default()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::DataType);
    }
}
