//! The text of a formula's kernel.

use std::fmt::Write as _;

use super::{Input, JitExpression, Valid, Value, computed_as};

/// The functions of generated kernels.
const FUNCTIONS: &str = include_str!("formula.cu");

/// A result of the kernel.
pub(super) struct Written {
    /// The stored type of its values; `None` where only the mask is written.
    pub(super) values: Option<&'static str>,
    /// Its validity; a mask is written where that depends on rows.
    pub(super) valid: Valid,
    pub(super) name: String,
}

impl Written {
    pub(super) fn values(value: &Value) -> Self {
        Self { values: computed_as(value.data_type), valid: value.valid.clone(), name: value.name.clone() }
    }

    pub(super) fn has_mask(&self) -> bool {
        matches!(self.valid, Valid::Where(_))
    }
}

/// The kernel of a formula.
pub(super) struct Text {
    pub(super) text: String,
    /// Rows of a block.
    pub(super) tile: usize,
}

/// Threads of a block, as `formula.cu` has them.
pub(super) const THREADS: u32 = 256;

/// Simple operations that the code of a thread may have: more takes the compiler long, and a thread that
/// computes much waits little for memory.
const MOST_OPERATIONS: usize = 320;

fn size(type_name: &str) -> usize {
    match type_name {
        "i8" | "u8" => 1,
        "i16" | "u16" => 2,
        "i32" | "u32" | "f32" => 4,
        "i128" => 16,
        _ => 8,
    }
}

/// The number of neighbouring rows of a thread, and of repetitions: loads of 16 bytes, several of them under
/// way.
fn rows_of_thread(formula: &JitExpression, written: &[Written]) -> (usize, usize) {
    if formula.inputs.iter().any(|input| input.is_gathered) {
        // Threads side by side read rows that are so, or the same.
        return (1, (MOST_OPERATIONS / formula.cost.max(1)).clamp(1, 8));
    }
    let read: Vec<usize> = formula.inputs.iter().filter_map(Input::values).map(size).collect();
    let made = written.iter().filter_map(|result| result.values).map(size);
    let widest = read.iter().copied().chain(made).max().unwrap_or(1);
    // Each row is code of its own, more of it where values are read one by one.
    let most = if read.is_empty() { 64 } else { 16 };
    let room = (MOST_OPERATIONS / formula.cost.max(1)).clamp(1, most);
    let side_by_side = (16 / widest).min(1 << room.ilog2());
    let bytes = side_by_side * read.iter().sum::<usize>().max(1);
    let wanted = (8 / formula.inputs.len().max(1)).clamp(1, 4).max((64 / bytes).min(8));
    (side_by_side, wanted.min(room / side_by_side))
}

/// The kernel that computes `written`.
pub(super) fn kernel(formula: &JitExpression, written: &[Written]) -> Text {
    let (side, packs) = rows_of_thread(formula, written);
    let mut text =
        String::with_capacity(FUNCTIONS.len() + formula.functions.len() + 2048 + 2 * formula.body.len());
    text += "#line 1 \"formula.cu\"\n";
    text += FUNCTIONS;
    text += "\n";
    text += &formula.functions;
    text += "\n#line 1 \"a formula\"\n";
    write_kernel(&mut text, formula, written, side, packs).expect("text grows");
    Text { text, tile: THREADS as usize * side * packs }
}

