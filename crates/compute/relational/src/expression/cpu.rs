//! Programs over morsels, in parallel; chunk by chunk within one.

use std::mem::MaybeUninit;
use std::ops::Range;

use bytemuck::cast_slice;
use cuprum_column::{
    Bitmap, Column, ColumnView, Context, DataType, Error, HostUVec, Result, Table, dispatch_storage,
    null_mask,
};
use cuprum_runtime::{OutputSlice, cache, parallel};

use super::program::{Operated, Program, Register, Results, Source, Step, Validity};
use super::steps::{self, Kernel, Words};
use super::{Expression, operations};
use cuprum_aggregate::accumulation::cpu::morsel_block::{BLOCK, Block};
use cuprum_aggregate::accumulation::cpu::morsels::{Collected, Collecting, Morsels};
use cuprum_elements::elements::CHUNK;
use cuprum_elements::selection;
use cuprum_elementwise::binaryop::logic::kleene_validity;

/// See [`super::evaluate`]; the columns were checked.
pub(super) fn evaluate(expressions: &[Expression], table: &Table, ctx: &Context) -> Result<Vec<Column>> {
    evaluate_with(expressions, table, &Operated::default(), ctx)
}

/// [`evaluate`], where some of it has been done.
pub(super) fn evaluate_with(
    expressions: &[Expression],
    table: &Table,
    operated: &Operated,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let results = Results::Written { rows: table.num_rows() };
    let asked = Asked::new(expressions, table, results, operated, ctx)?;
    let computed = run(&asked.program, &asked.made, table.num_rows(), ctx)?;
    let column = |(at, expression): (usize, &Expression)| asked.column(at, expression.data_type(), &computed);
    expressions.iter().enumerate().map(column).collect()
}

/// A column that is being written.
struct Output {
    size: usize,
    values: HostUVec<MaybeUninit<u8>>,
    words: Option<HostUVec<MaybeUninit<u64>>>,
}

/// The parts of an [`Output`] that threads write to.
struct Writer<'a> {
    step: usize,
    size: usize,
    values: OutputSlice<'a, u8>,
    words: Option<OutputSlice<'a, u64>>,
}

/// Memory for the results of so many rows.
fn outputs(results: &[Register], rows: usize, ctx: &Context) -> Result<Vec<Output>> {
    let output = |register: &Register| {
        let size = register.data_type.size().expect("steps have values of fixed width");
        let bytes = rows.checked_mul(size).ok_or_else(|| Error::overflow(format!("{rows} rows")))?;
        let words = register.nullable.then(|| HostUVec::<u64>::uninit(rows.div_ceil(64), ctx)).transpose()?;
        Ok(Output { size, values: HostUVec::<u8>::uninit(bytes, ctx)?, words })
    };
    results.iter().map(output).collect()
}

fn writers<'a>(outputs: &'a mut [Output], results: &[Register]) -> Vec<Writer<'a>> {
    let writer = |(output, register): (&'a mut Output, &Register)| Writer {
        step: match register.source {
            Source::Step(step) => step,
            _ => unreachable!("results of steps only"),
        },
        size: output.size,
        values: output.values.output(),
        words: output.words.as_mut().map(HostUVec::output),
    };
    outputs.iter_mut().zip(results).map(writer).collect()
}

/// The columns of the written results.
///
/// # Safety
/// All values and words were.
unsafe fn columns(
    outputs: Vec<Output>,
    results: &[Register],
    rows: usize,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let column = |(output, register): (Output, &Register)| {
        // SAFETY: the caller says so.
        let values = unsafe { output.values.assume_init() };
        let mask = match output.words {
            // SAFETY: the caller has written all words.
            Some(words) => {
                let words = unsafe { words.assume_init() };
                Some(null_mask::from_words(rows, ctx, |w| words[w])?)
            }
            None => None,
        };
        Column::from_buffer(register.data_type, rows, values.into_buffer(), mask)
    };
    outputs.into_iter().zip(results).map(column).collect()
}

/// The columns of `results`, which are steps.
fn run(program: &Program, results: &[Register], rows: usize, ctx: &Context) -> Result<Vec<Column>> {
    if results.is_empty() {
        return Ok(Vec::new());
    }
    let mut outputs = outputs(results, rows, ctx)?;
    {
        let writers = writers(&mut outputs, results);
        let views = program.inputs.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let inputs = views.iter().map(Input::new).collect::<Result<Vec<_>>>()?;
        parallel::for_ranges(rows, parallel::MORSEL, ctx, &|morsel| {
            Chunks::new(program, &inputs, &writers, &morsel).run_all(morsel);
            Ok(())
        })?;
    }
    // SAFETY: the chunks cover all rows, every result was written for each of them, and morsels do not share words.
    unsafe { columns(outputs, results, rows, ctx) }
}

