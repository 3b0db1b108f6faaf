// Bit operations, conversions, arithmetic and mathematics: the functions of CUDA that need no runtime.
#pragma once

// Bits.

__forceinline__ int __popc(unsigned x) { return __builtin_popcount(x); }
__forceinline__ int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__forceinline__ int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
__forceinline__ int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
__forceinline__ int __ffs(int x) { return __builtin_ffs(x); }
__forceinline__ int __ffsll(long long x) { return __builtin_ffsll(x); }
__forceinline__ unsigned long long __brevll(unsigned long long x) {
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}
__forceinline__ unsigned __brev(unsigned x) { return unsigned(__brevll(x) >> 32); }
// Each nibble of `selector` picks one of the eight bytes of `y:x`, or its sign eight times.
__forceinline__ unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned nibble = selector >> 4 * i & 15;
        unsigned byte = unsigned(bytes >> 8 * (nibble & 7)) & 255;
        if (nibble & 8) byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}
__forceinline__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return unsigned((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
__forceinline__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__forceinline__ unsigned __umulhi(unsigned x, unsigned y) {
    return unsigned((unsigned long long)x * y >> 32);
}
__forceinline__ int __mulhi(int x, int y) { return int((long long)x * y >> 32); }
__forceinline__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
__forceinline__ long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }

// Reinterpretation.

__forceinline__ int __float_as_int(float x) { return cuprum_emulator::bits<int>(x); }
__forceinline__ unsigned __float_as_uint(float x) { return cuprum_emulator::bits<unsigned>(x); }
__forceinline__ float __int_as_float(int x) { return cuprum_emulator::bits<float>(x); }
__forceinline__ float __uint_as_float(unsigned x) { return cuprum_emulator::bits<float>(x); }
__forceinline__ long long __double_as_longlong(double x) { return cuprum_emulator::bits<long long>(x); }
__forceinline__ double __longlong_as_double(long long x) { return cuprum_emulator::bits<double>(x); }
__forceinline__ int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
__forceinline__ int __double2loint(double x) { return int(__double_as_longlong(x)); }
__forceinline__ double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)unsigned(high) << 32 | unsigned(low)));
}

// Loads and stores with a cache policy.

#define CUPRUM_LOAD(NAME) template <class T> __forceinline__ T NAME(const T* address) { return *address; }
CUPRUM_LOAD(__ldg)
CUPRUM_LOAD(__ldcg)
CUPRUM_LOAD(__ldca)
CUPRUM_LOAD(__ldcs)
CUPRUM_LOAD(__ldlu)
#undef CUPRUM_LOAD
#define CUPRUM_STORE(NAME) template <class T> __forceinline__ void NAME(T* address, T value) { *address = value; }
CUPRUM_STORE(__stwb)
CUPRUM_STORE(__stcg)
CUPRUM_STORE(__stcs)
CUPRUM_STORE(__stwt)
#undef CUPRUM_STORE

__forceinline__ void __assume(bool condition) {
    if (!condition) __builtin_unreachable();
}
#define __builtin_assume(condition) __assume(condition)

// Arithmetic of a stated rounding. The host rounds to nearest and never fuses by itself.

__forceinline__ float __fadd_rn(float x, float y) { return x + y; }
__forceinline__ float __fsub_rn(float x, float y) { return x - y; }
__forceinline__ float __fmul_rn(float x, float y) { return x * y; }
__forceinline__ float __fdiv_rn(float x, float y) { return x / y; }
__forceinline__ float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__forceinline__ float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
__forceinline__ double __dadd_rn(double x, double y) { return x + y; }
__forceinline__ double __dsub_rn(double x, double y) { return x - y; }
__forceinline__ double __dmul_rn(double x, double y) { return x * y; }
__forceinline__ double __ddiv_rn(double x, double y) { return x / y; }
__forceinline__ double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
__forceinline__ double __dsqrt_rn(double x) { return __builtin_sqrt(x); }

// Conversions that saturate, as the hardware's do; NaN becomes 0 where the target has 32 bits and the
// smallest value where it has 64.

