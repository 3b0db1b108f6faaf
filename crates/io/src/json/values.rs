//! Values of one place of a JSON text, gathered in their common type.

use std::collections::HashMap;

use arrow_buffer::NullBufferBuilder;

/// Gathered values. Every variant has a length and a validity.
pub(super) enum Values {
    /// Nothing but nulls so far.
    Null(usize),
    Bool(Plain<bool>),
    Int(Plain<i64>),
    UInt(Plain<u64>),
    Float(Plain<f64>),
    Text(Text),
    /// Texts, whatever the values are.
    Raw(Text),
    List(Lists),
    Struct(Fields),
}

/// Values of one size.
pub(super) struct Plain<T> {
    pub(super) values: Vec<T>,
    pub(super) nulls: NullBufferBuilder,
}

impl<T: Copy + Default> Plain<T> {
    fn new(nulls: usize) -> Self {
        Self { values: vec![T::default(); nulls], nulls: null_builder(nulls) }
    }

    fn push(&mut self, value: T) {
        self.values.push(value);
        self.nulls.append_non_null();
    }

    fn push_nulls(&mut self, count: usize) {
        self.values.resize(self.values.len() + count, T::default());
        self.nulls.append_n_nulls(count);
    }

    /// The same as values of another type; nothing is left here.
    pub(super) fn take_as<U>(&mut self, convert: impl Fn(T) -> U) -> Plain<U> {
        let values = std::mem::take(&mut self.values).into_iter().map(convert).collect();
        Plain { values, nulls: std::mem::replace(&mut self.nulls, NullBufferBuilder::new(0)) }
    }
}

pub(super) struct Text {
    pub(super) offsets: Vec<i64>,
    pub(super) bytes: Vec<u8>,
    pub(super) nulls: NullBufferBuilder,
}

impl Text {
    pub(super) fn new(nulls: usize) -> Self {
        Self { offsets: vec![0; nulls + 1], bytes: Vec::new(), nulls: null_builder(nulls) }
    }

