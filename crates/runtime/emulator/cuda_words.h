// The words of CUDA C++ for a host compiler: everything a kernel may use, in plain C++17.
//
// A thread of a kernel is a fiber. Operations together with others (barriers, warp operations, giving way to
// others in a loop that spins) are done by the runtime, in Rust, through a table of functions; everything
// else is inline here. All fibers of a launch run on one thread of the operating system, so that an atomic
// operation is a plain one.
//
// No header of the host is included: that keeps compile times low, and names that NVRTC does not
// know stay unknown here.
#pragma once

using size_t = decltype(sizeof 0);
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
// Thread-local to the compiler; `__tls_get_addr` below finds the block's own copy.
#define __shared__ thread_local
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDA_ARCH__ 800
#define CUPRUM_EMULATOR 1

// Vector types.

#define CUPRUM_VECTORS(NAME, TYPE)                                                                      \
    struct NAME##1 { TYPE x; };                                                                         \
    struct __align__(2 * sizeof(TYPE)) NAME##2 { TYPE x, y; };                                          \
    struct NAME##3 { TYPE x, y, z; };                                                                   \
    struct __align__(sizeof(TYPE) < 8 ? 4 * sizeof(TYPE) : 16) NAME##4 { TYPE x, y, z, w; };            \
    __forceinline__ NAME##1 make_##NAME##1(TYPE x) { return {x}; }                                      \
    __forceinline__ NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }                           \
    __forceinline__ NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; }                \
    __forceinline__ NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }

CUPRUM_VECTORS(char, signed char)
CUPRUM_VECTORS(uchar, unsigned char)
CUPRUM_VECTORS(short, short)
CUPRUM_VECTORS(ushort, unsigned short)
CUPRUM_VECTORS(int, int)
CUPRUM_VECTORS(uint, unsigned)
CUPRUM_VECTORS(long, long)
CUPRUM_VECTORS(ulong, unsigned long)
CUPRUM_VECTORS(longlong, long long)
CUPRUM_VECTORS(ulonglong, unsigned long long)
CUPRUM_VECTORS(float, float)
CUPRUM_VECTORS(double, double)
#undef CUPRUM_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// The runtime's side.

namespace cuprum_emulator {

struct Hooks;

// The part of a thread that a kernel may read; the runtime's part follows. `Thread` in fiber.rs.
struct Thread {
    uint3 thread, block, block_dim, grid_dim;
    unsigned char* shared;
    const Hooks* hooks;
    unsigned fuel;
    unsigned lane;
};

constexpr size_t DYNAMIC_SHARED_BYTES = 232448;

// A barrier's or a warp operation's kind. `Vote` in barrier.rs and `WarpOperation` in warp.rs.
enum Vote : unsigned { NO_VOTE, COUNT, AND, OR };
enum WarpOperation : unsigned {
    SYNC, SHUFFLE, BALLOT, MATCH_ANY, MATCH_ALL, ADD, MIN_SIGNED, MAX_SIGNED, MIN, MAX, BIT_AND, BIT_OR, BIT_XOR
};
// The kinds of instrumented accesses. `Access` in race_check.rs.
enum Access : unsigned char { READ, WRITE, VOLATILE_READ, VOLATILE_WRITE, ATOMIC };

// The calling convention of `Hooks` in hooks.rs.
struct Hooks {
    unsigned (*barrier)(Thread*, Vote, unsigned predicate, unsigned line, const char* file);
    unsigned long long (*warp)(Thread*, WarpOperation, unsigned mask, unsigned long long value,
                               unsigned source, unsigned line, const char* file);
    void (*give_way)(Thread*, const void* code);
    void (*refuel)(Thread*, const void* code);
    void (*fence)(Thread*);
    void (*fail)(Thread*, const char* what, unsigned line, const char* file);
    void (*access)(Thread*, const volatile void* address, size_t bytes, Access, const void* code);
    unsigned long long (*clock)();
};

struct Parameter { unsigned bytes, alignment; };

struct Kernel {
    const char* name;
    void (*run)(void* const* arguments);
    size_t parameter_count;
    const Parameter* parameters;
};

struct Module {
    const Kernel* kernels;
    size_t kernel_count;
    size_t dynamic_shared_offset;
    size_t race_check;
    Thread** current;
};

// The thread that runs. The runtime sets it whenever it switches, so to a thread it never changes.
static Thread* current;

__forceinline__ Thread* self() {
    Thread* thread;
    // Not in C++, to escape the race check's instrumentation.
    asm("movq %1, %0" : "=r"(thread) : "m"(current));
    return thread;
}

// An address in the code of the caller.
__forceinline__ const void* here() {
    const void* code;
    asm volatile("leaq 0(%%rip), %0" : "=r"(code));
    return code;
}

// Keeps a loop that spins from starving the threads it waits for.
__forceinline__ void burn_fuel() {
    Thread* thread = self();
    if (--thread->fuel == 0) thread->hooks->refuel(thread, here());
}

template <class To, class From> __forceinline__ To bits(From value) {
    static_assert(sizeof(To) >= sizeof(From), "too large for the registers of a warp operation");
    To to{};
    __builtin_memcpy(&to, &value, sizeof(From));
    return to;
}

template <class To> __forceinline__ To from_word(unsigned long long word) {
    To to;
    __builtin_memcpy(&to, &word, sizeof(To));
    return to;
}

// Names a call's place in the kernel's source.
#define CUPRUM_SITE unsigned line = __builtin_LINE(), const char* file = __builtin_FILE()

}  // namespace cuprum_emulator

