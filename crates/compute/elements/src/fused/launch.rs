//! Formulas on a GPU: kernels by shape, their launch, and their results.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use cuprum_column::{Column, Context, DataType, Result, UNKNOWN_NULL_COUNT, null_mask};
use cuprum_runtime::fork::RwLock;
use cuprum_runtime::kernel::{GeneratedKernel, Grid, KernelParameter, Out, Source, reaching};
use cuprum_runtime::{Buffer, DeviceBuffer, DeviceSpan, DeviceUVec, kernel_struct};

use super::source::{THREADS, Text, Written, kernel};
use super::{JitExpression, Reads, Valid, Value, computed_as};
use cuprum_column::null_mask::bitmask_allocation_size_bytes;

kernel_struct! {
    /// A column that is read.
    pub(super) struct FormulaInput {
        pub(super) values: u64,
        pub(super) mask: u64,
        pub(super) first_bit: u64,
    }
}

kernel_struct! {
    /// A column that is written.
    pub(super) struct FormulaOutput {
        pub(super) values: u64,
        pub(super) mask: u64,
        pub(super) mask_words: u64,
    }
}

/// A kernel and the rows of its blocks.
struct Compiled {
    kernel: GeneratedKernel,
    tile: usize,
}

/// The kernel of a text, made once.
fn compiled(formula: &JitExpression, written: &[Written]) -> Arc<Compiled> {
    static KNOWN: LazyLock<RwLock<HashMap<String, Arc<Compiled>>>> = LazyLock::new(RwLock::default);
    let Text { text, tile } = kernel(formula, written);
    if let Some(known) = KNOWN.read().get(&text) {
        return Arc::clone(known);
    }
    let mut parameters = vec![usize::PARAMETER];
    parameters.extend(formula.inputs.iter().map(|_| FormulaInput::PARAMETER));
    parameters.extend(formula.literals.iter().map(|_| u64::PARAMETER));
    parameters.extend(written.iter().map(|_| FormulaOutput::PARAMETER));
    if formula.is_checked {
        parameters.push(Out::<u32>::PARAMETER);
    }
    let source = Arc::new(Source::generated("formula.cu", text.clone()));
    let kernel = GeneratedKernel::new(source, "formula", &[], parameters);
    let made = Arc::new(Compiled { kernel, tile });
    Arc::clone(KNOWN.write().entry(text).or_insert(made))
}

/// Memory of a result.
struct Made {
    values: Option<DeviceBuffer>,
    mask: Option<DeviceBuffer>,
}

impl Made {
    fn new(result: &Written, size: usize, rows: usize, ctx: &Context) -> Result<Self> {
        let values = result.values.map(|_| DeviceBuffer::uninit(rows * size, ctx)).transpose()?;
        let mask_bytes = bitmask_allocation_size_bytes(rows);
        let mask = result.has_mask().then(|| DeviceBuffer::uninit(mask_bytes, ctx)).transpose()?;
        Ok(Self { values, mask })
    }

    fn place(&mut self) -> Place<'_> {
        Place { values: self.values.as_mut(), mask: self.mask.as_mut() }
    }
}

/// The output memory of a result.
struct Place<'a> {
    values: Option<&'a mut DeviceBuffer>,
    mask: Option<&'a mut DeviceBuffer>,
}

impl Place<'_> {
    fn argument(&self) -> FormulaOutput {
        let address = |buffer: &Option<&mut DeviceBuffer>| buffer.as_ref().map_or(0, |b| b.as_ptr() as u64);
        let mask_words = self.mask.as_ref().map_or(0, |mask| mask.len() as u64 / 4);
        FormulaOutput { values: address(&self.values), mask: address(&self.mask), mask_words }
    }
}

impl JitExpression {
    /// A column for each value, of its type or of another one that is stored in the same way; `None` where a
    /// row refused.
    pub fn columns(self, values: &[(Value, DataType)], ctx: &Context) -> Result<Option<Vec<Column>>> {
        if self.rows == 0 {
            return Ok(Some(values.iter().map(|(_, data_type)| Column::empty(*data_type)).collect()));
        }
        let written: Vec<Written> = values.iter().map(|(value, _)| Written::values(value)).collect();
        let sizes: Vec<usize> = values.iter().map(|(_, data_type)| data_type.size().unwrap_or(8)).collect();
        let Some(made) = self.run(&written, &sizes, ctx)? else { return Ok(None) };
        let rows = self.rows;
        let column = |((value, data_type), made): (&(Value, DataType), Made)| {
            debug_assert_eq!(computed_as(value.data_type), computed_as(*data_type));
            let mask = match (&value.valid, made.mask) {
                (Valid::Never, _) => {
                    Some((null_mask::create_null_mask(rows, null_mask::MaskState::AllNull, ctx)?, rows))
                }
                (_, Some(mask)) => Some((Buffer::try_from(mask)?, UNKNOWN_NULL_COUNT)),
                _ => None,
            };
            let values = made.values.expect("values are written").try_into()?;
            Column::from_buffer(*data_type, rows, values, mask)
        };
        values.iter().zip(made).map(column).collect::<Result<Vec<_>>>().map(Some)
    }

    /// The column of one value.
    pub fn one(self, value: Value, data_type: DataType, ctx: &Context) -> Result<Option<Column>> {
        Ok(self.columns(&[(value, data_type)], ctx)?.and_then(|mut columns| columns.pop()))
    }

