//! Reading a whole text: header, sample, chunks, columns.

use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Context, DataType, Detail, Error, Result, Table};
use cuprum_runtime::parallel;

use super::assemble::{Output, Part, Places, RowRange};
use super::chunk::{self, Chars, ChunkColumn, Failure, Parsed, Problem, Rules, Storage, Writer};
use super::header::{self, Columns, HeaderError, Wish};
use super::infer::{Clocks, Kinds};
use super::record_chunks::{self, Span};
use super::tokens::Dialect;
use super::words::Vocabulary;
use super::{Content, ReadOptions, Source};
use crate::NamedTable;
use crate::progress::Progress;
use crate::source::{self, Text};

/// The bytes of a file that are looked at first for some of its rows.
const FIRST_PART: usize = 64 << 10;

pub(super) fn read(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Content> {
    let rules = Rules::of(options);
    let progress = Progress::new("read_csv", source.path());
    // With `nrows` a longer and longer start of the file is looked at until it holds that many.
    let first_part =
        |rows: usize| rows.saturating_mul(256).clamp(FIRST_PART, options.chunk_bytes.max(FIRST_PART));
    let mut limit = options.nrows.map(|rows| first_part(rows).min(options.chunk_bytes).max(16));
    loop {
        let (text, whole) = source::load(source, options.compression, limit, &progress, ctx)?;
        if let Some(found) = locate(source, options, &rules, &text, whole)? {
            let (columns, end) = found;
            let rules = rules.of_first(options, &columns, (text.padded(), end));
            return Reading {
                source,
                options,
                rules: &rules,
                text: &text,
                end,
                columns: &columns,
                progress: &progress,
                ctx,
            }
            .run();
        }
        limit = limit.map(|limit| limit.saturating_mul(4));
    }
}

fn dialect(options: &ReadOptions) -> Dialect {
    Dialect {
        separator: options.separator,
        quote: options.quote,
        comment: options.comment,
        skip_blank_lines: options.skip_blank_lines,
    }
}

pub(super) fn header_fields(source: &Source, options: &ReadOptions, ctx: &Context) -> Result<Vec<String>> {
    let mut limit = options.chunk_bytes.max(16);
    loop {
        let (text, whole) = source::load(source, options.compression, Some(limit), &Progress::silent(), ctx)?;
        match header::columns(options, dialect(options), text.padded(), text.len()) {
            Ok(columns) if whole || columns.data_start < text.len() => return Ok(columns.fields),
            Ok(_) | Err(_) if !whole => limit = limit.saturating_mul(4),
            Ok(columns) => return Ok(columns.fields),
            Err(HeaderError::Other(error) | HeaderError::Ended(error)) => {
                return Err(error.context(source.to_string()));
            }
            Err(HeaderError::Unterminated(at)) => {
                let failure = Failure { at, problem: Problem::Unterminated };
                return Err(explain(source, &text, &[], &[], &failure));
            }
        }
    }
}

impl Rules {
    fn of(options: &ReadOptions) -> Self {
        Self {
            dialect: dialect(options),
            thousands: options.thousands,
            decimal: options.decimal,
            most_fields: if options.usecols.is_some() { usize::MAX } else { 0 },
        }
    }

    /// The same where as many fields are taken as the first record of the text has, if they are to be dropped.
    fn of_first(&self, options: &ReadOptions, columns: &Columns, (data, end): (&[u8], usize)) -> Self {
        let mut most_fields = self.most_fields;
        if options.drop_extra_fields {
            let first =
                || first_record(self.dialect, data, (columns.data_start, end)).map(|fields| fields.len());
            most_fields = most_fields.max(options.most_fields.or_else(first).unwrap_or(0));
        }
        Self { most_fields, ..*self }
    }
}

/// The fields of the first record, if there is one that ends.
fn first_record(dialect: Dialect, data: &[u8], (at, end): (usize, usize)) -> Option<Vec<Vec<u8>>> {
    let mut at = at;
    while at < end {
        match dialect.skip_line(data, at, end) {
            Some(next) => at = next,
            None => return dialect.record(data, at, end).ok().map(|(fields, _)| fields),
        }
    }
    None
}

/// The columns and where the text to parse ends; `None` if more text is needed to tell.
fn locate(
    source: &Source,
    options: &ReadOptions,
    rules: &Rules,
    text: &Text,
    whole: bool,
) -> Result<Option<(Columns, usize)>> {
    let data = text.padded();
    let columns = match header::columns(options, rules.dialect, data, text.len()) {
        Ok(columns) => columns,
        Err(HeaderError::Other(error)) => return Err(error.context(source.to_string())),
        Err(_) if !whole => return Ok(None),
        Err(HeaderError::Ended(error)) => return Err(error.context(source.to_string())),
        Err(HeaderError::Unterminated(at)) => {
            return Err(explain(source, text, &[], &[], &Failure { at, problem: Problem::Unterminated }));
        }
    };
    if columns.data_start == text.len() && !whole {
        return Ok(None);
    }
    if let Err(error) = std::str::from_utf8(&text[..columns.data_start]) {
        let failure = Failure { at: error.valid_up_to(), problem: Problem::NotUtf8 };
        return Err(explain(source, text, &[], &[], &failure));
    }
    if options.usecols.is_some() && options.names.is_none() && !options.drop_extra_fields {
        // More fields than names may mean row labels before the first column, or one separator too many.
        let (mut at, end) = (columns.data_start, text.len());
        while let Some(next) = (at < end).then(|| rules.dialect.skip_line(data, at, end)).flatten() {
            at = next;
        }
        if at < end
            && let Ok((fields, _)) = rules.dialect.record(data, at, end)
            && fields.len() > columns.names.len()
        {
            let failure = Failure { at, problem: Problem::TooManyFields { found: fields.len() } };
            return Err(explain(source, text, &columns.names, &[], &failure));
        }
    }
    let Some(nrows) = options.nrows else { return Ok(Some((columns, text.len()))) };
    match skip_records(rules.dialect, data, (columns.data_start, text.len()), nrows) {
        // A record that ends at the end of a part of the file may go on behind it.
        Some(end) if whole || end < text.len() => Ok(Some((columns, end))),
        _ if whole => Ok(Some((columns, text.len()))),
        _ => Ok(None),
    }
}

pub(super) fn end_of_records(text: &[u8], records: usize, options: &ReadOptions) -> Option<usize> {
    let dialect = dialect(options);
    let (mut at, mut left) = (0, records);
    while left > 0 {
        if at >= text.len() {
            return None;
        }
        if let Some(next) = dialect.skip_line(text, at, text.len()) {
            at = next;
        } else {
            at = dialect.skip_record(text, at, text.len()).ok()?;
            left -= 1;
        }
    }
    // The line end of the last record may go on behind the text, and so may the record.
    (at < text.len() || text.last() == Some(&b'\n')).then_some(at)
}

/// The position behind the first `n` records of `data[at..end]`; `None` where a quoted field does
/// not end, `end` where there are fewer.
fn skip_records(dialect: Dialect, data: &[u8], (at, end): (usize, usize), n: usize) -> Option<usize> {
    let (mut at, mut left) = (at, n);
    while left > 0 && at < end {
        if let Some(next) = dialect.skip_line(data, at, end) {
            at = next;
        } else {
            at = dialect.skip_record(data, at, end).ok()?;
            left -= 1;
        }
    }
    Some(at)
}

/// The chunks of a short text.
const CHUNKS_PER_THREAD: usize = 4;

/// Bytes of a chunk that are worth a task.
const LEAST_CHUNK: usize = 64 << 10;

struct Reading<'a> {
    source: &'a Source,
    options: &'a ReadOptions,
    rules: &'a Rules,
    text: &'a Text,
    end: usize,
    columns: &'a Columns,
    progress: &'a Progress,
    ctx: &'a Context,
}