/// A program with the steps of its results, whose values are in its inputs or steps.
struct Asked {
    program: Program,
    /// Each step that is a result.
    made: Vec<Register>,
}

impl Asked {
    fn new(
        expressions: &[Expression],
        table: &Table,
        results: Results,
        operated: &Operated,
        ctx: &Context,
    ) -> Result<Self> {
        let mut program = Program::new(expressions, table, results, operated, ctx)?;
        for (register, expression) in program.results.iter_mut().zip(expressions) {
            if let Source::Literal(_) = register.source {
                program.inputs.push(operations::evaluate(expression, table, ctx)?);
                register.source = Source::Input(program.inputs.len() - 1);
            }
        }
        let is_made = |register: &&Register| matches!(register.source, Source::Step(_));
        let mut made: Vec<Register> = Vec::new();
        for register in program.results.iter().filter(is_made) {
            if !made.iter().any(|known| known.source == register.source) {
                made.push(*register);
            }
        }
        Ok(Self { program, made })
    }

    /// The column of result `at`, `computed` being those of all that was made.
    fn column(&self, at: usize, wanted: DataType, computed: &[Column]) -> Result<Column> {
        let register = self.program.results[at];
        let column = match register.source {
            Source::Input(at) => self.program.inputs[at].clone(),
            source => {
                let at = self.made.iter().position(|known| known.source == source);
                computed[at.expect("every step that is asked for")].clone()
            }
        };
        if column.data_type() == wanted { Ok(column) } else { column.bit_cast(wanted) }
    }
}

/// Collects the statistics of each morsel of rows, in their order, for the columns of `expressions`: those of
/// each by its `Morsels`, chunk by chunk as they are computed.
pub(super) fn collect(
    expressions: &[Expression],
    morsels: &[&Morsels],
    table: &Table,
    ctx: &Context,
) -> Result<Vec<Vec<Vec<Collected>>>> {
    const { assert!(CHUNK == BLOCK) };
    let asked = Asked::new(expressions, table, Results::Kept, &Operated::default(), ctx)?;
    let program = &asked.program;
    let views = program.inputs.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let inputs = views.iter().map(Input::new).collect::<Result<Vec<_>>>()?;
    parallel::map_morsels(table.num_rows(), ctx, |morsel| {
        let mut collecting: Vec<_> = morsels.iter().map(|morsels| morsels.begin()).collect();
        let mut chunks = Chunks::new(program, &inputs, &[], &morsel);
        for start in morsel.clone().step_by(CHUNK) {
            let rows = start..morsel.end.min(start + CHUNK);
            chunks.run(rows.clone());
            for ((register, expression), collecting) in
                program.results.iter().zip(expressions).zip(&mut collecting)
            {
                let valid = chunks.mask(register.source).filter(|_| register.nullable);
                collecting.add(Block {
                    data_type: expression.data_type(),
                    values: chunks.values(register.source, &rows),
                    valid: valid.map(|words| &words[..rows.len().div_ceil(64)]),
                })?;
            }
        }
        Ok(collecting.into_iter().map(Collecting::finish).collect())
    })
}

/// Bits of the rows where a formula of truth values is true and not null: nothing else is written.
pub(super) fn true_words(condition: &Expression, table: &Table, ctx: &Context) -> Result<HostUVec<u64>> {
    let one = std::slice::from_ref(condition);
    let asked = Asked::new(one, table, Results::Kept, &Operated::default(), ctx)?;
    let (program, rows) = (&asked.program, table.num_rows());
    let register = program.results[0];
    if let Source::Input(at) = register.source {
        return selection::true_words(&program.inputs[at], ctx);
    }
    let mut words = HostUVec::<u64>::uninit(rows.div_ceil(64), ctx)?;
    {
        let slots = words.output();
        let views = program.inputs.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let inputs = views.iter().map(Input::new).collect::<Result<Vec<_>>>()?;
        parallel::for_ranges(rows, parallel::MORSEL, ctx, &|morsel| {
            let mut chunks = Chunks::new(program, &inputs, &[], &morsel);
            for start in morsel.clone().step_by(CHUNK) {
                let rows = start..morsel.end.min(start + CHUNK);
                chunks.run(rows.clone());
                let values = chunks.values(register.source, &rows);
                // SAFETY: chunks begin at multiples of 64 rows, so no two of them share a word.
                let out = unsafe { slots.slice(rows.start / 64..rows.end.div_ceil(64)) };
                for (w, word) in out.iter_mut().enumerate() {
                    word.write(steps::truth(values, w) & chunks.word(register.source, w));
                }
            }
            Ok(())
        })?;
    }
    // SAFETY: the chunks cover all rows.
    Ok(unsafe { words.assume_init() })
}

