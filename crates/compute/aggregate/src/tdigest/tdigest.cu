// Digests of distributions. Values are in the order of groups and ascending in each; `starts` and `counts` say which are those
// of a group. The constants come from the declaration in cuda.rs.
#include "cuprum/block.cuh"
#include "cuprum/order.cuh"
#include "cuprum/running.cuh"

constexpr u64 TOP = 1ull << 63;
constexpr f64 GREATEST = 1.7976931348623157e308;

// See `Scale` in scale.rs.
struct Scale {
    f64 cosine, sine, half;

    __forceinline__ f64 next_border(f64 q) const {
        if (q >= 1.0 - half) return 1.0;
        const f64 square = q * (1.0 - q);
        return q * cosine + half + sqrt(square > 0.0 ? square : 0.0) * sine;
    }
};

// The value of a word of `ordered`, with one zero.
__forceinline__ f64 value_of(u64 word) {
    const u64 bits = (word & TOP) != 0 ? word ^ TOP : ~word;
    f64 value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

__forceinline__ bool is_finite(f64 value) { return value - value == 0.0; }

// The first of the places 0 to `len` at which `is_before` is false; it is true at all places before that one. Binary search.
template <typename F>
__forceinline__ u64 partition_point(u64 len, F is_before) {
    u64 low = 0;
    while (len > 0) {
        const u64 half = len / 2;
        if (is_before(low + half)) {
            low += half + 1;
            len -= half + 1;
        } else {
            len = half;
        }
    }
    return low;
}

// The numbers of rows of a column as floats, with one zero.
__global__ void __launch_bounds__(THREADS)
    values_of_rows(ColumnDeviceView column, const u32* __restrict__ rows, u64 n, f64* __restrict__ values) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        values[i] = number_at(column, rows[i]) + 0.0;
    }
}

// The values of a group: `len` ascending ones that weigh 1 each, or each and all before it as much as `up_to` says.
struct Values {
    const f64* values;
    const f64* up_to;
    u64 len;

    __forceinline__ f64 weight_of(u64 partition_point) const {
        if (up_to == nullptr) return f64(partition_point);
        return partition_point == 0 ? 0.0 : up_to[partition_point - 1];
    }
    // The number of first values of a weight of no more than `limit`, which are `least` at least.
    __forceinline__ u64 within(f64 limit, u64 least) const {
        if (up_to != nullptr) return least + partition_point(len - least, [&](u64 i) { return up_to[least + i] <= limit; });
        if (limit >= f64(len)) return len;
        return u64(limit) > least ? u64(limit) : least;
    }
    // Calls `take(begin, end)` for each cluster, as `ends_of_clusters` in scale.rs cuts them.
    template <typename F>
    __forceinline__ void cut(const Scale& scale, F take) const {
        if (len == 0) return;
        u64 finite_from = 0, finite_to = len;
        if (values[0] < -GREATEST) finite_from = partition_point(len, [&](u64 i) { return values[i] < -GREATEST; });
        if (values[len - 1] > GREATEST) finite_to = partition_point(len, [&](u64 i) { return values[i] <= GREATEST; });
        const f64 total = weight_of(len);
        for (u64 begin = 0; begin < len;) {
            u64 end = within(total * scale.next_border(weight_of(begin) / total), begin + 1);
            if (begin < finite_from && end > finite_from) end = finite_from;
            if (begin < finite_to && end > finite_to) end = finite_to;
            take(begin, end);
            begin = end;
        }
    }
};

__forceinline__ Values values_of(const f64* values, const f64* up_to, u64 start, u64 len) {
    return {values + start, up_to == nullptr ? nullptr : up_to + start, len};
}

// The number of clusters of each group, 0 behind the last one.
__global__ void __launch_bounds__(THREADS)
    count_clusters(const f64* __restrict__ values, const f64* __restrict__ up_to, const u64* __restrict__ starts,
                   const u64* __restrict__ counts, u64 groups, Scale scale, u64* __restrict__ numbers) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 group = u64(blockIdx.x) * THREADS + threadIdx.x; group <= groups; group += step) {
        u64 number = 0;
        if (group < groups) {
            values_of(values, up_to, starts[group], counts[group]).cut(scale, [&](u64, u64) { ++number; });
        }
        numbers[group] = number;
    }
}

// Where clusters begin and end; the first one of a group is `first`.
__global__ void __launch_bounds__(THREADS)
    write_clusters(const f64* __restrict__ values, const f64* __restrict__ up_to, const u64* __restrict__ starts,
                   const u64* __restrict__ counts, u64 groups, Scale scale, const u64* __restrict__ first,
                   u64* __restrict__ begins, u64* __restrict__ ends) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 group = u64(blockIdx.x) * THREADS + threadIdx.x; group < groups; group += step) {
        const u64 start = starts[group];
        u64 place = first[group];
        values_of(values, up_to, start, counts[group]).cut(scale, [&](u64 begin, u64 end) {
            begins[place] = start + begin;
            ends[place] = start + end;
            ++place;
        });
    }
}