// The address of a thread-local: the compiler calls this function, whose place is normally in libc.
extern "C" __attribute__((visibility("hidden"), no_sanitize("thread", "undefined")))
void* __tls_get_addr(const size_t* index);

#define threadIdx (::cuprum_emulator::self()->thread)
#define blockIdx (::cuprum_emulator::self()->block)
#define blockDim (::cuprum_emulator::self()->block_dim)
#define gridDim (::cuprum_emulator::self()->grid_dim)
constexpr int warpSize = 32;

// Barriers and fences.

__forceinline__ void __syncthreads(CUPRUM_SITE) {
    using namespace cuprum_emulator;
    self()->hooks->barrier(self(), NO_VOTE, 0, line, file);
    asm volatile("" ::: "memory");
}

#define CUPRUM_VOTE(NAME, VOTE)                                                                         \
    __forceinline__ int NAME(int predicate, CUPRUM_SITE) {                                              \
        using namespace cuprum_emulator;                                                                \
        const int result = int(self()->hooks->barrier(self(), VOTE, predicate != 0, line, file));       \
        asm volatile("" ::: "memory");                                                                  \
        return result;                                                                                  \
    }
CUPRUM_VOTE(__syncthreads_count, COUNT)
CUPRUM_VOTE(__syncthreads_and, AND)
CUPRUM_VOTE(__syncthreads_or, OR)
#undef CUPRUM_VOTE

__forceinline__ void __threadfence() {
    using namespace cuprum_emulator;
    asm volatile("" ::: "memory");
#ifdef CUPRUM_RACE_CHECK
    self()->hooks->fence(self());
#endif
    burn_fuel();
}
__forceinline__ void __threadfence_block() { __threadfence(); }
__forceinline__ void __threadfence_system() { __threadfence(); }

__forceinline__ void __nanosleep(unsigned) {
    using namespace cuprum_emulator;
    self()->hooks->give_way(self(), here());
    asm volatile("" ::: "memory");
}

__forceinline__ long long clock64() { return (long long)cuprum_emulator::self()->hooks->clock(); }
__forceinline__ unsigned long long globaltimer() { return cuprum_emulator::self()->hooks->clock(); }

__forceinline__ void __trap(CUPRUM_SITE) {
    using namespace cuprum_emulator;
    self()->hooks->fail(self(), "__trap() was called", line, file);
    __builtin_unreachable();
}

