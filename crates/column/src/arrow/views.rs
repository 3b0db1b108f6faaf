//! Layouts of Arrow that columns do not have: string views and runs.

use std::ops::Range;

use arrow_array::UInt64Array;
use cuprum_runtime::{Context, DeviceSpan, Error, ErrorKind, Result, parallel};

use super::path::Path;
use crate::column::Column;
use crate::null_mask::Bitmap;

/// The rows of a string view array: 16 bytes each, with the text or a place in one of the buffers.
pub(super) struct Views<'a> {
    places: &'a [u8],
    buffers: Vec<&'a [u8]>,
    valid: Option<Bitmap<'a>>,
    len: usize,
}

impl<'a> Views<'a> {
    /// The rows `rows` of an array with these buffers, of which those with a 0 in `valid` are null.
    pub fn new(
        buffers: &'a [DeviceSpan<'_, u8>],
        rows: Range<usize>,
        valid: Option<Bitmap<'a>>,
    ) -> Result<Self> {
        let places = &buffers[0].as_host_slice()?[rows.start * 16..rows.end * 16];
        let buffers = buffers[1..].iter().map(DeviceSpan::as_host_slice).collect::<Result<_>>()?;
        Ok(Self { places, buffers, valid, len: rows.len() })
    }

    /// The text of row `i`, nothing where it is null; rows out of range panic.
    pub fn bytes(&self, i: usize) -> &'a [u8] {
        self.place(i).expect("views are valid")
    }

    /// [`bytes`](Self::bytes); `None` where a view leaves the buffers.
    fn place(&self, i: usize) -> Option<&'a [u8]> {
        if self.valid.is_some_and(|bits| !bits.get(i)) {
            return Some(&[]);
        }
        let view = &self.places[i * 16..(i + 1) * 16];
        let part = |at: usize| i32::from_ne_bytes(view[at..at + 4].try_into().expect("4 bytes"));
        let len = usize::try_from(part(0)).ok()?;
        if len <= 12 {
            return Some(&view[4..4 + len]);
        }
        let (buffer, start) = (usize::try_from(part(8)).ok()?, usize::try_from(part(12)).ok()?);
        self.buffers.get(buffer)?.get(start..start.checked_add(len)?)
    }

    /// Checks that every row lies in its buffer and is text.
    pub fn validate(&self, path: &Path<'_>, ctx: &Context) -> Result<()> {
        let bad = parallel::map_morsels(self.len, ctx, |mut rows| {
            Ok(rows.find(|&i| self.place(i).is_none_or(|bytes| std::str::from_utf8(bytes).is_err())))
        })?;
        match bad.into_iter().flatten().next() {
            None => Ok(()),
            Some(row) if self.place(row).is_none() => {
                Err(path.invalid_buffer(1, "views", format_args!("row {row} leaves the buffers")))
            }
            Some(row) => {
                Err(path.invalid_buffer(1, "views", format_args!("the text of row {row} is not UTF-8")))
            }
        }
    }
}

/// For each row the number of its run. `ends`, the field at `path`, are where the runs end, of which
/// there are `values`.
pub(super) fn run_of_rows(
    ends: &Column,
    values: usize,
    rows: Range<usize>,
    path: &Path<'_>,
) -> Result<UInt64Array> {
    if ends.has_nulls() {
        return Err(path.invalid_buffer(0, "validity", "run ends have nulls"));
    }
    let ends: Vec<i64> = crate::dispatch_storage!(ends.data_type(), T => {
        use crate::stored::Native;
        ends.view()?.values::<T>()?.iter().map(|end| end.as_i64()).collect()
    }, else => Vec::new());
    let mut of_rows: Vec<u64> = Vec::new();
    // Few runs can claim any number of rows.
    of_rows.try_reserve_exact(rows.len()).map_err(|e| {
        Error::new(ErrorKind::OutOfMemory, format!("{} rows of runs", rows.len())).with_source(e)
    })?;
    let (mut run, mut last) = (0, 0);
    while of_rows.len() < rows.len() {
        let Some(&end) = ends.get(run).filter(|_| run < values) else {
            let problem = format!("{run} runs end at row {last}, there are {} rows", rows.end);
            return Err(path.invalid_buffer(1, "data", problem));
        };
        if end <= last {
            let problem = format!("run {run} ends at row {end}, the one before at row {last}");
            return Err(path.invalid_buffer(1, "data", problem));
        }
        let upto = usize::try_from(end).unwrap_or(usize::MAX).min(rows.end);
        let from = rows.start + of_rows.len();
        of_rows.resize(of_rows.len() + upto.saturating_sub(from), run as u64);
        (run, last) = (run + 1, end);
    }
    Ok(UInt64Array::from(of_rows))
}
