// The functions that the compiler's instrumentation calls under the race check (-fsanitize=thread and
// -fsanitize=bounds,alignment,integer-divide-by-zero). No sanitizer library is linked: accesses go to the
// runtime, and undefined behaviour ends the launch.
#pragma once

#define CUPRUM_HOOK extern "C" __attribute__((noinline, used, visibility("hidden"), no_sanitize("thread", "undefined")))

#define CUPRUM_ACCESS(NAME, BYTES, KIND)                                                                \
    CUPRUM_HOOK void __tsan_##NAME##BYTES(void* address) {                                              \
        using namespace cuprum_emulator;                                                                \
        self()->hooks->access(self(), address, BYTES, KIND, __builtin_return_address(0));               \
    }
#define CUPRUM_ACCESSES(BYTES)                                                                          \
    CUPRUM_ACCESS(read, BYTES, READ)                                                                    \
    CUPRUM_ACCESS(write, BYTES, WRITE)                                                                  \
    CUPRUM_ACCESS(unaligned_read, BYTES, READ)                                                          \
    CUPRUM_ACCESS(unaligned_write, BYTES, WRITE)                                                        \
    CUPRUM_ACCESS(volatile_read, BYTES, VOLATILE_READ)                                                  \
    CUPRUM_ACCESS(volatile_write, BYTES, VOLATILE_WRITE)                                                \
    CUPRUM_ACCESS(unaligned_volatile_read, BYTES, VOLATILE_READ)                                        \
    CUPRUM_ACCESS(unaligned_volatile_write, BYTES, VOLATILE_WRITE)
CUPRUM_ACCESSES(1)
CUPRUM_ACCESSES(2)
CUPRUM_ACCESSES(4)
CUPRUM_ACCESSES(8)
CUPRUM_ACCESSES(16)
#undef CUPRUM_ACCESSES
#undef CUPRUM_ACCESS

CUPRUM_HOOK void __tsan_read_range(void* address, size_t bytes) {
    using namespace cuprum_emulator;
    self()->hooks->access(self(), address, bytes, READ, __builtin_return_address(0));
}
CUPRUM_HOOK void __tsan_write_range(void* address, size_t bytes) {
    using namespace cuprum_emulator;
    self()->hooks->access(self(), address, bytes, WRITE, __builtin_return_address(0));
}
CUPRUM_HOOK void __tsan_init() {}
CUPRUM_HOOK void __tsan_func_entry(void*) {}
CUPRUM_HOOK void __tsan_func_exit(void*) {}

// The compiler describes the place first in the data of every report.
struct CuprumPlace {
    const char* file;
    unsigned line, column;
};

#define CUPRUM_UNDEFINED(NAME, WHAT)                                                                    \
    CUPRUM_HOOK void __ubsan_handle_##NAME(const CuprumPlace* place, size_t, size_t) {                  \
        using namespace cuprum_emulator;                                                                \
        self()->hooks->fail(self(), WHAT, place->line, place->file);                                    \
    }
CUPRUM_UNDEFINED(out_of_bounds, "an index is outside its array")
CUPRUM_UNDEFINED(type_mismatch_v1, "a misaligned or null address is used")
CUPRUM_UNDEFINED(divrem_overflow, "an integer is divided by zero, or the smallest one by -1")
#undef CUPRUM_UNDEFINED
#undef CUPRUM_HOOK