#define assert(condition)                                                                               \
    ((condition) ? void()                                                                               \
                 : ::cuprum_emulator::self()->hooks->fail(::cuprum_emulator::self(),                    \
                       "the assertion `" #condition "` does not hold", __LINE__, __FILE__))

extern "C" int printf(const char* format, ...);

// Warp operations.

__forceinline__ void __syncwarp(unsigned mask = 0xffffffff, CUPRUM_SITE) {
    using namespace cuprum_emulator;
    self()->hooks->warp(self(), SYNC, mask, 0, 0, line, file);
    asm volatile("" ::: "memory");
}

namespace cuprum_emulator {
template <class T>
__forceinline__ T shuffle(unsigned mask, T value, unsigned source, unsigned line, const char* file) {
    const auto word = bits<unsigned long long>(value);
    return from_word<T>(self()->hooks->warp(self(), SHUFFLE, mask, word, source, line, file));
}
}  // namespace cuprum_emulator

// A segment of `width` lanes is a warp of its own; a source outside it stands for the lane itself.
template <class T>
__forceinline__ T __shfl_sync(unsigned mask, T value, int source, int width = 32, CUPRUM_SITE) {
    const unsigned first = cuprum_emulator::self()->lane & ~unsigned(width - 1);
    return cuprum_emulator::shuffle(mask, value, first + (unsigned(source) & unsigned(width - 1)), line, file);
}

template <class T>
__forceinline__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, CUPRUM_SITE) {
    const unsigned lane = cuprum_emulator::self()->lane;
    const bool inside = (lane & unsigned(width - 1)) >= delta;
    return cuprum_emulator::shuffle(mask, value, inside ? lane - delta : lane, line, file);
}

template <class T>
__forceinline__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, CUPRUM_SITE) {
    const unsigned lane = cuprum_emulator::self()->lane;
    const bool inside = (lane & unsigned(width - 1)) + delta < unsigned(width);
    return cuprum_emulator::shuffle(mask, value, inside ? lane + delta : lane, line, file);
}

template <class T>
__forceinline__ T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, CUPRUM_SITE) {
    const unsigned lane = cuprum_emulator::self()->lane, source = lane ^ unsigned(lane_mask);
    // Lanes of earlier segments may be read, lanes of later ones may not.
    const bool inside = source < (lane & ~unsigned(width - 1)) + unsigned(width);
    return cuprum_emulator::shuffle(mask, value, inside ? source : lane, line, file);
}

__forceinline__ unsigned __ballot_sync(unsigned mask, int predicate, CUPRUM_SITE) {
    using namespace cuprum_emulator;
    return unsigned(self()->hooks->warp(self(), BALLOT, mask, predicate != 0, 0, line, file));
}
__forceinline__ int __any_sync(unsigned mask, int predicate, CUPRUM_SITE) {
    return __ballot_sync(mask, predicate, line, file) != 0;
}
__forceinline__ int __all_sync(unsigned mask, int predicate, CUPRUM_SITE) {
    return __ballot_sync(mask, !predicate, line, file) == 0;
}

template <class T> __forceinline__ unsigned __match_any_sync(unsigned mask, T value, CUPRUM_SITE) {
    using namespace cuprum_emulator;
    return unsigned(self()->hooks->warp(self(), MATCH_ANY, mask, bits<unsigned long long>(value), 0, line, file));
}
template <class T>
__forceinline__ unsigned __match_all_sync(unsigned mask, T value, int* all_equal, CUPRUM_SITE) {
    using namespace cuprum_emulator;
    const auto word = bits<unsigned long long>(value);
    const unsigned equal = unsigned(self()->hooks->warp(self(), MATCH_ALL, mask, word, 0, line, file));
    *all_equal = equal != 0;
    return equal;
}

#define CUPRUM_REDUCE(NAME, TYPE, OPERATION)                                                            \
    __forceinline__ TYPE NAME(unsigned mask, TYPE value, CUPRUM_SITE) {                                 \
        using namespace cuprum_emulator;                                                                \
        return TYPE(self()->hooks->warp(self(), OPERATION, mask, unsigned(value), 0, line, file));      \
    }
CUPRUM_REDUCE(__reduce_add_sync, int, ADD)
CUPRUM_REDUCE(__reduce_add_sync, unsigned, ADD)
CUPRUM_REDUCE(__reduce_min_sync, int, MIN_SIGNED)
CUPRUM_REDUCE(__reduce_min_sync, unsigned, MIN)
CUPRUM_REDUCE(__reduce_max_sync, int, MAX_SIGNED)
CUPRUM_REDUCE(__reduce_max_sync, unsigned, MAX)
CUPRUM_REDUCE(__reduce_and_sync, unsigned, BIT_AND)
CUPRUM_REDUCE(__reduce_or_sync, unsigned, BIT_OR)
CUPRUM_REDUCE(__reduce_xor_sync, unsigned, BIT_XOR)
#undef CUPRUM_REDUCE