// The sum over the lanes of a warp, halves at a time as `sum_in_lanes` in scale.rs does, in all lanes.
__forceinline__ f64 sum_of_lanes(f64 sum) {
#pragma unroll
    for (u32 width = WARP / 2; width > 0; width /= 2) sum += __shfl_down_sync(ALL_LANES, sum, width);
    return __shfl_sync(ALL_LANES, sum, 0);
}

// The centroid of each cluster of values, by a warp. Values without weights weigh 1 each.
__global__ void __launch_bounds__(THREADS)
    write_centroids(const f64* __restrict__ values, const f64* __restrict__ weights, const u64* __restrict__ begins,
                    const u64* __restrict__ ends, u64 clusters, f64* __restrict__ means, f64* __restrict__ out_weights) {
    const u64 step = u64(gridDim.x) * (THREADS / WARP);
    for (u64 cluster = u64(blockIdx.x) * (THREADS / WARP) + warp_id(); cluster < clusters; cluster += step) {
        const u64 begin = begins[cluster], end = ends[cluster];
        const f64 first = values[begin], last = values[end - 1];
        const auto weight = [&](u64 i) { return weights == nullptr ? 1.0 : weights[i]; };
        f64 total = f64(end - begin), mean = first;
        if (weights != nullptr) {
            f64 sum = 0.0;
            for (u64 i = begin + lane_id(); i < end; i += WARP) sum += weights[i];
            total = sum_of_lanes(sum);
        }
        if (first != last) {
            f64 sum = 0.0;
            if (is_finite(last - first)) {
                for (u64 i = begin + lane_id(); i < end; i += WARP) sum += (values[i] - first) * (weight(i) / total);
                mean = first + sum_of_lanes(sum);
            } else {
                for (u64 i = begin + lane_id(); i < end; i += WARP) sum += values[i] * (weight(i) / total);
                mean = sum_of_lanes(sum);
            }
            mean = mean < first ? first : mean > last ? last : mean;
        }
        if (lane_id() == 0) {
            means[cluster] = mean;
            out_weights[cluster] = total;
        }
    }
}

// The first and the last value of each group; 0 of none.
__global__ void __launch_bounds__(THREADS)
    write_ends(const f64* __restrict__ values, const u64* __restrict__ starts, const u64* __restrict__ counts, u64 groups,
               f64* __restrict__ least, f64* __restrict__ most) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 group = u64(blockIdx.x) * THREADS + threadIdx.x; group < groups; group += step) {
        const u64 start = starts[group], count = counts[group];
        least[group] = count > 0 ? values[start] : 0.0;
        most[group] = count > 0 ? values[start + count - 1] : 0.0;
    }
}

// A column of digests.
struct Digests {
    const ColumnDeviceView& column;

    const ColumnDeviceView& lists() const { return column.child(0); }
    const ColumnDeviceView& pairs() const { return lists().child(1); }
    // The first of the centroids of a digest that is there.
    u64 first(u64 row) const { return lists().start(column.row_of_children(row)); }
    u64 len(u64 row) const {
        const u64 of_children = column.row_of_children(row);
        return column.is_valid(row) ? lists().start(of_children + 1) - lists().start(of_children) : 0;
    }
    f64 mean(u64 i) const { return pairs().child(0).value<f64>(pairs().row_of_children(i)); }
    f64 weight(u64 i) const { return pairs().child(1).value<f64>(pairs().row_of_children(i)); }
    // The smallest value, or the largest.
    f64 end(u64 row, bool largest) const { return column.child(largest ? 2 : 1).value<f64>(column.row_of_children(row)); }
};

// Sets `bad` to 1 where a digest has a null field or an invalid centroid. One warp for each digest.
__global__ void __launch_bounds__(THREADS) find_bad_digests(const ColumnDeviceView* column, u64 n, u32* bad) {
    const Digests digests = {*column};
    const u64 step = u64(gridDim.x) * (THREADS / WARP);
    for (u64 row = u64(blockIdx.x) * (THREADS / WARP) + warp_id(); row < n; row += step) {
        if (!column->is_valid(row)) continue;
        bool is_bad = false;
        for (u32 field = 0; field < 3; ++field) is_bad = is_bad || !column->child(field).is_valid(column->row_of_children(row));
        if (!is_bad) {
            const u64 first = digests.first(row), end = first + digests.len(row);
            const ColumnDeviceView& pairs = digests.pairs();
            for (u64 i = first + lane_id(); i < end; i += WARP) {
                const u64 k = pairs.row_of_children(i);
                const bool is_there = pairs.is_valid(i) && pairs.child(0).is_valid(k) && pairs.child(1).is_valid(k);
                const f64 mean = digests.mean(i), weight = digests.weight(i);
                is_bad = is_bad || !is_there || mean != mean || !(weight > 0.0 && is_finite(weight));
            }
        }
        if (is_bad) atomicOr(bad, 1u);
    }
}

