//! Columns of the rows of several parts of a text: plain values go to their places straight.

use std::mem::MaybeUninit;

use arrow_array::ArrayRef;
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{Field, SchemaRef};
use cuprum_column::null_mask::Bitmap;
use cuprum_column::{Column, Context, DataType, Error, Native, Result, Table};
use cuprum_runtime::parallel;

use super::columns::{self, Kind};
use super::values::{Fields, Plain, Text, Values};
use crate::places::are_texts;
use crate::room::{self, Texts};
use crate::validity::Validity;
use crate::{Content, NamedTable, batches};

/// The values of one column in one part, and how many rows it has.
type Piece = (Values, usize);

/// The rows of all parts, one below the other.
pub(super) fn content(
    parts: Vec<Fields>,
    kinds: &[(String, Kind)],
    schema: &SchemaRef,
    ctx: &Context,
) -> Result<Content> {
    let rows: usize = parts.iter().map(|part| part.len).sum();
    let mut pieces: Vec<Vec<Piece>> = kinds.iter().map(|_| Vec::with_capacity(parts.len())).collect();
    for part in parts {
        let rows = part.len;
        for (pieces, mut values) in pieces.iter_mut().zip(columns::in_order(part, kinds)) {
            // Rows at the end that do not have the key.
            values.push_nulls(rows - values.len());
            pieces.push((values, rows));
        }
    }
    let work = pieces.into_iter().zip(kinds).zip(&schema.fields()[..]);
    let columns = parallel::map_items(work, ctx, |((pieces, (_, kind)), field)| {
        column(pieces, kind, field, rows, ctx).map_err(|e| e.context(format!("column '{}'", field.name())))
    })?;
    let fields: Vec<Field> = schema.fields().iter().map(|field| field.as_ref().clone()).collect();
    let names = kinds.iter().map(|(name, _)| name.clone()).collect();
    let dictionaries = vec![None; fields.len()];
    let data = NamedTable { names, table: Table::with_rows(columns, rows)? };
    Ok(Content { data, fields, dictionaries, metadata: Vec::new(), rows: None })
}

fn column(pieces: Vec<Piece>, kind: &Kind, field: &Field, rows: usize, ctx: &Context) -> Result<Column> {
    let made = match kind {
        Kind::Bool => numbers(DataType::Bool8, pieces, ctx, |values, out: &mut [MaybeUninit<u8>]| {
            Some(match values {
                Values::Bool(plain) => put(plain, u8::from, out),
                _ => return None,
            })
        }),
        Kind::Int(_) => numbers(DataType::Int64, pieces, ctx, |values, out: &mut [MaybeUninit<i64>]| {
            Some(match values {
                Values::Int(plain) => put(plain, |value| value, out),
                _ => return None,
            })
        }),
        Kind::UInt => numbers(DataType::UInt64, pieces, ctx, |values, out: &mut [MaybeUninit<u64>]| {
            Some(match values {
                Values::Int(plain) => put(plain, |value| value as u64, out),
                Values::UInt(plain) => put(plain, |value| value, out),
                _ => return None,
            })
        }),
        Kind::Float => numbers(DataType::Float64, pieces, ctx, |values, out: &mut [MaybeUninit<f64>]| {
            Some(match values {
                Values::Int(plain) => put(plain, |value| value as f64, out),
                Values::UInt(plain) => put(plain, |value| value as f64, out),
                Values::Float(plain) => put(plain, |value| value, out),
                _ => return None,
            })
        }),
        Kind::Text => {
            let text = |(values, _)| match values {
                Values::Text(text) | Values::Raw(text) => Some(Joined::new(text)),
                Values::Null(nulls) => Some(Joined::new(Text::new(nulls))),
                _ => None,
            };
            match pieces.into_iter().map(text).collect::<Option<Vec<_>>>() {
                Some(texts) => room::texts(&texts, ctx, ctx),
                None => Ok(None),
            }
        }
        Kind::Null | Kind::List(_) | Kind::Struct(_) => {
            let arrays = parallel::map_items(pieces, ctx, |(values, rows)| {
                columns::array(values, kind, rows).map_err(|e| Error::logic(e.to_string()).with_source(e))
            })?;
            let arrays: Vec<&ArrayRef> = arrays.iter().collect();
            batches::column(field, &arrays, rows, ctx).map(Some)
        }
    };
    made?.ok_or_else(|| Error::logic(format!("values that are not {kind:?}, or no UTF-8")))
}

/// A column of numbers. `fill` writes the values of a piece, or has nothing to give; pieces of nulls need it not.
fn numbers<T: Native>(
    data_type: DataType,
    pieces: Vec<Piece>,
    ctx: &Context,
    fill: impl Fn(Values, &mut [MaybeUninit<T>]) -> Option<Validity> + Sync,
) -> Result<Option<Column>> {
    let fill = |values: Values, out: &mut [MaybeUninit<T>]| {
        // Costs little, as the place is then in the cache.
        out.fill(MaybeUninit::new(T::from_i64(0)));
        Ok(match values {
            Values::Null(nulls) => {
                let mut validity = Validity::default();
                (0..nulls).for_each(|row| validity.clear(row));
                Some(validity)
            }
            values => fill(values, out),
        })
    };
    // SAFETY: every place has been written whole.
    unsafe { room::fixed(data_type, pieces, (ctx, ctx), fill) }
}

/// Writes values to their places.
fn put<V: Copy, T>(plain: Plain<V>, convert: impl Fn(V) -> T, out: &mut [MaybeUninit<T>]) -> Validity {
    for (slot, &value) in out.iter_mut().zip(&plain.values) {
        slot.write(convert(value));
    }
    valid(plain.nulls)
}

/// The validity of a part.
fn valid(mut nulls: NullBufferBuilder) -> Validity {
    let mut validity = Validity::default();
    if let Some(nulls) = nulls.finish() {
        let (bits, len) = (nulls.inner(), nulls.len());
        let bits = Bitmap::new(bits.values(), bits.offset(), len);
        for w in 0..len.div_ceil(64) {
            validity.clear_zeros(w * 64, bits.word(w), (len - w * 64).min(64));
        }
    }
    validity
}

/// The texts of a part.
struct Joined {
    text: Text,
    validity: Validity,
}

impl Joined {
    fn new(mut text: Text) -> Self {
        let validity = valid(std::mem::replace(&mut text.nulls, NullBufferBuilder::new(0)));
        Self { text, validity }
    }
}

// SAFETY: texts were added one behind the other, each with its end; they are looked at.
unsafe impl Texts for Joined {
    fn rows(&self) -> usize {
        self.text.len()
    }

    fn validity(&self) -> &Validity {
        &self.validity
    }

    fn bytes(&self) -> usize {
        self.text.bytes.len()
    }

    fn put<O: Native>(
        &self,
        base: usize,
        ends: &mut [MaybeUninit<O>],
        chars: &mut [MaybeUninit<u8>],
    ) -> Result<Option<()>> {
        chars.write_copy_of_slice(&self.text.bytes);
        for (slot, &end) in ends.iter_mut().zip(&self.text.offsets[1..]) {
            slot.write(O::from_i64(base as i64 + end));
        }
        // SAFETY: both have just been written: there are as many ends as rows.
        Ok(unsafe { are_texts(chars, base, ends) }.then_some(()))
    }
}
