//! Texts as numbers of distinct ones, where a file has few of them.

use std::collections::HashMap;

use cuprum_column::{Column, Context, DataType, HostUVec, Result};
use cuprum_runtime::parallel;

use super::direct::{Chunks, too_many};
use super::strings::TextChunk;
use super::{damaged, describe, guarded};
use crate::places::{self, split, sum};

/// A text column: for every row the number of its text among distinct ones.
pub struct CodedTexts {
    /// `Int32` without nulls.
    pub codes: Column,
    /// The distinct texts, and a null where rows are null.
    pub values: Column,
}

/// The texts of the chunks; `None` where some are stored as themselves, and where there are more than a quarter as many
/// in dictionaries as there are rows.
pub(super) fn coded(chunks: &Chunks<'_>, ctx: &Context) -> Result<Option<CodedTexts>> {
    let rows = sum(chunks.groups.iter().map(|group| group.rows)).ok_or_else(too_many)?;
    let pieces = places::each(chunks.groups, chunks.host, |group| {
        let read = || TextChunk::read_coded(&mut chunks.pages(group)?, group.rows / 4);
        chunks.decode(group, || guarded(chunks.source, read))
    })?;
    let Some(pieces) = pieces else { return Ok(None) };
    let mut distinct = Distinct::default();
    let numbers: Vec<Vec<i32>> = pieces.iter().map(|piece| distinct.numbers(piece)).collect();
    if distinct.texts.len() > rows / 4 {
        return Ok(None);
    }
    let mut codes = HostUVec::<i32>::uninit(rows, chunks.host)?;
    let parts = split(&mut codes, chunks.groups.iter().map(|group| group.rows));
    parallel::map_items(pieces.iter().zip(&numbers).zip(parts), chunks.host, |((piece, numbers), out)| {
        if piece.put_numbers(numbers, out) {
            Ok(())
        } else {
            Err(describe(chunks.source, damaged("rows without codes")))
        }
    })?;
    let values = Column::from_opt_strs(&distinct.texts, ctx)?;
    // SAFETY: every piece has written its part whole, or failed.
    let codes = unsafe { codes.assume_init() }.into_buffer();
    let codes = Column::from_buffer(DataType::Int32, rows, codes, None)?.to_device(ctx)?;
    Ok(Some(CodedTexts { codes, values }))
}

/// Distinct texts in the order in which they were found, and a null.
#[derive(Default)]
struct Distinct<'a> {
    texts: Vec<Option<&'a str>>,
    found: HashMap<Option<&'a str>, i32>,
}

impl<'a> Distinct<'a> {
    /// The number of each text of a chunk.
    fn numbers(&mut self, chunk: &'a TextChunk) -> Vec<i32> {
        let number = |text| {
            *self.found.entry(text).or_insert_with(|| {
                self.texts.push(text);
                self.texts.len() as i32 - 1
            })
        };
        chunk.distinct().map(number).collect()
    }
}