namespace cuprum_emulator {
template <class To> __forceinline__ To saturated(double x, To lowest, To highest, To of_nan) {
    if (x != x) return of_nan;
    if (x <= double(lowest)) return lowest;
    return x >= double(highest) ? highest : To(x);
}
__forceinline__ int to_int(double x) { return saturated(x, -2147483647 - 1, 2147483647, 0); }
__forceinline__ unsigned to_uint(double x) { return saturated(x, 0u, 4294967295u, 0u); }
__forceinline__ long long to_longlong(double x) {
    constexpr long long lowest = -9223372036854775807LL - 1;
    return saturated(x, lowest, 9223372036854775807LL, lowest);
}
__forceinline__ unsigned long long to_ulonglong(double x) {
    return saturated(x, 0ULL, 18446744073709551615ULL, 1ULL << 63);
}
}  // namespace cuprum_emulator

#define CUPRUM_CONVERT(SUFFIX, ROUNDED)                                                                 \
    __forceinline__ int __float2int_##SUFFIX(float x) { return cuprum_emulator::to_int(ROUNDED); }      \
    __forceinline__ unsigned __float2uint_##SUFFIX(float x) { return cuprum_emulator::to_uint(ROUNDED); } \
    __forceinline__ long long __float2ll_##SUFFIX(float x) { return cuprum_emulator::to_longlong(ROUNDED); } \
    __forceinline__ int __double2int_##SUFFIX(double x) { return cuprum_emulator::to_int(ROUNDED); }    \
    __forceinline__ unsigned __double2uint_##SUFFIX(double x) { return cuprum_emulator::to_uint(ROUNDED); } \
    __forceinline__ long long __double2ll_##SUFFIX(double x) { return cuprum_emulator::to_longlong(ROUNDED); } \
    __forceinline__ unsigned long long __double2ull_##SUFFIX(double x) {                                \
        return cuprum_emulator::to_ulonglong(ROUNDED);                                                  \
    }
CUPRUM_CONVERT(rz, __builtin_trunc(x))
CUPRUM_CONVERT(rn, __builtin_rint(x))
CUPRUM_CONVERT(rd, __builtin_floor(x))
CUPRUM_CONVERT(ru, __builtin_ceil(x))
#undef CUPRUM_CONVERT

// Smaller and larger. Of two signednesses the unsigned one wins, as in CUDA.

#define CUPRUM_MIN_MAX(RESULT, LEFT, RIGHT)                                                             \
    __forceinline__ RESULT min(LEFT x, RIGHT y) { return (RESULT)x < (RESULT)y ? (RESULT)x : (RESULT)y; } \
    __forceinline__ RESULT max(LEFT x, RIGHT y) { return (RESULT)x > (RESULT)y ? (RESULT)x : (RESULT)y; }
CUPRUM_MIN_MAX(int, int, int)
CUPRUM_MIN_MAX(unsigned, unsigned, unsigned)
CUPRUM_MIN_MAX(unsigned, int, unsigned)
CUPRUM_MIN_MAX(unsigned, unsigned, int)
CUPRUM_MIN_MAX(long, long, long)
CUPRUM_MIN_MAX(unsigned long, unsigned long, unsigned long)
CUPRUM_MIN_MAX(unsigned long, long, unsigned long)
CUPRUM_MIN_MAX(unsigned long, unsigned long, long)
CUPRUM_MIN_MAX(long long, long long, long long)
CUPRUM_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CUPRUM_MIN_MAX(unsigned long long, long long, unsigned long long)
CUPRUM_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef CUPRUM_MIN_MAX
__forceinline__ float min(float x, float y) { return __builtin_fminf(x, y); }
__forceinline__ float max(float x, float y) { return __builtin_fmaxf(x, y); }
__forceinline__ double min(double x, double y) { return __builtin_fmin(x, y); }
__forceinline__ double max(double x, double y) { return __builtin_fmax(x, y); }
__forceinline__ double min(float x, double y) { return __builtin_fmin(x, y); }
__forceinline__ double max(float x, double y) { return __builtin_fmax(x, y); }
__forceinline__ double min(double x, float y) { return __builtin_fmin(x, y); }
__forceinline__ double max(double x, float y) { return __builtin_fmax(x, y); }