/// A column that steps read.
struct Input<'a> {
    bytes: &'a [u8],
    size: usize,
    validity: Option<Bitmap<'a>>,
}

impl<'a> Input<'a> {
    fn new(view: &'a ColumnView<'_>) -> Result<Self> {
        let (bytes, size) = dispatch_storage!(view.data_type(), T => {
            (cast_slice(view.values::<T>()?), size_of::<T>())
        }, else => (&[][..], 0)); // no step reads it
        Ok(Self { bytes, size, validity: view.validity() })
    }
}

/// The state of one thread within a morsel.
struct Chunks<'a> {
    program: &'a Program,
    inputs: &'a [Input<'a>],
    writers: &'a [Writer<'a>],
    /// Values of the steps that are kept.
    slots: Vec<Vec<u64>>,
    /// Null masks of the inputs that have nulls.
    present: Vec<Option<Words>>,
    /// Null masks of all steps.
    words: Vec<Words>,
    /// The store streams of the writers.
    streams: Vec<cache::Writer>,
    /// Bytes of each input that are prefetched at a time: whole lines of the caches.
    shares: Vec<usize>,
}

impl<'a> Chunks<'a> {
    fn new(
        program: &'a Program,
        inputs: &'a [Input<'a>],
        writers: &'a [Writer<'a>],
        morsel: &Range<usize>,
    ) -> Self {
        let slots = (0..program.slots).map(|_| vec![0u64; morsel.len().min(CHUNK)]).collect();
        let present = inputs.iter().map(|input| input.validity.map(|_| [0; CHUNK / 64])).collect();
        let words = vec![[u64::MAX; CHUNK / 64]; program.steps.len()];
        let streams = writers.iter().map(|writer| cache::Writer::new(writer.values.len())).collect();
        let times = program.turns.max(1) * (CHUNK / program.piece);
        let share = |input: &Input<'_>| (CHUNK * input.size).div_ceil(times).next_multiple_of(64);
        let shares = inputs.iter().map(share).collect();
        Self { program, inputs, writers, slots, present, words, streams, shares }
    }

    /// Computes and writes the rows of a morsel.
    fn run_all(&mut self, morsel: Range<usize>) {
        for start in morsel.clone().step_by(CHUNK) {
            self.run(start..morsel.end.min(start + CHUNK));
        }
    }

    fn run(&mut self, rows: Range<usize>) {
        let steps = &self.program.steps;
        if self.program.turns == 0 {
            self.fetch_ahead(&rows, 0, CHUNK / self.program.piece);
        }
        for (input, words) in self.inputs.iter().zip(&mut self.present) {
            if let (Some(validity), Some(words)) = (&input.validity, words) {
                validity.read_words(rows.start / 64, &mut words[..rows.len().div_ceil(64)]);
            }
        }
        for (at, step) in steps.iter().enumerate() {
            let size = step.result.size().unwrap_or(1);
            let mut words = std::mem::replace(&mut self.words[at], [0; CHUNK / 64]);
            self.combine_masks(step, &rows, &mut words);
            match step.slot {
                _ if matches!(step.kernel, Kernel::Masked) => {}
                Some(slot) => {
                    // Nobody reads the slot that a step writes to: those of its operands are still taken.
                    let mut values = std::mem::take(&mut self.slots[slot]);
                    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut values);
                    let bytes = &mut bytes[..rows.len() * size];
                    // SAFETY: as bytes that may be uninitialised; only initialised ones are written.
                    let out = unsafe { &mut *(std::ptr::from_mut(bytes) as *mut [MaybeUninit<u8>]) };
                    self.write(at, &rows, out);
                    self.slots[slot] = values;
                }
                None => {
                    let writer = &self.writers[self.writer(at).expect("what is not kept is asked for")];
                    // SAFETY: morsels and chunks are disjoint, and lie inside the column.
                    let out = unsafe { writer.values.slice(rows.start * size..rows.end * size) };
                    self.write(at, &rows, out);
                }
            }
            self.words[at] = words;
        }
        for (writer, stream) in self.writers.iter().zip(&self.streams) {
            if matches!(steps[writer.step].kernel, Kernel::Masked) {
                let kept = self.values(Source::Step(writer.step), &rows);
                // SAFETY: morsels and chunks are disjoint, and lie inside the column.
                let out = unsafe { writer.values.slice(rows.start * writer.size..rows.end * writer.size) };
                stream.copy_to(kept, out);
            }
            if let Some(words) = &writer.words {
                // SAFETY: chunks begin at multiples of 64 rows, so no two of them share a word.
                let out = unsafe { words.slice(rows.start / 64..rows.end.div_ceil(64)) };
                out.write_copy_of_slice(&self.words[writer.step][..out.len()]);
            }
        }
    }

    /// Asks for the inputs' further rows, a share for each piece of a step: memory is read while steps compute.
    fn fetch_ahead(&self, rows: &Range<usize>, piece: usize, pieces: usize) {
        for (i, &share) in self.shares.iter().enumerate() {
            let input = &self.inputs[i];
            let chunk = &input.bytes[rows.start * input.size..rows.end * input.size];
            let (start, end) = (share * piece, share * (piece + pieces));
            cache::fetch_far_ahead(&chunk[start.min(chunk.len())..end.min(chunk.len())]);
        }
    }

    /// The writer of a step that is asked for.
    fn writer(&self, step: usize) -> Option<usize> {
        (0..self.writers.len()).find(|&at| self.writers[at].step == step)
    }

    /// Bytes of one value.
    fn width(&self, source: Source) -> usize {
        match self.program.values(source) {
            Source::Input(at) => self.inputs[at].size,
            Source::Literal(at) => self.program.literals[at].size,
            Source::Step(at) => self.program.steps[at].result.size().unwrap_or(1),
        }
    }

    /// The values of a chunk.
    fn values(&self, source: Source, rows: &Range<usize>) -> &[u8] {
        match self.program.values(source) {
            Source::Input(at) => {
                let input = &self.inputs[at];
                &input.bytes[rows.start * input.size..rows.end * input.size]
            }
            Source::Literal(at) => {
                let literal = &self.program.literals[at];
                &cast_slice(&literal.values)[..rows.len() * literal.size]
            }
            Source::Step(at) => {
                let step = &self.program.steps[at];
                let slot = step.slot.expect("what is read is kept");
                let bytes: &[u8] = cast_slice(&self.slots[slot]);
                &bytes[..rows.len() * step.result.size().unwrap_or(1)]
            }
        }
    }

    /// Null masks of a chunk; `None` where nothing is null.
    fn mask(&self, source: Source) -> Option<&Words> {
        match source {
            Source::Input(at) => self.present[at].as_ref(),
            Source::Literal(at) => (!self.program.literals[at].valid).then_some(&[0; CHUNK / 64]),
            Source::Step(at) => Some(&self.words[at]),
        }
    }

    /// Validity of the rows `[64 w, 64 w + 64)` of a chunk.
    fn word(&self, source: Source, w: usize) -> u64 {
        self.mask(source).map_or(u64::MAX, |words| words[w])
    }

    fn combine_masks(&self, step: &Step, rows: &Range<usize>, words: &mut Words) {
        let used = rows.len().div_ceil(64);
        let valid = |operand: usize, w| self.word(step.operands[operand], w);
        let values = |operand: usize| self.values(step.operands[operand], rows);
        match step.validity {
            Validity::Never => *words = [u64::MAX; CHUNK / 64],
            Validity::All => {
                *words = [u64::MAX; CHUNK / 64];
                for mask in step.operands.iter().filter_map(|operand| self.mask(*operand)) {
                    words.iter_mut().zip(mask).for_each(|(word, valid)| *word &= valid);
                }
            }
            Validity::Kleene(op) => {
                let (left, right) = (values(0), values(1));
                for (w, word) in words.iter_mut().enumerate().take(used) {
                    let left = (valid(0, w), steps::truth(left, w));
                    *word = kleene_validity(op, left, (valid(1, w), steps::truth(right, w)));
                }
            }
            Validity::Chosen => {
                let condition = values(0);
                for (w, word) in words.iter_mut().enumerate().take(used) {
                    let then = steps::truth(condition, w);
                    *word = (then & valid(1, w)) | (!then & valid(2, w));
                }
            }
            Validity::Masked => {
                let condition = values(0);
                for (w, word) in words.iter_mut().enumerate().take(used) {
                    *word = steps::truth(condition, w) & valid(0, w) & valid(1, w);
                }
            }
            Validity::Filled => {
                let mut present = [0; CHUNK / 64];
                self.present(step, rows, &mut present);
                for (w, word) in words.iter_mut().enumerate().take(used) {
                    *word = present[w] | valid(1, w);
                }
            }
        }
    }

    /// The rows in which the first operand is not missing.
    fn present(&self, step: &Step, rows: &Range<usize>, present: &mut Words) {
        let numbers = match step.kernel {
            Kernel::Fill(_, numbers) | Kernel::IsMissing(numbers) => numbers,
            Kernel::Values(_) | Kernel::Masked => None,
        };
        for (w, word) in present.iter_mut().enumerate().take(rows.len().div_ceil(64)) {
            *word = self.word(step.operands[0], w);
            if let Some(numbers) = numbers {
                *word &= numbers(self.values(step.operands[0], rows), w);
            }
        }
    }

    /// Writes all values of a step, and brings those that are kept to where they are asked for.
    fn write(&self, at: usize, rows: &Range<usize>, out: &mut [MaybeUninit<u8>]) {
        let step = &self.program.steps[at];
        let values = |operand: usize| self.values(step.operands[operand], rows);
        let asked = if step.slot.is_some() { self.writer(at) } else { None };
        let send = |piece: Range<usize>, kept: &[MaybeUninit<u8>]| {
            let Some(asked) = asked else { return };
            let (writer, stream) = (&self.writers[asked], &self.streams[asked]);
            let rows = rows.start + piece.start..rows.start + piece.end;
            // SAFETY: these values have been written.
            let kept = unsafe { kept.assume_init_ref() };
            // SAFETY: morsels, chunks and pieces are disjoint, and lie inside the column.
            let out = unsafe { writer.values.slice(rows.start * writer.size..rows.end * writer.size) };
            stream.copy_to(kept, out);
        };
        let (size, pieces) = (self.program.piece, CHUNK / self.program.piece);
        let turn = step.turn * pieces;
        if let Kernel::Values(kernel) = &step.kernel {
            let mut operands = [&[][..]; 3];
            let mut widths = [0; 3];
            for i in 0..step.operands.len() {
                operands[i] = values(i);
                widths[i] = self.width(step.operands[i]);
            }
            let is_literal = |i: usize| matches!(step.operands[i], Source::Literal(_));
            let width = step.result.size().unwrap_or(1);
            let mut start = 0;
            for i in 0..rows.len().div_ceil(size) {
                let piece = start..rows.len().min(start + size);
                start = piece.end;
                self.fetch_ahead(rows, turn + i, 1);
                // The beginning of a literal serves all pieces, so that it takes little of the first cache.
                let from = |i: usize| if is_literal(i) { 0 } else { piece.start };
                let of = |i: usize| &operands[i][from(i) * widths[i]..(from(i) + piece.len()) * widths[i]];
                let out = &mut out[piece.start * width..piece.end * width];
                match step.operands.len() {
                    1 => kernel(&[of(0)], out),
                    2 => kernel(&[of(0), of(1)], out),
                    _ => kernel(&[of(0), of(1), of(2)], out),
                }
                send(piece, out);
            }
            return;
        }
        self.fetch_ahead(rows, turn, pieces);
        let mut present = [0; CHUNK / 64];
        match &step.kernel {
            Kernel::IsMissing(_) => {
                self.present(step, rows, &mut present);
                for (w, out) in out.chunks_mut(64).enumerate() {
                    for (slot, is_present) in out.iter_mut().zip(selection::unpack_bits(present[w])) {
                        slot.write(u8::from(is_present == 0));
                    }
                }
            }
            Kernel::Fill(fill, _) => {
                self.present(step, rows, &mut present);
                fill(values(0), values(1), &present, out);
            }
            Kernel::Values(_) | Kernel::Masked => {
                unreachable!("values are written above, and masked ones nowhere")
            }
        }
        send(0..rows.len(), out);
    }
}
