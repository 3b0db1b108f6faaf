//! Digests of rows on the host.

use std::ops::Range;

use cuprum_column::{Bitmap, Column, Context, DataType, HostUVec, ListsView, Result};
use cuprum_runtime::parallel;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha224, Sha256, Sha384, Sha512};

use super::DigestAlgorithm;
use super::values::{Value, Visitor, visit_values};

/// Rows that are digested together, column after column.
const BLOCK: usize = 256;

/// The digests of `len` rows in hexadecimal, one behind the other.
pub(super) fn rows(
    columns: &[Column],
    len: usize,
    algorithm: DigestAlgorithm,
    ctx: &Context,
) -> Result<HostUVec<u8>> {
    match algorithm {
        DigestAlgorithm::Md5 => rows_of::<Md5>(columns, len, ctx),
        DigestAlgorithm::Sha1 => rows_of::<Sha1>(columns, len, ctx),
        DigestAlgorithm::Sha224 => rows_of::<Sha224>(columns, len, ctx),
        DigestAlgorithm::Sha256 => rows_of::<Sha256>(columns, len, ctx),
        DigestAlgorithm::Sha384 => rows_of::<Sha384>(columns, len, ctx),
        DigestAlgorithm::Sha512 => rows_of::<Sha512>(columns, len, ctx),
    }
}

fn rows_of<D: Digest>(columns: &[Column], len: usize, ctx: &Context) -> Result<HostUVec<u8>> {
    let width = 2 * <D as Digest>::output_size();
    let mut out = HostUVec::<u8>::uninit(len * width, ctx)?;
    let places = out.output();
    parallel::for_ranges(len, BLOCK, ctx, &|rows| {
        let mut messages: Vec<D> = rows.clone().map(|_| D::new()).collect();
        for column in columns {
            add_column(column, rows.clone(), &mut messages)?;
        }
        for (row, message) in rows.zip(messages) {
            // SAFETY: the rows' places are disjoint and inside.
            let hex = unsafe { places.slice(row * width..(row + 1) * width) };
            for (pair, byte) in hex.chunks_exact_mut(2).zip(message.finalize()) {
                let digit = |value: u8| b"0123456789abcdef"[usize::from(value)];
                pair[0].write(digit(byte >> 4));
                pair[1].write(digit(byte & 15));
            }
        }
        Ok(())
    })?;
    // SAFETY: every row has written its place.
    Ok(unsafe { out.assume_init() })
}

fn add_column<D: Digest>(column: &Column, rows: Range<usize>, messages: &mut [D]) -> Result<()> {
    let view = column.view()?;
    let first = rows.start;
    let add: &mut Add<'_> = &mut |row, bytes| messages[row - first].update(bytes);
    match column.data_type() {
        DataType::Empty => Ok(()),
        DataType::List => {
            let (lists, elements) = (view.lists()?, &column.children()[1]);
            let elements_view = elements.view()?;
            let elements_validity = elements_view.validity();
            if elements.data_type() == DataType::Empty {
                return Ok(());
            }
            visit_values(
                elements,
                AddLists { rows, validity: view.validity(), lists, elements_validity, add },
            )
        }
        _ => visit_values(column, AddValues { rows, validity: view.validity(), add }),
    }
}

/// Adds bytes to the message of a row. Behind a reference, so that the code that reads values is compiled
/// once for all digests. The call is cheap beside a digest.
type Add<'a> = dyn FnMut(usize, &[u8]) + 'a;

/// Adds the values of a column to the messages of some rows; nulls add nothing.
struct AddValues<'a> {
    rows: Range<usize>,
    validity: Option<Bitmap<'a>>,
    add: &'a mut Add<'a>,
}

impl Visitor for AddValues<'_> {
    fn visit<V: Value>(self, value: impl Fn(usize) -> V) {
        for row in self.rows {
            if self.validity.is_none_or(|bits| bits.get(row)) {
                value(row).with_bytes(true, |bytes| (self.add)(row, bytes));
            }
        }
    }
}

/// The same for a column of lists: their elements in order.
struct AddLists<'a> {
    rows: Range<usize>,
    validity: Option<Bitmap<'a>>,
    lists: ListsView<'a>,
    elements_validity: Option<Bitmap<'a>>,
    add: &'a mut Add<'a>,
}

impl Visitor for AddLists<'_> {
    fn visit<V: Value>(self, value: impl Fn(usize) -> V) {
        for row in self.rows {
            if self.validity.is_some_and(|bits| !bits.get(row)) {
                continue;
            }
            for i in self.lists.range(row) {
                if self.elements_validity.is_none_or(|bits| bits.get(i)) {
                    value(i).with_bytes(true, |bytes| (self.add)(row, bytes));
                }
            }
        }
    }
}
