//! The numbers that a vocabulary gives tokens, and parts of words.

use cuprum_column::strings::check_strings;
use cuprum_column::{Column, Context, DataType, Device, Error, HostUVec, Result, StringsView};
use cuprum_runtime::backend::{OnDevice, check_device};
use cuprum_runtime::nvtx::func_range;

use super::cuda;
use super::cuda::vocabulary::DeviceTable;
use super::delimiters::Delimiters;
use cuprum_elements::hashing::functions::murmur3_x86_32;
use cuprum_elements::row_pieces::RowPieces;

/// The prefix of parts of words that are not their first.
const BEHIND: &str = "##";
/// The tokens for words that a vocabulary cannot compose.
const UNKNOWN: [&str; 2] = ["[UNK]", "[unk]"];

/// Texts and their numbers, which are those of their rows; the first of equal ones counts. It is where its texts are.
#[derive(Debug)]
pub struct Vocabulary {
    texts: Column,
    table: Table,
}

/// A table of row numbers with open addressing: less than half of it is taken.
#[derive(Debug)]
enum Table {
    Host(HostTable),
    Device(DeviceTable),
}

#[derive(Debug)]
struct HostTable {
    /// −1 stands for none.
    slots: HostUVec<i32>,
    /// Bytes of the longest text.
    longest: usize,
}

impl OnDevice for Vocabulary {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        self.texts.elsewhere(device)
    }

    fn types(&self) -> String {
        self.texts.types()
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        Self::new(&self.texts.moved_to(ctx)?, ctx)
    }
}

/// The slots of a table of so many rows: a power of two, more than twice as many. `None` for 2³¹ rows and more.
pub(super) fn table_size(rows: usize) -> Option<usize> {
    i32::try_from(rows).ok().and_then(|_| (rows.checked_mul(2)? + 1).checked_next_power_of_two())
}

impl Vocabulary {
    /// The vocabulary of the rows of a column.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where there are none, or nulls among
    /// them, and with [`Overflow`](cuprum_column::ErrorKind::Overflow) for 2³¹ and more.
    pub fn new(texts: &Column, ctx: &Context) -> Result<Self> {
        check_device!(ctx, [texts]);
        check_strings(texts)?;
        if texts.is_empty() {
            return Err(Error::invalid_argument("the vocabulary is empty"));
        }
        let too_many = || Error::overflow(format!("{} texts are too many for a vocabulary", texts.len()));
        let size = table_size(texts.len()).ok_or_else(too_many)?;
        if texts.null_count()? > 0 {
            return Err(Error::invalid_argument("the vocabulary has nulls"));
        }
        let table = if ctx.is_on_gpu() {
            Table::Device(DeviceTable::new(texts, size, ctx)?)
        } else {
            Table::Host(HostTable::new(&texts.view()?.strings()?, size, ctx)?)
        };
        Ok(Self { texts: texts.clone(), table })
    }

    fn host_table(&self) -> Result<&HostTable> {
        match &self.table {
            Table::Host(table) => Ok(table),
            Table::Device(_) => Err(Error::logic("the vocabulary is on a GPU")),
        }
    }
}

impl HostTable {
    fn new(rows: &StringsView<'_>, size: usize, ctx: &Context) -> Result<Self> {
        let (mut slots, mut longest) = (HostUVec::filled(-1i32, size, ctx)?, 0);
        for row in 0..rows.len() {
            let text = rows.get(row);
            longest = longest.max(text.len());
            let slot = slot_of(&slots, rows, text);
            if slots[slot] < 0 {
                slots[slot] = row as i32;
            }
        }
        Ok(Self { slots, longest })
    }

    fn number(&self, rows: &StringsView<'_>, text: &str) -> Option<i32> {
        Some(self.slots[slot_of(&self.slots, rows, text)]).filter(|number| *number >= 0)
    }
}

/// The slot of a text in the table, or the free one for it.
fn slot_of(slots: &[i32], rows: &StringsView<'_>, text: &str) -> usize {
    let most = slots.len() - 1;
    let mut slot = murmur3_x86_32(text.as_bytes(), 0) as usize & most;
    while let Ok(row) = usize::try_from(slots[slot]) {
        if rows.get_opt(row) == Some(text) {
            break;
        }
        slot = (slot + 1) & most;
    }
    slot
}