// How many centroids each digest has that is there and in a group; 0 behind the last one.
__global__ void __launch_bounds__(THREADS)
    lengths_of_parts(const ColumnDeviceView* column, const u32* __restrict__ ids, u64 groups, u64 n,
                     u64* __restrict__ lengths) {
    const Digests digests = {*column};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row <= n; row += step) {
        lengths[row] = row < n && ids[row] < groups ? digests.len(row) : 0;
    }
}

// The group, the mean and the weight of each centroid; those of a digest begin at `starts`.
__global__ void __launch_bounds__(THREADS)
    collect_parts(const ColumnDeviceView* column, const u32* __restrict__ ids, const u64* __restrict__ starts, u64 n,
                  u64 total, u32* __restrict__ groups, f64* __restrict__ means, f64* __restrict__ weights) {
    const Digests digests = {*column};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < total; i += step) {
        const u64 row = partition_point(n, [&](u64 row) { return starts[row + 1] <= i; });
        const u64 k = digests.first(row) + (i - starts[row]);
        groups[i] = ids[row];
        means[i] = digests.mean(k);
        weights[i] = digests.weight(k);
    }
}

// Gathers groups, means and weights by rows.
__global__ void __launch_bounds__(THREADS)
    gather_parts(const u32* __restrict__ rows, u64 n, const u32* __restrict__ groups, const f64* __restrict__ means,
                const f64* __restrict__ weights, u32* __restrict__ out_groups, f64* __restrict__ out_means,
                f64* __restrict__ out_weights) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n; i += step) {
        const u32 row = rows[i];
        out_groups[i] = groups[row];
        out_means[i] = means[row];
        out_weights[i] = weights[row];
    }
}

// Where each group begins among `ids`, which ascend, and how many of them it has.
__global__ void __launch_bounds__(THREADS)
    spans_of_groups(const u32* __restrict__ ids, u64 n, u64 groups, u64* __restrict__ starts, u64* __restrict__ counts) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 group = u64(blockIdx.x) * THREADS + threadIdx.x; group < groups; group += step) {
        const u64 start = partition_point(n, [&](u64 i) { return ids[i] < group; });
        starts[group] = start;
        counts[group] = partition_point(n - start, [&](u64 i) { return ids[start + i] <= group; });
    }
}

// Running sums that begin anew with each group.
struct Weigh {
    struct State {
        f64 weight;
        u64 begins;  // a group begins among these
    };
    __forceinline__ State identity() const { return {0.0, 0}; }
    __forceinline__ State combine(const State& a, const State& b) const {
        if (b.begins != 0) return b;
        return {a.weight + b.weight, a.begins};
    }
    static __forceinline__ State load(const u32* ids, const f64* weights, u64 i) {
        return {weights[i], i == 0 || ids[i] != ids[i - 1]};
    }
};

__global__ void __launch_bounds__(THREADS)
    total_weights(const u32* ids, const f64* weights, u64 n, u64* totals) {
    total_of_tile<THREADS, ITEMS>(n, Weigh(), reinterpret_cast<Weigh::State*>(totals),
                                  [&](u64 i) { return Weigh::load(ids, weights, i); });
}

__global__ void __launch_bounds__(THREADS) run_over_weights(u64* totals, u64 tiles) {
    totals_before<THREADS, TILES>(reinterpret_cast<Weigh::State*>(totals), tiles, Weigh());
}

// The weight of each centroid and all before it in its group.
__global__ void __launch_bounds__(THREADS)
    write_weights(const u32* ids, const f64* weights, u64 n, const u64* totals, f64* __restrict__ up_to) {
    run_tile<THREADS, ITEMS>(
        n, Weigh(), reinterpret_cast<const Weigh::State*>(totals),
        [&](u64 i) { return Weigh::load(ids, weights, i); },
        [&](u64 i, const Weigh::State&, const Weigh::State& state) { up_to[i] = state.weight; });
}

// Words of the smallest and of the largest value of the digests of each group; NaN is none.
__global__ void __launch_bounds__(THREADS)
    find_ends(const ColumnDeviceView* column, const u32* __restrict__ ids, u64 groups, u64 n, u64* least, u64* most) {
    const Digests digests = {*column};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row < n; row += step) {
        if (ids[row] >= groups || digests.len(row) == 0) continue;
        const f64 low = digests.end(row, false), high = digests.end(row, true);
        if (low == low) atomicMin(least + ids[row], ordered(low));
        if (high == high) atomicMax(most + ids[row], ordered(high));
    }
}

