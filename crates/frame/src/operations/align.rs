//! Alignment: rows of two frames matched by their labels.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::{Index, SetOrder, key_tables, never_equal};
use crate::label::Label;
use crate::series::Series;
use crate::types::TypedColumn;

/// How the levels of the row labels of two frames meet: by their names, as in pandas.
pub(crate) enum Meeting {
    /// One by one, in their order.
    InOrder,
    /// The left ones with these of the right.
    Reordered(Vec<usize>),
    /// This one of the left with the only one of the right.
    LevelOfLeft(usize),
    /// The only one of the left with this one of the right.
    LevelOfRight(usize),
}

/// How the levels of two indexes meet.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where they differ and have no name in
/// common, with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for several levels of which some are in both.
pub(crate) fn meeting(left: &Index, right: &Index) -> Result<Meeting> {
    let (l, r) = (left.names(), right.names());
    if (l.len() == 1 && r.len() == 1) || l == r {
        return Ok(Meeting::InOrder);
    }
    let place = |names: &[Option<Label>], name: &Option<Label>| {
        name.as_ref().and_then(|_| names.iter().position(|other| other == name))
    };
    let found: Vec<usize> = l.iter().filter_map(|name| place(r, name)).collect();
    match (l.len(), r.len()) {
        _ if found.is_empty() => Err(Error::invalid_argument("cannot join with no overlapping index names")),
        (_, 1) => Ok(Meeting::LevelOfLeft(place(l, &r[0]).unwrap_or_default())),
        (1, _) => Ok(Meeting::LevelOfRight(found[0])),
        (count, others) if count == others && (0..count).all(|level| found.contains(&level)) => {
            Ok(Meeting::Reordered(found))
        }
        _ => Err(Error::unsupported(
            "row labels some of whose levels are in both frames: use reset_index and merge on these",
        )),
    }
}

/// The rows of a frame for every label that `index` has in a level, under the labels of `index`.
fn spread<F: IndexedFrame>(frame: &F, index: &Index, level: usize) -> Result<F> {
    if !frame.index().is_unique()? {
        return Err(Error::unsupported("labels that repeat, beside a level of others: aggregate them first"));
    }
    let labels = Index::from_columns(vec![index.level(level)?], vec![None])?;
    reindex(frame, &labels)?.with_index(index.clone())
}

/// Both frames under the row labels of the one that has several levels, which meet the only one of the other: those
/// rows that both have, or all of them.
pub(crate) fn align_level(
    left: &DataFrame,
    right: &DataFrame,
    meeting: &Meeting,
    both: bool,
) -> Result<(DataFrame, DataFrame)> {
    let known = |one: &DataFrame, level: usize, other: &DataFrame| -> Result<DataFrame> {
        if !both {
            return Ok(one.clone());
        }
        let rows =
            other.index().indexer(&Index::from_columns(vec![one.index().level(level)?], vec![None])?)?;
        let ctx = rows.context()?;
        let least = Scalar::new(rows.data_type(), Value::Int(0))?;
        one.filter(&binary_operation(&rows, &least, BinaryOperator::GreaterEqual, &ctx)?)
    };
    match *meeting {
        Meeting::LevelOfLeft(level) => {
            let left = known(left, level, right)?;
            let right = spread(right, left.index(), level)?;
            Ok((left, right))
        }
        Meeting::LevelOfRight(level) => {
            let right = known(right, level, left)?;
            Ok((spread(left, right.index(), level)?, right))
        }
        _ => Ok((left.clone(), right.clone())),
    }
}

