//! Formulas over elements, each as one generated kernel: what arithmetic, comparisons, casts and expressions
//! are on a GPU.
//!
//! A [`JitExpression`] is built from the columns and scalars that it reads and from operations on their
//! values, as C++ over the functions of `formula.cu`. [`JitExpression::columns`] then makes a kernel of it, in which
//! every column is read once and every result written once, values and null mask. A kernel is compiled once
//! for each *shape*: types, operations, and which columns have nulls; literals are arguments. Shapes are
//! remembered, and on disk their machine code is (see [`cuprum_runtime::kernel`]).
//!
//! An operation may be refused by a row (a value that does not fit). Then no column is made, and the caller
//! has the CPU say which row it was: [`by_cpu`].

mod launch;
mod source;
mod strings;

use std::fmt::Write as _;

use cuprum_column::Value::Decimal;
use cuprum_column::{Column, Context, DataType, Native, Result, Scalar, dispatch_storage};
use cuprum_runtime::Device;
use cuprum_runtime::backend::OnDevice;
use cuprum_runtime::kernel::KernelName;

use crate::elements::Operand;

pub use strings::{Looks, of_texts};

/// A formula under construction.
pub struct JitExpression {
    rows: usize,
    inputs: Vec<Input>,
    /// The bits of literals, and their types.
    literals: Vec<(u64, &'static str)>,
    /// Functions that the body calls.
    functions: String,
    /// The statements for a row, line by line.
    body: String,
    /// The number of names in use.
    names: usize,
    /// Whether a row can refuse.
    is_checked: bool,
    /// The cost of a row, in simple operations.
    cost: usize,
}

/// A column that is read.
struct Input {
    column: Column,
    reads: Reads,
    /// Whether its mask is read.
    has_mask: bool,
    /// Whether its rows are read in any order, as statements of the body say.
    is_gathered: bool,
}

/// The parts of a column that are read besides its mask.
#[derive(Clone, Copy)]
enum Reads {
    Nothing,
    /// Values of a type, by threads that have several side by side.
    Values(&'static str),
    /// The offsets of texts.
    Offsets,
    /// The characters of texts.
    Characters,
}

impl Input {
    /// The type of its values, where those are read side by side.
    fn values(&self) -> Option<&'static str> {
        match self.reads {
            Reads::Values(stored) if !self.is_gathered => Some(stored),
            _ => None,
        }
    }
}

/// A value of a [`JitExpression`] for each row.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its type.
    pub data_type: DataType,
    /// The name of the variable that stores it.
    pub name: String,
    /// The rows that have it.
    pub valid: Valid,
}

/// Whether a value is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Valid {
    /// In every row.
    Always,
    /// In no row.
    Never,
    /// In rows where this name is true.
    Where(String),
}

impl Valid {
    /// As C++.
    pub fn text(&self) -> &str {
        match self {
            Self::Always => "true",
            Self::Never => "false",
            Self::Where(name) => name,
        }
    }
}

/// The name of an element type in kernels; `None` for types that formulas do not compute with.
pub fn stored_as(data_type: DataType) -> Option<&'static str> {
    dispatch_storage!(data_type, T => Some(<T as KernelName>::NAME), else => None)
}

/// [`stored_as`], and the name of the integers of wide decimals.
pub fn computed_as(data_type: DataType) -> Option<&'static str> {
    match data_type {
        DataType::Decimal128(_) => Some("i128"),
        _ => stored_as(data_type),
    }
}

impl JitExpression {
    /// A formula for so many rows.
    pub fn new(rows: usize) -> Self {
        let (inputs, literals) = (Vec::new(), Vec::new());
        let (functions, body) = (String::new(), String::new());
        Self { rows, inputs, literals, functions, body, names: 0, is_checked: false, cost: 0 }
    }

    /// Has C++ that functions are defined in stand before the kernel.
    pub fn define(&mut self, functions: &str) {
        self.functions += functions;
    }

    /// The values of a column of fixed width, or of texts, with as many rows.
    pub fn column(&mut self, column: &Column) -> Value {
        let data_type = column.data_type();
        if data_type == DataType::String {
            return self.texts(column);
        }
        let stored = computed_as(data_type).expect("formulas compute with types of fixed width");
        let name = format!("x{}", self.inputs.len());
        let valid = self.input(column, Reads::Values(stored));
        Value { data_type, name, valid }
    }

    /// The validity of a column of any type.
    pub fn validity(&mut self, column: &Column) -> Valid {
        if column.data_type() == DataType::Empty {
            return Valid::Never;
        }
        if !may_have_nulls(column) {
            return Valid::Always;
        }
        self.input(column, Reads::Nothing)
    }

    fn input(&mut self, column: &Column, reads: Reads) -> Valid {
        let (at, has_mask) = (self.inputs.len(), may_have_nulls(column));
        self.inputs.push(Input { column: column.clone(), reads, has_mask, is_gathered: false });
        if has_mask { Valid::Where(format!("valid{at}")) } else { Valid::Always }
    }

