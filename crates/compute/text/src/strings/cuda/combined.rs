//! Rows of several columns side by side: see [`combine`](super::super::combine).

use cuprum_column::{Column, ColumnDeviceView, Context, DeviceViews, Error, Result, Scalar, TextsView};
use cuprum_elements::string_map::cuda::{Nulls, make_texts, texts_grid};
use cuprum_runtime::kernel::{In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels};

kernels! {
    pub static COMBINED: "combined.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192;

    fn concatenate_texts(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, separator: In<u8>, separator_size: usize,
        na_rep: Option<In<u8>>, na_rep_size: usize, ends: bool,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
}

/// See [`concatenate`](super::super::combine::concatenate): there is a column, and all have as many rows.
pub(in super::super) fn concatenate(
    columns: &[Column],
    separator: &str,
    na_rep: Option<&str>,
    ctx: &Context,
) -> Result<Column> {
    let has_nulls = columns.iter().any(|column| column.mask().is_some());
    let nulls = if na_rep.is_none() && has_nulls { Nulls::Made } else { Nulls::Of(None) };
    side_by_side(columns, separator, na_rep, false, nulls, ctx)
}

/// See [`join`](super::super::combine::join): the rows, each with a separator behind it, follow each other in memory.
pub(in super::super) fn join(
    column: &Column,
    separator: &str,
    na_rep: Option<&str>,
    ctx: &Context,
) -> Result<Scalar> {
    let columns = [column.clone()];
    // Nulls have no bytes.
    let nulls = if na_rep.is_none() && column.mask().is_some() { Nulls::Made } else { Nulls::Of(None) };
    let rows = side_by_side(&columns, separator, na_rep, true, nulls, ctx)?;
    let mut bytes = rows.data().map_or_else(|| Ok(Vec::new()), |data| data.span::<u8>()?.to_vec())?;
    bytes.truncate(bytes.len().saturating_sub(separator.len()));
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::logic("the rows of a string column changed while they were read"))?;
    Ok(Scalar::from(text.as_str()))
}

fn side_by_side(
    columns: &[Column],
    separator: &str,
    na_rep: Option<&str>,
    ends: bool,
    nulls: Nulls,
    ctx: &Context,
) -> Result<Column> {
    for column in columns {
        TextsView::new(column)?;
    }
    let (len, temporary) = (columns.first().map_or(0, Column::len), ctx.temporary()?);
    let views = DeviceViews::new(columns, &temporary)?;
    let between = DeviceUVec::from_slice(separator.as_bytes(), &temporary)?;
    // An address even where it is empty.
    let missing = na_rep
        .map(|text| DeviceUVec::from_slice(&[text.as_bytes(), &[0]].concat(), &temporary))
        .transpose()?;
    let na_size = na_rep.map_or(0, str::len);
    let bytes: usize = columns.iter().map(|column| column.data().map_or(0, |data| data.len())).sum();
    let added = columns
        .len()
        .checked_mul(separator.len().saturating_add(na_size))
        .and_then(|each| each.checked_mul(len));
    make_texts(len, added.and_then(|added| added.checked_add(bytes)), nulls, ctx, |out| {
        let (count, size) = (views.num_columns(), separator.len());
        // SAFETY: the columns have `len` rows of texts each, the texts have as many bytes; sizes, offsets, bytes and
        // validity are those of the rows.
        unsafe {
            concatenate_texts(
                ctx,
                texts_grid(len),
                &views,
                count,
                len,
                &between,
                size,
                missing.as_ref(),
                na_size,
                ends,
                out.narrow,
                out.wide,
                out.bytes,
                out.validity,
            )
        }
    })
}
