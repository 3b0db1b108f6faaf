//! Parts of JSON texts: see [`json_path`](super::super::json_path).

use cuprum_column::{Column, Context, Result, TextsDeviceView};
use cuprum_elements::string_map::cuda::{Nulls, make_from_texts};
use cuprum_runtime::kernel::{In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use super::super::json_steps::{JsonPathOptions, Step};

kernels! {
    pub static JSON_PATH: "json_path.cu" where
        /// Threads of every block: those of `string_map::cuda`.
        THREADS = 128,
        /// Bytes of a block's rows that shared memory takes.
        STAGE = 8192,
        /// The most `*` of a path: those of `json_steps`.
        MOST_WILDCARDS = 7;

    fn json_of_texts(
        column: TextsDeviceView, words: In<u64>, num_steps: usize, names: In<u8>, allow_single_quotes: bool,
        strip_quotes: bool, missing_as_null: bool,
        narrow: Option<Out<i32>>, wide: Option<Out<u64>>, bytes: Option<Out<u8>>, validity: Option<Out<u32>>,
    );
}

const _: () = assert!(MOST_WILDCARDS as usize == super::super::json_steps::MOST_WILDCARDS);

/// See [`get_json_object`](super::super::json_path::get_json_object).
pub(in super::super) fn get(
    column: &Column,
    steps: &[Step],
    options: JsonPathOptions,
    ctx: &Context,
) -> Result<Column> {
    let (mut words, mut names) = (Vec::new(), String::new());
    for step in steps {
        words.extend(match step {
            Step::Name(name) => [0, names.len() as u64, name.len() as u64],
            Step::Position(position) => [1, *position as u64, 0],
            Step::All => [2, 0, 0],
        });
        if let Step::Name(name) = step {
            names.push_str(name);
        }
    }
    let temporary = ctx.temporary()?;
    let words = DeviceUVec::from_slice(&words, &temporary)?;
    let names = DeviceUVec::from_slice(names.as_bytes(), &temporary)?;
    // A separator or a null for each byte at most, two brackets.
    let most = |bytes: usize| bytes.checked_mul(6)?.checked_add(column.len().checked_mul(8)?);
    make_from_texts(column, most, Nulls::Made, ctx, |grid, texts, out| {
        // SAFETY: the words are those of the steps; sizes, offsets, bytes and validity are those of the rows.
        unsafe {
            json_of_texts(
                ctx,
                grid,
                texts,
                &words,
                steps.len(),
                &names,
                options.allow_single_quotes,
                options.strip_quotes_from_single_strings,
                options.missing_fields_as_nulls,
                out.narrow,
                out.wide,
                out.bytes,
                out.validity,
            )
        }
    })
}
