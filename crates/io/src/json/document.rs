//! Documents: where their columns, rows and labels stand.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{ArrowError, Schema};
use arrow_select::take::take;
use cuprum_column::{Context, Error, Result};
use jiter::Peek;

use super::columns::{self, Kind};
use super::parse::{Cause, Fault, Parser, RawColumns, checked, too_sparse};
use super::rows::{RowKind, Rows};
use super::values::{Fields, Text, Values};
use super::{JsonContent, Layout, ReadOptions};
use super::{assemble, lines};
use crate::progress::Progress;
use crate::{Source, batches, source};

pub(super) fn read(from: &Source, options: &ReadOptions, ctx: &Context) -> Result<JsonContent> {
    if options.nrows.is_some() && !options.lines {
        return Err(Error::invalid_argument("`nrows` is for `lines` only"));
    }
    let progress = Progress::new("read_json", from.path());
    if options.lines
        && options.nrows.is_none()
        && let Some(((parts, kind), len)) = lines::of_file(from, options.compression, &progress, ctx)?
    {
        let parsed = Parsed { parts, ..Parsed::of_rows(Fields::new(0), kind) };
        return finish(parsed, len, ctx).map_err(|e| e.context(from.to_string()));
    }
    let (text, _) = source::load(from, options.compression, None, &progress, ctx)?;
    let error = |fault: Fault| fault.into_error(from, &text);
    let start = checked(&text).map_err(error)?;
    let mut raw = RawColumns::new();
    loop {
        match parse(&text, start, options, &raw, &progress, ctx)? {
            Ok(parsed) => return finish(parsed, text.len(), ctx).map_err(|e| e.context(from.to_string())),
            Err(fault) if options.mixed_as_text && fault.cause == Cause::Mixed => match fault.path.last() {
                // Every round has one more column of texts.
                Some(column) if raw.insert(column.clone()) => {}
                _ => return Err(error(fault)),
            },
            Err(fault) => return Err(error(fault)),
        }
    }
}

/// The content of a text.
struct Parsed {
    parts: Vec<Fields>,
    /// The labels of numbered columns.
    names: Option<Values>,
    index: Option<Values>,
    numbered: bool,
    /// Columns that have labels of their own.
    labelled: Vec<(String, Values, Option<Text>)>,
}

impl Parsed {
    fn of_rows(rows: Fields, kind: Option<RowKind>) -> Self {
        let numbered = matches!(kind, Some(RowKind::Arrays | RowKind::Scalars));
        Self { parts: vec![rows], names: None, index: None, numbered, labelled: Vec::new() }
    }
}

type Outcome<T> = std::result::Result<T, Fault>;

fn parse(
    text: &[u8],
    start: usize,
    options: &ReadOptions,
    raw: &RawColumns,
    progress: &Progress,
    ctx: &Context,
) -> Result<Outcome<Parsed>> {
    let body = &text[start..];
    if options.lines {
        let body = options.nrows.map_or(body, |nrows| lines::first(body, nrows));
        let parts = lines::parse(body, start, raw, progress, ctx)?;
        return Ok(parts.map(|(parts, kind)| Parsed { parts, ..Parsed::of_rows(Fields::new(0), kind) }));
    }
    let mut parser = Parser::new(body, start);
    let mut document = Document { parser: &mut parser, raw };
    let parsed = document.all(options.layout);
    progress.advance(body.len() / 2);
    Ok(parsed.and_then(|parsed| parser.finish().map(|()| parsed)))
}

struct Document<'p, 'j, 'r> {
    parser: &'p mut Parser<'j>,
    raw: &'r RawColumns,
}

