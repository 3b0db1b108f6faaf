//! The names of the columns, and which of them are wanted.

use cuprum_column::{DataType, Detail, Error, Result, closest_name};

use super::tokens::{Dialect, Unterminated};
use super::words::Vocabulary;
use super::{ColumnRef, Header, ReadOptions};

/// The columns of the file and where its data start.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    /// The fields of the line of names, where there is one.
    pub(super) fields: Vec<String>,
    pub(super) data_start: usize,
    separator: u8,
}

/// Why the columns are not known.
pub(super) enum HeaderError {
    /// A quoted field of the header does not end.
    Unterminated(usize),
    /// The text ends before the header does.
    Ended(Error),
    /// Anything else.
    Other(Error),
}

impl From<Unterminated> for HeaderError {
    fn from(Unterminated(at): Unterminated) -> Self {
        Self::Unterminated(at)
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The columns of the text `data[..end]`.
pub(super) fn columns(
    options: &ReadOptions,
    dialect: Dialect,
    data: &[u8],
    end: usize,
) -> Result<Columns, HeaderError> {
    let mut at = if data[..end].starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    for _ in 0..options.skiprows {
        if at >= end {
            break;
        }
        let line = data[at..end].iter().position(|b| matches!(b, b'\n' | b'\r'));
        at = line.map_or(end, |i| dialect.after(data, at + i, end).position);
    }
    let row = match (options.header, &options.names) {
        (Header::Row(row), _) => Some(row),
        (Header::Infer, None) => Some(0),
        (Header::Infer, Some(_)) | (Header::None, _) => None,
    };
    let mut passed = 0;
    let first = loop {
        if at >= end {
            return Err(HeaderError::Ended(match row {
                Some(row) if passed > 0 => Error::invalid_argument(format!(
                    "`header` is row {row}, but there are only {passed} rows"
                )),
                _ => Error::invalid_argument("no columns to parse from file").with_detail(Detail::EmptyData),
            }));
        }
        if let Some(next) = dialect.skip_line(data, at, end) {
            at = next;
        } else if row.is_some_and(|row| passed < row) {
            at = dialect.skip_record(data, at, end)?;
            passed += 1;
        } else {
            break at;
        }
    };
    let (fields, after) = dialect.record(data, first, end)?;
    if row.is_some() && options.names.is_none() && matches!(data[first], b'\n' | b'\r') {
        return Err(HeaderError::Other(Error::unsupported(
            "`skip_blank_lines` is false, and the line of names is blank: give `names`",
        )));
    }
    let data_start = if row.is_some() { after } else { first };
    let names = match &options.names {
        Some(names) => given_names(names, fields.len(), options)?,
        None if row.is_some() => from_fields(&fields),
        None => (0..fields.len()).map(|i| i.to_string()).collect(),
    };
    let fields: Vec<String> =
        if row.is_some() { fields.iter().map(|field| text_of(field)).collect() } else { Vec::new() };
    Ok(Columns { names, fields, data_start, separator: options.separator })
}

fn given_names(names: &[String], fields: usize, options: &ReadOptions) -> Result<Vec<String>, HeaderError> {
    let invalid = |message| Err(HeaderError::Other(Error::invalid_argument(message)));
    let mut seen = std::collections::HashSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
        return invalid(format!("`names` has '{twice}' twice"));
    }
    if names.len() >= fields {
        return Ok(names.to_vec());
    }
    // One name for each of the columns that are wanted.
    if let Some(usecols) = &options.usecols {
        let mut positions: Vec<usize> = usecols
            .iter()
            .filter_map(|c| match c {
                ColumnRef::Position(i) => Some(*i),
                ColumnRef::Name(_) => None,
            })
            .collect();
        positions.sort_unstable();
        positions.dedup();
        if positions.len() == names.len() && positions.iter().all(|&i| i < fields) {
            let mut all: Vec<String> = (0..fields).map(|i| format!("Unnamed: {i}")).collect();
            for (position, name) in positions.into_iter().zip(names) {
                all[position].clone_from(name);
            }
            return Ok(all);
        }
        return Ok(names.to_vec());
    }
    let message = format!("`names` has {} names, but the records have {fields} fields", names.len());
    let detail = Detail::NameCount { names: names.len(), fields };
    Err(HeaderError::Other(Error::invalid_argument(message).with_detail(detail)))
}

fn text_of(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}

/// Names from the fields of the header: an empty one becomes `Unnamed: 2`, the second `a` becomes
/// `a.1`, or the next number that is not taken. Names that a file has are kept before those of empty fields.
fn from_fields(fields: &[Vec<u8>]) -> Vec<String> {
    let given: Vec<String> = fields
        .iter()
        .enumerate()
        .map(|(i, field)| if field.is_empty() { format!("Unnamed: {i}") } else { text_of(field) })
        .collect();
    let taken: std::collections::HashSet<&str> = given.iter().map(String::as_str).collect();
    let mut names: Vec<String> = given.clone();
    let mut seen = std::collections::HashMap::new();
    let mut renamed = std::collections::HashSet::new();
    let (empty, named): (Vec<_>, Vec<_>) = (0..given.len()).partition(|&i| fields[i].is_empty());
    for i in named.into_iter().chain(empty) {
        let name = &given[i];
        let count = seen.entry(name.as_str()).or_insert(0usize);
        if *count == 0 {
            *count = 1;
            continue;
        }
        let new = loop {
            let new = format!("{name}.{count}");
            *count += 1;
            if !taken.contains(new.as_str()) && renamed.insert(new.clone()) {
                break new;
            }
        };
        names[i] = new;
    }
    names
}

/// The different vocabularies, and which of them each column has.
pub(super) struct Words {
    kinds: Vec<Vocabulary>,
    of_columns: Vec<usize>,
}

impl Words {
    /// The vocabulary of each column.
    pub(super) fn each(&self) -> Vec<&Vocabulary> {
        self.of_columns.iter().map(|&kind| &self.kinds[kind]).collect()
    }
}

/// The type that is asked of a column, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Nothing.
    Skip,
    /// Its values, of the type they have.
    Infer,
    /// Its values as dates, in the unit they need.
    Dates,
    /// Its values as this type.
    Type(DataType),
}

