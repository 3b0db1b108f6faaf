//! [`Source`]: the text that kernels are compiled from, and the headers that it can include.

use std::borrow::Cow;

use super::types;

/// Text that kernels are compiled from.
#[derive(Debug)]
pub struct Source {
    pub(super) name: Cow<'static, str>,
    pub(super) text: Cow<'static, str>,
}

impl Source {
    /// A file of the program.
    pub const fn file(name: &'static str, text: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), text: Cow::Borrowed(text) }
    }

    /// Text made at run time; `name` is its name in the compiler's messages.
    pub fn generated(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: Cow::Owned(name.into()), text: Cow::Owned(text.into()) }
    }
}

/// The headers every kernel can include.
pub(super) const HEADERS: &[(&str, &str)] = &[
    ("cuprum/types.cuh", types::HEADER),
    ("cuprum/operators.cuh", include_str!("../../include/cuprum/operators.cuh")),
    ("cuprum/pack.cuh", include_str!("../../include/cuprum/pack.cuh")),
    ("cuprum/block.cuh", include_str!("../../include/cuprum/block.cuh")),
    ("cuprum/bits.cuh", include_str!("../../include/cuprum/bits.cuh")),
    ("cuprum/search.cuh", include_str!("../../include/cuprum/search.cuh")),
    ("cuprum/row_pieces.cuh", include_str!("../../include/cuprum/row_pieces.cuh")),
    ("cuprum/look_back.cuh", include_str!("../../include/cuprum/look_back.cuh")),
    ("cuprum/calendar.cuh", include_str!("../../include/cuprum/calendar.cuh")),
    ("cuprum/column.cuh", include_str!("../../include/cuprum/column.cuh")),
    ("cuprum/characters.cuh", include_str!("../../include/cuprum/characters.cuh")),
    ("cuprum/texts.cuh", include_str!("../../include/cuprum/texts.cuh")),
    ("cuprum/time_fields.cuh", include_str!("../../include/cuprum/time_fields.cuh")),
    ("cuprum/spans.cuh", include_str!("../../include/cuprum/spans.cuh")),
    ("cuprum/tokens.cuh", include_str!("../../include/cuprum/tokens.cuh")),
    ("cuprum/text_runs.cuh", include_str!("../../include/cuprum/text_runs.cuh")),
    ("cuprum/text_table.cuh", include_str!("../../include/cuprum/text_table.cuh")),
    ("cuprum/program.cuh", include_str!("../../include/cuprum/program.cuh")),
    ("cuprum/automata.cuh", include_str!("../../include/cuprum/automata.cuh")),
    ("cuprum/order.cuh", include_str!("../../include/cuprum/order.cuh")),
    ("cuprum/hash.cuh", include_str!("../../include/cuprum/hash.cuh")),
    ("cuprum/value_bytes.cuh", include_str!("../../include/cuprum/value_bytes.cuh")),
    ("cuprum/row_groups.cuh", include_str!("../../include/cuprum/row_groups.cuh")),
    ("cuprum/equality.cuh", include_str!("../../include/cuprum/equality.cuh")),
    ("cuprum/row_hash.cuh", include_str!("../../include/cuprum/row_hash.cuh")),
    ("cuprum/quantiles.cuh", include_str!("../../include/cuprum/quantiles.cuh")),
    ("cuprum/running.cuh", include_str!("../../include/cuprum/running.cuh")),
    ("cuprum/digits.cuh", include_str!("../../include/cuprum/digits.cuh")),
    ("cuprum/window_folds.cuh", include_str!("../../include/cuprum/window_folds.cuh")),
    ("cuprum/windows.cuh", include_str!("../../include/cuprum/windows.cuh")),
];
