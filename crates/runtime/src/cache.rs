//! Memory that is read or written once, from one end to the other, past the processor's caches.
//!
//! One core waits for such memory most of the time: [`fetch_ahead`] prefetches it, a [`Writer`] spares the
//! reading of lines that are about to be overwritten, and so does an [`Appender`] for output that comes in
//! small pieces.

use std::mem::MaybeUninit;

/// Bytes of output from which on it goes past the caches: more than a core's own, so that the first bytes
/// written are gone before the last are.
const LARGE: usize = 8 << 20;
/// The distance of prefetches, in bytes: further than the processor does by itself, which ends at
/// the page.
const AHEAD: usize = 2048;

/// As [`AHEAD`], for memory that is read by pieces between which other work is done.
const FAR_AHEAD: usize = 8192;

/// The number of elements, at places in no order, by which prefetches run ahead: more than the processor does
/// by itself.
pub const RANDOM_AHEAD: usize = 32;

/// Kinds of prefetches, as x86 counts them: to read from the first-level cache, from the second, and to
/// write.
const TO_READ: i32 = 3;
const TO_SECOND_CACHE: i32 = 2;
const TO_WRITE: i32 = 7;

/// Prefetches the line of an address. It has no effect but on time, whatever is there.
#[inline(always)]
fn ask<const HOW: i32>(address: *const u8) {
    // SAFETY: a prefetch never faults, whatever the address; SSE is part of x86-64.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::x86_64::_mm_prefetch::<HOW>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Asks for the memory that lies 2 KiB behind `bytes`, whether there is any or not. It has no effect
/// but on time; for loops over pieces of a few kilobytes at most.
#[inline(always)]
pub fn fetch_ahead(bytes: &[u8]) {
    fetch_behind(bytes, AHEAD);
}

/// Asks for the memory that lies so many bytes behind `bytes`, as [`fetch_ahead`] does.
#[inline(always)]
pub fn fetch_behind(bytes: &[u8], ahead: usize) {
    bytes.chunks(64).for_each(|line| ask::<TO_READ>(line.as_ptr().wrapping_add(ahead)));
}

/// Asks for the memory that lies 8 KiB behind `bytes`, to be in the second cache: the first one is left to what is
/// worked on. The processor keeps some twenty lines on their way at a time, so it pays for a kilobyte or so between
/// two loops, and stops the processor for many.
#[inline(always)]
pub fn fetch_far_ahead(bytes: &[u8]) {
    bytes.chunks(64).for_each(|line| ask::<TO_SECOND_CACHE>(line.as_ptr().wrapping_add(FAR_AHEAD)));
}

/// Asks for the line of an element that is about to be read; [`RANDOM_AHEAD`] of them may be on their way. It has no
/// effect but on time, whether there is such an element or not.
#[inline(always)]
pub fn fetch<T>(slice: &[T], index: usize) {
    ask::<TO_READ>(slice.as_ptr().wrapping_add(index).cast());
}

/// Asks for the line of an element that is about to be written to be this core's alone, as [`fetch`] does.
#[inline(always)]
pub fn fetch_to_write<T>(slice: &[T], index: usize) {
    ask::<TO_WRITE>(slice.as_ptr().wrapping_add(index).cast());
}

/// Writes pieces of an output, best a kilobyte or more each, past the caches where it is large. Other threads see
/// what was written once the writer is dropped.
#[derive(Debug)]
pub struct Writer {
    past_caches: bool,
}

impl Writer {
    /// For some part of an output of so many bytes.
    pub fn new(output_bytes: usize) -> Self {
        Self { past_caches: cfg!(target_arch = "x86_64") && output_bytes >= LARGE }
    }

    /// Whether [`copy`](Self::copy) and [`fill`](Self::fill) write past the caches.
    #[inline]
    pub fn is_past_caches(&self) -> bool {
        self.past_caches
    }

    /// Copies `from`, which the caches hold, to as many bytes.
    #[inline]
    pub fn copy(&self, from: &[u8], to: &mut [u8]) {
        // SAFETY: `copy_to` writes bytes and leaves none uninitialised.
        self.copy_to(from, unsafe { &mut *(std::ptr::from_mut(to) as *mut [MaybeUninit<u8>]) });
    }

    /// [`copy`](Self::copy) to memory that may be uninitialised.
    #[inline]
    pub fn copy_to(&self, from: &[u8], to: &mut [MaybeUninit<u8>]) {
        assert_eq!(from.len(), to.len());
        #[cfg(target_arch = "x86_64")]
        if self.past_caches {
            if std::arch::is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has AVX-512F.
                return unsafe { stream_lines(from, to) };
            }
            return stream_vectors(from, to);
        }
        to.write_copy_of_slice(from);
    }

    /// Writes `byte` everywhere.
    pub fn fill(&self, byte: u8, to: &mut [u8]) {
        #[cfg(target_arch = "x86_64")]
        if self.past_caches {
            use std::arch::x86_64::{__m128i, _mm_set1_epi8, _mm_stream_si128};
            // SAFETY: every bit pattern is a vector.
            let (head, vectors, tail) = unsafe { to.align_to_mut::<__m128i>() };
            head.fill(byte);
            for place in vectors {
                // SAFETY: as in `copy`.
                unsafe { _mm_stream_si128(place, _mm_set1_epi8(byte as i8)) };
            }
            tail.fill(byte);
            return;
        }
        to.fill(byte);
    }
}

