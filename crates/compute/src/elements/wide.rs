//! Loops over elements, compiled for the vectors of newer processors, too.
//!
//! What is shipped runs on processors with vectors of 16 bytes. A loop over values that the first cache holds is as
//! long as its vectors are short, so the loops of operators are there for vectors of 32 and 64 bytes as well, and
//! the processor is asked. Operations on elements do not depend on how many are done at a time: the values are the
//! same to the bit.

use std::mem::MaybeUninit;

macro_rules! wide_loop {
    ($(#[$about:meta])* $name:ident, $plain:ident, $avx2:ident, $avx512:ident, <$($T:ident),*>($($operand:ident: $O:ident),*)) => {
        $(#[$about])*
        #[inline(always)]
        pub(crate) fn $name<$($T: Copy,)* R>(
            $($operand: &[$O],)* out: &mut [MaybeUninit<R>], f: impl Fn($($O),*) -> R,
        ) {
            #[cfg(target_arch = "x86_64")]
            {
                if has_avx512() {
                    // SAFETY: the processor has them.
                    return unsafe { $avx512($($operand,)* out, f) };
                }
                if has_avx2() {
                    // SAFETY: as above.
                    return unsafe { $avx2($($operand,)* out, f) };
                }
            }
            $plain($($operand,)* out, f);
        }

        #[inline(always)]
        fn $plain<$($T: Copy,)* R>(
            $($operand: &[$O],)* out: &mut [MaybeUninit<R>], f: impl Fn($($O),*) -> R,
        ) {
            let len = out.len();
            $(let $operand = &$operand[..len];)*
            for i in 0..len {
                out[i].write(f($($operand[i]),*));
            }
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $avx2<$($T: Copy,)* R>(
            $($operand: &[$O],)* out: &mut [MaybeUninit<R>], f: impl Fn($($O),*) -> R,
        ) {
            $plain($($operand,)* out, f);
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn $avx512<$($T: Copy,)* R>(
            $($operand: &[$O],)* out: &mut [MaybeUninit<R>], f: impl Fn($($O),*) -> R,
        ) {
            $plain($($operand,)* out, f);
        }
    };
}

wide_loop! {
    /// `f` of every element.
    each, each_plain, each_avx2, each_avx512, <A>(a: A)
}

wide_loop! {
    /// `f` of every pair of elements.
    each_pair, each_pair_plain, each_pair_avx2, each_pair_avx512, <A, B>(a: A, b: B)
}

wide_loop! {
    /// `f` of the elements of three operands.
    each_triple, each_triple_plain, each_triple_avx2, each_triple_avx512, <A, B, C>(a: A, b: B, c: C)
}

/// Calls `f`, compiled for the widest vectors that the processor has: a closure around what is always inlined.
#[inline(always)]
pub(crate) fn widest<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn avx512<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        if has_avx512() {
            // SAFETY: the processor has them.
            return unsafe { avx512(f) };
        }
        if has_avx2() {
            // SAFETY: as above.
            return unsafe { avx2(f) };
        }
    }
    f()
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl")
}