/// The treatment of a column in one pass over the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Passed over.
    Skip,
    /// Its kinds are collected, nothing is stored.
    Classify,
    /// Stored as this type; `inferred` as for [`ChunkColumn`].
    Store { data_type: DataType, inferred: bool },
}

/// The result of a pass for a column.
struct Passed {
    output: Output,
    parts: Vec<Part>,
    kinds: Kinds,
    clocks: Clocks,
    any: bool,
    complete: bool,
}

/// The result of a span: rows, next record, and every column's part.
struct SpanResult {
    parsed: Parsed,
    columns: Vec<ColumnResult>,
}

struct ColumnResult {
    part: Part,
    kinds: Kinds,
    clocks: Clocks,
    any: bool,
    complete: bool,
}

impl Reading<'_> {
    fn run(&self) -> Result<Content> {
        let located = |e: Error| e.context(self.source.to_string());
        let wishes = self.columns.wishes(self.options).map_err(located)?;
        let words = self.columns.words(self.options).map_err(located)?;
        let words = words.each();
        let range = (self.columns.data_start, self.end);
        // Enough chunks that the threads end at about the same time, also where the text is short.
        let share = (self.end - self.columns.data_start) / (CHUNKS_PER_THREAD * parallel::num_threads());
        let chunk = self.options.chunk_bytes.min(share.max(LEAST_CHUNK)).max(1);
        let (mut spans, quotes) =
            record_chunks::spans(self.text.padded(), range, chunk, self.rules.dialect.quote, self.ctx)?;
        let tasks = self.guess(&wishes, &words, &spans, quotes);
        let (passed, rows) = self.pass((&mut spans, !quotes), &tasks, &words)?;
        let num_rows: usize = rows.iter().map(|r| r.len).sum();

        // Columns whose type was guessed wrong are parsed again, now as the type they are known to have.
        let mut again = vec![Task::Skip; tasks.len()];
        let mut types = Vec::with_capacity(tasks.len());
        let mut offsets = Vec::with_capacity(tasks.len());
        for (i, (wish, column)) in wishes.iter().zip(&passed).enumerate() {
            let (data_type, inferred) = match wish {
                Wish::Skip => {
                    types.push(None);
                    continue;
                }
                Wish::Type(data_type) => (*data_type, false),
                Wish::Dates => (column.kinds.date_type(), true),
                Wish::Infer => {
                    let mut all = column.kinds;
                    if let (Task::Store { data_type, .. }, true) = (tasks[i], column.any) {
                        all.add(Kinds::implied_by(data_type));
                    }
                    if all.are_numbers_and_truths() && words[i].has_numeric_truths() {
                        return Err(Error::unsupported(format!(
                            "{}: column '{}' has truth values and numbers where `true_values` or `false_values` \
                             have numbers, too: give its `dtype`",
                            self.source, self.columns.names[i]
                        )));
                    }
                    let missing = if num_rows == 0 { DataType::String } else { DataType::Float64 };
                    (all.data_type().unwrap_or(missing), true)
                }
            };
            types.push(Some(data_type));
            offsets.push(if *wish == Wish::Dates { self.offset(i, column.clocks)? } else { None });
            let same = match tasks[i] {
                Task::Store { data_type: stored, .. } => stored == data_type && column.complete,
                Task::Classify => !column.any,
                Task::Skip => true,
            };
            if !same {
                again[i] = Task::Store { data_type, inferred };
            }
        }
        let repeated = if again.iter().all(|task| *task == Task::Skip) {
            None
        } else {
            Some(self.pass((&mut spans, !quotes), &again, &words)?)
        };
        Ok(Content { data: self.finish((passed, rows), repeated, &again, &types, num_rows)?, offsets })
    }

    /// The offset from UTC of the times of column `i`, if they say one.
    fn offset(&self, i: usize, clocks: Clocks) -> Result<Option<i16>> {
        match clocks {
            Clocks::None => Ok(None),
            Clocks::One(offset) => Ok(offset),
            Clocks::Several => Err(Error::invalid_argument(format!(
                "{}: column '{}': mixed time zones detected: the times have several offsets from UTC, or some have none",
                self.source, self.columns.names[i]
            ))
            .with_detail(Detail::MixedOffsets)),
        }
    }

    fn finish(
        &self,
        first: (Vec<Passed>, Vec<RowRange>),
        second: Option<(Vec<Passed>, Vec<RowRange>)>,
        again: &[Task],
        types: &[Option<DataType>],
        num_rows: usize,
    ) -> Result<NamedTable> {
        let (passed, rows) = first;
        let (mut repeated, second_rows) = match second {
            Some((passed, rows)) => (passed.into_iter().map(Some).collect(), rows),
            None => (Vec::new(), Vec::new()),
        };
        let mut work = Vec::new();
        let mut names = Vec::new();
        for (i, column) in passed.into_iter().enumerate() {
            let Some(data_type) = types[i] else { continue };
            names.push(self.columns.names[i].clone());
            if again[i] == Task::Skip {
                work.push((column, &rows, data_type));
            } else {
                let column: Passed = repeated[i].take().expect("every column was passed again");
                if !column.complete {
                    return Err(Error::logic(format!("column '{}' kept changing its type", names[i])));
                }
                work.push((column, &second_rows, data_type));
            }
        }
        let columns = parallel::map_items(work, self.ctx, |(column, rows, data_type)| {
            // SAFETY: the column is complete, so every chunk wrote all of its rows; all text that was parsed has been
            // checked to be UTF-8 and is cut at ASCII bytes only.
            unsafe { column.output.finish(data_type, rows, &column.parts, self.ctx) }
        })?;
        Ok(NamedTable { names, table: Table::with_rows(columns, num_rows)? })
    }

    /// The first task of each column: a guess by the kinds of fields in some records at the start, and, where
    /// no quotes make record borders uncertain, at some more places.
    fn guess(&self, wishes: &[Wish], words: &[&Vocabulary], spans: &[Span], quotes: bool) -> Vec<Task> {
        const FIRST: usize = 256;
        const OTHERS: usize = 32;
        let data = self.text.padded();
        let mut columns: Vec<ChunkColumn<'_>> = wishes
            .iter()
            .zip(words)
            .map(|(wish, words)| {
                let infer = *wish == Wish::Infer;
                let writer = if infer { Writer::Classify } else { Writer::Skip };
                ChunkColumn::new(self.rules, words, writer, true)
            })
            .collect();
        let step = if quotes { spans.len().max(1) } else { spans.len().div_ceil(8).max(1) };
        for (i, span) in spans.iter().step_by(step).enumerate() {
            let records = if i == 0 { FIRST } else { OTHERS };
            let range = (span.start, span.stop);
            let Some(stop) = skip_records(self.rules.dialect, data, range, records) else { break };
            // A failure will be met again, and reported, by the pass over everything.
            let _ = chunk::parse(self.rules, data, (span.start, stop.min(span.stop), self.end), &mut columns);
        }
        let task = |(wish, column): (&Wish, ChunkColumn<'_>)| {
            let kinds = column.kinds;
            let may_be_truths = kinds.has(Kinds::BOOLEAN) && !kinds.has(Kinds::TEXT);
            let is_unclear = kinds.may_become_floats() || may_be_truths && column.words.has_numeric_truths();
            if *wish == Wish::Infer && is_unclear { Task::Classify } else { first_task(*wish, kinds) }
        };
        wishes.iter().zip(columns).map(task).collect()
    }

    /// One pass over the text; afterwards the spans are what they turned out to be. Where they are certain before, the
    /// first that fails ends it.
    fn pass(
        &self,
        (spans, are_certain): (&mut [Span], bool),
        tasks: &[Task],
        words: &[&Vocabulary],
    ) -> Result<(Vec<Passed>, Vec<RowRange>)> {
        let mut starts = Vec::with_capacity(spans.len());
        let mut total = 0;
        for span in spans.iter() {
            starts.push(total);
            total += span.lines;
        }
        let mut outputs = tasks
            .iter()
            .map(|task| {
                let storage = match task {
                    Task::Skip | Task::Classify => Storage::None,
                    Task::Store { data_type, .. } => Storage::of(*data_type),
                };
                Output::new(storage, total, self.ctx)
            })
            .collect::<Result<Vec<_>>>()?;
        let places: Vec<Places<'_>> = outputs.iter_mut().map(Output::places).collect();
        let parse = |span: Span, first_row: usize, end: usize| {
            // SAFETY: the rows of the spans are disjoint parts of the output, and a span is parsed
            // by one thread at a time.
            unsafe { self.span(span, first_row..first_row + span.lines, end, tasks, words, &places) }
        };
        let all: &[Span] = spans;
        let failed = AtomicUsize::new(usize::MAX);
        let mut results = parallel::map_ranges(all.len(), 1, self.ctx, |range| {
            let span = all[range.start];
            if failed.load(Ordering::Relaxed) < range.start {
                return Ok(None);
            }
            // A span that starts in the middle of a quoted field could run to the end of the text:
            // it is stopped after a while, and parsed again if it turns out to be right.
            let end = self.end.min(span.stop + 4 * (span.stop - span.start) + 16 * self.options.chunk_bytes);
            let result = parse(span, starts[range.start], end);
            if are_certain && result.is_err() {
                failed.fetch_min(range.start, Ordering::Relaxed);
            }
            self.progress.advance((span.stop - span.start) / 2);
            Ok(match result {
                Ok(result) if result.parsed.next >= end && end < self.end => None,
                Err(_) if end < self.end => None,
                result => Some(result),
            })
        })?;
        let mut next = self.columns.data_start;
        let mut done = Vec::with_capacity(spans.len());
        for ((span, first_row), result) in spans.iter_mut().zip(&starts).zip(&mut results) {
            let right = span.start == next;
            span.start = next;
            let result = match result.take() {
                Some(result) if right => result,
                _ => {
                    self.ctx.check()?;
                    parse(*span, *first_row, self.end)
                }
            };
            let result = result
                .map_err(|failure| explain(self.source, self.text, &self.columns.names, tasks, &failure))?;
            next = result.parsed.next;
            done.push(result);
        }
        let mut rows = Vec::with_capacity(done.len());
        for ((span, result), start) in spans.iter_mut().zip(&done).zip(starts) {
            rows.push(RowRange { start, len: result.parsed.rows });
            span.lines = result.parsed.rows;
        }
        let mut passed: Vec<Passed> = outputs
            .into_iter()
            .map(|output| Passed {
                output,
                parts: Vec::with_capacity(done.len()),
                kinds: Kinds::NONE,
                clocks: Clocks::default(),
                any: false,
                complete: true,
            })
            .collect();
        for result in done {
            for (column, chunk) in passed.iter_mut().zip(result.columns) {
                column.parts.push(chunk.part);
                column.kinds.add(chunk.kinds);
                column.clocks.add(chunk.clocks);
                column.any |= chunk.any;
                column.complete &= chunk.complete;
            }
        }
        Ok((passed, rows))
    }

    /// Parses one span into the rows `range`.
    ///
    /// # Safety
    /// The rows lie inside the places and nobody else uses them meanwhile.
    unsafe fn span(
        &self,
        span: Span,
        range: std::ops::Range<usize>,
        end: usize,
        tasks: &[Task],
        words: &[&Vocabulary],
        places: &[Places<'_>],
    ) -> Result<SpanResult, Failure> {
        let data = self.text.padded();
        let mut columns: Vec<ChunkColumn<'_>> = tasks
            .iter()
            .zip(words)
            .zip(places)
            .map(|((task, words), places)| {
                let (writer, inferred) = match task {
                    Task::Skip => (Writer::Skip, true),
                    Task::Classify => (Writer::Classify, true),
                    Task::Store { data_type, inferred } => {
                        // SAFETY: the range lies inside the output, and belongs to this span alone.
                        (unsafe { places.writer(*data_type, range.clone()) }, *inferred)
                    }
                };
                ChunkColumn::new(self.rules, words, writer, inferred)
            })
            .collect();
        let parsed = chunk::parse(self.rules, data, (span.start, span.stop, end), &mut columns)?;
        if let Err(error) = std::str::from_utf8(&data[span.start..parsed.next]) {
            return Err(Failure { at: span.start + error.valid_up_to(), problem: Problem::NotUtf8 });
        }
        let columns = columns
            .into_iter()
            .zip(tasks)
            .map(|(column, task)| {
                let classified = matches!(column.writer, Writer::Classify) && *task != Task::Classify;
                let chars = match column.writer {
                    Writer::Text { chars, .. } => chars,
                    _ => Chars::default(),
                };
                // Nanoseconds were only counted while the unit was microseconds.
                let complete = !classified && !column.kinds.has(Kinds::NANOSECONDS);
                let part = Part { validity: column.validity, chars };
                ColumnResult { part, kinds: column.kinds, clocks: column.clocks, any: column.any, complete }
            })
            .collect();
        Ok(SpanResult { parsed, columns })
    }
}