impl Document<'_, '_, '_> {
    fn all(&mut self, layout: Layout) -> Outcome<Parsed> {
        let peek = self.parser.peek()?;
        match (layout, peek) {
            (Layout::Columns, Peek::Array) => self.rows(false),
            (Layout::Columns, Peek::Object) => self.columns(),
            (Layout::Index, Peek::Object) => self.labelled_rows(false),
            (Layout::Split | Layout::SplitSeries, Peek::Object) => self.split(layout),
            (Layout::Series, Peek::Array) => self.rows(true),
            (Layout::Series, Peek::Object) => self.labelled_rows(true),
            (Layout::Columns | Layout::Series, _) => {
                Err(Fault::new(self.parser.at(), "an array or an object was expected"))
            }
            _ => Err(Fault::new(self.parser.at(), "an object was expected")),
        }
    }

    /// An array of rows; of single values, whatever they are, for a series.
    fn rows(&mut self, single: bool) -> Outcome<Parsed> {
        let rows = self.row_list(single)?;
        Ok(Parsed::of_rows(rows.fields, rows.kind))
    }

    fn row_list(&mut self, single: bool) -> Outcome<Rows<'_>> {
        let mut rows = Rows::new(self.raw);
        let mut next = self.parser.first()?;
        while let Some(peek) = next {
            if single {
                rows.scalar(self.parser, peek)?;
            } else {
                rows.row(self.parser, peek)?;
            }
            next = self.parser.step()?;
        }
        Ok(rows)
    }

    /// An object of rows by their labels.
    fn labelled_rows(&mut self, single: bool) -> Outcome<Parsed> {
        let mut rows = Rows::new(self.raw);
        let mut labels = Text::new(0);
        let mut key = self.parser.first_key()?.map(|key| labels.push(key.as_bytes()));
        while key.is_some() {
            let peek = self.parser.peek()?;
            if single {
                rows.scalar(self.parser, peek)?;
            } else {
                rows.row(self.parser, peek)?;
            }
            key = self.parser.next_key()?.map(|key| labels.push(key.as_bytes()));
        }
        Ok(Parsed { index: Some(Values::Text(labels)), ..Parsed::of_rows(rows.fields, rows.kind) })
    }

    /// An object of columns.
    fn columns(&mut self) -> Outcome<Parsed> {
        let mut columns: Vec<(String, Values, Option<Text>)> = Vec::new();
        let mut names = HashSet::new();
        let mut name = self.parser.first_key()?.map(str::to_owned);
        while let Some(column) = name {
            let at = self.parser.at();
            if !names.insert(column.clone()) {
                return Err(Fault::new(at, format!("an object has the key '{column}' twice")));
            }
            let mut values =
                if self.raw.contains(&column) { Values::Raw(Text::new(0)) } else { Values::Null(0) };
            let inside = |mut fault: Fault| {
                fault.path.push(column.clone());
                fault
            };
            let mut labels = None;
            match self.parser.peek()? {
                Peek::Array => {
                    let mut next = self.parser.first()?;
                    while let Some(peek) = next {
                        self.parser.value(&mut values, peek, 2).map_err(inside)?;
                        next = self.parser.step()?;
                    }
                }
                Peek::Object => {
                    let own = labels.insert(Text::new(0));
                    let mut key = self.parser.first_key()?.map(|key| own.push(key.as_bytes()));
                    while key.is_some() {
                        let peek = self.parser.peek()?;
                        self.parser.value(&mut values, peek, 2).map_err(inside)?;
                        key = self.parser.next_key()?.map(|key| own.push(key.as_bytes()));
                    }
                }
                _ => {
                    let what = "a column is an array or an object; a single value has no row label";
                    return Err(inside(Fault::new(self.parser.at(), what)));
                }
            }
            if let Some((first, before, before_labels)) = columns.first() {
                let problem = match (before_labels, &labels) {
                    (None, None) if before.len() != values.len() => Some(format!(
                        "column '{column}' has {} values, but column '{first}' has {}",
                        values.len(),
                        before.len()
                    )),
                    (None, Some(_)) | (Some(_), None) => {
                        Some(format!("only one of the columns '{first}' and '{column}' has row labels"))
                    }
                    _ => None,
                };
                if let Some(problem) = problem {
                    return Err(Fault::new(self.parser.at(), problem));
                }
            }
            columns.push((column, values, labels));
            name = self.parser.next_key()?.map(str::to_owned);
        }
        Ok(Parsed { parts: Vec::new(), names: None, index: None, numbered: false, labelled: columns })
    }

    /// An object of labels and data.
    fn split(&mut self, layout: Layout) -> Outcome<Parsed> {
        let is_series = layout == Layout::SplitSeries;
        let mut parsed = Parsed { numbered: true, ..Parsed::of_rows(Fields::new(0), None) };
        let (mut names, mut index, mut data) = (None, None, None);
        let mut key = self.parser.first_key()?.map(str::to_owned);
        while let Some(own) = key {
            let at = self.parser.at();
            let known = match (own.as_str(), is_series) {
                ("columns", false) => &mut names,
                ("index", _) => &mut index,
                ("name", true) => {
                    let mut values = Values::Null(0);
                    let peek = self.parser.peek()?;
                    self.parser.value(&mut values, peek, 1)?;
                    parsed.names = Some(values);
                    key = self.parser.next_key()?.map(str::to_owned);
                    continue;
                }
                ("data", _) => {
                    if !matches!(self.parser.peek()?, Peek::Array) {
                        return Err(Fault::new(self.parser.at(), "'data' is no array"));
                    }
                    let rows = self.row_list(is_series)?;
                    data = Some((rows.fields, rows.kind));
                    key = self.parser.next_key()?.map(str::to_owned);
                    continue;
                }
                _ => return Err(Fault::new(at, format!("an unexpected key '{own}'"))),
            };
            let mut values = Values::Null(0);
            if !matches!(self.parser.peek()?, Peek::Array) {
                return Err(Fault::new(self.parser.at(), format!("'{own}' is no array")));
            }
            let mut next = self.parser.first()?;
            while let Some(peek) = next {
                self.parser.value(&mut values, peek, 2).map_err(|mut fault| {
                    fault.path.push(own.clone());
                    fault
                })?;
                next = self.parser.step()?;
            }
            *known = Some(values);
            key = self.parser.next_key()?.map(str::to_owned);
        }
        let at = self.parser.at();
        let Some((rows, kind)) = data else { return Err(Fault::new(at, "there is no 'data'")) };
        if !matches!(
            (kind, is_series),
            (None | Some(RowKind::Arrays), false) | (None | Some(RowKind::Scalars), true)
        ) {
            return Err(Fault::new(at, "the rows of 'data' are no arrays"));
        }
        let columns = names.as_ref().map(Values::len);
        if let Some(index) = index.as_ref().map(Values::len).filter(|&len| len != rows.len) {
            return Err(Fault::new(at, format!("'index' has {index} labels for {} rows", rows.len)));
        }
        match columns {
            Some(columns) if columns < rows.names.len() || (columns > rows.names.len() && rows.len > 0) => {
                let width = rows.names.len();
                return Err(Fault::new(at, format!("'columns' has {columns} names for {width} columns")));
            }
            None if !is_series => return Err(Fault::new(at, "there is no 'columns'")),
            _ => {}
        }
        let mut rows = rows;
        for i in rows.names.len()..columns.unwrap_or(0) {
            rows.place(&i.to_string(), i, |_| Values::Null(0));
        }
        parsed.parts = vec![rows];
        parsed.index = index;
        if names.is_some() {
            parsed.names = names;
        }
        Ok(parsed)
    }
}

