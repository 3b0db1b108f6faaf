//! The scale that says how many values a centroid may stand for, and the clusters that follow from it.

use std::f64::consts::PI;

use cuprum_column::Result;
use cuprum_runtime::{host_vec, kernel_struct};

kernel_struct! {
    /// One step on the scale `k₁(q) = δ / 2π · asin(2 q − 1)` of a digest of δ centroids: a rotation by the angle `2π / δ`.
    /// The fields are its cosine, its sine, and the square of the sine of half the angle. Borders are made of them by
    /// additions, products and roots alone, so they are the same on all devices; `tdigest.cu` has the same steps.
    pub(super) struct Scale {
        cosine: f64,
        sine: f64,
        half: f64,
    }
}

impl Scale {
    /// `max_centroids` is not 0.
    pub(super) fn new(max_centroids: usize) -> Self {
        // From two centroids down one step is all.
        let step = (2.0 * PI / max_centroids as f64).min(PI);
        let half = if max_centroids <= 2 { 1.0 } else { (step / 2.0).sin().powi(2) };
        Self { cosine: step.cos(), sine: step.sin(), half }
    }

    /// The latest end of a centroid that begins at the quantile `q`: one step further on.
    pub(super) fn next_border(&self, q: f64) -> f64 {
        if q >= 1.0 - self.half {
            return 1.0;
        }
        q * self.cosine + self.half + (q * (1.0 - q)).max(0.0).sqrt() * self.sine
    }

    /// The ends of the clusters of `len` ascending values: each has as much weight as the scale allows, one value at least,
    /// and an infinite value only beside others that are equal. `weight_of(i)` is the weight of the first `i` values
    /// together, and `within(w)` the most values from the first on with a weight of at most `w`; the values in the range
    /// `finite` are finite.
    pub(super) fn ends_of_clusters(
        &self,
        len: usize,
        finite: [usize; 2],
        weight_of: impl Fn(usize) -> f64,
        within: impl Fn(f64) -> usize,
    ) -> Result<Vec<usize>> {
        let (total, mut begin, mut ends) = (weight_of(len), 0, Vec::new());
        while begin < len {
            let limit = total * self.next_border(weight_of(begin) / total);
            let mut end = within(limit).clamp(begin + 1, len);
            for border in finite {
                if begin < border {
                    end = end.min(border);
                }
            }
            host_vec::reserve(&mut ends, 1)?;
            ends.push(end);
            begin = end;
        }
        Ok(ends)
    }
}

/// Sums of as many lanes as a warp of a GPU has: each takes one term after another, then halves are added up.
pub(super) fn sum_in_lanes(len: usize, term: impl Fn(usize) -> f64) -> f64 {
    const LANES: usize = 32;
    let mut lanes = [0.0; LANES];
    for start in (0..len).step_by(LANES) {
        for (lane, i) in lanes.iter_mut().zip(start..len) {
            *lane += term(i);
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}
