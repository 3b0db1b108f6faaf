//! Centroids: made from sorted values, merged, read.

use super::scale::{Scale, sum_in_lanes};
use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, null_mask};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::map_ranges;
use cuprum_runtime::primitives::Bits;

use crate::groupby::Grouping;
use crate::groupby::group_rows::{rows_of, sorted_by_group};
use cuprum_elements::row_pieces::{Lists, RowPieces};
use cuprum_elementwise::unary::cast;
use cuprum_keys::equality::valid_rows;
use cuprum_keys::ordered_bits::Ordered;

/// Groups that one thread takes at a time.
const GROUPS: usize = 64;

/// Several values by their mean and how many they are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Centroid {
    mean: f64,
    weight: f64,
}

/// The digest of one group.
#[derive(Clone, Default)]
struct Digest {
    centroids: Vec<Centroid>,
    least: f64,
    most: f64,
}

/// See [`super::digest`].
pub(super) fn digest(
    grouping: &Grouping,
    column: &Column,
    max_centroids: usize,
    ctx: &Context,
) -> Result<Column> {
    let wide = cast(column, DataType::Float64, ctx)?;
    let view = wide.view()?;
    let values = view.values::<f64>()?;
    let mask = valid_rows(&[&wide], wide.len(), true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), wide.len())?;
    let lists = rows_of(grouping, bits.as_ref().map(Bits::to_bitmap).transpose()?, ctx)?;
    let sorted = sorted_by_group(&lists, |row| values[row].ordered_with_nan(), ctx)?;
    let scale = Scale::new(max_centroids);
    let digests = map_ranges(grouping.num_groups, GROUPS, ctx, |groups| {
        groups
            .map(|group| {
                let keys = &sorted[lists.offsets[group] as usize..lists.offsets[group + 1] as usize];
                let (len, value) = (keys.len(), |i: usize| f64::from_ordered(keys[i]));
                let Some(last) = len.checked_sub(1) else { return Ok(Digest::default()) };
                let ends = scale.ends_of_clusters(
                    len,
                    finite(len, value),
                    |i| i as f64,
                    |weight| weight as usize,
                )?;
                let centroids = centroids_of(&ends, value, |_| 1.0)?;
                Ok(Digest { centroids, least: value(0), most: value(last) })
            })
            .collect::<Result<Vec<_>>>()
    })?;
    column_of(&digests.into_iter().flatten().collect::<Vec<_>>(), ctx)
}

/// Where ascending values begin and end to be finite.
fn finite(len: usize, value: impl Fn(usize) -> f64) -> [usize; 2] {
    let first = |is_behind: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0, len);
        while low < high {
            let middle = low.midpoint(high);
            if is_behind(value(middle)) { high = middle } else { low = middle + 1 }
        }
        low
    };
    [first(&|value| value > f64::NEG_INFINITY), first(&|value| value == f64::INFINITY)]
}

/// The centroids of clusters of ascending values.
fn centroids_of(
    ends: &[usize],
    value: impl Fn(usize) -> f64,
    weight: impl Fn(usize) -> f64,
) -> Result<Vec<Centroid>> {
    let (mut centroids, mut begin) = (host_vec::with_capacity(ends.len())?, 0);
    for &end in ends {
        let len = end - begin;
        centroids.push(match len {
            1 => Centroid { mean: value(begin), weight: weight(begin) },
            _ => centroid_of(len, |i| value(begin + i), |i| weight(begin + i)),
        });
        begin = end;
    }
    Ok(centroids)
}

/// The mean of ascending values: the first one and what the others are above it, each with its share.
fn centroid_of(len: usize, value: impl Fn(usize) -> f64, weight: impl Fn(usize) -> f64) -> Centroid {
    let (first, last, total) = (value(0), value(len - 1), sum_in_lanes(len, &weight));
    if first == last {
        return Centroid { mean: first, weight: total };
    }
    let mean = if (last - first).is_finite() {
        first + sum_in_lanes(len, |i| (value(i) - first) * (weight(i) / total))
    } else {
        // Values of both signs may be further apart than a float.
        sum_in_lanes(len, |i| value(i) * (weight(i) / total))
    };
    Centroid { mean: mean.clamp(first, last), weight: total }
}