    pub(super) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.offsets.push(self.bytes.len() as i64);
        self.nulls.append_non_null();
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(super) fn get(&self, i: usize) -> &[u8] {
        &self.bytes[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
}

pub(super) struct Lists {
    pub(super) offsets: Vec<i64>,
    pub(super) elements: Box<Values>,
    pub(super) nulls: NullBufferBuilder,
}

/// The fields of objects, by name in the order in which they first occur.
pub(super) struct Fields {
    pub(super) names: Vec<String>,
    pub(super) values: Vec<Values>,
    places: HashMap<String, usize>,
    pub(super) len: usize,
    pub(super) nulls: NullBufferBuilder,
}

impl Fields {
    pub(super) fn new(nulls: usize) -> Self {
        Self {
            names: Vec::new(),
            values: Vec::new(),
            places: HashMap::new(),
            len: nulls,
            nulls: null_builder(nulls),
        }
    }

    /// The place of the field `name`, which is likely to be `hint`; a new one where there is none.
    pub(super) fn place(&mut self, name: &str, hint: usize, make: impl FnOnce(&str) -> Values) -> usize {
        if self.names.get(hint).is_some_and(|own| own == name) {
            return hint;
        }
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.places.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.values.push(make(name));
        self.names.len() - 1
    }
}

fn null_builder(nulls: usize) -> NullBufferBuilder {
    let mut builder = NullBufferBuilder::new(0);
    builder.append_n_nulls(nulls);
    builder
}

/// Two kinds of values that do not go together.
pub(super) struct Mixed(pub(super) &'static str, pub(super) &'static str);

impl Values {
    /// None yet; `raw` ones will be texts, whatever they are.
    pub(super) fn none(raw: bool) -> Self {
        if raw { Self::Raw(Text::new(0)) } else { Self::Null(0) }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Null(len) => *len,
            Self::Bool(plain) => plain.values.len(),
            Self::Int(plain) => plain.values.len(),
            Self::UInt(plain) => plain.values.len(),
            Self::Float(plain) => plain.values.len(),
            Self::Text(text) | Self::Raw(text) => text.len(),
            Self::List(lists) => lists.offsets.len() - 1,
            Self::Struct(fields) => fields.len,
        }
    }

    /// Their name in messages.
    fn name(&self) -> &'static str {
        match self {
            Self::Null(_) => "null",
            Self::Bool(_) => "a truth value",
            Self::Int(_) | Self::UInt(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Text(_) | Self::Raw(_) => "a string",
            Self::List(_) => "an array",
            Self::Struct(_) => "an object",
        }
    }

    fn mixed(&self, found: &'static str) -> Mixed {
        Mixed(self.name(), found)
    }

    pub(super) fn push_nulls(&mut self, count: usize) {
        match self {
            Self::Null(len) => *len += count,
            Self::Bool(plain) => plain.push_nulls(count),
            Self::Int(plain) => plain.push_nulls(count),
            Self::UInt(plain) => plain.push_nulls(count),
            Self::Float(plain) => plain.push_nulls(count),
            Self::Text(text) | Self::Raw(text) => {
                text.offsets.resize(text.offsets.len() + count, text.bytes.len() as i64);
                text.nulls.append_n_nulls(count);
            }
            Self::List(lists) => {
                lists.offsets.resize(lists.offsets.len() + count, lists.elements.len() as i64);
                lists.nulls.append_n_nulls(count);
            }
            Self::Struct(fields) => {
                fields.len += count;
                fields.nulls.append_n_nulls(count);
            }
        }
    }

    pub(super) fn push_bool(&mut self, value: bool) -> Result<(), Mixed> {
        if let Self::Null(nulls) = *self {
            *self = Self::Bool(Plain::new(nulls));
        }
        let Self::Bool(plain) = self else { return Err(self.mixed("a truth value")) };
        plain.push(value);
        Ok(())
    }

    pub(super) fn push_int(&mut self, value: i64) -> Result<(), Mixed> {
        if let Self::Null(nulls) = *self {
            *self = Self::Int(Plain::new(nulls));
        }
        match self {
            Self::Int(plain) => plain.push(value),
            Self::Float(plain) => plain.push(value as f64),
            Self::UInt(plain) if value >= 0 => plain.push(value as u64),
            Self::UInt(_) => return Err(Mixed("an integer of 2⁶³ or more", "a negative one")),
            other => return Err(other.mixed("an integer")),
        }
        Ok(())
    }

    /// An integer beyond `i64`.
    pub(super) fn push_uint(&mut self, value: u64) -> Result<(), Mixed> {
        match self {
            Self::Null(nulls) => *self = Self::UInt(Plain::new(*nulls)),
            Self::Int(plain) if plain.values.iter().any(|&value| value < 0) => {
                return Err(Mixed("a negative integer", "one of 2⁶³ or more"));
            }
            Self::Int(plain) => *self = Self::UInt(plain.take_as(|value| value as u64)),
            _ => {}
        }
        match self {
            Self::UInt(plain) => plain.push(value),
            Self::Float(plain) => plain.push(value as f64),
            other => return Err(other.mixed("an integer")),
        }
        Ok(())
    }

    pub(super) fn push_float(&mut self, value: f64) -> Result<(), Mixed> {
        match self {
            Self::Null(nulls) => *self = Self::Float(Plain::new(*nulls)),
            Self::Int(plain) => *self = Self::Float(plain.take_as(|value| value as f64)),
            Self::UInt(plain) => *self = Self::Float(plain.take_as(|value| value as f64)),
            _ => {}
        }
        let Self::Float(plain) = self else { return Err(self.mixed("a number")) };
        plain.push(value);
        Ok(())
    }

    pub(super) fn push_text(&mut self, text: &[u8]) -> Result<(), Mixed> {
        if let Self::Null(nulls) = *self {
            *self = Self::Text(Text::new(nulls));
        }
        let (Self::Text(values) | Self::Raw(values)) = self else { return Err(self.mixed("a string")) };
        values.push(text);
        Ok(())
    }

    /// The lists, to whose elements those of one more are to be added; [`end_list`](Self::end_list) follows.
    pub(super) fn lists(&mut self) -> Result<&mut Lists, Mixed> {
        if let Self::Null(nulls) = *self {
            let elements = Box::new(Self::Null(0));
            *self = Self::List(Lists { offsets: vec![0; nulls + 1], elements, nulls: null_builder(nulls) });
        }
        match self {
            Self::List(lists) => Ok(lists),
            other => Err(other.mixed("an array")),
        }
    }

    /// The fields, to which those of one more object are to be added.
    pub(super) fn fields(&mut self) -> Result<&mut Fields, Mixed> {
        if let Self::Null(nulls) = *self {
            *self = Self::Struct(Fields::new(nulls));
        }
        match self {
            Self::Struct(fields) => Ok(fields),
            other => Err(other.mixed("an object")),
        }
    }
}

impl Lists {
    pub(super) fn end_list(&mut self) {
        self.offsets.push(self.elements.len() as i64);
        self.nulls.append_non_null();
    }
}