fn write_kernel(
    text: &mut String,
    formula: &JitExpression,
    written: &[Written],
    side: usize,
    packs: usize,
) -> std::fmt::Result {
    let inputs = || formula.inputs.iter().enumerate();
    let values = || inputs().filter_map(|(at, input)| Some((at, input.values()?)));
    let masks = || inputs().filter(|(_, input)| input.has_mask && !input.is_gathered).map(|(at, _)| at);
    let results = || written.iter().enumerate();

    write!(text, "__global__ void __launch_bounds__(THREADS) formula(u64 n")?;
    for (at, _) in inputs() {
        write!(text, ", FormulaInput in{at}")?;
    }
    for at in 0..formula.literals.len() {
        write!(text, ", u64 bits{at}")?;
    }
    for (at, _) in results() {
        write!(text, ", FormulaOutput out{at}")?;
    }
    if formula.is_checked {
        write!(text, ", u32* any_refused")?;
    }
    writeln!(text, ") {{")?;
    for (at, (_, stored)) in formula.literals.iter().enumerate() {
        writeln!(text, "const {stored} literal{at} = literal<{stored}>(bits{at});")?;
    }
    let step = 32 * side;
    writeln!(
        text,
        "const u64 warp = u64(blockIdx.x) * (THREADS / WARP) + threadIdx.x / WARP;\n\
         const u64 first = warp * {} + threadIdx.x % WARP * {side};",
        step * packs
    )?;
    for (at, stored) in values() {
        writeln!(text, "Elements<{stored}, {side}> read{at}[{packs}];")?;
    }
    for at in masks() {
        writeln!(text, "u32 bits_of{at}[{packs}];")?;
    }
    if values().next().is_some() {
        write!(text, "const bool whole = (warp + 1) * {} <= n", step * packs)?;
        for (at, stored) in values() {
            write!(text, " && in{at}.values % {} == 0", size(stored) * side)?;
        }
        writeln!(text, ";\nif (whole) {{")?;
        each_pack(text, step, packs)?;
        for (at, stored) in values() {
            writeln!(text, "load<{stored}, {side}>(read{at}[pack], in{at}, row);")?;
        }
        writeln!(text, "}}\n}} else {{")?;
        each_pack(text, step, packs)?;
        for (at, stored) in values() {
            writeln!(text, "load_some<{stored}, {side}>(read{at}[pack], in{at}, row, n);")?;
        }
        writeln!(text, "}}\n}}")?;
    }
    if masks().next().is_some() {
        write!(text, "if ((warp + 1) * {} <= n", step * packs)?;
        for at in masks() {
            write!(text, " && in{at}.first_bit % 8 == 0")?;
        }
        writeln!(text, ") {{")?;
        each_pack(text, step, packs)?;
        for at in masks() {
            writeln!(text, "bits_of{at}[pack] = load_whole_bits<{side}>(in{at}, row);")?;
        }
        writeln!(text, "}}\n}} else {{")?;
        each_pack(text, step, packs)?;
        for at in masks() {
            writeln!(text, "bits_of{at}[pack] = load_bits<{side}>(in{at}, row, n);")?;
        }
        writeln!(text, "}}\n}}")?;
    }
    if formula.is_checked {
        writeln!(text, "bool refused = false;")?;
    }
    each_pack(text, step, packs)?;
    for (at, result) in results() {
        if let Some(stored) = result.values {
            writeln!(text, "Elements<{stored}, {side}> made{at};")?;
        }
        if result.has_mask() {
            writeln!(text, "u32 made_bits{at} = 0;")?;
        }
    }
    writeln!(text, "#pragma unroll\nfor (u32 k = 0; k < {side}; ++k) {{")?;
    if formula.is_checked {
        writeln!(text, "const bool there = row + k < n;")?;
    }
    for (at, stored) in values() {
        writeln!(text, "const {stored} x{at} = read{at}[pack].at[k];")?;
    }
    for at in masks() {
        writeln!(text, "const bool valid{at} = bits_of{at}[pack] >> k & 1;")?;
    }
    *text += &formula.body;
    for (at, result) in results() {
        if result.values.is_some() {
            writeln!(text, "made{at}.at[k] = {};", result.name)?;
        }
        if let Valid::Where(valid) = &result.valid {
            writeln!(text, "made_bits{at} |= u32({valid}) << k;")?;
        }
    }
    writeln!(text, "}}")?;
    for (at, result) in results() {
        if let Some(stored) = result.values {
            writeln!(text, "store<{stored}, {side}>(out{at}, row, n, made{at});")?;
        }
        if result.has_mask() {
            writeln!(text, "store_bits<{side}>(out{at}, row, n, made_bits{at});")?;
        }
    }
    writeln!(text, "}}")?;
    if formula.is_checked {
        writeln!(text, "if (refused) atomicOr(any_refused, 1u);")?;
    }
    writeln!(text, "}}")
}

fn each_pack(text: &mut String, step: usize, packs: usize) -> std::fmt::Result {
    writeln!(
        text,
        "#pragma unroll\nfor (u32 pack = 0; pack < {packs}; ++pack) {{\nconst u64 row = first + pack * {step};"
    )
}