    /// The number of an input without a mask.
    fn unmasked_input(&mut self, column: &Column, reads: Reads) -> usize {
        self.inputs.push(Input { column: column.clone(), reads, has_mask: false, is_gathered: false });
        self.inputs.len() - 1
    }

    /// The values of a column of any length, of fixed width or of texts: for each row of the formula that of the row that
    /// a name says.
    pub fn gathered(&mut self, column: &Column, row: &str) -> Value {
        let data_type = column.data_type();
        if data_type == DataType::String {
            return self.texts_at(column, row);
        }
        let stored = computed_as(data_type).expect("formulas compute with types of fixed width");
        let at = self.inputs.len();
        let valid = self.gathered_input(column, Reads::Values(stored), row);
        let value = format!("row + k < n ? value_at<{stored}>(in{at}, {row}) : {stored}(0)");
        let name = self.named(stored, &value);
        Value { data_type, name, valid }
    }

    /// [`validity`](Self::validity) of [`gathered`](Self::gathered) rows.
    pub fn gathered_validity(&mut self, column: &Column, row: &str) -> Valid {
        if column.data_type() == DataType::Empty {
            return Valid::Never;
        }
        if !may_have_nulls(column) {
            return Valid::Always;
        }
        self.gathered_input(column, Reads::Nothing, row)
    }

    fn gathered_input(&mut self, column: &Column, reads: Reads, row: &str) -> Valid {
        /// Simple operations that reading anywhere costs.
        const COST: usize = 4;
        let (at, has_mask) = (self.inputs.len(), may_have_nulls(column));
        self.inputs.push(Input { column: column.clone(), reads, has_mask, is_gathered: true });
        self.cost += COST;
        match has_mask {
            true => self.condition(&format!("row + k < n && bit_at(in{at}, {row})")),
            false => Valid::Always,
        }
    }

    /// The names of the left and the right row of each pair, where the rows of the formula are all pairs of left rows
    /// from `first` on and of `width` right rows, in order: fewer than 2³².
    pub fn rows_of_all_pairs(&mut self, first: usize, width: usize) -> [String; 2] {
        /// Simple operations of two divisions.
        const COST: usize = 40;
        debug_assert!(u32::try_from(self.rows).is_ok());
        let (first, width) = (self.number(first as u64), self.number(width as u64));
        self.cost += COST;
        let left = self.named("u64", &format!("{first} + u32(row + k) / u32({width})"));
        [left, self.named("u64", &format!("u32(row + k) % u32({width})"))]
    }

    /// The name of the row that a column of row numbers without nulls has for each row of the formula.
    pub fn row_of_map(&mut self, map: &Column) -> String {
        let map = self.column(map);
        self.named("u64", &format!("u64({})", map.name))
    }

    /// A scalar in every row, of a type that formulas compute with; a null is any value.
    pub fn scalar(&mut self, scalar: &Scalar) -> Result<Value> {
        let data_type = scalar.data_type();
        if data_type.is_decimal() {
            let (digits, valid) = match scalar.value() {
                Decimal(digits) => (*digits, Valid::Always),
                _ => (0, Valid::Never),
            };
            let name = self.digits(digits);
            let stored = computed_as(data_type).unwrap_or("i128");
            let name = self.named(stored, &format!("{stored}({name})"));
            return Ok(Value { data_type, name, valid });
        }
        let stored = dispatch_storage!(data_type, T => scalar.to_native::<T>()?.map(bits), else => None);
        let valid = if stored.is_some() { Valid::Always } else { Valid::Never };
        let name = self.literal(stored.unwrap_or(0), data_type);
        Ok(Value { data_type, name, valid })
    }

    /// A column or a scalar.
    pub fn operand(&mut self, operand: Operand<'_>) -> Result<Value> {
        match operand {
            Operand::Column(column) => Ok(self.column(column)),
            Operand::Scalar(scalar) => self.scalar(scalar),
        }
    }

    /// A number that is an argument of the kernel, so that the kernel is one for all of them; its name.
    pub fn number<T: Native>(&mut self, number: T) -> String {
        self.literal(bits(number), T::DATA_TYPE)
    }

    /// An integer of 128 bits that is an argument of the kernel; C++ for it.
    fn digits(&mut self, digits: i128) -> String {
        let high = self.number((digits >> 64) as u64);
        let low = self.number(digits as u64);
        format!("wide({high}, {low})")
    }

    fn literal(&mut self, bits: u64, data_type: DataType) -> String {
        self.literals.push((bits, stored_as(data_type).expect("a literal of fixed width")));
        format!("literal{}", self.literals.len() - 1)
    }

    /// A value of `data_type` from the C++ expression `text`, valid where `valid` says. `cost` is that of
    /// the expression in simple operations.
    pub fn value(&mut self, data_type: DataType, valid: Valid, cost: usize, text: &str) -> Value {
        let stored = computed_as(data_type).expect("formulas compute with types of fixed width");
        let name = self.named(stored, text);
        self.cost += cost;
        Value { data_type, name, valid }
    }

