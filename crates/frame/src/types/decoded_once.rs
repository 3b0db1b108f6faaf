//! Columns of files that are decoded when somebody reads them, each at most once.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use cuprum_column::{Column, Context, DataType, Result};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_io::parquet::{CodedTexts, EncodedColumn};
use cuprum_runtime::buffer::{LateReader, copy_on_write, with_copy_on_write};
use cuprum_runtime::fork;

use super::rows::{Ascending, Picked, Rows};

/// Who takes rows of a column later.
pub(super) trait RowsReader: LateReader {
    /// Whether its rows are too few to keep a column of so many for them.
    fn holds_too_much(&self, rows: usize) -> bool;
}

/// A column of a file in memory, and once it is decoded the column.
pub(super) struct DecodedOnce {
    len: usize,
    data_type: DataType,
    copies_on_write: bool,
    state: fork::Mutex<State>,
    /// The number of values of pages that were unpacked for some rows and not kept. From half of the column on it is decoded
    /// whole, so that however often rows are taken, pages are unpacked about twice.
    unkept: AtomicUsize,
    /// Whether the decoded column has been given to one who may give its memory away.
    is_given: AtomicBool,
    /// Distinct texts and the rows of them that the column has, once they were needed; `None` where there are many.
    coded: OnceLock<Option<(Column, Arc<Rows>)>>,
}

enum State {
    Encoded {
        column: EncodedColumn,
        /// Who takes rows later.
        readers: Vec<Weak<dyn RowsReader>>,
    },
    Decoded(Column),
}

impl fmt::Debug for DecodedOnce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.state.lock() {
            State::Encoded { column, .. } => column.fmt(f),
            State::Decoded(column) => column.fmt(f),
        }
    }
}

impl DecodedOnce {
    pub fn new(column: EncodedColumn) -> Self {
        Self {
            len: column.len(),
            data_type: column.data_type(),
            copies_on_write: copy_on_write(),
            state: fork::Mutex::new(State::Encoded { column, readers: Vec::new() }),
            unkept: AtomicUsize::new(0),
            is_given: AtomicBool::new(false),
            coded: OnceLock::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    fn encoded(&self) -> Option<EncodedColumn> {
        match &*self.state.lock() {
            State::Encoded { column, .. } => Some(column.clone()),
            State::Decoded(_) => None,
        }
    }

    /// The column, if it is decoded.
    pub fn decoded(&self) -> Option<Column> {
        match &*self.state.lock() {
            State::Encoded { .. } => None,
            State::Decoded(column) => Some(column.clone()),
        }
    }

    /// Decimals as floats, of a column that is not decoded.
    pub fn as_floats(&self) -> Option<Self> {
        self.encoded()?.as_floats().map(Self::new)
    }

    /// The distinct texts of a column that was not decoded, and which row has which; `None` for other columns, and where
    /// there are many.
    pub fn coded(&self, ctx: &Context) -> Result<Option<(Column, Arc<Rows>)>> {
        if let Some(coded) = self.coded.get() {
            return Ok(coded.clone());
        }
        let Some(encoded) = self.encoded().filter(|column| column.data_type() == DataType::String) else {
            return Ok(None);
        };
        let coded = with_copy_on_write(self.copies_on_write, || encoded.decode_codes(ctx))?;
        let coded = coded
            .map(|CodedTexts { codes, values }| (values, Rows::new(Picked::Numbers(codes), None, false)));
        let _section = fork::section();
        Ok(self.coded.get_or_init(|| coded).clone())
    }

    /// Remembers who takes rows later; see [`Column::read_late`].
    pub fn read_late(&self, reader: Weak<dyn RowsReader>) -> bool {
        match &mut *self.state.lock() {
            State::Encoded { readers, .. } => {
                if readers.len() == readers.capacity() {
                    readers.retain(|reader| reader.strong_count() > 0);
                }
                readers.push(reader);
                true
            }
            State::Decoded(column) => column.read_late(&(reader as Weak<dyn LateReader>)),
        }
    }

    /// The column, decoded now unless it was. Two threads may decode it at once.
    pub fn column(&self, ctx: &Context) -> Result<Column> {
        let encoded = match &*self.state.lock() {
            State::Encoded { column, .. } => column.clone(),
            State::Decoded(column) => return Ok(column.clone()),
        };
        let decoded = with_copy_on_write(self.copies_on_write, || encoded.decode(ctx))?;
        let mut state = self.state.lock();
        let readers = match &mut *state {
            State::Decoded(decoded) => return Ok(decoded.clone()),
            State::Encoded { readers, .. } => std::mem::take(readers),
        };
        for reader in &readers {
            // Nobody has an address of memory that was just made.
            let _ = decoded.read_late(&(Weak::clone(reader) as Weak<dyn LateReader>));
        }
        let encoded = std::mem::replace(&mut *state, State::Decoded(decoded.clone()));
        drop(state);
        drop(encoded);
        // Where there is no memory for few rows they still hold all.
        let few = readers.iter().filter_map(Weak::upgrade).filter(|reader| reader.holds_too_much(self.len));
        few.for_each(|reader| drop(reader.read_now()));
        Ok(decoded)
    }

    /// All rows: the decoded column for the first one who asks, in memory of their own for others.
    pub fn whole(&self, copies_on_write: bool, ctx: &Context) -> Result<Column> {
        let column = self.column(ctx)?;
        if copies_on_write == self.copies_on_write && !self.is_given.swap(true, Ordering::Relaxed) {
            Ok(column)
        } else {
            column.deep_copy(ctx)
        }
    }

    /// Some rows, in memory that the decoded column does not use; only these are decoded where that takes less time.
    pub fn take(&self, rows: &Rows, ctx: &Context) -> Result<Column> {
        if let Some(Some((values, codes))) = self.coded.get()
            && !rows.may_miss
        {
            return codes.picking_numbers(rows.numbers(ctx)?).take_column(values.clone(), ctx);
        }
        if self.unkept.load(Ordering::Relaxed) < self.len / 2
            && let Some(encoded) = self.encoded()
            && let Some(Ascending { numbers, places }) = rows.ascending(self.len, ctx)?
        {
            if let Some((column, unpacked)) = encoded.decode_rows(&numbers, ctx)? {
                self.unkept.fetch_add(unpacked, Ordering::Relaxed);
                return match places {
                    Some(places) => gather_column(&column, &places, OutOfBoundsPolicy::Check, ctx),
                    None => Ok(column),
                };
            }
            self.unkept.store(self.len, Ordering::Relaxed);
        }
        let column = self.column(ctx)?;
        let taken = rows.take_column(column.clone(), ctx)?;
        // A slice, and all rows.
        let is_shared = taken.data().zip(column.data()).is_some_and(|(one, other)| one.is_same_memory(other));
        if is_shared { taken.deep_copy(ctx) } else { Ok(taken) }
    }
}
