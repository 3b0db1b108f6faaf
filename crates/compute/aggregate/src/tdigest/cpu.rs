//! Centroids: made from sorted values, merged, read.

use std::f64::consts::PI;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, null_mask};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::map_ranges;
use cuprum_runtime::primitives::Bits;

use crate::groupby::Grouping;
use crate::groupby::batches::in_batches;
use crate::groupby::group_rows::{rows_of, sorted_by_group};
use crate::groupby::moments::one;
use cuprum_elements::row_pieces::{Lists, RowPieces};
use cuprum_elementwise::unary::cast;
use cuprum_keys::equality::row_limit::check_rows;
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
    crate::groupby::check_length("column", column, grouping)?;
    let batches = in_batches("a digest", grouping, &[column], ctx, &|grouping, columns| {
        Ok(vec![digest(grouping, &columns[0], max_centroids, ctx)?])
    })?;
    if let Some(found) = batches {
        return one(found);
    }
    let wide = cast(column, DataType::Float64, ctx)?;
    let view = wide.view()?;
    let values = view.values::<f64>()?;
    let mask = valid_rows(&[&wide], wide.len(), true, ctx)?;
    let bits = null_mask::bits(mask.as_ref(), wide.len())?;
    let lists = rows_of(grouping, bits.as_ref().map(Bits::to_bitmap).transpose()?, ctx)?;
    let sorted = sorted_by_group(&lists, |row| values[row].ordered_with_nan(), ctx)?;
    let digests = map_ranges(grouping.num_groups, GROUPS, ctx, |groups| {
        groups
            .map(|group| {
                let keys = &sorted[lists.offsets[group] as usize..lists.offsets[group + 1] as usize];
                let ends = keys
                    .first()
                    .zip(keys.last())
                    .map(|(a, b)| (f64::from_ordered(*a), f64::from_ordered(*b)));
                let (least, most) = ends.unwrap_or_default();
                let values = keys.iter().map(|key| Centroid { mean: f64::from_ordered(*key), weight: 1.0 });
                Ok(Digest { centroids: compressed(values, keys.len() as f64, max_centroids)?, least, most })
            })
            .collect::<Result<Vec<_>>>()
    })?;
    column_of(&digests.into_iter().flatten().collect::<Vec<_>>(), ctx)
}

/// Centroids, which ascend and have a weight of `total`, merged to no more than the scale function allows.
fn compressed(
    mut centroids: impl Iterator<Item = Centroid>,
    total: f64,
    max_centroids: usize,
) -> Result<Vec<Centroid>> {
    let delta = max_centroids as f64;
    let Some(mut current) = centroids.next() else { return Ok(vec![]) };
    let mut found = host_vec::with_capacity(max_centroids.min(64))?;
    let mut before = 0.0;
    let mut limit = total * next_border(0.0, delta);
    for next in centroids {
        // Infinities are no part of a mean.
        let is_near = current.mean == next.mean || current.mean.is_finite() && next.mean.is_finite();
        if is_near && before + current.weight + next.weight <= limit {
            let weight = current.weight + next.weight;
            // Values of both signs may be further apart than a float: each has its part.
            let apart = next.mean - current.mean;
            current.mean = if apart.is_finite() {
                current.mean + apart * (next.weight / weight)
            } else {
                current.mean * (current.weight / weight) + next.mean * (next.weight / weight)
            };
            current.weight = weight;
        } else {
            before += current.weight;
            limit = total * next_border(before / total, delta);
            host_vec::reserve(&mut found, 1)?;
            found.push(std::mem::replace(&mut current, next));
        }
    }
    host_vec::reserve(&mut found, 1)?;
    found.push(current);
    Ok(found)
}

/// The latest end of a centroid that begins at the quantile `q`: one further on the scale
/// `k₁(q) = δ / 2π · asin(2 q − 1)`.
fn next_border(q: f64, delta: f64) -> f64 {
    let next = (2.0 * q - 1.0).clamp(-1.0, 1.0).asin() + 2.0 * PI / delta;
    if next >= PI / 2.0 { 1.0 } else { f64::midpoint(next.sin(), 1.0) }
}

/// See [`super::merge`].
pub(super) fn merge(
    grouping: &Grouping,
    digests: &Column,
    max_centroids: usize,
    ctx: &Context,
) -> Result<Column> {
    crate::groupby::check_length("digests", digests, grouping)?;
    check_rows("digests that are merged", digests.len())?;
    let parts = read(digests)?;
    let lists = rows_of(grouping, None, ctx)?;
    let merged = map_ranges(grouping.num_groups, GROUPS, ctx, |groups| {
        groups
            .map(|group| {
                let rows = &lists.rows[lists.offsets[group] as usize..lists.offsets[group + 1] as usize];
                let parts =
                    || rows.iter().map(|&row| &parts[row as usize]).filter(|part| !part.centroids.is_empty());
                let mut all = host_vec::with_capacity(parts().map(|part| part.centroids.len()).sum())?;
                parts().for_each(|part| all.extend_from_slice(&part.centroids));
                all.sort_by(|a, b| a.mean.total_cmp(&b.mean));
                let total = all.iter().map(|centroid| centroid.weight).sum();
                let least = parts().map(|part| part.least).reduce(f64::min).unwrap_or(0.0);
                let most = parts().map(|part| part.most).reduce(f64::max).unwrap_or(0.0);
                Ok(Digest { centroids: compressed(all.into_iter(), total, max_centroids)?, least, most })
            })
            .collect::<Result<Vec<_>>>()
    })?;
    column_of(&merged.into_iter().flatten().collect::<Vec<_>>(), ctx)
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