// Mathematics: the host's, which differs from the device's in the last digits.

#define CUPRUM_UNARY(NAME)                                                                              \
    extern "C" double NAME(double);                                                                     \
    extern "C" float NAME##f(float);                                                                    \
    __forceinline__ float NAME(float x) { return NAME##f(x); }
#define CUPRUM_BINARY(NAME)                                                                             \
    extern "C" double NAME(double, double);                                                             \
    extern "C" float NAME##f(float, float);                                                             \
    __forceinline__ float NAME(float x, float y) { return NAME##f(x, y); }
CUPRUM_UNARY(sqrt) CUPRUM_UNARY(cbrt) CUPRUM_UNARY(exp) CUPRUM_UNARY(exp2) CUPRUM_UNARY(expm1)
CUPRUM_UNARY(log) CUPRUM_UNARY(log2) CUPRUM_UNARY(log10) CUPRUM_UNARY(log1p)
CUPRUM_UNARY(sin) CUPRUM_UNARY(cos) CUPRUM_UNARY(tan) CUPRUM_UNARY(asin) CUPRUM_UNARY(acos)
CUPRUM_UNARY(atan) CUPRUM_UNARY(sinh) CUPRUM_UNARY(cosh) CUPRUM_UNARY(tanh) CUPRUM_UNARY(asinh)
CUPRUM_UNARY(acosh) CUPRUM_UNARY(atanh) CUPRUM_UNARY(erf) CUPRUM_UNARY(erfc) CUPRUM_UNARY(tgamma)
CUPRUM_UNARY(lgamma) CUPRUM_UNARY(floor) CUPRUM_UNARY(ceil) CUPRUM_UNARY(trunc) CUPRUM_UNARY(round)
CUPRUM_UNARY(rint) CUPRUM_UNARY(nearbyint) CUPRUM_UNARY(fabs)
CUPRUM_BINARY(pow) CUPRUM_BINARY(fmod) CUPRUM_BINARY(remainder) CUPRUM_BINARY(atan2)
CUPRUM_BINARY(hypot) CUPRUM_BINARY(fmin) CUPRUM_BINARY(fmax) CUPRUM_BINARY(copysign)
CUPRUM_BINARY(nextafter) CUPRUM_BINARY(fdim)
#undef CUPRUM_UNARY
#undef CUPRUM_BINARY
extern "C" double fma(double, double, double);
extern "C" float fmaf(float, float, float);
__forceinline__ float fma(float x, float y, float z) { return fmaf(x, y, z); }
extern "C" double ldexp(double, int);
extern "C" double modf(double, double*);
extern "C" double frexp(double, int*);
__forceinline__ double rsqrt(double x) { return 1 / sqrt(x); }
__forceinline__ float rsqrtf(float x) { return float(1 / sqrt(double(x))); }
__forceinline__ float rsqrt(float x) { return rsqrtf(x); }

extern "C" int abs(int);
extern "C" long labs(long);
extern "C" long long llabs(long long);
__forceinline__ long abs(long x) { return labs(x); }
__forceinline__ long long abs(long long x) { return llabs(x); }
__forceinline__ float abs(float x) { return fabsf(x); }
__forceinline__ double abs(double x) { return fabs(x); }

#define CUPRUM_CLASSIFY(NAME)                                                                           \
    __forceinline__ bool NAME(float x) { return __builtin_##NAME(x); }                                  \
    __forceinline__ bool NAME(double x) { return __builtin_##NAME(x); }
CUPRUM_CLASSIFY(isnan)
CUPRUM_CLASSIFY(isinf)
CUPRUM_CLASSIFY(isfinite)
CUPRUM_CLASSIFY(signbit)
#undef CUPRUM_CLASSIFY

// Memory.

extern "C" void* memcpy(void*, const void*, size_t);
extern "C" void* memset(void*, int, size_t);
extern "C" int memcmp(const void*, const void*, size_t);