impl Columns {
    /// The type that is asked of each column.
    pub(super) fn wishes(&self, options: &ReadOptions) -> Result<Vec<Wish>> {
        let default = options.dtype_all.map_or(Wish::Infer, Wish::Type);
        let mut wishes = vec![default; self.names.len()];
        if options.names.is_none() {
            // The type of `a` is that of the second `a` too, which is `a.1`.
            for ((wish, name), field) in wishes.iter_mut().zip(&self.names).zip(&self.fields) {
                let of_field =
                    |(column, _): &&(ColumnRef, DataType)| *column == ColumnRef::Name(field.clone());
                if name != field
                    && let Some((_, data_type)) = options.dtype.iter().find(of_field)
                {
                    *wish = Wish::Type(*data_type);
                }
            }
        }
        for (column, data_type) in &options.dtype {
            wishes[self.find("dtype", column)?] = Wish::Type(*data_type);
        }
        for column in &options.parse_dates {
            wishes[self.find("parse_dates", column)?] = Wish::Dates;
        }
        if let Some(usecols) = &options.usecols {
            let mut wanted = vec![false; self.names.len()];
            for column in usecols {
                wanted[self.find("usecols", column)?] = true;
            }
            for (i, _) in wanted.iter().enumerate().filter(|(_, wanted)| !**wanted) {
                wishes[i] = Wish::Skip;
            }
        }
        for (name, wish) in self.names.iter().zip(&wishes) {
            if let Wish::Type(data_type @ DataType::Duration(_)) = wish {
                return Err(Error::unsupported(format!("`dtype` of column '{name}': {data_type} in CSV")));
            }
        }
        Ok(wishes)
    }

    /// The vocabulary of each column.
    pub(super) fn words(&self, options: &ReadOptions) -> Result<Words> {
        let vocabulary = |na_values: &[String], keep_default_na| {
            Vocabulary::new(na_values, keep_default_na, &options.true_values, &options.false_values)
        };
        let mut words = Words {
            kinds: vec![vocabulary(&options.na_values, options.keep_default_na)],
            of_columns: vec![0; self.names.len()],
        };
        for (column, na_values) in &options.na_values_of {
            words.of_columns[self.find("na_values", column)?] = words.kinds.len();
            words.kinds.push(vocabulary(na_values, false));
        }
        Ok(words)
    }

    fn find(&self, argument: &'static str, column: &ColumnRef) -> Result<usize> {
        match column {
            ColumnRef::Position(i) if *i < self.names.len() => Ok(*i),
            ColumnRef::Position(i) => {
                let n = self.names.len();
                let message = format!("`{argument}`: column {i} of a file with {n} columns");
                Err(Error::out_of_range(message).with_detail(Detail::UnknownColumn { argument }))
            }
            ColumnRef::Name(name) => self.names.iter().position(|n| n == name).ok_or_else(|| {
                Error::key_not_found(self.not_found(argument, name))
                    .with_detail(Detail::UnknownColumn { argument })
            }),
        }
    }

    fn not_found(&self, argument: &str, name: &str) -> String {
        let hint = if let [only] = self.names.as_slice()
            && let Some(separator) = [',', ';', '\t', '|']
                .into_iter()
                .find(|&s| s != char::from(self.separator) && only.contains(s))
        {
            let shown = if separator == '\t' { "\\t".to_string() } else { separator.to_string() };
            let used = char::from(self.separator).escape_default();
            format!(
                "; the header '{only}' is a single column: is the separator '{shown}' rather than '{used}'?"
            )
        } else if let Some(closest) = closest_name(name, self.names.iter().map(String::as_str)) {
            format!("; did you mean '{closest}'?")
        } else {
            let shown: Vec<String> = self.names.iter().take(8).map(|n| format!("'{n}'")).collect();
            let more = if self.names.len() > 8 { ", …" } else { "" };
            format!("; there are {}{more}", shown.join(", "))
        };
        format!("`{argument}`: there is no column '{name}'{hint}")
    }
}