    /// A name for the value of a C++ expression of a C++ type.
    pub fn named(&mut self, type_name: &str, text: &str) -> String {
        let name = format!("v{}", self.names);
        self.names += 1;
        self.cost += 1;
        writeln!(self.body, "const {type_name} {name} = {text};").expect("text grows");
        name
    }

    /// The validity by a C++ condition.
    pub fn condition(&mut self, text: &str) -> Valid {
        Valid::Where(self.named("bool", text))
    }

    /// The conjunction of validities.
    pub fn all(&mut self, valid: &[&Valid]) -> Valid {
        let mut names: Vec<&str> = Vec::new();
        for valid in valid {
            match valid {
                Valid::Always => {}
                Valid::Never => return Valid::Never,
                Valid::Where(name) if names.contains(&name.as_str()) => {}
                Valid::Where(name) => names.push(name),
            }
        }
        match names.as_slice() {
            [] => Valid::Always,
            [one] => Valid::Where((*one).to_owned()),
            _ => {
                let text = names.join(" & ");
                self.condition(&text)
            }
        }
    }

    /// A row where `valid` holds and the C++ condition does not refuses.
    pub fn check(&mut self, valid: &Valid, condition: &str) {
        if *valid == Valid::Never {
            return;
        }
        self.is_checked = true;
        self.cost += 1;
        writeln!(self.body, "refused |= there & {} & !({condition});", valid.text()).expect("text grows");
    }

    /// The value as elements of another type, by Rust's `as`.
    pub fn converted(&mut self, value: &Value, to: DataType) -> Value {
        let (from, into) = (computed_as(value.data_type), computed_as(to));
        if from == into {
            return Value { data_type: to, ..value.clone() };
        }
        let text = format!("convert<{}>({})", into.unwrap_or("u8"), value.name);
        self.value(to, value.valid.clone(), 1, &text)
    }

    /// `then` where the condition is true, `otherwise` where it is false or null; both of one type.
    pub fn choice(&mut self, condition: &Value, then: &Value, otherwise: &Value) -> Value {
        let chosen = match &condition.valid {
            Valid::Never => return otherwise.clone(),
            Valid::Always => format!("{} != 0", condition.name),
            Valid::Where(valid) => format!("{valid} & ({} != 0)", condition.name),
        };
        let chosen = self.named("bool", &chosen);
        self.chosen(&chosen, then, otherwise)
    }

    /// `then` where the name is true, else `otherwise`.
    fn chosen(&mut self, name: &str, then: &Value, otherwise: &Value) -> Value {
        let valid = if then.valid == otherwise.valid {
            then.valid.clone()
        } else {
            self.condition(&format!("{name} ? {} : {}", then.valid.text(), otherwise.valid.text()))
        };
        let text = format!("{name} ? {} : {}", then.name, otherwise.name);
        self.value(then.data_type, valid, 1, &text)
    }

    /// The validity of a value, without NaN if `nan_is_missing`.
    pub fn present(&mut self, value: &Value, nan_is_missing: bool) -> Valid {
        if !nan_is_missing || !value.data_type.is_float() || value.valid == Valid::Never {
            return value.valid.clone();
        }
        let is_number = format!("{0} == {0}", value.name);
        match &value.valid {
            Valid::Where(valid) => {
                let text = format!("{valid} & ({is_number})");
                self.condition(&text)
            }
            _ => self.condition(&is_number),
        }
    }

    /// The value, and `with` where it is missing; both of one type.
    pub fn filled(&mut self, value: &Value, with: &Value, nan_is_missing: bool) -> Value {
        match self.present(value, nan_is_missing) {
            Valid::Always => value.clone(),
            Valid::Never => with.clone(),
            Valid::Where(present) => {
                let value = Value { valid: Valid::Always, ..value.clone() };
                self.chosen(&present, &value, with)
            }
        }
    }

    /// A condition as booleans without nulls.
    pub fn truth(&mut self, valid: &Valid, expected: bool) -> Value {
        let text = format!("u8({} == {expected})", valid.text());
        self.value(DataType::Bool8, Valid::Always, 1, &text)
    }
}

/// Whether an element may be null: a mask of a GPU is not counted for it.
fn may_have_nulls(column: &Column) -> bool {
    column.mask().is_some() && column.counted_nulls() != Some(0)
}

/// The bits of a number, as kernels take literals.
fn bits<T: Native>(value: T) -> u64 {
    let mut bits = [0; 8];
    bits[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
    u64::from_le_bytes(bits)
}

/// The result of `operation` for copies of the arguments in host memory, back on the context's device: the
/// error of a row that [refused](JitExpression::check).
pub fn by_cpu<A: OnDevice + ?Sized, R: OnDevice>(
    arguments: &A,
    ctx: &Context,
    operation: impl FnOnce(A::Moved, &Context) -> Result<R>,
) -> Result<R::Moved> {
    let host = Context::on(Device::Cpu)?.with_cancel(ctx.cancel_token().clone());
    operation(arguments.moved_to(&host)?, &host)?.moved_to(ctx)
}
