//! The footer of a file, and that of each stripe.

use std::borrow::Cow;
use std::ops::Range;

use cuprum_column::{Error, Result};

use super::blocks::Packing;
use super::messages::Fields;
use super::statistics::ColumnStatistics;

pub(super) const MAGIC: &[u8] = b"ORC";
/// The most bytes of the last footer, whose length is one byte.
pub(super) const POSTSCRIPT: usize = 255;
/// The most bytes of a footer that is unpacked.
const FOOTER: usize = 64 << 20;

/// The very end: how long the footer is, and how it is packed.
#[derive(Debug)]
pub(super) struct PostScript {
    pub(super) footer: usize,
    pub(super) packing: Packing,
    /// It says that it is ORC's, which only the oldest files do not.
    pub(super) is_marked: bool,
    /// The bytes of the statistics of stripes, before the footer.
    pub(super) metadata: usize,
    /// The version of the rules that statistics follow.
    pub(super) rules: u64,
    /// The file has decimals of at most 18 digits as runs of numbers.
    pub(super) has_short_decimals: bool,
}

impl PostScript {
    /// Reads it from the last bytes of a file.
    pub(super) fn read(tail: &[u8]) -> Result<(Self, usize)> {
        let len = tail.last().map_or(0, |&len| usize::from(len));
        let Some(bytes) = (tail.len().checked_sub(len + 1)).map(|start| &tail[start..tail.len() - 1]) else {
            return Err(Error::invalid_argument(format!("a postscript of {len} bytes does not fit it")));
        };
        let (mut footer, mut kind, mut block, mut version, mut is_orc) = (0, 0, 0, Vec::new(), false);
        let (mut metadata, mut rules) = (0, 0);
        let mut fields = Fields::of(bytes);
        while let Some((field, value)) = fields.next()? {
            match field {
                1 => footer = value.number()?,
                2 => kind = value.number()?,
                3 => block = value.number()?,
                4 => value.numbers(&mut version)?,
                5 => metadata = value.number()?,
                6 => rules = value.number()?,
                8000 => is_orc = value.bytes()? == MAGIC,
                _ => {}
            }
        }
        let has_short_decimals = match version[..] {
            [] | [0, 11 | 12] => false,
            [1, 9999] => true,
            _ if !is_orc => return Err(Error::invalid_argument("a version that there is none of")),
            _ => {
                let version: Vec<String> = version.iter().map(u64::to_string).collect();
                return Err(Error::unsupported(format!("version {} of ORC", version.join("."))));
            }
        };
        // Without ORC's mark the bytes may be anything.
        let packing = Packing::of(kind, block)
            .map_err(|e| if is_orc { e } else { Error::invalid_argument(e.to_string()) })?;
        let footer = usize::try_from(footer)
            .map_err(|_| Error::invalid_argument(format!("a footer of {footer} bytes")))?;
        let metadata = usize::try_from(metadata).unwrap_or(usize::MAX);
        Ok((Self { footer, metadata, rules, packing, is_marked: is_orc, has_short_decimals }, len + 1))
    }
}

/// The footer of a file.
#[derive(Debug, Default)]
pub(super) struct Footer {
    pub(super) stripes: Vec<StripePlace>,
    pub(super) types: Vec<Type>,
    pub(super) metadata: Vec<(String, Vec<u8>)>,
    pub(super) num_rows: u64,
    /// The statistics of each type, packed as in the file: most readers do not ask.
    pub(super) statistics: Vec<Vec<u8>>,
    /// 1 for Julian days before October 15th, 1582.
    pub(super) calendar: u64,
}

/// The place of a stripe.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StripePlace {
    pub(super) start: u64,
    pub(super) index: u64,
    pub(super) data: u64,
    pub(super) footer: u64,
    pub(super) rows: u64,
}

/// A column of the tree that a row is.
#[derive(Debug, Default)]
pub(super) struct Type {
    pub(super) kind: u64,
    pub(super) children: Vec<u64>,
    pub(super) names: Vec<String>,
    pub(super) precision: u64,
    pub(super) scale: u64,
}

impl Footer {
    pub(super) fn read(packed: &[u8], packing: &Packing) -> Result<Self> {
        let bytes = unpacked(packed, packing)?;
        let mut footer = Self::default();
        let mut fields = Fields::of(&bytes);
        while let Some((field, value)) = fields.next()? {
            match field {
                3 => footer.stripes.push(StripePlace::read(value.bytes()?)?),
                4 => footer.types.push(Type::read(value.bytes()?)?),
                5 => footer.metadata.push(pair(value.bytes()?)?),
                6 => footer.num_rows = value.number()?,
                7 => footer.statistics.push(value.bytes().map(<[u8]>::to_vec).unwrap_or_default()),
                10 => return Err(Error::unsupported("encryption")),
                11 => footer.calendar = value.number()?,
                _ => {}
            }
        }
        Ok(footer)
    }
}

