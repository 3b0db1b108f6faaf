//! [`Program`]: expressions as steps over chunks.

use std::cell::RefCell;
use std::collections::HashMap;

use bytemuck::cast_slice_mut;
use cuprum_column::{Column, Context, DataType, Native, Result, Scalar, Table, dispatch_storage};

use cuprum_runtime::cache;

use super::steps::{self, Kernel, Loop};
use super::{Expression, Node, operations};
use cuprum_elements::elements::{CHUNK, PIECE, convert};
use cuprum_elementwise::binaryop::BinaryOperator;
use cuprum_elementwise::unary::{UnaryOperator, is_whole};

/// The source of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Input(usize),
    Literal(usize),
    Step(usize),
}

/// Values of a type, and whether some may be null.
#[derive(Clone, Copy)]
pub(super) struct Register {
    pub(super) source: Source,
    pub(super) data_type: DataType,
    pub(super) nullable: bool,
}

/// A literal as a chunk.
pub(super) struct Constant {
    pub(super) values: Vec<u64>,
    /// Bytes of one value.
    pub(super) size: usize,
    pub(super) valid: bool,
}

/// The rule by which the null mask of a result follows from those of the operands.
#[derive(Clone, Copy)]
pub(super) enum Validity {
    /// No nulls.
    Never,
    /// Valid where all operands are.
    All,
    /// `And` and `Or` of booleans.
    Kleene(BinaryOperator),
    /// The validity of the chosen operand.
    Chosen,
    /// The validity of the second operand where the first one is true and not null.
    Masked,
    /// The validity of the second operand where the first one is missing.
    Filled,
}

pub(super) struct Step {
    pub(super) kernel: Kernel,
    pub(super) operands: Vec<Source>,
    pub(super) validity: Validity,
    pub(super) result: DataType,
    /// The slot of a chunk of the result; `None` where it goes to memory and nobody reads it.
    pub(super) slot: Option<usize>,
    /// The number of steps with loops before it.
    pub(super) turn: usize,
}

/// The destination of the results.
#[derive(Clone, Copy)]
pub(super) enum Results {
    /// Chunks of them are kept.
    Kept,
    /// They are columns of so many rows.
    Written { rows: usize },
}

/// Lines of the caches that are prefetched at a time, before a step computes some rows: hardly more than the
/// processor keeps on their way, so that it does not wait for them.
const LINES: usize = 32;

impl Results {
    /// Whether a step writes values of the type where they belong: not where they pass the caches, for which they are
    /// copied from one.
    fn go_straight(self, result: DataType) -> bool {
        match self {
            Self::Kept => false,
            Self::Written { rows } => {
                let bytes = rows.saturating_mul(result.size().unwrap_or(1));
                !cache::Writer::new(bytes).is_past_caches()
            }
        }
    }
}

/// Steps over inputs and literals, and which of them are asked for.
pub(super) struct Program {
    pub(super) inputs: Vec<Column>,
    pub(super) literals: Vec<Constant>,
    pub(super) steps: Vec<Step>,
    pub(super) results: Vec<Register>,
    /// Chunks that are kept at a time.
    pub(super) slots: usize,
    /// The number of steps with loops.
    pub(super) turns: usize,
    /// Rows of a chunk that a step computes at a time; divides [`CHUNK`].
    pub(super) piece: usize,
}

impl Program {
    /// A program for `expressions` over the columns of `table`. Operations without steps are done here, once
    /// for all programs with the same `operated`.
    pub(super) fn new(
        expressions: &[Expression],
        table: &Table,
        results: Results,
        operated: &Operated,
        ctx: &Context,
    ) -> Result<Self> {
        let program = Self {
            inputs: vec![],
            literals: vec![],
            steps: vec![],
            results: vec![],
            slots: 0,
            turns: 0,
            piece: CHUNK,
        };
        let (known, mut uses) = (HashMap::new(), HashMap::new());
        expressions.iter().for_each(|expression| count_uses(expression, &mut uses));
        let mut builder = Builder { program, table, ctx, operated, known, uses };
        for expression in expressions {
            let register = builder.register(expression)?;
            builder.program.results.push(register);
        }
        let mut program = builder.program;
        program.assign_slots(results);
        let lines = program.inputs.iter().map(|input| input.data_type().size().unwrap_or(0) * CHUNK / 64);
        let pieces = lines.sum::<usize>().div_ceil(program.turns.max(1) * LINES);
        program.piece = (CHUNK >> pieces.next_power_of_two().trailing_zeros()).max(PIECE);
        Ok(program)
    }