/// Copies `from` to as many bytes, vectors of `N` bytes past the caches by `store`, which takes an aligned place. The fence
/// of the writer orders them before all that comes after.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn stream<V, const N: usize>(
    from: &[u8],
    to: &mut [MaybeUninit<u8>],
    store: impl Fn(&mut MaybeUninit<V>, &[u8; N]),
) {
    const { assert!(size_of::<V>() == N) };
    // SAFETY: every bit pattern is a vector that may be uninitialised.
    let (head, vectors, tail) = unsafe { to.align_to_mut::<MaybeUninit<V>>() };
    let (first, rest) = from.split_at(head.len());
    let (inner, last) = rest.as_chunks::<N>();
    head.write_copy_of_slice(first);
    for (place, vector) in vectors.iter_mut().zip(inner) {
        store(place, vector);
    }
    tail.write_copy_of_slice(last);
}

/// [`stream`] with the instructions of every processor.
#[cfg(target_arch = "x86_64")]
fn stream_vectors(from: &[u8], to: &mut [MaybeUninit<u8>]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    stream::<__m128i, 16>(from, to, |place, vector| {
        // SAFETY: SSE2 is part of x86-64; `vector` has 16 bytes, and `place` is aligned.
        unsafe { _mm_stream_si128(place.as_mut_ptr(), _mm_loadu_si128(vector.as_ptr().cast())) };
    });
}

/// [`stream`] of whole lines.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn stream_lines(from: &[u8], to: &mut [MaybeUninit<u8>]) {
    use std::arch::x86_64::{__m512i, _mm512_loadu_si512, _mm512_stream_si512};
    stream::<__m512i, 64>(from, to, |place, line| {
        // SAFETY: `line` has 64 bytes, and `place` is aligned.
        unsafe { _mm512_stream_si512(place.as_mut_ptr(), _mm512_loadu_si512(line.as_ptr().cast())) };
    });
}

impl Drop for Writer {
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        if self.past_caches {
            // SAFETY: SSE is part of x86-64.
            unsafe { std::arch::x86_64::_mm_sfence() };
        }
    }
}

/// Bytes that an [`Appender`] keeps back: half of the first cache has room for several of them.
const KEPT: usize = 4096;

/// Bytes that are appended one behind the other, in pieces of any size, and come to memory in whole lines of the
/// caches, by a [`Writer`].
#[derive(Debug)]
pub struct Appender<'a> {
    writer: Writer,
    /// The rest of the output that is not yet written.
    out: &'a mut [MaybeUninit<u8>],
    kept: [u8; KEPT],
    filled: usize,
    /// False once there was more than the output takes.
    fits: bool,
}

impl<'a> Appender<'a> {
    /// For `out`, which is some part of an output of `output_bytes`.
    pub fn new(output_bytes: usize, out: &'a mut [MaybeUninit<u8>]) -> Self {
        Self { writer: Writer::new(output_bytes), out, kept: [0; KEPT], filled: 0, fits: true }
    }

    /// The next `N` bytes, 1024 at most, to be filled and then [taken](Self::take), as far as they are.
    #[inline(always)]
    pub fn place<const N: usize>(&mut self) -> &mut [u8; N] {
        const { assert!(N <= KEPT / 4) };
        if self.filled > KEPT - N {
            self.write_lines();
        }
        self.kept[self.filled..].first_chunk_mut().expect("lines leave few bytes behind")
    }

    /// Appends the first `len` of the bytes that [`place`](Self::place) gave last.
    #[inline(always)]
    pub fn take(&mut self, len: usize) {
        self.filled = (self.filled + len).min(KEPT);
    }

