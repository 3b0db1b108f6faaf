//! Runs as they are written: the opposite of [`runs`](super::runs).

use super::messages::varint;
use super::runs::WIDTHS;

/// The most numbers of a run.
const RUN: usize = 512;

/// Bytes: runs of three or more, and the bytes between.
pub(super) fn bytes(values: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len() / 64 + 16);
    let mut start = 0;
    let mut at = 0;
    while at < values.len() {
        let run = values[at..].iter().take(130).take_while(|&&value| value == values[at]).count();
        if run < 3 {
            at += run;
            continue;
        }
        literals(&values[start..at], &mut out);
        out.extend([(run - 3) as u8, values[at]]);
        at += run;
        start = at;
    }
    literals(&values[start..], &mut out);
    out
}

fn literals(values: &[u8], out: &mut Vec<u8>) {
    for piece in values.chunks(128) {
        out.push((piece.len() as u8).wrapping_neg());
        out.extend_from_slice(piece);
    }
}

/// Bits, of which the highest of a byte is the first.
pub(super) fn bits(values: impl ExactSizeIterator<Item = bool>) -> Vec<u8> {
    let mut packed = vec![0; values.len().div_ceil(8)];
    for (i, value) in values.enumerate() {
        packed[i / 8] |= u8::from(value) << (7 - i % 8);
    }
    bytes(&packed)
}

/// Numbers, of the second version.
pub(super) fn numbers(values: &[i64], signed: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len());
    for run in values.chunks(RUN) {
        number_run(run, signed, &mut out);
    }
    out
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn number_run(run: &[i64], signed: bool, out: &mut Vec<u8>) {
    let encode = |value: i64| if signed { zigzag(value) } else { value as u64 };
    let all = run.iter().fold(0, |all, &value| all | encode(value));
    let (width, code) = width(64 - all.leading_zeros());
    if let Some((step, largest)) = steps(run) {
        if largest.is_none() {
            if step == 0 && (3..=10).contains(&run.len()) {
                let bytes = (64 - all.leading_zeros()).div_ceil(8).max(1) as usize;
                out.push((bytes as u8 - 1) << 3 | (run.len() as u8 - 3));
                out.extend_from_slice(&encode(run[0]).to_be_bytes()[8 - bytes..]);
            } else {
                header(3, 0, run.len(), out);
                varint(out, encode(run[0]));
                varint(out, zigzag(step));
            }
            return;
        }
        let (narrow, narrow_code) = self::width((64 - largest.unwrap_or(0).leading_zeros()).max(2));
        if narrow < width {
            header(3, narrow_code, run.len(), out);
            varint(out, encode(run[0]));
            varint(out, zigzag(step));
            let differences = run.windows(2).skip(1).map(|pair| pair[1].abs_diff(pair[0]));
            bit_pack(differences, run.len() - 2, narrow, out);
            return;
        }
    }
    header(1, code, run.len(), out);
    bit_pack(run.iter().map(|&value| encode(value)), run.len(), width, out);
}

/// The first difference, and the largest where not all are the same; `None` where they have both signs, or there is
/// none.
fn steps(run: &[i64]) -> Option<(i64, Option<u64>)> {
    let first = run.get(1)?.checked_sub(run[0])?;
    let (mut largest, mut is_same) = (0, true);
    for pair in run.windows(2).skip(1) {
        let step = pair[1].checked_sub(pair[0])?;
        if step != 0 && (step < 0) != (first < 0) {
            return None;
        }
        is_same &= step == first;
        largest = largest.max(step.unsigned_abs());
    }
    Some((first, (!is_same).then_some(largest)))
}

/// The least number of bits that there is a code for, and the code.
fn width(bits: u32) -> (u32, u8) {
    let code = WIDTHS.iter().position(|&width| width >= bits).unwrap_or(31);
    (WIDTHS[code], code as u8)
}

fn header(kind: u8, code: u8, len: usize, out: &mut Vec<u8>) {
    let len = len - 1;
    out.extend([kind << 6 | code << 1 | (len >> 8) as u8, len as u8]);
}

/// The numbers, each in `width` bits, the highest first.
fn bit_pack(values: impl Iterator<Item = u64>, count: usize, width: u32, out: &mut Vec<u8>) {
    match width {
        8 => out.extend(values.map(|value| value as u8)),
        16 => values.for_each(|value| out.extend_from_slice(&(value as u16).to_be_bytes())),
        32 => values.for_each(|value| out.extend_from_slice(&(value as u32).to_be_bytes())),
        64 => values.for_each(|value| out.extend_from_slice(&value.to_be_bytes())),
        _ => {
            out.reserve((count * width as usize).div_ceil(8) + 8);
            let (mut bits, mut held) = (0u128, 0u32);
            for value in values {
                bits = bits << width | u128::from(value);
                held += width;
                if held >= 32 {
                    held -= 32;
                    out.extend_from_slice(&((bits >> held) as u32).to_be_bytes());
                }
                if held >= 32 {
                    held -= 32;
                    out.extend_from_slice(&((bits >> held) as u32).to_be_bytes());
                }
                bits &= (1 << held) - 1;
            }
            let rest = (bits << (32 - held)) as u32;
            out.extend_from_slice(&rest.to_be_bytes()[..held.div_ceil(8) as usize]);
        }
    }
}

/// A number of 128 bits with its sign.
pub(super) fn wide(value: i128, out: &mut Vec<u8>) {
    let mut value = ((value << 1) ^ (value >> 127)) as u128;
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
