//! Decimal numbers that one operation rounds correctly.

/// Powers of ten that a double holds exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// `mantissa` · 10^`exponent`, correctly rounded, in Clinger's exact case (PLDI 1990).
#[inline(always)]
pub(crate) fn exact(mantissa: u64, exponent: i64) -> Option<f64> {
    if mantissa > 1 << 53 {
        return None;
    }
    let power = *EXACT_POWERS.get(usize::try_from(exponent.unsigned_abs()).ok()?)?;
    let value = mantissa as f64;
    Some(if exponent < 0 { value / power } else { value * power })
}
