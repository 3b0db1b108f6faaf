//! Files that are read in pieces.

use cuprum_column::{Column, Context, Result, Table};
use cuprum_runtime::nvtx::func_range;

use super::ReadOptions;
use super::read::Plan;
use crate::{Content, NamedTable, Source};

/// A Parquet file that is read in pieces: [`next`](Iterator::next) gives rows while there are any.
pub struct ChunkedReader {
    plan: Plan,
    limit: Option<usize>,
    pass_limit: Option<usize>,
    /// Rows that were decoded and are more than a piece may have, and about how many bytes they are.
    rest: Option<(Content, usize)>,
    begun: bool,
    ctx: Context,
}

impl ChunkedReader {
    /// A file whose pieces have at most `limit` bytes of memory each (buffers whole, masks padded), but one row at
    /// least. Without a limit there is one piece.
    ///
    /// As many rows are decoded at a time as the file says that fit; lengths of texts that it does not tell are
    /// estimated. Where that proves too much, the rows are copied out in several pieces.
    ///
    /// Fails as [`read_parquet`](super::read_parquet); row groups that cannot be decoded make the piece fail that has
    /// them.
    pub fn new(source: &Source, options: &ReadOptions, limit: Option<usize>, ctx: &Context) -> Result<Self> {
        func_range!(c"parquet.ChunkedReader");
        let plan = Plan::new(source, options)?;
        Ok(Self { plan, limit, pass_limit: None, rest: None, begun: false, ctx: ctx.clone() })
    }

    /// The same, and at most about `bytes` are decoded at a time: pieces are no larger than that.
    pub fn with_pass_limit(mut self, bytes: usize) -> Self {
        self.pass_limit = Some(bytes);
        self
    }

    /// Whether there is another piece. A file without rows has one, for its columns.
    pub fn has_next(&self) -> bool {
        !self.begun || self.rest.is_some() || self.plan.has_next()
    }

    fn piece(&mut self) -> Result<Content> {
        let (content, bytes) = if let Some(rest) = self.rest.take() {
            rest
        } else {
            let most = self.limit.into_iter().chain(self.pass_limit).min();
            let content = self.plan.next(most, &self.ctx)?;
            let bytes = nbytes(&content.data.table);
            if self.limit.is_none_or(|limit| bytes <= limit) {
                return Ok(content);
            }
            (content, bytes)
        };
        let (table, limit) = (&content.data.table, self.limit.unwrap_or(usize::MAX));
        let mut rows = fitting(table.num_rows(), bytes, limit);
        let (piece, own) = loop {
            let piece = table.copy_rows(0, rows, &self.ctx)?;
            let own = nbytes(&piece);
            if own <= limit || rows <= 1 {
                break (piece, own);
            }
            rows = fitting(rows, own, limit).min(rows - 1);
        };
        let left = table.num_rows() - rows;
        if left > 0 {
            let rest = with_rows(&content, table.slice(rows, left)?);
            self.rest = Some((rest, bytes.saturating_sub(own).max(1)));
        }
        Ok(with_rows(&content, piece))
    }
}

impl Iterator for ChunkedReader {
    type Item = Result<Content>;

    fn next(&mut self) -> Option<Result<Content>> {
        func_range!(c"parquet.ChunkedReader.next");
        self.has_next().then(|| {
            self.begun = true;
            self.piece()
        })
    }
}

fn nbytes(table: &Table) -> usize {
    table.columns().iter().map(Column::nbytes).sum()
}

/// The number of rows that likely have `limit` bytes, of `rows` rows of `bytes` bytes; at least one of any.
fn fitting(rows: usize, bytes: usize, limit: usize) -> usize {
    let fitting = (rows as u128 * limit as u128) / bytes.max(1) as u128;
    usize::try_from(fitting).map_or(rows, |fitting| fitting.clamp(1, rows.max(1)).min(rows))
}

/// The same file with other rows.
fn with_rows(content: &Content, table: Table) -> Content {
    Content {
        data: NamedTable { names: content.data.names.clone(), table },
        fields: content.fields.clone(),
        dictionaries: content.dictionaries.clone(),
        metadata: content.metadata.clone(),
        rows: None,
    }
}
