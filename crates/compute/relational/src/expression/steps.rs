//! The loops of a program, over bytes: which loop an operation has, chosen once from types.
//!
//! They are the loops of [`binaryop`](cuprum_elementwise::binaryop) and [`unary`](cuprum_elementwise::unary), so the values are, too.

use std::mem::MaybeUninit;

use bytemuck::cast_slice;
use cuprum_column::{DataType, Native, dispatch_storage};

use cuprum_elements::elements::{CHUNK, convert, each, each_triple};
use cuprum_elements::selection::{number_bits, pack_bools, unpack_bits};
use cuprum_elementwise::binaryop::arithmetic::Real;
use cuprum_elementwise::binaryop::{BinaryOperator, cpu as binary, logic, promote};
use cuprum_elementwise::unary::{UnaryOperator, cpu as unary};

/// Values of a chunk that are to be written.
pub(super) type Out<'a> = &'a mut [MaybeUninit<u8>];

/// Writes the values of a chunk, all of them, from those of the operands.
pub(super) type Values = Box<dyn Fn(&[&[u8]], Out<'_>) + Send + Sync>;

/// Bits of 64 values that are not NaN.
pub(super) type Numbers = fn(&[u8], usize) -> u64;

/// Null masks of a chunk.
pub(super) type Words = [u64; CHUNK / 64];

/// The operations of steps.
pub(super) enum Kernel {
    /// Values from values.
    Values(Values),
    /// True where the operand is missing.
    IsMissing(Option<Numbers>),
    /// The first operand where it is not missing, else the second one.
    Fill(Fill, Option<Numbers>),
    /// None of its own: the second operand where the first one is true and not null, null elsewhere.
    Masked,
}

/// Takes values of the first operand where a bit is set, of the second one elsewhere.
pub(super) type Fill = fn(&[u8], &[u8], &Words, Out<'_>);

/// The loop, the types its operands are converted to, and whether they change places.
pub(super) struct Loop {
    pub(super) values: Values,
    pub(super) operands: [DataType; 2],
    pub(super) swapped: bool,
}

fn elements_mut<T: Native>(bytes: Out<'_>) -> &mut [MaybeUninit<T>] {
    // SAFETY: any bytes are elements that may be uninitialised.
    let (before, elements, after) = unsafe { bytes.align_to_mut::<MaybeUninit<T>>() };
    assert!(before.is_empty() && after.is_empty(), "chunks are aligned");
    elements
}

fn one<A: Native, R: Native>(kernel: unary::Kernel<A, R>) -> Values {
    Box::new(move |operands, out| kernel(cast_slice(operands[0]), elements_mut(out)))
}

fn two<A: Native, B: Native, R: Native>(kernel: binary::Kernel<A, B, R>) -> Values {
    Box::new(move |operands, out| {
        kernel(cast_slice(operands[0]), cast_slice(operands[1]), elements_mut(out));
    })
}

/// `op` of types whose result is `result`; `None` where a program does not do it: texts, arithmetic of times,
/// and integer powers, which fail for negative exponents.
pub(super) fn binary(op: BinaryOperator, l: DataType, r: DataType, result: DataType) -> Option<Loop> {
    use BinaryOperator::{Greater, GreaterEqual, Pow};
    let both = |values, data_type| Some(Loop { values, operands: [data_type; 2], swapped: false });
    let times = l == r && (l.is_timestamp() || l.is_duration());
    if op.is_comparison() && (times || l.is_numeric() && r.is_numeric()) {
        let mixed = |op, swapped| Loop {
            values: two(binary::mixed_kernel(op)),
            operands: [DataType::Int64, DataType::UInt64],
            swapped,
        };
        if l.is_signed_integer() && r == DataType::UInt64 {
            return Some(mixed(op, false));
        }
        if l == DataType::UInt64 && r.is_signed_integer() {
            return Some(mixed(binary::mirrored(op), true));
        }
        let common = promote(l, r).unwrap_or(l);
        let swapped = matches!(op, Greater | GreaterEqual);
        let op = if swapped { binary::mirrored(op) } else { op };
        let values =
            dispatch_storage!(common, T => two(binary::comparison_kernel::<T>(op)), else => return None);
        return Some(Loop { values, operands: [common; 2], swapped });
    }
    if !l.is_numeric() || !r.is_numeric() || (op == Pow && result.is_signed_integer()) {
        return None;
    }
    match result {
        DataType::Bool8 => both(two(logic::kernel(op)), result),
        DataType::Int8 => both(two(binary::integer_kernel::<i8>(op)), result),
        DataType::Int16 => both(two(binary::integer_kernel::<i16>(op)), result),
        DataType::Int32 => both(two(binary::integer_kernel::<i32>(op)), result),
        DataType::Int64 => both(two(binary::integer_kernel::<i64>(op)), result),
        DataType::UInt8 => both(two(binary::integer_kernel::<u8>(op)), result),
        DataType::UInt16 => both(two(binary::integer_kernel::<u16>(op)), result),
        DataType::UInt32 => both(two(binary::integer_kernel::<u32>(op)), result),
        DataType::UInt64 => both(two(binary::integer_kernel::<u64>(op)), result),
        DataType::Float32 => both(two(binary::real_kernel::<f32>(op)), result),
        DataType::Float64 => both(two(binary::real_kernel::<f64>(op)), result),
        _ => None,
    }
}

/// `inner` of the first two operands, and `outer` of that and the third one, which stands on the left where `is_left`:
/// two operations of floats in one loop, which reads and writes the cache half as often. `None` for others.
pub(super) fn pair(
    (inner, outer): (BinaryOperator, BinaryOperator),
    is_left: bool,
    of: DataType,
) -> Option<Values> {
    match of {
        DataType::Float32 => real_pair::<f32>(inner, outer, is_left),
        DataType::Float64 => real_pair::<f64>(inner, outer, is_left),
        _ => None,
    }
}

fn real_pair<T: Real>(inner: BinaryOperator, outer: BinaryOperator, is_left: bool) -> Option<Values> {
    use BinaryOperator::{Add, Mul, Sub, TrueDiv};
    macro_rules! looped {
        ($inner:path, $outer:path) => {{
            fn right<T: Real>(operands: &[&[u8]], out: Out<'_>) {
                let [a, b, c] = [0, 1, 2].map(|i| cast_slice::<u8, T>(operands[i]));
                each_triple(a, b, c, elements_mut(out), |a, b, c| $outer($inner(a, b), c));
            }
            fn left<T: Real>(operands: &[&[u8]], out: Out<'_>) {
                let [a, b, c] = [0, 1, 2].map(|i| cast_slice::<u8, T>(operands[i]));
                each_triple(a, b, c, elements_mut(out), |a, b, c| $outer(c, $inner(a, b)));
            }
            if is_left { Box::new(left::<T>) } else { Box::new(right::<T>) }
        }};
    }
    macro_rules! outer {
        ($inner:path) => {
            match outer {
                Add => looped!($inner, T::add),
                Sub => looped!($inner, T::sub),
                Mul => looped!($inner, T::mul),
                TrueDiv => looped!($inner, T::div),
                _ => return None,
            }
        };
    }
    Some(match inner {
        Add => outer!(T::add),
        Sub => outer!(T::sub),
        Mul => outer!(T::mul),
        TrueDiv => outer!(T::div),
        _ => return None,
    })
}

/// `op` of a number, and the type it takes; `None` for durations.
pub(super) fn unary(op: UnaryOperator, of: DataType) -> Option<(Values, DataType)> {
    use UnaryOperator::{Abs, BitNot, Negate, Not, Sign};
    if !of.is_numeric() {
        return None;
    }
    let values = match op {
        Negate | Abs | Sign => {
            dispatch_storage!(of, T => one(unary::sign_kernel::<T>(op)), else => return None)
        }
        Not => dispatch_storage!(of, T => one(unary::zero_kernel::<T>()), else => return None),
        BitNot => match of {
            DataType::Bool8 => one(unary::zero_kernel::<u8>()),
            DataType::Int8 => one(unary::invert_kernel::<i8>()),
            DataType::Int16 => one(unary::invert_kernel::<i16>()),
            DataType::Int32 => one(unary::invert_kernel::<i32>()),
            DataType::Int64 => one(unary::invert_kernel::<i64>()),
            DataType::UInt8 => one(unary::invert_kernel::<u8>()),
            DataType::UInt16 => one(unary::invert_kernel::<u16>()),
            DataType::UInt32 => one(unary::invert_kernel::<u32>()),
            DataType::UInt64 => one(unary::invert_kernel::<u64>()),
            _ => return None,
        },
        _ if of == DataType::Float32 => one(unary::single_kernel(op)),
        _ => return Some((one(unary::double_kernel(op)), DataType::Float64)),
    };
    Some((values, of))
}

/// The values as another number, as by Rust's `as`.
pub(super) fn conversion(from: DataType, to: DataType) -> Option<Values> {
    fn converted<S: Native, T: Native>(operands: &[&[u8]], out: Out<'_>) {
        each(cast_slice(operands[0]), elements_mut::<T>(out), convert::<S, T>);
    }
    Some(dispatch_storage!(from, S => {
        dispatch_storage!(to, T => Box::new(converted::<S, T>), else => return None)
    }, else => return None))
}

/// Whether a cast between numbers is a conversion that cannot fail: to a type that holds all values, or to
/// `float64`.
pub(super) fn always_fits(from: DataType, to: DataType) -> bool {
    if !from.is_numeric() || !to.is_numeric() || to == DataType::Bool8 {
        return false;
    }
    to == DataType::Float64 || (to.is_integer() && !from.is_float() && promote(from, to) == Some(to))
}

/// `then` where the condition, which is never null, is true.
pub(super) fn choice(of: DataType) -> Option<Values> {
    fn choose<T: Native>(operands: &[&[u8]], out: Out<'_>) {
        let (then, otherwise): (&[T], &[T]) = (cast_slice(operands[1]), cast_slice(operands[2]));
        each_triple(operands[0], then, otherwise, elements_mut::<T>(out), |condition, then, otherwise| {
            if condition != 0 { then } else { otherwise }
        });
    }
    Some(dispatch_storage!(of, T => Box::new(choose::<T>), else => return None))
}

/// See [`Fill`].
pub(super) fn fill(of: DataType) -> Option<Fill> {
    fn fill<T: Native>(values: &[u8], with: &[u8], present: &Words, out: Out<'_>) {
        let out = elements_mut::<T>(out);
        let mut is_present = [0; CHUNK];
        for (bytes, &word) in is_present.as_chunks_mut().0.iter_mut().zip(present) {
            *bytes = unpack_bits(word);
        }
        each_triple(
            &is_present,
            cast_slice(values),
            cast_slice(with),
            out,
            |is_present, value: T, with: T| if is_present != 0 { value } else { with },
        );
    }
    Some(dispatch_storage!(of, T => fill::<T>, else => return None))
}

/// Finds NaN in floats; `None` for types without.
pub(super) fn numbers(of: DataType) -> Option<Numbers> {
    fn numbers<T: Native>(values: &[u8], w: usize) -> u64 {
        number_bits::<T>(cast_slice(values), w)
    }
    match of {
        DataType::Float32 => Some(numbers::<f32>),
        DataType::Float64 => Some(numbers::<f64>),
        _ => None,
    }
}

/// Truth of 64 values of a chunk.
pub(super) fn truth(values: &[u8], w: usize) -> u64 {
    pack_bools(&values[w * 64..values.len().min(w * 64 + 64)])
}
