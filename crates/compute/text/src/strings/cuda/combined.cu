// Rows of several columns side by side.
#include "cuprum/texts.cuh"

// The rows of `num_columns` columns of texts with `separator` between them, and behind the last one with `ends`. Nulls
// are `na_rep` where there is one; else a row with one is null.
__global__ void __launch_bounds__(THREADS)
    concatenate_texts(const ColumnDeviceView* columns, u32 num_columns, u64 n, const u8* separator, u64 separator_size,
                      const u8* na_rep, u64 na_rep_size, bool ends, i32* narrow, u64* wide, u8* bytes, u32* validity) {
    __shared__ Stage<STAGE> stage;
    const StringView between = {separator, separator_size}, missing = {na_rep, na_rep_size};
    const u64 i = u64(blockIdx.x) * THREADS + threadIdx.x;
    bool is_valid = i < n;
    for (u32 c = 0; c < num_columns && is_valid && na_rep == nullptr; ++c) is_valid = columns[c].is_valid(i);
    make_row<THREADS>({narrow, wide, bytes, validity}, n, is_valid, stage, [&](auto& out) {
        for (u32 c = 0; c < num_columns; ++c) {
            if (c > 0) out.put(between);
            out.put(na_rep == nullptr || columns[c].is_valid(i) ? columns[c].string(i) : missing);
        }
        if (ends) out.put(between);
        return true;
    });
}