/// Both frames with the union of their row labels, ascending, missing where a frame has no such
/// label. A label that repeats pairs every one of its rows with every one of the other side.
///
/// Levels meet by their names; where one side has a single level, the rows are those of the other.
pub fn align<L: IndexedFrame, R: IndexedFrame>(left: &L, right: &R) -> Result<(L, R)> {
    let ctx = left.context()?;
    let (l, r) = (left.index(), right.index());
    match meeting(l, r)? {
        Meeting::InOrder => {}
        Meeting::Reordered(levels) => return align(left, &right.with_index(r.select_levels(&levels)?)?),
        Meeting::LevelOfLeft(level) => return Ok((left.clone(), spread(right, l, level)?)),
        Meeting::LevelOfRight(level) => return Ok((spread(left, r, level)?, right.clone())),
    }
    if l.is_empty() || r.is_empty() {
        let (left, right) = (ordered(left)?, ordered(right)?);
        let index = if r.is_empty() { left.index() } else { right.index() }.clone();
        return Ok((absent_or_whole(&left, &index)?, absent_or_whole(&right, &index)?));
    }
    // Labels that are joined keep the name of the left ones, as in pandas; levels are told apart by theirs.
    let names: Vec<Option<Label>> = if l.num_levels() == 1 {
        l.names().to_vec()
    } else {
        l.names().iter().zip(r.names()).map(|(a, b)| a.clone().filter(|_| a == b)).collect()
    };
    let mixed = l.as_mixed().is_some() || r.as_mixed().is_some();
    let (l, r) = (&l.with_missing_as(r)?, &r.with_missing_as(l)?);
    let (l_keys, r_keys, dtypes) = match if mixed { None } else { Some(key_tables(l, r)) } {
        Some(Ok(tables)) => tables,
        Some(Err(error)) if l.num_levels() > 1 || !never_equal(l, r) || are_times(l, r) => return Err(error),
        // Labels that no column holds together.
        _ => {
            let index = l.union(r, SetOrder::default())?.with_names(names)?;
            return Ok((reindex(left, &index)?, reindex(right, &index)?));
        }
    };
    let (l_rows, r_rows) = join(&l_keys, &r_keys, JoinKind::Full, true, &ctx)?;
    let labels = coalesce(&l_keys, &l_rows, &r_keys, &r_rows)?;
    let orders = vec![Order::Ascending; labels.num_columns()];
    let order = sorted_order(&labels, &orders, NullOrder::Last, &ctx)?;
    let pick = |column: &Column| copying::gather_column(column, &order, OutOfBoundsPolicy::Check, &ctx);
    let (l_rows, r_rows) = (pick(&l_rows)?, pick(&r_rows)?);
    let columns = labels.columns().iter().zip(dtypes);
    let columns = columns.map(|(data, dtype)| TypedColumn::new(dtype, pick(data)?)).collect::<Result<_>>()?;
    let index = Index::from_columns(columns, names)?.even_beside(l)?;
    let gather =
        |table: &Table, rows: &Column| copying::gather(table, rows, OutOfBoundsPolicy::Nullify, &ctx);
    Ok((
        left.with_table(gather(&left.table()?, &l_rows)?, index.clone())?,
        right.with_table(gather(&right.table()?, &r_rows)?, index)?,
    ))
}

/// The rows in the order of their labels, where these have one.
fn ordered<F: IndexedFrame>(frame: &F) -> Result<F> {
    if frame.index().as_mixed().is_some() { Ok(frame.clone()) } else { frame.sort_index(Order::Ascending) }
}

/// `frame` as it is where it has as many rows as `index`, else one of that many missing rows.
fn absent_or_whole<F: IndexedFrame>(frame: &F, index: &Index) -> Result<F> {
    if frame.num_rows() == index.len() {
        return frame.with_index(index.clone());
    }
    let columns = frame.columns().iter().map(|c| TypedColumn::nulls(c.dtype(), index.len(), &c.context()?));
    frame.with_rows(columns.collect::<Result<_>>()?, index.clone())
}

/// Whether both are times: those with a zone and those without are not joined, as in pandas.
fn are_times(left: &Index, right: &Index) -> bool {
    [left, right].iter().all(|index| matches!(index.dtype(0).storage(), DataType::Timestamp(_)))
}