    /// The source of the values of a source, which may only be masked.
    pub(super) fn values(&self, source: Source) -> Source {
        match source {
            Source::Step(at) if matches!(self.steps[at].kernel, Kernel::Masked) => {
                self.values(self.steps[at].operands[1])
            }
            source => source,
        }
    }

    /// Gives every result a place to be kept in until its last reader has read it.
    fn assign_slots(&mut self, results: Results) {
        let mut last_read: Vec<Option<usize>> = vec![None; self.steps.len()];
        for (reader, step) in self.steps.iter().enumerate() {
            for operand in &step.operands {
                if let Source::Step(read) = self.values(*operand) {
                    last_read[read] = Some(reader);
                }
            }
        }
        // The number of results with the values of each step, and whether one of them is only masked.
        let mut asked = vec![0; self.steps.len()];
        let mut is_masked = vec![false; self.steps.len()];
        for result in &self.results {
            if let Source::Step(read) = self.values(result.source) {
                asked[read] += 1;
                is_masked[read] |= result.source != Source::Step(read);
            }
        }
        let mut free = Vec::new();
        for at in 0..self.steps.len() {
            let is_kept = asked[at] != 1
                || is_masked[at]
                || last_read[at].is_some()
                || !results.go_straight(self.steps[at].result);
            if is_kept && !matches!(self.steps[at].kernel, Kernel::Masked) {
                self.steps[at].slot = Some(free.pop().unwrap_or_else(|| {
                    self.slots += 1;
                    self.slots - 1
                }));
            }
            for operand in self.steps[at].operands.clone() {
                let Source::Step(read) = self.values(operand) else { continue };
                if last_read[read] == Some(at) && asked[read] == 0 {
                    // Once, where an operand stands on both sides.
                    last_read[read] = None;
                    free.extend(self.steps[read].slot);
                }
            }
        }
    }
}

/// Columns that families have computed, and their operands.
#[derive(Default)]
pub(super) struct Operated(RefCell<HashMap<Expression, Column>>);

impl Operated {
    /// The column of `expression`, made where it is not there.
    fn get(&self, expression: &Expression, make: impl FnOnce() -> Result<Column>) -> Result<Column> {
        if let Some(column) = self.0.borrow().get(expression) {
            return Ok(column.clone());
        }
        let column = make()?;
        self.0.borrow_mut().insert(expression.clone(), column.clone());
        Ok(column)
    }
}

struct Builder<'a> {
    program: Program,
    table: &'a Table,
    ctx: &'a Context,
    operated: &'a Operated,
    known: HashMap<Expression, Register>,
    /// The number of uses of each expression, in others and as a result.
    uses: HashMap<&'a Expression, usize>,
}

/// Counts the uses of an expression, and its operands once.
fn count_uses<'e>(expression: &'e Expression, uses: &mut HashMap<&'e Expression, usize>) {
    let count = uses.entry(expression).or_default();
    *count += 1;
    if *count == 1 {
        expression.operands().for_each(|operand| count_uses(operand, uses));
    }
}