/// The numbers of the tokens of each row, which stand between characters of `delimiter`, as a list of `Int32`;
/// `default_id` for those that the vocabulary does not have. A null row gives a null.
pub fn tokenize_with_vocabulary(
    column: &Column,
    vocabulary: &Vocabulary,
    delimiter: &str,
    default_id: i32,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.tokenize_with_vocabulary");
    check_device!(ctx, [column, vocabulary]);
    let delimiters = Delimiters::characters(delimiter);
    if let Table::Device(table) = &vocabulary.table {
        return cuda::vocabulary::of_tokens(column, (&vocabulary.texts, table), &delimiters, default_id, ctx);
    }
    let table = vocabulary.host_table()?;
    let known = vocabulary.texts.view()?;
    let known = known.strings()?;
    numbers(column, ctx, |row, take| {
        for token in delimiters.tokens(row) {
            take(table.number(&known, token).unwrap_or(default_id));
        }
    })
}

/// The numbers of the parts of the words of each row, which stand between spaces, as a list of `Int32`: from the left
/// the longest text of the vocabulary that a word, or what is left of it, begins with; behind the first, those are
/// texts that begin with `##`. A word that they do not make up has the one number of `[UNK]`, or of `[unk]` where there
/// is no `[UNK]`. `max_words` bounds the words of each row, 0 does not. A null row gives a null.
///
/// Y. Wu et al., Google's neural machine translation system (2016), as BERT looks parts up; texts are normalized
/// before.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where the vocabulary has no `[UNK]`.
pub fn wordpiece_tokenize(
    column: &Column,
    vocabulary: &Vocabulary,
    max_words: usize,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"tokens.wordpiece_tokenize");
    check_device!(ctx, [column, vocabulary]);
    let delimiters = Delimiters::characters(" ");
    let most = if max_words == 0 { usize::MAX } else { max_words };
    let no_unknown = || Error::invalid_argument(format!("the vocabulary has no {:?}", UNKNOWN[0]));
    if let Table::Device(table) = &vocabulary.table {
        let texts = &vocabulary.texts;
        let mut unknown = None;
        for text in UNKNOWN {
            unknown = unknown.map_or_else(|| table.find(texts, text, ctx), |row| Ok(Some(row)))?;
        }
        let unknown = unknown.ok_or_else(no_unknown)?;
        return cuda::vocabulary::of_parts(column, (texts, table), &delimiters, unknown, most, ctx);
    }
    let table = vocabulary.host_table()?;
    let known = vocabulary.texts.view()?;
    let known = known.strings()?;
    let unknown = UNKNOWN.iter().find_map(|text| table.number(&known, text)).ok_or_else(no_unknown)?;
    numbers(column, ctx, |row, take| {
        for word in delimiters.tokens(row).take(most) {
            // Twice: no number is given before the last part is found.
            if each_part(table, &known, word, |_| ()) {
                each_part(table, &known, word, &mut *take);
            } else {
                take(unknown);
            }
        }
    })
}

/// Calls `take` with the number of every part of a word; false as soon as there is none.
fn each_part(table: &HostTable, known: &StringsView<'_>, word: &str, mut take: impl FnMut(i32)) -> bool {
    let mut part = String::new();
    let mut at = 0;
    while at < word.len() {
        let before = if at == 0 { "" } else { BEHIND };
        let rest = &word[at..];
        let mut len = rest.floor_char_boundary(table.longest.saturating_sub(before.len()));
        part.clear();
        part.push_str(before);
        part.push_str(&rest[..len]);
        loop {
            if len == 0 {
                return false;
            }
            if let Some(number) = table.number(known, &part[..before.len() + len]) {
                take(number);
                break;
            }
            len = rest.floor_char_boundary(len - 1);
        }
        at += len;
    }
    true
}

/// A list for each row of the numbers that `each` gives.
fn numbers(
    column: &Column,
    ctx: &Context,
    each: impl Fn(&str, &mut dyn FnMut(i32)) + Sync,
) -> Result<Column> {
    let view = column.view()?;
    let rows = view.strings()?;
    let text = |row: usize| rows.get_opt(row).unwrap_or("");
    let pieces = RowPieces::new(rows.len(), ctx, |row| {
        let mut count = 0;
        each(text(row), &mut |_| count += 1);
        count
    })?;
    let numbers = pieces.fill_rows(ctx, |row, numbers: &mut [i32]| {
        let mut slots = numbers.iter_mut();
        each(text(row), &mut |number| {
            if let Some(slot) = slots.next() {
                *slot = number;
            }
        });
        Ok(())
    })?;
    let elements = Column::new(DataType::Int32, numbers, None)?;
    Column::lists(pieces.offsets(ctx)?, elements, column.copy_mask(ctx)?)
}