/// The rows of `frame` with the labels of `index`, in its order, missing where there is none. Labels of one level are
/// looked up in the level of their name, where `index` has several.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) when the frame repeats a label.
pub fn reindex<F: IndexedFrame>(frame: &F, index: &Index) -> Result<F> {
    if frame.index().equals(index)? && !never_equal(frame.index(), index) {
        return frame.with_rows(frame.columns().to_vec(), index.clone());
    }
    if !frame.index().is_unique()? {
        return Err(Error::invalid_argument("cannot reindex on an axis with duplicate labels"));
    }
    let ctx = frame.context()?;
    let index = &index.to_device(&ctx)?;
    if index.as_mixed().is_some() || frame.index().as_mixed().is_some() {
        let levels = frame.index().num_levels();
        let place = |label: &Label| -> Result<i64> {
            // A part of a label is no label here.
            if levels > 1 && label.parts().len() != levels {
                return Ok(-1);
            }
            let rows = frame.index().find_label(label)?;
            if rows.is_empty() { Ok(-1) } else { Ok(rows.get(0)?.as_i64().unwrap_or(-1)) }
        };
        let rows = index.labels()?.iter().map(place).collect::<Result<Vec<_>>>()?;
        let rows = Column::from_slice(&rows, &ctx)?;
        let table = copying::gather(&frame.table()?, &rows, OutOfBoundsPolicy::Nullify, &ctx)?;
        return frame.with_table(table, index.clone());
    }
    if frame.index().num_levels() == 1
        && index.num_levels() > 1
        && let Ok(Meeting::LevelOfRight(level)) = meeting(frame.index(), index)
    {
        return spread(frame, index, level);
    }
    if frame.index().num_levels() != index.num_levels() {
        return Err(Error::invalid_argument(format!(
            "cannot reindex labels of {} levels with labels of {}",
            frame.index().num_levels(),
            index.num_levels()
        )));
    }
    let (labels, known) = (&index.with_missing_as(frame.index())?, &frame.index().with_missing_as(index)?);
    let rows = match key_tables(labels, known) {
        Ok((wanted, present, _)) => known.partners(&wanted, &present, &ctx)?.1,
        Err(_) if never_equal(labels, known) => known.indexer(labels)?,
        Err(error) => return Err(error),
    };
    let table = copying::gather(&frame.table()?, &rows, OutOfBoundsPolicy::Nullify, &ctx)?;
    frame.with_table(table, index.clone())
}

/// For each pair of rows the key of whichever side has one (left first).
pub(crate) fn coalesce(left: &Table, l_rows: &Column, right: &Table, r_rows: &Column) -> Result<Table> {
    let ctx = l_rows.context()?;
    let first = Scalar::new(l_rows.data_type(), Value::Int(0))?;
    let from_left = binary_operation(l_rows, &first, BinaryOperator::GreaterEqual, &ctx)?;
    let l = copying::gather(left, l_rows, OutOfBoundsPolicy::Nullify, &ctx)?;
    let r = copying::gather(right, r_rows, OutOfBoundsPolicy::Nullify, &ctx)?;
    let columns = l
        .columns()
        .iter()
        .zip(r.columns())
        .map(|(l, r)| copying::copy_if_else(l, r, &from_left, &ctx))
        .collect::<Result<_>>()?;
    Table::with_rows(columns, l_rows.len())
}

impl DataFrame {
    /// The frame with a series under `label`, its rows matched to the frame's by label.
    pub fn assign(&self, label: impl Into<Label>, series: &Series) -> Result<Self> {
        if self.num_columns() == 0 && self.num_rows() == 0 && !series.is_empty() {
            return Self::from_parts(vec![label.into()], series.columns().to_vec(), series.index().clone());
        }
        if let (Some(here), Some(there)) = (self.place(), series.place())
            && here != there
        {
            return Err(Error::invalid_argument(format!(
                "the frame is on {here}, the series on {there}; move one with to_device"
            )));
        }
        self.with_column(label, reindex(series, self.index())?.column().clone())
    }
}