// The values of these words; 0 where no digest has one.
__global__ void __launch_bounds__(THREADS)
    read_ends(const u64* __restrict__ least, const u64* __restrict__ most, u64 groups, f64* __restrict__ out_least,
              f64* __restrict__ out_most) {
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 group = u64(blockIdx.x) * THREADS + threadIdx.x; group < groups; group += step) {
        out_least[group] = least[group] == ~0ull ? 0.0 : value_of(least[group]);
        out_most[group] = most[group] == 0 ? 0.0 : value_of(most[group]);
    }
}

// As many quantiles for each digest as are asked for, none for one without values; 0 behind the last one.
__global__ void __launch_bounds__(THREADS)
    lengths_of_quantiles(const ColumnDeviceView* column, u64 n, u64 num_q, u64* __restrict__ lengths, u8* __restrict__ valid) {
    const Digests digests = {*column};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 row = u64(blockIdx.x) * THREADS + threadIdx.x; row <= n; row += step) {
        const bool is_there = row < n && digests.len(row) > 0;
        lengths[row] = is_there ? num_q : 0;
        if (row < n) valid[row] = is_there;
    }
}

// See cpu.rs.
__forceinline__ f64 between(f64 low, f64 high, f64 fraction) {
    fraction = !is_finite(fraction) ? 1.0 : fraction < 0.0 ? 0.0 : fraction > 1.0 ? 1.0 : fraction;
    const f64 apart = high - low;
    if (low == high || fraction == 0.0) return low;
    if (is_finite(apart)) return low + apart * fraction;
    return low * (1.0 - fraction) + high * fraction;
}

// The mean of two weights, as the standard library of Rust has it.
__forceinline__ f64 midpoint(f64 a, f64 b) {
    constexpr f64 HIGH = GREATEST / 2.0;
    return a <= HIGH && b <= HIGH ? (a + b) / 2.0 : a / 2.0 + b / 2.0;
}

// See `quantile` in cpu.rs: step by step the same. `first` is the first of `len` centroids.
inline f64 quantile(const Digests& digests, u64 first, u64 len, f64 least, f64 most, f64 q) {
    f64 total = 0.0;
    for (u64 i = 0; i < len; ++i) total += digests.weight(first + i);
    const f64 place = q * total;
    if (place < 1.0) return least;
    if (place > total - 1.0) return most;
    const f64 first_weight = digests.weight(first), last_weight = digests.weight(first + len - 1);
    const f64 first_mean = digests.mean(first), last_mean = digests.mean(first + len - 1);
    if (first_weight > 1.0 && place < first_weight / 2.0) {
        return between(least, first_mean, (place - 1.0) / (first_weight / 2.0 - 1.0));
    }
    if (last_weight > 1.0 && total - place <= last_weight / 2.0) {
        return between(most, last_mean, (total - place - 1.0) / (last_weight / 2.0 - 1.0));
    }
    f64 before = first_weight / 2.0, weight = first_weight;
    for (u64 i = 1; i < len; ++i) {
        const f64 next = digests.weight(first + i), apart = midpoint(weight, next);
        if (before + apart > place) {
            // A single value takes its whole place.
            const f64 left = weight == 1.0 ? 0.5 : 0.0, right = next == 1.0 ? 0.5 : 0.0;
            const f64 a = digests.mean(first + i - 1), b = digests.mean(first + i);
            f64 behind = place - before, ahead = before + apart - place;
            if (left > 0.0 && behind < left) return a;
            if (right > 0.0 && ahead <= right) return b;
            behind -= left;
            ahead -= right;
            return between(a, b, behind / (behind + ahead));
        }
        before += apart;
        weight = next;
    }
    return last_mean;
}

// The quantiles of each digest at all of `num_q` fractions; those of a digest begin at `starts`.
__global__ void __launch_bounds__(THREADS)
    write_quantiles(const ColumnDeviceView* column, u64 n, const f64* __restrict__ q, u64 num_q,
                    const u64* __restrict__ starts, f64* __restrict__ out) {
    const Digests digests = {*column};
    const u64 step = u64(gridDim.x) * THREADS;
    for (u64 i = u64(blockIdx.x) * THREADS + threadIdx.x; i < n * num_q; i += step) {
        const u64 row = i / num_q, k = i % num_q, len = digests.len(row);
        if (len == 0) continue;
        out[starts[row] + k] =
            quantile(digests, digests.first(row), len, digests.end(row, false), digests.end(row, true), q[k]);
    }
}
