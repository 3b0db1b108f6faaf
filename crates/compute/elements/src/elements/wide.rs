//! Loops over elements, compiled for the vectors of newer processors, too.
//!
//! The shipped code runs on processors with vectors of 16 bytes. A loop over values in the first-level cache
//! takes as long as its vectors are short, so the loops of operators are also compiled for vectors of 32 and
//! 64 bytes, chosen by the processor's features. Operations on elements do not depend on the width of
//! vectors: the values are the same to the bit.

use std::mem::MaybeUninit;

/// Defines a function that is another one, which is always inlined, for the widest vectors that the processor has.
/// (A closure would not do: it is compiled for all processors, and not inlined where others are asked for.)
#[macro_export]
macro_rules! widened {
    ($(#[$about:meta])* $visible:vis $name:ident is $plain:ident [$($generics:tt)*] ($($arg:ident: $A:ty),*) $(-> $R:ty)?) => {
        $(#[$about])*
        #[inline(always)]
        $visible fn $name<$($generics)*>($($arg: $A),*) $(-> $R)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2<$($generics)*>($($arg: $A),*) $(-> $R)? {
                    $plain($($arg),*)
                }
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
                fn avx512<$($generics)*>($($arg: $A),*) $(-> $R)? {
                    $plain($($arg),*)
                }
                use std::arch::is_x86_feature_detected as has;
                if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                    // SAFETY: the processor has them.
                    return unsafe { avx512($($arg),*) };
                }
                if has!("avx2") {
                    // SAFETY: the processor has AVX2.
                    return unsafe { avx2($($arg),*) };
                }
            }
            $plain($($arg),*)
        }
    };
}
pub use crate::widened;

#[inline(always)]
fn each_plain<A: Copy, R>(a: &[A], out: &mut [MaybeUninit<R>], f: impl Fn(A) -> R) {
    let len = out.len();
    let a = &a[..len];
    for i in 0..len {
        out[i].write(f(a[i]));
    }
}

/// `f` of every pair of elements, for vectors of 16 bytes alone: for operations without a single instruction.
#[inline(always)]
pub fn each_pair_plain<A: Copy, B: Copy, R>(
    a: &[A],
    b: &[B],
    out: &mut [MaybeUninit<R>],
    f: impl Fn(A, B) -> R,
) {
    let len = out.len();
    let (a, b) = (&a[..len], &b[..len]);
    for i in 0..len {
        out[i].write(f(a[i], b[i]));
    }
}

#[inline(always)]
fn each_triple_plain<A: Copy, B: Copy, C: Copy, R>(
    a: &[A],
    b: &[B],
    c: &[C],
    out: &mut [MaybeUninit<R>],
    f: impl Fn(A, B, C) -> R,
) {
    let len = out.len();
    let (a, b, c) = (&a[..len], &b[..len], &c[..len]);
    for i in 0..len {
        out[i].write(f(a[i], b[i], c[i]));
    }
}

widened! {
    /// `f` of every element.
    pub each is each_plain [A: Copy, R] (a: &[A], out: &mut [MaybeUninit<R>], f: impl Fn(A) -> R)
}

widened! {
    /// `f` of every pair of elements.
    pub each_pair is each_pair_plain [A: Copy, B: Copy, R] (
        a: &[A], b: &[B], out: &mut [MaybeUninit<R>], f: impl Fn(A, B) -> R
    )
}

widened! {
    /// `f` of the elements of three operands.
    pub each_triple is each_triple_plain [A: Copy, B: Copy, C: Copy, R] (
        a: &[A], b: &[B], c: &[C], out: &mut [MaybeUninit<R>], f: impl Fn(A, B, C) -> R
    )
}