impl Builder<'_> {
    fn register(&mut self, expression: &Expression) -> Result<Register> {
        if let Some(register) = self.known.get(expression) {
            return Ok(*register);
        }
        let register = match self.stepped(expression)? {
            Some(register) => register,
            None => {
                let column = self.operated.get(expression, || self.operate(expression))?;
                self.input(column)
            }
        };
        self.known.insert(expression.clone(), register);
        Ok(register)
    }

    /// The result of the operation at the root, done by its family.
    fn operate(&self, expression: &Expression) -> Result<Column> {
        let column = |operand: &Expression| {
            let one = std::slice::from_ref(operand);
            let columns = super::cpu::evaluate_with(one, self.table, self.operated, self.ctx)?;
            Ok(columns.into_iter().next().expect("one expression"))
        };
        let operand = |operand: &Expression| match operand.node() {
            Node::Literal(scalar) => Ok(operations::Operated::Literal(scalar.clone())),
            _ => self.operated.get(operand, || column(operand)).map(operations::Operated::Column),
        };
        let rows = self.table.num_rows();
        match expression.node() {
            Node::Literal(scalar) => Column::from_scalar(scalar, rows, self.ctx),
            _ => {
                let operands = expression.operands().map(operand).collect::<Result<Vec<_>>>()?;
                operations::operate(expression, operands, rows, self.ctx)
            }
        }
    }

    fn input(&mut self, column: Column) -> Register {
        let (data_type, nullable) = (column.data_type(), column.has_nulls());
        self.program.inputs.push(column);
        Register { source: Source::Input(self.program.inputs.len() - 1), data_type, nullable }
    }

    /// Values made by a step, or read as they are; `None` where the family has to do it.
    fn stepped(&mut self, expression: &Expression) -> Result<Option<Register>> {
        let result = expression.data_type();
        Ok(match expression.node() {
            Node::Column(position) => Some(self.input(self.table.columns()[*position].clone())),
            Node::Literal(scalar) => self.literal(scalar, result)?,
            Node::Unary(op, operand) => {
                use UnaryOperator::{Ceil, Floor, Rint, Trunc};
                if matches!(op, Ceil | Floor | Rint | Trunc) && is_whole(operand.data_type()) {
                    return self.register(operand).map(Some);
                }
                let Some((values, takes)) = steps::unary(*op, operand.data_type()) else { return Ok(None) };
                let Some(operand) = self.converted(operand, takes)? else { return Ok(None) };
                Some(self.step(Kernel::Values(values), vec![operand], Validity::All, result))
            }
            Node::Binary(op, left, right) => {
                if let Some(register) = self.pair(*op, left, right, result)? {
                    return Ok(Some(register));
                }
                let (l, r) = (left.data_type(), right.data_type());
                let Some(Loop { values, operands, swapped }) = steps::binary(*op, l, r, result) else {
                    return Ok(None);
                };
                // The left operand first, whichever the loop takes first: of two errors the left one is
                // reported.
                let (l, r) = if swapped { (1, 0) } else { (0, 1) };
                let (Some(left), Some(right)) =
                    (self.converted(left, operands[l])?, self.converted(right, operands[r])?)
                else {
                    return Ok(None);
                };
                let (left, right) = if swapped { (right, left) } else { (left, right) };
                let kleene = result == DataType::Bool8
                    && matches!(op, BinaryOperator::And | BinaryOperator::Or)
                    && (left.nullable || right.nullable);
                let validity = if kleene { Validity::Kleene(*op) } else { Validity::All };
                Some(self.step(Kernel::Values(values), vec![left, right], validity, result))
            }
            Node::Function(..) => None,
            Node::Cast(operand) => {
                if !steps::always_fits(operand.data_type(), result) {
                    return Ok(None);
                }
                self.converted(operand, result)?
            }
            Node::IsMissing { operand, nan } => {
                if !is_stepped(operand.data_type()) {
                    return Ok(None);
                }
                let numbers = steps::numbers(operand.data_type()).filter(|_| *nan);
                let operand = self.register(operand)?;
                Some(self.step(Kernel::IsMissing(numbers), vec![operand], Validity::Never, result))
            }
            Node::Fill { operand, with, nan } => {
                let Some(fill) = steps::fill(result) else { return Ok(None) };
                let numbers = steps::numbers(result).filter(|_| *nan);
                // The replacement is computed in any case: its errors do not depend on the data.
                let (operand, with) = (self.register(operand)?, self.register(with)?);
                if !operand.nullable && numbers.is_none() {
                    return Ok(Some(operand));
                }
                Some(self.step(Kernel::Fill(fill, numbers), vec![operand, with], Validity::Filled, result))
            }
            Node::Conditional { condition, then, otherwise } => {
                let Some(values) = steps::choice(result) else { return Ok(None) };
                let mut condition = self.register(condition)?;
                if matches!(otherwise.node(), Node::Literal(scalar) if scalar.is_null()) {
                    let then = self.register(then)?;
                    return Ok(Some(self.step(
                        Kernel::Masked,
                        vec![condition, then],
                        Validity::Masked,
                        result,
                    )));
                }
                if condition.nullable {
                    // A missing condition is false.
                    let fill = steps::fill(DataType::Bool8).expect("booleans are stored as bytes");
                    let no = self.literal(&Scalar::from(false), DataType::Bool8)?.expect("a byte");
                    let kernel = Kernel::Fill(fill, None);
                    condition = self.step(kernel, vec![condition, no], Validity::Filled, DataType::Bool8);
                }
                let (then, otherwise) = (self.register(then)?, self.register(otherwise)?);
                let operands = vec![condition, then, otherwise];
                Some(self.step(Kernel::Values(values), operands, Validity::Chosen, result))
            }
        })
    }

    /// The operation together with the one that makes an operand of it, where both are of floats and nobody else takes
    /// that operand: the right one where it has no other operation in it, else the left one, else the right one.
    fn pair(
        &mut self,
        op: BinaryOperator,
        left: &Expression,
        right: &Expression,
        result: DataType,
    ) -> Result<Option<Register>> {
        let uses = &self.uses;
        let inner = |of_left: bool| match if of_left { left } else { right } {
            operand if operand.data_type() != result || uses.get(operand) != Some(&1) => None,
            operand => match operand.node() {
                Node::Binary(inner, a, b) => Some((steps::pair((*inner, op), !of_left, result)?, [a, b])),
                _ => None,
            },
        };
        let (of_left, of_right) = (inner(true), inner(false));
        let is_leaf = |of: &Expression| matches!(of.node(), Node::Column(_) | Node::Literal(_));
        let has_leaves = of_right.as_ref().is_some_and(|(_, [a, b])| is_leaf(a) && is_leaf(b));
        let is_left = (has_leaves || of_left.is_none()) && of_right.is_some();
        let Some((values, [a, b])) = (if is_left { of_right } else { of_left }) else { return Ok(None) };
        let in_order = if is_left { [left, a, b] } else { [a, b, right] };
        let mut operands = Vec::with_capacity(3);
        for operand in in_order {
            let Some(register) = self.converted(operand, result)? else { return Ok(None) };
            operands.push(register);
        }
        if is_left {
            operands.rotate_left(1);
        }
        Ok(Some(self.step(Kernel::Values(values), operands, Validity::All, result)))
    }

    /// A literal as it is stored in `data_type`; a null is any value.
    fn literal(&mut self, scalar: &Scalar, data_type: DataType) -> Result<Option<Register>> {
        fn chunk<T: Native>(value: T, rows: usize) -> (Vec<u64>, usize) {
            let mut values = vec![0u64; (rows * size_of::<T>()).div_ceil(8)];
            cast_slice_mut::<u64, T>(&mut values)[..rows].fill(value);
            (values, size_of::<T>())
        }
        let rows = self.table.num_rows().min(CHUNK);
        let (values, size) = dispatch_storage!(scalar.data_type(), S => {
            let stored = scalar.to_native::<S>()?;
            dispatch_storage!(data_type, T => chunk(stored.map_or(T::from_i64(0), convert::<S, T>), rows),
                else => return Ok(None))
        }, else => return Ok(None));
        let valid = !scalar.is_null();
        self.program.literals.push(Constant { values, size, valid });
        let source = Source::Literal(self.program.literals.len() - 1);
        Ok(Some(Register { source, data_type, nullable: !valid }))
    }

    /// The values of an expression as numbers of `to`.
    fn converted(&mut self, expression: &Expression, to: DataType) -> Result<Option<Register>> {
        if let Node::Literal(scalar) = expression.node() {
            return self.literal(scalar, to);
        }
        let register = self.register(expression)?;
        if register.data_type.storage() == to.storage() {
            return Ok(Some(Register { data_type: to, ..register }));
        }
        let Some(values) = steps::conversion(register.data_type, to) else { return Ok(None) };
        Ok(Some(self.step(Kernel::Values(values), vec![register], Validity::All, to)))
    }

    fn step(
        &mut self,
        kernel: Kernel,
        operands: Vec<Register>,
        validity: Validity,
        result: DataType,
    ) -> Register {
        let nullable = match validity {
            Validity::Never => false,
            Validity::All | Validity::Kleene(_) => operands.iter().any(|operand| operand.nullable),
            Validity::Chosen => operands[1].nullable || operands[2].nullable,
            Validity::Filled => operands[1].nullable,
            Validity::Masked => true,
        };
        let validity = if nullable { validity } else { Validity::Never };
        let operands = operands.iter().map(|operand| operand.source).collect();
        let turn = self.program.turns;
        self.program.turns += usize::from(!matches!(kernel, Kernel::Masked)); // which computes nothing
        self.program.steps.push(Step { kernel, operands, validity, result, slot: None, turn });
        let source = Source::Step(self.program.steps.len() - 1);
        Register { source, data_type: result, nullable }
    }
}

/// Whether values of the type can be read by steps.
fn is_stepped(data_type: DataType) -> bool {
    dispatch_storage!(data_type, T => size_of::<T>() > 0, else => false)
}