/// Fails where there would be many more nulls than memory has; see [`too_sparse`].
fn check_size(kinds: &[(String, Kind)], rows: usize, text: usize) -> Result<()> {
    let columns: usize = kinds.iter().map(|(_, kind)| kind.leaves()).sum();
    too_sparse(columns, rows, text).map_or(Ok(()), |what| Err(Error::invalid_argument(what)))
}

fn finish(parsed: Parsed, text: usize, ctx: &Context) -> Result<JsonContent> {
    let Parsed { parts, names, index, numbered, labelled } = parsed;
    if !labelled.is_empty() {
        return labelled_columns(labelled, ctx);
    }
    let kinds =
        lines::kinds(&parts, ctx)?.ok_or_else(|| Error::logic("parts of a text do not go together"))?;
    check_size(&kinds, parts.iter().map(|part| part.len).sum(), text)?;
    let (kinds, schema) = columns::schema(kinds);
    let content = assemble::content(parts, &kinds, &schema, ctx)?;
    let index = index.map(|values| one_column(values, ctx)).transpose()?;
    let names = names.map(|values| one_column(values, ctx)).transpose()?;
    Ok(JsonContent { content, index, names, numbered })
}

fn one_column(values: Values, ctx: &Context) -> Result<crate::Content> {
    let mut fields = Fields::new(0);
    fields.len = values.len();
    fields.place("index", 0, |_| Values::Null(0));
    fields.values[0] = values;
    let (kinds, schema) = columns::schema(Kind::fields(&fields));
    let batch = columns::batch(fields, &kinds, &schema, ctx)?;
    batches::content(&schema, &[batch], Vec::new(), ctx)
}

