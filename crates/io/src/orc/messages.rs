//! Protocol buffers, as far as ORC's footers use them: numbers, bytes, doubles.

use cuprum_column::{Error, Result};

/// The fields of a message, in the order in which they are written.
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The value of a field.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Double(f64),
    /// Four bytes: nothing that is read has these.
    Fixed,
}

impl<'a> Fields<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next field: its number and its value.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Value<'a>)>> {
        if self.at == self.bytes.len() {
            return Ok(None);
        }
        let key = self.number()?;
        let value = match key & 7 {
            0 => Value::Number(self.number()?),
            1 => {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(self.piece(8)?);
                Value::Double(f64::from_le_bytes(bytes))
            }
            2 => {
                let len = self.number()?;
                Value::Bytes(self.piece(len)?)
            }
            5 => self.piece(4).map(|_| Value::Fixed)?,
            other => return Err(Error::invalid_argument(format!("byte {}: no field is {other}", self.at))),
        };
        Ok(Some((key >> 3, value)))
    }

    fn number(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let Some(&byte) = self.bytes.get(self.at) else { return Err(self.short()) };
            self.at += 1;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Error::invalid_argument(format!("byte {}: a number does not end", self.at)))
    }

    fn piece(&mut self, len: u64) -> Result<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let piece = usize::try_from(len).ok().and_then(|len| rest.get(..len)).ok_or_else(|| self.short())?;
        self.at += piece.len();
        Ok(piece)
    }

    fn short(&self) -> Error {
        Error::invalid_argument(format!("byte {}: it is cut short", self.at))
    }
}

impl<'a> Value<'a> {
    pub(super) fn number(self) -> Result<u64> {
        match self {
            Self::Number(number) => Ok(number),
            _ => Err(Error::invalid_argument("a field is no number")),
        }
    }

    /// A number with a sign, as `sint64` is written.
    pub(super) fn signed(self) -> Result<i64> {
        self.number().map(|number| (number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(super) fn double(self) -> Result<f64> {
        match self {
            Self::Double(number) => Ok(number),
            _ => Err(Error::invalid_argument("a field is no double")),
        }
    }

    pub(super) fn bytes(self) -> Result<&'a [u8]> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            _ => Err(Error::invalid_argument("a field has no bytes")),
        }
    }

    pub(super) fn text(self) -> Result<String> {
        let bytes = self.bytes()?;
        std::str::from_utf8(bytes)
            .map(str::to_owned)
            .map_err(|_| Error::invalid_argument(format!("'{}' is no UTF-8", bytes.escape_ascii())))
    }

    /// A repeated number, packed or one at a time.
    pub(super) fn numbers(self, into: &mut Vec<u64>) -> Result<()> {
        match self {
            Self::Number(number) => into.push(number),
            Self::Bytes(bytes) => {
                let mut packed = Fields::of(bytes);
                while packed.at < bytes.len() {
                    into.push(packed.number()?);
                }
            }
            Self::Double(_) | Self::Fixed => return Err(Error::invalid_argument("a field is no number")),
        }
        Ok(())
    }
}

/// A message that is written.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Message(Vec<u8>);

impl Message {
    pub(super) fn number(mut self, field: u64, value: u64) -> Self {
        varint(&mut self.0, field << 3);
        varint(&mut self.0, value);
        self
    }

    /// A number with a sign, as `sint64` is written.
    pub(super) fn signed(self, field: u64, value: i64) -> Self {
        self.number(field, ((value << 1) ^ (value >> 63)) as u64)
    }

    pub(super) fn double(mut self, field: u64, value: f64) -> Self {
        varint(&mut self.0, field << 3 | 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        varint(&mut self.0, field << 3 | 2);
        varint(&mut self.0, value.len() as u64);
        self.0.extend(value);
        self
    }

    pub(super) fn message(self, field: u64, value: Self) -> Self {
        self.bytes(field, &value.0)
    }

    pub(super) fn numbers(self, field: u64, values: impl IntoIterator<Item = u64>) -> Self {
        let mut packed = Vec::new();
        values.into_iter().for_each(|value| varint(&mut packed, value));
        self.bytes(field, &packed)
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}

pub(super) fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
