// Lines of a width.
#include "cuprum/texts.cuh"

// Rows in lines of at most `width` characters: the last white space at which a line fits becomes a line feed, all other
// white space a space.
__global__ void __launch_bounds__(THREADS)
    wrap_texts(TextsDeviceView column, u64 width, i32* narrow, u64* wide, u8* bytes) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    make_texts<THREADS>(column, {narrow, wide, bytes, nullptr}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        if (bytes == nullptr) {
            // Characters stay as long as they are.
            out.put(text);
            return true;
        }
        u64 used = 0;
        for (u64 at = 0, word = 0;; ++at, word = at) {
            u64 length = 0;
            for (; at < text.size && text.bytes[at] > ' '; ++at) length += begins_character(text.bytes[at]);
            if (word > 0) {
                // The word and the space before it.
                const bool is_new = used + 1 + length > width;
                out.put(u8(is_new ? '\n' : ' '));
                used = is_new ? 0 : used + 1;
            }
            out.put(StringView{text.bytes + word, at - word});
            used += length;
            if (at == text.size) return true;
        }
    });
}