/// See [`super::merge`].
pub(super) fn merge(
    grouping: &Grouping,
    digests: &Column,
    max_centroids: usize,
    ctx: &Context,
) -> Result<Column> {
    let parts = read(digests)?;
    let lists = rows_of(grouping, None, ctx)?;
    let scale = Scale::new(max_centroids);
    let digests = map_ranges(grouping.num_groups, GROUPS, ctx, |groups| {
        groups
            .map(|group| {
                let rows = &lists.rows[lists.offsets[group] as usize..lists.offsets[group + 1] as usize];
                let parts =
                    || rows.iter().map(|&row| &parts[row as usize]).filter(|part| !part.centroids.is_empty());
                let mut all = host_vec::with_capacity(parts().map(|part| part.centroids.len()).sum())?;
                parts().for_each(|part| all.extend_from_slice(&part.centroids));
                all.sort_by_key(|centroid| centroid.mean.ordered());
                // NaN is no end.
                let (least, most) = (parts().map(|part| part.least), parts().map(|part| part.most));
                let least = least.filter(|end| !end.is_nan()).reduce(f64::min).unwrap_or(0.0) + 0.0;
                let most = most.filter(|end| !end.is_nan()).reduce(f64::max).unwrap_or(0.0) + 0.0;
                Ok(Digest { centroids: merged(&all, &scale)?, least, most })
            })
            .collect::<Result<Vec<_>>>()
    })?;
    column_of(&digests.into_iter().flatten().collect::<Vec<_>>(), ctx)
}

/// Ascending centroids merged to those that the scale allows.
fn merged(all: &[Centroid], scale: &Scale) -> Result<Vec<Centroid>> {
    // The weight of each and all before it.
    let (mut weights, mut weight) = (host_vec::with_capacity(all.len())?, 0.0);
    for centroid in all {
        weight += centroid.weight;
        weights.push(weight);
    }
    let value = |i: usize| all[i].mean;
    let weight_of = |i: usize| if i == 0 { 0.0 } else { weights[i - 1] };
    let within = |most: f64| weights.partition_point(|&weight| weight <= most);
    let ends = scale.ends_of_clusters(all.len(), finite(all.len(), value), weight_of, within)?;
    centroids_of(&ends, value, |i| all[i].weight)
}

/// See [`super::percentile_approx`].
pub(super) fn percentile_approx(digests: &Column, q: &[f64], ctx: &Context) -> Result<Column> {
    let digests = read(digests)?;
    let is_there = |row: usize| !digests[row].centroids.is_empty();
    let pieces = RowPieces::new(digests.len(), ctx, |row| if is_there(row) { q.len() } else { 0 })?;
    let values = pieces.fill(ctx, |row, k| quantile(&digests[row], q[k]))?;
    let mask = null_mask::from_fn(digests.len(), ctx, is_there)?;
    Column::lists(pieces.offsets(ctx)?, Column::from_values(values), Some(mask))
}