    /// [`one`](Self::one) of a formula that no row refuses.
    pub fn unchecked(self, value: Value, data_type: DataType, ctx: &Context) -> Result<Column> {
        debug_assert!(!self.is_checked);
        Ok(self.one(value, data_type, ctx)?.expect("nothing was checked"))
    }

    /// Sets the bits of the rows where a truth value is true and not null, in words that are 0; false where a row
    /// refused.
    pub fn set_true(mut self, value: &Value, words: &mut DeviceUVec<u32>, ctx: &Context) -> Result<bool> {
        if self.rows == 0 || value.valid == Valid::Never {
            return Ok(true);
        }
        let is_true = format!("{} & ({} != 0)", value.valid.text(), value.name);
        let valid = self.condition(&is_true);
        let place = Place { values: None, mask: Some(words.buffer_mut()) };
        self.run_into(&[Written { values: None, valid, name: String::new() }], vec![place], ctx)
    }

    /// A mask that says where `valid` holds.
    pub fn mask(self, valid: Valid, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        let rows = self.rows;
        match &valid {
            _ if rows == 0 => return Ok(None),
            Valid::Always => return Ok(None),
            Valid::Never => {
                return Ok(Some((
                    null_mask::create_null_mask(rows, null_mask::MaskState::AllNull, ctx)?,
                    rows,
                )));
            }
            Valid::Where(_) => {}
        }
        let made = self.run(&[Written { values: None, valid, name: String::new() }], &[0], ctx)?;
        let mask = made.and_then(|mut made| made.pop()).and_then(|made| made.mask);
        mask.map(|mask| Ok((mask.try_into()?, UNKNOWN_NULL_COUNT))).transpose()
    }

    /// Compiles the kernel of some values for GPUs of a compute capability, and keeps nothing.
    /// Compiles the kernel for GPUs of a compute capability (90 is 9.0), for tests.
    #[doc(hidden)]
    pub fn try_to_compile(&self, values: &[Value], compute_capability: u32) -> Result<()> {
        let written: Vec<Written> = values.iter().map(Written::values).collect();
        compiled(self, &written).kernel.try_to_compile(compute_capability)
    }

    fn run(&self, written: &[Written], sizes: &[usize], ctx: &Context) -> Result<Option<Vec<Made>>> {
        let made = written.iter().zip(sizes).map(|(result, size)| Made::new(result, *size, self.rows, ctx));
        let mut made = made.collect::<Result<Vec<_>>>()?;
        let places = made.iter_mut().map(Made::place).collect();
        Ok(if self.run_into(written, places, ctx)? { Some(made) } else { None })
    }

    /// Writes to memory that has room; false where a row refused.
    fn run_into(&self, written: &[Written], mut made: Vec<Place<'_>>, ctx: &Context) -> Result<bool> {
        let compiled = compiled(self, written);
        let rows = self.rows;
        let mut spans: Vec<Vec<DeviceSpan<'_, u8>>> = Vec::with_capacity(self.inputs.len());
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let (column, mut used) = (&input.column, Vec::with_capacity(2));
            let offset = column.offset();
            let mut values = 0;
            let read = match input.reads {
                Reads::Nothing => None,
                Reads::Values(_) => Some((column, offset)),
                Reads::Characters => Some((column, 0)),
                Reads::Offsets => column.offsets_child().map(|offsets| (offsets, offsets.offset() + offset)),
            };
            if let Some((of, first)) = read
                && let Some(data) = of.data()
            {
                let span = data.span::<u8>()?;
                values = span.as_ptr() as u64 + (first * of.data_type().size().unwrap_or(0)) as u64;
                used.push(span);
            }
            let mut mask = 0;
            if let (true, Some(bits)) = (input.has_mask, column.mask()) {
                let span = bits.span::<u8>()?;
                mask = span.as_ptr() as u64;
                used.push(span);
            }
            inputs.push(FormulaInput { values, mask, first_bit: offset as u64 });
            spans.push(used);
        }
        let mut any_refused =
            if self.is_checked { Some(DeviceUVec::<u32>::zeroed(1, &ctx.temporary()?)?) } else { None };
        let outputs: Vec<FormulaOutput> = made.iter().map(Place::argument).collect();
        // Words behind the last row are written, too.
        let covered = if written.iter().any(Written::has_mask) { rows.next_multiple_of(512) } else { rows };
        let grid = Grid::covering(covered, compiled.tile, THREADS);
        // SAFETY: the inputs have `rows` values and bits, the outputs room for as many, masks for those words.
        unsafe {
            compiled.kernel.launch(ctx, grid, |arguments| {
                arguments.add::<usize>(rows);
                for (input, used) in inputs.iter().zip(&spans) {
                    arguments.add::<FormulaInput>(reaching(*input, used));
                }
                for (bits, _) in &self.literals {
                    arguments.add::<u64>(*bits);
                }
                for (output, made) in outputs.iter().zip(&mut made) {
                    let buffers = [&mut made.values, &mut made.mask].into_iter().flatten().map(|b| &mut **b);
                    arguments.add::<FormulaOutput>(reaching(*output, []).and_writing(buffers));
                }
                if let Some(any_refused) = &mut any_refused {
                    arguments.add::<Out<u32>>(any_refused);
                }
            })?;
        }
        match any_refused {
            Some(any_refused) => Ok(any_refused.element(0)? == 0),
            None => Ok(true),
        }
    }
}