/// The statistics of every type in every stripe.
pub(super) fn stripe_statistics(packed: &[u8], packing: &Packing) -> Result<Vec<Vec<ColumnStatistics>>> {
    let bytes = unpacked(packed, packing)?;
    let mut stripes = Vec::new();
    let mut fields = Fields::of(&bytes);
    while let Some((field, value)) = fields.next()? {
        if field != 1 {
            continue;
        }
        let mut columns = Vec::new();
        let mut fields = Fields::of(value.bytes()?);
        while let Some((field, value)) = fields.next()? {
            if field == 1 {
                columns.push(ColumnStatistics::read(value.bytes()?)?);
            }
        }
        stripes.push(columns);
    }
    Ok(stripes)
}

fn unpacked<'a>(packed: &'a [u8], packing: &Packing) -> Result<Cow<'a, [u8]>> {
    let bytes = packing.unpack(packed, FOOTER + 1)?;
    if bytes.len() > FOOTER {
        return Err(Error::unsupported(format!("a footer of more than {FOOTER} bytes")));
    }
    Ok(bytes)
}

impl StripePlace {
    fn read(bytes: &[u8]) -> Result<Self> {
        let mut place = Self::default();
        let mut fields = Fields::of(bytes);
        while let Some((field, value)) = fields.next()? {
            let into = match field {
                1 => &mut place.start,
                2 => &mut place.index,
                3 => &mut place.data,
                4 => &mut place.footer,
                5 => &mut place.rows,
                _ => continue,
            };
            *into = value.number()?;
        }
        Ok(place)
    }

    /// The byte behind it, or `None` where that cannot be counted.
    pub(super) fn end(&self) -> Option<u64> {
        self.start.checked_add(self.index)?.checked_add(self.data)?.checked_add(self.footer)
    }
}

impl Type {
    fn read(bytes: &[u8]) -> Result<Self> {
        let mut of = Self::default();
        let mut fields = Fields::of(bytes);
        while let Some((field, value)) = fields.next()? {
            match field {
                1 => of.kind = value.number()?,
                2 => value.numbers(&mut of.children)?,
                3 => of.names.push(value.text()?),
                5 => of.precision = value.number()?,
                6 => of.scale = value.number()?,
                _ => {}
            }
        }
        Ok(of)
    }
}

fn pair(bytes: &[u8]) -> Result<(String, Vec<u8>)> {
    let mut pair = (String::new(), Vec::new());
    let mut fields = Fields::of(bytes);
    while let Some((field, value)) = fields.next()? {
        match field {
            1 => pair.0 = value.text()?,
            2 => pair.1 = value.bytes()?.to_vec(),
            _ => {}
        }
    }
    Ok(pair)
}

/// The footer of a stripe.
#[derive(Debug)]
pub(super) struct StripeFooter {
    /// The streams and where in the file they are.
    pub(super) streams: Vec<Stream>,
    pub(super) encodings: Vec<Encoding>,
    /// The name of the zone whose clocks timestamps show; nothing in older files.
    pub(super) zone: String,
}

#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) kind: u64,
    pub(super) column: u64,
    pub(super) place: Range<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Encoding {
    pub(super) kind: u64,
    pub(super) dictionary: u64,
}

impl StripeFooter {
    pub(super) fn read(packed: &[u8], packing: &Packing, stripe: &StripePlace) -> Result<Self> {
        let bytes = unpacked(packed, packing)?;
        let mut footer = Self { streams: Vec::new(), encodings: Vec::new(), zone: String::new() };
        // The sum was checked when the place of the stripe was.
        let end = stripe.start + stripe.index + stripe.data;
        let mut at = stripe.start;
        let mut fields = Fields::of(&bytes);
        while let Some((field, value)) = fields.next()? {
            match field {
                1 => {
                    let (mut kind, mut column, mut len) = (0, 0, 0);
                    let mut fields = Fields::of(value.bytes()?);
                    while let Some((field, value)) = fields.next()? {
                        match field {
                            1 => kind = value.number()?,
                            2 => column = value.number()?,
                            3 => len = value.number()?,
                            _ => {}
                        }
                    }
                    let Some(next) = at.checked_add(len).filter(|&next| next <= end) else {
                        return Err(Error::invalid_argument(format!(
                            "a stream of {len} bytes at byte {at} is longer than the stripe"
                        )));
                    };
                    footer.streams.push(Stream { kind, column, place: at..next });
                    at = next;
                }
                2 => {
                    let mut encoding = Encoding::default();
                    let mut fields = Fields::of(value.bytes()?);
                    while let Some((field, value)) = fields.next()? {
                        match field {
                            1 => encoding.kind = value.number()?,
                            2 => encoding.dictionary = value.number()?,
                            _ => {}
                        }
                    }
                    footer.encodings.push(encoding);
                }
                3 => footer.zone = value.text()?,
                _ => {}
            }
        }
        Ok(footer)
    }
}