/// The value at the fraction `q`, with half of every centroid on each side of its mean (as the reference
/// implementation of Dunning and Ertl reads it).
fn quantile(digest: &Digest, q: f64) -> f64 {
    let Digest { centroids, least, most } = digest;
    let (Some(first), Some(last)) = (centroids.first(), centroids.last()) else { return f64::NAN };
    let total: f64 = centroids.iter().map(|centroid| centroid.weight).sum();
    let place = q * total;
    if place < 1.0 {
        return *least;
    }
    if place > total - 1.0 {
        return *most;
    }
    if first.weight > 1.0 && place < first.weight / 2.0 {
        return between(*least, first.mean, (place - 1.0) / (first.weight / 2.0 - 1.0));
    }
    if last.weight > 1.0 && total - place <= last.weight / 2.0 {
        return between(*most, last.mean, (total - place - 1.0) / (last.weight / 2.0 - 1.0));
    }
    let mut before = first.weight / 2.0;
    for pair in centroids.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let apart = f64::midpoint(a.weight, b.weight);
        if before + apart > place {
            // A single value takes its whole place.
            let (left, right) =
                (f64::from(u8::from(a.weight == 1.0)) / 2.0, f64::from(u8::from(b.weight == 1.0)) / 2.0);
            let (behind, ahead) = (place - before, before + apart - place);
            if left > 0.0 && behind < left {
                return a.mean;
            }
            if right > 0.0 && ahead <= right {
                return b.mean;
            }
            let (behind, ahead) = (behind - left, ahead - right);
            return between(a.mean, b.mean, behind / (behind + ahead));
        }
        before += apart;
    }
    last.mean
}

fn between(low: f64, high: f64, fraction: f64) -> f64 {
    let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 1.0 };
    let apart = high - low;
    if low == high || fraction == 0.0 {
        low
    } else if apart.is_finite() {
        low + apart * fraction
    } else {
        low * (1.0 - fraction) + high * fraction
    }
}

/// The digests of a column, those of nulls without a value. A copy: its values are checked once.
fn read(column: &Column) -> Result<Vec<Digest>> {
    let fields = (0..3).map(|i| column.field(i)).collect::<Result<Vec<_>>>()?;
    let views = fields.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let lists = Lists::new(&views[0])?;
    let pairs = lists.elements();
    let (means, weights) = (pairs.field(0)?, pairs.field(1)?);
    let (pairs, means, weights) = (pairs.view()?, means.view()?, weights.view()?);
    let (mean_of, weight_of) = (means.values::<f64>()?, weights.values::<f64>()?);
    let (least, most) = (views[1].values::<f64>()?, views[2].values::<f64>()?);
    let view = column.view()?;
    let mut digests = host_vec::with_capacity(column.len())?;
    for row in 0..column.len() {
        if !view.is_valid(row) {
            digests.push(Digest::default());
            continue;
        }
        let bad = |what: &str| Error::invalid_argument(format!("`digests` has {what} at row {row}"));
        if views.iter().any(|field| !field.is_valid(row)) {
            return Err(bad("a field that is null"));
        }
        let [start, len] = lists.span(row);
        let mut centroids = host_vec::with_capacity(len)?;
        for i in start..start + len {
            if ![&pairs, &means, &weights].iter().all(|column| column.is_valid(i)) {
                return Err(bad("a centroid that is null"));
            }
            let centroid = Centroid { mean: mean_of[i], weight: weight_of[i] };
            if centroid.mean.is_nan() || !(centroid.weight > 0.0 && centroid.weight.is_finite()) {
                return Err(bad(&format!(
                    "a centroid of mean {} and weight {}",
                    centroid.mean, centroid.weight
                )));
            }
            centroids.push(centroid);
        }
        digests.push(Digest { centroids, least: least[row], most: most[row] });
    }
    Ok(digests)
}

fn column_of(digests: &[Digest], ctx: &Context) -> Result<Column> {
    let pieces = RowPieces::new(digests.len(), ctx, |row| digests[row].centroids.len())?;
    let means = pieces.fill(ctx, |row, k| digests[row].centroids[k].mean)?;
    let weights = pieces.fill(ctx, |row, k| digests[row].centroids[k].weight)?;
    let pairs = vec![Column::from_values(means), Column::from_values(weights)];
    let pairs = Column::structs(pieces.total(), pairs, None)?;
    let fields = vec![
        Column::lists(pieces.offsets(ctx)?, pairs, None)?,
        Column::from_values(HostUVec::from_fn(digests.len(), ctx, |row| digests[row].least)?),
        Column::from_values(HostUVec::from_fn(digests.len(), ctx, |row| digests[row].most)?),
    ];
    Column::structs(digests.len(), fields, None)
}