/// Columns with labels of their own below each other: a row for each label that one of them has.
fn labelled_columns(columns: Vec<(String, Values, Option<Text>)>, ctx: &Context) -> Result<JsonContent> {
    let failed = |e: ArrowError| Error::logic(e.to_string()).with_source(e);
    let mut fields = Vec::new();
    let mut arrays: Vec<ArrayRef> = Vec::new();
    let mut owners: Vec<Option<Text>> = Vec::new();
    for (name, values, labels) in columns {
        let len = values.len();
        let mut one = Fields::new(0);
        one.len = len;
        one.place(&name, 0, |_| Values::Null(0));
        one.values[0] = values;
        let (kinds, schema) = columns::schema(Kind::fields(&one));
        let batch = columns::batch(one, &kinds, &schema, ctx)?;
        fields.push(schema.field(0).clone());
        arrays.push(Arc::clone(batch.column(0)));
        owners.push(labels);
    }
    let schema = Arc::new(Schema::new(fields.clone()));
    let same = |labels: &Option<Text>| match (labels, &owners[0]) {
        (Some(own), Some(first)) => own.offsets == first.offsets && own.bytes == first.bytes,
        (own, first) => own.is_none() == first.is_none(),
    };
    let index;
    if owners.iter().all(same) {
        let first = owners.swap_remove(0);
        if let Some(labels) = &first {
            check_unique(labels)?;
        }
        index = first;
    } else {
        let mut places: HashMap<Vec<u8>, i64> = HashMap::new();
        let mut all = Text::new(0);
        for labels in owners.iter().flatten() {
            check_unique(labels)?;
            for i in 0..labels.len() {
                if !places.contains_key(labels.get(i)) {
                    places.insert(labels.get(i).to_vec(), all.len() as i64);
                    all.push(labels.get(i));
                }
            }
        }
        for (array, labels) in arrays.iter_mut().zip(&owners) {
            let mut from: Vec<Option<i64>> = vec![None; places.len()];
            if let Some(labels) = labels {
                for i in 0..labels.len() {
                    from[places[labels.get(i)] as usize] = Some(i as i64);
                }
            }
            *array = take(array, &Int64Array::from(from), None).map_err(failed)?;
        }
        index = Some(all);
    }
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(failed)?;
    let content = batches::content(&schema, &[batch], Vec::new(), ctx)?;
    let index = index.map(|labels| one_column(Values::Text(labels), ctx)).transpose()?;
    Ok(JsonContent { content, index, names: None, numbered: false })
}

fn check_unique(labels: &Text) -> Result<()> {
    let mut seen = HashSet::with_capacity(labels.len());
    for i in 0..labels.len() {
        if !seen.insert(labels.get(i)) {
            let label = String::from_utf8_lossy(labels.get(i)).into_owned();
            return Err(Error::invalid_argument(format!("a column has the row label '{label}' twice")));
        }
    }
    Ok(())
}