    /// Appends bytes.
    pub fn append(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(KEPT / 4) {
            self.place::<{ KEPT / 4 }>()[..piece.len()].copy_from_slice(piece);
            self.take(piece.len());
        }
    }

    /// Writes the kept bytes, up to where a line ends in memory.
    #[cold]
    fn write_lines(&mut self) {
        let behind = (self.out.as_ptr().addr() + self.filled) % 64;
        let len = self.filled.saturating_sub(behind);
        self.write(len);
        self.kept.copy_within(len..self.filled, 0);
        self.filled -= len;
    }

    fn write(&mut self, len: usize) {
        match std::mem::take(&mut self.out).split_at_mut_checked(len) {
            Some((out, rest)) => {
                self.writer.copy_to(&self.kept[..len], out);
                self.out = rest;
            }
            None => self.fits = false,
        }
    }

    /// Writes the rest. Whether all of the output is written, and nothing was left over.
    #[must_use]
    pub fn finish(mut self) -> bool {
        self.write(self.filled);
        self.fits && self.out.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_at_every_address() {
        let source: Vec<u8> = (0..=255).collect();
        for writer in [Writer::new(0), Writer::new(LARGE)] {
            for start in 0..66 {
                for len in (0..70).chain([127, 128, 129, 183]) {
                    let mut out = [0xA5; 300];
                    writer.copy(&source[start / 2..][..len], &mut out[start..start + len]);
                    assert_eq!(out[start..start + len], source[start / 2..][..len]);
                    writer.fill(7, &mut out[start..start + len]);
                    assert!(out[start..start + len].iter().all(|&byte| byte == 7));
                    assert!(out[..start].iter().chain(&out[start + len..]).all(|&byte| byte == 0xA5));
                }
            }
        }
    }

    /// The behaviour of processors without AVX-512, too.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn vectors_are_whole_at_every_address() {
        let source: Vec<u8> = (0..=255).collect();
        for start in 0..33 {
            for len in (0..40).chain([127, 128, 129]) {
                let mut out = [MaybeUninit::new(0xA5u8); 200];
                stream_vectors(&source[start / 2..][..len], &mut out[start..start + len]);
                // SAFETY: SSE is part of x86-64.
                unsafe { std::arch::x86_64::_mm_sfence() };
                // SAFETY: all of it was initialised.
                let out = out.map(|byte| unsafe { byte.assume_init() });
                assert_eq!(out[start..start + len], source[start / 2..][..len]);
                assert!(out[..start].iter().chain(&out[start + len..]).all(|&byte| byte == 0xA5));
            }
        }
    }

    #[test]
    fn appended_bytes_are_whole_at_every_address() {
        let source: Vec<u8> = (0..30_000u32).map(|i| (i * 7 % 251) as u8).collect();
        for output_bytes in [0, LARGE] {
            for start in [0, 1, 15, 16, 63, 64] {
                for len in [0, 1, 63, 64, 100, 4095, 4096, 4097, 20_000] {
                    let mut out = vec![0xA5; len + 200];
                    // SAFETY: bytes that may be uninitialised; only initialised ones are written.
                    let places = unsafe {
                        &mut *(std::ptr::from_mut(&mut out[start..start + len]) as *mut [MaybeUninit<u8>])
                    };
                    let mut appender = Appender::new(output_bytes, places);
                    let (mut at, mut step) = (0, 1);
                    while at < len {
                        let piece = &source[at..len.min(at + step)];
                        if piece.len() <= 32 {
                            appender.place::<32>()[..piece.len()].copy_from_slice(piece);
                            appender.take(piece.len());
                        } else {
                            appender.append(piece);
                        }
                        (at, step) = (at + piece.len(), step * 5 % 1009);
                    }
                    assert!(appender.finish());
                    assert_eq!(out[start..start + len], source[..len], "{start} {len}");
                    assert!(out[..start].iter().chain(&out[start + len..]).all(|&byte| byte == 0xA5));
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_told_and_not_written() {
        for len in [0usize, 10, 5000, 9000] {
            let mut out = vec![MaybeUninit::new(1u8); 10_000];
            for appended in [len + 1, len + 5000, len.saturating_sub(1)] {
                let mut appender = Appender::new(LARGE, &mut out[..len]);
                appender.append(&vec![2; appended]);
                assert_eq!(appender.finish(), appended == len, "{len} {appended}");
            }
            // SAFETY: all of it was initialised.
            assert!(out[len..].iter().all(|byte| unsafe { byte.assume_init() } == 1));
        }
    }
}
