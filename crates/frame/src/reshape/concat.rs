//! Frames end to end and side by side.

use cuprum_column::{Column, Context, Error, Result, Scalar, Table};
use cuprum_compute::concatenate::concatenate;
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::operations::align::{key_tables, reindex};
use crate::series::Series;
use crate::types::promotion;
use crate::types::{self, Dtype, TypedColumn};

/// Which labels of the other axis stay when frames are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Those of any frame, in order of first appearance.
    Outer,
    /// Those of every frame, in the order of the first.
    Inner,
}

/// The rows of all frames, one frame after the other; columns are matched by label, missing where a
/// frame has no such column. Types are promoted to a common one.
pub fn concat_rows(frames: &[&DataFrame], join: Join, ignore_index: bool) -> Result<DataFrame> {
    let Some(first) = frames.first() else {
        return Err(Error::invalid_argument("no objects to concatenate"));
    };
    let mut labels: Vec<Label> = first.labels().to_vec();
    let mut seen: std::collections::HashSet<Label> = labels.iter().cloned().collect();
    for frame in &frames[1..] {
        match join {
            Join::Outer => {
                labels.extend(frame.labels().iter().filter(|l| seen.insert((*l).clone())).cloned());
            }
            Join::Inner => labels.retain(|l| frame.contains(l)),
        }
    }
    let columns = labels
        .iter()
        .map(|label| {
            let parts = frames
                .iter()
                .map(|f| if f.contains(label) { Ok(Some(f.accessor().get(label)?)) } else { Ok(None) })
                .collect::<Result<Vec<_>>>()?;
            let rows: Vec<usize> = frames.iter().map(|f| f.num_rows()).collect();
            concat_columns(&parts, &rows).map_err(|e| e.context(format!("column '{label}'")))
        })
        .collect::<Result<_>>()?;
    let index = concat_index(&frames.iter().map(|f| f.index()).collect::<Vec<_>>(), ignore_index)?;
    Ok(DataFrame::from_parts(labels, columns, index)?.with_common_level_names(frames))
}

/// The elements of all series, one after the other. The name is kept where all agree.
pub fn concat_series(series: &[&Series], ignore_index: bool) -> Result<Series> {
    let Some(first) = series.first() else {
        return Err(Error::invalid_argument("no objects to concatenate"));
    };
    let parts: Vec<_> = series.iter().map(|s| Some(s.column())).collect();
    let rows: Vec<usize> = series.iter().map(|s| s.len()).collect();
    let column = concat_columns(&parts, &rows)?;
    let name = first.name().filter(|n| series.iter().all(|s| s.name() == Some(n))).cloned();
    let index = concat_index(&series.iter().map(|s| s.index()).collect::<Vec<_>>(), ignore_index)?;
    Series::new(column, name, index)
}

/// The columns of all frames side by side; rows are matched by label, missing where a frame has no
/// such row. Frames must not repeat row labels unless all have the same.
pub fn concat_side_by_side(frames: &[&DataFrame], join: Join) -> Result<DataFrame> {
    let Some(first) = frames.first() else {
        return Err(Error::invalid_argument("no objects to concatenate"));
    };
    let mut same = true;
    for frame in &frames[1..] {
        same = same && first.index().equals(frame.index())?;
    }
    let index = if same {
        first.index().clone()
    } else {
        let all = Index::concat(&frames.iter().map(|f| f.index()).collect::<Vec<_>>())?;
        let ctx = all.context()?;
        let keys = all.key_table("concat")?;
        let mut union = all.take(&distinct_rows(&keys, Keep::First, true, &ctx)?)?;
        if join == Join::Inner {
            for frame in frames {
                use cuprum_compute::join::{JoinKind, join};
                let (all, present, _) = key_tables(&union, &frame.index().to_device(&ctx)?)?;
                let (kept, _) = join(&all, &present, JoinKind::LeftSemi, true, &ctx)?;
                union = union.take(&kept)?;
            }
        }
        union
    };
    let (mut labels, mut columns) = (vec![], vec![]);
    for frame in frames {
        let frame = if same { (*frame).clone() } else { reindex(*frame, &index)? };
        labels.extend_from_slice(frame.labels());
        columns.extend_from_slice(frame.columns());
    }
    Ok(DataFrame::from_parts(labels, columns, index)?.with_common_level_names(frames))
}

/// `index` below an outer level of one label for each part, in that order: what `keys` of `concat` makes.
pub fn nest_index(index: &Index, keys: &[Scalar], lengths: &[usize], name: Option<Label>) -> Result<Index> {
    let ctx = index.context()?;
    let parts = keys
        .iter()
        .zip(lengths)
        .map(|(k, &n)| Column::from_scalar(k, n, &ctx))
        .collect::<Result<Vec<_>>>()?;
    let parts = promotion::unify(&parts.iter().collect::<Vec<_>>())?;
    let once = keys.iter().map(|k| Column::from_scalar(k, 1, &ctx)).collect::<Result<Vec<_>>>()?;
    let once = promotion::unify(&once.iter().collect::<Vec<_>>())?;
    let once = concatenate(&once.iter().collect::<Vec<_>>(), &ctx)?;
    let once = Table::new(vec![once])?;
    let rows = distinct_rows(&once, Keep::First, true, &ctx)?;
    let known = gather_column(&once.columns()[0], &rows, OutOfBoundsPolicy::Check, &ctx)?;
    let levels = vec![concatenate(&parts.iter().collect::<Vec<_>>(), &ctx)?];
    let mut levels: Vec<TypedColumn> = levels.into_iter().map(TypedColumn::from).collect();
    levels.extend(index.columns()?);
    let mut names = vec![name];
    names.extend(index.names().iter().cloned());
    let depth = levels.len();
    let index = Index::from_columns(levels, names)?;
    Ok(index.with_levels(std::iter::once(Some(known.into())).chain(vec![None; depth - 1]).collect()))
}

fn concat_index(parts: &[&Index], ignore: bool) -> Result<Index> {
    if ignore { Ok(Index::range(parts.iter().map(|p| p.len()).sum())) } else { Index::concat(parts) }
}

/// Columns one after the other in their common dtype, missing rows for a part that there is not.
pub(crate) fn concat_columns(parts: &[Option<&TypedColumn>], rows: &[usize]) -> Result<TypedColumn> {
    let present: Vec<&TypedColumn> = parts.iter().flatten().copied().collect();
    let place = present.iter().find_map(|column| column.place());
    let ctx = Context::beside(place)?;
    let mut unified = types::unify(&present)?.into_iter();
    let float = || Dtype::plain(cuprum_column::DataType::Float64);
    let dtype = unified.as_slice().first().map_or_else(float, |c| c.dtype().clone());
    let columns = parts
        .iter()
        .zip(rows)
        .map(|(part, &n)| match part {
            Some(_) => Ok(unified.next().expect("one for each part")),
            None => TypedColumn::nulls(&dtype, n, &ctx),
        })
        .collect::<Result<Vec<_>>>()?;
    let data = columns.iter().map(TypedColumn::data).collect::<Result<Vec<_>>>()?;
    TypedColumn::new(dtype, concatenate(&data, &ctx)?)
}
