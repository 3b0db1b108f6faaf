//! Selection by row label: pandas' `loc`.

pub mod assign;
pub(crate) mod partial_dates;

use cuprum_column::{Column, Context, Error, Result, Scalar};
use cuprum_compute::{filling, stream_compaction};

use crate::frame::{IndexedFrame, Rows, resolve_slice, wrap_positions};
use crate::index::Index;

/// Which rows to take, by label.
#[derive(Clone, Debug)]
pub enum Labels<'a> {
    /// All rows with one label: a scalar per level, or for the outer levels only.
    One(&'a [Scalar]),
    /// From the first label to the last, both included.
    Slice(Option<&'a Scalar>, Option<&'a Scalar>, Option<i64>),
    /// Every label of a column, in its order.
    List(&'a Column),
    /// The rows where a boolean column of the frame's length is true.
    Mask(&'a Column),
}

/// The row numbers that `labels` selects in a frame of this index, in the order of selection.
pub fn locate(index: &Index, labels: &Labels<'_>) -> Result<Column> {
    match labels {
        Labels::One(key) => {
            let rows = index.find(key)?;
            if rows.is_empty() {
                let parts: Vec<String> = key.iter().map(ToString::to_string).collect();
                return Err(Error::key_not_found(format!("{} is not in the index", parts.join(", "))));
            }
            Ok(rows)
        }
        Labels::Slice(start, stop, step) => {
            let range = index.slice_bounds(*start, *stop)?;
            let (first, count, step) = resolve_slice(None, None, *step, range.len())?;
            filling::sequence((range.start + first) as i64, step, count, &index.context()?)
        }
        Labels::List(keys) => index.find_all(keys),
        Labels::Mask(mask) => mask_rows(mask, index.len(), &index.context()?),
    }
}

/// The row numbers that `rows` selects by position in a frame of `len` rows, in the context's memory.
pub fn locate_positions(len: usize, rows: &Rows<'_>, ctx: &Context) -> Result<Column> {
    match rows {
        Rows::Positions(positions) => wrap_positions(positions, len, ctx),
        Rows::Mask(mask) => mask_rows(mask, len, ctx),
        Rows::Slice(start, stop, step) => {
            let (first, count, step) = resolve_slice(*start, *stop, *step, len)?;
            filling::sequence(first as i64, step, count, ctx)
        }
    }
}

/// The rows where a boolean column of `len` rows is true.
fn mask_rows(mask: &Column, len: usize, ctx: &Context) -> Result<Column> {
    if mask.len() != len {
        return Err(Error::out_of_range(format!("boolean mask of {} rows for {len} rows", mask.len())));
    }
    stream_compaction::mask_to_rows(&*mask.placed(ctx)?, ctx)
}

/// See [`IndexedFrame::loc`].
pub(crate) fn loc<F: IndexedFrame>(frame: &F, labels: &Labels<'_>) -> Result<F> {
    match labels {
        Labels::Mask(mask) => frame.filter(mask),
        Labels::Slice(start, stop, None | Some(1)) => {
            let range = frame.index().slice_bounds(*start, *stop)?;
            frame.slice(range.start, range.len())
        }
        Labels::One(key) => {
            let found = frame.take(&locate(frame.index(), labels)?)?;
            let mixed = frame.index().as_mixed().is_some();
            let spans = frame.index().spans(key)?;
            let named = spans.iter().filter(|&&span| !span).count();
            if mixed || named == 0 || (named == key.len() && key.len() >= frame.index().num_levels()) {
                return Ok(found);
            }
            // The levels in which the key names one label say nothing any more.
            let kept = |level: &usize| spans.get(*level) != Some(&false);
            let kept: Vec<usize> = (0..found.index().num_levels()).filter(kept).collect();
            let levels = found.index().columns()?;
            let levels = kept.iter().map(|&level| levels[level].clone()).collect();
            let names = kept.iter().map(|&level| found.index().names()[level].clone()).collect();
            found.with_index(Index::from_columns(levels, names)?)
        }
        Labels::List(_) | Labels::Slice(..) => frame.take(&locate(frame.index(), labels)?),
    }
}