fn first_task(wish: Wish, kinds: Kinds) -> Task {
    match wish {
        Wish::Skip => Task::Skip,
        Wish::Infer => match kinds.data_type() {
            Some(data_type) => Task::Store { data_type, inferred: true },
            None => Task::Classify,
        },
        Wish::Dates => Task::Store { data_type: Kinds::NONE.date_type(), inferred: true },
        Wish::Type(data_type) => Task::Store { data_type, inferred: false },
    }
}

/// The error for a failure, with the line it is in.
fn explain(source: &Source, text: &Text, names: &[String], tasks: &[Task], failure: &Failure) -> Error {
    let before = &text[..failure.at.min(text.len())];
    let lines = before
        .iter()
        .enumerate()
        .filter(|&(i, &byte)| byte == b'\n' || byte == b'\r' && text.get(i + 1) != Some(&b'\n'));
    let line = lines.count() + 1;
    let (what, detail) = match &failure.problem {
        &Problem::TooManyFields { found } => {
            let expected = names.len();
            let what = format!("line {line} has {found} fields, expected {expected}");
            (what, Some(Detail::FieldCount { found, expected }))
        }
        Problem::Unterminated => (
            format!("the quoted field that begins in line {line} does not end before the text does"),
            Some(Detail::UnterminatedField),
        ),
        Problem::Misfit { column, text } => {
            const SHOWN: usize = 80;
            let value = String::from_utf8_lossy(text);
            let cut = value.chars().count() > SHOWN;
            let value: String = value.chars().take(SHOWN).collect();
            let more = if cut { "…" } else { "" };
            let name = names.get(*column).map_or("?", String::as_str);
            let data_type = match tasks.get(*column) {
                Some(Task::Store { data_type, .. }) => data_type.to_string(),
                _ => "the declared type".to_string(),
            };
            (format!("line {line}, column '{name}': '{value}{more}' is not {data_type}"), None)
        }
        Problem::NotUtf8 => {
            let byte = text.get(failure.at).copied().unwrap_or(0);
            let what = format!("line {line}: byte 0x{byte:02X} at offset {} is not UTF-8", failure.at);
            (what, Some(Detail::NotUtf8 { byte, offset: failure.at }))
        }
        Problem::TooMuchText => {
            return Error::unsupported(format!(
                "{source}: more than 4 GiB of text in one column near line {line} without a line end"
            ));
        }
    };
    let error = Error::invalid_argument(format!("{source}: {what}"));
    match detail {
        Some(detail) => error.with_detail(detail),
        None => error,
    }
}
